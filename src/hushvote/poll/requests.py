"""What a voter's device sends: a cast, a change or a withdrawal, all of one length.

A body is JSON without blanks, followed by spaces up to the length that every request to this poll
has: that of the longest that its mechanism can need, rounded up to 1,024 bytes. So the length tells
neither which of the three it is, nor anything of the report.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn, Self

from hushvote.canonical import canonical, is_hex, parsed
from hushvote.errors import PollError, clip, echo
from hushvote.mechanisms.fields import Domain, Field, Reports
from hushvote.messages import ENGLISH, counted
from hushvote.poll.checks import CODES
from hushvote.poll.credentials import Credential
from hushvote.poll.hashing import HASH
from hushvote.poll.manifest import Poll

STEP = 1024  # bytes that lengths are rounded up to

Report = Mapping[str, Any]
"""A report as `Domain.to_wire` writes it."""

Decode = Callable[[bytes], dict[str, Any]]
"""Reads the JSON object of a body as strictly as `decoded`; a server may know a quicker one."""


@dataclass(frozen=True)
class Cast:
    """The first report under a credential; equal to another of the same receipt and report."""

    poll: str
    receipt: str
    report: Report
    question: str | None = field(default=None, compare=False)
    values: tuple[int, ...] = field(default=(), compare=False, repr=False)  # of what was read

    @classmethod
    def of(
        cls, poll: Poll, credential: Credential, report: Reports, question: bytes | None = None
    ) -> Self:
        """The cast of a report; a poll of codes takes the question that a code stands for."""
        _check_credential(poll, credential)
        if (question is None) == (poll.access == CODES):
            needs = "needs the question of a code" if question is None else "takes no question"
            raise PollError(f"a cast in this poll {needs}", code="request.question")
        wire = poll.mechanism.domain.to_wire(report)
        asked = None if question is None else question.hex()
        return cls(poll.digest, credential.receipt.hex(), wire, asked)

    @classmethod
    def read(cls, poll: Poll, body: bytes, decode: Decode | None = None) -> Self:
        """Read a body, strictly; the report is known to be one, and to answer its question."""
        asks = poll.access == CODES
        names = ("receipt", "question", "report") if asks else ("receipt", "report")
        found = _members(poll, body, decode or decoded, *names)
        if asks:
            _check_hash(found, "question")
        values = poll.mechanism.domain.parse(found["report"])
        if asks:
            check_answer(poll, found["report"], found["question"])
        return cls(found["poll"], found["receipt"], found["report"], found.get("question"), values)

    def to_json(self) -> dict[str, Any]:
        """The request as plain data."""
        asked = {} if self.question is None else {"question": self.question}
        return {"poll": self.poll, "receipt": self.receipt, **asked, "report": self.report}

    def body(self, poll: Poll) -> bytes:
        """What is sent."""
        return _padded(self.to_json(), poll)


@dataclass(frozen=True)
class Change:
    """Another report in place of that under the receipt whose secret it reveals."""

    poll: str
    reveals: str
    receipt: str
    report: Report
    values: tuple[int, ...] = field(default=(), compare=False, repr=False)  # of what was read

    @classmethod
    def of(cls, poll: Poll, credential: Credential, report: Reports) -> Self:
        """The next change under a credential, which then is `credential.moved()`."""
        after = credential.moved()
        _check_credential(poll, after)
        wire = poll.mechanism.domain.to_wire(report)
        return cls(poll.digest, credential.secret.hex(), after.receipt.hex(), wire)

    @classmethod
    def read(cls, poll: Poll, body: bytes, decode: Decode | None = None) -> Self:
        """Read a body, strictly. Whether the report answers the voter's question is for whoever
        knows that to ask: `check_answer`.
        """
        found = _members(poll, body, decode or decoded, "receipt", "reveals", "report")
        values = poll.mechanism.domain.parse(found["report"])
        return cls(found["poll"], found["reveals"], found["receipt"], found["report"], values)

    def to_json(self) -> dict[str, Any]:
        """The request as plain data."""
        named = {"poll": self.poll, "reveals": self.reveals, "receipt": self.receipt}
        return {**named, "report": self.report}

    def body(self, poll: Poll) -> bytes:
        """What is sent."""
        return _padded(self.to_json(), poll)


@dataclass(frozen=True)
class Withdrawal:
    """The end of the report under the receipt whose secret it reveals."""

    poll: str
    reveals: str

    @classmethod
    def of(cls, poll: Poll, credential: Credential) -> Self:
        """The withdrawal of what stands under a credential."""
        _check_credential(poll, credential)
        return cls(poll.digest, credential.secret.hex())

    @classmethod
    def read(cls, poll: Poll, body: bytes, decode: Decode | None = None) -> Self:
        """Read a body, strictly."""
        found = _members(poll, body, decode or decoded, "reveals")
        return cls(found["poll"], found["reveals"])

    def to_json(self) -> dict[str, Any]:
        """The request as plain data."""
        return {"poll": self.poll, "reveals": self.reveals}

    def body(self, poll: Poll) -> bytes:
        """What is sent."""
        return _padded(self.to_json(), poll)


def check_answer(poll: Poll, report: Report, question: str) -> None:
    """Refuse a report that does not answer the question of this hash, where questions are asked."""
    mechanism = poll.mechanism
    if not mechanism.needs_question:
        return
    if not mechanism.answers(mechanism.domain.from_wire(report), bytes.fromhex(question)):
        raise PollError(
            "this report does not answer the question that its code asks", code="request.answer"
        )


def _check_credential(poll: Poll, credential: Credential) -> None:
    """Refuse to send under a credential of another poll, or one that was changed too often."""
    if credential.poll != poll.digest:
        raise PollError(
            f"this credential is of another poll, {credential.poll[:16]}...",
            code="request.poll",
            given=credential.poll,
        )
    if credential.position > poll.changes:
        raise PollError(
            f"in this poll a vote may be changed {counted(poll.changes, 'time', ENGLISH)}, and no "
            "more",
            code="request.changes",
            changes=poll.changes,
        )


# --- lengths --------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def request_size(poll: Poll) -> int:
    """Bytes that every request to a poll has.

    The longest request is a cast with a question, around the longest report, whether or not this
    poll has codes.
    """
    named = dict.fromkeys(("poll", "receipt", "question"), "0" * 2 * HASH)
    around = len(canonical({**named, "report": 0})) - 1
    return -(-(around + longest_report(poll.mechanism.domain)) // STEP) * STEP


def longest_report(domain: Domain) -> int:
    """Bytes that no report on the wire exceeds: each field by itself at its longest."""
    members = (len(canonical(one.name)) + 1 + _longest(one) for one in domain.fields)
    return sum(members) + len(domain.fields) + 1  # commas and braces


def _longest(one: Field) -> int:
    """Bytes of a field's longest value: of numbers the lowest or the highest, of sets the last
    candidates, as many as the largest set has.
    """
    if one.kind != "mask":
        return max(len(canonical(one.to_wire(value))) for value in (one.low, one.high))
    d = one.high.bit_length()
    size = d if one.sizes is None else max(one.sizes)
    return len(canonical(list(range(d - size, d))))


def _padded(document: Mapping[str, Any], poll: Poll) -> bytes:
    body, size = canonical(document), request_size(poll)
    if len(body) > size:
        raise PollError(
            f"this request has {len(body):,} bytes, but no request to this poll has more than "
            f"{size:,}",
            code="request.size",
            given=len(body),
            size=size,
        )
    return body.ljust(size)


# --- strict reading -------------------------------------------------------------------------------


def _members(poll: Poll, body: bytes, decode: Decode, *names: str) -> dict[str, Any]:
    """The members of a request, of which all but report and question are checked."""
    size = request_size(poll)
    if len(body) != size:
        raise PollError(
            f"every request to this poll has {size:,} bytes, not {len(body):,}",
            code="request.size",
            given=len(body),
            size=size,
        )
    found = decode(body)
    expected = {"poll", *names}
    if unlike := expected ^ found.keys():
        name = min(unlike)
        what = "lacks the member" if name in expected else "must not have the member"
        raise PollError(f"the request {what} {echo(name)}", code="request.member", member=name)
    if found["poll"] != poll.digest:
        raise PollError(
            f"this request is for another poll, {echo(found['poll'])}",
            code="request.poll",
            given=found["poll"],
        )
    if "receipt" in names:
        _check_hash(found, "receipt")
    if "reveals" in names:
        _check_hash(found, "reveals")
    return found


def decoded(body: bytes) -> dict[str, Any]:
    """The JSON object that a body holds, without blanks but for the spaces behind it."""
    try:
        text = body.rstrip(b" ").decode()
        found = _read(text)
        if _ENCODER.encode(found) != text:
            raise ValueError("it has blanks or escapes that need not be")
    except (ValueError, RecursionError) as error:
        raise PollError(
            f"this request is no JSON with spaces behind it: {clip(str(error))}",
            code="request.json",
            reason=error,
        ) from None
    if not isinstance(found, dict):
        raise PollError(
            f"a request is a JSON object, not {echo(found)}", code="request.member", given=found
        )
    return found


_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)
_LONG = re.compile("[0-9]{65}")


def _read(text: str) -> Any:
    """The same as `parsed`, quickly where only the writing anew is left to find faults: a member
    that stands twice is written once. Numbers that are none, or too long, are found by `parsed`.
    """
    if "N" in text or "I" in text or _LONG.search(text):
        return parsed(text)
    try:
        return json.loads(text)
    except ValueError:
        return parsed(text)


def _check_hash(found: Mapping[str, Any], name: str) -> None:
    if not is_hex(found[name]):
        _refuse(name)


def _refuse(name: str) -> NoReturn:
    # what was given is never repeated: it may be somebody's secret, or a code
    sentence = f"{name!r} must be 64 hexadecimal digits in lower case"
    if name == "receipt":
        raise PollError(sentence, code="request.receipt")
    if name == "reveals":
        raise PollError(sentence, code="request.secret")
    raise PollError(sentence, code="request.question")

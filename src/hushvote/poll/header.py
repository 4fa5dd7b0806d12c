"""The header of a board: everything that is said of a poll beside its reports, and signed."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.canonical import canonical, is_hex, parsed
from hushvote.errors import HushvoteError, PollError, clip
from hushvote.poll.credentials import receipt_of
from hushvote.poll.hashing import HASH, tagged
from hushvote.poll.manifest import Poll
from hushvote.poll.signing import is_signed
from hushvote.tally import MOST_VOTERS, Tally

KIND, VERSION = "board", 1
NUMBERS = ("casts", "changes", "withdrawals", "erasures")
LISTS = ("erased", "issued", "revoked", "used")
MEMBERS = {
    *("hushvote", "version", "manifest", "log", *NUMBERS, "tally", "result"),
    *("spent", *LISTS, "root", "signature"),
}
LONGEST_EVENT = 80

Event = Mapping[str, Any]
"""A line of the log: `at` in whole seconds since 1970, `event`, and what belongs to it."""


class BoardError(PollError):
    """A board is damaged: it cannot be read as one."""

    area = "board"

    @classmethod
    def of(cls, error: HushvoteError, place: str) -> Self:
        """What is wrong with a part of it; code and values stay."""
        found = cls(f"{place}: {error}")
        found.code, found.values = error.code, dict(error.values)
        return found


class Spent(NamedTuple):
    """A receipt that a change or a withdrawal has spent; hashes are hex."""

    receipt: str
    reveals: str  # the secret of it
    next: str | None  # the receipt that a change named; None of a withdrawal


@dataclass(frozen=True)
class Happened:
    """What the server knows of a poll beside the standing reports; hashes are hex."""

    casts: int
    changes: int = 0
    withdrawals: int = 0
    log: Sequence[Event] = ()
    secrets: Sequence[tuple[str, str | None]] = ()  # each that was revealed, with the receipt that
    # the change named; with None, if it was a withdrawal
    issued: Sequence[str] = ()  # hashes of codes
    revoked: Sequence[str] = ()  # some of them
    used: Sequence[str] = ()  # questions that casts named


@dataclass(frozen=True)
class Header:
    """What the first line of a board says."""

    poll: Poll
    log: tuple[Event, ...]
    casts: int
    changes: int
    withdrawals: int
    erasures: int
    tally: Mapping[str, Any]
    result: Mapping[str, Any]
    spent: tuple[Spent, ...]
    erased: tuple[str, ...]  # leaves
    issued: tuple[str, ...]
    revoked: tuple[str, ...]
    used: tuple[str, ...]
    root: str
    signature: str = field(default="0" * 4 * HASH)

    @classmethod
    def of(
        cls, poll: Poll, happened: Happened, *, erased: Sequence[str], tally: Tally, root: bytes
    ) -> "Header":
        """The header of a board of this tally and tree, not yet signed."""
        if tally.n < poll.turnout:
            raise PollError(
                f"there is no board of fewer than {poll.turnout:,} reports, and {tally.n:,} stand",
                code="board.turnout",
                n=tally.n,
                turnout=poll.turnout,
            )
        spent = (
            Spent(receipt_of(bytes.fromhex(secret)).hex(), secret, following)
            for secret, following in happened.secrets
        )
        return cls(
            poll=poll,
            log=tuple(happened.log),
            casts=happened.casts,
            changes=happened.changes,
            withdrawals=happened.withdrawals,
            erasures=len(erased),
            tally=told_tally(tally),
            result=told_result(tally),
            spent=tuple(sorted(spent, key=lambda one: one.receipt)),
            erased=tuple(sorted(erased)),
            issued=tuple(sorted(happened.issued)),
            revoked=tuple(sorted(happened.revoked)),
            used=tuple(sorted(happened.used)),
            root=root.hex(),
        )

    def document(self) -> dict[str, Any]:
        """The header as plain data, without its signature."""
        return {
            "hushvote": KIND,
            "version": VERSION,
            "manifest": self.poll.document(),
            "log": list(self.log),
            **{name: getattr(self, name) for name in NUMBERS},
            "tally": self.tally,
            "result": self.result,
            "spent": [one._asdict() for one in self.spent],
            **{name: list(getattr(self, name)) for name in LISTS},
            "root": self.root,
        }

    def line(self) -> bytes:
        """The first line of the board."""
        return canonical({**self.document(), "signature": self.signature})

    @cached_property
    def digest(self) -> str:
        """The board's digest: SHA-256 of the canonical header without its signature.

        It names the whole board. With the number of lines that the header tells, the root fixes the
        leaf of every line, and the header lists those that are erased.
        """
        return hashlib.sha256(canonical(self.document())).hexdigest()

    @property
    def message(self) -> bytes:
        """What is signed: "hushvote board" ‖ 0x00 ‖ the board's digest."""
        return tagged("hushvote board", bytes.fromhex(self.digest))

    def signed(self, key: Ed25519PrivateKey) -> "Header":
        """The same header with the signature of the server."""
        return replace(self, signature=key.sign(self.message).hex())

    @property
    def is_signed(self) -> bool:
        """Whether the signature is that of the poll's server."""
        return is_signed(self.poll.server, self.signature, self.message)

    @classmethod
    def read(cls, raw: bytes) -> "Header":
        """Read the first line of a board, in its one form; what it says is for others to check."""
        try:
            if not raw.endswith(b"\n"):
                raise ValueError("its end is missing")
            found: Any = parsed(raw[:-1])
            if canonical(found) != raw[:-1]:
                raise ValueError("it is not in its canonical form")
            header = cls._of_document(found)
        except HushvoteError as error:
            raise BoardError.of(error, "the manifest of this board") from None
        except ValueError as error:
            raise BoardError(
                f"this is no board, or the header of it is damaged: {clip(str(error))}",
                code="board.header",
                reason=error,
            ) from None
        return header

    @classmethod
    def _of_document(cls, found: Any) -> "Header":
        """The parts of a header, each in its form."""
        _check_form(found)
        parts: dict[str, Any] = {name: found[name] for name in MEMBERS - {"hushvote", "version"}}
        parts["poll"] = Poll.load(canonical(parts.pop("manifest")))
        parts["spent"] = tuple(Spent(**one) for one in parts["spent"])
        for name in ("log", *LISTS):
            parts[name] = tuple(parts[name])
        return cls(**parts)


def _check_form(found: Any) -> None:
    """Refuse a header in which something is of another form than it must be."""
    if not isinstance(found, dict) or found.get("hushvote") != KIND:
        raise ValueError('it lacks "hushvote": "board"')
    if type(found.get("version")) is not int or found["version"] != VERSION:
        raise ValueError(f"its version is not {VERSION}")
    if found.keys() != MEMBERS:
        raise ValueError("a member is missing or too many")
    for name in NUMBERS:
        if type(found[name]) is not int or not 0 <= found[name] <= MOST_VOTERS:
            raise ValueError(f"{name} is no number of requests")
    lists, objects = ("log", "spent", *LISTS), ("manifest", "tally", "result")
    if not all(isinstance(found[name], list) for name in lists):
        raise ValueError(f"one of {', '.join(lists)} is no list")
    if not all(isinstance(found[name], dict) for name in objects):
        raise ValueError(f"one of {', '.join(objects)} is no object")
    for event in found["log"]:
        _check_event(event)
    for one in found["spent"]:
        if not isinstance(one, dict) or one.keys() != set(Spent._fields):
            raise ValueError("a spent receipt lacks its secret or what came next, or has more")
    hashes = [
        value
        for one in found["spent"]
        for name, value in one.items()
        if name != "next" or value is not None
    ]
    hashes += [found["root"], *(one for name in LISTS for one in found[name])]
    if not all(is_hex(one) for one in hashes) or not is_hex(found["signature"], 4 * HASH):
        raise ValueError("a receipt, secret, leaf, code, question, root or signature is no hash")


def _check_event(event: object) -> None:
    """An event has a time, a name, and beside them only numbers and short texts."""
    if not isinstance(event, dict) or not {"at", "event"} <= event.keys():
        raise ValueError("a line of the log lacks its time or its event")
    if type(event["at"]) is not int or event["at"] < 0 or not isinstance(event["event"], str):
        raise ValueError("a line of the log has no time or no event")
    for value in event.values():
        if type(value) is not int and not (isinstance(value, str) and len(value) <= LONGEST_EVENT):
            raise ValueError("a line of the log has more than numbers and short texts")


def told_tally(tally: Tally) -> dict[str, Any]:
    """How a header tells a tally: what the manifest says already is left out."""
    whole = parsed(tally.to_json())
    return {"n": whole["n"], "counts": whole["counts"]}


def told_result(tally: Tally) -> dict[str, Any]:
    """How a header tells a result: numbers as texts, since canonical JSON has no fractions."""
    found = tally.result()
    return {
        "scores": [repr(float(one)) for one in found.scores],
        "standard_errors": [repr(float(one)) for one in found.standard_errors],
    }

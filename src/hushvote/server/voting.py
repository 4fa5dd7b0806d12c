"""Casting, changing and withdrawing: read strictly, packed, committed, and only then signed.

What a voter sends and gets is defined by `hushvote.poll`; what happens to it, by the store. Here
the two meet, once for every vote.
"""

import copy
import os
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NoReturn

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.canonical import LARGEST
from hushvote.errors import PollError
from hushvote.poll import requests
from hushvote.poll.acknowledgements import Acknowledgement, signed_text, to_sign
from hushvote.poll.codes import code_hash
from hushvote.poll.credentials import receipt_of
from hushvote.poll.entries import SALT, leaf_of, unsalted
from hushvote.poll.requests import Report
from hushvote.server.held import Held
from hushvote.server.store.contract import (
    Cast,
    Change,
    Done,
    Outcome,
    Refusal,
    Refused,
    Withdrawal,
    Write,
)

HOUR = 3600

Commit = Callable[[Write], Awaitable[Outcome]]
Sign = Callable[[Ed25519PrivateKey, bytes], Awaitable[bytes]]
QuestionOf = Callable[[str, bytes], Awaitable[bytes | None]]


class Voting:
    """What the protocol does with a body; every answer is the text of an acknowledgement."""

    def __init__(
        self,
        commit: Commit,
        question_of: QuestionOf,
        sign: Sign,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._commit, self._question_of, self._sign, self._now = commit, question_of, sign, now

    async def cast(self, held: Held, body: bytes) -> bytes:
        """The first report of a voter."""
        hour = self._hour(held)
        read = requests.Cast.read(held.poll, body, decoded)
        question = None if read.question is None else bytes.fromhex(read.question)
        write = Cast(
            held.id,
            bytes.fromhex(read.receipt),
            held.packed(*read.values),
            os.urandom(SALT),
            hour,
            question,
            None if question is None else code_hash(question),
            held.asks,
        )
        done = _kept(await self._commit(write))
        # an equal cast may name another question than the one that stands beside the report
        asked = None if done.question is None else done.question.hex()
        return await self._signed(held, read.receipt, read.report, done.salt, asked)

    async def change(self, held: Held, body: bytes) -> bytes:
        """Another report in place of the one before."""
        hour = self._hour(held)
        read = requests.Change.read(held.poll, body, decoded)
        reveals, receipt = bytes.fromhex(read.reveals), bytes.fromhex(read.receipt)
        spends = receipt_of(reveals)
        question = None
        if held.asks:
            question = (await self._asked(held, spends, receipt)).hex()
            requests.check_answer(held.poll, read.report, question)
        write = Change(
            held.id,
            reveals,
            spends,
            receipt,
            held.packed(*read.values),
            os.urandom(SALT),
            hour,
            held.poll.changes,
        )
        done = _kept(await self._commit(write))
        return await self._signed(held, read.receipt, read.report, done.salt, question)

    async def withdraw(self, held: Held, body: bytes) -> bytes:
        """The end of a voter's report."""
        hour = self._hour(held)
        reveals = bytes.fromhex(requests.Withdrawal.read(held.poll, body, decoded).reveals)
        spends = receipt_of(reveals)
        _kept(await self._commit(Withdrawal(held.id, reveals, spends, hour)))
        made = Acknowledgement.of_withdrawal(held.poll, spends.hex(), held.key)
        return made.to_json().encode()

    async def _signed(
        self, held: Held, receipt: str, report: Report, salt: bytes, question: str | None
    ) -> bytes:
        line = _SORTED.encode(unsalted(receipt, report, question if held.asks else None))
        leaf = leaf_of(salt, line)
        signature = await self._sign(held.key, to_sign(held.poll, receipt, leaf))
        return signed_text(held.poll, receipt, salt, leaf, signature).encode()

    def _hour(self, held: Held) -> int:
        """The hour that a vote is counted in; refused once the poll is over."""
        now = self._now()
        if held.over(now):
            refuse("vote.closed")
        return int(now) // HOUR

    async def _asked(self, held: Held, spends: bytes, receipt: bytes) -> bytes:
        """The voter's question: beside the report that is to go, or, if the same change was made
        before, beside the one that took its place.
        """
        for known in (spends, receipt):
            question = await self._question_of(held.id, known)
            if question is not None:
                return question
        refuse("vote.unknown")


_REFUSALS = {
    one.code: one
    for one in (
        PollError("this poll is closed and takes no more votes", code="vote.closed"),
        PollError(
            "another report was cast under this receipt: a vote is altered by a change only",
            code="vote.receipt",
        ),
        PollError("this code was used for another vote", code="vote.question"),
        PollError("this code was not issued for this poll, or was taken back", code="vote.code"),
        PollError("no vote is known that belongs to this secret", code="vote.unknown"),
        PollError(
            "this secret was used before, for another change or a withdrawal", code="vote.spent"
        ),
        PollError("this vote was changed as often as the poll allows", code="vote.changes"),
    )
}


def refuse(code: Refusal) -> NoReturn:
    """Say what the store, or the clock, has refused."""
    raise copy.copy(_REFUSALS[code])


def _kept(outcome: Outcome) -> Done:
    if isinstance(outcome, Refused):
        refuse(outcome.code)
    return outcome


# --- quickly --------------------------------------------------------------------------------------

# Of what stands in a request that can be kept, the canonical form is this.
_SORTED = msgspec.json.Encoder(order="sorted")
_ENCODER = msgspec.json.Encoder()
_Whole = Annotated[int, msgspec.Meta(gt=-LARGEST, lt=LARGEST)]
_DECODER = msgspec.json.Decoder(dict[str, str | dict[str, _Whole | str | list[_Whole]]])


def decoded(body: bytes) -> dict[str, Any]:
    """The same as `requests.decoded`, which is asked about all that is not plainly right."""
    text = body.rstrip(b" ")
    try:
        found: dict[str, Any] = _DECODER.decode(text)
        if _ENCODER.encode(found) == text:
            return found
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    return requests.decoded(body)

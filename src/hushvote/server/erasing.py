"""Erasing a report for whoever has its secret, also after close.

Before close this is a withdrawal. After it the report goes, and its line on the board becomes the
bare leaf; result and board are counted anew when somebody asks. The secret proves whose it is, and
is not kept.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from hushvote.canonical import canonical
from hushvote.poll import requests
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.credentials import receipt_of
from hushvote.poll.entries import leaf_of, unsalted
from hushvote.server import publishing
from hushvote.server.held import Held
from hushvote.server.standing import unpacked, wire
from hushvote.server.store.contract import (
    Done,
    ErasedEntry,
    GoneEntry,
    KeptEntry,
    Outcome,
    Store,
    Withdrawal,
    Write,
)
from hushvote.server.voting import HOUR, refuse

Commit = Callable[[Write], Awaitable[Outcome]]
Run = Callable[..., Awaitable[Any]]


class Erasing:
    """What becomes of the body of an erasure; the answer is the text of an acknowledgement: before
    close a withdrawal's.
    """

    def __init__(
        self, store: Store, commit: Commit, run: Run, now: Callable[[], float] = time.time
    ) -> None:
        self._store, self._commit, self._run, self._now = store, commit, run, now

    async def erase(self, held: Held, body: bytes) -> bytes:
        """Let what stands under a secret's receipt be gone for good; again does no harm."""
        secret = bytes.fromhex(requests.Withdrawal.read(held.poll, body).reveals)
        receipt = receipt_of(secret)
        before = await self._withdrawn(held, secret, receipt)
        erased = not before and await self._run(self._erased, held, receipt)
        made = Acknowledgement.of_erasure if erased else Acknowledgement.of_withdrawal
        return made(held.poll, receipt.hex(), held.key).to_json().encode()

    async def _withdrawn(self, held: Held, secret: bytes, receipt: bytes) -> bool:
        """Whether it was, in a poll that is still open in the store, whatever the clock says."""
        if held.kept.closed:
            return False
        hour = int(self._now()) // HOUR
        outcome = await self._commit(Withdrawal(held.id, secret, receipt, hour))
        if isinstance(outcome, Done):
            return True
        if outcome.code != "vote.closed":
            refuse(outcome.code)
        return False

    def _erased(self, held: Held, receipt: bytes) -> bool:
        """Whether it was erased now or before; False if it was withdrawn before close."""
        while isinstance(found := self._store.entry(held.id, receipt), KeptEntry):
            # of the moment only the hour is told, as of votes
            at = max(int(self._now()) // HOUR * HOUR, held.kept.ended or 0)
            leaf, event = _leaf(held, found), {"at": at, "event": "erased"}
            if self._store.erase(held.id, receipt, leaf, event):
                publishing.forget(held.id)
                return True
        if found is None:
            refuse("vote.unknown")
        if isinstance(found, GoneEntry) and not found.withdrawn:
            refuse("vote.spent")
        return isinstance(found, ErasedEntry)


def _leaf(held: Held, entry: KeptEntry) -> bytes:
    domain = held.poll.mechanism.domain
    [report] = wire(domain, unpacked(domain, [entry]))
    question = entry.question.hex() if held.asks and entry.question is not None else None
    line = unsalted(entry.receipt.hex(), report, question)
    return leaf_of(entry.salt, canonical(line))

"""A poll in a real store, with voters who cast, change and withdraw: for tests of what is counted
and published of it.
"""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.codes import code_hash
from hushvote.poll.credentials import Credential
from hushvote.poll.entries import Entry
from hushvote.server.store.contract import Cast, Change, Done, KeptPoll, Store, Withdrawal
from hushvote.server.store.opening import open_store
from tests.polls import KEY

HOUR = 500_000
BATCH = 4096


@dataclass
class Keeping:
    """One poll of a store."""

    poll: hv.Poll
    store: Store
    acks: dict[bytes, Acknowledgement] = field(default_factory=dict)
    questions: dict[bytes, bytes | None] = field(default_factory=dict)

    @classmethod
    def begin(cls, url: Path | str, poll: hv.Poll) -> "Keeping":
        """Open an empty store, and a poll in it."""
        made = cls(poll, open_store(str(url)))
        kept = KeptPoll(
            poll.id,
            poll.text,
            bytes.fromhex(poll.digest),
            KEY.private_bytes_raw(),
            bytes(32),
            HOUR * 3600,
        )
        assert made.store.create(kept, {"at": 1_800_000_000, "event": "opened"})
        return made

    @property
    def kept(self) -> KeptPoll:
        found = self.store.poll(self.poll.id)
        assert found is not None
        return found

    def again(self, path: Path) -> "Keeping":
        """The same after a restart."""
        self.store.shut()
        return replace(self, store=open_store(str(path)))

    def close(self) -> None:
        assert self.store.close(self.poll.id, {"at": 1_800_003_600, "event": "closed"})

    def _issued(self) -> bytes | None:
        """The question of a new code, where the poll has them."""
        if self.poll.access != "codes":
            return None
        question = os.urandom(32)
        event = {"at": 1_800_000_001, "event": "issued", "codes": 1}
        assert self.store.issue(self.poll.id, [code_hash(question)], event)
        return question

    def _entry(self, receipt: bytes, report: np.ndarray, salt: bytes) -> Entry:
        question = self.questions[receipt] if self.poll.mechanism.needs_question else None
        wire = self.poll.mechanism.domain.to_wire(report)
        return Entry(receipt.hex(), salt.hex(), wire, None if question is None else question.hex())

    def _done(self, write: Cast | Change | Withdrawal) -> None:
        (outcome,) = self.store.commit([write])
        assert isinstance(outcome, Done), outcome

    def cast(self, ranking: list[int] | None = None) -> Credential:
        """One voter."""
        poll, question = self.poll, self._issued()
        asks = poll.mechanism.needs_question
        drawn = poll.draw(ranking or list(range(poll.d)), question=question if asks else None)
        voter, salt = Credential.fresh(poll.digest), os.urandom(16)
        self.questions[voter.receipt] = question
        self._done(
            Cast(
                poll.id,
                voter.receipt,
                drawn.report.tobytes(),
                salt,
                HOUR,
                question,
                None if question is None else code_hash(question),
                asks,
            )
        )
        entry = self._entry(voter.receipt, drawn.report, salt)
        self.acks[voter.receipt] = Acknowledgement.of_entry(poll, entry, KEY)
        return voter

    def change(self, voter: Credential) -> Credential:
        """The same voter with another ranking."""
        poll, after, salt = self.poll, voter.moved(), os.urandom(16)
        question = self.questions[voter.receipt]
        asked = question if poll.mechanism.needs_question else None
        report = poll.draw(list(range(poll.d))[::-1], question=asked).report
        self._done(
            Change(
                poll.id,
                voter.secret,
                voter.receipt,
                after.receipt,
                report.tobytes(),
                salt,
                HOUR,
                poll.changes,
            )
        )
        self.questions[after.receipt] = question
        entry = self._entry(after.receipt, report, salt)
        self.acks[after.receipt] = Acknowledgement.of_entry(poll, entry, KEY)
        return after

    def withdraw(self, voter: Credential) -> None:
        self._done(Withdrawal(self.poll.id, voter.secret, voter.receipt, HOUR))
        ack = Acknowledgement.of_withdrawal(self.poll, voter.receipt.hex(), KEY)
        self.acks[voter.receipt] = ack

    def erase(self, voter: Credential) -> None:
        leaf = bytes.fromhex(self.acks[voter.receipt].leaf)
        event = {"at": 1_800_004_000, "event": "erased"}
        assert self.store.erase(self.poll.id, voter.receipt, leaf, event)

    def pour(self, reports: np.ndarray) -> None:
        """Many reports at once, under receipts of nobody; in polls of codes, each with its own."""
        codes = self.poll.access == "codes"
        assert not self.poll.mechanism.needs_question
        for start in range(0, len(reports), BATCH):
            block = reports[start : start + BATCH]
            size, packed = block.dtype.itemsize, block.tobytes()
            asked = [os.urandom(32) if codes else None for _ in block]
            hashes = [None if one is None else code_hash(one) for one in asked]
            if codes:
                event = {"at": 1_800_000_001, "event": "issued", "codes": len(hashes)}
                self.store.issue(self.poll.id, [one for one in hashes if one], event)
            outcomes = self.store.commit(
                [
                    Cast(
                        self.poll.id,
                        os.urandom(32),
                        packed[at * size : (at + 1) * size],
                        os.urandom(16),
                        HOUR,
                        *(asked[at], hashes[at]),
                    )
                    for at in range(len(block))
                ]
            )
            assert all(isinstance(one, Done) for one in outcomes)


def voted(poll: hv.Poll, n: int, rng: np.random.Generator | None = None) -> np.ndarray:
    """Reports of n voters, seven of ten of whom rank one way and the others the other way round."""
    orders = np.tile(np.arange(poll.d, dtype=np.uint8), (n, 1))
    orders[: 3 * n // 10] = orders[: 3 * n // 10, ::-1]
    return poll.mechanism.privatize(orders, rng=rng)


def stirred(keeping: Keeping, n: int = 40) -> list[Credential]:
    """n casts, of which one was changed twice, one once, one withdrawn, and one changed and
    withdrawn; returns those that stand.
    """
    voters = [keeping.cast() for _ in range(n)]
    voters[0] = keeping.change(keeping.change(voters[0]))
    voters[1] = keeping.change(voters[1])
    keeping.withdraw(voters[2])
    keeping.withdraw(keeping.change(voters[3]))
    return [*voters[:2], *voters[4:]]

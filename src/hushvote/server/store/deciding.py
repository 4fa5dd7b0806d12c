"""What becomes of votes: the rules of POLL.md, the same for every database.

A store reads what it knows of the receipts, questions and codes that a batch names, `decide` goes
through the batch in its order, and the store writes down what is new. So writes see each other, a
bad one changes nothing, and no database has rules of its own.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hushvote.server.store.contract import (
    Cast,
    Change,
    Done,
    ErasedEntry,
    GoneEntry,
    KeptEntry,
    Outcome,
    Refusal,
    Refused,
    Withdrawal,
    Write,
)

State = Literal[0, 1, 2, 3]
STANDING: State = 0
CHANGED: State = 1  # another receipt took its place
WITHDRAWN: State = 2
ERASED: State = 3


ENTRY = "SELECT receipt, state, change, report, salt, question, leaf"


def entry_of(
    receipt: bytes,
    state: State,
    change: int,
    report: bytes,
    salt: bytes,
    question: bytes | None,
    leaf: bytes,
) -> KeptEntry | ErasedEntry | GoneEntry:
    """What has become of a receipt, from its row."""
    if state == STANDING:
        return KeptEntry(receipt, change, report, salt, question)
    if state == ERASED:
        return ErasedEntry(receipt, leaf)
    return GoneEntry(receipt, state == WITHDRAWN)


@dataclass(slots=True)
class Row:
    """What is kept under a receipt. Of a spent one the report goes, and `mark` stays, by which an
    equal request is known; at close mark, salt and question go as well.
    """

    state: State
    change: int
    salt: bytes | None
    report: bytes | None
    question: bytes | None = None
    replaces: bytes | None = None  # the receipt in whose place it came
    mark: bytes | None = None
    secret: bytes | None = None

    def holds(self, report: bytes, replaces: bytes | None) -> bool:
        """Whether it came of an equal request."""
        if self.replaces != replaces or self.salt is None:
            return False
        if self.state == STANDING:
            return self.report == report
        return self.mark == _mark(self.salt, report)

    def spend(self, state: State, secret: bytes) -> None:
        """Let it stand no more."""
        if self.salt is not None and self.report is not None:
            self.mark = _mark(self.salt, self.report)
        self.state, self.report, self.secret = state, None, secret


@dataclass(slots=True)
class Votes:
    """What a store knows of the part of an open poll that a batch names, and what is new to it."""

    known: dict[bytes, Row] = field(default_factory=dict)  # by receipt
    used: set[bytes] = field(default_factory=set)  # questions
    codes: dict[bytes, bool] = field(default_factory=dict)  # issued ones, and whether revoked

    fresh: dict[bytes, Row] = field(default_factory=dict)
    touched: dict[bytes, Row] = field(default_factory=dict)  # known before, standing no more
    questions: list[tuple[bytes, bytes]] = field(default_factory=list)  # with their codes
    casts: int = 0
    changes: int = 0
    withdrawals: int = 0
    hours: Counter[int] = field(default_factory=Counter)

    def keep(self, receipt: bytes, row: Row) -> None:
        """A new entry."""
        self.known[receipt] = self.fresh[receipt] = row

    def spend(self, receipt: bytes, state: State, secret: bytes) -> None:
        """The end of a standing one."""
        row = self.known[receipt]
        row.spend(state, secret)
        if receipt not in self.fresh:
            self.touched[receipt] = row


@dataclass(slots=True)
class Named:
    """What the writes of a batch name of one poll."""

    receipts: set[bytes] = field(default_factory=set)
    questions: set[bytes] = field(default_factory=set)
    codes: set[bytes] = field(default_factory=set)


def named(writes: Iterable[Write]) -> dict[str, Named]:
    """What a store has to look up before a batch can be decided, by poll."""
    found: dict[str, Named] = {}
    for write in writes:
        part = found.get(write.poll)
        if part is None:
            part = found[write.poll] = Named()
        if isinstance(write, Cast):
            part.receipts.add(write.receipt)
            if write.question is not None:
                part.questions.add(write.question)
            if write.code is not None:
                part.codes.add(write.code)
        else:
            part.receipts.add(write.spends)
            if isinstance(write, Change):
                part.receipts.add(write.receipt)
    return found


def decide(writes: Sequence[Write], polls: dict[str, Votes]) -> list[Outcome]:
    """The outcome of each write; `polls` has the open ones, and takes note of what is new."""
    outcomes: list[Outcome] = []
    for write in writes:
        votes = polls.get(write.poll)
        if votes is None:
            outcomes.append(Refused("vote.closed"))
        elif isinstance(write, Cast):
            outcomes.append(_cast(votes, write))
        elif isinstance(write, Change):
            outcomes.append(_change(votes, write))
        else:
            outcomes.append(_withdrawal(votes, write))
    return outcomes


def _cast(votes: Votes, write: Cast) -> Outcome:
    row = votes.known.get(write.receipt)
    if row is not None:
        return _again(row, write.report, None)
    question = write.question
    if question is not None:
        if question in votes.used:
            return Refused("vote.question")
        if write.code is None or votes.codes.get(write.code, True):
            return Refused("vote.code")
        votes.used.add(question)
        votes.questions.append((question, write.code))
    kept = question if write.keep_question else None
    votes.keep(write.receipt, Row(STANDING, 0, write.salt, write.report, kept))
    votes.casts += 1
    votes.hours[write.hour] += 1
    return Done(write.salt, kept)


def _change(votes: Votes, write: Change) -> Outcome:
    old, row = votes.known.get(write.spends), votes.known.get(write.receipt)
    if old is None:
        return Refused("vote.unknown")
    if row is not None:
        return _again(row, write.report, write.spends)
    refusal = _refusal(old, write.most)
    if refusal is not None:
        return Refused(refusal)
    votes.spend(write.spends, CHANGED, write.reveals)
    new = Row(STANDING, old.change + 1, write.salt, write.report, old.question, write.spends)
    votes.keep(write.receipt, new)
    votes.changes += 1
    votes.hours[write.hour] += 1
    return Done(write.salt)


def _refusal(old: Row, most: int) -> Refusal | None:
    """Why an entry cannot be changed, if so."""
    if old.state != STANDING:
        return "vote.spent"
    return "vote.changes" if old.change >= most else None


def _withdrawal(votes: Votes, write: Withdrawal) -> Outcome:
    row = votes.known.get(write.spends)
    if row is None:
        return Refused("vote.unknown")
    if row.state == STANDING:
        votes.spend(write.spends, WITHDRAWN, write.reveals)
        votes.withdrawals += 1
        votes.hours[write.hour] += 1
    elif row.state != WITHDRAWN:
        return Refused("vote.spent")
    return Done(b"")


def _again(row: Row, report: bytes, replaces: bytes | None) -> Outcome:
    """The answer to a request under a known receipt."""
    if row.salt is not None and row.holds(report, replaces):
        return Done(row.salt, row.question)
    return Refused("vote.receipt")


def _mark(salt: bytes, report: bytes) -> bytes:
    return hashlib.sha256(salt + report).digest()

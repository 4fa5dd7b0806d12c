"""The contract of a store: what a poll server keeps, and what it promises to keep.

All methods block until what they did is durable, and may be called from several threads and, with
PostgreSQL, from several processes. Hashes, secrets, receipts and keys are raw bytes here; hex is
for the wire. Times are whole seconds since 1970; of votes only the hour is kept, in counts alone.

A store knows nothing of mechanisms, signatures or JSON: a report is packed bytes (`Domain.dtype`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from hushvote.server.store.copying import Row

Event = Mapping[str, Any]
"""A line of a poll's public log: `at`, `event`, and what belongs to it (`poll.header.Event`)."""

Refusal = Literal[
    "vote.closed",  # the poll is closed, or there is none
    "vote.receipt",  # another report under a known receipt
    "vote.question",  # a used question with an unknown receipt
    "vote.code",  # a question of no issued code, or of a revoked one
    "vote.unknown",  # a secret of no known receipt
    "vote.spent",  # a secret whose receipt was spent by another request, or withdrawn
    "vote.changes",  # more changes than the poll allows
]


@dataclass(frozen=True)
class KeptPoll:
    """A poll as it is kept. After deletion only id, digest and the day of it remain."""

    id: str
    manifest: str
    digest: bytes
    key: bytes  # the private half of the poll's Ed25519 key
    organiser: bytes  # H("hushvote organiser", the organiser's key)
    closes: int
    closed: bool = False
    ended: int | None = None  # when it was closed; retention counts from then


@dataclass(frozen=True)
class Cast:
    """The first report under a receipt."""

    poll: str
    receipt: bytes
    report: bytes
    salt: bytes
    hour: int
    question: bytes | None = None  # q, in a poll of codes
    code: bytes | None = None  # H("hushvote code", q), to be found among the issued ones
    keep_question: bool = False  # beside the report: in challenge polls alone


@dataclass(frozen=True)
class Change:
    """Another report in place of the one under `spends`, the receipt of the secret `reveals`."""

    poll: str
    reveals: bytes
    spends: bytes
    receipt: bytes
    report: bytes
    salt: bytes
    hour: int
    most: int  # changes that the poll allows


@dataclass(frozen=True)
class Withdrawal:
    """The end of what stands under `spends`."""

    poll: str
    reveals: bytes
    spends: bytes
    hour: int


Write = Cast | Change | Withdrawal


@dataclass(frozen=True)
class Done:
    """What was asked for holds now: just done, or by an equal request before. `salt` is the one
    that is kept (of a withdrawal: nothing), so that an equal request gets an equal answer; so is
    `question`, where one stands beside the report: an equal cast may name another.
    """

    salt: bytes
    question: bytes | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Refused:
    """Nothing was changed by this write; all others of its batch are untouched by it."""

    code: Refusal


Outcome = Done | Refused


@dataclass(frozen=True)
class KeptEntry:
    """A standing report."""

    receipt: bytes
    change: int  # 0 for a cast, i for the i-th change: the order of changes, whatever clocks say
    report: bytes
    salt: bytes
    question: bytes | None


@dataclass(frozen=True)
class ErasedEntry:
    """What is left of an erased report: its place among the receipts, and its leaf."""

    receipt: bytes
    leaf: bytes


@dataclass(frozen=True)
class GoneEntry:
    """A receipt whose report was withdrawn, or changed to another one."""

    receipt: bytes
    withdrawn: bool


@dataclass(frozen=True)
class Numbers:
    """How many requests of each kind were kept."""

    casts: int
    changes: int
    withdrawals: int
    erasures: int

    @classmethod
    def of_requests(cls, requests: int, changes: int, withdrawals: int, erasures: int) -> "Numbers":
        """From all requests up to a moment; of the erasures, those of what was there then."""
        casts = requests - changes - withdrawals
        return cls(casts, changes, withdrawals, min(erasures, max(0, casts - withdrawals)))

    @property
    def standing(self) -> int:
        """How many reports stand."""
        return self.casts - self.withdrawals - self.erasures


@dataclass(frozen=True)
class Codes:
    """Hashes of codes, and used questions; each sorted."""

    issued: tuple[bytes, ...]
    revoked: tuple[bytes, ...]
    used: tuple[bytes, ...]


class Store(Protocol):
    """Everything that a poll server keeps."""

    # --- polls --------------------------------------------------------------------------------

    def create(self, poll: KeptPoll, event: Event) -> bool:
        """Keep a new poll; False if the id is known, also as that of a deleted one."""

    def poll(self, id: str) -> KeptPoll | None:
        """A poll that is there."""

    def polls(self) -> Sequence[KeptPoll]:
        """All polls that are there, in the order of their ids."""

    def deleted(self, id: str) -> tuple[bytes, str] | None:
        """Digest and day of deletion of a poll that was there."""

    def extend(self, id: str, closes: int, event: Event) -> bool:
        """Move the closing time of an open poll; False if it is closed or there is none."""

    def close(self, id: str, event: Event) -> bool:
        """Close an open poll for good; False if it was closed or there is none.

        In the same transaction used questions and entries are rewritten sorted; afterwards nothing
        in the files of the database pairs the two (see POLL.md, "Codes").
        """

    def delete(self, id: str, day: str) -> bool:
        """Delete a poll with everything that belongs to it; id, digest and day remain."""

    def events(self, id: str) -> Sequence[Event]:
        """The public log of a poll, in order."""

    # --- codes --------------------------------------------------------------------------------

    def issue(self, id: str, hashes: Sequence[bytes], event: Event) -> bool:
        """Issue codes to an open poll; known ones stay as they are. False if it is closed."""

    def revoke(self, id: str, hashes: Sequence[bytes], event: Event) -> Sequence[bytes]:
        """Revoke unused codes of an open poll, and return those that were revoked by this."""

    def codes(self, id: str) -> Codes:
        """All codes of a poll."""

    def code_numbers(self, id: str) -> tuple[int, int]:
        """How many codes were issued, and how many of them revoked."""

    # --- votes --------------------------------------------------------------------------------

    def commit(self, writes: Sequence[Write]) -> Sequence[Outcome]:
        """Do all that can be done of these, in one durable transaction; an outcome for each.

        An equal write (receipt, reveals and report) gets the same outcome as before, before its
        code is looked at. A receipt once known stays known. Writes of one batch see each other in
        their order.
        """

    def question_of(self, id: str, receipt: bytes) -> bytes | None:
        """The question that is kept beside the entry of a known receipt, if one is."""

    def numbers(self, id: str, before: int | None = None) -> Numbers:
        """How many votes there are: quick, whatever their number. With `before`, how many there
        were when that hour began.
        """

    def hours(self, id: str) -> Mapping[int, int]:
        """Votes cast by the hour (whole hours since 1970), without the hours that have none."""

    def entries(self, id: str) -> Iterator[Sequence[KeptEntry | ErasedEntry]]:
        """Standing and erased entries in blocks, sorted by receipt, as of one moment."""

    def reports(self, id: str) -> Iterator[bytes]:
        """All reports that stand, many joined in a block, in no order, as of one moment: what a
        count needs, and nothing else, since a million takes a second this way.
        """

    def spent(self, id: str) -> Iterator[Sequence[tuple[bytes, bytes, bytes | None]]]:
        """Spent and withdrawn receipts, in blocks, sorted: each with the secret that spent it and
        the receipt that took its place, None if it was withdrawn.
        """

    def entry(self, id: str, receipt: bytes) -> KeptEntry | ErasedEntry | GoneEntry | None:
        """What has become of a receipt."""

    def erase(self, id: str, receipt: bytes, leaf: bytes, event: Event) -> bool:
        """Erase a standing report, leaving its leaf; False if it does not stand."""

    # --- results ------------------------------------------------------------------------------

    def publish(self, id: str, step: int, text: str) -> str:
        """Keep what is published at this step of a poll, unless another process has; returns what
        is kept. Of earlier steps nothing remains.
        """

    def published(self, id: str) -> tuple[int, str] | None:
        """The last step that was published, and what."""

    # --- the store itself ---------------------------------------------------------------------

    def check(self) -> None:
        """Raise a StoreError unless the database answers, can be written, and still has the schema
        that this program knows: opening a store migrates it, and so does a later version.
        """

    def fill(self, rows: Iterable[Row]) -> None:
        """Write what a snapshot has read (`copying.snapshot`) into this store: all of it, or
        nothing; a store that is not empty is refused.
        """

    def tidy(self) -> None:
        """Do what was put off of removing traces of what is gone: somebody was in the way then."""

    def shut(self) -> None:
        """Finish and let go of the database."""

"""What stands in a store, as the library knows it: polls, reports in blocks, lines of a board."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from hushvote.errors import PollError
from hushvote.mechanisms.fields import Domain, Reports
from hushvote.poll import Poll
from hushvote.poll.entries import Entry, Erased, Line
from hushvote.server.store.contract import ErasedEntry, KeptEntry, KeptPoll, Store

TOGETHER = 32  # blocks of a store that are counted at once
MOST_POLLS = 256  # that are kept read, since a manifest takes some milliseconds


def poll_of(kept: KeptPoll) -> Poll:
    """The poll itself, from its manifest."""
    return _read(kept.manifest)


@lru_cache(maxsize=MOST_POLLS)
def _read(manifest: str) -> Poll:
    return Poll.load(manifest)


def check_turnout(n: int, needed: int, *, closed: bool) -> None:
    """Refuse to show anything of fewer reports than voters were promised."""
    if n < needed:
        few = f"this poll is closed, and fewer than {needed:,} reports stand: it has no result"
        early = f"nothing is shown of this poll before {needed:,} reports stand"
        raise PollError(few if closed else early, code="result.turnout", needed=needed)


Standing = tuple[Sequence[KeptEntry], Reports]
"""Some entries, and the reports of them."""


def standing(store: Store, kept: KeptPoll) -> Iterator[Standing]:
    """All entries that stand, in blocks, sorted by receipt."""
    domain = poll_of(kept).mechanism.domain
    for block in store.entries(kept.id):
        entries = [one for one in block if isinstance(one, KeptEntry)]
        yield entries, unpacked(domain, entries)


def unpacked(domain: Domain, entries: Sequence[KeptEntry]) -> Reports:
    """The reports of entries, from their packed bytes."""
    return np.frombuffer(b"".join([one.report for one in entries]), dtype=domain.dtype)


def standing_reports(store: Store, kept: KeptPoll) -> Iterator[Reports]:
    """All reports that stand, in large blocks and in no order."""
    dtype, blocks = poll_of(kept).mechanism.domain.dtype, iter(store.reports(kept.id))
    while joined := b"".join(islice(blocks, TOGETHER)):
        yield np.frombuffer(joined, dtype=dtype)


def board_lines(store: Store, kept: KeptPoll) -> Iterator[Line]:
    """The lines of the board, sorted by receipt; an erased entry is in its old place."""
    mechanism = poll_of(kept).mechanism
    asks = mechanism.needs_question
    for block in store.entries(kept.id):
        held = [one for one in block if isinstance(one, KeptEntry)]
        told = wire(mechanism.domain, unpacked(mechanism.domain, held))
        for one in block:
            if isinstance(one, ErasedEntry):
                yield Erased(one.leaf)
                continue
            asked = one.question.hex() if asks and one.question is not None else None
            yield Entry(one.receipt.hex(), one.salt.hex(), next(told), asked)


def wire(domain: Domain, reports: Reports) -> Iterator[dict[str, Any]]:
    """Reports as `Domain.to_wire` writes each, but column by column: a million take seconds."""
    columns = []
    for field in domain.fields:
        found, places = np.unique(reports[field.name], return_inverse=True)
        forms = [field.to_wire(int(value)) for value in found]
        columns.append([forms[place] for place in places.tolist()])
    names = [field.name for field in domain.fields]
    for row in zip(*columns, strict=True):
        yield dict(zip(names, row, strict=True))

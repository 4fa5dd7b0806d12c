"""Very many votes or reports at once: in blocks that fit the processor's cache, shared out among
its cores.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushvote import arrays, cores, lottery, rankings
from hushvote.lottery import Bits
from hushvote.mechanisms import grouping
from hushvote.mechanisms.fields import Reports
from hushvote.tally import Counts, exact_sum

if TYPE_CHECKING:
    from hushvote.mechanisms.contract import Mechanism, Weights

SHARED = 1 << 27  # candidates on all votes, from which on copying this process pays
PART = 1 << 22  # candidates on the votes that a process randomises at a time
LARGE_BLOCK = 1 << 16  # voters of 8 candidates
COUNT_BYTES = 1 << 20  # reports checked and counted at a time


def privatized(
    mechanism: "Mechanism", matrix: NDArray[np.integer], rng: Bits | None, jobs: int | None
) -> Reports:
    """Check and randomise rankings; a seeded generator draws for one after the other."""
    arrays.keep_memory()
    n, d = matrix.shape
    reports = mechanism.domain.empty(n)
    raw = np.dtype((np.void, reports.itemsize))  # whole records copy faster than their fields

    def fill(part: slice, found: NDArray[np.void], blocks: Iterable[slice], bits: Bits) -> None:
        votes = matrix[part]
        for block in blocks:
            rankings.check_rows(votes[block], d, first=part.start + block.start)
            some = mechanism.randomize(votes[block].astype(np.uint8, copy=False), bits)
            found[block] = some.view(raw)

    def fill_securely(part: slice, found: NDArray[np.void]) -> None:
        size = max(mechanism.block, min(LARGE_BLOCK, LARGE_BLOCK * 8 // d))
        blocks = rankings.even_blocks(part.stop - part.start, size)
        fill(part, found, blocks, lottery.bulk_source(None))  # every part has a key of its own

    found = reports.view(raw)
    if rng is None:
        cores.fill(found, fill_securely, *_shared_out(n, d, jobs, PART // d))
    else:
        blocks = rankings.blocks(n, mechanism.block)
        fill(slice(0, n), found, blocks, lottery.bulk_source(rng))
    return reports


def counted(
    mechanism: "Mechanism",
    reports: Reports,
    often: "Weights | None",
    first: int,
    jobs: int | None,
) -> Counts:
    """Check and count reports; `first` is the number that errors give to the first of them."""

    arrays.keep_memory()

    def count(part: slice) -> Counts:
        weights = None if often is None else often[part]
        return _counted(mechanism, reports[part], weights, first + part.start)

    n, d = len(reports), mechanism.d
    parts, number = _shared_out(n, d, jobs, -(-n // cores.asked(jobs)))
    return _added(mechanism, cores.shared_out(count, parts, number))


def _shared_out(n: int, d: int, jobs: int | None, size: int) -> tuple[list[slice], int]:
    """Parts of this size for so many processes, or one if there is little to do."""
    number = cores.asked(jobs)
    if n * d < SHARED or not cores.can_copy() or (jobs is None and cores.has_company()):
        number = 1
    return list(rankings.even_blocks(n, max(1, size if number > 1 else n))), number


def _counted(
    mechanism: "Mechanism", reports: Reports, often: "Weights | None", first: int
) -> Counts:
    domain = mechanism.domain
    if often is None and grouping.pays(domain, len(reports)):
        grouped = grouping.grouped(domain, reports)
        if grouped is not None and domain.valid(grouped[0]).all():
            return mechanism.count(*grouped)
    size = max(rankings.BLOCK, COUNT_BYTES // domain.dtype.itemsize)

    def parts() -> Iterator[Counts]:
        for block in rankings.blocks(len(reports), size):
            domain.check(reports[block], first=first + block.start)
            yield mechanism.count(reports[block], None if often is None else often[block])

    return _added(mechanism, parts())


def _added(mechanism: "Mechanism", parts: Iterable[Counts]) -> Counts:
    counts = dict(mechanism.zero())
    for part in parts:
        for name, array in part.items():
            counts[name] = exact_sum(counts[name], array)
    return counts

"""The engine of this machine: equal reports grouped by DuckDB where they repeat, all others read in
row groups on every core; of reports with receipts those that stand.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import pyarrow as pa

from hushvote import cores
from hushvote.batch import grouping
from hushvote.batch.opening import Opened
from hushvote.batch.partial import Partials
from hushvote.batch.sorting import in_order
from hushvote.batch.standing import Standing, rows_of
from hushvote.batch.sums import Sums
from hushvote.cores import Progress
from hushvote.errors import FileError, HushvoteError
from hushvote.mechanisms import Mechanism

FILE_BLOCK = 1 << 19  # reports of a file that are in memory at a time, on each core
SETTLED = 1 << 16  # of those with receipts, of which many are in memory until they are sorted
AHEAD = 2  # pieces for each core that wait for their turn


@dataclass(frozen=True)
class Job:
    """How files are counted."""

    mechanism: Mechanism
    by: str | None
    skip: bool
    progress: Progress
    apart: bool = False  # no receipt stands in two files
    partials: Partials | None = None
    keep: bool = False  # reports are wanted, not counts

    def nothing(self) -> Sums:
        """Where counting begins."""
        return Sums(self.mechanism, self.by, keep=self.keep)


def counted(files: Sequence[Opened], job: Job) -> Sums:
    """What all files add up to."""
    total = job.nothing()
    with_receipts = [one for one in files if one.has_receipts]
    fresh = []
    for one in files:
        if (job.apart or not one.has_receipts) and (known := _known(one, job)) is not None:
            total.merge(known)
        elif not one.has_receipts:
            fresh.append(one)
        elif job.apart:
            total.merge(_kept(one, _settled([one], job), job))
    if with_receipts and not job.apart:
        total.merge(_settled(with_receipts, job))
    streamed = []
    for one in fresh:
        found = None
        if not job.keep and grouping.pays(one):
            with _told(one):
                found = grouping.grouped(one, job.progress)
        if found is None:
            streamed.append(one)
        else:
            total.merge(_kept(one, found, job))
    for one, found in _streamed(streamed, job):
        total.merge(_kept(one, found, job))
    return total


def _known(one: Opened, job: Job) -> Sums | None:
    """What an earlier run found out."""
    found = None if job.partials is None else job.partials.get(one)
    if found is not None:
        job.progress(one.file.n)
    return found


def _kept(one: Opened, sums: Sums, job: Job) -> Sums:
    if job.partials is not None:
        job.partials.put(one, sums)
    return sums


def _streamed(files: Iterable[Opened], job: Job) -> Iterator[tuple[Opened, Sums]]:
    """Every file with what it adds up to, in their order."""
    with cores.one_thread_each(), ThreadPoolExecutor(cores.available()) as pool:
        whole = job.nothing()
        for (one, last), found in _in_turn(pool, _pieces(files, job), cores.available() * AHEAD):
            whole.merge(found)
            if last:
                one.file.check_number(whole.n if not job.keep else one.file.n)
                yield one, whole
                whole = job.nothing()


def _pieces(
    files: Iterable[Opened], job: Job
) -> Iterator[tuple[tuple[Opened, bool], Callable[[], Sums]]]:
    """Work for one core each: some row groups of a file, and whether they are the last ones."""
    telling = Lock()
    for one in files:
        sizes = one.file.groups
        start = first = held = 0
        for group, size in enumerate(sizes):
            held += size
            last = group + 1 == len(sizes)
            if last or held + sizes[group + 1] > FILE_BLOCK:
                groups = range(start, group + 1)
                yield (one, last), partial(_piece, one, groups, first, job, telling)
                start, first, held = group + 1, first + held, 0
        if not sizes:
            yield (one, True), job.nothing


def _piece(one: Opened, groups: range, first: int, job: Job, telling: Lock) -> Sums:
    sums = job.nothing()
    with _told(one):
        for block, left, polls in one.blocks(FILE_BLOCK, groups, first):
            sums.add(block)
            sums.left += left
            sums.polls |= polls
            with telling:
                job.progress(block.n + left.bad)
    return sums


def _in_turn(
    pool: ThreadPoolExecutor, tasks: Iterable[tuple[Any, Callable[[], Sums]]], most: int
) -> Iterator[tuple[Any, Sums]]:
    """The results in the order of the tasks, of which only some are begun at a time."""
    begun: deque[tuple[Any, Future[Sums]]] = deque()
    try:
        for name, task in tasks:
            begun.append((name, pool.submit(task)))
            if len(begun) >= most:
                yield begun[0][0], begun.popleft()[1].result()
        while begun:
            yield begun[0][0], begun.popleft()[1].result()
    finally:
        for _, future in begun:
            future.cancel()


def _settled(files: Sequence[Opened], job: Job) -> Sums:
    """What the reports with receipts add up to that stand over all these files."""
    sums = job.nothing()
    standing = Standing(
        job.mechanism.domain.dtype,
        [one.path for one in files],
        grouped=job.by is not None,
        skip=job.skip,
    )
    for block in standing.settled(in_order(_with_receipts(files, sums, job))):
        sums.add(block)
    sums.left += standing.left
    return sums


def _with_receipts(files: Sequence[Opened], sums: Sums, job: Job) -> Iterator[pa.RecordBatch]:
    for number, one in enumerate(files):
        with _told(one):
            for block, left, polls in one.blocks(SETTLED):
                sums.left += left
                sums.polls |= polls
                job.progress(block.n + left.bad)
                yield rows_of(block, number)


@contextmanager
def _told(one: Opened) -> Iterator[None]:
    """Say in which file an error happened."""
    try:
        yield
    except FileError:
        raise
    except HushvoteError as error:
        raise error.within(one.path, path=one.path) from None

"""The machine's cores: how many this process may use, and work that is shared out among them."""

import mmap
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache, partial
from itertools import cycle
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from hushvote import exact
from hushvote.errors import HushvoteError

MOST_JOBS = 256
PATIENCE = 5.0  # seconds that a process has to end by itself
AHEAD = 2  # parts that a copy knows of while this process is at work itself

P = TypeVar("P")
R = TypeVar("R")
Progress = Callable[[int], None]
"""Called with the number of votes or reports that were just done."""


def available() -> int:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def asked(jobs: object) -> int:
    """How many jobs are meant: all cores where nothing is said."""
    if jobs is None:
        return min(available(), MOST_JOBS)
    if (number := exact.whole(jobs, 1, MOST_JOBS)) is None:
        raise HushvoteError(
            f"jobs must be a whole number from 1 to {MOST_JOBS}, not {jobs!r}",
            code="jobs.number",
            given=jobs,
            low=1,
            high=MOST_JOBS,
        )
    return number


def can_copy() -> bool:
    """Whether work can be given to copies of this process: not where a system has none, not in
    another thread than the first, and not in a copy.
    """
    return (
        "fork" in multiprocessing.get_all_start_methods()
        and threading.current_thread() is threading.main_thread()
        and not multiprocessing.current_process().daemon
    )


def has_company() -> bool:
    """Whether other threads may be at work here. While one of them multiplies matrices, the library
    that does it may never let the process be copied; nobody should have to wait unasked.
    """
    return threading.active_count() > 1


def one_thread_each() -> AbstractContextManager[object]:
    """Has products of matrices computed by the one thread that asks for them. Otherwise each takes
    all cores, and processes or threads that work side by side wait for each other.
    """
    limits: AbstractContextManager[object] = _multipliers("scipy.linalg" in sys.modules).limit(
        limits=1
    )
    return limits


@cache
def _multipliers(_with_scipys: bool) -> ThreadpoolController:
    """The libraries that multiply matrices here; to find them takes milliseconds."""
    return ThreadpoolController()


def ahead(items: Iterable[R]) -> Iterator[R]:
    """The same items: while one is used, a thread makes the next. For items that are made by
    reading, sorting and the like, which do not keep Python from doing something else.
    """
    source, end = iter(items), object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, source, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, source, end)
            yield item  # type: ignore[misc]


def shared_out(task: Callable[[P], R], parts: Sequence[P], jobs: int) -> list[R]:
    """The results of a task for every part, in their order, from this process and copies of it
    where it can be copied. The first part that is refused, in their order, is what is raised.

    Threads would not do: NumPy's steps on blocks that fit the processor's cache are so short that
    threads wait for each other most of the time.
    """
    jobs = min(jobs, len(parts))
    if jobs <= 1 or not can_copy():
        return [task(part) for part in parts]
    attempt = _refusing(task)
    with one_thread_each():
        results = _results([attempt] * (jobs - 1), parts, own=attempt)
        return _unless_refused({index: result for _, index, result in results})


def fill(
    array: NDArray[Any],
    task: Callable[[slice, NDArray[Any]], None],
    parts: Sequence[slice],
    jobs: int,
) -> None:
    """Fill every part of an array by a task that is told the part and where to write its values,
    in this process and copies of it where it can be copied; refusals are raised as by `shared_out`.

    Copies write into a few pieces of memory by turns, from where this process takes the values. An
    array that all of them share would need no taking, but the system hands out fresh shared memory
    in small pages, three times as slowly.
    """
    jobs = min(jobs, len(parts))
    if jobs <= 1 or not can_copy():
        for part in parts:
            task(part, array[part])
        return
    most = max(part.stop - part.start for part in parts)
    turns = [
        cycle([shared_array(most, array.dtype) for _ in range(AHEAD)]) for _ in range(jobs - 1)
    ]

    def there(part: slice, pieces: Iterator[NDArray[Any]]) -> None:
        task(part, next(pieces)[: part.stop - part.start])

    def here(part: slice) -> None:
        task(part, array[part])

    found = {}
    with one_thread_each():
        tasks = [_refusing(partial(there, pieces=pieces)) for pieces in turns]
        for number, index, refused in _results(tasks, parts, own=_refusing(here)):
            found[index] = refused
            if number is not None:
                part = parts[index]
                array[part] = next(turns[number])[: part.stop - part.start]
    _unless_refused(found)


def shared_array(n: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array of zeros that this process and its copies see alike."""
    memory = mmap.mmap(-1, max(1, n * dtype.itemsize))
    return np.frombuffer(memory, dtype, n)


def _refusing(task: Callable[[P], R]) -> Callable[..., R | HushvoteError]:
    """The task, with a refusal as its result."""

    def attempt(part: P, _: Progress | None = None) -> R | HushvoteError:
        try:
            return task(part)
        except HushvoteError as error:
            return error

    return attempt


def _unless_refused(found: Mapping[int, R | HushvoteError]) -> list[R]:
    """The results of all parts, in their order; the first refusal is raised."""
    results: list[R] = []
    for index in sorted(found):
        result = found[index]
        if isinstance(result, HushvoteError):
            raise result
        results.append(result)
    return results


def in_processes(
    task: Callable[[P, Progress], R],
    parts: Sequence[P],
    jobs: int,
    progress: Progress = lambda _: None,
) -> Iterator[tuple[P, R]]:
    """Every part with the result of a task for it, as they are done; for work that Python does.

    The processes are copies of this one, so the task may know whatever there is here; what it
    changes stays in its copy. It is given a function to tell what is done. An error in a task is
    raised here. However this ends, no process is left behind. Where a system cannot copy a
    process, this one does everything.
    """
    jobs = min(jobs, len(parts))
    if jobs <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        for part in parts:
            yield part, task(part, progress)
        return

    def alone(part: P, done: Progress) -> R:
        with one_thread_each():
            return task(part, done)

    for _, index, result in _results([alone] * jobs, parts, progress=progress):
        yield parts[index], result


def _results(
    tasks: Sequence[Callable[[P, Progress], R]],
    parts: Sequence[P],
    *,
    own: Callable[[P], Any] | None = None,
    progress: Progress = lambda _: None,
) -> Iterator[tuple[int | None, int, Any]]:
    """Numbers of copies, one for every task, and of the parts that they have done, with results; a
    copy goes on when its result was taken. `own` is what this process does with a part while no
    result waits, under no number. However this ends, so do the copies.
    """
    waiting = deque(range(len(parts)))
    workers: list[_Worker] = []
    at_work: Counter[Connection] = Counter()

    def tell(pipe: Connection) -> None:
        enough = len(waiting) > len(workers)  # for all, this process included
        if waiting and (enough or not at_work[pipe]):
            pipe.send(waiting.popleft())
            at_work[pipe] += 1

    try:
        for task in tasks:
            workers.append(_Worker(task, parts))  # known before it runs, whenever Ctrl-C comes
            workers[-1].start()
        numbers = {worker.pipe: number for number, worker in enumerate(workers)}
        for _ in range(1 if own is None else AHEAD):
            for pipe in numbers:
                tell(pipe)
        while busy := [pipe for pipe in numbers if at_work[pipe]]:
            ready = wait(busy, timeout=0 if own is not None and waiting else None)
            for pipe in (pipe for pipe in busy if pipe in ready):
                kind, value = _received(pipe)
                if kind == "progress":
                    progress(value)
                    continue
                yield numbers[pipe], *value
                at_work[pipe] -= 1
                tell(pipe)
            if own is not None and not ready:
                index = waiting.popleft()
                yield None, index, own(parts[index])
    finally:
        begun = [worker for worker in workers if worker.process.pid is not None]
        for worker in begun:
            worker.process.terminate()
        for worker in begun:
            worker.end()


class _Worker:
    """A copy of this process that does the parts it is told the numbers of."""

    def __init__(self, task: Callable[[P, Progress], R], parts: Sequence[P]) -> None:
        self.pipe, self._theirs = multiprocessing.get_context("fork").Pipe()
        self.process = multiprocessing.get_context("fork").Process(
            target=_work, args=(task, parts, self._theirs, self.pipe), daemon=True
        )

    def start(self) -> None:
        """Copy this process."""
        with warnings.catch_warnings():
            # A thread of this process may hold a lock while it is copied: the copy computes and
            # writes to its pipe, and takes no lock of a progress bar or a file of this process.
            warnings.simplefilter("ignore", DeprecationWarning)
            # Python forgets a Ctrl-C that comes while it tidies up after the copying.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                self.process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._theirs.close()

    def end(self) -> None:
        """Wait for the end, and make it one."""
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()
        self.pipe.close()


def _received(pipe: Connection) -> tuple[str, Any]:
    """What a copy says: how far it is, or what it has done. Its errors are raised."""
    try:
        kind, value = pipe.recv()
    except (EOFError, ConnectionError):
        raise HushvoteError(
            "a process that did part of the work was ended from outside, perhaps for want of "
            "memory; ask for fewer of them (--jobs 1, where a command has it; in Python jobs=1)",
            code="jobs.ended",
        ) from None
    if kind == "error":
        raise value
    return kind, value


def _work(
    task: Callable[[P, Progress], R], parts: Sequence[P], pipe: Connection, other: Connection
) -> None:
    """What a copy does until it is ended, or has nobody to tell what it found."""
    other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's to answer
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    try:
        while True:
            index = pipe.recv()
            try:
                found = task(parts[index], lambda done: pipe.send(("progress", done)))
                pipe.send(("done", (index, found)))
            except Exception as error:
                pipe.send(("error", _sendable(error)))
    except (EOFError, ConnectionError):
        pass
    finally:
        os._exit(0)  # nothing of the first process's is to be written or closed here


def _sendable(error: Exception) -> Exception:
    """The error with a note of where it arose, which stays behind otherwise; in words if it cannot
    be sent itself.
    """
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError("".join(traceback.format_exception_only(error)).strip())
    error.add_note(f"In a copy of this process:\n{traceback.format_exc()}")
    return error


def _leave(_: int, __: FrameType | None) -> None:
    """End after what is being written is tidied up."""
    sys.exit()

"""The machine's cores: how many this process may use, and work that is shared out among them."""

import mmap
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hushvote.errors import HushvoteError

MOST_JOBS = 256
PATIENCE = 5.0  # seconds that a process has to end by itself

P = TypeVar("P")
R = TypeVar("R")
Progress = Callable[[int], None]


def available() -> int:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def asked(jobs: object) -> int:
    """How many jobs are meant: all cores where nothing is said."""
    if jobs is None:
        return min(available(), MOST_JOBS)
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise HushvoteError(
            f"jobs must be a whole number from 1 to {MOST_JOBS}, not {jobs!r}",
            code="jobs.number",
            given=jobs,
            low=1,
            high=MOST_JOBS,
        )
    return jobs


def can_copy() -> bool:
    """Whether work can be given to copies of this process: not where a system has none, not in a
    thread beside others that may be at work, and not in a copy.
    """
    return (
        "fork" in multiprocessing.get_all_start_methods()
        and threading.current_thread() is threading.main_thread()
        and not multiprocessing.current_process().daemon
    )


def shared_out(task: Callable[[P], R], parts: Sequence[P], jobs: int) -> list[R]:
    """The results of a task for every part, in their order, from copies of this process where it
    can be copied. The first part that is refused, in their order, is what is raised.

    Threads would not do: NumPy's steps on blocks that fit the processor's cache are so short that
    threads wait for each other most of the time.
    """

    jobs = min(jobs, len(parts))
    if jobs <= 1 or not can_copy():
        return [task(part) for part in parts]
    workers = [_Worker(_refusing(task), parts) for _ in range(jobs)]
    found = {index: result for _, index, result in _results(workers, len(parts))}
    return _unless_refused(found)


def fill(
    array: NDArray[Any],
    task: Callable[[slice, NDArray[Any]], None],
    parts: Sequence[slice],
    jobs: int,
) -> None:
    """Fill every part of an array by a task that is told the part and where to write its values,
    in copies of this process where it can be copied; refusals are raised as by `shared_out`.

    Copies write part after part into the same piece of memory, from where this process takes the
    values. An array that all of them share would need no taking, but the system hands out fresh
    shared memory in small pages, three times as slowly.
    """
    jobs = min(jobs, len(parts))
    if jobs <= 1 or not can_copy():
        for part in parts:
            task(part, array[part])
        return
    most = max(part.stop - part.start for part in parts)
    buffers = [shared_array(most, array.dtype) for _ in range(jobs)]

    def write(buffer: NDArray[Any]) -> Callable[[slice], None]:
        return lambda part: task(part, buffer[: part.stop - part.start])

    workers = [_Worker(_refusing(write(buffer)), parts) for buffer in buffers]
    found = {}
    for number, index, refused in _results(workers, len(parts)):
        found[index] = refused
        part = parts[index]
        array[part] = buffers[number][: part.stop - part.start]
    _unless_refused(found)


def shared_array(n: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array of zeros that this process and its copies see alike."""
    memory = mmap.mmap(-1, max(1, n * dtype.itemsize))
    return np.frombuffer(memory, dtype, n)


def _refusing(task: Callable[[P], R]) -> Callable[[P, Progress], R | HushvoteError]:
    """The task, with a refusal as its result."""

    def attempt(part: P, _: Progress) -> R | HushvoteError:
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
    workers = [_Worker(task, parts) for _ in range(jobs)]
    for _, index, result in _results(workers, len(parts), progress):
        yield parts[index], result


def _results(
    workers: Sequence["_Worker"], parts: int, progress: Progress = lambda _: None
) -> Iterator[tuple[int, int, Any]]:
    """Numbers of workers and of the parts that they have done, with the results; a worker goes on
    when its result was taken. However this ends, so do they.
    """
    waiting = iter(range(parts))
    try:
        busy = {worker.pipe: number for number, worker in enumerate(workers)}
        for worker in workers:
            worker.pipe.send(next(waiting))
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                kind, value = _received(pipe)
                if kind == "progress":
                    progress(value)
                    continue
                if kind == "error":
                    raise value
                yield busy[pipe], *value
                following = next(waiting, None)
                if following is None:
                    del busy[pipe]
                else:
                    pipe.send(following)
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.end()


class _Worker:
    """A copy of this process that does the parts it is told the numbers of."""

    def __init__(self, task: Callable[[P, Progress], R], parts: Sequence[P]) -> None:
        self.pipe, theirs = multiprocessing.get_context("fork").Pipe()
        self.process = multiprocessing.get_context("fork").Process(
            target=_work, args=(task, parts, theirs, self.pipe), daemon=True
        )
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
        theirs.close()

    def end(self) -> None:
        """Wait for the end, and make it one."""
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()
        self.pipe.close()


def _received(pipe: Connection) -> tuple[str, Any]:
    try:
        kind, value = pipe.recv()
    except (EOFError, ConnectionError):
        raise HushvoteError(
            "a process that did part of the work was ended from outside, perhaps for want of "
            "memory; ask for fewer with --jobs (in Python: jobs=1)",
            code="jobs.ended",
        ) from None
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
                pipe.send(("error", error))
    except (EOFError, ConnectionError):
        pass
    finally:
        os._exit(0)  # nothing of the first process's is to be written or closed here


def _leave(_: int, __: FrameType | None) -> None:
    """End after what is being written is tidied up."""
    sys.exit()

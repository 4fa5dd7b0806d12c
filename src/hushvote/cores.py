"""The machine's cores: how many this process may use, and work that is shared out among them."""

import mmap
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
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

    def attempt(index: int, _: Progress) -> R | HushvoteError:
        try:
            return task(parts[index])
        except HushvoteError as error:
            return error

    found = dict(in_processes(attempt, range(len(parts)), jobs if can_copy() else 1))
    results: list[R] = []
    for index in range(len(parts)):
        result = found[index]
        if isinstance(result, HushvoteError):
            raise result
        results.append(result)
    return results


def shared_array(n: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array of zeros that this process and its copies see alike."""
    memory = mmap.mmap(-1, max(1, n * dtype.itemsize))
    return np.frombuffer(memory, dtype, n)


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
    waiting = list(reversed(range(len(parts))))
    try:
        for worker in workers:
            worker.pipe.send(waiting.pop())
        busy = {worker.pipe for worker in workers}
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                kind, value = _received(pipe)
                if kind == "progress":
                    progress(value)
                    continue
                if kind == "error":
                    raise value
                index, result = value
                if waiting:
                    pipe.send(waiting.pop())
                else:
                    busy.remove(pipe)
                yield parts[index], result
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

"""Group commit: one durable transaction for all votes that came while the last one was written.

Waiting for the disk costs the same for one vote as for hundreds, so votes that arrive during a
commit form the next batch. One thread does all commits. Nothing is answered before its commit.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from hushvote.errors import HushvoteError
from hushvote.server.measures import Commits
from hushvote.server.store.contract import Outcome, Write
from hushvote.server.store.errors import StoreError

LARGEST = 256  # votes in one transaction
LONGEST = 4096  # votes that may wait; more would wait longer than their senders

Waiting = tuple[Write, "asyncio.Future[Outcome]"]


class BusyError(HushvoteError):
    """More was asked for at once than the server can do."""

    area = "server"


class Committer:
    """Hands votes to the store in batches. Made and used inside one event loop."""

    def __init__(self, store: Commits, *, largest: int = LARGEST, longest: int = LONGEST) -> None:
        self._store, self._largest, self._longest = store, largest, longest
        self._waiting: deque[Waiting] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="commit")
        self._loop = asyncio.get_running_loop()
        self._idle = asyncio.Event()
        self._idle.set()
        self._shut = False

    @property
    def waiting(self) -> int:
        """How many votes wait to be written."""
        return len(self._waiting)

    def commit(self, write: Write) -> "asyncio.Future[Outcome]":
        """What has become of a vote, once that is durable."""
        if self._shut or len(self._waiting) >= self._longest:
            raise BusyError(
                "the server has more votes to write than it can: send the same request again",
                code="server.busy",
            )
        answer: asyncio.Future[Outcome] = self._loop.create_future()
        self._waiting.append((write, answer))
        if self._idle.is_set():
            self._idle.clear()
            # whoever is in this round of the loop gets into the first batch, too
            self._loop.call_soon(self._next)
        return answer

    def _next(self) -> None:
        if not self._waiting:
            self._idle.set()
            return
        number = min(self._largest, len(self._waiting))
        batch = [self._waiting.popleft() for _ in range(number)]
        job = self._thread.submit(self._store.commit, [write for write, _ in batch])
        job.add_done_callback(partial(self._tell, batch))

    def _tell(self, batch: Sequence[Waiting], job: "Future[Sequence[Outcome]]") -> None:
        self._loop.call_soon_threadsafe(self._done, batch, job)

    def _done(self, batch: Sequence[Waiting], job: "Future[Sequence[Outcome]]") -> None:
        self._next()  # the disk works on the next batch while this one is signed
        error = job.exception()
        if error is None:
            for (_, answer), outcome in zip(batch, job.result(), strict=True):
                if not answer.done():  # its sender may have gone
                    answer.set_result(outcome)
            return
        failed = error if isinstance(error, StoreError) else _failed(error)
        for _, answer in batch:
            if not answer.done():
                answer.set_exception(failed)
                answer.exception()  # seen, even if nobody waits any more

    async def finish(self) -> None:
        """Take nothing more, and wait until everything that waits is durable."""
        self._shut = True
        await self._idle.wait()
        self._thread.shutdown()


def _failed(error: BaseException) -> StoreError:
    """An error that no store should raise; what it says is left out, since it may hold a vote."""
    return StoreError(
        f"the store has failed ({type(error).__name__}): nothing of this request was kept",
        code="store.failed",
        kind=type(error).__name__,
    )

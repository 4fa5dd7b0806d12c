"""Group commit: one durable transaction for all votes that came while the last one was written.

Waiting for the disk costs the same for one vote as for hundreds, so votes that arrive during a
commit form the next batch. One thread does all commits. Nothing is answered before its commit.
Signatures are made the same way by another thread: each takes as long as all the rest of a vote in
Python, and leaves Python to others meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Generic, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.errors import HushvoteError
from hushvote.server.measures import Commits
from hushvote.server.store.contract import Outcome, Write
from hushvote.server.store.errors import StoreError

LARGEST = 256  # votes in one transaction
LONGEST = 4096  # votes that may wait; more would wait longer than their senders

T = TypeVar("T")
R = TypeVar("R")
Waiting = tuple[T, asyncio.Future[R]]


class BusyError(HushvoteError):
    """More was asked for at once than the server can do."""

    area = "server"


class Batches(Generic[T, R]):
    """Hands what comes to a thread in batches. Made and used inside one event loop."""

    def __init__(
        self,
        job: Callable[[Sequence[T]], Sequence[R]],
        name: str,
        *,
        largest: int = LARGEST,
        longest: int = LONGEST,
    ) -> None:
        self._job, self._largest, self._longest = job, largest, longest
        self._waiting: deque[Waiting[T, R]] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._loop = asyncio.get_running_loop()
        self._idle = asyncio.Event()
        self._idle.set()
        self._shut = False

    @property
    def waiting(self) -> int:
        """How many wait for their batch."""
        return len(self._waiting)

    def put(self, item: T) -> "asyncio.Future[R]":
        """What the job has made of it."""
        if self._shut or len(self._waiting) >= self._longest:
            raise BusyError(
                "the server has more votes to write than it can: send the same request again",
                code="server.busy",
            )
        answer: asyncio.Future[R] = self._loop.create_future()
        self._waiting.append((item, answer))
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
        job = self._thread.submit(self._job, [item for item, _ in batch])
        job.add_done_callback(partial(self._tell, batch))

    def _tell(self, batch: Sequence[Waiting[T, R]], job: "Future[Sequence[R]]") -> None:
        self._loop.call_soon_threadsafe(self._done, batch, job)

    def _done(self, batch: Sequence[Waiting[T, R]], job: "Future[Sequence[R]]") -> None:
        self._next()  # the disk works on the next batch while this one is signed
        error = job.exception()
        if error is None:
            for (_, answer), outcome in zip(batch, job.result(), strict=True):
                if not answer.done():  # its sender may have gone
                    answer.set_result(outcome)
            return
        failed = self._failure(error)
        for _, answer in batch:
            if not answer.done():
                answer.set_exception(failed)
                answer.exception()  # seen, even if nobody waits any more

    def _failure(self, error: BaseException) -> BaseException:
        """What those are told whose batch has failed."""
        return error

    async def finish(self) -> None:
        """Take nothing more, and wait until everything that waits is done."""
        self._shut = True
        await self._idle.wait()
        self._thread.shutdown()


class Committer(Batches[Write, Outcome]):
    """Makes votes durable."""

    def __init__(self, store: Commits, *, largest: int = LARGEST, longest: int = LONGEST) -> None:
        super().__init__(store.commit, "commit", largest=largest, longest=longest)

    def commit(self, write: Write) -> "asyncio.Future[Outcome]":
        """What has become of a vote, once that is durable."""
        return self.put(write)

    def _failure(self, error: BaseException) -> StoreError:
        """What an error says that no store should raise is left out, since it may hold a vote."""
        if isinstance(error, StoreError):
            return error
        return StoreError(
            f"the store has failed ({type(error).__name__}): nothing of this request was kept",
            code="store.failed",
            kind=type(error).__name__,
        )


ToSign = tuple[Ed25519PrivateKey, bytes]


class Signer(Batches[ToSign, bytes]):
    """Signs what is durable."""

    def __init__(self) -> None:
        super().__init__(lambda batch: [key.sign(message) for key, message in batch], "sign")

    def sign(self, key: Ed25519PrivateKey, message: bytes) -> "asyncio.Future[bytes]":
        """The signature of a message."""
        return self.put((key, message))

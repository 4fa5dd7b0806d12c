"""One worker of the server: the store, and everything that stands between it and requests."""

import asyncio
import hmac
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hushvote.errors import HushvoteError
from hushvote.poll.hashing import H
from hushvote.server import publishing
from hushvote.server.api.limits import Buckets, Clients, Network, Rates, Shared
from hushvote.server.committing import Committer, Signer
from hushvote.server.designing import Designer
from hushvote.server.erasing import Erasing
from hushvote.server.held import Shelf
from hushvote.server.measures import POLLS, WAITING, Measures
from hushvote.server.polls import Polls
from hushvote.server.results import Results
from hushvote.server.retention import Retention
from hushvote.server.store.contract import Store
from hushvote.server.voting import Voting

LIMIT = 10.0  # seconds that counting may go on when the server ends
KEEP = 90  # days
LOOK = 5.0  # seconds between two looks for what is to be deleted
READERS, COUNTERS = 4, 2  # threads for quick looks into the store, and for counting and writing

T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    token: bytes | None = None  # hash of the operator's token: `token_hash`
    open: bool = False  # whether everybody may create polls
    proxies: tuple[Network, ...] = ()
    tls: bool = False  # whether it is reached by https
    base_url: str = ""  # the address that voters use, without a slash at its end
    rates: Rates = field(default_factory=Rates)
    shared: Shared | None = None  # with other workers
    keep: int = KEEP  # days for which closed polls are kept; 0: for ever


def token_hash(token: str) -> bytes:
    """All that a server keeps of the operator's token."""
    return H("hushvote token", token.encode())


class Service:
    """Everything that a worker holds; made inside its event loop."""

    def __init__(self, store: Store, settings: Settings, measures: Measures | None = None) -> None:
        self.store, self.settings = store, settings
        measures = measures or Measures()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="read")
        self._counters = ThreadPoolExecutor(COUNTERS, thread_name_prefix="count")
        self._committer, self._signer = Committer(measures.timed(store)), Signer()
        self._designer = Designer()
        self.shelf = Shelf(store, self._readers)
        self.polls = Polls(store, self.shelf, self._designer, self._readers)
        self.voting = Voting(self._committer.commit, self._question_of, self._signer.sign)
        self.erasing = Erasing(store, self._committer.commit, self.count)
        self.retention = Retention(settings.keep)
        self.results = Results(store)
        rates, shared = settings.rates, settings.shared
        full_at = {} if shared is None else shared.full_at
        self.clients = Clients(settings.proxies, None if shared is None else shared.key)
        self.creations = Buckets(rates.creations, full_at.get("creations"))
        self.failed_codes = Buckets(rates.failed_codes, full_at.get("failed_codes"))
        self.failed_tokens = Buckets(rates.failed_tokens, full_at.get("failed_tokens"))
        self.casts = Buckets(rates.casts, full_at.get("casts"))
        self.erasures = Buckets(rates.erasures, full_at.get("erasures"))
        self.plans = Buckets(rates.plans, full_at.get("plans"))
        self.leaves = threading.Event()  # set if threads were left behind at the end
        publishing.scratch()  # before threads ask for it at once
        measures.levels[WAITING] = lambda: self._committer.waiting
        measures.levels[POLLS] = lambda: self.polls.open
        self._closing = asyncio.create_task(self.polls.keep_closing())
        self._deleting = asyncio.create_task(self._keep_deleting())

    async def count(self, job: Callable[..., T], *given: Any) -> T:
        """Do what takes long, beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._counters, job, *given)

    async def _question_of(self, id: str, receipt: bytes) -> bytes | None:
        look = self.store.question_of
        return await asyncio.get_running_loop().run_in_executor(self._readers, look, id, receipt)

    async def _keep_deleting(self) -> None:
        """Delete what is to be deleted, and its traces, until cancelled; a store that fails is
        asked again.
        """
        while True:
            with suppress(HushvoteError):
                await self.delete_due()
            await asyncio.sleep(LOOK)

    async def delete_due(self) -> None:
        """Delete polls whose days are over, and what was left of others."""
        for kept in await self.count(self.retention.due, self.store):
            await self.polls.drop(kept)
        await self.count(self.store.tidy)
        await self.count(publishing.tidy, self.store)

    def is_operator(self, token: str | None, network: bytes) -> bool:
        """Whether this is the operator's token; of wrong ones a network has only some."""
        known = self.settings.token
        if token is None or known is None:
            return False
        self.failed_tokens.check(network)
        is_his = hmac.compare_digest(token_hash(token), known)
        if not is_his:
            self.failed_tokens.take(network)
        return is_his

    async def finish(self) -> None:
        """Make everything durable that was taken, and let go of the store."""
        for task in (self._closing, self._deleting):
            task.cancel()
        await asyncio.gather(self._closing, self._deleting, return_exceptions=True)
        await self._committer.finish()
        await asyncio.sleep(0)  # what was durable last asks for its signature now
        await self._signer.finish()
        await self.polls.finish()
        await self._designer.stop()
        ending = threading.Thread(target=self._end_threads, daemon=True)
        ending.start()
        until = time.monotonic() + LIMIT
        while ending.is_alive() and time.monotonic() < until:
            await asyncio.sleep(0.01)
        if ending.is_alive():  # somebody counts; all votes are durable, so that can be left
            self.leaves.set()
        else:
            self.store.shut()

    def _end_threads(self) -> None:
        for threads in (self._readers, self._counters):
            threads.shutdown(cancel_futures=True)

"""One process that answers, until told to stop.

On SIGTERM it first says that it is not ready, then takes no new connections, makes everything
durable that was taken, answers it, and ends; what takes longer than the limit is cut off.
"""

import contextlib
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from types import FrameType

import uvicorn

from hushvote.server.api.app import App
from hushvote.server.api.connections import Places, limited, room
from hushvote.server.api.limits import Clients
from hushvote.server.journal import Journal
from hushvote.server.measures import Measures
from hushvote.server.served import BACKLOG, Served
from hushvote.server.store.contract import Store
from hushvote.server.store.opening import open_store

IDLE = 75  # seconds that a connection is kept without a request
AT_ONCE = 1.0  # seconds for opening a store before anything listens
AFTER = 5.0  # seconds beyond the limit after which nothing is waited for
OFTEN = 60.0  # seconds between two lines about faults
STOPS = (signal.SIGTERM, signal.SIGINT)


class Worker(uvicorn.Server):
    """uvicorn that says when it is ready, and ends without an error when it is told to stop."""

    def __init__(
        self,
        served: Served,
        measures: Measures,
        ready: Callable[[], None],
        stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self._journal, self._measures = Journal(served.log_format), measures
        self._opening = _opening(served.store)
        # A store that cannot be opened is mostly known at once, and said before anything listens.
        wait([self._opening], AT_ONCE)
        if self._opening.done():
            self._opening.result()
        else:  # it is brought up to date, which may take long
            self._journal.tell("opening")
        self._app = App(self._opening, served.settings, measures, self._journal)
        super().__init__(
            uvicorn.Config(
                self._app,
                loop="uvloop" if sys.platform != "win32" else "asyncio",
                http=limited(Places(Clients(served.settings.proxies), room()), served.settings.tls),
                ws="none",
                lifespan="on",
                access_log=False,
                log_config=None,
                log_level="critical",
                server_header=False,
                proxy_headers=False,
                backlog=BACKLOG,
                timeout_keep_alive=IDLE,
                timeout_graceful_shutdown=served.grace,  # type: ignore[arg-type]  # or a fraction
            )
        )
        self._served, self._ready, self._is_ready = served, ready, False
        self._stopping, self._is_stopping = stopping, False
        self._leaves_at: float | None = None  # by the steady clock
        self._faults: Counter[str] = Counter()
        self._told_at = -OFTEN

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped; whoever still counts then does not hold up the end."""
        super().run(sockets)
        self._tell_faults()
        if self._opening.done() and self._opening.exception() is not None:
            self._opening.result()
        if self._app.leaves:
            sys.stdout.flush()
            os._exit(0)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        self._look()

    async def on_tick(self, counter: int) -> bool:
        """What is looked at ten times a second."""
        self._look()
        now = time.monotonic()
        if now - self._told_at >= OFTEN:
            self._tell_faults()
        if self._leaves_at is not None and not self._is_stopping:
            self._is_stopping = True
            self._stopping()
        if self._leaves_at is not None and now >= self._leaves_at:
            self.should_exit = True
        return await super().on_tick(counter)

    def _look(self) -> None:
        """Whether the store is open, and all can be answered."""
        if self._is_ready or not self.started:
            return
        if self._app.is_open:
            self._is_ready = True
            gc.collect()
            gc.freeze()  # what is there now stays, and need not be looked through again
            gc.set_threshold(20_000, 20, 50)  # votes make no cycles
            self._ready()
        elif self._opening.done() and self._opening.exception() is not None:
            self.should_exit = True

    def _tell_faults(self) -> None:
        now = self._measures.faults()
        if new := now - self._faults:
            self._journal.tell("errors", counts=dict(new))
            self._faults, self._told_at = now, time.monotonic()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal; the second does not wait for requests to end."""
        before = {number: signal.signal(number, self.handle_exit) for number in STOPS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Not ready any more; a little later, as `notice` says, gone for newcomers, too."""
        if self._leaves_at is None:
            self._app.drain()
            self._leaves_at = time.monotonic() + self._served.notice
            self._limit()
            if self._served.notice:
                return
        super().handle_exit(sig, frame)

    def _limit(self) -> None:
        """End at last, whatever hangs: a database that does not answer, say."""
        grace = self._served.grace

        def cut() -> None:
            self._journal.tell("cut", grace=grace)
            os._exit(1)

        last = threading.Timer(self._served.notice + grace + AFTER, cut)
        last.daemon = True
        last.start()


def _opening(url: str) -> "Future[Store]":
    """A store that is being opened, by a thread that nobody waits for."""
    found: Future[Store] = Future()
    found.set_running_or_notify_cancel()  # whoever stops waiting for it does not end it

    def open_() -> None:
        try:
            found.set_result(open_store(url))
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=open_, daemon=True).start()
    return found

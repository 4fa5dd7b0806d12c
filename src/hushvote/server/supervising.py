"""Several processes that answer on one socket, and the one that watches over them."""

import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any

from hushvote import loading
from hushvote.errors import HushvoteError
from hushvote.server.api.limits import Shared
from hushvote.server.journal import Journal
from hushvote.server.measures import Figures, Measures, added
from hushvote.server.served import Served
from hushvote.server.worker import AFTER, STOPS, Worker

AGAIN = 1.0  # seconds after which a worker that could not start is tried again
PATIENCE = 1.0  # seconds that a worker has to tell its figures


class Supervisor:
    """Starts workers, replaces one that dies, and ends them all."""

    def __init__(self, served: Served, listening: socket.socket) -> None:
        self._context = multiprocessing.get_context("spawn")
        settings = replace(served.settings, shared=Shared.between(self._context))
        self._served, self._listening = replace(served, settings=settings), listening
        self._journal = Journal(served.log_format)
        self._workers: list[_Child] = []
        self._gone = Figures()  # what workers had counted that are no more
        self._lock = threading.Lock()
        self._stopping = False

    def run(self, ready: Callable[[], None], stopping: Callable[[], None]) -> None:
        """Until stopped; a server whose first workers do not get ready ends with an error."""
        before = {number: signal.signal(number, self._stop) for number in STOPS}
        try:
            for _ in range(self._served.workers):
                self._workers.append(self._started())
                if not self._workers[-1].gets_ready() and not self._stopping:
                    raise HushvoteError(
                        "a worker of the server could not start; its own message says why",
                        code="server.worker",
                    )
            if not self._stopping:
                ready()
            while not self._stopping:
                wait([one.process.sentinel for one in self._workers], timeout=1)
                self._replace()
            stopping()
        finally:
            self._listening.close()  # nobody new waits for an answer that will not come
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)

    def figures(self) -> Sequence[Figures]:
        """What all workers have counted, those that are no more included."""
        with self._lock:
            gone, workers = self._gone, list(self._workers)
        return [gone, *(one.figures() for one in workers)]

    def _stop(self, _: int, __: FrameType | None) -> None:
        self._stopping = True
        for one in self._workers:
            one.process.terminate()

    def _started(self) -> "_Child":
        here, there = self._context.Pipe()
        given = (self._served, self._listening, there, loading.loaded())
        process = self._context.Process(target=_work, args=given)
        process.start()
        there.close()
        return _Child(process, here)

    def _replace(self) -> None:
        for place, one in enumerate(self._workers):
            if self._stopping or one.process.is_alive():
                continue
            self._journal.tell("worker", code=one.process.exitcode)
            following = self._started()
            with self._lock:
                self._gone = added([self._gone, Figures(one.last.counted)])
                self._workers[place] = following
            one.line.close()
            if not following.gets_ready() and not self._stopping:
                self._journal.tell("worker-failed")  # its database may be away; others go on
                time.sleep(AGAIN)

    def _end(self) -> None:
        limit = time.monotonic() + self._served.notice + self._served.grace + 2 * AFTER
        for one in self._workers:
            one.process.terminate()
        for one in self._workers:
            one.process.join(max(0.0, limit - time.monotonic()))
            one.process.kill()


class _Child:
    """A worker, seen from the supervisor; they speak by one pipe."""

    def __init__(self, process: Any, line: Connection) -> None:
        self.process, self.line = process, line
        self.last = Figures()
        self._lock = threading.Lock()
        self._ready = False

    def gets_ready(self) -> bool:
        """Wait until it answers requests; False if it ends before."""
        with contextlib.suppress(EOFError, OSError):
            self.line.recv()
            self._ready = True
        return self._ready

    def figures(self) -> Figures:
        """What it has counted; if it does not tell, what it told last."""
        with self._lock, contextlib.suppress(EOFError, OSError):
            if self._ready:
                self.line.send(None)
                patience = PATIENCE
                while self.line.poll(patience):
                    self.last, patience = self.line.recv(), 0.0
        return self.last


def _work(
    served: Served, listening: socket.socket, line: Connection, loaded: Sequence[str]
) -> None:
    """One worker, which knows what the supervisor has loaded."""
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    measures = Measures()

    def ready() -> None:
        line.send(None)
        threading.Thread(target=tell, daemon=True).start()

    def tell() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                line.recv()
                line.send(measures.figures())

    try:
        for name in loaded:
            loading.load(name)
        Worker(served, measures, ready).run([listening])
    except HushvoteError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def _end_with_supervisor() -> None:
    """Stop when the process that started this one is gone, also if it was killed: nobody else would
    end this one, and its port would not be free for a restart.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

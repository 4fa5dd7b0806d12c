"""Running the server: one process on SQLite, or several on PostgreSQL, until told to stop.

On SIGTERM nothing new is taken, everything that was taken is made durable and answered, and the
process ends; what takes longer than a limit is cut off.
"""

import contextlib
import gc
import ipaddress
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from hushvote.errors import HushvoteError
from hushvote.server.api.app import App
from hushvote.server.api.connections import Places, limited, room
from hushvote.server.api.limits import Clients, Shared
from hushvote.server.service import Settings
from hushvote.server.store.opening import open_store

GRACE = 10  # seconds that requests get to end in
BACKLOG = 2048
IDLE = 75  # seconds that a connection is kept without a request
STOPS = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class Served:
    """Where and how to serve."""

    store: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    base_url: str | None = None
    insecure: bool = False
    settings: Settings = field(default_factory=Settings)


def serve(served: Served, ready: Callable[[str], None]) -> None:
    """Serve until stopped; `ready` is called with the address once requests are answered."""
    _check(served)
    listening = _bound(served)
    host, port = listening.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    try:
        if served.workers == 1:
            _Server(served, lambda: ready(address)).run([listening])
        else:
            _supervise(served, listening, lambda: ready(address))
    finally:
        listening.close()


# --- what is refused ------------------------------------------------------------------------------


def _check(served: Served) -> None:
    if served.workers < 1:
        raise HushvoteError(
            f"a server has at least one worker, not {served.workers}",
            code="server.workers",
            given=served.workers,
        )
    if served.workers > 1 and not served.store.startswith(("postgresql://", "postgres://")):
        raise HushvoteError(
            "several workers need a PostgreSQL store, as in --store postgresql://host/name; "
            "SQLite has one writer",
            code="server.workers",
            given=served.workers,
        )
    if not 0 <= served.port < 1 << 16:
        raise HushvoteError(
            f"a port is a number from 0 to 65,535, not {served.port}",
            code="server.address",
            port=served.port,
        )
    if served.base_url is not None:
        parts = urlsplit(served.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise HushvoteError(
                "--base-url is the address that voters use, as in https://vote.example.org",
                code="server.address",
                given=served.base_url,
            )
    if not (_is_loopback(served.host) or served.insecure or _behind_tls(served)):
        raise HushvoteError(
            f"beyond this machine, as on {served.host}, votes must travel by https: put a proxy "
            "before it and say --base-url https://... and --trusted-proxy, or say --insecure",
            code="server.insecure",
            host=served.host,
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _behind_tls(served: Served) -> bool:
    return served.settings.tls and bool(served.settings.proxies)


def _bound(served: Served) -> socket.socket:
    """A listening socket; port 0 takes any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            served.host, served.port, type=socket.SOCK_STREAM
        )[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError as error:
        raise HushvoteError(
            f"cannot listen on {served.host}, port {served.port}: {error.strerror or error}",
            code="server.address",
            host=served.host,
            port=served.port,
        ) from None
    made.set_inheritable(True)
    return made


# --- one process ----------------------------------------------------------------------------------


class _Server(uvicorn.Server):
    """uvicorn that says when it is ready, and ends without an error when it is told to stop."""

    def __init__(self, served: Served, ready: Callable[[], None]) -> None:
        # A store that cannot be opened is said in one sentence, before anything listens.
        store = open_store(served.store)
        super().__init__(
            uvicorn.Config(
                App(lambda: store, served.settings),
                loop="uvloop" if sys.platform != "win32" else "asyncio",
                http=limited(Places(Clients(served.settings.proxies), room()), served.settings.tls),
                ws="none",
                lifespan="on",
                access_log=False,
                log_config=None,
                log_level="error",
                server_header=False,
                proxy_headers=False,
                backlog=BACKLOG,
                timeout_keep_alive=IDLE,
                timeout_graceful_shutdown=GRACE,
            )
        )
        self._ready = ready

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped; whoever still counts then does not hold up the end."""
        super().run(sockets)
        service = getattr(self.config.app, "service", None)
        if service is not None and service.leaves.is_set():
            sys.stdout.flush()
            os._exit(0)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        if self.started:
            gc.collect()
            gc.freeze()  # what is there now stays, and need not be looked through again
            gc.set_threshold(20_000, 20, 50)  # votes make no cycles
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal; the second does not wait for requests to end."""
        before = {number: signal.signal(number, self.handle_exit) for number in STOPS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


# --- several processes ----------------------------------------------------------------------------


def _supervise(served: Served, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Run workers on one socket; one that dies is replaced, unless it never got ready."""
    context = multiprocessing.get_context("spawn")
    settings = replace(served.settings, shared=Shared.between(context))
    served = replace(served, settings=settings)
    stopping = False

    def stop(_: int, __: FrameType | None) -> None:
        nonlocal stopping
        stopping = True
        for process in workers:
            process.terminate()

    def start() -> Any:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(served, listening, there))
        process.start()
        there.close()
        try:
            here.recv()
        except EOFError:
            process.join()
            raise HushvoteError(
                "a worker of the server could not start; its own message says why",
                code="server.worker",
            ) from None
        finally:
            here.close()
        return process

    workers: list[Any] = []
    before = {number: signal.signal(number, stop) for number in STOPS}
    try:
        for _ in range(served.workers):
            workers.append(start())
        ready()
        while not stopping:
            wait([process.sentinel for process in workers], timeout=1)
            for place, process in enumerate(workers):
                if not stopping and not process.is_alive():
                    workers[place] = start()
    finally:
        for process in workers:
            process.terminate()
        for process in workers:
            process.join(GRACE + 5)
            process.kill()
        for number, handler in before.items():
            signal.signal(number, handler)


def _work(served: Served, listening: socket.socket, told: Connection) -> None:
    """One worker."""
    threading.Thread(target=_end_with_supervisor, daemon=True).start()

    def ready() -> None:
        told.send(True)
        told.close()

    try:
        _Server(served, ready).run([listening])
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

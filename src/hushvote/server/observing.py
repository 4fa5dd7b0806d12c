"""The page of figures for Prometheus, on a port of its own and nowhere else.

Whoever reads it is taken for the operator. A monitoring system keeps what it reads for long, and
counts that move with every vote would keep the time of each. So counts move by steps of a minute;
levels (votes that wait, memory) are those of the moment.
"""

import threading
import time
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from socket import AF_INET6

from hushvote.errors import HushvoteError
from hushvote.server.measures import Figures, added, written

STEP = 60.0  # seconds
PATH = "/metrics"
TYPE = "text/plain; version=0.0.4; charset=utf-8"
TIMEOUT = 10  # seconds that a reader may take to ask

Collect = Callable[[], Sequence[Figures]]


class Page:
    """What is shown; counts stay as they are until the next step."""

    def __init__(
        self, collect: Collect, step: float = STEP, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._collect, self._step, self._clock = collect, step, clock
        self._lock = threading.Lock()
        self._shown: Figures | None = None
        self._until = 0.0

    def text(self) -> str:
        """The page as of now."""
        with self._lock:
            found = added(self._collect())
            if self._shown is None or self._clock() >= self._until:
                self._shown, self._until = found, self._clock() + self._step
            return written(Figures(self._shown.counted, found.levels))


class Observatory:
    """Serves the page from threads of its own, until it is shut."""

    def __init__(self, host: str, port: int, page: Page) -> None:
        try:
            self._server = _made(host, port, page)
        except (OSError, OverflowError) as error:
            raise HushvoteError(
                f"cannot show figures on {host}, port {port}: {error}",
                code="server.address",
                host=host,
                port=port,
            ) from None
        found, self.port = self._server.server_address[:2]
        shown = f"[{host}]" if ":" in str(found) else host
        self.address = f"http://{shown}:{self.port}{PATH}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def shut(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()


def _made(host: str, port: int, page: Page) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        timeout = TIMEOUT
        server_version, sys_version = "hushvote", ""

        def do_GET(self) -> None:
            if self.path.partition("?")[0] != PATH:
                self.send_error(404)
                return
            body = page.text().encode()
            self.send_response(200)
            self.send_header("Content-Type", TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tell nothing of readers."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    if ":" in host and ip_address(host).version == 6:
        Server.address_family = AF_INET6
    return Server((host, port), Handler)

"""What a connection may cost: how many there are, how large a head is, how long a request takes.

Nobody can hold a place by sending nothing, or a byte a minute: a request has some seconds, and one
more for every piece that has come. The head of a request ends before its body: what a sender adds
behind the body (trailers) never becomes a header, where it could name another network.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hushvote.server.api import headers, problems
from hushvote.server.api.limits import Clients
from hushvote.server.api.reading import LARGEST
from hushvote.server.polls import ApiError

PATIENCE = 10.0  # seconds for a request to come in, from its first byte or the connection on
PIECE = 1 << 16  # bytes for which it gets one second more, up to the largest body
LARGEST_HEAD = 1 << 15  # bytes
MOST = 4096  # connections of a worker
SPARE = 256  # open files that are left for the store, boards and exports
SHARE = 4  # one network has at most so-and-so many-th of all connections


class Places:
    """The connections of a worker, and how many come from each network."""

    def __init__(self, clients: Clients, most: int = MOST) -> None:
        self._clients, self._most, self._of_one = clients, most, max(1, most // SHARE)
        self._taken = 0
        self._by_network: Counter[bytes] = Counter()

    def take(self, peer: str | None) -> tuple[bytes, bool]:
        """Count a connection; returns its network, and whether there was room for it."""
        network = self._clients.network(peer, ())
        self._taken += 1
        self._by_network[network] += 1
        few = self._clients.trusts(peer) or self._by_network[network] <= self._of_one
        return network, few and self._taken <= self._most

    def leave(self, network: bytes) -> None:
        """Count it no more."""
        self._taken -= 1
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]


def room(most: int = MOST) -> int:
    """Connections that this process has room for: each is an open file, of which a system allows
    some; it is asked for as many as it gives.
    """
    try:
        import resource
    except ImportError:  # Windows
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + SPARE if hard == resource.RLIM_INFINITY else min(hard, most + SPARE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return most if soft == resource.RLIM_INFINITY else max(16, min(most, soft - SPARE))


def limited(places: Places, tls: bool) -> type[HttpToolsProtocol]:
    """uvicorn's connections, within these limits."""
    always = headers.strict(tls)

    class Limited(_Connection):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.places, self.always = places, always

    return Limited


class _Connection(HttpToolsProtocol):
    """One connection; its clock runs until the first request, and while one comes in."""

    places: Places
    always: headers.Headers
    _network: bytes
    _timer: asyncio.TimerHandle | None = None
    _since = 0.0
    _came = 0  # bytes of the request so far
    _in_head = True
    _comes = False  # whether a request has begun, and not ended

    # --- the connection -----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place; whoever finds none is told so when they ask for something."""
        super().connection_made(transport)
        self._network, free = self.places.take(self.client[0] if self.client else None)
        if not free:
            self.app = _crowded(self.always)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self._rest()
        self.places.leave(self._network)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it is more than the head of a request."""
        self._came += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._in_head and self._came > LARGEST_HEAD:
            self._refuse(_too_large())
        elif self._timer is None and (self._comes or self._is_idle()):
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request."""
        self._refuse(ApiError("this is not a request of HTTP/1.1", code="api.http"))

    # --- the request --------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """A new head begins."""
        super().on_message_begin()
        self._in_head, self._comes, self._came = True, True, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Only what stands in the head is a header."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Refuse a head that came in one piece, but is too large."""
        self._in_head = False
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > LARGEST_HEAD:
            self.app = _refusing(self.always, _too_large())
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All has come: from here on the sender waits for the server."""
        self._rest()
        self._in_head, self._comes, self._came = True, False, 0
        super().on_message_complete()

    # --- the clock ----------------------------------------------------------------------------

    def _is_idle(self) -> bool:
        """Whether nothing is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._since = self.loop.time()
        self._timer = self.loop.call_later(PATIENCE, self._look)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """End what takes too long, but not because this side has read no further."""
        allowed = PATIENCE + min(self._came, LARGEST) / PIECE
        left = self._since + allowed - self.loop.time()
        if self.flow.read_paused:
            left = PATIENCE
        if left > 0.01:
            self._timer = self.loop.call_later(left, self._look)
        else:
            error = ApiError("this request took too long to come: send it again", code="api.slow")
            self._refuse(error)

    def _refuse(self, error: ApiError) -> None:
        """Answer, if no other answer is on its way, and end the connection."""
        self._rest()
        cycle = self.cycle
        if not self.pipeline and (self._is_idle() or not cycle.response_started):
            self.transport.write(_raw(error, self.always))
        self.transport.close()
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True  # whoever waits for the rest of it is told
            cycle.message_event.set()


# --- refusals -------------------------------------------------------------------------------------


def _too_large() -> ApiError:
    return ApiError(
        f"the head of this request has more than {LARGEST_HEAD:,} bytes", code="api.head"
    )


def _answer(error: ApiError, always: headers.Headers) -> tuple[int, bytes, headers.Headers]:
    status, body, more = problems.problem(error)
    given = [
        (b"content-type", problems.TYPE),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
        *more,
    ]
    return status, body, headers.completed(given, always)


def _raw(error: ApiError, always: headers.Headers) -> bytes:
    """A refusal of what never reaches the application."""
    status, body, given = _answer(error, always)
    lines = [b"%s: %s" % one for one in given]
    return b"\r\n".join([problems.line_of(status), *lines, b"", body])


def _refusing(always: headers.Headers, error: ApiError) -> Callable[..., Any]:
    """An application that answers everything with this refusal."""

    async def refuse(_: Any, __: Any, send: Callable[[Any], Any]) -> None:
        status, body, given = _answer(error, always)
        await send({"type": "http.response.start", "status": status, "headers": given})
        await send({"type": "http.response.body", "body": body})

    return refuse


def _crowded(always: headers.Headers) -> Callable[..., Any]:
    error = ApiError(
        "there are too many connections, in all or from your network: try again soon",
        code="server.crowded",
    )
    return _refusing(always, error)

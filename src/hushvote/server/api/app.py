"""The server as an ASGI application.

Votes take a short way: they are what comes by the thousand, and their three paths need neither
Starlette's routing nor its layers. Everything else goes through Starlette. All answers, refusals
too, leave through one door, which adds the headers that all must have.
"""

import contextlib
import re
import sys
from collections.abc import AsyncIterator, Callable
from traceback import extract_tb
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match

from hushvote.errors import HushvoteError, PollError
from hushvote.poll.checks import LINK
from hushvote.server.api import headers, problems, reading
from hushvote.server.api.routes import Routes
from hushvote.server.pages import routes as pages
from hushvote.server.polls import ApiError
from hushvote.server.service import Service, Settings
from hushvote.server.store.contract import Store

VOTE = re.compile(r"/api/v1/polls/([0-9a-f]{32})/(reports|changes|withdrawals)")
JSON = (b"content-type", b"application/json")
FAILED_CODES = ("vote.code", "vote.question")

Send = Callable[[Any], Any]


class App:
    """The application of one worker; its store is opened when it starts, and shut when it ends."""

    def __init__(self, opened: Callable[[], Store], settings: Settings) -> None:
        self._opened, self._settings = opened, settings
        self._always = headers.strict(settings.tls)
        self._voted = headers.completed([JSON], self._always)
        self._routes = Routes(self)
        self.service: Service
        self._rest = Starlette(
            routes=[*self._routes.table(), *pages.table()],
            lifespan=self._lifespan,
            exception_handlers={
                HTTPException: _as_problem,
                HushvoteError: _as_problem,
                Exception: _as_problem,
            },
        )
        self._rest.router.redirect_slashes = False

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self.service = Service(self._opened(), self._settings)
        try:
            yield
        finally:
            await self.service.finish()

    async def __call__(self, scope: Any, receive: reading.Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._rest(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        vote = VOTE.fullmatch(scope["path"]) if scope["method"] == "POST" else None
        try:
            if vote is not None:
                answer = await self._vote(vote[1], vote[2], scope, receive)
                await _send(send, 200, answer, self._voted)
            elif scope["method"] == "OPTIONS":
                await _send(send, 204, b"", self._completed([(b"allow", self._allowed(scope))]))
            else:
                await self._rest(scope, receive, self._finished(send))
        except (reading.Gone, ClientDisconnect):
            return
        except HushvoteError as error:
            await self._refuse(send, error)
        except Exception as error:
            tell_of(error)
            if vote is not None:
                await self._refuse(send, _failed())

    # --- votes --------------------------------------------------------------------------------

    async def _vote(self, id: str, kind: str, scope: Any, receive: reading.Receive) -> bytes:
        service = self.service
        held = service.shelf.at_hand(id) or await service.polls.find(id)
        largest = max(reading.SMALL, held.size)
        body = await reading.body(scope["headers"], receive, largest)
        if kind == "changes":
            return await service.voting.change(held, body)
        if kind == "withdrawals":
            return await service.voting.withdraw(held, body)
        network = self.network(scope)
        if held.poll.access == LINK:
            service.casts.check(network)
            service.casts.take(network)
            return await service.voting.cast(held, body)
        service.failed_codes.check(network)
        try:
            return await service.voting.cast(held, body)
        except PollError as error:
            if error.code in FAILED_CODES:
                service.failed_codes.take(network)
            raise

    def network(self, scope: Any) -> bytes:
        """A name for the network that a request comes from."""
        client = scope.get("client")
        forwarded = []
        if self._settings.proxies:
            forwarded = [v for name, v in scope["headers"] if name == b"x-forwarded-for"]
        return self.service.clients.network(client[0] if client else None, forwarded)

    # --- the door -----------------------------------------------------------------------------

    def _completed(self, given: headers.Headers) -> headers.Headers:
        return headers.completed(given, self._always)

    def _finished(self, send: Send) -> Send:
        """`send` with the headers that all answers have."""

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": self._completed(message["headers"])}
            await send(message)

        return sent

    def _allowed(self, scope: Any) -> bytes:
        """The methods of a path, for whoever asks."""
        for route in self._rest.routes:
            if route.matches(scope)[0] != Match.NONE:
                return ", ".join(sorted({*getattr(route, "methods", ()), "OPTIONS"})).encode()
        raise ApiError("there is nothing at this address", code="api.path")

    async def _refuse(self, send: Send, error: HushvoteError) -> None:
        status, body, more = problems.problem(error)
        if error.code == "api.body":  # what is left of it is not read
            more = [*more, (b"connection", b"close")]
        given = [(b"content-type", problems.TYPE), *more]
        await _send(send, status, body, self._completed(given))


async def _send(send: Send, status: int, body: bytes, given: headers.Headers) -> None:
    length = [] if status == 204 else [(b"content-length", b"%d" % len(body))]
    start = {"type": "http.response.start", "status": status, "headers": given + length}
    await send(start)
    await send({"type": "http.response.body", "body": body})


def _as_problem(_: Request, error: Exception) -> Response:
    """An error as Starlette answers it."""
    if isinstance(error, ClientDisconnect | reading.Gone):
        return Response(status_code=400)  # nobody reads it
    if isinstance(error, HTTPException):
        error = _of_starlette(error)
    if not isinstance(error, HushvoteError):
        error = _failed()
    status, body, more = problems.problem(error)
    if error.code == "api.body":
        more = [*more, (b"connection", b"close")]
    named = {name.decode(): value.decode() for name, value in more}
    return Response(body, status, named, media_type=problems.TYPE.decode())


def _of_starlette(error: HTTPException) -> ApiError:
    if error.status_code == 405:
        allowed = sorted({*(error.headers or {}).get("Allow", "").split(", "), "OPTIONS"})
        allow = ", ".join(filter(None, allowed))
        return ApiError(f"this address takes only {allow}", code="api.method", allow=allow)
    return ApiError("there is nothing at this address", code="api.path")


def _failed() -> HushvoteError:
    return HushvoteError(
        "the server has failed at this request; its operator finds where in its log",
        code="server.failed",
    )


def tell_of(error: Exception) -> None:
    """Say that and where something failed; never what it said, which may hold part of a vote."""
    place = extract_tb(error.__traceback__)[-1]
    where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
    print(f"a request has failed: {type(error).__name__} at {where}", file=sys.stderr, flush=True)

"""The server as an ASGI application.

Votes take a short way: they are what comes by the thousand, and their paths need neither
Starlette's routing nor its layers. Everything else goes through Starlette. All answers, refusals
too, leave through one door, which adds the headers that all must have.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
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
from hushvote.server.api.health import Health
from hushvote.server.api.routes import KIND, Routes
from hushvote.server.held import Held
from hushvote.server.journal import Journal
from hushvote.server.measures import DONE, Measures
from hushvote.server.pages import routes as pages
from hushvote.server.pages.refusals import for_people, refusal
from hushvote.server.pages.results import ResultPages
from hushvote.server.polls import ApiError
from hushvote.server.service import Service, Settings
from hushvote.server.store.contract import Store

VOTE = re.compile(r"/api/v1/polls/([0-9a-f]{32})/(reports|changes|withdrawals|erasures)")
JSON = (b"content-type", b"application/json")
OUTCOME = "hushvote.outcome"  # the code of a refusal that Starlette has answered
FAILED_CODES = ("vote.code", "vote.question")

Send = Callable[[Any], Any]


class App:
    """The application of one worker; its store may still be being opened when it starts, and is
    shut when it ends.
    """

    def __init__(
        self,
        opening: "Future[Store]",
        settings: Settings,
        measures: Measures,
        journal: Journal,
    ) -> None:
        self._opening, self._settings = opening, settings
        self._measures, self._journal = measures, journal
        self._always = headers.strict(settings.tls)
        self._voted = headers.completed([JSON], self._always)
        self._service: Service | None = None
        self._health = Health(self)
        self._rest = Starlette(
            routes=[
                *Routes(self).table(),
                *self._health.table(),
                *pages.table(settings.open, settings.base_url),
                *ResultPages(self).table(),
            ],
            lifespan=self._lifespan,
            exception_handlers={
                HTTPException: _as_problem,
                HushvoteError: _as_problem,
                Exception: _as_problem,
            },
        )
        self._rest.router.redirect_slashes = False

    @property
    def service(self) -> Service:
        """The worker's service; refused while there is none."""
        if self._service is None:
            raise HushvoteError(
                "the server is starting and opens its database: send the same request again",
                code="server.starting",
            )
        return self._service

    @property
    def is_open(self) -> bool:
        """Whether the store is open."""
        return self._service is not None

    @property
    def leaves(self) -> bool:
        """Whether threads were left behind at the end."""
        return self._service.leaves.is_set() if self._service else not self._opening.done()

    def drain(self) -> None:
        """Say that no more should come: not ready, and every connection ends with its answer."""
        self._health.draining = True
        self._always = [*self._always, (b"connection", b"close")]
        self._voted = headers.completed([JSON], self._always)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        starting = asyncio.create_task(self._start())
        if self._opening.done():
            await starting
        try:
            yield
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            if self._service is not None:
                await self._service.finish()

    async def _start(self) -> None:
        store = await asyncio.wrap_future(self._opening)
        self._service = Service(store, self._settings, self._measures)

    async def __call__(self, scope: Any, receive: reading.Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._rest(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        vote = VOTE.fullmatch(scope["path"]) if scope["method"] == "POST" else None
        outcome = DONE
        try:
            if vote is not None:
                answer = await self._vote(vote[1], vote[2], scope, receive)
                await _send(send, 200, answer, self._voted)
            elif scope["method"] == "OPTIONS":
                await _send(send, 204, b"", self._completed([(b"allow", self._allowed(scope))]))
            else:
                await self._rest(scope, receive, self._finished(send))
                outcome = scope.get(OUTCOME, DONE)
        except (reading.Gone, ClientDisconnect):
            outcome = "gone"
        except HushvoteError as error:
            outcome = error.code
            await self._refuse(send, error)
        except asyncio.CancelledError:  # it has taken longer than a server that stops can wait
            outcome = "server.stopping"
            if vote is not None:
                await self._refuse(send, _stopping())
            raise
        except Exception as error:
            outcome = "server.failed"
            self._tell_of(error)
            if vote is not None:
                await self._refuse(send, _failed())
        finally:
            self._measures.took(vote[2] if vote else scope.get(KIND, "other"), outcome)

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
        if kind == "erasures":
            return await self._erase(held, body, self.network(scope))
        network = self.network(scope)
        if held.poll.access == LINK:
            service.casts.check(network)
            service.casts.take(network)
            return await service.voting.cast(held, body)
        try:
            return await service.voting.cast(held, body)
        except PollError as error:
            if error.code in FAILED_CODES:  # only who sends wrong ones is held up by wrong ones
                service.failed_codes.check(network)
                service.failed_codes.take(network)
            raise

    async def _erase(self, held: Held, body: bytes, network: bytes) -> bytes:
        """After close an erasure makes the server write and count a whole poll anew."""
        service = self.service
        if held.kept.closed:
            service.erasures.check(network)
            service.erasures.take(network)
        answer = await service.erasing.erase(held, body)
        service.shelf.forget(held.id)
        return answer

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

    def _tell_of(self, error: Exception) -> None:
        """Say that and where something failed; what it said may hold part of a vote."""
        place = extract_tb(error.__traceback__)[-1]
        where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
        self._journal.tell("failed", kind=type(error).__name__, place=where)

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


def _as_problem(request: Request, error: Exception) -> Response:
    """An error as Starlette answers it."""
    if isinstance(error, ClientDisconnect | reading.Gone):
        request.scope[OUTCOME] = "gone"
        return Response(status_code=400)  # nobody reads it
    if isinstance(error, HTTPException):
        error = _of_starlette(error)
    if not isinstance(error, HushvoteError):
        error = _failed()
    request.scope[OUTCOME] = error.code
    if for_people(request):
        return refusal(request, error)
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


def _stopping() -> HushvoteError:
    return HushvoteError(
        "the server stops and could not wait for its database: send the same request again",
        code="server.stopping",
    )


def _failed() -> HushvoteError:
    return HushvoteError(
        "the server has failed at this request; its operator finds where in its log",
        code="server.failed",
    )

"""What stands under `/api/v1`, beside votes."""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from hushvote.canonical import is_hex
from hushvote.poll.checks import CODES
from hushvote.server import exporting, publishing
from hushvote.server.api import openapi, reading, types
from hushvote.server.designing import Wanted
from hushvote.server.held import Held
from hushvote.server.polls import HOUR, ApiError, Told
from hushvote.server.prospects import Question
from hushvote.server.store.contract import KeptPoll

if TYPE_CHECKING:
    from hushvote.server.api.app import App

ROOT = "/api/v1"
LINES = "application/jsonl"
KIND = "hushvote.kind"  # of a request, for whoever counts them

Handler = Callable[[Request], Awaitable[Response]]


class Routes:
    """The handlers of all paths; the app knows the worker's service once it has started."""

    def __init__(self, app: "App") -> None:
        self._app = app

    def table(self) -> list[Route]:
        """All paths, each with its methods."""
        one = "/polls/{id}"
        return [
            _route("/openapi.json", GET=self.described),
            _route("/polls", GET=self.listed, POST=self.create),
            _route("/plans", POST=self.plan),
            _route(one, GET=self.poll, PATCH=self.extend, DELETE=self.delete),
            _route(one + "/manifest", GET=self.manifest),
            _route(one + "/reports", POST=self.unknown),
            _route(one + "/changes", POST=self.unknown),
            _route(one + "/withdrawals", POST=self.unknown),
            _route(one + "/erasures", POST=self.unknown),
            _route(one + "/result", GET=self.result),
            _route(one + "/board", GET=self.board),
            _route(one + "/close", POST=self.close),
            _route(one + "/codes", POST=self.issue),
            _route(one + "/revocations", POST=self.revoke),
            _route(one + "/export", GET=self.export),
        ]

    # --- the operator -------------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """Make a poll."""
        service, network = self._app.service, self._app.network(request.scope)
        if not service.is_operator(_bearer(request), network):
            service.creations.check(network)
            service.creations.take(network)
            if not service.settings.open:
                _refuse_token()
        asked = await _asked(request, types.Create, reading.LARGEST)
        by_name = (asked.rule, asked.epsilon, asked.mechanism)
        if asked.parameters is not None and by_name != (None, None, None):
            raise ApiError(
                "give either parameters, or a rule, an epsilon and a mechanism",
                code="api.form",
                member="parameters",
            )
        given: dict[str, Any] = msgspec.structs.asdict(asked)
        closes, organiser = given.pop("closes"), bytes.fromhex(given.pop("organiser"))
        given["candidates"] = tuple(given["candidates"])
        kept = await service.polls.create(
            lambda key: Wanted(server=key, **given), closes, organiser
        )
        made = types.Created(kept.id, kept.digest.hex(), kept.manifest, kept.closes)
        location = {"location": f"{service.settings.base_url}{ROOT}/polls/{kept.id}"}
        return _json(made, 201, location)

    async def listed(self, request: Request) -> Response:
        """All polls, for the operator; for everybody, if everybody may create and no token is
        set.
        """
        service = self._app.service
        public = service.settings.open and service.settings.token is None
        network = self._app.network(request.scope)
        if not public and not service.is_operator(_bearer(request), network):
            _refuse_token()
        return _json(types.Polls([_listed(kept) for kept in await service.polls.all()]))

    # --- everybody ----------------------------------------------------------------------------

    async def described(self, _: Request) -> Response:
        """The description of all this."""
        return _json(openapi.document(), headers={"cache-control": "max-age=3600"})

    async def plan(self, request: Request) -> Response:
        """What a poll would promise and decide, before it is made."""
        service, network = self._app.service, self._app.network(request.scope)
        service.plans.check(network)
        service.plans.take(network)
        asked = await _asked(request, types.Planning)
        names = {"rule": asked.rule, "seats": asked.seats, "access": asked.access}
        given: dict[str, Any] = {**names, "among": asked.turnout}
        given = {name: value for name, value in given.items() if value is not None}
        questions = [
            Question(asked.candidates, asked.voters, one, **given) for one in asked.epsilons
        ]
        found = await reading.while_wanted(request.receive, service.polls.prospects(questions))
        return _json(
            types.Plans([None if one is None else types.Plan(**asdict(one)) for one in found])
        )

    async def manifest(self, request: Request) -> Response:
        """The manifest itself, byte for byte: its hash is the poll's digest."""
        held = await self._held(request)
        return Response(
            held.kept.manifest.encode(),
            media_type="application/json",
            headers={"cache-control": "no-cache", "etag": f'"{held.poll.digest}"'},
        )

    async def poll(self, request: Request) -> Response:
        """What everybody may know of a poll; with the organiser's key, by the second."""
        held = await self._held(request)
        exactly = _bearer(request) is not None
        if exactly:
            await self._own(request)
        told = await self._app.service.polls.told(held, exactly)
        numbers, codes = told.numbers, None
        if held.poll.access == CODES:
            codes = types.Codes(told.issued, numbers.casts, told.revoked)
        return _json(
            types.Poll(
                held.id,
                held.poll.digest,
                "closed" if told.closed else "open",
                told.kept.closes,
                numbers.standing,
                numbers.casts,
                numbers.changes,
                numbers.withdrawals,
                numbers.erasures,
                told.as_of,
                [dict(event) for event in told.log],
                codes,
                told.crowd_epsilon,
                self._app.service.retention.kept_until(told.kept),
                _hours(told),
            )
        )

    async def result(self, request: Request) -> Response:
        """The result, as far as it may be shown."""
        held = await self._held(request)
        service = self._app.service
        found = await service.count(service.results.read, held.kept)
        return Response(found, media_type="application/json")

    async def board(self, request: Request) -> Response:
        """The board of a closed poll, or its lines whose receipts begin with `prefix`."""
        held = await self._held(request)
        service, prefix = self._app.service, request.query_params.get("prefix", "")
        path = await service.count(publishing.board, service.store, held.kept)
        if not prefix:
            return FileResponse(path, media_type=LINES)
        lines = await service.count(publishing.lines, path, prefix)
        return StreamingResponse(lines, media_type=LINES)

    async def unknown(self, _: Request) -> Response:
        """A vote whose path names no poll: all others take the short way."""
        _refuse_poll()

    # --- the organiser ------------------------------------------------------------------------

    async def extend(self, request: Request) -> Response:
        """Move the closing time."""
        held = await self._own(request)
        asked = await _asked(request, types.Extend)
        await self._app.service.polls.extend(held, asked.closes)
        return _json(types.Closing("open", asked.closes))

    async def close(self, request: Request) -> Response:
        """Close a poll for good."""
        held = await self._own(request)
        await self._app.service.polls.close(held)
        return _json(types.Closing("closed", held.kept.closes))

    async def issue(self, request: Request) -> Response:
        """Issue codes."""
        held = await self._own(request)
        hashes = await _hashes(request)
        return _json(types.Issued(await self._app.service.polls.issue(held, hashes)))

    async def revoke(self, request: Request) -> Response:
        """Take back codes."""
        held = await self._own(request)
        hashes = await _hashes(request)
        gone = await self._app.service.polls.revoke(held, hashes)
        return _json(types.Revoked(sorted(one.hex() for one in gone)))

    async def export(self, request: Request) -> Response:
        """Everything that was counted, as a file."""
        held = await self._own(request)
        service, kind = self._app.service, request.query_params.get("kind", "parquet")
        made = await service.count(exporting.export, service.store, held.kept, kind)
        named = {
            "content-length": str(made.size),
            "content-disposition": f'attachment; filename="{made.name}"',
        }
        return StreamingResponse(made.blocks(), media_type=made.media, headers=named)

    async def delete(self, request: Request) -> Response:
        """Delete a poll and all that belongs to it."""
        held = await self._own(request)
        service = self._app.service
        day = await service.polls.delete(held)
        await service.count(publishing.forget, held.id)
        return _json(types.Deleted(held.id, held.poll.digest, day))

    # --- which poll, and whose ----------------------------------------------------------------

    async def _held(self, request: Request) -> Held:
        id = request.path_params["id"]
        if not is_hex(id, 32):
            _refuse_poll()
        return await self._app.service.polls.find(id)

    async def _own(self, request: Request) -> Held:
        """The poll, if the organiser's key was sent."""
        held, key = await self._held(request), _bearer(request)
        given = bytes.fromhex(key) if key is not None and is_hex(key) else None
        self._app.service.polls.check_organiser(held, given)
        return held


def _route(path: str, **handlers: Handler) -> Route:
    """One path for all its methods, so that Starlette knows which it has."""

    async def endpoint(request: Request) -> Response:
        handler = handlers["GET" if request.method == "HEAD" else request.method]
        request.scope[KIND] = handler.__name__
        return await handler(request)

    return Route(ROOT + path, endpoint, methods=list(handlers))


def _json(found: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(found), status, headers, media_type="application/json")


def _bearer(request: Request) -> str | None:
    return reading.bearer(request.scope["headers"])


async def _asked(
    request: Request, wanted: type[reading.T], largest: int = reading.SMALL
) -> reading.T:
    raw = await reading.body(request.scope["headers"], request.receive, largest)
    return reading.decoded(raw, wanted)


async def _hashes(request: Request) -> list[bytes]:
    """The hashes of codes in a request, each once."""
    asked = await _asked(request, types.Hashes, reading.LARGEST)
    return [bytes.fromhex(one) for one in dict.fromkeys(asked.codes)]


def _hours(told: Told) -> list[types.Hour] | None:
    if told.hours is None:
        return None
    return [types.Hour(hour * HOUR, casts) for hour, casts in told.hours.items()]


def _listed(kept: KeptPoll) -> types.Listed:
    manifest = json.loads(kept.manifest)
    over = kept.closed or time.time() >= kept.closes
    return types.Listed(
        kept.id,
        kept.digest.hex(),
        manifest["question"],
        manifest["access"],
        "closed" if over else "open",
        kept.closes,
    )


def _refuse_token() -> NoReturn:
    raise ApiError(
        "this needs the operator's token, as in 'Authorization: Bearer <token>'",
        code="api.token",
    )


def _refuse_poll() -> NoReturn:
    raise ApiError("there is no such poll", code="api.poll")

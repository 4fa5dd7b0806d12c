"""Whether a worker is alive, and whether it is ready: `/healthz` and `/readyz`.

Everybody may ask, so nothing is told but codes, and the database is looked at once a second at
most.
"""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hushvote.errors import HushvoteError
from hushvote.server.store.contract import Store

if TYPE_CHECKING:
    from hushvote.server.api.app import App

FRESH = 1.0  # seconds for which the database is not asked again
PATIENCE = 5.0  # seconds that it has to answer
OK, STARTING, DRAINING = "ok", "server.starting", "server.draining"
SLOW = "store.slow"


class Health:
    """What a worker says of itself."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self.draining = False
        self._checking: asyncio.Task[str] | None = None
        self._until = 0.0  # by the steady clock
        # a thread of its own: those of requests may all be waiting for the database
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="check")

    def table(self) -> list[Route]:
        """The two paths."""
        return [Route("/healthz", self.alive), Route("/readyz", self.ready)]

    async def alive(self, _: Request) -> Response:
        """The process answers."""
        return Response(b'{"alive":true}', media_type="application/json")

    async def ready(self, _: Request) -> Response:
        """Requests should come here: the store is open, answers and can be written, and nobody has
        told the server to stop.
        """
        store = STARTING
        if self._app.is_open:
            store = await self._store(self._app.service.store)
        server = DRAINING if self.draining else OK if self._app.is_open else STARTING
        good = (server, store) == (OK, OK)
        told = msgspec.json.encode({"ready": good, "server": server, "store": store})
        headers = None if good else {"retry-after": "5"}
        return Response(told, 200 if good else 503, headers, media_type="application/json")

    async def _store(self, store: Store) -> str:
        """What the database says; many who ask at once make one question."""
        if self._checking is None or (self._checking.done() and time.monotonic() >= self._until):
            self._checking = asyncio.create_task(self._checked(store))
        await asyncio.wait([self._checking], timeout=PATIENCE)
        return self._checking.result() if self._checking.done() else SLOW

    async def _checked(self, store: Store) -> str:
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, store.check)
            found = OK
        except HushvoteError as error:
            found = error.code
        self._until = time.monotonic() + FRESH
        return found

"""What an organiser and an operator do with polls, and what everybody may know of one.

The store blocks, so everything here runs in its reading threads. The public log has a line for
all that was done to a poll but voting.
"""

import asyncio
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.errors import HushvoteError
from hushvote.poll.checks import CODES
from hushvote.poll.hashing import H
from hushvote.server.designing import Designer, DesignError, Wanted
from hushvote.server.held import Held, Shelf
from hushvote.server.prospects import Kept, Prospect, Question
from hushvote.server.store.contract import Event, KeptPoll, Numbers, Store

LATEST = 10 * 366 * 86_400  # seconds from now that a poll may be open
MOST_CODES, MOST_EVENTS = 1_000_000, 1000  # of one poll
PATIENCE = 5.0  # seconds that somebody waits for the crowd epsilon
HOUR = 3600  # seconds
LOOK = 5.0  # seconds after which closing times are read again, since other workers change them

T = TypeVar("T")


class ApiError(HushvoteError):
    """A request that is not allowed, or not at this time."""

    area = "api"


@dataclass(frozen=True)
class Told:
    """What everybody may know of a poll before its result."""

    kept: KeptPoll
    closed: bool
    numbers: Numbers
    as_of: int | None  # the moment that the numbers are of; None is now
    log: Sequence[Event]
    issued: int
    revoked: int
    crowd_epsilon: float | None
    hours: Mapping[int, int] | None  # votes cast by the hour, for the organiser alone


class Polls:
    """The polls of a server."""

    def __init__(
        self,
        store: Store,
        shelf: Shelf,
        designer: Designer,
        readers: Executor,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._shelf, self._designer = store, shelf, designer
        self._readers, self._now = readers, now
        self._crowd: dict[str, asyncio.Task[float | None]] = {}  # by digest
        self._code_numbers: dict[str, tuple[int, int, int]] = {}  # log's length, issued, revoked
        self._closings: dict[str, int] = {}  # open polls, and when they close
        self._looked = -LOOK
        self._prospects = Kept()

    async def _do(self, job: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, job, *given)

    def _event(self, event: str, **values: int) -> Event:
        return {"at": int(self._now()), "event": event, **values}

    # --- the operator -------------------------------------------------------------------------

    @property
    def open(self) -> int:
        """How many polls are open, as far as this worker knows."""
        return len(self._closings)

    async def create(
        self, wanted: Callable[[bytes], Wanted], closes: int, organiser: bytes
    ) -> KeptPoll:
        """Make a poll with a key of its own, and keep it."""
        self._check_closes(closes)
        key = Ed25519PrivateKey.generate()
        text, digest = await self._designer.made(wanted(key.public_key().public_bytes_raw()))
        self._check_closes(closes)  # designing may have taken that long
        kept = KeptPoll(
            json.loads(text)["id"],
            text,
            bytes.fromhex(digest),
            key.private_bytes_raw(),
            organiser,
            closes,
        )
        if not await self._do(self._store.create, kept, self._event("opened", closes=closes)):
            raise ApiError("a poll of this id is there already: try once more", code="api.id")
        self._closings[kept.id] = closes
        if json.loads(text)["access"] == CODES:
            self._computing(digest, text)
        return kept

    async def all(self) -> Sequence[KeptPoll]:
        """All polls."""
        return await self._do(self._store.polls)

    # --- whoever thinks of a poll --------------------------------------------------------------

    async def prospects(self, asked: Sequence[Question]) -> list[Prospect | None]:
        """What a poll could promise and decide, for each question; None where that takes too
        long to compute.
        """
        return [await self._prospect(one) for one in asked]

    async def _prospect(self, asked: Question) -> Prospect | None:
        if (found := self._prospects.get(asked)) is None:
            try:
                found = await self._designer.prospect(asked)
            except DesignError as error:
                if error.code != "api.design":
                    raise
                return None
            self._prospects.put(asked, found)
        return found

    # --- everybody ----------------------------------------------------------------------------

    async def find(self, id: str) -> Held:
        """A poll that is there."""
        held = self._shelf.at_hand(id) or await self._shelf.find(id)
        if held is None:
            raise await self._missing(id)
        return held

    async def _missing(self, id: str) -> ApiError:
        if (deleted := await self._do(self._store.deleted, id)) is None:
            return ApiError("there is no such poll", code="api.poll")
        digest, day = deleted
        return ApiError(
            f"this poll was deleted on {day}", code="api.deleted", digest=digest.hex(), day=day
        )

    async def told(self, held: Held, exactly: bool = False) -> Told:
        """What everybody may know of a poll.

        While it is open, the numbers are those at the beginning of the hour: whoever watched exact
        ones would see the second at which somebody votes. The organiser gets them exactly.
        """
        hour = int(self._now()) // HOUR
        look = None if exactly else hour
        kept, numbers, log, issued, revoked = await self._do(self._look, held.id, look)
        if kept is None:
            self._shelf.forget(held.id)
            raise await self._missing(held.id)
        crowd = await self._crowd_epsilon(held)
        hours = await self._do(self._store.hours, held.id) if exactly else None
        over = kept.closed or self._now() >= kept.closes
        as_of = None if exactly or kept.closed else hour * HOUR
        return Told(kept, over, numbers, as_of, log, issued, revoked, crowd, hours)

    def _look(
        self, id: str, hour: int | None
    ) -> tuple[KeptPoll | None, Numbers, Sequence[Event], int, int]:
        store, kept = self._store, self._store.poll(id)
        log = store.events(id)
        known = self._code_numbers.get(id)
        if known is None or known[0] != len(log):  # every issue and revocation is in the log
            known = len(log), *store.code_numbers(id)
            self._code_numbers[id] = known
        numbers = store.numbers(id, None if kept is None or kept.closed else hour)
        return kept, numbers, log, known[1], known[2]

    async def _crowd_epsilon(self, held: Held) -> float | None:
        """The crowd epsilon, computed once, or None while that takes long; none is promised where
        one person may vote often.
        """
        if held.poll.access != CODES:
            return None
        task = self._computing(held.poll.digest, held.kept.manifest)
        await asyncio.wait([task], timeout=PATIENCE)
        return task.result() if task.done() else None

    def _computing(self, digest: str, manifest: str) -> "asyncio.Task[float | None]":
        if digest not in self._crowd:
            self._crowd[digest] = asyncio.create_task(self._computed(manifest))
        return self._crowd[digest]

    async def _computed(self, manifest: str) -> float | None:
        """The crowd epsilon; None if it takes too long, since nobody is to wait for it again."""
        try:
            return await self._designer.crowd_epsilon(manifest)
        except HushvoteError:
            return None

    # --- the organiser ------------------------------------------------------------------------

    def check_organiser(self, held: Held, key: bytes | None) -> None:
        """Refuse whoever has not the organiser's key."""
        given = b"" if key is None else H("hushvote organiser", key)
        if not hmac.compare_digest(given, held.kept.organiser):
            raise ApiError(
                "this needs the organiser's key, as in 'Authorization: Bearer <64 hex digits>'",
                code="api.key",
            )

    async def extend(self, held: Held, closes: int) -> None:
        """Move the closing time of an open poll to any time to come."""
        self._check_closes(closes)
        await self._refresh_if_over(held)
        await self._do(self._check_room, held.id)
        event = self._event("extended", closes=closes)
        done = not held.over(self._now()) and await self._do(
            self._store.extend, held.id, closes, event
        )
        self._shelf.forget(held.id)
        if not done:
            _refuse_closed()
        self._closings[held.id] = closes

    async def close(self, held: Held) -> None:
        """Close a poll for good; again does no harm."""
        await self._do(self._store.close, held.id, self._event("closed"))
        self._closings.pop(held.id, None)
        self._shelf.forget(held.id)

    async def delete(self, held: Held) -> str:
        """Delete a poll with everything that belongs to it; returns the day of it."""
        return await self.drop(held.kept)

    async def drop(self, kept: KeptPoll) -> str:
        """The same for a poll that is not at hand."""
        day = datetime.fromtimestamp(self._now(), UTC).date().isoformat()
        await self._do(self._store.delete, kept.id, day)
        for known in (self._closings, self._code_numbers):
            known.pop(kept.id, None)
        if (task := self._crowd.pop(kept.digest.hex(), None)) is not None:
            task.cancel()
        self._shelf.forget(kept.id)
        return day

    async def issue(self, held: Held, hashes: Sequence[bytes]) -> int:
        """Issue codes, by their hashes; returns how many are issued in all."""
        self._check_codes(held)
        await self._do(self._check_room, held.id, len(hashes))
        event = self._event("issued", codes=len(hashes))
        open_ = not held.over(self._now())
        if not open_ or not await self._do(self._store.issue, held.id, hashes, event):
            _refuse_closed()
        issued, _ = await self._do(self._store.code_numbers, held.id)
        return issued

    async def revoke(self, held: Held, hashes: Sequence[bytes]) -> Sequence[bytes]:
        """Take back codes that were not used; returns those that were taken back by this."""
        self._check_codes(held)
        if held.over(self._now()):
            _refuse_closed()
        await self._do(self._check_room, held.id)
        event = self._event("revoked", asked=len(hashes))
        return await self._do(self._store.revoke, held.id, hashes, event)

    async def _refresh_if_over(self, held: Held) -> None:
        """Another worker may just have moved the closing time."""
        if held.over(self._now()) and not held.kept.closed:
            self._shelf.forget(held.id)
            await self._shelf.find(held.id)

    def _check_codes(self, held: Held) -> None:
        if held.poll.access != CODES:
            raise ApiError(
                "this poll is open to whoever has its link, so it has no codes", code="api.codes"
            )

    def _check_room(self, id: str, codes: int = 0) -> None:
        """Refuse to let a poll grow without end: its log and its codes are sent to everybody."""
        _, _, log, issued, _ = self._look(id, None)
        if len(log) >= MOST_EVENTS or issued + codes > MOST_CODES:
            raise ApiError(
                f"a poll has at most {MOST_CODES:,} codes, and {MOST_EVENTS:,} lines in its log",
                code="api.room",
                codes=MOST_CODES,
                lines=MOST_EVENTS,
            )

    def _check_closes(self, closes: int) -> None:
        now = self._now()
        if not now < closes <= now + LATEST:
            raise ApiError(
                "'closes' must be a time to come, in seconds since 1970, at most ten years ahead",
                code="api.closes",
                given=closes,
                now=int(now),
            )

    async def finish(self) -> None:
        """End what is being computed."""
        for task in self._crowd.values():
            task.cancel()
        await asyncio.gather(*self._crowd.values(), return_exceptions=True)

    # --- the clock ----------------------------------------------------------------------------

    async def keep_closing(self, tick: float = 0.5) -> None:
        """Close polls whose time has come, until cancelled; a store that fails is asked again."""
        while True:
            try:
                await self.close_due()
            except Exception:  # the store says so to whoever votes, too
                self._looked = -LOOK
            await asyncio.sleep(tick)

    async def close_due(self) -> None:
        """Close the polls whose time has come."""
        if time.monotonic() - self._looked >= LOOK:
            found = await self.all()
            self._closings = {one.id: one.closes for one in found if not one.closed}
            self._looked = time.monotonic()
        due = [id for id, closes in self._closings.items() if closes <= self._now()]
        for id in due:
            kept = await self._do(self._store.poll, id)
            if kept is None or kept.closed:
                self._closings.pop(id, None)
            elif kept.closes > self._now():  # another worker has moved it
                self._closings[id] = kept.closes
            else:
                await self._do(self._store.close, id, self._event("closed"))
                self._closings.pop(id, None)
                self._shelf.forget(id)


def _refuse_closed() -> NoReturn:
    raise ApiError("this poll is closed, and never opens again", code="api.closed")

"""Polls in memory: read and checked once, so that a vote costs no look into the database.

Other workers may move the closing time, close or delete a poll: every second it is read again. A
vote that comes between is still safe, since the store itself takes none for a closed poll.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from struct import Struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.poll import Poll
from hushvote.poll.requests import request_size
from hushvote.server.store.contract import KeptPoll, Store

FRESH = 1.0  # seconds for which a poll is not read again
MOST = 1024  # polls in memory
_LETTERS = {1: "b", 2: "h", 4: "i", 8: "q"}  # of signed numbers, by their bytes


@dataclass
class Held:
    """A poll with everything that a vote needs."""

    kept: KeptPoll
    poll: Poll
    key: Ed25519PrivateKey
    until: float = 0.0  # by the steady clock: to be read again from then on

    @classmethod
    def of(cls, kept: KeptPoll) -> "Held":
        """Read the manifest and the key."""
        poll = Poll.load(kept.manifest, kept.digest.hex())
        return cls(kept, poll, Ed25519PrivateKey.from_private_bytes(kept.key))

    @property
    def id(self) -> str:
        """The poll's id."""
        return self.kept.id

    @cached_property
    def asks(self) -> bool:
        """Whether reports must answer questions, which then stand beside them."""
        return self.poll.mechanism.needs_question

    @cached_property
    def packed(self) -> Callable[..., bytes]:
        """Packs the values of a report, as one record of the domain's dtype."""
        types = [one.dtype for one in self.poll.mechanism.domain.fields]
        letters = (_LETTERS[one.itemsize] for one in types)
        signs = (one.kind == "i" for one in types)
        form = (a if signed else a.upper() for a, signed in zip(letters, signs, strict=True))
        return Struct("<" + "".join(form)).pack

    @cached_property
    def size(self) -> int:
        """Bytes that every request to this poll has."""
        return request_size(self.poll)

    def over(self, now: float) -> bool:
        """Whether the poll takes no more votes: it was closed, or its time has come."""
        return self.kept.closed or now >= self.kept.closes


class Shelf:
    """The polls of a store, by id."""

    def __init__(
        self, store: Store, readers: Executor, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._readers, self._clock = store, readers, clock
        self._polls: OrderedDict[str, Held] = OrderedDict()
        self._reading: dict[str, asyncio.Future[Held | None]] = {}

    def at_hand(self, id: str) -> Held | None:
        """A poll that needs not be read again."""
        held = self._polls.get(id)
        return held if held is not None and self._clock() < held.until else None

    async def find(self, id: str) -> Held | None:
        """A poll, read from the store if need be; many who ask at once make one reading."""
        if (held := self.at_hand(id)) is not None:
            return held
        if (reading := self._reading.get(id)) is None:
            loop = asyncio.get_running_loop()
            reading = loop.run_in_executor(self._readers, self._read, id, self._polls.get(id))
            self._reading[id] = reading
            reading.add_done_callback(lambda done: self._put(id, done))
        return await asyncio.shield(reading)

    def forget(self, id: str) -> None:
        """Read this poll again before it is used next."""
        self._reading.pop(id, None)  # what it finds may be older than what has just happened
        if (held := self._polls.get(id)) is not None:
            held.until = 0.0

    def _read(self, id: str, before: Held | None) -> Held | None:
        kept = self._store.poll(id)
        if kept is None:
            return None
        if before is None or before.kept.digest != kept.digest:
            return Held.of(kept)
        before.kept = kept
        return before

    def _put(self, id: str, reading: "asyncio.Future[Held | None]") -> None:
        current = self._reading.get(id) is reading
        if current:
            del self._reading[id]
        if reading.cancelled() or reading.exception() is not None or not current:
            return
        held = reading.result()
        if held is None:
            self._polls.pop(id, None)
            return
        held.until = self._clock() + FRESH
        self._polls[id] = held
        self._polls.move_to_end(id)
        while len(self._polls) > MOST:
            self._polls.popitem(last=False)

"""Keeping closed polls for so many days, and no longer.

A poll is deleted when the clock has said for some hours, at every look, that its time is over. So
a clock that jumps ahead for a while deletes nothing, and one that is behind only puts it off. What
the days are counted from, the store knows: no earlier than the latest time of the poll's own log.
"""

import time
from collections.abc import Callable, Sequence

from hushvote.server.store.contract import KeptPoll, Store

DAY = 86_400  # seconds
SURE = 6 * 3600.0  # seconds of the steady clock for which the clock must say the same


class Retention:
    """Which polls are to be deleted."""

    def __init__(
        self,
        days: int,
        now: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._days, self._now, self._steady = days, now, steady
        self._over: dict[str, float] = {}  # polls, and since when the clock says it, steadily

    def kept_until(self, kept: KeptPoll) -> int | None:
        """When a poll is to be deleted, as far as is known before it is closed; None: never."""
        if not self._days:
            return None
        return (kept.closes if kept.ended is None else kept.ended) + self._days * DAY

    def due(self, store: Store) -> Sequence[KeptPoll]:
        """The polls to be deleted now; to be asked every few minutes."""
        closed = [one for one in store.polls() if one.closed and one.ended is not None]
        now, steady = self._now(), self._steady()
        over = [one for one in closed if now >= (self.kept_until(one) or float("inf"))]
        self._over = {one.id: self._over.get(one.id, steady) for one in over}
        return [one for one in over if steady - self._over[one.id] >= SURE]

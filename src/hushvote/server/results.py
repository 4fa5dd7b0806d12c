"""What a poll publishes: always a recount of the stored reports, never a running sum.

A hidden poll publishes once, at close. A live one publishes again when its manifest's `live` more
reports stand than in what was published last, and at close; so two results that follow each other
before close differ by at least so many reports. What is published is kept by the store, by a number
that goes up by one: of two workers who count at the same time one is first, and both show the same.
"""

import json
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hushvote.errors import PollError
from hushvote.mechanisms.fields import Reports
from hushvote.poll import Poll
from hushvote.poll.checks import CODES
from hushvote.poll.published import MOST_INSPECTED, answer, written
from hushvote.server.standing import check_turnout, poll_of, standing_reports
from hushvote.server.store.contract import KeptPoll, Store
from hushvote.tally import Tally

MOST_SHOWN = 1000  # published results in memory
REST = 10.0  # times as long as a count took, an open poll is not counted again
TRIES = 8  # to publish at close, while live results of other workers come between


@dataclass(frozen=True)
class Published:
    """What is published of a poll at a step."""

    step: int
    text: str

    @cached_property
    def body(self) -> bytes:
        """What is sent."""
        return self.text.encode()

    @cached_property
    def _told(self) -> dict[str, Any]:
        return dict(json.loads(self.text))

    @property
    def n(self) -> int:
        """How many reports it counts."""
        return int(self._told["n"])

    @property
    def closed(self) -> bool:
        """Whether it is that of the closed poll."""
        return bool(self._told["closed"])


class Results:
    """The results of a store's polls; may be asked by several threads."""

    def __init__(self, store: Store, rest: float = REST) -> None:
        self._store, self._rest = store, rest
        self._rests_until: dict[str, float] = {}  # open polls, by the steady clock
        self._shown: OrderedDict[str, Published] = OrderedDict()
        self._counting: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def read(self, kept: KeptPoll) -> bytes:
        """The published result as JSON; refused while there is none."""
        poll = poll_of(kept)
        if not kept.closed and not poll.live:
            raise PollError("this poll shows its result when it is closed", code="result.hidden")
        with self._only_one(kept.id):  # others who ask meanwhile get what it counts
            shown = self._last(kept.id)
            for _ in range(TRIES):
                if not self._is_due(kept, poll, shown):
                    break
                shown = self._publish(kept, poll, shown)
        if shown is None:
            check_turnout(0, max(poll.turnout, poll.live), closed=kept.closed)
        assert shown is not None
        return shown.body

    def _is_due(self, kept: KeptPoll, poll: Poll, shown: Published | None) -> bool:
        """Whether there is something to publish that is not yet."""
        now = self._store.numbers(kept.id).standing
        if not kept.closed:
            rests = time.monotonic() < self._rests_until.get(kept.id, 0.0)
            return not rests and now >= _needed(poll, shown)
        check_turnout(now, poll.turnout, closed=True)
        return shown is None or not shown.closed or shown.n != now

    def _publish(self, kept: KeptPoll, poll: Poll, shown: Published | None) -> Published | None:
        """Count, and publish that as the next step, unless another worker was first.

        A large poll with small steps would be counted all the time: between two counts it rests,
        and its steps become larger.
        """
        begun = time.monotonic()
        tally, reports = counted(self._store, kept)
        self._rests_until.pop(kept.id, None)
        if not kept.closed:
            now = time.monotonic()
            self._rests_until[kept.id] = now + self._rest * (now - begun)
        if not kept.closed and tally.n < _needed(poll, shown):
            return shown  # some were withdrawn while they were counted
        issued = None
        if kept.closed and poll.access == CODES:
            made, revoked = self._store.code_numbers(kept.id)
            issued = made - revoked
        text = written(answer(poll, tally, reports, issued, closed=kept.closed))
        self._store.publish(kept.id, 1 if shown is None else shown.step + 1, text)
        return self._last(kept.id)

    def _last(self, id: str) -> Published | None:
        """What was published last, by whomever; read from its text once."""
        found = self._store.published(id)
        if found is None:
            return None
        with self._lock:
            known = self._shown.get(id)
            if known is None or (known.step, known.text) != found:
                known = self._shown[id] = Published(*found)
            self._shown.move_to_end(id)
            if len(self._shown) > MOST_SHOWN:
                self._shown.popitem(last=False)
        return known

    def _only_one(self, id: str) -> threading.Lock:
        with self._lock:
            if len(self._counting) > MOST_SHOWN:
                self._counting = {key: one for key, one in self._counting.items() if one.locked()}
            return self._counting.setdefault(id, threading.Lock())


def _needed(poll: Poll, shown: Published | None) -> int:
    """Standing reports from which an open poll publishes again."""
    return max(poll.turnout, poll.live + (0 if shown is None else shown.n))


def counted(store: Store, kept: KeptPoll) -> tuple[Tally, Reports | None]:
    """The tally of all reports that stand, and the reports of a closed poll, unless these are too
    many to be looked at one by one.
    """
    poll = poll_of(kept)
    total = poll.mechanism.tally(poll.mechanism.domain.empty(0))
    looked_at: list[Reports] | None = [] if kept.closed else None
    for reports in standing_reports(store, kept):
        total += poll.mechanism.tally(reports)
        if looked_at is not None:
            looked_at.append(reports)
            if total.n > MOST_INSPECTED:
                looked_at = None
    tally = total.named(poll.candidates).for_poll(poll.digest)
    return tally, np.concatenate(looked_at) if looked_at else None

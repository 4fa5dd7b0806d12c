"""What a poll could promise and decide, before it is made: computed beside votes, and kept."""

import math
from collections import OrderedDict
from dataclasses import dataclass

import hushvote as hv
from hushvote.errors import MechanismError, PollError
from hushvote.mechanisms.registry import default_mechanism
from hushvote.naming import mechanism_of, rule_of
from hushvote.planning import Plan, most_lead, rounded_up, voters_needed
from hushvote.poll.checks import CODES, FEWEST, LINK, MOST
from hushvote.result.seats import check_seats

KEPT = 512  # prospects that are kept


@dataclass(frozen=True)
class Question:
    """So many candidates, voters and seats, and one epsilon."""

    candidates: int
    voters: int
    epsilon: str
    rule: str = "borda"
    seats: int = 1
    access: str = CODES
    among: int = FEWEST  # reports below which nothing is shown


@dataclass(frozen=True)
class Prospect:
    """What whoever sees a report, or all of them, may learn; and what can be certified."""

    epsilon: float
    odds: float  # exp(epsilon), rounded up
    crowd_epsilon: float | None  # none in polls by link; never above the local one
    lead: float | None  # that is most likely certified; None: not even the largest
    most: float  # the largest lead that there can be
    low: float  # scores of the last and the first place
    high: float
    plenty: int  # voters who most likely certify half of the largest


def prospect(asked: Question) -> Prospect:
    """The prospect of one epsilon; refused if there is no such poll."""
    _check(asked)
    rule = rule_of(asked.rule, asked.candidates)
    made = mechanism_of(default_mechanism(), rule, asked.epsilon)
    local, most = float(made.epsilon), most_lead(rule, asked.seats)
    crowd = None
    if asked.access == CODES:
        crowd = min(local, rounded_up(hv.shuffled_epsilon(made, asked.among), 3))
    return Prospect(
        local,
        rounded_up(math.exp(local), 3),
        crowd,
        _lead(made, asked),
        most,
        float(rule.scores[-1]),
        float(rule.scores[0]),
        voters_needed(made, most / 2, seats=asked.seats),
    )


def _lead(made: hv.Mechanism, asked: Question) -> float | None:
    """The least lead that so many voters most likely certify; None if there is none."""
    try:
        return Plan(made, asked.voters, 0.0, seats=asked.seats).with_voters(asked.voters).lead
    except MechanismError as error:
        if error.code != "plan.hopeless":
            raise
        return None


def _check(asked: Question) -> None:
    check_seats(asked.seats, asked.candidates)
    if asked.access not in (CODES, LINK):
        raise PollError(
            f"access is {CODES!r} or {LINK!r}, not {asked.access!r}",
            code="poll.access",
            given=asked.access,
        )
    if not FEWEST <= asked.among <= MOST:
        raise PollError(
            f"turnout and live must be from {FEWEST} to {MOST:,}",
            code="poll.turnout",
            given=asked.among,
        )


class Kept:
    """Prospects that were computed before, the latest ones."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._found: OrderedDict[Question, Prospect] = OrderedDict()

    def get(self, asked: Question) -> Prospect | None:
        """What was computed before, if it is still known."""
        if asked in self._found:
            self._found.move_to_end(asked)
        return self._found.get(asked)

    def put(self, asked: Question, found: Prospect) -> None:
        """Keep a prospect, and forget the one that was asked for longest ago."""
        self._found[asked] = found
        while len(self._found) > self._most:
            self._found.popitem(last=False)

"""What a mechanism may tell about its counts, so that made-up reports can be found among them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms.fields import Reports
from hushvote.messages import say

Floats = NDArray[np.float64]
Axis = Literal["variant", "candidate", "pair", "over"]


@dataclass(frozen=True)
class PairRange:
    """What one report adds to a count, over all rankings."""

    values: tuple[int, ...]
    """What it may add, other than 0."""
    low: float
    """A lower bound of its mean."""
    high: float
    """An upper bound of its mean."""
    square: float
    """An upper bound of its mean square."""


@dataclass(frozen=True)
class Counted:
    """What an array counts, in words: "{candidate} named", "{two candidates} both named"."""

    one: str = field(default_factory=lambda: say("counted"))
    two: str = field(default_factory=lambda: say("counted"))
    above: str | None = None
    """Of two candidates for whom reports only ever add numbers above 0, where that is special."""
    below: str | None = None
    """The same for numbers below 0."""


def _numbered(variant: int) -> str:
    return say("variant", variant=variant)


@dataclass(frozen=True, eq=False)
class Signals:
    """Everything that detection asks of a mechanism. All of it is optional: what is left out is
    derived from the listed law, or not looked at.
    """

    axes: Mapping[str, tuple[Axis, ...]] = field(default_factory=dict)
    """What the axes of the tally's arrays stand for: a "variant" (a type, a class, an answer), a
    "candidate", a "pair" (two axes, alike both ways round, single candidates on the diagonal) or
    one candidate "over" another (two axes). Arrays that are left out are not inspected."""
    words: Mapping[str, Counted] = field(default_factory=dict)
    """What these arrays count."""
    variant_words: Callable[[int], str] = _numbered
    """Which reports they count in one of their variants."""
    sides: Callable[[Reports], tuple[Floats, Floats]] | None = None
    """Where reports put some candidates over others: who is above, and who below, as 0s and 1s, a
    row for each report."""
    chances: Callable[[Reports], tuple[Floats, Floats]] | None = None
    """Least and largest chance of each report, over all rankings."""
    memberships: Callable[[], Mapping[str, Floats]] | None = None
    """Needed where the law is too long to list. For arrays that count candidates: how likely the
    candidate at each rank is to be counted, in each variant (in an array of pairs, its diagonal);
    for others, how likely each variant is, as a column."""
    pairings: Callable[[], Mapping[str, list[PairRange]]] | None = None
    """Needed where the law is too long to list. For arrays that count pairs of candidates: what one
    report adds for a pair, in each variant."""
    score_tail: Callable[[Floats, int], Floats] | None = None
    """Needed where views have no largest size: log of the chance at most that the views of
    m = 1, ..., d-1 candidates add up to so many points more than they should, over n reports."""

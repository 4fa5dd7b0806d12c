"""What the counts of one honest report can be, over all rankings."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hushvote.detection.tails import Bounds
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.mechanisms.signals import Axis, PairRange, Signals
from hushvote.rankings import blocks
from hushvote.tally import Counts

CELLS = 1 << 20  # counts of outcomes that are looked at at a time


@dataclass(frozen=True, eq=False)
class Statistics:
    """What is looked at in one array of the tally: for every variant of the reports (a type, a
    class, an answer) the same cells, which stand for nobody, one candidate or two of them.
    """

    array: str
    people: tuple[tuple[int, ...], ...]
    width: int
    """Cells of a variant."""
    cells: NDArray[np.intp] | None = None
    """Which of them; None for the sum of them all."""
    between: Literal["and", "over"] = "and"
    """How two candidates are joined in words."""

    @property
    def kind(self) -> int:
        """How many candidates a cell stands for."""
        return len(self.people[0])

    def of(self, counts: NDArray[np.int64], several: bool = False) -> NDArray[np.int64]:
        """The statistics in an array, or in a stack of several: by variants and cells."""
        parts = counts.reshape(*counts.shape[:several], -1, self.width)
        if self.cells is None:
            return np.asarray(parts.sum(axis=-1, keepdims=True))
        return np.asarray(parts[..., self.cells])


@dataclass(frozen=True, eq=False)
class Batch:
    """Statistics with their bounds, the variants one after the other."""

    what: Statistics
    bounds: Bounds

    def sums(self, counts: Counts) -> NDArray[np.int64]:
        """The statistics of a tally."""
        return self.what.of(counts[self.what.array]).ravel()


@dataclass(frozen=True, eq=False)
class HonestCounts:
    """Bounds for every ranking; and of the views under 0, 1, ..., where they can be listed."""

    batches: tuple[Batch, ...]
    spread: Floats | None = None
    """Covariance of the view."""
    furthest: Floats | None = None
    """For m = 1, ..., d-1 the largest sum of m entries of a view."""


@lru_cache(maxsize=64)
def honest_counts(mechanism: Mechanism) -> HonestCounts:
    """Bounds for the reports of a mechanism; worked out once."""
    signals = mechanism.signals() or Signals()
    asked = [
        what
        for array, axes in signals.axes.items()
        for what in _statistics(array, axes[-1], mechanism.d)
    ]
    if mechanism.listed is None:
        return HonestCounts(tuple(_unlisted(mechanism, signals, asked)))
    reports, chances = mechanism.listed
    batches = _listed(mechanism, asked, reports, chances)
    if any(batch.what.kind == 1 and batch.bounds.binary.all() for batch in batches):
        batches = [b for b in batches if b.what.kind != 1 or b.bounds.binary.all()]
    views = mechanism.views(reports)
    off = views - chances @ views
    furthest = np.cumsum(-np.sort(-views, axis=1), axis=1)[:, :-1].max(axis=0)
    return HonestCounts(tuple(batches), (chances[:, None] * off).T @ off, furthest)


def _statistics(array: str, axis: Axis, d: int) -> Iterator[Statistics]:
    """What there is to look at in an array, by what its last axis stands for."""
    alone = tuple((j,) for j in range(d))
    if axis == "variant":
        yield Statistics(array, ((),), 1)
    elif axis == "candidate":
        yield Statistics(array, alone, d, np.arange(d))
        yield Statistics(array, ((),), d)
    elif axis == "pair":
        pairs = tuple(itertools.combinations(range(d), 2))
        yield Statistics(array, alone, d * d, np.arange(d) * (d + 1))
        yield Statistics(array, pairs, d * d, np.array([i * d + j for i, j in pairs]))
    else:
        over = tuple(itertools.permutations(range(d), 2))
        places = np.array([i * d + j for i, j in over])
        yield Statistics(array, over, d * d, places, "over")


# --- from the list of all outcomes ------------------------------------------------------------


def _listed(
    mechanism: Mechanism, asked: Sequence[Statistics], reports: Reports, chances: Floats
) -> list[Batch]:
    """Bounds from the counts of every outcome under 0, 1, ...

    Over all rankings a candidate stands at every rank, and two of them at every two ranks: so the
    mean of any one's cell lies between the means of all cells here.
    """
    found = [_Found() for _ in asked]
    size = sum(array.size for array in mechanism.zero().values())
    for block in blocks(len(reports), max(1, CELLS // size)):
        counted = [mechanism.count(report) for report in reports[block].reshape(-1, 1)]
        for what, one in zip(asked, found, strict=True):
            stack = np.stack([counts[what.array] for counts in counted])
            one.add(what.of(stack, several=True).astype(np.float64), chances[block])
    return [
        Batch(what, one.bounds().repeated(len(what.people)))
        for what, one in zip(asked, found, strict=True)
    ]


class _Found:
    """Means, squares and values of statistics so far, by variants and ranks."""

    def __init__(self) -> None:
        self.mean: Floats | float = 0.0
        self.square: Floats | float = 0.0
        self.least: Floats | float = np.inf
        self.most: Floats | float = -np.inf
        self.least_else: Floats | float = np.inf  # of the values other than 0
        self.most_else: Floats | float = -np.inf

    def add(self, values: Floats, chances: Floats) -> None:
        """Further outcomes: (outcomes, variants, ranks)."""
        self.mean += np.tensordot(chances, values, axes=1)
        self.square += np.tensordot(chances, values**2, axes=1)
        self.least = np.minimum(self.least, values.min(axis=(0, 2)))
        self.most = np.maximum(self.most, values.max(axis=(0, 2)))
        low, high = np.where(values, values, np.inf), np.where(values, values, -np.inf)
        self.least_else = np.minimum(self.least_else, low.min(axis=(0, 2)))
        self.most_else = np.maximum(self.most_else, high.max(axis=(0, 2)))

    def bounds(self) -> Bounds:
        """One for each variant."""
        mean, square = np.asarray(self.mean), np.asarray(self.square)
        least, most = np.asarray(self.least), np.asarray(self.most)
        binary = (self.least_else == self.most_else) & ((least == 0) | (most == 0))
        variance = (square - mean**2).max(axis=1)
        return Bounds(mean.min(axis=1), mean.max(axis=1), least, most, variance, binary)


# --- from closed forms, where outcomes are too many to list -----------------------------------


def _unlisted(
    mechanism: Mechanism, signals: Signals, asked: Sequence[Statistics]
) -> Iterator[Batch]:
    """Bounds of all that the mechanism knows a closed form for."""
    single = signals.memberships() if signals.memberships else {}
    double = signals.pairings() if signals.pairings else {}
    for what in asked:
        if what.kind == 2 and what.array in double:
            bounds = _of_pairs(double[what.array])
        elif what.kind < 2 and what.array in single:
            chances = single[what.array]
            whole = what.kind == 0 and chances.shape[1] > 1
            bounds = _of_groups(what.array, chances, mechanism) if whole else _zero_or(1.0, chances)
        else:
            continue
        yield Batch(what, bounds.repeated(len(what.people)))


def _of_groups(array: str, chances: Floats, mechanism: Mechanism) -> Bounds:
    """Bounds of how many members a group has: a fixed number, in reports of the variant."""
    sizes = next(field.sizes for field in mechanism.fields if field.name == array) or ()
    values = np.repeat(np.array(sizes, dtype=np.float64), len(chances) // len(sizes))
    return _zero_or(values, chances.sum(axis=1, keepdims=True))


def _of_pairs(variants: Sequence[PairRange]) -> Bounds:
    """Bounds of what reports add for a pair."""
    return Bounds(
        np.array([pair.low for pair in variants]),
        np.array([pair.high for pair in variants]),
        np.array([min((0, *pair.values)) for pair in variants], dtype=np.float64),
        np.array([max((0, *pair.values)) for pair in variants], dtype=np.float64),
        np.array([pair.square for pair in variants]),  # at least the variance
        np.array([len(pair.values) == 1 for pair in variants]),
    )


def _zero_or(value: Floats | float, means: Floats) -> Bounds:
    """Bounds of statistics that are 0 or a value, from their means (variants, ranks)."""
    values = np.broadcast_to(value, len(means))
    low, high = means.min(axis=1), means.max(axis=1)
    variance = (means * (values[:, None] - means)).max(axis=1)
    least = np.where(low >= values * (1 - 1e-12), values, 0.0)  # always counted
    return Bounds(low, high, least, values, variance, least == 0)

"""What the counts of one honest report can be, over all rankings."""

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hushvote.detection.tails import Bounds
from hushvote.mechanisms import mechanism_from
from hushvote.mechanisms.contract import Addend, Floats, Mechanism
from hushvote.tally import Counts, canonical


@dataclass(frozen=True, eq=False)
class Batch:
    """Statistics of one kind, in one array of the tally: for every level (a type, a class, an
    answer) the same cells, which stand for nobody, one candidate or a pair of them.
    """

    array: str
    people: tuple[tuple[int, ...], ...]
    cells: NDArray[np.intp] | None
    """Places in the level's part of the array; None for the sum of them all."""
    bounds: Bounds

    @property
    def kind(self) -> int:
        """How many candidates a cell stands for."""
        return len(self.people[0])

    def sums(self, counts: Counts) -> NDArray[np.int64]:
        """The statistics of a tally, level by level."""
        levels = len(self.bounds.low) // len(self.people)
        parts = counts[self.array].reshape(levels, -1)
        return parts.sum(axis=1) if self.cells is None else parts[:, self.cells].ravel()


@dataclass(frozen=True, eq=False)
class Law:
    """All outcomes of a mechanism for the ranking 0, 1, ..., as far as they can be listed."""

    batches: tuple[Batch, ...]
    spread: Floats | None = None
    """Covariance of the view."""
    furthest: Floats | None = None
    """For m = 1, ..., d-1 the largest sum of m entries of a view."""


def law_of(mechanism: Mechanism) -> Law:
    """The law of a mechanism; worked out once."""
    return _law(canonical(mechanism.parameters()))


@lru_cache(maxsize=64)
def _law(parameters: bytes) -> Law:
    mechanism = mechanism_from(json.loads(parameters))
    if mechanism.listed is None:
        single = mechanism.memberships().items()
        pairs = mechanism.pairings().items()
        batches = [batch for name, p in single for batch in _large(name, p, mechanism)]
        return Law((*batches, *(_paired(name, levels, mechanism.d) for name, levels in pairs)))
    reports, chances = mechanism.listed
    counted = [mechanism.count(report) for report in reports.reshape(-1, 1)]
    batches = [
        batch
        for name in mechanism.zero()
        for batch in _batches(name, np.stack([one[name] for one in counted]), chances, mechanism.d)
    ]
    if any(batch.kind == 1 and batch.bounds.binary.all() for batch in batches):
        batches = [batch for batch in batches if batch.kind != 1 or batch.bounds.binary.all()]
    views = mechanism.views(reports)
    off = views - chances @ views
    furthest = np.cumsum(-np.sort(-views, axis=1), axis=1)[:, :-1].max(axis=0)
    return Law(tuple(batches), (chances[:, None] * off).T @ off, furthest)


def _batches(name: str, each: NDArray[np.int64], chances: Floats, d: int) -> Iterator[Batch]:
    """The statistics in an array of counts, from the counts of every outcome.

    Over all rankings a candidate stands at every rank, and a pair at every pair of ranks: so the
    mean of a candidate's cell lies between the means of all candidates' cells here.
    """
    shape = each.shape[1:]
    diagonal = np.arange(d) * (d + 1)
    alone = tuple((j,) for j in range(d))
    if shape[-2:] == (d, d) and (each == each.swapaxes(-1, -2)).all():
        cells = each.reshape(len(each), -1, d * d)
        pairs = tuple(itertools.combinations(range(d), 2))
        apart = np.setdiff1d(np.arange(d * d), diagonal)
        yield Batch(name, alone, diagonal, _bounds(cells[:, :, diagonal], chances, d))
        where = np.array([i * d + j for i, j in pairs])
        yield Batch(name, pairs, where, _bounds(cells[:, :, apart], chances, len(pairs)))
    elif shape[-1] == d:
        cells = each.reshape(len(each), -1, d)
        yield Batch(name, alone, np.arange(d), _bounds(cells, chances, d))
        yield Batch(name, ((),), None, _bounds(cells.sum(axis=2, keepdims=True), chances, 1))
    else:
        cells = each.reshape(len(each), -1, 1)
        yield Batch(name, ((),), None, _bounds(cells, chances, 1))


def _bounds(each: NDArray[np.int64], chances: Floats, copies: int) -> Bounds:
    """Bounds of statistics, from (outcomes, levels, ranks); the same for each of the copies."""
    values = each.astype(np.float64)
    mean = np.tensordot(chances, values, axes=1)
    variance = np.tensordot(chances, values**2, axes=1) - mean**2
    least, most = values.min(axis=(0, 2)), values.max(axis=(0, 2))
    ends = (values == least[:, None]) | (values == most[:, None])
    return Bounds(
        mean.min(axis=1),
        mean.max(axis=1),
        least,
        most,
        variance.max(axis=1),
        ends.all(axis=(0, 2)) & ((least == 0) | (most == 0)),
    ).repeated(copies)


def _large(name: str, chances: Floats, mechanism: Mechanism) -> Iterator[Batch]:
    """Types and single candidates, from the chance of each rank to be counted, level by level."""
    d, levels = mechanism.d, len(chances)
    if chances.shape[1] == 1:
        yield Batch(name, ((),), None, _zero_or(np.ones(levels), chances))
        return
    paired = mechanism.zero()[name].size == levels * d * d
    cells: Sequence[int] = range(0, d * d, d + 1) if paired else range(d)
    single = _zero_or(np.ones(levels), chances).repeated(d)
    yield Batch(name, tuple((j,) for j in range(d)), np.array(cells), single)
    sizes = next((field.sizes for field in mechanism.fields if field.name == name), None)
    if sizes is not None and not paired:
        each = np.repeat(np.array(sizes, dtype=np.float64), levels // len(sizes))
        if each.all():
            yield Batch(name, ((),), None, _zero_or(each, chances.sum(axis=1, keepdims=True)))


def _paired(name: str, levels: Sequence[Sequence[Addend]], d: int) -> Batch:
    """Pairs of candidates, from what a report may add for one."""
    pairs = tuple(itertools.combinations(range(d), 2))
    columns = []
    for level in levels:
        values = [addend.value for addend in level]
        ends = [sorted((v * a.least, v * a.most)) for v, a in zip(values, level, strict=True)]
        columns.append(
            (
                sum(low for low, _ in ends),
                sum(high for _, high in ends),
                min(0, *values),
                max(0, *values),
                sum(a.value**2 * a.most for a in level),  # E x² is at least the variance
            )
        )
    low, high, least, most, variance = np.array(columns, dtype=np.float64).T
    binary = np.array([len(level) == 1 for level in levels])
    bounds = Bounds(low, high, least, most, variance, binary).repeated(len(pairs))
    return Batch(name, pairs, np.array([i * d + j for i, j in pairs]), bounds)


def _zero_or(values: Floats, means: Floats) -> Bounds:
    """Bounds of statistics that are 0 or a value, from their means (levels, ranks)."""
    low, high = means.min(axis=1), means.max(axis=1)
    variance = (means * (values[:, None] - means)).max(axis=1)
    least = np.where(low >= values * (1 - 1e-12), values, 0.0)  # always counted
    return Bounds(low, high, least, values, variance, least == 0)

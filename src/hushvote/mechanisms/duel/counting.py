"""Exact counts behind a question: how many groups pass a threshold, and who is in them.

For two groups the statistic is X = g λ(T+) - l λ(T-), with gain g and loss l. The generating
function ∏ (1 + y q^(gλ) + z q^(-lλ)) has in its coefficient of y^a z^b the law of X over all pairs
of groups; dividing by one rank's factor leaves out that rank. Everything is in unsigned 64-bit
integers, exact as long as there are fewer than 2^64 pairs of groups. The groups of a finer
question, which has few candidates, are listed one by one.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms.duel.question import Shape, Weights

Counts = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Counting:
    """For every value τ that X takes, rising: how many outcomes have X >= τ, and who is in them."""

    outcomes: int
    thresholds: NDArray[np.int64]
    passing: Counts
    members: tuple[Counts, ...]
    """`members[g][j, i]`: of the outcomes with X >= thresholds[i], those with rank j in group g."""


def outcomes_of(d: int, sizes: tuple[int, ...]) -> int:
    """Number of ways to draw disjoint groups of these sizes out of d."""
    found = 1
    for size in sizes:
        found *= math.comb(d, size)
        d -= size
    return found


def cells(shape: Shape, weights: Weights) -> int:
    """What a count goes through: ranks times numbers of members times values of X."""
    d, sizes = len(weights), shape.sizes
    if shape.fine:
        return d * outcomes_of(d, sizes)
    (a, b), (gain, loss) = sizes, (shape.marks[0], -shape.marks[1])
    ranked = sorted(w - min(weights) for w in weights)
    if a + b == d:
        few = min(a, b)
        return d * (few + 1) * (sum(ranked[-few:]) + 1)
    g = math.gcd(gain, loss)
    values = (gain * sum(ranked[-a:]) + loss * sum(ranked[-b:])) // g + 1
    return d * (a + 1) * (b + 1) * values


def listed(ranks: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All disjoint groups of these sizes."""
    if not sizes:
        yield ()
        return
    for group in itertools.combinations(ranks, sizes[0]):
        rest = tuple(r for r in ranks if r not in group)
        for others in listed(rest, sizes[1:]):
            yield (group, *others)


def count(shape: Shape, weights: Weights) -> Counting:
    """Count all groups by the value of X."""
    d, sizes = len(weights), shape.sizes
    if outcomes_of(d, sizes) >= 1 << 64:
        raise OverflowError(f"groups of {sizes} out of {d} are too many to count in 64 bits")
    low = min(weights)
    shifted = [w - low for w in weights]
    values, total, members = _one_by_one(shape, shifted) if shape.fine else _pairs(shape, shifted)
    taken = total > 0
    return Counting(
        outcomes_of(d, sizes),
        values[taken] + low * int(shape.mean(d) * d),
        from_above(total[taken]),
        tuple(from_above(counts[:, taken]) for counts in members),
    )


Counted = tuple[NDArray[np.int64], Counts, tuple[Counts, ...]]
"""Values of X, how many outcomes have each, and how many of those have rank j in each group."""


def _pairs(shape: Shape, weights: list[int]) -> Counted:
    (a, b), (gain, loss) = shape.sizes, (shape.marks[0], -shape.marks[1])
    if a + b == len(weights) and a <= b:
        values, total, plus = _one_group(weights, a)
        return (gain + loss) * values - loss * sum(weights), total, (plus, total - plus)
    if a + b == len(weights):
        values, rising, counts = _one_group(weights, b)
        total, minus = rising[::-1], counts[:, ::-1]
        return gain * sum(weights) - (gain + loss) * values[::-1], total, (total - minus, minus)
    g = math.gcd(gain, loss)
    values, total, plus, minus = _two_groups(weights, a, b, gain // g, loss // g)
    return g * values, total, (plus, minus)


def _one_by_one(shape: Shape, weights: list[int]) -> Counted:
    inside = memberships(len(weights), shape.sizes)
    x = np.array(shape.marks) @ (inside @ np.array(weights))
    order = np.argsort(x)
    values, first, total = np.unique(x[order], return_index=True, return_counts=True)
    members = np.add.reduceat(inside[:, order], first, axis=1).transpose(0, 2, 1)
    return values, total.astype(np.uint64), tuple(members.astype(np.uint64))


@lru_cache(maxsize=256)
def memberships(d: int, sizes: tuple[int, ...]) -> NDArray[np.int64]:
    """For each group and outcome, 1 at the ranks that are in the group."""
    outcomes = list(listed(tuple(range(d)), sizes))
    inside = np.zeros((len(sizes), len(outcomes), d), dtype=np.int64)
    for o, groups in enumerate(outcomes):
        for g, group in enumerate(groups):
            inside[g, o, list(group)] = 1
    return inside


def from_above(counts: Counts) -> Counts:
    """Sums of the last axis from each place on."""
    return np.ascontiguousarray(np.cumsum(counts[..., ::-1], axis=-1, dtype=np.uint64)[..., ::-1])


def _one_group(weights: list[int], a: int) -> tuple[NDArray[np.int64], Counts, Counts]:
    """Law of λ(T+) when T- is everyone else, and the same with each rank in T+."""
    size = sum(sorted(weights)[-a:]) + 1
    table = np.zeros((a + 1, size), dtype=np.uint64)
    table[0, 0] = 1
    for w in weights:
        table[1:, w:] += table[:-1, : size - w].copy()
    before, _ = sources(weights, weights, size)
    without = np.zeros((len(weights), size + 1), dtype=np.uint64)
    for i in range(a):
        without[:, :-1] = table[i] - np.take_along_axis(without, before, axis=1)
    plus = np.take_along_axis(without, before, axis=1)
    return np.arange(size), table[a], plus


def _two_groups(
    weights: list[int], a: int, b: int, up: int, down: int
) -> tuple[NDArray[np.int64], Counts, Counts, Counts]:
    """Law of up λ(T+) - down λ(T-), and the same with each rank in T+ or in T-."""
    ranked = sorted(weights)
    low, high = down * sum(ranked[-b:]), up * sum(ranked[-a:])
    size = low + high + 1
    table = np.zeros((a + 1, b + 1, size), dtype=np.uint64)
    table[0, 0, low] = 1
    for w in weights:
        old = table.copy()
        table[1:, :, up * w :] += old[:-1, :, : size - up * w]
        table[:, 1:, : size - down * w] += old[:, :-1, down * w :]
    before, behind = sources([up * w for w in weights], [down * w for w in weights], size)
    # one row of `without` at a time: row[k] leaves the rank out with i in T+ and k in T-
    nothing = np.zeros((len(weights), size + 1), dtype=np.uint64)
    above = [nothing] * (b + 1)
    for i in range(a + 1):
        row: list[Counts] = []
        for k in range(b + 1):
            left = np.take_along_axis(row[k - 1], behind, axis=1) if k else 0
            here = np.zeros((len(weights), size + 1), dtype=np.uint64)
            here[:, :-1] = table[i, k] - np.take_along_axis(above[k], before, axis=1) - left
            row.append(here)
        if i == a - 1:
            plus = np.take_along_axis(row[b], before, axis=1)
        if i == a:
            minus = np.take_along_axis(row[b - 1], behind, axis=1)
        above = row
    return np.arange(-low, high + 1), table[a, b], plus, minus


def sources(up: list[int], down: list[int], size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where a value comes from when a rank joins T+ (value - up) or T- (value + down); values
    out of range come from the empty last column.
    """
    values = np.arange(size)
    before = values - np.array(up)[:, None]
    behind = values + np.array(down)[:, None]
    return np.where(before < 0, size, before), np.where(behind >= size, size, behind)

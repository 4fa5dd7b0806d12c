"""Exact counts behind a question: how many pairs of groups pass a threshold, and who is in them.

The statistic is X = g λ(T+) - l λ(T-), with gain g and loss l. The generating function
∏ (1 + y q^(gλ) + z q^(-lλ)) has in its coefficient of y^a z^b the law of X over all pairs of
groups; dividing by one rank's factor leaves out that rank. Everything is in unsigned 64-bit
integers, exact as long as there are fewer than 2^64 pairs of groups.
"""

import math
from dataclasses import dataclass

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
    plus: Counts
    """`plus[j, i]`: of the outcomes with X >= thresholds[i], those with rank j in T+."""
    minus: Counts


def outcomes_of(d: int, a: int, b: int) -> int:
    """Number of ways to draw disjoint groups of sizes a and b out of d."""
    return math.comb(d, a) * math.comb(d - a, b)


def count(shape: Shape, weights: Weights) -> Counting:
    """Count all pairs of groups by the value of X."""
    d, a, b, gain, loss = len(weights), shape.a, shape.b, shape.gain, shape.loss
    if outcomes_of(d, a, b) >= 1 << 64:
        raise OverflowError(f"groups of {a} and {b} out of {d} are too many to count in 64 bits")
    low = min(weights)
    shifted = [w - low for w in weights]
    if a + b == d:
        values, total, plus = _one_group(shifted, a)
        thresholds = (gain + loss) * values - loss * sum(shifted)
        minus = total - plus
    else:
        g = math.gcd(gain, loss)
        values, total, plus, minus = _two_groups(shifted, a, b, gain // g, loss // g)
        thresholds = g * values
    taken = total > 0
    return Counting(
        outcomes_of(d, a, b),
        thresholds[taken] + low * (gain * a - loss * b),
        _from_above(total[taken]),
        _from_above(plus[:, taken]),
        _from_above(minus[:, taken]),
    )


def _from_above(counts: Counts) -> Counts:
    return np.ascontiguousarray(np.cumsum(counts[..., ::-1], axis=-1, dtype=np.uint64)[..., ::-1])


def _one_group(weights: list[int], a: int) -> tuple[NDArray[np.int64], Counts, Counts]:
    """Law of λ(T+) when T- is everyone else, and the same with each rank in T+."""
    size = sum(sorted(weights)[-a:]) + 1
    table = np.zeros((a + 1, size), dtype=np.uint64)
    table[0, 0] = 1
    for w in weights:
        table[1:, w:] += table[:-1, : size - w].copy()
    before, _ = _sources(weights, weights, size)
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
    before, behind = _sources([up * w for w in weights], [down * w for w in weights], size)
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


def _sources(
    up: list[int], down: list[int], size: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where a value comes from when a rank joins T+ (value - up) or T- (value + down); values
    out of range come from the empty last column.
    """
    values = np.arange(size)
    before = values - np.array(up)[:, None]
    behind = values + np.array(down)[:, None]
    return np.where(before < 0, size, before), np.where(behind >= size, size, behind)

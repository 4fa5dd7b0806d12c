"""Exact counts of two candidates: in which groups they are, in the outcomes that pass.

Leaving rank s out of a count divides its generating function by 1 + y q^u + z q^-v, that is, it
adds up (-1)^(m+l) C(m+l, m) y^m z^l q^(um-vl) times it. As in `counting`, integers wrap at 2^64 on
the way, and the results are exact.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms.duel import counting
from hushvote.mechanisms.duel.counting import Counts
from hushvote.mechanisms.duel.question import Question

Floats = NDArray[np.float64]


@lru_cache(maxsize=256)
def pair_members(question: Question) -> Floats:
    """`[g, h, r, s]`: the share of all outcomes that pass with rank r in group g and rank s in
    group h, the last group being those in none; where r = s it means nothing.
    """
    shape, d, none = question.shape, question.d, len(question.shape.sizes)
    known = counting.count(shape, question.weights)
    found = np.zeros((none + 1, none + 1, d, d))
    i = int(np.searchsorted(known.thresholds, question.threshold))
    if i == len(known.thresholds):
        return found
    alone = np.stack([members[:, i] for members in known.members]).astype(np.float64)
    passing, inner = float(known.passing[i]), found[:none, :none]
    if shape.fine:
        inner[:] = _one_by_one(question)
    elif sum(shape.sizes) == d:
        inner[:] = _of_halves(question, passing, alone)
    else:
        inner[:] = _of_two(question)
    found[:none, none] = alone[:, :, None] - inner.sum(axis=1)
    found[none, :none] = alone[:, None, :] - inner.sum(axis=0)
    found[none, none] = passing - alone.sum(axis=0)[:, None] - found[none, :none].sum(axis=0)
    return found / known.outcomes


def _one_by_one(question: Question) -> Floats:
    inside = counting.memberships(question.d, question.shape.sizes)
    x = np.array(question.shape.marks) @ (inside @ np.array(question.weights))
    passing = inside[:, x >= question.threshold].astype(np.float64)
    return np.asarray(np.einsum("gor,hos->ghrs", passing, passing))


def _of_halves(question: Question, passing: float, alone: Floats) -> Floats:
    """Everybody is in T+ or T-: the pairs in the smaller group are counted, the others follow."""
    (a, b), (gain, minus) = question.shape.sizes, question.shape.marks
    weights, total, d = list(question.weights), sum(question.weights), question.d
    low, each = min(weights), gain - minus
    few, small = (0, a) if a <= b else (1, b)
    if few == 0:  # X = (gain + loss) λ(T+) - loss Σ λ
        least = -((minus * total - question.threshold) // each)
    else:  # X = gain Σ λ - (gain + loss) λ(T-), so T- must not weigh more
        least = (gain * total - question.threshold) // each + 1
    shifted = [w - low for w in weights]
    both = _Pairs.of(shifted, [0] * d, small, 0).both((1, 1), least - small * low)
    if few == 1:
        both = math.comb(d - 2, small - 2) - both if small > 1 else both
    found = np.empty((2, 2, d, d))
    own, rest = alone[few], alone[1 - few]
    found[few, few] = both
    found[few, 1 - few] = own[:, None] - both
    found[1 - few, few] = own[None, :] - both
    found[1 - few, 1 - few] = rest[:, None] - found[few, 1 - few].T
    return found


def _of_two(question: Question) -> Floats:
    (a, b), (gain, minus) = question.shape.sizes, question.shape.marks
    low = min(question.weights)
    up = [gain * (w - low) for w in question.weights]
    down = [-minus * (w - low) for w in question.weights]
    pairs = _Pairs.of(up, down, a, b)
    least = question.threshold - low * (gain * a + minus * b)
    sides = (1, -1)
    return np.stack([np.stack([pairs.both((x, y), least) for y in sides]) for x in sides])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Counts of groups that leave out one rank, by the value of X."""

    up: NDArray[np.int64]
    down: NDArray[np.int64]
    """What X gains by a rank in T+, and loses by one in T-; in units."""
    unit: int
    tails: Counts
    """`[r, i, k, x + low]`: groups of i and k ranks without r whose value is x or more."""
    low: int

    @classmethod
    def of(cls, up: list[int], down: list[int], a: int, b: int) -> "_Pairs":
        """Of groups up to the sizes a and b."""
        g = math.gcd(*up, *down) or 1
        up, down = [u // g for u in up], [v // g for v in down]
        low, high = (sum(sorted(each)[len(each) - k :]) for each, k in ((down, b), (up, a)))
        size = low + high + 1
        table = np.zeros((a + 1, b + 1, size), dtype=np.uint64)
        table[0, 0, low] = 1
        for u, v in zip(up, down, strict=True):
            old = table.copy()
            table[1:, :, u:] += old[:-1, :, : size - u]
            table[:, 1:, : size - v] += old[:, :-1, v:]
        before, behind = counting.sources(up, down, size)
        without = np.zeros((len(up), a + 1, b + 1, size + 1), dtype=np.uint64)
        without[..., :-1] = table
        for i in range(a + 1):
            for k in range(b + 1):
                here = without[:, i, k, :-1]
                if i:
                    here -= np.take_along_axis(without[:, i - 1, k], before, axis=1)
                if k:
                    here -= np.take_along_axis(without[:, i, k - 1], behind, axis=1)
        return cls(np.array(up), np.array(down), g, counting.from_above(without), low)

    def both(self, sides: tuple[int, int], least: int) -> Floats:
        """`[r, s]`: how many have r and s on these sides (1 for T+, -1 for T-) and X >= least."""
        d = len(self.up)
        _, most, many, last = (size - 1 for size in self.tails.shape)
        i, k = most - sides.count(1), many - sides.count(-1)
        if i < 0 or k < 0:
            return np.zeros((d, d))
        own, other = (self.up if side == 1 else -self.down for side in sides)
        wanted = -(-least // self.unit) + self.low - own[:, None] - other[None, :]
        rows, found = np.arange(d)[:, None], np.zeros((d, d), dtype=np.uint64)
        for m in range(i + 1):
            for j in range(k + 1):
                place = np.clip(wanted - m * self.up + j * self.down, 0, last)
                times = np.uint64((-1) ** (m + j) * math.comb(m + j, m) % (1 << 64))
                found += times * self.tails[rows, i - m, k - j, place]
        return found.astype(np.float64)

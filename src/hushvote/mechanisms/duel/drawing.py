"""Drawing in bulk: types, and groups of ranks by the weights of those that pass and that do not."""

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.lottery import Bits, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.duel.counting import outcomes_of
from hushvote.mechanisms.duel.designing import DesignedQuestion, passing_groups
from hushvote.mechanisms.duel.groups import Groups, outcomes
from hushvote.mechanisms.duel.question import Question
from hushvote.rankings import mask_dtype

MOST_TRIES = 1 << 18  # groups proposed at a time
TABLE_LIMIT = 1 << 14  # outcomes up to which one table holds all of them


class Drawer:
    """Draws blocks of questions in ranks. All outcomes of the small types are in one table;
    groups of the large types are proposed at random and kept by their weight.
    """

    def __init__(
        self, d: int, asked: Sequence[DesignedQuestion], groups: int, weights: tuple[int, int]
    ) -> None:
        """`weights` are those of an outcome that passes, and of one that does not."""
        self.d, self.asked, self.groups = d, asked, groups
        self.high, self.low = weights
        sizes = [outcomes_of(d, one.question.shape.sizes) for one in asked]
        order = sorted(range(len(sizes)), key=sizes.__getitem__)
        fits = [sum(sizes[t] for t in order[: i + 1]) <= TABLE_LIMIT for i in range(len(order))]
        self.small = sorted(t for t, fit in zip(order, fits, strict=True) if fit)
        self.large = sorted(set(order) - set(self.small))

    def draw(self, n: int, bits: Bits) -> Groups:
        """Draw n questions."""
        wheel, o = self._table
        known = len(o.types)
        drawn = wheel.draw(n, bits)
        if not self.large:
            sets = tuple(column.take(drawn) for column in o.sets)
            return Groups(o.types.take(drawn), sets, o.passes.take(drawn))
        room = self._room(n)
        at = np.flatnonzero(drawn < known)
        which = drawn[at]
        room.types[at], room.passes[at] = o.types[which], o.passes[which]
        for target, source in zip(room.sets, o.sets, strict=True):
            target[at] = source[which]
        for i, t in enumerate(self.large):
            at = np.flatnonzero(drawn == known + i)
            drawn_sets, passes = self._accepted(self.asked[t].question, len(at), bits)
            room.types[at], room.passes[at] = t, passes
            for target, source in zip(room.sets, drawn_sets, strict=False):
                target[at] = source
        return room

    @cached_property
    def _table(self) -> tuple[Wheel, Groups]:
        """Outcomes of the small types in one wheel, followed by one index for each large type."""
        rows = [(t, *row) for t in self.small for row in outcomes(self.asked[t].question)]
        sums = dict.fromkeys(self.small, 0)
        for t, _, passing in rows:
            sums[t] += self.high if passing else self.low
        common = math.lcm(*sums.values())
        weights = [
            self.asked[t].share * (self.high if passing else self.low) * (common // sums[t])
            for t, _, passing in rows
        ]
        weights += [self.asked[t].share * common for t in self.large]
        listed = self._room(len(rows))
        listed.types[:] = [t for t, _, _ in rows]
        listed.passes[:] = [passing for _, _, passing in rows]
        for row, (_, groups, _) in enumerate(rows):
            for masks_of, group in zip(listed.sets, groups, strict=False):
                masks_of[row] = masks.mask_of(group)
        return Wheel(weights), listed

    def _room(self, n: int) -> Groups:
        """Room for n questions, whose groups are empty."""
        word = mask_dtype(self.d)
        sets = tuple(np.zeros(n, dtype=word) for _ in range(self.groups))
        return Groups(np.empty(n, dtype=np.uint8), sets, np.empty(n, dtype=np.bool_))

    @cached_property
    def _coin(self) -> Wheel:
        """1 if groups that do not pass are kept all the same."""
        return Wheel([self.high - self.low, self.low])

    def _accepted(
        self, question: Question, n: int, bits: Bits
    ) -> tuple[list[NDArray[Any]], NDArray[np.bool_]]:
        """Propose uniform groups, keep them by their weight, and take the first n that are kept."""
        passing = float(passing_groups(question).passing)
        rounds = self.high / (self.low + (self.high - self.low) * passing)
        parts: list[tuple[NDArray[Any], ...]] = []
        missing = n
        while missing > 0 or not parts:
            tries = min(MOST_TRIES, int(1.1 * rounds * missing) + 16)
            sets, passes = proposed(question, tries, bits)
            kept = passes | (self._coin.draw(tries, bits) == 1)
            first = np.flatnonzero(kept)[:missing]
            parts.append((*(column[first] for column in sets), passes[first]))
            missing -= len(first)
        *joined, passes = (np.concatenate(column) for column in zip(*parts, strict=True))
        return joined, passes


def proposed(
    question: Question, n: int, bits: Bits
) -> tuple[tuple[NDArray[Any], ...], NDArray[np.bool_]]:
    """Uniform groups as masks of ranks, and whether they pass.

    Members are drawn one after the other; one that is taken already is drawn again. Where two
    groups cover all ranks, only the smaller one is drawn.
    """
    d, sizes, marks = question.d, question.shape.sizes, question.shape.marks
    word = mask_dtype(d)
    weights = np.array(question.weights, dtype=np.int64)
    taken = np.zeros(n, dtype=word)
    x = np.zeros(n, dtype=np.int64)

    def drawn(size: int, mark: int) -> NDArray[Any]:
        before = taken.copy()
        for _ in range(size):
            rank = _fresh(d, taken, bits)
            np.bitwise_or(taken, np.left_shift(word.type(1), rank, dtype=word), out=taken)
            np.add(x, (mark * weights).take(rank), out=x)
        return taken ^ before

    if len(sizes) == 2 and sum(sizes) == d:
        small = 0 if sizes[0] <= sizes[1] else 1
        one = drawn(sizes[small], marks[small] - marks[1 - small])
        x += marks[1 - small] * int(weights.sum())
        pair = (one, one ^ word.type((1 << d) - 1))
        return pair if small == 0 else pair[::-1], x >= question.threshold
    sets = tuple(drawn(size, mark) for size, mark in zip(sizes, marks, strict=True))
    return sets, x >= question.threshold


def _fresh(d: int, taken: NDArray[Any], bits: Bits) -> NDArray[Any]:
    """A uniform rank outside each set."""
    rank = _uniform(d).draw(len(taken), bits)
    one = taken.dtype.type(1)
    again = np.flatnonzero((taken >> rank) & one)
    while again.size:
        rank[again] = _uniform(d).draw(len(again), bits)
        again = again[((taken[again] >> rank[again]) & one) != 0]
    return rank


@lru_cache(maxsize=64)
def _uniform(limit: int) -> Wheel:
    return Wheel([1] * limit)

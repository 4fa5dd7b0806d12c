"""Drawing in bulk: types, and groups of ranks by the weights of those that pass and that do not."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.lottery import Bits, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.duel.counting import outcomes_of
from hushvote.mechanisms.duel.designing import DesignedQuestion, passing_groups
from hushvote.mechanisms.duel.groups import Groups, outcomes
from hushvote.mechanisms.duel.listing import Lists
from hushvote.mechanisms.duel.question import Question
from hushvote.rankings import BYTES, Orders, mask_dtype

MOST_TRIES = 1 << 18  # groups proposed at a time
TABLE_LIMIT = 1 << 14  # outcomes up to which one table holds all of them
WHEEL_LIMIT = 1 << 12  # outcomes up to which one wheel is the quickest way to draw them
MANY = 1 << 15  # voters from which on lists pay, of so many outcomes of all types:
LIST_LIMIT = 1 << 22


class Drawer:
    """Draws questions for blocks of voters. All outcomes of the small types are in one table;
    groups of the large types are proposed at random and kept by their weight. For many voters all
    outcomes are listed, if that is possible.
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
        self.listable = groups == 2 and WHEEL_LIMIT < sum(sizes) <= LIST_LIMIT

    def draw(self, orders: Orders, bits: Bits) -> Groups:
        """Draw a question for each voter, as groups of candidates."""
        if self.listable and len(orders) >= MANY:
            return self._lists.draw(orders, bits)
        drawn = self.in_ranks(len(orders), bits)
        return replace(drawn, sets=self._standing(orders, drawn.sets))

    @cached_property
    def _lists(self) -> Lists:
        return Lists(self.d, self.asked, (self.high, self.low))

    def in_ranks(self, n: int, bits: Bits) -> Groups:
        """Draw n questions, as groups of ranks."""
        wheel, o = self._table
        drawn = wheel.draw(n, bits)
        if not self.large:
            return o.take(drawn)
        room = Groups.room(n, self.d, self.groups)
        known = len(o.types)
        at = np.flatnonzero(drawn < known)
        room.put(at, o.take(drawn[at]))
        for i, t in enumerate(self.large):
            at = np.flatnonzero(drawn == known + i)
            sets, passes = self._accepted(self.asked[t].question, len(at), bits)
            room.types[at], room.passes[at] = t, passes
            for target, source in zip(room.sets, sets, strict=False):
                target[at] = source
        return room

    def _standing(self, orders: Orders, sets: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """Who stands at these ranks; where T- has all that T+ leaves over, nobody looks."""
        if len(sets) > 2 or self.d <= BYTES:
            return tuple(masks.relabelled(orders, *sets))
        plus, minus = sets
        everyone = plus.dtype.type((1 << self.d) - 1)
        parts = (plus | minus) != everyone
        over, under = masks.relabelled(orders, plus, minus * parts)
        return over, np.where(parts, under, over ^ everyone)

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
        listed = Groups.room(len(rows), self.d, self.groups)
        listed.types[:] = [t for t, _, _ in rows]
        listed.passes[:] = [passing for _, _, passing in rows]
        for row, (_, groups, _) in enumerate(rows):
            for masks_of, group in zip(listed.sets, groups, strict=False):
                masks_of[row] = masks.mask_of(group)
        return Wheel(weights), listed

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

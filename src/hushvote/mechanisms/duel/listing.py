"""Drawing from lists of all groups, for many voters at once and up to millions of groups.

A list has the groups that pass before the others. So first one of the *kinds* is drawn, a type and
whether its groups pass, and then any of that kind, all equally likely. Listed are the ranks of the
members, so that looking up who stands there is one step a member.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote import lottery
from hushvote.lottery import Bits, Wheel
from hushvote.mechanisms.duel.adding import members
from hushvote.mechanisms.duel.designing import DesignedQuestion
from hushvote.mechanisms.duel.groups import Groups
from hushvote.mechanisms.duel.question import Question, Weights
from hushvote.rankings import Orders, blocks, mask_dtype


class Lists:
    """All groups of questions that name two groups each."""

    def __init__(self, d: int, asked: Sequence[DesignedQuestion], weights: tuple[int, int]) -> None:
        """`weights` are those of groups that pass, and of those that do not."""
        found = [listed(one.question) for one in asked]
        numbers = [(one.passing, len(one) - one.passing) for one in found]
        sums = [sum(n * w for n, w in zip(pair, weights, strict=True)) for pair in numbers]
        common = math.lcm(*sums)
        self._wheel = Wheel(
            [
                one.share * (common // total) * n * w
                for one, pair, total in zip(asked, numbers, sums, strict=True)
                for n, w in zip(pair, weights, strict=True)
            ]
        )
        sizes = [n for pair in numbers for n in pair]
        self._sizes = np.array(sizes, dtype=np.uint64)
        self._starts = np.array([0, *itertools.accumulate(sizes)][:-1], dtype=np.uint64)
        self._types = np.repeat(np.arange(len(asked), dtype=np.uint8), 2)
        self._passes = np.tile([True, False], len(asked))
        self._layout = layout = Layout.of(d, [one.question for one in asked])
        self._ranks = np.concatenate(
            [layout.ranks(t, one.sets) for t, one in enumerate(found)], axis=0
        )

    def draw(self, orders: Orders, bits: Bits) -> Groups:
        """Draw a question for each voter, as groups of candidates."""
        (n, d), layout = orders.shape, self._layout
        found = Groups.room(n, d, 2)
        for block in blocks(n):
            rows = orders[block]
            kinds = self._wheel.draw(len(rows), bits)
            place = lottery.indices(self._sizes.take(kinds), bits)
            place += self._starts.take(kinds)
            types = self._types.take(kinds)
            ranks = self._ranks.take(place.view(np.int64), axis=0)
            found.types[block], found.passes[block] = types, self._passes.take(kinds)
            found.sets[0][block], found.sets[1][block] = layout.standing(rows, ranks, types)
        return found


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the ranks of a question's members stand in a row of its list.

    First those of one group, then those of the other, each repeated to fill its room. Where the
    groups have everybody, the larger stands in no list; else the larger comes first.
    """

    first: int
    second: int
    covers: NDArray[Any]  # for each type all candidates if its groups have everybody, else nobody
    swaps: NDArray[Any]  # all candidates if T- comes first, else nobody

    @classmethod
    def of(cls, d: int, questions: Sequence[Question]) -> "Layout":
        """The smallest room that has every question."""
        word = mask_dtype(d)
        everyone, nobody = word.type((1 << d) - 1), word.type(0)
        sizes = [question.shape.sizes for question in questions]
        covers = [a + b == d for a, b in sizes]
        swaps = [(a > b) if cover else (a < b) for (a, b), cover in zip(sizes, covers, strict=True)]
        pairs = list(zip(sizes, covers, strict=True))
        return cls(
            max(min(pair) if cover else max(pair) for pair, cover in pairs),
            max(0 if cover else min(pair) for pair, cover in pairs),
            np.where(covers, everyone, nobody),
            np.where(swaps, everyone, nobody),
        )

    def ranks(self, t: int, sets: Sequence[NDArray[Any]]) -> NDArray[np.uint8]:
        """Rows of ranks, from groups of ranks of one type."""
        one, other = sets[::-1] if self.swaps[t] else sets
        width = next(w for w in (1, 2, 4, 8, 16, 32, 64) if w >= self.first + self.second)
        rows = np.zeros((len(one), width), dtype=np.uint8)  # of widths that are copied as one
        for group, room in ((one, slice(0, self.first)), (other, slice(self.first, None))):
            if room.start == 0 or not self.covers[t]:
                size = int(np.bitwise_count(group[:1]).sum())
                who = members(group, size)
                for i, column in enumerate(rows.T[room]):
                    column[:] = who[min(i, size - 1)]
        return rows

    def standing(
        self, orders: Orders, ranks: NDArray[np.uint8], types: NDArray[np.uint8]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Who stands at these ranks: T+ and T-."""
        n, d = orders.shape
        word = mask_dtype(d)
        flat, places = orders.ravel(), np.arange(0, n * d, d, dtype=np.intp)
        one, other = np.zeros(n, dtype=word), np.zeros(n, dtype=word)
        for i in range(self.first + self.second):
            who = np.left_shift(word.type(1), flat.take(places + ranks[:, i]), dtype=word)
            group = one if i < self.first else other
            group |= who
        rest = one ^ word.type((1 << d) - 1) ^ other
        other ^= rest & self.covers.take(types)
        exchanged = (one ^ other) & self.swaps.take(types)
        return one ^ exchanged, other ^ exchanged


@dataclass(frozen=True, eq=False)
class Listed:
    """Groups of ranks as masks, one array a group; the first `passing` of them pass."""

    sets: tuple[NDArray[Any], NDArray[Any]]
    passing: int

    def __len__(self) -> int:
        return len(self.sets[0])


def listed(question: Question) -> Listed:
    """All groups of a question with two of them.

    Of T+, T- and the rest, the largest is what the two others leave over. So X, which is linear in
    the weights of each, is so in those of the two others.
    """
    d, weights = question.d, question.weights
    a, b = question.shape.sizes
    sizes, marks = (a, b, d - a - b), (*question.shape.marks, 0)
    one, other, rest = sorted(range(3), key=lambda g: sizes[g])
    ones, others = subsets(d, sizes[one]), subsets(d, sizes[other])
    of_one = (marks[one] - marks[rest]) * _weighed(ones, weights)
    of_other = (marks[other] - marks[rest]) * _weighed(others, weights)
    needed = question.threshold - marks[rest] * sum(weights) - of_one
    parts: tuple[list[NDArray[Any]], list[NDArray[Any]]] = ([], [])
    for group, least in zip(ones, needed, strict=True):
        apart, passes = (others & group) == 0, of_other >= least
        parts[0].append(others[apart & passes])
        parts[1].append(others[apart & ~passes])
    kinds = [part for kind in parts for part in kind]
    found = {
        one: np.repeat(np.concatenate([ones, ones]), [len(part) for part in kinds]),
        other: np.concatenate(kinds),
    }
    found[rest] = (found[one] | found[other]) ^ ones.dtype.type((1 << d) - 1)
    return Listed((found[0], found[1]), sum(len(part) for part in parts[0]))


@lru_cache(maxsize=8)
def subsets(d: int, size: int) -> NDArray[Any]:
    """All sets of so many of d ranks, as masks."""
    word = mask_dtype(d)
    found = [np.zeros(1, dtype=word), *(np.zeros(0, dtype=word) for _ in range(size))]
    for rank in range(d):
        with_rank = [sets | word.type(1 << rank) for sets in found[:-1]]
        found[1:] = [np.concatenate(pair) for pair in zip(found[1:], with_rank, strict=True)]
    return found[size]


def _weighed(sets: NDArray[Any], weights: Weights) -> NDArray[np.int64]:
    """The sum of the weights of the ranks in each set, a byte of ranks at a time."""
    total = np.zeros(len(sets), dtype=np.int64)
    for first in range(0, len(weights), 8):
        some = weights[first : first + 8]
        sums = [sum(w for r, w in enumerate(some) if byte >> r & 1) for byte in range(256)]
        byte = (sets >> sets.dtype.type(first)).astype(np.uint8)
        total += np.array(sums, dtype=np.int64).take(byte)
    return total

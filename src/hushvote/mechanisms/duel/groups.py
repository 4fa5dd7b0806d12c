"""Groups: all of them, random ones in bulk, and what many of them add up to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.lottery import Bits, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.duel.counting import listed
from hushvote.mechanisms.duel.question import Question
from hushvote.rankings import mask_dtype

EXACT_ROWS = 1 << 11  # reports whose x x^T, at most 63² each, add up exactly in 32-bit floats


@dataclass(frozen=True, eq=False)
class Groups:
    """A block of drawn questions, in ranks: type, groups as masks, and whether they pass."""

    types: NDArray[Any]
    sets: tuple[NDArray[Any], ...]
    passes: NDArray[np.bool_]


def outcomes(question: Question) -> Iterator[tuple[tuple[tuple[int, ...], ...], bool]]:
    """All groups of ranks, and whether they pass."""
    for groups in listed(tuple(range(question.d)), question.shape.sizes):
        yield groups, question.statistic(groups) >= question.threshold


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
    rank = _uniform(d).spin(len(taken), bits)
    one = taken.dtype.type(1)
    again = np.flatnonzero((taken >> rank) & one)
    while again.size:
        rank[again] = _uniform(d).spin(len(again), bits)
        again = again[((taken[again] >> rank[again]) & one) != 0]
    return rank


@lru_cache(maxsize=64)
def _uniform(limit: int) -> Wheel:
    return Wheel([1] * limit)


def counted(question: Question, sets: Sequence[NDArray[Any]]) -> list[NDArray[np.int64]]:
    """Members of each group, and the sum of x x^T; floats multiply faster, and are exact here."""
    d, marks, n = question.d, question.shape.marks, len(sets[0])
    first = masks.unpacked(sets[0], d).astype(np.float32)
    members = [first.sum(axis=0)]
    if len(sets) == 2 and sum(question.shape.sizes) == d:
        members.append(n - members[0])
        x = np.float32(marks[0] - marks[1]) * first + np.float32(marks[1])
    else:
        x = np.float32(marks[0]) * first
        for group, mark in zip(sets[1:], marks[1:], strict=True):
            inside = masks.unpacked(group, d).astype(np.float32)
            members.append(inside.sum(axis=0))
            x += np.float32(mark) * inside
    return [np.rint(found).astype(np.int64) for found in (*members, x.T @ x)]

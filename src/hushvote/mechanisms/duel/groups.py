"""Pairs of groups: all of them, random ones in bulk, and what many of them add up to."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.lottery import Bits, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.duel.question import Question
from hushvote.rankings import mask_dtype

EXACT_ROWS = 1 << 11  # reports whose x x^T, at most 63² each, add up exactly in 32-bit floats


@dataclass(frozen=True, eq=False)
class Groups:
    """A block of drawn questions, in ranks: type, T+ and T- as masks, and whether they pass."""

    types: NDArray[Any]
    plus: NDArray[Any]
    minus: NDArray[Any]
    passes: NDArray[np.bool_]


def outcomes(question: Question) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], bool]]:
    """All pairs of groups of ranks, and whether they pass."""
    d, weights, shape = question.d, question.weights, question.shape
    for plus in itertools.combinations(range(d), shape.a):
        rest = [r for r in range(d) if r not in plus]
        high = sum(weights[r] for r in plus)
        for minus in itertools.combinations(rest, shape.b):
            x = question.statistic(high, sum(weights[r] for r in minus))
            yield plus, minus, x >= question.threshold


def proposed(
    question: Question, n: int, bits: Bits
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
    """Uniform groups as masks of ranks, and whether they pass.

    Members are drawn one after the other; one that is taken already is drawn again. Where the
    groups cover all ranks, only the smaller one is drawn.
    """
    d, shape = question.d, question.shape
    a, b, gain, loss = shape.a, shape.b, shape.gain, shape.loss
    word = mask_dtype(d)
    weights = np.array(question.weights, dtype=np.int64)
    taken = np.zeros(n, dtype=word)
    x = np.zeros(n, dtype=np.int64)

    def drawn(size: int, factor: int) -> NDArray[Any]:
        before = taken.copy()
        for _ in range(size):
            rank = _fresh(d, taken, bits)
            np.bitwise_or(taken, np.left_shift(word.type(1), rank, dtype=word), out=taken)
            np.add(x, (factor * weights).take(rank), out=x)
        return taken ^ before

    everyone = word.type((1 << d) - 1)
    if a + b < d:
        plus, minus = drawn(a, gain), drawn(b, -loss)
    elif a <= b:
        plus = drawn(a, gain + loss)
        minus = everyone ^ plus
        x -= loss * int(weights.sum())
    else:
        minus = drawn(b, -(gain + loss))
        plus = everyone ^ minus
        x += gain * int(weights.sum())
    return plus, minus, x >= question.threshold


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


def counted(
    question: Question, plus: NDArray[Any], minus: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Members of T+, of T-, and the sum of x x^T; as floats they multiply faster, and are exact."""
    d, shape, n = question.d, question.shape, len(plus)
    gain, loss = np.float32(shape.gain), np.float32(shape.loss)
    inside = masks.unpacked(plus, d).astype(np.float32)
    members = inside.sum(axis=0)
    if shape.a + shape.b == d:
        opposite = n - members
        x = (gain + loss) * inside - loss
    else:
        outside = masks.unpacked(minus, d).astype(np.float32)
        opposite = outside.sum(axis=0)
        x = gain * inside - loss * outside
    outer = x.T @ x
    return members.astype(np.int64), opposite.astype(np.int64), np.rint(outer).astype(np.int64)

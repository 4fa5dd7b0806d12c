"""What the reports of one question add up to: members of each group, and the sum of x x^T, where x
are the candidates' marks. Few members are counted pair by pair, many by a product of matrices.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote import arrays
from hushvote.mechanisms import masks
from hushvote.mechanisms.duel.question import Question
from hushvote.rankings import blocks

PAIRS = 5  # of members, for each byte of a set: more take longer to count than to multiply
ROWS = 1 << 14  # reports counted together at most; with fewer, threads wait for each other
PRODUCT_ROWS = 1 << 13  # the same; matrices of more do not fit the processor's cache
EXACT = 1 << 24  # sums up to this are exact in 32-bit floats
WEIGHT_BITS = 29  # of a weight that are multiplied at a time: 2^29 EXACT is exact in 64-bit floats

Integers = NDArray[np.int64]
Masks = NDArray[Any]


def added(
    question: Question, sets: Sequence[Masks], weights: Integers | None = None
) -> list[Integers]:
    """Members of each group, and the sum of x x^T, each report as often as its weight says."""
    d, sizes = question.d, question.shape.sizes
    everybody = len(sets) == 2 and sum(sizes) == d
    few = PAIRS * sets[0].dtype.itemsize
    if everybody and math.comb(min(sizes), 2) <= few:
        way, rows = _by_smaller_group, ROWS
    elif len(sets) == 2 and math.comb(sum(sizes), 2) <= few:
        way, rows = _by_both_groups, ROWS
    else:
        most = max(mark * mark for mark in question.shape.marks)
        way, rows = _by_product, min(PRODUCT_ROWS, EXACT // most)
    total = [np.zeros(d, dtype=np.int64) for _ in sets] + [np.zeros((d, d), dtype=np.int64)]
    for block in blocks(len(sets[0]), rows):
        often = None if weights is None else weights[block]
        found = way(question, [group[block] for group in sets], often)
        total = [before + part for before, part in zip(total, found, strict=True)]
    return total


# --- pair by pair -------------------------------------------------------------------------------


def _by_smaller_group(
    question: Question, sets: Sequence[Masks], weights: Integers | None
) -> list[Integers]:
    """Everybody is in one of two groups: x = o + (s - o) [in the smaller one]."""
    d, marks, sizes = question.d, question.shape.marks, question.shape.sizes
    small = 0 if sizes[0] <= sizes[1] else 1
    who = members(sets[small], sizes[small])
    n = len(who[0]) if weights is None else int(weights.sum())
    inside, together = _within(who, d, weights)
    s, o = marks[small], marks[1 - small]
    sums = inside[:, None] + inside
    outer = o * o * n + o * (s - o) * sums + (s - o) ** 2 * together
    return [*((inside, n - inside) if small == 0 else (n - inside, inside)), outer]


def _by_both_groups(
    question: Question, sets: Sequence[Masks], weights: Integers | None
) -> list[Integers]:
    """Pairs within T+, within T-, and across."""
    d, (gain, loss), (a, b) = question.d, question.shape.marks, question.shape.sizes
    over, under = members(sets[0], a), members(sets[1], b)
    across = _pairs([(i, j) for i in over for j in under], d, weights)
    plus, minus = across.sum(axis=1) // b, across.sum(axis=0) // a
    above = _within(over, d, weights)[1] if a > 1 else np.diag(plus)
    below = _within(under, d, weights)[1] if b > 1 else np.diag(minus)
    outer = gain * gain * above + loss * loss * below + gain * loss * (across + across.T)
    return [plus, minus, outer]


def members(sets: Masks, size: int) -> list[NDArray[np.uint16]]:
    """The candidates of sets of one size, from the lowest."""
    one, left, found = sets.dtype.type(1), sets.copy(), []
    for _ in range(size):
        lowest = left & (~left + one)
        left ^= lowest
        found.append(np.bitwise_count(lowest - one).astype(np.uint16))
    return found


def _within(
    who: Sequence[NDArray[np.uint16]], d: int, weights: Integers | None
) -> tuple[Integers, Integers]:
    """How often each candidate is a member, and how often any two; on the diagonal each alone."""
    if len(who) == 1:
        alone = _often(who[0], d, weights)
        return alone, np.diag(alone)
    pairs = _pairs(list(itertools.combinations(who, 2)), d, weights)
    pairs += pairs.T
    alone = pairs.sum(axis=1) // (len(who) - 1)
    return alone, pairs + np.diag(alone)


def _pairs(
    pairs: Sequence[tuple[NDArray[np.uint16], NDArray[np.uint16]]],
    d: int,
    weights: Integers | None,
) -> Integers:
    """How often two candidates make up one of these pairs, the first in the rows."""
    keys = np.empty((len(pairs), len(pairs[0][0])), dtype=np.uint16)
    for key, (i, j) in zip(keys, pairs, strict=True):
        np.multiply(i, np.uint16(d), out=key)
        np.add(key, j, out=key)
    often = None if weights is None else np.tile(weights, len(pairs))
    return _often(keys.ravel(), d * d, often).reshape(d, d)


def _often(keys: NDArray[np.uint16], length: int, weights: Integers | None) -> Integers:
    """How often each key occurs; sums of weights stay below 2^53, where floats are exact."""
    return np.bincount(keys, weights, minlength=length).astype(np.int64)


# --- by products --------------------------------------------------------------------------------


def _by_product(
    question: Question, sets: Sequence[Masks], weights: Integers | None
) -> list[Integers]:
    """Two groups without looking at them again: Σ x = gain T+ - loss T-, and on the diagonal of
    Σ x x^T stands gain² T+ + loss² T-.
    """
    arrays.keep_memory()
    marks = question.shape.marks  # below 64
    inside = [masks.unpacked(group, question.d).view(np.int8) for group in sets]
    x = np.int8(marks[0]) * inside[0]
    for mark, group in zip(marks[1:], inside[1:], strict=True):
        x += np.int8(mark) * group
    if len(sets) > 2:
        _, *counts = _summed([x, *inside], weights)
        return counts
    sums, outer = _summed([x], weights)
    (gain, loss), squares = (marks[0], -marks[1]), np.diagonal(outer)
    # No sum here comes to 63 * 126 times the most voters that anybody counts, which is below 2^63.
    plus = (squares + loss * sums) // (gain * (gain + loss))
    minus = (squares - gain * sums) // (loss * (gain + loss))
    return [plus, minus, outer]


def _summed(columns: Sequence[NDArray[np.int8]], weights: Integers | None) -> list[Integers]:
    """The sum of each, and of x x^T for x, the first. Floats multiply faster, and are exact here;
    weights are cut into parts of few bits.
    """
    kind = np.dtype(np.float32 if weights is None else np.float64)
    floats = [column.astype(kind) for column in columns]
    x = floats[0]
    total = [np.zeros(x.shape[1], dtype=np.int64) for _ in floats]
    total.append(np.zeros((x.shape[1], x.shape[1]), dtype=np.int64))
    bits = 1 if weights is None else int(weights.max(initial=1)).bit_length()
    for shift in range(0, bits, WEIGHT_BITS):
        each = np.ones(len(x), dtype=kind)
        if weights is not None:
            each = (weights >> shift & (1 << WEIGHT_BITS) - 1).astype(kind)
        often = x if weights is None else each[:, None] * x
        found = [*(each @ column for column in floats), often.T @ x]
        whole = [np.rint(part).astype(np.int64) << shift for part in found]
        total = [before + part for before, part in zip(total, whole, strict=True)]
    return total

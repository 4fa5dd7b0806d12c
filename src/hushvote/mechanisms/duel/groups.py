"""Groups: all of them, blocks of drawn ones, and what many of them add up to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms import masks
from hushvote.mechanisms.duel.counting import listed
from hushvote.mechanisms.duel.question import Question

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

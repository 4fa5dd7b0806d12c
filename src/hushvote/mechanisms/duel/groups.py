"""Groups: all of them, blocks of drawn ones, what many of them add up to, and what they can."""

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


def counted(
    question: Question, sets: Sequence[NDArray[Any]], weights: NDArray[np.int64] | None = None
) -> list[NDArray[np.int64]]:
    """Members of each group, and the sum of x x^T, of up to `EXACT_ROWS` reports, each as often as
    its weight says; floats multiply faster, and are exact here.
    """
    if weights is not None:
        return _weighted(question, sets, weights)
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


def _weighted(
    question: Question, sets: Sequence[NDArray[Any]], weights: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Weights are cut into parts of 30 bits, whose sums stay below 2^53."""
    inside = [masks.unpacked(group, question.d).astype(np.float64) for group in sets]
    x = sum(mark * group for mark, group in zip(question.shape.marks, inside, strict=True))
    total = [np.zeros(question.d, dtype=np.int64) for _ in sets]
    outer = np.zeros((question.d, question.d), dtype=np.int64)
    for shift in (0, 30):
        part = (weights >> shift & (1 << 30) - 1).astype(np.float64)
        if not part.any():
            continue
        for g, group in enumerate(inside):
            total[g] += np.rint(part @ group).astype(np.int64) << shift
        outer += np.rint((part[:, None] * x).T @ x).astype(np.int64) << shift
    return [*total, outer]


def possible(
    sizes: NDArray[np.int64],
    marks: NDArray[np.int64],
    members: NDArray[np.int64],
    outer: NDArray[np.int64],
) -> bool:
    """Whether reports with these members can have these sums of x x^T: a row for each variant in
    `sizes` and `marks`, a column for each group.

    Every report gives its own mark squared on the diagonal, and adds up to the same sum of marks
    in every row. Two candidates' products lie between those of marks that go against each other
    as far as they can, and with each other. The covariance must be one.
    """
    reports = members[0].sum(axis=1) // sizes[:, 0]
    sums = np.einsum("lg,glj->lj", marks, members)
    squares = np.einsum("lg,glj->lj", marks**2, members)
    total = (sizes * marks).sum(axis=1, keepdims=True)
    low, high = _products(marks, members, reports)
    slack = 1e-9 * (1 + np.abs(low) + np.abs(high))
    return bool(
        (outer == outer.transpose(0, 2, 1)).all()
        and (np.diagonal(outer, axis1=1, axis2=2) == squares).all()
        and (outer.sum(axis=2) == total * sums).all()
        and (outer >= low - slack).all()
        and (outer <= high + slack).all()
        and masks.is_covariance(outer, sums, reports)
    )


def _products(
    marks: NDArray[np.int64], members: NDArray[np.int64], reports: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bounds of Σ x_i x_j over reports in which each candidate has each mark as often as counted.

    With the marks in rising order, x is the lowest of them and a rise more for every border that
    it reaches; two candidates reach two borders together as often as they must, or can.
    """
    all_marks = np.concatenate([marks, np.zeros_like(marks[:, :1])], axis=1)
    rest = reports[:, None] - members.sum(axis=0)
    order = np.argsort(all_marks, axis=1)
    values = np.take_along_axis(all_marks, order, axis=1).astype(np.float64)
    often = np.concatenate([members, rest[None]]).astype(np.float64).transpose(1, 0, 2)
    often = np.take_along_axis(often, order[:, :, None], axis=1)
    reached = often[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]  # reports at or above each border
    n, lowest, rises = reports.astype(np.float64)[:, None], values[:, 0], np.diff(values, axis=1)
    above = np.einsum("ls,lsj->lj", rises, reached)
    fixed = lowest[:, None] ** 2 * n + 0 * above
    ends = fixed[:, :, None] + lowest[:, None, None] * (above[:, :, None] + above[:, None, :])
    low, high = ends.copy(), ends.copy()
    for s in range(rises.shape[1]):
        for t in range(rises.shape[1]):
            weight = (rises[:, s] * rises[:, t])[:, None, None]
            one, other = reached[:, s, :, None], reached[:, t, None, :]
            low += weight * np.maximum(0.0, one + other - n[:, :, None])
            high += weight * np.minimum(one, other)
    return low, high

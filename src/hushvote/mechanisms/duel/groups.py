"""Groups: all of them, blocks of drawn ones, and what many of them can add up to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms import masks
from hushvote.mechanisms.duel.counting import listed
from hushvote.mechanisms.duel.question import Question
from hushvote.rankings import mask_dtype


@dataclass(frozen=True, eq=False)
class Groups:
    """A block of drawn questions: type, groups of ranks or candidates, and whether they pass."""

    types: NDArray[Any]
    sets: tuple[NDArray[Any], ...]
    passes: NDArray[np.bool_]

    @classmethod
    def room(cls, n: int, d: int, groups: int) -> "Groups":
        """Room for n questions, whose groups are empty."""
        word = mask_dtype(d)
        sets = tuple(np.zeros(n, dtype=word) for _ in range(groups))
        return cls(np.empty(n, dtype=np.uint8), sets, np.empty(n, dtype=np.bool_))

    def take(self, which: NDArray[Any]) -> "Groups":
        """The questions at these places."""
        sets = tuple(column.take(which) for column in self.sets)
        return Groups(self.types.take(which), sets, self.passes.take(which))

    def put(self, at: NDArray[np.intp], some: "Groups") -> None:
        """Put some questions at these places."""
        self.types[at], self.passes[at] = some.types, some.passes
        for target, source in zip(self.sets, some.sets, strict=True):
            target[at] = source


def outcomes(question: Question) -> Iterator[tuple[tuple[tuple[int, ...], ...], bool]]:
    """All groups of ranks, and whether they pass."""
    for groups in listed(tuple(range(question.d)), question.shape.sizes):
        yield groups, question.statistic(groups) >= question.threshold


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

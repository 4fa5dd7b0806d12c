"""What rows add up to: whole numbers by group, which merge in any order."""

import base64
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote import exact
from hushvote.batch.rows import Block, Left
from hushvote.errors import FileError, echo
from hushvote.mechanisms import Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.rankings import BLOCK, blocks
from hushvote.tally import Counts, Tally, exact_sum

MOST_GROUPS = 1000  # of one column; more are no groups any more
COUNT_BYTES = 1 << 24  # reports that are counted at a time: a block of a file at once


class Sums:
    """The counts of all groups; there is one group, named "", if nobody asked for groups."""

    def __init__(self, mechanism: Mechanism, by: str | None, *, keep: bool = False) -> None:
        self.mechanism = mechanism
        self.by = by
        self.left = Left()
        self.polls: set[str] = set()  # that rows name where nobody says which one counts
        self.kept: list[Reports] | None = [] if keep else None  # instead of counting them
        self._groups: dict[str, tuple[int, Counts]] = {}

    def add(self, block: Block) -> None:
        """Count sound rows; those that were withdrawn are left out."""
        if block.withdrawn is not None:
            gone = block.only(block.withdrawn)
            self.left += Left(withdrawn=gone.n)
            block = block.only(~block.withdrawn)
        if block.groups is None or block.names is None:
            self._count("", block.reports, block.weights)
            return
        order = np.argsort(block.groups, kind="stable")
        starts = np.searchsorted(block.groups[order], np.arange(len(block.names) + 1))
        for name, start, end in zip(block.names, starts[:-1], starts[1:], strict=True):
            rows = order[start:end]
            if len(rows):
                weights = None if block.weights is None else block.weights[rows]
                self._count(name, block.reports[rows], weights)

    def _count(self, group: str, reports: Reports, weights: NDArray[np.int64] | None) -> None:
        if self.kept is not None:
            self.kept.append(reports)
            return
        size = max(BLOCK, COUNT_BYTES // self.mechanism.domain.dtype.itemsize)
        for rows in blocks(len(reports), size):
            often = None if weights is None else weights[rows]
            n = rows.stop - rows.start if often is None else int(often.sum())
            self._put(group, n, self.mechanism.count(reports[rows], often))

    def _put(self, group: str, n: int, counts: Counts) -> None:
        if group in self._groups:
            before, sums = self._groups[group]
            n, counts = before + n, {k: exact_sum(sums[k], counts[k]) for k in sums}
        elif len(self._groups) == MOST_GROUPS:
            raise FileError(
                f"the column {echo(self.by)} has more than {MOST_GROUPS:,} different values; "
                "count by a column of few",
                code="file.groups",
                by=self.by,
                most=MOST_GROUPS,
            )
        self._groups[group] = n, counts

    def merge(self, other: "Sums") -> None:
        """Add what was counted elsewhere."""
        self.left += other.left
        self.polls |= other.polls
        for group, (n, counts) in other._groups.items():
            self._put(group, n, counts)
        if self.kept is not None:
            self.kept += other.kept or []

    @property
    def n(self) -> int:
        """How many rows were seen, counted or left out."""
        return sum(n for n, _ in self._groups.values()) + sum(self.left.to_dict().values())

    def tallies(self) -> dict[str, Tally]:
        """The tally of every group, in the order of their names."""
        parameters = self.mechanism.parameters()
        return {
            name: Tally(parameters, n, {**counts})
            for name, (n, counts) in sorted(self._groups.items())
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for another process or another day."""
        return {
            "mechanism": self.mechanism.digest,
            "groups": {
                group: {
                    "n": exact.to_json(n),
                    "counts": {name: _packed(array) for name, array in counts.items()},
                }
                for group, (n, counts) in self._groups.items()
            },
            "left": self.left.to_dict(),
            "polls": sorted(self.polls),
        }

    @classmethod
    def from_dict(cls, mechanism: Mechanism, by: str | None, held: Mapping[str, Any]) -> "Sums":
        """What `to_dict` made; a ValueError for anything else."""
        if held["mechanism"] != mechanism.digest:
            raise ValueError("these sums are of another mechanism")
        sums, zero = cls(mechanism, by), mechanism.zero()
        for group, one in held["groups"].items():
            if one["counts"].keys() != zero.keys():
                raise ValueError("it lacks counts, or has others")
            counts = {name: _unpacked(one["counts"][name], zero[name].shape) for name in zero}
            sums._put(group, exact.from_json(one["n"]), counts)
        sums.left = Left.from_dict(held["left"])
        sums.polls = {str(poll) for poll in held["polls"]}
        return sums


def _packed(counts: NDArray[np.int64]) -> str:
    """Integers as text, small ones in little room; as lists they take ten times as long to read."""
    return base64.b64encode(zlib.compress(counts.astype("<i8").tobytes(), 1)).decode()


def _unpacked(text: str, shape: tuple[int, ...]) -> NDArray[np.int64]:
    try:
        raw = zlib.decompress(base64.b64decode(text, validate=True))
    except zlib.error as error:
        raise ValueError(f"its counts are damaged: {error}") from None
    return np.frombuffer(raw, dtype="<i8").astype(np.int64).reshape(shape)

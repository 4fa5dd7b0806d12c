"""Counting over several files: what stands at once, what has a receipt at the end.

Reports without a receipt are counted as they come, in small memory. Of those with one only the
last change counts, and it may stand in a later file; so they are kept until all files are read.
"""

from dataclasses import replace

import numpy as np

from hushvote.batch.opening import Block, Opened
from hushvote.batch.standing import Standing
from hushvote.errors import FileError, echo
from hushvote.files import AnyPath
from hushvote.mechanisms import Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.tally import Tally

MOST_GROUPS = 1000  # of one column; more are no groups any more


class Count:
    """The tallies of all groups; there is one group, named "", if nobody asked for groups."""

    def __init__(self, by: str | None, *, keep: bool = False) -> None:
        self._by = by
        self._keep = keep
        self._kept: list[Reports] = []
        self._mechanism: Mechanism | None = None
        self._common: Tally | None = None  # of no report: what all groups say of their poll
        self._groups: dict[str, Tally] = {}
        self._standing: Standing | None = None
        self._path: AnyPath = ""

    def add_tally(self, path: AnyPath, tally: Tally) -> None:
        """Add what was counted before."""
        self._belongs(tally - tally)
        self._groups[""] = self._groups[""] + tally if "" in self._groups else tally

    def begin(self, path: AnyPath, opened: Opened) -> None:
        """The next blocks are of this file."""
        file, mechanism = opened.file, opened.mechanism
        nothing = mechanism.tally(mechanism.domain.empty(0)).for_poll(file.poll)
        nothing = replace(nothing, seeded=file.seeded)
        self._belongs(nothing.named(file.candidates) if file.candidates else nothing)
        self._mechanism = self._mechanism or mechanism
        self._path = path

    def _belongs(self, nothing: Tally) -> None:
        self._common = nothing if self._common is None else self._common + nothing

    def add(self, block: Block) -> None:
        """Count a block, or keep it until all changes are known."""
        if block.receipts is not None:
            if self._standing is None:
                self._standing = Standing(block.reports.dtype)
            self._standing.add(self._path, block)
            return
        kept = slice(None) if block.withdrawn is None else ~block.withdrawn
        reports = block.reports[kept]
        if block.groups is None:
            self._count("", reports, block.first)
            return
        groups = np.array(block.groups, dtype=object)[kept]
        self._count_groups(reports, groups.tolist())

    def _count_groups(self, reports: Reports, groups: list[str]) -> None:
        places: dict[str, list[int]] = {}
        for place, name in enumerate(groups):
            places.setdefault(name, []).append(place)
        for name, rows in places.items():
            self._count(name, reports[rows])

    def _count(self, group: str, reports: Reports, first: int = 0) -> None:
        if self._keep:
            self._kept.append(reports)
            return
        assert self._mechanism is not None
        assert self._common is not None
        found = self._mechanism.tally(reports, first=first).for_poll(self._common.poll)
        if group in self._groups:
            found = self._groups[group] + found
        elif len(self._groups) == MOST_GROUPS:
            raise FileError(
                f"the column {echo(self._by)} has more than {MOST_GROUPS:,} different values; "
                "count by a column of few",
                code="file.groups",
                by=self._by,
                most=MOST_GROUPS,
            )
        self._groups[group] = found

    def _settle(self) -> None:
        """Count the last change of every receipt."""
        if self._standing is None:
            return
        reports, groups = self._standing.settled()
        self._standing = None
        if self._by is None:
            self._count("", reports)
        else:
            self._count_groups(reports, groups)

    def totals(self) -> dict[str, Tally]:
        """The tally of every group, in the order of their names."""
        self._settle()
        if self._common is None:
            raise FileError(
                "there is nothing to count: name at least one file of reports", code="file.none"
            )
        return {name: self._groups[name] + self._common for name in sorted(self._groups)}

    def total(self) -> Tally:
        """The tally of all."""
        totals = self.totals()
        assert self._common is not None
        return totals.get("", self._common)

    def reports(self) -> Reports:
        """The reports that count, if they were kept instead of counted."""
        self._settle()
        return np.concatenate(self._kept)

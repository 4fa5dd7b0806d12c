"""Reports as people hand them over: arrays, lists of them, data frames; and the names they know."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from hushvote.errors import ReportError, clip
from hushvote.frames import is_frame, to_arrow
from hushvote.mechanisms.fields import Domain, Reports

STANDING = ("receipt", "change", "withdrawn")  # columns that say which reports of a file stand


class NamedReports(np.ndarray[Any, np.dtype[np.void]]):
    """Reports on candidates whose names are known, so that their tally has them as well.

    They are an array like any other; a single column of it is a plain one.
    """

    candidates: tuple[str, ...] | None = None

    def __array_finalize__(self, source: object) -> None:
        self.candidates = getattr(source, "candidates", None)

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return np.asarray(found) if isinstance(key, str) else found


def with_names(reports: Reports, candidates: tuple[str, ...]) -> Reports:
    """The same reports, which know the names."""
    named = reports.view(NamedReports)
    named.candidates = candidates
    return cast(Reports, named)


def taken(domain: Domain, given: object) -> tuple[Reports, tuple[str, ...] | None]:
    """Reports as one array, and the candidates' names if they are known; what is no report at all
    is left to the domain's check.
    """
    if is_frame(given):
        return _of_frame(domain, given), None
    if isinstance(given, list | tuple) and given:
        return _joined(domain, given)
    if not isinstance(given, np.ndarray):
        return cast(Reports, given), None
    return np.asarray(given), getattr(given, "candidates", None)


def _joined(domain: Domain, given: Sequence[object]) -> tuple[Reports, tuple[str, ...] | None]:
    """Several arrays of reports, such as `draw` returns them one by one."""
    for part in given:
        domain.check(cast(Reports, part)[:0] if isinstance(part, np.ndarray) else cast(Any, part))
    known = [getattr(part, "candidates", None) for part in given]
    names: set[tuple[str, ...]] = {each for each in known if each is not None}
    if len(names) > 1:
        one, other = (", ".join(each) for each in sorted(names)[:2])
        raise ReportError(
            f"these reports name different candidates: {clip(one)} and {clip(other)}",
            code="tally.candidates",
            one=one,
            other=other,
        )
    return np.concatenate([np.asarray(part) for part in given]), next(iter(names), None)


def _of_frame(domain: Domain, frame: object) -> Reports:
    table = to_arrow(frame)
    needed = domain.schema.names
    for name in needed:
        if table.column_names.count(name) != 1:
            raise ReportError(
                f"the data frame lacks the column {name!r}: its columns are "
                f"{clip(', '.join(table.column_names))}, but the mechanism sends "
                f"{', '.join(needed)}",
                code="file.columns",
                column=name,
            )
    for name in STANDING:
        if name in table.column_names and name not in needed:
            raise ReportError(
                f"the data frame has a column {name!r}, so that not all of its reports may stand; "
                "count the file that it comes from by hv.tally_files, or leave the column out",
                code="file.columns",
                column=name,
            )
    (batch,) = table.select(needed).combine_chunks().to_batches() or [None]
    return domain.empty(0) if batch is None else domain.from_arrow(batch)


def single(domain: Domain, report: Reports) -> Reports:
    """Check that this is one report: an array of length 1."""
    domain.check(report)
    if len(report) != 1:
        raise ReportError(
            f"one report is an array of length 1, not of length {len(report)}; take one of them, "
            "as in reports[:1]",
            code="report.number",
            given=len(report),
        )
    return report

"""What people hand over: reports as arrays, lists of them, or data frames, and the names they know;
weights of reports, and questions for them.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushvote.errors import MechanismError, ReportError, TallyError, clip
from hushvote.frames import is_frame, to_arrow
from hushvote.mechanisms.fields import Domain, Reports, check_single
from hushvote.messages import ENGLISH, counted
from hushvote.tally import MOST_VOTERS

Weights = NDArray[np.int64]

STANDING = ("receipt", "change", "withdrawn")  # columns that say which reports of a file stand


class NamedReports(np.ndarray[Any, np.dtype[np.void]]):
    """Reports on candidates whose names are known, so that their tally has them as well.

    They are an array like any other; a single column of it is a plain one.
    """

    candidates: tuple[str, ...] | None = None

    def __array_finalize__(self, source: object) -> None:
        self.candidates = getattr(source, "candidates", None)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        found = super().__array_function__(function, types, args, kwargs)
        if function is np.concatenate and (names := _common(args[0])) is not None:
            return with_names(found, names)
        return found

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return np.asarray(found) if isinstance(key, str) else found

    def __reduce__(self) -> Any:
        rebuild, given, state = cast(tuple[Any, ...], super().__reduce__())
        return rebuild, given, (*state, self.candidates)

    def __setstate__(self, state: Any) -> None:
        *held, self.candidates = state
        super().__setstate__(tuple(held))


def with_names(reports: Reports, candidates: tuple[str, ...]) -> Reports:
    """The same reports, which know the names."""
    named = reports.view(NamedReports)
    named.candidates = candidates
    return cast(Reports, named)


def taken(domain: Domain, d: int, given: object) -> tuple[Reports, tuple[str, ...] | None]:
    """Reports over d candidates as one array, and the candidates' names if they are known; what is
    no report at all is left to the domain's check.
    """
    if is_frame(given):
        return _of_frame(domain, given), None
    several = isinstance(given, list | tuple)
    parts = _parts(cast(Sequence[object], given if several else [given]))
    names = _names(parts, d)
    for part in parts:
        if isinstance(part, np.ma.MaskedArray):
            raise ReportError(
                "reports in a masked array may be there or not; give the array of those that are, "
                "as in reports.compressed()",
                code="report.form",
                given="MaskedArray",
            )
        flat = isinstance(part, np.ndarray) and part.ndim == 1
        domain.check(cast(Reports, part)[:0] if flat else cast(Any, part))
    if several:
        return np.concatenate([domain.empty(0), *map(np.asarray, parts)]), names
    return np.asarray(parts[0]), names


def _flat(part: object) -> object:
    """A single record, as one meets it in going through reports, as an array of length 1."""
    alone = isinstance(part, np.void | np.ndarray) and part.ndim == 0
    return cast(Reports, part).reshape(1) if alone else part


def _parts(given: Sequence[object]) -> list[object]:
    """Flat arrays of reports; very many single records are one of them."""
    kinds = {one.dtype if isinstance(one, np.void) else None for one in given}
    if len(kinds) == 1 and None not in kinds:
        return [np.array(given)]
    return [_flat(part) for part in given]


def _names(parts: Sequence[object], d: int) -> tuple[str, ...] | None:
    """The names that all arrays agree on, which are those of d candidates."""
    for each in sorted(_known(parts)):
        if len(each) != d:
            raise ReportError(
                f"these reports are of {len(each)} candidates ({clip(', '.join(each))}), but the "
                f"mechanism is for {d}",
                code="tally.candidates",
                given=len(each),
                d=d,
            )
    return _common(parts)


def _known(parts: Sequence[object]) -> set[tuple[str, ...]]:
    known = (getattr(part, "candidates", None) for part in parts)
    return {each for each in known if each is not None}


def _common(parts: Sequence[object]) -> tuple[str, ...] | None:
    """The names that all arrays agree on, as far as they know them."""
    names = _known(parts)
    if len(names) > 1:
        one, other = (", ".join(each) for each in sorted(names)[:2])
        raise ReportError(
            f"these reports name different candidates: {clip(one)} and {clip(other)}",
            code="tally.candidates",
            one=one,
            other=other,
        )
    return next(iter(names), None)


def _of_frame(domain: Domain, frame: object) -> Reports:
    needed = domain.schema.names
    wanted = f"reports have the columns {', '.join(needed)}"
    table = to_arrow(frame, wanted, ReportError)
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
    report = cast(Reports, _flat(report))
    domain.check(report)
    check_single(report)
    return report


def questions_of(questions: ArrayLike, n: int) -> NDArray[np.uint8]:
    """The hashes that fix what n reports are on, checked."""
    rows = np.asarray(questions)
    if rows.dtype != np.uint8 or rows.shape != (n, 32):
        raise MechanismError(
            f"questions must be {counted(n, 'row', ENGLISH)} of 32 bytes, not {rows.dtype} of "
            f"shape {rows.shape}",
            code="question.hash",
            n=n,
            type=rows.dtype,
            shape=rows.shape,
        )
    return rows


def weights_of(weights: ArrayLike, n: int) -> Weights:
    """How often each of n reports counts, checked."""
    given = np.asarray(weights)
    if not np.issubdtype(given.dtype, np.integer) or given.shape != (n,):
        raise TallyError(
            f"weights must be {n} whole numbers, not {given.dtype} of shape {given.shape}",
            code="tally.weights",
            n=n,
            type=given.dtype,
            shape=given.shape,
        )
    if n and (given.min() < 0 or given.sum(dtype=np.float64) > MOST_VOTERS):
        raise TallyError(
            f"weights must be at least 0, and {MOST_VOTERS:,} at most in all",
            code="tally.weights",
            most=MOST_VOTERS,
        )
    return given.astype(np.int64, copy=False)

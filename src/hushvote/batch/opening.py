"""Files of reports, opened: columns by name, of whatever integer type another program chose.

Every row holds a report of the mechanism's domain. Beside it may stand whose report
it is and which of that voter's (`receipt`, `change`), whether it was withdrawn (its report may then
be empty), and the group that it is counted in.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hushvote import texts
from hushvote.errors import FileError, ReportError, clip, echo
from hushvote.formats.reports import CHANGE, RECEIPT, WITHDRAWN, ReportFile
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.mechanisms.fields import Reports

VIEWS = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}  # Polars has these
EMPTY = "(empty)"  # the group of the reports whose cell is empty


@dataclass(frozen=True)
class Block:
    """Some consecutive rows of a file; what the file does not say is None."""

    reports: Reports
    first: int  # the number of the first row
    receipts: list[bytes] | None
    changes: NDArray[np.int64] | None
    withdrawn: NDArray[np.bool_] | None
    groups: list[str] | None


@dataclass(frozen=True)
class Opened:
    """A file of reports whose columns are known to be there."""

    file: ReportFile
    mechanism: Mechanism
    marks: tuple[str, ...]  # which of receipt, change and withdrawn there are
    by: str | None

    @classmethod
    def of(cls, file: ReportFile, by: str | None) -> "Opened":
        """Find the columns, or say which one is missing or of the wrong kind."""
        mechanism = mechanism_from(file.parameters)
        needed = mechanism.domain.schema.names
        names = file.schema.names
        marks = tuple(n for n in (RECEIPT, CHANGE, WITHDRAWN) if n in names and n not in needed)
        for name in needed:
            if name not in names:
                raise FileError(
                    f"{file.path} lacks the column {name!r}: its columns are {_listed(names)}, "
                    f"but its mechanism sends {_listed(needed)}",
                    code="file.columns",
                    path=file.path,
                    column=name,
                )
        for name in (*needed, *marks, *([] if by is None else [by])):
            if names.count(name) > 1:
                raise FileError(
                    f"{file.path} has the column {echo(name)} more than once",
                    code="file.columns",
                    path=file.path,
                    column=name,
                )
        if CHANGE in marks and RECEIPT not in marks:
            raise FileError(
                f"{file.path} numbers changes, but lacks the column 'receipt' that says whose",
                code="file.columns",
                path=file.path,
                column=RECEIPT,
            )
        if by is not None:
            further = [name for name in names if name not in (*needed, *marks)]
            if by not in further:
                offer = f"choose one of {_listed(further)}" if further else "it has no further ones"
                raise FileError(
                    f"{file.path} has no column {echo(by)} to count by; {offer}",
                    code="file.groups",
                    path=file.path,
                    by=by,
                )
        return cls(file, mechanism, marks, by)

    def blocks(self, size: int) -> Iterator[Block]:
        """Go through the file, `size` rows at a time."""
        columns = [*self.mechanism.domain.schema.names, *self.marks]
        if self.by is not None:
            columns.append(self.by)
        first = 0
        for batch in self.file.batches(size, columns):
            yield self._block(batch, first)
            first += batch.num_rows

    def _block(self, batch: pa.RecordBatch, first: int) -> Block:
        withdrawn = _flags(batch, first) if WITHDRAWN in self.marks else None
        return Block(
            self._all(batch, first) if withdrawn is None else self._kept(batch, first, withdrawn),
            first,
            _receipts(batch, first) if RECEIPT in self.marks else None,
            _changes(batch, first) if CHANGE in self.marks else None,
            withdrawn,
            None if self.by is None else _groups(batch.column(self.by), self.by, first),
        )

    def _all(self, batch: pa.RecordBatch, first: int) -> Reports:
        reports = self.mechanism.domain.from_arrow(batch, first)
        if self.marks or self.by is not None:  # else counting them checks them
            self.mechanism.domain.check(reports, first)
        return reports

    def _kept(self, batch: pa.RecordBatch, first: int, withdrawn: NDArray[np.bool_]) -> Reports:
        """What stands in a withdrawn row is left alone: it may well be empty."""
        reports = np.zeros(batch.num_rows, dtype=self.mechanism.domain.dtype)
        try:
            reports[~withdrawn] = self._all(batch.filter(pa.array(~withdrawn)), 0)
        except ReportError:  # say it once more, with the row's number in the file
            for row in np.flatnonzero(~withdrawn).tolist():
                self._all(batch.slice(row, 1), first + row)
            raise
        return reports


def _plain(column: Any) -> Any:
    """Without what a writer added: a dictionary, a name for its type, another way to keep texts."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    column = getattr(column, "storage", column)
    plain = VIEWS.get(str(column.type))
    return column if plain is None else column.cast(plain)


def _full(column: Any, name: str, first: int) -> None:
    if column.null_count:
        row = column.is_null().index(True).as_py()
        raise ReportError(
            f"report {first + row}: its {name!r} is empty",
            code="file.receipt" if name == RECEIPT else "file.columns",
            row=first + row,
            column=name,
        )


def _flags(batch: pa.RecordBatch, first: int) -> NDArray[np.bool_]:
    column = batch.column(WITHDRAWN)
    if not pa.types.is_boolean(column.type):
        raise ReportError(
            f"the column 'withdrawn' holds {_kind(column)}, but must say true or false",
            code="file.columns",
            column=WITHDRAWN,
            type=_kind(column),
        )
    _full(column, WITHDRAWN, first)
    flags: NDArray[np.bool_] = column.to_numpy(zero_copy_only=False)
    return flags


def _receipts(batch: pa.RecordBatch, first: int) -> list[bytes]:
    column = _plain(batch.column(RECEIPT))
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = column.cast(pa.large_binary())
    elif pa.types.is_fixed_size_binary(kind):
        column = column.cast(pa.binary())
    elif not (pa.types.is_binary(kind) or pa.types.is_large_binary(kind)):
        raise ReportError(
            f"the column 'receipt' holds {_kind(column)}, but must hold text or bytes",
            code="file.receipt",
            column=RECEIPT,
            type=_kind(column),
        )
    _full(column, RECEIPT, first)
    receipts: list[bytes] = column.to_pylist()
    if b"" in receipts:
        raise ReportError(
            f"report {first + receipts.index(b'')}: its 'receipt' is empty",
            code="file.receipt",
            row=first + receipts.index(b""),
            column=RECEIPT,
        )
    return receipts


def _changes(batch: pa.RecordBatch, first: int) -> NDArray[np.int64]:
    column = _plain(batch.column(CHANGE))
    if not pa.types.is_integer(column.type):
        raise ReportError(
            f"the column 'change' holds {_kind(column)}, but must hold whole numbers",
            code="file.columns",
            column=CHANGE,
            type=_kind(column),
        )
    _full(column, CHANGE, first)
    values = column.to_numpy(zero_copy_only=False)
    wrong = (values < 0) | (values >= 2**63)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ReportError(
            f"report {first + row}: its 'change' is {values[row]}, but changes count from 0",
            code="file.receipt",
            row=first + row,
            column=CHANGE,
            given=values[row],
        )
    changes: NDArray[np.int64] = values.astype(np.int64)
    return changes


def _groups(column: Any, by: str, first: int) -> list[str]:
    """The text of every cell, which is the name of its group."""
    encoded = column if pa.types.is_dictionary(column.type) else _encoded(column, by)
    names = [
        str(value) if value not in (None, "") else EMPTY for value in encoded.dictionary.to_pylist()
    ]
    flaws = [texts.flaw(name, texts.CANDIDATE) for name in names]
    codes = encoded.indices.fill_null(len(names)).to_numpy(zero_copy_only=False).tolist()
    if any(flaws):
        row = next((row for row, code in enumerate(codes) if code < len(names) and flaws[code]), 0)
        raise ReportError(
            f"report {first + row}: its {echo(by)} {echo(names[codes[row]])} {flaws[codes[row]]}",
            code="file.groups",
            row=first + row,
            by=by,
            given=names[codes[row]],
        )
    names.append(EMPTY)
    return [names[code] for code in codes]


def _encoded(column: Any, by: str) -> Any:
    try:
        return _plain(column).dictionary_encode()
    except (pa.ArrowException, NotImplementedError):
        raise ReportError(
            f"the column {echo(by)} holds {_kind(column)}, which has no groups",
            code="file.groups",
            by=by,
            type=_kind(column),
        ) from None


def _kind(column: Any) -> str:
    return clip(str(column.type))


def _listed(names: list[str]) -> str:
    return clip(", ".join(names))

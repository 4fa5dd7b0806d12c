"""The columns of a report, and all that follows from them.

A mechanism declares its fields once; the NumPy record, the Arrow schema, the JSON on the wire
and the check that a report is one the mechanism can send are derived here.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hushvote import exact
from hushvote.arrays import as_column, is_whole, numbers, whole_numbers
from hushvote.errors import MechanismError, ReportError, clip, echo
from hushvote.mechanisms import masks
from hushvote.messages import ENGLISH, counted

if TYPE_CHECKING:
    import pyarrow as pa

Reports = NDArray[np.void]
Fault = tuple[NDArray[np.bool_], Callable[[int], ReportError]]
"""Wrong rows, and the error of one of them."""


def check_single(report: Reports) -> None:
    """Refuse several reports, or none, where one is meant."""
    if len(report) != 1:
        raise ReportError(
            f"one report is an array of length 1, not of length {len(report)}; take one of them, "
            "as in reports[:1]",
            code="report.number",
            given=len(report),
        )


@dataclass(frozen=True)
class Field:
    """One column: a type (which lottery), a mask (set of candidates), a bit, or an integer."""

    name: str
    kind: Literal["type", "mask", "bit", "integer"]
    low: int
    high: int
    sizes: tuple[int, ...] | None = None  # of a mask: how many candidates, one entry a type
    disjoint: tuple[str, ...] = ()  # of a mask: other masks that it shares no candidate with

    @classmethod
    def type(cls, name: str, count: int) -> "Field":
        """Which of `count` public lotteries the report comes from."""
        return cls(name, "type", 0, count - 1)

    @classmethod
    def mask(
        cls,
        name: str,
        d: int,
        sizes: Sequence[int] | None = None,
        disjoint: str | Sequence[str] = (),
    ) -> "Field":
        """A set of candidates, bit j for candidate j; `sizes` says how many, type by type, and
        `disjoint` names a set, or several, that have none of them.
        """
        allowed = None if sizes is None else tuple(sizes)
        for size in allowed or ():
            if not 0 <= size <= d:
                raise MechanismError(
                    f"a set of some of {d} candidates has 0 to {d} members, not {echo(size)}",
                    code="mechanism.member",
                    given=size,
                )
        others = (disjoint,) if isinstance(disjoint, str) else tuple(disjoint)
        return cls(name, "mask", 0, (1 << d) - 1, allowed, others)

    @classmethod
    def bit(cls, name: str) -> "Field":
        """A yes or no."""
        return cls(name, "bit", 0, 1)

    @classmethod
    def integer(cls, name: str, low: int, high: int) -> "Field":
        """A whole number from low to high."""
        return cls(name, "integer", low, high)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The smallest NumPy integer that holds every allowed value."""
        return np.min_scalar_type(self.high if self.low >= 0 else min(self.low, -self.high - 1))

    @property
    def arrow(self) -> "pa.DataType":
        """The smallest signed integer for files, since Spark and others have no unsigned ones.

        A set of 64 candidates is an int64 in two's complement: candidate 63 is the sign.
        """
        import pyarrow as pa  # heavy, and only files need it

        lowest = max(min(self.low, -self.high - 1), -(2**63))
        return pa.from_numpy_dtype(np.min_scalar_type(lowest))

    def to_wire(self, value: int) -> int | str | list[int]:
        """The value as JSON: a set as its list of candidates, large integers as text."""
        return masks.members(value) if self.kind == "mask" else exact.to_json(value)

    def from_wire(self, value: object) -> int:
        """Read what `to_wire` wrote; a ReportError for anything else."""
        if self.kind == "mask":
            return self._set_from_wire(value)
        try:
            number = exact.from_json(value)
        except ValueError as error:
            raise ReportError(
                f"{self.name!r}: {error}", code="report.form", field=self.name, given=value
            ) from None
        if not self.low <= number <= self.high:
            raise self._out_of_range(number)
        return number

    def _set_from_wire(self, value: object) -> int:
        mask, least, high = 0, 0, self.high
        if isinstance(value, list):
            for candidate in value:
                if type(candidate) is not int or candidate < least or not high >> candidate:
                    break
                mask |= 1 << candidate
                least = candidate + 1
            else:
                return mask
        raise ReportError(
            f"{self.name!r} must be a list of different candidates from 0 to "
            f"{high.bit_length() - 1} in rising order, not {echo(value)}",
            code="report.form",
            field=self.name,
            given=value,
        )

    def _out_of_range(self, value: int) -> ReportError:
        return ReportError(
            f"{self.name!r} is {value}, but must lie between {self.low} and {self.high}",
            code="report.range",
            field=self.name,
            given=value,
        )

    def check_range(self, values: NDArray[Any], first: int = 0) -> None:
        """Refuse a column with a value below or above the bounds."""
        if len(values) and not self.low <= values.min() <= values.max() <= self.high:
            row = int(np.argmax((values < self.low) | (values > self.high)))
            raise self._out_of_range(int(values[row])).within(
                f"report {first + row}", row=first + row
            )

    def _wrong_size(self, value: int, t: int) -> ReportError:
        size = self.sizes[t] if self.sizes is not None else 0
        return ReportError(
            f"{self.name!r} holds {counted(value.bit_count(), 'candidate', ENGLISH)}, but must "
            f"hold {size}",
            code="report.size",
            field=self.name,
            given=value.bit_count(),
            wanted=size,
        )

    def faults(self, values: NDArray[Any], types: NDArray[Any] | None) -> Iterator[Fault]:
        """The rows of a column with a value that this mechanism never sends."""
        bounds = np.iinfo(values.dtype)
        if bounds.min < self.low or bounds.max > self.high:
            yield (
                (values < self.low) | (values > self.high),
                lambda row: self._out_of_range(int(values[row])),
            )
        if self.sizes is not None:
            right = np.array(self.sizes, dtype=np.uint8).take(0 if types is None else types)
            yield (
                np.bitwise_count(values) != right,
                lambda row: self._wrong_size(
                    int(values[row]), 0 if types is None else int(types[row])
                ),
            )


@dataclass(frozen=True)
class Domain:
    """All reports that a mechanism can send, described by its fields."""

    fields: tuple[Field, ...]

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """One report as a NumPy record, without padding."""
        return np.dtype([(field.name, field.dtype.newbyteorder("<")) for field in self.fields])

    @cached_property
    def schema(self) -> "pa.Schema":
        """The same columns for Arrow and Parquet, all of them signed."""
        import pyarrow as pa

        return pa.schema([pa.field(f.name, f.arrow, nullable=False) for f in self.fields])

    @cached_property
    def size(self) -> int:
        """How many different reports there are."""
        types = next((field.high + 1 for field in self.fields if field.kind == "type"), 1)
        return sum(
            math.prod(self._choices(field, t) for field in self.fields if field.kind != "type")
            for t in range(types)
        )

    def _choices(self, field: Field, t: int) -> int:
        """Values of a field in reports of type t, given the fields before it."""
        if field.sizes is None:
            return field.high - field.low + 1
        taken = sum(f.sizes[t] for f in self.fields if f.name in field.disjoint and f.sizes)
        return math.comb(field.high.bit_length() - taken, field.sizes[t])

    def orbit(self, report: np.void) -> tuple[object, ...]:
        """What of one report stays the same when candidates are renamed:
        its types, bits and numbers, and how many candidates are in which of its sets.
        """
        sets = [int(report[f.name]) for f in self.fields if f.kind == "mask"]
        rest = [int(report[f.name]) for f in self.fields if f.kind != "mask"]
        d = max((f.high.bit_length() for f in self.fields if f.kind == "mask"), default=0)
        roles = sorted(tuple(s >> j & 1 for s in sets) for j in range(d))
        return (*rest, *roles)

    def empty(self, n: int) -> Reports:
        """Room for n reports."""
        return np.empty(n, dtype=self.dtype)

    def check(self, reports: Reports, first: int = 0) -> None:
        """Refuse reports that are not of this domain, naming the first wrong one."""
        for wrong, why in self._faults(self._columns(reports)):
            if wrong.any():
                row = int(np.argmax(wrong))
                raise why(row).within(f"report {first + row}", row=first + row)

    def valid(self, reports: Reports) -> NDArray[np.bool_]:
        """Which rows are reports of this domain, so that a wrong one fails alone."""
        columns = self._columns(reports)
        found = np.ones(len(reports), dtype=np.bool_)
        for wrong, _ in self._faults(columns, found):
            found &= ~wrong
        return found

    def check_form(self, reports: Reports) -> None:
        """Refuse what is no flat array of records of this domain, whatever they hold."""
        if not isinstance(reports, np.ndarray) or reports.dtype != self.dtype:
            held = getattr(reports, "dtype", type(reports).__name__)
            offer = "; files of reports are counted by hv.tally_files" if held == "str" else ""
            raise ReportError(
                f"these reports hold {held}, but the mechanism sends {self.dtype}{offer}",
                code="report.form",
                given=held,
                wanted=self.dtype,
            )
        if reports.ndim != 1:
            raise ReportError(
                f"reports must be a flat array, not one of shape {reports.shape}",
                code="report.form",
                shape=reports.shape,
            )

    def _columns(self, reports: Reports) -> dict[str, NDArray[Any]]:
        """The fields of records, each on its own."""
        self.check_form(reports)
        return {field.name: np.ascontiguousarray(reports[field.name]) for field in self.fields}

    def _faults(
        self, columns: Mapping[str, NDArray[Any]], valid: NDArray[np.bool_] | None = None
    ) -> Iterator[Fault]:
        """What can be wrong, one thing after the other. Types that are no types would have no
        sizes: whoever goes on behind a fault says which rows are `valid` up to then.
        """
        types: NDArray[Any] | None = None
        for field in self.fields:
            column = columns[field.name]
            yield from field.faults(column, types)
            if field.kind == "type":
                types = column if valid is None else np.where(valid, column, 0)
            for other in field.disjoint:
                yield (column & columns[other]) != 0, partial(_shared, field.name, other)

    def to_wire(self, report: Reports) -> dict[str, Any]:
        """One report (an array of length 1) as the JSON that the voter is shown."""
        self.check_form(report)
        check_single(report)
        return {field.name: field.to_wire(int(report[field.name][0])) for field in self.fields}

    def parse(self, wire: object) -> tuple[int, ...]:
        """The values of one report in JSON, read strictly: every field, nothing else, all in the
        domain. Without arrays, since a server reads one report at a time.
        """
        if not isinstance(wire, dict) or wire.keys() != self._names:
            raise self._misses(wire)
        found: dict[str, int] = {}
        t = 0
        for field in self.fields:
            found[field.name] = value = field.from_wire(wire[field.name])
            if field.kind == "type":
                t = value
            elif field.sizes is not None and value.bit_count() != field.sizes[t]:
                raise field._wrong_size(value, t)
        for one, other in self._apart:
            if found[one] & found[other]:
                raise _shared(one, other)
        return tuple(found.values())

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(field.name for field in self.fields)

    @cached_property
    def _apart(self) -> tuple[tuple[str, str], ...]:
        return tuple((field.name, other) for field in self.fields for other in field.disjoint)

    def _misses(self, wire: object) -> ReportError:
        """Why this has not the fields of a report."""
        names = [field.name for field in self.fields]
        if not isinstance(wire, dict):
            return ReportError(
                f"a report is a JSON object with {', '.join(names)}, not {echo(wire)}",
                code="report.form",
                given=wire,
            )
        for name in names:
            if name not in wire:
                return ReportError(
                    f"the report lacks the field {name!r}", code="report.field", field=name
                )
        more = next(name for name in wire if name not in names)
        return ReportError(
            f"the report has a field {echo(more)} that it must not have; "
            f"its fields are {', '.join(names)}",
            code="report.field",
            field=more,
        )

    def from_wire(self, wire: object) -> Reports:
        """The same as an array of length 1."""
        return np.array([self.parse(wire)], dtype=self.dtype)

    def to_arrow(self, reports: Reports) -> "pa.RecordBatch":
        """Reports as Arrow columns."""
        import pyarrow as pa

        columns = [
            as_column(reports[field.name].astype(field.arrow.to_pandas_dtype()))
            for field in self.fields
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def from_arrow(self, batch: "pa.RecordBatch", first: int = 0) -> Reports:
        """Arrow columns of any integer type as reports, not yet checked against the domain;
        a value that a record cannot hold is refused.
        """
        reports = self.empty(batch.num_rows)
        for field in self.fields:
            column = _column(batch, field.name)
            if column.null_count:
                row = first + int(np.argmin(numbers(column.is_valid())))
                raise ReportError(
                    f"report {row}: {field.name!r} is empty",
                    code="file.columns",
                    column=field.name,
                    row=row,
                )
            values = _unsigned(whole_numbers(column), field)
            if not np.can_cast(values.dtype, field.dtype):
                field.check_range(values, first)
            reports[field.name] = values
        return reports

    def sifted(self, batch: "pa.RecordBatch") -> tuple[Reports, NDArray[np.bool_]]:
        """Arrow columns as `from_arrow` takes them, and which rows are reports of this domain; the
        others, with empty cells or values that no report has, hold anything.
        """
        sound = np.ones(batch.num_rows, dtype=np.bool_)
        columns: dict[str, NDArray[Any]] = {}
        for field in self.fields:
            column = _column(batch, field.name)
            if column.null_count:
                sound &= numbers(column.is_valid())
                column = column.fill_null(0)
            values = _unsigned(whole_numbers(column), field)
            if not np.can_cast(values.dtype, field.dtype):
                fits = ((values >= field.low) & (values <= field.high)).astype(np.bool_)
                if not fits.all():
                    sound &= fits
                    values = np.where(fits, values, 0)
            columns[field.name] = values.astype(field.dtype, copy=False)
        for wrong, _ in self._faults(columns, sound):
            sound &= ~wrong
        reports = self.empty(batch.num_rows)
        for name, values in columns.items():
            reports[name] = values
        return reports, sound


def _column(batch: "pa.RecordBatch", name: str) -> Any:
    """A column of whole numbers, however a program keeps them."""
    import pyarrow as pa

    column = batch.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not is_whole(column.type):
        raise ReportError(
            f"the column {name!r} holds {clip(str(column.type))}, but must hold whole numbers",
            code="file.columns",
            column=name,
            type=column.type,
        )
    return column


def _unsigned(values: NDArray[Any], field: Field) -> NDArray[Any]:
    """A set of 64 candidates stands in a file as a signed integer."""
    if field.high < 2**63:
        return values
    if values.dtype == object:
        return np.where((values < 0) & (values >= -(2**63)), values + 2**64, values)
    return values.view(np.uint64) if values.dtype == np.int64 else values


def _shared(one: str, other: str, row: int = 0) -> ReportError:
    return ReportError(
        f"{one!r} and {other!r} share a candidate, but must not",
        code="report.overlap",
        field=one,
        other=other,
    )

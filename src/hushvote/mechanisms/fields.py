"""The columns of a report, and all that follows from them.

A mechanism declares its fields once; the NumPy record, the Arrow schema, the JSON on the wire
and the check that a report is one the mechanism can send are derived here.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hushvote import exact
from hushvote.errors import ReportError, echo
from hushvote.mechanisms import masks

if TYPE_CHECKING:
    import pyarrow as pa

Reports = NDArray[np.void]


@dataclass(frozen=True)
class Field:
    """One column: a type (which lottery), a mask (set of candidates), a bit, or an integer."""

    name: str
    kind: Literal["type", "mask", "bit", "integer"]
    low: int
    high: int
    sizes: tuple[int, ...] | None = None  # of a mask: how many candidates, one entry a type
    apart: tuple[str, ...] = ()  # of a mask: other masks that it shares no candidate with

    @classmethod
    def type(cls, name: str, count: int) -> "Field":
        """Which of `count` public lotteries the report comes from."""
        return cls(name, "type", 0, count - 1)

    @classmethod
    def mask(
        cls, name: str, d: int, sizes: Sequence[int] | None = None, apart: str | Sequence[str] = ()
    ) -> "Field":
        """A set of candidates, bit j for candidate j; `sizes` says how many, type by type, and
        `apart` names a set, or several, that have none of them.
        """
        allowed = None if sizes is None else tuple(sizes)
        others = (apart,) if isinstance(apart, str) else tuple(apart)
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

    def to_wire(self, value: int) -> int | str | list[int]:
        """The value as JSON: a set as its list of candidates, large integers as text."""
        return masks.members(value) if self.kind == "mask" else exact.to_json(value)

    def from_wire(self, value: object) -> int:
        """Read what `to_wire` wrote; a ReportError for anything else."""
        if self.kind == "mask":
            d = self.high.bit_length()
            if (
                not isinstance(value, list)
                or not all(type(c) is int and 0 <= c < d for c in value)
                or sorted(set(value)) != value
            ):
                raise ReportError(
                    f"{self.name!r} must be a list of different candidates from 0 to {d - 1} "
                    f"in rising order, not {echo(value)}"
                )
            return masks.mask_of(value)
        try:
            number = exact.from_json(value)
        except ValueError as error:
            raise ReportError(f"{self.name!r}: {error}") from None
        if not self.low <= number <= self.high:
            raise ReportError(self._out_of_range(number))
        return number

    def _out_of_range(self, value: int) -> str:
        return f"{self.name!r} is {value}, but must lie between {self.low} and {self.high}"

    def check(self, values: NDArray[Any], types: NDArray[Any] | None, first: int = 0) -> None:
        """Refuse a column with a value that this mechanism never sends."""
        wrong = (values < self.low) | (values > self.high)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise ReportError(f"report {first + row}: {self._out_of_range(int(values[row]))}")
        if self.sizes is not None:
            right = np.array(self.sizes)[0 if types is None else types]
            wrong = np.bitwise_count(values) != right
            if wrong.any():
                row = int(np.argmax(wrong))
                size = int(np.broadcast_to(right, values.shape)[row])
                raise ReportError(
                    f"report {first + row}: {self.name!r} holds "
                    f"{int(values[row]).bit_count()} candidates, but must hold {size}"
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
        """The same columns for Arrow and Parquet."""
        import pyarrow as pa  # heavy, and only files need it

        return pa.schema(
            [pa.field(f.name, pa.from_numpy_dtype(f.dtype), nullable=False) for f in self.fields]
        )

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
        taken = sum(f.sizes[t] for f in self.fields if f.name in field.apart and f.sizes)
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
        if not isinstance(reports, np.ndarray) or reports.dtype != self.dtype:
            held = getattr(reports, "dtype", type(reports).__name__)
            raise ReportError(f"these reports hold {held}, but the mechanism sends {self.dtype}")
        if reports.ndim != 1:
            raise ReportError(f"reports must be a flat array, not one of shape {reports.shape}")
        types: NDArray[Any] | None = None
        for field in self.fields:
            field.check(reports[field.name], types, first)
            if field.kind == "type":
                types = reports[field.name]
            for other in field.apart:
                both = reports[field.name] & reports[other]
                if both.any():
                    row = int(np.argmax(both != 0))
                    raise ReportError(
                        f"report {first + row}: {field.name!r} and {other!r} share a "
                        "candidate, but must not"
                    )

    def to_wire(self, report: Reports) -> dict[str, Any]:
        """One report (an array of length 1) as the JSON that the voter is shown."""
        return {field.name: field.to_wire(int(report[field.name][0])) for field in self.fields}

    def from_wire(self, wire: object) -> Reports:
        """Read one report strictly: every field, nothing else, all in the domain."""
        names = [field.name for field in self.fields]
        if not isinstance(wire, Mapping):
            raise ReportError(
                f"a report is a JSON object with {', '.join(names)}, not {echo(wire)}"
            )
        for name in names:
            if name not in wire:
                raise ReportError(f"the report lacks the field {name!r}")
        for name in wire:
            if name not in names:
                raise ReportError(
                    f"the report has a field {echo(name)} that it must not have; "
                    f"its fields are {', '.join(names)}"
                )
        report = self.empty(1)
        for field in self.fields:
            report[field.name] = field.from_wire(wire[field.name])
        self.check(report)
        return report

    def to_arrow(self, reports: Reports) -> "pa.RecordBatch":
        """Reports as Arrow columns."""
        import pyarrow as pa

        columns = [pa.array(np.ascontiguousarray(reports[field.name])) for field in self.fields]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def from_arrow(self, batch: "pa.RecordBatch") -> Reports:
        """Arrow columns as reports, not yet checked against the domain."""
        reports = self.empty(batch.num_rows)
        for field in self.fields:
            column = batch.column(field.name)
            if column.null_count:
                raise ReportError(f"the column {field.name!r} has empty cells")
            reports[field.name] = column.to_numpy(zero_copy_only=False)
        return reports

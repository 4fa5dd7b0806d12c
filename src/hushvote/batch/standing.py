"""Which reports stand: of every receipt the last change, unless it was withdrawn.

Rows come sorted by receipt and change, from whichever engine sorted them, and are settled receipt
by receipt. Of a receipt that may go on in the next rows only what can still matter is kept: its
last change, and a second content of it if there is one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from hushvote.arrays import as_column, numbers
from hushvote.batch.rows import Block, Left
from hushvote.errors import ReportError
from hushvote.formats.reports import CHANGE, RECEIPT, WITHDRAWN

GROUP, FILE, PLACE, REPORT = "group", "file", "place", "report"
SCHEMA = pa.schema(
    [
        (RECEIPT, pa.large_binary()),
        (CHANGE, pa.int64()),
        (WITHDRAWN, pa.bool_()),
        (GROUP, pa.large_string()),
        (FILE, pa.int32()),
        (PLACE, pa.int64()),
        (REPORT, pa.large_binary()),
    ]
)


def rows_of(block: Block, file: int = 0) -> pa.RecordBatch:
    """Sound rows with receipts in the form in which they are sorted: reports as plain bytes."""
    n = len(block.reports)
    changes = np.zeros(n, np.int64) if block.changes is None else block.changes
    withdrawn = np.zeros(n, np.bool_) if block.withdrawn is None else block.withdrawn
    places = block.places
    if places is None:
        places = np.arange(block.first, block.first + n, dtype=np.int64)
    if block.names is None or block.groups is None:
        groups = pa.repeat(pa.scalar("", pa.large_string()), n)
    else:
        groups = pa.array(block.names, pa.large_string()).take(as_column(block.groups))
    columns = [
        block.receipts,
        as_column(changes),
        as_column(withdrawn),
        groups,
        as_column(np.full(n, file, np.int32)),
        as_column(places),
        _bytes(block.reports),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _bytes(reports: NDArray[np.void]) -> Any:
    size = reports.dtype.itemsize
    ends = np.arange(len(reports) + 1, dtype=np.int64) * size
    held = [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(reports).tobytes())]
    return pa.Array.from_buffers(pa.large_binary(), len(reports), held)


def _reports(column: Any, dtype: np.dtype[Any]) -> NDArray[np.void]:
    """The same reports again; all have the same length, so they stand one behind the other."""
    column = column.cast(pa.large_binary())
    ends = np.frombuffer(column.buffers()[1], dtype=np.int64)
    start = int(ends[column.offset])
    held = column.buffers()[2]
    if not len(column) or held is None:
        return np.empty(0, dtype=dtype)
    return np.frombuffer(held, dtype=dtype, count=len(column), offset=start)


class Standing:
    """Goes through sorted rows, and says which stand."""

    def __init__(
        self, report: np.dtype[Any], files: Sequence[object], *, grouped: bool, skip: bool
    ) -> None:
        self._report = report
        self._files = files  # by the numbers in the rows, for messages
        self._grouped = grouped
        self._skip = skip
        self._more = 0  # rows beyond those kept that say the same as the receipt still open
        self.left = Left()

    def settled(self, rows: Iterable[pa.RecordBatch]) -> Iterator[Block]:
        """The rows that count, some at a time; all others are in `left` in the end."""
        still_open = SCHEMA.empty_table()
        for batch in rows:
            if batch.num_rows:
                held = [still_open, pa.Table.from_batches([batch])]
                joined = pa.concat_tables(held).combine_chunks().to_batches()[0]
                borders = np.flatnonzero(~_same(joined.column(RECEIPT)))
                start = int(borders[-1]) + 1 if len(borders) else 0
                if start:
                    yield self._standing(joined.slice(0, start))
                still_open = pa.Table.from_batches([self._shortened(joined.slice(start))])
        if still_open.num_rows:
            yield self._standing(still_open.to_batches()[0])

    def _standing(self, rows: pa.RecordBatch) -> Block:
        """What stands of whole receipts."""
        same = _same(rows.column(RECEIPT))
        change, withdrawn = numbers(rows.column(CHANGE)), numbers(rows.column(WITHDRAWN))
        new = np.append(True, ~same)
        receipt = np.cumsum(new) - 1
        end = np.append(new[1:], True)
        last = change == change[end][receipt]
        differing = _differing(rows, same) & last[1:]
        if differing.any() and not self._skip:
            self._refuse(rows.slice(int(np.argmax(differing)), 2).to_pylist())
        torn = np.zeros(receipt[-1] + 1, dtype=np.bool_)
        torn[receipt[1:][differing]] = True
        stands = end & ~torn[receipt]
        conflicting = int(np.count_nonzero(last & torn[receipt]))
        if torn[0] and last[0]:
            conflicting += self._more
        gone = int(np.count_nonzero(stands & withdrawn))
        stands &= ~withdrawn
        superseded = len(change) + self._more - conflicting - gone - np.count_nonzero(stands)
        self._more = 0
        self.left += Left(conflicting=conflicting, superseded=int(superseded), withdrawn=gone)
        kept = rows.filter(as_column(stands))
        reports = _reports(kept.column(REPORT), self._report)
        if not self._grouped:
            return Block(reports)
        groups = kept.column(GROUP).dictionary_encode()
        names = tuple(groups.dictionary.to_pylist())
        return Block(reports, names=names, groups=numbers(groups.indices).astype(np.intp))

    def _shortened(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """What can still matter of a receipt that may go on: at most two rows."""
        differing = _differing(rows, _same(rows.column(RECEIPT)))
        change = numbers(rows.column(CHANGE))
        first = int(np.searchsorted(change, change[-1]))
        if first:
            self.left += Left(superseded=first + self._more)
            self._more = 0
        others = first + 1 + np.flatnonzero(differing[first:])[:1]
        self._more += len(change) - first - 1 - len(others)
        return rows.take(as_column(np.append(first, others)))

    def _refuse(self, rows: list[dict[str, Any]]) -> None:
        rows.sort(key=lambda row: (row[FILE], row[PLACE]))
        one, other = (f"report {row[PLACE]} of {self._files[row[FILE]]}" for row in rows)
        raise ReportError(
            f"{one} and {other} have the same receipt and the same change number "
            f"({rows[0][CHANGE]}), but different contents; a later change needs a higher number",
            code="file.receipt",
            one=one,
            other=other,
            change=rows[0][CHANGE],
        )


def _differing(rows: pa.RecordBatch, same: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows are the same change of the same receipt as the row before, but say something
    else.
    """
    change = numbers(rows.column(CHANGE))
    found: NDArray[np.bool_] = same & (change[1:] == change[:-1])
    if found.any():
        equal = [_same(rows.column(name)) for name in (WITHDRAWN, GROUP, REPORT)]
        found &= ~np.logical_and.reduce(equal)
    return found


def _same(column: Any) -> NDArray[np.bool_]:
    """Which cells equal the one before."""
    n = len(column)
    found = pc.equal(column.slice(1), column.slice(0, max(0, n - 1)))
    equal: NDArray[np.bool_] = numbers(found)
    return equal

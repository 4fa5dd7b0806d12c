"""Rows with receipts, sorted so that all of one receipt stand together: in memory if they are few,
else by way of the disk.

Rows that do not fit are dealt into 256 buckets by a hash of their receipt, under a random key, so
that nobody can choose receipts that all fall into one; a bucket that does not fit is dealt again.
They are put aside in a `Spill`: receipts and reports must not be seen, nor be left behind by a
process that is killed.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hushvote.arrays import as_column
from hushvote.batch.standing import SCHEMA
from hushvote.files import explained
from hushvote.formats.reports import CHANGE, RECEIPT
from hushvote.formats.spill import Spill

RUN = 1 << 26  # bytes of rows that are in memory at a time
BUCKETS = 256
MOST_DEALS = 4  # a bucket that is still too large then holds one receipt over and over
BATCH = 1 << 16  # sorted rows that are handed on at a time
WORD = 8  # bytes of a receipt that are hashed at a time


def in_order(rows: Iterable[pa.RecordBatch], deals: int = 0) -> Iterator[pa.RecordBatch]:
    """All rows: those of one receipt stand together, by their change."""
    held: list[pa.RecordBatch] = []
    size = 0
    buckets: _Buckets | None = None
    try:
        for batch in rows:
            held.append(batch)
            size += batch.nbytes
            if size > RUN and deals < MOST_DEALS:
                buckets = buckets or _Buckets()
                buckets.put(pa.Table.from_batches(held))
                held, size = [], 0
        if buckets is None:
            yield from _sorted(held)
            return
        if held:
            buckets.put(pa.Table.from_batches(held))
        del held
        for bucket in range(BUCKETS):
            yield from in_order(buckets.rows(bucket), deals + 1)
    finally:
        if buckets is not None:
            buckets.close()


def _sorted(held: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    if held:
        table = pa.Table.from_batches(held)
        held.clear()
        yield from table.sort_by([(RECEIPT, "ascending"), (CHANGE, "ascending")]).to_batches(BATCH)


class _Buckets:
    """Rows on the disk, dealt by their receipts."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.gettempdir())
        self._spill = Spill(self._folder)
        self._key = np.frombuffer(os.urandom(8 << 10), dtype=np.uint64) | np.uint64(1)
        self._parts: list[list[tuple[int, int]]] = [[] for _ in range(BUCKETS)]  # place and size

    def put(self, rows: pa.Table) -> None:
        """Put rows aside, bucket by bucket."""
        rows = rows.combine_chunks()
        dealt = self._bucket_of(rows.column(RECEIPT).chunk(0))
        order = np.argsort(dealt, kind="stable")
        starts = np.searchsorted(dealt[order], np.arange(BUCKETS + 1))
        rows = rows.take(as_column(order))
        with explained(self._folder):
            for parts, start, end in zip(self._parts, starts[:-1], starts[1:], strict=True):
                if start < end:
                    packed = _packed(rows.slice(start, end - start))
                    parts.append((self._spill.append(packed), len(packed)))

    def rows(self, bucket: int) -> Iterator[pa.RecordBatch]:
        """The rows of one bucket."""
        for place, size in self._parts[bucket]:
            with pa.ipc.open_stream(self._spill.read(place, size)) as stream:
                yield from stream

    def close(self) -> None:
        """Give the rows up."""
        self._spill.close()

    def _bucket_of(self, receipts: Any) -> NDArray[np.uint8]:
        """The highest byte of a sum of products of each receipt's words with random ones."""
        ends = np.frombuffer(
            receipts.buffers()[1], np.int64, len(receipts) + 1, 8 * receipts.offset
        )
        held = np.frombuffer(receipts.buffers()[2] or b"", dtype=np.uint8)
        lengths = np.diff(ends)
        found = np.zeros(len(receipts), dtype=np.uint8)
        for length in np.unique(lengths).tolist():
            rows = np.flatnonzero(lengths == length)
            sums = np.zeros(len(rows), dtype=np.uint64)
            used = min(length, WORD * len(self._key))  # what differs only behind falls together
            for key, start in zip(self._key, range(0, used, WORD), strict=False):
                width = min(WORD, used - start)
                words = np.zeros((len(rows), WORD), dtype=np.uint8)
                words[:, :width] = sliding_window_view(held, width)[ends[rows] + start]
                sums += words.view(np.uint64)[:, 0] * key
            found[rows] = (sums * self._key[-1]) >> np.uint64(56)
        return found


def _packed(rows: pa.Table) -> memoryview:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, SCHEMA) as stream:
        stream.write_table(rows)
    return memoryview(sink.getvalue()).cast("B")

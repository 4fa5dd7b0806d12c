"""Reports in random order, in little memory: what comes out is a set, whoever voted first.

The order that comes out says nothing of the order in which they came in: rows that differ are
equally likely in every order but for ties of 40-bit keys, which content decides. Rows are
gathered in a buffer. If all fit, they are permuted there. Otherwise every full buffer (a *run*)
is dealt into 256 buckets, each row by 8 random bits of its own, and put aside in a `Spill`; in
the end the rows of some buckets at a time are fetched from all runs, permuted and handed out. A
bucket that does not fit is dealt again, so memory is bounded at any size.

Rows are permuted by sorting random keys. Rows of up to three bytes are sorted together with
their key as one number, so that equal keys are ordered by content; longer ones by key and place,
drawn anew if two keys are equal. Never does the order of arrival decide.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushvote.formats.spill import Spill
from hushvote.lottery import Bits

RUN = 1 << 22  # bytes of rows that are in memory at a time
MOST = 1 << 18  # rows that are fetched at a time: their keys stay in the processor's cache
FETCH = 1 << 22  # and their bytes at most
DRAW = 1 << 17  # keys drawn at a time
BUCKETS = 256
PLACE = 24  # bits of a key that say where a row stands, or hold the row itself

Rows = NDArray[Any]
Keys = NDArray[np.uint64]

_LOW = np.uint64((1 << PLACE) - 1)
_HIGH = ~_LOW
_BORDERS = np.arange(BUCKETS, dtype=np.uint32) << np.uint32(PLACE)


class Packing(Protocol):
    """How reports become rows of one array, and how rows are put in random order."""

    dtype: np.dtype[Any]

    def pack(self, columns: Sequence[NDArray[Any]]) -> Rows:
        """One row a report."""

    def unpack(self, rows: Rows) -> list[NDArray[Any]]:
        """The columns again."""

    def dealt(self, rows: Rows, bits: Bits) -> tuple[Rows, NDArray[np.int64]]:
        """The rows bucket by bucket, each in a random one, and where the buckets begin."""

    def permuted(self, rows: Rows, bits: Bits) -> Rows:
        """The rows in random order."""


def packing(dtypes: Sequence[np.dtype[Any]]) -> Packing:
    """The quicker way for reports of these columns."""
    return Narrow(dtypes) if sum(t.itemsize for t in dtypes) * 8 <= PLACE else Wide(dtypes)


class Narrow:
    """Reports of up to three bytes, each as one number below 2^24."""

    dtype = np.dtype(np.uint32)

    def __init__(self, dtypes: Sequence[np.dtype[Any]]) -> None:
        self.dtypes = tuple(dtypes)

    def pack(self, columns: Sequence[NDArray[Any]]) -> Rows:
        """The columns' bytes one above the other."""
        rows = np.zeros(len(columns[0]), dtype=self.dtype)
        shift = 0
        for column, dtype in zip(columns, self.dtypes, strict=True):
            rows |= _unsigned(column).astype(np.uint32) << np.uint32(shift)
            shift += 8 * dtype.itemsize
        return rows

    def unpack(self, rows: Rows) -> list[NDArray[Any]]:
        """Cut the numbers into their columns."""
        columns, shift = [], 0
        for dtype in self.dtypes:
            part = (rows >> np.uint32(shift)).astype(np.dtype(f"u{dtype.itemsize}"))
            columns.append(part.view(dtype))
            shift += 8 * dtype.itemsize
        return columns

    def dealt(self, rows: Rows, bits: Bits) -> tuple[Rows, NDArray[np.int64]]:
        """The bucket stands in the highest byte while the rows are put aside."""
        rows = _under_random_bytes(rows & np.uint32(_LOW), bits)
        rows.sort()
        return rows, np.searchsorted(rows, _BORDERS)

    def permuted(self, rows: Rows, bits: Bits) -> Rows:
        """Equal keys are ordered by the rows themselves, which tells nothing of their arrival."""
        keys = _under_random_keys(rows & np.uint32(_LOW), bits)
        keys.sort()
        keys &= _LOW
        return keys.astype(np.uint32)


class Wide:
    """Reports of any size, as records."""

    def __init__(self, dtypes: Sequence[np.dtype[Any]]) -> None:
        self.record = np.dtype([(str(i), dtype) for i, dtype in enumerate(dtypes)])
        self.dtype = np.dtype((np.void, self.record.itemsize))  # copies faster than its fields

    def pack(self, columns: Sequence[NDArray[Any]]) -> Rows:
        """The columns side by side."""
        rows = np.empty(len(columns[0]), dtype=self.record)
        for i, column in enumerate(columns):
            rows[str(i)] = column
        return rows.view(self.dtype)

    def unpack(self, rows: Rows) -> list[NDArray[Any]]:
        """Take the records apart."""
        fields = rows.view(self.record)
        return [np.ascontiguousarray(fields[name]) for name in self.record.names or ()]

    def dealt(self, rows: Rows, bits: Bits) -> tuple[Rows, NDArray[np.int64]]:
        """Within a bucket rows may stand as they came: they are permuted when it is fetched."""
        keys = _under_random_bytes(np.arange(len(rows), dtype=np.uint32), bits)
        keys.sort()
        return rows.take(keys & np.uint32(_LOW)), np.searchsorted(keys, _BORDERS)

    def permuted(self, rows: Rows, bits: Bits) -> Rows:
        """Equal keys would show which row came first, so all are drawn anew."""
        places = np.arange(len(rows), dtype=np.uint32)
        while True:
            keys = _under_random_keys(places, bits)
            keys.sort()
            if not (keys[1:] ^ keys[:-1] <= _LOW).any():
                return rows.take((keys & _LOW).astype(np.intp))


class Shuffle:
    """Rows go in in any order, and come out in a random one."""

    def __init__(self, kind: Packing, bits: Bits, folder: Path) -> None:
        self._kind = kind
        self._bits = bits
        self._folder = folder
        self._capacity = min(max(1, RUN // kind.dtype.itemsize), 1 << PLACE)
        self._buffer: Rows = np.empty(0, dtype=kind.dtype)
        self._filled = 0
        self._runs: list[tuple[int, NDArray[np.int64]]] = []  # place, and rows before each bucket
        self._spill: Spill | None = None

    def add(self, rows: Rows) -> None:
        """Take some more rows."""
        while len(rows):
            if self._filled == self._capacity:
                self._put_aside()
            taken = rows[: self._capacity - self._filled]
            self._make_room(self._filled + len(taken))
            self._buffer[self._filled : self._filled + len(taken)] = taken
            self._filled += len(taken)
            rows = rows[len(taken) :]

    def blocks(self) -> Iterator[Rows]:
        """All rows in random order, some at a time; to be called once, at the end."""
        if not self._runs:
            yield self._kind.permuted(self._buffer[: self._filled], self._bits)
            return
        self._put_aside()
        self._buffer = self._buffer[:0].copy()
        try:
            yield from self._fetched()
        finally:
            self.close()

    def close(self) -> None:
        """Give the scratch file up."""
        if self._spill is not None:
            self._spill.close()

    def _make_room(self, rows: int) -> None:
        """A small poll needs a small buffer only."""
        if rows > len(self._buffer):
            larger = np.empty(
                min(self._capacity, max(rows, 4 * len(self._buffer))), self._kind.dtype
            )
            larger[: self._filled] = self._buffer[: self._filled]
            self._buffer = larger

    def _put_aside(self) -> None:
        """Write the buffer as one run, bucket by bucket."""
        if self._spill is None:
            self._spill = Spill(self._folder)
        rows, starts = self._kind.dealt(self._buffer[: self._filled], self._bits)
        place = self._spill.append(rows.view(np.uint8).data)
        self._runs.append((place, np.append(starts, len(rows))))
        self._filled = 0

    def _fetched(self) -> Iterator[Rows]:
        """Some buckets at a time, as many as may be permuted together."""
        totals = np.sum([np.diff(starts) for _, starts in self._runs], axis=0)
        most = max(1, min(MOST, FETCH // self._kind.dtype.itemsize))
        first = 0
        while first < BUCKETS:
            last, held = first + 1, int(totals[first])
            while last < BUCKETS and held + totals[last] <= most:
                held += int(totals[last])
                last += 1
            if 0 < held <= most:
                yield self._kind.permuted(
                    np.concatenate(list(self._segments(first, last))), self._bits
                )
            elif held:
                again = Shuffle(self._kind, self._bits, self._folder)
                for rows in self._segments(first, last):
                    again.add(rows)
                yield from again.blocks()
            first = last

    def _segments(self, first: int, last: int) -> Iterator[Rows]:
        """The rows of some buckets, run by run."""
        size = self._kind.dtype.itemsize
        for place, starts in self._runs:
            start, end = int(starts[first]), int(starts[last])
            if self._spill and start < end:
                held = self._spill.read(place + start * size, (end - start) * size)
                yield np.frombuffer(held, dtype=self._kind.dtype)


def _under_random_bytes(rows: NDArray[np.uint32], bits: Bits) -> NDArray[np.uint32]:
    """A random byte above each number below 2^24."""
    for start in range(0, len(rows), DRAW):
        part = rows[start : start + DRAW]
        drawn = np.frombuffer(bits.bytes(len(part)), dtype=np.uint8)
        part |= drawn.astype(np.uint32) << np.uint32(PLACE)
    return rows


def _under_random_keys(rows: NDArray[np.uint32], bits: Bits) -> Keys:
    """40 random bits above each number below 2^24."""
    keys = np.empty(len(rows), dtype=np.uint64)
    for start in range(0, len(rows), DRAW):
        part = keys[start : start + DRAW]
        drawn = np.frombuffer(bits.bytes(8 * len(part)), dtype=np.uint64)
        np.bitwise_and(drawn, _HIGH, out=part)
        part |= rows[start : start + DRAW]
    return keys


def _unsigned(column: NDArray[Any]) -> NDArray[Any]:
    return column.view(np.dtype(f"u{column.dtype.itemsize}"))

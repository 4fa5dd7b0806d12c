"""Whether the pages of a Parquet file carry checksums, which Arrow checks but does not tell; and
whether they are right, for readers that do not check them.

Every page begins with a small head in Thrift's compact protocol
(https://github.com/apache/parquet-format, `PageHeader`): field 3 is the size of the page behind
it, field 4 its CRC-32, which a writer may leave out.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

from hushvote.files import AnyPath, reading
from hushvote.formats.parquet import table_file

SIZE, CRC = 3, 4  # fields of a page's head
HEAD = 1 << 12  # bytes read at first; statistics of texts may make a head longer
LONGEST = 1 << 24

STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)


def all_have_checksums(path: AnyPath) -> bool:
    """Whether every page of every column has one. A head that cannot be read counts as none."""
    with reading(path) as file:
        try:
            return all(CRC in head for chunk in _chunks(path) for head, _ in _heads(file, chunk))
        except (EOFError, ValueError):
            return False


def checksums_hold(path: AnyPath, columns: Sequence[str]) -> bool:
    """Whether no page of these columns has a checksum that is wrong; those without one pass."""
    with reading(path) as file:
        try:
            for chunk in _chunks(path):
                if chunk.path_in_schema in columns:
                    for head, place in _heads(file, chunk):
                        file.seek(place)
                        page = file.read(head[SIZE])
                        if CRC in head and crc32(page) != head[CRC] & 0xFFFFFFFF:
                            return False
        except (EOFError, ValueError):
            return False
    return True


def _chunks(path: AnyPath) -> list[Any]:
    with table_file(path) as table:
        return [
            table.metadata.row_group(group).column(column)
            for group in range(table.metadata.num_row_groups)
            for column in range(table.metadata.num_columns)
        ]


def _heads(file: Any, chunk: Any) -> Iterator[tuple[dict[int, int], int]]:
    """The heads of a column's pages in one row group, each as its numbers by field, and where the
    page itself begins.
    """
    starts = [chunk.data_page_offset]
    if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
        starts.append(chunk.dictionary_page_offset)
    start = min(starts)
    end = start + chunk.total_compressed_size
    while start < end:
        head, length = _head(file, start, end)
        yield head, start + length
        start += length + head[SIZE]


def _head(file: Any, start: int, end: int) -> tuple[dict[int, int], int]:
    size = HEAD
    while True:
        file.seek(start)
        held = file.read(min(size, end - start))
        thrift = _Thrift(held)
        try:
            head = thrift.struct()
        except IndexError:
            if size > LONGEST or len(held) < size:
                raise EOFError("the page's head does not end") from None
            size *= 16
            continue
        if head.get(SIZE, -1) < 0:
            raise ValueError("the page's head has no size")
        return head, thrift.place


class _Thrift:
    """Just enough of the compact protocol to find numbers and to step over the rest."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def struct(self, depth: int = 0) -> dict[int, int]:
        """The whole numbers among its fields."""
        if depth > 16:
            raise ValueError("the page's head is nested too deeply")
        numbers: dict[int, int] = {}
        field = 0
        while kind := self._byte():
            step = kind >> 4
            field = field + step if step else self._signed()
            value = self._value(kind & 15, depth)
            if value is not None:
                numbers[field] = value
        return numbers

    def _value(self, kind: int, depth: int) -> int | None:
        if kind in (TRUE, FALSE):  # the kind is the value
            return None
        if kind in (I16, I32, I64):
            return self._signed()
        if kind == STRUCT:
            self.struct(depth + 1)
        elif kind in (BYTE, DOUBLE):
            self._skip(1 if kind == BYTE else 8)
        elif kind == BINARY:
            self._skip(self._unsigned())
        elif kind in (LIST, SET):
            self._list(depth)
        else:
            raise ValueError(f"a page's head has a field of kind {kind}")
        return None

    def _list(self, depth: int) -> None:
        sort = self._byte()
        length = sort >> 4 if sort >> 4 < 15 else self._unsigned()
        for _ in range(length):
            if sort & 15 in (TRUE, FALSE):
                self._skip(1)
            else:
                self._value(sort & 15, depth)

    def _byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def _skip(self, length: int) -> None:
        self.place += length
        if self.place > len(self.data):
            raise IndexError

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def _signed(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)

"""Text files as cells: whole lines in big chunks, cut at separators by NumPy, told apart by Arrow.

A file of ballots has millions of cells but few different ones. So every chunk becomes numbers
first, and only the different cells are ever handled as Python texts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hushvote.arrays import numbers
from hushvote.errors import FileError, RankingError
from hushvote.files import AnyPath
from hushvote.formats.ballots import UNKNOWN, Choices
from hushvote.rules import MAX_CANDIDATES
from hushvote.streams import unpacked

CHUNK = 1 << 20  # bytes: large enough for NumPy, small enough for the processor's cache
MAX_COUNT = 10**12  # voters on one line: sums of a chunk's counts then fit 64 bits
LONGEST = 60  # characters of a wrong cell that a message repeats
NEWLINE = ord("\n")

Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True)
class Cells:
    """The cells of some lines that are not blank, one after the other."""

    values: list[str]  # the different cells, trimmed; one value may stand here several times
    codes: NDArray[np.int32]  # cell -> its place in `values`
    separators: NDArray[np.uint8]  # cell -> the byte after it
    lengths: NDArray[np.int64]  # line -> how many cells it has
    lines: NDArray[np.int64]  # line -> its number in the file, from 1

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each line's first cell stands."""
        return np.cumsum(self.lengths) - self.lengths

    def select(self, keep: NDArray[np.bool_]) -> "Cells":
        """Only these lines."""
        cells = np.repeat(keep, self.lengths)
        return Cells(
            self.values,
            self.codes[cells],
            self.separators[cells],
            self.lengths[keep],
            self.lines[keep],
        )

    def said(self) -> "Cells":
        """Only the lines that say something in some cell: spreadsheets write others at the end."""
        empty = np.array([not value for value in self.values], dtype=bool)
        if not empty.any() or not len(self.lines):
            return self
        return self.select(~np.logical_and.reduceat(empty[self.codes], self.starts))

    def columns(self, wanted: Sequence[int]) -> "Cells":
        """Only these cells of every line, in this order; empty where the line is too short."""
        codes = np.full((len(self.lines), len(wanted)), len(self.values), dtype=np.int32)
        for i, column in enumerate(wanted):
            there = self.lengths > column
            codes[there, i] = self.codes[self.starts[there] + column]
        separators = np.full(codes.size, ord(","), dtype=np.uint8)
        lengths = np.full(len(self.lines), len(wanted), dtype=np.int64)
        return Cells([*self.values, ""], codes.ravel(), separators, lengths, self.lines)

    def line_of(self, cells: NDArray[np.bool_]) -> int:
        """The number of the line that the first marked cell stands on."""
        line = np.searchsorted(self.starts, np.argmax(cells), side="right") - 1
        return int(self.lines[line])

    def used(self) -> list[str]:
        """The different values that stand in these lines, in no order to rely on."""
        counts = np.bincount(self.codes, minlength=len(self.values))
        return [self.values[code] for code in np.flatnonzero(counts)]

    def numbered(self, number: Callable[[str], int]) -> Choices:
        """Every cell as the number of its candidate."""
        table = np.array([number(value) for value in self.values], dtype=np.int8)
        return table[self.codes]

    def matrix(self, cells: NDArray[Kind], fill: int, place: Callable[[int], str]) -> NDArray[Kind]:
        """Lay one entry a cell out as one row a line, short lines filled up."""
        width = int(self.lengths.max(initial=0))
        if (self.lengths == width).all() and width <= MAX_CANDIDATES:
            return cells.reshape(-1, width)
        rows = np.repeat(np.arange(len(self.lengths)), self.lengths)
        columns = np.arange(len(cells)) - np.repeat(self.starts, self.lengths)
        over = (columns >= MAX_CANDIDATES) & (cells != fill)
        if over.any():
            raise RankingError(
                f"{place(self.line_of(over))}: the ballot lists more than {MAX_CANDIDATES} "
                f"candidates; a vote has 2 to {MAX_CANDIDATES}",
                code="ranking.length",
                place=place(self.line_of(over)),
                most=MAX_CANDIDATES,
            )
        within = columns < MAX_CANDIDATES
        laid = np.full((len(self.lengths), min(width, MAX_CANDIDATES)), fill, dtype=cells.dtype)
        laid[rows[within], columns[within]] = cells[within]
        return laid


def chunks(path: AnyPath, offset: int = 0, line: int = 1) -> Iterator[tuple[int, bytes]]:
    """Read whole lines of UTF-8, each ended by one newline, with the number of the first."""
    with unpacked(path) as file:
        file.seek(offset)
        rest = b"" if offset else file.read(3).removeprefix(b"\xef\xbb\xbf")
        while block := file.read(CHUNK):
            cut = block.rfind(b"\n") + 1
            if not cut:
                rest += block
                if len(rest) > 2 * CHUNK:
                    raise FileError(
                        f"{path}:{line}: the line is longer than {CHUNK >> 20} MB; "
                        "a file of ballots has one ballot a line",
                        code="file.line",
                        path=path,
                        line=line,
                    )
                continue
            text, rest = rest + block[:cut], block[cut:]
            yield line, _clean(text, path, line)
            line += text.count(b"\n")
        if rest:
            yield line, _clean(rest + b"\n", path, line)


def _clean(text: bytes, path: AnyPath, line: int) -> bytes:
    """Check the encoding and bring line ends to one form."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        line += text.count(b"\n", 0, error.start)
        raise FileError(
            f"{path}:{line}: byte 0x{text[error.start]:02x} is not UTF-8 text; "
            "save the file with the encoding UTF-8",
            code="file.encoding",
            path=path,
            line=line,
        ) from None
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
        if b"\r" in text:
            line += text.count(b"\n", 0, text.index(b"\r"))
            raise FileError(
                f"{path}:{line}: a carriage return stands within the line; "
                "end lines with LF or CR LF",
                code="file.line-end",
                path=path,
                line=line,
            )
    return text


def split(text: bytes, line: int, separators: bytes) -> Cells:
    """Cut whole lines at any of the separators; blank lines vanish."""
    data = np.frombuffer(text, dtype=np.uint8)
    cuts = np.zeros(256, dtype=bool)
    cuts[[NEWLINE, *separators]] = True
    ends = np.flatnonzero(cuts[data])
    offsets = np.concatenate([[0], ends + 1]).astype(np.int32)
    # Each text still has its separator as last character: Arrow's texts must lie end to end.
    encoded = pa.StringArray.from_buffers(
        len(ends), pa.py_buffer(offsets), pa.py_buffer(text)
    ).dictionary_encode()
    values = [value[:-1].strip() for value in encoded.dictionary.to_pylist()]
    after = data[ends]
    last = np.flatnonzero(after == NEWLINE)
    lengths = np.diff(last, prepend=-1)
    cells = Cells(
        values, numbers(encoded.indices), after, lengths, np.arange(line, line + len(lengths))
    )
    empty = np.array([not value for value in values])
    blank = (lengths == 1) & empty[cells.codes[last]]
    return cells.select(~blank) if blank.any() else cells


def split_counts(
    cells: Cells, place: Callable[[int], str], *, bare: int | None, words: bool
) -> tuple[Cells, NDArray[np.int64]]:
    """Take `count:` off the first cell of every line.

    A line without it counts `bare` times, or is refused if that is None. With `words`, a text
    that is no number may stand before the colon: it is part of a name.
    """
    starts = cells.starts
    codes, of_line = np.unique(cells.codes[starts], return_inverse=True)
    counts = np.ones(len(codes), dtype=np.int64)
    rests = []
    for i, value in enumerate(cells.values[code] for code in codes):
        head, colon, rest = (part.strip() for part in value.partition(":"))
        if not colon or (words and not looks_like_count(head)):
            head, rest = str(bare), value
        number = int(head) if head.isascii() and head.isdecimal() and len(head) <= 20 else 0
        if not 0 < number <= MAX_COUNT:
            line = int(cells.lines[np.argmax(of_line == i)])
            _refuse_count(place(line), head if colon else None)
        counts[i] = number
        rests.append(rest)
    renamed = cells.codes.copy()
    renamed[starts] = len(cells.values) + of_line
    values = cells.values + rests
    return Cells(values, renamed, cells.separators, cells.lengths, cells.lines), counts[of_line]


def looks_like_count(head: str) -> bool:
    """Whether the text before a colon is meant as a number, be it right or wrong."""
    return any(c.isdigit() for c in head) and not any(c.isalpha() for c in head)


def _refuse_count(place: str, head: str | None) -> NoReturn:
    if head is None:
        raise FileError(
            f"{place}: there is no count before the ballot; write it as count: ballot",
            code="ballots.count",
            place=place,
        )
    raise FileError(
        f'{place}: the count "{head[:LONGEST]}" is not a whole number from 1 to {MAX_COUNT}; '
        "write how many voters cast this ballot",
        code="ballots.count",
        place=place,
        given=head,
        most=MAX_COUNT,
    )


def refuse_unknown(
    cells: Cells, choices: Choices, place: Callable[[int], str], known: Callable[[str], str]
) -> None:
    """Name the first cell that stands for no candidate."""
    unknown = choices == UNKNOWN
    if unknown.any():
        value = cells.values[cells.codes[np.argmax(unknown)]]
        raise RankingError(
            f'{place(cells.line_of(unknown))}: candidate "{value[:LONGEST]}" is unknown; '
            + known(value),
            code="ranking.unknown",
            place=place(cells.line_of(unknown)),
            candidate=value,
        )

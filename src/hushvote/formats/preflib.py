"""PrefLib files (.soc .soi .toc .toi): a header of `# KEY: value` lines, then merged ballots.

A ballot is `count: 1,5,{2,3},4`: candidates counted from 1, best first, tied ones in braces.
The four suffixes stand for strict or tied, complete or incomplete orders; all are read alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushvote.errors import FileError, RankingError, clip
from hushvote.files import writing
from hushvote.formats.ballots import MISSING, UNKNOWN, Ballots
from hushvote.formats.cells import Cells, chunks, refuse_unknown, split, split_counts
from hushvote.formats.columns import NOT_COLUMNS
from hushvote.formats.names import check_text_names, checked_names, positions
from hushvote.messages import ENGLISH, counted
from hushvote.rankings import Orders, Rankings
from hushvote.rules import MAX_CANDIDATES
from hushvote.streams import kind_of, unpacked, written_text

DATA_TYPES = ("soc", "soi", "toc", "toi")
LONGEST_LINE = 1 << 16


def open_file(
    path: Path,
    candidates: tuple[str, ...] | None,
    layout: str | None = None,
    columns: Sequence[str] | None = None,
) -> "PrefLibFile":
    """Read the header; the ballots are read by `batches`."""
    if layout or columns:
        raise RankingError(f"{path} {NOT_COLUMNS}", code="ballots.columns", path=path)
    header = _read_header(path)
    names = header.names
    if names is None and candidates is not None and len(candidates) == header.d:
        names = candidates
    names = checked_names(path, names or tuple(str(number + 1) for number in range(header.d)))
    index = positions(path, names, candidates)
    return PrefLibFile(path, candidates or names, header, tuple(index))


@dataclass(frozen=True)
class _Header:
    d: int
    voters: int | None
    names: tuple[str, ...] | None
    offset: int  # where the first ballot stands, in bytes and in lines
    line: int


@dataclass(frozen=True)
class PrefLibFile:
    """An opened PrefLib file."""

    path: Path
    candidates: tuple[str, ...]
    header: _Header
    index: tuple[int, ...]  # the file's number of a candidate, less 1 -> ours

    @property
    def gathered(self) -> bool:
        """The header has the names, or their number."""
        return False

    @property
    def n(self) -> int | None:
        """The voters that the header promises."""
        return self.header.voters

    def place(self, line: int) -> str:
        """The file and its line."""
        return f"{self.path}:{line}"

    def batches(self) -> Iterator[Ballots]:
        """Read the ballots, and compare their number with the header's."""
        total = 0
        for line, text in chunks(self.path, self.header.offset, self.header.line):
            cells = split(text, line, b",")
            if len(cells.lines):
                cells, counts = split_counts(cells, self.place, bare=None, words=False)
                total += int(counts.sum())
                self._check_total(total, so_far=True)
                yield self._batch(cells, counts)
        if not total:
            raise FileError(
                f"{self.path} has a header but no ballots; write them as count: 1,2,3",
                code="ballots.empty",
                path=self.path,
            )
        self._check_total(total)

    def _batch(self, cells: Cells, counts: NDArray[np.int64]) -> Ballots:
        choices = cells.numbered(self._candidate)
        known = f"this file numbers its candidates 1 to {self.header.d}"
        refuse_unknown(cells, choices, self.place, lambda _: known)
        tied = self._ties(cells)
        return Ballots(
            cells.matrix(choices, MISSING, self.place),
            cells.lines,
            None if tied is None else cells.matrix(tied, False, self.place),
            counts,
        )

    def _candidate(self, value: str) -> int:
        number = value.removeprefix("{").removesuffix("}").strip()
        if not number:
            return MISSING if value == number else UNKNOWN
        if not (number.isascii() and number.isdecimal() and len(number) < 20):
            return UNKNOWN
        return self.index[int(number) - 1] if 1 <= int(number) <= self.header.d else UNKNOWN

    def _ties(self, cells: Cells) -> NDArray[np.bool_] | None:
        """Mark every cell within braces but the first of them."""
        opens = np.array([value.startswith("{") for value in cells.values])[cells.codes]
        closes = np.array([value.endswith("}") for value in cells.values])[cells.codes]
        if not (opens.any() or closes.any()):
            return None
        depth = np.cumsum(opens.astype(np.int64) - closes)
        before: NDArray[np.int64] = depth - opens + closes
        last = np.zeros(len(depth), dtype=bool)
        last[cells.starts + cells.lengths - 1] = True
        astray = (depth < 0) | (depth > 1) | (opens & (before > 0)) | (last & (depth != 0))
        if astray.any():
            raise FileError(
                f"{self.place(cells.line_of(astray))}: the braces do not match; "
                "write tied candidates as {2,3}",
                code="ballots.braces",
                place=self.place(cells.line_of(astray)),
            )
        return np.greater(before, 0)

    def _check_total(self, total: int, so_far: bool = False) -> None:
        promised = self.header.voters
        if promised is None or total == promised or (so_far and total < promised):
            return
        raise FileError(
            f"{self.path}: the header says {counted(promised, 'voter', ENGLISH)}, but the ballots "
            f'are those of {total}{" or more" if so_far else ""}; mend the line "# NUMBER VOTERS"',
            code="ballots.voters",
            path=self.path,
            promised=promised,
            given=total,
        )


@dataclass
class _HeaderLines:
    """The header as it is being read."""

    path: Path
    values: dict[str, str] = field(default_factory=dict)
    line_of: dict[str, int] = field(default_factory=dict)

    def add(self, text: str, line: int) -> None:
        key, colon, value = text.removeprefix("#").partition(":")
        if colon:
            name = " ".join(key.split()).upper()
            self.values[name] = value.strip()
            self.line_of[name] = line

    def whole(self, key: str) -> int | None:
        if key not in self.values:
            return None
        value = self.values[key]
        if not (value.isascii() and value.isdecimal() and len(value) < 20):
            raise FileError(
                f'{self.path}:{self.line_of[key]}: "# {key}" is "{clip(value)}"; '
                "give a whole number",
                code="ballots.header",
                path=self.path,
                line=self.line_of[key],
                given=value,
            )
        return int(value)


def _read_header(path: Path) -> _Header:
    lines = _HeaderLines(path)
    offset, number = 0, 1
    with unpacked(path) as file:
        if file.read(3) == b"\xef\xbb\xbf":
            offset = 3
        file.seek(offset)
        while (raw := file.readline(LONGEST_LINE)) and (raw.isspace() or raw.startswith(b"#")):
            try:
                lines.add(raw.decode(), number)
            except UnicodeDecodeError:
                raise FileError(
                    f"{path}:{number}: the line is not UTF-8 text; "
                    "save the file with the encoding UTF-8",
                    code="file.encoding",
                    path=path,
                    line=number,
                ) from None
            offset += len(raw)
            number += 1
    d = lines.whole("NUMBER ALTERNATIVES")
    if d is None:
        raise FileError(
            f'{path} has no line "# NUMBER ALTERNATIVES: ..."; a PrefLib file begins with '
            "such a header",
            code="ballots.header",
            path=path,
        )
    if not 2 <= d <= MAX_CANDIDATES:
        raise RankingError(
            f"{path}:{lines.line_of['NUMBER ALTERNATIVES']}: a vote needs 2 to {MAX_CANDIDATES} "
            f"candidates, not {d}",
            code="name.number",
            path=path,
            number=d,
            most=MAX_CANDIDATES,
        )
    kind = lines.values.get("DATA TYPE", "soc").lower()
    if kind not in DATA_TYPES:
        raise FileError(
            f'{path}:{lines.line_of["DATA TYPE"]}: the data type "{clip(kind)}" has no rankings; '
            f"hushvote reads {', '.join(DATA_TYPES)}",
            code="ballots.kind",
            path=path,
            given=kind,
        )
    return _Header(d, lines.whole("NUMBER VOTERS"), _names(lines, d), offset, number)


def _names(lines: _HeaderLines, d: int) -> tuple[str, ...] | None:
    key = "ALTERNATIVE NAME "
    named = {k.removeprefix(key): value for k, value in lines.values.items() if k.startswith(key)}
    if not named:
        return None
    if set(named) != {str(number) for number in range(1, d + 1)}:
        raise FileError(
            f"{lines.path}: the header says {d} alternatives and names {len(named)}; "
            f'every one from 1 to {d} needs a line "# ALTERNATIVE NAME"',
            code="ballots.header",
            path=lines.path,
            d=d,
            given=len(named),
        )
    return tuple(named[str(number)] for number in range(1, d + 1))


def write(path: Path, rankings: Rankings) -> None:
    """Write equal ballots once with their count, the most frequent first."""
    check_text_names(path, rankings.candidates)
    orders, counts = merged(rankings.orders)
    header = [
        ("FILE NAME", path.name),
        ("TITLE", path.name.partition(kind_of(path))[0]),
        ("DATA TYPE", kind_of(path).removeprefix(".")),
        ("NUMBER ALTERNATIVES", rankings.d),
        ("NUMBER VOTERS", rankings.n),
        ("NUMBER UNIQUE ORDERS", len(orders)),
        *((f"ALTERNATIVE NAME {i}", name) for i, name in enumerate(rankings.candidates, start=1)),
    ]
    with writing(path) as part, written_text(part, path) as file:
        file.writelines(f"# {key}: {value}\n" for key, value in header)
        file.writelines(_lines(orders, counts))


def _lines(orders: Orders, counts: NDArray[np.int64]) -> Iterator[str]:
    numbers = [str(number) for number in range(1, orders.shape[1] + 1)]
    for order, count in zip(orders, counts.tolist(), strict=True):
        yield f"{count}: {','.join([numbers[choice] for choice in order.tolist()])}\n"


def merged(orders: Orders) -> tuple[Orders, NDArray[np.int64]]:
    """The different rankings and how often each was cast: frequent first, then by candidates."""
    d = orders.shape[1]
    # A row as one text of d bytes sorts by its first candidate, then the second, and so on. NumPy
    # drops zero bytes at the end of a text, but rows are equally long and differ before that.
    rows = np.ascontiguousarray(orders).view(f"S{d}").reshape(-1)
    unique, counts = np.unique(rows, return_counts=True)
    frequent = np.argsort(-counts, kind="stable")
    return unique[frequent].view(np.uint8).reshape(-1, d), counts[frequent].astype(np.int64)

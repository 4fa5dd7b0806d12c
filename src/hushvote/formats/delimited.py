"""Text files of ballots (.csv .tsv .txt), one a line: `Ann,Bob,Cem`, or `12: Ann > Bob = Cem`.

The first line decides between commas, semicolons, tabs and arrows. Candidates' names come from the
file, so it is read twice: once for the names, once for the ballots. A table of ranks, as surveys
export it, names its candidates in the first line.
"""

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from hushvote.errors import FileError, RankingError, clip
from hushvote.files import writing
from hushvote.formats.ballots import MISSING, UNKNOWN, Ballots, by_ranks
from hushvote.formats.cells import (
    Cells,
    chunks,
    looks_like_count,
    refuse_unknown,
    split,
    split_counts,
)
from hushvote.formats.columns import (
    MOST_COLUMNS,
    NOT_COLUMNS,
    Column,
    chosen,
    header_names,
    no_rank,
    rank_of,
)
from hushvote.formats.layouts import layout_of
from hushvote.formats.names import (
    are_rank_labels,
    are_written_heads,
    check_text_names,
    checked_names,
    in_order,
    is_empty,
    listing,
    positions,
)
from hushvote.formats.strangers import refuse_counts
from hushvote.rankings import BLOCK, Rankings, blocks
from hushvote.rules import MAX_CANDIDATES
from hushvote.streams import kind_of, written_text

TIE = ord("=")
ENOUGH = 1 << 16  # bytes that a table is judged by
UNIT = "\x1f"  # ASCII's unit separator stands in for the others once quotes are resolved
QUOTED = re.compile(r'"[^"]*"')
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
NOTHING = re.compile(r'(?:[\s,]|"\s*")*|(?:[\s;]|"\s*")*')  # a line without any cell that is filled
FOR_EXCEL = re.compile(rb'"?sep=([^\w\s]|\t)"?[ ,;\t]*\n', re.IGNORECASE)  # what separates cells

Counts = NDArray[np.int64]


def open_file(
    path: Path,
    candidates: tuple[str, ...] | None,
    layout: str | None = None,
    columns: Sequence[str] | None = None,
) -> "DelimitedFile | RankTable":
    """Find out how the ballots are written and, unless given, who the candidates are."""
    form, first, (start, text) = _layout(path)
    if form.arrows:
        if layout or columns:
            raise RankingError(f"{path} {NOT_COLUMNS}", code="ballots.columns", path=path)
        names, n = (set(candidates), None) if candidates else form.gather()
        listed = candidates or checked_names(path, in_order(names))
        return DelimitedFile(form, listed, n, gathered=candidates is None)
    if columns is not None:
        form = replace(form, columns=chosen(path, first, columns))
        first = [first[column] for column in form.columns]
    seen = _columns(form, first, start, text)
    refuse_counts(path, seen, candidates or ())
    if (layout or layout_of(path, seen, candidates, picked=columns is not None)) == "ranks":
        return _rank_table(replace(form, header=form.first), seen, candidates)
    return _place_table(form, [cell for cell in first if not is_empty(cell)], candidates)


def _place_table(
    layout: "_Layout", first: list[str], candidates: tuple[str, ...] | None
) -> "DelimitedFile":
    """Tell a header from a first ballot: none of its words returns below."""
    if candidates is not None:
        header = layout.first if _is_header(first, candidates) else 0
        return DelimitedFile(replace(layout, header=header), candidates, None, gathered=False)
    rest = replace(layout, header=layout.first)
    names, n = rest.gather()
    if _is_header(first, names) and (n or are_rank_labels(first)):
        layout = rest
    else:
        names, n = names | set(first), n + 1
    if not n:
        raise layout.nothing()
    return DelimitedFile(layout, checked_names(layout.path, in_order(names)), n)


def _is_header(first: Sequence[str], names: Collection[str]) -> bool:
    return are_written_heads(first) or (bool(first) and not set(first) & set(names))


def _rank_table(
    layout: "_Layout", columns: Sequence[Column], candidates: tuple[str, ...] | None
) -> "RankTable":
    """A table whose first line names the candidates; further empty columns are no part of it."""
    held = [column for column in columns if column.filled or not is_empty(column.head)]
    names = header_names(layout.place(layout.first), held)
    index = positions(layout.path, names, candidates)
    if candidates is None:
        candidates = in_order(names)
        index = [candidates.index(name) for name in names]
    width = 0 if layout.columns else held[-1].number + 1
    layout = replace(layout, columns=tuple(column.number for column in held), width=width)
    return RankTable(layout, candidates, names, tuple(index))


@dataclass(frozen=True)
class RankTable:
    """An opened text file with one column a candidate, whose cells are ranks."""

    layout: "_Layout"
    candidates: tuple[str, ...]
    names: tuple[str, ...]  # as the columns stand
    index: tuple[int, ...]  # column -> candidate
    n: int | None = None
    gathered: bool = False

    def place(self, line: int) -> str:
        """The file and its line."""
        return self.layout.place(line)

    def batches(self) -> Iterator[Ballots]:
        """Read the ballots a chunk of the file at a time."""
        lines, d = 0, len(self.names)
        for cells, _ in self.layout.stream():
            table = [0 if is_empty(value) else rank_of(value) or -1 for value in cells.values]
            ranks = np.array(table, dtype=np.int64)[cells.codes].reshape(-1, d)
            wrong = (ranks < 0) | (ranks > d)
            if wrong.any():
                row, column = (int(i) for i in np.argwhere(wrong)[0])
                value = cells.values[cells.codes[row * d + column]]
                raise no_rank(self.place(int(cells.lines[row])), value, self.names[column], d)
            choices, tied = by_ranks(ranks, np.array(self.index, dtype=np.int8))
            yield Ballots(choices, cells.lines, tied)
            lines += len(cells.lines)
        if not lines:
            raise self.layout.nothing()


@dataclass(frozen=True)
class DelimitedFile:
    """An opened text file."""

    layout: "_Layout"
    candidates: tuple[str, ...]
    n: int | None
    gathered: bool = True

    def place(self, line: int) -> str:
        """The file and its line."""
        return self.layout.place(line)

    def batches(self) -> Iterator[Ballots]:
        """Read the ballots a chunk of the file at a time."""
        index = {name: i for i, name in enumerate(self.candidates)}
        lines = 0
        for cells, counts in self.layout.stream():
            choices = cells.numbered(
                lambda value: MISSING if is_empty(value) else index.get(value, UNKNOWN)
            )
            refuse_unknown(cells, choices, self.place, partial(listing, self.candidates))
            tied = None
            if self.layout.arrows:
                after_tie = np.concatenate([[False], cells.separators[:-1] == TIE])
                after_tie &= choices != MISSING
                tied = cells.matrix(after_tie, False, self.place) if after_tie.any() else None
            matrix = cells.matrix(choices, MISSING, self.place)
            yield Ballots(matrix, cells.lines, tied, counts)
            lines += len(cells.lines)
        if not lines:
            raise self.layout.nothing()


@dataclass(frozen=True)
class _Layout:
    """How one file writes its ballots."""

    path: Path
    first: int  # the first line that says something
    arrows: bool  # Ann > Bob instead of Ann,Bob
    counted: bool  # the first line begins with a count
    separator: str = ","  # between the cells of a line
    header: int = 0  # the line that is no ballot, 0 for none
    columns: tuple[int, ...] = ()  # the only ones that count, if any are chosen
    width: int = 0  # cells of a line beyond which all must be empty, 0 for any number

    def place(self, line: int) -> str:
        return f"{self.path}:{line}"

    def nothing(self) -> FileError:
        return FileError(
            f"{self.path} has only a header, on line {self.first}, and no ballots; "
            "write one ballot a line below it",
            code="ballots.empty",
            path=self.path,
            line=self.first,
        )

    def stream(self) -> Iterator[tuple[Cells, Counts | None]]:
        """The lines that say something, without the header, as cells; with the voters of each."""
        for line, whole in chunks(self.path):
            text = whole if line > 1 else _without_note(whole)[1]
            cells = split(text, line, b">=") if self.arrows else _cells(self, text, line)
            if self.header and line <= self.header:
                cells = cells.select(cells.lines != self.header)
            if not len(cells.lines):
                continue
            if self.width:
                self._refuse_long(cells)
            if self.columns:
                cells = cells.columns(self.columns)
            if self.arrows:
                yield split_counts(cells, self.place, bare=1, words=not self.counted)
            else:
                yield cells, None

    def gather(self) -> tuple[set[str], int]:
        """Every name in the file, and the number of voters."""
        names: set[str] = set()
        voters = 0
        for cells, counts in self.stream():
            new = {name for name in cells.used() if not is_empty(name)} - names
            if len(names) + len(new) > MAX_CANDIDATES:
                self._refuse_many(cells, names)
            names |= new
            voters += len(cells.lines) if counts is None else int(counts.sum())
        return names, voters

    def _refuse_long(self, cells: Cells) -> None:
        for row in np.flatnonzero(cells.lengths > self.width):
            start = cells.starts[row] + self.width
            beyond = cells.codes[start : start + cells.lengths[row] - self.width]
            if not all(is_empty(cells.values[code]) for code in beyond):
                raise RankingError(
                    f"{self.place(int(cells.lines[row]))}: the line has more cells than the first "
                    "line names candidates; write one rank a candidate, and no more",
                    code="ballots.cells",
                    place=self.place(int(cells.lines[row])),
                    wanted=self.width,
                )

    def _refuse_many(self, cells: Cells, names: set[str]) -> None:
        seen = set(names)
        codes, at = np.unique(cells.codes, return_index=True)
        for i in np.argsort(at):
            name = cells.values[codes[i]]
            seen |= set() if is_empty(name) else {name}
            if len(seen) > MAX_CANDIDATES:
                line = cells.line_of(np.arange(len(cells.codes)) == at[i])
                raise RankingError(
                    f'{self.place(line)}: "{clip(name)}" is candidate number {len(seen)}; a vote '
                    f"has 2 to {MAX_CANDIDATES}, and a line holds a ballot's candidates only",
                    code="name.number",
                    place=self.place(line),
                    candidate=name,
                    number=len(seen),
                )


def _layout(path: Path) -> tuple[_Layout, list[str], tuple[int, bytes]]:
    """Judge a file by its first line that says something; give its cells, and lines to look at."""
    found: tuple[_Layout, list[str]] | None = None
    begin, held, note = 1, b"", ""
    for start, whole in chunks(path):
        note, text = (note, whole) if start > 1 else _without_note(whole)
        if found is None:
            lines = enumerate(text.decode().split("\n"), start)
            first = next((line for line in lines if not NOTHING.fullmatch(line[1])), None)
            if first is None:
                continue
            found, begin = _layout_of(path, *first, note), start
        held += text
        if len(held) >= ENOUGH:
            break
    if found is not None:
        past = len(held) - len(held.lstrip()) + ENOUGH
        return *found, (begin, held[: held.rfind(b"\n", 0, past) + 1] or held)
    raise FileError(
        f"cannot read {path}: all its lines are blank; write one ballot a line",
        code="ballots.empty",
        path=path,
    )


def _without_note(text: bytes) -> tuple[str, bytes]:
    """What separates cells by a first line that is for Excel, if there is one; all other lines."""
    note = FOR_EXCEL.match(text)
    return ("", text) if note is None else (note[1].decode(), b"\n" + text[note.end() :])


def _layout_of(path: Path, number: int, line: str, note: str) -> tuple[_Layout, list[str]]:
    bare = QUOTED.sub("", line)
    head, colon, _ = bare.partition(":")
    counted = bool(colon) and looks_like_count(head)
    separated = any(mark in bare for mark in SEPARATORS)
    arrows = not note and (">" in bare or (not separated and (counted or "=" in bare)))
    if arrows:
        return _Layout(path, number, arrows, counted), []
    separator = note or _separator_of(bare, f"{path}:{number}")
    if separator not in SEPARATORS:
        raise FileError(
            f'{path}:1: "{separator}" stands between cells by this line; save the file with '
            "commas, semicolons or tabs",
            code="ballots.separator",
            place=f"{path}:1",
            given=separator,
        )
    layout = _Layout(path, number, arrows, counted, separator)
    cells = _cells(layout, line.encode() + b"\n", number)
    return layout, [cells.values[code] for code in cells.codes]


def _separator_of(bare: str, place: str) -> str:
    """What stands between the cells of a first line, its quoted cells left out.

    No name holds a tab, so a tab decides. Beside semicolons a comma belongs to a name if a blank
    follows, as in `Ng, Ann;Ode, Bob`; any other comma may be meant either way.
    """
    if "\t" in bare:
        return "\t"
    if ";" not in bare:
        return ","
    if re.search(r",(?! )", bare):
        raise FileError(
            f"{place}: the line has commas and semicolons; put names that hold one of them in "
            "quotes, so that the other one is seen to stand between names",
            code="ballots.separator",
            place=place,
        )
    return ";"


def _columns(layout: _Layout, heads: list[str], start: int, text: bytes) -> list[Column]:
    """What the columns hold in the lines below the first, by a chunk of the file."""
    cells = _cells(layout, text, start)
    cells = cells.select(cells.lines > layout.first)
    numbers = layout.columns or tuple(range(min(len(heads), MOST_COLUMNS)))
    empty = np.array([is_empty(value) for value in cells.values], dtype=bool)
    found = []
    for i, number in enumerate(numbers):
        codes = cells.codes[cells.starts[cells.lengths > number] + number]
        codes = codes[~empty[codes]]
        values = frozenset(cells.values[code] for code in np.unique(codes))
        found.append(Column(number, heads[i], values, len(codes)))
    return found


def _cells(layout: _Layout, text: bytes, line: int) -> Cells:
    """Cut lines at their separators, those with quotes by the rules of the csv module; lines of
    separators alone vanish.
    """
    if UNIT.encode() in text:
        line += text.count(b"\n", 0, text.index(UNIT.encode()))
        raise FileError(
            f"{layout.place(line)}: the line holds a control character; remove it",
            code="ballots.control",
            place=layout.place(line),
        )
    if b'"' in text:
        return split(_without_quotes(layout, text, line), line, UNIT.encode()).said()
    if b">" in text:
        line += text.count(b"\n", 0, text.index(b">"))
        raise FileError(
            f'{layout.place(line)}: the line has a ">", but the first line of the file lists its '
            f"candidates with {SEPARATORS[layout.separator]}; write all ballots alike, and names "
            "that hold > in quotes",
            code="ballots.separator",
            place=layout.place(line),
        )
    return split(text, line, layout.separator.encode()).said()


def _without_quotes(layout: _Layout, text: bytes, first: int) -> bytes:
    lines = text.decode().split("\n")
    quoted = [i for i, line in enumerate(lines) if '"' in line]
    rows = csv.reader(
        [*(lines[i] for i in quoted), ""], delimiter=layout.separator, skipinitialspace=True
    )
    plain = [line.replace(layout.separator, UNIT) for line in lines]
    for read, i in enumerate(quoted):
        try:
            row = next(rows)
        except csv.Error:  # an open quote swallows line after line until the cell is too long
            row = []
        if not row or rows.line_num != read + 1 or lines[i].count('"') % 2:
            raise FileError(
                f"{layout.place(first + i)}: a quote is not closed on this line; "
                'write a quote within a name as "" and the name in quotes',
                code="ballots.quote",
                place=layout.place(first + i),
            )
        plain[i] = UNIT.join(row)
    return "\n".join(plain).encode()


def write(path: Path, rankings: Rankings) -> None:
    """Write a header and one ballot a line, names in quotes where they need it."""
    check_text_names(path, rankings.candidates)
    between = "\t" if kind_of(path) == ".tsv" else ","
    cells = [_quoted(name) for name in rankings.candidates]
    inner, last = pa.array(cells), pa.array([cell + "\n" for cell in cells])
    with writing(path) as part, written_text(part, path) as file:
        file.write(between.join(f"rank{rank + 1}" for rank in range(rankings.d)) + "\n")
        for block in blocks(rankings.n, BLOCK):
            columns = rankings.orders[block].T
            texts = [inner.take(pa.array(column)) for column in columns[:-1]]
            texts.append(last.take(pa.array(columns[-1])))
            file.write("".join(pc.binary_join_element_wise(*texts, between).to_pylist()))


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"' if any(mark in name for mark in ',;">') else name

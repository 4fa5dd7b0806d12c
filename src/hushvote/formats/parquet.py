"""Parquet files (.parquet): one row per voter, one column per rank, best first; or per candidate.

Columns hold candidates' numbers from 0, or their names; a null ends a truncated ballot. Columns
that are called like candidates hold the ranks that voters gave them, from 1. hushvote writes
numbers in one byte each, and the names in the schema's metadata.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hushvote.arrays import as_column, numbers
from hushvote.errors import FileError, RankingError, clip, echo
from hushvote.files import AnyPath, check_readable, writing
from hushvote.formats.ballots import MISSING, UNKNOWN, Ballots, Choices, by_ranks
from hushvote.formats.columns import (
    MOST_COLUMNS,
    Column,
    chosen,
    header_names,
    in_words,
    no_rank,
    rank_of,
)
from hushvote.formats.layouts import layout_of
from hushvote.formats.names import (
    NOT_A_NUMBER,
    checked_names,
    in_order,
    is_empty,
    listing,
    positions,
)
from hushvote.formats.tables import TableInMemory
from hushvote.rankings import Rankings, blocks
from hushvote.rules import MAX_CANDIDATES
from hushvote.streams import STANDARD_INPUT, standard_input

NAMES = b"hushvote.candidates"
REPORTS = b"hushvote.reports"  # marks a file of reports (reports.py)
ROWS = 1 << 16  # rows read at a time
BUFFER = 1 << 20  # bytes of a column read at a time, however large its row group
GROUP = 1 << 20  # rows written at a time


def open_file(
    path: Path,
    candidates: tuple[str, ...] | None,
    layout: str | None = None,
    columns: Sequence[str] | None = None,
) -> "ParquetFile | RankTable":
    """Read the schema and, if the columns hold names and nobody gave them, all names."""
    with _opened(path) as file:
        schema, n = file.schema_arrow, file.metadata.num_rows
        if REPORTS in (file.metadata.metadata or {}):
            raise FileError(
                f"{path} holds reports, not ballots; count it with 'hushvote tally'",
                code="file.kind",
                path=path,
            )
        if n == 0:
            raise FileError(
                f"cannot read {path}: there are no rows; write one row per voter",
                code="ballots.empty",
                path=path,
            )
        for name in schema.names:
            if schema.names.count(name) > 1:
                raise FileError(
                    f"{path}: two columns are called {echo(name)}; rename one of them",
                    code="file.columns",
                    path=path,
                    column=name,
                )
        names, gathered = _names(path, schema), False
        numbers = range(len(schema)) if columns is None else chosen(path, schema.names, columns)
        fields = [schema.field(number) for number in numbers]
        heads = tuple(field.name for field in fields)
        if names is None:
            seen = _columns(file, fields, numbers)
            found = layout or layout_of(path, seen, candidates, picked=columns is not None)
            if found == "ranks":
                return _rank_table(path, n, seen, fields, candidates)
        elif layout == "ranks":
            raise RankingError(
                f"{path} says itself that its rows list candidates, best first",
                code="ballots.layout",
                path=path,
                given=layout,
            )
        if not 1 <= len(fields) <= MAX_CANDIDATES:
            raise RankingError(
                f"{path}: the file needs a column a rank, 1 to {MAX_CANDIDATES}, not {len(fields)}",
                code="name.number",
                path=path,
                number=len(fields),
                most=MAX_CANDIDATES,
            )
        numbered = _holds_numbers(path, fields)
        if names is None and numbered:
            names = candidates or tuple(str(column) for column in range(len(fields)))
        elif names is None:
            gathered = candidates is None
            names = candidates or in_order(_gathered(path, file, heads))
    names = checked_names(path, names)
    index = positions(path, names, candidates) if numbered else []
    return ParquetFile(path, candidates or names, n, heads, tuple(index), gathered)


def _rank_table(
    path: Path,
    n: int,
    seen: Sequence[Column],
    fields: Sequence[Any],
    candidates: tuple[str, ...] | None,
) -> "RankTable":
    """A table whose columns are candidates."""
    for field in fields:
        _refuse_type(path, field, "ranks, as whole numbers from 1", _kind(field.type) == "other")
    names = header_names(str(path), seen)
    index = positions(path, names, candidates)
    return RankTable(path, candidates or names, n, names, tuple(index))


@dataclass(frozen=True)
class ParquetFile:
    """An opened Parquet file."""

    path: Path
    candidates: tuple[str, ...]
    n: int
    columns: tuple[str, ...]
    index: tuple[int, ...]  # number in the file -> ours; empty if the file holds names
    gathered: bool  # the names stand nowhere but in the ballots

    def place(self, line: int) -> str:
        """The file and its row, counted from 0 as everywhere in arrays."""
        return f"{self.path}: row {line}"

    def batches(self) -> Iterator[Ballots]:
        """Read the ballots some rows at a time."""
        for lines, columns in _batches(self.path, self.columns):
            start = int(lines[0])
            yield Ballots(np.stack([self._choices(c, start) for c in columns], axis=1), lines)

    def _choices(self, column: Any, start: int) -> Choices:
        choices = self._by_number(column) if self.index else self._by_name(column)
        unknown = choices == UNKNOWN
        if unknown.any():
            row = int(np.argmax(unknown))
            named = str(column[row].as_py())
            known = listing(self.candidates, named)
            if self.index:
                known = f"this file numbers its candidates 0 to {len(self.index) - 1}"
            named = clip(named)
            raise RankingError(
                f'{self.place(start + row)}: candidate "{named}" is unknown; {known}',
                code="ranking.unknown",
                place=self.place(start + row),
                candidate=named,
            )
        return choices

    def _by_number(self, column: Any) -> Choices:
        if pa.types.is_null(column.type):
            return np.full(len(column), MISSING, dtype=np.int8)
        if column.type == pa.uint8() and not column.null_count:  # as hushvote writes them
            table = np.full(256, UNKNOWN, dtype=np.int8)
            table[: len(self.index)] = self.index
            plain: Choices = table.take(numbers(column))
            return plain
        listed = numbers(column.is_valid())
        values = numbers(column.fill_null(0))
        if values.dtype.kind == "f":  # how pandas keeps whole numbers beside missing ones
            listed = listed & ~np.isnan(values)
        known = listed & (values >= 0) & (values < len(self.index)) & (np.trunc(values) == values)
        choices: Choices = np.where(listed, np.int8(UNKNOWN), np.int8(MISSING))
        choices[known] = np.array(self.index, dtype=np.int8)[values[known].astype(np.intp)]
        return choices

    def _by_name(self, column: Any) -> Choices:
        encoded = column.cast(pa.string()).dictionary_encode()
        index = {name: i for i, name in enumerate(self.candidates)}
        table = [
            index.get(name, MISSING if _is_empty(self.path, name) else UNKNOWN)
            for name in encoded.dictionary.to_pylist()
        ]
        codes = numbers(encoded.indices.fill_null(len(table)))
        choices: Choices = np.array([*table, MISSING], dtype=np.int8)[codes]
        return choices


@dataclass(frozen=True)
class RankTable:
    """An opened Parquet file with one column a candidate, whose cells are ranks."""

    path: Path
    candidates: tuple[str, ...]
    n: int
    names: tuple[str, ...]  # the columns
    index: tuple[int, ...]  # column -> candidate
    gathered: bool = False

    def place(self, line: int) -> str:
        """The file and its row, counted from 0 as everywhere in arrays."""
        return f"{self.path}: row {line}"

    def batches(self) -> Iterator[Ballots]:
        """Read the ballots some rows at a time."""
        index = np.array(self.index, dtype=np.int8)
        for lines, columns in _batches(self.path, self.names):
            pairs = zip(columns, self.names, strict=True)
            ranks = [self._ranks(column, name, int(lines[0])) for column, name in pairs]
            choices, tied = by_ranks(np.stack(ranks, axis=1), index)
            yield Ballots(choices, lines, tied)

    def _ranks(self, column: Any, name: str, start: int) -> NDArray[np.int64]:
        """The cells as whole numbers, 0 where they are empty."""
        texts = column.cast(pa.string()).dictionary_encode()
        table = [
            0 if is_empty(text) else rank_of(text) or -1 for text in texts.dictionary.to_pylist()
        ]
        codes = numbers(texts.indices.fill_null(len(table)))
        ranks: NDArray[np.int64] = np.array([*table, 0], dtype=np.int64)[codes]
        wrong = (ranks < 0) | (ranks > len(self.names))
        if wrong.any():
            row = int(np.argmax(wrong))
            raise no_rank(self.place(start + row), str(column[row].as_py()), name, len(self.names))
        return ranks


def _batches(path: Path, columns: Sequence[str]) -> Iterator[tuple[NDArray[np.int64], list[Any]]]:
    """Some rows at a time: their numbers, and the columns in the order asked for."""
    start = 0
    with _opened(path) as file:
        for batch in file.iter_batches(batch_size=ROWS, columns=list(columns), use_threads=False):
            lines = np.arange(start, start + batch.num_rows)
            yield lines, [batch.column(name) for name in columns]
            start += batch.num_rows


def _columns(file: Any, fields: Sequence[Any], numbers: Sequence[int]) -> list[Column]:
    """What the columns hold in the first rows."""
    plain = [field.name for field in fields[:MOST_COLUMNS] if _kind(field.type) != "other"]
    batch = next(file.iter_batches(batch_size=ROWS, columns=plain, use_threads=False))
    found = []
    for field, number in zip(fields, numbers, strict=True):
        values: list[str] = []
        if field.name in plain:
            values = batch.column(field.name).cast(pa.string()).drop_null().to_pylist()
            values = [value for value in values if not is_empty(value)]
        elif pa.types.is_temporal(field.type):
            values = ["00:00"]  # whatever they are, they are times
        found.append(Column(number, field.name, frozenset(values), len(values)))
    return found


@contextmanager
def table_file(path: AnyPath) -> Iterator[Any]:
    """Open a Parquet file that exists; what Arrow says of a wrong one is left to the caller.

    Arrow opens the path itself and reads nothing ahead: given a Python file, or reading ahead,
    its threads may outlive the interpreter, and the process then ends in an abort
    (https://github.com/apache/arrow/issues/34314).
    """
    if isinstance(path, TableInMemory):
        yield path
        return
    if path is not STANDARD_INPUT:
        check_readable(path)
    with (
        pa.BufferReader(standard_input())
        if path is STANDARD_INPUT
        else pa.OSFile(os.fsencode(path)) as source,
        pq.ParquetFile(
            source,
            memory_map=False,
            pre_buffer=False,
            buffer_size=BUFFER,
            page_checksum_verification=True,
        ) as file,
    ):
        yield file


@contextmanager
def table_writer(path: Path, schema: Any, **options: Any) -> Iterator[Any]:
    """Write a Parquet file with checksums, whatever its name."""
    with (
        pa.OSFile(os.fsencode(path), "wb") as sink,
        pq.ParquetWriter(sink, schema, write_page_checksum=True, **options) as file,
    ):
        yield file


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with table_file(path) as file:
            yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        raise FileError(
            f"cannot read {path}: it is not a Parquet file, or only part of one; "
            "write or copy it again",
            code="file.damaged",
            path=path,
        ) from None


def _holds_numbers(path: Path, fields: Sequence[Any]) -> bool:
    """Whether all columns hold numbers; if not, all must hold names."""
    wanted = ""
    for column in fields:
        kind = _kind(column.type)
        wanted = wanted or kind
        wrong = kind not in ("", wanted) or kind == "other"
        _refuse_type(path, column, "candidates, as whole numbers from 0 or as names", wrong)
    return wanted != "names"


def _refuse_type(path: Path, column: Any, wanted: str, wrong: bool) -> None:
    if wrong:
        raise FileError(
            f'{path}: column "{clip(column.name)}" is of type {clip(str(column.type))}; '
            f"all columns must hold {wanted}; choose those that do by "
            + in_words(path, "--columns", "columns=[...]"),
            code="ballots.type",
            path=path,
            column=column.name,
            type=column.type,
        )


def _kind(type_: Any) -> str:
    if pa.types.is_null(type_):
        return ""  # a rank that nobody filled
    if pa.types.is_integer(type_) or pa.types.is_floating(type_):
        return "numbers"
    inner = type_.value_type if pa.types.is_dictionary(type_) else type_
    text = pa.types.is_string(inner) or pa.types.is_large_string(inner)
    return "names" if text else "other"


def _names(path: Path, schema: Any) -> tuple[str, ...] | None:
    """The names that hushvote put into the file."""
    text = (schema.metadata or {}).get(NAMES)
    if text is None:
        return None
    try:
        names = json.loads(text)
    except ValueError:
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FileError(
            f"{path}: the metadata {NAMES.decode()} must be a JSON list of names",
            code="ballots.header",
            path=path,
        )
    return tuple(names)


def _gathered(path: Path, file: Any, columns: Sequence[str]) -> set[str]:
    """Every name in these columns."""
    names: set[str] = set()
    for batch in file.iter_batches(batch_size=ROWS, columns=list(columns), use_threads=False):
        for column in batch.columns:
            names |= {name for name in pc.unique(column).to_pylist() if name is not None}
        if len(names) > MAX_CANDIDATES + 1:
            break
    found = {name for name in names if not _is_empty(path, name)}
    for name in found & set(NOT_A_NUMBER):
        raise RankingError(
            f'{path}: "{name}" may be a name, or say that there is none; put None where nobody is '
            "ranked, or name it among the candidates",
            code="ranking.candidate",
            candidate=name,
        )
    return found


def _is_empty(path: Path, name: str) -> bool:
    """Whether a text names nobody; in memory, where None does that, only the empty one."""
    return not name if isinstance(path, TableInMemory) else is_empty(name)


def write(path: Path, rankings: Rankings) -> None:
    """Write one byte a rank, compressed, a million voters at a time."""
    names = json.dumps(list(rankings.candidates)).encode()
    schema = pa.schema(
        [(f"rank_{rank + 1}", pa.uint8()) for rank in range(rankings.d)], metadata={NAMES: names}
    )
    with writing(path) as part, table_writer(part, schema) as file:
        for block in blocks(rankings.n, GROUP):
            columns = [as_column(ranks) for ranks in rankings.orders[block].T]
            file.write_batch(pa.record_batch(columns, schema=schema))

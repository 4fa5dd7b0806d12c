"""Parquet files (.parquet): one row a voter, one column a rank, best first.

Columns hold candidates' numbers from 0, or their names; a null ends a truncated ballot. hushvote
writes numbers in one byte each, and the names in the schema's metadata.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hushvote.errors import FileError, RankingError, clip
from hushvote.files import AnyPath, check_readable, writing
from hushvote.formats.ballots import MISSING, UNKNOWN, Ballots, Choices
from hushvote.formats.names import checked_names, in_order, is_empty, listing, positions
from hushvote.rankings import Rankings, blocks
from hushvote.rules import MAX_CANDIDATES

NAMES = b"hushvote.candidates"
REPORTS = b"hushvote.reports"  # marks a file of reports (reports.py)
ROWS = 1 << 16  # rows read at a time
BUFFER = 1 << 20  # bytes of a column read at a time, however large its row group
GROUP = 1 << 20  # rows written at a time


def open_file(path: Path, candidates: tuple[str, ...] | None) -> "ParquetFile":
    """Read the schema and, if the columns hold names and nobody gave them, all names."""
    with _opened(path) as file:
        schema, n = file.schema_arrow, file.metadata.num_rows
        if REPORTS in (file.metadata.metadata or {}):
            raise FileError(f"{path} holds reports, not ballots; count it with 'hushvote tally'")
        if n == 0:
            raise FileError(f"cannot read {path}: the file has no rows; write one row a voter")
        if not 1 <= len(schema) <= MAX_CANDIDATES:
            raise RankingError(
                f"{path}: the file has {len(schema)} columns; it needs one a rank, "
                f"at most {MAX_CANDIDATES}"
            )
        numbers, gathered = _holds_numbers(path, schema), False
        names = _names(path, schema)
        if names is None and numbers:
            names = candidates or tuple(str(column) for column in range(len(schema)))
        elif names is None:
            gathered = candidates is None
            names = candidates or in_order(_gathered(file))
    names = checked_names(path, names)
    index = positions(path, names, candidates) if numbers else []
    return ParquetFile(path, candidates or names, n, tuple(index), gathered)


@dataclass(frozen=True)
class ParquetFile:
    """An opened Parquet file."""

    path: Path
    candidates: tuple[str, ...]
    n: int
    index: tuple[int, ...]  # number in the file -> ours; empty if the file holds names
    gathered: bool  # the names stand nowhere but in the ballots

    def place(self, line: int) -> str:
        """The file and its row, counted from 0 as everywhere in arrays."""
        return f"{self.path}: row {line}"

    def batches(self) -> Iterator[Ballots]:
        """Read the ballots some rows at a time."""
        start = 0
        with _opened(self.path) as file:
            for batch in file.iter_batches(batch_size=ROWS, use_threads=False):
                columns = [self._choices(column, start) for column in batch.columns]
                lines = np.arange(start, start + batch.num_rows)
                yield Ballots(np.stack(columns, axis=1), lines)
                start += batch.num_rows

    def _choices(self, column: Any, start: int) -> Choices:
        choices = self._by_number(column) if self.index else self._by_name(column)
        unknown = choices == UNKNOWN
        if unknown.any():
            row = int(np.argmax(unknown))
            known = listing(self.candidates)
            if self.index:
                known = f"this file numbers its candidates 0 to {len(self.index) - 1}"
            named = clip(str(column[row].as_py()))
            raise RankingError(
                f'{self.place(start + row)}: candidate "{named}" is unknown; {known}'
            )
        return choices

    def _by_number(self, column: Any) -> Choices:
        if pa.types.is_null(column.type):
            return np.full(len(column), MISSING, dtype=np.int8)
        if column.type == pa.uint8() and not column.null_count:  # as hushvote writes them
            table = np.full(256, UNKNOWN, dtype=np.int8)
            table[: len(self.index)] = self.index
            plain: Choices = table.take(column.to_numpy())
            return plain
        listed = column.is_valid().to_numpy(zero_copy_only=False)
        values = column.fill_null(0).to_numpy(zero_copy_only=False)
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
            MISSING if is_empty(name) else index.get(name, UNKNOWN)
            for name in encoded.dictionary.to_pylist()
        ]
        codes = encoded.indices.fill_null(len(table)).to_numpy(zero_copy_only=False)
        choices: Choices = np.array([*table, MISSING], dtype=np.int8)[codes]
        return choices


@contextmanager
def table_file(path: AnyPath) -> Iterator[Any]:
    """Open a Parquet file that exists; what Arrow says of a wrong one is left to the caller.

    Arrow opens the path itself and reads nothing ahead: given a Python file, or reading ahead,
    its threads may outlive the interpreter, and the process then ends in an abort
    (https://github.com/apache/arrow/issues/34314).
    """
    check_readable(path)
    with (
        pa.OSFile(os.fsencode(path)) as source,
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
            "write or copy it again"
        ) from None


def _holds_numbers(path: Path, schema: Any) -> bool:
    """Whether all columns hold numbers; if not, all must hold names."""
    wanted = ""
    for column in schema:
        kind = _kind(column.type)
        wanted = wanted or kind
        if kind not in ("", wanted) or kind == "other":
            raise FileError(
                f'{path}: column "{clip(column.name)}" is of type {clip(str(column.type))}; '
                "all columns must hold candidates, as whole numbers from 0 or as names"
            )
    return wanted != "names"


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
        raise FileError(f"{path}: the metadata {NAMES.decode()} must be a JSON list of names")
    return tuple(names)


def _gathered(file: Any) -> set[str]:
    """Every name in the file."""
    names: set[str] = set()
    for batch in file.iter_batches(batch_size=ROWS, use_threads=False):
        for column in batch.columns:
            names |= {name for name in pc.unique(column).to_pylist() if name is not None}
        if len(names) > MAX_CANDIDATES + 1:
            break
    return {name for name in names if not is_empty(name)}


def write(path: Path, rankings: Rankings) -> None:
    """Write one byte a rank, compressed, a million voters at a time."""
    names = json.dumps(list(rankings.candidates)).encode()
    schema = pa.schema(
        [(f"rank_{rank + 1}", pa.uint8()) for rank in range(rankings.d)], metadata={NAMES: names}
    )
    with writing(path) as part, table_writer(part, schema) as file:
        for block in blocks(rankings.n, GROUP):
            columns = [pa.array(column) for column in rankings.orders[block].T]
            file.write_batch(pa.record_batch(columns, schema=schema))

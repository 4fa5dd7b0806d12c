"""Files of reports: Parquet columns, with the mechanism's parameters in the file's head.

A file is a set: its reports stand in random order, which tells nothing of the order of the votes.
It says by itself how it is to be counted. Head and pages carry checksums, so that a file that was
damaged by chance is refused instead of counted wrong.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from hushvote import lottery
from hushvote.errors import FileError
from hushvote.formats.ballots import regrouped
from hushvote.formats.files import AnyPath, explained, nameless, target_of, writing
from hushvote.formats.pages import all_have_checksums
from hushvote.formats.parquet import REPORTS, table_file, table_writer
from hushvote.formats.shuffling import Packing, Shuffle, packing
from hushvote.tally import sealed, unsealed

VERSION = 1
GROUP = 1 << 18  # reports in a row group; with n it alone decides where groups end


class ReportWriter:
    """Takes batches of reports in any order."""

    def __init__(self, schema: pa.Schema, kind: Packing, shuffle: Shuffle) -> None:
        self._schema = schema
        self._kind = kind
        self._shuffle = shuffle
        self.n = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Take one batch."""
        if batch.schema != self._schema:
            raise ValueError(
                f"this file has columns {self._schema.names}, not {batch.schema.names}"
            )
        columns = [column.to_numpy(zero_copy_only=False) for column in batch.columns]
        self._shuffle.add(self._kind.pack(columns))
        self.n += batch.num_rows


@contextmanager
def writing_reports(
    path: AnyPath,
    schema: pa.Schema,
    parameters: Mapping[str, Any],
    candidates: tuple[str, ...] | None = None,
    *,
    rng: lottery.Bits | None = None,
) -> Iterator[ReportWriter]:
    """Write a file of reports, in secure random order whatever the order they are given in.

    Nothing is in the folder before all reports are there; on any failure the old file, or none,
    is left. `rng` is for simulation only: it draws the order, and the head says so.
    """
    folder = target_of(path).parent
    nameless(folder).close()  # what cannot be written is refused before any work
    kind = packing([np.dtype(field.type.to_pandas_dtype()) for field in schema])
    shuffle = Shuffle(kind, lottery.source(rng), folder)
    try:
        with explained(path):
            writer = ReportWriter(schema, kind, shuffle)
            yield writer
        head: dict[str, Any] = {"version": VERSION, "n": writer.n, "mechanism": parameters}
        if candidates:
            head["candidates"] = list(candidates)
        if rng is not None:
            head["seeded"] = True
        # Noisy numbers hardly repeat: a dictionary of them would only cost time and room.
        repeating = [field.name for field in schema if not _is_noise(field.type)]
        options = {"compression": "zstd", "use_dictionary": repeating}
        with writing(path) as part, table_writer(part, schema, **options) as table:
            for rows in regrouped(shuffle.blocks(), GROUP):
                table.write_batch(pa.record_batch(kind.unpack(rows), schema=schema))
            table.add_key_value_metadata({REPORTS: sealed(head)})
    finally:
        shuffle.close()


def _is_noise(kind: pa.DataType) -> bool:
    """Sets of candidates are unsigned, and few."""
    return bool(pa.types.is_signed_integer(kind)) and kind.bit_width >= 32


@dataclass(frozen=True)
class ReportFile:
    """An opened file of reports: what stands in its head, and its rows in batches."""

    path: AnyPath
    parameters: Mapping[str, Any]
    candidates: tuple[str, ...] | None
    n: int
    schema: pa.Schema
    seeded: bool  # drawn with a seed, so not private

    @cached_property
    def checked(self) -> bool:
        """Whether every page has a checksum; files that other programs wrote may have none."""
        return all_have_checksums(self.path)

    def batches(self, size: int) -> Iterator[pa.RecordBatch]:
        """Yield the reports in batches, never the whole file at once."""
        done = 0
        with _parquet(self.path) as parquet:
            for batch in parquet.iter_batches(batch_size=size, use_threads=False):
                done += batch.num_rows
                yield batch
        if done != self.n:
            raise FileError(
                f"{self.path} is damaged: it holds {done} reports, but was written with {self.n}; "
                "get a fresh copy"
            )


def open_reports(path: AnyPath) -> ReportFile:
    """Open a file of reports, refusing anything else with the reason."""
    with _parquet(path) as parquet:
        head = (parquet.metadata.metadata or {}).get(REPORTS)
        if head is None:
            raise FileError(
                f"{path} is not a file of hushvote reports; make one with 'hushvote privatize'"
            )
        try:
            document = unsealed(head)
            version, n, parameters = document["version"], document["n"], document["mechanism"]
            names = document.get("candidates")
            candidates = None if names is None else tuple(str(name) for name in names)
            seeded = document.get("seeded", False)
            if not isinstance(seeded, bool):
                raise ValueError(f'"seeded" is {seeded!r}, but must be true or left out')
        except (ValueError, TypeError, KeyError) as error:
            raise FileError(f"the head of {path} is damaged: {error}") from None
        if version != VERSION:
            raise FileError(
                f"{path} has report format version {version}; this hushvote reads {VERSION}"
            )
        schema = parquet.schema_arrow.remove_metadata()
        return ReportFile(path, parameters, candidates, n, schema, seeded)


@contextmanager
def _parquet(path: AnyPath) -> Iterator[Any]:
    """Open a Parquet file, turning every kind of damage into one sentence."""
    try:
        with table_file(path) as file:
            yield file
    except (pa.ArrowException, OSError, EOFError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise FileError(
            f"{path} is damaged or not a Parquet file ({reason}); get a fresh copy"
        ) from None

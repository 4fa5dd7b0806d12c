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

from hushvote import exact, lottery
from hushvote.canonical import canonical, sealed, unsealed
from hushvote.errors import FileError, echo
from hushvote.files import AnyPath, explained, nameless, target_of, writing
from hushvote.formats.ballots import regrouped
from hushvote.formats.pages import all_have_checksums
from hushvote.formats.parquet import REPORTS, table_file, table_writer
from hushvote.formats.shuffling import Packing, Shuffle, packing
from hushvote.rankings import check_candidates

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
        head = _head(writer.n, parameters, candidates, seeded=rng is not None)
        # Noisy numbers hardly repeat: a dictionary of them would only cost time and room.
        repeating = [field.name for field in schema if not _is_noise(field.type)]
        options = {"compression": "zstd", "use_dictionary": repeating}
        with writing(path) as part, table_writer(part, schema, **options) as table:
            for rows in regrouped(shuffle.blocks(), GROUP):
                table.write_batch(pa.record_batch(kind.unpack(rows), schema=schema))
            table.add_key_value_metadata({REPORTS: sealed(head)})
    finally:
        shuffle.close()


def _head(
    n: int, parameters: Mapping[str, Any], candidates: tuple[str, ...] | None, *, seeded: bool
) -> dict[str, Any]:
    """What stands in the head of a file, in its one form."""
    head: dict[str, Any] = {"version": VERSION, "n": exact.to_json(n), "mechanism": parameters}
    if candidates:
        head["candidates"] = list(candidates)
    if seeded:
        head["seeded"] = True
    return head


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
        schema = parquet.schema_arrow.remove_metadata()
    try:
        document = unsealed(head)
        if document.get("version") != VERSION:
            raise FileError(
                f"{path} has report format version {echo(document.get('version'))}; "
                f"this hushvote reads {VERSION}"
            )
        n, parameters = exact.from_json(document["n"]), document["mechanism"]
        names = document.get("candidates")
        candidates = None if names is None else tuple(names)
        if candidates is not None:
            check_candidates(candidates)
        seeded = "seeded" in document
        if canonical(document) != canonical(_head(n, parameters, candidates, seeded=seeded)):
            raise ValueError("it has members or forms of numbers that no head has")
    except FileError:
        raise
    except (ValueError, TypeError, KeyError) as error:
        raise FileError(f"the head of {path} is damaged: {str(error)[:200]}") from None
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

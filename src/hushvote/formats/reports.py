"""Files of reports: Parquet columns, with the mechanism's parameters in the file's head.

The file says by itself how it is to be counted. Head and pages carry checksums, so that a damaged
file is refused instead of counted wrong.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hushvote.errors import FileError
from hushvote.formats.files import AnyPath, reading, writing
from hushvote.formats.parquet import REPORTS
from hushvote.tally import sealed, unsealed

VERSION = 1


class ReportWriter:
    """Appends batches of reports to a file that appears only when all are written."""

    def __init__(self, parquet: pq.ParquetWriter) -> None:
        self._parquet = parquet
        self.n = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Append one batch."""
        self._parquet.write_batch(batch)
        self.n += batch.num_rows


@contextmanager
def writing_reports(
    path: AnyPath,
    schema: pa.Schema,
    parameters: Mapping[str, Any],
    candidates: tuple[str, ...] | None = None,
) -> Iterator[ReportWriter]:
    """Write a file of reports; on any failure the old file, or none, is left."""
    with (
        writing(path) as part,
        pq.ParquetWriter(part, schema, compression="zstd", write_page_checksum=True) as parquet,
    ):
        writer = ReportWriter(parquet)
        yield writer
        head: dict[str, Any] = {"version": VERSION, "n": writer.n, "mechanism": parameters}
        if candidates:
            head["candidates"] = list(candidates)
        parquet.add_key_value_metadata({REPORTS: sealed(head)})


@dataclass(frozen=True)
class ReportFile:
    """An opened file of reports: what stands in its head, and its rows in batches."""

    path: AnyPath
    parameters: Mapping[str, Any]
    candidates: tuple[str, ...] | None
    n: int
    schema: pa.Schema

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
        except (ValueError, TypeError, KeyError) as error:
            raise FileError(f"the head of {path} is damaged: {error}") from None
        if version != VERSION:
            raise FileError(
                f"{path} has report format version {version}; this hushvote reads {VERSION}"
            )
        schema = parquet.schema_arrow.remove_metadata()
        return ReportFile(path, parameters, candidates, n, schema)


@contextmanager
def _parquet(path: AnyPath) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file, turning every kind of damage into one sentence."""
    with reading(path) as file:
        try:
            yield pq.ParquetFile(file, page_checksum_verification=True)
        except (pa.ArrowException, OSError, EOFError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise FileError(
                f"{path} is damaged or not a Parquet file ({reason}); get a fresh copy"
            ) from None

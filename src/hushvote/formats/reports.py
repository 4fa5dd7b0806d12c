"""Files of reports: Parquet columns, with the mechanism's parameters in the file's head.

A file is a set: its reports stand in random order, which tells nothing of the order of the votes.
It says by itself how it is to be counted. Head and pages carry checksums, so that a file that was
damaged by chance is refused instead of counted wrong. All integers are signed, since Spark and
others have no unsigned ones.

Files that other programs wrote may lack the head: then somebody has to say the parameters. They may
have further columns. `receipt` (text or bytes, an id that stays the same over one voter's
changes), `change` (0 for the first) and `withdrawn` say which reports stand (batch/standing.py);
`poll` says of each row which poll it was sent to.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hushvote import cores, exact, lottery
from hushvote.arrays import as_column
from hushvote.canonical import canonical, digest_of, is_hex, sealed, unsealed
from hushvote.errors import FileError, clip, echo
from hushvote.files import AnyPath, explained, nameless, reading, target_of, writing
from hushvote.formats.ballots import regrouped
from hushvote.formats.pages import all_have_checksums
from hushvote.formats.parquet import REPORTS, table_file, table_writer
from hushvote.formats.shuffling import Packing, Shuffle, packing
from hushvote.messages import ENGLISH, counted
from hushvote.rankings import check_candidates
from hushvote.streams import PACKED

VERSION = 2
RECEIPT, CHANGE, WITHDRAWN, POLL = "receipt", "change", "withdrawn", "poll"
GROUP = 1 << 18  # reports in a row group; with n it alone decides where groups end
FULL = 1 << 56  # sets from here on leave no byte of theirs empty
DICTIONARY = 1 << 19  # bytes of different values in a row group, before others stand as they are


class Column(Protocol):
    """One column of a report."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def kind(self) -> str:
        """What it holds: "integer" for numbers that hardly repeat, "mask" for sets."""

    @property
    def high(self) -> int:
        """The largest value."""


class Columns(Protocol):
    """What a mechanism's reports are made of (`Domain`): in memory, and in a file."""

    @property
    def fields(self) -> Sequence[Column]:
        """All columns."""

    @property
    def dtype(self) -> np.dtype[np.void]:
        """One report in memory."""

    @property
    def schema(self) -> pa.Schema:
        """The same columns in a file."""


class ReportWriter:
    """Takes reports in any order."""

    def __init__(self, columns: Columns, kind: Packing, shuffle: Shuffle) -> None:
        self._dtype = columns.dtype
        self._names = columns.schema.names
        self._kind = kind
        self._shuffle = shuffle
        self.n = 0

    def write(self, reports: NDArray[np.void]) -> None:
        """Take some reports."""
        if reports.dtype != self._dtype:
            raise ValueError(f"this file has columns {self._dtype}, not {reports.dtype}")
        columns = [np.ascontiguousarray(reports[name]) for name in self._names]
        self._shuffle.add(self._kind.pack(columns))
        self.n += len(reports)


@contextmanager
def writing_reports(
    path: AnyPath,
    columns: Columns,
    parameters: Mapping[str, Any],
    candidates: tuple[str, ...] | None = None,
    *,
    poll: str | None = None,
    rng: lottery.Bits | None = None,
) -> Iterator[ReportWriter]:
    """Write a file of reports, in secure random order whatever the order they are given in.

    Nothing is in the folder before all reports are there; on any failure the old file, or none,
    is left. `poll` is the digest of the poll that they were sent to. `rng` is for simulation only:
    it draws the order, and the head says so.
    """
    check_digest(poll)
    schema = columns.schema
    folder = target_of(path).parent
    nameless(folder).close()  # what cannot be written is refused before any work
    kind = packing([columns.dtype[name] for name in schema.names])
    shuffle = Shuffle(kind, lottery.source(rng), folder)
    try:
        with explained(path):
            writer = ReportWriter(columns, kind, shuffle)
            yield writer
        head = _head(writer.n, parameters, candidates, poll, seeded=rng is not None)
        with (
            writing(path) as part,
            table_writer(part, schema, **_options(columns, schema.names)) as table,
        ):
            for rows in cores.ahead(regrouped(shuffle.blocks(), GROUP)):
                arrays = zip(kind.unpack(rows), schema.types, strict=True)
                signed = [
                    as_column(part.astype(t.to_pandas_dtype(), copy=False)) for part, t in arrays
                ]
                table.write_batch(pa.record_batch(signed, schema=schema))
            table.add_key_value_metadata({REPORTS: sealed(head)})
    finally:
        shuffle.close()


def _options(columns: Columns, names: Sequence[str]) -> dict[str, Any]:
    """How reports are packed: with dictionaries where they save room. Noisy numbers hardly repeat,
    nor do sets of many candidates, whose dictionaries end early. To pack the sets that fill all
    their bytes saves a twentieth of the room, and to unpack them takes a tenth of all counting.
    """
    full = {
        column.name for column in columns.fields if column.kind == "mask" and column.high >= FULL
    }
    repeating = [
        column.name
        for column in columns.fields
        if column.kind != "integer" or columns.dtype[column.name].itemsize < 4
    ]
    return {
        "compression": {name: "none" if name in full else "zstd" for name in names},
        "use_dictionary": repeating,
        "dictionary_pagesize_limit": DICTIONARY,
    }


def check_digest(poll: object) -> None:
    """Refuse what is given as a poll's digest and is none."""
    if poll is not None and not is_hex(poll):
        raise FileError(
            f"a poll's digest is 64 hexadecimal digits in lower case, not {echo(poll)}",
            code="poll.digest",
            given=poll,
        )


class RowWriter:
    """Takes rows of reports with what stands beside them, in the order of the file."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.n = 0

    def write(self, rows: pa.RecordBatch) -> None:
        """Take some rows."""
        if rows.num_rows:
            self._table.write_batch(rows)
            self.n += rows.num_rows


@contextmanager
def writing_rows(
    path: AnyPath,
    columns: Columns,
    beside: pa.Schema,
    parameters: Mapping[str, Any],
    candidates: tuple[str, ...],
    poll: str,
) -> Iterator[RowWriter]:
    """Write a file of reports with further columns `beside`, such as receipts, in front of them.

    The rows stay in the order in which they come, so that must tell nothing of the votes: as that
    of receipts does, which are hashes of random numbers.
    """
    schema = pa.schema([*beside, *columns.schema])
    with (
        writing(path) as part,
        table_writer(part, schema, **_options(columns, schema.names)) as table,
    ):
        writer = RowWriter(table)
        yield writer
        head = _head(writer.n, parameters, candidates, poll, seeded=False)
        table.add_key_value_metadata({REPORTS: sealed(head)})


def _head(
    n: int,
    parameters: Mapping[str, Any],
    candidates: tuple[str, ...] | None,
    poll: str | None,
    *,
    seeded: bool,
) -> dict[str, Any]:
    """What stands in the head of a file, in its one form."""
    head: dict[str, Any] = {"version": VERSION, "n": exact.to_json(n), "mechanism": parameters}
    if candidates:
        head["candidates"] = list(candidates)
    if poll is not None:
        head["poll"] = poll
    if seeded:
        head["seeded"] = True
    return head


@dataclass(frozen=True)
class ReportFile:
    """An opened file of reports: what stands in its head, and its rows in batches."""

    path: AnyPath
    parameters: Mapping[str, Any]
    candidates: tuple[str, ...] | None
    n: int
    schema: pa.Schema
    seeded: bool = False  # drawn with a seed, so not private
    poll: str | None = None  # the digest of the poll that they were sent to
    stamp: str | None = None  # of the file when it was opened, if it lies here

    @cached_property
    def checked(self) -> bool:
        """Whether every page has a checksum; files that other programs wrote may have none."""
        return all_have_checksums(self.path)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """How many reports each row group holds."""
        with _parquet(self.path) as parquet:
            about = parquet.metadata
            return tuple(about.row_group(k).num_rows for k in range(about.num_row_groups))

    def batches(
        self, size: int, columns: Sequence[str] | None = None, groups: range | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yield the reports, or some of their columns, in batches, never the whole file at once;
        of some row groups only, if they are given.
        """
        done = 0
        wanted = None if groups is None else list(groups)
        with _parquet(self.path) as parquet:
            for batch in parquet.iter_batches(
                batch_size=size, columns=columns, row_groups=wanted, use_threads=False
            ):
                done += batch.num_rows
                yield batch
        if groups is None:
            self.check_number(done)

    def check_number(self, found: int) -> None:
        """Refuse a file that does not hold as many reports as it was written with, or that became
        another one while they were read.
        """
        self.check_unchanged()
        if found != self.n:
            raise FileError(
                f"{self.path} is damaged: it holds {counted(found, 'report', ENGLISH)}, but was "
                f"written with {self.n:,}; "
                "get a fresh copy",
                code="file.head",
                path=self.path,
                given=found,
                n=self.n,
            )

    def check_unchanged(self) -> None:
        """Refuse a file that is another one than when it was opened."""
        if self.stamp is not None and stamp_of(self.path) != self.stamp:
            raise FileError(
                f"{self.path} was changed while it was read; count it when nobody writes to it",
                code="file.changed",
                path=self.path,
            )


def stamp_of(path: AnyPath) -> str:
    """The size of a file and the time of its last change, by which it is known again."""
    with reading(path) as file:
        about = os.fstat(file.fileno())
    return f"{about.st_size}:{about.st_mtime_ns}"


def open_reports(
    path: AnyPath, parameters: Mapping[str, Any] | None = None, poll: str | None = None
) -> ReportFile:
    """Open a file of reports, refusing anything else with the reason.

    With parameters it may lack the head, as files of other programs do; if it has one, it must say
    the same. With a poll's digest, a head must name that poll.
    """
    stamp = stamp_of(path)
    with _parquet(path) as parquet:
        return replace(described(path, parquet, parameters, poll), stamp=stamp)


def described(
    path: AnyPath, parquet: Any, parameters: Mapping[str, Any] | None, poll: str | None
) -> ReportFile:
    """What a Parquet file says of itself, wherever its footer came from."""
    head = (parquet.metadata.metadata or {}).get(REPORTS)
    schema, rows = parquet.schema_arrow.remove_metadata(), parquet.metadata.num_rows
    if head is None:
        if parameters is None:
            raise FileError(
                f"{path} is not a file of hushvote reports, or another program wrote it: "
                "then say the mechanism's parameters, as in --parameters parameters.json",
                code="file.head",
                path=path,
            )
        return ReportFile(path, parameters, None, rows, schema, poll=poll)
    file = _with_head(path, head, schema)
    check_poll(path, file.poll, poll)  # before the parameters: other polls have others
    if parameters is not None and digest_of(parameters) != _digest(file.parameters):
        raise FileError(
            f"{path} has a head with other parameters than the given ones",
            code="file.head",
            path=path,
        )
    return file


def check_poll(path: AnyPath, said: str | None, poll: str | None) -> None:
    """Refuse a file that is not of the poll with this digest, if one was given."""
    if poll is not None and said != poll:
        of = "no poll" if said is None else f"the poll {said[:16]}..."
        raise FileError(
            f"{path} is of {of}, not of the given one, {poll[:16]}...",
            code="file.poll",
            path=path,
            given=said,
            poll=poll,
        )


def _digest(parameters: object) -> str | None:
    return digest_of(parameters) if isinstance(parameters, dict) else None


def _with_head(path: AnyPath, head: bytes, schema: pa.Schema) -> ReportFile:
    """What the head says, strictly."""
    try:
        document = unsealed(head)
        if document.get("version") != VERSION:
            raise FileError(
                f"{path} has report format version {echo(document.get('version'))}; "
                f"this hushvote reads {VERSION}",
                code="file.version",
                path=path,
                given=document.get("version"),
                version=VERSION,
            )
        n, parameters = exact.from_json(document["n"]), document["mechanism"]
        names = document.get("candidates")
        candidates = None if names is None else tuple(names)
        if candidates is not None:
            check_candidates(candidates)
        poll, seeded = document.get("poll"), "seeded" in document
        if poll is not None and not is_hex(poll):
            raise ValueError(f"the poll's digest {echo(poll)} is not 64 hexadecimal digits")
        if canonical(document) != canonical(_head(n, parameters, candidates, poll, seeded=seeded)):
            raise ValueError("it has members or forms of numbers that no head has")
    except FileError:
        raise
    except (ValueError, TypeError, KeyError) as error:
        raise FileError(
            f"the head of {path} is damaged: {clip(str(error))}",
            code="file.head",
            path=path,
            reason=error,
        ) from None
    return ReportFile(path, parameters, candidates, n, schema, seeded, poll)


@contextmanager
def _parquet(path: AnyPath) -> Iterator[Any]:
    """Open a Parquet file, turning every kind of damage into one sentence."""
    with telling_damage(path), table_file(path) as file:
        yield file


@contextmanager
def telling_damage(path: AnyPath) -> Iterator[None]:
    """Turn what Arrow says of a damaged file into one sentence."""
    try:
        yield
    except (pa.ArrowException, OSError, EOFError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        packed = str(path).lower().endswith(PACKED)
        offer = "unpack it first, as by gunzip" if packed else "get a fresh copy"
        raise FileError(
            f"{path} is damaged or not a Parquet file ({clip(reason)}); {offer}",
            code="file.damaged",
            path=path,
            reason=reason,
        ) from None

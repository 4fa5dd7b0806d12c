"""All reports of a closed poll in one file, for whoever wants to count them elsewhere.

Parquet is the project's own format of report files, which `hushvote tally --poll` counts; CSV has
the same columns. In front of each report stand its receipt, how many changes came before it, and in
challenge polls its question. Rows are sorted by receipt, so their order tells nothing of the votes.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from hushvote.errors import PollError, echo
from hushvote.files import writing
from hushvote.formats.reports import CHANGE, RECEIPT, writing_rows
from hushvote.poll import Poll
from hushvote.server import publishing
from hushvote.server.standing import poll_of, standing
from hushvote.server.store.contract import KeptPoll, Store

QUESTION = "question"
CHUNK = 1 << 18  # bytes that are sent at a time
MEDIA = {
    "parquet": "application/vnd.apache.parquet",
    "csv": "text/csv; charset=utf-8",
    "board": "application/jsonl",
}
ENDINGS = {"parquet": "parquet", "csv": "csv", "board": "jsonl"}


@dataclass(frozen=True)
class Export:
    """A file that is already written, and gone from its folder: it ends when it is closed."""

    name: str
    media: str
    size: int
    file: BinaryIO

    def blocks(self) -> Iterator[bytes]:
        """The whole file, some of it at a time."""
        with self.file:
            while block := self.file.read(CHUNK):
                yield block


def export(store: Store, kept: KeptPoll, kind: str, folder: Path | None = None) -> Export:
    """Write the reports of a closed poll as "parquet", "csv" or "board"."""
    if kind not in MEDIA:
        raise PollError(
            f"an export is one of {', '.join(MEDIA)}, not {echo(kind)}",
            code="export.kind",
            given=kind,
        )
    if not kept.closed:
        raise PollError("a poll is exported when it is closed, not before", code="export.open")
    publishing.check_closed(store, kept)
    file: BinaryIO
    if kind == "board":
        file = publishing.board(store, kept, folder).open("rb")
    else:
        file = _written(store, kept, kind, publishing.scratch() if folder is None else folder)
    size = file.seek(0, 2)
    file.seek(0)
    return Export(f"{kept.id}.{ENDINGS[kind]}", MEDIA[kind], size, file)


def _written(store: Store, kept: KeptPoll, kind: str, folder: Path) -> BinaryIO:
    """An export that has no name any more, so that nobody has to remove it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f".{kept.id}.{secrets.token_hex(4)}.export"
    try:
        with (_parquet if kind == "parquet" else _csv)(path, poll_of(kept)) as writer:
            for rows in _rows(store, kept):
                writer.write(rows)
        return path.open("rb")
    finally:
        path.unlink(missing_ok=True)


def _beside(poll: Poll) -> pa.Schema:
    """What stands in front of the reports."""
    asked = [QUESTION] if poll.mechanism.needs_question else []
    texts = [pa.field(name, pa.string(), nullable=False) for name in (RECEIPT, *asked)]
    return pa.schema([texts[0], pa.field(CHANGE, pa.int8(), nullable=False), *texts[1:]])


def _rows(store: Store, kept: KeptPoll) -> Iterator[pa.RecordBatch]:
    poll = poll_of(kept)
    domain, beside = poll.mechanism.domain, _beside(poll)
    schema = pa.schema([*beside, *domain.schema])
    for entries, reports in standing(store, kept):
        columns: list[Any] = [
            pa.array([one.receipt.hex() for one in entries], pa.string()),
            pa.array([one.change for one in entries], pa.int8()),
        ]
        if poll.mechanism.needs_question:
            columns.append(pa.array([(one.question or b"").hex() for one in entries], pa.string()))
        columns += domain.to_arrow(reports).columns
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


@contextmanager
def _parquet(path: Path, poll: Poll) -> Iterator[Any]:
    mechanism = poll.mechanism
    with writing_rows(
        path,
        mechanism.domain,
        _beside(poll),
        mechanism.parameters(),
        poll.candidates,
        poll.digest,
    ) as writer:
        yield writer


@contextmanager
def _csv(path: Path, poll: Poll) -> Iterator[Any]:
    from pyarrow import csv  # only this export needs it

    schema = pa.schema([*_beside(poll), *poll.mechanism.domain.schema])
    options = csv.WriteOptions(quoting_style="none")
    with writing(path) as part, csv.CSVWriter(str(part), schema, write_options=options) as writer:
        yield writer

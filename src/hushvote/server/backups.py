"""Backups: a store in one file, made while the server runs, and a store from such a file.

The file is text, the same for every database: a head, one row a line, and at the end how many rows
there are and the SHA-256 of everything before. It is secret, since the polls' signing keys are in
it. It holds nothing of the order in which votes came; but two backups of an open poll that were
made shortly after each other differ by few votes and few codes, and so may pair them.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from hushvote.canonical import is_hex
from hushvote.errors import HushvoteError, clip
from hushvote.files import AnyPath, reading, writing
from hushvote.server.store.copying import TABLES, MovedError, Row, Snapshot, Value, snapshot
from hushvote.server.store.errors import StoreError
from hushvote.server.store.opening import open_store

KIND, VERSION = "backup", 1
SECRET = (
    "This file is secret: whoever has it can sign in the name of the polls in it, and two such "
    "files of an open poll may show whose code gave which report."
)
TRIES = 20  # snapshots, if polls are closed while they are read
END = 1 << 10  # bytes in which the last line stands
CHUNK = 1 << 20  # bytes that are read at a time
STEP = 1 << 10  # rows after which progress is told

Progress = Callable[[int], None]


class BackupError(HushvoteError):
    """A file is no backup, or a damaged one."""

    area = "backup"


@dataclass(frozen=True)
class Backup:
    """What a file holds."""

    at: int  # when it was begun, in seconds since 1970
    polls: int
    rows: int
    checksum: str


def backup(
    url: str, path: AnyPath, begin: Callable[[int], Progress], now: Callable[[], float] = time.time
) -> Backup:
    """Write a store to a file, as of one moment after this began; `begin` is told how many entries
    there are, and gives what is told of progress.
    """
    for _ in range(TRIES):
        at = int(now())
        try:
            with snapshot(url) as found, writing(path, private=True, fresh=True) as part:
                return _write(found, part, at, begin(found.total))
        except MovedError:
            continue
    raise StoreError(
        f"polls were closed or deleted while they were read, {TRIES} times; try once more",
        code="store.busy",
        attempts=TRIES,
    )


def _write(found: Snapshot, path: Path, at: int, progress: Progress) -> Backup:
    checksum, rows, polls = hashlib.sha256(), 0, 0
    head = {"hushvote": KIND, "version": VERSION, "at": at, "note": SECRET}
    with path.open("wb") as file:

        def put(document: Any) -> None:
            line = _encoded(document)
            checksum.update(line)
            file.write(line)

        put(head)
        for table, values in found.rows:
            put([table, *(one.hex() if isinstance(one, bytes) else one for one in values)])
            rows += 1
            polls += table == "polls"
            if rows % STEP == 0:
                progress(STEP)
        file.write(_encoded({"rows": rows, "sha256": checksum.hexdigest()}))
    return Backup(at, polls, rows, checksum.hexdigest())


def _encoded(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def restore(path: AnyPath, url: str, begin: Callable[[int], Progress]) -> Backup:
    """Fill an empty store from a file, which is read and checked as a whole before."""
    with reading(path) as file:
        found = _checked(path, file)
        store = open_store(url)
        try:
            store.fill(_told(_rows(path, file), begin(found.rows)))
        finally:
            store.shut()
    return found


def _checked(path: AnyPath, file: BinaryIO) -> Backup:
    """What the file says of itself, if it is whole."""
    head = _object(file.readline(END))
    if head.get("hushvote") != KIND or head.get("version") != VERSION:
        raise BackupError(
            f"{path} is no backup of a store, or one of a later hushvote",
            code="backup.form",
            path=path,
        )
    size = file.seek(0, 2)
    file.seek(max(0, size - END))
    *before, last = file.read().splitlines(keepends=True)
    foot = _object(last)
    left = size - len(last)
    file.seek(0)
    checksum = hashlib.sha256()
    while left and (chunk := file.read(min(CHUNK, left))):
        checksum.update(chunk)
        left -= len(chunk)
    if not before or not last.endswith(b"\n") or foot.get("sha256") != checksum.hexdigest():
        _refuse_damaged(path, "it is cut off, or something in it was altered")
    polls = sum(table == "polls" for table, _ in _rows(path, file))
    return Backup(int(head["at"]), polls, int(foot["rows"]), checksum.hexdigest())


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _rows(path: AnyPath, file: BinaryIO) -> Iterator[Row]:
    """The rows, each of the form that its table has."""
    file.seek(0)
    file.readline()
    for number, line in enumerate(file, start=2):
        if line.startswith(b"{"):
            return
        try:
            table, *values = json.loads(line)
            columns = TABLES[table]
            found = tuple(_value(*one) for one in zip(values, columns, strict=True))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            _refuse_damaged(path, f"line {number} is no row: {clip(str(error))}")
        yield table, found


def _value(value: Any, column: tuple[str, type]) -> Value:
    name, kind = column
    if value is None:
        return None
    if kind is bytes:
        if not is_hex(value, len(value)):
            raise ValueError(f"{name} is no hex")
        return bytes.fromhex(value)
    if not isinstance(value, str | int) or type(value) is not kind:
        raise ValueError(f"{name} is of another type")
    return value


def _told(rows: Iterator[Row], progress: Progress) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        yield row
        if number % STEP == 0:
            progress(STEP)


def _refuse_damaged(path: AnyPath, reason: str) -> NoReturn:
    raise BackupError(
        f"the backup {path} is damaged: {reason}; nothing was restored, take another one",
        code="backup.damaged",
        path=path,
        reason=reason,
    )

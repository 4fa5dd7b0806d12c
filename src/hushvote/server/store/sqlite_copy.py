"""A SQLite store as plain rows, and back.

It is read in one transaction of a connection of its own: in a write-ahead log readers and the
writer do not wait for each other.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from hushvote.server.store.copying import (
    OF_POLLS,
    TABLES,
    Row,
    Snapshot,
    Value,
    check_version,
    names,
    refuse_filled,
)
from hushvote.server.store.sqlite_file import explained
from hushvote.server.store.sqlite_schema import VERSION, VOTES


@contextmanager
def snapshot(path: Path) -> Iterator[Snapshot]:
    """The store in this file, which must be there."""
    where = f"file:{quote(str(path))}?mode=rw"  # without a writer, a log is to be read, too
    with explained(path), closing(sqlite3.connect(where, uri=True, isolation_level=None)) as db:
        db.execute("PRAGMA query_only = ON")
        db.execute("BEGIN")
        check_version(db.execute("PRAGMA user_version").fetchone()[0], VERSION)
        total = db.execute("SELECT coalesce(sum(casts + changes), 0) FROM counts").fetchone()[0]
        yield Snapshot(total, _rows(db))


def _rows(db: sqlite3.Connection) -> Iterator[Row]:
    for table in ("deleted", "polls"):
        for row in db.execute(f"SELECT {names(table)} FROM {table} ORDER BY id"):
            yield table, _typed(table, row)
            if table == "polls":
                yield from _of_poll(db, row[0])


def _of_poll(db: sqlite3.Connection, id: str) -> Iterator[Row]:
    [number] = db.execute("SELECT number FROM polls WHERE id = ?", (id,)).fetchone()
    for table in OF_POLLS:
        named = number if table in VOTES else id
        asked = f"SELECT {names(table)} FROM {table} WHERE poll = ? ORDER BY 1"
        for row in db.execute(asked, (named,)):
            yield table, _typed(table, row)


def _typed(table: str, row: Iterable[Value]) -> tuple[Value, ...]:
    return tuple(
        bool(value) if kind is bool else value
        for value, (_, kind) in zip(row, TABLES[table], strict=True)
    )


def fill(db: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Write rows into an empty store, within a transaction."""
    if db.execute("SELECT 1 FROM polls UNION ALL SELECT 1 FROM deleted").fetchone():
        refuse_filled()
    id, number = "", 0
    for table, group in groupby(rows, key=lambda row: row[0]):
        found = (values for _, values in group)
        if table == "polls":
            for values in found:
                id, number = str(values[0]), number + 1
                _insert(db, table, {"number": number}, [values])
        elif table == "deleted":
            _insert(db, table, {}, found)
        else:
            _insert(db, table, {"poll": number if table in VOTES else id}, found)


def _insert(
    db: sqlite3.Connection,
    table: str,
    shared: Mapping[str, Value],
    rows: Iterable[tuple[Value, ...]],
) -> None:
    """Rows of one table, with values that all of them share."""
    columns = ", ".join([*shared, names(table)])
    places = ", ".join("?" * (len(shared) + len(TABLES[table])))
    statement = f"INSERT INTO {table} ({columns}) VALUES ({places})"
    db.executemany(statement, ((*shared.values(), *values) for values in rows))

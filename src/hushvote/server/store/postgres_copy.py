"""A PostgreSQL store as plain rows, and back.

All tables are read as of one moment (REPEATABLE READ). A table that somebody has dropped since then
cannot be read any more, as it happens when a poll is closed: then the snapshot is taken anew. The
tables of a poll are let go of as soon as they are read, so that nobody waits longer than that.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby

import psycopg
from psycopg import errors

from hushvote.server.store.copying import (
    OF_POLLS,
    MovedError,
    Row,
    Snapshot,
    Value,
    check_version,
    names,
    refuse_filled,
)
from hushvote.server.store.errors import StoreError
from hushvote.server.store.postgres_pool import CHORES, Connection, connect, explained, lock
from hushvote.server.store.postgres_schema import VERSION, VOTES, making

BLOCK = 4096  # rows that are read at a time
ASKED = {
    "events": "SELECT {columns} FROM events WHERE poll = %s ORDER BY place",
    "counts": "SELECT coalesce(sum(casts), 0)::bigint, coalesce(sum(changes), 0)::bigint,"
    " coalesce(sum(withdrawals), 0)::bigint, coalesce(sum(erasures), 0)::bigint"
    " FROM counts WHERE poll = %s",
    "hours": "SELECT hour, sum(requests)::bigint FROM hours WHERE poll = %s"
    " GROUP BY hour ORDER BY hour",
    "published": "SELECT {columns} FROM published WHERE poll = %s",
}


@contextmanager
def snapshot(dsn: str) -> Iterator[Snapshot]:
    """The store in this database."""
    with explained():
        db = connect(dsn)
        try:
            with db.transaction():
                db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                lock(db, [CHORES], shared=True)  # nobody writes tables anew meanwhile
                if db.execute("SELECT to_regclass('hushvote.about')").fetchone() == (None,):
                    raise StoreError("there is no store in this database", code="store.missing")
                found = db.execute("SELECT version FROM about").fetchone()
                check_version(found[0] if found else 0, VERSION)
                asked = "SELECT coalesce(sum(casts + changes), 0)::bigint FROM counts"
                total = db.execute(asked).fetchone()
                yield Snapshot(total[0] if total else 0, _rows(db))
        finally:
            db.close()


def _rows(db: Connection) -> Iterator[Row]:
    for row in db.execute(f"SELECT {names('deleted')} FROM deleted ORDER BY id").fetchall():
        yield "deleted", row
    polls = db.execute(f"SELECT number, {names('polls')} FROM polls ORDER BY id").fetchall()
    for number, *values in polls:
        yield "polls", tuple(values)
        try:
            with db.transaction() as part:
                yield from _of_poll(db, values[0], number)
                raise psycopg.Rollback(part)  # and lets go of the tables
        except errors.UndefinedTable as error:
            raise MovedError from error


def _of_poll(db: Connection, id: str, number: int) -> Iterator[Row]:
    for table in OF_POLLS:
        if table not in VOTES:
            for row in db.execute(ASKED[table].format(columns=names(table)), (id,)).fetchall():
                yield table, row
            continue
        with db.cursor("copied", binary=True) as found:
            found.execute(f"SELECT {names(table)} FROM {table}_{number} ORDER BY 1")
            while rows := found.fetchmany(BLOCK):
                for row in rows:
                    yield table, row


def fill(db: Connection, rows: Iterable[Row]) -> None:
    """Write rows into an empty store, within a transaction."""
    db.execute("LOCK TABLE polls, deleted IN EXCLUSIVE MODE")
    there = "SELECT FROM polls UNION ALL SELECT FROM deleted"
    if db.execute(there).fetchone() is not None:
        refuse_filled()
    id, number = "", 0
    for table, group in groupby(rows, key=lambda row: row[0]):
        found = (values for _, values in group)
        if table == "polls":
            for values in found:
                id, number = str(values[0]), _next(db)
                db.execute(making(number))
                _copy(db, table, names(table), {"number": number}, [values])
        elif table in VOTES:
            _copy(db, f"{table}_{number}", names(table), {}, found)
        elif table in ("counts", "hours"):
            _copy(db, table, names(table), {"poll": id, "slot": 0}, found)
        else:
            _copy(db, table, names(table), {} if table == "deleted" else {"poll": id}, found)


def _next(db: Connection) -> int:
    found = db.execute("SELECT nextval('numbers')").fetchone()
    return int(found[0]) if found else 0


def _copy(
    db: Connection,
    table: str,
    columns: str,
    shared: Mapping[str, Value],
    rows: Iterable[tuple[Value, ...]],
) -> None:
    """Rows of one table, with values that all of them share."""
    named = ", ".join([*shared, columns])
    with db.cursor() as cursor, cursor.copy(f"COPY {table} ({named}) FROM STDIN") as copy:
        for values in rows:
            copy.write_row((*shared.values(), *values))

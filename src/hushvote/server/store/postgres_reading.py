"""Reading votes in PostgreSQL: the tables of a poll have a number, and another one after close."""

from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg import errors

from hushvote.server.store.postgres_pool import Connection, Pool, lock
from hushvote.server.store.postgres_schema import VOTES

BLOCK = 4096  # rows that a snapshot reads at a time
MOST = 10  # attempts


def number_of(db: Connection, id: str, closed: bool = False) -> int | None:
    """The number of the tables of a poll: of an open one, or of any."""
    found = db.execute("SELECT number, closed FROM polls WHERE id = %s", (id,)).fetchone()
    return None if found is None or (found[1] and not closed) else int(found[0])


def row_of(pool: Pool, id: str, receipt: bytes, asked: str) -> tuple[Any, ...] | None:
    """What is asked of the entry of a receipt, by the beginning of a query."""
    with pool.connection() as db, db.transaction():
        lock(db, [id], shared=True)
        number = number_of(db, id, closed=True)
        if number is None:
            return None
        query = f"{asked} FROM entries_{number} WHERE receipt = %s"
        return db.execute(query, (receipt,)).fetchone()


def blocks(pool: Pool, id: str, asked: str) -> Iterator[list[tuple[Any, ...]]]:
    """Rows of a poll's own tables, which `asked` names in braces, as of one moment.

    The table may be rewritten between looking up its number and reading it; then once more.
    """
    for attempt in range(MOST):
        with pool.connection() as db:
            number = number_of(db, id, closed=True)
            if number is None:
                return
            with db.transaction(), db.cursor("snapshot", binary=True) as found:
                db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                try:
                    found.execute(asked.format(**{one: f"{one}_{number}" for one in VOTES}))
                except errors.UndefinedTable:
                    if attempt + 1 < MOST:
                        raise psycopg.Rollback from None
                    raise
                while rows := found.fetchmany(BLOCK):
                    yield rows
                return

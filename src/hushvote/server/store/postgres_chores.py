"""Leaving nothing behind in PostgreSQL's files of what was deleted or rewritten."""

from collections.abc import Sequence
from contextlib import suppress

from psycopg import errors

from hushvote.server.store.errors import StoreError
from hushvote.server.store.postgres_pool import CHORES, Connection, Pool, claim, release

MOST_SEGMENTS = 64  # of the write-ahead log, 16 MiB each, that are overwritten after a close


def put_off(db: Connection, tables: Sequence[str]) -> None:
    """Note that something was deleted from these tables, in the same transaction."""
    db.execute(
        "INSERT INTO chores SELECT name, 1 FROM unnest(%s::text[]) AS name"
        " ON CONFLICT (name) DO UPDATE SET asked = chores.asked + 1",
        (sorted(tables),),
    )


def tidy(pool: Pool) -> None:
    """Write the tables anew that are noted."""
    with suppress(StoreError), pool.connection() as db:
        due = db.execute("SELECT name, asked FROM chores ORDER BY name").fetchall()
        if not due or not claim(db, CHORES):
            return
        try:
            db.execute("SET lock_timeout = '2s'")
            for table, asked in due:
                with suppress(errors.UndefinedTable):  # its poll was deleted meanwhile
                    db.execute(f"VACUUM FULL {table}")
                done = "DELETE FROM chores WHERE name = %s AND asked = %s"
                db.execute(done, (table, asked))  # unless it is asked for again
        finally:
            if not db.closed:
                db.execute("RESET lock_timeout")
                release(db, CHORES)
        overwrite_log(pool)


def overwrite_log(pool: Pool) -> None:
    """Leave nothing in PostgreSQL's write-ahead log of what came before, as far as it lets us.

    Old segments are used again under new names, with their bytes; so each is made the current
    one, and filled up, once. This needs rights that a superuser has or gives (docs/server.md);
    without them, or where segments are archived, old ones stay until PostgreSQL needs them.
    """
    with suppress(StoreError), pool.connection() as db:
        if db.execute("SELECT current_setting('archive_mode') <> 'off'").fetchone() == (True,):
            return
        db.execute("SELECT pg_switch_wal()")
        db.execute("CHECKPOINT")
        found = db.execute("SELECT count(*) FROM pg_ls_waldir()").fetchone()
        for _ in range(min(found[0] if found else 0, MOST_SEGMENTS)):
            db.execute("SELECT pg_switch_wal()")
            db.execute("CHECKPOINT")  # writes a little into the new one, and frees the last

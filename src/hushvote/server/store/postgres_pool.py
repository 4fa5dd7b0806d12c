"""Connections to PostgreSQL, each used by one at a time and made anew when lost."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors

from hushvote.errors import clip
from hushvote.server.store.errors import StoreError
from hushvote.server.store.postgres_schema import STEPS, VERSION

Connection = psycopg.Connection[tuple[Any, ...]]

IDLE = 8  # connections that are kept for later
PATIENCE = 10  # seconds for connecting
SLOTS = 16  # of counts
FIRST = "hushvote"  # whose lock makes one process at a time look at the schema
CHORES = "hushvote chores"  # whose lock whoever writes tables anew has alone
# A poll's table is new and empty when its statements are planned; it will not stay so, and every
# look-up is by key.
SETTINGS = (
    "SET search_path = hushvote; SET synchronous_commit = on; SET jit = off;"
    " SET client_min_messages = warning; SET statement_timeout = 0;"
    " SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    " SET idle_in_transaction_session_timeout = 0"
)
UNWRITABLE = (errors.DiskFull, errors.ReadOnlySqlTransaction, errors.IoError)


class Pool:
    """Connections to one database."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._idle: list[Connection] = []
        try:
            self._settle_schema()
        except StoreError:
            self.shut()
            raise

    def _settle_schema(self) -> None:
        """Make the schema, or that of an older version the one of today: each step is durable or
        has never been, and of several processes one does it.
        """
        while True:
            with self.connection() as db, db.transaction():
                lock(db, [FIRST])
                version = check_ours(db)
                if version == VERSION:
                    return
                db.execute(STEPS[version])
                if version == 0:
                    db.execute("INSERT INTO about VALUES (1)")
                else:
                    db.execute("UPDATE about SET version = %s", (version + 1,))

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection that nobody else uses meanwhile, in no transaction."""
        with explained():
            try:
                db = self._idle.pop()
            except IndexError:
                db = connect(self._dsn)
            try:
                yield db
            except BaseException:
                self._after(db)
                raise
            self._after(db)

    @contextmanager
    def writing(self, id: str) -> Iterator[Connection]:
        """A transaction in which nobody else writes anything of a poll."""
        with self.connection() as db, db.transaction():
            lock(db, [id])
            yield db

    def shut(self) -> None:
        """Let all connections go."""
        while self._idle:
            self._idle.pop().close()

    def _after(self, db: Connection) -> None:
        """Keep a connection for later; if it is lost, all others may be."""
        if db.closed:
            self.shut()
        elif len(self._idle) >= IDLE or db.info.transaction_status:
            db.close()
        else:
            self._idle.append(db)


def connect(dsn: str) -> Connection:
    """A new connection, in no transaction."""
    db = psycopg.connect(dsn, autocommit=True, connect_timeout=PATIENCE, prepare_threshold=2)
    db.execute(SETTINGS)
    db.prepared_max = 400
    return db


def lock(db: Connection, ids: Iterable[str], shared: bool = False) -> None:
    """Wait until nobody else has these polls; the lock ends with the transaction.

    Those who commit votes share it; whoever closes a poll, say, has it alone.
    """
    keys = sorted({_key(id) for id in ids})
    how = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    db.execute(f"SELECT {how}(key) FROM unnest(%b::bigint[]) AS key", (keys,))


def claim(db: Connection, name: str) -> bool:
    """Have a lock alone, outside of transactions; False if somebody else has it."""
    return db.execute("SELECT pg_try_advisory_lock(%s)", (_key(name),)).fetchone() == (True,)


def release(db: Connection, name: str) -> None:
    """Let go of it."""
    db.execute("SELECT pg_advisory_unlock(%s)", (_key(name),))


def _key(id: str) -> int:
    digest = hashlib.sha256(b"hushvote\0" + id.encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def check_ours(db: Connection) -> int:
    """The version of the schema; refused if it is of somebody else, or of a later time."""
    if db.execute("SELECT to_regclass('hushvote.about')").fetchone() == (None,):
        asked = "SELECT FROM pg_class WHERE relnamespace = to_regnamespace('hushvote') LIMIT 1"
        if db.execute(asked).fetchone() is not None:
            raise StoreError(
                "the schema 'hushvote' of this database is of another program; choose another "
                "database",
                code="store.foreign",
            )
        return 0
    found = db.execute("SELECT version FROM about").fetchone()
    version = found[0] if found else 0
    if version > VERSION:
        raise StoreError(
            f"the database was written by a later hushvote (schema {version}, known is "
            f"{VERSION}); install that version, or choose another database",
            code="store.version",
            version=version,
            known=VERSION,
        )
    return int(version)


@contextmanager
def explained() -> Iterator[None]:
    """Say in one sentence what the database refuses; nothing of a row is repeated."""
    try:
        yield
    except psycopg.Error as error:
        reason = clip(error.diag.message_primary or " ".join(str(error).split()))
        if isinstance(error, UNWRITABLE):
            raise StoreError(
                f"cannot write to PostgreSQL: {reason}; nothing was changed, make room or let the "
                "server write there",
                code="store.unwritable",
                reason=reason,
            ) from error
        raise StoreError(
            f"cannot use PostgreSQL: {reason}", code="store.unreachable", reason=reason
        ) from error

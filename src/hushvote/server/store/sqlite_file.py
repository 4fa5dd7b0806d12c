"""A SQLite file: one connection that writes, readers beside it, and what is to be tidied up.

What SQLite deletes it overwrites (secure_delete), but the places of rows and pages, and the
write-ahead log, still show the order of casts. So after a close or a deletion the file is written
anew in the order of its keys (VACUUM) and the log is emptied. That this is to be done is noted in
the same transaction: a crash, or a reader that is in the way, only puts it off.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hushvote.files import AnyPath
from hushvote.server.store.errors import StoreError
from hushvote.server.store.sqlite_schema import STEPS, TABLES, VERSION

PATIENCE = 10  # seconds that a writer waits for one in another process
LOG = 4000  # pages of the write-ahead log before they are moved to the file
CACHE = 64 * 1024  # KiB of pages that the writer remembers
UNWRITABLE = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR")
EMPTY = "INSERT OR IGNORE INTO chores VALUES ('empty')"
REWRITE_AND_EMPTY = "INSERT OR IGNORE INTO chores VALUES ('rewrite'), ('empty')"


class SqliteFile:
    """The file, its one writer and its readers."""

    def __init__(self, path: AnyPath) -> None:
        self.path = Path(path)
        self.lock = threading.RLock()
        self._idle: list[sqlite3.Connection] = []
        self._open: set[sqlite3.Connection] = set()
        with explained(self.path):
            self._prepare()
            self._writer = self._connection()
            try:
                self._writer.execute(f"PRAGMA cache_size = -{CACHE}")
                self._writer.execute(f"PRAGMA wal_autocheckpoint = {LOG}")
                self._settle_schema()
            except BaseException:
                self._let_go(self._writer)
                raise
        self.tidy()

    def _prepare(self) -> None:
        """The file holds private keys: nobody else may read it, from its first byte on."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))

    def _connection(self) -> sqlite3.Connection:
        found = sqlite3.connect(
            self.path,
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        self._open.add(found)
        try:
            found.execute("PRAGMA secure_delete = ON")
            found.execute("PRAGMA foreign_keys = ON")
            found.execute("PRAGMA synchronous = FULL")
        except BaseException:  # the file is no database, say
            self._let_go(found)
            raise
        return found

    def _settle_schema(self) -> None:
        """Make an empty file a store, and an older one that of today: each step is durable or has
        never been, and of two processes one does it.
        """
        self.check_ours()
        self._writer.execute("PRAGMA journal_mode = WAL").fetchone()
        while True:
            with self.writing() as db:
                version = self.check_ours()
                if version == VERSION:
                    return
                for statement in STEPS[version].split(";\n"):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {version + 1}")

    def check_ours(self) -> int:
        """The version of the schema; refused if it is of somebody else, or of a later time."""
        db = self._writer
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        if TABLES - names and (version or names):
            raise StoreError(
                f"{self.path} is a database of another program; choose another file",
                code="store.foreign",
                path=self.path,
            )
        if version > VERSION:
            raise StoreError(
                f"{self.path} was written by a later hushvote (schema {version}, known is "
                f"{VERSION}); install that version, or choose another file",
                code="store.version",
                path=self.path,
                version=version,
                known=VERSION,
            )
        return version

    def shut(self) -> None:
        """Finish, and close all connections."""
        with self.lock:
            self.tidy()
            for one in list(self._open):
                self._let_go(one)

    def tidy(self) -> None:
        """Leave no trace of the order of casts, or of what was deleted; later, if it cannot be."""
        with self.lock, suppress(StoreError), explained(self.path):
            db = self._writer
            due = {name for (name,) in db.execute("SELECT name FROM chores")}
            if "rewrite" in due:
                db.execute("VACUUM")
                db.execute("DELETE FROM chores WHERE name = 'rewrite'")
            if "empty" in due:
                db.execute("PRAGMA busy_timeout = 0")  # readers come here when they have ended
                try:
                    busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                finally:
                    db.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
                if not busy:
                    db.execute("DELETE FROM chores WHERE name = 'empty'")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is durable at its end, or has never been."""
        with self.lock, explained(self.path):
            db = self._writer
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else reads from meanwhile."""
        with explained(self.path):
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._connection()
            try:
                yield db
            except BaseException:
                self._let_go(db)
                raise
            self._idle.append(db)

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one moment."""
        try:
            with self.reading() as db:
                db.execute("BEGIN")
                yield db
                db.execute("COMMIT")
        finally:
            self.tidy()

    def _let_go(self, db: sqlite3.Connection) -> None:
        self._open.discard(db)
        db.close()


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Say in one sentence what the database refuses."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        if getattr(error, "sqlite_errorname", "").startswith(UNWRITABLE):
            raise StoreError(
                f"cannot write {path}: {reason}; nothing was changed, make room or let "
                "the server write there",
                code="store.unwritable",
                path=path,
                reason=reason,
            ) from error
        raise StoreError(
            f"cannot use the database {path}: {reason}",
            code="store.unreachable",
            path=path,
            reason=reason,
        ) from error

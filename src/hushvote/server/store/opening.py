"""From the text that names a database to the store in it."""

from pathlib import Path

from hushvote.errors import clip
from hushvote.server.store.contract import Store
from hushvote.server.store.errors import StoreError

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")


def open_store(url: str) -> Store:
    """A path or `sqlite:///path` is a SQLite file, `postgresql://...` a PostgreSQL database."""
    if is_postgres(url):
        try:
            from hushvote.server.store.postgres import PostgresStore
        except ImportError:
            raise StoreError(
                "PostgreSQL needs a driver; type: pip install 'hushvote[postgres]'",
                code="store.driver",
            ) from None
        return PostgresStore(url)
    from hushvote.server.store.sqlite import SqliteStore

    return SqliteStore(path_of(url))


def is_postgres(url: str) -> bool:
    """Whether this names a PostgreSQL database."""
    return url.startswith(POSTGRES)


def path_of(url: str) -> Path:
    """The file of a SQLite store; refused if it names no file."""
    path = url.removeprefix(SQLITE)
    if not path or "://" in path or path.startswith("sqlite:"):
        kind = clip(url.partition("://")[0])  # what follows may hold a password
        raise StoreError(
            f"{kind!r} names no database; give a file, or a URL that begins with {SQLITE} "
            f"or {POSTGRES[0]}",
            code="store.url",
            kind=kind,
        )
    return Path(path)

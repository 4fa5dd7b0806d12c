"""A store as plain rows, the same for every database: what a backup holds, and moves.

Rows of a poll follow its own row. Everything is sorted by its key, so that the order of rows says
nothing of who came when; in a backup of an open poll alone nothing pairs codes and receipts.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NoReturn

from hushvote.server.store.errors import StoreError

Value = str | int | bool | bytes | None
Row = tuple[str, tuple[Value, ...]]
"""The name of a table, and the values of its columns."""

TABLES: dict[str, tuple[tuple[str, type], ...]] = {
    "deleted": (("id", str), ("digest", bytes), ("day", str)),
    "polls": (
        *(("id", str), ("closed", bool), ("closes", int), ("ended", int)),
        *(("digest", bytes), ("key", bytes), ("organiser", bytes), ("manifest", str)),
    ),
    "events": (("place", int), ("event", str)),
    "counts": (("casts", int), ("changes", int), ("withdrawals", int), ("erasures", int)),
    "hours": (("hour", int), ("requests", int)),
    "published": (("step", int), ("text", str)),
    "codes": (("code", bytes), ("revoked", bool)),
    "used": (("question", bytes), ("code", bytes)),
    "entries": (
        *(("receipt", bytes), ("state", int), ("change", int), ("salt", bytes)),
        *(("report", bytes), ("question", bytes), ("replaces", bytes), ("mark", bytes)),
        *(("secret", bytes), ("leaf", bytes)),
    ),
}
OF_POLLS = tuple(name for name in TABLES if name not in ("deleted", "polls"))


@dataclass(frozen=True)
class Snapshot:
    """A store as of one moment."""

    total: int  # entries, for whoever waits
    rows: Iterator[Row]


class MovedError(Exception):
    """A table went while it was to be read: the snapshot is to be taken anew."""


def names(table: str) -> str:
    """The columns of a table, as a statement names them."""
    return ", ".join(name for name, _ in TABLES[table])


def snapshot(url: str) -> AbstractContextManager[Snapshot]:
    """Read a store that somebody else may be writing to; it is not changed in any way."""
    from hushvote.server.store.opening import is_postgres, path_of  # which opens stores with it

    if is_postgres(url):
        from hushvote.server.store import postgres_copy

        return postgres_copy.snapshot(url)
    from hushvote.server.store import sqlite_copy

    return sqlite_copy.snapshot(path_of(url))


def check_version(found: int, known: int) -> None:
    """Refuse to copy a store of another schema."""
    if found != known:
        raise StoreError(
            f"this store has schema {found}, this hushvote knows {known}: make the backup with the "
            "version that runs the server",
            code="store.version",
            version=found,
            known=known,
        )


def refuse_filled() -> NoReturn:
    """Say that a store is not empty."""
    raise StoreError(
        "there are polls in this store already; restore into an empty one", code="store.filled"
    )

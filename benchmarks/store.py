"""Votes that a store keeps in a second, beside a bare statement with the same commit.

The bare side writes receipt, salt and report of each vote into one table and commits, as often and
as durably; it looks nothing up, counts nothing and refuses nothing. The sides take turns, the best
time of each counts. PostgreSQL runs in a cluster of its own, as the tests make it.
"""

import argparse
import os
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hushvote.server.store.contract import Cast, KeptPoll
from hushvote.server.store.opening import open_store

Commit = Callable[[list[Cast]], object]
COLUMNS = "receipt, salt, report"


def votes(poll: str, n: int, size: int) -> list[Cast]:
    """Casts in a link poll of reports of so many bytes."""
    return [Cast(poll, os.urandom(32), os.urandom(size), os.urandom(16), 490_000) for _ in range(n)]


@contextmanager
def bare_sqlite(path: str) -> Iterator[Commit]:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"CREATE TABLE IF NOT EXISTS bare ({COLUMNS}, PRIMARY KEY (receipt)) WITHOUT ROWID")

    def commit(batch: list[Cast]) -> None:
        db.execute("BEGIN IMMEDIATE")
        rows = [(one.receipt, one.salt, one.report) for one in batch]
        db.executemany("INSERT INTO bare VALUES (?, ?, ?)", rows)
        db.execute("COMMIT")

    yield commit
    db.close()


@contextmanager
def bare_postgres(url: str) -> Iterator[Commit]:
    import psycopg

    with psycopg.connect(url) as db:
        columns = "receipt bytea PRIMARY KEY, salt bytea, report bytea"
        db.execute(f"CREATE TABLE IF NOT EXISTS bare ({columns})")
        db.commit()

        def commit(batch: list[Cast]) -> None:
            rows = [(one.receipt, one.salt, one.report) for one in batch]
            with db.cursor() as cursor:
                cursor.executemany("INSERT INTO bare VALUES (%b, %b, %b)", rows)
            db.commit()

        yield commit


@contextmanager
def ours(url: str, poll: str) -> Iterator[Commit]:
    store = open_store(url)
    store.create(KeptPoll(poll, "{}", *(os.urandom(32) for _ in range(3)), 2_000_000_000), {})
    yield store.commit
    store.shut()


def rate(commits: list[Commit], waiting: list[Cast], batch: int) -> float:
    """Votes a second with these writers at the same time."""
    shares = [waiting[place :: len(commits)] for place in range(len(commits))]

    def write(commit: Commit, share: list[Cast]) -> None:
        for start in range(0, len(share), batch):
            commit(share[start : start + batch])

    threads = [
        threading.Thread(target=write, args=pair) for pair in zip(commits, shares, strict=True)
    ]
    started = time.perf_counter()
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return len(waiting) / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, default=50_000, help="votes in a run")
    parser.add_argument("--batch", type=int, default=64, help="votes in a commit")
    parser.add_argument("--bytes", type=int, default=6, help="of a report")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each side")
    parser.add_argument("--folder", type=Path, help="where the SQLite files go")
    options = parser.parse_args()
    table = Table(title=f"votes kept a second, {options.batch} in a commit", title_justify="left")
    for column in ("database", "writers", "store", "bare statement", "ratio"):
        table.add_column(column, justify="left" if column == "database" else "right")
    with ExitStack() as stack:
        from tests.databases import binaries, running_cluster

        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder))
        path = str(Path(folder) / "store.db")
        bare = [stack.enter_context(bare_sqlite(str(Path(folder) / "bare.db")))]
        cases = [("SQLite", [stack.enter_context(ours(path, "sqlite"))], bare)]
        if binaries() is not None:
            url = stack.enter_context(running_cluster()).database()
            for writers in (1, 2):
                mine = [stack.enter_context(ours(url, "postgres")) for _ in range(writers)]
                theirs = [stack.enter_context(bare_postgres(url)) for _ in range(writers)]
                cases.append(("PostgreSQL", mine, theirs))
        for name, mine, theirs in cases:
            poll = "sqlite" if name == "SQLite" else "postgres"
            best = [0.0, 0.0]
            for _ in range(options.repeats):
                for side, commits in enumerate((mine, theirs)):
                    waiting = votes(poll, options.n, options.bytes)
                    best[side] = max(best[side], rate(commits, waiting, options.batch))
            shown = (f"{best[0]:,.0f}", f"{best[1]:,.0f}", f"{best[0] / best[1]:.2f}")
            table.add_row(name, str(len(mine)), *shown)
    Console().print(table)


if __name__ == "__main__":
    main()

"""After a deletion nothing of a poll is left: in tables, free pages, logs, boards, output and new
backups.

Of PostgreSQL the whole folder of its data is searched, its write-ahead log included, which the
server may overwrite here; what is left where it may not is the operator's to know (docs/server.md).
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hushvote.server.backups import backup
from hushvote.server.store.copying import TABLES, Row, snapshot
from tests.conftest import names_in
from tests.databases import Cluster, running_cluster
from tests.keeping import a_poll, cast, event, opened, process
from tests.serving import Remote, Serving, Voter, serving
from tests.test_server_leaks import forms, found

pytestmark = pytest.mark.slow

VOTERS = 60
SOME = 5  # of the rows of a poll that have hashes every fifth is searched for
HASHED = ("codes", "used", "entries")
PATIENCE = 90  # seconds until traces that were put off are gone


@dataclass
class Deleted:
    """A server that has deleted a poll, and everything that was known of it."""

    server: Serving
    folder: Path
    cluster: Cluster | None
    remote: Remote
    voters: list[Voter] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)  # of the poll, when it was closed
    before: dict[str, bytes] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        """Everything that the server and its database have written."""
        folders = [self.folder]
        if self.cluster is not None:
            import psycopg

            with psycopg.connect(self.cluster.url(), autocommit=True) as db:
                db.execute("CHECKPOINT")
            folders.append(self.cluster.folder)
        read, seen = {}, set()
        for folder in folders:
            for one in folder.rglob("*"):
                if one.is_file():
                    try:
                        content = one.read_bytes()
                    except FileNotFoundError:  # PostgreSQL removes files meanwhile
                        continue
                    if content not in seen:  # its template databases are all the same
                        read[str(one)] = content
                        seen.add(content)
        return {**read, "output": self.server.output.encode()}

    def needles(self) -> dict[str, tuple[bytes, ...]]:
        """Receipts, secrets, salts, questions, hashes of codes, keys and the manifest."""
        wanted = {"question": (b"Who shall guard the lighthouse",)}
        hashed = [row for row in self.rows if row[0] in HASHED]
        for number, (table, values) in enumerate(self.rows[:1] + hashed[::SOME]):
            for value, (name, kind) in zip(values, TABLES[table], strict=True):
                if kind is bytes and isinstance(value, bytes) and len(value) >= 16:
                    wanted[f"{table} {name} {number}"] = forms(value)
        for number, voter in list(enumerate(self.voters))[3::SOME]:
            wanted[f"receipt {number}"] = forms(voter.credential.receipt)
            wanted[f"q {number}"] = forms(voter.question or b"")
        del wanted["polls digest 0"]  # which remains
        return wanted


@pytest.fixture(params=["sqlite", "postgres"])
def deleted(request, tmp_path) -> Iterator[Deleted]:
    with ExitStack() as stack:
        if request.param == "sqlite":
            yield stack.enter_context(made(tmp_path, str(tmp_path / "polls" / "polls.db")))
        else:
            cluster = stack.enter_context(running_cluster(fsync="off"))
            yield stack.enter_context(made(tmp_path, cluster.database(), cluster))


@contextmanager
def made(tmp_path: Path, url: str, cluster: Cluster | None = None) -> Iterator[Deleted]:
    workers = "1" if cluster is None else "2"
    for name in ("temporary", "cache"):
        (tmp_path / name).mkdir()
    places = {"TMPDIR": str(tmp_path / "temporary"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with (
        serving(url, "--open", "--workers", workers, **places) as server,
        server.client() as client,
    ):
        other = Remote.create(client)  # which stays
        kept = other.voter()
        kept.cast()
        remote = Remote.create(
            client, access="codes", question="Who shall guard the lighthouse, if anybody?"
        )
        held = Deleted(server, tmp_path, cluster, remote)
        for number, code in enumerate(remote.issue(VOTERS)):
            voter = remote.voter(code)
            voter.cast()
            if number % 5 == 0:
                voter.change()
            if number % 7 == 0:
                voter.withdraw()
            held.voters.append(voter)
        assert remote.own("POST", "/close").status_code == 200
        erased = held.voters[1]
        assert remote.send("erasures", erased.withdrawal_body()).status_code == 200
        for _ in range(8):  # by every worker
            with server.client() as one:
                again = Remote(one, remote.poll, remote.key)
                for path in ("/result", "/board", "/export"):
                    assert again.own("GET", path).status_code == 200
        with snapshot(url) as copied:
            held.rows = rows_of(copied.rows, remote.poll.id)
        held.before = held.files()
        assert remote.own("DELETE", "").status_code == 200
        assert other.told()["standing"] == 1
        backup(url, tmp_path / "after.backup", lambda _: lambda _: None)
        places = found({"kept": forms(kept.credential.receipt)}, held.files())
        assert any("after.backup" in one for one in places)
        yield held


def rows_of(rows: Iterator[Row], id: str) -> list[Row]:
    """The rows of one poll."""
    found, wanted = [], False
    for table, values in rows:
        if table == "polls":
            wanted = values[0] == id
        if wanted:
            found.append((table, values))
    return found


def test_nothing_of_a_deleted_poll_is_left_in_any_file(deleted):
    hits = found(deleted.needles(), deleted.before)
    named = " ".join(hits)
    for word in ("polls key", "polls organiser", "entries receipt", "entries salt", "q 3 "):
        assert word in named
    assert "entries secret" in named
    assert "used code" in named
    assert any("temporary" in one for one in hits)  # the boards
    until = time.monotonic() + PATIENCE
    while hits := found(deleted.needles(), deleted.files()):
        only_boards = all("temporary" in one for one in hits)
        assert only_boards, hits[:5]  # of other workers, which look once a minute
        assert time.monotonic() < until, hits[:5]
        time.sleep(2)
    remains = found({"digest": forms(bytes.fromhex(deleted.remote.poll.digest))}, deleted.files())
    assert remains  # with the id and the day, and nothing else


def test_a_deletion_that_was_killed_or_in_somebody_s_way_is_finished_later(store_url, cluster):
    """The table is held by a reader, then the process is killed: the next one tidies up."""
    code = """
import os, sys
from tests.keeping import *
store = open_store(sys.argv[1])
store.create(a_poll(), event("created"))
store.commit([cast(n) for n in range(300)])
store.close(POLL, event("closed"))
type(store).tidy = lambda self: os._exit(7)
getattr(store, "_file", store).tidy = lambda: os._exit(7)
store.delete(POLL, "2026-11-16")
"""
    crashed = process(code, store_url)
    crashed.communicate()
    assert crashed.returncode == 7
    assert found({"key": forms(a_poll().key)}, written(store_url, cluster))
    with opened(store_url) as store:
        assert not found({"key": forms(a_poll().key)}, written(store_url, cluster))
        assert list(store.polls()) == []


def test_a_deletion_beside_a_long_reader_is_tidied_up_when_it_has_ended(cluster):
    import psycopg

    url = cluster.database()
    with opened(url) as store:
        store.create(a_poll(), event("created"))
        store.commit([cast(n) for n in range(300)])
        with psycopg.connect(url) as reader:
            reader.execute("SELECT * FROM hushvote.polls")
            assert store.delete(a_poll().id, "2026-11-16")
            assert found({"key": forms(a_poll().key)}, written(url, cluster))
        assert found({"key": forms(a_poll().key)}, written(url, cluster))
        store.tidy()
        assert not found({"key": forms(a_poll().key)}, written(url, cluster))


def written(url: str, cluster: Cluster) -> dict[str, bytes]:
    if url.startswith("postgresql"):
        from tests.test_store_traces import postgres_files

        return {str(path): content for path, content in postgres_files(cluster, url).items()}
    return {str(one): one.read_bytes() for one in Path(url).parent.iterdir()}


def test_boards_of_a_killed_server_are_removed_by_the_next_one(tmp_path):
    places = {"TMPDIR": str(tmp_path / "temporary")}
    (tmp_path / "temporary").mkdir()

    def boards() -> list[Path]:
        return list((tmp_path / "temporary").glob("*/*.jsonl"))

    with serving(tmp_path / "polls.db", "--open", **places) as server, server.client() as client:
        remote = Remote.create(client, turnout=20)
        for _ in range(20):
            remote.voter().cast()
        assert remote.own("POST", "/close").status_code == 200
        assert client.get(remote.path + "/board").status_code == 200
        [board] = boards()
        with serving(tmp_path / "other.db", "--open", **places):
            time.sleep(1)
            assert boards() == [board]  # its server is there
        server.kill()
    assert boards() == [board]
    with serving(tmp_path / "polls.db", "--open", **places):
        until = time.monotonic() + 10
        while boards():
            assert time.monotonic() < until
            time.sleep(0.1)
    assert names_in(tmp_path / "temporary") == []

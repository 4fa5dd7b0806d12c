"""Databases of earlier versions, of later ones, and of other programs.

`first_schema/` has a store as it was kept under the first schema, of each kind, with what voters
were given then: it stays as it is for ever.
"""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from hushvote.canonical import canonical
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.credentials import Credential
from hushvote.poll.verifying import verify_board
from hushvote.server.publishing import board
from hushvote.server.standing import poll_of
from hushvote.server.store import postgres_schema, sqlite_schema
from hushvote.server.store.copying import snapshot
from hushvote.server.store.errors import StoreError
from hushvote.server.store.opening import open_store
from tests.held_polls import Keeping
from tests.keeping import (
    a_poll,
    cast,
    codes_in,
    entries_of,
    event,
    hashed,
    opened,
    process,
)

FROZEN = Path(__file__).parent / "first_schema"
ENDED = 1_800_003_600  # when the closed poll was closed, as its log says


@dataclass
class Old:
    """A database of the first schema, and what was known of it."""

    url: str
    known: dict

    @property
    def postgres(self):
        return self.url.startswith("postgresql")

    def run(self, script):
        """Do this to the database itself."""
        if self.postgres:
            import psycopg

            with psycopg.connect(self.url, autocommit=True) as db:
                db.execute(script)
            return
        path = Path(self.url)
        path.parent.mkdir(exist_ok=True)
        with closing(sqlite3.connect(path)) as db:
            db.executescript(script)

    def content(self):
        """Every row of every table, whatever the schema."""
        if self.postgres:
            import psycopg

            with psycopg.connect(self.url, autocommit=True) as db:
                asked = "SELECT tablename FROM pg_tables WHERE schemaname = 'hushvote'"
                names = [f"hushvote.{name}" for (name,) in db.execute(asked)]
                return {name: sorted(map(str, db.execute(f"TABLE {name}"))) for name in names}
        with closing(sqlite3.connect(self.url)) as db:
            names = [name for (name,) in db.execute("SELECT name FROM sqlite_master")]
            tables = [name for name in names if not name.startswith("sqlite_")]
            return {name: sorted(map(str, db.execute(f"SELECT * FROM {name}"))) for name in tables}


@pytest.fixture
def old(store_url):
    kind = "postgres" if store_url.startswith("postgresql") else "sqlite"
    made = Old(store_url, json.loads((FROZEN / f"{kind}.json").read_text()))
    made.run((FROZEN / f"{kind}.sql").read_text())
    return made


def acknowledged(known, folder):
    """Files of everything that the server has signed for, and these."""
    files = []
    for number, one in enumerate(known["acknowledgements"]):
        files.append(folder / f"{number}.json")
        files[-1].write_text(json.dumps(one))
    return files


def verified(store, known, folder):
    """The board, if it holds and has all that was acknowledged."""
    path = board(store, store.poll(known["poll"]), folder / "boards")
    found = verify_board(path, known["digest"], acknowledged(known, folder))
    assert found.holds, [one for one in found.findings if not one.holds]
    return path.read_text()


def test_a_store_of_the_first_schema_keeps_every_vote_acknowledgement_and_board(old, tmp_path):
    closed, deleted = old.known["closed"], old.known["deleted"]
    with opened(old.url) as store:
        store.check()
        assert store.published(closed["poll"]) == (1, closed["result"])
        text = verified(store, closed, tmp_path)
        before, after = closed["board"].split("\n"), text.split("\n")
        assert after[1:] == before[1:]
        heads = [json.loads(one[0]) for one in (before, after)]
        for head in heads:  # other machines round the result otherwise
            del head["result"], head["signature"]
        assert canonical(heads[0]) == canonical(heads[1])
        assert store.deleted(deleted["poll"]) == (bytes.fromhex(deleted["digest"]), deleted["day"])
        assert store.poll(closed["poll"]).ended == ENDED
        assert store.poll(old.known["open"]["poll"]).ended is None


def test_the_hours_of_a_store_of_the_first_schema_know_how_many_changes_there_were(old):
    with opened(old.url) as store:
        for name in ("closed", "open"):
            id = old.known[name]["poll"]
            numbers = store.numbers(id)
            hours = hours_of(old.url, id)
            assert sum(store.hours(id).values()) == numbers.casts
            told = [sum(column) for column in zip(*(one[2:] for one in hours), strict=True)]
            assert told == [numbers.changes, numbers.withdrawals] == [4, 2]


def hours_of(url, id):
    """The hours of a poll: requests, changes, withdrawals."""
    at, found = None, []
    with snapshot(url) as copied:
        for table, values in copied.rows:
            if table == "polls":
                at = values[0]
            if table == "hours" and at == id:
                found.append(values)
    return found


def test_voters_go_on_changing_in_a_store_of_the_first_schema(old, tmp_path):
    known = old.known["open"]
    with opened(old.url) as store:
        keeping = Keeping(poll_of(store.poll(known["poll"])), store)
        voters = [Credential.from_json(json.dumps(one)) for one in known["voters"]]
        acks = [Acknowledgement.from_json(json.dumps(one)) for one in known["acknowledgements"]]
        for ack in acks:
            ack.check(keeping.poll)
        assert store.numbers(known["poll"]).standing == len(voters) == 22
        keeping.questions = {voter.receipt: None for voter in voters}
        moved = [keeping.change(voter) for voter in voters[1:5]]
        keeping.withdraw(moved[0])
        keeping.cast()
        keeping.close()
        known["acknowledgements"] += [json.loads(one.to_json()) for one in keeping.acks.values()]
        verified(store, known, tmp_path)
        assert store.poll(known["poll"]).ended == ENDED


def test_a_migrated_store_has_the_same_tables_as_a_new_one(old, tmp_path, request):
    url = request.getfixturevalue("cluster").database() if old.postgres else str(tmp_path / "n.db")
    with opened(old.url), opened(url):
        pass
    assert columns(old.url) == columns(url)
    assert "ended" in str(columns(url))


def columns(url):
    if url.startswith("postgresql"):
        import psycopg

        with psycopg.connect(url) as db:
            found = db.execute(
                "SELECT table_name, column_name, data_type, is_nullable, column_default"
                " FROM information_schema.columns WHERE table_schema = 'hushvote'"
                " AND table_name !~ '_[0-9]+$' ORDER BY table_name, ordinal_position"
            )
            return found.fetchall()
    with closing(sqlite3.connect(url)) as db:
        return sorted(db.execute("SELECT name, sql FROM sqlite_master").fetchall())


OPENER = """
import sys
from hushvote.server.store.opening import open_store
sys.stdin.readline()
store = open_store(sys.argv[1])
store.check()
print(True, flush=True)
store.shut()
"""


def test_several_processes_migrate_a_store_once(old):
    """Whoever came second would find the column there already, and fail."""
    workers = [process(OPENER, old.url) for _ in range(4)]
    for one in workers:
        one.stdin.write("\n")
        one.stdin.flush()
    assert [one.communicate()[0] for one in workers] == ["True\n"] * 4
    assert [one.returncode for one in workers] == [0] * 4


@pytest.mark.parametrize("there", ["nothing", "old"])
def test_workers_that_open_a_slow_store_at_once_wait_for_each_other(cluster, monkeypatch, there):
    made = Old(cluster.database(), {})
    if there == "old":
        made.run((FROZEN / "postgres.sql").read_text())
    slow = tuple(f"SELECT pg_sleep(0.5); {one}" for one in postgres_schema.STEPS)
    monkeypatch.setattr("hushvote.server.store.postgres_pool.STEPS", slow)
    with ThreadPoolExecutor(3) as threads:
        for one in [threads.submit(open_store, made.url) for _ in range(3)]:
            store = one.result()
            store.check()
            store.shut()


def test_a_migration_that_fails_leaves_the_store_as_it_was(old, monkeypatch):
    before = old.content()
    room = postgres_schema if old.postgres else sqlite_schema
    broken = room.SECOND + "UPDATE polls SET nonsense = 1;\n"
    if old.postgres:
        monkeypatch.setattr("hushvote.server.store.postgres_pool.STEPS", (room.FIRST, broken))
    else:
        monkeypatch.setattr("hushvote.server.store.sqlite_file.STEPS", (room.FIRST, broken))
    with pytest.raises(StoreError, match="nonsense"):
        open_store(old.url)
    assert old.content() == before
    monkeypatch.undo()
    with opened(old.url) as store:
        store.check()


def test_a_store_of_a_later_schema_is_refused_and_stays_as_it_is(store_url):
    made = Old(store_url, {})
    with opened(store_url) as store:
        store.create(a_poll(), event("created"))
        version = 7
        if made.postgres:
            made.run(f"UPDATE hushvote.about SET version = {version}")
        else:
            made.run(f"PRAGMA user_version = {version}")
        with pytest.raises(StoreError, match="a later hushvote"):
            store.check()
    before = made.content()
    with pytest.raises(StoreError, match=r"a later hushvote \(schema 7, known is \d\)") as told:
        open_store(store_url)
    assert told.value.code == "store.version"
    assert made.content() == before


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_sqlite_file_of_another_program_is_refused_and_stays_as_it_is(tmp_path, version):
    path = tmp_path / "others.db"
    Old(str(path), {}).run(f"CREATE TABLE letters (text); PRAGMA user_version = {version};")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="a database of another program") as told:
        open_store(str(path))
    assert told.value.code == "store.foreign"
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["others.db"]


def test_a_postgres_schema_of_another_program_is_refused_and_others_are_left_alone(cluster):
    taken, shared = Old(cluster.database(), {}), Old(cluster.database(), {})
    taken.run("CREATE SCHEMA hushvote; CREATE TABLE hushvote.letters (text text)")
    before = taken.content()
    with pytest.raises(StoreError, match="of another program") as told:
        open_store(taken.url)
    assert told.value.code == "store.foreign"
    assert taken.content() == before
    shared.run("CREATE TABLE letters (text text); CREATE SCHEMA hushvote")
    with opened(shared.url) as store:
        store.check()


def test_a_poll_ends_no_earlier_than_its_database_knows_whatever_the_clock_says(store_url):
    with opened(store_url) as store:
        for number, (hour, at, ends) in enumerate(
            [(1, 1_700_000_500, 1_700_000_500), (1, 5, 1_700_000_000), (490_000, 5, 1_764_000_000)]
        ):
            poll = a_poll(f"{number:032x}")
            store.create(poll, event("created"))
            assert codes_in(store.commit([cast(number, poll=poll.id, hour=hour)])) == [None]
            assert store.close(poll.id, {"at": at, "event": "closed"})
            assert store.poll(poll.id).ended == ends
            [entry] = entries_of(store, poll.id)
            late = {"at": 1_999_999_999, "event": "erased"}
            assert store.erase(poll.id, entry.receipt, hashed("leaf"), late)
            assert store.poll(poll.id).ended == ends

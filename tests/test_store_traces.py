"""What is left in files: after close no pair of a code and a receipt, after deletion nothing."""

import json
import random
import stat

import pytest

from hushvote.server.store.contract import Cast
from hushvote.server.store.errors import StoreError
from hushvote.server.store.opening import open_store
from hushvote.server.store.sqlite import SqliteStore
from tests.keeping import (
    POLL,
    a_poll,
    cast,
    change,
    codes_in,
    entries_of,
    event,
    hashed,
    lines_of,
    opened,
    process,
    receipt_of,
    secret_of,
    withdrawal,
)

VOTERS = 1000
HEADER = (*range(24, 28), *range(92, 96))  # bytes of a SQLite file that count its transactions


def voted(store, seed, id=POLL):
    """The same receipts, questions and reports, but paired and ordered by chance."""
    dice = random.Random(seed)
    store.create(a_poll(id), event("created"))
    codes = [hashed(f"code {n}") for n in range(VOTERS)]
    store.issue(id, codes, event("issued"))
    order, asked = list(range(VOTERS)), list(range(VOTERS))
    dice.shuffle(order)
    dice.shuffle(asked)
    writes = [
        Cast(
            *(id, receipt_of(n), bytes([n % 250]) * 4, hashed(f"salt {n}")[:16], 5),
            *(hashed(f"q {code}"), hashed(f"code {code}")),
        )
        for n, code in zip(order, asked, strict=True)
    ]
    for start in range(0, VOTERS, 50):
        assert set(codes_in(store.commit(writes[start : start + 50]))) == {None}


def sqlite_bytes(path):
    """Everything that is in the files of a SQLite database."""
    return b"".join(one.read_bytes() for one in sorted(path.parent.iterdir()))


@pytest.mark.parametrize("live", [True, False], ids=["open", "shut"])
def test_a_closed_sqlite_file_is_the_same_whoever_cast_with_which_code_and_when(tmp_path, live):
    files = []
    for seed in range(2):
        path = tmp_path / str(seed) / "polls.db"
        store = SqliteStore(path)
        voted(store, seed)
        before = sqlite_bytes(path)
        assert store.close(POLL, event("closed"))
        if not live:
            store.shut()
        found = bytearray(path.read_bytes())
        for place in HEADER:
            found[place] = 0
        files.append((bytes(found), before))
        log = path.with_name("polls.db-wal")
        if log.exists():  # one page at most: that the log has been emptied
            logged = log.read_bytes()
            assert len(logged) < 10_000
            assert not any(receipt_of(n) in logged for n in range(VOTERS))
            assert not any(hashed(f"q {n}") in logged for n in range(VOTERS))
        store.shut()
    assert files[0][0] == files[1][0]
    assert files[0][1] != files[1][1]
    assert all(files[0][0].count(receipt_of(n)) == 1 for n in range(0, VOTERS, 7))


def test_a_reader_puts_the_tidying_of_a_sqlite_file_off_and_then_does_it(tmp_path):
    path = tmp_path / "polls" / "polls.db"
    with opened(str(path)) as store:
        voted(store, 1)
        other = a_poll("cd" * 16)
        store.create(other, event("created"))
        store.commit([cast(n, poll=other.id) for n in range(5000)])
        reader = store.entries(other.id)
        next(reader)
        assert store.close(POLL, event("closed"))
        log = path.with_name("polls.db-wal")
        assert log.stat().st_size > 100_000
        assert sum(len(block) for block in reader) > 0
        assert log.stat().st_size < 10_000


def test_a_crash_before_the_tidying_of_a_sqlite_file_only_puts_it_off(tmp_path):
    path = tmp_path / "polls" / "polls.db"
    code = """
import os, sys
from tests.keeping import *
from tests.test_store_traces import voted
from hushvote.server.store.sqlite import SqliteStore
store = SqliteStore(sys.argv[1])
voted(store, 1)
store._file.tidy = lambda: os._exit(7)
store.close(POLL, event("closed"))
"""
    crashed = process(code, path)
    crashed.communicate()
    assert crashed.returncode == 7
    log = path.with_name("polls.db-wal")
    assert log.stat().st_size > 100_000
    with opened(str(path)) as store:
        assert store.poll(POLL).closed
        assert log.stat().st_size < 10_000
        assert len(entries_of(store)) == VOTERS


def secrets_of_a_poll():
    """Everything that must go, of votes every seventh."""
    poll, some = a_poll(), range(0, VOTERS, 7)
    votes = [value for n in some for value in (receipt_of(n), hashed(f"q {n}"))]
    salts = [hashed(f"salt {n}")[:16] for n in some]
    return [poll.key, poll.organiser, poll.manifest.encode(), *votes, *salts, b"a secret text"]


def test_nothing_of_a_deleted_poll_is_left_in_the_files_of_sqlite(tmp_path):
    path = tmp_path / "polls" / "polls.db"
    with opened(str(path)) as store:
        voted(store, 1)
        store.create(a_poll("cd" * 16), event("created"))
        store.publish(POLL, 1, "a secret text")
        there = sqlite_bytes(path)
        assert all(one in there for one in secrets_of_a_poll())
        assert store.delete(POLL, "2026-11-16")
        left = sqlite_bytes(path)
        assert [one for one in secrets_of_a_poll() if one in left] == []
        assert a_poll().digest in left
        assert a_poll("cd" * 16).key in left


def test_an_erased_or_changed_report_is_not_left_in_the_files_of_sqlite(tmp_path):
    path = tmp_path / "polls" / "polls.db"
    erased, changed = b"the erased report", b"the changed report"
    with opened(str(path)) as store:
        store.create(a_poll(), event("created"))
        first, second = cast(1, erased), cast(2, changed)
        store.commit([first, second, *(cast(n) for n in range(3, 300))])
        store.commit([change(2, "2b")])
        assert store.erase(POLL, first.receipt, hashed("leaf"), event("erased"))
        left = sqlite_bytes(path)
        assert erased not in left
        assert changed not in left
        assert first.salt not in left
        assert second.salt in left  # until close: an equal request gets an equal answer
        assert store.close(POLL, event("closed"))
        assert second.salt not in sqlite_bytes(path)


def postgres_files(cluster, url):
    """Every file of a database, its catalogue too, when all has been written to disk."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as db:
        db.execute("CHECKPOINT")
        asked = "SELECT oid FROM pg_database WHERE datname = current_database()"
        folder = cluster.data / "base" / str(db.execute(asked).fetchone()[0])
    return {path: path.read_bytes() for path in folder.iterdir()}


def places_in(files, values):
    """Where values stand in each file that has all of them: page, and value, in its order."""
    found = {}
    for path, content in files.items():
        if values[0] in content:
            places = sorted((content.index(one), one) for one in values)
            found[path] = [(place // 8192, one) for place, one in places]
    return found


def test_a_closed_poll_has_sorted_files_in_postgres_of_one_transaction(cluster):
    import psycopg

    url = cluster.database()
    receipts = [receipt_of(n) for n in range(VOTERS)]
    questions = [hashed(f"q {n}") for n in range(VOTERS)]
    with opened(url) as store, psycopg.connect(url, autocommit=True) as db:
        voted(store, 1)
        before = places_in(postgres_files(cluster, url), receipts)
        assert any(not in_order(found, receipts) for found in before.values())
        assert store.close(POLL, event("closed"))
        number = db.execute("SELECT number FROM hushvote.polls").fetchone()[0]
        for table, values in (("entries", receipts), ("used", questions)):
            found = places_in(postgres_files(cluster, url), values)
            assert len(found) == 2  # the table, and its index, which repeats where pages begin
            assert not found.keys() & before.keys()
            asked = f"SELECT pg_relation_filepath('hushvote.{table}_{number}')"
            assert in_order(found[cluster.data / db.execute(asked).fetchone()[0]], values)
            asked = f"SELECT count(DISTINCT xmin::text), count(*) FROM hushvote.{table}_{number}"
            assert db.execute(asked).fetchone() == (1, VOTERS)


def in_order(places, values):
    """Whether values stand as if written sorted: each page is filled from its end."""
    written = sorted(places, key=lambda one: one[0])  # keeps the order within a page
    pages = {}
    for page, one in written:
        pages.setdefault(page, []).insert(0, one)
    return [one for page in pages.values() for one in page] == sorted(values)


def test_nothing_of_a_deleted_poll_is_left_in_the_tables_of_postgres(cluster):
    url = cluster.database()
    other = a_poll("cd" * 16)
    searched = secrets_of_a_poll()
    with opened(url) as store:
        voted(store, 1)
        store.create(other, event("created"))
        store.publish(POLL, 1, "a secret text")
        there = b"".join(postgres_files(cluster, url).values())
        assert all(one in there for one in searched)
        assert store.delete(POLL, "2026-11-16")
        left = b"".join(postgres_files(cluster, url).values())
        assert [one for one in searched if one in left] == []
        assert other.key in left


def test_an_erased_report_is_not_left_in_the_tables_of_postgres(cluster):
    erased = b"a report that is erased"
    url = cluster.database()
    with opened(url) as store:
        store.create(a_poll(), event("created"))
        store.commit([cast(1, erased), *(cast(n) for n in range(2, 300))])
        assert erased in b"".join(postgres_files(cluster, url).values())
        assert store.erase(POLL, receipt_of(1), hashed("leaf"), event("erased"))
        assert erased not in b"".join(postgres_files(cluster, url).values())


def test_spent_entries_keep_nothing_but_receipt_and_secret_after_close(store_url):
    with opened(store_url) as store:
        store.create(a_poll(), event("created"))
        store.issue(POLL, [hashed("code 1")], event("issued"))
        store.commit([cast(1, code=1, keep_question=True), change(1, 2), cast(3), withdrawal(3)])
        store.close(POLL, event("closed"))
        assert store.question_of(POLL, receipt_of(1)) is None
        assert store.question_of(POLL, receipt_of(2)) == hashed("q 1")
    columns = "state, change, salt, report, question, replaces, mark, secret, leaf"
    if store_url.startswith("postgresql"):
        import psycopg

        with psycopg.connect(store_url) as db:
            number = db.execute("SELECT number FROM hushvote.polls").fetchone()[0]
            asked = f"SELECT receipt, {columns} FROM hushvote.entries_{number} WHERE state > 0"
            rows = db.execute(asked).fetchall()
    else:
        import sqlite3

        db = sqlite3.connect(store_url)
        rows = db.execute(f"SELECT receipt, {columns} FROM entries WHERE state > 0").fetchall()
        db.close()
    nothing = [None] * 5
    expected = [
        (receipt_of(name), state, 0, *nothing, secret_of(name), None)
        for name, state in ((1, 1), (3, 2))
    ]
    assert sorted(rows) == sorted(expected)


def test_only_the_owner_can_read_a_sqlite_store(tmp_path):
    path = tmp_path / "new" / "polls.db"
    with opened(f"sqlite:///{path}") as store:
        store.create(a_poll(), event("created"))
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        files = list(path.parent.iterdir())
        assert len(files) == 3
        assert all(stat.S_IMODE(one.stat().st_mode) == 0o600 for one in files)


FILLER = """
import json, resource, sys
from hushvote.server.store.errors import StoreError
from tests.keeping import POLL, cast, opened
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
with opened(sys.argv[1]) as store:
    for number in range(10_000):
        try:
            store.commit([cast(f"{number} {n}", bytes(100)) for n in range(50)])
        except StoreError as error:
            print(json.dumps([number, error.code, str(error)]))
            break
    assert len([one for block in store.entries(POLL) for one in block]) == number * 50
"""


def test_a_full_disk_is_one_sentence_and_nothing_is_half_written(tmp_path):
    path = tmp_path / "polls" / "polls.db"
    with opened(str(path)) as store:
        store.create(a_poll(), event("created"))
    filling = process(FILLER, path, 2_000_000)
    [[number, code, sentence]] = lines_of(filling)
    assert filling.wait() == 0
    filling.communicate()
    assert number > 5
    assert code == "store.unwritable"
    assert sentence.startswith(f"cannot write {path}: ")
    assert "nothing was changed" in sentence
    with opened(str(path)) as store:
        assert len(entries_of(store)) == store.numbers(POLL).casts == number * 50
        assert codes_in(store.commit([cast("after")])) == [None]


def test_a_database_that_may_only_be_read_is_one_sentence(store_url):
    with opened(store_url) as store:
        store.create(a_poll(), event("created"))
        store.commit([cast(1)])
        if store_url.startswith("postgresql"):
            with store._pool.connection() as db:
                db.execute("SET default_transaction_read_only = on")
        else:
            store._file._writer.execute("PRAGMA query_only = on")
        for call in (store.check, lambda: store.commit([cast(2)])):
            with pytest.raises(StoreError, match=r"cannot write .*; nothing was changed") as told:
                call()
            assert told.value.code == "store.unwritable"
        assert store.numbers(POLL).casts == len(entries_of(store)) == 1


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("mysql://user:word@host/name", "store.url"),
        ("sqlite://relative", "store.url"),
        ("", "store.url"),
        ("/proc/nowhere/polls.db", "store.unreachable"),
        ("/", "store.unreachable"),
        ("postgresql://user:word@/name?host=/nowhere", "store.unreachable"),
        ("postgresql://user:word@/name?nonsense=1", "store.unreachable"),
    ],
)
def test_a_database_that_is_not_there_is_one_sentence_without_the_password(url, code):
    with pytest.raises(StoreError) as told:
        open_store(url)
    assert told.value.code == code
    assert "\n" not in str(told.value)
    assert "word" not in f"{told.value}{json.dumps(told.value.values)}"


def test_a_file_that_is_no_database_is_one_sentence_and_stays_as_it_is(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear database, " * 1000)
    with pytest.raises(StoreError, match="file is not a database") as told:
        open_store(str(path))
    assert told.value.code == "store.unreachable"
    assert path.read_bytes() == b"Dear database, " * 1000


def test_without_the_driver_postgres_says_what_to_install(tmp_path):
    code = """
import sys
sys.modules["psycopg"] = None
from hushvote.errors import HushvoteError
from hushvote.server.store.opening import open_store
open_store(sys.argv[1]).shut()
try:
    open_store("postgresql:///name")
except HushvoteError as error:
    print(error.code, error)
"""
    found = process(code, tmp_path / "polls.db")
    told = found.communicate()[0]
    assert told == (
        "store.driver PostgreSQL needs a driver; type: pip install 'hushvote[postgres]'\n"
    )


def test_every_connection_waits_for_the_disk_and_sqlite_overwrites_what_it_deletes(store_url):
    """Whatever the database was set to: no kill of a process could show that."""
    with opened(store_url) as store:
        if store_url.startswith("postgresql"):
            with store._pool.connection() as db:
                assert db.execute("SHOW synchronous_commit").fetchone() == ("on",)
            return
        with store._file.writing() as writer, store._file.reading() as reader:
            for db in (writer, reader):
                assert db.execute("PRAGMA synchronous").fetchone() == (2,)
                assert db.execute("PRAGMA secure_delete").fetchone() == (1,)
                assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)

"""Backups of real stores, while they are written to: whole, private, the same for both kinds."""

import json
import os
import random
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from hushvote.errors import HushvoteError
from hushvote.server.backups import backup, restore
from hushvote.server.store.copying import snapshot
from hushvote.server.store.opening import open_store
from tests.conftest import one_sentence
from tests.keeping import (
    POLL,
    Model,
    a_poll,
    cast,
    check_same,
    codes_in,
    event,
    hashed,
    opened,
    random_write,
    withdrawal,
)
from tests.test_store_batches import CODES, LINK, act
from tests.test_store_schema import FROZEN, Old
from tests.test_store_traces import voted

GONE = "ee" * 16


def quiet(total):
    return lambda done: None


@pytest.fixture(params=["sqlite", "postgres"])
def other_url(request, tmp_path):
    """A second empty database, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "other" / "polls.db")
    return request.getfixturevalue("cluster").database()


def rows_of(url):
    with snapshot(url) as found:
        return list(found.rows)


def stirred(store, seed=1):
    """Polls to which everything has happened that can, open and closed, and their models."""
    dice = random.Random(seed)
    models = {LINK: Model(), CODES: Model()}
    for id in (*models, GONE):
        store.create(a_poll(id), event("created"))
    for _ in range(60):
        id = dice.choice(list(models))
        act(dice, store, id, models[id], last=False)
        writes = [random_write(dice, id, with_codes=id == CODES) for _ in range(20)]
        assert list(store.commit(writes)) == [models[id].write(one) for one in writes]
    store.publish(LINK, 3, 'a "result" of ✓ and \\')
    store.close(CODES, event("closed"))
    models[CODES].closed = True
    store.delete(GONE, "2026-11-16")
    return models


def test_a_backup_moves_between_databases_of_any_kind(store_url, other_url, tmp_path):
    with opened(store_url) as store:
        models = stirred(store)
        made = backup(store_url, tmp_path / "it", quiet)
        before = rows_of(store_url)
    assert (made.polls, made.rows) == (2, len(before))
    assert {table for table, _ in before} == {
        *("deleted", "polls", "events", "counts", "hours", "published", "codes", "used"),
        "entries",
    }
    assert restore(tmp_path / "it", other_url, quiet) == made
    assert rows_of(other_url) == before
    with opened(other_url) as store:
        for id, model in models.items():
            check_same(store, id, model)
            assert store.poll(id).key == a_poll(id).key
            again = [random_write(random.Random(n), id, id == CODES) for n in range(200)]
            assert list(store.commit(again)) == [model.write(one) for one in again]
            check_same(store, id, model)
        assert store.poll(CODES).ended is not None
        assert store.published(LINK) == (3, 'a "result" of ✓ and \\')
        assert store.deleted(GONE) == (a_poll(GONE).digest, "2026-11-16")
        assert not store.create(a_poll(GONE), event("created"))
        assert store.create(a_poll("dd" * 16), event("created"))
        assert store.close(LINK, event("closed"))
        assert store.delete(CODES, "2026-11-17")


def test_an_empty_store_has_an_empty_backup(store_url, other_url, tmp_path):
    with opened(store_url):
        pass
    assert backup(store_url, tmp_path / "it", quiet).rows == 0
    assert restore(tmp_path / "it", other_url, quiet).polls == 0
    assert rows_of(other_url) == []


def test_a_backup_has_what_was_kept_before_it_began_and_nothing_of_later(store_url, tmp_path):
    """Votes that come after the snapshot was taken, while it is read."""
    with opened(store_url) as store:
        store.create(a_poll(), event("created"))
        store.commit([cast(n) for n in range(300)])

        def begin(total):
            assert total == 300
            store.commit([cast(n) for n in range(300, 600)] + [withdrawal(n) for n in range(9)])
            return lambda done: None

        backup(store_url, tmp_path / "it", begin)
        restore(tmp_path / "it", str(tmp_path / "new.db"), quiet)
        assert store.numbers(POLL).casts == 600
    with opened(str(tmp_path / "new.db")) as restored:
        assert (restored.numbers(POLL).casts, restored.numbers(POLL).withdrawals) == (300, 0)
        assert codes_in(restored.commit([withdrawal(n) for n in range(9)])) == [None] * 9


def test_a_poll_that_is_closed_or_deleted_while_it_is_read_does_no_harm(store_url, tmp_path):
    begun = []
    with opened(store_url) as store:
        for id in (LINK, CODES):
            store.create(a_poll(id), event("created"))
            store.commit([cast(n, poll=id) for n in range(50)])

        def begin(total):
            begun.append(total)
            if len(begun) == 1:
                assert store.close(LINK, event("closed"))
                assert store.delete(CODES, "2026-11-16")
            return lambda done: None

        backup(store_url, tmp_path / "it", begin)
        restore(tmp_path / "it", str(tmp_path / "new.db"), quiet)
    with opened(str(tmp_path / "new.db")) as restored:
        polls = restored.polls()
    if store_url.startswith("postgresql"):  # the tables were gone: it was taken anew
        assert begun == [100, 50]
        assert [(one.id, one.closed) for one in polls] == [(LINK, True)]
    else:
        assert begun == [100]
        assert [(one.id, one.closed) for one in polls] == [(LINK, False), (CODES, False)]


def test_a_poll_that_was_read_can_be_closed_while_others_are_read(store_url):
    """Nobody waits for the end of a long backup."""
    with opened(store_url) as store, ThreadPoolExecutor(1) as thread:
        for id in (LINK, CODES):
            store.create(a_poll(id), event("created"))
            store.commit([cast(n, poll=id) for n in range(50)])
        with snapshot(store_url) as found:
            for table, values in found.rows:
                if table == "polls" and values[0] == CODES:
                    assert thread.submit(store.close, LINK, event("closed")).result(10)
        assert store.poll(LINK).closed


def test_a_backup_says_nothing_of_the_order_of_casts_and_pairs_no_code_with_a_receipt(tmp_path):
    files = []
    for seed in range(2):
        url = str(tmp_path / f"{seed}.db")
        with opened(url) as store:
            voted(store, seed)
            backup(url, tmp_path / f"it {seed}", quiet, now=lambda: 1_800_000_000)
        files.append((tmp_path / f"it {seed}").read_bytes())
    assert files[0] == files[1]
    assert files[0].count(hashed("q 7").hex().encode()) == 1


def test_only_its_owner_can_read_a_backup(tmp_path):
    url, path = str(tmp_path / "polls.db"), tmp_path / "it"
    old = os.umask(0)
    try:
        with opened(url) as store:
            store.create(a_poll(), event("created"))
            backup(url, path, quiet)
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert a_poll().key.hex() in path.read_text()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["it", "polls.db"]


def refusal(job):
    with pytest.raises(HushvoteError) as told:
        job()
    assert "\n" not in str(told.value)
    return told.value.code


def test_a_damaged_or_cut_off_backup_is_refused_and_changes_nothing(tmp_path):
    url, path, target = str(tmp_path / "polls.db"), tmp_path / "it", tmp_path / "new" / "polls.db"
    with opened(url) as store:
        stirred(store)
        backup(url, path, quiet)
    whole = path.read_bytes()
    dice = random.Random(5)
    cuts = [0, 1, 80, 300, len(whole) // 2, len(whole) - 1, whole.rindex(b"\n", 0, -1) + 1]
    broken = [whole[:cut] for cut in (*cuts, *(dice.randrange(len(whole)) for _ in range(40)))]
    for place in (0, 5, len(whole) - 2, *(dice.randrange(len(whole)) for _ in range(200))):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << dice.randrange(7)
        broken.append(bytes(flipped))
    lines = whole.splitlines(keepends=True)
    broken += [b"".join(lines[:9] + lines[10:]), b"".join(lines[:9] + lines[8:]), whole + b"\n"]
    for one in broken:
        path.write_bytes(one)
        code = refusal(lambda: restore(path, str(target), quiet))
        assert code in ("backup.damaged", "backup.form", "file.empty")
        assert not target.parent.exists()
    path.write_bytes(whole)
    restore(path, str(target), quiet)
    assert rows_of(str(target)) == rows_of(url)


def test_rows_that_no_store_can_have_written_change_nothing(store_url, tmp_path):
    """Under a checksum that fits: somebody has made them."""
    import hashlib

    def made(*rows):
        lines = [{"hushvote": "backup", "version": 1, "at": 5, "note": ""}, *rows]
        text = "".join(json.dumps(one) + "\n" for one in lines)
        foot = {"rows": len(rows), "sha256": hashlib.sha256(text.encode()).hexdigest()}
        path = tmp_path / "it"
        path.write_text(text + json.dumps(foot) + "\n")
        return path

    poll = ["polls", POLL, False, 5, None, "00", "00", "00", "{}"]
    entry = ["entries", "00", 0, 0, "00", "00", None, None, None, None, None]
    for rows, codes in [
        ([["nonsense", 1]], {"backup.damaged"}),
        ([poll[:-1]], {"backup.damaged"}),
        ([[*poll[:-1], 7]], {"backup.damaged"}),
        ([["polls", POLL, 0, *poll[3:]]], {"backup.damaged"}),
        ([[*poll[:5], "0g", *poll[6:]]], {"backup.damaged"}),
        ([["events", 1, "{}"]], {"store.unreachable"}),
        ([poll, entry, entry], {"store.unreachable"}),
        ([poll, poll], {"store.unreachable"}),
    ]:
        path = made(*rows)
        assert refusal(lambda path=path: restore(path, store_url, quiet)) in codes, rows
        with opened(store_url) as store:
            assert list(store.polls()) == []
    restore(made(poll, entry), store_url, quiet)
    with opened(store_url) as store:
        assert len(store.polls()) == 1


def test_a_store_that_is_not_empty_is_not_restored_into(store_url, tmp_path):
    source, path = str(tmp_path / "source.db"), tmp_path / "it"
    with opened(source) as store:
        store.create(a_poll(), event("created"))
    backup(source, path, quiet)
    with opened(store_url) as store:
        store.create(a_poll(GONE), event("created"))
        assert refusal(lambda: restore(path, store_url, quiet)) == "store.filled"
        store.delete(GONE, "2026-11-16")
        assert refusal(lambda: restore(path, store_url, quiet)) == "store.filled"
        assert list(store.polls()) == []
        assert store.deleted(GONE) is not None


def test_a_store_of_another_schema_is_neither_copied_nor_migrated(store_url, tmp_path):
    old = Old(store_url, {})
    kind = "postgres" if old.postgres else "sqlite"
    old.run((FROZEN / f"{kind}.sql").read_text())
    before = old.content()
    assert refusal(lambda: backup(store_url, tmp_path / "it", quiet)) == "store.version"
    assert old.content() == before
    assert not (tmp_path / "it").exists()


def test_a_database_that_is_not_there_is_not_made(cluster, tmp_path):
    path = tmp_path / "nowhere" / "polls.db"
    assert refusal(lambda: backup(str(path), tmp_path / "it", quiet)) == "store.unreachable"
    assert not path.parent.exists()
    empty = cluster.database()
    assert refusal(lambda: backup(empty, tmp_path / "it", quiet)) == "store.missing"
    nobody = "postgresql://user:word@/name?host=/nowhere"
    assert refusal(lambda: backup(nobody, tmp_path / "it", quiet)) == "store.unreachable"
    assert list(tmp_path.iterdir()) == []


# --- commands -------------------------------------------------------------------------------------


def test_the_commands_say_that_a_backup_is_secret_and_what_an_old_one_lacks(run, tmp_path):
    with opened(str(tmp_path / "polls.db")) as store:
        store.create(a_poll(), event("created"))
        store.commit([cast(1)])
        code, out, err = run("backup", "--store", "polls.db", "--out", "monday.backup")
        assert (code, "1 poll in 5 rows" in out) == (0, True), err
        assert "secret" in err
        assert "signing keys" in err
    head = json.loads((tmp_path / "monday.backup").read_text().splitlines()[0])
    assert head["note"].startswith("This file is secret")
    code, out, err = run("restore", "monday.backup", "--store", "new.db")
    assert (code, "1 poll in 5 rows" in out) == (0, True), err
    said = " ".join(err.split())
    assert "Votes that were acknowledged after that are missing" in said
    assert "prove by the acknowledgement" in said
    said = one_sentence(run("restore", "monday.backup", "--store", "new.db"))
    assert "restore into an empty one" in said


def test_the_commands_speak_json(run, tmp_path):
    with opened(str(tmp_path / "polls.db")) as store:
        store.create(a_poll(), event("created"))
    code, out, _ = run("backup", "--store", "polls.db", "--out", "it", "--json")
    made = json.loads(out)
    assert code == 0
    assert made.keys() == {"file", "secret", "at", "polls", "rows", "checksum"}
    code, out, _ = run("restore", "it", "--store", "sqlite:///new.db", "--json")
    assert (code, json.loads(out)) == (0, made)


def test_a_backup_replaces_no_other(run, tmp_path):
    with opened(str(tmp_path / "polls.db")) as store:
        store.create(a_poll(), event("created"))
    run("backup", "--store", "polls.db", "--out", "it")
    before = (tmp_path / "it").read_bytes()
    said = one_sentence(run("backup", "--store", "polls.db", "--out", "it"))
    assert "there is such a file already, and it is not replaced" in said
    url = str(tmp_path / "polls.db")
    assert refusal(lambda: backup(url, tmp_path / "it", quiet)) == "file.exists"
    assert (tmp_path / "it").read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["it", "polls.db"]


def test_what_is_no_backup_is_one_sentence(run, tmp_path):
    (tmp_path / "letter").write_text("Dear server, please restore this")
    assert "is no backup" in one_sentence(run("restore", "letter", "--store", "new.db"))
    assert "no such file" in one_sentence(run("restore", "nothing", "--store", "new.db"))
    assert "names no database" in one_sentence(run("backup", "--store", "ftp://a", "--out", "it"))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["letter"]
    open_store(str(tmp_path / "polls.db")).shut()
    said = one_sentence(run("backup", "--store", "polls.db", "--out", "nowhere/it"))
    assert "make that folder first" in said

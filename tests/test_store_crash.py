"""kill -9 while votes are written: what was acknowledged is there, once, and nothing needs mending.

The system keeps what a killed process has written, so PostgreSQL may leave out fsync here: that
would tell power cuts apart, which no test can make, and costs a minute.
"""

import random
import signal
import time

import pytest

from hushvote.server.store.errors import StoreError
from tests.databases import running_cluster
from tests.keeping import (
    POLL,
    a_poll,
    cast,
    change,
    entries_of,
    event,
    hashed,
    lines_of,
    opened,
    process,
    receipt_of,
    secret_of,
    spent_of,
    withdrawal,
)

KILLS = 10
BATCH = 64

WRITER = """
import json, sys
from hushvote.server.store.contract import Done
from hushvote.server.store.errors import StoreError
from tests.keeping import opened
from tests.test_store_crash import batch
url, kill = sys.argv[1:]
with opened(url) as store:
    print(json.dumps("ready"), flush=True)
    for number in range(100_000):
        try:
            outcomes = store.commit(batch(int(kill), number))
        except StoreError:
            break
        assert all(isinstance(one, Done) for one in outcomes)
        print(json.dumps(number), flush=True)
"""


def batch(kill, number):
    """Casts, and what becomes of a part of those of the batch before."""
    writes = [
        cast(f"{kill} {number} {n}", bytes([n]), code=f"{kill} {number} {n}") for n in range(BATCH)
    ]
    if number > 0:
        before = f"{kill} {number - 1}"
        writes += [change(f"{before} {n}", f"{before} {n}b", b"new") for n in range(20)]
        writes += [withdrawal(f"{before} {n}") for n in range(20, 30)]
    return writes


def expected(kill, acknowledged):
    """Reports that stand, and secrets that are spent, after so many batches of a process."""
    standing, spent = {}, {}
    for number in range(acknowledged):
        names = [f"{kill} {number} {n}" for n in range(BATCH)]
        standing |= {receipt_of(name): bytes([n]) for n, name in enumerate(names)}
        if number < acknowledged - 1:
            for name in names[:30]:
                del standing[receipt_of(name)]
                spent[receipt_of(name)] = secret_of(name)
            standing |= {receipt_of(f"{name}b"): b"new" for name in names[:20]}
    return standing, spent


def check(url, acknowledged):
    """All batches that were acknowledged, and of each process at most the one after them."""
    with opened(url) as store:
        entries, spent = entries_of(store), spent_of(store)
        found = {one.receipt: one.report for one in entries}
        assert len(found) == len(entries)
        assert len(dict(spent)) == len(spent)
        numbers = store.numbers(POLL)
        assert numbers.standing == len(entries)
        assert numbers.changes + numbers.withdrawals == len(spent)
        assert numbers.casts == len(store.codes(POLL).used)
        standing, gone, casts = {}, {}, 0
        for kill, whole in enumerate(acknowledged):
            done = whole + (receipt_of(f"{kill} {whole} 63") in found)
            theirs = expected(kill, done)
            standing |= theirs[0]
            gone |= theirs[1]
            casts += done * BATCH
        assert found == standing
        assert dict(spent) == gone
        assert numbers.casts == casts
        assert casts > KILLS * BATCH
        store.check()


def prepare(url):
    with opened(url) as store:
        store.create(a_poll(), event("created"))
        codes = [
            hashed(f"code {kill} {number} {n}")
            for kill in range(KILLS)
            for number in range(400)
            for n in range(BATCH)
        ]
        store.issue(POLL, codes, event("issued"))


def killed(url, kill, seconds, victim=None):
    """Let a process write for a while, and kill it, or its database; what it acknowledged."""
    writer = process(WRITER, url, kill)
    try:
        assert writer.stdout.readline() == '"ready"\n'
        assert writer.stdout.readline() == "0\n"
        time.sleep(seconds)
        if victim is None:
            writer.send_signal(signal.SIGKILL)
        else:
            victim.stop(signal.SIGKILL)
        lines = [0, *lines_of(writer)]
        assert lines == list(range(len(lines)))
        assert lines[-1] < 399, "more batches than codes"
        return len(lines)
    finally:
        writer.kill()
        writer.communicate()


@pytest.mark.slow
def test_ten_killed_writers_lose_nothing_that_was_acknowledged(store_url):
    prepare(store_url)
    dice = random.Random()  # any moment will do
    acknowledged = [killed(store_url, kill, dice.uniform(0, 0.4)) for kill in range(KILLS)]
    check(store_url, acknowledged)


@pytest.mark.slow
def test_ten_killed_postgres_servers_lose_nothing_that_was_acknowledged():
    dice = random.Random()
    acknowledged = []
    with running_cluster(fsync="off") as cluster:
        url = cluster.database()
        prepare(url)
        for kill in range(KILLS):
            acknowledged.append(killed(url, kill, dice.uniform(0, 0.4), cluster))
            cluster.start()
        check(url, acknowledged)


@pytest.mark.slow
def test_a_lost_connection_is_one_sentence_and_the_next_call_makes_a_new_one():
    with running_cluster(fsync="off") as cluster:
        url = cluster.database()
        with opened(url) as store:
            store.create(a_poll(), event("created"))
            cluster.stop()
            for _ in range(2):
                with pytest.raises(StoreError, match="cannot use PostgreSQL: ") as told:
                    store.commit([cast(1)])
                assert told.value.code == "store.unreachable"
            with pytest.raises(StoreError, match="cannot use PostgreSQL"):
                store.check()
            cluster.start()
            store.commit([cast(1)])
            assert store.numbers(POLL).casts == 1
            cluster.stop()
            cluster.start()
            with pytest.raises(StoreError, match="cannot use PostgreSQL"):
                store.poll(POLL)  # over the lost connection
            assert store.poll(POLL) == a_poll()

"""Several writers of the same receipts: nobody waits for ever, and all are told the same.

Threads share a store, processes a database. Each sends the same requests in an order of its own,
in batches; of requests that exclude each other one is kept, and everybody is told which.
"""

import json
import random
import threading
from collections import defaultdict

import pytest

from hushvote.server.store.contract import Done
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
    spent_of,
    withdrawal,
)

VOTERS = 300
WRITERS = 4
PATIENCE = 120

WRITER = """
import json, sys
from tests.keeping import opened
from tests.test_store_together import PHASES, told
url, seed = sys.argv[1:]
with opened(url) as store:
    for phase in range(len(PHASES)):
        print(json.dumps("ready"), flush=True)
        sys.stdin.readline()
        for line in told(store, phase, int(seed)):
            print(json.dumps(line), flush=True)
"""


def casts():
    """Casts of which some exclude each other: another report, or another receipt for a code."""
    for n in range(VOTERS):
        yield "plain", n, cast(n, code=n)
        if n % 3 == 0:
            yield "report", n, cast(n, b"B", code=n)
        if n % 3 == 1:
            yield "receipt", n, cast(f"other {n}", code=n)


def changes():
    """Changes and withdrawals of standing entries of which some exclude each other."""
    for n in range(0, VOTERS, 3):
        yield "change", n, change(n, f"new {n}")
        yield "another", n, change(n, f"newer {n}")
        yield "report", n, change(n, f"new {n}", b"C")
        yield "withdraw", n, withdrawal(n)


PHASES = (casts, changes)


def told(store, phase, seed):
    """Send everything of a phase twice, in an order of our own; what was answered to each."""
    dice = random.Random(seed)
    for _ in range(2):
        requests = list(PHASES[phase]())
        dice.shuffle(requests)
        while requests:
            size = dice.randrange(1, 32)
            batch, requests = requests[:size], requests[size:]
            outcomes = store.commit([write for *_, write in batch])
            for (kind, n, _), outcome in zip(batch, outcomes, strict=True):
                done = outcome.salt.hex() if isinstance(outcome, Done) else None
                yield [phase, kind, n, done, None if done is not None else outcome.code]


def prepare(url):
    with opened(url) as store:
        store.create(a_poll(), event("created"))
        store.issue(POLL, [hashed(f"code {n}") for n in range(VOTERS)], event("issued"))


def check(url, lines):
    """Each request had one answer, one of those that exclude each other was kept, and only it."""
    answers, kept = defaultdict(set), defaultdict(set)
    for phase, kind, n, done, code in lines:
        answers[phase, kind, n].add((done, code))
        if done is not None:
            kept[phase, n].add(kind)
    torn = {key: found for key, found in answers.items() if len(found) > 1}
    assert torn == {}
    assert len(answers) == sum(len(list(phase())) for phase in PHASES)
    assert all(len(found) == 1 for found in kept.values())
    assert len(kept) == VOTERS + VOTERS // 3
    withdrawn = sum(found == {"withdraw"} for found in kept.values())
    with opened(url) as store:
        numbers = store.numbers(POLL)
        assert numbers.casts == VOTERS == len(store.codes(POLL).used)
        assert numbers.changes == VOTERS // 3 - withdrawn
        assert numbers.withdrawals == withdrawn
        assert len(entries_of(store)) == numbers.standing
        assert len(spent_of(store)) == VOTERS // 3
        assert sum(store.hours(POLL).values()) == VOTERS


def deadlocks(url):
    """How often PostgreSQL had to end a circle of those who wait."""
    if not url.startswith("postgresql"):
        return 0
    import psycopg

    asked = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    with psycopg.connect(url) as db:
        return db.execute(asked).fetchone()[0]


@pytest.mark.slow
def test_processes_that_write_the_same_receipts_are_told_the_same(store_url):
    prepare(store_url)
    running = [process(WRITER, store_url, seed) for seed in range(WRITERS)]
    try:
        lines = []
        for phase in range(len(PHASES)):
            for one in running:
                while (line := json.loads(one.stdout.readline())) != "ready":
                    lines.append(line)
            for one in running:
                one.stdin.write(f"{phase}\n")
                one.stdin.flush()
        lines += [line for one in running for line in lines_of(one)]
        assert [one.wait(PATIENCE) for one in running] == [0] * WRITERS
    finally:
        for one in running:
            one.kill()
            one.communicate()
    check(store_url, lines)
    assert deadlocks(store_url) == 0


@pytest.mark.slow
def test_threads_that_write_the_same_receipts_are_told_the_same(store_url):
    prepare(store_url)
    lines = []
    with opened(store_url) as store:
        for phase in range(len(PHASES)):
            threads = [
                threading.Thread(
                    target=lambda seed, phase=phase: lines.extend(told(store, phase, seed)),
                    args=(seed,),
                    daemon=True,
                )
                for seed in range(WRITERS)
            ]
            for one in threads:
                one.start()
            for one in threads:
                one.join(PATIENCE)
                assert not one.is_alive()
    check(store_url, lines)


def test_a_poll_that_is_closed_meanwhile_has_all_that_was_acknowledged(store_url):
    prepare(store_url)
    acknowledged, started = [], threading.Event()

    def write(first):
        for n in range(first, 100_000, 2):
            one = cast(f"late {n}")
            if store.commit([one]) != [Done(one.salt)]:
                return
            acknowledged.append(one.receipt)
            if len(acknowledged) > 50:
                started.set()

    with opened(store_url) as store:
        threads = [threading.Thread(target=write, args=(n,), daemon=True) for n in range(2)]
        for one in threads:
            one.start()
        assert started.wait(PATIENCE)
        assert store.close(POLL, event("closed"))
        for one in threads:
            one.join(PATIENCE)
            assert not one.is_alive()
        assert [one.receipt for one in entries_of(store)] == sorted(acknowledged)


@pytest.mark.slow
def test_batches_of_the_same_votes_in_opposite_orders_wait_in_no_circle(cluster):
    url = cluster.database()
    prepare(url)
    rounds, together = 10, threading.Barrier(2)

    def write(turn):
        with opened(url) as store:
            for number in range(rounds):
                writes = [cast(f"{number} {n}") for n in range(600)]
                together.wait(PATIENCE)
                assert {type(one) for one in store.commit(writes[::turn])} == {Done}
                writes = [change(f"{number} {n}", f"{number} {n}b") for n in range(600)]
                together.wait(PATIENCE)
                assert {type(one) for one in store.commit(writes[::turn])} == {Done}
                finished.append(number)

    finished = []
    threads = [threading.Thread(target=write, args=(turn,), daemon=True) for turn in (1, -1)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(PATIENCE)
        assert not one.is_alive()
    assert len(finished) == 2 * rounds
    assert deadlocks(url) == 0

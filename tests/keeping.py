"""What the tests of the stores share: polls and votes to keep, and a plain model of a store."""

import hashlib
import json
import random
import secrets
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hushvote.server.store.contract import (
    Cast,
    Change,
    Done,
    ErasedEntry,
    KeptEntry,
    KeptPoll,
    Numbers,
    Refused,
    Withdrawal,
)
from hushvote.server.store.opening import open_store

ROOT = Path(__file__).parent.parent
POLL = "ab" * 16


def a_poll(id=POLL, closes=2_000_000_000):
    parts = (hashlib.sha256(f"{id} {part}".encode()).digest() for part in range(3))
    return KeptPoll(id, f'{{"manifest of":"{id}"}}', *parts, closes)


def event(name, **more):
    return {"at": 1_700_000_000, "event": name, **more}


def hashed(text):
    return hashlib.sha256(str(text).encode()).digest()


def secret_of(name):
    return hashed(f"secret {name}")


def receipt_of(name):
    return hashlib.sha256(secret_of(name)).digest()


def cast(name, report=b"A", code=None, poll=POLL, hour=1, keep_question=False):
    """A cast under a name that stands for a secret; in a poll of codes by the name of a code."""
    asked = (None, None) if code is None else (hashed(f"q {code}"), hashed(f"code {code}"))
    salt = secrets.token_bytes(16)
    return Cast(poll, receipt_of(name), report, salt, hour, *asked, keep_question)


def change(old, new, report=b"B", poll=POLL, hour=1, most=2):
    revealed = (secret_of(old), receipt_of(old), receipt_of(new))
    return Change(poll, *revealed, report, secrets.token_bytes(16), hour, most)


def withdrawal(name, poll=POLL, hour=1):
    return Withdrawal(poll, secret_of(name), receipt_of(name), hour)


def entries_of(store, id=POLL):
    return [entry for block in store.entries(id) for entry in block]


def spent_of(store, id=POLL):
    return [(receipt, secret) for block in store.spent(id) for receipt, secret, _ in block]


def places_of(store, id=POLL):
    """Which receipt took the place of which spent one; None of a withdrawn one."""
    return {receipt: taken for block in store.spent(id) for receipt, _, taken in block}


def codes_in(outcomes):
    """What became of writes: a refusal's code, or None."""
    return [one.code if isinstance(one, Refused) else None for one in outcomes]


@contextmanager
def opened(url):
    store = open_store(url)
    try:
        yield store
    finally:
        store.shut()


def process(code, *words, **options):
    """A Python process that knows this package and these tests, with open ends."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PATH": "/usr/bin:/bin"},
        **options,
    )


def lines_of(running):
    """The lines of JSON that a process has written whole."""
    return [json.loads(line) for line in running.stdout.read().split("\n")[:-1]]


@dataclass
class Model:
    """One poll as POLL.md says, told by what was answered before; nothing of it is stored."""

    closed: bool = False
    answered: dict = field(default_factory=dict)
    standing: dict = field(default_factory=dict)
    erased: dict = field(default_factory=dict)
    spent: dict = field(default_factory=dict)
    issued: set = field(default_factory=set)
    revoked: set = field(default_factory=set)
    used: dict = field(default_factory=dict)
    counts: Counter = field(default_factory=Counter)
    hours: Counter = field(default_factory=Counter)

    def knows(self, receipt):
        return receipt in self.standing or receipt in self.spent or receipt in self.erased

    def write(self, one):
        if self.closed:
            return Refused("vote.closed")
        key = (
            type(one),
            getattr(one, "reveals", None),
            getattr(one, "receipt", None),
            getattr(one, "report", None),
        )
        if key not in self.answered:
            found = getattr(self, f"_{type(one).__name__.lower()}")(one)
            if isinstance(found, Refused):
                return found
            self.answered[key] = found
            self.counts[type(one)] += 1
            if isinstance(one, Cast):
                self.hours[one.hour] += 1
        return self.answered[key]

    def _cast(self, one):
        if self.knows(one.receipt):
            return Refused("vote.receipt")
        if one.question is not None:
            if one.question in self.used:
                return Refused("vote.question")
            if one.code not in self.issued - self.revoked:
                return Refused("vote.code")
            self.used[one.question] = one.code
        kept = one.question if one.keep_question else None
        self.standing[one.receipt] = KeptEntry(one.receipt, 0, one.report, one.salt, kept)
        return Done(one.salt)

    def _change(self, one):
        if not self.knows(one.spends):
            return Refused("vote.unknown")
        if self.knows(one.receipt):
            return Refused("vote.receipt")
        old = self.standing.get(one.spends)
        if old is None:
            return Refused("vote.spent")
        if old.change + 1 > one.most:
            return Refused("vote.changes")
        del self.standing[one.spends]
        self.spent[one.spends] = one.reveals
        new = KeptEntry(one.receipt, old.change + 1, one.report, one.salt, old.question)
        self.standing[one.receipt] = new
        return Done(one.salt)

    def _withdrawal(self, one):
        if not self.knows(one.spends):
            return Refused("vote.unknown")
        if one.spends not in self.standing:
            return Refused("vote.spent")
        del self.standing[one.spends]
        self.spent[one.spends] = one.reveals
        return Done(b"")

    def revoke(self, hashes):
        done = (set(hashes) & self.issued) - self.revoked - set(self.used.values())
        self.revoked |= done
        return sorted(done)

    def erase(self, receipt, leaf):
        if receipt not in self.standing:
            return False
        del self.standing[receipt]
        self.erased[receipt] = leaf
        self.answered = {key: one for key, one in self.answered.items() if key[2] != receipt}
        return True

    def numbers(self):
        return Numbers(
            *(self.counts[kind] for kind in (Cast, Change, Withdrawal)), len(self.erased)
        )

    def lines(self):
        erased = [ErasedEntry(receipt, leaf) for receipt, leaf in self.erased.items()]
        return sorted([*self.standing.values(), *erased], key=lambda one: one.receipt)


def check_same(store, id, model):
    """The store has what the model has, to the last entry."""
    assert entries_of(store, id) == model.lines()
    assert spent_of(store, id) == sorted(model.spent.items())
    assert store.numbers(id) == model.numbers()
    assert store.numbers(id).standing == len(model.standing)
    assert store.hours(id) == model.hours
    reports = b"".join(one.report for one in model.standing.values())
    assert sorted(b"".join(store.reports(id))) == sorted(reports)
    assert store.code_numbers(id) == (len(model.issued), len(model.revoked))
    assert store.numbers(id, 1 << 40) == model.numbers()
    codes = store.codes(id)
    assert codes.issued == tuple(sorted(model.issued))
    assert codes.revoked == tuple(sorted(model.revoked))
    assert codes.used == tuple(sorted(model.used))


def random_write(dice: random.Random, poll, with_codes):
    """A request of any kind, from so few names that most collide with others."""
    old, new = dice.randrange(60), dice.randrange(60)
    report, hour = dice.choice([b"A", b"B"]), dice.randrange(-3, 3)
    kind = dice.randrange(10)
    if kind < 5:
        code = dice.randrange(40) if with_codes else None
        return cast(new, report, code, poll, hour, keep_question=True)
    if kind < 9:
        return change(old, new, report, poll, hour, most=dice.randrange(1, 4))
    return withdrawal(old, poll, hour)

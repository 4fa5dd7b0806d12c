"""Polls and reports in one SQLite file, for a server of one process.

One connection writes, under a lock; every snapshot has a connection of its own, and sees nothing
of what is written meanwhile.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hushvote.files import AnyPath
from hushvote.server.store.contract import (
    Codes,
    ErasedEntry,
    Event,
    GoneEntry,
    KeptEntry,
    KeptPoll,
    Numbers,
    Outcome,
    Write,
)
from hushvote.server.store.copying import Row
from hushvote.server.store.deciding import ENTRY, ERASED, STANDING, Votes, decide, entry_of, named
from hushvote.server.store.errors import StoreError
from hushvote.server.store.sqlite_copy import fill
from hushvote.server.store.sqlite_file import EMPTY, REWRITE_AND_EMPTY, SqliteFile
from hushvote.server.store.sqlite_schema import ENDING, REWRITING, VOTES
from hushvote.server.store.sqlite_votes import keep, known

BLOCK = 4096  # rows that a snapshot reads at a time

POLL = "SELECT id, manifest, digest, key, organiser, closes, closed, ended FROM polls"


class SqliteStore:
    """A store in a file, which only the user who runs the server can read."""

    def __init__(self, path: AnyPath) -> None:
        self._file = SqliteFile(path)

    # --- polls --------------------------------------------------------------------------------

    def create(self, poll: KeptPoll, event: Event) -> bool:
        """Keep a new poll; False if the id is known, also as that of a deleted one."""
        with self._file.writing() as db:
            there = "SELECT 1 FROM polls WHERE id = ? UNION ALL SELECT 1 FROM deleted WHERE id = ?"
            if db.execute(there, (poll.id, poll.id)).fetchone():
                return False
            db.execute(
                "INSERT INTO polls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(poll.id, _next_number(db), poll.closed, poll.closes),
                    *(poll.digest, poll.key, poll.organiser, poll.manifest, poll.ended),
                ),
            )
            db.execute("INSERT INTO counts (poll) VALUES (?)", (poll.id,))
            _log(db, poll.id, event)
            return True

    def poll(self, id: str) -> KeptPoll | None:
        """A poll that is there."""
        with self._file.reading() as db:
            row = db.execute(f"{POLL} WHERE id = ?", (id,)).fetchone()
        return None if row is None else _kept(row)

    def polls(self) -> Sequence[KeptPoll]:
        """All polls that are there, in the order of their ids."""
        with self._file.reading() as db:
            return [_kept(row) for row in db.execute(f"{POLL} ORDER BY id")]

    def deleted(self, id: str) -> tuple[bytes, str] | None:
        """Digest and day of deletion of a poll that was there."""
        with self._file.reading() as db:
            found = db.execute("SELECT digest, day FROM deleted WHERE id = ?", (id,)).fetchone()
        return None if found is None else (found[0], found[1])

    def extend(self, id: str, closes: int, event: Event) -> bool:
        """Move the closing time of an open poll; False if it is closed or there is none."""
        with self._file.writing() as db:
            if _number(db, id) is None:
                return False
            db.execute("UPDATE polls SET closes = ? WHERE id = ?", (closes, id))
            _log(db, id, event)
            return True

    def close(self, id: str, event: Event) -> bool:
        """Close an open poll for good; False if it was closed or there is none."""
        with self._file.lock:
            with self._file.writing() as db:
                old = _number(db, id)
                if old is None:
                    return False
                new = _next_number(db)
                for statement in REWRITING:
                    db.execute(statement, {"old": old, "new": new})
                _clear(db, old)
                db.execute("UPDATE polls SET closed = 1, number = ? WHERE id = ?", (new, id))
                _log(db, id, event)
                db.execute(f"{ENDING} AND id = ?", (id,))
                db.execute(REWRITE_AND_EMPTY)
            self._file.tidy()
            return True

    def delete(self, id: str, day: str) -> bool:
        """Delete a poll with everything that belongs to it; id, digest and day remain."""
        with self._file.lock:
            with self._file.writing() as db:
                found = db.execute(
                    "SELECT number, digest FROM polls WHERE id = ?", (id,)
                ).fetchone()
                if found is None:
                    return False
                _clear(db, found[0])
                db.execute("DELETE FROM polls WHERE id = ?", (id,))
                db.execute("INSERT INTO deleted VALUES (?, ?, ?)", (id, found[1], day))
                db.execute(REWRITE_AND_EMPTY)
            self._file.tidy()
            return True

    def events(self, id: str) -> Sequence[Event]:
        """The public log of a poll, in order."""
        with self._file.reading() as db:
            found = db.execute("SELECT event FROM events WHERE poll = ? ORDER BY place", (id,))
            return [json.loads(text) for (text,) in found]

    # --- codes --------------------------------------------------------------------------------

    def issue(self, id: str, hashes: Sequence[bytes], event: Event) -> bool:
        """Issue codes to an open poll; known ones stay as they are. False if it is closed."""
        with self._file.writing() as db:
            number = _number(db, id)
            if number is None:
                return False
            rows = ((number, one) for one in sorted(set(hashes)))
            db.executemany("INSERT OR IGNORE INTO codes VALUES (?, ?, 0)", rows)
            _log(db, id, event)
            return True

    def revoke(self, id: str, hashes: Sequence[bytes], event: Event) -> Sequence[bytes]:
        """Revoke unused codes of an open poll, and return those that were revoked by this."""
        with self._file.writing() as db:
            number = _number(db, id)
            if number is None:
                return []
            used = {one for (one,) in db.execute("SELECT code FROM used WHERE poll = ?", (number,))}
            revoke = "UPDATE codes SET revoked = 1 WHERE poll = ? AND code = ? AND revoked = 0"
            unused = sorted(set(hashes) - used)
            done = [one for one in unused if db.execute(revoke, (number, one)).rowcount == 1]
            if done:
                _log(db, id, event)
            return done

    def codes(self, id: str) -> Codes:
        """All codes of a poll."""
        with self._file.snapshot() as db:
            place = _number(db, id, closed=True)
            codes = db.execute(
                "SELECT code, revoked FROM codes WHERE poll = ? ORDER BY code", (place,)
            ).fetchall()
            used = db.execute(
                "SELECT question FROM used WHERE poll = ? ORDER BY question", (place,)
            )
            return Codes(
                tuple(code for code, _ in codes),
                tuple(code for code, revoked in codes if revoked),
                tuple(one for (one,) in used),
            )

    def code_numbers(self, id: str) -> tuple[int, int]:
        """How many codes were issued, and how many of them revoked."""
        with self._file.snapshot() as db:
            found = db.execute(
                "SELECT count(*), coalesce(sum(revoked), 0) FROM codes WHERE poll = ?",
                (_number(db, id, closed=True),),
            ).fetchone()
        return found[0], found[1]

    # --- votes --------------------------------------------------------------------------------

    def commit(self, writes: Sequence[Write]) -> Sequence[Outcome]:
        """Do all that can be done of these, in one durable transaction; an outcome for each."""
        with self._file.writing() as db:
            numbers: dict[str, int] = {}
            polls: dict[str, Votes] = {}
            for id, names in named(writes).items():
                number = _number(db, id)
                if number is not None:
                    numbers[id] = number
                    polls[id] = known(db, number, names)
            outcomes = decide(writes, polls)
            for id, votes in polls.items():
                keep(db, id, numbers[id], votes)
            return outcomes

    def question_of(self, id: str, receipt: bytes) -> bytes | None:
        """The question that is kept beside the entry of a known receipt, if one is."""
        with self._file.reading() as db:
            found = db.execute(
                "SELECT question FROM entries"
                " WHERE poll = (SELECT number FROM polls WHERE id = ?) AND receipt = ?",
                (id, receipt),
            ).fetchone()
        return None if found is None else found[0]

    def numbers(self, id: str, before: int | None = None) -> Numbers:
        """How many votes there are, or were when an hour began: quick, whatever their number."""
        counted = "SELECT casts, changes, withdrawals, erasures FROM counts WHERE poll = ?"
        with self._file.reading() as db:
            found = Numbers(*(db.execute(counted, (id,)).fetchone() or (0, 0, 0, 0)))
            if before is None:
                return found
            asked = (
                "SELECT coalesce(sum(requests), 0), coalesce(sum(changes), 0),"
                " coalesce(sum(withdrawals), 0) FROM hours WHERE poll = ? AND hour < ?"
            )
            requests, changes, withdrawals = db.execute(asked, (id, before)).fetchone()
            return Numbers.of_requests(requests, changes, withdrawals, found.erasures)

    def hours(self, id: str) -> Mapping[int, int]:
        """Votes cast by the hour (whole hours since 1970), without the hours that have none."""
        asked = (
            "SELECT hour, requests - changes - withdrawals AS casts FROM hours"
            " WHERE poll = ? AND casts > 0 ORDER BY hour"
        )
        with self._file.reading() as db:
            return dict(db.execute(asked, (id,)).fetchall())

    def entries(self, id: str) -> Iterator[Sequence[KeptEntry | ErasedEntry]]:
        """Standing and erased entries in blocks, sorted by receipt, as of one moment."""
        asked = (
            "SELECT receipt, change, report, salt, question, leaf FROM entries"
            f" WHERE poll = ? AND state IN ({STANDING}, {ERASED}) ORDER BY receipt"
        )
        for rows in self._blocks(id, asked):
            yield [
                KeptEntry(receipt, change, report, salt, question)
                if leaf is None
                else ErasedEntry(receipt, leaf)
                for receipt, change, report, salt, question, leaf in rows
            ]

    def reports(self, id: str) -> Iterator[bytes]:
        """All reports that stand, many joined in a block, in no order, as of one moment.

        SQLite joins them, all whose receipts begin with the same byte: between two rows it would
        wait for Python's lock, which on a busy server takes longer than to read them.
        """
        asked = (
            "SELECT group_concat(hex(report), '') FROM entries"
            f" WHERE poll = ? AND receipt >= ? AND receipt < ? AND state = {STANDING}"
        )
        with self._file.snapshot() as db:
            number = _number(db, id, closed=True)
            for first in range(256):
                until = bytes([first + 1]) if first < 255 else bytes([255]) * 33
                found = db.execute(asked, (number, bytes([first]), until)).fetchone()[0]
                if found:
                    yield bytes.fromhex(found)

    def spent(self, id: str) -> Iterator[Sequence[tuple[bytes, bytes, bytes | None]]]:
        """Spent and withdrawn receipts, with secrets and what took their place."""
        yield from self._blocks(
            id,
            "SELECT old.receipt, old.secret, new.receipt FROM entries AS old LEFT JOIN entries AS"
            " new ON new.poll = old.poll AND new.replaces = old.receipt"
            " WHERE old.poll = ? AND old.secret IS NOT NULL ORDER BY old.receipt",
        )

    def entry(self, id: str, receipt: bytes) -> KeptEntry | ErasedEntry | GoneEntry | None:
        """What has become of a receipt."""
        with self._file.reading() as db:
            found = db.execute(
                f"{ENTRY} FROM entries"
                " WHERE poll = (SELECT number FROM polls WHERE id = ?) AND receipt = ?",
                (id, receipt),
            ).fetchone()
        return None if found is None else entry_of(*found)

    def erase(self, id: str, receipt: bytes, leaf: bytes, event: Event) -> bool:
        """Erase a standing report, leaving its leaf; False if it does not stand.

        What a closed poll has published goes with it: it is to be counted anew.
        """
        with self._file.lock:
            with self._file.writing() as db:
                done = db.execute(
                    f"UPDATE entries SET state = {ERASED}, salt = NULL, report = NULL,"
                    " question = NULL, leaf = ?"
                    " WHERE poll = (SELECT number FROM polls WHERE id = ?) AND receipt = ?"
                    f" AND state = {STANDING}",
                    (leaf, id, receipt),
                )
                if done.rowcount == 0:
                    return False
                db.execute("UPDATE counts SET erasures = erasures + 1 WHERE poll = ?", (id,))
                if _number(db, id) is None:
                    db.execute("DELETE FROM published WHERE poll = ?", (id,))
                _log(db, id, event)
                db.execute(EMPTY)
            self._file.tidy()
            return True

    # --- results ------------------------------------------------------------------------------

    def publish(self, id: str, step: int, text: str) -> str:
        """Keep what is published at this step of a poll, unless another process has."""
        with self._file.writing() as db:
            if _number(db, id, closed=True) is None:
                raise StoreError(
                    "the poll of this result is not there any more", code="store.poll", poll=id
                )
            db.execute(
                "INSERT INTO published VALUES (?, ?, ?) ON CONFLICT (poll) DO UPDATE"
                " SET step = excluded.step, text = excluded.text WHERE excluded.step > step",
                (id, step, text),
            )
            found = db.execute("SELECT text FROM published WHERE poll = ?", (id,)).fetchone()
            return str(found[0])

    def published(self, id: str) -> tuple[int, str] | None:
        """The last step that was published, and what."""
        with self._file.reading() as db:
            found = db.execute("SELECT step, text FROM published WHERE poll = ?", (id,)).fetchone()
        return None if found is None else (found[0], found[1])

    # --- the store itself ---------------------------------------------------------------------

    def check(self) -> None:
        """Raise a StoreError unless the database answers, can be written and has this schema."""
        with self._file.writing() as db:
            self._file.check_ours()
            db.execute("REPLACE INTO chores VALUES ('check')")
        self._file.tidy()

    def fill(self, rows: Iterable[Row]) -> None:
        """Write what a snapshot has read into this store, which must be empty."""
        with self._file.writing() as db:
            fill(db, rows)

    def tidy(self) -> None:
        """Do what was put off of removing traces of what is gone."""
        self._file.tidy()

    def shut(self) -> None:
        """Finish and let go of the database."""
        self._file.shut()

    def _blocks(self, id: str, asked: str) -> Iterator[list[tuple[Any, ...]]]:
        with self._file.snapshot() as db:
            found = db.execute(asked, (_number(db, id, closed=True),))
            while rows := found.fetchmany(BLOCK):
                yield rows


def _number(db: sqlite3.Connection, id: str, closed: bool = False) -> int | None:
    """The number of a poll in the tables of votes: of an open one, or of any."""
    found = db.execute("SELECT number, closed FROM polls WHERE id = ?", (id,)).fetchone()
    return None if found is None or (found[1] and not closed) else int(found[0])


def _next_number(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(number), 0) + 1 FROM polls").fetchone()[0])


def _clear(db: sqlite3.Connection, number: int) -> None:
    """Delete the votes of a number."""
    for table in VOTES:
        db.execute(f"DELETE FROM {table} WHERE poll = ?", (number,))


def _log(db: sqlite3.Connection, id: str, event: Event) -> None:
    """Add a line to the public log of a poll."""
    db.execute(
        "INSERT INTO events SELECT ?, coalesce(max(place), 0) + 1, ? FROM events WHERE poll = ?",
        (id, json.dumps(event), id),
    )


def _kept(row: tuple[Any, ...]) -> KeptPoll:
    id, manifest, digest, key, organiser, closes, closed, ended = row
    return KeptPoll(id, manifest, digest, key, organiser, closes, bool(closed), ended)

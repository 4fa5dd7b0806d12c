"""Polls and reports in PostgreSQL, for a server of several processes.

Whoever changes a poll as a whole has it alone; those who commit votes share it, decide by what they
read, and write only what is still true then (`postgres_votes`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import psycopg
from psycopg import errors

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
from hushvote.server.store.deciding import ENTRY, ERASED, STANDING, decide, entry_of, named
from hushvote.server.store.errors import StoreError
from hushvote.server.store.postgres_chores import overwrite_log, put_off, tidy
from hushvote.server.store.postgres_copy import fill
from hushvote.server.store.postgres_pool import (
    SLOTS,
    Connection,
    Pool,
    check_ours,
    lock,
)
from hushvote.server.store.postgres_reading import blocks, number_of, row_of
from hushvote.server.store.postgres_schema import (
    ENDING,
    SMALL,
    dropping,
    making,
    rewriting,
)
from hushvote.server.store.postgres_votes import keep, known

TOGETHER = 3  # attempts to commit beside others; after these the polls are had alone
MOST = 10  # attempts in all
POLL = "SELECT id, manifest, digest, key, organiser, closes, closed, ended FROM polls"
AGAIN = (errors.DeadlockDetected, errors.SerializationFailure)


class PostgresStore:
    """A store in a PostgreSQL database, which several servers may share."""

    def __init__(self, dsn: str) -> None:
        self._pool = Pool(dsn)
        self.tidy()

    # --- polls --------------------------------------------------------------------------------

    def create(self, poll: KeptPoll, event: Event) -> bool:
        """Keep a new poll; False if the id is known, also as that of a deleted one."""
        with self._pool.writing(poll.id) as db:
            there = "SELECT FROM polls WHERE id = %s UNION ALL SELECT FROM deleted WHERE id = %s"
            if db.execute(there, (poll.id, poll.id)).fetchone() is not None:
                return False
            number = _next_number(db)
            db.execute(
                "INSERT INTO polls VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
                (
                    *(poll.id, number, poll.closed, poll.closes),
                    *(poll.digest, poll.key, poll.organiser, poll.manifest, poll.ended),
                ),
            )
            db.execute(making(number))
            _log(db, poll.id, event)
            return True

    def poll(self, id: str) -> KeptPoll | None:
        """A poll that is there."""
        with self._pool.connection() as db:
            row = db.execute(f"{POLL} WHERE id = %s", (id,)).fetchone()
        return None if row is None else KeptPoll(*row)

    def polls(self) -> Sequence[KeptPoll]:
        """All polls that are there, in the order of their ids."""
        with self._pool.connection() as db:
            return [KeptPoll(*row) for row in db.execute(f"{POLL} ORDER BY id")]

    def deleted(self, id: str) -> tuple[bytes, str] | None:
        """Digest and day of deletion of a poll that was there."""
        with self._pool.connection() as db:
            found = db.execute("SELECT digest, day FROM deleted WHERE id = %s", (id,)).fetchone()
        return None if found is None else (found[0], found[1])

    def extend(self, id: str, closes: int, event: Event) -> bool:
        """Move the closing time of an open poll; False if it is closed or there is none."""
        with self._pool.writing(id) as db:
            if number_of(db, id) is None:
                return False
            db.execute("UPDATE polls SET closes = %s WHERE id = %s", (closes, id))
            _log(db, id, event)
            return True

    def close(self, id: str, event: Event) -> bool:
        """Close an open poll for good; False if it was closed or there is none."""
        with self._pool.writing(id) as db:
            old = number_of(db, id)
            if old is None:
                return False
            new = _next_number(db)
            db.execute(rewriting(old, new))
            db.execute("UPDATE polls SET closed = true, number = %s WHERE id = %s", (new, id))
            _log(db, id, event)
            db.execute(f"{ENDING} AND id = %s", (id,))
        overwrite_log(self._pool)
        return True

    def delete(self, id: str, day: str) -> bool:
        """Delete a poll with everything that belongs to it; id, digest and day remain."""
        with self._pool.writing(id) as db:
            asked = "SELECT number, digest FROM polls WHERE id = %s"
            found = db.execute(asked, (id,)).fetchone()
            if found is None:
                return False
            db.execute(dropping(found[0]))
            db.execute("DELETE FROM polls WHERE id = %s", (id,))
            db.execute("INSERT INTO deleted VALUES (%s, %s, %s)", (id, found[1], day))
            put_off(db, SMALL)
        self.tidy()
        return True

    def events(self, id: str) -> Sequence[Event]:
        """The public log of a poll, in order."""
        with self._pool.connection() as db:
            found = db.execute("SELECT event FROM events WHERE poll = %s ORDER BY place", (id,))
            return [json.loads(text) for (text,) in found]

    # --- codes --------------------------------------------------------------------------------

    def issue(self, id: str, hashes: Sequence[bytes], event: Event) -> bool:
        """Issue codes to an open poll; known ones stay as they are. False if it is closed."""
        with self._pool.writing(id) as db:
            number = number_of(db, id)
            if number is None:
                return False
            db.execute(
                f"INSERT INTO codes_{number} SELECT code, false FROM unnest(%b::bytea[]) AS code"
                " ON CONFLICT DO NOTHING",
                (sorted(set(hashes)),),
            )
            _log(db, id, event)
            return True

    def revoke(self, id: str, hashes: Sequence[bytes], event: Event) -> Sequence[bytes]:
        """Revoke unused codes of an open poll, and return those that were revoked by this."""
        with self._pool.writing(id) as db:
            number = number_of(db, id)
            if number is None:
                return []
            found = db.execute(
                f"UPDATE codes_{number} SET revoked = true WHERE code = ANY(%b::bytea[])"
                f" AND NOT revoked AND code NOT IN (SELECT code FROM used_{number}) RETURNING code",
                (sorted(set(hashes)),),
            )
            done = sorted(code for (code,) in found)
            if done:
                _log(db, id, event)
            return done

    def codes(self, id: str) -> Codes:
        """All codes of a poll."""
        issued = blocks(self._pool, id, "SELECT code, revoked FROM {codes} ORDER BY 1")
        asked = blocks(self._pool, id, "SELECT question FROM {used} ORDER BY 1")
        codes = [row for rows in issued for row in rows]
        used = [row[0] for rows in asked for row in rows]
        return Codes(
            tuple(code for code, _ in codes),
            tuple(code for code, revoked in codes if revoked),
            tuple(used),
        )

    def code_numbers(self, id: str) -> tuple[int, int]:
        """How many codes were issued, and how many of them revoked."""
        asked = "SELECT count(*), count(*) FILTER (WHERE revoked) FROM {codes}"
        for rows in blocks(self._pool, id, asked):
            return rows[0][0], rows[0][1]
        return 0, 0

    # --- votes --------------------------------------------------------------------------------

    def commit(self, writes: Sequence[Write]) -> Sequence[Outcome]:
        """Do all that can be done of these, in one durable transaction; an outcome for each."""
        for attempt in range(MOST):
            try:
                outcomes = self._attempt(writes, shared=attempt < TOGETHER)
            except StoreError as error:
                if not isinstance(error.__cause__, AGAIN):
                    raise
                continue
            if outcomes is not None:
                return outcomes
        raise StoreError(
            f"others were faster {MOST} times; send these votes again",
            code="store.busy",
            attempts=MOST,
        )

    def _attempt(self, writes: Sequence[Write], shared: bool) -> Sequence[Outcome] | None:
        names = named(writes)
        with (
            self._pool.connection() as db,
            db.pipeline() as pipeline,  # what needs no answer yet waits for none
            db.transaction() as transaction,
        ):
            lock(db, names, shared)
            asked = "SELECT id, number FROM polls WHERE id = ANY(%s) AND NOT closed ORDER BY id"
            numbers: dict[str, int] = dict(db.execute(asked, (list(names),)).fetchall())
            polls = {id: known(db, number, names[id]) for id, number in numbers.items()}
            outcomes = decide(writes, polls)
            kept = [one for id in numbers for one in keep(db, id, numbers[id], polls[id])]
            pipeline.sync()
            if any(done.rowcount != number for done, number in kept):
                raise psycopg.Rollback(transaction)
            return outcomes
        return None

    def question_of(self, id: str, receipt: bytes) -> bytes | None:
        """The question that is kept beside the entry of a known receipt, if one is."""
        found = row_of(self._pool, id, receipt, "SELECT question")
        return None if found is None else found[0]

    def numbers(self, id: str, before: int | None = None) -> Numbers:
        """How many votes there are, or were when an hour began: quick, whatever their number."""
        sums = ", ".join(
            f"coalesce(sum({name}), 0)::bigint"
            for name in ("casts", "changes", "withdrawals", "erasures")
        )
        with self._pool.connection() as db:
            found = db.execute(f"SELECT {sums} FROM counts WHERE poll = %s", (id,)).fetchone()
            numbers = Numbers(*(found or (0, 0, 0, 0)))
            if before is None:
                return numbers
            sums = ", ".join(
                f"coalesce(sum({name}), 0)::bigint"
                for name in ("requests", "changes", "withdrawals")
            )
            asked = f"SELECT {sums} FROM hours WHERE poll = %s AND hour < %s"
            requests, changes, withdrawals = db.execute(asked, (id, before)).fetchone() or (0, 0, 0)
            return Numbers.of_requests(requests, changes, withdrawals, numbers.erasures)

    def hours(self, id: str) -> Mapping[int, int]:
        """Votes cast by the hour (whole hours since 1970), without the hours that have none."""
        casts = "sum(requests - changes - withdrawals)::bigint"
        asked = (
            f"SELECT hour, {casts} FROM hours WHERE poll = %s"
            f" GROUP BY hour HAVING {casts} > 0 ORDER BY hour"
        )
        with self._pool.connection() as db:
            return dict(db.execute(asked, (id,)).fetchall())

    def entries(self, id: str) -> Iterator[Sequence[KeptEntry | ErasedEntry]]:
        """Standing and erased entries in blocks, sorted by receipt, as of one moment."""
        asked = (
            "SELECT receipt, change, report, salt, question, leaf FROM {entries}"
            f" WHERE state IN ({STANDING}, {ERASED}) ORDER BY 1"
        )
        for rows in blocks(self._pool, id, asked):
            yield [
                KeptEntry(receipt, change, report, salt, question)
                if leaf is None
                else ErasedEntry(receipt, leaf)
                for receipt, change, report, salt, question, leaf in rows
            ]

    def reports(self, id: str) -> Iterator[bytes]:
        """All reports that stand, many joined in a block, in no order, as of one moment."""
        asked = (
            "SELECT string_agg(report, '') FROM {entries}"
            f" WHERE state = {STANDING} GROUP BY get_byte(receipt, 0)"
        )
        for rows in blocks(self._pool, id, asked):
            yield from (joined for (joined,) in rows)

    def spent(self, id: str) -> Iterator[Sequence[tuple[bytes, bytes, bytes | None]]]:
        """Spent and withdrawn receipts, with secrets and what took their place."""
        asked = (
            "SELECT old.receipt, old.secret, new.receipt FROM {entries} AS old"
            " LEFT JOIN {entries} AS new ON new.replaces = old.receipt"
            " WHERE old.secret IS NOT NULL ORDER BY 1"
        )
        for rows in blocks(self._pool, id, asked):
            yield [(receipt, secret, taken) for receipt, secret, taken in rows]

    def entry(self, id: str, receipt: bytes) -> KeptEntry | ErasedEntry | GoneEntry | None:
        """What has become of a receipt."""
        found = row_of(self._pool, id, receipt, ENTRY)
        return None if found is None else entry_of(*found)

    def erase(self, id: str, receipt: bytes, leaf: bytes, event: Event) -> bool:
        """Erase a standing report, leaving its leaf; False if it does not stand.

        What a closed poll has published goes with it: it is to be counted anew.
        """
        with self._pool.writing(id) as db:
            number = number_of(db, id, closed=True)
            if number is None:
                return False
            done = db.execute(
                f"UPDATE entries_{number} SET state = {ERASED}, salt = NULL, report = NULL,"
                " question = NULL, leaf = %s"
                f" WHERE receipt = %s AND state = {STANDING}",
                (leaf, receipt),
            )
            if done.rowcount == 0:
                return False
            db.execute(
                "INSERT INTO counts VALUES (%s, %s, 0, 0, 0, 1) ON CONFLICT (poll, slot)"
                " DO UPDATE SET erasures = counts.erasures + 1",
                (id, db.info.backend_pid % SLOTS),
            )
            if number_of(db, id) is None:
                db.execute("DELETE FROM published WHERE poll = %s", (id,))
            _log(db, id, event)
            put_off(db, [f"entries_{number}", "published"])
        self.tidy()
        return True

    # --- results ------------------------------------------------------------------------------

    def publish(self, id: str, step: int, text: str) -> str:
        """Keep what is published at this step of a poll, unless another process has."""
        with self._pool.writing(id) as db:
            if number_of(db, id, closed=True) is None:
                raise StoreError(
                    "the poll of this result is not there any more", code="store.poll", poll=id
                )
            db.execute(
                "INSERT INTO published VALUES (%s, %s, %s) ON CONFLICT (poll) DO UPDATE"
                " SET step = excluded.step, text = excluded.text"
                " WHERE excluded.step > published.step",
                (id, step, text),
            )
            found = db.execute("SELECT text FROM published WHERE poll = %s", (id,)).fetchone()
            return str(found[0]) if found else text

    def published(self, id: str) -> tuple[int, str] | None:
        """The last step that was published, and what."""
        with self._pool.connection() as db:
            found = db.execute("SELECT step, text FROM published WHERE poll = %s", (id,)).fetchone()
        return None if found is None else (found[0], found[1])

    # --- the store itself ---------------------------------------------------------------------

    def check(self) -> None:
        """Raise a StoreError unless the database answers, can be written and has this schema."""
        with self._pool.connection() as db:
            check_ours(db)
            db.execute("UPDATE about SET checks = checks + 1")

    def fill(self, rows: Iterable[Row]) -> None:
        """Write what a snapshot has read into this store, which must be empty."""
        with self._pool.connection() as db, db.transaction():
            fill(db, rows)

    def tidy(self) -> None:
        """Write tables anew from which something was deleted, so that their files keep nothing of
        it; later, if somebody else is at it, makes a backup, or does not let go of a table.
        """
        tidy(self._pool)

    def shut(self) -> None:
        """Finish and let go of the database."""
        self._pool.shut()


def _next_number(db: Connection) -> int:
    found = db.execute("SELECT nextval('numbers')").fetchone()
    return int(found[0]) if found else 0


def _log(db: Connection, id: str, event: Event) -> None:
    """Add a line to the public log of a poll."""
    db.execute(
        "INSERT INTO events SELECT %s, coalesce(max(place), 0) + 1, %s FROM events WHERE poll = %s",
        (id, json.dumps(event), id),
    )

"""The votes of a batch in PostgreSQL: what is known of them, and what is new.

Others may write the same receipts and questions at the same moment. So what was decided is written
only if it is still true: a row that somebody else has claimed or spent meanwhile is not written,
which shows in the number of rows, and the batch is decided anew. Everybody claims in one order
(polls, then questions, then new receipts, then spent ones, each sorted), so that nobody waits in a
circle.
"""

from collections.abc import Iterator
from typing import Any

import psycopg

from hushvote.server.store.deciding import STANDING, Named, Row, Votes
from hushvote.server.store.postgres_pool import SLOTS, Connection

Asked = tuple[psycopg.Cursor[tuple[Any, ...]], int]
"""A statement, and how many rows it writes if everything is as it was read."""

COUNTS = (
    "INSERT INTO counts VALUES (%s, %s, %s, %s, %s, 0) ON CONFLICT (poll, slot) DO UPDATE SET"
    " casts = counts.casts + excluded.casts, changes = counts.changes + excluded.changes,"
    " withdrawals = counts.withdrawals + excluded.withdrawals"
)
HOURS = (
    "INSERT INTO hours (poll, hour, slot, requests, changes, withdrawals)"
    " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (poll, hour, slot) DO UPDATE SET"
    " requests = hours.requests + excluded.requests, changes = hours.changes + excluded.changes,"
    " withdrawals = hours.withdrawals + excluded.withdrawals"
)


def known(db: Connection, number: int, names: Named) -> Votes:
    """What is kept of what a batch names.

    Questions come first: whoever reads a question that somebody has just used then reads that
    one's receipt too, and knows an equal request.
    """
    used, codes, entries = (db.cursor(binary=True) for _ in range(3))
    if names.questions:
        asked = f"SELECT question FROM used_{number} WHERE question = ANY(%b::bytea[])"
        used.execute(asked, (list(names.questions),))
    if names.codes:
        asked = f"SELECT code, revoked FROM codes_{number} WHERE code = ANY(%b::bytea[])"
        codes.execute(asked, (list(names.codes),))
    asked = (
        "SELECT receipt, state, change, salt, report, question, replaces, mark, secret"
        f" FROM entries_{number} WHERE receipt = ANY(%b::bytea[])"
    )
    entries.execute(asked, (list(names.receipts),))
    return Votes(
        {row[0]: Row(*row[1:]) for row in entries.fetchall()},
        {row[0] for row in used.fetchall()} if names.questions else set(),
        dict(codes.fetchall()) if names.codes else {},
    )


def keep(db: Connection, id: str, number: int, votes: Votes) -> Iterator[Asked]:
    """Write down what is new; if a statement writes fewer rows than told, somebody was faster."""
    if not votes.hours:
        return
    if votes.questions:
        yield _claim(db, number, votes)
    if votes.fresh:
        yield _insert(db, number, votes)
    if votes.touched:
        yield _spend(db, number, votes)
    slot = db.info.backend_pid % SLOTS
    db.execute(COUNTS, (id, slot, votes.casts, votes.changes, votes.withdrawals))
    for at, hour in sorted(votes.hours.items()):
        db.execute(HOURS, (id, at, slot, hour.requests, hour.changes, hour.withdrawals))


def _claim(db: Connection, number: int, votes: Votes) -> Asked:
    """Use questions."""
    questions, codes = zip(*sorted(votes.questions), strict=True)
    statement = (
        f"INSERT INTO used_{number} SELECT * FROM unnest(%b::bytea[], %b::bytea[])"
        " ON CONFLICT DO NOTHING"
    )
    return db.execute(statement, (list(questions), list(codes))), len(questions)


def _insert(db: Connection, number: int, votes: Votes) -> Asked:
    """Write new entries; those of plain casts need few columns."""
    receipts = sorted(votes.fresh)
    rows = [votes.fresh[receipt] for receipt in receipts]
    salts, reports = [row.salt for row in rows], [row.report for row in rows]
    if len(rows) == votes.casts and all(
        row.state == STANDING and row.question is None for row in rows
    ):
        statement = (
            f"INSERT INTO entries_{number} (receipt, state, change, salt, report)"
            " SELECT receipt, 0, 0, salt, report"
            " FROM unnest(%b::bytea[], %b::bytea[], %b::bytea[]) AS new (receipt, salt, report)"
            " ON CONFLICT DO NOTHING"
        )
        return db.execute(statement, (receipts, salts, reports)), len(rows)
    statement = (
        f"INSERT INTO entries_{number}"
        " SELECT * FROM unnest(%b::bytea[], %b::int[], %b::int[], %b::bytea[], %b::bytea[],"
        " %b::bytea[], %b::bytea[], %b::bytea[], %b::bytea[]) ON CONFLICT DO NOTHING"
    )
    columns = (
        *(receipts, [int(row.state) for row in rows], [row.change for row in rows], salts, reports),
        *([row.question for row in rows], [row.replaces for row in rows]),
        *([row.mark for row in rows], [row.secret for row in rows]),
    )
    return db.execute(statement, columns), len(rows)


def _spend(db: Connection, number: int, votes: Votes) -> Asked:
    """Let entries stand no more that stood before this batch."""
    receipts = sorted(votes.touched)
    rows = [votes.touched[receipt] for receipt in receipts]
    db.execute(
        f"SELECT FROM entries_{number} WHERE receipt = ANY(%b::bytea[])"
        " ORDER BY receipt FOR UPDATE",
        (receipts,),
    )
    statement = (
        f"UPDATE entries_{number} AS old SET state = new.state, report = NULL, mark = new.mark,"
        " secret = new.secret FROM unnest(%b::bytea[], %b::int[], %b::bytea[], %b::bytea[])"
        " AS new (receipt, state, mark, secret)"
        f" WHERE old.receipt = new.receipt AND old.state = {STANDING}"
    )
    columns = (
        *(receipts, [int(row.state) for row in rows]),
        *([row.mark for row in rows], [row.secret for row in rows]),
    )
    return db.execute(statement, columns), len(rows)

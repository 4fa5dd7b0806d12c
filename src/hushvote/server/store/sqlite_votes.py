"""The votes of a batch in SQLite: what is known of them, and what is new."""

import sqlite3
from collections.abc import Collection
from typing import Any

from hushvote.server.store.deciding import Named, Row, Votes

FEW = 16  # names in one look-up are rounded up to a multiple, so that statements stay prepared
MOST = 512  # names in one look-up

KNOWN = (
    "SELECT receipt, state, change, salt, report, question, replaces, mark, secret"
    " FROM entries WHERE poll = ? AND receipt IN"
)
USED = "SELECT question FROM used WHERE poll = ? AND question IN"
CODES = "SELECT code, revoked FROM codes WHERE poll = ? AND code IN"
FRESH = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)"
TOUCHED = (
    "UPDATE entries SET state = ?, report = NULL, mark = ?, secret = ?"
    " WHERE poll = ? AND receipt = ?"
)
COUNTS = (
    "UPDATE counts SET casts = casts + ?, changes = changes + ?, withdrawals = withdrawals + ?"
    " WHERE poll = ?"
)
HOURS = (
    "INSERT INTO hours (poll, hour, requests) VALUES (?, ?, ?)"
    " ON CONFLICT (poll, hour) DO UPDATE SET requests = requests + excluded.requests"
)


def known(db: sqlite3.Connection, number: int, names: Named) -> Votes:
    """What is kept of what a batch names."""
    return Votes(
        {row[0]: Row(*row[1:]) for row in _found(db, KNOWN, number, names.receipts)},
        {question for (question,) in _found(db, USED, number, names.questions)},
        {code: bool(revoked) for code, revoked in _found(db, CODES, number, names.codes)},
    )


def keep(db: sqlite3.Connection, id: str, number: int, votes: Votes) -> None:
    """Write down what is new."""
    if not votes.hours:
        return
    used = ((number, question, code) for question, code in votes.questions)
    db.executemany("INSERT INTO used VALUES (?, ?, ?)", used)
    fresh = (
        (
            *(number, receipt, row.state, row.change, row.salt, row.report),
            *(row.question, row.replaces, row.mark, row.secret),
        )
        for receipt, row in votes.fresh.items()
    )
    db.executemany(FRESH, fresh)
    touched = (
        (row.state, row.mark, row.secret, number, receipt) for receipt, row in votes.touched.items()
    )
    db.executemany(TOUCHED, touched)
    db.execute(COUNTS, (votes.casts, votes.changes, votes.withdrawals, id))
    db.executemany(HOURS, ((id, hour, requests) for hour, requests in votes.hours.items()))


def _found(
    db: sqlite3.Connection, asked: str, number: int, names: Collection[bytes]
) -> list[tuple[Any, ...]]:
    """The rows of these names."""
    rows: list[tuple[Any, ...]] = []
    waiting = list(names)
    for start in range(0, len(waiting), MOST):
        part = waiting[start : start + MOST]
        part += part[-1:] * (-len(part) % FEW)
        places = ", ".join("?" * len(part))
        rows += db.execute(f"{asked} ({places})", (number, *part)).fetchall()
    return rows

"""The votes of a batch in PostgreSQL: what is known of them, and what is new.

Others may write the same receipts and questions at the same moment. So what was decided is written
only if it is still true: a row that somebody else has claimed or spent meanwhile is not written,
`keep` says so, and the batch is decided anew. Everybody claims in one order (polls, then questions,
then new receipts, then spent ones, each sorted), so that nobody waits in a circle.
"""

from hushvote.server.store.deciding import STANDING, Named, Row, Votes
from hushvote.server.store.postgres_pool import SLOTS, Connection

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
    votes = Votes()
    read = db.cursor(binary=True)
    if names.questions:
        asked = f"SELECT question FROM used_{number} WHERE question = ANY(%b::bytea[])"
        votes.used = {row[0] for row in read.execute(asked, (list(names.questions),))}
    if names.codes:
        asked = f"SELECT code, revoked FROM codes_{number} WHERE code = ANY(%b::bytea[])"
        votes.codes = dict(read.execute(asked, (list(names.codes),)).fetchall())
    asked = (
        "SELECT receipt, state, change, salt, report, question, replaces, mark, secret"
        f" FROM entries_{number} WHERE receipt = ANY(%b::bytea[])"
    )
    votes.known = {
        row[0]: Row(*row[1:]) for row in read.execute(asked, (list(names.receipts),)).fetchall()
    }
    return votes


def keep(db: Connection, id: str, number: int, votes: Votes) -> bool:
    """Write down what is new; False if somebody else was faster with a part of it."""
    if not votes.hours:
        return True
    kept = _claim(db, number, votes) and _insert(db, number, votes) and _spend(db, number, votes)
    if kept:
        slot = db.info.backend_pid % SLOTS
        db.execute(COUNTS, (id, slot, votes.casts, votes.changes, votes.withdrawals))
        for at, hour in sorted(votes.hours.items()):
            db.execute(HOURS, (id, at, slot, hour.requests, hour.changes, hour.withdrawals))
    return kept


def _claim(db: Connection, number: int, votes: Votes) -> bool:
    """Use questions."""
    if not votes.questions:
        return True
    questions, codes = zip(*sorted(votes.questions), strict=True)
    statement = (
        f"INSERT INTO used_{number} SELECT * FROM unnest(%b::bytea[], %b::bytea[])"
        " ON CONFLICT DO NOTHING"
    )
    return db.execute(statement, (list(questions), list(codes))).rowcount == len(questions)


def _insert(db: Connection, number: int, votes: Votes) -> bool:
    """Write new entries; those of plain casts need few columns."""
    if not votes.fresh:
        return True
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
        return db.execute(statement, (receipts, salts, reports)).rowcount == len(rows)
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
    return db.execute(statement, columns).rowcount == len(rows)


def _spend(db: Connection, number: int, votes: Votes) -> bool:
    """Let entries stand no more that stood before this batch."""
    if not votes.touched:
        return True
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
    return db.execute(statement, columns).rowcount == len(rows)

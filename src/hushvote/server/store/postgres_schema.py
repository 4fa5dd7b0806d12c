"""The tables of a PostgreSQL store, in a schema of their own.

PostgreSQL keeps rows in the order in which they came, names in each the transaction that wrote it,
and does not overwrite what is deleted. So the votes of each poll stand in tables of their own: at
close they are copied in the order of their keys into new ones, of one transaction, and the old ones
are dropped with their files. No statistics are made of them, which would repeat some of their
values elsewhere. PostgreSQL's own log still has the order of casts, until its segments
are used again; archived logs and backups keep it.

`STEPS` lead from nothing to the schema of today, also from each that was in use before: step n
makes version n of version n - 1. A step that was released is never altered.
"""

# Counts stand in several slots, so that connections that write at the same time seldom wait for
# each other.
FIRST = """
CREATE SCHEMA IF NOT EXISTS hushvote;
SET LOCAL search_path = hushvote;
CREATE TABLE about (version int NOT NULL, checks bigint NOT NULL DEFAULT 0);
CREATE SEQUENCE numbers;
CREATE TABLE polls (
  id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL UNIQUE,
  closed boolean NOT NULL,
  closes bigint NOT NULL,
  digest bytea NOT NULL,
  key bytea NOT NULL,
  organiser bytea NOT NULL,
  manifest text NOT NULL
) WITH (autovacuum_analyze_threshold = 2147483647);
CREATE TABLE deleted (id text COLLATE "C" PRIMARY KEY, digest bytea NOT NULL, day text NOT NULL);
CREATE TABLE events (
  poll text COLLATE "C" NOT NULL REFERENCES polls ON DELETE CASCADE,
  place int NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (poll, place)
);
CREATE TABLE counts (
  poll text COLLATE "C" NOT NULL REFERENCES polls ON DELETE CASCADE,
  slot int NOT NULL,
  casts bigint NOT NULL,
  changes bigint NOT NULL,
  withdrawals bigint NOT NULL,
  erasures bigint NOT NULL,
  PRIMARY KEY (poll, slot)
) WITH (fillfactor = 50);
CREATE TABLE hours (
  poll text COLLATE "C" NOT NULL REFERENCES polls ON DELETE CASCADE,
  hour bigint NOT NULL,
  slot int NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (poll, hour, slot)
) WITH (fillfactor = 50);
CREATE TABLE published (
  poll text COLLATE "C" PRIMARY KEY REFERENCES polls ON DELETE CASCADE,
  step bigint NOT NULL,
  text text NOT NULL
);
"""
# Retention counts from the end of a poll: by the latest time that the database knows of it, so that
# a clock that was behind at close makes it no earlier.
ENDING = """UPDATE polls SET ended = greatest(
    coalesce((SELECT max((event::json->>'at')::bigint) FROM events
              WHERE poll = id AND event::json->>'event' <> 'erased'), closes),
    (SELECT max(hour) * 3600 FROM hours WHERE poll = id)) WHERE closed"""
SECOND = f"""
ALTER TABLE polls ADD COLUMN ended bigint;
{ENDING};
-- tables that are to be written anew, and how often that was asked for
CREATE TABLE chores (name text COLLATE "C" PRIMARY KEY, asked bigint NOT NULL);
"""
STEPS = (FIRST, SECOND)
VERSION = len(STEPS)
SMALL = ("polls", "events", "counts", "hours", "published")  # that a deleted poll had rows in

UNSEEN = "WITH (autovacuum_analyze_threshold = 2147483647)"
VOTES = {
    "codes": "code bytea NOT NULL, revoked boolean NOT NULL",
    "used": "question bytea NOT NULL, code bytea NOT NULL",
    "entries": "receipt bytea NOT NULL, state int NOT NULL, change int NOT NULL, salt bytea,"
    " report bytea, question bytea, replaces bytea, mark bytea, secret bytea, leaf bytea",
}
KEYS = {"codes": "code", "used": "question", "entries": "receipt"}
REWRITING = {
    "codes": "code, revoked",
    "used": "question, code",
    "entries": "receipt, state, change, CASE WHEN state = 0 THEN salt END, report,"
    " CASE WHEN state = 0 THEN question END, replaces, NULL, secret, leaf",
}


def making(number: int) -> str:
    """The tables of the votes of a new poll."""
    return ";\n".join(
        f"CREATE TABLE {name}_{number} ({columns}, PRIMARY KEY ({KEYS[name]})) {UNSEEN}"
        for name, columns in VOTES.items()
    )


def rewriting(old: int, new: int) -> str:
    """The same votes under another number, in the order of their keys; the old tables go."""
    return ";\n".join(
        f"CREATE TABLE {name}_{new} ({columns}) {UNSEEN};\n"
        f"INSERT INTO {name}_{new}"
        f" SELECT {REWRITING[name]} FROM {name}_{old} ORDER BY {KEYS[name]};\n"
        f"ALTER TABLE {name}_{new} ADD PRIMARY KEY ({KEYS[name]});\n"
        f"DROP TABLE {name}_{old}"
        for name, columns in VOTES.items()
    )


def dropping(number: int) -> str:
    """The end of the votes of a poll."""
    return f"DROP TABLE {', '.join(f'{name}_{number}' for name in VOTES)}"

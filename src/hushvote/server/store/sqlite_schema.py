"""The tables of a SQLite store.

Those of votes are clustered by the number of the poll and the hash, and name no moment. At close
the rows of a poll get another number, so that they are written anew, in the order of their keys.

`STEPS` lead from an empty file to the schema of today, also from each that was in use before: step
n makes version n of version n - 1. A step that was released is never altered.
"""

FIRST = """
CREATE TABLE polls (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,  -- in the tables of votes; another one after close
  closed INTEGER NOT NULL,
  closes INTEGER NOT NULL,
  digest BLOB NOT NULL,
  key BLOB NOT NULL,
  organiser BLOB NOT NULL,
  manifest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE deleted (id TEXT PRIMARY KEY, digest BLOB NOT NULL, day TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (
  poll TEXT NOT NULL REFERENCES polls ON DELETE CASCADE,
  place INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (poll, place)
) WITHOUT ROWID;
CREATE TABLE counts (
  poll TEXT PRIMARY KEY REFERENCES polls ON DELETE CASCADE,
  casts INTEGER NOT NULL DEFAULT 0,
  changes INTEGER NOT NULL DEFAULT 0,
  withdrawals INTEGER NOT NULL DEFAULT 0,
  erasures INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE hours (
  poll TEXT NOT NULL REFERENCES polls ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (poll, hour)
) WITHOUT ROWID;
CREATE TABLE published (
  poll TEXT PRIMARY KEY REFERENCES polls ON DELETE CASCADE,
  step INTEGER NOT NULL,
  text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE codes (
  poll INTEGER NOT NULL,
  code BLOB NOT NULL,
  revoked INTEGER NOT NULL,
  PRIMARY KEY (poll, code)
) WITHOUT ROWID;
CREATE TABLE used (
  poll INTEGER NOT NULL,
  question BLOB NOT NULL,
  code BLOB NOT NULL,
  PRIMARY KEY (poll, question)
) WITHOUT ROWID;
CREATE TABLE entries (
  poll INTEGER NOT NULL,
  receipt BLOB NOT NULL,
  state INTEGER NOT NULL,
  change INTEGER NOT NULL,
  salt BLOB,
  report BLOB,
  question BLOB,
  replaces BLOB,
  mark BLOB,
  secret BLOB,
  leaf BLOB,
  PRIMARY KEY (poll, receipt)
) WITHOUT ROWID;
CREATE TABLE chores (name TEXT PRIMARY KEY) WITHOUT ROWID;
"""

# Retention counts from the end of a poll: by the latest time that the database knows of it, so that
# a clock that was behind at close makes it no earlier.
ENDING = """UPDATE polls SET ended = max(
    coalesce((SELECT max(json_extract(event, '$.at')) FROM events
              WHERE poll = id AND json_extract(event, '$.event') <> 'erased'), closes),
    coalesce((SELECT max(hour) * 3600 FROM hours WHERE poll = id), 0)) WHERE closed"""
SECOND = f"""
ALTER TABLE polls ADD COLUMN ended INTEGER;
{ENDING};
"""
STEPS = (FIRST, SECOND)
VERSION = len(STEPS)
TABLES = {"polls", "deleted", "events", "entries", "chores"}  # by which a store is known

# At close: the same rows under another number, written in the order of their keys.
REWRITING = (
    "INSERT INTO codes SELECT :new, code, revoked FROM codes WHERE poll = :old ORDER BY code",
    "INSERT INTO used SELECT :new, question, code FROM used WHERE poll = :old ORDER BY question",
    """INSERT INTO entries SELECT :new, receipt, state, change,
         iif(state = 0, salt, NULL), report, iif(state = 0, question, NULL),
         replaces, NULL, secret, leaf FROM entries WHERE poll = :old ORDER BY receipt""",
)
VOTES = ("codes", "used", "entries")  # by number

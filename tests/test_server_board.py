"""Boards and exports of stored polls: everybody can check them, and no lie stays unnoticed."""

import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import open_board
from hushvote.poll.entries import Entry, Erased
from hushvote.poll.hashing import tagged
from hushvote.poll.signing import is_signed
from hushvote.poll.verifying import verify_board
from hushvote.server import publishing
from hushvote.server.exporting import export
from hushvote.server.publishing import board, lines, longest_prefix
from tests.conftest import names_in
from tests.held_polls import Keeping, stirred, voted
from tests.polls import KEY, poll_of

POLLS = [(name, "codes") for name in hv.mechanism_names()]
POLLS += [(name, "link") for name in hv.mechanism_names() if name != "challenge"]


def refusal(job) -> str:
    with pytest.raises(hv.HushvoteError) as caught:
        job()
    return caught.value.code


@pytest.fixture
def closed(begin, tmp_path):
    """A closed poll with changes, withdrawals and an erasure, and its board."""

    def closed(poll: hv.Poll, n: int = 40) -> tuple[Keeping, Path]:
        keeping = begin(poll)
        voters = stirred(keeping, n)
        keeping.erase(voters[7])
        keeping.close()
        return keeping, board(keeping.store, keeping.kept, tmp_path / poll.digest)

    return closed


# --- whole boards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "access"), POLLS)
def test_hushvote_verify_accepts_the_board_with_every_acknowledgement(
    name, access, closed, run, tmp_path
):
    keeping, path = closed(poll_of(name, 3, access=access))
    acks = []
    for k, ack in enumerate(keeping.acks.values()):
        (tmp_path / f"{k}.json").write_text(ack.to_json(), encoding="utf-8")
        acks += ["--ack", f"{k}.json"]
    code, out, err = run("verify", path, "--digest", keeping.poll.digest, *acks, "--json")
    found = json.loads(out)
    assert (code, found["holds"]) == (0, True), err
    assert found["numbers"]["standing"] == 37
    said = [one["words"] for one in found["checked"] if one["name"] == "acknowledgement"]
    assert len(said) == len(keeping.acks) == 44
    assert sum("stands on the board" in one for one in said) == 37
    assert sum("was changed or withdrawn" in one for one in said) == 4
    assert sum("the withdrawn report is gone" in one for one in said) == 2
    assert sum("was erased" in one for one in said) == 1


def test_an_acknowledgement_of_what_was_never_kept_proves_an_omission(closed, run, tmp_path):
    keeping, path = closed(poll_of("duel", 3, access="link"))
    report = keeping.poll.mechanism.domain.to_wire(voted(keeping.poll, 1))
    ack = Acknowledgement.of_entry(keeping.poll, Entry.fresh("ab" * 32, report), KEY)
    (tmp_path / "ack.json").write_text(ack.to_json(), encoding="utf-8")
    code, out, _ = run("verify", path, "--ack", "ack.json")
    assert code == 1
    assert "proves an omission" in out


def verified(run, path: Path) -> bool:
    code, _, _ = run("verify", path)
    assert code in (0, 1, 2)
    return code == 0


@pytest.mark.parametrize("name", ["duel", "challenge"])
def test_one_flipped_byte_is_noticed(name, closed, run, tmp_path):
    _, path = closed(poll_of(name, 3, access="codes"))
    raw = path.read_bytes()
    other = tmp_path / "other.jsonl"
    head = raw.index(b"\n")
    places = [*range(0, head, head // 25), *range(head + 1, len(raw), (len(raw) - head) // 50)]
    for place in [*places, head, len(raw) - 1]:
        other.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
        assert not verified(run, other), place
    other.write_bytes(raw)
    assert verified(run, other)


def test_a_line_that_was_dropped_added_doubled_or_moved_is_noticed(closed, run, tmp_path):
    keeping, path = closed(poll_of("duel", 3, access="link"))
    head, *rest = path.read_bytes().splitlines(keepends=True)
    other = tmp_path / "other.jsonl"
    report = keeping.poll.mechanism.domain.to_wire(voted(keeping.poll, 1))
    added = [Entry.fresh(os.urandom(32).hex(), report).line() + b"\n"]
    added.append(Erased(os.urandom(32)).line() + b"\n")
    for k in range(0, len(rest), 5):
        for lie in (
            rest[:k] + rest[k + 1 :],
            [*rest[:k], added[0], *rest[k:]],
            [*rest[:k], added[1], *rest[k:]],
            [*rest[: k + 1], *rest[k:]],
            [*rest[:k], *rest[k + 1 :], rest[k]] if k < len(rest) - 1 else rest[::-1],
        ):
            other.write_bytes(b"".join([head, *lie]))
            assert not verified(run, other), k


def test_questions_stand_on_the_boards_of_challenges_alone(closed):
    for name in ("challenge", "duel"):
        keeping, path = closed(poll_of(name, 3, access="codes"))
        held = [json.loads(line) for line in path.read_bytes().splitlines()[1:]]
        asked = {one["question"] for one in held if "question" in one}
        used = set(open_board(path).header.used)
        assert len(used) == 40
        assert len(asked) == (37 if name == "challenge" else 0)
        assert asked <= used
        questions = keeping.questions
        for one in held:
            if "question" in one:
                assert questions[bytes.fromhex(one["receipt"])].hex() == one["question"]


def test_the_header_tells_the_log_and_all_that_happened(closed):
    keeping, path = closed(poll_of("duel", 3, access="codes"))
    header = open_board(path).header
    assert [one["event"] for one in header.log][-3:] == ["issued", "erased", "closed"]
    assert header.log[0] == {"at": 1_800_000_000, "event": "opened"}
    assert (header.casts, header.changes, header.withdrawals, header.erasures) == (40, 4, 2, 1)
    assert len(header.spent) == 6
    assert header.poll == keeping.poll


# --- when, and how often --------------------------------------------------------------------------


def test_an_open_poll_has_neither_board_nor_export(begin, tmp_path):
    keeping = begin(poll_of("duel", 3, access="link", live=20))
    keeping.pour(voted(keeping.poll, 50))
    store, kept = keeping.store, keeping.kept
    assert refusal(lambda: board(store, kept, tmp_path)) == "board.open"
    for kind in ("parquet", "csv", "board"):
        assert refusal(lambda kind=kind: export(store, kept, kind, tmp_path)) == "export.open"


def test_a_poll_below_its_turnout_has_neither_board_nor_export(begin, tmp_path):
    keeping = begin(poll_of("duel", 3, access="link", turnout=30))
    keeping.pour(voted(keeping.poll, 29))
    keeping.close()
    store, kept = keeping.store, keeping.kept
    assert refusal(lambda: board(store, kept, tmp_path)) == "result.turnout"
    for kind in ("parquet", "csv", "board"):
        assert refusal(lambda kind=kind: export(store, kept, kind, tmp_path)) == "result.turnout"


def test_a_board_is_written_once_whoever_asks(begin, tmp_path, monkeypatch):
    keeping = begin(poll_of("duel", 3, access="link"))
    keeping.pour(voted(keeping.poll, 200))
    keeping.close()
    written, write = [], publishing.write_board
    monkeypatch.setattr(
        publishing, "write_board", lambda *given: written.append(1) or write(*given)
    )
    found = []
    ask = lambda: found.append(board(keeping.store, keeping.kept, tmp_path / "b"))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert written == [1]
    assert len(found) == 6
    assert len(set(found)) == 1
    assert names_in(tmp_path / "b") == [found[0].name]
    raw = found[0].read_bytes()
    assert board(keeping.store, keeping.kept).read_bytes() == raw  # by another worker: the same
    publishing.forget(keeping.poll.id, tmp_path / "b")
    publishing.forget(keeping.poll.id)
    assert names_in(tmp_path / "b") == names_in(publishing.scratch()) == []


def test_boards_that_others_have_made_old_are_removed(begin):
    """By a deletion or an erasure that another worker has done."""
    keeping = begin(poll_of("duel", 3, access="link"))
    voters = [keeping.cast() for _ in range(30)]
    keeping.close()
    first = board(keeping.store, keeping.kept)
    publishing.tidy(keeping.store)
    assert first.exists()
    keeping.erase(voters[3])
    publishing.tidy(keeping.store)
    assert not first.exists()
    second = board(keeping.store, keeping.kept)
    keeping.store.delete(keeping.poll.id, "2026-11-16")
    assert second.exists()
    publishing.tidy(keeping.store)
    assert names_in(publishing.scratch()) == []


OWNER = """
import sys, tempfile
tempfile.tempdir = sys.argv[1]
from hushvote.server import publishing
(publishing.scratch() / "board.jsonl").write_text("a line")
print(publishing.scratch(), flush=True)
sys.stdin.read()
"""


def test_boards_of_killed_processes_are_removed_and_no_others(tmp_path, monkeypatch):
    """Even while the system still knows the number of the dead."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    started = [
        subprocess.Popen(
            [sys.executable, "-c", OWNER, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    try:
        killed, living, ended = [Path(one.stdout.readline().decode().strip()) for one in started]
        (tmp_path / "letters").mkdir()
        (tmp_path / f"{publishing.FOLDER}link").symlink_to(tmp_path / "letters")
        started[0].kill()
        os.waitid(os.P_PID, started[0].pid, os.WEXITED | os.WNOWAIT)  # dead, and not buried
        started[2].communicate(timeout=60)
        assert [one.exists() for one in (killed, living, ended)] == [True, True, False]
        publishing._clear_after_the_dead()
        assert not killed.exists()
        assert (living / "board.jsonl").exists()
        assert (tmp_path / "letters").exists()
    finally:
        for one in started:
            one.kill()
            one.communicate()


def test_an_erasure_replaces_the_board_and_leaves_the_leaf(begin, run, tmp_path):
    keeping = begin(poll_of("duel", 3, access="codes"))
    voters = stirred(keeping)
    keeping.close()
    folder = tmp_path / "boards"
    before = board(keeping.store, keeping.kept, folder)
    old = before.read_bytes().splitlines()
    keeping.erase(voters[3])
    after = board(keeping.store, keeping.kept, folder)
    assert names_in(folder) == [after.name]
    new = after.read_bytes().splitlines()
    changed = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
    (_, (was, left)) = changed  # the header, and the one line
    receipt = voters[3].receipt
    assert json.loads(was)["receipt"] == receipt.hex()
    assert json.loads(left) == {"leaf": keeping.acks[receipt].leaf}
    assert receipt.hex().encode() not in after.read_bytes()
    assert json.loads(old[0])["root"] == json.loads(new[0])["root"]
    assert json.loads(new[0])["tally"]["n"] == 37
    (tmp_path / "ack.json").write_text(keeping.acks[receipt].to_json(), encoding="utf-8")
    code, out, _ = run("verify", after, "--ack", "ack.json")
    assert code == 0
    assert "erased" in " ".join(out.split())


# --- parts of a board -----------------------------------------------------------------------------


def test_a_prefix_leaves_at_least_32_receipts_on_average():
    assert [longest_prefix(n) for n in (0, 31, 32, 511, 512, 8191, 8192, 131_072)] == [
        *(0, 0, 0, 0, 1, 1, 2, 3)
    ]
    for n in range(32, 200_000, 997):
        assert longest_prefix(n) == math.floor(math.log(n / 32, 16) + 1e-12)


def test_parts_by_prefix_are_the_lines_that_begin_so_under_what_was_signed(begin, tmp_path):
    """Of 600 receipts none begins with one of 16 digits with a chance of 2e-16."""
    keeping = begin(poll_of("duel", 3, access="link"))
    voters = [keeping.cast() for _ in range(40)]
    keeping.pour(voted(keeping.poll, 560))
    keeping.close()
    for voter in voters[:8]:
        keeping.erase(voter)
    path = board(keeping.store, keeping.kept, tmp_path)
    head, *rest = path.read_bytes().splitlines(keepends=True)
    assert b"".join(lines(path)) == b"".join([head, *rest])
    digest = verify_board(path).board
    signature = json.loads(head)["signature"]
    signed = tagged("hushvote board", bytes.fromhex(digest))
    assert is_signed(keeping.poll.server, signature, signed)
    seen = []
    for digit in "0123456789abcdef":
        first, *some = b"".join(lines(path, digit)).splitlines(keepends=True)
        assert json.loads(first) == {"digest": digest, "signature": signature}
        held = [json.loads(line) for line in some]
        assert {one["receipt"][0] for one in held if "receipt" in one} == {digit}
        start = rest.index(some[0])
        assert rest[start : start + len(some)] == some
        leaves = {one["leaf"] for one in held if "leaf" in one}
        for voter in voters[:8]:
            if voter.receipt.hex()[0] == digit:
                assert keeping.acks[voter.receipt].leaf in leaves
        seen += some
    assert {*seen} == {*rest}
    for wrong in ("00", "A", "g", "0\n", "٣", "0" * 64, "-1"):
        assert refusal(lambda wrong=wrong: lines(path, wrong)) == "board.prefix"


def test_erased_entries_at_the_ends_of_a_part_come_along(begin, tmp_path):
    keeping = begin(poll_of("duel", 3, access="link"))
    keeping.pour(voted(keeping.poll, 560))
    keeping.close()
    path = board(keeping.store, keeping.kept, tmp_path)
    ends: dict[str, list[Entry]] = {}
    for line in open_board(path).lines():
        ends.setdefault(line.receipt[0], []).append(line)
    gone = {digit: {id(held[0]): held[0], id(held[-1]): held[-1]} for digit, held in ends.items()}
    for held in gone.values():
        for line in held.values():
            event = {"at": 1_800_004_000, "event": "erased"}
            receipt = bytes.fromhex(line.receipt)
            assert keeping.store.erase(keeping.poll.id, receipt, line.leaf, event)
    path = board(keeping.store, keeping.kept, tmp_path)
    assert verify_board(path).holds
    for digit, held in gone.items():
        part = b"".join(lines(path, digit))
        assert all(line.leaf.hex().encode() in part for line in held.values())


def test_small_boards_are_fetched_whole(closed):
    _, path = closed(poll_of("duel", 3, access="link"))
    assert b"".join(lines(path, "")) == path.read_bytes()
    assert refusal(lambda: lines(path, "0")) == "board.prefix"


# --- exports --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "access"), POLLS)
def test_exports_hold_what_stands_in_all_three_forms(name, access, closed, tmp_path):
    keeping, path = closed(poll_of(name, 3, access=access))
    given = keeping.store, keeping.kept
    folder = tmp_path / "exports"
    parquet, table, whole = (
        b"".join(export(*given, kind, folder).blocks()) for kind in ("parquet", "csv", "board")
    )
    assert whole == path.read_bytes()
    rows = pq.read_table(io.BytesIO(parquet)).to_pylist()
    told = list(csv.DictReader(io.StringIO(table.decode())))
    assert told == [{key: str(value) for key, value in row.items()} for row in rows]
    held = [json.loads(line) for line in whole.splitlines()[1:]]
    held = [one for one in held if "receipt" in one]
    assert [row["receipt"] for row in rows] == [one["receipt"] for one in held]
    assert sorted(row["change"] for row in rows) == [*[0] * 35, 1, 2]
    if name == "challenge":
        assert [row["question"] for row in rows] == [one["question"] for one in held]
    else:
        assert "question" not in rows[0]
    domain = keeping.poll.mechanism.domain
    for row, one in zip(rows, held, strict=True):
        report = domain.from_wire(one["report"])
        assert {field: row[field] for field in report.dtype.names} == {
            field: int(report[field][0]) for field in report.dtype.names
        }


def test_a_tally_of_an_export_is_that_of_the_board(closed, run, tmp_path):
    keeping, path = closed(poll_of("duel", 4, access="codes"))
    made = export(keeping.store, keeping.kept, "parquet")
    (tmp_path / "reports.parquet").write_bytes(b"".join(made.blocks()))
    (tmp_path / "manifest.json").write_text(keeping.poll.text, encoding="utf-8")
    code, _, err = run("tally", "--poll", "manifest.json", "reports.parquet", "--out", "t.json")
    assert code == 0, err
    assert hv.Tally.from_json((tmp_path / "t.json").read_text()) == open_board(path).tally()
    other = poll_of("duel", 4, access="link")
    (tmp_path / "other.json").write_text(other.text, encoding="utf-8")
    assert run("tally", "--poll", "other.json", "reports.parquet")[0] == 2


def test_an_export_leaves_no_file_behind_and_says_what_it_is(closed, tmp_path):
    keeping, _ = closed(poll_of("duel", 3, access="link"))
    folder = tmp_path / "exports"
    made = export(keeping.store, keeping.kept, "csv", folder)
    assert names_in(folder) == []
    assert made.name == f"{keeping.poll.id}.csv"
    assert made.media == "text/csv; charset=utf-8"
    assert made.size == len(b"".join(made.blocks()))
    assert made.file.closed
    assert refusal(lambda: export(keeping.store, keeping.kept, "xlsx", folder)) == "export.kind"


def test_a_board_verifies_in_the_library_too(closed):
    keeping, path = closed(poll_of("duel", 3, access="link"))
    assert verify_board(path, keeping.poll.digest).holds

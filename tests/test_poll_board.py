"""Boards: written once, counted again by everybody, and no byte that can be changed."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hushvote as hv
from hushvote.poll import board as boards
from hushvote.poll.board import open_board, write_board
from hushvote.poll.entries import Entry, Erased
from hushvote.poll.verifying import verify_board
from tests.boards import failing
from tests.polls import KEY, Election, election, poll_of

POLLS = [(name, "codes") for name in hv.mechanism_names()]
POLLS += [(name, "link") for name in hv.mechanism_names() if name != "challenge"]


# --- whole boards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "access"), POLLS)
def test_a_board_holds_and_is_counted_again(name, access, tmp_path):
    poll = poll_of(name, access=access)
    held = election(poll, 24)
    path = held.write(tmp_path / "board.jsonl")
    found = verify_board(path, poll.digest)
    assert found.holds, found.findings
    assert found.numbers == {
        **{"casts": 24, "changes": 4, "withdrawals": 2, "erasures": 1},
        "standing": len(held.entries),
    }
    assert found.board == open_board(path).header.digest
    assert found.to_dict()["result"] == found.result.to_dict()
    assert found.result.data["n"] == 21
    domain = poll.mechanism.domain
    reports = np.concatenate([domain.from_wire(one.report) for one in held.entries.values()])
    expected = poll.mechanism.tally(reports).named(poll.candidates).for_poll(poll.digest)
    assert open_board(path).tally() == expected
    header = open_board(path).header
    assert header.tally["n"] == 21
    assert [float(one) for one in header.result["scores"]] == expected.result().scores.tolist()
    assert (header.casts, header.changes, header.withdrawals, header.erasures) == (24, 4, 2, 1)
    assert len(header.spent) == 6
    assert header.is_signed
    checked = {one.name for one in found.findings}
    assert ("codes" in checked, "link" in checked) == (access == "codes", access == "link")
    assert ("questions" in checked) == poll.mechanism.needs_question


def test_blocks_do_not_change_the_count(tmp_path, monkeypatch):
    held = election(poll_of(), 30)
    whole = open_board(held.write(tmp_path / "a.jsonl"))
    monkeypatch.setattr(boards, "BLOCK", 4)
    assert whole.tally() == open_board(held.write(tmp_path / "b.jsonl")).tally()
    assert open_board(tmp_path / "b.jsonl").header.tally == whole.header.tally


def test_an_erased_entry_leaves_the_root_as_it_was(tmp_path):
    held = Election(poll_of())
    voters = [held.cast() for _ in range(23)]
    before = open_board(held.write(tmp_path / "a.jsonl")).header
    held.erase(voters[7])
    path = held.write(tmp_path / "b.jsonl")
    after = open_board(path).header
    assert after.root == before.root
    assert after.digest != before.digest
    assert (after.tally["n"], after.erasures) == (22, 1)
    assert failing(path) == set()


@settings(max_examples=25, deadline=None)
@given(
    access=st.sampled_from(["link", "codes"]),
    acts=st.lists(st.tuples(st.integers(0, 24), st.sampled_from("cccwe")), max_size=20),
)
def test_whatever_voters_do_the_board_holds(access, acts, tmp_path_factory):
    held = Election(poll_of("additive", 3, access=access))
    voters = [held.cast() for _ in range(41)]
    gone = set()
    for voter, act in acts:
        if voter in gone or (act == "c" and voters[voter].position == held.poll.changes):
            continue
        if act == "c":
            voters[voter] = held.change(voters[voter])
        else:
            gone.add(voter)
            (held.withdraw if act == "w" else held.erase)(voters[voter])
    path = held.write(tmp_path_factory.mktemp("acts") / "board.jsonl")
    found = verify_board(path, held.poll.digest)
    assert found.holds, (acts, found.findings)
    assert found.numbers["standing"] == 41 - len(gone)


def test_too_few_reports_make_no_board(tmp_path):
    held = Election(poll_of())
    for _ in range(19):
        held.cast()
    with pytest.raises(hv.PollError, match="of fewer than 20 reports, and 19 stand") as caught:
        held.write(tmp_path / "board.jsonl")
    assert caught.value.code == "board.turnout"
    assert list(tmp_path.iterdir()) == []


def test_as_many_reports_as_were_promised_make_a_board_that_holds(tmp_path):
    held = Election(poll_of())
    for _ in range(held.poll.turnout):
        held.cast()
    assert verify_board(held.write(tmp_path / "board.jsonl")).holds


def test_lines_out_of_order_make_no_board(tmp_path):
    held = election(poll_of())
    lines = [line for line in held.lines() if isinstance(line, Entry)]
    for wrong in (lines[::-1], [lines[0], *lines]):
        with pytest.raises(hv.PollError, match="sorted by receipt") as caught:
            write_board(tmp_path / "x", held.poll, wrong, held.happened(), KEY)
        assert caught.value.code == "board.order"


# --- a board that was changed ---------------------------------------------------------------------


def told(path):
    """Whether verify says that all holds; a refused file does not."""
    try:
        return verify_board(path).holds
    except hv.HushvoteError:
        return False


def test_no_line_can_be_dropped_doubled_or_moved(small):
    whole, path = small
    lines = whole.splitlines(keepends=True)
    path.write_bytes(whole)
    assert told(path)
    for at in range(len(lines)):
        for changed in (
            [*lines[:at], *lines[at + 1 :]],
            [*lines[: at + 1], *lines[at:]],
            [*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]],
            [*lines[:at], b"\n", *lines[at:]],
        ):
            if changed != lines:
                path.write_bytes(b"".join(changed))
                assert not told(path), at
    for changed in (whole[:-1], whole + b"\n", whole + b"{}\n", whole + lines[1]):
        path.write_bytes(changed)
        assert not told(path)


def test_no_line_can_be_added(small):
    whole, path = small
    report = json.loads(next(x for x in whole.splitlines()[1:] if b"receipt" in x))["report"]
    for added in (Entry.fresh("f" * 64, report), Erased(bytes(32))):
        path.write_bytes(whole + added.line() + b"\n")
        assert "tree" in failing(path)


@pytest.mark.slow
def test_no_flipped_byte_goes_unnoticed(small):
    whole, path = small
    for at in range(len(whole)):
        for flip in (1, 0x20):
            changed = bytearray(whole)
            changed[at] ^= flip
            path.write_bytes(changed)
            assert not told(path), (at, flip)


def test_flipped_bytes_here_and_there_are_noticed(small):
    whole, path = small
    for at in range(0, len(whole), 61):
        changed = bytearray(whole)
        changed[at] ^= 1
        path.write_bytes(changed)
        assert not told(path), at

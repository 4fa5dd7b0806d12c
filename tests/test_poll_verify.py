"""Acknowledgements against the board, and `hushvote verify`."""

import json
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import open_board
from hushvote.poll.entries import Entry
from hushvote.poll.verifying import verify_board
from tests.boards import failing, forged
from tests.conftest import one_sentence
from tests.polls import KEY, Election

# --- acknowledgements against the board -----------------------------------------------------------


def ack_file(folder, ack):
    path = folder / "ack.json"
    path.write_text(ack.to_json())
    return path


def test_every_acknowledgement_of_an_honest_poll_is_answered_by_the_board(asked, tmp_path):
    held, path = asked
    words = set()
    for ack in held.acks.values():
        found = verify_board(path, acks=[ack_file(tmp_path, ack)])
        assert found.holds
        words.add(found.findings[-1].words)
    assert words == {
        "ack.json: the acknowledged report stands on the board.",
        "ack.json: the acknowledged report was changed or withdrawn by its secret.",
        "ack.json: the acknowledged report was erased. If you did not ask for this, show the "
        "acknowledgement to others: the server signed for a report that it no longer counts.",
        "ack.json: the withdrawn report is gone.",
    }


def test_an_acknowledgement_proves_an_omission_that_nothing_else_shows(asked, tmp_path):
    """The operator drops a report and its cast, and signs a board that is sound in itself."""
    held, _ = asked
    entry = next(iter(held.entries.values()))
    lines = [line for line in held.lines() if line is not entry]
    used = tuple(sorted(set(held.used) - {entry.question}))
    path = forged(asked, lines, casts=held.casts - 1, used=used)
    assert failing(path) == set()
    found = verify_board(path, acks=[ack_file(tmp_path, held.acks[entry.receipt])])
    assert not found.holds
    assert "proves an omission" in found.findings[-1].words


def test_an_acknowledgement_proves_an_alteration(asked, tmp_path):
    held, _ = asked
    entry = next(iter(held.entries.values()))
    answer = {**entry.report, "answer": 1 - entry.report["answer"]}
    lines = [replace(one, report=answer) if one is entry else one for one in held.lines()]
    other = forged(asked, lines)
    assert failing(other) == set()
    found = verify_board(other, acks=[ack_file(tmp_path, held.acks[entry.receipt])])
    assert "proves an alteration" in found.findings[-1].words
    assert not found.holds


def test_a_withdrawal_that_was_not_done_is_proved(asked, tmp_path):
    held, path = asked
    for receipt, words in ((next(iter(held.entries)), "but stands"), ("0" * 64, "not here")):
        ack = Acknowledgement.of_withdrawal(held.poll, receipt, KEY)
        found = verify_board(path, acks=[ack_file(tmp_path, ack)])
        assert words in found.findings[-1].words
        assert not found.holds


def test_an_erasure_after_close_is_no_proof_against_the_board_of_before(asked, tmp_path):
    held, path = asked
    [gone], standing = held.erased, next(iter(held.entries))
    plain = Election(held.poll)  # in which nothing was erased
    for _ in range(20):
        plain.cast()
    other = plain.write(tmp_path / "plain.jsonl")
    for board, receipt, words, holds, warns in (
        (path, gone, "nothing stands under its receipt", True, False),
        (path, standing, "of before, or the erasure was not done", True, True),
        (other, gone, "proves an omission", False, False),
    ):
        ack = Acknowledgement.of_erasure(held.poll, receipt, KEY)
        found = verify_board(board, acks=[ack_file(tmp_path, ack)])
        assert words in found.findings[-1].words
        assert (found.holds, found.findings[-1].warns) == (holds, warns)


def test_an_acknowledgement_of_nobody_proves_nothing(asked, tmp_path):
    held, path = asked
    entry = Entry.fresh("0" * 64, {})
    forgery = Acknowledgement.of_entry(held.poll, entry, Ed25519PrivateKey.generate())
    with pytest.raises(hv.PollError, match=r"ack\.json: this acknowledgement was not") as caught:
        verify_board(path, acks=[ack_file(tmp_path, forgery)])
    assert caught.value.code == "ack.signature"


# --- the command ----------------------------------------------------------------------------------


def test_the_command_says_what_it_checked(asked, run, tmp_path):
    held, path = asked
    code, out, _ = run("verify", str(path))
    assert code == 0
    assert "All of this holds." in out
    assert held.poll.digest in out
    assert out.count("✓") == 15
    assert "Cast: 26. Changes: 4. Withdrawn: 2. Erased: 1. Standing: 23." in out
    assert out.index("All of this holds.") < out.index("true place") < out.index("23 reports.")
    assert "✗" not in out
    ack = ack_file(tmp_path, held.acks[next(iter(held.entries))])
    code, out, _ = run("verify", str(path), "--digest", held.poll.digest, "--ack", str(ack))
    assert code == 0
    assert out.count("✓") == 17


def test_the_command_ends_with_1_if_something_does_not_hold(asked, run):
    path = forged(asked, casts=5)
    code, out, _ = run("verify", str(path))
    assert code == 1
    assert "✗ Another number of reports stands than were cast" in out
    assert "Standing: 23." in out
    assert "true place" not in out
    assert "Not all of this holds" in out
    code, out, _ = run("verify", str(path), "--json")
    found = json.loads(out)
    assert code == 1
    assert found["holds"] is False
    assert {one["name"] for one in found["checked"] if not one["holds"]} == {"numbers", "codes"}
    assert found["result"] is None
    assert found["board"] == open_board(path).header.digest
    assert found["numbers"]["erasures"] == 1


def test_an_erased_report_is_marked_for_whoever_holds_its_acknowledgement(asked, run, tmp_path):
    held, path = asked
    (receipt,) = held.erased
    ack = ack_file(tmp_path, held.acks[receipt])
    code, out, _ = run("verify", str(path), "--ack", str(ack))
    assert code == 0
    assert "! ack.json: the acknowledged report was erased. If you did not ask" in out
    assert "look at what is marked with !" in out
    found = json.loads(run("verify", str(path), "--ack", str(ack), "--json")[1])
    assert (found["holds"], found["warns"], found["checked"][-1]["warns"]) == (True, True, True)
    ack = ack_file(tmp_path, held.acks[next(iter(held.entries))])
    assert not verify_board(path, acks=[ack]).warns


@pytest.mark.parametrize(
    ("damage", "says", "line"),
    [
        (lambda raw: raw[:-1], "line 25 of this board is damaged: it is too long, or its end", 25),
        (lambda raw: raw[:300], "the header of it is damaged: its end is missing", None),
        (lambda raw: raw.replace(b'\n{"', b'\n{"a', 1), "line 2 of this board", 2),
        (lambda raw: raw.replace(b'"casts":26', b'"casts":-1', 1), "casts is no number", None),
        (lambda raw: raw.replace(b'"version":1', b'"version":9'), "its version is not 1", None),
        (lambda raw: raw.replace(b'"seats":1', b'"seats":7', 1), "the manifest of this", None),
    ],
)
def test_a_damaged_board_is_found_false_and_not_bad_usage(asked, run, tmp_path, damage, says, line):
    _, path = asked
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(damage(path.read_bytes()))
    assert broken.read_bytes() != path.read_bytes()
    code, out, err = run("verify", str(broken))
    assert (code, err) == (1, "")
    assert says in " ".join(out.split())
    assert out.startswith("✗ This board is damaged, and nothing else of it was checked: ")
    assert "Not all of this holds: this board is not to be trusted." in out
    digest = open_board(path).poll.digest
    code, out, _ = run("verify", str(broken), "--digest", digest, "--json")
    found = json.loads(out)
    assert code == 1
    assert (found["holds"], found["poll"], found["board"]) == (False, digest, None)
    [finding] = found["checked"]
    assert (finding["name"], finding["line"]) == ("form", line)


def test_a_board_with_a_mechanism_from_elsewhere_cannot_be_judged(asked, run, tmp_path):
    _, path = asked
    strange = tmp_path / "strange.jsonl"
    strange.write_bytes(path.read_bytes().replace(b'"challenge"', b'"challenged"', 1))
    assert "there is no mechanism 'challenged'" in one_sentence(run("verify", str(strange)))


def test_the_command_ends_with_2_if_there_is_no_board(asked, run, tmp_path):
    _, path = asked
    letter, empty = tmp_path / "letter", tmp_path / "empty"
    letter.write_text("Dear board\n")
    empty.touch()
    for words in (["no.jsonl"], [str(letter)], [str(empty)], [str(path), "--ack", str(path)]):
        code, out, err = run("verify", *words)
        assert code == 2
        assert out == ""
        assert err.startswith("error: ")

"""Boards: written once, counted again by everybody, and no lie in them that stays unnoticed."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

import hushvote as hv
from hushvote.poll import board as boards
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import open_board, write_board
from hushvote.poll.codes import code_hash
from hushvote.poll.entries import Entry, Erased
from hushvote.poll.header import Header
from hushvote.poll.tree import Growing, included, node, proof_of, root_of
from hushvote.poll.verifying import verify_board
from tests.polls import KEY, Election, election, poll_of

POLLS = [(name, "codes") for name in hv.mechanism_names()]
POLLS += [(name, "link") for name in hv.mechanism_names() if name != "challenge"]


def failing(path, **given):
    """What does not hold, by name."""
    return {one.name for one in verify_board(path, **given).findings if not one.holds}


# --- the tree -------------------------------------------------------------------------------------


def recursive_root(leaves):
    """RFC 9162, section 2.1.1, word for word, but for leaves that are hashed already."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node(recursive_root(leaves[:k]), recursive_root(leaves[k:]))


@given(st.integers(0, 200))
def test_the_tree_is_that_of_the_rfc(n):
    leaves = [hashlib.sha256(bytes([i])).digest() for i in range(n)]
    assert root_of(leaves) == recursive_root(leaves)
    assert Growing(leaves).size == n


def test_proofs_show_what_is_in_the_tree_and_nothing_else():
    for n in range(1, 40):
        leaves = [hashlib.sha256(bytes([i])).digest() for i in range(n)]
        root = root_of(leaves)
        for i, leaf in enumerate(leaves):
            proof = proof_of(leaves, i)
            assert len(proof) <= (n - 1).bit_length()
            assert included(leaf, i, n, proof, root)
            assert not included(bytes(32), i, n, proof, root)
            assert not included(leaf, i, n, [*proof, bytes(32)], root)
            assert not included(leaf, n, n, proof, root)
            assert not included(leaf, -1, n, proof, root)
            for at in range(len(proof)):
                assert not included(leaf, i, n, [*proof[:at], bytes(32), *proof[at + 1 :]], root)
                assert not included(leaf, i, n, proof[:at], root)
            if n > 1:
                assert not included(leaf, (i + 1) % n, n, proof, root)
    with pytest.raises(IndexError):
        proof_of([], 0)


def test_leaf_and_salt_are_hashed_as_the_protocol_says():
    entry = Entry("ab" * 32, "cd" * 16, {"plus": [0], "minus": [1]}, "ef" * 32)
    line = json.loads(entry.line())
    assert line.pop("salt") == "cd" * 16
    text = json.dumps(line, sort_keys=True, separators=(",", ":")).encode()
    assert entry.leaf == hashlib.sha256(b"\0" + bytes.fromhex("cd" * 16) + text).digest()


# --- whole boards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "access"), POLLS)
def test_a_board_holds_and_is_counted_again(name, access, tmp_path):
    poll = poll_of(name, access=access)
    held = election(poll, 24)
    path = held.write(tmp_path / "board.jsonl")
    found = verify_board(path, poll.digest)
    assert found.holds, found.findings
    assert found.standing == len(held.entries) == 21
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
    assert found.standing == 41 - len(gone)


def test_too_few_reports_make_no_board(tmp_path):
    held = Election(poll_of())
    for _ in range(19):
        held.cast()
    with pytest.raises(hv.PollError, match="only 19 reports stand") as caught:
        held.write(tmp_path / "board.jsonl")
    assert caught.value.code == "board.turnout"
    assert list(tmp_path.iterdir()) == []


def test_lines_out_of_order_make_no_board(tmp_path):
    held = election(poll_of())
    lines = [line for line in held.lines() if isinstance(line, Entry)]
    for wrong in (lines[::-1], [lines[0], *lines]):
        with pytest.raises(hv.PollError, match="sorted by receipt") as caught:
            write_board(tmp_path / "x", held.poll, wrong, held.happened(), KEY)
        assert caught.value.code == "board.order"


# --- a board that was changed ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small board, as bytes, with where to put changed ones."""
    poll = poll_of("additive", 2, access="link", changes=1)
    held = Election(poll)
    voters = [held.cast() for _ in range(23)]
    held.change(voters[0])
    held.withdraw(voters[1])
    held.erase(voters[2])
    path = held.write(tmp_path_factory.mktemp("board") / "board.jsonl")
    return path.read_bytes(), path.with_name("changed.jsonl")


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


# --- an operator who lies, and signs the lie ------------------------------------------------------


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """An honest poll with questions, its board, and where to put others."""
    held = election(poll_of("challenge", 4), 26)
    path = held.write(tmp_path_factory.mktemp("board") / "board.jsonl")
    return held, path


def forged(asked, lines=None, key=KEY, **members):
    """The board with other lines or another header, and all that follows from the lines right."""
    held, path = asked
    other = path.with_name("forged.jsonl")
    write_board(other, held.poll, held.lines() if lines is None else lines, held.happened(), KEY)
    raw = other.read_bytes().splitlines(keepends=True)
    header = replace(Header.read(raw[0]), **members).signed(key)
    other.write_bytes(header.line() + b"\n" + b"".join(raw[1:]))
    return other


def test_the_honest_board_holds(asked):
    assert failing(asked[1], digest=asked[0].poll.digest) == set()
    assert failing(forged(asked)) == set()


def test_somebody_else_cannot_sign(asked):
    assert failing(forged(asked, key=Ed25519PrivateKey.generate())) == {"signature"}


def test_another_poll_has_another_digest(asked):
    assert failing(asked[1], digest="0" * 64) == {"digest"}
    with pytest.raises(hv.PollError) as caught:
        verify_board(asked[1], "abc")
    assert caught.value.code == "poll.digest"


@pytest.mark.parametrize("name", ["casts", "changes", "withdrawals", "erasures"])
def test_wrong_numbers_do_not_hold(asked, name):
    header = open_board(asked[1]).header
    wrong = {
        "casts": {"numbers", "codes"},
        "changes": {"spent"},
        "withdrawals": {"numbers", "spent"},
        "erasures": {"numbers"},
    }[name]
    for by in (1, -1):
        assert failing(forged(asked, **{name: getattr(header, name) + by})) == wrong


def test_more_changes_than_allowed_do_not_hold(asked):
    limit = asked[0].poll.changes * asked[0].casts
    assert "changes" in failing(forged(asked, changes=limit + 1))
    assert "changes" not in failing(forged(asked, changes=limit))


def test_a_dropped_report_does_not_fit_the_numbers(asked):
    lines = asked[0].lines()
    entry = next(line for line in lines if isinstance(line, Entry))
    assert failing(forged(asked, [line for line in lines if line is not entry])) == {"numbers"}


def test_a_report_replaced_by_another_must_answer_the_question(asked):
    lines = asked[0].lines()
    entry = next(line for line in lines if isinstance(line, Entry))
    swapped = {**entry.report, "plus": entry.report["minus"], "minus": entry.report["plus"]}
    for wrong in (
        replace(entry, report=swapped),
        replace(entry, question="0" * 64),
        replace(entry, question=next(x.question for x in lines[::-1] if isinstance(x, Entry))),
    ):
        at = lines.index(entry)
        found = verify_board(forged(asked, [*lines[:at], wrong, *lines[at + 1 :]]))
        (broken,) = (one for one in found.findings if not one.holds)
        assert broken.name == "questions"
        assert "Not so in line" in broken.words


def test_a_question_cannot_be_answered_twice(asked):
    lines = asked[0].lines()
    entry = next(line for line in lines if isinstance(line, Entry))
    last = Entry.fresh("f" * 64, entry.report, entry.question)
    path = forged(asked, [*lines, last], casts=asked[0].casts + 1)
    assert failing(path) == {"questions", "codes"}


def test_codes_must_be_issued_and_not_revoked(asked):
    header = open_board(asked[1]).header
    used = code_hash(bytes.fromhex(header.used[0])).hex()
    less = tuple(one for one in header.issued if one != used)
    for wrong in (
        {"issued": less},
        {"revoked": tuple(sorted([*header.revoked, used]))},
        {"revoked": ("0" * 64,)},
        {"issued": header.issued[::-1]},
        {"used": (*header.used[:-1], "f" * 64)},
        {"used": (header.used[0], *header.used)},
    ):
        assert "codes" in failing(forged(asked, **wrong))


def test_a_poll_by_link_has_no_codes(small, tmp_path):
    whole, path = small
    raw = whole.splitlines(keepends=True)
    header = replace(Header.read(raw[0]), issued=("0" * 64,)).signed(KEY)
    path.write_bytes(header.line() + b"\n" + b"".join(raw[1:]))
    assert failing(path) == {"link"}


def test_spent_receipts_need_their_secrets_and_stand_no_more(asked):
    held, path = asked
    header = open_board(path).header
    (receipt, secret), *rest = header.spent
    stands = next(iter(held.entries))
    for wrong in (
        ((receipt, "0" * 64), *rest),
        ((receipt, secret), (receipt, secret), *rest[1:]),
        header.spent[::-1],
        tuple(rest),
        tuple(sorted([(stands, secret), *rest])),
    ):
        assert failing(forged(asked, spent=wrong)) == {"spent"}


def test_a_wrong_tally_or_result_does_not_hold(asked):
    header = open_board(asked[1]).header
    assert failing(forged(asked, tally={**header.tally, "n": 5})) == {"tally"}
    scores = header.result["scores"]
    for wrong in (
        [repr(float(scores[0]) + 1e-6), *scores[1:]],
        ["nan", *scores[1:]],
        [scores[0] + "0", *scores[1:]],
        [5, *scores[1:]],
        ["x", *scores[1:]],
        scores[1:],
        "x",
    ):
        path = forged(asked, result={**header.result, "scores": wrong})
        assert failing(path) == {"result"}
    assert failing(forged(asked, result={"scores": scores})) == {"result"}
    close = repr(float(scores[0]) * (1 + 1e-14))
    path = forged(asked, result={**header.result, "scores": [close, *scores[1:]]})
    assert failing(path) == set()


def test_a_report_outside_the_domain_does_not_hold(small):
    whole, path = small
    raw = whole.splitlines()
    at = next(i for i, line in enumerate(raw) if i and b"receipt" in line)
    entry = json.loads(raw[at])
    wrong = Entry(entry["receipt"], entry["salt"], {"chosen": [7]})
    path.write_bytes(b"\n".join([*raw[:at], wrong.line(), *raw[at + 1 :], b""]))
    found = verify_board(path)
    (broken,) = (one for one in found.findings if one.name == "reports")
    assert (broken.holds, broken.line) == (False, at + 1)
    assert {"tally", "result", "tree"} <= failing(path)


def test_too_few_reports_do_not_hold(asked):
    path = forged(asked, poll=replace(asked[0].poll, turnout=100))
    assert "turnout" in failing(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"version":1,"withdrawals"', '"version":2,"withdrawals"'),
        ('"hushvote":"board"', '"hushvote":"bored"'),
        ('"casts":', '"casts":-'),
        ('"casts":', '"cast":'),
        ('"log":[', '"log":[5,'),
        ('"at":', '"at":-'),
        ('"event":"opened"', '"event":["opened"]'),
        ('"event":"opened"', '"evens":"opened"'),
        ('"event":"opened"', '"event":"' + "x" * 81 + '"'),
        ('"root":"', '"root":"0'),
        ('"spent":[{"receipt"', '"spent":[{"reciept"'),
        ('"used":["', '"used":["0'),
        ('"used":[', '"used":{'),
        ('"result":{', '"result":[{'),
    ],
)
def test_a_header_in_another_form_is_refused(asked, old, new):
    whole = asked[1].read_text()
    assert old in whole
    path = asked[1].with_name("other.jsonl")
    path.write_text(whole.replace(old, new, 1))
    with pytest.raises(hv.PollError) as caught:
        verify_board(path)
    assert caught.value.code == "board.header"


def test_a_manifest_within_a_board_is_checked_like_any_other(asked):
    path = asked[1].with_name("other.jsonl")
    path.write_text(asked[1].read_text().replace('"turnout":20', '"turnout":10', 1))
    with pytest.raises(hv.PollError, match="manifest of this board") as caught:
        verify_board(path)
    assert caught.value.code == "poll.turnout"


def test_a_line_in_another_form_is_refused_with_its_number(asked):
    raw = asked[1].read_bytes().splitlines()
    entry = next(line for line in raw[1:] if b"receipt" in line)
    for wrong in (
        b"",
        b"[]",
        b"{}",
        entry.replace(b",", b", ", 1),
        entry.replace(b'"salt":"', b'"salt":"0'),
        entry.replace(b'"receipt":"', b'"receipt":"0'),
        entry.replace(b'"question":"', b'"question":"0'),
        entry.replace(b'"question":', b'"a":1,"question":'),
        entry.replace(b'"answer":', b'"answer":0.'),
        b'{"leaf":"00"}',
        b'{"leaf":"' + b"0" * 64 + b'","salt":"00"}',
        b'{"leaf":"' + b"0" * 5000 + b'"}',
        b"\xff",
    ):
        path = asked[1].with_name("other.jsonl")
        path.write_bytes(b"\n".join([raw[0], wrong, *raw[1:], b""]))
        with pytest.raises(hv.PollError, match="line 2 of this board is damaged") as caught:
            verify_board(path)
        assert caught.value.code == "board.line"


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
        "ack.json: the acknowledged report was erased; its leaf is left.",
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
    assert out.count("✓") == 12
    assert "✗" not in out
    ack = ack_file(tmp_path, held.acks[next(iter(held.entries))])
    code, out, _ = run("verify", str(path), "--digest", held.poll.digest, "--ack", str(ack))
    assert code == 0
    assert out.count("✓") == 14


def test_the_command_ends_with_1_if_something_does_not_hold(asked, run):
    path = forged(asked, casts=5)
    code, out, _ = run("verify", str(path))
    assert code == 1
    assert "✗ As many reports stand as were cast and neither withdrawn nor erased. Not so." in out
    assert "Not all of this holds" in out
    code, out, _ = run("verify", str(path), "--json")
    found = json.loads(out)
    assert code == 1
    assert found["holds"] is False
    assert {one["name"] for one in found["checked"] if not one["holds"]} == {"numbers", "codes"}


def test_the_command_ends_with_2_if_it_cannot_read(asked, run, tmp_path):
    _, path = asked
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(path.read_bytes()[:-1])
    for words in (["no.jsonl"], [str(broken)], [str(path), "--ack", str(path)]):
        code, out, err = run("verify", *words)
        assert code == 2
        assert out == ""
        assert err.startswith("error: ")

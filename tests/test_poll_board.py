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
from hushvote.messages import en
from hushvote.poll import board as boards
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import open_board, write_board
from hushvote.poll.codes import code_hash
from hushvote.poll.entries import Entry, Erased
from hushvote.poll.header import Header
from hushvote.poll.requests import Change
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
    with pytest.raises(hv.PollError, match="only 19 reports stand") as caught:
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
        "withdrawals": {"spent"},
        "erasures": {"numbers"},
    }[name]
    for by in (1, -1):
        assert failing(forged(asked, **{name: getattr(header, name) + by})) == wrong


def test_more_changes_than_allowed_do_not_hold(tmp_path):
    """Of one voter, however few changes there are in all."""
    held = Election(poll_of(changes=2, access="link"))
    voters = [held.cast() for _ in range(23)]
    held.change(held.change(voters[0]))
    assert failing(held.write(tmp_path / "board.jsonl")) == set()
    held.poll = poll_of(changes=1, access="link")
    assert failing(held.write(tmp_path / "board.jsonl")) == {"changes"}


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
        assert f"See line {broken.line}." in broken.words


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
    first, *rest = header.spent
    stands = next(iter(held.entries))
    for wrong, others in (
        ((first._replace(reveals="0" * 64), *rest), set()),
        ((first, first, *rest[1:]), {"numbers", "chains"}),
        (header.spent[::-1], set()),
        (tuple(rest), {"numbers", "chains"}),
        (tuple(sorted([first._replace(receipt=stands), *rest])), {"numbers", "chains", "changes"}),
    ):
        found = failing(forged(asked, spent=wrong))
        assert {"spent"} <= found <= {"spent"} | others


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
        ('"casts":', '"casts": '),
        ('"log":[', '"log":[5,'),
        ('"at":', '"at":-'),
        ('"event":"opened"', '"event":["opened"]'),
        ('"event":"opened"', '"evens":"opened"'),
        ('"event":"opened"', '"event":"' + "x" * 81 + '"'),
        ('"root":"', '"root":"0'),
        ('"spent":[{"next":', '"spent":[{"nect":'),
        ('"next":null', '"next":"0"'),
        ('"next":null', '"next":false'),
        ('"reveals":"', '"reveals":"0'),
        ('"erased":["', '"erased":["0'),
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
        entry.replace(b'"report":{', b'"report":{"a":"' + b"0" * 1024 + b'",'),
        b"\xff",
    ):
        path = asked[1].with_name("other.jsonl")
        path.write_bytes(b"\n".join([raw[0], wrong, *raw[1:], b""]))
        with pytest.raises(hv.PollError, match="line 2 of this board is damaged") as caught:
            verify_board(path)
        assert caught.value.code == "board.line"


# --- chains of receipts ---------------------------------------------------------------------------


@pytest.fixture
def linked(tmp_path):
    """A poll of codes: one voter has withdrawn, another has changed."""
    held = Election(poll_of("additive"))
    voters = [held.cast() for _ in range(30)]
    first = {"x": held.entries[voters[0].receipt.hex()], "y": held.entries[voters[1].receipt.hex()]}
    acks = {"y": held.acks[voters[1].receipt.hex()]}
    held.withdraw(voters[0])
    acks["x"] = held.acks[voters[0].receipt.hex()]
    after = held.change(voters[1])
    acks["z"] = held.acks[after.receipt.hex()]
    return held, voters, first, acks, tmp_path / "board.jsonl"


def written(held, path, entries, **members):
    lines = [entries[receipt] for receipt in sorted(entries)]
    write_board(path, held.poll, lines, replace(held.happened(), **members), KEY)
    return path


def acked(path, acks):
    files = []
    for name, ack in acks.items():
        files.append(path.with_name(f"{name}.json"))
        files[-1].write_text(ack.to_json())
    return verify_board(path, acks=files)


def test_a_vote_cannot_be_counted_twice_in_place_of_one_that_was_withdrawn(linked):
    """The operator keeps what a voter has changed, and hides it behind another's withdrawal."""
    held, voters, first, acks, path = linked
    assert acked(held.write(path), acks).holds
    entries = {**held.entries, first["y"].receipt: first["y"]}
    named = Change.of(held.poll, voters[1], held.poll.draw([2, 1, 0]).report).receipt
    for following, wrong in ((None, {"spent", "numbers"}), ("ab" * 32, {"chains"}), (named, set())):
        told = {"changes": 1, "withdrawals": 0, "secrets": [(voters[0].secret.hex(), following)]}
        found = acked(written(held, path, entries, **told), acks)
        broken = {one.name for one in found.findings if not one.holds}
        assert broken - {"acknowledgement"} == wrong
    (proof,) = (one.words for one in found.findings if not one.holds)
    assert proof.startswith("x.json proves an alteration: the report was withdrawn, but")


def test_a_withdrawal_cannot_be_made_a_change_to_a_report_of_the_operator(linked):
    held, voters, _, acks, path = linked
    own = Entry.fresh("ab" * 32, next(iter(held.entries.values())).report)
    secrets = [(voters[0].secret.hex(), own.receipt), *held.secrets[1:]]
    told = {"changes": 2, "withdrawals": 0, "secrets": secrets}
    found = acked(written(held, path, {**held.entries, own.receipt: own}, **told), acks)
    (proof,) = (one for one in found.findings if not one.holds)
    assert proof.words.startswith("x.json proves an alteration")


def test_no_two_changes_lead_to_one_report_and_none_leads_nowhere_or_back(linked):
    held, voters, _, _, path = linked
    (gone, _), (spent, following) = held.secrets
    receipts = [voter.receipt.hex() for voter in voters[:2]]
    for wrong in (
        [(gone, following), (spent, following)],  # two to one
        [(gone, None), (spent, "ab" * 32)],  # nowhere
        [(gone, None), (spent, receipts[1])],  # to itself
        [(gone, receipts[1]), (spent, receipts[0])],  # in a circle
    ):
        changes = sum(one is not None for _, one in wrong)
        told = {"changes": changes, "withdrawals": 2 - changes, "secrets": wrong}
        assert "chains" in failing(written(held, path, held.entries, **told))


def test_what_a_change_led_to_may_be_erased_but_not_more_often_than_there_are_erasures(linked):
    held, voters, _, _, path = linked
    held.erase(voters[1].moved())
    assert failing(held.write(path)) == set()
    (gone, _), change = held.secrets
    told = {"changes": 2, "withdrawals": 0, "secrets": [(gone, "ab" * 32), change]}
    kept = dict(zip(sorted({**held.entries, **held.erased}), held.lines(), strict=True))
    assert "chains" in failing(written(held, path, kept, **told))


# --- two boards of one root -----------------------------------------------------------------------


def test_boards_of_one_root_that_erase_others_have_other_digests(tmp_path):
    """Even if the erased reports are alike, so that tally and result are the same."""
    held = Election(poll_of("additive", 2))
    for _ in range(40):
        held.cast()
    alike = [one for one in held.entries.values() if one.report == {"chosen": [0]}]
    # of 40 votes for the same candidate, fewer than two name it with a chance below 1e-9
    paths = []
    for one in alike[:2]:
        lines = [Erased(line.leaf) if line is one else line for line in held.lines()]
        paths.append(tmp_path / f"{len(paths)}.jsonl")
        write_board(paths[-1], held.poll, lines, held.happened(), KEY)
        assert failing(paths[-1]) == set()
    one, other = (open_board(path).header for path in paths)
    assert (one.root, one.tally, one.result) == (other.root, other.tally, other.result)
    assert one.digest != other.digest
    assert one.digest in verify_board(paths[0]).unchecked[1]
    raw = paths[0].read_bytes().splitlines(keepends=True)
    paths[0].write_bytes(raw[0] + b"".join(paths[1].read_bytes().splitlines(keepends=True)[1:]))
    assert failing(paths[0]) == {"erased"}


def test_an_inner_node_as_an_erased_leaf_makes_another_header(tmp_path):
    """24 lines are 16 and 8; the root of the 8 may stand as one erased line."""
    held = Election(poll_of("additive", access="link", turnout=20))
    for _ in range(40):
        held.cast()
    lines = held.lines()
    many = write_board(tmp_path / "a", held.poll, lines, held.happened(), KEY)
    inner = Erased(root_of([line.leaf for line in lines[32:]]))
    casts = replace(held.happened(), casts=33)
    few = write_board(tmp_path / "b", held.poll, [*lines[:32], inner], casts, KEY)
    assert many.root == few.root
    assert many.digest != few.digest


def test_no_leaf_stands_twice(tmp_path):
    held = Election(poll_of("additive", access="link"))
    for _ in range(24):
        held.cast()
    lines, path = held.lines(), tmp_path / "board.jsonl"
    for wrong, at in (
        ([lines[0], Erased(lines[0].leaf), *lines[1:]], 3),
        ([Erased(lines[-1].leaf), *lines], 26),
        ([Erased(bytes(32)), Erased(bytes(32)), *lines], 3),
    ):
        write_board(path, held.poll, wrong, replace(held.happened(), casts=len(wrong)), KEY)
        (broken,) = (one for one in verify_board(path).findings if not one.holds)
        assert (broken.name, broken.words) == ("leaves", f"A leaf stands twice. See line {at}.")


def test_every_failing_check_has_a_sentence_of_its_own():
    checked = {key.partition(".")[2] for key in en.BOARD if key.startswith("verify.")}
    broken = {key.partition(".")[2] for key in en.BOARD if key.startswith("broken.")}
    assert checked == broken
    for name in checked:
        assert en.BOARD[f"verify.{name}"] != en.BOARD[f"broken.{name}"]


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
    plain = Election(held.poll)  # in which nothing was erased
    for _ in range(20):
        plain.cast()
    other = plain.write(tmp_path / "plain.jsonl")
    for board, receipt, words in (
        (path, next(iter(held.entries)), "but stands"),
        (other, "0" * 64, "not here"),
    ):
        ack = Acknowledgement.of_withdrawal(held.poll, receipt, KEY)
        found = verify_board(board, acks=[ack_file(tmp_path, ack)])
        assert words in found.findings[-1].words
        assert not found.holds


def test_an_erasure_s_acknowledgement_is_marked_where_something_was_erased(asked, tmp_path):
    held, path = asked
    [gone] = held.erased
    ack = Acknowledgement.of_withdrawal(held.poll, gone, KEY)
    found = verify_board(path, acks=[ack_file(tmp_path, ack)])
    assert found.holds
    assert found.findings[-1].warns
    assert "If you had it erased after close" in found.findings[-1].words


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


def test_the_command_ends_with_2_if_it_cannot_read(asked, run, tmp_path):
    _, path = asked
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(path.read_bytes()[:-1])
    for words in (["no.jsonl"], [str(broken)], [str(path), "--ack", str(path)]):
        code, out, err = run("verify", *words)
        assert code == 2
        assert out == ""
        assert err.startswith("error: ")

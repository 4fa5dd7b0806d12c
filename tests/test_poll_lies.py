"""Operators who lie, and sign the lie: no such board holds."""

import json
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import hushvote as hv
from hushvote.messages import en
from hushvote.poll.board import open_board, write_board
from hushvote.poll.codes import code_hash
from hushvote.poll.entries import Entry, Erased
from hushvote.poll.header import Header
from hushvote.poll.requests import Change
from hushvote.poll.tree import root_of
from hushvote.poll.verifying import verify_board
from tests.boards import failing, forged
from tests.polls import KEY, Election, poll_of

# --- an operator who lies, and signs the lie ------------------------------------------------------


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


def test_a_question_must_be_that_of_a_used_code_even_if_the_report_answers_it(asked):
    lines, mechanism = asked[0].lines(), asked[0].poll.mechanism
    entry = next(line for line in lines if isinstance(line, Entry))
    report = mechanism.domain.from_wire(entry.report)
    tried = (bytes([i % 256, i // 256]) + bytes(30) for i in range(20_000))
    other = next(one for one in tried if mechanism.answers(report, one))
    at = lines.index(entry)
    wrong = replace(entry, question=other.hex())
    assert failing(forged(asked, [*lines[:at], wrong, *lines[at + 1 :]])) == {"questions"}


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
        ('"signature":"', '"signature":"x'),
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

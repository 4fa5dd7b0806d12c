"""What a voter's device keeps and lets her do: the rules of web/src/state.ts, in Python."""

import json
import math
from dataclasses import replace

import pytest

import hushvote as hv
from hushvote.canonical import sealed
from hushvote.client import keeping
from hushvote.client.device import Device
from hushvote.errors import FileError, PollError
from hushvote.lottery import secure_bits
from hushvote.messages import speaking
from hushvote.messages.phrases import odds
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.credentials import receipt_of, secret_of
from hushvote.poll.entries import Entry
from hushvote.poll.requests import Cast, Withdrawal, request_size
from tests.polls import KEY, poll_of

POLL = poll_of("duel", 4, access="link")
RANKING = [2, 0, 3, 1]


class NoBits:
    def bytes(self, _: int, /) -> bytes:
        raise AssertionError("no bits were needed")


def answer_to(device: Device, poll: hv.Poll = POLL) -> str:
    """The acknowledgement of what was sent last, signed by the poll's server."""
    request = device.request
    if isinstance(request, Withdrawal):
        receipt = receipt_of(bytes.fromhex(request.reveals)).hex()
        return Acknowledgement.of_withdrawal(poll, receipt, KEY).to_json()
    assert request is not None
    asked = device.question if poll.mechanism.needs_question else None
    entry = Entry(request.receipt, "cd" * 16, request.report, asked)
    return Acknowledgement.of_entry(poll, entry, KEY).to_json()


def taken(device: Device, poll: hv.Poll = POLL) -> Device:
    return device.acknowledged(poll, answer_to(device, poll))


def drawn(ranking=RANKING, poll: hv.Poll = POLL):
    return Device.begin(poll).vote(poll, ranking)


def cast() -> Device:
    device, report = drawn()
    return taken(device.send(POLL, report))


def code_of(call) -> str:
    with pytest.raises(hv.HushvoteError) as caught:
        call()
    return caught.value.code


def test_the_same_ranking_gives_the_same_report_without_another_draw():
    device, report = drawn()
    again, same = device.vote(POLL, list(RANKING), bits=NoBits())
    assert again is device
    assert same == report
    assert device.ledger(POLL).to_json() == [{"poll": POLL.digest, "epsilon": 1.0}]


def test_another_question_is_another_draw():
    asked = poll_of("challenge", 4)
    device, first = Device.begin(asked).vote(asked, RANKING, bytes(32))
    other, _ = device.vote(asked, RANKING, b"\1" * 32)
    assert other.spent == 2
    assert other.vote(asked, RANKING, bytes(32), NoBits())[1] == first


def test_there_are_as_many_draws_as_one_and_the_changes_and_no_more():
    device = Device.begin(POLL)
    for left, ranking in zip((2, 1, 0), (RANKING, [0, 1, 2, 3], [3, 2, 1, 0]), strict=True):
        device, _ = device.vote(POLL, ranking)
        assert device.left(POLL) == left
    assert code_of(lambda: device.vote(POLL, [1, 0, 2, 3])) == "state.spent"
    assert device.vote(POLL, RANKING, bits=NoBits())[1] == device.draws[0].report


@pytest.mark.parametrize("ranking", [[0, 1], [0, 1, 2, 2], [0, 1, 2, 4], [], [[0, 1], [2, 3]]])
def test_a_bad_ranking_spends_nothing(ranking):
    full = Device.begin(POLL)
    for one in (RANKING, [0, 1, 2, 3], [3, 2, 1, 0]):
        full, _ = full.vote(POLL, one)
    for device in (Device.begin(POLL), full):
        assert code_of(lambda given=device: given.vote(POLL, ranking)).startswith("ranking.")


def test_random_bits_are_not_kept():
    used = []

    class Noting:
        def bytes(self, length: int, /) -> bytes:
            used.append(secure_bits().bytes(length))
            return used[-1]

    device, _ = Device.begin(POLL).vote(POLL, RANKING, bits=Noting())
    text = json.dumps(device.document())
    long = [one for one in used if len(one) >= 4]  # shorter ones stand in hashes by chance
    assert long
    assert not any(one.hex() in text for one in long)


def test_a_cast_names_the_first_receipt_a_change_reveals_its_secret_a_withdrawal_the_next():
    device, report = drawn()
    secrets = [secret_of(device.seed, i).hex() for i in range(3)]
    receipts = [receipt_of(bytes.fromhex(one)).hex() for one in secrets]
    device = device.send(POLL, report)
    assert device.request.to_json() == {
        "poll": POLL.digest,
        "receipt": receipts[0],
        "report": report,
    }
    assert code_of(lambda: device.send(POLL, report)) == "state.unanswered"
    assert code_of(lambda: device.withdraw(POLL)) == "state.unanswered"
    assert code_of(device.credential) == "state.unanswered"
    device, report = taken(device).vote(POLL, [0, 1, 2, 3])
    device = device.send(POLL, report)
    named = {"reveals": secrets[0], "receipt": receipts[1]}
    assert device.request.to_json() == {"poll": POLL.digest, **named, "report": report}
    device = taken(device).withdraw(POLL)
    assert device.request.to_json() == {"poll": POLL.digest, "reveals": secrets[1]}
    device = taken(device)
    assert device.standing == "withdrawn"
    assert code_of(lambda: device.send(POLL, report)) == "state.withdrawn"
    assert code_of(lambda: device.acknowledged(POLL, "{}")) == "state.unasked"


def test_requests_of_one_poll_have_one_length():
    device, report = drawn()
    ways = (device.send(POLL, report), cast().send(POLL, report), cast().withdraw(POLL))
    assert {len(one.request.body(POLL)) for one in ways} == {request_size(POLL)}


def forged(text: str, **members: str) -> str:
    return json.dumps({**json.loads(text), **members})


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("ack.form", {"junk": "1"}),
        ("ack.form", {"signature": "ef"}),
        ("ack.signature", {"signature": "ef" * 64}),
        ("ack.signature", {"leaf": "11" * 32}),
        ("ack.leaf", {"salt": "00" * 16}),
        ("ack.poll", {"poll": "0" * 64}),
    ],
)
def test_an_answer_that_is_no_acknowledgement_is_not_kept(code, change):
    device, report = drawn()
    sent = device.send(POLL, report)
    assert code_of(lambda: sent.acknowledged(POLL, forged(answer_to(sent), **change))) == code
    assert code_of(lambda: sent.acknowledged(POLL, b"null")) == "ack.form"


def test_a_signature_for_another_request_is_not_kept():
    device, report = drawn()
    sent = device.send(POLL, report)
    other = replace(sent, seed=bytes(32), request=None).send(POLL, report)
    assert code_of(lambda: sent.acknowledged(POLL, answer_to(other))) == "ack.leaf"
    gone = taken(sent).withdraw(POLL)
    assert code_of(lambda: gone.acknowledged(POLL, answer_to(sent))) == "ack.leaf"
    assert code_of(lambda: sent.acknowledged(POLL, answer_to(gone))) == "ack.leaf"


def test_what_the_server_has_refused_is_dropped_and_nothing_is_spent_by_it():
    device, report = drawn()
    assert device.send(POLL, report).refused() == device
    assert cast().credential().position == 0


def test_there_is_no_credential_before_a_cast():
    assert code_of(drawn()[0].credential) == "state.uncast"
    assert code_of(lambda: drawn()[0].withdraw(POLL)) == "state.uncast"


def test_a_poll_of_codes_needs_the_hash_of_one_and_a_link_takes_none():
    codes = poll_of("duel", 4)
    device, report = drawn(poll=codes)
    assert code_of(lambda: device.send(codes, report)) == "question.missing"
    assert device.send(codes, report, bytes(32)).request.question == "00" * 32
    device, report = drawn()
    assert code_of(lambda: device.send(POLL, report, bytes(32))) == "question.needless"
    assert code_of(lambda: device.send(POLL, {"type": 99})).startswith("report.")


def test_there_are_no_more_changes_than_the_poll_allows():
    device, report = cast(), drawn()[1]
    for position in range(POLL.changes):
        assert device.position == position
        device = taken(device.send(POLL, report))
    assert code_of(lambda: device.send(POLL, report)) == "state.changes"


def test_a_credential_has_no_ranking_and_goes_on_where_it_was():
    kept = cast().credential()
    assert set(json.loads(kept.to_json())) == {
        *("draws", "hushvote", "poll", "position", "seed", "version"),
    }
    elsewhere = Device.resume(POLL, kept)
    assert (elsewhere.draws, elsewhere.spent) == ((), 1)
    changed, report = elsewhere.vote(POLL, RANKING)  # a new draw: the old one is not known here
    assert changed.spent == 2
    assert changed.send(POLL, report).request.reveals == secret_of(kept.seed, 0).hex()
    other = poll_of("duel", 4)
    assert code_of(lambda: Device.resume(other, kept)) == "state.poll"
    assert code_of(lambda: cast().vote(other, RANKING)) == "state.poll"


def test_what_stands_is_known_by_its_acknowledgement():
    device = cast()
    assert [one.ranking for one in device.standing_draws(POLL)] == [tuple(RANKING)]
    shown, _ = device.vote(POLL, [0, 1, 2, 3])  # drawn and shown, but not sent
    assert tuple(RANKING) in [one.ranking for one in shown.standing_draws(POLL)]
    assert taken(device.withdraw(POLL)).standing_draws(POLL) == []


def test_a_device_is_read_as_it_was_written():
    partial = poll_of("duel", 4, partial=True, access="link")
    begun, report = Device.begin(partial).vote(partial, [3])
    assert begun.draws[0].completed[0] == 3
    for device, poll in (
        (Device.begin(POLL), POLL),
        (drawn()[0].send(POLL, drawn()[1]), POLL),
        (cast().withdraw(POLL, erase=True), POLL),
        (taken(cast().withdraw(POLL, erase=True)), POLL),
        (begun.send(partial, report), partial),
    ):
        document = json.loads(json.dumps(device.document()))
        assert Device.of_document(poll, document) == device


@pytest.mark.parametrize("times", [1, 2, 3, 17])
def test_odds_are_rounded_up(times):
    for epsilon in ("1/1000000", "1/2", "1", "3", "10"):
        mechanism = hv.mechanism("additive", hv.borda(3), epsilon)
        text = odds(mechanism.epsilon, times)
        told, true = float(text.replace(",", "")), float(mechanism.epsilon * times)
        assert told >= math.exp(true) * (1 - 1e-12)
        assert told <= math.exp(true) * 1.01 + 1e-9
        assert len(text.replace(",", "").replace(".", "").rstrip("0")) <= 3


def test_odds_have_three_digits_and_the_signs_of_the_language():
    said = {"1/1000000": "1.01", "69/100": "2.00", "1": "2.72", "3": "20.1", "5": "149"}
    said |= {"46051/10000": "100", "10": "22,100"}
    for epsilon, factor in said.items():
        assert odds(hv.exact.fraction(epsilon)) == factor
    assert odds(1.0, 3) == "20.1"
    with speaking("de"):
        assert odds(3) == "20,1"
        assert odds(10) == "22\u202f100"


# --- the file -------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "hushvote" / "votes"


def kept(device: Device) -> keeping.KeptVote:
    path = keeping.path_of(POLL.digest)
    return keeping.KeptVote(path, "http://127.0.0.1:1", POLL, device).save(device)


def test_a_vote_is_kept_in_a_file_for_its_voter_alone(folder):
    made = kept(cast())
    assert made.path == folder / f"{POLL.digest}.json"
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == folder.parent.stat().st_mode & 0o777 == 0o700
    assert keeping.find(POLL.digest) == made
    assert keeping.find("0" * 64) is None


def test_all_acknowledgements_are_kept(folder):
    made = kept(cast())
    made = made.save(taken(made.device.withdraw(POLL)))
    assert [one.withdrawal for one in keeping.find(POLL.digest).acknowledgements] == [False, True]


def test_a_vote_that_cannot_be_kept_leaves_the_file_as_it_was(folder, monkeypatch):
    made = kept(cast())
    before = made.path.read_bytes()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(FileError, match="no space left"):
        made.save(made.device.withdraw(POLL))
    assert made.path.read_bytes() == before


def damaged_files():
    device = cast()
    good = {
        "hushvote": "vote",
        "version": 1,
        "server": "http://127.0.0.1:1",
        "manifest": POLL.text,
        "device": device.document(),
        "acknowledgements": [],
    }

    def inside(**members):
        return sealed({**good, "device": {**good["device"], **members}})

    assert Device.of_document(POLL, good["device"]) == device
    (draw,) = good["device"]["draws"]
    yield sealed(good)[:-9]
    yield sealed(good).replace('"position": 0', '"position": 1')
    yield "[]"
    yield "\0" * 2000
    yield sealed({**good, "version": 2})
    yield sealed({**good, "more": 1})
    yield sealed({**good, "server": "ftp://x"})
    yield sealed({**good, "manifest": poll_of("duel", 4).text})
    yield sealed({**good, "acknowledgements": [{}]})
    yield sealed({**good, "acknowledgements": 1})
    yield sealed({**good, "device": []})
    for name, value in (
        *(("seed", "ab"), ("position", -1), ("spent", "1"), ("spent", 0), ("standing", "here")),
        *(("question", "ab"), ("request", {"reveals": "1"}), ("erases", 1), ("draws", [{}])),
        *(("draws", [{**draw, "ranking": [0, 0, 1, 2]}]), ("draws", [{**draw, "report": {}}])),
        *(("request", {"junk": 1}), ("acknowledgement", {}), ("poll", "0" * 64), ("draws", 1)),
    ):
        yield inside(**{name: value})


def test_a_damaged_file_is_one_clear_sentence_and_stays_as_it_is(folder):
    for text in damaged_files():
        path = keeping.path_of(POLL.digest)
        path.write_text(text)
        with pytest.raises(FileError, match="is damaged") as caught:
            keeping.find(POLL.digest)
        assert caught.value.code == "state.damaged"
        assert "--forget" in str(caught.value)
        assert path.read_text() == text
        assert keeping.forget(POLL.digest)
        assert not keeping.forget(POLL.digest)


def test_one_at_a_time_votes_in_a_poll(folder):
    with keeping.locked(POLL.digest):
        with (
            pytest.raises(PollError, match="another hushvote") as caught,
            keeping.locked(POLL.digest),
        ):
            pass
        assert caught.value.code == "state.locked"
        with keeping.locked("0" * 64):  # another poll is free
            pass
    with keeping.locked(POLL.digest):
        pass


def test_a_cast_of_a_device_is_one_that_servers_take():
    device, report = drawn()
    request = device.send(POLL, report).request
    assert Cast.read(POLL, request.body(POLL)) == request

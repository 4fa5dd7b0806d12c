"""Manifests: made, written, read, and refused in one order."""

import hashlib
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hushvote as hv
from hushvote.canonical import canonical
from hushvote.lottery import FixedBits, distinct
from tests.polls import ID, NAMES, SERVER, changed, poll_of

MECHANISMS = hv.mechanism_names()


def code_of(text, digest=None):
    """The code with which a manifest is refused; None if it is taken."""
    try:
        hv.Poll.load(text, digest)
    except hv.HushvoteError as error:
        return error.code
    return None


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_poll_is_the_same_after_its_text_was_read(name):
    poll = poll_of(name)
    for text in (poll.text, poll.text.encode()):
        again = hv.Poll.load(text, poll.digest)
        assert again == poll
        assert again.text == poll.text
        assert again.digest == poll.digest == hashlib.sha256(poll.text.encode()).hexdigest()
    assert poll.d == 3
    assert poll.mechanism.d == 3
    assert canonical(json.loads(poll.text)) == poll.text.encode()


def test_settings_stand_in_the_text():
    poll = hv.Poll.create(
        "  Who?\t",
        [" Ann", "Bo\u0308b "],
        hv.mechanism("duel", hv.borda(2), 1),
        description="One.\r\nTwo. \n",
        access="link",
        changes=0,
        partial=True,
        turnout=21,
        live=20,
        server=SERVER.hex(),
    )
    said = json.loads(poll.text)
    assert (said["hushvote"], said["version"]) == ("poll", 1)
    assert (said["question"], said["description"]) == ("Who?", "One.\nTwo.")
    assert said["candidates"] == ["Ann", "B\u00f6b"]
    settings = ("seats", "access", "changes", "partial", "turnout", "live")
    assert [said[name] for name in settings] == [1, "link", 0, True, 21, 20]
    assert said["server"] == SERVER.hex()
    assert len(bytes.fromhex(said["id"])) == 16
    assert poll.mechanism.parameters() == said["mechanism"]


def test_ids_are_fresh():
    made = hv.mechanism("duel", hv.borda(2), 1)
    ids = {hv.Poll.create("Who?", ["A", "B"], made, server=SERVER).id for _ in range(20)}
    assert len(ids) == 20


def test_the_key_of_a_mechanism_is_the_id_of_its_poll():
    poll = poll_of("challenge")
    assert poll.mechanism.parameters()["key"] == poll.id == ID
    given = hv.mechanism("challenge", hv.borda(2), 1, key="00")
    with pytest.raises(hv.PollError, match="must be the id") as caught:
        hv.Poll.create("Who?", ["A", "B"], given, server=SERVER)
    assert caught.value.code == "poll.key"
    own = hv.mechanism("challenge", hv.borda(2), 1, key=ID)
    assert hv.Poll.create("Who?", ["A", "B"], own, server=SERVER, id=ID).mechanism == own


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["Ann", "ann"], "name.duplicate"),
        (["Straße", "STRASSE"], "name.duplicate"),
        (["\u00c4", "A\u0308"], "name.duplicate"),
        (["Ann", " Ann "], "name.duplicate"),
        (["Ann", " "], "name.length"),
        (["Ann", "B\u200b"], "name.character"),
        (["Ann"], "name.number"),
        (["Ann", "Bob", "Cem"], "poll.candidates"),
        (["Ann", 5], "name.length"),
        ("AB", "name.number"),
        (5, "name.number"),
    ],
)
def test_names_that_voters_would_mix_up_make_no_poll(names, code):
    with pytest.raises(hv.HushvoteError) as caught:
        hv.Poll.create("Who?", names, hv.mechanism("duel", hv.borda(2), 1), server=SERVER)
    assert caught.value.code == code


def test_readers_take_names_that_differ_by_case():
    poll = hv.Poll.load(changed(poll_of(), candidates=["a", "A", "\u00c4"]))
    assert poll.candidates == ("a", "A", "\u00c4")


def test_wrong_settings_make_no_poll():
    made = hv.mechanism("duel", hv.borda(2), 1)
    for settings, code in (
        ({"seats": 2}, "poll.seats"),
        ({"seats": 1.0}, "poll.seats"),
        ({"access": "tokens"}, "poll.access"),
        ({"changes": 17}, "poll.changes"),
        ({"partial": 1}, "poll.partial"),
        ({"turnout": 19}, "poll.turnout"),
        ({"live": 19}, "poll.live"),
        ({"server": b"short"}, "poll.server"),
        ({"server": None}, "poll.member"),
        ({"id": "AB" * 16}, "poll.id"),
        ({"description": "\u202e"}, "poll.text"),
    ):
        with pytest.raises(hv.PollError) as caught:
            hv.Poll.create("Who?", ["A", "B"], made, **{"server": SERVER, **settings})
        assert caught.value.code == code
    with pytest.raises(hv.MechanismError) as caught:
        hv.Poll.create("Who?", ["A", "B"], "duel", server=SERVER)
    assert caught.value.code == "mechanism.type"


# --- what readers refuse, in order ----------------------------------------------------------------

POLL = poll_of()
PARAMETERS = json.loads(POLL.text)["mechanism"]
FAULTS = [  # what is wrong with one member, in the order in which readers look
    ("poll.member", {"more": 1}),
    ("poll.version", {"version": 2}),
    ("poll.id", {"id": ID.upper()}),
    ("poll.text", {"question": ""}),
    ("name.number", {"candidates": ["Ann"]}),
    ("parameters.member", {"mechanism": {**PARAMETERS, "key": "00"}}),
    ("poll.seats", {"seats": 0}),
    ("poll.access", {"access": "tokens"}),
    ("poll.changes", {"changes": -1}),
    ("poll.partial", {"partial": "false"}),
    ("poll.turnout", {"turnout": True}),
    ("poll.live", {"live": 1}),
    ("poll.server", {"server": "00"}),
]


def test_of_two_faults_the_first_in_order_is_told():
    for (code, first), (later, second) in pairwise(FAULTS):
        assert code_of(changed(POLL, **first)) == code
        assert code_of(changed(POLL, **first, **second)) == code
        assert code_of(changed(POLL, **second)) == later
    everything = {name: value for _, fault in FAULTS for name, value in fault.items()}
    assert code_of(changed(POLL, **everything)) == "poll.member"


def test_the_text_is_judged_before_its_members():
    spoilt = changed(POLL, version=2)
    wrong = "0" * 64
    assert code_of(spoilt + " " * (1 << 18), wrong) == "poll.size"
    assert code_of(spoilt + " ", wrong) == "poll.digest"
    assert code_of(spoilt + ",") == "poll.json"
    assert code_of(spoilt + " ") == "poll.canonical"
    assert code_of("[]") == "poll.member"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"hushvote": "Poll"}, "poll.version"),
        ({"version": "1"}, "poll.version"),
        ({"version": True}, "poll.version"),
        ({"more": 1}, "poll.member"),
        ({"live": ...}, "poll.member"),
        ({"id": 5}, "poll.id"),
        ({"id": ID + "0"}, "poll.id"),
        ({"id": ID + "\n"}, "poll.id"),
        ({"question": 5}, "poll.text"),
        ({"question": "x" * 501}, "poll.text"),
        ({"question": "a\nb"}, "poll.text"),
        ({"question": "\U0010ffff"}, "poll.text"),
        ({"description": "x" * 5001}, "poll.text"),
        ({"description": "a\rb"}, "poll.text"),
        ({"candidates": "Ann"}, "name.number"),
        ({"candidates": {}}, "name.number"),
        ({"candidates": [""] * 65}, "name.number"),
        ({"candidates": ["Ann", "Ann", ""]}, "name.duplicate"),
        ({"candidates": ["", "Ann", "Ann"]}, "name.length"),
        ({"candidates": ["Ann", None, "Cem"]}, "name.length"),
        ({"candidates": ["\u2028", "x" * 201, "Cem"]}, "name.character"),
        ({"candidates": ["Ann", "Bob"]}, "poll.candidates"),
        ({"mechanism": "duel"}, "parameters.member"),
        ({"mechanism": canonical(PARAMETERS).decode()}, "parameters.member"),
        ({"mechanism": {**PARAMETERS, "mechanism": "dual"}}, "parameters.mechanism"),
        ({"mechanism": {**PARAMETERS, "epsilon": "11"}}, "parameters.epsilon"),
        ({"seats": 3}, "poll.seats"),
        ({"seats": "1"}, "poll.seats"),
        ({"access": 5}, "poll.access"),
        ({"changes": False}, "poll.changes"),
        ({"partial": 0}, "poll.partial"),
        ({"turnout": 10**9 + 1}, "poll.turnout"),
        ({"live": False}, "poll.live"),
        ({"live": 10**9 + 1}, "poll.live"),
        ({"server": SERVER.hex().upper()}, "poll.server"),
    ],
)
def test_a_value_out_of_its_limits_is_refused(members, code):
    assert code_of(changed(POLL, **members)) == code


@pytest.mark.parametrize(
    "members",
    [
        {"question": "x" * 500},
        {"description": "é\n" * 2500},
        {"candidates": ["x" * 200, "y", "z"]},
        {"seats": 2},
        {"access": "link"},
        {"changes": 16},
        {"turnout": 10**9},
        {"live": 20},
        {"question": "\ue000\U000e1000"},
    ],
)
def test_values_at_their_limits_are_taken(members):
    assert code_of(changed(POLL, **members)) is None


def test_a_poll_of_questions_needs_codes_and_the_right_key():
    poll = poll_of("challenge")
    assert code_of(changed(poll, access="link")) == "poll.access"
    assert code_of(changed(poll, id="0" * 32)) == "poll.key"
    parameters = json.loads(poll.text)["mechanism"]
    assert code_of(changed(poll, mechanism={**parameters, "key": ""})) == "poll.key"
    assert code_of(changed(poll, mechanism={**parameters, "key": ""}, seats=9)) == "poll.key"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"seats":1', '"seats":1.0', "poll.canonical"),
        ('"seats":1', '"seats":1e0', "poll.canonical"),
        ('"seats":1', '"seats":01', "poll.json"),
        ('"seats":1', '"seats":-0', "poll.canonical"),
        ('"seats":1', '"seats":NaN', "poll.json"),
        ('"seats":1', '"seats":-Infinity', "poll.json"),
        ('"seats":1', '"seats":9007199254740992', "poll.canonical"),
        ('"seats":1', '"seats":' + "9" * 5000, "poll.canonical"),
        ('"seats":1', '"seats":1e400', "poll.canonical"),
        ('"seats":1', '"seats":1,"seats":1', "poll.canonical"),
        ('"seats":1', f'"seats":{"[" * 50_000}{"]" * 50_000}', "poll.canonical"),
        ('"seats":1', f'"seats":{"[" * 50_000}{"]" * 49_999}', "poll.json"),
        ('"seats":1', f'"seats":{"[" * 50_000}1 1{"]" * 50_000}', "poll.json"),
        ('"seats":1', f'"seats":1{"[" * 50_000}{"]" * 50_000}', "poll.json"),
        ('"seats":1', f'"seats":{"[" * 50_000}{"]" * 50_001}', "poll.json"),
        ('"seats":1', f'"seats":{"[" * 32 + "]" * 32}', "poll.seats"),
        ('"seats":1', f'"seats":{"[" * 31 + "1" + "]" * 31}', "poll.seats"),
        ('"seats":1', f'"seats":{"[" * 32 + "1" + "]" * 32}', "poll.canonical"),
        ('"seats":1', f'"seats":{"[" * 33 + "]" * 33}', "poll.canonical"),
        ('"seats":1', '"seats": 1', "poll.canonical"),
        ("Who", r"\u0057ho", "poll.canonical"),
        ("Who", r"\ud800", "poll.canonical"),
        ("Who", "\ud800", "poll.canonical"),
        ("Who", "\ud83d\ude00", None),
        ("Who", "W\x01ho", "poll.json"),
        ("Who", r"\x", "poll.json"),
        ("{", "\ufeff{", "poll.json"),
        ("}", "}\n", "poll.canonical"),
    ],
)
def test_a_text_that_is_not_canonical_is_refused(old, new, code):
    text = POLL.text.replace(old, new, 1)
    assert text != POLL.text
    assert code_of(text) == code


def test_bytes_that_are_no_text_are_refused():
    assert code_of(POLL.text.encode().replace(b"Who", b"\xff")) == "poll.json"
    assert code_of(POLL.text.encode("utf-16")) == "poll.json"
    assert code_of("") == "poll.json"
    assert code_of(None) == "poll.json"


def test_sizes_count_bytes():
    long = changed(POLL, description="\U0001f600" * 5000)
    assert code_of(long) is None
    room = (1 << 18) - 2
    assert code_of('"' + "é" * (room // 2) + '"') == "poll.member"
    assert code_of('"' + "é" * (room // 2) + 'x"') == "poll.size"
    assert code_of('"' + "\ud800" * (room // 3) + '"') == "poll.canonical"
    assert code_of('"' + "\ud800" * (room // 3 + 1) + '"') == "poll.size"
    assert code_of('"' + "\ud83d\ude00" * (room // 4) + '"') == "poll.member"


@pytest.mark.parametrize("digest", ["", "0" * 64, POLL.digest.upper(), POLL.digest + "\n", 5])
def test_another_digest_is_refused(digest):
    assert code_of(POLL.text, digest) == "poll.digest"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(member=st.sampled_from(list(json.loads(POLL.text))), value=JSON)
def test_no_value_of_any_member_breaks_a_reader(member, value):
    """Either it is the same poll in other words, or it is refused with a code."""
    text = changed(POLL, **{member: value})
    code = code_of(text)
    assert code is None or "." in code
    if code is None:
        assert hv.Poll.load(text).text == text


@given(at=st.integers(0, len(POLL.text) - 1), new=st.characters())
def test_a_changed_character_never_goes_unnoticed(at, new):
    text = POLL.text[:at] + new + POLL.text[at + 1 :]
    if text != POLL.text:
        assert code_of(text, POLL.digest) == "poll.digest"
        if code_of(text) is None:
            assert hv.Poll.load(text).digest != POLL.digest


# --- drawing --------------------------------------------------------------------------------------


def stream(n=4000):
    return bytes(hashlib.shake_256(b"a stream").digest(n))


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_poll_draws_as_its_mechanism_does(name):
    poll = poll_of(name)
    question = bytes(range(32)) if poll.mechanism.needs_question else None
    drawn = poll.draw([2, 0, 1], FixedBits(stream()), question)
    assert drawn.ranking == (2, 0, 1)
    assert drawn.report == poll.mechanism.draw([2, 0, 1], FixedBits(stream()), question)
    assert poll.words(drawn.report) == poll.mechanism.words(drawn.report, NAMES[:3])
    poll.mechanism.domain.check(poll.draw([0, 1, 2], question=question).report)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("ranking", [[3], [1, 3], [0, 2, 1], [3, 2, 1, 0]])
def test_every_draw_of_a_poll_of_partial_rankings_begins_with_all_candidates(name, ranking):
    poll = poll_of(name, 4, partial=True)
    question = bytes(32) if poll.mechanism.needs_question else None
    bits = FixedBits(stream())
    drawn = poll.draw(ranking, bits, question)
    same = FixedBits(stream())
    order = [*ranking, *(j for j in distinct(4, 4, same) if j not in ranking)]
    assert drawn.ranking == tuple(order)
    assert drawn.report == poll.mechanism.draw(order, same, question)
    assert bits.used == same.used


def test_bytes_do_not_show_how_many_were_ranked():
    poll = poll_of("laplace", 4, partial=True)
    used = set()
    for ranking in ([0], [3, 1], [0, 1, 2], [3, 2, 1, 0]):
        bits = FixedBits(stream())
        poll.draw(ranking, bits)
        used.add(bits.used)
    assert len(used) == 1


@pytest.mark.parametrize(
    ("ranking", "code"),
    [
        ([], "ranking.length"),
        ([0, 1, 2, 0], "ranking.length"),
        ([[0, 1, 2]], "ranking.length"),
        ([0, 0], "ranking.duplicate"),
        ([0, 0, 3], "ranking.candidate"),
        ([0, 3], "ranking.candidate"),
        ([-1], "ranking.candidate"),
        ([0.5], "ranking.candidate"),
        (["0"], "ranking.candidate"),
        ([True], "ranking.candidate"),
        ([float("nan")], "ranking.candidate"),
        ([None], "ranking.candidate"),
    ],
)
def test_a_partial_ranking_names_different_candidates(ranking, code):
    with pytest.raises(hv.RankingError) as caught:
        poll_of(partial=True).draw(ranking, FixedBits(b""))
    assert caught.value.code == code


def test_whole_numbers_of_any_kind_are_candidates():
    poll = poll_of(partial=True)
    for ranking in ([1.0, 2], np.array([1, 2], dtype=np.uint8), [np.int64(1), 2], (1, 2)):
        assert poll.draw(ranking).ranking == (1, 2, 0)


def test_a_short_ranking_is_refused_where_none_is_allowed():
    with pytest.raises(hv.RankingError) as caught:
        poll_of().draw([0, 1], FixedBits(b""))
    assert caught.value.code == "ranking.length"


def test_questions_are_asked_for_where_they_are_needed():
    with pytest.raises(hv.PollError) as caught:
        poll_of("challenge").draw([0, 1, 2], FixedBits(b""))
    assert caught.value.code == "question.missing"
    with pytest.raises(hv.PollError) as caught:
        poll_of(partial=True).draw([0, 1, 2], FixedBits(b""), bytes(32))
    assert caught.value.code == "question.needless"
    with pytest.raises(hv.PollError) as caught:
        poll_of("challenge").draw([0, 1, 2], FixedBits(b""), bytes(31))
    assert caught.value.code == "question.hash"

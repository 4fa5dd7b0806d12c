"""Answers of servers are taken in their form only, whatever a server says."""

import copy
import json

import pytest

from hushvote.client.answers import Told, listed_polls
from hushvote.client.server import RemoteError

GOOD = {
    "id": "0" * 32,
    "digest": "ab" * 32,
    "state": "open",
    "closes": 1_800_000_000,
    "standing": 3,
    "casts": 4,
    "changes": 1,
    "withdrawals": 1,
    "erasures": 0,
    "log": [{"at": 1_700_000_000, "event": "opened", "closes": 1_800_000_000}],
    "codes": {"issued": 10, "used": 4, "revoked": 1},
    "crowd_epsilon": 0.5,
}
WRONG = (None, True, "x", -1, 1.5, [], {}, [[]], 1 << 70)


def test_a_good_answer_is_read():
    told = Told.read(GOOD)
    assert (told.closed, told.closes, told.kept_until) == (False, 1_800_000_000, None)
    assert told.numbers["standing"] == 3
    assert told.codes == GOOD["codes"]
    assert Told.read({**GOOD, "kept_until": 1_900_000_000}).kept_until == 1_900_000_000
    assert Told.read({**GOOD, "later": "member"}) == told


@pytest.mark.parametrize("member", ["state", "closes", "standing", "erasures", "log", "digest"])
def test_every_other_form_is_refused(member):
    right = type(GOOD[member])
    for value in WRONG:
        if isinstance(value, right) and not (right is int and value in (True, -1, 1 << 70)):
            continue
        with pytest.raises(RemoteError, match="not in its form"):
            Told.read({**GOOD, member: value})
    with pytest.raises(RemoteError):
        Told.read({name: value for name, value in GOOD.items() if name != member})


@pytest.mark.parametrize(
    "event", [7, {}, {"event": "x"}, {"at": 1}, {"at": "1", "event": "x"}, {"at": 1, "event": []}]
)
def test_every_line_of_the_log_has_a_time_and_a_name(event):
    with pytest.raises(RemoteError):
        Told.read({**GOOD, "log": [event]})


@pytest.mark.parametrize("value", [7, "x", [], {}, {"issued": 1}, {"issued": -1, "used": 0}])
def test_numbers_of_codes_are_numbers(value):
    with pytest.raises(RemoteError):
        Told.read({**GOOD, "codes": value})


@pytest.mark.parametrize("found", [None, 7, "x", [], [GOOD]])
def test_what_is_no_object_is_no_answer(found):
    with pytest.raises(RemoteError):
        Told.read(found)
    with pytest.raises(RemoteError):
        listed_polls(found)


def test_ids_of_listed_polls_are_ids():
    row = {
        "id": "0" * 32,
        "digest": "ab" * 32,
        "question": "?",
        "access": "link",
        "state": "open",
        "closes": 1,
    }
    assert listed_polls({"polls": [row]}) == [row]
    for name, value in (("id", "../../x"), ("id", "[red]"), ("digest", ""), ("question", 7)):
        other = copy.deepcopy(row)
        other[name] = value
        with pytest.raises(RemoteError):
            listed_polls({"polls": [row, other]})


def test_a_refusal_names_the_member_and_nothing_of_its_value():
    with pytest.raises(RemoteError) as caught:
        Told.read({**GOOD, "closes": "\x1b[2Jsecret"})
    assert "'closes'" in str(caught.value)
    assert "secret" not in str(caught.value) + json.dumps(caught.value.values)

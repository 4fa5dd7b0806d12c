"""What a poll would promise and decide, asked of a server before the poll is made."""

import asyncio
import contextlib
import json
import math
import select
import socket
import time

import pytest

import hushvote as hv
from hushvote.naming import rule_of
from hushvote.planning import Plan, voters_needed
from hushvote.server.api import reading
from hushvote.server.designing import PLANNING
from hushvote.server.prospects import Kept, Prospect, Question, prospect
from tests.serving import refused, serving

PLANS = "/api/v1/plans"
ASKED = {"candidates": 4, "voters": 500, "epsilons": ["1", "3", "5"], "turnout": 250}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    with serving(store) as server, server.client() as made:
        yield made


def plans(client, **changed):
    answer = client.post(PLANS, json={**ASKED, **changed})
    assert answer.status_code == 200, answer.text
    return answer.json()["plans"]


def test_plans_are_what_the_library_computes(client):
    found = plans(client)
    assert [one["epsilon"] for one in found] == [1, 3, 5]
    for one in found:
        made = hv.mechanism("duel", rule_of("borda", 4), str(one["epsilon"]))
        assert one["lead"] == Plan(made, 500, 0.0).with_voters(500).lead
        assert one["plenty"] == voters_needed(made, one["most"] / 2)
        crowd = min(one["epsilon"], hv.shuffled_epsilon(made, 250))
        assert crowd <= one["crowd_epsilon"] <= min(one["epsilon"], 1.01 * crowd)
        assert math.exp(one["epsilon"]) <= one["odds"] <= 1.01 * math.exp(one["epsilon"])
        assert (one["low"], one["high"]) == (0, 3)


def test_more_epsilon_and_more_voters_certify_a_smaller_lead(client):
    leads = [one["lead"] for one in plans(client)]
    assert leads == sorted(leads, reverse=True)
    assert plans(client, voters=5000)[0]["lead"] < leads[0]


def test_a_poll_that_is_too_small_says_how_many_voters_would_do(client):
    (found,) = plans(client, voters=30, epsilons=["1"], turnout=20)
    assert found["lead"] is None
    (enough,) = plans(client, voters=found["plenty"], epsilons=["1"])
    assert found["plenty"] > 30
    assert enough["lead"] <= enough["most"] / 2


def test_a_poll_by_link_promises_no_crowd_epsilon(client):
    assert [one["crowd_epsilon"] for one in plans(client, access="link")] == [None] * 3


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"candidates": 1}, "api.form"),
        ({"candidates": 65}, "api.form"),
        ({"voters": 0}, "api.form"),
        ({"epsilons": []}, "api.form"),
        ({"epsilons": ["1"] * 5}, "api.form"),
        ({"epsilons": ["0"]}, "parameters.epsilon"),
        ({"epsilons": ["x"]}, "parameters.epsilon"),
        ({"seats": 4}, "result.seats"),
        ({"access": "x"}, "poll.access"),
        ({"turnout": 19}, "poll.turnout"),
        ({"rule": "x"}, "rule.unknown"),
        ({"more": 1}, "api.form"),
    ],
)
def test_what_is_no_poll_is_refused(client, changed, code):
    assert refused(client.post(PLANS, json={**ASKED, **changed})) == (400, code)


def test_what_nobody_waits_for_any_more_is_not_computed():
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append("work")

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    with pytest.raises(reading.Gone):
        asyncio.run(reading.while_wanted(receive, work()))
    assert ended == ["work"]


def test_an_answer_that_is_there_first_is_given():
    async def work() -> int:
        return 7

    async def receive() -> dict[str, str]:
        await asyncio.sleep(3600)
        raise AssertionError

    assert asyncio.run(reading.while_wanted(receive, work())) == 7


def test_what_is_known_is_not_computed_again():
    kept = Kept(most=2)
    asked = [Question(3, n, "1") for n in (100, 200, 300)]
    found = prospect(asked[0])
    assert isinstance(found, Prospect)
    kept.put(asked[0], found)
    kept.put(asked[1], found)
    assert kept.get(asked[0]) is found
    kept.put(asked[2], found)
    assert kept.get(asked[1]) is None
    assert kept.get(asked[0]) is found


def test_plans_that_nobody_waits_for_make_room_for_others(client):
    """Together they would take far longer than what is waited for here."""
    place = (client.base_url.host, client.base_url.port)
    with contextlib.ExitStack() as leaving:
        lines = [
            leaving.enter_context(socket.create_connection(place)) for _ in range(PLANNING + 1)
        ]
        for number, line in enumerate(lines):
            epsilons = [f"{k}.{number + 1}" for k in range(1, 5)]
            heavy = json.dumps({"candidates": 64, "voters": 1000, "epsilons": epsilons})
            head = f"POST {PLANS} HTTP/1.1\r\nHost: {place[0]}\r\nContent-Length: {len(heavy)}\r\n"
            line.sendall(f"{head}Content-Type: application/json\r\n\r\n{heavy}".encode())
        (refusal, *_), _, _ = select.select(lines, [], [], 30)
        assert b" 503 " in refusal.recv(100)  # so all others are waited for
    statuses, end = set(), time.monotonic() + 20
    while 200 not in statuses:
        assert time.monotonic() < end
        statuses.add(client.post(PLANS, json={**ASKED, "voters": 777}).status_code)
    assert statuses <= {200, 503}


def test_a_network_asks_for_so_many_plans_an_hour(client):
    asked = {**ASKED, "epsilons": ["1"]}
    statuses = {client.post(PLANS, json=asked).status_code for _ in range(1200)}
    assert statuses == {200, 429}

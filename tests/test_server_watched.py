"""Whoever watches a poll while it is open does not see the moment at which somebody votes."""

import sqlite3
import time
from contextlib import closing

import pytest

from hushvote.poll.codes import new_code
from tests.serving import Remote, refused, serving

SHOWN = ("standing", "casts", "changes", "withdrawals", "erasures")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "polls.db"


@pytest.fixture(scope="module")
def server(store):
    with serving(store, "--open", "--creations", "0") as one:
        yield one


def wait_for_a_quiet_moment() -> None:
    """So that no hour begins within the test."""
    if 3600 - time.time() % 3600 < 60:
        time.sleep(61)


def an_hour_later(store, remote: Remote) -> None:
    """As if all that was counted so far had come in the hour before."""
    with closing(sqlite3.connect(store, timeout=10)) as db, db:
        db.execute("UPDATE hours SET hour = hour - 1 WHERE poll = ?", (remote.poll.id,))


@pytest.mark.parametrize("access", ["link", "codes"])
def test_what_everybody_sees_of_an_open_poll_moves_by_the_hour(client, store, access):
    wait_for_a_quiet_moment()
    hour = int(time.time()) // 3600 * 3600
    remote = Remote.create(client, access=access)
    codes = remote.issue(25) if access == "codes" else [None] * 25
    voters = [remote.voter(code) for code in codes]

    def public() -> dict:
        return client.get(remote.path).json()

    nobody = public()
    assert [nobody[name] for name in SHOWN] == [0] * 5
    assert nobody["as_of"] == hour
    for voter in voters[:23]:
        voter.cast()
    voters[0].change()
    voters[1].withdraw()
    assert public() == nobody  # to the last member, log and codes too
    exact = remote.told()
    assert [exact[name] for name in SHOWN] == [22, 23, 1, 1, 0]
    assert exact["as_of"] is None
    assert exact["hours"] == [{"at": hour, "casts": 23}]
    an_hour_later(store, remote)
    voters[23].cast()
    later = public()
    assert [later[name] for name in SHOWN] == [22, 23, 1, 1, 0]
    exact = remote.told()
    before = {"at": hour - 3600, "casts": 23}
    assert exact["hours"] == [before, {"at": hour, "casts": 1}]
    if access == "codes":
        assert (later["codes"]["used"], remote.told()["codes"]["used"]) == (23, 24)
    assert remote.own("POST", "/close").status_code == 200
    last = public()
    assert [last[name] for name in SHOWN] == [23, 24, 1, 1, 0]
    assert last["as_of"] is None
    assert nobody["hours"] is later["hours"] is last["hours"] is None


def test_only_the_organiser_gets_exact_numbers(client):
    remote, other = Remote.create(client), Remote.create(client)
    remote.voter().cast()
    for key in (other.key.hex(), "00", "5e" * 32, new_code()):
        answer = client.get(remote.path, headers={"Authorization": f"Bearer {key}"})
        assert refused(answer) == (401, "api.key")
    assert client.get(remote.path).json()["casts"] == 0


def test_no_refusal_of_an_open_poll_tells_how_many_have_voted(client):
    remote = Remote.create(client, live=20, turnout=25)
    paths = ("/result", "/board", "/export")

    def told() -> list[bytes]:
        return [client.get(remote.path + path, headers=remote.bearer).content for path in paths]

    before = told()
    for _ in range(24):
        remote.voter().cast()
        assert told() == before
    remote.voter().cast()
    assert told() != before

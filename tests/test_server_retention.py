"""Closed polls are deleted when their days are over, whatever happens to the clock."""

import asyncio
import time
from dataclasses import dataclass

import pytest

import hushvote as hv
from hushvote.server import publishing
from hushvote.server.retention import DAY, SURE, Retention
from hushvote.server.service import Service, Settings
from tests.held_polls import Keeping, voted
from tests.keeping import a_poll, event, opened
from tests.polls import poll_of
from tests.serving import Remote, serving
from tests.test_server_api_starting import started

ENDED = 1_800_000_000
IDS = ["0a" * 16, "0b" * 16]


@dataclass
class Clocks:
    """The clock, which may be wrong, and the steady one, which never is."""

    now: float = ENDED
    steady: float = 1000.0

    def pass_by(self, seconds: float) -> None:
        self.now += seconds
        self.steady += seconds

    def retention(self, days: int) -> Retention:
        return Retention(days, lambda: self.now, lambda: self.steady)


@pytest.fixture
def store(store_url):
    """A closed and an open poll."""
    with opened(store_url) as made:
        for id in IDS:
            made.create(a_poll(id, closes=ENDED + 5), event("created"))
        made.close(IDS[0], {"at": ENDED, "event": "closed"})
        yield made


def looks(clocks, retention, store, seconds, step=600.0):
    """The polls that are to be deleted after so much time, if it is asked for all the while."""
    while seconds > 0:
        clocks.pass_by(min(step, seconds))
        seconds -= step
        found = [one.id for one in retention.due(store)]
        if found:
            return found
    return []


def test_a_closed_poll_is_due_after_its_days_and_some_hours_and_an_open_one_never(store):
    clocks = Clocks()
    retention = clocks.retention(3)
    assert looks(clocks, retention, store, 3 * DAY + SURE - 600) == []
    assert looks(clocks, retention, store, 1200) == [IDS[0]]
    assert looks(clocks, clocks.retention(0), store, 300 * DAY, DAY) == []


def test_everybody_can_know_beforehand_until_when_a_poll_is_kept(store):
    retention = Clocks().retention(3)
    assert retention.kept_until(store.poll(IDS[0])) == ENDED + 3 * DAY
    assert retention.kept_until(store.poll(IDS[1])) == ENDED + 5 + 3 * DAY
    assert Clocks().retention(0).kept_until(store.poll(IDS[0])) is None


@pytest.mark.parametrize("jump", [60.0, 3600.0, SURE - 1200])
def test_a_clock_that_jumps_a_year_ahead_for_a_while_deletes_nothing(store, jump):
    clocks = Clocks()
    retention = clocks.retention(90)
    for _ in range(20):
        clocks.now += 365 * DAY
        assert looks(clocks, retention, store, jump, step=60.0) == []
        clocks.now -= 365 * DAY
        assert looks(clocks, retention, store, 600) == []


def test_a_clock_that_is_set_back_only_puts_it_off(store):
    clocks = Clocks()
    retention = clocks.retention(3)
    assert looks(clocks, retention, store, 3 * DAY + SURE / 2) == []
    clocks.now -= 30 * DAY
    assert looks(clocks, retention, store, 20 * DAY, step=3600.0) == []
    clocks.now += 30 * DAY
    assert looks(clocks, retention, store, SURE - 600) == []
    assert looks(clocks, retention, store, 1200) == [IDS[0]]


def test_after_a_restart_the_clock_has_to_say_it_for_hours_again(store):
    clocks = Clocks()
    assert looks(clocks, clocks.retention(1), store, DAY + SURE - 600) == []
    again = clocks.retention(1)
    assert looks(clocks, again, store, SURE - 600) == []
    assert looks(clocks, again, store, 1200) == [IDS[0]]


def test_a_server_deletes_what_is_due_with_its_board_and_nothing_else(store_url, tmp_path):
    poll, clocks = poll_of("duel", 3, access="link"), Clocks()
    keeping = Keeping.begin(store_url, poll)
    keeping.pour(voted(poll, 30))
    keeping.close()
    other = hv.Poll.create("Who?", poll.candidates, poll.mechanism, server=poll.server)
    assert keeping.store.create(
        a_poll(other.id, closes=2_000_000_000), {"at": ENDED, "event": "opened"}
    )

    async def served() -> None:
        service = Service(keeping.store, Settings(keep=2))
        service.retention = clocks.retention(2)
        service.retention._over = {}
        path = await service.count(publishing.board, service.store, keeping.kept)
        clocks.now = keeping.kept.ended + 2 * DAY
        await service.delete_due()
        assert path.exists()
        clocks.pass_by(SURE - 1)
        await service.delete_due()
        assert path.exists()
        clocks.pass_by(1)
        await service.delete_due()
        assert not path.exists()
        assert [one.id for one in service.store.polls()] == [other.id]
        digest, day = service.store.deleted(poll.id)
        assert (digest.hex(), len(day)) == (poll.digest, 10)
        await service.finish()

    asyncio.run(served())


@pytest.mark.slow
def test_the_days_are_in_what_everybody_can_ask_for(tmp_path):
    for options, days in [((), 90), (("--keep", "7"), 7), (("--keep", "0"), None)]:
        store = tmp_path / f"{days}.db"
        with serving(store, "--open", *options) as server, server.client() as client:
            remote = Remote.create(client)
            told = remote.told()
            expected = None if days is None else told["closes"] + days * DAY
            assert told["kept_until"] == expected
            before = int(time.time())
            assert remote.own("POST", "/close").status_code == 200
            until = remote.told()["kept_until"]
            assert until is expected or before <= until - days * DAY <= time.time()


@pytest.mark.slow
@pytest.mark.parametrize("days", ["-1", "99999999"])
def test_days_that_are_none_are_refused(tmp_path, days):
    done = started("--store", str(tmp_path / "polls.db"), "--keep", days)
    assert done.returncode == 2
    assert "--keep takes a number of days" in done.stderr.replace("\n", " ")

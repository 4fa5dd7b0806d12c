"""First loads, as browsers see them: small, quick on a slow device, and of this server alone."""

from collections.abc import Callable

import pytest

from tests.ballots import WANTED, link, voter
from tests.browsing import needs_chromium
from tests.result_states import closed
from tests.serving import Remote, serving

pytestmark = [pytest.mark.slow, needs_chromium]
BUDGET = 60_000  # bytes of a first load in all: page, script, style, icon, and what the script asks
SECOND = 1.0
SLOWER = 4


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    with serving(store, "--open", "--creations", "0", "--casts", "0") as running:
        yield running


@pytest.fixture(scope="module")
def polls(client):
    """An open poll of eight candidates with codes, and a closed one."""
    names = [f"Candidate {k}" for k in range(8)]
    going = Remote.create(client, **{**WANTED, "candidates": names, "access": "codes"})
    return going, closed(client, 20)[0]


Address = Callable[[str, Remote, Remote], str]
PAGES: dict[str, tuple[str, Address]] = {
    "home": ("#link", lambda at, going, over: at),
    "create": (".preview", lambda at, going, over: f"{at}/new"),
    "ballot": (".row", lambda at, going, over: link(at, going)),
    "organiser": ("#turnout", lambda at, going, over: f"{at}/o/{over.poll.id}#{over.key.hex()}"),
    "result": (".rows", lambda at, going, over: f"{at}/p/{over.poll.id}/result"),
    "board": (
        "#count",
        lambda at, going, over: f"{at}/p/{over.poll.id}/board#{over.poll.digest}",
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_first_load_is_small_and_of_this_server_alone(browser, server, polls, page):
    ready, address = PAGES[page]
    loaded: list[float] = []
    with voter(browser) as one:
        session = one.visit.context.new_cdp_session(one.page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda told: loaded.append(told["encodedDataLength"]))
        one.open(address(server.address, *polls))
        one.page.locator(ready).first.wait_for()
        one.page.wait_for_load_state("networkidle")
        assert len(loaded) >= 3
        assert sum(loaded) < BUDGET
        assert all(url.startswith(server.address) for url in one.visit.asked)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_used_within_a_second_on_a_slow_device(browser, server, polls, page):
    """On a processor of a quarter of this one's speed. What counts is the time that the processor
    spends on the page, which does not depend on what else this machine does; the network is
    loopback.
    """
    ready, address = PAGES[page]
    with voter(browser) as one:
        session = one.visit.context.new_cdp_session(one.page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        one.open(address(server.address, *polls))
        one.page.locator(ready).first.wait_for()
        told = session.send("Performance.getMetrics")["metrics"]
        spent = {each["name"]: each["value"] for each in told}["TaskDuration"]
        assert 0.001 < spent < SECOND / SLOWER

"""The board in a browser: find a receipt without telling which, count the poll again."""

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.server.publishing import longest_prefix
from tests.ballots import Voter, voter
from tests.browsing import needs_chromium
from tests.held_polls import Keeping, voted
from tests.polls import poll_of
from tests.result_states import closed, erased, polled
from tests.serving import Remote, serving
from tests.sights import everywhere, looking, needs_axe

pytestmark = [pytest.mark.slow, needs_chromium, needs_axe]
HOLDS = "reports were counted again, and the result is the published one."


MANY = 20_000
LARGE = poll_of(d=4, access="codes", turnout=20)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    keeping = Keeping.begin(store, LARGE)
    keeping.pour(voted(LARGE, MANY))
    keeping.close()
    keeping.store.shut()
    limits = ("--creations", "0", "--casts", "0", "--erasures", "0")
    with serving(store, "--open", *limits) as running:
        yield running


@pytest.fixture(scope="module")
def small(client):
    """A closed poll of 40, two of them erased, and its voters."""
    return erased(client)


def address(server: Any, remote: Remote, receipt: str = "") -> str:
    end = f".{receipt}" if receipt else ""
    return f"{server.address}/p/{remote.poll.id}/board#{remote.poll.digest}{end}"


def board_of(remote: Remote) -> list[str]:
    return remote.client.get(f"{remote.path}/board").text.splitlines()


def count_again(one: Voter) -> None:
    one.press("Count again")
    checked = one.page.get_by_role("heading", name="What was checked")
    expect(checked).to_be_visible(timeout=60_000)


def test_the_receipts_qr_code_leads_to_ones_own_sentence(browser, server, small):
    remote, voters = small
    receipt = voters[5].credential.receipt.hex()
    with voter(browser) as one:
        one.open(address(server, remote, receipt))
        expect(one.page.get_by_text("Your receipt is on the board.").first).to_be_visible()
        assert "#" not in one.page.url
        assert re.fullmatch(r"I put .+ over .+\.", one.page.locator(".quoted").inner_text())
        one.page.get_by_text("The line of the board").click()
        line = next(one for one in board_of(remote) if f'"receipt":"{receipt}"' in one)
        assert one.page.locator("details pre").inner_text() == line
        assert not [url for url in one.visit.asked if receipt[:8] in url]


def test_a_receipt_that_is_not_there_is_said_to_be_missing(browser, server, small):
    remote, voters = small
    with voter(browser) as one:
        one.open(address(server, remote, voters[0].credential.receipt.hex()))
        expect(one.page.get_by_text("Your receipt is not on the board.").first).to_be_visible()
        assert "Here their number is 2." in one.text()
        one.page.get_by_role("textbox").fill("abc")
        one.press("Find it")
        expect(one.page.get_by_text("This has 3 of them.").first).to_be_visible()
        typed = voters[7].credential.receipt.hex().upper()
        spaced = " ".join(typed[k : k + 8] for k in range(0, 64, 8))
        one.page.get_by_role("textbox").fill(spaced)
        one.page.keyboard.press("Enter")
        expect(one.page.get_by_text("Your receipt is on the board.").first).to_be_visible()


def test_a_receipt_that_was_changed_leads_to_the_next(browser, server, client):
    remote, voters = polled(client, 24)
    before = voters[0].credential.receipt.hex()
    found: Acknowledgement = voters[0].change()
    gone = voters[1].credential.receipt.hex()
    voters[1].withdraw()
    assert remote.own("POST", "/close").status_code == 200
    with voter(browser) as one:
        one.open(address(server, remote, before))
        expect(one.page.get_by_text("The board names the receipt").first).to_be_visible()
        assert one.page.locator(".answer .hex").inner_text() == found.receipt
        one.page.get_by_role("textbox").fill(gone)
        one.press("Find it")
        expect(one.page.get_by_text("It was withdrawn").first).to_be_visible()


def test_on_a_large_board_only_the_beginning_of_a_receipt_is_sent(browser, server, client):
    assert longest_prefix(MANY) == 2
    path = f"/api/v1/polls/{LARGE.id}/board"
    receipt = json.loads(client.get(path).text.splitlines()[MANY // 2])["receipt"]
    with voter(browser) as one:
        one.open(f"{server.address}/p/{LARGE.id}/board#{LARGE.digest}.{receipt}")
        expect(one.page.get_by_text("Your receipt is on the board.").first).to_be_visible()
        asked = [url for url in one.visit.asked if "/board?" in url]
        assert asked == [f"{server.address}{path}?prefix={receipt[:2]}"]


WATCHED = """
window.longest = 0;
window.seen = new Set();
new PerformanceObserver(list => {
  for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({ type: 'longtask' });
new MutationObserver(() => {
  const bar = document.querySelector('progress');
  if (bar) window.seen.add(bar.value);
}).observe(document, { childList: true, subtree: true, characterData: true });
"""


def test_a_long_board_is_counted_in_short_pieces_with_progress(browser, server):
    with voter(browser) as one:
        one.open(f"{server.address}/p/{LARGE.id}/board#{LARGE.digest}")
        one.page.evaluate(f"() => {{ {WATCHED} }}")
        began = time.perf_counter()
        count_again(one)
        took = 1000 * (time.perf_counter() - began)
        assert f"All {MANY:,} {HOLDS}" in one.text()
        between = [n for n in one.page.evaluate("[...window.seen]") if 0 < n < MANY]
        assert len(between) >= 5
        assert one.page.evaluate("window.longest") < max(100, took / 3)


@pytest.mark.parametrize("mechanism", ["duel", "additive", "laplace", "weighted-sampling"])
def test_the_whole_poll_is_counted_again_in_the_browser(browser, server, client, mechanism):
    remote, _ = closed(client, 30, mechanism=mechanism)
    published = client.get(f"{remote.path}/result").json()
    with voter(browser) as one:
        one.open(address(server, remote))
        count_again(one)
        assert f"All 30 {HOLDS}" in one.text()
        assert one.page.locator(".sign.good").count() == 7
        rows = one.page.locator(".scores tr")
        assert rows.count() == remote.poll.d
        best = published["candidates"][0]
        assert rows.first.inner_text().split("\t") == [best["candidate"], f"{best['score']:.4f}"]


def test_a_challenge_is_counted_again_with_its_questions(browser, server, client):
    remote, _ = closed(client, 30, mechanism="challenge", access="codes")
    with voter(browser) as one:
        one.open(address(server, remote))
        count_again(one)
        assert f"All 30 {HOLDS}" in one.text()


def test_erased_entries_keep_the_tree_whole(browser, server, small):
    remote, _ = small
    with voter(browser) as one:
        one.open(address(server, remote))
        count_again(one)
        assert f"All 38 {HOLDS}" in one.text()


def swapped(lines: list[str]) -> list[str]:
    """Two entries in each other's place; erased ones have no order to be seen."""
    one, other = [k for k, line in enumerate(lines) if '"salt"' in line][-2:]
    places = {one: other, other: one}
    return [lines[places.get(k, k)] for k in range(len(lines))]


def salted(lines: list[str]) -> list[str]:
    """Another salt in one entry; erased ones have none."""
    last = max(k for k, line in enumerate(lines) if '"salt"' in line)
    return [re.sub(r'"salt":"..', '"salt":"zz', x) if k == last else x for k, x in enumerate(lines)]


LIES = {
    "one line less": (lambda lines: lines[:-1], "another root"),
    "two lines in another order": (swapped, "is damaged"),
    "another number of casts": (
        lambda lines: [lines[0].replace('"casts":', '"casts":1'), *lines[1:]],
        "signature of the board is wrong",
    ),
    "another salt": (salted, "is damaged"),
    "another header": (lambda lines: ["{}", *lines[1:]], "Line 1 is damaged"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_board_that_was_changed_does_not_hold(browser, server, small, lie):
    remote, _ = small
    change, says = LIES[lie]
    lines = change(board_of(remote))

    def lying(route: Route) -> None:
        route.fulfill(body="\n".join(lines) + "\n", content_type="application/jsonl")

    with voter(browser) as one:
        one.page.route(f"**{remote.path}/board", lying)
        one.open(address(server, remote))
        count_again(one)
        assert "The board does not hold." in one.text()
        assert says in one.text()
        assert HOLDS not in one.text()


UNREADABLE = {
    "no text": b"\xff\xfe\x00board",
    "a page of a proxy": b"<html><h1>Good evening</h1></html>\n",
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_board_that_cannot_be_read_is_not_said_to_be_a_silent_server(
    browser, server, small, kind
):
    remote, voters = small

    def lying(route: Route) -> None:
        route.fulfill(body=UNREADABLE[kind], content_type="application/jsonl")

    with voter(browser) as one:
        one.page.route(f"**{remote.path}/board", lying)
        one.open(address(server, remote, voters[5].credential.receipt.hex()))
        said = one.page.get_by_text("What the server sent cannot be read.")
        expect(said.first).to_be_visible()
        one.press("Count again")
        if kind == "no text":
            expect(one.page.locator("#count ~ .answer .notice")).to_contain_text("cannot be read")
        else:
            expect(one.page.get_by_text("Line 1 is damaged")).to_be_visible()
            expect(one.page.get_by_text("Everything else: without its first line")).to_be_visible()
            assert "Compare its digest" not in one.text()
            assert "this browser cannot check it" not in one.text()
        assert "does not answer" not in one.text()


def test_another_published_score_is_noticed(browser, server, small):
    remote, _ = small
    published = remote.client.get(f"{remote.path}/result").json()
    published["candidates"][0]["score"] += 0.001

    def lying(route: Route) -> None:
        route.fulfill(json=published)

    with voter(browser) as one:
        one.page.route(f"**{remote.path}/result", lying)
        one.open(address(server, remote))
        count_again(one)
        assert "The scores are not the published ones." in one.text()
        assert one.page.locator(".sign.bad").count() == 1


def test_a_link_of_another_poll_is_refused(browser, server, small):
    remote, _ = small
    with voter(browser) as one:
        one.open(f"{server.address}/p/{remote.poll.id}/board#{'ab' * 32}")
        expect(one.page.get_by_text("This is not the poll of your link.")).to_be_visible()


@everywhere
def test_every_state_can_be_used_by_everybody(browser, server, client, small, sight):
    remote, voters = small
    missing, there = (voters[k].credential.receipt.hex() for k in (0, 5))
    with looking(sight) as look:
        with voter(browser, **sight.options) as one:
            one.open(address(server, remote).partition("#")[0])
            look("board-unlinked", one)
            one.open(address(server, remote, there))
            expect(one.page.locator(".quoted")).to_be_visible()
            one.page.locator("section .main").nth(1).click()
            expect(one.page.locator(".scores")).to_be_visible()
            look("board-found-counted", one)
            one.page.goto("about:blank")
            one.open(address(server, remote, missing))
            expect(one.page.locator(".notice.warn")).to_be_visible()
            look("board-missing", one)
        still, few = polled(client, 3)[0], closed(client, 3)[0]
        gone = Remote.create(client)
        gone.own("DELETE")
        for state, path in (
            ("open", still.poll.id),
            ("few", few.poll.id),
            ("deleted", gone.poll.id),
            ("unknown", "0" * 32),
        ):
            with voter(browser, **sight.options) as one:
                one.open(f"{server.address}/p/{path}/board")
                look(f"board-{state}", one)

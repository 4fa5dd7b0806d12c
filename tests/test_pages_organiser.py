"""Organisers in the browser: the first page, making a poll, and all their pages for everybody."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.ballots import DESK, NAMES, PHONE, Voter, link, voter
from tests.browsing import needs_chromium
from tests.desks import seen_by_servers
from tests.result_states import polled
from tests.serving import Remote, serving
from tests.sights import everywhere, looking, needs_axe

pytestmark = [pytest.mark.slow, needs_chromium]
TOKEN = "a-token-of-the-operator-0123456789"
QUESTION = "Who shall chair the works council?"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    with serving(store, "--open", "--creations", "0", "--casts", "0") as running:
        yield running


def fill(one: Voter, invited: str = "200") -> None:
    one.page.get_by_label("Question").fill(QUESTION)
    one.page.get_by_label("Candidates, one a line").fill("\n".join(NAMES))
    one.page.get_by_label("How many people are invited").fill(invited)


def made(one: Voter) -> str:
    """Make the poll of the form; gives its id. Its key is not in the address any more."""
    one.press("Make the poll")
    one.page.get_by_text("Keep your link.").wait_for()
    found = re.fullmatch(r"http://[^/]+/o/([0-9a-f]{32})", one.page.url)
    assert found, one.page.url
    return found[1]


def key_of(one: Voter) -> str:
    """The organiser's key, from the file that the page saves."""
    with one.page.expect_download() as download:
        one.press("Save it as a file")
    return Path(download.value.path()).read_text(encoding="utf-8").strip().partition("#")[2]


def tab_to(one: Voter, id: str) -> None:
    for _ in range(60):
        one.page.keyboard.press("Tab")
        if one.page.evaluate("document.activeElement.id") == id:
            return
    raise AssertionError(f"{id} is not reached by the tab key")


# --- the first page -------------------------------------------------------------------------------


def test_the_first_page_leads_on_without_scripts(browser, server):
    with voter(browser, java_script_enabled=False) as one:
        one.open(server.address)
        one.page.get_by_role("link", name="Make a poll").click()
        expect(one.page).to_have_url(f"{server.address}/new")


def test_a_link_is_opened_and_a_code_alone_is_not(browser, server, client):
    remote = Remote.create(client)
    with voter(browser) as one:
        one.open(server.address)
        field = one.page.get_by_label("Your link")
        for text, said in (
            ("0123456-789ABCD-EFGHJKJ", "A code alone does not say"),
            ("nonsense", "This is no link of a poll"),
            ("https://elsewhere.test/p/" + "0" * 32, "another server, elsewhere.test"),
        ):
            field.fill(text)
            one.press("Open it")
            expect(one.page.get_by_text(said)).to_be_visible()
        field.fill(link(server.address, remote))
        field.press("Enter")
        expect(one.page.get_by_role("heading", level=1)).to_have_text(remote.poll.question)


# --- making a poll --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["375", "1280"])
def test_a_poll_is_made_by_mouse_and_is_what_was_asked_for(browser, server, client, size):
    with voter(browser, viewport=size, timezone_id="Europe/Berlin", locale="en-GB") as one:
        one.open(f"{server.address}/new")
        fill(one)
        one.page.get_by_label("Seats to fill").fill("2")
        one.page.get_by_label("What a place is worth").select_option("Plurality")
        one.page.get_by_text("Less secret", exact=True).click()
        one.page.get_by_label("Closes").fill("2027-02-01T18:00")
        expect(one.page.locator(".preview .row")).to_have_count(5)
        id = made(one)
        manifest = client.get(f"/api/v1/polls/{id}/manifest").json()
        assert manifest["question"] == QUESTION
        assert manifest["candidates"] == NAMES
        assert (manifest["seats"], manifest["turnout"], manifest["live"]) == (2, 100, 0)
        assert (manifest["access"], manifest["partial"]) == ("codes", True)
        assert manifest["mechanism"]["epsilon"] == "5"
        assert manifest["mechanism"]["rule"]["name"] == "plurality"
        told = client.get(f"/api/v1/polls/{id}").json()
        assert told["closes"] == 1_801_501_200  # 17:00 in UTC
        key = key_of(one)
        assert re.fullmatch("[0-9a-f]{64}", key)
        assert key not in seen_by_servers(one)
        assert key not in str(one.kept())


def test_a_poll_is_made_by_keyboard_alone(browser, server, client):
    with voter(browser, viewport=DESK) as one:
        one.open(f"{server.address}/new")
        keyboard = one.page.keyboard
        tab_to(one, "question")
        keyboard.type(QUESTION)
        tab_to(one, "candidates")
        keyboard.type("Ann\nBob\nCem")
        tab_to(one, "invited")
        keyboard.press("Control+A")
        keyboard.type("400")
        one.page.keyboard.press("Tab")  # how they get in
        keyboard.press("ArrowDown")
        tab_to(one, "closes")
        for _ in range(12):  # through the parts of the time, to the levels
            if one.page.evaluate("document.activeElement.name") == "privacy":
                break
            keyboard.press("Tab")
        keyboard.press("ArrowDown")
        keyboard.press("Enter")
        one.page.get_by_text("Keep your link.").wait_for()
        id = one.page.url.rpartition("/")[2]
        manifest = client.get(f"/api/v1/polls/{id}/manifest").json()
        assert manifest["candidates"] == ["Ann", "Bob", "Cem"]
        assert (manifest["access"], manifest["turnout"]) == ("link", 200)
        assert manifest["mechanism"]["epsilon"] == "3"


def test_what_the_levels_mean_follows_what_is_typed(browser, server):
    with voter(browser, viewport=DESK) as one:
        one.open(f"{server.address}/new")
        fill(one, "60")
        levels = one.page.locator(".choice", has_text="Very secret")
        expect(levels).to_contain_text("Even if all 60 vote, no lead is enough to be sure")
        expect(levels).to_contain_text("by 2.72 at most (local epsilon 1)")
        warning = one.page.locator(".notice.warn")
        expect(warning).to_contain_text("too small to decide anything")
        plenty = re.search(r"so many that ([\d,]+) people vote", warning.inner_text())
        assert plenty
        decided = levels.locator("p").last.inner_text()
        assert re.findall(r"\d+", decided) == ["60"]  # no other number of people beside that one
        one.page.get_by_label("How many people are invited").fill("20000")
        expect(levels).to_contain_text("If all 20,000 vote, a lead of 0.")
        expect(levels).to_contain_text("crowd epsilon 0.0")
        expect(warning).to_have_count(0)
        one.page.get_by_text("By one link for all").click()
        expect(levels).to_contain_text("a link lets one person vote often")
        one.page.get_by_text("Another epsilon", exact=True).click()
        one.page.get_by_label("Epsilon", exact=True).fill("1,5")
        own = one.page.locator(".choice", has_text="Another epsilon")
        expect(own).to_contain_text("(local epsilon 1.5)")
        asked = [request for request in one.requests if request.url.endswith("/plans")]
        assert 3 <= len(asked) <= 8  # not one for every key
        sent = " ".join(request.post_data or "" for request in asked)
        assert not any(text in sent for text in (QUESTION, *NAMES))


@pytest.mark.parametrize(
    ("invited", "said"),
    [
        ("10", "Too few: nothing is ever shown of fewer than 20 votes."),
        ("20", "fewer than 20 votes: at least 20 of these 20 have to vote."),
        ("39", "fewer than 20 votes: at least 20 of these 39 have to vote."),
        ("40", "Nothing is ever shown of fewer than 20 votes, half of these."),
        ("101", "Nothing is ever shown of fewer than 51 votes, half of these."),
    ],
)
def test_the_turnout_of_few_is_one_statement(browser, server, invited, said):
    with voter(browser, viewport=DESK) as one:
        one.open(f"{server.address}/new")
        field = one.page.get_by_label("How many people are invited")
        field.fill(invited)
        expect(field.locator("..")).to_contain_text(said)


def test_a_long_paste_is_previewed_up_to_what_a_poll_may_have(browser, server):
    with voter(browser, viewport=DESK) as one:
        one.open(f"{server.address}/new")
        field = one.page.get_by_label("Candidates, one a line")
        field.fill("\n".join(f"Name {i}" for i in range(1000)))
        expect(one.page.get_by_text("Candidates: 1000.")).to_be_visible()
        expect(one.page.locator(".preview .row")).to_have_count(64)


def test_a_plan_that_is_no_longer_wanted_is_not_waited_for(browser, server):
    with voter(browser, viewport=DESK) as one:
        one.page.route("**/plans", lambda _: None)  # which answers nothing
        one.open(f"{server.address}/new")
        with one.page.expect_request(lambda sent: '"voters":200' in (sent.post_data or "")) as sent:
            fill(one)
        before = len(one.requests)
        one.page.get_by_label("Question").fill("Who else?")  # changes no plan
        one.page.wait_for_timeout(600)
        assert len(one.requests) == before
        with one.page.expect_event("requestfailed") as stopped:
            one.page.get_by_label("How many people are invited").fill("20000")
        assert stopped.value == sent.value
        one.page.unroute("**/plans")
        levels = one.page.locator(".choice", has_text="Very secret")
        expect(levels).to_contain_text("If all 20,000 vote, a lead of 0.")


def test_an_epsilon_that_protects_little_is_warned_of(browser, server):
    with voter(browser, viewport=DESK) as one:
        one.open(f"{server.address}/new")
        fill(one, "20000")
        one.page.get_by_text("Another epsilon", exact=True).click()
        warning = one.page.locator(".notice.warn")
        for epsilon, odds in (("10", "22,100"), ("5,01", "150")):
            one.page.get_by_label("Epsilon", exact=True).fill(epsilon)
            expect(warning).to_contain_text("This poll protects little.")
            expect(warning).to_contain_text(f"by up to {odds}.")
        one.page.get_by_label("Epsilon", exact=True).fill("5")
        expect(warning).to_have_count(0)
        together = one.page.locator(".notice", has_text="sends 3 sentences: epsilon 15 in all")
        expect(together).to_be_visible()
        one.page.locator("summary").click()
        one.page.get_by_label("How often a vote may be changed").fill("0")
        expect(together).to_have_count(0)


def test_what_is_wrong_is_said_where_it_is(browser, server):
    with voter(browser) as one:
        one.open(f"{server.address}/new")
        one.press("Make the poll")
        expect(one.page.get_by_text("Write the question")).to_be_visible()
        expect(one.page.get_by_text("Name at least two candidates, one a line.")).to_be_visible()
        expect(one.page.locator("#question")).to_be_focused()
        fill(one, "19")
        one.page.get_by_label("Candidates, one a line").fill("Ann\nBob\nAnn")
        one.page.get_by_label("Closes").fill("2020-01-01T10:00")
        one.press("Make the poll")
        for said in ("“Ann” is there twice.", "from 20 to 999,999,999", "A time to come"):
            expect(one.page.get_by_text(said)).to_be_visible()
        one.page.get_by_label("How many people are invited").fill("99999999999")
        one.page.get_by_label("Candidates, one a line").fill("Ann\n\nFamily 👩\u200d👧\nBob")
        one.press("Make the poll")
        expect(one.page.get_by_text("from 20 to 999,999,999")).to_be_visible()
        hidden = one.page.get_by_text("Line 3, “Family 👩�👧”, has the character U+200D")
        expect(hidden).to_contain_text("It joins several emoji to one")
        assert not [request for request in one.requests if request.url.endswith("/polls")]


def test_names_are_tidied_as_the_server_tidies_them(browser, server, client):
    with voter(browser) as one:
        one.open(f"{server.address}/new")
        fill(one)
        names = ["\u00a0Do\u0308rte \u2764\ufe0f", "Ann\u2800", "Bob"]
        one.page.get_by_label("Candidates, one a line").fill("\n".join(names))
        manifest = client.get(f"/api/v1/polls/{made(one)}/manifest").json()
        assert manifest["candidates"] == ["D\u00f6rte \u2764", "Ann", "Bob"]


def test_a_server_that_is_gone_loses_nothing_of_the_form(browser, server):
    with voter(browser) as one:
        one.open(f"{server.address}/new")

        def away(route: Route) -> None:
            route.abort()

        one.page.route("**/api/**", away)
        fill(one)
        expect(one.page.get_by_text("could not be computed")).to_be_visible()
        one.press("Make the poll")
        expect(one.page.get_by_text("The server did not answer")).to_be_visible()
        expect(one.page.locator("#question")).to_have_value(QUESTION)
        one.page.unroute("**/api/**", away)
        made(one)


def test_a_server_that_makes_another_poll_is_not_believed(browser, server):
    with voter(browser) as one:
        one.open(f"{server.address}/new")
        fill(one)

        def other(route: Route) -> None:
            body = (route.request.post_data or "").replace('"epsilon":"1"', '"epsilon":"9"')
            assert '"epsilon":"9"' in body
            route.continue_(post_data=body)

        one.page.route("**/api/v1/polls", other)
        one.press("Make the poll")
        expect(one.page.get_by_text("has made another poll than you asked for")).to_be_visible()


def test_a_server_with_a_token_asks_for_it(browser, tmp_path):
    (tmp_path / "token").write_text(TOKEN)
    options = ("--token-file", str(tmp_path / "token"))
    with serving(tmp_path / "polls.db", *options) as server, voter(browser) as one:
        one.open(f"{server.address}/new")
        fill(one)
        one.press("Make the poll")
        expect(one.page.get_by_text("Enter the operator's token.")).to_be_visible()
        one.page.get_by_label("The operator's token").fill("wrong")
        one.press("Make the poll")
        expect(one.page.get_by_text("does not know this token")).to_be_visible()
        one.page.get_by_label("The operator's token").fill(TOKEN)
        made(one)
        assert TOKEN not in seen_by_servers(one)
        assert TOKEN not in str(one.kept())


# --- for everybody --------------------------------------------------------------------------------


def through_the_day(told: dict[str, Any], route: Route) -> None:
    """As if the votes had come in the course of a day."""
    hour = told["hours"][0]["at"]
    casts = [3, 8, 21, 34, 26, 12, 0, 4, 18, 29, 11, 2]
    hours = [{"at": hour - 3600 * (12 - k), "casts": n} for k, n in enumerate(casts) if n]
    route.fulfill(json={**told, "hours": hours, "standing": sum(casts), "casts": sum(casts)})


@needs_axe
@everywhere
def test_every_page_can_be_used_by_everybody(browser, server, client, sight):
    remote, _ = polled(client, 25, access="codes")
    with looking(sight) as look, voter(browser, **sight.options) as one:
        one.open(server.address)
        one.page.locator("#link").wait_for()
        look("home", one)
        one.open(f"{server.address}/new")
        look("new", one)
        one.page.locator("button[type=submit]").click()
        look("new-wrong", one)
        one.page.locator("#question").fill(QUESTION)
        one.page.locator("#candidates").fill("\n".join(NAMES))
        one.page.locator("summary").click()
        one.page.locator("input[value=own]").check()
        one.page.locator("#own").fill("2.5")
        one.page.locator(".meaning p").nth(9).wait_for()
        look("new-filled", one)
        one.open(f"{server.address}/o/{remote.poll.id}#{'00' * 32}")
        look("wrong-key", one)
        one.page.goto("about:blank")
        one.page.route(f"**{remote.path}", partial(through_the_day, remote.told()))
        one.open(f"{server.address}/o/{remote.poll.id}#{remote.key.hex()}")
        one.page.locator("#keep").check()
        one.page.locator("#number").fill("4")
        with one.page.expect_download():
            one.page.locator("form:has(#number) button").click()
        one.page.locator(".notice.good").wait_for()
        one.page.locator(".revoking summary").click()
        look("organiser", one)
        one.page.locator(".revoking textarea").fill("\n".join(remote.codes[:1]))
        one.page.locator(".revoking form button").click()
        one.page.locator("dialog").wait_for()
        look("revoke", one)
        one.page.locator("dialog .danger").click()
        one.page.locator(".notice.warn").wait_for()
        one.page.unroute(f"**{remote.path}")
        one.page.locator(".danger").first.click()
        one.page.locator("dialog").wait_for()
        look("close", one)
        one.page.locator("dialog .danger").click()
        one.page.locator("dialog").wait_for(state="detached")
        one.page.locator(".end .danger").wait_for()
        one.page.locator("#codes").wait_for(state="detached")
        with one.page.expect_download():
            one.page.locator("#take ~ div .main").click()
        one.page.locator(".notice.good").wait_for()
        look("closed", one)
        one.page.locator(".end .danger").click()
        one.page.locator("#word").wait_for()
        look("delete", one)

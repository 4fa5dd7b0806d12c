"""The organiser's page in the browser: people are invited, turnout is watched, and the poll is
closed, archived and deleted.
"""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Request, Route, expect

from hushvote.client.archiving import archive
from hushvote.client.keys import Named
from hushvote.client.organising import Organised
from hushvote.client.server import Server
from hushvote.messages import speaking
from hushvote.poll.verifying import verify_board
from tests.ballots import DESK, PHONE, link, voter
from tests.browsing import needs_chromium
from tests.desks import opened, seen_by_servers
from tests.result_states import closed, polled
from tests.serving import Remote, refused, serving
from tests.sights import PICTURES

pytestmark = [pytest.mark.slow, needs_chromium]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    with serving(store, "--open", "--creations", "0", "--casts", "0") as running:
        yield running


def test_codes_are_made_here_printed_and_good_for_a_vote(browser, server, client):
    remote = Remote.create(client, access="codes")
    names = [f"Person {i}" for i in range(9)] + ['=cmd("x")']
    with voter(browser, viewport=DESK) as one:
        one.page.add_init_script("window.print = () => { document.title = 'printed'; }")
        opened(one, server.address, remote)
        one.page.get_by_label("Or for whom, one name a line").fill("\n".join(names))
        with one.page.expect_download() as download:
            one.press("Make codes and save the list")
        expect(one.page.get_by_text("issued and in your list: 10").first).to_be_visible()
        text = Path(download.value.path()).read_text(encoding="utf-8")
        rows = list(csv.DictReader(text.splitlines()))
        assert [row["name"] for row in rows] == [*names[:9], "'" + names[9]]
        assert remote.told()["codes"]["issued"] == 10
        seen = seen_by_servers(one)
        for row in rows:
            assert row["link"] == link(server.address, remote, row["code"])
            assert row["code"] not in seen
            assert row["code"].replace("-", "") not in seen
            assert row["name"] not in seen
        one.press("Print them as a sheet")
        expect(one.page).to_have_title("printed")
        one.page.emulate_media(media="print")
        assert one.page.locator(".sheet").count() == 2
        assert one.page.locator(".sheet").first.locator(".slip:visible").count() == 8
        assert one.page.locator("main").is_hidden()
        box = one.page.locator(".slip .qr").first.bounding_box()
        assert box is not None
        assert abs(box["width"] - 28 / 25.4 * 96) < 1
        for slip in one.page.locator(".slip").all():
            assert slip.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            one.page.set_viewport_size({"width": 794, "height": 1123})
            one.page.screenshot(path=Path(PICTURES) / "sheet.png", full_page=True)
        pages = one.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pages)) == 2
    with voter(browser) as invited:
        invited.open(rows[3]["link"])
        invited.vote("Ann", "Bob", "Cem")
    assert remote.told()["casts"] == 1


def test_a_number_of_codes_that_is_not_that_of_the_names_is_asked_about(browser, server, client):
    remote = Remote.create(client, access="codes")
    with voter(browser) as one:
        opened(one, server.address, remote)
        one.page.get_by_label("How many codes").fill("5")
        one.page.get_by_label("Or for whom, one name a line").fill("Ann\nBob")
        one.press("Make codes and save the list")
        said = "The number of codes is 5, that of the names 2."
        expect(one.page.get_by_text(said)).to_be_visible()
        assert remote.told()["codes"]["issued"] == 0
        one.page.get_by_label("How many codes").fill("2")
        with one.page.expect_download():
            one.press("Make codes and save the list")
        expect(one.page.get_by_text("issued and in your list: 2").first).to_be_visible()


def test_codes_whose_answer_is_lost_are_issued_again_and_not_twice(browser, server, client):
    remote = Remote.create(client, access="codes")
    with voter(browser) as one:
        opened(one, server.address, remote)
        one.page.route("**/codes", lambda route: route.abort())
        one.page.get_by_label("How many codes").fill("3")
        with one.page.expect_download():
            one.press("Make codes and save the list")
        expect(one.page.get_by_text("not all codes are issued").first).to_be_visible()
        one.page.unroute("**/codes")
        one.press("Issue the rest")
        expect(one.page.get_by_text("issued and in your list: 3").first).to_be_visible()
        assert remote.told()["codes"]["issued"] == 3


def test_the_key_is_kept_on_the_device_only_if_the_organiser_wants(browser, server, client):
    remote = Remote.create(client)
    with voter(browser) as one:
        opened(one, server.address, remote)
        assert "#" not in one.page.url
        one.page.reload()
        expect(one.page.get_by_text("opens with your own link")).to_be_visible()
        one.page.get_by_label("The organiser's link").fill("nonsense")
        one.press("Open it")
        one.page.get_by_label("The organiser's link").fill(
            f"{server.address}/o/{remote.poll.id}#{remote.key.hex()}"
        )
        one.press("Open it")
        one.page.get_by_label("Keep it on this device").check()
        one.page.reload()
        expect(one.page.get_by_text("Keep your link.")).to_be_visible()
        one.page.get_by_label("Keep it on this device").uncheck()
        assert remote.key.hex() not in str(one.kept())
        assert remote.key.hex() not in seen_by_servers(one)


def test_a_wrong_key_opens_nothing(browser, server, client):
    remote = Remote.create(client)
    with voter(browser) as one:
        one.open(f"{server.address}/o/{remote.poll.id}#{'00' * 32}")
        expect(one.page.get_by_text("not the key of this poll")).to_be_visible()
        assert one.page.get_by_text(remote.poll.question).count() == 0


def test_codes_are_taken_back_unless_they_were_used(browser, server, client):
    remote = Remote.create(client, access="codes")
    used, lost, kept = remote.issue(3)
    remote.voter(used).cast()
    with voter(browser) as one:
        opened(one, server.address, remote)
        one.page.get_by_text("Take codes back").click()
        field = one.page.get_by_label("The codes, one a line")
        field.fill(f"{lost}\n{lost[:-1]}")
        one.press("Take them back")
        expect(one.page.get_by_text("There is no right code in line 2.")).to_be_visible()
        field.fill(f"name,code,link\nAnn,{lost},{link(server.address, remote, lost)}\n{used}\n")
        one.press("Take them back")
        expect(one.page.get_by_text("Codes to be taken back: 2.")).to_be_visible()
        one.press("Leave them")
        assert remote.told()["codes"]["revoked"] == 0
        one.press("Take them back")
        one.press("Take them back for good")
        expect(one.page.get_by_text("Codes that were taken back: 1.").first).to_be_visible()
        expect(one.page.get_by_text("since they are used")).to_contain_text("already: 1.")
        expect(one.page.locator(".log")).to_contain_text("Codes asked to be taken back: 2")
        seen = seen_by_servers(one)
        assert not [code for code in (used, lost) if code in seen or code.replace("-", "") in seen]
    assert remote.told()["codes"]["revoked"] == 1
    refusal = remote.send("reports", remote.voter(lost).cast_body())
    assert refused(refusal) == (403, "vote.code")
    remote.voter(kept).cast()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["375", "1280"])
def test_turnout_is_shown_by_the_hour_to_the_organiser_alone(browser, server, client, size):
    remote, _ = polled(client, 3)
    told = remote.told()
    hour = told["hours"][0]["at"]
    told["hours"] = [{"at": hour - 7200, "casts": 40}, {"at": hour, "casts": 10}]

    with voter(browser, viewport=size) as one:
        opened(one, server.address, remote)
        expect(one.page.get_by_role("heading", name="Votes by the hour")).to_be_visible()
        assert one.page.locator(".hours rect").count() == 12

        def later(route: Route) -> None:
            route.fulfill(json=told)

        one.page.route(f"**{remote.path}", later)
        one.press("Look again")
        drawn = ".hours rect:nth-child(n + 10)"
        expect(one.page.locator(f"{drawn}:not([height='0'])")).to_have_count(2)
        heights = [float(bar.get_attribute("height") or 0) for bar in one.page.locator(drawn).all()]
        assert heights[1] == 0
        assert heights[0] == pytest.approx(4 * heights[2], rel=0.05)
        one.page.get_by_text("Every hour in which somebody voted").click()
        rows = one.page.locator("details .scores tr")
        assert [row.inner_text().rpartition("\t")[2] for row in rows.all()] == ["40", "10"]
    assert client.get(remote.path).json()["hours"] is None


def test_turnout_is_exact_and_the_time_is_moved(browser, server, client):
    remote = Remote.create(client)
    with voter(browser, viewport=DESK, timezone_id="Europe/Berlin") as one:
        opened(one, server.address, remote)
        for _ in range(3):
            remote.voter().cast()
        one.press("Look again")
        expect(one.page.get_by_text("needs 20 votes: 17 more than count now.")).to_be_visible()
        moved(one, "2027-02-01T18:00")
        expect(one.page.locator(".log")).to_contain_text("Closing time moved to February 1, 2027")
        assert remote.told()["closes"] == 1_801_501_200


def moved(one, closes):
    """The poll closes later."""
    one.page.get_by_label("New closing time").fill(closes)
    one.press("Move it")
    expect(one.page.get_by_text("The poll now closes at").first).to_be_visible()


def test_a_poll_closes_earlier_only_when_asked_twice(browser, server, client):
    remote = Remote.create(client)
    with voter(browser, viewport=DESK, timezone_id="Europe/Berlin") as one:
        opened(one, server.address, remote)
        moved(one, "2027-02-01T18:00")
        one.page.get_by_label("New closing time").fill("2027-01-31T18:00")
        one.press("Move it")
        expect(one.page.get_by_text("which voters were told")).to_contain_text("February 1, 2027")
        one.press("Leave it as it was")
        assert remote.told()["closes"] == 1_801_501_200
        one.press("Move it")
        one.press("Close earlier")
        expect(one.page.locator(".log")).to_contain_text("Closing time moved to January 31, 2027")
        assert remote.told()["closes"] == 1_801_414_800


def test_the_day_of_deletion_is_told_before_and_after_closing(browser, server, client):
    remote = Remote.create(client)
    with voter(browser, viewport=DESK, timezone_id="UTC") as one:
        opened(one, server.address, remote)
        told = one.page.get_by_text("The server deletes all of it on")
        expect(told).to_contain_text("if it closes as planned; archive it before.")
        moved(one, "2027-02-01T18:00")
        until = datetime.fromtimestamp(remote.told()["kept_until"], UTC)
        expect(told).to_contain_text(f"{until:%B} {until.day}, {until.year}")
        one.press("Close the poll now")
        one.press("Close for good")
        expect(one.page.get_by_text("Closed since")).to_be_visible()
        until = datetime.fromtimestamp(remote.told()["kept_until"], UTC)
        expect(told).to_contain_text(f"{until:%B} {until.day}, {until.year}")
        expect(told).not_to_contain_text("as planned")


def test_a_poll_is_closed_in_two_steps_and_its_reports_are_taken_along(browser, server, client):
    remote = Remote.create(client)
    for _ in range(20):
        remote.voter().cast()
    with voter(browser) as one:
        opened(one, server.address, remote)
        one.press("Close the poll now")
        one.press("Leave it open")
        assert remote.told()["state"] == "open"
        one.press("Close the poll now")
        expect(one.page.get_by_text("Votes cast so far: 20")).to_be_visible()
        one.press("Close for good")
        expect(one.page.get_by_role("link", name="See the result")).to_be_visible()
        assert remote.told()["state"] == "closed"
        assert one.page.get_by_role("button", name="Close the poll now").count() == 0
        with one.page.expect_download() as download:
            one.press("All reports as CSV")
        assert len(Path(download.value.path()).read_text().splitlines()) == 21
        with one.page.expect_download() as download:
            one.page.get_by_role("link", name="The board (board.jsonl)").click()
        assert remote.poll.id in Path(download.value.path()).read_text()


def saved_archive(one) -> zipfile.ZipFile:
    with one.page.expect_download() as download:
        one.press("Save the archive")
    return zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes()))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_archive_is_what_the_command_writes(browser, server, client, tmp_path, language):
    remote, voters = closed(client, 40, access="codes")
    assert remote.send("erasures", voters[0].withdrawal_body()).status_code == 200
    with voter(browser, locale=language) as one:
        opened(one, server.address, remote)
        with one.page.expect_download() as download:
            one.page.locator("#take ~ div .main").click()
        expect(one.page.locator(".notice.good")).to_be_visible()
        with zipfile.ZipFile(download.value.path()) as packed:
            assert packed.testzip() is None
            packed.extractall(tmp_path)
    folder = tmp_path / f"hushvote-{remote.poll.id[:8]}"
    named = Named(server.address, remote.poll.id, remote.poll.digest, remote.key)
    with speaking(language):
        archive(Organised(named, Server(server.address)), tmp_path / "by command")
    names = {"README.txt", "board.jsonl", "index.html", "manifest.json", "result.json"}
    assert {path.name for path in folder.iterdir()} == names
    for name in names:
        assert (folder / name).read_bytes() == (tmp_path / "by command" / name).read_bytes(), name
    assert verify_board(folder / "board.jsonl", remote.poll.digest).holds


def test_a_poll_without_a_result_is_archived_without_a_board(browser, server, client):
    remote, _ = closed(client, 3)
    with voter(browser) as one:
        opened(one, server.address, remote)
        packed = saved_archive(one)
        expect(one.page.get_by_text("It has neither board nor result").first).to_be_visible()
        expect(one.page.get_by_text("A result needed 20 votes: 17 more than")).to_be_visible()
    names = sorted(name.rpartition("/")[2] for name in packed.namelist())
    assert names == ["README.txt", "index.html", "manifest.json"]


def test_no_archive_is_saved_of_a_board_that_does_not_hold(browser, server, client):
    remote, _ = closed(client, 30)
    board, result = (client.get(f"{remote.path}/{one}").text for one in ("board", "result"))
    other = json.loads(result)
    other["candidates"][0]["score"] += 0.001
    shorter = "".join(board.splitlines(keepends=True)[:-1])
    for path, text in (("board", shorter), ("result", json.dumps(other))):

        def lying(route: Route, _: Request, text: str = text) -> None:
            route.fulfill(body=text)

        with voter(browser) as one:
            opened(one, server.address, remote)
            one.page.route(f"**{remote.path}/{path}", lying)
            one.press("Save the archive")
            said = one.page.get_by_text("Nothing was saved: the board does not hold.")
            expect(said.first).to_be_visible()
            one.page.unroute(f"**{remote.path}/{path}")
            assert saved_archive(one).testzip() is None


def test_an_open_poll_has_no_archive(client):
    remote, _ = polled(client, 1)
    for name in ("index.html", "README.txt"):
        answer = client.get(f"/p/{remote.poll.id}/archive/{name}")
        assert refused(answer) == (409, "archive.open")


def test_pictures_of_hours_and_of_results_keep_forced_colours(browser, server, client):
    remote, _ = closed(client, 20)
    filled = "e => getComputedStyle(e).fill"
    with voter(browser, forced_colors="active", color_scheme="dark") as one:
        opened(one, server.address, remote)
        script = "e => getComputedStyle(e).color"
        ink = one.page.locator("h1").evaluate(script)
        assert one.page.locator(".hours rect").last.evaluate(filled) == ink
        one.open(f"{server.address}/p/{remote.poll.id}/result")
        point, span = (one.page.locator(name).first for name in (".point", ".span"))
        assert point.evaluate(filled) == ink
        assert span.evaluate(filled) != ink


def test_a_poll_is_deleted_once_the_word_is_typed(browser, server, client):
    remote = Remote.create(client)
    with voter(browser) as one:
        opened(one, server.address, remote)
        one.page.get_by_label("Keep it on this device").check()
        one.press("Delete the poll")
        yes = one.page.get_by_role("button", name="Delete for good")
        expect(yes).to_be_disabled()
        one.page.get_by_label("to confirm").fill("delete")
        yes.click()
        expect(one.page.get_by_text("This poll was deleted.")).to_be_visible()
        assert one.kept() == {}
        assert client.get(remote.path).status_code == 410


def test_a_server_that_is_gone_changes_nothing(browser, server, client):
    remote = Remote.create(client)
    with voter(browser) as one:
        opened(one, server.address, remote)
        one.page.route("**/api/**", lambda route: route.abort())
        one.press("Look again")
        expect(one.page.get_by_text("it is not certain whether this was done")).to_be_visible()
        one.page.goto("about:blank")
        one.open(f"{server.address}/o/{remote.poll.id}#{remote.key.hex()}")
        expect(one.page.get_by_text("The poll cannot be loaded.")).to_be_visible()
        one.page.unroute("**/api/**")
        one.press("Try again")
        expect(one.page.get_by_text("Keep your link.")).to_be_visible()

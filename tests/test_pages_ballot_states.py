"""What the ballot says when something is not as it should be: first what became of the vote."""

import re
import socket
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from hushvote.poll.codes import new_code
from tests.ballots import DESK, PHONE, WANTED, link, voter
from tests.browsing import PLAIN, needs_chromium
from tests.serving import Remote, serving

pytestmark = [pytest.mark.slow, needs_chromium]
CODES = {**WANTED, "access": "codes"}
NO_STORAGE = """
Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('no', 'SecurityError'); },
});
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    with serving(store, "--open", "--creations", "0") as running:
        yield running


@pytest.fixture
def remote(client):
    return Remote.create(client, **WANTED)


@pytest.fixture(params=[PHONE, DESK], ids=["375", "1280"])
def size(request):
    return request.param


def test_another_poll_than_the_link_names_is_refused(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote, digest="ab" * 32))
        assert one.title() == "Your vote has not been sent. This is not the poll of your link."
        assert one.page.locator(".row").count() == 0
        assert one.sent() == []


def test_a_link_without_its_digest_casts_nothing_but_can_be_completed(
    browser, server, remote, size
):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote).partition("#")[0])
        assert one.title() == "Nothing can be cast with this link."
        assert not [asked for asked in one.requests if "/api/" in asked.url]
        one.page.get_by_label("Your link").fill(link(server.address, remote))
        one.press("Open it")
        one.page.locator(".row").first.wait_for()
        assert "#" not in one.page.url


@pytest.mark.parametrize("id", ["0" * 32, "nonsense"])
def test_an_unknown_poll_is_said_to_be_none(browser, server, remote, id):
    with voter(browser) as one:
        one.open(f"{server.address}/p/{id}#{remote.poll.digest}")
        assert one.title() == "There is no such poll."


def test_a_deleted_poll_is_said_to_be_deleted(browser, server, remote, size):
    remote.own("DELETE")
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote))
        assert one.title() == "This poll was deleted."
        assert re.search(r"on \d{4}-\d\d-\d\d", one.text())


def test_a_poll_that_is_deleted_while_somebody_votes(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick("Ann")
        one.to_report()
        remote.own("DELETE")
        one.press("Cast my vote")
        expect(one.page.locator("[data-title]")).to_have_text("Your vote has not been cast.")
        assert "This poll was deleted." in one.text()


def test_a_closed_poll_leads_to_its_result(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote))
        one.vote("Ann", "Bob")
        receipt = one.receipt()
        remote.own("POST", "/close")
        one.page.reload()
        expect(one.page.locator("[data-title]")).to_have_text("This poll is closed.")
        assert "Your vote is cast." in one.text()
        assert "Closed since" in one.text()
        assert one.receipt() == receipt
        result = one.page.get_by_role("link", name="See the page of the poll")
        assert result.get_attribute("href") == f"/p/{remote.poll.id}/result"
        assert "Reports that stand: 1. Needed: 20." in one.text()  # fewer than the least turnout
    with voter(browser, viewport=size) as late:
        late.open(link(server.address, remote))
        expect(late.page.locator("[data-title]")).to_have_text("This poll is closed.")
        assert "You have not cast a vote on this device." in late.text()


def test_a_language_that_was_asked_for_is_kept_from_page_to_page(browser, server, remote):
    remote.own("POST", "/close")
    with voter(browser, locale="en") as one:
        address, _, digest = link(server.address, remote).partition("#")
        one.open(f"{address}?lang=de#{digest}")
        one.page.get_by_role("link", name="Seite der Abstimmung ansehen").click()
        expect(one.page).to_have_url(f"{address}/result?lang=de")
        one.open(f"{server.address}/?lang=de")
        one.page.get_by_role("link", name="Eine Abstimmung anlegen").click()
        expect(one.page).to_have_url(f"{server.address}/new?lang=de")
        one.page.go_back()
        one.page.get_by_label("Ihr Link").fill(f"{address}#{digest}")
        one.page.keyboard.press("Enter")
        expect(one.page.locator("[data-title]")).to_have_text("Diese Abstimmung ist geschlossen.")


def test_a_poll_that_closes_while_somebody_votes(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick("Ann")
        one.to_report()
        remote.own("POST", "/close")
        one.press("Cast my vote")
        expect(one.page.locator("[data-title]")).to_have_text("Your vote has not been cast.")
        assert "The poll was closed before it arrived." in one.text()


# --- codes ----------------------------------------------------------------------------------------


def test_a_code_used_twice_casts_once_and_another_one_can_be_entered(browser, server, client, size):
    remote = Remote.create(client, **CODES)
    code, spare = remote.issue(2)
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote, code))
        one.vote("Ann")
    with voter(browser, viewport=size) as other:
        other.open(link(server.address, remote, code))
        other.pick("Bob")
        sentence = other.to_report()
        other.press("Cast my vote")
        expect(other.page.locator("[data-title]")).to_have_text("Your vote has not been cast.")
        assert "was used for another vote" in other.text()
        other.press("Enter another code")
        assert other.ranking() == ["Bob Baker"]
        other.page.get_by_label("Your invite code").fill(spare.lower())
        assert other.to_report() == sentence  # nothing was drawn again
        other.cast()
    assert remote.told()["standing"] == 2


def test_a_code_is_typed_where_the_link_has_none_and_slips_are_seen(browser, server, client):
    remote = Remote.create(client, **CODES)
    code = remote.issue(1)[0]
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick("Ann")
        one.press("Check my ranking")
        alert = one.page.locator("#code-problem")
        expect(alert).to_contain_text("A code has 21 digits and letters")
        field = one.page.get_by_label("Your invite code")
        expect(field).to_be_focused()
        wrong = code[:-1] + ("2" if code[-1] != "2" else "3")
        field.fill(wrong)
        one.press("Check my ranking")
        expect(alert).to_contain_text("wrong character")
        field.fill(code)
        one.to_report()
        one.cast()
        assert code not in str(one.sent())


def test_a_code_that_was_never_issued_casts_nothing(browser, server, client):
    remote = Remote.create(client, **CODES)
    with voter(browser) as one:
        one.open(link(server.address, remote, new_code()))
        one.pick("Ann")
        one.to_report()
        one.press("Cast my vote")
        expect(one.page.locator("[data-title]")).to_have_text("Your vote has not been cast.")
        assert "was not issued for this poll" in one.text()


# --- storage and network --------------------------------------------------------------------------


def test_without_storage_everything_works_and_the_page_says_so(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.page.add_init_script(NO_STORAGE)
        one.open(link(server.address, remote))
        assert "This browser keeps nothing here" in one.text()
        one.vote("Ann", "Cem")
        credential = one.saved("Save the credential")
        assert credential["poll"] == remote.poll.digest
        one.press("Change my vote")
        one.press("Rank again")
        one.pick("Bob")
        one.to_report()
        one.cast("Cast this change")
    assert remote.told()["changes"] == 1


def test_on_plain_http_the_signature_is_left_to_others_and_copying_still_works(
    browser, server, remote
):
    with voter(browser) as one:
        port = urlsplit(server.address).port
        one.open(link(f"http://{PLAIN}:{port}", remote))
        one.vote("Ann")
        assert "cannot check its signature" in one.text()
        one.press("Copy the receipt")
        expect(one.page.locator(".receipt [role=status]")).to_have_text("Copied.")
        # Browsers take this one header over TLS or from this machine only, and say so.
        assert all("Cross-Origin-Opener-Policy" in error for error in one.visit.errors)
        one.visit.errors.clear()


def test_a_server_that_is_gone_loses_nothing_and_a_retry_sends_the_same_bytes(
    browser, tmp_path, size
):
    store, port = tmp_path / "polls.db", free_port()
    with serving(store, "--open", "--port", str(port)) as first, first.client() as client:
        remote = Remote.create(client, **WANTED)
        address = first.address
        with voter(browser, viewport=size) as one:
            one.open(link(address, remote))
            one.pick("Cem", "Ann")
            sentence = one.to_report()
            first.kill()
            one.press("Cast my vote")
            expect(one.page.locator("[data-title]")).to_have_text("Not yet cast.")
            assert "nothing is lost" in one.text()
            with serving(store, "--open", "--port", str(port)):
                one.page.on("dialog", lambda dialog: dialog.accept())
                one.page.reload()  # and even so
                expect(one.page.locator("[data-title]")).to_have_text("Not yet cast.")
                one.press("Send again")
                one.page.locator(".receipt").wait_for()
                assert sentence in one.text()
                bodies = [one.post_data for one in one.requests if one.method == "POST"]
                assert len(bodies) == 2
                assert bodies[0] == bodies[1]
                told = one.page.request.get(f"{address}{remote.path}", headers=remote.bearer)
                assert told.json()["standing"] == 1


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_a_lost_answer_is_asked_for_again_and_counts_once(browser, server, remote):
    """The vote arrives, its acknowledgement does not."""
    with voter(browser) as one:
        one.open(link(server.address, remote))
        lost = []

        def lose(route) -> None:
            if lost:
                route.continue_()
            else:
                lost.append(route.fetch())
                route.abort()

        one.page.route("**/reports", lose)
        one.pick("Ann")
        one.to_report()
        one.press("Cast my vote")
        expect(one.page.locator("[data-title]")).to_have_text("Not yet cast.")
        assert remote.told()["standing"] == 1
        one.press("Send again")
        one.page.locator(".receipt").wait_for()
    assert remote.told()["standing"] == 1


@pytest.mark.parametrize("part", ["leaf", "signature", "receipt"])
def test_an_answer_that_is_no_acknowledgement_is_not_believed(browser, server, remote, part):
    with voter(browser) as one:
        one.open(link(server.address, remote))

        def forge(route) -> None:
            answer = route.fetch()
            told = answer.json()
            told[part] = told[part][::-1]
            route.fulfill(response=answer, json=told)

        one.page.route("**/reports", forge)
        one.pick("Ann")
        one.to_report()
        one.press("Cast my vote")
        expect(one.page.locator("[data-title]")).to_have_text("Not yet cast.")
        assert "does not acknowledge what was sent (ack." in one.text()
        one.page.unroute("**/reports")
        one.press("Send again")
        one.page.locator(".receipt").wait_for()


def test_a_vote_that_was_changed_elsewhere_is_not_changed_again(browser, server, remote, tmp_path):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.vote("Ann")
        path = tmp_path / "credential.json"
        with one.page.expect_download() as download:
            one.press("Save the credential")
        download.value.save_as(path)
        with voter(browser) as other:
            other.open(link(server.address, remote))
            other.page.get_by_text("Voted before, on another device?").click()
            other.page.get_by_label("Your credential").set_input_files(path)
            other.press("Withdraw my vote")
            other.press("Withdraw for good")
            expect(other.page.locator("[data-title]")).to_have_text("Your vote is withdrawn.")
        one.press("Change my vote")
        one.press("Rank again")
        one.pick("Bob")
        one.to_report()
        one.press("Cast this change")
        expect(one.page.locator("main")).to_contain_text("changed or withdrawn on another device")
        assert one.title() == "This change has not been made."


def test_a_poll_with_enough_reports_says_where_the_vote_is_found(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.vote("Ann", "Bob")
        for _ in range(19):
            remote.voter().cast()
        remote.own("POST", "/close")
        one.page.reload()
        expect(one.page.locator("[data-title]")).to_have_text("This poll is closed.")
        assert "Find it on the board, under your receipt." in one.text()
        result = one.page.get_by_role("link", name="See the result")
        assert result.get_attribute("href") == f"/p/{remote.poll.id}/result"

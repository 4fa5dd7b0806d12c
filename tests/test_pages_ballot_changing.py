"""After casting: changing, withdrawing, going on elsewhere, forgetting; and drafts before it."""

import json

import pytest
from playwright.sync_api import expect

from tests.ballots import DESK, PHONE, WANTED, link, voter
from tests.browsing import needs_chromium
from tests.serving import Remote, serving

pytestmark = [pytest.mark.slow, needs_chromium]


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


def standing(remote: Remote) -> int:
    return int(remote.told()["standing"])


def test_a_vote_can_be_changed_after_a_second_question(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote))
        one.vote("Cem", "Ann")
        first = one.receipt()
        one.press("Change my vote")
        dialog = one.page.locator("dialog")
        assert "together 2 of them" in dialog.inner_text()
        assert "7.39 at most" in dialog.inner_text()
        one.press("Leave it as it is")
        assert one.receipt() == first
        one.press("Change my vote")
        one.press("Rank again")
        expect(one.page.locator(".notice")).to_contain_text(
            "Your vote stands until you cast the new one."
        )
        expect(one.page.locator(".notice")).to_contain_text("This is the order that you cast.")
        assert one.ranking() == ["Cem Çelik", "Ann Arbor"]
        expect(one.button("Check my ranking")).to_be_disabled()  # nothing is changed yet
        one.pick("Bob")
        one.to_report()
        one.cast("Cast this change")
        assert one.title() == "Changed. Keep your new receipt."
        assert one.receipt() != first
        assert [kind for kind, _ in one.sent()] == ["reports", "changes"]
    told = remote.told()
    assert (told["standing"], told["changes"]) == (1, 1)


def test_a_vote_can_be_withdrawn_for_good(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote))
        one.vote("Cem", "Ann")
        one.press("Withdraw my vote")
        one.page.keyboard.press("Escape")
        assert standing(remote) == 1
        one.press("Withdraw my vote")
        one.press("Withdraw for good")
        expect(one.page.locator("[data-title]")).to_have_text("Your vote is withdrawn.")
        one.page.reload()
        expect(one.page.locator("[data-title]")).to_have_text("Your vote is withdrawn.")
    assert standing(remote) == 0


def test_a_saved_credential_goes_on_on_another_device(browser, server, remote, tmp_path):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.vote("Cem", "Ann")
        credential = one.saved("Save the credential")
        assert "ranking" not in json.dumps(credential)
    path = tmp_path / "credential.json"
    path.write_text(json.dumps(credential), encoding="utf-8")
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}", encoding="utf-8")
    with voter(browser) as other:
        other.open(link(server.address, remote))
        other.page.get_by_text("Voted before, on another device?").click()
        field = other.page.get_by_label("Your credential")
        field.set_input_files(wrong)
        expect(other.page.get_by_role("alert")).to_contain_text("This is no credential")
        field.set_input_files(path)
        expect(other.page.locator("[data-title]")).to_have_text("Your vote is cast.")
        other.press("Change my vote")
        other.press("Rank again")
        expect(other.page.locator(".notice")).to_contain_text("You begin with no order")
        assert other.ranking() == []
        other.pick("Dörte")
        other.to_report()
        other.cast("Cast this change")
    assert remote.told()["changes"] == 1


def test_the_device_forgets_everything_when_told_to(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.vote("Cem", "Ann")
        one.press("Forget this device")
        one.press("Erase it")
        expect(one.page.locator("h1")).to_have_text("This device has forgotten your vote.")
        assert one.kept() == {}
        one.page.reload()
        one.page.locator("main h1").wait_for()
        assert one.title() == "Nothing can be cast with this link."


def test_the_draft_survives_a_reload_and_leaving_is_warned_of(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick("Cem", "Ann")
        asked = []

        def judge(dialog) -> None:
            asked.append(dialog.type)
            dialog.accept()

        one.page.on("dialog", judge)
        one.page.reload()
        one.page.locator(".row").first.wait_for()
        assert asked == ["beforeunload"]
        assert one.ranking() == ["Cem Çelik", "Ann Arbor"]
        one.to_report()
        one.cast()
        one.page.reload()
        one.page.locator(".receipt").wait_for()
        assert asked == ["beforeunload"]  # what is cast is safe


def test_two_pages_of_one_browser_are_one_voter(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        other = one.visit.context.new_page()
        other.goto(link(server.address, remote))
        other.locator(".row").first.wait_for()
        one.vote("Cem", "Ann")
        expect(other.locator("[data-title]")).to_have_text("Your vote is cast.")
    assert standing(remote) == 1

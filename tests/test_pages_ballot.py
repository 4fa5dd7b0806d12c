"""The ballot in real Chromium on a real server: ranking, casting, and what leaves."""

import json

import pytest
from playwright.sync_api import expect

from hushvote.poll.acknowledgements import Acknowledgement
from tests.ballots import DESK, NAMES, PHONE, WANTED, link, voter
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


# --- ranking --------------------------------------------------------------------------------------


def test_candidates_start_unranked_in_an_order_of_the_voters_own(browser, server, remote):
    """Four voters see one and the same of 120 orders in less than one run of 10^6."""
    orders = set()
    for _ in range(4):
        with voter(browser) as one:
            one.open(link(server.address, remote))
            assert one.ranking() == []
            assert sorted(one.open_rows()) == NAMES
            order = tuple(one.open_rows())
            one.page.reload()
            one.page.locator(".row").first.wait_for()
            assert tuple(one.open_rows()) == order
            orders.add(order)
    assert len(orders) > 1


def test_a_vote_by_mouse(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote))
        one.pick("Cem", "Ann", "Emil")
        assert one.ranking() == ["Cem Çelik", "Ann Arbor", "Emil Eriksson"]
        expect(one.page.get_by_text("3 of 5 ranked")).to_be_visible()

        one.press("Emil Eriksson up")
        assert one.ranking() == ["Cem Çelik", "Emil Eriksson", "Ann Arbor"]
        one.pick("Cem")  # taken out again
        assert one.ranking() == ["Emil Eriksson", "Ann Arbor"]

        drag(one, "Bob Baker", "Emil Eriksson", above=True)
        assert one.ranking() == ["Bob Baker", "Emil Eriksson", "Ann Arbor"]
        drag(one, "Bob Baker", "Ann Arbor", above=False)
        assert one.ranking() == ["Emil Eriksson", "Ann Arbor", "Bob Baker"]
        drag(one, "Ann Arbor", "Cem Çelik", above=False)  # out of the ranking
        assert one.ranking() == ["Emil Eriksson", "Bob Baker"]

        sentence = one.to_report()
        expect(one.page.get_by_text("Not yet cast.")).to_be_visible()
        one.cast()
        assert one.title() == "Cast. Keep your receipt."
        expect(one.page.locator("body > [aria-live]")).to_have_text(one.title())
        assert sentence in one.text()
    assert standing(remote) == 1


def drag(one, name: str, target: str, *, above: bool) -> None:
    one.settle()
    one.handle(name).hover()  # which also scrolls it out from below the bar
    start, end = one.handle(name).bounding_box(), one.row(target).bounding_box()
    x = start["x"] + start["width"] / 2
    one.page.mouse.move(x, start["y"] + start["height"] / 2)
    one.page.mouse.down()
    y = end["y"] + (4 if above else end["height"] - 4)
    one.page.mouse.move(x, y, steps=8)
    one.page.mouse.up()
    one.settle()


def test_a_row_can_be_dragged_beyond_the_screen_and_stays_in_its_list(browser, server, client):
    names = [f"Proposal {i:02}" for i in range(1, 17)]
    remote = Remote.create(client, **{**WANTED, "candidates": names})
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick(*names)
        one.settle()
        one.handle("Proposal 01").hover()
        tall = one.page.evaluate("document.documentElement.scrollHeight")
        one.page.mouse.down()
        one.page.mouse.move(300, 805, steps=8)  # at the lower edge the page begins to move
        last = one.row("Proposal 16")
        expect(last).to_be_in_viewport(ratio=1)
        one.page.wait_for_timeout(300)
        assert one.page.evaluate("document.documentElement.scrollHeight") == tall
        one.page.keyboard.press("Escape")  # and nothing has happened
        one.page.mouse.up()
        assert one.ranking() == names


def test_a_vote_by_touch(browser, server, remote, size):
    with voter(browser, viewport=size, has_touch=True, is_mobile=size is PHONE) as one:
        one.open(link(server.address, remote))
        for name in ("Dörte", "Bob", "Cem"):
            one.row(name).locator(".pick").tap()
        touch_drag(one, "Cem Çelik", "Dörte Dreyer")
        assert one.ranking() == ["Cem Çelik", "Dörte Dreyer", "Bob Baker"]
        one.page.get_by_role("button", name="Check my ranking").tap()
        one.page.get_by_role("button", name="See what leaves this device").tap()
        one.page.get_by_role("button", name="Cast my vote").tap()
        one.page.locator(".receipt").wait_for()
    assert standing(remote) == 1


def touch_drag(one, name: str, target: str) -> None:
    """A finger on the handle, to the upper part of another row."""
    one.settle()
    start, end = one.handle(name).bounding_box(), one.row(target).bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    cdp = one.visit.context.new_cdp_session(one.page)

    def touch(kind: str, *points: float) -> None:
        at = [{"x": x, "y": y} for y in points]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", y)
    for i in range(1, 9):
        touch("touchMove", y + (end["y"] + 4 - y) * i / 8)
    touch("touchEnd")
    one.page.wait_for_timeout(800)  # so quick a finger flings, and the next tap would only stop it


def test_a_vote_by_keyboard_alone(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote))
        keys = one.page.keyboard

        def focused() -> str:
            script = "(e => e === document.body ? '' : e.ariaLabel || e.textContent)"
            return str(one.page.evaluate(f"{script}(document.activeElement)"))

        def tab_to(label: str) -> None:
            for _ in range(60):
                if label in focused():
                    return
                keys.press("Tab")
            raise AssertionError(f"{label} cannot be reached, only {focused()}")

        tab_to("rank as number 1")
        keys.press("Enter")
        keys.press("Space")  # the next one is at hand
        keys.press("Enter")
        first = one.ranking()
        assert len(first) == 3
        keys.press("Shift+Tab")
        assert focused() == f"Move {first[2]}"
        keys.press("ArrowUp")
        keys.press("ArrowUp")
        assert one.ranking() == [first[2], first[0], first[1]]
        keys.press("End")
        assert one.ranking() == first
        keys.press("Home")
        keys.press("Delete")
        assert one.ranking() == first[:2]
        tab_to("Check my ranking")
        keys.press("Enter")
        assert focused() == "Is this your order?"  # those who hear the page are led there
        tab_to("See what leaves this device")
        keys.press("Enter")
        assert focused() == "What leaves your device"
        tab_to("Cast my vote")
        keys.press("Enter")
        one.page.locator(".receipt").wait_for()
        assert focused() == "Cast. Keep your receipt."
    assert standing(remote) == 1


def test_arrows_walk_from_row_to_row_and_every_move_is_said(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        order = one.open_rows()
        one.pick(order[0])
        said = one.page.locator("p[role=status].unseen")
        expect(said).to_have_text(f"{order[0]} is number 1 of 1.")
        one.row(order[0]).locator(".pick").focus()
        one.page.keyboard.press("ArrowDown")
        label = one.page.evaluate("document.activeElement.textContent")
        assert label == f"{order[1]}, rank as number 2"
        one.pick(order[0])
        expect(said).to_have_text(f"{order[0]} is not ranked.")


def test_a_partial_ranking_may_be_cast_where_the_poll_allows_it(browser, server, remote, size):
    with voter(browser, viewport=size) as one:
        one.open(link(server.address, remote))
        expect(one.page.get_by_role("button", name="Check my ranking")).to_be_disabled()
        one.pick("Bob")
        one.press("Check my ranking")
        assert "in an order drawn at random" in one.text()
        one.press("See what leaves this device")
        one.cast()
    assert standing(remote) == 1


def test_all_must_be_ranked_where_the_poll_says_so(browser, server, client):
    remote = Remote.create(client, **{**WANTED, "partial": False})
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick(*NAMES[:4])
        check = one.page.get_by_role("button", name="Check my ranking")
        expect(check).to_be_disabled()
        one.pick(NAMES[4])
        expect(check).to_be_enabled()
        assert one.ranking() == NAMES


# --- what leaves ----------------------------------------------------------------------------------


def test_nothing_is_asked_for_between_opening_and_casting(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.page.wait_for_load_state("networkidle")
        before = len(one.requests)
        one.visit.context.set_offline(True)  # and so it works without a network
        one.pick("Cem", "Ann")
        one.to_report()
        one.page.get_by_text("The same as it will travel").click()
        one.press("Is my vote secret?")
        one.press("Close")
        assert len(one.requests) == before
        one.visit.context.set_offline(False)
        one.cast()
        assert [url.url.rpartition("/")[2] for url in one.requests[before:]] == ["reports"]


def test_what_is_cast_is_what_was_shown(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick(*NAMES)
        sentence = one.to_report()
        one.page.get_by_text("The same as it will travel").click()
        shown = one.page.locator("#json").inner_text()
        one.cast()
        (kind, body), raw = one.sent()[0], one.requests[-1].post_data
        assert kind == "reports"
        assert raw.rstrip(" ") == shown
        assert len(raw) % 1024 == 0
        assert body["receipt"] == one.receipt()
        assert f"You have sent: {sentence}" in one.text()
        ack = one.saved("Save the acknowledgement")
        found = Acknowledgement.from_json(json.dumps(ack))
        found.check(remote.poll)
        assert ack["receipt"] == one.receipt()


def test_no_secret_stands_in_an_address_or_in_the_history(browser, server, client):
    remote = Remote.create(client, **{**WANTED, "access": "codes"})
    code = remote.issue(1)[0]
    with voter(browser) as one:
        one.open(link(server.address, remote, code))
        assert "#" not in one.page.url
        assert one.page.evaluate("history.length") <= 2  # the empty page and this one
        one.vote("Ann", "Bob")
        secrets = [code, code.replace("-", ""), remote.poll.digest, one.receipt()]
        kept = one.kept()[f"hushvote.vote.{remote.poll.digest}"]
        state = kept["state"]
        secrets += [state["seed"], state["question"]]
        for asked in one.requests:
            assert "#" not in asked.url
            assert not [secret for secret in secrets if secret in asked.url]
            told = json.dumps(asked.headers) + (asked.post_data or "")
            assert code not in told
            assert state["seed"] not in told
        assert code.replace("-", "") not in json.dumps(kept)
    assert code not in server.output


def test_the_same_ranking_gives_the_same_sentence_and_draws_are_limited(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick("Cem", "Ann")
        first = one.to_report()
        one.press("Change the order")
        one.press("Check my ranking")
        assert "You have seen the sentence of this ranking before" in one.text()
        one.press("See what leaves this device")
        assert one.sentence() == first
        for name in ("Bob", "Emil"):
            one.press("Change the order")
            one.pick(name)
            one.to_report()
        assert "You have seen 3 sentences here" in one.text()
        one.press("Change the order")
        one.pick("Dörte")
        one.press("Check my ranking")
        assert "as many sentences as this poll allows" in one.text()
        one.press("Take Cem Çelik, Ann Arbor")
        assert one.sentence() == first
        one.cast()
    assert standing(remote) == 1


def test_the_odds_are_those_of_the_poll_rounded_up(browser, server, remote):
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick(*NAMES)
        one.to_report()
        assert "multiply their odds about your vote by 2.72 at most" in one.text()
        assert one.page.locator(".ballots li").count() == 10
        one.press("Is my vote secret?")
        told = one.page.locator("dialog").inner_text()
        for part in ("local epsilon 1", "20.1 at most", "network address", "hushvote vote"):
            assert part in told


@pytest.mark.parametrize(
    ("epsilon", "said", "unsaid"),
    [
        ("1", ["says little about you"], ["protects little"]),
        ("2.9", ["says little about you", "together are epsilon 8.7: that protects little"], []),
        (
            "3",
            ["together are epsilon 9: that protects little"],
            ["says little about you", "nobody can be sure"],
        ),
        (
            "10",
            ["epsilon 10 that protects little"],
            ["says little about you", "nobody can be", "together are"],
        ),
    ],
)
def test_what_is_said_of_secrecy_depends_on_epsilon(browser, server, client, epsilon, said, unsaid):
    remote = Remote.create(client, **{**WANTED, "epsilon": epsilon})
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.pick(*NAMES)
        one.to_report()
        leaves = one.text()
        one.press("Is my vote secret?")
        dialog = one.page.locator("dialog").inner_text()
        for part in said:
            assert part in dialog
        for part in unsaid:
            assert part not in leaves
            assert part not in dialog
        assert ("protects little" in leaves) == (epsilon == "10")


@pytest.mark.parametrize("mechanism", ["additive", "weighted-sampling", "laplace"])
def test_every_mechanism_can_be_cast(browser, server, client, mechanism):
    remote = Remote.create(client, **{**WANTED, "mechanism": mechanism, "epsilon": "2"})
    with voter(browser) as one:
        one.open(link(server.address, remote))
        one.vote(*NAMES)
    assert standing(remote) == 1


def test_a_challenge_is_answered_with_the_voters_code(browser, server, client):
    wanted = {**WANTED, "mechanism": "challenge", "access": "codes"}
    remote = Remote.create(client, **wanted)
    with voter(browser) as one:
        one.open(link(server.address, remote, remote.issue(1)[0]))
        one.pick(*NAMES)
        assert "Do I put" in one.to_report()
        one.cast()
        one.press("Change my vote")
        one.press("Rank again")
        one.press("Start over")
        one.pick(*reversed(NAMES))
        assert "Do I put" in one.to_report()
        one.cast("Cast this change")
    assert standing(remote) == 1

"""Every state of the ballot, for everybody: WCAG 2.2 AA, large targets, small screens, zoom."""

from pathlib import Path

import pytest

from tests.ballot_states import look_at_all
from tests.ballots import link, voter
from tests.browsing import needs_chromium
from tests.serving import Remote, serving
from tests.sights import PICTURES, everywhere, looking, needs_axe

pytestmark = [pytest.mark.slow, needs_chromium, needs_axe]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    with serving(store, "--open", "--creations", "0") as running:
        yield running


@everywhere
def test_every_state_can_be_used_by_everybody(browser, server, client, sight):
    with looking(sight) as look:
        look_at_all(browser, server, client, look, **sight.options)


def test_colours_that_are_forced_are_kept(browser, server, client):
    remote = Remote.create(client)
    with voter(browser, forced_colors="active") as one:
        one.open(link(server.address, remote))
        one.pick("Ann", "Bob", "Cem")
        assert one.page.evaluate("matchMedia('(forced-colors: active)').matches")
        one.to_report()
        ground = "e => getComputedStyle(e).backgroundColor"
        bar, filled = one.page.locator(".likely").first, one.page.locator(".fill").first
        assert bar.evaluate(ground) != filled.evaluate(ground)
        if PICTURES:
            one.page.screenshot(path=Path(PICTURES) / "forced-colours.png", full_page=True)


def test_nothing_moves_for_those_who_want_no_motion(browser, server, client):
    remote = Remote.create(client)
    moved = "document.getAnimations().length"
    for motion, expected in (("no-preference", True), ("reduce", False)):
        with voter(browser, reduced_motion=motion) as one:
            one.open(link(server.address, remote))
            names = one.open_rows()
            script = f"(document.querySelectorAll('.unranked .pick')[1].click(), {moved} > 0)"
            assert one.page.evaluate(script) is expected
            assert one.ranking() == [names[1]]


def test_the_receipt_prints_black_on_white_without_buttons(browser, server, client):
    remote = Remote.create(client)
    with voter(browser, color_scheme="dark") as one:
        one.open(link(server.address, remote))
        one.vote("Ann", "Bob", "Cem")
        one.page.emulate_media(media="print", color_scheme="dark")
        assert one.page.locator("button:visible").count() == 0
        colour = "e => getComputedStyle(e).color"
        ground = "e => getComputedStyle(e).backgroundColor"
        assert one.page.locator(".hex").evaluate(colour) == "rgb(0, 0, 0)"
        assert one.page.locator("html").evaluate(ground) == "rgb(255, 255, 255)"
        width = one.page.locator(".qr").bounding_box()["width"]
        assert abs(width - 28 / 25.4 * 96) < 1
        if PICTURES:
            one.page.screenshot(path=Path(PICTURES) / "print.png")

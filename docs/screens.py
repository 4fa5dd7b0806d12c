"""Take the pictures of pages that the README opens with, into docs/img/: `python -m docs.screens`.

It needs Chromium (HUSHVOTE_CHROMIUM names it, if it stands elsewhere) and takes half a minute. A
real server collects the votes of simulated voters; chance is fresh, so figures differ a little.
"""

import tempfile
from pathlib import Path

from examples.polls import PEOPLE, voted
from PIL import Image
from playwright.sync_api import Browser, Page
from tests.browsing import chromium
from tests.serving import serving

from hushvote.client.server import Server

FOLDER = Path(__file__).parent / "img"
QUESTION = "Who shall chair the works council?"
VOTERS = 2000
SIZE = {"width": 375, "height": 900}
COLOURS = 96  # enough for paper, ink and one accent; a third of the bytes


def main() -> None:
    """A ballot, what leaves the device, and a result."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--open", "--creations", "0", "--casts", "0")
        with serving(Path(folder) / "polls.db", *options) as running:
            server = Server(running.address)
            asked = {"question": QUESTION, "candidates": PEOPLE, "epsilon": "2"}
            going = voted(server, VOTERS, VOTERS - 1, **asked, partial=True)
            with chromium() as browser:
                vote(browser, str(going.ballot(going.codes[-1])))
                going.own("POST", "/close")
                page = opened(browser, f"{running.address}/p/{going.poll.id}/result")
                page.locator(".rows").wait_for()
                take(page, "page-result")


def vote(browser: Browser, link: str) -> None:
    """Take pictures on the way to a vote, and cast it."""
    page = opened(browser, link)
    for name in ("Chiara", "Ada", "Eun-ji"):
        page.locator(".row", has_text=name).locator(".pick").click()
    page.mouse.move(0, 0)
    page.evaluate("(document.activeElement.blur(), scrollTo(0, 0))")
    take(page, "page-ballot")
    page.get_by_role("button", name="Check my ranking").click()
    page.get_by_role("button", name="See what leaves this device").click()
    page.locator(".report").wait_for()
    take(page, "page-leaves")
    page.get_by_role("button", name="Cast my vote").click()
    page.locator(".receipt").wait_for()


def opened(browser: Browser, address: str) -> Page:
    """A page on a phone with a sharp screen, in light colours."""
    options = {
        "viewport": SIZE,
        "device_scale_factor": 2,
        "color_scheme": "light",
        "reduced_motion": "reduce",
    }
    page = browser.new_context(locale="en", **options).new_page()
    page.goto(address)
    return page


def take(page: Page, name: str) -> None:
    """A picture of what is on the screen, with few colours."""
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    with Image.open(path) as taken:
        taken.convert("RGB").quantize(COLOURS).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()

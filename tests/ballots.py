"""A voter in front of the ballot page: real Chromium, a real server, and what the network saw."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Request

from hushvote.messages import ENGLISH, language
from tests.browsing import Visit, visit
from tests.serving import Remote

WEB = Path(__file__).parents[1] / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 375, "height": 812}
DESK = {"width": 1280, "height": 900}
NAMES = ["Ann Arbor", "Bob Baker", "Cem Çelik", "Dörte Dreyer", "Emil Eriksson"]
WANTED = {
    "question": "Who shall chair the works council?",
    "description": "The chair speaks for all of us for two years.\nThink of who listens best.",
    "candidates": NAMES,
    "epsilon": "1",
    "partial": True,
}
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def said_in(code: str, english: str) -> str:
    """What pages say in a language where they say this in English."""
    if code == ENGLISH:
        return english
    for page, said in language(ENGLISH).PAGES.items():
        for key, template in said.items():
            parts = [re.escape(part) for part in re.split(r"\{\w+\}", template)]
            found = re.fullmatch("(.+)".join(parts), english)
            if found and any(parts):
                values = dict(zip(re.findall(r"\{(\w+)\}", template), found.groups(), strict=True))
                return str(language(code).PAGES[page][key].format(**values))
    raise AssertionError(f"no page says {english!r}")


def link(address: str, remote: Remote, code: str | None = None, digest: str | None = None) -> str:
    """A voter's link."""
    end = "" if code is None else f".{code}"
    return f"{address}/p/{remote.poll.id}#{digest or remote.poll.digest}{end}"


@dataclass
class Voter:
    """What somebody does on the page, and what left the browser meanwhile."""

    visit: Visit
    page: Page
    language: str = ENGLISH
    requests: list[Request] = field(default_factory=list)

    def open(self, address: str) -> "Voter":
        self.page.goto(address)
        self.page.locator("main h1").wait_for()
        return self

    def press(self, name: str) -> None:
        self.button(name).click()

    def button(self, name: str) -> Locator:
        """A button by its English name."""
        return self.page.get_by_role("button", name=self.says(name), exact=True)

    def says(self, english: str) -> str:
        """A sentence of the pages in the language of this voter."""
        return said_in(self.language, english)

    def hears(self, key: str, **values: object) -> None:
        """Wait until the ballot says this, somewhere."""
        said = language(self.language).PAGES["ballot"][key].format(**values)
        self.page.get_by_text(said).first.wait_for()

    def row(self, name: str) -> Locator:
        return self.page.locator(".row", has_text=name)

    def pick(self, *names: str) -> None:
        for name in names:
            self.settle()
            self.row(name).locator(".pick").click()

    def settle(self) -> None:
        """Wait until every row is where it goes."""
        moving = "document.getAnimations().map(one => one.finished)"
        self.page.evaluate(f"Promise.allSettled({moving}).then(() => 0)")

    def handle(self, name: str) -> Locator:
        return self.button(f"Move {name}")

    def ranking(self) -> list[str]:
        """The names above the line, best first; their numbers must be their places."""
        rows = self.page.locator(".ranked .row")
        places = rows.locator(".place").all_text_contents()
        assert places == [str(i + 1) for i in range(len(places))]
        return rows.locator(".name").all_text_contents()

    def open_rows(self) -> list[str]:
        return self.page.locator(".unranked .row .name").all_text_contents()

    def to_report(self) -> str:
        """On to what leaves the device; gives the sentence."""
        self.press("Check my ranking")
        self.press("See what leaves this device")
        return self.sentence()

    def sentence(self) -> str:
        return self.page.locator(".report").inner_text()

    def cast(self, button: str = "Cast my vote") -> None:
        self.press(button)
        self.page.locator(".receipt").wait_for()

    def vote(self, *names: str) -> str:
        self.pick(*names)
        sentence = self.to_report()
        self.cast()
        return sentence

    def title(self) -> str:
        """What the step or the state says first."""
        titles = self.page.locator("[data-title]")
        return (titles if titles.count() else self.page.locator("main h1")).first.inner_text()

    def text(self) -> str:
        return self.page.locator("main").inner_text()

    def receipt(self) -> str:
        return "".join(self.page.locator(".hex span").all_text_contents())

    def saved(self, button: str) -> Any:
        """A file that the page saves, as JSON."""
        with self.page.expect_download() as download:
            self.press(button)
        return json.loads(Path(download.value.path()).read_text(encoding="utf-8"))

    def kept(self) -> dict[str, Any]:
        """Everything that the browser keeps for this server."""
        found = self.page.evaluate("Object.entries(localStorage)")
        return {name: json.loads(text) for name, text in found}

    def sent(self) -> list[tuple[str, Any]]:
        """Path and body of each vote that was sent."""
        posted = [one for one in self.requests if one.method == "POST"]
        return [(one.url.rpartition("/")[2], json.loads(one.post_data or "")) for one in posted]

    def violations(self) -> list[str]:
        """What axe finds against WCAG 2.2 AA; evaluated beside the page's own policy."""
        if self.page.evaluate("typeof axe === 'undefined'"):
            self.page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
        run = "tags => axe.run(document, { runOnly: tags, resultTypes: ['violations'] })"
        found = self.page.evaluate(run, STANDARDS)
        return [
            f"{one['id']}: {node['html']} {node['failureSummary']}"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    def small_targets(self) -> list[str]:
        """Controls that are smaller than 44 pixels in either direction."""
        return list(
            self.page.evaluate(
                """() => [...document.querySelectorAll('button, a, input, select, summary')]
                  .filter(e => e.checkVisibility() && !e.closest('label'))
                  .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
                  .filter(([, box]) => box.width < 44 || box.height < 44)
                  .map(([html, box]) => `${html}: ${box.width} x ${box.height}`)"""
            )
        )

    def scrolls_sideways(self) -> bool:
        script = "(e => e.scrollWidth > e.clientWidth)(document.documentElement)"
        return bool(self.page.evaluate(script))


@contextmanager
def voter(browser: Browser, **options: Any) -> Iterator[Voter]:
    """A voter with a fresh browser; nothing may be asked of anybody else, nor go wrong unseen."""
    options.setdefault("viewport", PHONE)
    with visit(browser, **options) as visited:
        one = Voter(visited, visited.page, options.get("locale", ENGLISH)[:2])

        def asked(request: Request) -> None:
            one.requests.append(request)

        visited.page.on("request", asked)
        yield one
        assert visited.elsewhere == []
        # Chromium itself tells of every refusal of the server; what the page says is looked at.
        own = [one for one in visited.errors if not one.startswith("Failed to load resource")]
        assert own == []

"""How pages are looked at: in which sizes, themes and languages, and what is asked of every state.

With HUSHVOTE_PICTURES set to a folder, a picture of every state is written there, in each theme and
language, as phones and desks show it.
"""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.ballots import AXE, DESK, PHONE, Voter

PICTURES = os.environ.get("HUSHVOTE_PICTURES")
NARROW = {"width": 320, "height": 640}
ZOOMED = {"width": 640, "height": 450}  # 1280 by 900 at 200 %

needs_axe = pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is missing: make web/node_modules/.installed"
)


@dataclass(frozen=True)
class Sight:
    """A screen, a theme and a language."""

    width: int
    theme: str
    language: str
    judged: bool = False  # by axe as well: once in each theme and language, since it takes long

    @property
    def options(self) -> dict[str, Any]:
        """What a browser is told."""
        size = next(one for one in (PHONE, DESK, NARROW, ZOOMED) if one["width"] == self.width)
        return {"viewport": size, "color_scheme": self.theme, "locale": self.language}

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}-{self.language}"


SIGHTS = {
    str(one): one
    for one in (
        Sight(375, "light", "en", judged=True),
        Sight(1280, "dark", "de", judged=True),
        Sight(320, "light", "de"),
        Sight(640, "dark", "en"),
    )
}
if PICTURES:
    for each in itertools.starmap(
        Sight, itertools.product((375, 1280), ("light", "dark"), ("en", "de"))
    ):
        SIGHTS.setdefault(str(each), each)

everywhere = pytest.mark.parametrize("sight", SIGHTS.values(), ids=str)


@dataclass
class Looking:
    """Looks at states, and writes down what is wrong with them."""

    sight: Sight
    wrong: list[str] = field(default_factory=list)

    def __call__(self, state: str, one: Voter) -> None:
        one.settle()
        if PICTURES:
            self._take(state, one)
        if state == "rank-dragging":
            return  # one row lies over another, as long as the button is down
        found = one.violations() if self.sight.judged else []
        found += one.small_targets()
        if one.scrolls_sideways():
            found.append("it scrolls sideways")
        language = one.page.locator("html").get_attribute("lang")
        if language != self.sight.language:
            found.append(f"it speaks {language}")
        self.wrong += [f"{state}: {each}" for each in found]

    def _take(self, state: str, one: Voter) -> None:
        folder = Path(PICTURES or "") / str(self.sight)
        folder.mkdir(parents=True, exist_ok=True)
        # A picture of the whole page resizes it, which nothing open or dragged survives.
        whole = state != "rank-dragging" and not one.page.locator("dialog").count()
        one.page.screenshot(path=folder / f"{state}.png", full_page=whole)


@contextmanager
def looking(sight: Sight) -> Iterator[Looking]:
    """Look at states; in the end nothing may be wrong with any."""
    look = Looking(sight)
    yield look
    assert not look.wrong, "\n".join(look.wrong)

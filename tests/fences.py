"""The fenced blocks of the README and of the pages, and what a comment right above each says of it.

- `<!-- not run: reason -->`: no test runs it, for a reason that a reader would accept.
- `<!-- up to chance -->`: what is shown differs from run to run, and not in its figures alone.
- `<!-- file: name -->`: it is a file that later commands use.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATTERN = re.compile(
    r"(?:^<!-- (?P<note>[^>]*) -->\n\n?)?"
    r"^(?P<indent> *)```(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.S | re.M,
)


@dataclass(frozen=True)
class Fence:
    """One fenced block of a page."""

    page: str
    line: int
    kind: str
    text: str
    note: str

    @property
    def not_run(self) -> str:
        """Why no test runs it, or nothing."""
        return self.noted("not run")

    @property
    def by_chance(self) -> bool:
        return self.note == "up to chance"

    @property
    def source(self) -> bool:
        """Whether it is taken from a file of hushvote's own when the site is built."""
        return self.text.startswith("--8<--")

    def noted(self, word: str) -> str:
        return self.note.removeprefix(f"{word}: ") if self.note.startswith(f"{word}: ") else ""


def fences(page: str) -> list[Fence]:
    """All fenced blocks of a page, in order."""
    content = (ROOT / page).read_text(encoding="utf-8")
    found = []
    for piece in PATTERN.finditer(content):
        line = content.count("\n", 0, piece.start("kind")) + 1
        note = " ".join((piece["note"] or "").split())
        found.append(Fence(page, line, piece["kind"], piece["text"], note))
    return found


def pages() -> list[str]:
    """The README and all pages, as paths from the root."""
    found = sorted((ROOT / "docs").rglob("*.md"))
    return ["README.md", *(str(path.relative_to(ROOT)) for path in found)]

"""The words of the pages: in which language, and what they say there.

Every page has its own part of the catalogue (`messages/<language>/pages.py`), which the browser's
half of the page shares.
"""

import string
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import cast

ENGLISH = "en"
LONGEST = 200  # characters of what a browser says about its languages

_formatter = string.Formatter()


def words(language: str, page: str) -> Callable[..., str]:
    """Says the messages of one page in one language: `say("title", question=...)`."""
    catalogue = import_module(f"hushvote.messages.{language}")
    messages = cast("dict[str, str]", catalogue.PAGES[page])

    def say(key: str, /, **values: object) -> str:
        return _formatter.vformat(messages[key], (), values)

    return say


def chosen(asked: str | None, accepted: str | None, known: Sequence[str]) -> str:
    """The language of an answer: the one that was asked for, else the first one that the browser
    accepts most, else English.
    """
    if asked in known:
        return cast("str", asked)
    ranges = [_range(part) for part in (accepted or "")[:LONGEST].split(",")]
    for _, name in sorted(ranges, key=lambda one: -one[0]):
        if name in known:
            return name
    return ENGLISH


def _range(text: str) -> tuple[float, str]:
    """How much a language is wanted, and which: `de-AT;q=0.8`."""
    name, _, rest = text.strip().partition(";")
    quality = rest.strip().removeprefix("q=")
    try:
        wanted = float(quality) if quality else 1.0
    except ValueError:
        wanted = 0.0
    name = name.partition("-")[0].lower()
    return (wanted, name) if wanted > 0 else (0.0, "")

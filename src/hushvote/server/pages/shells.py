"""The frame of a page: its head, and, where the browser makes the content, words without it."""

from collections.abc import Mapping
from functools import cache

from hushvote.pages.html import Children, Value, document, element
from hushvote.pages.words import words
from hushvote.server.pages.assets import assets

HOME = "home"


@cache
def shell(page: str, language: str, told: tuple[tuple[str, Value], ...] = ()) -> bytes:
    """A page whose content the browser makes: it holds nothing of a poll, so all get the same.

    What the server tells of itself stands on `<main>`.
    """
    say = words(language, "shell")
    content = [
        element("p", say("loading"), class_="loading", role="status"),
        element(
            "noscript",
            element("h1", say("noscript")),
            element("p", say(f"{page}.noscript")),
        ),
    ]
    return framed(page, language, say(f"{page}.title"), content, told=dict(told))


@cache
def home(language: str, asked: str = "") -> bytes:
    """The first page, which can be read without scripts; links to others end as was asked."""
    say = words(language, HOME)
    before = words(language, "shell")
    sentences = [say("what.one"), say("what.two"), say("what.three"), say("what.four")]
    content: list[Children] = [
        element("header", element("span", "hushvote", class_="mark-word"), class_="top"),
        element("h1", say("title"), class_="first"),
        [element("p", one) for one in sentences],
        element(
            "p",
            element("a", say("make"), href=f"/new{asked}", class_="button main"),
            class_="actions",
        ),
        element("h2", say("enter")),
        element("div", element("p", before(f"{HOME}.noscript")), id="enter"),
    ]
    return framed(HOME, language, before(f"{HOME}.title"), content)


def framed(
    page: str,
    language: str,
    title: str,
    content: Children,
    *,
    scripted: bool = True,
    told: Mapping[str, Value] | None = None,
) -> bytes:
    """A whole page; `content` stands in its `<main>`."""
    script, style = assets().of(page, language)
    runs = element(
        "script", type="module", src=f"/static/{script.name}", integrity=script.integrity
    )
    looks = element(
        "link", rel="stylesheet", href=f"/static/{style.name}", integrity=style.integrity
    )
    head = [
        element("title", title),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="robots", content="noindex"),
        element("link", rel="icon", href=f"/static/{assets().icon.name}"),
        looks,
        runs if scripted else None,
    ]
    body = element("body", element("main", content, id="page", **(told or {})))
    return document(head, body, language=language)

"""The frame of a page: its head, and, where the browser makes the content, words without it."""

from functools import cache

from hushvote.pages.html import Children, document, element
from hushvote.pages.words import words
from hushvote.server.pages.assets import assets


@cache
def shell(page: str, language: str) -> bytes:
    """A page whose content the browser makes: it holds nothing of a poll, so all get the same."""
    say = words(language, "shell")
    content = [
        element("p", say("loading"), class_="loading", role="status"),
        element(
            "noscript",
            element("h1", say("noscript")),
            element("p", say(f"{page}.noscript")),
        ),
    ]
    return framed(page, language, say(f"{page}.title"), content)


def framed(
    page: str, language: str, title: str, content: Children, *, scripted: bool = True
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
    return document(head, element("body", element("main", content, id="page")), language=language)

"""Pages that the server makes whole: they need no scripts, and lead to other languages."""

from hushvote.messages import say, speaking
from hushvote.pages.html import Children, element
from hushvote.server.pages.assets import assets
from hushvote.server.pages.shells import framed

LOOK = "board"  # the page whose style they share


def still(language: str, title: str, content: Children) -> bytes:
    """A whole page around this content."""
    others = [
        element("a", _name_of(one), href=f"?lang={one}", hreflang=one, lang=one, class_="plain")
        for one in assets().languages
        if one != language
    ]
    mark = element("span", "hushvote", class_="mark-word")
    top = element("header", mark, element("span", others), class_="top screen")
    whole = [top, element("div", content, class_="result")]
    return framed(LOOK, language, title, whole, scripted=False)


def _name_of(language: str) -> str:
    with speaking(language):
        return say("page.language")

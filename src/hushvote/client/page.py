"""The page of an archive: the result of a closed poll, readable without a server or scripts.

It is made of what the server's page of a result is made of, brings its own style, and forbids
itself to load or to run anything.
"""

from collections.abc import Mapping
from typing import Any

from hushvote.client.answers import Told
from hushvote.client.page_style import STYLE
from hushvote.messages import say, spoken
from hushvote.pages import result as parts
from hushvote.pages.html import Element, document, element
from hushvote.pages.promises import crowd_epsilon
from hushvote.pages.result import Happened
from hushvote.poll import Poll

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def happened_by(told: Told) -> Happened:
    """What a server tells of a poll without a board."""
    codes = told.codes
    return Happened(
        told.numbers, None if codes is None else (codes["issued"], codes["revoked"]), told.log
    )


def page(poll: Poll, happened: Happened, result: Mapping[str, Any] | None) -> str:
    """The page of a closed poll; below the turnout there is no result."""
    closed = happened.closed
    state = "" if closed is None else say("page.closed", day=parts.when(closed)[:10])
    standing = happened.numbers["standing"]
    content = [
        parts.head(poll, state),
        parts.withheld(poll, standing) if result is None else parts.shown(poll, result),
        parts.promised(poll, crowd_epsilon(poll)),
        parts.took_part(happened),
        parts.events(happened.log),
        _verify(poll, happened.board),
    ]
    head = [
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", say("page.title", question=poll.question)),
    ]
    body = element("body", element("main", content))
    return document(head, body, language=spoken(), style=STYLE).decode()


def _verify(poll: Poll, board: str | None) -> list[Element]:
    digest = parts.digest_of(say("page.digest"), poll.digest)
    top = element("h2", say("page.verify"))
    if board is None:
        return [top, element("p", say("page.verify.withheld")), digest]
    return [
        top,
        element("p", say("page.verify.says")),
        element("pre", f"hushvote verify board.jsonl --digest {poll.digest}"),
        digest,
        parts.digest_of(say("page.board"), board),
    ]

"""What people read in an archive: the result of a closed poll as a page, which needs no server and
no scripts, and how to check the files beside it.

The page is made of what the server's page of a result is made of, brings its own style, and forbids
itself to load or to run anything.
"""

from collections.abc import Mapping
from typing import Any

from hushvote.messages import say, spoken
from hushvote.pages import result as parts
from hushvote.pages.archive_style import STYLE
from hushvote.pages.html import Element, document, element
from hushvote.pages.promises import crowd_epsilon
from hushvote.pages.result import Happened
from hushvote.poll import Poll

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


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


def readme(poll: Poll, board: str | None) -> str:
    """How to read and check an archive, for somebody who finds it in ten years."""
    lines = [
        poll.question,
        "=" * min(len(poll.question), 72),
        "",
        "This folder is the archive of a closed poll, made with hushvote.",
        "",
        "  index.html     the result, for people; needs no network and runs no scripts",
        "  manifest.json  what was asked, and what was promised to voters",
    ]
    if board is None:
        lines += [
            "",
            "There is no board and no result: fewer reports stand than the manifest asks for.",
        ]
    else:
        lines += [
            "  board.jsonl    every randomised report that was counted; no votes",
            "  result.json    the result, for programs",
        ]
    lines += [
        "",
        "The poll's digest, which also stands behind the # of the ballot's link, is the SHA-256",
        "of manifest.json:",
        "",
        f"  {poll.digest}",
        "  sha256sum manifest.json",
    ]
    if board is not None:
        lines += [
            "",
            "To check the board and count it again, without any server:",
            "",
            f"  hushvote verify board.jsonl --digest {poll.digest}",
            "",
            "To see whether everybody was shown the same board, compare its digest with others:",
            "",
            f"  {board}",
            "",
            "A voter who kept an acknowledgement adds --ack acknowledgement.json to the command,",
            "and sees whether the report stands as it was sent.",
        ]
    return "\n".join(lines) + "\n"

"""The page of a result, its figures as CSV, and the texts of an archive: rendered here, so that
they need no scripts.

Whatever happens is a page in words: a poll that is open, deleted or unknown, a server that is busy.
"""

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hushvote.canonical import is_hex
from hushvote.errors import HushvoteError, PollError
from hushvote.messages import counted, say, speaking
from hushvote.pages import archive
from hushvote.pages import result as parts
from hushvote.pages.html import Children, Element, element
from hushvote.pages.result import Happened
from hushvote.poll import Poll
from hushvote.poll.checks import CODES
from hushvote.server import publishing
from hushvote.server.pages.refusals import refusal
from hushvote.server.pages.routes import asked, language_of, page
from hushvote.server.pages.still import still
from hushvote.server.polls import ApiError, Told

if TYPE_CHECKING:
    from hushvote.server.api.app import App

WITHHELD = ("result.hidden", "result.turnout")
COLUMNS = ("place", "candidate", "score", "standard_error", "low", "high")
Found = Mapping[str, Any] | HushvoteError
"""A published result, or why there is none."""

FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")  # how a cell begins that a spreadsheet would run


class ResultPages:
    """The handlers of result pages."""

    def __init__(self, app: "App") -> None:
        self._app = app

    def table(self) -> list[Route]:
        """All paths."""
        return [
            Route("/p/{id}/result", self.result, methods=["GET"]),
            Route("/p/{id}/result.csv", self.figures, methods=["GET"]),
            Route("/p/{id}/archive/index.html", self.archived, methods=["GET"]),
            Route("/p/{id}/archive/README.txt", self.read_first, methods=["GET"]),
        ]

    async def result(self, request: Request) -> Response:
        """The result of a poll, or why there is none."""
        language = language_of(request)
        try:
            poll, told, published = await self._found(request)
        except HushvoteError as error:
            return refusal(request, error)
        with speaking(language):
            title = say("page.title", question=poll.question)
            content = _content(poll, told, published, asked(request))
        return page(request, still(language, title, content))

    async def figures(self, request: Request) -> Response:
        """The figures of a result for spreadsheets; refused as the API refuses a result."""
        poll, _, published = await self._found(request)
        if isinstance(published, HushvoteError):
            raise published
        name = f"hushvote-{poll.id[:8]}-result.csv"
        return Response(
            written(published),
            media_type="text/csv; charset=utf-8",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def archived(self, request: Request) -> Response:
        """The page of an archive, which the organiser's browser puts beside the board."""
        poll, happened, published = await self._over(request)
        with speaking(language_of(request)):
            return _file("index.html", "text/html", archive.page(poll, happened, published))

    async def read_first(self, request: Request) -> Response:
        """How to read and check an archive."""
        poll, happened, _ = await self._over(request)
        return _file("README.txt", "text/plain", archive.readme(poll, happened.board))

    async def _over(self, request: Request) -> tuple[Poll, Happened, Mapping[str, Any] | None]:
        """A closed poll with the digest of its board; below the turnout it has neither board nor
        result.
        """
        poll, told, published = await self._found(request)
        if not told.kept.closed:
            raise PollError("a poll is archived when it is closed, not before", code="archive.open")
        if isinstance(published, HushvoteError):
            return poll, _happened(poll, told), None
        service = self._app.service
        path = await service.count(publishing.board, service.store, told.kept)
        digest = await service.count(publishing.digest_of, path)
        return poll, replace(_happened(poll, told), board=digest), published

    async def _found(self, request: Request) -> tuple[Poll, Told, Found]:
        """The poll, what everybody may know of it, and its result or why there is none."""
        id, service = request.path_params["id"], self._app.service
        if not is_hex(id, 32):
            raise ApiError("there is no such poll", code="api.poll")
        held = await service.polls.find(id)
        told = await service.polls.told(held)
        try:
            raw = await service.count(service.results.read, told.kept)
        except HushvoteError as error:
            if error.code not in WITHHELD:
                raise
            return held.poll, told, error
        return held.poll, told, json.loads(raw)


def _file(name: str, media: str, text: str) -> Response:
    """A text to be saved."""
    named = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{media}; charset=utf-8", headers=named)


def written(result: Mapping[str, Any]) -> str:
    """The rows of a result as CSV: figures in full, and written as programs write them."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow([*COLUMNS, "best_place", "worst_place", "truly_first"])
    for row in result["candidates"]:
        first = "" if row["first"] is None else row["first"]
        name = {"candidate": _defused(row["candidate"])}
        rows.writerow([*({**row, **name}[one] for one in COLUMNS), *row["places"], first])
    return out.getvalue()


def _defused(cell: str) -> str:
    """A cell that no spreadsheet runs."""
    return f"'{cell}" if FORMULA.match(cell) else cell


# --- the page ---------------------------------------------------------------------------------


def _content(poll: Poll, told: Told, published: Found, asked: str) -> list[Children]:
    happened = _happened(poll, told)
    closed, closes = happened.closed, parts.when(told.kept.closes)
    has_result = not isinstance(published, HushvoteError)
    if closed is not None:
        state = say("page.closed", day=parts.when(closed)[:10])
    elif told.closed:
        state = say("page.state.closing")
    else:
        state = say("page.state.open", when=closes)
    if not isinstance(published, HushvoteError):
        main = parts.shown(poll, published)
    elif told.kept.closed:
        main = parts.withheld(poll, told.numbers.standing)
    else:
        names = parts.candidates(poll, say("page.candidates.open"))
        main = [_none_yet(published, told, closes), *names]
    return [
        parts.head(poll, state),
        main,
        parts.promised(poll, told.crowd_epsilon),
        parts.took_part(happened) if told.kept.closed else _so_far(poll, told, published),
        parts.events(happened.log),
        _verify(poll, has_result, told.kept.closed, asked),
    ]


def _happened(poll: Poll, told: Told) -> Happened:
    names = ("casts", "changes", "withdrawals", "erasures", "standing")
    numbers = {name: getattr(told.numbers, name) for name in names}
    codes = (told.issued, told.revoked) if poll.access == CODES else None
    return Happened(numbers, codes, told.log)


def _none_yet(error: HushvoteError, told: Told, closes: str) -> Element:
    """The sentence of an open poll without a result."""
    if told.closed:
        return parts.verdict("", say("page.closing"), say("page.closing.why"))
    if error.code == "result.hidden":
        return parts.verdict("", say("page.hidden"), say("page.hidden.why", when=closes))
    why = say("page.waiting.why", needed=error.values["needed"], when=closes)
    return parts.verdict("", say("page.waiting"), why)


def _so_far(poll: Poll, told: Told, published: Found) -> list[Element]:
    """The turnout of an open poll: that of its result, else that of the last full hour."""
    if told.as_of is None:
        return []
    if not isinstance(published, HushvoteError):
        of_it = counted(published["n"], "report")
        said = say("page.so_far.live", counted=of_it, step=poll.live)
    else:
        standing = counted(told.numbers.standing, "report")
        said = say("page.so_far.says", when=parts.when(told.as_of), standing=standing)
    return [element("h2", say("page.so_far")), element("p", said)]


def _verify(poll: Poll, has_result: bool, closed: bool, asked: str) -> list[Element]:
    """How to check all this, and the files for it."""
    api, own = f"/api/v1/polls/{poll.id}", f"/p/{poll.id}"
    files: list[tuple[str, str, str]] = []
    said: list[Element] = []
    if has_result:
        files += [
            (say("page.save.csv"), f"{own}/result.csv", "result.csv"),
            (say("page.save.json"), f"{api}/result", "result.json"),
        ]
    if has_result and closed:
        files.append((say("page.save.board"), f"{api}/board", "board.jsonl"))
        board = element("a", say("page.to.board"), href=f"{own}/board{asked}", class_="button main")
        said = [
            element("p", say("page.verify.board")),
            element("p", board, class_="actions"),
            element("p", say("page.verify.yourself")),
            element("pre", f"hushvote verify board.jsonl --digest {poll.digest}"),
        ]
    else:
        said = [element("p", say("page.verify.withheld" if closed else "page.verify.open"))]
    links = [
        element("a", label, href=path, download=name, class_="button")
        for label, path, name in files
    ]
    return [
        element("h2", say("page.verify")),
        *said,
        *([element("p", links, class_="actions")] if links else []),
        parts.digest_of(say("page.digest"), poll.digest),
    ]

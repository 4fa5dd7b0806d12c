"""Refusals for people: a page in words, where a program gets problem details.

It says what is wrong at this address and leads on: to the poll's own page where that tells more,
else to the first page.
"""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from hushvote.errors import HushvoteError
from hushvote.messages import say, speaking
from hushvote.pages.html import Element, element
from hushvote.server.api.problems import problem
from hushvote.server.pages.routes import asked, language_of, page
from hushvote.server.pages.still import still

API = "/api/"
WITHHELD = ("archive.open", "result.hidden", "result.turnout")


def for_people(request: Request) -> bool:
    """Whether a browser has asked, to show what it gets."""
    if request.scope["path"].startswith(API):  # the URL would also be made of what Host says
        return False
    accepted = request.headers.get("accept", "").lower().split(",")
    return any(one.partition(";")[0].strip() == "text/html" for one in accepted)


def refusal(request: Request, error: HushvoteError) -> Response:
    """An error as a page, with the status and the headers that a program gets."""
    status, _, more = problem(error)
    language = language_of(request)
    with speaking(language):
        what, content = _content(request, error, status)
    answer = page(request, still(language, what, content), status)
    answer.headers.update({name.decode(): value.decode() for name, value in more})
    answer.headers.update({"cache-control": "no-store", "vary": "accept, accept-language"})
    return answer


def _content(request: Request, error: HushvoteError, status: int) -> tuple[str, list[Element]]:
    what, why = _said(error, status)
    label, path = say("page.to.home"), "/"
    if error.code in WITHHELD:
        label, path = say("page.to.poll"), f"/p/{request.path_params['id']}/result"
    on = element("a", label, href=f"{path}{asked(request)}", class_="button main")
    sentence = element("section", element("h1", what), element("p", why), class_="sentence")
    return what, [sentence, element("p", on, class_="actions")]


def _said(error: HushvoteError, status: int) -> tuple[str, str]:
    """What has happened, and what that means."""
    if error.code == "api.deleted":
        said = say("page.deleted"), say("page.deleted.why", day=error.values["day"])
    elif error.code == "api.poll":
        said = say("page.unknown"), say("page.unknown.why")
    elif error.code == "api.path":
        said = say("page.nowhere"), say("page.nowhere.why")
    elif error.code in WITHHELD:
        said = say("page.nothing"), say("page.nothing.why")
    elif error.code == "server.failed":
        said = say("page.broken"), say("page.broken.why")
    elif status == HTTPStatus.SERVICE_UNAVAILABLE:
        said = say("page.failed"), say("page.failed.why")
    else:
        said = say("page.refused"), say("page.refused.why", code=error.code)
    return said

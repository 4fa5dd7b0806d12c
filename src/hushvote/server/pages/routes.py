"""Where pages stand, and how they are answered: with the strictest policy that lets them work."""

import hashlib

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hushvote.canonical import is_hex
from hushvote.pages.words import chosen
from hushvote.server.pages.assets import assets
from hushvote.server.pages.shells import home, shell
from hushvote.server.polls import ApiError

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()"
FOR_EVER = "public, max-age=31536000, immutable"


def table(open: bool, base_url: str) -> list[Route]:
    """All paths of pages, on a server where everybody may make polls or not, and whose voters use
    this address.
    """

    async def create(request: Request) -> Response:
        """Make a poll."""
        return page(request, shell("create", language_of(request), (("data_open", open),)))

    async def organiser(request: Request) -> Response:
        """The organiser's page: the same frame for every poll; the key is never sent for it."""
        status = 200 if is_hex(request.path_params["id"], 32) else 404
        told = shell("organiser", language_of(request), (("data_base", base_url or None),))
        return page(request, told, status)

    return [
        Route("/", first, methods=["GET"]),
        Route("/new", create, methods=["GET"]),
        Route("/o/{id}", organiser, methods=["GET"]),
        Route("/static/{name}", static, methods=["GET"]),
        Route("/p/{id}", ballot, methods=["GET"]),
        Route("/p/{id}/board", board, methods=["GET"]),
    ]


async def first(request: Request) -> Response:
    """What this is, and the ways on."""
    return page(request, home(language_of(request), asked(request)))


async def ballot(request: Request) -> Response:
    """The ballot: the same frame for every poll, which the browser fills."""
    status = 200 if is_hex(request.path_params["id"], 32) else 404
    return page(request, shell("ballot", language_of(request)), status)


async def board(request: Request) -> Response:
    """The board: fetched and counted by the browser."""
    status = 200 if is_hex(request.path_params["id"], 32) else 404
    return page(request, shell("board", language_of(request)), status)


async def static(request: Request) -> Response:
    """A script, a style or a picture: under a name that changes with it."""
    asset = assets().files.get(request.path_params["name"])
    if asset is None:
        raise ApiError("there is nothing at this address", code="api.path")
    headers = {
        "cache-control": FOR_EVER,
        "etag": f'"{asset.sha256}"',
        "vary": "accept-encoding",
        "content-security-policy": POLICY,
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    body = asset.plain
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = asset.packed, "gzip"
    return Response(body, headers={**headers, "content-type": asset.media})


def page(request: Request, body: bytes, status: int = 200) -> Response:
    """A page as an answer; a browser asks every time whether it is still the same."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {
        "cache-control": "no-cache",
        "content-language": language_of(request),
        "content-security-policy": POLICY,
        "etag": etag,
        "permissions-policy": PERMISSIONS,
        "vary": "accept-language",
    }
    if status == 200 and request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, status, {**headers, "content-type": "text/html; charset=utf-8"})


def asked(request: Request) -> str:
    """The language that the address asks for, to be asked for by links to other pages as well."""
    language = request.query_params.get("lang")
    return f"?lang={language}" if language in assets().languages else ""


def language_of(request: Request) -> str:
    """The language that somebody wants: `?lang=`, else what the browser says."""
    asked, accepted = request.query_params.get("lang"), request.headers.get("accept-language")
    return chosen(asked, accepted, assets().languages)

"""Errors as problem details (RFC 9457), with the library's codes.

Nothing that looks like a secret, a receipt or a code is repeated, whoever has sent it and wherever
in a request it stood.
"""

import re
from http import HTTPStatus
from typing import Any

import msgspec

from hushvote.errors import HushvoteError

TYPE = b"application/problem+json"
SECRET = re.compile(r"(?=[A-Za-z-]*[0-9])[0-9A-Za-z-]{6,}|[0-9A-Z]{6,}")
"""What may be hex, a code, or a group of one: plain words have neither digits nor capitals."""
PUBLIC = {"api.deleted", "api.method"}  # errors that repeat nothing of a request

STATUS = {
    "api.body": 413,
    "api.closed": 409,
    "api.codes": 409,
    "api.crowded": 503,
    "api.deleted": 410,
    "api.head": 431,
    "api.id": 503,
    "api.key": 401,
    "api.limit": 429,
    "api.method": 405,
    "api.path": 404,
    "api.poll": 404,
    "api.room": 409,
    "api.slow": 408,
    "api.token": 401,
    "api.type": 415,
    "archive.open": 409,
    "board.open": 409,
    "board.turnout": 409,
    "export.open": 409,
    "result.hidden": 409,
    "result.turnout": 409,
    "server.busy": 503,
    "server.crowded": 503,
    "server.failed": 500,
    "server.starting": 503,
    "server.stopping": 503,
    "vote.changes": 409,
    "vote.closed": 409,
    "vote.code": 403,
    "vote.question": 409,
    "vote.receipt": 409,
    "vote.spent": 409,
    "vote.unknown": 404,
}
AWAY = "the database does not answer: send the same request again later; nothing counts twice"
UNWRITABLE = (
    "the database cannot be written, and nothing of this request was kept: send it again later"
)
RETRY = {"server.busy": b"1", "api.crowded": b"60", "api.id": b"1"}  # seconds


def status_of(code: str) -> int:
    """The status of an error: 400 unless it says something else than that the request is wrong."""
    return 503 if code.startswith("store.") else STATUS.get(code, 400)


def problem(error: HushvoteError) -> tuple[int, bytes, list[tuple[bytes, bytes]]]:
    """Status, body and further headers of an error."""
    status = status_of(error.code)
    told, detail = dict(error.values), str(error)
    if error.code.startswith("store."):  # paths and names of databases are for the operator alone
        told, detail = {}, UNWRITABLE if error.code == "store.unwritable" else AWAY
    elif error.code not in PUBLIC:
        told = {name: without_secrets(value) for name, value in told.items()}
        detail = without_secrets(detail)
    body = {
        **told,
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": error.code,
    }
    return status, msgspec.json.encode(body), _headers(error, status)


def line_of(status: int) -> bytes:
    """The first line of an answer."""
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()


def _headers(error: HushvoteError, status: int) -> list[tuple[bytes, bytes]]:
    if status == HTTPStatus.UNAUTHORIZED:
        return [(b"www-authenticate", b"Bearer")]
    if "wait" in error.values:
        return [(b"retry-after", str(error.values["wait"]).encode())]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        return [(b"retry-after", RETRY.get(error.code, b"5"))]
    if "allow" in error.values:
        return [(b"allow", str(error.values["allow"]).encode())]
    return []


def without_secrets(value: Any) -> Any:
    """The same, but for what may be a secret."""
    return SECRET.sub("…", value) if isinstance(value, str) else value

"""The description of the API (OpenAPI 3.1), made from the types of its requests and answers."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

import hushvote
from hushvote.server.api import types

OPERATOR, ORGANISER = "operator", "organiser"
LINES = "application/jsonl"
FILES = ("application/vnd.apache.parquet", "text/csv", LINES)


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    name: str
    does: str
    takes: type | None = None
    gives: type | tuple[str, ...] = ()  # a type, or the media types of a file
    status: int = 200
    refusals: tuple[int, ...] = ()
    who: str | None = None
    query: tuple[tuple[str, dict[str, Any]], ...] = ()


_VOTE = (400, 404, 409, 410, 413, 415, 429, 503)
_OWN = (401, 404, 410, 503)
_OWN_BODY = (400, 401, 404, 409, 410, 413, 415, 503)
_READ = (404, 410, 503)
_PREFIX = {"type": "string", "pattern": "^[0-9a-f]{0,16}$"}
_KIND = {"type": "string", "enum": ["parquet", "csv", "board"], "default": "parquet"}

OPERATIONS = (
    Operation(
        *("post", "/polls", "create", "Make a poll.", types.Create, types.Created, 201),
        (400, 401, 413, 415, 429, 503),
        OPERATOR,
    ),
    Operation(
        *("get", "/polls", "list", "All polls of this server.", None, types.Polls),
        refusals=(401, 429, 503),
        who=OPERATOR,
    ),
    Operation(
        *("post", "/plans", "plan", "What a poll would promise and decide."),
        takes=types.Planning,
        gives=types.Plans,
        refusals=(400, 413, 415, 429, 503),
    ),
    Operation(
        *("get", "/polls/{id}", "poll", "Closing time, turnout and log of a poll."),
        gives=types.Poll,
        refusals=(401, *_READ),
    ),
    Operation(
        *("get", "/polls/{id}/manifest", "manifest", "The manifest itself, byte for byte."),
        gives=("application/json",),
        refusals=_READ,
    ),
    Operation(
        *("post", "/polls/{id}/reports", "cast", "Cast a report.", types.Cast),
        gives=types.Acknowledgement,
        refusals=(*_VOTE, 403),
    ),
    Operation(
        *("post", "/polls/{id}/changes", "change", "Change a vote.", types.Change),
        gives=types.Acknowledgement,
        refusals=_VOTE,
    ),
    Operation(
        *("post", "/polls/{id}/withdrawals", "withdraw", "Withdraw a vote.", types.Withdrawal),
        gives=types.Acknowledgement,
        refusals=_VOTE,
    ),
    Operation(
        *("post", "/polls/{id}/erasures", "erase", "Erase a vote, also after close."),
        takes=types.Erasure,
        gives=types.Acknowledgement,
        refusals=_VOTE,
    ),
    Operation(
        *("get", "/polls/{id}/result", "result", "The result, once it may be shown."),
        gives=("application/json",),
        refusals=(*_READ, 409),
    ),
    Operation(
        *("get", "/polls/{id}/board", "board", "The board of a closed poll."),
        gives=(LINES,),
        refusals=(400, *_READ, 409),
        query=(("prefix", _PREFIX),),
    ),
    Operation(
        *("patch", "/polls/{id}", "extend", "Move the closing time.", types.Extend),
        gives=types.Closing,
        refusals=_OWN_BODY,
        who=ORGANISER,
    ),
    Operation(
        *("post", "/polls/{id}/close", "close", "Close a poll for good."),
        gives=types.Closing,
        refusals=_OWN,
        who=ORGANISER,
    ),
    Operation(
        *("post", "/polls/{id}/codes", "issue", "Issue codes.", types.Hashes, types.Issued),
        refusals=_OWN_BODY,
        who=ORGANISER,
    ),
    Operation(
        *("post", "/polls/{id}/revocations", "revoke", "Take back unused codes."),
        takes=types.Hashes,
        gives=types.Revoked,
        refusals=_OWN_BODY,
        who=ORGANISER,
    ),
    Operation(
        *("get", "/polls/{id}/export", "export", "What was counted, after close."),
        gives=FILES,
        refusals=(400, *_OWN, 409),
        who=ORGANISER,
        query=(("kind", _KIND),),
    ),
    Operation(
        *("delete", "/polls/{id}", "delete", "Delete a poll with all its data."),
        gives=types.Deleted,
        refusals=_OWN,
        who=ORGANISER,
    ),
)

_DESCRIPTIONS = {
    400: "The request is not in its form, or asks for what cannot be.",
    401: "The key or token is missing or wrong.",
    403: "The code was not issued, or was taken back.",
    404: "There is no such poll or vote.",
    409: "Not in this state of the poll or vote.",
    410: "The poll was deleted.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too much from one network.",
    503: "The server or its database is busy; send the same request again.",
}
_REFS = "#/components/schemas/{name}"


@cache
def document() -> dict[str, Any]:
    """The whole description."""
    used: list[Any] = [types.Problem]
    for one in OPERATIONS:
        used += [kind for kind in (one.takes, one.gives) if isinstance(kind, type)]
    schemas, components = msgspec.json.schema_components(used, ref_template=_REFS)
    refs = dict(zip(used, schemas, strict=True))
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
        paths.setdefault(f"/api/v1{one.path}", {})[one.method] = _operation(one, refs)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "hushvote",
            "version": hushvote.__version__,
            "summary": "A server of polls that only ever sees randomised votes.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                OPERATOR: _bearer("The operator's token."),
                ORGANISER: _bearer("The organiser's key, 64 hexadecimal digits."),
            },
        },
    }


def _bearer(text: str) -> dict[str, Any]:
    return {"type": "http", "scheme": "bearer", "description": text}


def _operation(one: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.does,
        "parameters": [_parameter(name, "query", schema) for name, schema in one.query],
        "responses": {str(one.status): _answer(one, refs)},
    }
    if "{id}" in one.path:
        schema = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
        found["parameters"].insert(0, _parameter("id", "path", schema))
    if one.takes is not None:
        content = {"application/json": {"schema": refs[one.takes]}}
        found["requestBody"] = {"required": True, "content": content}
    if one.who is not None:
        found["security"] = [{one.who: []}]
    for status in sorted(one.refusals):
        content = {"application/problem+json": {"schema": refs[types.Problem]}}
        found["responses"][str(status)] = {"description": _DESCRIPTIONS[status], "content": content}
    return found


def _parameter(name: str, place: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _answer(one: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    if isinstance(one.gives, type):
        return {
            "description": "Done.",
            "content": {"application/json": {"schema": refs[one.gives]}},
        }
    return {"description": "Done.", "content": {kind: {} for kind in one.gives}}

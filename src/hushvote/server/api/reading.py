"""Reading requests: never more of a body than is allowed, and only of the type that is expected."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, NoReturn, TypeVar

import msgspec

from hushvote.errors import clip
from hushvote.server.polls import ApiError

JSON = b"application/json"
LARGEST = 1 << 22  # bytes of the largest body, a list of codes
SMALL = 1 << 16  # bytes of others, unless a poll's requests are longer

Receive = Callable[[], Awaitable[Any]]
T = TypeVar("T")


class Gone(Exception):  # noqa: N818 - nobody is left to be told of an error
    """The sender has gone before the body was there, or before there was an answer."""


async def body(headers: Iterable[tuple[bytes, bytes]], receive: Receive, largest: int) -> bytes:
    """The body of a request that must be JSON; refused before more than `largest` is read."""
    kind = b""
    for name, value in headers:
        if name == b"content-type":
            kind = value
        elif name == b"content-length" and (len(value) > 12 or int(value) > largest):
            _refuse_size(largest)
        elif name == b"content-encoding" and value not in (b"", b"identity"):
            _refuse_type()
    if kind != JSON and kind.partition(b";")[0].strip().lower() != JSON:
        _refuse_type()
    found = bytearray()  # it may come in millions of pieces
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        found += message.get("body", b"")
        if len(found) > largest:
            _refuse_size(largest)
        if not message.get("more_body", False):
            return bytes(found)


async def while_wanted(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """What comes of some work after the body was read; it ends as soon as whoever asked has gone,
    and makes room for what others wait for.
    """
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Gone
        return working.result()
    finally:
        for one in (working, leaving):
            one.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def decoded(raw: bytes, wanted: type[T]) -> T:
    """What a body says, in the form that is wanted."""
    try:
        return msgspec.json.decode(raw, type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(
            f"the request is not in its form: {clip(str(error))}",
            code="api.form",
            reason=clip(str(error)),
        ) from None


def bearer(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """What stands behind 'Authorization: Bearer'."""
    for name, value in headers:
        if name == b"authorization":
            found = re.fullmatch(r"(?i:bearer) +(\S{1,500})", value.decode("latin-1"))
            return None if found is None else found[1]
    return None


def _refuse_size(largest: int) -> NoReturn:
    raise ApiError(
        f"the body of this request may have at most {largest:,} bytes",
        code="api.body",
        most=largest,
    )


def _refuse_type() -> NoReturn:
    raise ApiError(
        "the body of this request must be 'Content-Type: application/json'", code="api.type"
    )

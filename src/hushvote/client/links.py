"""The addresses of a poll: what stands behind the `#` is never sent to a server.

`<server>/p/<id>#<digest>` opens the ballot, `<server>/p/<id>#<digest>.<code>` with an invite code,
and `<server>/o/<id>#<key>` is the organiser's.
"""

import re
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import urlsplit

from hushvote.canonical import is_hex
from hushvote.errors import PollError
from hushvote.poll.codes import read_code, written

BALLOT, ORGANISER = "p", "o"
ID = 32  # hex digits
SAFE = re.compile(r"[A-Za-z0-9._~:/\[\]%-]+")  # what an address may consist of: no name before an @
PATH = re.compile(r"(?P<base>.*)/(?P<kind>[po])/(?P<id>[0-9a-f]{32})/?")


@dataclass(frozen=True)
class BallotLink:
    """Where to vote, in which poll exactly, and with which code, if there are codes."""

    server: str  # as in https://vote.example.org
    id: str
    digest: str
    code: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        code = "" if self.code is None else f".{written(self.code)}"
        return f"{self.server}/{BALLOT}/{self.id}#{self.digest}{code}"


@dataclass(frozen=True)
class OrganiserLink:
    """Where a poll is kept, and the key that opens it to its organiser."""

    server: str
    id: str
    key: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"{self.server}/{ORGANISER}/{self.id}#{self.key.hex()}"


def read_link(text: str) -> BallotLink | OrganiserLink:
    """A link as somebody pasted it; what is wrong with it is said without repeating a secret."""
    server, kind, id, fragment = _parts(text.strip())
    if kind == ORGANISER:
        if not is_hex(fragment):
            _refuse("the organiser's link ends in # and a key of 64 hex digits")
        return OrganiserLink(server, id, bytes.fromhex(fragment))
    digest, _, code = fragment.partition(".")
    if not is_hex(digest):
        _refuse(
            "a ballot's link ends in # and the poll's digest, 64 hex digits; without it nobody can "
            "tell whether the server shows the right poll"
        )
    return BallotLink(server, id, digest, read_code(code) if code else None)


def is_organisers(text: str) -> bool:
    """Whether a text looks like the organiser's link, which is a key."""
    found = PATH.fullmatch(text.strip().partition("#")[0])
    return found is not None and found["kind"] == ORGANISER


def read_server(text: str) -> str:
    """The address of a server as somebody typed it, without what may follow."""
    try:
        parts = urlsplit(text.strip())
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not SAFE.fullmatch(parts.netloc + parts.path) or parts.query or parts.fragment:
        _refuse("a server's address is as in https://vote.example.org")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _parts(text: str) -> tuple[str, str, str, str]:
    address, _, fragment = text.partition("#")
    try:
        parts = urlsplit(address)
        found = PATH.fullmatch(parts.path)
    except ValueError:
        found = None
    if found is None or parts.query:
        _refuse("a poll's link is as in https://vote.example.org/p/<32 hex digits>#<64 hex digits>")
    server = read_server(f"{parts.scheme}://{parts.netloc}{found['base']}")
    return server, found["kind"], found["id"], fragment


def _refuse(sentence: str) -> NoReturn:
    raise PollError(sentence, code="link.form")

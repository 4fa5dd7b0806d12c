"""The polls whose organiser's keys are kept on this machine, and how a poll is named.

`polls/<id>.json` of the state folder has a poll's server, id, digest and key. While a server is
asked to make a poll its id is not known yet, so the key waits in a file of its own: whatever breaks
then, a poll is never there without somebody who has its key.
"""

import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hushvote.canonical import is_hex
from hushvote.client import state
from hushvote.client.links import BallotLink, OrganiserLink, read_link, read_server
from hushvote.errors import FileError, HushvoteError, PollError, clip
from hushvote.poll.hashing import H

KIND, WAITING = "polls", "waiting-"
KEY = 32  # bytes
BEGINNING = re.compile(r"[0-9a-f]{1,32}")


def organiser_hash(key: bytes) -> str:
    """What a server is given of the organiser's key."""
    return H("hushvote organiser", key).hex()


@dataclass(frozen=True)
class Named:
    """A poll: where it is, and as much as is known of it here."""

    server: str
    id: str
    digest: str | None = None
    key: bytes | None = field(default=None, repr=False)
    base_url: str | None = None  # the address that voters use, where it is another one

    @property
    def address(self) -> str:
        """What links begin with."""
        return self.base_url or self.server

    @property
    def organiser_link(self) -> OrganiserLink:
        """The link that opens the poll to its organiser; refused where its key is not known."""
        if self.key is None:
            raise PollError(
                "this needs the organiser's key, and the ballot's link, which voters have, is not "
                "it: give the organiser's link, which has /o/ in it and the key behind its #, or "
                "the id of a poll whose key is kept on this machine",
                code="link.key",
            )
        return OrganiserLink(self.address, self.id, self.key)

    def ballot_link(self, digest: str, code: str | None = None) -> BallotLink:
        """The link that opens the ballot."""
        return BallotLink(self.address, self.id, digest, code)

    def keep(self) -> None:
        """Remember the poll, with its key; it is on the disk when this ends."""
        assert self.key is not None
        document = {
            "server": self.server,
            "id": self.id,
            "digest": self.digest,
            "key": self.key.hex(),
            **({} if self.base_url is None else {"base_url": self.base_url}),
        }
        state.keep(_path(self.id), document)

    def forget(self) -> None:
        """Forget the poll and its key."""
        _path(self.id).unlink(missing_ok=True)


def all_kept() -> list[Named]:
    """All polls whose keys are kept here."""
    paths = sorted(state.state_folder(KIND).glob("*.json"))
    return [_read(path) for path in paths if is_hex(path.stem, 32)]


def named(text: str) -> Named:
    """The poll that somebody means: by a link, or by the beginning of an id that is kept here.

    What a link leaves out (its organiser's key, or the digest) is taken from what is kept.
    """
    if not ("/" in text or "#" in text):
        return _by_beginning(text.strip().lower())
    link = read_link(text)
    path = _path(link.id)
    known = _read(path) if path.exists() else None
    if known is None or link.server not in (known.server, known.base_url):
        known = Named(link.server, link.id)
    if isinstance(link, OrganiserLink):
        return Named(known.server, known.id, known.digest, link.key, known.base_url)
    if known.digest is not None and link.digest != known.digest:
        raise PollError(
            "this link has another digest than the poll of this id that is kept here: it does not "
            "lead to the ballot that the poll was made with",
            code="link.digest",
        )
    return Named(known.server, known.id, link.digest, known.key, known.base_url)


def _by_beginning(text: str) -> Named:
    if not BEGINNING.fullmatch(text):
        raise PollError(
            "a poll is named by its link, or by the beginning of its id, as in 3f2a",
            code="link.form",
        )
    found = [one for one in all_kept() if one.id.startswith(text)]
    if len(found) != 1:
        raise PollError(
            f"{len(found) or 'no'} polls that are kept here begin with {clip(text)}: give "
            f"{'more digits' if found else 'a link, or see hushvote poll list'}",
            code="link.unknown",
            found=len(found),
        )
    return found[0]


def _path(id: str) -> Path:
    return state.state_folder(KIND) / f"{id}.json"


def _read(path: Path) -> Named:
    found = state.kept(path)
    try:
        return _named(found)
    except (HushvoteError, KeyError, TypeError, ValueError):
        raise FileError(
            f"{path} is damaged: it is not what hushvote has kept there; put it aside",
            code="state.form",
            path=path,
        ) from None


def _named(found: Mapping[str, Any]) -> Named:
    base, key = found.get("base_url"), bytes.fromhex(found["key"])
    if len(key) != KEY or not is_hex(found["id"], 32) or not is_hex(found["digest"]):
        raise ValueError("not in its form")
    return Named(
        read_server(found["server"]),
        found["id"],
        found["digest"],
        key,
        None if base is None else read_server(base),
    )


# --- keys of polls that are being made ------------------------------------------------------------


@dataclass(frozen=True)
class Waiting:
    """A key for a poll whose server has not answered yet."""

    path: Path
    server: str
    question: str
    key: bytes = field(repr=False)
    base_url: str | None = None

    @classmethod
    def fresh(cls, server: str, question: str, base_url: str | None) -> "Waiting":
        """Make a key, and keep it before anybody is asked anything."""
        key = os.urandom(KEY)
        path = state.state_folder(KIND) / f"{WAITING}{organiser_hash(key)[:16]}.json"
        document = {
            "server": server,
            "question": question,
            "key": key.hex(),
            "base_url": base_url,
            "asked": int(time.time()),
        }
        state.keep(path, document, fresh=True)
        return cls(path, server, question, key, base_url)

    def forget(self) -> None:
        """No poll has this key, or it is kept with its poll now."""
        self.path.unlink(missing_ok=True)


def all_waiting() -> list[Waiting]:
    """The keys of polls that were asked for, and of which no answer came."""
    found = []
    for path in sorted(state.state_folder(KIND).glob(f"{WAITING}*.json")):
        one = state.kept(path)
        key = one.get("key")
        if isinstance(key, str) and is_hex(key):
            server, question = str(one.get("server")), str(one.get("question"))
            found.append(
                Waiting(path, server, question, bytes.fromhex(key), one.get("base_url") or None)
            )
    return found

"""What an organiser does with polls on a server: make, look, issue codes, close, take along.

The organiser's key and the codes are made here; a server is given hashes of them. What a server
answers is not believed where it can be checked: a new poll must be the one that was asked for, and
its manifest that of the digest in the link.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.client import answers
from hushvote.client.answers import Published, Told
from hushvote.client.keys import Named, Waiting, organiser_hash
from hushvote.client.server import RemoteError, Server
from hushvote.errors import HushvoteError, PollError
from hushvote.mechanisms import Mechanism
from hushvote.poll import Poll
from hushvote.poll.checks import CODES
from hushvote.poll.codes import code_hash, question_of

MOST_HASHES = 50_000  # codes in one request
NO_KIND = "none"  # an export that there is not: the server looks at the key before it says so

Received = Callable[[int, int | None], None]
"""Told of an answer how many bytes came, and of how many, if that is known."""


@dataclass(frozen=True)
class Wanted:
    """A poll to be made."""

    question: str
    candidates: Sequence[str]
    mechanism: Mechanism
    closes: int
    settings: Mapping[str, Any]  # the others that `Poll.create` takes

    def poll(self, server: bytes | str, id: str | None = None) -> Poll:
        """The poll that this asks for; refused if there is none."""
        return Poll.create(
            self.question, self.candidates, self.mechanism, server=server, id=id, **self.settings
        )

    def check(self) -> Poll:
        """What the poll will be, but for its id and the server's key; refused if it cannot be."""
        return self.poll(Ed25519PrivateKey.generate().public_key().public_bytes_raw())

    def body(self, key: bytes) -> dict[str, Any]:
        """What a server is sent: the organiser's key itself is not."""
        tidy = self.check()
        return {
            "question": tidy.question,
            "candidates": list(tidy.candidates),
            "parameters": self.mechanism.parameters(),
            "closes": self.closes,
            "organiser": organiser_hash(key),
            **self.settings,
        }


def create(server: Server, wanted: Wanted, token: str | None, base_url: str | None = None) -> Named:
    """Make a poll and keep its key, which is kept before the server is asked.

    The digest is computed again, and the manifest must be exactly what was asked for.
    """
    question = wanted.check().question
    _check_kind(server)
    waiting = Waiting.fresh(server.address, question, base_url)
    try:
        answer = server.send("POST", "/polls", wanted.body(waiting.key), token)
    except (RemoteError, KeyboardInterrupt) as error:
        if isinstance(error, RemoteError) and 400 <= error.status < 500:
            waiting.forget()
            _refuse(error)
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else error
        raise RemoteError(
            f"{why}; whether the poll was made is not known, and its key is kept: 'hushvote poll "
            "list' looks for it",
            code="remote.unknown",
        ) from None
    try:
        poll = _made(wanted, answer)
    except HushvoteError:
        waiting.forget()
        raise
    named = Named(server.address, poll.id, poll.digest, waiting.key, base_url)
    named.keep()
    waiting.forget()
    return named


def _check_kind(server: Server) -> None:
    """Refuse what is no hushvote server, before anything is asked of it."""
    described = server.get("/openapi.json")
    paths = described.get("paths") if isinstance(described, dict) else None
    if not isinstance(paths, dict) or "/api/v1/polls" not in paths:
        raise RemoteError(f"{server.address} is no hushvote server", code="remote.answer")


def _made(wanted: Wanted, answer: Any) -> Poll:
    """The poll that a server says it has made, if that is the one that was asked for."""
    poll = Poll.load(answers.text_of(answer, "manifest"), answers.text_of(answer, "digest"))
    asked = wanted.poll(poll.server, poll.id)
    if asked.digest != poll.digest:
        found, meant = poll.document(), asked.document()
        other = [name for name in meant if found[name] != meant[name]]
        raise RemoteError(
            f"the server has made another poll than was asked for: it differs in {other[0]}; its "
            "key is thrown away",
            code="remote.poll",
            member=other[0],
        )
    if answers.whole_of(answer, "closes") != wanted.closes:
        raise RemoteError(
            "the server has made a poll that closes at another time than was asked for; its key "
            "is thrown away",
            code="remote.poll",
            member="closes",
        )
    return poll


def listed(server: Server, token: str | None) -> list[dict[str, Any]]:
    """All polls of a server, for its operator."""
    try:
        return answers.listed_polls(server.get("/polls", token))
    except RemoteError as error:
        _refuse(error)


def found_again(server: Server, waiting: Waiting, polls: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one of a server's polls has the key that waits; it is kept with the poll then."""
    for one in polls:
        if one["question"] != waiting.question:
            continue
        named = Named(server.address, one["id"], one["digest"], waiting.key, waiting.base_url)
        if Organised(named, server).is_own():
            named.keep()
            waiting.forget()
            return True
    return False


class Organised:
    """A poll on a server, as its organiser sees it; without the key, as everybody does."""

    def __init__(self, named: Named, server: Server) -> None:
        self.named, self._server = named, server
        self._poll: Poll | None = None

    @property
    def poll(self) -> Poll:
        """The poll, read once; with a known digest, that of no other manifest."""
        if self._poll is None:
            raw = self._server.read("GET", self._path("/manifest"))
            found = Poll.load(raw, self.named.digest)
            if found.id != self.named.id:
                raise RemoteError(
                    "the server shows the manifest of another poll", code="remote.poll"
                )
            self._poll = found
        return self._poll

    def told(self) -> Told:
        """Closing time, numbers and log; the organiser sees the numbers as they are now."""
        known = self.named.key is not None
        found = Told.read(self._own("GET", "") if known else self._server.get(self._path()))
        if found.digest != self.poll.digest:
            raise RemoteError("the server tells of another poll", code="remote.poll")
        answers.check_access(self.poll, found)
        return found

    def result(self) -> Published:
        """The published result; refused while there is none."""
        return Published.read(self._server.get(self._path("/result")), self.poll)

    def board(self, path: Path, received: Received | None = None) -> None:
        """Write the board of a closed poll into a file."""
        self._server.save(self._path("/board"), path, progress=received)

    # --- with the key -------------------------------------------------------------------------

    def is_own(self) -> bool:
        """Whether the key is that of the poll's organiser; nothing is changed by asking."""
        try:
            self._own("GET", f"/export?kind={NO_KIND}")
        except RemoteError as error:
            if error.code == "export.kind":
                return True
            if error.code != "api.key":
                raise
        return False

    def extend(self, closes: int) -> None:
        """Move the closing time."""
        self._own("PATCH", "", {"closes": closes})

    def close(self) -> None:
        """Close the poll for good."""
        self._own("POST", "/close", {})

    def delete(self) -> str:
        """Delete the poll on its server, and its key here; returns the day of it."""
        day = answers.text_of(self._own("DELETE", ""), "day")
        self.named.forget()
        return day

    def export(self, kind: str, path: Path, received: Received | None = None) -> None:
        """Write all reports of a closed poll into a file."""
        try:
            self._server.save(self._path(f"/export?kind={kind}"), path, self._bearer, received)
        except RemoteError as error:
            _refuse(error)

    def issue(self, codes: Sequence[str]) -> Iterator[int]:
        """Issue codes by their hashes, in parts; yields how many went with each part."""
        self.check_codes()
        for hashes in _parts(self.poll, codes):
            answers.whole_of(self._own("POST", "/codes", {"codes": hashes}), "issued")
            yield len(hashes)

    def revoke(self, codes: Sequence[str]) -> list[str]:
        """Take back unused codes; returns those that were taken back by this."""
        self.check_codes()
        gone: set[str] = set()
        for hashes in _parts(self.poll, codes):
            gone |= answers.hashes_of(
                self._own("POST", "/revocations", {"codes": hashes}), "revoked"
            )
        return [code for code in codes if hash_of(self.poll, code) in gone]

    def check_codes(self) -> None:
        """Refuse a poll that has no codes."""
        if self.poll.access != CODES:
            raise PollError(
                "this poll is open to whoever has its link, so it has no codes", code="api.codes"
            )

    def _path(self, rest: str = "") -> str:
        return f"/polls/{self.named.id}{rest}"

    @property
    def _bearer(self) -> str:
        return self.named.organiser_link.key.hex()

    def _own(self, method: str, rest: str, given: Any = None) -> Any:
        try:
            return self._server.send(method, self._path(rest), given, self._bearer)
        except RemoteError as error:
            _refuse(error)


def hash_of(poll: Poll, code: str) -> str:
    """What a server knows of a code."""
    return code_hash(question_of(poll.digest, code)).hex()


def _parts(poll: Poll, codes: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(codes), MOST_HASHES):
        yield [hash_of(poll, code) for code in codes[start : start + MOST_HASHES]]


def _refuse(error: RemoteError) -> NoReturn:
    """Refuse in the words of who reads it here, where the server's are for programs."""
    if error.code == "api.key":
        raise RemoteError(
            "this is not the key of the poll's organiser: use the organiser's link that was shown "
            "when the poll was made",
            code="api.key",
            status=error.status,
        ) from None
    if error.code == "api.token":
        raise RemoteError(
            "this server does it for its operator only: give the operator's token by --token-file "
            "or HUSHVOTE_TOKEN",
            code="api.token",
            status=error.status,
        ) from None
    raise error

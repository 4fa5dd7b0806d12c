"""What a server answers about a poll, taken only in its form: a server may be wrong or hostile."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from hushvote.canonical import is_hex
from hushvote.client.server import RemoteError
from hushvote.poll import Poll
from hushvote.poll.checks import CODES
from hushvote.result.explaining import Explanation

LATEST = 1 << 40  # seconds since 1970
NUMBERS = ("standing", "casts", "changes", "withdrawals", "erasures")
ROW = ("place", "score", "standard_error", "low", "high")


@dataclass(frozen=True)
class Told:
    """What everybody may know of a poll beside its manifest."""

    digest: str
    closed: bool
    closes: int
    numbers: Mapping[str, int]
    log: tuple[Mapping[str, Any], ...]
    codes: Mapping[str, int] | None
    kept_until: int | None = None  # when the server deletes all of it, if it says so
    as_of: int | None = None  # the full hour that the numbers are of; None if they are exact

    @classmethod
    def read(cls, found: Any) -> "Told":
        """Take an answer in its form only."""
        codes = _member(found, "codes")
        if codes is not None:
            codes = {name: _whole(codes, name) for name in ("issued", "used", "revoked")}
        log = _member(found, "log")
        if not isinstance(log, list):
            _refuse("log")
        state = _text(found, "state")
        if state not in ("open", "closed"):
            _refuse("state")
        return cls(
            _text(found, "digest"),
            state == "closed",
            _whole(found, "closes"),
            {name: _whole(found, name) for name in NUMBERS},
            tuple(_event(one) for one in log),
            codes,
            *(
                None if found.get(name) is None else _whole(found, name)
                for name in ("kept_until", "as_of")
            ),
        )


@dataclass(frozen=True)
class Published:
    """A published result: the library's explanation, and what stands around it."""

    explanation: Explanation
    warnings: tuple[str, ...]
    caveats: tuple[str, ...]
    document: Mapping[str, Any]  # all of it, as it came

    @classmethod
    def read(cls, found: Any, poll: Poll) -> "Published":
        """Take the result of this poll in its form only."""
        if _text(found, "poll") != poll.digest:
            _refuse("poll")
        rows = _member(found, "candidates")
        if not isinstance(rows, list) or len(rows) != poll.d:
            _refuse("candidates")
        for row in rows:
            _row(row, poll)
        if {row["candidate"] for row in rows} != set(poll.candidates):
            _refuse("candidates")
        if _member(found, "certified") not in (None, *poll.candidates):
            _refuse("certified")
        for name in ("title", "leader"):
            _text(found, name)
        if _member(found, "elected") is not None:
            _texts(found["elected"], "sure")
        closed = _member(found, "closed")
        if not isinstance(closed, bool):
            _refuse("closed")
        _whole(found, "n")
        if not 0.5 <= _number(found, "level") < 1:
            _refuse("level")
        words = _texts(found, "words")
        if not words:
            _refuse("words")
        data = {name: value for name, value in found.items() if name != "words"}
        return cls(
            Explanation(data, words), _texts(found, "warnings"), _texts(found, "caveats"), found
        )


def hashes_of(found: Any, name: str) -> set[str]:
    """A list of hashes."""
    return set(_texts(found, name))


def whole_of(found: Any, name: str) -> int:
    """A whole number that is not negative."""
    return _whole(found, name)


def text_of(found: Any, name: str) -> str:
    """A text."""
    return _text(found, name)


def listed_polls(found: Any) -> list[dict[str, Any]]:
    """The polls of a server, as its operator sees them."""
    polls = _member(found, "polls")
    if not isinstance(polls, list):
        _refuse("polls")
    for one in polls:
        for name in ("id", "digest", "question", "access", "state"):
            _text(one, name)
        if not is_hex(one["id"], 32) or not is_hex(one["digest"]):
            _refuse("id")
        _whole(one, "closes")
    return polls


def check_access(poll: Poll, told: Told) -> None:
    """Numbers of codes are told of polls of codes, and of no others."""
    if (poll.access == CODES) is (told.codes is None):
        _refuse("codes")


def _row(row: Any, poll: Poll) -> None:
    if _text(row, "candidate") not in poll.candidates:
        _refuse("candidate")
    for name in ROW:
        _number(row, name)
    if _member(row, "first") is not None:
        _number(row, "first")
    places = _member(row, "places")
    if not isinstance(places, list) or len(places) != 2:
        _refuse("places")
    if not all(_is_whole(one) and 1 <= one <= poll.d for one in places):
        _refuse("places")


def _event(one: Any) -> Mapping[str, Any]:
    _text(one, "event")
    _whole(one, "at")
    for name, value in one.items():
        if not isinstance(value, str) and not _is_whole(value):
            _refuse(name)
    return dict(one)


def _member(found: Any, name: str) -> Any:
    if not isinstance(found, dict) or name not in found:
        _refuse(name)
    return found[name]


def _text(found: Any, name: str) -> str:
    value = _member(found, name)
    if not isinstance(value, str):
        _refuse(name)
    return value


def _texts(found: Any, name: str) -> tuple[str, ...]:
    values = _member(found, name)
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        _refuse(name)
    return tuple(values)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LATEST


def _whole(found: Any, name: str) -> int:
    value = _member(found, name)
    if not _is_whole(value):
        _refuse(name)
    return int(value)


def _number(found: Any, name: str) -> float:
    value = _member(found, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(name)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        _refuse(name)
    return number


def _refuse(name: str) -> NoReturn:
    raise RemoteError(
        f"the server's answer is not in its form at {name[:40]!r}; is it a hushvote server?",
        code="remote.answer",
        member=name,
    )

"""Times as an organiser means them: in the zone of this machine, which is always shown."""

import re
import time
from datetime import UTC, datetime
from typing import NoReturn

import typer

from hushvote.cli.options import refuse_given
from hushvote.errors import FileError

UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
SPAN = re.compile(
    r"(\d{1,6})\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)", re.ASCII | re.IGNORECASE
)
FURTHEST = 10 * 366 * 86_400  # seconds that a poll may be open, as servers allow
CLOSES = "When it closes: 2026-12-01 18:00 in the zone of this machine, or 2026-12-01T18:00+01:00."
FOR = "For how long it is open, from now: 90m, 12h, 7d, 2w."
YEARS = range(1970, 9000)


def shown(seconds: int) -> str:
    """A time in the zone of this machine, as in '2026-12-01 18:00 CET (UTC+01:00)'."""
    try:
        local = datetime.fromtimestamp(seconds, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return f"{seconds} seconds after 1970"
    offset = f"{local:%z}"
    if local.tzname() == "UTC":
        return f"{local:%Y-%m-%d %H:%M} UTC"
    return f"{local:%Y-%m-%d %H:%M %Z} (UTC{offset[:3]}:{offset[3:5]})"


def briefly(seconds: int) -> str:
    """The same for tables, without the offset."""
    return shown(seconds).partition(" (")[0]


def closing(closes: str | None, span: str | None, now: float | None = None) -> int:
    """When a poll closes, from '--closes' or '--for'; exactly one of them is given."""
    now = time.time() if now is None else now
    if closes is not None:
        refuse_given({"--for": span}, "--closes says when the poll closes; leave {option} out")
        return _to_come(_moment(closes.strip(), now), now, "--closes")
    if span is None:
        raise FileError(
            f"say when the poll closes: --closes '{_example(now)}', or --for 7d",
            code="command.closes",
        )
    found = SPAN.fullmatch(span.strip())
    if found is None or int(found[1]) == 0:
        _refuse(f"it must be a time such as 90m, 12h, 7d or 2w, not {span!r}", "--for")
    seconds = int(found[1]) * UNITS[found[2][0].lower()]
    return _to_come(int(now) + seconds, now, "--for")


def _moment(text: str, now: float) -> int:
    """A day and a time of day in the zone of this machine, unless it names another."""
    try:
        found = datetime.fromisoformat(text)
        if found.year not in YEARS:
            raise ValueError(text)
    except ValueError:
        _refuse(_no_moment(text, _example(now)))
    if re.fullmatch(r"[\dW-]*", text):  # midnight is not what whoever names a day means
        _refuse(f"say the time of day, too, as in '{found:%Y-%m-%d} 18:00'")
    if found.tzinfo is not None:
        return int(found.timestamp())
    local = found.astimezone()
    if local.astimezone(UTC).astimezone().replace(tzinfo=None) != found:
        _refuse(f"there is no {text} on that day: clocks are set forward then")
    return int(local.timestamp())


def _no_moment(text: str, example: str) -> str:
    """What would be a time, of a text that is none."""
    if found := SPAN.fullmatch(re.sub("^in ", "", text, flags=re.IGNORECASE)):
        return (
            f"it must be a day and a time, such as '{example}', not {text!r}; to say for how long, "
            f"write --for {found[1]}{found[2][0].lower()}"
        )
    return (
        f"it must be a day and a time, such as '{example}', in the zone of this machine, or with "
        f"its own, such as '{example}+01:00', not {text!r}"
    )


def _refuse(sentence: str, option: str = "--closes") -> NoReturn:
    raise typer.BadParameter(sentence, param_hint=f"'{option}'")


def _to_come(seconds: int, now: float, option: str) -> int:
    """Refuse what no server would take."""
    if seconds <= now:
        _refuse(
            f"it must be a time to come, and {shown(seconds)} is past: now it is {shown(int(now))}",
            option,
        )
    if seconds > now + FURTHEST:
        _refuse("it must be at most ten years ahead", option)
    return seconds


def _example(now: float) -> str:
    """A time to come, as it may be written: in a week, at six."""
    return f"{datetime.fromtimestamp(now + UNITS['w']):%Y-%m-%d} 18:00"

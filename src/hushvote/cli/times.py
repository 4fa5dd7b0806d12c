"""Times as an organiser means them: in the zone of this machine, which is always shown."""

import re
import time
from datetime import UTC, datetime

import typer

from hushvote.cli.options import refuse_given
from hushvote.errors import FileError

UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
SPAN = re.compile(r"(\d{1,6})\s*([mhdw])")
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
    if closes is not None:
        refuse_given({"--for": span}, "--closes says when the poll closes; leave {option} out")
        return _moment(closes)
    if span is None:
        raise FileError(
            "say when the poll closes: --closes 2026-12-01T18:00, or --for 7d",
            code="command.closes",
        )
    found = SPAN.fullmatch(span.strip().lower())
    if found is None or int(found[1]) == 0:
        raise typer.BadParameter(
            f"it must be a time such as 90m, 12h, 7d or 2w, not {span!r}", param_hint="'--for'"
        )
    return int(time.time() if now is None else now) + int(found[1]) * UNITS[found[2]]


def _moment(text: str) -> int:
    """A time of day in the zone of this machine, unless it names another."""
    try:
        found = datetime.fromisoformat(text.strip())
        if found.year not in YEARS:
            raise ValueError(text)
    except ValueError:
        raise typer.BadParameter(
            f"it must be a time such as 2026-12-01T18:00, not {text!r}", param_hint="'--closes'"
        ) from None
    if found.tzinfo is not None:
        return int(found.timestamp())
    local = found.astimezone()
    if local.astimezone(UTC).astimezone().replace(tzinfo=None) != found:
        raise typer.BadParameter(
            f"there is no {text} on that day: clocks are set forward then", param_hint="'--closes'"
        )
    return int(local.timestamp())

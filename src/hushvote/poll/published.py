"""What is published of a poll: the same from its server, in an archive, and from whoever counts the
board again.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from hushvote import detection
from hushvote.detection import Inspection
from hushvote.mechanisms.fields import Reports
from hushvote.messages import ENGLISH, again, languages, say, speaking
from hushvote.poll.board import Board
from hushvote.poll.checks import CODES, LINK
from hushvote.poll.manifest import Poll
from hushvote.tally import Tally

FALSE_ALARM = 1e-6  # chance at most that honest reports are suspected, since nobody has asked
MOST_INSPECTED = 5_000_000  # reports that are looked at one by one
MOST_CANDIDATES = 16  # more would take longer to inspect than to count
CLOSE = 1e-6  # difference, relative to the range of scores, that another machine may make
SAME = ("n", "certified", "suspicious", "leader", "level", "closed")
FIGURES = ("score", "standard_error", "low", "high")


def answer(
    poll: Poll, tally: Tally, reports: Reports | None, issued: int | None, *, closed: bool
) -> dict[str, Any]:
    """What is published of a tally: the library's explanation, and what stands above it.

    Before close sums alone are inspected, since all that is shown then follows from the tally; at
    close single reports, too, which then stand on the board. Sentences are English, whoever asks
    first; `languages` has them in the other languages.
    """
    with speaking(ENGLISH):
        told = _answer(poll, tally, reports, issued, closed=closed)
    return told | {
        "languages": {code: _said(told, code) for code in languages() if code != ENGLISH}
    }


def _said(told: dict[str, Any], code: str) -> dict[str, Any]:
    """The sentences of an answer in another language."""
    inspection = told["inspection"]
    with speaking(code):
        return {
            **{key: again(told[key]) for key in ("title", "words", "warnings", "caveats")},
            "inspection": None if inspection is None else again(inspection["words"]),
        }


def _answer(
    poll: Poll, tally: Tally, reports: Reports | None, issued: int | None, *, closed: bool
) -> dict[str, Any]:
    inspection = inspected(tally, reports)
    explanation = tally.result().explain(
        inspection=inspection,
        issued=issued,
        seats=poll.seats if poll.seats > 1 else None,
        closed=closed,
    )
    suspicious = inspection is not None and inspection.suspicious
    return {
        "poll": poll.digest,
        "access": poll.access,
        "warnings": list(inspection.explain()) if inspection is not None and suspicious else [],
        **explanation.to_dict(),
        "caveats": [say("caveat.link")] if poll.access == LINK else [],
        "inspection": None if inspection is None else inspection.to_dict(),
    }


def inspected(tally: Tally, reports: Reports | None) -> Inspection | None:
    """Whether honest devices could have sent this, where that is quick to say."""
    if len(tally.candidates or ()) > MOST_CANDIDATES:
        return None
    return detection.inspect(tally, reports, false_alarm=FALSE_ALARM)


def recounted(board: Board) -> dict[str, Any]:
    """The same for a closed poll, from the lines of its board alone."""
    poll, header, tally = board.poll, board.header, board.tally()
    reports = board.reports() if tally.n <= MOST_INSPECTED else None
    issued = len(header.issued) - len(header.revoked) if poll.access == CODES else None
    return answer(poll, tally, reports, issued, closed=True)


def written(result: Mapping[str, Any]) -> str:
    """A result as text: the same from a server and in every archive."""
    return json.dumps(result, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def difference(published: Mapping[str, Any], counted: Mapping[str, Any]) -> str | None:
    """Where a published result is not the one that was counted, but for rounding; None if it is."""
    for name in SAME:
        if published.get(name) != counted[name]:
            return name
    told = {row["candidate"]: row for row in published["candidates"]}
    rows, told_seats = counted["candidates"], published["elected"]
    slack = CLOSE * max(abs(row[name]) for row in rows for name in FIGURES)
    if len(published["candidates"]) != len(rows):
        return "candidates"
    for row in rows:
        other = told[row["candidate"]]
        if not all(math.isclose(row[x], other[x], abs_tol=slack, rel_tol=0) for x in FIGURES):
            return "candidates"
    seats = [None if one is None else one["sure"] for one in (counted["elected"], told_seats)]
    return None if seats[0] == seats[1] else "elected"

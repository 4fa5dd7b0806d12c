"""Counting a closed poll again from its board: what its server has published must come out."""

import math
from collections.abc import Mapping
from typing import Any

from hushvote import detection
from hushvote.detection import Inspection
from hushvote.messages import say
from hushvote.poll.board import Board
from hushvote.poll.checks import CODES, LINK
from hushvote.tally import Tally

FALSE_ALARM = 1e-6  # chance at most that honest reports are suspected, as servers have it
MOST_INSPECTED = 5_000_000  # reports that are looked at one by one
MOST_CANDIDATES = 16  # more would take longer to inspect than to count
CLOSE = 1e-6  # difference, relative to the range of scores, that another machine may make
SAME = ("n", "certified", "suspicious", "leader", "level", "closed")
FIGURES = ("score", "standard_error", "low", "high")


def recounted(board: Board) -> dict[str, Any]:
    """The result of a closed poll from the lines of its board, in the form in which servers
    publish it.
    """
    poll, header, tally = board.poll, board.header, board.tally()
    inspection = _inspected(board, tally)
    suspicious = inspection is not None and inspection.suspicious
    explanation = tally.result().explain(
        inspection=inspection,
        issued=len(header.issued) - len(header.revoked) if poll.access == CODES else None,
        seats=poll.seats if poll.seats > 1 else None,
        closed=True,
    )
    return {
        "poll": poll.digest,
        "access": poll.access,
        "warnings": list(inspection.explain()) if inspection is not None and suspicious else [],
        **explanation.to_dict(),
        "caveats": [say("caveat.link")] if poll.access == LINK else [],
        "inspection": None if inspection is None else inspection.to_dict(),
    }


def _inspected(board: Board, tally: Tally) -> Inspection | None:
    if board.poll.d > MOST_CANDIDATES:
        return None
    reports = board.reports() if tally.n <= MOST_INSPECTED else None
    return detection.inspect(tally, reports, false_alarm=FALSE_ALARM)


def difference(published: Mapping[str, Any], counted: Mapping[str, Any]) -> str | None:
    """Where a published result is not the one that was counted, but for rounding; None if it is."""
    for name in SAME:
        if published.get(name) != counted[name]:
            return name
    told = {row["candidate"]: row for row in published["candidates"]}
    rows, told_seats = counted["candidates"], published["elected"]
    slack = CLOSE * max(abs(row[name]) for row in rows for name in FIGURES)
    for row in rows:
        other = told[row["candidate"]]
        if not all(math.isclose(row[x], other[x], abs_tol=slack, rel_tol=0) for x in FIGURES):
            return "candidates"
    seats = [None if one is None else one["sure"] for one in (counted["elected"], told_seats)]
    return None if seats[0] == seats[1] else "elected"

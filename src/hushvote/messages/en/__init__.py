"""English: how numbers and nouns are written, and all messages, by what they are about."""

from hushvote.messages.en.boards import BOARD
from hushvote.messages.en.cheating import ATTACKS, CHECKS, COUNTED, EFFECTS, VARIANTS
from hushvote.messages.en.device import REFUSALS, REPORTS
from hushvote.messages.en.figures import FIGURES, PICTURES, TITLES
from hushvote.messages.en.pages import PAGES
from hushvote.messages.en.plans import PLAN
from hushvote.messages.en.polls import POLLS
from hushvote.messages.en.results import RESULTS, SEATS, TABLE
from hushvote.messages.en.voting import VOTING

__all__ = ["DECIMAL", "MESSAGES", "NOUNS", "PAGES", "REFUSALS", "REPORTS", "THOUSANDS", "form"]

DECIMAL, THOUSANDS = ".", ","


def form(number: int) -> int:
    """Which form of a noun goes with a number."""
    return 0 if number == 1 else 1


NOUNS = {
    "adversary": ("{number:,} adversary", "{number:,} adversaries"),
    "candidate": ("{number:,} candidate", "{number:,} candidates"),
    "change": ("{number:,} change", "{number:,} changes"),
    "check": ("{number:,} check", "{number:,} checks"),
    "code": ("{number:,} code", "{number:,} codes"),
    "draw": ("{number:,} draw", "{number:,} draws"),
    "figure": ("{number:,} figure", "{number:,} figures"),
    "group": ("{number:,} group", "{number:,} groups"),
    "issued credential": ("{number:,} issued credential", "{number:,} issued credentials"),
    "poll": ("{number:,} poll", "{number:,} polls"),
    "report": ("{number:,} report", "{number:,} reports"),
    "row": ("{number:,} row", "{number:,} rows"),
    "seat": ("{number:,} seat", "{number:,} seats"),
    "second": ("{number:,} second", "{number:,} seconds"),
    "such credential": ("{number:,} such credential", "{number:,} such credentials"),
    "such report": ("{number:,} such report", "{number:,} such reports"),
    "time": ("{number:,} time", "{number:,} times"),
    "vote": ("{number:,} vote", "{number:,} votes"),
    "voter": ("{number:,} voter", "{number:,} voters"),
}


MESSAGES: dict[str, str] = {
    **FIGURES,
    **TITLES,
    **REPORTS,
    **PLAN,
    **SEATS,
    **VARIANTS,
    **COUNTED,
    **TABLE,
    **RESULTS,
    **ATTACKS,
    **EFFECTS,
    **CHECKS,
    **PICTURES,
    **BOARD,
    **VOTING,
    **POLLS,
}

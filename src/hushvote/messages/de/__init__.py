"""German: how numbers and nouns are written, and all messages, by what they are about.

Numbers keep to DIN 1333 and DIN 5008: a comma before decimals, narrow spaces between thousands, and
a space before the percent sign, none of which breaks a line. Values such as "3 Punkte" stand in the
nominative, and are put only where that, or an accusative that looks the same, is right.
"""

from hushvote.messages.de.boards import BOARD
from hushvote.messages.de.cheating import ATTACKS, CHECKS, COUNTED, EFFECTS, VARIANTS
from hushvote.messages.de.device import REFUSALS, REPORTS
from hushvote.messages.de.figures import FIGURES, PICTURES, TITLES
from hushvote.messages.de.pages import PAGES
from hushvote.messages.de.plans import PLAN
from hushvote.messages.de.polls import POLLS
from hushvote.messages.de.results import RESULTS, SEATS, TABLE
from hushvote.messages.de.voting import VOTING

__all__ = ["DECIMAL", "MESSAGES", "NOUNS", "PAGES", "REFUSALS", "REPORTS", "THOUSANDS", "form"]

DECIMAL, THOUSANDS = ",", "\u202f"


def form(number: int) -> int:
    """Which form of a noun goes with a number."""
    return 0 if number == 1 else 1


NOUNS = {
    "adversary": ("{number:,} unehrliche Person", "{number:,} unehrliche Personen"),
    "candidate": ("{number:,} Kandidat", "{number:,} Kandidaten"),
    "change": ("{number:,} Änderung", "{number:,} Änderungen"),
    "check": ("{number:,} Prüfung", "{number:,} Prüfungen"),
    "code": ("{number:,} Code", "{number:,} Codes"),
    "draw": ("{number:,} Auslosung", "{number:,} Auslosungen"),
    "figure": ("{number:,} Abbildung", "{number:,} Abbildungen"),
    "group": ("{number:,} Gruppe", "{number:,} Gruppen"),
    "issued credential": (
        "{number:,} ausgegebene Berechtigung",
        "{number:,} ausgegebene Berechtigungen",
    ),
    "poll": ("{number:,} Abstimmung", "{number:,} Abstimmungen"),
    "report": ("{number:,} Meldung", "{number:,} Meldungen"),
    "row": ("{number:,} Zeile", "{number:,} Zeilen"),
    "seat": ("{number:,} Sitz", "{number:,} Sitze"),
    "second": ("{number:,} Sekunde", "{number:,} Sekunden"),
    "such credential": ("{number:,}", "{number:,}"),  # what they are is said before
    "such report": ("{number:,}", "{number:,}"),
    "time": ("{number:,}-mal", "{number:,}-mal"),
    "vote": ("{number:,} Stimme", "{number:,} Stimmen"),
    "voter": ("{number:,} Stimme", "{number:,} Stimmen"),
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

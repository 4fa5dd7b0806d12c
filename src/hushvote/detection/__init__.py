"""Could these reports have come from honest devices?

Whatever the votes are, the law of a mechanism keeps the chance of every report, and the mean of
every count, between two bounds: the least and the largest over all rankings. Honest reports are
independent, so sums of them stay near those bounds. Each check compares many such sums with what
honest devices can reach and corrects its p-value for their number. Honest polls are suspected with
at most the stated probability, whoever votes how, for any n: a sum of 0s and 1s, none likelier to
be 1 than the bound, stays below a binomial one; other sums keep Bennett's inequality (1962).
"""

import math
from dataclasses import dataclass
from typing import Any

from hushvote.detection.check import Check
from hushvote.detection.counts import counts
from hushvote.detection.cycles import cycles
from hushvote.detection.frequencies import frequencies
from hushvote.detection.scores import scores
from hushvote.errors import ReportError, TallyError
from hushvote.exact import is_number
from hushvote.mechanisms import mechanism_from
from hushvote.mechanisms.fields import Reports
from hushvote.messages import ENGLISH, counted, say
from hushvote.tally import Tally

FALSE_ALARM = 0.01
LEAST_SHOWN = 1e-12

__all__ = ["Check", "Inspection", "inspect"]


@dataclass(frozen=True, repr=False)
class Inspection:
    """All checks of a tally."""

    n: int
    false_alarm: float
    """The chance at most that honest reports are suspected."""
    checks: tuple[Check, ...]
    digest: str = ""
    """Of the mechanism whose reports were inspected."""

    @property
    def p_value(self) -> float:
        """Of all checks together."""
        least = min((check.p_value for check in self.checks), default=1.0)
        return min(1.0, len(self.checks) * least)

    @property
    def suspicious(self) -> bool:
        """Whether honest devices would send such reports with less than the stated chance."""
        return self.p_value < self.false_alarm

    @property
    def striking(self) -> tuple[Check, ...]:
        """The checks that honest devices would not pass so, corrected for how many there are."""
        return tuple(c for c in self.checks if len(self.checks) * c.p_value < self.false_alarm)

    @property
    def fakes(self) -> int | None:
        """The fewest made-up reports that explain what is striking; None if any number may be
        needed. What honest devices could have sent is never counted, so there may be more.
        """
        least = [check.fakes for check in self.striking]
        return None if None in least else max((one for one in least if one is not None), default=0)

    def __repr__(self) -> str:
        found = "suspicious" if self.suspicious else "not suspicious"
        reports = counted(self.n, "report", ENGLISH)
        checks = counted(len(self.checks), "check", ENGLISH)
        return f"<Inspection of {reports} by {checks}: {found}, p = {self.p_value:.2g}>"

    def explain(self) -> tuple[str, ...]:
        """What was found, a sentence each."""
        if not self.suspicious:
            checks = counted(len(self.checks), "check")
            if self.n == 1:
                return (say("inspection.passed.one", p=self.p_value, checks=checks),)
            return (say("inspection.passed.many", n=self.n, p=self.p_value, checks=checks),)
        p = _rounded_up(max(self.p_value, LEAST_SHOWN))
        if self.n == 1:
            said = say("inspection.suspicious.one", p=p)
        else:
            said = say("inspection.suspicious.many", n=self.n, p=p)
        return said, *(check.finding for check in self.striking)

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "n": self.n,
            "false_alarm": self.false_alarm,
            "p_value": self.p_value,
            "suspicious": self.suspicious,
            "fakes": self.fakes,
            "words": list(self.explain()),
            "checks": [check.to_dict() for check in self.checks],
        }


def _rounded_up(p: float) -> float:
    """One digit, never below the bound itself."""
    scale = 10.0 ** math.floor(math.log10(p))
    return math.ceil(p / scale * (1 - 1e-12)) * scale


def inspect(
    tally: Tally, reports: Reports | None = None, *, false_alarm: float = FALSE_ALARM
) -> Inspection:
    """Test whether honest devices could have sent what was tallied; with the reports themselves,
    also how often each of them occurs.
    """
    if not isinstance(tally, Tally):
        raise TallyError(f"inspect a tally, not {tally!r}", code="tally.type", given=tally)
    if not is_number(false_alarm) or not 0 < false_alarm < 1:
        raise TallyError(
            f"the chance of a false alarm must lie between 0 and 1, not {false_alarm!r}",
            code="inspection.chance",
            given=false_alarm,
        )
    mechanism = mechanism_from(tally.parameters)
    mechanism.check_tally(tally)
    if tally.n < 1:
        raise TallyError("there are no reports to inspect", code="tally.empty")
    names = tally.candidates or tuple(say("candidate", number=j) for j in range(mechanism.d))
    checks = [*counts(mechanism, tally, names), scores(mechanism, tally, names)]
    if reports is not None:
        own = mechanism.tally(reports)
        if own.n != tally.n:
            raise ReportError(
                f"the reports handed in are {own.n:,}, but the tally counts {tally.n:,}",
                code="inspection.reports",
                given=own.n,
                n=tally.n,
            )
        if any((own.counts[name] != tally.counts[name]).any() for name in own.counts):
            raise ReportError(
                "these reports are not the ones that the tally counts",
                code="inspection.reports",
                n=tally.n,
            )
        found = (check(mechanism, reports, names) for check in (frequencies, cycles))
        checks += filter(None, found)
    return Inspection(tally.n, false_alarm, tuple(checks), mechanism.digest)

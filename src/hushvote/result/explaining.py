"""A result in figures and in words: the one place that both come from.

The command line, JSON and pages show `data` and `words` as they stand.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hushvote.result.margin import Margin
from hushvote.result.maxt import FEWEST

if TYPE_CHECKING:
    from hushvote.result import Result

TOO_FEW = f"Fewer than {FEWEST} reports are too few to tell any two candidates apart."
POWER = 0.9  # chance with which the named number of reports tells two candidates apart


@dataclass(frozen=True)
class Explanation:
    """The figures of a result as plain data, and what they mean, a sentence each."""

    data: dict[str, Any]
    words: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.words)

    def to_dict(self) -> dict[str, Any]:
        """Figures and words together."""
        return {**self.data, "words": list(self.words)}


def explained(result: "Result", level: float, fraction: float) -> Explanation:
    """Gather the figures of a result and put them into words."""
    names, certified = result.names, result.certified(level)
    margin = None if result.mechanism is None else result.margin(fraction, level)
    data: dict[str, Any] = {
        "rule": result.rule.name,
        "n": result.n,
        "level": level,
        "winner": names[result.winner],
        "winners": [names[j] for j in result.order if result.scores[j] == result.scores.max()],
        "certified": None if certified is None else names[certified],
        "rivals": [names[j] for j in _rivals(result, level)],
        "tied": [[names[j] for j in group] for group in result.tied],
        "candidates": _rows(result, level),
        "lead": _lead(result, level),
        "margin": None if margin is None else margin.to_dict(),
    }
    words = [
        _who_wins(data),
        *([] if data["lead"]["separated"] else [_how_many_more(data)]),
        *([] if certified is None or margin is None else [_how_sound(data, margin)]),
        *([TOO_FEW] if result.n < FEWEST else []),
        *(f"Exactly tied: {', '.join(group)}." for group in data["tied"]),
        f"{_reports(result.n)}. Scores are estimated means a voter; the intervals, and likewise "
        f"the true places, hold for all candidates together with {percent(level)} confidence.",
    ]
    return Explanation(data, tuple(words))


def _rows(result: "Result", level: float) -> list[dict[str, Any]]:
    """One row a candidate, best first."""
    intervals, places = result.interval(level), result.rank_sets(level)
    return [
        {
            "place": 1 + int((result.scores > result.scores[j]).sum()),
            "candidate": result.names[j],
            "score": float(result.scores[j]),
            "standard_error": float(result.standard_errors[j]),
            "low": float(intervals[j, 0]),
            "high": float(intervals[j, 1]),
            "places": [places[j][0], places[j][-1]],
            "first": float(result.chances[j]),
        }
        for j in result.order
    ]


def _rivals(result: "Result", level: float) -> list[int]:
    """Who may truly be as good as the winner, best first."""
    lows = result.differences(level)[result.winner, :, 0]
    return [j for j in result.order if j != result.winner and not lows[j] > 0]


def _lead(result: "Result", level: float) -> dict[str, Any]:
    """The gap between the first two."""
    first, second = result.order[:2]
    low, high = (float(x) for x in result.differences(level)[first, second])
    return {
        "first": result.names[first],
        "second": result.names[second],
        "gap": float(result.scores[first] - result.scores[second]),
        "low": low,
        "high": high,
        "separated": low > 0,
        "voters": result.voters_to_separate(first, second, level, POWER),
    }


def _who_wins(data: dict[str, Any]) -> str:
    """Whether the winner is certified, and if not, who may be ahead and how likely."""
    winner, sure = data["winner"], percent(data["level"])
    if data["certified"] is not None:
        return f"{winner} has won: with {sure} confidence nobody else has as high a true score."
    first = next(row["first"] for row in data["candidates"] if row["candidate"] == winner)
    leads = "ties for the lead" if len(data["winners"]) > 1 else "leads"
    rivals = _listed(data["rivals"])
    return (
        f"Nobody has surely won: {winner} {leads}, but {rivals} may truly be ahead "
        f"({sure} confidence). {winner} is truly first with probability {chance(first)}."
    )


def _how_many_more(data: dict[str, Any]) -> str:
    lead = data["lead"]
    if lead["voters"] is None:
        return f"{lead['first']} and {lead['second']} have exactly the same score."
    return (
        f"{lead['first']} and {lead['second']} are {_points(lead['gap'])} apart; if that is the "
        f"true gap, about {_rounded(lead['voters'])} reports would most likely tell."
    )


def _how_sound(data: dict[str, Any], margin: Margin) -> str:
    """What the most harmful attack could have done."""
    threat = min(margin.threats, key=lambda one: one.breakdown)
    share, most = percent(margin.fraction), _percent_down(threat.breakdown)
    holds = "would still hold" if threat.stands else "would no longer be sure"
    return (
        f"If {share} of the reports were {threat.attack.meaning}, they could have moved the lead "
        f"by {_points(threat.moved)}, and the win {holds}; it holds up to {most} of such reports."
    )


def _reports(n: int) -> str:
    return f"{n:,} report{'s' * (n != 1)}"


def _points(x: float) -> str:
    said = f"{x:.3g}"
    return f"{said} point{'s' * (said != '1')}"


def _rounded(n: int) -> str:
    """Two digits, rounded up: more would pretend."""
    scale = 10 ** max(0, len(str(n)) - 2)
    return f"{math.ceil(n / scale) * scale:,}"


def percent(share: float) -> str:
    """A share in percent; one that is close to all is not rounded to all."""
    said = f"{100 * share:.6g}"
    return "more than 99.9999 %" if said == "100" and share < 1 else f"{said} %"


def chance(probability: float) -> str:
    """A probability in percent; the draws behind it cannot tell 0 and 1 from what is close."""
    if probability < 0.001:
        return "< 0.1 %"
    if probability > 0.999:
        return "> 99.9 %"
    digits = 1 if probability < 0.01 or probability > 0.99 else 0
    return f"{100 * probability:.{digits}f} %"


def places(best: int, worst: int) -> str:
    """The places that a candidate may truly have."""
    if best == worst:
        return str(best)
    return f"{best} {'or' if worst == best + 1 else 'to'} {worst}"


def _percent_down(share: float) -> str:
    """A share in percent, rounded down to two digits."""
    if share <= 0:
        return "0 %"
    digits = 1 - math.floor(math.log10(100 * share))
    return f"{math.floor(100 * share * 10**digits) / 10**digits:g} %"


def _listed(names: list[str]) -> str:
    """Names as one would say them; of many, how many more there are."""
    if len(names) > 4:
        names = [*names[:3], f"{len(names) - 3} others"]
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))

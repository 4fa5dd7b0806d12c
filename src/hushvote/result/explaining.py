"""A result in figures and in words: the one place that both come from.

The command line, JSON and pages show `data` and `words` as they stand.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hushvote import notebooks
from hushvote.errors import TallyError, clip
from hushvote.messages import ENGLISH, counted, say
from hushvote.messages.phrases import (
    all_of,
    any_of,
    chance,
    commas,
    percent,
    percent_down,
    places,
    points,
    protection,
)
from hushvote.result.margin import AttackEffect, Margin, check_issued
from hushvote.result.maxt import FEWEST

if TYPE_CHECKING:
    from hushvote.detection import Inspection
    from hushvote.result import Result

POWER = 0.9  # chance with which the named number of reports tells two candidates apart


@dataclass(frozen=True, repr=False)
class Explanation:
    """The figures of a result as plain data, and what they mean, a sentence each."""

    data: dict[str, Any]
    words: tuple[str, ...]

    def __repr__(self) -> str:
        reports = counted(self.data["n"], "report", ENGLISH)
        return f"<Explanation of {reports}, {self.data['title']}: {clip(self.words[0])}>"

    def __str__(self) -> str:
        return "\n".join(self.words)

    def to_dict(self) -> dict[str, Any]:
        """Figures and words together."""
        return {**self.data, "words": list(self.words)}

    def table(self) -> tuple[list[tuple[str, str]], list[list[str]]]:
        """The candidates as a table: heads, each with the side it is set at, and rows of texts."""
        data = self.data
        heads = {
            say("table.place"): "right",
            say("table.candidate"): "left",
            say("table.score"): "right",
            say("table.error"): "right",
            say("table.interval", sure=percent(data["level"])): "right",
            say("table.true_place"): "right",
            say("table.first"): "right",
        }
        rows = [
            [
                str(row["place"]),
                row["candidate"],
                say("table.figure", value=row["score"]),
                say("table.figure", value=row["standard_error"]),
                say("table.ends", low=row["low"], high=row["high"]),
                places(*row["places"]) if data["closed"] else "–",
                chance(row["first"]),
            ]
            for row in data["candidates"]
        ]
        return list(heads.items()), rows

    def _repr_html_(self) -> str:
        return notebooks.table(self.data["title"], *self.table(), self.words)


def explained(
    result: "Result",
    level: float,
    fraction: float,
    inspection: "Inspection | None" = None,
    issued: int | None = None,
    seats: int | None = None,
    *,
    closed: bool = True,
) -> Explanation:
    """Gather the figures of a result and put them into words.

    Of reports that honest devices cannot have sent, and before a poll is closed, nothing is taken
    for sure: nobody is certified, and every place is possible. But a win that withstands more
    made-up reports than the inspection estimates stays one; else a few odd reports could veto it.
    """
    _check(result, inspection)
    issued = check_issued(issued, result.n)
    names, mechanism, certified = result.names, result.mechanism, result.certified(level)
    suspicious = None if inspection is None else inspection.suspicious
    unsure = bool(suspicious) or not closed
    elected = None if seats is None else result.elected(seats, level)
    margin = None if mechanism is None or not closed else result.margin(fraction, level, issued)
    withstood = _withstood(margin, inspection) if suspicious and certified is not None else None
    told = not unsure or withstood is not None  # whether a winner is announced
    weak = None if mechanism is None else protection(float(mechanism.epsilon))
    title = str(result.rule) if mechanism is None else mechanism.title
    data: dict[str, Any] = {
        "certified": names[certified] if certified is not None and told else None,
        "title": _titled(title, suspicious, closed, withstood),
        "mechanism": None if mechanism is None else mechanism.name,
        "epsilon": None if mechanism is None else float(mechanism.epsilon),
        "rule": result.rule.name,
        "n": result.n,
        "level": level,
        "population": result.population,
        "closed": closed,
        "leader": names[result.leader],
        "leaders": [names[j] for j in result.order if result.scores[j] == result.scores.max()],
        "suspicious": suspicious,
        "fakes": inspection.fakes if inspection is not None and suspicious else None,
        "rivals": [names[j] for j in _rivals(result, level, not told)],
        "tied": [[names[j] for j in group] for group in result.tied],
        "candidates": _rows(result, level, unsure, told),
        "elected": None if elected is None or unsure else elected.to_dict(names),
        "lead": _lead(result, level, unsure),
        "needed": None if unsure else _needed(result, level),
        "margin": None if margin is None or not told else margin.to_dict(names),
    }
    words = [
        *([] if closed else [say("still_open", leader=data["leader"])]),
        *([_distrusted(data, certified is not None and closed, withstood)] if suspicious else []),
        *([] if not data["elected"] else _who_is_elected(data["elected"], level)),
        *([] if unsure else [_who_wins(data)]),
        *([] if data["needed"] is None else [how_many(data["leader"], data["needed"])]),
        *([] if margin is None or not told or result.n < FEWEST else _how_sound(data, margin)),
        *([say("too_few", least=FEWEST)] if result.n < FEWEST else []),
        *(say("tied", names=commas(group)) for group in data["tied"]),
        *([weak] if weak else []),
        _basis(data),
    ]
    return Explanation(data, tuple(words))


def _check(result: "Result", inspection: "Inspection | None") -> None:
    """Refuse an inspection of something else."""
    if inspection is None:
        return
    if not hasattr(inspection, "suspicious"):
        raise TallyError(
            f"hand in what hv.inspect returned, not {inspection!r}",
            code="inspection.type",
            given=inspection,
        )
    if inspection.n != result.n:
        whose = counted(inspection.n, "report", ENGLISH)
        raise TallyError(
            f"this is the inspection of {whose}, not of these {result.n:,}",
            code="inspection.other",
            given=inspection.n,
            n=result.n,
        )
    if result.mechanism is not None and inspection.digest != result.mechanism.digest:
        raise TallyError(
            "this is the inspection of another poll: its mechanism is not the same",
            code="inspection.other",
        )


def _rows(result: "Result", level: float, unsure: bool, won: bool = False) -> list[dict[str, Any]]:
    """One row a candidate, best first; of reports that are not trusted, at most who has won is
    known.
    """
    intervals, places, d = result.interval(level), result.rank_sets(level), result.rule.d
    if unsure:
        others = tuple(range(1 + won, d + 1))
        places = tuple((1,) if won and j == result.leader else others for j in range(d))
    unknown = unsure or result.n < FEWEST
    return [
        {
            "place": 1 + int((result.scores > result.scores[j]).sum()),
            "candidate": result.names[j],
            "score": float(result.scores[j]),
            "standard_error": float(result.standard_errors[j]),
            "low": float(intervals[j, 0]),
            "high": float(intervals[j, 1]),
            "places": [places[j][0], places[j][-1]],
            "first": None if unknown else float(result.chances[j]),
        }
        for j in result.order
    ]


def _rivals(result: "Result", level: float, unsure: bool = False) -> list[int]:
    """Who may truly be as good as the leader, best first."""
    lows = result.differences(level)[result.leader, :, 0]
    return [j for j in result.order if j != result.leader and (unsure or not lows[j] > 0)]


def _lead(result: "Result", level: float, unsure: bool) -> dict[str, Any]:
    """The gap between the first two; its interval is open (null) where it has no end."""
    first, second = result.order[:2]
    low, high = (float(x) for x in result.differences(level)[first, second])
    return {
        "first": result.names[first],
        "second": result.names[second],
        "gap": float(result.scores[first] - result.scores[second]),
        "low": low if math.isfinite(low) and not unsure else None,
        "high": high if math.isfinite(high) and not unsure else None,
        "separated": low > 0 and not unsure,
    }


def _needed(result: "Result", level: float) -> dict[str, Any] | None:
    """Of those who may be ahead of the leader, the one who takes the most reports to tell, and
    how many these are altogether; null if nobody can say.
    """
    rivals = _rivals(result, level)
    if not rivals or result.n < FEWEST:
        return None
    reports = {j: result.voters_to_separate(result.leader, j, level, POWER) for j in rivals}
    hardest = max(rivals, key=lambda j: reports[j] or math.inf)
    return {
        "rival": result.names[hardest],
        "gap": float(result.scores[result.leader] - result.scores[hardest]),
        "largest_gap": result.largest_gap,
        "reports": reports[hardest],
    }


def _who_wins(data: dict[str, Any]) -> str:
    """Whether the leader is certified, and if not, who may be ahead and how likely."""
    leader, sure = data["leader"], percent(data["level"])
    if data["certified"] is not None:
        return say("win.sure", leader=leader, sure=sure)
    first = next(row["first"] for row in data["candidates"] if row["candidate"] == leader)
    tied, rivals = len(data["leaders"]) > 1, any_of(data["rivals"])
    if first is None:
        return say("win.open.tied" if tied else "win.open", leader=leader, rivals=rivals, sure=sure)
    return say(
        "win.open.tied.chance" if tied else "win.open.chance",
        leader=leader,
        rivals=rivals,
        sure=sure,
        first=chance(first),
    )


def _titled(title: str, suspicious: bool | None, closed: bool, withstood: int | None) -> str:
    """With what must be known of the reports at once."""
    if withstood is not None:
        return say("title.doubted", title=title)
    if suspicious:
        return say("title.distrusted", title=title)
    return title if closed else say("title.open", title=title)


def _basis(data: dict[str, Any]) -> str:
    """How many reports there are, and whom the scores are about."""
    reports, sure = counted(data["n"], "report"), percent(data["level"])
    if not data["closed"]:
        return say(
            "basis.survey.open" if data["population"] else "basis.open", reports=reports, sure=sure
        )
    if data["population"]:
        return say(
            "basis.survey.distrusted" if data["suspicious"] else "basis.survey",
            reports=reports,
            sure=sure,
        )
    return say("basis.distrusted" if data["suspicious"] else "basis", reports=reports, sure=sure)


def _who_is_elected(elected: dict[str, Any], level: float) -> list[str]:
    """Which of several seats are settled, and who may have the others."""
    seats, sure = elected["seats"], elected["sure"]
    if seats == 1:  # who has won says it all
        return []
    if elected["certified"]:
        return [say("seats.sure", names=all_of(sure), seats=seats, sure=percent(level))]
    rivals = any_of(elected["open"])
    if not sure:
        return [say("seats.none", seats=seats, rivals=rivals, sure=percent(level))]
    return [
        say(
            "seats.open",
            seats=seats,
            settled=len(sure),
            names=all_of(sure),
            rivals=rivals,
            sure=percent(level),
        )
    ]


def _withstood(margin: Margin | None, inspection: "Inspection | None") -> int | None:
    """With how many made-up reports the win holds, if these are more than were estimated."""
    if margin is None or inspection is None or inspection.fakes is None:
        return None
    most = min(effect.most for effect in margin.attacks)
    return most if most > inspection.fakes else None


def _distrusted(data: dict[str, Any], certified: bool, withstood: int | None) -> str:
    """Why nobody is announced, and what the same reports would say if they were honest; or why a
    winner is, all the same.
    """
    if withstood is not None:
        return say(
            "distrusted.withstood",
            leader=data["leader"],
            fakes=counted(data["fakes"], "report"),
            most=withstood,
            sure=percent(data["level"]),
        )
    if certified:
        return say("distrusted.sure", leader=data["leader"], sure=percent(data["level"]))
    return say("distrusted.open")


def how_many(leader: str, needed: dict[str, Any]) -> str:
    """How many reports would settle who is ahead."""
    rival, gap, most = needed["rival"], needed["gap"], needed["largest_gap"]
    if needed["reports"] is None:
        return say("needed.unknown", leader=leader, rival=rival)
    reports, apart = _rounded(needed["reports"]), points(gap)
    if gap > most:
        return say(
            "needed.beyond",
            leader=leader,
            rival=rival,
            gap=apart,
            most=points(most),
            reports=reports,
        )
    return say("needed", leader=leader, rival=rival, gap=apart, reports=reports)


def _how_sound(data: dict[str, Any], margin: Margin) -> list[str]:
    """What the most harmful attack by reports could have done, then each by credentials."""
    sure = data["certified"] is not None
    reports = [effect for effect in margin.attacks if effect.kind.of == "reports"]
    worst = max(reports, key=lambda one: (-one.breakdown if sure else 0, one.moved))
    others = [effect for effect in margin.attacks if effect.kind.of != "reports"]
    said = [_effect(effect, margin, sure) for effect in (worst, *others)]
    return [*said, *([margin.caveat] if margin.caveat else [])]


def _effect(effect: AttackEffect, margin: Margin, sure: bool) -> str:
    """What one attack could have done, and whether a sure win stands."""
    case, of = effect.kind.case, effect.kind.of
    share, moved = 100 * effect.asked / effect.whole, points(effect.moved)
    if not sure:
        return say(
            f"effect.{case}.{of}.open",
            asked=effect.asked,
            whole=effect.whole,
            share=share,
            moved=moved,
        )
    most = effect.most
    such = counted(most, "such report") if of == "reports" else counted(most, "such credential")
    return say(
        f"effect.{case}.{of}.stands" if effect.stands else f"effect.{case}.{of}.falls",
        asked=effect.asked,
        whole=effect.whole,
        share=share,
        moved=moved,
        most=such,
        most_share=percent_down(most, effect.whole),
    )


def _rounded(n: int) -> int:
    """Two digits, rounded up: more would pretend."""
    scale = int(10 ** max(0, len(str(n)) - 2))
    return math.ceil(n / scale) * scale

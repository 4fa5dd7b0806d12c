"""Pictures that one would show to a colleague; they need the extra `plot` (matplotlib)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from hushvote.comparison import Design
from hushvote.errors import MechanismError
from hushvote.files import AnyPath
from hushvote.mechanisms import Mechanism, mechanism, mechanism_names, option_names
from hushvote.messages import counted, say, written
from hushvote.messages.phrases import highest, lowest, percent, places
from hushvote.planning import Plan, most_lead, rounded_up
from hushvote.plots import scales
from hushvote.plots.pictures import SUFFIXES, Picture, balanced, caption, figure, headline, wrapped
from hushvote.plots.placing import Label, Point, note, write
from hushvote.plots.style import HAIRLINE, SOFT, SURE, look
from hushvote.result.explaining import Explanation
from hushvote.result.maxt import FEWEST
from hushvote.result.sentence import in_a_sentence
from hushvote.rules import Rule
from hushvote.tally import MOST_VOTERS

__all__ = ["SUFFIXES", "Picture", "figure", "plan", "result", "trade_off"]

LONGEST = 32  # letters of a name in a picture; a Chinese one is as wide as two
NAME = 2.7  # inches of a line of it
END = 1.7  # and of a line below an end of the range
CAPS = 8  # points of a trade-off curve
AROUND, STEPS = (
    3,
    25,
)  # a plan is drawn for up to three times fewer and more voters, in so many steps
LIGHT, DARK = (0.45, 0.68, 0.88), (0.02, 0.22, 0.42)  # from the least epsilon to the largest
Answer = Literal["lead", "n", "epsilon"]  # what is planned
LABEL = 0.045  # of the height of a picture: a line of text


def trade_off(design: Design, path: Path) -> None:
    """Error against the shift by one fake report, a point a mechanism, and the curves along which
    those that can be designed under a cap trade one for the other.
    """
    found = {one.mechanism.name: (one.mechanism.shift(), one.mechanism.mse()) for one in design}
    curves = {name: curve for name in mechanism_names() if len(curve := _curve(design, name)) > 1}
    points = [*found.values(), *(point for curve in curves.values() for point in curve)]
    with figure(path) as axes:
        for which, values in zip("xy", zip(*points, strict=True), strict=True):
            low, high = min(values), max(values)
            edge = max(1.3, (high / low) ** 0.25 if which == "x" else (high / low) ** 0.15)
            scales.logarithmic(axes, which, low / edge, high * edge)
        for name, curve in curves.items():
            drawn = {"color": look(name).colour, "lw": 1.5}
            axes.plot(*zip(*curve, strict=True), **drawn)
            label = say("picture.trade_off.cap", name=name)
            note(axes, label, curve[-1], (0, -11), va="top", fontsize=9)
        for name, point in found.items():
            axes.plot(*point, zorder=3, **look(name).drawn(scale=1.9))
        for names, point in _together(axes, found):
            note(axes, ", ".join(names), point, (9, 4), fontsize=9)
        axes.set_xlabel(say("picture.trade_off.x"))
        axes.set_ylabel(say("picture.trade_off.y"))
        title = say("picture.trade_off", rule=str(design.rule), epsilon=float(design.epsilon))
        headline(axes.figure, title)


def _together(axes: Any, found: Mapping[str, Point]) -> list[tuple[list[str], Point]]:
    """Points, and the names of all that lie so close to one that their labels would as well."""
    across, up = (math.log(high / low) for low, high in (axes.get_xlim(), axes.get_ylim()))
    groups: list[tuple[list[str], Point]] = []
    for name, (x, y) in found.items():
        for names, (other_x, other_y) in groups:
            near = abs(math.log(x / other_x)) < LABEL * across
            if near and abs(math.log(y / other_y)) < LABEL * up:
                names.append(name)
                break
        else:
            groups.append(([name], (x, y)))
    return groups


def result(explanation: Explanation, rule: Rule, path: AnyPath | None = None) -> Picture:
    """Every candidate's score with its interval on the range that scores can have, best on top,
    and the places it may truly have; above, what came out in a sentence. In a file, if one is
    named.
    """
    data = explanation.data
    rows = data["candidates"][::-1]
    ends = float(rule.scores[-1]), float(rule.scores[0])
    digits = max(0, 2 - math.floor(math.log10(ends[1] - ends[0])))
    scores = [written(row["score"], f",.{digits}f") for row in rows]
    cut = False
    with figure(path, width=8.4, height=2 + 0.36 * len(rows)) as axes:
        scales.linear(axes, *ends)
        for y, (row, score) in enumerate(zip(rows, scores, strict=True)):
            place, colour = _place(row, data)
            cut |= _interval(axes, row, y, ends, colour)
            away = 12 + 8 * max(map(len, scores))
            _beside(axes, score, y, away, color=colour, ha="right", weight="bold")
            if place:
                _beside(axes, place, y, away + 10, color=colour, ha="left", fontsize=9)
        _ends(axes, rule)
        shown = _shortened([row["candidate"] for row in rows])
        names = [wrapped(axes.figure, name, NAME) for name in shown]
        axes.set_yticks(range(len(rows)), names)
        axes.tick_params(axis="y", length=0, pad=9)
        axes.spines["left"].set_visible(False)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.grid(axis="y", visible=False)
        scale = say(
            "picture.result.x.survey" if data["population"] else "picture.result.x",
            sure=percent(data["level"]),
        )
        axes.set_xlabel(wrapped(axes.figure, scale, 4))
        headline(axes.figure, in_a_sentence(data)[1])
        reports = counted(data["n"], "report")
        settings = say("picture.result", title=data["title"], reports=reports)
        caption(axes.figure, *([say("picture.result.cut")] if cut else []), settings)
    return Picture(axes.figure)


def _place(row: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[str, str]:
    """The places that a candidate may have, and whether it has surely won or a seat; its colour.
    Before a poll is closed, nothing is said of places.
    """
    if not data["closed"]:
        return "", SOFT
    named, elected = places(*row["places"]), data["elected"]
    if elected is not None and row["candidate"] in elected["sure"]:
        return say("picture.result.elected", places=named), SURE
    if elected is None and row["candidate"] == data["certified"]:
        return say("picture.result.certified", places=named), SURE
    return say("picture.result.place", places=named), SOFT


def _interval(
    axes: Any, row: Mapping[str, Any], y: int, ends: tuple[float, float], colour: str
) -> bool:
    """A score and its interval, on a hairline over the whole range; what lies beyond is cut off,
    and a score there becomes an arrow at the end. Whether anything was cut.
    """
    axes.plot(ends, [y, y], color=HAIRLINE, lw=1, zorder=1)
    shown = [min(max(row[name], ends[0]), ends[1]) for name in ("low", "high")]
    axes.plot(shown, [y, y], color=_pale(colour), lw=7, solid_capstyle="butt")
    mark = "<" if row["score"] < ends[0] else ">" if row["score"] > ends[1] else "o"
    at = min(max(row["score"], ends[0]), ends[1])
    axes.plot(at, y, mark, color=colour, ms=7, clip_on=False, zorder=3)
    return bool(row["low"] < ends[0] or row["high"] > ends[1])


def _pale(colour: str) -> tuple[float, ...]:
    """A colour on white, as if one saw through it; but what lies below is hidden."""
    from matplotlib.colors import to_rgb

    return tuple(1 - 0.38 * (1 - part) for part in to_rgb(colour))


def _beside(axes: Any, text: str, y: int, away: float, **how: Any) -> None:
    """Text at the right of a row, outside of the data."""
    how |= {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    axes.annotate(text, (1, y), xytext=(away, 0), va="center", annotation_clip=False, **how)


def _ends(axes: Any, rule: Rule) -> None:
    """Say below the first and the last number of the range what they mean."""
    first, *between, last = (text.get_text() for text in axes.get_xticklabels())
    low, high = (balanced(axes.figure, said(rule.scores), END) for said in (lowest, highest))
    axes.set_xticks(
        axes.get_xticks(),
        [f"{first}\n{low}", *(f"{one}\n" for one in between), f"{last}\n{high}"],
    )
    labels = axes.get_xticklabels()
    labels[0].set_ha("left")
    labels[-1].set_ha("right")


def plan(
    plans: Sequence[Plan],
    mechanisms: Sequence[Mechanism],
    path: Path,
    answer: Answer = "lead",
) -> None:
    """The lead that can be certified over the number of voters, a line for each mechanism (one an
    epsilon), and a dot for each of the plans, with what was asked for.
    """
    first = plans[0]
    most = most_lead(first.mechanism.rule, first.seats)
    low, high = min(one.n for one in plans), max(one.n for one in plans)
    ends = max(FEWEST, low // AROUND), min(MOST_VOTERS, max(high, FEWEST) * AROUND)
    numbers = sorted({round(n) for n in np.geomspace(*ends, STEPS)})
    made = sorted({one.epsilon: one for one in mechanisms}.values(), key=lambda one: one.epsilon)
    lines = [line for one in made if (line := _leads(replace(first, mechanism=one), numbers))]
    with figure(path, height=5.6) as axes:  # between lines there is room for numbers
        scales.logarithmic(axes, "x", numbers[0], numbers[-1])
        least = min(line[-1].lead for line in lines)
        scales.logarithmic(axes, "y", 0.75 * least, 1.35 * most)
        for place, line in enumerate(lines):
            colour = _between(place / max(1, len(lines) - 1))
            axes.plot([one.n for one in line], [one.lead for one in line], color=colour, lw=2)
            for dot in plans:
                if dot.epsilon == line[0].epsilon:
                    axes.plot(dot.n, dot.lead, "o", color=colour, ms=6, zorder=3)
        if answer != "epsilon":  # else every dot says it
            _name_lines(axes, [line[-1] for line in lines])
        axes.axhline(most, color="#555555", lw=1, ls=":")
        note(axes, say("picture.plan.most"), (numbers[-1], most), (0, 4), ha="right", fontsize=9)
        axes.set_xlabel(say("picture.plan.x"))
        axes.set_ylabel(say("picture.plan.y"))
        title = f"{first.mechanism.name}, {first.mechanism.rule}"
        if first.seats > 1:
            title += f", {counted(first.seats, 'seat')}"
        headline(axes.figure, say("picture.plan", title=title))
        dots = [(float(one.n), one.lead) for one in plans]
        labels = [Label(*one) for one in zip(_texts(plans, answer), dots, strict=True)]
        curves = [([one.n for one in line], [one.lead for one in line]) for line in lines]
        drawn = [*curves, (axes.get_xlim(), (most, most))]
        write(axes, labels, drawn, say("picture.plan.crowded"))


def _leads(one: Plan, numbers: Sequence[int]) -> list[Plan]:
    """The same with other voters, from those on who certify any lead."""
    found = []
    for n in numbers:
        try:
            found.append(one.with_voters(n))
        except MechanismError:
            continue
    return found


def _texts(plans: Sequence[Plan], answer: Answer) -> list[str]:
    """What each plan answers, as in tables: leads have two digits, rounded up."""
    if answer == "n":
        return [written(one.n, ",") for one in plans]
    if answer == "epsilon":
        return [say("picture.plan.epsilon", epsilon=one.epsilon) for one in plans]
    leads = [rounded_up(one.lead) for one in plans]
    return [written(lead, f",.{max(0, 1 - math.floor(math.log10(lead)))}f") for lead in leads]


def _name_lines(axes: Any, ends: Sequence[Plan]) -> None:
    """The epsilon at the end of every line."""
    bottom, top = axes.get_ylim()
    least = (top / bottom) ** LABEL
    above = math.inf
    for end in sorted(ends, key=lambda one: (-one.lead, one.epsilon)):
        above = min(end.lead, above / least)
        text = say("picture.plan.epsilon", epsilon=end.epsilon)
        note(axes, text, (end.n, above), (6, 0), va="center", annotation_clip=False)


def _between(part: float) -> tuple[float, ...]:
    return tuple(a + part * (b - a) for a, b in zip(LIGHT, DARK, strict=True))


def _shortened(names: Sequence[str]) -> list[str]:
    """Names, cut if they would fill the picture: at the end, or in the middle where two would then
    look alike; not at all where they still would.
    """
    ends, middles = [_cut(name, LONGEST) for name in names], [_without_middle(x) for x in names]
    return [
        end if ends.count(end) == 1 else middle if middles.count(middle) == 1 else name
        for name, end, middle in zip(names, ends, middles, strict=True)
    ]


def _cut(name: str, width: int) -> str:
    text = Text(name)
    text.truncate(width, overflow="ellipsis")
    return text.plain


def _without_middle(name: str) -> str:
    if cell_len(name) <= LONGEST:
        return name
    end = name[-LONGEST // 2 :]
    while cell_len(end) > LONGEST // 2:
        end = end[1:]
    return _cut(name, LONGEST // 2) + end


def _curve(design: Design, name: str) -> list[tuple[float, float]]:
    """Shift and error of a mechanism under ever tighter caps, down to the least that can be kept;
    nothing, if it cannot be designed under one.
    """
    if "max_gap" not in option_names(name):
        return []
    free = mechanism(name, design.rule, design.epsilon)
    points = [(free.risks().gap, free.mse())]
    for cap in points[0][0] * np.geomspace(1, 0.4, CAPS)[1:]:
        try:
            made = mechanism(name, design.rule, design.epsilon, max_gap=float(f"{cap:.4g}"))
        except MechanismError:
            break
        points.append((made.risks().gap, made.mse()))
    return points

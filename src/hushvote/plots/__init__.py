"""Pictures that one would show to a colleague; they need the extra `plot` (matplotlib)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text

from hushvote.choosing import Design
from hushvote.errors import MechanismError
from hushvote.mechanisms import Mechanism, mechanism, mechanism_names, option_names
from hushvote.messages import counted, say
from hushvote.messages.phrases import percent, places
from hushvote.planning import Plan, most_lead, rounded_up
from hushvote.plots.pictures import SUFFIXES, Picture, figure, headline, wrapped
from hushvote.plots.style import SURE, colour_and_mark
from hushvote.result.explaining import Explanation
from hushvote.result.maxt import FEWEST
from hushvote.tally import MOST_VOTERS

__all__ = ["SUFFIXES", "Picture", "figure", "plan", "result", "trade_off"]

LONGEST = 32  # letters of a name in a picture; a Chinese one is as wide as two
NAME = 2.7  # inches of a line of it
CAPS = 8  # points of a trade-off curve
AROUND, STEPS = 6, 25  # a plan is drawn for up to six times fewer and more voters, in so many steps
LIGHT, DARK = (0.45, 0.68, 0.88), (0.02, 0.22, 0.42)  # from the least epsilon to the largest
INK = "#1D2430"
LONG = 300  # from the first to the last value of a logarithmic axis
LABEL = 0.045  # of the height of a picture: a line of text


def trade_off(design: Design, path: Path) -> None:
    """Error against the shift by one fake report, a point a mechanism, and the curves along which
    those that can be designed under a cap trade one for the other.
    """
    with figure(path) as axes:
        for choice in design:
            made = choice.mechanism
            colour, mark = colour_and_mark(made.name)
            axes.scatter(made.shift(), made.mse(), s=80, color=colour, marker=mark, zorder=3)
            axes.annotate(
                made.name,
                (made.shift(), made.mse()),
                xytext=(8, 4),
                textcoords="offset points",
                fontsize=9,
            )
        for name in mechanism_names():
            shifts, errors = _curve(design, name)
            if len(shifts) > 1:
                label = say("picture.trade_off.cap", name=name)
                axes.plot(shifts, errors, color=colour_and_mark(name)[0], lw=1.5, label=label)
                axes.legend(loc="upper left")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.margins(x=0.25, y=0.15)
        axes.set_xlabel(say("picture.trade_off.x"))
        axes.set_ylabel(say("picture.trade_off.y"))
        title = say("picture.trade_off", rule=str(design.rule), epsilon=float(design.epsilon))
        headline(axes.figure, title)


def result(explanation: Explanation, path: Path | None = None) -> Picture:
    """Every candidate's score with its interval, best on top, and the places it may truly have;
    in a file, if one is named.
    """
    data = explanation.data
    rows = data["candidates"][::-1]
    with figure(path, height=1.6 + 0.36 * len(rows)) as axes:
        for y, row in enumerate(rows):
            sure = row["candidate"] == data["certified"]
            colour = SURE if sure else "#555555"
            ends = [row["low"], row["high"]]
            axes.plot(ends, [y, y], color=colour, lw=6, alpha=0.35, solid_capstyle="butt")
            axes.plot(row["score"], y, "o", color=colour, ms=7)
            axes.annotate(
                say(
                    "picture.result.certified" if sure else "picture.result.place",
                    places=places(*row["places"]),
                ),
                (row["high"], y),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
        names = [wrapped(axes.figure, _short(row["candidate"]), NAME) for row in rows]
        axes.set_yticks(range(len(rows)), names)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        low = min(row["low"] for row in rows)
        high = max(row["high"] for row in rows)
        axes.set_xlim(low - 0.04 * (high - low), high + 0.38 * (high - low))
        axes.grid(axis="y", visible=False)
        scale = say(
            "picture.result.x.survey" if data["population"] else "picture.result.x",
            sure=percent(data["level"]),
        )
        axes.set_xlabel(wrapped(axes.figure, scale, 4))
        reports = counted(data["n"], "report")
        headline(axes.figure, say("picture.result", title=data["title"], reports=reports))
    return Picture(axes.figure)


def plan(plans: Sequence[Plan], mechanisms: Sequence[Mechanism], path: Path) -> None:
    """The lead that can be certified over the number of voters, a line for each mechanism (one an
    epsilon), and a dot for each of the plans.
    """
    first = plans[0]
    most = most_lead(first.mechanism.rule, first.seats)
    low, high = min(one.n for one in plans), max(one.n for one in plans)
    ends = max(FEWEST, low // AROUND), min(MOST_VOTERS, max(high, FEWEST) * AROUND)
    numbers = sorted({round(n) for n in np.geomspace(*ends, STEPS)})
    made = sorted({one.epsilon: one for one in mechanisms}.values(), key=lambda one: one.epsilon)
    lines = [line for one in made if (line := _leads(replace(first, mechanism=one), numbers))]
    with figure(path) as axes:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(numbers[0], numbers[-1])
        axes.set_ylim(0.75 * min(line[-1].lead for line in lines), 1.35 * most)
        for axis in (axes.xaxis, axes.yaxis):
            _plain_ticks(axis)
        for place, line in enumerate(lines):
            colour = _between(place / max(1, len(lines) - 1))
            axes.plot([one.n for one in line], [one.lead for one in line], color=colour, lw=2)
            for dot in plans:
                if dot.epsilon == line[0].epsilon:
                    axes.plot(dot.n, dot.lead, "o", color=colour, ms=6, zorder=3)
        _label(axes, plans, [line[-1] for line in lines])
        axes.axhline(most, color="#555555", lw=1, ls=":")
        _note(axes, say("picture.plan.most"), (numbers[-1], most), (0, 4), ha="right", fontsize=9)
        axes.set_xlabel(say("picture.plan.x"))
        axes.set_ylabel(say("picture.plan.y"))
        title = f"{first.mechanism.name}, {first.mechanism.rule}"
        if first.seats > 1:
            title += f", {counted(first.seats, 'seat')}"
        headline(axes.figure, say("picture.plan", title=title))


def _leads(one: Plan, numbers: Sequence[int]) -> list[Plan]:
    """The same with other voters, from those on who certify any lead."""
    found = []
    for n in numbers:
        try:
            found.append(one.with_voters(n))
        except MechanismError:
            continue
    return found


def _note(axes: Any, text: str, at: tuple[float, float], away: tuple[int, int], **how: Any) -> None:
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.5, foreground="white")]
    how |= {"color": INK, "path_effects": halo, "zorder": 4}
    axes.annotate(text, at, xytext=away, textcoords="offset points", **how)


def _label(axes: Any, plans: Sequence[Plan], ends: Sequence[Plan]) -> None:
    """The lead at every dot that has room for it, and the epsilon at the end of every line."""
    bottom, top = axes.get_ylim()
    least = (top / bottom) ** LABEL
    for n in {one.n for one in plans}:
        above = math.inf
        for dot in sorted((one for one in plans if one.n == n), key=lambda one: -one.lead):
            if dot.lead * least <= above:
                above = dot.lead
                _note(axes, f"{rounded_up(above):g}", (n, above), (4, 3), fontsize=9)
    above = math.inf
    for end in sorted(ends, key=lambda one: (-one.lead, one.epsilon)):
        above = min(end.lead, above / least)
        text = say("picture.plan.epsilon", epsilon=end.epsilon)
        _note(axes, text, (end.n, above), (6, 0), va="center", annotation_clip=False)


def _between(part: float) -> tuple[float, ...]:
    return tuple(a + part * (b - a) for a, b in zip(LIGHT, DARK, strict=True))


def _plain_ticks(axis: Any) -> None:
    """Ones, twos and fives on a logarithmic axis, or ones and threes on a long one; written out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    def written(x: float, _: int) -> str:
        return f"{x:,.{max(0, -math.floor(math.log10(x)))}f}"

    low, high = axis.get_view_interval()
    steps = (1, 2, 5) if high / low < LONG else (1, 3)
    axis.set_major_locator(LogLocator(subs=steps, numticks=99))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(written))


def _short(name: str) -> str:
    """A name, cut if it would fill the picture."""
    text = Text(name)
    text.truncate(LONGEST, overflow="ellipsis")
    return text.plain


def _curve(design: Design, name: str) -> tuple[list[float], list[float]]:
    """A mechanism under ever tighter caps, down to the least that can be kept; nothing, if it
    cannot be designed under one.
    """
    if "max_gap" not in option_names(name):
        return [], []
    free = mechanism(name, design.rule, design.epsilon)
    points = [(free.risks().gap, free.mse())]
    for cap in points[0][0] * np.geomspace(1, 0.4, CAPS)[1:]:
        try:
            made = mechanism(name, design.rule, design.epsilon, max_gap=float(f"{cap:.4g}"))
        except MechanismError:
            break
        points.append((made.risks().gap, made.mse()))
    return [gap for gap, _ in points], [error for _, error in points]

"""Pictures that one would show to a colleague; they need the extra `plot` (matplotlib)."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text

from hushvote.choosing import Design
from hushvote.errors import MechanismError
from hushvote.mechanisms import mechanism, mechanism_names, option_names
from hushvote.messages import counted, say
from hushvote.messages.phrases import percent, places
from hushvote.planning import Plan, most_lead
from hushvote.plots.pictures import SUFFIXES, figure, headline, wrapped
from hushvote.plots.style import SURE, colour_and_mark
from hushvote.result.explaining import Explanation
from hushvote.result.maxt import FEWEST
from hushvote.tally import MOST_VOTERS

__all__ = ["SUFFIXES", "figure", "plan", "result", "trade_off"]

LONGEST = 32  # letters of a name in a picture; a Chinese one is as wide as two
NAME = 2.7  # inches of a line of it
CAPS = 8  # points of a trade-off curve
AROUND, STEPS = 10, 25  # a plan is drawn up to ten times fewer and more voters, in so many steps
LIGHT, DARK = (0.45, 0.68, 0.88), (0.02, 0.22, 0.42)  # from the least epsilon to the largest


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


def result(explanation: Explanation, path: Path) -> None:
    """Every candidate's score with its interval, best on top, and the places it may truly have."""
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
        about = "picture.result.x.survey" if data["population"] else "picture.result.x"
        scale = say(about, sure=percent(data["level"]))
        axes.set_xlabel(wrapped(axes.figure, scale, 4))
        reports = counted(data["n"], "report")
        headline(axes.figure, say("picture.result", title=data["title"], reports=reports))


def plan(plans: Sequence[Plan], path: Path) -> None:
    """The lead that can be certified over the number of voters, a line for each epsilon, and a dot
    for each of the plans.
    """
    first = plans[0]
    rule, most = first.mechanism.rule, most_lead(first.mechanism.rule, first.seats)
    low, high = min(one.n for one in plans), max(one.n for one in plans)
    ends = max(FEWEST, low // AROUND), min(MOST_VOTERS, high * AROUND)
    numbers = sorted({round(n) for n in np.geomspace(*ends, STEPS)})
    lines = {one.epsilon: one for one in sorted(plans, key=lambda one: one.epsilon)}
    with figure(path) as axes:
        for place, (epsilon, one) in enumerate(lines.items()):
            colour = _between(place / max(1, len(lines) - 1))
            points = _leads(one, numbers)
            axes.plot(*zip(*points, strict=True), color=colour, lw=2)
            dots = [(dot.n, dot.lead) for dot in plans if dot.epsilon == epsilon]
            axes.plot(*zip(*dots, strict=True), "o", color=colour, ms=6, zorder=3)
            axes.annotate(
                say("picture.plan.epsilon", epsilon=epsilon),
                points[-1],
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                color=colour,
            )
        axes.axhline(most, color="#555555", lw=1, ls=":")
        axes.annotate(
            say("picture.plan.most"),
            (numbers[-1], most),
            xytext=(0, 4),
            textcoords="offset points",
            ha="right",
            color="#555555",
            fontsize=9,
        )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(numbers[0], numbers[-1])
        axes.set_ylim(top=1.3 * most)
        for axis in (axes.xaxis, axes.yaxis):
            _plain_ticks(axis)
        axes.set_xlabel(say("picture.plan.x"))
        axes.set_ylabel(say("picture.plan.y"))
        title = f"{first.mechanism.name}, {rule}"
        if first.seats > 1:
            title += f", {counted(first.seats, 'seat')}"
        headline(axes.figure, say("picture.plan", title=title))


def _leads(one: Plan, numbers: Sequence[int]) -> list[tuple[int, float]]:
    """Voters and the lead that they certify, from those on who certify any."""
    found = []
    for n in numbers:
        try:
            found.append((n, one.with_voters(n).lead))
        except MechanismError:
            continue
    return found


def _between(part: float) -> tuple[float, ...]:
    return tuple(a + part * (b - a) for a, b in zip(LIGHT, DARK, strict=True))


def _plain_ticks(axis: Any) -> None:
    """Ones, twos and fives on a logarithmic axis, written out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=99))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.{max(0, -math.floor(math.log10(x)))}f}"))


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

"""Pictures that one would show to a colleague; they need the extra `plot` (matplotlib)."""

from pathlib import Path

import numpy as np
from rich.text import Text

from hushvote.choosing import Design
from hushvote.errors import MechanismError
from hushvote.mechanisms import mechanism, mechanism_names, option_names
from hushvote.messages import counted, say
from hushvote.messages.phrases import percent, places
from hushvote.plots.pictures import SUFFIXES, figure, headline, wrapped
from hushvote.plots.style import SURE, colour_and_mark
from hushvote.result.explaining import Explanation

__all__ = ["SUFFIXES", "figure", "result", "trade_off"]

LONGEST = 32  # letters of a name in a picture; a Chinese one is as wide as two
NAME = 2.7  # inches of a line of it
CAPS = 8  # points of a trade-off curve


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
        scale = say(
            "picture.result.x.survey" if data["population"] else "picture.result.x",
            sure=percent(data["level"]),
        )
        axes.set_xlabel(wrapped(axes.figure, scale, 4))
        reports = counted(data["n"], "report")
        headline(axes.figure, say("picture.result", title=data["title"], reports=reports))


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

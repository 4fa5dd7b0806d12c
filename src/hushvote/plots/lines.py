"""Panels of a metric against epsilon, a line a mechanism: simulations and reproduced figures."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushvote.messages import say
from hushvote.plots.pictures import DPI, STYLE, headline, styled, wrapped
from hushvote.plots.style import colour_and_mark

ERRORS = 2  # an error bar reaches this many standard errors up and down
LOG = ("mse", "tve", "mae", "em")
DASHES = ("-", "--", ":", "-.")
WIDTH = 4.2  # inches of a panel
ENTRY, LETTER = 0.58, 0.08  # inches of a legend's entry beside its text, and of a letter


@dataclass(frozen=True)
class Line:
    """One mechanism in one panel."""

    mechanism: str
    epsilons: Sequence[float]
    means: Sequence[float]
    errors: Sequence[float]

    @classmethod
    def of(cls, mechanism: str, rows: Iterable[Mapping[str, Any]]) -> "Line":
        """The points of one mechanism, out of the rows of a panel."""
        own = sorted((r for r in rows if r["mechanism"] == mechanism), key=lambda r: r["epsilon"])
        return cls(mechanism, *([row[key] for row in own] for key in ("epsilon", "mean", "se")))


Panels = Sequence[tuple[str, Sequence[Line]]]


def draw(metric: str, panels: Panels, title: str, *, share: bool = True) -> Any:
    """Draw panels, each with its title and lines, as a matplotlib figure.

    With `share`, all panels have one scale; without, each has its own.
    """
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    names = list(dict.fromkeys(line.mechanism for _, lines in panels for line in lines))
    dashes = _dashes(names)
    with styled():
        from matplotlib.figure import Figure

        size = (WIDTH * columns, 0.9 + 2.75 * rows)
        made = Figure(figsize=size, dpi=DPI, layout="constrained")
        grid = made.subplots(rows, columns, sharex=True, sharey=share, squeeze=False)
        for axes, (name, lines) in zip(grid.flat, panels, strict=False):
            for line in lines:
                place = names.index(line.mechanism) - (len(names) - 1) / 2
                _plot(axes, line, place, dashes[line.mechanism])
            axes.set_title(wrapped(made, name, WIDTH - 1, STYLE["axes.titlesize"]))
            shown = [line for _, every in panels for line in every] if share else lines
            _scale(axes, metric, shown)
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_visible(False)
        for axes in list(grid.flat)[max(0, len(panels) - columns) : len(panels)]:  # the lowest
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(say("picture.epsilon"))
        for axes in grid[:, 0]:
            axes.set_ylabel(say(f"metric.{metric}"))
        handles, labels = grid.flat[0].get_legend_handles_labels()
        labels = [wrapped(made, label, size[0] - ENTRY) for label in labels]
        per_row = _per_row(labels, size[0])
        made.legend(handles, labels, loc="outside lower center", ncols=per_row, columnspacing=1.4)
        headline(made, title)
        layout: Any = made.get_layout_engine()
        layout.execute(made)  # once for all files
        made.set_layout_engine("none")
    return made


def _dashes(names: Sequence[str]) -> dict[str, str]:
    """A line style for each name; those that share colour and mark differ in it."""
    looks = [colour_and_mark(name) for name in names]
    return {name: DASHES[looks[:i].count(looks[i]) % len(DASHES)] for i, name in enumerate(names)}


def _per_row(labels: Sequence[str], width: float) -> int:
    """How many columns of a legend fit into this many inches; it is filled column by column."""
    for columns in range(len(labels), 1, -1):
        long = math.ceil(len(labels) / columns)
        parts = [labels[i : i + long] for i in range(0, len(labels), long)]
        if sum(ENTRY + LETTER * max(map(len, part)) for part in parts) <= width:
            return len(parts)
    return 1


def _plot(axes: Any, line: Line, place: float, dashes: str) -> None:
    """One line; marks of different mechanisms stand a little apart, so that none hides another."""
    colour, mark = colour_and_mark(line.mechanism)
    bars = [ERRORS * error for error in line.errors]
    axes.errorbar(
        [epsilon * 1.025**place for epsilon in line.epsilons],
        line.means,
        yerr=bars if any(bars) else None,
        color=colour,
        marker=mark,
        linestyle=dashes,
        markerfacecolor=colour if dashes == DASHES[0] else "white",
        markersize=4.5,
        linewidth=1.3,
        elinewidth=1,
        capsize=1.8,
        label=line.mechanism,
    )


def _scale(axes: Any, metric: str, lines: Sequence[Line]) -> None:
    """The scales that suit these lines."""
    from matplotlib.ticker import NullLocator

    epsilons = sorted({x for line in lines for x in line.epsilons})
    means = [y for line in lines for y in line.means]
    if len(epsilons) == 1:
        axes.set_xticks(epsilons, [f"{epsilons[0]:g}"])
        axes.set_xlim(epsilons[0] * 0.7, epsilons[0] * 1.3)
    elif epsilons[-1] / epsilons[0] > 5:
        axes.set_xscale("log")
        ticks = [x for x in (0.01, 0.03, 0.1, 0.3, 1, 3, 10) if _inside(x, epsilons)]
        if len(ticks) > 1:
            axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
            axes.xaxis.set_minor_locator(NullLocator())
    if metric in LOG and min(means) > 0:
        axes.set_yscale("log", nonpositive="clip")
        axes.yaxis.set_major_formatter(_plain)
    elif metric == "aow":
        axes.set_ylim(-0.03, 1.03)
    elif metric == "low" and max(means) > 0:
        small = 10.0 ** math.floor(math.log10(min(y for y in means if y > 0)))
        axes.set_yscale("symlog", linthresh=small, linscale=0.5)
        axes.yaxis.set_major_formatter(_plain)
        axes.set_ylim(-small / 8, 2 * max(means))


def _plain(value: float, _: int) -> str:
    """A power of ten as it is written: 1,000 or 0.01 where that is short, else 10⁶."""
    if value == 0 or 1e-3 <= abs(value) <= 1e3:
        return f"{value:,g}"
    power = round(math.log10(abs(value)))
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _inside(x: float, epsilons: Sequence[float]) -> bool:
    return epsilons[0] * 0.9 <= x <= epsilons[-1] * 1.1

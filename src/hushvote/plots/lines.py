"""Panels of a metric against epsilon, a line a mechanism: simulations and reproduced figures."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushvote.messages import say
from hushvote.plots import scales
from hushvote.plots.pictures import DPI, STYLE, headline, mention_boxes, styled, wrapped
from hushvote.plots.style import look

ERRORS = 2  # an error bar reaches this many standard errors up and down
SHARE, LOSS = "aow", "low"  # metrics that are at most 1, and that are often 0
WIDTH = 4.2  # inches of a panel
ENTRY, LETTER = 0.8, 0.08  # inches of a legend's entry beside its text, and of a letter
APART = 2  # points by which marks of neighbours stand apart, so that none hides another


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

    def ends(self, metric: str) -> list[tuple[float, float]]:
        """Where the bars end: never where the metric cannot be."""
        most = 1.0 if metric == SHARE else math.inf
        return [
            (max(0.0, mean - ERRORS * error), max(mean, min(most, mean + ERRORS * error)))
            for mean, error in zip(self.means, self.errors, strict=True)
        ]


Panels = Sequence[tuple[str, Sequence[Line]]]


def draw(metric: str, panels: Panels, title: str) -> Any:
    """Draw panels, each with its title and lines, as a matplotlib figure; all on one scale."""
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    every = [line for _, lines in panels for line in lines]
    names = list(dict.fromkeys(line.mechanism for line in every))
    looks = _looks(names)
    with styled():
        from matplotlib.figure import Figure
        from matplotlib.lines import Line2D

        size = (WIDTH * columns, 0.9 + 2.9 * rows)
        made = Figure(figsize=size, dpi=DPI, layout="constrained")
        grid = made.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        _scale_epsilons(grid[0, 0], {x for line in every for x in line.epsilons})
        floor = _scale_metric(grid[0, 0], metric, every)
        for axes, (name, lines) in zip(grid.flat, panels, strict=False):
            for line in lines:
                place = names.index(line.mechanism) - (len(names) - 1) / 2
                _plot(axes, line, metric, APART * place, floor, looks[line.mechanism])
            axes.set_title(wrapped(made, name, WIDTH - 1, STYLE["axes.titlesize"]))
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_visible(False)
        for axes in list(grid.flat)[max(0, len(panels) - columns) : len(panels)]:  # the lowest
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(say("picture.epsilon"))
        for axes in grid[:, 0]:
            axes.set_ylabel(say(f"metric.{metric}"))
        handles = [Line2D([], [], linewidth=1.5, **looks[name]) for name in names]
        labels = [wrapped(made, name, size[0] - ENTRY) for name in names]
        made.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=_per_row(labels, size[0]),
            columnspacing=1.6,
            handlelength=3.4,
        )
        headline(made, title)
        layout: Any = made.get_layout_engine()
        layout.execute(made)  # once for all files
        made.set_layout_engine("none")
        mention_boxes(made)
    return made


def _looks(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """How each is drawn; those that are variants of one mechanism differ."""
    looks = [look(name) for name in names]
    return {name: looks[i].drawn(looks[:i].count(looks[i])) for i, name in enumerate(names)}


def _per_row(labels: Sequence[str], width: float) -> int:
    """How many columns of a legend fit into this many inches; it is filled column by column."""
    for columns in range(len(labels), 1, -1):
        long = math.ceil(len(labels) / columns)
        parts = [labels[i : i + long] for i in range(0, len(labels), long)]
        if sum(ENTRY + LETTER * max(map(len, part)) for part in parts) <= width:
            return len(parts)
    return 1


def _plot(
    axes: Any, line: Line, metric: str, aside: float, floor: float, drawn: dict[str, Any]
) -> None:
    """One line with its bars, none of which goes below the floor, so many points aside."""
    from matplotlib.transforms import ScaledTranslation

    shift = ScaledTranslation(aside / 72, 0, axes.figure.dpi_scale_trans)
    sure = (math.nan, math.nan)  # no bar, and no caps without one
    bars = [
        (mean - max(low, floor), high - mean) if low < high else sure
        for mean, (low, high) in zip(line.means, line.ends(metric), strict=True)
    ]
    made = axes.errorbar(
        line.epsilons,
        line.means,
        yerr=list(zip(*bars, strict=True)) if any(line.errors) else None,
        linewidth=1.5,
        elinewidth=0.9,
        capsize=1.8,
        label=line.mechanism,
        transform=axes.transData + shift,
        **drawn,
    )
    for part in made.get_children():
        part.set_clip_on(False)  # marks on the edge are whole
    for cap in made.lines[1]:
        cap.set_markeredgewidth(0.9)  # whatever the mark's own


def _scale_epsilons(axes: Any, epsilons: set[float]) -> None:
    first, last = min(epsilons), max(epsilons)
    if first == last:
        axes.set_xticks([first], [f"{first:g}"])
        axes.set_xlim(first * 0.7, first * 1.3)
    elif last / first > 5:
        edge = (last / first) ** 0.05
        scales.logarithmic(axes, "x", first / edge, last * edge)
    else:
        edge = (last - first) * 0.05
        axes.set_xlim(first - edge, last + edge)


def _scale_metric(axes: Any, metric: str, lines: Sequence[Line]) -> float:
    """The scale that suits these lines; returns the lowest value that is shown."""
    ends = [end for line in lines for end in line.ends(metric)]
    means = [mean for line in lines for mean in line.means]
    high = max(high for _, high in ends)
    if metric == SHARE:
        scales.shares(axes)
    elif metric == LOSS and high > 0:
        scales.rooted(axes, 1.05 * high)
    elif min(means) > 0:
        low = min([*means, *(low for low, _ in ends if low > min(means) / 3)])
        edge = math.pow(high / low, 0.05)
        scales.logarithmic(axes, "y", low / edge, high * edge)
        return low / edge
    return 0

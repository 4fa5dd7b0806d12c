"""Labels beside points, where they lie on no line, on no other point and on no other label."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.plots.pictures import caption
from hushvote.plots.style import INK

SIZES = (9, 8, 7)  # of letters beside points, the first with which all labels fit
REACH = 13  # points that a label may lie away from its own
CLEAR = 2  # points that stay free around a label, half of a line among them
LEFT = 5  # points that a label must be nearer at the left than at the right
DOT = 3  # from the middle of a point to its edge
Pairs = NDArray[np.float64]
Point = tuple[float, float]
Lines = Sequence[tuple[Any, Any]]


@dataclass(frozen=True)
class Label:
    """What is said of a point."""

    text: str
    at: Point


Placed = tuple[Label, Point]


def note(axes: Any, text: str, at: Point, away: Point, **how: Any) -> Any:
    """Text so many points away from a point, legible on a grid."""
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.5, foreground="white")]
    how |= {"color": INK, "path_effects": halo, "zorder": 4}
    return axes.annotate(text, at, xytext=away, textcoords="offset points", **how)


def write(axes: Any, labels: Sequence[Label], lines: Lines, otherwise: str) -> None:
    """Write each label beside its point, all as large as it takes for all of them to fit. Where
    lines are very close, none could be told to be its own: those are left out, and small print says
    so.
    """
    found, size = _largest(axes, labels, lines)
    if len(found) < len(labels):
        caption(axes.figure, otherwise)
        found, size = _largest(axes, labels, lines)
    for label, away in found:
        note(axes, label.text, label.at, away, fontsize=size, va="baseline")


def _largest(axes: Any, labels: Sequence[Label], lines: Lines) -> tuple[list[Placed], float]:
    """As many labels as fit, and the largest size for them."""
    axes.figure.get_layout_engine().execute(axes.figure)  # from here on all lies where it will
    best: tuple[list[Placed], float] = ([], SIZES[0])
    for size in SIZES:
        found = _found(axes, labels, lines, size)
        if len(found) > len(best[0]):
            best = (found, size)
        if len(found) == len(labels):
            break
    return best


def _found(axes: Any, labels: Sequence[Label], lines: Lines, size: float) -> list[Placed]:
    """Labels that fit at this size, and where each begins, from its point."""
    room = _Room.of(axes, [label.at for label in labels], lines)
    found = []
    for label in labels:
        ink, dot = _ink(label.text, size), room.points(axes, [label.at])[0]
        for away in _ways(ink):
            if room.take(dot, ink + dot + away):
                found.append((label, (float(away[0]), float(away[1]))))
                break
    return found


def _ink(text: str, size: float) -> Pairs:
    """The lower left and the upper right corner of what is black, from where a text begins."""
    from matplotlib.textpath import TextPath

    return np.array(TextPath((0, 0), text, size=size).get_extents().get_points())


def _ways(ink: Pairs) -> list[Pairs]:
    """Where a text may begin, near first: at the right of its point or, if that is much nearer, at
    the left.
    """
    steps = np.array([(x, y) for x in range(REACH) for y in range(-DOT, REACH)], dtype=float)
    far = np.hypot(*steps.T)
    order = np.argsort(np.concatenate([far, far + LEFT]), kind="stable")
    return list(np.concatenate([steps - ink[0], -steps - ink[1]])[order])


@dataclass
class _Room:
    """What is drawn already, in points from the corner of a picture."""

    edge: Pairs
    drawn: Pairs
    dots: Pairs
    boxes: list[Pairs] = field(default_factory=list)

    @classmethod
    def of(cls, axes: Any, dots: Sequence[Any], lines: Lines) -> "_Room":
        """What lines, dots and notes leave free."""
        corners = [_Room.points(axes, np.column_stack(line)) for line in lines]
        boxes = [text.get_window_extent().get_points() for text in axes.texts]
        scale = 72 / axes.figure.dpi
        return cls(
            axes.bbox.get_points() * scale,
            np.concatenate([_dense(one) for one in corners]),
            cls.points(axes, dots),
            [box * scale for box in boxes],
        )

    @staticmethod
    def points(axes: Any, data: Any) -> Pairs:
        """Where data lie in the picture."""
        return np.asarray(axes.transData.transform(data) * 72 / axes.figure.dpi)

    def take(self, dot: Pairs, box: Pairs) -> bool:
        """Take a box beside a dot, if it is free, and no line lies between the two."""
        free = (
            not _inside(self.drawn, box, CLEAR).any()
            and not _inside(self.dots, box, CLEAR + DOT).any()
            and bool(_inside(box, self.edge, -CLEAR).all())
            and not any(_overlap(box, other) for other in self.boxes)
            and not self._crosses(dot, dot.clip(*box))
        )
        if free:
            self.boxes.append(box)
        return free

    def _crosses(self, dot: Pairs, end: Pairs) -> bool:
        """Whether a line lies on the way from a dot, whose own begin at its edge."""
        way = _dense(np.array([dot, end]))[DOT:]
        return any(_inside(self.drawn, np.array([at, at]), 1).any() for at in way)


def _dense(corners: Pairs) -> Pairs:
    """Points along a line, so close that no text fits between two."""
    far = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    along = np.arange(0, far[-1] + 1)
    return np.column_stack([np.interp(along, far, part) for part in corners.T])


def _inside(points: Pairs, box: Pairs, more: float) -> Any:
    """Which points lie in a box with so much around it."""
    return ((points > box[0] - more) & (points < box[1] + more)).all(axis=1)


def _overlap(one: Pairs, other: Pairs) -> bool:
    return bool((one[0] < other[1] + CLEAR).all() and (other[0] < one[1] + CLEAR).all())

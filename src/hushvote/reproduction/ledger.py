"""What the ledger is made of: points that can be asked, findings with errors, verdicts.

Verdicts follow from the measured figures alone, and only from what lies at least twice its error
from the limit: what lies closer may be chance, and is undecided. Errors are those of the points,
carried to first order; a mean of several points gets the mean of their errors, as if they all
erred together, so that no error is stated too small.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushvote.messages import ENGLISH, counted
from hushvote.reproduction.grid import named_figures
from hushvote.simulation.points import Row

Value = tuple[float, float]
"""A figure and its standard error."""

Keep = Callable[[Row], bool]


class Points:
    """The points of all figures, to be asked by figure, mechanism and poll."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.figures = {row["figure"] for row in rows}

    def of(self, figure: str, mechanism: str, keep: Keep | None = None) -> Any:
        """Means and errors of one series, in the order of the points."""
        chosen = [
            (row["mean"], row["se"])
            for row in self.rows
            if row["figure"] == figure
            and row["mechanism"] == mechanism
            and (keep is None or keep(row))
        ]
        return np.array(chosen).reshape(-1, 2)

    def ratio(
        self, over: tuple[str, str], under: tuple[str, str], keep: Keep, base: Keep | None = None
    ) -> Value:
        """The mean ratio of two series, (figure, mechanism) each, point by point."""
        top, bottom = self.of(*over, keep), self.of(*under, base or keep)
        ratios = top[:, 0] / bottom[:, 0]
        errors = ratios * np.hypot(top[:, 1] / top[:, 0], bottom[:, 1] / bottom[:, 0])
        return float(ratios.mean()), float(errors.mean())


CLEAR = 2  # standard errors that a figure must be away from the limit


def settled(margins: Iterable[Value]) -> bool | None:
    """Whether figures are on the right side of their limits, by these margins and their errors:
    yes if all clearly are, no if one is clearly not, else nobody knows.
    """
    sure = [None if abs(by) < CLEAR * error else by >= 0 for by, error in margins]
    return False if False in sure else None if None in sure else True


@dataclass(frozen=True)
class Finding:
    """What was measured, in per cent unless `unit` says otherwise; `met` is None where chance may
    have decided.
    """

    value: float
    error: float
    met: bool | None
    detail: str = ""
    unit: str = "%"

    def __str__(self) -> str:
        shown = f"{self.value:.1f}"
        return f"{shown} ± {self.error:.1f} {self.unit}" if self.error else f"{shown} {self.unit}"


FEWEST = 100  # polls a point from which on a verdict is more than a first look


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, and how it is put to the test."""

    statement: str
    figures: tuple[str, ...]
    criterion: str
    measure: Callable[[Points], Finding]
    correction: str = ""

    def verdict(self, finding: Finding) -> str:
        """Reproduced or not; after correction where the paper's text had to be mended first."""
        if finding.met is None:
            return "undecided"
        if not finding.met:
            return "not reproduced"
        return "reproduced after correction" if self.correction else "reproduced"


@dataclass(frozen=True)
class Judged:
    """A claim with its finding."""

    claim: Claim
    finding: Finding

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return self.claim.verdict(self.finding)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "claim": self.claim.statement,
            "verdict": self.verdict,
            "value": self.finding.value,
            "error": self.finding.error,
            "unit": self.finding.unit,
            "criterion": self.claim.criterion,
            "correction": self.claim.correction,
            "detail": self.finding.detail,
            "figures": list(self.claim.figures),
            "numbers": [figure.number for figure in named_figures(self.claim.figures)],
        }


def provisional(ledger: Sequence[Judged], runs: int) -> str:
    """One sentence where verdicts rest on few simulated polls; otherwise nothing."""
    figures = [figure for judged in ledger for figure in named_figures(judged.claim.figures)]
    if runs >= FEWEST or all(figure.kind == "theory" for figure in figures):
        return ""
    polls = counted(runs, "poll", ENGLISH)
    return f"With only {polls} a point the verdicts are provisional; {FEWEST} or more decide."

"""What is said of a mechanism: the proof of its privacy, and what a dishonest report can do."""

import decimal
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from hushvote import lottery, notebooks
from hushvote.errors import MechanismError, echo


@dataclass(frozen=True)
class Risks:
    """What one dishonest report among n can do."""

    max_magnitude: float
    """Largest |view|₁ of any report, over n."""
    expected_magnitude: float
    """Mean |view|₁ of an honest report, over n."""
    diameter: float
    """Largest |view - view'|₁ of two reports."""
    gap: float
    """Furthest that one report can move the difference of two candidates' total scores."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """A proof in exact arithmetic that no report is more than `odds` times likelier under one
    ranking than under another.
    """

    asked: Fraction
    odds: Fraction
    lines: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if not isinstance(self.odds, Fraction | int) or self.odds <= 1:
            raise MechanismError(
                f"the odds of a certificate are a fraction above 1, not {echo(self.odds)}",
                code="mechanism.member",
                given=self.odds,
            )
        if self.odds > lottery.exp_below(self.asked):
            raise MechanismError(
                f"the odds {float(self.odds)} exceed exp({float(self.asked):g}): "
                "these parameters do not keep the epsilon that they state",
                code="parameters.odds",
                odds=float(self.odds),
                epsilon=self.asked,
            )

    def __repr__(self) -> str:
        return f"<Certificate: epsilon {self.epsilon:.6f}, asked for {float(self.asked):g}>"

    def _repr_html_(self) -> str:
        rows = [
            *self.lines,
            ("so no report is likelier by more than the factor", f"{float(self.odds):.15f}"),
            ("whose logarithm is", f"{self.epsilon:.15f}"),
            ("and must not exceed the epsilon asked for", f"{float(self.asked):g}"),
        ]
        heads = [("step", notebooks.TEXT), ("value", notebooks.TEXT)]
        return notebooks.table("Certificate", heads, rows)

    @cached_property
    def epsilon(self) -> float:
        """ln(odds), never above the epsilon that was asked for."""
        with decimal.localcontext(prec=50):
            ratio = decimal.Decimal(self.odds.numerator) / decimal.Decimal(self.odds.denominator)
            return min(float(ratio.ln()), float(self.asked))

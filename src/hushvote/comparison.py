"""What a comparison of mechanisms says: one row a mechanism, best first."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from hushvote import notebooks
from hushvote.accounting import shuffled_epsilon
from hushvote.bounds import optimum
from hushvote.checking import BOUNDED
from hushvote.frames import frame_of
from hushvote.mechanisms import Mechanism, Risks
from hushvote.messages import ENGLISH, counted
from hushvote.planning import voters_needed
from hushvote.rules import Rule


@dataclass(frozen=True, repr=False)
class Choice:
    """One mechanism with what to expect of it among n voters, `turnout` of whom report honestly."""

    mechanism: Mechanism
    n: int
    error: float
    lead: float | None
    turnout: int
    delta: float

    @property
    def mse(self) -> float:
        """Expected squared distance of the estimated from the true mean scores."""
        return self.mechanism.mse(self.n)

    @property
    def tve(self) -> float:
        """Expected total variation error, the sum of all candidates' absolute errors.

        sqrt(2 d MSE / π), by the normal approximation.
        """
        return math.sqrt(2 * self.mechanism.d * self.mse / math.pi)

    @property
    def risks(self) -> Risks:
        """What one dishonest report can do."""
        return self.mechanism.risks(self.n)

    @property
    def local_epsilon(self) -> float:
        """What holds towards whoever sees a report come in, the operator included."""
        return self.mechanism.certificate().epsilon

    @cached_property
    def crowd_epsilon(self) -> float:
        """What holds towards whoever sees only the set of all reports, if at least `turnout` of
        them are honest; but for a chance of `delta`.
        """
        return shuffled_epsilon(self.mechanism, self.turnout, self.delta)

    @cached_property
    def voters(self) -> int:
        """Voters needed to certify a winner who is truly ahead by `lead`, with a power of 90 %; or,
        without a lead, for a standard error of `error` in each candidate's mean score.
        """
        if self.lead is not None:
            return voters_needed(self.mechanism, self.lead)
        return math.ceil(self.mechanism.mse() / self.mechanism.d / self.error**2)

    def __repr__(self) -> str:
        voters = counted(self.n, "voter", ENGLISH)
        return f"<Choice: {self.mechanism.title}, {voters}, MSE {self.mse:.3g}>"

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data; an unbounded risk is null."""
        risks = {name: x if math.isfinite(x) else None for name, x in vars(self.risks).items()}
        return {
            "mechanism": self.mechanism.name,
            "options": self.mechanism.options(),
            "mse": self.mse,
            "tve": self.tve,
            "risks": risks,
            "shift": self.mechanism.shift(),
            "voters": self.voters,
            "local_epsilon": self.local_epsilon,
            "crowd_epsilon": self.crowd_epsilon,
        }


@dataclass(frozen=True, repr=False)
class Design:
    """All mechanisms that fit, best first; `skipped` says why others do not."""

    rule: Rule
    epsilon: Fraction
    n: int
    error: float
    lead: float | None
    objective: str
    max_gap: float | None
    choices: tuple[Choice, ...]
    skipped: dict[str, str]
    crowd: float | None
    delta: float
    turnout: int

    @property
    def best(self) -> Mechanism:
        """The first choice."""
        return self.choices[0].mechanism

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    @cached_property
    def least_mse(self) -> float | None:
        """Below this MSE no unbiased mechanism can come; None for too many candidates."""
        if self.rule.d > BOUNDED:
            return None
        return optimum(self.rule, self.epsilon).bound / self.n

    def to_frame(self, library: str | None = None) -> Any:
        """A data frame with a row a mechanism, best first.

        It is one of pandas, or of Polars where pandas is not installed; `library` names either.
        """
        rows = [
            {
                "mechanism": choice.mechanism.label,
                "local_epsilon": choice.local_epsilon,
                "crowd_epsilon": choice.crowd_epsilon,
                "mse": choice.mse,
                "tve": choice.tve,
                **vars(choice.risks),
                "shift": choice.mechanism.shift(),
                "voters": choice.voters,
            }
            for choice in self
        ]
        return frame_of({name: [row[name] for row in rows] for name in rows[0]}, library)

    def __repr__(self) -> str:
        names = ", ".join(choice.mechanism.label for choice in self)
        return f"<Design: {self._title}; best first: {names}>"

    def _repr_html_(self) -> str:
        heads = ["mechanism", "local", "crowd", "MSE", "TVE", "shift", "voters"]
        rows = [
            [
                choice.mechanism.label,
                *(
                    f"{figure:.3g}"
                    for figure in (
                        choice.local_epsilon,
                        choice.crowd_epsilon,
                        choice.mse,
                        choice.tve,
                        choice.mechanism.shift(),
                    )
                ),
                f"{choice.voters:,}",
            ]
            for choice in self
        ]
        sides = [notebooks.TEXT] + [notebooks.FIGURE] * (len(heads) - 1)
        words = [f"{name} is left out: {reason}" for name, reason in self.skipped.items()]
        return notebooks.table(self._title, list(zip(heads, sides, strict=True)), rows, words)

    @property
    def _title(self) -> str:
        return f"{self.rule}, epsilon {float(self.epsilon):g}, {counted(self.n, 'voter', ENGLISH)}"

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "rule": self.rule.name,
            "candidates": self.rule.d,
            "epsilon": float(self.epsilon),
            "n": self.n,
            "error": self.error,
            "lead": self.lead,
            "objective": self.objective,
            "max_gap": self.max_gap,
            "least_mse": self.least_mse,
            "crowd": self.crowd,
            "delta": self.delta,
            "turnout": self.turnout,
            "mechanisms": [choice.to_dict() for choice in self.choices],
            "skipped": self.skipped,
        }

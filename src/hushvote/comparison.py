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
from hushvote.exact import fraction
from hushvote.frames import frame_of
from hushvote.mechanisms import Mechanism, Risks
from hushvote.messages import ENGLISH, counted
from hushvote.numerals import cautious, number
from hushvote.planning import voters_needed
from hushvote.rules import Rule

HEADS = ("mechanism", "local", "crowd", "MSE", "TVE", "MM", "EM", "DD", "GAP", "shift", "voters")


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


@dataclass(frozen=True, eq=False, repr=False)
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

    def to_frame(self, *, library: str | None = None) -> Any:
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
        return f"<Design: {self.title}; best first: {names}>"

    def rows(self) -> list[list[str]]:
        """The table as it is shown to people: a row a mechanism, its columns those of `HEADS`."""
        return [
            [
                choice.mechanism.label,
                cautious(choice.local_epsilon),
                cautious(choice.crowd_epsilon),
                number(choice.mse),
                number(choice.tve),
                number(choice.risks.max_magnitude),
                number(choice.risks.expected_magnitude),
                number(choice.risks.diameter),
                number(choice.risks.gap),
                number(choice.mechanism.shift()),
                f"{choice.voters:,}" if choice.voters < 10**7 else number(choice.voters),
            ]
            for choice in self
        ]

    def legend(self) -> list[str]:
        """What the columns mean, in sentences."""
        needed = f"for a standard error of {number(self.error)} points per candidate"
        if self.lead is not None:
            needed = f"to certify a lead of {number(self.lead)} points, in nine of ten polls"
        honest = "one of them is" if self.turnout == 1 else f"{self.turnout:,} of them are"
        return [
            "local, crowd: the epsilon towards whoever sees a report come in, the operator "
            "included; and towards whoever sees only the set of all reports, if at least "
            f"{honest} honest, but for a chance of {_chance(self.delta)}.",
            "MSE, TVE: expected squared and total absolute error of the mean scores.",
            "MM, EM: largest and mean size of one report in the result.",
            "DD: largest difference of two reports.",
            "GAP: furthest that one report moves two candidates' totals apart.",
            "shift: by a fake report; an average for challenge, where credentials are issued and "
            "cheats use all of theirs.",
            f"voters: needed {needed}.",
        ]

    def omissions(self) -> list[str]:
        """Which mechanisms are left out and why, in sentences."""
        return [f"{name} is left out: {reason}" for name, reason in self.skipped.items()]

    def _repr_html_(self) -> str:
        heads = [(head, notebooks.FIGURE) for head in HEADS]
        heads[0] = (HEADS[0], notebooks.TEXT)
        words = [*self.omissions(), *self.legend()]
        return notebooks.table(self.title, heads, self.rows(), words)

    @property
    def title(self) -> str:
        """What is compared, in words."""
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


def _chance(delta: float) -> str:
    """A small chance as one would say it, never below what it is."""
    return f"1 in {math.floor(1 / fraction(delta)):,}" if 1e-9 <= delta <= 0.01 else f"{delta:g}"

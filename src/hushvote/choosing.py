"""Compare all mechanisms for one poll, and name the best."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hushvote import exact
from hushvote.errors import MechanismError
from hushvote.mechanisms.contract import Mechanism, Risks, mechanism, mechanism_names
from hushvote.rules import Rule


@dataclass(frozen=True)
class Choice:
    """One mechanism with what to expect of it among n voters."""

    mechanism: Mechanism
    n: int
    error: float

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
    def voters(self) -> int:
        """Voters needed for a standard error of `error` in each candidate's mean score."""
        return math.ceil(self.mechanism.mse() / self.mechanism.d / self.error**2)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data; an unbounded risk is null."""
        risks = {name: x if math.isfinite(x) else None for name, x in vars(self.risks).items()}
        return {
            "mechanism": self.mechanism.name,
            "options": self.mechanism.options(),
            "mse": self.mse,
            "tve": self.tve,
            "risks": risks,
            "voters": self.voters,
        }


@dataclass(frozen=True)
class Design:
    """All mechanisms that fit a rule, least error first; `skipped` says why others do not."""

    rule: Rule
    epsilon: Fraction
    n: int
    error: float
    choices: tuple[Choice, ...]
    skipped: dict[str, str]

    @property
    def best(self) -> Mechanism:
        """The mechanism of least error."""
        return self.choices[0].mechanism

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "rule": self.rule.name,
            "candidates": self.rule.d,
            "epsilon": float(self.epsilon),
            "n": self.n,
            "error": self.error,
            "mechanisms": [choice.to_dict() for choice in self.choices],
            "skipped": self.skipped,
        }


def design(
    rule: Rule, epsilon: object = 1.0, n: int = 10_000, error: float | None = None
) -> Design:
    """Compare all mechanisms for a rule: error, risks, and the voters needed for `error`.

    `error` is the wanted standard error of a candidate's mean score, by default one fiftieth of
    the distance between first and last place.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise MechanismError(f"the number of voters must be a whole number above 0, not {n}")
    if error is None:
        error = float(rule.scores[0] - rule.scores[-1]) / 50
    if not (math.isfinite(error) and error > 0):
        raise MechanismError(f"the wanted error must be a number above 0, not {error}")
    choices, skipped = [], {}
    for name in mechanism_names():
        try:
            choices.append(Choice(mechanism(name, rule, epsilon), n, error))
        except MechanismError as reason:
            skipped[name] = str(reason)
    if not choices:
        raise MechanismError(next(iter(skipped.values())))
    choices.sort(key=lambda choice: choice.mse)
    return Design(rule, exact.fraction(epsilon), n, error, tuple(choices), skipped)

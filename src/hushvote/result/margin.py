"""What dishonest reports could have done to a result, and how many of them it withstands.

Of n reports let a share η be dishonest, each moving the gap of two candidates' totals by `shift`
on average, with variance `variance`. The gap among honest voters is then above 0, at the
confidence asked for, if gap - η shift > reach √(error² + η variance / n).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushvote.errors import TallyError
from hushvote.exact import is_number
from hushvote.mechanisms.contract import Floats, Mechanism

HALVINGS = 50  # steps of the search for the largest share


@dataclass(frozen=True)
class Ploy:
    """A way to be dishonest: its name, and what one report does to a gap that it aims at."""

    name: str
    meaning: str
    shift: float
    variance: float


def ploys(mechanism: Mechanism) -> tuple[Ploy, ...]:
    """What dishonest voters can do: made-up reports, extreme votes, or random ones."""
    span = float(mechanism.rule.scores[0] - mechanism.rule.scores[-1])
    noise = mechanism.gap_variance()
    bounded = math.isfinite(mechanism.risks().gap)
    return (
        Ploy(
            "disguise",
            "made up to do the most harm"
            + ("" if bounded else " while looking like most honest ones"),
            float(mechanism.shift()),
            float(mechanism.shift_variance()),
        ),
        Ploy("stuffing", "extra votes with the winner first and the rival last", span, noise),
        Ploy("amplification", "extra votes at random", 0.0, noise),
    )


@dataclass(frozen=True)
class Threat:
    """What one ploy could have done to a result."""

    ploy: Ploy
    moved: float
    """How far the share could have moved each gap, in points of the mean scores."""
    stands: bool
    """Whether the winner is ahead all the same."""
    holds: tuple[int, ...]
    """The candidates that stay behind the winner all the same."""
    breakdown: float
    """The largest share of such reports under which the winner stands."""


@dataclass(frozen=True)
class Margin:
    """How a result stands up to a share of dishonest reports, under each attack."""

    fraction: float
    level: float
    winner: int
    threats: tuple[Threat, ...]

    @property
    def stands(self) -> bool:
        """Whether the winner stands under every attack."""
        return all(threat.stands for threat in self.threats)

    @property
    def breakdown(self) -> float:
        """The largest share under which the winner stands, whatever the attack."""
        return min(threat.breakdown for threat in self.threats)

    def __getitem__(self, name: str) -> Threat:
        """The threat of that name, as in `margin["disguise"]`."""
        for threat in self.threats:
            if threat.ploy.name == name:
                return threat
        known = ", ".join(threat.ploy.name for threat in self.threats)
        raise TallyError(f"there is no attack {name!r}; choose one of {known}")

    def to_dict(self, names: Sequence[str] | None = None) -> dict[str, Any]:
        """The margin as plain data, with the candidates' names or their numbers."""
        return {
            "fraction": self.fraction,
            "stands": self.stands,
            "breakdown": self.breakdown,
            "attacks": [
                {
                    "attack": threat.ploy.name,
                    "meaning": threat.ploy.meaning,
                    "shift": threat.ploy.shift,
                    "moved": threat.moved,
                    "stands": threat.stands,
                    "holds": [names[j] if names else j for j in threat.holds],
                    "breakdown": threat.breakdown,
                }
                for threat in self.threats
            ],
        }


def margin(
    mechanism: Mechanism,
    n: int,
    gaps: Floats,
    errors: Floats,
    reach: float,
    *,
    winner: int,
    fraction: float,
    level: float,
) -> Margin:
    """Judge the winner's gaps over all candidates (its own entry is ignored)."""
    if not is_number(fraction) or not 0 <= fraction <= 1:
        said = f"the share of dishonest reports must lie between 0 and 1, not {fraction!r}"
        raise TallyError(said)
    rivals = [j for j in range(len(gaps)) if j != winner]
    threats = []
    for ploy in ploys(mechanism):
        shares = [_withstood(ploy, n, gaps[j], errors[j], reach) for j in rivals]
        pairs = zip(rivals, shares, strict=True)
        holds = tuple(j for j, share in pairs if share is not None and share >= fraction)
        least = min(0.0 if share is None else share for share in shares)
        moved = fraction * ploy.shift + reach * math.sqrt(fraction * ploy.variance / n)
        threats.append(Threat(ploy, moved, len(holds) == len(rivals), holds, least))
    return Margin(fraction, level, winner, tuple(threats))


def _withstood(ploy: Ploy, n: int, gap: float, error: float, reach: float) -> float | None:
    """The largest share under which the gap stays above 0; None if it is not even with none."""

    def ahead(share: float) -> bool:
        spread = np.hypot(error, math.sqrt(share * ploy.variance / n))
        return bool(gap - share * ploy.shift > reach * spread)

    if not ahead(0.0):
        return None
    if ahead(1.0):
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if ahead(middle) else (low, middle)
    return low

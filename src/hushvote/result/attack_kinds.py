"""Ways to be dishonest, and how far a share of all reports or credentials moves a gap by them.

Where a credential fixes its question, let Y ≥ 0 be what it adds to the gap that cheats aim at
(`Mechanism.dishonest_gains`). They know the questions of K credentials, and use m of them. For
every threshold q these m add at most m q + Σ (Y - q)⁺ over all K, a sum of independent terms;
that is at most, with confidence,

    m q + K E(Y-q)⁺ + critical √(K Var (Y-q)⁺) + (reach² - 1) skew/6,

the last term (Cornish and Fisher 1938) because few cheats make a lopsided sum; without it the
bound is broken too often. The best q is taken by these public figures alone, before the reports.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hushvote.mechanisms.contract import Mechanism
from hushvote.mechanisms.gains import Gain, Gains
from hushvote.messages import say


@dataclass(frozen=True)
class AttackKind:
    """A way to be dishonest: its name, and what one report does to a gap that it aims at."""

    case: str
    """The name, and what sets it apart from others of that name."""
    shift: float
    variance: float
    of: str = "reports"
    """What the share is a share of: the reports, or the issued credentials."""
    drawn: bool = False
    """Whether honest devices drew the reports, so that made-up ones would do no less harm."""

    @property
    def name(self) -> str:
        """One word."""
        return self.case.partition("-")[0]

    @property
    def meaning(self) -> str:
        """What such reports or credentials are."""
        return say(f"attack.{self.case}")

    def effect(self, share: float, n: int, critical: float) -> tuple[float, float]:
        """What a share does to the mean gap of n reports: how far it moves it, and the standard
        deviation of that.
        """
        return share * self.shift, math.sqrt(share * self.variance / n)

    def joint_error(self, error: float, spread: float) -> float:
        """The standard error of the honest reports, and that of the effect, as one."""
        return math.hypot(error, spread)


@dataclass(frozen=True, kw_only=True)
class ChosenCredentials(AttackKind):
    """Cheats use some of the credentials that they know, and leave out those of no use."""

    gain: Gain
    used: Callable[[float], float]
    """Reports of cheats, at a share."""
    known: Callable[[float], float]
    """Credentials that they choose from, at a share."""
    independent: bool = True
    """Whether honest voters have no part in that choice."""

    def effect(self, share: float, n: int, critical: float) -> tuple[float, float]:
        """By the best threshold; see above."""
        excess, known = self.gain.excess_moments, self.known(share)
        shifts = self.used(share) * excess.thresholds + known * excess.means
        shifts = shifts + np.maximum(0, (critical**2 - 1) / 6 * excess.skews)
        spreads = np.sqrt(known * excess.variances)
        best = int(np.argmin(shifts + critical * spreads))
        return float(shifts[best]) / n, float(spreads[best]) / n

    def joint_error(self, error: float, spread: float) -> float:
        """As ever; but if cheats look at the questions of honest voters as well, both may err the
        same way.
        """
        return super().joint_error(error, spread) if self.independent else error + spread


def attack_kinds(mechanism: Mechanism, n: int, issued: int | None = None) -> tuple[AttackKind, ...]:
    """What dishonest voters can do to n reports: made-up reports, extreme votes, random ones; and
    what the holders of dishonest credentials can, where that is more or `issued` is known.
    """
    gains = mechanism.dishonest_gains()
    span = float(mechanism.rule.scores[0] - mechanism.rule.scores[-1])
    noise = mechanism.gap_variance()
    return (
        _disguise(mechanism, gains, n, issued),
        AttackKind("stuffing", span, noise, drawn=True),
        AttackKind("amplification", 0.0, noise, drawn=True),
        *_corrupted(gains, n, issued),
    )


def _disguise(mechanism: Mechanism, gains: Gains, n: int, issued: int | None) -> AttackKind:
    """A share of the reports: all credentials that honest voters did not use may be the cheats'."""
    bounded = math.isfinite(mechanism.risks().gap)
    case, gain = "disguise" if bounded else "disguise-unbounded", gains.made_up
    if not gains.bound or issued is None:
        return AttackKind(case, gain.most, 0.0)
    return ChosenCredentials(
        case,
        gain.mean,
        gain.variance,
        gain=gain,
        used=lambda share: share * n,
        known=lambda share: issued - (1 - share) * n,
    )


def _corrupted(gains: Gains, n: int, issued: int | None) -> tuple[AttackKind, ...]:
    """Honest voters who were turned: the cheats choose whom, or take whom they get."""
    gain = gains.turned
    if issued is None:
        return (AttackKind("corruption", gain.most, 0.0),) if gains.bound else ()

    def used(share: float) -> float:
        return min(share * issued, float(n))

    corruption = ChosenCredentials(
        "corruption",
        gain.mean,
        gain.variance,
        "credentials",
        gain=gain,
        used=used,
        known=lambda share: float(issued),
        independent=not gains.bound,
    )
    if not gains.bound:
        return (corruption,)
    gain = gains.made_up
    theft = ChosenCredentials(
        "theft",
        gain.mean,
        gain.variance,
        "credentials",
        gain=gain,
        used=used,
        known=used,
    )
    return corruption, theft

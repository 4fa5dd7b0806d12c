"""What dishonest reports could have done to a result, and how many of them it withstands.

Let a share of dishonest reports or credentials move the gap of two candidates by `shift`, with a
standard deviation of `spread` (`AttackKind.effect`). The gap among honest voters is then above 0,
at the confidence asked for, if gap - shift > critical √(error² + spread²), error being that of the
gap itself, or the largest that it may be where made-up reports can make it look smaller. Where
cheats chose whom to corrupt by the questions of honest voters, both errors may go the same way, and
gap - shift > critical (error + spread) is asked for; the gap is then that of all voters, with those
who were corrupted voting as they had wished.
"""

import bisect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hushvote import exact
from hushvote.errors import TallyError
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.messages import ENGLISH, counted, say
from hushvote.result.attack_kinds import AttackKind, attack_kinds
from hushvote.tally import MOST_VOTERS

ROUNDING = 1e-6  # reports by which a share such as 0.07 of 100 may be off as a float


@dataclass(frozen=True)
class AttackEffect:
    """What one kind of attack could have done to a result."""

    kind: AttackKind
    moved: float
    """How far the share could have moved each gap, in points of the mean scores."""
    stands: bool
    """Whether the leader is ahead all the same."""
    holds: tuple[int, ...]
    """The candidates that stay behind the leader all the same."""
    whole: int
    """How many reports, or credentials, there are."""
    asked: int
    """How many of them the share stands for, rounded up."""
    most: int
    """How many of them, at most, under which the leader stands."""

    @property
    def breakdown(self) -> float:
        """The largest share of such reports, or credentials, under which the leader stands."""
        return self.most / self.whole


@dataclass(frozen=True, repr=False)
class Margin:
    """How a result stands up to a share of dishonest reports, under each attack."""

    fraction: float
    level: float
    leader: int
    attacks: tuple[AttackEffect, ...]
    issued: int | None = None
    """How many credentials were issued, where that is known."""
    caveat: str = ""
    """What is to be said of the protection against fakes, if anything."""

    @property
    def stands(self) -> bool:
        """Whether the leader stands under every attack."""
        return all(effect.stands for effect in self.attacks)

    @property
    def breakdown(self) -> float:
        """The largest share, of reports and of credentials, under which the leader stands,
        whatever the attack.
        """
        return min(effect.breakdown for effect in self.attacks)

    def __repr__(self) -> str:
        stands = "stands" if self.stands else "may fall"
        most = math.floor(self.breakdown * 10**4) / 10**4
        return (
            f"<Margin under {len(self.attacks)} attacks: the leader {stands} at a share of "
            f"{self.fraction:g}, and stands up to {most:g}>"
        )

    def __getitem__(self, name: str) -> AttackEffect:
        """The effect of that name, as in `margin["disguise"]`."""
        for effect in self.attacks:
            if effect.kind.name == name:
                return effect
        known = ", ".join(effect.kind.name for effect in self.attacks)
        raise TallyError(
            f"there is no attack {name!r}; choose one of {known}", code="attack.unknown", name=name
        )

    def to_dict(self, names: Sequence[str] | None = None) -> dict[str, Any]:
        """The margin as plain data, with the candidates' names or their numbers."""
        return {
            "fraction": self.fraction,
            "stands": self.stands,
            "breakdown": self.breakdown,
            "issued": self.issued,
            "attacks": [
                {
                    "attack": effect.kind.name,
                    "meaning": effect.kind.meaning,
                    "of": effect.kind.of,
                    "shift": effect.kind.shift,
                    "moved": effect.moved,
                    "stands": effect.stands,
                    "holds": [names[j] if names else j for j in effect.holds],
                    "most": effect.most,
                    "breakdown": effect.breakdown,
                }
                for effect in self.attacks
            ],
        }


def margin(
    mechanism: Mechanism,
    n: int,
    gaps: Floats,
    errors: Callable[[float], Floats],
    critical: float,
    *,
    leader: int,
    fraction: float,
    level: float,
    issued: int | None = None,
) -> Margin:
    """Judge the leader's gaps over all candidates (its own entry is ignored). `errors` are those of
    the gaps, if a share of the reports may have made them look smaller.
    """
    if not exact.is_number(fraction) or not 0 <= fraction <= 1:
        said = f"the share of dishonest reports must lie between 0 and 1, not {fraction!r}"
        raise TallyError(said, code="margin.share", given=fraction)
    issued = check_issued(issued, n)
    rivals = [j for j in range(len(gaps)) if j != leader]
    attacks: list[AttackEffect] = []
    bounded, worst = math.isfinite(mechanism.risks().gap), dict.fromkeys(rivals, -1)
    for kind in attack_kinds(mechanism, n, issued):
        whole = n if kind.of == "reports" or issued is None else issued
        asked = math.ceil(fraction * whole - ROUNDING)
        withstood = {j: _withstood(kind, n, whole, gaps, errors, critical, j) for j in rivals}
        if bounded and not attacks:  # made up to do the most harm
            worst = withstood
        elif bounded and kind.drawn:
            withstood = {j: max(most, worst[j]) for j, most in withstood.items()}
        holds = tuple(j for j, most in withstood.items() if asked <= most)
        most = max(0, min(withstood.values()))
        shift, spread = kind.effect(asked / whole, n, critical)
        moved = shift + critical * spread
        if bounded and kind.drawn:
            moved = min(moved, attacks[0].moved)
        stands = len(holds) == len(rivals)
        attacks.append(AttackEffect(kind, moved, stands, holds, whole, asked, most))
    caveat = _caveat(mechanism, issued)
    return Margin(fraction, level, leader, tuple(attacks), issued, caveat)


def check_issued(issued: object, n: int) -> int | None:
    """The number of issued credentials, if it is known; one that n reports cannot have come from is
    refused.
    """
    if issued is None:
        return None
    if (number := exact.whole(issued, 1, MOST_VOTERS)) is None:
        raise TallyError(
            "the number of issued credentials must be a whole number from 1 to "
            f"{MOST_VOTERS:,}, not {issued!r}",
            code="margin.issued",
            given=issued,
            most=MOST_VOTERS,
        )
    if n > number:
        raise TallyError(
            f"{counted(n, 'report', ENGLISH)} cannot come from "
            f"{counted(number, 'issued credential', ENGLISH)}: each allows one report",
            code="margin.issued",
            given=number,
            n=n,
        )
    return number


def _caveat(mechanism: Mechanism, issued: int | None) -> str:
    """What protection is missing, or could be had by saying how many credentials were issued."""
    gains = mechanism.dishonest_gains()
    if gains.caveat or not gains.bound or issued is not None:
        return gains.caveat
    return say("caveat.not_issued")


def _withstood(
    kind: AttackKind,
    n: int,
    whole: int,
    gaps: Floats,
    errors: Callable[[float], Floats],
    critical: float,
    rival: int,
) -> int:
    """How many of the whole, at most, leave the gap above 0; -1 if it is not even with none."""

    def lost(cheats: int) -> bool:
        shift, spread = kind.effect(cheats / whole, n, critical)
        error = float(errors(0.0 if kind.drawn else min(1.0, cheats / n))[rival])
        return bool(gaps[rival] - shift <= critical * kind.joint_error(error, spread))

    return bisect.bisect_left(range(whole + 1), True, key=lost) - 1

"""Proofs of privacy: each mechanism's own certificate, and brute force over everything.

A certificate holds for any number of candidates, by exact arithmetic on the mechanism's
integers. Where d is small every ranking and every report can be listed as well, and the largest
ratio of probabilities found that way must not exceed what the certificate says.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

from hushvote.errors import MechanismError
from hushvote.mechanisms.contract import Certificate, Mechanism

BRUTE_FORCE_CANDIDATES = 5


@dataclass(frozen=True)
class Enumeration:
    """What listing all rankings and reports showed."""

    rankings: int
    reports: int
    largest_ratio: Fraction


@dataclass(frozen=True)
class Proof:
    """A certificate, and the enumeration that confirms it where d is small."""

    mechanism: Mechanism
    certificate: Certificate
    enumeration: Enumeration | None

    @property
    def holds(self) -> bool:
        """Whether the enumeration found nothing above the certificate's odds."""
        return self.enumeration is None or self.enumeration.largest_ratio <= self.certificate.odds


def certify(mechanism: Mechanism) -> Proof:
    """Prove the privacy bound, by brute force too where the mechanism can be listed."""
    listing = enumerated(mechanism) if mechanism.d <= BRUTE_FORCE_CANDIDATES else None
    proof = Proof(mechanism, mechanism.certificate(), listing)
    if not proof.holds:
        raise MechanismError(
            f"{mechanism!r} breaks its promise: listing all rankings gives the ratio "
            f"{float(proof.enumeration.largest_ratio)}, "  # type: ignore[union-attr]
            f"but its certificate says {float(proof.certificate.odds)}"
        )
    return proof


def enumerated(mechanism: Mechanism) -> Enumeration | None:
    """List every ranking and report; None for a mechanism with too many reports to list."""
    least: dict[bytes, Fraction] = {}
    most: dict[bytes, Fraction] = {}
    for ranking in itertools.permutations(range(mechanism.d)):
        try:
            law = list(mechanism.outcomes(ranking))
        except MechanismError:
            return None
        if sum(p for _, p in law) != 1:
            raise MechanismError(f"the probabilities of {mechanism!r} do not add up to 1")
        for report, p in law:
            key = report.tobytes()
            least[key] = min(least.get(key, p), p)
            most[key] = max(most.get(key, p), p)
    return Enumeration(
        math.factorial(mechanism.d), len(most), max(most[key] / least[key] for key in most)
    )

"""What dishonest credentials gain: how much one adds to the gap that its holder aims at."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ExcessMoments:
    """By how much a gain exceeds each of some thresholds: moments, an entry for each threshold."""

    thresholds: Floats
    means: Floats
    variances: Floats
    skews: Floats
    """Third central moment over the variance, or 0: what bends the tail of a sum."""


@dataclass(frozen=True)
class Gain:
    """What one credential adds to a gap: sizes of 0 or more, with their chances; else nothing."""

    sizes: tuple[float, ...]
    chances: tuple[float, ...]

    @classmethod
    def surely(cls, size: float) -> "Gain":
        """The same for every credential."""
        return cls((float(size),), (1.0,))

    @property
    def most(self) -> float:
        """The largest size."""
        return max(self.sizes)

    @property
    def mean(self) -> float:
        """The mean size."""
        return float(self.excess_moments.means[0])

    @property
    def variance(self) -> float:
        """The variance of the size."""
        return float(self.excess_moments.variances[0])

    @cached_property
    def excess_moments(self) -> ExcessMoments:
        """The moments of what is above 0, and above each of the sizes."""
        sizes, chances = np.array([0.0, *self.sizes]), np.array([0.0, *self.chances])
        chances[0] = max(0.0, 1 - chances.sum())
        thresholds = np.unique(sizes)
        above = np.maximum(sizes - thresholds[:, None], 0)
        means = above @ chances
        away = above - means[:, None]
        variances, thirds = away**2 @ chances, away**3 @ chances
        even = variances <= 1e-12 * sizes.max() ** 2  # nothing but rounding
        return ExcessMoments(
            thresholds, means, variances, np.where(even, 0, thirds / (variances + even))
        )


@dataclass(frozen=True)
class Gains:
    """What cheats gain by a credential, and whether they can choose its question."""

    made_up: Gain
    """By a made-up report, from a credential that no honest voter would have used."""
    turned: Gain
    """By a made-up report in the place of the one that an honest voter would have sent."""
    bound: bool = False
    """Whether the credential fixes the question, so that only the answer can be made up."""
    caveat: str = ""
    """A sentence on protection that one may expect of this mechanism, but that is not there."""

    @classmethod
    def free(cls, gap: float, caveat: str = "") -> "Gains":
        """The attacker chooses the report, whatever the credential."""
        return cls(Gain.surely(gap), Gain.surely(gap), caveat=caveat)

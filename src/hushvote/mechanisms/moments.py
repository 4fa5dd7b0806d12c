"""What a tally says of the views, and what the law says of the views of two candidates."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over n reports, a row for each of their variants (types, classes or answers)."""

    numbers: Floats
    """How many reports there are of each variant."""
    sums: Floats
    """The sum of their views: (variants, d)."""
    products: Floats | None = None
    """The sum of the outer products of their views: (variants, d, d). None where that is not
    counted, which only a mechanism with `fixed_noise` may do without."""

    @classmethod
    def of(cls, n: int, mean: ArrayLike, second: ArrayLike | None = None) -> "Moments":
        """Of reports without variants: the mean view, and the mean outer product of the views."""
        products = None if second is None else n * np.asarray(second, dtype=np.float64)[None]
        return cls(np.array([float(n)]), n * np.asarray(mean, dtype=np.float64)[None], products)

    @property
    def n(self) -> float:
        """How many reports there are."""
        return float(self.numbers.sum())

    @property
    def mean(self) -> Floats:
        """The mean view, which estimates the mean scores."""
        return np.asarray(self.sums.sum(axis=0) / self.n)

    @property
    def second(self) -> Floats | None:
        """The mean outer product of the views."""
        return None if self.products is None else np.asarray(self.products.sum(axis=0) / self.n)

    def less(self, score: Floats | float) -> "Moments":
        """The same of the views less a score, or a score for each variant."""
        score, numbers = np.broadcast_to(score, self.numbers.shape)[:, None], self.numbers[:, None]
        sums = self.sums - score * numbers
        if self.products is None:
            return Moments(self.numbers, sums)
        both, score = self.sums[:, :, None] + self.sums[:, None, :], score[:, :, None]
        products = self.products - score * both + score**2 * numbers[:, :, None]
        return Moments(self.numbers, sums, products)


@dataclass(frozen=True, eq=False)
class FixedNoise:
    """Noise that is the same whatever the vote is."""

    covariance: Floats
    """Of a view around the vote, or more."""
    jump: float = 0.0
    """A variance that is made of rare jumps of this size has the same fourth cumulant."""


@dataclass(frozen=True, eq=False)
class PairLaw:
    """What one report says of two candidates: its variant and their two views, as outcomes; and
    how likely each outcome is for candidates at any two ranks.
    """

    variants: NDArray[np.intp]
    one: Floats
    other: Floats
    chances: Floats
    """(d, d, outcomes): of candidates at ranks a and b; where a = b it means nothing."""

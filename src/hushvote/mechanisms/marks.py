"""The law of noisy marks in closed form: what sampling's reports say, without listing them.

A rank of class c is drawn with its share; the candidate there is then marked with chance s/(s+1),
every other one with 1/(s+1).
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms.blanket import Blanket, sums_of_sets
from hushvote.mechanisms.moments import PairLaw
from hushvote.mechanisms.signals import PairRange

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MarkLaw:
    """How often each rank is drawn, class by class, and the odds of a true mark."""

    exact_shares: tuple[tuple[Fraction, ...], ...]
    s: float

    @property
    def d(self) -> int:
        """How many candidates may be marked."""
        return len(self.exact_shares[0])

    @cached_property
    def shares(self) -> Floats:
        """One row a class, one column a rank."""
        return np.array([[float(share) for share in row] for row in self.exact_shares])

    @cached_property
    def whole(self) -> Floats:
        """How often each class is drawn."""
        return np.asarray(self.shares.sum(axis=1))

    def single(self) -> Floats:
        """For each class and rank, the chance that the candidate there is marked."""
        return np.asarray((self.whole[:, None] + (self.s - 1) * self.shares) / (self.s + 1))

    def pair_law(self, marked: Floats, unmarked: Floats) -> PairLaw:
        """In each class, both marked, one or the other, or neither; with the views of a marked and
        of an unmarked candidate.
        """
        s, outcomes, chances = self.s, [], []
        for c, share in enumerate(self.shares):
            rest = share.sum() - share[:, None] - share[None, :]
            for one, other in itertools.product((1, 0), repeat=2):
                # chances of these marks, if the candidate's own rank was drawn and if not
                (x, not_x), (y, not_y) = (
                    (s / (s + 1), 1 / (s + 1)) if mark else (1 / (s + 1), s / (s + 1))
                    for mark in (one, other)
                )
                drawn = share[:, None] * x * not_y + share[None, :] * not_x * y
                chances.append(rest * not_x * not_y + drawn)
                views = (marked[c] if mark else unmarked[c] for mark in (one, other))
                outcomes.append((c, *views))
        variants, first, second = np.array(outcomes).T
        return PairLaw(variants.astype(np.intp), first, second, np.stack(chances, axis=2))

    def blanket(self) -> Blanket:
        """An orbit is a class and a number of marks m. Its reports have the weight W + (s² - 1) M,
        where W is the mass of the class and M that of its ranks among m uniform ones.
        """
        s, d, parts = self.s, self.d, []
        chance = [math.comb(d, m) * s ** (d - m - 1) / (s + 1) ** d for m in range(d + 1)]
        for row, rising in zip(self.exact_shares, self._sums, strict=True):
            sums, shares = sums_of_sets(row)
            weights = rising[-1] + (s * s - 1) * sums
            for m, share in enumerate(shares):
                found = share > 0
                orbit = chance[m] * float(share @ weights)
                least = rising[-1] + (s * s - 1) * rising[m]
                parts.append(Blanket.paired(orbit, weights[found], share[found], least))
        return Blanket.joined(parts)

    @cached_property
    def _sums(self) -> Floats:
        """For each class, the sums of its 0, 1, ..., d smallest shares."""
        rising = np.cumsum(np.sort(self.shares, axis=1), axis=1)
        return np.concatenate([np.zeros((len(rising), 1)), rising], axis=1)

    def pairings(self) -> list[PairRange]:
        """Both marked: (whole + (s-1)(m_i + m_j)) / (s+1)², for the shares of their ranks."""
        ranges = []
        for share in np.sort(self.shares, axis=1):
            low, high = (
                float((share.sum() + (self.s - 1) * pair.sum()) / (self.s + 1) ** 2)
                for pair in (share[:2], share[-2:])
            )
            ranges.append(PairRange((1,), low, high, high))
        return ranges

    def extremes(self) -> tuple[Floats, Floats]:
        """For each class and number of marks, the least and the largest chance of one report, over
        all rankings: the drawn candidate is marked with the least or the largest mass.
        """
        s, m = self.s, np.arange(self.d + 1)
        scale = s ** (self.d - m - 1) / (s + 1) ** self.d
        whole, few = self.whole[:, None], self._sums
        many = whole - few[:, ::-1]
        least, most = (scale * (whole + (s * s - 1) * mass) for mass in (few, many))
        return least, most

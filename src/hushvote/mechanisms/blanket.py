"""The blanket of a mechanism: what its reports have in common whatever the vote is.

Any voter may have sent any report, so with the least of its chances over all votes it says nothing
about the vote (Balle, Bell, Gascón, Nissim, CRYPTO 2019). Among such reports of all others, one
voter's report hides: `hushvote.accounting`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FINEST = 1 << 11  # places on which the sums of a set's weights are kept apart
MOST_CLASSES, NODES = 1 << 14, 128  # beyond so many, likelihoods are kept on so many nodes


@dataclass(frozen=True, eq=False)
class Blanket:
    """Reports by classes: how often a voter sends one of the class whatever the vote is, and how
    many times likelier one vote and another make it.

    Whoever replaces values of `one` and `other` by others around them, with the same mean, only
    raises what follows from it: it is a convex function of one - c other.
    """

    masses: Floats
    one: Floats
    other: Floats

    @classmethod
    def of_odds(cls, odds: Fraction) -> "Blanket":
        """For every mechanism with these odds E: the classes (E, 1) and (1, E), of mass 1/(E + 1).

        Both likelihoods lie between 1 and E and have mean 1 with respect to the masses. The
        values of one - c other, and 0 off the blanket, are never more spread out than in these.
        """
        E = math.nextafter(float(odds), math.inf)
        return cls(np.full(2, 1 / (E + 1)), np.array([E, 1.0]), np.array([1.0, E]))

    @classmethod
    def paired(cls, chance: float, weights: Floats, shares: Floats, least: float) -> "Blanket":
        """From one orbit, reports which renaming candidates turns into one another: how often it is
        sent at all, the different weights in it (rising), their shares, and the least weight.

        Every vote makes the same weights, so the least chance of a report is the least in its
        orbit; and no two votes are further apart than if the one's likeliest report were the
        other's least likely: one - c other is then most spread out.
        """
        shares = shares / shares.sum()
        up, down = np.cumsum(shares), np.cumsum(shares[::-1])  # both exact for small chances
        cuts = np.unique(np.concatenate([[0.0], up[up < 0.5], down[down < 0.5], [0.5]]))
        widths, middles = np.diff(cuts), (cuts[:-1] + cuts[1:]) / 2
        low = weights[np.searchsorted(up, middles)] / least
        high = weights[::-1][np.searchsorted(down, middles)] / least
        masses = widths * chance / float(widths @ (low + high))
        one, other = np.concatenate([high, low]), np.concatenate([low, high])
        return cls(np.concatenate([masses, masses]), one, other)

    @classmethod
    def joined(cls, parts: Iterable["Blanket"]) -> "Blanket":
        """Several orbits together, in fewer classes if there are many."""
        columns = zip(*((part.masses, part.one, part.other) for part in parts), strict=True)
        whole = cls(*(np.concatenate(column) for column in columns))
        return whole if len(whole.masses) <= MOST_CLASSES else whole._gathered()

    def _gathered(self) -> "Blanket":
        """Both likelihoods split between neighbours on a grid, so that their means stay."""
        ends = min(self.one.min(), self.other.min()), max(self.one.max(), self.other.max())
        nodes = np.geomspace(*ends, NODES)
        nodes[0], nodes[-1] = ends
        masses = np.zeros(NODES * NODES)
        (i, p), (j, q) = (_between(nodes, values) for values in (self.one, self.other))
        for right, share in ((0, 1 - p), (1, p)):
            for above, part in ((0, 1 - q), (1, q)):
                index = (i + right) * NODES + j + above
                masses += np.bincount(index, self.masses * share * part, minlength=len(masses))
        found = np.flatnonzero(masses)
        return Blanket(masses[found], nodes[found // NODES], nodes[found % NODES])


def _between(nodes: Floats, values: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The node below each value, and how far it is on the way to the next."""
    below = np.clip(np.searchsorted(nodes, values, side="right") - 1, 0, len(nodes) - 2)
    return below, (values - nodes[below]) / (nodes[below + 1] - nodes[below])


def sums_of_sets(weights: Sequence[Fraction]) -> tuple[Floats, Floats]:
    """The sums that uniform sets of ranks have: their values, and a row for each size of the set
    with their shares. Weights are at least 0.

    Exact where all sums are multiples of one number, few enough; else on a grid, where each weight
    is split between its two neighbours so that its mean stays.
    """
    scale = math.lcm(*(w.denominator for w in weights))
    whole = [int(w * scale) for w in weights]
    unit = max(Fraction(math.gcd(*whole), scale), sum(weights) / FINEST)
    places = [w / unit for w in weights]
    size = sum(math.ceil(place) for place in places) + 1
    shares = np.zeros((len(weights) + 1, size))
    shares[0, 0] = 1.0
    for seen, place in enumerate(places):  # a set of m of them has the new one with chance m/seen
        below, up = math.floor(place), float(place - math.floor(place))
        with_it = np.zeros_like(shares)
        with_it[1:, below:] = (1 - up) * shares[:-1, : size - below]
        if up:
            with_it[1:, below + 1 :] += up * shares[:-1, : size - below - 1]
        chance = np.arange(len(weights) + 1)[:, None] / (seen + 1)
        shares = np.maximum(0, 1 - chance) * shares + np.minimum(1, chance) * with_it
    return np.arange(size, dtype=np.float64) * float(unit), shares

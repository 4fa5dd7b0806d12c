"""How likely sums of independent reports are to go so far: bounds that hold for any n."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushvote.mechanisms.contract import Floats

TINY = 1e-100


def bennett(excess: Floats, n: int, variance: Floats, most: Floats) -> Floats:
    """log P(Σ (X - E X) >= excess) at most, for X - E X <= most and Var X <= variance."""
    variance, most = np.maximum(variance, TINY), np.maximum(most, TINY)
    u = np.maximum(excess, 0) * most / (n * variance)
    rate = np.where(u < 1e-4, u * u / 2 * (1 - u / 3), (1 + u) * np.log1p(u) - u)
    return np.asarray(-n * variance / most**2 * rate)


def binomial(ones: ArrayLike, n: int, low: ArrayLike, high: ArrayLike) -> Floats:
    """log of a two-sided p-value at most, for the number of ones among n independent 0s and 1s
    whose chances lie between `low` and `high`.
    """
    from scipy.stats import binom  # heavy, and only an inspection needs it

    above, below = binom.logsf(np.asarray(ones) - 1, n, high), binom.logcdf(ones, n, low)
    return np.asarray(np.minimum(above, below) + math.log(2))


@dataclass(frozen=True, eq=False)
class Bounds:
    """Of several statistics of one honest report: their means over all rankings lie between `low`
    and `high`; their values and variances.
    """

    low: Floats
    high: Floats
    least: Floats
    most: Floats
    variance: Floats
    binary: NDArray[np.bool_]
    """Whether there are only two values, one of them 0."""

    def repeated(self, copies: int) -> "Bounds":
        """The same for several statistics each."""
        return Bounds(*(np.repeat(column, copies) for column in vars(self).values()))

    @property
    def varies(self) -> NDArray[np.bool_]:
        """Whether there is anything to test."""
        return np.asarray(self.least < self.most)

    def p_values(self, sums: NDArray[np.int64], n: int) -> Floats:
        """log p-values for sums that are too large or too small."""
        above = bennett(sums - n * self.high, n, self.variance, self.most - self.low)
        below = bennett(n * self.low - sums, n, self.variance, self.high - self.least)
        general = np.minimum(above, below) + math.log(2)
        unit = np.where(self.binary & self.varies, self.least + self.most, 1.0)
        ones = np.rint(sums / unit)
        low, high = np.sort(np.clip([self.low / unit, self.high / unit], 0, 1), axis=0)
        logs = np.where(self.binary, binomial(ones, n, low, high), general)
        return np.where(self.varies, np.minimum(0, logs), 0.0)

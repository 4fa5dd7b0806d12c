"""How views spread around the votes, and what follows for the mean of many."""

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushvote.rules import Rule

Floats = NDArray[np.float64]


class Spread(ABC):
    """What every mechanism has that knows its variances."""

    rule: Rule

    @property
    def d(self) -> int:
        """Number of candidates."""
        return self.rule.d

    @abstractmethod
    def variances(self) -> Floats:
        """Variance of the view of the candidate at each rank; their sum is `mse()`."""

    @abstractmethod
    def sum_variance(self) -> float:
        """Variance of the sum of one view's entries."""

    def mse(self, n: int = 1) -> float:
        """Expected squared distance of the mean view of n reports from the true mean."""
        return float(self.variances().sum() / n)

    def covariance(self) -> Floats:
        """Covariance of one view around the vote, averaged over uniform rankings.

        By symmetry it is α (I - J/d) + β J/d; its trace is the MSE, and β d is the variance of
        the view's sum.
        """
        d = self.d
        along = np.full((d, d), 1 / d)
        beta = self.sum_variance() / d
        alpha = (self.mse() - beta) / (d - 1)
        return np.asarray(alpha * (np.eye(d) - along) + beta * along)

    def gap_variance(self) -> float:
        """Variance of the difference of two candidates in one view, over uniform rankings: that of
        the mechanism, 2 MSE/(d-1) where views have a fixed sum, and that of the votes.
        """
        noise = self.covariance()
        votes = float(self.rule.spread) / (self.d - 1)
        return float(2 * (noise[0, 0] - noise[0, 1] + votes))

    def variance_slope(self, scores: Floats) -> Floats:
        """How fast the variance of a candidate's views grows with its true score: the slope of
        their second moments over the scores of the ranks, less 2 score.
        """
        return self._slope - 2 * scores

    @cached_property
    def _slope(self) -> float:
        w = self.rule.vector
        away = w - w.mean()
        return float(away @ (self.variances() + w**2) / (away @ away))

    @cached_property
    def _average_covariance(self) -> Floats:
        return self.covariance()

    @cached_property
    def _least_variance(self) -> float:
        return float(self.variances().min())

    def sample_covariance(self, mean: Floats, second: Floats, n: int) -> Floats:
        """Covariance of the mean of n views from their mean and mean outer product.

        Votes differ, so the spread of the views is at least the mechanism's own: conservative.
        Few reports may by chance show less than the least variance that the mechanism has at any
        rank; then as much of its average covariance is added as is missing. A single report
        shows no spread at all; then that average stands in.
        """
        if n < 2:
            return self.covariance() / n
        spread = (second - np.outer(mean, mean)) / (n - 1)
        missing = self._least_variance / n - float(np.diag(spread).min())
        if missing <= 0:
            return np.asarray(spread)
        average = self._average_covariance
        return np.asarray(spread + missing / average[0, 0] * average)

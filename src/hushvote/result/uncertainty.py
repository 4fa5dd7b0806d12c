"""How far scores and their differences may be off: about these voters, or about a population.

About these voters, only the lottery is random, and its own variance counts (`own_variance`). About
a population from which the voters were drawn, the spread of their votes counts as well.
`Uncertainty` has all that a result needs.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist

import numpy as np

from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.mechanisms.moments import Moments
from hushvote.result import maxt, own_variance
from hushvote.result.form import GAUSSIAN, Form
from hushvote.result.own_variance import Estimated

UNCOUNTABLE = 1e18  # reports


@dataclass(frozen=True, eq=False, repr=False)
class Uncertainty:
    """Standard errors of d scores and of their differences, and how far they go together."""

    standard_errors: Floats
    gap_errors: Floats
    """Of every difference of two scores, as a symmetric matrix."""
    covariance: Floats
    """Of the scores, or of their distances from the mean of all."""
    critical: Callable[[float], float]
    """Standard errors within which all scores lie together with a probability."""
    gap_critical: Callable[[float], float]
    """The same for all differences."""
    form: Form = GAUSSIAN
    """Of the error of a score."""
    gap_form: Form = GAUSSIAN
    """Of the error of a difference."""
    population: bool = False
    """Whether this is about a population that the voters were drawn from."""
    slope: float = 0.0
    """How far the variance of one report, as estimated, moves with the error of a score."""
    gap_swing: float = 0.0
    """How far reports, if all of them were made up for it, could change the variance of a gap."""
    gap_most: float = math.inf
    """The largest variance that a gap can have."""

    def __repr__(self) -> str:
        about = "a population" if self.population else "these voters"
        return (
            f"<Uncertainty of {len(self.standard_errors)} scores of {about}: standard errors up to "
            f"{self.standard_errors.max():.3g}, of differences up to {self.gap_errors.max():.3g}>"
        )

    def widths(self, critical: float) -> Floats:
        """Half the width of an interval of each score."""
        return self.form.width(critical, self.standard_errors)

    def gap_widths(self, critical: float, fakes: float = 0.0) -> Floats:
        """Half the width of an interval of each difference; at least, if a share of the reports
        were made up so that errors seem smaller than they are.
        """
        variances = np.minimum(self.gap_errors**2 + fakes * self.gap_swing, self.gap_most)
        errors = np.maximum(self.gap_errors, np.sqrt(variances))
        found = self.gap_form.width(critical, errors)
        np.fill_diagonal(found, 0.0)
        return found

    @classmethod
    def sampled(cls, covariance: Floats) -> "Uncertainty":
        """By the covariance of a sample, and the quantile of the largest of correlated Gaussian
        errors (max-t).
        """
        d = len(covariance)
        single = maxt.Simultaneous.of(covariance, np.eye(d))
        pairs = maxt.Simultaneous.of(covariance, maxt.pairs(d))
        errors = np.zeros((d, d))
        errors[np.triu_indices(d, 1)] = pairs.errors
        return cls(
            single.errors,
            errors + errors.T,
            covariance,
            single.critical_value,
            pairs.critical_value,
            population=True,
        )

    @classmethod
    def bounded(
        cls, single: Estimated, pairs: Estimated, n: float, *, population: bool = False
    ) -> "Uncertainty":
        """By variances of one report that are known or bounded one by one.

        Whatever the correlations are, Gaussian errors of the scores stay within limits together
        at least as often as independent ones would (Šidák 1967). Differences are judged as if the
        errors of all scores were independent and equal, which is on the safe side where they are
        independent and not equal (Tukey and Kramer; proved by Hayter 1984), and for three that are
        linked (Brown 1984); for more that are linked it was found to be so (docs/coverage.py).
        """
        d = len(single.variances)
        # the variances of all differences give the covariance, but for what all scores share
        around = np.eye(d) - 1 / d
        covariance = around @ pairs.variances @ around / (-2 * n)
        return cls(
            np.sqrt(single.variances / n),
            np.sqrt(pairs.variances / n),
            covariance,
            partial(independent, errors=d),
            maxt.all_differences(d).critical_value,
            single.form.of_mean(n),
            pairs.form.of_mean(n),
            population,
            single.slope,
            pairs.swing / n,
            pairs.most / n,
        )


def independent(level: float, errors: int) -> float:
    """Standard errors within which so many independent errors lie with probability `level`."""
    maxt.check_level(level)
    return NormalDist().inv_cdf((1 + level ** (1 / errors)) / 2)


def about_voters(mechanism: Mechanism, moments: Moments) -> Uncertainty:
    """Of the scores of these voters; where the law of two candidates is not known, as large as
    those of a population, which is more.
    """
    single = own_variance.single_variances(mechanism, moments)
    pairs = own_variance.pair_variances(mechanism, moments)
    if single is None or pairs is None:
        return replace(about_population(mechanism, moments), population=False)
    return Uncertainty.bounded(single, pairs, moments.n)


def about_population(mechanism: Mechanism, moments: Moments) -> Uncertainty:
    """Of the mean scores of a population from which the voters were drawn."""
    mean, n = moments.mean, round(moments.n)
    if moments.second is not None:
        return Uncertainty.sampled(mechanism.sample_covariance(mean, moments.second, n))
    noise = own_variance.pair_variances(mechanism, moments)
    own, w = own_variance.single_variances(mechanism, moments), mechanism.rule.vector
    assert own is not None
    assert noise is not None
    # scores between two ends around a known mean vary the most at the ends (Bhatia, Davis 2000)
    votes = np.clip(w[0] - mean, 0, None) * np.clip(mean - w[-1], 0, None)
    gaps = np.clip((w[0] - w[-1]) ** 2 - (mean[:, None] - mean[None, :]) ** 2, 0, None)
    gap_variances = (noise.variances + gaps) * (1 - np.eye(len(w)))
    return Uncertainty.bounded(
        Estimated(own.variances + votes), Estimated(gap_variances), n, population=True
    )


def reports_needed(
    gap: float, variance: float, form: Form, critical: float, further: float
) -> float:
    """The n of which half an interval and `further` standard errors are as wide as the gap;
    infinite where nobody could count so many.
    """
    from scipy.optimize import brentq

    def short(log_n: float) -> float:
        n = math.exp(log_n)
        error = math.sqrt(variance / n)
        width = float(form.of_mean(n).width(critical, np.array(error)))
        return (width + further * error) / gap - 1

    most = math.log(UNCOUNTABLE)
    if gap <= 0 or short(most) > 0:
        return math.inf
    return 1.0 if short(0.0) < 0 else math.exp(brentq(short, 0.0, most, xtol=1e-12))

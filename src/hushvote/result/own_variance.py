"""The lottery's own variance, estimated safely from a tally.

In a poll the voters are fixed, and only the lottery is random. For two candidates at ranks a and b
let V(a, b) be the variance of the difference of their views in one report; what is wanted is the
voters' average of it. No tally shows the ranks. But it shows averages of *features* of the reports
(such as the squared difference, among reports of one variant) whose expectations A(a, b) are known
for all ranks. So whatever the votes are, for weights x with

    A(a, b) x >= V(a, b)  for all ranks a, b

the average features times x are an unbiased estimate of the voters' average of A x, which is no
less than that of V. The weights are chosen before the poll, by the law and the number of voters
alone: they minimise the mean over all ranks of A x/V + 5 x' C x/(n V²), C being the covariance of
the features of one report, so that the estimate is both close and quiet. The same holds for single
candidates, with one rank in the place of two.

The first part of this file applies weights to a tally, the second finds them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.mechanisms.moments import Moments, PairLaw
from hushvote.result.form import GAUSSIAN, Form

QUIET = 5.0  # how much the noise of the estimate counts beside its mean
MOST_BITS = 12  # from so many voters on, noise hardly counts
RIDGE = 1e-6  # so that there is one solution
NEVER = 1e-14  # the chance of an outcome that is there by rounding only
SAME = 1e-9  # values that differ by less, relatively, are the same


@dataclass(frozen=True, eq=False)
class SafeVariance:
    """Weights of the features, and what they bound."""

    weights: Floats
    """x: (variants, features)."""
    bounds: Floats
    """A x, the mean of the estimate: for every rank, or every two ranks a < b."""
    variances: Floats
    """V, the lottery's true variance in one report, for the same ranks; `bounds` are no less."""
    form: Form
    """Of what one report adds."""
    slope: float
    """How far the estimate moves with the error of the mean that it is for, per unit, over all
    ranks alike: it may be wrong in the same polls as the mean is."""
    swing: float
    """How far one report that is made up for it can change the sum of the estimates."""

    def scaled(self, sizes: Sequence[float]) -> "SafeVariance":
        """For features that are so many times as large."""
        return replace(self, weights=self.weights / np.array(sizes))

    def clipped(self, estimate: Floats) -> Floats:
        """Moved to the nearest possible average of V."""
        return np.clip(estimate, self.variances.min(), self.variances.max())


@dataclass(frozen=True, eq=False)
class Estimated:
    """Safe estimates of the variances of one report, averaged over the voters; and what the law
    says of the errors' form (see `SafeVariance`).
    """

    variances: Floats
    """Of every candidate, or of all two candidates as a symmetric matrix."""
    form: Form = GAUSSIAN
    slope: float = 0.0
    swing: float = 0.0
    most: float = math.inf
    """The largest that the law has at any ranks."""


def single_variances(mechanism: Mechanism, moments: Moments) -> Estimated | None:
    """Of the view of every candidate; None if the law is not known."""
    if (fixed := mechanism.fixed_noise()) is not None:
        return Estimated(np.diag(fixed.covariance), Form(jump=fixed.jump))
    safe = single_certificate(mechanism, size_of(round(moments.n)))
    if safe is None or moments.products is None:
        return None
    centred = moments.less(float(mechanism.rule.mean))
    constant, slope, square = safe.weights.T
    own = np.diagonal(_products(centred), axis1=1, axis2=2)
    total = constant @ centred.numbers + slope @ centred.sums + square @ own
    return Estimated(safe.clipped(total / centred.n), safe.form, safe.slope)


def pair_variances(mechanism: Mechanism, moments: Moments) -> Estimated | None:
    """Of the difference of all two candidates."""
    if (fixed := mechanism.fixed_noise()) is not None:
        own = np.diag(fixed.covariance)
        noise = own[:, None] + own[None, :] - 2 * fixed.covariance
        return Estimated(noise, Form(jump=fixed.jump))
    safe = pair_certificate(mechanism, size_of(round(moments.n)))
    if safe is None or moments.products is None:
        return None
    centred = moments.less(float(mechanism.rule.mean))
    products = _products(centred)
    constant, slope, apart, along = safe.weights.T
    own = np.diagonal(products, axis1=1, axis2=2)
    # (v - u)² and (v + u)² are v² + u², less or plus 2 v u
    once = (slope @ centred.sums + (apart + along) @ own)[:, None]
    both = 2 * np.tensordot(along - apart, products, axes=1)
    found = safe.clipped((constant @ centred.numbers + once + once.T + both) / centred.n)
    np.fill_diagonal(found, 0.0)
    most = float(safe.variances.max())
    return Estimated(found, safe.form, swing=safe.swing, most=most)


def _products(moments: Moments) -> Floats:
    assert moments.products is not None
    return moments.products


# --- before the poll --------------------------------------------------------------------------


def size_of(n: int) -> int:
    """The number of voters that weights are made for: a power of 2, since they change little."""
    return 1 << min(max(1, n).bit_length() - 1, MOST_BITS)


@lru_cache(maxsize=64)
def single_certificate(mechanism: Mechanism, n: int) -> SafeVariance | None:
    """The weights of 1, v and v² in each variant, v being a view less the mean score."""
    if (law := _law(mechanism)) is None:
        return None
    d, v = mechanism.d, law.one - float(mechanism.rule.mean)
    # the rank of the other candidate does not matter here: any but a will do
    chances = np.array([law.chances[a, (a + 1) % d] for a in range(d)])
    size = float(np.abs(v).max())
    features = np.stack([np.ones_like(v), v / size, (v / size) ** 2], axis=1)
    return _certificate(law.variants, v, features, chances, n).scaled([1, size, size**2])


@lru_cache(maxsize=64)
def pair_certificate(mechanism: Mechanism, n: int) -> SafeVariance | None:
    """The weights of 1, v + u, (v - u)² and (v + u)² in each variant, u being the other's view."""
    if (law := _law(mechanism)) is None:
        return None
    v, u = (values - float(mechanism.rule.mean) for values in (law.one, law.other))
    chances = law.chances[np.triu_indices(mechanism.d, 1)]
    size = float(np.abs(v).max())
    above, apart = (v + u) / size, (v - u) / size
    features = np.stack([np.ones_like(v), above, apart**2, above**2], axis=1)
    made = _certificate(law.variants, v - u, features, chances, n)
    return made.scaled([1, size, size**2, size**2])


@lru_cache(maxsize=16)
def _law(mechanism: Mechanism) -> PairLaw | None:
    return mechanism.pair_law()


def _certificate(
    variants: NDArray[np.intp], values: Floats, features: Floats, chances: Floats, n: int
) -> SafeVariance:
    """Weights for the variance of `values`, from features of the same outcomes.

    `variants`, `values` and `features` have an entry for each outcome of a report, `chances` a row
    for every rank or two ranks. Features are scaled to at most 1, and each variant has its own.
    """
    real = chances.max(axis=0) > NEVER
    variants, values, features, chances = (
        variants[real],
        values[real],
        features[real],
        chances[:, real],
    )
    away = values - (chances @ values)[:, None]
    variances, fourth = (chances * away**2).sum(axis=1), (chances * away**4).sum(axis=1)
    jump = math.sqrt(max(0.0, float((fourth / variances - 3 * variances).max())))
    kinds, count = int(variants.max()) + 1, features.shape[1]
    by_variant = np.zeros((len(variants), kinds, count))
    by_variant[np.arange(len(variants)), variants] = features
    spread = by_variant.reshape(len(variants), -1)
    unit = float(variances.max())
    often = (unit / variances) ** 2 @ chances / len(chances)
    basis = _independent(np.sqrt(often)[:, None] * spread)
    relative = (chances @ (spread @ basis)) * (unit / variances)[:, None]
    # C/V², averaged over the ranks: mean products of the features, less products of their means
    noise = np.eye(basis.shape[1]) - relative.T @ relative / len(chances)
    curve = 2 * QUIET / n * noise + RIDGE * np.eye(len(noise))
    x = unit * (basis @ _least(curve, relative.mean(axis=0), relative))
    weights = x.reshape(kinds, count)
    bounds = chances @ spread @ x
    short = max(0.0, float((variances - bounds).max()))  # by rounding
    weights[:, 0] += short
    added = (weights[variants] * features).sum(axis=1)  # to the estimate, by each outcome
    slope = float(((chances * away) @ added).sum() / variances.sum())
    swing = float(added.max() - added.min())
    form = Form(_least_difference(values), jump)
    return SafeVariance(weights, bounds + short, variances, form, slope, swing)


def _independent(features: Floats) -> Floats:
    """Combinations of features that are orthonormal, those that are there by rounding left out."""
    _, sizes, rows = np.linalg.svd(features, full_matrices=False)
    kept = sizes > SAME * sizes[0]
    return np.asarray((rows[kept] / sizes[kept, None]).T)


def _least(curve: Floats, slope: Floats, rows: Floats) -> Floats:
    """The x with the least slope · x + x' curve x / 2 and rows x >= 1.

    With curve = R R' and y = R' x + R⁻¹ slope that is the shortest y with R⁻¹ rows' y >= right: a
    least distance, found by non-negative least squares (Lawson and Hanson 1974, chapter 23).
    """
    from scipy.linalg import cholesky, solve_triangular
    from scipy.optimize import nnls

    root = cholesky(curve, lower=True)
    start = solve_triangular(root, slope, lower=True)
    moved = solve_triangular(root, rows.T, lower=True).T
    right = 1 + moved @ start
    size = max(1.0, float(np.abs(right).max()))
    matrix = np.vstack([moved.T, right / size])
    last = np.zeros(len(matrix))
    last[-1] = 1.0
    found, _ = nnls(matrix, last, maxiter=50 * matrix.shape[1])
    residual = matrix @ found - last
    y = -residual[:-1] / residual[-1] * size
    return np.asarray(solve_triangular(root, y - start, lower=True, trans="T"))


def _least_difference(values: Floats) -> float:
    """Of two that are not the same."""
    rising = np.unique(values)
    steps = np.diff(rising)
    real = steps[steps > SAME * float(np.abs(rising).max())]
    return float(real.min()) if len(real) else 0.0

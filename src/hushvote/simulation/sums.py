"""The mean view of many honest voters, by its law where that is known.

By default reports are drawn and counted, as in a real poll but for the checks. Where the law of
a sum of reports is simple, `mean_view.register` has a shorter way with the same distribution.
"""

from dataclasses import dataclass
from functools import lru_cache, singledispatch

import numpy as np
from numpy.typing import NDArray

from hushvote.lottery import Wheel
from hushvote.mechanisms import Laplace, Mechanism, NaiveSampling, WeightedSampling
from hushvote.mechanisms.contract import Floats
from hushvote.rankings import Orders, blocks

Sampling = WeightedSampling | NaiveSampling


@singledispatch
def mean_view(
    mechanism: Mechanism, orders: Orders, truth: Floats, rng: np.random.Generator
) -> Floats:
    """The mean view of these voters, whose true mean scores are `truth`."""
    counts = dict(mechanism.zero())
    for block in blocks(len(orders), mechanism.block):
        for name, array in mechanism.count(mechanism.randomize(orders[block], rng)).items():
            counts[name] = counts[name] + array
    return mechanism.moments(len(orders), counts)[0]


@mean_view.register
def _laplace(mechanism: Laplace, orders: Orders, truth: Floats, rng: np.random.Generator) -> Floats:
    """A sum of n Laplace variables of scale b is b (Γ(n) - Γ(n))."""
    n, d = orders.shape
    scale = float(mechanism.rule.diameter / mechanism.epsilon)
    gain, loss = rng.standard_gamma(n, size=(2, d))
    return np.asarray(truth + scale / n * (gain - loss))


@mean_view.register
def _sampling(
    mechanism: Sampling, orders: Orders, truth: Floats, rng: np.random.Generator
) -> Floats:
    """Draw each voter's rank; given how many drew which class and candidate, the marks are sums
    of two binomials: the bits that are flipped, and those that are not.
    """
    law, (n, d) = _law(mechanism), orders.shape
    drawn = np.zeros((len(law.gains), d), dtype=np.int64)
    for block in blocks(n):
        ranks = law.wheel.spin(block.stop - block.start, rng)
        chosen = orders[block].ravel().take(np.arange(0, len(ranks) * d, d) + ranks)
        drawn += np.bincount(law.classes.take(ranks) * d + chosen, minlength=drawn.size).reshape(
            drawn.shape
        )
    voters = drawn.sum(axis=1, keepdims=True)
    kept = 1 / (1 + 1 / law.root)
    marks = rng.binomial(drawn, kept) + rng.binomial(voters - drawn, 1 - kept)
    estimates = ((law.root + 1) * marks - voters) / (law.root - 1)
    return np.asarray(law.gains @ estimates / n + float(mechanism.intercept))


@dataclass(frozen=True, eq=False)
class _Law:
    """The draw of a rank, the class of each rank, the gain of each class, and s."""

    wheel: Wheel
    classes: NDArray[np.intp]
    gains: Floats
    root: float


@lru_cache(maxsize=256)
def _law(mechanism: Sampling) -> _Law:
    total = sum(mechanism.masses)
    gains = [
        (w - mechanism.intercept) * total / m if m else mechanism.gains[0]
        for w, m in zip(mechanism.rule.scores, mechanism.masses, strict=True)
    ]
    return _Law(
        Wheel(mechanism.masses),
        np.array([mechanism.gains.index(gain) for gain in gains], dtype=np.intp),
        np.array([float(gain) for gain in mechanism.gains]),
        float(mechanism.odds.root.ratio),
    )

"""Estimates that no votes could have: the mean vote is majorised by the scores."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from hushvote.detection.check import Check, corrected, fewest_fakes
from hushvote.detection.honest import honest_counts
from hushvote.detection.tails import bennett
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.mechanisms.signals import Signals
from hushvote.messages import say
from hushvote.messages.phrases import commas
from hushvote.tally import Tally

MOST_SUBSETS = 12  # candidates up to which the spread of every group of them is looked at


def scores(mechanism: Mechanism, tally: Tally, names: Sequence[str]) -> Check:
    """The m best candidates together cannot truly have more than the m best places give, for any
    m (the mean vote is majorised by the scores). The m are chosen after the fact, so each p-value
    is multiplied by the number of groups of m.
    """
    d, n, w = mechanism.d, tally.n, mechanism.rule.vector
    mean = mechanism.moments(n, tally.counts).mean
    order = np.argsort(-mean, kind="stable")
    m = np.arange(1, d)
    excess = n * (np.cumsum(mean[order])[:-1] - np.cumsum(w)[:-1])
    from scipy.special import gammaln  # heavy, and only an inspection needs it

    groups = gammaln(d + 1) - gammaln(m + 1) - gammaln(d - m + 1)
    logs = np.minimum(0, _score_tail(mechanism, excess, n)) + groups + math.log(d - 1)
    k = int(np.argmin(logs))
    return Check(
        "scores",
        corrected(logs[k], 0.0),
        say("check.scores"),
        say(
            "found.scores",
            names=commas([names[j] for j in order[: k + 1]]),
            points=mean[order[: k + 1]].sum(),
            most=w[: k + 1].sum(),
        ),
        _fakes(mechanism, k, excess[k], n),
    )


def _fakes(mechanism: Mechanism, k: int, excess: float, n: int) -> int | None:
    """The fewest made-up reports that give k + 1 candidates so many points too many; unknown where
    a single report may give any number.
    """
    honest = honest_counts(mechanism)
    furthest = mechanism.risks().max_magnitude if honest.furthest is None else honest.furthest[k]
    if not np.isfinite(furthest):
        return None
    own = float(mechanism.rule.vector[: k + 1].sum())
    return fewest_fakes(n * own + excess, n, own, own, least=own - 1, most=furthest)


def _score_tail(mechanism: Mechanism, excess: Floats, n: int) -> Floats:
    """log of the chance at most that m candidates' views add up to so much more than they should,
    for m = 1, ..., d-1.
    """
    d, w = mechanism.d, mechanism.rule.vector
    m = np.arange(1, d)
    known = (mechanism.signals() or Signals()).score_tail
    if known is not None:
        return known(excess, n)
    lowest = np.cumsum(w[::-1])[:-1]
    honest = honest_counts(mechanism)
    if honest.spread is None or honest.furthest is None or d > MOST_SUBSETS:
        # (Σ over m of a view's entries)² is at most m |view|², or m (d-m)/d |view|² at a fixed sum
        share = m.astype(np.float64) if mechanism.sum_variance() else m * (d - m) / d
        variance = share * (mechanism.mse() + float(mechanism.rule.spread))
        furthest = np.full(d - 1, mechanism.risks().max_magnitude)
        if not np.isfinite(furthest).all():
            return np.zeros(d - 1)  # nothing is known
        return bennett(excess, n, variance, furthest - lowest)
    variance = np.zeros(d - 1)
    for size in m:
        groups = np.zeros((math.comb(d, size), d))
        for row, group in zip(groups, itertools.combinations(range(d), int(size)), strict=True):
            row[list(group)] = 1
        variance[size - 1] = np.einsum("gi,ij,gj->g", groups, honest.spread, groups).max()
    return bennett(excess, n, variance, honest.furthest - lowest)

"""Scores that votes could have: the nearest ones, and biased."""

import itertools

import numpy as np
import pytest
from scipy import optimize

import hushvote as hv
from hushvote.result.projection import projected
from tests.conftest import rules
from tests.test_result import electorate


def nearest_by_quadratic_program(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The nearest y in which no k candidates have more together than the first k places, by a
    solver that knows nothing of sorting.
    """
    d, scale = len(w), np.ptp(w)
    sets = np.array([s for s in itertools.product((0, 1), repeat=d) if 0 < sum(s) < d])
    most = np.cumsum(w)[sets.sum(axis=1) - 1]
    done = optimize.minimize(
        lambda y: ((y - x / scale) ** 2).sum(),
        np.full(d, w.mean() / scale),
        jac=lambda y: 2 * (y - x / scale),
        method="SLSQP",
        constraints=[
            {"type": "ineq", "fun": lambda y: most / scale - sets @ y, "jac": lambda _: -sets},
            {"type": "eq", "fun": lambda y: y.sum() - w.sum() / scale, "jac": lambda _: np.ones(d)},
        ],
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return scale * done.x


@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_projection_is_the_nearest_mixture_of_votes(d):
    rng = np.random.default_rng(d)
    for rule in rules(d):
        w = rule.vector
        for scale in (0.1, 1, 10):
            x = rng.permutation(w) + scale * np.ptp(w) * rng.standard_normal(d)
            assert np.allclose(projected(x, w), nearest_by_quadratic_program(x, w), atol=1e-6)


def test_projection_leaves_possible_scores_alone_and_keeps_the_order():
    rng = np.random.default_rng(0)
    w = hv.nauru(16).vector
    inside = np.mean([rng.permutation(w) for _ in range(9)], axis=0)
    assert np.allclose(projected(inside, w), inside, atol=1e-12)
    x = 5 * rng.standard_normal(16)
    y = projected(x, w)
    assert y.sum() == pytest.approx(w.sum())
    assert (np.diff(y[np.argsort(x)]) >= -1e-12).all()
    assert np.allclose(projected(y, w), y)


@pytest.mark.slow
def test_projection_cuts_the_total_error_where_noise_dominates():
    """Borda, 8 candidates, 1000 voters, epsilon 0.1: 90, 37 and 28 become 17, 16 and 15.

    200 electorates of the paper; the errors of the means are below 3 %.
    """
    rng = np.random.default_rng(1)
    before, after = {}, {}
    for name in ("laplace", "additive", "duel"):
        made = hv.mechanism(name, hv.borda(8), 0.1)
        raw, cut = [], []
        for _ in range(200):
            orders = np.argsort(-(rng.random(8) * rng.random((1000, 8))), axis=1)
            truth = np.array([float(t) for t in hv.totals(orders, made.rule)]) / 1000
            result = made.tally(made.privatize(orders, rng=rng)).result()
            raw.append(np.abs(result.scores - truth).sum())
            cut.append(np.abs(result.project().scores - truth).sum())
        before[name], after[name] = np.mean(raw), np.mean(cut)
    assert before == {
        "laplace": pytest.approx(90, rel=0.08),
        "additive": pytest.approx(37, rel=0.08),
        "duel": pytest.approx(28, rel=0.08),
    }
    assert after["laplace"] < 19
    assert after["additive"] < 18
    assert after["duel"] < 17


def test_a_projection_says_that_it_is_biased_and_offers_no_interval():
    made = hv.Duel(hv.borda(4), 0.1)
    result = made.tally(made.privatize(electorate(100))).named(tuple("ABCD")).result()
    before = result.interval()
    shown = result.project()
    assert shown.candidates == result.names
    assert shown.biased
    assert not hasattr(shown, "interval")
    assert shown.n == 100
    assert np.array_equal(result.interval(), before)
    assert np.array_equal(np.sort(shown.scores)[::-1], shown.scores[list(shown.order)])

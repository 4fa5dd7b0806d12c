"""The exact law of every mechanism, by listing all rankings and all reports for small d."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import hushvote as hv
from hushvote.lottery import exp_below
from tests.conftest import EPSILONS, free, listable, listing, rules, scored

CASES = [(d, epsilon) for d in (2, 3, 4, 5) for epsilon in EPSILONS]
each_case = pytest.mark.parametrize(
    ("d", "epsilon"),
    [pytest.param(*case, marks=pytest.mark.slow if case[0] == 5 else ()) for case in CASES],
)


def mechanisms(d: int, epsilon: str) -> list[hv.Mechanism]:
    return [made for rule in rules(d) for made in (*listable(rule, epsilon), free(rule, epsilon))]


def some_rankings(d: int) -> list[tuple[int, ...]]:
    """Best first, worst first, and one in between."""
    return [tuple(range(d)), tuple(reversed(range(d))), (*range(1, d), 0)]


@each_case
def test_no_report_betrays_a_ranking_by_more_than_the_certified_odds(d, epsilon):
    for made in mechanisms(d, epsilon):
        found = listing(made)  # raises unless the probabilities add up to exactly 1
        odds = made.certificate().odds
        assert 1 < found.largest_ratio <= odds, made
        assert odds <= exp_below(Fraction(epsilon)), made
        assert made.certificate().epsilon <= float(epsilon)


@each_case
def test_additive_reaches_its_odds_exactly(d, epsilon):
    for rule in rules(d):
        for k in range(1, d):
            made = hv.Additive(rule, epsilon, k=k)
            assert listing(made).largest_ratio == made.odds.ratio


@each_case
def test_views_are_unbiased_and_their_error_is_the_closed_form(d, epsilon):
    for made in mechanisms(d, epsilon):
        for ranking in some_rankings(d):
            vote = scored(made.rule, ranking)
            law = list(made.outcomes(ranking))
            views = made.views(np.concatenate([report for report, _ in law]))
            p = np.array([float(chance) for _, chance in law])
            mean = [math.fsum(p * column) for column in views.T]
            assert np.allclose(mean, vote, rtol=0, atol=1e-9), made
            error = math.fsum(p * ((views - vote) ** 2).sum(axis=1))
            assert error == pytest.approx(made.mse(), rel=1e-9), made
            spread = ((views - vote) ** 2)[:, list(ranking)]
            by_rank = [math.fsum(p * column) for column in spread.T]
            assert np.allclose(by_rank, made.variances(), rtol=1e-9), made
            total = views.sum(axis=1)
            spread = math.fsum(p * (total - float(made.rule.total)) ** 2)
            assert spread == pytest.approx(made.sum_variance(), rel=1e-9, abs=1e-9), made


@each_case
def test_risks_are_what_listing_all_reports_shows(d, epsilon):
    for made in mechanisms(d, epsilon):
        law = list(made.outcomes(range(d)))
        views = made.views(np.concatenate([report for report, _ in law]))
        p = np.array([float(chance) for _, chance in law])
        size = np.abs(views).sum(axis=1)
        risks = made.risks()
        assert risks.max_magnitude == pytest.approx(size.max(), rel=1e-9), made
        assert risks.expected_magnitude == pytest.approx(math.fsum(p * size), rel=1e-9), made
        apart = max(np.abs(views - view).sum(axis=1).max() for view in views)
        assert risks.diameter == pytest.approx(apart, rel=1e-9), made
        gap = (views.max(axis=1) - views.min(axis=1)).max()
        assert risks.gap == pytest.approx(gap, rel=1e-9), made
        assert made.risks(n=10).max_magnitude == pytest.approx(risks.max_magnitude / 10)


@each_case
def test_disguise_sends_only_the_most_harmful_reports_and_all_of_them(d, epsilon):
    for made in mechanisms(d, epsilon):
        if made.name == "challenge":
            continue  # can only choose the bit: tests/test_challenge.py
        reports = np.concatenate([report for report, _ in made.outcomes(range(d))])
        favour, against = d - 1, 0
        views = made.views(reports)
        harm = views[:, favour] - views[:, against]
        worst = {r.tobytes() for r in reports[np.isclose(harm, harm.max(), rtol=1e-6, atol=0)]}
        sent = made.disguise(favour, against, n=60 * len(worst), rng=np.random.default_rng(5))
        made.domain.check(sent)
        # each of m worst reports is missed with probability (1 - 1/m)^(60 m) < e^-60
        assert {r.tobytes() for r in sent} == worst, made


@pytest.mark.parametrize("d", [2, 3, 4])
def test_planning_covariance_is_the_average_over_all_rankings(d):
    for made in mechanisms(d, "1"):
        total = np.zeros((d, d))
        for ranking in itertools.permutations(range(d)):
            vote = scored(made.rule, ranking)
            for report, p in made.outcomes(ranking):
                off = made.views(report)[0] - vote
                total += float(p) * np.outer(off, off)
        average = total / math.factorial(d)
        assert np.allclose(made.covariance(), average, rtol=1e-9, atol=1e-9 * made.mse()), made


@pytest.mark.parametrize("d", [3, 5])
def test_parameters_restore_the_very_same_mechanism(d):
    made_by_name = (made for rule in rules(d) for made in listable(rule, "0.1"))
    for made in [*made_by_name, *(hv.Laplace(rule, "0.1") for rule in rules(d))]:
        again = hv.mechanism_from(made.parameters())
        assert type(again) is type(made)
        assert (again.digest, again.parameters()) == (made.digest, made.parameters())
        assert again.mse() == made.mse()


def test_best_k_has_least_error_and_is_the_smallest_such():
    for d in (2, 5, 8):
        for rule in rules(d):
            for epsilon in ("0.1", "3"):
                errors = [hv.Additive(rule, epsilon, k=k).mse() for k in range(1, d)]
                best = hv.Additive(rule, epsilon)
                assert best.mse() == min(errors)
                assert best.k == errors.index(min(errors)) + 1


@pytest.mark.parametrize(
    ("rule", "epsilon", "laplace", "weighted", "additive"),
    [
        (hv.borda(4), 1, 512, 260.73, 121.43),
        (hv.borda(5), 1, 1440, 731.19, 364.62),
        (hv.borda(6), 3, 432.0, 241.68, 211.36),
        (hv.borda(8), "0.1", 1638400, 819241, 274815),
        (hv.borda(8), 1, 16384, 8235.4, 3170.3),
        (hv.borda(8), 3, 1820.4, 969.2, 795.3),
        (hv.borda(16), 1, 524288, 260502, 62876),
        (hv.borda(32), 3, 1864135, 838139, 288167),
        (hv.nauru(8), 1, 134.34, 67.22, 28.75),
        (hv.nauru(8), 3, 14.927, 7.639, 3.198),
        (hv.nauru(16), 1, 540.5, 267.9, 114.9),
    ],
)
def test_errors_are_the_published_figures(rule, epsilon, laplace, weighted, additive):
    assert hv.Laplace(rule, epsilon).mse() == pytest.approx(laplace, rel=5e-4)
    assert hv.WeightedSampling(rule, epsilon).mse() == pytest.approx(weighted, rel=5e-4)
    assert hv.Additive(rule, epsilon).mse() == pytest.approx(additive, rel=5e-4)


def test_lower_intercept_is_better_for_nauru_at_even_d():
    assert hv.WeightedSampling(hv.nauru(4), 3).mse() == pytest.approx(1.743, abs=5e-4)
    lower = hv.WeightedSampling(hv.nauru(4), 3, intercept="lower")
    assert lower.mse() == pytest.approx(1.604, abs=5e-4)


@pytest.mark.parametrize("odds", [Fraction(3), Fraction(2718281829, 10**9)])
def test_a_certificate_above_exp_epsilon_cannot_be_made(odds):
    with pytest.raises(hv.MechanismError, match="do not keep the epsilon that they state"):
        hv.Certificate(Fraction(1), odds, ())
    assert hv.Certificate(Fraction(1), Fraction(2718281828, 10**9), ()).epsilon < 1

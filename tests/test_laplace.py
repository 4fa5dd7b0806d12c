"""Laplace: the exact scheme and its certificate."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote import exact
from hushvote.lottery import FixedBits, SecureBits, secure_bits
from hushvote.mechanisms.digits import power_above, step_ratio
from tests.conftest import random_orders, rules

EPSILONS = ("0.01", "0.1", "1", "3")


@pytest.mark.parametrize("d", [2, 3, 8, 31, 64])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_certificate_holds_and_error_is_that_of_laplace_noise(d, epsilon):
    for rule in rules(d):
        made = hv.Laplace(rule, epsilon)
        certificate = made.certificate()
        assert certificate.epsilon <= float(epsilon)
        assert certificate.epsilon > float(epsilon) * (1 - 2e-5)
        ideal = 2 * d * float(rule.diameter / Fraction(epsilon)) ** 2
        assert made.mse() == pytest.approx(ideal, rel=1e-4)


def test_the_step_ratio_is_the_largest_ratio_of_neighbouring_noise_values():
    """By listing the law around every power of two, where digits carry."""
    made = hv.Laplace(hv.borda(3), 3)
    top = 1 << len(made.digits)
    sizes = {
        size + off
        for i in range(len(made.digits) + 1)
        for size in (1 << i, top + (1 << i))
        for off in (-2, -1, 0)
    }
    ratios = [made.noise_law(k + 1) / made.noise_law(k) for k in sizes if k >= 0]
    largest = max(max(ratio, 1 / ratio) for ratio in ratios)
    assert largest == step_ratio(made.digits)
    assert largest <= 1 + made.epsilon / made.distance


def test_the_noise_law_is_symmetric_and_adds_up_to_one():
    made = hv.Laplace(hv.borda(3), 3)
    assert made.noise_law(5) == made.noise_law(-6)
    assert made.noise_law(0) == made.noise_law(-1)
    coarse = hv.Laplace(hv.borda(3), 3)
    coarse.digits = (2**63, 2**62)  # noise so short that its law can be summed up
    total = sum(coarse.noise_law(k) for k in range(-400, 401))
    assert 1 - Fraction(1, 10**60) < total <= 1


def test_the_dither_keeps_fractional_scores_unbiased():
    made = hv.Laplace(hv.nauru(7), 1)
    for w, q, f in zip(made.rule.scores, made._floor, made._dither, strict=True):
        mean = q + Fraction(f, 2**64)
        assert abs(mean - made.units_per_point * w) <= Fraction(1, 2**65)


def test_no_two_dithered_votes_are_further_apart_than_n():
    for rule in rules(5):
        made = hv.Laplace(rule, 1)
        words = [0, 2**64 - 1, *made._dither, *(max(f - 1, 0) for f in made._dither)]
        for word in words:
            vote = sorted(made._dithered(min(word, 2**64 - 1)))
            apart = sum(abs(a - b) for a, b in zip(vote, reversed(vote), strict=True))
            assert apart <= made.distance


def test_power_above_is_a_close_upper_bound():
    base = Fraction(1001, 1000)
    exact = base**12345
    assert exact <= power_above(base, 12345) < exact * (1 + Fraction(1, 2**200))


def test_views_have_the_stated_mean_and_variance():
    """n = 200 000 equal votes; every z-test has a false alarm below 1e-9."""
    for rule in (hv.borda(4), hv.nauru(5)):
        made = hv.Laplace(rule, 1)
        n = 200_000
        views = made.views(made.privatize(np.tile(np.arange(rule.d), (n, 1))))
        off = views.mean(axis=0) - rule.vector
        assert np.abs(off).max() < 6.5 * math.sqrt(made.mse() / rule.d / n)
        squared = ((views - rule.vector) ** 2).sum(axis=1)
        assert abs(squared.mean() - made.mse()) < 6.5 * squared.std() / math.sqrt(n)


def test_draw_and_bulk_have_one_law():
    """Kolmogorov-Smirnov on one candidate's score, false alarm 1e-8."""
    made = hv.Laplace(hv.nauru(3), 1)
    ranking = [2, 0, 1]
    single = [int(made.draw(ranking)["score_0"][0]) for _ in range(3000)]
    bulk = made.privatize(np.tile(ranking, (30_000, 1)))["score_0"]
    assert stats.ks_2samp(single, bulk).pvalue > 1e-8


def test_expected_magnitude_is_that_of_the_reports():
    """z-test, false alarm below 1e-9."""
    made = hv.Laplace(hv.borda(5), 1)
    size = np.abs(made.views(made.privatize(np.tile(np.arange(5), (200_000, 1))))).sum(axis=1)
    expected = made.risks().expected_magnitude
    assert abs(size.mean() - expected) < 6.5 * size.std() / math.sqrt(len(size))
    assert made.risks().gap == made.risks().diameter == made.risks().max_magnitude == math.inf


def test_disguise_takes_the_ends_of_the_95_percent_filter():
    made = hv.Laplace(hv.borda(5), "0.5")
    view = made.views(made.disguise(favour=3, against=1, n=2))[0]
    reach = math.log(20) * 12 / 0.5
    assert view == pytest.approx([2, -reach, 2, 4 + reach, 2], abs=1e-4)


def test_reports_cut_off_far_beyond_the_scores_stay_in_the_domain():
    made = hv.Laplace(hv.borda(3), 1)
    made.low, made.high = -1000, 1000
    reports = made.privatize(random_orders(5000, 3))
    assert {int(reports["score_0"].min()), int(reports["score_0"].max())} == {-1000, 1000}
    made.domain.check(reports)


def test_reports_are_cut_off_64_scales_beyond_the_scores():
    made = hv.Laplace(hv.borda(3), "0.5")
    cut = 64 * made.distance * 2
    assert (made.low, made.high) == (-cut, 2 * made.units_per_point + 1 + cut)


def test_reports_cannot_be_listed():
    with pytest.raises(hv.MechanismError, match="too many to list"):
        list(hv.Laplace(hv.borda(3), 1).outcomes([0, 1, 2]))


def test_noise_is_symmetric_around_minus_one_half():
    made = hv.Laplace(hv.borda(3), 3)
    made.digits = (2**40, 2**40)  # almost always 0 or -1
    noise = made._bulk_noise(200_000, secure_bits())
    assert set(np.unique(noise)) <= {-3, -2, -1, 0, 1, 2}
    assert stats.binomtest(int((noise >= 0).sum()), len(noise), 0.5).pvalue > 1e-8


@pytest.mark.parametrize("d", [2, 5, 64])
@pytest.mark.parametrize("epsilon", ["0.000001", "0.1", "1", "10"])
def test_every_draw_takes_the_same_number_of_bytes(d, epsilon):
    for rule in (hv.borda(d), hv.nauru(d), hv.plurality(d)):
        made = hv.Laplace(rule, epsilon)
        words = len(made.digits) - 1 + made.tails
        assert words <= 64
        for stream in (bytes(10**6), bytes([255]) * 10**6, SecureBits().bytes(10**6)):
            bits = FixedBits(stream)
            made.draw(range(d), bits)
            assert bits.used == 8 + d * (8 * words + 1)


def test_noise_that_counts_all_its_tail_words_is_always_cut_off():
    """So that the law is the one of noise without an end."""
    for rule in (*rules(4), hv.nauru(32)):
        for epsilon in EPSILONS:
            made = hv.Laplace(rule, epsilon)
            most = made.tails << (len(made.digits) - 1)
            assert made._floor[-1] + most >= made.high
            assert made._floor[0] + 1 - 1 - most <= made.low


@pytest.mark.parametrize(
    ("digits", "says"),
    [
        (lambda d: [*d[:-1], 2**64 - 1], "do not keep epsilon"),
        (lambda d: [d[0], int(2**64 * (1 - 1e-9))], "words a score|do not keep"),
        (lambda d: [2**63] * (len(d) - 1) + [2**64 - 2**40], "shifted|do not keep|words a score"),
    ],
)
def test_digits_that_never_end_are_refused(digits, says):
    good = hv.Laplace(hv.borda(3), 1)
    bad = good.parameters() | {"digits": [exact.to_json(m) for m in digits(list(good.digits))]}
    with pytest.raises(hv.MechanismError, match=says):
        hv.mechanism_from(bad)

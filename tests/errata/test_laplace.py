"""Errata of the Laplace mechanism."""

import itertools
import math

import numpy as np
import pytest

import hushvote as hv
from tests.errata.shared import (
    EPSILONS,
    l1,
    stated,
)

pytestmark = pytest.mark.slow  # left out of `make check`


def noise_rate(mechanism: hv.Laplace) -> float:
    """How fast hushvote's noise falls off, a step: P(|noise| >= x) is exp(-rate x)."""
    *digits, tail = mechanism.digits
    return -math.log(tail / 2**64) / 2 ** len(digits)


def test_introduction_inverts_the_noise_scale() -> None:
    rule, epsilon = hv.borda(5), 1
    votes = list(itertools.permutations(rule.scores))
    delta = max(l1(votes[0], vote) for vote in votes)
    assert delta == rule.diameter == 12
    right, printed = delta / epsilon, epsilon / delta
    mechanism = hv.Laplace(rule, epsilon)
    in_points = 1 / (noise_rate(mechanism) * mechanism.units_per_point)
    assert in_points == pytest.approx(float(right), rel=1e-4)
    assert 2 * rule.d * right**2 == 1440 == pytest.approx(mechanism.mse(), rel=5e-5)
    assert mechanism.certificate().epsilon <= 1
    assert (delta / right, delta / printed) == (epsilon, 144)
    stated(2 * rule.d * right**2, 0)
    stated(2 * rule.d * printed**2, 4)
    stated(delta / printed, 0)


def test_expected_magnitude_of_laplace_is_shared_among_n() -> None:
    rule, epsilon = hv.borda(5), 1
    scale = float(rule.diameter) / epsilon
    x = (np.arange(-4_000_000, 4_000_000) + 0.5) * (scale / 100_000)
    density = np.exp(-np.abs(x) / scale) / (2 * scale) * (scale / 100_000)
    integral = sum(float((np.abs(float(w) + x) * density).sum()) for w in rule.scores)
    printed = sum(scale * math.exp(-float(w) / scale) + float(w) for w in rule.scores)
    mechanism = hv.Laplace(rule, epsilon)
    for n in (1, 1000):
        risk = mechanism.risks(n).expected_magnitude
        assert risk == pytest.approx(integral / n, rel=1e-8)
        assert (risk == pytest.approx(printed)) == (n == 1)
    stated(printed, 3)
    stated(mechanism.risks(1000).expected_magnitude, 5)


def test_laplace_filter_has_another_radius() -> None:
    """The density of a view comes from hushvote's own noise: a probability times steps a point."""
    beta = 0.05

    def radii(rule: hv.Rule, epsilon: float) -> tuple[float, float]:
        scale = float(rule.diameter) / epsilon
        right = scale * (math.log(1 / beta) - rule.d * math.log(2 * scale))
        return right, scale * (math.log(1 / beta) + rule.d * math.log(scale))

    def density(mechanism: hv.Laplace, distance: float) -> float:
        """Of a view that is off in one candidate's score only."""
        g = mechanism.units_per_point
        peak = float(mechanism.noise_law(0)) * g
        return peak ** (mechanism.d - 1) * float(mechanism.noise_law(round(distance * g))) * g

    rule, epsilon = hv.plurality(2), 3
    right, printed = radii(rule, epsilon)
    assert density(hv.Laplace(rule, epsilon), right) == pytest.approx(beta, rel=1e-3)
    off = density(hv.Laplace(rule, epsilon), printed)
    assert off > 1.2 * beta
    stated(right, 3)
    stated(printed, 3)
    stated(off, 3)

    rule, epsilon = hv.borda(4), 1
    right, printed = radii(rule, epsilon)
    assert right < 0 < printed
    assert density(hv.Laplace(rule, epsilon), 0) == pytest.approx((1 / 16) ** 4, rel=1e-3)
    assert density(hv.Laplace(rule, epsilon), 0) < beta
    stated(right, 1)
    stated(printed, 1)


def test_disguised_laplace_view_scales_with_one_over_epsilon() -> None:
    rule = hv.borda(8)
    for epsilon in EPSILONS:
        mechanism = hv.Laplace(rule, epsilon)
        delta, e = float(rule.diameter), float(epsilon)

        def share_inside(radius: float, mechanism: hv.Laplace = mechanism) -> float:
            return 1 - math.exp(-noise_rate(mechanism) * radius * mechanism.units_per_point)

        right, printed = math.log(20) * delta / e, math.log(20) * delta
        assert share_inside(right) == pytest.approx(0.95, abs=1e-4)
        assert (share_inside(printed) == pytest.approx(0.95, abs=1e-3)) == (epsilon == "1")
        view = mechanism.views(mechanism.disguise(favour=1, against=0))[0]
        assert view[1] == pytest.approx(right + 7, abs=1 / mechanism.units_per_point)
        assert view[0] == pytest.approx(-right, abs=1 / mechanism.units_per_point)
        if epsilon != "1":
            stated(100 * share_inside(printed), 2)
        stated(right, 2)
    stated(math.log(20) * 32, 2)

"""Errata of the weighted sampling mechanism."""

import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import pytest

import hushvote as hv
from tests.conftest import FreeSampling, listing
from tests.errata.shared import (
    View,
    diameter,
    growth,
    l1,
    largest_ratio,
    mean_view,
    root,
    rules,
    scored,
    squared,
    stated,
)

pytestmark = pytest.mark.slow  # left out of `make check`

Chance = Callable[[int, int, Fraction], Fraction]
SampledReport = tuple[Fraction, tuple[int, ...]]


def flipped(bit: int, noisy: int, s: Fraction) -> Fraction:
    """B~ starts as B and is flipped with probability 1/(s+1)."""
    return s / (s + 1) if bit == noisy else 1 / (s + 1)


def flipped_from_zero(bit: int, noisy: int, s: Fraction) -> Fraction:
    """B~ starts as 0 and becomes 1 - B with probability 1/(s+1)."""
    ones = (1 - bit) / (s + 1)
    return ones if noisy else 1 - ones


def middle(rule: hv.Rule) -> Fraction:
    """The score at rank ceil(d/2), counted from 1."""
    return rule.scores[(rule.d + 1) // 2 - 1]


def spread_around(rule: hv.Rule, c: Fraction) -> Fraction:
    """Omega when c is the middle score."""
    return sum((abs(w - c) for w in rule.scores), Fraction(0))


def best_masses(rule: hv.Rule, c: Fraction) -> list[Fraction]:
    return [abs(w - c) / spread_around(rule, c) for w in rule.scores]


def sampling_law(
    rule: hv.Rule,
    s: Fraction,
    ranking: Sequence[int],
    *,
    c: Fraction | None = None,
    m: Sequence[Fraction] | None = None,
    chance: Chance = flipped,
) -> dict[SampledReport, Fraction]:
    """Every report (g, noisy bits) of the weighted sampling mechanism with its probability."""
    c = middle(rule) if c is None else c
    law: dict[SampledReport, Fraction] = {}
    for r, mass in enumerate(best_masses(rule, c) if m is None else m):
        if mass == 0:
            continue
        for noisy in itertools.product((0, 1), repeat=rule.d):
            report = ((rule.scores[r] - c) / mass, noisy)
            bits = (chance(int(ranking[r] == j), noisy[j], s) for j in range(rule.d))
            law[report] = law.get(report, Fraction(0)) + mass * math.prod(bits)
    return law


def sampled_view(report: SampledReport, s: Fraction, c: Fraction) -> View:
    g, noisy = report
    return tuple(((s + 1) * bit - 1) / (s - 1) * g + c for bit in noisy)


def sampling_views(
    rule: hv.Rule, s: Fraction, ranking: Sequence[int], *, c: Fraction | None = None, **options
) -> list[tuple[View, Fraction]]:
    c = middle(rule) if c is None else c
    law = sampling_law(rule, s, ranking, c=c, **options)
    return [(sampled_view(report, s, c), p) for report, p in law.items()]


def enumerated_mse(law: Iterable[tuple[View, Fraction]], vote: View) -> Fraction:
    return sum((p * squared(view, vote) for view, p in law), Fraction(0))


def printed_mse(
    rule: hv.Rule, s: Fraction, c: Fraction, m: Sequence[Fraction] | None = None
) -> Fraction:
    """K S of the lemma, a report."""
    m = best_masses(rule, c) if m is None else m
    S = sum((w - c) ** 2 / mass for w, mass in zip(rule.scores, m, strict=True) if mass)
    return (1 + rule.d * s / (s - 1) ** 2) * S


def test_unset_bits_of_the_sampling_algorithm_give_the_vote_away() -> None:
    s = root("1")
    for rule in rules(3, 4):
        rankings = list(itertools.permutations(range(rule.d)))
        laws = [sampling_law(rule, s, ranking) for ranking in rankings]
        mechanism = hv.WeightedSampling(rule, "1")
        assert largest_ratio(laws) == s**2 <= growth("1")
        assert listing(mechanism).largest_ratio == s**2
        for ranking, law in zip(rankings, laws, strict=True):
            views = [(sampled_view(report, s, middle(rule)), p) for report, p in law.items()]
            assert mean_view(views) == scored(rule, ranking)
            listed = sorted(p for _, p in mechanism.outcomes(ranking))
            assert listed == sorted(law.values())
        unset = [sampling_law(rule, s, ranking, chance=flipped_from_zero) for ranking in rankings]
        assert largest_ratio(unset) == math.inf
    winner, *others = mean_view(
        sampling_views(hv.plurality(4), s, range(4), chance=flipped_from_zero)
    )
    assert winner < 0
    assert others == [0, 0, 0]
    stated(winner, 3)


def test_sampling_algorithm_is_not_determined_without_the_intercept() -> None:
    rule, s = hv.borda(4), root("1")
    m = [Fraction(1, 4)] * 4
    errors = {}
    for c in (Fraction(0), Fraction(2)):
        views = sampling_views(rule, s, range(4), c=c, m=m)
        assert mean_view(views) == rule.scores
        errors[c] = enumerated_mse(views, rule.scores)
        library = FreeSampling(rule, "1", intercept=c, masses=m)
        assert library.mse() == pytest.approx(float(errors[c]), rel=1e-12)
    stated(errors[0], 2)
    stated(errors[2], 2)
    assert errors[0] > 2 * errors[2]


def test_sampling_error_subtracts_the_squared_scores() -> None:
    for rule in rules(4, 5):
        c = middle(rule)
        for epsilon in ("0.1", "1"):
            s = root(epsilon)
            listed = enumerated_mse(sampling_views(rule, s, range(rule.d)), rule.scores)
            lost = sum((w - c) ** 2 for w in rule.scores)
            assert listed == printed_mse(rule, s, c) - lost
            assert listed != printed_mse(rule, s, c)
            library = hv.WeightedSampling(rule, epsilon)
            assert library.mse() == pytest.approx(float(listed), rel=1e-12)
    right = hv.WeightedSampling(hv.borda(4), "1").mse()
    printed = printed_mse(hv.borda(4), root("1"), Fraction(2))
    assert right == pytest.approx(260.733, abs=5e-4)
    assert float(printed) == pytest.approx(266.733, abs=5e-4)
    stated(right, 3)
    stated(printed, 3)
    rule, s = hv.nauru(4), root("3")
    assert printed_mse(rule, s, rule.scores[1]) == printed_mse(rule, s, rule.scores[2])
    for intercept, c in (("middle", rule.scores[1]), ("lower", rule.scores[2])):
        listed = enumerated_mse(sampling_views(rule, s, range(4), c=c), rule.scores)
        library = hv.WeightedSampling(rule, "3", intercept=intercept)
        assert library.mse() == pytest.approx(float(listed), rel=1e-12)
        stated(listed, 3)


def test_error_of_the_mean_falls_with_n_not_its_square() -> None:
    rule, s = hv.borda(3), root("1")
    rankings = [(0, 1, 2), (2, 0, 1), (1, 0, 2)]
    single = enumerated_mse(sampling_views(rule, s, rankings[0]), scored(rule, rankings[0]))
    for n in (1, 2, 3):
        votes = [scored(rule, ranking) for ranking in rankings[:n]]
        laws = [sampling_views(rule, s, ranking) for ranking in rankings[:n]]
        truth = [sum(column) / n for column in zip(*votes, strict=True)]
        error = Fraction(0)
        for joint in itertools.product(*laws):
            mean = [sum(column) / n for column in zip(*(view for view, _ in joint), strict=True)]
            error += math.prod(p for _, p in joint) * squared(mean, truth)
        assert error == single / n
        assert (error == single / n**2) == (n == 1)
        assert hv.WeightedSampling(rule, "1").mse(n) == pytest.approx(float(error), rel=1e-12)
        stated(error, 3)
    stated(single / 9, 3)


def test_intercept_of_the_risk_theorem_is_a_score_not_a_rank() -> None:
    for rule in rules(4, 5, 8):
        omega = spread_around(rule, middle(rule))
        assert sum(abs(w - middle(rule)) / omega for w in rule.scores) == 1
        printed = sum(abs(w - Fraction((rule.d + 1) // 2)) / omega for w in rule.scores)
        by_chance = rule.name == "borda" and rule.d % 2 == 0  # then w at rank d/2 is d/2
        assert (printed == 1) == by_chance
        assert hv.WeightedSampling(rule, "1").intercept == middle(rule)
    for rule in (hv.borda(5), hv.nauru(5)):
        stated(spread_around(rule, Fraction(3)) / spread_around(rule, middle(rule)), 3)
    rule, s = hv.borda(5), root("1")
    right = max(l1(view, [0] * 5) for view, _ in sampling_views(rule, s, range(5)))
    assert hv.WeightedSampling(rule, "1").risks().max_magnitude == pytest.approx(float(right))
    printed = 5 * (s * spread_around(rule, middle(rule)) / (s - 1) + 3)
    assert printed != right
    stated(right, 3)
    stated(printed, 3)


def test_sampling_magnitude_cannot_be_trimmed() -> None:
    s = root("1")
    for rule in rules(4, 5):
        c = middle(rule)
        assert c >= 0
        laws = sampling_law(rule, s, range(rule.d))
        listed = max(l1(sampled_view(report, s, c), [0] * rule.d) for report in laws)
        gains = {g for g, _ in laws}
        marked = {abs(s / (s - 1) * g + c) for g in gains}
        unmarked = {abs(-1 / (s - 1) * g + c) for g in gains}
        assert listed == rule.d * max(marked | unmarked)
        risks = hv.WeightedSampling(rule, "1").risks()
        assert risks.max_magnitude == pytest.approx(float(listed), rel=1e-12)
        trimmed = rule.d * max(marked)
        assert (trimmed < listed) == (rule.name == "antiplurality")
        if rule == hv.antiplurality(5):
            assert float(listed) == pytest.approx(12.707, abs=5e-4)
            assert float(trimmed) == pytest.approx(7.707, abs=5e-4)
            stated(listed, 3)
            stated(trimmed, 3)


def test_sampling_risks_at_the_optimum_need_both_signs() -> None:
    s = root("1")
    for rule in rules(4, 5):
        c, omega = middle(rule), spread_around(rule, middle(rule))
        views = [view for view, _ in sampling_views(rule, s, range(rule.d))]
        listed = diameter(views), max(l1(view, [0] * rule.d) for view in views)
        risks = hv.WeightedSampling(rule, "1").risks()
        assert risks.diameter == pytest.approx(float(listed[0]), rel=1e-12)
        assert risks.max_magnitude == pytest.approx(float(listed[1]), rel=1e-12)
        reach = s * omega / (s - 1)
        printed = 2 * rule.d * reach, rule.d * max(abs(c - reach), abs(c + reach))
        both_signs = rule.scores[0] > c > rule.scores[-1]
        assert (printed[0] == listed[0]) == both_signs
        if not both_signs:
            assert listed[0] == rule.d * (s + 1) / (s - 1) * omega
        if rule == hv.plurality(5):
            assert float(listed[0]) == pytest.approx(20.415, abs=5e-4)
            assert float(printed[0]) == pytest.approx(25.415, abs=5e-4)
            stated(listed[0], 3)
            stated(printed[0], 3)
        if rule == hv.antiplurality(5):
            assert printed[1] > listed[1]
            stated(listed[1], 3)
            stated(printed[1], 3)


def test_delta_is_always_twice_omega() -> None:
    chance = random.Random(20190813)
    vectors = [rule.scores for rule in rules(3, 4, 5, 8, 16, 33)]
    for _ in range(300):
        d = chance.randrange(2, 20)
        vectors.append(sorted((chance.randrange(-9, 30) for _ in range(d)), reverse=True))
    for w in vectors:
        if w[0] == w[-1]:
            continue
        rule = hv.Rule("any", w)
        assert rule.diameter == 2 * spread_around(rule, middle(rule))
        assert rule.diameter == 2 * spread_around(rule, rule.scores[rule.d // 2])
        if rule.d <= 5:
            votes = itertools.permutations(rule.scores)
            assert rule.diameter == max(l1(rule.scores, vote) for vote in votes)
    for rule in rules(5):
        ratio = hv.WeightedSampling(rule, "0.01").mse() / hv.Laplace(rule, "0.01").mse()
        assert ratio == pytest.approx(0.5, abs=1e-3)
        stated(ratio, 2)
    rule = hv.nauru(8)
    stated(rule.diameter, 4)
    stated(spread_around(rule, middle(rule)), 4)

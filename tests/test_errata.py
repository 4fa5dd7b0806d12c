"""The errata of the paper, one test each: the printed value, the right one, and an enumeration.

`docs/errata.md` tells the same in words. Every figure that a test passes to `stated` must stand
in the section of that page which names the test, so page and tests cannot drift apart.

Names follow the paper: w the scores (w[0] for the first place), c the intercept, m the masses,
z the weights of ranks, a and b the estimator of the additive mechanism, E = exp(epsilon) and
s = sqrt(E). All of it is exact: E and s are the fractions, rounded down, that hushvote uses.
"""

import inspect
import itertools
import math
import random
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hushvote as hv
from hushvote import certify
from hushvote.lottery import Odds
from hushvote.mechanisms import masks

pytestmark = pytest.mark.slow  # left out of `make check`

PAGE = Path(__file__).parent.parent / "docs" / "errata.md"
MAKERS = (hv.borda, hv.nauru, hv.plurality, hv.antiplurality, hv.approval)
EPSILONS = ("0.1", "1", "3")

View = tuple[Fraction, ...]


def rules(*sizes: int) -> list[hv.Rule]:
    return [make(d) for d in sizes for make in MAKERS]


def growth(epsilon: str) -> Fraction:
    """E: hushvote's exact stand-in for exp(epsilon)."""
    return Odds.of(Fraction(epsilon)).ratio


def root(epsilon: str) -> Fraction:
    """s: hushvote's exact stand-in for sqrt(exp(epsilon))."""
    return Odds.of(Fraction(epsilon)).root.ratio


def scored(rule: hv.Rule, ranking: Sequence[int]) -> View:
    return tuple(rule.scores[ranking.index(j)] for j in range(rule.d))


def l1(x: Iterable[Fraction], y: Iterable[Fraction]) -> Fraction:
    return sum((abs(a - b) for a, b in zip(x, y, strict=True)), Fraction(0))


def squared(x: Iterable[Fraction], y: Iterable[Fraction]) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))


def mean_view(law: Iterable[tuple[View, Fraction]]) -> View:
    return tuple(map(sum, zip(*([p * x for x in view] for view, p in law), strict=True)))


def diameter(views: Iterable[View]) -> Fraction:
    return max(l1(x, y) for x, y in itertools.combinations(set(views), 2))


def largest_ratio(laws: Iterable[dict[object, Fraction]]) -> Fraction | float:
    """How many times likelier a report can be under one ranking than under another."""
    laws = list(laws)
    ratios = []
    for report in set().union(*laws):
        chances = [law.get(report, Fraction(0)) for law in laws]
        ratios.append(max(chances) / min(chances) if min(chances) > 0 else math.inf)
    return max(ratios)


def sections() -> dict[str, str]:
    """The entries of the page, by heading."""
    parts = re.split(r"^### (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {
        heading: re.split(r"^## ", text, flags=re.MULTILINE)[0]
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def stated(value: object, digits: int) -> None:
    """Assert that the calling test's section of the page gives this figure, so rounded."""
    test = sys._getframe(1).f_code.co_name
    entries = [text for text in sections().values() if f"`{test}`" in text]
    figure = f"{float(value):.{digits}f}"
    assert any(re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d|\.\d)", text) for text in entries), (
        f"docs/errata.md does not give {figure} in the section of {test}"
    )


# --- the additive mechanism ---------------------------------------------------------------------

RankLaw = dict[tuple[int, ...], Fraction]
First = Callable[[Fraction, Sequence[Fraction], int], Fraction]
Rest = Callable[[Fraction, Fraction, Fraction], Fraction]


def extremes(rule: hv.Rule, k: int) -> tuple[Fraction, Fraction]:
    return sum(rule.scores[rule.d - k :], Fraction(0)), sum(rule.scores[:k], Fraction(0))


def defined_weights(rule: hv.Rule, k: int, E: Fraction) -> RankLaw:
    """Phi times the probability of each set of ranks, by the paper's definition."""
    least, most = extremes(rule, k)
    return {
        T: (sum(rule.scores[r] for r in T) - least) / (most - least) * (E - 1) + 1
        for T in itertools.combinations(range(rule.d), k)
    }


def defined_law(rule: hv.Rule, k: int, E: Fraction) -> RankLaw:
    weights = defined_weights(rule, k, E)
    return {T: weight / sum(weights.values()) for T, weight in weights.items()}


def library_law(mechanism: hv.Additive, ranking: Sequence[int]) -> dict[frozenset[int], Fraction]:
    return {
        frozenset(masks.members(int(report["chosen"][0]))): p
        for report, p in mechanism.outcomes(ranking)
    }


def named(law: RankLaw, ranking: Sequence[int]) -> dict[frozenset[int], Fraction]:
    """The law of the candidates who stand at the drawn ranks."""
    return {frozenset(ranking[r] for r in T): p for T, p in law.items()}


def first_corrected(z_j: Fraction, later: Sequence[Fraction], k: int) -> Fraction:
    return z_j + sum(later) * Fraction(k - 1, len(later))


def first_printed(z_j: Fraction, later: Sequence[Fraction], k: int) -> Fraction:
    return z_j + (sum(later) - z_j) * Fraction(k - 1, len(later))


def first_printed_inside_the_sum(z_j: Fraction, later: Sequence[Fraction], k: int) -> Fraction:
    return z_j + sum(z - z_j for z in later) * Fraction(k - 1, len(later))


def rest_corrected(w_j: Fraction, z_j: Fraction, share: Fraction) -> Fraction:
    return z_j + share


def rest_printed(w_j: Fraction, z_j: Fraction, share: Fraction) -> Fraction:
    return w_j + share


def start_weights(rule: hv.Rule, k: int, E: Fraction) -> list[Fraction]:
    """z as the algorithm of the additive mechanism sets it: z(T) is the weight of a k-set T."""
    least, most = extremes(rule, k)
    return [(w - least / k) / (most - least) * (E - 1) + Fraction(1, k) for w in rule.scores]


def select(
    z: Sequence[Fraction],
    k: int,
    w: Sequence[Fraction],
    first: First = first_corrected,
    rest: Rest = rest_corrected,
) -> RankLaw:
    """The exact law of `additive_select`: all its paths, each with its probability.

    The lowest rank j is drawn with p_j = C(d-j, k-1) first(...), normalised; the other k - 1
    come from the ranks after j with the weights rest(...). With k = 1 it draws z_j / sum(z).
    """
    d = len(z)
    if k == 1:
        return {(j,): z_j / sum(z) for j, z_j in enumerate(z)}
    p = [math.comb(d - j, k - 1) * first(z[j - 1], z[j:], k) for j in range(1, d - k + 2)]
    law: RankLaw = {}
    for j, p_j in enumerate(p, start=1):
        z_rest = [rest(w[i], z[i], z[j - 1] / (k - 1)) for i in range(j, d)]
        for T, chance in select(z_rest, k - 1, w[j:], first, rest).items():
            law[(j - 1, *(r + j for r in T))] = p_j / sum(p) * chance
    return law


def selected(
    rule: hv.Rule,
    k: int,
    epsilon: str,
    first: First = first_corrected,
    rest: Rest = rest_corrected,
) -> RankLaw:
    return select(start_weights(rule, k, growth(epsilon)), k, rule.scores, first, rest)


def realised_epsilon(rule: hv.Rule, law: RankLaw) -> float:
    """Over all rankings and all sets of candidates."""
    assert sum(law.values()) == 1
    assert min(law.values()) > 0
    rankings = itertools.permutations(range(rule.d))
    return math.log(largest_ratio(named(law, ranking) for ranking in rankings))


def expected_scores(rule: hv.Rule, k: int, E: Fraction, law: RankLaw) -> View:
    """What the counter's estimator makes of a sampler with this law, rank by rank."""
    a, b = estimator(rule, k, E)
    return tuple(a * sum(p for T, p in law.items() if r in T) - b for r in range(rule.d))


def estimator(rule: hv.Rule, k: int, E: Fraction) -> tuple[Fraction, Fraction]:
    """a and b from the law alone: a candidate's chance to be named is (score + b) / a."""
    law = defined_law(rule, k, E)
    chance = [sum(p for T, p in law.items() if r in T) for r in (0, rule.d - 1)]
    a = (rule.scores[0] - rule.scores[-1]) / (chance[0] - chance[1])
    return a, a * chance[0] - rule.scores[0]


def additive_views(rule: hv.Rule, k: int, E: Fraction) -> list[tuple[View, Fraction]]:
    """Every view of the vote 0 > 1 > 2 ..., with its probability."""
    a, b = estimator(rule, k, E)
    return [
        (tuple(a * (j in T) - b for j in range(rule.d)), p)
        for T, p in defined_law(rule, k, E).items()
    ]


def test_corrected_additive_select_has_the_law_of_the_definition() -> None:
    for rule in rules(4, 5):
        for k, epsilon in itertools.product(range(1, rule.d), EPSILONS):
            law = selected(rule, k, epsilon)
            assert law == defined_law(rule, k, growth(epsilon))
            mechanism = hv.Additive(rule, epsilon, k=k)
            for ranking in (tuple(range(rule.d)), (2, 0, 3, 1, 4)[: rule.d]):
                assert named(law, ranking) == library_law(mechanism, ranking)
    for epsilon in EPSILONS:
        law = selected(hv.borda(4), 2, epsilon)
        listing = certify.enumerated(hv.Additive(hv.borda(4), epsilon, k=2))
        rankings = itertools.permutations(range(4))
        ratio = largest_ratio(named(law, ranking) for ranking in rankings)
        assert ratio == listing.largest_ratio == growth(epsilon)


def test_printed_additive_select_probability_breaks_privacy() -> None:
    """p_j with `- z_j`, all else corrected: z starts as printed, z' adds to z, k = 1 ends it.

    The figure 0.628 is the reading "subtract z_j once from the sum over the later ranks". Put
    inside the sum the term is no better: Borda d=4, k=2 then leaks 1.091 at epsilon 1.
    """
    rule, k = hv.borda(4), 2
    leak = realised_epsilon(rule, selected(rule, k, "0.1", first=first_printed))
    assert leak == pytest.approx(0.628, abs=5e-4)
    stated(leak, 3)
    at_one = realised_epsilon(rule, selected(rule, k, "1", first=first_printed))
    assert at_one > 1
    stated(at_one, 3)
    inside = realised_epsilon(rule, selected(rule, k, "1", first=first_printed_inside_the_sum))
    assert inside > 1
    stated(inside, 3)
    for epsilon in EPSILONS:
        law = selected(rule, k, epsilon)
        assert realised_epsilon(rule, law) <= float(epsilon)
        assert expected_scores(rule, k, growth(epsilon), law) == rule.scores
    law = selected(rule, k, "0.1", first=first_printed)
    for score in expected_scores(rule, k, growth("0.1"), law):
        stated(score, 2)


def test_printed_additive_select_weights_break_privacy() -> None:
    """z' from `w_j`, all else corrected; w are the scores of the rule, as everywhere in the paper.

    The figure 1.512 comes from adding raw scores (3, 2, 1, 0 for Borda) to z of about 1/2. The
    listing's title calls the third argument w as well; read so, w_j is z_j, and nothing is wrong.
    """
    rule, k = hv.borda(4), 2
    leak = realised_epsilon(rule, selected(rule, k, "0.1", rest=rest_printed))
    assert leak == pytest.approx(1.512, abs=5e-4)
    stated(leak, 3)
    both = selected(rule, k, "1", first=first_printed, rest=rest_printed)
    stated(realised_epsilon(rule, both), 3)
    assert realised_epsilon(rule, both) > 2
    z = start_weights(rule, k, growth("0.1"))
    assert select(z, k, z, rest=rest_printed) == defined_law(rule, k, growth("0.1"))
    for epsilon in EPSILONS:
        assert realised_epsilon(rule, selected(rule, k, epsilon)) <= float(epsilon)
    law = selected(rule, k, "0.1", rest=rest_printed)
    for score in expected_scores(rule, k, growth("0.1"), law):
        stated(score, 2)


def test_printed_additive_select_never_ends() -> None:
    """Without a base case k = 1 divides by zero; the normaliser as printed makes j uniform."""

    def literal(z: Sequence[Fraction], k: int) -> list[int]:
        """The printed listing on its likeliest path, the two privacy errors corrected."""
        d = len(z)
        p = [
            math.comb(d - j, k - 1) * (z[j - 1] + sum(z[j:]) * Fraction(k - 1, d - j))
            for j in range(1, d - k + 2)
        ]
        j = p.index(max(p)) + 1
        z_rest = [z[i] + z[j - 1] / (k - 1) for i in range(j, d)]
        return [j - 1, *(r + j for r in literal(z_rest, k - 1))]

    for rule in rules(4, 5):
        for k in range(1, rule.d):
            with pytest.raises(ZeroDivisionError):
                literal(start_weights(rule, k, growth("1")), k)
        z = start_weights(rule, 1, growth("1"))
        mechanism = hv.Additive(rule, "1", k=1)
        corrected = {frozenset([j]): z_j / sum(z) for j, z_j in enumerate(z)}
        assert corrected == library_law(mechanism, range(rule.d))
        printed_steps = [z_j / sum(z_j for _ in z) for z_j in z]
        assert set(printed_steps) == {Fraction(1, rule.d)}
        assert set(printed_steps) != set(corrected.values())


def test_additive_normaliser_divides_by_candidates_not_voters() -> None:
    def normaliser(rule: hv.Rule, k: int, E: Fraction, divisor: int) -> Fraction:
        least, most = extremes(rule, k)
        top = Fraction(k, divisor) * (E - 1) * rule.total - E * least + most
        return math.comb(rule.d, k) * top / (most - least)

    n = 10_000
    for rule in rules(4, 5):
        for k, epsilon in itertools.product(range(1, rule.d), EPSILONS):
            E = growth(epsilon)
            weights = sum(defined_weights(rule, k, E).values())
            assert normaliser(rule, k, E, divisor=rule.d) == weights
            assert normaliser(rule, k, E, divisor=n) != weights
    rule, k, E = hv.borda(4), 2, growth("1")
    right, printed = (normaliser(rule, k, E, divisor) for divisor in (rule.d, n))
    stated(right, 3)
    stated(printed, 3)
    stated(right / printed, 3)


def test_additive_diameter_for_borda_grows_with_the_square_of_d() -> None:
    E = growth("1")
    diameters = {}
    for d in (4, 8, 16, 32, 64):
        risks = hv.Additive(hv.borda(d), "1", k=1).risks()
        assert risks.diameter == pytest.approx(float(d * (d - 1) * (E + 1) / (E - 1)), rel=1e-12)
        assert risks.gap == pytest.approx(risks.diameter / 2, rel=1e-12)
        diameters[d] = risks.diameter
    a, b = estimator(hv.borda(4), 1, E)
    assert diameters[4] == pytest.approx(
        float(diameter(v for v, _ in additive_views(hv.borda(4), 1, E)))
    )
    assert (a, b) == (4 * 3 * (E + 1) / (2 * (E - 1)), 3 / (E - 1))
    stated(diameters[4], 2)
    stated(diameters[64], 1)
    stated(diameters[64] / diameters[4], 0)
    linear, quadratic = diameters[4] * 64 / 4, diameters[4] * (64 / 4) ** 2
    assert diameters[64] > 20 * linear
    assert quadratic < diameters[64] < 1.5 * quadratic


def test_additive_diameter_counts_the_smaller_side() -> None:
    loose = []
    for rule in rules(4, 5):
        for k, epsilon in itertools.product(range(1, rule.d), EPSILONS):
            E = growth(epsilon)
            a, _ = estimator(rule, k, E)
            listed = diameter(view for view, _ in additive_views(rule, k, E))
            assert listed == 2 * min(k, rule.d - k) * a
            risks = hv.Additive(rule, epsilon, k=k).risks()
            assert risks.diameter == pytest.approx(float(listed), rel=1e-12)
            assert (2 * k * a != listed) == (2 * k > rule.d)
            loose.append(2 * k * a / listed)
    assert max(loose) == 4
    a, _ = estimator(hv.borda(5), 4, growth("1"))
    stated(2 * a, 3)
    stated(2 * 4 * a, 3)


# --- the weighted sampling mechanism ------------------------------------------------------------

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
        assert certify.enumerated(mechanism).largest_ratio == s**2
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
        library = hv.WeightedSampling(rule, "1", intercept=c, masses=m)
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


# --- the Laplace mechanism ----------------------------------------------------------------------


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
    in_points = 1 / (noise_rate(mechanism) * mechanism.steps)
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
        g = mechanism.steps
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
            return 1 - math.exp(-noise_rate(mechanism) * radius * mechanism.steps)

        right, printed = math.log(20) * delta / e, math.log(20) * delta
        assert share_inside(right) == pytest.approx(0.95, abs=1e-4)
        assert (share_inside(printed) == pytest.approx(0.95, abs=1e-3)) == (epsilon == "1")
        view = mechanism.views(mechanism.disguise(favour=1, against=0))[0]
        assert view[1] == pytest.approx(right + 7, abs=1 / mechanism.steps)
        assert view[0] == pytest.approx(-right, abs=1 / mechanism.steps)
        if epsilon != "1":
            stated(100 * share_inside(printed), 2)
        stated(right, 2)
    stated(math.log(20) * 32, 2)


# --- discussion, related work, experiments ------------------------------------------------------


def test_popoviciu_bound_does_not_fall_with_n() -> None:
    """The bound on the widest coordinate, and so on the diameter; then a stronger one."""
    for rule in rules(4):
        for epsilon in EPSILONS:
            cases = [
                (hv.Additive(rule, epsilon, k=k), additive_views(rule, k, growth(epsilon)))
                for k in range(1, rule.d)
            ]
            sampling = hv.WeightedSampling(rule, epsilon)
            cases.append((sampling, sampling_views(rule, root(epsilon), range(rule.d))))
            for mechanism, law in cases:
                error = enumerated_mse(law, rule.scores)
                columns = list(zip(*(view for view, _ in law), strict=True))
                ranges = [max(column) - min(column) for column in columns]
                for column, width, w in zip(columns, ranges, rule.scores, strict=True):
                    variance = sum(p * (x - w) ** 2 for x, (_, p) in zip(column, law, strict=True))
                    assert 4 * variance <= width**2
                assert rule.d * max(ranges) ** 2 >= 4 * error
                assert diameter(view for view, _ in law) ** 2 >= 2 * error
                for n in (1, 10_000):
                    bound = 2 * math.sqrt(n * mechanism.mse(n) / rule.d)
                    assert mechanism.risks(n).diameter >= bound
                    assert bound == pytest.approx(2 * math.sqrt(error / rule.d), rel=1e-9)
                    printed = 2 * math.sqrt(mechanism.mse(n) / n)
                    assert printed == pytest.approx(bound * math.sqrt(rule.d) / n, rel=1e-9)
    additive, n = hv.Additive(hv.borda(8), "1"), 10_000
    stated(additive.risks(n).diameter, 2)
    stated(2 * math.sqrt(n * additive.mse(n) / 8), 2)
    stated(math.sqrt(2 * n * additive.mse(n)), 2)
    stated(2 * math.sqrt(additive.mse(n) / n), 4)
    # Where the inequality is tight, a bound that is larger by sqrt(d) does not hold for n = 1.
    tight = hv.Additive(hv.plurality(2), "0.01", k=1)
    width = tight.risks().gap
    assert 2 * math.sqrt(tight.mse() / 2) == pytest.approx(width, rel=1e-4)
    assert 2 * math.sqrt(tight.mse()) > 1.4 * width


def test_opting_out_shrinks_totals_by_one_minus_p() -> None:
    p = Fraction(1, 4)
    honest = [view for view, _ in additive_views(hv.borda(4), 1, growth("1"))][:3]
    fraud = honest[0]

    def kept(views: Sequence[View]) -> tuple[View, View]:
        """Expected total, and expected average given that anyone is left."""
        total, average, some = [Fraction(0)] * 4, [Fraction(0)] * 4, Fraction(0)
        for keep in itertools.product((False, True), repeat=len(views)):
            chance = math.prod(1 - p if k else p for k in keep)
            sums = [sum(v[j] for v, k in zip(views, keep, strict=True) if k) for j in range(4)]
            total = [t + chance * x for t, x in zip(total, sums, strict=True)]
            if any(keep):
                some += chance
                average = [a + chance * x / sum(keep) for a, x in zip(average, sums, strict=True)]
        return tuple(total), tuple(a / some for a in average)

    (before, fair), (after, shifted) = kept(honest), kept([*honest, fraud])
    moved = [y - x for x, y in zip(before, after, strict=True)]
    assert moved == [(1 - p) * x for x in fraud]
    assert moved != [p * x for x in fraud]
    assert fair == tuple(sum(column) / 3 for column in zip(*honest, strict=True))
    assert shifted == tuple(sum(column) / 4 for column in zip(*honest, fraud, strict=True))
    stated(moved[0] / fraud[0], 2)
    stated(p, 2)


def test_coordinate_sampling_is_unbiased_when_scaled_by_d() -> None:
    """One coordinate, drawn without looking at the vote; its score as one noisy bit (so that the
    law can be listed): centre + K or centre - K, with K chosen to keep epsilon exactly.
    """
    E = growth("1")
    for rule in rules(3, 4):
        d, centre = rule.d, (rule.scores[0] + rule.scores[-1]) / 2
        K = (rule.scores[0] - centre) * (E + 1) / (E - 1)
        laws, rankings = [], list(itertools.permutations(range(d)))
        for ranking in rankings:
            vote = scored(rule, ranking)
            laws.append(
                {
                    (j, sign): (1 + sign * (vote[j] - centre) / K) / (2 * d)
                    for j in range(d)
                    for sign in (1, -1)
                }
            )
        assert largest_ratio(laws) == E
        for ranking, law in zip(rankings, laws, strict=True):
            unscaled = [
                (tuple((centre + sign * K) * (i == j) for i in range(d)), p)
                for (j, sign), p in law.items()
            ]
            scaled = [(tuple(d * x for x in view), p) for view, p in unscaled]
            vote = scored(rule, ranking)
            assert mean_view(scaled) == vote
            assert mean_view(unscaled) == tuple(x / d for x in vote) != vote
    # With Laplace noise on the one coordinate, as in the works the paper names.
    rule = hv.borda(5)
    noise = 2 * (rule.scores[0] - rule.scores[-1]) ** 2
    error = 5 * sum(w**2 + noise for w in rule.scores) - sum(w**2 for w in rule.scores)
    assert error < hv.Laplace(rule, "1").mse()
    stated(error, 0)
    stated(2 * 5 * rule.diameter**2, 0)


def test_largest_electorate_of_the_figures_is_a_tenth_of_the_table() -> None:
    """A statement about figures; what can be computed is how far off a reader would be."""
    mechanism = hv.Additive(hv.borda(8), "1")
    shown, table = mechanism.mse(100_000), mechanism.mse(1_000_000)
    assert shown == pytest.approx(10 * table, rel=1e-12)
    stated(shown, 4)
    stated(table, 4)


# --- the page itself ----------------------------------------------------------------------------


def test_page_and_tests_name_each_other() -> None:
    here = sys.modules[__name__]
    tests = {
        name for name, _ in inspect.getmembers(here, inspect.isfunction) if name[:5] == "test_"
    }
    tests -= {"test_page_and_tests_name_each_other", "test_links_of_the_page_lead_to_its_headings"}
    named_by_heading = {
        heading: set(re.findall(r"`(test_\w+)`", text)) for heading, text in sections().items()
    }
    assert len(named_by_heading) == 21
    for heading, names in named_by_heading.items():
        assert names, f"the erratum {heading!r} names no test"
        assert names <= tests, f"the erratum {heading!r} names tests that are not here"
    page = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"\btest_\w+", page)) - {"test_errata"} == tests
    assert set().union(*named_by_heading.values()) == tests


def test_links_of_the_page_lead_to_its_headings() -> None:
    page = PAGE.read_text(encoding="utf-8")
    linked = re.findall(r"\]\(#([^)]+)\)", page)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in sections()]
    assert len(slugs) == len(set(slugs))
    assert set(linked) == set(slugs)

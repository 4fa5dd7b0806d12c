"""The checks of detection, one by one: bounds are those of the law, p-values hold."""

import itertools
import math
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import binom

import hushvote as hv
from hushvote.detection import Check, Inspection, honest, tails
from hushvote.detection.check import corrected
from hushvote.detection.scores import scores
from hushvote.mechanisms import listing, registry
from hushvote.messages.phrases import span
from tests.conftest import listable, random_orders, random_rule
from tests.test_detection import checks_of


def small() -> list[hv.Mechanism]:
    rules = [hv.borda(4), hv.nauru(3), hv.Rule("best-worst", [2, 1, 1, 0]), random_rule(4, 3)]
    return [made for rule in rules for epsilon in ("0.1", 1) for made in listable(rule, epsilon)]


@pytest.mark.parametrize("made", small(), ids=repr)
def test_chances_are_the_extremes_over_all_rankings(made):
    laws = [
        {report.tobytes(): float(p) for report, p in made.outcomes(ranking)}
        for ranking in itertools.permutations(range(made.d))
    ]
    reports = np.concatenate([report for report, _ in made.outcomes(range(made.d))])
    low, high = made.signals().chances(reports)
    default = listing.chances(made, reports)
    for i, report in enumerate(reports.reshape(-1, 1)):
        chances = [one[report.tobytes()] for one in laws]
        assert low[i] == pytest.approx(min(chances))
        assert high[i] == pytest.approx(max(chances))
        assert default[0][i] == pytest.approx(low[i])
        assert default[1][i] == pytest.approx(high[i])


def test_a_law_is_listed_if_it_is_no_longer_than_allowed(monkeypatch):
    for most, listed in ((6, True), (5, False)):  # ordered pairs of three candidates
        monkeypatch.setattr(listing, "MOST_LISTED", most)
        assert (hv.Duel(hv.borda(3), "0.1").listed is not None) == listed


@pytest.mark.parametrize("made", small(), ids=repr)
def test_means_of_counts_keep_their_bounds_for_every_ranking(made):
    for ranking in itertools.permutations(range(made.d)):
        outcomes = [(made.count(report), float(p)) for report, p in made.outcomes(ranking)]
        for batch in honest.honest_counts(made).batches:
            mean = sum(p * batch.sums(counts) for counts, p in outcomes)
            square = sum(p * batch.sums(counts) ** 2 for counts, p in outcomes)
            assert (mean >= batch.bounds.low - 1e-12).all()
            assert (mean <= batch.bounds.high + 1e-12).all()
            assert (square - mean**2 <= batch.bounds.variance + 1e-12).all()
            values = np.stack([batch.sums(counts) for counts, _ in outcomes])[
                :, batch.bounds.binary
            ]
            unit = (batch.bounds.least + batch.bounds.most)[batch.bounds.binary]
            assert ((values == 0) | (values == unit)).all()


@pytest.mark.parametrize("made", small(), ids=repr)
def test_laws_too_long_to_list_have_the_bounds_of_the_listed_law(made, monkeypatch):
    """Pairs of groups have wider ones: they are not counted exactly."""
    exact = honest.honest_counts(made)
    monkeypatch.setattr(listing, "MOST_LISTED", 1)
    honest.honest_counts.cache_clear()
    large = honest.honest_counts(hv.mechanism_from(made.parameters()))
    honest.honest_counts.cache_clear()
    kinds = [{b.what.kind for b in one.batches if b.bounds.varies.any()} for one in (exact, large)]
    assert kinds[0] == kinds[1]
    for batch in large.batches:
        what = batch.what
        (same,) = (
            b for b in exact.batches if (b.what.array, b.what.kind) == (what.array, what.kind)
        )
        assert what.people == same.what.people
        assert np.array_equal(what.cells, same.what.cells)
        if what.kind == 2:
            wide, tight = batch.bounds, same.bounds
            assert (wide.low <= tight.low + 1e-12).all()
            assert (wide.high >= tight.high - 1e-12).all()
            assert (wide.least <= tight.least).all()
            assert (wide.most >= tight.most).all()
            assert (wide.variance >= tight.variance - 1e-12).all()
            if what.array == "pairs":
                assert wide.low == pytest.approx(tight.low, abs=1e-12)
                assert wide.high == pytest.approx(tight.high, abs=1e-12)
            continue
        assert batch.bounds.varies.tolist() == same.bounds.varies.tolist()
        varies = same.bounds.varies
        for one, other in zip(vars(batch.bounds).values(), vars(same.bounds).values(), strict=True):
            assert one[varies] == pytest.approx(other[varies], abs=1e-12)


def test_tails_bound_what_they_should():
    """Bennett above the binomial tail, the Laplace tail above a simulated one."""
    n, p = 500, 0.07
    for k in (40, 60, 90):
        bound = tails.bennett(np.array([k - n * p]), n, np.array([p * (1 - p)]), np.array([1 - p]))
        assert binom.logsf(k - 1, n, p) <= bound[0] < 0
    made = hv.mechanism("laplace", hv.borda(2), 2)  # of scale 1
    rng = np.random.default_rng(0)
    orders = np.tile(np.array([0, 1], dtype=np.uint8), (1_000_000, 1))
    off = made.views(made.privatize(orders, rng=rng))[:, 0] - 1
    sums = off.reshape(-1, 10).sum(axis=1)
    for t in (8.0, 14.0):
        (bound,) = made.signals().score_tail(np.array([t]), 10)
        assert math.log((sums >= t).mean()) <= bound < 0
    assert made.signals().score_tail(np.array([-1.0]), 10) == 0


def test_sums_that_are_too_small_are_as_striking_as_those_that_are_too_large():
    """Turned round, a statistic has the same p-value; and it is looked at from both sides."""
    low, high, least, most, variance = (np.array([x]) for x in (1.0, 1.2, 0.0, 3.0, 0.5))
    bounds = tails.Bounds(low, high, least, most, variance, np.array([False]))
    turned = tails.Bounds(-high, -low, -most, -least, variance, np.array([False]))
    for total in (40, 160):
        same = turned.p_values(np.array([-total]), 100)
        assert bounds.p_values(np.array([total]), 100) == pytest.approx(same)
    tail = math.log(2) + tails.bennett(40.0, 100, 0.5, 2.0)
    assert bounds.p_values(np.array([160]), 100) == pytest.approx(tail)


def test_p_values_are_two_tails_for_each_test():
    """30 reports name candidate 0: one test a candidate, a report by its share of the level."""
    made = hv.Additive(hv.borda(4), 1, k=1)
    reports = np.repeat(made.domain.from_wire({"chosen": [0]}), 30)
    (low,), (high,) = made.signals().chances(reports[:1])
    found, ends = checks_of(made, reports), f"{30 * low:.0f} to {30 * high:.0f}."
    assert found["candidates"].p_value == pytest.approx(2 * high**30 * 4, rel=1e-9, abs=0)
    assert found["candidates"].finding.endswith(f": 30 times, where honest devices average {ends}")
    assert found["reports"].p_value == pytest.approx(2 * high**30 / low, rel=1e-9, abs=0)
    assert f"average {30 * low:.1f} to {30 * high:.1f}." in found["reports"].finding


def test_a_circle_is_tested_both_ways_round(monkeypatch):
    """Pairs of three candidates: of a circle at most two are true, and there are two circles."""
    made = hv.Duel(hv.borda(3), "0.1")
    wires = [{"plus": [i], "minus": [j]} for i, j in ((0, 1), (1, 2), (2, 0))]
    reports = np.concatenate([made.domain.from_wire(wire) for wire in wires for _ in range(100)])
    E = float(made.odds.ratio)
    low, high = (E + 2) / 3 / (E + 1), (2 * E + 1) / 3 / (E + 1)
    for block in (1000, 7):
        monkeypatch.setattr(import_module("hushvote.detection.cycles"), "BLOCK", block)
        found = checks_of(made, reports)["cycles"]
        assert found.p_value == pytest.approx(2 * high**300 * 2, rel=1e-9, abs=0)
        ends = f"{300 * low:.0f} to {300 * high:.0f}"
        assert f": 300 reports, where honest devices average {ends}" in found.finding


def test_findings_count_reports():
    """Every report once, and one of them 400 times more."""
    duel, marked = hv.Duel(hv.borda(5), 3), hv.WeightedSampling(hv.nauru(3), 2)
    (listed, _), (others, _) = duel.listed, marked.listed
    found = checks_of(duel, np.concatenate([listed, np.repeat(listed[:1], 400)]))
    assert ": 405 times, " in found["types"].finding
    found = checks_of(marked, np.concatenate([others, np.repeat(others[-1:], 400)]))
    (low,), (high,) = marked.signals().chances(others[-1:])
    ends = span(416 * low, 416 * high, 1)
    assert f"sent 401 times, where honest devices average {ends}" in found["reports"].finding


def test_points_are_tested_for_every_group_of_candidates():
    """20 reports of the largest view, of three candidates: 3 groups of each of 2 sizes, with the
    tail of the law, by listing all groups; and as many of a Laplace report.
    """
    made = hv.WeightedSampling(hv.nauru(3), 2)
    w, (listed, chances) = made.rule.vector, made.listed
    views = made.views(listed)
    worst = int(views[:, 0].argmax())
    best, p_values = np.sort(views[worst])[::-1], []
    for m in (1, 2):
        groups = [list(group) for group in itertools.combinations(range(3), m)]
        sums = np.array([views[:, group].sum(axis=1) for group in groups])
        variance = (sums**2 @ chances - (sums @ chances) ** 2).max()
        excess = 20 * (best[:m].sum() - w[:m].sum())
        tail = tails.bennett(excess, 20, variance, sums.max() - w[-m:].sum())
        p_values.append(math.exp(tail) * 3 * 2)
    found = checks_of(made, np.repeat(listed[worst : worst + 1], 20))["scores"]
    assert found.p_value == pytest.approx(min(p_values), rel=1e-9, abs=0)
    noisy = hv.Laplace(hv.borda(3), 2)
    sent = np.repeat(noisy.disguise(favour=0, against=1, n=1), 20)
    best = np.cumsum(np.sort(noisy.views(sent)[0])[::-1])[:2]
    rate = np.linspace(0, 0.5, 100_000, endpoint=False)  # by Chernoff, of scale 2
    tail = min(
        (-rate * excess - 20 * m * np.log1p(-((2 * rate) ** 2))).min()
        for m, excess in enumerate(20 * (best - [2, 3]), start=1)
    )
    found = checks_of(noisy, sent)["scores"]
    assert found.p_value == pytest.approx(math.exp(tail) * 3 * 2, rel=1e-3, abs=0)


@pytest.mark.parametrize("made", small(), ids=repr)
def test_points_are_judged_no_harder_without_a_list(made, monkeypatch):
    scores = import_module("hushvote.detection.scores")
    excess = 40 * np.arange(1.0, made.d)
    listed = scores._score_tail(made, excess, 100)
    monkeypatch.setattr(scores, "MOST_SUBSETS", 1)
    assert (scores._score_tail(made, excess, 100) >= listed * (1 + 1e-12)).all()


def test_checks_are_corrected_for_each_other():
    checks = tuple(Check(name, p, "", name) for name, p in (("a", 0.004), ("b", 0.009), ("c", 1.0)))
    assert Inspection(10, 0.02, checks).p_value == pytest.approx(0.012)
    assert not Inspection(10, 0.01, checks).suspicious
    assert Inspection(10, 0.02, checks).suspicious
    assert Inspection(10, 0.02, checks).explain()[1:] == ("a",)
    assert corrected(math.log(0.01), math.log(5)) == pytest.approx(0.05)
    assert corrected(math.log(0.5), math.log(5)) == 1


def test_sides_are_those_that_count_above_and_below_the_rest():
    made = hv.Duel(hv.Rule("best-worst", [2, 1, 1, 0]), "0.1")
    assert made.groups == ("plus", "minus", "best", "worst")
    reports, _ = made.listed
    above, below = made.signals().sides(reports)
    marks = sum(
        np.sign(made.shapes.marks[made.variants(reports), g, None])
        * np.array([[mask >> j & 1 for j in range(4)] for mask in reports[name]])
        for g, name in enumerate(made.groups)
    )
    assert (above - below == marks).all()
    assert (above * below == 0).all()


def test_two_candidates_make_no_circles():
    made = hv.Duel(hv.borda(2), 1)
    reports = made.privatize(random_orders(100, 2), rng=np.random.default_rng(15))
    assert "cycles" not in checks_of(made, reports)


class Unbounded(hv.Laplace):
    """Views without a largest size, and nothing known of their sums."""

    name = "unbounded"
    signals = hv.Mechanism.signals


def test_nothing_is_said_of_points_where_nothing_is_known(monkeypatch):
    monkeypatch.setitem(registry._registry, "unbounded", Unbounded)
    made = Unbounded(hv.borda(4), 1)
    with np.errstate(all="raise"):
        found = scores(made, made.tally(made.disguise(0, 1, n=50)), "ABCD")
    assert found.p_value == 1


def test_variants_have_names_of_their_own():
    for made in (
        hv.Duel(hv.borda(8), 1),
        hv.Challenge(hv.nauru(6), 1),
        hv.WeightedSampling(hv.borda(8), 1),
    ):
        levels = max(len(array) for array in made.zero().values())
        assert len({made.signals().variant_words(level) for level in range(levels)}) == levels > 1


def test_a_law_of_many_cells_is_listed_in_blocks(monkeypatch):
    made = hv.Duel(hv.nauru(6), 1)
    honest.honest_counts.cache_clear()
    whole = honest.honest_counts(made)
    monkeypatch.setattr(honest, "CELLS", 1)
    honest.honest_counts.cache_clear()
    for one, other in zip(whole.batches, honest.honest_counts(made).batches, strict=True):
        for a, b in zip(vars(one.bounds).values(), vars(other.bounds).values(), strict=True):
            assert a == pytest.approx(b, rel=1e-12)
    honest.honest_counts.cache_clear()

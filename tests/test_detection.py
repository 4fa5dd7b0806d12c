"""Detection: bounds are those of the law, honest polls pass, and made-up reports are found."""

import itertools
import math
import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import binom

import hushvote as hv
from hushvote import detection
from hushvote.detection import Check, Inspection, law, tails
from hushvote.detection.check import corrected
from hushvote.detection.frequencies import frequencies
from hushvote.detection.scores import scores
from hushvote.mechanisms import listing, registry
from hushvote.messages.phrases import span
from tests.conftest import listable, random_orders, random_rule


def paper(rng, n, d):
    """An electorate of the paper's kind."""
    return np.argsort(-rng.random(d) * rng.random((n, d)), axis=1).astype(np.uint8)


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
        for batch in law.law_of(made).batches:
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
    exact = law.law_of(made)
    monkeypatch.setattr(listing, "MOST_LISTED", 1)
    law.law_of.cache_clear()
    large = law.law_of(hv.mechanism_from(made.parameters()))
    law.law_of.cache_clear()
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


def checks_of(made: hv.Mechanism, reports: np.ndarray) -> dict[str, Check]:
    return {check.name: check for check in hv.inspect(made.tally(reports), reports).checks}


def test_p_values_are_two_tails_for_each_test():
    """30 reports name candidate 0: one test a candidate, a report by its share of the level."""
    made = hv.Additive(hv.borda(4), 1, k=1)
    reports = np.repeat(made.domain.from_wire({"chosen": [0]}), 30)
    (low,), (high,) = made.signals().chances(reports[:1])
    found, reach = checks_of(made, reports), f"{30 * low:.0f} to {30 * high:.0f}."
    assert found["candidates"].p_value == pytest.approx(2 * high**30 * 4, rel=1e-9, abs=0)
    assert found["candidates"].finding.endswith(f": 30 times, where honest devices average {reach}")
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
        reach = f"{300 * low:.0f} to {300 * high:.0f}"
        assert f": 300 reports, where honest devices average {reach}" in found.finding


def test_findings_count_reports():
    """Every report once, and one of them 400 times more."""
    duel, marked = hv.Duel(hv.borda(5), 3), hv.WeightedSampling(hv.nauru(3), 2)
    (listed, _), (others, _) = duel.listed, marked.listed
    found = checks_of(duel, np.concatenate([listed, np.repeat(listed[:1], 400)]))
    assert ": 405 times, " in found["types"].finding
    found = checks_of(marked, np.concatenate([others, np.repeat(others[-1:], 400)]))
    (low,), (high,) = marked.signals().chances(others[-1:])
    reach = span(416 * low, 416 * high, 1)
    assert f"sent 401 times, where honest devices average {reach}" in found["reports"].finding


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


EXTREMES = {
    "identical": lambda rng, n, d: np.tile(np.arange(d, dtype=np.uint8), (n, 1)),
    "two blocs": lambda rng, n, d: np.where(
        rng.random((n, 1)) < 0.5, np.arange(d), np.arange(d)[::-1]
    ).astype(np.uint8),
    "impartial": lambda rng, n, d: random_orders(n, d, int(rng.integers(1 << 30))),
}


@pytest.mark.parametrize("electorate", EXTREMES)
@pytest.mark.parametrize("name", hv.mechanism_names())
def test_honest_polls_are_rarely_suspected(name, electorate):
    """Level 0.05, 60 polls: 12 or more alarms would have a chance below 4e-5."""
    rng = np.random.default_rng(5)
    made = hv.mechanism(name, hv.borda(5), 1)
    alarms = 0
    for _ in range(60):
        reports = made.privatize(EXTREMES[electorate](rng, 300, 5), rng=rng)
        alarms += hv.inspect(made.tally(reports), reports, level=0.05).suspicious
    assert alarms < 12


@pytest.mark.parametrize("kind", ["one report", "all harmful ones"])
def test_made_up_duels_are_found(kind):
    """5 % of 10 000, epsilon 1, Borda over 8: at least 18 of 20 polls, from the tally alone."""
    rng = np.random.default_rng(6)
    made = hv.Duel(hv.borda(8), 1)
    found = 0
    for _ in range(20):
        fakes = made.disguise(favour=1, against=0, n=500, rng=rng)
        if kind == "one report":
            fakes = np.repeat(fakes[:1], 500)
        reports = np.concatenate([made.privatize(paper(rng, 9_500, 8), rng=rng), fakes])
        found += hv.inspect(made.tally(reports)).suspicious
    assert found >= 18


def test_the_finding_names_what_was_made_up():
    rng = np.random.default_rng(7)
    made = hv.Duel(hv.borda(4), 1)
    fakes = np.repeat(made.disguise(favour=2, against=0, n=1, rng=rng), 400)
    reports = np.concatenate([made.privatize(paper(rng, 4_000, 4), rng=rng), fakes])
    inspection = hv.inspect(made.tally(reports), reports)
    assert inspection.suspicious
    assert {check.name for check in inspection.checks} == {
        "types", "candidates", "pairs", "scores", "reports", "cycles",
    }  # fmt: skip
    sent = made.words(fakes[:1], [f"candidate {j}" for j in range(4)])
    said = "\n".join(inspection.explain())
    assert "some of them were made up" in said
    assert f"“{sent}” was sent" in said
    data = inspection.to_dict()
    assert data["suspicious"] is True
    assert data["words"] == list(inspection.explain())


def test_the_most_striking_count_is_named():
    made = hv.Duel(hv.borda(4), "0.1")  # pairwise comparison
    wires = [{"plus": [i], "minus": [0]} for i in (1, 2, 3)]
    reports = np.concatenate([made.domain.from_wire(wire) for wire in wires for _ in range(10)])
    said = checks_of(made, reports)["candidates"].finding
    assert said.startswith("candidate 0 under others in reports: 30 times, ")


def test_circles_are_found():
    """Fakes that spread over A over B, B over C and C over A."""
    rng = np.random.default_rng(8)
    made = hv.Duel(hv.borda(8), "0.1")  # pairwise comparison
    wires = [{"plus": [i], "minus": [j]} for i, j in ((0, 1), (1, 2), (2, 0))]
    fakes = np.concatenate([made.domain.from_wire(wire) for wire in wires for _ in range(120)])
    reports = np.concatenate([made.privatize(random_orders(6_000, 8), rng=rng), fakes])
    inspection = hv.inspect(made.tally(reports), reports)
    (cycles,) = (check for check in inspection.checks if check.name == "cycles")
    assert cycles.p_value < 1e-6
    assert "candidate 0 over candidate 1 over candidate 2 over candidate 0" in cycles.finding


def test_points_that_nobody_could_be_given_are_found():
    made = hv.Laplace(hv.borda(4), 1)
    rng = np.random.default_rng(9)
    fakes = made.disguise(favour=1, against=0, n=3_000, rng=rng)
    inspection = hv.inspect(
        made.tally(np.concatenate([made.privatize(paper(rng, 3_000, 4)), fakes]))
    )
    assert [check.name for check in inspection.checks] == ["scores"]
    assert "no votes can give more than 3.000" in inspection.explain()[1]


def test_many_candidates_are_inspected_without_a_list():
    rng = np.random.default_rng(10)
    made = hv.Duel(hv.borda(16), 1)
    reports = made.privatize(paper(rng, 20_000, 16), rng=rng)
    assert not hv.inspect(made.tally(reports), reports).suspicious
    reports[:1_000] = made.disguise(favour=3, against=4, n=1_000, rng=rng)
    found = {check.name: check for check in hv.inspect(made.tally(reports)).checks}
    assert found["pairs"].p_value < 1e-12
    assert "candidate 3 and candidate 4 on one side" in found["pairs"].finding


@pytest.mark.parametrize("name", ["duel", "weighted-sampling", "additive"])
@pytest.mark.parametrize("electorate", ["identical", "two blocs"])
def test_honest_polls_of_many_candidates_are_rarely_suspected(name, electorate):
    """Level 0.05, 20 polls: 7 or more alarms would have a chance below 4e-5."""
    rng = np.random.default_rng(11)
    made = hv.mechanism(name, hv.borda(20), 1, **({"k": 8} if name == "additive" else {}))
    assert made.listed is None
    alarms = 0
    for _ in range(20):
        tally = made.tally(made.privatize(EXTREMES[electorate](rng, 300, 20), rng=rng))
        inspection = hv.inspect(tally, level=0.05)
        assert "pairs" in {check.name for check in inspection.checks}
        alarms += inspection.suspicious
    assert alarms < 7


def test_what_is_said_of_honest_reports_accuses_nobody():
    made = hv.Duel(hv.borda(4), 1)
    reports = made.privatize(random_orders(500, 4), rng=np.random.default_rng(12))
    for check in hv.inspect(made.tally(reports), reports).checks:
        assert re.search(r"\d", check.finding), check.finding
        assert not re.search("of kind|could make it", check.finding), check.finding


def test_sides_are_named_by_the_sign_of_what_is_counted():
    """Groups of one each only ever count pairs on opposite sides."""
    made = hv.Challenge(hv.borda(4), 1)
    reports = made.privatize(random_orders(500, 4), rng=np.random.default_rng(14))
    finding = checks_of(made, reports)["pairs"].finding
    assert re.search(r"candidate \d and candidate \d on opposite sides in reports of", finding)


def test_bounds_in_words():
    assert [span(5, 2), span(2.2, 1.9), span(-0.2, -3), span(0.14, 0.11, 1)] == [
        "2 to 5",
        "2",
        "-3 to 0",
        "0.1",
    ]


def test_sides_are_those_that_count_above_and_below_the_rest():
    made = hv.Duel(hv.Rule("best-worst", [2, 1, 1, 0]), "0.1")
    assert made.groups == ("plus", "minus", "best", "worst")
    reports, _ = made.listed
    above, below = made.signals().sides(reports)
    marks = sum(
        np.sign(made.shapes.marks[made.levels(reports), g, None])
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


def test_levels_have_names_of_their_own():
    for made in (
        hv.Duel(hv.borda(8), 1),
        hv.Challenge(hv.nauru(6), 1),
        hv.WeightedSampling(hv.borda(8), 1),
    ):
        levels = max(len(array) for array in made.zero().values())
        assert len({made.signals().level_words(level) for level in range(levels)}) == levels > 1


def test_a_law_of_many_cells_is_listed_in_blocks(monkeypatch):
    made = hv.Duel(hv.nauru(6), 1)
    law.law_of.cache_clear()
    whole = law.law_of(made)
    monkeypatch.setattr(law, "CELLS", 1)
    law.law_of.cache_clear()
    for one, other in zip(whole.batches, law.law_of(made).batches, strict=True):
        for a, b in zip(vars(one.bounds).values(), vars(other.bounds).values(), strict=True):
            assert a == pytest.approx(b, rel=1e-12)
    law.law_of.cache_clear()


class ByNumber(hv.Additive):
    """The same as naming one candidate, but by its number: renaming does not show."""

    name = "by-number"

    @property
    def fields(self):
        return (hv.Field.integer("chosen", 0, (1 << self.d) - 1),)

    def signals(self):
        return replace(super().signals(), chances=None)


def test_reports_that_renaming_does_not_follow_are_not_judged_one_by_one():
    made = ByNumber(hv.borda(4), 1, k=1)
    reports = made.privatize(random_orders(5, 4))
    assert listing.orbits(made) is listing.chances(made, reports) is None
    assert frequencies(made, reports, "ABCD") is None
    with pytest.raises(hv.MechanismError, match="does not name candidates by sets"):
        hv.shuffled_epsilon(made, 1000, bound="tight")


class Wide(hv.Additive):
    """A mechanism whose reports may hold what it never sends."""

    name = "wide"

    @property
    def fields(self):
        return (hv.Field.mask("chosen", self.d),)

    def signals(self):
        return replace(super().signals(), chances=None)


def test_a_report_that_is_never_sent_is_found_at_once():
    made = Wide(hv.borda(4), 1, k=1)
    reports = made.privatize(random_orders(200, 4))
    assert frequencies(made, reports, "ABCD").p_value > 1e-6
    reports["chosen"][7] = 0b1011
    assert frequencies(made, reports, "ABCD").p_value == 0


@pytest.mark.parametrize(
    ("p", "said"), [(0.00145, "0.002"), (0.002, "0.002"), (1e-12, "1e-12"), (0.0095, "0.01")]
)
def test_the_chance_of_honesty_is_rounded_up(p, said):
    check = detection.Check("types", p, "", "")
    assert f"at most {said}:" in detection.Inspection(9, 0.01, (check,)).explain()[0]


def test_bad_input_is_refused():
    made = hv.Duel(hv.borda(4), 1)
    reports = made.privatize(random_orders(10, 4))
    tally = made.tally(reports)
    with pytest.raises(hv.TallyError, match="no reports to inspect"):
        hv.inspect(made.tally(reports[:0]))
    with pytest.raises(hv.TallyError, match="inspect a tally, not"):
        hv.inspect(reports)
    with pytest.raises(hv.TallyError, match="the level must lie between 0 and 1, not 1"):
        hv.inspect(tally, level=1)
    others = made.privatize(random_orders(10, 4, seed=1), rng=np.random.default_rng(1))
    with pytest.raises(hv.ReportError, match="not the ones that the tally counts"):
        hv.inspect(tally, others)
    naive = hv.NaiveSampling(hv.borda(4), 1)  # of a single class, whose count is the same
    one, other = (naive.domain.from_wire({"marked": marked}) for marked in ([0], [1]))
    with pytest.raises(hv.ReportError, match="not the ones that the tally counts"):
        hv.inspect(naive.tally(one), other)
    with pytest.raises(hv.ReportError, match="counts 10 reports, but 9 were handed in"):
        hv.inspect(tally, reports[:9])
    with pytest.raises(hv.ReportError, match="the mechanism sends"):
        hv.inspect(tally, hv.Additive(hv.borda(4), 1).privatize(random_orders(10, 4)))

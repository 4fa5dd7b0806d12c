"""What the set of all reports gives away: the bound against exact lists, its figures and limits."""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.accounting import _normal, _Tilted, crowd_epsilon_of_any, log_delta
from hushvote.mechanisms import blanket
from hushvote.mechanisms.blanket import Blanket, sums_of_sets

PAIRWISE = {0.5: 0.0627, 1: 0.1487, 2: 0.3971}
BY_SETS = ["duel", "additive", "weighted-sampling", "naive-sampling"]


# --- never below the truth --------------------------------------------------------------------


class Bags:
    """All multisets of up to `most` reports, and what they become with one report more."""

    def __init__(self, reports: int, most: int) -> None:
        self.grown = []
        for size in range(most):
            bags = itertools.combinations_with_replacement(range(reports), size)
            larger = itertools.combinations_with_replacement(range(reports), size + 1)
            place = {bag: i for i, bag in enumerate(larger)}
            self.grown.append(
                np.array([[place[*sorted((*bag, r)),] for r in range(reports)] for bag in bags])
            )

    def with_one(self, size: int, law: np.ndarray, voter: np.ndarray) -> np.ndarray:
        """The law of the bags with one more voter's report."""
        return np.bincount(self.grown[size].ravel(), np.outer(law, voter).ravel())


def worst_deltas(made: hv.Mechanism, n: int, epsilons: list[float]) -> list[float]:
    """The largest exact delta of the set of n reports, over all votes of one voter and all votes of
    the others: by listing all sets.
    """
    rankings = list(itertools.permutations(range(made.d)))
    names = [report.tobytes() for report, _ in made.outcomes(rankings[0])]
    laws = []
    for ranking in rankings:
        law = {report.tobytes(): float(p) for report, p in made.outcomes(ranking)}
        laws.append(np.array([law[name] for name in names]))
    bags = Bags(len(names), n)
    worst = [0.0] * len(epsilons)

    def visit(size: int, law: np.ndarray, first: int) -> None:
        if size == n - 1:
            found = [bags.with_one(size, law, voter) for voter in laws]
            for other, (i, e) in itertools.product(found[1:], enumerate(epsilons)):
                delta = np.maximum(0, found[0] - math.exp(e) * other).sum()
                worst[i] = max(worst[i], float(delta))
            return
        for v in range(first, len(laws)):
            visit(size + 1, bags.with_one(size, law, laws[v]), v)

    visit(0, np.ones(1), 0)
    return worst


@pytest.mark.parametrize("epsilon", [1, 3])
@pytest.mark.parametrize("rule", [hv.borda(3), hv.nauru(3)], ids=str)
@pytest.mark.parametrize("name", BY_SETS)
def test_no_small_crowd_is_less_private_than_the_bound_says(name, rule, epsilon):
    made = hv.mechanism(name, rule, epsilon)
    epsilons = [0.1 * epsilon, 0.4 * epsilon, 0.8 * epsilon]
    of_odds = Blanket.of_odds(made.certificate().odds)
    for n in range(2, 7):
        for e, worst in zip(epsilons, worst_deltas(made, n, epsilons), strict=True):
            own = math.exp(log_delta(made.blanket(), n, e))
            assert worst <= own <= math.exp(log_delta(of_odds, n, e))
            if name == "duel" and n == 2:
                assert worst == pytest.approx(own, rel=1e-5)  # two reversed rankings attain it


def two_classes(n: int, E: float, epsilon: float) -> float:
    """The exact sum for the classes (E, 1) and (1, E), by listing binomials: of the n - 1 others,
    C are in either class, and half of them in the first.
    """
    c, p = math.exp(epsilon), 1 / (E + 1)
    C = np.arange(n)
    k = np.floor((C + 1) * (c * E - 1) / ((E - 1) * (c + 1)))
    inner = (E - c) * stats.binom.sf(k - 1, C, 0.5) - (c * E - 1) * stats.binom.sf(k, C, 0.5)
    return p * float((stats.binom.pmf(C, n - 1, 2 * p) * inner).sum())


@pytest.mark.parametrize("epsilon", [0.01, 0.2, 0.5, 0.9])
def test_the_sum_on_a_grid_is_the_exact_sum_and_never_below(epsilon):
    """Down to a delta of 1e-34."""
    made = hv.Duel(hv.borda(2), 1)
    for n in (1, 10, 300):
        exact = two_classes(n, float(made.odds.ratio), epsilon)
        for law in (made.blanket(), Blanket.of_odds(made.odds.ratio)):
            assert exact <= math.exp(log_delta(law, n, epsilon)) <= exact * 1.001


@pytest.mark.parametrize("local", [1, 4])
def test_a_normal_law_comes_close_and_never_below(local):
    """From the smallest n on where it is used."""
    law, n = Blanket.of_odds(hv.Duel(hv.borda(2), local).odds.ratio), 100_000
    for e in (0.03, 0.07, 0.12) if local == 4 else (0.01, 0.015, 0.02):
        values, mean = law.one - math.exp(e) * law.other, -math.expm1(e)
        exact = two_classes(n, float(law.one[0]), e)
        bound = math.exp(_normal(_Tilted.of(law.masses, values, mean), n, 0.4748))
        assert exact <= math.exp(log_delta(law, n, e)) <= bound <= 1.15 * exact


@pytest.mark.parametrize("n", [10**6, 10**7])
def test_both_ways_agree_on_large_crowds(n, monkeypatch):
    made = hv.Duel(hv.borda(4), 3)
    found = []
    for summed, normal in ((n, n + 1), (n - 1, n)):
        monkeypatch.setattr("hushvote.accounting.MOST_SUMMED", summed)
        monkeypatch.setattr("hushvote.accounting.LEAST_NORMAL", normal)
        found.append(hv.shuffled_epsilon(made, n))
    assert found[0] == pytest.approx(found[1], rel=1e-3)


def test_crowds_of_any_size_have_a_bound_that_falls():
    made = hv.Duel(hv.borda(4), 3)
    found = [hv.shuffled_epsilon(made, 10**k, 1e-12) for k in range(2, 16)]
    assert all(a > b > 0 for a, b in itertools.pairwise(found))
    assert 10 < found[-3] / found[-1] < 12  # as 1/√n, and for a given delta a little faster
    assert hv.shuffled_epsilon(made, np.int64(1000), 1e-12) == found[1]


def test_any_delta_has_a_bound():
    made = hv.Duel(hv.borda(4), 3)
    found = [hv.shuffled_epsilon(made, 10_000, 10.0**-k) for k in (2, 6, 12, 40, 100, 300)]
    assert found == sorted(found)
    assert 0 < found[0] < found[3] < 0.9
    assert hv.shuffled_epsilon(made, 10_000, 0.5) < 1e-8


# --- every mechanism's own law ----------------------------------------------------------------


@pytest.mark.parametrize("rule", [hv.borda(5), hv.nauru(5), hv.plurality(4)], ids=str)
@pytest.mark.parametrize("name", BY_SETS)
def test_the_blanket_in_closed_form_is_that_of_the_listed_law(name, rule):
    for epsilon in (0.5, 4):
        made = hv.mechanism(name, rule, epsilon)
        closed, listed = made.blanket(), hv.Mechanism.blanket(made)
        for law in (closed, listed):
            assert law.masses @ law.one == pytest.approx(1, rel=1e-12)
            assert law.masses @ law.other == pytest.approx(1, rel=1e-12)
        for n in (5, 1000):
            found = [log_delta(law, n, 0.2 * epsilon) for law in (closed, listed)]
            assert found[0] == pytest.approx(found[1], abs=1e-5)


def test_so_is_that_of_finer_questions_and_of_every_size_of_sets():
    finer = hv.Duel(hv.nauru(5), 5)
    assert len(finer.groups) == 4
    for made in (finer, *(hv.Additive(hv.nauru(5), 2, k=k) for k in range(1, 5))):
        found = [log_delta(law, 50, 0.5) for law in (made.blanket(), hv.Mechanism.blanket(made))]
        assert found[0] == pytest.approx(found[1], abs=1e-5)


@pytest.mark.parametrize("finest", [1 << 11, 40])
def test_sums_of_sets_keep_their_mean_and_are_never_less_spread(finest, monkeypatch):
    monkeypatch.setattr(blanket, "FINEST", finest)
    weights = hv.nauru(6).scores
    sums, shares = sums_of_sets(weights)
    for k, row in enumerate(shares):
        exact = np.array([float(sum(each)) for each in itertools.combinations(weights, k)])
        assert row.sum() == pytest.approx(1)
        assert row @ sums == pytest.approx(exact.mean())
        for edge in np.linspace(0, 2.5, 11):
            above = row @ np.maximum(0, sums - edge)
            assert above >= np.maximum(0, exact - edge).mean() - 1e-12
            if finest > 40:
                assert above == pytest.approx(np.maximum(0, exact - edge).mean(), abs=1e-12)


def test_fewer_classes_raise_the_bound_a_little(monkeypatch):
    made = hv.mechanism("weighted-sampling", hv.nauru(7), 2)
    law = made.blanket()
    monkeypatch.setattr(blanket, "MOST_CLASSES", 10)
    fewer = made.blanket()
    assert fewer.masses.sum() == pytest.approx(law.masses.sum())
    assert log_delta(law, 500, 0.3) < log_delta(fewer, 500, 0.3) < log_delta(law, 500, 0.3) + 0.02


@pytest.mark.parametrize("name", BY_SETS)
def test_no_report_is_listed_for_the_bound(name, monkeypatch):
    """There may be billions."""
    made = hv.mechanism(name, hv.nauru(12), 1, **({"k": 6} if name == "additive" else {}))
    monkeypatch.setattr(type(made), "outcomes", lambda *_: pytest.fail("listed"))
    assert 0 < hv.shuffled_epsilon(made, 1000) < crowd_epsilon_of_any(made.epsilon, 1000, 1e-6)


def test_a_mechanism_without_a_list_has_the_bound_of_its_odds():
    made = hv.mechanism("laplace", hv.borda(5), 4)
    found = hv.shuffled_epsilon(made, 1000, 1e-5)
    assert f"{found:.3f}" == "1.498"
    assert found == pytest.approx(crowd_epsilon_of_any(made.epsilon, 1000, 1e-5), rel=1e-4)


# --- figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", PAIRWISE)
def test_bound_of_pairwise_randomised_response(epsilon):
    for d in (2, 8) if epsilon == 0.5 else (2,):  # Borda's best question is a pair for small e
        found = hv.shuffled_epsilon(hv.Duel(hv.borda(d), epsilon), 1000)
        assert f"{found:.4f}" == str(PAIRWISE[epsilon])


@pytest.mark.parametrize(
    ("name", "d", "n", "figure"),
    [
        ("duel", 5, 1000, 1.2727),
        ("duel", 5, 10_000, 0.3231),
        ("duel", 16, 1000, 1.2086),
        ("additive", 5, 1000, 0.9267),
        ("additive", 64, 1000, 0.7347),
        ("weighted-sampling", 5, 1000, 0.8566),
        ("weighted-sampling", 32, 1000, 0.3130),
        ("naive-sampling", 5, 1000, 0.3767),
        ("naive-sampling", 32, 1000, 0.0985),
    ],
)
def test_crowd_epsilons_of_a_local_epsilon_of_4(name, d, n, figure):
    found = hv.shuffled_epsilon(hv.mechanism(name, hv.borda(d), 4), n, 1e-5)
    assert found == pytest.approx(figure, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("d", "figure"), [(32, 1.1952), (64, 1.1938)])
def test_crowd_epsilons_of_many_candidates(d, figure):
    found = hv.shuffled_epsilon(hv.Duel(hv.borda(d), 4), 1000, 1e-5)
    assert found == pytest.approx(figure, abs=1e-4)


def test_the_table_in_the_pages_is_rounded_up():
    page = (Path(__file__).parents[1] / "docs" / "results-in-depth.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([2-5]) \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|$", page, re.M)
    assert len(rows) == 4
    for local, *cells in rows:
        made = hv.Duel(hv.borda(5), local)
        found = [hv.shuffled_epsilon(made, n, 1e-6) for n in (300, 1000, 10_000)]
        assert [f"{math.ceil(100 * x) / 100:.2f}" for x in found] == cells


def test_twenty_are_no_crowd():
    for name in ("duel", "laplace"):
        assert 2.99 < hv.shuffled_epsilon(hv.mechanism(name, hv.borda(5), 3), 20) < 3


def test_closed_form_is_the_published_figure():
    made = hv.Duel(hv.borda(8), 1)
    assert f"{hv.shuffled_epsilon(made, 10_000, bound='closed'):.3f}" == "0.233"


def test_closed_form_gains_nothing_where_it_does_not_hold():
    made = hv.Duel(hv.borda(3), 3)
    edge = 16 * math.log(4e6) * math.exp(3)
    below, above = (
        hv.shuffled_epsilon(made, n, bound="closed")
        for n in (math.floor(edge) - 1, math.ceil(edge) + 1)
    )
    assert below == made.certificate().epsilon > above


def test_mixing_never_costs_more_than_the_report_alone():
    """Just above its edge, the closed form of a small epsilon is above that epsilon."""
    made = hv.Duel(hv.borda(3), "0.1")
    assert hv.shuffled_epsilon(made, 300, bound="closed") == made.certificate().epsilon
    assert hv.shuffled_epsilon(made, 1, 1e-300) == made.certificate().epsilon


@pytest.mark.parametrize("name", [*BY_SETS, "laplace"])
def test_tight_is_the_default_and_below_closed_and_both_fall_with_the_crowd(name):
    made = hv.mechanism(name, hv.borda(5), 1)
    closed = [hv.shuffled_epsilon(made, n, bound="closed") for n in (1000, 10_000)]
    tight = [hv.shuffled_epsilon(made, n) for n in (1000, 10_000)]
    assert tight[0] == hv.shuffled_epsilon(made, 1000, bound="tight")
    assert all(0 < t < c <= 1 for t, c in zip(tight, closed, strict=True))
    assert closed == sorted(closed, reverse=True)
    assert tight == sorted(tight, reverse=True)


def test_mixing_hides_nobody_who_answers_a_question_of_their_own():
    made = hv.Challenge(hv.borda(4), 1)
    for bound in ("closed", "tight"):
        assert hv.shuffled_epsilon(made, 10**6, bound=bound) == made.certificate().epsilon


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "number of reports"),
        ({"n": 2.5}, "number of reports"),
        ({"n": 10**16}, "from 1 to 1,000,000,000,000,000"),
        ({"n": 10, "delta": 0}, "delta must lie between"),
        ({"n": 10, "delta": math.nan}, "delta must lie between"),
        ({"n": 10, "bound": "loose"}, "choose one of tight, closed"),
    ],
)
def test_bad_questions_about_mixing_get_one_sentence(arguments, message):
    with pytest.raises(hv.MechanismError, match=message):
        hv.shuffled_epsilon(hv.Duel(hv.borda(4), 1), **arguments)


# --- designs by what the crowd affords --------------------------------------------------------


@pytest.mark.parametrize("settings", [{"crowd": 1.0, "turnout": 250}, {"crowd": 0.1, "n": 1000}])
def test_a_design_takes_the_largest_epsilon_that_the_crowd_affords(settings):
    made = hv.design(hv.borda(4), **settings)
    first = made.choices[0]
    assert made.crowd == settings["crowd"] >= first.crowd_epsilon
    assert first.crowd_epsilon == hv.shuffled_epsilon(made.best, made.turnout, made.delta)
    more = made.epsilon + (made.epsilon > 1) / 10 + (made.epsilon < 1) / 100
    assert float(f"{float(made.epsilon):.2g}") == float(made.epsilon)
    assert hv.design(hv.borda(4), more, turnout=made.turnout).choices[0].crowd_epsilon > made.crowd
    assert first.local_epsilon == pytest.approx(float(made.epsilon))
    assert made.to_dict()["epsilon"] == float(made.epsilon)
    assert {"crowd", "delta", "turnout"} <= made.to_dict().keys()
    assert made.to_dict()["mechanisms"][0]["crowd_epsilon"] == first.crowd_epsilon


def test_a_design_without_a_wish_for_the_crowd_states_its_epsilon_among_all_voters():
    made = hv.design(hv.borda(4), n=1000)
    assert (made.epsilon, made.crowd, made.turnout, made.delta) == (1, None, 1000, 1e-6)
    for choice in made:
        assert choice.crowd_epsilon == hv.shuffled_epsilon(choice.mechanism, 1000)


def test_a_crowd_affords_ten_at_most_and_no_less_than_its_own_epsilon():
    assert hv.design(hv.borda(3), crowd=30).epsilon == 10
    assert hv.design(hv.borda(3), crowd=5, n=10**9).epsilon == 10
    assert float(hv.design(hv.borda(3), crowd=1e-6, n=1, delta=1e-12).epsilon) == 1e-6
    assert float(hv.design(hv.borda(3), crowd=0.777, n=1).epsilon) == 0.77
    sound = hv.design(hv.borda(3), crowd=0.5, objective="soundness")
    assert sound.best.traceable
    assert sound.epsilon == 0.5


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"crowd": 1, "epsilon": 1}, "design.privacy"),
        ({"crowd": 0}, "design.crowd"),
        ({"crowd": math.inf}, "design.crowd"),
        ({"crowd": "x"}, "design.crowd"),
        ({"crowd": True}, "design.crowd"),
        ({"turnout": 0}, "design.turnout"),
        ({"turnout": 2.5}, "design.turnout"),
        ({"turnout": True}, "design.turnout"),
        ({"delta": 0}, "accounting.delta"),
        ({"delta": "x"}, "accounting.delta"),
    ],
)
def test_absurd_wishes_for_the_crowd_get_one_sentence(settings, code):
    with pytest.raises(hv.MechanismError) as caught:
        hv.design(hv.borda(3), **settings)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)

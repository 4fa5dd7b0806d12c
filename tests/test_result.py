"""Results: intervals that cover, places, certified winners, order and ties."""

import itertools
import math
import pickle

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.messages import say
from tests.conftest import random_orders

ALL = [hv.mechanism(name, hv.borda(4), 1) for name in hv.mechanism_names()]


def electorate(n: int) -> np.ndarray:
    """Half agree with candidate order 0 1 2 3, half are random."""
    orders = random_orders(n, 4, seed=3)
    orders[: n // 2] = [0, 1, 2, 3]
    return orders


def of(made: hv.Mechanism, orders: np.ndarray, *, population: bool = False) -> hv.Result:
    return made.tally(made.privatize(orders)).result(population=population)


def stated(scores, covariance, n: int = 1000) -> hv.Result:
    """A result with given figures."""
    scores = np.asarray(scores, dtype=float)
    return hv.Result(
        hv.borda(len(scores)),
        n,
        scores,
        hv.Uncertainty.sampled(np.asarray(covariance, dtype=float)),
    )


# --- intervals --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("made", ALL, ids=repr)
def test_intervals_cover_as_often_as_they_say(made):
    """1000 polls; one-sided binomial tests with a false alarm of 1e-8 each."""
    n, polls = 400, 1000
    orders = electorate(n)
    truth = np.array([float(t) / n for t in hv.totals(orders, made.rule)])
    reports = made.privatize(np.tile(orders, (polls, 1))).reshape(polls, n)
    together, first = 0, 0
    for poll in reports:
        result = made.tally(poll).result()
        low, high = result.interval(0.9).T
        together += bool(((low <= truth) & (truth <= high)).all())
        low, high = result.interval(0.9, simultaneous=False).T
        first += bool(low[0] <= truth[0] <= high[0])
    for covered in (together, first):
        assert stats.binomtest(covered, polls, 0.9, alternative="less").pvalue > 1e-8
    assert together <= polls - 20  # and the intervals are not simply huge


def test_simultaneous_intervals_are_wider_than_single_ones_and_narrower_than_bonferroni():
    made = hv.Additive(hv.borda(8), 1)
    result = of(made, random_orders(200_000, 8))
    width = np.diff(result.interval(0.95), axis=1).ravel() / 2 / result.standard_errors
    single = np.diff(result.interval(0.95, simultaneous=False), axis=1).ravel() / 2
    assert np.allclose(single, 1.959964 * result.standard_errors, rtol=0.01)
    assert (width > 1.96).all()
    assert (width < stats.norm.ppf(1 - 0.025 / 8) + 0.06).all()


def test_max_t_is_the_studentised_range_where_errors_are_independent():
    """All differences of independent errors: Tukey's range over √2, rounded up by 1 to 2 %."""
    for d in (2, 4, 8, 16):
        low, high = stated(np.zeros(d), np.eye(d)).differences(0.95)[0, 1]
        exact = stats.studentized_range.ppf(0.95, d, np.inf)
        assert exact < (high - low) / 2 < 1.025 * exact


def test_an_interval_of_a_share_is_at_least_that_of_wilson():
    """Additive with k = 1 counts how often a candidate is named: a share, scaled."""
    made = hv.Additive(hv.borda(8), 1, k=1)
    tally = made.tally(made.privatize(np.tile(np.arange(8), (60, 1))))
    result = tally.result(population=True)
    a, b = float(made.risks().gap), float(made._base)
    named = np.diag(tally.counts["pairs"])
    for j, count in enumerate(named):
        wilson = stats.binomtest(int(count), 60).proportion_ci(0.95, method="wilson")
        low, high = result.interval(0.95, simultaneous=False)[j]
        assert high >= a * wilson.high - b - 1e-9
        assert low <= result.scores[j] - 1.9 * result.standard_errors[j]


def test_the_tilt_is_the_slope_of_the_variance():
    """A share p, scaled to a score a p - b, has a variance a² p (1 - p), of slope a (1 - 2p)."""
    made = hv.Additive(hv.borda(8), 1, k=1)
    a, b = float(made.risks().gap), float(made._base)
    score = np.linspace(-1, 8, 5)
    assert np.allclose(made.variance_slope(score), a * (1 - 2 * (score + b) / a))


@pytest.mark.parametrize("level", [0, 1, -0.5, 0.49, 95, math.nan])
def test_confidence_needs_a_level_from_half_to_1(level):
    result = of(hv.Additive(hv.borda(2), 1), np.array([[0, 1]]))
    for ask in (
        result.interval,
        result.differences,
        result.rank_sets,
        result.certified,
        result.explain,
        lambda level: result.margin(level=level),
        lambda level: result.voters_to_separate(0, 1, level),
        lambda level: result.interval(level, simultaneous=False),
    ):
        with pytest.raises(hv.TallyError, match=r"at least 0\.5 and below 1"):
            ask(level)


def test_high_levels_stay_wider_than_single_intervals():
    result = of(hv.Additive(hv.borda(4), 1), random_orders(5000, 4))
    widths = []
    for level in (0.5, 0.9, 0.99, 0.999, 0.9999, 1 - 1e-9):
        together, alone = result.interval(level), result.interval(level, simultaneous=False)
        assert (np.diff(together) >= np.diff(alone)).all()
        widths.append(float(np.diff(together)[0, 0]))
    assert widths == sorted(widths)
    low, high = stated(np.zeros(4), np.eye(4)).differences(0.9999)[0, 1]
    bonferroni = stats.norm.ppf(1 - 0.0001 / 2 / 6) * math.sqrt(2)
    assert (high - low) / 2 == pytest.approx(bonferroni)


@pytest.mark.parametrize("made", ALL, ids=repr)
def test_few_reports_do_not_pretend_to_be_sure(made):
    """Ten voters: a candidate whom nobody named still gets the mechanism's least error."""
    least = made.variances().min() / 10
    for _ in range(20):
        for population in (False, True):
            result = of(made, random_orders(10, 4), population=population)
            assert (result.standard_errors**2 >= least * (1 - 1e-9)).all()
            covariance = result.uncertainty.covariance
            if population and made.name != "laplace":
                assert np.linalg.eigvalsh(covariance).min() > -1e-9 * made.mse()


@pytest.mark.parametrize("made", ALL, ids=repr)
def test_errors_are_those_of_the_views_and_at_least_those_of_the_mechanism(made):
    wide = 1000 * np.random.default_rng(0).standard_normal((200, 4))
    found = made.sample_covariance(wide.mean(axis=0), wide.T @ wide / 200, 200)
    assert np.allclose(found, np.cov(wide.T) / 200, rtol=1e-9)
    alike = made.sample_covariance(np.ones(4), np.ones((4, 4)), 200)
    assert np.allclose(np.diag(alike), made.variances().min() / 200, rtol=1e-9)


@pytest.mark.parametrize("made", ALL, ids=repr)
def test_a_single_report_still_has_an_error_bar(made):
    result = of(made, np.array([[0, 1, 2, 3]]))
    assert (result.standard_errors > 0).all()
    low, high = made.variances().min(), made.variances().max()
    assert (result.standard_errors**2 >= low * (1 - 1e-6)).all()
    assert (result.standard_errors**2 <= high * (1 + 1e-4)).all()
    assert result.certified() is None
    assert result.explain().words


def test_twenty_reports_are_the_fewest_that_tell_candidates_apart():
    for n, enough in ((19, False), (20, True)):
        result = hv.Result(
            hv.borda(2), n, np.array([1.0, 0.0]), hv.Uncertainty.sampled(1e-6 * np.eye(2))
        )
        assert bool(np.isfinite(result.differences()[0, 1]).all()) == enough
        assert result.certified() == (0 if enough else None)
        assert (say("too_few", least=20) in result.explain().words) != enough


# --- places and winners -----------------------------------------------------------------------


def test_order_and_leader_follow_the_scores():
    result = of(hv.Additive(hv.borda(4), 5), np.tile([2, 0, 3, 1], (50_000, 1)))
    assert result.order == (2, 0, 3, 1)
    assert result.leader == 2
    assert result.certified() == 2
    assert result.rank_sets() == ((2,), (4,), (1,), (3,))
    assert result.tied == ()
    assert result.n == 50_000


def test_rank_sets_count_who_is_surely_above_and_below():
    """Two leaders 0.1 apart and one far behind, with a standard error of 0.1 each."""
    result = stated([5.0, 4.9, 1.0], 0.01 * np.eye(3))
    assert result.rank_sets() == ((1, 2), (1, 2), (3,))
    assert result.certified() is None
    assert stated([5.0, 4.0, 1.0], 0.01 * np.eye(3)).certified() == 0


def test_rank_sets_grow_with_the_level_and_certificates_go():
    result = stated([5.0, 4.6, 4.2, 1.0], 0.01 * np.eye(4))
    sets = [result.rank_sets(level) for level in (0.5, 0.9, 0.99, 0.999999)]
    for narrow, wide in itertools.pairwise(sets):
        assert all(set(a) <= set(b) for a, b in zip(narrow, wide, strict=True))
    assert result.certified(0.5) == 0
    assert result.certified(0.999999) is None


def test_correlated_errors_tell_candidates_apart_that_their_intervals_do_not():
    covariance = np.full((2, 2), 1.0) + 1e-4 * np.eye(2)
    result = stated([2.0, 1.9], covariance)
    assert result.interval()[0, 0] < result.interval()[1, 1]
    assert result.certified() == 0


def test_chances_to_be_first_are_those_of_normal_errors():
    result = stated([0.3, 0.0], [[0.5, 0.1], [0.1, 0.7]])
    exact = stats.norm.cdf(0.3 / math.sqrt(1.0))
    assert result.chances.sum() == pytest.approx(1)
    assert result.chances[0] == pytest.approx(exact, abs=0.012)  # 4 standard errors of the draws


def test_chances_of_a_huge_poll_are_not_lost_in_rounding():
    """Scores a tiny part apart, errors as tiny: 64 % and 36 %."""
    result = stated([1.5 + 5e-9, 1.5], 1e-16 * np.eye(2), n=10**15)
    exact = stats.norm.cdf(0.5 / math.sqrt(2))
    assert result.chances[0] == pytest.approx(exact, abs=0.012)  # 4 standard errors of the draws
    assert stated([2.0, 1.0], np.zeros((2, 2))).chances[0] == 1


def test_ties_are_reported_as_ties_and_broken_by_number():
    made = hv.Additive(hv.borda(4), 1, k=1)
    reports = np.array([(1 << j,) for j in (3, 1, 3, 1, 0)], dtype=made.domain.dtype)
    result = made.tally(reports).result()
    assert result.leader == 1
    assert result.order == (1, 3, 0, 2)
    assert result.tied == ((1, 3),)
    named = made.tally(reports).named(("Ann", "Bob", "Cy", "Di")).result()
    shown = named.to_dict()
    assert shown["tied"] == [["Bob", "Di"]]
    assert shown["leader"] == "Bob"
    assert shown["leaders"] == ["Bob", "Di"]
    assert [row["place"] for row in shown["candidates"]] == [1, 1, 3, 4]
    assert "Exactly tied: Bob, Di." in shown["words"]


@pytest.mark.slow
def test_voters_to_separate_two_candidates_do_so_in_nine_of_ten_polls():
    """400 polls of the number asked for; a false alarm of 1e-6 either way."""
    made = hv.Duel(hv.borda(4), 1)
    orders = np.concatenate([np.tile([0, 1, 2, 3], (600, 1)), np.tile([1, 0, 2, 3], (400, 1))])
    large = of(made, np.tile(orders, (2000, 1)))
    n = 1000 * round(large.voters_to_separate(0, 1) / 1000)
    polls = [of(made, np.tile(orders, (n // 1000, 1))) for _ in range(400)]
    told = sum(1 for poll in polls if poll.differences()[0, 1, 0] > 0)
    assert stats.binom.ppf(1e-6, 400, 0.87) <= told <= stats.binom.ppf(1 - 1e-6, 400, 0.93)


def test_voters_to_separate_are_those_of_all_pairs_together():
    """n ((reach + z) error / gap)², here with an error of √2 and a gap of 1 or 2."""
    result = stated([2.0, 1.0, 0.0], np.eye(3))
    low, high = result.differences()[0, 1]
    wide = (high - low) / 2 + stats.norm.ppf(0.9) * math.sqrt(2)
    assert result.voters_to_separate(0, 1) == math.ceil(1000 * wide**2)
    assert result.voters_to_separate(0, 2) == math.ceil(1000 * (wide / 2) ** 2)


def test_voters_to_separate_refuses_what_makes_no_sense():
    result = stated([2.0, 1.0, 0.0], np.eye(3))
    for pair in ((0, 0), (0, 3), (-1, 0), (0, True), (0, 1.0), (0, "Ann"), (None, 1)):
        with pytest.raises(hv.TallyError, match="two different candidates"):
            result.voters_to_separate(*pair)
    for power in (0.2, 1, math.nan):
        with pytest.raises(hv.TallyError, match="power"):
            result.voters_to_separate(0, 1, power=power)
    assert result.voters_to_separate(0, 1) == result.voters_to_separate(1, 0)


def test_voters_to_separate_are_never_fewer_than_can_tell_nor_beyond_counting():
    assert stated([2.0, 0.0, 1.0], 1e-9 * np.eye(3)).voters_to_separate(0, 1) == 20
    assert stated([1.0, 1.0], np.eye(2)).voters_to_separate(0, 1) is None
    for gap in (1e-300, 1e-12):
        assert stated([gap, 0.0], np.eye(2)).voters_to_separate(0, 1) is None


def test_a_gap_that_no_votes_can_have_is_not_assumed():
    """Two candidates can be 1 point apart; a gap of 4.2 was seen."""
    result = stated([2.6, -1.6], np.eye(2))
    assert result.voters_to_separate(0, 1) == stated([1.0, 0.0], np.eye(2)).voters_to_separate(0, 1)
    said = result.explain(0.9999).words[1]
    assert said.startswith(
        "0 and 1 are 4.2 points apart, but the true gap is at most 1 point; even"
    )


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_a_result_can_be_sent_to_another_process(name):
    made = hv.mechanism(name, hv.borda(4), 1)
    for population in (False, True):
        result = of(made, electorate(50), population=population)
        back = pickle.loads(pickle.dumps(result))
        assert back.to_dict() == result.to_dict()
        assert (back.interval(0.9) == result.interval(0.9)).all()

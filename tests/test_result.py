"""Results: intervals that cover, order, winner and ties."""

import math

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from tests.conftest import random_orders

ALL = [hv.mechanism(name, hv.borda(4), 1) for name in hv.mechanism_names()]


def electorate(n: int) -> np.ndarray:
    """Half agree with candidate order 0 1 2 3, half are random."""
    orders = random_orders(n, 4, seed=3)
    orders[: n // 2] = [0, 1, 2, 3]
    return orders


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
    result = made.tally(made.privatize(random_orders(5000, 8))).result()
    width = np.diff(result.interval(0.95), axis=1) / 2 / result.standard_errors[:, None]
    single = np.diff(result.interval(0.95, simultaneous=False), axis=1).ravel() / 2
    assert np.allclose(single, 1.959964 * result.standard_errors)
    assert 1.96 < width[0, 0] < stats.norm.ppf(1 - 0.025 / 8) + 0.03
    assert np.allclose(width, width[0, 0])


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
def test_an_interval_needs_a_level_between_0_and_1(level):
    made = hv.Additive(hv.borda(2), 1)
    with pytest.raises(hv.TallyError, match="between 0 and 1"):
        made.tally(made.privatize([[0, 1]])).result().interval(level)


def test_high_levels_stay_wider_than_single_intervals():
    made = hv.Additive(hv.borda(4), 1)
    result = made.tally(made.privatize(random_orders(5000, 4))).result()
    widths = []
    for level in (0.5, 0.9, 0.99, 0.999, 0.9999, 1 - 1e-9):
        together, alone = result.interval(level), result.interval(level, simultaneous=False)
        assert (np.diff(together) >= np.diff(alone)).all()
        widths.append(float(np.diff(together)[0, 0]))
    assert widths == sorted(widths)


def test_order_and_winner_follow_the_scores():
    made = hv.Additive(hv.borda(4), 5)
    result = made.tally(made.privatize(np.tile([2, 0, 3, 1], (50_000, 1)))).result()
    assert result.order == (2, 0, 3, 1)
    assert result.winner == 2
    assert result.tied == ()
    assert result.n == 50_000


def test_ties_are_reported_as_ties_and_broken_by_number():
    made = hv.Additive(hv.borda(4), 1, k=1)
    reports = np.array([(1 << j,) for j in (3, 1, 3, 1, 0)], dtype=made.domain.dtype)
    result = made.tally(reports).result()
    assert result.winner == 1
    assert result.order == (1, 3, 0, 2)
    assert result.tied == ((1, 3),)
    named = hv.Tally(
        made.parameters(), 5, made.tally(reports).counts, ("Ann", "Bob", "Cy", "Di")
    ).result()
    assert named.to_dict()["tied"] == [["Bob", "Di"]]
    assert named.to_dict()["winner"] == "Bob"
    assert named.to_dict()["winners"] == ["Bob", "Di"]
    assert [row["place"] for row in named.to_dict()["candidates"]] == [1, 1, 3, 4]


@pytest.mark.parametrize("made", ALL, ids=repr)
def test_few_reports_do_not_pretend_to_be_sure(made):
    """Ten voters: a candidate whom nobody named still gets the mechanism's least error."""
    least = made.variances().min() / 10
    for _ in range(20):
        result = made.tally(made.privatize(random_orders(10, 4))).result()
        assert (np.diag(result.covariance) >= least * (1 - 1e-12)).all()
        assert np.linalg.eigvalsh(result.covariance).min() > -1e-9 * made.mse()


@pytest.mark.parametrize("made", ALL, ids=repr)
def test_a_single_report_still_has_an_error_bar(made):
    result = made.tally(made.privatize([[0, 1, 2, 3]])).result()
    assert (result.standard_errors > 0).all()
    assert result.standard_errors @ result.standard_errors == pytest.approx(made.mse(), rel=1e-4)

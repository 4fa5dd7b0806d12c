"""How many voters a poll needs."""

import math

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.planning import largest_gap_power


def leaders(n: int, rule: hv.Rule, share: float) -> tuple[np.ndarray, float]:
    """Two candidates in front everywhere, the first of them ahead with this share of the voters;
    and its lead.
    """
    orders = np.tile(np.arange(rule.d, dtype=np.uint8), (n, 1))
    orders[round(share * n) :, :2] = [1, 0]
    totals = hv.totals(orders, rule)
    return orders, float(totals[0] - totals[1]) / n


@pytest.mark.slow
@pytest.mark.parametrize("name", ["duel", "additive", "weighted-sampling"])
@pytest.mark.parametrize(("rule", "epsilon"), [(hv.borda(4), 1), (hv.nauru(6), 2)])
def test_the_voters_asked_for_certify_the_winner(name, rule, epsilon):
    """Nine of ten polls or more, on the kind of electorate that is hardest; false alarm 1e-6."""
    made = hv.mechanism(name, rule, epsilon)
    _, lead = leaders(1000, rule, 0.8)
    n = hv.plan(rule, epsilon, lead, by=name)
    orders, _ = leaders(n, rule, 0.8)
    polls = 200
    sure = sum(made.tally(made.privatize(orders)).result().certified() == 0 for _ in range(polls))
    assert sure >= stats.binom.ppf(1e-6, polls, 0.9)


def test_the_largest_square_of_a_gap_is_that_of_the_law():
    for made in (
        hv.Additive(hv.borda(4), 1, k=1),
        hv.Duel(hv.nauru(4), 1),
        hv.WeightedSampling(hv.borda(4), 2),
    ):
        square = np.zeros((4, 4))
        for report, chance in made.outcomes(range(4)):
            view = made.views(report)[0]
            square += float(chance) * (view[:, None] - view[None, :]) ** 2
        assert largest_gap_power(made) == pytest.approx(square.max(), rel=1e-12)


def test_a_law_that_is_too_long_to_list_is_simulated():
    """Laplace: two independent noises, and the squared distance of first and last."""
    made = hv.Laplace(hv.borda(4), 1)
    assert largest_gap_power(made) == pytest.approx(2 * made.mse() / 4 + 9, rel=0.02)


def test_the_known_worst_variance_of_leaders():
    """Additive, Borda, 4 candidates, epsilon 1: 109 for the two first ranks, and 1² for votes."""
    assert largest_gap_power(hv.Additive(hv.borda(4), 1)) - 1 == pytest.approx(109, abs=0.5)


def test_voters_grow_with_the_square_of_what_is_asked():
    few = hv.plan(hv.borda(8), 1, 1.0)
    many = hv.plan(hv.borda(8), 1, 0.1)
    assert many / few == pytest.approx(100, rel=0.05)
    assert hv.plan(hv.borda(8), 1, 0.1, power=0.99) > many > hv.plan(hv.borda(8), 1, 0.1, power=0.5)
    assert hv.plan(hv.borda(8), 1, 0.1, level=0.99) > many
    assert hv.plan(hv.borda(8), 1, 0.1, by="additive") > many
    assert hv.plan(hv.borda(8), 1, 0.1, by="duel") == many


def test_voters_are_those_of_all_pairs_and_all_rivals_together():
    """(Tukey's range/√2 + z for each of 3 rivals)² Var/lead², at most 3 % more; and the largest
    lead that there is, of two candidates.
    """
    reach = stats.studentized_range.ppf(0.95, 4, np.inf) / math.sqrt(2)
    reach += stats.norm.ppf(1 - 0.1 / 3)
    needed = reach**2 * (largest_gap_power(hv.Duel(hv.borda(4), 1)) / 0.5**2 - 1)
    assert needed < hv.plan(hv.borda(4), 1, 0.5) < 1.03 * needed
    odds = math.e
    variance = ((odds + 1) / (odds - 1)) ** 2 - 1
    single = (stats.norm.ppf(0.975) + stats.norm.ppf(0.9)) ** 2 * variance
    assert single < hv.plan(hv.borda(2), 1, 1) < 1.03 * single + 1


def test_the_largest_lead_may_be_taken_from_the_message():
    with pytest.raises(hv.MechanismError, match=r"at most 0\.638889"):
        hv.plan(hv.nauru(4), 1, 1)
    assert hv.plan(hv.nauru(4), 1, 0.638889) > 20


@pytest.mark.parametrize("lead", [0, -1, 4.01, 7, math.nan, math.inf, True, "much"])
def test_a_lead_must_be_possible(lead):
    with pytest.raises(hv.MechanismError, match="the lead must be"):
        hv.plan(hv.borda(8), 1, lead)
    with pytest.raises(hv.MechanismError, match="the lead must be"):
        hv.design(hv.borda(8), lead=lead)


def test_the_largest_lead_over_all_others_is_planned_for():
    """Everybody puts one candidate first, the others are level: 7 less the mean of 6, ..., 0."""
    assert hv.plan(hv.borda(8), 1, 4) >= 20
    assert hv.plan(hv.plurality(3), 1, 1) >= 20


def test_no_plan_is_below_the_fewest_reports_that_can_certify():
    assert hv.plan(hv.borda(2), 10, 1) == 20
    assert hv.design(hv.borda(2), 10, lead=1).choices[0].voters == 20


def test_a_tiny_lead_takes_more_voters_than_can_be_counted():
    for ask in (hv.plan, lambda *of: hv.design(*of[:2], lead=of[2])):
        with pytest.raises(hv.MechanismError, match="more voters than can be counted; ask for"):
            ask(hv.borda(4), 1, 1e-12)
    assert hv.plan(hv.borda(4), 1, 3e-7) > 10**15


def test_power_and_level_must_be_probabilities():
    with pytest.raises(hv.TallyError, match="power"):
        hv.plan(hv.borda(4), 1, 1, power=1.5)
    with pytest.raises(hv.TallyError, match="level"):
        hv.plan(hv.borda(4), 1, 1, level=95)


def test_design_shows_the_voters_for_a_lead():
    made = hv.design(hv.borda(4), 1, lead=0.5)
    assert made.to_dict()["lead"] == 0.5
    for choice in made:
        assert choice.voters == hv.plan(hv.borda(4), 1, 0.5, by=choice.mechanism.name)
    assert hv.design(hv.borda(4), 1).to_dict()["lead"] is None

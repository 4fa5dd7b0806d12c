"""How many voters a poll needs."""

import itertools
import json
import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import linprog

import hushvote as hv
from hushvote.planning import voters_needed


def hardest(made: hv.Mechanism, lead: float, n: int, rivals: int) -> np.ndarray:
    """Voters of whom so many rivals are all `lead` behind candidate 0, no other is closer, and the
    lottery's variance is the largest: a linear program over the ranks of the leader and of these.
    """
    d, w, law = made.d, made.rule.vector, made.pair_law()
    apart = law.one - law.other
    variance = law.chances @ apart**2 - (law.chances @ apart) ** 2
    cells = [
        (r, list(taken))
        for r in range(d)
        for taken in itertools.combinations([s for s in range(d) if s != r], rivals)
    ]
    ahead = [w[r] - w[taken].mean() for r, taken in cells]
    of_others = (
        [w[r] - np.delete(w, [r, *taken]).mean() for r, taken in cells] if rivals < d - 1 else ahead
    )
    solved = linprog(
        [-variance[r, taken].mean() for r, taken in cells],
        A_ub=[[-x for x in of_others]],
        b_ub=[-lead + 1e-9],
        A_eq=[ahead, np.ones(len(cells))],
        b_eq=[lead, 1],
    )
    counts = np.rint(n * solved.x).astype(int)
    counts[counts.argmax()] += n - counts.sum()
    voters = []
    for (r, taken), count in zip(cells, counts, strict=True):
        rest = [s for s in range(d) if s != r and s not in taken]
        for i in range(count):
            order = np.zeros(d, dtype=np.uint8)
            order[np.roll(taken, i)] = np.arange(1, rivals + 1)
            order[np.roll(rest, i).astype(int)] = np.arange(rivals + 1, d)
            voters.append(order)
    return np.array(voters)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "epsilon", "lead"),
    [
        (hv.borda(5), 3, 0.6),
        (hv.borda(3), 4, 0.3),
        (hv.nauru(5), 3, 0.15),
        (hv.plurality(5), 3, 0.15),
    ],
    ids=str,
)
def test_the_voters_asked_for_are_enough_and_not_many_more(rule, epsilon, lead):
    """Between 90 and 97 % of polls, where that is hardest: with one rival or all of them so close;
    false alarm 1e-6.
    """
    made, polls = hv.Duel(rule, epsilon), 300
    n, rng = needed(rule, epsilon, lead), np.random.default_rng()
    sure = []
    for rivals in (1, rule.d - 1):
        orders = hardest(made, lead, n, rivals)
        tallies = (made.tally(made.privatize(orders, rng=rng)) for _ in range(polls))
        sure.append(sum(tally.result().certified() == 0 for tally in tallies))
    assert stats.binom.ppf(1e-6, polls, 0.89) <= min(sure) <= stats.binom.ppf(1 - 1e-6, polls, 0.97)


@pytest.mark.slow
@pytest.mark.parametrize("name", hv.mechanism_names())
def test_every_mechanism_is_planned_for(name):
    """Nine of ten polls or more; false alarm 1e-6."""
    made, rule = hv.mechanism(name, hv.borda(4), 4), hv.borda(4)
    n = needed(rule, 4, 1.0, by=name)
    orders = np.array(([[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]] * n)[:n], dtype=np.uint8)
    orders[::2] = orders[::2][:, [1, 0, 2, 3]]  # the leader is first or second: 1 point ahead
    polls = 100
    tallies = (made.tally(made.privatize(orders)) for _ in range(polls))
    assert sum(tally.result().certified() == 0 for tally in tallies) >= stats.binom.ppf(
        1e-6, polls, 0.9
    )


def needed(rule: hv.Rule, epsilon: object, lead: float, **asked: object) -> int:
    return hv.plan(rule, epsilon, lead, **asked).n


def test_voters_grow_with_the_square_of_what_is_asked():
    few, many = (needed(hv.borda(8), 1, lead) for lead in (1.0, 0.1))
    assert many / few == pytest.approx(100, rel=0.05)
    assert needed(hv.borda(8), 1, 0.1, power=0.99) > many > needed(hv.borda(8), 1, 0.1, power=0.5)
    assert needed(hv.borda(8), 1, 0.1, level=0.99) > many
    assert needed(hv.borda(8), 1, 0.1, by="additive") > many
    assert needed(hv.borda(8), 1, 0.1, by="duel") == many
    assert needed(hv.borda(8), 1, 0.1, population=True) > many


def test_voters_are_those_of_all_pairs_and_all_rivals_together():
    """(Tukey's range/√2 + z for each of 3 rivals)² Var/lead², at most 3 % more; and the largest
    lead that there is, of two candidates.
    """
    critical = stats.studentized_range.ppf(0.95, 4, np.inf) / math.sqrt(2)
    critical += stats.norm.ppf(1 - 0.1 / 3)
    made = hv.Laplace(hv.borda(4), 1)
    least = critical**2 * 2 * made.fixed_noise().covariance[0, 0] / 0.5**2
    assert least < voters_needed(made, 0.5) < 1.03 * least
    odds = math.e
    variance = ((odds + 1) / (odds - 1)) ** 2 - 1
    single = (stats.norm.ppf(0.975) + stats.norm.ppf(0.9)) ** 2 * variance
    assert single < needed(hv.borda(2), 1, 1) < 1.03 * single + 6


@pytest.mark.parametrize(
    ("d", "lead", "epsilon", "most"),
    [(5, 0.6, 3, 760), (5, 0.6, 4, 480), (5, 0.6, 5, 270), (3, 0.3, 4, 140)],
)
def test_small_polls_can_certify(d, lead, epsilon, most):
    assert needed(hv.borda(d), epsilon, lead) <= most


@pytest.mark.parametrize(("n", "epsilon"), [(300, 3), (300, 5), (1000, 1), (100_000, 1)])
@pytest.mark.parametrize("seats", [1, 2])
def test_each_of_the_three_follows_from_the_others(n, epsilon, seats):
    rule = hv.borda(5)
    lead = hv.plan(rule, epsilon, n=n, seats=seats).lead
    assert 0.98 * n < needed(rule, epsilon, lead, seats=seats) <= n
    found = hv.plan(rule, lead=lead, n=n, seats=seats)
    assert found.epsilon <= epsilon
    assert needed(rule, found.epsilon, lead, seats=seats) <= n
    if found.epsilon > 0.1:
        assert needed(rule, round(found.epsilon - 0.1, 1), lead, seats=seats) > n


def test_two_of_three_must_be_given():
    for given in ({}, {"n": 100}, {"epsilon": 1}, {"epsilon": 1, "lead": 0.5, "n": 100}):
        with pytest.raises(hv.MechanismError, match="give two of epsilon, lead and n") as caught:
            hv.plan(hv.borda(4), **given)
        assert caught.value.code == "plan.goal"


def test_what_cannot_be_certified_is_said():
    for given in ({"epsilon": 1, "n": 30}, {"lead": 0.1, "n": 30}, {"epsilon": 10, "n": 19}):
        with pytest.raises(hv.MechanismError, match="certify") as caught:
            hv.plan(hv.borda(4), **given)
        assert caught.value.code == "plan.hopeless"


def test_a_plan_says_what_it_is_in_a_sentence():
    found = hv.plan(hv.borda(5), 3, n=300)
    assert found.words == (
        "With 300 voters and a local epsilon of 3 you can most likely (90 %) certify a lead of "
        f"{found.lead:g} points, where scores go from 0 to 4."
    )
    assert found.to_dict()["words"] == found.words
    assert "population" in hv.plan(hv.borda(5), 3, n=3000, population=True).words
    assert "who gets the 2 seats" in hv.plan(hv.borda(5), 3, n=300, seats=2).words


def test_the_largest_lead_may_be_taken_from_the_message():
    with pytest.raises(hv.MechanismError, match=r"at most 0\.638889"):
        hv.plan(hv.nauru(4), 1, 1)
    assert hv.plan(hv.nauru(4), 1, 0.638889).n > 20


@pytest.mark.parametrize("lead", [0, -1, 4.01, 7, math.nan, math.inf, True, "much"])
def test_a_lead_must_be_possible(lead):
    with pytest.raises(hv.MechanismError, match="the lead must be"):
        hv.plan(hv.borda(8), 1, lead)
    with pytest.raises(hv.MechanismError, match="the lead must be"):
        hv.design(hv.borda(8), lead=lead)


def test_the_largest_lead_over_all_others_is_planned_for():
    """Everybody puts one candidate first, the others are level: 7 less the mean of 6, ..., 0."""
    assert hv.plan(hv.borda(8), 1, 4).n >= 20
    assert hv.plan(hv.plurality(3), 1, 1).n >= 20


def test_no_plan_is_below_the_fewest_reports_that_can_certify():
    assert hv.plan(hv.borda(2), 10, 1).n == 20
    assert hv.design(hv.borda(2), 10, lead=1).choices[0].voters == 20


def test_a_tiny_lead_takes_more_voters_than_can_be_counted():
    for ask in (hv.plan, lambda *of: hv.design(*of[:2], lead=of[2])):
        with pytest.raises(hv.MechanismError, match="more voters than can be counted; ask for"):
            ask(hv.borda(4), 1, 1e-12)
    assert hv.plan(hv.borda(4), 1, 3e-7).n > 10**15


def test_power_and_level_must_be_probabilities():
    with pytest.raises(hv.TallyError, match="power"):
        hv.plan(hv.borda(4), 1, 1, power=1.5)
    with pytest.raises(hv.TallyError, match="level"):
        hv.plan(hv.borda(4), 1, 1, level=95)


def test_design_shows_the_voters_for_a_lead():
    made = hv.design(hv.borda(4), 1, lead=0.5)
    assert made.to_dict()["lead"] == 0.5
    for choice in made:
        assert choice.voters == hv.plan(hv.borda(4), 1, 0.5, by=choice.mechanism.name).n
    assert hv.design(hv.borda(4), 1).to_dict()["lead"] is None


def test_whole_numbers_may_come_out_of_data_frames():
    rule, n = hv.borda(3), np.int64(500)
    made = hv.design(rule, n=n, turnout=np.int32(300))
    planned = hv.plan(rule, 2, n=n, seats=np.uint8(1))
    assert planned.with_voters(np.int64(600)).n == 600
    assert made.to_dict() == hv.design(rule, n=500, turnout=300).to_dict()
    assert planned.to_dict() == hv.plan(rule, 2, n=500).to_dict()
    for told in (made.to_dict(), planned.to_dict()):
        assert json.loads(json.dumps(told)) == told
    for refused in (True, np.True_, 5.0, np.float64(500)):
        with pytest.raises(hv.MechanismError, match="must be a whole number from 1 to"):
            hv.design(rule, n=refused)
        with pytest.raises(hv.MechanismError, match="turnout must be a whole number"):
            hv.design(rule, turnout=refused)
        with pytest.raises(hv.MechanismError, match="must be a whole number from 1 to"):
            hv.plan(rule, 2, n=refused)

"""Privacy of mixed reports, and the voter's ledger."""

import itertools
import json
import math

import numpy as np
import pytest
from scipy import stats

import hushvote as hv

PAIRWISE = {0.5: 0.0627, 1: 0.1487, 2: 0.3971}


@pytest.mark.parametrize("epsilon", PAIRWISE)
def test_tight_bound_of_pairwise_randomised_response(epsilon):
    for d in (2, 8) if epsilon == 0.5 else (2,):  # Borda's best question is a pair for small e
        made = hv.Duel(hv.borda(d), epsilon)
        found = hv.shuffled_epsilon(made, 1000, 1e-6, bound="tight")
        assert f"{found:.4f}" == str(PAIRWISE[epsilon])


def test_closed_form_is_the_published_figure_and_the_default():
    made = hv.Duel(hv.borda(8), 1)
    assert f"{hv.shuffled_epsilon(made, 10_000):.3f}" == "0.233"
    assert hv.shuffled_epsilon(made, 10_000) == hv.shuffled_epsilon(made, 10_000, bound="closed")


def test_closed_form_gains_nothing_where_it_does_not_hold():
    made = hv.Duel(hv.borda(3), 3)
    edge = 16 * math.log(4e6) * math.exp(3)
    assert hv.shuffled_epsilon(made, math.floor(edge) - 1) == made.certificate().epsilon
    assert hv.shuffled_epsilon(made, math.ceil(edge) + 1) < made.certificate().epsilon


def test_mixing_never_costs_more_than_the_report_alone():
    """Just above its edge, the closed form of a small epsilon is above that epsilon."""
    made = hv.Duel(hv.borda(3), "0.1")
    assert hv.shuffled_epsilon(made, 300) == made.certificate().epsilon


def mixed_divergence(made: hv.Mechanism, votes, other: int, epsilon: float) -> float:
    """The exact delta of all mixed reports when one voter has another ranking: by listing every
    sequence of reports. Plain and slow.
    """
    rankings = list(itertools.permutations(range(made.d)))
    law = {}
    for ranking in rankings:
        law[ranking] = {
            report.tobytes(): float(chance) for report, chance in made.outcomes(ranking)
        }

    def mixed(people):
        found = {(): 1.0}
        for ranking in people:
            after: dict[tuple[bytes, ...], float] = {}
            for bag, p in found.items():
                for report, chance in law[ranking].items():
                    key = tuple(sorted((*bag, report)))
                    after[key] = after.get(key, 0.0) + p * chance
            found = after
        return found

    first = mixed([rankings[v] for v in votes])
    second = mixed([rankings[other], *(rankings[v] for v in votes[1:])])
    return sum(max(0.0, first[bag] - math.exp(epsilon) * second[bag]) for bag in first)


@pytest.mark.parametrize(
    "made",
    [
        hv.Duel(hv.borda(2), 1),
        hv.Additive(hv.borda(3), 1.5),
        hv.Duel(hv.nauru(3), 2),
        hv.WeightedSampling(hv.borda(2), 1),
    ],
    ids=repr,
)
def test_no_crowd_of_five_is_less_private_than_the_tight_bound_says(made):
    """All neighbours of several crowds, by listing everything."""
    from hushvote.accounting import _blanket, _delta

    n = 5
    rankings = math.factorial(made.d)
    crowds = [[0] * n, [0, *[rankings - 1] * (n - 1)], [i % rankings for i in range(n)]]
    blanket = _blanket(made)
    for epsilon in (0.1, 0.4, 0.8):
        bound = _delta(blanket, n, epsilon)
        for votes, other in itertools.product(crowds, range(1, rankings)):
            assert mixed_divergence(made, votes, other, epsilon) <= bound + 1e-12
        assert bound <= 1


def test_the_sum_on_a_grid_is_the_exact_sum():
    """Pairwise randomised response: the same expectation by listing binomials."""
    from hushvote.accounting import _blanket, _delta

    made = hv.Duel(hv.borda(2), 1)
    n, E = 300, float(made.odds.ratio)
    blanket = 2 / (E + 1)
    for epsilon in (0.05, 0.2, 0.4):
        c, exact = math.exp(epsilon), 0.0
        for size in range(n + 1):
            yes = np.arange(size + 1)
            sums = yes * (E - c) + (size - yes) * (1 - c * E)
            inner = (stats.binom.pmf(yes, size, 0.5) * np.maximum(sums, 0)).sum()
            exact += stats.binom.pmf(size, n, blanket) * inner
        assert _delta(_blanket(made), n, epsilon) == pytest.approx(exact / n, rel=1e-3, abs=1e-13)


@pytest.mark.parametrize("name", ["duel", "additive", "weighted-sampling", "naive-sampling"])
def test_tight_is_below_closed_and_both_fall_with_the_crowd(name):
    made = hv.mechanism(name, hv.borda(5), 1)
    closed = [hv.shuffled_epsilon(made, n) for n in (1000, 10_000)]
    tight = [hv.shuffled_epsilon(made, n, bound="tight") for n in (1000, 10_000)]
    assert all(0 < t < c <= 1 for t, c in zip(tight, closed, strict=True))
    assert closed == sorted(closed, reverse=True)
    assert tight == sorted(tight, reverse=True)


def test_mixing_hides_nobody_who_answers_a_question_of_their_own():
    made = hv.Challenge(hv.borda(4), 1)
    for bound in ("closed", "tight"):
        assert hv.shuffled_epsilon(made, 10**6, bound=bound) == made.certificate().epsilon


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("duel", {"n": 0}, "number of reports"),
        ("duel", {"n": 2.5}, "number of reports"),
        ("duel", {"n": 10, "delta": 0}, "delta must lie between"),
        ("duel", {"n": 10, "delta": math.nan}, "delta must lie between"),
        ("duel", {"n": 10, "bound": "loose"}, "choose one of closed, tight"),
        ("duel", {"n": 10, "delta": 1e-12, "bound": "tight"}, 'use bound="closed"'),
        ("laplace", {"n": 10, "bound": "tight"}, "laplace has too many kinds of reports"),
    ],
)
def test_bad_questions_about_mixing_get_one_sentence(name, arguments, message):
    with pytest.raises(hv.MechanismError, match=message):
        hv.shuffled_epsilon(hv.mechanism(name, hv.borda(4), 1), **arguments)


def test_what_is_no_mechanism_gets_one_sentence():
    for ask in (lambda: hv.shuffled_epsilon("x", 1000), lambda: hv.Ledger().record("a", "x")):
        with pytest.raises(hv.MechanismError, match="name a mechanism such as"):
            ask()
    with pytest.raises(hv.MechanismError, match="from 1 to 1,000,000,000,000,000"):
        hv.shuffled_epsilon(hv.Duel(hv.borda(2), 1), 10**16)


@pytest.mark.parametrize("name", ["additive", "weighted-sampling", "duel"])
def test_the_tight_bound_refuses_a_law_that_is_too_long(name, monkeypatch):
    """Before it lists any report: there may be billions."""
    made = hv.mechanism(name, hv.nauru(20), 1, **({"k": 10} if name == "additive" else {}))
    monkeypatch.setattr(type(made), "outcomes", lambda *_: pytest.fail("listed"))
    with pytest.raises(hv.MechanismError, match="too many kinds"):
        hv.shuffled_epsilon(made, 1000, bound="tight")


# --- the ledger -------------------------------------------------------------------------------


def test_a_ledger_adds_up_over_changes_and_polls():
    ledger = hv.Ledger()
    council, lunch = hv.Duel(hv.borda(4), 1), hv.Additive(hv.borda(3), "0.5")
    assert ledger.epsilon() == 0
    ledger.record("council", council)
    assert ledger.epsilon() == pytest.approx(1)
    ledger.record("council", council)  # drawn anew, whatever came out
    ledger.record("lunch", lunch)
    assert ledger.epsilon("council") == pytest.approx(2)
    assert ledger.epsilon("lunch") == pytest.approx(0.5)
    assert ledger.epsilon("other") == ledger.epsilon("lunch ") == ledger.epsilon("lun") == 0
    assert ledger.epsilon() == pytest.approx(2.5)
    assert ledger.epsilon() <= 2.5


def test_many_small_costs_are_less_than_their_sum_but_for_delta():
    made = hv.Additive(hv.borda(3), "0.1")
    ledger = hv.Ledger()
    for poll in range(200):
        ledger.record(str(poll), made)
    expected = 200 * 0.1 * math.tanh(0.05) + math.sqrt(2 * math.log(1e6) * 200 * 0.01)
    assert ledger.epsilon(delta=1e-6) == pytest.approx(expected)
    assert ledger.epsilon(delta=1e-6) < ledger.epsilon() == pytest.approx(20)
    few = hv.Ledger(ledger.entries[:2])
    assert few.epsilon(delta=1e-6) == few.epsilon()


def test_a_ledger_travels_as_json_and_refuses_damage():
    ledger, made = hv.Ledger(), hv.Additive(hv.borda(3), 1)
    ledger.record("a", made)
    assert hv.Ledger.from_json(json.loads(json.dumps(ledger.to_json()))) == ledger
    wrong = [[{"poll": "a", "epsilon": epsilon}] for epsilon in (-1, 0, math.inf, "1")]
    for damaged in ([{"poll": "a"}], [7], 3, *wrong):
        with pytest.raises(hv.HushvoteError, match="damaged"):
            hv.Ledger.from_json(damaged)


@pytest.mark.parametrize("delta", [-1, 1, math.nan, "small", None])
def test_a_ledger_refuses_what_makes_no_sense(delta):
    ledger, made = hv.Ledger(), hv.Additive(hv.borda(3), 1)
    with pytest.raises(hv.HushvoteError, match="a poll is named by a text"):
        ledger.record(5, made)
    with pytest.raises(hv.HushvoteError, match="delta must be"):
        ledger.epsilon(delta=delta)

"""The voter's ledger; tests/test_crowd.py has the privacy of mixed reports."""

import json
import math

import pytest

import hushvote as hv


def test_what_is_no_mechanism_gets_one_sentence():
    for ask in (lambda: hv.shuffled_epsilon("x", 1000), lambda: hv.Ledger().record("a", "x")):
        with pytest.raises(hv.MechanismError, match="give a mechanism such as"):
            ask()


def test_a_ledger_adds_up_over_changes_and_polls():
    ledger = hv.Ledger()
    council, lunch = hv.Duel(hv.borda(4), 1), hv.Additive(hv.borda(3), "0.5")
    assert ledger.epsilon() == 0
    ledger.record("council", council)
    assert ledger.epsilon() == 1
    ledger.record("council", council)  # drawn anew, whatever came out
    ledger.record("lunch", lunch)
    assert ledger.epsilon("council") == 2
    assert ledger.epsilon("lunch") == 0.5
    assert ledger.epsilon("other") == ledger.epsilon("lunch ") == ledger.epsilon("lun") == 0
    assert ledger.epsilon() == 2.5


def test_a_ledger_records_the_epsilon_that_voters_are_shown():
    """Odds are rounded down, so that the certificate's is a little less."""
    for name in hv.mechanism_names():
        made, ledger = hv.mechanism(name, hv.borda(3), "0.3"), hv.Ledger()
        ledger.record("a", made)
        assert ledger.to_json() == [{"poll": "a", "epsilon": 0.3}]
        assert made.certificate().epsilon <= 0.3


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

"""Making mechanisms: by name, by class, from parameters; and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest

import hushvote as hv
from hushvote.mechanisms.duel.program import Program, Terms, duel_strength
from tests.conftest import FreeSampling


def test_mechanisms_are_made_by_name():
    assert set(hv.mechanism_names()) >= {
        "laplace",
        "naive-sampling",
        "weighted-sampling",
        "additive",
    }
    made = hv.mechanism("additive", hv.borda(8), epsilon=1.0, k=2)
    assert isinstance(made, hv.Additive)
    assert made.k == 2


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_a_report_is_told_with_the_names_of_all_candidates(name):
    made = hv.mechanism(name, hv.borda(3), 1)
    report = made.privatize([[0, 1, 2]])
    for names in (["A", "B"], ["A", "B", "C", "D"]):
        with pytest.raises(hv.MechanismError, match=f"3 candidates, but {len(names)} are named"):
            made.words(report, names)


def free(masses: list[object]) -> hv.Mechanism:
    return FreeSampling(hv.borda(3), 1, intercept=Fraction(1), masses=masses)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hv.mechanism("adaptive", hv.borda(3), 1), "no mechanism 'adaptive'; choose one"),
        (lambda: hv.mechanism("additive", "borda", 1), "a rule such as borda"),
        (lambda: hv.mechanism("additive", hv.borda(3), 1, j=2), "'j'; its options are k"),
        (lambda: hv.mechanism("naive-sampling", hv.borda(3), 1, k=2), "'k'; it has none"),
        (lambda: hv.Additive(hv.borda(4), 1, k=4), "needs k from 1 to 3, not 4"),
        (lambda: hv.Additive(hv.borda(4), 1, k=0), "needs k from 1 to 3, not 0"),
        (lambda: hv.Additive(hv.borda(4), 1, k=1.5), "needs k from 1 to 3, not 1.5"),
        (lambda: hv.NaiveSampling(hv.Rule("x", [1, -1]), 1), "scores of at least 0"),
        (lambda: hv.WeightedSampling(hv.borda(3), 1, intercept="x"), "must be a number"),
        (lambda: hv.WeightedSampling(hv.borda(3), 1, intercept=[1]), "must be a number"),
        (lambda: free(masses=[1, 1]), "2 masses, but the rule"),
        (lambda: free(masses=[1, -1, 1]), "at least 0"),
        (lambda: free(masses=[0, 0, 0]), "not all 0"),
        (lambda: free(masses=[1, 1, 0]), "rank 2 scores 0"),
        (lambda: free(masses=["a", 1, 1]), "must be numbers"),
        (lambda: hv.mechanism_from("{"), "not valid JSON"),
        (lambda: hv.mechanism_from("[]"), "must be a JSON object"),
        (lambda: hv.Additive(hv.borda(3), 1).disguise(0, 0), "two different candidates"),
        (lambda: hv.Additive(hv.borda(3), 1).disguise(0, 3), "from 0 to 2, not 0 and 3"),
        (
            lambda: hv.Additive(hv.borda(3), 1).draw([0, 1]),
            r"lists the 3 candidates .* not \[0, 1\]",
        ),
    ],
)
def test_impossible_mechanisms_are_refused_in_one_sentence(make, message):
    with pytest.raises(hv.HushvoteError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_design_puts_the_least_error_first():
    made = hv.design(hv.borda(8), epsilon=1.0, n=10_000)
    errors = [choice.mse for choice in made]
    assert errors == sorted(errors)
    assert made.best is made.choices[0].mechanism
    assert {choice.mechanism.name for choice in made} == set(hv.mechanism_names())
    by_name = {choice.mechanism.name: choice for choice in made}
    assert by_name["additive"].mse == pytest.approx(0.31703, rel=1e-4)
    assert by_name["additive"].risks.gap == pytest.approx(60.6, rel=1e-3)
    assert by_name["additive"].tve == pytest.approx(math.sqrt(2 * 8 * 0.31703 / math.pi), rel=1e-4)


def test_design_says_which_mechanisms_do_not_fit():
    made = hv.design(hv.Rule("mine", [3, 1, -1]))
    assert "naive-sampling" in made.skipped
    assert "at least 0" in made.skipped["naive-sampling"]


def test_design_counts_the_voters_needed():
    for choice in hv.design(hv.nauru(5), epsilon=2, n=100, error=0.05):
        made, n = choice.mechanism, choice.voters
        assert made.mse(n) / made.d <= 0.05**2 < made.mse(n - 1) / made.d


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": 0}, "whole number from 1 to 1,000,000,000,000,000, not 0"),
        ({"n": 1.5}, "whole number from 1"),
        ({"n": 10**16}, "whole number from 1"),
        ({"n": "x"}, "whole number from 1 .*, not 'x'"),
        ({"error": 0}, "wanted error .* from 3e-06 to 3e[+]06, not 0"),
        ({"error": float("nan")}, "wanted error"),
        ({"error": "x"}, "wanted error .* not 'x'"),
        ({"error": True}, "wanted error .* not True"),
        ({"error": []}, "wanted error"),
        ({"error": 0.1, "lead": 1}, "either a lead or a wanted error, not both"),
        ({"max_gap": "x"}, "largest gap must be a number above 0, not 'x'"),
        ({"max_gap": True}, "largest gap"),
        ({"max_gap": float("inf")}, "largest gap"),
        ({"max_gap": float("nan")}, "largest gap"),
        ({"objective": []}, r"no objective \[\]; choose one of error"),
        ({"objective": None}, "no objective None"),
        ({"epsilon": 0}, "epsilon must be"),
    ],
)
def test_design_refuses_absurd_wishes(settings, message):
    with pytest.raises(hv.MechanismError, match=message):
        hv.design(hv.borda(4), **settings)
    with pytest.raises(hv.MechanismError, match="a rule such as borda"):
        hv.design("borda", **settings)


def test_objectives_put_different_mechanisms_first():
    rule = hv.borda(8)
    assert hv.design(rule).best.name == "duel"
    assert hv.design(hv.plurality(8)).best.name == "duel"  # as good as additive, and first
    assert hv.design(rule, objective="soundness").best.name == "challenge"
    balanced = [
        c.mechanism.mse() ** 0.5 * c.mechanism.shift()
        for c in hv.design(rule, objective="balanced")
    ]
    assert balanced == sorted(balanced)
    assert hv.design(hv.borda(4), 2, objective="balanced").best.name == "challenge"  # not by mse
    with pytest.raises(hv.MechanismError, match="no objective 'speed'; choose one of error"):
        hv.design(rule, objective="speed")


@pytest.mark.parametrize("rule", [hv.borda(8), hv.nauru(6)], ids=str)
def test_a_cap_on_the_gap_is_kept_at_the_least_error(rule):
    free = hv.Duel(rule, 1)
    errors = [free.mse()]
    for share in (0.95, 0.85, 0.75):
        cap = share * free.risks().gap
        made = hv.Duel(rule, 1, max_gap=cap)
        assert made.risks().gap <= cap
        assert made.bias() < 1e-9
        errors.append(made.mse())
        again = hv.mechanism_from(made.parameters())
        assert again.digest == made.digest
    assert errors == sorted(errors)
    assert errors[-1] < 1.5 * errors[0]
    assert hv.Duel(rule, 1, max_gap=2 * free.risks().gap).digest == free.digest


def test_no_other_questions_do_better_under_the_cap():
    """Random prices for the group sizes give other questions; their best shares under the same
    cap (by water-filling) never have less error.
    """
    rule, rng = hv.borda(5), np.random.default_rng(1)
    made = hv.Duel(rule, 1)
    cap = 0.8 * made.risks().gap
    capped = hv.Duel(rule, 1, max_gap=cap)
    program = Program(rule, duel_strength(made.odds.ratio))
    for _ in range(60):
        price = {p.relative_span: rng.uniform(0.5, 2) for p in program.pools}
        active, y = program._searched(Terms(lambda c, price=price: price[c]))
        y, c = np.abs(y), np.array([program.pools[p].relative_span for p, _ in active])
        if (y * c).sum() > cap:
            continue  # no shares keep the cap
        low, high = 1e-9, 1e3  # shares y max(s, c/cap) that add up to 1
        for _ in range(200):
            s = math.sqrt(low * high)
            low, high = (s, high) if (y * np.maximum(s, c / cap)).sum() < 1 else (low, s)
        error = (y / np.maximum(low, c / cap)).sum() - float(rule.spread)
        assert error >= capped.mse() * (1 - 1e-3)


def test_an_impossible_cap_names_the_least_one():
    with pytest.raises(hv.MechanismError, match=r"to 10; the least possible is 30\.0"):
        hv.Duel(hv.borda(8), 1, max_gap=10)
    with pytest.raises(hv.MechanismError, match=r"30\.0.*; with challenge, .* by 15\.15"):
        hv.design(hv.borda(8), max_gap=10)
    made = hv.design(hv.borda(8), max_gap=40)
    assert {c.mechanism.name for c in made} == {"duel", "challenge"}
    assert "more than 40" in made.skipped["additive"]
    assert made.best.risks().gap <= 40
    for bad in (0, -1, "x"):
        with pytest.raises(hv.MechanismError, match="above 0"):
            hv.Duel(hv.borda(4), 1, max_gap=bad)
    with pytest.raises(hv.MechanismError, match="largest gap"):
        hv.design(hv.borda(4), max_gap=0)


def test_shifts_are_the_published_ones():
    shifts = {c.mechanism.name: c.mechanism.shift() for c in hv.design(hv.borda(8))}
    assert shifts["laplace"] == pytest.approx(198.7, abs=0.05)
    assert shifts["weighted-sampling"] == pytest.approx(65.3, abs=0.05)
    assert shifts["additive"] == pytest.approx(60.6, abs=0.05)
    assert shifts["challenge"] == pytest.approx(15.15, abs=0.005)


def test_design_knows_the_least_error_that_is_possible():
    made = hv.design(hv.borda(5), n=1000)
    assert made.least_mse == pytest.approx(211.33 / 1000, rel=1e-3)
    assert made.to_dict()["least_mse"] == made.least_mse
    assert all(choice.mse >= made.least_mse for choice in made)
    assert hv.design(hv.borda(8)).least_mse is None

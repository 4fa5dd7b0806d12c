"""Rules: their scores, and what is refused as one."""

import math
from fractions import Fraction

import pytest

import hushvote as hv


def test_named_rules_have_their_scores():
    assert hv.borda(4).scores == (3, 2, 1, 0)
    assert hv.nauru(4).scores == (1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 4))
    assert hv.plurality(3).scores == (1, 0, 0)
    assert hv.antiplurality(3).scores == (1, 1, 0)
    assert hv.approval(4, k=3).scores == (1, 1, 1, 0)


def test_rules_are_made_by_name():
    assert hv.rule("borda", 5) == hv.borda(5)
    assert hv.rule("approval", 5, k=3) == hv.approval(5, k=3)
    assert hv.rule("approval-3", 5) == hv.approval(5, k=3)  # the name that it bears
    assert set(hv.rule_names()) >= {"borda", "nauru", "plurality", "antiplurality", "approval"}


def test_a_float_score_stands_for_its_shortest_decimal():
    rule = hv.Rule("mine", [0.3, 0.1, 0])
    assert rule.scores == (Fraction(3, 10), Fraction(1, 10), 0)
    assert (rule.scale, rule.integers) == (10, (3, 1, 0))


@pytest.mark.parametrize("d", [2, 3, 8, 64])
def test_closed_forms_of_borda(d):
    rule = hv.borda(d)
    assert rule.spread == Fraction(d * (d * d - 1), 12)
    assert rule.total == d * (d - 1) // 2
    assert rule.diameter == d * d // 2  # the paper's Δ: d²/2 for even d, (d² - 1)/2 for odd d


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hv.Rule("x", [1, 2, 0]), "place 1 scores 1 and place 2 scores 2"),
        (lambda: hv.Rule("x", [2, 2, 2]), "all scores of rule 'x' are 2"),
        (lambda: hv.Rule("x", [1]), "needs 2 to 64 candidates, not 1"),
        (lambda: hv.Rule("x", range(65, 0, -1)), "needs 2 to 64 candidates, not 65"),
        (lambda: hv.Rule("x", [math.nan, 0]), "finite number, got nan"),
        (lambda: hv.Rule("x", ["a", 0]), "expected a number, got 'a'"),
        (lambda: hv.Rule("x", ["1/0", 0]), "expected a number, got '1/0'"),
        (lambda: hv.Rule("x", 5), "must be numbers"),
        (lambda: hv.borda(1), "'borda' needs 2 to 64 candidates, not 1"),
        (lambda: hv.nauru(65), "'nauru' needs 2 to 64 candidates, not 65"),
        (lambda: hv.borda(2.5), "needs 2 to 64 candidates, not 2.5"),
        (lambda: hv.approval(4, k=4), "needs k from 1 to 3, not 4"),
        (lambda: hv.approval(4, k=0), "needs k from 1 to 3, not 0"),
        (
            lambda: hv.approval(4),
            r"k from 1 to 3: write approval:k=2, or in Python approval\(4, k=2",
        ),
        (lambda: hv.rule("approval", 2), "k from 1 to 1: write approval:k=1, or in Python"),
        (lambda: hv.rule("approval-3", 4, k=2), "'approval-3' has no option 'k'"),
        (lambda: hv.rule("approval-4", 4), "needs k from 1 to 3, not 4"),
        (lambda: hv.rule("approval-03", 4), "no rule 'approval-03'"),
        (lambda: hv.rule("borda-3", 4), "no rule 'borda-3'"),
        (lambda: hv.rule("bordo", 4), "no rule 'bordo'; choose one of borda"),
        (lambda: hv.rule("borda", 4, k=2), "'borda' has no option 'k'"),
    ],
)
def test_unusable_rules_are_refused_in_one_sentence(make, message):
    with pytest.raises(hv.RuleError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)

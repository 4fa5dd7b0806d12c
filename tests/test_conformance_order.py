"""Parameters are refused for the reason that conformance/README.md puts first."""

import json

import pytest

import hushvote as hv
from hushvote.canonical import canonical

LAPLACE = hv.Laplace(hv.borda(4), 1).parameters()
DUEL = hv.Duel(hv.borda(4), 1).parameters()


def code_of(parameters):
    """The code with which parameters are refused."""
    with pytest.raises(hv.HushvoteError) as caught:
        hv.mechanism_from(parameters)
    return caught.value.code


@pytest.mark.parametrize("text", ["[1, 2]", " 7", "[1.5]", '["\\u0061"]', "[" * 34 + "]" * 34])
def test_text_is_canonical_before_it_is_an_object(text):
    assert code_of(text) == "parameters.canonical"


@pytest.mark.parametrize("value", [[1, 2], 7, True, None, []])
def test_canonical_text_of_something_else_is_no_object(value):
    assert code_of(canonical(value).decode()) == "parameters.member"


@pytest.mark.parametrize("member", ["name", "scores"])
def test_a_rule_with_null_lacks_a_member(member):
    broken = DUEL | {"rule": DUEL["rule"] | {member: None}}
    assert code_of(broken) == "parameters.member"


@pytest.mark.parametrize("gap", [1, -1, "x", None])
def test_what_only_designers_know_is_a_member_too_many(gap):
    assert code_of(DUEL | {"max_gap": gap}) == "parameters.member"


def test_digits_are_a_list():
    """The names of an object's members look like digits, but are none."""
    named = {str(digit): 1 for digit in LAPLACE["digits"]}
    assert code_of(LAPLACE | {"digits": named}) == "parameters.option"
    assert code_of(LAPLACE | {"digits": json.dumps(LAPLACE["digits"])}) == "parameters.option"


def test_a_challenge_without_a_key_takes_no_question():
    made = hv.Challenge(hv.borda(3), 1)
    with pytest.raises(hv.MechanismError) as caught:
        made.draw([0, 1, 2], question=bytes(32))
    assert caught.value.code == "question.needless"


def test_a_question_that_is_no_hash_is_found_before_a_wrong_ranking():
    made = hv.Challenge(hv.borda(3), 1, key="00")
    with pytest.raises(hv.MechanismError) as caught:
        made.draw([0, 0, 9], question=bytes(31))
    assert caught.value.code == "question.hash"

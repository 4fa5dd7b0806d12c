"""What a mechanism need not state: the defaults of the contract are what the closed forms say."""

import dataclasses

import numpy as np
import pytest

import hushvote as hv
from hushvote.mechanisms import listing
from tests.conftest import free, listable, random_orders, random_rule

RULES = [hv.borda(4), hv.nauru(3), hv.Rule("best-worst", [2, 1, 1, 0]), random_rule(3, 3)]
ALL = [made for rule in RULES for made in (*listable(rule, 1), free(rule, 1))]
each = pytest.mark.parametrize("made", ALL, ids=repr)


@each
def test_error_and_risks_follow_from_variances_and_the_listed_law(made):
    plain = hv.Mechanism
    assert plain.mse(made, 7) == pytest.approx(made.mse(7), rel=1e-9)
    assert plain.sum_variance(made) == pytest.approx(made.sum_variance(), rel=1e-9, abs=1e-9)
    assert dataclasses.astuple(plain.risks(made, 5)) == pytest.approx(
        dataclasses.astuple(made.risks(5)), rel=1e-9
    )


@each
def test_nothing_counted_is_zero(made):
    found, stated = hv.Mechanism.zero(made), made.zero()
    assert found.keys() == stated.keys()
    for name, array in found.items():
        assert (array.dtype, array.shape) == (stated[name].dtype, stated[name].shape)
        assert not array.any()


@each
def test_the_most_harmful_reports_are_found_by_listing(made):
    if made.name == "challenge":
        return  # whose attacker cannot choose the question
    sent = hv.Mechanism.disguise(made, 1, 0, n=3000, rng=np.random.default_rng(1))
    stated = made.disguise(1, 0, n=3000, rng=np.random.default_rng(2))
    assert {r.tobytes() for r in stated} >= {r.tobytes() for r in sent}
    views = made.views(sent)
    assert np.allclose(views[:, 1] - views[:, 0], made.risks().gap)


@each
def test_a_block_is_randomised_vote_by_vote(made):
    orders = random_orders(50, made.d)
    looped = hv.Mechanism.randomize(made, orders, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    assert (looped == np.concatenate([made.draw(order, rng) for order in orders])).all()
    assert len(hv.Mechanism.randomize(made, orders[:0], rng)) == 0


def test_a_law_that_is_too_long_gets_one_sentence():
    made = hv.Laplace(hv.borda(3), 1)
    for asked in (
        lambda: hv.Mechanism.risks(made),
        lambda: hv.Mechanism.sum_variance(made),
        lambda: hv.Mechanism.disguise(made, 0, 1),
    ):
        with pytest.raises(hv.MechanismError, match="more than 16,384 different reports"):
            asked()
    assert not listing.fits(made)


def test_mechanisms_are_equal_if_their_parameters_are():
    one = hv.Additive(hv.borda(4), 1, k=2)
    again = hv.mechanism_from(one.parameters())
    assert one == again
    assert hash(one) == hash(again)
    assert len({one, again, hv.Additive(hv.borda(4), 1, k=1)}) == 2
    assert one != hv.Additive(hv.borda(4), 2, k=2)
    assert one != one.digest

    class Other(hv.Additive):
        """The same parameters in another class."""

    assert one != Other(hv.borda(4), 1, k=2)

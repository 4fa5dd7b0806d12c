"""Making mechanisms: by name, by class, from parameters; and what is refused."""

import pytest

import hushvote as hv


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
        (lambda: hv.WeightedSampling(hv.borda(3), 1, masses=[1, 1]), "2 masses, but the rule"),
        (lambda: hv.WeightedSampling(hv.borda(3), 1, masses=[1, -1, 1]), "at least 0"),
        (lambda: hv.WeightedSampling(hv.borda(3), 1, masses=[0, 0, 0]), "not all 0"),
        (lambda: hv.WeightedSampling(hv.borda(3), 1, masses=[1, 1, 0]), "rank 2 scores 0"),
        (lambda: hv.WeightedSampling(hv.borda(3), 1, masses=["a", 1, 1]), "must be numbers"),
        (lambda: hv.mechanism_from("{"), "not valid JSON"),
        (lambda: hv.mechanism_from("[]"), "must be a JSON object"),
        (lambda: hv.Additive(hv.borda(3), 1).disguise(0, 0), "two different candidates"),
        (lambda: hv.Additive(hv.borda(3), 1).disguise(0, 3), "from 0 to 2, not 0 and 3"),
        (lambda: hv.Additive(hv.borda(3), 1).draw([0, 1]), "list 2 candidates"),
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
        ({"n": 0}, "whole number above 0"),
        ({"n": 1.5}, "whole number above 0"),
        ({"error": 0}, "wanted error"),
        ({"error": float("nan")}, "wanted error"),
        ({"epsilon": 0}, "epsilon must be"),
    ],
)
def test_design_refuses_absurd_wishes(settings, message):
    with pytest.raises(hv.MechanismError, match=message):
        hv.design(hv.borda(4), **settings)

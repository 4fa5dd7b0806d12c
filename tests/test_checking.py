"""`hv.check` passes what is sound and names what is not; nobody chooses what is biased."""

import numpy as np
import pytest

import hushvote as hv
from hushvote import checking
from hushvote.mechanisms import registry
from tests.conftest import listable, one_sentence, random_rule

RULES = [hv.borda(3), hv.nauru(4), hv.Rule("best-worst", [2, 1, 1, 0]), random_rule(3, 3)]
SOUND = [made for rule in RULES for made in listable(rule, 1)]


@pytest.mark.parametrize("made", SOUND, ids=repr)
def test_sound_mechanisms_have_no_findings(made):
    """Two chi-square tests each, with a false alarm of 1e-9."""
    found = hv.check(made)
    assert found.findings == []
    assert found.missing is None
    assert found


def test_what_cannot_be_listed_is_said_to_be_missing():
    for made in (hv.Laplace(hv.borda(3), 1), hv.Duel(hv.borda(6), 1)):
        found = hv.check(made)
        assert found
        assert "up to 5 candidates and 16,384 reports" in found.missing


PRODUCTS = "moments() does not give the mean of the products of the views"


class Broken(hv.Additive):
    """Something to spoil."""

    name = "broken"


def spoilt(**members) -> hv.Mechanism:
    return type("Spoilt", (Broken,), members)(hv.borda(4), 1, k=1)


def shifted(self, reports):
    return hv.Additive.views(self, reports) + 0.001


def swapped(self, orders, bits):
    return hv.Additive.randomize(self, orders[:, ::-1], bits)


def candid(self, ranking, bits=None, question=None):
    return self.domain.from_wire({"chosen": [int(ranking[0])]})


def unweighted(self, reports, weights=None):
    return hv.Additive.count(self, reports)


def moments(change):
    """Those of another, with the mean product of two views changed."""

    def changed(self, n, counts):
        found = hv.Additive.moments(self, n, counts)
        return hv.Moments.of(n, found.mean, change(found))

    return changed


def boastful(self, n=1):
    return hv.Additive.mse(self, n) / 2


def harmless(self, favour, against, n=1, rng=None):
    return hv.Additive.disguise(self, against, favour, n, rng)


def certain(self):
    return hv.Certificate(self.epsilon, self.odds.ratio - 1, ())


def hidden(self):
    return hv.Additive(self.rule, 0.9, k=1).blanket()


def broken(self, reports):
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"blanket": hidden}, "blanket() promises more privacy among 2 reports than the law gives"),
        ({"views": shifted}, "views are biased by 0.001 points"),
        ({"randomize": swapped}, "privatize() does not follow the law"),
        ({"draw": candid}, "has not the law that the mechanism states"),
        ({"draw": candid}, "draw() does not follow the law"),
        ({"count": unweighted}, "count() of equal reports with their weights"),
        ({"moments": moments(lambda found: 3 * found.second)}, PRODUCTS),
        ({"moments": moments(lambda found: np.outer(found.mean, found.mean))}, PRODUCTS),
        ({"moments": moments(lambda found: found.second * (1 - np.eye(4)))}, PRODUCTS),
        ({"moments": moments(lambda found: None)}, "moments() gives no products, which only a"),
        ({"options": lambda self: {"k": 2}}, "what its parameters() make anew is another"),
        ({"mse": boastful}, "mse() says"),
        ({"variances": lambda self: hv.Additive.variances(self)[::-1]}, "variances() says"),
        ({"sum_variance": lambda self: 5.0}, "sum_variance() says 5"),
        ({"risks": lambda self, n=1: hv.Risks(1, 1, 1, 1)}, "risks().diameter is 1"),
        ({"disguise": harmless}, "disguise() lifts a candidate by -"),
        ({"certificate": certain}, "breaks its promise"),
        ({"views": broken}, "errors cannot be checked: ZeroDivisionError"),
    ],
)
def test_what_is_wrong_is_named(members, said):
    found = hv.check(spoilt(**members))
    assert not found
    assert said in " ".join(found.findings)


class TopChoice(hv.Additive):
    """Made for plurality, whatever the rule is."""

    name = "top-choice"

    def __init__(self, rule, epsilon, *, k=1, odds=None):
        super().__init__(hv.plurality(rule.d), epsilon, k=k, odds=odds)
        self.own, self.rule = hv.Additive(hv.plurality(rule.d), epsilon, k=k), rule

    def mse(self, n=1):
        return self.own.mse(n)


class Boaster(hv.Laplace):
    """Too many reports to list, and a thousandth of the error that they have."""

    name = "boaster"

    def mse(self, n=1):
        return super().mse(n) / 1000


@pytest.fixture
def plugins(monkeypatch):
    for cls in (TopChoice, Boaster):
        monkeypatch.setitem(registry._registry, cls.name, cls)


def test_design_leaves_out_what_is_biased_or_too_good_to_be_true(plugins):
    found = hv.design(hv.borda(5), 1)
    assert {choice.mechanism.name for choice in found} == {
        "duel",
        "challenge",
        "additive",
        "laplace",
        "weighted-sampling",
        "naive-sampling",
    }
    assert found.best.name == "duel"
    assert found.skipped["top-choice"].startswith(
        "its views are biased for borda over 5 candidates"
    )
    assert "no unbiased mechanism comes below" in found.skipped["boaster"]
    assert found.best.mse(found.n) >= found.least_mse


def test_what_its_parameters_make_otherwise_is_not_chosen():
    """Here they always say k = 2, whatever was asked for."""
    other = spoilt(options=lambda self: {"k": 2})
    assert "make anew is another mechanism" in checking.flaw(other)
    assert checking.flaw(spoilt()) is None


def test_the_same_mechanism_is_offered_for_its_own_rule(plugins):
    assert "top-choice" in {c.mechanism.name for c in hv.design(hv.plurality(5), 1)}


def test_privatize_refuses_what_is_biased(plugins, run, ballot_file):
    words = ["privatize", ballot_file, "--out", "r.parquet"]
    assert run(*words)[0] == 0
    said = one_sentence(run(*words[:3], "s.parquet", "--mechanism", "top-choice"))
    assert "top-choice is refused: its views are biased for borda over 4 candidates" in said


@pytest.mark.parametrize("d", [2, 3, 6, 8])
def test_no_mechanism_of_hushvote_is_refused(d):
    rules = [hv.borda(d), hv.nauru(d), hv.plurality(d), hv.antiplurality(d), random_rule(d, 1)]
    for rule in rules:
        for epsilon in ("0.01", 1, 5):
            for name in hv.mechanism_names():
                if name == "naive-sampling" and rule.scores[-1] < 0:
                    continue
                assert checking.flaw(hv.mechanism(name, rule, epsilon)) is None, (name, rule)


def test_bias_is_seen_whatever_the_ranking():
    class Lopsided(Broken):
        """Right for the ranking 0, 1, ... alone."""

        def views(self, reports):
            views = super().views(reports)
            return np.where(np.arange(self.d) > 0, views, views[:, :1] * 0 + self.rule.vector[0])

    assert checking.bias(Lopsided(hv.borda(3), 1, k=1)) > 0.1

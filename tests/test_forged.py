"""Numbers that somebody changed on the way: refused, or of no consequence."""

import copy
import json

import pytest

import hushvote as hv
from hushvote.mechanisms.duel import cache, designing
from tests.conftest import random_orders


@pytest.mark.parametrize("kind", [hv.Duel, hv.Challenge])
@pytest.mark.parametrize("rule", [hv.borda(4), hv.nauru(5), hv.nauru(8)], ids=str)
def test_a_forged_step_is_refused(kind, rule):
    good = kind(rule, 1).parameters()
    for t, one in enumerate(good["questions"]):
        for factor in (0.5, 0.999, 1.001, 2, 1e6):
            bad = copy.deepcopy(good)
            step = int(int(one["step"]) * factor)
            bad["questions"][t]["step"] = str(step) if step >= 2**53 else step
            with pytest.raises(hv.MechanismError, match=r"biased|a step above 0"):
                hv.mechanism_from(bad)


def test_an_expected_answer_is_computed_and_not_believed():
    good = hv.Challenge(hv.nauru(4), 1).parameters()
    for one in good["questions"]:
        assert "expected" not in one
        one["expected"] = 2**47
    with pytest.raises(hv.MechanismError, match="unknown entries"):
        hv.mechanism_from(good)


def test_steps_cannot_be_chosen_where_questions_leave_a_choice():
    """Two questions that say the same: any split of their steps would be unbiased."""
    good = hv.Duel(hv.borda(4), 1).parameters()
    one, *rest = good["questions"]
    half = one["share"] // 2
    twice = [one | {"share": half}, one | {"share": one["share"] - half}, *rest]
    if len(twice) > 3:
        twice = twice[:3]
    with pytest.raises(hv.MechanismError):
        hv.mechanism_from(good | {"questions": twice})


@pytest.mark.parametrize("kind", [hv.Duel, hv.Challenge])
def test_a_forged_cache_is_designed_anew(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    designing.designed.cache_clear()
    rule = hv.Rule("mine", [7, 3, 3, 1])
    honest = kind(rule, 1)
    (entry,) = (tmp_path / "hushvote").iterdir()
    document = json.loads(entry.read_text())
    for one in document["questions"]:
        one["step"] = int(int(one["step"]) * 1.5)
    cache.write(document["key"], document["questions"])
    assert json.loads(entry.read_text())["questions"] == document["questions"]
    designing.designed.cache_clear()
    assert kind(rule, 1).parameters() == honest.parameters()


@pytest.mark.parametrize("name", ["duel", "challenge", "laplace", "additive", "weighted-sampling"])
def test_parameters_that_lack_something_are_refused_at_once(name, monkeypatch):
    """Nothing is designed while loading."""
    good = hv.mechanism(name, hv.nauru(6), 1).parameters()
    monkeypatch.setattr(designing, "designed", None)
    for key in good:
        if key not in ("mechanism",):
            with pytest.raises(hv.MechanismError):
                hv.mechanism_from({k: v for k, v in good.items() if k != key})
            with pytest.raises(hv.HushvoteError):
                hv.mechanism_from(good | {key: None})


def test_loading_restores_and_never_designs(monkeypatch):
    good = hv.Duel(hv.nauru(6), 1)
    monkeypatch.setattr(designing, "designed", None)
    made = hv.mechanism_from(good.parameters())
    reports = made.privatize(random_orders(1000, 6))
    assert (made.tally(reports).result().scores == good.tally(reports).result().scores).all()

"""Numbers that somebody changed on the way: refused, or of no consequence."""

import copy
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hushvote as hv
from hushvote import exact
from hushvote.mechanisms.duel import cache, designing, drawing
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
    """A question asked twice: what one of them counts more, the other may count less."""
    good = hv.Duel(hv.borda(4), 1).parameters()
    one, *rest = good["questions"]
    half = one["share"] // 2

    def split(more):
        shares = half, one["share"] - half
        steps = one["step"] + more, one["step"] - more * shares[0] // shares[1]
        pair = zip(shares, steps, strict=True)
        asked = [*(one | {"share": share, "step": step} for share, step in pair), *rest]
        return good | {"questions": asked}

    assert hv.mechanism_from(split(0)).bias() < 1e-9
    with pytest.raises(hv.MechanismError, match="or what the others say"):
        hv.mechanism_from(split(one["step"] // 100))


def test_a_cap_on_the_gap_leaves_no_choice_of_steps_either():
    """Its designs have a question more than the rule has equations."""
    good = hv.Duel(hv.borda(8), 1, max_gap=40)
    assert len(good.asked) == 8
    assert hv.mechanism_from(good.parameters()).parameters() == good.parameters()
    passing = [designing.passing_groups(q.question) for q in good.asked]
    moves = [one.moves("duel", good.odds.ratio) for one in passing]
    _, _, rows = np.linalg.svd(np.array([[float(x) for x in move] for move in moves]).T)
    free = rows[-1] / [q.share for q in good.asked]  # steps move along this without any bias
    free /= max(abs(x) / q.step for x, q in zip(free, good.asked, strict=True))
    forged = good.parameters()
    for q, x in zip(forged["questions"], free, strict=True):
        q["step"] += round(0.01 * x)
    with pytest.raises(hv.MechanismError, match="or what the others say"):
        hv.mechanism_from(forged)


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


def test_a_forged_cache_cannot_break_a_cap(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    designing.designed.cache_clear()
    rule = hv.borda(6)
    free = hv.Duel(rule, 1)
    cap = 0.8 * free.risks().gap
    assert hv.Duel(rule, 1, max_gap=cap).risks().gap <= cap
    for entry in (tmp_path / "hushvote").iterdir():
        key = json.loads(entry.read_text())["key"]
        cache.write(key, free.options()["questions"])
    designing.designed.cache_clear()
    assert hv.Duel(rule, 1, max_gap=cap).risks().gap <= cap


def test_a_known_name_belongs_to_its_scores():
    good = hv.Additive(hv.borda(4), 1, k=1).parameters()
    for name in ("borda", "nauru", "approval", "approval-2", "approval-9", "approval-", "borda-2"):
        bad = good | {"rule": {"name": name, "scores": ["1", "0", "0", "0"]}}
        with pytest.raises(hv.MechanismError, match=f"not the scores of the rule {name}"):
            hv.mechanism_from(bad)
    assert hv.mechanism_from(hv.Additive(hv.approval(4, 3), 1, k=1).parameters()).rule.d == 4


def test_other_questions_in_the_head_of_a_file_are_told(run):
    """Steps that fit forged shares are sound, but honest devices kept to the true ones."""
    made = hv.Duel(hv.nauru(4), 1)
    votes = np.tile(np.arange(4, dtype=np.uint8), (20_000, 1))
    tally = made.tally(made.privatize(votes))
    asked = copy.deepcopy(made.options()["questions"])
    for one in asked:
        one["share"] = 2**32 // len(asked)
    asked[0]["share"] += 2**32 % len(asked) - 2**30
    asked[1]["share"] += 2**30
    for one, old in zip(asked, made.asked, strict=True):
        one["step"] = exact.to_json(round(Fraction(old.step * old.share, one["share"])))
    forged = hv.Duel(hv.nauru(4), 1, questions=asked)
    document = hv.Tally(forged.parameters(), tally.n, tally.counts)
    Path("forged.json").write_text(document.to_json(), encoding="utf-8")
    Path("honest.json").write_text(tally.to_json(), encoding="utf-8")
    code, out, _ = run("tally", "forged.json")
    assert code == 0
    assert "has won" not in out
    assert "would send these 20,000 reports with a chance of at most" in " ".join(out.split())
    assert "would send" not in " ".join(run("tally", "honest.json")[1].split())


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


def shifted(outer, changes):
    changed = outer.copy()
    for place, by in changes:
        changed[place] += by
    return changed


@pytest.mark.parametrize("kind", [hv.Duel, hv.Challenge])
@pytest.mark.parametrize(
    "changes",
    [
        [((0, 0, 1), 1)],  # not alike both ways round
        [((0, 2, 2), 4)],  # a mark squared that nobody has
        [((0, 0, 1), 2), ((0, 1, 0), 2)],  # rows that do not add up
        [((0, i, j), by * 2000) for i, j, by in ((0, 1, 1), (2, 3, 1), (0, 3, -1), (2, 1, -1))]
        + [((0, j, i), by * 2000) for i, j, by in ((0, 1, 1), (2, 3, 1), (0, 3, -1), (2, 1, -1))],
    ],
    ids=["lopsided", "diagonal", "rows", "too far"],
)
def test_products_of_marks_that_no_reports_have_are_refused(kind, changes):
    made = kind(hv.borda(4), 1)
    tally = made.tally(made.privatize(random_orders(1000, 4)))
    made.check_tally(tally)
    counts = {**tally.counts, "outer": shifted(tally.counts["outer"], changes)}
    with pytest.raises(hv.TallyError, match="these are not the counts of 1,000 reports"):
        made.check_tally(hv.Tally(tally.parameters, tally.n, counts))


def test_groups_are_proposed_some_at_a_time_however_seldom_they_pass(monkeypatch):
    """Chi-square of the bulk, false alarm 1e-8."""
    from tests.test_draws import assert_bulk_follows

    proposed, sizes = drawing.proposed, []
    monkeypatch.setattr(drawing, "TABLE_LIMIT", 0)
    monkeypatch.setattr(drawing, "MOST_TRIES", 500)
    monkeypatch.setattr(
        drawing, "proposed", lambda q, n, bits: sizes.append(n) or proposed(q, n, bits)
    )
    assert_bulk_follows(hv.Duel(hv.nauru(4), 2), None)
    assert max(sizes) == 500


def test_loading_restores_and_never_designs(monkeypatch):
    good = hv.Duel(hv.nauru(6), 1)
    monkeypatch.setattr(designing, "designed", None)
    made = hv.mechanism_from(good.parameters())
    reports = made.privatize(random_orders(1000, 6))
    assert (made.tally(reports).result().scores == good.tally(reports).result().scores).all()

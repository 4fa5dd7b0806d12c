"""A result in words and plain data, and what an inspection changes in it."""

import json

import numpy as np
import pytest

import hushvote as hv
from hushvote.messages import phrases
from tests.conftest import random_orders
from tests.test_result import ALL, electorate, of, stated


def test_json_is_plain_data_with_the_words_in_it():
    named = ("Ann", "Bob", "Cem", "Dee")
    for made in ALL:
        result = made.tally(made.privatize(electorate(500))).named(named).result()
        shown = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert shown["words"] == list(result.explain().words)
        assert str(result.explain()) == "\n".join(shown["words"])
        rows = {row["candidate"]: row for row in shown["candidates"]}
        for j, name in enumerate(named):
            places = result.rank_sets()[j]
            assert rows[name]["places"] == [places[0], places[-1]]
            assert [rows[name]["low"], rows[name]["high"]] == list(result.interval()[j])
            assert rows[name]["first"] == result.chances[j]


def test_words_of_a_sure_result_name_the_leader_and_the_share_that_it_withstands():
    made = hv.Duel(hv.borda(4), 2)
    result = made.tally(made.privatize(np.tile([2, 0, 3, 1], (20_000, 1)))).result()
    first, second, last = result.explain().words
    assert first == "2 has won: with 95 % confidence nobody else has as high a true score."
    assert second.startswith(
        "If 200 of the 20,000 reports (1 %) were made up to do the most harm, "
    )
    assert "would still hold" in second
    assert last.startswith("20,000 reports.")
    assert "would no longer be sure" in result.explain(fraction=0.9).words[1]


def test_words_of_an_open_result_name_the_rivals_and_the_reports_needed():
    result = stated([2.0, 1.9, 0.0, 1.95], 0.01 * np.eye(4))
    first, second, _ = result.explain().words
    assert "0 leads, but 3 or 1 may truly be ahead" in first
    assert f"probability {100 * result.chances[0]:.0f} %" in first
    many = stated(np.zeros(7), np.eye(7)).explain().words[0]
    assert "0 ties for the lead, but 1, 2, 3 or 3 others may truly be ahead" in many
    needed = result.voters_to_separate(0, 3)
    assert second.startswith("0 and 3 are 0.05 points apart")
    said = int(second.split("about ")[1].split()[0].replace(",", ""))
    assert needed <= said <= 1.1 * needed
    assert "reports altogether" in second


def test_the_rival_who_needs_the_most_reports_is_named_even_if_third():
    spread = np.diag([0.001, 0.001, 0.04, 0.001])
    shown = stated([2.0, 1.7, 1.6, 0.7], spread).to_dict()
    assert shown["lead"]["separated"]
    assert shown["rivals"] == [shown["needed"]["rival"]] == ["2"]
    assert shown["words"][1].startswith("0 and 2 are 0.4 points apart; if that is the true gap")
    close = stated([2.0, 2.0, 0.0], np.eye(3)).explain()
    assert close.words[1] == "0 and 1 are too close to say how many reports would tell."
    assert close.data["needed"]["reports"] is None


@pytest.mark.parametrize("n", [1, 2, 19])
@pytest.mark.parametrize("made", ALL, ids=repr)
def test_below_twenty_reports_nothing_is_guessed(made, n):
    result = of(made, np.tile([0, 1, 2, 3], (n, 1)))
    shown = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert np.isnan(result.chances).all()
    assert {row["first"] for row in shown["candidates"]} == {None}
    assert shown["lead"]["low"] is None
    assert shown["needed"] is None
    said = " ".join(shown["words"])
    assert "Fewer than 20 reports are too few" in said
    assert "probability" not in said
    assert "most likely tell" not in said
    assert f"{n} report{'s' * (n > 1)}. Scores" in said


def test_an_open_result_says_what_dishonest_reports_could_have_done():
    made = hv.Duel(hv.borda(2), "0.1")
    result = hv.Result(
        made.rule, 2000, np.array([0.6, 0.4]), hv.Uncertainty.sampled(np.eye(2)), None, made
    )
    moved = result.margin(0.02)["disguise"].moved
    assert result.explain(fraction=0.02).words[2] == (
        "If 40 of the 2,000 reports (2 %) were made up to do the most harm, that could have moved "
        f"the gap between two candidates by {moved:.3g} points."
    )


# --- reports that honest devices cannot have sent ----------------------------------------------


def faked() -> tuple[hv.Tally, hv.Inspection]:
    """9,500 voters for Ann, and 3,000 made-up reports that lift Bob over her."""
    made = hv.Duel(hv.borda(4), 1)
    honest = made.privatize(np.tile([0, 1, 2, 3], (9500, 1)))
    reports = np.concatenate([honest, made.disguise(favour=1, against=0, n=3000)])
    counted = made.tally(reports).named(("Ann", "Bob", "Cem", "Dee"))
    return counted, hv.inspect(counted, reports)


def test_after_a_suspicious_inspection_nobody_is_announced():
    counted, inspection = faked()
    assert inspection.suspicious
    result = counted.result()
    assert result.certified() == 1
    shown = result.to_dict(inspection=inspection)
    assert shown["certified"] is None
    assert shown["suspicious"] is True
    assert shown["title"] == "duel, borda over 4 candidates, epsilon 1, not to be trusted"
    assert shown["words"][0] == (
        "These reports cannot be trusted, so no winner is announced; if they were honest, Bob "
        "would have won with 95 % confidence."
    )
    assert "has won" not in " ".join(shown["words"])
    assert shown["words"][-1].endswith("confidence, if the reports are honest.")
    assert {tuple(row["places"]) for row in shown["candidates"]} == {(1, 4)}
    assert {row["first"] for row in shown["candidates"]} == {None}
    assert not shown["lead"]["separated"]
    assert shown["rivals"] == ["Ann", "Cem", "Dee"]
    assert shown["margin"] is None
    assert shown["lead"]["low"] is None
    assert not any("made up" in sentence for sentence in shown["words"])
    additive = hv.Additive(hv.borda(4), 1)
    other = of(additive, np.tile([0, 1, 2, 3], (counted.n, 1)))
    with pytest.raises(hv.TallyError, match="the inspection of another poll"):
        other.explain(inspection=inspection)
    with pytest.raises(hv.TallyError, match=r"what hv\.inspect returned, not True"):
        other.explain(inspection=True)
    open_too = stated([2.0, 1.9], np.eye(2), n=counted.n).explain(inspection=inspection)
    assert "even if they were honest, nobody would surely have won" in open_too.words[0]
    with pytest.raises(hv.TallyError, match="inspection of 12,500 reports, not of these 1,000"):
        stated([2.0, 1.9], np.eye(2)).explain(inspection=inspection)


def test_an_inspection_that_finds_nothing_changes_no_words():
    made = hv.Duel(hv.borda(4), 1)
    tally = made.tally(made.privatize(random_orders(5000, 4)))
    plain, result = tally.result().explain(), tally.result()
    passed = result.explain(inspection=hv.inspect(tally, false_alarm=1e-9))
    assert passed.words == plain.words
    assert passed.data == {**plain.data, "suspicious": False}
    assert plain.data["suspicious"] is None


def test_the_heading_can_be_rebuilt_from_the_data():
    shown = of(hv.Additive(hv.borda(4), "0.5", k=2), random_orders(100, 4)).to_dict()
    assert shown["title"] == "additive (k = 2), borda over 4 candidates, epsilon 0.5"
    assert (shown["mechanism"], shown["epsilon"]) == ("additive", 0.5)
    assert stated([2.0, 1.0], np.eye(2)).explain().data["title"] == "borda over 2 candidates"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (phrases.chance(None), "?"),
        (phrases.chance(0.0009), "< 0.1 %"),
        (phrases.chance(0.004), "0.4 %"),
        (phrases.chance(0.25), "25 %"),
        (phrases.chance(0.996), "99.6 %"),
        (phrases.chance(1.0), "> 99.9 %"),
        (phrases.places(2, 2), "2"),
        (phrases.places(1, 2), "1 or 2"),
        (phrases.places(1, 3), "1 to 3"),
        (phrases.percent(0.999), "99.9 %"),
        (phrases.percent(1), "100 %"),
        (phrases.percent(0.005), "0.5 %"),
        (phrases.percent(1 - 1e-9), "more than 99.9999 %"),
        (
            phrases.percent_down(129, 10_000),
            "1.2 %",
        ),  # a share that is withstood, not one above it
        (phrases.percent_down(9999, 10_000), "99 %"),
        (phrases.percent_down(0, 10), "0 %"),
    ],
)
def test_figures_in_words_pretend_nothing(said, expected):
    assert said == expected


def test_a_result_without_its_mechanism_has_no_margin():
    result = stated([2.0, 1.0], np.eye(2))
    assert result.explain().data["margin"] is None
    with pytest.raises(hv.TallyError, match="does not know its mechanism"):
        result.margin()


def test_nothing_is_certified_before_the_poll_is_closed():
    made = hv.Duel(hv.borda(4), 3)
    reports = made.privatize(np.tile(np.arange(4), (2000, 1)), rng=np.random.default_rng(1))
    result = made.tally(reports).result()
    assert result.explain(seats=2).data["certified"] == "0"
    shown = result.explain(seats=2, closed=False).to_dict()
    assert shown["certified"] is shown["elected"] is shown["needed"] is shown["margin"] is None
    assert not shown["closed"]
    assert not shown["lead"]["separated"]
    assert all(row["places"] == [1, 4] for row in shown["candidates"])
    assert all(row["first"] is None for row in shown["candidates"])
    assert shown["words"][0].startswith(
        "The poll is still open: 0 leads so far. Nobody is certified"
    )
    assert len(shown["words"]) == 2
    doubted = hv.detection.Inspection(
        2000, 0.01, (hv.detection.Check("x", 0.0, "", ""),), made.digest
    )
    said = result.explain(inspection=doubted, closed=False).words
    assert said[1].startswith("These reports cannot be trusted")
    assert "would have won" not in " ".join(said)

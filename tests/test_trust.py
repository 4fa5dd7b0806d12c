"""What misled somebody who tried hushvote for the first time, and what is seen instead."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import hushvote as hv
from hushvote.cli import show
from tests.conftest import one_sentence

SURVEY = "Bob,Ann,Cem\n2,1,3\n2,1,3\n3,1,2\n"


def test_a_survey_of_ranks_is_tallied_for_its_candidates(run, tmp_path):
    (tmp_path / "s.csv").write_text(SURVEY + "2,1,3\n" * 3000)
    assert run("privatize", "s.csv", "-o", "r.parquet", "-e", "2")[0] == 0
    result = json.loads(run("tally", "r.parquet", "--json")[1])
    assert result["certified"] == "Ann"
    assert [row["candidate"] for row in result["candidates"]] == ["Ann", "Bob", "Cem"]


def test_ids_beside_a_survey_are_answered_by_the_columns_to_choose(run, tmp_path):
    (tmp_path / "s.csv").write_text("id,Ann,Bob\n901,1,2\n902,2,1\n903,1,2\n")
    said = one_sentence(run("privatize", "s.csv", "-o", "r.parquet"))
    assert 'column A ("id") seems to hold no part of the ranking' in said
    assert "--columns B,C" in said
    assert "random" not in said
    for columns in ("B,C", "Ann,Bob", "B:C"):
        assert run("privatize", "s.csv", "-o", "r.parquet", "--columns", columns)[0] == 0
    assert hv.tally_files([tmp_path / "r.parquet"]).candidates == ("Ann", "Bob")


def test_numbers_that_may_be_ranks_or_candidates_are_refused_until_one_says_which(run, tmp_path):
    (tmp_path / "s.csv").write_text("1,2,3\n2,1,3\n3,2,1\n")
    said = one_sentence(run("privatize", "s.csv", "-o", "r.parquet"))
    assert "--layout places" in said
    assert "--layout ranks" in said
    for layout, voters in (("places", "3 votes"), ("ranks", "2 votes")):
        code, out, _ = run("privatize", "s.csv", "-o", "r.parquet", "--layout", layout)
        assert code == 0
        assert out.startswith(voters)
    assert "choose one of places, ranks" in one_sentence(
        run("privatize", "s.csv", "-o", "r.parquet", "--layout", "rows")
    )


# --- confidence ---------------------------------------------------------------------------------


@pytest.fixture
def small_poll(tmp_path):
    """A tally of 50 voters who agree, as a file."""
    made = hv.Duel(hv.borda(3), 4)
    reports = made.privatize(np.tile([1, 0, 2], (50, 1)), rng=np.random.default_rng(1))
    counted = made.tally(reports).named(("Ann", "Bob", "Cem"))
    (tmp_path / "t.json").write_text(counted.to_json(), encoding="utf-8")
    return counted


def test_a_level_means_the_same_in_percent_and_as_a_share(run, small_poll):
    answers = {run("tally", "t.json", "--level", level) for level in ("95", "95%", "0.95", "95 %")}
    assert len(answers) == 1
    (answer,) = answers
    assert "with 95 % confidence" in answer[1]


@pytest.mark.parametrize("level", ["5", "5%", "0.05", "49.9", "0.5%", "1", "100", "0", "-95", "x"])
def test_a_level_that_is_no_confidence_is_refused(run, small_poll, level):
    said = one_sentence(run("tally", "t.json", "--level", level))
    assert f"at least 50 % and below 100 %, as in 95, 95% or 0.95, not '{level}'" in said


def test_the_library_refuses_what_is_no_confidence(small_poll):
    result = small_poll.result()
    for ask in (
        result.certified,
        result.interval,
        result.differences,
        result.rank_sets,
        result.explain,
        result.to_dict,
        lambda level: result.interval(level, simultaneous=False),
        lambda level: result.margin(level=level),
        lambda level: result.voters_to_separate(0, 1, level),
        lambda level: hv.plan(hv.borda(3), 1, 0.5, level=level),
    ):
        ask(0.5)
        for level in (0.05, 0.499, 1, 95, math.nan, "0.95", True):
            with pytest.raises(hv.TallyError, match=r"at least 0\.5 and below 1, as in"):
                ask(level)


# --- who leads, and who has won -------------------------------------------------------------------


def test_the_json_says_first_who_is_certified(run, small_poll):
    found = json.loads(run("tally", "t.json", "--json")[1])
    assert next(iter(found)) == "certified"
    assert found["leader"] == found["certified"] == "Bob"
    assert found["leaders"] == ["Bob"]
    assert "winner" not in found


def test_only_who_is_certified_is_green(run, tmp_path, monkeypatch):
    rows = []
    monkeypatch.setattr(show, "print_table", lambda table: rows.extend(table.rows))
    made = hv.Duel(hv.borda(3), 1)
    reports = {3000: np.tile([0, 1, 2], (3000, 1)), 2: np.array([[0, 1, 2], [0, 1, 2]])}
    for n, orders in reports.items():
        counted = made.tally(made.privatize(orders))
        (tmp_path / "t.json").write_text(counted.to_json(), encoding="utf-8")
        rows.clear()
        assert run("tally", "t.json")[0] == 0
        expected = ["bold green", "", ""] if n == 3000 else ["", "", ""]
        assert [str(row.style) for row in rows] == expected


def test_a_result_has_a_leader_and_no_winner(small_poll):
    assert small_poll.result().leader == 1
    assert not hasattr(small_poll.result(), "winner")


# --- a large epsilon, and shares of few reports -------------------------------------------------

LITTLE = (
    "At epsilon 6 whoever sees a report can multiply their odds about the vote by up to 404: "
    "that protects little."
)


def test_an_epsilon_that_protects_little_is_told_by_every_command(run, tmp_path):
    (tmp_path / "b.csv").write_text("Ann,Bob,Cem\n" * 40)
    for epsilon, said in (("6", LITTLE), ("5", None)):
        commands = (
            ["design", "-d", "3", "-e", epsilon],
            ["privatize", "b.csv", "-o", "r.parquet", "-e", epsilon],
            ["tally", "r.parquet"],
        )
        for command in commands:
            code, out, err = run(*command)
            assert code == 0
            told = " ".join((out + err).split())
            assert (LITTLE in told) == (said is not None)
            assert ("protects little" in told) == (said is not None)
            found = json.loads(run(*command, "--json")[1])
            if command[0] == "tally":
                assert (LITTLE in found["words"]) == (said is not None)
            else:
                assert found["protection"] == said


def test_shares_are_whole_reports(run, small_poll):
    """One percent of 50 reports is half a report: one is reckoned with."""
    said = " ".join(run("tally", "t.json")[1].split())
    worst = min(small_poll.result().margin().attacks, key=lambda effect: effect.most)
    assert f"If 1 of the 50 reports (2 %) were {worst.kind.meaning}, that could have" in said
    assert (worst.asked, worst.whole) == (1, 50)
    assert f"it holds with up to {worst.most} such reports ({2 * worst.most} %)." in said
    assert worst.breakdown == worst.most / 50
    for share in (0.011, 0.02):
        assert small_poll.result().margin(share)[worst.kind.name].moved == worst.moved
    assert small_poll.result().margin(0)["disguise"].moved == 0


# --- scores --------------------------------------------------------------------------------------


def test_every_float_is_taken_as_what_its_digits_say(run):
    rule = hv.Rule("mine", [1, 1 / 2, 1 / 3])
    assert rule.scores == (1, Fraction(1, 2), Fraction("0.3333333333333333"))
    made = hv.mechanism("additive", rule, 1)
    assert hv.mechanism_from(made.parameters()).digest == made.digest
    for name in hv.mechanism_names():
        made = hv.mechanism(name, rule, 1)
        assert made.tally(made.privatize(np.tile([0, 1, 2], (50, 1)))).result().n == 50
    assert run("design", "--rule", "1,0.5,0.3333333333333333")[0] == 0


@pytest.mark.parametrize("score", [1234567890123.456, 1.234567890123e-50, "1/3" + "0" * 60])
def test_a_score_beyond_the_limits_is_named_in_full(score):
    with pytest.raises(hv.RuleError, match="must be between -10") as caught:
        hv.Rule("mine", sorted([1, score, 0], key=Fraction, reverse=True))
    assert str(caught.value).endswith(f"in steps of at least 10^-60, not {score!r}")

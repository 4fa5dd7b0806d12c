"""What misled somebody who tried hushvote for the first time, and what is seen instead."""

import json

import pytest

import hushvote as hv
from tests.conftest import one_sentence

SURVEY = "Bob,Ann,Cem\n2,1,3\n2,1,3\n3,1,2\n"


def test_a_survey_of_ranks_is_tallied_for_its_candidates(run, tmp_path):
    (tmp_path / "s.csv").write_text(SURVEY * 1 + "2,1,3\n" * 3000)
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

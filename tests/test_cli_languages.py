"""`--lang` and HUSHVOTE_LANG: results and boards are told in another language, errors are not."""

import json

import numpy as np
import pytest

import hushvote as hv
from hushvote.formats.reports import writing_reports
from tests.boards import forged
from tests.conftest import one_sentence

NAMES = ("Ann", "Bob", "Cem", "Dee")


@pytest.fixture
def reports(tmp_path):
    """A file of 5,000 honest reports and 2,000 made-up ones."""
    made = hv.Duel(hv.borda(4), 1)
    honest = made.privatize(np.tile([0, 1, 2, 3], (5000, 1)))
    fakes = made.disguise(favour=1, against=0, n=2000)
    with writing_reports(tmp_path / "r.parquet", made.domain, made.parameters(), NAMES) as file:
        file.write(np.append(honest, fakes))


def test_a_result_is_told_in_german_table_and_all(run, reports, monkeypatch, tmp_path):
    monkeypatch.setenv("HUSHVOTE_LANG", "de")
    code, out, _ = run("tally", "r.parquet", "--inspect", "--plot", "r.svg")
    said = " ".join(out.split())
    assert code == 0
    assert said.startswith("duel, borda mit 4 Kandidaten, Epsilon 1, nicht vertrauenswürdig Platz")
    for words in ("Punktzahl", "Intervall (95 %)", "wahrer Platz", "wirklich vorn", "Typen"):
        assert words in said
    assert "Diesen Meldungen ist nicht zu trauen" in said
    assert "Könnten ehrliche Geräte das gesendet haben?" in said
    assert "Ehrliche Geräte, von denen jedes einmal meldet, würden diese 7 000 Meldungen" in said
    assert "\ufffd" not in out
    for word in (" the ", " and ", " reports", " of ", "place ", " to "):
        assert word not in said.replace("--inspect", "")
    drawn = (tmp_path / "r.svg").read_text(encoding="utf-8")
    assert "nicht vertrauenswürdig" in drawn
    assert "\ufffd" not in drawn
    shown = json.loads(run("tally", "r.parquet", "--json")[1])
    assert shown["words"][-1].startswith("7\u202f000 Meldungen.")
    assert run("--lang", "en", "tally", "r.parquet")[1].startswith("duel, borda over 4 candidates")


def test_a_board_is_checked_in_german(asked, run):
    _, path = asked
    code, out, _ = run("--lang", "de", "verify", str(path))
    assert code == 0
    assert "All das trifft zu." in out
    assert "Abgegeben: 26. Änderungen: 4. Zurückgezogen: 2. Gelöscht: 1. Gültig: 23." in out
    assert out.index("All das trifft zu.") < out.index("wahrer Platz") < out.index("23 Meldungen.")
    assert "All of this holds." in run("verify", str(path))[1]  # which no longer speaks German


def test_a_board_that_does_not_hold_says_so_in_german(asked, run):
    code, out, _ = run("--lang", "de", "verify", str(forged(asked, casts=5)))
    assert code == 1
    assert "✗ Es stehen nicht so viele Meldungen da, wie abgegeben" in out
    assert "Nicht all das trifft zu" in out


def test_the_language_of_the_machine_is_not_taken_by_surprise(asked, run, monkeypatch):
    for name in ("LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.setenv(name, "de_DE.UTF-8")
    assert "All of this holds." in run("verify", str(asked[1]))[1]


def test_errors_and_other_commands_stay_english(run, monkeypatch):
    monkeypatch.setenv("HUSHVOTE_LANG", "de")
    assert "missing.parquet: there is no such file" in one_sentence(run("tally", "missing.parquet"))
    code, out, _ = run("plan", "--rule", "borda", "--candidates", "4", "--voters", "1000")
    assert code == 0
    assert "With 1,000 voters and a local epsilon of" in " ".join(out.split())


def test_a_language_that_there_is_not_is_one_sentence(run, monkeypatch):
    for words in (("--lang", "xx", "tally", "t.json"), ("--lang", "xx", "design")):
        assert "there is no language 'xx'; there are de, en" in one_sentence(run(*words))
    monkeypatch.setenv("HUSHVOTE_LANG", "klingon")
    assert run("design")[0] == 2

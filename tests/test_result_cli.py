"""`hushvote tally` and `design --lead`: what is printed is what the result says."""

import json
from contextlib import contextmanager

import numpy as np
import pytest

import hushvote as hv
from hushvote import plots
from hushvote.formats.reports import writing_reports
from tests.conftest import one_sentence

NAMES = ("Ann", "Bob", "Cem", "Dee")
NOTHING = dict.fromkeys(
    ("foreign", "outside", "unmarked", "conflicting", "superseded", "withdrawn"), 0
)


@pytest.fixture
def tally(tmp_path):
    """A tally of 5000 voters who agree, as a file."""
    made = hv.Duel(hv.borda(4), 1)
    counted = made.tally(made.privatize(np.tile([1, 0, 3, 2], (5000, 1)))).named(NAMES)
    (tmp_path / "t.json").write_text(counted.to_json(), encoding="utf-8")
    return counted


@pytest.fixture
def reports(tmp_path):
    """Files of reports: 9,500 honest voters for Ann, alone and with 3,000 made up for Bob."""
    made = hv.Duel(hv.borda(4), 1)
    honest = made.privatize(np.tile([0, 1, 2, 3], (9500, 1)))
    fakes = made.disguise(favour=1, against=0, n=3000)
    for name, sent in (("honest.PARQUET", honest), ("fake.parquet", np.append(honest, fakes))):
        with writing_reports(tmp_path / name, made.domain, made.parameters(), NAMES) as file:
            file.write(sent)


def test_reports_found_to_be_made_up_announce_nobody(run, reports, tmp_path):
    code, out, _ = run("tally", "fake.parquet", "--inspect", "--plot", "f.svg")
    said = " ".join(out.split())
    assert code == 0
    assert "Bob has won" not in said
    assert "so no winner is announced; if they were honest, Bob would have won" in said
    assert said.startswith("duel, borda over 4 candidates, epsilon 1, not to be trusted place")
    drawn = (tmp_path / "f.svg").read_text(encoding="utf-8")
    assert "not to be trusted" in drawn
    assert "certified" not in drawn
    code, out, _ = run("tally", "fake.parquet", "--inspect", "--json")
    shown = json.loads(out)
    assert shown["certified"] is None
    assert shown["suspicious"] is shown["inspection"]["suspicious"] is True
    assert "Bob has won" not in run("tally", "fake.parquet")[1]  # so plain that nobody must ask


def test_an_inspection_always_shows_its_checks(run, reports):
    code, out, _ = run("tally", "honest.PARQUET", "--inspect")
    assert code == 0
    assert "check" in out
    assert "what honest devices keep to" in out
    for name in ("types", "candidates", "pairs", "scores", "reports", "cycles"):
        assert f"\n {name}" in out
    assert "no single reports" not in out
    assert (
        json.loads(run("tally", "honest.PARQUET", "--inspect", "--json")[1])["inspection"]["unseen"]
        is None
    )


def test_an_inspection_says_if_it_has_not_seen_the_reports(run, reports, monkeypatch):
    run("tally", "honest.PARQUET", "--out", "t.json")
    why = "Only sums were inspected, no single reports: "
    code, out, _ = run("tally", "t.json", "fake.parquet", "--inspect")
    assert code == 0
    assert why + "a tally (.json) does not hold them." in out
    monkeypatch.setattr("hushvote.cli.tally.MOST_SORTED", 9000)
    shown = json.loads(run("tally", "honest.PARQUET", "--inspect", "--json")[1])
    assert shown["inspection"]["unseen"] == why + "there are more than 9,000."


def test_endings_of_tallies_may_be_in_capitals(run, tally, tmp_path):
    (tmp_path / "t.json").rename(tmp_path / "T.JSON")
    code, out, _ = run("tally", "T.JSON", "--inspect")
    assert code == 0
    assert "Only sums were inspected" in out


def test_few_reports_are_valid_json(run, tmp_path):
    made = hv.Duel(hv.borda(4), 1)
    one = made.tally(made.privatize([[0, 1, 2, 3]]))
    (tmp_path / "one.json").write_text(one.to_json(), encoding="utf-8")
    code, out, _ = run("tally", "one.json", "--json", "--inspect")
    assert code == 0
    json.loads(out, parse_constant=pytest.fail)
    code, out, _ = run("tally", "one.json")
    assert " ? " in out.replace("\n", " \n")
    assert "1 report. Scores" in out


def test_levels_and_shares_may_be_in_percent(run, tally):
    in_percent = run("tally", "t.json", "--json", "--level", "90%", "--dishonest", "5 %")
    for level in ("0.9", "90", "90 %", "90.0"):
        same = run("tally", "t.json", "--json", "--level", level, "--dishonest", "0.05")
        assert same == in_percent
    said = one_sentence(run("tally", "t.json", "--dishonest", "some"))
    assert "it must be a share such as 0.05 or 5%, not 'some'" in said
    code, out, _ = run("tally", "t.json", "--level", "0.9999999")
    assert code == 0
    assert "more than 99.9999 % interval" in out


def test_tally_prints_the_words_and_the_places(run, tally):
    code, out, _ = run("tally", "t.json")
    assert code == 0
    said = " ".join(out.split())
    for sentence in tally.result().explain().words:
        assert sentence in said
    assert "true place" in said
    assert "Bob has won" in said


def test_json_is_the_explanation(run, tally):
    code, out, _ = run("tally", "t.json", "--json", "--level", "0.9", "--dishonest", "0.2")
    assert code == 0
    expected = tally.result().explain(0.9, 0.2).to_dict()
    files = {"seeded": [], "without_checksums": [], "left_out": NOTHING}
    assert json.loads(out) == json.loads(json.dumps(expected)) | files
    assert expected["margin"]["fraction"] == 0.2


def test_the_number_of_issued_credentials_is_taken_into_account(run, tally, tmp_path):
    made = hv.Challenge(hv.borda(4), 1, key="5eed" * 8)
    counted = made.tally(made.privatize(np.tile([1, 0, 3, 2], (5000, 1))))
    (tmp_path / "c.json").write_text(counted.to_json(), encoding="utf-8")
    code, out, _ = run("tally", "c.json", "--issued", "8000")
    assert code == 0
    said = " ".join(out.split())
    assert said.count("If 80 of the 8,000 issued credentials (1 %) were ") == 2
    for sentence in counted.result().explain(issued=8000).words:
        assert sentence in said
    code, out, _ = run("tally", "c.json", "--issued", "8000", "--json")
    expected = counted.result().explain(issued=8000).to_dict()
    expected |= {"without_checksums": [], "seeded": [], "left_out": NOTHING}
    assert json.loads(out) == json.loads(json.dumps(expected))
    assert "number of issued credentials is not given" in " ".join(
        run("tally", "c.json")[1].split()
    )
    assert "If 80 of the 8,000 issued" in run("tally", "t.json", "--issued", "8000")[1]


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("4999", "5,000 reports cannot come from 4,999 issued credentials: each allows one report"),
        ("0", "must be a whole number from 1 to"),
        ("many", "many"),
    ],
)
def test_an_impossible_number_of_credentials_is_refused(run, tally, number, message):
    assert message in one_sentence(run("tally", "t.json", "--issued", number))


@pytest.mark.parametrize("suffix", plots.SUFFIXES)
def test_a_result_can_be_drawn(run, tally, tmp_path, suffix):
    code, _, _ = run("tally", "t.json", "--plot", f"r{suffix}")
    assert code == 0
    assert (tmp_path / f"r{suffix}").stat().st_size > 2000


@pytest.fixture
def seen(monkeypatch):
    """The axes of every picture that is drawn."""
    axes, figure = [], plots.figure

    @contextmanager
    def watched(*args, **options):
        with figure(*args, **options) as made:
            axes.append(made)
            yield made

    monkeypatch.setattr(plots, "figure", watched)
    return axes


def test_a_picture_shows_the_intervals_and_the_places_best_on_top(tally, seen, tmp_path):
    sure, few = (
        tally.result(),
        hv.Result(hv.borda(4), 100, np.arange(4.0), hv.Uncertainty.sampled(np.eye(4)), NAMES),
    )
    for result, certified in ((sure, ["place 1, certified"]), (few, [])):
        plots.result(result.explain(), result.rule, tmp_path / "r.svg")
        rows = result.explain().data["candidates"][::-1]
        drawn = seen.pop()
        assert [t.get_text() for t in drawn.get_yticklabels()] == [r["candidate"] for r in rows]
        for y, (row, line) in enumerate(zip(rows, drawn.lines[1::3], strict=True)):
            assert line.get_xdata().tolist() == np.clip([row["low"], row["high"]], 0, 3).tolist()
            assert line.get_ydata().tolist() == [y, y]
        assert [t.get_text() for t in drawn.texts if "certified" in t.get_text()] == certified
        scores = [t.get_text() for t in drawn.texts[::2]]
        assert scores == [f"{row['score']:.2f}" for row in rows]


def test_the_trade_off_has_the_shift_across_and_the_error_up(seen, tmp_path):
    plots.trade_off(hv.design(hv.borda(4), 4), tmp_path / "t.svg")
    (axes,), free = seen, hv.Duel(hv.borda(4), 4)
    shifts, errors = (list(data) for data in axes.lines[0].get_data())
    assert (shifts[0], errors[0]) == (free.risks().gap, free.mse())
    capped = hv.Duel(hv.borda(4), 4, max_gap=shifts[1])
    assert (shifts[1], errors[1]) == pytest.approx((capped.risks().gap, capped.mse()), rel=1e-3)


def test_names_are_drawn_as_they_stand(seen, tmp_path):
    made = hv.Duel(hv.Rule("two $s$", [1, 0]), 1)
    odd = ("$x_1$ and 50 %", "a name that is longer than any ballot paper would allow")
    result = made.tally(made.privatize(np.tile([0, 1], (900, 1)))).named(odd).result()
    plots.result(result.explain(), result.rule, tmp_path / "odd.svg")
    drawn = (tmp_path / "odd.svg").read_text(encoding="utf-8")
    assert "a name that is longer than any …" in drawn
    assert "$x_1$ and 50 %" in drawn
    (axes,) = seen
    assert axes.figure.get_suptitle() == r"\$x_1\$ and 50 % has won."  # no formulas
    assert r"duel, two \$s\$ over 2" in axes.figure.get_supxlabel()
    assert axes.get_yticklabels()[1].get_text() == r"\$x_1\$ and 50 %"


def test_bad_options_of_tally_get_one_sentence(run, tally, tmp_path):
    for options, message in (
        (["--level", "100%"], "at least 50 % and below 100 %, as in 95, 95% or 0.95, not '100%'"),
        (["--level", "sure"], "at least 50 % and below 100 %, as in 95, 95% or 0.95, not 'sure'"),
        (["--dishonest", "2"], "it must be a share such as 0.05 or 5%, not '2'"),
        (["--plot", "r.txt"], "a picture can be written as"),
        (["--plot", "no/r.png"], "there is no folder"),
    ):
        assert message in one_sentence(run("tally", "t.json", "--out", "u.json", *options))
        assert not (tmp_path / "u.json").exists()
    said = one_sentence(run("tally", "t.json", "--plot", "r.png", "--out", "no/u.json"))
    assert "there is no folder" in said
    assert not (tmp_path / "r.png").exists()


def test_design_shows_the_voters_for_a_lead(run):
    code, out, _ = run("design", "-d", "4", "--lead", "0.3")
    assert code == 0
    assert "needed to certify a lead of 0.300 points" in out
    assert f"{hv.plan(hv.borda(4), 1, 0.3).n:,}" in out
    code, out, _ = run("design", "-d", "4", "--lead", "0.3", "--json")
    assert json.loads(out)["mechanisms"][0]["voters"] == hv.plan(hv.borda(4), 1, 0.3).n
    assert "the lead must be" in one_sentence(run("design", "-d", "4", "--lead", "9"))

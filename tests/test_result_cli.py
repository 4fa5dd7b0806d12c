"""`hushvote tally` and `design --lead`: what is printed is what the result says."""

import json
from contextlib import contextmanager

import numpy as np
import pytest

import hushvote as hv
from hushvote import plots
from tests.test_cli import one_sentence, run  # noqa: F401

NAMES = ("Ann", "Bob", "Cem", "Dee")


@pytest.fixture
def tally(tmp_path):
    """A tally of 5000 voters who agree, as a file."""
    made = hv.Duel(hv.borda(4), 1)
    counted = made.tally(made.privatize(np.tile([1, 0, 3, 2], (5000, 1)))).named(NAMES)
    (tmp_path / "t.json").write_text(counted.to_json(), encoding="utf-8")
    return counted


def test_tally_prints_the_words_and_the_places(run, tally):  # noqa: F811
    code, out, _ = run("tally", "t.json")
    assert code == 0
    said = " ".join(out.split())
    for sentence in tally.result().explain().words:
        assert sentence in said
    assert "true place" in said
    assert "Bob has won" in said


def test_json_is_the_explanation(run, tally):  # noqa: F811
    code, out, _ = run("tally", "t.json", "--json", "--level", "0.9", "--dishonest", "0.2")
    assert code == 0
    expected = tally.result().explain(0.9, 0.2).to_dict()
    assert json.loads(out) == json.loads(json.dumps(expected))
    assert expected["margin"]["fraction"] == 0.2


@pytest.mark.parametrize("suffix", plots.SUFFIXES)
def test_a_result_can_be_drawn(run, tally, tmp_path, suffix):  # noqa: F811
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
    sure, few = tally.result(), hv.Result(hv.borda(4), 100, np.arange(4.0), np.eye(4), NAMES)
    for result, certified in ((sure, ["place 1, certified"]), (few, [])):
        plots.result(result.explain(), "title", tmp_path / "r.svg")
        rows = result.explain().data["candidates"][::-1]
        drawn = seen.pop()
        assert [t.get_text() for t in drawn.get_yticklabels()] == [r["candidate"] for r in rows]
        for y, (row, line) in enumerate(zip(rows, drawn.lines[::2], strict=True)):
            assert line.get_xdata().tolist() == [row["low"], row["high"]]
            assert line.get_ydata().tolist() == [y, y]
        assert [t.get_text() for t in drawn.texts if "certified" in t.get_text()] == certified


def test_the_trade_off_has_the_shift_across_and_the_error_up(seen, tmp_path):
    plots.trade_off(hv.design(hv.borda(4), 4), tmp_path / "t.svg")
    (axes,), free = seen, hv.Duel(hv.borda(4), 4)
    shifts, errors = (list(data) for data in axes.lines[0].get_data())
    assert (shifts[0], errors[0]) == (free.risks().gap, free.mse())
    capped = hv.Duel(hv.borda(4), 4, max_gap=shifts[1])
    assert (shifts[1], errors[1]) == pytest.approx((capped.risks().gap, capped.mse()), rel=1e-3)


def test_names_are_drawn_as_they_stand(seen, tmp_path):
    made = hv.Duel(hv.borda(2), 1)
    odd = ("$x_1$ and 50 %", "a name that is longer than any ballot paper would allow")
    result = made.tally(made.privatize(np.tile([0, 1], (900, 1)))).named(odd).result()
    plots.result(result.explain(), "two $s$", tmp_path / "odd.svg")
    drawn = (tmp_path / "odd.svg").read_text(encoding="utf-8")
    assert "a name that is longer than any …" in drawn
    assert "$x_1$ and 50 %" in drawn
    (axes,) = seen
    assert axes.figure.get_suptitle() == r"two \$s\$, 900 reports"  # no formulas
    assert axes.get_yticklabels()[1].get_text() == r"\$x_1\$ and 50 %"


def test_bad_options_of_tally_get_one_sentence(run, tally, tmp_path):  # noqa: F811
    for options, message in (
        (["--level", "95"], "between 0 and 1"),
        (["--dishonest", "2"], "share of dishonest reports"),
        (["--plot", "r.txt"], "a picture can be written as"),
    ):
        assert message in one_sentence(run("tally", "t.json", "--out", "u.json", *options))
        assert not (tmp_path / "u.json").exists()


def test_design_shows_the_voters_for_a_lead(run):  # noqa: F811
    code, out, _ = run("design", "-d", "4", "--lead", "0.3")
    assert code == 0
    assert "needed to certify a lead of 0.300 points" in out
    assert f"{hv.plan(hv.borda(4), 1, 0.3):,}" in out
    code, out, _ = run("design", "-d", "4", "--lead", "0.3", "--json")
    assert json.loads(out)["mechanisms"][0]["voters"] == hv.plan(hv.borda(4), 1, 0.3)
    assert "the lead must be" in one_sentence(run("design", "-d", "4", "--lead", "9"))

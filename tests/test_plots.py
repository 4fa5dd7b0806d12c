"""Pictures: nothing is cut off, nothing is said beside them, the same picture is the same file."""

import numpy as np
import pytest

import hushvote as hv
from hushvote import plots
from hushvote.errors import FileError
from hushvote.plots import lines, pictures

BOARD = "as the board has decided it, against two votes, on the last evening of November"
RULES = {"plain": "points", "long": BOARD, "wide": "W" * 80, "script": "規則" * 40}
NAMES = {
    "plain": ("Maximiliana Featherstonehaugh-XY", "Bob", "Cem"),
    "wide": ("W" * 40, "M" * 31, "@" * 64),
    "scripts": ("山田太郎" * 9, "🗳🎉 party", "ชื่อไทย 한국어 עברית"),
}


def counted(names, rule="custom", by="weighted-sampling", epsilon="0.01"):
    """A tally of 900 voters of one mind."""
    made = hv.mechanism(by, hv.Rule(rule, [5, 3, 0]), epsilon)
    votes = np.tile(np.arange(3), (900, 1))
    return made.tally(made.privatize(votes, rng=np.random.default_rng(1))).named(names)


@pytest.fixture
def drawn(monkeypatch):
    """The figures that would be written."""
    found = []
    monkeypatch.setattr(pictures, "save", lambda made, path: found.append(made))
    return found


def is_whole(made) -> bool:
    """Whether all that is drawn lies within the figure."""
    pictures.rendered(made, "png")
    with pictures.styled():
        box = made.get_tightbbox()
    width, height = made.get_size_inches()
    return box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_nothing_of_a_result_is_cut_off(drawn, tmp_path, names, rule):
    for by, level in (("weighted-sampling", 0.9999999), ("duel", 0.95)):
        tally = counted(names, rule, by)
        plots.result(tally.result().explain(level), tmp_path / "r.png")
        made = drawn.pop()
        assert is_whole(made)
        said = " ".join(made.get_suptitle().split())
        assert said.endswith("over 3 candidates, epsilon 0.01, 900 reports")


def test_nothing_of_a_trade_off_is_cut_off(drawn, tmp_path):
    for rule in RULES.values():
        plots.trade_off(hv.design(hv.Rule(rule, [5, 3, 0]), "0.01"), tmp_path / "t.png")
        assert is_whole(drawn.pop())


def test_nothing_of_lines_is_cut_off():
    long = "laplace:digits=" + ",".join(["1000000"] * 12)
    line = lines.Line(long, (0.5, 1.0), (2.0, 1.0), (0.1, 0.1))
    for panels in (1, 2):
        assert is_whole(lines.draw("tve", [("W" * 80, [line])] * panels, BOARD * 2))


def test_a_level_close_to_one_is_not_called_all(drawn, tmp_path):
    explanation = counted(NAMES["plain"]).result().explain(0.9999999)
    plots.result(explanation, tmp_path / "r.png")
    label = " ".join(drawn[0].axes[0].get_xlabel().split())
    said = "mean score of these voters, with intervals that hold together at more than 99.9999 %"
    assert label == said


@pytest.mark.parametrize("suffix", plots.SUFFIXES)
def test_the_same_picture_is_the_same_file(run, tmp_path, suffix):
    (tmp_path / "t.json").write_text(counted(NAMES["scripts"]).to_json(), encoding="utf-8")
    small = ("simulate", "-d", "3", "-n", "9", "--runs", "2", "-m", "laplace")
    for words in (("tally", "t.json"), ("design", "-d", "3"), small):
        files = [tmp_path / f"{words[0]}-{i}{suffix}" for i in range(2)]
        for file in files:
            code, _, err = run(*words, "--plot", file)
            assert (code, err) == (0, "")
        first, second = (file.read_bytes() for file in files)
        assert first == second


def test_a_picture_of_another_kind_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"as .png or .svg or .pdf, not as x.gif"):
        plots.trade_off(hv.design(hv.borda(3)), tmp_path / "x.gif")

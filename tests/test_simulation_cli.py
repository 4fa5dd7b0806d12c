"""`hushvote simulate`: options, TOML files, tables, pictures and mistakes."""

import json
import re
import sys
from pathlib import Path

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.numerals import number
from hushvote.plots import lines as plotted
from hushvote.plots.pictures import rendered
from hushvote.plots.style import look
from hushvote.reproduction.grid import named_figures
from hushvote.simulation import experiment, read_settings
from tests.conftest import one_sentence

EXAMPLE = Path(__file__).parents[1] / "examples" / "simulate.toml"
SMALL = ("-d", "4", "-n", "60", "--runs", "3", "-e", "1")


def test_json_has_the_same_points_as_the_library(run):
    code, out, _ = run(
        "simulate", *SMALL, "--attack", "disguise", "--adversaries", "0,10%", "--json"
    )
    assert code == 0
    table = hv.simulate(d=4, n=60, runs=3, epsilons=1, attack="disguise", adversaries=[0, "10%"])
    assert json.loads(out) == table.to_pylist()


def test_a_table_names_rule_voters_and_metrics(run):
    code, out, err = run("simulate", *SMALL, "-m", "duel,additive:k=2", "--metrics", "tve,aow")
    assert (code, err) == (0, "")
    assert "borda over 4 candidates, 60 voters, electorate paper" in out
    assert "additive:k=2" in out
    assert "mean.\ntve: total variation error; aow: accuracy of the winner.\n" in out


@pytest.mark.parametrize("columns", ["80", "30"])
def test_no_figure_is_cut_off_on_a_narrow_terminal(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    words = ("-m", "weighted-sampling,duel", "--attack", "disguise", "--adversaries", "5,10%")
    code, out, _ = run("simulate", *SMALL, *words)
    assert code == 0
    table = hv.simulate(
        d=4,
        n=60,
        runs=3,
        epsilons=1,
        mechanisms=["weighted-sampling", "duel"],
        attack="disguise",
        adversaries=[5, "10%"],
    )
    lines = [line for line in out.splitlines() if "±" in line and "polls" not in line]
    assert len(lines) == 4
    cells = " ".join(lines)
    for row in table.to_pylist():
        assert row["mechanism"] in cells
        assert f"{number(row['mean'])} ± {number(row['se'])}" in cells
    code, out, _ = run("design", "-d", "5", "--lead", "0.0001")
    assert code == 0
    assert len(re.findall(r"\d\.\d\de\d\d? *$", out, re.MULTILINE)) == 6


def test_lists_of_options_stay_with_their_mechanism(run):
    digits = ",".join(str(digit) for digit in hv.Laplace(hv.borda(4), 1).digits)
    code, out, err = run(
        "simulate", *SMALL, "-d", "4", "-e", "1", "-m", f"laplace:digits={digits},duel", "--json"
    )
    assert code == 0, err
    found = {row["mechanism"] for row in json.loads(out)}
    assert found == {f"laplace:digits={digits}", "duel"}


def test_points_and_a_picture_are_written(run, tmp_path):
    for name in ("points.csv", "points.parquet"):
        picture = f"{name}.svg"
        code, _, err = run("simulate", *SMALL, "-m", "duel", "--out", name, "--plot", picture)
        assert code == 0, err
        assert b"<svg" in (tmp_path / picture).read_bytes()
    table = pq.read_table(tmp_path / "points.parquet")
    assert table.num_rows == 5
    assert pa_csv.read_csv(tmp_path / "points.csv").to_pylist() == table.to_pylist()


def line(name, epsilons=(0.5, 1.0)):
    return plotted.Line(name, epsilons, [0.5] * len(epsilons), [0.1] * len(epsilons))


@pytest.mark.parametrize("names", [hv.mechanism_names(), hv.mechanism_names()[:2]])
@pytest.mark.parametrize("panels", [1, 2, 3])
def test_the_legend_of_a_picture_fits(names, panels):
    made = plotted.draw("tve", [("", [line(name) for name in names])] * panels, "title")
    (legend,) = made.legends
    box = legend.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= made.bbox.width
    shown = [axes for axes in made.axes if axes.get_visible()]
    named = [bool(axes.get_xlabel()) for axes in shown]
    assert named == [[True], [True] * 2, [False, True, True]][panels - 1]
    assert [axes.xaxis.get_tick_params()["labelbottom"] for axes in shown] == named


def test_mechanisms_that_differ_in_options_alone_have_different_lines():
    names = ["additive:k=1", "additive:k=2", "duel", "mine", "yours"]
    made = plotted.draw("tve", [("", [line(name) for name in names])], "")
    drawn = [bars.lines[0] for bars in made.axes[0].containers]
    filled = [x.get_markerfacecolor() == x.get_color() for x in drawn]
    assert filled == [True, False, True, True, False]
    looks = [(x.get_color(), x.get_marker(), str(x._unscaled_dash_pattern)) for x in drawn]
    assert len(set(looks)) == len(names)


def test_a_mechanism_has_one_look_of_its_own_whatever_its_options():
    names = (*hv.mechanism_names(), "mine")
    looks = [look(name) for name in names]
    assert len({one.colour for one in looks}) == len({one.mark for one in looks}) == 7
    assert len({str(one.line) for one in looks[:-1]}) == 6
    assert all(look(f"{name}:k=2") == look(name) for name in names)


def test_bars_reach_two_standard_errors_up_and_down():
    made = plotted.draw("tve", [("", [line("duel")])], "")
    (bars,) = made.axes[0].containers
    assert [list(ends[:, 1]) for ends in bars[2][0].get_segments()] == [[0.3, 0.7]] * 2


@pytest.mark.parametrize("metric", ["mse", "low"])
def test_a_figure_of_zeros_has_a_plain_scale(metric):
    made = plotted.draw(metric, [("", [plotted.Line("duel", [1, 2], [0, 0], [0, 0])])], "")
    assert made.axes[0].get_yscale() == "linear"


def test_the_same_picture_is_the_same_file_on_any_day():
    made = plotted.draw("tve", [("", [line("duel")])], "")
    assert b"date>" not in rendered(made, "svg")
    assert b"/CreationDate" not in rendered(made, "pdf")


def test_a_single_epsilon_has_one_tick():
    made = plotted.draw("tve", [("", [line(name, (2.0,)) for name in ("duel", "laplace")])], "")
    (axes,) = made.axes
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["2"]
    low, high = axes.get_xlim()
    assert low < 1.9
    assert high > 2.1


def test_one_voter_is_not_several(run):
    assert "1 voter, electorate" in run("simulate", *SMALL, "-n", "1", "-m", "laplace")[1]


def test_the_example_is_a_figure_of_the_paper():
    (figure,) = named_figures(["fig-tve-borda-disguise"])
    (expected,) = figure.experiments(400, 1)
    asked = experiment(**read_settings(EXAMPLE).values)
    assert asked.settings() == expected.settings()
    assert (asked.runs, asked.metrics) == (400, ("tve",))


def test_options_come_before_the_file(run):
    words = ("simulate", EXAMPLE, "-n", "50", "-d", "3", "-e", "1", "-m", "duel")
    code, out, err = run(*words, "--runs", "2", "--adversaries", "2", "--json")
    assert code == 0, err
    (point,) = json.loads(out)
    assert (point["attack"], point["adversaries"], point["n"]) == ("disguise", 2, 50)


def test_ballots_of_a_file_are_simulated_with_its_own_size(run, tmp_path):
    (tmp_path / "ballots.csv").write_text("first,second,third\n" + "a,b,c\n" * 30 + "c,b,a\n" * 9)
    code, out, err = run("simulate", "--electorate", "ballots.csv", "--runs", "2", "--json")
    assert code == 0, err
    assert {(row["n"], row["d"]) for row in json.loads(out)} == {(39, 3)}


BAD_FILES = {
    'rule = "borda"\nrun = 5\n': "bad.toml, line 2: unknown key 'run'; did you mean runs?",
    "[rule]\nname = 1\n": "bad.toml, line 1: a rule is named by a text",
    "\n\nruns = 1\n": "bad.toml, line 3: runs must be a whole number from 2",
    "d = 4\nn = 10\n'attack' = 'x'\n": "bad.toml, line 3: there is no attack 'x'",
    "adversaries = 3\n": "bad.toml, line 1: adversaries need an attack",
    "runs = 2\nelectorate = 'mallows:phi=7'\n": "bad.toml, line 2: phi must be a number",
    "epsilons = [1, -1]\n": "bad.toml, line 1: epsilon must be a number above 0",
    "d = 4\nmechanisms = ['additive:q=2']\n": "bad.toml, line 2: additive has no option 'q'",
    "d = 3\nelectorate = 'nobody.soc'\n": "bad.toml, line 2: cannot read nobody.soc: there is",
    "metrics = [['tve']]\n": "bad.toml, line 1: there is no metric ['tve']",
    "n = 9\nattack = 'disguise'\n": "bad.toml, line 2: attack 'disguise' needs adversaries",
    "zzz = 1\n": "bad.toml, line 1: unknown key 'zzz'; it may set rule, d, n",
    'rule = "borda\n': "bad.toml is not a TOML file",
    "": "bad.toml: the file is empty",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_mistakes_in_a_file_are_named_with_their_line(run, tmp_path, text):
    (tmp_path / "bad.toml").write_text(text)
    assert BAD_FILES[text] in one_sentence(run("simulate", "bad.toml"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--runs", "1"], "runs must be a whole number from 2"),
        (["nobody.toml"], "there is no such file"),
        (["--out", "points.txt"], "points can be written as .csv or .parquet, not as points.txt"),
        (["--plot", "points.gif"], "a picture can be written as .png or .svg or .pdf"),
        (["--electorate", "mallow"], "there is no electorate 'mallow'"),
        (["--attack", "disguise", "--adversaries", "x"], "adversaries must be a whole number"),
        (["--runs", "few"], "'--runs': it must be a whole number, not 'few'"),
        (["--jobs", "0"], "jobs must be a whole number from 1"),
        (["--attack", "disguise"], "needs adversaries; say how many: --adversaries 1%"),
        (["--electorate", "file:path=12"], "12"),
        (["--out", "nodir/x.csv", "--runs", "1000000"], "there is no folder"),
        (["--plot", "nodir/x.svg", "--runs", "1000000"], "there is no folder"),
        (["-e", "0"], "epsilon must be a number above 0"),
        (["-e", ","], "epsilons is empty"),
    ],
)
def test_mistakes_on_the_command_line_are_one_sentence(run, tmp_path, words, message):
    assert message in one_sentence(run("simulate", *words))
    assert not list(tmp_path.iterdir())


def test_options_come_before_a_file_that_is_wrong_in_them(run, tmp_path):
    (tmp_path / "mine.toml").write_text("runs = 1\nd = 4\nmechanisms = 'zebra'\nn = 20\n")
    code, out, err = run("simulate", "mine.toml", "--runs", "2", "-m", "duel", "--json")
    assert code == 0, err
    assert {(row["d"], row["n"], row["runs"]) for row in json.loads(out)} == {(4, 20, 2)}
    said = one_sentence(run("simulate", "mine.toml", "--runs", "0", "-m", "duel"))
    assert "runs must be a whole number" in said
    assert "mine.toml" not in said


def test_zero_adversaries_may_be_written_out(run):
    words = ("-m", "duel", "--attack", "disguise", "--adversaries", "0", "--json")
    code, out, _ = run("simulate", *SMALL, *words)
    assert code == 0
    assert {row["adversaries"] for row in json.loads(out)} == {0}


def test_truncated_ballots_are_told_what_simulate_understands(run, tmp_path):
    (tmp_path / "cut.csv").write_text("first,second,third\na,b,c\nb,c,\n")
    said = one_sentence(run("simulate", "--electorate", "cut.csv"))
    assert "or write --electorate 'file:path=cut.csv,incomplete=random'" in said
    assert "--incomplete" not in said
    words = ("--electorate", "file:path=cut.csv,incomplete=random", "--runs", "2", "--json")
    assert run("simulate", *words)[0] == 0


def test_a_picture_without_matplotlib_is_refused_before_any_work(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = one_sentence(run("simulate", "--plot", "x.png", "--runs", "1000000"))
    assert "pictures need matplotlib" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nsw2023-summer-hill-d5.soc", "nsw2023-lismore-d8.soc"])
def test_real_ballots_are_simulated(run, ballots, name):
    words = ("--electorate", ballots / name, "-m", "duel", "--runs", "4", "-e", "2")
    code, out, err = run("simulate", *words, "--json")
    assert code == 0, err
    found = {row["metric"]: row["mean"] for row in json.loads(out)}
    assert 0 <= found["aow"] <= 1
    assert found["tve"] > 0


def test_a_panel_shows_its_own_number_of_adversaries(run, monkeypatch):
    panels = []

    def watched(metric, shown, title):
        panels.extend(shown)
        return plotted.draw(metric, shown, title)

    monkeypatch.setattr("hushvote.cli.simulate.draw", watched)
    words = ["simulate", "-d", "3", "-n", "50", "-e", "1,2", "-m", "duel", "--runs", "2"]
    code, out, _ = run(*words, "--attack", "disguise", "--adversaries", "0,30", "--plot", "p.svg")
    assert code == 0, out
    assert [title for title, _ in panels] == ["0 adversaries", "30 adversaries"]
    (honest,), (attacked,) = (lines for _, lines in panels)
    assert honest.epsilons == attacked.epsilons == [1, 2]
    assert honest.means != attacked.means


def test_lines_run_from_left_to_right_whatever_the_order_of_the_rows():
    rows = [
        {"mechanism": name, "epsilon": e, "mean": 10 * e, "se": e / 10}
        for name in ("duel", "laplace")
        for e in (2, 0.5, 1)
    ]
    assert plotted.Line.of("duel", rows) == plotted.Line(
        "duel", [0.5, 1, 2], [5, 10, 20], [0.05, 0.1, 0.2]
    )


BIASED = """import hushvote as hv


@hv.register
class Biased(hv.Additive):
    name = "biased"

    def views(self, reports):
        return 2 * super().views(reports)
"""


def test_a_mechanism_that_must_not_be_chosen_is_simulated_with_a_note(run, tmp_path):
    (tmp_path / "own.py").write_text(BIASED)
    code, out, err = run("--load", "own.py", "simulate", *SMALL, "-m", "duel,biased", "--json")
    assert code == 0
    assert {row["mechanism"] for row in json.loads(out)} == {"duel", "biased"}
    assert err.startswith("biased would be refused for a poll: own.py, line 4: its views are bia")
    assert err.count("\n") == 1

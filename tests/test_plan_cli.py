"""`hushvote plan`: voters, epsilon and lead in all directions, and the page about it."""

import json
import math
import re
from contextlib import contextmanager

import pytest

import hushvote as hv
from hushvote import plots
from hushvote.planning import most_lead, rounded_up
from tests.conftest import one_sentence
from tests.test_docs import blocks, commands, read, squeezed

PAGE = "docs/choosing.md"


def plans(result):
    code, out, err = result
    assert code == 0, err
    return json.loads(out, parse_constant=pytest.fail)["plans"]


def test_two_of_voters_epsilon_and_lead_give_the_third(run):
    rule = hv.borda(5)
    (row,) = plans(run("plan", "-d", "5", "-n", "300", "-e", "3", "--json"))
    assert row["lead"] == hv.plan(rule, 3, n=300).lead
    (row,) = plans(run("plan", "-d", "5", "-n", "300", "--lead", "0.9", "--json"))
    assert row["epsilon"] == hv.plan(rule, lead=0.9, n=300).epsilon
    (row,) = plans(run("plan", "-d", "5", "--lead", "0.9", "-e", "3", "--json"))
    assert row["n"] == hv.plan(rule, 3, 0.9).n


def test_voters_alone_give_a_table_of_epsilons(run):
    code, out, _ = run("plan", "-d", "5", "-n", "300")
    said = squeezed(out)
    assert code == 0
    found = hv.plan(hv.borda(5), 3, n=300)
    share = math.ceil(100 * found.lead / most_lead(hv.borda(5)))
    row = rf"300 3 × 20\.1 [\d.]+ {rounded_up(found.lead)} {share} % "
    assert re.search(row, said)
    assert re.search(r"300 1 × 2\.72 [\d.]+ – – ", said)
    assert f"Read it like this: {found.words}" in said
    assert "–: with so few voters this epsilon certifies no lead" in said
    assert "holds towards whoever sees a report come in, the operator included" in said


def test_several_numbers_of_voters_have_columns_each(run):
    code, out, _ = run("plan", "-d", "4", "-n", "200,400", "-e", "2,4")
    assert code == 0
    assert re.search(r"200 voters +crowd +400 voters +crowd", out)
    rows = plans(run("plan", "-d", "4", "-n", "200,400", "-e", "2,4", "--json"))
    assert [(row["n"], row["epsilon"]) for row in rows] == [(200, 2), (400, 2), (200, 4), (400, 4)]
    for row in rows:
        assert row["lead"] == hv.plan(hv.borda(4), row["epsilon"], n=row["n"]).lead


def test_a_lead_alone_gives_the_voters_for_each_epsilon(run):
    rows = plans(run("plan", "-d", "4", "--lead", "0.5", "--json"))
    assert [row["epsilon"] for row in rows] == [1, 2, 3, 4, 5]
    assert [row["n"] for row in rows] == [hv.plan(hv.borda(4), e, 0.5).n for e in range(1, 6)]


def test_options_reach_the_plan(run):
    options = ["--seats", "2", "--survey", "--power", "80%", "--level", "99", "-m", "additive:k=2"]
    (row,) = plans(run("plan", "-d", "5", "-n", "9000", "-e", "2", *options, "--json"))
    made = hv.plan(
        hv.borda(5), 2, n=9000, seats=2, population=True, power=0.8, level=0.99, by="additive:k=2"
    )
    assert (row["lead"], row["words"]) == (made.lead, made.words)
    assert "who" in made.words
    assert "2 seats" in made.words
    assert "(80 %)" in made.words


def test_no_figure_promises_too_much(run):
    assert [rounded_up(x) for x in (0.911, 0.91, 1.1, 0.0301, 1230)] == [
        0.92,
        0.91,
        1.1,
        0.031,
        1300,
    ]
    for row in plans(run("plan", "-d", "4", "-n", "5000", "--json")):
        made = hv.mechanism("duel", hv.borda(4), row["epsilon"])
        assert hv.shuffled_epsilon(made, 5000) <= row["crowd_epsilon"] <= row["epsilon"]
        assert row["share"] >= row["lead"] / most_lead(hv.borda(4)) or row["share"] == 1
        assert f"{rounded_up(row['lead']):.3g} point" in row["words"]


def test_the_crowd_is_that_of_the_turnout(run):
    asked = ["plan", "-d", "4", "-n", "50000", "-e", "1", "--turnout", "30000", "--delta", "1e-8"]
    (row,) = plans(run(*asked, "--json"))
    made = hv.mechanism("duel", hv.borda(4), 1)
    assert row["crowd_epsilon"] == rounded_up(hv.shuffled_epsilon(made, 30_000, 1e-8))
    said = squeezed(run(*asked)[1])
    assert "if at least 30,000 of them are honest, but for a chance of 1 in 100,000,000." in said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-n", "20", "-e", "9"], "so few reports, at such an epsilon, are no crowd to speak of"),
        (["-n", "9000", "-e", "3", "-m", "challenge"], "those of challenge show whose they are"),
    ],
)
def test_where_there_is_no_crowd_the_local_epsilon_is_shown(run, options, words):
    (row,) = plans(run("plan", "-d", "3", *options, "--json"))
    assert row["crowd_epsilon"] == row["epsilon"]
    assert words in squeezed(run("plan", "-d", "3", *options)[1])


def test_a_large_epsilon_is_answered_with_what_it_protects(run):
    code, _, err = run("plan", "-d", "3", "-n", "300", "-e", "6")
    assert code == 0
    assert "that protects little" in err


@pytest.mark.parametrize("suffix", plots.SUFFIXES)
def test_plans_can_be_drawn(run, tmp_path, suffix):
    assert run("plan", "-d", "4", "-n", "300", "-e", "1,3", "--plot", f"p{suffix}")[0] == 0
    assert (tmp_path / f"p{suffix}").stat().st_size > 2000


def test_a_picture_has_a_line_for_every_epsilon_and_a_dot_for_every_plan(run, monkeypatch):
    axes, figure = [], plots.figure

    @contextmanager
    def watched(*args, **options):
        with figure(*args, **options) as made:
            axes.append(made)
            yield made

    monkeypatch.setattr(plots, "figure", watched)
    run("plan", "-d", "5", "-n", "300", "-e", "1,3", "--plot", "p.svg")  # with 1 there is no plan
    (drawn,), lead = axes, hv.plan(hv.borda(5), 3, n=300).lead
    texts = {text.get_text() for text in drawn.texts}
    assert {"epsilon 1", "epsilon 3", f"{rounded_up(lead):g}"} < texts
    dots = [line for line in drawn.lines if line.get_marker() == "o"]
    assert [(dot.get_xdata()[0], dot.get_ydata()[0]) for dot in dots] == [(300, lead)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-d", "5"], "say how many will vote, as in -n 300, or which lead"),
        (["-d", "5", "-e", "3"], "say how many will vote"),
        (["-n", "300"], "add --candidates 8"),
        (["-d", "5", "-n", "300", "-e", "3", "--lead", "1"], "all three were given"),
        (["-d", "5", "-n", "15"], "no lead at any epsilon: plan with at least 20 voters"),
        (["-d", "5", "-n", "15", "--lead", "1"], "plan with at least 20 voters"),
        (["-d", "5", "-n", "60", "-e", "1"], "take a larger epsilon or more voters"),
        (["-d", "5", "-n", "60", "--lead", "0.01"], "plan with a larger lead or more voters"),
        (["-d", "5", "-n", "many"], "several as in 100,300,1000, not 'many'"),
        (["-d", "5", "-n", ","], "several as in 100,300,1000, not ','"),
        (["-d", "5", "-n", "0"], "number of voters"),
        (["-d", "5", "-n", "300", "-e", "0"], "epsilon must be"),
        (["-d", "5", "-n", "300", "-e", "x"], "epsilon must be"),
        (["-d", "5", "--lead", "9"], "the lead must be"),
        (["-d", "5", "--lead", "x"], "'--lead': it must be a number"),
        (["-d", "5", "-n", "300", "--seats", "5"], "the seats must be"),
        (["-d", "5", "-n", "300", "--power", "2%"], "'--power': it must be at least 50 %"),
        (["-d", "5", "-n", "300", "--level", "no"], "'--level': it must be at least 50 %"),
        (["-d", "5", "-n", "300", "-m", "dual"], "dual"),
        (["-d", "5", "-n", "300", "--turnout", "301"], "from 1 to the number of voters, not 301"),
        (["-d", "5", "-n", "300", "--turnout", "0"], "from 1 to the number of voters, not 0"),
        (["-d", "5", "-n", "300", "--delta", "2"], "delta must lie between 0 and 1"),
        (["-d", "5", "-n", "300", "--plot", "p.doc"], "a picture can be written as"),
    ],
)
def test_bad_questions_get_one_sentence(run, options, message):
    assert message in one_sentence(run("plan", *options))


def test_help_shows_every_direction(run):
    code, out, _ = run("plan", "--help")
    assert code == 0
    for example in ("-n 300 -e 3", "-n 1000 --lead 0.5", "--lead 0.5 -e 3"):
        assert f"hushvote plan -d 5 {example}" in squeezed(out)


@pytest.mark.slow
def test_the_page_shows_what_the_commands_print(run):
    shown = [c for kind, block in blocks(PAGE) if kind == "console" for c in commands(block)]
    assert len(shown) == 5
    for command, lines in shown:
        code, out, _ = run(*command.split()[1:])
        assert code == 0, command
        for line in lines:
            assert squeezed(line) in squeezed(out) or not re.search(r"\w", line), (command, line)


def test_odds_on_the_page_are_right_and_never_too_low():
    rows = re.findall(r"^\| ([\d.]+) \| ([\d.]+) \| (\d+) % \|$", read(PAGE), re.M)
    assert len(rows) == 8
    for epsilon, odds, becomes in rows:
        factor = math.exp(float(epsilon))
        assert rounded_up(factor, 3) == float(odds)
        assert math.ceil(100 * factor / (factor + 9)) == int(becomes)


def test_the_page_is_one_page():
    prose = re.sub(r"^```.*?^```", "", read(PAGE), flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split()) < 1100


def test_thousands_are_written_without_a_comma(run):
    code, _, err = run("plan", "-d", "5", "-n", "1,200")
    assert code == 2
    assert "1,200 reads as 1 and 200 voters; write 1200" in squeezed(err)
    assert run("plan", "-d", "5", "-n", "200,300", "-e", "3")[0] == 0


def test_no_more_honest_reports_are_counted_on_than_there_are_voters(run):
    code, _, err = run("plan", "-d", "5", "-e", "3", "--lead", "0.5", "--turnout", "50000")
    assert code == 2
    assert "the turnout must be a whole number from 1 to the number of voters" in squeezed(err)
    code, _, err = run("design", "-d", "5", "-n", "400", "--turnout", "500", "--crowd", "1")
    assert code == 2
    assert "from 1 to 400, the number of voters, not 500" in squeezed(err)


BIASED = """import hushvote as hv


@hv.register
class Biased(hv.Additive):
    name = "biased"

    def views(self, reports):
        return 2 * super().views(reports)
"""


@pytest.mark.parametrize("words", [("-n", "300"), ("-n", "300", "--lead", "0.5")])
def test_a_mechanism_that_must_not_be_chosen_is_not_planned_with(run, tmp_path, words):
    (tmp_path / "own.py").write_text(BIASED)
    said = one_sentence(run("--load", "own.py", "plan", "-d", "4", "-m", "biased", *words))
    assert "biased is refused: own.py, line 4: its views are biased for borda over 4" in said

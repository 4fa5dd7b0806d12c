"""The command line as a user meets it: every command, every kind of bad input."""

import gzip
import json
import re
from dataclasses import replace

import numpy as np
import pytest
import typer

import hushvote as hv
from hushvote.canonical import canonical
from hushvote.cli.options import parse_share
from hushvote.numerals import cautious, number
from tests.conftest import names_in, one_sentence, random_orders
from tests.test_cli_reports import report_file


def test_from_ballots_to_result(run, ballot_file):
    code, out, _ = run("privatize", ballot_file, "-o", "r.parquet", "-e", "2", "-m", "additive")
    assert code == 0
    assert "1,000 votes randomised with additive (k = 1), borda over 4 candidates" in out
    assert "7.389057 times" in out
    code, out, _ = run("tally", "r.parquet", "--out", "t.json")
    assert code == 0
    assert all(name in out for name in ("Ann", "Bob", "Cy", "Di", "1,000 reports"))
    code, out, _ = run("tally", "r.parquet", "t.json", "--json")
    result = json.loads(out)
    assert result["n"] == 2000
    assert {row["candidate"] for row in result["candidates"]} == {"Ann", "Bob", "Cy", "Di"}


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_every_mechanism_goes_through_files_to_the_same_tally(run, ballot_file, tmp_path, name):
    code, out, _ = run(
        "privatize", ballot_file, "-o", "r.parquet", "-m", name, "--seed", "5", "--json"
    )
    assert code == 0
    assert json.loads(out)["voters"] == 1000
    assert json.loads(out)["epsilon"] <= 1
    code, _, _ = run("tally", "r.parquet", "--out", "t.json")
    assert code == 0
    votes = hv.read_rankings(tmp_path / ballot_file)
    made = hv.mechanism(name, hv.borda(4), 1)
    reports = made.privatize(votes.orders, rng=np.random.default_rng(5))
    expected = replace(made.tally(reports).named(votes.candidates), seeded=True)
    assert hv.Tally.from_json((tmp_path / "t.json").read_text()) == expected


def test_a_seed_is_said_to_be_for_simulation_only(run, ballot_file):
    _, _, err = run("privatize", ballot_file, "-o", "r.parquet", "--seed", "5")
    assert "simulation only, not private" in err


def test_design_lists_all_mechanisms_best_first(run):
    code, out, _ = run("design", "-d", "8", "--json")
    assert code == 0
    rows = json.loads(out)["mechanisms"]
    assert [row["mse"] for row in rows] == sorted(row["mse"] for row in rows)
    code, out, _ = run("design", "--rule", "nauru", "--candidates", "8")
    assert code == 0
    for name in hv.mechanism_names():
        assert name in out
    code, out, _ = run("design", "--rule", "3,1,-1")
    assert "naive-sampling is left out" in out


def test_design_shows_what_a_report_and_what_the_crowd_gives_away(run):
    wish = (
        "design",
        "-d",
        "4",
        "-n",
        "1000",
        "--crowd",
        "1",
        "--turnout",
        "250",
        "--delta",
        "1e-5",
    )
    code, out, _ = run(*wish)
    assert code == 0
    assert "epsilon 2.5, 1,000 voters" in out
    assert ["duel", "2.50", "0.992"] in [line.split()[:3] for line in out.splitlines()]
    assert "if at least 250 of them are honest, but for a chance of 1 in 100,000." in " ".join(
        out.split()
    )
    code, out, _ = run(*wish, "--json")
    found = json.loads(out)
    assert (found["epsilon"], found["crowd"], found["turnout"]) == (2.5, 1, 250)
    rows = {row["mechanism"]: row for row in found["mechanisms"]}
    assert rows["duel"]["crowd_epsilon"] <= 0.992 < rows["challenge"]["crowd_epsilon"]
    code, out, _ = run("design", "-d", "4", "--json")
    assert (json.loads(out)["crowd"], json.loads(out)["turnout"]) == (None, 10_000)


def test_privacy_is_rounded_up():
    assert [cautious(x) for x in (0.12301, 0.123, 2.2999999999, 9.991)] == [
        "0.124",
        "0.123",
        "2.30",
        "10.0",
    ]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_design_draws_the_trade_off(run, tmp_path, suffix):
    code, _, _ = run("design", "-d", "4", "--plot", f"trade.{suffix}")
    assert code == 0
    head = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix]
    assert (tmp_path / f"trade.{suffix}").read_bytes().startswith(head)


@pytest.mark.parametrize(
    ("figure", "text"),
    [(1.409e7, "1.41e7"), (1.22e15, "1.22e15"), (1.2e-5, "1.20e-5"), (-3e-12, "-3.00e-12")],
)
def test_large_and_small_figures_have_one_style(figure, text):
    assert number(figure) == text


def test_rules_and_mechanisms_take_options(run):
    code, out, _ = run("design", "--rule", "approval:k=3", "-d", "5", "--json")
    assert json.loads(out)["rule"] == "approval-3"
    code, out, _ = run("certify", "--rule", "5,3,1/2", "-m", "additive:k=2", "--json")
    assert json.loads(out)["mechanism"]["k"] == 2
    code, out, _ = run("certify", "-d", "3", "-m", "weighted-sampling:intercept=1/2", "--json")
    assert json.loads(out)["mechanism"]["intercept"] == "1/2"
    code, out, _ = run("certify", "-d", "4", "-m", "weighted-sampling:intercept=lower", "--json")
    assert code == 0
    assert json.loads(out)["mechanism"]["intercept"] == "1"


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_certify_proves_every_mechanism(run, name):
    code, out, _ = run("certify", "-m", name, "-d", "4", "-e", "0.5", "--json")
    assert code == 0
    proof = json.loads(out)
    assert proof["epsilon_proved"] <= 0.5
    if name != "laplace":
        assert proof["enumeration"]["rankings"] == 24
    code, out, _ = run("certify", "-m", name, "-d", "4", "-e", "0.5")
    assert code == 0
    assert "Proved in whole numbers" in out


def test_certify_reads_the_mechanism_of_a_file(run, ballot_file, tmp_path):
    run("privatize", ballot_file, "-o", "r.parquet", "-e", "0.3", "-m", "additive")
    run("tally", "r.parquet", "--out", "t.json")
    parameters = hv.Additive(hv.borda(4), "0.3").parameters()
    (tmp_path / "p.json").write_bytes(canonical(parameters) + b"\n")
    for file in ("r.parquet", "t.json", "p.json"):
        code, out, _ = run("certify", file, "--json")
        assert code == 0
        assert json.loads(out)["mechanism"] == parameters


def test_help_shows_an_example_of_every_command(run):
    code, out, _ = run("--help")
    assert code == 0
    for command in ("design", "privatize", "tally", "score", "certify"):
        assert command in out
        code, text, _ = run(command, "--help")
        assert code == 0
        assert "Example" in text
        assert f"hushvote {command}" in text


def test_version_is_the_package_version(run):
    assert run("--version") == (0, f"hushvote {hv.__version__}\n", "")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("short.csv", "a,b,c\nb,a\n", "short.csv:2: .*truncated|short.csv:2: "),
        ("long.csv", "a,b,c\nb,a,c,a\n", "long.csv:2: "),
        ("twice.csv", "a,b,c\nb,b,a\n", "twice.csv:2: .*twice"),
        ("nan.csv", "a,b,c\nb,nan,a\n", "nan.csv:2: "),
        ("empty.csv", "", "empty.csv: the file is empty"),
        ("blank.csv", "\n\n", "blank.csv"),
        ("header.csv", "rank1,rank2,rank3\n", "header.csv"),
        (
            "zero.soc",
            "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n0: 1,2\n",
            "zero.soc:4: ",
        ),
        (
            "unknown.soc",
            "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n1: 1,3\n",
            "unknown.soc:4: ",
        ),
        ("noise.parquet", "this is no parquet", "noise.parquet"),
        ("ballots.doc", "a,b", "ballots.doc is of no known format"),
    ],
)
def test_bad_ballot_files_leave_one_sentence_and_no_output_file(run, tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    said = one_sentence(run("privatize", name, "-o", "out.parquet"))
    assert re.search(message, said), said
    assert names_in(tmp_path) == [name]


def test_an_unknown_candidate_is_named_with_its_line(run, tmp_path):
    (tmp_path / "b.csv").write_text("Ann,Bob\nBob,Ann\nAnn,Bib\n")
    said = one_sentence(run("privatize", "b.csv", "-o", "r.parquet", "--names", "Ann,Bob"))
    assert "b.csv:3:" in said
    assert "Bib" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["privatize", "none.csv", "-o", "r.parquet"], "none.csv: there is no such file"),
        (["privatize", "b.csv", "-o", "nowhere/r.parquet"], "there is no folder"),
        (["privatize", "b.csv", "-o", "r.csv"], "name the output r.parquet"),
        (["privatize", "b.csv", "-o", "r.parquet", "-e", "0"], "epsilon must be"),
        (["privatize", "b.csv", "-o", "r.parquet", "-e", "-1"], "epsilon must be"),
        (["privatize", "b.csv", "-o", "r.parquet", "-e", "nan"], "epsilon must be"),
        (["privatize", "b.csv", "-o", "r.parquet", "-e", "10.5"], "at most 10, not 10.5"),
        (["privatize", "b.csv", "-o", "r.parquet", "-m", "additive:k=2"], "k from 1 to 1, not 2"),
        (["privatize", "b.csv", "-o", "r.parquet", "-m", "shouting"], "no mechanism 'shouting'"),
        (["privatize", "b.csv", "-o", "r.parquet", "--rule", "3,2,1"], "but there are 2"),
        (["privatize", "b.csv", "-o", "r.parquet", "--seed", "-4"], "seed must be"),
        (["privatize", "b.csv", "-o", "r.parquet", "--incomplete", "maybe"], "maybe"),
        (["design", "--rule", "borda"], "add --candidates 8"),
        (["design", "--rule", "bordo", "-d", "8"], "no rule 'bordo'"),
        (["design", "-d", "1"], "2 to 64 candidates, not 1"),
        (["design", "-d", "65"], "2 to 64 candidates, not 65"),
        (["design", "--rule", "1,2,3"], "must not increase"),
        (["design", "--rule", "1,1,1"], "must score more"),
        (["design", "--rule", "1,x"], "expected a number, got 'x'"),
        (["design", "--rule", "approval:k=9", "-d", "5"], "k from 1 to 4, not 9"),
        (["design", "--rule", "approval", "-d", "5"], "needs k from 1 to 4: write approval:k=2"),
        (["design", "--rule", "approval:3", "-d", "5"], "key=value: write approval:k=3, not"),
        (["design", "--rule", "approval:k", "-d", "5"], "key=value: write approval:k=2, not"),
        (["design", "--rule", "borda:2", "-d", "5"], "write borda, not 'borda:2'"),
        (["design", "--rule", "3-approval", "-d", "5"], "'3-approval'; write approval:k=3"),
        (["design", "--rule", "approval(3)", "-d", "5"], "write approval:k=3"),
        (["design", "--rule", "Anti-Plurality", "-d", "5"], "write antiplurality"),
        (["design", "-d", "5", "-n", "0"], "number of voters"),
        (["design", "-d", "5", "--error", "0"], "wanted error"),
        (["design", "-d", "5", "--error", "1e-200"], "wanted error"),
        (["design", "-d", "5", "--error", "1e308"], "wanted error"),
        (["design", "-d", "5", "--voters", "1" + "0" * 400], "number of voters"),
        (["design", "-d", "4", "-e", "1e999999999"], "epsilon must be"),
        (["design", "--rule", "1e200,0"], "expected a number, got '1e200'"),
        (["design", "--rule", "1e50,0"], "between -10^12 and 10^12"),
        (["design", "--rule", "1e-70,0"], "between -10^12 and 10^12"),
        (["design", "--rule", "approval:d=2", "-d", "4"], "no option 'd'"),
        (["design", "--rule", "approval:k=" + "9" * 5000, "-d", "4"], "needs k from 1 to 3"),
        (["certify", "-d", "4", "-m", "laplace:digits=a"], "2 to 56 digits"),
        (["certify", "-d", "4", "-m", "laplace:digits=5"], "2 to 56 digits"),
        (["certify", "-d", "4", "-m", "weighted-sampling:intercept=1e999999999"], "a number"),
        (["design", "-d", "5", "--plot", "trade.doc"], "as .png or .svg or .pdf, not as trade.doc"),
        (["design", "-d", "5", "--plot", "no/trade.png"], "there is no folder"),
        (["design", "-d", "5", "--plot", ".png"], "the file needs a name too, as in poll.png"),
        (["design", "-d", "5", "--plot", ".", "--rule", "no"], "it is a folder"),
        (["privatize", "none.csv", "-o", "no/r.parquet"], "there is no folder"),
        (["design", "-d", "5", "--objective", "speed"], "no objective 'speed'"),
        (["design", "-d", "8", "--max-gap", "10"], "the least possible is 30.0"),
        (["design", "-d", "8", "--max-gap", "0"], "largest gap"),
        (["tally", "none.parquet"], "there is no such file"),
        (["tally", "b.csv"], "b.csv holds ballots, not reports"),
        (["tally", "b.csv", "-o", "t.parquet"], "name the output t.json"),
        (["tally", "b.csv", "-o", "t.json.gz"], "name the output t.json"),
        (["privatize", "b.csv", "-o", "r.parquet.gz"], "name the output r.parquet"),
        (["tally", "b.csv", "-o", "-"], "to standard output; name a file that ends in .json"),
        (["tally", "b.csv", "--plot", "-"], "a picture cannot be written to standard output"),
        (["tally", "a.json", "./a.json"], "a.json"),
        (["design", "-d", "x"], "it must be a whole number, not 'x'"),
        (["design", "-d", "5", "-n", "1e4"], "it must be a whole number, not '1e4'"),
        (["design", "-d", "5", "--error", "x"], "'--error': it must be a number such as 0.5, not"),
        (["design", "-d", "5", "--lead", "x"], "'--lead': it must be a number such as 0.5, not"),
        (["design", "-d", "5", "--max-gap", "x"], "'--max-gap': it must be a number such as"),
        (["design", "-d", "5", "--lead", "1", "--error", "1"], "give either a lead or a wanted"),
        (["design", "-d", "5", "--crowd", "1", "-e", "1"], "of a report or that of the crowd, not"),
        (["design", "-d", "5", "--crowd", "x"], "'--crowd': it must be a number such as 0.5, not"),
        (["design", "-d", "5", "--crowd", "0"], "the epsilon of the crowd must be a number"),
        (["design", "-d", "5", "--turnout", "0"], "the turnout must be a whole number of reports"),
        (["design", "-d", "5", "--delta", "1"], "delta must lie between 0 and 1"),
        (["privatize", "b.csv", "-o", "r.parquet", "--seed", "x"], "it must be a whole number"),
        (["design", "--foo"], "No such option: --foo"),
        (["shout"], "No such command"),
        (["tally", "empty.json"], "the file is empty"),
        (["certify", "b.csv"], "b.csv holds ballots, not reports"),
        (["tally", "b.csv.gz"], "b.csv.gz holds ballots, not reports"),
        (["certify", "list.json"], "must be a JSON object"),
        (["--load", "none.py", "design", "-d", "3"], "there is no such file"),
        (["--load", "no_such_module", "design", "-d", "3"], "no_such_module"),
    ],
)
def test_bad_options_leave_one_sentence(run, tmp_path, words, message):
    (tmp_path / "b.csv").write_text("Ann,Bob\nBob,Ann\n")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"Ann,Bob\nBob,Ann\n"))
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "list.json").write_text("[]")
    before = names_in(tmp_path)
    assert message in one_sentence(run(*words))
    assert names_in(tmp_path) == before


def test_names_from_files_are_shown_as_they_stand(run, tmp_path):
    names = ("[red]Ann", "[/x]", ":heart:", "Zoë")
    hv.write_rankings(tmp_path / "b.csv", hv.Rankings(random_orders(50, 4), names))
    code, out, _ = run("privatize", "b.csv", "-o", "[bold]r.parquet")
    assert code == 0
    assert "[bold]r.parquet" in out
    code, out, _ = run("tally", "[bold]r.parquet")
    assert code == 0
    assert all(name in out for name in names)
    rule = hv.Additive(hv.Rule("[/x]", [1, 0]), 1).parameters()
    (tmp_path / "p.json").write_bytes(canonical(rule))
    code, out, _ = run("certify", "p.json")
    assert code == 0
    assert "[/x]" in out


def test_names_that_steer_the_terminal_are_refused(run, tmp_path):
    (tmp_path / "b.csv").write_text("\x1b[31mAnn,Bob\nBob,\x1b[31mAnn\n")
    assert "cannot be shown" in one_sentence(run("privatize", "b.csv", "-o", "r.parquet"))


def test_a_file_says_itself_what_to_prove(run, tmp_path):
    report_file(tmp_path)
    said = one_sentence(run("certify", "r.parquet", "-e", "0.1"))
    assert "leave out the other options" in said


def test_no_words_at_all_show_the_help(run):
    code, out, err = run()
    assert code == 2
    assert "design" in out + err
    assert "error" not in err


@pytest.mark.parametrize(
    ("text", "share"), [("0.05", 0.05), ("5%", 0.05), ("99.9 %", 0.999), ("1/4", 0.25)]
)
def test_a_share_may_be_written_in_percent(text, share):
    assert parse_share(text, "--dishonest") == share


@pytest.mark.parametrize("text", ["", "%", "abc", "5%%", "nan", "inf%", "0,05"])
def test_what_is_no_share_gets_an_example(text):
    with pytest.raises(typer.BadParameter) as caught:
        parse_share(text, "--dishonest")
    said = f"Invalid value for '--dishonest': it must be a share such as 0.05 or 5%, not {text!r}"
    assert caught.value.format_message() == said


def test_debug_shows_the_traceback(run):
    with pytest.raises(hv.RuleError):
        run("design", "--rule", "bordo", "-d", "3", "--debug")


def test_ballots_may_be_completed_at_random(run, tmp_path):
    (tmp_path / "b.csv").write_text("a,b,c\na\n")
    said = one_sentence(run("privatize", "b.csv", "-o", "r.parquet"))
    assert "--incomplete random" in said
    code, out, _ = run(
        "privatize", "b.csv", "-o", "r.parquet", "--incomplete", "random", "--names", "a,b,c"
    )
    assert code == 0
    assert "2 votes" in out


def test_help_shows_flags_without_a_value_and_cuts_nothing_off(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for words in ([], ["tally"], ["vote"], ["serve"], ["poll"], ["poll", "create"]):
        code, out, _ = run(*words, "--help")
        assert code == 0
        assert "--help" in out
        for wrong in ("<bool>", "BOOLEAN", "…"):
            assert wrong not in out
        assert not re.search(r"--[a-z-]+ .*list\[", out)


def test_one_voter_is_one_voter(run, tmp_path):
    (tmp_path / "b.csv").write_text("a,b,c\nAnn,Bob,Cem\n")
    said = []
    for words in (
        ["score", "b.csv"],
        ["privatize", "b.csv", "-e", "1", "-o", "r.parquet"],
        ["tally", "r.parquet", "--inspect"],
        ["design", "-d", "3", "-n", "1"],
        ["plan", "-d", "3", "--rule", "plurality", "-n", "20", "--lead", "1"],
        ["synth", "--out", "s", "--reports", "1"],
    ):
        code, out, err = run(*words)
        assert code == 0, err
        said.append(" ".join((out + err).split()))
    assert not re.search(r"(?<![\d.,])1 (voters|votes|reports|points|candidates) ", " ".join(said))
    assert "1 voter " in said[0]
    assert "if at least one of them is honest" in said[3]
    made = hv.Additive(hv.borda(3), 1)
    one = made.tally(made.privatize([[0, 1, 2]]))
    assert "of 1 report:" in repr(one)
    assert "of 1 report," in repr(one.result())
    assert "of 1 voter " in repr(hv.Rankings([[0, 1, 2]]))
    assert "1 voter;" in repr(hv.design(hv.borda(3), 1, n=1))
    with pytest.raises(hv.TallyError, match="cannot withdraw 1 report from a tally of 0"):
        one - one - one

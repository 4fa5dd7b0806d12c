"""Data frames and lists of names go in; data frames, pictures and tables for notebooks come out."""

import pickle
import re
import subprocess
import sys
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import hushvote as hv
from hushvote.cli.options import parse_mechanism
from hushvote.comparison import HEADS
from hushvote.simulation import experiment
from tests.conftest import one_sentence, random_orders

ROOT = Path(__file__).parents[1]
ROWS = [["Ann", "Bob", "Cem"], ["Cem", "Ann", "Bob"], ["Bob", "Cem", "Ann"], ["Ann", "Cem", "Bob"]]
ORDERS = [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 2, 1]]
RANKS = {"Cem": [3, 1, 2, 2], "Ann": [1, 2, 3, 1], "Bob": [2, 3, 1, 3]}
FORMS = {
    "lists of names": lambda: ROWS,
    "tuples of names": lambda: tuple(map(tuple, ROWS)),
    "an array of names": lambda: np.array(ROWS),
    "an array of objects": lambda: np.array(ROWS, dtype=object),
    "series of pandas": lambda: [pd.Series(row) for row in ROWS],
    "series of Polars": lambda: list(map(pl.Series, ROWS)),
    "pandas": lambda: pd.DataFrame(ROWS),
    "pandas with an index": lambda: pd.DataFrame(ROWS, index=[5, 3, 9, 1]),
    "pandas with categories": lambda: pd.DataFrame(ROWS).astype("category"),
    "Polars": lambda: pl.DataFrame(ROWS, orient="row"),
    "Polars with categories": lambda: pl.DataFrame(ROWS, orient="row").cast(pl.Categorical),
    "pandas of ranks": lambda: pd.DataFrame(RANKS),
    "Polars of ranks": lambda: pl.DataFrame(RANKS),
    "an Arrow table": lambda: pl.DataFrame(RANKS).to_arrow(),
}


@pytest.mark.parametrize("form", FORMS)
def test_votes_go_in_as_people_have_them(form):
    votes = hv.Rankings(FORMS[form]())
    assert votes.candidates == ("Ann", "Bob", "Cem")
    assert votes.orders.tolist() == ORDERS
    named = hv.Rankings(FORMS[form](), ("Cem", "Bob", "Ann"))
    assert named.orders.tolist() == (2 - np.array(ORDERS)).tolist()


@pytest.mark.parametrize("form", FORMS)
def test_a_plain_count_takes_the_same_and_keeps_the_names(form):
    found = hv.score(FORMS[form](), hv.borda(3))
    assert (found.names, found.n) == (("Ann", "Bob", "Cem"), 4)
    assert list(found.totals) == hv.totals(ORDERS, hv.borda(3))


@pytest.mark.parametrize("nobody", [None, float("nan"), np.nan, pd.NA])
def test_what_stands_for_nobody_tells_nothing_of_the_rows_below(nobody):
    rows = [[nobody, nobody], ["Ann", nobody], ["Bob", "Ann"]]
    votes = hv.read_rankings(rows, incomplete="random")
    assert votes.candidates == ("Ann", "Bob")
    assert votes.orders[1:].tolist() == [[0, 1], [1, 0]]


def test_nan_is_a_name_where_it_is_named_as_one():
    for form in (list, pd.DataFrame):
        rows = form([["nan", "Ann"], ["Ann", "nan"]])
        assert hv.Rankings(rows, ("Ann", "nan")).orders.tolist() == [[1, 0], [0, 1]]
        with pytest.raises(hv.RankingError, match='row 0: candidate "nan" is unknown'):
            hv.read_rankings(rows, candidates=("Ann", "Bob"), incomplete="random")


@pytest.mark.parametrize("form", FORMS)
def test_a_mechanism_takes_the_same_and_hands_the_names_on(form):
    mechanism = hv.mechanism("additive", hv.borda(3), 1)
    wanted = mechanism.privatize(np.array(ORDERS), rng=np.random.default_rng(1))
    for votes in (FORMS[form](), hv.Rankings(FORMS[form]())):
        reports = mechanism.privatize(votes, rng=np.random.default_rng(1))
        assert reports.tobytes() == wanted.tobytes()
        tally = mechanism.tally(reports)
        assert tally.candidates == ("Ann", "Bob", "Cem")
        assert tally == mechanism.tally(wanted).named(("Ann", "Bob", "Cem"))


@pytest.mark.parametrize(
    ("votes", "message"),
    [
        (
            [["Ann", "Bob"], ["Bob"]],
            'the rankings: row 1: the ballot ranks 1 of 2 .* "Ann" missing',
        ),
        ([["Ann", "Bob"], ["Bob", "Bob"]], 'row 1: candidate "Bob" appears twice'),
        ([["Ann", 1]], "row 0 has 1 at rank 1, among names; name all candidates"),
        ([["Ann", "Bob"], "AB"], "row 1 is 'AB', not a list of names"),
        ([["Ann", "Bob"], None], "row 1 is None, not a list of names"),
        ([["A\ud800", "Bob"]], r"name 'A\\ud800' is not valid Unicode"),
        ([[None, None], ["Ann", "Bob"]], "row 0: the ballot ranks 0 of 2 candidates"),
        ([["Ann", "nan"], ["nan", "Ann"]], 'the rankings: "nan" may be a name, or say that'),
        (pd.DataFrame([["Ann", "NaN"]]), 'the data frame: "NaN" may be a name, .* put None where'),
        (pd.DataFrame({"a": [10**30], "b": [1]}), "this data frame cannot be read: .* too large"),
        (pd.DataFrame, "must be a matrix with one row per voter, not <class 'pandas"),
        (pd.DataFrame([[1, 2], [2, 1]]), "the data frame can be read in two ways"),
        (
            pd.DataFrame({"Ann": [0, 2, 1], "Bob": [1, 0, 2], "Cem": [2, 1, 0]}),
            "the data frame seems to rank Ann, Bob, Cem from 0 to 2, .* add 1 to every cell",
        ),
        (pd.DataFrame({"a": ["x", 3]}), "this data frame cannot be read: .*either texts or whole"),
        (
            pl.DataFrame({"id": ["p", "q", "r"], "x": ["A", "B", "A"], "y": ["B", "A", "B"]}),
            'the data frame: column A \\("id"\\) seems to hold no part of the ranking',
        ),
        (pd.Series(["A", "B"]), "a Series is one column, not a data frame; choose several"),
        (pl.Series(["A", "B"]), "a Series is one column, not a data frame; choose several"),
        (
            pd.DataFrame([["A", "B", "C"]], columns=["x", "x", "y"]),
            "two columns of this data frame are called 'x'; rename one of them",
        ),
        (
            pd.DataFrame([["A", "B"]], columns=["x", "y"]).groupby("x"),
            "a DataFrameGroupBy of pandas is no data frame; give the data frame itself",
        ),
        (
            pd.DataFrame({"a": []}),
            "the data frame: there are no rows|cannot read the data frame",
        ),
    ],
)
def test_what_is_wrong_with_votes_in_memory_is_said(votes, message):
    with pytest.raises(hv.HushvoteError, match=message):
        hv.Rankings(votes)


def test_what_is_wrong_in_memory_is_mended_in_python():
    strange = {"id": ["p", "q", "r"], "x": ["A", "B", "A"], "y": ["B", "A", "B"]}
    for frame, said in (
        (pd.DataFrame(strange), 'say which columns do, as in columns=["x", "y"]'),
        (pd.DataFrame([[1, 2], [2, 1]]), 'or layout="ranks" if a column'),
        (pd.DataFrame({"A": [0, 1], "B": [1, 0]}), 'say so by layout="places"'),
        (pd.DataFrame({"A": ["a"], "B": [1.5]}), "choose those that do by columns="),
    ):
        with pytest.raises(hv.HushvoteError, match=re.escape(said)) as refused:
            hv.Rankings(frame)
        assert "--" not in str(refused.value)


def test_names_may_come_one_by_one():
    votes = hv.Rankings(ROWS)
    assert hv.Rankings(votes, (name for name in votes.candidates)).candidates == votes.candidates
    with pytest.raises(hv.RankingError, match="candidates Ann, Bob, Cem, not Cem, Bob, Ann; to"):
        hv.Rankings(votes, (name for name in reversed(votes.candidates)))


@pytest.mark.parametrize("library", [pd, pl])
def test_words_for_places_in_a_frame_are_ranks(library):
    columns = {"Bob": ["2nd", "1st"], "Ann": ["1st", "3rd"], "Cem": ["3rd", "2nd"]}
    votes = hv.Rankings(library.DataFrame(columns))
    assert votes.candidates == ("Ann", "Bob", "Cem")
    assert votes.orders.tolist() == [[0, 1, 2], [1, 2, 0]]


def test_a_column_alone_is_no_reports():
    made = hv.mechanism("duel", hv.borda(3), 1)
    for library in (pd, pl):
        with pytest.raises(hv.ReportError, match=r"one column, .*; reports have the columns ty"):
            made.tally(library.Series([1, 2]))


def test_a_frame_is_read_with_all_that_files_are_read_with():
    frame = pd.DataFrame(
        {"when": ["2026-05-01"] * 3, "1st": ["A", "B", "A"], "2nd": ["B", None, "B"]}
    )
    votes = hv.read_rankings(
        frame, columns=["1st", "2nd"], incomplete="random", candidates=["A", "B"]
    )
    assert votes.orders.tolist() == [[0, 1], [1, 0], [0, 1]]
    ranks = pd.DataFrame([[1, 2], [2, 1]], columns=["V1", "V2"])
    assert hv.read_rankings(ranks, layout="ranks").candidates == ("V1", "V2")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_reports_in_a_frame_are_counted_as_those_of_a_file(tmp_path, library):
    mechanism = hv.mechanism("duel", hv.borda(4), 1)
    hv.write_rankings(tmp_path / "b.csv", hv.Rankings(random_orders(200, 4), tuple("ABCD")))
    hv.privatize_file(hv.open_rankings(tmp_path / "b.csv"), mechanism, tmp_path / "r.parquet")
    frame = {"pandas": pd, "polars": pl}[library].read_parquet(tmp_path / "r.parquet")
    found = mechanism.tally(frame)
    assert found.named(tuple("ABCD")) == hv.tally_files([tmp_path / "r.parquet"])
    name = mechanism.domain.schema.names[0]
    with pytest.raises(hv.ReportError, match=f"the data frame lacks the column '{name}'"):
        mechanism.tally(frame[[c for c in frame.columns if c != name]])
    wrong = pd.DataFrame({key: [99] for key in mechanism.domain.schema.names})
    with pytest.raises(hv.ReportError, match="report 0"):
        mechanism.tally(wrong)
    with pytest.raises(hv.ReportError, match="a column 'receipt', so that not all"):
        mechanism.tally(wrong.assign(receipt="x"))


def test_reports_drawn_one_by_one_are_counted_together():
    mechanism = hv.mechanism("additive", hv.borda(3), 1)
    drawn = [mechanism.draw([2, 0, 1]) for _ in range(5)]
    assert mechanism.tally(drawn) == mechanism.tally(np.concatenate(drawn))
    one, other = (mechanism.privatize([list(names)]) for names in ("abc", "abd"))
    with pytest.raises(
        hv.ReportError, match="these reports name different candidates: a, b, c and"
    ):
        mechanism.tally([one, other])


@pytest.mark.parametrize("name", ["duel", "laplace"])  # of the same columns and of others
def test_reports_on_other_candidates_are_refused_at_once(name):
    four, five = (hv.mechanism(name, hv.borda(d), 1) for d in (4, 5))
    reports = four.privatize([["Ann", "Bob", "Cem", "Dee"]] * 3)
    said = r"of 4 candidates \(Ann, Bob, Cem, Dee\), but the mechanism is for 5"
    for given in (reports, [reports[:1], reports[1:]]):
        with pytest.raises(hv.ReportError, match=said):
            five.tally(given)


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_single_records_are_counted_as_reports(name):
    mechanism = hv.mechanism(name, hv.borda(3), 1)
    reports = mechanism.privatize([[2, 0, 1]] * 5)
    assert mechanism.tally(list(reports)) == mechanism.tally(reports)
    assert mechanism.tally([reports[0], reports[1:]]) == mechanism.tally(reports)
    assert mechanism.tally(reports[0]) == mechanism.tally(reports[:1])
    assert mechanism.words(reports[0], "ABC") == mechanism.words(reports[:1], "ABC")
    assert mechanism.tally([]) == mechanism.tally(reports[:0])
    other = hv.mechanism("naive-sampling" if name == "laplace" else "laplace", hv.borda(3), 1)
    with pytest.raises(hv.ReportError, match="but the mechanism sends"):
        other.tally(list(reports))


def test_reports_that_are_joined_keep_their_names_or_are_refused():
    made = hv.mechanism("additive", hv.borda(3), 1)
    reports = made.privatize(ROWS)
    others = made.privatize(hv.Rankings(ROWS, ("Cem", "Bob", "Ann")))
    plain = np.asarray(reports)
    for parts in ([reports, reports], (plain, reports[:1]), [reports]):
        for join in (np.concatenate, np.hstack):
            joined = join(parts)
            assert made.tally(joined) == made.tally(list(parts))
            assert made.tally(joined).candidates == ("Ann", "Bob", "Cem")
            assert pickle.loads(pickle.dumps(joined)).candidates == ("Ann", "Bob", "Cem")
    assert made.tally(np.concatenate([plain, plain])).candidates is None
    for join in (np.concatenate, np.hstack, np.stack, lambda both: np.append(*both)):
        with pytest.raises(hv.ReportError, match="name different candidates: Ann, Bob, Cem and"):
            join([reports, others])


def test_a_lazy_frame_is_told_to_collect_its_rows():
    made = hv.mechanism("additive", hv.borda(3), 1)
    with pytest.raises(hv.RankingError, match=r"a LazyFrame has no rows yet; call \.collect\(\)"):
        hv.Rankings(pl.DataFrame(RANKS).lazy())
    with pytest.raises(hv.ReportError, match=r"a LazyFrame has no rows yet; call \.collect\(\)"):
        made.tally(pl.DataFrame({"chosen": [1, 2]}).lazy())


def test_rankings_are_copied_with_the_names_that_they_have():
    votes = hv.Rankings(ROWS)
    for copied in (hv.Rankings(votes), hv.Rankings(votes, ["Ann", "Bob", "Cem"])):
        assert copied.candidates == votes.candidates
        assert np.array_equal(copied.orders, votes.orders)
    with pytest.raises(hv.RankingError, match="name their candidates Ann, Bob, Cem, not x, y, z"):
        hv.Rankings(votes, ["x", "y", "z"])


def test_files_are_not_named_by_what_they_hold():
    made = hv.mechanism("additive", hv.borda(3), 1)
    reports = made.privatize(ROWS)
    for given, named in (
        (pd.DataFrame({"chosen": [1]}), "a DataFrame"),
        (pl.DataFrame({"chosen": [1]}), "a DataFrame"),
        ([pd.DataFrame({"chosen": [1]})], "a DataFrame"),
        (reports, "np.void"),
        (7, "7"),
    ):
        with pytest.raises(hv.FileError, match=r"are counted by mechanism\.tally") as caught:
            hv.tally_files(given)
        assert f"in a list, not by {named}" in str(caught.value)


def test_pickled_reports_keep_their_names():
    made = hv.mechanism("duel", hv.borda(2), 1)
    reports = made.privatize([["Ann", "Bob"], ["Bob", "Ann"]])
    for sent in (reports, reports[:1]):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(sent, protocol))
            assert made.tally(back) == made.tally(sent)
            assert made.tally(back).candidates == ("Ann", "Bob")


def test_the_shape_and_the_mask_of_wrong_reports_are_said():
    made = hv.mechanism("additive", hv.borda(3), 1)
    reports = made.privatize(random_orders(2, 3))
    with pytest.raises(hv.ReportError, match=r"flat array, not one of shape \(1, 2\)"):
        made.tally(reports.reshape(1, 2))
    with pytest.raises(hv.ReportError, match="masked array may be there or not"):
        made.tally(np.ma.array(reports, mask=[True, False]))


def test_names_of_a_tally_cannot_change_hands():
    mechanism = hv.mechanism("additive", hv.borda(3), 1)
    tally = mechanism.tally(mechanism.privatize(ROWS))
    with pytest.raises(
        hv.TallyError, match="Ann, Bob, Cem, in this order; Bob, Ann, Cem is another"
    ):
        tally.named(("Bob", "Ann", "Cem"))
    assert tally.named(("x", "y", "z")).candidates == ("x", "y", "z")


def test_tallies_add_up_by_sum():
    mechanism = hv.mechanism("additive", hv.borda(3), 1)
    tallies = [mechanism.tally(mechanism.privatize(ROWS)) for _ in range(3)]
    assert sum(tallies) == tallies[0] + tallies[1] + tallies[2]
    with pytest.raises(TypeError):
        1 + tallies[0]


def test_the_best_mechanism_has_a_name_of_its_own():
    rule = hv.borda(4)
    assert hv.mechanism("best", rule, 1) == hv.design(rule, 1).best
    sound = hv.mechanism("best", rule, "1/2", objective="soundness")
    assert sound == hv.design(rule, "1/2", objective="soundness").best
    with pytest.raises(
        hv.MechanismError, match="no option 'k'; its options are objective, max_gap"
    ):
        hv.mechanism("best", rule, 1, k=2)
    with pytest.raises(hv.MechanismError, match=r"epsilon must be a number above 0.*not None"):
        hv.mechanism("best", hv.borda(3), None)
    with pytest.raises(hv.MechanismError, match=r"mechanism 'bets'; choose one of .* or 'best'"):
        hv.mechanism("bets", rule, 1)
    with pytest.raises(hv.MechanismError, match="no mechanism 'best' here; name the one that it"):
        hv.plan(rule, 1, n=300, by="best")


def test_the_best_mechanism_takes_its_options_on_the_command_line(run):
    rule = hv.borda(4)
    sound = hv.mechanism("best", rule, 1, objective="soundness")
    assert parse_mechanism("best:objective=soundness", rule, "1") == sound
    capped = hv.mechanism("best", rule, 1, max_gap=8.5)
    assert parse_mechanism("best:max_gap=8.5", rule, "1") == capped
    assert capped != hv.mechanism("best", rule, 1)
    assert "no option 'k'" in one_sentence(run("certify", "-d", "4", "-m", "best:k=2"))
    for said in ("name", "rule", "epsilon"):
        words = ("simulate", "-d", "4", "--voters", "100", "--runs", "2", "-m")
        for made in ("best", "duel"):
            told = f"{said} is no option of '{made}', but said apart from it"
            assert told in one_sentence(run("certify", "-d", "4", "-m", f"{made}:{said}=2"))
            assert told in one_sentence(run(*words, f"{made}:{said}=2"))


def test_the_best_mechanism_can_be_simulated(run):
    name, rule = "best:objective=soundness", hv.borda(3)
    asked = experiment(rule, n=50, mechanisms=name)
    assert asked.design(name, 1) == hv.design(rule, 1, objective="soundness").best
    assert hv.simulate(rule, n=50, mechanisms=name, runs=2).num_rows
    with pytest.raises(hv.SimulationError, match="no mechanism 'bets'; choose one of best, add"):
        experiment(mechanisms="bets")


@pytest.fixture(scope="module")
def result():
    votes = hv.Rankings(random_orders(400, 3), ("<b>Ann</b>", "Bob & Co", "Cem"))
    mechanism = hv.mechanism("additive", hv.borda(3), 1)
    return mechanism.tally(mechanism.privatize(votes, rng=np.random.default_rng(3))).result()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_result_becomes_a_frame(result, library):
    frame = result.to_frame(0.9, library=library)
    assert type(frame).__module__.startswith(library)
    rows = frame.to_dict("records") if library == "pandas" else frame.to_dicts()
    told = result.explain(0.9).data["candidates"]
    names = ("candidate", "score", "standard_error", "low", "high", "first")
    assert [[row[n] for n in names] for row in rows] == [[row[n] for n in names] for row in told]
    assert [(r["best_place"], r["worst_place"]) for r in rows] == [
        (row["places"][0], row["places"][-1]) for row in told
    ]
    with pytest.raises(hv.FileError, match="of pandas and polars, not of 'dask'"):
        result.to_frame(library="dask")


@pytest.mark.parametrize("given", [5, None, {}, np.eye(2)])
def test_what_holds_no_rankings_is_not_read(given):
    with pytest.raises(hv.RankingError, match="from a path, a data frame or lists of names, not"):
        hv.read_rankings(given)


def test_a_design_can_be_a_key():
    design = hv.design(hv.borda(3), 1)
    assert {design: "kept"}[design] == "kept"


def test_a_design_becomes_a_frame():
    design = hv.design(hv.borda(3), 1)
    frame = design.to_frame()
    assert frame["mechanism"].tolist() == [choice.mechanism.label for choice in design]
    assert frame["mse"].tolist() == [choice.mse for choice in design]
    assert frame["voters"].tolist() == [choice.voters for choice in design]


def test_what_is_shown_is_short_and_says_what_it_is(result):
    mechanism = result.mechanism
    shown = [
        repr(hv.example()),
        repr(hv.borda(3)),
        repr(mechanism.tally(mechanism.privatize(ROWS))),
        repr(result),
        repr(hv.design(hv.borda(3), 1)),
        repr(mechanism.certificate()),
        repr(hv.certify(mechanism)),
        repr(result.plot()),
        repr(hv.open_rankings(pd.DataFrame(ROWS))),
        repr(hv.score(hv.example(), hv.borda(5))),
        repr(result.margin()),
        repr(hv.inspect(mechanism.tally(mechanism.privatize(ROWS)))),
        repr(result.uncertainty),
        repr(result.explain()),
        repr(hv.plan(hv.borda(3), 1, n=400)),
    ]
    assert max(map(len, shown)) < 200
    assert not any("array(" in one or "Fraction(" in one for one in shown)
    assert shown[0] == (
        "<Rankings of 10,000 voters over 5 candidates: Ada, Ben, Chiara, Dmitri, Eun-ji>"
    )
    assert shown[2] == "<Tally of 4 reports: additive for borda over 3 candidates with epsilon 1>"
    assert shown[8:10] == [
        "<RankingFile the data frame over 3 candidates: Ann, Bob, Cem>",
        "<Score of borda over 5 candidates, 10,000 voters: Chiara first with 3.004>",
    ]
    kinds = ("Margin under", "Inspection of 4 reports", "Uncertainty of 3", "Explanation of")
    for one, kind in zip(shown[10:], kinds, strict=False):
        assert one.startswith(f"<{kind} ")
    assert eval(shown[1], {"Rule": hv.Rule}) == hv.borda(3)


def test_notebooks_show_tables_in_which_names_stay_text(result):
    mechanism = result.mechanism
    tally = mechanism.tally(mechanism.privatize([["<i>a</i>", "b", "c"]] * 30))
    for thing in (
        result,
        result.explain(),
        tally,
        hv.design(hv.borda(3), 1),
        mechanism.certificate(),
        hv.certify(mechanism),
        hv.plan(hv.borda(3), 1, n=400),
        hv.score(hv.Rankings([["<i>a</i>", "b", "c"]]), hv.borda(3)),
    ):
        markup = thing._repr_html_()
        assert markup.startswith("<table>")
        assert "<b>" not in markup
        assert "<i>" not in markup
    design = hv.design(hv.borda(3), 1)
    for text in (*HEADS, *design.rows()[0], *design.legend()):
        assert escape(text) in design._repr_html_()
    markup = result._repr_html_()
    assert "&lt;b&gt;Ann&lt;/b&gt;" in markup
    assert "Bob &amp; Co" in markup
    for sentence in result.explain().words:
        assert escape(sentence) in markup


def test_a_result_draws_itself_for_notebooks_and_files(result, tmp_path):
    assert result.plot()._repr_png_().startswith(b"\x89PNG")
    result.plot().save(tmp_path / "one.svg")
    result.plot(tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


WITHOUT = """
import sys


class Neither:  # as if neither were installed
    def find_spec(self, name, *_):
        if name.partition(".")[0] in ("pandas", "polars"):
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Neither())
import hushvote as hv
mechanism = hv.mechanism("additive", hv.borda(3), 1)
votes = hv.Rankings([["Ann", "Bob", "Cem"]] * 40)
result = mechanism.tally(mechanism.privatize(votes)).result()
result._repr_html_()
for make in (result.to_frame, hv.design(hv.borda(3), 1).to_frame):
    try:
        make()
    except hv.FileError as error:
        print(error.code, error)
"""


def test_all_but_frames_works_without_pandas_and_polars():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT], capture_output=True, text=True, check=True
    )
    said = "frame.library a data frame needs pandas or polars: pip install pandas"
    assert done.stdout.splitlines() == [said, said]

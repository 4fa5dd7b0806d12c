"""Tables as surveys export them: a column a candidate, columns of ids, and what is unclear."""

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hushvote.errors import HushvoteError, RankingError
from hushvote.formats import cells, open_rankings, read_rankings

FORMATS = ("csv", "parquet")


@pytest.fixture(params=FORMATS)
def table(request, tmp_path):
    """Write a table, given line by line, as CSV or as Parquet with numbers where there are some."""

    def make(*lines):
        path = tmp_path / f"votes.{request.param}"
        if request.param == "csv":
            path.write_text("\n".join(lines) + "\n")
            return path
        head, *rows = (line.split(",") for line in lines)
        columns = [_typed(column) for column in zip(*rows, strict=True)]
        pq.write_table(pa.Table.from_arrays(columns, names=head), path)
        return path

    return make


def _typed(column):
    try:
        return pa.array([int(cell) if cell else None for cell in column])
    except ValueError:
        return pa.array(column)


def names(votes):
    return [[votes.candidates[c] for c in row] for row in votes.orders.tolist()]


def refusal(path, **options):
    with pytest.raises(HushvoteError) as caught:
        read_rankings(path, **options)
    return str(caught.value).replace(str(path), "votes")


def test_a_column_a_candidate_with_ranks_is_read_as_what_it_is(table):
    votes = read_rankings(table("Bob,Ann,Cem", "2,1,3", "1,3,2"))
    assert set(votes.candidates) == {"Ann", "Bob", "Cem"}
    assert names(votes) == [["Ann", "Bob", "Cem"], ["Bob", "Cem", "Ann"]]


@pytest.mark.parametrize(
    "words",
    [
        ("1st", "2nd", "3rd"),
        ("First", "second", "THIRD"),
        ("First choice", "Second choice", "Third choice"),
        ("Rank 1", "Rank 2", "Rank 3"),
        ("Choice 1", "Choice 2", "Choice 3"),
        ("#1", "#2", "#3"),
        ("1.", "2.", "3."),
        ("1. Wahl", "2. Wahl", "3. Wahl"),
        ("1er choix", "2e choix", "3e choix"),
        ("1º", "2º", "3º"),
        ("1st", "2", "3rd"),
    ],
)
def test_words_for_places_are_ranks(table, words):
    first, second, third = words
    path = table("Bob,Ann,Cem", f"{second},{first},{third}", f"{first},{third},{second}")
    for layout in (None, "ranks"):
        votes = read_rankings(path, layout=layout)
        assert names(votes) == [["Ann", "Bob", "Cem"], ["Bob", "Cem", "Ann"]]


def test_candidates_may_be_called_like_places(table):
    for head in ("rank1,rank2", "First,Second", "1. Wahl,2. Wahl"):
        votes = read_rankings(table(head, "Choice 2,Choice 1", "Choice 1,Choice 2"))
        assert names(votes) == [["Choice 2", "Choice 1"], ["Choice 1", "Choice 2"]]


def test_a_first_ballot_of_candidates_called_like_places_is_no_header(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("Choice 1,Choice 2\nChoice 2,Choice 1\n")
    for candidates in (None, ["Choice 1", "Choice 2"]):
        votes = read_rankings(path, layout="places", candidates=candidates)
        assert votes.orders.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    "lines",
    [
        ("count,first,second", "3,Ann,Bob", "2,Bob,Ann"),
        ("Votes,Ann,Bob", "3,1,2", "2,2,1"),
        ("Ann,Bob,number of voters", "1,2,1", "2,1,3"),
        ("n,first,second", "31,Ann,Bob", "2,Bob,Ann"),
    ],
)
def test_a_column_of_numbers_of_voters_is_not_left_out(table, lines):
    said = refusal(table(*lines))
    assert "seems to say how many voters cast each ballot" in said
    assert said.endswith("one a line, as in 3: Ann > Bob")


def test_a_candidate_may_be_called_n(table):
    assert read_rankings(table("M,N", "1,2", "2,1")).candidates == ("M", "N")


def test_names_with_commas_can_be_told_apart(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text('"Ng, Ann",Bob\nBob,"Ng, Ann"\n')
    said = refusal(path, candidates=["Ng", "Ann", "Bob"])
    assert '"Ng, Ann" is unknown; the candidates are "Ng", "Ann", "Bob"; a name' in said
    assert said.endswith('(in Python: candidates=["Ng, Ann", "Bob"])')


def test_given_names_fix_the_candidates_of_a_table_of_ranks(table):
    path = table("Bob,Ann,Cem", "2,1,3", "1,3,2")
    votes = read_rankings(path, candidates=["Cem", "Ann", "Bob"])
    assert votes.orders.tolist() == [[1, 2, 0], [2, 0, 1]]
    assert 'candidate "Cem" is unknown' in refusal(path, candidates=["Ann", "Bob"], layout="ranks")


def test_equal_ranks_are_ties_and_empty_cells_are_unranked(table):
    tied = table("Ann,Bob,Cem", "1,2,3", "1,1,3")
    assert 'candidates "Ann" and "Bob" are tied' in refusal(tied)
    orders = read_rankings(tied, incomplete="random").orders
    assert orders[1, 2] == 2
    short = table("Ann,Bob,Cem", "1,2,3", ",1,")
    assert 'ranks 1 of 3 candidates, "Ann" and 1 more missing' in refusal(short)
    assert names(read_rankings(short, incomplete="random"))[1][0] == "Bob"
    assert not open_rankings(short, incomplete="random").exposed


def test_random_completion_of_ranks_is_even(table):
    path = table("Ann,Bob,Cem", *["2,1,2"] * 4000)
    orders = read_rankings(path, incomplete="random").orders
    assert (orders[:, 0] == 1).all()
    assert abs((orders[:, 1] == 0).mean() - 0.5) < 5 * 0.5 / 4000**0.5  # fails once in 1.7 million


def test_ranks_that_no_candidate_can_have_are_refused_by_their_cell(table):
    path = table("Ann,Bob,Cem", "1,2,3", "1,2,4")
    said = refusal(path, layout="ranks")
    assert said.split(": ", 1)[1].removeprefix("row 1: ") == (
        '"4" is no rank for "Cem"; ranks are whole numbers from 1 to 3, and empty cells rank nobody'
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("1,2,3", "2,1,3", "3,2,1"),  # a header of numbers, or a ballot
        ("V1,V2,V3", "2,1,3", "3,2,1"),
        ("Choice 1,Choice 2,Choice 3", "2,1,3", "3,2,1"),
        ("best,worst", "2,1", "1,2"),
        ("1st,2nd,3rd", "3rd,1st,2nd", "2nd,1st,3rd"),  # no header, or one of places
        ("3rd,1st,2nd", "1st,2nd,3rd", "2nd,1st,3rd"),
        ("#1,#2", "2,1", "1,2"),
    ],
)
def test_what_may_be_either_is_refused_with_both_readings(table, lines):
    path, d = table(*lines), lines[0].count(",") + 1
    assert refusal(path) == (
        'votes can be read in two ways: say --layout places (in Python: layout="places") if a row '
        "lists candidates or their numbers, best first, or --layout ranks (in Python: "
        f'layout="ranks") if a column is a candidate and its cells are the ranks 1 to {d} that '
        "voters gave it"
    )


def test_ranks_that_count_from_0_are_told_to_count_from_1(table):
    path = table("Ann,Bob,Cem", "0,1,2", "2,1,0")
    assert refusal(path) == (
        "votes seems to rank Ann, Bob, Cem from 0 to 2, but ranks count from 1: add 1 to every "
        "cell; if a row lists the numbers of candidates instead, best first, say so by "
        '--layout places (in Python: layout="places")'
    )
    for said in (
        refusal(path, layout="ranks"),
        refusal(path, candidates=("Ann", "Bob", "Cem")),
    ):
        assert said.endswith("; where ranks count from 0, add 1 to each")
    assert names(read_rankings(path, layout="places")) == [["0", "1", "2"], ["2", "1", "0"]]


def test_a_layout_that_is_said_is_taken(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("V1,V2,V3\n2,1,3\n2,3,1\n")
    assert names(read_rankings(path, layout="places")) == [["2", "1", "3"], ["2", "3", "1"]]
    assert names(read_rankings(path, layout="ranks")) == [["V2", "V1", "V3"], ["V3", "V1", "V2"]]
    assert "layout='rows' is not known; choose one of places, ranks" in refusal(path, layout="rows")


def test_heads_that_count_places_hold_numbers_of_candidates(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("rank1,rank2,rank3\n2,1,3\n2,3,1\n")
    assert names(read_rankings(path)) == [["2", "1", "3"], ["2", "3", "1"]]
    path.write_text("Option 1,Option 2\n2,1\n")
    assert names(read_rankings(path)) == [["Option 2", "Option 1"]]


def test_a_first_line_of_ranks_is_not_taken_for_names(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("2,1,3\n1,2,3\n")
    assert "the first line must name the candidates, one a column" in refusal(path, layout="ranks")


STRANGERS = [
    (("id,Ann,Bob,Cem", "17,1,2,3", "23,3,1,2", "4,1,3,2"), "B,C,D", 'column A ("id")'),
    (("nr,Ann,Bob,Cem", "1,1,2,3", "2,3,1,2", "3,1,3,2"), "B,C,D", 'column A ("nr")'),
    (("a,b,c,sum", "1,2,3,60", "3,1,2,50", "1,3,2,50"), "A,B,C", 'column D ("sum")'),
    (
        ("when,Ann,Bob", "2026-05-01 10:00:01,1,2", "2026-05-01 10:00:01,2,1"),
        "B,C",
        'column A ("when")',
    ),
    (("Ann,Bob,mail", "1,2,x@y.org", "2,1,z@y.org"), "A,B", 'column C ("mail")'),
    (("Ann,Bob,comment", "1,2,fine", "2,1,well"), "A,B", 'column C ("comment")'),
    (("who,rank1,rank2", "x,Ann,Bob", "y,Bob,Ann"), "B,C", 'column A ("who")'),
    (("who,p,q", "x,Ann,Bob", "y,Bob,Ann", "z,Ann,Bob"), "B,C", 'column A ("who")'),
    (
        ("region,p,q,r", "N,Ann,Bob,Cem", "S,Bob,Cem,Ann", "N,Ann,Bob,Cem"),
        "B,C,D",
        'column A ("region")',
    ),
]


@pytest.mark.parametrize(("lines", "columns", "odd"), STRANGERS)
def test_a_column_of_something_else_is_refused_with_the_columns_to_choose(
    table, lines, columns, odd
):
    path = table(*lines)
    for incomplete in ("error", "random"):
        said = refusal(path, incomplete=incomplete)
        assert said.startswith(f"votes: {odd} seems to hold no part of the ranking: ")
        python = ", ".join(f'"{letter}"' for letter in columns.split(","))
        assert said.endswith(f"as in --columns {columns} (in Python: columns=[{python}])")
        assert "random" not in said
        for line in lines[1:]:
            assert not any(len(cell) > 3 and cell in said for cell in line.split(","))
    votes = read_rankings(path, columns=columns.split(","))
    assert votes.n == len(lines) - 1
    heads = [lines[0].split(",")["ABCD".index(letter)] for letter in columns.split(",")]
    assert np.array_equal(read_rankings(path, columns=heads).orders, votes.orders)


def test_columns_are_read_in_the_order_in_which_they_are_named(table):
    path = table("third,x,second,best", "Cem,9,Bob,Ann", "Ann,8,Cem,Bob")
    votes = read_rankings(path, columns=["best", "second", "third"])
    assert names(votes) == [["Ann", "Bob", "Cem"], ["Bob", "Cem", "Ann"]]
    assert names(read_rankings(path, columns=["D", "C", "A"])) == names(votes)


def test_columns_by_letters_may_be_a_range(table):
    path = table("id,Ann,Bob,Cem", "17,1,2,3", "23,3,1,2")
    assert names(read_rankings(path, columns=["B:D"])) == [
        ["Ann", "Bob", "Cem"],
        ["Bob", "Cem", "Ann"],
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["B", "Z"], 'votes: there is no column "Z"; the columns are A to D'),
        (["B"], "votes: a ranking stands in at least 2 columns, not in 1"),
        (["B", "C", "B"], "votes: column B is chosen twice; name it once"),
        ("BC", "name the columns by a list of texts"),
    ],
)
def test_columns_that_there_are_not_are_refused(table, columns, message):
    path = table("id,Ann,Bob,Cem", "17,1,2,3", "23,3,1,2")
    assert refusal(path, columns=columns).startswith(message)


def test_times_in_parquet_are_recognised_by_their_type(tmp_path):
    path = tmp_path / "votes.parquet"
    when = [datetime.datetime(2026, 5, 1), datetime.datetime(2026, 5, 2)]
    pq.write_table(pa.table({"at": when, "Ann": [1, 2], "Bob": [2, 1]}), path)
    assert 'column A ("at") seems to hold no part of the ranking: it holds times' in refusal(path)
    assert read_rankings(path, columns=["B", "C"]).n == 2


def test_everybody_with_the_same_favourite_is_no_stranger(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("Ann,Bob,Cem\nAnn,Cem,Bob\nAnn,Bob,Cem\nAnn,Cem,Bob\n")
    assert read_rankings(path).n == 4


def test_files_without_columns_refuse_the_choice_of_columns(tmp_path):
    path = tmp_path / "votes.txt"
    path.write_text("Ann > Bob\n")
    assert refusal(path, columns=["A", "B"]).startswith("votes has no columns to choose from")
    path = tmp_path / "votes.soc"
    path.write_text("# NUMBER ALTERNATIVES: 2\n1: 1,2\n")
    assert refusal(path, layout="ranks").startswith("votes has no columns to choose from")


def test_ranks_are_read_across_chunks_and_long_lines_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cells, "CHUNK", 16)
    path = tmp_path / "votes.csv"
    path.write_text("Ann,Bob,Cem,,\n" + "3,1.0,2,,\n" * 50)
    assert names(read_rankings(path)) == [["Bob", "Cem", "Ann"]] * 50
    path.write_text("Ann,Bob,Cem\n" + "3,1,2\n" * 50 + "1,2,3,4\n")
    with pytest.raises(RankingError, match=r"votes.csv:52: the line has more cells than"):
        read_rankings(path)


def test_wide_tables_name_their_strangers(tmp_path):
    path = tmp_path / "votes.csv"
    heads = [f"meta {i}" for i in range(100)] + ["Ann", "Bob"]
    rows = [[f"{row}-{i}" for i in range(100)] + ["1", "2"] for row in range(5)]
    path.write_text("\n".join(",".join(row) for row in [heads, *rows]))
    assert "as in --columns CW,CX" in refusal(path)
    assert read_rankings(path, columns=["CW", "CX"]).n == 5


def test_columns_of_parquet_may_hold_dots_but_no_name_twice(tmp_path):
    path = tmp_path / "votes.parquet"
    columns = [pa.array([1, 2]), pa.array([2, 1])]
    pq.write_table(pa.Table.from_arrays(columns, names=["Dr. Ann", "Dr"]), path)
    assert names(read_rankings(path)) == [["Dr. Ann", "Dr"], ["Dr", "Dr. Ann"]]
    pq.write_table(pa.Table.from_arrays(columns, names=["Ann", "Ann"]), path)
    assert refusal(path) == "votes: two columns are called 'Ann'; rename one of them"

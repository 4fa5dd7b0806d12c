"""Tables as spreadsheets leave them: rows of separators, odd cells, columns that never change."""

import pandas as pd
import polars as pl
import pytest

import hushvote as hv
from hushvote.formats import cells


@pytest.fixture
def sheet(tmp_path):
    """Write lines, whose cells stand between semicolons, as a file."""

    def make(*lines, name="votes.csv"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        return path

    return make


def names(votes):
    return [[votes.candidates[c] for c in row] for row in votes.orders.tolist()]


def voters(path, **options):
    file = hv.open_rankings(path, incomplete="shared", **options)
    return hv.score(file, hv.borda(file.d)).n


def refusal(given, **options):
    with pytest.raises(hv.HushvoteError) as caught:
        hv.read_rankings(given, **options)
    return str(caught.value).replace(str(given), "votes")


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("empty", [";;", " ; ;", ";;;;;", '"";"";""'])
def test_rows_of_separators_are_no_voters(sheet, between, empty, monkeypatch):
    lines = [empty, "Ann;Bob;Cem", empty, "1;2;3", empty, "3;2;1", *[empty] * 20]
    path = sheet(*(line.replace(";", between) for line in lines))
    for chunk in (cells.CHUNK, 16):
        monkeypatch.setattr(cells, "CHUNK", chunk)
        for incomplete in ("error", "random"):
            votes = hv.read_rankings(path, incomplete=incomplete)
            assert names(votes) == [["Ann", "Bob", "Cem"], ["Cem", "Bob", "Ann"]]
        assert voters(path) == 2


def test_rows_below_those_of_separators_keep_their_numbers(sheet):
    path = sheet(";;", "Ann;Bob;Cem", ";;", "1;2;3", ";;", "1;1;3")
    assert refusal(path).startswith('votes:6: candidates "Ann" and "Bob" are tied')


def test_a_row_with_an_id_and_no_ranking_is_a_voter_who_abstains(sheet):
    path = sheet("id;Ann;Bob", "7;1;2", "8;;", ";;")
    assert voters(path, columns=["B:C"]) == 2
    assert refusal(path, columns=["B:C"]).startswith("votes:3: the ballot ranks 0 of 2 candidates")


def test_a_file_of_separators_alone_holds_no_ballots(sheet):
    assert refusal(sheet(";;", ";;")).startswith("cannot read votes: all its lines are blank")


@pytest.mark.parametrize("between", [";", "\t"])
@pytest.mark.parametrize("decimals", [".0", ".00", ",0", ",00"])
def test_ranks_with_decimals_that_are_0_are_whole(sheet, between, decimals):
    lines = ["Ann;Bob;Cem", "1x;3x;2x", "2x;1x;3x"]
    path = sheet(*(line.replace("x", decimals).replace(";", between) for line in lines))
    assert names(hv.read_rankings(path)) == [["Ann", "Cem", "Bob"], ["Bob", "Ann", "Cem"]]


@pytest.mark.parametrize("library", [pd, pl])
def test_texts_of_ranks_in_a_frame_are_ranks(library):
    frame = library.DataFrame({"Ann": ["1,0", "2,0"], "Bob": ["2,0", "1,0"]})
    assert names(hv.Rankings(frame)) == [["Ann", "Bob"], ["Bob", "Ann"]]


ODD = [
    (("Ann;Bob;Cem", "1;-;2", "2;1;-", "1;2;3"), 'but "-" in column B ("Bob")'),
    (("Ann;Bob;Cem;Dan", "1;2;-;3", "2;1;4;3", "1;2;3;4"), 'but "-" in column C ("Cem")'),
    (("Ann;Bob", "1;-", "-;1"), 'but "-" in column A ("Ann")'),
    (("Ann;Bob;Cem", "1 (best);2;3", "2;1 (best);3"), 'but "1 (best)" in column A ("Ann")'),
    (("Ann;Bob", "1 = best;2", "2;1 = best"), 'but "1 = best" in column A ("Ann")'),
    (("Ann;Bob;Cem", "-1;5;0", "2;1;0"), 'but "-1" in column A ("Ann")'),
    (("Ann;Bob;Cem", "1,5;2;3", "2;1;3"), 'but "1,5" in column A ("Ann")'),
    (("Ann;Bob;Cem", "1,000;2;3", "2;1,000;3"), 'but "1,000" in column A ("Ann")'),
    (("Ann;Bob;Cem", "1;2;x", "1;2;3"), 'but "x" in column C ("Cem")'),
    (
        ("Ann;Bob", "Erste Wahl;Zweite Wahl", "Zweite Wahl;Erste Wahl"),
        'but "Erste Wahl" in column A ("Ann")',
    ),
    (
        ("Option 1;Option 2", "Zweiter;Erster", "Erster;Zweiter"),
        'but "Erster" in column A ("Option 1")',
    ),
    (("2;-;1", "1;-;2", "2;1;-"), 'but "-" in column B ("-")'),  # no header
]


@pytest.mark.parametrize(("lines", "odd"), ODD)
def test_ranks_among_which_a_cell_is_none_make_no_candidates_of_cells(sheet, lines, odd):
    path = sheet(*lines)
    d = lines[0].count(";") + 1
    for options in ({}, {"columns": [f"A:{'ABCD'[d - 1]}"]}, {"incomplete": "random"}):
        assert refusal(path, **options) == (
            f"votes seems to hold ranks, {odd} is none: ranks are whole numbers from 1 to {d}, and "
            "empty cells rank nobody; if a row lists candidates instead, best first, say so by "
            '--layout places (in Python: layout="places")'
        )
    assert hv.open_rankings(path, layout="places").d >= d
    frame = pd.DataFrame([line.split(";") for line in lines[1:]], columns=lines[0].split(";"))
    if frame.columns.is_unique:
        with pytest.raises(hv.RankingError, match="the data frame seems to hold ranks, but"):
            hv.Rankings(frame)


def test_the_line_of_an_odd_rank_is_told_if_the_candidates_are_named(sheet):
    for lines, _ in ODD[:-1]:
        said = refusal(sheet(*lines), candidates=lines[0].split(";"))
        assert said.startswith("votes:2: ")
        assert "is no rank for" in said


@pytest.mark.parametrize(
    "lines",
    [
        ("Top;Next;Last", "7 Up;Cola;1984", "Cola;1984;7 Up"),  # mostly names
        ("Top;Next", "12 Uhr;14 Uhr", "14 Uhr;12 Uhr"),
        ("Top;Next", "2026-05-01;2026-05-02", "2026-05-02;2026-05-01"),
        ("Top;Next", "Platz A;Platz B", "Platz B;Platz A"),
        ("Top;Next", "First Street;Second Avenue", "Second Avenue;First Street"),
        ("Beste Wahl;Letzte Wahl", "Wahl A;Wahl B", "Wahl B;Wahl A"),
        ("Wahl A;Wahl B", "Wahl B;Wahl A", "Wahl A;Wahl B"),
        ("rank1;rank2;rank3", "1;2;Nobody", "2;1;Nobody"),
        ("7;8;Ann", "Ann;7;8", "8;Ann;7"),
    ],
)
def test_names_that_are_like_ranks_are_names_where_others_are_not(sheet, lines):
    votes = hv.read_rankings(sheet(*lines))
    assert names(votes)[-1] == lines[-1].split(";")
    assert names(hv.read_rankings(sheet(*lines), candidates=votes.candidates)) == names(votes)


ALIKE = [
    ("lang;Top;Next;Last", "en", 'column A ("lang")', "B,C,D"),
    ("wave;Best;Middle;Worst", "2", 'column A ("wave")', "B,C,D"),
    ("office;Top;Next;Last", "Bonn", 'column A ("office")', "B,C,D"),
    ("status;r1;r2;r3", "complete", 'column A ("status")', "B,C,D"),
    ("status;V1;V2;V3", "complete", 'column A ("status")', "B,C,D"),
    ("Kommentar;x;y;z", "gut", 'column A ("Kommentar")', "B,C,D"),
    ("Kommentar;Erstwunsch;Zweitwunsch;Drittwunsch", "gut", 'column A ("Kommentar")', "B,C,D"),
    ("source;rank 1;rank 2;rank 3", "web", 'column A ("source")', "B,C,D"),
]
TURNS = ("Ann;Bob;Cem", "Bob;Cem;Ann", "Cem;Ann;Bob")


@pytest.mark.parametrize(("heads", "value", "odd", "columns"), ALIKE)
def test_a_column_that_never_changes_is_no_candidate_if_its_head_is_no_place(
    sheet, heads, value, odd, columns
):
    path = sheet(heads, *(f"{value};{turn}" for turn in TURNS))
    said = refusal(path)
    assert said.startswith(f"votes: {odd} seems to hold no part of the ranking: ")
    assert f"--columns {columns} (in Python" in said
    assert names(hv.read_rankings(path, columns=columns.split(",")))[0] == ["Ann", "Bob", "Cem"]


def test_a_comment_that_few_voters_wrote_is_no_candidate(sheet):
    path = sheet("Top;Next;Last;Kommentar", *(f"{turn};" for turn in TURNS), "Ann;Bob;Cem;gut")
    assert refusal(path, incomplete="random").startswith('votes: column D ("Kommentar") seems to')


@pytest.mark.parametrize(
    "heads",
    [
        None,
        "Top;Next;Third;Last",
        "best;better;worse;worst",
        "Favourite;Next best;Less liked;Least liked",
        "Erstwunsch;Zweitwunsch;Drittwunsch;Viertwunsch",
        "Gold;Silver;Bronze;Last",
        "a;b;c;d",
        "0;1;2;3",
        "V1;V2;V3;V4",
        "r1;r2;r3;r4",
        "first;second;third;fourth",
        "Ensimmäinen;Toinen;Kolmas;Neljäs",
        "Premier;Deuxième;Troisième;Quatrième",
    ],
)
@pytest.mark.parametrize("place", [0, 3])
def test_a_place_that_all_voters_give_to_the_same_candidate_is_one(sheet, heads, place):
    rows = [turn.split(";") for turn in TURNS]
    for row in rows:
        row.insert(place, "Dan")
    path = sheet(*([heads] if heads else []), *(";".join(row) for row in rows))
    assert names(hv.read_rankings(path)) == rows


def test_heads_that_count_places_in_short_hold_names(sheet):
    assert names(hv.read_rankings(sheet("r1;r2", "7;8"))) == [["7", "8"]]
    assert "can be read in two ways" in refusal(sheet("r1;r2", "2;1"))
    votes = hv.read_rankings(sheet("Top;Next", "R2;R1", "R1;R2"))  # candidates may be called so
    assert names(votes) == [["R2", "R1"], ["R1", "R2"]]
    votes = hv.read_rankings(sheet("R1;R2;None", "None;R1;R2", "R2;None;R1"))
    assert votes.n == 3


@pytest.mark.parametrize("library", [pd, pl])
def test_columns_of_a_frame_are_told_and_chosen_by_their_names(library):
    columns = {"id": [7, 8, 9], "Ann": [1, 2, 3], "Bob": [2, 3, 1], 'C "em"': [3, 1, 2]}
    frame = library.DataFrame(columns)
    with pytest.raises(hv.RankingError) as refused:
        hv.read_rankings(frame)
    assert str(refused.value).endswith(r'do, as in columns=["Ann", "Bob", "C \"em\""]')
    assert hv.read_rankings(frame, columns=["Ann", "Bob", 'C "em"']).d == 3
    with pytest.raises(hv.RankingError) as refused:
        hv.read_rankings(frame, columns=["Ann", "Dan"])
    assert str(refused.value) == (
        'the data frame: there is no column "Dan"; the columns are id, Ann, Bob, C "em"'
    )


def test_many_columns_of_a_frame_are_told_by_letters():
    columns = {f"Candidate {i}": [1, 2, 3] for i in range(1, 21)}
    frame = pd.DataFrame({"id": [77, 88, 99], **columns})
    with pytest.raises(hv.RankingError, match=r'as in columns=\["B:U"\]$'):
        hv.read_rankings(frame)
    assert hv.read_rankings(frame, columns=["B:U"], incomplete="random").d == 20


@pytest.mark.parametrize("heads", [("r1", "r2", "r3"), (0, 1, 2), ("Top", "Next", "Last")])
def test_a_status_that_never_changes_is_no_candidate_of_a_frame(heads):
    frame = pd.DataFrame([turn.split(";") for turn in TURNS], columns=heads)
    assert names(hv.Rankings(frame)) == frame.to_numpy().tolist()
    with pytest.raises(hv.RankingError, match=r'column D \("status"\) seems to hold no part'):
        hv.Rankings(frame.assign(status="complete"))


def test_a_column_of_pandas_that_mixes_texts_and_numbers_is_named():
    frame = pd.DataFrame({"Ann": [1, 2], "Bob": [2, "1"]})
    with pytest.raises(hv.RankingError) as refused:
        hv.Rankings(frame)
    assert str(refused.value) == (
        'this data frame cannot be read: column "Bob" holds int beside str; a column holds either '
        "texts or whole numbers"
    )
    assert hv.Rankings(frame.astype(str)).n == 2
    with pytest.raises(hv.RankingError, match="cannot be read: Could not convert '2' with type"):
        hv.Rankings(pd.DataFrame({"Ann": [[1, "2"]], "Bob": [1]}))

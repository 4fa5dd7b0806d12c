"""Tables as spreadsheets leave them: rows of separators, odd cells, columns that never change."""

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

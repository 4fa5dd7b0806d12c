import re
import tracemalloc

import numpy as np
import pytest

from hushvote.errors import FileError, HushvoteError, RankingError
from hushvote.formats import cells, open_rankings, read_rankings, write_rankings
from hushvote.rankings import Rankings


@pytest.fixture
def ballots(tmp_path):
    """Write a file of ballots and give its path."""

    def make(content, name="ballots.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def names(rankings):
    return [[rankings.candidates[c] for c in row] for row in rankings.orders.tolist()]


def refusal(path, kind=RankingError, **options):
    with pytest.raises(HushvoteError) as caught:
        read_rankings(path, **options)
    assert type(caught.value) is kind
    return str(caught.value).replace(str(path), path.name)


def test_one_ballot_a_line_is_read_best_first(ballots):
    votes = read_rankings(ballots("Bob,Ann,Cem\nCem,Bob,Ann\n"))
    assert votes.candidates == ("Ann", "Bob", "Cem")
    assert votes.orders.dtype == np.uint8
    assert votes.orders.tolist() == [[1, 0, 2], [2, 1, 0]]


@pytest.mark.parametrize(
    "content",
    [
        b"A,B\nB,A",
        b"A,B\r\nB,A\r\n",
        b"\xef\xbb\xbfA,B\nB,A\n",
        b"\n  A , B\n\n   \nB\t,A  \n\n",
        b'"A",B\nB,"A"\n',
        b'A, "B"\n"B" ,A\n',
        b"rank1,rank2\nA,B\nB,A\n",
        b"Choice 1,Choice 2\nA,B\nB,A\n",
        b"1st,2nd\nA,B\nB,A\n",
        b"First preference,Second preference\nA,B\nB,A\n",
        b"rank_0,rank_1\nA,B\nB,A\n",
        b"\nbest,worst\nA,B\nB,A\n",
        b"A > B\nB>A\n",
        b"1: A > B\n1:B > A\n",
        b"1 : A > B\nB > A\n",
    ],
)
def test_layouts_of_the_same_ballots_read_alike(ballots, content):
    votes = read_rankings(ballots(content))
    assert votes.candidates == ("A", "B")
    assert votes.orders.tolist() == [[0, 1], [1, 0]]


def test_txt_is_read_like_csv(ballots):
    assert names(read_rankings(ballots("b > a\n", "x.TXT"))) == [["b", "a"]]


def test_numbers_are_ordered_by_value_and_names_by_text(ballots):
    assert read_rankings(ballots("10,9,1\n9,1,10\n")).candidates == ("1", "9", "10")
    assert read_rankings(ballots("10,9,x\n9,x,10\n")).candidates == ("10", "9", "x")


def test_given_candidates_fix_the_order(ballots):
    path = ballots("rank1,rank2\nA,B\n")
    assert read_rankings(path, candidates=["B", "A"]).orders.tolist() == [[1, 0]]
    assert open_rankings(path, candidates=["B", "A"]).n is None


def test_a_first_line_without_any_given_candidate_is_a_header(ballots):
    path = ballots("best,worst\nA,B\n")
    assert read_rankings(path, candidates=["A", "B"]).orders.tolist() == [[0, 1]]


@pytest.mark.parametrize(("d", "end"), [(8, '"H"'), (9, '"H", ...')])
def test_the_first_eight_candidates_are_listed(ballots, d, end):
    message = refusal(ballots("A,Z\n"), candidates=list("ABCDEFGHI"[:d]))
    assert message.endswith(f'the candidates are "A", "B", "C", "D", "E", "F", "G", {end}')


def test_a_candidate_with_the_name_of_a_rank_makes_no_header(ballots):
    for content in ("Rank1,Bob\nBob,Rank1\n", "Bob,1st\n1st,Bob\n"):
        assert read_rankings(ballots(content)).n == 2


def test_a_first_ballot_is_not_taken_for_a_header(ballots):
    assert read_rankings(ballots("A,B,C\n")).n == 1
    assert read_rankings(ballots("A,B,C\nC,B,A\n")).n == 2
    assert read_rankings(ballots("1,2\n2,1\n"), layout="places").n == 2


def test_names_with_commas_and_quotes_follow_the_csv_rules(ballots):
    votes = read_rankings(ballots('"Lee, A","Kim ""K"" B"\nplain,x\n'), incomplete="random")
    assert votes.candidates == ("plain", "x")  # none of the first line's names returns: a header
    votes = read_rankings(ballots('"Lee, A","Kim ""K"" B"\n"Kim ""K"" B" , "Lee, A"\n'))
    assert votes.candidates == ('Kim "K" B', "Lee, A")
    assert votes.orders.tolist() == [[1, 0], [0, 1]]


def test_counts_are_expanded(ballots):
    file = open_rankings(ballots("3: A > B\n2: B > A\n"))
    assert file.n == 5
    assert [len(block) for block in file.blocks(2)] == [2, 2, 1]
    assert np.concatenate(list(file.blocks(2))).tolist() == [[0, 1]] * 3 + [[1, 0]] * 2


def test_a_name_may_hold_a_colon_where_nothing_is_counted(ballots):
    assert read_rankings(ballots("List 1: Ann > Bob\nBob > List 1: Ann\n")).candidates == (
        "Bob",
        "List 1: Ann",
    )


def test_blocks_have_the_asked_size_across_chunks(ballots, monkeypatch):
    monkeypatch.setattr(cells, "CHUNK", 16)
    rng = np.random.default_rng()
    rows = [rng.permutation(3).tolist() for _ in range(101)]
    text = "\n".join(",".join("ABC"[c] for c in row) for row in rows)
    file = open_rankings(ballots("rank1,rank2,rank3\n" + text))
    assert file.n == 101
    assert [len(block) for block in file.blocks(25)] == [25, 25, 25, 25, 1]
    assert np.concatenate(list(file.blocks(25))).tolist() == rows
    assert list(map(len, file.blocks(1000))) == [101]


def test_the_line_is_right_beyond_the_first_chunk(ballots, monkeypatch):
    monkeypatch.setattr(cells, "CHUNK", 16)
    assert refusal(ballots("A,B\n\n" * 50 + "A,A\n")).startswith("ballots.csv:101: ")
    path = ballots(b"A,B\n" * 50 + b"A,\xe9\n")
    assert refusal(path, FileError).startswith("ballots.csv:51: byte 0xe9 is not UTF-8")


def test_a_large_file_is_streamed_in_little_memory(ballots, monkeypatch):
    monkeypatch.setattr(cells, "CHUNK", 1 << 14)
    path = ballots("A,B,C,D\nD,C,B,A\n" * 250_000)
    tracemalloc.start()
    try:
        voters = sum(len(block) for block in open_rankings(path).blocks(1 << 12))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert voters == 500_000
    assert peak < path.stat().st_size / 2


TRUNCATED = (
    'rank all of them, or read with incomplete="random" (on the command line: --incomplete random)'
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "A,B,C\nB,A\n",
            f'ballots.csv:2: the ballot ranks 2 of 3 candidates, "C" missing; {TRUNCATED}',
        ),
        (
            "A,B,C\nB,,\n",
            'ballots.csv:2: the ballot ranks 1 of 3 candidates, "A" and 1 more missing; '
            + TRUNCATED,
        ),
        (
            "A,B,C\nA,B,C,B\n",
            'ballots.csv:2: candidate "B" appears twice; a ballot names every candidate once',
        ),
        (
            "A,Bob,C\nBob,A,Bob\n",
            'ballots.csv:2: candidate "Bob" appears twice; a ballot names every candidate once',
        ),
        (
            "A,B,C\nA,,C\n",
            "ballots.csv:2: rank 2 is empty, but a later rank is not; "
            "list the candidates best first without a gap",
        ),
        (
            "NaN,,\nA,B,C\n",
            'ballots.csv:1: the ballot ranks 0 of 3 candidates, "A" and 2 more missing; '
            + TRUNCATED,
        ),
        (
            "A > B > C\nC > A =\n",
            f'ballots.csv:2: the ballot ranks 2 of 3 candidates, "B" missing; {TRUNCATED}',
        ),
        (
            "A,B,C\nNaN,A,C\n",
            "ballots.csv:2: rank 1 is empty, but a later rank is not; "
            "list the candidates best first without a gap",
        ),
        (
            "A > B > C\nC > A = B\n",
            'ballots.csv:2: candidates "A" and "B" are tied; rank one before the other, or read '
            'with incomplete="random" (on the command line: --incomplete random)',
        ),
        ("A\nA\n", "ballots.csv: a vote needs 2 to 64 candidates, not 1"),
        (
            "\n".join(f"x,{i}" for i in range(70)),
            'ballots.csv:65: "64" is candidate number 65; a vote has 2 to 64, '
            "and a line holds a ballot's candidates only",
        ),
    ],
)
def test_a_wrong_ballot_is_refused_with_its_line(ballots, content, message):
    assert refusal(ballots(content)) == message


def test_an_unknown_candidate_is_refused_with_its_line(ballots):
    path = ballots("rank1,rank2\nA,B\nB,Zoe\n")
    assert refusal(path, candidates=["A", "B"]) == (
        'ballots.csv:3: candidate "Zoe" is unknown; the candidates are "A", "B"'
    )


def test_more_cells_than_any_vote_has_are_refused_with_their_line(ballots):
    path = ballots("A,B\n" + "A," * 70 + "B\n")
    assert refusal(path).startswith("ballots.csv:2: the ballot lists more than 64 candidates")
    assert read_rankings(ballots("A,B" + "," * 100 + "\nB,A\n")).n == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "cannot read ballots.csv: the file is empty"),
        (" \n\r\n", "cannot read ballots.csv: all its lines are blank"),
        ("rank1,rank2\n", "ballots.csv has only a header, on line 1, and no ballots"),
        ("3: A > B\nx: B > A\n", 'ballots.csv:2: the count "x" is not a whole number from 1'),
        ("3: A > B\n0: B > A\n", 'ballots.csv:2: the count "0" is not a whole number from 1'),
        ("-3: A > B\n", 'ballots.csv:1: the count "-3" is not a whole number from 1'),
        ("1.5: A > B\n", 'ballots.csv:1: the count "1.5" is not a whole number from 1'),
        ("9" * 5000 + ": A > B\n", 'ballots.csv:1: the count "999'),
        ("A,B\n".encode("utf-16"), "ballots.csv:1: byte 0xff is not UTF-8 text"),
        ("A,B\nÄ,B\n".encode("latin-1"), "ballots.csv:2: byte 0xc4 is not UTF-8 text"),
        ("A,B\rB,A\r", "ballots.csv:1: a carriage return stands within the line"),
        ("A;B,C\nB;A,C\n", "ballots.csv:1: the line has commas and semicolons; put names that"),
        ('A,B\n"A,B\nB,A\n', "ballots.csv:2: a quote is not closed on this line"),
        ('A,B\nB,"A', "ballots.csv:2: a quote is not closed on this line"),
        ('A,B\n"A,"B"\nB,A\n', "ballots.csv:2: a quote is not closed on this line"),
        ('A,B\nA"B,"' + "x" * 140_000, "ballots.csv:2: a quote is not closed on this line"),
        ('"A",B\nA\x1fB,A', "ballots.csv:2: the line holds a control character"),
        ("A,B\nB > A\n", 'ballots.csv:2: the line has a ">", but the first line'),
        ("sep=|\nA|B\n", 'ballots.csv:1: "|" stands between cells by this line; save the file'),
        ("sep=;\n", "cannot read ballots.csv: all its lines are blank"),
    ],
)
def test_a_wrong_file_is_refused_with_a_reason(ballots, content, message):
    assert refusal(ballots(content), FileError).startswith(message)


@pytest.mark.parametrize("incomplete", ["error", "random", "shared"])
@pytest.mark.parametrize(
    "content",
    [
        "60: A,B,C\n40: B,C,A\n",
        "60: A;B;C\n40: B;C;A\n",
        "60: A\tB\tC\n40: B\tC\tA\n",
        "First,Second,Third\n60:A,B,C\n40:B,C,A\n",
        "60: 1,2,3\n40: 2,3,1\n",
        "60: A,B,C\n40: B,C,A\nC,B,A\n",
        '"60: A","B","C"\n',
    ],
)
def test_counts_before_cells_become_no_candidates(ballots, content, incomplete):
    said = "ballots.csv: the first cell seems to say how many voters cast the ballot, as in "
    assert refusal(ballots(content), incomplete=incomplete).startswith(said)


def test_empty_quotes_are_no_candidates(ballots):
    assert "all its lines are blank" in refusal(ballots('""\n""\n'), FileError)


@pytest.mark.parametrize("content", ["10:30,11:00\n11:00,10:30\n", "1: A,2: B\n2: B,1: A\n"])
def test_times_and_numbered_names_are_candidates(ballots, content):
    assert list(read_rankings(ballots(content)).candidates) == sorted(
        content.splitlines()[0].split(",")
    )


def test_names_that_begin_like_counts_are_candidates_if_they_are_named(ballots):
    given = ["60: A", "B"]
    assert names(read_rankings(ballots("60: A,B\n60: A,B\n"), candidates=given)) == [given, given]


@pytest.mark.parametrize(
    ("content", "cast"),
    [
        ("sep=;\nA;B\nB;A\n", [["A", "B"], ["B", "A"]]),
        ("\ufeffSEP=,\r\nrank1,rank2\r\nA,B\r\nB,A\r\n", [["A", "B"], ["B", "A"]]),
        ('"sep=;";\nA,x;B,y\n"B,y";A,x\n', [["A,x", "B,y"], ["B,y", "A,x"]]),
        ("sep=\t\nWhen\tA\tB\n10:02\t2\t1\n10:07\t1\t2\n", [["B", "A"], ["A", "B"]]),
    ],
)
def test_a_first_line_for_excel_says_what_stands_between_cells(ballots, content, cast):
    columns = ["B:C"] if "When" in content else None
    assert names(read_rankings(ballots(content), columns=columns)) == cast


def test_lines_below_one_for_excel_keep_their_numbers(ballots):
    path = ballots("sep=;\nA;B\nB;A\nA;A\n")
    assert refusal(path).startswith('ballots.csv:4: candidate "A" appears twice')


def test_a_header_alone_is_refused_with_given_candidates_too(ballots):
    path = ballots("rank1,rank2\n")
    assert "has only a header" in refusal(path, FileError, candidates=["A", "B"])


def test_an_endless_line_is_refused(ballots, monkeypatch):
    monkeypatch.setattr(cells, "CHUNK", 16)
    assert "the line is longer than" in refusal(ballots("A,B\n" + "A" * 100), FileError)


def test_writing_begins_with_a_header_and_quotes_what_needs_it(tmp_path):
    path = tmp_path / "out.csv"
    write_rankings(path, Rankings(np.array([[0, 2, 1]]), ('a "b"', "c, d", "e > f")))
    assert path.read_text() == 'rank1,rank2,rank3\n"a ""b""","e > f","c, d"\n'


@pytest.mark.parametrize("name", ["nan", "NaN"])
def test_names_that_would_change_are_not_written(tmp_path, name):
    path = tmp_path / "out.csv"
    votes = Rankings(np.array([[0, 1]]), (name, "B"))
    with pytest.raises(FileError, match=re.escape(repr(name))):
        write_rankings(path, votes)
    assert list(tmp_path.iterdir()) == []

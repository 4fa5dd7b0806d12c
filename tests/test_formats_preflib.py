import tracemalloc

import numpy as np
import pytest

from hushvote.errors import FileError, HushvoteError, RankingError
from hushvote.formats import cells, open_rankings, read_rankings, write_rankings
from hushvote.rankings import Rankings

HEADER = """# FILE NAME: x.soc
# DATA TYPE: soc
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 5
# ALTERNATIVE NAME 1: Ann: the first
# ALTERNATIVE NAME 2: Bob
# ALTERNATIVE NAME 3: Cem
"""


@pytest.fixture
def soc(tmp_path):
    """Write a PrefLib file and give its path."""

    def make(content, name="x.soc"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def refusal(path, kind=FileError, **options):
    with pytest.raises(HushvoteError) as caught:
        read_rankings(path, **options)
    assert type(caught.value) is kind
    return str(caught.value).replace(str(path), path.name)


def test_counts_are_expanded_and_names_come_from_the_header(soc):
    path = soc(HEADER + "3: 1,2,3\n2: 3, 1, 2\n")
    assert open_rankings(path).n == 5
    votes = read_rankings(path)
    assert votes.candidates == ("Ann: the first", "Bob", "Cem")
    assert votes.orders.tolist() == [[0, 1, 2]] * 3 + [[2, 0, 1]] * 2


def test_line_ends_byte_order_marks_and_blank_lines_do_not_matter(soc):
    text = HEADER + "\n3: 1,2,3\n\n2: 3,1,2"
    expected = read_rankings(soc(text)).orders
    changed = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert (read_rankings(soc(changed)).orders == expected).all()


def test_candidates_without_names_are_called_by_their_number(soc):
    path = soc("# NUMBER ALTERNATIVES: 2\n1: 2,1\n")
    assert read_rankings(path).candidates == ("1", "2")
    assert open_rankings(path).n is None
    assert read_rankings(path, candidates=["x", "y"]).orders.tolist() == [[1, 0]]


def test_given_candidates_fix_the_order(soc):
    path = soc(HEADER + "5: 1,2,3\n")
    votes = read_rankings(path, candidates=["Cem", "Bob", "Ann: the first"])
    assert votes.orders.tolist() == [[2, 1, 0]] * 5
    assert refusal(path, RankingError, candidates=["Cem", "Bob"]) == (
        'x.soc: candidate "Ann: the first" is unknown; the candidates are "Cem", "Bob"'
    )


def test_ties_are_refused_by_default_and_broken_at_random(soc):
    path = soc(HEADER.replace("5", "200") + "100: {1,3},2\n100: 2,{3, 1}\n", "x.toc")
    assert refusal(path, RankingError).startswith(
        'x.toc:8: candidates "Ann: the first" and "Cem" are tied'
    )
    orders = read_rankings(path, incomplete="random").orders
    # Each half misses one of its two orders with probability 2^-99.
    assert np.unique(orders[:100], axis=0).tolist() == [[0, 2, 1], [2, 0, 1]]
    assert np.unique(orders[100:], axis=0).tolist() == [[1, 0, 2], [1, 2, 0]]


def test_a_truncated_ballot_is_refused_with_its_line(soc):
    assert refusal(soc(HEADER + "4: 1,2,3\n1: 2\n"), RankingError) == (
        'x.soc:9: the ballot ranks 1 of 3 candidates, "Ann: the first" and 1 more missing; '
        'rank all of them, or read with incomplete="random" '
        "(on the command line: --incomplete random)"
    )


def test_two_thousand_million_voters_on_one_line_cost_no_memory(soc):
    path = soc("# NUMBER ALTERNATIVES: 3\n2000000000: 1,2,3\n1: 3,2\n", "x.soi")
    file = open_rankings(path, incomplete="random")
    next(file.blocks())  # what is imported or cached once is not counted
    tracemalloc.start()
    try:
        first = next(file.blocks())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (first == [0, 1, 2]).all()
    assert peak < 8 << 20


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("5: 1,2,2", 'x.soc:8: candidate "Bob" appears twice; a ballot names every candidate once'),
        ("5: 1,2,4", 'x.soc:8: candidate "4" is unknown; this file numbers its candidates 1 to 3'),
        ("5: 1,2,0", 'x.soc:8: candidate "0" is unknown; this file numbers its candidates 1 to 3'),
        ("5: 1,b,2", 'x.soc:8: candidate "b" is unknown; this file numbers its candidates 1 to 3'),
        ("5: 1,{},2", 'x.soc:8: candidate "{}" is unknown'),
        ("5: 1,,2", "x.soc:8: rank 2 is empty, but a later rank is not"),
    ],
)
def test_a_wrong_ballot_is_refused_with_its_line(soc, lines, message):
    assert refusal(soc(HEADER + lines + "\n"), RankingError).startswith(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEADER, "x.soc has a header but no ballots"),
        (HEADER + "4: 1,2,3", "x.soc: the header says 5 voters, but the ballots are those of 4;"),
        (HEADER + "6: 1,2,3", "x.soc: the header says 5 voters, but the ballots are those of 6 or"),
        (HEADER + "1,2,3", "x.soc:8: there is no count before the ballot"),
        (HEADER + "x: 1,2,3", 'x.soc:8: the count "x" is not a whole number from 1 to'),
        (HEADER + "0: 1,2,3", 'x.soc:8: the count "0" is not a whole number from 1 to'),
        (HEADER + "-5: 1,2,3", 'x.soc:8: the count "-5" is not a whole number from 1 to'),
        (HEADER + "5: {1,2,3", "x.soc:8: the braces do not match"),
        (HEADER + "5: 1},{2,3", "x.soc:8: the braces do not match"),
        (HEADER + "5: {1,{2},3}", "x.soc:8: the braces do not match"),
        ("", "cannot read x.soc: the file is empty"),
        ("3\n1,Ann\n", 'x.soc has no line "# NUMBER ALTERNATIVES: ..."'),
        ("# NUMBER ALTERNATIVES: x\n", 'x.soc:1: "# NUMBER ALTERNATIVES" is "x"; give a whole'),
        (HEADER.replace("soc\n# N", "wmd\n# N"), 'x.soc:2: the data type "wmd" has no rankings'),
        (HEADER.replace("S: 3", "S: 4"), "x.soc: the header says 4 alternatives and names 3"),
        (HEADER.replace("NAME 3", "NAME 4"), "x.soc: the header says 3 alternatives and names 3;"),
        (HEADER.encode() + b"5: 1,2,\xe9\n", "x.soc:8: byte 0xe9 is not UTF-8 text"),
        (HEADER.replace("Bob", "Bän").encode("latin-1"), "x.soc:6: the line is not UTF-8 text"),
    ],
)
def test_a_wrong_file_is_refused_with_a_reason(soc, content, message):
    assert refusal(soc(content)).startswith(message)


@pytest.mark.parametrize("number", ["0", "1", "65", "9" * 19])
def test_too_few_or_too_many_candidates_are_refused(soc, number):
    message = refusal(soc(f"# NUMBER ALTERNATIVES: {number}\n1: 1\n"), RankingError)
    assert message == f"x.soc:1: a vote needs 2 to 64 candidates, not {number}"


def test_two_candidates_of_one_name_are_refused(soc):
    message = refusal(soc(HEADER.replace("Bob", "Cem") + "5: 1,2,3\n"), RankingError)
    assert message.startswith("x.soc: candidate 'Cem' is named twice")


def test_the_total_is_compared_over_all_chunks(soc, monkeypatch):
    monkeypatch.setattr(cells, "CHUNK", 32)
    header = HEADER.replace("VOTERS: 5", "VOTERS: 100")
    assert read_rankings(soc(header + "1: 1,2,3\n" * 100)).n == 100
    assert "those of 99;" in refusal(soc(header + "1: 1,2,3\n" * 99))
    assert "or more" in refusal(soc(header + "1: 1,2,3\n" * 200))


@pytest.mark.parametrize("kind", ["soc", "soi", "toc", "toi"])
def test_writing_merges_equal_ballots_frequent_first(tmp_path, kind):
    path = tmp_path / f"votes.{kind}"
    orders = [[2, 1, 0], [1, 0, 2], [0, 1, 2], [1, 0, 2], [0, 2, 1]]
    write_rankings(path, Rankings(np.array(orders), ("Ann", "Bob", "Cem")))
    assert path.read_text() == (
        f"# FILE NAME: votes.{kind}\n"
        "# TITLE: votes\n"
        f"# DATA TYPE: {kind}\n"
        "# NUMBER ALTERNATIVES: 3\n"
        "# NUMBER VOTERS: 5\n"
        "# NUMBER UNIQUE ORDERS: 4\n"
        "# ALTERNATIVE NAME 1: Ann\n"
        "# ALTERNATIVE NAME 2: Bob\n"
        "# ALTERNATIVE NAME 3: Cem\n"
        "2: 2,1,3\n"
        "1: 1,2,3\n"
        "1: 1,3,2\n"
        "1: 3,2,1\n"
    )


def test_a_name_with_a_line_break_is_not_written(tmp_path):
    """Nor held at all: no name may have characters that cannot be shown."""
    for name in ("A\n1: 2,1", "\x1b[31m", "\ud800"):
        with pytest.raises(RankingError, match="cannot be shown"):
            Rankings(np.array([[0, 1]]), (name, "B"))

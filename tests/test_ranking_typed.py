"""Rankings as people type them."""

import pytest

from hushvote.cli.ranking import candidate_of, joined, read_line, read_names
from hushvote.errors import RankingError

NAMES = ("Ann", "Bob, the elder", "Annika", "a > b", "7", "Dörte Müller")
SHOWN = (4, 2, 0, 1, 3, 5)  # as a voter sees them: 7, Annika, Ann, Bob, a > b, Dörte


@pytest.mark.parametrize(
    ("texts", "ranking"),
    [
        (["Ann > Annika > Bob, the elder"], [0, 2, 1]),
        (["Bob, the elder", "Ann"], [1, 0]),
        (["ann>annika>bob"], [0, 2, 1]),
        (["a > b > Ann"], [3, 0]),
        (["Ann > a > b"], [0, 3]),
        (["7 > dörte"], [4, 5]),
        (["  DÖRTE MÜLLER  "], [5]),
        ([], []),
    ],
)
def test_names_or_beginnings_of_names_best_first(texts, ranking):
    assert read_names(texts, NAMES) == ranking


@pytest.mark.parametrize(
    ("line", "ranking"),
    [
        ("2 3", [2, 0]),
        ("2,3, 4", [2, 0, 1]),
        ("2 > 3 > 6", [2, 0, 5]),
        ("#1", [4]),
        ("7", [4]),  # there is no seventh, but one of that name
        ('"7"', [4]),
        ("ann", [0]),
        ("bob, the elder", [1]),
        ("ann, bob", [0, 1]),
        ("dö ann", [5, 0]),
        ("dö 3", [5, 0]),
        ("a > b", [3]),
        ("dörte müller", [5]),
    ],
)
def test_a_line_has_numbers_of_the_list_or_names(line, ranking):
    assert read_line(line, SHOWN, NAMES) == ranking


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("0", "the list goes from 1 to 6"),
        ("99", "the list goes from 1 to 6"),
        ("9999999999999999999", "the list goes from 1 to 6"),
        ("an", "may be Ann or Annika; write more of it"),
        ("Zoe", "there is no candidate 'Zoe'"),
        ("Ann > ", "there is no candidate ''"),
        (">", "there is no candidate ''"),
        ("Ann > Ann", "Ann is named twice"),
    ],
)
def test_what_cannot_be_understood_is_said(line, says):
    with pytest.raises(RankingError, match=says):
        read_line(line, SHOWN, NAMES)


def test_a_number_that_is_a_name_as_well_is_not_guessed():
    names, shown = ("2", "1", "x"), (0, 1, 2)
    with pytest.raises(RankingError, match='write #1 for the number, or "1" for the name'):
        read_line("1", shown, names)
    assert read_line("#1", shown, names) == [0]
    assert read_line('"1"', shown, names) == [1]
    assert read_line("3", shown, names) == [2]


def test_a_ranking_grows_and_names_nobody_twice():
    assert joined([0], [2, 1], NAMES) == [0, 2, 1]
    with pytest.raises(RankingError, match="Annika is named twice") as caught:
        joined([0, 2], [2], NAMES)
    assert caught.value.code == "ranking.duplicate"
    with pytest.raises(RankingError) as caught:
        candidate_of("an", NAMES)
    assert caught.value.code == "ranking.ambiguous"

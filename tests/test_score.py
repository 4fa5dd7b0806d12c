"""The plain count: exact totals of true ballots, in the library and on the command line."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hushvote as hv
from hushvote import scoring
from hushvote.formats import cells, parquet
from hushvote.numerals import decimals
from tests.conftest import names_in, one_sentence, random_orders, rules

NAMES = ("Ann", "Bob", "Cem", "Dee")
HEAD = "# NUMBER ALTERNATIVES: 3\n" + "".join(
    f"# ALTERNATIVE NAME {i}: {name}\n" for i, name in enumerate(NAMES[:3], start=1)
)

Ballot = list[list[int]]  # groups of candidates on the same places, best first


def reference(ballots: list[tuple[int, Ballot]], rule: hv.Rule) -> list[Fraction]:
    """Totals, one ballot and one candidate at a time; who is not listed shares the last places."""
    totals = [Fraction(0)] * rule.d
    for voters, groups in ballots:
        rest = [j for j in range(rule.d) if not any(j in group for group in groups)]
        place = 0
        for group in filter(None, [*groups, rest]):
            points = sum(rule.scores[place : place + len(group)], Fraction(0)) / len(group)
            place += len(group)
            for j in group:
                totals[j] += voters * points
    return totals


@pytest.mark.parametrize("d", [2, 3, 4, 7, 12])
def test_totals_are_those_of_a_count_by_hand(d):
    orders = random_orders(300, d, seed=d)
    ballots = [(1, [[j] for j in order]) for order in orders.tolist()]
    for rule in rules(d):
        found = hv.score(orders, rule)
        assert list(found.totals) == reference(ballots, rule)
        assert sum(found.totals) == 300 * rule.total
        assert found.means == pytest.approx([float(total) / 300 for total in found.totals])
        assert [sum(row) for row in found.positions] == [300] * d
        assert list(found.firsts) == np.bincount(orders[:, 0], minlength=d).tolist()


@st.composite
def incomplete_ballots(draw):
    """Ballots with ties, unlisted candidates and voters by the dozen."""
    d = draw(st.integers(2, 6))
    ballots = []
    for _ in range(draw(st.integers(1, 8))):
        listed = draw(st.permutations(range(d)))[: draw(st.integers(1, d))]
        groups: Ballot = [[listed[0]]]
        for j in listed[1:]:
            if draw(st.booleans()):
                groups.append([j])
            else:
                groups[-1].append(j)
        ballots.append((draw(st.integers(1, 10**12)), groups))
    return d, ballots


def preflib(d: int, ballots: list[tuple[int, Ballot]]) -> str:
    lines = [f"# NUMBER ALTERNATIVES: {d}\n"]
    for voters, groups in ballots:
        places = [
            str(group[0] + 1)
            if len(group) == 1
            else "{" + ",".join(str(j + 1) for j in group) + "}"
            for group in groups
        ]
        lines.append(f"{voters}: {','.join(places)}\n")
    return "".join(lines)


@settings(max_examples=60, deadline=None)
@given(incomplete_ballots(), st.integers(0, 7))
def test_candidates_that_share_places_share_their_points(tmp_path_factory, case, which):
    d, ballots = case
    path = tmp_path_factory.mktemp("shared") / "b.toi"
    path.write_text(preflib(d, ballots))
    rule = rules(d)[which % len(rules(d))]
    found = hv.score(hv.open_rankings(path, incomplete="shared"), rule)
    assert list(found.totals) == reference(ballots, rule)
    assert found.n == sum(voters for voters, _ in ballots)
    assert sum(found.firsts) == found.n
    assert found.shared == sum(
        voters
        for voters, groups in ballots
        if max(map(len, groups)) > 1 or d - sum(map(len, groups)) > 1
    )


def test_random_completion_averages_to_shared_points(tmp_path):
    """Ten standard errors of Borda totals: false alarm below 1e-20."""
    (tmp_path / "b.toi").write_text(HEAD + "40000: 2,{1,3}\n40000: 3\n")
    exact = hv.score(hv.open_rankings(tmp_path / "b.toi", incomplete="shared"), hv.borda(3))
    drawn = hv.score(hv.read_rankings(tmp_path / "b.toi", incomplete="random"), hv.borda(3))
    assert exact.totals == (40_000, 100_000, 100_000)
    for one, other in zip(exact.totals, drawn.totals, strict=True):
        assert abs(one - other) <= 10 * math.sqrt(80_000 / 4)


@pytest.mark.parametrize("suffix", ["soc", "csv", "txt", "parquet"])
def test_files_are_counted_in_pieces(tmp_path, monkeypatch, suffix):
    votes = hv.Rankings(random_orders(700, 4), NAMES)
    path = tmp_path / f"b.{suffix}"
    hv.write_rankings(path, votes)
    monkeypatch.setattr(cells, "CHUNK", 50)
    monkeypatch.setattr(parquet, "ROWS", 64)
    steps: list[int] = []
    found = hv.score(hv.open_rankings(path), hv.nauru(4), progress=steps.append)
    assert found == hv.score(votes, hv.nauru(4))
    assert list(found.totals) == votes.totals(hv.nauru(4))
    assert len(steps) > 3
    assert sum(steps) == 700


def test_a_ballot_of_very_many_voters_takes_no_longer(tmp_path):
    (tmp_path / "b.soc").write_text(HEAD + "1000000000000: 1,2,3\n1: 3,2,1\n")
    found = hv.score(hv.open_rankings(tmp_path / "b.soc"), hv.borda(3))
    assert found.totals == (2 * 10**12, 10**12 + 1, 2)


def test_voters_beyond_64_bits_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(scoring, "MOST_VOTERS", 10)
    (tmp_path / "b.soc").write_text(HEAD + "11: 1,2,3\n")
    with pytest.raises(hv.RankingError, match="more than 10 voters") as caught:
        hv.score(hv.open_rankings(tmp_path / "b.soc"), hv.borda(3))
    assert caught.value.code == "tally.overflow"


def test_equal_totals_share_a_place():
    found = hv.score([[0, 1, 2, 3], [1, 0, 3, 2]], hv.borda(4))
    assert found.totals == (5, 5, 1, 1)
    assert found.places == (1, 1, 3, 3)
    assert found.order == (0, 1, 2, 3)
    assert found.winners == (0, 1)
    assert found.tied == [(0, 1), (2, 3)]
    assert found.names == ("0", "1", "2", "3")


def test_places_skip_what_is_shared():
    found = hv.score([[2, 0, 1], [2, 1, 0]], hv.borda(3))
    assert (found.places, found.winners, found.tied) == ((2, 2, 1), (2,), [(0, 1)])


@pytest.mark.parametrize(
    ("votes", "message", "code"),
    [
        (np.empty((0, 3), dtype=np.uint8), "no rankings to count", "ballots.empty"),
        ([[0, 1, 1]], "row 0 names candidate 1 twice", "ranking.duplicate"),
        ([[0, 1]], "list 2 candidates each, but there are 3", "ranking.length"),
    ],
)
def test_what_is_no_ranking_is_refused(votes, message, code):
    with pytest.raises(hv.RankingError, match=message) as caught:
        hv.score(votes, hv.borda(3))
    assert caught.value.code == code


def test_a_file_of_other_candidates_than_the_rule_scores_is_refused(tmp_path):
    (tmp_path / "b.soc").write_text(HEAD + "1: 1,2,3\n")
    with pytest.raises(hv.RankingError, match="ranks 3 candidates, but the rule scores 4"):
        hv.score(hv.open_rankings(tmp_path / "b.soc"), hv.borda(4))


def test_ballots_that_share_places_are_no_rankings(run, tmp_path):
    (tmp_path / "b.soi").write_text(HEAD + "1: 1,2,3\n1: 2\n")
    with pytest.raises(hv.RankingError, match="choose error or random") as caught:
        hv.read_rankings(tmp_path / "b.soi", incomplete="shared")
    assert caught.value.code == "ballots.incomplete"
    words = ("privatize", "b.soi", "-o", "r.parquet", "-m", "additive", "--incomplete", "shared")
    assert "for the plain count alone" in one_sentence(run(*words))
    assert names_in(tmp_path) == ["b.soi"]


@pytest.mark.parametrize(
    "name", ["nsw2023-summer-hill-d5.soc", "nsw2015-ballina-d7.soc", "nsw2023-lismore-d8.soc"]
)
def test_real_ballots_are_counted_as_by_hand(ballots, name):
    votes = hv.read_rankings(ballots / name)
    merged, counts = np.unique(votes.orders, axis=0, return_counts=True)
    hand = [
        (count, [[j] for j in order])
        for order, count in zip(merged.tolist(), counts.tolist(), strict=True)
    ]
    for rule in (hv.borda(votes.d), hv.nauru(votes.d), hv.plurality(votes.d)):
        found = hv.score(hv.open_rankings(ballots / name), rule)
        assert list(found.totals) == reference(hand, rule) == votes.totals(rule)
        assert (found.n, found.candidates, found.shared) == (votes.n, votes.candidates, 0)


def test_real_incomplete_ballots_give_out_all_points(ballots):
    votes = hv.open_rankings(ballots / "nsw2019-camden-d7.soi", incomplete="shared")
    found = hv.score(votes, hv.nauru(7))
    assert sum(found.totals) == found.n * hv.nauru(7).total
    assert 0 < found.shared < found.n == votes.n


def rows(out: str) -> list[list[str]]:
    """The cells of the table: place, candidate, points, mean, first."""
    return [
        line.split() for line in out.splitlines() if line.split()[:1] and line.split()[0] in "1234"
    ]


def test_the_table_has_place_points_mean_and_firsts(run, tmp_path):
    (tmp_path / "b.txt").write_text("1500: Ann > Bob > Cem\n900: Bob > Cem > Ann\n")
    code, out, err = run("score", "b.txt")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].strip() == "borda over 3 candidates, 2,400 voters"
    assert rows(out) == [
        ["1", "Bob", "3,300", "1.3750", "900"],
        ["2", "Ann", "3,000", "1.2500", "1,500"],
        ["3", "Cem", "900", "0.3750", "0"],
    ]
    ends = {line.rstrip().rfind("0") for line in out.splitlines() if line[:6].strip().isdigit()}
    assert len(ends) == 1, "figures stand under each other"
    assert "Bob has won: nobody else has as many points." in out
    assert "This count is not private" in out
    assert names_in(tmp_path) == ["b.txt"]


def test_a_notebook_shows_what_the_command_line_does(run, tmp_path):
    (tmp_path / "b.csv").write_text("Ann,Bob,Cem\nBob,Ann,Cem\n")
    _, out, _ = run("score", "b.csv")
    found = hv.score(hv.read_rankings(tmp_path / "b.csv"), hv.borda(3))
    assert found.rows() == rows(out)
    markup = found._repr_html_()
    assert found.title in markup
    assert found.title in out
    assert scoring.NOT_PRIVATE in markup
    assert scoring.NOT_PRIVATE in " ".join(out.split())


def test_ties_are_said_plainly(run, tmp_path):
    (tmp_path / "b.csv").write_text("Ann,Bob,Cem,Dee\nBob,Ann,Dee,Cem\n")
    _, out, _ = run("score", "b.csv")
    assert [row[0] for row in rows(out)] == ["1", "1", "3", "3"]
    assert "Nobody has won alone: Ann and Bob tie for the first place." in out
    assert "Exactly tied: Cem, Dee." in out
    assert "has won:" not in out


def test_json_has_exact_totals(run, tmp_path):
    (tmp_path / "b.csv").write_text("Ann,Bob,Cem\nAnn,Cem,Bob\nBob,Ann,Cem\n")
    code, out, err = run("score", "b.csv", "--rule", "nauru", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "private": False,
        "rule": "nauru",
        "scores": [1, "1/2", "1/3"],
        "n": 3,
        "shared": 0,
        "winners": ["Ann"],
        "tied": [],
        "candidates": [
            {"place": 1, "candidate": "Ann", "total": "5/2", "mean": 2.5 / 3, "first": 2},
            {"place": 2, "candidate": "Bob", "total": "11/6", "mean": 11 / 18, "first": 1},
            {"place": 3, "candidate": "Cem", "total": "7/6", "mean": 7 / 18, "first": 0},
        ],
    }


def test_large_whole_numbers_are_text_in_json(run, tmp_path):
    (tmp_path / "b.soc").write_text(HEAD + "1000000000000: 1,2,3\n")
    _, out, _ = run("score", "b.soc", "--rule", "1000000,1,0", "--json")
    assert [row["total"] for row in json.loads(out)["candidates"]] == [str(10**18), 10**12, 0]


def test_incomplete_ballots_are_refused_or_share_their_points(run, tmp_path):
    (tmp_path / "arrows.txt").write_text("120: Ann > Bob > Cem\n80: Bob > Ann = Cem\n5: Cem\n")
    said = one_sentence(run("score", "arrows.txt"))
    assert "arrows.txt:2:" in said
    assert "--incomplete shared" in said
    assert "random" not in said
    code, out, _ = run("score", "arrows.txt", "--incomplete", "shared")
    assert code == 0
    assert [row[:3] for row in rows(out)] == [
        ["1", "Ann", "282.5"],
        ["1", "Bob", "282.5"],
        ["3", "Cem", "50.0"],
    ]
    assert "85 votes left candidates out or tied them" in out
    said = one_sentence(run("score", "arrows.txt", "--incomplete", "random"))
    assert "draws no lots" in said
    assert "--incomplete shared" in said


def test_tables_take_columns_and_names(run, tmp_path):
    (tmp_path / "s.csv").write_text("When,Ann,Bob,Cem\nnoon,2,1,3\nnight,1,3,2\n")
    code, out, _ = run(
        "score", "s.csv", "--columns", "B:D", "--layout", "ranks", "--names", "Cem,Bob,Ann"
    )
    assert code == 0
    assert rows(out)[0] == ["1", "Ann", "3", "1.5000", "1"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.csv"], "none.csv: there is no such file"),
        (["empty.csv"], "the file is empty"),
        (["twice.csv"], 'twice.csv:2: candidate "Ann" appears twice'),
        (["b.csv", "--rule", "3,2,1"], "scores 3 candidates, but there are 2"),
        (["b.csv", "--rule", "bordo"], "no rule 'bordo'"),
        (["b.csv", "--rule", "approval:k=2"], "k from 1 to 1, not 2"),
        (["b.csv", "--names", "Ann,Cem"], "Bob"),
        (["b.csv", "--incomplete", "maybe"], "choose one of error, random, shared"),
        (["b.doc"], "is of no known format"),
        (["b.csv", "--seed", "1"], "No such option"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_leaves_one_sentence(run, tmp_path, words, message):
    (tmp_path / "b.csv").write_text("Ann,Bob\nBob,Ann\n")
    (tmp_path / "twice.csv").write_text("Ann,Bob\nAnn,Ann\n")
    (tmp_path / "empty.csv").write_text("")
    assert message in one_sentence(run("score", *words))


def test_help_shows_an_example_and_the_convention(run):
    code, out, _ = run("score", "--help")
    assert code == 0
    assert "Example: hushvote score ballots.soc" in out
    assert "shared" in out


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (["1234567", "-3"], ["1,234,567", "-3"]),
        (["1/2", "3"], ["0.5", "3.0"]),
        (["1/3", "-2/3"], ["0.3333", "-0.6667"]),
        (["1/3", "33333/100000"], ["0.333333", "0.333330"]),
        (["1/3", "1/3"], ["0.3333", "0.3333"]),
    ],
)
def test_columns_have_equal_decimals_and_unequal_figures_differ(values, shown):
    assert decimals([Fraction(value) for value in values]) == shown

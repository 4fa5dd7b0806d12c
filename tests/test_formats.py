import math
import os
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from hushvote import formats
from hushvote.errors import FileError, HushvoteError, RankingError
from hushvote.formats import open_rankings, preflib, read_rankings, suffixes, write_rankings
from hushvote.rankings import Rankings
from hushvote.rules import borda
from hushvote.texts import refused

FOLDER = os.environ.get("HUSHVOTE_BALLOTS")
needs_ballots = pytest.mark.skipif(
    not FOLDER, reason="HUSHVOTE_BALLOTS does not name a folder of real ballots"
)
SUFFIXES = (".soc", ".soi", ".toc", ".toi", ".csv", ".tsv", ".txt", ".parquet")


def multiset(rankings):
    return Counter(tuple(rankings.candidates[c] for c in row) for row in rankings.orders.tolist())


def test_the_known_suffixes_are_listed():
    assert suffixes() == SUFFIXES


def test_only_rankings_are_written_and_only_to_a_path(tmp_path):
    with pytest.raises(FileError, match=r"to a path such as votes\.csv, not to 5"):
        write_rankings(5, Rankings([[0, 1]]))
    with pytest.raises(RankingError, match=r"make hv\.Rankings of \[\[0, 1\]\] first"):
        write_rankings(tmp_path / "votes.csv", [[0, 1]])


@pytest.mark.parametrize("name", ["votes.xlsx", "votes", "votes.gz", "votes.parquet.gz"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path, name):
    known = r"must end in \.soc, \.soi, \.toc, \.toi, \.csv, \.tsv, \.txt, \.parquet"
    with pytest.raises(FileError, match=known):
        open_rankings(tmp_path / name)
    with pytest.raises(FileError, match=known):
        write_rankings(tmp_path / name, Rankings(np.array([[0, 1]]), ("a", "b")))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_missing_file_or_a_folder_is_refused(tmp_path, suffix):
    with pytest.raises(FileError, match=r"there is no such file; check the name"):
        read_rankings(tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(FileError, match=r"it is a folder; give the name of a file"):
        read_rankings(str(tmp_path / f"folder{suffix}"))


def test_an_unknown_way_with_incomplete_ballots_is_refused(tmp_path):
    with pytest.raises(RankingError, match=r"'guess' is not known; choose one of error, random"):
        open_rankings(tmp_path / "x.csv", incomplete="guess")


def test_given_candidates_must_be_tellable_apart(tmp_path):
    with pytest.raises(RankingError, match="named twice"):
        open_rankings(tmp_path / "x.csv", candidates=["a", "a"])
    with pytest.raises(RankingError, match="2 to 64"):
        open_rankings(tmp_path / "x.csv", candidates=[])


def test_a_block_needs_a_voter(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\nb,a\n")
    for size in (0, -1, 1.5, "a", True):
        with pytest.raises(RankingError, match=f"a whole number of voters, .* not {size!r}"):
            open_rankings(tmp_path / "x.csv").blocks(size)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_rankings_are_not_written(tmp_path, suffix):
    with pytest.raises(FileError, match="there are no rankings"):
        write_rankings(tmp_path / f"x{suffix}", Rankings(np.zeros((0, 3), np.uint8), tuple("abc")))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_unwritable_place_is_refused(tmp_path, suffix):
    votes = Rankings(np.array([[0, 1]]), ("a", "b"))
    with pytest.raises(FileError, match=r"there is no folder .*/missing; make that folder first"):
        write_rankings(tmp_path / "missing" / f"x{suffix}", votes)


def test_a_writer_that_fails_in_the_middle_leaves_nothing(tmp_path, monkeypatch):
    def lines(*_):
        yield "1: 1,2\n"
        raise MemoryError

    monkeypatch.setattr(preflib, "_lines", lines)
    with pytest.raises(MemoryError):
        write_rankings(tmp_path / "x.soc", Rankings(np.array([[0, 1]]), ("a", "b")))
    assert list(tmp_path.iterdir()) == []


def test_more_voters_than_fit_the_memory_are_refused(tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_text("a,b\nb,a\n")

    def full(*_):
        raise MemoryError

    monkeypatch.setattr(formats, "Rankings", full)
    with pytest.raises(FileError, match="in blocks with open_rankings"):
        read_rankings(tmp_path / "x.csv", candidates=["a", "b"])


shown = st.characters(exclude_categories=["Cs", "Cc"]).filter(lambda c: not refused(ord(c)))
names = st.text(shown, min_size=1, max_size=12).filter(
    lambda name: name == name.strip() and name not in ("nan", "NaN", "NAN")
)
awkward = st.sampled_from(
    [
        "Lee, A",
        'the "one"',
        "a > b",
        "3: x",
        "a = b",
        "{1",
        "#",
        "''",
        '"',
        ",",
        "é",
        "投票",
        "Nan",
        "ann@example.org",
        "2026-05-01",
    ]
)


@st.composite
def votes(draw, name=names | awkward):
    candidates = draw(st.lists(name, min_size=2, max_size=9, unique=True))
    rows = draw(st.lists(st.permutations(range(len(candidates))), min_size=1, max_size=6))
    return Rankings(np.array(rows), tuple(candidates))


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=60, deadline=None)
@given(cast=votes())
def test_odd_names_survive_writing_and_reading(tmp_path_factory, suffix, cast):
    path = tmp_path_factory.getbasetemp() / f"odd{suffix}"
    write_rankings(path, cast)
    assert multiset(read_rankings(path)) == multiset(cast)
    same = read_rankings(path, candidates=cast.candidates)
    assert sorted(same.orders.tolist()) == sorted(cast.orders.tolist())


@settings(max_examples=30, deadline=None)
@given(cast=votes(st.text("abcXYZ0189 .,'é", min_size=1).filter(lambda s: s == s.strip())))
def test_ballots_with_arrows_read_like_ballots_with_commas(tmp_path_factory, cast):
    folder = tmp_path_factory.getbasetemp()
    rows = [" > ".join(cast.candidates[c] for c in row) for row in cast.orders.tolist()]
    (folder / "x.txt").write_text("\n".join(rows), encoding="utf-8")
    write_rankings(folder / "x.csv", cast)
    assert multiset(read_rankings(folder / "x.txt")) == multiset(cast)
    assert read_rankings(folder / "x.txt").candidates == read_rankings(folder / "x.csv").candidates


lines = ["1: 1,2,3\n", "2: 3,{1,2}\n", "A,B\n", "A > B\n", "nan", "rank1", "999999999999"]
lines += ["# NUMBER VOTERS: 1\n", "# ALTERNATIVE NAME 1: a\n"]
fragments = st.sampled_from([*'AB123,,\n\n:>={}"# ;\r\x1f\x00é\ufeff', *lines])


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=150, deadline=None)
@given(parts=st.lists(fragments, max_size=25), tail=st.binary(max_size=2), random=st.booleans())
def test_any_content_gives_rankings_or_one_clear_error(
    tmp_path_factory, suffix, parts, tail, random
):
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    start = "# NUMBER ALTERNATIVES: 3\n" if suffix in SUFFIXES[:4] else ""
    path.write_bytes((start + "".join(parts)).encode() + tail)
    try:
        file = open_rankings(path, incomplete="random" if random else "error")
        block = next(file.blocks(10))
    except HushvoteError as error:
        message = str(error)
    else:
        message = str(path)
        assert Rankings(block, file.candidates).n >= 1
    assert str(path) in message


@pytest.mark.parametrize("d", [2, 8, 9, 64])
def test_the_largest_and_smallest_votes_survive_every_format(tmp_path, d):
    orders = np.argsort(np.random.default_rng().random((300, d)), axis=1)
    cast = Rankings(np.concatenate([orders, orders[:100]]), tuple(f"c{i}" for i in range(d)))
    for suffix in SUFFIXES:
        write_rankings(tmp_path / f"x{suffix}", cast)
        assert multiset(read_rankings(tmp_path / f"x{suffix}")) == multiset(cast)


def orders_seen(path, content, incomplete="random"):
    path.write_text(content)
    orders = read_rankings(path, incomplete=incomplete, candidates=list("ABCD")).orders
    return Counter(map(tuple, orders.tolist()))


@pytest.mark.parametrize(
    ("ballot", "possible"),
    [
        ("A", [(0, *rest) for rest in permutations([1, 2, 3])]),
        ("C > B = A = D", [(2, *rest) for rest in permutations([0, 1, 3])]),
        ("B = D", [(1, 3, 0, 2), (1, 3, 2, 0), (3, 1, 0, 2), (3, 1, 2, 0)]),
        ("B = D > A = C", [(1, 3, 0, 2), (1, 3, 2, 0), (3, 1, 0, 2), (3, 1, 2, 0)]),
        ("D > C > B", [(3, 2, 1, 0)]),
    ],
)
def test_incomplete_ballots_get_every_completion_equally_often(tmp_path, ballot, possible):
    n = 60_000
    seen = orders_seen(tmp_path / "x.txt", f"{n}: {ballot}\n")
    assert set(seen) == set(possible)
    share = n / len(possible)
    distance = sum((seen[order] - share) ** 2 / share for order in possible)
    # False alarms: 1e-7 in each of the four random cases.
    assert distance <= chi2.isf(1e-7, max(len(possible) - 1, 1))


def test_the_same_generator_gives_the_same_completion(tmp_path):
    (tmp_path / "x.csv").write_text("A,B,C\nB,A,C\n" + "C\n" * 100)
    first, second = (
        read_rankings(tmp_path / "x.csv", incomplete="random", rng=np.random.default_rng(7)).orders
        for _ in range(2)
    )
    assert (first == second).all()


@pytest.mark.parametrize("rng", [7, "7", 0, np.random.SeedSequence(7)])
def test_what_is_no_generator_is_refused_before_anything_is_read(rng):
    for read in (read_rankings, open_rankings):
        with pytest.raises(RankingError, match="rng must be a random generator such as") as caught:
            read([["A", "B"], ["B", "A"]], rng=rng)
        assert caught.value.code == "random.generator"


REAL = {
    "nsw2023-summer-hill-d5.soc": (24_422, 5),
    "nsw2015-ballina-d7.soc": (18_252, 7),
    "nsw2023-lismore-d8.soc": (14_783, 8),
}


@needs_ballots
@pytest.mark.parametrize("name", REAL)
def test_real_complete_ballots_survive_every_format(tmp_path, name):
    votes = read_rankings(Path(FOLDER) / name)
    n, d = REAL[name]
    assert (votes.n, votes.d) == (n, d)
    assert open_rankings(Path(FOLDER) / name).n == n
    assert sum(votes.totals(borda(d))) == n * d * (d - 1) // 2
    for suffix in SUFFIXES:
        write_rankings(tmp_path / f"x{suffix}", votes)
        assert multiset(read_rankings(tmp_path / f"x{suffix}")) == multiset(votes)


@needs_ballots
def test_real_truncated_ballots_are_refused_by_default():
    with pytest.raises(RankingError, match=r"camden-d7\.soi:20: the ballot ranks 1 of 7 .*random"):
        read_rankings(Path(FOLDER) / "nsw2019-camden-d7.soi")


@needs_ballots
def test_real_truncated_ballots_share_the_scores_of_their_places_on_average():
    path = Path(FOLDER) / "nsw2019-camden-d7.soi"
    d = 7
    expected, widths = np.zeros(d), np.zeros(d)
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        count, listed = line.split(": ")
        listed = [int(number) - 1 for number in listed.split(",")]
        unlisted = [c for c in range(d) if c not in listed]
        expected[listed] += int(count) * np.arange(d - 1, d - 1 - len(listed), -1)
        expected[unlisted] += int(count) * (len(unlisted) - 1) / 2
        widths[unlisted] += int(count) * (len(unlisted) - 1) ** 2
    votes = read_rankings(path, incomplete="random")
    assert votes.n == 62_772
    totals = np.array([float(total) for total in votes.totals(borda(d))])
    # Hoeffding over independent voters and a union over candidates: 1e-7 false alarms.
    bound = np.sqrt(widths * math.log(2 * d / 1e-7) / 2)
    assert (np.abs(totals - expected) <= bound).all()
    assert (bound < 0.05 * expected).all()

"""The order of a file of reports: an attack on it, and that nothing is lost by hiding it.

The attack: 399 voters cast one ranking and one voter casts another, last in the file of ballots,
as grouped ballots have it. Whoever sees the reports points at the one that came from the odd
vote. If the file is a set, each of the 399 others might be that one as well, up to a factor of
e^epsilon; so any guess is right with probability at most e^epsilon / (399 + e^epsilon), whatever
else the attacker knows. Limits below are exact binomial tails at that probability; all tests of
this file together fail falsely with probability 1e-6 at most.
"""

import copy
import itertools
import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

import hushvote as hv
from hushvote import batch
from hushvote.formats import parquet, reports, shuffling
from hushvote.mechanisms.fields import Domain, Field
from tests.conftest import names_in, one_sentence, random_orders

VOTERS = 400
NAMES = ("Ann", "Bob", "Cem")
FILES = 40  # written for each kind of ballots and number of blocks
TESTS = 100  # more than this file makes; each fails falsely with probability 1e-6 / TESTS at most
KINDS = ["b.soc", "b.csv", "counts.txt", "b.parquet"]


def limit(p: float, tries: int) -> int:
    """More hits than this happen by chance with probability 1e-6 / TESTS at most."""
    return int(stats.binom.isf(1e-6 / TESTS, tries, p))


def odd_ballots(path):
    """399 equal ballots, then the odd one."""
    if path.suffix == ".txt":
        path.write_text(f"{VOTERS - 1}: Ann > Bob > Cem\n1: Cem > Bob > Ann\n")
    else:
        orders = np.array([[0, 1, 2]] * (VOTERS - 1) + [[2, 1, 0]], dtype=np.uint8)
        hv.write_rankings(path, hv.Rankings(orders, NAMES))
    return path


def in_blocks(monkeypatch, blocks, record):
    """Make 400 votes fill that many blocks, runs of the shuffle and groups of buckets."""
    rows = max(1, VOTERS // blocks)
    monkeypatch.setattr(batch, "VOTES", rows)
    monkeypatch.setattr(parquet, "ROWS", rows)
    monkeypatch.setattr(reports, "GROUP", 64)
    if blocks > 1:
        monkeypatch.setattr(shuffling, "RUN", rows * record)
        monkeypatch.setattr(shuffling, "MOST", 50)


def spied(mechanism):
    """A mechanism that remembers its reports in the order of the ballots."""
    known = []

    def privatize(orders, rng=None):
        made = mechanism.privatize(orders, rng)
        known.append(made)
        return made

    spy = copy.copy(mechanism)
    spy.privatize = privatize
    return spy, known


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [1, 10, 300])
@pytest.mark.parametrize("kind", KINDS)
def test_the_odd_vote_is_found_no_more_often_than_epsilon_allows(
    tmp_path, monkeypatch, kind, blocks
):
    made = hv.Laplace(hv.borda(3), 1)  # its reports are all different, so a guess can be judged
    in_blocks(monkeypatch, blocks, made.domain.dtype.itemsize)
    votes = hv.open_rankings(odd_ballots(tmp_path / kind))
    away = hv.borda(3).vector[::-1] - hv.borda(3).vector
    hits = dict.fromkeys(("last", "likeliest", "likeliest of the last block"), 0)
    late = 0
    for _ in range(FILES):
        spy, known = spied(made)
        hv.privatize_file(votes, spy, tmp_path / "r.parquet")
        sent = np.concatenate(known)
        if len(np.unique(sent)) != VOTERS:
            continue
        seen = batch.read_reports([tmp_path / "r.parquet"])
        place = int(np.flatnonzero(seen == sent[-1])[0])
        # The likelier under the odd ranking than under the others, the better the guess.
        evidence = made.views(seen) @ away
        tail = VOTERS - max(1, VOTERS // blocks)
        hits["last"] += place == VOTERS - 1
        hits["likeliest"] += place == np.argmax(evidence)
        hits["likeliest of the last block"] += place == tail + np.argmax(evidence[tail:])
        late += place >= VOTERS * 9 // 10
    allowed = limit(math.e / (VOTERS - 1 + math.e), FILES)
    assert allowed < FILES // 4
    assert all(found <= allowed for found in hits.values()), hits
    assert late <= limit(0.1, FILES) < FILES // 2


def tracer(high):
    """A mechanism whose report is the number of the ballot, which shows where each one went."""
    made = copy.copy(hv.Additive(hv.borda(3), 1))
    made.domain = Domain((Field.integer("ballot", 0, high),))
    numbers = itertools.count()

    def privatize(orders, rng=None):
        found = made.domain.empty(len(orders))
        found["ballot"] = list(itertools.islice(numbers, len(orders)))
        return found

    made.privatize = privatize
    return made


def places(path):
    """The numbers of the ballots as they stand in a file."""
    return np.concatenate(
        [b.column("ballot").to_numpy() for b in reports.open_reports(path).batches(64)]
    )


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [1, 10, 300])
@pytest.mark.parametrize("high", [400, 2**40])  # small reports and large ones take different ways
def test_no_ballot_keeps_its_place(tmp_path, monkeypatch, high, blocks):
    """In random order a ballot keeps its place by chance 1/400, and its tenth by chance 1/10."""
    record = 4 if high == 400 else 8
    in_blocks(monkeypatch, blocks, record)
    votes = hv.open_rankings(odd_ballots(tmp_path / "b.soc"))
    chosen = np.random.default_rng().integers(VOTERS, size=FILES)  # one a file: independent
    there = tenth = 0
    for ballot in chosen:
        hv.privatize_file(votes, tracer(high), tmp_path / "r.parquet")
        order = places(tmp_path / "r.parquet")
        assert sorted(order) == list(range(VOTERS))
        place = int(np.flatnonzero(order == ballot)[0])
        there += place == ballot
        tenth += place // 40 == ballot // 40
    assert there <= limit(1 / VOTERS, FILES)
    assert tenth <= limit(1 / 10, FILES)


@pytest.mark.parametrize("blocks", [1, 10, 300])
@pytest.mark.parametrize("name", hv.mechanism_names())
def test_no_report_is_lost_changed_or_doubled(tmp_path, monkeypatch, name, blocks):
    for d in (3, 17):
        made = hv.mechanism(name, hv.borda(d), 1)
        hv.write_rankings(
            tmp_path / "b.csv", hv.Rankings(random_orders(VOTERS, d), [f"c{i}" for i in range(d)])
        )
        with monkeypatch.context() as patch:
            in_blocks(
                patch, blocks, shuffling.packing([f.dtype for f in made.fields]).dtype.itemsize
            )
            spy, known = spied(made)
            hv.privatize_file(hv.open_rankings(tmp_path / "b.csv"), spy, tmp_path / "r.parquet")
        sent, seen = np.concatenate(known), batch.read_reports([tmp_path / "r.parquet"])
        assert np.array_equal(np.sort(sent), np.sort(seen))
        assert not np.array_equal(sent, seen)


def test_where_row_groups_end_depends_on_the_number_of_reports_alone(tmp_path, monkeypatch):
    votes = hv.open_rankings(odd_ballots(tmp_path / "b.soc"))
    for blocks in (1, 7, 300):
        with monkeypatch.context() as patch:
            in_blocks(patch, blocks, 4)
            hv.privatize_file(votes, hv.Additive(hv.borda(3), 1), tmp_path / "r.parquet")
        about = pq.read_metadata(tmp_path / "r.parquet")
        sizes = [about.row_group(i).num_rows for i in range(about.num_row_groups)]
        assert sizes == [64] * 6 + [16]


def test_a_seed_fixes_the_order_too(tmp_path, monkeypatch):
    votes = hv.open_rankings(odd_ballots(tmp_path / "b.soc"))
    for made in (hv.Laplace(hv.borda(3), 1), hv.Duel(hv.borda(3), 1)):
        for blocks in (1, 10):
            with monkeypatch.context() as patch:
                in_blocks(patch, blocks, 4)
                for name in ("x.parquet", "y.parquet"):
                    rng = np.random.default_rng(5)
                    hv.privatize_file(votes, made, tmp_path / name, rng=rng)
            assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "y.parquet").read_bytes()


@pytest.mark.parametrize("kind", ["b.csv", "b.txt", "b.parquet"])
def test_names_of_single_voters_never_stand_in_the_head(tmp_path, run, kind):
    if kind == "b.parquet":
        pq.write_table(pa.table({"1": ["Ann", "Zoe"], "2": ["Bob", None]}), tmp_path / kind)
    else:
        mark = "," if kind == "b.csv" else ">"
        (tmp_path / kind).write_text(f"Ann{mark}Bob\nZoe{mark}Ann\n")
    words = ["privatize", kind, "-o", "r.parquet", "--incomplete", "random"]
    said = one_sentence(run(*words))
    assert "names its candidates in the ballots alone" in said
    assert "--names" in said
    assert names_in(tmp_path) == [kind]
    assert run(*words, "--names", "Ann,Bob,Zoe")[0] == 0


def test_names_from_a_header_may_stand_in_the_head(tmp_path):
    (tmp_path / "b.soi").write_text("# NUMBER ALTERNATIVES: 2\n# NUMBER VOTERS: 1\n1: 2\n")
    hv.write_rankings(tmp_path / "b.parquet", hv.Rankings([[1, 0]], ("Ann", "Bob")))
    for name in ("b.soi", "b.parquet"):
        votes = hv.open_rankings(tmp_path / name, incomplete="random")
        assert hv.privatize_file(votes, hv.Duel(hv.borda(2), 1), tmp_path / "r.parquet") == 1

"""Weighted counting: equal reports may be grouped first, and nothing changes."""

import numpy as np
import pytest

import hushvote as hv
from hushvote.tally import MOST_VOTERS
from tests.conftest import random_orders

ALL = [
    *(hv.mechanism(name, hv.nauru(d), 1) for name in hv.mechanism_names() for d in (5, 8, 11)),
    hv.Additive(hv.borda(20), 1, k=7),
    hv.WeightedSampling(hv.borda(19), 1),
    hv.Duel(hv.Rule("best-worst", [2, 1, 1, 1, 0]), 1),  # finer questions, counted by products
]
each = pytest.mark.parametrize("made", ALL, ids=repr)


def grouped(reports: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    raw = reports.view(np.dtype((np.void, reports.itemsize)))
    found, often = np.unique(raw, return_counts=True)
    return found.view(reports.dtype), often


def test_both_ways_of_counting_duels_are_among_these():
    ways = {made.d <= 8 and len(made.groups) == 2 for made in ALL if isinstance(made, hv.Duel)}
    assert ways == {True, False}


@each
def test_grouped_reports_with_their_numbers_count_like_all_of_them(made):
    reports = made.privatize(random_orders(20_000, made.d))
    reports = np.concatenate([reports, reports[:7000], reports[:10]])
    assert made.tally(reports) == made.tally(grouped(reports)[0], weights=grouped(reports)[1])


@each
def test_counts_of_a_thousand_million_million_voters_are_exact(made):
    """Against Python's integers, one report at a time; 2^49 is beyond the 24 bits of a small
    float and, times the marks of a duel, beyond the 53 bits of a large one.
    """
    reports = made.privatize(random_orders(3, made.d))
    weights = np.array([2**49 + 1, 3, 2**48 + 5])
    if made.name == "laplace":
        weights //= 2**24  # its sums must stay below 2^63
    counts = made.tally(reports, weights=weights).counts
    ones = [made.count(reports[i : i + 1]) for i in range(3)]
    for name, array in counts.items():
        assert array.dtype == np.int64
        exactly = sum(
            int(w) * one[name].astype(object) for w, one in zip(weights, ones, strict=True)
        )
        assert (array.astype(object) == exactly).all()


@each
def test_counts_of_weights_are_64_bit_integers_even_for_no_reports(made):
    none = made.count(made.domain.empty(0), np.zeros(0, dtype=np.int64))
    zero = made.zero()
    assert {name: (a.dtype, a.shape) for name, a in none.items()} == {
        name: (a.dtype, a.shape) for name, a in zero.items()
    }


def test_weighted_sums_beyond_64_bits_are_refused_instead_of_wrapped():
    made = hv.Laplace(hv.borda(2), "0.01")
    reports = made.domain.empty(1)
    reports["score_0"], reports["score_1"] = made.high, made.low
    with pytest.raises(hv.TallyError, match="beyond 64-bit"):
        made.tally(reports, weights=[MOST_VOTERS])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], "2 whole numbers"),
        ([1.0, 2.0], "2 whole numbers"),
        ([1, -1], "at least 0"),
        ([MOST_VOTERS, 1000], "at most in all"),
        ([2**63 - 1, 2**63 - 1], "at most in all"),
    ],
)
def test_weights_that_count_nobody_are_refused(weights, message):
    made = hv.Additive(hv.borda(4), 1)
    with pytest.raises(hv.TallyError, match=message):
        made.tally(made.privatize([[0, 1, 2, 3]] * 2), weights=weights)

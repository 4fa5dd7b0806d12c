"""Rankings as a matrix: plain scores, and what is refused as a ranking."""

from fractions import Fraction

import numpy as np
import pytest

import hushvote as hv
from tests.conftest import random_orders

WORKED_EXAMPLE = np.array(
    [[3, 2, 1, 4, 5], [2, 3, 5, 4, 1], [5, 2, 3, 4, 1], [1, 2, 5, 3, 4]], dtype=np.uint8
)


def test_the_worked_example_of_the_paper():
    assert hv.totals(WORKED_EXAMPLE - 1, hv.borda(5)) == [6, 13, 10, 3, 8]


@pytest.mark.parametrize("d", [2, 5, 8, 33, 64])
def test_plain_totals_equal_adding_up_every_vote(d):
    orders = random_orders(1000, d)
    rule = hv.nauru(d)
    slow = [Fraction(0)] * d
    for order in orders.tolist():
        for rank, candidate in enumerate(order):
            slow[candidate] += rule.scores[rank]
    assert hv.totals(orders, rule) == slow
    assert sum(hv.Rankings(orders, tuple(map(str, range(d)))).totals(rule)) == 1000 * rule.total


def test_a_plain_count_takes_lists_of_numbers():
    assert hv.totals([[0, 1, 2], [2, 1, 0]], hv.borda(3)) == [2, 2, 2]
    assert hv.position_counts([[0, 1], [0, 1], [1, 0]], 2).tolist() == [[2, 1], [1, 2]]


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (lambda: hv.totals([[0, 0, 0]], hv.borda(3)), "row 0 names candidate 0 twice"),
        (lambda: hv.totals([[0, 1, 5]], hv.borda(3)), "row 0 names candidate 5 at rank 2"),
        (lambda: hv.totals([[0, 1]], hv.borda(3)), "list 2 candidates each, but there are 3"),
        (lambda: hv.totals([[0, 1]], "borda"), "needs a rule such as borda.*, not 'borda'"),
        (lambda: hv.Rankings([[0, 1]]).totals(hv.borda(3)), "list 2 candidates each, but there"),
        (lambda: hv.Rankings([[0, 1]]).totals("borda"), "needs a rule such as borda"),
        (lambda: hv.position_counts([[0, 0]], 2), "row 0 names candidate 0 twice"),
        (lambda: hv.position_counts([[0, 1]], 2.0), "needs 2 to 64 candidates, not 2.0"),
        (lambda: hv.position_counts([range(65)], 65), "needs 2 to 64 candidates, not 65"),
    ],
)
def test_a_plain_count_refuses_what_are_no_rankings_for_its_rule(count, message):
    with pytest.raises(hv.HushvoteError, match=message):
        count()


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ([[0, 1, 2], [0, 0, 2]], "row 1 names candidate 0 twice and leaves out 1"),
        ([[0, 1, 2], [2, 1, 3]], "row 1 names candidate 3 at rank 2; candidates are numbered 0 to"),
        ([[0, -1, 2]], "row 0 names candidate -1 at rank 1"),
        ([[0, 1]], "list 2 candidates each, but there are 3"),
        ([[0, 1, 2], [0, 1]], "differ in length"),
        ([0, 1, 2], r"matrix with one row per voter, not an array of shape \(3,\)"),
        ([], "there are no rankings: give a matrix with one row per voter"),
        (None, "matrix with one row per voter, not None"),
        ({}, "matrix with one row per voter, not {}"),
        ([[0.0, float("nan"), 2]], "row 0 has 'nan' at rank 1; candidates are whole numbers"),
        ([[0, 1.5, 2]], "row 0 has '1.5' at rank 1"),
        ([["a", 1, "c"]], "row 0 has 1 at rank 1, among names"),
        ([[0, None, 2]], "row 0 has 'None' at rank 1"),
        ([[0, 1, 2**70]], "row 0 has '1180591620717411303424' at rank 2"),
        ([[True, False, True]], "row 0 has 'True' at rank 0"),
        (np.ma.array([[0, 1, 2]], mask=[[0, 1, 0]]), "entries of this masked array are masked"),
    ],
)
def test_bad_rankings_are_refused_with_their_row(orders, message):
    for name in hv.mechanism_names():
        with pytest.raises(hv.RankingError, match=message) as caught:
            hv.mechanism(name, hv.borda(3), 1).privatize(orders)
        assert "\n" not in str(caught.value)


def test_the_row_of_a_bad_ranking_is_counted_over_all_blocks():
    orders = random_orders(100_000, 4)
    orders[77_777] = 0
    with pytest.raises(hv.RankingError, match="row 77777 names candidate 0 twice"):
        hv.Additive(hv.borda(4), 1).privatize(orders)


def test_whole_numbers_of_any_type_are_accepted():
    made = hv.Additive(hv.borda(3), 1)
    for kind in (list, np.int8, np.int64, np.uint64, float):
        orders = [[2, 0, 1]] if kind is list else np.array([[2, 0, 1]], dtype=kind)
        assert len(made.privatize(orders)) == 1
    assert len(made.privatize(np.empty((0, 3), dtype=np.uint8))) == 0


def test_a_masked_array_without_masked_entries_is_an_array():
    assert hv.Rankings(np.ma.array([[0, 1, 2]])).n == 1
    masked = np.ma.array([[0, 1, 2]], mask=[[0, 1, 0]])
    with pytest.raises(hv.RankingError, match="masked"):
        hv.Rankings(masked)
    with pytest.raises(hv.RankingError, match="masked"):
        hv.Additive(hv.borda(3), 1).draw(masked[0])


@pytest.mark.parametrize("names", [5, "AB", ("A", None), ("A", 1), [["A"], ["B"]]])
def test_candidates_are_named_by_texts(names):
    for read in (lambda: hv.Rankings([[0, 1]], names), lambda: hv.Rankings([["A", "B"]], names)):
        with pytest.raises(hv.RankingError, match="name the candidates by texts") as caught:
            read()
        assert caught.value.code == "tally.names"


def test_rankings_check_their_candidates():
    with pytest.raises(hv.RankingError, match="'Ann' is named twice"):
        hv.Rankings(np.array([[0, 1]]), ("Ann", "Ann"))
    with pytest.raises(hv.RankingError, match="2 to 64 candidates, not 1"):
        hv.Rankings(np.array([[0]]), ("Ann",))
    with pytest.raises(hv.RankingError, match="row 0 names candidate 1 twice"):
        hv.Rankings(np.array([[1, 1]]), ("Ann", "Bob"))

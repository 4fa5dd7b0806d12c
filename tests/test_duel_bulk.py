"""Duels of many voters: lists of all groups, who stands at their ranks, and what they add up to."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hushvote as hv
from hushvote.lottery import FixedBits, indices
from hushvote.mechanisms import masks
from hushvote.mechanisms.duel import adding, drawing
from hushvote.mechanisms.duel.listing import Lists, listed, subsets
from hushvote.mechanisms.duel.question import Question, Shape
from tests.conftest import random_orders

QUESTIONS = [
    Question(Shape.pair(2, 1, 1, 2), tuple(range(8, -1, -1)), 7),
    Question(Shape.pair(1, 3, 3, 1), (9, 9, 4, 4, 3, 2, 1, 1, 0), 0),
    Question(Shape.pair(2, 7, 7, 2), tuple(range(8, -1, -1)), 20),
    Question(Shape.pair(6, 3, 1, 2), tuple(range(8, -1, -1)), 5),
    Question(Shape.pair(4, 4, 1, 1), tuple(range(8, -1, -1)), 2),
]


def by_name(question: Question) -> str:
    return "over".join(map(str, question.shape.sizes))


@pytest.mark.parametrize("question", QUESTIONS, ids=by_name)
def test_a_list_has_all_groups_once_those_that_pass_first(question):
    found = listed(question)
    pairs = list(zip(*(column.tolist() for column in found.sets), strict=True))
    expected = {}
    for plus in subsets(9, question.shape.sizes[0]).tolist():
        for minus in subsets(9, question.shape.sizes[1]).tolist():
            if not plus & minus:
                groups = (tuple(masks.members(plus)), tuple(masks.members(minus)))
                expected[plus, minus] = question.statistic(groups) >= question.threshold
    assert len(pairs) == len(expected)
    assert set(pairs) == set(expected)
    assert [expected[pair] for pair in pairs] == [i < found.passing for i in range(len(pairs))]


@pytest.mark.parametrize("kind", [hv.Duel, hv.Challenge])
@pytest.mark.parametrize("d", [4, 9])
def test_drawing_from_lists_has_exactly_the_stated_law(kind, d):
    """Every row of every list, with the chance of its kind, in fractions; no chance involved."""
    made = kind(hv.nauru(d), 1, **({} if d > 7 else {"questions": plain_questions(kind, d)}))
    ranking = random_orders(1, d)[0]
    lists = Lists(d, made.asked, (made.weights_of(True), made.weights_of(False)))
    borders = [0, *lists._wheel.borders, lists._wheel.total]
    law: dict[tuple[int, ...], Fraction] = {}
    for kind_, (low, high) in enumerate(itertools.pairwise(borders)):
        size, start = int(lists._sizes[kind_]), int(lists._starts[kind_])
        ranks = lists._ranks[start : start + size]
        types = np.full(size, lists._types[kind_])
        sets = lists._layout.standing(np.tile(ranking, (size, 1)), ranks, types)
        for plus, minus in zip(*sets, strict=True):
            key = (int(types[0]), int(plus), int(minus), bool(lists._passes[kind_]))
            assert key not in law
            law[key] = Fraction(high - low, lists._wheel.total * size)
    stated: dict[tuple[int, ...], Fraction] = {}
    for report, p in made.outcomes(ranking):
        t = int(report["type"][0]) if len(made.asked) > 1 else 0
        key = (t, int(report["plus"][0]), int(report["minus"][0]))
        stated[key] = stated.get(key, Fraction(0)) + p
    assert {key[:3]: p for key, p in law.items()} == stated
    for t, plus, minus, passes in law:
        ranks = {int(j): r for r, j in enumerate(ranking)}
        groups = tuple(tuple(ranks[j] for j in masks.members(s)) for s in (plus, minus))
        question = made.asked[t].question
        assert passes == (question.statistic(groups) >= question.threshold)


def plain_questions(kind, d):
    from tests.test_duel import questions

    rule, odds = hv.nauru(d), hv.Duel(hv.nauru(d), 1).odds.ratio
    return questions.unbiased(kind.name, rule, odds, questions.varied(d))


@pytest.mark.parametrize("kind", [hv.Duel, hv.Challenge])
def test_many_voters_get_reports_from_lists(kind, monkeypatch):
    """Means of 20,000 views within seven of their standard errors: once in 1e-10, nine times."""
    monkeypatch.setattr(drawing, "MANY", 1)
    monkeypatch.setattr(drawing, "WHEEL_LIMIT", 0)
    made, orders = kind(hv.borda(9), 1), random_orders(20_000, 9)
    assert made._drawer.listable
    tally = made.tally(made.privatize(orders))
    assert "_lists" in vars(made._drawer)
    result = tally.result()
    truth = np.array([float(t) for t in hv.totals(orders, hv.borda(9))]) / 20_000
    assert (np.abs(result.scores - truth) < 7 * result.standard_errors).all()


@given(
    size=st.integers(1, 1 << 32),
    first=st.integers(0, (1 << 32) - 1),
    second=st.integers(0, (1 << 32) - 1),
)
def test_an_index_is_drawn_again_where_it_would_be_likelier_than_others(size, first, second):
    accepted = [r for r in (first, second) if r * size % (1 << 32) >= (1 << 32) % size]
    if accepted:
        bits = FixedBits(first.to_bytes(4, sys_order()) + second.to_bytes(4, sys_order()))
        found = indices(np.array([size], dtype=np.uint64), bits)
        assert found.tolist() == [accepted[0] * size >> 32]
        assert bits.used == (4 if accepted[0] == first else 8)


def sys_order() -> str:
    return "little" if np.little_endian else "big"


def test_every_index_has_as_many_numbers_of_bits():
    """By counting: with 32 bits, the accepted numbers of each index are ⌊2^32 / size⌋."""
    for size in (3, 7, 1000, 12345):
        for index in (0, 1, size // 2, size - 1):
            low, high = -(-(index << 32) // size), -(-((index + 1) << 32) // size)
            near = (low, low + 1, high - 2, high - 1)
            again = {r for r in near if r * size % (1 << 32) < (1 << 32) % size}
            assert high - low - len(again) == (1 << 32) // size


@pytest.mark.parametrize("d", [2, 3, 5, 8, 9, 16, 31, 32, 33, 64])
def test_sets_of_ranks_become_the_candidates_who_stand_there(d):
    orders = random_orders(300, d)
    rng = np.random.default_rng(d)
    word = masks.mask_dtype(d)
    inside = rng.random((300, d)) < rng.random((300, 1))
    sets = np.array([masks.mask_of(np.flatnonzero(row)) for row in inside], dtype=word)
    (found,) = masks.relabelled(orders, sets)
    expected = [masks.mask_of(order[row]) for order, row in zip(orders, inside, strict=True)]
    assert found.dtype == word
    assert found.tolist() == expected


@pytest.mark.parametrize("d", [2, 3, 7, 8, 9, 32, 33, 64])
def test_a_row_that_names_somebody_twice_is_always_found(d):
    """Every two ranks of a row made equal, alone among good rows."""
    good = random_orders(4, d)
    for i in range(min(d, 12)):
        for j in range(i + 1, min(d, 12)):
            orders = good.copy()
            orders[2, i] = orders[2, j]
            with pytest.raises(
                hv.RankingError, match=f"row 2 names candidate {orders[2, j]} twice"
            ):
                hv.Additive(hv.borda(d), 1, k=1).privatize(orders)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("question", QUESTIONS, ids=by_name)
def test_members_are_counted_the_same_in_every_way(question, weighted):
    found, n = listed(question), 3000
    rng = np.random.default_rng(1)
    rows = rng.integers(0, len(found), n)
    sets = [column[rows] for column in found.sets]
    weights = rng.integers(0, 1 << 40, n) if weighted else None
    often = np.ones(n, dtype=object) if weights is None else weights.astype(object)
    inside = [masks.unpacked(column, 9).astype(object) for column in sets]
    x = sum(mark * group for mark, group in zip(question.shape.marks, inside, strict=True))
    expected = [*(often @ group for group in inside), (often[:, None] * x).T @ x]
    for way in (adding.added, adding._by_product):
        for part, right in zip(way(question, sets, weights), expected, strict=True):
            assert part.tolist() == right.tolist()


@pytest.mark.parametrize("bits", [0, 34])
def test_sums_are_exact_where_every_report_is_the_same(bits):
    """The largest sums that products of floats meet: marks of 57, and weights full of ones."""
    question = Question(Shape.pair(10, 54, 57, 7), tuple(range(64)), 0)
    n, few = 2 * adding.ROWS - 3, np.uint64((1 << 10) - 1)
    sets = [np.full(n, few), np.full(n, ~few)]
    weights = (1 << bits) - 1 - np.arange(n) % 3 * 2 if bits else None
    total = n if weights is None else sum(weights.tolist())
    x = np.array([57] * 10 + [-7] * 54, dtype=object)
    plus, minus, outer = adding.added(question, sets, weights)
    assert plus.tolist() == [total] * 10 + [0] * 54
    assert minus.tolist() == [0] * 10 + [total] * 54
    assert outer.tolist() == (total * np.outer(x, x)).tolist()


@pytest.mark.parametrize("name", ["additive", "duel", "challenge", "weighted-sampling"])
def test_reports_that_are_grouped_first_are_counted_the_same(name, monkeypatch):
    from hushvote.mechanisms import grouping

    made = hv.mechanism(name, hv.nauru(5), 1)
    reports = made.privatize(random_orders(5000, 5))
    monkeypatch.setattr(grouping, "MOST_BITS", 0)
    plain = made.tally(reports)
    monkeypatch.setattr(grouping, "MOST_BITS", 30)
    monkeypatch.setattr(grouping, "pays", lambda domain, n: grouping._widths(domain) is not None)
    assert grouping.pays(made.domain, 1)
    assert made.tally(reports) == plain
    field = made.domain.fields[-1]
    reports[field.name][4321] = 255
    with pytest.raises(hv.ReportError, match="report 4321: "):
        made.tally(reports)

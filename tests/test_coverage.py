"""A part of the table of coverage, and that the table which stands in the docs holds."""

import importlib.util
import itertools
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import hushvote as hv

DOCS = Path(__file__).parents[1] / "docs"
spec = importlib.util.spec_from_file_location("coverage_table", DOCS / "coverage.py")
assert spec is not None
assert spec.loader is not None
coverage = importlib.util.module_from_spec(spec)
sys.modules["coverage_table"] = coverage
spec.loader.exec_module(coverage)


@pytest.mark.slow
@pytest.mark.parametrize("name", hv.mechanism_names())
@pytest.mark.parametrize("electorate", ["exact ties", "two blocs"])
def test_results_are_right_as_often_as_they_say(name, electorate):
    """Hard cells, 8 candidates and few voters; false alarm 1e-6 a figure."""
    cell = coverage.Cell(name, "plurality", 8, 50, 5, electorate)
    found = coverage.simulate(cell, 400, seed=np.random.SeedSequence().entropy)
    least = stats.binom.ppf(1e-6, found.polls, coverage.LEVEL)
    assert min(found.intervals, found.places, found.seats) >= least
    assert found.polls - found.wrong >= least


def test_intervals_would_fall_short_if_they_were_a_fifth_narrower():
    """The test above can fail: with four fifths of the errors far fewer polls are covered."""
    made, rng = hv.Additive(hv.borda(4), 1), np.random.default_rng(5)
    orders = coverage.electorate("uniform", 500, 4, rng)
    truth = np.array([float(t) / 500 for t in hv.totals(orders, made.rule)])
    kept = 0
    for _ in range(300):
        result = made.tally(made.privatize(orders, rng=rng)).result()
        off = 0.8 * (result.interval(0.95) - result.scores[:, None])
        low, high = (result.scores[:, None] + off).T
        kept += bool(((low <= truth) & (truth <= high)).all())
    assert kept < stats.binom.ppf(1e-3, 300, 0.95)


def test_ties_are_exact_and_close_pairs_close():
    for rule, d in (("Borda", 5), ("plurality", 8)):
        tied = coverage.electorate("exact ties", 50, d, np.random.default_rng(1))
        assert len(set(hv.totals(tied, coverage.RULES[rule](d)))) == 1
        close = coverage.electorate("close pair", 300, d, np.random.default_rng(1))
        first, second, *_ = sorted(hv.totals(close, coverage.RULES[rule](d)), reverse=True)
        assert 0 < first - second <= 2


def test_every_two_settings_occur_together():
    chosen = coverage.cells()
    assert len(chosen) == len(set(chosen)) >= 150
    seen = set().union(*(coverage.pairs(tuple(vars(cell).values())) for cell in chosen))
    each = (len(one) * len(other) for one, other in itertools.combinations(coverage.SETTINGS, 2))
    assert len(seen) == sum(each)
    assert len(coverage.cells(full=True)) == 6 * 3 * 3 * 3 * 4 * 5


def test_the_table_in_the_docs_is_whole_and_holds():
    page = (DOCS / "coverage-table.md").read_text(encoding="utf-8")
    polls = int(re.search(r"^([\d,]+) simulated polls", page, re.M)[1].replace(",", ""))
    assert polls >= 2000
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if re.match(r"\| [a-z-]+ \| (Borda|Nauru|plurality)", line)
    ]
    expected = [
        [cell.mechanism, cell.rule, f"{cell.d}", f"{cell.n:,}", f"{cell.epsilon:g}"]
        for cell in coverage.cells()
    ]
    assert [row[:5] for row in rows] == expected
    for row in rows:
        for name, said in zip(("intervals", "places", "seats", "wrong"), row[6:10], strict=True):
            slack = 100 * 4 * (0.95 * 0.05 / polls) ** 0.5
            bad = float(said) if name == "wrong" else 100 - float(said)
            assert bad <= 5 + slack + 0.05, row

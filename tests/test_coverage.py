"""A part of the table of coverage, and that the table which stands in the docs holds."""

import importlib.util
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
@pytest.mark.parametrize("group", coverage.GROUPS)
def test_results_are_right_as_often_as_they_say(name, group):
    """The hardest cell of the table, 8 candidates and 500 voters; false alarm 1e-6 a figure."""
    cell = coverage.Cell(name, "Borda", 8, 500, 2.0, group)
    found = coverage.simulate(cell, 400, seed=np.random.SeedSequence().entropy)
    least = stats.binom.ppf(1e-6, found.polls, coverage.LEVEL)
    assert found.intervals >= least
    assert found.rank_sets >= least
    assert found.polls - found.wrong >= least


def test_intervals_would_fall_short_if_they_were_a_fifth_narrower():
    """The test above can fail: with four fifths of the errors far fewer polls are covered."""
    made, rng = hv.Additive(hv.borda(4), 1), np.random.default_rng(5)
    orders = coverage.paper(500, 4, rng)
    truth = np.array([float(t) / 500 for t in hv.totals(orders, made.rule)])
    kept = 0
    for _ in range(300):
        mean, spread = made.moments(len(orders), made.count(made.privatize(orders, rng=rng)))
        result = hv.Result(made.rule, 500, mean, 0.64 * spread, None, made)
        low, high = result.interval(0.95).T
        kept += bool(((low <= truth) & (truth <= high)).all())
    assert kept < stats.binom.ppf(1e-3, 300, 0.95)


def test_tied_electorates_are_exactly_tied_at_the_top():
    for rule, d in (("Borda", 4), ("Nauru", 8)):
        cell = coverage.Cell("duel", rule, d, 500, 1.0, "tied")
        for orders in coverage.electorates(cell, np.random.default_rng(1)):
            totals = sorted(hv.totals(orders, coverage.RULES[rule](d)))
            assert totals[-1] == totals[-2]
            assert len(orders) == 500


def test_the_table_in_the_docs_is_whole_and_holds():
    page = (DOCS / "coverage-table.md").read_text(encoding="utf-8")
    polls = int(re.search(r"^([\d,]+) simulated polls", page, re.M)[1].replace(",", ""))
    assert polls >= 2000
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if re.match(r"\| [a-z-]+ \| (Borda|Nauru)", line)
    ]
    expected = [
        [cell.mechanism, cell.rule, f"{cell.d}", f"{cell.n:,}", f"{cell.epsilon:g}"]
        for cell in coverage.cells()
        if cell.group == "varied"
    ]
    assert [row[:5] for row in rows] == expected
    for row in rows:
        for name, said in zip(("intervals", "places", "wrong") * 2, row[5:], strict=True):
            slack = 100 * 3 * (0.95 * 0.05 / polls) ** 0.5
            bad = float(said) if name == "wrong" else 100 - float(said)
            assert bad <= 5 + slack + 0.05, row

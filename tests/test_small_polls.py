"""The page on small polls: its table is whole and holds, and a part of it is lived through."""

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import hushvote as hv

DOCS = Path(__file__).parents[1] / "docs"
spec = importlib.util.spec_from_file_location("small_polls", DOCS / "small_polls.py")
assert spec is not None
assert spec.loader is not None
small_polls = importlib.util.module_from_spec(spec)
sys.modules["small_polls"] = small_polls
spec.loader.exec_module(small_polls)


def page() -> str:
    return (DOCS / "small-polls.md").read_text(encoding="utf-8")


def table(page: str) -> dict[object, list[float]]:
    """Of every cell: the lead, then how often right, open and wrong, for both ways to count."""
    found = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 11 and cells[0] in small_polls.ELECTIONS:
            cell = small_polls.Cell(cells[0], int(cells[2].replace(",", "")), int(cells[4]))
            found[cell] = [float(x) for x in (cells[3], *cells[5:])]
    return found


def leads() -> list[tuple[str, int, float]]:
    """Every election with its candidates and lead."""
    found = re.findall(r"(\w[\w ]+ \d{4}), (\d) candidates, ([\d.]+) points", page())
    return [(name, int(d), float(lead)) for name, d, lead in found]


def polls() -> int:
    return int(re.search(r"^([\d,]+) polls in every row", page(), re.M)[1].replace(",", ""))


def test_the_table_is_whole_and_no_cell_has_too_many_wrong_winners():
    found = table(page())
    assert list(found) == small_polls.cells()
    assert polls() >= 500
    for cell, (lead, *shares) in found.items():
        assert lead > 0
        for right, undecided, wrong in (shares[:3], shares[3:]):
            assert right + undecided + wrong == pytest.approx(100, abs=0.2), cell
            assert wrong <= 5 + 100 * small_polls.slack(polls()) + 0.05, cell


def test_the_conclusions_are_those_of_the_table():
    clear, fair, close = small_polls.KINDS.values()
    right = {(cell.election, cell.n, cell.epsilon): row[1] for cell, row in table(page()).items()}
    for name in (*clear, *fair):
        assert right[name, 1000, 1] < 15
        assert right[name, 1000, 3] > 95
        assert right[name, 300, 5] > 95
    assert all(right[name, 500, 3] > 90 for name in clear)
    assert all(right[name, 1000, 3] < 25 and right[name, 1000, 5] < 80 for name in close)
    share = {name: lead / small_polls.most_lead(hv.borda(d)) for name, d, lead in leads()}
    for d, epsilon, n in ((3, 3, 100), (4, 4, 100), (4, 3, 200)):
        planned = hv.plan(hv.borda(d), epsilon, n=n).lead / small_polls.most_lead(hv.borda(d))
        assert planned < share[clear[0]]


def test_a_cell_is_lived_through_anew(ballots):
    """As often right as the page says, and seldom wrong; false alarm 1e-6 a figure."""
    cell, again = small_polls.Cell("Summer Hill 2023", 300, 5), 50
    found = small_polls.simulate(ballots, cell, again, seed=np.random.SeedSequence().entropy)
    most = stats.binom.ppf(1 - 1e-6, again, 0.05)
    assert found.wrong <= most
    assert found.survey_wrong <= most
    lead, right, _, _, surveyed, *_ = table(page())[cell]
    for share, seen in ((right, found.right), (surveyed, found.survey_right)):
        error = 5 * (share * (100 - share) / polls()) ** 0.5 / 100
        low, high = max(0, share / 100 - error), min(1, share / 100 + error)
        assert stats.binom.ppf(1e-6, again, low) <= seen <= stats.binom.ppf(1 - 1e-6, again, high)
    assert found.lead == pytest.approx(lead, abs=0.1)
    assert found.planned_right <= min(found.planned, found.right)


def test_only_voters_who_ranked_everybody_count(ballots):
    for name in small_polls.ELECTIONS:
        file = small_polls.file_of(ballots, name)
        orders = small_polls.complete_rankings(file)
        rule = hv.borda(orders.shape[1])
        if file.suffix == ".soc":
            assert hv.totals(orders, rule) == hv.read_rankings(file).totals(rule), name
        else:
            assert len(orders) == 11_873
            assert (np.sort(orders, axis=1) == np.arange(rule.d)).all()


def test_the_files_to_fetch_are_named_on_the_pages_that_use_them():
    for file in small_polls.ELECTIONS.values():
        assert f"`{file}`" in page()
    shown = (DOCS / "simulation.md").read_text(encoding="utf-8")
    named = {name for name in small_polls.ELECTIONS if f"| {name} | " in shown}
    files = set(re.findall(r"`(00058-\d{8}\.soi)`", shown))
    assert files == {small_polls.ELECTIONS[name] for name in named}
    assert len(files) == 3

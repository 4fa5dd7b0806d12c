"""The example rule and mechanism of docs/extending.md work everywhere by themselves."""

import ast
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hushvote as hv
from hushvote.client.links import read_link
from hushvote.server.held import FRESH
from tests.serving import serving
from tests.test_docs import run_blocks

pytestmark = pytest.mark.slow  # left out of `make check`

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What is there when all of the page has run: its files, ballots and reports."""
    folder = tmp_path_factory.mktemp("extending")
    run_blocks("docs/extending.md", folder)
    return folder


def hushvote(folder: Path, *words: str) -> str:
    """Run the command line in its own process, so that nothing stays registered here."""
    command = [sys.executable, "-m", "hushvote", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_mechanism_appears_in_design_certificates_and_files(folder):
    load = ["--load", "pairwise.py"]
    rows = json.loads(hushvote(folder, *load, "design", "-d", "5", "--json"))["mechanisms"]
    assert "pairwise" in [row["mechanism"] for row in rows]
    proof = json.loads(hushvote(folder, *load, "certify", "-m", "pairwise", "-d", "5", "--json"))
    assert proof["enumeration"]["rankings"] == 120
    assert proof["epsilon_proved"] <= 1
    words = ["tally", "reports.parquet", "--inspect", "--json"]
    result = json.loads(hushvote(folder, *load, *words))
    assert result["n"] == 10_000
    assert result["suspicious"] is False
    checks = [check["name"] for check in result["inspection"]["checks"]]
    assert checks == ["pairs", "scores", "reports"]
    votes = hv.read_rankings(folder / "ballots.csv")
    truth = dict(zip(votes.candidates, votes.totals(hv.borda(5)), strict=True))
    for row in result["candidates"]:  # 6 standard errors: false alarm below 1e-8
        off = row["score"] - float(truth[row["candidate"]]) / 10_000
        assert abs(off) < 6 * row["standard_error"]


def test_the_mechanism_keeps_the_whole_contract(folder):
    """The same enumeration that the built-in mechanisms pass, in a process of its own."""
    script = """
import sys, runpy
sys.path.insert(0, sys.argv[1])
import numpy as np, hushvote as hv
runpy.run_path("pairwise.py")
from tests import test_laws
test_laws.mechanisms = lambda d, e: [hv.mechanism("pairwise", hv.borda(d), e)]
for d, e in test_laws.CASES:
    test_laws.test_no_report_betrays_a_ranking_by_more_than_the_certified_odds(d, e)
    test_laws.test_views_are_unbiased_and_their_error_is_the_closed_form(d, e)
    test_laws.test_risks_are_what_listing_all_reports_shows(d, e)
    test_laws.test_disguise_sends_only_the_most_harmful_reports_and_all_of_them(d, e)
test_laws.test_planning_covariance_is_the_average_over_all_rankings(4)
from tests import test_draws
made = hv.mechanism("pairwise", hv.borda(4), 1)
test_draws.assert_bulk_follows(made, None)
test_draws.test_draw_follows_the_exact_law(made, None)
reports = made.privatize(test_draws.random_orders(5000, 4))
found, often = np.unique(reports, return_counts=True)
assert made.tally(found, weights=often) == made.tally(reports)
result = made.tally(reports).result()
assert np.allclose(result.scores, made.views(reports).mean(axis=0))
survey = made.tally(reports).result(population=True)
assert np.allclose(survey.uncertainty.covariance, np.cov(made.views(reports).T) / 5000)
assert made.pair_law() is not None and not result.population and survey.population
for electorate in ([[3, 2, 1, 0]], [[0, 1, 2, 3], [3, 2, 1, 0]], [[2, 0, 3, 1]]):
    honest = made.privatize(np.tile(electorate, (2000, 1)))
    tally = made.tally(honest)
    inspection = hv.inspect(tally, honest, false_alarm=1e-6)
    assert not inspection.suspicious, inspection.explain()
    assert tally.result().explain(inspection=inspection).data["suspicious"] is False
fakes = np.concatenate([honest, made.disguise(0, 1, n=500)])
found = hv.inspect(made.tally(fakes), fakes)
assert found.suspicious and "candidate 0 over candidate 1 counted" in " ".join(found.explain())
assert hv.check(made).findings == []
assert hv.plan(hv.borda(4), 1, lead=0.5, by="pairwise").n > 20
print("kept", made.words(reports[:1], "ABCD"))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(PAGE.parents[1])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kept I prefer")


def test_ten_members_are_a_whole_mechanism():
    """The nine that are abstract, and the name."""
    assert sorted(hv.Mechanism.__abstractmethods__) == [
        "certificate",
        "count",
        "draw",
        "fields",
        "moments",
        "outcomes",
        "variances",
        "views",
        "words",
    ]
    code = next(
        c
        for c in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
        if "Pairwise" in c
    )
    tree = ast.parse(code)
    (made,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    members = {node.name for node in made.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in members if not name.startswith("_")}
    assert public == hv.Mechanism.__abstractmethods__


def test_a_report_of_an_unknown_mechanism_is_refused_with_the_known_ones(folder):
    with pytest.raises(hv.MechanismError, match="no mechanism 'pairwise'; choose one of"):
        hv.tally_files([folder / "reports.parquet"])


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_takes_the_mechanism_into_every_process(folder, request, workers):
    """Polls are designed, kept, counted and published by several processes of it."""
    store = folder / "polls.db" if workers == 1 else request.getfixturevalue("cluster").database()
    options = ("--open", "--creations", "0", "--workers", str(workers))
    load = ("--load", "pairwise.py")
    with serving(store, *options, HUSHVOTE_LOAD=str(folder / "pairwise.py")) as server:
        words = ("synth", "--against", server.address, "-m", "pairwise", "-n", "40", "--keep")
        told = json.loads(hushvote(folder, *load, *words, "--json"))
        assert (told["answered"], told["errors"]) == (40, {})
        with server.client() as client:
            path = f"/api/v1/polls/{read_link(told['organiser']).id}"
            bearer = {"Authorization": f"Bearer {read_link(told['organiser']).key.hex()}"}
            assert client.post(f"{path}/close", headers=bearer).status_code == 200
            time.sleep(FRESH)  # the other worker may take the poll for open as long
            for _ in range(4 * workers):  # whichever worker answers
                with server.client() as own:
                    assert own.get(f"{path}/result").json()["n"] == 40
            link = f"{server.address}/p/{read_link(told['organiser']).id}#{told['digest']}"
        found = json.loads(hushvote(folder, *load, "verify", link, "--json"))
        assert found["holds"]
        assert found["result"]["mechanism"] == "pairwise"

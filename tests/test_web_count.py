"""Counting again in a browser gives the counter's integers and scores."""

import json
import subprocess

import numpy as np
import pytest

import hushvote as hv
from tests.conftest import random_orders
from tests.polls import ID, poll_with
from tests.test_web import NODE, ROOT, pytestmark

__all__ = ["pytestmark"]

SCRIPT = ROOT / "tests" / "web" / "count.mjs"
MADE = [
    hv.Laplace(hv.nauru(4), 1),
    hv.Laplace(hv.borda(8), "0.01"),
    hv.NaiveSampling(hv.nauru(5), 2),
    hv.WeightedSampling(hv.borda(6), 1),
    hv.WeightedSampling(hv.nauru(6), 1, intercept="lower"),
    hv.WeightedSampling(hv.nauru(5), 1, intercept="2"),
    hv.WeightedSampling(hv.borda(5), 1, intercept="-1/3"),
    hv.Additive(hv.plurality(3), 1, k=1),
    hv.Additive(hv.nauru(9), 3, k=4),
    hv.Additive(hv.Rule("mine", ["5", "2.5", "-1"]), "0.1", k=2),
    hv.Duel(hv.borda(8), 1),
    hv.Duel(hv.nauru(5), 3),
    hv.Duel(hv.plurality(12), 1),
    hv.Duel(hv.approval(20, 6), 2),
    hv.Challenge(hv.borda(8), 1, key=ID),
    hv.Challenge(hv.nauru(12), 3, key=ID),
    hv.Challenge(hv.plurality(5), 1, key=ID),
]


@pytest.mark.parametrize("made", MADE, ids=repr)
def test_a_browser_counts_what_python_counts(made):
    reports = made.privatize(random_orders(10_000, made.d), rng=np.random.default_rng(3))
    wires = [made.domain.to_wire(reports[i : i + 1]) for i in range(len(reports))]
    poll = poll_with(made)
    line = json.dumps({"text": poll.text, "digest": poll.digest, "reports": wires})
    done = subprocess.run([NODE, SCRIPT], input=line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    tally = made.tally(reports)
    assert found["n"] == tally.n
    assert found["counts"] == json.loads(tally.to_json())["counts"]
    scores = tally.result().scores
    assert np.allclose(found["scores"], scores, rtol=1e-9, atol=1e-9 * float(made.rule.span))

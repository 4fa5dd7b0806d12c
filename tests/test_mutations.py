"""What somebody changed on purpose: refused in one sentence, or of no consequence."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hushvote as hv
from tests.mutations import one_sentence

ROOT = Path(__file__).parent.parent
HOWMANY = {"parameters": 6000, "tallies": 2500, "caches": 700, "heads": 800}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOWMANY)
def test_ten_thousand_mutated_inputs_are_refused_or_harmless(kind, tmp_path):
    """Each in a process of its own, so that its memory can be told."""
    command = [sys.executable, "-m", "tests.mutations", kind, str(HOWMANY[kind]), "7"]
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": search},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["accepted"] > 0  # the check of what is accepted was made
    assert found["slowest_seconds"] < 5
    assert found["further_megabytes"] < 300


def questions(d: int, count: int, **change) -> dict:
    """A duel with questions that are one change away from a good one."""
    good = hv.Duel(hv.borda(d), 1).parameters()
    good["questions"] = [copy.deepcopy(good["questions"][0] | change) for _ in range(count)]
    for one in good["questions"]:
        one["share"] = 2**32 // count
    good["questions"][0]["share"] += 2**32 % count
    return good


FINER = {"best": 1, "worst": 1, "high": 63, "low": 63, "plus": 1, "minus": 1}
LAPLACE = hv.Laplace(hv.borda(4), 1).parameters()
DEAR = [
    questions(7, 1, plus=2, minus=2, gain=63, loss=62, weights=[65521, 40009, 3, 5, 7, 0, 1]),
    questions(7, 1, plus=2, minus=2, gain=63, loss=62, weights=[255, 254, 253, 251, 7, 0, 1]),
    questions(32, 1, plus=9, minus=8, gain=63, loss=62, weights=list(range(200, 232))),
    questions(32, 1, plus=16, minus=16, weights=[255 - r for r in range(32)]),
    questions(7, 255, **FINER),
    questions(7, 1, step="1" + "0" * 400),
    questions(7, 1, threshold="9" * 90),
    LAPLACE | {"digits": [LAPLACE["digits"][0], str(2**64 - 1)]},
    LAPLACE | {"digits": [str(2**63)] * 55 + [str(2**64 - 2**30)]},
    {k: v for k, v in hv.Duel(hv.nauru(12), 1).parameters().items() if k != "questions"},
    LAPLACE | {"rule": {"name": "x", "scores": ["1e12", "-1e12"]}},
    LAPLACE | {"rule": {"name": "x", "scores": [f"1/{10**12 - n}" for n in range(60, 0, -1)]}},
]


@pytest.mark.parametrize("dear", DEAR, ids=lambda p: f"{p['mechanism']} {len(str(p))}")
def test_parameters_that_would_take_long_are_refused_at_once(dear):
    """In memory that a count of them would not fit into; each once took minutes or gigabytes."""
    with pytest.raises(hv.HushvoteError) as caught:
        hv.mechanism_from(dear)
    one_sentence(str(caught.value))

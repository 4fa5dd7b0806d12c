"""Duels: preferences that run in circles."""

import itertools
import json
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.stats import binom

from hushvote.detection.check import Check, corrected
from hushvote.detection.law import listed
from hushvote.mechanisms import Duel, masks, mechanism_from
from hushvote.mechanisms.contract import Floats
from hushvote.mechanisms.fields import Reports
from hushvote.tally import canonical

BLOCK = 1 << 16  # reports looked at at a time


def cycles(mechanism: Duel, reports: Reports, names: Sequence[str]) -> Check | None:
    """Nobody can put i over j, j over k and k over i: at most two of the three are true of a vote.
    A report can say one of them at most, so they are added up.
    """
    sides = _sides(canonical(mechanism.parameters()))
    if sides is None or mechanism.d < 3:
        return None
    d, n = mechanism.d, len(reports)
    over = np.zeros((d, d))
    for start in range(0, n, BLOCK):
        up, down = _named(mechanism, reports[start : start + BLOCK])
        over += up.T @ down
    triples = np.array(list(itertools.permutations(range(d), 3)))
    triples = triples[triples[:, 0] == triples.min(axis=1)]  # each cycle once

    def around(matrix: Floats) -> Floats:
        i, j, k = triples.T
        return np.asarray(matrix[i, j] + matrix[j, k] + matrix[k, i])

    chances, counts = around(sides), np.rint(around(over))
    above = binom.logsf(counts - 1, n, min(1.0, float(chances.max())))
    below = binom.logcdf(counts, n, float(chances.min()))
    logs = np.minimum(above, below) + math.log(2)
    k = int(np.argmin(logs))
    low, high = (n * float(end) for end in (chances.min(), chances.max()))
    circle = " over ".join(names[j] for j in (*triples[k], triples[k][0]))
    return Check(
        "cycles",
        corrected(logs[k], math.log(len(triples))),
        "preferences do not run in circles more than any votes could make them",
        f"{circle}: {counts[k]:,.0f} reports, where honest devices send {low:,.0f} to {high:,.0f} "
        "on average.",
    )


def _named(mechanism: Duel, reports: Reports) -> tuple[Floats, Floats]:
    """Who is named on the upper and on the lower side of each report."""
    groups = {g: masks.unpacked(reports[g], mechanism.d) for g in mechanism.groups}
    up = sum(groups[g] for g in ("plus", "best") if g in groups)
    down = sum(groups[g] for g in ("minus", "worst") if g in groups)
    return np.asarray(up, dtype=np.float64), np.asarray(down, dtype=np.float64)


@lru_cache(maxsize=64)
def _sides(parameters: bytes) -> Floats | None:
    """Chance that a report puts the candidate at one rank over the one at another."""
    mechanism = mechanism_from(json.loads(parameters))
    found = listed(mechanism)
    if found is None or not isinstance(mechanism, Duel):
        return None
    reports, chances = found
    up, down = _named(mechanism, reports)
    return (chances[:, None] * up).T @ down

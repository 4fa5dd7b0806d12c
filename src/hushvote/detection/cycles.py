"""Reports that put candidates over others: preferences that run in circles."""

import itertools
import json
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from hushvote.canonical import canonical
from hushvote.detection.check import Check, corrected, span
from hushvote.detection.tails import binomial
from hushvote.mechanisms import mechanism_from
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.rankings import blocks

BLOCK = 1 << 16  # reports looked at at a time


def cycles(mechanism: Mechanism, reports: Reports, names: Sequence[str]) -> Check | None:
    """Nobody can put i over j, j over k and k over i: at most two of the three are true of a vote.
    A report can say one of them at most, so they are added up.
    """
    d, n = mechanism.d, len(reports)
    if d < 3 or mechanism.sides(reports[:0]) is None:
        return None
    ranks = _ranks_over(canonical(mechanism.parameters()))
    over = None if ranks is None else _over(mechanism, reports, np.ones(n))
    if ranks is None or over is None:
        return None
    triples = np.array(list(itertools.permutations(range(d), 3)))
    triples = triples[triples[:, 0] == triples.min(axis=1)]  # each cycle once

    def around(matrix: Floats) -> Floats:
        i, j, k = triples.T
        return np.asarray(matrix[i, j] + matrix[j, k] + matrix[k, i])

    chances, counts = around(ranks), np.rint(around(over))
    low, high = float(chances.min()), min(1.0, float(chances.max()))
    logs = binomial(counts, n, low, high)
    k = int(np.argmin(logs))
    circle = " over ".join(names[j] for j in (*triples[k], triples[k][0]))
    return Check(
        "cycles",
        corrected(logs[k], math.log(len(triples))),
        "preferences do not run in circles more than any votes could make them",
        f"{circle}: {counts[k]:,.0f} reports, where honest devices average "
        f"{span(n * low, n * high)}.",
    )


def _over(mechanism: Mechanism, reports: Reports, weights: Floats) -> Floats | None:
    """The weight of the reports that put one candidate over another, for all pairs."""
    total = np.zeros((mechanism.d, mechanism.d))
    for block in blocks(len(reports), BLOCK):
        if (sides := mechanism.sides(reports[block])) is None:
            return None
        above, below = sides
        total += (weights[block, None] * above).T @ below
    return total


@lru_cache(maxsize=64)
def _ranks_over(parameters: bytes) -> Floats | None:
    """Chance that a report puts the candidate at one rank over the one at another."""
    mechanism = mechanism_from(json.loads(parameters))
    return None if mechanism.listed is None else _over(mechanism, *mechanism.listed)

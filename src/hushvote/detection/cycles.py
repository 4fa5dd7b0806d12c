"""Reports that put candidates over others: preferences that run in circles."""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from hushvote.detection.check import Check, corrected, fewest_fakes
from hushvote.detection.tails import binomial
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.mechanisms.signals import Signals
from hushvote.messages import counted, say
from hushvote.messages.phrases import span
from hushvote.rankings import blocks

BLOCK = 1 << 16  # reports looked at at a time


def cycles(mechanism: Mechanism, reports: Reports, names: Sequence[str]) -> Check | None:
    """Nobody can put i over j, j over k and k over i: at most two of the three are true of a vote.
    A report can say one of them at most, so they are added up.
    """
    d, n = mechanism.d, len(reports)
    sides = (mechanism.signals() or Signals()).sides
    if d < 3 or sides is None or mechanism.listed is None:
        return None
    ranks, over = _over(sides, *mechanism.listed), _over(sides, reports, np.ones(n))
    triples = np.array(list(itertools.permutations(range(d), 3)))
    triples = triples[triples[:, 0] == triples.min(axis=1)]  # each cycle once

    def around(matrix: Floats) -> Floats:
        i, j, k = triples.T
        return np.asarray(matrix[i, j] + matrix[j, k] + matrix[k, i])

    chances, counts = around(ranks), np.rint(around(over))
    low, high = float(chances.min()), min(1.0, float(chances.max()))
    logs = binomial(counts, n, low, high)
    k = int(np.argmin(logs))
    one, two, three = (names[j] for j in triples[k])
    return Check(
        "cycles",
        corrected(logs[k], math.log(len(triples))),
        say("check.cycles"),
        say(
            "found.cycle",
            one=one,
            two=two,
            three=three,
            found=counted(int(counts[k]), "report"),
            ends=span(n * low, n * high),
        ),
        fewest_fakes(counts[k], n, low, high),
    )


def _over(
    sides: Callable[[Reports], tuple[Floats, Floats]], reports: Reports, weights: Floats
) -> Floats:
    """The weight of the reports that put one candidate over another, for all pairs."""
    total: Floats | float = 0.0
    for block in blocks(len(reports), BLOCK):
        above, below = sides(reports[block])
        total = total + (weights[block, None] * above).T @ below
    return np.asarray(total)

"""The nearest scores that real votes could have: better to look at, but biased."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from hushvote.mechanisms.contract import Floats
from hushvote.rules import Rule


@dataclass(frozen=True, eq=False)
class Projection:
    """Estimated scores moved to the nearest point that mean scored votes can take.

    They are biased, mostly towards the middle, so they come without errors and intervals; the
    order of the candidates is that of the result, but for ties.
    """

    biased: ClassVar[bool] = True

    rule: Rule
    n: int
    scores: Floats
    candidates: tuple[str, ...] | None = None

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Candidates from the highest score to the lowest; equal scores by number."""
        return order_of(self.scores)


def order_of(scores: Floats) -> tuple[int, ...]:
    """Candidates from the highest score to the lowest; equal scores by number."""
    return tuple(int(j) for j in np.argsort(-scores, kind="stable"))


def projected(scores: Floats, vector: Floats) -> Floats:
    """The nearest point of the permutahedron of a score vector (Negrinho and Martins 2014).

    With s the scores in falling order, it is s less the nearest falling sequence to s - w.
    """
    from scipy.optimize import isotonic_regression  # heavy, and only a projection needs it

    order = np.argsort(-scores, kind="stable")
    nearest = np.empty(len(scores))
    nearest[order] = scores[order] - isotonic_regression(scores[order] - vector, increasing=False).x
    return nearest

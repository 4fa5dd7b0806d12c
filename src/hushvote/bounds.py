"""The least error that any unbiased mechanism of a given epsilon can have, for few candidates.

By symmetry the best mechanism sends a unit direction u over the ranks, in random order, where
orders inside a cap {λ · u >= τ} are E times as likely as the others; its error is the value of
the same linear program as the duel's, over all directions and caps. Column generation solves it:
the prices p of the program ask for the direction of largest
f(u) = max over caps of (E - 1) E[p·u; cap] / Z, found by local search, which gives an achieved
error. The bound is rigorous: f is convex and homogeneous, so on a cone of sorted directions it is
at most linear between the cone's edges, and splitting cones encloses its maximum.
"""

import heapq
import itertools
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hushvote.errors import MechanismError
from hushvote.exact import Number
from hushvote.lottery import Odds, epsilon_of
from hushvote.mechanisms.duel.designing import unit_moves
from hushvote.mechanisms.duel.directions import Directions
from hushvote.mechanisms.duel.program import duel_strength, least
from hushvote.rules import Rule

Floats = NDArray[np.float64]

MOST_CANDIDATES = 7
STARTS = 24  # random directions from which each local search begins
ROUNDS = 60
SLACK = 1e-6  # a direction that gains less than this is not added
SPLITS = 3000  # cones split for the bound
ROUNDING = 1e-9  # what floating point may cost the bound, generously


@dataclass(frozen=True)
class Optimum:
    """An error that is achieved, and one below which no unbiased mechanism can come."""

    rule: Rule
    epsilon: Fraction
    achieved: float
    bound: float

    @property
    def gap(self) -> float:
        """How far apart they are, relative to the bound."""
        return self.achieved / self.bound - 1


def optimum(rule: Rule, epsilon: Number, *, splits: int = SPLITS) -> Optimum:
    """The least error of one report, enclosed from both sides; for up to 7 candidates."""
    if rule.d > MOST_CANDIDATES:
        raise MechanismError(
            f"the optimum is computed for up to {MOST_CANDIDATES} candidates, not {rule.d}",
            code="optimum.size",
            d=rule.d,
            most=MOST_CANDIDATES,
        )
    e = epsilon_of(epsilon)
    odds = Odds.of(e)
    search = _Search(rule, odds.ratio)
    radius, prices = search.solve()
    spread = float(rule.spread)
    # the bound must hold for all of exp(epsilon)
    search.directions.use(duel_strength(Fraction(odds.up + 1, odds.down)))
    largest = search.largest(prices, splits) * (1 + ROUNDING)
    least_radius = float(prices @ search.target) / largest
    return Optimum(rule, e, radius**2 - spread, least_radius**2 - spread)


class _Search:
    """Column generation over directions and caps."""

    def __init__(self, rule: Rule, odds: Fraction) -> None:
        self.d = rule.d
        self.target = rule.vector - float(rule.mean)
        self.directions = Directions(rule.d, duel_strength(odds))
        self.rng = np.random.default_rng(0)
        self.columns = [self._question_columns(rule, odds)]

    def _question_columns(self, rule: Rule, odds: Fraction) -> Floats:
        """The duel's own questions, and "one against all others", which reach any target."""
        columns = unit_moves(rule, odds)
        u = np.append(1.0, np.full(self.d - 1, -1 / (self.d - 1)))
        for k in range(1, self.d):
            prices = np.where(np.arange(self.d) < k, 1 - k / self.d, -k / self.d)
            columns.append(self.directions.best_cap(prices, u / np.linalg.norm(u))[1].tolist())
        return np.array(columns).T

    def solve(self) -> tuple[float, Floats]:
        """The program's value and prices, when local search finds no better direction."""
        kept = self._shapes()
        for _ in range(ROUNDS):
            matrix = np.concatenate(self.columns, axis=1)
            y, prices, _ = least(matrix, self.target)
            found, values = self.directions.climb(
                prices, np.concatenate([kept, self.directions.random(STARTS, self.rng)], axis=1)
            )
            if values.max() <= 1 + SLACK:  # look harder before giving up
                found, values = self.directions.climb(
                    prices, self.directions.random(8 * STARTS, self.rng)
                )
            new = np.flatnonzero(values > 1 + SLACK)
            if not new.size:
                break
            best = new[np.argsort(-values[new])[:24]]
            self.columns.append(
                np.stack([self.directions.best_cap(prices, found[:, i])[1] for i in best], axis=1)
            )
            kept = np.concatenate([self._shapes(), found[:, best]], axis=1)
        return float(np.abs(y).sum()), prices

    def _shapes(self) -> Floats:
        """The directions of all duels: a against b candidates."""
        shapes = []
        for a in range(1, self.d):
            for b in range(1, self.d - a + 1):
                u = np.repeat([1 / a, 0.0, -1 / b], [a, self.d - a - b, b])
                shapes.append(u / np.linalg.norm(u))
        return np.array(shapes).T

    def largest(self, prices: Floats, splits: int) -> float:
        """An upper bound of f over all unit directions.

        Sorted directions form a cone; at u = Σ c_i v_i inside a cone of edges v_i, f(u) is at most
        h·u with h·v_i = f(v_i), so at most the length of h's projection onto the cone. The cone
        with the largest such bound is split at its longest side, `splits` times.
        """
        edges = [
            np.where(np.arange(self.d) < k, 1 - k / self.d, -k / self.d) for k in range(1, self.d)
        ]
        vertices = np.stack([edge / np.linalg.norm(edge) for edge in edges], axis=1)
        known = self.directions.values(prices, vertices)
        counter = itertools.count()
        cones = [(-self._bound(vertices, known), next(counter), vertices, known)]
        reached = float(known.max())
        for _ in range(splits):
            bound, _, vertices, known = cones[0]
            if -bound <= reached * (1 + 1e-4) or self.d < 3:
                break
            heapq.heappop(cones)
            products = vertices.T @ vertices
            i, j = np.unravel_index(np.argmin(products), products.shape)
            middle = vertices[:, i] + vertices[:, j]
            middle /= np.linalg.norm(middle)
            value = self.directions.values(prices, middle[:, None])[0]
            reached = max(reached, float(value))
            for k in (i, j):
                part, values = vertices.copy(), known.copy()
                part[:, k], values[k] = middle, value
                heapq.heappush(cones, (-self._bound(part, values), next(counter), part, values))
        return max(reached, -cones[0][0])

    def _bound(self, vertices: Floats, known: Floats) -> float:
        plane = np.linalg.lstsq(vertices.T, known, rcond=None)[0]
        from scipy.optimize import nnls  # heavy, and not needed by most

        weights, _ = nnls(vertices, plane)
        return max(float(np.linalg.norm(vertices @ weights)), float(known.max()))

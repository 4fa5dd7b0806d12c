"""The linear program that designs a duel: which questions to ask, and how often.

Every question type t (groups of a and b ranks, weights, threshold) moves the expected view along
its own direction G_t. The program finds y with Σ y_t G_t = w - w̄ and least Σ |y_t|; types are then
asked in proportion to |y_t|. Its dual prices p say which weights would help most: asking about
λ = p. So they are rounded to small integers and added, until no new question would help.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from hushvote.mechanisms.duel.counting import Weights, count, outcomes_of
from hushvote.rules import Rule

Floats = NDArray[np.float64]

RESOLUTION = 48  # the largest rank weight: finer ones gain nothing and cost counting time
ROUNDS = 40
SLACK = 1e-4  # a question that would lower the error by less than this is not worth adding
LEAST_GAIN = 3e-6  # relative gain of a round below which it counts as idle
PATIENCE = 2  # idle rounds after which the search ends
LEAST_SHARE = 1e-9

Strength = Callable[[Floats], Floats]
"""From the share of outcomes that pass to the factor between ν c_t and G_t."""


@dataclass(frozen=True)
class Question:
    """One type: does T+ (a ranks) stand above T- (b ranks) by b λ(T+) - a λ(T-) >= threshold?"""

    a: int
    b: int
    weights: Weights
    threshold: int

    @property
    def length(self) -> float:
        """ν: makes u = ν (1_{T+}/a - 1_{T-}/b) a unit vector."""
        return 1 / math.sqrt(1 / self.a + 1 / self.b)

    def mirrored(self) -> "Question":
        """The same question with the groups' names exchanged, so that it moves views backwards."""
        top = max(self.weights)
        return Question(self.b, self.a, tuple(top - w for w in self.weights), self.threshold)


@dataclass(frozen=True, eq=False)
class Pool:
    """All questions of one (a, b, λ), one column a threshold."""

    a: int
    b: int
    weights: Weights
    thresholds: NDArray[np.int64]
    shares: Floats
    moves: Floats
    """ν c_t: how far passing outcomes lie from the middle, rank by rank; one column a threshold."""

    def question(self, i: int) -> Question:
        """The question of column i; if most outcomes pass, its complement with the groups
        exchanged, which says the same and is answered yes less often.
        """
        if self.shares[i] <= 0.5:
            return Question(self.a, self.b, self.weights, int(self.thresholds[i + 1]))
        return Question(self.b, self.a, self.weights, -int(self.thresholds[i]))


@lru_cache(maxsize=512)
def pool(a: int, b: int, weights: Weights) -> Pool:
    """Count all questions of these sizes and weights; shared by all epsilons."""
    made = count(a, b, weights)
    total = float(made.outcomes)
    shares = made.passing[1:].astype(np.float64) / total  # the lowest threshold asks nothing
    c = made.plus[:, 1:].astype(np.float64) / (a * total)
    c -= made.minus[:, 1:].astype(np.float64) / (b * total)
    return Pool(a, b, weights, made.thresholds, shares, c / math.sqrt(1 / a + 1 / b))


@dataclass(frozen=True)
class Solution:
    """Questions with their signed coefficients y; the error is (Σ |y|)² - spread of the rule."""

    questions: tuple[Question, ...]
    y: Floats

    @property
    def radius(self) -> float:
        """Σ |y|: the distance of every view from the middle."""
        return float(np.abs(self.y).sum())


def sizes(d: int) -> list[tuple[int, int]]:
    """Group sizes to try, the smaller first; their mirror images come for free."""
    if d <= 10:
        wanted = {(a, b) for a in range(1, d) for b in range(a, d - a + 1)}
    else:
        wanted = {(a, b) for a in range(1, 5) for b in range(a, 5)}
        wanted |= {(a, d - a) for a in range(1, d // 2 + 1)}
        wanted |= {(k, k) for k in (5, 6, 8, d // 4, d // 3) if 2 * k <= d}
        wanted |= {(k, 2 * k) for k in (2, 3, 4, d // 8, d // 5) if 3 * k <= d}
    return sorted((a, b) for a, b in wanted if outcomes_of(d, a, b) < 1 << 64)


def rounded(weights: Iterable[float]) -> Weights:
    """Weights as small integers: shifted to minimum 0, scaled to the resolution."""
    values = np.array([float(w) for w in weights])
    values -= values.min()
    whole = np.rint(values * (RESOLUTION / values.max())).astype(int)
    g = math.gcd(*whole.tolist())
    return tuple(int(w) // g for w in whole)


def starting_weights(rule: Rule) -> list[Weights]:
    """Plain ranks, the scores, and the roots of the scores above the last."""
    above = [float(w - rule.scores[-1]) for w in rule.scores]
    candidates = [tuple(range(rule.d - 1, -1, -1)), rounded(above), rounded(np.sqrt(above))]
    return list(dict.fromkeys(candidates))


class Program:
    """The linear program over a growing pool of questions."""

    def __init__(self, rule: Rule, strength: Strength) -> None:
        self.strength = strength
        self.target = rule.vector - float(rule.mean)
        self.sizes = sizes(rule.d)
        self.pools: list[Pool] = []
        self.columns: list[Floats] = []
        self._known: set[tuple[int, int, Weights]] = set()
        for weights in starting_weights(rule):
            self._add(weights, self.sizes)

    def _add(self, weights: Weights, groups: Iterable[tuple[int, int]]) -> list[int]:
        """Add the questions with these weights; returns where the new columns stand."""
        new = [(a, b, weights) for a, b in groups if (a, b, weights) not in self._known]
        self._known.update(new)
        for key in new:
            made = pool(*key)
            self.pools.append(made)
            self.columns.append(
                made.moves * self.strength(np.minimum(made.shares, 1 - made.shares))
            )
        return list(range(len(self.pools) - len(new), len(self.pools)))

    def solve(self) -> Solution:
        """Solve, ask the prices for better weights, and solve again until none helps.

        New weights are tried first with the group sizes in use, and with all sizes when those
        bring nothing more.
        """
        active = [
            (p, i)
            for p, made in enumerate(self.pools)
            if made.a == 1
            for i in range(len(made.shares))
        ]
        radius, idle = math.inf, 0
        for _ in range(ROUNDS):
            active, y, prices = self._over_pool(active)
            active = [column for column, value in zip(active, y, strict=True) if value]
            y = y[y != 0]
            idle = idle + 1 if np.abs(y).sum() > radius * (1 - LEAST_GAIN) else 0
            radius = float(np.abs(y).sum())
            weights = rounded(prices)
            used = {(self.pools[p].a, self.pools[p].b) for p, _ in active}
            if idle > PATIENCE or not (
                self._helps(prices, self._add(weights, used))
                or self._helps(prices, self._add(weights, self.sizes))
            ):
                break
        return self._solution(active, y)

    def _helps(self, prices: Floats, where: Iterable[int]) -> bool:
        gains = (np.abs(prices @ self.columns[p]).max(initial=0.0) for p in where)
        return max(gains, default=0.0) > 1 + SLACK

    def _over_pool(
        self, active: list[tuple[int, int]]
    ) -> tuple[list[tuple[int, int]], Floats, Floats]:
        """Optimal over the whole pool, by adding the columns that the prices ask for."""
        while True:
            matrix = np.stack([self.columns[p][:, i] for p, i in active], axis=1)
            y, prices = _least(matrix, self.target)
            wanted = []
            for p, columns in enumerate(self.columns):
                gain = np.abs(prices @ columns)
                best = np.argsort(-gain)[:3]
                wanted += [(gain[i], (p, int(i))) for i in best if gain[i] > 1 + 1e-7]
            wanted.sort(reverse=True)
            new = [column for _, column in wanted[:64] if column not in active]
            if not new:
                return active, y, prices
            active = active + new

    def _solution(self, active: list[tuple[int, int]], y: Floats) -> Solution:
        questions, sizes = [], []
        for (p, i), value in zip(active, y, strict=True):
            if abs(value) > LEAST_SHARE * np.abs(y).sum():
                question = self.pools[p].question(i)
                questions.append(question if value > 0 else question.mirrored())
                sizes.append(abs(value))
        return Solution(tuple(questions), np.array(sizes))


def _least(columns: Floats, target: Floats) -> tuple[Floats, Floats]:
    """min Σ |y| subject to columns y = target, with the dual prices of the equations."""
    found = linprog(
        np.ones(2 * columns.shape[1]),
        A_eq=np.concatenate([columns, -columns], axis=1)[:-1],
        b_eq=target[:-1],
        method="highs-ds",
    )
    prices = np.append(found.eqlin.marginals, 0.0)
    y = found.x[: columns.shape[1]] - found.x[columns.shape[1] :]
    return y, prices


def duel_strength(odds: Fraction) -> Strength:
    """(E - 1) / Z with Z = 1 + (E - 1) α."""
    rise = float(odds - 1)
    return lambda share: rise / (1 + rise * share)


def challenge_strength(odds: Fraction) -> Strength:
    """2 κ / sqrt(1 - β²) with κ = (E - 1)/(E + 1), β = κ (2 α - 1)."""
    kappa = float((odds - 1) / (odds + 1))
    return lambda share: 2 * kappa / np.sqrt(1 - (kappa * (2 * share - 1)) ** 2)

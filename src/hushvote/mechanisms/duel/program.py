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

from hushvote.mechanisms.duel.counting import count, outcomes_of
from hushvote.mechanisms.duel.directions import Directions, shape_of
from hushvote.mechanisms.duel.question import FEW, Question, Shape, Weights
from hushvote.rules import Rule

Floats = NDArray[np.float64]

RESOLUTION = 48  # the largest rank weight: finer ones gain nothing and cost counting time
ROUNDS = 40
SLACK = 1e-4  # a question that would lower the error by less than this is not worth adding
LEAST_GAIN = 3e-6  # relative gain of a round below which it counts as idle
PATIENCE = 2  # idle rounds after which the search ends
LEAST_SHARE = 1e-9
SMALL = 1e-3  # moves and scores below this are scaled before they meet the solver

PLAIN_WORDS = 1.005  # a finer question is asked only if it shortens views by more than this
SHAKE = 0.01  # how far the target is moved in the search for finer questions
FINER_ROUNDS = 12
STARTS = 5  # random directions from which the search for finer questions begins

Strength = Callable[[Floats], Floats]
"""From the share of outcomes that pass to the factor between a pool's moves and G_t."""


@dataclass(frozen=True, eq=False)
class Pool:
    """All questions of one shape and λ, one column a threshold."""

    shape: Shape
    weights: Weights
    thresholds: NDArray[np.int64]
    shares: Floats
    moves: Floats
    """E[x; pass]/|x|: how far passing groups lie from the middle, rank by rank."""
    relative_span: float
    price: float
    """What asking costs beside its |y|: more than 1 if the question is not plain."""

    def question(self, i: int) -> Question:
        """The question of column i; if most outcomes pass, its complement with the groups
        exchanged, which says the same and is answered yes less often.
        """
        if self.shares[i] <= 0.5:
            return Question(self.shape, self.weights, int(self.thresholds[i + 1]))
        return Question(self.shape.exchanged(), self.weights, -int(self.thresholds[i]))


@lru_cache(maxsize=1024)
def pool(shape: Shape, weights: Weights) -> Pool:
    """Count all questions of this shape and these weights; shared by all epsilons."""
    d, made = len(weights), count(shape, weights)
    shares = made.passing[1:] / made.outcomes  # the lowest threshold asks nothing
    moves = -float(shape.mean(d)) * shares
    for mark, members in zip(shape.marks, made.members, strict=True):
        moves = moves + mark * (members[:, 1:] / made.outcomes)
    moves = moves / math.sqrt(shape.power(d))
    price = PLAIN_WORDS if shape.fine else 1.0
    return Pool(shape, weights, made.thresholds, shares, moves, shape.relative_span(d), price)


@dataclass(frozen=True)
class Solution:
    """Questions, how often to ask each (shares that sum to 1), and their coefficients y > 0.

    The error is Σ y²/share less the spread of the rule.
    """

    questions: tuple[Question, ...]
    shares: Floats
    y: Floats

    @property
    def power(self) -> float:
        """Mean squared distance of a view from the middle."""
        return float((self.y**2 / self.shares).sum())

    @property
    def gap(self) -> float:
        """Furthest that one report moves two candidates apart."""
        spans = [q.shape.relative_span(q.d) for q in self.questions]
        return float((self.y / self.shares * spans).max())


@dataclass(frozen=True)
class Terms:
    """What a question costs in the program, and how much of the one whole share it takes, for
    each unit of |y|; both by its relative span c.
    """

    cost: Callable[[float], float]
    load: Callable[[float], float] | None = None


PLAIN = Terms(lambda _: 1.0)
SPAN = Terms(lambda c: c)


def capped(s: float, cap: float) -> Terms:
    """For shares |y| max(s, c/cap): no report then moves two candidates apart by more than cap."""
    return Terms(lambda c: 1 / max(s, c / cap), lambda c: max(s, c / cap))


def shapes(d: int) -> list[Shape]:
    """Shapes to try, the smaller group first; their mirror images come for free.

    With gain b and loss a the rest count as much as the mean.
    """
    if d <= 10:
        wanted = {(a, b) for a in range(1, d) for b in range(a, d - a + 1)}
    else:
        wanted = {(a, b) for a in range(1, 5) for b in range(a, 5)}
        wanted |= {(a, d - a) for a in range(1, d // 2 + 1)}
        wanted |= {(k, k) for k in (5, 6, 8, d // 4, d // 3) if 2 * k <= d}
        wanted |= {(k, 2 * k) for k in (2, 3, 4, d // 8, d // 5) if 3 * k <= d}
    made = {
        Shape.pair(a, b, b // math.gcd(a, b), a // math.gcd(a, b))
        for a, b in wanted
        if outcomes_of(d, (a, b)) < 1 << 64
    }
    return sorted(made, key=lambda shape: (shape.sizes, shape.marks))


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

    def __init__(self, rule: Rule, strength: Strength, marks: tuple[int, ...] = (3,)) -> None:
        """`marks`: how many different marks a question may have."""
        self.marks = marks
        self.strength = strength
        self.target = rule.vector - float(rule.mean)
        self.shapes = shapes(rule.d)
        self.directions = Directions(rule.d, strength) if 3 < rule.d <= FEW else None
        self.pools: list[Pool] = []
        self.columns: list[Floats] = []
        self._known: set[tuple[Shape, Weights]] = set()
        for weights in starting_weights(rule):
            self._add(weights, self.shapes)

    def _add(self, weights: Weights, shapes: Iterable[Shape]) -> list[int]:
        """Add the questions with these weights; returns where the new columns stand."""
        new = [(shape, weights) for shape in shapes if (shape, weights) not in self._known]
        self._known.update(new)
        for key in new:
            made = pool(*key)
            self.pools.append(made)
            self.columns.append(
                made.moves * self.strength(np.minimum(made.shares, 1 - made.shares))
            )
        return list(range(len(self.pools) - len(new), len(self.pools)))

    def solve(self) -> Solution:
        """The least error without any cap: shares in proportion to |y|."""
        active, y = self._searched(PLAIN)
        if self.directions is not None:
            active, y = self._refined(active, self.directions)
        return self._solution(active, y, np.abs(y))

    def solve_capped(self, cap: float) -> Solution | float:
        """The least error when no report may move two candidates apart by more than `cap`; or,
        if no questions keep that cap, the least one that can be kept.

        For a given s, questions get the share |y| max(s, c/cap), and the program is linear; the
        best s is searched for.
        """
        free = self.solve()
        if free.gap <= cap:
            return free
        active, y = self._searched(SPAN)
        least_cap = self._total(active, y, SPAN.cost)
        if least_cap > cap:
            return least_cap
        active, best = self._least_over_s(active, cap, 1 / math.sqrt(free.power))
        active, y = self._searched(capped(best, cap), active)
        takes = [max(best, self.pools[p].relative_span / cap) for p, _ in active]
        return self._solution(active, y, np.abs(y) * takes)

    def _least_over_s(
        self, active: list[tuple[int, int]], cap: float, most: float
    ) -> tuple[list[tuple[int, int]], float]:
        def error(x: float) -> float:
            nonlocal active
            terms = capped(math.exp(x), cap)
            try:
                active, y, _, _ = self._over_pool(active, terms)
            except ArithmeticError:
                return math.inf  # this s takes more than the one whole share
            return self._total(active, y, terms.cost)

        from scipy.optimize import minimize_scalar  # heavy, and a kept design does without

        least = minimize_scalar(
            error, bounds=(math.log(most) - 8, math.log(most)), options={"xatol": 1e-4}
        )
        return active, math.exp(least.x)

    def _searched(
        self, terms: Terms, active: list[tuple[int, int]] | None = None
    ) -> tuple[list[tuple[int, int]], Floats]:
        """Solve, ask the prices for better weights, and solve again until none helps.

        New weights are tried first with the shapes in use, and with all shapes when those bring
        nothing more.
        """
        active = self._basis() if active is None else active
        value, idle = math.inf, 0
        for _ in range(ROUNDS):
            active, y, prices, load_price = self._over_pool(active, terms)
            now = self._total(active, y, terms.cost)
            idle = idle + 1 if now > value * (1 - LEAST_GAIN) else 0
            value = now
            weights = rounded(prices)
            used = {self.pools[p].shape for p, _ in active}
            if idle > PATIENCE or not (
                self._helps(prices, load_price, terms, self._add(weights, used))
                or self._helps(prices, load_price, terms, self._add(weights, self.shapes))
            ):
                break
        return active, y

    def _basis(self) -> list[tuple[int, int]]:
        """Questions on one candidate against others, which reach any target."""
        return [
            (p, i)
            for p, made in enumerate(self.pools)
            if made.shape.sizes[0] == 1 and not made.shape.fine
            for i in range(len(made.shares))
        ]

    def _refined(
        self, active: list[tuple[int, int]], directions: Directions
    ) -> tuple[list[tuple[int, int]], Floats]:
        """Ask the prices for finer questions too, as long as they help.

        Meanwhile the target is moved a little: a symmetric one can be reached by fewer questions
        than it has entries, and its prices are then not unique and ask for the wrong ones.
        """
        rng = np.random.default_rng(0)
        moved = rng.standard_normal(len(self.target))
        moved = self.target + SHAKE * np.linalg.norm(self.target) * (moved - moved.mean())
        active = list(dict.fromkeys(active + self._basis()))
        for _ in range(FINER_ROUNDS):
            active, _, prices, load_price = self._over_pool(active, PLAIN, moved)
            starts = np.stack([self.target, prices - prices.mean()], axis=1)
            starts = starts / np.linalg.norm(starts, axis=0)
            starts = np.concatenate([starts, directions.random(STARTS, rng)], axis=1)
            u, worth = directions.climb(prices, starts, enough=1e-3)
            best = u[:, np.argsort(-worth)[:3]].T
            finer = {shape_of(direction, marks) for direction in best for marks in self.marks}
            if not self._helps(prices, load_price, PLAIN, self._add(rounded(prices), finer)):
                break
        return self._over_pool(list(dict.fromkeys(active + self._basis())), PLAIN)[:2]

    def _total(
        self, active: list[tuple[int, int]], y: Floats, each: Callable[[float], float]
    ) -> float:
        made = [self.pools[p] for p, _ in active]
        return float(np.abs(y) @ [each(one.relative_span) * one.price for one in made])

    def _limit(self, p: int, terms: Terms, load_price: float) -> float:
        """What a column of this pool may gain before it is worth adding."""
        c, price = self.pools[p].relative_span, self.pools[p].price
        return terms.cost(c) * price + (load_price * terms.load(c) if terms.load else 0.0)

    def _helps(self, prices: Floats, load_price: float, terms: Terms, where: Iterable[int]) -> bool:
        gains = (
            np.abs(prices @ self.columns[p]).max(initial=0.0) / self._limit(p, terms, load_price)
            for p in where
        )
        return max(gains, default=0.0) > 1 + SLACK

    def _over_pool(
        self, active: list[tuple[int, int]], terms: Terms, target: Floats | None = None
    ) -> tuple[list[tuple[int, int]], Floats, Floats, float]:
        """Optimal over the whole pool, by adding the columns that the prices ask for: the columns
        in use with their y, prices and load_price.
        """
        target = self.target if target is None else target
        while True:
            matrix = np.stack([self.columns[p][:, i] for p, i in active], axis=1)
            made = [self.pools[p] for p, _ in active]
            costs = np.array([terms.cost(one.relative_span) * one.price for one in made])
            loads = terms.load and np.array([terms.load(one.relative_span) for one in made])
            y, prices, load_price = least(matrix, target, costs, loads)
            wanted = []
            for p, columns in enumerate(self.columns):
                gain = np.abs(prices @ columns) / self._limit(p, terms, load_price)
                best = np.argsort(-gain)[:3]
                wanted += [(gain[i], (p, int(i))) for i in best if gain[i] > 1 + 1e-7]
            wanted.sort(reverse=True)
            new = [column for _, column in wanted[:64] if column not in active]
            if not new:
                return (
                    [c for c, x in zip(active, y, strict=True) if x],
                    y[y != 0],
                    prices,
                    load_price,
                )
            active = active + new

    def _solution(self, active: list[tuple[int, int]], y: Floats, shares: Floats) -> Solution:
        shares = shares / shares.sum()
        kept = shares > LEAST_SHARE
        questions = []
        for (p, i), value in zip(active, y, strict=True):
            question = self.pools[p].question(i)
            questions.append(question if value > 0 else question.mirrored())
        return Solution(
            tuple(q for q, keep in zip(questions, kept, strict=True) if keep),
            shares[kept] / shares[kept].sum(),
            np.abs(y[kept]),
        )


def least(
    columns: Floats, target: Floats, costs: Floats | None = None, loads: Floats | None = None
) -> tuple[Floats, Floats, float]:
    """min Σ cost |y| subject to columns y = target and Σ load |y| <= 1.

    Returns y, the prices of the equations, and the load_price of the last constraint.
    """
    m = columns.shape[1]
    costs = np.ones(m) if costs is None else costs
    c, t = float(np.abs(columns).max()), float(np.abs(target).max())
    if c < SMALL or not SMALL < t < 1 / SMALL:  # near the solver's tolerance: solve for y c/t
        loads = None if loads is None else loads * t / c
        y, prices, load_price = least(columns / c, target / t, costs, loads)
        return y * t / c, prices / c, load_price * t / c
    for method in ("highs-ds", "highs-ipm"):  # the second, where the first meets rounding
        from scipy.optimize import linprog  # heavy, and a kept design does without

        found = linprog(
            np.concatenate([costs, costs]),
            A_eq=np.concatenate([columns, -columns], axis=1)[:-1],
            b_eq=target[:-1],
            A_ub=None if loads is None else np.concatenate([loads, loads])[None],
            b_ub=None if loads is None else [1.0],
            method=method,
        )
        if found.x is not None or loads is not None:
            break
    if found.x is None:
        raise ArithmeticError("the program has no solution")
    prices = np.append(found.eqlin.marginals, 0.0)
    load_price = 0.0 if loads is None else -float(found.ineqlin.marginals[0])
    return found.x[:m] - found.x[m:], prices, load_price


def duel_strength(odds: Fraction) -> Strength:
    """(E - 1) / Z with Z = 1 + (E - 1) α."""
    rise = float(odds - 1)
    return lambda share: rise / (1 + rise * share)


def challenge_strength(odds: Fraction) -> Strength:
    """2 κ / sqrt(1 - β²) with κ = (E - 1)/(E + 1), β = κ (2 α - 1)."""
    kappa = float((odds - 1) / (odds + 1))
    return lambda share: 2 * kappa / np.sqrt(1 - (kappa * (2 * share - 1)) ** 2)

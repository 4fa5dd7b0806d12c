"""Directions: what a question says if every candidate may count as it likes.

A direction is a unit vector u over the ranks of a report, in random order; a cap of it holds the
orders with λ · u >= τ. Under prices p the best λ is p, and the worth of u is
f(u) = max over caps of strength · E[p·u; cap]. f is convex, so moving u to the gradient of its best
cap raises it. Every order is listed, so this is for few candidates.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms.duel.question import Shape

Floats = NDArray[np.float64]

STEPS = 40  # moves of one climb
FINENESS = 12  # marks of finer questions are below four times this


class Directions:
    """All orders of d candidates, and what caps of them are worth."""

    def __init__(self, d: int, strength: Callable[[Floats], Floats]) -> None:
        self.d = d
        self.orders = np.array(list(itertools.permutations(range(d))), dtype=np.intp)
        self.use(strength)

    def use(self, strength: Callable[[Floats], Floats]) -> None:
        """Take this strength, a function of the share of orders in the cap."""
        n = len(self.orders)
        self.scale = strength(np.arange(1, n + 1) / n) / n

    def random(self, n: int, rng: np.random.Generator) -> Floats:
        """n sorted unit directions, one a column."""
        u = np.sort(rng.standard_normal((self.d, n)), axis=0)[::-1]
        u -= u.mean(axis=0)
        return np.asarray(u / np.linalg.norm(u, axis=0))

    def values(self, prices: Floats, u: Floats) -> Floats:
        """f of each direction (a column)."""
        products = np.sort(prices[self.orders] @ u, axis=0)[::-1]
        return np.asarray((np.cumsum(products, axis=0) * self.scale[:, None]).max(axis=0))

    def climb(self, prices: Floats, u: Floats, enough: float = 1e-10) -> tuple[Floats, Floats]:
        """Raise f by moving each direction to the gradient of its best cap, until a move gains no
        more than `enough`; also returns f.
        """
        prices_of = prices[self.orders]
        value = np.zeros(u.shape[1])
        for _ in range(STEPS):
            products = prices_of @ u
            order = np.argsort(-products, axis=0)
            sums = np.cumsum(np.take_along_axis(products, order, axis=0), axis=0)
            sums *= self.scale[:, None]
            sizes = sums.argmax(axis=0)
            better = sums.max(axis=0)
            if (better <= value + enough).all():
                break
            value = better
            gradient = np.stack(
                [prices_of[order[: m + 1, i]].sum(axis=0) for i, m in enumerate(sizes)], axis=1
            )
            gradient -= gradient.mean(axis=0)
            u = gradient / np.linalg.norm(gradient, axis=0)
        return u, self.values(prices, u)

    def best_cap(self, prices: Floats, u: Floats) -> tuple[float, Floats]:
        """f of one direction, and how far its best cap moves the view, rank by rank."""
        products = prices[self.orders] @ u
        order = np.argsort(-products)
        sums = np.cumsum(products[order]) * self.scale
        m = int(sums.argmax())
        inside = self.orders[order[: m + 1]]
        column = np.bincount(inside.ravel(), np.tile(u, len(inside)), minlength=self.d)
        return float(sums[m]), column * self.scale[m]


def grouped(u: Floats, most: int) -> list[tuple[int, float]]:
    """A direction's values in at most this many groups, from the top: sizes and means, so that
    the sum of squared distances is least.
    """
    values = np.sort(u)[::-1]
    best, found = np.inf, [0, len(values)]
    for cuts in itertools.combinations(range(1, len(values)), min(most, len(values)) - 1):
        ends = [0, *cuts, len(values)]
        parts = [values[i:j] for i, j in itertools.pairwise(ends)]
        error = sum(((part - part.mean()) ** 2).sum() for part in parts)
        if error < best - 1e-12:
            best, found = error, ends
    return [(j - i, float(values[i:j].mean())) for i, j in itertools.pairwise(found)]


def shape_of(u: Floats, most: int) -> Shape:
    """The shape nearest to a direction, with at most so many different marks."""
    found = grouped(u, most)
    scale = FINENESS / max(abs(mean) for _, mean in found)
    sizes: dict[int, int] = {}
    for size, mean in found:
        mark = 2 * round(mean * scale)
        sizes[mark] = sizes.get(mark, 0) + size
    marks = list(sizes)
    if len(marks) % 2:
        rest = marks.pop(len(marks) // 2)
    else:
        rest = (marks[len(marks) // 2 - 1] + marks[len(marks) // 2]) // 2
    if len(marks) > 2:  # T+ and T- are the inner groups
        marks = [marks[1], marks[2], marks[0], marks[3]]
    g = math.gcd(*(mark - rest for mark in marks))
    return Shape(tuple(sizes[mark] for mark in marks), tuple((mark - rest) // g for mark in marks))

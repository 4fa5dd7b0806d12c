"""Two candidates in one report: bounds of what their marks multiply to, over all rankings.

How often two given ranks are in two groups that pass is not counted. But for every two groups it
lies between bounds, and all together it is the chance to pass.
"""

import itertools
from collections.abc import Sequence
from fractions import Fraction

from hushvote.mechanisms.duel.designing import passing_groups
from hushvote.mechanisms.duel.question import Question, Shape
from hushvote.mechanisms.signals import PairRange


def pair_range(
    question: Question, share: Fraction, weights: tuple[Fraction, Fraction]
) -> PairRange:
    """Bounds for a question that is asked in this share of the reports, where groups that pass
    and that do not have these weights.
    """
    marks, uniform = _products(question.shape, question.d)
    passing = passing_groups(question).passing
    low, high = _ends(marks, uniform, passing, weights)
    _, square = _ends([mark**2 for mark in marks], uniform, passing, weights)
    values = {mark for mark, chance in zip(marks, uniform, strict=True) if mark and chance}
    return PairRange(tuple(sorted(values)), *(float(share * x) for x in (low, high, square)))


def _products(shape: Shape, d: int) -> tuple[list[int], list[Fraction]]:
    """What two candidates' marks multiply to, group by group, and how likely each is for groups
    drawn uniformly.
    """
    sizes, marks = (*shape.sizes, d - sum(shape.sizes)), (*shape.marks, 0)
    pairs = list(itertools.combinations_with_replacement(range(len(sizes)), 2))
    ways = [sizes[g] * (sizes[h] - (g == h)) * (1 + (g != h)) for g, h in pairs]
    return [marks[g] * marks[h] for g, h in pairs], [Fraction(way, d * (d - 1)) for way in ways]


def _extreme(
    values: Sequence[int], uniform: Sequence[Fraction], passing: Fraction, sign: int
) -> Fraction:
    """The largest (sign 1) or least (-1) mean of values over groups that pass, if nothing is known
    but how likely each value is among all groups: the best of them pass first.
    """
    chances = [max(Fraction(0), u + passing - 1) for u in uniform]
    left = passing - sum(chances)
    for i in sorted(range(len(values)), key=lambda i: -sign * values[i]):
        more = min(left, min(uniform[i], passing) - chances[i])
        chances[i] += more
        left -= more
    return sum((v * p for v, p in zip(values, chances, strict=True)), Fraction(0))


def _ends(
    values: Sequence[int],
    uniform: Sequence[Fraction],
    passing: Fraction,
    weights: tuple[Fraction, Fraction],
) -> list[Fraction]:
    """Bounds of the mean of values, for the weights of groups that pass and that do not."""
    yes, no = weights
    everywhere = sum((v * u for v, u in zip(values, uniform, strict=True)), Fraction(0))
    passed = (_extreme(values, uniform, passing, sign) for sign in (1, -1))
    return sorted(no * everywhere + (yes - no) * p for p in passed)

"""From the linear program to exact parameters: how often each question is asked, and what an
answer counts.

Floats end here: shares become whole 2^-32ths, and the steps are then solved again from the exact
counts, so that the views are unbiased whatever the program's rounding.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from hushvote import exact
from hushvote.errors import MechanismError
from hushvote.mechanisms.duel import cache
from hushvote.mechanisms.duel.counting import count, outcomes_of
from hushvote.mechanisms.duel.program import (
    Program,
    Question,
    Solution,
    challenge_strength,
    duel_strength,
)
from hushvote.rules import Rule

WHOLE = 1 << 32  # shares are whole 2^-32ths
UNIT = 1 << 40  # steps and expectations are whole 2^-40ths
MOST_TYPES = 255
LARGEST_WEIGHT = 1 << 16


@dataclass(frozen=True)
class Asked:
    """A question, how often it is asked, and what it counts.

    A view is w̄ + step x (1_{T+}/a - 1_{T-}/b), where x is 1 for a duel, and for a challenge the
    answer (1 or -1) less its expectation.
    """

    question: Question
    share: int
    step: int
    expected: int = 0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; `expected` only where it is not 0."""
        question = self.question
        document: dict[str, Any] = {
            "plus": question.a,
            "minus": question.b,
            "weights": list(question.weights),
            "threshold": question.threshold,
            "share": self.share,
            "step": exact.to_json(self.step),
        }
        if self.expected:
            document["expected"] = exact.to_json(self.expected)
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Asked":
        """Read what `to_json` wrote; a ValueError, KeyError or TypeError for anything else."""
        known = {"plus", "minus", "weights", "threshold", "share", "step", "expected"}
        if set(document) - known:
            raise ValueError(f"unknown entries {sorted(set(document) - known)} in a question")
        a, b, threshold, share, step = (
            exact.from_json(document[name])
            for name in ("plus", "minus", "threshold", "share", "step")
        )
        weights = tuple(exact.from_json(w) for w in document["weights"])
        expected = exact.from_json(document.get("expected", 0))
        return cls(Question(a, b, weights, threshold), share, step, expected)


def checked(asked: Sequence[Asked], d: int) -> tuple[Asked, ...]:
    """Refuse questions that could not be drawn or counted."""
    if not 1 <= len(asked) <= MOST_TYPES:
        raise MechanismError(f"there must be 1 to {MOST_TYPES} questions, not {len(asked)}")
    for t, one in enumerate(asked):
        q = one.question
        if q.a < 1 or q.b < 1 or q.a + q.b > d:
            raise MechanismError(f"question {t} has groups of {q.a} and {q.b} out of {d}")
        if outcomes_of(d, q.a, q.b) >= 1 << 64:
            raise MechanismError(f"question {t} has too many groups to count them exactly")
        if len(q.weights) != d or not all(0 <= w <= LARGEST_WEIGHT for w in q.weights):
            raise MechanismError(f"question {t} needs {d} weights from 0 to {LARGEST_WEIGHT}")
        if abs(q.threshold) > d * d * LARGEST_WEIGHT:
            raise MechanismError(f"question {t} has the absurd threshold {q.threshold}")
        if one.share < 1 or one.step < 1 or abs(one.expected) >= UNIT:
            raise MechanismError(f"question {t} needs a share and a step above 0")
    if sum(one.share for one in asked) != WHOLE:
        raise MechanismError(f"the shares of the questions must add up to {WHOLE}")
    return tuple(asked)


@lru_cache(maxsize=256)
def designed(kind: str, rule: Rule, odds: Fraction, cap: float | None = None) -> tuple[Asked, ...]:
    """The best questions for a rule and odds, and for a cap on the gap that one report can open
    between two candidates; kept in memory and on disk.
    """
    key = {"design": kind, "scores": [str(w) for w in rule.scores], "odds": str(odds)}
    if cap is not None:
        key["cap"] = repr(cap)
    kept = cache.read(key)
    if kept is not None:
        try:
            return checked([Asked.from_json(entry) for entry in kept], rule.d)
        except (KeyError, TypeError, ValueError):
            pass  # a damaged entry is designed anew
    strength = duel_strength(odds) if kind == "duel" else challenge_strength(odds)
    program = Program(rule, strength)
    solution = program.solve() if cap is None else program.solve_capped(cap * (1 - 1e-6))
    if isinstance(solution, float):
        raise MechanismError(
            f"no duel keeps the gap that one report can open to {cap:g}; the least possible is "
            f"{solution:.4g}"
        )
    asked = settled(kind, rule, odds, solution)
    cache.write(key, [one.to_json() for one in asked])
    return asked


def settled(kind: str, rule: Rule, odds: Fraction, solution: Solution) -> tuple[Asked, ...]:
    """Round the shares, then solve the steps exactly for unbiased views."""
    shares = [max(1, round(x * WHOLE)) for x in solution.shares.tolist()]
    shares[int(np.argmax(shares))] += WHOLE - sum(shares)
    laws = [law(question) for question in solution.questions]
    moves = [one.moves(kind, odds) for one in laws]
    target = [w - rule.mean for w in rule.scores]
    start = [float(y) * q.length for y, q in zip(solution.y, solution.questions, strict=True)]
    totals = _solved(moves, target, start)
    return checked(
        [
            Asked(
                question,
                share,
                round(total * WHOLE * UNIT / share),
                round(one.answer(odds) * UNIT) if kind == "challenge" else 0,
            )
            for question, share, total, one in zip(
                solution.questions, shares, totals, laws, strict=True
            )
        ],
        rule.d,
    )


@dataclass(frozen=True)
class Law:
    """Exact chances of one question over uniform groups: that they pass, and that they pass with
    the candidate at each rank in T+ or in T-.
    """

    question: Question
    passing: Fraction
    plus: tuple[Fraction, ...]
    minus: tuple[Fraction, ...]

    def moves(self, kind: str, odds: Fraction) -> list[Fraction]:
        """Expectation of 1_{T+}/a - 1_{T-}/b in a duel's report, where passing groups are E times
        as likely; or of the same times a challenge's noisy answer, which is 1 or -1.
        """
        strength = (odds - 1) / (1 + (odds - 1) * self.passing)
        if kind == "challenge":
            strength = 2 * (odds - 1) / (odds + 1)
        a, b = self.question.a, self.question.b
        return [strength * (p / a - m / b) for p, m in zip(self.plus, self.minus, strict=True)]

    def answer(self, odds: Fraction) -> Fraction:
        """Expectation of a challenge's noisy answer."""
        return (odds - 1) / (odds + 1) * (2 * self.passing - 1)


@lru_cache(maxsize=1024)
def law(question: Question) -> Law:
    """Count the question's outcomes."""
    counted = count(question.a, question.b, question.weights)
    i = int(np.searchsorted(counted.thresholds, question.threshold))
    if i == len(counted.thresholds):
        nobody = (Fraction(0),) * len(question.weights)
        return Law(question, Fraction(0), nobody, nobody)
    plus, minus = (
        tuple(Fraction(int(x), counted.outcomes) for x in array[:, i])
        for array in (counted.plus, counted.minus)
    )
    return Law(question, Fraction(int(counted.passing[i]), counted.outcomes), plus, minus)


def _solved(
    moves: list[list[Fraction]], target: list[Fraction], start: list[float]
) -> list[Fraction]:
    """Solve Σ x_t moves_t = target by exact residuals, from a close start."""
    matrix = np.array([[float(x) for x in move] for move in moves]).T
    solved = [Fraction(x) for x in start]
    for _ in range(4):
        residual = [
            float(goal - sum(x * move[j] for x, move in zip(solved, moves, strict=True)))
            for j, goal in enumerate(target)
        ]
        better = np.linalg.lstsq(matrix, np.array(residual), rcond=None)[0]
        solved = [x + Fraction(dx) for x, dx in zip(solved, better.tolist(), strict=True)]
    if not all(math.isfinite(float(x)) and x > 0 for x in solved):
        raise MechanismError("no questions were found for this rule; choose another mechanism")
    return solved

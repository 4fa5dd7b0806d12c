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
    Solution,
    challenge_strength,
    duel_strength,
)
from hushvote.mechanisms.duel.question import FEW, GROUPS, MARKS, Question, Shape
from hushvote.rules import MAX_CANDIDATES as MOST_CANDIDATES
from hushvote.rules import Rule

WHOLE = 1 << 32  # shares are whole 2^-32ths
UNIT = 1 << 48  # steps and expectations are whole 2^-48ths
MOST_TYPES = 255
LARGEST_WEIGHT = 1 << 16


@dataclass(frozen=True)
class Asked:
    """A question, how often it is asked, and what it counts.

    A view is w̄ + step (mark of the candidate's group - mean), for a challenge times the answer (1
    or -1) less its expectation.
    """

    question: Question
    share: int
    step: int
    expected: int = 0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; `best`, `worst`, `high` and `low` only in a finer question, `expected`
        only where it is not 0.
        """
        shape = self.question.shape
        document: dict[str, Any] = dict(zip(GROUPS, shape.sizes, strict=False))
        document |= {name: abs(m) for name, m in zip(MARKS, shape.marks, strict=False)}
        document |= {
            "weights": list(self.question.weights),
            "threshold": self.question.threshold,
            "share": self.share,
            "step": exact.to_json(self.step),
        }
        if self.expected:
            document["expected"] = exact.to_json(self.expected)
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Asked":
        """Read what `to_json` wrote; a ValueError, KeyError or TypeError for anything else."""
        groups = len(GROUPS) if GROUPS[-1] in document else 2
        whole = (*GROUPS[:groups], *MARKS[:groups], "threshold", "share", "step")
        if other := set(document) - {*whole, "weights", "expected"}:
            raise ValueError(f"unknown entries {sorted(other)} in a question")
        *read, threshold, share, step = (exact.from_json(document[name]) for name in whole)
        marks = tuple(-mark if g % 2 else mark for g, mark in enumerate(read[groups:]))
        weights = tuple(exact.from_json(w) for w in document["weights"])
        expected = exact.from_json(document.get("expected", 0))
        shape = Shape(tuple(read[:groups]), marks)
        return cls(Question(shape, weights, threshold), share, step, expected)


def checked(asked: Sequence[Asked], d: int) -> tuple[Asked, ...]:
    """Refuse questions that could not be drawn or counted."""
    if not 1 <= len(asked) <= MOST_TYPES:
        raise MechanismError(f"there must be 1 to {MOST_TYPES} questions, not {len(asked)}")
    for t, one in enumerate(asked):
        q, shape = one.question, one.question.shape
        if shape.fine and d > FEW:
            raise MechanismError(
                f"question {t} has four groups; that is for up to {FEW} candidates"
            )
        if min(shape.sizes[:2]) < 1 or min(shape.sizes) < 0 or sum(shape.sizes) > d:
            sizes = " and ".join(str(size) for size in shape.sizes)
            raise MechanismError(f"question {t} has groups of {sizes} out of {d}")
        gain, loss, *more = (mark if g % 2 == 0 else -mark for g, mark in enumerate(shape.marks))
        if not (1 <= gain < MOST_CANDIDATES and 1 <= loss < MOST_CANDIDATES):
            raise MechanismError(f"question {t} needs a gain and a loss from 1 to 63")
        if more and not (gain < more[0] < MOST_CANDIDATES and loss < more[1] < MOST_CANDIDATES):
            raise MechanismError(f"question {t} needs high above gain and low above loss, up to 63")
        if outcomes_of(d, shape.sizes) >= 1 << 64:
            raise MechanismError(f"question {t} has too many groups to count them exactly")
        if len(q.weights) != d or not all(0 <= w <= LARGEST_WEIGHT for w in q.weights):
            raise MechanismError(f"question {t} needs {d} weights from 0 to {LARGEST_WEIGHT}")
        if abs(q.threshold) > MOST_CANDIDATES**2 * LARGEST_WEIGHT:
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
    program = Program(rule, strength, levels=(3, 5) if kind == "duel" else (3,))
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
    lengths = [math.sqrt(question.power) for question in solution.questions]
    start = [float(y) / length for y, length in zip(solution.y, lengths, strict=True)]
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
    """Exact chances of one question over uniform groups: that they pass, and for each group that
    they pass with the candidate at each rank in it.
    """

    question: Question
    passing: Fraction
    members: tuple[tuple[Fraction, ...], ...]

    def moves(self, kind: str, odds: Fraction) -> list[Fraction]:
        """Expectation of x = mark - mean in a duel's report, where passing groups are E times as
        likely; or of x times a challenge's noisy answer, 1 or -1.
        """
        strength = (odds - 1) / (1 + (odds - 1) * self.passing)
        if kind == "challenge":
            strength = 2 * (odds - 1) / (odds + 1)
        shape = self.question.shape
        centre = shape.mean(self.question.d) * self.passing
        return [
            strength * (sum(m * p for m, p in zip(shape.marks, inside, strict=True)) - centre)
            for inside in zip(*self.members, strict=True)
        ]

    def answer(self, odds: Fraction) -> Fraction:
        """Expectation of a challenge's noisy answer."""
        return (odds - 1) / (odds + 1) * (2 * self.passing - 1)


@lru_cache(maxsize=1024)
def law(question: Question) -> Law:
    """Count the question's outcomes."""
    counted = count(question.shape, question.weights)
    i = int(np.searchsorted(counted.thresholds, question.threshold))
    if i == len(counted.thresholds):
        nobody = (Fraction(0),) * question.d
        return Law(question, Fraction(0), (nobody,) * len(counted.members))
    members = tuple(
        tuple(Fraction(int(x), counted.outcomes) for x in array[:, i]) for array in counted.members
    )
    return Law(question, Fraction(int(counted.passing[i]), counted.outcomes), members)


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

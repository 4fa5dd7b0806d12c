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
from hushvote.errors import MechanismError, echo
from hushvote.mechanisms.duel import cache
from hushvote.mechanisms.duel.counting import cells, count, outcomes_of
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
UNIT = 1 << 48  # steps are whole 2^-48ths of the rule's span
LARGEST_STEP = 1 << 80
NO_QUESTIONS = "no questions were found for this rule; choose another mechanism"
LARGEST_WEIGHT = 255
LARGEST_BIAS = Fraction(1, 10**9)  # of the rule's span
OFTEN = 1 << 12  # a share whose rounding moves a step by less than that part of it
MOST_CELLS = 1 << 22  # that the count of one question may go through
ALL_CELLS = 1 << 26  # and those of all together
LEAST_ANGLE = 1e-7  # below which the moves of the questions count as dependent


@dataclass(frozen=True)
class DesignedQuestion:
    """A question, how often it is asked, and what it counts.

    A view is w̄ + span step (mark of the candidate's group - mean), for a challenge times the
    answer (1 or -1) less its expectation.
    """

    question: Question
    share: int
    step: int

    @property
    def points(self) -> Fraction:
        """The step, for a rule with a span of 1."""
        return Fraction(self.step, UNIT)

    @property
    def gap(self) -> Fraction:
        """How far a report moves two candidates apart, for a rule with a span of 1."""
        return self.points * self.question.shape.span

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; `best`, `worst`, `high` and `low` only in a finer question."""
        shape = self.question.shape
        document: dict[str, Any] = dict(zip(GROUPS, shape.sizes, strict=False))
        document |= {name: abs(m) for name, m in zip(MARKS, shape.marks, strict=False)}
        return document | {
            "weights": list(self.question.weights),
            "threshold": self.question.threshold,
            "share": self.share,
            "step": exact.to_json(self.step),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "DesignedQuestion":
        """Read what `to_json` wrote; a ValueError, KeyError or TypeError for anything else."""
        groups = len(GROUPS) if GROUPS[-1] in document else 2
        whole = (*GROUPS[:groups], *MARKS[:groups], "threshold", "share", "step")
        if other := set(document) - {*whole, "weights"}:
            raise ValueError(f"unknown entries {sorted(other)} in a question")
        *read, threshold, share, step = (exact.from_json(document[name]) for name in whole)
        marks = tuple(-mark if g % 2 else mark for g, mark in enumerate(read[groups:]))
        if not isinstance(document["weights"], list | tuple):
            raise ValueError("weights that are no list")
        weights = tuple(exact.from_json(w) for w in document["weights"])
        return cls(Question(Shape(tuple(read[:groups]), marks), weights, threshold), share, step)


Design = tuple[DesignedQuestion, ...]


def read(questions: Sequence[Mapping[str, Any]], kind: str, rule: Rule, odds: Fraction) -> Design:
    """Questions from plain JSON, refused unless they can be drawn, counted and trusted."""
    if not isinstance(questions, list | tuple) or not 1 <= len(questions) <= rule.d:
        raise MechanismError(
            f"there must be 1 to {rule.d} questions for {rule.d} candidates",
            code="question.number",
            d=rule.d,
        )
    try:
        asked = [DesignedQuestion.from_json(entry) for entry in questions]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MechanismError(
            f"the questions are damaged: {echo(error)}", code="question.form", reason=error
        ) from None
    return verified(checked(asked, kind, rule.d), kind, rule, odds)


def checked(asked: Sequence[DesignedQuestion], kind: str, d: int) -> Design:
    """Refuse questions that could not be drawn, or not be counted in a moment."""
    for t, one in enumerate(asked):
        q, shape = one.question, one.question.shape
        if shape.fine and (kind != "duel" or d > FEW):
            raise MechanismError(
                f"question {t} has four groups; that is for duels of up to {FEW} candidates",
                code="question.groups",
                question=t,
                most=FEW,
            )
        if min(shape.sizes[:2]) < 1 or min(shape.sizes) < 0 or sum(shape.sizes) > d:
            sizes = " and ".join(str(size) for size in shape.sizes)
            raise MechanismError(
                f"question {t} has groups of {sizes} out of {d}",
                code="question.groups",
                question=t,
                sizes=shape.sizes,
                d=d,
            )
        gain, loss, *more = (mark if g % 2 == 0 else -mark for g, mark in enumerate(shape.marks))
        if not (1 <= gain < MOST_CANDIDATES and 1 <= loss < MOST_CANDIDATES):
            raise MechanismError(
                f"question {t} needs a gain and a loss from 1 to 63",
                code="question.marks",
                question=t,
                gain=gain,
                loss=loss,
            )
        if more and not (gain < more[0] < MOST_CANDIDATES and loss < more[1] < MOST_CANDIDATES):
            raise MechanismError(
                f"question {t} needs high above gain and low above loss, up to 63",
                code="question.marks",
                question=t,
                high=more[0],
                low=more[1],
            )
        if len(q.weights) != d or not all(0 <= w <= LARGEST_WEIGHT for w in q.weights):
            raise MechanismError(
                f"question {t} needs {d} weights from 0 to {LARGEST_WEIGHT}",
                code="question.weights",
                question=t,
                d=d,
                most=LARGEST_WEIGHT,
            )
        if outcomes_of(d, shape.sizes) >= 1 << 64 or cells(shape, q.weights) > MOST_CELLS:
            raise MechanismError(
                f"question {t} has too many groups to count them exactly",
                code="parameters.cost",
                question=t,
            )
        if abs(q.threshold) > MOST_CANDIDATES**2 * LARGEST_WEIGHT:
            raise MechanismError(
                f"question {t} has the absurd threshold {q.threshold}",
                code="question.threshold",
                question=t,
                given=q.threshold,
            )
        if one.share < 1 or not 1 <= one.step <= LARGEST_STEP:
            raise MechanismError(
                f"question {t} needs a share and a step above 0, up to 2^80",
                code="question.share" if one.share < 1 else "question.step",
                question=t,
                share=one.share,
                step=one.step,
            )
    if sum(cells(one.question.shape, one.question.weights) for one in asked) > ALL_CELLS:
        raise MechanismError(
            "the questions have too many groups to count all of them exactly",
            code="parameters.cost",
            most=ALL_CELLS,
        )
    if sum(one.share for one in asked) != WHOLE:
        raise MechanismError(
            f"the shares of the questions must add up to {WHOLE}",
            code="question.share",
            wanted=WHOLE,
        )
    return tuple(asked)


def verified(asked: Design, kind: str, rule: Rule, odds: Fraction) -> Design:
    """Refuse steps that do not give unbiased views, and questions that leave more than one choice
    of steps: otherwise whoever knows the reports could choose the steps, and by them the winner.
    """
    moves = [passing_groups(one.question).moves(kind, odds) for one in asked]
    floats = np.array([[float(x) for x in move] for move in moves])
    lengths = np.linalg.norm(floats, axis=1, keepdims=True)
    angles = np.linalg.svd(floats / np.where(lengths, lengths, 1), compute_uv=False)
    spare = len(asked) - int((angles > LEAST_ANGLE).sum())
    if spare > 1 or (spare and not _capped(asked)):
        raise MechanismError(
            "some of the questions say nothing, or what the others say", code="question.empty"
        )
    if bias(asked, moves, rule) > LARGEST_BIAS * rule.span:
        raise MechanismError(
            "the steps of the questions are biased: the expected view is not the scored vote",
            code="parameters.biased",
        )
    return asked


def _capped(asked: Design) -> bool:
    """Whether all steps are as a cap on the gap makes them, which needs one question more: every
    view is as long as the longest, or goes as far apart as the cap lets it.
    """
    often = [one for one in asked if one.share >= OFTEN]
    sizes = [math.sqrt(one.question.power) for one in often]
    spans = [one.question.shape.span for one in often]
    length = max(one.step * size for one, size in zip(often, sizes, strict=True))
    gap = max(one.step * span for one, span in zip(often, spans, strict=True))
    return all(
        one.step >= (1 - 1 / OFTEN) * min(length / size, gap / span)
        for one, size, span in zip(often, sizes, spans, strict=True)
    )


def bias(asked: Design, moves: Sequence[Sequence[Fraction]], rule: Rule) -> Fraction:
    """The largest error of an expected view, in points."""
    parts = [rule.span * one.points * Fraction(one.share, WHOLE) for one in asked]
    return max(
        abs(sum((x * move[r] for x, move in zip(parts, moves, strict=True)), rule.mean - w))
        for r, w in enumerate(rule.scores)
    )


@lru_cache(maxsize=256)
def designed(kind: str, rule: Rule, odds: Fraction, cap: float | None = None) -> Design:
    """The best questions for a rule and odds, and for a cap on the gap that one report can open
    between two candidates; kept in memory and on disk.
    """
    key = {"design": kind, "scores": [str(w) for w in rule.scores], "odds": str(odds)}
    if cap is not None:
        key["cap"] = repr(cap)
    kept = cache.read(key)
    if kept is not None:
        try:
            found = read(kept, kind, rule, odds)
            if cap is None or max(float(rule.span * one.gap) for one in found) <= cap:
                return found
        except MechanismError:
            pass  # a damaged or forged entry is designed anew
    strength = duel_strength(odds) if kind == "duel" else challenge_strength(odds)
    program = Program(rule, strength, marks=(3, 5) if kind == "duel" else (3,))
    try:
        solution = program.solve() if cap is None else program.solve_capped(cap * (1 - 1e-6))
    except ArithmeticError:
        raise MechanismError(NO_QUESTIONS, code="design.questions", rule=rule.name) from None
    if isinstance(solution, float):
        raise MechanismError(
            f"no duel keeps the gap that one report can open to {cap:g}; the least possible is "
            f"{solution:.4g}",
            code="design.gap",
            given=cap,
            least=solution,
        )
    asked = settled(kind, rule, odds, solution)
    cache.write(key, [one.to_json() for one in asked])
    return asked


def settled(kind: str, rule: Rule, odds: Fraction, solution: Solution) -> Design:
    """Round the shares, then solve the steps exactly for unbiased views."""
    shares = [max(1, round(x * WHOLE)) for x in solution.shares.tolist()]
    shares[int(np.argmax(shares))] += WHOLE - sum(shares)
    moves = [passing_groups(question).moves(kind, odds) for question in solution.questions]
    target = [w - rule.mean for w in rule.scores]
    lengths = [math.sqrt(question.power) for question in solution.questions]
    start = [float(y) / length for y, length in zip(solution.y, lengths, strict=True)]
    totals = _solved(moves, target, start)
    asked = [
        DesignedQuestion(question, share, round(total / rule.span * WHOLE * UNIT / share))
        for question, share, total in zip(solution.questions, shares, totals, strict=True)
    ]
    return verified(checked(asked, kind, rule.d), kind, rule, odds)


@dataclass(frozen=True)
class PassingGroups:
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
def passing_groups(question: Question) -> PassingGroups:
    """Count the question's outcomes."""
    counted = count(question.shape, question.weights)
    i = int(np.searchsorted(counted.thresholds, question.threshold))
    if i == len(counted.thresholds):
        nobody = (Fraction(0),) * question.d
        return PassingGroups(question, Fraction(0), (nobody,) * len(counted.members))
    members = tuple(
        tuple(Fraction(int(x), counted.outcomes) for x in array[:, i]) for array in counted.members
    )
    return PassingGroups(question, Fraction(int(counted.passing[i]), counted.outcomes), members)


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
        raise MechanismError(NO_QUESTIONS, code="design.questions")
    return solved


def unit_moves(rule: Rule, odds: Fraction) -> list[list[float]]:
    """How the duel's questions for a rule move the ranks, per length of what they say."""
    return [
        [
            float(x) / math.sqrt(one.question.power)
            for x in passing_groups(one.question).moves("duel", odds)
        ]
        for one in designed("duel", rule, odds)
    ]

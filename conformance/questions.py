"""Questions for duels and challenges that no solver chose, so that vectors never change with one.

Two kinds need no search. Weights of two values, x for the first j ranks and y for the others, move
the scores of the first j up together and the others down together, whatever the groups, marks and
threshold are: one such question for every place at which a rule's scores fall reaches the rule. And
any questions whose weights do not rise have a rule of their own, the one that they move towards.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from conformance.streams import Dice

import hushvote as hv
from hushvote import exact
from hushvote.lottery import Odds
from hushvote.mechanisms.duel.counting import cells, count, outcomes_of
from hushvote.mechanisms.duel.designing import DesignedQuestion, passing_groups
from hushvote.mechanisms.duel.question import FEW, Question, Shape

Asked = dict[str, Any]
KEY = "00112233445566778899aabbccddeeff"
FEW_CELLS = 1 << 16  # so that all vectors are made in a moment
WHOLE = 1 << 32


def question(
    plus: int,
    minus: int,
    gain: int,
    loss: int,
    weights: Sequence[int],
    threshold: int,
    **finer: int,
) -> Asked:
    """One question without its share and step."""
    sizes = {"plus": plus, "minus": minus, "gain": gain, "loss": loss}
    return {**sizes, **finer, "weights": list(weights), "threshold": threshold}


def read(one: Asked) -> Question:
    """The question as the library has it."""
    return DesignedQuestion.from_json({**one, "share": 1, "step": 1}).question


def moves(kind: str, odds: Fraction, one: Asked) -> list[Fraction]:
    """How a question moves the ranks."""
    return passing_groups(read(one)).moves(kind, odds)


# --- shares and steps -----------------------------------------------------------------------------


def unbiased(
    kind: str,
    rule: hv.Rule,
    odds: Fraction,
    asked: list[Asked],
    parts: Sequence[int] | None = None,
) -> list[Asked]:
    """The questions with shares in these proportions, and the steps that make views unbiased: by
    exact elimination. Empty if a step is not above 0.
    """
    shares = _shares(parts or [2**32 // len(asked) + 5 * t for t in range(len(asked))])
    columns = [moves(kind, odds, one) for one in asked]
    rows = [[*row, w - rule.mean] for *row, w in zip(*columns, rule.scores, strict=True)]
    for i in range(len(asked)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i]), None)
        if pivot is None:
            return []
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(len(rows)):
            if r != i and rows[r][i]:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    totals = [row[-1] for row in rows[: len(asked)]]
    if any(row[-1] for row in rows[len(asked) :]) or min(totals) <= 0:
        return []
    scale = Fraction(2**80) / rule.span
    return [
        {**one, "share": share, "step": exact.to_json(round(total * scale / share))}
        for one, share, total in zip(asked, shares, totals, strict=True)
    ]


def _shares(parts: Sequence[int]) -> list[int]:
    shares = [max(1, part * WHOLE // sum(parts)) for part in parts]
    shares[0] += WHOLE - sum(shares)
    return shares


# --- questions for a rule -------------------------------------------------------------------------


def pairwise(d: int) -> list[Asked]:
    """One candidate over another: all that Borda needs."""
    return [question(1, 1, 1, 1, range(d - 1, -1, -1), 1)]


def ladder(d: int) -> list[Asked]:
    """Is the one of T+ among the first j? These reach any rule."""
    tops = ([1] * j + [0] * (d - j) for j in range(1, d))
    return [question(1, d - 1, 1, 2, top, 3 - 2 * sum(top)) for top in tops]


def varied(d: int) -> list[Asked]:
    """The same with larger groups, at thresholds that tell the most."""
    found = []
    for j in range(1, d):
        a, b = 1 + j % 3, 1 + 2 * j % (d - 3)
        each = [question(a, b, 1 + b, 1 + a, [5] * j + [2] * (d - j), x) for x in range(-60, 60)]
        found.append(max(each, key=_width))
    return found


def _width(one: Asked) -> Fraction:
    moved = moves("duel", Fraction(2), one)
    return moved[0] - moved[-1]


def shaped(weights: Sequence[int], dice: Dice, finer: bool = False) -> Asked:
    """A question of any shape with these weights, which some groups pass and others do not."""
    d = len(weights)
    while True:
        a = dice.between(1, d - 1)
        b = dice.between(1, d - a)
        most = dice.one_of((3, 7, 63))
        marks = [dice.between(1, most), dice.between(1, most)]
        sizes, more = [a, b], {}
        if finer and dice.below(4):
            best = dice.below(d - a - b + 1)
            sizes += [best, dice.below(d - a - b - best + 1)]
            marks += [min(63, mark + dice.between(1, 4)) for mark in marks]
            if marks[2] == marks[0] or marks[3] == marks[1]:
                continue
            more = dict(
                zip(("best", "worst", "high", "low"), (*sizes[2:], *marks[2:]), strict=True)
            )
        signed = tuple(-mark if g % 2 else mark for g, mark in enumerate(marks))
        shape = Shape(tuple(sizes), signed)
        if outcomes_of(d, shape.sizes) >= 1 << 64 or cells(shape, tuple(weights)) > FEW_CELLS:
            continue
        values = count(shape, tuple(weights)).thresholds.tolist()
        if len(values) > 1:
            i = dice.between(1, len(values) - 1)
            threshold = dice.between(values[i - 1] + 1, values[i])
            return question(a, b, marks[0], marks[1], weights, threshold, **more)


def stepped(rule: hv.Rule, dice: Dice, finer: bool = False) -> list[Asked]:
    """A question of weights of two values for every place at which the scores fall."""
    d, w = rule.d, rule.scores
    found = []
    for j in range(1, d):
        if w[j - 1] > w[j]:
            low = dice.below(dice.one_of((1, 3, 200)))
            high = low + dice.between(1, dice.one_of((1, 2, 55)))
            found.append(shaped([high] * j + [low] * (d - j), dice, finer))
    return found


def rule_of(name: str, asked: list[Asked]) -> hv.Rule:
    """The rule that all these questions move towards, each as far as the others."""
    columns = [moves("challenge", Fraction(3), one) for one in asked]
    return hv.Rule(name, [str(sum(row)) for row in zip(*columns, strict=True)])


def own(d: int, number: int, dice: Dice, finer: bool = False) -> list[Asked]:
    """Questions with weights of many values; `rule_of` has the rule that they reach."""
    found = []
    for _ in range(number):
        most = dice.one_of((2, 9, 255)) if d < 12 else dice.one_of((1, 2, 9))
        weights = sorted((dice.below(most + 1) for _ in range(d)), reverse=True)
        if weights[0] == weights[-1]:
            weights[0] += 1
        found.append(shaped(weights, dice, finer))
    return found


def mixed(kind: str, rule: hv.Rule, odds: Fraction, finer: bool = False) -> list[Asked]:
    """As many questions of unlike shapes as the rule can tell apart: the first set, of those that
    the digits of a hash make, whose steps are above 0.
    """
    d = rule.d
    for n in range(10_000):
        dice = Dice(f"mixed/{kind}/{rule.name}/{d}/{finer}/{n}")
        asked = []
        for _ in range(d - 1):
            a = dice.between(1, d - 1)
            b = dice.between(1, d - a)
            weights = sorted((dice.below(12) for _ in range(d)), reverse=True)
            gain, loss = dice.between(1, 5), dice.between(1, 5)
            more = {}
            if finer and a + b < d and dice.below(2):
                best = dice.below(d - a - b + 1)
                more = {"best": best, "worst": d - a - b - best, "high": gain + 2, "low": loss + 3}
            middle = (gain * a - loss * b) * sum(weights) // d
            asked.append(question(a, b, gain, loss, weights, middle + dice.below(7), **more))
        if finer and all("best" not in one for one in asked):
            continue
        if found := unbiased(kind, rule, odds, asked):
            return found
    raise AssertionError(f"no questions for {rule}")


# --- mechanisms with them -------------------------------------------------------------------------


def made(
    kind: str,
    rule: hv.Rule,
    epsilon: str,
    asked: list[Asked],
    *,
    parts: Sequence[int] | None = None,
    key: str = KEY,
) -> hv.Mechanism:
    """A duel or challenge that asks these questions."""
    solved = unbiased(kind, rule, Odds.of(Fraction(epsilon)).ratio, asked, parts)
    rest = {"key": key} if kind == "challenge" else {}
    return hv.mechanism(kind, rule, epsilon, questions=solved, **rest)


def chosen(kind: str, rule: hv.Rule, epsilon: str, dice: Dice, key: str = KEY) -> hv.Mechanism:
    """Questions by dice: for this rule, or now and then for a rule of their own."""
    finer = kind == "duel" and rule.d <= FEW
    while True:
        asked, wanted = stepped(rule, dice, finer), rule
        if dice.below(3) == 0:
            number = dice.between(1, min(4, rule.d - 1))
            asked = own(rule.d, number, dice, finer)
            wanted = rule_of(f"own-{dice.below(1000)}", asked)
        parts = [dice.between(1, 1000) for _ in asked]
        try:
            return made(kind, wanted, epsilon, asked, parts=parts, key=key)
        except hv.MechanismError as error:  # they say what others say, or a step is beyond 2^80
            if error.code not in ("question.empty", "question.number", "question.step"):
                raise

"""Good vectors: at least 200 for every mechanism."""

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from conformance import questions
from conformance.names import candidates
from conformance.streams import Dice, SeededBits, stream

import hushvote as hv

SIZES = (2, 3, 4, 5, 6, 7, 8, 3, 4, 5, 9, 10, 12, 13, 16, 6, 7, 20, 33, 4, 32, 64, 5, 63, 24)
EPSILONS = (
    *("1/100", "1/50", "1/10", "1/4", "1/3", "1/2", "693/1000", "1", "7/5", "2", "5/2", "3"),
    *("5", "22/7", "7", "999/100", "10", "1"),
)
SETTINGS = 72  # of each mechanism
DRAWS = 3  # of each setting
KEYS = (questions.KEY, "", "00", "ff" * 64, "a5" * 65, questions.KEY)  # HMAC hashes long keys first


# --- rules ----------------------------------------------------------------------------------------


def rule_for(d: int, dice: Dice, least: int = -20, large: bool = True) -> hv.Rule:
    """A known rule or one without any pattern: fractions, ties, large and small numbers."""
    kind = dice.below(10 if large else 9)
    if kind < 4:
        return (hv.borda, hv.nauru, hv.plurality, hv.antiplurality)[kind](d)
    if kind == 4:
        return hv.approval(d, dice.between(1, d - 1))
    return hv.Rule(*_custom(kind, d, dice, least))


def _custom(kind: int, d: int, dice: Dice, least: int) -> tuple[str, list[Fraction]]:
    spread = {
        5: (60, 12),
        6: (3, 1),
        7: (1000, 1000 if d <= 16 else 30),
        8: (40, 7),
        9: (10**12, 1),
    }
    high, parts = spread[kind]
    low = least if kind != 9 else (-(10**12) if least < 0 else 0)
    while True:
        scores = [Fraction(dice.between(low, high), dice.between(1, parts)) for _ in range(d)]
        if kind == 8:  # a few levels
            levels = sorted(set(scores))[: dice.between(2, 4)]
            scores = [dice.one_of(levels) for _ in range(d)]
        if len(set(scores)) > 1:
            return dice.one_of(RULE_NAMES), sorted(scores, reverse=True)


RULE_NAMES = ("mine", "règle", "re\u0301gle", "قاعدة", "规则", "🗳", "Borda", "bordas", "x-2")


# --- one mechanism after the other ----------------------------------------------------------------


def additive(d: int, epsilon: str, dice: Dice) -> hv.Mechanism:
    """Sets of all sizes."""
    k = dice.one_of((1, d - 1, (d + 1) // 2, dice.between(1, d - 1)))
    return hv.Additive(rule_for(d, dice), epsilon, k=k)


def laplace(d: int, epsilon: str, dice: Dice) -> hv.Mechanism:
    """Scores of all sizes that 64 bits can hold."""
    while True:
        rule = rule_for(d, dice)
        try:
            return hv.Laplace(rule, epsilon)
        except hv.MechanismError as error:
            if error.code != "parameters.option":
                raise


def weighted(d: int, epsilon: str, dice: Dice) -> hv.Mechanism:
    """Intercepts at a score, between scores, beyond them, and with many digits."""
    rule = rule_for(d, dice)
    first, last = rule.scores[0], rule.scores[-1]
    intercepts: tuple[object, ...] = (
        *("middle", "lower", first, last, rule.mean, first + 1, last - Fraction(1, 3)),
        *(Fraction(10**40 + 7, 3), -Fraction(1, 10**30 + 1), 0, (first + last) / 2),
    )
    return hv.WeightedSampling(rule, epsilon, intercept=dice.one_of(intercepts))


def naive(d: int, epsilon: str, dice: Dice) -> hv.Mechanism:
    """Scores of at least 0."""
    return hv.NaiveSampling(rule_for(d, dice, least=0), epsilon)


def duel(d: int, epsilon: str, dice: Dice) -> hv.Mechanism:
    """Questions by dice, of four groups too where there are few candidates."""
    return questions.chosen("duel", _askable(d, dice), epsilon, dice)


def challenge(d: int, epsilon: str, dice: Dice) -> hv.Mechanism:
    """Questions by dice, with keys of all lengths."""
    rule = _askable(d, dice)
    return questions.chosen("challenge", rule, epsilon, dice, key=dice.one_of(KEYS))


def _askable(d: int, dice: Dice) -> hv.Rule:
    """A rule with few steps where there are many candidates: each takes a question."""
    while True:
        rule = rule_for(d, dice, large=False)
        if d <= 10 or len(set(rule.scores)) <= 6:
            return rule


MAKERS: dict[str, Callable[[int, str, Dice], hv.Mechanism]] = {
    "additive": additive,
    "laplace": laplace,
    "weighted-sampling": weighted,
    "naive-sampling": naive,
    "duel": duel,
    "challenge": challenge,
}


def special() -> Iterator[hv.Mechanism]:
    """What dice might miss."""
    for kind in ("duel", "challenge"):
        yield questions.made(kind, hv.borda(2), "1", questions.pairwise(2))
        yield questions.made(kind, hv.borda(64), "1", questions.pairwise(64))
        yield questions.made(kind, hv.nauru(24), "1", questions.ladder(24))
        yield questions.made(kind, hv.nauru(8), "2", questions.varied(8))
        for rule in (hv.borda(4), hv.nauru(5)):
            ratio = hv.Additive(rule, 1, k=1).odds.ratio
            found = questions.mixed(kind, rule, ratio)
            rest = {"key": questions.KEY} if kind == "challenge" else {}
            yield hv.mechanism(kind, rule, 1, questions=found, **rest)
    for rule in (hv.nauru(4), hv.borda(5)):
        ratio = hv.Additive(rule, 1, k=1).odds.ratio
        yield hv.Duel(rule, 1, questions=questions.mixed("duel", rule, ratio, finer=True))
    halves = hv.Rule("halves", [2**18, 0])  # g = 2: scores in words end in .25 and .75
    eighths = hv.Rule("eighths", [2**17, 0])  # g = 4: in .125, .375, .625 and .875
    for rule in (halves, eighths):
        for epsilon in ("1/2", "3", "10"):
            yield hv.Laplace(rule, epsilon)
    yield hv.WeightedSampling(hv.borda(2), 1, intercept="1/2")
    yield hv.Additive(hv.plurality(64), 10, k=1)
    yield hv.Additive(hv.nauru(64), "1/100", k=32)


@cache
def mechanisms() -> list[hv.Mechanism]:
    """Every mechanism with all sorts of rules, sizes, epsilons and options."""
    found = []
    for name, make in MAKERS.items():
        for i in range(SETTINGS):
            d, epsilon = SIZES[i % len(SIZES)], EPSILONS[i % len(EPSILONS)]
            found.append(make(d, epsilon, Dice(f"{name}/{i}")))
    return [*found, *special()]


# --- vectors --------------------------------------------------------------------------------------


def draws() -> dict[str, Any]:
    """The mechanisms by their digests, and what they draw."""
    numbers = {name: itertools.count() for name in MAKERS}
    vectors = []
    for made in mechanisms():
        number = next(numbers[made.name])
        vectors += [vector(made, number, n) for n in range(DRAWS)]
    parameters = {made.digest: made.parameters() for made in mechanisms()}
    return {"mechanisms": parameters, "vectors": vectors}


def vector(made: hv.Mechanism, number: int, n: int) -> dict[str, Any]:
    """One draw; a challenge's last one without a question."""
    seed = f"{made.name}/{number}/{n}"
    dice = Dice(f"{seed}/vote")
    ranking, names = dice.shuffled(range(made.d)), candidates(made.d, dice)
    bits, hashed = SeededBits(seed), None
    if made.needs_question and n < DRAWS - 1:
        hashed = stream(f"{seed}/question", 32)
    report = made.draw(ranking, bits, hashed)
    return {
        "name": f"{made.name} {number}.{n}: {made.rule.name} over {made.d}, epsilon {made.epsilon}",
        "mechanism": made.digest,
        "ranking": ranking,
        **({} if hashed is None else {"question": hashed.hex()}),
        "seed": seed,
        "bytes": bits.used,
        "report": made.domain.to_wire(report),
        "candidates": names,
        "words": made.words(report, names),
    }

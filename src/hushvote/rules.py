"""Positional voting rules: a name and a non-increasing score vector.

The candidate at rank r of a ranking scores `w[r]`. Scores are exact fractions, so that Nauru's
thirds and sevenths stay what they are; `integers` gives the same vector as whole numbers.
"""

import inspect
import itertools
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushvote import exact, loading, texts
from hushvote.errors import RuleError, clip, echo
from hushvote.messages import say

LARGEST_SCORE = 10**12
LARGEST_SCALE = 10**60  # of all scores together; Nauru over 64 candidates has 10^27
MAX_CANDIDATES = 64  # a set of candidates is one 64-bit mask


@dataclass(frozen=True, init=False, repr=False)
class Rule:
    """A positional rule: `Rule("mine", [5, 3, 1, 0])` gives the first place 5 points, and so on."""

    name: str
    scores: tuple[Fraction, ...]

    def __init__(self, name: str, scores: Iterable[object]) -> None:
        try:
            given = list(scores)
            vector = tuple(exact.fraction(score) for score in given)
        except (TypeError, ValueError) as error:
            raise RuleError(
                f"the scores of rule {echo(name)} must be numbers: {clip(str(error))}",
                code="rule.scores",
                rule=name,
                reason=error,
            ) from None
        _check_size(name, len(vector))
        if problem := texts.flaw(name, texts.RULE):
            raise RuleError(
                f"the rule's name {echo(name)} {problem}",
                code="name.character" if texts.fits(name, texts.RULE) else "name.length",
                name=name,
            )
        for said, score in zip(given, vector, strict=True):
            if abs(score) > LARGEST_SCORE or score.denominator > LARGEST_SCALE:
                raise RuleError(
                    f"the scores of rule {echo(name)} must be between -10^12 and 10^12, "
                    f"in steps of at least 10^-60, not {echo(said)}",
                    code="rule.scores",
                    rule=name,
                    given=said,
                )
        for rank, (higher, lower) in enumerate(itertools.pairwise(vector)):
            if higher < lower:
                raise RuleError(
                    f"the scores of rule {echo(name)} must not increase, "
                    f"but place {rank + 1} scores {higher} and place {rank + 2} scores {lower}",
                    code="rule.scores",
                    rule=name,
                    rank=rank + 1,
                )
        if math.lcm(*(score.denominator for score in vector)) > LARGEST_SCALE:
            raise RuleError(
                f"the scores of rule {echo(name)} have no common denominator up to 10^60; "
                "round them to fewer digits",
                code="rule.scores",
                rule=name,
            )
        if vector[0] == vector[-1]:
            raise RuleError(
                f"all scores of rule {echo(name)} are {vector[0]}: the first place must score more "
                "than the last",
                code="rule.scores",
                rule=name,
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "scores", vector)

    @property
    def d(self) -> int:
        """Number of candidates."""
        return len(self.scores)

    @cached_property
    def vector(self) -> NDArray[np.float64]:
        """The scores as floats, for estimates."""
        vector = np.array([float(score) for score in self.scores])
        vector.setflags(write=False)
        return vector

    @cached_property
    def scale(self) -> int:
        """The least whole number that makes all scores whole."""
        return math.lcm(*(score.denominator for score in self.scores))

    @cached_property
    def integers(self) -> tuple[int, ...]:
        """The scores times `scale`: the whole numbers that every exact draw works with."""
        return tuple(int(score * self.scale) for score in self.scores)

    @property
    def total(self) -> Fraction:
        """What one vote gives out in all."""
        return sum(self.scores, Fraction(0))

    @property
    def mean(self) -> Fraction:
        """The average score of a candidate in one vote."""
        return self.total / self.d

    @property
    def span(self) -> Fraction:
        """Difference of the first and the last score."""
        return self.scores[0] - self.scores[-1]

    @property
    def spread(self) -> Fraction:
        """Sum of squared distances from the mean; d(d² - 1)/12 for Borda."""
        return sum(((score - self.mean) ** 2 for score in self.scores), Fraction(0))

    @property
    def diameter(self) -> Fraction:
        """Largest L1 distance of two scored votes: sum of |w[j] - w[d-1-j]| (Δ in the paper)."""
        return sum(
            (abs(a - b) for a, b in zip(self.scores, reversed(self.scores), strict=True)),
            Fraction(0),
        )

    def __repr__(self) -> str:
        return f"Rule({self.name!r}, [{', '.join(str(score) for score in self.scores)}])"

    def __str__(self) -> str:
        return say("rule", name=self.name, d=self.d)


def check_rule(given: object) -> None:
    """Refuse what is no rule, where votes are counted by one."""
    if not isinstance(given, Rule):
        raise RuleError(
            f"a count needs a rule such as borda(8), not {echo(given)}",
            code="rule.type",
            given=given,
        )


def _check_size(name: str, d: object) -> int:
    if (number := exact.whole(d, 2, MAX_CANDIDATES)) is None:
        raise RuleError(
            f"rule {echo(name)} needs 2 to {MAX_CANDIDATES} candidates, not {echo(d)}",
            code="rule.size",
            rule=name,
            given=d,
            most=MAX_CANDIDATES,
        )
    return number


RuleMaker = Callable[..., Rule]
_makers: dict[str, RuleMaker] = {}


def register_rule(make: RuleMaker) -> RuleMaker:
    """Make `make(d, ...)` known by its function's name, in the library and on the command line."""
    try:
        name = make.__name__
        inspect.signature(make).bind(MAX_CANDIDATES)
    except (AttributeError, TypeError):
        raise RuleError(
            "a rule is registered as a function of the number of candidates, as in def mine(d), "
            f"not {echo(make)}",
            code="rule.function",
            given=make,
        ) from None
    loading.claim("rule", name, _makers, RuleError)
    _makers[name] = make
    return make


def rule_names() -> tuple[str, ...]:
    """Names that `rule()` and `--rule` understand."""
    return tuple(_makers)


def rule(name: str, d: int, /, **options: int) -> Rule:
    """Make a registered rule by name: `rule("borda", 8)`, `rule("approval", 8, k=3)`.

    The name that a rule bears will do as well, "approval-3".
    """
    if (found := _found(name)) is None:
        offer = f"; choose one of {', '.join(_makers)}"
        base, colon, tail = name.partition(":") if isinstance(name, str) else ("", "", "")
        if colon and is_rule(base):
            offer = (
                ": so it is written on the command line; in Python it is "
                f"hv.rule({base!r}, {echo(d)}, {clip(tail)})"
            )
        raise RuleError(
            f"there is no rule {echo(name)}{offer}",
            code="rule.unknown",
            given=name,
        )
    base, held = found
    make = _makers[base]
    for option in options:
        if option in held or option not in _options(base):
            raise RuleError(
                f"rule {echo(name)} has no option {echo(option)}",
                code="rule.option",
                rule=name,
                option=option,
            )
    made = make(d, **held, **options)
    if not isinstance(made, Rule) or made.d != d:
        wrong = RuleError(
            f"the rule {echo(name)} must return an hv.Rule with a score for each of {echo(d)} "
            f"places, not {echo(made)}",
            code="rule.function",
            rule=name,
            given=made,
        )
        place = loading.defined(make)
        raise wrong if place is None else wrong.within(place, defined=place)
    return made


def is_rule(name: object) -> bool:
    """Whether `rule()` understands this name."""
    return _found(name) is not None


def meant(text: str) -> str | None:
    """How a rule is written that somebody may have meant: "approval:k=3" for "3-approval"."""
    letters = re.sub("[^a-z]", "", text.lower())
    names = [name for name in _makers if name.replace("_", "") in letters]
    if not names:
        return None
    name = max(names, key=len)
    options, number = _options(name), re.search("[1-9][0-9]?", text)
    return f"{name}:{options[0]}={number[0] if number else 2}" if options else name


def _found(name: object) -> tuple[str, dict[str, int]] | None:
    """The registered name, and the option that stands behind it in "approval-3"."""
    if not isinstance(name, str):
        return None
    known = name.replace("-", "_")
    if known in _makers:
        return known, {}
    base, _, k = known.rpartition("_")
    if base in _makers and "k" in _options(base) and re.fullmatch("[1-9][0-9]?", k):
        return base, {"k": int(k)}
    return None


def _options(name: str) -> list[str]:
    return list(inspect.signature(_makers[name]).parameters)[1:]


def is_as_named(given: Rule) -> bool:
    """Whether a rule that bears a known name, such as "borda" or "approval-3", has its scores."""
    name, _, k = given.name.partition("-")
    if name not in _makers:
        return True
    try:
        return given == rule(name, given.d, **({"k": int(k)} if k else {}))
    except (RuleError, ValueError):
        return False


@register_rule
def borda(d: int) -> Rule:
    """Scores d-1, d-2, ..., 0."""
    d = _check_size("borda", d)
    return Rule("borda", range(d - 1, -1, -1))


@register_rule
def nauru(d: int) -> Rule:
    """Scores 1, 1/2, ..., 1/d (the Dowdall system of Nauru)."""
    d = _check_size("nauru", d)
    return Rule("nauru", [Fraction(1, place) for place in range(1, d + 1)])


@register_rule
def plurality(d: int) -> Rule:
    """One point for the first place."""
    d = _check_size("plurality", d)
    return Rule("plurality", [1] + [0] * (d - 1))


@register_rule
def antiplurality(d: int) -> Rule:
    """One point for every place but the last (veto)."""
    d = _check_size("antiplurality", d)
    return Rule("antiplurality", [1] * (d - 1) + [0])


@register_rule
def approval(d: int, k: int | None = None) -> Rule:
    """One point for each of the first k places (k-approval); every approval says its k."""
    d = _check_size("approval", d)
    if (firsts := exact.whole(k, 1, d - 1)) is None:
        few = min(2, d - 1)
        wanted = f"approval:k={few}, or in Python approval({d}, k={few})"
        said = f": write {wanted}" if k is None else f", not {echo(k)}"
        raise RuleError(
            f"approval over {d} candidates needs k from 1 to {d - 1}{said}",
            code="rule.option",
            rule="approval",
            option="k",
            given=k,
        )
    return Rule(f"approval-{firsts}", [1] * firsts + [0] * (d - firsts))

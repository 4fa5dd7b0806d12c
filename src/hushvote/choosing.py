"""Compare all mechanisms for one poll, and name the best."""

import math
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from hushvote import exact, loading, lottery, mechanisms, naming
from hushvote.accounting import check_delta, crowd_epsilon_of_any, shuffled_epsilon
from hushvote.checking import flaw
from hushvote.comparison import Choice, Design
from hushvote.errors import MechanismError, echo
from hushvote.exact import Number
from hushvote.mechanisms import (
    BEST,
    Mechanism,
    check_rule,
    default_mechanism,
    is_built_in,
    mechanism_names,
    option_names,
)
from hushvote.planning import check_lead, check_voters
from hushvote.rules import Rule

OBJECTIVES: dict[str, Callable[[Mechanism], float]] = {
    "error": lambda made: made.mse(),
    "soundness": lambda made: made.shift(),
    "balanced": lambda made: math.sqrt(made.mse()) * made.shift(),
}


def mechanism(name: str, rule: Rule, epsilon: Number, **options: Any) -> Mechanism:
    """Make a mechanism by name: `mechanism("additive", borda(8), epsilon=1.0)`.

    "best" is the one of least error; its options are `objective` and `max_gap`, as for `design`.
    """
    if name != BEST:
        return mechanisms.mechanism(name, rule, epsilon, **options)
    for option in options.keys() - {"objective", "max_gap"}:
        raise MechanismError(
            f"the best mechanism has no option {option!r}; its options are objective, max_gap",
            code="mechanism.option",
            mechanism=name,
            option=option,
        )
    return design(rule, lottery.epsilon_of(epsilon), **options).best


def mechanism_written(text: str, rule: Rule, epsilon: Number) -> Mechanism:
    """Make a mechanism as commands and files write it: 'additive:k=2'."""
    name, options = naming.split(text, MechanismError)
    for said in options.keys() & {"name", "rule", "epsilon"}:
        raise MechanismError(
            f"{said} is no option of {echo(name)}, but said apart from it",
            code="mechanism.option",
            mechanism=name,
            option=said,
        )
    return mechanism(name, rule, epsilon, **options)


def design(
    rule: Rule,
    epsilon: Number | None = None,
    n: int = 10_000,
    error: float | None = None,
    *,
    lead: float | None = None,
    objective: str = "error",
    max_gap: float | None = None,
    crowd: float | None = None,
    delta: float = 1e-6,
    turnout: int | None = None,
) -> Design:
    """Compare all mechanisms for a rule: error, risks, and the voters needed for `error`.

    `error` is the wanted standard error of a candidate's mean score, by default one fiftieth of
    the distance between first and last place; with `lead` in its place, voters are those needed to
    certify a winner who is that many points ahead. `objective` says what is best: least "error",
    least shift by a fake report ("soundness"), or least product of the two ("balanced").
    `max_gap` leaves out mechanisms in which one fake report shifts two candidates further apart,
    and designs those anew under that cap that can be.

    With `crowd` in place of `epsilon` (which is 1 by default), epsilon is the largest of two digits
    with which the best mechanism keeps that epsilon towards whoever sees only the set of all
    reports, if at least `turnout` of them (by default n) are honest; but for a chance of `delta`.
    """
    check_rule(rule, "design")
    n = check_voters(n)
    if lead is not None:
        check_lead(rule, lead)
        if error is not None:
            raise MechanismError(
                "give either a lead or a wanted error, not both: each says by itself how many "
                "voters are needed",
                code="design.goal",
            )
    error = _wanted_error(rule, error)
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise MechanismError(
            f"there is no objective {objective!r}; choose one of {', '.join(OBJECTIVES)}",
            code="design.objective",
            given=objective,
        )
    max_gap = None if max_gap is None else _cap(max_gap)
    _check_crowd(epsilon, crowd, delta)
    turnout = n if turnout is None else _check_turnout(turnout, n)

    def found(epsilon: Number) -> tuple[list[Mechanism], dict[str, str]]:
        return _ranked(rule, epsilon, objective, max_gap)

    if crowd is not None:
        epsilon = _afforded(lambda local: found(local)[0][0], crowd, turnout, delta)
    elif epsilon is None:
        epsilon = 1
    made, skipped = found(epsilon)
    return Design(
        rule,
        exact.fraction(epsilon),
        n,
        error,
        lead,
        objective,
        max_gap,
        tuple(Choice(one, n, error, lead, turnout, delta) for one in made),
        skipped,
        crowd,
        delta,
        turnout,
    )


def _ranked(
    rule: Rule, epsilon: Number, objective: str, max_gap: float | None
) -> tuple[list[Mechanism], dict[str, str]]:
    """All mechanisms that fit, best first; and why the others do not."""
    made: list[Mechanism] = []
    skipped: dict[str, str] = {}
    too_far: dict[str, float] = {}
    for name in mechanism_names():
        try:
            one = _made(name, rule, epsilon, max_gap)
        except MechanismError as reason:
            skipped[name] = str(reason)
            continue
        except (Exception, SystemExit) as error:
            if loading.registered("mechanism", name) is None:
                raise
            skipped[name] = loading.failure(error, "mechanism", name)
            continue
        if (wrong := flaw(one) or _uncomparable(one)) is not None:
            skipped[name] = wrong
            continue
        if max_gap is not None and one.shift() > max_gap:
            too_far[name] = one.shift()
            skipped[name] = (
                f"one fake report shifts two candidates apart by {one.shift():.4g}, "
                f"more than {max_gap:g}"
            )
            continue
        made.append(one)
    if not made:
        raise MechanismError(_nothing_fits(skipped, too_far), code="design.empty", max_gap=max_gap)
    aim, first = OBJECTIVES[objective], default_mechanism()
    made.sort(key=lambda one: (float(f"{aim(one):.5g}"), one.name != first))  # that breaks ties
    return made, skipped


def _uncomparable(one: Mechanism) -> str | None:
    """Why the crowd's epsilon of a mechanism that is not hushvote's own cannot be computed."""
    if is_built_in(one):
        return None
    try:
        one.blanket()
    except (Exception, SystemExit) as error:
        return loading.failure(error, "mechanism", one.name)
    return None


def _check_crowd(epsilon: object, crowd: Any, delta: Any) -> None:
    """Refuse what says nothing about the crowd, or too much."""
    if epsilon is not None and crowd is not None:
        raise MechanismError(
            "give either the epsilon of a report or that of the crowd, not both: the one follows "
            "from the other",
            code="design.privacy",
        )
    least = float(lottery.LEAST_EPSILON)
    if crowd is not None and not (exact.is_number(crowd) and least <= crowd < math.inf):
        raise MechanismError(
            f"the epsilon of the crowd must be a number of at least {least:f}, not {crowd!r}",
            code="design.crowd",
            given=crowd,
            least=least,
        )
    check_delta(delta)


def _check_turnout(turnout: object, n: int) -> int:
    """The number of reports that are honest at least; one that n voters cannot send is refused."""
    if (reports := exact.whole(turnout, 1, n)) is None:
        raise MechanismError(
            f"the turnout must be a whole number of reports from 1 to {n:,}, the number of voters, "
            f"not {turnout!r}",
            code="design.turnout",
            given=turnout,
            most=n,
        )
    return reports


def _afforded(
    best: Callable[[Fraction], Mechanism], crowd: float, turnout: int, delta: float
) -> Fraction:
    """The largest epsilon of two digits whose best mechanism keeps the crowd's.

    To design is slow. So what the odds alone promise is scaled to the last mechanism seen, and the
    next is designed where that meets the crowd's epsilon.
    """

    @cache
    def promised(i: int) -> float:
        return crowd_epsilon_of_any(_figure(i), turnout, delta)

    figures = range(_place(lottery.LEAST_EPSILON), _place(lottery.LARGEST_EPSILON) + 1)
    below = bisect_right(figures, exact.fraction(crowd), key=_figure) - 1
    low, high, scale = figures[below], figures[-1] + 1, 1.0  # no crowd makes a report less private
    while high - low > 1:
        guess = bisect_right(range(low, high), crowd / scale, key=promised) - 1 + low
        i = min(max(guess, low + 1), high - 1)
        found = shuffled_epsilon(best(_figure(i)), turnout, delta)
        low, high = (i, high) if found <= crowd else (low, i)
        scale = found / promised(i)
    return _figure(low)


def _figure(i: int) -> Fraction:
    """The numbers of two digits, one after the other: 0.99, 1.0, 1.1 for i = -1, 0, 1."""
    return Fraction(10 + i % 90) * Fraction(10) ** (i // 90 - 1)


def _place(figure: Fraction) -> int:
    """The i of a power of ten."""
    return 90 * round(math.log10(figure))


def _wanted_error(rule: Rule, error: float | None) -> float:
    """The wanted error, or the default."""
    span = float(rule.scores[0] - rule.scores[-1])
    if error is None:
        return span / 50
    low, high = 1e-6 * span, 1e6 * span
    if not exact.is_number(error) or not low <= error <= high:
        raise MechanismError(
            f"the wanted error must be a number of points from {low:g} to {high:g}, not {error!r}",
            code="design.error",
            given=error,
            low=low,
            high=high,
        )
    return float(error)


def _cap(max_gap: object) -> float:
    """The largest gap that is wanted; on the command line, it is a text among options."""
    try:
        cap = float(exact.fraction(max_gap))
    except (ValueError, OverflowError):
        cap = 0
    if cap <= 0:
        raise MechanismError(
            f"the largest gap must be a number above 0, not {max_gap!r}",
            code="design.max-gap",
            given=max_gap,
        )
    return cap


def _nothing_fits(skipped: dict[str, str], too_far: dict[str, float]) -> str:
    """Why there is no choice at all: the default's reason, and that of the one which comes closest
    to the cap.
    """
    first = skipped.get(default_mechanism()) or next(iter(skipped.values()))
    if not too_far:
        return first
    closest = min(too_far, key=too_far.__getitem__)
    return first if skipped[closest] == first else f"{first}; with {closest}, {skipped[closest]}"


def _made(name: str, rule: Rule, epsilon: Number, max_gap: float | None) -> Mechanism:
    """A mechanism of this name, designed under the cap if it can be."""
    capped = max_gap is not None and "max_gap" in option_names(name)
    return mechanisms.mechanism(name, rule, epsilon, **({"max_gap": max_gap} if capped else {}))

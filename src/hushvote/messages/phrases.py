"""Figures and lists as one would say them, the same in sentences, tables and pictures."""

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from hushvote.messages import Said, again, say

LITTLE = 5  # the epsilon beyond which hardly anything is protected
PRECISE = 60  # digits before they are rounded up to three
MOST_NAMES = 4  # that are listed before the others are only counted


def protection(epsilon: float) -> str | None:
    """What a large epsilon protects, in one sentence; None where there is nothing to warn of."""
    if epsilon <= LITTLE:
        return None
    return say("protection.little", epsilon=epsilon, odds=odds(epsilon))


def little_together(epsilon: Fraction, times: int) -> bool:
    """Whether so many reports of one voter protect little, though one alone protects more."""
    return epsilon <= LITTLE < times * epsilon


def odds(epsilon: Fraction | float, times: int = 1) -> str:
    """By how much whoever sees so many reports can multiply their odds about the vote: e to so many
    times epsilon with three digits, never less than it is.
    """
    exponent = Fraction(epsilon) * times
    exact = Context(prec=PRECISE)
    power = exact.exp(exact.divide(Decimal(exponent.numerator), Decimal(exponent.denominator)))
    return say("odds", value=Context(prec=3, rounding=ROUND_CEILING).plus(power.next_plus(exact)))


def percent(share: float) -> str:
    """A share in percent, never rounded up to all."""
    if share < 1 and f"{100 * share:.6g}" == "100":
        return say("percent.nearly_all")
    return say("percent", value=100 * share)


def percent_down(part: int, whole: int) -> str:
    """A share in percent, rounded down to two digits."""
    if not part:
        return say("percent", value=0)
    digits = 1 - math.floor(math.log10(100 * part / whole))
    down = math.floor(Fraction(100 * part, whole) * Fraction(10) ** digits) / 10**digits
    return say("percent", value=down)


def chance(probability: float | None) -> str:
    """A probability in percent; the draws behind it cannot tell 0 and 1 from what is close."""
    if probability is None:
        return say("chance.unknown")
    if probability < 0.001:
        return say("chance.lowest", value=0.1)
    if probability > 0.999:
        return say("chance.highest", value=99.9)
    if probability < 0.01 or probability > 0.99:
        return say("chance.fine", value=100 * probability)
    return say("chance", value=100 * probability)


def places(best: int, worst: int) -> str:
    """The places that a candidate may truly have."""
    if best == worst:
        return say("places.one", place=best)
    if worst == best + 1:
        return say("places.two", best=best, worst=worst)
    return say("places.many", best=best, worst=worst)


def lowest(scores: Sequence[Fraction]) -> str:
    """What the lowest mean score says of every ballot, by a rule with these scores."""
    last, first = scores.count(scores[-1]), scores.count(scores[0])
    if last == 1:
        return say("lowest.one")
    if last == len(scores) - 1:
        return say("lowest.all_but_one")
    if first + last == len(scores):
        return say("lowest.others", ranks=first)
    return say("lowest.some", ranks=last)


def highest(scores: Sequence[Fraction]) -> str:
    """What the highest mean score says of every ballot."""
    first = scores.count(scores[0])
    if first == 1:
        return say("highest.one")
    if first == len(scores) - 1:
        return say("highest.all_but_one")
    return say("highest.some", ranks=first)


def points(x: float) -> str:
    """A difference of scores."""
    return say("points.one" if f"{x:.3g}" == "1" else "points.many", value=x)


def span(one: float, other: float, digits: int = 0) -> str:
    """Two ends, or one number where they are as good as the same."""
    low, high = (round(x, digits) + 0.0 for x in sorted((one, other)))
    ends = [say("end.fine" if digits else "end", value=x) for x in (low, high)]
    return ends[0] if ends[0] == ends[1] else say("span", low=ends[0], high=ends[1])


def commas(names: Sequence[str]) -> str:
    """One after the other."""
    return Said.so(say("list.comma").join(names), lambda: commas(again(names)))


def all_of(names: Sequence[str]) -> str:
    """Several that hold together: "A, B and C"."""
    if len(names) == 1:
        return names[0]
    return say("list.and", most=commas(names[:-1]), last=names[-1])


def any_of(names: Sequence[str]) -> str:
    """Several of which one may hold; of many, how many more there are."""
    if len(names) > MOST_NAMES:
        return say("list.or_others", most=commas(names[:3]), others=len(names) - 3)
    if len(names) == 1:
        return names[0]
    return say("list.or", most=commas(names[:-1]), last=names[-1])

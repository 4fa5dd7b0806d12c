"""Before a poll: voters, epsilon and the lead that can be certified; each follows from the others.

A lead is how far the winner is ahead of all others, or the last who gets a seat of the first who
gets none, in points of the mean score. It is certified if the simultaneous intervals of all
differences show it. With a critical value c for these, and z for the power that is asked for,

    lead = (c + z) √(variance/n) + half a step/n,

or more where lies are rare (`uncertainty.Form`). The variance is the largest that the estimate can
have for candidates so far apart, in any electorate, with one rival, some or all of them so close.
"""

import bisect
import math
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context
from typing import Any, Self

import numpy as np

from hushvote import notebooks
from hushvote.errors import MechanismError
from hushvote.exact import Number, is_number, whole
from hushvote.mechanisms import Mechanism, check_mechanism, check_rule, default_mechanism
from hushvote.mechanisms.contract import Floats
from hushvote.messages import ENGLISH, counted, say
from hushvote.messages.phrases import percent, points
from hushvote.naming import mechanism_of
from hushvote.result import maxt, own_variance
from hushvote.result.form import GAUSSIAN, Form
from hushvote.result.seats import check_seats
from hushvote.result.uncertainty import reports_needed
from hushvote.rules import Rule
from hushvote.tally import MOST_VOTERS

ROUNDED = 1e-5  # a limit that was read off a message may be rounded
LEAST_LEAD = 1e-7  # of the distance between first and last place; 1e15 voters would not do
LARGEST = 10  # epsilon
POWER, LEVEL = 0.9, 0.95


@dataclass(frozen=True)
class Plan:
    """So many voters certify such a lead with this mechanism, with a chance of `power`."""

    mechanism: Mechanism
    n: int
    lead: float
    power: float = POWER
    level: float = LEVEL
    seats: int = 1
    population: bool = False

    @property
    def epsilon(self) -> float:
        """The local epsilon."""
        return float(self.mechanism.epsilon)

    @property
    def words(self) -> str:
        """The plan as a sentence."""
        first, *_, last = self.mechanism.rule.scores
        low, high, lead = float(last), float(first), points(rounded_up(self.lead))
        voters = counted(self.n, "voter")
        if self.seats > 1:
            return say(
                "plan.seats.survey" if self.population else "plan.seats",
                voters=voters,
                epsilon=self.epsilon,
                power=percent(self.power),
                seats=self.seats,
                lead=lead,
                low=low,
                high=high,
            )
        return say(
            "plan.survey" if self.population else "plan",
            voters=voters,
            epsilon=self.epsilon,
            power=percent(self.power),
            lead=lead,
            low=low,
            high=high,
        )

    def _repr_html_(self) -> str:
        rows = [
            ("voters", f"{self.n:,}"),
            ("epsilon", f"{self.epsilon:g}"),
            ("lead, in points", points(rounded_up(self.lead))),
            ("seats", str(self.seats)),
            ("certified with a chance of", percent(self.power)),
            ("confidence", percent(self.level)),
        ]
        heads = [("plan", notebooks.TEXT), ("", notebooks.FIGURE)]
        return notebooks.table(self.mechanism.title, heads, rows, [self.words])

    def with_voters(self, n: int) -> "Plan":
        """The same with other voters: the lead that they certify."""
        n = check_voters(n)
        asked = _Asked(self.power, self.level, self.seats, self.population)
        return replace(self, n=n, lead=_least_lead(self.mechanism, n, asked))

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {
            "mechanism": self.mechanism.name,
            "rule": self.mechanism.rule.name,
            "candidates": self.mechanism.d,
            "n": self.n,
            "epsilon": self.epsilon,
            "lead": self.lead,
            "power": self.power,
            "level": self.level,
            "seats": self.seats,
            "population": self.population,
            "words": self.words,
        }


def plan(
    rule: Rule,
    epsilon: Number | None = None,
    lead: float | None = None,
    n: int | None = None,
    *,
    power: float = POWER,
    level: float = LEVEL,
    seats: int = 1,
    population: bool = False,
    by: str | None = None,
) -> Plan:
    """Give two of epsilon, lead and n, and find the third: the least epsilon (in tenths), the
    least lead, or the fewest voters, such that a lead of that size or more is certified with
    probability `power`; `by` names the mechanism, as in "additive:k=2", by default the duel.
    """
    missing = [name for name, x in (("epsilon", epsilon), ("lead", lead), ("n", n)) if x is None]
    if len(missing) != 1:
        raise MechanismError(
            "give two of epsilon, lead and n (the number of voters), and the plan finds the third; "
            + (f"{' and '.join(missing)} are missing" if missing else "all three were given"),
            code="plan.goal",
            missing=", ".join(missing),
        )
    check_rule(rule, "plan")
    asked = _Asked(power, level, seats, population).checked(rule)
    name = by or default_mechanism()
    if n is not None:
        n = check_voters(n)
    if lead is not None:
        check_lead(rule, lead, asked.seats)
    if epsilon is None:
        assert n is not None
        assert lead is not None
        made = _least_epsilon(name, rule, lead, n, asked)
    else:
        made = mechanism_of(name, rule, epsilon)
    if lead is None:
        assert n is not None
        lead = _least_lead(made, n, asked)
    elif n is None:
        n = voters_needed(made, lead, power, level, seats=seats, population=population)
    return Plan(made, n, float(lead), power, level, asked.seats, population)


def voters_needed(
    mechanism: Mechanism,
    lead: float,
    power: float = POWER,
    level: float = LEVEL,
    *,
    seats: int = 1,
    population: bool = False,
) -> int:
    """The fewest voters that certify such a lead with probability `power`."""
    check_mechanism(mechanism)
    asked = _Asked(power, level, seats, population).checked(mechanism.rule)
    check_lead(mechanism.rule, lead, asked.seats)
    few = _Gaps.of(mechanism, MOST_VOTERS, population).voters(lead, asked)
    size = own_variance.size_of(math.ceil(few))
    while True:  # weights that are made for fewer voters are a little less exact
        n = max(size, math.ceil(_Gaps.of(mechanism, size, population).voters(lead, asked)))
        if own_variance.size_of(n) == size:
            return max(maxt.FEWEST, n)
        size *= 2


def _least_lead(mechanism: Mechanism, n: int, asked: "_Asked") -> float:
    """The least lead that n voters certify, rounded up to three digits."""
    from scipy.optimize import brentq

    gaps, most = _Gaps.of(mechanism, n, asked.population), most_lead(mechanism.rule, asked.seats)

    def short(lead: float) -> float:
        return math.log(min(gaps.voters(lead, asked), MOST_VOTERS) / n)

    _check_enough(n)
    if short(most) > 0:
        raise MechanismError(
            f"{counted(n, 'voter', ENGLISH)} can certify no lead at a local epsilon of "
            f"{float(mechanism.epsilon):g}, not even the largest, {_points(most)}; take a larger "
            "epsilon or more voters",
            code="plan.hopeless",
            n=n,
            epsilon=mechanism.epsilon,
        )
    least = float(brentq(short, LEAST_LEAD * float(mechanism.rule.span), most, xtol=1e-9 * most))
    return min(most, rounded_up(least, 3))


def _least_epsilon(name: str, rule: Rule, lead: float, n: int, asked: "_Asked") -> Mechanism:
    """The mechanism with the least epsilon, in tenths, by which n voters certify the lead."""

    def enough(epsilon: float) -> bool:
        made = mechanism_of(name, rule, f"{epsilon:g}")
        return _Gaps.of(made, n, asked.population).voters(lead, asked) <= n

    _check_enough(n)
    # more epsilon is nearly always better, but not always: whole numbers first, then tenths
    whole = next((e for e in range(1, LARGEST + 1) if enough(e)), None)
    if whole is None:
        raise MechanismError(
            f"{counted(n, 'voter', ENGLISH)} cannot certify a lead of {_points(lead)} at any "
            f"epsilon up to {LARGEST}; plan with a larger lead or more voters",
            code="plan.hopeless",
            n=n,
            lead=lead,
        )
    tenths = [whole - i / 10 for i in range(9, 0, -1)]
    place = bisect.bisect_left(tenths, True, key=enough)
    return mechanism_of(name, rule, f"{[*tenths, whole][place]:g}")


def _points(lead: float) -> str:
    return f"{lead:g} point{'s' * (lead != 1)}"


def _check_enough(n: int) -> None:
    """Refuse so few voters that nothing is ever certified."""
    if n < maxt.FEWEST:
        raise MechanismError(
            f"{counted(n, 'voter', ENGLISH)} can certify no lead at any epsilon: "
            f"plan with at least {maxt.FEWEST} voters",
            code="plan.hopeless",
            n=n,
            least=maxt.FEWEST,
        )


def rounded_up(x: float, digits: int = 2) -> float:
    """To so many digits, never below what it is: 0.911 is 0.92."""
    return float(Context(prec=digits, rounding=ROUND_CEILING).create_decimal(repr(float(x))))


# --- the least favourable electorate ----------------------------------------------------------


@dataclass(frozen=True)
class _Asked:
    """What is to be certified, and how surely."""

    power: float
    level: float
    seats: int
    population: bool

    def checked(self, rule: Rule) -> Self:
        """The same; what makes no sense is refused."""
        maxt.check_power(self.power)
        maxt.check_level(self.level)
        return replace(self, seats=check_seats(self.seats, rule.d))

    def critical(self, d: int) -> float:
        """Standard errors within which all differences lie together."""
        return maxt.all_differences(d).critical_value(self.level)

    def further(self, rivals: int) -> float:
        """Standard errors by which the lead must exceed its limit: for a chance of 1 - power that
        this fails for any of those with a seat and any of so many rivals.
        """
        return maxt.power_quantile(1 - (1 - self.power) / (self.seats * rivals))


@dataclass(frozen=True, eq=False)
class _Gaps:
    """For a leader at rank r and a rival at rank s, how far apart these score, and the variance
    that the estimate has.
    """

    apart: Floats
    variances: Floats
    """Mean estimates; of a survey, mean squares of the difference."""
    most: float
    """No average is larger."""
    form: Form
    population: bool

    @classmethod
    def of(cls, mechanism: Mechanism, n: int, population: bool) -> "_Gaps":
        """Among n voters."""
        first, second = np.triu_indices(mechanism.d, 1)
        w = mechanism.rule.vector
        safe = own_variance.pair_certificate(mechanism, own_variance.size_of(n))
        if (fixed := mechanism.fixed_noise()) is not None:
            own, form = np.diag(fixed.covariance), Form(jump=fixed.jump)
            bounds = variances = own[first] + own[second] - 2 * fixed.covariance[first, second]
        elif safe is not None:
            variances, bounds, form = safe.variances, safe.bounds, safe.form
        else:  # by Cauchy and Schwarz; its results have the errors of a survey
            own, form, population = np.sqrt(mechanism.variances()), GAUSSIAN, True
            bounds = variances = (own[first] + own[second]) ** 2
        most = variances.max()
        if population:
            bounds, form = variances + (w[first] - w[second]) ** 2, GAUSSIAN
            most = bounds.max()
        both = np.full((len(w), len(w)), -np.inf)
        both[first, second] = both[second, first] = bounds
        return cls(w[:, None] - w[None, :], both, float(most), form, population)

    def largest(self, lead: float, rivals: int) -> float:
        """The largest variance against so many rivals who are all `lead` behind, averaged over
        them and over any electorate.

        Its linear program has one price on the lead: for a price p it is at most the largest, over
        the leader's ranks, mean of the variances and p times what is missing to the lead, at the
        ranks where these are largest. Every price bounds it; the best is searched for.
        """
        from scipy.optimize import minimize_scalar

        def bound(price: float) -> float:
            value = self.variances + price * (self.apart - lead)
            best = np.partition(value, -rivals, axis=1)[:, -rivals:]
            return float(best.mean(axis=1).max())

        span = float(self.apart.max())
        ends = (-4 * self.most / span, 4 * self.most / span)
        found = minimize_scalar(bound, bounds=ends, options={"xatol": 1e-6 * ends[1]})
        largest = min(self.most, float(found.fun))
        return largest - lead**2 if self.population else largest

    def voters(self, lead: float, asked: _Asked) -> float:
        """How many certify the lead, whether there is one rival so close, some, or all are."""
        d = len(self.apart)
        lead = min(lead, float(self.apart.max()))
        numbers = {min(d - asked.seats, 1 << i) for i in range(d.bit_length())}
        return max(
            reports_needed(
                lead,
                self.largest(lead, rivals),
                self.form,
                asked.critical(d),
                asked.further(rivals),
            )
            for rivals in numbers
        )


# --- what can be asked for --------------------------------------------------------------------


def most_lead(rule: Rule, seats: int = 1) -> float:
    """The largest lead that there can be: everybody puts the same ones first, and all others, and
    all of those, are level.
    """
    first, others = rule.scores[:seats], rule.scores[seats:]
    return float(sum(first) / len(first) - sum(others) / len(others))


def check_lead(rule: Rule, lead: float, seats: int = 1) -> None:
    """Refuse a lead that no candidate can have, or nobody can certify."""
    most = most_lead(rule, seats)
    if not is_number(lead) or not 0 < lead <= most * (1 + ROUNDED):
        raise MechanismError(
            f"the lead must be a number of points above 0 and at most {most:g}, which a candidate "
            f"has whom everybody puts first while all others are level, not {lead!r}",
            code="design.lead",
            given=lead,
            most=most,
        )
    least = LEAST_LEAD * float(rule.span)
    if lead < least:
        raise MechanismError(
            f"a lead of {_points(lead)} takes more voters than can be counted; "
            f"ask for one of at least {least:g}",
            code="design.lead",
            given=lead,
            least=least,
        )


def check_voters(n: object) -> int:
    """The number of voters; one that cannot be is refused."""
    if (voters := whole(n, 1, MOST_VOTERS)) is None:
        raise MechanismError(
            f"the number of voters must be a whole number from 1 to {MOST_VOTERS:,}, not {n!r}",
            code="design.voters",
            given=n,
            most=MOST_VOTERS,
        )
    return voters

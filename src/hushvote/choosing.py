"""Compare all mechanisms for one poll, and name the best."""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from hushvote import exact, loading, lottery, mechanisms, notebooks
from hushvote.accounting import check_delta, crowd_epsilon_of_any, shuffled_epsilon
from hushvote.bounds import optimum
from hushvote.checking import BOUNDED, flaw
from hushvote.errors import MechanismError
from hushvote.exact import Number
from hushvote.frames import frame_of
from hushvote.mechanisms import (
    Mechanism,
    Risks,
    default_mechanism,
    is_built_in,
    mechanism_names,
    option_names,
)
from hushvote.messages import ENGLISH, counted
from hushvote.planning import check_lead, voters_needed
from hushvote.rules import Rule
from hushvote.tally import MOST_VOTERS


@dataclass(frozen=True, repr=False)
class Choice:
    """One mechanism with what to expect of it among n voters, `turnout` of whom report honestly."""

    mechanism: Mechanism
    n: int
    error: float
    lead: float | None
    turnout: int
    delta: float

    @property
    def mse(self) -> float:
        """Expected squared distance of the estimated from the true mean scores."""
        return self.mechanism.mse(self.n)

    @property
    def tve(self) -> float:
        """Expected total variation error, the sum of all candidates' absolute errors.

        sqrt(2 d MSE / π), by the normal approximation.
        """
        return math.sqrt(2 * self.mechanism.d * self.mse / math.pi)

    @property
    def risks(self) -> Risks:
        """What one dishonest report can do."""
        return self.mechanism.risks(self.n)

    @property
    def local_epsilon(self) -> float:
        """What holds towards whoever sees a report come in, the operator included."""
        return self.mechanism.certificate().epsilon

    @cached_property
    def crowd_epsilon(self) -> float:
        """What holds towards whoever sees only the set of all reports, if at least `turnout` of
        them are honest; but for a chance of `delta`.
        """
        return shuffled_epsilon(self.mechanism, self.turnout, self.delta)

    @cached_property
    def voters(self) -> int:
        """Voters needed to certify a winner who is truly ahead by `lead`, with a power of 90 %; or,
        without a lead, for a standard error of `error` in each candidate's mean score.
        """
        if self.lead is not None:
            return voters_needed(self.mechanism, self.lead)
        return math.ceil(self.mechanism.mse() / self.mechanism.d / self.error**2)

    def __repr__(self) -> str:
        voters = counted(self.n, "voter", ENGLISH)
        return f"<Choice: {self.mechanism.title}, {voters}, MSE {self.mse:.3g}>"

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data; an unbounded risk is null."""
        risks = {name: x if math.isfinite(x) else None for name, x in vars(self.risks).items()}
        return {
            "mechanism": self.mechanism.name,
            "options": self.mechanism.options(),
            "mse": self.mse,
            "tve": self.tve,
            "risks": risks,
            "shift": self.mechanism.shift(),
            "voters": self.voters,
            "local_epsilon": self.local_epsilon,
            "crowd_epsilon": self.crowd_epsilon,
        }


OBJECTIVES: dict[str, Callable[[Mechanism], float]] = {
    "error": lambda made: made.mse(),
    "soundness": lambda made: made.shift(),
    "balanced": lambda made: math.sqrt(made.mse()) * made.shift(),
}


@dataclass(frozen=True, repr=False)
class Design:
    """All mechanisms that fit, best first; `skipped` says why others do not."""

    rule: Rule
    epsilon: Fraction
    n: int
    error: float
    lead: float | None
    objective: str
    max_gap: float | None
    choices: tuple[Choice, ...]
    skipped: dict[str, str]
    crowd: float | None
    delta: float
    turnout: int

    @property
    def best(self) -> Mechanism:
        """The first choice."""
        return self.choices[0].mechanism

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    @cached_property
    def least_mse(self) -> float | None:
        """Below this MSE no unbiased mechanism can come; None for too many candidates."""
        if self.rule.d > BOUNDED:
            return None
        return optimum(self.rule, self.epsilon).bound / self.n

    def to_frame(self, library: str | None = None) -> Any:
        """A data frame with a row a mechanism, best first.

        It is one of pandas, or of Polars where pandas is not installed; `library` names either.
        """
        rows = [
            {
                "mechanism": choice.mechanism.label,
                "local_epsilon": choice.local_epsilon,
                "crowd_epsilon": choice.crowd_epsilon,
                "mse": choice.mse,
                "tve": choice.tve,
                **vars(choice.risks),
                "shift": choice.mechanism.shift(),
                "voters": choice.voters,
            }
            for choice in self
        ]
        return frame_of({name: [row[name] for row in rows] for name in rows[0]}, library)

    def __repr__(self) -> str:
        names = ", ".join(choice.mechanism.label for choice in self)
        return f"<Design: {self._title}; best first: {names}>"

    def _repr_html_(self) -> str:
        heads = ["mechanism", "local", "crowd", "MSE", "TVE", "shift", "voters"]
        rows = [
            [
                choice.mechanism.label,
                *(
                    f"{figure:.3g}"
                    for figure in (
                        choice.local_epsilon,
                        choice.crowd_epsilon,
                        choice.mse,
                        choice.tve,
                        choice.mechanism.shift(),
                    )
                ),
                f"{choice.voters:,}",
            ]
            for choice in self
        ]
        sides = [notebooks.TEXT] + [notebooks.FIGURE] * (len(heads) - 1)
        words = [f"{name} is left out: {reason}" for name, reason in self.skipped.items()]
        return notebooks.table(self._title, list(zip(heads, sides, strict=True)), rows, words)

    @property
    def _title(self) -> str:
        return f"{self.rule}, epsilon {float(self.epsilon):g}, {counted(self.n, 'voter', ENGLISH)}"

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "rule": self.rule.name,
            "candidates": self.rule.d,
            "epsilon": float(self.epsilon),
            "n": self.n,
            "error": self.error,
            "lead": self.lead,
            "objective": self.objective,
            "max_gap": self.max_gap,
            "least_mse": self.least_mse,
            "crowd": self.crowd,
            "delta": self.delta,
            "turnout": self.turnout,
            "mechanisms": [choice.to_dict() for choice in self.choices],
            "skipped": self.skipped,
        }


BEST = "best"


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
    return design(rule, epsilon, **options).best


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
    if not isinstance(rule, Rule):
        raise MechanismError(
            f"a design needs a rule such as borda(8), not {rule!r}",
            code="mechanism.rule",
            given=rule,
        )
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MOST_VOTERS:
        raise MechanismError(
            f"the number of voters must be a whole number from 1 to {MOST_VOTERS:,}, not {n!r}",
            code="design.voters",
            given=n,
            most=MOST_VOTERS,
        )
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
    if max_gap is not None and not (exact.is_number(max_gap) and 0 < max_gap < math.inf):
        raise MechanismError(
            f"the largest gap must be a number above 0, not {max_gap!r}",
            code="design.max-gap",
            given=max_gap,
        )
    turnout = n if turnout is None else turnout
    _check_crowd(epsilon, crowd, delta, turnout, n)

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


def _check_crowd(epsilon: object, crowd: Any, delta: Any, turnout: Any, n: int) -> None:
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
    whole = isinstance(turnout, int) and not isinstance(turnout, bool)
    if not whole or not 1 <= turnout <= n:
        raise MechanismError(
            f"the turnout must be a whole number of reports from 1 to {n:,}, the number of voters, "
            f"not {turnout!r}",
            code="design.turnout",
            given=turnout,
            most=n,
        )


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

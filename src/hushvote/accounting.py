"""What a vote costs in privacy: among n mixed reports, and over several polls.

Local privacy needs no trust in anyone. If reports are also mixed before anyone sees them, so that
nobody can tell who sent which, the crowd protects its members further: `shuffled_epsilon`. It
does not hold against an operator who sees who sent what. The other way round, every further
report costs its epsilon again: `Ledger`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from hushvote import exact, lottery
from hushvote.errors import HushvoteError, MechanismError, echo
from hushvote.mechanisms import check_mechanism
from hushvote.mechanisms.blanket import Blanket
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.tally import MOST_VOTERS

LEAST_EPSILON = 1e-9  # that the tight bound looks for
MOST_SUMMED = 10**7  # reports up to which the law of their sum is computed
LEAST_NORMAL = 10**5  # and from which on a normal law may come closer to it
FINE, LEAST_POINTS, MOST_POINTS = 0.02, 1 << 16, 1 << 18  # its grid: the step in units of X, sizes
LOST = 40.0  # -ln of the chance that a sum is off the grid
NOTHING, FAR = (
    1e-12,
    1e3,
)  # a share of X, and a difference of ln δ, that are as good as none and all
LARGEST_EXPONENT = 500.0
BERRY_ESSEEN = 0.4748  # for independent sums of one law (Shevtsova, Doklady Mathematics 83, 2011)
SLACK = 1e-6  # in ln δ, for rounding errors that grow neither with n nor with the grid


def shuffled_epsilon(
    mechanism: Mechanism, n: int, delta: float = 1e-6, *, bound: str = "tight"
) -> float:
    """The epsilon towards anyone who sees only the mixed reports of n voters, but for a chance
    of `delta`; never above the mechanism's own. Only honest reports count.

    bound="tight": from the mechanism's own law, or from its odds alone where that is not known.
    bound="closed": one formula for all (Feldman, McMillan, Talwar, FOCS 2021, theorem 3.1).
    Challenge gains nothing by mixing, since its questions show whose a report is.
    """
    check_mechanism(mechanism)
    if (reports := exact.whole(n, 1, MOST_VOTERS)) is None:
        raise MechanismError(
            f"the number of reports must be a whole number from 1 to {MOST_VOTERS:,}, not {n!r}",
            code="accounting.reports",
            given=n,
            most=MOST_VOTERS,
        )
    check_delta(delta)
    if not isinstance(bound, str) or bound not in BOUNDS:
        raise MechanismError(
            f"there is no bound {bound!r}; choose one of {', '.join(BOUNDS)}",
            code="accounting.bound",
            given=bound,
        )
    local = mechanism.certificate().epsilon
    return local if mechanism.traceable else min(local, BOUNDS[bound](mechanism, reports, delta))


def check_delta(delta: Any) -> None:
    """Refuse a delta that is no chance."""
    if not exact.is_number(delta) or not 0 < delta < 1:
        raise MechanismError(
            f"delta must lie between 0 and 1, not {delta!r}", code="accounting.delta", given=delta
        )


def crowd_epsilon_of_any(epsilon: Fraction, n: int, delta: float) -> float:
    """The same for every mechanism with this epsilon, from its odds alone."""
    odds = lottery.Odds.of(epsilon).ratio
    return least_epsilon(Blanket.of_odds(odds), n, delta, float(epsilon))


def _closed(mechanism: Mechanism, n: int, delta: float) -> float:
    """ln(1 + (1 - 1/E)(a + c)/(1 + (1/E)/(1 + a + c))), a = 8 √(E ln(4/δ)/n), c = 8 E/n; it
    holds for e <= ln(n/(16 ln(4/δ))), else nothing is gained.
    """
    local = mechanism.certificate().epsilon
    E, log = math.exp(local), math.log(4 / delta)
    if n / (16 * log) < E:
        return local
    crowd = 8 * math.sqrt(E * log / n) + 8 * E / n
    return math.log1p((1 - 1 / E) * crowd / (1 + 1 / E / (1 + crowd)))


def _tight(mechanism: Mechanism, n: int, delta: float) -> float:
    """The least epsilon with δ(epsilon) <= delta, rounded up to one where that was computed."""
    return least_epsilon(mechanism.blanket(), n, delta, mechanism.certificate().epsilon)


BOUNDS: dict[str, Callable[[Mechanism, int, float], float]] = {"tight": _tight, "closed": _closed}


def least_epsilon(blanket: Blanket, n: int, delta: float, local: float) -> float:
    """The same for a blanket, and at most `local`; searched for around what a normal law says."""
    from scipy.optimize import brentq  # heavy

    @cache
    def excess(log_epsilon: float, roughly: bool = False) -> float:
        found = log_delta(blanket, n, math.exp(log_epsilon), roughly)
        return max(found - math.log(delta), -FAR)

    ends = math.log(LEAST_EPSILON), math.log(local) - 1e-6
    if excess(ends[0]) <= 0:
        return LEAST_EPSILON
    if excess(ends[1]) > 0:
        return local
    guess = ends[1]
    if excess(ends[0], True) > 0 > excess(ends[1], True):
        guess = float(brentq(excess, *ends, args=(True,), xtol=1e-6))
    low = high = guess
    away = 1e-3
    while low > ends[0] and excess(low) <= 0:
        low, high, away = max(ends[0], low - away), low, 8 * away
    while high < ends[1] and excess(high) > 0:
        low, high, away = high, min(ends[1], high + away), 8 * away
    found, step = float(brentq(excess, low, high, xtol=1e-6)), 1e-6
    while found < ends[1] and excess(found) > 0:
        found, step = min(ends[1], found + step), 2 * step
    return math.exp(found)


def log_delta(blanket: Blanket, n: int, epsilon: float, roughly: bool = False) -> float:
    """An upper bound of ln δ(ε), where δ(ε) = E[(X_1 + ... + X_n)^+] / n with X = f - exp(ε) g on
    the blanket, and 0 off it (Balle, Bell, Gascón, Nissim, CRYPTO 2019, lemma 5.3);
    or roughly, from a normal law, which is no bound.
    """
    values = blanket.one - math.exp(epsilon) * blanket.other
    alone = float((blanket.masses * np.maximum(values, 0)).sum())  # δ of one, above that of many
    if values.max() <= NOTHING * -values.min():
        return math.log(alone) if alone else -math.inf
    mean = -math.expm1(epsilon)  # exactly, as f and g are probabilities
    if roughly:
        return _normal(_Tilted.of(blanket.masses, values, mean), n, 0.0)
    bounds = []
    if n <= MOST_SUMMED:
        bounds.append(_summed(blanket.masses, values, mean, n))
    if n >= LEAST_NORMAL:
        bounds.append(_normal(_Tilted.of(blanket.masses, values, mean), n, BERRY_ESSEEN))
    return min(bounds) + SLACK


@dataclass(frozen=True, eq=False)
class _Tilted:
    """The law of X with weights exp(θ x - K), under which its mean is 0: then sums S around 0,
    which make up δ, are no longer rare. E[S^+] = exp(n K) E'[exp(-θ S) S^+].
    """

    values: Floats  # all but 0
    chances: Floats
    theta: float
    K: float

    @classmethod
    def of(cls, masses: Floats, values: Floats, mean: float) -> "_Tilted":
        """Find θ > 0. With `mean` from outside, nothing is lost where mean and θ are tiny."""
        from scipy.optimize import brentq

        def slope(theta: float) -> float:
            return float((masses * values * np.expm1(theta * values)).sum()) + mean

        high = -mean / float((masses * values**2).sum())
        while slope(high) < 0:
            high *= 2
        theta = float(brentq(slope, 0.0, high, xtol=1e-14 * high, rtol=1e-14))
        power = theta * values
        if np.abs(power).max() < 1:
            K = math.log1p(float((masses * (np.expm1(power) - power)).sum()) + theta * mean)
        else:
            K = math.log(1 - masses.sum() + float((masses * np.exp(power)).sum()))
        return cls(values, masses * np.exp(power - K), theta, K)

    def moment(self, p: int) -> float:
        """E'[|X|^p]."""
        return float((self.chances * np.abs(self.values) ** p).sum())

    def reach(self, n: int, sign: int) -> float:
        """A bound that sign S stays below but for a chance of exp(-LOST), by Chernoff."""
        most = LARGEST_EXPONENT / float(np.abs(self.values).max())
        t = np.minimum(most, np.geomspace(0.3, 300, 40) / math.sqrt(n * self.moment(2)))
        grown = np.log1p((np.expm1(sign * t[:, None] * self.values) * self.chances).sum(axis=1))
        found = float(((n * grown + LOST) / t).min())
        return min(found, n * float((sign * self.values).max()))


def _normal(tilted: _Tilted, n: int, C: float) -> float:
    """With N normal of the same variance τ² in place of S: E[exp(-θ N) N^+] is
    τ φ(0) (1 - a Φ(-a)/φ(a)), a = θ τ, and at most τ φ(0)/(1 + a²). The function of N goes up to
    1/(e θ) and down again, so by Berry and Esseen that is wrong by at most C E|X|³/(σ³ √n) times
    2/(e θ).
    """
    from scipy.special import erfcx

    tau = math.sqrt(n * tilted.moment(2))
    a = tilted.theta * tau
    mills = math.sqrt(math.pi / 2) * float(erfcx(a / math.sqrt(2)))
    near = tau / math.sqrt(2 * math.pi) * (1 - a * mills if a < 100 else 1 / (1 + a * a))
    wrong = C * n * tilted.moment(3) / tau**3 * 2 / (math.e * tilted.theta)
    return n * tilted.K - math.log(n) + math.log(near + wrong)


def _summed(masses: Floats, values: Floats, mean: float, n: int) -> float:
    """By the law of the sum, from the power of a Fourier transform. All that is not exact is
    covered:

    - the values of X are split onto a grid so that their mean stays, which can only raise δ;
    - sums below the grid fall upon others and only add; those above have a chance of at most
      exp(-LOST) and count 1/(e θ) at most;
    - each transform of P points is off by at most 8 u log2 P of its length in the 2-norm, u the
      unit of rounding (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2), the
      power by n times that;
    - chances have relative errors of less than that, so those of the sum have n times as much.
    """
    points, step = 0, FINE * math.sqrt(float((masses * values**2).sum()))
    while True:
        tilted = _Tilted.of(*_on_grid(masses, values, step), mean)
        low, high = tilted.reach(n, -1), tilted.reach(n, 1)
        wanted = (low + high) / step + 4
        if wanted <= points:
            break
        points = points or min(MOST_POINTS, max(LEAST_POINTS, 1 << math.ceil(math.log2(wanted))))
        step *= 1.01 * wanted / points
    places = np.rint(tilted.values / step).astype(np.int64) % points
    law = np.bincount(places, tilted.chances, minlength=points)
    law[0] += max(0.0, 1 - law.sum())
    spectrum = np.fft.rfft(law)
    spectrum[np.abs(spectrum) < math.exp(-LOST / n)] = 0  # and so less than exp(-LOST) in the end
    law_of_sum = np.fft.irfft(spectrum**n, points)
    sums = np.arange(1, math.floor(high / step) + 2)
    counts = sums * step * np.exp(-tilted.theta * step * sums)
    rounding = 8 * math.log2(points) * 2.0**-53
    wrong = 4 * (n + 1) * rounding * math.sqrt((law**2).sum() * (counts**2).sum())
    lost = math.exp(-LOST) / (math.e * tilted.theta)
    total = float((law_of_sum[sums] * counts).sum()) + wrong + lost
    return n * (tilted.K + rounding) - math.log(n) + math.log(total)


def _on_grid(masses: Floats, values: Floats, step: float) -> tuple[Floats, Floats]:
    """Split each value between its two neighbours on the grid, with its mean kept."""
    places = values / step
    below = np.floor(places)
    first = int(below.min())
    index = below.astype(np.int64) - first
    size = int(index.max()) + 2
    law = np.bincount(index, masses * (1 - places + below), minlength=size)
    law += np.bincount(index + 1, masses * (places - below), minlength=size)
    found = np.flatnonzero((law > 0) & (np.arange(size) != -first))
    return np.asarray(law[found], dtype=np.float64), (found + first).astype(np.float64) * step


# --- the voter's ledger -----------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One report that a voter's device drew: the poll, and its stated epsilon."""

    poll: str
    epsilon: float


@dataclass
class Ledger:
    """What one voter's reports have cost so far, over changes of mind and over polls.

    Epsilons add up, whatever the polls were about. A changed vote is a further report and costs
    again; its withdrawal refunds nothing. So note every draw. A report that was drawn before may
    be sent again for nothing; to draw anew for the same vote costs, even if the same report
    comes out.
    """

    entries: list[Entry] = field(default_factory=list)

    def record(self, poll: str, mechanism: Mechanism) -> None:
        """Note that a report was drawn for a poll, at the epsilon that its mechanism states: what
        voters are shown, whatever little less its odds come to.
        """
        if not isinstance(poll, str):
            raise HushvoteError(
                f"a poll is named by a text, not {poll!r}", code="ledger.poll", given=poll
            )
        check_mechanism(mechanism)
        self.entries.append(Entry(poll, float(mechanism.epsilon)))

    def epsilon(self, poll: str | None = None, delta: float = 0.0) -> float:
        """What the reports, or those of one poll, cost together.

        Their sum; with a `delta` above 0 the smaller of that and
        Σ ε (E - 1)/(E + 1) + √(2 ln(1/δ) Σ ε²) (Kairouz, Oh, Viswanath, ICML 2015).
        """
        if not exact.is_number(delta) or not 0 <= delta < 1:
            raise HushvoteError(
                f"delta must be at least 0 and below 1, not {delta!r}",
                code="accounting.delta",
                given=delta,
            )
        spent = [one.epsilon for one in self.entries if poll in (None, one.poll)]
        if delta == 0 or not spent:
            return math.fsum(spent)
        drift = math.fsum(e * math.tanh(e / 2) for e in spent)
        return min(
            math.fsum(spent),
            drift + math.sqrt(2 * math.log(1 / delta) * math.fsum(e * e for e in spent)),
        )

    def to_json(self) -> list[dict[str, Any]]:
        """The entries as plain data, for the device to keep."""
        return [vars(one).copy() for one in self.entries]

    @classmethod
    def from_json(cls, entries: list[dict[str, Any]]) -> "Ledger":
        """Read what `to_json` wrote."""
        try:
            made = [Entry(**one) for one in entries]
        except TypeError as error:
            raise HushvoteError(
                f"this ledger is damaged: {echo(error)}", code="ledger.damaged", reason=error
            ) from None
        for one in made:
            sound = isinstance(one.poll, str) and exact.is_number(one.epsilon)
            if not sound or not 0 < one.epsilon < math.inf:
                raise HushvoteError(
                    f"this ledger is damaged: {one} makes no sense",
                    code="ledger.damaged",
                    poll=one.poll,
                    epsilon=one.epsilon,
                )
        return cls(made)

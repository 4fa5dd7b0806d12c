"""What a vote costs in privacy: among n mixed reports, and over several polls.

Local privacy needs no trust in anyone. If reports are also mixed before anyone sees them, so that
nobody can tell who sent which, the crowd protects its members further: `shuffled_epsilon`. It
does not hold against an operator who sees who sent what. The other way round, every further
report costs its epsilon again: `Ledger`.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hushvote.errors import HushvoteError, MechanismError, echo
from hushvote.exact import is_number
from hushvote.mechanisms import listing
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.tally import MOST_VOTERS

FINE, MOST_POINTS = 0.02, 1 << 18  # the grid of sums: its step in units of X, and its size
LEAST_DELTA = 1e-10  # below, rounding errors of the convolution would count


def shuffled_epsilon(
    mechanism: Mechanism, n: int, delta: float = 1e-6, *, bound: str = "closed"
) -> float:
    """The epsilon towards anyone who sees only the mixed reports of n voters, but for a chance
    of `delta`; never above the mechanism's own.

    bound="closed": safe for every mechanism (Feldman, McMillan, Talwar, FOCS 2021, theorem 3.1).
    bound="tight": from the mechanism's own law, which must be short enough to list (not Laplace).
    Challenge gains nothing by mixing, since its questions show whose a report is.
    """
    _check_mechanism(mechanism)
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or not 1 <= n <= MOST_VOTERS:
        raise MechanismError(
            f"the number of reports must be a whole number from 1 to {MOST_VOTERS:,}, not {n!r}",
            code="accounting.reports",
            given=n,
            most=MOST_VOTERS,
        )
    if not is_number(delta) or not 0 < delta < 1:
        raise MechanismError(
            f"delta must lie between 0 and 1, not {delta!r}", code="accounting.delta", given=delta
        )
    if not isinstance(bound, str) or bound not in BOUNDS:
        raise MechanismError(
            f"there is no bound {bound!r}; choose one of {', '.join(BOUNDS)}",
            code="accounting.bound",
            given=bound,
        )
    local = mechanism.certificate().epsilon
    return local if mechanism.traceable else min(local, BOUNDS[bound](mechanism, n, delta))


def _check_mechanism(mechanism: object) -> None:
    if not isinstance(mechanism, Mechanism):
        raise MechanismError(
            f"name a mechanism such as hv.mechanism('duel', hv.borda(8), 1), not {mechanism!r}",
            code="mechanism.type",
            given=mechanism,
        )


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
    """The least epsilon with δ(epsilon) <= delta, by halving; rounded up."""
    if delta < LEAST_DELTA:
        raise MechanismError(
            f"the tight bound is computed for delta from {LEAST_DELTA:g} on, not {delta}; "
            'use bound="closed"',
            code="accounting.delta",
            given=delta,
            least=LEAST_DELTA,
        )
    blanket = _blanket(mechanism)
    low, high = 0.0, mechanism.certificate().epsilon
    if _delta(blanket, n, high) > delta:
        return high
    while high - low > 1e-5 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if _delta(blanket, n, middle) <= delta else (middle, high)
    return high


BOUNDS: dict[str, Callable[[Mechanism, int, float], float]] = {"closed": _closed, "tight": _tight}


@dataclass(frozen=True, eq=False)
class _Blanket:
    """Reports that any voter may have sent, by classes: how often a voter sends one of the class
    whatever the vote is, and how many times likelier one vote and another make it.
    """

    masses: Floats
    one: Floats
    other: Floats


def _blanket(mechanism: Mechanism) -> _Blanket:
    """The blanket of a mechanism (Balle, Bell, Gascón, Nissim, CRYPTO 2019).

    Renaming candidates turns any vote into any other, and a report into one of its orbit. So the
    least probability of a report, over all votes, is the least in its orbit; and no two votes
    are further apart than if, within each orbit, the one's likeliest report were the other's
    least likely: for a given spread of either, f - c g is then most spread out, and only convex
    functions of it count below.
    """
    if (orbits := listing.orbits(mechanism)) is None:
        raise MechanismError(
            f"{mechanism.name} has too many kinds of reports for the tight bound, or does not name "
            'candidates by sets; use bound="closed"',
            code="mechanism.unlisted",
            mechanism=mechanism.name,
        )
    classes: dict[tuple[float, float], float] = defaultdict(float)
    for rising in orbits.values():
        least = rising[0]
        for one, other in zip(rising / least, rising[::-1] / least, strict=True):
            classes[round(float(one), 12), round(float(other), 12)] += float(least)
    ratios = np.array(list(classes))
    return _Blanket(np.array(list(classes.values())), ratios[:, 0], ratios[:, 1])


def _delta(blanket: _Blanket, n: int, epsilon: float) -> float:
    """δ(ε) = E[(X_1 + ... + X_n)^+] / n, where X = f - exp(ε) g on the blanket, and 0 off it.

    The values of X are split onto a grid so that their mean stays: that spreads them out, and so
    can only raise δ. The sum's law is a power of a Fourier transform.
    """
    values = blanket.one - math.exp(epsilon) * blanket.other
    masses = np.append(blanket.masses, max(0.0, 1 - blanket.masses.sum()))
    values = np.append(values, 0.0)
    mean, power = float(masses @ values), float(masses @ values**2)
    half_width = 12 * math.sqrt(n * power) + 40 * float(np.abs(values).max())
    wanted = 2 * half_width / (FINE * math.sqrt(power))
    points = min(MOST_POINTS, 1 << math.ceil(math.log2(wanted)))
    step = 2 * half_width / points
    places = values / step
    below = np.floor(places)
    grid = np.zeros(points)
    np.add.at(grid, below.astype(np.int64) % points, masses * (1 - places + below))
    np.add.at(grid, (below.astype(np.int64) + 1) % points, masses * (places - below))
    law_of_sum = np.fft.irfft(np.fft.rfft(grid) ** n, points)
    first = math.floor(n * mean / step) - points // 2
    positive = np.arange(max(1, first), first + points)
    return float(law_of_sum[positive % points] @ positive) * step / n


# --- the voter's ledger -----------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One report that a voter's device drew: the poll, and its epsilon."""

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
        """Note that a report was drawn for a poll."""
        if not isinstance(poll, str):
            raise HushvoteError(
                f"a poll is named by a text, not {poll!r}", code="ledger.poll", given=poll
            )
        _check_mechanism(mechanism)
        self.entries.append(Entry(poll, mechanism.certificate().epsilon))

    def epsilon(self, poll: str | None = None, delta: float = 0.0) -> float:
        """What the reports, or those of one poll, cost together.

        Their sum; with a `delta` above 0 the smaller of that and
        Σ ε (E - 1)/(E + 1) + √(2 ln(1/δ) Σ ε²) (Kairouz, Oh, Viswanath, ICML 2015).
        """
        if not is_number(delta) or not 0 <= delta < 1:
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
            sound = isinstance(one.poll, str) and is_number(one.epsilon)
            if not sound or not 0 < one.epsilon < math.inf:
                raise HushvoteError(
                    f"this ledger is damaged: {one} makes no sense",
                    code="ledger.damaged",
                    poll=one.poll,
                    epsilon=one.epsilon,
                )
        return cls(made)

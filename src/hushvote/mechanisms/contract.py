"""The contract: what a mechanism declares, and what every mechanism gets for it.

A mechanism is a rule, an epsilon and a lottery. It turns rankings into reports on the voter's
device, and reports into unbiased views of the scored votes at the counter's. One file under
`mechanisms/` is a whole mechanism: a subclass of `Mechanism` with the abstract methods below,
registered by the decorator `register`. The command line, the file formats, the certificates
and the comparison of mechanisms find it by its name.
"""

import decimal
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushvote import exact, lottery, rankings
from hushvote.errors import MechanismError, TallyError
from hushvote.lottery import Bits, Odds
from hushvote.mechanisms.fields import Domain, Field, Reports
from hushvote.mechanisms.gains import Gains
from hushvote.rankings import Orders
from hushvote.rules import Rule
from hushvote.tally import MOST_VOTERS, Counts, Tally, digest_of, exact_sum

Floats = NDArray[np.float64]
Weights = NDArray[np.int64]
Axis = Literal["level", "candidate", "pair", "over"]

MOST_LISTED = 1 << 14  # reports up to which a law is listed one by one
COUNT_BYTES = 1 << 20  # reports checked and counted at a time


@dataclass(frozen=True)
class Risks:
    """What one dishonest report among n can do."""

    max_magnitude: float
    """Largest |view|₁ of any report, over n."""
    expected_magnitude: float
    """Mean |view|₁ of an honest report, over n."""
    diameter: float
    """Largest |view - view'|₁ of two reports."""
    gap: float
    """Furthest that one report can move the difference of two candidates' total scores."""


@dataclass(frozen=True)
class Reach:
    """What one report adds to a count, over all rankings."""

    values: tuple[int, ...]
    """What it may add, other than 0."""
    low: float
    """A lower bound of its mean."""
    high: float
    """An upper bound of its mean."""
    square: float
    """An upper bound of its mean square."""


@dataclass(frozen=True)
class Certificate:
    """A proof in exact arithmetic that no report is more than `odds` times likelier under one
    ranking than under another.
    """

    asked: Fraction
    odds: Fraction
    steps: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if self.odds > lottery.exp_below(self.asked):
            raise MechanismError(
                f"the odds {float(self.odds)} exceed exp({float(self.asked):g}): "
                "these parameters do not keep the epsilon that they state"
            )

    @cached_property
    def epsilon(self) -> float:
        """ln(odds), never above the epsilon that was asked for."""
        with decimal.localcontext(prec=50):
            ratio = decimal.Decimal(self.odds.numerator) / decimal.Decimal(self.odds.denominator)
            return min(float(ratio.ln()), float(self.asked))


class Mechanism(ABC):
    """A rule, an epsilon and a lottery that keeps every vote private."""

    name: ClassVar[str]
    traceable: ClassVar[bool] = False
    """Whether a report shows whose it is, so that mixing reports hides nobody."""

    def __init__(self, rule: Rule, epsilon: object, *, odds: Odds | None = None) -> None:
        self.rule = rule
        self.epsilon = lottery.epsilon_of(epsilon)
        self.odds = odds or Odds.of(self.epsilon)
        if not 1 < self.odds.ratio <= lottery.exp_below(self.epsilon):
            raise MechanismError(
                f"odds of {self.odds.up}/{self.odds.down} do not fit epsilon "
                f"{float(self.epsilon):g}: they must be above 1 and at most exp(epsilon)"
            )

    @classmethod
    def restored(cls, rule: Rule, epsilon: str, odds: Odds, **options: Any) -> Self:
        """Make the mechanism that wrote these parameters anew."""
        return cls(rule, epsilon, odds=odds, **options)

    # --- what a mechanism declares ------------------------------------------------------------

    @property
    @abstractmethod
    def fields(self) -> tuple[Field, ...]:
        """The columns of a report."""

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """What distinguishes this mechanism beyond rule, epsilon and odds, as plain JSON; the
        constructor takes the same names and values.
        """

    @abstractmethod
    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Reports:
        """Randomise one vote: the normative draw, the same in every language to the bit; on the
        question of this hash, where the mechanism `needs_question`.
        """

    @abstractmethod
    def randomize(self, orders: Orders, bits: Bits) -> Reports:
        """Randomise a block of checked rankings: the same law as `draw`, in bulk."""

    @abstractmethod
    def views(self, reports: Reports) -> Floats:
        """The unbiased estimate of the scored vote that each report stands for."""

    @abstractmethod
    def zero(self) -> Counts:
        """The counts of no reports."""

    @abstractmethod
    def count(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """Count a block of reports that are known to be in the domain, each as often as its weight
        says: whole numbers of at least 0, of at most `MOST_VOTERS` in all, so that sums of them are
        exact in 64-bit floats too.
        """

    @abstractmethod
    def moments(self, tally: Tally) -> tuple[Floats, Floats]:
        """Mean view of the tallied reports, and a conservative covariance of that mean."""

    @abstractmethod
    def mse(self, n: int = 1) -> float:
        """Expected squared distance of the mean view of n reports from the true mean."""

    @abstractmethod
    def variances(self) -> Floats:
        """Variance of the view of the candidate at each rank; their sum is `mse()`."""

    @abstractmethod
    def sum_variance(self) -> float:
        """Variance of the sum of one view's entries."""

    @abstractmethod
    def risks(self, n: int = 1) -> Risks:
        """What one dishonest report among n can do."""

    @abstractmethod
    def certificate(self) -> Certificate:
        """The proof of the privacy bound, for any number of candidates."""

    @abstractmethod
    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """The exact law: every report with its probability, for small d."""

    @abstractmethod
    def disguise(self, favour: int, against: int, n: int = 1, rng: Bits | None = None) -> Reports:
        """The reports an attacker would send: drawn uniformly among those that lift `favour`
        over `against` the most.
        """

    @abstractmethod
    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """One report as a sentence for the voter."""

    # --- what every mechanism gets ------------------------------------------------------------

    @property
    def d(self) -> int:
        """Number of candidates."""
        return self.rule.d

    @property
    def needs_question(self) -> bool:
        """Whether the voter cannot choose what to report on: a hash of 32 bytes fixes it."""
        return False

    def answers(self, report: Reports, question: bytes) -> bool:
        """Whether one report (an array of length 1) answers the question of this hash; always,
        where there is none.
        """
        return True

    def shift(self) -> float:
        """How far one fake report moves the difference of two candidates' totals: the largest
        gap, or its mean where the attacker cannot choose the question.
        """
        return self.risks().gap

    def dishonest_gains(self) -> Gains:
        """What dishonest credentials add to a gap that they aim at. Here the attacker chooses the
        report, so every one adds the largest gap (or what a filter lets pass of it); override it
        where a credential fixes the question.
        """
        gap = self.risks().gap
        return Gains.free(gap if math.isfinite(gap) else self.shift())

    def miniature(self) -> "Mechanism":
        """What stands in for this mechanism where everything is listed: the mechanism itself, or
        a smaller one with the same draw if its reports are too many.
        """
        return self

    @property
    def block(self) -> int:
        """Voters that `privatize` randomises at a time."""
        return rankings.BLOCK

    @cached_property
    def domain(self) -> Domain:
        """The reports that this mechanism can send."""
        return Domain(self.fields)

    def parameters(self) -> dict[str, Any]:
        """Plain JSON from which `mechanism_from` restores this mechanism exactly."""
        return {
            "mechanism": self.name,
            "rule": {"name": self.rule.name, "scores": [str(w) for w in self.rule.scores]},
            "epsilon": str(self.epsilon),
            "odds": [exact.to_json(self.odds.up), exact.to_json(self.odds.down)],
            **self.options(),
        }

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of the parameters."""
        return digest_of(self.parameters())

    def privatize(
        self, orders: ArrayLike, rng: Bits | None = None, questions: ArrayLike | None = None
    ) -> Reports:
        """Randomise many rankings, with secure bits unless a seeded `rng` is given; on these
        questions (n rows of 32 bytes), where the mechanism `needs_question`.

        Report i comes from ranking i. Whoever may see the reports but not who sent which must
        get them in another order; `privatize_file` writes them in a random one.

        A seeded generator is for simulation only: whoever knows the seed can undo the noise.
        Report i belongs to ranking i. Whoever passes the reports on without their voters must
        sort or shuffle them first, as every report file does. A single ranking goes through
        `draw`, whose use of bytes says nothing about the vote.
        """
        bits = lottery.source(rng)
        if questions is not None:
            checked = rankings.checked(orders, self.d)
            return self.randomize_on(_question_rows(questions, len(checked)), checked, bits)
        matrix = rankings.as_matrix(orders, self.d)
        if len(matrix) == 1:
            return self.draw(matrix[0], bits)
        reports = self.domain.empty(len(matrix))
        raw = np.dtype((np.void, reports.itemsize))  # whole records copy faster than their fields
        for block in rankings.blocks(len(matrix), self.block):
            rankings.check_rows(matrix[block], self.d, first=block.start)
            part = self.randomize(matrix[block].astype(np.uint8, copy=False), bits)
            reports.view(raw)[block] = part.view(raw)
        return reports

    def randomize_on(self, questions: NDArray[np.uint8], orders: Orders, bits: Bits) -> Reports:
        """Randomise a block of checked rankings, each on the question of its own hash."""
        drawn = [
            self.draw(order, bits, question=row.tobytes())
            for order, row in zip(orders, questions, strict=True)
        ]
        return np.concatenate([self.domain.empty(0), *drawn])

    def tally(self, reports: Reports, *, weights: ArrayLike | None = None, first: int = 0) -> Tally:
        """Check reports against the domain and count them, each once or as often as `weights` says;
        `first` is the number that errors give to the first of them.
        """
        self.domain.check(reports[:0] if isinstance(reports, np.ndarray) else reports)
        often = None if weights is None else _checked_weights(weights, len(reports))
        counts = dict(self.zero())
        size = max(rankings.BLOCK, COUNT_BYTES // self.domain.dtype.itemsize)
        for block in rankings.blocks(len(reports), size):
            self.domain.check(reports[block], first=first + block.start)
            part = None if often is None else often[block]
            for name, array in self.count(reports[block], part).items():
                counts[name] = exact_sum(counts[name], array)
        n = len(reports) if often is None else int(often.sum())
        return Tally(self.parameters(), n, counts)

    def check_tally(self, tally: Tally) -> None:
        """Refuse a tally whose arrays are not the ones that this mechanism counts."""
        zero = self.zero()
        shapes = {name: array.shape for name, array in tally.counts.items()}
        if shapes != {name: array.shape for name, array in zero.items()}:
            raise TallyError(
                f"this tally is damaged: {self.name} counts "
                + ", ".join(f"{name} of shape {array.shape}" for name, array in zero.items())
            )
        if not 0 <= tally.n <= MOST_VOTERS:
            raise TallyError(f"this tally is damaged: it holds {tally.n} reports")
        if not self.consistent(tally):
            raise TallyError(f"this tally is damaged: no {tally.n} reports have these counts")
        if tally.candidates is not None and len(tally.candidates) != self.d:
            raise TallyError(
                f"this tally is damaged: it names {len(tally.candidates)} candidates, "
                f"but its rule scores {self.d}"
            )

    def consistent(self, tally: Tally) -> bool:
        """Whether n reports of this mechanism can have these counts, as far as that is simple."""
        return True

    def covariance(self) -> Floats:
        """Covariance of one view around the vote, averaged over uniform rankings.

        By symmetry it is α (I - J/d) + β J/d; its trace is the MSE, and β d is the variance of
        the view's sum.
        """
        d = self.d
        along = np.full((d, d), 1 / d)
        beta = self.sum_variance() / d
        alpha = (self.mse() - beta) / (d - 1)
        return np.asarray(alpha * (np.eye(d) - along) + beta * along)

    def gap_variance(self) -> float:
        """Variance of the difference of two candidates in one view, over uniform rankings: that of
        the mechanism, 2 MSE/(d-1) where views have a fixed sum, and that of the votes.
        """
        noise = self.covariance()
        votes = float(self.rule.spread) / (self.d - 1)
        return float(2 * (noise[0, 0] - noise[0, 1] + votes))

    def tilt(self, scores: Floats) -> Floats:
        """How fast the variance of a candidate's views grows with its true score: the slope of
        their second moments over the scores of the ranks, less 2 score.
        """
        return self._slope - 2 * scores

    @cached_property
    def _slope(self) -> float:
        w = self.rule.vector
        away = w - w.mean()
        return float(away @ (self.variances() + w**2) / (away @ away))

    @cached_property
    def _average_covariance(self) -> Floats:
        return self.covariance()

    @cached_property
    def _least_variance(self) -> float:
        return float(self.variances().min())

    def sample_covariance(self, mean: Floats, second: Floats, n: int) -> Floats:
        """Covariance of the mean of n views from their mean and mean outer product.

        Votes differ, so the spread of the views is at least the mechanism's own: conservative.
        Few reports may by chance show less than the least variance that the mechanism has at any
        rank; then as much of its average covariance is added as is missing. A single report
        shows no spread at all; then that average stands in.
        """
        if n < 2:
            return self.covariance() / n
        spread = (second - np.outer(mean, mean)) / (n - 1)
        missing = self._least_variance / n - float(np.diag(spread).min())
        if missing <= 0:
            return np.asarray(spread)
        average = self._average_covariance
        return np.asarray(spread + missing / average[0, 0] * average)

    # --- what detection asks: bounds over all rankings ----------------------------------------

    @cached_property
    def listed(self) -> tuple[Reports, Floats] | None:
        """All reports and their chances under the ranking 0, 1, ...; None if they are too many."""
        return None if self.domain.size > MOST_LISTED else self._law(range(self.d))

    def _law(self, ranking: Sequence[int]) -> tuple[Reports, Floats]:
        found = list(self.outcomes(ranking))
        return np.concatenate([one for one, _ in found]), np.array([float(p) for _, p in found])

    @cached_property
    def orbits(self) -> dict[tuple[object, ...], Floats] | None:
        """The chances of all reports of an orbit, rising: other names of the candidates make other
        rankings of one and send a report into its orbit, so they are the same for every ranking.
        None if the reports are too many, or do not name candidates by sets.
        """
        if self.listed is None:
            return None
        found = self._by_orbit(*self.listed)
        order = list(range(self.d))
        others = (self._by_orbit(*self._law(x)) for x in (order[::-1], order[1:] + order[:1]))
        return found if all(_alike(found, other) for other in others) else None

    def _by_orbit(self, reports: Reports, chances: Floats) -> dict[tuple[object, ...], Floats]:
        found: dict[tuple[object, ...], list[float]] = {}
        for report, chance in zip(reports, chances, strict=True):
            found.setdefault(self.domain.orbit(report), []).append(float(chance))
        return {orbit: np.sort(each) for orbit, each in found.items()}

    def chances(self, reports: Reports) -> tuple[Floats, Floats] | None:
        """Least and largest chance of each report, over all rankings; None if nobody can tell.
        Here, from the list of all outcomes.
        """
        if self.orbits is None:
            return None
        never = np.zeros(1)
        found = [self.orbits.get(self.domain.orbit(report), never) for report in reports]
        return np.array([each[0] for each in found]), np.array([each[-1] for each in found])

    def axes(self) -> dict[str, tuple[Axis, ...]]:
        """What the axes of the tally's arrays stand for: a "level" (a type, a class, an answer), a
        "candidate", a "pair" (two axes, alike both ways round, single candidates on the
        diagonal) or one candidate "over" another (two axes). Arrays that are left out are not
        inspected.
        """
        return {}

    def sides(self, reports: Reports) -> tuple[Floats, Floats] | None:
        """Where reports put some candidates over others: who is above, and who below, as 0s and
        1s, a row for each report; None where reports say no such thing.
        """
        return None

    def memberships(self) -> dict[str, Floats]:
        """For arrays of the tally that count candidates: how likely the candidate at each rank is
        to be counted, level by level (of an array of pairs, its diagonal); for others, how likely
        each level is, as a column. Needed where the outcomes are too many to list.
        """
        return {}

    def pairings(self) -> dict[str, list[Reach]]:
        """For arrays of the tally that count pairs of candidates: what one report adds for a pair,
        level by level. Needed where the outcomes are too many to list.
        """
        return {}

    def level_words(self, level: int) -> str:
        """Which reports the tally's arrays count at one of their levels."""
        return f"of kind {level}"

    def excess(self, points: Floats, n: int) -> Floats | None:
        """log of the chance at most that the views of m = 1, ..., d-1 candidates add up to so many
        points more than they should, over n reports; None where views have a largest size.
        """
        return None

    # --- small things -------------------------------------------------------------------------

    def begun(
        self, ranking: Sequence[int], bits: Bits | None, question: bytes | None
    ) -> tuple[list[int], Bits]:
        """What every draw begins with: a checked ranking, and where the bits come from; a question
        is refused where there is none to answer.
        """
        if question is not None and not self.needs_question:
            raise MechanismError(f"{self.title}: no hash fixes what to report on, so give none")
        return self.one_ranking(ranking), lottery.source(bits)

    def one_ranking(self, ranking: Sequence[int]) -> list[int]:
        """Check a single ranking."""
        matrix = rankings.checked(np.asarray(ranking)[None, ...], self.d)
        return [int(candidate) for candidate in matrix[0]]

    def check_pair(self, favour: int, against: int) -> None:
        """Refuse a pair of candidates for `disguise` that is not two different candidates."""
        if favour == against or not (0 <= favour < self.d and 0 <= against < self.d):
            raise MechanismError(
                f"favour and against must be two different candidates from 0 to {self.d - 1}, "
                f"not {favour} and {against}"
            )

    @property
    def label(self) -> str:
        """The name, and the size of its sets if it has one."""
        size = self.options().get("k")
        return self.name if size is None else f"{self.name} (k = {size})"

    @property
    def title(self) -> str:
        """Mechanism, rule and epsilon in a few words."""
        return f"{self.label}, {self.rule}, epsilon {float(self.epsilon):g}"

    def __repr__(self) -> str:
        options = "".join(
            f", {key}={value!r}" for key, value in self.options().items() if len(str(value)) < 20
        )
        return f"<{self.name} for {self.rule}, epsilon={float(self.epsilon):g}{options}>"


def _question_rows(questions: ArrayLike, n: int) -> NDArray[np.uint8]:
    rows = np.asarray(questions)
    if rows.dtype != np.uint8 or rows.shape != (n, 32):
        raise MechanismError(
            f"questions must be {n} rows of 32 bytes, not {rows.dtype} of shape {rows.shape}"
        )
    return rows


def _checked_weights(weights: ArrayLike, n: int) -> Weights:
    given = np.asarray(weights)
    if not np.issubdtype(given.dtype, np.integer) or given.shape != (n,):
        raise TallyError(
            f"weights must be {n} whole numbers, not {given.dtype} of shape {given.shape}"
        )
    if n and (given.min() < 0 or given.sum(dtype=np.float64) > MOST_VOTERS):
        raise TallyError(f"weights must be at least 0, and {MOST_VOTERS:,} at most in all")
    return given.astype(np.int64, copy=False)


def _alike(one: dict[tuple[object, ...], Floats], other: dict[tuple[object, ...], Floats]) -> bool:
    return one.keys() == other.keys() and all(
        each.shape == other[orbit].shape and np.allclose(each, other[orbit], rtol=1e-9, atol=0)
        for orbit, each in one.items()
    )

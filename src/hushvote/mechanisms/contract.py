"""The contract: what a mechanism declares, and what every mechanism gets for it.

A mechanism is a rule, an epsilon and a lottery. It turns rankings into reports on the voter's
device, and reports into unbiased views of the scored votes at the counter's. One file under
`mechanisms/` is a whole mechanism: a subclass of `Mechanism` with a name and the nine abstract
members below, registered by the decorator `register`. The command line, the file formats, the
certificates and the comparison of mechanisms find it by its name.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushvote import cores, exact, lottery, rankings
from hushvote.canonical import digest_of
from hushvote.errors import MechanismError, TallyError, echo
from hushvote.exact import Number
from hushvote.frames import Frame
from hushvote.lottery import Bits, Odds
from hushvote.mechanisms import bulk, guarding, listing
from hushvote.mechanisms.blanket import Blanket
from hushvote.mechanisms.fields import Domain, Field, Reports
from hushvote.mechanisms.gains import Gains
from hushvote.mechanisms.moments import FixedNoise, Moments, PairLaw
from hushvote.mechanisms.promises import Certificate, Risks
from hushvote.mechanisms.signals import Signals
from hushvote.mechanisms.spread import Floats, Spread
from hushvote.mechanisms.taking import Weights, questions_of, single, taken, weights_of, with_names
from hushvote.messages import ENGLISH, counted, say
from hushvote.rankings import Orders, Rankings
from hushvote.rules import Rule
from hushvote.tally import MOST_VOTERS, Counts, Tally

__all__ = ["Certificate", "Floats", "Mechanism", "Risks", "Weights"]


class Mechanism(Spread, ABC):
    """A rule, an epsilon and a lottery that keeps every vote private."""

    name: ClassVar[str]
    traceable: ClassVar[bool] = False
    """Whether a report shows whose it is, so that mixing reports hides nobody."""
    members: ClassVar[tuple[str, ...]] = ()
    """Options that no parameters may leave to a default."""
    designing: ClassVar[tuple[str, ...]] = ()
    """Options that only help to find the others, and stand in no parameters."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        guarding.guard(cls, Mechanism)

    def __init__(self, rule: Rule, epsilon: Number, *, odds: Odds | None = None) -> None:
        guarding.check_signatures(type(self), Mechanism)
        self.rule = rule
        self.epsilon = lottery.epsilon_of(epsilon)
        self.odds = odds or Odds.of(self.epsilon)
        self.odds.check(self.epsilon)

    @classmethod
    def restored(cls, rule: Rule, epsilon: Fraction, odds: Odds, **options: Any) -> Self:
        """Make the mechanism that wrote these parameters anew."""
        return cls(rule, epsilon, odds=odds, **options)

    # --- what a mechanism declares ------------------------------------------------------------

    @property
    @abstractmethod
    def fields(self) -> tuple[Field, ...]:
        """The columns of a report."""

    @abstractmethod
    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Reports:
        """Randomise one vote: the normative draw, the same in every language to the bit; on the
        question of this hash, where the mechanism `needs_question`.
        """

    @abstractmethod
    def views(self, reports: Reports) -> Floats:
        """The unbiased estimate of the scored vote that each report stands for."""

    @abstractmethod
    def count(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """Count a block of reports that are known to be in the domain, each as often as its weight
        says: whole numbers of at least 0, of at most `MOST_VOTERS` in all, so that sums of them are
        exact in 64-bit floats too.
        """

    @abstractmethod
    def moments(self, n: int, counts: Counts) -> Moments:
        """Sums of the views of n reports, and of their products, from what they count."""

    @abstractmethod
    def variances(self) -> Floats:
        """Variance of the view of the candidate at each rank; their sum is `mse()`."""

    @abstractmethod
    def certificate(self) -> Certificate:
        """The proof of the privacy bound, for any number of candidates."""

    @abstractmethod
    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """The exact law: every report with its probability, for small d."""

    @abstractmethod
    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """One report as a sentence for the voter."""

    # --- what it may declare: faster, or in closed form ---------------------------------------

    def options(self) -> dict[str, Any]:
        """What distinguishes this mechanism beyond rule, epsilon and odds, as plain JSON; the
        constructor takes the same names and values.
        """
        return {}

    def randomize(self, orders: Orders, bits: Bits) -> Reports:
        """Randomise a block of checked rankings: the same law as `draw`, in bulk."""
        return np.concatenate([self.domain.empty(0), *(self.draw(o, bits) for o in orders)])

    def zero(self) -> Counts:
        """The counts of no reports."""
        return self.count(self.domain.empty(0))

    def sum_variance(self) -> float:
        """Variance of the sum of one view's entries; by default from the listed law."""
        return listing.sum_variance(self)

    def risks(self, n: int = 1) -> Risks:
        """What one dishonest report among n can do; by default from the listed law."""
        one = listing.risks(self)
        return replace(
            one,
            max_magnitude=one.max_magnitude / n,
            expected_magnitude=one.expected_magnitude / n,
        )

    def disguise(self, favour: int, against: int, n: int = 1, rng: Bits | None = None) -> Reports:
        """The reports an attacker would send: drawn uniformly among those that lift `favour`
        over `against` the most; by default from the listed law.
        """
        worst = listing.most_harmful(self, favour, against)
        drawn = lottery.Wheel([1] * len(worst)).draw(n, lottery.source(rng))
        return np.asarray(worst[drawn])

    def pair_law(self) -> PairLaw | None:
        """What one report says of two candidates, for every two ranks; by default from the listed
        law, None where that is too long.
        """
        return listing.pair_law(self)

    def fixed_noise(self) -> FixedNoise | None:
        """The noise of a view, where it is the same for every vote."""
        return None

    def consistent(self, n: int, counts: Counts) -> bool:
        """Whether n reports of this mechanism can have these counts, as far as that is simple."""
        return True

    def simulated_mean(
        self, orders: Orders, truth: Floats, rng: np.random.Generator
    ) -> Floats | None:
        """For simulation: the mean view of these voters, whose true mean scores are `truth`, by a
        shorter way than drawing every report, but with the same distribution; None without one.
        """
        return None

    def signals(self) -> Signals | None:
        """What detection may know of the counts beyond the listed law."""
        return None

    def blanket(self) -> Blanket:
        """What reports have in common whatever the vote is; by default from the listed law, or from
        the odds alone if reports are too many, or do not name candidates by sets.
        """
        if (orbits := listing.orbits(self)) is None:
            return Blanket.of_odds(self.certificate().odds)
        return Blanket.joined(
            Blanket.paired(each.sum(), each, np.ones(len(each)), each[0])
            for each in orbits.values()
        )

    # --- what every mechanism gets ------------------------------------------------------------

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
        fields = self.fields
        if not isinstance(fields, tuple) or not all(isinstance(one, Field) for one in fields):
            raise MechanismError(
                f"the fields of {self.name} must be a tuple of hv.Field, such as "
                f"(hv.Field.mask('chosen', {self.d}),), not {echo(fields)}",
                code="mechanism.fields",
                mechanism=self.name,
                given=fields,
            )
        return Domain(fields)

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
        self,
        orders: "ArrayLike | Rankings | Frame",
        rng: Bits | None = None,
        questions: ArrayLike | None = None,
        *,
        jobs: int | None = None,
    ) -> Reports:
        """Randomise many rankings, with secure bits unless a seeded `rng` is given; on these
        questions (n rows of 32 bytes), where the mechanism `needs_question`.

        `orders` is a matrix of numbers, `Rankings`, or what these are made of: lists of names or a
        data frame. Where candidates have names, the reports know them, and so does their tally.

        A seeded generator is for simulation only: whoever knows the seed can undo the noise.
        Report i comes from ranking i. Whoever may see the reports but not who sent which must
        get them in another order; `privatize_file` writes them in a random one. A single ranking
        goes through `draw`, whose use of bytes says nothing about the vote. Very many are shared
        out among `jobs` processes, by default as many as there are cores; not with a seed.
        """
        cores.asked(jobs)  # refused even where there is little to share out
        if (votes := rankings.named(orders)) is not None:
            reports = self.privatize(votes.orders, rng, questions, jobs=jobs)
            return with_names(reports, votes.candidates)
        orders = cast(ArrayLike, orders)
        if questions is not None:
            checked = rankings.checked(orders, self.d)
            rows = questions_of(questions, len(checked))
            return self.randomize_on(rows, checked, lottery.bulk_source(rng))
        matrix = rankings.as_matrix(orders, self.d)
        if len(matrix) == 1:
            rankings.check_rows(matrix, self.d)
            return self.draw(matrix[0], lottery.source(rng))
        return bulk.privatized(self, matrix, rng, jobs)

    def randomize_on(self, questions: NDArray[np.uint8], orders: Orders, bits: Bits) -> Reports:
        """Randomise a block of checked rankings, each on the question of its own hash."""
        drawn = [
            self.draw(order, bits, question=row.tobytes())
            for order, row in zip(orders, questions, strict=True)
        ]
        return np.concatenate([self.domain.empty(0), *drawn])

    def tally(
        self,
        reports: "Reports | Sequence[Reports] | Frame",
        *,
        weights: ArrayLike | None = None,
        first: int = 0,
        jobs: int | None = None,
    ) -> Tally:
        """Check reports against the domain and count them, each once or as often as `weights` says;
        `first` is the number that errors give to the first of them.

        They are an array, arrays or single records in a list, or a data frame with the columns of a
        file of reports. Very many are shared out among `jobs` processes, by default as many as
        there are cores.
        """
        reports, names = taken(self.domain, self.d, reports)
        often = None if weights is None else weights_of(weights, len(reports))
        counts = bulk.counted(self, reports, often, first, jobs)
        n = len(reports) if often is None else int(often.sum())
        return Tally(self.parameters(), n, counts, names)

    def check_tally(self, tally: Tally) -> None:
        """Refuse a tally whose arrays are not the ones that this mechanism counts."""
        zero = self.zero()
        shapes = {name: array.shape for name, array in tally.counts.items()}
        if shapes != {name: array.shape for name, array in zero.items()}:
            raise TallyError(
                f"this tally is damaged: {self.name} counts "
                + ", ".join(f"{name} of shape {array.shape}" for name, array in zero.items()),
                code="tally.form",
                mechanism=self.name,
            )
        if not 0 <= tally.n <= MOST_VOTERS:
            raise TallyError(
                f"this tally is damaged: it holds {tally.n} reports", code="tally.form", n=tally.n
            )
        if not self.consistent(tally.n, tally.counts):
            raise TallyError(
                "this tally is damaged: these are not the counts of "
                f"{counted(tally.n, 'report', ENGLISH)}",
                code="tally.form",
                n=tally.n,
            )
        if tally.candidates is not None and len(tally.candidates) != self.d:
            raise TallyError(
                f"this tally is damaged: its rule scores {self.d} candidates, and it names "
                f"{len(tally.candidates)}",
                code="tally.form",
                names=len(tally.candidates),
                d=self.d,
            )

    @cached_property
    def listed(self) -> tuple[Reports, Floats] | None:
        """All reports and their chances under the ranking 0, 1, ...; None if they are too many."""
        return listing.law_of(self, range(self.d)) if listing.fits(self) else None

    # --- small things -------------------------------------------------------------------------

    def begun(
        self, ranking: Sequence[int], bits: Bits | None, question: bytes | None
    ) -> tuple[list[int], Bits]:
        """What every draw begins with: a checked ranking, and where the bits come from; a question
        is refused where there is none to answer.
        """
        if question is not None and not self.needs_question:
            raise MechanismError(
                f"{self.name}: no hash fixes what to report on, so give none",
                code="question.needless",
                mechanism=self.name,
            )
        return self.one_ranking(ranking), lottery.source(bits)

    def one_ranking(self, ranking: Sequence[int]) -> list[int]:
        """Check a single ranking."""
        return rankings.one_order(ranking, self.d)

    def one_report(self, report: Reports, candidates: Sequence[str] | None = None) -> Reports:
        """Check that this is a single report, an array of length 1; and the names, if any."""
        if candidates is not None:
            self.check_names(candidates)
        return single(self.domain, report)

    def check_names(self, candidates: Sequence[str]) -> None:
        """Refuse what are not the names of as many different candidates as there are."""
        names = rankings.names_of([*candidates] if isinstance(candidates, str) else candidates)
        if len(names) != self.d:
            raise MechanismError(
                f"{self.name} is for {self.d} candidates, but {len(names)} are named",
                code="name.number",
                number=len(names),
                d=self.d,
            )

    def check_pair(self, favour: object, against: object) -> None:
        """Refuse a pair of candidates for `disguise` that is not two different candidates."""
        pair = {exact.whole(one, 0, self.d - 1) for one in (favour, against)}
        if len(pair) < 2 or None in pair:
            raise MechanismError(
                f"favour and against must be two different candidates from 0 to {self.d - 1}, "
                f"not {echo(favour)} and {echo(against)}",
                code="candidate.pair",
                one=favour,
                other=against,
                d=self.d,
            )

    @property
    def label(self) -> str:
        """The name, and the size of its sets if it has one."""
        size = self.options().get("k")
        return self.name if size is None else say("label.size", name=self.name, k=size)

    @property
    def title(self) -> str:
        """Mechanism, rule and epsilon in a few words."""
        return say("title", label=self.label, rule=str(self.rule), epsilon=float(self.epsilon))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mechanism):
            return NotImplemented
        return type(self) is type(other) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash((type(self), self.digest))

    def __repr__(self) -> str:
        options = "".join(
            f", {key}={value!r}" for key, value in self.options().items() if len(str(value)) < 20
        )
        return f"<{self.name} for {self.rule}, epsilon={float(self.epsilon):g}{options}>"


for base in (Spread, Mechanism):
    guarding.guard(base, Mechanism)

"""What a tally says: scores with honest errors, the order, who has won, and what may be doubted."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hushvote import exact
from hushvote.errors import TallyError
from hushvote.files import AnyPath
from hushvote.frames import frame_of
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.messages import ENGLISH, counted
from hushvote.result import margin as margins
from hushvote.result import maxt
from hushvote.result.margin import Margin
from hushvote.result.projection import Projection, order_of, projected
from hushvote.result.seats import Elected, elected
from hushvote.result.uncertainty import (
    Uncertainty,
    about_population,
    about_voters,
    reports_needed,
)
from hushvote.rules import Rule
from hushvote.tally import MOST_VOTERS, Tally

if TYPE_CHECKING:
    from hushvote.detection import Inspection
    from hushvote.plots import Picture
    from hushvote.result.explaining import Explanation

__all__ = ["Elected", "Margin", "Projection", "Result", "Uncertainty"]


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Estimated mean scores per voter, with their errors."""

    rule: Rule
    n: int
    scores: Floats
    uncertainty: Uncertainty
    candidates: tuple[str, ...] | None = None
    mechanism: Mechanism | None = None

    @classmethod
    def of(cls, mechanism: Mechanism, tally: Tally, *, population: bool = False) -> "Result":
        """Estimate the scores behind a tally: those of these voters, or of a population that they
        were drawn from at random.
        """
        mechanism.check_tally(tally)
        if tally.n < 1:
            raise TallyError(
                "this tally holds no reports; there is nothing to estimate", code="tally.empty"
            )
        moments = mechanism.moments(tally.n, tally.counts)
        about = about_population if population else about_voters
        errors = about(mechanism, moments)
        return cls(mechanism.rule, tally.n, moments.mean, errors, tally.candidates, mechanism)

    @property
    def names(self) -> tuple[str, ...]:
        """The candidates' names, or their numbers."""
        return self.candidates or tuple(str(j) for j in range(self.rule.d))

    @property
    def population(self) -> bool:
        """Whether errors are those of a population from which the voters were drawn, and not of
        the votes of these voters alone.
        """
        return self.uncertainty.population

    @property
    def standard_errors(self) -> Floats:
        """The standard error of each score."""
        return self.uncertainty.standard_errors

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Candidates from the highest score to the lowest; equal scores by number."""
        return order_of(self.scores)

    @property
    def leader(self) -> int:
        """The candidate with the highest score; of several, the lowest number (see `tied`).

        Noise may have lifted it: who has surely won, `certified` says.
        """
        return self.order[0]

    @cached_property
    def tied(self) -> tuple[tuple[int, ...], ...]:
        """Groups of candidates with exactly the same score, best first."""
        groups: dict[float, list[int]] = {}
        for j in self.order:
            groups.setdefault(float(self.scores[j]), []).append(j)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    # --- how sure -----------------------------------------------------------------------------

    def interval(self, level: float = 0.95, *, simultaneous: bool = True) -> Floats:
        """Confidence intervals, one row (low, high) a candidate.

        Simultaneous: all true scores lie in their intervals together with probability `level`.
        Otherwise each interval holds for its own candidate alone.

        A score that is too high may come with a variance that is estimated too low, or the other
        way round. So an end goes out to where error² = critical² variance(end) / n, as in Wilson's
        interval for a share. About a population, that is the variance of the views at that score;
        about these voters, what the estimate would have been without the error of the score.
        """
        critical = self.uncertainty.critical(level) if simultaneous else maxt.alone(level)
        wide = self.uncertainty.widths(critical)
        variance_slope = np.full(self.rule.d, self.uncertainty.slope)
        if self.mechanism is not None and self.population:
            variance_slope = self.mechanism.variance_slope(self.scores)
        bend = variance_slope * critical**2 / self.n / 2
        bent = np.hypot(bend, wide)
        return np.stack(
            [
                self.scores - np.maximum(wide, bent - bend),
                self.scores + np.maximum(wide, bent + bend),
            ],
            axis=1,
        )

    def differences(self, level: float = 0.95) -> Floats:
        """Simultaneous intervals of all differences: `[i, j]` is (low, high) of the true score of
        i less that of j; without end for fewer than 20 reports.
        """
        wide = self.uncertainty.gap_widths(self.uncertainty.gap_critical(level))
        if self.n < maxt.FEWEST:
            wide = np.where(np.eye(self.rule.d), 0.0, np.inf)
        gaps = self.scores[:, None] - self.scores[None, :]
        return np.stack([gaps - wide, gaps + wide], axis=2)

    def rank_sets(self, level: float = 0.95) -> tuple[tuple[int, ...], ...]:
        """The places, from 1, that each candidate may truly have; all sets hold together.

        A candidate's place is counted from those that are surely above it, by the simultaneous
        intervals of all differences, down to those that are surely below.
        """
        surely = self.differences(level)[:, :, 0] > 0
        above, below, d = surely.sum(axis=0), surely.sum(axis=1), self.rule.d
        return tuple(
            tuple(range(1 + int(a), d - int(b) + 1)) for a, b in zip(above, below, strict=True)
        )

    def certified(self, level: float = 0.95) -> int | None:
        """The candidate that has truly won with confidence `level`, or None if that is open.

        Certified is a leader whose only possible place is the first; a shared first place, too,
        is then ruled out.
        """
        return self.leader if self.rank_sets(level)[self.leader] == (1,) else None

    def elected(self, seats: int, level: float = 0.95) -> Elected:
        """Who surely has one of several seats, which go to the highest scores, with confidence
        `level`; who may have one; and who surely has none.
        """
        return elected(seats, self.differences(level)[:, :, 0] > 0, self.order)

    @cached_property
    def chances(self) -> Floats:
        """The probability of each candidate to be truly first, given the reports alone.

        Judged by Gaussian errors around the scores, that is with no opinion beforehand; unknown
        (NaN) for fewer than 20 reports.
        """
        if self.n < maxt.FEWEST:
            return np.full(self.rule.d, np.nan)
        unit = float(self.standard_errors.max()) or 1.0  # so that 32 bits tell close scores apart
        root = (maxt.root_of(self.uncertainty.covariance) / unit).astype(np.float32)
        behind = ((self.scores - self.scores.max()) / unit).astype(np.float32)
        drawn = root @ maxt.shared_draws(self.rule.d) + behind[:, None]
        first = np.bincount(drawn.argmax(axis=0), minlength=self.rule.d)
        return np.asarray(first / maxt.DRAWS)

    def voters_to_separate(
        self, i: int, j: int, level: float = 0.95, power: float = 0.9
    ) -> int | None:
        """Reports altogether that tell two candidates apart with probability `power`, if their
        true gap is the one seen, or the largest possible where more was seen; None if they are
        too close for any number.

        Those of which the interval of the gap, and z_power errors, are as wide as the gap; but at
        least 20.
        """
        d = self.rule.d
        if not (_is_candidate(i, d) and _is_candidate(j, d)) or i == j:
            said = f"name two different candidates from 0 to {d - 1}, not {i!r} and {j!r}"
            raise TallyError(said, code="candidate.pair", one=i, other=j, d=d)
        gap = min(abs(float(self.scores[i] - self.scores[j])), self.largest_gap)
        errors = self.uncertainty
        needed = reports_needed(
            gap,
            self.n * float(errors.gap_errors[i, j]) ** 2,
            errors.gap_form.of_mean(1 / self.n),
            errors.gap_critical(level),
            maxt.power_quantile(power),
        )
        return max(maxt.FEWEST, math.ceil(needed)) if needed < MOST_VOTERS else None

    @property
    def largest_gap(self) -> float:
        """How far apart the true scores of two candidates can be."""
        return float(self.rule.scores[0] - self.rule.scores[-1])

    def margin(
        self, fraction: float = 0.01, level: float = 0.95, issued: int | None = None
    ) -> Margin:
        """What a share of dishonest reports could have done to the gaps between the leader and
        the others, whether the leader stands, and up to which share.

        `issued` is the number of credentials that were issued, used or not. Then the same share
        of these credentials is judged as well; and where a credential fixes the question, cheats
        are only given the questions that so many credentials bring.
        """
        if self.mechanism is None:
            raise TallyError(
                "this result does not know its mechanism; take it from a tally",
                code="result.mechanism",
            )
        critical = self.uncertainty.gap_critical(level)
        return margins.margin(
            self.mechanism,
            self.n,
            self.scores[self.leader] - self.scores,
            lambda fakes: self.uncertainty.gap_widths(critical, fakes)[self.leader] / critical,
            critical,
            leader=self.leader,
            fraction=fraction,
            level=level,
            issued=issued,
        )

    # --- how to show it -----------------------------------------------------------------------

    def project(self) -> Projection:
        """The nearest scores that votes could have: closer to the truth where noise dominates,
        but biased, so never the basis of intervals.
        """
        scores = projected(self.scores, self.rule.vector)
        return Projection(self.rule, self.n, scores, self.candidates)

    def to_frame(self, level: float = 0.95, *, library: str | None = None) -> Any:
        """A data frame with a row a candidate, best first: score, standard error, the ends of the
        simultaneous interval, the places it may truly have, and its chance to be first.

        It is one of pandas, or of Polars where pandas is not installed; `library` names either.
        """
        ends, order = self.interval(level), list(self.order)
        places = self.rank_sets(level)
        return frame_of(
            {
                "candidate": [self.names[j] for j in order],
                "score": self.scores[order].tolist(),
                "standard_error": self.standard_errors[order].tolist(),
                "low": ends[order, 0].tolist(),
                "high": ends[order, 1].tolist(),
                "best_place": [places[j][0] for j in order],
                "worst_place": [places[j][-1] for j in order],
                "first": self.chances[order].tolist(),
            },
            library,
        )

    def plot(self, path: AnyPath | None = None, level: float = 0.95) -> "Picture":
        """Draw every candidate's score with its interval, on the range that scores can have: for a
        notebook, or into a file.

        It needs the extra `plot`. The picture's `figure` is matplotlib's, `save` writes it.
        """
        from hushvote import plots

        return plots.result(self.explain(level), self.rule, path)

    def __repr__(self) -> str:
        title = str(self.rule) if self.mechanism is None else self.mechanism.title
        leads = f"{self.names[self.leader]} leads with {self.scores[self.leader]:.4g}"
        return f"<Result of {counted(self.n, 'report', ENGLISH)}, {title}: {leads}>"

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()

    def explain(
        self,
        level: float = 0.95,
        fraction: float = 0.01,
        inspection: "Inspection | None" = None,
        issued: int | None = None,
        seats: int | None = None,
        *,
        closed: bool = True,
    ) -> "Explanation":
        """The result in figures and in words; everything that shows a result shows these.

        `fraction` is the share of dishonest reports to reckon with, and `issued` the number of
        credentials that were issued, if that is known. With `seats`, who has one is told as well.
        After a suspicious `inspection` nobody is announced whose win would not withstand the fakes,
        and before the poll is closed nobody at all: whoever looks again and again finds a lead by
        chance.
        """
        from hushvote.result.explaining import explained

        return explained(self, level, fraction, inspection, issued, seats, closed=closed)

    def to_dict(
        self,
        level: float = 0.95,
        fraction: float = 0.01,
        inspection: "Inspection | None" = None,
        issued: int | None = None,
        seats: int | None = None,
        *,
        closed: bool = True,
    ) -> dict[str, Any]:
        """The explanation as plain data, for JSON."""
        return self.explain(level, fraction, inspection, issued, seats, closed=closed).to_dict()


def _is_candidate(j: object, d: int) -> bool:
    return exact.whole(j, 0, d - 1) is not None

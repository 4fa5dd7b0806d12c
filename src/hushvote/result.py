"""What a tally says: scores with honest errors, the order, the winner, and ties as ties."""

import statistics
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from hushvote.errors import TallyError
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.rules import Rule
from hushvote.tally import Tally

MAX_T_LEVEL = 0.999  # the largest level that these draws are used for
MAX_T_DRAWS = 1 << 15  # Gaussian draws behind a simultaneous interval: its width is good to 1 %


@dataclass(frozen=True, eq=False)
class Result:
    """Estimated mean scores a voter, with the covariance of their errors."""

    rule: Rule
    n: int
    scores: Floats
    covariance: Floats
    candidates: tuple[str, ...] | None = None

    @classmethod
    def of(cls, mechanism: Mechanism, tally: Tally) -> "Result":
        """Estimate the scores behind a tally."""
        mechanism.check_tally(tally)
        if tally.n < 1:
            raise TallyError("this tally holds no reports; there is nothing to estimate")
        mean, covariance = mechanism.moments(tally)
        return cls(mechanism.rule, tally.n, mean, covariance, tally.candidates)

    @cached_property
    def standard_errors(self) -> Floats:
        """The standard error of each score."""
        return np.sqrt(np.diag(self.covariance))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Candidates from the highest score to the lowest; equal scores by number."""
        return tuple(int(j) for j in np.argsort(-self.scores, kind="stable"))

    @property
    def winner(self) -> int:
        """The candidate with the highest score; of several, the lowest number (see `tied`)."""
        return self.order[0]

    @cached_property
    def tied(self) -> tuple[tuple[int, ...], ...]:
        """Groups of candidates with exactly the same score, best first."""
        groups: dict[float, list[int]] = {}
        for j in self.order:
            groups.setdefault(float(self.scores[j]), []).append(j)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    def interval(self, level: float = 0.95, *, simultaneous: bool = True) -> Floats:
        """Confidence intervals, one row (low, high) a candidate.

        Simultaneous: all true scores lie in their intervals together with probability `level`,
        by the quantile of the largest of correlated Gaussian errors (max-t). Otherwise each
        interval holds for its own candidate alone.
        """
        if not 0 < level < 1:
            raise TallyError(f"the level of an interval must lie between 0 and 1, not {level}")
        alone = statistics.NormalDist().inv_cdf((1 + level) / 2)
        reach = max(alone, self._largest_error_quantile(level)) if simultaneous else alone
        return np.stack(
            [
                self.scores - reach * self.standard_errors,
                self.scores + reach * self.standard_errors,
            ],
            axis=1,
        )

    def _largest_error_quantile(self, level: float) -> float:
        """Quantile of max |error / standard error| under these covariances; beyond what the draws
        can tell, the bound of Bonferroni.
        """
        if level > MAX_T_LEVEL:
            alone = (1 - level) / (2 * len(self.scores))
            return -statistics.NormalDist().inv_cdf(alone)
        errors = np.where(self.standard_errors > 0, self.standard_errors, 1.0)
        values, vectors = np.linalg.eigh(self.covariance / np.outer(errors, errors))
        root = vectors * np.sqrt(np.clip(values, 0, None))
        return float(np.quantile(np.abs(root @ _draws(len(errors))).max(axis=0), level))

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        names = self.candidates or tuple(str(j) for j in range(self.rule.d))
        intervals = self.interval(level)
        return {
            "rule": self.rule.name,
            "n": self.n,
            "level": level,
            "winner": names[self.winner],
            "winners": [names[j] for j in self.order if self.scores[j] == self.scores.max()],
            "tied": [[names[j] for j in group] for group in self.tied],
            "candidates": [
                {
                    "place": 1 + int((self.scores > self.scores[j]).sum()),
                    "candidate": names[j],
                    "score": float(self.scores[j]),
                    "standard_error": float(self.standard_errors[j]),
                    "low": float(intervals[j, 0]),
                    "high": float(intervals[j, 1]),
                }
                for j in self.order
            ],
        }


@lru_cache(maxsize=8)
def _draws(d: int) -> Floats:
    return np.random.default_rng(0).standard_normal((d, MAX_T_DRAWS))

"""How far several estimates may be off together: the max-t quantile, from shared draws."""

import math
import statistics
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hushvote.errors import TallyError, echo
from hushvote.exact import is_number
from hushvote.mechanisms.contract import Floats

DRAWS = 1 << 15  # Gaussian draws behind a quantile, the same for all
SLACK = 3  # standard errors of the draws by which a quantile is rounded up, about 1 % of it
FEWEST = 20  # reports below which errors are too far from Gaussian to tell candidates apart
LEAST = 0.5  # the smallest level: less is no confidence
MOST = 0.999  # the largest level that the draws can tell; beyond it, the bound of Bonferroni


@dataclass(frozen=True, eq=False)
class Simultaneous:
    """Standard errors of several contrasts, and how far the worst of them goes."""

    errors: Floats
    largest: NDArray[np.float32]
    """Largest |error / standard error| of each draw."""
    _critical_values: dict[float, float] = field(default_factory=dict)

    @classmethod
    def of(cls, covariance: Floats, contrasts: Floats) -> "Simultaneous":
        """Judge linear contrasts (one a row) of estimates with this covariance."""
        rows = contrasts @ root_of(covariance)
        errors = np.sqrt((rows**2).sum(axis=1))
        scaled = (rows / np.where(errors > 0, errors, 1.0)[:, None]).astype(np.float32)
        draws = shared_draws(len(covariance))
        largest = np.zeros(DRAWS, dtype=np.float32)
        for start in range(0, len(scaled), 64):
            part = scaled[start : start + 64] @ draws
            np.maximum(largest, np.abs(part, out=part).max(axis=0), out=largest)
        return cls(errors, largest)

    def critical_value(self, level: float) -> float:
        """Standard errors within which all contrasts lie together with probability `level`."""
        check_level(level)
        if level > MOST:
            return -statistics.NormalDist().inv_cdf((1 - level) / (2 * len(self.errors)))
        if level not in self._critical_values:
            slack = SLACK * math.sqrt(DRAWS * level * (1 - level))
            place = min(DRAWS, math.ceil(level * DRAWS + slack)) - 1
            among = float(np.partition(self.largest, place)[place])
            self._critical_values[level] = max(among, alone(level))
        return self._critical_values[level]


@lru_cache(maxsize=64)
def all_differences(d: int) -> Simultaneous:
    """All differences of d independent and equal errors."""
    return Simultaneous.of(np.eye(d), pairs(d))


def alone(level: float) -> float:
    """Standard errors within which a single estimate lies with probability `level`."""
    check_level(level)
    return statistics.NormalDist().inv_cdf((1 + level) / 2)


def power_quantile(power: float) -> float:
    """Further standard errors that make a true difference show with probability `power`."""
    check_power(power)
    return statistics.NormalDist().inv_cdf(power)


def check_power(power: object) -> None:
    """Refuse a power that is no probability, or less than even."""
    if not is_number(power) or not 0.5 <= power < 1:  # type: ignore[operator]
        raise TallyError(
            f"the power must be at least 0.5 and below 1, not {power!r}",
            code="result.power",
            given=power,
        )


def check_level(level: object) -> None:
    """Refuse a level that is no confidence: below even odds, or certain."""
    if not is_number(level) or not LEAST <= level < 1:  # type: ignore[operator]
        raise TallyError(
            f"the level of confidence must be at least {LEAST} and below 1, as in 0.95, "
            f"not {echo(level)}",
            code="result.level",
            given=level,
            least=LEAST,
        )


def pairs(d: int) -> Floats:
    """The differences of all pairs i < j, one a row, in the order of `np.triu_indices`."""
    i, j = np.triu_indices(d, 1)
    one = np.eye(d)
    return np.asarray(one[i] - one[j])


def root_of(covariance: Floats) -> Floats:
    """A matrix R with R R^T the covariance."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.clip(values, 0, None)))


@lru_cache(maxsize=8)
def shared_draws(d: int) -> NDArray[np.float32]:
    """The same standard normal draws for every result: two looks at one tally agree."""
    return np.random.default_rng(0).standard_normal((d, DRAWS), dtype=np.float32)

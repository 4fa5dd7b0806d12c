"""One check: a family of tests with one corrected p-value."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.01  # p-value below which a test counts for the number of made-up reports


@dataclass(frozen=True)
class Check:
    """One kind of test: its p-value, corrected for how many there are of it, and in words."""

    name: str
    p_value: float
    meaning: str
    finding: str
    fakes: int | None = None
    """The fewest made-up reports that explain what was found; None if any number may be needed."""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return dict(vars(self))


def corrected(log: float, log_tests: float) -> float:
    """The p-value of the most striking of several tests."""
    return math.exp(min(0.0, float(log) + log_tests))


def fewest_fakes(
    sums: ArrayLike,
    n: int,
    low: ArrayLike,
    high: ArrayLike,
    *,
    least: ArrayLike = 0.0,
    most: ArrayLike = 1.0,
    striking: ArrayLike = True,
) -> int:
    """The fewest made-up reports among n that explain the striking ones of these sums, of which
    honest reports have means between `low` and `high`, and any report values from `least` to
    `most`. Rows are kinds of reports, of which each report is of one.

    By each sum alone: n - m honest reports reach (n-m) high at best, and m others m most; since the
    most striking of many sums is so by chance as well, a standard deviation is taken off. Over all
    kinds: what one of them has above n high, its own made-up reports have brought.
    """
    held, low, high = (np.atleast_2d(np.asarray(one, dtype=float)) for one in (sums, low, high))
    with np.errstate(divide="ignore", invalid="ignore"):
        up = (held - n * high - np.sqrt(n * (high - least) * (most - high))) / (most - high)
        down = (n * low - held - np.sqrt(n * (low - least) * (most - low))) / (low - least)
        own = np.where(high >= 0, (held - n * high) / most, 0.0)
    counted = np.broadcast_to(np.atleast_2d(striking), held.shape)
    alone = max(_largest(up, counted).max(), _largest(down, counted).max())
    found = max(alone, _largest(own, counted).sum())
    return int(min(n, max(1, math.ceil(min(found, n)))))


def _largest(values: NDArray[Any], counted: NDArray[np.bool_]) -> NDArray[Any]:
    """Of each row the largest that counts; what nothing can bring about is infinite."""
    known = np.where(counted & ~np.isnan(values), values, 0.0)
    return np.asarray(np.maximum(known, 0.0).max(axis=1))

"""One check: a family of tests with one corrected p-value."""

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Check:
    """One kind of test: its p-value, corrected for how many there are of it, and in words."""

    name: str
    p_value: float
    meaning: str
    finding: str

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return dict(vars(self))


def corrected(log: float, log_tests: float) -> float:
    """The p-value of the most striking of several tests."""
    return math.exp(min(0.0, float(log) + log_tests))

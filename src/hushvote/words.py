"""Figures as one would say them, the same in sentences, tables and pictures."""

import math

LITTLE = 5  # the epsilon beyond which hardly anything is protected


def protection(epsilon: float) -> str | None:
    """What a large epsilon protects, in one sentence; None where there is nothing to warn of."""
    if epsilon <= LITTLE:
        return None
    return (
        f"At epsilon {epsilon:g} whoever sees a report can multiply their odds about the vote by "
        f"up to {math.ceil(math.exp(epsilon)):,}: that protects little."
    )


def counted(number: int, noun: str) -> str:
    """So many of something: "1 report", "2,000 reports"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def percent(share: float) -> str:
    """A share in percent, never rounded up to all."""
    said = f"{100 * share:.6g}"
    return "more than 99.9999 %" if said == "100" and share < 1 else f"{said} %"

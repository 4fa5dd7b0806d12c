"""Axes whose numbers are all written in one way."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hushvote.messages import written

STEPS = {40: (1, 2, 3, 5), 300: (1, 2, 5), 5000: (1, 3)}  # up to which length of an axis
LETTERS = 7  # of a number; between longer ones there is no room for others
ROOM = 0.09  # of an axis between two numbers
WIDE, MOST = 3, 8  # an axis of as many points has whole numbers, and at most as many steps
WRITTEN = (1e-3, 3e5)  # within these numbers are written out, else all are powers of ten
DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def logarithmic(axes: Any, which: str, low: float, high: float) -> None:
    """Make "x" or "y" a logarithmic axis; the longer it is, the fewer numbers it has between powers
    of ten.
    """
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    axis = getattr(axes, f"{which}axis")
    axis.set_ticks(*_ticks(low, high))
    fine = high / low >= max(STEPS)
    axis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=99) if fine else NullLocator())


def rooted(axes: Any, high: float) -> None:
    """A vertical axis from 0 by square roots: small values stand apart, and zero is on it."""

    def root(values: Any) -> Any:
        return np.sqrt(np.maximum(values, 0))

    axes.set_yscale("function", functions=(root, np.square))
    axes.set_ylim(0, high)
    last = math.floor(math.log10(high))
    steps = [step * 10.0**power for power in (last, last - 1, last - 2) for step in (5, 2, 1)]
    ticks, above = [], 1 + ROOM
    for step in steps:  # downwards, as long as there is room
        height = math.sqrt(step / high)
        if ROOM <= height <= above - ROOM:
            ticks.append(step)
            above = height
    ticks = [0, *reversed(ticks)]
    axes.set_yticks(ticks, [_short(tick) for tick in ticks])


def linear(axes: Any, low: float, high: float) -> None:
    """A horizontal axis from one value to another, both of them written, and round ones between."""
    from matplotlib.ticker import MaxNLocator

    wide = high - low >= WIDE
    locator = MaxNLocator(MOST if wide else 5, steps=[1, 2, 5, 10], integer=wide)
    found = locator.tick_values(low, high)
    apart = 0.6 * (found[1] - found[0])
    ticks = [low, *(x for x in map(float, found) if low + apart < x < high - apart), high]
    if max(map(len, decimal(ticks))) > LETTERS:
        ticks = [low, high]
    axes.set_xlim(low, high)
    axes.set_xticks(ticks, decimal(ticks))


def shares(axes: Any) -> None:
    """A vertical axis from nothing to all, in per cent."""
    axes.set_ylim(0, 1)
    axes.set_yticks([x / 5 for x in range(6)], [f"{20 * x} %" for x in range(6)])


def decimal(numbers: Sequence[float]) -> list[str]:
    """Numbers with as many decimals each, at most three."""
    near = 1e-6 * max(map(abs, numbers))
    exact = [k for k in range(3) if all(abs(round(x, k) - x) <= near for x in numbers)]
    return [written(x, f",.{[*exact, 3][0]}f") for x in numbers]


def _ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    steps = next((some for length, some in STEPS.items() if high / low < length), (1,))
    short = WRITTEN[0] <= low and high <= WRITTEN[1]
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [
        (step, power)
        for power in powers
        for step in (steps if short else (1,))
        if low <= step * 10.0**power <= high
    ]
    if len(found) < 2:
        return _close(low, high)
    if short:
        labels = [_short(step * 10.0**power) for step, power in found]
    else:
        labels = ["10" + str(power).translate(DIGITS) for _, power in found]
    return [step * 10.0**power for step, power in found], labels


def _short(number: float) -> str:
    """A number of one digit, with the decimals that it needs."""
    digits = max(0, -math.floor(math.log10(number) + 1e-9)) if number else 0
    return written(number, f",.{digits}f")


def _close(low: float, high: float) -> tuple[list[float], list[str]]:
    """Round numbers between two that are close."""
    from matplotlib.ticker import MaxNLocator

    found = MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high)
    ticks = [x for x in map(float, found) if low <= x <= high]
    return ticks, decimal(ticks)

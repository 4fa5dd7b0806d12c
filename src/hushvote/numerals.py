"""How figures are written for people: three significant digits, or exactly; thousands set apart."""

import math
from collections.abc import Sequence
from fractions import Fraction


def number(x: float) -> str:
    """A figure with three significant digits, thousands set apart."""
    if not math.isfinite(x):
        return "∞"
    if x == 0:
        return "0"
    if not 1e-3 <= abs(x) < 1e6:
        digits, power = f"{x:.2e}".split("e")
        return f"{digits}e{int(power)}"
    return f"{x:,.{max(0, 2 - math.floor(math.log10(abs(x))))}f}"


def cautious(x: float) -> str:
    """The same for what must not look smaller than it is: rounded up."""
    unit = 10.0 ** (math.floor(math.log10(x)) - 2)
    return number(math.ceil(x / unit) * unit)


def decimals(values: Sequence[Fraction]) -> list[str]:
    """A column of exact figures, each with as many decimals: as many as they have, up to four, and
    more only where unequal ones would look alike.
    """
    digits = 0
    while True:
        scaled = [value * 10**digits for value in values]
        written = [round(value) for value in scaled]
        if written == scaled or (digits >= 4 and len(set(written)) == len(set(scaled))):
            return [_decimal(number, digits) for number in written]
        digits += 1


def _decimal(number: int, digits: int) -> str:
    """So many units of the last decimal, thousands set apart."""
    whole, rest = divmod(abs(number), 10**digits)
    return f"{'-' * (number < 0)}{whole:,}" + (f".{rest:0{digits}d}" if digits else "")

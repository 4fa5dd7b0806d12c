"""How figures are written for people: three significant digits, thousands set apart."""

import math


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

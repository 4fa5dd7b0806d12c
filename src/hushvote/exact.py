"""Exact numbers at the border: what users type becomes a fraction, and a fraction becomes text.

A float stands for its shortest decimal, so `0.1` means one tenth and not the binary number
next to it. Floats appear only where an estimate is shown, never where privacy is decided.
"""

import math
import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TypeAlias

import numpy as np

from hushvote.errors import echo

Number: TypeAlias = float | str | Fraction
"""A number that a user gives: 0.1, "1/3" or a fraction, taken exactly."""

_WHOLE = re.compile("-?[1-9][0-9]*")
_FRACTION = re.compile("0|-?[1-9][0-9]*(/[1-9][0-9]*)?")
LONGEST = 100  # characters, and digits before or behind the point, that a number may have


def fraction(value: object) -> Fraction:
    """Read an int, float, Decimal, Fraction or a text such as "1/3" or "0.1" exactly."""
    if isinstance(value, bool | np.bool_):
        raise ValueError(f"expected a number, got {echo(value)}")
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"expected a finite number, got {value}")
        return Fraction(repr(value))
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, str | Decimal):
        try:
            size = Decimal(str(value).partition("/")[0]).adjusted()
            if len(str(value)) > LONGEST or abs(size) > LONGEST:
                raise ValueError
            return Fraction(value)
        except (ValueError, OverflowError, ZeroDivisionError, InvalidOperation):
            raise ValueError(f"expected a number, got {echo(value)}") from None
    raise ValueError(f"expected a number, got {echo(value)}")


def read_fraction(value: object) -> Fraction:
    """Read a fraction as `str` writes it, in lowest terms, and nothing else."""
    if isinstance(value, str) and len(value) <= LONGEST and _FRACTION.fullmatch(value):
        number = Fraction(value)
        if str(number) == value:
            return number
    raise ValueError(f"expected a fraction in lowest terms as text, got {echo(value)}")


def is_number(value: object) -> bool:
    """Whether this is a real number (NumPy's too), and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def whole(value: object, least: int, most: int) -> int | None:
    """A whole number (NumPy's too, but no truth value) in this range; None for all else."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return None
    number = int(value)
    return number if least <= number <= most else None


def to_json(value: int) -> int | str:
    """Write an integer so that every JSON reader gets it right: as text from 2^53 on."""
    return value if abs(value) < 2**53 else str(value)


def from_json(value: object) -> int:
    """Read what `to_json` wrote, and nothing else: a number below 2^53, text from there on."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return value
    if isinstance(value, str) and len(value) <= LONGEST and _WHOLE.fullmatch(value):
        number = int(value)
        if abs(number) >= 2**53:
            return number
    raise ValueError(f"expected an integer (as text from 2^53 on), got {echo(value)}")

"""The binary digits of Laplace noise: which coins to toss, and how far neighbours are apart.

The noise K >= 0 is the sum of 2^i over the digits i < I that are 1, and 2^I for each further tail
round. Digit i is 1 with probability M_i / 2^64, and one more tail round follows with M_I / 2^64.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from hushvote import exact
from hushvote.errors import MechanismError

WORD = 1 << 64
MOST_DIGITS = 56  # so that no noise outgrows 64 bits


def read_digits(digits: Sequence[int | str]) -> tuple[int, ...]:
    """Digits from plain JSON, or from Python's own integers."""
    try:
        listed = digits if isinstance(digits, list | tuple) else ()
        found = tuple(x if type(x) is int else exact.from_json(x) for x in listed)
    except ValueError:
        found = ()
    if not 2 <= len(found) <= MOST_DIGITS or not all(0 < digit < WORD for digit in found):
        raise MechanismError(
            f"Laplace noise needs 2 to {MOST_DIGITS} digits, each a 64-bit whole number",
            code="parameters.option",
            option="digits",
            most=MOST_DIGITS,
        )
    return found


def designed_digits(epsilon: Fraction, distance: int, least: int) -> tuple[int, ...]:
    """M_0 ... M_I: the coins of the binary digits, and of a further tail round.

    l = ln(1 + e/N)(1 - 2^-17) leaves room for rounding the coins to 64 bits; I is the least with
    2^I l >= least.
    """
    with localcontext(prec=80, rounding=ROUND_HALF_EVEN):
        e = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
        rate = (1 + e / distance).ln() * (1 - Decimal(2) ** -17)
        count = 0
        while rate * 2**count < least:
            count += 1
        digits = [int((WORD / (1 + (rate * 2**i).exp())).to_integral_value()) for i in range(count)]
        return (*digits, int((WORD * (-rate * 2**count).exp()).to_integral_value()))


def step_ratio(digits: Sequence[int]) -> Fraction:
    """The largest factor between the probabilities of neighbouring noise values.

    From k to k + 1 the lowest zero digit becomes 1 and the ones below it 0: the factor is
    o_i / (o_0 ... o_{i-1}), with o_i the odds of digit i, or of a further tail round. From -1 to 0
    it is 1.
    """
    *coins, tail = digits
    odds = [Fraction(M, WORD - M) for M in coins] + [Fraction(tail, WORD)]
    largest, below = Fraction(1), Fraction(1)
    for o in odds:
        largest = max(largest, below / o, o / below)
        below *= o
    return largest


def power_above(base: Fraction, exponent: int) -> Fraction:
    """An upper bound of base^exponent: fixed-point squaring, every step rounded up."""
    width = 256
    square = -(-(base.numerator << width) // base.denominator)
    power = 1 << width
    while exponent:
        if exponent & 1:
            power = -(-power * square >> width)
        square = -(-square * square >> width)
        exponent >>= 1
    return Fraction(power, 1 << width)

"""Invite codes: each lets one person cast one report.

A code is 100 random bits as 20 characters of 32, and one check character. The characters are the
digits and the capital letters without I, L, O and U: the first three are read as 1, 1 and 0. Values
0 to 31 are taken as elements of the field of 32 elements, GF(2)[x]/(x⁵ + x² + 1); the 21 values
are the coefficients of a polynomial that is 0 at x. As x has order 31, every wrong character and
every swap of two different ones, neighbours or not, makes it other than 0.

A code never leaves the devices of the organiser and the voter: the voter's sends
q = H("hushvote question", poll digest, code), and the server was given H("hushvote code", q).
"""

import os

from hushvote.errors import PollError
from hushvote.poll.hashing import H

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BITS, LENGTH = 100, 21  # random bits; characters with the check character
GROUP = 7  # characters in a group
MODULUS = 0b100101  # x⁵ + x² + 1
SEPARATORS = " \t\r\n\u00a0-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

_VALUES = {character: value for value, character in enumerate(ALPHABET)}
_READ = {
    **{ord(one): None for one in SEPARATORS},
    **{ord(one.lower()): one for one in ALPHABET},
    **{ord(one): "1" for one in "IiLl"},
    **{ord(one): "0" for one in "Oo"},
}


def new_code() -> str:
    """A fresh code, as it is written: three groups of seven characters."""
    number = int.from_bytes(os.urandom(13), "big") & ((1 << BITS) - 1)
    return written(code_of(number))


def code_of(number: int) -> str:
    """The code of a number below 2^100, most significant bits first, without separators."""
    values = [number >> shift & 31 for shift in range(BITS - 5, -1, -5)]
    return "".join(ALPHABET[value] for value in [*values, _times_x(_remainder(values))])


def written(code: str) -> str:
    """A code in groups, for people."""
    return "-".join(code[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def read_code(text: str) -> str:
    """The 21 characters of a code as somebody typed it: small letters, blanks and hyphens do not
    matter, I and L are read as 1, O as 0.
    """
    code = text.translate(_READ) if isinstance(text, str) else ""
    if len(code) != LENGTH or any(character not in _VALUES for character in code):
        raise PollError(
            f"a code has {LENGTH} digits and letters, as in 0123456-789ABCD-EFGHJKJ; "
            "check whether all of it is there",
            code="code.form",
            length=len(code),
        )
    if _remainder([_VALUES[character] for character in code]):
        raise PollError(
            "this code has a wrong character, or two that are swapped; compare it once more",
            code="code.check",
        )
    return code


def question_of(poll: str, code: str) -> bytes:
    """q: what the voter's device sends instead of the code, and what a challenge asks by."""
    return H("hushvote question", bytes.fromhex(poll), read_code(code).encode("ascii"))


def code_hash(question: bytes) -> bytes:
    """What the server is given of each code when it is issued."""
    return H("hushvote code", question)


def _times_x(value: int) -> int:
    return value << 1 ^ (MODULUS if value & 16 else 0)


def _remainder(values: list[int]) -> int:
    """The polynomial with these coefficients, highest first, at x."""
    found = 0
    for value in values:
        found = _times_x(found) ^ value
    return found

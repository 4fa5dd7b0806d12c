"""Where chance comes from: secure bits, and exact draws made from them.

Nothing here rounds: a draw with integer weights has exactly the law that the weights say.
Single draws (`below`, `distinct`) fix how many bytes they take, in which order, so that
another language can repeat them bit for bit; `Wheel` has the same laws in bulk.

Every draw takes its bit source as an argument: anything with `bytes(length)`. That is
`SecureBits` wherever a real vote is randomised; a seeded `numpy.random.Generator` also fits,
for simulation only.
"""

import bisect
import itertools
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

from hushvote import exact
from hushvote.errors import MechanismError, StreamError

T = TypeVar("T")


class Bits(Protocol):
    """A source of random bytes."""

    def bytes(self, length: int, /) -> bytes:
        """Return the next `length` bytes."""
        ...


class Explorer:
    """A source that answers `below` and `until` itself, to follow a draw on all its ways
    (see `exploring`); to the draw it looks like any other source.
    """

    def bytes(self, length: int, /) -> bytes:
        """Refuse: bytes do not tell which way a draw goes."""
        raise NotImplementedError

    def below(self, limit: int) -> int:
        """Stand in for a uniform integer."""
        raise NotImplementedError

    def until(self, attempt: Callable[[], T | None]) -> T:
        """Make one attempt, which stands for all."""
        raise NotImplementedError


class Keystream:
    """AES-256 in counter mode under a key of its own, which the operating system gives: for one
    bulk of draws, and dropped with it.
    """

    _zeros = bytes(1 << 20)

    def __init__(self) -> None:
        self._cipher = Cipher(algorithms.AES(os.urandom(32)), modes.CTR(bytes(16))).encryptor()

    def bytes(self, length: int, /) -> bytes:
        """Return the next `length` bytes of the stream."""
        zeros = self._zeros if length <= len(self._zeros) else bytes(length)
        return self._cipher.update(memoryview(zeros)[:length])


class SecureBits:
    """The operating system's secure generator, stretched where much is asked for at once.

    Nothing is kept between two requests, so nothing that is stolen later explains an earlier
    draw, and a forked child or another thread never repeats one.
    """

    DIRECT = 1 << 11  # bytes from which on a keystream is quicker

    def bytes(self, length: int, /) -> bytes:
        """Return `length` fresh bytes."""
        return os.urandom(length) if length <= self.DIRECT else Keystream().bytes(length)


class FixedBits:
    """A given stream of bytes, for conformance vectors: the same bytes give the same report."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self.used = 0

    def bytes(self, length: int, /) -> bytes:
        """Return the next `length` bytes of the stream, or refuse when it has run out."""
        if self.used + length > len(self._stream):
            raise StreamError(
                f"the stream has run out: its length was {len(self._stream)}",
                code="stream.end",
                length=len(self._stream),
            )
        self.used += length
        return self._stream[self.used - length : self.used]


_secure = SecureBits()


def secure_bits() -> SecureBits:
    """Return the secure source; it keeps no state, so that everybody may share it."""
    return _secure


def source(rng: Bits | None) -> Bits:
    """Return secure bits, unless another source was asked for by name."""
    if rng is None:
        return secure_bits()
    if not hasattr(rng, "bytes"):
        raise MechanismError(
            f"rng must be a random generator such as numpy.random.default_rng(7), not {rng!r}",
            code="random.generator",
            given=rng,
        )
    return rng


def bulk_source(rng: Bits | None) -> Bits:
    """Return secure bits for one bulk of draws, unless another source was asked for by name.

    Whoever steals the key while it is in use finds the votes themselves beside it.
    """
    return Keystream() if rng is None else source(rng)


# --- one draw at a time: the normative draws ------------------------------------------------


def below(limit: int, bits: Bits) -> int:
    """Draw a uniform integer from 0 to limit - 1.

    With w the bit length of limit - 1: take ⌈w/8⌉ bytes, read them as a big-endian number, keep
    its w lowest bits; if the number is not below the limit, begin again. Limit 1 takes no byte.
    The number is independent of how often it began again.
    """
    if isinstance(bits, Explorer):
        return bits.below(limit)
    width = (limit - 1).bit_length()
    size = (width + 7) // 8
    while True:
        number = int.from_bytes(bits.bytes(size), "big") & ((1 << width) - 1)
        if number < limit:
            return number


def distinct(d: int, count: int, bits: Bits) -> list[int]:
    """Draw `count` different numbers from 0 to d - 1, every sequence equally likely.

    Start from the list 0, 1, ..., d-1; for i = 0, ..., count-1 swap entry i with entry
    i + below(d - i); the first `count` entries are the draw.
    """
    numbers = list(range(d))
    for i in range(count):
        j = i + below(d - i, bits)
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return numbers[:count]


def pick(weights: Sequence[int], bits: Bits) -> int:
    """Draw index i with probability weights[i] / sum: the first i whose running sum is above
    below(sum).
    """
    sums = list(itertools.accumulate(weights))
    return bisect.bisect_right(sums, below(sums[-1], bits))


def until(attempt: Callable[[], T | None], bits: Bits) -> T:
    """Make attempts, each with fresh bits, until one gives something other than None.

    An attempt must toss all its coins before it decides, and must not know of earlier ones: then
    neither the number of attempts nor the bytes that they took say anything about what is kept.
    """
    if isinstance(bits, Explorer):
        return bits.until(attempt)
    while True:
        kept = attempt()
        if kept is not None:
            return kept


# --- many draws at once -----------------------------------------------------------------------


class Wheel:
    """Draws indices in bulk, with probability exactly weights[i] / sum(weights).

    Inversion of a uniform number that is revealed only as far as needed: its first 16 bits
    settle the draw unless a border between two indices lies inside their cell; then 48 more
    bits decide; where even these meet a border, exact integers and further bits do.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self.borders = list(itertools.accumulate(weights))
        self.total = self.borders.pop()
        self.dtype = np.min_scalar_type(len(weights))
        first_cell = [-(-(border << 16) // self.total) for border in self.borders]
        self._guide = np.searchsorted(
            np.array(first_cell, dtype=np.int64), np.arange(1 << 16), side="right"
        ).astype(self.dtype)
        self._open = len(weights)  # stands in the guide where 16 bits do not settle the draw
        for border in self.borders:
            if (border << 16) % self.total:
                self._guide[(border << 16) // self.total] = self._open
        words = [(border << 64) // self.total for border in self.borders]
        self._words = np.array([w for w in words if w < 1 << 64], dtype=np.uint64)

    def draw(self, n: int, bits: Bits) -> NDArray[Any]:
        """Draw n indices."""
        cells = np.frombuffer(bits.bytes(2 * n), dtype=np.uint16)
        drawn: NDArray[Any] = self._guide.take(cells)
        unsettled = np.flatnonzero(drawn == self._open)
        if unsettled.size:
            drawn[unsettled] = self._settle(cells[unsettled], bits)
        return drawn

    def _settle(self, cells: NDArray[np.uint16], bits: Bits) -> NDArray[Any]:
        words = np.frombuffer(bits.bytes(8 * len(cells)), dtype=np.uint64) >> np.uint64(16)
        words |= cells.astype(np.uint64) << np.uint64(48)
        drawn = np.searchsorted(self._words, words, side="right")
        near = np.searchsorted(self._words, words, side="left") != drawn
        for i in np.flatnonzero(near):
            drawn[i] = self._settle_exactly(int(words[i]), 64, bits)
        return drawn

    def _settle_exactly(self, number: int, width: int, bits: Bits) -> int:
        """Reveal more bits of number / 2^width until both its ends fall to one index."""
        while True:
            low = bisect.bisect_right(self.borders, number * self.total >> width)
            end = -(-(number + 1) * self.total >> width) - 1
            if bisect.bisect_right(self.borders, end) == low:
                return low
            number = number << 64 | int.from_bytes(bits.bytes(8), "big")
            width += 64


def indices(sizes: NDArray[np.uint64], bits: Bits) -> NDArray[np.uint64]:
    """For each size, at most 2^32, a uniform integer below it.

    The upper half of size times 32 random bits. Every integer has as many products but for those
    whose lower half is below 2^32 mod size, which are drawn again (Lemire 2019).
    """
    products = _products(sizes, bits)
    doubtful = np.flatnonzero((products & _HALF) < sizes)
    while doubtful.size:
        size = sizes[doubtful]
        doubtful = doubtful[(products[doubtful] & _HALF) < np.uint64(1 << 32) % size]
        products[doubtful] = _products(sizes[doubtful], bits)
    return products >> np.uint64(32)


_HALF = np.uint64((1 << 32) - 1)


def _products(sizes: NDArray[np.uint64], bits: Bits) -> NDArray[np.uint64]:
    return sizes * np.frombuffer(bits.bytes(4 * len(sizes)), dtype=np.uint32)


def less_than(limit: Fraction, number: int, width: int, bits: Bits) -> bool:
    """Whether a uniform real number is below `limit`, its first `width` bits being `number`.

    Reveals further bits only where the first ones do not tell.
    """
    while True:
        scaled = limit * (1 << width)
        if number + 1 <= scaled:
            return True
        if number >= scaled:
            return False
        number = number << 64 | int.from_bytes(bits.bytes(8), "big")
        width += 64


def shuffled(items: Sequence[int], n: int, bits: Bits) -> NDArray[np.uint64]:
    """n rows, each with the items in random order (by 64-bit sort keys; not for votes)."""
    keys = np.frombuffer(bits.bytes(8 * n * len(items)), dtype=np.uint64)
    order = np.argsort(keys.reshape(n, len(items)), axis=1)
    return np.array(items, dtype=np.uint64)[order]


# --- odds -------------------------------------------------------------------------------------

LEAST_EPSILON = Fraction(1, 10**6)
LARGEST_EPSILON = Fraction(10)


def epsilon_of(value: object) -> Fraction:
    """Read epsilon exactly, and refuse what would protect nobody or tell nothing."""
    try:
        epsilon = exact.fraction(value)
    except ValueError:
        epsilon = Fraction(0)
    if not LEAST_EPSILON <= epsilon <= LARGEST_EPSILON:
        raise MechanismError(
            f"epsilon must be a number above 0 (at least {float(LEAST_EPSILON):f}) "
            f"and at most {LARGEST_EPSILON}, not {str(value)[:80]}",
            code="parameters.epsilon",
            given=value,
        )
    return epsilon


def fraction_of(member: str, value: object) -> Fraction:
    """A fraction among parameters: as text in lowest terms, and in no other way."""
    try:
        return exact.read_fraction(value)
    except ValueError as error:
        raise MechanismError(
            f"{member} is not in its canonical form: {error}",
            code="parameters.canonical",
            member=member,
            given=value,
        ) from None


@lru_cache(maxsize=256)
def exp_below(x: Fraction) -> Fraction:
    """A lower bound of exp(x) for 0 <= x <= 10, short of it by less than 10^-60.

    The partial sum of 120 terms of the power series, all of them positive.
    """
    term = total = Fraction(1)
    for k in range(1, 120):
        term = term * x / k
        total += term
    return total


@dataclass(frozen=True)
class Odds:
    """How many times likelier a report may be under one vote than under another: up / down.

    Rounded down from exp(epsilon), so that the stated epsilon is never exceeded.
    """

    up: int
    down: int

    DOWN = 1 << 32

    def __post_init__(self) -> None:
        if not 0 < self.down < self.up < 1 << 64:
            raise MechanismError(
                f"odds of {self.up}/{self.down} are not usable: both must be above 0 and below "
                "2^64, and the first larger",
                code="parameters.odds",
                up=self.up,
                down=self.down,
            )

    @classmethod
    def of(cls, epsilon: Fraction) -> "Odds":
        """The largest multiple of 2^-32 that is at most exp(epsilon)."""
        return cls(math.floor(exp_below(epsilon) * cls.DOWN), cls.DOWN)

    def check(self, epsilon: Fraction) -> None:
        """Refuse odds that do not keep epsilon, or tell nothing."""
        if not 1 < self.ratio <= exp_below(epsilon):
            raise MechanismError(
                f"odds of {self.up}/{self.down} do not fit epsilon {float(epsilon):g}: "
                "they must be above 1 and at most exp(epsilon)",
                code="parameters.odds",
                up=self.up,
                down=self.down,
                epsilon=epsilon,
            )

    @cached_property
    def ratio(self) -> Fraction:
        """The odds as one exact number."""
        return Fraction(self.up, self.down)

    @cached_property
    def root(self) -> "Odds":
        """Odds whose square is at most these odds."""
        return Odds(math.isqrt(self.up * self.down), self.down)

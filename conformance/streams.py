"""Bytes, and choices made of them, that depend on nothing but a text: the same on any machine."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def stream(seed: str, length: int) -> bytes:
    """The stream of a seed: SHA-256 of "seed/0", "seed/1", ..., cut to this many bytes."""
    count = -(-length // 32)
    blocks = (hashlib.sha256(f"{seed}/{i}".encode()).digest() for i in range(count))
    return b"".join(blocks)[:length]


class SeededBits:
    """The same stream without an end; `used` says how much of it was taken."""

    def __init__(self, seed: str) -> None:
        self.seed, self.used, self._known = seed, 0, b""

    def bytes(self, length: int, /) -> bytes:
        """Return the next bytes of the stream."""
        self.used += length
        while len(self._known) < self.used:
            self._known = stream(self.seed, 2 * self.used + 1024)
        return self._known[self.used - length : self.used]


class Dice:
    """Choices by a stream: as good as random ones, and never others."""

    def __init__(self, seed: str) -> None:
        self._bits = SeededBits(seed)

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        return int.from_bytes(self._bits.bytes(8), "big") % limit

    def between(self, low: int, high: int) -> int:
        """A number from low to high."""
        return low + self.below(high - low + 1)

    def one_of(self, choices: Sequence[T]) -> T:
        """One of several."""
        return choices[self.below(len(choices))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The same in another order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]

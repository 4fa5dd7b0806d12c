"""A scratch file that nobody can read: without a name, and encrypted.

What is put aside here still stands in the order in which the votes came, so it must never be seen.
The file has no name from the start or loses it at once, so nothing is left of it when the process
ends, however it ends; and what reaches the disk is AES-256 in counter mode under a key that only
this process's memory holds.
"""

import os
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes

from hushvote.files import nameless

PIECE = 1 << 20  # bytes that are encrypted at a time
CELL = 16  # bytes of one counter value of AES


class Spill:
    """Bytes are appended once, and read at any place as often as needed."""

    def __init__(self, folder: Path) -> None:
        self._file = nameless(folder)
        self._key = os.urandom(32)  # never a seeded source: it changes nothing that is written
        self._cipher = self._at(0)
        self.size = 0

    def close(self) -> None:
        """Give the file up; its bytes are gone."""
        self._file.close()

    def append(self, plain: memoryview) -> int:
        """Put bytes aside; returns the place where they begin."""
        start = self.size
        for first in range(0, len(plain), PIECE):
            piece = plain[first : first + PIECE]
            self._file.write(self._cipher.update(piece))
            self.size += len(piece)
        self._file.flush()
        return start

    def read(self, start: int, length: int) -> bytes:
        """The bytes at a place."""
        before = start % CELL
        held = os.pread(self._file.fileno(), before + length, start - before)
        if len(held) != before + length:
            raise OSError("the scratch file has been cut short")
        return self._at(start // CELL).update(held)[before:]

    def _at(self, cell: int) -> CipherContext:
        """The keystream from a counter value on; the same key never meets a counter twice."""
        return Cipher(algorithms.AES(self._key), modes.CTR(cell.to_bytes(CELL, "big"))).encryptor()

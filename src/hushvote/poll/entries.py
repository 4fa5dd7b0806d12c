"""What a poll keeps of a vote, and what its board shows: entries, and the leaves of erased ones.

The leaf of an entry is SHA-256(0x00 ‖ salt ‖ canonical line without salt). The salt of 16 random
bytes hides the report once the entry is erased and only its leaf is left.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hushvote.canonical import canonical

SALT = 16  # bytes


def unsalted(
    receipt: str, report: Mapping[str, Any], question: str | None = None
) -> dict[str, Any]:
    """The line of an entry on the board, but for the salt."""
    asked = {} if question is None else {"question": question}
    return {"receipt": receipt, **asked, "report": report}


def leaf_of(salt: bytes, line: bytes) -> bytes:
    """The leaf of an entry, from its canonical line without salt."""
    return hashlib.sha256(b"\0" + salt + line).digest()


@dataclass(frozen=True)
class Entry:
    """A report under its receipt; with its question, where the mechanism needs one."""

    receipt: str
    salt: str
    report: Mapping[str, Any]
    question: str | None = None

    @classmethod
    def fresh(cls, receipt: str, report: Mapping[str, Any], question: str | None = None) -> "Entry":
        """An entry with a new salt."""
        return cls(receipt, os.urandom(SALT).hex(), report, question)

    def unsalted(self) -> dict[str, Any]:
        """The line of the board, but for the salt."""
        return unsalted(self.receipt, self.report, self.question)

    @cached_property
    def leaf(self) -> bytes:
        """The entry's leaf in the tree of the board."""
        return leaf_of(bytes.fromhex(self.salt), self._unsalted)

    @cached_property
    def _unsalted(self) -> bytes:
        return canonical(self.unsalted())

    def line(self) -> bytes:
        """The line of the board."""
        return self._unsalted[:-1] + f',"salt":"{self.salt}"}}'.encode()  # the last by its name


@dataclass(frozen=True)
class Erased:
    """What is left of an entry that was erased; it keeps its place on the board."""

    leaf: bytes

    def line(self) -> bytes:
        """The line of the board."""
        return canonical({"leaf": self.leaf.hex()})


Line = Entry | Erased

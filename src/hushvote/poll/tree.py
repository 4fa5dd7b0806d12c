"""The Merkle tree of a board, as in RFC 9162 (section 2.1), over leaves that are hashes already.

An inner node is SHA-256(0x01 ‖ left ‖ right); a tree of n leaves has on its left the largest power
of two below n. The root of no leaves is SHA-256 of nothing.

Root and number of leaves together name the list: no leaf can be changed or moved without changing
the root. The root alone does not tell the number, since a leaf may be any hash, that of an inner
node too. Nor does it tell entries from erased ones, whose lines keep the same leaf, or whether an
entry ever stood behind an erased leaf. So a board is named by its header, which has the numbers and
the erased leaves as well (`Header.digest`).
"""

import hashlib
from collections.abc import Iterable, Sequence


def node(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\1" + left + right).digest()


class Growing:
    """A root that is computed leaf by leaf, keeping one hash for each size of whole subtree."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self.size = 0
        self._whole: list[bytes] = []  # subtrees, from the left and the largest on
        for leaf in leaves:
            self.add(leaf)

    def add(self, leaf: bytes) -> None:
        """Take the next leaf."""
        grown, left = leaf, self.size
        while left & 1:
            grown = node(self._whole.pop(), grown)
            left >>= 1
        self._whole.append(grown)
        self.size += 1

    @property
    def root(self) -> bytes:
        """The root of the leaves so far."""
        if not self._whole:
            return hashlib.sha256().digest()
        *others, found = self._whole
        for subtree in reversed(others):
            found = node(subtree, found)
        return found


def root_of(leaves: Iterable[bytes]) -> bytes:
    """The root of a list of leaves."""
    return Growing(leaves).root


def proof_of(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """What shows that leaf `index` is in the tree: the hash beside each node on its way up."""
    if not 0 <= index < len(leaves):
        raise IndexError(index)
    level, proof = list(leaves), []
    while len(level) > 1:
        if (index ^ 1) < len(level):
            proof.append(level[index ^ 1])
        pairs = zip(level[::2], level[1::2], strict=False)
        odd = level[-1:] if len(level) % 2 else []
        level = [*(node(left, right) for left, right in pairs), *odd]
        index //= 2
    return proof


def included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof shows that this leaf is number `index` of a tree of that size and root."""
    if not 0 <= index < size:
        return False
    found, last = leaf, size - 1
    rest = iter(proof)
    while last:
        if index & 1 or index < last:
            beside = next(rest, None)
            if beside is None:
                return False
            found = node(beside, found) if index & 1 else node(found, beside)
        index, last = index >> 1, last >> 1
    return next(rest, None) is None and found == root

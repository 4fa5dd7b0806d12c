"""The tree over a board's lines."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushvote.poll.entries import Entry
from hushvote.poll.tree import Growing, included, node, proof_of, root_of


def recursive_root(leaves):
    """RFC 9162, section 2.1.1, word for word, but for leaves that are hashed already."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node(recursive_root(leaves[:k]), recursive_root(leaves[k:]))


@given(st.integers(0, 200))
def test_the_tree_is_that_of_the_rfc(n):
    leaves = [hashlib.sha256(bytes([i])).digest() for i in range(n)]
    assert root_of(leaves) == recursive_root(leaves)
    assert Growing(leaves).size == n


def test_proofs_show_what_is_in_the_tree_and_nothing_else():
    for n in range(1, 40):
        leaves = [hashlib.sha256(bytes([i])).digest() for i in range(n)]
        root = root_of(leaves)
        for i, leaf in enumerate(leaves):
            proof = proof_of(leaves, i)
            assert len(proof) <= (n - 1).bit_length()
            assert included(leaf, i, n, proof, root)
            assert not included(bytes(32), i, n, proof, root)
            assert not included(leaf, i, n, [*proof, bytes(32)], root)
            assert not included(leaf, n, n, proof, root)
            assert not included(leaf, -1, n, proof, root)
            for at in range(len(proof)):
                assert not included(leaf, i, n, [*proof[:at], bytes(32), *proof[at + 1 :]], root)
                assert not included(leaf, i, n, proof[:at], root)
            if n > 1:
                assert not included(leaf, (i + 1) % n, n, proof, root)
    with pytest.raises(IndexError):
        proof_of([], 0)


def test_leaf_and_salt_are_hashed_as_the_protocol_says():
    entry = Entry("ab" * 32, "cd" * 16, {"plus": [0], "minus": [1]}, "ef" * 32)
    line = json.loads(entry.line())
    assert line.pop("salt") == "cd" * 16
    text = json.dumps(line, sort_keys=True, separators=(",", ":")).encode()
    assert entry.leaf == hashlib.sha256(b"\0" + bytes.fromhex("cd" * 16) + text).digest()

"""Sets of candidates as bit masks: bit j stands for candidate j."""

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.rankings import BYTES, Orders, blocks, byte_sums, candidate_bytes, mask_dtype

COUNT_BLOCK = 1 << 18  # masks counted at a time; keeps the temporary keys at a few megabytes


def members(mask: int) -> list[int]:
    """The candidates of a set, in rising order."""
    return [j for j in range(mask.bit_length()) if mask >> j & 1]


def mask_of(candidates: Iterable[int]) -> int:
    """The set of these candidates."""
    return sum(1 << int(j) for j in set(candidates))


def unpacked(masks: NDArray[Any], d: int) -> NDArray[np.uint8]:
    """One row a mask, one column a candidate, 1 where the candidate is in the set."""
    raw = np.ascontiguousarray(masks.astype(masks.dtype.newbyteorder("<"), copy=False))
    bits = np.unpackbits(raw.view(np.uint8), bitorder="little")  # one long row is quicker
    return bits.reshape(len(masks), 8 * masks.dtype.itemsize)[:, :d]


def at_ranks(orders: Orders, ranks: NDArray[Any]) -> NDArray[Any]:
    """For each voter the one-candidate set of who stands at that voter's rank."""
    n, d = orders.shape
    word = mask_dtype(d)
    places = np.arange(0, n * d, d, dtype=np.intp)
    places += ranks
    return np.left_shift(word.type(1), orders.ravel().take(places), dtype=word)


def relabelled(orders: Orders, *sets: NDArray[Any]) -> list[NDArray[Any]]:
    """Sets of ranks, one per voter, as the sets of candidates who stand there."""
    if orders.shape[1] <= BYTES:
        rows = candidate_bytes(orders)
        return [byte_sums(rows & _WHOLE_BYTES.take(ranks)) for ranks in sets]
    found = [np.empty(len(orders), dtype=mask_dtype(orders.shape[1])) for _ in sets]
    for block in blocks(len(orders)):
        for column, ranks in zip(found, sets, strict=True):
            column[block] = _relabelled(orders[block], ranks[block])
    return found


_WHOLE_BYTES = np.array(
    [sum(0xFF << 8 * j for j in range(8) if mask >> j & 1) for mask in range(256)], dtype=np.uint64
)
"""For each set of ranks the bytes of those ranks."""


def _relabelled(orders: Orders, ranks: NDArray[Any]) -> NDArray[Any]:
    """Member after member, from the lowest rank; of a set of more than half of the ranks, those
    who are not in it.
    """
    n, d = orders.shape
    word = mask_dtype(d)
    one, everyone = word.type(1), word.type((1 << d) - 1)
    sizes = np.bitwise_count(ranks)
    most = np.where(sizes > d // 2, everyone, word.type(0))
    left = ranks ^ most
    found = most
    flat, places = orders.ravel(), np.arange(0, n * d, d, dtype=np.intp)
    for _ in range(int(np.minimum(sizes, d - sizes).max(initial=0))):
        lowest = left & (~left + one)
        left ^= lowest
        rank = np.bitwise_count(lowest - one)
        who = flat.take(places + rank, mode="clip")
        found ^= np.left_shift((lowest != 0).astype(word), who, dtype=word)
    return found


def pair_counts(
    masks: NDArray[Any],
    d: int,
    groups: NDArray[Any] | None = None,
    m: int = 1,
    weights: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Count how often candidates i and j are in one set, for all i, j; the diagonal has i alone.

    One `(d, d)` matrix for each of the m groups that the sets belong to; a set counts as often as
    its weight says. By joint histograms of two bytes at a time, which are then unfolded into bits.
    """
    counts = np.zeros((m, d, d), dtype=np.int64)
    for block in blocks(len(masks), COUNT_BLOCK):
        part = np.ascontiguousarray(masks[block])
        columns = part.view(np.uint8).reshape(len(part), part.dtype.itemsize).T
        columns = np.ascontiguousarray(columns[: (d + 7) // 8])
        group = None if groups is None else groups[block].astype(np.uint32)
        often = None if weights is None else weights[block].astype(np.float64)
        for low, high in itertools.combinations_with_replacement(range(len(columns)), 2):
            if low == high:
                single = _histogram(columns[low], 8, group, m, often)
                pairs = _BITS.T @ (single[:, :, None] * _BITS)
            else:
                keys = columns[low].astype(np.uint16) << 8
                keys |= columns[high]
                joint = _histogram(keys, 16, group, m, often).reshape(m, 256, 256)
                pairs = _BITS.T @ joint @ _BITS
            _add(counts, np.rint(pairs).astype(np.int64), low, high)
    return counts


_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
_BITS = _BITS.astype(np.float64)


def _histogram(
    keys: NDArray[Any],
    width: int,
    group: NDArray[np.uint32] | None,
    m: int,
    often: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """How often each key occurs in each group; as floats, which multiply faster and are exact
    here: every sum is below 2^53.
    """
    if group is not None:
        keys = group << np.uint32(width) | keys
    found = np.bincount(keys, often, minlength=m << width)
    return found.reshape(m, 1 << width).astype(np.float64, copy=False)


def _add(counts: NDArray[np.int64], pairs: NDArray[np.int64], low: int, high: int) -> None:
    """Add the bit pairs of the bytes `low` and `high` where they belong."""
    d = counts.shape[1]
    rows, columns = slice(8 * low, min(8 * low + 8, d)), slice(8 * high, min(8 * high + 8, d))
    pairs = pairs[:, : rows.stop - rows.start, : columns.stop - columns.start]
    counts[:, rows, columns] += pairs
    if low != high:
        counts[:, columns, rows] += pairs.transpose(0, 2, 1)


def single_counts(
    masks: NDArray[Any], d: int, weights: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """`pair_counts` of sets with one candidate each: bit j alone is 2^j, and 2^j - 1 has j bits."""
    candidates = np.bitwise_count(masks - masks.dtype.type(1))
    return np.diag(np.bincount(candidates, weights, minlength=d).astype(np.int64))[None]


def possible(pairs: NDArray[np.int64], n: NDArray[np.int64] | int) -> bool:
    """Whether n sets can have these pair counts, as far as two candidates at a time and the sum of
    squares tell: alike both ways round, both together no more often than either alone and no less
    than they must overlap, and with a covariance that is one.
    """
    single = np.diagonal(pairs, axis1=-2, axis2=-1)
    one, other, most = single[..., :, None], single[..., None, :], np.asarray(n)[..., None, None]
    return bool(
        (pairs == np.swapaxes(pairs, -2, -1)).all()
        and (pairs >= np.maximum(0, one + other - most)).all()
        and (pairs <= np.minimum(one, other)).all()
        and (single <= most[..., 0]).all()
        and is_covariance(pairs, single, np.asarray(n))
    )


def is_covariance(squares: NDArray[Any], sums: NDArray[Any], n: NDArray[Any]) -> bool:
    """Whether Σ x x^T - Σ x Σ x^T / n has no eigenvalue below 0, but for rounding."""
    count = np.maximum(n, 1)[..., None, None].astype(np.float64)
    means = sums / count[..., 0]
    spread = squares / count - means[..., :, None] * means[..., None, :]
    scale = np.abs(spread).max(axis=(-2, -1), initial=0.0) + 1e-300
    least = np.linalg.eigvalsh(spread)[..., 0]
    return bool((least >= -1e-9 * spread.shape[-1] * scale).all())

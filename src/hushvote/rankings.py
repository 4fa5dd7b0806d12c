"""Many rankings as one matrix: row i lists voter i's candidates, best first, counted from 0.

The matrix is `(n, d)` uint8. Everything here works on blocks of voters, never on one voter at
a time.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import NoReturn, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushvote import exact, texts
from hushvote.errors import RankingError, clip, echo
from hushvote.frames import Frame, is_frame
from hushvote.messages import ENGLISH, counted
from hushvote.rules import MAX_CANDIDATES, Rule, check_rule

Orders = NDArray[np.uint8]

BLOCK = 1 << 14  # voters per block: the working set then stays in the processor's cache
CHECKED = 1 << 12  # voters whose candidates are all marked at once
TRUTH = frozenset((bool, np.bool_))


Names = Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Rankings:
    """Complete rankings of named candidates: `orders[i, r]` is voter i's candidate at rank r.

    They are made of a matrix of numbers, of lists of names, or of a data frame of pandas or Polars
    (rows that list candidates, or columns that rank them; `read_rankings` has more ways to read
    one). Without `candidates`, names are those that are found, sorted; numbers are names as well.
    """

    orders: Orders
    candidates: tuple[str, ...]

    def __init__(
        self,
        orders: "ArrayLike | Frame | Names | Rankings",
        candidates: Sequence[str] | None = None,
    ) -> None:
        if isinstance(orders, Rankings):
            candidates = _same_names(orders.candidates, candidates)
            orders = orders.orders
        if is_frame(orders) or holds_names(orders):
            from hushvote.formats import read_rankings

            found = read_rankings(cast(Frame, orders), candidates=candidates)
            orders, candidates = found.orders, found.candidates
        matrix = cast(ArrayLike, orders)
        if candidates is None:
            candidates = [str(j) for j in range(as_matrix(matrix).shape[1])]
        names = names_of(candidates)
        object.__setattr__(self, "candidates", names)
        object.__setattr__(self, "orders", checked(matrix, len(names)))

    @property
    def n(self) -> int:
        """Number of voters."""
        return len(self.orders)

    @property
    def d(self) -> int:
        """Number of candidates."""
        return len(self.candidates)

    def totals(self, rule: Rule) -> list[Fraction]:
        """Plain, not private, total scores of the candidates."""
        return totals(self.orders, rule)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        named = clip(", ".join(self.candidates))
        return (
            f"<Rankings of {counted(self.n, 'voter', ENGLISH)} over {self.d} candidates: {named}>"
        )


def _same_names(known: tuple[str, ...], given: Sequence[str] | None) -> tuple[str, ...]:
    """The names that rankings have already, which cannot be given others."""
    if given is not None and (names := names_of(given)) != known:
        raise RankingError(
            f"these rankings name their candidates {clip(', '.join(known))}, not "
            f"{clip(', '.join(names))}; to name them anew, give the numbers alone, as in "
            "hv.Rankings(rankings.orders, candidates)",
            code="tally.names",
            given=names,
        )
    return known


def holds_names(votes: object) -> bool:
    """Whether these are lists of names: the first row that is not empty tells."""
    if not isinstance(votes, list | tuple | np.ndarray) or getattr(votes, "ndim", 2) != 2:
        return False
    rows = itertools.takewhile(is_row, votes)
    filled = (row for row in rows if not all(map(is_nobody, row)))
    return any(isinstance(candidate, str) for candidate in next(filled, ()))


def is_row(row: object) -> bool:
    """Whether this is a list of candidates: a list, an array, or the series of a data frame."""
    return isinstance(row, list | tuple) or len(getattr(row, "shape", ())) == 1


def is_nobody(candidate: object) -> bool:
    """Whether this stands for an empty place: None, and what data frames have for it."""
    return not isinstance(candidate, str) and str(candidate) in ("None", "nan", "<NA>")


def named(votes: object) -> Rankings | None:
    """Votes whose candidates have names; None for a matrix of numbers."""
    if isinstance(votes, Rankings):
        return votes
    return Rankings(cast(Names, votes)) if is_frame(votes) or holds_names(votes) else None


def names_of(candidates: object) -> tuple[str, ...]:
    """The candidates' names that somebody gave: a list of different texts."""
    listed = tuple(candidates) if isinstance(candidates, Iterable) else (candidates,)
    if isinstance(candidates, str) or not all(isinstance(name, str) for name in listed):
        raise RankingError(
            f"name the candidates by texts such as ('Ann', 'Bob'), not {echo(candidates)}",
            code="tally.names",
            given=candidates,
        )
    found = tuple(str(name) for name in listed)
    check_candidates(found)
    return found


def check_candidates(candidates: Sequence[str]) -> None:
    """Refuse names that cannot tell 2 to 64 candidates apart."""
    _check_number(len(candidates))
    for name in candidates:
        if problem := texts.flaw(name, texts.CANDIDATE):
            raise RankingError(
                f"the candidate's name {echo(name)} {problem}",
                code="name.character" if texts.fits(name, texts.CANDIDATE) else "name.length",
                name=name,
            )
        if candidates.count(name) > 1:
            raise RankingError(
                f"candidate {echo(name)} is named twice; every candidate needs one name",
                code="name.duplicate",
                name=name,
            )


def _check_number(d: object) -> None:
    if exact.whole(d, 2, MAX_CANDIDATES) is None:
        raise RankingError(
            f"a vote needs 2 to {MAX_CANDIDATES} candidates, not {echo(d)}",
            code="name.number",
            number=d,
            most=MAX_CANDIDATES,
        )


def blocks(n: int, size: int = BLOCK) -> Iterator[slice]:
    """Cut n voters into consecutive slices of at most `size`."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def even_blocks(n: int, size: int) -> Iterator[slice]:
    """Cut n voters into consecutive slices of about the same length, at most `size`."""
    return blocks(n, -(-n // max(1, -(-n // size))) or 1)


def checked(orders: ArrayLike, d: int) -> Orders:
    """Return the rankings as `(n, d)` uint8, or say which row is not a permutation and why."""
    matrix = as_matrix(orders, d)
    for block in blocks(len(matrix)):
        check_rows(matrix[block], d, first=block.start)
    return cast(Orders, matrix.astype(np.uint8, copy=False))


def as_matrix(orders: ArrayLike, d: int | None = None) -> NDArray[np.integer]:
    """Return the rankings as an `(n, d)` matrix of whole numbers, their values not yet checked."""
    if isinstance(orders, str | bytes | PathLike):
        raise RankingError(
            f"rankings must be a matrix with one row per voter, not {echo(orders)}; a file of them "
            "is read by hv.read_rankings, and randomised by hv.privatize_file",
            code="ranking.form",
            given=orders,
        )
    refuse_masked(orders)
    if isinstance(orders, list | tuple):
        _refuse_truth(orders)
    try:
        matrix = np.asarray(orders)
    except ValueError:
        raise RankingError(
            "the rankings differ in length; every one must list "
            + ("all candidates" if d is None else f"{d} candidates"),
            code="ranking.length",
            d=d,
        ) from None
    if matrix.ndim != 2:
        found = echo(orders) if matrix.ndim == 0 else f"an array of shape {matrix.shape}"
        raise RankingError(
            "there are no rankings: give a matrix with one row per voter"
            if matrix.shape == (0,)
            else f"rankings must be a matrix with one row per voter, not {found}",
            code="ranking.form",
            shape=matrix.shape,
        )
    if d is not None and matrix.shape[1] != d:
        raise RankingError(
            f"the rankings list {counted(matrix.shape[1], 'candidate', ENGLISH)} each, but there "
            f"are {d}",
            code="ranking.length",
            given=matrix.shape[1],
            d=d,
        )
    if matrix.dtype.kind not in "iu":
        matrix = _whole_numbers(matrix)
    return matrix


def refuse_masked(votes: object) -> None:
    """Refuse a masked array with a masked entry: below the mask lies what nobody has said."""
    if isinstance(votes, np.ma.MaskedArray) and np.ma.is_masked(votes):
        raise RankingError(
            "some entries of this masked array are masked, but a ranking names every candidate; "
            "fill them, or leave out the rows that have any",
            code="ranking.incomplete",
        )


def _refuse_truth(rows: Sequence[object]) -> None:
    """Refuse True and False among the numbers of lists, which arrays would take for 1 and 0."""
    entered = itertools.chain.from_iterable(cast(Iterable[Iterable[object]], rows))
    try:
        kinds = set(map(type, entered))
    except TypeError:  # not a list of lists, which is told elsewhere
        return
    if TRUTH.isdisjoint(kinds):
        return
    for row, entries in enumerate(cast(Sequence[Sequence[object]], rows)):
        for rank, entry in enumerate(entries):
            if type(entry) in TRUTH:
                _refuse_entry(row, rank, entry, len(entries))


def one_order(ranking: object, d: int) -> list[int]:
    """Return a single ranking as its candidates, checked."""
    refuse_masked(ranking)
    if isinstance(ranking, list | tuple):
        _refuse_truth([ranking])
    try:
        order = np.asarray(ranking)
    except ValueError:  # lists of unlike lengths
        order = np.empty(())
    if order.shape != (d,):
        raise RankingError(
            f"one ranking lists the {d} candidates by their numbers, best first, as in "
            f"{echo(list(range(d)))}, not {echo(ranking)}"
            + ("; privatize takes many of them" if order.ndim == 2 else ""),
            code="ranking.length" if order.ndim == 1 else "ranking.form",
            given=ranking,
            d=d,
        )
    return [int(candidate) for candidate in checked(order[None, :], d)[0]]


def _whole_numbers(matrix: NDArray[np.generic]) -> NDArray[np.integer]:
    """Accept floats and objects that are whole numbers, name the first entry that is not."""
    for row, column in np.ndindex(matrix.shape):
        entry = matrix[row, column]
        try:
            whole = int(entry) == entry
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not whole or isinstance(entry, str | bool | np.bool_) or abs(entry) >= 1 << 62:
            _refuse_entry(row, column, entry, matrix.shape[1])
    return matrix.astype(np.int64)


def _refuse_entry(row: int, rank: int, entry: object, d: int) -> NoReturn:
    raise RankingError(
        f"row {row} has {echo(str(entry))} at rank {rank}; "
        f"candidates are whole numbers from 0 to {d - 1}",
        code="ranking.candidate",
        row=row,
        rank=rank,
        candidate=str(entry),
    )


def check_rows(matrix: NDArray[np.integer], d: int, first: int = 0) -> None:
    """Refuse a block of rows unless every row names every candidate once."""
    if matrix.size and (matrix.min() < 0 or matrix.max() >= d):
        row, rank = (int(i) for i in np.argwhere((matrix < 0) | (matrix >= d))[0])
        raise RankingError(
            f"row {first + row} names candidate {matrix[row, rank]} at rank {rank}; "
            f"candidates are numbered 0 to {d - 1}",
            code="ranking.candidate",
            row=first + row,
            rank=rank,
            candidate=matrix[row, rank],
        )
    word = mask_dtype(d)
    incomplete = _named(matrix.astype(np.uint8, copy=False)) != word.type(2**d - 1)
    if incomplete.any():
        row = int(np.argmax(incomplete))
        entries = matrix[row].tolist()
        twice = next(c for c in entries if entries.count(c) > 1)
        missing = next(c for c in range(d) if c not in entries)
        raise RankingError(
            f"row {first + row} names candidate {twice} twice and leaves out {missing}; "
            "a ranking names every candidate once",
            code="ranking.duplicate",
            row=first + row,
            candidate=twice,
            missing=missing,
        )


def _named(orders: Orders) -> NDArray[np.unsignedinteger]:
    """For each row a set that has all candidates only if the row names every one of them."""
    n, d = orders.shape
    if d <= BYTES:
        return byte_sums(candidate_bytes(orders))
    word = mask_dtype(d)
    seen = np.empty(n, dtype=word)
    for block in blocks(n, CHECKED):
        sets = np.ascontiguousarray(orders[block].T).astype(word)
        np.left_shift(word.type(1), sets, out=sets)
        np.bitwise_or.reduce(sets, axis=0, out=seen[block])
    return seen


# --- up to eight candidates: a row is one 64-bit number ----------------------------------------

BYTES = 8  # candidates up to which a set fits a byte, and the sets of a row a 64-bit number
_EVERY_BYTE = np.uint64(0x0101010101010101)
_TOP_BYTE = np.uint64(56)


def candidate_bytes(orders: Orders) -> NDArray[np.uint64]:
    """For each row the sets of one candidate, rank r's in byte r of a number."""
    n, d = orders.shape
    sets = (np.empty if d == BYTES else np.zeros)((n, BYTES), dtype=np.uint8)
    np.left_shift(np.uint8(1), orders, out=sets[:, :d])
    return sets.view("<u8").ravel()


def byte_sums(rows: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The sum of the bytes of each number, modulo 256: the union, if they are different candidates.

    A sum of k powers of two has at most k bits, and k of them only if all are different; so
    d sets of one of d candidates add up to all of them only if nobody is named twice.
    """
    return ((rows * _EVERY_BYTE) >> _TOP_BYTE).astype(np.uint8)


def mask_dtype(d: int) -> np.dtype[np.unsignedinteger]:
    """Smallest unsigned integer whose bits can stand for a set of d candidates."""
    return np.dtype(f"u{next(size for size in (1, 2, 4, 8) if 8 * size >= d)}")


def position_counts(orders: ArrayLike, d: int) -> NDArray[np.int64]:
    """Count how often candidate j stands at rank r: a `(d, d)` matrix, `[j, r]`."""
    _check_number(d)
    orders = checked(orders, d)
    counts = np.zeros((d, d), dtype=np.int64)
    for block in blocks(len(orders)):
        for rank, column in enumerate(np.ascontiguousarray(orders[block].T)):
            counts[:, rank] += np.bincount(column, minlength=d)
    return counts


def totals(orders: ArrayLike, rule: Rule) -> list[Fraction]:
    """Plain, not private, total scores: exact, however many voters."""
    check_rule(rule)
    return scored(position_counts(orders, rule.d).tolist(), rule)


def scored(positions: Iterable[Iterable[int | Fraction]], rule: Rule) -> list[Fraction]:
    """Total scores of candidates that stand so often at each rank."""
    return [
        Fraction(sum(c * w for c, w in zip(row, rule.integers, strict=True))) / rule.scale
        for row in positions
    ]

"""What every format hands over: batches of ballots as written, still truncated, tied or merged.

Here they become rankings: checked with the place of the first wrong one, completed at random
where that is allowed, and expanded to one row per voter, a block at a time. For a plain count they
stay as they are, and every candidate gets the places that it stands at or shares.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hushvote.errors import RankingError, clip
from hushvote.rankings import Orders

MISSING = -1  # a place that the ballot leaves empty
UNKNOWN = -2  # a name or number that is no candidate; never leaves the format that met it

Kind = TypeVar("Kind", bound=np.generic)
Choices = NDArray[np.int8]  # 64 candidates and the two marks above fit
Ties = NDArray[np.bool_]

REMEDY = 'or read with incomplete="random" (on the command line: --incomplete random)'
SHARE = 'or read with incomplete="shared" (on the command line: --incomplete shared)'


@dataclass(frozen=True)
class Ballots:
    """Consecutive ballots of one file: `choices[i, r]` is ballot i's candidate at rank r."""

    choices: Choices
    lines: NDArray[np.int64]  # where each ballot stands in the file
    tied: Ties | None = None  # this candidate shares the place of the one before it
    counts: NDArray[np.int64] | None = None  # how many voters cast this ballot; one each if None


@dataclass(frozen=True)
class Places:
    """Where the candidates of consecutive ballots stand: candidate j of ballot i has the place
    `first[i, j]` to itself if `size[i, j]` is 1, else it shares so many places from there on.
    """

    first: NDArray[np.uint8]
    size: NDArray[np.uint8]
    voters: NDArray[np.int64]  # how many cast each ballot


def by_ranks(ranks: NDArray[np.int64], index: NDArray[np.int8]) -> tuple[Choices, Ties | None]:
    """Choices and ties of ballots that give every candidate a rank, 0 for none.

    Column j stands for candidate `index[j]`. Only the order of the ranks counts: after a tie for
    the first place the next one may be called second or third.
    """
    keys = np.where(ranks > 0, ranks, np.iinfo(np.int64).max)
    order = np.argsort(keys, axis=1, kind="stable")
    keys = np.take_along_axis(keys, order, axis=1)
    listed = keys != np.iinfo(np.int64).max
    choices: Choices = np.where(listed, index[order], np.int8(MISSING))
    tied = np.zeros(keys.shape, dtype=bool)
    tied[:, 1:] = listed[:, 1:] & (keys[:, 1:] == keys[:, :-1])
    return choices, tied if tied.any() else None


class Source(Protocol):
    """One opened file, whatever its format."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names that the choices stand for."""

    @property
    def gathered(self) -> bool:
        """Whether the names were found in the ballots themselves, where one voter may be the only
        one who wrote a name.
        """

    @property
    def n(self) -> int | None:
        """Number of voters, where it costs nothing to know."""

    def batches(self) -> Iterator[Ballots]:
        """Read the file from its beginning, as many ballots at a time as fit a small memory."""

    def place(self, line: int) -> str:
        """How to name a line of this file to the user."""


def rankings(
    source: Source, incomplete: str, rng: np.random.Generator, size: int
) -> Iterator[Orders]:
    """Stream the voters of a file as complete rankings, in blocks of `size`."""
    return regrouped(_pieces(source, incomplete, rng, size), size)


def _pieces(
    source: Source, incomplete: str, rng: np.random.Generator, size: int
) -> Iterator[Orders]:
    for batch in source.batches():
        open_ballots = _check(batch, source, incomplete == "random", REMEDY)
        choices, tied = _fitted(batch, len(source.candidates))
        for rows in _voters(batch, size):
            orders = choices[rows].astype(np.uint8)
            todo = np.flatnonzero(open_ballots[rows])
            if len(todo):
                ties = None if tied is None else tied[rows][todo]
                orders[todo] = completed(choices[rows][todo], ties, rng)
            yield orders


def places(source: Source, incomplete: str) -> Iterator[Places]:
    """Stream the ballots of a file as places, equal ones merged as the file has them.

    Unlisted candidates share all places below the listed ones.
    """
    d = len(source.candidates)
    for batch in source.batches():
        open_ballots = _check(batch, source, incomplete == "shared", SHARE)
        first = _first_places(*_fitted(batch, d))
        size = np.ones_like(first)
        todo = np.flatnonzero(open_ballots)
        if len(todo):
            groups = first[todo] + d * np.arange(len(todo))[:, np.newaxis]
            size[todo] = np.bincount(groups.ravel())[groups]
        one_each = np.ones(len(first), dtype=np.int64)
        yield Places(first, size, one_each if batch.counts is None else batch.counts)


def _check(batch: Ballots, source: Source, allowed: bool, remedy: str) -> NDArray[np.bool_]:
    """Tell which ballots are truncated or tied; refuse wrong ones by their line, and those too
    unless they are allowed.
    """
    names = source.candidates
    seen = np.zeros(len(batch.choices), dtype=np.uint64)
    wrong = np.zeros(len(batch.choices), dtype=bool)
    ended = np.zeros(len(batch.choices), dtype=bool)
    for column in np.ascontiguousarray(batch.choices.T):
        listed = column >= 0
        bit = np.left_shift(np.uint64(1), column.astype(np.uint64) & np.uint64(63))
        bit *= listed
        wrong |= (seen & bit) != 0
        wrong |= listed & ended
        ended |= ~listed
        seen |= bit
    unsettled: NDArray[np.bool_] = seen != np.uint64(2 ** len(names) - 1)
    if batch.tied is not None:
        unsettled |= batch.tied.any(axis=1)
    refused = wrong if allowed else wrong | unsettled
    if refused.any():
        row = int(np.argmax(refused))
        tied = None if batch.tied is None else batch.tied[row].tolist()
        place = source.place(int(batch.lines[row]))
        _refuse(place, batch.choices[row].tolist(), tied, names, remedy)
    return unsettled


def _refuse(
    place: str,
    choices: list[int],
    tied: list[bool] | None,
    names: tuple[str, ...],
    remedy: str,
) -> NoReturn:
    """Say what is wrong with one ballot, the plainest mistake first."""
    listed = [choice for choice in choices if choice >= 0]
    for choice in listed:
        if listed.count(choice) > 1:
            raise RankingError(
                f'{place}: candidate "{clip(names[choice])}" appears twice; '
                "a ballot names every candidate once",
                code="ranking.duplicate",
                place=place,
                candidate=names[choice],
            )
    if MISSING in choices[: len(listed)]:
        rank = choices.index(MISSING) + 1
        raise RankingError(
            f"{place}: rank {rank} is empty, but a later rank is not; "
            "list the candidates best first without a gap",
            code="ranking.gap",
            place=place,
            rank=rank,
        )
    if tied is not None and any(tied):
        second = tied.index(True)
        raise RankingError(
            f'{place}: candidates "{clip(names[choices[second - 1]])}" and '
            f'"{clip(names[choices[second]])}" '
            f"are tied; rank one before the other, {remedy}",
            code="ranking.tied",
            place=place,
            one=names[choices[second - 1]],
            other=names[choices[second]],
        )
    missing = [name for choice, name in enumerate(names) if choice not in listed]
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    raise RankingError(
        f"{place}: the ballot ranks {len(listed)} of {len(names)} candidates, "
        f'"{clip(missing[0])}"{more} missing; rank all of them, {remedy}',
        code="ranking.incomplete",
        place=place,
        ranked=len(listed),
        d=len(names),
        candidate=missing[0],
    )


def _voters(batch: Ballots, size: int) -> Iterator[slice | NDArray[np.int64]]:
    """Give at most `size` voters at a time the row of their ballot; a count costs no memory."""
    if batch.counts is None:
        for start in range(0, len(batch.choices), size):
            yield slice(start, start + size)
        return
    ends = np.cumsum(batch.counts)
    total = int(ends[-1]) if len(ends) else 0
    for start in range(0, total, size):
        voters = np.arange(start, min(start + size, total))
        yield np.searchsorted(ends, voters, side="right")


def completed(choices: Choices, tied: Ties | None, rng: np.random.Generator) -> Orders:
    """Rank tied candidates in random order, and unlisted ones in random order below all others.

    Every candidate gets its place plus a uniform number below 1, and the sum decides. Each of
    some candidates that share places is equally likely at each of them, so in expectation it
    gets the average of the scores of those places.
    """
    keys = _first_places(choices, tied) + rng.random(choices.shape)
    return np.argsort(keys, axis=1).astype(np.uint8)


def _first_places(choices: Choices, tied: Ties | None) -> NDArray[np.uint8]:
    """The place of each candidate, the first one of those that it shares."""
    m, d = choices.shape
    places = np.broadcast_to(np.arange(d), (m, d))
    if tied is not None:
        places = np.maximum.accumulate(np.where(tied, 0, places), axis=1)
    found = np.empty((m, d + 1), dtype=np.uint8)  # the last column takes what is not listed
    found[:] = (choices >= 0).sum(axis=1, keepdims=True)
    np.put_along_axis(found, np.where(choices < 0, d, choices).astype(np.intp), places, axis=1)
    return found[:, :d]


def _fitted(batch: Ballots, d: int) -> tuple[Choices, Ties | None]:
    """Choices and ties of checked ballots, with d places each."""
    tied = None if batch.tied is None else _of_width(batch.tied, d, False)
    return _of_width(batch.choices, d, MISSING), tied


def _of_width(matrix: NDArray[Kind], d: int, fill: int) -> NDArray[Kind]:
    """Cut or fill up the rows to d places; beyond d there is nothing once they are checked."""
    short = d - matrix.shape[1]
    return (
        np.pad(matrix, ((0, 0), (0, short)), constant_values=fill) if short > 0 else matrix[:, :d]
    )


def regrouped(pieces: Iterable[NDArray[Any]], size: int) -> Iterator[NDArray[Any]]:
    """Join and cut pieces so that every block but the last has exactly `size` rows."""
    waiting: list[NDArray[Any]] = []
    have = 0
    for whole in pieces:
        piece = whole
        while have + len(piece) >= size:
            cut = size - have
            yield np.concatenate([*waiting, piece[:cut]]) if waiting else piece[:cut]
            piece = piece[cut:]
            waiting, have = [], 0
        if len(piece):
            waiting.append(piece)
            have += len(piece)
    if waiting:
        yield np.concatenate(waiting)

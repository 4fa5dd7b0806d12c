"""How a ranking stands in a table.

In the layout "places" a row lists candidates, best first. In the layout "ranks" every column is a
candidate, and the cell is the rank that the voter gave it, as surveys export it. A table that could
be either is refused, and so is a column that holds something else, such as the number of a voter.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from hushvote.errors import RankingError, clip
from hushvote.formats.columns import (
    LAYOUTS,
    Column,
    in_words,
    number_of,
    rank_of,
    says_something,
)
from hushvote.formats.names import NOUN, ORDER, are_rank_labels, are_written_heads, head_rank
from hushvote.formats.strangers import refuse_strangers

UNCLEAR = re.compile(
    r"(.*?)[ _.#-]*\d+|best|worst|top|bottom|last|favou?rite|least favou?rite", re.I
)
OPTION = re.compile(r"(?:.*[ _.-])?(?:candidate|option|alternative|item|answer)s?", re.IGNORECASE)
UNCLEAR_LABEL = re.compile(
    r"(?:(?:choice|place|position|wahl|platz|choix)[ _.:#-]*|#|r[ _.-]?)\d+|\d+[.)]", re.IGNORECASE
)
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?(?:\s*[(=].*|\s+[-–].*)?")  # -1, 2.5, 1 (best)
PLACE = re.compile(rf"\b{NOUN}\b", re.IGNORECASE)
COUNTED = re.compile(rf"(?=.*\b{NOUN}\b).*\b(?:{ORDER}).*|(?:{ORDER})\w{{0,5}}", re.IGNORECASE)


def layout_of(
    path: Path, columns: Sequence[Column], candidates: Sequence[str] | None, *, picked: bool
) -> str:
    """Tell "places" from "ranks"; refuse what may be either, or is no ranking.

    With `picked`, somebody has said that these columns hold the ranking.
    """
    heads, d = [column.head for column in columns], len(columns)
    if not picked:
        refuse_strangers(path, columns, candidates)
    if d < 2 or any(column.whole is None for column in columns):
        return _layout_of_words(path, columns, candidates)
    numbers = frozenset[int]().union(*(column.whole or () for column in columns))
    texts = frozenset[str]().union(*(column.values for column in columns))
    ranks = bool(numbers) and min(numbers) >= 1 and max(numbers) <= d
    unclear = _unclear(heads) or (bool(texts & set(heads)) and not are_written_heads(heads))
    if not numbers or (are_rank_labels(heads) and not (ranks and unclear)):
        return "places"
    if all(number_of(head) is not None for head in heads):  # no header, or one of numbers
        if ranks:
            _refuse_both(path, d)
        return "places"
    if candidates is not None and set(heads) <= set(candidates):
        return "ranks"
    if candidates is not None and texts <= set(candidates):
        return "places"
    if not ranks or _unclear(heads) or None not in map(head_rank, heads):
        if min(numbers) == 0 and max(numbers) < d and not _unclear(heads):
            _refuse_from_zero(path, heads, d)
        _refuse_both(path, d)
    return "ranks"


def _layout_of_words(
    path: Path, columns: Sequence[Column], candidates: Sequence[str] | None
) -> str:
    """Tell names from ranks of which a few were written otherwise: as - or 1 (best), or in words.

    As names each of these would be a candidate, and the candidates a header that is left out.
    """
    heads = [column.head for column in columns]
    texts = {value for column in columns for value in column.values}
    known = candidates is not None and texts <= set(candidates)
    if len(columns) < 2 or are_rank_labels(heads) or known:
        return "places"
    ranks = {text for text in texts if rank_of(text) is not None}
    said = {text for text in texts if says_something(text)}
    numbers = ranks | {text for text in said if NUMBER.fullmatch(text)}
    numbered = bool(ranks) and 2 * len(numbers) > len(said)
    if set(heads) & texts or any(number_of(head) is not None for head in heads):  # no header
        if numbered and candidates is None and not said - ranks:
            _refuse_odd(path, columns)
        return "places"
    worded = {text for text in said if COUNTED.fullmatch(text)}
    if not numbered and (2 * len(worded) <= len(said) or any(map(PLACE.search, heads))):
        return "places"
    if candidates is not None and set(heads) <= set(candidates):
        return "ranks"
    _refuse_odd(path, columns)


def _refuse_odd(path: Path, columns: Sequence[Column]) -> NoReturn:
    column = next(column for column in columns if column.whole is None)
    odd = min(value for value in column.values if rank_of(value) is None)
    raise RankingError(
        f'{path} seems to hold ranks, but "{clip(odd)}" in {column} is none: ranks are whole '
        f"numbers from 1 to {len(columns)}, and empty cells rank nobody; if a row lists candidates "
        "instead, best first, say so by " + in_words(path, "--layout places", 'layout="places"'),
        code="ranking.rank",
        path=path,
        given=odd,
        column=column,
        d=len(columns),
    )


def _unclear(heads: Sequence[str]) -> bool:
    """Whether the heads may count places as well as name candidates: V1,V2 or Choice 1,Choice 2."""
    if are_rank_labels(heads):
        return all(UNCLEAR_LABEL.fullmatch(head) for head in heads)
    matches = [UNCLEAR.fullmatch(head) for head in heads]
    stems = {match[1] for match in matches if match}
    alike = len(stems) == 1 and not any(stem and OPTION.fullmatch(stem) for stem in stems)
    return all(matches) and (alike or None in stems)


def _refuse_both(path: Path, d: int) -> NoReturn:
    places, ranks = (in_words(path, f"--layout {one}", f'layout="{one}"') for one in LAYOUTS)
    raise RankingError(
        f"{path} can be read in two ways: say {places} if a row lists candidates or their numbers, "
        f"best first, or {ranks} if a column is a candidate and its cells are the ranks 1 to {d} "
        "that voters gave it",
        code="ballots.ambiguous",
        path=path,
        d=d,
    )


def _refuse_from_zero(path: Path, heads: Sequence[str], d: int) -> NoReturn:
    raise RankingError(
        f"{path} seems to rank {clip(', '.join(heads))} from 0 to {d - 1}, but ranks count from 1: "
        "add 1 to every cell; if a row lists the numbers of candidates instead, best first, say so "
        "by " + in_words(path, "--layout places", 'layout="places"'),
        code="ranking.rank",
        path=path,
        given=0,
        d=d,
    )

"""What is known of a table's columns, and which of them somebody chose."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hushvote.errors import RankingError, clip, echo
from hushvote.formats.names import checked_names, is_empty, labelled_rank
from hushvote.formats.tables import TableInMemory

LAYOUTS = ("places", "ranks")
LONGEST = 60  # characters of a column's head that a message repeats
MOST_COLUMNS = 1000  # of a table that are looked at
FEW = 3  # rows from which "all different" says something

WHOLE = re.compile(r"(\d{1,9})(?:\.0+|,00?)?")  # 1.0 of pandas, 1,0 of Excel in German

NOT_COLUMNS = (
    "has no columns to choose from: --columns and --layout are for .csv and .parquet tables"
)


@dataclass(frozen=True)
class Column:
    """What is known of a column by its first rows."""

    number: int  # from 0
    head: str
    values: frozenset[str]  # the different filled cells
    filled: int  # how many cells are filled

    @cached_property
    def whole(self) -> frozenset[int] | None:
        """The cells as whole numbers; None if one is none."""
        numbers = [rank_of(value) for value in self.values]
        return None if None in numbers else frozenset(x for x in numbers if x is not None)

    @cached_property
    def ranked(self) -> frozenset[int] | None:
        """The cells that are whole numbers, if most are; None if not."""
        if self.whole is not None:
            return self.whole
        numbers = [rank_of(value) for value in self.values if says_something(value)]
        found = frozenset(number for number in numbers if number is not None)
        return found if found and 2 * numbers.count(None) <= len(numbers) else None

    @property
    def all_different(self) -> bool:
        """Whether no two of several rows hold the same."""
        return self.filled == len(self.values) >= FEW

    def __str__(self) -> str:
        head = "" if is_empty(self.head) else f' ("{self.head[:LONGEST]}")'
        return f"column {letter_of(self.number)}{head}"


def rank_of(cell: str) -> int | None:
    """A cell as a whole number, if it is one or a word for a place, such as 1st."""
    number = number_of(cell)
    return labelled_rank(cell) if number is None else number


def number_of(cell: str) -> int | None:
    """A cell as a whole number, if it is one."""
    match = WHOLE.fullmatch(cell)
    return int(match[1]) if match else None


def says_something(cell: str) -> bool:
    """Whether a cell holds more than marks such as a dash."""
    return any(c.isalnum() for c in cell)


def letter_of(number: int) -> str:
    """How spreadsheets call a column: A, B, ..., Z, AA, AB."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def in_words(path: Path, option: str, argument: str) -> str:
    """How something is said of these rankings; of a table in memory, in Python alone."""
    return argument if isinstance(path, TableInMemory) else f"{option} (in Python: {argument})"


def check_layout(layout: object) -> None:
    """Refuse a layout that there is not."""
    if layout is not None and layout not in LAYOUTS:
        raise RankingError(
            f"layout={layout!r} is not known; choose one of {', '.join(LAYOUTS)}",
            code="ballots.layout",
            given=layout,
        )


def check_columns(columns: object) -> None:
    """Refuse a choice of columns that is no list of texts."""
    if columns is None:
        return
    if not isinstance(columns, list | tuple) or not all(isinstance(c, str) for c in columns):
        raise RankingError(
            f'name the columns by a list of texts such as ["B", "C", "D"], not {echo(columns)}',
            code="ballots.columns",
            given=columns,
        )


def chosen(path: Path, heads: Sequence[str], wanted: Sequence[str]) -> tuple[int, ...]:
    """Where the wanted columns stand, by their heads or else by letters; B:D is B, C and D."""
    found: list[int] = []
    for each in wanted:
        found += [heads.index(each)] if set(wanted) <= set(heads) else _lettered(path, heads, each)
    if len(found) < 2:
        raise RankingError(
            f"{path}: a ranking stands in at least 2 columns, not in {len(found)}",
            code="ballots.columns",
            path=path,
            given=len(found),
        )
    for number in found:
        if found.count(number) > 1:
            raise RankingError(
                f"{path}: column {letter_of(number)} is chosen twice; name it once",
                code="ballots.columns",
                path=path,
                column=letter_of(number),
            )
    return tuple(found)


def _lettered(path: Path, heads: Sequence[str], each: str) -> list[int]:
    letters = [letter_of(number) for number in range(len(heads))]
    if each in heads:
        return [heads.index(each)]
    first, colon, last = (part.strip().upper() for part in each.partition(":"))
    if first in letters and (last in letters or not colon):
        start = letters.index(first)
        return list(range(start, (letters.index(last) if colon else start) + 1))
    known = (
        f"the columns are {clip(', '.join(heads))}"
        if isinstance(path, TableInMemory)
        else f'the columns are A to {letters[-1]}, named by letters as in "B,C,D" or "B:D", or by '
        "the names in the first line"
    )
    raise RankingError(
        f'{path}: there is no column "{each[:LONGEST]}"; {known}',
        code="ballots.columns",
        path=path,
        column=each,
    )


def header_names(place: str, columns: Sequence[Column]) -> tuple[str, ...]:
    """The candidates in the first line of a table of ranks."""
    heads = [column.head for column in columns]
    numbers = [number_of(head) for head in heads]
    for column in columns:
        if is_empty(column.head):
            raise RankingError(
                f"{place}: {column} names no candidate; the first line must name all",
                code="ballots.header",
                place=place,
                column=column,
            )
    if None not in numbers and numbers != list(range(1, len(heads) + 1)):
        raise RankingError(
            f"{place}: the first line must name the candidates, one a column, not rank them",
            code="ballots.header",
            place=place,
        )
    return checked_names(place, heads)


def no_rank(place: str, cell: str, candidate: str, d: int) -> RankingError:
    """Name the cell that is no rank."""
    return RankingError(
        f'{place}: "{cell[:LONGEST]}" is no rank for "{candidate[:LONGEST]}"; ranks are whole '
        f"numbers from 1 to {d}, and empty cells rank nobody"
        + ("; where ranks count from 0, add 1 to each" if number_of(cell) == 0 else ""),
        code="ranking.rank",
        place=place,
        given=cell,
        candidate=candidate,
        d=d,
    )

"""Which columns of a table hold the ranking, and how it stands there.

In the layout "places" a row lists candidates, best first. In the layout "ranks" every column is a
candidate, and the cell is the rank that the voter gave it, as surveys export it. A table that could
be either is refused, and so is a column that holds something else, such as the number of a voter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NoReturn

from hushvote.errors import RankingError, clip, echo
from hushvote.formats.names import (
    are_rank_labels,
    are_written_heads,
    checked_names,
    is_empty,
    labelled_rank,
    torn_at,
)
from hushvote.formats.tables import TableInMemory

LAYOUTS = ("places", "ranks")
LONGEST = 60  # characters of a column's head that a message repeats
MOST_COLUMNS = 1000  # of a table that are looked at
FEW = 3  # rows from which "all different" says something

WHOLE = re.compile(r"(\d{1,9})(?:\.0+)?")  # pandas writes 1.0 beside empty cells
TIME = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ,].*)?"
    r"|\d{1,2}:\d{2}(?::\d{2}.*)?"
)
COUNTED = re.compile(r"(?!\d{1,2}:\d\d(?!\d))\d+ *:.+")  # 60: Ann, but not the time 10:30
MAIL = re.compile(r"\S+@\S+\.\S+")
NO_CANDIDATE = re.compile(
    r"|#|nr\.?|no\.?|row|index|uuid|guid|(?:.*[ _.-])?id|[a-z]*id|time ?stamp|start(?:ed| time)?"
    r"|submitted(?: at)?|e-?mail(?: address)?|ip(?: address)?|voter|respondent|participant|user"
    r"|unnamed: \d+",
    re.IGNORECASE,
)
UNCLEAR = re.compile(
    r"(.*?)[ _.#-]*\d+|best|worst|top|bottom|last|favou?rite|least favou?rite", re.I
)
OPTION = re.compile(r"(?:.*[ _.-])?(?:candidate|option|alternative|item|answer)s?", re.IGNORECASE)
UNCLEAR_LABEL = re.compile(
    r"(?:(?:choice|place|position|wahl|platz|choix)[ _.:#-]*|#)\d+|\d+[.)]", re.IGNORECASE
)
VOTERS = re.compile(
    r"counts?|votes|ballots|voters|weights?|freq(?:uency)?|multiplicity"
    r"|(?:number|no\.?|nr\.?|num)[ _]of[ _](?:votes|ballots|voters)|anzahl|stimmen",
    re.IGNORECASE,
)

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
    raise RankingError(
        f'{path}: there is no column "{each[:LONGEST]}"; the columns are A to {letters[-1]}, '
        'named by letters as in "B,C,D" or "B:D", or by the names in the first line',
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


def layout_of(
    path: Path, columns: Sequence[Column], candidates: Sequence[str] | None, *, picked: bool
) -> str:
    """Tell "places" from "ranks"; refuse what may be either, or is no ranking.

    With `picked`, somebody has said that these columns hold the ranking.
    """
    heads, d = [column.head for column in columns], len(columns)
    if not picked:
        _refuse_strangers(path, columns, candidates)
    if d < 2 or any(column.whole is None for column in columns):
        return "places"
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
    if not ranks or _unclear(heads) or None not in map(labelled_rank, heads):
        if min(numbers) == 0 and max(numbers) < d and not _unclear(heads):
            _refuse_from_zero(path, heads, d)
        _refuse_both(path, d)
    return "ranks"


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


def _refuse_strangers(
    path: Path, columns: Sequence[Column], candidates: Sequence[str] | None
) -> None:
    """Refuse columns that are no part of the ranking, with those that are."""
    if are_written_heads([column.head for column in columns]):
        return
    _refuse_voters(path, columns, candidates)
    strangers = _strangers(columns, candidates)
    rest = [column for column in columns if column.number not in strangers]
    if not strangers or len(rest) < 2:
        return
    number, why = next(iter(strangers.items()))
    odd = next(column for column in columns if column.number == number)
    more = f" (nor do {len(strangers) - 1} more)" if len(strangers) > 1 else ""
    letters = [letter_of(column.number) for column in rest]
    run = [column.number for column in rest]
    if len(run) > 4 and run == list(range(run[0], run[-1] + 1)):
        letters = [f"{letters[0]}:{letters[-1]}"]
    python = ", ".join(f'"{letter}"' for letter in letters)
    raise RankingError(
        f"{path}: {odd} seems to hold no part of the ranking{more}: {why}; say which columns do, "
        "as in " + in_words(path, f"--columns {','.join(letters)}", f"columns=[{python}]"),
        code="ballots.stray",
        path=path,
        column=odd,
    )


def _refuse_voters(path: Path, columns: Sequence[Column], candidates: Sequence[str] | None) -> None:
    """Refuse a column that says how many voters cast a ballot: without it, each would be one."""
    for column in columns:
        if not column.whole or column.head in (candidates or ()):
            continue
        beyond = column.head in ("n", "N") and max(column.whole) > len(columns)  # no rank
        if beyond or VOTERS.fullmatch(column.head):
            raise RankingError(
                f"{path}: {column} seems to say how many voters cast each ballot, which a table "
                "cannot; write such ballots to a .txt file, one a line, as in 3: Ann > Bob",
                code="ballots.stray",
                path=path,
                column=column,
            )


def refuse_counts(path: Path, columns: Sequence[Column], known: Sequence[str]) -> None:
    """Refuse ballots with a count before them, which a table would take for part of a name."""
    if not columns or are_written_heads([column.head for column in columns]):
        return
    begin, *rest = ({column.head, *column.values} - set(known) for column in columns)
    counted = [cell for cell in begin if COUNTED.fullmatch(cell)]
    elsewhere = any(COUNTED.fullmatch(cell) for cells in rest for cell in cells)
    if counted and 2 * len(counted) >= len(begin) and not elsewhere:
        raise RankingError(
            f"{path}: the first cell seems to say how many voters cast the ballot, as in "
            f'"{clip(min(counted))}"; write such ballots with arrows, as in 60: Ann > Bob > Cem',
            code="ballots.stray",
            path=path,
            given=min(counted),
        )


def _strangers(columns: Sequence[Column], candidates: Sequence[str] | None) -> dict[int, str]:
    """The columns that are no part of the ranking, by number, each with the reason."""
    values = frozenset[str]().union(*(column.values for column in columns))
    torn = {value for value in values if torn_at(value, candidates or ()) is not None}
    known = {*(candidates or ()), *torn}
    found: dict[int, str] = {}
    labelled = [column for column in columns if labelled_rank(column.head) is not None]
    if len(labelled) >= 2 and are_rank_labels([c.head for c in labelled]):
        others = [c for c in columns if c not in labelled and c.filled]
        found = dict.fromkeys((c.number for c in others), "other columns count the places")
    for column in columns:
        if not column.filled or column.values <= known:
            continue
        if all(MAIL.fullmatch(value) for value in column.values):
            found[column.number] = "it holds mail addresses"
        elif all(TIME.fullmatch(value) for value in column.values):
            found[column.number] = "it holds times or dates"
    if len(labelled) >= 2:
        return found or _apart(columns, known)
    headed = any(number_of(column.head) is None for column in columns)
    ranks = _rank_columns([c for c in columns if c.number not in found], known, headed=headed)
    if len(ranks) >= 2:
        for column in columns:
            if column.number in found or column in ranks or not column.filled:
                continue
            if column.whole is None:
                found[column.number] = f"other columns hold ranks from 1 to {len(ranks)}"
            elif NO_CANDIDATE.fullmatch(column.head) and headed:
                found[column.number] = "its head names no candidate"
            elif max(column.whole) > len(ranks) and (headed or column.all_different):
                found[column.number] = f"its numbers go beyond {len(ranks)}"
        return found
    return found or _apart(columns, known)


def _rank_columns(columns: Sequence[Column], known: set[str], *, headed: bool) -> list[Column]:
    """The columns whose cells are ranks from 1 to the number of such columns."""
    ranks = [
        column
        for column in columns
        if column.whole is not None
        and (column.filled or not is_empty(column.head))
        and not (headed and NO_CANDIDATE.fullmatch(column.head) and column.head not in known)
    ]
    while True:
        within = [
            c for c in ranks if not c.whole or 1 <= min(c.whole) <= max(c.whole) <= len(ranks)
        ]
        if len(within) == len(ranks):
            return ranks if any(column.filled for column in ranks) else []
        ranks = within


def _apart(columns: Sequence[Column], known: set[str]) -> dict[int, str]:
    """Columns that share no name with the others, where the others do, or with the candidates."""
    filled = [column for column in columns if column.filled]
    if known:
        strange = [column for column in filled if not column.values & known]
        return dict.fromkeys((column.number for column in strange), "it names no candidate")
    names = frozenset[str]().union(*(column.values for column in filled))
    if len(filled) < FEW or len(names) <= len(filled):
        return {}
    shared = {
        column.number
        for column in filled
        if any(column.values & other.values for other in filled if other is not column)
    }
    return {
        column.number: "all its values are different"
        if column.all_different
        else "none of its values stands in another column"
        for column in filled
        if column.number not in shared and len(column.values) > 1 and column.filled >= FEW
    }

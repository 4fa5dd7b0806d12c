"""Columns of a table that are no part of its ranking: ids, times, comments, numbers of voters."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from hushvote.errors import RankingError, clip
from hushvote.formats.columns import FEW, Column, in_words, letter_of, number_of
from hushvote.formats.names import (
    ORDER,
    are_rank_labels,
    are_written_heads,
    head_rank,
    is_empty,
    torn_at,
)
from hushvote.formats.tables import TableInMemory

MOST_HEADS = 8  # that a message names
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
OTHER = re.compile(
    r"lang(?:uage)?|sprache|locale|status|state|complete[d]?|comments?|kommentare?|remarks?|notes?"
    r"|bemerkung(?:en)?|feedback|country|land|region|city|ort|wahlkreis|group|gruppe|team|source"
    r"|channel|device|browser|consent|version|wave|poll|survey|umfrage|election|collector",
    re.IGNORECASE,
)
PLACE = re.compile(  # part of how people call the places of a ranking
    rf"\d|{ORDER}|rank|choice|pref|place|pos(?:ition)?\b|pick|vote|option|wish|middle|bottom|fav"
    r"|bett|good|bad|most|least|high|low|win|champ|gold|silver|bronze|wahl|platz|rang|choix|wunsch"
    r"|stimme|lieb|sieg|mitte|silber|schlecht|haupt",
    re.IGNORECASE,
)
VOTERS = re.compile(
    r"counts?|votes|ballots|voters|weights?|freq(?:uency)?|multiplicity"
    r"|(?:number|no\.?|nr\.?|num)[ _]of[ _](?:votes|ballots|voters)|anzahl|stimmen",
    re.IGNORECASE,
)


def refuse_strangers(
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
    wanted = [letter_of(column.number) for column in rest]
    run = [column.number for column in rest]
    if isinstance(path, TableInMemory) and len(rest) <= MOST_HEADS:
        wanted = [column.head for column in rest]
    elif len(run) > 4 and run == list(range(run[0], run[-1] + 1)):
        wanted = [f"{wanted[0]}:{wanted[-1]}"]
    python = json.dumps(wanted, ensure_ascii=False)
    raise RankingError(
        f"{path}: {odd} seems to hold no part of the ranking{more}: {why}; say which columns do, "
        "as in " + in_words(path, f"--columns {','.join(wanted)}", f"columns={python}"),
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
    labelled = [c for c in columns if head_rank(c.head) is not None and c.head not in values]
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
            if column.ranked is None:
                found[column.number] = f"other columns hold ranks from 1 to {len(ranks)}"
            elif NO_CANDIDATE.fullmatch(column.head) and headed:
                found[column.number] = "its head names no candidate"
            elif max(column.ranked) > len(ranks) and (headed or column.all_different):
                found[column.number] = f"its numbers go beyond {len(ranks)}"
        return found
    return found or _apart(columns, known)


def _rank_columns(columns: Sequence[Column], known: set[str], *, headed: bool) -> list[Column]:
    """The columns whose cells are ranks from 1 to the number of such columns."""
    ranks = [
        column
        for column in columns
        if column.ranked is not None
        and (column.filled or not is_empty(column.head))
        and not (headed and NO_CANDIDATE.fullmatch(column.head) and column.head not in known)
    ]
    while True:
        within = [
            c for c in ranks if not c.ranked or 1 <= min(c.ranked) <= max(c.ranked) <= len(ranks)
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
    shared = [
        column
        for column in filled
        if any(column.values & other.values for other in filled if other is not column)
    ]
    alone = [column for column in filled if column not in shared]
    if len(shared) >= 2 and not any(column.head in names for column in columns):
        alone = [column for column in alone if not _headed_otherwise(column, shared)]
    found = [column for column in filled if column not in shared and column not in alone]
    if len(filled) >= FEW and len(names) > len(filled):
        found += [column for column in alone if len(column.values) > 1 and column.filled >= FEW]
    return {
        column.number: "all its values are different"
        if column.all_different
        else "none of its values stands in another column"
        for column in sorted(found, key=lambda column: column.number)
    }


def _headed_otherwise(column: Column, places: Sequence[Column]) -> bool:
    """Whether a head tells that a column is no place: by its values alone one that is always alike
    may be the place of a candidate whom all voters rank there.
    """
    told = all(PLACE.search(place.head) for place in places) and not PLACE.search(column.head)
    return bool(OTHER.fullmatch(column.head)) or (told and column.filled >= FEW)

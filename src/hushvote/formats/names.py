"""Candidates' names: in a file, from the caller, and the one order that both agree on."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from hushvote.errors import FileError, RankingError, clip, echo
from hushvote.rankings import check_candidates

NOT_A_NUMBER = ("nan", "NaN", "NAN")  # how pandas and R write an empty place; Nan is a name

ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
NOUN = "(?:rank|choice|preference|pref|place|position|wahl|platz|rang|choix)"
ORDER = (  # how words begin that count places
    "first|second|third|fourth|fifth|next|last|top\\b|best|wors|prim|sec|tert|prem|deux|trois|quatr"
    "|derni|segu|terc|erst|zweit|dritt|viert|fünft|letzt"
)
LABEL = re.compile(
    rf"(?:{NOUN}[ _.:#-]*|#)(\d+)"
    rf"|(\d+)(?:st|nd|rd|th|er|re|e|ème|º|ª|[.)])(?:[ _-]?{NOUN})?"
    rf"|({'|'.join(ORDINALS)})(?:[ _-]{NOUN})?",
    re.IGNORECASE,
)
SHORT = re.compile(r"r[ _.-]?(\d{1,9})", re.IGNORECASE)  # of a head alone: candidates are called R1


def is_empty(cell: str) -> bool:
    """Whether a trimmed cell names nobody."""
    return not cell or cell in NOT_A_NUMBER


def labelled_rank(cell: str) -> int | None:
    """The rank that a cell counts, as in rank1 or 1st or #1 or First choice, if it does."""
    label = LABEL.fullmatch(cell)
    if label is None:
        return None
    number = label[1] or label[2]
    return int(number[:9]) if number else ORDINALS.index(label[3].lower()) + 1


def head_rank(head: str) -> int | None:
    """The rank that the head of a column counts, as cells do, or as in r1."""
    short = SHORT.fullmatch(head)
    return int(short[1]) if short else labelled_rank(head)


def are_rank_labels(cells: Sequence[str]) -> bool:
    """Whether the cells count ranks, as in rank1,rank2 or 1st,2nd or First choice,Second choice."""
    ranks = [head_rank(cell) for cell in cells]
    return bool(ranks) and ranks in (list(range(len(cells))), list(range(1, len(cells) + 1)))


def are_written_heads(cells: Sequence[str]) -> bool:
    """Whether these are the heads that hushvote writes: whatever is below names candidates."""
    return bool(cells) and list(cells) == [f"rank{rank + 1}" for rank in range(len(cells))]


def in_order(names: Collection[str]) -> tuple[str, ...]:
    """Numbers by value, else by text: two files of one poll then agree, whoever voted first."""
    try:
        return tuple(sorted(names, key=lambda name: (int(name), name)))
    except ValueError:
        return tuple(sorted(names))


def checked_names(path: Path | str, names: Sequence[str]) -> tuple[str, ...]:
    """Refuse names in a file that cannot tell 2 to 64 candidates apart."""
    try:
        check_candidates(names)
    except RankingError as error:
        raise error.within(path, path=path) from None
    return tuple(names)


def positions(path: Path, names: Sequence[str], candidates: Sequence[str] | None) -> list[int]:
    """Where each of the file's names stands among the candidates that the caller asked for."""
    if candidates is None:
        return list(range(len(names)))
    for name in names:
        if name not in candidates:
            raise RankingError(
                f'{path}: candidate "{clip(name)}" is unknown; {listing(candidates, name)}',
                code="ranking.unknown",
                path=path,
                candidate=name,
            )
    return [candidates.index(name) for name in names]


def listing(candidates: Sequence[str], unknown: str = "") -> str:
    """The candidates in a few words, for messages about an unknown one."""
    shown = clip(", ".join(f'"{name}"' for name in candidates[:8]))
    said = f"the candidates are {shown}{', ...' if len(candidates) > 8 else ''}"
    if (start := torn_at(unknown, candidates)) is None:
        return said
    end = start + unknown.count(",") + 1
    meant = [*candidates[:start], unknown, *candidates[end:]]
    given = ",".join(f'"{name}"' if "," in name else name for name in meant)
    listed = ", ".join(f'"{name}"' for name in meant)
    return (
        f"{said}; a name that holds a comma stands in double quotes, as in --names '{given}' "
        f"(in Python: candidates=[{listed}])"
    )


def torn_at(name: str, candidates: Sequence[str]) -> int | None:
    """Where candidates follow each other that are one name, torn apart at its commas."""
    parts = [part.strip() for part in name.split(",")]
    starts = range(len(candidates) - len(parts) + 1) if len(parts) > 1 else ()
    return next((i for i in starts if list(candidates[i : i + len(parts)]) == parts), None)


def check_text_names(path: Path, names: Sequence[str]) -> None:
    """Refuse names that would not come back from a text file as they are."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            problem = "is not valid Unicode"
        else:
            if is_empty(name.strip()):
                problem = "reads as an empty place"
            elif name != name.strip():
                problem = "begins or ends with a blank"
            elif any(c < " " for c in name):
                problem = "holds a line break or another control character"
            else:
                continue
        raise FileError(
            f"cannot write {path}: the candidate name {echo(name)} {problem}, which a text file "
            "cannot keep; rename it or write a .parquet file",
            code="name.unwritable",
            path=path,
            name=name,
        )

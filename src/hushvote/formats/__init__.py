"""Files of rankings: PrefLib, CSV and Parquet, read as streams of complete rankings and written.

A format is one module with `open_file(path, candidates, layout, columns)` and
`write(path, rankings)`, and one line in `FORMATS`.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Protocol, cast

import numpy as np

from hushvote import exact
from hushvote.errors import FileError, RankingError, clip, echo
from hushvote.files import AnyPath
from hushvote.formats import ballots, tables
from hushvote.formats.columns import check_columns, check_layout
from hushvote.formats.names import in_order
from hushvote.formats.tables import TableInMemory
from hushvote.frames import Frame, is_frame
from hushvote.rankings import BLOCK, Orders, Rankings, holds_names, names_of
from hushvote.streams import PACKED, STANDARD_INPUT, is_standard, kind_of, standard_input

__all__ = ["RankingFile", "open_rankings", "read_rankings", "suffixes", "write_rankings"]

FORMATS = {  # modules by name, so that Arrow is loaded only when a file needs it
    "preflib": (".soc", ".soi", ".toc", ".toi"),
    "delimited": (".csv", ".tsv", ".txt"),
    "parquet": (".parquet",),
}

SHARED = "shared"
INCOMPLETE = ("error", "random")  # what becomes of ballots that are no rankings
COUNTED = ("error", SHARED)  # the same for an exact count, which needs no rankings


@dataclass(frozen=True, repr=False)
class RankingFile:
    """An opened file of rankings, to be read block by block as often as needed."""

    path: Path
    source: ballots.Source
    incomplete: str
    rng: np.random.Generator

    def __repr__(self) -> str:
        named = clip(", ".join(self.candidates))
        return f"<RankingFile {self.path} over {self.d} candidates: {named}>"

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates' names; the rankings number them from 0."""
        return self.source.candidates

    @property
    def exposed(self) -> bool:
        """Whether a single voter may be the reason that a name is among the candidates.

        That is so if the names stand in the ballots alone and ballots may leave some out.
        """
        return self.source.gathered and self.incomplete == "random"

    @property
    def d(self) -> int:
        """Number of candidates."""
        return len(self.candidates)

    @property
    def n(self) -> int | None:
        """Number of voters if it is cheap to know, for progress bars."""
        return self.source.n

    def blocks(self, size: int = BLOCK) -> Iterator[Orders]:
        """Stream `(size, d)` rankings, the last block smaller; memory stays small at any n."""
        if (voters := exact.whole(size, 1, sys.maxsize)) is None:
            raise RankingError(
                f"a block has a whole number of voters, at least 1, not {echo(size)}",
                code="ballots.block",
                given=size,
            )
        if self.incomplete == SHARED:
            raise RankingError(
                f'{self.path}: incomplete="shared" is for the plain count alone; where rankings '
                f"are needed, choose {' or '.join(INCOMPLETE)}",
                code="ballots.incomplete",
                path=self.path,
                given=self.incomplete,
            )
        return ballots.rankings(self.source, self.incomplete, self.rng, voters)

    def places(self) -> Iterator[ballots.Places]:
        """Stream the ballots as the places that every candidate stands at or shares."""
        if self.incomplete == "random":
            raise RankingError(
                f"{self.path}: an exact count draws no lots for incomplete ballots; read them with "
                'incomplete="shared" (on the command line: --incomplete shared), where candidates '
                "on the same places share their points",
                code="ballots.incomplete",
                path=self.path,
                given=self.incomplete,
            )
        return ballots.places(self.source, self.incomplete)


def open_rankings(
    path: AnyPath | Frame | Sequence[Sequence[str]],
    *,
    incomplete: str = "error",
    candidates: Sequence[str] | None = None,
    layout: str | None = None,
    columns: Sequence[str] | None = None,
    rng: np.random.Generator | None = None,
) -> RankingFile:
    """Open a file of rankings for reading in blocks; its suffix tells the format, but for "-",
    standard input. Text files may be packed, as in `ballots.csv.gz`. A data frame (of pandas or
    Polars) is read as such a table, and lists of names as ballots.

    `incomplete` says what becomes of ballots that leave candidates out or tie them. "error"
    refuses the first one with its line. "random" puts unlisted candidates below all listed ones
    in uniformly random order, and tied ones in random order among themselves, independently for
    every voter: in expectation each of them gets the average of the scores of the places they
    share, so the tally stays unbiased for the convention that shares scores. `rng` draws those
    orders, fresh ones at every reading. "shared" is for `score` alone, which then keeps to that
    convention exactly; such a file cannot be read as rankings.

    `candidates` fixes the names and their order; any other name in the file is then an error.
    Without it they are taken from the file, those of a CSV file in order of number or text.

    `layout` and `columns` are for tables (CSV with commas, Parquet). "places": a row lists the
    candidates, best first; "ranks": a column is a candidate, and its cells are the ranks that
    voters gave it. Without a layout it is told from the file, which is refused if it may be either.
    `columns` names those that hold the ranking, by their heads or by letters ("A", "B", "D:F").
    """
    check_layout(layout)
    check_columns(columns)
    if incomplete not in (known := (*INCOMPLETE, SHARED)):
        raise RankingError(
            f"incomplete={incomplete!r} is not known; choose one of {', '.join(known)}",
            code="ballots.incomplete",
            given=incomplete,
        )
    if not isinstance(rng, np.random.Generator | None):
        raise RankingError(
            f"rng must be a random generator such as numpy.random.default_rng(7), not {echo(rng)}",
            code="random.generator",
            given=rng,
        )
    names = None
    if candidates is not None:
        names = names_of(candidates)
    place = _place(path)
    source = _format(place).open_file(place, names, layout, columns)
    names = in_order(source.candidates) if isinstance(place, TableInMemory) else source.candidates
    if candidates is None and names != source.candidates:  # its columns are candidates
        source = _format(place).open_file(place, names, "ranks", columns)
    return RankingFile(place, source, incomplete, rng or np.random.default_rng())


def _place(given: AnyPath | Frame | Sequence[Sequence[str]]) -> Path:
    """Where the rankings are; a table in memory goes for a path, which messages name."""
    if is_frame(given):
        return cast(Path, tables.of_frame(given))
    if holds_names(given):
        return cast(Path, tables.of_names(cast(Sequence[Sequence[object]], given)))
    if not isinstance(given, str | PathLike):
        offer = "hv.Rankings takes a matrix of numbers"
        if isinstance(given, Rankings):
            offer = "these are read already: mechanism.privatize takes them"
        raise RankingError(
            "rankings are read from a path, a data frame or lists of names, not from "
            f"{echo(given)}; {offer}",
            code="ranking.form",
            given=given,
        )
    return STANDARD_INPUT if is_standard(given) else Path(given)


def read_rankings(
    path: AnyPath | Frame | Sequence[Sequence[str]],
    *,
    incomplete: str = "error",
    candidates: Sequence[str] | None = None,
    layout: str | None = None,
    columns: Sequence[str] | None = None,
    rng: np.random.Generator | None = None,
) -> Rankings:
    """Read a whole file of rankings, one row per voter; the arguments are `open_rankings`'s."""
    file = open_rankings(
        path,
        incomplete=incomplete,
        candidates=candidates,
        layout=layout,
        columns=columns,
        rng=rng,
    )
    try:
        return Rankings(np.concatenate(list(file.blocks())), file.candidates)
    except MemoryError:
        raise FileError(
            f"{path} has too many voters for this machine's memory; "
            "read it in blocks with open_rankings",
            code="file.memory",
            path=path,
        ) from None


def write_rankings(path: AnyPath, rankings: Rankings) -> None:
    """Write rankings to a file; its suffix tells the format. It appears whole or not at all."""
    if not isinstance(path, str | PathLike):
        raise FileError(
            f"rankings are written to a path such as votes.csv, not to {echo(path)}",
            code="file.name",
            path=path,
        )
    path = Path(path)
    form = _format(path)
    if not isinstance(rankings, Rankings):
        raise RankingError(
            f"cannot write {path}: make hv.Rankings of {echo(rankings)} first",
            code="ranking.form",
            path=path,
            given=rankings,
        )
    if not rankings.n:
        raise FileError(
            f"cannot write {path}: there are no rankings; a file needs at least one",
            code="ballots.empty",
            path=path,
        )
    form.write(path, rankings)


def suffixes() -> tuple[str, ...]:
    """The file name endings that can be read and written."""
    return tuple(suffix for group in FORMATS.values() for suffix in group)


class _Format(Protocol):
    def open_file(
        self,
        path: Path,
        candidates: tuple[str, ...] | None,
        layout: str | None,
        columns: Sequence[str] | None,
    ) -> ballots.Source: ...
    def write(self, path: Path, rankings: Rankings) -> None: ...


def _format(path: Path) -> _Format:
    if isinstance(path, TableInMemory):
        return cast(_Format, import_module(f"{__name__}.parquet"))
    kind = kind_of_input() if path is STANDARD_INPUT else kind_of(path)
    for module, group in FORMATS.items():
        if kind in group and not (kind == ".parquet" and path.suffix.lower() == PACKED):
            return cast(_Format, import_module(f"{__name__}.{module}"))
    raise FileError(
        f"{path} is of no known format; its name must end in {', '.join(suffixes())}, and that of "
        f"a packed text file in {PACKED} behind it",
        code="file.suffix",
        path=path,
    )


def kind_of_input() -> str:
    """What standard input holds, by its first bytes, since it has no name."""
    held = standard_input()
    if held.startswith(b"PAR1"):
        return ".parquet"
    first = held.removeprefix(b"\xef\xbb\xbf")
    return ".soc" if re.match(rb"#[ \t]*[A-Z][A-Z0-9 ]*:", first) else ".csv"

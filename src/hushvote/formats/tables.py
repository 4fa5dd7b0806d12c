"""Votes that are in memory already: data frames, and lists of names. They are read as files are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from hushvote.errors import RankingError, echo
from hushvote.frames import to_arrow
from hushvote.rankings import is_nobody, is_row

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class _About:
    num_rows: int
    metadata: None = None


@dataclass(frozen=True, eq=False)
class TableInMemory:
    """An Arrow table, for those who read Parquet files; messages call it by its name."""

    table: "pa.Table"
    name: str

    def __str__(self) -> str:
        return self.name

    @cached_property
    def metadata(self) -> _About:
        """How many rows there are."""
        return _About(self.table.num_rows)

    @property
    def schema_arrow(self) -> "pa.Schema":
        """The columns."""
        return self.table.schema.remove_metadata()

    def iter_batches(
        self, batch_size: int, columns: Sequence[str], use_threads: bool
    ) -> Iterator["pa.RecordBatch"]:
        """Some rows at a time, of these columns."""
        return iter(self.table.select(columns).combine_chunks().to_batches(batch_size))


def of_frame(frame: Any) -> TableInMemory:
    """A data frame: one row a voter."""
    return TableInMemory(to_arrow(frame), "the data frame")


def of_names(rows: Sequence[Sequence[object]]) -> TableInMemory:
    """Lists of names, best first; None, or a list that ends early, leaves candidates out."""
    import pyarrow as pa

    ballots = [_names_in(row, number) for number, row in enumerate(rows)]
    try:
        columns = [pa.array(column, pa.string()) for column in zip_longest(*ballots)]
    except UnicodeEncodeError as error:  # half a character, of which no text can be made
        raise RankingError(
            f"the candidate's name {echo(error.object)} is not valid Unicode; write it anew",
            code="name.character",
            name=error.object,
        ) from None
    names = [f"rank{rank + 1}" for rank in range(len(columns))]
    return TableInMemory(pa.table(columns, names=names), "the rankings")


def _names_in(row: Sequence[object], number: int) -> list[str | None]:
    if not is_row(row):
        raise RankingError(
            f"row {number} is {echo(row)}, not a list of names",
            code="ranking.form",
            row=number,
            given=row,
        )
    names: list[str | None] = []
    for rank, name in enumerate(row):
        if not isinstance(name, str) and not is_nobody(name):
            raise RankingError(
                f"row {number} has {echo(name)} at rank {rank}, among names; name all candidates, "
                "or number all of them from 0",
                code="ranking.candidate",
                row=number,
                rank=rank,
                candidate=name,
            )
        names.append(name if isinstance(name, str) else None)
    return names

"""Files of reports, opened: columns by name, of whatever integer type another program chose."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from hushvote.batch.rows import Block, Left
from hushvote.batch.sifting import WEIGHT, Sieve
from hushvote.canonical import digest_of
from hushvote.errors import FileError, HushvoteError, clip, echo
from hushvote.files import AnyPath
from hushvote.formats.reports import CHANGE, POLL, RECEIPT, WITHDRAWN, ReportFile
from hushvote.mechanisms import Mechanism, mechanism_from

MARKS = (RECEIPT, CHANGE, WITHDRAWN, POLL)


@dataclass(frozen=True)
class Opened:
    """A file of reports whose columns are known to be there."""

    file: ReportFile
    sieve: Sieve

    @classmethod
    def of(
        cls,
        file: ReportFile,
        by: str | None = None,
        poll: str | None = None,
        fixed: Mapping[str, str] | None = None,
        *,
        skip: bool = False,
        known: Mechanism | None = None,
    ) -> "Opened":
        """Find the columns, or say which one is missing or of the wrong kind. `known` is the
        mechanism of files before, which need not be restored once more.
        """
        same = known is not None and digest_of(file.parameters) == known.digest
        mechanism = known if known is not None and same else mechanism_from(file.parameters)
        needed = mechanism.domain.schema.names
        names = file.schema.names
        said = {k: v for k, v in (fixed or {}).items() if k not in names and k not in needed}
        for name in MARKS[:-1]:
            if name in said:
                raise FileError(
                    f"{file.path} stands in a folder that says its {name!r}, but only a column "
                    "says that, row by row; give the folder another name",
                    code="file.columns",
                    path=file.path,
                    column=name,
                )
        marks = tuple(n for n in MARKS if (n in names or n in said) and n not in needed)
        for name in needed:
            if name not in names:
                raise FileError(
                    f"{file.path} lacks the column {name!r}: its columns are {_listed(names)}, "
                    f"but its mechanism sends {_listed(needed)}",
                    code="file.columns",
                    path=file.path,
                    column=name,
                )
        for name in (*needed, *marks, *([] if by is None else [by])):
            if names.count(name) > 1:
                raise FileError(
                    f"{file.path} has the column {echo(name)} more than once",
                    code="file.columns",
                    path=file.path,
                    column=name,
                )
        if CHANGE in marks and RECEIPT not in marks:
            raise FileError(
                f"{file.path} numbers changes, but lacks the column 'receipt' that says whose",
                code="file.columns",
                path=file.path,
                column=RECEIPT,
            )
        if by is not None:
            taken = (*needed, *MARKS[:-1], WEIGHT)
            further = [name for name in (*names, *said) if name not in taken]
            if by not in further:
                offer = f"choose one of {_listed(further)}" if further else "it has no further ones"
                raise FileError(
                    f"{file.path} has no column {echo(by)} to count by; {offer}",
                    code="file.groups",
                    path=file.path,
                    by=by,
                )
        asked = poll is not None
        sieve = Sieve(mechanism, marks, by, poll or file.poll, said, skip=skip, asked=asked)
        return cls(file, sieve)

    @property
    def path(self) -> AnyPath:
        """Where it is."""
        return self.file.path

    @property
    def mechanism(self) -> Mechanism:
        """Whose reports it holds."""
        return self.sieve.mechanism

    @cached_property
    def has_receipts(self) -> bool:
        """Whether its rows may supersede others."""
        return RECEIPT in self.sieve.marks

    def check_types(self) -> None:
        """Refuse columns that cannot hold what they should, whatever stands in their rows."""
        columns = [self.file.schema.field(name) for name in self.sieve.columns]
        try:
            self.sieve.sifted(pa.RecordBatch.from_pylist([], schema=pa.schema(columns)))
        except HushvoteError as error:
            raise error.within(self.path, path=self.path) from None

    def blocks(
        self, size: int, groups: range | None = None, first: int = 0
    ) -> Iterator[tuple[Block, Left, set[str]]]:
        """Go through the file, or some of its row groups, `size` rows at a time."""
        for batch in self.batches(size, groups):
            yield self.sieve.sifted(batch, first)
            first += batch.num_rows

    def batches(self, size: int, groups: range | None = None) -> Iterator[Any]:
        """The same rows as they stand."""
        return self.file.batches(size, self.sieve.columns, groups)


def _listed(names: list[str]) -> str:
    return clip(", ".join(names))

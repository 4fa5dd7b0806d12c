"""Rows of reports as every engine hands them on, and what becomes of those that do not count."""

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote.arrays import as_column
from hushvote.errors import FileError, echo
from hushvote.mechanisms.fields import Reports

ON_BAD = ("reject", "skip")


def check_on_bad(on_bad: str) -> None:
    """Refuse what nobody can do with bad rows."""
    if on_bad not in ON_BAD:
        raise FileError(
            f"bad rows can be treated by {' or '.join(ON_BAD)}, not by {echo(on_bad)}",
            code="command.options",
            given=on_bad,
        )


@dataclass(frozen=True)
class Left:
    """How many rows were left out of a tally, each for one reason."""

    foreign: int = 0
    """They are of another poll."""
    outside: int = 0
    """They hold what the mechanism never sends, or nothing."""
    unmarked: int = 0
    """Their receipt, change or withdrawal cannot be read."""
    conflicting: int = 0
    """They say two different things as the last change of one receipt."""
    superseded: int = 0
    """A later change, or the same row again, counts in their place."""
    withdrawn: int = 0
    """The voter took them back."""

    def __add__(self, other: "Left") -> "Left":
        mine, others = asdict(self), asdict(other)
        return Left(**{name: mine[name] + others[name] for name in mine})

    @property
    def bad(self) -> int:
        """Those that should not be there."""
        return self.foreign + self.outside + self.unmarked + self.conflicting

    def to_dict(self) -> dict[str, int]:
        """All of them by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, held: Any) -> "Left":
        """What `to_dict` made; a ValueError for anything else."""
        names = [field.name for field in fields(cls)]
        whole = isinstance(held, dict) and all(
            type(held.get(name)) is int and held[name] >= 0 for name in names
        )
        if not whole or len(held) != len(names):
            raise ValueError("rows that were left out are counted by reason")
        return cls(**held)


@dataclass(frozen=True)
class Block:
    """Some rows, all of them sound; what their file does not say is None."""

    reports: Reports
    first: int = 0  # the number of the first row, if all rows of the file are here
    places: NDArray[np.int64] | None = None  # the number of each row
    weights: NDArray[np.int64] | None = None  # how many equal rows each one stands for
    receipts: Any = None  # an Arrow array of bytes
    changes: NDArray[np.int64] | None = None
    withdrawn: NDArray[np.bool_] | None = None
    names: tuple[str, ...] | None = None  # of the groups
    groups: NDArray[np.intp] | None = None  # the group of each row, as the place of its name

    @property
    def n(self) -> int:
        """How many rows of the file these are."""
        return len(self.reports) if self.weights is None else int(self.weights.sum())

    def only(self, kept: NDArray[np.bool_]) -> "Block":
        """Some of the rows."""

        def taken(column: Any) -> Any:
            return None if column is None else column[kept]

        places = self.places
        if places is None:
            places = np.arange(self.first, self.first + len(self.reports))
        receipts = None if self.receipts is None else self.receipts.filter(as_column(kept))
        return Block(
            self.reports[kept],
            self.first,
            places[kept],
            taken(self.weights),
            receipts,
            taken(self.changes),
            taken(self.withdrawn),
            self.names,
            taken(self.groups),
        )

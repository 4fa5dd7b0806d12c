"""Sound rows out of any rows: each is a report of the mechanism, of the right poll, whose marks can
be read. The others are refused with the reason, or counted by reason and left out.

Every row holds a report of the mechanism's domain. Beside it may stand whose report it is and which
of that voter's (`receipt`, `change`), whether it was withdrawn (its report may then be empty), its
poll, and the group that it is counted in.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from hushvote import texts
from hushvote.arrays import as_column, is_whole, numbers, whole_numbers
from hushvote.batch.rows import Block, Left
from hushvote.canonical import is_hex
from hushvote.errors import ReportError, clip, echo
from hushvote.formats.reports import CHANGE, POLL, RECEIPT, WITHDRAWN
from hushvote.mechanisms import Mechanism

WEIGHT = "hushvote_weight"  # how many equal rows a row stands for, where an engine groups them
VIEWS = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}  # Polars has these
UNTYPED = {RECEIPT: pa.string(), WITHDRAWN: pa.bool_(), POLL: pa.string()}  # others: numbers
EMPTY = "(empty)"  # the group of the reports whose cell is empty
MOST_POLLS = 3  # that are remembered where nobody says which one counts

Mask = NDArray[np.bool_]
Why = Callable[[int], ReportError]


@dataclass(frozen=True)
class Sieve:
    """What rows are held against; it travels to other processes."""

    mechanism: Mechanism
    marks: tuple[str, ...]  # which of receipt, change, withdrawn and poll there are
    by: str | None = None
    poll: str | None = None  # whose reports count, if that is known
    fixed: Mapping[str, str] = field(default_factory=dict)  # columns that a folder's name says
    skip: bool = False  # bad rows are left out, not refused
    asked: bool = False  # somebody said whose reports count; otherwise the head of the file

    @property
    def columns(self) -> list[str]:
        """The columns that it needs."""
        wanted = [*self.mechanism.domain.schema.names, *self.marks]
        if self.by is not None and self.by not in wanted:
            wanted.append(self.by)
        return [name for name in wanted if name not in self.fixed]

    def sifted(self, batch: pa.RecordBatch, first: int = 0) -> tuple[Block, Left, set[str]]:
        """The sound rows, those that were left out, and the polls that rows are of ("" for none)
        where it is not known which one counts.
        """
        found = _Faults(batch.num_rows)
        batch = _typed(batch)
        polls = self._polls(batch, first, found)
        withdrawn = receipts = changes = None
        if WITHDRAWN in self.marks:
            withdrawn = _flags(batch, first, found)
        if RECEIPT in self.marks:
            receipts = _receipts(batch, first, found)
        if CHANGE in self.marks:
            changes = _changes(batch, first, found)
        reports, sound = self.mechanism.domain.sifted(batch)
        needless = withdrawn if withdrawn is not None else False
        found.put("outside", ~(sound | needless), lambda row: self._no_report(batch, row, first))
        if withdrawn is not None:
            reports[withdrawn] = np.zeros((), dtype=reports.dtype)
        if found.any() and not self.skip:
            raise found.first()
        names, groups = self._groups(batch, first, found.sound)
        if self.by == POLL and receipts is not None and names is not None:
            receipts = _within_polls(receipts, names, groups)
        weights = numbers(batch.column(WEIGHT)) if WEIGHT in batch.schema.names else None
        block = Block(
            reports,
            first,
            weights=weights,
            receipts=receipts,
            changes=changes,
            withdrawn=withdrawn,
            names=names,
            groups=groups,
        )
        if not found.any():
            return block, Left(), polls
        return block.only(found.sound), found.left(weights), polls

    def _polls(self, batch: pa.RecordBatch, first: int, found: "_Faults") -> set[str]:
        """Mark rows of other polls; where it is not known which one counts, say which there are."""
        apart = self.by == POLL and not self.asked  # every poll is counted on its own
        if POLL not in self.marks:
            return set() if apart or self.poll is not None or not batch.num_rows else {""}
        if POLL in self.fixed:
            said = pa.repeat(self.fixed[POLL], batch.num_rows)
        else:
            said = _plain(batch.column(POLL))
        if not (pa.types.is_string(said.type) or pa.types.is_large_string(said.type)):
            raise ReportError(
                f"the column 'poll' holds {_kind(said)}, but must hold digests as text",
                code="file.columns",
                column=POLL,
                type=_kind(said),
            )
        if self.poll is not None and not apart:
            right = numbers(pc.fill_null(pc.equal(said, self.poll), False))
            found.put("foreign", ~right, lambda row: _other_poll(said, row, first, self.poll))
            return set()
        polls = [text or "" for text in _texts(pc.unique(said), POLL)]
        wrong = [text for text in polls if text and not is_hex(text)]
        if wrong:
            none = numbers(pc.is_in(said, pa.array(wrong, said.type)))
            found.put("foreign", none, lambda row: _no_poll(said, row, first))
        known = [text for text in polls if not text or is_hex(text)]
        return set() if apart else set(known[:MOST_POLLS])

    def _no_report(self, batch: pa.RecordBatch, row: int, first: int) -> ReportError:
        """Why a row is no report of the mechanism."""
        domain = self.mechanism.domain
        try:
            domain.check(domain.from_arrow(batch.slice(row, 1), first + row), first + row)
        except ReportError as error:
            return error
        raise AssertionError("a row was found to be no report, and is one")

    def _groups(
        self, batch: pa.RecordBatch, first: int, sound: Mask
    ) -> tuple[tuple[str, ...] | None, NDArray[np.intp] | None]:
        if self.by is None:
            return None, None
        if self.by in self.fixed:
            names, codes = [self.fixed[self.by] or EMPTY], np.zeros(batch.num_rows, dtype=np.intp)
        else:
            names, codes = _cells(batch.column(self.by), self.by)
        _check_groups(names, codes, self.by, first, sound)
        return tuple(names), codes


class _Faults:
    """Which rows are not sound, and why; the first reason of a row counts."""

    def __init__(self, n: int) -> None:
        self.sound = np.ones(n, dtype=np.bool_)
        self._found: list[tuple[str, Mask, Why]] = []

    def put(self, kind: str, wrong: Mask, why: Why) -> None:
        """Some rows are wrong in this way."""
        wrong = wrong & self.sound
        if wrong.any():
            self._found.append((kind, wrong, why))
            self.sound &= ~wrong

    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._found)

    def first(self) -> ReportError:
        """What is wrong with the first of them."""
        row = int(np.argmin(self.sound))
        return next(why(row) for _, wrong, why in self._found if wrong[row])

    def left(self, weights: NDArray[np.int64] | None) -> Left:
        """How many there are of each kind."""
        left = Left()
        for kind, wrong, _ in self._found:
            n = np.count_nonzero(wrong) if weights is None else weights[wrong].sum()
            left += Left(**{kind: int(n)})
        return left


def _typed(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Columns that know no type, since all their cells are empty, have the one that they should."""
    for place, column in enumerate(batch.columns):
        if pa.types.is_null(column.type):
            name = batch.schema.names[place]
            batch = batch.set_column(place, name, column.cast(UNTYPED.get(name, pa.int8())))
    return batch


def _texts(column: Any, name: str) -> list[Any]:
    """The cells of a column, whose texts are texts."""
    try:
        found: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        raise ReportError(
            f"the column {echo(name)} holds text that is not UTF-8; write it with that encoding",
            code="file.columns",
            column=name,
            type="text",
        ) from None
    return found


def _other_poll(said: Any, row: int, first: int, poll: str | None) -> ReportError:
    text = _texts(said.slice(row, 1), POLL)[0]
    named = "no poll" if text is None else f"the poll {clip(text)[:16]}..."
    return ReportError(
        f"report {first + row}: it is of {named}, not of {(poll or '')[:16]}...; on_bad='skip' "
        "(--on-bad skip) leaves such rows out",
        code="file.poll",
        row=first + row,
        given=text,
        poll=poll,
    )


def _no_poll(said: Any, row: int, first: int) -> ReportError:
    text = _texts(said.slice(row, 1), POLL)[0]
    return ReportError(
        f"report {first + row}: its poll {echo(text)} is no digest of 64 hexadecimal digits; "
        "on_bad='skip' (--on-bad skip) leaves such rows out",
        code="file.poll",
        row=first + row,
        given=text,
    )


def _plain(column: Any) -> Any:
    """Without what a writer added: a dictionary, a name for its type, another way to keep texts."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    column = getattr(column, "storage", column)
    plain = VIEWS.get(str(column.type))
    return column if plain is None else column.cast(plain)


def _empty(name: str, first: int, row: int) -> ReportError:
    return ReportError(
        f"report {first + row}: its {name!r} is empty",
        code="file.receipt" if name == RECEIPT else "file.columns",
        row=first + row,
        column=name,
    )


def _filled(column: Any, name: str, first: int, found: _Faults) -> None:
    """Mark empty cells."""
    if column.null_count:
        empty = numbers(column.is_null())
        found.put("unmarked", empty, partial(_empty, name, first))


def _within_polls(receipts: Any, polls: Sequence[str], codes: Any) -> Any:
    """Receipts by which rows are the same voter's only if they are of the same poll."""
    named = pa.array([poll.encode() for poll in polls], pa.large_binary()).take(as_column(codes))
    apart = pa.scalar(b"\0", pa.large_binary())  # which no poll's name holds
    return pc.binary_join_element_wise(named, receipts, apart)


def _flags(batch: pa.RecordBatch, first: int, found: _Faults) -> Mask:
    column = batch.column(WITHDRAWN)
    if not pa.types.is_boolean(column.type):
        raise ReportError(
            f"the column 'withdrawn' holds {_kind(column)}, but must say true or false",
            code="file.columns",
            column=WITHDRAWN,
            type=_kind(column),
        )
    _filled(column, WITHDRAWN, first, found)
    flags: Mask = numbers(column.fill_null(False)).copy()
    return flags


def _receipts(batch: pa.RecordBatch, first: int, found: _Faults) -> Any:
    column = _plain(batch.column(RECEIPT))
    kind = column.type
    if pa.types.is_fixed_size_binary(kind):
        column = column.cast(pa.binary())
    elif not (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    ):
        raise ReportError(
            f"the column 'receipt' holds {_kind(column)}, but must hold text or bytes",
            code="file.receipt",
            column=RECEIPT,
            type=_kind(column),
        )
    column = column.cast(pa.large_binary())
    _filled(column, RECEIPT, first, found)
    column = column.fill_null(b"")
    nothing = numbers(pc.equal(pc.binary_length(column), 0))
    found.put("unmarked", nothing, partial(_empty, RECEIPT, first))
    return column


def _changes(batch: pa.RecordBatch, first: int, found: _Faults) -> NDArray[np.int64]:
    column = _plain(batch.column(CHANGE))
    if not is_whole(column.type):
        raise ReportError(
            f"the column 'change' holds {_kind(column)}, but must hold whole numbers",
            code="file.columns",
            column=CHANGE,
            type=_kind(column),
        )
    _filled(column, CHANGE, first, found)
    values = whole_numbers(column.fill_null(0))
    wrong = ((values < 0) | (values >= 2**63)).astype(np.bool_)

    def why(row: int) -> ReportError:
        return ReportError(
            f"report {first + row}: its 'change' is {values[row]}, but changes count from 0",
            code="file.receipt",
            row=first + row,
            column=CHANGE,
            given=values[row],
        )

    found.put("unmarked", wrong, why)
    changes: NDArray[np.int64] = np.where(wrong, 0, values).astype(np.int64)
    return changes


def _cells(column: Any, by: str) -> tuple[list[str], NDArray[np.intp]]:
    """The texts of the cells, which are the names of groups, and which of them each row has."""
    encoded = column if pa.types.is_dictionary(column.type) else _encoded(column, by)
    values = _texts(encoded.dictionary, by)
    names = [str(value) if value not in (None, "") else EMPTY for value in values]
    codes = numbers(encoded.indices.fill_null(len(names))).astype(np.intp)
    return [*names, EMPTY], codes


def _check_groups(
    names: list[str], codes: NDArray[np.intp], by: str, first: int, sound: Mask
) -> None:
    """Refuse a group whose name cannot be shown, whether a cell or a folder says it."""
    flaws = [texts.flaw(name, texts.CANDIDATE) for name in names]
    if not any(flaws):
        return
    flawed = np.array([flaw is not None for flaw in flaws])[codes] & sound
    if flawed.any():
        row = int(np.argmax(flawed))
        raise ReportError(
            f"report {first + row}: its {echo(by)} {echo(names[codes[row]])} {flaws[codes[row]]}",
            code="file.groups",
            row=first + row,
            by=by,
            given=names[codes[row]],
        )


def _encoded(column: Any, by: str) -> Any:
    try:
        return _plain(column).dictionary_encode()
    except (pa.ArrowException, NotImplementedError):
        raise ReportError(
            f"the column {echo(by)} holds {_kind(column)}, which has no groups",
            code="file.groups",
            by=by,
            type=_kind(column),
        ) from None


def _kind(column: Any) -> str:
    return clip(str(column.type))

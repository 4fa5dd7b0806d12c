"""How things look on a terminal: tables, figures, progress and complaints."""

import copy
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TextIO, cast

from rich import box
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column, Table
from rich.text import Text

from hushvote import texts
from hushvote.batch import Progress as Callback

WIDEST = 10_000  # columns that no table reaches

if not re.fullmatch("[1-9][0-9]{0,3}", os.environ.get("COLUMNS", "")):
    os.environ.pop("COLUMNS", None)  # no width that anything could be set in

out = Console(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)
FILED = 250  # columns of a table in a file, beyond which names are wrapped there too
READABLE = 80  # columns of a paragraph in a file
NARROWEST = 16  # columns that names get at least; longer words may be broken


@contextmanager
def beside_output() -> Iterator[None]:
    """What is said goes to standard error: standard output is a file."""
    out.stderr = True
    try:
        yield
    finally:
        out.stderr = False


class Unread(Exception):  # noqa: N818 - no error, and rich would end the program for a broken pipe
    """Whoever read the output is gone."""


@contextmanager
def trimmed_output() -> Iterator[None]:
    """Output without blanks at the ends of lines, unless it goes to a terminal."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_trimmed(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _trimmed(stream: TextIO) -> TextIO:
    """The stream itself if it is a terminal, or closed."""
    return stream if stream is None or stream.isatty() else cast(TextIO, _Trimmed(stream))


class _Trimmed:
    def __init__(self, stream: TextIO) -> None:
        self._stream, self._blanks = stream, ""

    def write(self, text: str) -> int:
        """Keep blanks back until it is seen what follows them."""
        whole = self._blanks + text
        kept = whole.rstrip(" ")
        self._blanks = whole[len(kept) :]
        with read_by_somebody():
            self._stream.write(re.sub(" +\n", "\n", kept))
        return len(text)

    def flush(self) -> None:
        with read_by_somebody():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def read_by_somebody() -> Iterator[None]:
    """Say so if whoever read the output is gone."""
    try:
        yield
    except BrokenPipeError:
        raise Unread from None


def complain(message: str) -> None:
    """One sentence about what was wrong."""
    err.print(Text.assemble(("error:", "bold red"), " ", plain(message)), soft_wrap=True)


def say(message: str | Text, style: str = "") -> None:
    """A sentence that may hold names from files; nothing in it is taken for markup."""
    text = message if isinstance(message, Text) else plain(message)
    out.print(
        _wrapped(text, out.width if _is_measured() else READABLE), style=style, soft_wrap=True
    )


def line(message: str, style: str = "") -> None:
    """The same on one line, however long: for links, which are copied."""
    out.print(plain(message), style=style, soft_wrap=True)


def note(message: str) -> None:
    """What should be known beside the output, in a line of its own."""
    err.print(plain(message), style="yellow", soft_wrap=True)


def plain(text: str) -> Text:
    """Text from outside as it stands, but for characters that would steer the terminal."""
    return Text(texts.shown(text))


# Blanks that belong to what stands beside them: rich breaks lines at any, so others, which `plain`
# leaves out, hold their places meanwhile.
_HELD = {" ": "\ue000", "\u00a0": "\ue001", "\u202f": "\ue002"}
_LOOSE = str.maketrans({held: blank for blank, held in _HELD.items()})
_TOGETHER = re.compile(rf"{texts.PERCENT.pattern}|[\u00a0\u202f]")


def _wrapped(text: Text, width: int) -> Text:
    """Text in lines of this width; none ends between a number and its percent sign."""
    whole = text.copy()
    whole.plain = _TOGETHER.sub(lambda found: _HELD[found[0]], text.plain)
    made = Text("\n").join(whole.wrap(out, width))
    made.plain = made.plain.translate(_LOOSE)
    return made


def _is_measured() -> bool:
    """Whether there is a width to keep to: a terminal's, or the one that the user has set."""
    return out.is_terminal or "COLUMNS" in os.environ


def rounded_up(bound: Fraction) -> str:
    """A bound with six decimals, never below the bound itself."""
    return f"{math.ceil(bound * 10**6) / 10**6:.6f}"


def print_json(document: Any) -> None:
    """JSON for programs, on one line per entry."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def table(title: str, **columns: str) -> Table:
    """A table; each column is named and set 'left', 'right' or 'fixed' (left, never broken)."""
    made = Table(
        title=plain(title),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1),
        pad_edge=False,
        collapse_padding=True,
    )
    for name, setting in columns.items():
        made.add_column(
            name.replace("_", " "),
            justify="right" if setting == "right" else "left",
            overflow="fold",
            no_wrap=setting in ("right", "fixed"),
        )
    return made


def print_table(made: Table) -> None:
    """Print a table, as narrow as the terminal is.

    Names wrap between words, and within words that are wider than `NARROWEST`; figures never do.
    Where even so the terminal is too narrow, further columns follow below, with the names beside
    them again, or above them where not even one column fits beside the names. A file, or another
    program, gets one row a line, however long its figures are, and names up to `FILED` columns.
    """
    for column in made.columns:
        if column.no_wrap:
            column.min_width = max(_width(cell) for cell in (column.header, *column.cells))
    if out.is_terminal:
        for part in _parts(made):
            out.print(part, crop=False)
        return
    most = max(_least(made.columns), out.width if _is_measured() else FILED)
    made.width = min(_width(made), most)
    out.print(made, crop=False)


def _parts(made: Table) -> list[Table]:
    """The table, or several below each other that each fit the terminal."""
    names = next((i for i, c in enumerate(made.columns) if c.justify == "left"), 0) + 1
    keys, rest = made.columns[:names], made.columns[names:]
    groups: list[list[Column]] = []
    for column in rest:
        if groups and _least([*keys, *groups[-1], column]) <= out.width:
            groups[-1].append(column)
        else:
            groups.append([column])
    parts = [made]
    if len(groups) > 1:
        parts = [
            _with_columns(made, [*keys, *group], titled=place == 0)
            for place, group in enumerate(groups)
        ]
    return [part if _least(part.columns) <= out.width else _stacked(part, names) for part in parts]


def _with_columns(made: Table, columns: Sequence[Column], *, titled: bool) -> Table:
    """The same table with some of its columns."""
    part = copy.copy(made)
    part.title = made.title if titled else None
    part.columns = [copy.copy(column) for column in columns]
    for place, column in enumerate(part.columns):
        column._index = place
    return part


def _stacked(made: Table, names: int) -> Table:
    """The same table with all that follows the names below them."""
    head, *rows = zip(*((column.header, *column.cells) for column in made.columns), strict=True)
    only = Column(_stack(head, names), overflow="fold")
    only._cells = [_stack(row, names) for row in rows]
    return _with_columns(made, [only], titled=made.title is not None)


def _stack(cells: Sequence[RenderableType], names: int) -> RenderableType:
    above = (one if isinstance(one, Text) else out.render_str(str(one)) for one in cells[:names])
    return Group(Text("  ").join(above), *(Padding(one, (0, 0, 0, 2)) for one in cells[names:]))


def _least(columns: Sequence[Column]) -> int:
    """How narrow a table of these columns can be: each has a blank at either side."""
    return sum(column.min_width or min(NARROWEST, _longest_word(column)) for column in columns) + (
        2 * len(columns)
    )


def _longest_word(column: Column) -> int:
    cells = (column.header, *column.cells)
    return max(Measurement.get(out, out.options, cell).minimum for cell in cells)


def _width(cell: RenderableType) -> int:
    return Measurement.get(out, out.options.update(max_width=WIDEST), cell).maximum


class _Done(ProgressColumn):
    """How much is done of how much, as other numbers are written here."""

    def render(self, task: Task) -> Text:
        """Of what cannot be counted beforehand there is no telling."""
        total = "?" if task.total is None else f"{task.total:,.0f}"
        return Text(f"{task.completed:,.0f}/{total}".rjust(2 * len(total) + 1))


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callback]:
    """A bar on the terminal while work goes on; nothing where there is no terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        _Done(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)

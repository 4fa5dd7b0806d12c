"""Lists of people and their codes: CSV in, CSV with a code and a link for everybody out.

All columns of a list are kept as they are, so that a mail merge finds what it needs. One thing is
changed: a cell that a spreadsheet would run as a formula gets an apostrophe in front. Cells that
only look like the beginning of one, as phone numbers, minus signs and @names do, stay untouched.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hushvote.client.links import BallotLink, read_link
from hushvote.errors import FileError, HushvoteError, PollError, clip, echo
from hushvote.files import reading, writing
from hushvote.poll.codes import new_code, read_code

CODE, LINK = "code", "link"
LARGEST = 1 << 28  # bytes of a list
MOST = 10_000_000  # codes at once
DELIMITERS = ",;\t"
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
HARMLESS = re.compile(r"\s*([+\-][\d\s()./-]*|[-+@][\w .@-]*)")
BOM = "\ufeff"


@dataclass(frozen=True)
class People:
    """A list of people: its columns, and a row for each."""

    columns: list[str]
    rows: list[list[str]]
    delimiter: str = ","
    marked: bool = False  # whether it began with a byte order mark, as spreadsheets like it
    defused: int = field(default=0, compare=False)  # cells that looked like formulas


def nobody(number: int) -> People:
    """So many people without names."""
    check_number(number)
    return People([], [[] for _ in range(number)])


def check_number(number: int) -> None:
    """Refuse to make no codes, or more than anybody can use."""
    if not 1 <= number <= MOST:
        raise PollError(
            f"the number of codes must be from 1 to {MOST:,}, not {number:,}",
            code="code.number",
            given=number,
        )


def read_people(path: Path) -> People:
    """Read a list whose first line names its columns; commas, semicolons or tabs between."""
    text, marked = _text(path)
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    try:
        lines = [*csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)]
    except csv.Error as error:
        raise FileError(f"{path} is no sound CSV: {error}", code="people.form", path=path) from None
    if not lines or not any(lines[0]):
        raise FileError(
            f"{path} must name its columns in the first line", code="people.form", path=path
        )
    columns, rows = [name.strip() for name in lines[0]], []
    for number, row in enumerate(lines[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(columns):
            raise FileError(
                f"{path}: row {number} must have a cell for each column, {len(columns)}, not "
                f"{len(row)}",
                code="people.form",
                path=path,
                row=number,
            )
        rows.append(row)
    if not rows:
        raise FileError(f"{path} names nobody below its first line", code="people.form", path=path)
    return People(columns, rows, delimiter, marked)


def with_codes(people: People, link: BallotLink) -> tuple[People, list[str]]:
    """The same list with a fresh code and its link in two further columns, and the codes."""
    for name in (CODE, LINK):
        if name in map(str.lower, people.columns):
            raise FileError(
                f"the list has a column {name!r} already; rename it, or take a list without codes",
                code="people.columns",
                column=name,
            )
    codes = [new_code() for _ in people.rows]
    defused, rows = 0, []
    for row, code in zip(people.rows, codes, strict=True):
        cells = [_defused(cell) for cell in row]
        defused += sum(one != other for one, other in zip(cells, row, strict=True))
        ballot = BallotLink(link.server, link.id, link.digest, read_code(code))
        rows.append([*cells, code, str(ballot)])
    columns = [*map(_defused, people.columns), CODE, LINK]
    return People(columns, rows, people.delimiter, people.marked, defused), codes


def write_people(path: Path, people: People) -> None:
    """Write a list for its owner alone; an older file is never replaced."""
    with (
        writing(path, private=True, fresh=True) as part,
        part.open("w", encoding="utf-8", newline="") as file,
    ):
        file.write(BOM if people.marked else "")
        writer = csv.writer(file, delimiter=people.delimiter)
        writer.writerow(people.columns)
        writer.writerows(people.rows)


def codes_in(path: Path, names: Sequence[str] = ()) -> list[str]:
    """The codes of a file: a list with a column of codes, or a code or link a line; with names,
    those of the rows in which one cell is such a name.
    """
    text, _ = _text(path)
    head = [cell.strip().strip('"').lower() for cell in re.split("[,;\t]", text.split("\n")[0])]
    if CODE not in head:
        if names:
            raise FileError(
                f"{path} has no column {CODE!r}, so nobody is found in it by name",
                code="people.columns",
                path=path,
            )
        return codes_of(text.splitlines())
    people = read_people(path)
    at = [name.lower() for name in people.columns].index(CODE)
    if not names:
        return codes_of(row[at] for row in people.rows)
    found = []
    for name in names:
        rows = [row for row in people.rows if name.strip() in (cell.strip() for cell in row)]
        if len(rows) != 1:
            raise FileError(
                f"{path} has {len(rows) or 'no'} rows with a cell {echo(name)}; name the person by "
                "a cell that no other row has",
                code="people.name",
                path=path,
                found=len(rows),
            )
        found.append(rows[0][at])
    return codes_of(found)


def check_poll(path: Path, digest: str) -> None:
    """Refuse a written list whose links lead to another poll."""
    people = read_people(path)
    if LINK not in people.columns:
        return
    at = people.columns.index(LINK)
    for row in people.rows:
        link = read_link(row[at])
        if not isinstance(link, BallotLink) or link.digest != digest:
            raise FileError(
                f"{path} was written for another poll: its links have another digest",
                code="people.poll",
                path=path,
            )


def codes_of(lines: Iterable[str]) -> list[str]:
    """Codes, each once, from lines that are a code or a link with one; what is wrong with a line is
    said without repeating it.
    """
    found: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found[_code(line)] = None
        except HushvoteError as error:
            raise error.within(f"entry {number}", entry=number) from None
    if not found:
        raise PollError("no codes are given", code="code.none")
    return [*found]


def _code(line: str) -> str:
    if "#" not in line:
        return read_code(line.strip())
    link = read_link(line)
    if not isinstance(link, BallotLink) or link.code is None:
        raise PollError("this link has no code behind its digest", code="code.form")
    return link.code


def _defused(cell: str) -> str:
    """A cell that no spreadsheet runs."""
    return f"'{cell}" if FORMULA.match(cell) and not HARMLESS.fullmatch(cell) else cell


def _text(path: Path) -> tuple[str, bool]:
    with reading(path) as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise FileError(
            f"{path} has more than {LARGEST:,} bytes; take it in parts",
            code="file.memory",
            path=path,
        )
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{path} is not in UTF-8 ({clip(error.reason)}); save it as CSV in UTF-8",
            code="file.encoding",
            path=path,
        ) from None
    return text.removeprefix(BOM), text.startswith(BOM)

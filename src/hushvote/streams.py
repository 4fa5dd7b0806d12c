"""Files as people have them: packed by gzip, or piped in.

`-` is standard input. What comes that way is held in memory: files of ballots are read twice, and
true votes should lie in no scratch file.
"""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn, TextIO, cast
from weakref import WeakKeyDictionary

from hushvote.errors import FileError
from hushvote.files import AnyPath, reading

PACKED = ".gz"
GZIP = b"\x1f\x8b"  # how such files begin
STANDARD_INPUT = Path("standard input")  # as messages call it; a file may have this name too

_held: WeakKeyDictionary[BinaryIO, bytes] = WeakKeyDictionary()


def is_standard(path: AnyPath) -> bool:
    """Whether standard input is meant, or standard output."""
    return str(path) == "-"


def kind_of(path: Path) -> str:
    """The ending that tells the format, in small letters: `.csv` of `ballots.csv.gz`."""
    suffix = path.suffix.lower()
    return path.with_suffix("").suffix.lower() if suffix == PACKED else suffix


@contextmanager
def unpacked(path: AnyPath) -> Iterator[BinaryIO]:
    """Yield the bytes of a file, or of standard input, as they were before gzip."""
    if path is STANDARD_INPUT:
        yield io.BytesIO(standard_input())
        return
    with reading(path) as file:
        packed = file.read(len(GZIP)) == GZIP or Path(path).suffix.lower() == PACKED
        file.seek(0)
        if not packed:
            yield file
            return
        try:
            with gzip.GzipFile(fileobj=file) as plain:
                yield cast(BinaryIO, plain)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            _refuse_damaged(path)


def standard_input() -> bytes:
    """All of standard input, read once and unpacked."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        _refuse_empty()
    if stream not in _held:
        found = stream.read()
        try:
            _held[stream] = gzip.decompress(found) if found.startswith(GZIP) else found
        except (OSError, EOFError, zlib.error):
            _refuse_damaged(STANDARD_INPUT)
    if not _held[stream]:
        _refuse_empty()
    return _held[stream]


@contextmanager
def written_text(part: Path, path: Path) -> Iterator[TextIO]:
    """A text file to write at `part`, packed if `path` says so; the same text makes the same bytes,
    and they tell no time.
    """
    with part.open("wb") as file:
        if path.suffix.lower() != PACKED:
            with io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
                yield text
            return
        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed,
            io.TextIOWrapper(packed, encoding="utf-8", newline="") as text,
        ):
            yield text


def _refuse_empty() -> NoReturn:
    raise FileError(
        f"cannot read {STANDARD_INPUT}: it is empty; pipe a file into this command",
        code="file.empty",
        path=STANDARD_INPUT,
    )


def _refuse_damaged(path: AnyPath) -> NoReturn:
    raise FileError(
        f"cannot read {path}: it is not packed by gzip, or only part of a file; copy it again",
        code="file.damaged",
        path=path,
    ) from None

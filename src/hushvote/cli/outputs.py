"""What a command writes, into files or standard output (`-`): what could not be written is refused
before any work.
"""

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from hushvote.cli import show
from hushvote.errors import FileError
from hushvote.files import AnyPath, target_of
from hushvote.plots.pictures import SUFFIXES
from hushvote.plots.style import can_draw
from hushvote.streams import PACKED, is_standard, standard_input

PARQUET = b"PAR1"  # how such files begin
TOLD = 1 << 16  # bytes of standard input that tell whether it is a text


def check_output(
    path: Path | None, suffixes: Sequence[str], what: str, *, standard: bool = False
) -> None:
    """Refuse an output that could not be written in the end.

    `suffixes` are the endings that tell how `what` can be written, in small letters; capital
    ones mean the same. None, for an option that was not given, is always right, and so is `-` for
    commands that can write to `standard` output.
    """
    if path is None or (standard and is_standard(path)):
        return
    if is_standard(path):
        raise FileError(
            f"{what} cannot be written to standard output; name a file that ends in "
            f"{' or '.join(suffixes)}",
            code="file.suffix",
            path=path,
        )
    target = target_of(path)
    if path.name.lower() in suffixes:
        raise FileError(
            f"cannot write {path}: the file needs a name too, as in poll{path.name}",
            code="file.name",
            path=path,
        )
    if path.suffix.lower() not in suffixes:
        raise FileError(
            f"{what} can be written as {' or '.join(suffixes)}, not as {path.name}; "
            f"name the output {_renamed(path, suffixes)}",
            code="file.suffix",
            path=path,
        )
    if not os.access(target.parent, os.W_OK):
        raise FileError(
            f"cannot write {path}: choose a folder that you may write to",
            code="file.unwritable",
            path=path,
        )


def _renamed(path: Path, suffixes: Sequence[str]) -> str:
    """The name with an ending that can be written; `.parquet.gz` has one below that of gzip."""
    plain = path.with_suffix("") if path.suffix.lower() == PACKED else path
    return (plain if plain.suffix.lower() in suffixes else plain.with_suffix(suffixes[0])).name


def check_new(path: Path | None) -> None:
    """Refuse a file that is there: what is evidence, or secret, is never replaced."""
    if path is None:
        return
    check_output(path, [path.suffix.lower()], "it")
    if path.exists() or path.is_symlink():
        raise FileError(
            f"cannot write {path}: there is such a file already, and it is not replaced; "
            "give another name",
            code="file.exists",
            path=path,
        )


def check_picture(path: Path | None) -> None:
    """Refuse a picture that could not be drawn, or not be written, in the end."""
    check_output(path, SUFFIXES, "a picture")
    if path is not None:
        can_draw()


@contextmanager
def to_output(path: Path, suffix: str, *, text: bool = True) -> Iterator[Path]:
    """Where to write: the file itself; or, for `-`, a scratch file that goes to standard output
    when all is well.
    """
    if not is_standard(path):
        yield path
        return
    if not text and sys.stdout.isatty():
        raise FileError(
            "what goes to standard output here is no text for a terminal; pipe it into a program, "
            "or name a file",
            code="output.terminal",
        )
    with tempfile.TemporaryDirectory(prefix="hushvote-") as folder:
        target = Path(folder) / f"output{suffix}"
        yield target
        sys.stdout.flush()
        with target.open("rb") as file, show.read_by_somebody():
            shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


def told_beside(path: Path) -> AbstractContextManager[None]:
    """What is said goes to standard error where standard output is what is written."""
    return show.beside_output() if is_standard(path) else nullcontext()


@dataclass(frozen=True)
class Piped:
    """The path of a scratch file, which messages call by what it holds."""

    path: str

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return "standard input"


def from_input(path: AnyPath) -> AnyPath:
    """The file itself; or, for `-`, one that holds standard input until the program ends."""
    if not is_standard(path):
        return path
    held = standard_input()
    is_json = held[:1] == b"{"
    is_text = not held.startswith(PARQUET) and b"\0" not in held[:TOLD]
    if is_text and not is_json:  # true votes come into no scratch file
        raise FileError(
            "standard input holds ballots, not reports; first run 'hushvote privatize' on it",
            code="file.kind",
            path=path,
        )
    folder = tempfile.TemporaryDirectory(prefix="hushvote-")
    atexit.register(folder.cleanup)
    target = Path(folder.name) / f"standard-input{'.json' if is_json else '.parquet'}"
    target.write_bytes(held)
    return Piped(str(target))

"""Files that a command writes: what could not be written is refused before any work."""

import os
from collections.abc import Sequence
from pathlib import Path

from hushvote.errors import FileError
from hushvote.plots.pictures import SUFFIXES
from hushvote.plots.style import can_draw


def check_output(path: Path | None, suffixes: Sequence[str], what: str) -> None:
    """Refuse an output that could not be written in the end.

    `suffixes` are the endings that tell how `what` can be written, in small letters; capital
    ones mean the same. None, for an option that was not given, is always right.
    """
    if path is None:
        return
    if path.is_dir():
        raise FileError(
            f"cannot write {path}: it is a folder; give the name of a file",
            code="file.folder",
            path=path,
        )
    if path.name.lower() in suffixes:
        raise FileError(
            f"cannot write {path}: the file needs a name too, as in poll{path.name}",
            code="file.name",
            path=path,
        )
    if path.suffix.lower() not in suffixes:
        raise FileError(
            f"{what} can be written as {' or '.join(suffixes)}, not as {path.name}; "
            f"name the output {path.with_suffix(suffixes[0]).name}",
            code="file.suffix",
            path=path,
        )
    folder = path.resolve().parent
    if not folder.is_dir():
        raise FileError(
            f"cannot write {path}: there is no folder {folder}; make that folder first",
            code="file.parent",
            path=path,
            folder=folder,
        )
    if not os.access(folder, os.W_OK):
        raise FileError(
            f"cannot write {path}: choose a folder that you may write to",
            code="file.unwritable",
            path=path,
        )


def check_new(path: Path | None) -> None:
    """Refuse a file that is there: what is evidence, or secret, is never replaced."""
    if path is None:
        return
    if path.exists() or path.is_symlink():
        raise FileError(
            f"cannot write {path}: there is such a file already, and it is not replaced; "
            "give another name",
            code="file.exists",
            path=path,
        )
    check_output(path, [path.suffix.lower()], "it")


def check_picture(path: Path | None) -> None:
    """Refuse a picture that could not be drawn, or not be written, in the end."""
    check_output(path, SUFFIXES, "a picture")
    if path is not None:
        can_draw()

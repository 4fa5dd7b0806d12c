"""Which files are meant: names, patterns such as 'reports/*.parquet', and folders of reports.

In folders whose names say a column's value, as in `poll=3f.../day=2026-05-01/`, the files have that
column, as data lakes lay them out.
"""

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import NoReturn
from urllib.parse import unquote

from hushvote.errors import FileError, echo
from hushvote.files import AnyPath, check_readable
from hushvote.frames import is_frame

REMOTE = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)  # of an object store, say
UNSAID = "__HIVE_DEFAULT_PARTITION__"  # what data lakes write for an empty cell


@dataclass(frozen=True)
class Input:
    """One file to count."""

    path: AnyPath
    fixed: Mapping[str, str]  # what its folders say

    @property
    def is_tally(self) -> bool:
        """Whether it was counted before."""
        return Path(self.path).suffix.lower() == ".json"

    @property
    def is_remote(self) -> bool:
        """Whether only a cluster can read it."""
        return is_remote(self.path)


def is_remote(path: AnyPath) -> bool:
    """Whether this is the address of an object store."""
    return bool(REMOTE.match(str(path)))


def inputs(paths: AnyPath | Iterable[AnyPath]) -> list[Input]:
    """Every file that is meant, none of them by two names or links."""
    if isinstance(paths, str | PathLike):
        paths = [paths]
    elif is_frame(paths) or isinstance(paths, bytes) or not isinstance(paths, Iterable):
        _refuse_other(paths)
    seen: dict[tuple[int, int] | str, AnyPath] = {}
    found = []
    for path in (one for given in paths for one in _meant(given)):
        known = str(path) if is_remote(path) else _identity(path)
        if known in seen:
            refuse_twice(path, seen[known])
        seen[known] = path
        found.append(Input(path, said_by_folders(path)))
    return found


def refuse_twice(path: AnyPath, first: AnyPath) -> NoReturn:
    """Refuse a file that was meant already by another name."""
    raise FileError(
        f"{path} is named twice, first as {first}; its reports must be counted only once",
        code="file.twice",
        path=path,
        first=first,
    )


def _refuse_other(given: object) -> NoReturn:
    """Refuse what is no path: reports themselves, say."""
    named = f"a {type(given).__name__}" if is_frame(given) else echo(given)
    raise FileError(
        f"files are named by a path, or by several in a list, not by {named}; reports in memory, "
        "as in a data frame or an array, are counted by mechanism.tally",
        code="file.none",
        given=given,
    )


def _identity(path: AnyPath) -> tuple[int, int]:
    check_readable(path)
    about = Path(path).stat()
    return about.st_dev, about.st_ino


def _meant(given: AnyPath) -> Iterator[AnyPath]:
    if not isinstance(given, str | PathLike):
        _refuse_other(given)
    if str(given) == "":
        raise FileError(
            "the name of a file is empty; give one, or . for all files of reports in this folder",
            code="file.missing",
            path=given,
        )
    path = Path(given)
    if is_remote(given) or not _is_pattern_or_folder(path):
        yield given
        return
    named = [path]
    if not path.is_dir():
        named = _matching(path)
    files = (one for each in named for one in (_within(each) if each.is_dir() else [each]))
    found = list(dict.fromkeys(files))  # `**` names folders and what is in them
    if not found:
        what = "there are no .parquet files in it" if path.is_dir() else "no file has such a name"
        raise FileError(
            f"cannot read {given}: {what}; check the name", code="file.missing", path=given
        )
    yield from found


def _matching(pattern: Path) -> list[Path]:
    """All that has such a name; folders on the way that cannot be looked into are refused."""
    ways = [way for way in pattern.parents if glob.has_magic(str(way))]
    for way in (ways[-1].parent, *ways) if ways else [pattern.parent]:
        for folder in glob.glob(str(way), recursive=True):  # noqa: PTH207
            if Path(folder).is_dir() and not os.access(folder, os.R_OK | os.X_OK):
                _refuse_closed(folder)
    return sorted(Path(one) for one in glob.glob(str(pattern), recursive=True))  # noqa: PTH207


def _within(folder: Path, above: frozenset[tuple[int, int]] = frozenset()) -> list[Path]:
    """The files of reports in a folder and those within, links to folders included; some programs
    call folders like files.
    """
    try:
        entries, about = sorted(folder.iterdir()), folder.stat()
    except OSError:
        _refuse_closed(folder)
    here = above | {(about.st_dev, about.st_ino)}
    found = []
    for one in entries:
        if one.name.startswith((".", "_")):
            continue
        if one.is_dir():
            inner = one.stat()
            if (inner.st_dev, inner.st_ino) not in here:  # a link that leads back up
                found += _within(one, here)
        elif one.suffix == ".parquet":
            found.append(one)
    return found


def _refuse_closed(folder: AnyPath) -> NoReturn:
    raise FileError(
        f"cannot look into {folder}: there may be reports in it that would be left out; give "
        "yourself the right to, or name other files",
        code="file.unreadable",
        path=folder,
    )


def _is_pattern_or_folder(path: Path) -> bool:
    try:
        return path.is_dir() or (glob.has_magic(str(path)) and not path.exists())
    except (OSError, ValueError):
        return False


def said_by_folders(path: AnyPath) -> dict[str, str]:
    """The columns that folders say."""
    parts = PurePosixPath(Path(path).as_posix()).parent.parts
    pairs = [part.split("=", 1) for part in parts if "=" in part]
    return {key: "" if value == UNSAID else unquote(value) for key, value in pairs if key}


def local(files: Iterable[Input]) -> list[Input]:
    """The same files, refusing those that only a cluster can read."""
    kept = list(files)
    for one in kept:
        if one.is_remote:
            raise FileError(
                f"cannot read {echo(str(one.path))} here: it is an address; count it with Spark, "
                "as in --engine spark",
                code="file.remote",
                path=one.path,
            )
    return kept

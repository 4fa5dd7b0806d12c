"""Further rules, mechanisms, electorates and attacks, from a Python file or module of one's own.

What is loaded registers itself, each under a name of its own. Processes that a server starts load
the same: they ask `loaded`. Where something goes wrong in a user's file, `blamed` finds the line.
"""

import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from hushvote.errors import FileError, HushvoteError, clip, echo

OURS = Path(__file__).resolve().parent
_named: dict[str, str] = {}  # files of users, as Python calls them and as they were named
_loaded: list[str] = []
_homes: dict[tuple[str, str], str] = {}  # kind and name -> the file that registered it
_places: dict[tuple[str, str], str] = {}  # and its line, as it is shown


def load(name: str) -> None:
    """Import a file or module for what it registers."""
    try:
        if name.endswith(".py"):
            _load_file(name)
        else:
            _load_module(name)
    except (Exception, SystemExit) as error:
        if isinstance(error, FileError) and error.code == "file.missing":
            raise
        told = _led(error, blamed(error) or f"--load {name or repr(name)}")
        raise FileError(told, code="load.failed", path=name, reason=said(error)) from error


def loaded() -> tuple[str, ...]:
    """What was loaded into this process, in order; files by a path that holds in any folder."""
    return tuple(_loaded)


def _load_file(name: str) -> None:
    path = Path(name).absolute()
    if not path.is_file():
        raise FileError(f"--load {name}: there is no such file", code="file.missing", path=name)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    _named[str(spec.origin)] = name
    with _beside(path):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    _loaded.append(str(path))


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """Let a file import what lies beside it, while it is loaded and where nothing else is meant."""
    folder = str(path.parent)
    sys.path.append(folder)
    importlib.invalidate_caches()  # which may not know files that were just written
    try:
        yield
    finally:
        del sys.path[len(sys.path) - 1 - sys.path[::-1].index(folder)]


def _load_module(name: str) -> None:
    try:
        spec = importlib.util.find_spec(name) if name and not name.startswith(".") else None
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        spec = None  # a package that it would be in is not there
    if spec is None:
        raise FileError(
            "this is neither a Python file, which ends in .py, nor the name of a module",
            code="load.failed",
            path=name,
        )
    if spec.origin is not None:
        _named[spec.origin] = spec.origin
    importlib.import_module(name)
    _loaded.append(name)


# --- names ----------------------------------------------------------------------------------------


def claim(kind: str, name: str, known: Container[str], error: type[HushvoteError]) -> None:
    """Refuse a name under which another file has registered something of this kind; the same file
    may do it again, as notebooks and reloaded modules do. For functions that a user's file calls.
    """
    frame = sys._getframe(2)
    caller, code = frame.f_globals, frame.f_code
    file = caller.get("__file__")  # which a notebook has not
    home = os.path.realpath(file) if file else str(caller["__name__"])
    before = _homes.get((kind, name))
    if name in known and before not in (None, home):
        by = "hushvote has one" if _is_ours(str(before)) else f"{before} has one"
        raise error(
            f"the name {echo(name)} of this {kind} is taken: {by}; give yours another",
            code="load.name",
            kind=kind,
            name=name,
        )
    _homes[kind, name] = home
    if not _is_ours(code.co_filename):
        shown = _named.setdefault(code.co_filename, code.co_filename)
        _places[kind, name] = f"{shown}, line {frame.f_lineno}"


# --- where it went wrong --------------------------------------------------------------------------


def blamed(error: BaseException) -> str | None:
    """The last place in a user's own file that led to an error; None if there is none."""
    if isinstance(error, SyntaxError) and error.filename and not _is_ours(error.filename):
        return f"{_named.get(error.filename, error.filename)}, line {error.lineno}"
    found = None
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename in _named:
            within = "" if frame.name == "<module>" else f", in {frame.name}"
            found = f"{_named[frame.filename]}, line {frame.lineno}{within}"
    return found


def failure(error: BaseException, kind: str, name: str) -> str:
    """What went wrong in something that a user's file has registered, and where."""
    return _led(error, blamed(error) or registered(kind, name))


def _led(error: BaseException, place: str | None) -> str:
    """What an error says, led by where it arose, unless it says that itself."""
    knows = isinstance(error, HushvoteError) and bool(error.values.get("defined"))
    return said(error) if knows or place is None else f"{place}: {said(error)}"


def registered(kind: str, name: str) -> str | None:
    """Where something of a user's own was registered; None for what is hushvote's."""
    return _places.get((kind, name))


def defined(function: Callable[..., object], name: str | None = None) -> str | None:
    """Where a user's function stands, by this name or its own; None for what has no file."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or _is_ours(code.co_filename):
        return None
    file = _named.get(code.co_filename, code.co_filename)
    return f"{file}, line {code.co_firstlineno}, in {name or code.co_name}"


def _is_ours(filename: str) -> bool:
    return Path(filename).resolve().is_relative_to(OURS)


def said(error: BaseException) -> str:
    """What an error says, on one line."""
    if isinstance(error, SyntaxError):
        return f"{error.msg}"
    if isinstance(error, HushvoteError):
        return str(error)
    text = " ".join(str(error).split())
    return clip(f"{type(error).__name__}: {text}" if text else type(error).__name__)

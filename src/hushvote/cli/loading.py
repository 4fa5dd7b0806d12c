"""`--load`: files and modules of users, and where in them something went wrong."""

import importlib
import importlib.util
import traceback
from pathlib import Path

from hushvote.errors import FileError, HushvoteError, clip

OURS = Path(__file__).parents[1]
_loaded: dict[str, str] = {}  # files of users, as Python calls them and as they were named


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
        place = blamed(error) or f"--load {name}"
        raise FileError(
            f"{place}: {said(error)}", code="load.failed", path=name, reason=said(error)
        ) from error


def _load_file(name: str) -> None:
    if not Path(name).is_file():
        raise FileError(f"--load {name}: there is no such file", code="file.missing", path=name)
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    assert spec is not None
    assert spec.loader is not None
    _loaded[str(spec.origin)] = name
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _load_module(name: str) -> None:
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.origin is not None:
        _loaded[spec.origin] = spec.origin
    importlib.import_module(name)


def blamed(error: BaseException) -> str | None:
    """The last place in a user's own file that led to an error; None if there is none."""
    if isinstance(error, SyntaxError) and error.filename and not _is_ours(error.filename):
        return f"{_loaded.get(error.filename, error.filename)}, line {error.lineno}"
    found = None
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename in _loaded:
            within = "" if frame.name == "<module>" else f", in {frame.name}"
            found = f"{_loaded[frame.filename]}, line {frame.lineno}{within}"
    return found


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(OURS)


def said(error: BaseException) -> str:
    """What an error says, on one line."""
    if isinstance(error, SyntaxError):
        return f"{error.msg}"
    if isinstance(error, HushvoteError):
        return str(error)
    text = " ".join(str(error).split())
    return clip(f"{type(error).__name__}: {text}" if text else type(error).__name__)

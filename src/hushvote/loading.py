"""Further rules, mechanisms, electorates and attacks, from a Python file or module of one's own.

What is loaded registers itself. Processes that a server starts load the same: they ask `loaded`.
"""

import importlib
import importlib.util
from pathlib import Path

from hushvote.errors import FileError

_loaded: list[str] = []


def load(name: str) -> None:
    """Import a file or module for what it registers."""
    try:
        if name.endswith(".py"):
            name = str(Path(name).absolute())  # wherever the next process is
            _execute(name)
        else:
            importlib.import_module(name)
    except FileError:
        raise
    except (Exception, SystemExit) as error:
        raise FileError(
            f"--load {name} failed: {error!r}", code="load.failed", path=name, reason=repr(error)
        ) from error
    _loaded.append(name)


def loaded() -> tuple[str, ...]:
    """What was loaded into this process, in order."""
    return tuple(_loaded)


def _execute(path: str) -> None:
    if not Path(path).is_file():
        raise FileError(f"--load {path}: there is no such file", code="file.missing", path=path)
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))

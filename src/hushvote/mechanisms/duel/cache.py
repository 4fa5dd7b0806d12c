"""Designs that were found before, below the user's cache folder.

A design costs from milliseconds to minutes, reading it costs nothing. Privacy does not rest on
these files: it follows from the odds alone. An entry that is damaged, biased or breaks its cap is
designed anew; a forged one that passes can cost accuracy.
"""

import hashlib
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hushvote.canonical import canonical, sealed, unsealed
from hushvote.errors import FileError
from hushvote.files import writing

DESIGNER = 3  # raised with every change of what the program finds


def folder() -> Path:
    """Where designs are kept: $XDG_CACHE_HOME/hushvote, by default ~/.cache/hushvote."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hushvote"


def _path(key: dict[str, Any]) -> Path:
    marked = {**key, "version": version("hushvote"), "designer": DESIGNER}
    return folder() / f"design-{hashlib.sha256(canonical(marked)).hexdigest()[:32]}.json"


def read(key: dict[str, Any]) -> list[Any] | None:
    """The design kept for a key, or None."""
    try:
        document = unsealed(_path(key).read_bytes())
    except (OSError, ValueError, RuntimeError):
        return None
    kept = document.get("questions")
    return kept if document.get("key") == key and isinstance(kept, list) else None


def write(key: dict[str, Any], questions: list[Any]) -> None:
    """Keep a design; where that is not possible, do without."""
    try:
        path = _path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing(path) as part:
            part.write_text(sealed({"key": key, "questions": questions}), encoding="utf-8")
    except (OSError, FileError, RuntimeError):
        pass

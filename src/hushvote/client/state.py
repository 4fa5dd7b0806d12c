"""What a user's command line keeps between two commands: keys, seeds, acknowledgements.

All of it lies below `$XDG_STATE_HOME/hushvote`, by default `~/.local/state/hushvote`, in folders
and files that are their owner's alone. What was written there is on the disk for good before
anything else is done.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hushvote.errors import FileError
from hushvote.files import reading, writing

LONGEST = 1 << 20  # bytes of a file


def state_folder(kind: str) -> Path:
    """The folder of what is kept of this kind, as in "polls"; made if it is not there."""
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    folder = base / "hushvote" / kind
    try:
        base.mkdir(parents=True, exist_ok=True, mode=0o700)
        for one in (folder.parent, folder):
            one.mkdir(exist_ok=True, mode=0o700)
    except OSError as error:
        raise FileError(
            f"cannot keep anything in {folder}: {error.strerror or error}; set XDG_STATE_HOME to a "
            "folder that you may write to",
            code="file.unwritable",
            path=folder,
        ) from None
    return folder


def keep(path: Path, document: Mapping[str, Any], *, fresh: bool = False) -> None:
    """Write plain data for the user alone, whole or not at all; a fresh file replaces none."""
    with writing(path, private=True, fresh=fresh) as part:
        part.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def kept(path: Path) -> dict[str, Any]:
    """What was kept; a file that is damaged is refused."""
    with reading(path) as file:
        raw = file.read(LONGEST + 1)
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or len(raw) > LONGEST:
        raise FileError(
            f"{path} is damaged: it is not what hushvote has kept there; put it aside",
            code="state.form",
            path=path,
        )
    return found

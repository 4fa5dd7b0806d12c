"""What was counted of each file, kept in a folder, so that a later run counts only what is new.

One small file for each file of reports, written whole or not at all. It is found by a digest of the
mechanism, of what was asked, and of the file: where it lies, its size, the time of its last change,
and its footer, which says where every column lies and carries hushvote's head. The reports are not
read again, so a change that keeps all of these is not noticed.
"""

import hashlib
import os
from pathlib import Path

from hushvote.batch.opening import Opened
from hushvote.batch.sums import Sums
from hushvote.canonical import digest_of, sealed, unsealed
from hushvote.errors import FileError, HushvoteError, clip
from hushvote.files import AnyPath, check_path, reading, writing

VERSION = 2
TAIL = 8  # bytes behind a footer: its length, and the name of the format


class Partials:
    """A folder of sums, by what they are the sums of."""

    def __init__(self, folder: AnyPath) -> None:
        check_path(folder)
        if str(folder) == "":
            raise FileError(
                "the name of the folder for partial tallies is empty; give one, or . for this one",
                code="file.missing",
                path=folder,
            )
        self._folder = Path(folder)
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise FileError(
                f"cannot keep partial tallies in {folder}: {(error.strerror or '').lower()}; "
                "give the name of a folder",
                code="file.folder",
                path=folder,
            ) from None

    def get(self, opened: Opened) -> Sums | None:
        """What a file added up to when it was last counted, if that is known."""
        path = self._path(opened)
        if not path.exists():
            return None
        try:
            with reading(path) as file:
                held = unsealed(file.read())
            if held.pop("hushvote") != "partial" or held.pop("version") != VERSION:
                raise ValueError("it is of another version")
            sums = Sums.from_dict(opened.mechanism, opened.sieve.by, held)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, HushvoteError) and error.code == "file.unreadable":
                raise
            raise FileError(
                f"{path} is no partial tally, or a damaged one ({clip(str(error))}); "
                "delete it, and its reports are counted again",
                code="partial.form",
                path=path,
                reason=error,
            ) from None
        opened.file.check_number(sums.n)
        return sums

    def put(self, opened: Opened, sums: Sums) -> None:
        """Keep what a file adds up to, unless it has become another one."""
        opened.file.check_unchanged()
        held = {"hushvote": "partial", "version": VERSION, **sums.to_dict()}
        with writing(self._path(opened)) as part:
            part.write_text(sealed(held), encoding="utf-8")

    def _path(self, opened: Opened) -> Path:
        sieve = opened.sieve
        key = {
            "mechanism": opened.mechanism.digest,
            "marks": list(sieve.marks),
            "by": sieve.by or "",
            "poll": sieve.poll or "",
            "asked": str(sieve.asked),
            "folders": dict(sieve.fixed),
            "skip": str(sieve.skip),
            "path": str(Path(opened.path).resolve()),
            "stamp": opened.file.stamp or "",
            "footer": _footer(opened.path),
        }
        return self._folder / f"{digest_of(key)}.json"


def _footer(path: AnyPath) -> str:
    """The digest of a file's footer; Arrow has read it already, so it is there."""
    with reading(path) as file:
        end = file.seek(-TAIL, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
        file.seek(max(0, end - length))
        return hashlib.sha256(file.read()).hexdigest()

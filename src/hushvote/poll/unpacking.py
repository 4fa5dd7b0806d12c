"""An archive that comes as one file: the zip that the organiser's page saves, or of its folder.

Only the files that are checked are unpacked, under names of their own in a folder that is given: no
name within the zip becomes a path. Whoever made it may be a stranger, so it must say truly how
large its files are, and none may be larger than a poll can make it.
"""

import io
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from hushvote.errors import FileError
from hushvote.files import explained, reading
from hushvote.poll.auditing import BOARD, MANIFEST, RESULT

BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")  # of a zip, and of one with nothing in it
LARGEST = {MANIFEST: 1 << 26, RESULT: 1 << 26, BOARD: 1 << 32}  # bytes
TIGHTEST = 100  # times that a board could be packed smaller, since half of it is random digits
SMALL = 1 << 20  # bytes that may be packed as tightly as they like
LISTED = 1 << 22  # bytes of the list of what is in a zip
PIECE = 1 << 20  # bytes that are unpacked at a time
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others can ask for any amount of memory
ENCRYPTED = 1  # the bit of a file that needs a password
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(ValueError, OverflowError, NotImplementedError, RuntimeError),
)


def is_zip(path: Path) -> bool:
    """Whether a file begins as a zip does, whole or not."""
    with reading(path) as file:
        return file.read(len(BEGINNINGS[0])) in BEGINNINGS


def unpack(path: Path, folder: Path) -> None:
    """Put manifest, board and result of a zipped archive into a folder, those that are there."""
    with reading(path) as file:
        try:
            with zipfile.ZipFile(_Bounded(file)) as packed:
                found = _wanted(path, packed)
                for name, info in found.items():
                    _check_size(path, name, info)
                    target = folder / name
                    with packed.open(info) as source, explained(target), target.open("xb") as put:
                        shutil.copyfileobj(source, put, PIECE)  # never more than was said
        except FileError:  # which says more than that it is damaged
            raise
        except BROKEN:
            raise FileError(
                f"cannot read {path}: this zip is damaged, or its end is missing; save or copy it "
                "again",
                code="archive.zip",
                path=path,
            ) from None


class _Bounded(io.BufferedIOBase):
    """A file of which nobody takes more at once than the list of a zip may have."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def seekable(self) -> bool:
        return True

    def seek(self, at: int, whence: int = 0) -> int:
        return self._file.seek(at, whence)

    def tell(self) -> int:
        return self._file.tell()

    def read(self, size: int | None = -1) -> bytes:
        wanted = LISTED if size is None or size < 0 else size
        if wanted > LISTED:
            raise ValueError("too much at once")
        return self._file.read(wanted)


def _wanted(path: Path, packed: zipfile.ZipFile) -> Mapping[str, zipfile.ZipInfo]:
    """The files of the archive by their own names; refused if there are none, or several."""
    found: dict[str, zipfile.ZipInfo] = {}
    for info in packed.infolist():
        *folders, name = re.split(r"[/\\]", info.filename)
        if name not in LARGEST or "__MACOSX" in folders:
            continue
        if name in found:
            raise FileError(
                f"cannot read {path}: {name} is in it more than once; unpack it, and give the "
                "folder of one archive",
                code="archive.form",
                path=path,
            )
        found[name] = info
    if BOARD not in found and (MANIFEST not in found or RESULT in found):
        raise FileError(
            f"cannot read {path}: there is no {BOARD} in this zip; give an archive as the "
            "organiser's page saves it, or the board itself",
            code="archive.form",
            path=path,
        )
    return found


def _check_size(path: Path, name: str, info: zipfile.ZipInfo) -> None:
    if info.flag_bits & ENCRYPTED or info.compress_type not in METHODS:
        raise FileError(
            f"cannot read {path}: it has a password, or is packed in a way that is not read here; "
            "unpack it, and give the folder",
            code="archive.zip",
            path=path,
        )
    most = min(LARGEST[name], max(SMALL, TIGHTEST * info.compress_size))
    if info.file_size > most:
        raise FileError(
            f"cannot read {path}: {name} in it would have {info.file_size:,} bytes, more than a "
            "poll can make of so few; nothing of it is unpacked",
            code="archive.large",
            path=path,
            size=info.file_size,
        )

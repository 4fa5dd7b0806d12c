"""Opening and replacing files, so that every failure is one sentence and no file is left half done.

`reading` and `writing` are the only two doors to the disk; the formats here and the rooms that
write reports or JSON all go through them.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hushvote.errors import FileError

AnyPath = str | os.PathLike[str]


@contextmanager
def writing(path: AnyPath) -> Iterator[Path]:
    """Yield a temporary path in the same folder; it becomes `path` only if all goes well.

    Whoever reads `path` sees the old file or the whole new one, never a part. If the body fails,
    or the user interrupts it, the temporary file is removed and the old file stays.
    """
    target = _target(path)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        # Not tempfile: its files are private to their owner, these follow the user's umask.
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:
        raise FileError(
            f"cannot write {path}: {_reason(error)}; choose a folder that you may write to"
        ) from None
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise FileError(
            f"cannot write {path}: {_reason(error)}; nothing was changed, "
            "make room or choose another place"
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _target(path: AnyPath) -> Path:
    """Where the file really goes; a link keeps pointing there."""
    try:
        target = Path(path).resolve()
        if target.is_dir():
            raise FileError(f"cannot write {path}: it is a folder; give the name of a file")
        if target.exists() and not target.is_file():
            raise FileError(f"cannot write {path}: it is a device; give the name of a file")
        if not target.parent.is_dir():
            raise FileError(
                f"cannot write {path}: there is no folder {target.parent}; make that folder first"
            )
    except FileError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, a circle of links
        raise FileError(f"cannot write {path}: {_reason(error)}; give the name of a file") from None
    return target


@contextmanager
def reading(path: AnyPath) -> Iterator[BinaryIO]:
    """Yield the bytes of a file that exists, may be read and is not empty."""
    with _opened(path) as file:
        try:
            yield file
        except OSError as error:
            raise FileError(f"cannot read {path}: {_reason(error)}; try a copy of it") from error


def _opened(path: AnyPath) -> BinaryIO:
    source = Path(path)
    try:
        if source.is_dir():
            raise FileError(f"cannot read {path}: it is a folder; give the name of a file")
        if not source.is_file() and source.exists():
            raise FileError(f"cannot read {path}: it is a pipe or device; save it as a file first")
        if source.stat().st_size == 0:
            raise FileError(f"cannot read {path}: the file is empty; give one with content")
        return source.open("rb")
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"cannot read {path}: there is no such file; check the name") from None
    except (OSError, ValueError) as error:
        raise FileError(
            f"cannot read {path}: {_reason(error)}; give a file that you may read"
        ) from None


def _reason(error: BaseException) -> str:
    """What the operating system says, without its error number."""
    if isinstance(error, ValueError):
        return "no file can have this name"
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return said[:1].lower() + said[1:]

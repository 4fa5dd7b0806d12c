"""Opening and replacing files, so that every failure is one sentence and no file is left half done.

`reading` and `writing` are the doors to the disk; all rooms that read or
write files go through them. Libraries that open a path themselves ask `check_readable`
first, and `nameless` gives room for what nobody else may see.
"""

import os
import secrets
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from hushvote.errors import FileError, echo

AnyPath = str | os.PathLike[str]


@contextmanager
def writing(path: AnyPath, *, private: bool = False, fresh: bool = False) -> Iterator[Path]:
    """Yield a temporary path in the same folder; it becomes `path` only if all goes well.

    Whoever reads `path` sees the old file or the whole new one, never a part. If the body fails,
    or the user interrupts it, the temporary file is removed and the old file stays. Until it is
    whole nobody else may read it; then it gets the permissions of the file that it replaces, or
    those that new files have. A `private` one stays its owner's alone, and is on the disk for good
    when this ends; a `fresh` one replaces nothing.
    """
    target = target_of(path)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:  # from before there is a file, so that none is left whenever a signal comes
        with _creating(path):
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with explained(path):
            yield part
            with part.open("rb+") as file:
                if not private:
                    _permit(file.fileno(), target)
                os.fsync(file.fileno())
            if fresh:
                _put(part, target, path)
            else:
                part.replace(target)
            if private:
                _sync(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _put(part: Path, target: Path, path: AnyPath) -> None:
    """Give a file its name, unless another one has it."""
    try:
        try:
            os.link(part, target)
        except PermissionError:  # some file systems have no second names
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            part.replace(target)
    except FileExistsError:
        raise FileError(
            f"cannot write {path}: there is such a file already, and it is not replaced; "
            "give another name",
            code="file.exists",
            path=path,
        ) from None


def _sync(folder: Path) -> None:
    """Make the names in a folder outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def explained(path: AnyPath) -> Iterator[None]:
    """Say what the system refuses while a file is being written; nothing of it is there yet."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"cannot write {path}: {_reason(error)}; nothing was changed, "
            "make room or choose another place",
            code="file.unwritable",
            path=path,
            reason=_reason(error),
        ) from error


def nameless(folder: Path) -> BinaryIO:
    """A file for this process alone, which is gone when it is closed or the process ends."""
    with _creating(folder):
        return cast(BinaryIO, tempfile.TemporaryFile(dir=folder, prefix=".hushvote."))


@contextmanager
def _creating(path: AnyPath) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileError(
            f"cannot write {path}: {_reason(error)}; choose a folder that you may write to",
            code="file.unwritable",
            path=path,
            reason=_reason(error),
        ) from None


def _permit(file: int, target: Path) -> None:
    """Let those read and write the new file who could the old one, and nobody else."""
    try:
        old = target.stat()
    except FileNotFoundError:
        os.fchmod(file, 0o666 & ~_umask())
        return
    mode, new = stat.S_IMODE(old.st_mode) & 0o777, os.fstat(file)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        for owner in (old.st_uid, -1):  # the owner is root's to change, the group is a member's
            with suppress(OSError):
                os.fchown(file, owner, old.st_gid)
                break
        else:  # the group is another one: it may do what everybody may
            mode = mode & 0o707 | (mode & 0o007) << 3
    os.fchmod(file, mode)


def _umask() -> int:
    """What new files are denied; it can be asked for only by setting it."""
    with _asking:
        mask = os.umask(0o077)
        os.umask(mask)
    return mask


_asking = threading.Lock()


def target_of(path: AnyPath) -> Path:
    """Where a file that is to be written really goes; a link keeps pointing there."""
    check_path(path)
    try:
        target = Path(path).resolve()
        if target.is_dir():
            raise FileError(
                f"cannot write {path}: it is a folder; give the name of a file",
                code="file.folder",
                path=path,
            )
        if target.exists() and not target.is_file():
            raise FileError(
                f"cannot write {path}: it is a device; give the name of a file",
                code="file.device",
                path=path,
            )
        if not target.parent.is_dir():
            raise FileError(
                f"cannot write {path}: there is no folder {target.parent}; make that folder first",
                code="file.parent",
                path=path,
                folder=target.parent,
            )
    except FileError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, a circle of links
        raise FileError(
            f"cannot write {path}: {_reason(error)}; give the name of a file",
            code="file.name",
            path=path,
            reason=_reason(error),
        ) from None
    return target


@contextmanager
def reading(path: AnyPath) -> Iterator[BinaryIO]:
    """Yield the bytes of a file that exists, may be read and is not empty."""
    with _opened(path) as file:
        try:
            yield file
        except OSError as error:
            raise FileError(
                f"cannot read {path}: {_reason(error)}; try a copy of it",
                code="file.unreadable",
                path=path,
                reason=_reason(error),
            ) from error


def check_readable(path: AnyPath) -> None:
    """Refuse what `reading` would refuse, for libraries that open a file by its path."""
    _opened(path).close()


def check_path(path: object) -> None:
    """Refuse what is no name of a file."""
    if not isinstance(path, str | os.PathLike):
        raise FileError(
            f"a file is named by a text or a pathlib.Path, not by {echo(path)}",
            code="file.name",
            path=path,
        )


def _opened(path: AnyPath) -> BinaryIO:
    check_path(path)
    source = Path(path)
    try:
        if source.is_dir():
            raise FileError(
                f"cannot read {path}: it is a folder; give the name of a file",
                code="file.folder",
                path=path,
            )
        if not source.is_file() and source.exists():
            raise FileError(
                f"cannot read {path}: it is a pipe or device; save it as a file first",
                code="file.device",
                path=path,
            )
        if source.stat().st_size == 0:
            raise FileError(
                f"cannot read {path}: the file is empty; give one with content",
                code="file.empty",
                path=path,
            )
        return source.open("rb")
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(
            f"cannot read {path}: there is no such file; check the name",
            code="file.missing",
            path=path,
        ) from None
    except (OSError, ValueError) as error:
        raise FileError(
            f"cannot read {path}: {_reason(error)}; give a file that you may read",
            code="file.unreadable",
            path=path,
            reason=_reason(error),
        ) from None


def _reason(error: BaseException) -> str:
    """What the operating system says, without its error number."""
    if isinstance(error, ValueError):
        return "no file can have this name"
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return said[:1].lower() + said[1:]

"""Opening and replacing files, so that every failure is one sentence and no file is left half done.

`reading`, `writing` and `writing_folder` are the doors to the disk; all rooms that read or
write files go through them. Libraries that open a path themselves ask `check_readable`
first, and `nameless` gives room for what nobody else may see.
"""

import os
import secrets
import shutil
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from hushvote.errors import FileError, echo

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

AnyPath = str | os.PathLike[str]
LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no pipe waits


@contextmanager
def writing(path: AnyPath, *, private: bool = False, fresh: bool = False) -> Iterator[Path]:
    """Yield a temporary path in the same folder; it becomes `path` only if all goes well.

    Whoever reads `path` sees the old file or the whole new one, never a part. If the body fails,
    or the user interrupts it, the temporary file is removed and the old file stays; one that a
    killed process has left goes when the same is written again. Until it is whole nobody else may
    read it; then it gets the permissions of the file that it replaces, or those that new files
    have. A `private` one stays its owner's alone, and is on the disk for good when this ends; a
    `fresh` one replaces nothing.
    """
    target = target_of(path)
    with _beside(target, path, _make_file) as part, explained(path):
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


@contextmanager
def writing_folder(path: AnyPath) -> Iterator[Path]:
    """Yield a temporary folder beside `path`, whose name it gets only if all goes well, with all
    that is in it at once; `path` is new, or an empty folder.
    """
    target = folder_of(path)
    with _beside(target, path, _make_folder) as part, explained(path):
        yield part
        part.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o777 & ~_umask())
        part.rename(target)


@contextmanager
def _beside(target: Path, path: AnyPath, make: Callable[[Path], None]) -> Iterator[Path]:
    """A name beside the target under which it is made, locked as long as somebody makes it. The
    usual one tells what a killed process has left, which goes; while another process is at work
    under it, this one takes one of its own.
    """
    usual = target.with_name(f".{target.name}.part")
    part, lock = usual, None
    try:  # from before there is anything, so that nothing is left whenever a signal comes
        with _creating(path):
            _clear(usual)
            with suppress(FileExistsError):
                make(usual)
                lock = _locked(usual)
            if lock is None:
                part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
                make(part)
                lock = os.open(part, LOOK)
        yield part
    finally:
        if lock is None:
            _clear(part)
        else:
            _remove(part, lock)
            os.close(lock)


def _make_file(part: Path) -> None:
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _make_folder(part: Path) -> None:
    part.mkdir(0o700)


def _locked(part: Path) -> int | None:
    """Keep what was just made; None if another process took it for one that was left behind, and
    what has its name now, if anything, is that one's.
    """
    try:
        opened = os.open(part, LOOK)
    except FileNotFoundError:
        return None
    with suppress(OSError):  # where nothing can be locked, nothing is taken for left behind
        _lock(opened, wait=True)
    if _is_named(part, opened):
        return opened
    os.close(opened)
    return None


def _clear(part: Path) -> None:
    """Remove what a killed process has left under this name; a living one has it locked."""
    with suppress(OSError):
        opened = os.open(part, LOOK)
        try:
            _lock(opened, wait=False)
            _remove(part, opened)
        finally:
            os.close(opened)


def _lock(opened: int, *, wait: bool) -> None:
    """Lock an opened file or folder, or fail by an OSError."""
    if fcntl is None:
        raise OSError("this system locks no files")
    fcntl.flock(opened, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove(part: Path, opened: int) -> None:
    """Remove a file or folder, if this is still its name."""
    if _is_named(part, opened):
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


def _is_named(part: Path, opened: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(part.lstat(), os.fstat(opened))
    return False


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


def folder_of(path: AnyPath) -> Path:
    """Where a folder that is to be written really goes; one that is there must be empty."""
    check_path(path)
    with _nameable(path):
        target = Path(path).resolve()
        _check_parent(target, path)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise FileError(
                f"cannot write {path}: it is there already, and not an empty folder; give a new "
                "one",
                code="file.exists",
                path=path,
            )
        if target == Path.cwd():
            raise FileError(
                f"cannot write {path}: you are in this folder; give the name of a new one",
                code="file.exists",
                path=path,
            )
    return target


def target_of(path: AnyPath) -> Path:
    """Where a file that is to be written really goes; a link keeps pointing there."""
    check_path(path)
    with _nameable(path):
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
        _check_parent(target, path)
    return target


def _check_parent(target: Path, path: AnyPath) -> None:
    if not target.parent.is_dir():
        raise FileError(
            f"cannot write {path}: there is no folder {target.parent}; make that folder first",
            code="file.parent",
            path=path,
            folder=target.parent,
        )


@contextmanager
def _nameable(path: AnyPath) -> Iterator[None]:
    """Say what is wrong with a name."""
    try:
        yield
    except FileError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, a circle of links
        raise FileError(
            f"cannot write {path}: {_reason(error)}; give the name of a file",
            code="file.name",
            path=path,
            reason=_reason(error),
        ) from None


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

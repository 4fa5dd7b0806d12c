"""The board of a closed poll as a file: written once, and streamed to whoever asks.

A board names each standing report by its receipt, sorted. Who asks for the whole of it shows
nothing of themselves; who asks for the receipts that begin with some hexadecimal digits hides among
at least some 32 of them. A file is named by the poll and by how many entries were erased: an
erasure makes another board, and the old one goes.
"""

import atexit
import bisect
import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import BinaryIO

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.canonical import canonical
from hushvote.errors import PollError
from hushvote.files import reading
from hushvote.poll.board import write_board
from hushvote.poll.checks import CODES
from hushvote.poll.header import Happened
from hushvote.server.standing import board_lines, check_turnout, poll_of
from hushvote.server.store.contract import Codes, KeptPoll, Store

try:
    import fcntl
except ImportError:  # Windows, which removes no file that is open
    fcntl = None  # type: ignore[assignment]

CROWD = 32  # receipts, on average, that every prefix leaves to hide among
CHUNK = 1 << 18  # bytes that are read at a time
LINE = 1 << 16  # bytes in which a line begins, and names its receipt
FOLDER = "hushvote-boards-"
CLAIMED = "hushvote-claimed-"  # until it is locked

_SIGNATURE = re.compile(rb'"signature":"([0-9a-f]{128})",')
_RECEIPT = re.compile(rb'"receipt":"([0-9a-f]{64})"')
_writing: dict[Path, threading.Lock] = {}
_lock = threading.Lock()


def board(store: Store, kept: KeptPoll, folder: Path | None = None) -> Path:
    """The board of a closed poll, in a folder for boards; a temporary one, if none is given."""
    check_closed(store, kept)
    folder = scratch() if folder is None else folder
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{kept.id}-{store.numbers(kept.id).erasures}.jsonl"
    with _lock:
        one_at_a_time = _writing.setdefault(path, threading.Lock())
    with one_at_a_time:
        if not path.exists():
            _write(store, kept, path)
            for other in folder.glob(f"{kept.id}-*.jsonl"):
                if _erasures(other) < _erasures(path):
                    other.unlink(missing_ok=True)
    return path


def check_closed(store: Store, kept: KeptPoll) -> None:
    """Refuse the reports of a poll that is open, or has too few."""
    if not kept.closed:
        raise PollError("reports are shown when the poll is closed, not before", code="board.open")
    check_turnout(store.numbers(kept.id).standing, poll_of(kept).turnout, closed=True)


def forget(id: str, folder: Path | None = None) -> None:
    """Remove the boards of a poll that was deleted."""
    for path in (scratch() if folder is None else folder).glob(f"{id}-*.jsonl"):
        path.unlink(missing_ok=True)


def tidy(store: Store) -> None:
    """Remove the boards of this process that others have made old: by a deletion, or an erasure."""
    for path in scratch().glob("*-*.jsonl"):
        id = path.stem.partition("-")[0]
        if store.poll(id) is None or store.numbers(id).erasures != _erasures(path):
            path.unlink(missing_ok=True)


@cache
def scratch() -> Path:
    """A folder for this process alone, which goes when it ends; however that is, its lock goes at
    once. Nobody ever sees it without the lock.
    """
    _clear_after_the_dead()
    made = Path(tempfile.mkdtemp(prefix=CLAIMED))
    if fcntl is not None:
        fcntl.flock(os.open(made, os.O_RDONLY), fcntl.LOCK_EX)
    folder = made.rename(made.with_name(FOLDER + made.name.removeprefix(CLAIMED)))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _clear_after_the_dead() -> None:
    """Remove the folders of processes that were killed: their boards may hold what was erased."""
    if fcntl is None:
        return
    for path in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with contextlib.suppress(OSError):
            file = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # refused while its owner lives
                if os.fstat(file).st_uid == os.getuid():
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(file)


def _erasures(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


def _write(store: Store, kept: KeptPoll, path: Path) -> None:
    key = Ed25519PrivateKey.from_private_bytes(kept.key)
    write_board(path, poll_of(kept), board_lines(store, kept), _happened(store, kept), key)


def _happened(store: Store, kept: KeptPoll) -> Happened:
    """What the header tells beside the lines."""
    numbers, coded = store.numbers(kept.id), poll_of(kept).access == CODES
    codes = store.codes(kept.id) if coded else Codes((), (), ())
    return Happened(
        casts=numbers.casts,
        changes=numbers.changes,
        withdrawals=numbers.withdrawals,
        log=tuple(store.events(kept.id)),
        secrets=[
            (secret.hex(), None if taken is None else taken.hex())
            for block in store.spent(kept.id)
            for _, secret, taken in block
        ],
        issued=[one.hex() for one in codes.issued],
        revoked=[one.hex() for one in codes.revoked],
        used=[one.hex() for one in codes.used],
    )


# --- parts of a board -----------------------------------------------------------------------------


def longest_prefix(n: int) -> int:
    """Digits that a prefix may have on a board of n reports: ⌊log16(n/32)⌋, at least 0."""
    digits = 0
    while CROWD << 4 * (digits + 1) <= n:
        digits += 1
    return digits


def lines(path: Path, prefix: str = "") -> Iterator[bytes]:
    """The lines of all receipts that begin so, below what was signed of the board; without a
    prefix, the whole board.

    A header names all codes and spent receipts, so it may be a thousand times as long as what
    somebody looks up: instead come its digest and its signature, by which boards are compared.
    Erased entries have no receipt any more: those that may have stood here come along.
    """
    head, n = _head(path, path.stat().st_mtime_ns)
    most = longest_prefix(n)
    if re.fullmatch("[0-9a-f]*", prefix) is None or len(prefix) > most:
        raise PollError(
            f"a prefix on this board is 0 to {most} hexadecimal digits in lower case: more would "
            "show whose receipt it is",
            code="board.prefix",
            most=most,
        )
    return _streamed(path, head, prefix.encode())


def _streamed(path: Path, head: int, prefix: bytes) -> Iterator[bytes]:
    with reading(path) as file:
        size = file.seek(0, os.SEEK_END)
        if not prefix:
            yield from _between(file, 0, size)
            return
        digits = len(prefix)
        start = _first(file, head, size, lambda receipt: receipt[:digits] >= prefix)
        end = _first(file, head, size, lambda receipt: receipt[:digits] > prefix)
        digest, signature = _signed(path, path.stat().st_mtime_ns, head)
        yield canonical({"digest": digest, "signature": signature}) + b"\n"
        yield from _between(file, _line_from(file, head, start), _entry_from(file, head, end)[0])


def _first(file: BinaryIO, head: int, size: int, wanted: Callable[[bytes], bool]) -> int:
    """The first place from which on the next receipt is wanted, or there is none."""

    def is_wanted(place: int) -> bool:
        _, receipt = _entry_from(file, head, place)
        return receipt is None or wanted(receipt)

    return head + bisect.bisect_left(range(head, size), True, key=is_wanted)


def _line_from(file: BinaryIO, head: int, place: int) -> int:
    """Where the next line begins, here or later."""
    if place > head:
        file.seek(place - 1)
        file.readline()
        return file.tell()
    return head


def _entry_from(file: BinaryIO, head: int, place: int) -> tuple[int, bytes | None]:
    """Where the next line with a receipt begins, and that; behind the last one there is none."""
    start = _line_from(file, head, place)
    file.seek(start)
    while raw := file.readline():
        if (found := _RECEIPT.search(raw)) is not None:
            return start, found[1]
        start += len(raw)
    return start, None


def _between(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    file.seek(start)
    while start < end and (chunk := file.read(min(CHUNK, end - start))):
        start += len(chunk)
        yield chunk


def digest_of(path: Path) -> str:
    """The digest of a board; its header may be long, so it is read once."""
    changed = path.stat().st_mtime_ns
    return _signed(path, changed, _head(path, changed)[0])[0]


@lru_cache(maxsize=256)
def _signed(path: Path, _changed: int, head: int) -> tuple[str, str]:
    """The digest of a board, which is that of its header without the signature, and the latter."""
    with reading(path) as file:
        raw = file.read(head).rstrip(b"\n")
    signed = _SIGNATURE.search(raw)
    assert signed is not None
    digest = hashlib.sha256(raw[: signed.start()])
    digest.update(raw[signed.end() :])
    return digest.hexdigest(), signed[1].decode()


@lru_cache(maxsize=256)
def _head(path: Path, _changed: int) -> tuple[int, int]:
    """Bytes of a board's header with its line end, and how many reports stand.

    A header may be long, so it is not read as a whole: its members are in order, and the numbers
    stand in front and at the end.
    """
    with reading(path) as file:
        front, length, last = file.read(LINE), 0, b""
        file.seek(0)
        while chunk := file.read(CHUNK):
            found = chunk.find(b"\n")
            last = (last + (chunk if found < 0 else chunk[:found]))[-LINE:]
            length += len(chunk) if found < 0 else found + 1
            if found >= 0:
                break
    numbers = [
        re.search(pattern, part)
        for pattern, part in (
            (rb'^\{"casts":(\d+),', front),
            (rb'"erasures":(\d+),', front),
            (rb'"withdrawals":(\d+)\}$', last),
        )
    ]
    casts, erasures, withdrawals = (int(one[1]) if one else 0 for one in numbers)
    return length, casts - erasures - withdrawals

"""The file of a vote: one a poll, named by its digest, for the voter alone.

It is written whole, and on the disk before anything is shown or sent. Whoever is about to write
it holds a lock, so that two terminals never draw twice. A damaged file is never overwritten.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from hushvote.canonical import canonical, sealed, unsealed
from hushvote.client.device import Device, written
from hushvote.client.links import read_server
from hushvote.client.state import state_folder
from hushvote.errors import FileError, HushvoteError, PollError, clip
from hushvote.files import AnyPath, explained, reading, writing
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.manifest import Poll

KIND, VERSION = "vote", 1
MEMBERS = {"hushvote", "version", "server", "manifest", "device", "acknowledgements"}
LARGEST = 1 << 20  # bytes of such a file


@dataclass(frozen=True)
class KeptVote:
    """What a file holds: the poll, where it is, the device, and all that was acknowledged."""

    path: Path
    server: str
    poll: Poll
    device: Device
    acknowledgements: tuple[Acknowledgement, ...] = ()

    def save(self, device: Device) -> "KeptVote":
        """Keep the device as it is now, with its acknowledgement if that is new."""
        acks, last = self.acknowledgements, device.acknowledgement
        if last is not None and last not in acks:
            acks = (*acks, last)
        kept = replace(self, device=device, acknowledgements=acks)
        document = {
            "hushvote": KIND,
            "version": VERSION,
            "server": kept.server,
            "manifest": kept.poll.text,
            "device": device.document(),
            "acknowledgements": [written(one) for one in acks],
        }
        write_private(self.path, sealed(document), fresh=False)
        return kept


def write_private(path: AnyPath, text: str, *, fresh: bool = True) -> None:
    """Write a line into a file that only its owner may read, and that replaces none if fresh."""
    with writing(path, private=True, fresh=fresh) as part:
        part.write_text(text + "\n", encoding="utf-8")


def path_of(digest: str) -> Path:
    """The file of a vote."""
    return state_folder("votes") / f"{digest}.json"


def find(digest: str) -> KeptVote | None:
    """What is kept of a vote in the poll of this digest."""
    path = path_of(digest)
    if not path.exists():
        return None
    with reading(path) as file:
        text = file.read(LARGEST)
    try:
        return _read(path, digest, unsealed(text))
    except (HushvoteError, ValueError, TypeError, KeyError) as error:
        _damaged(path, error)


def forget(digest: str) -> bool:
    """Delete what is kept, sound or damaged; whether there was something."""
    path = path_of(digest)
    with explained(path):
        try:
            path.unlink()
        except FileNotFoundError:
            return False
    return True


@contextmanager
def locked(digest: str) -> Iterator[None]:
    """Keep others from voting in this poll meanwhile; the system unlocks what dies, and what it
    has left half written is taken away.
    """
    path = path_of(digest).with_suffix(".lock")
    opened = _open_locked(path)
    try:
        with explained(path):
            for part in path.parent.glob(f".{digest}.json*.part"):
                part.unlink()
        yield
    finally:
        if not path_of(digest).exists():  # nothing is to tell that somebody looked at this poll
            path.unlink(missing_ok=True)
        os.close(opened)


def _open_locked(path: Path) -> int:
    """A file that this process alone has locked, and that is still the one of this name."""
    while True:
        with explained(path):
            opened = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(opened).st_nlink:
                return opened
        except BlockingIOError:
            os.close(opened)
            raise PollError(
                "another hushvote on this machine is voting in this poll: finish there first",
                code="state.locked",
            ) from None
        os.close(opened)  # whoever had it before has just deleted it


def _read(path: Path, digest: str, found: dict[str, Any]) -> KeptVote:
    """The parts of a file, each checked."""
    if found.keys() != MEMBERS or (found["hushvote"], found["version"]) != (KIND, VERSION):
        raise ValueError("it is no file of a vote, or of another version")
    poll = Poll.load(found["manifest"], digest)
    device = Device.of_document(poll, found["device"])
    acks = tuple(Acknowledgement.from_json(canonical(one)) for one in found["acknowledgements"])
    return KeptVote(path, read_server(found["server"]), poll, device, acks)


def _damaged(path: Path, error: Exception) -> NoReturn:
    raise FileError(
        f"{path} is damaged ({clip(str(error))}), so nothing was drawn or sent, and it stays as it "
        "is: take it from a backup, or delete it with --forget",
        code="state.damaged",
        path=path,
        reason=str(error),
    ) from None

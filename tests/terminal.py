"""A real terminal for a command: what it shows is read, what is typed is written."""

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

import pytest

PATIENCE = 60  # seconds that a command may think
COLUMNS = 80
STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


@dataclass
class Terminal:
    """One command in a terminal of 80 columns."""

    process: "subprocess.Popen[bytes]"
    line: int
    shown: str = ""

    def until(self, text: str) -> str:
        """Wait until this is shown, and give everything since the last time."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            more = self._read(end)
            assert more, f"{text!r} was not shown, but:\n{self.shown}"
            self.shown += more
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self.line, text.encode() + b"\n")

    def interrupt(self) -> None:
        """Press Ctrl-C once the command waits: a signal in the very moment before it does is only
        looked at when the next key is pressed.
        """
        waits, end = 0, time.monotonic() + PATIENCE
        while waits < 3 and time.monotonic() < end:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text()
            waits = waits + 1 if stat.rpartition(")")[2].split()[0] == "S" else 0
            time.sleep(0.02)
        os.write(self.line, b"\x03")

    def rest(self) -> str:
        """What is shown until the command ends."""
        end = time.monotonic() + PATIENCE
        while more := self._read(end):
            self.shown += more
        said, self.shown = self.shown, ""
        return said

    def code(self) -> int:
        """The exit code, once it has ended."""
        return self.process.wait(PATIENCE)

    def _read(self, end: float) -> str:
        while time.monotonic() < end:
            if not select.select([self.line], [], [], 0.2)[0]:
                if self.process.poll() is not None and not select.select([self.line], [], [], 0)[0]:
                    return ""
                continue
            try:
                found = os.read(self.line, 1 << 16)
            except OSError:  # the other end is shut
                return ""
            if shown := STEERING.sub("", found.decode(errors="replace")):
                return shown
        raise AssertionError(f"nothing more was shown:\n{self.shown}")


def pair() -> tuple[int, int]:
    """Both ends of a terminal."""
    try:
        return pty.openpty()
    except OSError:
        pytest.skip("there are no pseudo-terminals here: /dev/pts is not mounted")


@contextmanager
def terminal(
    *words: str,
    columns: int = COLUMNS,
    command: Sequence[str] = (sys.executable, "-m", "hushvote"),
    **environment: str,
) -> Iterator[Terminal]:
    """Run `hushvote` with these words in a terminal of its own, or another command; it is ended by
    its process id.
    """
    ours, theirs = pair()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    given: Mapping[str, str] = {**os.environ, "TERM": "xterm", **environment}
    process = subprocess.Popen(
        [*command, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={name: value for name, value in given.items() if name != "COLUMNS"},
        start_new_session=True,
        preexec_fn=_controlling,  # noqa: PLW1509 - before any thread
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
        os.close(ours)


def _controlling() -> None:
    """Let Ctrl-C reach the command."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ioctl(0, termios.TIOCSCTTY, 0)

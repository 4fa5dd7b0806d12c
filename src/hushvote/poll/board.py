"""The board of a closed poll: JSON lines from which everybody can count again.

The first line is the header: the manifest, its log, how many casts, changes, withdrawals and
erasures there were, tally and result, spent receipts with the secrets that spent them and the
receipts that came next, the leaves of erased entries, the hashes of codes and the questions that
were used, the root of the tree, and a signature. Every further line is an entry, sorted by receipt,
or the leaf of one that was erased, in its old place. All lines are canonical JSON. They are written
and read one at a time, and counted in blocks.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.canonical import is_hex
from hushvote.errors import HushvoteError, PollError, clip
from hushvote.files import AnyPath, explained, nameless, reading, target_of, writing
from hushvote.mechanisms.fields import Reports
from hushvote.poll.entries import SALT, Entry, Erased, Line
from hushvote.poll.hashing import HASH
from hushvote.poll.header import BoardError, Happened, Header
from hushvote.poll.manifest import Poll
from hushvote.poll.requests import request_size
from hushvote.poll.tree import Growing
from hushvote.tally import Tally

BLOCK = 1 << 14  # reports that are counted at a time
BEGINNING = b'{"casts":'


def write_board(
    path: AnyPath,
    poll: Poll,
    lines: Iterable[Line],
    happened: Happened,
    key: Ed25519PrivateKey,
) -> Header:
    """Write the board of a closed poll, and return its header.

    `lines` come sorted by receipt, an erased one where its receipt was; they are gone through
    once. Refused if fewer reports stand than the poll's turnout.
    """
    tree, count, last = Growing(), Counting(poll), ""
    erased: list[str] = []
    with nameless(target_of(path).parent) as kept, explained(path):
        for line in lines:
            tree.add(line.leaf)
            kept.write(line.line() + b"\n")
            if isinstance(line, Erased):
                erased.append(line.leaf.hex())
                continue
            if line.receipt <= last:
                raise PollError(
                    "the lines of a board are sorted by receipt, and none stands twice",
                    code="board.order",
                )
            last = line.receipt
            count.add(poll.mechanism.domain.parse(line.report))
        made = Header.of(poll, happened, erased=erased, tally=count.tally(), root=tree.root)
        header = made.signed(key)
        kept.seek(0)
        with writing(path) as part, part.open("wb") as file:
            file.write(header.line() + b"\n")
            shutil.copyfileobj(kept, file, 1 << 20)
    return header


class Counting:
    """Counts reports that come one by one, a block at a time."""

    def __init__(self, poll: Poll) -> None:
        self._poll = poll
        self._waiting: list[tuple[int, ...]] = []
        mechanism = poll.mechanism
        self._total = mechanism.tally(mechanism.domain.empty(0))

    def add(self, report: tuple[int, ...]) -> None:
        """Take a report, as `Domain.parse` gives it."""
        self._waiting.append(report)
        if len(self._waiting) == BLOCK:
            self._count()

    def _count(self) -> None:
        mechanism = self._poll.mechanism
        reports = np.array(self._waiting, dtype=mechanism.domain.dtype)
        self._total += mechanism.tally(reports)
        self._waiting = []

    def tally(self) -> Tally:
        """The tally so far, with the poll's names and digest."""
        if self._waiting:
            self._count()
        return self._total.named(self._poll.candidates).for_poll(self._poll.digest)


@dataclass(frozen=True)
class Board:
    """An opened board: its header, and its lines one by one."""

    path: AnyPath
    header: Header

    @property
    def poll(self) -> Poll:
        """The poll of the board."""
        return self.header.poll

    def lines(self) -> Iterator[Line]:
        """Go through the lines; one that is not in its form is refused with its number."""
        longest = request_size(self.poll)  # of which the longest report is a part
        asks = self.poll.mechanism.needs_question
        with reading(self.path) as file:
            file.readline()
            number = 1
            while raw := file.readline(longest + 2):
                number += 1
                yield _line(raw, number, asks)

    def tally(self) -> Tally:
        """Count the standing reports again."""
        count = Counting(self.poll)
        for report in self._parsed():
            count.add(report)
        return count.tally()

    def reports(self) -> Reports:
        """The standing reports, in the order of the lines."""
        return np.array(list(self._parsed()), dtype=self.poll.mechanism.domain.dtype)

    def _parsed(self) -> Iterator[tuple[int, ...]]:
        for number, line in enumerate(self.lines(), start=2):
            if isinstance(line, Erased):
                continue
            try:
                yield self.poll.mechanism.domain.parse(line.report)
            except HushvoteError as error:
                raise error.within(f"line {number} of this board", line=number) from None


def is_board(path: AnyPath) -> bool:
    """Whether a file begins as boards do, sound or not: in canonical JSON, with this member."""
    with reading(path) as file:
        return file.read(len(BEGINNING)) == BEGINNING


def open_board(path: AnyPath) -> Board:
    """Open a board, refusing a file that does not begin with the header of one."""
    with reading(path) as file:
        return Board(path, Header.read(file.readline()))


def _line(raw: bytes, number: int, asks: bool) -> Line:
    """One line of a board, in its one form."""
    try:
        if not raw.endswith(b"\n"):
            raise ValueError("it is too long, or its end is missing")
        found: Any = json.loads(raw)  # what is not canonical, such as a member twice, shows below
        if not isinstance(found, dict):
            raise ValueError("it is no object")
        line = _entry(found, asks) if "receipt" in found else _erased(found)
        if line.line() != raw[:-1]:
            raise ValueError("it is not in its canonical form")
    except (ValueError, RecursionError) as error:
        raise BoardError(
            f"line {number} of this board is damaged: {clip(str(error))}",
            code="board.line",
            line=number,
            reason=error,
        ) from None
    return line


def _entry(found: Mapping[str, Any], asks: bool) -> Entry:
    if found.keys() != {"receipt", "salt", "report", *(["question"] if asks else [])}:
        raise ValueError("it has other members than an entry")
    hashes = (found["receipt"], found.get("question", "0" * 2 * HASH))
    if not all(is_hex(one) for one in hashes) or not is_hex(found["salt"], 2 * SALT):
        raise ValueError("a hash or a salt is not in its form")
    return Entry(found["receipt"], found["salt"], found["report"], found.get("question"))


def _erased(found: Mapping[str, Any]) -> Erased:
    if found.keys() != {"leaf"} or not is_hex(found["leaf"]):
        raise ValueError("it is neither an entry nor the leaf of an erased one")
    return Erased(bytes.fromhex(found["leaf"]))

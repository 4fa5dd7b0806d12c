"""Checking a board from the board alone: its tree, signature, numbers, tally and result.

The lines are gone through once. What the board cannot show is said, too: whether everybody sees the
same one, and whether something was left out that only voters' acknowledgements prove.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hushvote.canonical import canonical, is_hex
from hushvote.errors import HushvoteError, PollError, echo
from hushvote.files import AnyPath, reading
from hushvote.messages import say
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import Board, Counting, open_board
from hushvote.poll.checks import CODES
from hushvote.poll.codes import code_hash
from hushvote.poll.credentials import receipt_of
from hushvote.poll.entries import Entry
from hushvote.poll.header import Header, told_result, told_tally
from hushvote.poll.tree import Growing

CLOSE = 1e-9  # difference, relative to the largest number, that another machine may make
LONGEST_ACK = 1 << 12  # bytes of a file with an acknowledgement
STEP = 1 << 10  # lines after which progress is told

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Finding:
    """One thing that was checked, and whether it holds."""

    name: str
    holds: bool
    words: str
    line: int | None = None  # the first line of the board where it does not


@dataclass(frozen=True)
class Verification:
    """What was checked of a board, and what cannot be checked from it."""

    digest: str
    root: str
    standing: int
    findings: tuple[Finding, ...]
    unchecked: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything that was checked holds."""
        return all(finding.holds for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "holds": self.holds,
            "poll": self.digest,
            "root": self.root,
            "standing": self.standing,
            "checked": [vars(finding) for finding in self.findings],
            "unchecked": list(self.unchecked),
        }


def verify_board(
    path: AnyPath,
    digest: str | None = None,
    acks: Sequence[AnyPath] = (),
    progress: Progress | None = None,
) -> Verification:
    """Check a board; with a digest, whether it is that of this poll, and with files of
    acknowledgements, whether it has what the server has signed for.

    A file that is no board, or no acknowledgement of its poll, is refused.
    """
    if digest is not None and not is_hex(digest):
        raise PollError(
            f"a poll's digest is 64 hexadecimal digits in lower case, not {echo(digest)}",
            code="poll.digest",
            given=digest,
        )
    board = open_board(path)
    given = [_acknowledgement(one, board) for one in acks]
    seen = _Seen(board, {one.receipt for one in given}, progress)
    findings = [_plain("digest", digest == board.poll.digest)] if digest is not None else []
    findings += seen.findings()
    for one, file in zip(given, acks, strict=True):
        findings.append(seen.answer(one, Path(file).name))
    return Verification(
        board.poll.digest,
        board.header.root,
        seen.standing,
        tuple(findings),
        tuple(_unchecked(board.header, digest, acks)),
    )


def _plain(name: str, holds: bool, line: int | None = None) -> Finding:
    sentence = say(f"verify.{name}")
    if holds:
        return Finding(name, True, sentence)
    if line is None:
        return Finding(name, False, say("verified.otherwise", sentence=sentence))
    return Finding(name, False, say("verified.line", sentence=sentence, line=line), line)


def _unchecked(header: Header, digest: str | None, acks: Sequence[AnyPath]) -> Iterable[str]:
    if digest is None:
        yield say("unchecked.digest", digest=header.poll.digest)
    yield say("unchecked.copies", root=header.root)
    yield say("unchecked.voters") if header.poll.access == CODES else say("unchecked.link")
    if not acks:
        yield say("unchecked.omissions")
    yield say("unchecked.log")


def _acknowledgement(path: AnyPath, board: Board) -> Acknowledgement:
    with reading(path) as file:
        text = file.read(LONGEST_ACK)
    try:
        found = Acknowledgement.from_json(text)
        found.check(board.poll)
    except PollError as error:
        raise error.within(path, path=path) from None
    return found


class _Seen:
    """What one walk over the lines has found."""

    def __init__(self, board: Board, wanted: set[str], progress: Progress | None) -> None:
        self.header, self.poll = board.header, board.poll
        self.standing = 0
        self._wrong: dict[str, int] = {}  # the first line at which a check failed
        self._tree, self._count = Growing(), Counting(board.poll)
        self._erased: set[str] = set()
        self._leaves: dict[str, str] = {}  # of the receipts that somebody asks for
        self._last = ""
        self._asked: set[str] = set()
        for number, line in enumerate(board.lines(), start=2):
            if progress is not None and number % STEP == 0:
                progress(STEP)
            self._tree.add(line.leaf)
            if isinstance(line, Entry):
                self._entry(line, number)
                if line.receipt in wanted:
                    self._leaves[line.receipt] = line.leaf.hex()
            else:
                self._erased.add(line.leaf.hex())

    def _entry(self, entry: Entry, number: int) -> None:
        self.standing += 1
        if entry.receipt <= self._last:
            self._fails("order", number)
        self._last = entry.receipt
        if entry.receipt in self._spent:
            self._fails("spent", number)
        mechanism = self.poll.mechanism
        try:
            self._count.add(mechanism.domain.parse(entry.report))
        except HushvoteError:
            self._fails("reports", number)
            return
        if entry.question is not None:
            question = bytes.fromhex(entry.question)
            if (
                entry.question not in self._used
                or entry.question in self._asked
                or not mechanism.answers(mechanism.domain.from_wire(entry.report), question)
            ):
                self._fails("questions", number)
            self._asked.add(entry.question)

    def _fails(self, name: str, number: int) -> None:
        self._wrong.setdefault(name, number)

    @cached_property
    def _spent(self) -> dict[str, str]:
        return dict(self.header.spent)

    @cached_property
    def _used(self) -> set[str]:
        return set(self.header.used)

    def findings(self) -> list[Finding]:
        """Everything that a board must keep to."""
        header, poll = self.header, self.poll
        lines = self._tree.size - self.standing
        kept = header.casts - header.withdrawals - header.erasures
        checked = {
            "signature": header.is_signed,
            "order": True,
            "reports": True,
            "tree": self._tree.root.hex() == header.root,
            "numbers": (self.standing, lines) == (kept, header.erasures),
            "turnout": self.standing >= poll.turnout,
            "spent": self._spent_holds(),
            "changes": header.changes <= header.casts * poll.changes,
        }
        if poll.access == CODES:
            checked["codes"] = self._codes_hold()
        else:
            checked["link"] = not (header.issued or header.revoked or header.used)
        if poll.mechanism.needs_question:
            checked["questions"] = True
        checked["tally"], checked["result"] = self._counts_hold()
        return [
            _plain(name, holds and name not in self._wrong, self._wrong.get(name))
            for name, holds in checked.items()
        ]

    def _spent_holds(self) -> bool:
        spent = self.header.spent
        return (
            _rising([receipt for receipt, _ in spent])
            and len(spent) == self.header.changes + self.header.withdrawals
            and all(receipt_of(bytes.fromhex(secret)).hex() == one for one, secret in spent)
        )

    def _codes_hold(self) -> bool:
        header = self.header
        if not all(_rising(one) for one in (header.issued, header.revoked, header.used)):
            return False
        issued, revoked = set(header.issued), set(header.revoked)
        hashes = {code_hash(bytes.fromhex(one)).hex() for one in header.used}
        return revoked <= issued and hashes <= issued - revoked and len(header.used) == header.casts

    def _counts_hold(self) -> tuple[bool, bool]:
        """Whether tally and result are those of the lines."""
        if "reports" in self._wrong or not self.standing:
            return False, False
        tally = self._count.tally()
        same = canonical(told_tally(tally)) == canonical(self.header.tally)
        return same, _alike(told_result(tally), self.header.result)

    def answer(self, ack: Acknowledgement, name: str) -> Finding:
        """What has become of something that the server has signed for."""
        leaf = self._leaves.get(ack.receipt)
        gone = ack.receipt in self._spent
        if ack.withdrawal:
            found = "withdrawn" if gone else "missing" if leaf is None else "kept"
        elif leaf is not None:
            found = "standing" if leaf == ack.leaf else "altered"
        elif gone:
            found = "spent"
        else:
            found = "erased" if ack.leaf in self._erased else "missing"
        holds = found in ("withdrawn", "standing", "spent", "erased")
        return Finding("acknowledgement", holds, say(f"ack.{found}", name=name))


def _rising(values: Sequence[str]) -> bool:
    """Whether values are sorted, and none stands twice."""
    return all(one < other for one, other in itertools.pairwise(values))


def _alike(computed: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """Whether two results are the same but for rounding."""
    if computed.keys() != told.keys():
        return False
    for name, texts in computed.items():
        if not isinstance(told[name], list) or len(told[name]) != len(texts):
            return False
        numbers = [float(text) for text in texts]
        slack = CLOSE * max(map(abs, numbers))
        for number, text in zip(numbers, told[name], strict=True):
            try:
                given = float(text) if isinstance(text, str) else math.nan
            except ValueError:
                return False
            if repr(given) != text or not abs(given - number) <= slack:
                return False
    return True

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
from hushvote.poll.chains import Chains
from hushvote.poll.checks import CODES
from hushvote.poll.codes import code_hash
from hushvote.poll.credentials import receipt_of
from hushvote.poll.entries import Entry
from hushvote.poll.header import Header, Spent, told_result, told_tally
from hushvote.poll.manifest import Poll
from hushvote.poll.tree import Growing
from hushvote.result.explaining import Explanation

CLOSE = 1e-9  # difference, relative to the largest number, that another machine may make
LONGEST_ACK = 1 << 12  # bytes of a file with an acknowledgement
STEP = 1 << 10  # lines after which progress is told

Progress = Callable[[int], None]
Ack = AnyPath | tuple[str, Acknowledgement]
"""An acknowledgement: a file, or one with a name to speak of it."""


@dataclass(frozen=True)
class Finding:
    """One thing that was checked, and whether it holds."""

    name: str
    holds: bool
    words: str
    line: int | None = None  # the first line of the board where it does not
    warns: bool = False  # it holds, but somebody should look at it

    @property
    def mark(self) -> str:
        """The sign before its words."""
        return "✗" if not self.holds else "!" if self.warns else "✓"


@dataclass(frozen=True)
class Verification:
    """What was checked of a board, and what cannot be checked from it."""

    digest: str | None  # of the poll; None if a damaged board does not tell
    board: str | None  # the board's digest: whoever has the same one has the same board
    numbers: Mapping[str, int]  # casts, changes, withdrawals, erasures, and what stands
    findings: tuple[Finding, ...]
    unchecked: tuple[str, ...]
    result: Explanation | None  # None if something does not hold

    @property
    def holds(self) -> bool:
        """Whether everything that was checked holds."""
        return all(finding.holds for finding in self.findings)

    @property
    def warns(self) -> bool:
        """Whether something holds that somebody should look at."""
        return any(finding.warns for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "holds": self.holds,
            "warns": self.warns,
            "poll": self.digest,
            "board": self.board,
            "numbers": dict(self.numbers),
            "checked": [vars(finding) for finding in self.findings],
            "unchecked": list(self.unchecked),
            "result": None if self.result is None else self.result.to_dict(),
        }


def verify_board(
    path: AnyPath,
    digest: str | None = None,
    acks: Sequence[Ack] = (),
    progress: Progress | None = None,
) -> Verification:
    """Check a board; with a digest, whether it is that of this poll, and with acknowledgements,
    whether it has what the server has signed for.

    A file that is no board, or no acknowledgement of its poll, is refused.
    """
    if digest is not None and not is_hex(digest):
        raise PollError(
            f"a poll's digest is 64 hexadecimal digits in lower case, not {echo(digest)}",
            code="poll.digest",
            given=digest,
        )
    board = open_board(path)
    given = [read_ack(one, board.poll) for one in acks]
    seen = _Seen(board, {one.receipt for _, one in given}, progress)
    findings = [plain("digest", digest == board.poll.digest)] if digest is not None else []
    findings += seen.findings()
    asked = {one.receipt for _, one in given if one.erasure}
    findings += [seen.answer(one, name, asked=one.receipt in asked) for name, one in given]
    return Verification(
        digest=board.poll.digest,
        board=board.header.digest,
        numbers=seen.numbers,
        findings=tuple(findings),
        unchecked=tuple(_unchecked(board.header, digest, acks)),
        result=seen.result() if all(one.holds for one in findings) else None,
    )


def plain(name: str, holds: bool, line: int | None = None) -> Finding:
    """What was found of something that has one sentence if it holds, and one if not."""
    if holds:
        return Finding(name, True, say(f"verify.{name}"))
    sentence = say(f"broken.{name}")
    if line is not None:
        sentence = say("verified.line", sentence=sentence, line=line)
    return Finding(name, False, sentence, line)


def _unchecked(header: Header, digest: str | None, acks: Sequence[Ack]) -> Iterable[str]:
    if digest is None:
        yield say("unchecked.digest", digest=header.poll.digest)
    yield say("unchecked.copies", digest=header.digest)
    yield say("unchecked.voters") if header.poll.access == CODES else say("unchecked.link")
    if not acks:
        yield say("unchecked.omissions")
    if header.erasures:
        yield say("unchecked.erasures")
    yield say("unchecked.log")


def read_ack(given: Ack, poll: Poll) -> tuple[str, Acknowledgement]:
    """An acknowledgement with its name, refused unless it is one of this poll."""
    if isinstance(given, tuple):
        given[1].check(poll)
        return given
    with reading(given) as file:
        text = file.read(LONGEST_ACK)
    try:
        found = Acknowledgement.from_json(text)
        found.check(poll)
    except PollError as error:
        raise error.within(given, path=given) from None
    return Path(given).name, found


class _Seen:
    """What one walk over the lines has found."""

    def __init__(self, board: Board, wanted: set[str], progress: Progress | None) -> None:
        self.header, self.poll = board.header, board.poll
        self.standing = 0
        self._wrong: dict[str, int] = {}  # the first line at which a check failed
        self._tree, self._count = Growing(), Counting(board.poll)
        self._chains = Chains(board.header.spent)
        self._changed: set[str] = set()  # standing receipts that a change has named
        self._erased: list[str] = []
        self._leaves: set[bytes] = set()
        self._found: dict[str, str] = {}  # the leaves of receipts that somebody asks for
        self._last = ""
        self._asked: set[str] = set()
        for number, line in enumerate(board.lines(), start=2):
            if progress is not None and number % STEP == 0:
                progress(STEP)
            self._tree.add(line.leaf)
            if line.leaf in self._leaves:
                self._fails("leaves", number)
            self._leaves.add(line.leaf)
            if isinstance(line, Entry):
                self._entry(line, number)
                if line.receipt in wanted:
                    self._found[line.receipt] = line.leaf.hex()
            else:
                self._erased.append(line.leaf.hex())

    def _entry(self, entry: Entry, number: int) -> None:
        self.standing += 1
        if entry.receipt <= self._last:
            self._fails("order", number)
        self._last = entry.receipt
        if entry.receipt in self._spent:
            self._fails("spent", number)
        if entry.receipt in self._chains.named:
            self._changed.add(entry.receipt)
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
    def _spent(self) -> dict[str, Spent]:
        return {one.receipt: one for one in self.header.spent}

    @cached_property
    def _used(self) -> set[str]:
        return set(self.header.used)

    @property
    def numbers(self) -> dict[str, int]:
        """What the header tells of requests, and what was counted of the lines."""
        told = {name: getattr(self.header, name) for name in ("casts", "changes", "withdrawals")}
        return {**told, "erasures": len(self._erased), "standing": self.standing}

    def findings(self) -> list[Finding]:
        """Everything that a board must keep to."""
        header, poll = self.header, self.poll
        chains, erased = self._chains, len(self._erased)
        lost = chains.lost(self._changed)
        cast = chains.begun(self.standing, lost) + erased - lost
        checked = {
            "signature": header.is_signed,
            "order": True,
            "leaves": True,
            "reports": True,
            "tree": self._tree.root.hex() == header.root,
            "erased": sorted(self._erased) == list(header.erased),
            "numbers": (cast, erased) == (header.casts, header.erasures),
            "turnout": self.standing >= poll.turnout,
            "spent": self._spent_holds(),
            "chains": chains.fit(lost, erased),
            "changes": (chains.longest or 0) <= poll.changes,
        }
        if poll.access == CODES:
            checked["codes"] = self._codes_hold()
        else:
            checked["link"] = not (header.issued or header.revoked or header.used)
        if poll.mechanism.needs_question:
            checked["questions"] = True
        checked["tally"], checked["result"] = self._counts_hold()
        return [
            plain(name, holds and name not in self._wrong, self._wrong.get(name))
            for name, holds in checked.items()
        ]

    def _spent_holds(self) -> bool:
        header, chains = self.header, self._chains
        return (
            _rising([one.receipt for one in header.spent])
            and (chains.changes, chains.withdrawals) == (header.changes, header.withdrawals)
            and all(
                receipt_of(bytes.fromhex(one.reveals)).hex() == one.receipt for one in header.spent
            )
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

    def result(self) -> Explanation:
        """The result of the lines, in figures and words."""
        seats = self.poll.seats if self.poll.seats > 1 else None
        return self._count.tally().result().explain(seats=seats, closed=True)

    def answer(self, ack: Acknowledgement, name: str, *, asked: bool) -> Finding:
        """What has become of something that the server has signed for; whoever has asked for its
        erasure need not be alarmed by it.
        """
        leaf, gone = self._found.get(ack.receipt), self._spent.get(ack.receipt)
        if ack.erasure:
            found = "later" if leaf is not None else "gone" if self._erased else "missing"
        elif ack.withdrawal:
            found = "missing" if leaf is None else "kept"
            if gone is not None:
                found = "withdrawn" if gone.next is None else "turned"
        elif leaf is not None:
            found = "standing" if leaf == ack.leaf else "altered"
        elif gone is not None:
            found = "spent"
        else:
            found = "erased" if ack.leaf in self._erased else "missing"
            if found == "erased" and asked:
                found = "asked"
        holds = found in ("withdrawn", "gone", "later", "standing", "spent", "erased", "asked")
        words = say(f"ack.{found}", name=name)
        return Finding("acknowledgement", holds, words, warns=found in ("later", "erased"))


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

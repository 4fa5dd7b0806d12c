"""What a voter's device keeps of one poll, and what it lets the voter do with it.

The rules are those of `web/src/state.ts`. A draw is spent once it was shown, so there are at most
1 + changes of them; the same ranking gets the report that was drawn for it. Random bits are never
kept, since from them and a report the ranking could be told. A device is a value: whoever has
it saves it before anything is shown or sent.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from hushvote.accounting import Ledger
from hushvote.canonical import canonical, is_hex
from hushvote.errors import HushvoteError, PollError
from hushvote.lottery import Bits
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.checks import CODES, MOST_CHANGES
from hushvote.poll.credentials import Credential, receipt_of, secret_of
from hushvote.poll.entries import Entry
from hushvote.poll.hashing import HASH
from hushvote.poll.manifest import Poll
from hushvote.poll.requests import Cast, Change, Report, Withdrawal

KIND, VERSION = "voter", 1
NOTHING, REPORT, WITHDRAWN, ERASED = "nothing", "report", "withdrawn", "erased"
MEMBERS = {
    *("hushvote", "version", "poll", "seed", "position", "spent", "draws", "question"),
    *("request", "erases", "acknowledgement", "standing"),
}

Request = Cast | Change | Withdrawal


@dataclass(frozen=True)
class KeptDraw:
    """A report that was drawn, and what for."""

    question: str | None  # the hash that fixed what to report on, where there is one
    ranking: tuple[int, ...]  # as the voter gave it,
    completed: tuple[int, ...]  # and as it was completed
    report: Report


@dataclass(frozen=True)
class Device:
    """What is kept of one poll."""

    poll: str  # the digest
    seed: bytes = field(repr=False)  # from it follow all secrets and receipts
    position: int = 0  # changes that were acknowledged
    spent: int = 0  # draws that were shown, also on other devices
    draws: tuple[KeptDraw, ...] = field(default=(), repr=False)
    question: str | None = None  # the hash of the voter's code
    request: Request | None = None  # to be sent again until it is acknowledged or refused
    erases: bool = False  # whether that asks for an erasure, which is written like a withdrawal
    acknowledgement: Acknowledgement | None = None
    standing: str = NOTHING  # what stands at the server, as far as it was acknowledged

    @classmethod
    def begin(cls, poll: Poll, bits: Bits | None = None) -> "Device":
        """Begin to vote in a poll."""
        return cls(poll.digest, os.urandom(HASH) if bits is None else bits.bytes(HASH))

    @classmethod
    def resume(cls, poll: Poll, credential: Credential) -> "Device":
        """Go on with a credential from elsewhere: a change from it is always a new draw."""
        if credential.poll != poll.digest:
            _other_poll()
        return cls(
            poll.digest,
            credential.seed,
            position=credential.position,
            spent=credential.draws,
            standing=REPORT,
        )

    # --- drawing ------------------------------------------------------------------------------

    def kept(self, ranking: Sequence[int], question: bytes | None = None) -> KeptDraw | None:
        """What was drawn for a ranking before."""
        asked = None if question is None else question.hex()
        for draw in self.draws:
            if (draw.question, draw.ranking) == (asked, tuple(ranking)):
                return draw
        return None

    def left(self, poll: Poll) -> int:
        """How many draws are left."""
        return max(0, 1 + poll.changes - self.spent)

    def vote(
        self,
        poll: Poll,
        ranking: Sequence[int],
        question: bytes | None = None,
        bits: Bits | None = None,
    ) -> tuple["Device", Report]:
        """The report of a ranking: the one that was drawn for it before, or a fresh one, which is
        spent from now on.
        """
        self._check_poll(poll)
        given = tuple(poll.ranked(ranking))
        same = self.kept(given, question)
        if same is not None:
            return self, same.report
        if self.spent > poll.changes:
            raise PollError(
                f"as many reports were drawn and shown as this poll allows, {self.spent}: choose a "
                "ranking that you had before",
                code="state.spent",
                spent=self.spent,
            )
        drawn = poll.draw(given, bits, question)
        report = poll.mechanism.domain.to_wire(drawn.report)
        asked = None if question is None else question.hex()
        draw = KeptDraw(asked, given, drawn.ranking, report)
        return replace(self, spent=self.spent + 1, draws=(*self.draws, draw)), report

    def standing_draws(self, poll: Poll) -> list[KeptDraw]:
        """The draws whose report is the one that was acknowledged last: mostly one of them."""
        ack = self.acknowledgement
        if self.standing != REPORT or ack is None or ack.salt is None:
            return []
        asked = self.question if poll.mechanism.needs_question else None
        leaves = ((one, Entry(ack.receipt, ack.salt, one.report, asked)) for one in self.draws)
        return [one for one, entry in leaves if entry.leaf.hex() == ack.leaf]

    def ledger(self, poll: Poll) -> Ledger:
        """What the draws have cost, those on other devices included."""
        found = Ledger()
        for _ in range(self.spent):
            found.record(poll.digest, poll.mechanism)
        return found

    # --- sending ------------------------------------------------------------------------------

    def send(self, poll: Poll, report: Report, question: bytes | None = None) -> "Device":
        """Cast a report, or change to it once one stands; `question` is the hash of the code."""
        self.check_free(poll)
        poll.mechanism.domain.parse(report)
        asked = self.question if question is None else question.hex()
        if self.standing == NOTHING:
            if asked is None and poll.access == CODES:
                raise PollError("this poll needs your invite code", code="question.missing")
            if asked is not None and poll.access != CODES:
                raise PollError(
                    "this poll is open to whoever has its link, and takes no code",
                    code="question.needless",
                )
            cast = Cast(poll.digest, self.receipt, report, asked)
            return replace(self, question=asked, request=cast)
        if asked is None and poll.mechanism.needs_question:
            raise PollError("this poll needs your invite code", code="question.missing")
        self.check_change(poll)
        after = receipt_of(secret_of(self.seed, self.position + 1)).hex()
        change = Change(poll.digest, self.secret, after, report)
        return replace(self, question=asked, request=change)

    def check_change(self, poll: Poll) -> None:
        """Refuse a change beyond those that the poll allows."""
        self.check_free(poll)
        if self.position >= poll.changes:
            raise PollError(
                "this vote was changed as often as the poll allows",
                code="state.changes",
                changes=poll.changes,
            )

    def withdraw(self, poll: Poll, *, erase: bool = False) -> "Device":
        """Withdraw what was cast, or have it erased: both are final."""
        self.check_free(poll)
        if self.standing != REPORT:
            raise PollError(
                "there is no vote to withdraw here: one that was cast elsewhere needs its "
                "credential",
                code="state.uncast",
            )
        return replace(self, request=Withdrawal(poll.digest, self.secret), erases=erase)

    def acknowledged(self, poll: Poll, answer: str | bytes) -> "Device":
        """Keep the server's acknowledgement, if it is one of what was sent last and is signed."""
        request = self.request
        if request is None:
            raise PollError("nothing was sent that could be acknowledged", code="state.unasked")
        ack = Acknowledgement.from_json(answer)
        ack.check(poll)
        if isinstance(request, Withdrawal):
            is_done = ack.withdrawal or (ack.erasure and self.erases)
            if ack.receipt != self.receipt or not is_done:
                raise PollError(
                    "this acknowledgement is not of the withdrawal that was sent", code="ack.leaf"
                )
            gone = ERASED if self.erases else WITHDRAWN
            return replace(self, request=None, erases=False, acknowledgement=ack, standing=gone)
        asked = self.question if poll.mechanism.needs_question else None
        ack.check_entry(Entry(request.receipt, ack.salt or "", request.report, asked))
        moved = self.position + isinstance(request, Change)
        return replace(self, request=None, acknowledgement=ack, position=moved, standing=REPORT)

    def refused(self) -> "Device":
        """Drop what was sent last. Only if the server has refused it: what it took stays taken."""
        return replace(self, request=None, erases=False)

    def credential(self) -> Credential:
        """What lets the voter go on elsewhere: no ranking, no report."""
        if self.request is not None:
            _unanswered()
        if self.standing != REPORT:
            raise PollError(
                "there is no credential, since no vote of yours stands", code="state.uncast"
            )
        return Credential(self.poll, self.seed, self.position, self.spent)

    @property
    def secret(self) -> str:
        """What the next change or withdrawal reveals."""
        return secret_of(self.seed, self.position).hex()

    @property
    def is_gone(self) -> bool:
        """Whether the vote was taken back, which is final."""
        return self.standing in (WITHDRAWN, ERASED)

    @property
    def receipt(self) -> str:
        """Under which the report stands, or is to stand."""
        return receipt_of(bytes.fromhex(self.secret)).hex()

    def _check_poll(self, poll: Poll) -> None:
        if self.poll != poll.digest:
            _other_poll()

    def check_free(self, poll: Poll) -> None:
        """Refuse to send, unless everything was answered and the vote is not gone."""
        self._check_poll(poll)
        if self.request is not None:
            _unanswered()
        if self.is_gone:
            raise PollError(
                f"your vote is {self.standing}, and that is final", code="state.withdrawn"
            )

    # --- as plain data ------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """What is kept, as the device in TypeScript writes it, but for its ledger, which follows,
        and for `erases`.
        """
        ack = self.acknowledgement
        return {
            "hushvote": KIND,
            "version": VERSION,
            "poll": self.poll,
            "seed": self.seed.hex(),
            "position": self.position,
            "spent": self.spent,
            "draws": [
                {**vars(one), "ranking": list(one.ranking), "completed": list(one.completed)}
                for one in self.draws
            ],
            "question": self.question,
            "request": None if self.request is None else self.request.to_json(),
            "erases": self.erases,
            "acknowledgement": None if ack is None else written(ack),
            "standing": self.standing,
        }

    @classmethod
    def of_document(cls, poll: Poll, found: Any) -> "Device":
        """Read what `document` gave; a ValueError for anything else."""
        if not isinstance(found, dict) or found.keys() != MEMBERS:
            raise ValueError("members are missing, or too many")
        if (found["hushvote"], found["version"], found["poll"]) != (KIND, VERSION, poll.digest):
            raise ValueError("it is of another kind, version or poll")
        if found["standing"] not in (NOTHING, REPORT, WITHDRAWN, ERASED):
            raise ValueError("nobody knows what stands")
        position, spent = (_whole(found[name]) for name in ("position", "spent"))
        if not is_hex(found["seed"]) or type(found["erases"]) is not bool:
            raise ValueError("the seed is not in its form")
        question, ack = found["question"], found["acknowledgement"]
        if question is not None and not is_hex(question):
            raise ValueError("the question is no hash")
        draws = tuple(_draw(poll, one) for one in found["draws"])
        if len(draws) > spent:
            raise ValueError("there are more reports than were drawn")
        return cls(
            poll.digest,
            bytes.fromhex(found["seed"]),
            position,
            spent,
            draws,
            question,
            None if found["request"] is None else _request(poll, found["request"]),
            found["erases"],
            None if ack is None else Acknowledgement.from_json(canonical(ack)),
            found["standing"],
        )


def written(ack: Acknowledgement) -> dict[str, str]:
    """An acknowledgement as plain data."""
    return {name: value for name, value in vars(ack).items() if value is not None}


def _draw(poll: Poll, found: Mapping[str, Any]) -> KeptDraw:
    """One draw, in its form."""
    draw = KeptDraw(**{**found, "ranking": tuple(found["ranking"])})
    completed = tuple(draw.completed)
    if draw.question is not None and not is_hex(draw.question):
        raise ValueError("the question of a draw is no hash")
    poll.ranked(draw.ranking)
    poll.mechanism.one_ranking(completed)
    poll.mechanism.domain.parse(draw.report)
    return replace(draw, completed=completed)


def _request(poll: Poll, found: Mapping[str, Any]) -> Request:
    """What was sent, read as strictly as a server does."""
    kind: type[Request] = Cast
    if "reveals" in found:
        kind = Change if "receipt" in found else Withdrawal
    try:
        made = kind(**found)
        return kind.read(poll, made.body(poll))
    except (TypeError, HushvoteError) as error:
        raise ValueError(f"the request is damaged: {error}") from None


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_CHANGES + 1:
        raise ValueError("a number is out of its range")
    return value


def _other_poll() -> NoReturn:
    raise PollError("what is kept here belongs to another poll", code="state.poll")


def _unanswered() -> NoReturn:
    raise PollError(
        "what was sent last is not acknowledged yet: send it again first", code="state.unanswered"
    )

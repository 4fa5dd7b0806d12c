"""One visit of a voter: what was agreed to before is sent first, then what is asked for now."""

import getpass
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hushvote.cli import ballot, show
from hushvote.cli.ranking import read_names
from hushvote.client import keeping
from hushvote.client.device import ERASED, REPORT, Device, written
from hushvote.client.links import BallotLink
from hushvote.client.server import RemoteError
from hushvote.client.voting import CLOSED, Voting
from hushvote.errors import FileError, HushvoteError, PollError
from hushvote.messages import say
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.checks import CODES
from hushvote.poll.codes import question_of


@dataclass(frozen=True)
class Wishes:
    """What the voter has asked for."""

    ranking: list[str] | None  # None: to be asked for
    change: bool = False
    withdraw: bool = False
    erase: bool = False
    dry: bool = False
    yes: bool = False
    order: bool = False
    json: bool = False
    code: str | None = None
    credential: Path | None = None
    save_ack: Path | None = None
    save_credential: Path | None = None

    @property
    def ends(self) -> bool:
        """Whether the vote is to be taken back."""
        return self.withdraw or self.erase


class Booth:
    """One visit of one voter."""

    def __init__(self, voting: Voting, link: BallotLink, wishes: Wishes) -> None:
        self.voting, self.poll, self.wishes = voting, voting.poll, wishes
        self.public = replace(link, code=None)  # a link that may be shown
        self.code = link.code if wishes.code is None else wishes.code

    def run(self) -> None:
        """Send what was agreed to before; then do what is asked for now."""
        device, wishes = self.voting.device, self.wishes
        if device.request is not None and not wishes.dry:
            self.say(say("vote.again"))
            again = self.voting.where()
            self._deliver(lambda: self.voting.deliver(again=True))
            if self._was_asked(again):
                self._finish()
                return
        elif self._only_saves():
            self._finish()
            return
        if wishes.ends:
            self._end()
        else:
            self._rank()

    def _was_asked(self, kind: str) -> bool:
        """Whether what was sent again is what is asked for now, too."""
        wishes = self.wishes
        asked = "reports"
        if wishes.change or wishes.ends:
            asked = "changes" if wishes.change else "erasures" if wishes.erase else "withdrawals"
        if asked != kind:
            return False
        return wishes.ends or wishes.ranking is None or self._given() == self._sent()

    def _sent(self) -> list[int] | None:
        """The ranking of the report that was drawn last."""
        draws = self.voting.device.draws
        return list(draws[-1].ranking) if draws else None

    def _only_saves(self) -> bool:
        """Whether the vote stands already, and nothing new is asked for."""
        device, wishes = self.voting.device, self.wishes
        if device.standing != REPORT or wishes.change or wishes.ends or wishes.dry:
            return False
        if wishes.ranking is not None and device.kept(self._given(), self._kept_question()) is None:
            raise PollError(
                "you have cast another ranking in this poll: --change changes to this one",
                code="state.cast",
            )
        self.say(say("vote.stands"))
        return True

    def _kept_question(self) -> bytes | None:
        """What the device was asked, in polls that ask."""
        question = self.voting.device.question
        asks = self.poll.mechanism.needs_question and question is not None
        return bytes.fromhex(question) if asks and question is not None else None

    def _given(self) -> list[int]:
        return read_names(self.wishes.ranking or [], self.poll.candidates)

    # --- ranking and casting ------------------------------------------------------------------

    def _rank(self) -> None:
        poll, wishes, device = self.poll, self.wishes, self.voting.device
        told = self.voting.told()
        if told.get("state") == "closed":
            raise PollError("this poll is closed and takes no more votes", code="vote.closed")
        if device.standing == REPORT or wishes.change:
            if device.standing != REPORT and not wishes.dry:
                raise PollError("there is no vote to change yet", code="state.uncast")
            device.check_change(poll)
        shown = ballot.in_order(poll, keep=wishes.order or wishes.ranking is not None)
        if not wishes.json:
            shuffled = not wishes.order and wishes.ranking is None
            ballot.show_poll(poll, told, shown, shuffled=shuffled)
        given = None if wishes.ranking is None else poll.ranked(self._given())
        if wishes.dry:
            self._rehearse(given)
            return
        question = self._question()
        ranking = given
        if ranking is None:
            if not ballot.at_terminal():
                raise FileError(
                    "give the ranking: as names, or by --ranking -", code="command.terminal"
                )
            ranking = ballot.rank(poll, shown)
            if ranking is None:
                self.say(say("vote.stopped"))
                return
        if device.standing == REPORT and not wishes.json:
            ballot.show_costs(self.voting, ranking, question)
        if not wishes.yes and not ballot.ask_draw(self.voting, ranking, question):
            self.say(say("vote.stopped"))
            return
        report = self.voting.draw(ranking, question)
        preview = self.voting.device.send(poll, report, question)
        if not wishes.json:
            ballot.show_report(poll, preview, report, self._address(preview))
        changing = self.voting.device.standing == REPORT
        asked = say("vote.ask.change") if changing else say("vote.ask.cast")
        if not wishes.yes and not ballot.agrees(asked):
            self.say(say("vote.kept"))
            return
        self._deliver(lambda: self.voting.cast(report, question))
        self._finish()

    def _address(self, device: Device) -> str:
        voting = Voting(self.voting.server, self.poll, replace(self.voting.kept, device=device))
        return f"{self.public.server}/api/v1/polls/{self.poll.id}/{voting.where()}"

    def _question(self) -> bytes | None:
        """The hash of the voter's code: from the link, a file, what is kept, or typed."""
        device, poll = self.voting.device, self.poll
        if poll.access != CODES:
            if self.code is not None:
                raise PollError(
                    "this poll is open to whoever has its link, and takes no code",
                    code="question.needless",
                )
            return None
        if self.code is not None:
            return question_of(poll.digest, self.code)
        if device.question is not None:
            return bytes.fromhex(device.question)
        if device.standing == REPORT and not poll.mechanism.needs_question:
            return None
        if not ballot.at_terminal():
            raise PollError(
                "this poll needs your invite code: give a link that has it, or --code-file",
                code="question.missing",
            )
        return question_of(poll.digest, getpass.getpass("Your invite code (not shown): "))

    def _rehearse(self, given: list[int] | None) -> None:
        """Show what a vote would be like."""
        poll, device = self.poll, self.voting.device
        if given is not None:
            ballot.show_ranking(poll, given)
        kept = None if given is None else device.kept(given, self._kept_question())
        asks = poll.mechanism.needs_question
        question = question_of(poll.digest, self.code) if self.code else bytes(32)
        if kept is not None:
            show.say(say("vote.dry.kept"))
            report = kept.report
        else:
            show.say(say("vote.dry.example"))
            made_up = ballot.in_order(poll, keep=False)
            drawn = poll.draw(made_up, question=question if asks else None)
            report = poll.mechanism.domain.to_wire(drawn.report)
        hashed = question if poll.access == CODES else None
        sender = Device.begin(poll).send(poll, report, hashed)
        ballot.show_report(poll, sender, report, self._address(sender))
        show.say(say("vote.dry"), style="bold")

    # --- taking back --------------------------------------------------------------------------

    def _end(self) -> None:
        """Withdraw, or have it erased."""
        erase = self.wishes.erase
        would = self.voting.device.withdraw(self.poll, erase=erase)  # refused if nothing stands
        assert would.request is not None
        if not self.wishes.json:
            ballot.show_body(would.request.body(self.poll), self._address(would))
        if self.wishes.dry:
            self.say(say("vote.dry"))
            return
        asked = say("vote.ask.erase") if erase else say("vote.ask.withdraw")
        if not self.wishes.yes and not ballot.agrees(asked):
            self.say(say("vote.unchanged"))
            return
        self._deliver(lambda: self.voting.withdraw(erase=erase))
        self._finish()

    # --- sending ------------------------------------------------------------------------------

    def _deliver(self, send: Callable[[], Acknowledgement]) -> None:
        """Send, and say first what has happened to the vote if that fails."""
        try:
            send()
        except RemoteError as error:
            request = self.voting.device.request
            if request is None:
                raise error.within(self._refusal()) from None
            where = self.voting.where()
            if error.code == CLOSED:
                raise error.within(say("vote.unsure")) from None
            raise error.within(say(f"vote.unsent.{where}")) from None
        except HushvoteError as error:
            if self.voting.device.request is None:
                raise
            raise error.within(say("vote.unsigned")) from None

    def _refusal(self) -> str:
        wishes, standing = self.wishes, self.voting.device.standing
        kind = "changes" if standing == REPORT else "reports"
        if wishes.ends:
            kind = "erasures" if wishes.erase else "withdrawals"
        return say(f"vote.refused.{kind}")

    def _finish(self) -> None:
        """The receipt, where it is kept, and copies of it."""
        voting, wishes = self.voting, self.wishes
        device, ack = voting.device, voting.device.acknowledgement
        if wishes.save_ack is not None:
            if ack is None:
                raise PollError("there is no acknowledgement to save yet", code="state.uncast")
            keeping.write_new(wishes.save_ack, ack.to_json() + "\n")
        if wishes.save_credential is not None:
            keeping.write_new(wishes.save_credential, device.credential().to_json() + "\n")
        if wishes.json:
            show.print_json(document(voting.kept))
            return
        if device.standing == REPORT:
            kind = "changes" if device.position else "reports"
        else:
            kind = "erasures" if device.standing == ERASED else "withdrawals"
        show.say(say(f"vote.done.{kind}"), style="bold green")
        if ack is not None:
            ballot.whole(say("vote.receipt", receipt=ack.receipt))
            show.say(say("vote.signed"))
            ballot.whole(f"  {voting.kept.path}")
            show.say(say("vote.later"))
            ballot.whole(f"  hushvote verify {shlex.quote(str(self.public))} --mine")
        if wishes.save_ack is not None:
            show.say(say("vote.saved.ack"))
        if wishes.save_credential is not None:
            show.say(say("vote.saved.credential"))

    def say(self, sentence: str) -> None:
        """A sentence for people, not for programs."""
        if not self.wishes.json:
            show.say(sentence)


def document(kept: keeping.KeptVote) -> dict[str, Any]:
    """What is kept, for programs: all but the seed."""
    device, poll = kept.device, kept.poll
    ack = device.acknowledgement
    return {
        "poll": poll.digest,
        "server": kept.server,
        "question": poll.question,
        "standing": device.standing,
        "unanswered": device.request is not None,
        "receipt": None if ack is None else ack.receipt,
        "acknowledgement": None if ack is None else written(ack),
        "draws": [
            {
                "ranking": [poll.candidates[j] for j in draw.ranking],
                "report": draw.report,
                "words": poll.words(poll.mechanism.domain.from_wire(draw.report)),
            }
            for draw in device.draws
        ],
        "spent": device.spent,
        "epsilon": device.ledger(poll).epsilon(),
        "changes_left": max(0, poll.changes - device.position),
        "kept": str(kept.path),
    }

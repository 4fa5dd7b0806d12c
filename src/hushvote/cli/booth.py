"""One visit of a voter: what was agreed to before is sent first, then what is asked for now."""

import getpass
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import typer

from hushvote.cli import ballot, show
from hushvote.cli.asking import DECLINED
from hushvote.cli.ranking import read_names
from hushvote.client import keeping
from hushvote.client.device import ERASED, NOTHING, REPORT, Device, written
from hushvote.client.links import BallotLink
from hushvote.client.server import RemoteError
from hushvote.client.voting import CLOSED, Voting
from hushvote.errors import FileError, HushvoteError, PollError, RankingError
from hushvote.messages import say
from hushvote.messages.phrases import all_of
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
        wishes, fresh = self.wishes, False
        self._check_code()
        if self.voting.device.request is not None and not wishes.dry:
            self.say(say("vote.again"))
            kind = self.voting.where()
            self._deliver(lambda: self.voting.deliver(again=True))
            fresh = self._asks_for(kind)
        if fresh or self._asks_for_nothing():
            self._finish(fresh=fresh)
        elif wishes.ends:
            self._end()
        else:
            self._rank()

    def _check_code(self) -> None:
        """Refuse to act for one person with what is kept of another."""
        device = self.voting.device
        if self.code is None or device.question is None:
            return
        unused = device.request is None and device.standing == NOTHING  # it was refused
        if not unused and question_of(self.poll.digest, self.code).hex() != device.question:
            raise PollError(
                "a vote with another code is kept here, and a code is for one person: vote with "
                "this one from another account, or set XDG_STATE_HOME to a folder of its own",
                code="state.code",
            )

    def _asks_for(self, kind: str) -> bool:
        """Whether what was sent again is what is asked for now, too."""
        wishes, asked = self.wishes, "reports"
        if wishes.change or wishes.ends:
            asked = "changes" if wishes.change else "erasures" if wishes.erase else "withdrawals"
        return asked == kind and (wishes.ends or wishes.ranking is None or self._stands())

    def _asks_for_nothing(self) -> bool:
        """Whether the vote stands already, and nothing new is asked for."""
        wishes = self.wishes
        if self.voting.device.standing != REPORT or wishes.ends or wishes.dry:
            return False
        if wishes.change and (wishes.ranking is None or not self._stands()):
            return False
        if wishes.ranking is not None and not self._stands():
            raise PollError(
                "you have cast another ranking in this poll: --change changes to this one",
                code="state.cast",
            )
        self.say(say("vote.stands"))
        return True

    def _stands(self) -> bool:
        """Whether the ranking that was given now is the one whose report stands."""
        draws = self.voting.device.standing_draws(self.poll)
        return tuple(self._given()) in [one.ranking for one in draws]

    def _kept_question(self) -> bytes | None:
        """What the device was asked, in polls that ask."""
        question = self.voting.device.question
        asks = self.poll.mechanism.needs_question and question is not None
        return bytes.fromhex(question) if asks and question is not None else None

    def _given(self) -> list[int]:
        """The ranking that was given, refused in the voter's words unless this poll takes it."""
        names = self.poll.candidates
        found = read_names(self.wishes.ranking or [], names)
        if not found:
            raise RankingError(
                f"no candidate is named: give them best first, as in '{names[0]} > {names[1]}'",
                code="ranking.length",
                d=self.poll.d,
            )
        left = [name for j, name in enumerate(names) if j not in found]
        if left and not self.poll.partial:
            raise RankingError(
                f"this poll wants all of its {self.poll.d} candidates ranked: rank "
                f"{all_of(left)}, too",
                code="ranking.length",
                d=self.poll.d,
            )
        return found

    # --- ranking and casting ------------------------------------------------------------------

    def _rank(self) -> None:
        """Rank, see what was drawn, and cast it."""
        poll, wishes = self.poll, self.wishes
        told = self._allowed()
        ranking = None if wishes.ranking is None else self._given()
        question = None if wishes.dry else self._known_question()
        shown = ballot.in_order(poll, keep=wishes.order or wishes.ranking is not None)
        if not wishes.json:
            shuffled = not wishes.order and wishes.ranking is None
            ballot.show_poll(poll, told, shown, shuffled=shuffled)
        if wishes.dry:
            self._rehearse(ranking)
            return
        if question is None and self._needs_code():
            typed = getpass.getpass(say("vote.ask.code") + " ")
            question = question_of(poll.digest, typed)
        if ranking is None:
            ranking = ballot.rank(poll, shown)
        if ranking is None or not self._agrees_to_draw(ranking, question):
            self._decline(say("vote.stopped"))
        report = self.voting.draw(ranking, question)
        sender = self.voting.device.send(poll, report, question)
        if not wishes.json:
            ballot.show_report(poll, sender, report, self._address(sender))
        asked = say("vote.ask.change") if wishes.change else say("vote.ask.cast")
        if not wishes.yes and not self._agrees_to_cast(asked):
            self._decline(say("vote.kept"))
        self._deliver(lambda: self.voting.cast(report, question))
        self._finish(fresh=True)

    def _allowed(self) -> dict[str, Any]:
        """What the server tells of the poll, if something can be sent: else no draw is spent."""
        wishes, device = self.wishes, self.voting.device
        told = self.voting.told()
        if told.get("state") == "closed":
            raise PollError("this poll is closed and takes no more votes", code="vote.closed")
        if not wishes.dry:
            device.check_free(self.poll)
        if wishes.change and device.standing != REPORT:
            raise PollError(
                "there is no vote of yours to change: cast one first, or give --credential",
                code="state.uncast",
            )
        if wishes.change:
            device.check_change(self.poll)
        if wishes.ranking is None and not wishes.dry and not ballot.at_terminal():
            raise FileError(
                "give the ranking: as names, or by --ranking -", code="command.terminal"
            )
        return told

    def _agrees_to_draw(self, ranking: list[int], question: bytes | None) -> bool:
        wishes = self.wishes
        if wishes.change and not wishes.json:
            ballot.show_costs(self.voting, ranking, question)
        return wishes.yes or ballot.ask_draw(self.voting, ranking, question)

    def _agrees_to_cast(self, asked: str) -> bool:
        """Whoever presses Ctrl-C here must not wonder what has become of the vote."""
        try:
            return ballot.agrees(asked)
        except KeyboardInterrupt:
            self.say("")
            self.say(say("vote.kept"))
            raise

    def _address(self, device: Device) -> str:
        voting = Voting(self.voting.server, self.poll, replace(self.voting.kept, device=device))
        return f"{self.public.server}/api/v1/polls/{self.poll.id}/{voting.where()}"

    def _known_question(self) -> bytes | None:
        """The hash of the voter's code: from the link, a file, or what is kept; None where there is
        none, or it is to be asked for.
        """
        device, poll = self.voting.device, self.poll
        if self.code is not None:
            if poll.access != CODES:
                raise PollError(
                    "this poll is open to whoever has its link, and takes no code",
                    code="question.needless",
                )
            return question_of(poll.digest, self.code)
        if device.question is not None:
            return bytes.fromhex(device.question)
        if self._needs_code() and not ballot.at_terminal():
            raise PollError(
                "this poll needs your invite code: give a link that has it, or --code-file",
                code="question.missing",
            )
        return None

    def _needs_code(self) -> bool:
        """Whether a code is needed: for a cast, and for reports on a question of one's own."""
        poll = self.poll
        first = self.voting.device.standing != REPORT
        return poll.access == CODES and (first or poll.mechanism.needs_question)

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
            self._decline(say("vote.unchanged"))
        self._deliver(lambda: self.voting.withdraw(erase=erase))
        self._finish(fresh=True)

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

    def _finish(self, *, fresh: bool) -> None:
        """The receipt, where it is kept, and copies of it."""
        voting, wishes = self.voting, self.wishes
        device, ack = voting.device, voting.device.acknowledgement
        if wishes.json:
            show.print_json(document(voting.kept))
            save_copies(device, wishes)
            return
        if device.standing == REPORT:
            kind = "changes" if device.position else "reports"
        else:
            kind = "erasures" if device.standing == ERASED else "withdrawals"
        if fresh:
            show.say(say(f"vote.done.{kind}"), style="bold green")
        if ack is not None:
            show.line(say("vote.receipt", receipt=ack.receipt))
            show.say(say("vote.signed"))
            show.line(f"  {voting.kept.path}")
            stands = device.standing == REPORT
            show.say(say("vote.later") if stands else say("vote.later.gone"))
            show.line(f"  hushvote verify {shlex.quote(str(self.public))} --mine")
        save_copies(device, wishes)

    def _decline(self, sentence: str) -> NoReturn:
        """End, since somebody thought better of it."""
        self.say(sentence)
        raise typer.Exit(DECLINED)

    def say(self, sentence: str) -> None:
        """A sentence for people, not for programs."""
        if not self.wishes.json:
            show.say(sentence)


def save_copies(device: Device, wishes: Wishes) -> None:
    """Write what was asked for into files of the voter's choice."""
    if wishes.save_ack is not None:
        if device.acknowledgement is None:
            raise PollError("there is no acknowledgement to save yet", code="state.uncast")
        keeping.write_private(wishes.save_ack, device.acknowledgement.to_json())
    if wishes.save_credential is not None:
        keeping.write_private(wishes.save_credential, device.credential().to_json())
    if wishes.save_ack is not None and not wishes.json:
        show.say(say("vote.saved.ack.gone") if device.is_gone else say("vote.saved.ack"))
    if wishes.save_credential is not None and not wishes.json:
        show.say(say("vote.saved.credential"))


def document(kept: keeping.KeptVote) -> dict[str, Any]:
    """What is kept, for programs: all but the seed."""
    device, poll = kept.device, kept.poll
    ack, standing = device.acknowledgement, device.standing_draws(poll)
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
                "stands": draw in standing,
            }
            for draw in device.draws
        ],
        "spent": device.spent,
        "epsilon": device.ledger(poll).epsilon(),
        "changes_left": 0 if device.is_gone else max(0, poll.changes - device.position),
        "kept": str(kept.path),
    }

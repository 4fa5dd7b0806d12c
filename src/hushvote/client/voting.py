"""Voting in a poll on a server: everything is kept before it is sent, and sent until answered."""

from dataclasses import dataclass, replace
from typing import Any, Self

from hushvote.client import keeping
from hushvote.client.device import Device
from hushvote.client.links import BallotLink
from hushvote.client.server import RemoteError, Server
from hushvote.errors import PollError
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.credentials import Credential
from hushvote.poll.manifest import Poll
from hushvote.poll.requests import Cast, Change, Report

FINAL = ("vote.", "request.", "report.")  # refusals by the poll itself: asking again is in vain
CLOSED = "vote.closed"


def fetch_poll(server: Server, link: BallotLink) -> Poll:
    """The poll of a link, refused unless it is that of the digest, with all its checks: that its
    odds keep its epsilon, too.
    """
    text = server.read("GET", f"/polls/{link.id}/manifest")
    return Poll.load(text, link.digest)


@dataclass
class Voting:
    """One voter, one poll, one server."""

    server: Server
    poll: Poll
    kept: keeping.KeptVote

    @classmethod
    def open(cls, server: Server, poll: Poll) -> Self:
        """Go on with what is kept, or begin. Nothing is written yet."""
        kept = keeping.find(poll.digest)
        if kept is None:
            path = keeping.path_of(poll.digest)
            kept = keeping.KeptVote(path, server.address, poll, Device.begin(poll))
        return cls(server, poll, replace(kept, server=server.address))

    @property
    def device(self) -> Device:
        """The device as it is kept."""
        return self.kept.device

    def told(self) -> dict[str, Any]:
        """What the server says of the poll: whether it is open, and how many reports stand."""
        found = self.server.get(f"/polls/{self.poll.id}")
        return found if isinstance(found, dict) else {}

    def resume(self, credential: Credential, *, keep: bool = True) -> None:
        """Go on with a credential from elsewhere; refused where something is kept already."""
        if self.kept.path.exists():
            raise PollError(
                "this machine keeps a vote in this poll already, and needs no credential: leave "
                "--credential out, or --forget first",
                code="state.kept",
            )
        device = Device.resume(self.poll, credential)
        if keep:
            self._save(device)
        else:
            self.kept = replace(self.kept, device=device)

    def draw(self, ranking: list[int], question: bytes | None) -> Report:
        """The report of a ranking, kept before anybody sees it."""
        asked = question if self.poll.mechanism.needs_question else None
        device, report = self.device.vote(self.poll, ranking, asked)
        self._save(device)
        return report

    def cast(self, report: Report, question: bytes | None) -> Acknowledgement:
        """Cast a report, or change to it."""
        self._save(self.device.send(self.poll, report, question))
        return self.deliver()

    def withdraw(self, *, erase: bool = False) -> Acknowledgement:
        """Withdraw what stands, or have it erased."""
        self._save(self.device.withdraw(self.poll, erase=erase))
        return self.deliver()

    def deliver(self, *, again: bool = False) -> Acknowledgement:
        """Send what is to be sent, the same bytes however often; `again` if it may have been sent
        before. Kept until it is answered. A refusal ends it, unless nobody can tell whether an
        earlier attempt was taken.
        """
        body = self.body()
        try:
            answer = self.server.read("POST", f"/polls/{self.poll.id}/{self.where()}", body)
        except RemoteError as error:
            if error.code.startswith(FINAL) and not (again and error.code == CLOSED):
                self._save(self.device.refused())
            raise
        device = self.device.acknowledged(self.poll, answer)
        self._save(device)
        assert device.acknowledgement is not None
        return device.acknowledgement

    def body(self) -> bytes:
        """What is to be sent."""
        if self.device.request is None:
            raise PollError("nothing was sent that could be sent again", code="state.unasked")
        return self.device.request.body(self.poll)

    def where(self) -> str:
        """What kind of request it is, as the server's paths name them."""
        request = self.device.request
        if isinstance(request, Cast):
            return "reports"
        if isinstance(request, Change):
            return "changes"
        return "erasures" if self.device.erases else "withdrawals"

    def _save(self, device: Device) -> None:
        if device is not self.kept.device or not self.kept.path.exists():
            self.kept = self.kept.save(device)

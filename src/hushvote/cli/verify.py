"""`hushvote verify`: everybody can check a closed poll and count it again."""

import shlex
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli import show
from hushvote.cli.options import JsonOption
from hushvote.cli.outputs import check_new
from hushvote.cli.remote import typed_link
from hushvote.cli.results import tell
from hushvote.client import keeping
from hushvote.client.answers import Told
from hushvote.client.links import BallotLink, OrganiserLink, read_link
from hushvote.client.server import RemoteError, Server
from hushvote.client.voting import fetch_poll
from hushvote.errors import FileError, HushvoteError, PollError
from hushvote.files import reading
from hushvote.messages import say
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.auditing import (
    BOARD,
    MANIFEST,
    RESULT,
    check_archive,
    damaged,
    look_for,
    verify_acks,
    verify_archive,
    withheld,
)
from hushvote.poll.board import is_board, open_board
from hushvote.poll.header import BoardError
from hushvote.poll.manifest import Poll
from hushvote.poll.unpacking import is_zip, unpack
from hushvote.poll.verifying import LONGEST_ACK, Ack, Finding, Progress, Verification, verify_board

EXAMPLE = (
    "Example: [bold]hushvote verify board.jsonl --ack my-acknowledgement.json[/bold], or with the "
    "link of a poll: [bold]hushvote verify 'https://vote.example.org/p/...#...' --mine[/bold]"
)
STYLES = {"✓": "green", "!": "bold yellow", "✗": "bold red"}
BROKEN = 1  # the exit code if something does not hold; what cannot be checked has 2
OPEN, FEW = "board.open", {"board.turnout", "result.turnout"}  # why a server may have no board
STRANGER = "parameters.mechanism"  # it may be fine for whoever loads that mechanism


def verify(
    source: Annotated[
        str,
        typer.Argument(
            help="A board (JSON lines), an archive (its folder, or a .zip), or the link of a poll, "
            "whose board is fetched; - reads the link from standard input."
        ),
    ],
    digest: Annotated[
        str | None,
        typer.Option(help="The poll's digest, which stands behind the # of its link."),
    ] = None,
    ack: Annotated[
        list[Path] | None,
        typer.Option(help="An acknowledgement (.json) that the server has sent; may be repeated."),
    ] = None,
    mine: Annotated[
        bool,
        typer.Option("--mine", help="Check the acknowledgements that 'hushvote vote' keeps here."),
    ] = False,
    save_board: Annotated[
        Path | None,
        typer.Option(help="Keep the board that is fetched in this file; none is replaced."),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow plain http beyond this machine.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Check a poll: its board, tree, signature, codes and receipts; count again, and compare."""
    link = _link(source)
    if link is not None and digest is not None:
        raise FileError("the link has the digest in it: leave --digest out", code="command.options")
    if link is None and save_board is not None:
        raise FileError("--save-board goes with a link", code="command.options")
    check_new(save_board)
    with tempfile.TemporaryDirectory() as folder:
        board = Path(folder) / "board.jsonl" if save_board is None else save_board
        if link is None:
            check = _Check(Path(source), digest, ack or [], mine=mine)
            found = check.local(Path(folder))
        else:
            check = _Check(board, link.digest, ack or [], mine=mine)
            found = check.remote(link, Server(link.server, insecure=insecure))
    if json:
        show.print_json(found.to_dict())
    else:
        _tell(found, check)
    if not found.holds:
        raise typer.Exit(BROKEN)


def _link(source: str) -> BallotLink | None:
    """The link, if one was given."""
    text = typed_link() if source == "-" else source
    if not text.startswith(("http://", "https://")):
        if source == "-":
            raise PollError("standard input has no link", code="link.form")
        return None
    found = read_link(text)
    if isinstance(found, OrganiserLink):
        raise PollError(
            "this is the organiser's link, which is a secret; take the one that voters have",
            code="link.form",
        )
    return found


class _Check:
    """One board, and the acknowledgements that are held against it."""

    def __init__(
        self, path: Path, digest: str | None, files: Sequence[Path], *, mine: bool
    ) -> None:
        self.path, self.digest, self.mine = path, digest, mine
        self.acks: list[Ack] = list(files)
        self.link: BallotLink | None = None
        self._lost: str | None = None  # the receipt of a request that had no answer

    def local(self, room: Path) -> Verification:
        """Check a file or a folder; a zip is unpacked into a room of its own."""
        if self.path.is_dir():
            return self._archived(self.path)
        if is_zip(self.path):
            unpack(self.path, room)
            return self._archived(room)
        if not is_board(self.path):
            _refuse_ack(self.path)
            _refuse_other(self.path)
        return self._verified(self.path)

    def remote(self, link: BallotLink, server: Server) -> Verification:
        """Fetch a board, and check it; without one, check what can be."""
        self.link = link
        poll = fetch_poll(server, link)
        if self.mine:
            self._take_mine(link.digest)
        try:
            with show.progress("fetching", None) as advance:
                server.save(f"/polls/{link.id}/board", self.path, progress=_steps(advance))
        except RemoteError as error:
            if error.code in FEW:
                told = Told.read(server.get(f"/polls/{link.id}"))
                if told.numbers["standing"] >= poll.turnout:
                    return withheld(poll, told.numbers["standing"])
            if error.code not in {OPEN, *FEW} or not self.acks:
                raise
            return verify_acks(poll, link.digest, self.acks, closed=error.code != OPEN)
        return self._verified(self.path)

    def _archived(self, folder: Path) -> Verification:
        """Check an archive."""
        if (poll := _without_board(folder)) is not None:
            return self._unpublished(poll)
        check_archive(folder)
        return self._verified(folder / BOARD, folder)

    def _unpublished(self, poll: Poll) -> Verification:
        """Check what can be of an archive without a board."""
        if self.mine:
            self._take_mine(poll.digest)
        if not self.acks and self.digest in (None, poll.digest):
            raise PollError(
                f"{self.path} has no board: the poll was closed with fewer than {poll.turnout:,} "
                "reports, so there is nothing to count again",
                code="board.turnout",
                turnout=poll.turnout,
            )
        return verify_acks(poll, self.digest, self.acks, closed=True)

    def _verified(self, board: Path, archive: Path | None = None) -> Verification:
        """Check what should be a board; one that cannot be read as such does not hold."""
        try:
            if board.stat().st_size == 0:
                raise BoardError("there is nothing in it", code="board.header")
            return self._checked(board, archive)
        except BoardError as error:
            if error.code == STRANGER:
                raise
            return damaged(self.digest, error)

    def _checked(self, board: Path, archive: Path | None) -> Verification:
        poll = open_board(board).poll
        if self.mine and self.link is None:
            self._take_mine(self.digest or poll.digest)
        with show.progress("checking", None) as advance:
            if archive is None:
                found = verify_board(board, self.digest, self.acks, advance)
            else:
                found = verify_archive(archive, self.digest, self.acks, advance)
        if self._lost is None:
            return found
        taken = bool(look_for(board, [self._lost]))
        words = say("mine.taken") if taken else say("mine.lost")
        mine = Finding("unanswered", True, words, warns=not taken)
        return replace(found, findings=(*found.findings, mine))

    def _take_mine(self, digest: str) -> None:
        kept = keeping.find(digest)
        request = None if kept is None else kept.device.request
        self._lost = getattr(request, "receipt", None)
        if kept is None or not (kept.acknowledgements or self._lost):
            raise PollError(say("mine.none"), code="state.uncast")
        for one in kept.acknowledgements:
            self.acks.append((say("mine.name", receipt=one.receipt[:8]), one))


def _steps(advance: Progress) -> Callable[[int, int | None], None]:
    """Progress in steps from progress in sums."""
    before = 0

    def told(size: int, _: int | None) -> None:
        nonlocal before
        advance(size - before)
        before = size

    return told


def _without_board(folder: Path) -> Poll | None:
    """The poll of an archive that has no board, since there was none; None of any other folder."""
    if not (folder / MANIFEST).exists() or (folder / BOARD).exists() or (folder / RESULT).exists():
        return None
    try:
        return Poll.read(folder / MANIFEST)
    except HushvoteError:
        return None


def _refuse_ack(path: Path) -> None:
    """Say what to do with an acknowledgement by itself; anything else is refused as no board."""
    with reading(path) as file:
        raw = file.read(LONGEST_ACK)
    try:
        found = Acknowledgement.from_json(raw)
    except HushvoteError:
        return
    raise PollError(
        f"{path} is an acknowledgement of the poll {found.poll[:16]}...: give the link of that "
        "poll, or its board, and this file as --ack",
        code="ack.alone",
        path=path,
    )


def _refuse_other(path: Path) -> None:
    """Say what would be right in place of a file that does not begin as boards do."""
    try:
        open_board(path)
    except BoardError as error:
        if error.code == STRANGER:
            raise
        raise BoardError(
            f"{path} is no board of a poll, or its beginning is damaged: give a board "
            "(board.jsonl), an archive (its folder, or a .zip), or the link that voters have",
            code="board.header",
            path=path,
        ) from None


# --- telling --------------------------------------------------------------------------------------


def _tell(found: Verification, check: _Check) -> None:
    for finding in found.findings:
        show.say(f"{finding.mark} {finding.words}", style=STYLES[finding.mark])
    show.say("")
    if found.board is not None:
        show.say(
            say(
                "verified.numbers",
                casts=found.numbers["casts"],
                changes=found.numbers["changes"],
                withdrawals=found.numbers["withdrawals"],
                erasures=found.numbers["erasures"],
                standing=found.numbers["standing"],
            )
        )
        show.say("")
    for sentence in found.unchecked:
        show.say(f"? {sentence}", style="dim")
    show.say("")
    _conclude(found)
    if any(one.name == "acknowledgement" and not one.holds for one in found.findings):
        _tell_proof(found, check)
    if found.result is not None:
        show.say("")
        tell(found.result)


def _conclude(found: Verification) -> None:
    if not found.holds:
        show.say(say("verified.not"), style="bold red")
    elif found.board is None:
        show.say(say("verified.signed"), style="bold green")
    elif found.warns:
        show.say(say("verified.marked"), style="bold yellow")
    else:
        show.say(say("verified.all"), style="bold green")


def _tell_proof(found: Verification, check: _Check) -> None:
    """How to show others what an acknowledgement proves."""
    show.say("")
    show.say(say("proof"))
    show.line(f"  hushvote verify board.jsonl --digest {found.digest} --ack acknowledgement.json")
    if check.link is None:
        return
    link = shlex.quote(str(replace(check.link, code=None)))
    if check.mine:
        show.say(say("proof.ack"))
        show.line(f"  hushvote vote {link} --save-ack acknowledgement.json")
    show.say(say("proof.board"))
    show.line(f"  hushvote verify {link} --save-board board.jsonl")

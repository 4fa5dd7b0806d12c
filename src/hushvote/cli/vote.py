"""`hushvote vote`: cast, change or withdraw a vote from a terminal."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli import ballot, show
from hushvote.cli.asking import DECLINED
from hushvote.cli.booth import Booth, Wishes, document, save_copies
from hushvote.cli.options import JsonOption
from hushvote.cli.outputs import check_new
from hushvote.cli.remote import typed_link
from hushvote.client import keeping
from hushvote.client.links import BallotLink, read_link
from hushvote.client.server import Server
from hushvote.client.voting import Voting, fetch_poll
from hushvote.errors import FileError, HushvoteError, PollError
from hushvote.files import reading
from hushvote.messages import counted, say
from hushvote.messages.phrases import commas
from hushvote.poll.credentials import Credential

EXAMPLE = (
    "Example: [bold]hushvote vote 'https://vote.example.org/p/...#...'[/bold]; put the link into "
    "quotes, since it has a # in it."
)
INTERRUPTED = 130
LONGEST = 1 << 16  # bytes of a link, a code, a ranking or a credential


def vote(
    link: Annotated[
        str | None,
        typer.Argument(
            help="The link of your ballot; - reads it from standard input, and without it you are "
            "asked."
        ),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Argument(help="The candidates, best first; without them you are asked."),
    ] = None,
    ranking: Annotated[
        str | None,
        typer.Option(help="The same as one text: 'Ann > Bob > Cem'; - reads standard input."),
    ] = None,
    change: Annotated[bool, typer.Option("--change", help="Change what you have cast.")] = False,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take back what you have cast, for good.")
    ] = False,
    erase: Annotated[
        bool,
        typer.Option("--erase", help="Have it deleted, after close too, for good."),
    ] = False,
    show_: Annotated[
        bool, typer.Option("--show", help="Show what this machine keeps of your vote.")
    ] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete what this machine keeps of your vote.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show everything, draw and send nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Say yes to every question, for scripts.")
    ] = False,
    order: Annotated[
        bool, typer.Option("--order", help="List the candidates as the poll does, not shuffled.")
    ] = False,
    link_file: Annotated[
        Path | None, typer.Option(help="A file with the link, instead of an argument.")
    ] = None,
    code_file: Annotated[
        Path | None, typer.Option(help="A file with your invite code, if the link has none.")
    ] = None,
    credential: Annotated[
        Path | None,
        typer.Option(help="A credential saved elsewhere, to change or withdraw from here."),
    ] = None,
    save_ack: Annotated[
        Path | None, typer.Option(help="Save the server's acknowledgement into this file.")
    ] = None,
    save_credential: Annotated[
        Path | None,
        typer.Option(help="Save what lets you change or withdraw from elsewhere: a secret."),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow plain http beyond this machine.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Vote: rank here, see what leaves this machine, cast it, and keep the receipt."""
    try:
        _check_options(
            (change, withdraw, erase, show_, forget), credential, json=json, asks=not yes
        )
        _check_copies(save_ack, save_credential, ends=withdraw or erase)
        if json and dry_run:
            _refuse("--dry-run shows people what would be sent: leave --json out")
        if link_file is not None and link is not None:
            names, link = [link, *(names or [])], None
        given = _link(link, link_file)
        wishes = Wishes(
            _given_ranking(names or [], ranking),
            change,
            withdraw,
            erase,
            dry_run,
            yes,
            order,
            json,
            None if code_file is None else _file(code_file),
            credential,
            save_ack,
            save_credential,
        )
        check_new(save_ack)  # before anything is sent
        check_new(save_credential)
        if show_:
            _show(given, wishes)
        elif forget:
            _forget(given, wishes)
        elif _asks_for_copies(given, wishes):
            _show(given, wishes)
        else:
            _vote(given, wishes, Server(given.server, insecure=insecure))
    except KeyboardInterrupt:  # what is kept is sound at any moment
        raise typer.Exit(INTERRUPTED) from None


# --- what was given -------------------------------------------------------------------------------


def _check_options(
    kinds: tuple[bool, ...], credential: Path | None, *, json: bool, asks: bool
) -> None:
    if sum(kinds) > 1:
        _refuse("give one of --change, --withdraw, --erase, --show and --forget, not several")
    if credential is not None and not any(kinds[:3]):
        _refuse("--credential goes with --change, --withdraw or --erase")
    if json and asks and not kinds[3]:
        _refuse("--json asks no questions: give --yes, too, or --show")


def _check_copies(ack: Path | None, credential: Path | None, *, ends: bool) -> None:
    if credential is not None and ends:
        _refuse("a vote that is taken back has no credential any more: leave --save-credential out")
    if ack is not None and credential is not None and ack.absolute() == credential.absolute():
        _refuse("--save-ack and --save-credential are two files: give two names")


def _refuse(sentence: str) -> None:
    raise FileError(sentence, code="command.options")


def _given_ranking(names: list[str], ranking: str | None) -> list[str] | None:
    """The ranking as it was given, if it was."""
    if names and ranking is not None:
        _refuse("give the ranking once: as names, or by --ranking")
    if ranking == "-":
        lines = [line.strip() for line in sys.stdin.read(LONGEST).splitlines()]
        return [line for line in lines if line]
    if names or ranking is not None:
        show.note(say("vote.history"))
    return names or (None if ranking is None else [ranking])


def _link(text: str | None, file: Path | None) -> BallotLink:
    shown = text not in (None, "-")
    if file is not None:
        text = _file(file)
    elif text == "-" or (text is None and ballot.at_terminal()):
        text = typed_link()
    if text is None:
        raise FileError(
            "give the link of your ballot, in quotes; or - for standard input, or --link-file",
            code="command.options",
        )
    found = read_link(text)
    if not isinstance(found, BallotLink):
        raise PollError(
            "this is the organiser's link, which is a secret; voters have one with /p/ in it",
            code="link.form",
        )
    if shown and found.code is not None:
        show.note(say("vote.code.shown"))
    return found


def _file(path: Path) -> str:
    with reading(path) as file:
        return file.read(LONGEST).decode(errors="replace").strip()


# --- voting ---------------------------------------------------------------------------------------


def _vote(link: BallotLink, wishes: Wishes, server: Server) -> None:
    if not wishes.yes and not wishes.dry and not ballot.at_terminal():
        raise FileError(
            "nobody is there to be asked, since this is no terminal: give --yes, or --dry-run",
            code="command.terminal",
        )
    poll = fetch_poll(server, link)
    with keeping.locked(link.digest):
        voting = Voting.open(server, poll)
        if wishes.credential is not None:
            with reading(wishes.credential) as file:
                credential = Credential.from_json(file.read(LONGEST).strip())
            voting.resume(credential, keep=not wishes.dry)
        Booth(voting, link, wishes).run()


# --- what is kept ---------------------------------------------------------------------------------


def _asks_for_copies(link: BallotLink, wishes: Wishes) -> bool:
    """Whether only copies are asked for of a vote that is answered: for that nobody else is needed,
    neither the server nor somebody to be asked.
    """
    if wishes.save_ack is None and wishes.save_credential is None:
        return False
    if wishes.ranking is not None or wishes.change or wishes.ends or wishes.dry:
        return False
    kept = keeping.find(link.digest)
    return kept is not None and kept.device.request is None and bool(kept.acknowledgements)


def _show(link: BallotLink, wishes: Wishes) -> None:
    kept = keeping.find(link.digest)
    if kept is None:
        if wishes.json:
            show.print_json(None)
        else:
            show.say(say("vote.unknown"))
        return
    told = document(kept)
    device, poll = kept.device, kept.poll
    if wishes.json:
        show.print_json(told)
        save_copies(device, wishes)
        return
    show.say(poll.question, style="bold")
    show.say(say(f"vote.standing.{device.standing}"))
    if told["receipt"] is not None:
        show.line(say("vote.receipt", receipt=told["receipt"]))
    if device.request is not None:
        show.say(say("vote.show.unanswered"), style="yellow")
    for draw in told["draws"]:
        key = "stands" if draw["stands"] else "gone" if device.is_gone else "drawn"
        show.say(say(f"vote.draw.{key}", ranking=commas(draw["ranking"])))
        show.say(f"    {draw['words']}")
    spent = ballot.figure(told["epsilon"])
    if device.is_gone:
        show.say(say("vote.show.gone", epsilon=spent))
    else:
        draws, changes = counted(device.left(poll), "draw"), counted(told["changes_left"], "change")
        show.say(say("vote.show.left", draws=draws, changes=changes, epsilon=spent))
    show.say(say("vote.show.path"))
    show.line(f"  {kept.path}")
    save_copies(device, wishes)


def _forget(link: BallotLink, wishes: Wishes) -> None:
    """Delete what is kept; a damaged file, too, since that was asked for."""
    with keeping.locked(link.digest):
        if not wishes.yes:
            try:
                kept = keeping.find(link.digest)
            except HushvoteError as error:
                show.complain(str(error))
                kept = None
            open_end = kept is not None and kept.device.request is not None
            if not ballot.at_terminal():
                raise FileError(
                    "nobody is there to be asked, since this is no terminal: give --yes",
                    code="command.terminal",
                )
            asked = say("vote.ask.forget.unanswered") if open_end else say("vote.ask.forget")
            if not ballot.agrees(asked):
                show.say(say("vote.unchanged"))
                raise typer.Exit(DECLINED)
        there = keeping.forget(link.digest)
    if wishes.json:
        show.print_json({"poll": link.digest, "forgotten": there})
    else:
        show.say(say("vote.forgotten") if there else say("vote.unknown"))

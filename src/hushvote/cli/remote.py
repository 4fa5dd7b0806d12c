"""Options and arguments of commands that talk to a server of polls."""

import getpass
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli import show
from hushvote.cli.options import refuse_given
from hushvote.client.keys import named
from hushvote.client.links import is_organisers
from hushvote.client.organising import Organised
from hushvote.client.server import Server
from hushvote.errors import FileError
from hushvote.files import reading
from hushvote.messages import say

SERVER, TOKEN = "HUSHVOTE_SERVER", "HUSHVOTE_TOKEN"
HERE = "http://127.0.0.1:8000"
LONGEST = 2000  # characters of a link or a token

PollArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="POLL",
        help="The poll: its link, the beginning of its id if its key is kept here, or '-' to read "
        "a link from standard input.",
    ),
]
LinkFileOption = Annotated[
    Path | None,
    typer.Option(
        "--link-file",
        help="A file with the poll's link in its first line, in place of POLL. What only the "
        "organiser may do needs the organiser's link, which is a key and best kept in a file.",
    ),
]
ServerOption = Annotated[
    str | None, typer.Option(help=f"The server's address; or set {SERVER}. Default: {HERE}.")
]
TokenOption = Annotated[
    Path | None,
    typer.Option("--token-file", help=f"A file with the operator's token; or set {TOKEN}."),
]
InsecureOption = Annotated[
    bool, typer.Option("--insecure", help="Use plain http beyond this machine all the same.")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def opened(poll: str | None, link_file: Path | None, insecure: bool) -> Organised:
    """The poll that was named."""
    found = named(_text(poll, link_file))
    return Organised(found, Server(found.server, insecure=insecure))


def owned(poll: str | None, link_file: Path | None, insecure: bool) -> Organised:
    """The same for what only its organiser may do: refused before anything is asked."""
    found = opened(poll, link_file, insecure)
    _ = found.named.organiser_link  # which there is not without the key
    return found


def server_of(address: str | None, insecure: bool) -> Server:
    """The server that was named, or the one on this machine."""
    return Server(address or os.environ.get(SERVER) or HERE, insecure=insecure)


def token_of(path: Path | None) -> str | None:
    """The operator's token, from a file or the environment; None if there is none."""
    if path is None:
        text = os.environ.get(TOKEN, "")
    else:
        with reading(path) as file:
            text = file.read(LONGEST).decode(errors="replace")
    token = text.strip()
    if any(c.isspace() or not c.isprintable() for c in token) or not token.isascii():
        raise FileError("the operator's token must be one word", code="server.token")
    return token or None


def typed_link() -> str:
    """A link from standard input: its first line, or what somebody types, without showing it."""
    if sys.stdin.isatty():
        return getpass.getpass(say("vote.ask.link") + " ").strip()
    return sys.stdin.readline(LONGEST).strip()


def note_digest(organised: Organised) -> None:
    """Say so where only the server tells which ballot belongs to the poll."""
    if organised.named.digest is None:
        show.note(
            "the poll's digest is the one that the server tells: this machine has not made the "
            "poll, so compare the ballot's link with the first one"
        )


def _text(poll: str | None, link_file: Path | None) -> str:
    if link_file is not None:
        refuse_given({"POLL": poll}, "--link-file names the poll already; leave {option} out")
        return _first_line(link_file)
    if poll == "-":
        return typed_link()
    if poll is None:
        raise FileError(
            "name the poll: by its link, or by the beginning of its id (hushvote poll list)",
            code="command.poll",
        )
    if "/" not in poll and "." in poll and Path(poll).is_file():  # no link, and no id
        raise FileError(
            f"{poll} is a file: to read the poll's link from it, say --link-file {poll}",
            code="command.poll",
        )
    if is_organisers(poll) and show.err.is_terminal:
        show.note(
            "this link is a key, which others on this machine may see while the command runs, and "
            "which stays in the shell's history: better use - or --link-file"
        )
    return poll


def _first_line(path: Path) -> str:
    """The link that a file has; what else may stand below is the organiser's own affair."""
    with reading(path) as file:
        lines = file.read(LONGEST).decode(errors="replace").split()
    if not lines or "/" not in lines[0]:
        raise FileError(
            f"{path} does not begin with the link of a poll, which is as in "
            "https://vote.example.org/o/<32 hex digits>#<64 hex digits> for its organiser",
            code="link.form",
            path=path,
        )
    return lines[0]

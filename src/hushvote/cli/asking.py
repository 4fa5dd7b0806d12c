"""Asking before something that cannot be taken back."""

import sys

import typer

from hushvote.cli import show
from hushvote.errors import FileError

DECLINED = 1  # the exit code of somebody who thought better of it


def confirm(question: str, yes: bool) -> None:
    """Go on only if somebody agrees, on the terminal or by --yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise FileError(
            f"{question} Nobody can be asked here: say --yes if it is meant",
            code="command.confirm",
        )
    show.err.print(show.plain(f"{question} [y/N] "), end="", soft_wrap=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        show.say("Nothing was done.")
        raise typer.Exit(DECLINED)

"""`hushvote poll codes | revoke`: codes are made here, and a server is given only their hashes."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli import show
from hushvote.cli.asking import confirm
from hushvote.cli.options import JsonOption, refuse_given, whole_number
from hushvote.cli.outputs import check_new, check_output
from hushvote.cli.remote import (
    InsecureOption,
    LinkFileOption,
    PollArgument,
    YesOption,
    note_digest,
    owned,
)
from hushvote.client import members
from hushvote.client.organising import Organised
from hushvote.errors import FileError, HushvoteError, PollError
from hushvote.messages import counted

CODES = (
    "Example: [bold]hushvote poll codes 3f2a --for members.csv --out codes.csv[/bold]; or without "
    "names: [bold]hushvote poll codes 3f2a --number 200 --out codes.csv[/bold]"
)
REVOKE = (
    "Example: [bold]hushvote poll revoke 3f2a --from codes.csv --name ann@example.org[/bold]; or "
    "type the code: [bold]hushvote poll revoke 3f2a --from -[/bold]"
)
LONGEST = 2000  # characters of a line on standard input
NOT_ALL = 1  # the exit code if some codes could not be revoked


def codes(
    poll: PollArgument = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The list to be written (.csv), for you alone; none is replaced."
        ),
    ] = None,
    number: Annotated[
        int | None, typer.Option(parser=whole_number, help="So many codes, without names.")
    ] = None,
    people: Annotated[
        Path | None,
        typer.Option("--for", help="A list (.csv) of people: all its columns are kept."),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(help="Send the codes of a written list once more, if that had broken off."),
    ] = None,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Make codes on this machine, and write them with their links, ready for a mail merge.

    The server is sent only hashes. The list is written before anything is sent.
    """
    if again is not None:
        given = {"--out": out, "--number": number, "--for": people}
        refuse_given(given, "--again sends a list that is there; leave {option} out")
    else:
        _check(out, number, people)
    found = owned(poll, link_file, insecure)
    found.check_codes()
    if again is not None:
        members.check_poll(again, found.poll.digest)
        defused, made, path = 0, members.codes_in(again), again
    else:
        assert out is not None
        listed = members.nobody(number or 0) if people is None else members.read_people(people)
        _check_open(found)
        done, made = members.with_codes(listed, found.named.ballot_link(found.poll.digest))
        members.write_people(out, done)
        defused, path = done.defused, out
    _send(found, made, path)
    if json:
        about = {"id": found.named.id, "file": str(path), "codes": len(made), "defused": defused}
        show.print_json(about)
        return
    if again is None:
        show.say(f"{counted(len(made), 'code')} issued, into {path}, with a link each.")
        show.say("Whoever has a code can use it: send each to its person, and nobody the list.")
    else:
        show.say(f"{counted(len(made), 'code')} issued: all that are in {path}.")
    if defused:
        show.note(
            "an apostrophe was put in front of cells that a spreadsheet would run as formulas: "
            f"{defused:,}"
        )
    note_digest(found)


def _check(out: Path | None, number: int | None, people: Path | None) -> None:
    """Refuse what could not be written in the end, before any work."""
    if (number is None) == (people is None):
        raise FileError("say for whom: --number 200, or --for members.csv", code="command.codes")
    if out is None:
        raise FileError("say where the codes go: --out codes.csv", code="command.codes")
    check_output(out, (".csv",), "a list of codes")
    check_new(out)
    if number is not None:
        members.check_number(number)


def _check_open(found: Organised) -> None:
    """Refuse a poll whose server would take no codes, before anything is written."""
    if found.told().closed:
        raise PollError("this poll is closed, and never opens again", code="api.closed")
    if not found.is_own():
        raise PollError(
            "this is not the key of the poll's organiser: use the organiser's link that was shown "
            "when the poll was made",
            code="api.key",
        )


def _send(found: Organised, made: Sequence[str], path: Path) -> None:
    """Issue the codes; if that breaks off, say how it goes on."""
    sent = 0
    try:
        with show.progress("issuing", len(made)) as advance:
            for part in found.issue(made):
                sent += part
                advance(part)
    except (HushvoteError, KeyboardInterrupt) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        raise PollError(
            f"the codes are in {path}, but only {sent:,} of {len(made):,} are surely issued: {why}"
            f"; go on with hushvote poll codes {found.named.id[:8]} --again {path}",
            code="code.unsent",
            sent=sent,
            codes=len(made),
        ) from None


def revoke(
    poll: PollArgument = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", help="A file of codes or links, or the written list; '-': standard input."
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="Whose code of the list: a cell of that person's row; may be repeated."),
    ] = None,
    yes: YesOption = False,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Take back codes that were not used; nobody can vote with them any more."""
    if source is None:
        raise FileError("say which codes: --from codes.csv, or --from -", code="command.codes")
    if source == "-":
        refuse_given({"--name": name}, "{option} is for a list in a file, not for standard input")
        refuse_given({"POLL": poll if poll == "-" else None}, "only one of both can be '-'")
        lines = iter(lambda: sys.stdin.readline(LONGEST).strip(), "")  # up to an empty one
        meant = members.codes_of(lines)
    else:
        meant = members.codes_in(Path(source), name or ())
    found = owned(poll, link_file, insecure)
    found.check_codes()
    confirm(f"Take back {len(meant):,} of the codes, for good?", yes)
    gone = found.revoke(meant)
    left = len(meant) - len(gone)
    if json:
        show.print_json({"id": found.named.id, "revoked": len(gone), "left": left})
    else:
        show.say(f"Revoked: {len(gone):,} of {len(meant):,}.")
        if left:
            show.note(f"Not revoked: {left:,}, used or revoked before, or of another poll.")
    if left:
        raise typer.Exit(NOT_ALL)

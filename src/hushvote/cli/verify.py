"""`hushvote verify`: everybody can check a closed poll and count it again."""

from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli import show
from hushvote.cli.options import JsonOption
from hushvote.cli.results import tell
from hushvote.messages import say
from hushvote.poll.verifying import Verification, verify_board

EXAMPLE = "Example: [bold]hushvote verify board.jsonl --ack my-acknowledgement.json[/bold]"
STYLES = {"✓": "green", "!": "bold yellow", "✗": "bold red"}
BROKEN = 1  # the exit code if something does not hold; unreadable files have 2


def verify(
    board: Annotated[Path, typer.Argument(help="The board of a closed poll (JSON lines).")],
    digest: Annotated[
        str | None,
        typer.Option(help="The poll's digest, which stands behind the # of its link."),
    ] = None,
    ack: Annotated[
        list[Path] | None,
        typer.Option(help="An acknowledgement (.json) that the server has sent; may be repeated."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check a board: its tree, signature, codes and receipts; count it again, and compare."""
    with show.progress("checking", None) as advance:
        found = verify_board(board, digest, ack or [], advance)
    if json:
        show.print_json(found.to_dict())
    else:
        _tell(found)
    if not found.holds:
        raise typer.Exit(BROKEN)


def _tell(found: Verification) -> None:
    for finding in found.findings:
        show.say(f"{finding.mark} {finding.words}", style=STYLES[finding.mark])
    show.say("")
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
    if not found.holds:
        show.say(say("verified.not"), style="bold red")
    elif found.warns:
        show.say(say("verified.marked"), style="bold yellow")
    else:
        show.say(say("verified.all"), style="bold green")
    if found.result is not None:
        show.say("")
        tell(found.result)

"""`hushvote poll result | export | archive`: what comes of a poll."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from hushvote.cli import show
from hushvote.cli.options import JsonOption
from hushvote.cli.outputs import check_new, check_output
from hushvote.cli.remote import (
    InsecureOption,
    LinkFileOption,
    PollArgument,
    note_digest,
    opened,
    owned,
)
from hushvote.cli.results import tell
from hushvote.client import archiving
from hushvote.client.archiving import Archive, UnsoundError
from hushvote.client.organising import Received
from hushvote.errors import FileError
from hushvote.messages import say

RESULT = "Example: [bold]hushvote poll result 3f2a[/bold]"
EXPORT = "Example: [bold]hushvote poll export 3f2a --out reports.parquet[/bold]"
ARCHIVE = "Example: [bold]hushvote poll archive 3f2a --out chair-2026[/bold]"
KINDS = {".parquet": "parquet", ".csv": "csv", ".jsonl": "board"}
BROKEN = 1  # the exit code if something does not hold


def result(
    poll: PollArgument = None,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Show the result as the server has published it: who has won, and how sure that is."""
    found = opened(poll, link_file, insecure)
    published = found.result()
    if json:
        show.print_json(published.document)
        return
    show.say(found.poll.question, style="bold")
    for warning in published.warnings:
        show.say(warning, style="bold red")
    tell(published.explanation)
    for caveat in published.caveats:
        show.say(caveat)
    note_digest(found)


def export(
    poll: PollArgument = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Where the reports go: .parquet, .csv, or .jsonl for the board; none is replaced.",
        ),
    ] = None,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Take all reports of a closed poll along, to count them elsewhere."""
    if out is None:
        raise FileError("say where the reports go: --out reports.parquet", code="command.export")
    check_output(out, tuple(KINDS), "an export")
    check_new(out)
    found = owned(poll, link_file, insecure)
    kind = KINDS[out.suffix.lower()]
    with _receiving("exporting") as received:
        found.export(kind, out, received)
    size = out.stat().st_size
    if json:
        about = {"id": found.named.id, "kind": kind, "file": str(out), "bytes": size}
        show.print_json(about)
        return
    show.say(f"{out}: all reports that stand, {size:,} bytes.")


def archive(
    poll: PollArgument = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder to be made; one that is there is refused."),
    ] = None,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Make a folder with manifest, board, result and a page that needs no server.

    The board is verified and counted again first, and compared with what the server has published.
    """
    if out is not None and out.suffix.lower() == ".zip":
        raise FileError(
            f"an archive is written as a folder, not as {out}; name it {out.with_suffix('')}",
            code="command.archive",
        )
    found = opened(poll, link_file, insecure)
    folder = out or Path(f"poll-{found.named.id[:8]}")
    try:
        with _receiving("fetching") as received:
            made = archiving.archive(found, folder, received)
    except UnsoundError as error:
        show.complain(str(error))
        raise typer.Exit(BROKEN) from None
    if json:
        show.print_json(_document(made))
    else:
        _tell(made)
        note_digest(found)


def _document(made: Archive) -> dict[str, Any]:
    checked = made.verification
    return {
        "id": made.poll.id,
        "digest": made.poll.digest,
        "folder": str(made.folder),
        "board": None if checked is None else checked.board,
        "withheld": checked is None,
        "holds": None if checked is None else checked.holds,
        "certified": None if made.result is None else made.result["certified"],
    }


def _tell(made: Archive) -> None:
    show.say(made.poll.question, style="bold")
    if made.verification is None or made.result is None:
        show.say(
            f"There is no result, since fewer than {made.poll.turnout:,} reports stand; "
            f"{made.folder} has what is left: the manifest, and a page that says so."
        )
        return
    for sentence in made.result["words"][:1]:
        show.say(sentence)
    count = sum(finding.holds for finding in made.verification.findings)
    show.say(
        f"{say('verified.all')} {count} checks of the board have passed, and the server's result "
        "is that of the board."
    )
    show.line(f"The board's digest, to be published elsewhere too: {made.verification.board}")
    show.say(f"Open {made.folder / archiving.PAGE}, or put the folder on any web server.")


@contextmanager
def _receiving(what: str) -> Iterator[Received]:
    """A bar of bytes on the terminal; nothing where there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    off = not show.err.is_terminal
    with Progress(*columns, console=show.err, transient=True, disable=off) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

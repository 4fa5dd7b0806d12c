"""`hushvote backup` and `hushvote restore`: a store in one file, and a store from such a file."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hushvote.batch import Progress
from hushvote.cli import show
from hushvote.cli.options import JsonOption
from hushvote.cli.outputs import check_new
from hushvote.cli.serve import STORE
from hushvote.messages import counted

if TYPE_CHECKING:
    from hushvote.server.backups import Backup

BACKUP = "Example: [bold]hushvote backup --store polls.db --out monday.backup[/bold]"
RESTORE = "Example: [bold]hushvote restore monday.backup --store new.db[/bold]"

StoreOption = Annotated[
    str,
    typer.Option(
        help="A file for SQLite, or postgresql://user@host/name.", envvar="HUSHVOTE_STORE"
    ),
]


def backup(
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write; none is replaced.")],
    store: StoreOption = STORE,
    json: JsonOption = False,
) -> None:
    """Write everything that a server keeps to one file, as of one moment, while it runs."""
    from hushvote.server import backups

    check_new(out)
    with ExitStack() as stack:
        made = backups.backup(store, out, _bar(stack, "reading"))
    if json:
        show.print_json(_told(made, out))
        return
    show.say(f"Written to {out}, as of {_moment(made)}: {_counted(made)}.")
    show.note(
        "Keep this file secret: the signing keys of the polls are in it. Of an open poll keep no "
        "two that were made shortly after each other: what differs may show whose code gave "
        "which report."
    )


def restore(
    file: Annotated[Path, typer.Argument(help="What `hushvote backup` has written.")],
    store: StoreOption = STORE,
    json: JsonOption = False,
) -> None:
    """Fill an empty store, of any kind, from a backup, which is checked as a whole first."""
    from hushvote.server import backups

    with ExitStack() as stack:
        made = backups.restore(file, store, _bar(stack, "writing"))
    if json:
        show.print_json(_told(made, file))
        return
    show.say(f"Restored, as of {_moment(made)}: {_counted(made)}.")
    show.note(
        "Votes that were acknowledged after that are missing. Tell the voters: whoever sends the "
        "same vote again has it counted while the poll is open, and whoever does not can prove "
        "by the acknowledgement that it is missing (`hushvote verify --ack`). Polls that were "
        "deleted since are there again: delete them once more."
    )


def _bar(stack: ExitStack, what: str) -> Callable[[int], Progress]:
    """What shows progress, once it is known how much there is; anew, if all is read anew."""

    def begin(total: int) -> Progress:
        stack.close()
        return stack.enter_context(show.progress(what, total))

    return begin


def _counted(made: "Backup") -> str:
    return f"{counted(made.polls, 'poll')} in {counted(made.rows, 'row')}"


def _moment(made: "Backup") -> str:
    return datetime.fromtimestamp(made.at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _told(made: "Backup", path: Path) -> dict[str, Any]:
    return {"file": str(path), "secret": True, **vars(made)}

"""`hushvote poll`: an organiser's polls on a running server."""

import typer

from hushvote.cli import poll_codes, poll_create, poll_results, poll_running
from hushvote.cli.helping import Command, Group

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help="Make polls on a running server, invite people, close, and take the result along.",
    epilog="Begin with [bold]hushvote poll create 'Who shall chair?' -c Ann -c Bob -c Cem "
    "--for 7d[/bold].",
)
for command, example in (
    (poll_create.create, poll_create.EXAMPLE),
    (poll_running.list, poll_running.LIST),
    (poll_running.show_poll, poll_running.SHOW),
    (poll_codes.codes, poll_codes.CODES),
    (poll_codes.revoke, poll_codes.REVOKE),
    (poll_running.link, poll_running.LINK),
    (poll_running.extend, poll_running.EXTEND),
    (poll_running.close, poll_running.CLOSE),
    (poll_results.result, poll_results.RESULT),
    (poll_results.export, poll_results.EXPORT),
    (poll_results.archive, poll_results.ARCHIVE),
    (poll_running.delete, poll_running.DELETE),
):
    app.command(command.__name__.partition("_")[0], epilog=example, cls=Command)(command)

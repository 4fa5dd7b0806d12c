"""The command line: `hushvote design`, `plan`, `privatize`, `tally`, `poll`, `verify` and so on.

Bad input ends with one sentence and exit code 2; `--debug` shows where it arose.
"""

import io
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Annotated, Any, TextIO

import typer

import hushvote
from hushvote import loading
from hushvote.cli import (
    backup,
    certify,
    design,
    example,
    plan,
    poll,
    privatize,
    reproduce,
    score,
    serve,
    show,
    simulate,
    synth,
    tally,
    verify,
    vote,
)
from hushvote.cli.helping import Command, Group
from hushvote.cli.options import completing
from hushvote.cli.show import complain
from hushvote.errors import HushvoteError, PictureWarning, echo
from hushvote.messages import ENGLISH, language, languages, speaking

INTERRUPTED, UNREAD = 130, 141  # as the shell says for SIGINT and SIGPIPE
STOPS = (signal.SIGTERM, signal.SIGHUP)
TRANSLATED = ("tally", "vote", "verify")  # commands that speak every language, but for errors

app = typer.Typer(
    name="hushvote",
    cls=Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Ranked voting in which every vote is randomised on the voter's own device.",
    epilog="Begin with [bold]hushvote design --rule borda --candidates 8[/bold].",
)
for name, example_of, command in (
    ("design", design.EXAMPLE, design.design),
    ("plan", plan.EXAMPLE, plan.plan),
    ("privatize", privatize.EXAMPLE, privatize.privatize),
    ("tally", tally.EXAMPLE, tally.tally),
    ("score", score.EXAMPLE, score.score),
    ("certify", certify.EXAMPLE, certify.certify),
    ("simulate", simulate.EXAMPLE, simulate.simulate),
    ("reproduce", reproduce.EXAMPLE, reproduce.reproduce),
    ("serve", serve.EXAMPLE, serve.serve),
    ("vote", vote.EXAMPLE, vote.vote),
    ("backup", backup.BACKUP, backup.backup),
    ("restore", backup.RESTORE, backup.restore),
    ("synth", synth.EXAMPLE, synth.synth),
    ("example", example.EXAMPLE, example.example),
    ("verify", verify.EXAMPLE, verify.verify),
):
    app.command(name, epilog=example_of, cls=Command)(command)
app.add_typer(poll.app, name="poll")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hushvote {hushvote.__version__}")
        raise typer.Exit


@app.callback()
def _global(
    context: typer.Context,
    load: Annotated[
        list[str] | None,
        typer.Option(
            help="A Python file or module that registers further rules, mechanisms, electorates "
            "or attacks.",
            envvar="HUSHVOTE_LOAD",
        ),
    ] = None,
    lang: Annotated[
        str,
        typer.Option(
            autocompletion=completing(languages),
            help=f"The language of {', '.join(TRANSLATED)}: {' or '.join(languages())}.",
            envvar="HUSHVOTE_LANG",
        ),
    ] = ENGLISH,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    for name in load or []:
        loading.load(name)
    language(lang)  # which refuses one that there is not
    if context.invoked_subcommand in TRANSLATED:
        context.with_resource(speaking(lang))


def main() -> None:
    """Run the command line and turn errors into one sentence."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    before = {number: signal.signal(number, _stopped) for number in STOPS}
    try:
        with show.trimmed_output(), warnings.catch_warnings():
            warnings.simplefilter("always", PictureWarning)
            warnings.showwarning = _noted(warnings.showwarning)
            code = _run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    sys.exit(code)


def _run() -> int:
    debug = "--debug" in sys.argv
    arguments = ["--debug"] * debug + [word for word in sys.argv[1:] if word != "--debug"]
    try:
        code = app(arguments, prog_name=app.info.name, standalone_mode=False)
        if code == INTERRUPTED and show.err.is_terminal:
            show.err.print()  # so that what comes next does not stand behind a question
        if sys.stdout is not None:  # which is closed
            sys.stdout.flush()
    except (show.Unread, BrokenPipeError):
        return _unread()
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        asked = _asked_for(error)
        if debug and asked is None:
            raise
        try:
            code = _explained(error) if asked is None else asked
        except show.Unread:
            return _unread()
        if isinstance(error, OSError):
            _mute(sys.stdout)
    return code or 0


class _Stop(SystemExit):
    """A signal asked for the end."""


def _asked_for(error: Exception) -> int | None:
    """The exit code if the end was asked for by Ctrl-C or another signal: a module of C++ that is
    interrupted while it starts says `ImportError`, and the interruption is its cause.
    """
    for one in _origins(error):
        if isinstance(one, KeyboardInterrupt):
            return INTERRUPTED
        if isinstance(one, _Stop):
            return int(str(one.code))
    return None


def _origins(error: BaseException) -> Iterator[BaseException]:
    """An error and all that it came of. One of hushvote's own names that as its cause: one that
    was raised because of Ctrl-C, and names none, is there to be told.
    """
    found = [error]
    for one in found:  # which grows meanwhile
        yield one
        before = [one.__cause__]
        if not isinstance(one, HushvoteError):
            before.append(one.__context__)
        found += [each for each in before if each is not None and each not in found]


def _noted(otherwise: Callable[..., None]) -> Callable[..., None]:
    """Say what a picture lacks in a line of its own, without the place in the program."""

    def shown(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, PictureWarning):
            show.note(str(message))
        else:
            otherwise(message, category, *place, **more)

    return shown


def _unread() -> int:
    """The reader of the output, or of complaints, is gone: end as other programs do then."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except show.Unread:
            _mute(stream)
    return UNREAD


def _mute(stream: TextIO) -> None:
    """Send what is still to be written nowhere: it would fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _stopped(number: int, _: object) -> None:
    """End as after an error, so that no half-written file is left."""
    raise _Stop(128 + number)


def _explained(error: Exception) -> int:
    """Say what was wrong, in one sentence; the exit code is 2 for what the user can mend."""
    if isinstance(error, HushvoteError):
        complain(str(error))
    elif isinstance(error, OSError):
        complain(f"cannot write the output: {error.strerror or error}")
    elif hasattr(error, "format_message"):  # what typer says of unknown options and the like
        if said := " ".join(error.format_message().split()):
            complain(said)
    elif place := loading.blamed(error):
        complain(f"{place}: {loading.said(error)}; --debug shows more")
    else:
        complain(f"hushvote has failed: {echo(error)}; please report this, --debug shows where")
        return 1
    return 2

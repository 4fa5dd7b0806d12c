"""`hushvote example`: simulated votes, to try the other commands with."""

from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli import show
from hushvote.cli.options import completing
from hushvote.cli.outputs import to_output
from hushvote.formats import write_rankings
from hushvote.formats.example import example as read_example
from hushvote.formats.example import example_names
from hushvote.messages import counted
from hushvote.streams import is_standard

EXAMPLE = (
    "Examples: [bold]hushvote example --out ballots.csv[/bold], "
    "[bold]hushvote example | hushvote score -[/bold]"
)


def example(
    name: Annotated[
        str,
        typer.Argument(
            help=f"Which one: {', '.join(example_names())}.",
            autocompletion=completing(example_names),
        ),
    ] = "council",
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="A file, in the format of its ending; '-' prints CSV."),
    ] = Path("-"),
) -> None:
    """Write simulated votes that come with hushvote, to try the other commands with."""
    votes = read_example(name)
    with to_output(out, ".csv") as target:
        write_rankings(target, votes)
    if not is_standard(out):
        show.say(
            f"{counted(votes.n, 'vote')} of simulated voters on {', '.join(votes.candidates)}, "
            f"into {out}."
        )

"""`hushvote reproduce`: the paper's evaluation, every figure or those named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from hushvote import reproduction
from hushvote.cli import show
from hushvote.cli.options import JOBS, JobsOption, JsonOption, completing, whole_number
from hushvote.messages import counted
from hushvote.reproduction import FEW_EPSILONS, QUICK_RUNS, RUNS, Reproduced, Watch

EXAMPLE = "Example: [bold]hushvote reproduce fig-tve-borda-candidates --runs 100[/bold]"
INTERRUPTED = 130
FOLDER, QUICK_FOLDER = "reproduction", "reproduction-quick"  # neither overwrites the other
COLOURS = {
    "reproduced": "green",
    "reproduced after correction": "yellow",
    "not reproduced": "red",
    "undecided": "cyan",
}


def reproduce(
    figures: Annotated[
        list[str] | None,
        typer.Argument(
            autocompletion=completing(lambda: [figure.name for figure in reproduction.GRID]),
            help="Names of figures; without any, all. --list shows them.",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(parser=whole_number, help=f"Simulated polls a point. Default: {RUNS}."),
    ] = None,
    seed: Annotated[int, typer.Option(parser=whole_number, help="Seed of all chance.")] = 1,
    jobs: JobsOption = JOBS,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help=f"Folder for pictures, points and page. Default: {FOLDER}, or with --quick "
            f"{QUICK_FOLDER}.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help=f"A first look: {QUICK_RUNS} polls a point, fewer epsilons."),
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="Show the names of all figures.")] = False,
    json: JsonOption = False,
) -> None:
    """Reproduce the figures and claims of the paper; a stopped run goes on when called again."""
    if list_:
        _list(json)
        return
    few: dict[str, Any] = {"runs": QUICK_RUNS, "epsilons": FEW_EPSILONS} if quick else {}
    chosen = few if runs is None else {**few, "runs": runs}
    out = out or Path(QUICK_FOLDER if quick else FOLDER)
    with _watched() as watch:
        try:
            made = reproduction.reproduce(
                figures or (), seed=seed, jobs=jobs, out=out, watch=watch, **chosen
            )
        except KeyboardInterrupt:
            kept = f"finished parts are kept in {out}, the same command goes on from there"
            show.complain(f"interrupted; {kept}")
            raise SystemExit(INTERRUPTED) from None
    if json:
        claims = [judged.to_dict() for judged in made.ledger]
        names = [figure.name for figure in made.figures]
        show.print_json(
            {"page": str(made.page), "figures": names, "points": made.points, "claims": claims}
        )
        return
    _show(made)


def _list(json: bool) -> None:
    listed = reproduction.GRID
    if json:
        show.print_json([{"name": x.name, "number": x.number, "title": x.title} for x in listed])
        return
    title = f"{len(listed)} figures, with the paper's numbers"
    table = show.table(title, number="right", name="fixed", shows="left")
    for figure in listed:
        table.add_row(str(figure.number), figure.name, figure.title)
    show.print_table(table)


class _Bars(Watch):
    """Two bars: the whole work, and the part that is being done."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._whole = bars.add_task("all", total=None)
        self._part = bars.add_task("", total=None)

    def begin(self, work: float) -> None:
        self._bars.update(self._whole, total=work)

    def part(self, title: str, work: float | None) -> None:
        self._bars.reset(self._part, description=title, total=work)

    def advance(self, work: float) -> None:
        self._bars.advance(self._whole, work)
        self._bars.advance(self._part, work)


@contextmanager
def _watched() -> Iterator[Watch]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=show.err, transient=True, disable=not show.err.is_terminal
    ) as bars:
        yield _Bars(bars)


def _show(made: Reproduced) -> None:
    if made.ledger:
        table = show.table("Claims of the paper", claim="left", verdict="left", measured="right")
        for judged in made.ledger:
            table.add_row(
                judged.claim.statement,
                f"[{COLOURS[judged.verdict]}]{judged.verdict}[/]",
                str(judged.finding),
            )
        show.print_table(table)
    if made.caveat:
        show.say(made.caveat)
    count = len(made.figures)
    show.say(f"{counted(count, 'figure')} drawn. Open {made.page} to see everything.")

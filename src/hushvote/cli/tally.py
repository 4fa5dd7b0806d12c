"""`hushvote tally`: reports and tallies become a result."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from hushvote import batch, detection, plots
from hushvote.batch import Counted, Left
from hushvote.batch.inputs import is_remote
from hushvote.batch.rows import ON_BAD
from hushvote.batch.tallying import ENGINES
from hushvote.cli import show
from hushvote.cli.options import (
    JsonOption,
    completing,
    parse_level,
    parse_share,
    refuse_given,
    whole_number,
)
from hushvote.cli.outputs import check_output, check_picture, from_input
from hushvote.cli.results import tell
from hushvote.cli.withdrawing import without_withdrawn
from hushvote.detection import Inspection
from hushvote.errors import FileError, HushvoteError, TallyError
from hushvote.files import AnyPath, writing
from hushvote.formats.reports import check_poll
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.messages import say
from hushvote.poll import Poll
from hushvote.poll.board import Board, is_board, open_board
from hushvote.result.explaining import Explanation
from hushvote.streams import is_standard
from hushvote.tally import Tally

GLANCE = 1e-6  # chance at most that honest reports are suspected by those who did not ask
GLANCED_CANDIDATES = 16  # more would take longer than the count
MOST_SORTED = 5_000_000  # reports that `--inspect` looks at one by one
REASONS = {
    "foreign": "of another poll",
    "outside": "that are no reports",
    "unmarked": "without a readable receipt, change or withdrawal",
    "conflicting": "that say two things as one change",
    "superseded": "that a later change or the same row replaces",
    "withdrawn": "withdrawn",
}
EXAMPLE = "Example: [bold]hushvote tally monday.parquet tuesday.parquet --out tally.json[/bold]"


def tally(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Reports (.parquet) and tallies (.json) of one poll, as files, patterns such as "
            "'reports/*.parquet' and folders; or the board of a closed poll; '-' reads standard "
            "input."
        ),
    ],
    without: Annotated[
        list[str] | None,
        typer.Option(help="Reports or tallies to take back out, as when voters withdraw them."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Keep the tally itself, a .json file.")
    ] = None,
    level: Annotated[
        str, typer.Option(help="Confidence of all that is said, as in 95, 95% or 0.95.")
    ] = "0.95",
    dishonest: Annotated[
        str, typer.Option(help="Share of dishonest reports to reckon with, as in 0.05 or 5%.")
    ] = "0.01",
    issued: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help="Credentials that were issued, used or not: what could a share of them have done?",
        ),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Seats to fill: who surely has one, and who may."),
    ] = None,
    survey: Annotated[
        bool,
        typer.Option(
            "--survey",
            help="The voters are a random sample, and the result is about all from whom they were "
            "drawn; intervals are wider.",
        ),
    ] = False,
    still_open: Annotated[
        bool,
        typer.Option(
            "--still-open",
            help="The poll is not closed yet, so nobody is certified.",
        ),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the result into this .png, .svg or .pdf file.")
    ] = None,
    inspect: Annotated[
        bool, typer.Option("--inspect", help="Test whether honest devices could have sent this.")
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(help="Count each group of this column on its own, as in --by region."),
    ] = None,
    parameters: Annotated[
        Path | None,
        typer.Option(
            help="Parameters of the mechanism (.json), for reports that another program wrote."
        ),
    ] = None,
    poll: Annotated[
        Path | None,
        typer.Option(
            help="The manifest of the poll (.json): its mechanism, names and seats are taken, and "
            "reports of other polls refused."
        ),
    ] = None,
    on_bad: Annotated[
        str,
        typer.Option(
            autocompletion=completing(lambda: ON_BAD),
            help="Rows that are no reports, or of another poll: 'reject' them all, or 'skip' and "
            "count them.",
        ),
    ] = "reject",
    engine: Annotated[
        str,
        typer.Option(
            autocompletion=completing(lambda: ENGINES),
            help="'duckdb' counts on this machine, 'spark' on a cluster.",
        ),
    ] = "duckdb",
    master: Annotated[
        str | None,
        typer.Option(help="The cluster for --engine spark, as in spark://host:7077."),
    ] = None,
    partial: Annotated[
        str | None,
        typer.Option(
            help="Keep what was counted of each file in this folder, so that a later run counts "
            "only new files."
        ),
    ] = None,
    apart: Annotated[
        bool,
        typer.Option("--apart", help="You promise that no receipt stands in two of the files."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Count reports and estimate the scores: who has won, how sure that is, and how sound."""
    check_output(out, (".json",), "a tally")
    check_picture(plot)
    asked = parse_level(level), parse_share(dishonest, "--dishonest")
    held = None if poll is None else Poll.read(poll)
    paths, withdrawn = _named(files, without or [])
    board = _board(paths)
    if board is not None:
        said = {
            "--parameters": parameters,
            "--by": by,
            "--still-open": still_open or None,
            "--partial": partial,
            "--master": master,
            "--without": withdrawn or None,
        }
        _check_board(board, held, said)
        held = board.poll
    given = _mechanism(parameters, held)
    digest = None if held is None else held.digest
    seats = held.seats if held is not None and seats is None and held.seats > 1 else seats
    if by is not None:
        _check_by(out, plot, issued, inspect or None)
        refuse_given({"--without": withdrawn or None}, "{option} is for one tally, not for --by")
    total = batch.rows_in(paths, given) if board is None and show.err.is_terminal else None
    counting = functools.partial(
        batch.count_files,
        parameters=given,
        poll=digest,
        on_bad=on_bad,
        engine=engine,
        master=master,
        apart=apart,
    )
    with show.progress("counting", total) as advance:
        found = board or counting(paths, by=by, partial=partial, progress=advance)
    taken = counting(withdrawn) if withdrawn else None
    about = _Files.of(found, taken)
    if by is not None and isinstance(found, Counted):
        told = {
            name: _of_poll(one, held)
            .result(population=survey)
            .explain(*asked, seats=seats, closed=not still_open)
            for name, one in found.groups.items()
        }
        _tell_groups(told, by, about, json)
        return
    counted = found.tally() if isinstance(found, Board) else found.tally
    counted = _of_poll(without_withdrawn(counted, taken), held)
    source = paths if board is None else board
    unseen = say("checks.sums.tally") if withdrawn else _unseen(counted, source)
    if inspect:
        inspection: Inspection | None = _inspected(counted, source, unseen, given, digest, on_bad)
    else:
        inspection, unseen = _glanced(counted), say("checks.sums")
    result = counted.result(population=survey)
    explanation = result.explain(*asked, inspection, issued, seats, closed=not still_open)
    if plot is not None:
        plots.result(explanation, result.rule, plot)
    if out is not None:
        with writing(out) as part:
            part.write_text(counted.to_json(), encoding="utf-8")
    if json:
        shown = explanation.to_dict()
        if inspection is not None:
            shown["inspection"] = {**inspection.to_dict(), "unseen": unseen}
        show.print_json(shown | about.to_dict())
        return
    tell(explanation)
    if inspection is not None:
        _print_inspection(inspection, unseen)
    about.tell()


def _named(files: list[str], without: list[str]) -> tuple[list[AnyPath], list[AnyPath]]:
    """The files to count, and those to take back out, with standard input as a file."""
    named: list[AnyPath] = [*files, *without]
    if sum(map(is_standard, named)) > 1:
        raise FileError("standard input, '-', can be read only once", code="file.twice", path="-")
    paths = [one.path for one in batch.inputs(map(from_input, files))]
    return paths, [from_input(one) for one in without]


def _check_by(
    out: Path | None, plot: Path | None, issued: int | None, inspect: bool | None
) -> None:
    """Refuse options that are for one tally alone."""
    given = {"--out": out, "--plot": plot, "--issued": issued, "--inspect": inspect}
    refuse_given(given, "{option} is for one tally, but --by makes many; leave one out")


def _board(files: list[AnyPath]) -> Board | None:
    """The board, if that is what is to be counted."""
    boards = [file for file in files if not is_remote(file) and is_board(file)]
    if not boards:
        return None
    if len(files) > 1:
        raise FileError(
            f"{boards[0]} is the board of a whole poll, and is counted by itself",
            code="command.options",
            path=boards[0],
        )
    try:
        return open_board(boards[0])
    except HushvoteError as error:
        raise error.within(boards[0], path=boards[0]) from None


def _check_board(board: Board, poll: Poll | None, options: Mapping[str, object]) -> None:
    """Refuse what a board says itself, and the board of another poll."""
    refuse_given(
        options, "{option} is not for a board, which says how it is counted, and is closed"
    )
    if poll is not None:
        check_poll(board.path, board.poll.digest, poll.digest)


def _mechanism(parameters: Path | None, poll: Poll | None) -> Mechanism | None:
    """The mechanism that was said, by its parameters or by a poll."""
    if parameters is not None and poll is not None:
        raise FileError(
            "--poll says the parameters already; leave --parameters out",
            code="command.options",
            option="--parameters",
        )
    if parameters is not None:
        return batch.mechanism_of(parameters)
    return None if poll is None else poll.mechanism


def _of_poll(counted: Tally, poll: Poll | None) -> Tally:
    """The tally with the poll's names; refused below the turnout that voters were promised."""
    if poll is None:
        return counted
    if counted.n < poll.turnout:
        raise TallyError(
            f"the poll promises its voters that there is no result of fewer than {poll.turnout:,} "
            f"reports, and there are only {counted.n:,}",
            code="tally.turnout",
            n=counted.n,
            turnout=poll.turnout,
        )
    nothing = (counted - counted).named(poll.candidates)
    return counted + nothing  # which refuses other names


@dataclass(frozen=True)
class _Files:
    """What must be said of the files beside the result."""

    unchecked: list[str]
    seeded: list[str]
    left: Left
    left_in: Left  # of what was to be taken out

    @classmethod
    def of(cls, found: Counted | Board, taken: Counted | None) -> "_Files":
        """Of what was counted, and of what is taken back out."""
        if isinstance(found, Board):  # which was checked as a whole
            return cls([], [], Left(), Left())
        both = [found] if taken is None else [found, taken]  # one file may be in both
        unchecked = (str(path) for one in both for path in one.without_checksums)
        seeded = (str(path) for one in both for path in one.seeded)
        if not found.n and (said := _said(found.left)):
            raise TallyError(f"no row counts; left out were {said}", code="tally.empty")
        return cls(
            list(dict.fromkeys(unchecked)),
            list(dict.fromkeys(seeded)),
            found.left,
            Left() if taken is None else taken.left,
        )

    def to_dict(self) -> dict[str, Any]:
        about: dict[str, Any] = {"without_checksums": self.unchecked, "seeded": self.seeded}
        about["left_out"] = self.left.to_dict()
        if _said(self.left_in):
            about["left_in"] = self.left_in.to_dict()
        return about

    def tell(self) -> None:
        if said := _said(self.left):
            show.note(f"Rows that were left out: {said}.")
        if said := _said(self.left_in):
            show.note(f"Rows of --without that were not taken out: {said}.")
        for file in self.unchecked:
            show.note(
                f"{file} lacks checksums: another program wrote it, and damage may go unnoticed."
            )
        for file in self.seeded:
            show.note(f"{file} was drawn with a seed: for simulation only, not private.")


def _said(left: Left) -> str:
    """Rows that were left out, in words."""
    found = {reason: n for reason, n in left.to_dict().items() if n}
    return ", ".join(f"{n:,} {REASONS[reason]}" for reason, n in found.items())


def _tell_groups(told: dict[str, Explanation], by: str, about: _Files, json: bool) -> None:
    """One result a group."""
    if not told:
        raise TallyError(
            "these files hold no reports; there is nothing to count by", code="tally.empty"
        )
    if json:
        show.print_json(
            [
                {"by": by, "group": name} | one.to_dict() | about.to_dict()
                for name, one in told.items()
            ]
        )
        return
    for name, one in told.items():
        show.say(f"{by}: {name}", style="bold underline")
        tell(one)
        show.say("")
    about.tell()


def _unseen(counted: Tally, source: Board | list[AnyPath]) -> str | None:
    """Why an inspection cannot look at the reports themselves; None if it can."""
    files = [] if isinstance(source, Board) else source
    if any(Path(file).suffix.lower() == ".json" for file in files):
        return say("checks.sums.tally")
    if counted.n > MOST_SORTED or any(map(is_remote, files)):
        return say("checks.sums.many", most=MOST_SORTED)
    return None


def _inspected(
    counted: Tally,
    source: Board | list[AnyPath],
    unseen: str | None,
    given: Mechanism | None,
    poll: str | None,
    on_bad: str,
) -> Inspection:
    """With the reports themselves, unless they must stay unseen."""
    if unseen:
        return detection.inspect(counted)
    if isinstance(source, Board):
        return detection.inspect(counted, source.reports())
    reports = batch.read_reports(source, given, poll=poll, on_bad=on_bad)
    return detection.inspect(counted, reports)


def _glanced(counted: Tally) -> Inspection | None:
    """Sums that honest devices cannot have sent are told even to those who did not ask: a forged
    head, say, makes them.
    """
    if not counted.n > 0 or mechanism_from(counted.parameters).d > GLANCED_CANDIDATES:
        return None
    found = detection.inspect(counted, false_alarm=GLANCE)
    return found if found.suspicious else None


def _print_inspection(inspection: Inspection, unseen: str | None) -> None:
    """All checks, and what was found in words."""
    show.say("")
    table = show.table(
        say("checks"),
        **{say("checks.check"): "left", say("checks.p"): "right", say("checks.meaning"): "left"},
    )
    for check in inspection.checks:
        style = "bold red" if check in inspection.striking else ""
        name, p = say(f"check.{check.name}.name"), say("checks.p.figure", p=check.p_value)
        table.add_row(name, p, check.meaning, style=style)
    show.print_table(table)
    for sentence in inspection.explain():
        show.say(sentence)
    if unseen is not None:
        show.say(unseen)

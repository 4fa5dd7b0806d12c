"""`hushvote tally`: reports and tallies become a result."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hushvote import batch, detection, plots
from hushvote.cli import show
from hushvote.cli.options import JsonOption
from hushvote.detection import Inspection
from hushvote.errors import FileError
from hushvote.formats.files import writing
from hushvote.mechanisms import mechanism_from
from hushvote.result.explaining import chance, places
from hushvote.tally import Tally

MOST_SORTED = 5_000_000  # reports that `--inspect` looks at one by one
EXAMPLE = "Example: [bold]hushvote tally monday.parquet tuesday.parquet --out tally.json[/bold]"


def tally(
    files: Annotated[
        list[Path], typer.Argument(help="Reports (.parquet) and tallies (.json) of one poll.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Keep the tally itself, a .json file.")
    ] = None,
    level: Annotated[float, typer.Option(help="Confidence of all that is said.")] = 0.95,
    dishonest: Annotated[
        float, typer.Option(help="Share of dishonest reports to reckon with.")
    ] = 0.01,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the result into this .png, .svg or .pdf file.")
    ] = None,
    inspect: Annotated[
        bool, typer.Option("--inspect", help="Test whether honest devices could have sent this.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Count reports and estimate the scores: who has won, how sure that is, and how sound."""
    if out is not None and out.suffix != ".json":
        raise FileError(f"tallies are written as JSON: name the output {out.stem}.json")
    with show.progress("counting", None) as advance:
        counted = batch.tally_files(files, progress=advance)
    explanation = counted.result().explain(level, dishonest)
    title = show.title_of(mechanism_from(counted.parameters))
    if plot is not None:
        plots.result(explanation, title, plot)
    if out is not None:
        with writing(out) as part:
            part.write_text(counted.to_json(), encoding="utf-8")
    inspection = _inspected(counted, files) if inspect else None
    if json:
        found = {} if inspection is None else {"inspection": inspection.to_dict()}
        show.print_json({**explanation.to_dict(), **found})
        return
    _print(explanation.data, title)
    for sentence in explanation.words[:-1]:
        show.say(sentence)
    show.say(explanation.words[-1], style="dim")
    if inspection is not None:
        _print_inspection(inspection)


def _inspected(counted: Tally, files: list[Path]) -> Inspection:
    """With the reports themselves, where they are at hand and not too many to sort."""
    whole = counted.n <= MOST_SORTED and all(file.suffix == ".parquet" for file in files)
    return detection.inspect(counted, batch.read_reports(files) if whole else None)


def _print_inspection(inspection: Inspection) -> None:
    """The checks in full only if there is something to see."""
    if not inspection.suspicious:
        show.say(inspection.explain()[0])
        return
    table = show.table("Could honest devices have sent this?", check="left", p="right", of="left")
    for check in inspection.checks:
        style = "bold red" if len(inspection.checks) * check.p_value < inspection.level else ""
        table.add_row(check.name, f"{check.p_value:.2g}", check.meaning, style=style)
    show.print_table(table)
    for sentence in inspection.explain():
        show.say(sentence)


def _print(data: dict[str, Any], title: str) -> None:
    table = show.table(
        title,
        place="right",
        candidate="left",
        score="right",
        error="right",
        **{f"{100 * data['level']:g} % interval": "right"},
        true_place="right",
        truly_first="right",
    )
    for row in data["candidates"]:
        table.add_row(
            str(row["place"]),
            show.plain(row["candidate"]),
            f"{row['score']:.4f}",
            f"{row['standard_error']:.4f}",
            f"{row['low']:.4f} to {row['high']:.4f}",
            places(*row["places"]),
            chance(row["first"]),
            style="bold green" if row["place"] == 1 else "",
        )
    show.print_table(table)

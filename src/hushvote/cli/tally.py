"""`hushvote tally`: reports and tallies become a result."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hushvote import batch, plots
from hushvote.cli import show
from hushvote.cli.options import JsonOption
from hushvote.errors import FileError
from hushvote.formats.files import writing
from hushvote.mechanisms import mechanism_from
from hushvote.result.explaining import chance, places

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
    if json:
        show.print_json(explanation.to_dict())
        return
    _print(explanation.data, title)
    for sentence in explanation.words[:-1]:
        show.say(sentence)
    show.say(explanation.words[-1], style="dim")


def _print(data: dict[str, Any], title: str) -> None:
    table = show.table(
        title,
        place="right",
        candidate="left",
        score="right",
        standard_error="right",
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
    show.out.print(table)

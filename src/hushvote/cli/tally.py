"""`hushvote tally`: reports and tallies become a result."""

from pathlib import Path
from typing import Annotated

import typer

from hushvote import batch
from hushvote.cli import show
from hushvote.cli.options import JsonOption
from hushvote.errors import FileError
from hushvote.formats.files import writing
from hushvote.mechanisms import mechanism_from

EXAMPLE = "Example: [bold]hushvote tally monday.parquet tuesday.parquet --out tally.json[/bold]"


def tally(
    files: Annotated[
        list[Path], typer.Argument(help="Reports (.parquet) and tallies (.json) of one poll.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Keep the tally itself, a .json file.")
    ] = None,
    level: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    json: JsonOption = False,
) -> None:
    """Count reports and estimate the scores, with intervals that hold all together."""
    if out is not None and out.suffix != ".json":
        raise FileError(f"tallies are written as JSON: name the output {out.stem}.json")
    with show.progress("counting", None) as advance:
        counted = batch.tally_files(files, progress=advance)
    result = counted.result().to_dict(level)
    if out is not None:
        with writing(out) as part:
            part.write_text(counted.to_json(), encoding="utf-8")
    if json:
        show.print_json(result)
        return
    table = show.table(
        show.title_of(mechanism_from(counted.parameters)),
        place="right",
        candidate="left",
        score="right",
        standard_error="right",
        **{f"{100 * level:g} % interval": "right"},
    )
    for row in result["candidates"]:
        table.add_row(
            str(row["place"]),
            show.plain(row["candidate"]),
            f"{row['score']:.4f}",
            f"{row['standard_error']:.4f}",
            f"{row['low']:.4f} to {row['high']:.4f}",
            style="bold green" if row["place"] == 1 else "",
        )
    show.out.print(table)
    show.out.print(
        f"{counted.n:,} report{'s' * (counted.n != 1)}. Scores are estimated means a voter; "
        "the intervals hold for all candidates together.",
        style="dim",
    )
    for group in result["tied"]:
        show.say(f"Exactly tied: {', '.join(group)}.")

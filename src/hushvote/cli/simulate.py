"""`hushvote simulate`: own experiments, from options or a TOML file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from hushvote import loading
from hushvote.attacks import attack_names
from hushvote.checking import flaw
from hushvote.cli import show
from hushvote.cli.options import (
    JOBS,
    CandidatesOption,
    JobsOption,
    JsonOption,
    RuleOption,
    completing,
    whole_number,
)
from hushvote.cli.outputs import check_output, check_picture
from hushvote.mechanisms import BEST, mechanism_names
from hushvote.messages import counted, say
from hushvote.numerals import number
from hushvote.plots.lines import Line, draw
from hushvote.plots.pictures import save
from hushvote.simulation import (
    METRICS,
    Experiment,
    Settings,
    electorate_names,
    experiment,
    read_settings,
    run_all,
)
from hushvote.simulation.points import write as write_points

EXAMPLE = (
    "Example: [bold]hushvote simulate -d 6 -n 2000 -e 0.5,1 --mechanisms duel,additive "
    "--electorate mallows:phi=0.8[/bold]"
)
TABLES = (".csv", ".parquet")


def simulate(
    file: Annotated[
        Path | None, typer.Argument(help="Settings of an experiment, a .toml file.")
    ] = None,
    rule: RuleOption = None,
    candidates: CandidatesOption = None,
    voters: Annotated[
        int | None,
        typer.Option(
            "--voters", "-n", parser=whole_number, help="Number of voters. Default: 10,000."
        ),
    ] = None,
    epsilons: Annotated[
        str | None,
        typer.Option("--epsilons", "-e", help="Epsilons, with commas between. Default: 0.5,1,2."),
    ] = None,
    mechanisms: Annotated[
        str | None,
        typer.Option(
            "--mechanisms",
            "-m",
            autocompletion=completing(lambda: (BEST, *mechanism_names()), several=True),
            help="Mechanisms, with commas between. Default: all.",
        ),
    ] = None,
    electorate: Annotated[
        str | None,
        typer.Option(
            autocompletion=completing(electorate_names),
            help=f"Where votes come from: {', '.join(electorate_names())}, with options as in "
            "'mallows:phi=0.8'; or a file of ballots, drawn with replacement. Default: paper.",
        ),
    ] = None,
    attack: Annotated[
        str | None,
        typer.Option(
            autocompletion=completing(lambda: ("none", *attack_names())),
            help=f"What cheats do: none, {', '.join(attack_names())}. Default: none.",
        ),
    ] = None,
    adversaries: Annotated[
        str | None,
        typer.Option(
            help="How many cheats, as a number or a share such as 1%; several with commas between."
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            autocompletion=completing(lambda: METRICS, several=True),
            help=f"What is measured: any of {', '.join(METRICS)}. Default: all.",
        ),
    ] = None,
    runs: Annotated[
        int | None, typer.Option(parser=whole_number, help="Polls to simulate. Default: 100.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole_number, help="Seed of all chance. Default: 1.")
    ] = None,
    jobs: JobsOption = JOBS,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write all points as .csv or .parquet.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the first metric as .png, .svg or .pdf.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Simulate polls, honest or under attack, and show the errors of every mechanism."""
    check_output(out, TABLES, "points")
    check_picture(plot)
    given = {
        "rule": rule,
        "d": candidates,
        "n": voters,
        "epsilons": _list(epsilons),
        "mechanisms": None if mechanisms is None else _names(mechanisms),
        "electorate": electorate,
        "attack": attack,
        "adversaries": _list(adversaries),
        "metrics": _list(metrics),
        "runs": runs,
        "seed": seed,
    }
    said = {name: value for name, value in given.items() if value is not None}
    settings = Settings("", "", {}) if file is None else read_settings(file)
    with settings.naming_settings(instead=said):
        asked = experiment(**settings.values | said)
        with show.progress("simulating", asked.runs) as advance:
            found = run_all(asked, jobs, advance)
    for name, wrong in _flaws(asked):
        show.note(f"{name} would be refused for a poll: {wrong}.")
    if out is not None:
        write_points(found, out)
    if plot is not None:
        _draw(asked, found, plot)
    if json:
        show.print_json(found.to_pylist())
        return
    _show(asked, found.to_pylist())


def _list(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _names(text: str) -> list[str]:
    """Mechanisms with commas between; options and figures go to the one named before them."""
    names: list[str] = []
    for part in _list(text) or []:
        option = ":" not in part and ("=" in part or part[0] in "-.0123456789")
        if option and names and ":" in names[-1]:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def _flaws(asked: Experiment) -> Iterator[tuple[str, str]]:
    """What is wrong with somebody's own mechanisms, at the first epsilon where it shows."""
    for name in asked.mechanisms:
        if loading.registered("mechanism", name.partition(":")[0]) is None:
            continue
        found = (flaw(asked.design(name, epsilon)) for epsilon in asked.epsilons)
        if wrong := next(filter(None, found), None):
            yield name, wrong


def _draw(asked: Experiment, found: Any, plot: Path) -> None:
    """The first metric, one panel a number of adversaries."""
    metric = asked.metrics[0]
    rows = [row for row in found.to_pylist() if row["metric"] == metric]
    panels = []
    for cheats in asked.adversaries:
        shown = [row for row in rows if row["adversaries"] == cheats]
        panel = counted(cheats, "adversary") if asked.attack else asked.electorate.text
        panels.append((panel, [Line.of(name, shown) for name in asked.mechanisms]))
    title = say("picture.simulation", rule=str(asked.rule), voters=counted(asked.n, "voter"))
    save(draw(metric, panels, title), plot)


def _show(asked: Experiment, rows: list[dict[str, Any]]) -> None:
    attack = f", {asked.attack}" if asked.attack else ""
    columns = {"mechanism": "fixed", "epsilon": "right"}
    if asked.attack:
        columns["adversaries"] = "right"
    show.say(
        f"{asked.rule}, {counted(asked.n, 'voter')}, electorate {asked.electorate.text}{attack}",
        "bold",
    )
    table = show.table("", **columns, **dict.fromkeys(asked.metrics, "right"))
    table.title = None
    size = len(asked.metrics)
    for start in range(0, len(rows), size):
        first = rows[start]
        cells = [first["mechanism"], f"{first['epsilon']:g}"]
        if asked.attack:
            cells.append(f"{first['adversaries']:,}")
        points = rows[start : start + size]
        table.add_row(*cells, *(_point(point) for point in points))
    show.print_table(table)
    words = "; ".join(f"{name}: {METRICS[name]}" for name in asked.metrics)
    polls = f"{counted(asked.runs, 'poll')}, seed {asked.seed}; ± one standard error of the mean."
    for sentence in (polls, f"{words}."):
        show.say(sentence, style="dim")


def _point(row: dict[str, Any]) -> str:
    return f"{number(row['mean'])} ± {number(row['se'])}"

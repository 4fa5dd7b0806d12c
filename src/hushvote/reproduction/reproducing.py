"""Simulate what the chosen figures need, and write pictures, points, ledger and page."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from hushvote.canonical import canonical
from hushvote.cores import in_processes
from hushvote.files import AnyPath, writing
from hushvote.mechanisms.contract import Floats
from hushvote.plots.lines import Line, draw
from hushvote.plots.pictures import rendered
from hushvote.plots.style import can_draw
from hushvote.reproduction import points
from hushvote.reproduction.claims import additions, judged
from hushvote.reproduction.grid import EPSILONS, GRID, Figure, named_figures
from hushvote.reproduction.ledger import Judged, provisional
from hushvote.reproduction.page import page
from hushvote.reproduction.store import Store
from hushvote.rules import Rule
from hushvote.simulation import Experiment, experiment
from hushvote.simulation.points import Row, table, write
from hushvote.simulation.running import Plan, blocks, checked_jobs

RUNS, QUICK_RUNS = 400, 20


class Watch:
    """Is told how the work goes on; this one keeps it to itself."""

    def begin(self, work: float) -> None:
        """All of the work, in units that take about the same time."""

    def part(self, title: str, work: float | None) -> None:
        """The next part begins; None where nobody knows how long it takes."""

    def advance(self, work: float) -> None:
        """Some of the part is done."""


@dataclass(frozen=True)
class Reproduced:
    """What was written, and what came out."""

    page: Path
    figures: tuple[Figure, ...]
    points: int
    ledger: tuple[Judged, ...]
    caveat: str = ""


def reproduce(
    names: Sequence[str] = (),
    *,
    runs: int = RUNS,
    seed: int = 1,
    jobs: int | None = 1,
    epsilons: Sequence[float] = EPSILONS,
    out: AnyPath = "reproduction",
    watch: Watch | None = None,
) -> Reproduced:
    """Reproduce figures of the paper, all of them or those named, into a folder.

    Finished parts are kept below the folder; a further call with the same seed goes on from
    there, and adds its figures to those of earlier calls with the same runs and seed. Pictures
    of earlier calls with other settings are removed.
    """
    chosen, folder, watch = named_figures(names), Path(out), watch or Watch()
    jobs = checked_jobs(jobs)
    checked = experiment(d=2, n=1, epsilons=epsilons, runs=runs, seed=seed)  # theory has none
    epsilons = [float(epsilon) for epsilon in checked.epsilons]
    asked = _experiments(chosen, runs, seed, epsilons)
    can_draw()
    store = Store(folder)
    work = [ask.runs * _work(ask) for ask in asked]
    pictures_work = 0.04 * sum(work) / len(chosen) if work else 1.0
    watch.begin(sum(work) + pictures_work * len(chosen))
    _designed(asked, jobs, watch)
    watch.part("simulation", sum(work))
    found = _simulated(asked, store, jobs, watch)
    about = {
        "runs": runs,
        "seed": seed,
        "epsilons": epsilons,
        "version": version("hushvote"),
    }
    earlier = points.read(folder / "points.parquet", about)
    if not earlier:  # pictures of other settings are about to change
        (folder / "points.parquet").unlink(missing_ok=True)
    rows = _joined(earlier, chosen, found, epsilons)
    watch.part("drawing", pictures_work * len(chosen))
    shown = tuple(figure for figure in GRID if figure.name in {row["figure"] for row in rows})
    pictures = _drawn(
        shown, chosen, rows, folder / "figures", jobs, lambda: watch.advance(pictures_work)
    )
    _tidied(folder / "figures", pictures)
    ledger = tuple(judged(rows))
    made = points.table(rows, about)
    write(made, folder / "points.csv")
    write(made, folder / "points.parquet")
    _write(folder / "claims.json", _json({"about": about, "claims": [j.to_dict() for j in ledger]}))
    text = page(shown, pictures, rows, ledger, additions(rows), about)
    _write(folder / "index.html", text.encode())
    return Reproduced(folder / "index.html", chosen, len(rows), ledger, provisional(ledger, runs))


def _joined(
    earlier: Sequence[Row],
    chosen: Sequence[Figure],
    found: Sequence[Row],
    epsilons: Sequence[float],
) -> list[Row]:
    """The points of earlier calls and of the chosen figures, in the paper's order."""
    own = {figure.name for figure in chosen}
    rows = [row for row in earlier if row["figure"] not in own]
    for figure in chosen:
        if figure.kind == "theory":
            rows += points.theory(figure, epsilons)
        else:
            rows += points.simulated(figure, found)
    order = {figure.name: i for i, figure in enumerate(GRID)}
    return sorted(rows, key=lambda row: order[row["figure"]])


def _experiments(
    chosen: Sequence[Figure], runs: int, seed: int, epsilons: Sequence[float]
) -> list[Experiment]:
    """All experiments that these figures need, each once."""
    asked: dict[bytes, Experiment] = {}
    for figure in chosen:
        for ask in figure.experiments(runs, seed, epsilons):
            asked.setdefault(canonical(ask.settings()), ask)
    return list(asked.values())


def _work(ask: Experiment) -> int:
    """About how long one run takes, in units of half a millisecond (measured)."""
    attacked = sum(number > 0 for number in ask.adversaries)
    return round((ask.n / 1000 + 10) * (1 + (ask.d / 8) ** 2) * (1 + 0.8 * attacked))


def _designed(asked: Sequence[Experiment], jobs: int, watch: Watch) -> None:
    """Let all processes look for the designs that are not kept yet, and keep them."""
    watch.part("design", None)
    wanted = {
        (ask.rule, name, epsilon): ask
        for ask in asked
        for name in ask.mechanisms
        for epsilon in ask.epsilons
    }

    def design(what: tuple[Rule, str, Fraction], _: object) -> None:
        wanted[what].design(*what[1:])

    order = sorted(wanted, key=lambda what: -what[0].d)  # the longest first
    if jobs > 1:
        for _ in in_processes(design, order, jobs):
            pass


def _simulated(asked: Sequence[Experiment], store: Store, jobs: int, watch: Watch) -> list[Row]:
    """The points of all experiments, whose runs the processes share: none waits for the end of an
    experiment. Parts that are kept from before are not run again.
    """
    plans = [Plan(ask) for ask in asked]
    found = [np.empty((ask.runs, *plan.shape)) for ask, plan in zip(asked, plans, strict=True)]
    missing: list[tuple[int, range]] = []
    for number, ask in enumerate(asked):
        for runs in blocks(0, ask.runs):
            kept = store.read(plans[number], runs)
            if kept is None:
                missing.append((number, runs))
            else:
                found[number][runs.start : runs.stop] = kept
                watch.advance(len(runs) * _work(ask))
    for number in {number for number, _ in missing}:
        _ = plans[number].mechanisms  # designed before the process is copied
    missing.sort(key=lambda part: -len(part[1]) * _work(asked[part[0]]))  # the longest first

    def simulate(part: tuple[int, range], done: Callable[[int], None]) -> Floats:
        number, runs = part
        return plans[number].runs(runs, lambda runs: done(runs * _work(asked[number])))

    for (number, runs), part in in_processes(simulate, missing, jobs, watch.advance):
        store.write(plans[number], runs, part)
        found[number][runs.start : runs.stop] = part
    tables = (table(ask, values) for ask, values in zip(asked, found, strict=True))
    return [row for one in tables for row in one.to_pylist()]


def _drawn(
    shown: Sequence[Figure],
    chosen: Collection[Figure],
    rows: Sequence[Row],
    place: Path,
    jobs: int,
    done: Callable[[], None],
) -> dict[str, bytes]:
    """Write figures and their points, and return them as SVG; what is there from before is read."""
    place.mkdir(exist_ok=True)
    anew = [
        figure
        for figure in shown
        if figure in chosen or not (place / f"{figure.name}.svg").is_file()
    ]
    of_figure: dict[str, list[Row]] = {figure.name: [] for figure in shown}
    for row in rows:
        of_figure[row["figure"]].append(row)

    def picture(figure: Figure, _: object) -> tuple[bytes, bytes]:
        panels = []
        for panel in figure.panels:
            points_of = points.of_panel(panel, of_figure[figure.name])
            panels.append((panel.title, [Line.of(name, points_of) for name in figure.series]))
        made = draw(figure.metric, panels, figure.title)
        return rendered(made, "svg"), rendered(made, "png")

    found = {}
    for figure, (vector, pixels) in in_processes(picture, anew, jobs):
        _write(place / f"{figure.name}.svg", vector)
        _write(place / f"{figure.name}.png", pixels)
        own = points.table(of_figure[figure.name], {}).drop_columns(["figure"])
        write(own, place / f"{figure.name}.csv")
        found[figure.name] = vector
        done()
    return {
        figure.name: found.get(figure.name) or (place / f"{figure.name}.svg").read_bytes()
        for figure in shown
    }


def _tidied(place: Path, shown: Collection[str]) -> None:
    """Remove the pictures of earlier calls with other settings, which the page does not show."""
    for figure in GRID:
        if figure.name not in shown:
            for suffix in ("svg", "png", "csv"):
                (place / f"{figure.name}.{suffix}").unlink(missing_ok=True)


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _write(path: Path, content: bytes) -> None:
    with writing(path) as part:
        part.write_bytes(content)

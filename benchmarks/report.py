"""What was measured: rows, the machine, and both as a table, as JSON and as a picture."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.table import Table

LIMITED = ("MB", "s", "µs", "%")  # units whose target is a limit
PACKAGES = (
    "numpy",
    "pyarrow",
    "duckdb",
    "starlette",
    "numba",
    "multi-freq-ldpy",
    "pure-ldp",
    "diffprivlib",
    "opendp",
    "svvamp",
    "pref_voting",
    "votekit",
    "preflibtools",
)


@dataclass(frozen=True)
class Row:
    """One line of the table; rates are reports, ballots or bytes a second."""

    what: str
    d: int | None
    n: int
    hushvote: float
    unit: str
    peer_name: str | None = None
    peer_n: int | None = None
    peer: float | None = None
    target: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times faster hushvote is, per report or per ballot."""
        return None if self.peer is None else self.hushvote / self.peer

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        if self.unit in LIMITED:
            return self.hushvote <= self.target
        return self.ratio is not None and self.ratio >= self.target


COLUMNS = ("what", "d", "hushvote", "peer", "ratio", "target", "met")
LEFT = ("what", "peer")


def shown(rows: Sequence[Row]) -> Table:
    """The table for a terminal."""
    table = Table(title="hushvote beside its peers and its limits", title_justify="left")
    for column in COLUMNS:
        table.add_column(column, justify="left" if column in LEFT else "right")
    for before, row in zip([None, *rows], rows, strict=False):
        if before is not None and (before.what, before.d) != (row.what, row.d):
            table.add_section()
        *cells, met = _cells(row)
        colour = {"yes": "green", "no": "red"}.get(met, "none")
        table.add_row(*cells, f"[{colour}]{met}[/]")
    return table


def markdown(rows: Sequence[Row]) -> str:
    """The same table for a page."""
    rule = ["---" if column in LEFT else "--:" for column in COLUMNS]
    lines = [COLUMNS, rule, *(_cells(row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(row: Row) -> list[str]:
    most = row.unit in LIMITED
    own = f"{row.hushvote:.3g} {row.unit}" if most else _rate(row.hushvote, row.unit)
    peer = "-"
    if row.peer is not None:
        size = "" if row.peer_n == row.n else f", n = {row.peer_n:,}"
        peer = f"{_rate(row.peer, row.unit)} {row.peer_name}{size}"
    ratio = "-" if row.ratio is None else f"{_figure(row.ratio)}x"
    target = "-"
    if row.target is not None:
        target = f"<= {row.target:g} {row.unit}" if most else f">= {row.target:.3g}x"
    met = {None: "-", True: "yes", False: "no"}[row.met]
    return [row.what, "-" if row.d is None else str(row.d), own, peer, ratio, target, met]


def _figure(x: float) -> str:
    """Three digits that count."""
    return f"{float(f'{x:.3g}'):,.0f}" if x >= 1000 else f"{x:.3g}"


def _rate(rate: float, unit: str) -> str:
    if unit == "bytes/s":
        return f"{rate / 1e9:.3g} GB/s"
    return f"{rate / 1e6:.3g} M/s" if rate >= 1e4 else f"{_figure(rate)} /s"


def machine() -> dict[str, Any]:
    """What the figures were measured with."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
    }


def load() -> float:
    """How many processes wanted to run in the last minute."""
    return os.getloadavg()[0]


def written(
    folder: Path, rows: Sequence[Row], about: dict[str, Any], how: str
) -> tuple[Path, Path, Path]:
    """Write table, figures and picture; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    table, figures, picture = (folder / f"bench.{kind}" for kind in ("md", "json", "svg"))
    surroundings = ", ".join(f"{name} {value}" for name, value in about.items())
    title = "# hushvote beside its peers and its limits"
    table.write_text(f"{title}\n\n{markdown(rows)}\n\n{how}\n\n{surroundings}.\n")
    entries = [{**asdict(row), "ratio": row.ratio, "met": row.met} for row in rows]
    figures.write_text(json.dumps({"about": about, "rows": entries}, indent=2) + "\n")
    _draw([row for row in rows if row.ratio is not None], picture)
    _draw([row for row in rows if row.ratio is not None], picture.with_suffix(".png"))
    return table, figures, picture


def _draw(rows: Sequence[Row], path: Path) -> None:
    """Every ratio as a bar, the targets as marks."""
    from hushvote.plots import figure, scales
    from hushvote.plots.pictures import headline
    from hushvote.plots.style import INK, LOOKS, SURE

    ratios = [row.ratio or 0 for row in rows]
    with figure(path, width=9, height=1.1 + 0.24 * len(rows)) as axes:
        places = range(len(rows))
        axes.barh(places, ratios, color=SURE, height=0.7)
        targets = [(row.target, i) for i, row in enumerate(rows) if row.target is not None]
        axes.plot(
            [target for target, _ in targets],
            [place for _, place in targets],
            linestyle="none",
            marker="|",
            markersize=11,
            markeredgewidth=2.5,
            color=LOOKS[0].colour,
            label="target",
        )
        axes.set_yticks(places, [_label(row) for row in rows], fontsize=8)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(axis="y", visible=False)
        every = [*ratios, *(target for target, _ in targets)]
        scales.logarithmic(axes, "x", min(0.5, *every) / 1.3, 1.3 * max(every))
        axes.axvline(1, color=INK, linewidth=0.8)
        axes.set_xlabel("times as fast")
        headline(axes.figure, "hushvote beside its peers and its limits")
        axes.figure.legend(loc="outside lower right")


def _label(row: Row) -> str:
    size = "" if row.d is None else f", d = {row.d}"
    return f"{row.what}{size} / {row.peer_name}"

"""The points of all figures: one table, and which of its rows a panel shows."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from hushvote.errors import FileError
from hushvote.formats.parquet import table_file
from hushvote.mechanisms import mechanism
from hushvote.reproduction.grid import Figure, Panel
from hushvote.rules import rule
from hushvote.simulation.points import SCHEMA, Row

POINTS = SCHEMA.insert(0, pa.field("figure", pa.string()))


def theory(figure: Figure, epsilons: Sequence[float]) -> list[Row]:
    """The points of a figure of closed forms; they have no error."""
    rows = []
    for panel in figure.panels:
        scored = rule(panel.rule, panel.d)
        for epsilon in epsilons:
            for name in figure.series:
                made = mechanism(name, scored, epsilon)
                closed = {"mse": made.mse(), "em": made.risks().expected_magnitude}
                rows.append(
                    {
                        "figure": figure.name,
                        "rule": panel.rule,
                        "d": panel.d,
                        "n": panel.n,
                        "electorate": "none",
                        "attack": "none",
                        "adversaries": 0,
                        "mechanism": name,
                        "epsilon": float(epsilon),
                        "metric": figure.metric,
                        "mean": closed[figure.metric],
                        "se": 0.0,
                        "runs": 0,
                    }
                )
    return rows


def simulated(figure: Figure, rows: Sequence[Row]) -> list[Row]:
    """The points of a figure, out of what its experiments found."""
    own = [r for r in rows if r["metric"] == figure.metric and r["mechanism"] in figure.series]
    return [
        {"figure": figure.name, **row} for panel in figure.panels for row in of_panel(panel, own)
    ]


def of_panel(panel: Panel, rows: Sequence[Row]) -> list[Row]:
    """The rows of a panel's poll."""
    poll = (panel.rule, panel.d, panel.n, panel.attack, panel.adversaries)
    columns = ("rule", "d", "n", "attack", "adversaries")
    return [row for row in rows if tuple(row[name] for name in columns) == poll]


def table(rows: Sequence[Row], about: dict[str, Any]) -> pa.Table:
    """The points as a table; `about` says how they were made, and travels with it."""
    schema = POINTS.with_metadata({"hushvote": json.dumps(about, sort_keys=True)})
    return pa.Table.from_pylist(list(rows), schema=schema)


def read(path: Path, about: dict[str, Any]) -> list[Row]:
    """The rows of an earlier call that was made the same way; otherwise none."""
    try:
        with table_file(path) as file:
            found = file.read(use_threads=False)
        said = json.loads((found.schema.metadata or {})[b"hushvote"])
    except (FileError, OSError, ValueError, KeyError, pa.ArrowException):
        return []
    if said != about or found.schema.remove_metadata() != POINTS:
        return []
    rows: list[Row] = found.to_pylist()
    return rows

"""The points of all figures: one table, written as CSV and Parquet."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from hushvote.formats.files import writing
from hushvote.mechanisms import mechanism
from hushvote.reproduction.grid import Figure
from hushvote.rules import rule
from hushvote.simulation.running import SCHEMA

Row = dict[str, Any]
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
    found = []
    for panel in figure.panels:
        poll = (panel.rule, panel.d, panel.n, panel.attack, panel.adversaries)
        found += [
            {"figure": figure.name, **row}
            for row in rows
            if row["metric"] == figure.metric
            and row["mechanism"] in figure.series
            and (row["rule"], row["d"], row["n"], row["attack"], row["adversaries"]) == poll
        ]
    return found


def table(rows: Sequence[Row], about: dict[str, Any]) -> pa.Table:
    """The points as a table; `about` says how they were made, and travels with it."""
    schema = POINTS.with_metadata({"hushvote": json.dumps(about, sort_keys=True)})
    return pa.Table.from_pylist(list(rows), schema=schema)


def write(made: pa.Table, path: Path) -> None:
    """Write a table as CSV or Parquet, by its suffix."""
    with writing(path) as part:
        if path.suffix == ".parquet":
            pq.write_table(made, part)
        else:
            pa_csv.write_csv(made, part)


def read(path: Path, about: dict[str, Any]) -> list[Row]:
    """The rows of an earlier call that was made the same way; otherwise none."""
    try:
        found = pq.read_table(path)
        said = json.loads((found.schema.metadata or {})[b"hushvote"])
    except (OSError, ValueError, KeyError, pa.ArrowException):
        return []
    if said != about or found.schema.remove_metadata() != POINTS:
        return []
    rows: list[Row] = found.to_pylist()
    return rows

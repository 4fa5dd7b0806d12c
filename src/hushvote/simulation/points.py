"""The points of an experiment: mean and standard error over its runs, as one table."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from hushvote.files import writing
from hushvote.mechanisms.contract import Floats
from hushvote.simulation.experiment import METRICS, Experiment

Row = dict[str, Any]

SCHEMA = pa.schema(
    [
        ("rule", pa.string()),
        ("d", pa.int64()),
        ("n", pa.int64()),
        ("electorate", pa.string()),
        ("attack", pa.string()),
        ("adversaries", pa.int64()),
        ("mechanism", pa.string()),
        ("epsilon", pa.float64()),
        ("metric", pa.string()),
        ("mean", pa.float64()),
        ("se", pa.float64()),
        ("runs", pa.int64()),
    ]
)


def table(ask: Experiment, found: Floats) -> pa.Table:
    """Mean and standard error over the runs, one row a point."""
    runs = len(found)
    mean = found.mean(axis=0)
    se = found.std(axis=0, ddof=1) / np.sqrt(runs)
    right = list(METRICS).index("aow")
    se[..., right] = np.maximum(se[..., right], _least_error(mean[..., right], runs))
    rows = []
    for e, epsilon in enumerate(ask.epsilons):
        for m, name in enumerate(ask.mechanisms):
            for a, count in enumerate(ask.adversaries):
                for metric in ask.metrics:
                    at = (e, m, a, list(METRICS).index(metric))
                    rows.append(
                        {
                            "rule": ask.rule.name,
                            "d": ask.d,
                            "n": ask.n,
                            "electorate": ask.electorate.text,
                            "attack": ask.attack or "none",
                            "adversaries": count,
                            "mechanism": name,
                            "epsilon": float(epsilon),
                            "metric": metric,
                            "mean": float(mean[at]),
                            "se": float(se[at]),
                            "runs": runs,
                        }
                    )
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _least_error(share: Floats, runs: int) -> Floats:
    """The standard error of a share for which all runs agree, which is not certain for that: as
    if one run more had gone either way. Nothing for other shares.
    """
    likely = (share * runs + 1) / (runs + 2)
    return np.where((share == 0) | (share == 1), np.sqrt(likely * (1 - likely) / runs), 0.0)


def write(made: pa.Table, path: Path) -> None:
    """Write a table of points as CSV or Parquet, by its suffix."""
    with writing(path) as part:
        if path.suffix.lower() == ".parquet":
            pq.write_table(made, part)
        else:
            pa_csv.write_csv(made, part)

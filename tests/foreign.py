"""Report files as programs write them that know nothing of hushvote."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import hushvote as hv
from hushvote.canonical import canonical
from hushvote.formats.reports import writing_reports
from tests.conftest import random_orders

ADDITIVE = hv.Additive(hv.borda(8), 1)
DUEL = hv.Duel(hv.borda(4), 1)


def sent(made=ADDITIVE, n=500):
    return made.privatize(random_orders(n, made.d))


def columns(made, reports, kind=None):
    return {
        name: pa.array(reports[name], kind and kind(reports[name].dtype))
        for name in made.domain.dtype.names
    }


def foreign(path, made, reports, kind=None, **further):
    """As a program that knows nothing of hushvote writes it."""
    table = pa.table(columns(made, reports, kind) | {k: pa.array(v) for k, v in further.items()})
    pq.write_table(table, path)
    return path


def parameters(made, path="p.json"):
    Path(path).write_bytes(canonical(made.parameters()) + b"\n")
    return path


def written(path, made=ADDITIVE, reports=None, **options):
    with writing_reports(path, made.domain, made.parameters(), **options) as file:
        file.write(sent(made) if reports is None else reports)
    return path


def stated(rows, path="x.parquet", made=ADDITIVE, **types):
    """Rows of (receipt, change, withdrawn, candidate)."""
    receipt, change, withdrawn, chosen = zip(*rows, strict=True)
    table = {
        "receipt": pa.array(receipt, types.get("receipt")),
        "change": pa.array(change, types.get("change", pa.int32())),
        "withdrawn": pa.array(withdrawn),
        "chosen": pa.array([None if c is None else 1 << c for c in chosen], pa.int16()),
    }
    pq.write_table(pa.table(table), path)
    return path


def names(tally):
    """How often each candidate was named."""
    return np.diag(tally.counts["pairs"]).tolist()


def count(*paths, **options):
    return hv.tally_files(paths, parameters=ADDITIVE, **options)

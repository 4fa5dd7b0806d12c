"""Columns and arrays share their memory, and nothing is loaded to ask what they are."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from hushvote.arrays import as_column, numbers


@pytest.mark.parametrize("kind", ["bool", "int8", "uint8", "int16", "int32", "int64", "uint64"])
@pytest.mark.parametrize("n", [0, 1, 13])
def test_there_and_back(kind, n):
    values = np.arange(n).astype(kind)
    column = as_column(values)
    assert column.type == pa.from_numpy_dtype(values.dtype)
    assert column.to_pylist() == values.tolist()
    assert numbers(column).tolist() == values.tolist()
    assert numbers(column).dtype == values.dtype
    assert numbers(column.slice(n // 2)).tolist() == values[n // 2 :].tolist()


def test_what_is_not_contiguous_is_copied():
    matrix = np.arange(12, dtype=np.uint8).reshape(3, 4)
    assert as_column(matrix[:, 1]).to_pylist() == [1, 5, 9]


def test_neither_pandas_nor_polars_is_loaded_to_write_or_count_reports(tmp_path):
    script = f"""
import sys
import hushvote as hv
council = hv.example("council")
made = hv.mechanism("duel", hv.borda(council.d), 1)
hv.write_rankings("{tmp_path}/ballots.parquet", council)
votes = hv.open_rankings("{tmp_path}/ballots.parquet")
hv.privatize_file(votes, made, "{tmp_path}/reports.parquet")
assert hv.tally_files("{tmp_path}/reports.parquet").n == council.n
assert hv.tally_files("{tmp_path}/reports.parquet", engine="duckdb").n == council.n
print([name for name in ("pandas", "polars") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")

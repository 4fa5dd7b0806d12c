"""Processes that write and read report files must all end well.

Each one writes ballots and reports, reads them and ends as any program does. Arrow's threads may
outlive the interpreter if a file is opened in the wrong way; then one process in some hundred ends
in an abort, after all its work is done, and only many processes show it. Every one is started
afresh (processes forked from one that is ready do not show it), but imports only the rooms of
hushvote that files need, which makes it four times cheaper.
"""

import argparse
import collections
import importlib.util
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WORK = """
import sys, types
from pathlib import Path

package = types.ModuleType("hushvote")
package.__path__ = [sys.argv[2]]
sys.modules["hushvote"] = package

import numpy as np
import pyarrow as pa
from hushvote.formats import open_rankings, write_rankings
from hushvote.formats.reports import open_reports, writing_reports
from hushvote.rankings import Rankings

folder = Path(sys.argv[1])
orders = np.argsort(np.random.default_rng().random((2000, 4)), axis=1).astype(np.uint8)
write_rankings(folder / "b.parquet", Rankings(orders, tuple("ABCD")))
columns = types.SimpleNamespace(
    fields=[types.SimpleNamespace(name="first", kind="mask", high=15)],
    dtype=np.dtype([("first", "u1")]),
    schema=pa.schema([pa.field("first", pa.int16(), nullable=False)]),
)
with writing_reports(folder / "r.parquet", columns, {}) as file:
    for block in open_rankings(folder / "b.parquet").blocks(500):
        file.write(np.ascontiguousarray(block[:, 0]).view(columns.dtype))
read = open_reports(folder / "r.parquet").batches(500)
assert sum(batch.num_rows for batch in read) == 2000
"""


def end_of_one(_: int) -> tuple[int, str]:
    """The exit code of one process, and what it said or left behind."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", WORK, folder, _package()],
            check=False,
            capture_output=True,
            text=True,
        )
        left = {path.name for path in Path(folder).iterdir()} - {"b.parquet", "r.parquet"}
    return done.returncode, done.stderr.strip() or f"left {sorted(left)}" * bool(left)


def _package() -> str:
    """The folder of the package that would be imported."""
    spec = importlib.util.find_spec("hushvote")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("hushvote is not installed")
    return spec.submodule_search_locations[0]


def main() -> int:
    """Start them, some at a time, and count how they end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--processes", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (default: 2)")
    options = parser.parse_args()
    started = time.perf_counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        ends = collections.Counter(pool.map(end_of_one, range(options.processes)))
    well = ends.pop((0, ""), 0)
    seconds = time.perf_counter() - started
    print(f"{well} of {options.processes} processes ended with code 0, in {seconds:.0f} s.")
    for (code, said), times in ends.most_common():
        print(f"{times} ended with code {code}: {said[-500:]}")
    return 1 if ends else 0


if __name__ == "__main__":
    raise SystemExit(main())

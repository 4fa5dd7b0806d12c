"""Files of ballots to files of reports: speed and memory, beside another version of hushvote.

Every run is a fresh process; the versions take turns, and the best time of each counts. Memory is
the high-water mark (VmHWM) beyond the resident size after a file of a thousand votes, for which all
packages are loaded.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

MECHANISMS = ("duel", "additive", "weighted-sampling", "laplace")
D = 8

MAKE = """
import sys
sys.path.insert(0, sys.argv[1])
from ballots import random_orders
import hushvote as hv
n, d = int(sys.argv[3]), int(sys.argv[4])
hv.write_rankings(sys.argv[2], hv.Rankings(random_orders(n, d), [f"c{i}" for i in range(d)]))
"""

MEASURE = """
import json, sys, time
from pathlib import Path
import hushvote as hv

def kilobytes(entry):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(entry))

ballots, reports, name = sys.argv[1:]
votes = hv.open_rankings(ballots)
mechanism = hv.mechanism(name, hv.borda(votes.d), 1.0)
few = Path(ballots).with_name("few.parquet")
hv.privatize_file(hv.open_rankings(few), mechanism, reports)
before = kilobytes("VmRSS")
started = time.perf_counter()
n = hv.privatize_file(votes, mechanism, reports)
seconds = time.perf_counter() - started
peak = kilobytes("VmHWM")
print(json.dumps({"n": n, "seconds": seconds, "megabytes": (peak - before) * 1024 / 1e6}))
"""


def measured(source: Path, ballots: Path, name: str) -> dict[str, float]:
    """One run of one version in a fresh process."""
    command = [sys.executable, "-c", MEASURE, ballots, ballots.with_name("reports.parquet"), name]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    answer = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    here = Path(__file__).resolve().parents[1] / "src"
    parser.add_argument("--against", type=Path, default=here, help="src folder of the other one")
    parser.add_argument("--n", type=int, nargs="+", default=[1_000_000, 10_000_000], help="voters")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each side (default: 3)")
    parser.add_argument("--folder", type=Path, help="where the files go (default: temporary)")
    options = parser.parse_args()
    table = Table(title="files of ballots to files of reports", title_justify="left")
    for column in ("mechanism", "n", "votes/s", "other's", "time, ratio", "MB", "other's MB"):
        table.add_column(column, justify="left" if column == "mechanism" else "right")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for n in options.n:
            ballots = Path(folder) / "ballots.parquet"
            for path, size in ((ballots, n), (ballots.with_name("few.parquet"), 1000)):
                make = [sys.executable, "-c", MAKE, Path(__file__).parent, path, str(size), str(D)]
                subprocess.run(make, check=True)
            for name in MECHANISMS:
                runs = [
                    (measured(here, ballots, name), measured(options.against, ballots, name))
                    for _ in range(options.repeats)
                ]
                own, other = (min(run[side]["seconds"] for run in runs) for side in (0, 1))
                memory = [max(run[side]["megabytes"] for run in runs) for side in (0, 1)]
                table.add_row(
                    name,
                    f"{n:,}",
                    f"{n / own / 1e6:.3g} M/s",
                    f"{n / other / 1e6:.3g} M/s",
                    f"{own / other:.2f}",
                    *(f"{megabytes:.0f}" for megabytes in memory),
                )
    console = Console()
    (console if console.is_terminal else Console(width=120)).print(table)


if __name__ == "__main__":
    main()

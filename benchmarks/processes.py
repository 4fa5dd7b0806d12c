"""Processes that write and read report files must all end well.

Each one writes ballots, randomises them, counts the reports and ends as any program does. Arrow's
threads may outlive the interpreter if a file is opened in the wrong way; then one process in some
hundred ends in an abort, after all its work is done, and only many processes show it. They are
forked from one that has imported hushvote and done nothing else, which saves a second for each.
"""

import argparse
import collections
import os
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

import hushvote as hv

VOTERS = 2000


def work(folder: Path) -> None:
    """Ballots to reports to a tally, all through files."""
    orders = np.argsort(np.random.default_rng().random((VOTERS, 4)), axis=1).astype(np.uint8)
    hv.write_rankings(folder / "b.parquet", hv.Rankings(orders, tuple("ABCD")))
    made = hv.Additive(hv.borda(4), 1)
    hv.privatize_file(hv.open_rankings(folder / "b.parquet"), made, folder / "r.parquet")
    if hv.tally_files([folder / "r.parquet"]).n != VOTERS:
        raise RuntimeError("reports were lost")


def main() -> int:
    """Start them, some at a time, and count how they end; a child returns 0 or fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--processes", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (default: 2)")
    options = parser.parse_args()
    started, begun = 0, time.perf_counter()
    running: dict[int, Path] = {}
    ends: collections.Counter[int] = collections.Counter()
    while started < options.processes or running:
        if started < options.processes and len(running) < options.jobs:
            folder = Path(tempfile.mkdtemp())
            child = os.fork()
            if not child:
                work(folder)
                return 0
            running[child] = folder
            started += 1
            continue
        ended, status = os.wait()
        ends[os.waitstatus_to_exitcode(status)] += 1
        shutil.rmtree(running.pop(ended))
    seconds = time.perf_counter() - begun
    print(f"{ends.pop(0, 0)} of {started} processes ended with code 0, in {seconds:.0f} s.")
    for code, times in ends.most_common():
        print(f"{times} ended with code {code}.")
    return 1 if ends else 0


if __name__ == "__main__":
    raise SystemExit(main())

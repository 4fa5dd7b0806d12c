"""Peak memory of privatize and tally beyond the rankings and the reports, in a fresh process.

How: make the rankings block by block; read the resident size (VmRSS); set the high-water mark
back to it by writing 5 to /proc/self/clear_refs; make the mechanism, privatize, tally; read the
high-water mark (VmHWM). What was needed beyond input and output is then

    VmHWM - VmRSS before - size of the reports.

The kernel counts pages, so tables, temporaries and what the allocator keeps are all in it.
"""

import json
import subprocess
import sys
from pathlib import Path

import hushvote as hv
from ballots import random_orders

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")


def extra_megabytes(mechanism: str, d: int, n: int) -> float | None:
    """Megabytes beyond input and reports, or None where the system has no /proc."""
    if not STATUS.exists():
        return None
    command = [sys.executable, __file__, mechanism, str(d), str(n)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(json.loads(answer)["megabytes"])


def _kilobytes(entry: str) -> int:
    lines = STATUS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{entry}:"))


def _measure(name: str, d: int, n: int) -> float:
    orders = random_orders(n, d)
    before = _kilobytes("VmRSS")
    CLEAR.write_text("5")
    options = {"k": 1} if name == "additive" else {}
    mechanism = hv.mechanism(name, hv.borda(d), 1.0, **options)
    reports = mechanism.privatize(orders)
    tally = mechanism.tally(reports)
    peak = _kilobytes("VmHWM")
    if tally.n != n:
        raise RuntimeError(f"{tally.n} reports were tallied, not {n}")
    return ((peak - before) * 1024 - reports.nbytes) / 1e6


if __name__ == "__main__":
    name, d, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(json.dumps({"megabytes": _measure(name, d, n)}))

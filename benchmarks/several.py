"""Privatize and tally by all cores beside one, in a fresh process that has loaded hushvote alone:
copying a process takes longer the more it holds, and the peers of the other rows hold much.
"""

import json
import subprocess
import sys
import time

from turns import Task, best_times

import hushvote as hv
from ballots import random_orders
from hushvote import cores


def seconds(mechanism: hv.Mechanism, n: int, repeats: int) -> tuple[float, float]:
    """The least seconds for n voters by all cores, and by one."""
    given = json.dumps({"mechanism": mechanism.parameters(), "n": n, "repeats": repeats})
    command = [sys.executable, __file__, given]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    together, alone = json.loads(answer)
    return together, alone


def collection(mechanism: hv.Mechanism, orders: object, jobs: int = 1) -> Task:
    """Privatize with secure bits, then tally."""
    return lambda: mechanism.tally(mechanism.privatize(orders, jobs=jobs), jobs=jobs)


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    made = hv.mechanism_from(given["mechanism"])
    orders = random_orders(given["n"], made.d)
    by = [collection(made, orders, jobs) for jobs in (cores.available(), 1)]
    print(json.dumps(best_times(*by, repeats=given["repeats"], clock=time.perf_counter)))

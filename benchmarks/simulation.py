"""How fast polls are simulated, and how much of the time goes into the random generator.

Run it with `python benchmarks/simulation.py`. One row a kind of poll in the paper's grid: voters x
mechanisms x epsilons a second, and the shares of the time that are spent in drawing random numbers
and in seeding the streams (every mechanism, epsilon and attack of a run has a stream of its own).
"""

import argparse
import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from hushvote.reproduction.grid import EPSILONS, SERIES
from hushvote.simulation import Experiment, experiment
from hushvote.simulation.running import Plan, blocks, values

POLLS: dict[str, dict[str, Any]] = {
    "d = 4, n = 10,000": {"d": 4},
    "d = 8, n = 1,000": {"d": 8, "n": 1_000},
    "d = 8, n = 10,000": {"d": 8},
    "d = 8, n = 100,000": {"d": 8, "n": 100_000},
    "d = 16, n = 10,000": {"d": 16},
    "d = 32, n = 10,000": {"d": 32},
    "d = 8, 3 x amplification": {"d": 8, "attack": "amplification", "adversaries": [10, 100, 500]},
    "d = 8, 3 x disguise": {"d": 8, "attack": "disguise", "adversaries": [10, 100, 500]},
}
spent = {"drawing": 0.0, "seeding": 0.0}


def timed(name: str) -> Any:
    """A method of the generator that adds its time to `spent`."""
    plain = getattr(np.random.Generator, name)

    def method(self: np.random.Generator, *given: Any, **named: Any) -> Any:
        start = time.perf_counter()
        drawn = plain(self, *given, **named)
        spent["drawing"] += time.perf_counter() - start
        return drawn

    return method


class Watched(np.random.Generator):
    """A generator that knows how long it has been at work."""

    bytes, random, binomial = timed("bytes"), timed("random"), timed("binomial")
    standard_gamma, integers = timed("standard_gamma"), timed("integers")


class WatchedExperiment(Experiment):
    """An experiment whose streams are watched."""

    def stream(self, run: int, *setting: object) -> np.random.Generator:
        start = time.perf_counter()
        made = Watched(super().stream(run, *setting).bit_generator)
        spent["seeding"] += time.perf_counter() - start
        return made


def rate(ask: Experiment, jobs: int) -> float:
    """Voters x mechanisms x epsilons a second."""
    plan = Plan(ask)
    plan.run(0)  # fills tables
    start = time.perf_counter()
    for _ in values(plan, blocks(0, ask.runs), jobs):
        pass
    seconds = time.perf_counter() - start
    return ask.runs * ask.n * len(ask.mechanisms) * len(ask.epsilons) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=20, help="polls of each kind (default: 20)")
    runs = parser.parse_args().runs
    table = Table(title="simulated polls, Borda, five mechanisms, nine epsilons, millions a second")
    for column in ("poll", "1 thread", "2 threads", "drawing", "seeding"):
        table.add_column(column, justify="left" if column == "poll" else "right")
    for name, poll in POLLS.items():
        ask = experiment("borda", epsilons=EPSILONS, mechanisms=SERIES, runs=runs, **poll)
        one, two = rate(ask, 1), rate(ask, 2)
        spent.update(drawing=0.0, seeding=0.0)
        start = time.perf_counter()
        rate(WatchedExperiment(**vars(ask)), 1)
        whole = time.perf_counter() - start
        shares = (f"{100 * spent[what] / whole:.0f} %" for what in ("drawing", "seeding"))
        table.add_row(name, f"{one / 1e6:.1f}", f"{two / 1e6:.1f}", *shares)
    Console().print(table)


if __name__ == "__main__":
    main()

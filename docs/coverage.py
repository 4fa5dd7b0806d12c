"""Regenerate docs/coverage-table.md: how often intervals, places, seats and winners are right.

Usage: python docs/coverage.py [--full] [--polls 2000] [--processes 2]. The cells cover every two
settings together; `--full` runs all of them. 2,000 polls in each of 180 cells take about a quarter
of an hour on two cores.
"""

import argparse
import itertools
import math
import multiprocessing
import os
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import hushvote as hv
from hushvote.rankings import Orders

LEVEL = 0.95
SEATS = 2
CELLS = 180
RULES = {"Borda": hv.borda, "Nauru": hv.nauru, "plurality": hv.plurality}
ELECTORATES = ("uniform", "two blocs", "alike", "exact ties", "close pair")
SETTINGS = (
    hv.mechanism_names(),
    tuple(RULES),
    (3, 5, 8),
    (50, 300, 2000),
    (1, 3, 5, 8),
    ELECTORATES,
)
OUT = Path(__file__).with_name("coverage-table.md")


@dataclass(frozen=True)
class Cell:
    """One mechanism and poll size, on one electorate."""

    mechanism: str
    rule: str
    d: int
    n: int
    epsilon: float
    electorate: str


@dataclass(frozen=True)
class Counts:
    """In how many of the polls all intervals held, all places, all that was said of seats; and in
    how many a certified winner was no sole winner, or the right one was certified.
    """

    polls: int
    intervals: int
    places: int
    seats: int
    wrong: int
    certified: int

    @property
    def holds(self) -> bool:
        """No worse than promised, but for four standard errors."""
        slack = 4 * math.sqrt(LEVEL * (1 - LEVEL) / self.polls)
        least = (LEVEL - slack) * self.polls
        most = (1 - LEVEL + slack) * self.polls
        return min(self.intervals, self.places, self.seats) >= least and self.wrong <= most


def cells(full: bool = False) -> list[Cell]:
    """All combinations; or so many that every two settings occur together: one after the other,
    the one of some random ones that brings the most new pairs.
    """
    everything = list(itertools.product(*SETTINGS))
    if full:
        return [Cell(*one) for one in everything]
    rng, chosen, seen = np.random.default_rng(1), [], set()
    while len(chosen) < CELLS:
        tried = [everything[i] for i in rng.choice(len(everything), 50, replace=False)]
        best = max(tried, key=lambda one: len(pairs(one) - seen))
        if best not in chosen:
            chosen.append(best)
            seen |= pairs(best)
    return [Cell(*one) for one in sorted(chosen)]


def pairs(one: tuple[object, ...]) -> set[tuple[object, ...]]:
    """Every pair of settings of a cell."""
    return set(itertools.combinations(enumerate(one), 2))


def electorate(kind: str, n: int, d: int, rng: np.random.Generator) -> Orders:
    """The fixed voters of a cell."""
    one = np.arange(d, dtype=np.uint8)
    same = np.tile(one, (n, 1))
    if kind == "uniform":
        return np.argsort(rng.random((n, d)), axis=1).astype(np.uint8)
    if kind == "two blocs":
        same[round(0.55 * n) :] = one[::-1]
    elif kind == "exact ties":  # whole circles, so that all have the same score
        for i in range(n // d * d):
            same[i] = np.roll(one, i)
        same = same[: n // d * d]
    elif kind == "close pair":
        same[n // 2 + 1 :, :2] = [1, 0]
    return same


def simulate(cell: Cell, polls: int, seed: int) -> Counts:
    """Run polls on the cell's electorate and count how often what is said is true."""
    rng = np.random.default_rng(seed)
    made = hv.mechanism(cell.mechanism, RULES[cell.rule](cell.d), cell.epsilon)
    orders = electorate(cell.electorate, cell.n, cell.d, rng)
    totals = hv.totals(orders, made.rule)
    truth = np.array([float(total / len(orders)) for total in totals])
    rounding = 1e-9 * float(made.rule.span)
    best = [1 + sum(x > t for x in totals) for t in totals]
    worst = [cell.d - sum(x < t for x in totals) for t in totals]
    found = np.zeros(5, dtype=np.int64)
    for _ in range(polls):
        tally = made.tally(made.privatize(orders, rng=rng))
        result = hv.Result.of(made, tally)
        low, high = result.interval(LEVEL).T
        sets, elected = result.rank_sets(LEVEL), result.elected(SEATS, LEVEL)
        certified = result.certified(LEVEL)
        right = certified is not None and worst[certified] == 1
        found += [
            bool(((low <= truth + rounding) & (truth - rounding <= high)).all()),
            all(best[j] in said and worst[j] in said for j, said in enumerate(sets)),
            all(worst[j] <= SEATS for j in elected.sure)
            and all(best[j] > SEATS for j in elected.out),
            certified is not None and not right,
            right,
        ]
    return Counts(polls, *(int(x) for x in found))


def _job(task: tuple[Cell, int, int]) -> Counts:
    return simulate(*task)


def percent(part: int, whole: int) -> str:
    """A share in percent, with one digit."""
    return f"{100 * part / whole:.1f}"


def main() -> None:
    """Run all cells and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="all combinations of settings")
    parser.add_argument("--polls", type=int, default=2000, help="in each cell (default: 2000)")
    parser.add_argument("--processes", type=int, default=2, help="(default: 2)")
    asked = parser.parse_args()
    grid = cells(asked.full)
    tasks = [(cell, asked.polls, seed) for seed, cell in enumerate(grid, start=1)]
    tasks.sort(key=lambda task: -task[0].n * task[0].d * (1 + 9 * (task[0].mechanism == "laplace")))
    begin, counts = time.perf_counter(), {}
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # processes that each start threads are slower
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        for task, found in zip(tasks, pool.imap(_job, tasks), strict=True):
            counts[task[0]] = found
            print(f"\r{len(counts)} of {len(tasks)} cells", end="", file=sys.stderr, flush=True)
    minutes = (time.perf_counter() - begin) / 60
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    write({cell: counts[cell] for cell in grid})
    failed = {cell: found for cell, found in counts.items() if not found.holds}
    print(
        f"\n{minutes:.1f} minutes, {(used.ru_utime + used.ru_stime) / 60:.1f} of computing; "
        f"{len(failed)} cells fall short",
        *failed.items(),
        sep="\n",
        file=sys.stderr,
    )
    sys.exit(bool(failed))


def write(counts: dict[Cell, Counts]) -> None:
    """Write the page."""
    found = list(counts.values())
    polls = found[0].polls
    slack = 400 * math.sqrt(LEVEL * (1 - LEVEL) / polls)
    aim = f"{100 * LEVEL:g}"
    least = {
        name: min(getattr(c, name) for c in found) for name in ("intervals", "places", "seats")
    }
    lines = [
        "# How often results are right",
        "",
        f"{polls:,} simulated polls of the same voters in every cell, and in how many of them, in",
        "percent,",
        "",
        f"- **intervals**: all {aim} % intervals held at once,",
        "- **places**: all candidates' true places were among those named,",
        f"- **seats**: all was true that was said about {SEATS} seats,",
        "- **wrong**: a winner was certified who was not the only winner,",
        "- **certified**: the true winner was certified.",
        "",
        "The voters: *uniform*, random rankings; *two blocs*, 55 % with one ranking and 45 % with",
        "the reverse; *alike*, all of one mind; *exact ties*, everybody has the same score; *close",
        "pair*, the first two differ by the votes of one or two. Every pair of settings of the",
        "table occurs. `python docs/coverage.py` makes this page anew, `--full` with all",
        f"{math.prod(len(each) for each in SETTINGS):,} combinations.",
        "",
        f"The aim: intervals, places and seats at least {aim}, wrong at most "
        f"{100 - 100 * LEVEL:g},",
        f"but for four standard errors ({slack:.1f}).",
        "[Reading a result](results.md#how-to-read-it) explains what is counted here.",
        "",
        f"| of all {len(found)} cells | |",
        "|---|--:|",
        f"| least share of intervals | {percent(least['intervals'], polls)} |",
        f"| least share of places | {percent(least['places'], polls)} |",
        f"| least share of seats | {percent(least['seats'], polls)} |",
        f"| largest share of wrong winners | {percent(max(c.wrong for c in found), polls)} |",
        f"| cells that fall short | {sum(not c.holds for c in found)} |",
        "",
        "| mechanism | rule | candidates | voters | epsilon | electorate | intervals | places "
        "| seats | wrong | certified |",
        "|---|---|--:|--:|--:|---|--:|--:|--:|--:|--:|",
    ]
    for cell, one in counts.items():
        row = [cell.mechanism, cell.rule, f"{cell.d}", f"{cell.n:,}", f"{cell.epsilon:g}"]
        shares = (one.intervals, one.places, one.seats, one.wrong, one.certified)
        row += [cell.electorate, *(percent(x, one.polls) for x in shares)]
        lines.append(f"| {' | '.join(row)} |")
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

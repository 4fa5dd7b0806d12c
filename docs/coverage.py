"""Regenerate docs/coverage-table.md: how often intervals, rank sets and winners are right.

Usage: python docs/coverage.py [polls a cell] [processes]. With 2,000 polls a cell it takes some
seven minutes on two cores.
"""

import itertools
import math
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import hushvote as hv
from hushvote.rankings import Orders

LEVEL = 0.95
RULES = {"Borda": hv.borda, "Nauru": hv.nauru}
GROUPS = ("varied", "tied")
ELECTORATES = 8  # drawn for each cell and group; half of them random, half of one mind
OUT = Path(__file__).with_name("coverage-table.md")


@dataclass(frozen=True)
class Cell:
    """One mechanism and poll size, on one group of electorates."""

    mechanism: str
    rule: str
    d: int
    n: int
    epsilon: float
    group: str


@dataclass(frozen=True)
class Counts:
    """In how many of the polls all intervals held, all rank sets held, and a certified winner was
    no sole winner.
    """

    polls: int
    intervals: int
    rank_sets: int
    wrong: int

    @property
    def holds(self) -> bool:
        """No worse than promised, but for three standard errors."""
        slack = 3 * math.sqrt(LEVEL * (1 - LEVEL) / self.polls)
        least = (LEVEL - slack) * self.polls
        most = (1 - LEVEL + slack) * self.polls
        return min(self.intervals, self.rank_sets) >= least and self.wrong <= most


def cells() -> list[Cell]:
    """The whole grid."""
    return [
        Cell(*one)
        for one in itertools.product(
            hv.mechanism_names(), RULES, (4, 8), (500, 10_000), (0.5, 2.0), GROUPS
        )
    ]


def paper(n: int, d: int, rng: np.random.Generator) -> Orders:
    """Voters of the paper: each candidate has a scale, each voter a uniform share of it."""
    return np.argsort(-(rng.random(d) * rng.random((n, d))), axis=1).astype(np.uint8)


def electorates(cell: Cell, rng: np.random.Generator) -> Iterator[Orders]:
    """Random electorates and ones of a single mind; of the tied ones, half the voters hold the
    others' rankings with the first two candidates exchanged.
    """
    for number in range(ELECTORATES):
        if number % 2:
            orders = np.tile(rng.permutation(cell.d).astype(np.uint8), (cell.n, 1))
        else:
            orders = paper(cell.n, cell.d, rng)
        if cell.group == "tied":
            half = orders[: cell.n // 2]
            totals = hv.totals(half, RULES[cell.rule](cell.d))
            first, second = sorted(range(cell.d), key=lambda j: -totals[j])[:2]
            exchange = np.arange(cell.d, dtype=np.uint8)
            exchange[[first, second]] = second, first
            orders = np.concatenate([half, exchange[half]])
        yield orders


def simulate(cell: Cell, polls: int, seed: int) -> Counts:
    """Run polls on the cell's electorates and count how often what is said is true."""
    rng = np.random.default_rng(seed)
    made = hv.mechanism(cell.mechanism, RULES[cell.rule](cell.d), cell.epsilon)
    each = -(-polls // ELECTORATES)
    intervals = rank_sets = wrong = 0
    for orders in electorates(cell, rng):
        totals = hv.totals(orders, made.rule)
        truth = np.array([float(total / len(orders)) for total in totals])
        places = [
            (1 + sum(x > t for x in totals), cell.d - sum(x < t for x in totals)) for t in totals
        ]
        for _ in range(each):
            tally = made.tally(made.privatize(orders, rng=rng))
            result = hv.Result.of(made, tally)
            low, high = result.interval(LEVEL).T
            intervals += bool(((low <= truth) & (truth <= high)).all())
            sets = result.rank_sets(LEVEL)
            rank_sets += all(
                best in said and worst in said
                for (best, worst), said in zip(places, sets, strict=True)
            )
            certified = result.certified(LEVEL)
            wrong += certified is not None and places[certified] != (1, 1)
    return Counts(each * ELECTORATES, intervals, rank_sets, wrong)


def _job(task: tuple[Cell, int, int]) -> Counts:
    return simulate(*task)


def percent(part: int, whole: int) -> str:
    """A share in percent, with one digit."""
    return f"{100 * part / whole:.1f}"


def main() -> None:
    """Run all cells and write the table."""
    polls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    grid = cells()
    tasks = [(cell, polls, seed) for seed, cell in enumerate(grid, start=1)]
    tasks.sort(key=lambda task: -task[0].n * task[0].d * (1 + 9 * (task[0].mechanism == "laplace")))
    begin, counts = time.perf_counter(), {}
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # processes that each start threads are slower
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for task, found in zip(tasks, pool.imap(_job, tasks), strict=True):
            counts[task[0]] = found
            print(f"\r{len(counts)} of {len(tasks)} cells", end="", file=sys.stderr, flush=True)
    minutes = (time.perf_counter() - begin) / 60
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    write(counts)
    failed = [cell for cell, found in counts.items() if not found.holds]
    print(
        f"\n{minutes:.1f} minutes, {(used.ru_utime + used.ru_stime) / 60:.1f} of computing; "
        f"{len(failed)} cells fall short {failed or ''}",
        file=sys.stderr,
    )
    sys.exit(bool(failed))


def write(counts: dict[Cell, Counts]) -> None:
    """Write the page."""
    found = list(counts.values())
    polls = found[0].polls
    slack = 300 * math.sqrt(LEVEL * (1 - LEVEL) / polls)
    aim = f"{100 * LEVEL:g}"
    lines = [
        "# How often results are right",
        "",
        f"{polls:,} simulated polls in every cell, and in how many of them, in percent,",
        "",
        f"- **intervals**: all {aim} % intervals held at once,",
        "- **places**: all candidates' true places were among those named,",
        "- **wrong**: a winner was certified who was not the only winner.",
        "",
        "*Varied* electorates are half random ones, as in the paper, half of voters who all agree.",
        "*Tied* ones are made from the same, with the first two exactly tied, so that nobody",
        "should be certified. `python docs/coverage.py` makes this page anew.",
        "",
        f"The aim: intervals and places at least {aim}, wrong at most {100 - 100 * LEVEL:g},",
        f"but for three standard errors ({slack:.1f}).",
        "",
        f"| of all {len(found)} cells | |",
        "|---|---|",
        f"| least share of intervals | {percent(min(c.intervals for c in found), polls)} |",
        f"| least share of places | {percent(min(c.rank_sets for c in found), polls)} |",
        f"| largest share of wrong winners | {percent(max(c.wrong for c in found), polls)} |",
        f"| cells that fall short | {sum(not c.holds for c in found)} |",
        "",
        "| mechanism | rule | candidates | voters | epsilon | varied: intervals | places | wrong "
        "| tied: intervals | places | wrong |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for cell in cells():
        if cell.group != GROUPS[0]:
            continue
        row = [cell.mechanism, cell.rule, f"{cell.d}", f"{cell.n:,}", f"{cell.epsilon:g}"]
        for group in GROUPS:
            key = Cell(cell.mechanism, cell.rule, cell.d, cell.n, cell.epsilon, group)
            one = counts[key]
            row += [percent(x, one.polls) for x in (one.intervals, one.rank_sets, one.wrong)]
        lines.append(f"| {' | '.join(row)} |")
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

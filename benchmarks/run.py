"""hushvote beside its peers: one table of ratios, all measured in this run.

One process and one thread (memory: one fresh process a row), secure bits, best of several
repeats in turns. See README.md beside this file for what each row means.
"""

import os

# Read by the libraries when they are imported, so this stands before them.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"
os.environ["NUMBA_NUM_THREADS"] = "1"

import argparse
import json
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import memory
import numpy as np
import peers
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from turns import Task, best_times

import hushvote as hv
from ballots import random_orders
from hushvote.lottery import Odds
from hushvote.mechanisms.duel.program import Program, duel_strength, pool

EPSILON = 1.0
SIZES = (8, 32)
MEMORY_LIMIT = 200.0  # megabytes
LIMITED = ("MB", "s", "µs")  # units whose target is a limit

Orders = NDArray[np.uint8]


@dataclass(frozen=True)
class Row:
    """One line of the table; rates are reports or ballots a second."""

    what: str
    d: int
    n: int
    hushvote: float
    unit: str
    peer_name: str | None = None
    peer_n: int | None = None
    peer: float | None = None
    target: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times faster hushvote is, per report or per ballot."""
        return None if self.peer is None else self.hushvote / self.peer

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        if self.unit in LIMITED:
            return self.hushvote < self.target
        return self.ratio is not None and self.ratio >= self.target


# --- what is measured -------------------------------------------------------------------------


def collection(mechanism: hv.Mechanism, orders: Orders) -> Task:
    """Privatize with secure bits, then tally."""

    def task() -> hv.Tally:
        return mechanism.tally(mechanism.privatize(orders))

    return task


def private_rows(d: int, n: int, repeats: int) -> Iterator[Row]:
    """Privatize + tally, beside the peer with the same domain size and epsilon."""
    orders, rule = random_orders(n, d), hv.borda(d)
    first = orders[:, 0].astype(np.int64)  # the peers take one value a user
    values = first.tolist()
    additive = collection(hv.Additive(rule, EPSILON, k=1), orders)
    weighted = collection(hv.WeightedSampling(rule, EPSILON), orders)
    few, m = values[: n // 5], n // 5  # subset selection is slow
    for mechanism, goal in (
        (hv.Duel(rule, EPSILON), {8: 15e6, 32: 3e6}[d]),
        (hv.Challenge(rule, EPSILON), 8e6 if d == 8 else None),
    ):
        own, theirs = best_times(
            collection(mechanism, orders), lambda: peers.subset(few, d, EPSILON), repeats=repeats
        )
        yield Row(
            f"privatize + tally, {mechanism.name}",
            d,
            n,
            n / own,
            "reports/s",
            "multi-freq-ldpy subset selection",
            m,
            m / theirs,
            goal and goal / (m / theirs),
        )
    pairs: list[tuple[str, Task, str, Task, float | None]] = [
        (
            "additive k=1",
            additive,
            "multi-freq-ldpy GRR",
            lambda: peers.grr(values, d, EPSILON),
            10,
        ),
        (
            "additive k=1",
            additive,
            "GRR, compiled loop",
            lambda: peers.grr_compiled(first, d, EPSILON),
            None,
        ),
        (
            "weighted sampling",
            weighted,
            "multi-freq-ldpy OUE",
            lambda: peers.oue(values, d, EPSILON),
            10,
        ),
        (
            "weighted sampling",
            weighted,
            "OUE, compiled loop",
            lambda: peers.oue_compiled(first, d, EPSILON),
            None,
        ),
    ]
    for what, own, name, rival, target in pairs:
        ours, theirs = (n / t for t in best_times(own, rival, repeats=repeats))
        yield Row(f"privatize + tally, {what}", d, n, ours, "reports/s", name, n, theirs, target)
    for mechanism in (hv.NaiveSampling(rule, EPSILON), hv.Laplace(rule, EPSILON)):
        (seconds,) = best_times(collection(mechanism, orders), repeats=repeats)
        what = f"privatize + tally, {mechanism.name.replace('-', ' ')}"
        yield Row(what, d, n, n / seconds, "reports/s")


def plain_rows(d: int, n: int, repeats: int) -> Iterator[Row]:
    """Borda scores without privacy; peers that are slow or need much memory get n / 10 ballots."""
    orders, rule = random_orders(n, d), hv.borda(d)
    few = orders[: max(1, n // 10)]
    # An instance holds equal ballots once, so its speed depends on n where d is small.
    held = orders if d <= 8 else few
    instance = peers.preflib_instance(held)
    rivals: list[tuple[str, Task, Orders, float | None]] = [
        ("NumPy bincount", lambda: peers.numpy_borda(orders), orders, 0.5),
        ("svvamp", lambda: peers.svvamp_borda(few), few, 10),
        ("svvamp, sum over voters", lambda: peers.svvamp_borda_by_voter(few), few, None),
        ("preflibtools", lambda: peers.preflib_borda(peers.preflib_instance(few)), few, 10),
        ("preflibtools, instance ready", lambda: peers.preflib_borda(instance), held, None),
    ]
    for name, rival, ballots, target in rivals:
        if rival() != hv.totals(ballots, rule):
            raise RuntimeError(f"{name} and hushvote disagree on the Borda scores for d = {d}")
        m = len(ballots)
        own, theirs = best_times(lambda: hv.totals(orders, rule), rival, repeats=repeats)
        yield Row("plain Borda scores", d, n, n / own, "ballots/s", name, m, m / theirs, target)


def wire_rows(repeats: int, n: int = 2000) -> Iterator[Row]:
    """Microseconds to read one report from its parsed JSON and check it, as a server does."""
    for d, limit in ((8, 15), (32, 60)):
        mechanism = hv.Duel(hv.borda(d), EPSILON)
        domain, reports = mechanism.domain, mechanism.privatize(random_orders(n, d))
        wires = [domain.to_wire(reports[i : i + 1]) for i in range(n)]
        (seconds,) = best_times(lambda: [domain.parse(wire) for wire in wires], repeats=repeats)  # noqa: B023
        yield Row("one report from JSON, duel", d, n, 1e6 * seconds / n, "µs", target=limit)


def design_rows() -> Iterator[Row]:
    """Seconds to design a duel, cold: nothing counted before, nothing kept on disk."""
    for rule, limit in (
        (hv.borda(10), 1),
        (hv.nauru(10), 1),
        (hv.borda(16), 3),
        (hv.nauru(16), 3),
        (hv.borda(32), 10),
        (hv.nauru(32), 10),
        (hv.borda(64), 300),
        (hv.nauru(64), 300),
    ):
        pool.cache_clear()
        started = time.process_time()
        Program(rule, duel_strength(Odds.of(Fraction(EPSILON)).ratio)).solve()
        seconds = time.process_time() - started
        yield Row(f"design of a duel, {rule.name}", rule.d, 0, seconds, "s", target=limit)


def memory_rows(n: int) -> Iterator[Row]:
    """Peak memory beyond rankings and reports."""
    for name in ("additive", "weighted-sampling", "duel"):
        megabytes = memory.extra_megabytes(name, 8, n)
        if megabytes is not None:
            what = f"extra memory, {name.replace('-', ' ')}, n = {n:,}"
            yield Row(what, 8, n, megabytes, "MB", target=MEMORY_LIMIT)


# --- what is shown ----------------------------------------------------------------------------

COLUMNS = ("what", "d", "hushvote", "peer", "ratio", "target", "met")
LEFT = ("what", "peer")


def shown(rows: list[Row]) -> Table:
    """The table; ratio = how many times faster hushvote is, per report or ballot."""
    table = Table(title="hushvote beside its peers", title_justify="left")
    for column in COLUMNS:
        table.add_column(column, justify="left" if column in LEFT else "right")
    for before, row in zip([None, *rows], rows, strict=False):
        if before is not None and (before.what, before.d) != (row.what, row.d):
            table.add_section()
        *cells, met = _cells(row)
        colour = {"yes": "green", "no": "red"}.get(met, "none")
        table.add_row(*cells, f"[{colour}]{met}[/]")
    return table


def markdown(rows: list[Row]) -> str:
    """The same table for README.md."""
    rule = ["---" if column in LEFT else "--:" for column in COLUMNS]
    lines = [COLUMNS, rule, *(_cells(row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(row: Row) -> list[str]:
    most = row.unit in LIMITED
    own = f"{row.hushvote:.3g} {row.unit}" if most else _rate(row.hushvote)
    peer = "-"
    if row.peer is not None:
        size = "" if row.peer_n == row.n else f", n = {row.peer_n:,}"
        peer = f"{_rate(row.peer)} {row.peer_name}{size}"
    ratio = "-" if row.ratio is None else f"{row.ratio:.1f}x"
    target = "-"
    if row.target is not None:
        target = f"< {row.target:g} {row.unit}" if most else f">= {row.target:.3g}x"
    met = {None: "-", True: "yes", False: "no"}[row.met]
    return [row.what, str(row.d), own, peer, ratio, target, met]


def _rate(rate: float) -> str:
    return f"{rate / 1e6:.3g} M/s"


def machine() -> dict[str, object]:
    """What the figures were measured with."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    packages = ("numpy", "numba", "multi-freq-ldpy", "svvamp", "preflibtools")
    return {
        "cpu": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, default=1_000_000, help="voters (default: 1,000,000)")
    parser.add_argument(
        "--memory-n", type=int, default=10_000_000, help="voters for memory (default: 10,000,000)"
    )
    parser.add_argument("--repeats", type=int, default=5, help="runs of each side (default: 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE too")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    options = parser.parse_args()

    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    rows: list[Row] = []
    with console.status("measuring") as status:
        for part in (private_rows, plain_rows):
            for d in SIZES:
                status.update(f"measuring {part.__name__.replace('_rows', '')} votes, d = {d}")
                rows += part(d, options.n, options.repeats)
        status.update("measuring single reports")
        rows += wire_rows(options.repeats)
        status.update("measuring designs")
        rows += design_rows()
        status.update("measuring memory")
        rows += memory_rows(options.memory_n)

    if options.markdown:
        print(markdown(rows))
    else:
        console.print(shown(rows))
    console.print(
        f"n = {options.n:,} unless said otherwise; epsilon = {EPSILON:g}; secure bits; one thread; "
        f"best of {options.repeats}; ratio: how many times faster hushvote is, per report or ballot"
    )
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))
    if options.json:
        figures = [{**asdict(row), "ratio": row.ratio, "met": row.met} for row in rows]
        document = {"machine": machine(), "epsilon": EPSILON, "rows": figures}
        options.json.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()

"""hushvote beside its peers and its limits: one table of ratios, all measured in this run.

Secure bits, one thread unless a row says otherwise (memory: one fresh process a row), best of
several repeats in turns. See README.md beside this file for what each row means.
"""

import os

# Read by the libraries when they are imported, so this stands before them.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"
os.environ["NUMBA_NUM_THREADS"] = "1"

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import memory
import numpy as np
import peers
import scale
import server
import several
from numpy.typing import NDArray
from report import Row, load, machine, shown, written
from rich.console import Console
from several import collection
from turns import Task, best_times

import hushvote as hv
from ballots import random_orders
from hushvote import cores
from hushvote.lottery import Keystream, Odds
from hushvote.mechanisms.duel.program import Program, duel_strength, pool

EPSILON = 1.0
SIZES = (8, 32)
MEMORY_LIMIT = 200.0  # megabytes
RESULTS = Path(__file__).parent / "results"

Orders = NDArray[np.uint8]


# --- beside peers -----------------------------------------------------------------------------


def private_rows(d: int, n: int, repeats: int) -> Iterator[Row]:
    """Privatize + tally, beside peers with the same domain size and epsilon."""
    orders, rule = random_orders(n, d), hv.borda(d)
    additive, weighted = hv.Additive(rule, EPSILON, k=1), hv.WeightedSampling(rule, EPSILON)
    duel, challenge = hv.Duel(rule, EPSILON), hv.Challenge(rule, EPSILON)
    few, fewer = n // 5, n // 100
    rivals: list[tuple[hv.Mechanism, str, Callable[..., Any], str, int, float | None]] = [
        (duel, "multi-freq-ldpy subset selection", peers.subset, "set", few, {8: 40, 32: 25}[d]),
        (challenge, "multi-freq-ldpy subset selection", peers.subset, "set", few, None),
        (additive, "multi-freq-ldpy GRR", peers.grr, "one", n, 28 if d == 8 else 10),
        (additive, "GRR, compiled loop", peers.grr_compiled, "one", n, None),
        (additive, "pure-ldp direct encoding", peers.direct_encoding, "one", few, None),
        (additive, "diffprivlib exponential", peers.exponential, "one", fewer, None),
        (additive, "OpenDP randomized response", peers.randomized_response, "one", fewer, None),
        (weighted, "multi-freq-ldpy OUE", peers.oue, "bits", n, 10),
        (weighted, "OUE, compiled loop", peers.oue_compiled, "bits", n, None),
    ]
    for mechanism, name, rival, kind, m, target in rivals:
        values: Any = orders[:m, 0].astype(np.int64)  # the peers take one value a user
        values = values if rival.__name__.endswith("compiled") else values.tolist()
        peers.check_reports(rival, values[:20_000], d, EPSILON, peers.kept(kind, d, EPSILON))
        own, theirs = best_times(
            collection(mechanism, orders),
            lambda: rival(values, d, EPSILON),  # noqa: B023
            repeats=repeats,
        )
        yield Row(_what(mechanism), d, n, n / own, "reports/s", name, m, m / theirs, target)
    for mechanism in (hv.NaiveSampling(rule, EPSILON), hv.Laplace(rule, EPSILON)):
        (seconds,) = best_times(collection(mechanism, orders), repeats=repeats)
        yield Row(_what(mechanism), d, n, n / seconds, "reports/s")


def _what(mechanism: hv.Mechanism) -> str:
    size = " k=1" if mechanism.name == "additive" else ""
    return f"privatize + tally, {mechanism.name.replace('-', ' ')}{size}"


def plain_rows(d: int, n: int, repeats: int) -> Iterator[Row]:
    """Borda scores without privacy; peers that are slow or need much memory get fewer ballots."""
    orders, rule = random_orders(n, d), hv.borda(d)
    few, fewer = orders[: max(1, n // 10)], orders[: max(1, n // 200)]
    # An instance holds equal ballots once, so its speed depends on n where d is small.
    held = orders if d <= 8 else few
    instance = peers.preflib_instance(held)
    rivals: list[tuple[str, Task, Orders, float | None]] = [
        ("NumPy bincount", lambda: peers.numpy_borda(orders), orders, 0.5),
        ("svvamp", lambda: peers.svvamp_borda(few), few, 10),
        ("svvamp, sum over voters", lambda: peers.svvamp_borda_by_voter(few), few, None),
        ("pref_voting", lambda: peers.pref_voting_borda(few), few, 10),
        ("VoteKit", lambda: peers.votekit_borda(fewer), fewer, 10),
        ("preflibtools", lambda: peers.preflib_borda(peers.preflib_instance(few)), few, 10),
        ("preflibtools, instance ready", lambda: peers.preflib_borda(instance), held, None),
    ]
    for name, rival, ballots, target in rivals:
        if rival() != hv.totals(ballots, rule):
            raise RuntimeError(f"{name} and hushvote disagree on the Borda scores for d = {d}")
        m = len(ballots)
        own, theirs = best_times(lambda: hv.totals(orders, rule), rival, repeats=repeats)
        yield Row("plain Borda scores", d, n, n / own, "ballots/s", name, m, m / theirs, target)


# --- beside limits ----------------------------------------------------------------------------


def core_rows(d: int, n: int, repeats: int) -> Iterator[Row]:
    """All cores beside one, from rankings to tally."""
    rule, jobs = hv.borda(d), cores.available()
    for mechanism in (hv.Additive(rule, EPSILON, k=1), hv.Duel(rule, EPSILON)):
        together, alone = several.seconds(mechanism, n, repeats)
        what = f"{_what(mechanism)}, {jobs} cores"
        target = 1.7 if jobs > 1 else None
        yield Row(what, d, n, n / together, "reports/s", "one core", n, n / alone, target)


def file_rows(n: int) -> Iterator[Row]:
    """Reports counted from files, beside DuckDB reading the same columns, and beside the bare count
    on all cores.
    """
    what = f"tally of files, duel, n = {n:,}"
    with tempfile.TemporaryDirectory() as folder:
        scan, tally, _ = scale.grouped(Path(folder), n)
        rates = [n / one["seconds"] for one in (tally, scan)]
        yield Row(what, 16, n, rates[0], "reports/s", "DuckDB, plain scan", n, rates[1], 0.2)
        bare, tally, _ = scale.streamed(Path(folder), n)
        rates = [n / tally["seconds"], scale.CORES * bare["n"] / bare["seconds"]]
        limit = f"bare count on {scale.CORES} cores"
        yield Row(what, 64, n, rates[0], "reports/s", limit, n, rates[1], 0.7)


def server_rows() -> Iterator[Row]:
    """Durable, signed reports over HTTP, beside a bare route with the same commit and signature."""
    with server.stores_here() as stores:
        for name, workers, url, database in stores:
            best = server.compared(url, workers, database)
            rates = [best[side]["rate"] for side in ("hushvote", "bare")]
            what, n = f"reports over HTTP, duel, {name}", server.CASTS
            yield Row(what, server.D, n, rates[0], "reports/s", "bare Starlette", n, rates[1], 0.5)


class Counted:
    """Secure bits that know how many bytes were asked for."""

    def __init__(self) -> None:
        self.bits, self.used = Keystream(), 0

    def bytes(self, length: int, /) -> bytes:
        """The next bytes of the stream."""
        self.used += length
        return self.bits.bytes(length)


def generator_rows(n: int, repeats: int) -> Iterator[Row]:
    """The secure generator beside the system's own, and its share of the time of a privatize."""
    size = 1 << 20
    stream = Keystream()
    own, system = best_times(
        lambda: [stream.bytes(size) for _ in range(64)],
        lambda: [os.urandom(size) for _ in range(64)],
        repeats=repeats,
    )
    rate = 64 * size / own
    yield Row("secure bits", None, n, rate, "bytes/s", "os.urandom", n, 64 * size / system, None)
    for d in SIZES:
        orders = random_orders(n, d)
        for mechanism in (hv.Additive(hv.borda(d), EPSILON, k=1), hv.Duel(hv.borda(d), EPSILON)):
            counted = Counted()
            mechanism.privatize(orders, rng=counted)
            used = counted.used
            (seconds,) = best_times(
                lambda: mechanism.privatize(orders, jobs=1),  # noqa: B023
                repeats=repeats,
            )
            what = f"time of a privatize that secure bits take, {mechanism.name}"
            yield Row(what, d, n, 100 * used / rate / seconds, "%")


def reproduction_rows() -> Iterator[Row]:
    """A quick reproduction of the paper by all cores, beside one process; designs kept before."""
    jobs, seconds = cores.available(), {}
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as for everybody
    for number in (jobs, jobs, 1):  # the first finds the designs
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "hushvote", "reproduce", "--quick", "--json"]
            start = time.perf_counter()
            subprocess.run(
                [*command, "--jobs", str(number), "--out", folder],
                check=True,
                stdout=subprocess.DEVNULL,
                env=environment,
            )
            seconds[number] = time.perf_counter() - start
    yield Row("reproduce --quick", None, 0, seconds[jobs], "s", target=60)
    if jobs > 1:
        share = 100 * seconds[jobs] / seconds[1]
        yield Row(f"of the time of one process, {jobs} cores", None, 0, share, "%", target=60)


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


# --- all of it --------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, default=1_000_000, help="voters (default: 1,000,000)")
    parser.add_argument(
        "--memory-n", type=int, default=10_000_000, help="voters for memory (default: 10,000,000)"
    )
    parser.add_argument(
        "--files-n", type=int, default=100_000_000, help="reports in files (default: 100,000,000)"
    )
    parser.add_argument("--repeats", type=int, default=5, help="runs of each side (default: 5)")
    parser.add_argument(
        "--out", type=Path, default=RESULTS, help="folder for table, figures and picture"
    )
    parser.add_argument("--parts", help="with commas between, as in 'private,cores'; default: all")
    options = parser.parse_args()

    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    n, repeats, before = options.n, options.repeats, load()
    parts: dict[str, Callable[[], list[Row]]] = {
        "private": lambda: [row for d in SIZES for row in private_rows(d, n, repeats)],
        "cores": lambda: [row for d in SIZES for row in core_rows(d, 512 * n // d, repeats)],
        "generator": lambda: list(generator_rows(n, repeats)),
        "plain": lambda: [row for d in SIZES for row in plain_rows(d, n, repeats)],
        "wire": lambda: list(wire_rows(repeats)),
        "designs": lambda: list(design_rows()),
        "memory": lambda: list(memory_rows(options.memory_n)),
        "files": lambda: list(file_rows(options.files_n)),
        "server": lambda: list(server_rows()),
        "reproduction": lambda: list(reproduction_rows()),
    }
    rows: list[Row] = []
    with console.status("measuring") as status:
        for name, part in parts.items():
            if options.parts is None or name in options.parts.split(","):
                status.update(f"measuring: {name}")
                rows += part()
    how = (
        f"n = {n:,} unless said otherwise; epsilon = {EPSILON:g}; secure bits; one thread unless "
        f"said otherwise; best of {repeats}; ratio: how many times faster hushvote is, per report "
        f"or ballot. Load of the machine {before:.1f} when it began, {load():.1f} when it ended, "
        "this program's own included."
    )
    about = machine()
    console.print(shown(rows))
    console.print(how)
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    made = written(options.out, rows, {**about, "load before": before, "epsilon": EPSILON}, how)
    console.print("written to " + ", ".join(str(path) for path in made))


if __name__ == "__main__":
    main()

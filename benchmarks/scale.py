"""Counting at scale: reports in files to tallies, beside a plain scan and the bare count.

Run from the project's folder: `python -m benchmarks.scale`. Every figure comes from a fresh
process; what is compared takes turns, and the best time of each counts. Memory is the high-water
mark (VmHWM) of the whole process, packages included. Tables go to `benchmarks/results/`.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CORES = len(os.sched_getaffinity(0))
TURNS = 3

BEGIN = """
import json, sys, time
from pathlib import Path

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000

def tell(n, seconds, **more):
    cpu = time.process_time() - began  # of all threads
    print(json.dumps({"n": n, "seconds": seconds, "cpu": cpu, "megabytes": peak(), **more}))
"""
SCAN = """
import duckdb
paths = sorted(str(path) for path in Path(sys.argv[1]).rglob("*.parquet"))
with duckdb.connect(config={"threads": int(sys.argv[2])}) as database:
    database.execute("SET enable_progress_bar = false")
    start, began = time.perf_counter(), time.process_time()
    names = database.sql("SELECT * FROM read_parquet(?) LIMIT 0", params=[paths]).columns
    sums = ", ".join(f'sum("{name}"::DOUBLE)' for name in names)
    query = f"SELECT count(*), {sums} FROM read_parquet(?)"
    n = database.sql(query, params=[paths]).fetchall()[0][0]
    tell(n, time.perf_counter() - start)
"""
TALLY = """
import duckdb, pyarrow.compute, hushvote as hv
hv.tally_files
start, began = time.perf_counter(), time.process_time()
tally = hv.tally_files([sys.argv[1]])
seconds = time.perf_counter() - start
Path(sys.argv[2]).write_text(tally.to_json(), encoding="utf-8")
tell(tally.n, seconds)
"""
COUNT = """
import hushvote as hv
from hushvote import cores
from hushvote.batch import mechanism_of, read_reports
path = sorted(Path(sys.argv[1]).rglob("*.parquet"))[0]
mechanism, reports = mechanism_of(path), read_reports([path])[:4_000_000]
mechanism.count(reports[:1000])
rounds = 10  # to take about as long as a tally, through the same fast and slow moments of a machine
start, began = time.perf_counter(), time.process_time()
with cores.one_thread_each():
    for first in rounds * [*range(0, len(reports), 1 << 16)]:
        mechanism.count(reports[first : first + (1 << 16)])
tell(rounds * len(reports), time.perf_counter() - start)
"""
SPARK = """
import hushvote as hv
start, began = time.perf_counter(), time.process_time()
tally = hv.tally_files([sys.argv[1]], engine="spark", master=sys.argv[3])
seconds = time.perf_counter() - start
right = hv.Tally.from_json(Path(sys.argv[2]).read_text(encoding="utf-8"))
tell(tally.n, seconds, same=tally == right)
"""
DIRTY = """
import hushvote as hv
from tests.conftest import random_orders
from tests.dirty import POLL, dirty
made = hv.Duel(hv.borda(8), 1)
rows = dirty(Path(sys.argv[1]), made, made.privatize(random_orders(int(sys.argv[2]), 8)))
right = made.tally(rows.clean).for_poll(POLL)
options = {**rows.options, "parameters": dict(made.parameters())}
print(json.dumps([[*map(str, rows.paths)], options, right.to_json(), rows.left.to_dict()]))
"""
CLEAN = """
import duckdb, pyarrow.compute, hushvote as hv
paths, options, right, left = json.loads(sys.argv[1])
engine = {"engine": "spark", "master": sys.argv[2]} if sys.argv[2] else {}
hv.count_files
start, began = time.perf_counter(), time.process_time()
found = hv.count_files(paths, **options, **engine)
seconds = time.perf_counter() - start
same = found.tally == hv.Tally.from_json(right) and found.left.to_dict() == left
tell(found.n + sum(found.left.to_dict().values()), seconds, same=same)
"""


def run(code: str, *words: object) -> Any:
    """One measurement in a fresh process: the last line that it prints."""
    command = [sys.executable, "-c", BEGIN + code, *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": f"{HERE.parent / 'src'}{os.pathsep}{HERE.parent}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody compiles modules in every process
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, cwd=HERE.parent
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def in_turns(*tasks: Callable[[], dict[str, Any]]) -> list[dict[str, Any]]:
    """The best of several turns of each, with the largest memory of all turns."""
    turns = [[task() for task in tasks] for _ in range(TURNS)]
    best = [
        min((turn[k] for turn in turns), key=lambda one: one["seconds"]) for k in range(len(tasks))
    ]
    for k, one in enumerate(best):
        one["megabytes"] = max(turn[k]["megabytes"] for turn in turns)
    return best


def reports(folder: Path, d: int, n: int) -> Path:
    """A folder of simulated reports, made once."""
    made = folder / f"duel{d}"
    if not made.exists():
        words = ["--out", made, "--candidates", d, "--reports", n, "--mechanism", "duel"]
        command = [sys.executable, "-m", "hushvote", "synth", *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "src")}
        subprocess.run([*command, "--electorate", "impartial"], check=True, env=environment)
    return made


def row(
    what: str, one: dict[str, Any], beside: str, figure: str, target: str, met: bool
) -> dict[str, Any]:
    return {
        "what": what,
        "n": one["n"],
        "seconds": round(one["seconds"], 3),
        "cpu": round(one["cpu"], 3),
        "rate": round(one["n"] / one["seconds"]),
        "megabytes": round(one["megabytes"]),
        "beside": beside,
        "figure": figure,
        "target": target,
        "met": met,
    }


def grouped(folder: Path, n: int) -> tuple[dict[str, Any], dict[str, Any], Path]:
    """A plain scan of reports that repeat, and their tally, which is kept in a file."""
    files, kept = reports(folder, 16, n), folder / "16.json"
    scan, tally = in_turns(lambda: run(SCAN, files, CORES), lambda: run(TALLY, files, kept))
    return scan, tally, kept


def streamed(folder: Path, n: int) -> tuple[dict[str, Any], dict[str, Any], Path]:
    """The bare count of reports that hardly repeat, on one core, and the tally of their files."""
    files, kept = reports(folder, 64, n), folder / "64.json"
    bare, tally = in_turns(lambda: run(COUNT, files), lambda: run(TALLY, files, kept))
    return bare, tally, kept


def measured(
    folder: Path, n16: int, n64: int, dirty: int, master: str | None
) -> list[dict[str, Any]]:
    """All rows of the table."""
    scan, tally, tally16 = grouped(folder, n16)
    ratio, work = tally["seconds"] / scan["seconds"], tally["cpu"] / scan["cpu"]
    found = [
        row("plain scan, d = 16", scan, "-", "-", "-", True),
        row(
            "tally, duel, d = 16, grouped",
            tally,
            "plain scan",
            f"{ratio:.2f} scans ({work:.2f} by CPU), {tally['megabytes']:.0f} MB",
            "<= 5 scans, < 1,000 MB",
            ratio <= 5 and tally["megabytes"] < 1000,
        ),
    ]
    bare, tally, tally64 = streamed(folder, n64)
    share = tally["n"] / tally["seconds"] / (CORES * bare["n"] / bare["seconds"])
    work = tally["n"] / tally["cpu"] / (bare["n"] / bare["cpu"])
    found += [
        row("bare count, duel, d = 64, one core", bare, "-", "-", "-", True),
        row(
            "tally, duel, d = 64, streamed",
            tally,
            f"bare count on {CORES} cores",
            f"{share:.0%} ({work:.0%} by CPU)",
            ">= 70 %",
            share >= 0.7,
        ),
    ]
    if master:
        for d, n, right in ((16, n16, tally16), (64, n64, tally64)):
            one = run(SPARK, reports(folder, d, n), right, master)
            same = "the same integers" if one["same"] else "other integers"
            found.append(
                row(f"Spark, duel, d = {d}, {master}", one, "DuckDB", same, "the same", one["same"])
            )
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        rows = json.dumps(run(DIRTY, scratch, dirty))
        one = run(CLEAN, rows, "")
        one["same"] = one["same"] and (not master or run(CLEAN, rows, master)["same"])
    same = "the same integers" if one["same"] else "other integers"
    found.append(
        row("cleaning, duel, d = 8, receipts", one, "mech.tally", same, "the same", one["same"])
    )
    return found


def machine() -> dict[str, Any]:
    """What it was measured on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    memory = Path("/proc/meminfo").read_text().split()[1]
    return {
        "processor": name,
        "cores": CORES,
        "memory_gb": round(int(memory) / 1e6),
        "load_before": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "pyarrow", "duckdb")},
        "date": date.today().isoformat(),
    }


def markdown(about: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """The table for people."""
    lines = [
        "# Counting at scale",
        "",
        f"`python -m benchmarks.scale` on {about['cores']} cores of {about['processor']} with "
        f"{about['memory_gb']} GB; the load of the machine was {about['load_before']} before. "
        f"Python {about['python']}, NumPy {about['numpy']}, PyArrow {about['pyarrow']}, DuckDB "
        f"{about['duckdb']}, {about['date']}. Best of {TURNS} turns.",
        "",
        "| what | reports | seconds | CPU s | reports/s | MB | beside | figure | target | met |",
        "| --- | --: | --: | --: | --: | --: | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {one['what']} | {one['n']:,} | {one['seconds']:,.2f} | {one['cpu']:,.2f} | "
        f"{one['rate']:,} | {one['megabytes']:,} | {one['beside']} | {one['figure']} | "
        f"{one['target']} | {'yes' if one['met'] else 'no'} |"
        for one in rows
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--reports", type=int, default=100_000_000, help="of 16 candidates")
    parser.add_argument("--wide", type=int, default=100_000_000, help="reports of 64 candidates")
    parser.add_argument("--dirty", type=int, default=1_000_000, help="reports that are cleaned")
    parser.add_argument("--spark", metavar="MASTER", help="count on Spark, too: local[2], say")
    parser.add_argument("--folder", type=Path, help="where reports lie or go, and are kept")
    parser.add_argument("--out", type=Path, default=HERE / "results", help="where tables go")
    options = parser.parse_args()
    about = machine()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(exist_ok=True)
        rows = measured(folder, options.reports, options.wide, options.dirty, options.spark)
    options.out.mkdir(exist_ok=True)
    text = json.dumps({"machine": about, "rows": rows}, indent=2) + "\n"
    (options.out / "scale.json").write_text(text, encoding="utf-8")
    (options.out / "scale.md").write_text(markdown(about, rows), encoding="utf-8")
    print(markdown(about, rows))


if __name__ == "__main__":
    main()

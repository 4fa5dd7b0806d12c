"""Large sets of reports of simulated voters, for `hushvote synth --out`.

A folder gets several files, which all cores write at once. The same seed gives the same reports, so
they are private for nobody, and the files say so.
"""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from hushvote.batch import Progress
from hushvote.cli import show
from hushvote.cli.outputs import check_output
from hushvote.errors import FileError, HushvoteError
from hushvote.formats.reports import writing_reports
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.messages import counted
from hushvote.simulation.electorates import Voters
from hushvote.tally import Parameters

PART = 10_000_000  # reports of one file in a folder
BLOCK = 1 << 18  # voters at a time
MOST = 10**11


@dataclass(frozen=True)
class Wanted:
    """Which reports."""

    mechanism: Mechanism
    electorate: str
    n: int
    seed: int


def write(out: Path | None, wanted: Wanted, as_json: bool) -> None:
    """Write a file, or a folder of files, and say so."""
    assert out is not None
    if not 1 <= wanted.n <= MOST or wanted.seed < 0:
        raise HushvoteError(
            f"a set has 1 to {MOST:,} reports, and its seed is at least 0", code="synth.load"
        )
    Voters(wanted.electorate)  # which refuses what is none
    one_file = out.suffix.lower() == ".parquet"
    if one_file:
        check_output(out, (".parquet",), "reports")
        sizes = {out: wanted.n}
    else:
        _check_folder(out)
        parts = -(-wanted.n // PART)
        sizes = {out / f"part-{k:05}.parquet": min(PART, wanted.n - k * PART) for k in range(parts)}
    with show.progress("writing", wanted.n) as advance:
        for done in _written(sizes, wanted, advance):
            advance(done)
    told = {"reports": wanted.n, "files": len(sizes), "out": str(out)}
    if as_json:
        show.print_json({**told, "digest": wanted.mechanism.digest, "private": False})
        return
    show.say(
        f"{counted(wanted.n, 'report')} of {wanted.mechanism.title}, from simulated voters, "
        f"into {out}."
    )


def _check_folder(out: Path) -> None:
    """Make the folder; one with reports in it would be counted with the new ones."""
    try:
        out.mkdir(exist_ok=True)
        if any(out.glob("*.parquet")):
            raise FileError(
                f"cannot write into {out}: there are reports in it; give an empty folder",
                code="file.exists",
                path=out,
            )
    except OSError as error:
        raise FileError(
            f"cannot write into {out}: {(error.strerror or '').lower()}; give a new folder, or a "
            "file that ends in .parquet",
            code="file.unwritable",
            path=out,
        ) from None


def _written(sizes: dict[Path, int], wanted: Wanted, advance: Progress) -> Iterator[int]:
    parameters = wanted.mechanism.parameters()
    tasks = [
        partial(_write_part, path, n, parameters, wanted.electorate, [wanted.seed, k])
        for k, (path, n) in enumerate(sizes.items())
    ]
    if len(tasks) == 1:
        tasks[0](advance)
        return
    with _processes(min(len(tasks), len(os.sched_getaffinity(0)))) as pool:
        for future in [pool.submit(task) for task in tasks]:
            yield future.result()


@contextmanager
def _processes(number: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes; what has not begun when something fails never does."""
    pool = ProcessPoolExecutor(number, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _write_part(
    path: Path,
    n: int,
    parameters: Parameters,
    electorate: str,
    seed: list[int],
    advance: Progress | None = None,
) -> int:
    """One file; without anybody to tell, it returns how many reports it has."""
    mechanism = mechanism_from(parameters)
    voters, rng = Voters(electorate), np.random.default_rng(seed)
    with writing_reports(path, mechanism.domain, mechanism.parameters(), rng=rng) as file:
        for start in range(0, n, BLOCK):
            orders = voters.draw(rng, min(BLOCK, n - start), mechanism.d)
            file.write(mechanism.privatize(orders, rng=rng))
            if advance is not None:
                advance(len(orders))
    return n

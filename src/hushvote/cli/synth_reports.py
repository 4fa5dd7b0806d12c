"""Large sets of reports of simulated voters, for `hushvote synth --out`.

A folder gets several files, which all cores write at once. The same seed gives the same reports, so
they are private for nobody, and the files say so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hushvote import cores
from hushvote.cli import show
from hushvote.cli.outputs import check_output
from hushvote.errors import HushvoteError
from hushvote.files import writing_folder
from hushvote.formats.reports import writing_reports
from hushvote.mechanisms import Mechanism
from hushvote.messages import counted
from hushvote.simulation.electorates import Voters

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
    some = np.random.default_rng(wanted.seed)
    Voters(wanted.electorate).draw(some, 1, wanted.mechanism.d)  # which refuses what is none
    one_file = out.suffix.lower() == ".parquet"
    if one_file:
        check_output(out, (".parquet",), "reports")
        with show.progress("writing", wanted.n) as advance:
            _write_all({out: wanted.n}, wanted, advance)
        files = 1
    else:
        files = _write_folder(out, wanted)
    told = {"reports": wanted.n, "files": files, "out": str(out)}
    if as_json:
        show.print_json({**told, "digest": wanted.mechanism.digest, "private": False})
        return
    show.say(
        f"{counted(wanted.n, 'report')} of {wanted.mechanism.title}, from simulated voters, "
        f"into {out}."
    )


def _write_folder(out: Path, wanted: Wanted) -> int:
    """All files at once when they are written: some would pass for the whole set."""
    n = -(-wanted.n // PART)
    with writing_folder(out) as waiting:
        parts = [waiting / f"part-{k:05}.parquet" for k in range(n)]
        sizes = {part: min(PART, wanted.n - k * PART) for k, part in enumerate(parts)}
        with show.progress("writing", wanted.n) as advance:
            _write_all(sizes, wanted, advance)
    return n


def _write_all(sizes: Mapping[Path, int], wanted: Wanted, advance: cores.Progress) -> None:
    """Files of these sizes, each from numbers of its own."""

    def write_part(part: tuple[int, Path], done: cores.Progress) -> None:
        k, path = part
        made, rng = wanted.mechanism, np.random.default_rng([wanted.seed, k])
        with writing_reports(path, made.domain, made.parameters(), rng=rng) as file:
            for start in range(0, sizes[path], BLOCK):
                orders = voters.draw(rng, min(BLOCK, sizes[path] - start), made.d)
                file.write(made.privatize(orders, rng=rng))
                done(len(orders))

    voters = Voters(wanted.electorate)
    for _ in cores.in_processes(write_part, [*enumerate(sizes)], cores.available(), advance):
        pass

"""Print the table of docs/simulation.md: how often the winner of real ballots is the right one.

    python docs/winners.py FOLDER

takes some twenty seconds. FOLDER has PrefLib files of complete rankings (.soc). The voters of every
simulated poll are drawn from a file with replacement; the right winner is that of these voters.
"""

import os
import sys
from pathlib import Path

import hushvote as hv

MECHANISMS = ("duel", "additive", "laplace")
EPSILONS = (0.5, 1, 2)
VOTERS = (1_000, 10_000, None)
RUNS = 400


def row(path: Path, n: int | None) -> str:
    """One file and number of voters."""
    found = hv.simulate(
        "borda",
        n=n,
        epsilons=EPSILONS,
        mechanisms=MECHANISMS,
        runs=RUNS,
        electorate=str(path),
        metrics="aow",
        jobs=os.cpu_count() or 1,
    ).to_pylist()
    by = {(point["mechanism"], point["epsilon"]): point["mean"] for point in found}
    cells = [f"{100 * by[name, float(e)]:.0f}" for name in MECHANISMS for e in EPSILONS]
    size = f"{found[0]['n']:,}" + (" (all)" if n is None else "")
    return f"| {path.stem} | {found[0]['d']} | {size} | {' | '.join(cells)} |"


def main() -> None:
    """The whole table, in Markdown."""
    heads = [f"{name} {e:g}" for name in MECHANISMS for e in EPSILONS]
    print(f"| ballots | d | voters | {' | '.join(heads)} |")
    print("|---|--:|--:" + "|--:" * len(heads) + "|")
    for path in sorted(Path(sys.argv[1]).glob("*.soc"), key=lambda path: path.name):
        for n in VOTERS:
            print(row(path, n), flush=True)


if __name__ == "__main__":
    main()

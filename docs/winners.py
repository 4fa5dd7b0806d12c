"""Print the table of docs/simulation.md: how often the winner of real ballots is the right one.

    python docs/winners.py FOLDER

takes some twenty seconds. FOLDER has the PrefLib files of `ELECTIONS`; of each, the voters count
who ranked everybody. The voters of every simulated poll are drawn from them with replacement; the
right winner is that of these voters.
"""

import os
import sys
import tempfile
from pathlib import Path

from small_polls import complete_rankings, file_of

import hushvote as hv

ELECTIONS = ("Ballina 2015", "Lismore 2023", "Summer Hill 2023")
MECHANISMS = ("duel", "additive", "laplace")
EPSILONS = (0.5, 1, 2)
VOTERS = (1_000, 10_000, None)
RUNS = 400


def row(election: str, path: Path, n: int | None) -> str:
    """One election and number of voters."""
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
    return f"| {election} | {found[0]['d']} | {size} | {' | '.join(cells)} |"


def main() -> None:
    """The whole table, in Markdown."""
    heads = [f"{name} {e:g}" for name in MECHANISMS for e in EPSILONS]
    print(f"| ballots | d | voters | {' | '.join(heads)} |")
    print("|---|--:|--:" + "|--:" * len(heads) + "|")
    with tempfile.TemporaryDirectory() as scratch:
        for election in ELECTIONS:
            votes = complete_rankings(file_of(Path(sys.argv[1]), election))
            path = Path(scratch) / "complete.soc"
            hv.write_rankings(path, hv.Rankings(votes))
            for n in VOTERS:
                print(row(election, path, n), flush=True)


if __name__ == "__main__":
    main()

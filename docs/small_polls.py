"""Regenerate docs/small-polls.md: how often a small poll of real voters certifies its winner.

Usage: HUSHVOTE_BALLOTS=FOLDER python docs/small_polls.py [--polls 1000] [--processes 1]. FOLDER has
the PrefLib files of `ELECTIONS`, which are told by their titles; of each, the voters count who
ranked everybody. 1,000 polls in each of 36 cells take some ten minutes on one core.
"""

import argparse
import itertools
import math
import multiprocessing
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import hushvote as hv
from hushvote.planning import most_lead
from hushvote.rankings import Orders

LEVEL = 0.95
ELECTIONS = {  # titles of PrefLib files, and their names there
    "Summer Hill 2023": "00058-00000262.soi",
    "Ballina 2015": "00058-00000003.soi",
    "Camden 2019": "00058-00000106.soi",
    "Lismore 2023": "00058-00000231.soi",
}
KINDS = {
    "a clear favourite": ("Lismore 2023",),
    "a fair lead": ("Summer Hill 2023",),
    "a close race": ("Ballina 2015", "Camden 2019"),
}
VOTERS = (300, 500, 1000)
EPSILONS = (1, 3, 5)
OUT = Path(__file__).with_name("small-polls.md")

PAGE = """\
# Small polls: a worked case

For organisers with some hundred members, or a thousand. How often does so small a poll tell who has
won? Here voters of four real elections answer it, in polls of 300, 500 and 1,000 of them, with
Borda scores and `duel`.

## In short

How many polls certified the true winner, with 95 % confidence (rounded down):

{in_short}

The races differ in how far the winner is ahead, out of the largest lead that there can be:

{races}

Of all {all:,} polls, {wrong} certified somebody who had not won; one in twenty would be within the
promise. So a small poll is not likely to be wrong. It is likely to stay open.

## For an organiser

- **Epsilon 1** is not for polls of 1,000 voters and fewer: about nine of ten stay open even with a
  clear favourite. It takes some ten thousand voters, and more in a close race.
- **Epsilon 3**: in these elections a clear favourite was certified in 95 of 100 polls or more from
  500 voters on, and a fair lead from 1,000 on. A close race mostly stays open.
- **Epsilon 5**: a clear favourite or a fair lead was certified in 95 of 100 polls or more from 300
  voters on. A close race may stay open even with 1,000. But 5 protects little:
  see [choosing epsilon](choosing.md).
- **100 to 300 voters** were not tried here. By `hushvote plan` they are enough for a clear
  favourite among three or four candidates, with an epsilon of 3 to 4.
- **Fewer than 100 voters, or a close race that must be decided**: use a plain secret ballot on
  paper, or an encrypted system such as Helios or Belenios.

Whatever you choose, agree beforehand what happens when the result stays open, such as a second
round between those who may have won. Run `hushvote plan` with your own numbers.

## All figures

{polls:,} polls in every row. **lead** is how far the true winner was ahead of the next, on average,
in points of the mean score. The other figures are shares of the polls, in percent: **certified**,
the true winner was; **open**, nobody was; **wrong**, somebody else was.

The last three columns count the same reports with `--survey`, as if the voters stood for others. A
membership that decides for itself does not need that. Counted as a survey, {surveyed:,} polls
certified the true winner instead of {right:,}, and {survey_wrong} a wrong one. The difference is
small at epsilon 1, where nearly all the doubt comes from the noise, and largest at 5.

| election | candidates | voters | lead | epsilon | certified | open | wrong \
| survey: certified | survey: open | survey: wrong |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
{rows}

## Compared with the plan

`hushvote plan` knows nothing about how people will vote, so it names voters that are enough however
they do, in nine of ten polls. For the lead that each election had:

{plans}

In {planned:,} of the polls above, the lead was at least the one that the plan names for so many
voters. {planned_right} % of these certified the true winner, where the plan promises 90 %. With
many candidates the plan is cautious: it reckons with all of them close behind the winner, and with
the most noise that votes can bring. So for Ballina and Camden it asks for far more than 1,000
voters at epsilon 5, though more than half of such polls certified the winner.

## Where the votes come from

Four elections in New South Wales, and of each those voters who ranked all candidates. (They are
those voters only, not the whole election. © State of New South Wales through the NSW Electoral
Commission, CC BY 4.0.) For every poll, so many of them were drawn at random, with replacement. The
true winner is the one of the plain count of just these. Then their votes were randomised, counted
and judged.

The ballots are data set 00058 of [PrefLib](https://www.preflib.org): the files `00058-00000262.soi`
(Summer Hill), `00058-00000003.soi` (Ballina), `00058-00000106.soi` (Camden) and
`00058-00000231.soi` (Lismore). With these in a folder,

<!-- not run: it takes ten minutes, and ballots that do not come with hushvote -->

```sh
HUSHVOTE_BALLOTS=FOLDER python docs/small_polls.py
```

makes this page anew, in about ten minutes.
"""


@dataclass(frozen=True)
class Cell:
    """Polls of so many voters of one election."""

    election: str
    n: int
    epsilon: int


@dataclass(frozen=True)
class Counts:
    """In how many polls the true winner was certified, or another; about these voters, and as if
    they were a sample. And in how many the lead was as large as a plan asks for, and of these, in
    how many the true winner was certified.
    """

    polls: int
    d: int
    lead: float
    """How far the true winner was ahead, on average."""
    right: int
    wrong: int
    survey_right: int
    survey_wrong: int
    planned: int
    planned_right: int

    @property
    def holds(self) -> bool:
        """No more wrong winners than promised, but for four standard errors."""
        return max(self.wrong, self.survey_wrong) <= self.polls * (1 - LEVEL + slack(self.polls))


def slack(polls: int) -> float:
    """Four standard errors of a share that should be 1 - LEVEL."""
    return 4 * math.sqrt(LEVEL * (1 - LEVEL) / polls)


def cells() -> list[Cell]:
    """Every election with every number of voters and every epsilon."""
    return [Cell(*one) for one in itertools.product(ELECTIONS, VOTERS, EPSILONS)]


def file_of(folder: Path, election: str) -> Path:
    """The file of the folder that has this title, whatever its name is."""
    for path in sorted(folder.glob("*.so[ci]")):
        if f"# TITLE: {election}\n" in path.read_text(encoding="utf-8"):
            return path
    raise FileNotFoundError(
        f"{folder} has no ballots of {election}: PrefLib, {ELECTIONS[election]}"
    )


def complete_rankings(path: Path) -> Orders:
    """The ballots of a PrefLib file that rank everybody, one row a voter."""
    text = path.read_text(encoding="utf-8")
    merged = re.findall(r"^(\d+): ([\d,]+)$", text, re.MULTILINE)
    ballots = [(int(count), ranking.split(",")) for count, ranking in merged]
    d = max(len(ranking) for _, ranking in ballots)
    kept = [(count, ranking) for count, ranking in ballots if len(ranking) == d]
    orders = np.array([ranking for _, ranking in kept], dtype=np.uint8) - np.uint8(1)
    return np.repeat(orders, [count for count, _ in kept], axis=0)


def plan_of(rule: hv.Rule, epsilon: float, n: int) -> float:
    """The lead that a plan promises to certify; infinite if there is none."""
    try:
        return hv.plan(rule, epsilon, n=n).lead
    except hv.MechanismError:
        return math.inf


def simulate(folder: Path, cell: Cell, polls: int, seed: int) -> Counts:
    """Draw the voters of every poll anew, then let them vote."""
    rng = np.random.default_rng(seed)
    everybody = complete_rankings(file_of(folder, cell.election))
    d = everybody.shape[1]
    made = hv.mechanism("duel", hv.borda(d), cell.epsilon)
    enough = plan_of(made.rule, cell.epsilon, cell.n)
    lead, found = 0.0, np.zeros(6, dtype=np.int64)
    for _ in range(polls):
        orders = everybody[rng.integers(len(everybody), size=cell.n)]
        totals = np.array([int(total) for total in hv.totals(orders, made.rule)])
        second, first = np.sort(totals)[-2:]
        winner = int(totals.argmax()) if first > second else None
        ahead = float(first - second) / cell.n
        tally = made.tally(made.privatize(orders, rng=rng))
        certified = tally.result().certified(LEVEL)
        surveyed = tally.result(population=True).certified(LEVEL)
        right = certified is not None and certified == winner
        lead += ahead
        found += [
            right,
            certified is not None and certified != winner,
            surveyed is not None and surveyed == winner,
            surveyed is not None and surveyed != winner,
            ahead >= enough,
            ahead >= enough and right,
        ]
    return Counts(polls, d, lead / polls, *(int(x) for x in found))


def _job(task: tuple[Path, Cell, int, int]) -> Counts:
    return simulate(*task)


def main() -> None:
    """Run all cells and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--polls", type=int, default=1000, help="in each cell (default: 1000)")
    parser.add_argument("--processes", type=int, default=1, help="(default: 1)")
    asked = parser.parse_args()
    if not (folder := os.environ.get("HUSHVOTE_BALLOTS")):
        parser.error("set HUSHVOTE_BALLOTS to the folder of the ballots")
    grid, begin = cells(), time.perf_counter()
    tasks = [(Path(folder), cell, asked.polls, seed) for seed, cell in enumerate(grid, start=1)]
    counts: dict[Cell, Counts] = {}
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # such small products are slower in threads
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        for cell, found in zip(grid, pool.imap(_job, tasks), strict=True):
            counts[cell] = found
            minutes = (time.perf_counter() - begin) / 60
            shown = f"\r{len(counts)} of {len(grid)} cells, {minutes:.1f} minutes"
            print(shown, end="", file=sys.stderr, flush=True)
    OUT.write_text(page(counts), encoding="utf-8")
    short = [cell for cell, found in counts.items() if not found.holds]
    print(f"\n{len(short)} cells have too many wrong winners", *short, sep="\n", file=sys.stderr)
    sys.exit(bool(short))


def page(counts: dict[Cell, Counts]) -> str:
    """The page as Markdown."""
    found = list(counts.values())
    planned = sum(c.planned for c in found)
    planned_right = sum(c.planned_right for c in found)
    return PAGE.format(
        in_short="\n".join(in_short(counts)),
        races="\n".join(race(counts, kind) for kind in KINDS),
        polls=found[0].polls,
        all=sum(c.polls for c in found),
        wrong=sum(c.wrong for c in found) or "none",
        right=sum(c.right for c in found),
        surveyed=sum(c.survey_right for c in found),
        survey_wrong=sum(c.survey_wrong for c in found) or "none",
        rows="\n".join(row(cell, one) for cell, one in counts.items()),
        plans="\n".join(plans(counts)),
        planned=planned,
        planned_right=percent(planned_right, planned) if planned else "–",
    )


def percent(part: int, whole: int) -> str:
    """A share in percent, with one digit."""
    return f"{100 * part / whole:.1f}"


def in_short(counts: dict[Cell, Counts]) -> list[str]:
    """A table with the shares of certified winners in the races of each kind."""
    lines = [
        "| race | voters | " + " | ".join(f"epsilon {e}" for e in EPSILONS) + " |",
        "|---|--:|" + "--:|" * len(EPSILONS),
    ]
    for kind, n in itertools.product(KINDS, VOTERS):
        shares = []
        for epsilon in EPSILONS:
            cells = [counts[Cell(name, n, epsilon)] for name in KINDS[kind]]
            low, *_, high = sorted(100 * c.right // c.polls for c in (*cells, *cells))
            shares.append(f"{low} %" if low == high else f"{low} to {high} %")
        lines.append(f"| {kind} | {n:,} | {' | '.join(shares)} |")
    return lines


def race(counts: dict[Cell, Counts], kind: str) -> str:
    """What a kind of race is, by the leads in its largest polls."""
    said = []
    for name in KINDS[kind]:
        lead, d = lead_of(counts, name)
        most = most_lead(hv.borda(d))
        share = f"{100 * lead / most:.0f} %"
        said.append(f"{name}, {d} candidates, {lead:.2f} points of {most:g} ({share})")
    return f"- **{kind}**: {'; '.join(said)}"


def lead_of(counts: dict[Cell, Counts], election: str) -> tuple[float, int]:
    """The average lead in the largest polls of an election, and its number of candidates."""
    ours = [
        one for cell, one in counts.items() if (cell.election, cell.n) == (election, VOTERS[-1])
    ]
    return round(sum(one.lead for one in ours) / len(ours), 2), ours[0].d


def row(cell: Cell, one: Counts) -> str:
    """A line of the large table."""
    shares = [
        percent(x, one.polls)
        for right, wrong in ((one.right, one.wrong), (one.survey_right, one.survey_wrong))
        for x in (right, one.polls - right - wrong, wrong)
    ]
    cells = [cell.election, f"{one.d}", f"{cell.n:,}", f"{one.lead:.2f}", f"{cell.epsilon}"]
    return f"| {' | '.join([*cells, *shares])} |"


def plans(counts: dict[Cell, Counts]) -> list[str]:
    """A table of the voters that a plan asks for, for the average lead of every election."""
    lines = [
        "| election | candidates | lead | " + " | ".join(f"epsilon {e}" for e in EPSILONS) + " |",
        "|---|--:|--:|" + "--:|" * len(EPSILONS),
    ]
    for election in ELECTIONS:
        lead, d = lead_of(counts, election)
        voters = [f"{hv.plan(hv.borda(d), epsilon, lead).n:,}" for epsilon in EPSILONS]
        lines.append(f"| {election} | {d} | {lead:.2f} | {' | '.join(voters)} |")
    return lines


if __name__ == "__main__":
    main()

"""Regenerate docs/detection-table.md and docs/img/detection.png: which share of made-up reports
`hv.inspect` finds, and how often it suspects honest ones.

Usage: python docs/power.py [polls a cell]. With 200 polls a cell it takes some ten minutes.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.progress import track

import hushvote as hv
from hushvote.mechanisms.fields import Reports
from hushvote.plots import figure
from hushvote.plots.style import look
from hushvote.rankings import Orders
from hushvote.simulation import electorates

HERE = Path(__file__).parent
RULE, EPSILON, LEVEL = hv.borda(8), 1, 0.01
SIZES = (1_000, 10_000, 100_000)
SHARES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
KINDS = ("one report", "all harmful ones")
SHOWN = (0.01, 0.02, 0.05, 0.1)

Rng = np.random.Generator


def identical(n: int, rng: Rng) -> Orders:
    """Voters of a single mind."""
    return np.tile(rng.permutation(RULE.d).astype(np.uint8), (n, 1))


def blocs(n: int, rng: Rng) -> Orders:
    """Two blocs that think the opposite of each other."""
    one = rng.permutation(RULE.d)
    return np.where(rng.random((n, 1)) < 0.5, one, one[::-1]).astype(np.uint8)


def impartial(n: int, rng: Rng) -> Orders:
    """All rankings equally likely."""
    return electorates.impartial(rng, n, RULE.d)


def paper(n: int, rng: Rng) -> Orders:
    """Voters of the paper."""
    return electorates.paper(rng, n, RULE.d)


def suspected(made: hv.Mechanism, reports: Reports) -> bool:
    """Whether the reports are suspected."""
    return hv.inspect(made.tally(reports), reports, false_alarm=LEVEL).suspicious


OTHERS = {  # further rules, for the duel
    "Borda, 4 candidates": hv.borda(4),
    "Borda, 6 candidates": hv.borda(6),
    "Borda, 8 candidates": hv.borda(8),
    "Borda, 16 candidates": hv.borda(16),
    "Borda, 32 candidates": hv.borda(32),
    "Nauru, 8 candidates": hv.nauru(8),
    "plurality, 8 candidates": hv.plurality(8),
}


def power(made: hv.Mechanism, n: int, polls: int, rng: Rng) -> dict[tuple[str, float], float]:
    """Share of the polls that are suspected, by kind and share of the made-up reports."""
    found = {(kind, share): 0 for kind in KINDS for share in SHARES}
    for _ in range(polls):
        orders = electorates.paper(rng, n, made.d)
        honest = made.privatize(orders, rng=rng)
        first, second = np.argsort([-float(t) for t in hv.totals(orders, made.rule)])[:2]
        fakes = made.disguise(favour=int(second), against=int(first), n=n, rng=rng)
        for kind, share in found:
            count = round(share * n)
            made_up = np.repeat(fakes[:1], count) if kind == KINDS[0] else fakes[:count]
            found[kind, share] += suspected(made, np.concatenate([made_up, honest[count:]]))
    return {key: hits / polls for key, hits in found.items()}


def alarms(
    made: hv.Mechanism, n: int, polls: int, rng: Rng, voters: Callable[[int, Rng], Orders]
) -> float:
    """Share of honest polls that are suspected."""
    hits = sum(suspected(made, made.privatize(voters(n, rng), rng=rng)) for _ in range(polls))
    return hits / polls


def main() -> None:
    """Simulate, then write the table and the picture."""
    polls = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rng = np.random.default_rng(1)
    mechanisms = [hv.mechanism(name, RULE, EPSILON) for name in hv.mechanism_names()]
    found = {
        (made.name, n): power(made, n, polls, rng)
        for made in track(mechanisms, description="made-up reports")
        for n in SIZES
    }
    voters = (identical, blocs, impartial, paper)
    false = {
        (made.name, n, kind.__name__): alarms(made, n, polls, rng, kind)
        for made in track(mechanisms, description="honest reports")
        for n in SIZES[:2]
        for kind in voters
    }
    draw(found)
    lines = [
        f"Borda over {RULE.d} candidates, epsilon {EPSILON}, level {LEVEL:g}, {polls} polls each.",
        "[Finding made-up reports](detection.md) says what is checked. `python docs/power.py`",
        "makes this page anew.",
        "",
        "## Made-up reports that are found",
        "",
        "Share of polls that are suspected, in percent, if so many of the reports are the most",
        "harmful ones: all the same one, or spread over all that are equally harmful.",
        "",
        "| mechanism | voters | " + " | ".join(f"{100 * s:g} % the same" for s in SHOWN)
        + " | " + " | ".join(f"{100 * s:g} % spread" for s in SHOWN) + " |",
        "|---|--:|" + "--:|" * (2 * len(SHOWN)),
    ]  # fmt: skip
    for (name, n), cells in found.items():
        shares = [f"{100 * cells[kind, share]:.0f}" for kind in KINDS for share in SHOWN]
        lines.append(f"| {name} | {n:,} | {' | '.join(shares)} |")
    lines += [
        "",
        "## Duel, other rules",
        "",
        f"Spread, {SIZES[1]:,} voters.",
        "",
        "| rule | " + " | ".join(f"{100 * share:g} %" for share in SHARES) + " |",
        "|---|" + "--:|" * len(SHARES),
    ]
    for name, rule in track(OTHERS.items(), description="other rules"):
        cells = power(hv.Duel(rule, EPSILON), SIZES[1], polls, rng)
        shown = (f"{100 * cells[KINDS[1], share]:.0f}" for share in SHARES)
        lines.append(f"| {name} | {' | '.join(shown)} |")
    lines += [
        "",
        "## Honest reports that are suspected",
        "",
        f"In percent; the promise is at most {100 * LEVEL:g}, whoever votes how.",
        "",
        "| mechanism | voters | of one mind | two blocs | impartial | the paper's |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for made in mechanisms:
        for n in SIZES[:2]:
            row = [f"{100 * false[made.name, n, kind.__name__]:.0f}" for kind in voters]
            lines.append(f"| {made.name} | {n:,} | {' | '.join(row)} |")
    text = "# What share of made-up reports is found\n\n" + "\n".join(lines) + "\n"
    (HERE / "detection-table.md").write_text(text, encoding="utf-8")


def draw(found: dict[tuple[str, int], dict[tuple[str, float], float]]) -> None:
    """Power against the share of made-up reports that are spread, for 10 000 voters."""
    with figure(HERE / "img" / "detection.png") as axes:
        for name in hv.mechanism_names():
            cells = found[name, SIZES[1]]
            axes.plot(
                [100 * share for share in SHARES],
                [100 * cells[KINDS[1], share] for share in SHARES],
                label=name,
                clip_on=False,
                **look(name).drawn(scale=1.2),
            )
        axes.set_ylim(0, 100)
        axes.set_xscale("log")
        axes.set_xticks([100 * share for share in SHARES], [f"{100 * s:g}" for s in SHARES])
        axes.minorticks_off()
        axes.set_xlabel("made-up reports, % of 10,000")
        axes.set_ylabel("polls that are suspected, %")
        axes.figure.legend(loc="outside lower left", ncols=2, handlelength=3.4)


if __name__ == "__main__":
    main()

"""Write docs/duel-table.md anew: how far the duel's error is from the optimum.

`python docs/tables.py` takes some minutes: it solves 25 rules for 2 to 7 candidates and five
epsilons. The optimum is the error achieved by `hv.optimum`; the last column says how tight
its rigorous lower bound is for the named rules.
"""

import multiprocessing
import statistics
from pathlib import Path

import numpy as np
from rich.progress import track

import hushvote as hv

EPSILONS = ("0.1", "0.5", "1", "2", "3")
BOUNDED = ("0.1", "1", "3")  # where the lower bound is computed too
PROCESSES = 2
SIZES = (2, 3, 4, 5, 6, 7)
RANDOM = 20
PAGE = Path(__file__).with_name("duel-table.md")

INTRODUCTION = """\
# How close duel comes to the optimum

The error of `duel`, divided by the least that `hv.optimum` achieved for the same rule, number of
candidates (d) and epsilon: 1.0000 is as good as the best that was found. *Bound* says by how much
the optimum itself may lie below that, at most, by a rigorous lower bound at epsilon 0.1, 1 and 3.
Of 20 random rules the worst is shown.
[Duel and challenge](duel.md#how-far-from-the-optimum) says what this means.
"""


def named(d: int) -> dict[str, hv.Rule]:
    """The named rules of this size."""
    made = {
        "Borda": hv.borda(d),
        "Nauru": hv.nauru(d),
        "plurality": hv.plurality(d),
        "anti-plurality": hv.antiplurality(d),
    }
    if d > 2:
        made["2-approval"] = hv.approval(d, k=2)
    if d > 3:
        made["best and worst"] = hv.Rule("best-worst", [2, *[1] * (d - 2), 0])
    return made


def random_rules(d: int) -> list[hv.Rule]:
    """Score vectors with two decimals, drawn uniformly and sorted."""
    rng = np.random.default_rng(d)
    drawn = np.sort(rng.integers(0, 101, (RANDOM, d)), axis=1)[:, ::-1]
    return [
        hv.Rule(f"random-{i}", [f"{w / 100:.2f}" for w in scores])
        for i, scores in enumerate(drawn.tolist())
        if scores[0] > scores[-1]
    ]


def ratio(rule: hv.Rule, epsilon: str) -> float:
    """Error of the duel over the achieved optimum."""
    return hv.Duel(rule, epsilon).mse() / hv.optimum(rule, epsilon, splits=0).achieved


def row(task: tuple[hv.Rule, bool]) -> tuple[list[float], float]:
    """The ratios of one rule, and how far its bound is off at most."""
    rule, bounded = task
    cells = [ratio(rule, e) for e in EPSILONS]
    return cells, max((hv.optimum(rule, e).gap for e in BOUNDED if bounded), default=0.0)


def main() -> None:
    """Compute and write the page."""
    groups = [(d, named(d), random_rules(d)) for d in SIZES]
    tasks = [(rule, True) for _, rules, _ in groups for rule in rules.values()]
    tasks += [(rule, False) for _, _, rules in groups for rule in rules]
    tasks.sort(key=lambda task: -task[0].d)
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        done = track(pool.imap(row, tasks), description="rules", total=len(tasks))
        found = dict(zip(tasks, done, strict=True))
    lines = [
        INTRODUCTION,
        "| rule | d | " + " | ".join(f"ε = {e}" for e in EPSILONS) + " | bound |",
        "|---|--:|" + "--:|" * (len(EPSILONS) + 1),
    ]
    for d, rules, drawn in groups:
        for name, rule in rules.items():
            cells, gap = found[rule, True]
            shown = " | ".join(f"{x:.4f}" for x in cells)
            lines.append(f"| {name} | {d} | {shown} | {100 * gap:.2f} % |")
        rows = [found[rule, False][0] for rule in drawn]
        worst = " | ".join(f"{max(column):.4f}" for column in zip(*rows, strict=True))
        lines.append(f"| {len(rows)} random rules, worst | {d} | {worst} | |")
    everything = [x for cells, _ in found.values() for x in cells]
    summary = (
        f"Over all {len(everything)} cases, every random rule included, the median is "
        f"{statistics.median(everything):.4f} and the largest {max(everything):.4f}."
    )
    PAGE.write_text("\n".join([*lines, "", summary, ""]), encoding="utf-8")
    print(summary)


if __name__ == "__main__":
    main()

"""Regenerate docs/tightness-table.md: how close the estimated variance of a difference comes.

Usage: python docs/tightness.py [polls a cell]. With 200 polls a cell it takes about two minutes.
"""

import itertools
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

import hushvote as hv
from hushvote.mechanisms.contract import Floats
from hushvote.rankings import Orders
from hushvote.result import own_variance

RULES = {"Borda": hv.borda, "Nauru": hv.nauru, "plurality": hv.plurality}
ELECTORATES = ("uniform", "random")
GRID = (tuple(RULES), (3, 5, 8), (1, 2, 3, 4, 5, 6), (300, 2000), ELECTORATES)
OUT = Path(__file__).with_name("tightness-table.md")


@dataclass(frozen=True)
class Found:
    """Variances of the differences of all pairs, averaged: the estimate and a survey's over the
    true one, and the estimate over that of the best weights for this electorate.
    """

    over_truth: float
    over_best: float
    survey: float


def electorate(kind: str, n: int, d: int, rng: np.random.Generator) -> Orders:
    """Rankings that are all alike likely, or as in the paper: every candidate has a scale, every
    voter a uniform share of it.
    """
    worth = np.ones(d) if kind == "uniform" else rng.random(d)
    return np.argsort(-(worth * rng.random((n, d))), axis=1).astype(np.uint8)


def found(made: hv.Mechanism, orders: Orders, polls: int, rng: np.random.Generator) -> Found:
    """Run polls of these voters."""
    n, d = orders.shape
    law = made.pair_law()
    assert law is not None
    ranks = np.argsort(orders, axis=1)
    first, second = np.triu_indices(d, 1)
    apart = law.one - law.other
    variances = law.chances @ apart**2 - (law.chances @ apart) ** 2
    truth = np.array(
        [variances[ranks[:, j], ranks[:, k]].mean() for j, k in zip(first, second, strict=True)]
    )
    estimate, survey = np.zeros(len(truth)), np.zeros(len(truth))
    for _ in range(polls):
        moments = made.moments(n, made.count(made.privatize(orders, rng=rng)))
        estimated = own_variance.pair_variances(made, moments)
        assert estimated is not None
        assert moments.second is not None
        estimate += estimated.variances[first, second] / polls
        spread = n * made.sample_covariance(moments.mean, moments.second, n)
        own = np.diag(spread)
        survey += (own[first] + own[second] - 2 * spread[first, second]) / polls
    best = np.array([least(made, ranks[:, [j, k]]) for j, k in zip(first, second, strict=True)])
    return Found(
        float((estimate / truth).mean()),
        float((estimate / best).mean()),
        float((survey / truth).mean()),
    )


def least(made: hv.Mechanism, ranks: Orders) -> float:
    """The least that any weights could bound, if the electorate were known: a linear program."""
    law, safe = made.pair_law(), own_variance.pair_certificate(made, 1)
    assert law is not None
    assert safe is not None
    features, variances = _features(made)
    d = made.d
    share = np.zeros((d, d))
    np.add.at(share, tuple(np.sort(ranks, axis=1).T), 1 / len(ranks))
    solved = linprog(
        share[np.triu_indices(d, 1)] @ features,
        A_ub=-features,
        b_ub=-variances,
        bounds=(None, None),
    )
    return float(solved.fun)


def _features(made: hv.Mechanism) -> tuple[Floats, Floats]:
    """Means of the features of all variants at every two ranks, in scale, and the variances."""
    law = made.pair_law()
    assert law is not None
    one, other = (values - float(made.rule.mean) for values in (law.one, law.other))
    chances = law.chances[np.triu_indices(made.d, 1)]
    columns = []
    for variant in np.unique(law.variants):
        here = law.variants == variant
        for feature in (np.ones_like(one), one + other, (one - other) ** 2, (one + other) ** 2):
            column = chances @ (feature * here)
            columns.append(column / max(1e-12, float(np.abs(column).max())))
    apart = one - other
    return np.stack(columns, axis=1), chances @ apart**2 - (chances @ apart) ** 2


def main() -> None:
    """Run all cells and write the table."""
    polls = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rows = []
    for rule, d, epsilon, n, kind in itertools.product(*GRID):
        made, rng = hv.Duel(RULES[rule](d), epsilon), np.random.default_rng(1)
        one = found(made, electorate(kind, n, d, rng), polls, rng)
        rows.append((rule, d, epsilon, n, kind, one))
        print(f"\r{len(rows)} cells", end="", file=sys.stderr, flush=True)
    kinds = {"plurality": [row for row in rows if row[0] == "plurality"]}
    kinds["Borda and Nauru"] = [row for row in rows if row[0] != "plurality"]
    lines = [
        "# How close the estimated errors come",
        "",
        "In a result about these voters, the variance of the difference of two candidates is",
        f"estimated so that it is not too small. Here is how much too large it is, over {polls}",
        "simulated polls of the same voters with duel, averaged over all pairs of candidates:",
        "",
        "- **over the truth**: the estimate, over the lottery's true variance;",
        "- **over the best**: the estimate, over the least that any safe weights could give if the",
        "  electorate were known beforehand;",
        "- **survey**: the variance that counts the spread of votes as well, over the truth. So",
        "  many times as many voters would be needed with it.",
        "",
        "The electorate is *uniform* if every ranking is as likely as any other, and *random* if",
        "each candidate was given a worth at random, and the worthier tend to be ranked higher.",
        "[Results in depth](results-in-depth.md#the-variance-of-the-lottery) says how it is",
        "estimated.",
        "",
        "| largest | over the truth | over the best | survey |",
        "|---|--:|--:|--:|",
    ]
    for name, some in kinds.items():
        most = [
            max(getattr(row[-1], key) for row in some)
            for key in ("over_truth", "over_best", "survey")
        ]
        lines.append(f"| {name} | {most[0]:.2f} | {most[1]:.2f} | {most[2]:.1f} |")
    lines += [
        "",
        "| rule | candidates | epsilon | voters | electorate | over the truth | over the best "
        "| survey |",
        "|---|--:|--:|--:|---|--:|--:|--:|",
    ]
    for rule, d, epsilon, n, kind, one in rows:
        shares = f"{one.over_truth:.2f} | {one.over_best:.2f} | {one.survey:.2f}"
        lines.append(f"| {rule} | {d} | {epsilon} | {n:,} | {kind} | {shares} |")
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("", *lines[13:17], sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main()

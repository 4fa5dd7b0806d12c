"""What the paper says: one row a claim, and how it is put to the test.

A claim is a statement in our words, the figures it needs, what would count as reproduced, and a
function that measures it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median
from typing import Any

import numpy as np

from hushvote.mechanisms import WeightedSampling
from hushvote.reproduction.grid import FEW_EPSILONS, PAPER, RULES
from hushvote.reproduction.ledger import Claim, Finding, Judged, Keep, Points, Value, settled
from hushvote.rules import rule as rule_of
from hushvote.simulation.points import Row

CLOSE = 5  # percentage points by which "reduces by 25 %" may be missed
HARMLESS, HARMFUL = 5, 10  # per cent of further error, on average over the figure
NEARLY_ALL = 95  # per cent that count as "nearly 100 %"


def judged(rows: Sequence[Row]) -> list[Judged]:
    """Every claim whose figures are there, with its finding; none without the paper's epsilons."""
    if not {row["epsilon"] for row in rows}.issuperset(FEW_EPSILONS):
        return []
    points = Points(rows)
    asked = [claim for claim in CLAIMS if points.figures.issuperset(claim.figures)]
    return [Judged(claim, claim.measure(points)) for claim in asked]


# --- how claims are measured ------------------------------------------------------------------


def _reduction(figure: str, new: str, old: str, least: float, **poll: object) -> Any:
    """By how many per cent `new` lies below `old`, on average over a figure."""

    def measure(points: Points) -> Finding:
        share, error = points.ratio((figure, new), (figure, old), _is(poll))
        gain, error = 100 * (1 - share), 100 * error
        return Finding(gain, error, settled([(gain - (least - CLOSE), error)]))

    return measure


def _is(poll: dict[str, object]) -> Keep:
    return lambda row: all(row[key] == value for key, value in poll.items())


def _grows_with_candidates(points: Points) -> Finding:
    figure = "fig-tve-borda-candidates"
    ratios = [
        points.ratio((figure, "additive"), (figure, "weighted-sampling"), _is({"d": d}))
        for d in (4, 8, 16, 32)
    ]
    gains = [100 * (1 - share) for share, _ in ratios]
    errors = [100 * error for _, error in ratios]
    steps = [
        (new - old, math.hypot(*both))
        for (old, new), both in zip(pairwise(gains), pairwise(errors), strict=True)
    ]
    error = math.hypot(errors[0], errors[-1])
    detail = "additive below weighted sampling by " + ", ".join(
        f"{gain:.0f} % (d = {d})" for gain, d in zip(gains, (4, 8, 16, 32), strict=True)
    )
    return Finding(gains[-1] - gains[0], error, settled(steps), detail, "points")


def _against_printed_lemma(points: Points) -> Finding:
    """Additive against weighted sampling; the detail has what the printed lemma would give."""
    figure = "fig-mse-theory"
    new, old = (points.of(figure, name, _is({"rule": "borda"}))[:, 0] for name in PAPER[:1:-1])
    share = float((new / old).mean())
    printed = float((new / (old + _omitted("borda"))).mean())
    detail = f"{100 * (1 - printed):.1f} % with the lemma as printed"
    return Finding(100 * (1 - share), 0, 100 * (1 - share) >= 40 - CLOSE, detail)


def _omitted(name: str) -> float:
    """The sum of (w - c)², which the printed MSE of weighted sampling does not subtract."""
    made = WeightedSampling(rule_of(name, 5), 1)
    return float(sum((w - made.intercept) ** 2 for w in made.rule.scores))


def _half_of_laplace(points: Points) -> Finding:
    figure = "fig-mse-theory"
    shares = {
        name: points.ratio((figure, "weighted-sampling"), (figure, "laplace"), _is({"rule": name}))
        for name in RULES
    }
    value = 100 * fmean(share for share, _ in shares.values())
    detail = ", ".join(f"{RULES[name]} {100 * share:.0f} %" for name, (share, _) in shares.items())
    return Finding(value, 0, abs(value - 50) <= CLOSE, detail)


def _magnitude(points: Points) -> Finding:
    figure = "fig-em-theory"
    new, old = (points.of(figure, name)[:, 0] for name in ("additive", "laplace"))
    gains = (100 * (1 - new / old)).tolist()
    reached = sum(gain >= 70 - CLOSE for gain in gains)
    detail = f"{reached} of {len(gains)} points reach {70 - CLOSE} %"
    return Finding(median(gains), 0, 2 * reached > len(gains), detail)


def _accuracy_of_few(points: Points) -> Finding:
    cells = {
        name: [
            row
            for row in points.rows
            if row["figure"] == "fig-aow-1000-voters"
            and row["mechanism"] == name
            and row["epsilon"] >= 1
        ]
        for name in ("additive", "duel")
    }
    row, duel = (min(rows, key=lambda row: row["mean"]) for rows in cells.values())
    detail = f"{RULES[row['rule']]}, epsilon {row['epsilon']:g}; at its lowest duel has "
    detail += f"{100 * duel['mean']:.1f} %"
    met = settled((cell["mean"] - 0.8, cell["se"]) for cell in cells["additive"])
    return Finding(100 * row["mean"], 100 * row["se"], met, detail)


def _accuracy_of_many(low: float) -> Any:
    """The least accuracy of any of the paper's mechanisms for epsilons from `low` to below 1."""

    def measure(points: Points) -> Finding:
        figure = "fig-aow-100000-voters"
        rows = [r for r in points.rows if r["figure"] == figure and r["mechanism"] in PAPER]
        covered = [row for row in rows if low <= row["epsilon"] < 1]
        worst = min(covered, key=lambda row: row["mean"])
        epsilons = sorted({row["epsilon"] for row in rows})
        from_here = [
            e
            for e in epsilons
            if all(100 * r["mean"] >= NEARLY_ALL for r in rows if r["epsilon"] >= e)
        ]
        detail = f"{worst['mechanism']}, {RULES[worst['rule']]}, epsilon {worst['epsilon']:g}; "
        detail += (
            f"all reach {NEARLY_ALL} % from epsilon {from_here[0]:g} on"
            if from_here
            else f"not all reach {NEARLY_ALL} % at any epsilon of the grid"
        )
        met = settled((row["mean"] - NEARLY_ALL / 100, row["se"]) for row in covered)
        return Finding(100 * worst["mean"], 100 * worst["se"], met, detail)

    return measure


def _further_error(points: Points, figure: str, adversaries: int, names: Any = PAPER) -> Value:
    """Further error by adversaries, in per cent of that without, on average."""
    found = [
        points.ratio(
            (figure, name),
            (figure, name),
            _is({"adversaries": adversaries}),
            _is({"adversaries": 0}),
        )
        for name in names
    ]
    return 100 * (fmean(x for x, _ in found) - 1), 100 * fmean(error for _, error in found)


def _harm(attack: str, adversaries: int, harmful: bool) -> Any:
    """How much error an attack adds, against the limit of what is harmless or harmful."""

    def measure(points: Points) -> Finding:
        figure = f"fig-tve-borda-{attack}"
        value, error = _further_error(points, figure, adversaries)
        by = []
        for name in (*PAPER, "duel"):
            at = [
                points.of(figure, name, _is({"adversaries": number, "epsilon": 3.0}))[0, 0]
                for number in (adversaries, 0)
            ]
            by.append(f"{name} {round(100 * (at[0] / at[1] - 1))} %")
        met = settled([(value - HARMFUL if harmful else HARMLESS - value, error)])
        return Finding(value, error, met, "at epsilon 3: " + ", ".join(by))

    return measure


def _better_than_laplace(points: Points) -> Finding:
    margins: list[Value] = []
    for attack in ("amplification", "disguise"):
        figure = f"fig-tve-borda-{attack}"
        under = points.of(figure, "laplace", lambda row: row["adversaries"])
        for name in ("weighted-sampling", "additive"):
            found = points.of(figure, name, lambda row: row["adversaries"])
            apart = under[:, 0] - found[:, 0]
            margins += zip(apart, np.hypot(under[:, 1], found[:, 1]), strict=True)
    sides = [settled([margin]) for margin in margins]
    total, ahead = len(margins), sum(by > 0 for by, _ in margins)
    detail = f"{ahead} of {total} points, {sides.count(True)} of them by two errors or more; "
    detail += f"Laplace is ahead by as much in {sides.count(False)}"
    return Finding(100 * ahead / total, 0, settled(margins), detail)


def _more_sensitive(points: Points) -> Finding:
    found = [
        _further_error(points, f"fig-tve-borda-{attack}", 500)
        for attack in ("disguise", "amplification")
    ]
    (made_up, error), (extra, other) = found
    detail = f"{made_up:.0f} % more error by made-up reports, {extra:.0f} % by extra votes"
    apart = made_up - extra, math.hypot(error, other)
    return Finding(*apart, settled([apart]), detail, "points")


CANDIDATES = "fig-tve-borda-candidates"
LEMMA = (
    "The printed error of weighted sampling is too high, as it does not subtract Σ(w − c)²; "
    "the corrected one is used."
)

CLAIMS = (
    Claim(
        "Weighted sampling has 25 % less total variation error than Laplace.",
        (CANDIDATES,),
        f"on average over all points at least {25 - CLOSE} % less",
        _reduction(CANDIDATES, "weighted-sampling", "laplace", 25),
    ),
    Claim(
        "Additive has 50 % less total variation error than Laplace.",
        (CANDIDATES,),
        f"on average over all points at least {50 - CLOSE} % less",
        _reduction(CANDIDATES, "additive", "laplace", 50),
    ),
    Claim(
        "Additive gains on weighted sampling as the number of candidates grows.",
        (CANDIDATES,),
        "more than before at every doubling from 4 to 32 candidates",
        _grows_with_candidates,
    ),
    Claim(
        "For Borda, additive has 75 % less mean squared error than Laplace.",
        ("fig-mse-theory",),
        f"on average over epsilon at least {75 - CLOSE} % less",
        _reduction("fig-mse-theory", "additive", "laplace", 75, rule="borda"),
    ),
    Claim(
        "For Borda, additive has 40 % less mean squared error than weighted sampling.",
        ("fig-mse-theory",),
        f"on average over epsilon at least {40 - CLOSE} % less",
        _against_printed_lemma,
        LEMMA,
    ),
    Claim(
        "Weighted sampling has about half the mean squared error of Laplace.",
        ("fig-mse-theory",),
        f"on average over the four rules within {CLOSE} points of 50 %",
        _half_of_laplace,
        LEMMA,
    ),
    Claim(
        "In most cases additive has a 70 % smaller expected magnitude than Laplace.",
        ("fig-em-theory",),
        f"at least {70 - CLOSE} % in more than half of the points; the figure is the median",
        _magnitude,
        "The printed magnitude of Laplace is not divided by the number of voters; here it is.",
    ),
    Claim(
        "With 1,000 voters additive finds the right winner in more than 80 % of polls from "
        "epsilon 1 on.",
        ("fig-aow-1000-voters",),
        "at least 80 % for both rules at every such epsilon",
        _accuracy_of_few,
    ),
    Claim(
        "With 100,000 voters all mechanisms find the right winner nearly always, at epsilon just "
        "below 1.",
        ("fig-aow-100000-voters",),
        f"at least {NEARLY_ALL} % for every mechanism and both rules at epsilon 0.8",
        _accuracy_of_many(0.8),
        "The paper's table of settings says 1,000,000 voters; its figures have 100,000.",
    ),
    Claim(
        "With 100,000 voters they do so even when epsilon is low.",
        ("fig-aow-100000-voters",),
        f"at least {NEARLY_ALL} % for every mechanism and both rules from epsilon 0.1 on",
        _accuracy_of_many(0.1),
        "The paper's table of settings says 1,000,000 voters; its figures have 100,000.",
    ),
    Claim(
        "Extra votes of up to 1 % of the voters have no real effect.",
        ("fig-tve-borda-amplification",),
        f"at most {HARMLESS} % more total variation error, on average over epsilons and mechanisms",
        _harm("amplification", 100, harmful=False),
    ),
    Claim(
        "Extra votes of 5 % of the voters do real harm.",
        ("fig-tve-borda-amplification",),
        f"at least {HARMFUL} % more total variation error, on average over epsilons and mechanisms",
        _harm("amplification", 500, harmful=True),
    ),
    Claim(
        "Made-up reports of up to 0.1 % of the voters have no real effect.",
        ("fig-tve-borda-disguise",),
        f"at most {HARMLESS} % more total variation error, on average over epsilons and mechanisms",
        _harm("disguise", 10, harmful=False),
        "The printed reports against Laplace lack a division by epsilon.",
    ),
    Claim(
        "Made-up reports of 1 % of the voters do real harm.",
        ("fig-tve-borda-disguise",),
        f"at least {HARMFUL} % more total variation error, on average over epsilons and mechanisms",
        _harm("disguise", 100, harmful=True),
        "The printed reports against Laplace lack a division by epsilon.",
    ),
    Claim(
        "Under both attacks weighted sampling and additive stay ahead of Laplace throughout.",
        ("fig-tve-borda-amplification", "fig-tve-borda-disguise"),
        "Laplace has the larger error in every point",
        _better_than_laplace,
        "The printed reports against Laplace lack a division by epsilon.",
    ),
    Claim(
        "Made-up reports do more harm than as many extra votes.",
        ("fig-tve-borda-amplification", "fig-tve-borda-disguise"),
        "with 500 of each, made-up reports add more error on average",
        _more_sensitive,
        "The printed reports against Laplace lack a division by epsilon.",
    ),
)


# --- ours beside it ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Addition:
    """What a mechanism that the paper does not have adds to a figure."""

    statement: str
    figures: tuple[str, ...]
    measure: Callable[[Points], Finding]


def _attacked(name: str) -> Callable[[Points], Finding]:
    def measure(points: Points) -> Finding:
        value, error = _further_error(points, "fig-tve-borda-disguise", 500, (name,))
        return Finding(value, error, True)

    return measure


ADDITIONS = (
    Addition(
        "Duel has less total variation error than Laplace, by",
        (CANDIDATES,),
        _reduction(CANDIDATES, "duel", "laplace", 0),
    ),
    Addition(
        "Duel has less total variation error than additive, by",
        (CANDIDATES,),
        _reduction(CANDIDATES, "duel", "additive", 0),
    ),
    Addition(
        "500 made-up reports among 10,000 voters add to the total variation error of additive",
        ("fig-tve-borda-disguise",),
        _attacked("additive"),
    ),
    Addition("of duel", ("fig-tve-borda-disguise",), _attacked("duel")),
    Addition("of challenge", ("fig-tve-borda-disguise",), _attacked("challenge")),
)


def additions(rows: Sequence[Row]) -> list[tuple[str, Finding]]:
    """What ours adds, as far as its figures are there."""
    points = Points(rows)
    return [
        (one.statement, one.measure(points))
        for one in ADDITIONS
        if points.figures.issuperset(one.figures)
    ]

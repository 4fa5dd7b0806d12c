"""Draw the pictures of the README and the documentation into docs/img/.

Run it with `python docs/pictures.py`; it needs matplotlib (`pip install ".[plot]"`). Seeds are
fixed, and every mechanism that is registered appears, best first.
"""

import math
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hushvote as hv

FOLDER = Path(__file__).parent / "img"
SEED = 2019
CANDIDATES = ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji", "Farid")
VOTERS = 10_000
EPSILON = 1

# Okabe and Ito's colours, told apart with every kind of colour vision; markers differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#777777")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

STYLE: dict[Any, Any] = {
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "figure.dpi": 200,
}


def electorate(n: int, d: int) -> NDArray[np.uint8]:
    """Sample voters: each candidate has a strength, each voter an own opinion around it."""
    rng = np.random.default_rng(SEED)
    strength = np.linspace(1, 0.4, d)
    return np.argsort(-strength * rng.random((n, d)), axis=1).astype(np.uint8)


def poll() -> Figure:
    """One simulated poll: the truth, and what each mechanism says about it."""
    rule = hv.borda(len(CANDIDATES))
    orders = electorate(VOTERS, rule.d)
    truth = [float(total / VOTERS) for total in hv.totals(orders, rule)]
    choices = hv.design(rule, EPSILON, VOTERS).choices
    figure, axes = plt.subplots(figsize=(8, 4.4), layout="constrained")
    axes.hlines(
        truth,
        np.arange(rule.d) - 0.42,
        np.arange(rule.d) + 0.42,
        color="black",
        linewidth=1.6,
        label="truth",
        zorder=1,
    )
    offsets = np.linspace(-0.3, 0.3, len(choices))
    for i, choice in enumerate(choices):
        mechanism = choice.mechanism
        rng = np.random.default_rng([SEED, *mechanism.name.encode()])
        result = mechanism.tally(mechanism.privatize(orders, rng=rng)).result()
        reach = result.interval(0.95)[:, 1] - result.scores
        axes.errorbar(
            np.arange(rule.d) + offsets[i],
            result.scores,
            yerr=reach,
            fmt=MARKERS[i % len(MARKERS)],
            color=COLOURS[i % len(COLOURS)],
            markersize=5,
            capsize=3,
            linewidth=1.6,
            label=mechanism.name,
        )
    axes.set_xticks(range(rule.d), CANDIDATES)
    axes.grid(visible=False, axis="x")
    axes.tick_params(axis="x", length=0)
    axes.set_ylabel("mean Borda score a voter")
    axes.set_title(
        f"{VOTERS:,} voters, epsilon {EPSILON}: estimates with 95 % intervals",
        loc="left",
        fontsize=12,
    )
    entries = 1 + len(choices)
    rows = math.ceil(entries / 5)
    figure.legend(
        loc="outside lower center",
        ncols=math.ceil(entries / rows),
        columnspacing=1.2,
        handlelength=1.5,
        fontsize=10.5,
    )
    return figure


def error() -> Figure:
    """The error of one report against epsilon, for Borda over 8 candidates."""
    rule = hv.borda(8)
    epsilons = [round(0.1 * 1.1**i, 4) for i in range(37)]
    figure, axes = plt.subplots(figsize=(8, 4.4), layout="constrained")
    for i, choice in enumerate(hv.design(rule, EPSILON)):
        name = choice.mechanism.name
        axes.plot(
            epsilons,
            [hv.mechanism(name, rule, epsilon).mse() for epsilon in epsilons],
            color=COLOURS[i % len(COLOURS)],
            marker=MARKERS[i % len(MARKERS)],
            markevery=6,
            markersize=5,
            linewidth=1.8,
            label=name,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    ticks = (0.1, 0.2, 0.5, 1, 2, 3)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("epsilon (more privacy on the left)")
    axes.set_ylabel("mean squared error of one report")
    axes.set_title("Borda, 8 candidates: the price of privacy", loc="left", fontsize=12)
    axes.legend()
    return figure


def main() -> None:
    """Draw every picture anew."""
    mpl.use("Agg")
    FOLDER.mkdir(exist_ok=True)
    with plt.rc_context(STYLE):
        for draw in (poll, error):
            figure = draw()
            figure.savefig(FOLDER / f"{draw.__name__}.png", metadata={"Software": None})
            plt.close(figure)


if __name__ == "__main__":
    main()

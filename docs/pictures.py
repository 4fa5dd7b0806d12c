"""Draw the pictures of the README and the documentation into docs/img/.

Run it with `python docs/pictures.py`; it needs matplotlib (`pip install ".[plot]"`) and takes about
a minute. Seeds are fixed, and every mechanism that is registered appears, best first. Pictures are
made to be shown 800 pixels wide, with twice as many pixels for sharp screens.
"""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import hushvote as hv
from hushvote.plots import scales, trade_off
from hushvote.plots.pictures import STYLE
from hushvote.plots.style import look

FOLDER = Path(__file__).parent / "img"
SEED = 2019
CANDIDATES = ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji", "Farid")
VOTERS = 10_000
EPSILON = 1
RANKING = ("Ann", "Bob", "Cem", "Dee")

GREY = "#c8c8c8"

LARGE = {**STYLE, "font.size": 11, "figure.dpi": 200}


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
        zorder=1,
    )
    offsets = np.linspace(-0.3, 0.3, len(choices))
    marks = list(axes.collections)
    for i, choice in enumerate(choices):
        mechanism = choice.mechanism
        rng = np.random.default_rng([SEED, *mechanism.name.encode()])
        result = mechanism.tally(mechanism.privatize(orders, rng=rng)).result()
        width = np.abs(result.interval(0.95).T - result.scores)
        drawn = look(mechanism.name).drawn(scale=1.2) | {"linestyle": "none"}
        bars = axes.errorbar(
            np.arange(rule.d) + offsets[i],
            result.scores,
            yerr=width,
            capsize=2.5,
            elinewidth=1.6,
            **drawn,
        )
        marks.append(bars.lines[0])
    axes.set_xticks(range(rule.d), CANDIDATES)
    axes.grid(visible=False, axis="x")
    axes.tick_params(axis="x", length=0)
    axes.set_ylabel("mean Borda score per voter")
    axes.set_title(
        f"{VOTERS:,} voters, epsilon {EPSILON}: estimates with 95 % intervals",
        loc="left",
        fontsize=12,
    )
    names = ["truth", *(choice.mechanism.name for choice in choices)]
    figure.legend(
        marks,
        names,
        loc="outside lower center",
        ncols=len(names),
        columnspacing=1,
        handlelength=1.2,
        handletextpad=0.5,
        fontsize=9.5,
    )
    return figure


def error() -> Figure:
    """The error of one report against epsilon, for Borda over 8 candidates."""
    rule = hv.borda(8)
    epsilons = [round(0.1 * 1.1**i, 4) for i in range(37)]
    figure, axes = plt.subplots(figsize=(8, 4.4), layout="constrained")
    names = [choice.mechanism.name for choice in reversed(hv.design(rule, EPSILON).choices)]
    errors = {name: [hv.mechanism(name, rule, x).mse() for x in epsilons] for name in names}
    scales.logarithmic(axes, "x", epsilons[0] / 1.1, epsilons[-1] * 1.1)
    scales.logarithmic(axes, "y", min(errors["duel"]) / 1.7, max(errors[names[0]]) * 1.7)
    for i, name in enumerate(names):
        axes.plot(
            epsilons,
            errors[name],
            markevery=(i, 6),
            linewidth=1.8,
            label=name,
            **look(name).drawn(scale=1.2),
        )
    axes.set_xlabel("epsilon (more privacy on the left)")
    axes.set_ylabel("mean squared error of one report")
    axes.set_title("Borda, 8 candidates: the price of privacy", loc="left", fontsize=12)
    figure.legend(loc="outside lower left", ncols=2, handlelength=3.4)
    return figure


def duel() -> Figure:
    """One vote and one type of question: all reports it can bring, and how likely each is."""
    blue, orange = look("duel").colour, look("additive").colour
    mechanism = hv.Duel(hv.borda(4), EPSILON)
    listed = [
        (mechanism.words(report, RANKING), float(p))
        for report, p in mechanism.outcomes(range(len(RANKING)))
        if int(report["plus"][0]).bit_count() == 2
    ]
    total = sum(p for _, p in listed)
    words, chances = zip(*sorted(listed, key=lambda pair: -pair[1]), strict=True)
    percent = [100 * p / total for p in chances]
    high, low = max(percent), min(percent)
    drawn = words.index("{Ann, Cem} over {Dee}")

    figure, (left, right) = plt.subplots(
        1, 2, figsize=(8, 4.6), layout="constrained", width_ratios=(0.8, 1)
    )
    left.set(xlim=(0, 10), ylim=(0, 10))
    left.axis("off")
    left.set_title("1. Your ranking stays on the device", loc="left", fontsize=12)
    groups = {"Ann": "+", "Cem": "+", "Dee": "−"}
    for place, name in enumerate(RANKING):
        y = 8.6 - 1.45 * place
        group = groups.get(name, "")
        colour = {"+": blue, "−": orange}.get(group, GREY)
        box = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour, "lw": 2}
        left.text(0.2, y, f"{place + 1}.", va="center", ha="left", fontsize=12)
        left.text(2.6, y, name, va="center", ha="center", fontsize=12, bbox=box)
        if group:
            side = "one group" if group == "+" else "the other group"
            left.text(4.6, y, group, va="center", color=colour, fontsize=15, weight="bold")
            left.text(5.4, y, side, va="center", color=colour, fontsize=10.5)
    left.text(0.2, 2.5, "3. The report that is sent", fontsize=12)
    left.text(
        4.6,
        1.1,
        words[drawn],
        va="center",
        ha="center",
        fontsize=13,
        bbox={"boxstyle": "round,pad=0.6", "facecolor": "#eaf3fa", "edgecolor": blue},
    )

    right.set_title("2. A lottery over all pairs of groups", loc="left", fontsize=12)
    places = np.arange(len(words))
    right.barh(places, percent, color=[blue if p == high else GREY for p in percent], height=0.7)
    right.set_yticks(places, words, fontsize=9.5)
    right.get_yticklabels()[drawn].set_weight("bold")
    right.invert_yaxis()
    right.grid(visible=False)
    right.tick_params(axis="y", length=0)
    right.spines["bottom"].set_visible(False)
    right.set_xticks([])
    right.set_xlim(0, 1.16 * high)
    for place, p in zip(places, percent, strict=True):
        right.text(p + 0.2, place, f"{p:.1f} %", va="center", fontsize=9)
    right.text(
        1.14 * high,
        8.5,
        f"A pair that fits\nthe ranking is\nexp({EPSILON}) = {high / low:.2f} times\n"
        "as likely as one\nthat does not.",
        va="center",
        ha="right",
        fontsize=10,
        linespacing=1.4,
    )
    return figure


def distance() -> Figure:
    """Error as a multiple of the optimum, for Borda and Nauru over 6 candidates."""
    epsilons = [0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3]
    figure, both = plt.subplots(1, 2, figsize=(8, 4.2), layout="constrained", sharey=True)
    for axes, rule in zip(both, (hv.borda(6), hv.nauru(6)), strict=True):
        least = [hv.optimum(rule, epsilon, splits=0).achieved for epsilon in epsilons]
        axes.axhline(1, color="black", linewidth=1, linestyle="--")
        for name in ("laplace", "additive", "challenge", "duel"):
            errors = [hv.mechanism(name, rule, epsilon).mse() for epsilon in epsilons]
            axes.plot(
                epsilons,
                np.divide(errors, least),
                linewidth=1.8,
                label=name,
                **look(name).drawn(scale=1.2),
            )
        scales.logarithmic(axes, "x", 0.09, 3.3)
        scales.logarithmic(axes, "y", 0.9, 11)
        axes.set_xlabel("epsilon")
        axes.set_title(f"{rule.name.title()}, {rule.d} candidates", loc="left", fontsize=12)
    both[0].set_ylabel("error, optimum = 1")
    handles, labels = both[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, handlelength=3.4)
    return figure


def main() -> None:
    """Draw every picture anew."""
    mpl.use("Agg")
    FOLDER.mkdir(exist_ok=True)
    with plt.rc_context(LARGE):
        for draw in (poll, error, duel, distance):
            figure = draw()
            figure.savefig(FOLDER / f"{draw.__name__}.png", metadata={"Software": None})
            plt.close(figure)
    trade_off(hv.design(hv.borda(8), EPSILON), FOLDER / "trade-off.png")


if __name__ == "__main__":
    main()

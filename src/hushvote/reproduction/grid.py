"""The grid: every figure of the paper's evaluation as one row, in the paper's order.

A row says which metric is shown and what is varied from panel to panel; `KINDS` says what that
varies and what stays fixed. Nothing else in this room knows one figure from another.
Source: Wang et al. 2019, figures of the sections on mechanisms, experiments and of the appendix.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from hushvote.errors import SimulationError
from hushvote.simulation import METRICS, Experiment, experiment

EPSILONS = (0.01, 0.1, 0.2, 0.4, 0.8, 1, 1.5, 2, 3)
FEW_EPSILONS = (0.01, 0.1, 0.4, 0.8, 1.5, 3)  # for a first look
PAPER = ("laplace", "naive-sampling", "weighted-sampling", "additive")
FIRST = 2  # the paper's first figure that shows results; figure 1 shows the way of a vote
SERIES = (*PAPER, "duel")
WORDS = {**METRICS, "em": "expected magnitude"}
RULES = {
    "borda": "Borda",
    "nauru": "Nauru",
    "plurality": "plurality",
    "antiplurality": "anti-plurality",
}


@dataclass(frozen=True)
class Panel:
    """One pair of axes: a poll, simulated or by closed form."""

    title: str
    rule: str
    d: int
    n: int
    attack: str = "none"
    adversaries: int = 0


@dataclass(frozen=True)
class Kind:
    """What the panels of a figure vary, and what they have in common."""

    varies: str
    values: tuple[str | int, ...]
    title: str
    d: int = 8
    n: int = 10_000
    attack: str = "none"
    series: tuple[str, ...] = SERIES


KINDS = {
    "theory": Kind("rule", tuple(RULES), "{rule}", d=5, n=1),
    "candidates": Kind("d", (4, 8, 16, 32), "{d} candidates"),
    "voters": Kind("rule", ("borda", "nauru"), "{rule}"),
    "amplification": Kind(
        "adversaries",
        (0, 10, 100, 500),
        "{adversaries} extra votes",
        attack="amplification",
        series=(*SERIES, "challenge"),
    ),
    "disguise": Kind(
        "adversaries",
        (0, 10, 100, 500),
        "{adversaries} made-up reports",
        attack="disguise",
        series=(*SERIES, "challenge"),
    ),
}


@dataclass(frozen=True)
class Figure:
    """One figure: a metric against epsilon, a panel for each value of what is varied."""

    name: str
    metric: str
    kind: str
    rule: str = ""
    n: int = 0

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels, from left to right."""
        kind = KINDS[self.kind]
        made = []
        for value in kind.values:
            poll = {"rule": self.rule, "d": kind.d, "n": self.n or kind.n, "adversaries": 0}
            poll[kind.varies] = value
            title = kind.title.format(**{**poll, "rule": RULES[str(poll["rule"])]})
            made.append(Panel(title, attack=kind.attack, **poll))  # type: ignore[arg-type]
        return tuple(made)

    @property
    def series(self) -> tuple[str, ...]:
        """The mechanisms that are shown."""
        return KINDS[self.kind].series

    @property
    def number(self) -> int:
        """The number that it has in the paper."""
        return FIRST + GRID.index(self)

    @property
    def title(self) -> str:
        """What is shown, in a few words."""
        what = WORDS[self.metric].capitalize()
        polls = {
            "theory": "of one report, five candidates",
            "candidates": f"for {RULES.get(self.rule)}, few to many candidates",
            "voters": f"with {self.n:,} voters",
            "amplification": f"for {RULES.get(self.rule)} under extra random votes",
            "disguise": f"for {RULES.get(self.rule)} under made-up reports",
        }
        return f"{what} {polls[self.kind]}"

    @property
    def caption(self) -> str:
        """The settings, in one or two sentences."""
        first = self.panels[0]
        rule = RULES[first.rule]
        honest = f"{rule} scores, {first.n:,} honest voters, {first.d} candidates"
        said = {
            "theory": "By closed form, for one report and 5 candidates; one panel a voting rule.",
            "candidates": f"{rule} scores, {first.n:,} voters; one panel a number of candidates.",
            "voters": f"{first.n:,} voters, {first.d} candidates; one panel a voting rule.",
            "amplification": f"{honest}; one panel a number of further votes that rank at random "
            "and are randomised honestly.",
            "disguise": f"{honest}; one panel a number of made-up reports, each of them one that "
            "lifts the runner-up over the winner as far as a single report can.",
        }
        return said[self.kind]

    def experiments(
        self, runs: int, seed: int, epsilons: Sequence[float] = EPSILONS
    ) -> list[Experiment]:
        """What must be simulated: panels that differ in adversaries alone are one experiment."""
        if self.kind == "theory":
            return []
        polls: dict[tuple[str, int, int, str], list[int]] = {}
        for p in self.panels:
            polls.setdefault((p.rule, p.d, p.n, p.attack), []).append(p.adversaries)
        return [
            experiment(
                rule,
                d,
                n,
                epsilons,
                self.series,
                attack=attack,
                adversaries=adversaries,
                runs=runs,
                seed=seed,
            )
            for (rule, d, n, attack), adversaries in polls.items()
        ]


GRID = (
    Figure("fig-mse-theory", "mse", "theory"),
    Figure("fig-em-theory", "em", "theory"),
    Figure("fig-tve-borda-candidates", "tve", "candidates", rule="borda"),
    Figure("fig-aow-borda-candidates", "aow", "candidates", rule="borda"),
    Figure("fig-tve-borda-amplification", "tve", "amplification", rule="borda"),
    Figure("fig-tve-borda-disguise", "tve", "disguise", rule="borda"),
    Figure("fig-tve-1000-voters", "tve", "voters", n=1_000),
    Figure("fig-tve-100000-voters", "tve", "voters", n=100_000),
    Figure("fig-aow-1000-voters", "aow", "voters", n=1_000),
    Figure("fig-aow-100000-voters", "aow", "voters", n=100_000),
    Figure("fig-mae-1000-voters", "mae", "voters", n=1_000),
    Figure("fig-low-1000-voters", "low", "voters", n=1_000),
    Figure("fig-mae-100000-voters", "mae", "voters", n=100_000),
    Figure("fig-low-100000-voters", "low", "voters", n=100_000),
    Figure("fig-mae-borda-candidates", "mae", "candidates", rule="borda"),
    Figure("fig-low-borda-candidates", "low", "candidates", rule="borda"),
    Figure("fig-tve-nauru-candidates", "tve", "candidates", rule="nauru"),
    Figure("fig-mae-nauru-candidates", "mae", "candidates", rule="nauru"),
    Figure("fig-aow-nauru-candidates", "aow", "candidates", rule="nauru"),
    Figure("fig-low-nauru-candidates", "low", "candidates", rule="nauru"),
    Figure("fig-mae-borda-amplification", "mae", "amplification", rule="borda"),
    Figure("fig-aow-borda-amplification", "aow", "amplification", rule="borda"),
    Figure("fig-low-borda-amplification", "low", "amplification", rule="borda"),
    Figure("fig-tve-nauru-amplification", "tve", "amplification", rule="nauru"),
    Figure("fig-mae-nauru-amplification", "mae", "amplification", rule="nauru"),
    Figure("fig-aow-nauru-amplification", "aow", "amplification", rule="nauru"),
    Figure("fig-low-nauru-amplification", "low", "amplification", rule="nauru"),
    Figure("fig-mae-borda-disguise", "mae", "disguise", rule="borda"),
    Figure("fig-aow-borda-disguise", "aow", "disguise", rule="borda"),
    Figure("fig-low-borda-disguise", "low", "disguise", rule="borda"),
    Figure("fig-tve-nauru-disguise", "tve", "disguise", rule="nauru"),
    Figure("fig-mae-nauru-disguise", "mae", "disguise", rule="nauru"),
    Figure("fig-aow-nauru-disguise", "aow", "disguise", rule="nauru"),
    Figure("fig-low-nauru-disguise", "low", "disguise", rule="nauru"),
)


def named_figures(names: Sequence[str] = ()) -> tuple[Figure, ...]:
    """The figures of these names in the paper's order; without names, all of them."""
    known = [figure.name for figure in GRID]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
            offer = f"did you mean {' or '.join(near)}?" if near else "--list shows all of them"
            raise SimulationError(
                f"there is no figure {name!r}; {offer}",
                "figures",
                code="figure.unknown",
                given=name,
            )
    return tuple(figure for figure in GRID if not names or figure.name in names)

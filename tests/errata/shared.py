"""What the checks of the errata share.

`docs/errata.md` tells the same in words. Every figure that a test passes to `stated` must stand
in the section of that page which names the test, so page and tests cannot drift apart.

Names follow the paper: w the scores (w[0] for the first place), c the intercept, m the masses,
z the weights of ranks, a and b the estimator of the additive mechanism, E = exp(epsilon) and
s = sqrt(E). All of it is exact: E and s are the fractions, rounded down, that hushvote uses.
"""

import itertools
import math
import re
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

import hushvote as hv
from hushvote.lottery import Odds

PAGE = Path(__file__).parents[2] / "docs" / "errata.md"
MAKERS = (hv.borda, hv.nauru, hv.plurality, hv.antiplurality, partial(hv.approval, k=2))
EPSILONS = ("0.1", "1", "3")

View = tuple[Fraction, ...]


def rules(*sizes: int) -> list[hv.Rule]:
    return [make(d) for d in sizes for make in MAKERS]


def growth(epsilon: str) -> Fraction:
    """E: hushvote's exact stand-in for exp(epsilon)."""
    return Odds.of(Fraction(epsilon)).ratio


def root(epsilon: str) -> Fraction:
    """s: hushvote's exact stand-in for sqrt(exp(epsilon))."""
    return Odds.of(Fraction(epsilon)).root.ratio


def scored(rule: hv.Rule, ranking: Sequence[int]) -> View:
    return tuple(rule.scores[ranking.index(j)] for j in range(rule.d))


def l1(x: Iterable[Fraction], y: Iterable[Fraction]) -> Fraction:
    return sum((abs(a - b) for a, b in zip(x, y, strict=True)), Fraction(0))


def squared(x: Iterable[Fraction], y: Iterable[Fraction]) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))


def mean_view(law: Iterable[tuple[View, Fraction]]) -> View:
    return tuple(map(sum, zip(*([p * x for x in view] for view, p in law), strict=True)))


def diameter(views: Iterable[View]) -> Fraction:
    return max(l1(x, y) for x, y in itertools.combinations(set(views), 2))


def largest_ratio(laws: Iterable[dict[object, Fraction]]) -> Fraction | float:
    """How many times likelier a report can be under one ranking than under another."""
    laws = list(laws)
    ratios = []
    for report in set().union(*laws):
        chances = [law.get(report, Fraction(0)) for law in laws]
        ratios.append(max(chances) / min(chances) if min(chances) > 0 else math.inf)
    return max(ratios)


def sections() -> dict[str, str]:
    """The entries of the page, by heading."""
    parts = re.split(r"^### (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {
        heading: re.split(r"^## ", text, flags=re.MULTILINE)[0]
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def stated(value: object, digits: int) -> None:
    """Assert that the calling test's section of the page gives this figure, so rounded."""
    test = sys._getframe(1).f_code.co_name
    entries = [text for text in sections().values() if f"`{test}`" in text]
    figure = f"{float(value):.{digits}f}"
    assert any(re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d|\.\d)", text) for text in entries), (
        f"docs/errata.md does not give {figure} in the section of {test}"
    )

"""Duel: "these candidates over those", groups that the voter's ranking is likely to set apart.

Law: a question type is drawn with public shares; of all groups of ranks of the type's sizes, those
with Σ mark · λ(group) >= τ have weight A and the others B; the report names the candidates standing
there. Guarantee: within a type every outcome has weight A or B whatever the ranking, and as many
outcomes pass under every ranking, so no report is more than A/B times likelier under one ranking
than under another, whatever the questions are. The linear program that chooses the questions is
ours; its error is close to the least that any unbiased mechanism can have (docs/duel.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from hushvote import exact, lottery
from hushvote.errors import MechanismError
from hushvote.exact import Number
from hushvote.lottery import Bits, Odds
from hushvote.mechanisms import masks
from hushvote.mechanisms.blanket import Blanket
from hushvote.mechanisms.contract import Certificate, Floats
from hushvote.mechanisms.duel.counting import outcomes_of
from hushvote.mechanisms.duel.designing import WHOLE, DesignedQuestion, passing_groups
from hushvote.mechanisms.duel.grouped import Grouped
from hushvote.mechanisms.duel.groups import outcomes
from hushvote.mechanisms.duel.question import parted
from hushvote.mechanisms.fields import Reports
from hushvote.mechanisms.registry import register
from hushvote.mechanisms.signals import Signals
from hushvote.rankings import Orders
from hushvote.rules import Rule

SAME_HARM = 1e-6  # types of one design differ by less, through the rounding of their shares


@register
class Duel(Grouped):
    """Name two groups, one over the other; the questions are designed for the rule and epsilon."""

    name = "duel"
    members = ("questions",)
    designing = ("max_gap",)
    VARIANTS = 1

    def __init__(
        self,
        rule: Rule,
        epsilon: Number,
        *,
        max_gap: float | None = None,
        questions: Sequence[Mapping[str, Any]] | None = None,
        odds: Odds | None = None,
    ) -> None:
        """With `max_gap`, no report can move two candidates' totals further apart than that."""
        cap = None if max_gap is None else _cap(max_gap)
        super().__init__(rule, epsilon, cap=cap, questions=questions, odds=odds)

    def weights_of(self, passing: bool) -> int:
        """A for an outcome that passes, B for one that does not."""
        return self.odds.up if passing else self.odds.down

    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Reports:
        """Pick the type by the shares; then draw and accept, one attempt after the other: (1) as
        many different ranks as the groups have members, the first of them for T+, the next for
        T-, then T++ and T--; (2) in any case the coin, below(A) < B; keep the groups if
        Σ mark · λ(group) >= threshold, or on the coin.
        """
        order, bits = self.begun(ranking, bits, question)
        t = self._type(bits)
        groups = lottery.until(lambda: self._attempt(t, bits), bits)
        return self._mask_report(t, [[order[r] for r in group] for group in groups])

    def _attempt(self, t: int, bits: Bits) -> tuple[tuple[int, ...], ...] | None:
        q = self.asked[t].question
        groups = parted(lottery.distinct(self.d, sum(q.shape.sizes), bits), q.shape.sizes)
        passes = q.statistic(groups) >= q.threshold
        kept = lottery.below(self.odds.up, bits) < self.odds.down
        return groups if passes or kept else None

    def randomize(self, orders: Orders, bits: Bits) -> Reports:
        """From tables or lists of all outcomes, else by draw-and-accept."""
        return self._filled(self._drawer.draw(orders, bits))

    @cached_property
    def steps(self) -> Floats:
        """The step of each type, in points."""
        return np.array([float(self.rule.span * one.points) for one in self.asked])

    def variant_shares(self) -> Floats:
        """The shares of the types."""
        return np.array([one.share / WHOLE for one in self.asked])

    def answer_power(self, one: DesignedQuestion) -> tuple[Fraction, Fraction]:
        """E/Z for groups that pass, 1/Z for those that do not."""
        z = 1 + (self.odds.ratio - 1) * passing_groups(one.question).passing
        return self.odds.ratio / z, 1 / z

    def mse(self, n: int = 1) -> float:
        """Σ share step² |x|² - Σ (w - w̄)², over n."""
        power = sum(
            (Fraction(one.share, WHOLE) * one.points**2 * one.question.power for one in self.asked),
            Fraction(0),
        )
        return float((power * self.rule.span**2 - self.rule.spread) / n)

    def certificate(self) -> Certificate:
        """Every outcome has weight A or B, and as many have weight A under every ranking."""
        odds = self.odds
        return Certificate(
            self.epsilon,
            odds.ratio,
            (
                ("odds A/B, rounded down from exp(epsilon)", f"{odds.up}/{odds.down}"),
                ("question types, drawn without looking at the vote", str(len(self.asked))),
                ("weight of a pair of groups that passes", "A"),
                ("weight of a pair of groups that does not", "B"),
                ("sum of all weights of a type", "the same for every ranking"),
            ),
        )

    def blanket(self) -> Blanket:
        """All groups of a type are one orbit: a share α has weight E, the others 1."""
        E = float(self.odds.ratio)
        return Blanket.joined(
            Blanket.paired(one.share / WHOLE, np.array([1.0, E]), np.array([1 - a, a]), 1.0)
            for one in self.asked
            for a in [float(passing_groups(one.question).passing)]
        )

    def variant_weights(self, one: DesignedQuestion) -> list[tuple[Fraction, Fraction]]:
        """E/Z for groups that pass, 1/Z for those that do not."""
        return [self.answer_power(one)]

    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """Every type and pair of groups with its probability."""
        order = self.one_ranking(ranking)
        for t, one in enumerate(self.asked):
            listed = list(outcomes(one.question))
            total = sum(self.weights_of(passes) for _, passes in listed)
            for groups, passes in listed:
                report = self._mask_report(t, [[order[r] for r in group] for group in groups])
                yield report, Fraction(one.share * self.weights_of(passes), WHOLE * total)

    def signals(self) -> Signals:
        """Reports also put candidates over others."""
        return replace(super().signals(), sides=self._sides)

    def _sides(self, reports: Reports) -> tuple[Floats, Floats]:
        """T+ and T++ are over T- and T--."""
        groups = {name: masks.unpacked(reports[name], self.d) for name in self.groups}
        above = sum(groups[name] for name in ("plus", "best") if name in groups)
        below = sum(groups[name] for name in ("minus", "worst") if name in groups)
        return np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)

    def disguise(self, favour: int, against: int, n: int = 1, rng: Bits | None = None) -> Reports:
        """Of the types with the largest gap: `favour` in the group that counts most, `against` in
        the one that counts least, others at random.
        """
        bits = lottery.source(rng)
        gaps = self.steps * self._spans
        worst = np.flatnonzero(gaps >= gaps.max() * (1 - SAME_HARM))
        left = self.shapes.sizes[worst]
        ends = np.arange(len(worst))
        marks = np.where(left > 0, self.shapes.marks[worst], 0)
        top, bottom = marks.argmax(axis=1), marks.argmin(axis=1)
        left[ends, top] -= 1
        left[ends, bottom] -= 1
        which = lottery.Wheel([outcomes_of(self.d - 2, tuple(row)) for row in left.tolist()])
        chosen = which.draw(n, bits)
        others = [j for j in range(self.d) if j not in (favour, against)]
        bit = np.left_shift(np.uint64(1), lottery.shuffled(others, n, bits))
        place = np.arange(len(others))
        until = np.cumsum(left, axis=1)[chosen]
        reports = self.domain.empty(n)
        if len(self.asked) > 1:
            reports["type"] = worst[chosen]
        for g, name in enumerate(self.groups):
            named = (place < until[:, g, None]) & (place >= (until - left[chosen])[:, g, None])
            group = np.bitwise_or.reduce(np.where(named, bit, np.uint64(0)), axis=1, initial=0)
            group |= np.where(top[chosen] == g, np.uint64(1 << favour), np.uint64(0))
            group |= np.where(bottom[chosen] == g, np.uint64(1 << against), np.uint64(0))
            reports[name] = group
        return reports


def _cap(value: object) -> float:
    try:
        cap = float(exact.fraction(value))
    except ValueError:
        cap = 0.0
    if cap <= 0:
        raise MechanismError(
            f"max_gap must be a number above 0, not {value}", code="design.max-gap", given=value
        )
    return cap

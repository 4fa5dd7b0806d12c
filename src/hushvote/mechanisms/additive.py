"""Additive: name k candidates, a set the likelier the more its members score together.

Law: a k-set T of ranks is drawn with weight h(T) A + (1 - h(T)) B, where h(T) goes from 0 for
the k lowest scores to 1 for the k highest, and A/B are the odds; the report is the set of
candidates standing there. Guarantee: all weights lie between B and A, and their sum is the same
for every ranking, so no report is more than A/B times likelier under one ranking than under
another. Source: Wang et al. 2019, section "additive mechanism", with the sampler corrected
(see docs/errata.md); sampling by draw-and-accept is ours.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote import exact, lottery
from hushvote.errors import MechanismError, echo
from hushvote.exact import Number
from hushvote.lottery import Bits, Odds, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.blanket import Blanket, sums_of_sets
from hushvote.mechanisms.contract import Certificate, Floats, Mechanism, Risks, Weights
from hushvote.mechanisms.fields import Field, Reports
from hushvote.mechanisms.moments import Moments, PairLaw
from hushvote.mechanisms.registry import register
from hushvote.mechanisms.signals import Counted, PairRange, Signals
from hushvote.messages import say
from hushvote.messages.phrases import all_of
from hushvote.rankings import Orders, mask_dtype
from hushvote.rules import Rule
from hushvote.tally import Counts

TABLE_LIMIT = 1 << 14  # rank sets up to which the bulk draw uses a table of all of them


@register
class Additive(Mechanism):
    """Name k candidates; without `k`, the size of least error is taken."""

    name = "additive"
    members = ("k",)

    def __init__(
        self, rule: Rule, epsilon: Number, *, k: int | None = None, odds: Odds | None = None
    ) -> None:
        super().__init__(rule, epsilon, odds=odds)
        if k is None:
            k = min(range(1, rule.d), key=lambda size: _mse(rule, self.odds, size))
        if (size := exact.whole(k, 1, rule.d - 1)) is None:
            raise MechanismError(
                f"additive over {rule.d} candidates needs k from 1 to {rule.d - 1}, not {echo(k)}",
                code="parameters.option",
                option="k",
                given=k,
                d=rule.d,
            )
        self.k = size
        self._lift, self._base = _estimator(rule, self.odds, self.k)
        W = rule.integers
        self._least, self._most = sum(W[rule.d - self.k :]), sum(W[: self.k])

    @property
    def fields(self) -> tuple[Field, ...]:
        """The set of named candidates."""
        return (Field.mask("chosen", self.d, [self.k]),)

    def options(self) -> dict[str, Any]:
        """The set size k."""
        return {"k": self.k}

    # --- drawing ------------------------------------------------------------------------------

    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Reports:
        """Draw and accept, one attempt after the other: (1) k different ranks; (2) heads if
        below(Wmax - Wmin) is less than W(T) - Wmin; (3) in any case the second coin, below(A) < B;
        keep the ranks on heads or on the second coin.
        """
        order, bits = self.begun(ranking, bits, question)
        ranks = lottery.until(lambda: self._attempt(bits), bits)
        return self._report(masks.mask_of(order[r] for r in ranks))

    def _attempt(self, bits: Bits) -> list[int] | None:
        ranks = lottery.distinct(self.d, self.k, bits)
        excess = sum(self.rule.integers[r] for r in ranks) - self._least
        heads = lottery.below(self._most - self._least, bits) < excess
        kept = lottery.below(self.odds.up, bits) < self.odds.down
        return ranks if heads or kept else None

    def _report(self, mask: int) -> Reports:
        return np.array([(mask,)], dtype=self.domain.dtype)

    def weight(self, ranks: Sequence[int]) -> int:
        """The integer weight of a set of ranks: h A + (1 - h) B, times Wmax - Wmin."""
        score = sum(self.rule.integers[r] for r in ranks)
        return (score - self._least) * self.odds.up + (self._most - score) * self.odds.down

    @cached_property
    def _table(self) -> tuple[Wheel, NDArray[np.intp]]:
        subsets = list(itertools.combinations(range(self.d), self.k))
        return Wheel([self.weight(ranks) for ranks in subsets]), np.array(subsets, dtype=np.intp)

    def randomize(self, orders: Orders, bits: Bits) -> Reports:
        """From a table of all rank sets where it is small, else by draw-and-accept."""
        reports = self.domain.empty(len(orders))
        if math.comb(self.d, self.k) <= TABLE_LIMIT:
            reports["chosen"] = self._by_table(orders, bits)
        else:
            reports["chosen"] = self._by_acceptance(orders, bits)
        return reports

    def _by_table(self, orders: Orders, bits: Bits) -> NDArray[Any]:
        wheel, subsets = self._table
        drawn = wheel.draw(len(orders), bits)
        if self.k == 1:
            return masks.at_ranks(orders, drawn)
        chosen = np.zeros(len(orders), dtype=mask_dtype(self.d))
        for ranks in subsets.T:
            chosen |= masks.at_ranks(orders, ranks.take(drawn))
        return chosen

    @cached_property
    def _acceptance(self) -> tuple[NDArray[np.int64], Wheel, list[Wheel]]:
        """Each rank's share of h(T) in units of 2^-60, rounded down; the coin for tails; and the
        uniform draws of Floyd's subset sampler.
        """
        shares = [
            (((self.k * w - self._least) << 60) // (self.k * (self._most - self._least)))
            for w in self.rule.integers
        ]
        keep = Wheel([self.odds.up - self.odds.down, self.odds.down])
        uniform = [Wheel([1] * (j + 1)) for j in range(self.d - self.k, self.d)]
        return np.array(shares, dtype=np.int64), keep, uniform

    def _by_acceptance(self, orders: Orders, bits: Bits) -> NDArray[Any]:
        chosen = np.zeros(len(orders), dtype=mask_dtype(self.d))
        waiting = np.arange(len(orders))
        while waiting.size:
            ranks, named = self._propose(orders[waiting], bits)
            kept = self._accept(ranks, bits)
            chosen[waiting[kept]] = named[kept]
            waiting = waiting[~kept]
        return chosen

    def _propose(self, orders: Orders, bits: Bits) -> tuple[NDArray[np.uint8], NDArray[Any]]:
        """Uniform k-sets of ranks by Floyd's algorithm, one row a member, and who stands there."""
        _, _, uniform = self._acceptance
        n = len(orders)
        ranks = np.empty((self.k, n), dtype=np.uint8)
        taken = np.zeros(n, dtype=np.uint64)
        named = np.zeros(n, dtype=mask_dtype(self.d))
        for i, wheel in enumerate(uniform):
            rank = wheel.draw(n, bits).astype(np.uint64)
            again = (taken >> rank) & np.uint64(1) == 1
            rank[again] = self.d - self.k + i
            taken |= np.uint64(1) << rank
            ranks[i] = rank
            named |= masks.at_ranks(orders, ranks[i])
        return ranks, named

    def _accept(self, ranks: NDArray[np.uint8], bits: Bits) -> NDArray[np.bool_]:
        """Heads with probability exactly h(T), by 60 bits where they settle it, else exactly."""
        shares, keep, _ = self._acceptance
        n = ranks.shape[1]
        words = (np.frombuffer(bits.bytes(8 * n), dtype=np.uint64) >> np.uint64(4)).view(np.int64)
        floor = shares[ranks].sum(axis=0)  # h(T) lies in [floor, floor + k) units
        heads: NDArray[np.bool_] = words < floor
        for i in np.flatnonzero(~heads & (words < floor + self.k)):
            excess = sum(self.rule.integers[r] for r in ranks[:, i]) - self._least
            h = Fraction(excess, self._most - self._least)
            heads[i] = lottery.less_than(h, int(words[i]), 60, bits)
        return np.asarray(heads | (keep.draw(n, bits) == 1))

    # --- counting -----------------------------------------------------------------------------

    def views(self, reports: Reports) -> Floats:
        """A named candidate counts a - b, another -b."""
        inside = masks.unpacked(reports["chosen"], self.d)
        return np.asarray(inside * float(self._lift) - float(self._base))

    def count(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """How often two candidates were named together, on the diagonal each alone."""
        count = masks.single_counts if self.k == 1 else masks.pair_counts
        return {"pairs": count(reports["chosen"], self.d, weights=weights)[0]}

    def consistent(self, n: int, counts: Counts) -> bool:
        """Every report names k candidates, so each of its members is in k pairs; and the pairs are
        possible ones.
        """
        pairs = counts["pairs"]
        named = np.diag(pairs)
        whole = pairs.min() >= 0 and named.sum() == self.k * n
        return bool(
            whole and (pairs.sum(axis=1) == self.k * named).all() and masks.possible(pairs, n)
        )

    def moments(self, n: int, counts: Counts) -> Moments:
        """Of a [named] - b."""
        lift, base = float(self._lift), float(self._base)
        share = counts["pairs"] / n
        named = np.diag(share)
        second = lift**2 * share - lift * base * (named[:, None] + named[None, :]) + base**2
        return Moments.of(n, lift * named - base, second)

    def pair_law(self) -> PairLaw:
        """Both named, one or the other, or neither."""
        w, d = [Fraction(x) for x in self.rule.integers], self.d
        named = self._memberships()["pairs"][0]
        both = np.zeros((d, d))
        if self.k > 1:
            for a, b in itertools.combinations(range(d), 2):
                both[a, b] = both[b, a] = float(self._chance_of_both(w[a] + w[b]))
        one, other = named[:, None] - both, named[None, :] - both
        chances = np.stack([both, one, other, 1 - both - one - other], axis=2)
        lift, base = float(self._lift), float(self._base)
        first, second = (lift * np.array(those) - base for those in ([1, 1, 0, 0], [1, 0, 1, 0]))
        return PairLaw(np.zeros(4, dtype=np.intp), first, second, chances)

    # --- what is known of it ------------------------------------------------------------------

    def mse(self, n: int = 1) -> float:
        """a² k - sum (w + b)², over n."""
        return float(_mse(self.rule, self.odds, self.k) / n)

    def variances(self) -> Floats:
        """a² p (1 - p), with p = (w + b)/a the chance that the candidate at a rank is named."""
        a, b = self._lift, self._base
        return np.array([float((w + b) * (a - w - b)) for w in self.rule.scores])

    def sum_variance(self) -> float:
        """Zero: every view sums to the total of the rule."""
        return 0.0

    def risks(self, n: int = 1) -> Risks:
        """MM = EM = (k |a - b| + (d - k) |b|) / n; DD = 2 min(k, d - k) a; GAP = a."""
        d, k, a, b = self.d, self.k, self._lift, self._base
        magnitude = float((k * abs(a - b) + (d - k) * abs(b)) / n)
        return Risks(magnitude, magnitude, float(2 * min(k, d - k) * a), float(a))

    def certificate(self) -> Certificate:
        """The weights of all sets lie between B and A, and have one sum for every ranking."""
        odds = self.odds
        top = self.weight(range(self.k))
        bottom = self.weight(range(self.d - self.k, self.d))
        return Certificate(
            self.epsilon,
            Fraction(top, bottom),
            (
                ("odds A/B, rounded down from exp(epsilon)", f"{odds.up}/{odds.down}"),
                ("largest weight of a set (the first ranks)", str(top)),
                ("smallest weight of a set (the last ranks)", str(bottom)),
                ("sum of all weights", "the same for every ranking"),
            ),
        )

    def blanket(self) -> Blanket:
        """All sets are one orbit; their weights are 1 + (E - 1) h, with h by the sums of scores."""
        W = self.rule.integers
        sums, shares = sums_of_sets([Fraction(w - W[-1]) for w in W])
        heads = (sums - float(self._least - self.k * W[-1])) / float(self._most - self._least)
        weights = 1 + (float(self.odds.ratio) - 1) * heads
        found = shares[self.k] > 0
        return Blanket.paired(1.0, weights[found], shares[self.k][found], 1.0)

    def signals(self) -> Signals:
        """Pairs of named candidates, in closed form."""
        return Signals(
            axes={"pairs": ("pair",)},
            words={"pairs": Counted(say("counted.named"), say("counted.both"))},
            chances=self._chances,
            memberships=self._memberships,
            pairings=self._pairings,
        )

    def _memberships(self) -> dict[str, Floats]:
        """(w + b)/a, as the views are unbiased."""
        lift, base = float(self._lift), float(self._base)
        return {"pairs": (self.rule.vector[None] + base) / lift}

    def _pairings(self) -> dict[str, list[PairRange]]:
        """Both named, for the last two ranks and for the first two."""
        w = self.rule.integers
        if self.k < 2:
            return {}
        low, high = (float(self._chance_of_both(Fraction(sum(pair)))) for pair in (w[-2:], w[:2]))
        return {"pairs": [PairRange((1,), low, high, high)]}

    def _chance_of_both(self, points: Fraction) -> Fraction:
        """The chance that two candidates with so many points together are both named: the weight
        of the sets with both, as many of the others in them on average.
        """
        d, k = self.d, self.k
        others = Fraction(k - 2, max(1, d - 2)) * (sum(self.rule.integers) - points)
        return math.comb(d - 2, k - 2) * self._chance_of(points + others)

    def _chance_of(self, points: Fraction) -> Fraction:
        """The chance of a set whose members have so many points together: its weight, over the
        sum of all.
        """

        def weight(points: Fraction) -> Fraction:
            heads = (points - self._least) / (self._most - self._least)
            return 1 + (self.odds.ratio - 1) * heads

        average = Fraction(self.k * sum(self.rule.integers), self.d)
        return weight(points) / (math.comb(self.d, self.k) * weight(average))

    def _chances(self, reports: Reports) -> tuple[Floats, Floats]:
        """Those of the sets with the fewest and the most points."""
        ends = (float(self._chance_of(Fraction(end))) for end in (self._least, self._most))
        least, most = (np.full(len(reports), end) for end in ends)
        return least, most

    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """Every k-set of candidates with its probability."""
        order = self.one_ranking(ranking)
        subsets = list(itertools.combinations(range(self.d), self.k))
        total = sum(self.weight(ranks) for ranks in subsets)
        for ranks in subsets:
            chosen = self._report(masks.mask_of(order[r] for r in ranks))
            yield chosen, Fraction(self.weight(ranks), total)

    def disguise(self, favour: int, against: int, n: int = 1, rng: Bits | None = None) -> Reports:
        """Sets with `favour` and without `against`; the other members do not matter."""
        others = [j for j in range(self.d) if j not in (favour, against)]
        friends = lottery.shuffled(others, n, lottery.source(rng))[:, : self.k - 1]
        reports = self.domain.empty(n)
        reports["chosen"] = np.bitwise_or.reduce(
            np.left_shift(1, friends, dtype=np.uint64), axis=1, initial=1 << favour
        )
        return reports

    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """The named candidates."""
        chosen = int(self.one_report(report, candidates)["chosen"][0])
        names = [candidates[j] for j in masks.members(chosen)]
        return say("report.named", names=all_of(names))


def _bracket(rule: Rule, odds: Odds, k: int) -> tuple[Fraction, Fraction, Fraction]:
    """What a and b are made of: E - 1, E wmin - wmax, and (d - 1) / ((d - k)(E - 1))."""
    rise = odds.ratio - 1
    drop = odds.ratio * sum(rule.scores[rule.d - k :]) - sum(rule.scores[:k])
    return rise, drop, (rule.d - 1) / ((rule.d - k) * rise)


def _estimator(rule: Rule, odds: Odds, k: int) -> tuple[Fraction, Fraction]:
    """a and b of view_j = a [j named] - b, exact for these odds."""
    rise, drop, factor = _bracket(rule, odds, k)
    a = (rule.total * rise - Fraction(rule.d, k) * drop) * factor
    b = (Fraction(k - 1, rule.d - 1) * rise * rule.total - drop) * factor
    return a, b


def _mse(rule: Rule, odds: Odds, k: int) -> Fraction:
    a, b = _estimator(rule, odds, k)
    return a * a * k - sum(((w + b) ** 2 for w in rule.scores), Fraction(0))

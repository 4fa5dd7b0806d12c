"""Weighted and naive sampling: one rank is sampled, the candidate there sent as noisy bits.

Law: rank r is drawn with public mass m_r; the d bits that mark the candidate at that rank are
flipped, each with odds B : A_s. Guarantee: two rankings change at most two bits, so the ratio is
at most s² with s = A_s/B and A_s = isqrt(A B), which is at most A/B. The view of a candidate is
((s+1) bit - 1)/(s-1) g_r + c with g_r = (w_r - c)/m_r; ranks with the same g form one class,
and the report is the class and the bits. Source: Wang et al. 2019, section "weighted sampling
mechanism", with the corrections of docs/errata.md; naive sampling after Qin et al. 2016.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hushvote import exact, lottery
from hushvote.errors import MechanismError, clip, echo
from hushvote.exact import Number
from hushvote.lottery import Bits, Odds, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.blanket import Blanket
from hushvote.mechanisms.contract import Certificate, Floats, Mechanism, Risks, Weights
from hushvote.mechanisms.fields import Field, Reports
from hushvote.mechanisms.marks import MarkLaw
from hushvote.mechanisms.moments import Moments, PairLaw
from hushvote.mechanisms.registry import register
from hushvote.mechanisms.signals import Counted, PairRange, Signals
from hushvote.messages import say
from hushvote.messages.phrases import commas
from hushvote.rankings import Orders, blocks, mask_dtype
from hushvote.rules import Rule
from hushvote.tally import Counts


class Sampling(Mechanism):
    """Sampling with given integer masses and a given intercept."""

    def __init__(
        self,
        rule: Rule,
        epsilon: Number,
        *,
        masses: Sequence[object],
        intercept: Fraction,
        odds: Odds | None = None,
    ) -> None:
        super().__init__(rule, epsilon, odds=odds)
        self.intercept = intercept
        self.masses = _whole(masses, rule)
        for rank, (w, mass) in enumerate(zip(rule.scores, self.masses, strict=True)):
            if mass == 0 and w != intercept:
                raise MechanismError(
                    f"rank {rank} scores {w}, not the intercept {intercept}, "
                    "so its mass must be above 0",
                    code="parameters.option",
                    rank=rank,
                    score=w,
                    intercept=intercept,
                )
        total = sum(self.masses)
        drawn = [r for r in range(rule.d) if self.masses[r]]
        gain = {r: (rule.scores[r] - intercept) * total / self.masses[r] for r in drawn}
        self.gains = tuple(sorted(set(gain.values()), reverse=True))
        self._class = {r: self.gains.index(gain[r]) for r in drawn}
        self._share = {r: Fraction(self.masses[r], total) for r in drawn}

    @property
    def fields(self) -> tuple[Field, ...]:
        """The class (if there are several) and the noisy bits, under a name of their own if they
        all count against candidates: else another intercept would turn them round.
        """
        bits = Field.mask(self._marks, self.d)
        if len(self.gains) == 1:
            return (bits,)
        return (Field.type("class", len(self.gains)), bits)

    @property
    def _marks(self) -> str:
        return "marked" if self.gains[0] > 0 else "against"

    # --- drawing ------------------------------------------------------------------------------

    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Reports:
        """Pick the rank by the masses; then for candidates 0 to d-1 in turn flip the bit if
        below(A_s + B) < B.
        """
        order, bits = self.begun(ranking, bits, question)
        root = self.odds.root
        rank = lottery.pick(self.masses, bits)
        noise = 0
        for j in range(self.d):  # the same work for every bit: time must not tell how many flip
            noise |= (lottery.below(root.up + root.down, bits) < root.down) << j
        return self._reports([self._class[rank]], [noise ^ (1 << order[rank])])

    def _reports(self, classes: Any, marked: Any) -> Reports:
        reports = self.domain.empty(len(marked))
        reports[self._marks] = marked
        if len(self.gains) > 1:
            reports["class"] = classes
        return reports

    def _classes(self, reports: Reports) -> NDArray[Any]:
        if len(self.gains) > 1:
            return np.asarray(reports["class"])
        return np.zeros(len(reports), dtype=np.uint8)

    @cached_property
    def _wheels(self) -> tuple[Wheel, Wheel, NDArray[np.uint8]]:
        """The draw of a rank, of eight flips at once, and the class of each rank."""
        root = self.odds.root
        flips = [root.down ** b.bit_count() * root.up ** (8 - b.bit_count()) for b in range(256)]
        classes = [self._class.get(r, 0) for r in range(self.d)]
        return Wheel(self.masses), Wheel(flips), np.array(classes, dtype=np.uint8)

    def randomize(self, orders: Orders, bits: Bits) -> Reports:
        """One spin for the rank, one for every eight candidates' flips."""
        ranks_wheel, flips_wheel, classes = self._wheels
        n, word = len(orders), mask_dtype(self.d)
        ranks = ranks_wheel.draw(n, bits)
        noise = flips_wheel.draw(n * word.itemsize, bits).astype(np.uint8, copy=False).view(word)
        noise &= word.type((1 << self.d) - 1)
        noise ^= masks.at_ranks(orders, ranks)
        return self._reports(classes.take(ranks), noise)

    def simulated_mean(self, orders: Orders, truth: Floats, rng: np.random.Generator) -> Floats:
        """Draw each voter's rank; given how many drew which class and candidate, the marks are
        sums of two binomials: the bits that are flipped, and those that are not.
        """
        (wheel, _, classes), (n, d) = self._wheels, orders.shape
        drawn = np.zeros((len(self.gains), d), dtype=np.int64)
        for block in blocks(n):
            ranks = wheel.draw(block.stop - block.start, rng)
            chosen = orders[block].ravel().take(np.arange(0, len(ranks) * d, d) + ranks)
            cells = classes.take(ranks).astype(np.intp) * d + chosen
            drawn += np.bincount(cells, minlength=drawn.size).reshape(drawn.shape)
        voters, root = drawn.sum(axis=1, keepdims=True), float(self.odds.root.ratio)
        kept = 1 / (1 + 1 / root)
        marks = rng.binomial(drawn, kept) + rng.binomial(voters - drawn, 1 - kept)
        estimates = ((root + 1) * marks - voters) / (root - 1)
        gains = np.array([float(gain) for gain in self.gains])
        return np.asarray(gains @ estimates / n + float(self.intercept))

    # --- counting -----------------------------------------------------------------------------

    @cached_property
    def _mark_views(self) -> tuple[Floats, Floats]:
        """For each class the view of a marked and of an unmarked candidate (t and f)."""
        s = self.odds.root.ratio
        t = [float(g * s / (s - 1) + self.intercept) for g in self.gains]
        f = [float(-g / (s - 1) + self.intercept) for g in self.gains]
        return np.array(t), np.array(f)

    def views(self, reports: Reports) -> Floats:
        """A marked candidate counts t, another f, both of the report's class."""
        t, f = self._mark_views
        classes = self._classes(reports)
        marked = masks.unpacked(reports[self._marks], self.d)
        return np.where(marked == 1, t[classes, None], f[classes, None])

    def count(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """Reports in each class, and pair counts of their marks."""
        classes, m = self._classes(reports), len(self.gains)
        groups = classes if m > 1 else None
        return {
            "classes": np.bincount(classes, weights, minlength=m).astype(np.int64, copy=False),
            "pairs": masks.pair_counts(reports[self._marks], self.d, groups, m, weights),
        }

    def consistent(self, n: int, counts: Counts) -> bool:
        """The classes make up all reports, and the pairs are possible ones in each."""
        classes, pairs = counts["classes"], counts["pairs"]
        whole = classes.min() >= 0 and classes.sum() == n
        return bool(whole and masks.possible(pairs, classes))

    def moments(self, n: int, counts: Counts) -> Moments:
        """Class by class, of f + (t - f) [marked]."""
        t, f = self._mark_views
        pairs, size = counts["pairs"].astype(np.float64), counts["classes"].astype(np.float64)
        marks = np.diagonal(pairs, axis1=1, axis2=2)
        sums = (t - f)[:, None] * marks + (size * f)[:, None]
        once = ((t - f) * f)[:, None, None] * (marks[:, :, None] + marks[:, None, :])
        twice = ((t - f) ** 2)[:, None, None] * pairs
        return Moments(size, sums, twice + once + (size * f**2)[:, None, None])

    def pair_law(self) -> PairLaw:
        """In each class, both marked, one or the other, or neither."""
        return self._law.pair_law(*self._mark_views)

    @cached_property
    def _law(self) -> MarkLaw:
        shares = tuple(
            tuple(self._share[r] if self._class.get(r) == c else Fraction(0) for r in range(self.d))
            for c in range(len(self.gains))
        )
        return MarkLaw(shares, float(self.odds.root.ratio))

    # --- what is known of it ------------------------------------------------------------------

    def _power(self) -> Fraction:
        """Mean of g², that is sum (w - c)²/m."""
        return sum(
            (m * self.gains[self._class[r]] ** 2 for r, m in self._share.items()), Fraction(0)
        )

    def mse(self, n: int = 1) -> float:
        """(1 + d s/(s-1)²) sum (w-c)²/m - sum (w-c)², over n."""
        s = self.odds.root.ratio
        spread = sum(((w - self.intercept) ** 2 for w in self.rule.scores), Fraction(0))
        return float(((1 + self.d * s / (s - 1) ** 2) * self._power() - spread) / n)

    def variances(self) -> Floats:
        """Second moment of a mark's view less w²: a mark is likelier if its own rank is drawn."""
        s, (t, f) = float(self.odds.root.ratio), self._mark_views
        seen, unseen = (s * t**2 + f**2) / (s + 1), (t**2 + s * f**2) / (s + 1)
        share = {r: float(m) for r, m in self._share.items()}
        others = sum(m * unseen[self._class[r]] for r, m in share.items())
        extra = [
            share[r] * (seen - unseen)[self._class[r]] if r in share else 0.0 for r in range(self.d)
        ]
        return np.asarray(others + np.array(extra) - self.rule.vector**2)

    def sum_variance(self) -> float:
        """(1 + d s/(s-1)²) sum (w-c)²/m - (sum (w-c))²."""
        s = self.odds.root.ratio
        centre = self.rule.total - self.d * self.intercept
        return float((1 + self.d * s / (s - 1) ** 2) * self._power() - centre**2)

    def risks(self, n: int = 1) -> Risks:
        """The four risks, from the views t and f of every class that can be drawn."""
        d, s = self.d, float(self.odds.root.ratio)
        t, f = self._mark_views
        size = np.maximum(np.abs(t), np.abs(f))
        share = np.zeros(len(self.gains))
        for r, m in self._share.items():
            share[self._class[r]] += float(m)
        expected = share @ ((s + d - 1) * np.abs(t) + (s * (d - 1) + 1) * np.abs(f)) / (s + 1)
        width = max(t.max(), f.max()) - min(t.min(), f.min())
        gap = (s + 1) / (s - 1) * max(abs(float(g)) for g in self.gains)
        return Risks(float(d * size.max() / n), float(expected / n), float(d * width), gap)

    def certificate(self) -> Certificate:
        """Two rankings change at most two bits, and each bit at most by the factor s."""
        root = self.odds.root
        return Certificate(
            self.epsilon,
            root.ratio**2,
            (
                ("odds A/B, rounded down from exp(epsilon)", f"{self.odds.up}/{self.odds.down}"),
                ("s = A_s/B with A_s the whole square root of A B", f"{root.up}/{root.down}"),
                ("bits that two rankings can set differently", "2"),
                ("factor for each such bit", "s"),
            ),
        )

    def blanket(self) -> Blanket:
        """An orbit is a class and a number of marks."""
        return self._law.blanket()

    def signals(self) -> Signals:
        """Classes, and pairs of marks in each, in closed form."""
        return Signals(
            axes={"classes": ("variant",), "pairs": ("variant", "pair")},
            words={"pairs": Counted(say("counted.named"), say("counted.both"))},
            variant_words=lambda variant: say("variant.class", variant=variant),
            chances=self._chances,
            memberships=self._memberships,
            pairings=self._pairings,
        )

    def _memberships(self) -> dict[str, Floats]:
        return {"classes": self._law.whole[:, None], "pairs": self._law.single()}

    def _pairings(self) -> dict[str, list[PairRange]]:
        return {"pairs": self._law.pairings()}

    def _chances(self, reports: Reports) -> tuple[Floats, Floats]:
        at = self._classes(reports), np.bitwise_count(reports[self._marks])
        least, most = self._law.extremes()
        return least[at], most[at]

    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """Every class and every pattern of marks, with its probability."""
        order, root = self.one_ranking(ranking), self.odds.root
        law = [
            Fraction(
                root.down**flips * root.up ** (self.d - flips), (root.up + root.down) ** self.d
            )
            for flips in range(self.d + 1)
        ]
        for c in range(len(self.gains)):
            ranks = [r for r in self._share if self._class[r] == c]
            for marked in range(1 << self.d):
                chances = (
                    self._share[r] * law[(marked ^ 1 << order[r]).bit_count()] for r in ranks
                )
                yield self._reports([c], [marked]), sum(chances, Fraction(0))

    def disguise(self, favour: int, against: int, n: int = 1, rng: Bits | None = None) -> Reports:
        """Of the classes with the largest |g|: one candidate marked, the other not."""
        bits = lottery.source(rng)
        largest = max(abs(g) for g in self.gains)
        worst = np.array([c for c, g in enumerate(self.gains) if abs(g) == largest])
        classes = worst[Wheel([1] * len(worst)).draw(n, bits)]
        lifts = np.array([g > 0 for g in self.gains])[classes]
        pair = (1 << favour) | (1 << against)
        marked = np.frombuffer(bits.bytes(8 * n), dtype=np.uint64) & np.uint64(
            (1 << self.d) - 1 & ~pair
        )
        marked |= np.where(lifts, np.uint64(1 << favour), np.uint64(1 << against))
        return self._reports(classes, marked)

    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """The marks, and which way they count."""
        report = self.one_report(report, candidates)
        marked = masks.members(int(report[self._marks][0]))
        way = "against" if self.gains[int(self._classes(report)[0])] < 0 else "for"
        if not marked:
            return say(f"report.nobody.{way}")
        return say(f"report.marks.{way}", names=commas([candidates[j] for j in marked]))


@register
class WeightedSampling(Sampling):
    """Sampling around an intercept, each rank as often as its score is far from it.

    Without `intercept`, the score at rank ⌈d/2⌉ - 1 as in the paper; `intercept="lower"` takes
    the score at rank d/2 instead, better for skewed rules and even d. Any number may be given.
    Marks then count for a candidate at ranks above the intercept and against one below it, by
    the same amount, whatever else the parameters say.
    """

    name = "weighted-sampling"
    members = ("intercept",)

    def __init__(
        self,
        rule: Rule,
        epsilon: Number,
        *,
        intercept: object = "middle",
        odds: Odds | None = None,
    ) -> None:
        named = {"middle": rule.scores[(rule.d - 1) // 2], "lower": rule.scores[rule.d // 2]}
        try:
            centre = named[intercept] if intercept in named else exact.fraction(intercept)
        except (TypeError, ValueError):
            raise MechanismError(
                f'the intercept must be a number, "middle" or "lower", not {echo(intercept)}',
                code="parameters.option",
                option="intercept",
                given=intercept,
            ) from None
        masses = [abs(w - centre) for w in rule.scores]
        super().__init__(rule, epsilon, masses=masses, intercept=centre, odds=odds)

    @classmethod
    def restored(cls, rule: Rule, epsilon: Fraction, odds: Odds, **options: Any) -> Self:
        """With the intercept as a fraction, not by a name."""
        centre = lottery.fraction_of("intercept", options["intercept"])
        return super().restored(rule, epsilon, odds, intercept=centre)

    def options(self) -> dict[str, Any]:
        """The intercept as a fraction; the masses follow from it."""
        return {"intercept": str(self.intercept)}


@register
class NaiveSampling(Sampling):
    """The earlier baseline: each rank as often as its score is high; a report is d bits."""

    name = "naive-sampling"

    def __init__(self, rule: Rule, epsilon: Number, *, odds: Odds | None = None) -> None:
        if rule.scores[-1] < 0:
            raise MechanismError(
                f"naive sampling needs scores of at least 0, but rule {rule.name!r} "
                f"gives {rule.scores[-1]} for the last place",
                code="parameters.option",
                rule=rule.name,
                score=rule.scores[-1],
            )
        super().__init__(rule, epsilon, masses=rule.scores, intercept=Fraction(0), odds=odds)

    def options(self) -> dict[str, Any]:
        """None: masses and intercept follow from the rule."""
        return {}


def _whole(masses: Sequence[object], rule: Rule) -> tuple[int, ...]:
    """Masses as the smallest whole numbers of the same proportions."""
    try:
        exactly = [exact.fraction(mass) for mass in masses]
    except (TypeError, ValueError) as error:
        raise MechanismError(
            f"the masses must be numbers: {clip(str(error))}",
            code="parameters.option",
            option="masses",
            reason=error,
        ) from None
    if len(exactly) != rule.d:
        raise MechanismError(
            f"there are {len(exactly)} masses, but the rule has {rule.d} ranks",
            code="parameters.option",
            option="masses",
            given=len(exactly),
            d=rule.d,
        )
    if min(exactly) < 0 or not any(exactly):
        raise MechanismError(
            "the masses must be at least 0 and not all 0", code="parameters.option", option="masses"
        )
    scale = math.lcm(*(mass.denominator for mass in exactly))
    whole = [int(mass * scale) for mass in exactly]
    return tuple(mass // math.gcd(*whole) for mass in whole)

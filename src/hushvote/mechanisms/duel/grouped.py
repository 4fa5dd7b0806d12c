"""What duel and challenge share: reports that name groups of candidates."""

import itertools
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushvote import lottery
from hushvote.exact import Number
from hushvote.lottery import Bits, Odds
from hushvote.mechanisms import masks
from hushvote.mechanisms.contract import Floats, Mechanism, Risks, Weights
from hushvote.mechanisms.duel import designing
from hushvote.mechanisms.duel.adding import added
from hushvote.mechanisms.duel.counting import outcomes_of
from hushvote.mechanisms.duel.designing import WHOLE, DesignedQuestion
from hushvote.mechanisms.duel.drawing import Drawer
from hushvote.mechanisms.duel.groups import Groups, possible
from hushvote.mechanisms.duel.pair_counting import pair_members
from hushvote.mechanisms.duel.pairing import pair_range
from hushvote.mechanisms.duel.question import GROUPS
from hushvote.mechanisms.fields import Field, Reports
from hushvote.mechanisms.moments import Moments, PairLaw
from hushvote.mechanisms.signals import Counted, PairRange, Signals
from hushvote.messages import say
from hushvote.messages.phrases import commas
from hushvote.rules import Rule
from hushvote.tally import Counts


@dataclass(frozen=True, eq=False)
class Shapes:
    """Shapes of several variants: one row a variant, one column a group."""

    sizes: NDArray[np.int64]
    marks: NDArray[np.int64]
    mean: Floats


class Grouped(Mechanism):
    """Reports of a type and two groups (four, if there are finer questions); each report has one
    of a few variants.

    The view of a report of variant l is w̄ + step_l (mark of the candidate's group - mean).
    """

    VARIANTS: ClassVar[int]  # variants of one type: 1 for a duel, 2 for the answers of a challenge

    def __init__(
        self,
        rule: Rule,
        epsilon: Number,
        *,
        cap: float | None = None,
        questions: Sequence[Mapping[str, Any]] | None = None,
        odds: Odds | None = None,
    ) -> None:
        super().__init__(rule, epsilon, odds=odds)
        ratio = self.odds.ratio
        if questions is None:
            self.asked = designing.designed(self.name, rule, ratio, cap)
        else:
            self.asked = designing.read(questions, self.name, rule, ratio)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The type (if there are several) and the groups."""
        sizes = self.shapes.sizes[:: self.VARIANTS].T.tolist()
        groups = tuple(
            Field.mask(name, self.d, size, disjoint=self.groups[:g])
            for g, (name, size) in enumerate(zip(self.groups, sizes, strict=True))
        )
        return groups if len(self.asked) == 1 else (Field.type("type", len(self.asked)), *groups)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Names of the groups in a report."""
        return GROUPS if any(one.question.shape.fine for one in self.asked) else GROUPS[:2]

    def options(self) -> dict[str, Any]:
        """The questions, with how often each is asked and what it counts."""
        return {"questions": [one.to_json() for one in self.asked]}

    # --- drawing ------------------------------------------------------------------------------

    @abstractmethod
    def weights_of(self, passing: bool) -> int:
        """The integer weight of an outcome that passes, or does not."""

    @property
    def block(self) -> int:
        """Larger blocks where types are drawn one by one."""
        return 1 << 17 if self._drawer.large else super().block

    def _type(self, bits: Bits) -> int:
        return lottery.pick([one.share for one in self.asked], bits)

    def _mask_report(self, t: int, groups: Iterable[Iterable[int]], **rest: int) -> Reports:
        report = self.domain.empty(1)
        if len(self.asked) > 1:
            report["type"] = t
        for name, group in itertools.zip_longest(self.groups, groups, fillvalue=()):
            report[name] = masks.mask_of(group)
        for name, value in rest.items():
            report[name] = value
        return report

    @cached_property
    def _drawer(self) -> Drawer:
        weights = self.weights_of(True), self.weights_of(False)
        return Drawer(self.d, self.asked, len(self.groups), weights)

    def _filled(self, groups: Groups, **rest: NDArray[Any]) -> Reports:
        """The reports that name these groups of candidates."""
        reports = self.domain.empty(len(groups.types))
        if len(self.asked) > 1:
            reports["type"] = groups.types
        for name, column in zip(self.groups, groups.sets, strict=True):
            reports[name] = column
        for name, column in rest.items():
            reports[name] = column
        return reports

    # --- counting -----------------------------------------------------------------------------

    def variants(self, reports: Reports) -> NDArray[Any]:
        """The variant of each report: its type, and its answer where there is one."""
        if len(self.asked) == 1:
            return np.zeros(len(reports), dtype=np.uint16)
        return np.asarray(reports["type"]).astype(np.uint16)

    @property
    @abstractmethod
    def steps(self) -> Floats:
        """What a report of each variant counts."""

    @cached_property
    def shapes(self) -> Shapes:
        """The shape of every variant, as columns."""
        shapes = [one.question.shape for one in self.asked for _ in range(self.VARIANTS)]
        sizes = np.zeros((len(shapes), len(self.groups)), dtype=np.int64)
        marks = np.zeros_like(sizes)
        for i, shape in enumerate(shapes):
            sizes[i, : len(shape.sizes)], marks[i, : len(shape.marks)] = shape.sizes, shape.marks
        return Shapes(sizes, marks, np.array([float(shape.mean(self.d)) for shape in shapes]))

    def views(self, reports: Reports) -> Floats:
        """w̄ + step (mark - mean)."""
        variant, shapes = self.variants(reports), self.shapes
        middle = float(self.rule.mean) - (self.steps * shapes.mean)[variant]
        views = np.repeat(middle[:, None], self.d, axis=1)
        for name, mark in zip(self.groups, shapes.marks.T, strict=True):
            views += masks.unpacked(reports[name], self.d) * (self.steps * mark)[variant, None]
        return views

    def zero(self) -> Counts:
        """For each variant: how often each candidate was in each group, and the sum of x x^T, x the
        candidates' marks.
        """
        m = len(self.asked) * self.VARIANTS
        flat = np.zeros((m, self.d), dtype=np.int64)
        outer = np.zeros((m, self.d, self.d), dtype=np.int64)
        return {**dict.fromkeys(self.groups, flat), "outer": outer}

    def count(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """Count members and pairs, by histograms for two groups of up to 8, else type by type."""
        histogram = self.d <= 8 and len(self.groups) == 2
        return (self._by_histogram if histogram else self._by_variant)(reports, weights)

    def _by_histogram(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """Pairs within T+, within T-, and, from both together, across."""
        m = len(self.asked) * self.VARIANTS
        variant = self.variants(reports) if m > 1 else None
        plus, minus = reports["plus"], reports["minus"]
        pp = masks.pair_counts(plus, self.d, variant, m, weights)
        mm = masks.pair_counts(minus, self.d, variant, m, weights)
        across = masks.pair_counts(plus | minus, self.d, variant, m, weights) - pp - mm
        up, down = (x[:, None, None] for x in self.shapes.marks.T)
        diagonal = np.arange(self.d)
        return {
            "plus": pp[:, diagonal, diagonal],
            "minus": mm[:, diagonal, diagonal],
            "outer": up * up * pp + down * down * mm + up * down * across,
        }

    def _by_variant(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """The reports of one variant after the other."""
        variant = self.variants(reports)
        order = np.argsort(variant, kind="stable")
        sets = {name: np.ascontiguousarray(reports[name]) for name in self.groups}
        ends = np.cumsum(np.bincount(variant, minlength=len(self.asked) * self.VARIANTS))
        total = {name: array.copy() for name, array in self.zero().items()}
        for g, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            if start < end:
                question, rows = self.asked[g // self.VARIANTS].question, order[start:end]
                names = self.groups[: len(question.shape.sizes)]
                often = None if weights is None else weights[rows]
                found = added(question, [sets[name].take(rows) for name in names], often)
                for name, part in zip((*names, "outer"), found, strict=True):
                    total[name][g] = part
        return total

    def consistent(self, n: int, counts: Counts) -> bool:
        """Every report has as many members in each group as its type says, nobody in two; and the
        products of two candidates' marks are possible ones.
        """
        members = np.stack([counts[name] for name in self.groups])
        reports = members[0].sum(axis=1) // self.shapes.sizes[:, 0]
        whole = members.sum(axis=2) == self.shapes.sizes.T * reports
        alone = members.sum(axis=0) <= reports[:, None]
        return bool(
            members.min() >= 0
            and reports.sum() == n
            and whole.all()
            and alone.all()
            and possible(self.shapes.sizes, self.shapes.marks, members, counts["outer"])
        )

    def moments(self, n: int, counts: Counts) -> Moments:
        """Of w̄ + step (mark - mean), variant by variant."""
        shapes, step = self.shapes, self.steps[:, None]
        reports = counts["plus"].sum(axis=1) / shapes.sizes[:, 0]
        members = np.stack([counts[name] for name in self.groups])
        marks = np.einsum("lg,glj->lj", shapes.marks, members).astype(np.float64)
        products = step[:, :, None] ** 2 * counts["outer"].astype(np.float64)
        of_marks = Moments(reports, step * marks, products)
        return of_marks.less(self.steps * shapes.mean - float(self.rule.mean))

    def pair_law(self) -> PairLaw:
        """For every variant, which groups the two candidates are in."""
        d, shapes, outcomes, chances = self.d, self.shapes, [], []
        for t, one in enumerate(self.asked):
            shape = one.question.shape
            sizes, marks = (*shape.sizes, d - sum(shape.sizes)), (*shape.marks, 0)
            passing = pair_members(one.question)
            for i, (yes, no) in enumerate(self.variant_weights(one)):
                variant, share = t * self.VARIANTS + i, one.share / WHOLE
                middle, step = shapes.mean[variant], self.steps[variant]
                for g, h in itertools.product(range(len(sizes)), repeat=2):
                    uniform = sizes[g] * (sizes[h] - (g == h)) / (d * (d - 1))
                    chances.append(share * (float(no) * uniform + float(yes - no) * passing[g, h]))
                    views = (step * (marks[k] - middle) for k in (g, h))
                    outcomes.append((variant, *views))
        variants, first, second = np.array(outcomes).T
        mean = float(self.rule.mean)
        return PairLaw(
            variants.astype(np.intp), first + mean, second + mean, np.stack(chances, axis=2)
        )

    # --- what is known of it ------------------------------------------------------------------

    @abstractmethod
    def variant_shares(self) -> Floats:
        """How often each variant occurs, over uniform rankings."""

    @abstractmethod
    def answer_power(self, one: DesignedQuestion) -> tuple[Fraction, Fraction]:
        """Weight of the groups that pass, and of those that do not, in a report's second moment;
        for groups drawn uniformly.
        """

    @abstractmethod
    def variant_weights(self, one: DesignedQuestion) -> list[tuple[Fraction, Fraction]]:
        """For each variant of a type: the weight of groups that pass and of those that do not, so
        that one over uniform groups is their chance in a report of this type.
        """

    def _chances(self, reports: Reports) -> tuple[Floats, Floats]:
        """share/N times the weights of the report's variant."""
        ends = []
        for one in self.asked:
            each = Fraction(one.share, WHOLE * outcomes_of(self.d, one.question.shape.sizes))
            ends += [
                (float(each * min(pair)), float(each * max(pair)))
                for pair in self.variant_weights(one)
            ]
        least, most = np.array(ends).T
        variant = self.variants(reports)
        return least[variant], most[variant]

    def signals(self) -> Signals:
        """Members of each group, and pairs, variant by variant, in closed form."""
        return Signals(
            axes={
                **dict.fromkeys(self.groups, ("variant", "candidate")),
                "outer": ("variant", "pair"),
            },
            words=_counted_words(),
            variant_words=self._variant_words,
            chances=self._chances,
            memberships=self._memberships,
            pairings=self._pairings,
        )

    def _memberships(self) -> dict[str, Floats]:
        """Chance of each rank to be in each group, in a report of each variant."""
        found = np.zeros((len(self.groups), len(self.asked) * self.VARIANTS, self.d))
        for t, one in enumerate(self.asked):
            known, shape = designing.passing_groups(one.question), one.question.shape
            for i, (yes, no) in enumerate(self.variant_weights(one)):
                for g, (size, chances) in enumerate(zip(shape.sizes, known.members, strict=True)):
                    uniform = Fraction(size, self.d)
                    share = Fraction(one.share, WHOLE)
                    found[g, t * self.VARIANTS + i] = [
                        float(share * (no * uniform + (yes - no) * chance)) for chance in chances
                    ]
        return dict(zip(self.groups, found, strict=True))

    def _pairings(self) -> dict[str, list[PairRange]]:
        """Two candidates' marks multiplied, at every variant."""
        return {
            "outer": [
                pair_range(one.question, Fraction(one.share, WHOLE), weights)
                for one in self.asked
                for weights in self.variant_weights(one)
            ]
        }

    def _variant_words(self, variant: int) -> str:
        """The type, and how many candidates it puts over how many."""
        t = variant // self.VARIANTS
        above, below = self._sizes_of(t)
        return say("variant.type", type=t, above=above, below=below)

    def _sizes_of(self, t: int) -> tuple[str, str]:
        """How many candidates are above, and how many below, in reports of a type."""
        sizes = (str(size) for size in self.asked[t].question.shape.sizes)
        return _above_and_below(dict(zip(GROUPS, sizes, strict=False)))

    def variances(self) -> Floats:
        """Second moment of the marks at each rank, less (w - w̄)²."""
        total = [-((w - self.rule.mean) ** 2) for w in self.rule.scores]
        for one in self.asked:
            shape, known = one.question.shape, designing.passing_groups(one.question)
            yes, no = self.answer_power(one)
            power = Fraction(one.share, WHOLE) * (self.rule.span * one.points) ** 2
            mean = shape.mean(self.d)
            everyone = yes * known.passing + no * (1 - known.passing)
            for r, chances in enumerate(zip(*known.members, strict=True)):
                inside = [
                    no * Fraction(size, self.d) + (yes - no) * chance
                    for size, chance in zip(shape.sizes, chances, strict=True)
                ]
                total[r] += power * (everyone - sum(inside)) * mean**2
                for mark, share in zip(shape.marks, inside, strict=True):
                    total[r] += power * share * (mark - mean) ** 2
        return np.array([float(x) for x in total])

    def sum_variance(self) -> float:
        """Zero: every view sums to the total of the rule."""
        return 0.0

    def risks(self, n: int = 1) -> Risks:
        """Over all variants: sizes of the views, their largest distance, and the largest gap."""
        mean, shapes = float(self.rule.mean), self.shapes
        rest = self.d - shapes.sizes.sum(axis=1, keepdims=True)
        numbers = np.concatenate([shapes.sizes, rest], axis=1)
        marks = np.concatenate([shapes.marks, np.zeros_like(rest)], axis=1)
        moves = self.steps[:, None] * (marks - shapes.mean[:, None])
        views = [np.sort(np.repeat(*variant)) for variant in zip(moves, numbers, strict=True)]
        size = np.array([np.abs(mean + view).sum() for view in views])
        diameter = max(
            np.abs(p - q[::-1]).sum() for p, q in itertools.combinations_with_replacement(views, 2)
        )
        return Risks(
            float(size.max() / n),
            float(self.variant_shares() @ size / n),
            float(diameter),
            float((np.abs(self.steps) * self._spans).max()),
        )

    @property
    def _spans(self) -> NDArray[np.int64]:
        """Difference of the highest and the lowest mark, of every variant."""
        return np.array([one.question.shape.span for one in self.asked]).repeat(self.VARIANTS)

    def bias(self) -> float:
        """The largest error of an expected view, from exact counts; at most 1e-9 of the span."""
        moves = [
            designing.passing_groups(q.question).moves(self.name, self.odds.ratio)
            for q in self.asked
        ]
        return float(designing.bias(self.asked, moves, self.rule))

    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """The groups, as a sentence: "{A, C} over {B}", or "{A} before {B} over {C} before {D}"."""
        above, below = self._named(self.one_report(report, candidates), candidates)
        return say("report.over", above=above, below=below)

    def _named(self, report: Reports, candidates: Sequence[str]) -> tuple[str, str]:
        """Who is above, and who below."""
        members = {name: masks.members(int(report[name][0])) for name in self.groups}
        return _above_and_below(
            {
                name: say("group", members=commas([candidates[j] for j in group]))
                for name, group in members.items()
                if group
            }
        )


def _above_and_below(named: Mapping[str, str]) -> tuple[str, str]:
    """Groups as they stand in a ranking, the better before the worse on each side."""
    return _side(named, "best", "plus"), _side(named, "minus", "worst")


def _side(named: Mapping[str, str], better: str, worse: str) -> str:
    if better in named and worse in named:
        return say("group.before", better=named[better], worse=named[worse])
    return named.get(better, named.get(worse, ""))


def _counted_words() -> dict[str, Counted]:
    """What the arrays of the tally count."""
    return {
        "plus": Counted(say("counted.plus")),
        "best": Counted(say("counted.best")),
        "minus": Counted(say("counted.minus")),
        "worst": Counted(say("counted.worst")),
        "outer": Counted(
            say("counted.named"),
            say("counted.sides"),
            above=say("counted.one_side"),
            below=say("counted.opposite_sides"),
        ),
    }

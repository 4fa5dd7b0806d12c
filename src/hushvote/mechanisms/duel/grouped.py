"""What duel and challenge share: reports that name two groups of candidates."""

import itertools
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushvote import lottery
from hushvote.errors import MechanismError
from hushvote.lottery import Bits, Odds, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.contract import Floats, Mechanism, Risks
from hushvote.mechanisms.duel import designing
from hushvote.mechanisms.duel.counting import outcomes_of
from hushvote.mechanisms.duel.designing import UNIT, WHOLE, Asked
from hushvote.mechanisms.duel.groups import EXACT_ROWS, Groups, counted, outcomes, proposed
from hushvote.mechanisms.duel.question import Question
from hushvote.mechanisms.fields import Field, Reports
from hushvote.rankings import Orders, blocks, mask_dtype
from hushvote.rules import Rule
from hushvote.tally import Counts, Tally

TABLE_LIMIT = 1 << 14  # outcomes up to which the bulk draw uses one table of all of them


@dataclass(frozen=True, eq=False)
class Table:
    """Outcomes of the small types in one wheel, followed by one index for each large type."""

    wheel: Wheel
    outcomes: Groups
    large: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Shapes:
    """Shapes of several levels, as columns."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    gain: NDArray[np.int64]
    loss: NDArray[np.int64]
    mean: Floats


class Grouped(Mechanism):
    """Reports of a type and two groups; each report has one of a few levels.

    The view of a report of level l is w̄ + step_l (gain 1_{T+} - loss 1_{T-} - mean).
    """

    LEVELS: ClassVar[int]  # levels of one type: 1 for a duel, 2 for the answers of a challenge

    def __init__(
        self,
        rule: Rule,
        epsilon: object,
        *,
        cap: float | None = None,
        questions: Sequence[Mapping[str, Any]] | None = None,
        odds: Odds | None = None,
    ) -> None:
        super().__init__(rule, epsilon, odds=odds)
        if questions is None:
            self.asked = designing.designed(self.name, rule, self.odds.ratio, cap)
        else:
            try:
                read = [Asked.from_json(entry) for entry in questions]
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise MechanismError(f"the questions are damaged: {error!r}") from None
            self.asked = designing.checked(read, rule.d)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The type (if there are several) and the two groups."""
        a = [one.question.shape.a for one in self.asked]
        b = [one.question.shape.b for one in self.asked]
        groups = (
            Field.mask("plus", self.d, a),
            Field.mask("minus", self.d, b, apart="plus"),
        )
        return groups if len(self.asked) == 1 else (Field.type("type", len(self.asked)), *groups)

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
        return 1 << 17 if self._table.large else super().block

    def _type(self, bits: Bits) -> int:
        return lottery.pick([one.share for one in self.asked], bits)

    def _mask_report(self, t: int, plus: int, minus: int, **rest: int) -> Reports:
        report = self.domain.empty(1)
        if len(self.asked) > 1:
            report["type"] = t
        report["plus"], report["minus"] = plus, minus
        for name, value in rest.items():
            report[name] = value
        return report

    @cached_property
    def _table(self) -> Table:
        shapes = [one.question.shape for one in self.asked]
        sizes = [outcomes_of(self.d, shape.a, shape.b) for shape in shapes]
        order = sorted(range(len(sizes)), key=sizes.__getitem__)
        fits = [sum(sizes[t] for t in order[: i + 1]) <= TABLE_LIMIT for i in range(len(order))]
        small = sorted(t for t, fit in zip(order, fits, strict=True) if fit)
        large = tuple(sorted(set(order) - set(small)))
        rows = [
            (t, masks.mask_of(plus), masks.mask_of(minus), passes)
            for t in small
            for plus, minus, passes in outcomes(self.asked[t].question)
        ]
        word = mask_dtype(self.d)
        types, plus, minus, passes = zip(*rows, strict=True) if rows else ((), (), (), ())
        sums = dict.fromkeys(small, 0)
        for t, passing in zip(types, passes, strict=True):
            sums[t] += self.weights_of(passing)
        common = math.lcm(*sums.values())
        weights = [
            self.asked[t].share * self.weights_of(passing) * (common // sums[t])
            for t, passing in zip(types, passes, strict=True)
        ]
        weights += [self.asked[t].share * common for t in large]
        return Table(
            Wheel(weights),
            Groups(
                np.array(types, dtype=np.uint8),
                np.array(plus, dtype=word),
                np.array(minus, dtype=word),
                np.array(passes, dtype=np.bool_),
            ),
            large,
        )

    def _drawn(self, n: int, bits: Bits) -> Groups:
        """Draw n questions in ranks, by the weights of passing and failing outcomes."""
        table = self._table
        known = len(table.outcomes.types)
        drawn = table.wheel.spin(n, bits)
        if not table.large:
            o = table.outcomes
            return Groups(
                o.types.take(drawn), o.plus.take(drawn), o.minus.take(drawn), o.passes.take(drawn)
            )
        word = mask_dtype(self.d)
        types = np.empty(n, dtype=np.uint8)
        plus, minus = np.empty(n, dtype=word), np.empty(n, dtype=word)
        passes = np.empty(n, dtype=np.bool_)
        at = np.flatnonzero(drawn < known)
        which = drawn[at]
        for target, source in zip(
            (types, plus, minus, passes), vars(table.outcomes).values(), strict=True
        ):
            target[at] = source[which]
        for i, t in enumerate(table.large):
            at = np.flatnonzero(drawn == known + i)
            types[at] = t
            plus[at], minus[at], passes[at] = self._accepted(self.asked[t].question, len(at), bits)
        return Groups(types, plus, minus, passes)

    @cached_property
    def _coin(self) -> Wheel:
        """1 if groups that do not pass are kept all the same."""
        high, low = self.weights_of(True), self.weights_of(False)
        return Wheel([high - low, low])

    def _accepted(
        self, question: Question, n: int, bits: Bits
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
        """Propose uniform groups, keep them by their weight, and take the first n that are kept."""
        high, low = self.weights_of(True), self.weights_of(False)
        passing = float(designing.law(question).passing)
        rounds = high / (low + (high - low) * passing)
        parts: list[tuple[NDArray[Any], ...]] = []
        missing = n
        while missing > 0 or not parts:
            tries = int(1.1 * rounds * missing) + 16
            plus, minus, passes = proposed(question, tries, bits)
            kept = passes | (self._coin.spin(tries, bits) == 1)
            first = np.flatnonzero(kept)[:missing]
            parts.append((plus[first], minus[first], passes[first]))
            missing -= len(parts[-1][0])
        plus, minus, passes = (np.concatenate(column) for column in zip(*parts, strict=True))
        return plus, minus, passes

    def _filled(self, orders: Orders, groups: Groups, **rest: NDArray[Any]) -> Reports:
        """Look up who stands at the drawn ranks."""
        reports = self.domain.empty(len(orders))
        if len(self.asked) > 1:
            reports["type"] = groups.types
        if all(one.question.shape.a + one.question.shape.b == self.d for one in self.asked):
            (plus,) = masks.relabelled(orders, groups.plus)
            reports["plus"], reports["minus"] = plus, plus ^ plus.dtype.type((1 << self.d) - 1)
        else:
            reports["plus"], reports["minus"] = masks.relabelled(orders, groups.plus, groups.minus)
        for name, column in rest.items():
            reports[name] = column
        return reports

    # --- counting -----------------------------------------------------------------------------

    def levels(self, reports: Reports) -> NDArray[Any]:
        """The level of each report: its type, and its answer where there is one."""
        if len(self.asked) == 1:
            return np.zeros(len(reports), dtype=np.uint16)
        return np.asarray(reports["type"]).astype(np.uint16)

    @property
    @abstractmethod
    def steps(self) -> Floats:
        """What a report of each level counts."""

    @cached_property
    def shapes(self) -> Shapes:
        """The shape of every level, as columns."""
        shapes = [one.question.shape for one in self.asked for _ in range(self.LEVELS)]
        return Shapes(
            np.array([shape.a for shape in shapes]),
            np.array([shape.b for shape in shapes]),
            np.array([shape.gain for shape in shapes]),
            np.array([shape.loss for shape in shapes]),
            np.array([float(shape.mean(self.d)) for shape in shapes]),
        )

    def views(self, reports: Reports) -> Floats:
        """w̄ + step (gain 1_{T+} - loss 1_{T-} - mean)."""
        level, shapes = self.levels(reports), self.shapes
        views = masks.unpacked(reports["plus"], self.d) * (self.steps * shapes.gain)[level, None]
        views -= masks.unpacked(reports["minus"], self.d) * (self.steps * shapes.loss)[level, None]
        return np.asarray(views - (self.steps * shapes.mean)[level, None] + float(self.rule.mean))

    def zero(self) -> Counts:
        """For each level: how often each candidate was in T+ and in T-, and the sum of x x^T with
        x = gain 1_{T+} - loss 1_{T-}.
        """
        m = len(self.asked) * self.LEVELS
        flat = np.zeros((m, self.d), dtype=np.int64)
        return {"plus": flat, "minus": flat, "outer": np.zeros((m, self.d, self.d), dtype=np.int64)}

    def count(self, reports: Reports) -> Counts:
        """Count members and pairs, by histograms for up to 8 candidates, else by products."""
        return self._by_histogram(reports) if self.d <= 8 else self._by_product(reports)

    def _by_histogram(self, reports: Reports) -> Counts:
        """Pairs within T+, within T-, and, from both together, across."""
        m = len(self.asked) * self.LEVELS
        level = self.levels(reports) if m > 1 else None
        plus, minus = reports["plus"], reports["minus"]
        pp = masks.pair_counts(plus, self.d, level, m)
        mm = masks.pair_counts(minus, self.d, level, m)
        across = masks.pair_counts(plus | minus, self.d, level, m) - pp - mm
        gain, loss = (x[:, None, None] for x in (self.shapes.gain, self.shapes.loss))
        diagonal = np.arange(self.d)
        return {
            "plus": pp[:, diagonal, diagonal],
            "minus": mm[:, diagonal, diagonal],
            "outer": gain * gain * pp + loss * loss * mm - gain * loss * across,
        }

    def _by_product(self, reports: Reports) -> Counts:
        """Level by level, x x^T as a product of matrices."""
        level = self.levels(reports)
        order = np.argsort(level, kind="stable")
        ends = np.cumsum(np.bincount(level, minlength=len(self.asked) * self.LEVELS))
        total = {name: array.copy() for name, array in self.zero().items()}
        for g, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            question = self.asked[g // self.LEVELS].question
            for block in blocks(end - start, EXACT_ROWS):
                rows = order[start:end][block]
                plus, minus = reports["plus"][rows], reports["minus"][rows]
                found = counted(question, plus, minus)
                for name, part in zip(total, found, strict=True):
                    total[name][g] += part
        return total

    def consistent(self, tally: Tally) -> bool:
        """Every report has a members in T+ and b in T-."""
        a, b = self.shapes.a, self.shapes.b
        plus, minus = tally.counts["plus"], tally.counts["minus"]
        reports = plus.sum(axis=1) // a
        sound = plus.min() >= 0 and minus.min() >= 0 and reports.sum() == tally.n
        whole = (plus.sum(axis=1) == a * reports) & (minus.sum(axis=1) == b * reports)
        return bool(sound and whole.all())

    def moments(self, tally: Tally) -> tuple[Floats, Floats]:
        """Mean view and the sample covariance of the views."""
        counts, shapes, step = tally.counts, self.shapes, self.steps
        reports = counts["plus"].sum(axis=1) / shapes.a
        sums = counts["plus"] * shapes.gain[:, None] - counts["minus"] * shapes.loss[:, None]
        off = step @ sums - step @ (shapes.mean * reports)
        mean = off / tally.n
        # Σ (x - m)(x - m)^T from Σ x x^T and Σ x, for each level's mean m
        second = np.tensordot(step**2, counts["outer"].astype(np.float64), axes=1)
        cross = (step**2 * shapes.mean) @ sums
        second += (step**2 * shapes.mean**2) @ reports - cross[:, None] - cross[None, :]
        spread = self.sample_covariance(mean, second / tally.n, tally.n)
        return mean + float(self.rule.mean), spread

    # --- what is known of it ------------------------------------------------------------------

    @abstractmethod
    def level_shares(self) -> Floats:
        """How often each level occurs, over uniform rankings."""

    @abstractmethod
    def answer_power(self, one: Asked) -> tuple[Fraction, Fraction]:
        """Weight of the groups that pass, and of those that do not, in a report's second moment;
        for groups drawn uniformly.
        """

    def variances(self) -> Floats:
        """Second moment of being in T+ or in T- at each rank, less (w - w̄)²."""
        total = [-((w - self.rule.mean) ** 2) for w in self.rule.scores]
        for one in self.asked:
            shape, known = one.question.shape, designing.law(one.question)
            yes, no = self.answer_power(one)
            power = Fraction(one.share, WHOLE) * Fraction(one.step, UNIT) ** 2
            mean = shape.mean(self.d)
            everyone = yes * known.passing + no * (1 - known.passing)
            for r, (p, m) in enumerate(zip(known.plus, known.minus, strict=True)):
                inside = no * Fraction(shape.a, self.d) + (yes - no) * p
                outside = no * Fraction(shape.b, self.d) + (yes - no) * m
                total[r] += power * (
                    inside * (shape.gain - mean) ** 2
                    + outside * (shape.loss + mean) ** 2
                    + (everyone - inside - outside) * mean**2
                )
        return np.array([float(x) for x in total])

    def sum_variance(self) -> float:
        """Zero: every view sums to the total of the rule."""
        return 0.0

    def risks(self, n: int = 1) -> Risks:
        """Over all levels: sizes of the views, their largest distance, and the largest gap."""
        mean, shapes = float(self.rule.mean), self.shapes
        levels = zip(
            self.steps * (shapes.gain - shapes.mean),
            -self.steps * (shapes.loss + shapes.mean),
            -self.steps * shapes.mean,
            zip(shapes.a, shapes.b, self.d - shapes.a - shapes.b, strict=True),
            strict=True,
        )
        views = [
            np.sort(np.repeat([up, down, rest], numbers)) for up, down, rest, numbers in levels
        ]
        size = np.array([np.abs(mean + view).sum() for view in views])
        diameter = max(
            np.abs(p - q[::-1]).sum() for p, q in itertools.combinations_with_replacement(views, 2)
        )
        return Risks(
            float(size.max() / n),
            float(self.level_shares() @ size / n),
            float(diameter),
            float((np.abs(self.steps) * (shapes.gain + shapes.loss)).max()),
        )

    def bias(self) -> float:
        """The largest error of an expected view, from the exact counts; below 1e-9 by design."""
        total = [Fraction(0)] * self.d
        for one in self.asked:
            move = designing.law(one.question).moves(self.name, self.odds.ratio)
            part = Fraction(one.share * one.step, WHOLE * UNIT)
            total = [x + part * y for x, y in zip(total, move, strict=True)]
        goal = (w - self.rule.mean for w in self.rule.scores)
        return max(abs(float(x - y)) for x, y in zip(total, goal, strict=True))

    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """The two groups, as a sentence."""
        plus, minus = (
            "{" + ", ".join(candidates[j] for j in masks.members(int(report[name][0]))) + "}"
            for name in ("plus", "minus")
        )
        return f"{plus} over {minus}"

"""Challenge: one noisy bit on a question that the voter could not choose.

Law: the question (type and two groups) is fixed by a public key and a hash of 32 bytes, such as
that of the voter's credential, or drawn afresh where there is none; the report is the answer to
"do the groups pass under my ranking?", true with probability A/(A + B). Guarantee: the ranking
decides only which of two answers is the likelier one, by the factor A/B, whatever the question is.
A dishonest voter can choose the bit, and perhaps not to answer, but not the question; that holds
only with a key and where credentials are issued, since whoever can make new ones can shop for a
question. Source: ours, on the questions of the duel.
"""

import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote import lottery
from hushvote.errors import MechanismError, echo
from hushvote.exact import Number
from hushvote.lottery import Bits, Odds, Wheel
from hushvote.mechanisms import masks
from hushvote.mechanisms.contract import Certificate, Floats
from hushvote.mechanisms.duel.designing import WHOLE, DesignedQuestion, passing_groups
from hushvote.mechanisms.duel.grouped import Grouped
from hushvote.mechanisms.duel.groups import Groups, outcomes
from hushvote.mechanisms.duel.question import parted
from hushvote.mechanisms.fields import Field, Reports
from hushvote.mechanisms.gains import Gain, Gains
from hushvote.mechanisms.registry import register
from hushvote.messages import say
from hushvote.rankings import Orders, mask_dtype
from hushvote.rules import Rule


@dataclass(frozen=True)
class Comparison:
    """What one voter is asked about: a type, and two groups of candidates as masks."""

    type: int
    plus: int
    minus: int


class KeyedBits:
    """HMAC-SHA-256 as a stream: block i is HMAC(key, message + i as 4 bytes, big-endian)."""

    def __init__(self, key: bytes, message: bytes) -> None:
        self._key, self._message = key, message
        self._next, self._left = 0, b""

    def bytes(self, length: int, /) -> bytes:
        """Return the next `length` bytes of the stream."""
        while len(self._left) < length:
            message = self._message + self._next.to_bytes(4, "big")
            self._left += hmac.digest(self._key, message, "sha256")
            self._next += 1
        head, self._left = self._left[:length], self._left[length:]
        return head


@register
class Challenge(Grouped):
    """Answer one question with one noisy bit; `key` (hex) is the poll's public id."""

    name = "challenge"
    members = ("key", "questions")
    traceable = True  # the question is the credential's
    VARIANTS = 2

    def __init__(
        self,
        rule: Rule,
        epsilon: Number,
        *,
        key: str = "",
        questions: Sequence[Mapping[str, Any]] | None = None,
        odds: Odds | None = None,
    ) -> None:
        if not isinstance(key, str) or not re.fullmatch("([0-9a-f]{2})*", key):
            raise MechanismError(
                "the key must be hexadecimal text in lower case, two digits a byte, not "
                f"{echo(key)}",
                code="parameters.option",
                option="key",
                given=key,
            )
        self.key = bytes.fromhex(key)
        super().__init__(rule, epsilon, questions=questions, odds=odds)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The question, and the answer."""
        return (*super().fields, Field.bit("answer"))

    def options(self) -> dict[str, Any]:
        """The public key and the questions."""
        return {"key": self.key.hex(), **super().options()}

    # --- asking and answering -----------------------------------------------------------------

    def weights_of(self, passing: bool) -> int:
        """Questions are asked without looking at the vote: all weigh the same."""
        return 1

    @property
    def needs_question(self) -> bool:
        """With a key, a hash fixes the question; without one, questions are for trials."""
        return bool(self.key)

    def comparison(self, question: bytes) -> Comparison:
        """What the voter is asked, from the key and a hash of 32 bytes.

        From the stream `KeyedBits(key, question)`: the type by the shares, then a + b different
        candidates, the first a of them T+, the others T-.
        """
        if not self.key:
            raise MechanismError(
                "only a key fixes questions by hashes: Challenge(..., key=...)", code="question.key"
            )
        if not isinstance(question, bytes | bytearray) or len(question) != 32:
            raise MechanismError(
                "a question is a hash of 32 bytes", code="question.hash", given=question
            )
        return self._compared(KeyedBits(self.key, bytes(question)))

    def answers(self, report: Reports, question: bytes) -> bool:
        """Whether type and groups of a report are those of the question."""
        if not self.needs_question:
            return True
        asked = self.comparison(question)
        t = int(report["type"][0]) if len(self.asked) > 1 else 0
        return (t, int(report["plus"][0]), int(report["minus"][0])) == (
            asked.type,
            asked.plus,
            asked.minus,
        )

    def _compared(self, bits: Bits) -> Comparison:
        t = self._type(bits)
        q = self.asked[t].question
        candidates = lottery.distinct(self.d, sum(q.shape.sizes), bits)
        plus, minus = parted(candidates, q.shape.sizes)
        return Comparison(t, masks.mask_of(plus), masks.mask_of(minus))

    def passes(self, asked: Comparison, order: Sequence[int]) -> bool:
        """Whether the groups that are compared pass under a ranking."""
        q = self.asked[asked.type].question
        ranks = {j: r for r, j in enumerate(order)}
        groups = (masks.members(mask) for mask in (asked.plus, asked.minus))
        x = q.statistic(tuple(tuple(ranks[j] for j in group) for group in groups))
        return x >= q.threshold

    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Reports:
        """What the question asks, or a comparison drawn from the bits in the same way; then the
        true answer if below(A + B) < A, else the other.
        """
        fixed = self.comparison(question) if question is not None and self.key else None
        order, bits = self.begun(ranking, bits, question)
        asked = fixed or self._compared(bits)
        truth = lottery.below(self.odds.up + self.odds.down, bits) < self.odds.up
        answer = self.passes(asked, order) == truth
        groups = (masks.members(mask) for mask in (asked.plus, asked.minus))
        return self._mask_report(asked.type, groups, answer=answer)

    def randomize_on(self, questions: NDArray[np.uint8], orders: Orders, bits: Bits) -> Reports:
        """The answers in bulk."""
        groups = self._asked_groups([self.comparison(row.tobytes()) for row in questions])
        answer = self._passing(orders, groups) == self._truths(len(orders), bits)
        reports = self.domain.empty(len(orders))
        if len(self.asked) > 1:
            reports["type"] = groups.types
        (reports["plus"], reports["minus"]), reports["answer"] = groups.sets, answer
        return reports

    def _asked_groups(self, asked: Sequence[Comparison]) -> Groups:
        word = mask_dtype(self.d)
        return Groups(
            np.array([one.type for one in asked], dtype=np.uint8),
            tuple(
                np.array(column, dtype=word)
                for column in ([one.plus for one in asked], [one.minus for one in asked])
            ),
            np.zeros(len(asked), dtype=np.bool_),
        )

    def _passing(self, orders: Orders, groups: Groups) -> NDArray[np.bool_]:
        """Whether groups of candidates pass under each ranking."""
        questions = [one.question for one in self.asked]
        weights = np.array([q.weights for q in questions], dtype=np.int64)
        counts = [weights * mark[:, None] for mark in self.shapes.marks[:: self.VARIANTS].T]
        word = mask_dtype(self.d)
        x = np.zeros(len(orders), dtype=np.int64)
        for rank, column in enumerate(np.ascontiguousarray(orders.T)):
            who = np.left_shift(word.type(1), column, dtype=word)
            for group, count in zip(groups.sets, counts, strict=True):
                x += count[groups.types, rank] * ((group & who) != 0)
        return np.asarray(x >= np.array([q.threshold for q in questions])[groups.types])

    @cached_property
    def _honesty(self) -> Wheel:
        return Wheel([self.odds.down, self.odds.up])

    def _truths(self, n: int, bits: Bits) -> NDArray[np.bool_]:
        return np.asarray(self._honesty.draw(n, bits) == 1)

    def randomize(self, orders: Orders, bits: Bits) -> Reports:
        """Fresh questions drawn in ranks, which is the same law: all groups are equally likely."""
        groups = self._drawer.draw(orders, bits)
        return self._filled(groups, answer=groups.passes == self._truths(len(orders), bits))

    # --- counting -----------------------------------------------------------------------------

    def variants(self, reports: Reports) -> NDArray[Any]:
        """Type and answer."""
        return np.asarray(2 * super().variants(reports) + reports["answer"])

    @cached_property
    def steps(self) -> Floats:
        """The step of each type, times the answer (-1 or 1) less its expectation."""
        return np.array(
            [
                float(self.rule.span * one.points * (answer - self._expected(one)))
                for one in self.asked
                for answer in (-1, 1)
            ]
        )

    def _expected(self, one: DesignedQuestion) -> Fraction:
        """The answer that a question gets on average over all groups, from -1 to 1."""
        return passing_groups(one.question).answer(self.odds.ratio)

    # --- what is known of it ------------------------------------------------------------------

    def variant_shares(self) -> Floats:
        """The shares of the types, and in each of the answers."""
        shares = []
        for one in self.asked:
            yes = (1 + float(self._expected(one))) / 2
            shares += [one.share / WHOLE * (1 - yes), one.share / WHOLE * yes]
        return np.array(shares)

    def answer_power(self, one: DesignedQuestion) -> tuple[Fraction, Fraction]:
        """Second moment of the answer less its expectation β: 1 ∓ 2 β κ + β²."""
        kappa = (self.odds.ratio - 1) / (self.odds.ratio + 1)
        beta = self._expected(one)
        return 1 - 2 * beta * kappa + beta**2, 1 + 2 * beta * kappa + beta**2

    def shift(self) -> float:
        """How far one fake report moves the difference of two candidates' totals, on average over
        the questions that a credential may bring, when its bit is chosen for that.
        """
        return self._made_up.mean

    def dishonest_gains(self) -> Gains:
        """With a key, cheats choose the bit and perhaps the voter, but not the question.

        A voter who would have answered honestly, and at worst the other way, would have moved the
        gap back by (A other - B better)/(A + B), better and other being the steps of the two
        bits: turning that voter gains (better + other) A/(A + B).
        """
        if not self.key:
            return Gains.free(self.risks().gap, say("caveat.no_key"))
        return Gains(self._made_up, self._turned, bound=True)

    @cached_property
    def _made_up(self) -> Gain:
        found = list(self._best_bits())
        return Gain(
            tuple(size * better for size, better, _, _ in found),
            tuple(chance for *_, chance in found),
        )

    @cached_property
    def _turned(self) -> Gain:
        true = float(self.odds.ratio / (self.odds.ratio + 1))
        found = list(self._best_bits())
        return Gain(
            tuple(size * max(better, true * (better + other)) for size, better, other, _ in found),
            tuple(chance for *_, chance in found),
        )

    def _best_bits(self) -> Iterator[tuple[float, float, float, float]]:
        """All questions that concern two given candidates: how far apart the groups put them, the
        steps of the better and of the other bit, and the chance of such a question.
        """
        for t, one in enumerate(self.asked):
            (a, b), (up, down) = one.question.shape.sizes, one.question.shape.marks
            no, yes = (abs(float(step)) for step in self.steps[2 * t : 2 * t + 2])
            rest = self.d - a - b
            # both named, on opposite sides; one named, the other not
            for pairs, size in ((a * b, up - down), (a * rest, up), (b * rest, -down)):
                chance = one.share / WHOLE * pairs / (self.d * (self.d - 1))
                if pairs:
                    yield size, yes, no, chance
                    yield size, no, yes, chance

    def certificate(self) -> Certificate:
        """One bit, true with odds A to B."""
        odds = self.odds
        return Certificate(
            self.epsilon,
            odds.ratio,
            (
                ("odds A/B, rounded down from exp(epsilon)", f"{odds.up}/{odds.down}"),
                ("the question", "fixed without looking at the vote"),
                ("odds of the true answer", "A/B, for every question and ranking"),
            ),
        )

    def variant_weights(self, one: DesignedQuestion) -> list[tuple[Fraction, Fraction]]:
        """No: 1/(E+1) for groups that pass, E/(E+1) for those that do not. Yes: the reverse."""
        false, true = 1 / (self.odds.ratio + 1), self.odds.ratio / (self.odds.ratio + 1)
        return [(false, true), (true, false)]

    def _variant_words(self, variant: int) -> str:
        """The type, and the answer."""
        t, answer = divmod(variant, 2)
        above, below = self._sizes_of(t)
        return say("variant.yes" if answer else "variant.no", type=t, above=above, below=below)

    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """Every question and answer with its probability."""
        order = self.one_ranking(ranking)
        odds = self.odds
        for t, one in enumerate(self.asked):
            listed = list(outcomes(one.question))
            for groups, passes in listed:
                named = [[order[r] for r in group] for group in groups]
                for answer in (0, 1):
                    weight = odds.up if passes == answer else odds.down
                    yield (
                        self._mask_report(t, named, answer=answer),
                        Fraction(one.share * weight, WHOLE * len(listed) * (odds.up + odds.down)),
                    )

    def disguise(self, favour: int, against: int, n: int = 1, rng: Bits | None = None) -> Reports:
        """Questions as they come; the attacker only chooses the bit that helps `favour` most."""
        bits = lottery.source(rng)
        reports = self._filled(self._drawer.in_ranks(n, bits))
        coins = np.frombuffer(bits.bytes(n), dtype=np.uint8) & 1
        gaps = []
        for answer in (0, 1):
            reports["answer"] = answer
            views = self.views(reports)
            gaps.append(views[:, favour] - views[:, against])
        no, yes = gaps
        reports["answer"] = np.where(np.isclose(no, yes, rtol=1e-12, atol=0), coins, yes > no)
        return reports

    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """The groups and the answer."""
        report = self.one_report(report, candidates)
        above, below = self._named(report, candidates)
        return say("report.yes" if report["answer"][0] else "report.no", above=above, below=below)

"""Laplace: every score with discrete Laplace noise, drawn by binary digits.

Law: scores are counted in whole units of 1/g (a shared dither keeps fractional ones unbiased),
and each gets noise K or -1-K, with equal chance, where K >= 0 has a weight close to exp(-l K) and
its binary digits are independent coins with odds that are fixed 64-bit integers. Guarantee:
neighbouring noise values differ in probability by at most 1 + e/N, shown by I + 1 inequalities
between whole numbers; two votes are at most N units apart, and (1 + e/N)^N < exp(e). Every draw
takes the same number of bytes. Source: Wang et al. 2019, section "Laplace mechanism"; the exact
integer scheme is ours.
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
from hushvote.errors import MechanismError, TallyError
from hushvote.exact import Number
from hushvote.lottery import LARGEST_EPSILON, Bits, Odds, Wheel
from hushvote.mechanisms import listing
from hushvote.mechanisms.contract import Certificate, Floats, Mechanism, Risks, Weights
from hushvote.mechanisms.digits import (
    WORD,
    designed_digits,
    power_above,
    read_digits,
    step_ratio,
)
from hushvote.mechanisms.fields import Field, Reports
from hushvote.mechanisms.moments import FixedNoise, Moments
from hushvote.mechanisms.registry import register
from hushvote.mechanisms.signals import Signals
from hushvote.messages import say
from hushvote.messages.phrases import commas
from hushvote.rankings import Orders
from hushvote.rules import Rule
from hushvote.tally import Counts

MOST_WORDS = 128  # 64-bit words that the noise of one score may take
LARGEST_SCORE = 1 << 47  # units, so that a block of 2^16 reports adds up in 64 bits
TAILS = 15  # tail rounds that one bulk draw settles at once


@register
class Laplace(Mechanism):
    """Add noise to every score; the baseline of the paper."""

    name = "laplace"
    members = ("digits",)
    RESOLUTION = 1 << 20  # units in the L1 diameter of the scored votes, at least
    REACH = 64  # reports are cut off this many noise scales beyond the scores
    LARGEST_BIAS = Fraction(1, 10**9)  # of the rule's span, that cutting off may shift a score

    def __init__(
        self,
        rule: Rule,
        epsilon: Number,
        *,
        digits: Sequence[int | str] | None = None,
        odds: Odds | None = None,
    ) -> None:
        super().__init__(rule, epsilon, odds=odds)
        self.units_per_point = math.ceil(self.RESOLUTION / rule.diameter)
        scaled = [self.units_per_point * w for w in rule.scores]
        self._floor = [math.floor(x) for x in scaled]
        self._dither = [round(WORD * (x - math.floor(x))) for x in scaled]
        self.distance = self._largest_distance()
        cut = math.floor(self.REACH * self.distance / self.epsilon)
        self.low, self.high = self._floor[-1] - cut, self._floor[0] + 1 + cut
        if max(-self.low, self.high) > LARGEST_SCORE:
            raise MechanismError(
                f"Laplace reports for scores so large and epsilon {float(self.epsilon):g} would "
                "outgrow 64 bits when they are added up; use smaller scores or a larger epsilon",
                code="parameters.option",
                epsilon=self.epsilon,
            )
        self.digits = read_digits(digits) if digits is not None else self._designed()
        self._check(cut)

    def _designed(self) -> tuple[int, ...]:
        """The digits that take the fewest words, among those that keep epsilon."""
        limit = 1 + self.epsilon / self.distance
        tries = (designed_digits(self.epsilon, self.distance, least) for least in (4, 2, 1))
        found = next((digits for digits in tries if step_ratio(digits) <= limit), None)
        if found is None:
            raise MechanismError(
                f"Laplace noise for scores so far apart and epsilon {float(self.epsilon):g} would "
                "need coins of more than 64 bits; bring the scores closer together",
                code="parameters.option",
                epsilon=self.epsilon,
            )
        return found

    def _check(self, cut: int) -> None:
        """Refuse digits that would not keep epsilon, take too long, or shift the scores."""
        if not 0 < step_ratio(self.digits) <= 1 + self.epsilon / self.distance:
            raise MechanismError(
                f"the digits of this Laplace noise do not keep epsilon {float(self.epsilon):g}",
                code="parameters.odds",
                epsilon=self.epsilon,
            )
        if len(self.digits) - 1 + self.tails > MOST_WORDS:
            raise MechanismError(
                f"this Laplace noise takes {len(self.digits) - 1 + self.tails:,} words a score; "
                f"it must take {MOST_WORDS} at most",
                code="parameters.cost",
                words=len(self.digits) - 1 + self.tails,
                most=MOST_WORDS,
            )
        # beyond the cut there are at least `tails` tail rounds, each of chance q
        largest, q = 1 << (len(self.digits) - 1), Fraction(self.digits[-1], WORD)
        tails = cut >> (len(self.digits) - 1)
        bias = q**tails * largest * (1 + 1 / (1 - q)) / self.units_per_point
        if bias > self.LARGEST_BIAS * self.rule.span:
            raise MechanismError(
                f"this Laplace noise is cut off so often that scores are shifted by up to "
                f"{float(bias):.2g} points; its digits must fall faster",
                code="parameters.biased",
                points=float(bias),
            )

    @property
    def tails(self) -> int:
        """T: tail words of the noise of one score; if all of them count, the report is cut off."""
        most = self.high - self._floor[-1]
        return -(-most >> (len(self.digits) - 1))

    def _dithered(self, word: int) -> list[int]:
        """The scores in whole units, for one 64-bit dither word."""
        return [q + (word < f) for q, f in zip(self._floor, self._dither, strict=True)]

    def _largest_distance(self) -> int:
        """N: the largest L1 distance of two dithered votes, over all dither words."""
        words = {0, *(f for f in self._dither if f < WORD)}
        vectors = (self._dithered(word) for word in words)
        return max(sum(abs(a - b) for a, b in zip(v, reversed(v), strict=True)) for v in vectors)

    @property
    def fields(self) -> tuple[Field, ...]:
        """One noisy score a candidate, in units."""
        return tuple(Field.integer(f"score_{j}", self.low, self.high) for j in range(self.d))

    def options(self) -> dict[str, Any]:
        """The coins of the noise: the integers M_0 ... M_I of its binary digits."""
        return {"digits": [exact.to_json(digit) for digit in self.digits]}

    # --- drawing ------------------------------------------------------------------------------

    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Reports:
        """One 64-bit word for the dither; then for candidates 0 to d-1 in turn their noise.

        Noise: one word for each digit i < I, which is 1 if the word < M_i; then T words, of which
        each adds 2^I as long as it and all before it are < M_I; then below(2): 0 gives that sum
        K, 1 gives -1-K. Every draw takes the same number of bytes.
        """
        order, bits = self.begun(ranking, bits, question)
        vote = self._dithered(lottery.below(WORD, bits))
        rank_of = dict(zip(order, range(self.d), strict=True))
        report = self.domain.empty(1)
        for j in range(self.d):
            noisy = vote[rank_of[j]] + self._noise(bits)
            report[f"score_{j}"] = min(max(noisy, self.low), self.high)
        return report

    def _noise(self, bits: Bits) -> int:
        *digits, tail = self.digits
        size = sum((lottery.below(WORD, bits) < M) << i for i, M in enumerate(digits))
        counts = True
        for _ in range(self.tails):
            counts &= lottery.below(WORD, bits) < tail
            size += counts << len(digits)
        return size if lottery.below(2, bits) == 0 else -1 - size

    @cached_property
    def _wheels(self) -> tuple[list[Wheel], Wheel]:
        """Eight digits at a time as one draw, and the number of tail rounds."""
        *digits, tail = self.digits
        chunks = []
        for start in range(0, len(digits), 8):
            coins = digits[start : start + 8]
            chunks.append(
                Wheel(
                    [
                        math.prod(M if byte >> i & 1 else WORD - M for i, M in enumerate(coins))
                        for byte in range(1 << len(coins))
                    ]
                )
            )
        tails = [tail**t * (WORD - tail) * WORD ** (TAILS - 1 - t) for t in range(TAILS)]
        return chunks, Wheel([*tails, tail**TAILS])

    def randomize(self, orders: Orders, bits: Bits) -> Reports:
        """The same law with eight digits a draw."""
        n, d = orders.shape
        words = np.frombuffer(bits.bytes(8 * n), dtype=np.uint64)
        scores = np.array(self._floor, dtype=np.int64) + np.zeros((n, 1), dtype=np.int64)
        for r, dither in enumerate(self._dither):
            if dither == WORD:
                scores[:, r] += 1
            elif dither:
                scores[:, r] += words < np.uint64(dither)
        noisy = np.empty((n, d), dtype=np.int64)
        np.put_along_axis(noisy, orders.astype(np.intp), scores, axis=1)
        noisy += self._bulk_noise(n * d, bits).reshape(n, d)
        np.clip(noisy, self.low, self.high, out=noisy)
        reports = self.domain.empty(n)
        for j in range(d):
            reports[f"score_{j}"] = noisy[:, j]
        return reports

    def _bulk_noise(self, n: int, bits: Bits) -> NDArray[np.int64]:
        chunks, tails = self._wheels
        size = np.zeros(n, dtype=np.int64)
        for i, wheel in enumerate(chunks):
            size |= wheel.draw(n, bits).astype(np.int64) << (8 * i)
        more = np.arange(n)
        while more.size:
            rounds = tails.draw(len(more), bits).astype(np.int64)
            size[more] += rounds << (len(self.digits) - 1)
            more = more[rounds == TAILS]
        minus = np.frombuffer(bits.bytes(n), dtype=np.uint8) & 1 == 1
        np.invert(size, where=minus, out=size)  # ~K is -1-K
        return size

    def simulated_mean(self, orders: Orders, truth: Floats, rng: np.random.Generator) -> Floats:
        """A sum of n Laplace variables of scale b is b (Γ(n) - Γ(n))."""
        n, d = orders.shape
        scale = float(self.rule.diameter / self.epsilon)
        gain, loss = rng.standard_gamma(n, size=(2, d))
        return np.asarray(truth + scale / n * (gain - loss))

    # --- counting -----------------------------------------------------------------------------

    def _matrix(self, reports: Reports) -> NDArray[Any]:
        return np.stack([reports[f"score_{j}"] for j in range(self.d)], axis=1)

    def views(self, reports: Reports) -> Floats:
        """Steps back into points; noise is symmetric around -1/2."""
        return (self._matrix(reports) + 0.5) / float(self.units_per_point)

    def count(self, reports: Reports, weights: Weights | None = None) -> Counts:
        """The sums of the noisy scores."""
        columns = [reports[f"score_{j}"] for j in range(self.d)]
        if weights is None:
            return {"sums": np.array([column.sum(dtype=np.int64) for column in columns])}
        largest = max(-self.low, self.high) * int(weights.sum())
        whole = np.int64 if largest < 1 << 63 else object  # sums of Python's integers never wrap
        sums = [weights.astype(whole) @ column.astype(whole) for column in columns]
        if any(not -(1 << 63) <= total < 1 << 63 for total in map(int, sums)):
            raise TallyError(
                "the counts have grown beyond 64-bit integers; tally fewer reports",
                code="tally.overflow",
            )
        return {"sums": np.array(sums, dtype=np.int64)}

    def consistent(self, n: int, counts: Counts) -> bool:
        """No sum lies beyond n times the largest report."""
        return all(n * self.low <= int(x) <= n * self.high for x in counts["sums"])

    def moments(self, n: int, counts: Counts) -> Moments:
        """The mean view alone: the noise does not depend on the vote."""
        return Moments.of(n, (counts["sums"] / n + 0.5) / self.units_per_point)

    def fixed_noise(self) -> FixedNoise:
        """Its variance, and at most 1/4 for the dither. Laplace noise of variance 2 b² has a fourth
        cumulant of 12 b⁴; that of jumps is their variance times their size squared.
        """
        variance = (self._noise_variance + 0.25) / self.units_per_point**2
        return FixedNoise(np.eye(self.d) * variance, math.sqrt(3 * variance))

    # --- what is known of it ------------------------------------------------------------------

    @cached_property
    def _noise_variance(self) -> float:
        """Exact variance of the noise in units², from its independent digits."""
        *digits, tail = self.digits
        coins = [Fraction(M, WORD) for M in digits]
        step, q = 2 ** len(coins), Fraction(tail, WORD)
        mean = sum(p * 2**i for i, p in enumerate(coins)) + step * q / (1 - q)
        variance = sum(p * (1 - p) * 4**i for i, p in enumerate(coins))
        variance += step**2 * q / (1 - q) ** 2
        return float(variance + (mean + Fraction(1, 2)) ** 2)

    def _dither_shares(self) -> Floats:
        return np.array(self._dither) / WORD

    def variances(self) -> Floats:
        """The variance of the noise, and of the dither at each rank: 2 Δ²/e² to within 1e-4."""
        f = self._dither_shares()
        return np.asarray((self._noise_variance + f * (1 - f)) / self.units_per_point**2)

    def sum_variance(self) -> float:
        """Noise is independent; the dither is shared by all scores."""
        f = self._dither_shares()
        shared = (np.minimum.outer(f, f) - np.outer(f, f)).sum()
        return float((self.d * self._noise_variance + shared) / self.units_per_point**2)

    def risks(self, n: int = 1) -> Risks:
        """EM = (1/n) sum (Δ/e) exp(-|w| e/Δ) + |w|; the noise itself has no bound.

        `disguise` uses the filter that an honest report passes with 95 % a candidate.
        """
        scale = float(self.rule.diameter / self.epsilon)
        w = np.abs(self.rule.vector)
        expected = float((scale * np.exp(-w / scale) + w).sum() / n)
        return Risks(math.inf, expected, math.inf, math.inf)

    def shift(self) -> float:
        """The gap within the filter that an honest report passes with 95 % a candidate."""
        w = self.rule.scores
        return 2 * math.log(20) * float(self.rule.diameter / self.epsilon) + float(w[0] - w[-1])

    def certificate(self) -> Certificate:
        """I + 1 inequalities between whole numbers, then a power rounded up."""
        ratio = step_ratio(self.digits)
        limit = 1 + self.epsilon / self.distance
        return Certificate(
            self.epsilon,
            power_above(ratio, self.distance),
            (
                ("units per point", str(self.units_per_point)),
                ("N: largest distance of two votes, in units", str(self.distance)),
                ("binary digits of the noise", str(len(self.digits) - 1)),
                ("64-bit words for the noise of one score", str(len(self.digits) - 1 + self.tails)),
                ("largest factor between neighbouring values", f"{float(ratio):.12f}"),
                ("which must not exceed 1 + epsilon/N", f"{float(limit):.12f}"),
                ("factor between two votes: its N-th power", "rounded up"),
            ),
        )

    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """Only for a miniature: there are too many reports to list otherwise. `noise_law` has
        the exact law of one score's noise.
        """
        if not listing.fits(self):
            raise MechanismError(
                "Laplace reports are too many to list; its certificate proves the bound, "
                "and noise_law gives the exact law of the noise",
                code="mechanism.unlisted",
                mechanism=self.name,
            )
        order = self.one_ranking(ranking)
        law: dict[tuple[int, ...], Fraction] = {}
        borders = sorted({0, WORD, *self._dither})
        for start, end in itertools.pairwise(borders):
            vote = self._dithered(start)
            scores = [self._score_law(vote[order.index(j)]) for j in range(self.d)]
            for report in itertools.product(range(self.low, self.high + 1), repeat=self.d):
                chance = math.prod(one[x - self.low] for one, x in zip(scores, report, strict=True))
                law[report] = law.get(report, Fraction(0)) + Fraction(end - start, WORD) * chance
        for report, chance in law.items():
            yield np.array([report], dtype=self.domain.dtype), chance

    def _score_law(self, score: int) -> list[Fraction]:
        """The chances of all values from low to high of one noisy score: those beyond are cut."""
        inner = [self.noise_law(x - score) for x in range(self.low + 1, self.high)]
        half = Fraction(1, 2)
        lowest = half - sum((self.noise_law(-1 - k) for k in range(score - self.low - 1)), half * 0)
        return [lowest, *inner, 1 - lowest - sum(inner)]

    def miniature(self) -> Mechanism:
        """Two candidates and a dozen units: the same draw with fewer digits."""
        return _Miniature(Rule("miniature", ["1", "0.3"]), LARGEST_EPSILON)

    def signals(self) -> Signals:
        """How far sums of noise go."""
        return Signals(score_tail=self._score_tail)

    def _score_tail(self, points: Floats, n: int) -> Floats:
        """By Chernoff's bound for sums of n m Laplace variables: the least of
        -λ points - n m log(1 - scale² λ²) over λ.
        """
        terms = n * np.arange(1, self.d)
        t = np.maximum(points, 0.0) / math.sqrt(self.mse() / (2 * self.d))
        rate = t / (np.sqrt(terms**2 + t**2) + terms)  # scale λ
        return np.asarray(-rate * t - terms * np.log1p(-(rate**2)))

    def noise_law(self, size: int) -> Fraction:
        """The exact probability that the noise of one score is `size` units."""
        *digits, tail = self.digits
        coins = [Fraction(M, WORD) for M in digits]
        q = Fraction(tail, WORD)

        def chance(value: int) -> Fraction:
            low = math.prod(p if value >> i & 1 else 1 - p for i, p in enumerate(coins))
            return low * q ** (value >> len(coins)) * (1 - q)

        return chance(size if size >= 0 else -1 - size) / 2

    def disguise(self, favour: int, against: int, n: int = 1, rng: Bits | None = None) -> Reports:
        """The ends of the 95 % filter for the two candidates, the mean score for the others."""
        beyond = Fraction(math.log(20)) * self.rule.diameter / self.epsilon
        view = [self.rule.mean] * self.d
        view[favour] = self.rule.scores[0] + beyond
        view[against] = self.rule.scores[-1] - beyond
        reports = self.domain.empty(n)
        for j in range(self.d):
            reports[f"score_{j}"] = round(view[j] * self.units_per_point - Fraction(1, 2))
        return reports

    def words(self, report: Reports, candidates: Sequence[str]) -> str:
        """The noisy scores."""
        view = self.views(self.one_report(report, candidates))[0]
        pairs = zip(candidates, view, strict=True)
        scores = commas([say("report.score", name=name, score=x) for name, x in pairs])
        return say("report.scores", scores=scores)


class _Miniature(Laplace):
    """Few enough reports and ways to list them all."""

    RESOLUTION = 2
    REACH = 9
    LARGEST_BIAS = Fraction(10**9)

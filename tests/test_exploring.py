"""Draws followed on all their ways: their law, and what their bytes give away."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

import hushvote as hv
from hushvote import exploring, lottery
from hushvote.certifying import laws_of
from hushvote.exploring import Exploration, NotExplored, explored, joint_ratio
from hushvote.mechanisms import masks
from hushvote.mechanisms.laplace import _Miniature
from tests.conftest import free, listable, random_rule, rules

MOST_BYTES = 60  # up to which the law of report and bytes is written out


def all_ways(made: hv.Mechanism) -> list[Exploration]:
    return [explored(made, ranking) for ranking in itertools.permutations(range(made.d))]


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["0.1", "1", "5"])
@pytest.mark.parametrize("d", [3, 4])
def test_report_and_bytes_together_keep_the_odds_for_every_draw(d, epsilon):
    """All rankings, all ways, in fractions; and the law is the one that the mechanism states."""
    for made in [m for rule in rules(d) for m in (*listable(rule, epsilon), free(rule, epsilon))]:
        laws = laws_of(made)
        assert laws is not None
        found = all_ways(made)
        assert [each.law() for each in found] == list(laws.values()), made
        ratio = joint_ratio(found)
        assert ratio is not None, made
        assert ratio <= made.certificate().odds, made


def test_finer_questions_give_nothing_away_by_their_bytes():
    made = hv.Duel(hv.Rule("best-worst", [2, 1, 1, 0]), "0.1")
    assert any(one.question.shape.fine for one in made.asked)
    ratio = joint_ratio(all_ways(made))
    assert ratio is not None
    assert ratio == made.odds.ratio


# --- the joint law of report and bytes, written out by itself ---------------------------------


def bytes_law(limits: Sequence[int]) -> list[Fraction]:
    """How many bytes these draws take in all: sums of geometric numbers of attempts."""
    law = [Fraction(1)] + [Fraction(0)] * MOST_BYTES
    for limit in limits:
        width = (limit - 1).bit_length()
        size, hit = math.ceil(width / 8), Fraction(limit, 2**width)
        if size == 0:
            continue
        after = [Fraction(0)] * (MOST_BYTES + 1)
        for used in range(size, MOST_BYTES + 1):  # the last attempt hits, or a miss came before
            after[used] = hit * law[used - size] + (1 - hit) * after[used - size]
        law = after
    return law


def product(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    total = [Fraction(0)] * (MOST_BYTES + 1)
    for i, x in enumerate(one):
        if x:
            for j in range(MOST_BYTES + 1 - i):
                total[i + j] += x * other[j]
    return total


def joint_law(way: Exploration) -> dict[tuple[bytes, int], Fraction]:
    """P(report, bytes) for one ranking, up to MOST_BYTES, with any number of attempts."""
    found: dict[tuple[bytes, int], Fraction] = defaultdict(Fraction)
    for start in way.starts.values():
        once = [Fraction(0)] * (MOST_BYTES + 1)
        for limits, chance in start.again.items():
            once = [x + chance * y for x, y in zip(once, bytes_law(limits), strict=True)]
        # what came before the attempt that is kept: 1 + once + once² + ...
        before = power = bytes_law(())
        while any(power):
            power = product(power, once)
            before = [x + y for x, y in zip(before, power, strict=True)]
        before = product(before, bytes_law(start.limits))
        for (report, limits), chance in start.kept.items():
            for used, p in enumerate(product(before, bytes_law(limits))):
                if p:
                    found[report, used] += start.chance * chance * p
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        hv.Additive(hv.borda(3), 1, k=1),
        hv.Additive(hv.nauru(3), 1, k=2),
        hv.Duel(hv.borda(3), 1),
        hv.Duel(random_rule(3, 5), 2),
        hv.Challenge(hv.nauru(3), 1),
        hv.WeightedSampling(hv.borda(3), 1),
        hv.Additive(hv.borda(4), 1, k=2),
        hv.Duel(hv.borda(4), 1),
    ],
    ids=repr,
)
def test_the_law_of_report_and_bytes_written_out_keeps_the_odds(made):
    """Another way to the same bound: P(report, bytes) as numbers, for every number of bytes."""
    found = [joint_law(way) for way in all_ways(made)]
    seen = {key for law in found for key in law}
    assert len({used for _, used in seen}) > 1
    for key in seen:
        chances = [law.get(key, Fraction(0)) for law in found]
        assert max(chances) <= made.odds.ratio * min(chances)


# --- draws that give themselves away ----------------------------------------------------------


class EarlyAdditive(hv.Additive):
    """Tosses the second coin only on tails."""

    name = "early-additive"

    def _attempt(self, bits):
        ranks = lottery.distinct(self.d, self.k, bits)
        excess = sum(self.rule.integers[r] for r in ranks) - self._least
        if lottery.below(self._most - self._least, bits) < excess:
            return ranks
        return ranks if lottery.below(self.odds.up, bits) < self.odds.down else None


def test_a_coin_that_is_tossed_only_on_tails_is_found_out():
    made = EarlyAdditive(hv.borda(4), 1)
    found = all_ways(made)
    laws = laws_of(made)
    assert laws is not None
    assert [each.law() for each in found] == list(laws.values())  # the report alone is fine
    assert joint_ratio(found) is None
    first, *others = (joint_law(way) for way in found)
    assert any(first[key] > made.odds.ratio * law[key] for law in others for key in first)


class Sloppy(hv.WeightedSampling):
    """Takes a byte more if candidate 0 is first."""

    def draw(self, ranking, bits=None, question=None):
        if ranking[0] == 0:
            lottery.below(200, bits)
        return super().draw(ranking, bits)


def test_a_draw_whose_bytes_depend_on_the_ranking_is_found_out():
    assert joint_ratio(all_ways(Sloppy(hv.borda(3), 1))) is None


def test_attempts_that_fail_more_often_for_some_rankings_are_found_out():
    """The report alone is uniform; only how often it begins again tells of the vote."""

    class Hesitant(hv.Additive):
        def draw(self, ranking, bits=None, question=None):
            def attempt():
                named = lottery.below(3, bits)
                sure = lottery.below(2, bits) < (2 if ranking[0] == 0 else 1)
                return [int(named)] if sure else None

            return self._report(1 << lottery.until(attempt, bits)[0])

    found = all_ways(Hesitant(hv.borda(3), 1))
    assert len({tuple(sorted(each.law().items())) for each in found}) == 1
    assert joint_ratio(found) is None


# --- Laplace, one coordinate at a time --------------------------------------------------------


def coordinates(made: hv.Laplace, ranking: Sequence[int], j: int) -> Exploration:
    """Only the dither and the words of candidate j's score go all their ways."""
    words = len(made.digits) - 1 + made.tails + 1
    own = range(1 + j * words, 1 + (j + 1) * words)
    return explored(made, ranking, free=lambda i: i == 0 or i in own)


@pytest.mark.slow
@pytest.mark.parametrize("d", [3, 4])
def test_laplace_has_its_law_in_every_coordinate_and_always_takes_the_same_bytes(d):
    """With fewer steps, so that the ways of one coordinate can be listed."""
    for rule in (hv.borda(d), hv.nauru(d), random_rule(d, 1)):
        made = _Miniature(rule, 10)
        for ranking in itertools.permutations(range(d)):
            vote = dict(zip(ranking, range(d), strict=True))
            for j in range(d):
                way = coordinates(made, ranking, j)
                assert len({limits for s in way.starts.values() for _, limits in s.kept}) == 1
                law: dict[int, Fraction] = defaultdict(Fraction)
                others = set()
                for report, chance in way.law().items():
                    values = np.frombuffer(report, dtype=made.domain.dtype)[0].tolist()
                    law[values[j]] += chance
                    others.add(tuple(v for i, v in enumerate(values) if i != j))
                assert len(others) <= d + 1  # they move with the shared dither alone
                assert dict(law) == score_law(made, vote[j])


def score_law(made: hv.Laplace, rank: int) -> dict[int, Fraction]:
    """The stated law of one score: a dithered score, noise, and what is cut off."""
    law: dict[int, Fraction] = defaultdict(Fraction)
    up = Fraction(made._dither[rank], 2**64)
    far = made.high - made.low + 2
    for score, share in ((made._floor[rank], 1 - up), (made._floor[rank] + 1, up)):
        rest = Fraction(1)
        for noise in range(-far - 1, far + 1):
            p = made.noise_law(noise)
            rest -= p
            law[min(max(score + noise, made.low), made.high)] += share * p
        law[made.high] += share * rest / 2  # noise is symmetric: half of the rest is above
        law[made.low] += share * rest / 2
    return {value: p for value, p in law.items() if p}


# --- what cannot be followed ------------------------------------------------------------------


class Own(hv.Additive):
    """A mechanism whose draw is given by a test."""

    def _attempt(self, bits):
        return self.act(bits)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda bits: [bits.bytes(1)[0] % 3], "takes its bytes otherwise"),
        (lambda bits: [lottery.below(10**6, bits) % 3], "1,000,000 values as it is"),
        (lambda bits: [0] if lottery.below(3, bits) ** 2 else [1], "cannot be followed"),
        (lambda bits: lottery.until(lambda: [0], bits), "more than one loop"),
        (lambda bits: next([0] for _ in iter(int, 1) if lottery.below(2, bits)), "more than 512"),
    ],
)
def test_a_draw_that_cannot_be_followed_says_why(act, says):
    made = Own(hv.borda(3), 1)
    made.act = act
    with pytest.raises(NotExplored, match=says):
        explored(made, [0, 1, 2])


def test_too_many_ways_are_refused(monkeypatch):
    monkeypatch.setattr(exploring, "MOST_WAYS", 10)
    with pytest.raises(NotExplored, match="more than 10 ways"):
        explored(hv.WeightedSampling(hv.borda(4), 1), range(4))


def test_numbers_that_are_not_yet_drawn_act_like_numbers():
    class Arithmetic(hv.Additive):
        def draw(self, ranking, bits=None, question=None):
            one, two = lottery.below(3, bits), lottery.below(3, bits)
            if not one:
                return self._report(1)
            if one == 2 and two != 1:
                return self._report(2)
            return self._report(masks.mask_of([(5 - two * one) % 3 >= 1, 2 - (two | 0)][:1]))

    law = explored(Arithmetic(hv.borda(3), 1), [0, 1, 2]).law()
    plain: dict[bytes, Fraction] = defaultdict(Fraction)
    for one, two in itertools.product(range(3), repeat=2):
        mask = 1 if not one else 2 if one == 2 and two != 1 else 1 << ((5 - two * one) % 3 >= 1)
        plain[bytes([mask])] += Fraction(1, 9)
    assert law == plain

"""`draw` and the bulk samplers against the exact law.

Every chi-square test here fails by chance with probability at most 1e-8; there are fewer than a
hundred of them, so that all together raise a false alarm less than once in a million runs.
"""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.lottery import FixedBits, secure_bits
from hushvote.mechanisms import additive
from tests.conftest import FreeSampling, random_orders, random_rule

pytestmark = pytest.mark.slow  # left out of `make check`

FALSE_ALARM = 1e-8


def assert_follows(counts: Counter, law: dict) -> None:
    """Chi-square test of observed counts against an exact law."""
    assert set(counts) <= set(law)
    n = sum(counts.values())
    expected = np.array([n * float(p) for p in law.values()])
    observed = np.array([counts.get(key, 0) for key in law])
    rare = expected < 5
    if rare.any():
        expected = np.append(expected[~rare], expected[rare].sum())
        observed = np.append(observed[~rare], observed[rare].sum())
    assert stats.chisquare(observed, expected * n / expected.sum()).pvalue > FALSE_ALARM


MECHANISMS = [
    hv.Additive(hv.borda(5), 1),
    hv.Additive(hv.nauru(5), "0.5", k=2),
    hv.Additive(random_rule(5, 3), 3, k=3),
    hv.WeightedSampling(hv.borda(4), 1),
    hv.WeightedSampling(hv.nauru(5), 2, intercept="lower"),
    FreeSampling(random_rule(3, 3), 1, intercept=Fraction(1, 3), masses=[5, 1, 2]),
    hv.NaiveSampling(hv.borda(5), 3),
    hv.Duel(hv.borda(5), 1),
    hv.Duel(random_rule(4, 3), 3),
    hv.Challenge(hv.borda(4), 1),
    hv.Challenge(random_rule(4, 5), 2),
]
SOURCES = [None, np.random.default_rng(12345)]
each_mechanism = pytest.mark.parametrize("made", MECHANISMS, ids=repr)
each_source = pytest.mark.parametrize("bits", SOURCES, ids=["secure", "seeded"])


def ranking_of(d: int) -> list[int]:
    return [int(j) for j in random_orders(1, d, seed=d)[0]]


@each_mechanism
@each_source
def test_draw_follows_the_exact_law(made, bits):
    ranking = ranking_of(made.d)
    counts = Counter(made.draw(ranking, bits).tobytes() for _ in range(20_000))
    assert_follows(counts, {report.tobytes(): p for report, p in made.outcomes(ranking)})


def assert_bulk_follows(made: hv.Mechanism, bits) -> None:
    ranking = ranking_of(made.d)
    reports = made.privatize(np.tile(ranking, (400_000, 1)), rng=bits)
    seen = Counter(dict(zip(*np.unique(keys(reports), return_counts=True), strict=True)))
    law = {keys(report)[0]: p for report, p in made.outcomes(ranking)}
    assert_follows(seen, law)


def keys(reports: np.ndarray) -> np.ndarray:
    """Each small report as one integer."""
    raw = reports.view(np.uint8).reshape(len(reports), -1).astype(np.int64)
    return raw @ (256 ** np.arange(raw.shape[1]))


@each_mechanism
@each_source
def test_bulk_draw_follows_the_exact_law(made, bits):
    assert_bulk_follows(made, bits)


@pytest.mark.parametrize("made", MECHANISMS[:3], ids=repr)
@each_source
def test_draw_and_accept_in_bulk_follows_the_exact_law(made, bits, monkeypatch):
    monkeypatch.setattr(additive, "TABLE_LIMIT", 0)
    assert_bulk_follows(made, bits)


@pytest.mark.parametrize(
    "made",
    [
        hv.Additive(hv.nauru(32), "0.1", k=15),
        hv.Additive(hv.nauru(64), 1, k=30),
        hv.Additive(hv.antiplurality(40), 2, k=20),
    ],
    ids=repr,
)
def test_large_sets_are_named_as_often_as_the_law_says(made):
    """The candidate at rank r is named with probability (w_r + b)/a: d binomial tests."""
    n = 100_000
    reports = made.privatize(np.tile(np.arange(made.d), (n, 1)))
    made.domain.check(reports)
    named = np.diag(made.count(reports)["pairs"])
    a, b = float(made._lift), float(made._base)
    for count, w in zip(named, made.rule.vector, strict=True):
        test = stats.binomtest(int(count), n, (w + b) / a)
        assert test.pvalue > FALSE_ALARM / made.d


def test_a_set_whose_60_bits_do_not_settle_it_is_settled_exactly():
    """Aim the first word at the border of h(T); only the bits behind it can tell then."""
    made = hv.Additive(hv.nauru(7), "0.5", k=3)
    W = made.rule.integers
    for ranks in ([0, 2, 5], [1, 3, 4], [2, 4, 6]):
        h = Fraction(sum(W[r] for r in ranks) - made._least, made._most - made._least)
        border = h * 2**60
        word, behind = int(border), int((border % 1) * 2**64)
        for more in (0, behind, behind + 1, 2**64 - 1):
            stream = (word << 4).to_bytes(8, "little") + more.to_bytes(8, "big") + bytes(10)
            kept = made._accept(np.array(ranks, dtype=np.uint8)[:, None], FixedBits(stream))
            number = Fraction(word * 2**64 + more, 2**124)
            if number + Fraction(1, 2**124) <= h or number >= h:
                assert bool(kept[0]) == (number < h), (ranks, more)


def test_reports_of_voters_in_one_block_are_independent():
    """Two neighbours' reports, each one of 5: chi-square over the 25 pairs."""
    made = hv.Additive(hv.borda(5), 1)
    ranking = list(range(5))
    reports = made.privatize(np.tile(ranking, (200_000, 1)))["chosen"]
    law = {int(report["chosen"][0]): p for report, p in made.outcomes(ranking)}
    pairs = Counter(zip(reports[::2].tolist(), reports[1::2].tolist(), strict=True))
    assert_follows(pairs, {(a, b): law[a] * law[b] for a in law for b in law})


LAPLACE = [hv.Laplace(hv.borda(3), 1), hv.Laplace(hv.nauru(4), "0.05")]


def noise_bins(made: hv.Laplace) -> list[int]:
    """Borders that cut the noise into bins, finer in the middle."""
    scale = float(made.distance / made.epsilon)
    return [round(x * scale) for x in (-6, -3, -2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2, 3, 6)]


def chance_below(made: hv.Laplace, limit: int) -> float:
    """P(noise < limit): by the geometric tail, exact to the rounding of the digits (1e-15)."""
    if limit <= 0:
        rate = -math.log1p(-(1 - float(made.noise_law(2) / made.noise_law(1))))
        return float(made.noise_law(0)) * math.exp(-rate * -limit) / -math.expm1(-rate)
    return 1 - chance_below(made, -limit)


@pytest.mark.parametrize("made", LAPLACE, ids=repr)
@each_source
def test_laplace_noise_follows_its_law_one_by_one_and_in_bulk(made, bits):
    source = bits or secure_bits()
    borders = noise_bins(made)
    below = [0.0, *(chance_below(made, b) for b in borders), 1.0]
    law = dict(enumerate(np.diff(below)))
    single = np.array([made._noise(source) for _ in range(5_000)])
    for noise in (single, made._bulk_noise(400_000, source)):
        where = np.searchsorted(borders, noise, side="right")
        assert_follows(Counter(where.tolist()), law)


@pytest.mark.parametrize("made", LAPLACE, ids=repr)
def test_lowest_digits_of_laplace_noise_are_unbiased_in_bulk(made):
    """Chi-square over the 16 values of the four lowest binary digits."""
    noise = made._bulk_noise(400_000, secure_bits())
    law = {}
    for low in range(16):
        p = math.prod(
            M / 2**64 if low >> i & 1 else 1 - M / 2**64 for i, M in enumerate(made.digits[:4])
        )
        law[low] = p
    assert_follows(Counter((np.where(noise < 0, ~noise, noise) & 15).tolist()), law)

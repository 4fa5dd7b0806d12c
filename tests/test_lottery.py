"""Secure bits, exact draws in bulk, and odds that are never rounded up."""

import contextlib
import gc
import itertools
import math
import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import hushvote as hv
from hushvote import lottery
from hushvote.lottery import FixedBits, Keystream, Odds, SecureBits, Wheel, secure_bits


def by_inversion(weights: list[int], number: int, width: int) -> int | None:
    """The index that a uniform number with these first bits falls to; None if not yet settled."""
    total = sum(weights)
    low, high = Fraction(number, 1 << width), Fraction(number + 1, 1 << width)
    start = Fraction(0)
    for i, weight in enumerate(weights):
        end = start + Fraction(weight, total)
        if start <= low and high <= end:
            return i
        start = end
    return None


some_weights = st.lists(st.integers(0, 2**80), min_size=1, max_size=40).filter(any)


@given(some_weights, st.integers(0, 2**16 - 1), st.integers(0, 2**64 - 1))
def test_wheel_inverts_a_uniform_number_exactly(weights, cell, word):
    stream = cell.to_bytes(2, "little") + word.to_bytes(8, "little") + bytes(64)
    drawn = Wheel(weights).draw(1, FixedBits(stream))[0]
    settled = by_inversion(weights, cell, 16)
    if settled is None:
        settled = by_inversion(weights, cell << 48 | word >> 16, 64)
    if settled is not None:
        assert drawn == settled


@given(some_weights, st.data())
def test_wheel_settles_a_number_on_a_border_with_further_bits(weights, data):
    """Aim all 64 bits at a border: only exact integers and more bits can tell then."""
    total = sum(weights)
    border = data.draw(st.sampled_from(list(itertools.accumulate(weights))[:-1] or [0]))
    number = min((border << 64) // total, 2**64 - 1)
    more = data.draw(st.integers(0, 2**64 - 1))
    stream = (
        (number >> 48).to_bytes(2, "little")
        + ((number & 2**48 - 1) << 16).to_bytes(8, "little")
        + more.to_bytes(8, "big")
        + bytes(8)
    )
    drawn = Wheel(weights).draw(1, FixedBits(stream))[0]
    expected = by_inversion(weights, number << 64 | more, 128)
    if expected is not None:
        assert drawn == expected


def test_wheel_with_more_indices_than_cells_follows_its_weights():
    """100 000 indices with weights 1 to 100 000, binned by 100: false alarm 1e-8."""
    weights = list(range(1, 100_001))
    drawn = Wheel(weights).draw(1_000_000, secure_bits())
    observed = np.bincount(drawn // 100, minlength=1000)
    share = np.array(weights, dtype=float).reshape(1000, 100).sum(axis=1)
    assert stats.chisquare(observed, share / share.sum() * len(drawn)).pvalue > 1e-8


def test_wheel_never_draws_an_index_of_weight_zero():
    drawn = Wheel([0, 3, 0, 0, 5, 0]).draw(100_000, secure_bits())
    assert set(drawn.tolist()) == {1, 4}


@given(st.integers(1, 2**70), st.binary(min_size=400, max_size=400))
def test_below_stays_below_its_limit(limit, stream):
    with contextlib.suppress(EOFError):  # after 400 bytes of rejected numbers
        assert 0 <= lottery.below(limit, FixedBits(stream)) < limit


def test_below_is_uniform():
    """Over 7 values, 70 000 draws: false alarm 1e-8."""
    bits = secure_bits()
    observed = np.bincount([lottery.below(7, bits) for _ in range(70_000)], minlength=7)
    assert stats.chisquare(observed).pvalue > 1e-8


def test_distinct_draws_every_sequence_equally_often():
    """Over the 60 sequences of 3 out of 5: false alarm 1e-8."""
    bits = secure_bits()
    drawn = [tuple(lottery.distinct(5, 3, bits)) for _ in range(60_000)]
    values, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(values) == 60
    assert stats.chisquare(counts).pvalue > 1e-8


@given(st.fractions(0, 1), st.integers(0, 2**8 - 1), st.integers(0, 2**64 - 1))
def test_less_than_reveals_bits_until_it_can_tell(limit, first, more):
    bits = FixedBits(more.to_bytes(8, "big") + bytes(80))
    answer = lottery.less_than(limit, first, 8, bits)
    number = Fraction(first << 64 | more, 1 << 72)
    if not number <= limit < number + Fraction(1, 1 << 72):
        assert answer == (number < limit)


def test_a_bulk_of_draws_has_a_key_of_its_own_that_nobody_keeps(monkeypatch):
    keys = []
    fresh = os.urandom
    monkeypatch.setattr(lottery.os, "urandom", lambda n: keys.append(n) or fresh(n))
    made = hv.Additive(hv.borda(4), 1)
    for n in (2, 100_000):
        keys.clear()
        one = made.privatize(np.tile(np.arange(4), (n, 1)))
        assert keys == [32]
        assert len(one) == n
    streams = {Keystream().bytes(32) for _ in range(20)}
    assert len(streams) == 20
    assert not [x for x in gc.get_objects() if isinstance(x, Keystream)]


def test_two_secure_sources_and_two_threads_never_share_a_stream():
    assert SecureBits().bytes(32) != SecureBits().bytes(32)
    with ThreadPoolExecutor(4) as pool:
        streams = list(pool.map(lambda _: secure_bits().bytes(32), range(64)))
    assert len(set(streams)) == 64


def test_a_forked_child_never_repeats_its_parents_stream():
    parent = secure_bits()
    parent.bytes(1)
    streams = {forked_bytes() for _ in range(4)}
    assert len({parent.bytes(32), *streams}) == 5


def forked_bytes() -> bytes:
    """What a child draws that does nothing else, so that no lock of the parent's can stop it."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # this process has threads
        child = os.fork()
    if child == 0:
        os.write(writer, secure_bits().bytes(32))
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as pipe:
        return pipe.read()


def test_every_large_request_has_a_key_of_its_own(monkeypatch):
    asked = []
    fresh = os.urandom

    def counted(length: int) -> bytes:
        asked.append(length)
        return fresh(length)

    monkeypatch.setattr(lottery.os, "urandom", counted)
    bits = SecureBits()
    lengths = (1, bits.DIRECT, bits.DIRECT + 1, 400_000, 5_000_000)
    assert [len(bits.bytes(length)) for length in lengths] == list(lengths)
    assert asked == [1, bits.DIRECT, 32, 32, 32]


def test_a_source_keeps_nothing_that_could_explain_what_it_gave():
    """Whatever is stolen from it later: no key, no counter, no bytes that are left."""
    bits = SecureBits()
    given = [bits.bytes(length) for length in (8, 5000, 100_000)]
    assert not vars(bits)
    kept = [value for value in vars(SecureBits).values() if isinstance(value, bytes | bytearray)]
    assert all(not any(value) for value in kept)
    assert len(set(given)) == 3


def test_secure_bits_look_uniform():
    """Byte counts of 10 MB: false alarm 1e-8."""
    stream = np.frombuffer(SecureBits().bytes(10_000_000), dtype=np.uint8)
    assert stats.chisquare(np.bincount(stream, minlength=256)).pvalue > 1e-8


@given(st.decimals(min_value="0.000001", max_value=10, places=9))
def test_odds_are_the_largest_multiple_of_two_to_the_minus_32_below_exp(epsilon):
    odds = Odds.of(Fraction(epsilon))
    with localcontext(prec=60):
        assert Decimal(odds.up) <= epsilon.exp() * 2**32 < Decimal(odds.up + 1)
    assert odds.root.ratio**2 <= odds.ratio
    assert Odds(odds.root.up + 1, odds.root.down).ratio ** 2 > odds.ratio


@given(st.fractions(0, 10, max_denominator=10**9))
def test_exp_below_is_a_close_lower_bound(x):
    with localcontext(prec=90):
        exact = (Decimal(x.numerator) / x.denominator).exp()
        lower = lottery.exp_below(x)
        gap = exact - Decimal(lower.numerator) / lower.denominator
    assert Decimal("-1e-80") < gap < Decimal("1e-60")


@pytest.mark.parametrize(
    "epsilon", [0, -1, 11, 10.0001, 1e-7, math.nan, math.inf, "nan", "lots", None, True, [1]]
)
def test_absurd_epsilons_are_refused_with_the_range(epsilon):
    with pytest.raises(hv.MechanismError, match=r"epsilon must be a number above 0 .* at most 10"):
        hv.Additive(hv.borda(3), epsilon)


@pytest.mark.parametrize("epsilon", [0.1, "0.1", "1/10", Fraction(1, 10), Decimal("0.1")])
def test_epsilon_is_read_as_its_shortest_decimal(epsilon):
    assert hv.Additive(hv.borda(3), epsilon).epsilon == Fraction(1, 10)


def test_a_number_is_no_random_generator():
    with pytest.raises(hv.MechanismError, match=r"numpy\.random\.default_rng\(7\), not 7"):
        hv.Additive(hv.borda(3), 1).privatize([[0, 1, 2]], rng=7)

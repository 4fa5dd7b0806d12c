"""Keys for which anybody can sign are refused, wherever a manifest is read."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import hushvote as hv
from hushvote.poll.signing import is_signed, is_weak
from hushvote.poll.verifying import verify_board
from tests.polls import KEY, SERVER, Election, changed, poll_of

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
BASE = bytes.fromhex("58" + "66" * 31)


def plus(one, other):
    """The sum of two points of the curve, as in RFC 8032, section 5.1.4."""
    (x, y), (u, v) = one, other
    both = D * x * u * y * v
    return (
        (x * v + u * y) * pow(1 + both, -1, P) % P,
        (y * v + x * u) * pow(1 - both, -1, P) % P,
    )


def small_points():
    """The eight points of small order: the multiples of one of order 8."""
    for y in range(2, 100):
        square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
        x = pow(square, (P + 3) // 8, P)
        if x * x % P != square:
            x = x * pow(2, (P - 1) // 4, P) % P
        if x * x % P != square:
            continue
        point, order = None, 2**252 + 27742317777372353535851937790883648493
        doubled = (x, y)
        while order:  # the part of it outside the large subgroup
            if order & 1:
                point = doubled if point is None else plus(point, doubled)
            doubled, order = plus(doubled, doubled), order >> 1
        found = [(0, 1)]
        while (following := plus(found[-1], point)) != (0, 1):
            found.append(following)
        if len(found) == 8:
            return found
    raise AssertionError


def encodings():
    """Every 32 bytes that stand for one of them: y or y + p, with either sign where x is 0."""
    for x, y in small_points():
        for number in (y, y + P):
            for sign in {0, 1} if x == 0 else {x & 1}:
                if number < 2**255:
                    yield (number | sign << 255).to_bytes(32, "little").hex()


class Anybody:
    """Signs for a key of small order, and needs no secret for it: R = B and s = 1."""

    def sign(self, message):
        return BASE + (1).to_bytes(32, "little")


WEAK = sorted(set(encodings()))


def test_all_fourteen_encodings_of_the_eight_points_are_weak_and_no_other_key():
    assert len(WEAK) == 14
    assert all(is_weak(one) for one in WEAK)
    for _ in range(100):
        assert not is_weak(Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex())


def test_for_a_weak_key_anybody_can_sign():
    fits = set()
    for server in WEAK:
        for i in range(200):
            if is_signed(server, Anybody().sign(b"").hex(), bytes([i])):
                fits.add(server)
    # a message fits with a chance of 1/8 at least: 200 do not with less than 1e-11
    assert {bytes([1, *bytes(31)]).hex()} < fits


@pytest.mark.parametrize("server", WEAK)
def test_a_weak_key_makes_no_poll(server):
    made = hv.mechanism("additive", hv.borda(2), 1)
    for given in (server, bytes.fromhex(server)):
        with pytest.raises(hv.PollError, match="weak") as caught:
            hv.Poll.create("Who?", ["A", "B"], made, server=given)
        assert caught.value.code == "poll.weak"
    with pytest.raises(hv.PollError) as caught:
        hv.Poll.load(changed(poll_of(), server=server))
    assert caught.value.code == "poll.weak"


def test_a_board_that_anybody_could_sign_is_refused(tmp_path, monkeypatch):
    held = Election(replace(poll_of("additive"), server=bytes([1, *bytes(31)]).hex()))
    for _ in range(20):
        held.cast()
    monkeypatch.setattr("tests.polls.KEY", Anybody())
    path = held.write(tmp_path / "board.jsonl")
    with pytest.raises(hv.PollError, match="manifest of this board") as caught:
        verify_board(path)
    assert caught.value.code == "poll.weak"


def test_signatures_are_those_of_the_key_alone():
    signature = KEY.sign(b"so")
    assert is_signed(SERVER.hex(), signature.hex(), b"so")
    assert not is_signed(SERVER.hex(), signature.hex(), b"otherwise")
    assert not is_signed("02" + "0" * 62, signature.hex(), b"so")  # no point of the curve

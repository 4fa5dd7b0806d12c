"""Invite codes and credentials: what they are made of, how they are read, what is hashed."""

import hashlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hushvote as hv
from hushvote.poll import codes
from hushvote.poll.codes import ALPHABET, code_hash, new_code, question_of, read_code, written
from hushvote.poll.credentials import Credential, receipt_of, secret_of
from tests.polls import poll_of


def some():
    """The first code, the last one, and others at random: whatever they are, all must hold."""
    ends = [codes.code_of(0), codes.code_of((1 << 100) - 1)]
    return ends + [read_code(new_code()) for _ in range(8)]


def code_of_error(ask, *given):
    with pytest.raises(hv.PollError) as caught:
        ask(*given)
    return caught.value.code


def test_a_code_has_three_groups_of_seven():
    code = new_code()
    assert [len(group) for group in code.split("-")] == [7, 7, 7]
    assert set(code) <= set(ALPHABET) | {"-"}
    assert len(ALPHABET) == 32
    assert not set("ILOU") & set(ALPHABET)
    assert written(read_code(code)) == code
    assert len({new_code() for _ in range(100)}) == 100


def test_every_one_of_the_hundred_bits_is_drawn():
    """Of 200 bits, set or not, one is in none of 64 codes with a chance below 1e-16."""
    found = [[ALPHABET.index(one) for one in read_code(new_code())[:20]] for _ in range(64)]
    for values in zip(*found, strict=True):
        assert [max(v >> bit & 1 for v in values) for bit in range(5)] == [1] * 5
        assert [min(v >> bit & 1 for v in values) for bit in range(5)] == [0] * 5


@given(st.integers(0, (1 << 100) - 1))
def test_the_bits_of_a_code_are_its_characters(number):
    code = read_code(codes.code_of(number))
    assert sum(ALPHABET.index(one) << 5 * (19 - at) for at, one in enumerate(code[:20])) == number


def test_every_wrong_character_is_noticed():
    for code, at, other in itertools.product(some(), range(21), ALPHABET):
        if other != code[at]:
            wrong = code[:at] + other + code[at + 1 :]
            assert code_of_error(read_code, wrong) == "code.check"


def test_every_swap_of_two_characters_is_noticed():
    pairs = list(itertools.combinations(range(21), 2))
    for code, (one, other) in itertools.product(some(), pairs):
        swapped = list(code)
        swapped[one], swapped[other] = code[other], code[one]
        if code[one] != code[other]:
            assert code_of_error(read_code, "".join(swapped)) == "code.check"


def test_codes_are_read_as_people_type_them():
    code = "0123456789ABCDEFGHJKJ"
    for typed in (
        "0123456-789ABCD-EFGHJKJ",
        " 0123456 789abcd efghjkj\n",
        "oI23456789ABCDEFGHJKJ",
        "Ol23456\u2013789ABCD\u2014EFGHJKJ",
        "0-1-2-3-4-5-6-7-8-9-a-b-c-d-e-f-g-h-j-k-j\u00a0",
    ):
        assert read_code(typed) == code
    for separator in " \t\r\n\u00a0-\u2010\u2011\u2012\u2013\u2014\u2015\u2212":
        assert read_code(f"0123456{separator}789ABCD{separator}EFGHJKJ") == code


@pytest.mark.parametrize(
    "text",
    ["", "0123456-789ABCD-EFGHJK", "0123456789ABCDEFGHJKJ0", "U123456789ABCDEFGHJKJ", "é" * 21, 5],
)
def test_what_is_no_code_is_refused(text):
    assert code_of_error(read_code, text) == "code.form"


def test_what_is_hashed_of_a_code():
    digest = poll_of().digest
    q = question_of(digest, " 0123456-789abcd-efghjkj")
    plain = b"hushvote question\0" + bytes.fromhex(digest) + b"0123456789ABCDEFGHJKJ"
    assert q == hashlib.sha256(plain).digest()
    assert code_hash(q) == hashlib.sha256(b"hushvote code\0" + q).digest()


# --- credentials ----------------------------------------------------------------------------------


def test_secrets_and_receipts_follow_from_the_seed():
    seed = bytes(range(32))
    for i in range(17):
        secret = hashlib.sha256(b"hushvote secret\0" + seed + bytes([i])).digest()
        assert secret_of(seed, i) == secret
        assert receipt_of(secret) == hashlib.sha256(b"hushvote receipt\0" + secret).digest()
    held = Credential("0" * 64, seed)
    assert (held.secret, held.receipt) == (secret_of(seed, 0), receipt_of(secret_of(seed, 0)))
    assert held.moved().receipt == receipt_of(secret_of(seed, 1))
    assert Credential.fresh("0" * 64).seed != Credential.fresh("0" * 64).seed


def test_a_credential_travels_as_text():
    held = Credential.fresh(poll_of().digest).moved().spent().spent()
    assert Credential.from_json(held.to_json()) == held
    assert (held.position, held.draws) == (1, 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"position":0', '"position":17'),
        ('"position":0', '"position":true'),
        ('"position":0', '"position":-1'),
        ('"position":0', '"place":0'),
        ('"draws":0', '"draws":18'),
        ('"draws":0', '"draws":0,"ranking":[0]'),
        ('"draws":0', '"draws":0,"draws":0'),
        ('"version":1', '"version":2'),
        ('"version":1', '"version":true'),
        ('"seed":"', '"seed":"0'),
        ('"poll":"', '"poll":"A'),
        ("{", "["),
    ],
)
def test_a_damaged_credential_is_refused(old, new):
    text = Credential(poll_of().digest, bytes(32)).to_json()
    damaged = text.replace(old, new, 1)
    assert damaged != text
    assert code_of_error(Credential.from_json, damaged) == "credential.form"

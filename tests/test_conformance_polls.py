"""The conformance vectors of whole polls, and a second reading of what stands before a draw."""

import hashlib
import json
from functools import cache

import pytest
from conformance import regenerate
from conformance.streams import stream

import hushvote as hv
from hushvote.lottery import FixedBits
from hushvote.poll import codes, credentials, requests
from tests import reading

KEPT = regenerate.kept("polls.json")
POLLS = KEPT["polls"]


@cache
def poll_of(digest: str) -> hv.Poll:
    return hv.Poll.load(POLLS[digest], digest)


def hashed(tag: str, *fields: bytes) -> str:
    """A hash of the protocol, by its description."""
    return hashlib.sha256(tag.encode() + bytes(1) + b"".join(fields)).hexdigest()


def test_every_manifest_is_read_and_written_again():
    for digest, text in POLLS.items():
        assert poll_of(digest).text == text
        assert poll_of(digest).digest == hashlib.sha256(text.encode()).hexdigest() == digest
    assert {poll_of(one).mechanism.name for one in POLLS} == set(hv.mechanism_names())


@pytest.mark.parametrize("one", KEPT["accepted"], ids=lambda one: one["reason"])
def test_manifests_at_the_border_are_taken(one):
    assert hv.Poll.load(one["text"]).text == one["text"]


@pytest.mark.parametrize("vector", KEPT["vectors"], ids=lambda one: one["name"])
def test_a_poll_draws_what_the_vector_says(vector):
    poll = poll_of(vector["poll"])
    bits = FixedBits(stream(vector["seed"], vector["bytes"]))
    asked = bytes.fromhex(vector["question"]) if "question" in vector else None
    drawn = poll.draw(vector["ranking"], bits, asked)
    assert poll.mechanism.domain.to_wire(drawn.report) == vector["report"]
    assert list(drawn.ranking) == vector["completed"]
    assert poll.words(drawn.report) == vector["words"]
    assert bits.used == vector["bytes"]


@pytest.mark.parametrize("vector", KEPT["vectors"], ids=lambda one: one["name"])
def test_votes_follow_their_written_description(vector):
    manifest = json.loads(POLLS[vector["poll"]])
    left = reading.Stream(stream(vector["seed"], vector["bytes"]))
    ranking, d = list(vector["ranking"]), len(manifest["candidates"])
    if manifest["partial"]:
        order = reading.distinct(d, d, left)
        ranking += [candidate for candidate in order if candidate not in ranking]
    assert ranking == vector["completed"]
    report = reading.drawn(manifest["mechanism"], ranking, left, vector.get("question"))
    assert report == vector["report"]
    assert not left.left


def test_partial_and_full_rankings_are_among_them():
    partial = [v for v in KEPT["vectors"] if poll_of(v["poll"]).partial]
    assert sum(len(v["ranking"]) < len(v["completed"]) for v in partial) >= 40
    assert sum(len(v["ranking"]) == len(v["completed"]) for v in partial) >= 30
    assert len(partial) < len(KEPT["vectors"])


def test_secrets_and_receipts_follow_from_seeds():
    for one in KEPT["secrets"]:
        seed = bytes.fromhex(one["seed"])
        for i, (secret, receipt) in enumerate(zip(one["secrets"], one["receipts"], strict=True)):
            assert secret == hashed("hushvote secret", seed, bytes([i]))
            assert receipt == hashed("hushvote receipt", bytes.fromhex(secret))
            assert credentials.secret_of(seed, i).hex() == secret
            assert credentials.receipt_of(bytes.fromhex(secret)).hex() == receipt


def test_codes_are_read_and_hashed():
    for one in KEPT["codes"]:
        digest, code = bytes.fromhex(one["poll"]), one["code"]
        assert codes.code_of(int(one["number"], 16)) == code
        assert codes.read_code(one["typed"]) == codes.read_code(one["written"]) == code
        assert one["question"] == hashed("hushvote question", digest, code.encode())
        assert one["hash"] == hashed("hushvote code", bytes.fromhex(one["question"]))
        assert codes.question_of(one["poll"], one["typed"]).hex() == one["question"]


@pytest.mark.parametrize("one", KEPT["requests"], ids=lambda one: one["poll"][:8])
def test_requests_have_one_length_and_can_be_read(one):
    poll = poll_of(one["poll"])
    assert requests.request_size(poll) == one["size"]
    assert one["size"] % 1024 == 0
    secret, after = (credentials.secret_of(bytes.fromhex(one["seed"]), i).hex() for i in (0, 1))
    cast, change, withdrawal = (
        kind.read(poll, one[name].encode().ljust(one["size"]))
        for name, kind in (
            ("cast", requests.Cast),
            ("change", requests.Change),
            ("withdrawal", requests.Withdrawal),
        )
    )
    assert cast.receipt == hashed("hushvote receipt", bytes.fromhex(secret))
    assert (change.reveals, withdrawal.reveals) == (secret, after)
    assert change.receipt == hashed("hushvote receipt", bytes.fromhex(after))

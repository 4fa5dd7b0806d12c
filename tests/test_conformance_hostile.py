"""Hostile manifests: whatever is changed, Python gives one of the codes that README.md explains."""

import hashlib
import itertools
import json
import subprocess
import sys
from collections import Counter

import pytest
from conformance import hostile, regenerate

import hushvote as hv
from tests.test_conformance_refusals import explained


def test_what_is_changed_was_good_before():
    made = [hv.Poll.load(text).mechanism for text in hostile.bases()]
    assert {one.name for one in made} == set(hv.mechanism_names())
    assert any("best" in one.domain.dtype.names for one in made)


def test_every_verdict_is_explained():
    table = explained()
    for one in hostile.hostile(1000, "explained"):
        assert one["code"] is None or table[one["code"]] == one["who"], one["text"]


def test_a_verdict_is_that_of_the_text_as_bytes_too():
    for one in itertools.islice(hostile.hostile(300, "bytes"), 300):
        try:
            raw = one["text"].encode()
        except UnicodeEncodeError:  # halves of surrogate pairs
            assert one["code"] in ("poll.json", "poll.canonical", "poll.size")
            continue
        try:
            code = hv.Poll.load(raw, hashlib.sha256(raw).hexdigest()) and None
        except hv.HushvoteError as error:
            code = error.code
        assert code == one["code"]


def test_the_command_writes_the_same_lines_for_the_same_seed():
    command = [sys.executable, str(regenerate.HERE / "hostile.py"), "--number", "50", "--seed", "x"]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    assert [json.loads(line) for line in lines] == list(hostile.hostile(50, "x"))


@pytest.mark.slow
def test_ten_thousand_reach_all_checks_but_that_of_the_size():
    often = Counter(one["code"] for one in hostile.hostile(10_000, 1))
    read = {"poll", "name", "rule", "parameters", "question"}
    never = {"poll.size", "poll.digest", "poll.weak", "parameters.json"}
    # no digest, no text of parameters, and a weak key only by the rarest chance
    wanted = {code for code in explained() if code.split(".")[0] in read}
    wanted -= {"question.missing", "question.needless", "question.hash", *never}
    assert wanted <= set(often)
    assert often[None] > 500
    assert often["poll.json"] + often["poll.canonical"] < 4000

"""The good conformance vectors, and a second reading of how a draw uses its bytes."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from conformance import regenerate
from conformance.streams import stream

import hushvote as hv
from hushvote.lottery import FixedBits
from tests import reading

KEPT = regenerate.kept("draws.json")
DRAWS, MECHANISMS = KEPT["vectors"], KEPT["mechanisms"]


def ids(entry: dict) -> str:
    return entry["seed"]


@cache
def mechanism_of(digest: str) -> hv.Mechanism:
    return hv.mechanism_from(MECHANISMS[digest])


@pytest.mark.parametrize("vector", DRAWS, ids=ids)
def test_a_fixed_stream_gives_a_fixed_report_and_is_used_up(vector):
    made = mechanism_of(vector["mechanism"])
    bits = FixedBits(stream(vector["seed"], vector["bytes"]))
    hashed = bytes.fromhex(vector["question"]) if "question" in vector else None
    report = made.draw(vector["ranking"], bits, hashed)
    assert made.domain.to_wire(report) == vector["report"]
    assert bits.used == vector["bytes"]
    assert made.domain.from_wire(vector["report"]) == report
    assert made.words(report, vector["candidates"]) == vector["words"]
    if hashed is not None:
        assert made.answers(report, hashed)


@pytest.mark.parametrize("vector", DRAWS, ids=ids)
def test_draws_follow_their_written_description(vector):
    given = MECHANISMS[vector["mechanism"]]
    left = reading.Stream(stream(vector["seed"], vector["bytes"]))
    report = reading.drawn(given, vector["ranking"], left, vector.get("question"))
    assert report == vector["report"]
    assert not left.left


def test_mechanisms_stand_under_their_digests():
    assert {digest: mechanism_of(digest).digest for digest in MECHANISMS} == {
        digest: digest for digest in MECHANISMS
    }
    assert {vector["mechanism"] for vector in DRAWS} == set(MECHANISMS)


def test_no_two_vectors_share_a_name_or_a_stream():
    for member in ("name", "seed"):
        assert len({vector[member] for vector in DRAWS}) == len(DRAWS)


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_every_mechanism_has_vectors_of_all_kinds(name):
    vectors = [v for v in DRAWS if MECHANISMS[v["mechanism"]]["mechanism"] == name]
    made = [mechanism_of(v["mechanism"]) for v in vectors]
    assert len(vectors) >= 200
    assert {2, 3, 4, 5, 6, 7, 8, 16, 32, 33, 63, 64} <= {one.d for one in made}
    assert {"1/100", "1/10", "1", "5", "10"} <= {str(one.epsilon) for one in made}
    assert {"borda", "nauru", "plurality", "antiplurality"} <= {one.rule.name for one in made}
    assert any(one.rule.name.startswith("approval-") for one in made)
    assert any(one.rule.scale > 1000 for one in made)
    if name != "naive-sampling":
        assert any(one.rule.scores[-1] < 0 for one in made)


def test_sets_of_additive_have_all_sizes():
    sizes = {(one.d, one.k) for one in map(mechanism_of, MECHANISMS) if one.name == "additive"}
    assert {(d, 1) for d in (3, 5, 64)} <= sizes
    assert any(k == d - 1 > 1 for d, k in sizes)
    assert any(1 < k < d - 1 for d, k in sizes)


def test_duels_have_reports_on_finer_questions():
    vectors = [v for v in DRAWS if "best" in v["report"]]
    assert len(vectors) >= 30
    assert sum(bool(v["report"]["best"] or v["report"]["worst"]) for v in vectors) >= 15
    assert any(not v["report"]["best"] and not v["report"]["worst"] for v in vectors)


def test_most_challenges_have_a_question_and_some_have_none():
    vectors = [v for v in DRAWS if MECHANISMS[v["mechanism"]]["mechanism"] == "challenge"]
    asked = Counter("question" in v for v in vectors)
    assert asked[True] > asked[False] > 20
    keys = {len(MECHANISMS[v["mechanism"]]["key"]) // 2 for v in vectors if "question" in v}
    assert {1, 16, 64, 65} <= keys


def test_samplings_have_intercepts_of_all_sorts():
    made = [one for one in map(mechanism_of, MECHANISMS) if one.name == "weighted-sampling"]
    assert any(one.intercept > one.rule.scores[0] for one in made)
    assert any(one.intercept < one.rule.scores[-1] for one in made)
    assert any(one.intercept in one.rule.scores for one in made)
    assert any(one.intercept not in one.rule.scores for one in made)
    assert any(sum(one.masses) > 2**64 for one in made)


def test_names_are_of_many_scripts():
    names = {name for vector in DRAWS for name in vector["candidates"]}
    ranges = [(0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0x4E00, 0x9FFF), (0x1F300, 0x1FAFF)]
    for low, high in (*ranges, (0x300, 0x36F), (0xC0, 0x24F)):
        assert any(low <= ord(c) <= high for name in names for c in name)
    assert max(map(len, names)) == 200
    assert {"Jose\u0301", "Jos\u00e9"} <= names


def test_scores_half_way_between_two_digits_are_among_the_words():
    """Halves go to the even digit: programs that round up would differ."""
    halves = 0
    for vector in DRAWS:
        if "eighths" in vector["name"]:
            halves += any((2 * x + 1) % 8 in (1, 5) for x in vector["report"].values())
    assert halves >= 3


def test_reports_of_every_vector_can_be_counted():
    for vector in DRAWS[::3]:
        made = mechanism_of(vector["mechanism"])
        report = made.domain.from_wire(vector["report"])
        result = made.tally(np.concatenate([report, report])).result()
        assert np.allclose(result.scores, made.views(report)[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", regenerate.FILES)
def test_the_files_are_what_the_library_writes_today(name):
    assert regenerate.text_of(name) == (regenerate.HERE / name).read_text(encoding="utf-8")


def test_the_files_are_small():
    assert sum((regenerate.HERE / name).stat().st_size for name in regenerate.FILES) < 3 * 10**6

"""Canonical JSON is RFC 8785 for all that hushvote writes, and nothing else is written."""

import hashlib
import json

import numpy as np
import pytest

import hushvote as hv
from hushvote.canonical import NotCanonical, canonical, digest_of, parsed, sealed, unsealed


def test_members_stand_in_the_order_of_their_utf_16_code_units():
    """The example of RFC 8785, section 3.2.3: the emoji comes before U+FB33."""
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    ordered = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical(dict.fromkeys(names, 0)))) == ordered
    assert sorted(names) != ordered


def test_texts_escape_only_what_they_must():
    """RFC 8785, section 3.2.2.2: short forms where there are any, else four lower-case digits."""
    text = '\u20ac$\x0f\nA\'B"\\\\"/\b\t\f\r\x7f\u2028\x1b'
    assert canonical(text).decode() == (
        '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\\b\\t\\f\\r\x7f\u2028\\u001b"'
    )


def test_whole_numbers_truth_values_and_nothing():
    value = [0, -1, 2**53 - 1, 1 - 2**53, True, False, None, [], {}]
    assert canonical(value) == (b"[0,-1,9007199254740991,-9007199254740991,true,false,null,[],{}]")


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        1.0,
        float("nan"),
        2**53,
        -(2**53),
        10**400,
        "\ud800",
        {"\ud800": 1},
        {1: 2},
        np.int64(3),
        b"x",
        {"deep": [1.5]},
        {1, 2},
    ],
    ids=repr,
)
def test_what_languages_write_in_different_ways_has_no_canonical_form(value):
    with pytest.raises(ValueError, match=r"."):
        canonical(value)


@pytest.mark.parametrize(
    ("inside", "kind"),
    [
        ("NaN", ValueError),
        ("-Infinity", ValueError),
        ("1" * 5000, NotCanonical),
        ("", NotCanonical),
    ],
)
def test_what_is_nested_deeply_is_judged_by_what_is_inside(inside, kind):
    with pytest.raises(ValueError, match=r"not valid JSON|nested too deeply") as caught:
        parsed("[" * 50_000 + inside + "]" * 50_000)  # deeper than any Python reads
    assert type(caught.value) is kind


def test_nesting_without_end_is_a_value_error():
    value = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="nested too deeply"):
        canonical(value)


def test_a_digest_is_the_hash_of_the_canonical_text():
    assert digest_of({"b": 1, "a": "é"}) == hashlib.sha256('{"a":"é","b":1}'.encode()).hexdigest()


def test_a_seal_notices_damage():
    text = sealed({"name": "é", "n": 3})
    assert unsealed(text) == {"name": "é", "n": 3}
    with pytest.raises(ValueError, match="checksum"):
        unsealed(text.replace("3", "4", 1))


def test_a_member_that_stands_twice_is_no_json():
    with pytest.raises(ValueError, match="twice"):
        parsed('{"a": 1, "a": 2}')


def test_parameters_as_text_are_taken_in_their_canonical_form_only():
    made = hv.Additive(hv.Rule("Führung", [3, 1, 0]), 1)
    text = canonical(made.parameters()).decode()
    assert hv.mechanism_from(text).digest == made.digest
    others = [
        json.dumps(made.parameters()),  # blanks
        text + "\n",
        " " + text,
        text.replace("ü", "\\u00fc"),  # escaped
        json.dumps(made.parameters(), separators=(",", ":"), ensure_ascii=False),  # their order
        text.replace('"k":1', '"k":1.0'),
        text.replace('"k":1', '"k":1,"k":1'),
        text.replace("{", '{"a":0,', 1),
        "\ufeff" + text,
    ]
    for other in others:
        with pytest.raises(
            hv.MechanismError, match=r"canonical|JSON|damaged|option|does not know"
        ) as caught:
            hv.mechanism_from(other)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 200

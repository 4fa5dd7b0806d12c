"""The server reads bodies by a quicker way than the library, and finds the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushvote.canonical import canonical
from hushvote.errors import PollError
from hushvote.poll import requests
from hushvote.server import voting

ODD = [
    b"",
    b"[]",
    b"{}",
    b"\xff",
    b"nonsense",
    b'\xef\xbb\xbf{"a":"b"}',
    b'{"a":"b"}\n',
    b'{"a": "b"}',
    b'{"a":"x","a":"x"}',
    b'{"a":{"b":1,"b":1}}',
    b'{"a":"\\u0041"}',
    b'{"a":"\\u001f\x7f"}',
    b'{"a":"\\b\\/"}',
    b'{"a":"\xed\xa0\x80"}',
    b'{"a":"\\ud800"}',
    b'{"a":1e16}',
    b'{"a":{"b":1.50}}',
    b'{"a":{"b":1e+16}}',
    b'{"a":{"b":NaN}}',
    b'{"a":{"b":-0}}',
    b'{"a":{"b":01}}',
    b'{"a":{"b":[1,[2]]}}',
    b'{"a":{"b":null,"c":true}}',
    b'{"a":{"b":9007199254740992}}',
    b'{"a":{"b":[-9007199254740993]}}',
    b'{"a":{"b":18446744073709551616}}',
    b'{"a":{"b":' + 101 * b"1" + b"}}",
    b'{"a":{"b":' + 5000 * b"1" + b"}}",
    b'{"a":' + 2000 * b"[" + 2000 * b"]" + b"}",
    b'{"b":"\xc3\xa4\xe2\x80\xa8","a":"\\"\\\\"}',
]


def told(read: Any, body: bytes) -> Any:
    """What is found in a body, or the code of its refusal; with types, since True is 1."""
    try:
        return repr(read(body))
    except PollError as error:
        return error.code


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_bodies_are_read_or_refused_as_the_library_does(text):
    for spaces in (0, 7):
        body = text + spaces * b" "
        assert told(voting.decoded, body) == told(requests.decoded, body)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), VALUES))
def test_any_object_is_read_as_the_library_does(document):
    body = requests._ENCODER.encode(document).encode(errors="replace").ljust(64)
    assert told(voting.decoded, body) == told(requests.decoded, body)


WHOLE = st.integers(1 - 2**53, 2**53 - 1)
REPORTS = st.dictionaries(
    st.text(st.characters(codec="ascii")), WHOLE | st.text() | st.lists(WHOLE), max_size=5
)


@given(REPORTS)
def test_lines_are_signed_in_their_canonical_form(report):
    line = {"receipt": "00", "report": report}
    assert voting._SORTED.encode(line) == canonical(line)

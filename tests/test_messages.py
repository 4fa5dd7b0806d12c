"""One catalogue says all that people are shown; its English is what it was."""

import json

import pytest

from tests import english


@pytest.mark.parametrize("part", english.PARTS)
def test_the_english_is_what_it_was(part):
    """The cases draw the same bytes on every machine, so there is no chance in it."""
    recorded = json.loads(english.ENGLISH.read_text(encoding="utf-8"))[part]
    shown = json.loads(json.dumps(english.PARTS[part]()))
    for case, said in shown.items():
        assert said == recorded[case], case
    assert shown.keys() == recorded.keys()

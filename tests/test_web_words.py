"""What a voter's device says comes from the one catalogue."""

import json
import re
from pathlib import Path

import pytest

from hushvote.messages import en, languages, reason, speaking
from web import catalogue

README = Path(catalogue.__file__).parent.parent / "conformance" / "README.md"
CLIENT = re.findall(r"^\| `([a-z.]+)` \| client \|", README.read_text(encoding="utf-8"), re.M)


def test_the_words_of_pages_and_devices_are_those_of_the_catalogue():
    """Else run `python web/catalogue.py`."""
    made = catalogue.files()
    assert {f"{code}.ts" for code in languages()} < made.keys()
    for name, text in made.items():
        assert (catalogue.FOLDER / name).read_text(encoding="utf-8") == text, name


def test_every_language_is_an_entry_of_the_package():
    web = Path(catalogue.__file__).parent
    exports = json.loads((web / "package.json").read_text(encoding="utf-8"))["exports"]
    for code in languages():
        assert exports[f"./{code}"]["default"] == f"./dist/{code}.js"
        assert (web / "dist" / f"{code}.js").exists()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", [one for one in CLIENT if not one.startswith("stream.")])
def test_every_refusal_has_a_reason_for_the_voter(code, language):
    assert len(CLIENT) > 25
    with speaking(language):
        said = reason(code)
        assert said != reason("nobody.knows")
        assert said.endswith(".")


def test_a_reason_is_that_of_the_code_or_of_its_kind():
    assert reason("poll.digest") == en.REFUSALS["poll.digest"]
    assert reason("poll.seats") == en.REFUSALS["poll"].format(code="poll.seats")
    assert reason("nobody.knows") == en.REFUSALS[""].format(code="nobody.knows")

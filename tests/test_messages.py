"""One catalogue says all that people are shown; its English is what it was."""

import ast
import json
import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import hushvote as hv
from hushvote.messages import en, say, speaking
from tests import english

SOURCE = Path(hv.__file__).parent
PARTS = (
    en.FIGURES,
    en.TITLES,
    en.REPORTS,
    en.PLAN,
    en.SEATS,
    en.VARIANTS,
    en.COUNTED,
    en.TABLE,
    en.RESULTS,
    en.ATTACKS,
    en.EFFECTS,
    en.CHECKS,
    en.PICTURES,
    en.BOARD,
    en.VOTING,
    en.POLLS,
)


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def keys(node: ast.expr) -> Iterator[str]:
    """The keys that an argument may stand for, as regular expressions; part of one may vary."""
    if isinstance(node, ast.IfExp):
        yield from keys(node.body)
        yield from keys(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            re.escape(part.value) if isinstance(part, ast.Constant) else "[^.]+"
            for part in node.values
        )
    else:
        assert isinstance(node, ast.Constant), f"line {node.lineno}: write the key out"
        yield re.escape(node.value)


def calls(name: str) -> Iterator[ast.Call]:
    """Every call of a function of that name."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "hushvote.messages"
            for alias in node.names
        }
        if name not in imported:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                yield node


@pytest.mark.parametrize("part", english.PARTS)
def test_the_english_is_what_it_was(part):
    """The cases draw the same bytes on every machine, so there is no chance in it."""
    recorded = json.loads(english.ENGLISH.read_text(encoding="utf-8"))[part]
    shown = json.loads(json.dumps(english.PARTS[part]()))
    for case, said in shown.items():
        assert english.alike(said, recorded[case]), (case, said, recorded[case])
    assert shown.keys() == recorded.keys()


def test_a_number_may_be_rounded_to_either_side_and_no_further():
    said = "19,000 reports, 70 % and 0.456 points"
    assert english.alike([said], ["18,000 reports, 71 % and 0.455 points"])
    for other in ("17,000", "19,001.5"):
        assert not english.alike(said, said.replace("19,000", other))
    for other in ("said", "19,000 reports, 72 % and 0.456 points", said.replace("0.456", "0.458")):
        assert not english.alike(said, other)


PLURALS = {
    "en": "reports|voters|votes|seats|candidates|credentials|checks|draws|changes|times|points",
    "de": "Meldungen|Stimmen|Sitze|Kandidaten|Berechtigungen|Prüfungen|Auslosungen|Punkte",
}


@pytest.mark.parametrize("code", PLURALS)
def test_one_of_something_is_never_said_to_be_several(code):
    with speaking(code):
        said = [text for part in english.PARTS.values() for text in texts(part())]
    wrong = re.compile(rf"(?<![\d.,\u202f])1 ({PLURALS[code]})\b")
    assert len(said) > 500
    assert [text for text in said if wrong.search(text)] == []


def texts(told: object) -> Iterator[str]:
    """All that is said, without the names of the cases."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, Mapping | list | tuple):
        for part in told.values() if isinstance(told, Mapping) else told:
            yield from texts(part)


def test_every_message_is_said_somewhere_with_the_values_that_it_takes():
    said = set()
    for call in calls("say"):
        given = {keyword.arg for keyword in call.keywords}
        for pattern in keys(call.args[0]):
            found = [key for key in en.MESSAGES if re.fullmatch(pattern, key)]
            assert found, f"{pattern} is not in the catalogue"
            for key in found:
                assert fields(en.MESSAGES[key]) == given, key
            said.update(found)
    assert said == set(en.MESSAGES)


def test_every_noun_is_counted_somewhere():
    found = {call.args[1].value for call in calls("counted")}
    assert found == set(en.NOUNS)
    for forms in en.NOUNS.values():
        assert all(fields(form) == {"number"} for form in forms)


def test_no_key_stands_twice():
    assert sum(map(len, PARTS)) == len(en.MESSAGES)


def test_a_message_that_is_not_there_is_a_mistake_of_the_program():
    with pytest.raises(KeyError, match="nonsense"):
        say("nonsense")
    with pytest.raises(KeyError, match="names"):
        say("tied")


def test_names_are_no_templates():
    assert say("tied", names="{0} {leader} %s, 1.5") == "Exactly tied: {0} {leader} %s, 1.5."

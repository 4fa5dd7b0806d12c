"""Every language says what English says, and is spoken only where it was asked for."""

import asyncio
import copy
import json
import pickle
import re
import string
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import hushvote as hv
from hushvote import messages
from hushvote.detection import Check, Inspection
from hushvote.messages import (
    again,
    counted,
    en,
    language,
    languages,
    phrases,
    reason,
    say,
    speaking,
)
from tests import english

OTHERS = [code for code in languages() if code != "en"]
NAMES = ("Dr. Ann", "Bob „B.“", "{0}", "Dee")
NUMBERS = (0, 1, 2, 5, 21, 100, 1_000, 1_234_567)

# Words that stand in nearly every English sentence and in no German one.
ENGLISH_WORDS = re.compile(
    r"\b(the|of|and|or|is|are|not|to|over|by|this|report|reports|poll)\b", re.I
)


def fields(template: str) -> set[tuple[str, str]]:
    """The values that a template takes, and how each is written."""
    parsed = string.Formatter().parse(template)
    return {(name, spec or "") for _, name, spec, _ in parsed if name is not None}


def typical(template: str, number: int) -> dict[str, object]:
    """A value of the right kind for each that a template takes."""
    return {
        name: number / 8 if spec[-1:] in ("f", "g") else number if spec or name in COUNTS else "Ann"
        for name, spec in fields(template)
    }


COUNTS = {
    "number",
    "least",
    "line",
    "others",
    "place",
    "best",
    "worst",
    "d",
    "k",
    "seats",
    "settled",
}


# --- the catalogues -------------------------------------------------------------------------------


def test_there_are_english_and_german():
    assert {"de", "en"} <= set(languages())


@pytest.mark.parametrize("code", OTHERS)
def test_every_language_has_each_message_with_the_same_values(code):
    """Rounding is part of what is said, so figures keep their format."""
    other = language(code)
    for ours, theirs in ((en.MESSAGES, other.MESSAGES), (en.REFUSALS, other.REFUSALS)):
        assert {key: fields(one) for key, one in theirs.items()} == {
            key: fields(one) for key, one in ours.items()
        }
    assert other.REPORTS.keys() == en.REPORTS.keys()
    assert other.NOUNS.keys() == en.NOUNS.keys()
    for forms in other.NOUNS.values():
        assert all(fields(form) == {("number", ",")} for form in forms)
        assert all(0 <= other.form(number) < len(forms) for number in NUMBERS)
        assert {other.form(number) for number in NUMBERS} == set(range(len(forms)))


@pytest.mark.parametrize("code", OTHERS)
def test_every_language_has_the_words_of_every_page(code):
    other = language(code)
    assert other.PAGES.keys() == en.PAGES.keys()
    for page, said in other.PAGES.items():
        assert {key: fields(one) for key, one in said.items()} == {
            key: fields(one) for key, one in en.PAGES[page].items()
        }
        for key, template in said.items():
            words = " ".join(text for text, *_ in string.Formatter().parse(template))
            words = re.sub(r"hushvote [a-z]+ [a-z]+", "", words)  # what is to be typed
            assert not ENGLISH_WORDS.search(words), key
            assert template.endswith((".", "?", ":")) == en.PAGES[page][key].endswith(
                (".", "?", ":")
            ), key


@pytest.mark.parametrize("code", languages())
def test_what_is_a_sentence_in_english_is_one_in_every_language(code):
    """It ends with a full stop, and what is none does not."""
    other = language(code)
    for key, template in {**other.MESSAGES, **other.REFUSALS}.items():
        first = {**en.MESSAGES, **en.REFUSALS}[key]
        if key != "verified.marked":  # ends with the mark itself in English
            assert template.endswith(".") == first.endswith("."), key


@pytest.mark.parametrize("code", OTHERS)
def test_no_english_is_left(code):
    other = language(code)
    for key, template in {**other.MESSAGES, **other.REFUSALS}.items():
        words = " ".join(text for text, *_ in string.Formatter().parse(template))
        assert not ENGLISH_WORDS.search(words), key
        first = {**en.MESSAGES, **en.REFUSALS}[key]
        if len(re.findall(r"[A-Za-z]{3,}", words)) > 1:
            assert template != first, key


def test_german_never_says_anonymous_where_randomised_is_meant_and_is_polite():
    german = language("de")
    pages = (template for page in german.PAGES.values() for template in page.values())
    for template in (*german.MESSAGES.values(), *german.REFUSALS.values(), *pages):
        assert "anonym" not in template.lower()
        assert "unmöglich" not in template
        assert not re.search(r"\b([Dd]u|[Dd]ein\w*|[Dd]ir|[Dd]ich)\b", template)
        assert not template.rstrip(".").endswith("!") or "mit !" in template
        assert '"' not in template


@pytest.mark.parametrize("code", languages())
def test_every_message_can_be_said_with_none_one_and_many(code):
    with speaking(code):
        for key, template in language(code).MESSAGES.items():
            for number in NUMBERS:
                said = say(key, **typical(template, number))
                assert "  " not in said, key
                assert said == again(said), key
        for noun in language(code).NOUNS:
            assert len({counted(number, noun) for number in NUMBERS}) == len(NUMBERS)
        for refusal in language(code).REFUSALS:
            assert "{" not in reason(refusal)


# --- what is said ---------------------------------------------------------------------------------


def texts(told: object) -> list[str]:
    """All texts in nested lists and dicts, in order."""
    if isinstance(told, str):
        return [told]
    parts = told.values() if isinstance(told, dict) else told if isinstance(told, list) else []
    return [text for part in parts for text in texts(part)]


@pytest.mark.parametrize("part", ["mechanisms", "explanations", "inspections", "figures"])
@pytest.mark.parametrize("code", OTHERS)
def test_all_that_is_said_in_english_is_said_with_the_same_figures(code, part):
    """Both are told of the same bytes, so there is no chance in it."""
    recorded = texts(json.loads(json.dumps(english.PARTS[part]())))
    signs = {ord(language(code).DECIMAL): ".", ord(language(code).THOUSANDS): ","}
    with speaking(code):
        shown = texts(json.loads(json.dumps(english.PARTS[part]())))
    assert len(shown) == len(recorded)
    for ours, theirs in zip(recorded, shown, strict=True):
        figures = english.FIGURE.findall(theirs.translate(signs))
        assert sorted(figures) == sorted(english.FIGURE.findall(ours)), theirs
        if " " in ours and re.search(r"[a-z]{3}", ours):
            assert not ENGLISH_WORDS.search(re.sub(r"[a-z]+-[a-z]+", "", theirs)), theirs


def test_german_writes_numbers_lists_and_plurals_its_own_way():
    with speaking("de"):
        assert counted(12_345, "report") == "12\u202f345 Meldungen"
        assert counted(1, "report") == "1 Meldung"
        assert counted(0, "report") == "0 Meldungen"
        assert phrases.points(0.25) == "0,25 Punkte"
        assert phrases.points(1) == "1 Punkt"
        assert phrases.percent(0.999) == "99,9 %"
        assert phrases.percent(1 - 1e-9) == "mehr als 99,9999 %"
        assert phrases.chance(0.0001) == "< 0,1 %"
        assert phrases.any_of(["A", "B", "C"]) == "A, B oder C"
        assert phrases.all_of(["A", "B", "C"]) == "A, B und C"
        assert phrases.any_of("ABCDEF") == "A, B, C oder 3 weitere"


def test_a_report_in_german_leaves_names_as_they_are():
    made = hv.Additive(hv.borda(4), 1, k=2)
    report = made.disguise(0, 1)
    report["chosen"] = 0b0111
    with speaking("de"):
        report["chosen"] = 0b1001
        assert made.words(report, NAMES) == "Ich nenne Dr. Ann und Dee."
        report["chosen"] = 0b0110
        assert made.words(report, NAMES) == "Ich nenne Bob „B.“ und {0}."


def test_a_plan_in_german_has_decimal_commas_throughout():
    found = hv.plan(hv.Rule("halves", ["1.5", "1", "0"]), "0.5", 1.0)
    with speaking("de"):
        assert "Epsilon von 0,5 " in found.words
        assert found.words.endswith("die Punktzahlen gehen von 0 bis 1,5.")


def test_errors_stay_english():
    with speaking("de"):
        with pytest.raises(hv.HushvoteError, match=r"^1 voter can certify no lead"):
            hv.plan(hv.borda(3), 1, n=1)
        result = english.polled(hv.Duel(hv.borda(3), 1), 30, 1).result()
        with pytest.raises(
            hv.TallyError, match=r"^30 reports cannot come from 1 issued credential:"
        ):
            result.margin(issued=1)
        other = Inspection(1, 0.01, (Check("x", 0.0, "", ""),), "")
        with pytest.raises(hv.TallyError, match="this is the inspection of 1 report, not of these"):
            result.explain(inspection=other)


# --- who speaks what ------------------------------------------------------------------------------


def test_english_is_spoken_unless_something_else_is_said(monkeypatch):
    for name in ("LANG", "LC_ALL", "LANGUAGE"):
        monkeypatch.setenv(name, "de_DE.UTF-8")
    assert messages.spoken() == "en"
    with speaking("de"):
        assert messages.spoken() == "de"
        with speaking("en"):
            assert say("tied", names="A") == "Exactly tied: A."
        assert say("tied", names="A") == "Genau gleichauf: A."
    assert say("tied", names="A") == "Exactly tied: A."


def test_a_folder_is_all_that_another_language_needs(tmp_path, monkeypatch):
    (tmp_path / "xx").mkdir()
    catalogue = 'DECIMAL, THOUSANDS, MESSAGES = "·", "’", {"points.many": "{value:,.1f} xx"}\n'
    (tmp_path / "xx" / "__init__.py").write_text(catalogue, encoding="utf-8")
    monkeypatch.setattr(messages, "__path__", [*messages.__path__, str(tmp_path)])
    try:
        languages.cache_clear()
        assert "xx" in languages()
        with speaking("xx"):
            assert say("points.many", value=1234.5) == "1’234·5 xx"
    finally:
        monkeypatch.undo()
        languages.cache_clear()
        language.cache_clear()
        sys.modules.pop("hushvote.messages.xx", None)


def test_after_an_error_the_language_is_what_it_was():
    with pytest.raises(KeyError), speaking("de"):
        say("nonsense")
    assert messages.spoken() == "en"


@pytest.mark.parametrize("code", ["", "xx", "phrases", "EN", "de/..", "__init__"])
def test_a_language_that_there_is_not_is_refused(code):
    refused = pytest.raises(hv.HushvoteError, match=r"there is no language .*; there are de, en")
    with refused as caught, speaking(code):
        pass
    assert caught.value.code == "language.unknown"


def test_threads_speak_their_own_language():
    both = threading.Barrier(2, timeout=10)

    def told(code: str) -> list[str]:
        said = []
        with speaking(code):
            for i in range(50):
                both.wait()
                said.append(say("points.many", value=i + 0.5))
        return said

    with ThreadPoolExecutor(2) as pool:
        german, british = pool.map(told, ("de", "en"))
    assert german == [f"{i},5 Punkte" for i in range(50)]
    assert british == [f"{i}.5 points" for i in range(50)]


def test_tasks_speak_their_own_language_and_hand_it_on_to_their_threads():
    async def told(code: str) -> list[str]:
        said = []
        with speaking(code):
            for _ in range(20):
                await asyncio.sleep(0)
                said.append(say("points.many", value=0.5))
            said.append(await asyncio.to_thread(say, "points.many", value=0.5))
        return said

    async def both() -> list[list[str]]:
        return await asyncio.gather(told("de"), told("en"))

    assert asyncio.run(both()) == [["0,5 Punkte"] * 21, ["0.5 points"] * 21]


def test_what_was_said_can_be_said_again_in_another_language():
    tally = english.polled(hv.Duel(hv.borda(4), 1), 400, 0.2)
    explanation = tally.result().explain(inspection=hv.inspect(tally), seats=2)
    with speaking("de"):
        first = tally.result().explain(inspection=hv.inspect(tally), seats=2)
        assert again(explanation.to_dict()) == first.to_dict()
        assert again(hv.inspect(tally).to_dict()) == hv.inspect(tally).to_dict()
    assert again(first.to_dict()) == explanation.to_dict()
    assert again(["a", 1, None, {"b": ("c",)}]) == ["a", 1, None, {"b": ["c"]}]


def test_a_copy_of_what_was_said_is_plain_text():
    said = say("tied", names="A")
    for kept in (pickle.loads(pickle.dumps(said)), copy.deepcopy(said), copy.copy(said)):
        assert kept == said
        assert type(kept) is str

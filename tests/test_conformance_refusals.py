"""The bad conformance vectors: everything is refused, for the reason that stands beside it."""

import re
from collections import Counter

import pytest
from conformance import bad, regenerate
from conformance.streams import stream

import hushvote as hv
from hushvote.lottery import FixedBits
from hushvote.poll import codes

REFUSALS = regenerate.kept("refusals.json")
MECHANISMS = {digest: hv.mechanism_from(one) for digest, one in REFUSALS["mechanisms"].items()}
ENTRIES = [one for kind in REFUSALS.values() if isinstance(kind, list) for one in kind]


def vectors(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bad", REFUSALS[kind], ids=lambda one: ascii(one["reason"]))


@vectors("parameters")
def test_bad_parameters_are_refused(bad):
    with pytest.raises(hv.HushvoteError) as caught:
        hv.mechanism_from(bad["parameters"])
    assert caught.value.code == bad["code"]


@vectors("texts")
def test_bad_texts_of_parameters_are_refused(bad):
    with pytest.raises(hv.MechanismError) as caught:
        hv.mechanism_from(bad["text"])
    assert caught.value.code == bad["code"]


@vectors("names")
def test_bad_names_are_refused(bad):
    with pytest.raises(hv.RankingError) as caught:
        hv.Rankings([[0, 1]], ("Bob", bad["name"]))
    assert caught.value.code == bad["code"]
    with pytest.raises(hv.RuleError) as of_rule:
        hv.Rule(bad["name"], [1, 0])
    assert of_rule.value.code == bad["code"]


@vectors("rankings")
def test_bad_rankings_are_refused(bad):
    made = MECHANISMS[bad["mechanism"]]
    with pytest.raises(hv.RankingError) as caught:
        made.draw(bad["ranking"])
    assert caught.value.code == bad["code"]
    with pytest.raises(hv.RankingError) as in_bulk:
        made.privatize([bad["ranking"]])
    assert in_bulk.value.code == bad["code"]


@vectors("reports")
def test_bad_reports_are_refused(bad):
    with pytest.raises(hv.ReportError) as caught:
        MECHANISMS[bad["mechanism"]].domain.from_wire(bad["report"])
    assert caught.value.code == bad["code"]


@vectors("streams")
def test_a_stream_that_runs_out_gives_no_report(bad):
    bits = FixedBits(stream(bad["seed"], bad["bytes"]))
    with pytest.raises(EOFError) as caught:
        MECHANISMS[bad["mechanism"]].draw(bad["ranking"], bits)
    assert caught.value.code == bad["code"]


@vectors("questions")
def test_bad_questions_are_refused(bad):
    made = MECHANISMS[bad["mechanism"]]
    with pytest.raises(hv.MechanismError) as caught:
        made.draw(bad["ranking"], question=bytes.fromhex(bad["question"]))
    assert caught.value.code == bad["code"]


@vectors("codes")
def test_bad_codes_are_refused(bad):
    with pytest.raises(hv.PollError) as caught:
        codes.read_code(bad["typed"])
    assert caught.value.code == bad["code"]


@vectors("manifests")
def test_bad_manifests_are_refused(bad):
    text = bad["text"] if "text" in bad else "".join(part * n for part, n in bad["parts"])
    with pytest.raises(hv.HushvoteError) as caught:
        hv.Poll.load(text, bad.get("digest"))
    assert caught.value.code == bad["code"]


@vectors("votes")
def test_bad_votes_are_refused(bad):
    asked = bytes.fromhex(bad["question"]) if "question" in bad else None
    with pytest.raises(hv.HushvoteError) as caught:
        hv.Poll.load(bad["text"]).draw(bad["ranking"], question=asked)
    assert caught.value.code == bad["code"]


def test_every_code_of_a_manifest_that_a_client_gives_has_two_examples_or_more():
    often = Counter(one["code"] for one in REFUSALS["manifests"])
    named = [
        code
        for code, who in explained().items()
        if code.startswith(("poll.", "name.")) and who == "client"
    ]
    assert [code for code in named if often[code] < 2] == []


def test_no_reason_stands_twice():
    for kind, entries in REFUSALS.items():
        if isinstance(entries, list):
            reasons = Counter(one["reason"] for one in entries)
            assert not [reason for reason, often in reasons.items() if often > 1], kind


def test_there_are_enough_of_them():
    assert len(ENTRIES) >= 150


def explained() -> dict[str, str]:
    """The codes of README.md, and who checks each."""
    text = (regenerate.HERE / "README.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([a-z.-]+)` \| (client|counter) \|", text, re.MULTILINE))


def test_every_refusal_has_a_code_that_the_table_explains():
    """Both ways: no code without a meaning, and none that a client checks without an example."""
    table = explained()
    assert {(one["code"], one["who"]) for one in ENTRIES} <= set(table.items())
    used = {one["code"] for one in ENTRIES}
    assert {code for code, who in table.items() if who == "client"} <= used
    assert {code for code, who in table.items() if who == "counter" and code in used} == set(
        bad.COUNTER
    )

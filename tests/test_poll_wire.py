"""docs/wire: every form fits its schema, and the examples are what the code writes."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import open_board
from hushvote.poll.codes import code_hash, question_of
from hushvote.poll.credentials import Credential
from hushvote.poll.entries import Entry
from hushvote.poll.requests import Cast, Change, Withdrawal, longest_report, request_size
from hushvote.poll.verifying import verify_board
from tests.polls import election, poll_of

WIRE = Path(__file__).parents[1] / "docs" / "wire"
EXAMPLES = WIRE / "examples"
SCHEMAS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in WIRE.glob("*.schema.json")
}
PAGE = (WIRE / "README.md").read_text(encoding="utf-8")


def fits(name, document):
    return jsonschema.Draft202012Validator(SCHEMAS[name]).is_valid(document)


def test_there_is_a_sound_schema_for_everything_that_travels():
    assert set(SCHEMAS) == {
        *("manifest", "credential", "cast", "change", "withdrawal", "acknowledgement"),
        *("board-header", "board-line"),
    }
    for name, schema in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert f"({name}.schema.json)" in PAGE
        assert not fits(name, {})
        assert not fits(name, [])


@pytest.mark.parametrize("access", ["codes", "link"])
@pytest.mark.parametrize("name", hv.mechanism_names())
def test_real_objects_fit_their_schemas(name, access, tmp_path):
    if name == "challenge" and access == "link":
        pytest.skip("a challenge needs codes")
    poll = poll_of(name, access=access, partial=True)
    assert fits("manifest", json.loads(poll.text))
    held = election(poll)
    lines = [json.loads(line) for line in held.write(tmp_path / "b").read_text().splitlines()]
    assert fits("board-header", lines[0])
    assert all(fits("board-line", line) for line in lines[1:])
    assert any("leaf" in line for line in lines[1:])
    assert all(fits("acknowledgement", json.loads(one.to_json())) for one in held.acks.values())
    credential = Credential.fresh(poll.digest)
    assert fits("credential", json.loads(credential.to_json()))
    entry = next(iter(held.entries.values()))
    report = poll.mechanism.domain.from_wire(entry.report)
    asked = bytes(32) if access == "codes" else None
    assert fits("cast", Cast.of(poll, credential, report, asked).to_json())
    assert fits("change", Change.of(poll, credential, report).to_json())
    assert fits("withdrawal", Withdrawal.of(poll, credential).to_json())


def test_schemas_refuse_members_that_are_missing_or_too_many():
    given = {
        "manifest": json.loads((EXAMPLES / "manifest.json").read_text(encoding="utf-8")),
        "credential": json.loads((EXAMPLES / "credential.json").read_text()),
        "cast": json.loads((EXAMPLES / "cast.body").read_text()),
        "change": json.loads((EXAMPLES / "change.body").read_text()),
        "withdrawal": json.loads((EXAMPLES / "withdrawal.body").read_text()),
        "acknowledgement": json.loads((EXAMPLES / "acknowledgement.json").read_text()),
    }
    lines = (EXAMPLES / "board.jsonl").read_text(encoding="utf-8").splitlines()
    given |= {"board-header": json.loads(lines[0]), "board-line": json.loads(lines[1])}
    assert given.keys() == SCHEMAS.keys()
    for name, document in given.items():
        assert fits(name, document), name
        assert not fits(name, {**document, "more": 1})
        for member in document.keys() - {"question"}:
            less = {key: value for key, value in document.items() if key != member}
            assert not fits(name, less), (name, member)
            assert not fits(name, {**document, member: None})


def test_the_examples_are_what_the_code_writes(tmp_path):
    """But for the last digits of the result, which another machine may round otherwise."""
    runpy.run_path(str(WIRE / "examples.py"))["write"](tmp_path)
    names = {path.name for path in EXAMPLES.iterdir()}
    assert names == {path.name for path in tmp_path.iterdir()}
    for name in names - {"board.jsonl"}:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()
    one, other = (
        (folder / "board.jsonl").read_text(encoding="utf-8").splitlines()
        for folder in (tmp_path, EXAMPLES)
    )
    assert one[1:] == other[1:]
    heads = [json.loads(lines[0]) for lines in (one, other)]
    for head in heads:
        del head["result"], head["signature"]
    assert heads[0] == heads[1]


def test_the_examples_belong_to_one_poll_and_fit_each_other():
    poll = hv.Poll.load((EXAMPLES / "manifest.json").read_bytes())
    found = verify_board(EXAMPLES / "board.jsonl", poll.digest, [EXAMPLES / "acknowledgement.json"])
    assert found.holds
    cast = Cast.read(poll, (EXAMPLES / "cast.body").read_bytes())
    q = question_of(poll.digest, (EXAMPLES / "code.txt").read_text())
    assert cast.question == q.hex()
    header = open_board(EXAMPLES / "board.jsonl").header
    assert code_hash(q).hex() in header.issued
    credential = Credential.from_json((EXAMPLES / "credential.json").read_text())
    assert credential.receipt.hex() == cast.receipt
    change = Change.read(poll, (EXAMPLES / "change.body").read_bytes())
    assert change.reveals == credential.secret.hex()
    ack = Acknowledgement.from_json((EXAMPLES / "acknowledgement.json").read_text())
    ack.check(poll)
    ack.check_entry(Entry(cast.receipt, ack.salt, cast.report))
    gone = Withdrawal.read(poll, (EXAMPLES / "withdrawal.body").read_bytes())
    assert gone.reveals in {secret for _, secret, _ in header.spent}


@pytest.mark.parametrize("name", hv.mechanism_names())
@pytest.mark.parametrize("d", [2, 3, 12])
def test_the_length_of_requests_is_that_of_the_page(name, d):
    poll = poll_of(name, d)
    around = int(re.search(r"\*\*Length\.\*\* (\d+) bytes", PAGE)[1])
    longest = 2 + len(poll.mechanism.fields) - 1
    for one in poll.mechanism.fields:
        longest += len(f'"{one.name}":')
        if one.kind == "mask":
            m = d if one.sizes is None else max(one.sizes)
            longest += len(str(list(range(d - m, d))).replace(" ", ""))
        else:
            longest += max(len(str(x)) + 2 * (abs(x) >= 2**53) for x in (one.low, one.high))
    assert longest_report(poll.mechanism.domain) == longest
    assert request_size(poll) == (around + longest + 1023) // 1024 * 1024


def test_code_and_command_of_the_page_run(tmp_path):
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M)
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=tmp_path)
    (shown,) = re.findall(r"^```console\n(.*?)^```", PAGE, re.S | re.M)
    command, *lines = shown.splitlines()
    shutil.copy(EXAMPLES / "board.jsonl", tmp_path)
    words = [sys.executable, "-m", *command.removeprefix("$ ").split()]
    wide = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(words, check=True, cwd=tmp_path, env=wide, capture_output=True, text=True)
    assert [line.rstrip() for line in done.stdout.splitlines()] == lines

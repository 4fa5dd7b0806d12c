"""Reports counted by a further column, by poll, and by what only their head says."""

import datetime
import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.canonical import unsealed
from hushvote.formats.reports import open_reports
from tests.conftest import one_sentence
from tests.foreign import (
    ADDITIVE,
    count,
    foreign,
    names,
    parameters,
    sent,
    stated,
    written,
)

POLL = "ab" * 32


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_groups_are_counted_on_their_own(run):
    reports = sent()
    region = np.array(["north", "south", "east"])[np.arange(500) % 3]
    foreign("x.parquet", ADDITIVE, reports, region=region, day=[datetime.date(2026, 1, 2)] * 500)
    groups = count("x.parquet", by="region")
    assert list(groups) == ["east", "north", "south"]
    for name, tally in groups.items():
        assert tally == ADDITIVE.tally(reports[region == name])
    assert list(count("x.parquet", by="day")) == ["2026-01-02"]
    code, out, _ = run("tally", "x.parquet", "--parameters", parameters(ADDITIVE), "--by", "region")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("region: ")] == [
        "region: east",
        "region: north",
        "region: south",
    ]
    code, out, _ = run("tally", "x.parquet", "--parameters", "p.json", "--by", "region", "--json")
    found = json.loads(out)
    assert [(one["by"], one["group"], one["n"]) for one in found] == [
        ("region", "east", 166),
        ("region", "north", 167),
        ("region", "south", 167),
    ]


def test_a_receipt_counts_in_the_group_of_its_last_change():
    stated([("a", 0, False, 0), ("b", 0, False, 1), ("a", 1, False, 2), ("c", 0, True, 3)])
    table = pq.read_table("x.parquet")
    table = table.append_column("region", pa.array(["x", "x", None, "z"]).dictionary_encode())
    pq.write_table(table, "x.parquet")
    groups = count("x.parquet", by="region")
    assert {name: names(tally)[:3] for name, tally in groups.items()} == {
        "x": [0, 1, 0],
        "(empty)": [0, 0, 1],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--by", "colour"], "has no column 'colour' to count by; choose one of region"),
        (["--by", "chosen"], "has no column 'chosen' to count by"),
        (["--by", "region", "--out", "t.json"], "--out is for one tally, but --by makes many"),
        (["--by", "region", "--inspect"], "--inspect is for one tally"),
    ],
)
def test_groups_that_cannot_be_are_one_sentence(run, words, message):
    foreign("x.parquet", ADDITIVE, sent(n=3), region=["a", "b", "c"])
    said = one_sentence(run("tally", "x.parquet", "--parameters", parameters(ADDITIVE), *words))
    assert message in said


def test_a_group_that_would_steer_the_terminal_or_ids_as_groups_are_refused(run):
    foreign("x.parquet", ADDITIVE, sent(n=3), region=["a", "\x1b[31m", "c"])
    words = ["--parameters", parameters(ADDITIVE), "--by", "region"]
    assert "report 1: its 'region' '\\x1b[31m' has" in one_sentence(
        run("tally", "x.parquet", *words)
    )
    Path("day=%1b[31m").mkdir()
    shutil.copy("x.parquet", "day=%1b[31m")
    said = one_sentence(run("tally", "day=%1b[31m", *words[:2], "--by", "day"))
    assert "report 0: its 'day' '\\x1b[31m' has" in said
    foreign("x.parquet", ADDITIVE, sent(n=1001), region=range(1001))
    assert "more than 1,000 different values" in one_sentence(run("tally", "x.parquet", *words))


def test_text_that_is_no_utf8_is_one_sentence(run):
    raw = pa.array([b"north", b"\xff\xfe", b"south"])
    said = pa.Array.from_buffers(pa.string(), 3, raw.buffers())
    foreign("x.parquet", ADDITIVE, sent(n=3), region=said, poll=said)
    for words in (["--by", "region"], [], ["--by", "region", "--on-bad", "skip"]):
        found = run("tally", "x.parquet", "--parameters", parameters(ADDITIVE), *words)
        assert "holds text that is not UTF-8" in one_sentence(found)


def test_columns_of_nothing_but_empty_cells_are_empty_cells():
    nothing = pa.nulls(3)
    table = {"chosen": [1, 2, 4], "receipt": ["a", "b", "c"], "change": [0, 0, 0], "poll": nothing}
    for name, reason in (("chosen", "outside"), ("receipt", "unmarked"), ("change", "unmarked")):
        pq.write_table(pa.table(table | {name: nothing}), "x.parquet")
        found = hv.count_files("x.parquet", parameters=ADDITIVE, on_bad="skip", by="poll")
        assert (found.n, found.left.to_dict()[reason]) == (0, 3)
    flags = pa.table({"chosen": nothing, "withdrawn": [True] * 3})  # everybody took theirs back
    pq.write_table(flags, "x.parquet")
    assert hv.count_files("x.parquet", parameters=ADDITIVE).left.withdrawn == 3


def test_the_name_that_stands_for_weights_is_nobodys_group(run):
    foreign("x.parquet", ADDITIVE, sent(n=3), region=["a", "b", "c"], hushvote_weight=[5, 6, 7])
    words = ["--parameters", parameters(ADDITIVE), "--by", "hushvote_weight"]
    assert "choose one of region" in one_sentence(run("tally", "x.parquet", *words))
    assert count("x.parquet").n == 3


def test_a_tally_cannot_be_divided(run):
    written("r.parquet")
    run("tally", "r.parquet", "--out", "t.json")
    said = one_sentence(run("tally", "t.json", "--by", "region"))
    assert "t.json is a tally, which cannot be divided by 'region'" in said


# polls and seeds


def test_a_poll_stands_in_the_head_and_in_the_tally(run):
    written("r.parquet", poll=POLL)
    assert open_reports("r.parquet").poll == POLL
    assert hv.tally_files(["r.parquet"]).poll == POLL
    run("tally", "r.parquet", "--out", "t.json")
    assert unsealed(Path("t.json").read_text(encoding="utf-8"))["poll"] == POLL
    assert hv.tally_files(["r.parquet", "t.json"]).n == 1000
    written("other.parquet", poll="cd" * 32)
    written("none.parquet")
    for other in ("other.parquet", "none.parquet"):
        for mine in ("r.parquet", "t.json"):
            said = one_sentence(run("tally", mine, other))
            assert f"{other}: these tallies are of different polls: poll abababababababab" in said


def test_a_poll_that_is_no_digest_is_not_written():
    with pytest.raises(hv.HushvoteError, match="64 hexadecimal digits in lower case, not 'abc'"):
        written("r.parquet", poll="abc")


def test_a_tally_of_seeded_reports_says_so_whenever_it_is_shown(run, ballot_file):
    run("privatize", ballot_file, "-o", "s.parquet", "--seed", "5")
    run("privatize", ballot_file, "-o", "r.parquet")
    assert run("tally", "s.parquet", "--out", "s.json")[0] == 0
    assert hv.Tally.from_json(Path("s.json").read_text(encoding="utf-8")).seeded
    code, _, err = run("tally", "s.json", "r.parquet", "--out", "both.json")
    assert (code, err) == (0, "s.json was drawn with a seed: for simulation only, not private.\n")
    for command in ("tally", "certify"):
        assert "both.json was drawn with a seed" in run(command, "both.json")[2]
    assert json.loads(run("tally", "both.json", "--json")[1])["seeded"] == ["both.json"]


def test_messages_about_files_repeat_a_line_of_them_at_most(run):
    long = "x" * 5000
    pq.write_table(pa.table({long: [1]}), "x.parquet")
    said = one_sentence(run("tally", "x.parquet", "--parameters", parameters(ADDITIVE)))
    assert len(said) < 250
    foreign("x.parquet", ADDITIVE, sent(n=1), region=[long])
    for words in (["--by", long], ["--by", "region"]):
        said = one_sentence(run("tally", "x.parquet", "--parameters", "p.json", *words))
        assert len(said) < 250
    pq.write_table(pa.table({"first": ["Ann"], "second": [long]}), "b.parquet")
    Path("b.csv").write_text(f"Ann,{long}\n", encoding="utf-8")
    for ballots in ("b.parquet", "b.csv"):
        said = one_sentence(run("privatize", ballots, "-o", "r.parquet", "--names", "Ann,Bob"))
        assert len(said) < 250

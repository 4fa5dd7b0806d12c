"""Reports are taken back out of a tally, and come by way of a pipe."""

import io
import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from tests.conftest import one_sentence, random_orders


@pytest.fixture
def days(tmp_path):
    """Reports of two days in files, and what both days count."""
    mechanism = hv.mechanism("additive", hv.borda(4), 1)
    for name, n in (("monday", 300), ("tuesday", 200), ("other", 50)):
        votes = hv.Rankings(random_orders(n, 4, seed=n), tuple("ABCD"))
        hv.write_rankings(tmp_path / f"{name}.csv", votes)
        file = hv.open_rankings(tmp_path / f"{name}.csv")
        hv.privatize_file(file, mechanism, tmp_path / f"{name}.parquet")
    monday, tuesday = (
        hv.tally_files([tmp_path / f"{day}.parquet"]) for day in ("monday", "tuesday")
    )
    (tmp_path / "both.json").write_text((monday + tuesday).to_json())
    return monday, tuesday


def test_withdrawn_reports_leave_the_tally(run, days, tmp_path):
    words = ("tally", "both.json", "--without", "tuesday.parquet", "--json", "-o", "left.json")
    code, out, _ = run(*words)
    assert (code, json.loads(out)["n"]) == (0, 300)
    assert hv.Tally.from_json((tmp_path / "left.json").read_text()) == days[0]
    words = (
        "tally",
        "monday.parquet",
        "tuesday.parquet",
        "--without",
        "monday.parquet",
        "--inspect",
    )
    code, out, err = run(*words, "--json")
    assert code == 0, err
    assert json.loads(out)["n"] == 200
    assert json.loads(out)["inspection"]["unseen"]


def test_seeds_are_told_of_what_is_withdrawn_too(run, days):
    draw = ("privatize", "monday.csv", "--mechanism", "additive", "--epsilon", "1")
    assert run(*draw, "--seed", "1", "-o", "seeded.parquet")[0] == 0
    words = ("tally", "monday.parquet", "seeded.parquet", "--without")
    assert json.loads(run(*words, "seeded.parquet", "--json")[1])["seeded"] == ["seeded.parquet"]
    assert run(*words[:3], "--out", "both.json")[0] == 0
    told = json.loads(run("tally", "both.json", "--without", "seeded.parquet", "--json")[1])
    assert told["seeded"] == ["both.json", "seeded.parquet"]


def test_what_was_not_counted_cannot_be_withdrawn(run, days, tmp_path):
    said = one_sentence(run("tally", "tuesday.parquet", "--without", "monday.parquet"))
    assert "cannot withdraw 300 reports from a tally of 200" in said
    one = hv.mechanism("additive", hv.borda(4), 1)
    fakes = one.disguise(0, 1, n=150)
    (tmp_path / "fakes.json").write_text(one.tally(fakes).named(tuple("ABCD")).to_json())
    said = one_sentence(run("tally", "tuesday.parquet", "--without", "fakes.json"))
    assert "not all of it is among the reports that were counted" in said
    said = one_sentence(run("tally", "monday.parquet", "--by", "x", "--without", "tuesday.parquet"))
    assert "--without is for one tally, not for --by" in said


@pytest.mark.parametrize("name", ["monday.parquet", "both.json"])
def test_reports_and_tallies_come_by_way_of_a_pipe(run, days, tmp_path, monkeypatch, name):
    _, wanted, _ = run("tally", name, "--json")
    held = (tmp_path / name).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(held)))
    code, out, err = run("tally", "-", "--json")
    assert (code, json.loads(out)["candidates"]) == (0, json.loads(wanted)["candidates"]), err


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (b"A,B,C,D\nB,A,C,D\n", "standard input holds ballots, not reports; first run"),
        (b"PAR1nothing", "standard input is damaged or not a Parquet file"),
        (b"\x00\x01\x02", "standard input is damaged or not a Parquet file"),
        (b'{"a":', "standard input"),
        (None, "standard input is not a file of hushvote reports"),
    ],
)
@pytest.mark.parametrize("words", [("-",), ("monday.parquet", "--without", "-")])
def test_a_wrong_pipe_is_called_standard_input(run, days, tmp_path, monkeypatch, held, said, words):
    pq.write_table(pa.table({"x": [1, 2]}), tmp_path / "foreign.parquet")
    held = held or (tmp_path / "foreign.parquet").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(held)))
    found = one_sentence(run("tally", *words))
    assert found.startswith(f"error: {said}"), found
    assert "standard-input" not in found


def test_what_has_receipts_is_not_withdrawn_as_a_whole(run, days, tmp_path):
    table = pq.read_table(tmp_path / "monday.parquet")
    receipts = pa.array([f"{row:064x}" for row in range(len(table))])
    pq.write_table(table.append_column("receipt", receipts), tmp_path / "marked.parquet")
    words = ("tally", "both.json", "--parameters", "both.json", "--without", "marked.parquet")
    said = one_sentence(run(*words))
    assert "cannot withdraw marked.parquet as a whole: it has receipts" in said


def test_standard_input_is_read_once(run, days, tmp_path, monkeypatch):
    held = (tmp_path / "monday.parquet").read_bytes()
    for words in (("-", "-"), ("-", "--without", "-")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(held)))
        assert "can be read only once" in one_sentence(run("tally", *words))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(held)))
    code, out, err = run("tally", "both.json", "--without", "-", "--json")
    assert (code, json.loads(out)["n"]) == (0, 200), err


def test_bad_rows_of_what_is_withdrawn_are_skipped_too(run, days, tmp_path):
    table = pq.read_table(tmp_path / "monday.parquet")
    chosen = pa.array([*table["chosen"].to_pylist(), 0], pa.int16())
    pq.write_table(pa.table({"chosen": chosen}), tmp_path / "bad.parquet")
    words = (
        "tally",
        "both.json",
        "--parameters",
        "both.json",
        "--without",
        "bad.parquet",
        "--json",
    )
    one_sentence(run(*words))
    code, out, err = run(*words, "--on-bad", "skip")
    assert (code, json.loads(out)["n"]) == (0, 200), err

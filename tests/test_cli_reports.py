"""Files of reports as the command line meets them: foreign, damaged, tampered with, or mixed up."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.canonical import sealed, unsealed
from hushvote.formats.reports import open_reports
from tests.conftest import one_sentence, random_orders


def report_file(tmp_path, name="r.parquet", made=None):
    made = made or hv.Additive(hv.borda(4), 1)
    hv.write_rankings(tmp_path / "b.csv", hv.Rankings(random_orders(5000, 4), tuple("ABCD")))
    hv.privatize_file(hv.open_rankings(tmp_path / "b.csv"), made, tmp_path / name)
    return tmp_path / name


def test_a_report_file_keeps_the_candidates_in_their_order(tmp_path):
    hv.write_rankings(tmp_path / "b.soc", hv.Rankings(random_orders(9, 3), ("Cem", "Ann", "Bob")))
    made, path = hv.Additive(hv.borda(3), 1), tmp_path / "r.parquet"
    hv.privatize_file(hv.open_rankings(tmp_path / "b.soc"), made, path)
    assert hv.tally_files([path]).candidates == ("Cem", "Ann", "Bob")


def test_a_truncated_report_file_is_refused(run, tmp_path):
    whole = report_file(tmp_path).read_bytes()
    for length in (3, 100, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.parquet").write_bytes(whole[:length])
        assert "cut.parquet is damaged" in one_sentence(run("tally", "cut.parquet"))


def test_a_corrupted_report_file_is_never_counted_wrong(run, tmp_path):
    """Flip one bit at many places: either refused, or (in unused bytes) the same tally."""
    path = report_file(tmp_path)
    whole, right = path.read_bytes(), hv.tally_files([path])
    for place in range(4, len(whole) - 8, max(1, len(whole) // 300)):
        flipped = bytearray(whole)
        flipped[place] ^= 16
        (tmp_path / "bad.parquet").write_bytes(flipped)
        with suppress(hv.HushvoteError):
            assert hv.tally_files([tmp_path / "bad.parquet"]) == right, place


def test_foreign_parquet_files_are_refused(run, tmp_path):
    pq.write_table(pa.table({"chosen": pa.array([1, 2], pa.uint8())}), tmp_path / "x.parquet")
    assert "not a file of hushvote reports" in one_sentence(run("tally", "x.parquet"))
    hv.write_rankings(tmp_path / "v.parquet", hv.Rankings(random_orders(5, 3), tuple("ABC")))
    assert "not a file of hushvote reports" in one_sentence(run("tally", "v.parquet"))


def test_a_report_outside_the_domain_is_named_with_its_file_and_row(run, tmp_path, monkeypatch):
    monkeypatch.setattr("hushvote.batch.VOTES", 100)  # rows are numbered over all blocks
    path = report_file(tmp_path)
    table = pq.read_table(path)
    column = table["chosen"].to_numpy().copy()
    column[4321] = 0b1100
    head = pq.read_metadata(path).metadata
    schema = table.schema.with_metadata({"hushvote.reports": head[b"hushvote.reports"]})
    pq.write_table(pa.table([pa.array(column)], schema=schema), tmp_path / "bad.parquet")
    said = one_sentence(run("tally", "bad.parquet"))
    assert "bad.parquet: report 4321: 'chosen' holds 2 candidates, but must hold 1" in said


def test_files_are_counted_in_blocks_and_rows_numbered_through(run, tmp_path, monkeypatch):
    monkeypatch.setattr("hushvote.batch.embedded.FILE_BLOCK", 100)
    done = []
    path = report_file(tmp_path)
    tally = hv.tally_files([path], progress=done.append)
    assert done == [100] * 50
    monkeypatch.undo()
    assert tally == hv.tally_files([path])


def test_a_tampered_head_is_refused(run, tmp_path):
    path = report_file(tmp_path)
    table = pq.read_table(path)
    head = unsealed(pq.read_metadata(path).metadata[b"hushvote.reports"])
    changes = [
        ({"version": 9}, "version 9"),
        ({"version": 0}, "version 0"),
        ({"n": 4999}, "it holds 5,000 reports, but was written with 4,999"),
        ({"n": 5001}, "it holds 5,000 reports, but was written with 5,001"),
        ({"mechanism": head["mechanism"] | {"odds": [2**34, 2**32]}}, "do not fit epsilon"),
        ({"mechanism": head["mechanism"] | {"k": 3}}, "must hold 3"),
        ({"mechanism": hv.Laplace(hv.borda(4), 1).parameters()}, "columns"),
        ({"mechanism": 5}, "must be a JSON object"),
        ({"candidates": 5}, "damaged"),
        ({"seeded": 1}, "damaged"),
    ]
    for change, message in changes:
        meta = {"hushvote.reports": sealed(head | change)}
        pq.write_table(table.replace_schema_metadata(meta), tmp_path / "bad.parquet")
        assert message in one_sentence(run("tally", "bad.parquet")), change
    for text, message in [("{", "not valid JSON"), (json.dumps(head), "checksum")]:
        pq.write_table(table.replace_schema_metadata({"hushvote.reports": text}), path)
        assert message in one_sentence(run("tally", "r.parquet"))


def test_files_of_different_parameters_are_refused_by_name(run, tmp_path):
    report_file(tmp_path, "a.parquet")
    report_file(tmp_path, "b.parquet", hv.Additive(hv.borda(4), 2))
    said = one_sentence(run("tally", "a.parquet", "b.parquet"))
    assert "b.parquet: these tallies have different parameters" in said


def test_the_same_file_is_never_counted_twice(run, tmp_path):
    report_file(tmp_path)
    assert "named twice" in one_sentence(run("tally", "r.parquet", "./r.parquet"))


def test_the_same_file_under_another_name_is_not_counted_twice(run, tmp_path):
    path = report_file(tmp_path)
    (tmp_path / "hard.parquet").hardlink_to(path)
    (tmp_path / "soft.parquet").symlink_to(path)
    for other in ("hard.parquet", "soft.parquet"):
        said = one_sentence(run("tally", "r.parquet", other))
        assert f"{other} is named twice, first as r.parquet" in said
    with pytest.raises(hv.HushvoteError, match="named twice"):
        hv.tally_files([path, path])


def rewritten(path, target, **options):
    """The same reports as another program would write them."""
    table = pq.read_table(path)
    head = pq.read_metadata(path).metadata[b"hushvote.reports"]
    pq.write_table(table.replace_schema_metadata({"hushvote.reports": head}), target, **options)
    return target


@pytest.mark.parametrize("name", ["additive", "laplace"])
def test_a_file_without_checksums_is_counted_and_said_so(run, tmp_path, name):
    path = report_file(tmp_path, made=hv.mechanism(name, hv.borda(4), 1))
    for i, options in enumerate(
        [{}, {"compression": "none"}, {"use_dictionary": False}, {"data_page_version": "2.0"}]
    ):
        small = {"data_page_size": 500, "write_batch_size": 50, "row_group_size": 1500}
        bare = rewritten(path, tmp_path / f"bare{i}.parquet", **options, **small)
        good = rewritten(
            path, tmp_path / f"good{i}.parquet", **options, **small, write_page_checksum=True
        )
        assert not open_reports(bare).checked
        assert open_reports(good).checked
        assert hv.tally_files([bare]) == hv.tally_files([good]) == hv.tally_files([path])
    code, out, err = run("tally", "bare0.parquet")
    assert code == 0
    assert err.splitlines() == [
        "bare0.parquet lacks checksums: another program wrote it, and damage may go unnoticed."
    ]
    _, plain, silent = run("tally", "good0.parquet")
    assert (plain, silent) == (out, "")
    _, out, err = run("tally", "bare0.parquet", "--json")
    assert json.loads(out)["without_checksums"] == ["bare0.parquet"]
    assert json.loads(run("tally", "r.parquet", "--json")[1])["without_checksums"] == []


def test_one_page_without_a_checksum_is_said(tmp_path):
    """The second row group of a file is one without checksums."""
    path = report_file(tmp_path)
    table = pq.read_table(path)
    head = pq.read_metadata(path).metadata[b"hushvote.reports"]
    table = table.replace_schema_metadata({"hushvote.reports": head})
    for name, checksums in (("a", True), ("b", False)):
        pq.write_table(table, tmp_path / name, row_group_size=2500, write_page_checksum=checksums)
    whole = bytearray((tmp_path / "a").read_bytes())
    column = pq.read_metadata(tmp_path / "a").row_group(1).column(0)
    start = min(column.data_page_offset, column.dictionary_page_offset or column.data_page_offset)
    assert whole[start + 1 :].find(b"\x15") >= 0
    crc = whole.index(b"\x15", start)  # field 1, then 2 and 3, then 4: each a varint behind 0x15
    for _ in range(3):
        crc = whole.index(b"\x15", crc + 1)
    assert open_reports(tmp_path / "a").checked
    whole[crc] = 0x18  # a text of the same field: no number, so no checksum
    (tmp_path / "a").write_bytes(whole)
    assert not open_reports(tmp_path / "a").checked


def test_a_seeded_file_says_so_wherever_it_is_used(run, ballot_file):
    run("privatize", ballot_file, "-o", "s.parquet", "--seed", "5")
    run("privatize", ballot_file, "-o", "r.parquet")
    assert open_reports("s.parquet").seeded
    assert not open_reports("r.parquet").seeded
    for command in ("tally", "certify"):
        code, _, err = run(command, "s.parquet")
        assert code == 0
        assert err.startswith("s.parquet was drawn with a seed: for simulation only")
        assert run(command, "r.parquet")[2] == ""
    assert json.loads(run("tally", "s.parquet", "r.parquet", "--json")[1])["seeded"] == [
        "s.parquet"
    ]
    assert json.loads(run("certify", "s.parquet", "--json")[1])["seeded"] is True
    assert json.loads(run("certify", "r.parquet", "--json")[1])["seeded"] is False


@pytest.mark.slow
def test_processes_that_write_and_read_reports_end_with_code_0():
    script = Path(__file__).parents[1] / "benchmarks" / "processes.py"
    done = subprocess.run(
        [sys.executable, script, "--processes", "20"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("20 of 20 processes")


def test_reports_are_not_randomised_again(run, tmp_path):
    report_file(tmp_path)
    said = one_sentence(run("privatize", "r.parquet", "-o", "s.parquet"))
    assert "r.parquet holds reports, not ballots" in said


def test_a_file_of_ballots_may_be_given_by_its_path(tmp_path):
    made = hv.Additive(hv.borda(3), 1)
    hv.write_rankings(tmp_path / "b.csv", hv.Rankings([[0, 1, 2]] * 20, tuple("ABC")))
    assert hv.privatize_file(tmp_path / "b.csv", made, tmp_path / "r.parquet") == 20
    assert hv.tally_files(tmp_path / "r.parquet").n == 20
    for wrong in (5, None):
        with pytest.raises(hv.HushvoteError, match="named by a path, or by several in a list"):
            hv.tally_files(wrong)

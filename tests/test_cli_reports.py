"""Files of reports as the command line meets them: foreign, damaged, tampered with, or mixed up."""

import json
from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq

import hushvote as hv
from hushvote.tally import sealed, unsealed
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
    monkeypatch.setattr("hushvote.batch.FILE_BLOCK", 100)  # rows are numbered over all blocks
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
    monkeypatch.setattr("hushvote.batch.FILE_BLOCK", 100)
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
        ({"n": 4999}, "it holds 5000 reports, but was written with 4999"),
        ({"n": 5001}, "it holds 5000 reports, but was written with 5001"),
        ({"mechanism": head["mechanism"] | {"odds": [2**34, 2**32]}}, "do not fit epsilon"),
        ({"mechanism": head["mechanism"] | {"k": 3}}, "must hold 3"),
        ({"mechanism": hv.Laplace(hv.borda(4), 1).parameters()}, "columns"),
        ({"mechanism": 5}, "must be a JSON object"),
        ({"candidates": 5}, "damaged"),
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


def test_reports_are_not_randomised_again(run, tmp_path):
    report_file(tmp_path)
    said = one_sentence(run("privatize", "r.parquet", "-o", "s.parquet"))
    assert "r.parquet holds reports, not ballots" in said

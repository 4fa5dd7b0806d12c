"""What goes wrong while files are counted: they change, too little memory is left, rows are bad."""

import json
import os
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.batch import embedded, grouping, sorting
from hushvote.canonical import canonical
from tests.conftest import names_in, one_sentence, random_orders
from tests.test_scale import DUEL, by_duckdb, written

__all__ = ["by_duckdb"]


def columns(reports):
    return {name: pa.array(reports[name]) for name in reports.dtype.names}


@pytest.mark.parametrize("kind", ["streamed", "grouped", "settled"])
def test_a_file_that_changes_while_it_is_counted_is_refused(tmp_path, request, kind):
    """Else one part of the sums would be of the old file, and what is kept of the new one wrong."""
    if kind == "grouped":
        request.getfixturevalue("by_duckdb")
    path, kept = tmp_path / "live.parquet", tmp_path / "kept"
    old, new = (DUEL.privatize(random_orders(300, 4)) for _ in range(2))
    more = {"receipt": [f"{k}" for k in range(300)]} if kind == "settled" else {}
    options = {"parameters": DUEL, "partial": kept}

    def put(reports):
        pq.write_table(pa.table(columns(reports) | more), tmp_path / "new")
        os.utime(tmp_path / "new", ns=(0, 1) if reports is old else (0, 2))
        (tmp_path / "new").replace(path)

    sifted = embedded.Opened.blocks if kind != "grouped" else grouping._counted

    def changed_meanwhile(*given, **named):
        found = sifted(*given, **named)
        if kind == "grouped":
            put(new)
            return found
        return (one for one in [*found, put(new)] if one is not None)

    put(old)
    with pytest.MonkeyPatch.context() as patch:
        if kind == "grouped":
            patch.setattr(grouping, "_counted", changed_meanwhile)
        else:
            patch.setattr(embedded.Opened, "blocks", changed_meanwhile)
        with pytest.raises(hv.FileError, match=r"live.parquet was changed while it was read"):
            hv.tally_files(path, **options)
    assert names_in(kept) == []
    for _ in range(2):
        assert hv.tally_files(path, **options) == DUEL.tally(new)
    assert len(names_in(kept)) == 1


def test_too_little_memory_for_groups_leaves_nothing_on_the_disk(tmp_path, by_duckdb, monkeypatch):
    """What the database put aside would outlive a process that is killed."""
    monkeypatch.setattr(grouping, "MOST_DIFFERENT", 1 << 400)
    monkeypatch.setattr(grouping, "MEMORY", "20MB")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    made = hv.Laplace(hv.borda(4), 1)  # reports hardly repeat
    reports = made.privatize(random_orders(400_000, 4))
    path = written(tmp_path / "r.parquet", made, reports)
    failed = []

    def watched(*given):
        try:
            return counted(*given)
        except Exception as error:
            failed.append(type(error).__name__)
            (folder,) = scratch.iterdir()
            assert [one.is_symlink() for one in folder.iterdir()] == [True]
            raise

    counted = grouping._counted
    monkeypatch.setattr(grouping, "_counted", watched)
    assert hv.tally_files(path) == made.tally(reports)
    assert failed == ["OutOfMemoryException"]
    assert names_in(scratch) == []


def test_a_group_that_cannot_be_shown_is_told_with_its_row(tmp_path, by_duckdb):
    reports = DUEL.privatize(random_orders(2000, 4))
    region = np.array(["x"] * 2000, dtype=object)
    region[1234] = "\x07"
    pq.write_table(pa.table(columns(reports) | {"region": region}), tmp_path / "r.parquet")
    with pytest.raises(hv.ReportError, match=r"report 1234: its 'region'"):
        hv.tally_files(tmp_path / "r.parquet", parameters=DUEL, by="region")
    assert by_duckdb


def test_no_reports_have_no_groups(tmp_path, run):
    nothing = {"region": pa.array([], pa.string())} | columns(DUEL.domain.empty(0))
    pq.write_table(pa.table(nothing), tmp_path / "r.parquet")
    (tmp_path / "p.json").write_text(canonical(DUEL.parameters()).decode())
    words = ("tally", "r.parquet", "--parameters", "p.json")
    for more in ((), ("--by", "region"), ("--by", "region", "--json")):
        assert "no reports" in one_sentence(run(*words, *more))


def test_tallies_are_added_here_and_not_at_an_address(run):
    said = one_sentence(run("tally", "s3a://bucket/all.json", "--engine", "spark"))
    assert "tallies are added here, not on a cluster; get a copy of it" in said


def test_rows_that_cannot_be_taken_out_are_told(tmp_path, run):
    reports = DUEL.privatize(random_orders(300, 4))
    written(tmp_path / "all.parquet", DUEL, reports)
    some = reports[:3].copy()
    held = columns(some)
    held["plus"] = pa.array([int(some["plus"][0]), 99, int(some["plus"][2])])
    pq.write_table(pa.table(held), tmp_path / "some.parquet")
    (tmp_path / "p.json").write_text(canonical(DUEL.parameters()).decode())
    words = ("tally", "all.parquet", "--parameters", "p.json", "--without", "some.parquet")
    assert "some.parquet: report 1" in one_sentence(run(*words))
    code, out, err = run(*words, "--on-bad", "skip")
    assert code == 0, err
    assert "Rows of --without that were not taken out: 1 that are no reports." in out + err
    told = json.loads(run(*words, "--on-bad", "skip", "--json")[1])
    assert (told["n"], told["left_in"]["outside"], told["left_out"]["outside"]) == (298, 1, 0)
    said = one_sentence(run(*words[:-1], "s3a://bucket/some.parquet"))
    assert "'s3a://bucket/some.parquet' here: it is an address" in said


def test_partial_sums_of_twins_are_kept_apart(tmp_path):
    """Files of equal size, time and footer, as archives with whole seconds make them."""
    paths, reports = [tmp_path / f"{k}.parquet" for k in "ab"], []
    for path in paths:
        reports.append(DUEL.privatize(random_orders(500, 4)))
        plain = {"compression": "none", "use_dictionary": False, "write_statistics": False}
        pq.write_table(pa.table(columns(reports[-1])), path, **plain)
        os.utime(path, (0, 0))
    assert pq.read_metadata(paths[0]) == pq.read_metadata(paths[1])
    right = DUEL.tally(np.concatenate(reports))
    for _ in range(2):
        assert hv.tally_files(paths, parameters=DUEL, partial=tmp_path / "kept") == right
    assert len(names_in(tmp_path / "kept")) == 2


def test_links_to_folders_are_followed_and_closed_folders_are_told(tmp_path, monkeypatch):
    one, other = (DUEL.privatize(random_orders(50, 4)) for _ in range(2))
    lake = tmp_path / "lake"
    written(lake / "b.parquet", DUEL, one)
    written(tmp_path / "real" / "sub" / "a.parquet", DUEL, other)
    (lake / "day=1").symlink_to("../real")
    (tmp_path / "real" / "sub" / "up").symlink_to(lake)
    right = DUEL.tally(np.concatenate([one, other]))
    assert hv.tally_files(lake) == right
    (tmp_path / "real" / "sub" / "up").unlink()
    for pattern in (f"{lake}/*", f"{lake}/**/*.parquet"):
        assert hv.tally_files(pattern) == right
    (lake / "day=2").symlink_to("../real")
    with pytest.raises(hv.FileError, match="is named twice"):
        hv.tally_files(lake)
    (lake / "day=2").unlink()
    closed, iterdir, access = lake / "day=1" / "sub", type(lake).iterdir, os.access

    def refused(folder):
        if folder == closed:
            raise PermissionError
        return iterdir(folder)

    monkeypatch.setattr(type(lake), "iterdir", refused)
    monkeypatch.setattr(
        os, "access", lambda path, mode: str(path) != str(closed) and access(path, mode)
    )
    for path in (lake, closed, f"{lake}/*", f"{lake}/*/*/*.parquet", f"{lake}/**/a.parquet"):
        with pytest.raises(hv.FileError, match="day=1/sub: there may be reports in it") as caught:
            hv.tally_files(path)
        assert caught.value.code == "file.unreadable"


@pytest.mark.parametrize(
    "receipts",
    [
        pa.array([["a"]] * 300, pa.list_(pa.string())),
        pa.array([{"a": 1}] * 300, pa.struct([("a", pa.int8())])),
        pa.array(range(300), pa.int64()),
    ],
)
def test_receipts_of_a_wrong_type_are_told_beside_partial_sums_too(tmp_path, run, receipts):
    reports = DUEL.privatize(random_orders(300, 4))
    pq.write_table(pa.table(columns(reports) | {"receipt": receipts}), tmp_path / "a.parquet")
    text = pa.array(map(str, range(300)))
    pq.write_table(pa.table(columns(reports) | {"receipt": text}), tmp_path / "b.parquet")
    (tmp_path / "p.json").write_text(canonical(DUEL.parameters()).decode())
    for more in ((), ("--partial", "kept")):
        for files in (("a.parquet",), ("b.parquet", "a.parquet")):
            said = one_sentence(run("tally", *files, "--parameters", "p.json", *more))
            assert "a.parquet: the column 'receipt' holds" in said
            assert "must hold text or bytes" in said


def test_partial_sums_need_a_folder(tmp_path, run):
    written(tmp_path / "r.parquet", DUEL, DUEL.privatize(random_orders(50, 4)))
    said = one_sentence(run("tally", "r.parquet", "--partial", ""))
    assert "the name of the folder for partial tallies is empty" in said
    assert names_in(tmp_path) == ["r.parquet"]


def test_decimals_are_whole_numbers_cell_by_cell():
    """As Spark keeps them where some files have unsigned and others signed integers."""
    made = hv.Duel(hv.borda(64), 1)
    reports = made.privatize(random_orders(200, 64))
    signed = {name: reports[name].astype("i8").tolist() for name in ("plus", "minus")}
    unsigned = {name: reports[name].tolist() for name in ("plus", "minus")}
    mixed = {name: signed[name][:100] + unsigned[name][100:] for name in signed}
    assert min(mixed["plus"]) < 0
    assert max(mixed["plus"]) >= 2**63
    kinds = {"type": pa.array(reports["type"])}
    for cells in (unsigned, mixed, {name: signed[name] for name in signed}):
        decimals = {name: pa.array(cells[name], pa.decimal128(20, 0)) for name in cells}
        found, sound = made.domain.sifted(pa.RecordBatch.from_pydict(kinds | decimals))
        assert sound.all()
        np.testing.assert_array_equal(found, reports)
    wrong = [*mixed["plus"][:199], 2**64 + 5]
    batch = pa.RecordBatch.from_pydict(
        kinds | decimals | {"plus": pa.array(wrong, pa.decimal128(21, 0))}
    )
    assert np.flatnonzero(~made.domain.sifted(batch)[1]).tolist() == [199]
    with pytest.raises(hv.ReportError, match=r"report 199: 'plus' is 18446744073709551621"):
        made.domain.from_arrow(batch)


@pytest.mark.parametrize("length", [1, 7, 8, 9, 31, 64, 5000])
def test_receipts_are_dealt_evenly_and_equal_ones_together(length):
    """Of 25,600 receipts 100 fall into each bucket, up to 10 standard deviations."""
    receipts = [os.urandom(length) for _ in range(25_600 if length > 2 else 200)] * 2
    receipts += [os.urandom(length + 3) for _ in range(50)]
    buckets = sorting._Buckets()
    try:
        dealt = buckets._bucket_of(pa.array(receipts, pa.large_binary()))
    finally:
        buckets.close()
    half = len(receipts[:-50]) // 2
    np.testing.assert_array_equal(dealt[:half], dealt[half : 2 * half])
    if half == 25_600:
        assert np.bincount(dealt[:half], minlength=256).max() < 200

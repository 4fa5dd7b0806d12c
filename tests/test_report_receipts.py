"""Receipts in files of reports: the last change of each counts, over all files."""

import tempfile
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote import batch
from hushvote.batch import embedded, sorting
from tests.conftest import names_in, one_sentence
from tests.foreign import ADDITIVE, count, names, parameters, stated


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_only_the_last_change_of_each_receipt_counts_over_all_files():
    stated([("a", 0, False, 0), ("b", 1, False, 3), ("c", 0, False, 5), ("b", 0, False, 1)])
    stated([("a", 2, False, 7), ("a", 1, False, 6), ("d", 0, False, 5)], "y.parquet")
    for paths in (["x.parquet", "y.parquet"], ["y.parquet", "x.parquet"]):
        tally = count(*paths)
        assert tally.n == 4
        assert names(tally) == [0, 0, 0, 1, 0, 2, 0, 1]
        assert len(batch.read_reports(paths, ADDITIVE)) == 4


def test_a_withdrawn_receipt_does_not_count_and_its_row_may_hold_no_report():
    stated([("a", 0, False, 0), ("a", 1, True, None), ("b", 0, True, 2), ("c", 0, False, 4)])
    assert names(count("x.parquet")) == [0, 0, 0, 0, 1, 0, 0, 0]
    stated([("a", 2, False, 1)], "y.parquet")  # and back again
    assert names(count("x.parquet", "y.parquet")) == [0, 1, 0, 0, 1, 0, 0, 0]


def test_the_same_row_twice_counts_once():
    stated([("a", 3, False, 0), ("b", 0, False, 2)])
    stated([("a", 3, False, 0)], "y.parquet")
    assert count("x.parquet", "y.parquet").n == 2


@pytest.mark.parametrize("second", [("a", 3, False, 1), ("a", 3, True, None)])
def test_one_change_with_two_contents_is_refused_with_both_places(run, second):
    stated([("b", 0, False, 0), ("a", 3, False, 0)])
    stated([second], "y.parquet")
    said = one_sentence(
        run("tally", "x.parquet", "y.parquet", "--parameters", parameters(ADDITIVE))
    )
    assert "report 1 of x.parquet and report 0 of y.parquet have the same receipt" in said
    assert "(3), but different contents" in said


@pytest.mark.parametrize(
    ("receipts", "kind"),
    [
        (["a", "b", "a"], pa.large_string()),
        ([b"a", b"b", b"a"], pa.binary()),
        ([b"\0" * 16, b"\1" * 16, b"\0" * 16], pa.binary(16)),
        (["a", "b", "a"], pa.dictionary(pa.int8(), pa.string())),
        ([uuid.UUID(int=n).bytes for n in (1, 2, 1)], pa.uuid() if hasattr(pa, "uuid") else None),
    ],
)
def test_receipts_are_text_or_bytes_of_any_kind(receipts, kind):
    rows = [(None, n, False, n) for n in range(3)]
    stated(rows)
    table = pq.read_table("x.parquet")
    table = table.set_column(0, "receipt", pa.array(receipts, kind))
    pq.write_table(table, "x.parquet")
    assert names(count("x.parquet")) == [0, 1, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"receipt": pa.array([1, 2, 3])}, "'receipt' holds int64, but must hold text or bytes"),
        ({"receipt": pa.array(["a", None, "c"])}, "report 1: its 'receipt' is empty"),
        ({"receipt": pa.array(["a", "b", ""])}, "report 2: its 'receipt' is empty"),
        (
            {"change": pa.array([0, -1, 0])},
            "report 1: its 'change' is -1, but changes count from 0",
        ),
        ({"change": pa.array([0, None, 0], pa.int8())}, "report 1: its 'change' is empty"),
        ({"change": pa.array([0.0, 1.0, 2.0])}, "'change' holds double"),
        ({"withdrawn": pa.array([0, 1, 0])}, "'withdrawn' holds int64, but must say true or false"),
        ({"withdrawn": pa.array([True, None, None])}, "report 1: its 'withdrawn' is empty"),
        ({"chosen": pa.array([1, 2, 3])}, "report 2: 'chosen' holds 2 candidates"),
        ({"receipt": None}, "numbers changes, but lacks the column 'receipt'"),
    ],
)
def test_wrong_marks_are_one_sentence_with_the_row(run, change, message):
    stated([("a", 0, False, 0), ("b", 0, True, None), ("c", 0, False, 2)])
    table = pq.read_table("x.parquet")
    for name, column in change.items():
        place = table.schema.get_field_index(name)
        table = table.remove_column(place)
        if column is not None:
            table = table.append_column(name, column)
    pq.write_table(table, "x.parquet")
    said = one_sentence(run("tally", "x.parquet", "--parameters", parameters(ADDITIVE)))
    assert message in said
    assert "x.parquet" in said


def test_withdrawn_reports_without_receipts_do_not_count():
    pq.write_table(
        pa.table({"chosen": [1, None, 4], "withdrawn": [False, True, False]}), "x.parquet"
    )
    assert names(count("x.parquet")) == [1, 0, 1, 0, 0, 0, 0, 0]


def test_more_receipts_than_memory_are_settled_by_way_of_the_disk(monkeypatch, tmp_path):
    rows = [(f"{n:04}" * (1 + n % 3), k, k == 2, n % 8) for n in range(600) for k in range(n % 4)]
    order = np.random.default_rng(3).permutation(len(rows))
    stated([rows[i] for i in order])
    right = count("x.parquet")
    assert right.n == 300
    monkeypatch.setattr(sorting, "RUN", 4000)  # so that buckets are dealt again, too
    monkeypatch.setattr(embedded, "SETTLED", 64)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert count("x.parquet") == right
    assert names_in(tmp_path) == ["x.parquet"]


def test_no_room_for_receipts_is_one_sentence(run, monkeypatch):
    stated([(str(n), 0, False, 1) for n in range(600)])
    monkeypatch.setattr(sorting, "RUN", 100)
    monkeypatch.setattr(tempfile, "tempdir", "/proc/self")
    said = one_sentence(run("tally", "x.parquet", "--parameters", parameters(ADDITIVE)))
    assert "cannot write /proc/self" in said


def test_many_changes_in_many_blocks_equal_settling_by_hand(monkeypatch):
    monkeypatch.setattr(embedded, "SETTLED", 64)
    rng = np.random.default_rng(1)
    rows, last = [], {}
    for receipt in range(400):
        for change in range(rng.integers(1, 4)):
            rows.append((f"r{receipt}", change, bool(rng.random() < 0.2), int(rng.integers(8))))
            last[receipt] = rows[-1]
    stated([rows[i] for i in rng.permutation(len(rows))])
    kept = [chosen for _, _, withdrawn, chosen in last.values() if not withdrawn]
    assert names(count("x.parquet")) == np.bincount(kept, minlength=8).tolist()


def test_receipts_behind_a_nested_column_are_still_compared(tmp_path):
    for place in (0, 1):  # the bounds of the nested columns are apart, those of receipts are not
        meta = [{"a": 100 * place + 1, "b": 100 * place + 2}] * 2
        rows = {"meta": meta, "receipt": ["r1", "r2"], "change": [place] * 2, "chosen": [1, 2]}
        pq.write_table(pa.table(rows), f"{place}.parquet")
    paths = ["0.parquet", "1.parquet"]
    assert count(*paths).n == 2
    with pytest.raises(hv.FileError, match="neither can be counted for good on its own"):
        hv.tally_files(paths, parameters=ADDITIVE, partial=tmp_path / "kept")

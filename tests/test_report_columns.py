"""Reports as other programs keep them: columns of any type, with or without a head."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.batch import grouping
from hushvote.canonical import canonical, sealed
from tests.conftest import one_sentence
from tests.foreign import ADDITIVE, DUEL, columns, foreign, parameters, sent, written


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


DIALECTS = {
    "Spark and pandas": lambda _: pa.int64(),
    "DuckDB and Polars": pa.from_numpy_dtype,
    "wide and unsigned": lambda _: pa.uint64(),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("made", [ADDITIVE, DUEL], ids=repr)
def test_a_file_of_another_program_is_counted_with_the_parameters(run, dialect, made):
    reports = sent(made)
    foreign("x.parquet", made, reports, DIALECTS[dialect])
    right = made.tally(reports)
    for given in (made, made.parameters(), canonical(made.parameters()).decode()):
        assert hv.tally_files(["x.parquet"], parameters=given) == right
    code, out, _ = run(
        "tally", "x.parquet", "--parameters", parameters(made), "--json", "--inspect"
    )
    assert code == 0
    assert json.loads(out)["n"] == 500
    assert json.loads(out)["without_checksums"] == ["x.parquet"]


def test_dictionaries_and_columns_in_any_order_are_counted():
    reports = sent(DUEL)
    held = columns(DUEL, reports)
    table = {name: held[name].dictionary_encode() for name in reversed(held)}
    pq.write_table(pa.table({"day": pa.array(["Mon"] * 500), **table}), "x.parquet")
    assert hv.tally_files(["x.parquet"], parameters=DUEL) == DUEL.tally(reports)


def test_64_candidates_are_counted_from_signed_and_unsigned_columns():
    made = hv.WeightedSampling(hv.plurality(64), 3)
    reports = sent(made)
    signed = {
        f.name: pa.array(
            reports[f.name].astype(f.dtype).view("i8") if f.dtype == "u8" else reports[f.name]
        )
        for f in made.domain.fields
    }
    pq.write_table(pa.table(signed), "signed.parquet")
    foreign("unsigned.parquet", made, reports)
    right = made.tally(reports)
    assert min(pq.read_table("signed.parquet")[made.domain.dtype.names[-1]].to_pylist()) < 0
    for path in ("signed.parquet", "unsigned.parquet"):
        assert hv.tally_files([path], parameters=made) == right


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            pa.array([1, 300]),
            "x.parquet: report 1: 'chosen' is 300, but must lie between 0 and 255",
        ),
        (pa.array([1, -128], pa.int8()), "report 1: 'chosen' is -128"),
        (pa.array([1, 3]), "report 1: 'chosen' holds 2 candidates, but must hold 1"),
        (pa.array([1.0, 2.0]), "'chosen' holds double, but must hold whole numbers"),
        (pa.array([1, None]), "report 1: 'chosen' is empty"),
        (pa.array(["1", "2"]), "'chosen' holds string, but must hold whole numbers"),
    ],
)
def test_a_foreign_value_that_is_no_report_is_one_sentence(run, column, message):
    pq.write_table(pa.table({"chosen": column}), "x.parquet")
    made = hv.Additive(hv.borda(8), 1, k=1)
    assert message in one_sentence(run("tally", "x.parquet", "--parameters", parameters(made)))


def test_a_missing_column_is_named(run):
    pq.write_table(pa.table({"picked": [1, 2]}), "x.parquet")
    said = one_sentence(run("tally", "x.parquet", "--parameters", parameters(ADDITIVE)))
    assert "x.parquet lacks the column 'chosen': its columns are picked" in said
    pq.write_table(pa.table({f"{i}" * 50: [1] for i in range(9)}), "x.parquet")
    assert len(one_sentence(run("tally", "x.parquet", "--parameters", "p.json"))) < 250


def test_without_parameters_a_foreign_file_is_refused_with_advice(run):
    foreign("x.parquet", ADDITIVE, sent())
    said = one_sentence(run("tally", "x.parquet"))
    assert "is not a file of hushvote reports" in said
    assert "--parameters parameters.json" in said


def test_a_head_or_a_tally_with_other_parameters_than_the_given_ones_is_refused(run):
    written("r.parquet")
    other = hv.Additive(hv.borda(8), 2)
    parameters(ADDITIVE), parameters(other, "other.json")
    assert run("tally", "r.parquet", "--parameters", "p.json", "--out", "t.json")[0] == 0
    for path in ("r.parquet", "t.json"):
        said = one_sentence(run("tally", path, "--parameters", "other.json"))
        assert "other parameters than the given ones" in said
    assert run("tally", "t.json", "--parameters", "p.json")[0] == 0


def test_parameters_in_another_form_are_refused(run):
    foreign("x.parquet", ADDITIVE, sent())
    Path("p.json").write_text(json.dumps(ADDITIVE.parameters()), encoding="utf-8")
    assert "canonical form" in one_sentence(run("tally", "x.parquet", "--parameters", "p.json"))
    assert "canonical form" in one_sentence(run("certify", "p.json"))


def test_certify_keeps_parameters_that_tally_takes(run):
    foreign("x.parquet", ADDITIVE, sent())
    assert run("certify", "-m", "additive", "-d", "8", "-e", "1", "--out", "kept.json")[0] == 0
    assert run("tally", "x.parquet", "--parameters", "kept.json")[0] == 0
    assert run("certify", "kept.json")[0] == 0


def test_our_files_hold_signed_integers_only():
    for name in hv.mechanism_names():
        made = hv.mechanism(name, hv.borda(8), 1)
        reports = sent(made)
        written("r.parquet", made, reports)
        assert all(pa.types.is_signed_integer(t) for t in pq.read_schema("r.parquet").types)
        assert hv.tally_files(["r.parquet"]) == made.tally(reports)


def test_version_1_is_refused_in_one_sentence(run):
    table = pa.table(columns(ADDITIVE, sent()))
    head = {"version": 1, "n": 500, "mechanism": ADDITIVE.parameters()}
    pq.write_table(table.replace_schema_metadata({"hushvote.reports": sealed(head)}), "r.parquet")
    said = one_sentence(run("tally", "r.parquet"))
    assert "r.parquet has report format version 1; this hushvote reads 2" in said


def test_columns_that_differ_in_case_are_different_ones(monkeypatch):
    monkeypatch.setattr(grouping, "LEAST", 0)
    reports = sent(DUEL, 2000)
    pq.write_table(pa.table({"Plus": [0] * 2000, **columns(DUEL, reports)}), "x.parquet")
    assert hv.tally_files("x.parquet", parameters=DUEL) == DUEL.tally(reports)

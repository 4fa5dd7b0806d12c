"""Reports as other programs keep them: foreign columns, receipts and changes, groups, polls."""

import datetime
import json
import shutil
import tempfile
import uuid
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote import batch
from hushvote.batch import embedded, grouping, sorting
from hushvote.canonical import canonical, sealed, unsealed
from hushvote.formats.reports import open_reports, writing_reports
from tests.conftest import names_in, one_sentence, random_orders

ADDITIVE = hv.Additive(hv.borda(8), 1)
DUEL = hv.Duel(hv.borda(4), 1)
POLL = "ab" * 32


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def sent(made=ADDITIVE, n=500):
    return made.privatize(random_orders(n, made.d))


def columns(made, reports, kind=None):
    return {
        name: pa.array(reports[name], kind and kind(reports[name].dtype))
        for name in made.domain.dtype.names
    }


def foreign(path, made, reports, kind=None, **further):
    """As a program that knows nothing of hushvote writes it."""
    table = pa.table(columns(made, reports, kind) | {k: pa.array(v) for k, v in further.items()})
    pq.write_table(table, path)
    return path


def parameters(made, path="p.json"):
    Path(path).write_bytes(canonical(made.parameters()) + b"\n")
    return path


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


def written(path, made=ADDITIVE, reports=None, **options):
    with writing_reports(path, made.domain, made.parameters(), **options) as file:
        file.write(sent(made) if reports is None else reports)
    return path


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


# receipts


def stated(rows, path="x.parquet", made=ADDITIVE, **types):
    """Rows of (receipt, change, withdrawn, candidate)."""
    receipt, change, withdrawn, chosen = zip(*rows, strict=True)
    table = {
        "receipt": pa.array(receipt, types.get("receipt")),
        "change": pa.array(change, types.get("change", pa.int32())),
        "withdrawn": pa.array(withdrawn),
        "chosen": pa.array([None if c is None else 1 << c for c in chosen], pa.int16()),
    }
    pq.write_table(pa.table(table), path)
    return path


def names(tally):
    """How often each candidate was named."""
    return np.diag(tally.counts["pairs"]).tolist()


def count(*paths, **options):
    return hv.tally_files(paths, parameters=ADDITIVE, **options)


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
    monkeypatch.setattr(embedded, "FILE_BLOCK", 64)
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
    monkeypatch.setattr(embedded, "FILE_BLOCK", 64)
    rng = np.random.default_rng(1)
    rows, last = [], {}
    for receipt in range(400):
        for change in range(rng.integers(1, 4)):
            rows.append((f"r{receipt}", change, bool(rng.random() < 0.2), int(rng.integers(8))))
            last[receipt] = rows[-1]
    stated([rows[i] for i in rng.permutation(len(rows))])
    kept = [chosen for _, _, withdrawn, chosen in last.values() if not withdrawn]
    assert names(count("x.parquet")) == np.bincount(kept, minlength=8).tolist()


# groups


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


def test_columns_that_differ_in_case_are_different_ones(monkeypatch):
    monkeypatch.setattr(grouping, "LEAST", 0)
    reports = sent(DUEL, 2000)
    pq.write_table(pa.table({"Plus": [0] * 2000, **columns(DUEL, reports)}), "x.parquet")
    assert hv.tally_files("x.parquet", parameters=DUEL) == DUEL.tally(reports)


def test_the_name_that_stands_for_weights_is_nobodys_group(run):
    foreign("x.parquet", ADDITIVE, sent(n=3), region=["a", "b", "c"], hushvote_weight=[5, 6, 7])
    words = ["--parameters", parameters(ADDITIVE), "--by", "hushvote_weight"]
    assert "choose one of region" in one_sentence(run("tally", "x.parquet", *words))
    assert count("x.parquet").n == 3


def test_receipts_behind_a_nested_column_are_still_compared(tmp_path):
    for place in (0, 1):  # the bounds of the nested columns are apart, those of receipts are not
        meta = [{"a": 100 * place + 1, "b": 100 * place + 2}] * 2
        rows = {"meta": meta, "receipt": ["r1", "r2"], "change": [place] * 2, "chosen": [1, 2]}
        pq.write_table(pa.table(rows), f"{place}.parquet")
    paths = ["0.parquet", "1.parquet"]
    assert count(*paths).n == 2
    with pytest.raises(hv.FileError, match="neither can be counted for good on its own"):
        hv.tally_files(paths, parameters=ADDITIVE, partial=tmp_path / "kept")


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

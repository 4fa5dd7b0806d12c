"""Many reports: cleaned, grouped and counted alike whatever engine does it and however they lie."""

import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote import cores
from hushvote.batch import Left, embedded, grouping, sorting
from hushvote.batch.sums import Sums
from hushvote.cli import synth_reports
from hushvote.formats.reports import writing_reports
from tests.conftest import one_sentence, random_orders
from tests.dirty import OTHER, POLL, dirty

DUEL = hv.Duel(hv.borda(4), 1)
N = 30_000


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    reports = DUEL.privatize(random_orders(N, 4))
    return dirty(tmp_path_factory.mktemp("dirty"), DUEL, reports)


@pytest.fixture
def by_duckdb(monkeypatch):
    """Even small files are worth it."""
    asked = []
    query = grouping._query
    monkeypatch.setattr(grouping, "LEAST", 0)
    monkeypatch.setattr(grouping, "TIMES", 0)
    monkeypatch.setattr(grouping, "_query", lambda columns: asked.append(columns) or query(columns))
    return asked


def written(path, made, reports, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing_reports(path, made.domain, made.parameters(), **options) as file:
        file.write(reports)
    return path


# cleaning


def test_dirty_rows_are_cleaned_exactly(rows):
    found = hv.count_files(rows.paths, **rows.options)
    assert found.tally == DUEL.tally(rows.clean).for_poll(POLL)
    assert found.left == rows.left
    sizes = sum(pq.read_metadata(path).num_rows for path in rows.paths)
    assert found.tally.n + sum(found.left.to_dict().values()) == sizes


def test_the_same_by_way_of_the_disk_and_in_any_order_of_files(rows, monkeypatch):
    monkeypatch.setattr(sorting, "RUN", 1 << 18)
    paths = random.sample(rows.paths, len(rows.paths))
    found = hv.count_files(paths, by="region", **rows.options)
    assert found.left == rows.left
    for place, name in enumerate(("north", "south")):
        right = DUEL.tally(rows.clean[rows.regions == place]).for_poll(POLL)
        assert found.groups[name] == right


def test_partitions_by_receipt_merge_in_any_order(rows, tmp_path, run):
    table = pa.concat_tables(pq.read_table(path) for path in rows.paths)
    first = np.array([receipt[0] for receipt in table["receipt"].to_pylist()])
    tallies, left = [], Left()
    for digit in "0123456789abcdef":
        path = tmp_path / f"bucket={digit}" / "reports.parquet"
        path.parent.mkdir()
        pq.write_table(table.filter(pa.array(first == digit)), path)
        found = hv.count_files([path], **rows.options)
        left += found.left
        tallies.append(tmp_path / f"{digit}.json")
        tallies[-1].write_text(found.tally.to_json(), encoding="utf-8")
    random.shuffle(tallies)
    right = DUEL.tally(rows.clean).for_poll(POLL)
    assert hv.tally_files(tallies) == right
    assert left == rows.left
    groups = hv.tally_files([tmp_path], by="bucket", **rows.options)
    assert sorted(groups) == list("0123456789abcdef")
    assert sum(list(groups.values())[1:], start=groups["0"]) == right
    # and buckets show by themselves that no receipt stands in two of them
    kept = tmp_path / "kept"
    assert hv.tally_files([tmp_path], partial=kept, **rows.options) == right
    assert len(list(kept.iterdir())) == 16


def test_bad_rows_are_refused_unless_they_are_to_be_left_out(rows, run, tmp_path):
    with pytest.raises(hv.ReportError, match=r"part-\d.parquet: "):
        hv.tally_files(rows.paths, **{**rows.options, "on_bad": "reject"})
    with pytest.raises(hv.FileError, match="reject or skip, not by 'ignore'"):
        hv.tally_files(rows.paths, **{**rows.options, "on_bad": "ignore"})


def test_rows_of_several_polls_are_never_counted_together(rows):
    options = {"parameters": DUEL, "on_bad": "skip"}
    with pytest.raises(hv.FileError, match="rows of several polls, such as abab") as caught:
        hv.tally_files(rows.paths, **options)
    assert caught.value.code == "file.poll"
    groups = hv.tally_files(rows.paths, by="poll", **options)
    assert {name: tally.poll for name, tally in groups.items()} == {POLL: POLL, OTHER: OTHER}


def test_two_contents_of_one_last_change_count_as_none(tmp_path):
    path = tmp_path / "x.parquet"
    reports = DUEL.privatize(random_orders(400, 4))
    different = reports[np.flatnonzero(reports != reports[0])[:1]]
    held = np.concatenate([reports[:1], different, reports[:1], reports[:1], reports[5:6]])
    table = pa.table(
        {
            "receipt": ["a", "a", "a", "a", "b"],
            "change": [0, 1, 1, 1, 0],
            **{name: pa.array(held[name]) for name in held.dtype.names},
        }
    )
    pq.write_table(table, path)
    found = hv.count_files([path], parameters=DUEL, on_bad="skip")
    assert found.left == Left(conflicting=3, superseded=1)
    assert found.tally == DUEL.tally(reports[5:6])
    with pytest.raises(hv.ReportError, match=r"reports? \d of .* same change number \(1\)"):
        hv.count_files([path], parameters=DUEL)
    # what a later change replaces is no fault, whatever it said
    later = table.slice(3, 1).set_column(1, "change", pa.array([2]))
    pq.write_table(pa.concat_tables([table, later]), path)
    for on_bad in ("reject", "skip"):
        found = hv.count_files([path], parameters=DUEL, on_bad=on_bad)
        assert found.left == Left(superseded=4)
        assert found.tally == DUEL.tally(held[[3, 4]])


# grouping


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_every_mechanism_is_grouped_to_the_same_integers(name, tmp_path, by_duckdb, monkeypatch):
    made = hv.mechanism(name, hv.borda(4), 1)
    monkeypatch.setattr(grouping, "MOST_DIFFERENT", 1 << 400)
    reports = made.privatize(random_orders(3000, 4))
    path = written(tmp_path / "r.parquet", made, reports)
    done = []
    assert hv.tally_files([path], progress=done.append) == made.tally(reports)
    assert by_duckdb
    assert sum(done) == 3000


def test_groups_withdrawals_and_bad_rows_are_grouped_too(tmp_path, by_duckdb):
    reports = DUEL.privatize(random_orders(2000, 4))
    region = np.array(["x", "y", None], dtype=object)[np.arange(2000) % 3]
    table = {name: pa.array(reports[name].astype(np.int64)) for name in reports.dtype.names}
    table["plus"] = pa.array(np.where(np.arange(2000) < 7, 99, reports["plus"]))
    table |= {"region": pa.array(region), "withdrawn": pa.array(np.arange(2000) >= 1990)}
    pq.write_table(pa.table(table), tmp_path / "x[1].parquet")
    options = {"parameters": DUEL, "by": "region"}
    found = hv.count_files([tmp_path], on_bad="skip", **options)
    assert by_duckdb
    assert found.left == Left(outside=7, withdrawn=10)
    kept = slice(7, 1990)
    for name, text in (("x", "x"), ("y", "y"), ("(empty)", None)):
        assert found.groups[name] == DUEL.tally(reports[kept][region[kept] == text])
    with pytest.raises(hv.ReportError, match="report 0: 'plus' is 99"):
        hv.count_files([tmp_path], **options)


def test_a_damaged_page_is_refused_though_duckdb_does_not_look(tmp_path, by_duckdb, monkeypatch):
    monkeypatch.setattr(grouping, "MOST_DIFFERENT", 1 << 400)
    made = hv.Laplace(hv.borda(4), 1)  # a number that is off by one is a report as well
    path = tmp_path / "x.parquet"
    table = pa.table(made.domain.to_arrow(made.privatize(random_orders(3000, 4))).to_pydict())
    plain = {"compression": "none", "use_dictionary": False, "write_page_checksum": True}
    pq.write_table(table, path, **plain)
    column = pq.read_metadata(path).row_group(0).column(1)
    held = bytearray(path.read_bytes())
    held[column.data_page_offset + column.total_compressed_size - 8] ^= 1
    path.write_bytes(held)
    with pytest.raises(hv.FileError, match="damaged"):
        hv.tally_files([path], parameters=made)
    assert by_duckdb


# files, patterns, folders


def test_patterns_and_folders_name_files(tmp_path, run):
    reports = [DUEL.privatize(random_orders(50, 4)) for _ in range(3)]
    for k, part in enumerate(reports):
        written(tmp_path / f"day={k}" / "r.parquet", DUEL, part)
    (tmp_path / "day=0" / "_temporary.parquet").write_text("half")
    right = DUEL.tally(np.concatenate(reports))
    for paths in ([tmp_path], [str(tmp_path / "*" / "r.parquet")], [f"{tmp_path}/**/r*"]):
        assert hv.tally_files(paths) == right
    assert hv.tally_files(str(tmp_path)) == right
    groups = hv.tally_files([tmp_path], by="day")
    assert [groups[str(k)] for k in range(3)] == [DUEL.tally(part) for part in reports]
    said = one_sentence(run("tally", f"{tmp_path}/*.nothing"))
    assert "no file has such a name" in said
    (tmp_path / "empty").mkdir()
    assert "there are no .parquet files in it" in one_sentence(run("tally", tmp_path / "empty"))
    assert "is named twice" in one_sentence(run("tally", tmp_path, tmp_path / "day=1/r.parquet"))


def test_folders_that_are_called_like_files_are_folders(tmp_path):
    """Spark and pandas write such folders."""
    reports = [DUEL.privatize(random_orders(50, 4)) for _ in range(3)]
    for k, part in enumerate(reports):
        written(tmp_path / "lake" / "monday.parquet" / f"day={k}" / "r.parquet", DUEL, part)
    right = DUEL.tally(np.concatenate(reports))
    lake = tmp_path / "lake"
    patterns = [f"{lake}/*", f"{lake}/**", f"{lake}/monday.parquet/day=*"]
    for path in (lake, lake / "monday.parquet", *patterns):
        assert hv.tally_files(path) == right
    assert hv.tally_files(f"{lake}/monday.parquet/day=[01]") == DUEL.tally(
        np.concatenate(reports[:2])
    )


def test_a_count_shows_itself_in_a_line_and_a_packed_file_is_told_to_be_unpacked(tmp_path, rows):
    found = hv.count_files(rows.paths, **rows.options)
    said = repr(found)
    assert said.startswith(f"<Counted: {found.n:,} reports; left out: ")
    assert f"{found.left.superseded:,} superseded" in said
    grouped = repr(hv.count_files(rows.paths, by="region", **rows.options))
    assert grouped.startswith(f"<Counted: {found.n:,} reports in 2 groups; left out: ")
    path = written(tmp_path / "r.parquet", DUEL, DUEL.privatize(random_orders(50, 4)))
    assert repr(hv.count_files(path)) == "<Counted: 50 reports; left out: nothing>"
    (tmp_path / "r.parquet.gz").write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(hv.FileError, match="unpack it first, as by gunzip"):
        hv.tally_files(tmp_path / "r.parquet.gz")


def test_an_empty_name_is_not_the_folder_where_one_stands(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "r.parquet", DUEL, DUEL.privatize(random_orders(50, 4)))
    assert "the name of a file is empty" in one_sentence(run("tally", ""))
    with pytest.raises(hv.FileError, match="the name of a file is empty"):
        hv.tally_files("")
    assert hv.tally_files(".").n == 50


@pytest.mark.parametrize("columns", ["0", "-3", "9" * 30, "²", "many"])
def test_a_width_that_is_none_silences_nothing(tmp_path, columns):
    command = [sys.executable, "-m", "hushvote", "tally", "nothing.parquet"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": columns},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: cannot read nothing.parquet: there is no such file; check the name\n"
    )


def test_files_of_another_poll_are_left_out_as_a_whole(tmp_path):
    reports = DUEL.privatize(random_orders(50, 4))
    written(tmp_path / f"poll={POLL}" / "r.parquet", DUEL, reports, poll=POLL)
    written(tmp_path / f"poll={OTHER}" / "r.parquet", DUEL, reports[:20], poll=OTHER)
    found = hv.count_files([tmp_path], poll=POLL, on_bad="skip")
    assert (found.tally.n, found.left) == (50, Left(foreign=20))
    with pytest.raises(hv.FileError, match="not of the given one"):
        hv.count_files([tmp_path], poll=POLL)
    groups = hv.tally_files([tmp_path], by="poll")
    assert {name: (one.n, one.poll) for name, one in groups.items()} == {
        POLL: (50, POLL),
        OTHER: (20, OTHER),
    }


def test_the_command_says_what_was_left_out(rows, tmp_path, run):
    from hushvote.canonical import canonical

    parameters = tmp_path / "p.json"
    parameters.write_bytes(canonical(DUEL.parameters()))
    plain = tmp_path / "x.parquet"
    reports = DUEL.privatize(random_orders(100, 4))
    table = {name: pa.array(reports[name]) for name in reports.dtype.names}
    table["plus"] = pa.array(np.where(np.arange(100) < 3, 99, reports["plus"]))
    pq.write_table(pa.table(table), plain)
    words = ["tally", str(plain), "--parameters", str(parameters), "--on-bad", "skip"]
    code, out, _ = run(*words, "--json")
    assert code == 0
    assert json.loads(out)["left_out"]["outside"] == 3
    code, _, err = run(*words)
    assert code == 0
    assert "Rows that were left out: 3 that are no reports." in err
    none = tmp_path / "none.parquet"
    pq.write_table(pa.table(table).slice(0, 3), none)
    said = one_sentence(run("tally", str(none), *words[2:]))
    assert "no row counts; left out were 3 that are no reports" in said
    said = one_sentence(run(*words, "--engine", "sparks"))
    assert "reports are counted by duckdb or spark, not by 'sparks'" in said
    assert "say --engine spark, too" in one_sentence(run(*words, "--master", "local[2]"))


# what is kept of a count


def test_a_later_run_counts_only_new_files(tmp_path, monkeypatch):
    reports = [DUEL.privatize(random_orders(50, 4)) for _ in range(3)]
    paths = [tmp_path / f"{k}.parquet" for k in range(3)]
    for path, part in zip(paths, reports, strict=True):
        written(path, DUEL, part)
    kept = tmp_path / "kept"
    hv.tally_files(paths[:2], partial=kept)
    counted = []
    piece = embedded._piece
    monkeypatch.setattr(
        embedded, "_piece", lambda one, *rest: counted.append(one.path) or piece(one, *rest)
    )
    assert hv.tally_files(paths, partial=kept) == DUEL.tally(np.concatenate(reports))
    assert counted == [paths[2]]
    written(paths[0], DUEL, reports[0][:10])  # another file by the same name
    assert hv.tally_files(paths, partial=kept).n == 110
    for one in kept.iterdir():
        one.write_text("{}", encoding="utf-8")
    with pytest.raises(hv.FileError, match="delete it, and its reports are counted again"):
        hv.tally_files(paths, partial=kept)


def test_what_is_kept_is_large_numbers_of_one_mechanism():
    kept = Sums(DUEL, "day")
    counts = {name: array + 3**38 for name, array in DUEL.zero().items()}
    kept._put("monday", 2**53 + 1, counts)
    held = json.loads(json.dumps(kept.to_dict()))
    found = Sums.from_dict(DUEL, "day", held)
    assert found.tallies() == kept.tallies()
    assert found.tallies()["monday"].n == 2**53 + 1
    with pytest.raises(ValueError, match="of another mechanism"):
        Sums.from_dict(hv.Duel(hv.borda(4), 2), "day", held)
    one = held["groups"]["monday"]["counts"]
    for wrong in ({"plus": one["plus"]}, {**one, "plus": one["outer"]}, {**one, "plus": "eJw="}):
        with pytest.raises(ValueError, match=r"lacks counts|reshape|damaged"):
            Sums.from_dict(DUEL, "day", {**held, "groups": {"": {"n": 1, "counts": wrong}}})


def test_receipts_that_may_stand_in_two_files_are_not_counted_for_good(rows, tmp_path):
    with pytest.raises(hv.FileError, match="neither can be counted for good on its own") as caught:
        hv.tally_files(rows.paths, partial=tmp_path / "kept", **rows.options)
    assert caught.value.code == "partial.receipts"
    tally = tmp_path / "t.json"
    found = hv.tally_files(rows.paths[:1], **rows.options)
    tally.write_text(found.to_json(), encoding="utf-8")
    with pytest.raises(hv.FileError, match="a voter might count twice") as caught:
        hv.tally_files([tally, rows.paths[1]], **rows.options)
    assert caught.value.code == "tally.receipts"
    assert hv.tally_files([tally, rows.paths[1]], apart=True, **rows.options).n > found.n


@pytest.mark.slow
def test_a_killed_count_leaves_no_half_file_and_goes_on(tmp_path):
    reports = DUEL.privatize(random_orders(1000, 4))
    paths = [written(tmp_path / f"{k}.parquet", DUEL, reports) for k in range(6)]
    kept, scratch = tmp_path / "kept", tmp_path / "scratch"
    scratch.mkdir()
    code = (
        "import sys, time, hushvote as hv\n"
        "def slowly(n): time.sleep(0.3)\n"
        "hv.tally_files(sys.argv[2:], partial=sys.argv[1], progress=slowly)\n"
    )
    words = [sys.executable, "-c", code, str(kept), *map(str, paths)]
    process = subprocess.Popen(words, env={**os.environ, "TMPDIR": str(scratch)})
    until = time.monotonic() + 60
    while not (kept.exists() and len(list(kept.glob("*.json"))) >= 2):
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = sorted(kept.glob("*.json"))
    assert 2 <= len(done) < 6
    assert list(scratch.iterdir()) == []
    before = {path: path.stat().st_mtime_ns for path in done}
    assert hv.tally_files(paths, partial=kept).n == 6000
    assert {path: path.stat().st_mtime_ns for path in done} == before
    assert len(list(kept.glob("*.json"))) == 6


# simulated reports


@pytest.mark.slow
def test_simulated_reports_fill_a_file_or_a_folder(tmp_path, run, monkeypatch):
    words = ["synth", "-d", "4", "-m", "duel", "--electorate", "impartial", "--json"]
    one, folder = tmp_path / "one.parquet", tmp_path / "many"
    code, out, err = run(*words, "--out", one, "--reports", 700)
    assert code == 0, err
    assert json.loads(out) == {
        "reports": 700,
        "files": 1,
        "out": str(one),
        "digest": DUEL.digest,
        "private": False,
    }
    first = hv.tally_files([one])
    assert (first.n, first.seeded) == (700, True)
    assert run(*words, "--out", one, "--reports", 700)[0] == 0
    assert hv.tally_files([one]) == first
    assert run(*words, "--out", one, "--reports", 700, "--seed", 2)[0] == 0
    assert hv.tally_files([one]) != first
    monkeypatch.setattr(synth_reports, "PART", 300)
    code, out, err = run(*words, "--out", folder, "--reports", 700)
    assert code == 0, err
    sizes = [pq.read_metadata(path).num_rows for path in sorted(folder.iterdir())]
    assert sizes == [300, 300, 100]
    parts = [hv.tally_files([path]) for path in sorted(folder.iterdir())]
    assert parts[0] != parts[1]
    assert hv.tally_files([folder]) == parts[0] + parts[1] + parts[2]
    said = one_sentence(run(*words, "--out", folder, "--reports", 700))
    assert "it is there already, and not an empty folder; give a new one" in said
    assert "say either --against" in one_sentence(run(*words))
    assert "1 to 100,000,000,000 reports" in one_sentence(run(*words, "--out", one, "--reports", 0))


def test_spark_without_java_is_one_sentence(monkeypatch, tmp_path):
    path = written(tmp_path / "r.parquet", DUEL, DUEL.privatize(random_orders(50, 4)))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(hv.FileError, match="Spark needs Java 17 or later") as caught:
        hv.tally_files([path], engine="spark")
    assert caught.value.code == "engine.java"
    with pytest.raises(hv.FileError, match="count it with Spark"):
        hv.tally_files(["s3a://bucket/reports.parquet"], parameters=DUEL)
    assert Path(path).exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_set_of_reports_that_was_interrupted_leaves_no_part_of_it(
    run, monkeypatch, tmp_path, jobs
):
    """Some files would pass for the whole set."""
    whole = synth_reports.writing_reports

    def interrupted(path, *given, **named):
        assert not (tmp_path / "many").exists()  # whatever ends this now
        if path.stem == "part-00003":
            os.kill(first, signal.SIGINT)
        return whole(path, *given, **named)

    first = os.getpid()
    monkeypatch.setattr(synth_reports, "writing_reports", interrupted)
    monkeypatch.setattr(synth_reports, "PART", 10)
    monkeypatch.setattr(cores, "available", lambda: jobs)
    code, out, err = run("synth", "--out", "many", "--reports", "1000", "--candidates", "3")
    assert (code, out, err) == (130, "", "")
    assert list(tmp_path.iterdir()) == []


def test_voters_of_a_server_are_no_reports_of_a_file(run, tmp_path):
    said = one_sentence(run("synth", "--out", "s.parquet", "--voters", "500"))
    assert "--voters is for --against; with --out say --reports" in said
    assert not (tmp_path / "s.parquet").exists()
    for word in (["--rate", "nan"], ["--connections", "3"], ["--keep"], ["--seconds", "1"]):
        said = one_sentence(run("synth", "--out", "s.parquet", *word))
        assert f"{word[0]} is for --against; leave it out" in said
    said = one_sentence(run("synth", "--against", "http://127.0.0.1:1", "--reports", "5"))
    assert "--reports is for --out; with --against say --voters" in said
    said = one_sentence(run("synth", "--out", "many", "--electorate", "mallows:phi=abc"))
    assert "phi must be a number" in said
    assert list(tmp_path.iterdir()) == []

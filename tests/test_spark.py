"""Counting on a Spark cluster: a master and two workers that really run, and the same integers."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.batch import Left
from hushvote.batch.cluster import SETTINGS, _check_answers, session
from hushvote.canonical import canonical
from hushvote.formats.reports import writing_reports
from tests.clusters import cluster
from tests.conftest import one_sentence, random_orders
from tests.dirty import POLL, dirty
from tests.test_scale_polls import COUNT, ONE, OTHER, SHARED, bare, headed, shared_receipts

pytestmark = pytest.mark.slow
DUEL = hv.Duel(hv.borda(4), 1)
CHOICE = hv.mechanism("additive", hv.borda(3), 1)  # one column, `chosen`


@pytest.fixture(scope="module")
def master(tmp_path_factory) -> Iterator[str]:
    """A cluster, and a session of it that all tests share."""
    with (
        pytest.MonkeyPatch.context() as patched,
        cluster(tmp_path_factory.mktemp("cluster")) as address,
    ):
        patched.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        settings = {
            "spark.executor.memory": "512m",
            "spark.cores.max": "2",
            "spark.sql.shuffle.partitions": "4",
        }
        for name, value in settings.items():
            patched.setitem(SETTINGS, name, value)
        with session(address) as started:
            yield address
            assert started.sparkContext.master == address


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    reports = DUEL.privatize(random_orders(20_000, 4))
    return dirty(tmp_path_factory.mktemp("dirty"), DUEL, reports)


def written(path: Path, made: hv.Mechanism, reports: np.ndarray, **options: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing_reports(path, made.domain, made.parameters(), **options) as file:
        file.write(reports)
    return path


def count(paths: Sequence[object], master: str, **options: object):
    return hv.count_files(paths, engine="spark", master=master, **options)


def dirty_rows_are_cleaned_as_on_one_machine(rows, master):
    done = []
    found = count(rows.paths, master, by="region", progress=done.append, **rows.options)
    assert found.left == rows.left
    assert found.tally == DUEL.tally(rows.clean).for_poll(POLL)
    for place, name in enumerate(("north", "south")):
        right = DUEL.tally(rows.clean[rows.regions == place]).for_poll(POLL)
        assert found.groups[name] == right
    assert sum(done) == sum(pq.read_metadata(path).num_rows for path in rows.paths)
    with pytest.raises(hv.ReportError, match=r"^a row|^the column .type. is empty"):
        count(rows.paths, master, **{**rows.options, "on_bad": "reject"})


class Mine(hv.Additive):
    """A mechanism that no cluster has heard of."""

    name = "mine"
    __module__ = "__main__"  # as if it stood in the script that is run, so it goes with the work


def mechanisms_of_any_kind_are_counted_grouped_and_streamed(master, tmp_path):
    hv.register(Mine)
    wide = hv.WeightedSampling(hv.plurality(64), 3)  # sets of 64 candidates, the sign among them
    for made, n in ((Mine(hv.borda(6), 1), 500), (wide, 300), (hv.Laplace(hv.borda(4), 1), 300)):
        reports = made.privatize(random_orders(n, made.d))
        folder = tmp_path / made.name
        for day, part in enumerate(np.array_split(reports, 2)):
            written(folder / f"day={day}" / "r[1].parquet", made, part)
        found = count([folder], master, by="day")
        assert found.tally == made.tally(reports)
        assert found.groups["1"] == made.tally(np.array_split(reports, 2)[1])
    unsigned = tmp_path / "unsigned.parquet"
    reports = wide.privatize(random_orders(300, 64))
    pq.write_table(pa.table({k: pa.array(reports[k]) for k in reports.dtype.names}), unsigned)
    address = unsigned.absolute().as_uri()  # as those of object stores
    assert count([address], master, parameters=wide).tally == wide.tally(reports)
    with pytest.raises(hv.FileError, match="say the mechanism's parameters, as in --parameters"):
        count([address], master)


def polls_are_kept_apart_wherever_they_are_named(master, tmp_path):
    in_head = headed(tmp_path / "head.parquet", 40, ONE)
    by_folder = bare(tmp_path / f"poll={OTHER}" / "part.parquet", 30)
    nowhere = bare(tmp_path / "none.parquet", 10)
    found = count([in_head, by_folder], master, by="poll", **COUNT)
    assert found.groups == hv.tally_files([in_head, by_folder], by="poll", **COUNT)
    assert {name: tally.n for name, tally in found.groups.items()} == {ONE: 40, OTHER: 30}
    with pytest.raises(hv.HushvoteError, match="no poll and bbbb"):
        count([by_folder, nowhere], master, **COUNT)
    shared = shared_receipts(tmp_path / "shared")
    found = count(shared, master, by="poll", **COUNT)
    assert found.groups == hv.tally_files(shared, by="poll", **COUNT)
    assert {name: tally.n for name, tally in found.groups.items()} == SHARED


def bare_table(path: Path, chosen: Sequence[int], **more: object) -> Path:
    """A file of another program: what it holds besides is up to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"chosen": pa.array(chosen, pa.int8()), **more}), path)
    return path


def at(path: Path) -> str:
    """The address of a path, as those of object stores."""
    return f"file://{path}"


def same(paths: Sequence[Path], addresses: Sequence[str], master: str, **options: object) -> None:
    """A cluster finds at the addresses what this machine finds by the paths."""
    options["parameters"] = CHOICE
    here = hv.count_files(paths, on_bad="skip", **options)
    there = count(addresses, master, on_bad="skip", **options)
    assert (there.groups, there.left) == (here.groups, here.left)
    assert here.n > 0


def files_with_different_columns_count_as_on_one_machine(master, tmp_path):
    yes_no, digests = pa.array([True, False]), [ONE, OTHER]
    lake, twos = tmp_path / "lake", pa.array([1, 2], pa.uint64())
    bare_table(lake / "day=a+b" / "a.parquet", [1, 2])
    bare_table(lake / "day=a%20b" / "b.parquet", [4, 4], withdrawn=yes_no)
    bare_table(lake / "day=%C3%BC" / "c.parquet", [1, 2], receipt=["x", "y"])
    bare_table(lake / "day=old/day=a b" / "d.parquet", [4, 1], receipt=["x", "z"], change=twos)
    bare_table(lake / "day=100%" / "e.parquet", [2, 4], receipt=[b"y", b"w"], withdrawn=yes_no)
    bare_table(lake / "day=__HIVE_DEFAULT_PARTITION__" / "f.parquet", [2, 2], poll=digests)
    bare_table(lake / "_later" / "g.parquet", [1])
    (lake / "README.txt").write_text("not a report", encoding="utf-8")
    same([lake], [at(lake)], master, by="day", poll=ONE)
    parts = [bare_table(tmp_path / f"poll={one}" / "x.parquet", [1, 2]) for one in digests]
    same(parts, [at(tmp_path / "poll=*/*.parquet")], master, by="poll")
    odd = bare_table(tmp_path / "odd.parquet", [1, 2], **{"a`b.c": ["north", None]})
    same([odd], [at(odd)], master, by="a`b.c")
    signed_and_unsigned_numbers_stand_side_by_side(master, tmp_path)


def signed_and_unsigned_numbers_stand_side_by_side(master, tmp_path):
    """Spark takes both for decimals where it brings receipts together."""
    made = hv.Duel(hv.borda(64), 1)
    reports, paths = made.privatize(random_orders(200, 64)), []
    for kind, part, change in (("u8", reports[:100], [0, 1]), ("i8", reports[100:], [0, -1])):
        fields = {name: pa.array(part[name].astype(kind)) for name in reports.dtype.names}
        marks = {
            "receipt": [f"{kind}{k}" for k in range(100)],
            "change": np.array(change * 50, kind),
        }
        paths.append(tmp_path / f"{kind}.parquet")
        pq.write_table(pa.table(fields | marks), paths[-1])
    options = {"parameters": made, "on_bad": "skip"}
    here, there = hv.count_files(paths, **options), count(paths, master, **options)
    assert (here.left.unmarked, here.n) == (50, 150)
    assert (there.tally, there.left) == (here.tally, here.left)
    with pytest.raises(hv.ReportError, match=r"^a row: its 'change' is -1, but changes count"):
        count(paths, master, parameters=made)


def what_a_cluster_would_count_otherwise_is_refused(master, tmp_path):
    def said(*paths: object, **options: object) -> str:
        with pytest.raises(hv.HushvoteError) as caught:
            count(paths, master, parameters=CHOICE, **options)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    days = pa.array([0, 1], pa.timestamp("us", "UTC"))
    times = bare_table(tmp_path / "times.parquet", [1, 2], day=days)
    assert "'day'" in (told := said(times, by="day"))
    assert "holds timestamp[us, tz=UTC], which Spark names otherwise than this machine" in told
    numbered = bare_table(tmp_path / "numbered.parquet", [1, 2], receipt=[1, 2])
    assert "'receipt' holds int64, but must hold text or bytes" in said(at(numbered))
    cased = bare_table(tmp_path / "cased.parquet", [1, 2], Day=[1, 2], day=[1, 2])
    assert "'Day' and 'day', which Spark cannot tell apart" in said(cased)
    hidden = bare_table(tmp_path / "_hidden.parquet", [1])
    assert "leaves out files whose name begins with" in said(hidden)
    ones = bare_table(tmp_path / "ones.parquet", [1], receipt=["x"], day=[1])
    words = bare_table(tmp_path / "words.parquet", [1], receipt=["x"], day=["1"])
    assert "'day' holds whole numbers in" in said(ones, words, by="day")
    many = bare_table(tmp_path / "many.parquet", [1] * 1001, day=range(1001))
    assert said(many, by="day").startswith("the column 'day' has more than 1,000 different values")
    assert "is named twice" in said(at(ones), at(tmp_path / "on*.parquet"))
    assert "no file has such a name" in said(at(tmp_path / "none*"))
    assert "Class org.apache.hadoop.fs.s3a.S3AFileSystem" in (told := said("s3a://bucket/reports"))
    assert "spark.jars.packages" in told
    ones.write_bytes(ones.read_bytes()[:-9])
    assert f"{ones} is damaged or not a Parquet file" in said(at(ones))


def test_a_cluster_that_is_none_is_refused_before_anything_starts():
    for master in ("foo", "local[x]", "spark://host"):
        with pytest.raises(hv.FileError, match="must be like spark://host:7077, local"):
            hv.count_files("s3a://b/x", engine="spark", master=master)
    with pytest.raises(hv.FileError, match=r"no master answers at spark://127\.0\.0\.1:1;"):
        _check_answers("spark://127.0.0.1:1")


def test_an_interrupt_ends_spark_and_java_silently(tmp_path):
    """While Java starts, and while it reads: what holds the output has ended, too."""
    path = written(tmp_path / "r.parquet", DUEL, DUEL.privatize(random_orders(1000, 4)))
    words = ["tally", path, "--engine", "spark", "--master", "local[1]"]
    for moment in ("incubator", "Setting Spark log level"):
        process = subprocess.Popen(
            [sys.executable, "-m", "hushvote", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert any(moment in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)  # Java held it open
        assert (process.returncode, out) == (130, ""), err
        assert "Traceback" not in err
        assert "py4j" not in err


def the_command_counts_on_a_cluster_and_says_what_is_wrong(master, tmp_path, run):
    reports = DUEL.privatize(random_orders(2000, 4))
    path = written(tmp_path / "r.parquet", DUEL, reports)
    words = ["tally", path, "--engine", "spark", "--master", master, "--json"]
    code, out, err = run(*words)
    assert code == 0, err
    assert json.loads(out)["n"] == 2000
    assert json.loads(out)["left_out"] == Left().to_dict()
    page = (Path(__file__).parents[1] / "docs/spark.md").read_text(encoding="utf-8")
    assert "\nhushvote tally reports --engine spark --master spark://host:7077\n" in page
    assert "--partial is for this machine" in one_sentence(run(*words, "--partial", tmp_path))
    column = pq.read_metadata(path).row_group(0).column(1)
    held = bytearray(path.read_bytes())
    held[column.data_page_offset + column.total_compressed_size // 2] ^= 1
    path.write_bytes(held)
    assert one_sentence(run(*words)).startswith(f"error: {path} is damaged")
    bad = tmp_path / "bad.parquet"
    table = {name: pa.array(reports[name]) for name in reports.dtype.names}
    table["plus"] = pa.array(np.where(np.arange(2000) < 3, 99, reports["plus"]))
    pq.write_table(pa.table(table), bad)
    (tmp_path / "p.json").write_bytes(canonical(DUEL.parameters()))
    words[1:2] = [bad, "--parameters", tmp_path / "p.json"]
    assert "a row: 'plus' is 99, but must lie between" in one_sentence(run(*words))
    code, out, err = run(*words, "--on-bad", "skip")
    assert (code, json.loads(out)["left_out"]["outside"]) == (0, 3), err


def test_a_cluster_counts_what_one_machine_counts(rows, master, tmp_path, run):
    """One test, since processes that share the work would each start a cluster of their own."""
    dirty_rows_are_cleaned_as_on_one_machine(rows, master)
    mechanisms_of_any_kind_are_counted_grouped_and_streamed(master, tmp_path)
    polls_are_kept_apart_wherever_they_are_named(master, tmp_path / "polls")
    files_with_different_columns_count_as_on_one_machine(master, tmp_path / "columns")
    what_a_cluster_would_count_otherwise_is_refused(master, tmp_path / "refused")
    the_command_counts_on_a_cluster_and_says_what_is_wrong(master, tmp_path, run)

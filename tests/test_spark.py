"""Counting on a Spark cluster: a master and two workers that really run, and the same integers."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.batch import Left
from hushvote.batch.cluster import SETTINGS, session
from hushvote.canonical import canonical
from hushvote.formats.reports import writing_reports
from tests.clusters import cluster
from tests.conftest import one_sentence, random_orders
from tests.dirty import POLL, dirty
from tests.test_scale_polls import COUNT, ONE, OTHER, bare, headed

pytestmark = pytest.mark.slow
DUEL = hv.Duel(hv.borda(4), 1)


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
    assert "r.parquet is damaged" in one_sentence(run(*words))
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
    the_command_counts_on_a_cluster_and_says_what_is_wrong(master, tmp_path, run)

"""`hushvote tally --poll`: the manifest says how reports are counted, and which are refused."""

import json

import numpy as np
import pytest

import hushvote as hv
from hushvote.formats.parquet import table_writer
from hushvote.formats.reports import writing_reports
from tests.conftest import one_sentence
from tests.polls import poll_of

POLL = poll_of("additive", 4, "2", seats=2, turnout=50)


def reports_of(poll, n=200):
    rng = np.random.default_rng(5)
    return poll.mechanism.privatize(np.tile([2, 1, 0, 3], (n, 1)), rng=rng)


def write(path, poll, *, n=200, digest=..., names=...):
    """A file of reports, as an export of the poll or of something else."""
    digest = poll.digest if digest is ... else digest
    names = poll.candidates if names is ... else names
    made = poll.mechanism
    with writing_reports(path, made.domain, made.parameters(), names, poll=digest) as writer:
        writer.write(reports_of(poll, n))


@pytest.fixture
def manifest(tmp_path):
    (tmp_path / "poll.json").write_text(POLL.text, encoding="utf-8")
    return "poll.json"


def test_names_and_seats_are_those_of_the_manifest(run, manifest, tmp_path):
    write(tmp_path / "r.parquet", POLL, names=None)
    code, out, _ = run("tally", "r.parquet", "--poll", manifest, "--json")
    assert code == 0
    found = json.loads(out)
    assert {row["candidate"] for row in found["candidates"]} == set(POLL.candidates)
    same = json.loads(run("tally", "r.parquet", "--poll", manifest, "--seats", "2", "--json")[1])
    assert found == same
    other = json.loads(run("tally", "r.parquet", "--poll", manifest, "--seats", "1", "--json")[1])
    assert found != other


def test_a_manifest_may_end_with_a_line_end(run, manifest, tmp_path):
    write(tmp_path / "r.parquet", POLL)
    (tmp_path / "line.json").write_text(POLL.text + "\n", encoding="utf-8")
    assert hv.Poll.read(tmp_path / "line.json", POLL.digest) == POLL
    assert run("tally", "r.parquet", "--poll", "line.json")[0] == 0
    (tmp_path / "line.json").write_text(POLL.text + "\n\n", encoding="utf-8")
    assert "line.json: " in one_sentence(run("tally", "r.parquet", "--poll", "line.json"))


@pytest.mark.parametrize("digest", [None, "0" * 64])
def test_reports_of_another_poll_or_of_none_are_refused(run, manifest, tmp_path, digest):
    write(tmp_path / "r.parquet", POLL, digest=digest)
    said = one_sentence(run("tally", "r.parquet", "--poll", manifest))
    assert "not of the given one" in said
    with pytest.raises(hv.FileError) as caught:
        hv.tally_files([tmp_path / "r.parquet"], poll=POLL.digest)
    assert caught.value.code == "file.poll"
    counted = hv.tally_files([tmp_path / "r.parquet"])
    (tmp_path / "t.json").write_text(counted.to_json(), encoding="utf-8")
    assert "not of the given one" in one_sentence(run("tally", "t.json", "--poll", manifest))


def test_a_tally_of_the_poll_is_taken(run, manifest, tmp_path):
    write(tmp_path / "r.parquet", POLL)
    assert run("tally", "r.parquet", "--poll", manifest, "-o", "t.json")[0] == 0
    again = hv.tally_files([tmp_path / "t.json"], poll=POLL.digest)
    assert (again.poll, again.candidates) == (POLL.digest, POLL.candidates)
    assert run("tally", "t.json", "--poll", manifest)[0] == 0


def test_reports_of_another_mechanism_or_other_names_are_refused(run, manifest, tmp_path):
    write(tmp_path / "r.parquet", poll_of("additive", 4, "1"), digest=POLL.digest)
    assert "other parameters" in one_sentence(run("tally", "r.parquet", "--poll", manifest))
    write(tmp_path / "r.parquet", POLL, names=("A", "B", "C", "D"))
    assert "different candidates" in one_sentence(run("tally", "r.parquet", "--poll", manifest))


def test_files_without_a_head_are_taken_for_reports_of_the_poll(run, manifest, tmp_path):
    domain = POLL.mechanism.domain
    batch = domain.to_arrow(reports_of(POLL))
    with table_writer(tmp_path / "r.parquet", batch.schema) as table:
        table.write_batch(batch)
    code, out, _ = run("tally", "r.parquet", "--poll", manifest, "-o", "t.json", "--json")
    assert code == 0
    assert hv.Tally.from_json((tmp_path / "t.json").read_text()).poll == POLL.digest
    assert json.loads(out)["candidates"][0]["candidate"] in POLL.candidates


def test_there_is_no_result_below_the_turnout(run, manifest, tmp_path):
    write(tmp_path / "r.parquet", POLL, n=49)
    said = one_sentence(run("tally", "r.parquet", "--poll", manifest))
    assert "no result of fewer than 50" in said


def test_a_poll_says_its_parameters_itself(run, manifest, tmp_path):
    write(tmp_path / "r.parquet", POLL)
    said = one_sentence(run("tally", "r.parquet", "--poll", manifest, "--parameters", manifest))
    assert "leave --parameters out" in said


def test_a_damaged_manifest_is_refused_with_its_file(run, tmp_path):
    write(tmp_path / "r.parquet", POLL)
    (tmp_path / "poll.json").write_text(POLL.text + " ", encoding="utf-8")
    said = one_sentence(run("tally", "r.parquet", "--poll", "poll.json"))
    assert said.startswith("poll.json: ") or "poll.json: " in said
    assert "canonical" in said

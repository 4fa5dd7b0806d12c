"""Reports of several polls, and of none, lie side by side, and never add up."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote import batch
from hushvote.batch import Left
from hushvote.canonical import canonical
from hushvote.formats.reports import writing_reports
from tests.conftest import one_sentence, random_orders
from tests.polls import poll_with

ADDITIVE = hv.Additive(hv.borda(4), 1)
ONE, OTHER = "a" * 64, "b" * 64
COUNT = {"parameters": ADDITIVE.parameters()}


def bare(path, n, **columns):
    """A file of another program: no head, and what columns it likes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    chosen = ADDITIVE.privatize(random_orders(n, 4))["chosen"].astype("int16")
    pq.write_table(pa.table({"chosen": chosen, **columns}), path)
    return path


def headed(path, n, poll):
    """A file of hushvote's, which names its poll in the head."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing_reports(path, ADDITIVE.domain, ADDITIVE.parameters(), poll=poll) as file:
        file.write(ADDITIVE.privatize(random_orders(n, 4)))
    return path


def shared_receipts(folder):
    """Voters who have the same receipts in two polls, as where these are numbers of members."""
    receipts = [f"member {k}" for k in range(30)]
    polls = [ONE] * 10 + [OTHER] * 10 + [None] * 5 + [""] * 5
    return [
        bare(folder / "one.parquet", 30, receipt=receipts, poll=[ONE] * 30),
        bare(folder / "all.parquet", 30, receipt=receipts, poll=polls, change=[1] * 30),
    ]


SHARED = {ONE: 30, OTHER: 10, "(empty)": 10}


def test_a_receipt_is_one_voters_within_a_poll_only(tmp_path):
    paths = shared_receipts(tmp_path)
    for on_bad in ("reject", "skip"):
        found = hv.count_files(paths, by="poll", on_bad=on_bad, **COUNT)
        assert {name: tally.n for name, tally in found.groups.items()} == SHARED
        assert found.left == Left(superseded=10)
    alone = hv.tally_files(paths, poll=ONE, on_bad="skip", **COUNT)
    assert alone.counts.keys() == found.groups[ONE].counts.keys()
    assert alone == found.groups[ONE]


def test_what_is_no_digest_is_of_no_poll_among_several_either(tmp_path):
    path = bare(tmp_path / "r.parquet", 30, poll=[ONE] * 20 + ["A" * 64] * 10)
    with pytest.raises(hv.ReportError, match="report 20: its poll 'AAAA"):
        hv.tally_files(path, by="poll", **COUNT)
    found = hv.count_files(path, by="poll", on_bad="skip", **COUNT)
    assert {name: tally.n for name, tally in found.groups.items()} == {ONE: 20}
    assert found.left == Left(foreign=10)


def test_a_file_in_the_folder_of_another_poll_is_refused(tmp_path):
    path = headed(tmp_path / f"poll={OTHER}" / "r.parquet", 20, ONE)
    with pytest.raises(hv.FileError, match=r"folder of the poll bbbb.*it is of aaaa"):
        hv.tally_files([path], by="poll")
    with pytest.raises(hv.HushvoteError, match="it is of the poll bbbb"):
        hv.tally_files([path])


def test_files_of_other_polls_are_left_out_whatever_their_mechanism(run, tmp_path):
    poll = poll_with(ADDITIVE)
    (tmp_path / "poll.json").write_text(poll.text, encoding="utf-8")
    bare(tmp_path / "own.parquet", 30, poll=[poll.digest] * 30)
    other = hv.Duel(hv.borda(4), 1)
    with writing_reports(
        tmp_path / "other.parquet", other.domain, other.parameters(), poll=OTHER
    ) as file:
        file.write(other.privatize(random_orders(70, 4)))
    words = ("tally", "own.parquet", "other.parquet", "--poll", "poll.json")
    assert "other.parquet is of the poll bbbb" in one_sentence(run(*words))
    code, out, err = run(*words, "--on-bad", "skip", "--json")
    assert code == 0, err
    assert (json.loads(out)["n"], json.loads(out)["left_out"]["foreign"]) == (30, 70)
    with pytest.raises(hv.FileError, match="all files are of another poll"):
        batch.read_reports([tmp_path / "other.parquet"], ADDITIVE, poll=poll.digest, on_bad="skip")


@pytest.mark.parametrize("skip", ["reject", "skip"])
def test_reports_of_no_poll_are_not_counted_into_one(tmp_path, skip):
    named = bare(tmp_path / f"poll={ONE}" / "part.parquet", 30)
    column = bare(tmp_path / "column.parquet", 30, poll=[ONE] * 30)
    none = bare(tmp_path / "none.parquet", 10)
    assert hv.tally_files([named, column], **COUNT).poll == ONE
    assert hv.tally_files([none], **COUNT).poll is None
    for one in (named, column):
        with pytest.raises(hv.HushvoteError, match=r"several polls, such as no poll and aaaa"):
            hv.tally_files([one, none], on_bad=skip, **COUNT)


def test_an_empty_cell_is_of_no_poll(tmp_path):
    half = bare(tmp_path / "half.parquet", 20, poll=[ONE, None] * 10)
    with pytest.raises(hv.HushvoteError, match="no poll and aaaa"):
        hv.tally_files([half], **COUNT)


def test_a_poll_that_is_no_text_is_refused_also_where_nobody_asks(tmp_path):
    numbered = bare(tmp_path / "numbered.parquet", 20, poll=[1, 2] * 10)
    with pytest.raises(hv.HushvoteError, match="holds int64, but must hold digests as text"):
        hv.tally_files([numbered], **COUNT)


def test_every_poll_is_counted_on_its_own_by_the_command_too(run, tmp_path):
    headed(tmp_path / "one.parquet", 40, ONE)
    headed(tmp_path / "other.parquet", 30, OTHER)
    code, out, err = run("tally", "one.parquet", "other.parquet", "--by", "poll", "--json")
    assert code == 0, err
    assert {each["group"]: each["n"] for each in json.loads(out)} == {ONE: 40, OTHER: 30}


def test_reports_of_one_poll_are_inspected_among_those_of_others(run, tmp_path):
    poll = poll_with(ADDITIVE)
    (tmp_path / "poll.json").write_text(poll.text, encoding="utf-8")
    polls = [poll.digest] * 30 + [OTHER] * 10
    bare(tmp_path / "rows.parquet", 40, poll=polls)
    headed(tmp_path / "heads.parquet", 20, OTHER)
    words = ("tally", "rows.parquet", "heads.parquet", "--poll", "poll.json", "--on-bad", "skip")
    code, out, err = run(*words, "--inspect", "--json")
    assert code == 0, err
    told = json.loads(out)
    assert (told["n"], told["left_out"]["foreign"]) == (30, 30)
    assert told["inspection"]["unseen"] is None


@pytest.mark.parametrize("mark", ["receipt", "change", "withdrawn"])
def test_a_folder_cannot_say_what_only_rows_say(run, tmp_path, mark):
    bare(tmp_path / f"{mark}=1" / "part.parquet", 20)
    (tmp_path / "p.json").write_bytes(canonical(ADDITIVE.parameters()))
    said = one_sentence(run("tally", f"{mark}=1", "--parameters", "p.json"))
    assert f"a folder that says its {mark!r}" in said


def test_with_a_poll_asked_for_others_are_refused_or_left_out_among_groups_too(tmp_path):
    path = bare(tmp_path / "polls.parquet", 40, poll=[ONE, OTHER, None, "xyz"] * 10)
    with pytest.raises(hv.HushvoteError, match=r"report 1: it is of the poll bbbb.*, not of aaaa"):
        hv.tally_files([path], poll=ONE, by="poll", **COUNT)
    found = hv.count_files([path], poll=ONE, by="poll", on_bad="skip", **COUNT)
    assert {name: (one.n, one.poll) for name, one in found.groups.items()} == {ONE: (10, ONE)}
    assert found.left.to_dict()["foreign"] == 30


def test_what_is_no_digest_is_no_poll(tmp_path):
    path = bare(tmp_path / "words.parquet", 20, poll=[ONE, "xyz"] * 10)
    with pytest.raises(hv.HushvoteError, match="report 1: its poll 'xyz' is no digest of 64"):
        hv.tally_files([path], **COUNT)
    found = hv.count_files([path], on_bad="skip", **COUNT)
    assert (found.tally.n, found.tally.poll, found.left.foreign) == (10, ONE, 10)

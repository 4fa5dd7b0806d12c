"""`hushvote tally --poll`: the manifest says how reports are counted, and which are refused."""

import json

import numpy as np
import pytest

import hushvote as hv
from hushvote.formats.parquet import table_writer
from hushvote.formats.reports import writing_reports
from hushvote.poll.board import open_board
from hushvote.poll.verifying import verify_board
from tests.conftest import one_sentence
from tests.polls import election, poll_of

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


# --- privatize --poll -----------------------------------------------------------------------------


@pytest.fixture
def ballots(tmp_path):
    names = ",".join(POLL.candidates)
    (tmp_path / "ballots.csv").write_text("first,second,third,fourth\n" + f"{names}\n" * 60)
    return "ballots.csv"


def test_reports_for_a_poll_have_its_mechanism_names_and_digest(run, manifest, ballots, tmp_path):
    words = ("privatize", ballots, "--poll", manifest, "--out", "r.parquet")
    code, out, _ = run(*words, "--json")
    assert (code, json.loads(out)["poll"]) == (0, POLL.digest)
    counted = hv.tally_files([tmp_path / "r.parquet"], poll=POLL.digest)
    assert (counted.n, counted.candidates) == (60, POLL.candidates)
    assert counted.parameters == POLL.mechanism.parameters()
    assert run("tally", "r.parquet", "--poll", manifest)[0] == 0


@pytest.mark.parametrize(
    "option", ["--rule=nauru", "--epsilon=1", "--mechanism=duel", "--names=A,B,C,D"]
)
def test_a_poll_says_how_its_reports_are_made(run, manifest, ballots, option):
    said = one_sentence(run("privatize", ballots, "--poll", manifest, "-o", "r.parquet", option))
    assert f"leave {option.partition('=')[0]} out" in said


def test_other_names_than_those_of_the_poll_are_refused(run, manifest, tmp_path):
    (tmp_path / "b.csv").write_text("first,second,third,fourth\nA,B,C,D\n")
    run_for_poll = ("privatize", "b.csv", "--poll", manifest, "-o", "r.parquet")
    assert "b.csv" in one_sentence(run(*run_for_poll))
    assert not (tmp_path / "r.parquet").exists()


def test_no_file_of_ballots_answers_the_questions_of_codes(run, ballots, tmp_path):
    poll_of("challenge", 4).write(tmp_path / "asks.json")
    said = one_sentence(run("privatize", ballots, "--poll", "asks.json", "-o", "r.parquet"))
    assert "by a code" in said


# --- boards ---------------------------------------------------------------------------------------


@pytest.fixture
def board(tmp_path):
    return election(POLL, 60).write(tmp_path / "board.jsonl")


def test_a_board_is_counted_with_the_names_and_seats_of_its_poll(run, board):
    found = json.loads(run("tally", str(board), "--json")[1])
    assert {row["candidate"] for row in found["candidates"]} == set(POLL.candidates)
    assert found["n"] == 57
    assert found["elected"] is not None
    assert found == {**found, **verify_board(board).result.to_dict()}


def test_a_board_may_have_any_name_and_gives_a_tally_of_its_poll(run, board, manifest, tmp_path):
    board.rename(tmp_path / "board.json")
    assert run("tally", "board.json", "--poll", manifest, "-o", "t.json")[0] == 0
    counted = hv.tally_files([tmp_path / "t.json"], poll=POLL.digest)
    assert counted == open_board(tmp_path / "board.json").tally()


def test_single_reports_of_a_board_are_inspected(run, board):
    board = board.rename(board.with_suffix(".json"))
    code, out, _ = run("tally", str(board), "--inspect")
    assert code == 0
    assert "Only sums" not in out
    assert len(open_board(board).reports()) == 57


@pytest.mark.parametrize("option", ["--by=region", "--parameters=poll.json", "--still-open"])
def test_a_board_says_itself_how_it_is_counted(run, board, manifest, option):
    said = one_sentence(run("tally", str(board), option))
    assert f"{option.partition('=')[0]} is not for a board" in said


def test_a_board_is_counted_alone_and_for_its_own_poll(run, board, tmp_path):
    write(tmp_path / "r.parquet", POLL)
    assert "counted by itself" in one_sentence(run("tally", str(board), "r.parquet"))
    poll_of().write(tmp_path / "other.json")
    assert "not of the given one" in one_sentence(run("tally", str(board), "--poll", "other.json"))


def test_a_damaged_board_is_refused_with_its_file(run, board):
    raw = board.read_bytes().splitlines(keepends=True)
    board.write_bytes(raw[0].replace(b'"root":"', b'"root":"0') + b"".join(raw[1:]))
    assert "header of it is damaged" in one_sentence(run("tally", str(board)))
    board.write_bytes(b"".join(raw).replace(b'"chosen":[', b'"chosen":[7,'))
    assert "of this board" in one_sentence(run("tally", str(board)))


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

"""The command line and what is around it: terminals, signals, disks, pipes, old files."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote.cli.outputs import check_new
from hushvote.errors import FileError
from tests.conftest import names_in, one_sentence, random_orders
from tests.test_cli_reports import report_file


def test_a_failure_in_the_middle_keeps_the_old_file(run, tmp_path, ballot_file):
    (tmp_path / "out.parquet").write_bytes(b"old")
    text = (tmp_path / ballot_file).read_text()
    (tmp_path / "bad.csv").write_text(text + "Ann,Ann,Bob,Cy\n")
    one_sentence(run("privatize", "bad.csv", "-o", "out.parquet"))
    assert (tmp_path / "out.parquet").read_bytes() == b"old"
    assert not [name for name in names_in(tmp_path) if "part" in name]


def test_ballots_are_never_overwritten_by_their_reports(run, tmp_path):
    votes = hv.Rankings(random_orders(50, 4), tuple("ABCD"))
    hv.write_rankings(tmp_path / "b.parquet", votes)
    assert "another name" in one_sentence(run("privatize", "b.parquet", "-o", "./b.parquet"))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_output_survives_a_terminal_of_few_characters(encoding):
    done = subprocess.run(
        [sys.executable, "-m", "hushvote", "design", "-d", "4"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0
    assert b"additive" in done.stdout


def holds_a_file_below(pid: int, folder: Path) -> bool:
    """Whether a process has a scratch file there: it has no name, but the kernel knows it."""
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            if str(one.readlink()).startswith(f"{folder}/#"):
                return True
    return False


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_nothing_behind(tmp_path, number, code):
    head = "# NUMBER ALTERNATIVES: 3\n" + "".join(
        f"# ALTERNATIVE NAME {i}: {name}\n" for i, name in enumerate("ABC", start=1)
    )
    (tmp_path / "b.soc").write_text(head + "2000000000: 1,2,3\n")
    running = subprocess.Popen(
        [sys.executable, "-m", "hushvote", "privatize", "b.soc", "-o", "r.parquet"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    deadline = time.monotonic() + 60
    try:
        while not holds_a_file_below(running.pid, tmp_path):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        running.send_signal(number)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, out, err) == (code, "", "")
    assert names_in(tmp_path) == ["b.soc"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_said_in_one_sentence(unbuffered):
    command = f"PYTHONUNBUFFERED={unbuffered} {sys.executable} -m hushvote design -d 4 > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: cannot write the output: No space left on device\n"


def test_unwritable_output_is_said_and_nothing_is_left(run, tmp_path):
    report_file(tmp_path)
    (tmp_path / "folder.json").mkdir()
    before = names_in(tmp_path)
    assert "there is no folder" in one_sentence(run("tally", "r.parquet", "-o", "no/t.json"))
    assert "it is a folder" in one_sentence(run("tally", "r.parquet", "-o", "folder.json"))
    assert names_in(tmp_path) == before


def test_a_link_to_nowhere_is_refused_before_any_work(run, tmp_path):
    (tmp_path / "link.parquet").symlink_to(tmp_path / "gone" / "r.parquet")
    said = one_sentence(run("privatize", "no-ballots.csv", "-o", "link.parquet"))
    assert "there is no folder" in said


@pytest.mark.parametrize("name", ["circle.parquet", "n" * 300 + ".parquet"])
def test_a_name_that_no_file_can_have_is_refused_before_any_work(run, tmp_path, name):
    (tmp_path / "circle.parquet").symlink_to(tmp_path / "circle.parquet")
    said = one_sentence(run("privatize", "no-ballots.csv", "-o", name))
    assert said.startswith(f"error: cannot write {name}: ")
    assert said.endswith("; give the name of a file")
    with pytest.raises(FileError, match=f"cannot write .*{name}: .*; give"):
        check_new(tmp_path / name)


def test_a_folder_that_is_not_ours_is_refused_before_any_work(run, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    said = one_sentence(run("privatize", "none.csv", "-o", "r.parquet"))
    assert "cannot write r.parquet: choose a folder that you may write to" in said


def test_endings_of_outputs_may_be_in_capitals(run, ballot_file, tmp_path):
    assert run("privatize", ballot_file, "-o", "R.PARQUET")[0] == 0
    assert run("design", "-d", "4", "--plot", "TRADE.PNG")[0] == 0
    assert (tmp_path / "TRADE.PNG").read_bytes().startswith(b"\x89PNG")
    small = ("simulate", "-d", "3", "-n", "9", "--runs", "2", "-m", "laplace")
    assert run(*small, "-o", "P.CSV", "--plot", "P.SVG")[0] == 0
    assert (tmp_path / "P.CSV").read_text().startswith('"rule"')
    assert (tmp_path / "P.SVG").read_bytes().startswith(b"<?xml")
    assert run(*small, "-o", "P.PARQUET")[0] == 0
    assert pq.read_table(tmp_path / "P.PARQUET").num_rows == 3 * 5


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_ends_quietly(unbuffered):
    command = (
        f"PYTHONUNBUFFERED={unbuffered} {sys.executable} -m hushvote design -d 8 --json | head -c 1"
    )
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "{"
    assert done.stderr == ""

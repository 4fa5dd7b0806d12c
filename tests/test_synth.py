"""Simulated voters at a real server: the load generator, and the demo of `make run`."""

import contextlib
import json
import os
import re
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import numpy as np
import pytest

import hushvote as hv
from hushvote.client.links import BallotLink, OrganiserLink, read_link
from hushvote.client.server import Server
from hushvote.client.simulated import Held, Load, send
from hushvote.mechanisms import default_mechanism
from hushvote.planning import Plan
from hushvote.poll.codes import code_hash
from hushvote.simulation.electorates import Voters
from tests.serving import serving
from tests.terminal import pair

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
TOKEN = "a-token-of-the-operator"


def synth(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hushvote", "synth", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "NO_COLOR": "1", **environment},
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("synth") / "polls.db"
    with serving(store, HUSHVOTE_TOKEN=TOKEN) as one:
        yield one


def test_a_load_is_taken_and_leaves_no_poll_behind(server):
    done = synth(
        "--against", server.address, "-n", "300", "--connections", "8", "--json",
        HUSHVOTE_TOKEN=TOKEN,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["answered"], told["errors"], told["unsent"]) == (300, {}, 0)
    assert told["rate"] == pytest.approx(300 / told["seconds"], rel=0.01)
    assert 0 < told["p50"] <= told["p99"] < 60
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    polls = httpx.get(f"{server.address}/api/v1/polls", headers=bearer, trust_env=False).json()
    assert polls == {"polls": []}


def test_a_kept_poll_has_its_votes_and_its_organiser(server):
    done = synth(
        "--against", server.address, "-n", "40", "-m", "challenge", "--keep", HUSHVOTE_TOKEN=TOKEN
    )
    assert done.returncode == 0, done.stderr
    assert "40 reports in" in done.stdout
    link = read_link(done.stdout.splitlines()[-1])
    assert isinstance(link, OrganiserLink)
    path = f"{link.server}/api/v1/polls/{link.id}"
    bearer = {"Authorization": f"Bearer {link.key.hex()}"}
    with httpx.Client(trust_env=False, timeout=60) as client:
        assert client.get(path, headers=bearer).json()["casts"] == 40
        assert client.post(f"{path}/close", headers=bearer).status_code == 200
        assert client.get(f"{path}/result").json()["n"] == 40
        assert client.delete(path, headers=bearer).status_code == 200


def test_what_is_refused_counts_into_no_time(server):
    """Refusals are quick: a server that refuses half of all votes would look fast."""
    held = Held.made(Server(server.address), TOKEN, 40, question="?", candidates=["Ann", "Bob"])
    bodies = held.bodies("mallows:phi=0.8", held.codes, 1)
    hashes = [code_hash(held.question(code)).hex() for code in held.codes[:15]]
    held.own("POST", "/revocations", {"codes": hashes})
    found = send(held, bodies, Load(4))
    assert (found.answered, len(found.times), found.unsent) == (25, 25, 0)
    assert found.errors == {"vote.code": 15}
    assert found.rate == 25 / found.seconds
    again = send(held, bodies[:15], Load(4))
    assert (again.answered, again.rate, list(again.times)) == (0, 0, [])
    held.own("DELETE")


def test_a_rate_is_kept_and_the_time_is_a_limit(server):
    done = synth(
        "--against", server.address, "-n", "500", "--rate", "50", "--seconds", "2", "--json",
        HUSHVOTE_TOKEN=TOKEN,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["answered"] <= 100  # those that were due within two seconds
    assert told["answered"] + told["unsent"] == 500
    assert told["rate"] <= 51


def test_a_load_is_refused_for_other_machines_and_without_a_token(server):
    for address in ("http://192.0.2.1:8000", "https://vote.example.org"):
        done = synth("--against", address)
        assert done.returncode == 2
        assert "only sent to this machine" in done.stderr
    assert synth("--against", "https://127.0.0.1:1", "-n", "1").returncode == 2
    done = synth("--against", server.address, "-n", "1")
    assert done.returncode == 2
    assert "token" in done.stderr
    assert synth("--against", server.address, "-n", "0").returncode == 2
    assert synth("--against", server.address, "--connections", "0").returncode == 2


# --- make run -------------------------------------------------------------------------------------


def links(text: str) -> list[BallotLink | OrganiserLink]:
    return [read_link(one) for one in re.findall(r"'(http://\S+)'", text)]


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_the_demo_runs_without_a_terminal_until_it_is_told_to_end_twice(tmp_path, request, told):
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, ROOT / "examples/polls.py"],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        request.addfinalizer(lambda process=process: ended(process))
        shown = ""
        while "until you press" not in shown:
            line = process.stdout.readline()
            assert line, shown
            shown += line
        assert "500 simulated voters" in shown
        assert str(tmp_path / "demo") in shown.replace("\n", "")
        page = re.search(r"^(http://\S+/result)$", shown, re.M)[1]
        assert httpx.get(page, trust_env=False).status_code == 200
        digest = re.search(r"verify demo/board.jsonl --digest ([0-9a-f]{64})", shown)[1]
        found = hv.verify_board(tmp_path / "demo/board.jsonl", digest)
        assert found.holds
        assert found.numbers["standing"] == 500
        assert {type(one) for one in links(shown)} == {BallotLink, OrganiserLink}
        os.kill(process.pid, told)
        rest, _ = process.communicate(timeout=20)
        assert (process.returncode, rest.split()) == (0, ["Stopped."])
        with pytest.raises(httpx.HTTPError):
            httpx.get(page, trust_env=False)
    assert (tmp_path / "demo").stat().st_mode & 0o077 == 0


def test_the_demo_most_likely_has_a_winner():
    """The rankings are always the same, and so far apart that such a lead is certified by 97 % of
    all draws at least, in any electorate.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        demo = runpy.run_path(str(ROOT / "examples/polls.py"))
    finally:
        signal.signal(signal.SIGINT, before)
    n, d = demo["VOTERS"], len(demo["PEOPLE"])
    orders = Voters(demo["ELECTORATE"]).draw(np.random.default_rng(n), n, d)
    points = np.zeros(d)
    for order in orders:
        points[order] += np.arange(d)[::-1]
    second, first = np.sort(points / n)[-2:]
    made = hv.mechanism(default_mechanism(), hv.borda(d), demo["EPSILON"])
    assert first - second >= Plan(made, n, 0.0, power=0.97).with_voters(n).lead


def ended(process: "subprocess.Popen[bytes]") -> None:
    """Leave nothing running, whatever has failed; its group is its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("program", [("-m", "hushvote", "plan"), (ROOT / "examples/polls.py",)])
def test_an_interrupt_while_a_program_starts_is_silent(tmp_path, program, request):
    """It comes when numpy is being loaded, which is long before anything is begun."""
    process = subprocess.Popen(
        [sys.executable, *program],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    request.addfinalizer(lambda: ended(process))
    until = time.monotonic() + 60
    while "numpy" not in Path(f"/proc/{process.pid}/maps").read_text():
        assert time.monotonic() < until
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, said) == (-signal.SIGINT, b"")


def test_an_interrupt_while_the_demo_waits_for_its_server_is_silent(tmp_path, request):
    process = subprocess.Popen(
        [sys.executable, ROOT / "examples/polls.py"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    request.addfinalizer(lambda: ended(process))
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + 60
    while not children.read_text():
        assert time.monotonic() < until
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, said.strip()) == (0, b"Stopped.")


def test_the_demo_runs_on_a_terminal_until_it_is_interrupted(tmp_path, request):
    ours, theirs = pair()
    process = subprocess.Popen(
        [sys.executable, ROOT / "examples/polls.py"],
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb"},
    )
    request.addfinalizer(lambda: ended(process))
    os.close(theirs)
    text, until = "", time.monotonic() + 90
    while "Ctrl-C" not in text:
        assert time.monotonic() < until, text
        text += os.read(ours, 4096).decode()
    pages = re.findall(r"^(http://[^\s'#]+)", text, re.M)
    assert [one.rpartition("/")[2] for one in pages][:2] == ["result", "board"]
    assert len(pages) == 5
    for page in pages:
        answer = httpx.get(page, trust_env=False)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
    assert "Ada" in httpx.get(pages[0], trust_env=False).text
    ballot = next(one for one in links(text) if isinstance(one, BallotLink))
    organiser = next(one for one in links(text) if isinstance(one, OrganiserLink))
    with httpx.Client(base_url=ballot.server, trust_env=False, timeout=60) as client:
        manifest = client.get(f"/api/v1/polls/{ballot.id}/manifest").text
        assert hv.Poll.load(manifest, ballot.digest).access == "codes"
        bearer = {"Authorization": f"Bearer {organiser.key.hex()}"}
        assert client.get(f"/api/v1/polls/{ballot.id}", headers=bearer).json()["casts"] == 24
        assert client.post(f"/api/v1/polls/{ballot.id}/close", headers=bearer).status_code == 200
    again = subprocess.run(
        [sys.executable, ROOT / "examples/polls.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert again.returncode == 1
    assert "another run" in again.stderr
    os.killpg(process.pid, signal.SIGINT)
    try:
        while True:
            text += os.read(ours, 4096).decode()
    except OSError:
        pass  # the other end is gone
    assert process.wait(20) == 0, text
    assert "Traceback" not in text
    os.close(ours)

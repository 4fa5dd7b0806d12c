"""What whoever keeps a server sees of it: health, figures, its log, and how it stops."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from hushvote.server.measures import (
    BATCHES,
    COMMITS,
    MEMORY,
    POLLS,
    REQUESTS,
    WORKERS,
    Figures,
    Measures,
    added,
    written,
)
from hushvote.server.observing import Page
from tests.serving import Remote, Serving, refused, serving
from tests.test_server_api_workers import soon, workers

pytestmark = pytest.mark.slow
FREE = ("--open", "--creations", "0", "--casts", "0")
FIGURES = ("--metrics-port", "0", "--metrics-step", "0")


def figures(server: Serving) -> dict[str, float]:
    """The page of figures, read as Prometheus reads it."""
    address = re.search(r"Prometheus stand at (\S+)", server.output)[1]
    answer = httpx.get(address, trust_env=False)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = {}
    for line in answer.text.splitlines():
        if not line.startswith("#"):
            assert re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+', line)
            name, _, value = line.rpartition(" ")
            assert name not in found
            found[name] = float(value)
    return found


def requests(found: dict[str, float], kind: str, outcome: str = "ok") -> float:
    return found.get(f'{REQUESTS}{{kind="{kind}",outcome="{outcome}"}}', 0)


# --- health ---------------------------------------------------------------------------------------


def test_a_server_is_alive_and_ready_and_says_so_without_a_secret(store_url):
    with serving(store_url, *FREE) as server, server.client() as client:
        assert client.get("/healthz").json() == {"alive": True}
        answer = client.get("/readyz")
        assert answer.status_code == 200
        assert answer.json() == {"ready": True, "server": "ok", "store": "ok"}
        assert answer.headers["cache-control"] == "no-store"
        assert "content-security-policy" in answer.headers
        assert client.head("/readyz").status_code == 200
        assert refused(client.post("/readyz")) == (405, "api.method")


SLOWLY = """
import os, time
import hushvote.server.store.opening as o
before = o.open_store
def slow(url):
    while not os.path.exists(os.environ["OPENED"]): time.sleep(0.02)
    return before(url)
o.open_store = slow
"""


def slowly(folder: Path, flag: Path) -> dict[str, str]:
    """A server that opens its database once the flag is there."""
    (folder / "slowly.py").write_text(SLOWLY)
    return {"OPENED": str(flag), "HUSHVOTE_LOAD": str(folder / "slowly.py")}


def test_a_server_that_is_told_to_stop_while_it_opens_its_database_does(tmp_path):
    port, log = free_port(), tmp_path / "log"
    command = [sys.executable, "-m", "hushvote", "serve", "--store", str(tmp_path / "polls.db")]
    environment = {**os.environ, **slowly(tmp_path, tmp_path / "never")}
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--port", str(port)], stdout=file, stderr=file, env=environment
        )
    try:
        soon(lambda: answers(port), 30)
    finally:
        process.terminate()
        assert process.wait(20) == 0
    assert "is being opened" in log.read_text()
    assert "Traceback" not in log.read_text()


def answers(port: int) -> bool:
    try:
        alive = httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False)
    except httpx.TransportError:
        return False
    return alive.status_code == 200


def test_a_server_whose_database_is_being_brought_up_to_date_is_alive_but_not_ready(tmp_path):
    flag, port = tmp_path / "opened", free_port()
    options = ("--port", str(port), *FREE)
    environment = slowly(tmp_path, flag)
    address = f"http://127.0.0.1:{port}"

    def soon_open() -> dict[str, tuple[int, object]]:
        seen = {}
        until = time.monotonic() + 30
        with httpx.Client(base_url=address, trust_env=False, timeout=30) as client:
            while time.monotonic() < until:
                try:
                    seen["alive"] = client.get("/healthz").status_code
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            ready = client.get("/readyz")
            seen["ready"] = ready.status_code, ready.json()["server"]
            early = client.get("/api/v1/polls")
            seen["early"] = *refused(early), early.headers["retry-after"]
            vote = client.post(f"/api/v1/polls/{'0' * 32}/reports", content=b"{}")
            seen["vote"] = refused(vote)
        flag.touch()
        return seen

    with ThreadPoolExecutor(1) as thread:
        looking = thread.submit(soon_open)
        with serving(tmp_path / "polls.db", *options, **environment) as server:
            seen = looking.result()
            assert seen["alive"] == 200
            assert seen["ready"] == (503, "server.starting")
            assert seen["early"] == (503, "server.starting", "5")
            assert seen["vote"] == (503, "server.starting")
            with server.client() as client:
                assert client.get("/readyz").status_code == 200
                Remote.create(client).voter().cast()


# --- figures --------------------------------------------------------------------------------------


def test_figures_count_requests_by_kind_and_outcome(tmp_path):
    with serving(tmp_path / "polls.db", *FREE, *FIGURES) as server, server.client() as client:
        remote = Remote.create(client)
        voters = [remote.voter() for _ in range(5)]
        for voter in voters:
            voter.cast()
        voters[0].change()
        voters[1].withdraw()
        refused(remote.send("reports", b"{}"))
        client.get("/api/v1/nothing")
        found = figures(server)
        assert requests(found, "create") == 1
        assert requests(found, "reports") == 5
        assert requests(found, "changes") == requests(found, "withdrawals") == 1
        assert sum(n for name, n in found.items() if 'kind="reports"' in name) == 6
        assert requests(found, "other", "api.path") == 1
        assert found[f"{COMMITS}_count"] == found[f"{BATCHES}_count"] == 7
        assert found[f'{COMMITS}_bucket{{le="+Inf"}}'] == 7
        assert found[f"{BATCHES}_sum"] == 7
        assert 0 < found[f"{COMMITS}_sum"] < 60
        assert found[POLLS] == found[WORKERS] == 1
        assert 10e6 < found[MEMORY] < 2e9
        text = json.dumps(found)
        for secret in (remote.poll.id, remote.poll.digest, voters[0].credential.receipt.hex()):
            assert secret not in text
        assert refused(client.get("/metrics")) == (404, "api.path")  # on its own port alone


def test_without_a_port_for_them_there_are_no_figures(tmp_path):
    with serving(tmp_path / "polls.db", *FREE) as server:
        assert "Prometheus" not in server.output


def test_figures_of_several_workers_are_added_up_also_when_one_dies(cluster):
    options = (*FREE, *FIGURES, "--workers", "2")
    with serving(cluster.database(), *options) as server, server.client() as client:
        remote = Remote.create(client)

        def vote(_: int) -> None:
            with server.client() as own:
                Remote(own, remote.poll, remote.key).voter().cast()

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(vote, range(40)))
        before = figures(server)
        assert requests(before, "reports") == 40
        assert before[WORKERS] == 2
        assert before[POLLS] == 1
        running = workers(server)
        os.kill(running[0], signal.SIGKILL)
        soon(lambda: len(workers(server)) == 2 and workers(server) != running, 30)
        vote(0)
        soon(lambda: requests(figures(server), "reports") == 41)
        soon(lambda: figures(server)[WORKERS] == 2)
        assert "a worker has ended" in server.output


def test_counts_move_by_steps_so_that_no_vote_has_a_time_of_its_own():
    measures, now = Measures(), [0.0]
    page = Page(lambda: [measures.figures()], 60, lambda: now[0])
    shown = []
    for second in range(180):
        now[0] = float(second)
        measures.took("reports", "ok")
        lines = page.text().splitlines()
        shown.append(next(line for line in lines if line.startswith(REQUESTS)))
    assert len(set(shown)) == 3  # once a minute, though every second had a vote
    assert Counter(shown).most_common(1)[0][1] == 60


def test_levels_of_workers_are_added_and_shared_ones_are_not():
    one = Figures({"a_total": 2.0}, {WORKERS: 1.0, POLLS: 3.0})
    both = added([one, one, Figures({"a_total": 1.0})])
    assert both.counted == {"a_total": 5.0}
    assert both.levels == {WORKERS: 2.0, POLLS: 3.0}
    assert f"{POLLS} 3\n" in written(both)


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_that_is_told_to_stop_answers_all_it_has_taken(kind, tmp_path, request):
    """Under load, what is stored afterwards is just what was acknowledged: nothing that was
    acknowledged is lost, and nothing that was stored is without its answer.
    """
    store, workers = str(tmp_path / "polls.db"), "1"
    if kind == "postgres":
        store, workers = request.getfixturevalue("cluster").database(), "2"
    answered, unanswered, over = [], Counter(), threading.Event()
    with serving(store, *FREE, "--workers", workers) as server, server.client() as client:
        remote = Remote.create(client)
        started = threading.Barrier(17)

        def vote() -> None:
            own = Remote(server.client(), remote.poll, remote.key)
            bodies = iter([own.voter().cast_body() for _ in range(300)])
            started.wait()
            with own.client:
                for body in bodies:
                    try:
                        answer = own.send("reports", body)
                    except httpx.TransportError as error:
                        unanswered[type(error).__name__] += 1
                        return
                    assert answer.status_code == 200, answer.text
                    answered.append(answer.content)

        with ThreadPoolExecutor(16) as threads:
            voting = [threads.submit(vote) for _ in range(16)]
            started.wait()
            while len(answered) < 100:
                time.sleep(0.005)
            server.process.terminate()
            assert server.process.wait(20) == 0
            for one in voting:
                one.result()
        over.set()
        assert unanswered.total() == 16  # it was stopped in the middle of it
        assert "Traceback" not in server.output
        assert "hushvote stops" in server.output
        assert server.output.rstrip().endswith("hushvote has stopped")
    with serving(store, *FREE) as server, server.client() as client:
        again = Remote(client, remote.poll, remote.key)
        assert again.told()["casts"] == len(answered)


def test_readiness_goes_first_and_connections_end_with_their_answers(tmp_path):
    options = (*FREE, "--notice", "6")
    with serving(tmp_path / "polls.db", *options) as server, server.client() as client:
        remote = Remote.create(client)
        server.process.terminate()
        until = time.monotonic() + 4
        while client.get("/readyz").status_code == 200:
            assert time.monotonic() < until
        answer = client.get("/readyz")
        assert answer.json() == {"ready": False, "server": "server.draining", "store": "ok"}
        assert answer.headers["connection"] == "close"
        remote.voter().cast()  # newcomers are still answered for that long
        assert client.get("/healthz").status_code == 200
        assert server.process.wait(20) == 0
        with pytest.raises(httpx.ConnectError):
            client.get("/healthz")


def test_what_takes_longer_than_the_limit_is_cut_off(tmp_path):
    with serving(tmp_path / "polls.db", *FREE, "--grace", "1") as server:
        host, _, port = server.address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as slow:
            slow.sendall(b"POST /api/v1/polls HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n")
            slow.sendall(b"content-type: application/json\r\n\r\n{")  # and nothing more
            time.sleep(0.3)
            began = time.monotonic()
            server.process.terminate()
            server.process.wait(15)
            assert time.monotonic() - began < 8
        assert "Traceback" not in server.output


def test_a_database_that_hangs_does_not_hold_up_the_end(tmp_path):
    store = tmp_path / "polls.db"
    with serving(store, *FREE, "--grace", "1") as server, server.client() as client:
        remote = Remote.create(client)
        remote.voter().cast()
        other = sqlite3.connect(store, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # nobody else can write now
        with ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(remote.send, "reports", remote.voter().cast_body())
            time.sleep(0.5)
            began = time.monotonic()
            server.process.terminate()
            assert server.process.wait(20) == 1
            assert time.monotonic() - began < 9
            assert "was cut off" in server.output
            assert refused(waiting.result()) == (503, "server.stopping")
        other.close()
    with serving(store, *FREE) as server, server.client() as client:
        assert Remote(client, remote.poll, remote.key).told()["casts"] == 1


# --- addresses, variables, log --------------------------------------------------------------------


def test_locations_have_the_address_that_voters_use(tmp_path):
    base = ("--base-url", "https://vote.example.org:8443/")
    with serving(tmp_path / "polls.db", *FREE, *base) as server, server.client() as client:
        assert "for https://vote.example.org:8443 and keeps" in server.output
        wanted = {"question": "Who?", "candidates": ["A", "B"], "organiser": "0" * 64}
        wanted |= {"closes": int(time.time()) + 900, "access": "link"}
        made = client.post("/api/v1/polls", json=wanted)
        where = f"https://vote.example.org:8443/api/v1/polls/{made.json()['id']}"
        assert made.headers["location"] == where


def test_variables_of_the_environment_stand_for_options(tmp_path):
    (tmp_path / "token").write_text("a-token-of-the-operator")
    environment = {
        "HUSHVOTE_TOKEN_FILE": str(tmp_path / "token"),
        "HUSHVOTE_BASE_URL": "https://vote.example.org",
        "HUSHVOTE_TRUSTED_PROXY": "127.0.0.1 10.0.0.0/8",
        "HUSHVOTE_METRICS_PORT": "0",
        "HUSHVOTE_LOG_FORMAT": "text",
        "HUSHVOTE_GRACE": "2.5",
    }
    with serving(tmp_path / "polls.db", **environment) as server, server.client() as client:
        assert refused(client.get("/api/v1/polls")) == (401, "api.token")
        Remote.create(client, token="a-token-of-the-operator")
        assert "Prometheus" in server.output
        assert client.get("/healthz").headers["strict-transport-security"]
        server.process.terminate()
        server.process.wait(15)
        assert "has 2.5 s to end" in server.output


def test_a_log_for_programs_is_one_object_a_line_and_names_nobody(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "hushvote", "serve", "--port", str(port), "--log-format"]
    with (tmp_path / "log").open("wb") as file:
        process = subprocess.Popen(
            [*command, "json", "--store", str(tmp_path / "polls.db"), *FREE],
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            soon(lambda: answers(port), 30)
            remote = Remote.create(client)
            voter = remote.voter()
            voter.cast()
            refused(client.get(f"/api/v1/polls/{'f' * 32}"))
    finally:
        process.terminate()
        assert process.wait(20) == 0
    text = (tmp_path / "log").read_text()
    events = [json.loads(line) for line in text.splitlines()]
    assert [one["event"] for one in events] == ["start", "ready", "stopping", "stopped"]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", one["at"]) for one in events)
    for secret in (remote.poll.id, voter.credential.receipt.hex(), "f" * 32):
        assert secret not in text


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])

"""What happens to a server around which something breaks: it says so, goes on when it can, and has
lost nothing that it acknowledged. (How it is killed stands in test_server_killed.py.)
"""

import os
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

import hushvote as hv
from tests.databases import OWNER, running_cluster
from tests.serving import Remote, Serving, refused, serving
from tests.test_server_api_workers import soon, workers

pytestmark = pytest.mark.slow
FREE = ("--open", "--creations", "0", "--casts", "0")
AWAY = 12  # seconds without a database: longer than anything waits for it
MOST = 2000  # votes before a full disk must have been met


def ready(server: Serving) -> tuple[int, str]:
    answer = httpx.get(f"{server.address}/readyz", trust_env=False, timeout=30)
    return answer.status_code, answer.json()["store"]


def assert_all_is_on_the_board(remote: Remote, answers: list[bytes], folder: Path) -> None:
    """Close the poll, and find every acknowledgement on its board."""
    assert remote.own("POST", "/close").status_code == 200
    board = folder / "board.jsonl"
    board.write_bytes(remote.client.get(remote.path + "/board").content)
    files = [folder / f"ack-{number}.json" for number in range(len(answers))]
    for file, answer in zip(files, answers, strict=True):
        file.write_bytes(answer)
    assert hv.verify_board(board, remote.poll.digest, files).holds


# --- no space left --------------------------------------------------------------------------------


@contextmanager
def small_disk(megabytes: int, **options: str) -> Iterator[Path]:
    """A disk of its own, in memory."""
    folder = Path(tempfile.mkdtemp(prefix="hushvote-disk-"))
    given = ",".join([f"size={megabytes}m", *(f"{k}={v}" for k, v in options.items())])
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", given, "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode != 0:
        folder.rmdir()
        pytest.skip("a small disk can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
        folder.rmdir()


def fill(disk: Path) -> None:
    """Leave no space."""
    with (disk / "filler").open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def assert_survives_no_space(
    server: Serving,
    fill: Callable[[], None],
    free: Callable[[], None],
    folder: Path,
    seen: tuple[int, str] = (503, "store.unwritable"),
) -> None:
    with server.client() as client:
        remote, answers = Remote.create(client, turnout=20), []

        def vote(body: bytes) -> httpx.Response:
            answer = remote.send("reports", body)
            if answer.status_code == 200:
                answers.append(answer.content)
            return answer

        for _ in range(30):
            assert vote(remote.voter().cast_body()).status_code == 200
        fill()
        for _ in range(MOST):
            answer = vote(body := remote.voter().cast_body())
            if answer.status_code != 200:
                break
        assert refused(answer) == (503, "store.unwritable")
        assert int(answer.headers["retry-after"]) > 0
        assert "cannot be written" in answer.json()["detail"]
        assert str(folder) not in answer.text
        soon(lambda: ready(server) == seen)
        assert client.get("/healthz").status_code == 200
        assert client.get(remote.path + "/manifest").status_code == 200  # reading goes on
        free()
        soon(lambda: ready(server) == (200, "ok"))
        assert vote(body).status_code == 200  # the very same
        for _ in range(30):
            assert vote(remote.voter().cast_body()).status_code == 200
        assert remote.told()["casts"] == len(answers)
        assert_all_is_on_the_board(remote, answers, folder)
        assert "Traceback" not in server.output
        assert "store.unwritable" in server.output


def test_a_full_disk_under_sqlite_is_said_and_survived(tmp_path):
    with small_disk(24) as disk, serving(disk / "polls.db", *FREE) as server:
        filler = disk / "filler"
        assert_survives_no_space(server, lambda: fill(disk), filler.unlink, tmp_path)


def test_a_limit_of_file_sizes_under_sqlite_is_said_and_survived(tmp_path):
    with serving(tmp_path / "polls.db", *FREE) as server:
        pid, log = server.process.pid, tmp_path / "polls.db-wal"
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)

        def limit() -> None:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (log.stat().st_size + 65_536, before[1]))

        def lift() -> None:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

        assert_survives_no_space(server, limit, lift, tmp_path)


def test_a_full_disk_under_postgresql_is_said_and_survived(tmp_path):
    """The tables are on the disk that is full; a full disk of its log ends PostgreSQL, which is
    the same as a database that is away. Readiness does not see it: what it writes needs no space.
    """
    owner = {"uid": OWNER} if os.getuid() == 0 else {}
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk(64, mode="0755"))
        place = disk / "tables"
        place.mkdir()
        shutil.chown(place, owner["uid"])
        cluster = stack.enter_context(running_cluster())
        with psycopg.connect(cluster.url(), autocommit=True) as db:
            db.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
            db.execute("CREATE DATABASE crowded TABLESPACE small")
        server = stack.enter_context(serving(cluster.url("crowded"), *FREE))
        filler = disk / "filler"
        assert_survives_no_space(server, lambda: fill(disk), filler.unlink, tmp_path, (200, "ok"))


# --- a database that is away ----------------------------------------------------------------------


def test_a_database_that_is_away_is_said_and_waited_for(tmp_path):
    answers: list[bytes] = []
    refusals: set[tuple[int, str]] = set()
    over = threading.Event()
    with ExitStack() as stack:
        cluster = stack.enter_context(running_cluster())
        store = cluster.database()
        server = stack.enter_context(serving(store, *FREE, "--workers", "2"))
        client = stack.enter_context(server.client())
        remote = Remote.create(client, turnout=20)

        def vote() -> None:
            with server.client() as own_client:
                own = Remote(own_client, remote.poll, remote.key)
                while not over.is_set():
                    body = own.voter().cast_body()
                    while (answer := sent(own, body)).status_code != 200:
                        refusals.add(refused(answer))
                        assert int(answer.headers["retry-after"]) > 0
                        time.sleep(0.2)
                    answers.append(answer.content)

        threads = stack.enter_context(ThreadPoolExecutor(4))
        stack.callback(over.set)
        voting = [threads.submit(vote) for _ in range(4)]
        soon(lambda: len(answers) > 100)
        before = workers(server)
        cluster.stop()
        gone = time.monotonic()
        soon(lambda: ready(server) == (503, "store.unreachable"))
        assert client.get("/healthz").status_code == 200
        time.sleep(max(0.0, gone + AWAY - time.monotonic()))
        assert workers(server) == before  # nobody has died of it
        os.kill(before[0], signal.SIGKILL)  # nor does the death of one end the others meanwhile
        soon(lambda: "a worker could not start" in server.output, 20)
        assert server.process.poll() is None
        cluster.start()
        soon(lambda: ready(server) == (200, "ok"), 20)
        soon(lambda: len(workers(server)) == 2, 20)
        enough = len(answers) + 100
        soon(lambda: len(answers) > enough, 30)
        over.set()
        for one in voting:
            one.result()
        assert refusals <= {(503, "store.unreachable"), (503, "server.busy")}
        assert (503, "store.unreachable") in refusals
        assert remote.told()["casts"] == len(answers)
        assert_all_is_on_the_board(remote, answers, tmp_path)
        assert "Traceback" not in server.output


def sent(own: Remote, body: bytes) -> httpx.Response:
    """An answer; a connection that was lost with its worker is made anew."""
    until = time.monotonic() + 30
    while True:
        try:
            return own.send("reports", body)
        except httpx.TransportError:
            assert time.monotonic() < until
            time.sleep(0.05)


# --- a clock that is set back ---------------------------------------------------------------------

CLOCK = """
import os, time
real, place = time.time, os.environ["CLOCK"]
def shifted():
    with open(place) as file:
        return real() + float(file.read() or 0)
time.time = shifted
"""


def test_a_clock_that_is_set_back_opens_nothing_and_loses_nothing(store_url, tmp_path):
    (tmp_path / "clock.py").write_text(CLOCK)
    shift = tmp_path / "shift"

    def set_clock(seconds: int) -> None:
        (tmp_path / "new").write_text(str(seconds))
        (tmp_path / "new").replace(shift)

    set_clock(0)
    environment = {"CLOCK": str(shift), "HUSHVOTE_LOAD": str(tmp_path / "clock.py")}
    answers = []
    with serving(store_url, *FREE, **environment) as server, server.client() as client:
        over = Remote.create(client, closes=int(time.time()) + 3, turnout=20)
        going = Remote.create(client, turnout=20, changes=3)
        over.voter().cast()
        voters = [going.voter() for _ in range(25)]
        for voter in voters:
            voter.cast()
        voters[0].change()
        gone = voters[1].withdraw()
        soon(lambda: over.told()["log"][-1]["event"] == "closed")
        set_clock(-86_400)
        assert over.told()["state"] == "closed"
        assert refused(over.send("reports", over.voter().cast_body())) == (409, "vote.closed")
        later = {"closes": int(time.time()) + 900}
        assert refused(over.own("PATCH", json=later)) == (409, "api.closed")
        time.sleep(1.2)  # whatever was remembered is read again
        assert refused(over.send("reports", over.voter().cast_body())) == (409, "vote.closed")
        body = voters[0].change_body()
        answers.append(going.send("changes", body).content)  # the second change, a day before
        voters[0].credential = voters[0].credential.moved()
        assert voters[1].withdraw() == gone
    with serving(store_url, *FREE, **environment) as server, server.client() as client:
        over.client = going.client = client
        assert over.told()["state"] == "closed"
        assert refused(over.send("reports", over.voter().cast_body())) == (409, "vote.closed")
        body = voters[0].change_body()
        set_clock(-2 * 86_400)
        answer = going.send("changes", body)
        assert answer.status_code == 200
        assert going.send("changes", body).content == answer.content
        last = voters[0].credential.moved().receipt.hex()
        told = going.told()
        assert (told["casts"], told["changes"], told["withdrawals"]) == (25, 3, 1)
        assert_all_is_on_the_board(going, [*answers, answer.content], tmp_path)
        board = (tmp_path / "board.jsonl").read_text()
        lines = board.splitlines()[1:]
        assert len(lines) == 24
        assert sum(f'"{last}"' in line for line in lines) == 1  # the last change, by no clock
        set_clock(0)
        assert going.told()["state"] == "closed"

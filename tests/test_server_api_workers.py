"""Several workers on PostgreSQL: one server to whoever uses it."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hushvote as hv
from tests.serving import Remote, Serving, refused, serving

pytestmark = pytest.mark.slow
OPTIONS = ("--open", "--workers", "2", "--creations", "0")


@pytest.fixture(scope="module")
def server(cluster):
    with serving(cluster.database(), *OPTIONS) as one:
        yield one


def soon(holds, seconds: float = 10.0) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def workers(server: Serving) -> list[int]:
    """The processes that answer; one more watches over shared memory, and has no threads."""
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in children if len(list(Path(f"/proc/{one}/task").iterdir())) > 1]


def test_a_poll_is_the_same_for_all_workers(server, tmp_path):
    with server.client() as client:
        remote = Remote.create(client, access="codes")
        voters = [remote.voter(code) for code in remote.issue(40)]
        bodies = [voter.cast_body() for voter in voters]

        def send(body: bytes) -> bytes:
            with server.client() as own:  # a connection of its own, to whichever worker
                return Remote(own, remote.poll, remote.key).send("reports", body).content

        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(send, bodies * 3))
        assert answers[:40] == answers[40:80] == answers[80:]
        assert all(b'"signature"' in one for one in answers)
        assert remote.told()["casts"] == 40
        remote.own("POST", "/close")
        late = [send(remote.voter(remote.codes[0]).cast_body()) for _ in range(8)]
        assert all(b"vote.closed" in one for one in late)  # by the store, if not by the clock
        path = tmp_path / "board.jsonl"

        def board() -> bool:
            with server.client() as own:
                answer = own.get(remote.path + "/board")
            path.write_bytes(answer.content)
            return answer.status_code == 200

        soon(board)
        assert hv.verify_board(path, remote.poll.digest).holds


def test_a_moved_closing_time_reaches_all_workers(server):
    with server.client() as client:
        later = int(time.time()) + 900
        remote = Remote.create(client, closes=later)

        def votes(number: int) -> list[int]:
            found = []
            for _ in range(number):
                with server.client() as own:
                    there = Remote(own, remote.poll, remote.key)
                    found.append(there.send("reports", there.voter().cast_body()).status_code)
            return found

        def moved(closes: int) -> None:
            assert remote.own("PATCH", json={"closes": closes}).status_code == 200

        assert votes(8) == [200] * 8
        soon_over = int(time.time()) + 3
        moved(soon_over)
        moved(later)
        time.sleep(max(0.0, soon_over + 1.1 - time.time()))
        assert votes(8) == [200] * 8
        soon_over = int(time.time()) + 3
        moved(soon_over)
        time.sleep(soon_over + 1.1 - time.time())
        assert votes(8) == [409] * 8
        soon(lambda: remote.told()["log"][-1]["event"] == "closed")
        events = [event["event"] for event in remote.told()["log"]]
        assert events == ["opened", *["extended"] * 3, "closed"]  # by one worker only


def test_a_deleted_poll_is_gone_for_all_workers(server):
    with server.client() as client:
        remote = Remote.create(client)
        remote.voter().cast()
        assert remote.own("DELETE").status_code == 200
        time.sleep(1.1)
        for _ in range(8):
            with server.client() as own:
                assert refused(own.get(remote.path + "/manifest")) == (410, "api.deleted")


def test_no_worker_keeps_the_board_of_a_poll_that_another_has_deleted(cluster, tmp_path):
    """Also not after the server was killed, once it runs again."""
    url, places = cluster.database(), {"TMPDIR": str(tmp_path)}

    def boards() -> list[str]:
        return [one.name for one in tmp_path.rglob("*.jsonl")]

    def fetched(server: Serving, remote: Remote, number: int) -> bool:
        with server.client() as own:
            own.get(remote.path + "/board")
        return len(boards()) >= number

    with serving(url, *OPTIONS, **places) as server, server.client() as client:
        first, second = Remote.create(client), Remote.create(client)
        for remote in (first, second):
            for _ in range(20):
                remote.voter().cast()
            remote.own("POST", "/close")
        soon(lambda: fetched(server, first, 2), 30)
        assert first.own("DELETE").status_code == 200
        soon(lambda: boards() == [], 30)
        soon(lambda: fetched(server, second, 2), 30)
        for pid in workers(server):
            os.kill(pid, signal.SIGKILL)
        server.kill()
    assert boards()
    with serving(url, *OPTIONS, **places):
        assert boards() == []


def test_a_worker_that_dies_is_replaced(server):
    before = workers(server)
    assert len(before) == 2
    os.kill(before[0], signal.SIGKILL)
    soon(lambda: len(workers(server)) == 2 and workers(server) != before, 30)
    with server.client() as client:
        remote = Remote.create(client)
        remote.voter().cast()
        assert remote.told()["casts"] == 1


def test_workers_end_with_their_server(cluster):
    with serving(cluster.database(), *OPTIONS) as server:
        running = workers(server)
        assert len(running) == 2
        server.process.terminate()
        assert server.process.wait(20) == 0
        assert "Traceback" not in server.output
        for pid in running:
            assert not Path(f"/proc/{pid}").exists()

"""A server that is killed under load, again and again: what it acknowledged it has kept."""

import itertools
import random
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from tests.serving import Remote, Serving, serving

pytestmark = pytest.mark.slow

KILLS = 10
CLIENTS = 8
LEAST = 20  # answers before each kill: it comes in the middle of load
AGAIN = 500  # of all answers, to be asked for again at the end
PATIENCE = 60  # seconds for which a client sends the same again
VOTES = 20_000  # codes: more than can be used in the time


@dataclass
class Load:
    """Voters who send every request until it is answered, whatever happens to the server."""

    remote: Remote
    answers: list[tuple[str, bytes, bytes]] = field(default_factory=list)  # kind, body, answer
    stands: set[str] = field(default_factory=set)
    resent: int = 0
    over: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, address: str, codes: list[str], seed: int) -> tuple[int, int, int]:
        """One client: voters one after the other; numbers of casts, changes and withdrawals."""
        rng, numbers = random.Random(seed), [0, 0, 0]
        with httpx.Client(base_url=address, timeout=10, trust_env=False) as client:
            own = Remote(client, self.remote.poll, self.remote.key)
            for code in codes:
                if self.over:
                    break
                voter = own.voter(code)
                self.send(own, "reports", voter.cast_body())
                numbers[0] += 1
                if rng.random() < 0.3:
                    self.send(own, "changes", voter.change_body())
                    voter.credential = voter.credential.moved()
                    numbers[1] += 1
                if rng.random() < 0.1:
                    self.send(own, "withdrawals", voter.withdrawal_body())
                    numbers[2] += 1
                else:
                    with self.lock:
                        self.stands.add(voter.credential.receipt.hex())
        return numbers[0], numbers[1], numbers[2]

    def send(self, own: Remote, kind: str, body: bytes) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = own.send(kind, body)
                break
            except httpx.TransportError:
                assert time.monotonic() < until
                self.resent += 1
                time.sleep(0.05)
        assert answer.status_code == 200, answer.text
        Acknowledgement.from_json(answer.content).check(own.poll)
        with self.lock:
            self.answers.append((kind, body, answer.content))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_was_acknowledged_survives_kills_and_counts_once(kind, tmp_path, request):
    store, workers = str(tmp_path / "polls.db"), ["1"]
    if kind == "postgres":
        store, workers = request.getfixturevalue("cluster").database(), ["2", "1", "1"]
    rng, port = random.Random(kind), str(free_port())  # it must be free again after every kill
    several = itertools.cycle(workers)

    def started() -> Serving:
        options = ("--open", "--port", port, "--workers", next(several))
        return stack.enter_context(serving(store, *options))

    with ExitStack() as stack:
        server = started()
        client = stack.enter_context(server.client())
        remote = Remote.create(client, access="codes", turnout=20)
        codes = remote.issue(VOTES)
        load = Load(remote)
        threads = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        stack.callback(setattr, load, "over", True)
        clients = [
            threads.submit(load.run, server.address, codes[one::CLIENTS], one)
            for one in range(CLIENTS)
        ]
        for _ in range(KILLS):
            wait_for_answers(load)
            time.sleep(rng.uniform(0, 0.3))
            server.kill()
            before = list(load.answers)
            server = started()
            assert_answered_as_before(remote, rng.sample(before, LEAST))
        wait_for_answers(load)
        load.over = True
        numbers = [one.result() for one in clients]
        assert load.resent >= KILLS
        casts, changes, withdrawals = (sum(column) for column in zip(*numbers, strict=True))
        told = remote.told()
        assert (told["casts"], told["changes"]) == (casts, changes)
        assert (told["withdrawals"], told["codes"]["used"]) == (withdrawals, casts)
        again = min(len(load.answers), AGAIN)
        assert_answered_as_before(remote, rng.sample(load.answers, again))
        assert remote.told() == told
        assert remote.own("POST", "/close").status_code == 200
        assert_board_has_all(remote, server, load, tmp_path)


def wait_for_answers(load: Load) -> None:
    """Until the server is under load again."""
    enough, until = len(load.answers) + LEAST, time.monotonic() + PATIENCE
    while len(load.answers) < enough:
        assert time.monotonic() < until
        time.sleep(0.01)


def assert_answered_as_before(remote: Remote, answers: list[tuple[str, bytes, bytes]]) -> None:
    for kind, body, answer in answers:
        assert remote.send(kind, body).content == answer


def assert_board_has_all(remote: Remote, server: Serving, load: Load, folder: Path) -> None:
    path, files = folder / "board.jsonl", []
    path.write_bytes(remote.client.get(remote.path + "/board").content)
    for number, (_, _, answer) in enumerate(load.answers):
        files.append(folder / f"{number}.json")
        files[-1].write_bytes(answer)
    found = hv.verify_board(path, remote.poll.digest, files)
    assert found.holds
    lines = path.read_text().splitlines()[1:]
    receipts = [httpx.Response(200, text=line).json()["receipt"] for line in lines]
    assert len(receipts) == len(set(receipts)) == found.numbers["standing"]
    assert set(receipts) == load.stands
    assert "Traceback" not in server.output

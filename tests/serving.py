"""A real `hushvote serve` on a free port of this machine, and voters and organisers who use it."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.codes import code_hash, new_code, question_of
from hushvote.poll.credentials import Credential
from hushvote.poll.entries import Entry
from hushvote.poll.hashing import H
from hushvote.poll.requests import Cast, Change, Withdrawal

PATIENCE = 30  # seconds that a server may take to start or to stop
ROOT = "/api/v1/polls"


@dataclass
class Serving:
    """A running server."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def output(self) -> str:
        """Everything that the server has printed."""
        return self.log.read_text(encoding="utf-8")

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=30, trust_env=False, **options)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)


@contextmanager
def serving(store: str | Path, *options: str, **environment: str) -> Iterator[Serving]:
    """Run `hushvote serve` with this store and options; it is stopped by its process id."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "output"
        command = [sys.executable, "-m", "hushvote", "serve", "--port", "0"]
        with log.open("wb") as file:
            process = subprocess.Popen(
                [*command, "--store", str(store), *options],
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, **environment},
            )
        try:
            yield Serving(_address(process, log), process, log)
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = re.search(r"serves polls on (\S+)", log.read_text(encoding="utf-8"))
        if found:
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.02)
    raise AssertionError(f"the server did not start: {log.read_text(encoding='utf-8')}")


@dataclass
class Remote:
    """A poll on a server, seen by its organiser and its voters."""

    client: httpx.Client
    poll: hv.Poll
    key: bytes
    codes: list[str] = field(default_factory=list)

    @classmethod
    def create(cls, client: httpx.Client, token: str | None = None, **settings: Any) -> "Remote":
        """Make a poll as an organiser's device does."""
        key = os.urandom(32)
        wanted = {
            "question": "Who shall speak for us?",
            "candidates": ["Ann", "Bob", "Cem"],
            "closes": int(time.time()) + 3600,
            "organiser": H("hushvote organiser", key).hex(),
            "access": "link",
            **settings,
        }
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = client.post(ROOT, json=wanted, headers=headers)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return cls(client, hv.Poll.load(made["manifest"], made["digest"]), key)

    @property
    def path(self) -> str:
        return f"{ROOT}/{self.poll.id}"

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key.hex()}"}

    def own(self, method: str, path: str = "", **options: Any) -> httpx.Response:
        """What the organiser does."""
        return self.client.request(method, self.path + path, headers=self.bearer, **options)

    def issue(self, number: int) -> list[str]:
        codes = [new_code() for _ in range(number)]
        answer = self.own("POST", "/codes", json={"codes": [self.hash_of(one) for one in codes]})
        assert answer.status_code == 200, answer.text
        self.codes += codes
        return codes

    def question(self, code: str) -> bytes:
        return question_of(self.poll.digest, code)

    def hash_of(self, code: str) -> str:
        return code_hash(self.question(code)).hex()

    def send(self, kind: str, body: bytes) -> httpx.Response:
        headers = {"Content-Type": "application/json"}
        return self.client.post(f"{self.path}/{kind}", content=body, headers=headers)

    def told(self) -> dict[str, Any]:
        return dict(self.client.get(self.path).json())

    def voter(self, code: str | None = None) -> "Voter":
        return Voter(self, Credential.fresh(self.poll.digest), code)


@dataclass
class Voter:
    """One device."""

    remote: Remote
    credential: Credential
    code: str | None = None
    ranking: list[int] | None = None

    def drawn(self) -> Any:
        poll, question = self.remote.poll, self.question
        asked = question if poll.mechanism.needs_question else None
        return poll.draw(self.ranking or list(range(poll.d)), question=asked).report

    @property
    def question(self) -> bytes | None:
        return None if self.code is None else self.remote.question(self.code)

    def cast_body(self) -> bytes:
        poll = self.remote.poll
        return Cast.of(poll, self.credential, self.drawn(), self.question).body(poll)

    def change_body(self) -> bytes:
        """The next change, also one too many."""
        poll, after = self.remote.poll, self.credential.moved()
        report = poll.mechanism.domain.to_wire(self.drawn())
        hashes = (self.credential.secret.hex(), after.receipt.hex())
        return Change(poll.digest, *hashes, report).body(poll)

    def withdrawal_body(self) -> bytes:
        return Withdrawal.of(self.remote.poll, self.credential).body(self.remote.poll)

    def cast(self) -> Acknowledgement:
        return self.checked(self.remote.send("reports", body := self.cast_body()), body)

    def change(self) -> Acknowledgement:
        found = self.checked(self.remote.send("changes", body := self.change_body()), body)
        self.credential = self.credential.moved()
        return found

    def withdraw(self) -> Acknowledgement:
        answer = self.remote.send("withdrawals", self.withdrawal_body())
        assert answer.status_code == 200, answer.text
        found = Acknowledgement.from_json(answer.content)
        found.check(self.remote.poll)
        assert found.withdrawal
        assert found.receipt == self.credential.receipt.hex()
        return found

    def checked(self, answer: httpx.Response, body: bytes) -> Acknowledgement:
        """The acknowledgement, if it is one of this very request."""
        assert answer.status_code == 200, answer.text
        found, poll = Acknowledgement.from_json(answer.content), self.remote.poll
        found.check(poll)
        sent = httpx.Response(200, content=body).json()
        asked = poll.mechanism.needs_question
        question = self.question.hex() if asked and self.question else None
        assert found.salt is not None
        found.check_entry(Entry(sent["receipt"], found.salt, sent["report"], question))
        return found


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, which must be a problem as RFC 9457 has it."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    told = answer.json()
    assert told["status"] == answer.status_code
    assert {"type", "title", "status", "detail", "code"} <= told.keys()
    return answer.status_code, told["code"]

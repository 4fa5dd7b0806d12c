"""Simulated voters who cast at a server of this machine: load for sizing it, votes for a demo.

Their rankings come from an electorate of `hushvote.simulation`; each has a code and a device of its
own, draws with secure bits, and checks what the server has signed. Other people's servers are
never loaded.
"""

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlsplit

import numpy as np

from hushvote.client.links import BallotLink, OrganiserLink, read_server
from hushvote.client.server import ROOT, Server, is_loopback
from hushvote.errors import HushvoteError, PollError
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.codes import code_hash, new_code, question_of, read_code
from hushvote.poll.credentials import Credential
from hushvote.poll.hashing import H
from hushvote.poll.manifest import Poll
from hushvote.poll.requests import Cast
from hushvote.simulation.electorates import Voters

PATIENCE = 60.0  # seconds for an answer
ISSUED = 20_000  # codes in one request
PAUSE = 0.1  # seconds before a lost connection is made anew


@dataclass(frozen=True)
class Held:
    """A poll that was just made, with everything that its organiser knows."""

    server: Server
    poll: Poll
    key: bytes = field(repr=False)
    codes: Sequence[str] = field(repr=False)

    @classmethod
    def made(cls, server: Server, token: str | None, voters: int, **settings: Any) -> "Held":
        """Make a poll of codes on a server, and issue as many."""
        key = os.urandom(32)
        wanted = {
            "closes": int(time.time()) + 7 * 86_400,
            "access": "codes",
            "organiser": H("hushvote organiser", key).hex(),
            **settings,
        }
        told = server.send("POST", "/polls", wanted, token)
        poll = Poll.load(told["manifest"], told["digest"])
        made = cls(server, poll, key, tuple(new_code() for _ in range(voters)))
        hashes = [code_hash(made.question(code)).hex() for code in made.codes]
        for start in range(0, voters, ISSUED):
            made.own("POST", "/codes", {"codes": hashes[start : start + ISSUED]})
        return made

    def question(self, code: str) -> bytes:
        """What a device sends in place of its code."""
        return question_of(self.poll.digest, read_code(code))

    def own(self, method: str, path: str = "", given: Any = None) -> Any:
        """What the organiser asks for."""
        return self.server.send(method, f"/polls/{self.poll.id}{path}", given, self.key.hex())

    def ballot(self, code: str) -> BallotLink:
        """The link of one voter."""
        return BallotLink(self.server.address, self.poll.id, self.poll.digest, read_code(code))

    @property
    def organiser(self) -> OrganiserLink:
        """The organiser's link."""
        return OrganiserLink(self.server.address, self.poll.id, self.key)

    def bodies(self, electorate: str, codes: Sequence[str], seed: int) -> list[bytes]:
        """A cast for each of these codes; only the rankings depend on the seed."""
        voters, d = Voters(electorate), self.poll.d
        orders = voters.checked(
            voters.draw(np.random.default_rng(seed), len(codes), d), len(codes), d
        )
        return [self._body(order.tolist(), code) for order, code in zip(orders, codes, strict=True)]

    def _body(self, ranking: list[int], code: str) -> bytes:
        poll, question = self.poll, self.question(code)
        asked = question if poll.mechanism.needs_question else None
        report = poll.draw(ranking, question=asked).report
        return Cast.of(poll, Credential.fresh(poll.digest), report, question).body(poll)


@dataclass(frozen=True)
class Load:
    """How to send: over some connections, so many a second (0: as fast as answers come), for so
    many seconds (0: until all have voted).
    """

    connections: int = 16
    rate: float = 0.0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.connections < 1 or not (self.rate >= 0 and self.seconds >= 0):  # nor NaN
            raise HushvoteError(
                "a load needs at least one connection, and no negative rate or seconds",
                code="synth.load",
            )


@dataclass(frozen=True)
class Measured:
    """What became of a load."""

    answered: int  # with an acknowledgement that holds
    seconds: float
    times: Sequence[float]  # of each of these, from when it was due
    errors: Counter[str]  # refusals by their code, answers that do not hold, lost connections
    unsent: int

    @property
    def rate(self) -> float:
        """Acknowledged reports a second."""
        return self.answered / self.seconds if self.seconds else 0.0

    def quantile(self, share: float) -> float:
        """Within how many seconds this share was answered."""
        return float(np.quantile(self.times, share)) if self.times else 0.0


def local(address: str) -> Server:
    """A server of this machine; any other is refused."""
    if not is_loopback(urlsplit(read_server(address)).hostname or ""):
        raise HushvoteError(
            "a load is only sent to this machine, as in http://127.0.0.1:8000: run it where the "
            "server runs",
            code="synth.address",
        )
    return Server(address)


def send(held: Held, bodies: Sequence[bytes], load: Load) -> Measured:
    """Send casts and stop the time of each; what was signed is checked afterwards."""
    return asyncio.run(_Sending(held, bodies, load).run())


class _Sending:
    def __init__(self, held: Held, bodies: Sequence[bytes], load: Load) -> None:
        self._held, self._load, self._number = held, load, len(bodies)
        parts = urlsplit(held.server.address)
        if parts.scheme != "http":
            _refuse_https()
        self._place = parts.hostname or "", parts.port or 80
        self._path = f"{parts.path}{ROOT}/polls/{held.poll.id}/reports"
        self._waiting = iter(enumerate(bodies))
        self._answers: list[tuple[float, bytes]] = []
        self._errors: Counter[str] = Counter()

    async def run(self) -> Measured:
        self._began = time.perf_counter()
        connections = min(self._load.connections, self._number)
        await asyncio.gather(*(self._connection() for _ in range(connections)))
        seconds = time.perf_counter() - self._began
        times = [elapsed for elapsed, text in self._answers if self._holds(text)]
        unsent = self._number - len(times) - self._errors.total()
        return Measured(len(times), seconds, times, self._errors, unsent)

    def _holds(self, text: bytes) -> bool:
        try:
            Acknowledgement.from_json(text).check(self._held.poll)
        except PollError as error:
            self._errors[error.code] += 1
            return False
        return True

    def _due(self) -> Iterator[tuple[float, bytes]]:
        """The next casts, each with the moment at which it is due."""
        for number, body in self._waiting:
            now = time.perf_counter()
            due = self._began + number / self._load.rate if self._load.rate else now
            if self._load.seconds and max(due, now) >= self._began + self._load.seconds:
                return
            yield due, body

    async def _connection(self) -> None:
        reader: asyncio.StreamReader | None = None
        for due, body in self._due():
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            try:
                if reader is None:
                    reader, writer = await asyncio.open_connection(*self._place)
                status, text = await asyncio.wait_for(
                    self._exchange(reader, writer, body), PATIENCE
                )
            except (OSError, ValueError, EOFError, TimeoutError) as error:
                self._errors[type(error).__name__] += 1
                reader = None
                await asyncio.sleep(PAUSE)
                continue
            if status == 200:
                self._answers.append((time.perf_counter() - due, text))
            else:  # mostly faster than a vote that is made durable, so it counts into no time
                self._errors[_refusal(status, text)] += 1
        if reader is not None:
            writer.close()

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes
    ) -> tuple[int, bytes]:
        head = f"POST {self._path} HTTP/1.1\r\nhost: {self._place[0]}\r\n"
        kind = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write((head + kind).encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answer.partition(b"content-length:")[2].split(b"\r\n")[0])
        return int(answer.split()[1]), await reader.readexactly(length)


def _refusal(status: int, text: bytes) -> str:
    """The code of a refusal, if it has one."""
    try:
        return str(json.loads(text)["code"])
    except (ValueError, TypeError, KeyError):
        return f"status {status}"


def _refuse_https() -> NoReturn:
    raise HushvoteError(
        "a load is sent by plain http to the server itself, not to the proxy before it",
        code="synth.address",
    )

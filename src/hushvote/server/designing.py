"""Heavy computing of polls in a process of its own: it can be stopped, and holds up no vote.

`python -m hushvote.server.designing` is that process. It loads what its arguments name, reads jobs
from its input and writes what came of them to its output, each as a length and a pickle, and ends
when its input does. Only the server that has started it speaks with it.
"""

import asyncio
import pickle
import struct
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import hushvote as hv
from hushvote import loading
from hushvote.errors import HushvoteError
from hushvote.mechanisms.registry import default_mechanism
from hushvote.naming import mechanism_of, rule_of
from hushvote.server.prospects import Prospect, Question, prospect

LIMIT = 20.0  # seconds that a design may take
MEMORY = 4 << 30  # bytes of addresses that the process may have
PENDING = 8  # designs that may wait for the one before
PLANNING = 4  # jobs beyond which nobody may plan, so that there is always room to design
_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Wanted:
    """A poll to be made; None where the default is taken."""

    server: bytes
    question: str
    candidates: tuple[str, ...]
    description: str | None = None
    rule: str | None = None
    epsilon: str | None = None
    mechanism: str | None = None
    parameters: Mapping[str, Any] | None = None
    seats: int | None = None
    access: str | None = None
    changes: int | None = None
    partial: bool | None = None
    turnout: int | None = None
    live: int | None = None

    def made(self) -> hv.Poll:
        """The poll, with a fresh id."""
        names = ("description", "seats", "access", "changes", "partial", "turnout", "live")
        given = {name: getattr(self, name) for name in names}
        return hv.Poll.create(
            self.question,
            self.candidates,
            self._mechanism(),
            server=self.server,
            **{name: value for name, value in given.items() if value is not None},
        )

    def _mechanism(self) -> hv.Mechanism:
        if self.parameters is not None:
            return hv.mechanism_from(self.parameters)
        rule = rule_of(self.rule or "borda", len(self.candidates))
        return mechanism_of(self.mechanism or default_mechanism(), rule, self.epsilon or "1")


def made(wanted: Wanted) -> tuple[str, str]:
    """The manifest of a poll, and its digest."""
    poll = wanted.made()
    return poll.text, poll.digest


def crowd_epsilon(manifest: str) -> float:
    """What the set of all reports gives away of one voter, at the turnout that is promised."""
    poll = hv.Poll.load(manifest)
    return hv.shuffled_epsilon(poll.mechanism, poll.live or poll.turnout)


# --- the server's side ----------------------------------------------------------------------------


class DesignError(HushvoteError):
    """A design that takes too long, or for which there is no room now."""

    area = "api"


class Designer:
    """One process for all designs, one after the other; started when it is first needed."""

    def __init__(self, limit: float = LIMIT, pending: int = PENDING) -> None:
        self._limit, self._pending = limit, pending
        self._turn = asyncio.Lock()
        self._asking = 0
        self._process: asyncio.subprocess.Process | None = None

    async def made(self, wanted: Wanted) -> tuple[str, str]:
        """The manifest of a poll, and its digest; refused if too many wait already."""
        self._check_room(self._pending)
        found: tuple[str, str] = await self._asked(made, wanted)
        return found

    async def prospect(self, asked: Question) -> Prospect:
        """What a poll could decide; refused if others wait already."""
        self._check_room(min(PLANNING, self._pending))
        found: Prospect = await self._asked(prospect, asked)
        return found

    async def crowd_epsilon(self, manifest: str) -> float:
        """The crowd epsilon of a poll."""
        return float(await self._asked(crowd_epsilon, manifest))

    def _check_room(self, most: int) -> None:
        if self._asking >= most:
            raise DesignError(
                "other polls are being designed: try again in a minute", code="api.crowded"
            )

    async def _asked(self, job: Callable[..., Any], *given: Any) -> Any:
        self._asking += 1
        try:
            async with self._turn:
                async with asyncio.timeout(self._limit):
                    worked, found = await self._talk(pickle.dumps((job.__name__, given)))
        except TimeoutError:
            raise DesignError(
                f"designing this mechanism takes more than {self._limit:g} seconds: take fewer "
                "candidates, or design it with `hushvote design` and give its parameters",
                code="api.design",
                limit=self._limit,
            ) from None
        except (OSError, EOFError):  # it may have been ended for the memory that it took
            worked, found = False, None
        finally:
            self._asking -= 1
        if worked:
            return found
        if isinstance(found, HushvoteError):
            raise found
        raise DesignError(
            "designing this mechanism needs more memory than there is: take fewer candidates",
            code="api.design",
        )

    async def _talk(self, job: bytes) -> tuple[bool, Any]:
        try:
            process = self._process or await self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(_LENGTH.pack(len(job)) + job)
            await process.stdin.drain()
            (length,) = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))
            answer: tuple[bool, Any] = pickle.loads(await process.stdout.readexactly(length))
        except BaseException:  # also when nobody waits any more: its answer would come too late
            await self.stop()
            raise
        return answer

    async def _started(self) -> asyncio.subprocess.Process:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "hushvote.server.designing", *loading.loaded()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # an interrupt is for the server, which ends this one
        )
        return self._process

    async def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


# --- the process ----------------------------------------------------------------------------------

JOBS = {job.__name__: job for job in (made, crowd_epsilon, prospect)}


def _work(jobs: BinaryIO, answers: BinaryIO) -> None:
    while len(length := jobs.read(_LENGTH.size)) == _LENGTH.size:
        name, given = pickle.loads(jobs.read(*_LENGTH.unpack(length)))
        answer = pickle.dumps(_answer(JOBS[name], given))
        answers.write(_LENGTH.pack(len(answer)) + answer)
        answers.flush()


def _answer(job: Callable[..., Any], given: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, job(*given)
    except HushvoteError as error:
        return False, error
    except MemoryError:
        return False, None


def _limit_memory(most: int) -> None:
    """Let a design fail that takes more than this, before the system ends some other process."""
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (least, hard))


if __name__ == "__main__":
    _limit_memory(MEMORY)
    for name in sys.argv[1:]:
        loading.load(name)
    _work(sys.stdin.buffer, sys.stdout.buffer)

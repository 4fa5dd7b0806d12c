"""The least that a server of signed, durable reports could be: a Starlette route, a group commit
into one table, a signature. For comparison alone: it checks nothing.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

sys.path.insert(0, str(Path(__file__).resolve().parent))

import store as stores

from hushvote.server.committing import Committer
from hushvote.server.store.contract import Cast, Done, Outcome


class Table:
    """A store that only writes."""

    def __init__(self, commit: stores.Commit) -> None:
        self._commit = commit

    def commit(self, writes: list[Cast]) -> list[Outcome]:
        self._commit(writes)
        return [Done(one.salt) for one in writes]


def application(commit: stores.Commit) -> Starlette:
    key = Ed25519PrivateKey.generate()
    committer: Committer

    async def route(request: Request) -> JSONResponse:
        sent = json.loads(await request.body())
        receipt, report = bytes.fromhex(sent["receipt"]), json.dumps(sent["report"]).encode()
        kept = await committer.commit(Cast("", receipt, report, os.urandom(16), 0))
        assert isinstance(kept, Done)
        signed = key.sign(receipt + kept.salt).hex()
        return JSONResponse(
            {"receipt": sent["receipt"], "salt": kept.salt.hex(), "signature": signed}
        )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        nonlocal committer
        committer = Committer(Table(commit))  # type: ignore[arg-type]
        yield
        await committer.finish()

    return Starlette(routes=[Route("/", route, methods=["POST"])], lifespan=lifespan)


@contextmanager
def running(url: str, workers: int) -> Iterator[tuple[str, list[int]]]:
    """Its address, while that many processes answer, and these."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2048))
        port = listening.getsockname()[1]
        command = [sys.executable, __file__, url, str(listening.fileno())]
        pids = []
        for _ in range(workers):
            process = subprocess.Popen(
                command, pass_fds=[listening.fileno()], stdout=subprocess.PIPE, text=True
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
            assert process.stdout is not None
            process.stdout.readline()
            pids.append(process.pid)
        time.sleep(1)  # from the last import to the first answer
        yield f"http://127.0.0.1:{port}", pids


def main(url: str, descriptor: str) -> None:
    made = stores.bare_postgres if url.startswith("postgresql://") else stores.bare_sqlite
    with made(url) as commit:
        print("ready", flush=True)
        config = uvicorn.Config(
            application(commit),
            **{"loop": "uvloop", "http": "httptools", "access_log": False, "log_level": "error"},
        )
        uvicorn.Server(config).run([socket.socket(fileno=int(descriptor))])


if __name__ == "__main__":
    main(*sys.argv[1:])

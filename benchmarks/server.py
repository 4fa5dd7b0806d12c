"""Durable, signed reports a second over HTTP, beside a bare Starlette route, and a million stored.

A second process sends casts over some connections, one after the other on each, and stops the time
of every answer. The bare side is a Starlette route with the same group commit, as durable, and the
same signature: it reads the JSON, writes receipt, salt and report into one table and signs; it
checks nothing, looks nothing up and counts nothing. The sides take turns in one run, the best of
each counts. PostgreSQL runs in a cluster of its own, as the tests make it.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bare_server
from ballots import random_orders
from tests.databases import binaries, running_cluster
from tests.serving import Remote, Serving, serving

import hushvote as hv
from hushvote.poll.requests import request_size
from hushvote.server.store.contract import Cast, KeptPoll
from hushvote.server.store.opening import open_store

HERE = Path(__file__).resolve()
D = 8
NAMES = [f"Candidate {j}" for j in range(D)]
FREE = ("--open", "--creations", "0", "--casts", "0")
BATCH = 4096  # reports in a transaction that fills a store


# --- the sender -----------------------------------------------------------------------------------


def bodies(poll: hv.Poll, n: int) -> Iterator[bytes]:
    """Casts of that many voters."""
    mechanism, size = poll.mechanism, request_size(poll)
    reports = mechanism.privatize(random_orders(n, D))
    for i in range(n):
        cast = {
            "poll": poll.digest,
            "receipt": os.urandom(32).hex(),
            "report": mechanism.domain.to_wire(reports[i : i + 1]),
        }
        yield json.dumps(cast, separators=(",", ":")).encode().ljust(size)


class Sender(asyncio.Protocol):
    """One connection: the next request once the last one was answered."""

    def __init__(self, waiting: list[bytes], times: list[float], done: "asyncio.Future[None]"):
        self._waiting, self._times, self._done = waiting, times, done
        self._read = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._next()

    def _next(self) -> None:
        if not self._waiting:
            self._transport.close()
            return
        self._transport.write(self._waiting.pop())
        self._sent = time.perf_counter()

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, found, body = self._read.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(body) < length:
            return
        self._times.append(time.perf_counter() - self._sent)
        if not head.startswith(b"HTTP/1.1 200") or b'"signature"' not in body:
            self._done.set_exception(RuntimeError(self._read[:500]))
            return
        self._read = b""
        self._next()

    def connection_lost(self, _: Exception | None) -> None:
        if not self._done.done():
            self._done.set_result(None)


def send(
    host: str, port: int, path: str, manifest: str, n: int, connections: int
) -> dict[str, Any]:
    """Send casts, and say how many were answered in a second, and how late."""
    made = bodies(hv.Poll.load(manifest), n)
    head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
    waiting = [f"{head}content-length: {len(b)}\r\n\r\n".encode() + b for b in made]
    times: list[float] = []

    async def run() -> float:
        loop = asyncio.get_running_loop()
        ends = [loop.create_future() for _ in range(connections)]
        began = time.perf_counter()
        for end in ends:
            await loop.create_connection(lambda end=end: Sender(waiting, times, end), host, port)
        await asyncio.gather(*ends)
        return time.perf_counter() - began

    import uvloop

    seconds = uvloop.run(run())
    return {"rate": len(times) / seconds, "p99": float(np.quantile(times, 0.99))}


def sent(address: str, path: str, manifest: str, n: int, connections: int) -> dict[str, Any]:
    """The same from a process of its own."""
    host, _, port = address.removeprefix("http://").partition(":")
    given = json.dumps([host, int(port), path, manifest, n, connections])
    command = [sys.executable, str(HERE), "--send"]
    done = subprocess.run(command, input=given, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


# --- both sides -----------------------------------------------------------------------------------


def created(server: Serving, **settings: Any) -> Remote:
    with server.client() as client:
        chosen = {"candidates": NAMES, "rule": "borda", "epsilon": "1", **settings}
        return Remote.create(client, **chosen)


def compared(url: Callable[[], str], workers: int, options: argparse.Namespace) -> list[Any]:
    """Rates and times of both sides, in turns."""
    best: dict[str, dict[str, Any]] = {}
    more = ("--workers", str(workers))
    with ExitStack() as stack:
        server = stack.enter_context(serving(url(), *FREE, *more))
        bare = stack.enter_context(bare_server.running(url(), workers))
        remote = created(server)
        for _ in range(options.repeats):
            for side, address, path in (
                ("hushvote", server.address, f"{remote.path}/reports"),
                ("bare", bare, "/"),
            ):
                given = (path, remote.poll.text, options.n, options.connections)
                found = sent(address, *given)
                if found["rate"] > best.get(side, {"rate": 0})["rate"]:
                    best[side] = found
    return [best["hushvote"], best["bare"]]


# --- a million ------------------------------------------------------------------------------------


def resident(pid: int, entry: str = "VmRSS") -> float:
    """Megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{entry}:")) / 1000


def fill(path: str, kept: KeptPoll, n: int) -> float:
    """Put reports into the store of a server that does not run; seconds."""
    mechanism, store = hv.Poll.load(kept.manifest).mechanism, open_store(path)
    began = time.perf_counter()
    for start in range(0, n, BATCH):
        size = min(BATCH, n - start)
        reports = mechanism.privatize(random_orders(size, D))
        store.commit(
            [
                Cast(kept.id, os.urandom(32), reports[i : i + 1].tobytes(), os.urandom(16), 490_000)
                for i in range(size)
            ]
        )
    store.shut()
    return time.perf_counter() - began


def timed(act: Callable[[], httpx.Response]) -> float:
    began = time.perf_counter()
    answer = act()
    if answer.status_code != 200:
        raise RuntimeError(answer.text)
    return time.perf_counter() - began


def million(folder: Path, n: int) -> Sequence[tuple[str, str]]:
    """What a server needs for a poll of so many reports."""
    path = str(folder / "million.db")
    with serving(path, *FREE) as server:
        remote = created(server, live=20)
        empty = resident(server.process.pid)
    store = open_store(path)
    kept = store.poll(remote.poll.id)
    store.shut()
    assert kept is not None
    rows = [("filled directly", f"{fill(path, kept, n):.1f} s")]
    with serving(path, *FREE) as server, server.client() as client:
        client.timeout = httpx.Timeout(600)
        remote.client = client
        remote.voter().cast()

        def result() -> httpx.Response:
            return client.get(remote.path + "/result")

        held = resident(server.process.pid)
        rows.append(("memory, one vote after a restart", f"{held:.0f} MB ({empty:.0f} MB empty)"))
        for what in ("live result: recount", "live result, cached"):
            rows.append((what, f"{1000 * timed(result):,.1f} ms"))
        peak = resident(server.process.pid, "VmHWM")
        rows.append(("peak memory with a live result", f"{peak:.0f} MB"))
        closing = timed(lambda: remote.own("POST", "/close"))
        rows.append(("close: everything rewritten in order", f"{closing:.1f} s"))
        for what in ("final result: recount, every report inspected", "final result, cached"):
            rows.append((what, f"{1000 * timed(result):,.1f} ms"))
        peak = resident(server.process.pid, "VmHWM")
        rows.append(("peak memory with the final result", f"{peak:.0f} MB"))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=20_000, help="casts in a turn")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--stored", type=int, default=1_000_000, help="reports; 0: leave it out")
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.send:
        print(json.dumps(send(*json.loads(sys.stdin.read()))))
        return
    console = Console()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        table = Table(title=f"duel, d = {D}, {options.connections} connections")
        for name in ("store", "workers", "hushvote", "p99", "bare", "p99", "ratio"):
            table.add_column(name, justify="left" if name == "store" else "right")
        numbers = iter(range(100))
        runs = [("SQLite", 1, lambda: str(folder / f"{next(numbers)}.db"))]
        if binaries() is not None:
            runs.append(("PostgreSQL", 2, stack.enter_context(running_cluster()).database))
        for name, workers, url in runs:
            ours, bare = compared(url, workers, options)
            told = [f(x) for x in (ours, bare) for f in (_rate, _late)]
            table.add_row(name, str(workers), *told, f"{ours['rate'] / bare['rate']:.2f}x")
        console.print(table)
        if options.stored:
            rows = Table("what", "", title=f"{options.stored:,} stored reports, SQLite")
            for row in million(folder, options.stored):
                rows.add_row(*row)
            console.print(rows)


def _rate(found: dict[str, Any]) -> str:
    return f"{found['rate']:,.0f}/s"


def _late(found: dict[str, Any]) -> str:
    return f"{1000 * found['p99']:.1f} ms"


if __name__ == "__main__":
    main()

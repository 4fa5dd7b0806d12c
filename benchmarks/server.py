"""Durable, signed reports a second over HTTP, beside a bare Starlette route, and a million stored.

A second process sends casts over some connections, one after the other on each, and stops the time
of every answer (`sender.py`). Of each process the time of the processor is told, too: on a machine
that others use, or that sender and server share, it says more than the rate. The bare side is a
Starlette route with the same group commit, as durable, and the same signature: it reads the JSON,
writes receipt, salt and report into one table and signs; it checks nothing, looks nothing up and
counts nothing. The sides take turns in one run, the best of each counts. PostgreSQL runs in a
cluster of its own, as the tests make it.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bare_server
import sender
from tests.databases import binaries, running_cluster
from tests.serving import Remote, Serving, serving

import hushvote as hv
from ballots import random_orders
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.codes import code_hash
from hushvote.poll.requests import request_size
from hushvote.server.store.contract import Cast, KeptPoll
from hushvote.server.store.opening import open_store

HERE = Path(__file__).resolve()
D = 8
NAMES = [f"Candidate {j}" for j in range(D)]
FREE = ("--open", "--creations", "0", "--casts", "0")
BATCH = 4096  # reports in a transaction that fills a store
TICKS = os.sysconf("SC_CLK_TCK")
SAMPLE = 200  # answers whose signatures are checked
CASTS = 20_000  # in a turn
CONNECTIONS = 64
TURNS = 3


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


def send(
    host: str, port: int, path: str, manifest: str, n: int, connections: int, signed: bool
) -> dict[str, Any]:
    """Send casts that are made before, and say how many were answered in a second, how late, and
    what that took of the sender; afterwards the signatures of some are checked.
    """
    poll = hv.Poll.load(manifest)
    requests = [sender.request(host, path, body) for body in bodies(poll, n + 1)]
    found = sender.send(host, port, requests, connections)
    if signed:
        for answer in random.sample(found.answers, SAMPLE):
            Acknowledgement.from_json(answer).check(poll)
    times = [1000 * float(np.quantile(found.times, one)) for one in (0.5, 0.99)]
    return {"rate": found.rate, "p50": times[0], "p99": times[1], "sender": 1e6 * found.cpu / n}


def sent(address: str, path: str, manifest: str, n: int, *more: Any) -> dict[str, Any]:
    """The same from a process of its own."""
    host, _, port = address.removeprefix("http://").partition(":")
    given = json.dumps([host, int(port), path, manifest, n, *more])
    command = [sys.executable, str(HERE), "--send"]
    done = subprocess.run(command, input=given, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def family(pids: Iterable[int]) -> list[int]:
    """Processes, and those that they have started."""
    found: list[int] = []
    for pid in pids:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        found += [pid, *family(map(int, children))]
    return found


def used(pids: Iterable[int]) -> float:
    """Seconds of the processor that processes and those that they have started have used."""
    ticks = 0
    for pid in family(pids):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


def resident(pid: int, entry: str = "VmRSS") -> float:
    """Megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{entry}:")) / 1000


# --- both sides -----------------------------------------------------------------------------------


def created(server: Serving, **settings: Any) -> Remote:
    with server.client() as client:
        chosen = {"candidates": NAMES, "rule": "borda", "epsilon": "1", **settings}
        return Remote.create(client, **chosen)


Kind = tuple[str, int, Callable[[], str], list[int]]
"""A store: its name, how many workers serve it, where a new one is, and the database's process."""


@contextmanager
def stores_here() -> Iterator[list[Kind]]:
    """SQLite, and PostgreSQL where its programs are installed."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        numbers = iter(range(100))
        stores: list[Kind] = [("SQLite", 1, lambda: str(folder / f"{next(numbers)}.db"), [])]
        if binaries() is not None:
            cluster = stack.enter_context(running_cluster())
            assert cluster.process is not None
            stores.append(("PostgreSQL", 2, cluster.database, [cluster.process.pid]))
        yield stores


def compared(
    url: Callable[[], str],
    workers: int,
    database: Sequence[int],
    *,
    n: int = CASTS,
    connections: int = CONNECTIONS,
    repeats: int = TURNS,
) -> dict[str, dict[str, Any]]:
    """Rates, times and costs of both sides, in turns; the best turn of each."""
    best: dict[str, dict[str, Any]] = {}
    memory: dict[str, list[float]] = {}
    with ExitStack() as stack:
        server = stack.enter_context(serving(url(), *FREE, "--workers", str(workers)))
        bare, processes = stack.enter_context(bare_server.running(url(), workers))
        remote = created(server)
        sides = (
            ("hushvote", server.address, f"{remote.path}/reports", [server.process.pid]),
            ("bare", bare, "/", processes),
        )
        for _ in range(repeats):
            for side, address, path, pids in sides:
                before = used(pids), used(database)
                signed = side == "hushvote"
                given = (path, remote.poll.text, n, connections, signed)
                found = sent(address, *given)
                found["server"] = 1e6 * (used(pids) - before[0]) / n
                found["database"] = 1e6 * (used(database) - before[1]) / n
                memory.setdefault(side, []).append(sum(map(resident, family(pids))))
                if found["rate"] > best.get(side, {"rate": 0})["rate"]:
                    best[side] = found
    for side, found in best.items():
        found["memory"] = memory[side][0], memory[side][-1]
    return best


# --- a million ------------------------------------------------------------------------------------


def lasting(url: str, options: argparse.Namespace) -> Iterator[tuple[int, float, float, float]]:
    """Casts by HTTP into one server, turn after turn: how many in all, the rate and the p99 of the
    turn, and the memory after it.
    """
    with serving(url, *FREE) as server:
        remote = created(server)
        given = (f"{remote.path}/reports", remote.poll.text, options.n, options.connections, True)
        for casts in range(options.n, options.lasting + 1, options.n):
            found = sent(server.address, *given)
            memory = sum(map(resident, family([server.process.pid])))
            yield casts, found["rate"], found["p99"], memory


KINDS = {
    "duel by link": {"access": "link", "live": 20},
    "duel with codes": {"access": "codes", "live": 20},
    "challenge with codes": {"access": "codes", "live": 20, "mechanism": "challenge"},
}


def fill(url: str, kept: KeptPoll, n: int) -> None:
    """Put reports, and the codes that they need, into the store of a server that does not run."""
    poll, store = hv.Poll.load(kept.manifest), open_store(url)
    asks = poll.mechanism.needs_question
    for start in range(0, n, BATCH):
        size = min(BATCH, n - start)
        questions = [os.urandom(32) for _ in range(size)]
        codes = [code_hash(one) for one in questions]
        given = np.frombuffer(b"".join(questions), np.uint8).reshape(size, 32) if asks else None
        reports = poll.mechanism.privatize(random_orders(size, D), questions=given)
        coded: Sequence[tuple[Any, ...]] = [()] * size
        if poll.access == "codes":
            store.issue(kept.id, codes, {"at": 0, "event": "issued", "codes": size})
            coded = [(*one, asks) for one in zip(questions, codes, strict=True)]
        store.commit(
            [
                Cast(kept.id, os.urandom(32), one.tobytes(), os.urandom(16), 490_000, *more)
                for one, more in zip(reports, coded, strict=True)
            ]
        )
    store.shut()


def timed(act: Callable[[], httpx.Response]) -> str:
    began = time.perf_counter()
    answer = act()
    if answer.status_code != 200:
        raise RuntimeError(answer.text)
    return f"{time.perf_counter() - began:,.2f} s"


def million(url: str, n: int, **settings: Any) -> Iterator[str]:
    """What a server needs for a poll of so many reports."""
    with serving(url, *FREE) as server:
        remote = created(server, **settings)
    store = open_store(url)
    kept = store.poll(remote.poll.id)
    store.shut()
    assert kept is not None
    fill(url, kept, n)
    with serving(url, *FREE) as server, server.client() as client:
        client.timeout, remote.client = httpx.Timeout(600), client
        result = lambda: client.get(remote.path + "/result")  # noqa: E731
        yield f"{resident(server.process.pid):.0f} MB"
        yield timed(result)
        yield timed(result)
        yield timed(lambda: remote.own("POST", "/close"))
        yield timed(result)
        yield timed(result)
        yield f"{resident(server.process.pid, 'VmHWM'):.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=CASTS, help="casts in a turn")
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--repeats", type=int, default=TURNS, help="0: leave it out")
    parser.add_argument("--stored", type=int, default=1_000_000, help="reports; 0: leave it out")
    parser.add_argument("--lasting", type=int, default=0, help="casts by HTTP into one server")
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.send:
        print(json.dumps(send(*json.loads(sys.stdin.read()))))
        return
    console = Console(width=120)
    with stores_here() as stores:
        if options.repeats:
            console.print(_rates(stores, options))
        if options.stored:
            console.print(_counts(stores, options.stored))
        if options.lasting:
            console.print(_lasting(stores[0][2](), options))


def _rates(stores: Sequence[Kind], options: argparse.Namespace) -> Table:
    load = os.getloadavg()[0]
    title = f"duel, d = {D}, {options.connections} connections; load before: {load:.1f}"
    columns = ("side", "reports/s", "p50", "p99", "server", "database", "sender", "memory")
    under = "µs of the processor a report; memory of the server after the first and the last turn"
    table = Table("store", "workers", *columns, title=title, caption=under)
    for name, workers, url, database in stores:
        best = compared(
            url,
            workers,
            database,
            n=options.n,
            connections=options.connections,
            repeats=options.repeats,
        )
        for side, found in best.items():
            costs = (f"{found[one]:.0f} µs" for one in ("server", "database", "sender"))
            times = (f"{found[one]:.1f} ms" for one in ("p50", "p99"))
            memory = "{:.0f}, {:.0f} MB".format(*found["memory"])
            table.add_row(name, str(workers), side, f"{found['rate']:,.0f}", *times, *costs, memory)
        ratio = best["hushvote"]["rate"] / best["bare"]["rate"]
        table.add_row(name, "", "ratio", f"{ratio:.2f}x")
    return table


def _lasting(url: str, options: argparse.Namespace) -> Table:
    title = f"{options.lasting:,} casts into one server, SQLite, one worker"
    table = Table("casts", "reports/s", "p99", "memory", title=title)
    for casts, rate, p99, memory in lasting(url, options):
        if casts * 10 // options.lasting > (casts - options.n) * 10 // options.lasting:
            table.add_row(f"{casts:,}", f"{rate:,.0f}", f"{p99:.1f} ms", f"{memory:.0f} MB")
    return table


def _counts(stores: Sequence[Kind], n: int) -> Table:
    columns = ("memory", "live result", "again", "close", "final result", "again", "most memory")
    table = Table("store", "poll", *columns, title=f"{n:,} stored reports, one worker")
    for name, _, url, _ in stores:
        for kind, settings in KINDS.items():
            table.add_row(name, kind, *million(url(), n, **settings))
    return table


if __name__ == "__main__":
    main()

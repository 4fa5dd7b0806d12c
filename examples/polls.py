"""A server of polls with a closed and an open one, both of simulated voters: `make run`.

Everything is in the folder `demo`, which every run begins anew. The server runs until Ctrl-C, or
until it is told to end.
"""

# ruff: noqa: E402 - imports take a second, in which Ctrl-C should just end this
import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table

from hushvote.client.server import Server
from hushvote.client.simulated import Held, Load, send

ENDS = (signal.SIGINT, signal.SIGTERM)
FOLDER = Path("demo")
PORTS = (8000, 0)  # 0: whichever is free
PEOPLE = ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji")
PLACES = ("By the lake", "In the woods", "On the roof", "In the yard")
OPEN = 24  # voters of the open poll: as many as it needs to show a result
VOTERS, EPSILON = 500, "3"  # of the closed poll
ELECTORATE = "mallows:phi=0.25"  # simulated voters most of whom agree, so that somebody surely wins
console = Console(highlight=False, emoji=False)


def main() -> None:
    """Run the demo until it is told to end."""
    for told in ENDS:
        signal.signal(told, signal.default_int_handler)
    try:
        demonstrate()
    except KeyboardInterrupt:
        console.print("\nStopped.")


def demonstrate() -> None:
    """Make the polls, show what can be done with them, and stay until told to stop."""
    with locked(FOLDER), running() as (process, address):
        server = Server(address)
        chair = "Who shall chair the works council?"
        wanted = {"question": chair, "candidates": PEOPLE, "epsilon": EPSILON}
        closed = voted(server, VOTERS, VOTERS, **wanted)
        closed.own("POST", "/close")
        result = server.get(f"/polls/{closed.poll.id}/result")
        board = FOLDER / "board.jsonl"
        server.save(f"/polls/{closed.poll.id}/board", board)
        party = "Where shall we hold the summer party?"
        going = voted(server, 30, OPEN, question=party, candidates=PLACES, epsilon="3")
        show_result(closed, result)
        show_pages(address, closed, going)
        show_commands(closed, going, board)
        console.print(f"\nThe server runs at {address} until you press [bold]Ctrl-C[/].")
        sys.stdout.flush()
        process.wait()


def voted(server: Server, codes: int, voters: int, **settings: Any) -> Held:
    """A poll in which so many of those with a code have voted."""
    held = Held.made(server, None, codes, **settings)
    found = send(held, held.bodies(ELECTORATE, held.codes[:voters], codes), Load())
    if found.answered != voters:
        sys.exit(f"only {found.answered} of {voters} votes were taken: {dict(found.errors)}")
    return held


def show_result(held: Held, result: dict[str, Any]) -> None:
    """The table of a closed poll, and what it means."""
    title = f"Closed: {held.poll.question} ({result['n']} simulated voters)"
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading in ("place", "candidate", "score", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "candidate" else "right")
    for row in result["candidates"]:
        interval = f"{row['low']:.2f} to {row['high']:.2f}"
        table.add_row(str(row["place"]), row["candidate"], f"{row['score']:.2f}", interval)
    console.print()
    console.print(table)
    console.print(result["words"][0], markup=False)


def show_pages(address: str, closed: Held, going: Held) -> None:
    """What to open in a browser: a line is an address alone, so that terminals make it a link."""
    over = f"{address}/p/{closed.poll.id}"
    console.print(f"\n[bold]Open:[/] {going.poll.question} ({OPEN} simulated voters)")
    console.print("\n[bold]In a browser[/], on this machine:\n")
    for what, page in (
        ("the result of the closed poll", f"{over}/result"),
        ("its board: count it again with one click", f"{over}/board#{closed.poll.digest}"),
        ("a ballot of the open poll", str(going.ballot(going.codes[-2]))),
        ("its organiser's page", str(going.organiser)),
        ("make a poll of your own", f"{address}/new"),
    ):
        console.print(f"# {what}", style="dim")
        print(page)


def show_commands(closed: Held, going: Held, board: Path) -> None:
    """What to type next, in another terminal."""
    hushvote = os.path.relpath(Path(sys.executable).parent / "hushvote")
    digest = closed.poll.digest
    unused = str(going.ballot(going.codes[-1]))
    organiser = str(going.organiser)
    console.print("\n[bold]In another terminal[/], from this folder:\n")
    for what, words in (
        ("check and count the closed poll again", ("verify", str(board), "--digest", digest)),
        ("vote in the open one", ("vote", unused)),
        ("see how it stands, as its organiser", ("poll", "show", organiser)),
        ("close it", ("poll", "close", organiser)),
        ("see its result", ("poll", "result", organiser)),
    ):
        console.print(f"# {what}", style="dim")
        print(shlex.join([hushvote, *words]))
    print(f"\nAll data is in {FOLDER.resolve()}; the next run begins it anew.")


# --- the server and its folder --------------------------------------------------------------------


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """An empty folder that no other run uses."""
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(f"another run uses {folder.resolve()}: stop it first")
        for one in folder.iterdir():
            if one.name == "lock":
                continue
            if one.is_dir():
                shutil.rmtree(one)
            else:
                one.unlink()
        yield


@contextmanager
def running() -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server with its address; it is stopped at the end."""
    for port in PORTS:
        options = ("--store", str(FOLDER / "polls.db"), "--port", str(port))
        process = subprocess.Popen(
            [sys.executable, "-m", "hushvote", "serve", *options, "--open", "--creations", "0"],
            stdout=subprocess.PIPE,
            stderr=None if port == PORTS[-1] else subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            if (address := told_address(process.stdout)) is not None:
                yield process, address
                return
        finally:
            for told in ENDS:
                signal.signal(told, signal.SIG_IGN)
            process.terminate()
            process.wait()
            for told in ENDS:
                signal.signal(told, signal.default_int_handler)
    sys.exit("the server did not start")


def told_address(output: TextIO) -> str | None:
    """The address, once the server is ready; None if it ends before."""
    for line in output:
        if found := re.search(r"serves polls on (\S+)", line):
            return found[1]
    return None


if __name__ == "__main__":
    main()

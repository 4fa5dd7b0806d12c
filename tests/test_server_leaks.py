"""What a server leaves on a disk: nothing of who voted, when, or which code gave which report.

The database, its log, everything the server has printed and its temporary and cached files are
searched after load and close, while it runs and after it was killed; nothing in memory is.
"""

import ipaddress
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from hushvote.poll.codes import new_code, read_code
from hushvote.poll.credentials import secret_of
from hushvote.server.service import token_hash
from tests.serving import Remote, Serving, Voter, serving

pytestmark = pytest.mark.slow

TOKEN = "the-operators-own-token-9f3b"
AGENT = "Canarybird/77.5 (a device of one voter)"
VOTERS = 150
FAR = 0.5  # correlation of 150 places with an order: six deviations, by chance below 1e-8
PAGE = 4096  # bytes


@dataclass
class Held:
    """A poll and its voters, in the order in which they cast."""

    remote: Remote
    voters: list[Voter]
    first: list[bytes]  # receipts of their casts
    stands: list[bool]


@dataclass
class Loaded:
    """What a server was told, and where it may have left it."""

    server: Serving
    folder: Path
    polls: dict[str, Held] = field(default_factory=dict)
    addresses: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # codes and keys that were refused
    began: float = 0.0
    ended: float = 0.0
    before: dict[str, bytes] = field(default_factory=dict)  # files before the polls were closed
    running: dict[str, bytes] = field(default_factory=dict)
    killed: dict[str, bytes] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        """Everything that the server may have written."""
        found = {str(one): one.read_bytes() for one in self.folder.rglob("*") if one.is_file()}
        return {**found, "output": self.server.output.encode()}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory) -> Iterator[Loaded]:
    folder, tokens = tmp_path_factory.mktemp("server"), tmp_path_factory.mktemp("token")
    (tokens / "token").write_text(TOKEN)
    for name in ("temporary", "cache"):
        (folder / name).mkdir()
    options = ("--token-file", str(tokens / "token"), "--trusted-proxy", "127.0.0.1")
    places = {"TMPDIR": str(folder / "temporary"), "XDG_CACHE_HOME": str(folder / "cache")}
    with serving(folder / "polls.db", *options, **places) as server:
        load = Loaded(server, folder)
        with server.client(headers={"User-Agent": AGENT}) as client:
            settings = {
                "link": {"access": "link"},
                "codes": {"access": "codes"},
                "challenge": {"access": "codes", "mechanism": "challenge"},
            }
            for name, chosen in settings.items():
                load.polls[name] = Held(Remote.create(client, TOKEN, **chosen), [], [], [])
                if name != "link":
                    load.polls[name].remote.issue(VOTERS)
            time.sleep(1.1)  # so that votes and events have no second in common
            load.began = time.time()
            for name in load.polls:
                vote(load, name)
                misbehave(load, name)
            load.ended = time.time()
            load.before = load.files()
            time.sleep(2.1)  # the second of the close is kept
            for held in load.polls.values():
                close(held.remote)
            load.running = load.files()
        server.kill()
        load.killed = load.files()
        yield load


def vote(load: Loaded, name: str) -> None:
    """One voter after the other, each from a network of their own; some change or withdraw."""
    held = load.polls[name]
    codes = held.remote.codes or [None] * VOTERS
    for number, code in enumerate(codes):
        network = len(load.addresses)
        address = f"198.{18 + network // 256}.{network % 256}.77"
        if number % 5 == 0:
            address = f"2001:db8:{network + 4096:x}:abcd::77"
        load.addresses.append(address)
        held.remote.client.headers["X-Forwarded-For"] = address
        voter = held.remote.voter(code)
        voter.cast()
        held.first.append(voter.credential.receipt)
        if number % 7 == 0:
            voter.change()
        if number % 11 == 0:
            voter.withdraw()
        held.voters.append(voter)
        held.stands.append(number % 11 != 0)


def misbehave(load: Loaded, name: str) -> None:
    """Requests that are refused must leave no more than those that are not."""
    held = load.polls[name]
    remote, client = held.remote, held.remote.client
    code, key = new_code(), "5e" * 32
    load.wrong += [code, key]
    if name != "link":
        stranger = remote.voter(code)
        assert remote.send("reports", stranger.cast_body()).status_code == 403
    voter = held.voters[1]
    body = voter.withdrawal_body()
    broken = body.replace(b"reveals", b"reveels")
    assert remote.send("withdrawals", broken).status_code == 400
    assert remote.send("withdrawals", body + b"{").status_code == 400
    assert client.post(f"{remote.path}/{voter.credential.secret.hex()}").status_code == 404
    bearer = {"Authorization": f"Bearer {key}"}
    assert client.post(remote.path + "/close", headers=bearer).status_code == 401


def close(remote: Remote) -> None:
    """Close, and fetch all that is made of a closed poll."""
    assert remote.own("POST", "/close").status_code == 200
    for path in ("/result", "/board", "/export"):
        assert remote.own("GET", path).status_code == 200


def forms(raw: bytes) -> tuple[bytes, ...]:
    """Bytes as they may stand in a file."""
    return raw, raw.hex().encode(), raw.hex().upper().encode()


def found(needles: dict[str, tuple[bytes, ...]], files: dict[str, bytes]) -> list[str]:
    """Which of these stand where."""
    return [
        f"{what} in {file}"
        for (what, shapes), (file, content) in product(needles.items(), files.items())
        if any(shape in content for shape in shapes)
    ]


def both(load: Loaded) -> dict[str, bytes]:
    """All files after close: of the running server, and of the killed one."""
    before = set(load.running.values())
    others = {name: content for name, content in load.killed.items() if content not in before}
    return {**load.running, **{f"{name} after the kill": one for name, one in others.items()}}


def test_the_search_finds_what_is_there(loaded):
    for held in loaded.polls.values():
        place = held.stands.index(True)
        receipt = held.voters[place].credential.receipt
        hits = found({"receipt": forms(receipt)}, loaded.running)
        assert any("polls.db" in one for one in hits)
        assert any("temporary" in one for one in hits)  # the board
        assert found({"receipt": forms(receipt)}, {"db": loaded.killed[database(loaded)]})
    assert "serves polls on" in loaded.running["output"].decode()


def test_no_address_and_no_user_agent_is_left(loaded):
    needles = {"agent": (AGENT.encode(), b"Canarybird", b"httpx")}
    for address in loaded.addresses:
        one = ipaddress.ip_address(address)
        shapes = [address.encode(), one.exploded.encode()]
        if one.version == 4:  # its four bytes alone stand in random hashes too often
            shapes.append(address.rpartition(".")[0].encode() + b".")  # the network
        else:
            shapes += [*forms(one.packed), address.partition(":abcd")[0].encode() + b":"]
        needles[address] = tuple(shapes)
    assert not found(needles, {**both(loaded), **loaded.before})


def test_no_secret_is_left_that_was_not_revealed(loaded):
    needles = {}
    for name, held in loaded.polls.items():
        for number, (voter, stands) in enumerate(zip(held.voters, held.stands, strict=True)):
            seed, position = voter.credential.seed, voter.credential.position
            needles[f"seed {name} {number}"] = forms(seed)
            for i in range(position + (not stands), position + 3):
                needles[f"secret {name} {number} {i}"] = forms(secret_of(seed, i))
    assert len(needles) > 3 * VOTERS * 3
    assert not found(needles, {**both(loaded), **loaded.before})


def test_no_code_no_key_and_no_token_is_left(loaded):
    needles = {"token": (TOKEN.encode(), *forms(token_hash(TOKEN)))}
    for name, held in loaded.polls.items():
        needles[f"key {name}"] = forms(held.remote.key)
        for code in held.remote.codes:
            plain = read_code(code)
            needles[code] = tuple(one.encode() for one in (code, plain, plain.lower()))
    for one in loaded.wrong:
        needles[one] = (one.encode(),)
    assert not found(needles, {**both(loaded), **loaded.before})


def test_no_moment_of_a_vote_is_left(loaded):
    """In text as a number or a date; in the database as a number, of seconds or of parts of one."""
    began, ended = int(loaded.began), int(loaded.ended)
    for name, content in {**both(loaded), **loaded.before}.items():
        for match in re.finditer(rb"(?<![0-9])1[0-9]{9}", content):
            assert not began <= int(match[0]) <= ended, f"{match[0]!r} in {name}"
        assert not re.search(rb"20[0-9]{2}-[01][0-9]-[0-3][0-9][T ][0-2][0-9]:", content), name
    assert not re.search(rb"[0-2][0-9]:[0-5][0-9]:", loaded.running["output"])
    with closing(sqlite3.connect(database(loaded))) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master")]
        values = [
            one
            for table in tables
            if not table.startswith("sqlite_")
            for row in db.execute(f"SELECT * FROM {table}")
            for one in row
            if isinstance(one, int | float)
        ]
    hour = int(loaded.began) // 3600
    assert {hour, int(loaded.ended) // 3600} & set(values)  # the hours are there: it can be found
    for scale in (1, 10**3, 10**6, 10**9):
        assert not [v for v in values if began * scale <= v <= (ended + 1) * scale]


def database(load: Loaded) -> str:
    return str(load.folder / "polls.db")


def order_kept(content: bytes, hashes: list[bytes]) -> float:
    """The correlation of places in a file, page by page, with the order of casts; 0 if the hashes
    are not there. Of hashes in hex or as bytes, whichever shows more.
    """
    shown = 0.0
    for shape in (0, 1):
        places = np.array([content.find(forms(one)[shape]) for one in hashes])
        there = places >= 0
        if np.count_nonzero(there) < VOTERS // 2:
            continue
        pages = places[there] // PAGE
        if len(set(pages)) > 1:
            shown = max(shown, abs(float(np.corrcoef(pages, np.flatnonzero(there))[0, 1])))
    return shown


def paired(content: bytes, held: Held) -> int:
    """Voters of whom the question and the receipt of the cast stand on one page."""
    number = 0
    for voter, receipt in zip(held.voters, held.first, strict=True):
        assert voter.question is not None
        pages = [
            {match.start() // PAGE for match in re.finditer(re.escape(one), content)}
            for one in (voter.question, receipt)
        ]
        number += bool(pages[0] & pages[1])
    return number


def test_the_order_of_casts_is_in_the_log_before_close(loaded):
    """As the documentation says; and so that the next test can fail."""
    log = loaded.before[database(loaded) + "-wal"]
    held = loaded.polls["codes"]
    assert order_kept(log, held.first) > 0.9
    assert order_kept(log, [voter.question or b"" for voter in held.voters]) > 0.9


def test_after_close_nothing_pairs_a_code_and_a_report(loaded):
    held = loaded.polls["codes"]
    questions = [voter.question or b"" for voter in held.voters]
    for name, content in both(loaded).items():
        assert order_kept(content, held.first) < FAR, name
        assert order_kept(content, questions) < FAR, name
    for files in (loaded.running, loaded.killed):
        content = files[database(loaded)]
        assert paired(content, held) == 0
        log = files.get(database(loaded) + "-wal", b"")
        assert not found({"receipt": tuple(held.first), "q": tuple(questions)}, {"log": log})
        for one in questions:
            assert content.count(one) == 1  # no second place that could tell more
        for voter, receipt in zip(held.voters, held.first, strict=True):
            changed = voter.credential.position > 0  # the board says what took its place
            assert content.count(receipt) == 1 + changed
    answered = loaded.polls["challenge"]  # where the question belongs to the report
    assert paired(loaded.running[database(loaded)], answered) > VOTERS // 2

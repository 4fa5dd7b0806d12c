"""Hostile requests: malformed ones change nothing and stop nothing; secrets are never repeated."""

import asyncio
import json
import os
import random
import re
import socket
import time
from pathlib import Path

import httpx
import pytest

from hushvote.poll.codes import new_code
from hushvote.poll.hashing import H
from hushvote.server import polls
from hushvote.server.api.reading import LARGEST, body
from hushvote.server.designing import MEMORY
from hushvote.server.polls import MOST_EVENTS, ApiError
from tests.keeping import POLL, a_poll, event, hashed, opened
from tests.serving import ROOT, Remote, Serving, refused, serving

pytestmark = pytest.mark.slow
JSON = {"Content-Type": "application/json"}
OPTIONS = ("--open", "--creations", "0", "--casts", "0", "--failed-codes", "0")
BODIES = 10_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("store") / "polls.db", *OPTIONS) as one:
        yield one


@pytest.fixture(scope="module")
def client(server: Serving):
    with server.client() as one:
        yield one


# --- malformed bodies -----------------------------------------------------------------------------

PIECES = (
    *(b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u0000", b"\\ud800", b"null", b"true"),
    *(b"NaN", b"-Infinity", b"1e999", b"-0", b"1.0", b"9" * 70, b"\xff\xfe", b"\x00", b"\xf0\x9f"),
    *(b"\xef\xbb\xbf", b"[" * 600, b'{"a":' * 300, b"  ", b"\t", b"\n"),
)
STRANGE = (None, True, 0, -1, 2**64, 1.5, "", "x", "0" * 64, [], [[]], {}, {"a": 1}, [0, 1, 2])


def mangled(body: bytes, rng: random.Random) -> bytes:
    """A body that is wrong in one of many ways; most keep its length, so that they get further."""
    size, way = len(body), rng.randrange(7)
    if way == 0:
        return rng.randbytes(rng.choice([0, 1, 10, size, size + 1, 3000]))
    if way == 1:
        return body[: rng.randrange(size)]
    text = bytearray(body.rstrip())
    if way == 2:
        text[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
    elif way == 3:
        place = rng.randrange(len(text))
        text[place:place] = rng.choice(PIECES)
    elif way == 4:
        start = rng.randrange(len(text))
        del text[start : start + rng.randrange(1, 20)]
    else:
        sent = json.loads(body)
        place = sent["report"] if way == 5 and "report" in sent else sent
        name = rng.choice([*place, "more"])
        if rng.random() < 0.3:
            place.pop(name, None)
        else:
            place[name] = rng.choice(STRANGE)
        text = bytearray(json.dumps(sent, separators=(",", ":")).encode())
    return bytes(text).ljust(size)


def test_ten_thousand_malformed_bodies_change_nothing(server, client):
    """All are drawn from a printed seed, so that a failure can be repeated. A flipped bit or a
    strange value may by chance make another well-formed request: then it must be refused all the
    same, or be a vote of its own; only hex digits of the receipt allow that, and it is counted.
    """
    seed = random.SystemRandom().randrange(1 << 32)
    rng = random.Random(seed)
    remote = Remote.create(client, access="codes")
    remote.issue(1)
    standing = remote.voter(remote.codes[0])
    standing.cast()
    before = remote.told()
    stranger = remote.voter(new_code())  # whose code was never issued: nothing of hers may stand
    bodies = {
        "reports": stranger.cast_body(),
        "changes": stranger.change_body(),
        "withdrawals": stranger.withdrawal_body(),
        "erasures": stranger.withdrawal_body(),
    }
    seen: dict[int, int] = {}
    for _ in range(BODIES):
        kind = rng.choice(list(bodies))
        answer = client.post(
            f"{remote.path}/{kind}", content=mangled(bodies[kind], rng), headers=JSON
        )
        assert 400 <= answer.status_code < 500, (seed, answer.text)
        assert answer.headers["content-type"] == "application/problem+json", seed
        seen[answer.status_code] = seen.get(answer.status_code, 0) + 1
    assert seen[400] > BODIES / 2, seen
    assert remote.told() == before
    assert server.process.poll() is None
    assert "failed" not in server.output
    standing.change()


def test_malformed_requests_of_organisers_are_refused(server, client):
    seed = random.SystemRandom().randrange(1 << 32)
    rng = random.Random(seed)
    remote = Remote.create(client, access="codes")
    before = remote.told()
    good = json.dumps({"codes": ["zz" * 32], "closes": "never", "report": {}}).encode()
    for _ in range(400):
        for method, path in (("PATCH", ""), ("POST", "/codes"), ("POST", "/revocations")):
            answer = client.request(
                method,
                remote.path + path,
                content=mangled(good, rng),
                headers={**JSON, **remote.bearer},
            )
            assert 400 <= answer.status_code < 500, (seed, answer.text)
        made = client.post(ROOT, content=mangled(good, rng), headers=JSON)
        assert made.status_code == 400, (seed, made.text)
    assert remote.told() == before


@pytest.mark.parametrize(
    "raw",
    [
        b"\x00" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/polls HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/v1/polls HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        b"POST /api/v1/polls HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /%ff%00/../.. HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/polls HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /api/v1/polls HTTP/1.1\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
    ],
)
def test_what_is_hardly_http_stops_nothing(server, client, raw):
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(10)
        try:
            answer = connection.recv(65536)
        except OSError:
            answer = b""
    assert b" 500 " not in answer[:20]
    assert client.get(ROOT).status_code == 200
    assert "Traceback" not in server.output


def test_senders_who_go_away_stop_nothing(server, client):
    remote = Remote.create(client)
    host, port = server.address.removeprefix("http://").split(":")
    sent = remote.voter().cast_body()
    for part in (0, 10, len(sent) - 1, len(sent)):
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            head = (
                f"POST {remote.path}/reports HTTP/1.1\r\nHost: x\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
            )
            connection.sendall(head.encode() + sent[:part])
    time.sleep(0.2)
    remote.voter().cast()
    assert remote.told()["casts"] in (1, 2)  # the whole body may have been a vote
    assert "failed" not in server.output


# --- secrets --------------------------------------------------------------------------------------


class Heard:
    """A client that keeps every answer, and what was sent in secret."""

    def __init__(self, client: httpx.Client) -> None:
        self.text: list[str] = []
        client.event_hooks["response"].append(self.hear)

    def hear(self, answer: httpx.Response) -> None:
        answer.read()
        self.text.append(f"{answer.headers}\n{answer.text}")


def test_secrets_codes_and_keys_are_never_repeated(tmp_path: Path):
    token = f"token-{os.urandom(8).hex()}"
    secrets = [token]
    with (
        serving(tmp_path / "polls.db", "--casts", "0", HUSHVOTE_TOKEN=token) as server,
        server.client(headers={"User-Agent": "a-very-special-browser"}) as client,
    ):
        heard = Heard(client)
        remote = Remote.create(client, token, access="codes")
        codes = remote.issue(3)
        secrets += [remote.key.hex(), *codes, *(code.replace("-", "") for code in codes)]
        questions = [remote.question(code).hex() for code in codes]
        voter = remote.voter(codes[0])
        secrets += [*questions, voter.credential.secret.hex(), voter.credential.seed.hex()]
        cast = voter.cast_body()
        remote.send("reports", cast)
        size = len(cast)
        change = voter.change_body()

        def wrong(members: dict[str, object]) -> bytes:
            return json.dumps(members, separators=(",", ":")).encode().ljust(size)[:size]

        secret, code = voter.credential.secret.hex(), codes[1]
        sent = json.loads(cast)
        mistakes = [
            {**sent, "question": code},
            {**sent, "question": questions[1].upper()},
            {**sent, "receipt": secret.upper()},
            {**sent, "receipt": code},
            {**sent, secret: 1},
            {**sent, code: 1},
            {**sent, "poll": secret},
            {**sent, "report": secret},
            {**sent, "report": code},
            {**sent, "report": {**sent["report"], secret: 1}},
            {**sent, "report": {**sent["report"], "type": code}},
            {"poll": sent["poll"], "reveals": secret.upper()},
            {"poll": sent["poll"], "reveals": code},
            {"poll": secret, "reveals": secret},
        ]
        for one in mistakes:
            for kind in ("reports", "changes", "withdrawals", "erasures"):
                answer = remote.send(kind, wrong(one))
                assert answer.status_code == 400, answer.text
        remote.send("changes", change.replace(b"}", b"]"))
        for key in (remote.key.hex().upper(), f"{remote.key.hex()}0", code):
            client.post(remote.path + "/close", headers={"Authorization": f"Bearer {key}"})
        headers = {"Authorization": f"Bearer {token}"}
        for members in ({"organiser": remote.key.hex()}, {remote.key.hex(): 1}, {code: 1}):
            client.post(ROOT, json={"question": "Q", "candidates": [], **members}, headers=headers)
        remote.own("POST", "/codes", json={"codes": codes})
        remote.own("POST", "/codes", json={"codes": [code, secret.upper()]})
        remote.send("changes", change)
        voter.credential = voter.credential.moved()
        secrets += [voter.credential.secret.hex()]
        remote.send("withdrawals", voter.withdrawal_body())
        remote.own("POST", "/close")
        remote.told()
        assert len(heard.text) > 50
        said = "\n".join(heard.text).lower()
        printed = server.output.lower()
        server.process.terminate()
        server.process.wait(20)
        printed += server.output.lower()
    for one in secrets:
        assert one.lower() not in said
        assert one.lower() not in printed
    for one in ("a-very-special-browser", json.loads(cast)["receipt"], "127.0.0.1:", "/reports"):
        assert one not in printed.replace(server.address, "")
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("polls.db*"))
    hidden = [token, remote.key.hex(), voter.credential.seed.hex(), *codes]
    for one in hidden:
        assert one.encode() not in kept
        if len(one) == 64:
            assert bytes.fromhex(one) not in kept
    assert H("hushvote organiser", remote.key) in kept


# --- without end ----------------------------------------------------------------------------------


def test_an_organiser_cannot_let_a_poll_grow_without_end(client):
    """Everybody who asks for a poll gets its whole log."""
    remote = Remote.create(client, access="codes")
    closes = int(time.time()) + 5000
    for number in range(MOST_EVENTS - 1):
        assert remote.own("PATCH", json={"closes": closes + number}).status_code == 200
    full = (409, "api.room")
    assert refused(remote.own("PATCH", json={"closes": closes})) == full
    assert refused(remote.own("POST", "/codes", json={"codes": ["0" * 64]})) == full
    assert refused(remote.own("POST", "/revocations", json={"codes": ["0" * 64]})) == full
    assert remote.own("POST", "/close").status_code == 200
    assert len(remote.told()["log"]) == MOST_EVENTS + 1


def test_a_design_has_a_limit_of_memory(server, client):
    Remote.create(client)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
    limits = [Path(f"/proc/{one}/limits").read_text() for one in children.split()]
    assert any(re.search(rf"Max address space +{MEMORY} ", one) for one in limits)


def test_a_million_pieces_of_a_body_cost_no_more_than_their_bytes():
    """Of a body that came a byte at a time the beginning was copied each time."""
    pieces = 400_000
    sent = iter(range(pieces))

    async def receive() -> dict[str, object]:
        number = next(sent)
        return {"type": "http.request", "body": b" ", "more_body": number < pieces - 1}

    began = time.process_time()
    found = asyncio.run(body([(b"content-type", b"application/json")], receive, LARGEST))
    assert len(found) == pieces
    assert time.process_time() - began < 3


def test_a_poll_has_a_largest_number_of_codes(tmp_path, monkeypatch):
    with opened(str(tmp_path / "polls.db")) as store:
        store.create(a_poll(), event("opened"))
        store.issue(POLL, [hashed(n) for n in range(7)], event("issued"))
        monkeypatch.setattr(polls, "MOST_CODES", 10)
        known = polls.Polls(store, None, None, None)
        known._check_room(POLL, 3)
        with pytest.raises(ApiError) as told:
            known._check_room(POLL, 4)
    assert told.value.code == "api.room"

"""What a connection may cost: slow senders, endless heads, many connections, two meanings."""

import os
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from hushvote.poll.codes import new_code
from hushvote.server.api.connections import LARGEST_HEAD, MOST, PATIENCE, SHARE, Places, room
from hushvote.server.api.limits import Clients, read_networks
from tests.serving import ROOT, Remote, Serving, refused, serving

pytestmark = pytest.mark.slow
OPTIONS = ("--open", "--creations", "0", "--trusted-proxy", "127.0.0.1", "--failed-codes", "3")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("store") / "polls.db", *OPTIONS) as one:
        yield one


@contextmanager
def connected(server: Serving) -> Iterator[socket.socket]:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as one:
        yield one


def all_from(connection: socket.socket) -> bytes:
    """What comes until the other end closes."""
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except ConnectionError:
        pass
    return found


def head(method: str, path: str, *lines: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *lines, "", ""]).encode()


POST = ("Content-Type: application/json", "Content-Length: 1000")


# --- time -----------------------------------------------------------------------------------------


def drip(connection: socket.socket, first: bytes, piece: bytes, found: list[object]) -> None:
    """Send a little, and a byte or a line every half second, until the other end has enough."""
    began = time.monotonic()
    connection.settimeout(0.5)
    if first:
        connection.sendall(first)
    answer = b""
    while time.monotonic() - began < 4 * PATIENCE:
        try:
            came = connection.recv(65536)
        except TimeoutError:
            try:
                connection.sendall(piece)
            except ConnectionError:
                break
            continue
        except ConnectionError:
            break
        answer += came
        if not came:
            break
    found += [answer, time.monotonic() - began]


def test_whoever_sends_a_byte_now_and_then_holds_no_place(server):
    """Half a head, half a body in one piece or in chunks, nothing at all, and blank lines between
    two requests: all are closed within the time, and answered where there is something to answer.
    """
    with server.client() as client:
        remote = Remote.create(client)
    reports = f"{remote.path}/reports"
    chunked = ("Content-Type: application/json", "Transfer-Encoding: chunked")
    ways = {
        "head": (b"GET /api/v1/polls HTTP/1.1\r\n", b"x: y\r\n", 408),
        "body": (head("POST", reports, *POST), b" ", 408),
        "chunks": (head("POST", reports, *chunked), b"1\r\n \r\n", 408),
        "extension": (head("POST", reports, *chunked) + b"5;", b"x", 408),
        "unread": (head("POST", "/nowhere", *POST), b" ", 404),
        "nothing": (b"", b"", 408),
        "blank": (head("GET", "/api/v1/openapi.json"), b"\r\n", 200),
    }
    found: dict[str, list[object]] = {name: [] for name in ways}
    with ExitStack() as stack:
        threads = []
        for name, (first, piece, _) in ways.items():
            connection = stack.enter_context(connected(server))
            given = (connection, first, piece, found[name])
            threads.append(threading.Thread(target=drip, args=given))
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    for name, (_, _, status) in ways.items():
        answer, took = found[name]
        assert answer.startswith(b"HTTP/1.1 %d " % status), (name, answer[:100])
        assert PATIENCE - 1 < took < PATIENCE + 3, (name, took)
        if status == 408:
            assert b'"code":"api.slow"' in answer
            assert b"content-security-policy: " in answer
            assert b"connection: close" in answer
    assert "failed" not in server.output


def test_a_long_body_over_a_slow_line_gets_more_time(server):
    """Two megabytes in twice the seconds that a small request has."""
    with server.client() as client:
        remote = Remote.create(client, access="codes")
        body = b'{"codes":["' + remote.hash_of(new_code()).encode() + b'"]}'
        body += b" " * (2_000_000 - len(body))
        lines = (
            POST[0],
            f"Content-Length: {len(body)}",
            f"Authorization: Bearer {remote.key.hex()}",
        )
        with connected(server) as connection:
            connection.sendall(head("POST", f"{remote.path}/codes", *lines))
            pieces = 16
            for number in range(pieces):
                size = len(body) // pieces
                connection.sendall(body[number * size : (number + 1) * size])
                time.sleep(1.25 * PATIENCE / pieces)
            connection.settimeout(10)
            assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")


# --- size -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "endless",
    [b"GET /" + b"a" * 65536, b"GET / HTTP/1.1\r\nx: " + b"a" * 65536, b"G"],
    ids=["path", "header", "headers"],
)
def test_a_head_without_an_end_is_refused_early(server, endless):
    """Else it would be kept in memory, for as long as somebody sends."""
    with connected(server) as connection:
        more = b"a" * 65536
        if endless == b"G":
            endless, more = b"GET / HTTP/1.1\r\n", b"name: value\r\n" * 5000
        sent = 0
        try:
            connection.sendall(endless)
            while sent < 50_000_000:
                connection.sendall(more)
                sent += len(more)
        except ConnectionError:
            pass
        assert sent < 20_000_000
        assert memory(server) < 600_000_000


def memory(server: Serving) -> int:
    pages = Path(f"/proc/{server.process.pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("size", [LARGEST_HEAD - 100, LARGEST_HEAD + 1])
def test_a_head_has_a_largest_size(server, size):
    with connected(server) as connection:
        lines = ("Connection: close", "x: " + "a" * size)
        connection.sendall(head("GET", "/api/v1/openapi.json", *lines))
        answer = all_from(connection)
    expected = b"431" if size > LARGEST_HEAD else b"200"
    assert answer.startswith(b"HTTP/1.1 " + expected)
    assert (b'"code":"api.head"' in answer) == (expected == b"431")


# --- two meanings ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        ("Content-Length: 5", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked", "Content-Length: 5"),
        ("Content-Length: 5", "Content-Length: 6"),
        ("Content-Length: 5, 5",),
        ("Content-Length: +5",),
        ("Content-Length : 5",),
        ("Transfer-Encoding: chunked, identity",),
        ("Transfer-Encoding: xchunked",),
        ("Transfer-Encoding:\x0bchunked",),
        ("Content-Length: 5\n\n",),
    ],
)
def test_a_request_whose_end_can_be_read_in_two_ways_is_refused(server, lines):
    """A proxy may read it the other way, and take the rest for somebody else's request."""
    hidden = head("GET", "/api/v1/openapi.json")
    with connected(server) as connection:
        asked = head("POST", ROOT, "Content-Type: application/json", *lines)
        connection.sendall(asked + b"0\r\n\r\n" + hidden)
        connection.settimeout(PATIENCE + 5)
        answer = all_from(connection)
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:80]
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"code":"api.http"' in answer
    assert b"content-security-policy: " in answer


def test_what_stands_behind_a_body_is_no_header(server):
    """A proxy may hand on such lines, so they must not say whose network a vote comes from."""
    with server.client() as client:
        remote = Remote.create(client, access="codes")
        codes = []
        for number in range(5):
            body = remote.voter(new_code()).cast_body()
            lines = (POST[0], "Transfer-Encoding: chunked", "Trailer: X-Forwarded-For")
            lines += ("X-Forwarded-For: 192.0.2.7",)
            asked = head("POST", f"{remote.path}/reports", *lines)
            trailer = f"X-Forwarded-For: 198.51.{number}.7\r\n"
            with connected(server) as connection:
                connection.sendall(asked + b"%x\r\n" % len(body) + body)
                connection.sendall(b"\r\n0\r\n" + trailer.encode() + b"\r\n")
                codes.append(connection.recv(65536)[9:12])
    assert codes == [b"403", b"403", b"403", b"429", b"429"]


def test_requests_behind_each_other_are_answered_in_order(server):
    asked = [head("GET", "/api/v1/openapi.json"), head("GET", "/nowhere"), head("PUT", ROOT)]
    with connected(server) as connection:
        connection.sendall(b"".join(asked) + head("GET", "/nowhere", "Connection: close"))
        answer = all_from(connection)
    found = [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert found == [b"200", b"404", b"405", b"404"]


# --- number ---------------------------------------------------------------------------------------


def test_a_network_gets_a_share_of_the_connections_and_all_have_an_end():
    places = Places(Clients(read_networks(["10.0.0.0/8"])), 8)
    taken = [places.take("192.0.2.1") for _ in range(3)]
    assert [free for _, free in taken] == [True, True, False]
    assert places.take("192.0.2.200")[1] is False  # the same network
    places.leave(taken[0][0])
    places.leave(taken[2][0])
    assert places.take("192.0.2.9")[1] is False
    assert [places.take("10.1.1.1")[1] for _ in range(5)] == [True] * 5  # a proxy has no share
    assert places.take("198.51.100.1")[1] is False  # all are taken
    assert MOST // SHARE >= 1000


def test_there_are_fewer_connections_than_files_that_may_be_open(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        assert room() <= MOST
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(300, soft), hard))
        found = room()
        assert found == MOST or found < hard
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > found
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_one_connection_too_many_is_told_so_and_the_others_are_answered(tmp_path):
    """A server that may open few files, and one who opens more connections than that."""
    limit = ("prlimit", "--nofile=320:320")
    with serving(tmp_path / "polls.db", "--open", before=limit) as server, ExitStack() as stack:
        held = [stack.enter_context(connected(server)) for _ in range(16)]
        late = stack.enter_context(connected(server))
        late.sendall(head("GET", "/api/v1/openapi.json"))
        answer = all_from(late)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b'"code":"server.crowded"' in answer
        assert b"retry-after: " in answer
        held[0].sendall(head("GET", "/api/v1/openapi.json"))
        assert held[0].recv(65536).startswith(b"HTTP/1.1 200 ")
        for one in held:
            one.close()
        time.sleep(0.3)
        with server.client() as client:
            assert refused(client.get("/nowhere")) == (404, "api.path")

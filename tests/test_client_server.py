"""Talking to servers, honest and hostile ones: every failure is one sentence with a code."""

import json
import threading
import time

import pytest

from hushvote.client import server as module
from hushvote.client.server import RemoteError, Server, is_loopback
from tests.hostile import answer, answering, told

KEY = "ab" * 32


def refusal(raw, act=lambda server: server.get("/polls")):
    """What becomes of an answer of these bytes."""
    with answering(raw) as hostile, pytest.raises(RemoteError) as caught:
        act(Server(hostile.address, timeout=5))
    said = str(caught.value)
    assert said.isprintable(), said
    assert len(said) < 700
    return caught.value


def test_json_goes_there_and_back():
    with answering(told({"polls": []})) as hostile:
        server = Server(hostile.address)
        assert server.get("/polls", KEY) == {"polls": []}
        assert server.send("POST", "/polls", {"a": "ä"}) == {"polls": []}
    got, sent = hostile.requests
    assert got.startswith(b"GET /api/v1/polls HTTP/1.1\r\n")
    assert f"authorization: bearer {KEY}".encode() in got.lower()
    assert b"authorization" not in sent.lower()
    assert json.loads(sent.partition(b"\r\n\r\n")[2]) == {"a": "ä"}


def test_a_refusal_keeps_the_servers_code_status_and_sentence():
    problem = {"code": "api.closed", "detail": "this poll is closed", "status": 409}
    error = refusal(told(problem, "409 Conflict"))
    assert (error.code, error.status, str(error)) == ("api.closed", 409, "this poll is closed")


@pytest.mark.parametrize(
    "body",
    [
        b"<html>not found</html>",
        b"",
        b"[]",
        b'{"code": 7, "detail": "x"}',
        b'{"detail": "x"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_refusal_without_a_reason_says_that_it_may_be_no_hushvote_server(body):
    error = refusal(answer(body, "404 Not Found"))
    assert error.code == "remote.answer"
    assert "status 404" in str(error)
    assert "is it a hushvote server?" in str(error)


def test_nothing_a_server_says_steers_the_terminal_or_fills_it():
    problem = {"code": "a\x1b[2J.b", "detail": "\x1b]0;owned\x07\r\n" + "x" * 60_000 + "\u202e"}
    error = refusal(told(problem, "400 Bad Request"))
    assert error.code.isprintable()


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 T", "308 P"])
def test_nobody_is_followed_elsewhere_with_a_key(status):
    with answering(told({})) as elsewhere:
        moved = answer(b"", status, location=f"{elsewhere.address}/api/v1/polls")
        error = refusal(moved, lambda server: server.get("/polls", KEY))
    assert error.code == "remote.answer"
    assert elsewhere.requests == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"a": NaN}',
        b"[" * 100_000,
        b"\xff",
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_an_answer_that_is_no_json_is_refused(body):
    assert refusal(answer(body)).code == "remote.answer"


def test_an_answer_that_breaks_off_is_refused_even_if_its_beginning_is_json():
    error = refusal(answer(b"{}", content_length="4000"))
    assert error.code == "remote.unreached"


def test_a_length_that_is_no_number_is_no_traceback():
    with answering(answer(b"{}", content_length="many")) as hostile:
        assert Server(hostile.address).get("/polls") == {}


def test_more_than_fits_into_memory_is_not_read(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 1000)
    assert "more than 1,000 bytes" in str(refusal(answer(b'"' + b"x" * 2000 + b'"')))


@pytest.mark.parametrize("raw", [b"", b"HTTP", b"220 mail.example.org ESMTP\r\n", b"\x15\x03\x01"])
def test_what_speaks_no_http_cannot_be_reached(raw):
    assert refusal(raw).code == "remote.unreached"


def test_a_server_that_is_away_is_one_sentence():
    with answering(b"") as gone:
        address = gone.address
    with pytest.raises(RemoteError, match=f"{address} cannot be reached: ") as caught:
        Server(address).get("/polls")
    assert caught.value.code == "remote.unreached"
    assert "connection refused; is it the right address" in str(caught.value)
    assert "Errno" not in str(caught.value)


def test_a_server_that_says_nothing_is_not_waited_for_for_ever():
    release = threading.Event()

    def wait(_):
        release.wait(20)
        return b""

    with answering(wait) as slow:
        begun = time.monotonic()
        with pytest.raises(RemoteError, match="timed out"):
            Server(slow.address, timeout=0.3).get("/polls")
        assert time.monotonic() - begun < 10
        release.set()


def test_a_host_that_no_network_can_name_is_one_sentence():
    with pytest.raises(RemoteError, match="cannot be reached"):
        Server(f"https://{'a' * 70}.example").get("/polls")


def test_a_file_is_saved_whole_and_its_progress_told(tmp_path):
    body, seen = bytes(range(256)) * 4000, []
    with answering(answer(body)) as hostile:
        server = Server(hostile.address)
        server.save("/board", tmp_path / "a", progress=lambda *at: seen.append(at))
    assert (tmp_path / "a").read_bytes() == body
    assert seen[-1] == (len(body), len(body))
    assert {total for _, total in seen} == {len(body)}


@pytest.mark.parametrize(
    "raw",
    [
        answer(b"x" * 5000, content_length="900000"),
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1000\r\nabc",
        answer(b"{}", "500 Internal Server Error"),
    ],
)
def test_a_file_that_breaks_off_leaves_the_old_one(tmp_path, raw):
    path = tmp_path / "a"
    path.write_text("old")
    refusal(raw, lambda server: server.save("/board", path))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_plain_http_beyond_this_machine_needs_to_be_said():
    with pytest.raises(RemoteError, match="--insecure") as caught:
        Server("http://vote.example.org")
    assert caught.value.code == "remote.insecure"
    Server("http://vote.example.org", insecure=True)
    Server("https://vote.example.org")
    Server("http://localhost:8000")


def test_a_proxy_of_the_environment_never_sees_what_stays_on_this_machine(monkeypatch):
    with answering(b"") as proxy, answering(told({})) as here:
        monkeypatch.setenv("http_proxy", proxy.address)
        assert Server(here.address).get("/polls") == {}
        assert proxy.requests == []


def test_loopback_is_known_by_name_and_by_number():
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(is_loopback, ("localhost.example.org", "10.0.0.1", "", "::2")))

"""Who may do what over HTTP, within which limits, and what every answer looks like."""

import os
import socket
import time

import httpx
import pytest

import hushvote as hv
from hushvote.poll.hashing import H
from hushvote.server.api.openapi import OPERATIONS
from tests.serving import ROOT, Remote, refused, serving

TOKEN = "a-token-of-the-operator-0123456789"
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    (folder / "token").write_text(TOKEN + "\n")
    options = ("--token-file", str(folder / "token"), "--trusted-proxy", "127.0.0.1")
    with serving(folder / "polls.db", *options, "--failed-codes", "3", "--casts", "5") as one:
        yield one


@pytest.fixture
def link(client) -> Remote:
    return Remote.create(client, TOKEN)


def wanted(**members: object) -> dict[str, object]:
    """What creates a poll; a member that is ... is left out."""
    made = {
        "question": "Who?",
        "candidates": ["Ann", "Bob"],
        "closes": int(time.time()) + 600,
        "organiser": "ab" * 32,
        "access": "link",
        **members,
    }
    return {name: value for name, value in made.items() if value is not ...}


def operator(client: httpx.Client, method: str = "POST", **options: object) -> httpx.Response:
    return client.request(method, ROOT, headers={"Authorization": f"Bearer {TOKEN}"}, **options)


# --- who may do what ------------------------------------------------------------------------------


def test_only_the_operator_creates_and_lists(client, link):
    assert link.poll.id in [one["id"] for one in operator(client, "GET").json()["polls"]]
    for given in (None, "Bearer", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN):
        headers = {} if given is None else {"Authorization": given}
        for method in ("GET", "POST"):
            answer = client.request(method, ROOT, headers=headers, json=wanted())
            assert refused(answer) == (401, "api.token")
            assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.slow
def test_everybody_creates_and_lists_where_the_server_is_open(tmp_path):
    options = ("--open", "--creations", "2")
    with serving(tmp_path / "polls.db", *options) as server, server.client() as client:
        remote = Remote.create(client)
        assert [one["id"] for one in client.get(ROOT).json()["polls"]] == [remote.poll.id]
        assert client.post(ROOT, json=wanted()).status_code == 201
        limited = client.post(ROOT, json=wanted())
        assert refused(limited) == (429, "api.limit")
        assert 0 < int(limited.headers["retry-after"]) <= 1800


@pytest.mark.slow
def test_nobody_creates_without_a_token_or_an_open_server(tmp_path):
    with serving(tmp_path / "polls.db") as server, server.client() as client:
        assert refused(client.post(ROOT, json=wanted())) == (401, "api.token")
        assert refused(client.get(ROOT)) == (401, "api.token")
        assert "nobody can create polls" in server.output


@pytest.mark.slow
def test_the_token_may_come_from_the_environment(tmp_path):
    with serving(tmp_path / "polls.db", HUSHVOTE_TOKEN=TOKEN) as server, server.client() as client:
        assert operator(client, json=wanted()).status_code == 201
        assert TOKEN not in server.output


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "", {"closes": int(time.time()) + 1000}),
        ("POST", "/close", None),
        ("POST", "/codes", {"codes": ["0" * 64]}),
        ("POST", "/revocations", {"codes": ["0" * 64]}),
        ("GET", "/export", None),
        ("DELETE", "", None),
    ],
)
def test_only_the_organiser_of_this_poll_changes_it(client, link, method, path, body):
    other = Remote.create(client, TOKEN)
    keys = [None, other.key.hex(), H("hushvote organiser", link.key).hex(), TOKEN, "00", "zz" * 32]
    for key in keys:
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        answer = client.request(method, link.path + path, headers=headers, json=body)
        assert refused(answer) == (401, "api.key")
    assert [event["event"] for event in link.told()["log"]] == ["opened"]


def test_link_polls_have_no_codes(link):
    for path in ("/codes", "/revocations"):
        answer = link.own("POST", path, json={"codes": ["0" * 64]})
        assert refused(answer) == (409, "api.codes")


def test_closed_polls_get_no_more_codes(client):
    remote = Remote.create(client, TOKEN, access="codes")
    remote.issue(2)
    assert remote.own("POST", "/close").status_code == 200
    assert remote.own("POST", "/close").status_code == 200  # again does no harm
    for path in ("/codes", "/revocations"):
        answer = remote.own("POST", path, json={"codes": ["0" * 64]})
        assert refused(answer) == (409, "api.closed")
    later = remote.own("PATCH", json={"closes": int(time.time()) + 100})
    assert refused(later) == (409, "api.closed")
    assert refused(client.get(remote.path + "/result")) == (409, "result.turnout")
    assert refused(client.get(remote.path + "/board")) == (409, "result.turnout")


# --- creating -------------------------------------------------------------------------------------


def test_every_setting_of_a_poll_reaches_its_manifest(client):
    key = os.urandom(32)
    answer = operator(
        client,
        json=wanted(
            question="  Which colour? ",
            description="Two lines\nof text.",
            candidates=["Red", "Green", "Blue", "Grey"],
            rule="approval:k=2",
            epsilon="0.5",
            mechanism="additive:k=1",
            seats=2,
            access="codes",
            changes=3,
            partial=True,
            turnout=50,
            live=25,
            organiser=H("hushvote organiser", key).hex(),
        ),
    )
    assert answer.status_code == 201
    made = answer.json()
    assert answer.headers["location"] == f"{ROOT}/{made['id']}"
    poll = hv.Poll.load(made["manifest"], made["digest"])
    assert poll.question == "Which colour?"
    assert (poll.seats, poll.access, poll.changes, poll.partial) == (2, "codes", 3, True)
    assert (poll.turnout, poll.live, poll.description) == (50, 25, "Two lines\nof text.")
    assert poll.mechanism.digest == hv.Additive(hv.approval(4, k=2), "0.5", k=1).digest
    assert Remote(client, poll, key).own("POST", "/close").status_code == 200


def test_a_poll_can_be_made_from_a_mechanism_s_parameters(client):
    parameters = hv.mechanism("challenge", hv.borda(2), 1, key="").parameters()
    answer = operator(client, json=wanted(parameters=parameters, access="codes"))
    assert answer.status_code == 201
    poll = hv.Poll.load(answer.json()["manifest"])
    assert poll.mechanism.parameters()["key"] == poll.id
    both = operator(client, json=wanted(parameters=parameters, rule="borda"))
    assert refused(both) == (400, "api.form")


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"question": ...}, "api.form"),
        ({"question": 7}, "api.form"),
        ({"colour": "red"}, "api.form"),
        ({"organiser": "AB" * 32}, "api.form"),
        ({"closes": "soon"}, "api.form"),
        ({"closes": 1.5}, "api.form"),
        ({"closes": 1000}, "api.closes"),
        ({"closes": 1 << 40}, "api.closes"),
        ({"question": ""}, "poll.text"),
        ({"question": "a\u202eb"}, "poll.text"),
        ({"candidates": ["Ann"]}, "rule.size"),
        ({"candidates": ["Ann", "Ann"]}, "name.duplicate"),
        ({"candidates": ["Ann", "ann"]}, "name.duplicate"),
        ({"rule": "nonsense"}, "rule.unknown"),
        ({"mechanism": "nonsense"}, "parameters.mechanism"),
        ({"mechanism": "duel:colour=1"}, "mechanism.option"),
        ({"epsilon": "0"}, "parameters.epsilon"),
        ({"epsilon": "99"}, "parameters.epsilon"),
        ({"epsilon": "1e999999999"}, "parameters.epsilon"),
        ({"mechanism": "challenge"}, "poll.access"),
        ({"access": "tokens"}, "poll.access"),
        ({"seats": 2}, "poll.seats"),
        ({"turnout": 3}, "poll.turnout"),
        ({"live": 1}, "poll.live"),
        ({"changes": 99}, "poll.changes"),
        ({"parameters": {}}, "parameters.member"),
    ],
)
def test_polls_that_cannot_be_are_refused_with_their_code(client, members, code):
    before = len(operator(client, "GET").json()["polls"])
    assert refused(operator(client, json=wanted(**members))) == (400, code)
    assert len(operator(client, "GET").json()["polls"]) == before


# --- limits ---------------------------------------------------------------------------------------


def test_bodies_beyond_the_limit_are_refused_before_they_are_read(client, link):
    for path, size in ((link.path + "/reports", 1 << 17), (ROOT, 1 << 23)):
        headers = {**JSON, "Authorization": f"Bearer {TOKEN}"}
        answer = client.post(path, content=b" " * size, headers=headers)
        assert refused(answer) == (413, "api.body")


def test_a_body_without_a_length_is_cut_off_at_the_limit(server, link):
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            f"POST {link.path}/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        sent = 0
        try:
            while sent < 1 << 26:
                connection.sendall(chunk)
                sent += len(chunk)
        except OSError:
            pass
        assert sent < 1 << 25  # far from all of it was taken
    assert link.told()["casts"] == 0


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "json"])
def test_bodies_of_another_type_are_refused(client, link, kind):
    body = link.voter().cast_body()
    answer = client.post(link.path + "/reports", content=body, headers={"Content-Type": kind})
    assert refused(answer) == (415, "api.type")
    packed = {**JSON, "Content-Encoding": "gzip"}
    answer = client.post(link.path + "/reports", content=body, headers=packed)
    assert refused(answer) == (415, "api.type")


def from_network(address: str) -> dict[str, str]:
    return {**JSON, "X-Forwarded-For": address}


def test_casts_in_link_polls_are_limited_per_network(client, link):
    def cast(address: str) -> httpx.Response:
        body = link.voter().cast_body()
        return client.post(link.path + "/reports", content=body, headers=from_network(address))

    answers = [cast(f"192.0.2.{number}") for number in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert refused(answers[-1]) == (429, "api.limit")
    assert int(answers[-1].headers["retry-after"]) > 0
    assert cast("198.51.100.1, 192.0.2.9").status_code == 429  # what the proxy did not add
    assert cast("192.0.3.1").status_code == 200
    assert [cast(f"2001:db8:1:{n}::1").status_code for n in range(6)] == [200] * 5 + [429]
    assert cast("2001:db8:2::1").status_code == 200


def test_failed_codes_are_limited_per_network(client):
    remote = Remote.create(client, TOKEN, access="codes")
    good = remote.issue(2)

    def cast(code: str, address: str) -> tuple[int, str]:
        body = remote.voter(code).cast_body()
        headers = from_network(address)
        answer = client.post(remote.path + "/reports", content=body, headers=headers)
        return (200, "") if answer.status_code == 200 else refused(answer)

    wrong = [hv.poll.codes.new_code() for _ in range(4)]
    assert [cast(code, "203.0.113.5") for code in wrong[:3]] == [(403, "vote.code")] * 3
    assert cast(wrong[3], "203.0.113.77") == (429, "api.limit")
    assert cast(wrong[3], "203.0.114.5") == (403, "vote.code")
    assert cast(good[0], "203.0.113.77") == (200, "")  # nobody is locked out by others
    assert cast(good[1], "203.0.114.5") == (200, "")


# --- the form of answers --------------------------------------------------------------------------


def assert_strict(answer: httpx.Response) -> None:
    headers = answer.headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "cache-control" in headers
    assert "set-cookie" not in headers
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_every_answer_has_the_strict_headers(client, link):
    voter = link.voter()
    own = {"headers": link.bearer}
    headers = {**JSON, "X-Forwarded-For": "192.0.77.1"}
    vote = client.post(link.path + "/reports", content=voter.cast_body(), headers=headers)
    answers = [
        vote,
        client.get(ROOT),
        operator(client, "GET"),
        operator(client, json={}),
        client.get(link.path),
        client.get(link.path + "/manifest"),
        client.get(link.path + "/result"),
        client.post(link.path + "/reports"),
        client.post(link.path + "/reports", content=b"x" * (1 << 17), headers=JSON),
        client.get("/"),
        client.get("/api/v1/openapi.json"),
        client.put(link.path),
        client.options(link.path),
        client.head(link.path),
        client.get(ROOT + "/" + "0" * 32),
        client.post(link.path + "/close", **own),
        client.get(link.path + "/board"),
        client.get(link.path + "/export", **own),
        client.delete(link.path, **own),
        client.get(link.path),
    ]
    statuses = {answer.status_code for answer in answers}
    assert {200, 204, 400, 401, 404, 405, 409, 410, 413, 415} <= statuses
    for answer in answers:
        assert_strict(answer)
        assert "strict-transport-security" not in answer.headers
        if answer.status_code >= 400:
            refused(answer)
    assert vote.headers["cache-control"] == "no-store"


@pytest.mark.slow
def test_behind_https_browsers_are_told_to_stay_with_it(tmp_path):
    url = ("--base-url", "https://vote.example.org", "--trusted-proxy", "127.0.0.1")
    with serving(tmp_path / "polls.db", *url) as server, server.client() as client:
        for path in ("/", ROOT):
            assert "max-age=" in client.get(path).headers["strict-transport-security"]


def test_unknown_paths_and_methods_are_problems(client, link):
    assert refused(client.get("/nothing")) == (404, "api.path")
    assert refused(client.get("/api/v1/poll")) == (404, "api.path")
    assert refused(client.get(ROOT + "/")) == (404, "api.path")
    assert refused(client.options("/nothing")) == (404, "api.path")
    for id in ("0" * 32, "zz", link.poll.id.upper(), link.poll.id + "0"):
        assert refused(client.get(f"{ROOT}/{id}")) == (404, "api.poll")
        answer = client.post(f"{ROOT}/{id}/reports", content=b"{}", headers=JSON)
        assert refused(answer) == (404, "api.poll")
    put = client.put(link.path)
    assert refused(put) == (405, "api.method")
    assert put.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH"
    assert refused(client.get(link.path + "/reports")) == (405, "api.method")


def test_options_and_head_say_what_there_is(client, link):
    found = client.options(link.path + "/reports")
    assert (found.status_code, found.headers["allow"]) == (204, "OPTIONS, POST")
    head = client.head(link.path + "/manifest")
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) == len(link.poll.text.encode())


def test_the_description_has_every_path_and_method(client, link):
    told = client.get("/api/v1/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    for path, operations in told["paths"].items():
        allowed = client.options(path.replace("{id}", link.poll.id)).headers["allow"].lower()
        assert set(operations) == set(allowed.split(", ")) - {"head", "options"}
    assert sum(map(len, told["paths"].values())) == len(OPERATIONS)

"""Casting, changing and withdrawing over HTTP: what is kept, what is refused, with which code."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.codes import new_code
from hushvote.poll.credentials import Credential
from hushvote.poll.requests import Cast, Change
from tests.serving import Remote, refused, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("store") / "polls.db", "--open", "--creations", "0"
    ) as one:
        yield one


@pytest.fixture
def link(client: httpx.Client) -> Remote:
    return Remote.create(client)


@pytest.fixture
def codes(client: httpx.Client) -> Remote:
    return Remote.create(client, access="codes")


def numbers(remote: Remote) -> tuple[int, int, int, int]:
    told = remote.told()
    return told["standing"], told["casts"], told["changes"], told["withdrawals"]


def test_a_link_poll_from_its_creation_to_its_deletion(client, tmp_path):
    remote = Remote.create(client, changes=1, turnout=20)
    assert client.get(remote.path + "/manifest").text == remote.poll.text
    voters = [remote.voter() for _ in range(24)]
    acks = [voter.cast() for voter in voters]
    acks.append(voters[0].change())
    acks.append(voters[1].withdraw())
    assert numbers(remote) == (23, 24, 1, 1)
    assert refused(client.get(remote.path + "/result")) == (409, "result.hidden")
    assert refused(client.get(remote.path + "/board")) == (409, "board.open")
    assert refused(remote.own("GET", "/export")) == (409, "export.open")
    assert remote.own("POST", "/close").json()["state"] == "closed"
    assert refused(remote.send("reports", remote.voter().cast_body())) == (409, "vote.closed")
    told = remote.told()
    assert told["state"] == "closed"
    assert [event["event"] for event in told["log"]] == ["opened", "closed"]
    assert told["crowd_epsilon"] is None
    assert told["codes"] is None

    result = client.get(remote.path + "/result")
    assert result.status_code == 200, result.text
    board = client.get(remote.path + "/board")
    path = tmp_path / "board.jsonl"
    path.write_bytes(board.content)
    files = []
    for number, ack in enumerate(acks):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(ack.to_json())
    assert hv.verify_board(path, remote.poll.digest, files).holds
    for kind, begins in (("parquet", b"PAR1"), ("csv", b'"receipt"'), ("board", b"{")):
        export = remote.own("GET", f"/export?kind={kind}")
        assert export.status_code == 200, export.text
        assert export.content.startswith(begins)
        assert int(export.headers["content-length"]) == len(export.content)
    assert refused(remote.own("GET", "/export?kind=xml")) == (400, "export.kind")
    assert refused(client.get(remote.path + "/board?prefix=abc")) == (400, "board.prefix")

    assert remote.own("DELETE").json()["digest"] == remote.poll.digest
    gone = client.get(remote.path)
    assert refused(gone) == (410, "api.deleted")
    assert gone.json()["digest"] == remote.poll.digest
    for path in ("/manifest", "/result", "/board"):
        assert refused(client.get(remote.path + path)) == (410, "api.deleted")
    assert refused(remote.send("reports", remote.voter().cast_body())) == (410, "api.deleted")


@pytest.mark.parametrize("name", ["duel", "challenge"])
def test_a_codes_poll_from_its_creation_to_its_board(client, tmp_path, name):
    remote = Remote.create(client, access="codes", mechanism=name)
    issued = remote.issue(26)
    voters = [remote.voter(code) for code in issued[:24]]
    for voter in voters:
        voter.cast()
    voters[0].change()
    voters[0].change()
    voters[1].withdraw()
    unused = remote.hash_of(issued[24])
    asked = {"codes": [unused, remote.hash_of(issued[0])]}
    assert remote.own("POST", "/revocations", json=asked).json() == {"revoked": [unused]}
    told = remote.told()
    assert told["codes"] == {"issued": 26, "used": 24, "revoked": 1}
    assert 0 < told["crowd_epsilon"] <= 1
    assert [event["event"] for event in told["log"]] == ["opened", "issued", "revoked"]
    late = remote.send("reports", remote.voter(issued[24]).cast_body())
    assert refused(late) == (403, "vote.code")
    remote.own("POST", "/close")
    path = tmp_path / "board.jsonl"
    path.write_bytes(client.get(remote.path + "/board").content)
    found = hv.verify_board(path, remote.poll.digest)
    assert found.holds
    assert found.numbers["standing"] == 23


def test_equal_requests_get_equal_answers(link):
    voter = link.voter()
    body = voter.cast_body()
    first = link.send("reports", body)
    assert first.status_code == 200
    assert [link.send("reports", body).content for _ in range(3)] == [first.content] * 3
    change = voter.change_body()
    changed = link.send("changes", change)
    assert changed.status_code == 200
    assert link.send("changes", change).content == changed.content
    assert link.send("reports", body).content == first.content  # though it was spent since
    voter.credential = voter.credential.moved()
    withdrawal = voter.withdrawal_body()
    gone = link.send("withdrawals", withdrawal)
    assert gone.status_code == 200
    assert link.send("withdrawals", withdrawal).content == gone.content
    assert link.send("changes", change).content == changed.content
    assert numbers(link) == (0, 1, 1, 1)


def test_equal_requests_at_the_same_time_are_one_vote(link):
    body = link.voter().cast_body()
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: link.send("reports", body), range(32)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert numbers(link) == (1, 1, 0, 0)


def test_an_equal_cast_is_answered_before_its_code_is_looked_at(codes):
    (code,) = codes.issue(1)
    voter = codes.voter(code)
    body = voter.cast_body()
    first = codes.send("reports", body)
    again = json.loads(body)
    again["question"] = "0" * 64
    raw = json.dumps(again, separators=(",", ":")).encode().ljust(len(body))
    assert codes.send("reports", raw).content == first.content
    assert codes.told()["codes"]["used"] == 1


def other_report(body: bytes, remote: Remote) -> bytes:
    """The same request with another report."""
    sent = json.loads(body)
    domain = remote.poll.mechanism.domain
    while True:
        report = domain.to_wire(remote.poll.draw(list(range(remote.poll.d))).report)
        if report != sent["report"]:
            sent["report"] = report
            return json.dumps(sent, separators=(",", ":")).encode().ljust(len(body))


def test_another_report_under_a_known_receipt_is_refused(link):
    voter = link.voter()
    body = voter.cast_body()
    link.send("reports", body)
    assert refused(link.send("reports", other_report(body, link))) == (409, "vote.receipt")
    change = voter.change_body()
    link.send("changes", change)
    assert refused(link.send("changes", other_report(change, link))) == (409, "vote.receipt")
    assert numbers(link) == (1, 1, 1, 0)


def test_codes_work_once_and_only_if_issued(codes):
    (code,) = codes.issue(1)
    codes.voter(code).cast()
    assert refused(codes.send("reports", codes.voter(code).cast_body())) == (409, "vote.question")
    assert refused(codes.send("reports", codes.voter(new_code()).cast_body())) == (403, "vote.code")
    assert numbers(codes) == (1, 1, 0, 0)


def test_a_code_of_another_poll_is_none_of_this(client, codes):
    other = Remote.create(client, access="codes")
    (code,) = other.issue(1)
    voter = codes.voter(code)  # computes q with this poll's digest, as a device would
    assert refused(codes.send("reports", voter.cast_body())) == (403, "vote.code")
    mixed = Cast(codes.poll.digest, "1" * 64, json.loads(voter.cast_body())["report"])
    stolen = Cast(mixed.poll, mixed.receipt, mixed.report, other.question(code).hex())
    assert refused(codes.send("reports", stolen.body(codes.poll))) == (403, "vote.code")


def test_requests_to_another_poll_are_refused(client, link):
    other = Remote.create(client)
    voter = link.voter()
    assert refused(other.send("reports", voter.cast_body())) == (400, "request.poll")
    voter.cast()
    assert refused(other.send("changes", voter.change_body())) == (400, "request.poll")
    assert refused(other.send("withdrawals", voter.withdrawal_body())) == (400, "request.poll")
    assert numbers(other) == (0, 0, 0, 0)


def test_secrets_that_are_unknown_or_spent_are_refused(link):
    voter = link.voter()
    assert refused(link.send("changes", voter.change_body())) == (404, "vote.unknown")
    assert refused(link.send("withdrawals", voter.withdrawal_body())) == (404, "vote.unknown")
    voter.cast()
    old = voter.credential
    voter.change()
    fresh = Credential.fresh(link.poll.digest).receipt.hex()
    report = link.poll.mechanism.domain.to_wire(voter.drawn())
    again = Change(link.poll.digest, old.secret.hex(), fresh, report).body(link.poll)
    assert refused(link.send("changes", again)) == (409, "vote.spent")
    voter.withdraw()
    assert refused(link.send("changes", voter.change_body())) == (409, "vote.spent")
    assert numbers(link) == (0, 1, 1, 1)


def test_changes_end_at_the_limit_of_the_poll(client):
    remote = Remote.create(client, changes=2)
    voter = remote.voter()
    voter.cast()
    voter.change()
    voter.change()
    assert refused(remote.send("changes", voter.change_body())) == (409, "vote.changes")
    voter.withdraw()
    assert numbers(remote) == (0, 1, 2, 1)


def wrong_answer(remote: Remote, question: bytes) -> Any:
    """A report on another question. A draw on a random one is no answer with a chance of more than
    1 in 5, so 100 in a row fail with less than 1e-9.
    """
    mechanism = remote.poll.mechanism
    for _ in range(100):
        report = remote.poll.draw([0, 1, 2], question=os.urandom(32)).report
        if not mechanism.answers(report, question):
            return report
    raise AssertionError("every report answers every question")


def test_a_challenge_takes_only_answers_to_the_voter_s_own_question(client):
    remote = Remote.create(client, access="codes", mechanism="challenge")
    (code,) = remote.issue(1)
    voter, poll = remote.voter(code), remote.poll
    report = wrong_answer(remote, voter.question)
    body = Cast.of(poll, voter.credential, report, voter.question).body(poll)
    assert refused(remote.send("reports", body)) == (400, "request.answer")
    voter.cast()
    wrong = Change.of(poll, voter.credential, wrong_answer(remote, voter.question)).body(poll)
    assert refused(remote.send("changes", wrong)) == (400, "request.answer")
    change = voter.change_body()
    first = voter.checked(remote.send("changes", change), change)
    again = voter.checked(remote.send("changes", change), change)  # its question moved along
    assert again == first
    assert numbers(remote) == (1, 1, 1, 0)


def test_an_equal_cast_with_another_question_gets_no_other_signature(client):
    """Else whoever has a code could make proofs against a server that has altered nothing."""
    remote = Remote.create(client, access="codes", mechanism="challenge")
    (code,) = remote.issue(1)
    voter, mechanism = remote.voter(code), remote.poll.mechanism
    body = voter.cast_body()
    sent = json.loads(body)
    report = mechanism.domain.from_wire(sent["report"])
    tried = (os.urandom(32) for _ in range(10_000))
    other = next(one for one in tried if mechanism.answers(report, one))
    changed = {**sent, "question": other.hex()}
    forged = json.dumps(changed, separators=(",", ":")).encode().ljust(len(body))
    first = voter.checked(remote.send("reports", body), body)
    assert voter.checked(remote.send("reports", forged), body) == first
    voter.change()
    assert Acknowledgement.from_json(remote.send("reports", forged).content) == first


def test_reports_out_of_the_domain_are_refused(link):
    body = json.loads(link.voter().cast_body())
    for report, code in [
        ({**body["report"], "type": 99}, "report.range"),
        ({**body["report"], "plus": [0, 0]}, "report.form"),
        ({"type": 0}, "report.field"),
        ([], "report.form"),
        (None, "report.form"),
    ]:
        raw = json.dumps({**body, "report": report}, separators=(",", ":")).encode().ljust(1024)
        assert refused(link.send("reports", raw)) == (400, code)
    assert numbers(link) == (0, 0, 0, 0)


def test_bodies_of_another_form_are_refused(link):
    body = link.voter().cast_body()
    assert refused(link.send("reports", body + b" ")) == (400, "request.size")
    assert refused(link.send("reports", body.rstrip())) == (400, "request.size")
    assert refused(link.send("reports", b"{" + body[:-1])) == (400, "request.json")
    assert refused(link.send("reports", body.replace(b'"receipt"', b'"recEipt"'))) == (
        400,
        "request.member",
    )
    assert refused(link.send("changes", body)) == (400, "request.member")
    twice = body.rstrip()[:-1] + b',"poll":"' + link.poll.digest.encode() + b'"}'
    assert refused(link.send("reports", twice.ljust(len(body)))) == (400, "request.json")
    assert numbers(link) == (0, 0, 0, 0)


@pytest.mark.slow
def test_a_poll_closes_when_its_time_has_come(client):
    remote = Remote.create(client, closes=int(time.time()) + 3)
    remote.voter().cast()
    while time.time() < remote.told()["closes"]:
        time.sleep(0.05)
    assert refused(remote.send("reports", remote.voter().cast_body())) == (409, "vote.closed")
    assert remote.told()["state"] == "closed"
    later = {"closes": int(time.time()) + 100}
    assert refused(remote.own("PATCH", json=later)) == (409, "api.closed")
    until = time.monotonic() + 10
    while [event["event"] for event in remote.told()["log"]] != ["opened", "closed"]:
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.slow
def test_a_closing_time_can_be_moved_both_ways(client):
    now = int(time.time())
    remote = Remote.create(client, closes=now + 3)
    assert remote.own("PATCH", json={"closes": now + 900}).json()["closes"] == now + 900
    time.sleep(max(0.0, now + 3.2 - time.time()))
    remote.voter().cast()
    assert refused(remote.own("PATCH", json={"closes": now - 5})) == (400, "api.closes")
    assert refused(remote.own("PATCH", json={"closes": now + 10**9})) == (400, "api.closes")
    soon = int(time.time()) + 2
    assert remote.own("PATCH", json={"closes": soon}).status_code == 200
    time.sleep(max(0.0, soon + 0.1 - time.time()))
    assert refused(remote.send("reports", remote.voter().cast_body())) == (409, "vote.closed")
    log = remote.told()["log"]
    moved = [event["closes"] for event in log if event["event"] == "extended"]
    assert moved == [now + 900, soon]


@pytest.mark.slow
def test_what_was_acknowledged_is_there_after_a_restart(tmp_path):
    store = tmp_path / "polls.db"
    with serving(store, "--open") as server, server.client() as client:
        remote = Remote.create(client)
        voters = [remote.voter() for _ in range(5)]
        bodies = [voter.cast_body() for voter in voters]
        answers = [remote.send("reports", body).content for body in bodies]
        server.kill()
    with serving(store, "--open") as server, server.client() as client:
        remote.client = client
        assert numbers(remote) == (5, 5, 0, 0)
        assert [remote.send("reports", body).content for body in bodies] == answers

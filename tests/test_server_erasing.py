"""Erasing by credential, before and after close, over HTTP and on both databases."""

import json
from pathlib import Path

import pytest

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import open_board
from tests.serving import Remote, Voter, refused, serving

pytestmark = pytest.mark.slow

HOUR = 3600


def erase(voter: Voter) -> Acknowledgement:
    answer = voter.remote.send("erasures", voter.withdrawal_body())
    assert answer.status_code == 200, answer.text
    found = Acknowledgement.from_json(answer.content)
    found.check(voter.remote.poll)
    assert found.withdrawal or found.erasure
    assert found.receipt == voter.credential.receipt.hex()
    return found


def polled(client, voters=24, **settings):
    """A poll of so many voters, and their acknowledgements."""
    remote = Remote.create(client, turnout=20, **settings)
    codes = remote.issue(voters) if remote.poll.access == "codes" else [None] * voters
    cast = [remote.voter(code) for code in codes]
    return remote, cast, [voter.cast() for voter in cast]


def close(remote):
    assert remote.own("POST", "/close").status_code == 200


def board_of(remote, path: Path) -> Path:
    answer = remote.client.get(remote.path + "/board")
    assert answer.status_code == 200, answer.text
    path.write_bytes(answer.content)
    return path


def verified(remote, path, acks):
    files = []
    for number, ack in enumerate(acks):
        files.append(path.with_suffix(f".{number}.json"))
        files[-1].write_text(ack.to_json())
    return hv.verify_board(board_of(remote, path), remote.poll.digest, files)


@pytest.mark.parametrize(
    "settings",
    [{"access": "link"}, {"access": "codes", "mechanism": "challenge"}],
    ids=["link", "challenge"],
)
def test_a_closed_poll_is_counted_anew_without_an_erased_report(store_url, settings, tmp_path):
    with serving(store_url, "--open") as server, server.client() as client:
        remote, voters, acks = polled(client, **settings)
        voters[1].change()
        close(remote)
        before = client.get(remote.path + "/result").json()
        old = board_of(remote, tmp_path / "old.jsonl")
        gone = erase(voters[0])
        assert gone.erasure
        (tmp_path / "gone.json").write_text(gone.to_json())
        assert hv.verify_board(old, remote.poll.digest, [tmp_path / "gone.json"]).holds
        acks.append(gone)
        acks.append(erase(voters[1]))
        after = client.get(remote.path + "/result").json()
        assert (before["n"], after["n"]) == (24, 22)
        told = remote.told()
        assert (told["standing"], told["erasures"], told["withdrawals"]) == (22, 2, 0)
        [first, second] = told["log"][-2:]
        closed = next(one["at"] for one in told["log"] if one["event"] == "closed")
        for event in (first, second):
            assert event["event"] == "erased"
            assert event["at"] == closed or event["at"] % HOUR == 0
        found = verified(remote, tmp_path / "new.jsonl", acks)
        assert found.holds, [one for one in found.findings if not one.holds]
        header = open_board(tmp_path / "new.jsonl").header
        assert header.erasures == len(header.erased) == 2
        assert acks[0].leaf in header.erased
        said = [one.words for one in found.findings if one.name == "acknowledgement"]
        assert "was erased" in said[0]
        assert "nothing stands under its receipt" in said[-1]
        assert sum("stands on the board" in one for one in said) == 22
        text = (tmp_path / "new.jsonl").read_text()
        assert voters[0].credential.receipt.hex() not in text
        assert hv.verify_board(old, remote.poll.digest).holds  # what is out stays out
        exported = remote.own("GET", "/export", params={"kind": "csv"}).text.splitlines()
        assert len(exported) == 1 + 22
        for voter, ack in ((voters[0], gone), (voters[1], acks[-1])):  # an equal request
            assert erase(voter) == ack
        assert remote.told() == told


def test_before_close_an_erasure_is_a_withdrawal_and_gets_the_same_answer_for_ever(store_url):
    with serving(store_url, "--open", "--erasures", "3") as server, server.client() as client:
        remote, voters, _ = polled(client)
        answers = [erase(voter) for voter in voters[:4]]  # more than may come after close
        assert voters[0].withdraw() == answers[0] == erase(voters[0])
        assert answers[0].withdrawal
        told = remote.told()
        assert (told["withdrawals"], told["erasures"]) == (4, 0)
        assert [one["event"] for one in told["log"]] == ["opened"]
        body = voters[0].change_body()
        assert refused(remote.send("changes", body)) == (409, "vote.spent")
        close(remote)
        assert erase(voters[0]) == answers[0]
        told = remote.told()
        assert (told["withdrawals"], told["erasures"]) == (4, 0)
        body = voters[0].withdrawal_body()
        assert refused(remote.send("withdrawals", body)) == (409, "vote.closed")


def test_only_the_secret_of_the_standing_receipt_erases(store_url):
    with serving(store_url, "--open") as server, server.client() as client:
        remote, voters, _ = polled(client)
        other = Remote.create(client)
        first, stranger = voters[0].withdrawal_body(), remote.voter().withdrawal_body()
        voters[0].change()
        for state in ("open", "closed"):
            assert remote.told()["state"] == state
            assert refused(remote.send("erasures", first)) == (409, "vote.spent")
            assert refused(remote.send("erasures", stranger)) == (404, "vote.unknown")
            assert refused(remote.send("erasures", other.voter().withdrawal_body())) == (
                400,
                "request.poll",
            )
            assert refused(remote.send("erasures", first[:-1])) == (400, "request.size")
            receipt = json.dumps(
                {"poll": remote.poll.digest, "reveals": voters[1].credential.receipt.hex()},
                separators=(",", ":"),
            ).encode()
            body = receipt.ljust(len(first))
            assert refused(remote.send("erasures", body)) == (404, "vote.unknown")
            close(remote)
        assert remote.told()["erasures"] == 0
        erase(voters[0])
        assert remote.told()["erasures"] == 1


def test_erasures_below_the_turnout_leave_nothing_to_show_but_what_is_out(store_url, tmp_path):
    with serving(store_url, "--open") as server, server.client() as client:
        remote, voters, _ = polled(client, voters=21)
        close(remote)
        old = board_of(remote, tmp_path / "old.jsonl")
        erase(voters[3])
        assert client.get(remote.path + "/result").json()["n"] == 20
        acks = [erase(voters[4]), erase(voters[5])]
        assert remote.told()["standing"] == 18
        for path in ("/result", "/board", "/export"):
            assert refused(remote.own("GET", path)) == (409, "result.turnout")
        assert hv.verify_board(old, remote.poll.digest).holds
        assert erase(voters[4]) == acks[0]


def test_erasures_after_close_are_limited_for_a_network(tmp_path):
    options = ("--open", "--erasures", "2")
    with serving(tmp_path / "polls.db", *options) as server, server.client() as client:
        remote, voters, _ = polled(client)
        close(remote)
        erase(voters[0])
        erase(voters[1])
        answer = remote.send("erasures", voters[2].withdrawal_body())
        assert refused(answer) == (429, "api.limit")
        assert int(answer.headers["retry-after"]) > 1000
        assert remote.told()["erasures"] == 2


def test_after_an_erasure_every_worker_shows_the_same(cluster, tmp_path):
    with serving(cluster.database(), "--open", "--workers", "2") as server:
        with server.client() as client:
            remote, voters, _ = polled(client)
            close(remote)
        for _ in range(8):  # both workers have written the board
            with server.client() as client:
                board_of(Remote(client, remote.poll, remote.key), tmp_path / "old.jsonl")
        with server.client() as client:
            erase(Voter(Remote(client, remote.poll, remote.key), voters[0].credential))
        boards = set()
        for _ in range(8):
            with server.client() as client:
                assert client.get(remote.path + "/result").json()["n"] == 23
                boards.add(client.get(remote.path + "/board").content)
        [text] = boards
        (tmp_path / "board.jsonl").write_bytes(text)
        assert hv.verify_board(tmp_path / "board.jsonl").numbers["erasures"] == 1

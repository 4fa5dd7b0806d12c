"""A backup that is made under load, by the command, and a server that goes on from it."""

import json
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

import hushvote as hv
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.credentials import receipt_of
from tests.serving import Remote, serving
from tests.test_server_killed import CLIENTS, Load, wait_for_answers

pytestmark = pytest.mark.slow

VOTES = 8000  # codes: more than can be used in the time


def hushvote(*words: object) -> dict:
    command = [sys.executable, "-m", "hushvote", *map(str, words), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_under_load_restores_to_a_poll_that_goes_on(kind, tmp_path, request):
    store, workers, new = str(tmp_path / "polls.db"), "1", str(tmp_path / "new.db")
    if kind == "postgres":
        cluster = request.getfixturevalue("cluster")
        store, workers, new = cluster.database(), "2", cluster.database()
    path = tmp_path / "it.backup"
    with ExitStack() as stack:
        server = stack.enter_context(serving(store, "--open", "--workers", workers))
        client = stack.enter_context(server.client())
        remote = Remote.create(client, access="codes", turnout=20)
        codes = remote.issue(VOTES)
        load = Load(remote)
        threads = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        stack.callback(setattr, load, "over", True)
        clients = [
            threads.submit(load.run, server.address, codes[one::CLIENTS], one)
            for one in range(CLIENTS)
        ]
        wait_for_answers(load)
        before = list(load.answers)
        began = int(time.time())
        made = hushvote("backup", "--store", store, "--out", path)
        during = list(load.answers)
        wait_for_answers(load)
        load.over = True
        for one in clients:
            one.result()
        assert began <= made["at"] <= time.time()
        assert len(during) > len(before)  # it was made in the middle of load
        assert remote.own("POST", "/close").status_code == 200
    assert hushvote("restore", path, "--store", new) == made
    with serving(new, "--open", "--workers", workers) as server, server.client() as client:
        again = Remote(client, remote.poll, remote.key)
        assert again.told()["state"] == "open"
        check_goes_on(again, load, before, during)
        assert again.own("POST", "/close").status_code == 200
        board = tmp_path / "board.jsonl"
        board.write_bytes(client.get(again.path + "/board").content)
        files = []
        for number, (_, _, answer) in enumerate(load.answers):
            files.append(tmp_path / f"{number}.json")
            files[-1].write_bytes(answer)
        found = hv.verify_board(board, remote.poll.digest, files)
        assert found.holds, [one for one in found.findings if not one.holds]
        assert "Traceback" not in server.output


def check_goes_on(again: Remote, load: Load, before: list, during: list) -> None:
    """What was acknowledged before the backup began is known as it was; everything that came later
    can be sent again, in its order, and becomes the same poll as before.
    """
    told = again.told()
    assert told["casts"] + told["changes"] + told["withdrawals"] >= len(before)
    for kind, body, answer in random.Random(5).sample(before, 20):
        assert again.send(kind, body).content == answer
    assert again.told() == told
    known = set(map(id, before))
    missing = [one for one in load.answers if id(one) not in known]
    renewed = {}
    for one in missing:
        kind, body, answer = one
        found = again.send(kind, body)
        assert found.status_code == 200, found.text
        Acknowledgement.from_json(found.content).check(again.poll)
        renewed[id(one)] = (kind, body, found.content)
    # the salts of votes that were lost are new, so are their acknowledgements
    assert sum(renewed[id(one)] != one for one in missing) > 0
    load.answers = [renewed.get(id(one), one) for one in load.answers]
    numbers = {"reports": 0, "changes": 0, "withdrawals": 0}
    for kind, _, _ in load.answers:
        numbers[kind] += 1
    told = again.told()
    assert [told["casts"], told["changes"], told["withdrawals"]] == list(numbers.values())


def test_whose_vote_an_old_backup_lacks_can_prove_it(tmp_path):
    store, path, new = tmp_path / "polls.db", tmp_path / "it.backup", tmp_path / "new.db"
    with serving(store, "--open") as server, server.client() as client:
        remote = Remote.create(client, turnout=20)
        kept = [remote.voter() for _ in range(21)]
        for voter in kept:
            voter.cast()
        hushvote("backup", "--store", store, "--out", path)
        late, again = remote.voter(), remote.voter()
        body = again.cast_body()
        acks = [late.cast(), again.checked(remote.send("reports", body), body)]
        changed = kept[0].change()
    hushvote("restore", path, "--store", new)
    with serving(new, "--open") as server, server.client() as client:
        after = Remote(client, remote.poll, remote.key)
        acks[1] = Acknowledgement.from_json(after.send("reports", body).content)
        assert after.own("POST", "/close").status_code == 200
        board = tmp_path / "board.jsonl"
        board.write_bytes(client.get(after.path + "/board").content)
    files = [tmp_path / name for name in ("late.json", "again.json", "changed.json")]
    for file, ack in zip(files, [*acks, changed], strict=True):
        file.write_text(ack.to_json())
    said = [hv.verify_board(board, remote.poll.digest, [file]).findings[-1].words for file in files]
    assert "proves an omission" in said[0]
    assert "stands on the board" in said[1]
    assert "proves an omission" in said[2]
    receipts = {httpx.Response(200, text=line).json()["receipt"] for line in lines(board)}
    assert receipt_of(late.credential.secret).hex() not in receipts


def lines(board) -> list[str]:
    return board.read_text().splitlines()[1:]

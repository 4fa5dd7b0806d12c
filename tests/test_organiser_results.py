"""`hushvote poll result`, `export` and `archive`, of honest servers and of liars."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import hushvote as hv
from hushvote.client import keys
from hushvote.client.links import read_link
from hushvote.poll.codes import new_code
from hushvote.server.store.opening import open_store
from tests.conftest import names_in, one_sentence
from tests.consoles import python_path
from tests.hostile import answer, answering, told
from tests.organising import MAKE, good, made, voted
from tests.serving import Remote, serving
from tests.voters import vote


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with serving(folder / "polls.db", "--open", "--creations", "0") as running:
        yield running


def test_before_close_there_is_neither_result_nor_export_nor_archive(hush, tmp_path):
    found = made(hush)
    before = names_in(tmp_path)
    one_sentence(hush("poll", "result", found["id"]))
    one_sentence(hush("poll", "export", found["id"], "--out", "r.parquet"))
    assert "when it is closed" in one_sentence(hush("poll", "archive", found["id"]))
    assert names_in(tmp_path) == before


def test_an_archive_is_a_folder_and_no_zip(hush, tmp_path):
    said = one_sentence(hush("poll", "archive", made(hush)["id"], "--out", "chair.zip"))
    assert "an archive is written as a folder, not as chair.zip; name it chair" in said
    assert not (tmp_path / "chair.zip").exists()


def test_a_closed_poll_is_shown_exported_and_archived(hush, tmp_path):
    found = made(hush, "--epsilon", "3", "--turnout", "60")
    good(hush("poll", "codes", found["id"], "--number", "70", "--out", "codes.csv"))
    voted(tmp_path / "codes.csv", 64)
    good(hush("poll", "close", found["id"], "--yes"))
    out = good(hush("poll", "result", found["id"]))
    assert "95 % interval" in out
    told = json.loads(good(hush("poll", "result", found["id"], "--json")))
    assert told["n"] == 64
    for name in ("r.parquet", "r.csv", "b.jsonl"):
        about = json.loads(good(hush("poll", "export", found["id"], "--out", name, "--json")))
        assert about["bytes"] == (tmp_path / name).stat().st_size
    said = one_sentence(hush("poll", "export", found["id"], "--out", "b.jsonl"))
    assert "there is such a file already, and it is not replaced" in said
    archived = json.loads(good(hush("poll", "archive", found["id"], "--out", "kept", "--json")))
    assert archived["holds"] is True
    names = ["README.txt", "board.jsonl", "index.html", "manifest.json", "result.json"]
    assert names_in(tmp_path / "kept") == names
    assert (tmp_path / "kept/board.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert json.loads((tmp_path / "kept/result.json").read_text()) == told
    checked = json.loads(
        good(hush("verify", "kept/board.jsonl", "--digest", found["digest"], "--json"))
    )
    assert checked["board"] == archived["board"]
    tally = ("tally", "--poll", "kept/manifest.json", "r.parquet", "--json")
    assert json.loads(good(hush(*tally)))["candidates"] == told["candidates"]
    good(hush("poll", "archive", found["id"], "--out", "again"))
    for name in names:
        assert (tmp_path / "kept" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    assert "replaces nothing" in one_sentence(hush("poll", "archive", found["id"], "--out", "kept"))


def test_below_the_turnout_nothing_is_shown_and_the_archive_says_so(hush, tmp_path):
    found = made(hush, "--access", "link")
    vote([read_link(found["ballot"])] * 7)
    said = " ".join(good(hush("poll", "close", found["id"], "--yes")).split())
    assert "is closed, with 7 reports" in said
    assert "Fewer than 20 reports stand, so there is no result" in said
    assert "poll result" not in said
    assert "20 reports" in one_sentence(hush("poll", "result", found["id"]))
    one_sentence(hush("poll", "export", found["id"], "--out", "r.csv"))
    archived = json.loads(good(hush("poll", "archive", found["id"], "--out", "kept", "--json")))
    assert archived["withheld"] is True
    assert names_in(tmp_path / "kept") == ["README.txt", "index.html", "manifest.json"]
    page = (tmp_path / "kept/index.html").read_text()
    assert "There is no result." in page
    assert "The poll has 7 reports" in page


def test_an_erased_report_is_gone_from_the_archive(hush, tmp_path, monkeypatch):
    """Of 21 reports one is erased, and then another one: the last archive has no result."""
    store, found = tmp_path / "own.db", {}
    for number in range(3):
        with serving(store, "--open") as own:
            monkeypatch.setenv("HUSHVOTE_SERVER", own.address)
            if not found:
                found = made(hush, "--access", "link")
                with own.client() as client:
                    text = client.get(f"/api/v1/polls/{found['id']}/manifest").text
                    remote = Remote(client, hv.Poll.load(text, found["digest"]), b"")
                    acks = [remote.voter().cast() for _ in range(21)]
                good(hush("poll", "close", found["id"], "--yes"))
            link = f"{own.address}/p/{found['id']}#{found['digest']}"
            out = good(hush("poll", "archive", link, "--out", f"kept-{number}"))
        kept = open_store(str(store))
        ack, event = acks[number], {"at": int(time.time()), "event": "erased"}
        receipt, leaf = bytes.fromhex(ack.receipt), bytes.fromhex(ack.leaf)
        assert kept.erase(found["id"], receipt, leaf, event)
        kept.shut()
    assert "There is no result" in out
    page = (tmp_path / "kept-1/index.html").read_text()
    assert "<dt>Erased</dt><dd>1</dd>" in page
    assert "A report erased." in page
    assert json.loads((tmp_path / "kept-1/result.json").read_text())["n"] == 20
    boards = [(tmp_path / f"kept-{k}/board.jsonl").read_text() for k in (0, 1)]
    assert [acks[0].receipt in board for board in boards] == [True, False]
    assert names_in(tmp_path / "kept-2") == ["README.txt", "index.html", "manifest.json"]


def test_an_open_live_poll_shows_scores_and_nobody_certified(hush):
    found = made(hush, "--access", "link", "--live", "20", "--epsilon", "5")
    vote([read_link(found["ballot"])] * 20)
    out = " ".join(good(hush("poll", "result", found["id"])).split())
    assert "The poll is still open" in out
    assert "Whoever had the link could vote" in out


def test_the_list_tells_of_servers_that_are_away(hush, monkeypatch, tmp_path):
    found = made(hush)
    with answering(b"") as gone:
        address = gone.address
    other = keys.Named(address, "ff" * 16, "ab" * 32, bytes(32))
    other.keep()
    rows = json.loads(good(hush("poll", "list", "--json")))["polls"]
    states = {row["id"]: row["state"] for row in rows}
    assert states[found["id"]] == "open"
    assert "cannot be reached" in states["ff" * 16]
    out = good(hush("poll", "list"))
    assert found["id"][:8] in out


# --- servers that are none, and people who stop --------------------------------------------------


NO_SERVERS = (
    b"",
    b"HTTP/1.1 200 OK\r\n\r\n<html>",
    told([]),
    told({"state": 7}),
    told("x" * 99),
    told({"code": "x.y", "detail": "\x1b[2J" * 9}, "500 Oh"),
)
MORE = {
    "codes": ("--number", "2", "--out", "c.csv"),
    "revoke": ("--from", "codes.txt", "--yes"),
    "extend": ("--for", "7d"),
    "export": ("--out", "r.csv"),
    "close": ("--yes",),
    "delete": ("--yes",),
}


@pytest.mark.parametrize(
    "name", ["show", "link", "result", "close", "delete", "archive", "extend", "codes", "revoke"]
)
def test_every_command_says_in_one_sentence_what_is_wrong_with_a_server(hush, tmp_path, name):
    (tmp_path / "codes.txt").write_text(new_code())
    (tmp_path / "state/hushvote/polls").mkdir(parents=True)
    before = names_in(tmp_path)
    for raw in NO_SERVERS:
        with answering(raw) as hostile:
            link = f"{hostile.address}/o/{'0' * 32}#{'ab' * 32}"
            one_sentence(hush("poll", name, link, *MORE.get(name, ())))
        assert names_in(tmp_path) == before


@pytest.mark.parametrize("raw", NO_SERVERS)
def test_what_is_no_hushvote_server_makes_no_poll_and_gets_no_key(hush, tmp_path, raw):
    with answering(raw) as hostile:
        one_sentence(hush(*MAKE, "--for", "7d", "--server", hostile.address))
        one_sentence(hush("poll", "list", "--all", "--server", hostile.address))
    folder = tmp_path / "state/hushvote/polls"
    assert not folder.exists() or names_in(folder) == []


def test_an_export_that_breaks_off_leaves_nothing(hush, tmp_path):
    with answering(answer(b"x" * 100, content_length="5000")) as hostile:
        link = f"{hostile.address}/o/{'0' * 32}#{'ab' * 32}"
        one_sentence(hush("poll", "export", link, "--out", "r.csv"))
    assert not [name for name in names_in(tmp_path) if "r.csv" in name]


def test_no_such_poll_is_one_sentence(hush, server):
    link = f"{server.address}/p/{'0' * 32}#{'ab' * 32}"
    assert "there is no such poll" in one_sentence(hush("poll", "show", link))


@pytest.mark.parametrize(
    "change",
    [
        {"candidates": []},
        {"candidates": [{}]},
        {"words": []},
        {"words": [7]},
        {"certified": "Zoe"},
        {"level": 7},
        {"n": -1},
        {"closed": "yes"},
        {"elected": 7},
        {"poll": "00" * 32},
        {"title": None},
        {"warnings": "x"},
    ],
)
def test_a_result_that_is_none_is_refused(hush, server, change):
    found = made(hush, "--access", "link")
    vote([read_link(found["ballot"])] * 20)
    good(hush("poll", "close", found["id"], "--yes"))

    def between(request: bytes) -> bytes:
        path = request.split()[1].decode()
        with server.client() as client:
            document = client.get(path)
        if not path.endswith("/result"):
            return answer(document.content)
        return told({**document.json(), **change})

    with answering(between) as hostile:
        link = found["ballot"].replace(server.address, hostile.address)
        assert "not in its form" in one_sentence(hush("poll", "result", link))


@pytest.mark.parametrize(
    ("target", "said"), [("/board", "does not hold"), ("/result", "not that of its board")]
)
def test_a_lie_about_a_closed_poll_is_not_archived(hush, tmp_path, server, target, said):
    """One byte of a salt, or one score, is another: exit code 1, and nothing is written."""
    found = made(hush, "--access", "link")
    vote([read_link(found["ballot"])] * 20)
    good(hush("poll", "close", found["id"], "--yes"))

    def between(request: bytes) -> bytes:
        path = request.split()[1].decode()
        with server.client() as client:
            body = client.get(path).content
        if path.endswith(target) and target == "/board":
            at = body.rindex(b'"salt":"') + 8
            body = body[:at] + (b"0" if body[at : at + 1] != b"0" else b"1") + body[at + 1 :]
        elif path.endswith(target):
            document = json.loads(body)
            document["candidates"][0]["score"] += 0.01
            body = json.dumps(document).encode()
        return answer(body)

    with answering(between) as hostile:
        link = found["ballot"].replace(server.address, hostile.address)
        code, out, err = hush("poll", "archive", link, "--out", "kept")
    assert code == 1
    assert out == ""
    assert said in " ".join(err.split())
    assert not [name for name in names_in(tmp_path) if "kept" in name]


def test_an_interrupted_command_is_silent_and_leaves_nothing(tmp_path, server):
    """The server takes its time, and somebody presses Ctrl-C meanwhile."""
    asked, release = threading.Event(), threading.Event()

    def slow(_: bytes) -> bytes:
        asked.set()
        release.wait(30)
        return b""

    with answering(slow) as hostile:
        link = f"{hostile.address}/p/{'0' * 32}#{'ab' * 32}"
        running = subprocess.Popen(
            [sys.executable, "-m", "hushvote", "poll", "archive", link],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": python_path(), "XDG_STATE_HOME": str(tmp_path / "s")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        assert asked.wait(30)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        release.set()
    assert running.returncode == 130
    assert (out, err) == ("", "")
    assert names_in(tmp_path) == ["s"]


def test_every_command_has_help_with_an_example(hush):
    out = good(hush("poll", "--help"))
    names = "create list show codes revoke link extend close result export archive delete"
    for name in names.split():
        assert f" {name} " in out
        shown = good(hush("poll", name, "--help"))
        assert f"Example: hushvote poll {name}" in " ".join(shown.split())
        assert "--json" in shown

"""`hushvote verify` with a link, an archive, and acknowledgements, against a real server."""

import io
import json
import sys
from pathlib import Path

import pytest

from hushvote.client import keeping
from tests import lying
from tests.between import between
from tests.conftest import names_in, one_sentence
from tests.serving import Remote, serving
from tests.test_vote import OTHER, RANKED, link_of, voted


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "polls.db"


@pytest.fixture(scope="module")
def server(store):
    with serving(store, "--open", "--creations", "0") as one:
        yield one


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


@pytest.fixture
def remote(client, home):
    return Remote.create(client, epsilon="3")


@pytest.fixture
def link(remote, server):
    return link_of(remote, server.address)


def close(remote, others=25):
    for _ in range(others):
        remote.voter().cast()
    assert remote.own("POST", "/close").status_code == 200


def checked(run, *words, ends=0):
    code, out, err = run("verify", *words, "--json")
    assert code == ends, err
    return json.loads(out)


def said_of_acks(found):
    return [one["words"] for one in found["checked"] if one["name"] == "acknowledgement"]


def test_a_link_is_enough_to_check_everything(run, remote, link, monkeypatch):
    voted(run, link, *RANKED)
    voted(run, link, "--change", *OTHER)
    close(remote)
    found = checked(run, link, "--mine", "--save-board", "board.jsonl")
    assert found["holds"]
    assert found["numbers"]["standing"] == 26
    changed, stands = said_of_acks(found)
    assert "was changed or withdrawn by its secret" in changed
    assert "stands on the board" in stands
    again = checked(run, "board.jsonl", "--digest", remote.poll.digest, "--mine")
    assert again == found
    monkeypatch.setattr(sys, "stdin", io.StringIO(link))
    assert checked(run, "-")["board"] == found["board"]
    code, out, _ = run("verify", link)
    assert code == 0
    assert "✓ The lines make the tree whose root is signed." in out
    assert "? Whether somebody has cast more than one report" in out
    assert "All of this holds." in out


def test_before_close_an_acknowledgement_is_checked_for_its_signature(run, remote, link):
    voted(run, link, *RANKED, "--save-ack", "ack.json")
    assert "not before" in one_sentence(run("verify", link))
    found = checked(run, link, "--ack", "ack.json", "--mine")
    assert found["board"] is None
    assert len(said_of_acks(found)) == 2
    _, out, _ = run("verify", link, "--mine")
    assert "as far as it can be checked now" in out
    assert "Check again after close." in " ".join(out.split())
    said = one_sentence(run("verify", "ack.json"))
    assert "give the link of that poll, or its board" in said
    forged = json.loads(Path("ack.json").read_text())
    Path("ack.json").write_text(json.dumps({**forged, "signature": "ab" * 64}))
    assert "was not signed by the server" in one_sentence(run("verify", link, "--ack", "ack.json"))


def test_evidence_that_is_there_is_not_replaced(run, remote, link, home):
    close(remote)
    (home / "board.jsonl").write_text("evidence of yesterday")
    before = names_in(home)
    for name in ("board.jsonl", "link.jsonl"):
        if name == "link.jsonl":
            (home / name).symlink_to("nowhere.jsonl")
            before = names_in(home)
        said = one_sentence(run("verify", link, "--save-board", name))
        assert "there is such a file already, and it is not replaced" in said
    assert (home / "board.jsonl").read_text() == "evidence of yesterday"
    assert names_in(home) == before


def test_a_poll_below_its_turnout_is_told_that_nothing_more_will_come(run, remote, link):
    voted(run, link, *RANKED, "--save-ack", "ack.json")
    close(remote, others=3)
    said = one_sentence(run("verify", link))
    assert "this poll is closed, and fewer than 20 reports stand: it has no result" in said
    found = checked(run, link, "--mine")
    assert found["unchecked"] == [
        "Whether it would have been counted: the poll is closed, and fewer than 20 reports stand. "
        "So there is no board and no result, and there never will be."
    ]
    organiser = link.replace("/p/", "/o/").partition("#")[0] + "#" + remote.key.hex()
    assert run("poll", "archive", organiser, "--out", "archive")[0] == 0
    said = one_sentence(run("verify", "archive", "--digest", remote.poll.digest))
    assert "archive has no board: the poll was closed with fewer than 20 reports" in said
    assert checked(run, "archive", "--digest", remote.poll.digest, "--mine") == found
    assert checked(run, "archive", "--ack", "ack.json")["holds"]
    other = checked(run, "archive", "--digest", "0" * 64, ends=1)
    assert other["checked"][0]["words"] == "The manifest is not that of the given digest."


def test_a_server_that_withholds_a_board_by_its_own_account_is_found_out(run, remote, server):
    close(remote, others=3)
    with between(server.address) as way:
        link = link_of(remote, way.address)
        told = json.loads(remote.client.get(remote.path).content)
        way.shown[remote.poll.id] = json.dumps({**told, "standing": 20}).encode()
        code, out, _ = run("verify", link)
    assert code == 1
    assert "✗ The server shows no board, though 20 reports stand by its own account" in out


def test_an_empty_or_damaged_board_of_a_server_is_found_false(run, remote, server):
    close(remote)
    with between(server.address) as way:
        link = link_of(remote, way.address)
        for shown in (b"", b"hello\n", remote.client.get(remote.path + "/board").content[:-9]):
            way.shown["board"] = shown
            code, out, err = run("verify", link)
            assert (code, err) == (1, "")
            assert "✗ This board is damaged" in out


def test_nothing_of_ones_own_to_check_is_said(run, remote, link):
    assert "keeps no acknowledgement" in one_sentence(run("verify", link, "--mine"))


@pytest.mark.parametrize("lie", ["left out", "altered"])
def test_what_a_server_leaves_out_is_proved_by_its_acknowledgement(run, remote, server, store, lie):
    with between(server.address) as way:
        link = link_of(remote, way.address)
        receipt = voted(run, link, *RANKED)["receipt"]
        close(remote)
        run("verify", link, "--save-board", "true.jsonl")
        lying.lie(
            str(store), receipt, Path("true.jsonl"), Path("lie.jsonl"), alter=lie == "altered"
        )
        way.shown["board"] = Path("lie.jsonl").read_bytes()
        assert checked(run, link)["holds"]  # by itself it looks right
        code, out, _ = run("verify", link, "--mine")
        assert code == 1
        assert f"✗ Your acknowledgement {receipt[:8]}... proves an" in out
        assert "--ack acknowledgement.json" in out
        commands = [one.strip() for one in out.splitlines() if one.startswith("  hushvote ")]
    # whoever is given both files sees the same, without this machine
    voted(run, link_of(remote, server.address), "--yes", "--save-ack", "acknowledgement.json")
    assert commands[0].startswith("hushvote verify board.jsonl --digest")
    Path("lie.jsonl").rename("board.jsonl")
    assert run(*commands[0].split()[1:])[0] == 1


def test_an_archive_is_checked_with_what_is_in_it(run, remote, link):
    voted(run, link, *RANKED)
    close(remote)
    organiser = link.replace("/p/", "/o/").partition("#")[0] + "#" + remote.key.hex()
    code, _, err = run("poll", "archive", organiser, "--out", "archive")
    assert code == 0, err
    found = checked(run, "archive", "--digest", remote.poll.digest, "--mine")
    names = [one["name"] for one in found["checked"]]
    assert {"archive.manifest", "archive.result", "acknowledgement"} <= set(names)
    folder = Path("archive")
    result = json.loads((folder / "result.json").read_text())
    for name, change in (
        ("n", 27),
        ("certified", "Zoe"),
        ("poll", "0" * 64),
        ("candidates", result["candidates"][1:]),
        ("candidates", [{**one, "score": 1.0} for one in result["candidates"]]),
        ("candidates", None),
    ):
        (folder / "result.json").write_text(json.dumps({**result, name: change}))
        code, out, _ = run("verify", "archive")
        assert code == 1, name
        assert "✗ result.json does not say what the board comes to." in out
    (folder / "result.json").unlink()
    assert "result.json: it is not there." in checked(run, "archive")["unchecked"]
    (folder / "manifest.json").write_text("{}")
    code, out, _ = run("verify", "archive")
    assert code == 1
    assert "✗ manifest.json is not the manifest of the board." in out
    (folder / "board.jsonl").unlink()
    assert "there is no board.jsonl in it" in one_sentence(run("verify", "archive"))


def test_an_unanswered_vote_is_looked_for_on_the_board(run, remote, server):
    for lost in (False, True):
        with between(server.address) as way:
            link = link_of(remote, way.address)
            way.lost, way.mute = lost, not lost
            assert run("vote", link, *RANKED)[0] == 2
        if lost:
            break
        kept = keeping.path_of(remote.poll.digest)
        kept.rename(kept.with_suffix(".taken"))
    close(remote)
    link = link_of(remote, server.address)
    _, out, _ = run("verify", link, "--mine")
    assert "! Your last request had no answer, and was not taken" in out
    kept.with_suffix(".taken").rename(kept)
    _, out, _ = run("verify", link, "--mine")
    assert "✓ Your last request had no answer, but was taken" in out


@pytest.mark.parametrize("after_close", [False, True])
def test_a_report_is_erased_before_and_after_close(run, remote, link, after_close):
    voted(run, link, *RANKED)
    if after_close:
        close(remote)
    code, out, _ = run("vote", link, "--erase", "--yes")
    assert code == 0
    assert "Erased. Your report is no longer kept" in out
    refused = run("vote", link, "--change", *OTHER)[2]
    assert ("is closed" if after_close else "that is final") in refused
    assert "Your vote is erased: it is no longer kept" in run("vote", link, "--show")[1]
    if not after_close:
        close(remote)
    found = checked(run, link, "--mine")
    assert found["holds"]
    assert found["numbers"]["standing"] == 25
    assert not found["warns"]  # whoever asked for it is not alarmed
    last = [one["words"] for one in found["checked"] if one["name"] == "acknowledgement"]
    assert ("was erased, as was asked for." in last[0]) is after_close


def test_bad_input_has_code_two(run, remote, link, home):
    for words, says in (
        (("nothing.jsonl",), "there is no such file"),
        ((link, "--digest", "0" * 64), "leave --digest out"),
        (("nothing.jsonl", "--save-board", "x"), "goes with a link"),
        ((link.replace("/p/", "/o/").partition("#")[0] + f"#{'ab' * 32}",), "organiser's link"),
        ((f"{link[:-64]}{'0' * 64}",), ""),
    ):
        assert says in one_sentence(run("verify", *words))
    (home / "empty.jsonl").write_text("hello\n")
    said = one_sentence(run("verify", "empty.jsonl"))
    assert "empty.jsonl is no board of a poll, or its beginning is damaged: give a board" in said

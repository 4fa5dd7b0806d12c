"""`hushvote poll` against a real server: making a poll, naming it, and what is done to it."""

import io
import json
import os
import stat
import sys
import time

import pytest

import hushvote as hv
from hushvote.client.links import BallotLink, OrganiserLink, read_link
from tests.conftest import names_in, one_sentence
from tests.hostile import answering, told
from tests.organising import MAKE, QUESTION, good, made, state_of, zone
from tests.serving import serving
from tests.terminal import terminal


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with serving(folder / "polls.db", "--open", "--creations", "0") as running:
        yield running


def test_a_poll_is_made_with_exactly_what_was_asked(hush, tmp_path, server):
    found = made(
        hush,
        *("--rule", "approval:k=2", "--epsilon", "2.5", "--mechanism", "additive:k=1"),
        *("--seats", "2", "--changes", "3", "--invited", "90", "--live", "40"),
        *("--description", "From January."),
    )
    with server.client() as client:
        text = client.get(f"/api/v1/polls/{found['id']}/manifest").text
        told = client.get(f"/api/v1/polls/{found['id']}").json()
    poll = hv.Poll.load(text, found["digest"])
    assert (poll.question, poll.candidates) == (QUESTION, ("Ann", "Bob", "Cem"))
    assert (poll.seats, poll.changes, poll.partial, poll.live) == (2, 3, True, 40)
    assert (poll.turnout, poll.access, poll.description) == (45, "codes", "From January.")
    assert poll.mechanism.rule.name == "approval-2"
    assert poll.mechanism.name == "additive"
    assert float(poll.mechanism.epsilon) == found["epsilon"] == 2.5
    assert abs(told["closes"] - time.time() - 7 * 86_400) < 60
    ballot, own = read_link(found["ballot"]), read_link(found["organiser"])
    assert ballot == BallotLink(server.address, poll.id, poll.digest)
    assert isinstance(own, OrganiserLink)
    path = state_of(tmp_path) / f"{poll.id}.json"
    kept = json.loads(path.read_text())
    assert kept == {
        "server": server.address,
        "id": poll.id,
        "digest": poll.digest,
        "key": own.key.hex(),
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert names_in(path.parent) == [path.name]


def test_what_a_new_poll_means_is_said_and_what_to_do_next(hush):
    out = good(hush(*MAKE, "--for", "2w", "--epsilon", "3", "--invited", "400"))
    said = " ".join(out.split())
    assert "The ballot's link:" in said
    assert "multiply their odds about the vote behind it by at most 20.1 (local epsilon 3)" in said
    assert "a crowd epsilon of" in said
    assert "With 400 voters" in said
    assert "Nothing is shown of fewer than 200 reports" in said
    assert "hushvote poll codes" in said
    assert " UTC" in said


def test_a_poll_by_link_promises_no_crowd_and_needs_no_codes(hush):
    out = " ".join(good(hush(*MAKE, "--for", "1h", "--access", "link")).split())
    assert "No crowd epsilon is promised" in out
    assert "poll codes" not in out


@pytest.mark.parametrize("way", ["names", "file"])
def test_candidates_may_stand_in_one_word_or_in_a_file(hush, tmp_path, way):
    (tmp_path / "names.txt").write_text("\ufeffÄnne\r\n\r\nBob, the builder\r\n Cem \r\n")
    words = ("poll", "create", QUESTION)
    options = (
        ("--names", "Änne, Bob ,Cem") if way == "names" else ("--candidates-file", "names.txt")
    )
    found = made(hush, *options, words=words)
    shown = json.loads(good(hush("poll", "show", found["id"], "--json")))
    middle = "Bob" if way == "names" else "Bob, the builder"
    assert shown["candidates"] == ["Änne", middle, "Cem"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*MAKE,), "say when the poll closes"),
        ((*MAKE, "--for", "soon"), "it must be a time such as 90m"),
        ((*MAKE, "--for", "0d"), "it must be a time such as 90m"),
        ((*MAKE, "--for", "999999w"), "at most ten years ahead"),
        ((*MAKE, "--closes", "2001-01-01T10:00"), "must be a time to come, and 2001-01-01 10:00"),
        ((*MAKE, "--closes", "2999-01-01T10:00"), "at most ten years ahead"),
        ((*MAKE, "--closes", "2030-01-01T10:00", "--for", "7d"), "leave --for out"),
        ((*MAKE, "--for", "7d", "--names", "a,b"), "leave --names out"),
        (("poll", "create", QUESTION, "--for", "7d"), "name the candidates"),
        ((*MAKE, "-c", "ann", "--for", "7d"), "differ by case alone"),
        ((*MAKE, "--for", "7d", "--epsilon", "much"), "epsilon"),
        ((*MAKE, "--for", "7d", "--rule", "shouting"), "there is no rule"),
        ((*MAKE, "--for", "7d", "--turnout", "3"), "turnout"),
        ((*MAKE, "--for", "7d", "--access", "all"), "access"),
        ((*MAKE, "--for", "7d", "--mechanism", "challenge", "--access", "link"), "codes"),
        ((*MAKE, "--for", "7d", "--server", "example.org"), "a server's address is as in"),
        ((*MAKE, "--for", "7d", "--server", "http://example.org"), "--insecure"),
        ((*MAKE, "--for", "7d", "--base-url", "vote.org"), "a server's address is as in"),
    ],
)
def test_what_cannot_be_made_is_one_sentence_and_leaves_no_key(hush, tmp_path, words, said):
    assert said in one_sentence(hush(*words))
    folder = state_of(tmp_path)
    assert not folder.exists() or names_in(folder) == []


def test_links_begin_with_the_address_that_voters_use(hush, server):
    found = made(hush, "--base-url", "https://vote.example.org/")
    assert found["server"] == server.address
    assert found["ballot"].startswith("https://vote.example.org/p/")
    assert good(hush("poll", "link", found["id"])).strip() == found["ballot"]
    assert "Open" in good(hush("poll", "show", found["ballot"]))


def test_a_challenge_poll_is_checked_with_its_own_key(hush):
    found = made(hush, "--mechanism", "challenge")
    assert found["crowd_epsilon"] == found["epsilon"] == 1


def test_a_server_that_makes_another_poll_is_found_out(hush, tmp_path, server):
    """What comes in between answers with the poll of another question, or another time."""
    for change in ({"question": "Who shall leave?"}, {"closes": int(time.time()) + 60}):

        def between(request: bytes, change=change) -> bytes:
            head, _, body = request.partition(b"\r\n\r\n")
            method, path, _ = head.split(b"\r\n")[0].decode().split()
            with server.client() as client:
                if method == "GET":
                    return told(client.get(path).json())
                return told(client.post(path, json={**json.loads(body), **change}).json())

        with answering(between) as hostile:
            result = hush(*MAKE, "--for", "7d", "--server", hostile.address)
        assert "another" in one_sentence(result)
        assert names_in(state_of(tmp_path)) == []


def test_a_key_is_on_the_disk_before_the_server_is_asked_and_found_again(hush, tmp_path, server):
    """The connection breaks after the poll was made: nobody but this machine has its key."""
    seen = []

    def between(request: bytes) -> bytes:
        head, _, body = request.partition(b"\r\n\r\n")
        method, path, _ = head.split(b"\r\n")[0].decode().split()
        with server.client() as client:
            if method == "GET":
                return told(client.get(path).json())
            seen.extend(names_in(state_of(tmp_path)))
            assert client.post(path, json=json.loads(body)).status_code == 201
        return b""

    question = f"Who shall chair the {os.urandom(8).hex()}?"
    words = ("poll", "create", question, "--names", "Ann,Bob,Cem", "--for", "7d")
    with answering(between) as hostile:
        said = one_sentence(hush(*words, "--server", hostile.address))
    assert "whether the poll was made is not known" in said
    assert len(seen) == 1
    (waiting,) = state_of(tmp_path).iterdir()
    assert waiting.name.startswith("waiting-")
    text = waiting.read_text().replace(hostile.address, server.address)
    waiting.write_text(text)
    code, out, err = hush("poll", "list", "--json")
    assert code == 0
    assert f"found again, with its key: {question}" in " ".join(err.split())
    (row,) = json.loads(out)["polls"]
    assert row["question"] == question
    assert names_in(state_of(tmp_path)) == [f"{row['id']}.json"]
    good(hush("poll", "close", row["id"], "--yes"))


def test_an_operators_token_is_needed_where_there_is_one(hush, tmp_path, monkeypatch):
    token = "a-token-of-the-operator"
    (tmp_path / "token").write_text(token + "\n")
    with serving(tmp_path / "own.db", HUSHVOTE_TOKEN=token) as own:
        monkeypatch.setenv("HUSHVOTE_SERVER", own.address)
        assert "--token-file" in one_sentence(hush(*MAKE, "--for", "7d"))
        assert names_in(state_of(tmp_path)) == []
        assert "--token-file" in one_sentence(hush("poll", "list", "--all"))
        found = made(hush, "--token-file", "token")
        monkeypatch.setenv("HUSHVOTE_TOKEN", token)
        rows = json.loads(good(hush("poll", "list", "--all", "--json")))["polls"]
        assert [row["id"] for row in rows] == [found["id"]]
        monkeypatch.setenv("HUSHVOTE_TOKEN", "two words")
        assert "one word" in one_sentence(hush(*MAKE, "--for", "7d"))


# --- going on ------------------------------------------------------------------------------------


def test_a_poll_is_named_by_links_by_its_id_by_a_file_and_by_standard_input(
    hush, tmp_path, monkeypatch
):
    found = made(hush)
    (tmp_path / "link").write_text(found["organiser"] + "\n")
    ways = [
        (found["id"],),
        (found["id"][:12].upper(),),
        (found["ballot"],),
        (found["organiser"],),
        ("--link-file", "link"),
    ]
    for way in ways:
        assert good(hush("poll", "link", *way)).strip() == found["ballot"]
    monkeypatch.setattr(sys, "stdin", io.StringIO(found["organiser"] + "\n"))
    assert good(hush("poll", "link", "-")).strip() == found["ballot"]
    assert "leave POLL out" in one_sentence(hush("poll", "link", "x", "--link-file", "link"))
    assert "name the poll" in one_sentence(hush("poll", "link"))


def test_the_organisers_link_is_printed_only_if_it_is_asked_for(hush):
    found = made(hush)
    key = read_link(found["organiser"]).key.hex()
    assert good(hush("poll", "link", found["id"], "--organiser")).strip() == found["organiser"]
    for words in (("link",), ("link", "--json"), ("show",), ("show", "--json"), ("list", "--json")):
        name, *rest = words
        at = () if name == "list" else (found["id"],)
        assert key not in good(hush("poll", name, *at, *rest))


@pytest.mark.parametrize("text", ["", "zz", "0" * 33, "http://x/p/1#2", "7"])
def test_what_names_no_poll_is_one_sentence(hush, text):
    one_sentence(hush("poll", "show", text))


def test_an_id_that_several_polls_begin_with_is_refused(hush):
    found = {made(hush)["id"][0] for _ in range(17)}  # two of 17 begin alike
    said = [hush("poll", "link", one) for one in found]
    assert any("give more digits" in one_sentence(one) for one in said if one[0])


def test_a_link_with_another_digest_than_the_kept_one_is_refused(hush):
    found = made(hush)
    wrong = found["ballot"].replace(found["digest"], "ab" * 32)
    assert "another digest" in one_sentence(hush("poll", "show", wrong))


def test_without_the_key_a_poll_can_be_seen_but_not_changed(hush, tmp_path, monkeypatch):
    found = made(hush, "--access", "link")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert QUESTION in good(hush("poll", "show", found["ballot"]))
    for words in (("close", "--yes"), ("delete", "--yes"), ("extend", "--for", "9d")):
        said = one_sentence(hush("poll", words[0], found["ballot"], *words[1:]))
        assert "this needs the organiser's key" in said
    other = found["organiser"][:-1] + ("0" if found["organiser"][-1] != "0" else "1")
    for words in (("close", "--yes"), ("delete", "--yes"), ("extend", "--for", "9d")):
        said = one_sentence(hush("poll", words[0], other, *words[1:]))
        assert "not the key of the poll's organiser" in said
        assert read_link(other).key.hex() not in said


def test_on_another_machine_the_digest_is_said_to_be_the_servers(hush, tmp_path, monkeypatch):
    found = made(hush)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    code, out, err = hush("poll", "link", found["organiser"])
    assert code == 0
    assert out.strip() == found["ballot"]
    assert "the one that the server tells" in " ".join(err.split())


def test_times_are_taken_and_shown_in_the_zone_of_this_machine(hush, monkeypatch):
    with zone(monkeypatch, "Europe/Berlin"):
        out = " ".join(good(hush(*MAKE, "--closes", "2030-12-01T18:00")).split())
        assert "2030-12-01 18:00 CET (UTC+01:00)" in out
        found = made(hush)
        good(hush("poll", "extend", found["id"], "--closes", "2030-07-01T18:00+00:00"))
        out = " ".join(good(hush("poll", "show", found["id"])).split())
        assert "closes on 2030-07-01 20:00 CEST (UTC+02:00)" in out
        assert "Closing time moved to 2030-07-01 20:00 CEST" in out
        said = one_sentence(hush(*MAKE, "--closes", "2030-03-31T02:30"))
        assert "there is no 2030-03-31T02:30 on that day" in said


def test_the_file_of_a_link_must_have_the_right_one(hush, tmp_path, monkeypatch):
    found = made(hush, "--access", "link")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    for text, said in (
        (found["ballot"], "the ballot's link, which voters have, is not it"),
        ("name,code\nAnn,1\n", "link.txt does not begin with the link of a poll"),
        ("\n", "link.txt does not begin with the link of a poll"),
    ):
        (tmp_path / "link.txt").write_text(text)
        for words in (
            ("close",),
            ("delete",),
            ("extend", "--for", "1h"),
            ("export", "-o", "r.csv"),
        ):
            said_now = one_sentence(hush("poll", *words, "--link-file", "link.txt"))
            assert said in said_now  # and nobody is asked before
    (tmp_path / "link.txt").write_text(f"{found['organiser']}\n\nmy own notes\n")
    assert "say --link-file link.txt" in one_sentence(hush("poll", "close", "link.txt"))
    assert "is closed" in good(hush("poll", "close", "--link-file", "link.txt", "--yes"))


def test_what_is_final_asks_first(hush):
    found = made(hush)
    for name in ("close", "delete"):
        assert "say --yes if it is meant" in one_sentence(hush("poll", name, found["id"]))
    earlier = ("poll", "extend", found["id"], "--for", "1h")
    assert "Close earlier?" in one_sentence(hush(*earlier))
    assert "closes on" in good(hush(*earlier, "--yes"))
    assert json.loads(good(hush("poll", "show", found["id"], "--json")))["state"] == "open"


@pytest.mark.parametrize(("typed", "state"), [("n\n", "open"), ("\n", "open"), ("y\n", "closed")])
def test_a_person_at_a_terminal_is_asked(hush, tmp_path, monkeypatch, typed, state):
    found = made(hush)
    (tmp_path / "typed").write_text(typed)
    with (tmp_path / "typed").open() as file:
        file.isatty = lambda: True
        monkeypatch.setattr(sys, "stdin", file)
        code, out, err = hush("poll", "close", found["id"])
    assert code == (0 if state == "closed" else 1)
    assert "Close it now, for good?" in " ".join(err.split())
    assert ("Nothing was done." in out) == (state == "open")
    assert json.loads(good(hush("poll", "show", found["id"], "--json")))["state"] == state


def test_a_closed_poll_stays_closed(hush):
    found = made(hush)
    good(hush("poll", "close", found["id"], "--yes"))
    assert "never opens again" in one_sentence(hush("poll", "extend", found["id"], "--for", "9d"))
    out = ("--number", "5", "--out", "codes.csv")
    assert "never opens again" in one_sentence(hush("poll", "codes", found["id"], *out))
    assert json.loads(good(hush("poll", "close", found["id"], "--json")))["state"] == "closed"


def test_a_deleted_poll_is_gone_with_its_key(hush, tmp_path):
    found = made(hush)
    told = json.loads(good(hush("poll", "delete", found["id"], "--yes", "--json")))
    assert told["digest"] == found["digest"]
    assert names_in(state_of(tmp_path)) == []
    assert "was deleted on" in one_sentence(hush("poll", "show", found["ballot"]))


def test_whoever_presses_ctrl_c_at_a_question_has_done_nothing(hush, tmp_path):
    found = made(hush)
    home = {"XDG_STATE_HOME": str(state_of(tmp_path).parent.parent)}
    with terminal("poll", "close", found["id"], **home) as t:
        t.until("[y/N]")
        t.interrupt()
        assert t.rest().endswith("\n")  # the shell's prompt stands on a line of its own
        assert t.code() == 130
    assert json.loads(good(hush("poll", "show", found["id"], "--json")))["state"] == "open"

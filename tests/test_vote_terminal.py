"""`hushvote vote` in a real terminal of 80 columns, against a real server."""

import json
import threading
from pathlib import Path

import pytest

from tests.between import between
from tests.serving import Remote, serving
from tests.terminal import COLUMNS, terminal

ASKED = "[y/N] "

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("store") / "polls.db", "--open", "--creations", "0"
    ) as one:
        yield one


@pytest.fixture
def place(server, client, tmp_path):
    """A poll of four, and a way to run commands for it on a machine of one's own."""
    return Place(server, client, tmp_path)


class Place:
    def __init__(self, server, client, folder: Path, **settings) -> None:
        names = ["Ann", "Bob", "Cem", "Dörte Müller, jr."]
        self.remote = Remote.create(client, candidates=names, **settings)
        self.link = f"{server.address}/p/{self.remote.poll.id}#{self.remote.poll.digest}"
        self.folder = folder

    def vote(self, *words: str):
        return terminal("vote", self.link, *words, XDG_STATE_HOME=str(self.folder / "state"))

    @property
    def kept(self) -> dict | None:
        path = self.folder / "state" / "hushvote" / "votes" / f"{self.remote.poll.digest}.json"
        return json.loads(path.read_text())["device"] if path.exists() else None


def test_a_newcomer_ranks_looks_and_casts(place):
    with place.vote("--order") as t:
        shown = t.until("1> ")
        assert "Who shall speak for us?" in shown
        assert "  4  Dörte Müller, jr." in shown
        assert "Rank all 4 of them" in shown
        assert "by at most 2.72" in " ".join(shown.split())
        t.type("3 1")
        t.until("3> ")
        t.type("undo")
        t.until("2> ")
        t.type("bo")
        assert "not ranked: Ann, Dörte Müller, jr." in t.until("3> ")
        t.type("Zoe")
        assert "there is no candidate 'Zoe'" in t.until("3> ")
        t.type("Cem")
        assert "Cem is named twice" in t.until("3> ")
        t.type("4")
        shown = t.until(ASKED)
        assert "  4. Ann" in shown  # the only one left
        assert "You have 3 draws" in shown
        assert place.kept is None
        t.type("y")
        shown = t.until(ASKED)
        assert place.kept["spent"] == 1
        assert place.kept["request"] is None
        assert "Not yet cast." in shown
        assert "Chance may have made it say the opposite" in shown.partition("Cast it?")[0]
        t.type("y")
        shown = t.rest()
        assert "Cast. Keep your receipt." in shown
        assert t.code() == 0
    assert place.kept["draws"][0]["ranking"] == [2, 1, 3, 0]
    assert place.remote.told()["casts"] == 1


def test_a_german_says_ja(place):
    german = terminal(
        *("--lang", "de", "vote", place.link, "--order"), XDG_STATE_HOME=str(place.folder / "state")
    )
    with german as t:
        t.until("1> ")
        t.type("1 2 3")
        t.until("[j/N] ")
        t.type("ja")
        shown = " ".join(t.until("[j/N] ").split())
        assert "Gegenteil von dem sagen lassen, was Sie denken." in shown.partition("Abgeben?")[0]
        t.type("j")
        assert "Abgegeben. Bewahren Sie die Quittung auf." in t.rest()
        assert t.code() == 0


def test_no_sentence_is_wider_than_the_terminal(place):
    with place.vote() as t:
        shown = t.until("1> ")
        t.type("1 2 3")
        shown += t.until(ASKED)
        t.type("y")
        shown += t.until(ASKED)
    for line in shown.splitlines():
        copied = line.startswith(("POST ", "{", "  hushvote", "  /"))  # never broken
        assert copied or len(line) <= COLUMNS, line


def test_candidates_are_shuffled_for_every_voter(server, client, tmp_path):
    """Eight names in the order of the poll, twice, by chance: once in 8!² = 1.6e9."""
    names = [f"Candidate {letter}" for letter in "ABCDEFGH"]
    place = Place(server, client, tmp_path)
    place.remote = Remote.create(client, candidates=names)
    place.link = f"{server.address}/p/{place.remote.poll.id}#{place.remote.poll.digest}"
    orders = []
    for _ in range(2):
        with place.vote() as t:
            shown = t.until("1> ")
            orders.append(
                [line.split("  ")[-1] for line in shown.splitlines() if "Candidate" in line]
            )
    assert orders != [names, names]
    assert all(sorted(order) == names for order in orders)


def test_whoever_says_no_before_the_draw_has_spent_nothing(place):
    for answer in ("n", "", "maybe"):
        with place.vote() as t:
            t.until("1> ")
            t.type("1 2 3")
            t.until(ASKED)
            t.type(answer)
            assert "Nothing was drawn, and nothing was sent." in t.rest()
            assert t.code() == 1
    assert place.kept is None


def test_whoever_says_no_after_the_draw_keeps_the_report(place):
    with place.vote("--order") as t:
        t.until("1> ")
        t.type("ann > bob > cem")
        t.until(ASKED)
        t.type("y")
        shown = t.until(ASKED)
        t.type("n")
        assert "Not cast. The report is kept" in t.rest()
    report = place.kept["draws"][0]["report"]
    with place.vote("--order") as t:
        t.until("1> ")
        t.type("1 2 3")
        again = t.until(ASKED)
        assert "nothing new is drawn" in again
        assert [one for one in shown.splitlines() if one.startswith('{"poll"')] == [
            one for one in again.splitlines() if one.startswith('{"poll"')
        ]
        t.type("y")
        assert "Cast." in t.rest()
    assert place.kept["spent"] == 1
    assert place.kept["draws"][0]["report"] == report


def test_the_end_of_input_casts_nothing(place):
    with place.vote() as t:
        t.until("1> ")
        t.type("\x04")
        assert "Nothing was drawn" in t.rest()
        assert t.code() == 1
    assert place.kept is None


def test_a_partial_ranking_ends_with_an_empty_line(server, client, tmp_path):
    place = Place(server, client, tmp_path, partial=True)
    with place.vote("--order") as t:
        assert "Rank as many of the 4 as you like" in t.until("1> ")
        t.type("")
        t.until("1> ")
        t.type("2")
        t.until("2> ")
        t.type("")
        t.until(ASKED)
        t.type("y")
        t.until(ASKED)
        t.type("y")
        assert "Cast." in t.rest()
    assert place.kept["draws"][0]["ranking"] == [1]


def test_a_code_is_asked_for_and_not_shown(server, client, tmp_path):
    place = Place(server, client, tmp_path, access="codes")
    (code,) = place.remote.issue(1)
    with place.vote("--order") as t:
        t.until("Your invite code (not shown): ")
        t.type(code)
        assert code not in t.until("1> ")
        t.type("1 2 3")
        t.until(ASKED)
        t.type("y")
        t.until(ASKED)
        t.type("y")
        shown = t.rest()
        assert "Cast." in shown
        assert code not in shown
    assert code not in json.dumps(place.kept)


def test_a_link_is_asked_for_and_not_shown(server, client, tmp_path):
    """Nobody who lists the processes of this machine sees the code in it."""
    place = Place(server, client, tmp_path, access="codes")
    [code] = place.remote.issue(1)
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    with terminal("vote", **state) as t:
        t.until("The link (not shown): ")
        seen = Path(f"/proc/{t.process.pid}/cmdline").read_bytes()
        assert seen.endswith(b"hushvote\0vote\0")
        t.type(f"{place.link}.{code}")
        shown = t.until("1> ")
        assert code not in shown
        assert "Your invite code is in this link" not in shown
        t.type("1 2 3 4")
        t.until(ASKED)
        t.type("y")
        t.until(ASKED)
        t.type("y")
        assert "Cast. Keep your receipt." in t.rest()
        assert t.code() == 0
    with terminal("vote", f"{place.link}.{code}", "--show", **state) as t:
        assert "leave the link out and type it when asked" in " ".join(t.rest().split())
    with terminal("verify", "-", "--mine", **state) as t:
        t.until("The link (not shown): ")
        t.type(place.link)
        assert "Check again after close." in " ".join(t.rest().split())
    organiser = f"{server.address}/o/{place.remote.poll.id}#{place.remote.key.hex()}"
    with terminal("poll", "show", organiser, **state) as t:
        t.until("this link is a key")
    with terminal("poll", "show", "-", **state) as t:
        t.until("The link (not shown): ")
        t.type(organiser)
        shown = t.rest()
        assert "Cast: 1." in shown
        assert "is a key" not in shown
        assert place.remote.key.hex() not in shown


def test_changing_withdrawing_and_forgetting_ask_first(place):
    with place.vote("--yes", "--order") as t:
        t.until("1> ")
        t.type("1 2 3")
        assert "Cast." in t.rest()
    for words, said in (("--withdraw",), "nothing has changed"), (("--forget",), "nothing has"):
        with place.vote(*words) as t:
            t.until(ASKED)
            t.type("n")
            assert said in t.rest()
    with place.vote("--change", "--order") as t:
        t.until("1> ")
        t.type("4 3 2")
        assert "1 so far, 2 with it" in t.until(ASKED)
        t.type("y")
        assert "2 in all" in t.until(ASKED)
        t.type("y")
        assert "Changed." in t.rest()
    with place.vote("--withdraw") as t:
        assert '"reveals":' in t.until(ASKED)
        t.type("yes")
        assert "Withdrawn." in t.rest()
    with place.vote("--forget") as t:
        assert "can no longer change it" in " ".join(t.until(ASKED).split())
        t.type("y")
        assert "Forgotten." in t.rest()
    assert place.kept is None


def test_control_c_says_what_was_drawn_and_else_nothing_and_what_is_kept_is_sound(place):
    kept = "Not cast. The report is kept, and the same ranking will send it."
    for answers in ((), ("1 2 3",), ("1 2 3", "y")):
        with place.vote("--order") as t:
            t.until("1> ")
            for answer in answers:
                t.type(answer)
                t.until(ASKED)
            t.interrupt()
            said = t.rest().replace("^C", "").strip()
            assert said == (kept if answers[1:] else "")
            assert t.code() == 130
    assert place.kept["spent"] == 1
    assert place.kept["request"] is None
    assert place.remote.told()["casts"] == 0
    with place.vote("--order") as t:  # the lock is free, and the report the same
        t.until("1> ")
        t.type("1 2 3")
        assert "nothing new is drawn" in t.until(ASKED)
        t.interrupt()
        t.rest()
    assert place.kept["spent"] == 1


@pytest.mark.parametrize("held", ["GET", "POST"])
def test_control_c_while_the_server_is_slow_leaves_what_can_be_gone_on_with(place, held):
    with between(place.link.partition("/p/")[0]) as way:
        place.link = place.link.replace(way.server, way.address)
        way.held, way.waits = held, threading.Event()
        with place.vote("--order", "--yes") as t:
            if held == "POST":
                t.until("1> ")
                t.type("1 2 3")
            assert way.reached.wait(60)
            t.interrupt()
            shown = t.rest()
            assert "Cast. Keep" not in shown
            assert "error" not in shown
            assert t.code() == 130
        way.waits.set()
        assert (place.kept is None) == (held == "GET")
        with place.vote("--order", "--yes") as t:
            if held == "GET":
                t.until("1> ")
                t.type("1 2 3")
            assert "Cast. Keep your receipt." in t.rest()
        assert len(set(way.posted)) == 1
    assert place.remote.told()["casts"] == 1
    assert place.kept["spent"] == 1


def test_two_terminals_do_not_vote_at_once(place):
    with place.vote() as one:
        one.until("1> ")
        with place.vote() as other:
            assert "another hushvote on this machine" in other.rest()
            assert other.code() == 2

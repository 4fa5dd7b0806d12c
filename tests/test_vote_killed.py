"""A voter's command is killed at every step, as by a power cut; the next one goes on from there."""

import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.between import between
from tests.serving import Remote, serving

pytestmark = pytest.mark.slow

KILLER = '''
"""Ends its own process at one step, named as in "save:2:before"."""
import os, signal
from hushvote import files
from hushvote.client import keeping
from hushvote.client.server import Server

what, number, when = os.environ["KILLED_AT"].split(":")
calls = 0

def deadly(call, counts=lambda *_: True):
    def wrapped(*given, **named):
        global calls
        calls += counts(*given)
        mine = counts(*given) and calls == int(number)
        if mine and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        found = call(*given, **named)
        if mine and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    return wrapped

if what == "save":
    keeping.KeptVote.save = deadly(keeping.KeptVote.save)
elif what == "sync":  # half written: on the disk, but without its name
    files.os = type("os", (), {**vars(os), "fsync": deadly(os.fsync)})
elif what == "send":
    Server.read = deadly(Server.read, lambda _, method, *rest: method == "POST")
'''
STEPS = (
    *("save:1:before", "sync:1:before", "sync:1:after", "save:1:after"),  # the draw
    *("save:2:before", "save:2:after"),  # the request
    *("send:1:before", "send:1:after"),
    *("save:3:before", "sync:5:before", "save:3:after"),  # the acknowledgement
)
FIRST, SECOND = "Ann > Bob > Cem", "Cem > Bob > Ann"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("store") / "polls.db", "--open", "--creations", "0"
    ) as one:
        yield one


@pytest.fixture
def booth(server, client, tmp_path):
    with between(server.address) as way:
        yield Booth(way, Remote.create(client, mechanism="laplace"), tmp_path)


class Booth:
    """A machine on which things break off."""

    def __init__(self, way, remote: Remote, folder: Path) -> None:
        self.way, self.remote, self.folder = way, remote, folder
        (folder / "killer.py").write_text(KILLER)
        self.votes = folder / "state" / "hushvote" / "votes"

    def vote(self, ranking: str, *words: str, killed: str | None = None):
        """Run it; killed, if so asked."""
        link = f"{self.way.address}/p/{self.remote.poll.id}#{self.remote.poll.digest}"
        load = [] if killed is None else ["--load", str(self.folder / "killer.py")]
        done = subprocess.run(
            [sys.executable, "-m", "hushvote", *load, "vote", link, "--yes", *words],
            input=ranking,
            capture_output=True,
            text=True,
            check=False,
            env={
                **os.environ,
                "XDG_STATE_HOME": str(self.folder / "state"),
                "KILLED_AT": killed or "",
            },
        )
        assert done.returncode == (0 if killed is None else -signal.SIGKILL) or done.stderr
        return done

    @property
    def kept(self) -> dict:
        path = self.votes / f"{self.remote.poll.digest}.json"
        return json.loads(path.read_text())["device"]

    def shown(self, done) -> list[str]:
        """The requests that somebody has seen."""
        return [line for line in done.stdout.splitlines() if line.startswith('{"poll"')]


@pytest.mark.parametrize("step", STEPS)
def test_a_cast_that_was_killed_goes_on_with_the_same_report(booth, step):
    given = ("--ranking", "-")
    first = booth.vote(FIRST, *given, killed=step)
    assert first.returncode == -signal.SIGKILL
    assert "Cast. Keep" not in first.stdout or step == "save:3:after"
    done = booth.vote(FIRST, *given)
    assert done.returncode == 0, done.stderr
    assert booth.kept["standing"] == "report"
    assert booth.kept["spent"] == 1
    assert len({*booth.shown(first), *booth.shown(done)}) <= 1
    assert len(set(booth.way.posted)) == 1
    assert booth.remote.told()["casts"] == 1
    assert sorted(path.suffix for path in booth.votes.iterdir()) == [".json", ".lock"]


@pytest.mark.parametrize("step", STEPS)
def test_a_change_that_was_killed_goes_on_with_the_same_report(booth, step):
    given = ("--ranking", "-")
    booth.vote(FIRST, *given)
    first = booth.vote(SECOND, "--change", *given, killed=step)
    assert first.returncode == -signal.SIGKILL
    done = booth.vote(SECOND, "--change", *given)
    told = booth.remote.told()
    assert done.returncode == 0, done.stderr
    assert (told["casts"], told["changes"]) == (1, 1)
    assert (booth.kept["position"], booth.kept["spent"]) == (1, 2)
    assert len({*booth.shown(first), *booth.shown(done)}) <= 1
    assert len({body for kind, body in booth.way.posted if kind == "changes"}) == 1


def test_whoever_breaks_off_again_and_again_gets_no_more_draws(booth):
    for number, ranking in enumerate(itertools.permutations(("Ann", "Bob", "Cem")), start=1):
        text = " > ".join(ranking)
        done = booth.vote(text, "--ranking", "-", killed="save:1:after")
        if number <= 3:
            assert done.returncode == -signal.SIGKILL
            assert booth.shown(done) == []
            assert booth.kept["spent"] == number
        else:
            assert done.returncode == 2
            assert "as this poll allows, 3: choose a ranking" in done.stderr
            assert booth.kept["spent"] == 3
    assert booth.way.posted == []
    assert booth.vote("Ann > Bob > Cem", "--ranking", "-").returncode == 0


def test_a_withdrawal_that_was_killed_is_sent_again(booth):
    booth.vote(FIRST, "--ranking", "-")
    for step in ("save:1:after", "send:1:after"):
        assert booth.vote("", "--withdraw", killed=step).returncode == -signal.SIGKILL
    done = booth.vote("", "--withdraw")
    assert done.returncode == 0
    assert "Withdrawn." in done.stdout
    assert booth.remote.told()["withdrawals"] == 1
    assert len({body for kind, body in booth.way.posted if kind == "withdrawals"}) == 1

"""The pages for voters and auditors: every command runs against a real server, as it is shown."""

import re
import shlex

import pytest

from tests.consoles import ROOT, run_page
from tests.fences import fences
from tests.serving import Remote, serving
from tests.terminal import terminal
from tests.test_docs import run
from tests.test_vote import link_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "polls.db"


@pytest.fixture(scope="module")
def server(store):
    with serving(store, "--open", "--creations", "0") as one:
        yield one


@pytest.fixture
def remote(client):
    return Remote.create(client, question="Who shall chair?", changes=2)


@pytest.fixture
def given(server, remote, tmp_path):
    """What the pages take for granted."""
    link = link_of(remote, server.address)
    return {
        "LINK": link,
        "ORGANISER": f"{server.address}/o/{remote.poll.id}#{remote.key.hex()}",
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }


MEANWHILE = {
    "others vote": 'python -m tests.voters "$LINK" 30',
    "the poll is closed": 'hushvote poll close "$ORGANISER" --yes',
    "the organiser makes an archive": (
        'hushvote poll archive "$ORGANISER" --out archive && '
        "python -m zipfile -c archive.zip archive"
    ),
    "a voter votes and keeps the acknowledgement": (
        "printf 'Ann\\nBob\\nCem\\n' | hushvote vote \"$LINK\" --ranking - --yes "
        "--save-ack acknowledgement.json"
    ),
}


def test_what_voters_are_told_is_true(given, remote, tmp_path):
    folder = tmp_path / "page"
    folder.mkdir()
    assert len(run_page("docs/vote.md", folder, MEANWHILE, **given)) > 10
    told = remote.told()
    assert (told["casts"], told["changes"], told["erasures"]) == (31, 2, 1)


def test_what_auditors_are_told_is_true(given, store, tmp_path):
    folder = tmp_path / "page"
    folder.mkdir()
    lie = f"python -m tests.lying '{store}' acknowledgement.json board.jsonl lie.jsonl"
    others = {**MEANWHILE, "a dishonest server leaves that report out": lie}
    assert len(run_page("docs/audit.md", folder, others, **given)) > 10


def test_what_is_told_of_boards_and_backups_is_true(given, store, tmp_path):
    folder = tmp_path / "page"
    folder.mkdir()
    held = (
        f"{MEANWHILE['a voter votes and keeps the acknowledgement']} > cast.txt && "
        f"{MEANWHILE['others vote']} && {MEANWHILE['the poll is closed']} && "
        f"hushvote verify \"$LINK\" --save-board board.jsonl && ln -s '{store}' polls.db"
    )
    others = {"a poll is held, and its board is fetched": held}
    assert len(run_page("docs/server.md", folder, others, **given)) == 4
    assert (folder / "new.db").stat().st_size > 0


def test_a_machine_is_measured_as_operators_are_told(tmp_path):
    """With fewer voters, and where there is room."""
    *_, serve, synth = (shlex.split(one.text) for one in fences("docs/deploy.md"))
    assert serve[:3] == ["hushvote", "serve", "--store"]
    assert serve[-2:] == ["--port", synth[3].rsplit(":")[-1]]
    with serving(tmp_path / "polls.db", *serve[4:-2]) as server:
        synth[synth.index("--against") + 1] = server.address
        synth[synth.index("--voters") + 1] = "200"
        done = run(synth, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "200" in done.stdout


def test_the_session_that_is_shown_is_what_a_voter_sees(given):
    """Of what is shown, only the order of the candidates and the report are up to chance."""
    page = (ROOT / "docs/vote.md").read_text(encoding="utf-8")
    (session,) = re.findall(r"^```text\n\$ hushvote vote[^\n]*\n(.*?)^```", page, re.S | re.M)
    with terminal("vote", given["LINK"], XDG_STATE_HOME=given["XDG_STATE_HOME"]) as t:
        seen = t.until("1> ")
        t.type("2 1")
        seen += t.until("[y/N] ")
        t.type("y")
        seen += t.until("[y/N] ")
        t.type("y")
        seen += t.rest()
    names = re.compile(r"^ +[123]\.? +\w+$|^    \{.*|^\.\.\.$")
    for line in session.splitlines():
        if not names.match(line) and line.strip():
            typed = line.removesuffix(" y").strip()
            assert typed in " ".join(seen.split()).replace("[y/N] y", "[y/N]"), line

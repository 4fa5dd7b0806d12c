"""The page for organisers shows what really happens: its commands run against a real server."""

import pytest

from tests.consoles import commands, run_page
from tests.serving import serving

PAGE = "docs/organise.md"
MEANWHILE = {"80 people vote": "python -m tests.voters codes.csv 80"}


@pytest.mark.slow
def test_the_whole_life_of_a_poll_goes_as_the_page_shows_it(tmp_path):
    with serving(tmp_path / "polls.db", "--open") as server:
        work, state = tmp_path / "work", tmp_path / "state"
        work.mkdir()
        run_page(PAGE, work, MEANWHILE, HUSHVOTE_SERVER=server.address, XDG_STATE_HOME=str(state))


def test_the_page_shows_every_command_of_an_organiser():
    from hushvote.cli.poll import app

    shown = {
        one.text.split()[2] for one in commands(PAGE, MEANWHILE) if "hushvote poll" in one.text
    }
    assert shown >= {command.name for command in app.registered_commands}

"""What tests of the organiser's commands share."""

import csv
import json
import time
from contextlib import contextmanager
from pathlib import Path

from hushvote.client.links import BallotLink, read_link
from tests.voters import vote

QUESTION = "Who shall chair?"
MAKE = ("poll", "create", QUESTION, "-c", "Ann", "-c", "Bob", "-c", "Cem")


def good(result):
    """The output of a command that went well."""
    code, out, err = result
    assert code == 0, err
    return out


def made(hush, *options, words=MAKE):
    """A new poll, as --json tells it."""
    return json.loads(good(hush(*words, "--for", "7d", "--json", *options)))


def state_of(tmp_path):
    return tmp_path / "state" / "hushvote" / "polls"


def voted(path: Path, number: int | None = None) -> None:
    """The first people of a list vote."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        links = [read_link(row["link"]) for row in csv.DictReader(file)]
    vote([link for link in links if isinstance(link, BallotLink)][:number])


@contextmanager
def zone(monkeypatch, name):
    """The machine stands in another zone."""
    try:
        with monkeypatch.context() as other:
            other.setenv("TZ", name)
            time.tzset()
            yield
    finally:
        time.tzset()

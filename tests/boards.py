"""Boards that several tests share, honest ones and forged ones."""

from dataclasses import replace

import pytest

from hushvote.poll.board import write_board
from hushvote.poll.header import Header
from hushvote.poll.verifying import verify_board
from tests.polls import KEY, Election, election, poll_of


def failing(path, **given):
    """What does not hold, by name."""
    return {one.name for one in verify_board(path, **given).findings if not one.holds}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small board, as bytes, with where to put changed ones."""
    poll = poll_of("additive", 2, access="link", changes=1)
    held = Election(poll)
    voters = [held.cast() for _ in range(23)]
    held.change(voters[0])
    held.withdraw(voters[1])
    held.erase(voters[2])
    path = held.write(tmp_path_factory.mktemp("board") / "board.jsonl")
    return path.read_bytes(), path.with_name("changed.jsonl")


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """An honest poll with questions, its board, and where to put others."""
    held = election(poll_of("challenge", 4), 26)
    path = held.write(tmp_path_factory.mktemp("board") / "board.jsonl")
    return held, path


def forged(asked, lines=None, key=KEY, **members):
    """The board with other lines or another header, and all that follows from the lines right."""
    held, path = asked
    other = path.with_name("forged.jsonl")
    write_board(other, held.poll, held.lines() if lines is None else lines, held.happened(), KEY)
    raw = other.read_bytes().splitlines(keepends=True)
    header = replace(Header.read(raw[0]), **members).signed(key)
    other.write_bytes(header.line() + b"\n" + b"".join(raw[1:]))
    return other

"""A server that leaves a report out: `python -m tests.lying polls.db ack.json board.jsonl lie`.

From the store come the poll's key and from the board its reports; what the acknowledgement is of is
left out, or another report put in its place, and the board is signed anew.
"""

import sys
from dataclasses import replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import open_board, write_board
from hushvote.poll.entries import Entry
from hushvote.poll.header import Happened, Header
from hushvote.server.store.opening import open_store


def lie(store: str, receipt: str, source: Path, target: Path, *, alter: bool = False) -> None:
    """Write a board without the report of this receipt, or with another one under it."""
    board = open_board(source)
    opened = open_store(store)
    kept = opened.poll(board.poll.id)
    opened.shut()
    assert kept is not None
    entries = [one for one in board.lines() if isinstance(one, Entry)]
    others = [one for one in entries if one.receipt != receipt]
    if alter:
        others.append(replace(others[0], receipt=receipt))
    others.sort(key=lambda one: one.receipt)
    happened = _told(board.header, len(others) - len(entries))
    key = Ed25519PrivateKey.from_private_bytes(kept.key)
    write_board(target, board.poll, others, happened, key)


def _told(header: Header, more: int) -> Happened:
    """What happened, as the board tells it, but for so many casts."""
    return Happened(
        casts=header.casts + more,
        changes=header.changes,
        withdrawals=header.withdrawals,
        log=header.log,
        secrets=[(one.reveals, one.next) for one in header.spent],
        issued=header.issued,
        revoked=header.revoked,
        used=header.used,
    )


def main(store: str, ack: str, source: str, target: str) -> None:
    found = Acknowledgement.from_json(Path(ack).read_bytes())
    lie(store, found.receipt, Path(source), Path(target))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Checking what comes with a board, and what there is before one.

An archive is a folder with `manifest.json`, `board.jsonl` and `result.json`: the three must belong
together. While there is no board, an acknowledgement can be checked for its signature alone.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from hushvote.errors import FileError, HushvoteError
from hushvote.files import reading
from hushvote.messages import say
from hushvote.poll.board import open_board
from hushvote.poll.entries import Entry
from hushvote.poll.header import BoardError
from hushvote.poll.manifest import Poll
from hushvote.poll.published import difference, recounted
from hushvote.poll.verifying import (
    Ack,
    Finding,
    Progress,
    Verification,
    plain,
    read_ack,
    verify_board,
)

MANIFEST, BOARD, RESULT = "manifest.json", "board.jsonl", "result.json"
LARGEST = 1 << 26  # bytes of a result


def verify_archive(
    folder: Path,
    digest: str | None = None,
    acks: Sequence[Ack] = (),
    progress: Progress | None = None,
) -> Verification:
    """Check an archive: its board, and that manifest and result are those of it.

    A folder without a board is refused; without one of the others, that is said.
    """
    check_archive(folder)
    found = verify_board(folder / BOARD, digest, acks, progress)
    findings, unchecked = list(found.findings), list(found.unchecked)
    for name in (MANIFEST, RESULT):
        if not (folder / name).exists():
            unchecked.append(say("unchecked.archive", name=name))
        elif name == RESULT and found.result is None:
            unchecked.append(say("unchecked.result", name=name))
        else:
            findings.append(_file(folder / name, found))
    holds = all(one.holds for one in findings)
    return replace(
        found,
        findings=tuple(findings),
        unchecked=tuple(unchecked),
        result=found.result if holds else None,
    )


def check_archive(folder: Path) -> None:
    """Refuse a folder that is no archive."""
    if not (folder / BOARD).exists():
        raise FileError(
            f"cannot read {folder}: there is no {BOARD} in it; give an archive as "
            "'hushvote poll archive' writes it, or the board itself",
            code="archive.form",
            path=folder,
        )


def _file(path: Path, found: Verification) -> Finding:
    """Whether a file belongs to the board."""
    kind = path.name.removesuffix(".json")
    holds = (_is_manifest if path.name == MANIFEST else _is_result)(path, found)
    words = say(f"verify.archive.{kind}") if holds else say(f"broken.archive.{kind}")
    return Finding(f"archive.{kind}", holds, words)


def _is_manifest(path: Path, found: Verification) -> bool:
    try:
        return Poll.read(path).digest == found.digest
    except HushvoteError:
        return False


def _is_result(path: Path, found: Verification) -> bool:
    """Whether a result is the one that the board gives, but for rounding."""
    if path.stat().st_size == 0:
        return False
    with reading(path) as file:
        raw = file.read(LARGEST)
    counted = recounted(open_board(path.with_name(BOARD)))
    try:
        told = json.loads(raw)
        return told["poll"] == found.digest and difference(told, counted) is None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return False


def verify_acks(
    poll: Poll, digest: str | None, acks: Sequence[Ack], *, closed: bool
) -> Verification:
    """Check acknowledgements of a poll that has no board: yet, or never, if it is closed."""
    given = [read_ack(one, poll) for one in acks]
    findings = [plain("digest", digest == poll.digest)] if digest is not None else []
    for name, one in given:
        words = say("ack.signed.gone" if one.salt is None else "ack.signed", name=name)
        findings.append(Finding("acknowledgement", True, words))
    missing = say("unchecked.few", turnout=poll.turnout) if closed else say("unchecked.open")
    return Verification(poll.digest, None, {}, tuple(findings), (missing,), None)


def withheld(poll: Poll, standing: int) -> Verification:
    """What is found of a server that shows no board, though enough reports stand."""
    words = say("board.withheld", standing=standing, turnout=poll.turnout)
    findings = (plain("digest", True), Finding("withheld", False, words))
    return Verification(poll.digest, None, {}, findings, (), None)


def damaged(digest: str | None, error: BoardError) -> Verification:
    """What is found of a board that cannot be read to its end."""
    found = Finding("form", False, say("board.damaged", reason=error), error.values.get("line"))
    return Verification(digest, None, {}, (found,), (), None)


def look_for(path: Path, receipts: Iterable[str]) -> set[str]:
    """Those receipts that a board knows, standing or spent."""
    board, wanted = open_board(path), set(receipts)
    found = {one.receipt for one in board.header.spent} & wanted
    standing = {one.receipt for one in board.lines() if isinstance(one, Entry)}
    return found | standing & wanted

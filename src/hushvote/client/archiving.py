"""The archive of a closed poll: a folder that can be read and checked without a server.

`manifest.json`, `board.jsonl` and `result.json` are for programs, `index.html` and `README.txt` for
people. The board is verified and counted again before anything gets its name; result and page are
made from that count, so two archives of one poll are the same byte for byte. Of a poll that is
closed below its turnout there is neither board nor result.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushvote.client.answers import Told
from hushvote.client.organising import Organised, Received
from hushvote.client.server import RemoteError
from hushvote.errors import FileError, HushvoteError, PollError
from hushvote.files import writing, writing_folder
from hushvote.pages.archive import page, readme
from hushvote.pages.result import Happened
from hushvote.poll import Poll
from hushvote.poll.board import open_board
from hushvote.poll.published import difference, recounted, written
from hushvote.poll.verifying import Verification, verify_board

MANIFEST, BOARD, RESULT = "manifest.json", "board.jsonl", "result.json"
PAGE, README = "index.html", "README.txt"


class UnsoundError(HushvoteError):
    """What a server shows of a closed poll does not hold."""

    area = "archive"


@dataclass(frozen=True)
class Archive:
    """What was archived."""

    folder: Path
    poll: Poll
    verification: Verification | None  # None of a poll without a result
    result: dict[str, Any] | None


def archive(
    found: Organised,
    folder: Path,
    received: Received | None = None,
) -> Archive:
    """Archive a closed poll into a folder, which must not be there yet, whole or not at all."""
    told = found.told()
    if not told.closed:
        raise PollError("a poll is archived when it is closed, not before", code="archive.open")
    poll = found.poll
    _check_new(folder)
    with writing_folder(folder) as part:
        poll.write(part / MANIFEST)
        verification, result = None, None
        happened = happened_by(told)
        if _fetched(found, part / BOARD, received):
            verification, result = _sound(found, part / BOARD, received)
            _write(part / RESULT, written(result))
            header = open_board(part / BOARD).header
            happened = Happened.on_board(header, verification.numbers["standing"])
        _write(part / PAGE, page(poll, happened, result))
        _write(part / README, readme(poll, happened.board))
    return Archive(folder, poll, verification, result)


def _fetched(found: Organised, path: Path, received: Received | None) -> bool:
    """Fetch the board, anew if need be; False if there is none, because too few reports stand."""
    path.unlink(missing_ok=True)
    try:
        found.board(path, received)
    except RemoteError as error:
        if error.code != "result.turnout":
            raise
        if found.told().numbers["standing"] >= found.poll.turnout:
            raise UnsoundError(
                "the server withholds the board, though enough reports stand",
                code="archive.withheld",
            ) from None
        return False
    return True


def _sound(
    found: Organised, path: Path, received: Received | None
) -> tuple[Verification, dict[str, Any]]:
    """The board's verification and result, if that is what the server has published.

    Somebody may have a report erased between the two, and then the board is another one: so a
    result that differs is only a lie if the board stays the same.
    """
    while True:
        verification, result = _counted(found, path)
        other = difference(found.result().document, result)
        if other is None:
            return verification, result
        _fetched(found, path, received)
        if open_board(path).header.digest == verification.board:
            break
    raise UnsoundError(
        "the result that the server has published is not that of its board, and nothing was "
        f"archived: it differs in {other}",
        code="archive.result",
        member=other,
    )


def _counted(found: Organised, path: Path) -> tuple[Verification, dict[str, Any]]:
    """Verify the board, and count it."""
    verification = verify_board(path, found.poll.digest)
    broken = [finding.words for finding in verification.findings if not finding.holds]
    if broken:
        raise UnsoundError(
            f"the server's board does not hold, and nothing was archived: {broken[0]} Keep the "
            "board itself as evidence, with 'hushvote poll export --out board.jsonl'",
            code="archive.board",
        )
    return verification, recounted(open_board(path))


def happened_by(told: Told) -> Happened:
    """What a server tells of a poll without a board."""
    codes = told.codes
    return Happened(
        told.numbers, None if codes is None else (codes["issued"], codes["revoked"]), told.log
    )


def _check_new(target: Path) -> None:
    if target.exists() or target.is_symlink():
        raise FileError(
            f"cannot write {target}: it is there already, and an archive replaces nothing; give "
            "another name",
            code="file.exists",
            path=target,
        )


def _write(path: Path, text: str) -> None:
    with writing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")

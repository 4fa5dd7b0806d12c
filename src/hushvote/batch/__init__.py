"""Whole files at a time: rankings in, reports out; reports in, a tally out.

Everything streams in blocks, so that files larger than memory work.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import overload

import numpy as np

from hushvote.batch.counting import Count
from hushvote.batch.opening import Opened
from hushvote.canonical import parsed
from hushvote.errors import FileError, HushvoteError, clip, echo
from hushvote.files import AnyPath, check_readable, reading
from hushvote.formats import RankingFile, suffixes
from hushvote.formats.reports import ReportFile, check_poll, open_reports, writing_reports
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.mechanisms.fields import Reports
from hushvote.tally import Parameters, Tally

FILE_BLOCK = 1 << 18  # votes or reports of a file that are in memory at a time
BLOCK_BYTES = 1 << 22  # fewer votes if they and their reports are larger than this

Progress = Callable[[int], None]
"""Called with the number of votes or reports that were just done."""


def _silent(_: int) -> None:
    pass


def privatize_file(
    votes: RankingFile,
    mechanism: Mechanism,
    reports: AnyPath,
    *,
    poll: str | None = None,
    rng: np.random.Generator | None = None,
    progress: Progress = _silent,
) -> int:
    """Randomise a file of rankings into a file of reports; returns the number of voters.

    The reports stand in random order, which tells nothing of the order of the rankings. `poll` is
    the digest of the poll that they belong to, if there is one. `rng` is for simulation only, as in
    `Mechanism.privatize`; the file then says so.
    """
    if votes.d != mechanism.d:
        raise FileError(
            f"{votes.path} ranks {votes.d} candidates, but the rule scores {mechanism.d}",
            code="ranking.length",
            path=votes.path,
            given=votes.d,
            d=mechanism.d,
        )
    if votes.exposed:
        raise FileError(
            f"{votes.path} names its candidates in the ballots alone, and a name that a single "
            "voter wrote would be seen among the reports; name all candidates yourself, as in "
            "--names Ann,Bob,Cem (in Python: candidates=[...])",
            code="ballots.exposed",
            path=votes.path,
        )
    domain, n = mechanism.domain, 0
    size = max(1, min(FILE_BLOCK, BLOCK_BYTES // (mechanism.d + domain.dtype.itemsize)))
    with writing_reports(
        reports, domain, mechanism.parameters(), votes.candidates, poll=poll, rng=rng
    ) as writer:
        for orders in votes.blocks(size):
            writer.write(mechanism.privatize(orders, rng=rng))
            n += len(orders)
            progress(len(orders))
    return n


@overload
def tally_files(
    paths: Iterable[AnyPath],
    *,
    parameters: Parameters | str | Mechanism | None = ...,
    poll: str | None = ...,
    by: None = ...,
    progress: Progress = ...,
) -> Tally: ...


@overload
def tally_files(
    paths: Iterable[AnyPath],
    *,
    parameters: Parameters | str | Mechanism | None = ...,
    poll: str | None = ...,
    by: str,
    progress: Progress = ...,
) -> dict[str, Tally]: ...


def tally_files(
    paths: Iterable[AnyPath],
    *,
    parameters: Parameters | str | Mechanism | None = None,
    poll: str | None = None,
    by: str | None = None,
    progress: Progress = _silent,
) -> Tally | dict[str, Tally]:
    """Count files of reports (.parquet) and add up tallies (.json) of one mechanism.

    With `parameters`, files that other programs wrote are counted, too: their columns are found by
    name and may be of any integer type. With the digest of a `poll`, files that name another one,
    or none, are refused. `by` names a further column, such as a region: the tally of each of its
    values is returned, by its text. Where reports have receipts, the last change of each receipt
    counts, over all files; reports that were withdrawn do not.
    """
    given = _mechanism(parameters)
    count = Count(by)
    for path in _each_once(paths):
        try:
            if _is_json(path):
                count.add_tally(path, _read_tally(path, given, poll, by))
                continue
            opened = Opened.of(_reports(path, given, poll), by)
            count.begin(path, opened)
            for block in opened.blocks(FILE_BLOCK):
                count.add(block)
                progress(len(block.reports))
        except FileError:
            raise
        except HushvoteError as error:
            raise error.within(path, path=path) from None
    return count.totals() if by is not None else count.total()


def _mechanism(parameters: Parameters | str | Mechanism | None) -> Mechanism | None:
    if parameters is None or isinstance(parameters, Mechanism):
        return parameters
    return mechanism_from(parameters)


def _each_once(paths: Iterable[AnyPath]) -> Iterator[AnyPath]:
    """The files, none of them by two names or links."""
    seen: dict[tuple[int, int], AnyPath] = {}
    for path in paths:
        check_readable(path)
        found = Path(path).stat()
        known = found.st_dev, found.st_ino
        if known in seen:
            raise FileError(
                f"{path} is named twice, first as {seen[known]}; "
                "its reports must be counted only once",
                code="file.twice",
                path=path,
                first=seen[known],
            )
        seen[known] = path
        yield path


def _is_json(path: AnyPath) -> bool:
    return Path(path).suffix.lower() == ".json"


def _read_tally(path: AnyPath, given: Mechanism | None, poll: str | None, by: str | None) -> Tally:
    with reading(path) as file:
        tally = Tally.from_json(file.read())
    if by is not None:
        raise FileError(
            f"{path} is a tally, which cannot be divided by {echo(by)}; name reports",
            code="file.groups",
            path=path,
            by=by,
        )
    if given is not None and given.digest != tally.digest:
        raise FileError(
            f"{path} is a tally with other parameters than the given ones",
            code="tally.parameters",
            path=path,
        )
    check_poll(path, tally.poll, poll)
    return tally


def seeded(
    paths: Iterable[AnyPath], parameters: Parameters | str | Mechanism | None = None
) -> list[AnyPath]:
    """Which files say that a seed drew their reports, or some of them."""
    given = _mechanism(parameters)
    return [path for path in paths if _seeded(path, given)]


def _seeded(path: AnyPath, given: Mechanism | None) -> bool:
    if not _is_json(path):
        return _reports(path, given).seeded
    text, is_tally = _document(path)
    return is_tally and Tally.from_json(text).seeded


def without_checksums(
    paths: Iterable[AnyPath], parameters: Parameters | str | Mechanism | None = None
) -> list[AnyPath]:
    """Which files of reports have pages without a checksum, so that damage may go unnoticed."""
    given = _mechanism(parameters)
    files = [_reports(path, given) for path in paths if not _is_json(path)]
    return [file.path for file in files if not file.checked]


def read_reports(
    paths: Iterable[AnyPath], parameters: Parameters | str | Mechanism | None = None
) -> Reports:
    """All reports that count in files (.parquet) of one mechanism, which are known to be sound."""
    given = _mechanism(parameters)
    count = Count(None, keep=True)
    for path in paths:
        opened = Opened.of(_reports(path, given), None)
        count.begin(path, opened)
        for block in opened.blocks(FILE_BLOCK):
            count.add(block)
    return count.reports()


def _reports(path: AnyPath, given: Mechanism | None = None, poll: str | None = None) -> ReportFile:
    suffix = Path(path).suffix.lower()
    if suffix in suffixes() and suffix != ".parquet":
        raise FileError(
            f"{path} holds ballots, not reports; first run 'hushvote privatize' on it",
            code="file.kind",
            path=path,
        )
    return open_reports(path, None if given is None else given.parameters(), poll)


def mechanism_of(path: AnyPath) -> Mechanism:
    """The mechanism that a file of reports, a tally or plain parameters carries."""
    if not _is_json(path):
        return mechanism_from(_reports(path).parameters)
    text, is_tally = _document(path)
    try:
        if is_tally:
            return mechanism_from(Tally.from_json(text).parameters)
        return mechanism_from(text.removesuffix("\n"))
    except HushvoteError as error:
        raise error.within(path, path=path) from None


def _document(path: AnyPath) -> tuple[str, bool]:
    """The text of a JSON file, and whether it is a tally."""
    with reading(path) as file:
        held = file.read()
    try:
        document = parsed(held)
        return held.decode(), isinstance(document, dict) and document.get("hushvote") == "tally"
    except ValueError as error:
        raise FileError(
            f"{path} is {clip(str(error))}", code="parameters.json", path=path, reason=error
        ) from None

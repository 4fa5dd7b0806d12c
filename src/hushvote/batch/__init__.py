"""Whole files at a time: rankings in, reports out; reports in, a tally out.

Everything streams in blocks, so that files larger than memory work.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from hushvote.errors import FileError, HushvoteError
from hushvote.files import AnyPath, check_readable, reading
from hushvote.formats import RankingFile, suffixes
from hushvote.formats.reports import ReportFile, open_reports, writing_reports
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.mechanisms.fields import Reports
from hushvote.tally import Tally

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
    rng: np.random.Generator | None = None,
    progress: Progress = _silent,
) -> int:
    """Randomise a file of rankings into a file of reports; returns the number of voters.

    The reports stand in random order, which tells nothing of the order of the rankings. `rng` is
    for simulation only, as in `Mechanism.privatize`; the file then says so.
    """
    if votes.d != mechanism.d:
        raise FileError(
            f"{votes.path} ranks {votes.d} candidates, but the rule scores {mechanism.d}"
        )
    if votes.exposed:
        raise FileError(
            f"{votes.path} names its candidates in the ballots alone, and a name that a single "
            "voter wrote would be seen among the reports; name all candidates yourself, as in "
            "--names Ann,Bob,Cem (in Python: candidates=[...])"
        )
    domain, n = mechanism.domain, 0
    size = max(1, min(FILE_BLOCK, BLOCK_BYTES // (mechanism.d + domain.dtype.itemsize)))
    with writing_reports(
        reports, domain.schema, mechanism.parameters(), votes.candidates, rng=rng
    ) as writer:
        for orders in votes.blocks(size):
            writer.write(domain.to_arrow(mechanism.privatize(orders, rng=rng)))
            n += len(orders)
            progress(len(orders))
    return n


def tally_files(paths: Iterable[AnyPath], *, progress: Progress = _silent) -> Tally:
    """Count files of reports (.parquet) and add up tallies (.json) of one mechanism."""
    total: Tally | None = None
    seen: dict[tuple[int, int], AnyPath] = {}
    for path in paths:
        check_readable(path)
        found = Path(path).stat()
        known = found.st_dev, found.st_ino  # by whatever name or link
        if known in seen:
            raise FileError(
                f"{path} is named twice, first as {seen[known]}; "
                "its reports must be counted only once"
            )
        seen[known] = path
        try:
            part = _tally_file(path, progress)
            total = part if total is None else total + part
        except FileError:
            raise
        except HushvoteError as error:
            raise type(error)(f"{path}: {error}") from None
    if total is None:
        raise FileError("there is nothing to count: name at least one file of reports")
    return total


def seeded(paths: Iterable[AnyPath]) -> list[AnyPath]:
    """Which files of reports say that a seed drew them; tallies (.json) do not tell."""
    return [file.path for file in _report_files(paths) if file.seeded]


def without_checksums(paths: Iterable[AnyPath]) -> list[AnyPath]:
    """Which files of reports have pages without a checksum, so that damage may go unnoticed."""
    return [file.path for file in _report_files(paths) if not file.checked]


def _report_files(paths: Iterable[AnyPath]) -> list[ReportFile]:
    return [_reports(path) for path in paths if Path(path).suffix.lower() != ".json"]


def read_reports(paths: Iterable[AnyPath]) -> Reports:
    """All reports of files (.parquet) of one mechanism, which are known to be sound."""
    parts = []
    for path in paths:
        source, mechanism = _opened(path)
        parts += [mechanism.domain.from_arrow(batch) for batch in source.batches(FILE_BLOCK)]
    return np.concatenate(parts)


def _opened(path: AnyPath) -> tuple[ReportFile, Mechanism]:
    source = _reports(path)
    mechanism = mechanism_from(source.parameters)
    if source.schema != mechanism.domain.schema:
        raise FileError(
            f"{path} is damaged: its columns are {', '.join(source.schema.names)}, "
            f"but its mechanism sends {mechanism.domain.schema.to_string()!r}"
        )
    return source, mechanism


def _tally_file(path: AnyPath, progress: Progress) -> Tally:
    if Path(path).suffix.lower() == ".json":
        with reading(path) as file:
            return Tally.from_json(file.read())
    source, mechanism = _opened(path)
    total = mechanism.tally(mechanism.domain.empty(0))
    done = 0
    for batch in source.batches(FILE_BLOCK):
        reports = mechanism.domain.from_arrow(batch)
        total = total + mechanism.tally(reports, first=done)
        done += len(reports)
        progress(len(reports))
    return total.named(source.candidates) if source.candidates else total


def _reports(path: AnyPath) -> ReportFile:
    suffix = Path(path).suffix.lower()
    if suffix in suffixes() and suffix != ".parquet":
        raise FileError(f"{path} holds ballots, not reports; first run 'hushvote privatize' on it")
    return open_reports(path)


def mechanism_of(path: AnyPath) -> Mechanism:
    """The mechanism that a file of reports, a tally or plain parameters carries."""
    if Path(path).suffix.lower() != ".json":
        return mechanism_from(_reports(path).parameters)
    with reading(path) as file:
        text = file.read()
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is not valid JSON ({error})") from None
    if isinstance(document, dict) and document.get("hushvote") == "tally":
        return mechanism_from(Tally.from_json(text).parameters)
    return mechanism_from(document)

"""Whole files at a time: rankings in, reports out; reports in, a tally out.

Everything streams in blocks, so that files larger than memory work.
"""

from os import PathLike
from pathlib import Path

import numpy as np

from hushvote import cores
from hushvote.batch.gathering import Counted
from hushvote.batch.inputs import inputs
from hushvote.batch.reading import is_seeded, mechanism_of, rows_in
from hushvote.batch.rows import Left
from hushvote.batch.tallying import count_files, read_reports, silent, tally_files
from hushvote.cores import Progress
from hushvote.errors import FileError
from hushvote.files import AnyPath, check_path, target_of
from hushvote.formats import RankingFile, open_rankings
from hushvote.formats.reports import writing_reports
from hushvote.mechanisms import Mechanism, check_mechanism

__all__ = [
    "Counted",
    "Left",
    "Progress",
    "count_files",
    "inputs",
    "is_seeded",
    "mechanism_of",
    "privatize_file",
    "read_reports",
    "rows_in",
    "tally_files",
]

VOTES = 1 << 18  # votes of a file that are in memory at a time
BLOCK_BYTES = 1 << 22  # fewer votes if they and their reports are larger than this


def privatize_file(
    votes: RankingFile | AnyPath,
    mechanism: Mechanism,
    reports: AnyPath,
    *,
    poll: str | None = None,
    rng: np.random.Generator | None = None,
    progress: Progress = silent,
) -> int:
    """Randomise a file of rankings into a file of reports; returns the number of voters.

    `votes` is a path, or what `open_rankings` made of one. The reports stand in random order, which
    tells nothing of the order of the rankings. `poll` is the digest of the poll that they belong
    to, if there is one. `rng` is for simulation only, as in `Mechanism.privatize`; the file then
    says so.
    """
    check_mechanism(mechanism)
    check_path(reports)
    if not isinstance(votes, RankingFile):
        votes = open_rankings(votes)
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
    read = votes.path  # which a data frame has not
    if isinstance(read, str | PathLike) and target_of(reports) == Path(read).resolve():
        raise FileError(
            f"{reports} holds the ballots; give the reports another name",
            code="file.same",
            path=reports,
        )
    domain, n = mechanism.domain, 0
    size = max(1, min(VOTES, BLOCK_BYTES // (mechanism.d + domain.dtype.itemsize)))
    with writing_reports(
        reports, domain, mechanism.parameters(), votes.candidates, poll=poll, rng=rng
    ) as writer:
        blocks = votes.blocks(size)
        # A seed may draw both what ballots leave open and the reports: one after the other, then.
        for orders in cores.ahead(blocks) if rng is None else blocks:
            writer.write(mechanism.privatize(orders, rng=rng))
            n += len(orders)
            progress(len(orders))
    return n

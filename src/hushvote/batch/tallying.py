"""Reports in, a tally out: on this machine, or on a cluster."""

from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np

from hushvote.batch import embedded
from hushvote.batch.apart import not_apart
from hushvote.batch.embedded import Job
from hushvote.batch.gathering import Counted, Gathered
from hushvote.batch.inputs import inputs, local
from hushvote.batch.opening import Opened
from hushvote.batch.partial import Partials
from hushvote.batch.reading import Given, mechanism_given
from hushvote.batch.rows import check_on_bad
from hushvote.cores import Progress
from hushvote.errors import FileError, echo
from hushvote.files import AnyPath
from hushvote.formats.reports import check_digest
from hushvote.mechanisms.fields import Reports
from hushvote.tally import Tally

ENGINES = ("duckdb", "spark")


def silent(_: int) -> None:
    """Tell nobody how far it is."""


def count_files(
    paths: AnyPath | Iterable[AnyPath],
    *,
    parameters: Given = None,
    poll: str | None = None,
    by: str | None = None,
    on_bad: str = "reject",
    engine: str = "duckdb",
    master: str | None = None,
    partial: AnyPath | None = None,
    apart: bool = False,
    progress: Progress = silent,
) -> Counted:
    """Count as `tally_files` does, and say how many rows were left out, by reason."""
    check_on_bad(on_bad)
    check_engine(engine, master, partial)
    check_digest(poll)
    given, files = mechanism_given(parameters), inputs(paths)
    gathered = Gathered(given, poll, by, skip=on_bad == "skip", apart=apart)
    reports = [one for one in files if not one.is_tally]
    for one in files:
        if one.is_tally:
            gathered.add_tally(one)
    if engine == "spark":
        from hushvote.batch import spark

        return gathered.counted(spark.counted(reports, gathered, master, progress))
    opened = [known for one in local(reports) if (known := gathered.opened(one)) is not None]
    gathered.check_receipts(opened)
    partials = None if partial is None else Partials(partial)
    if partials is not None:
        apart = apart or _check_apart([one for one in opened if one.has_receipts])
    if gathered.mechanism is None:
        return gathered.counted(None)
    job = Job(gathered.mechanism, by, gathered.skip, progress, apart, partials)
    return gathered.counted(embedded.counted(opened, job))


def _check_apart(files: Sequence[Opened]) -> bool:
    for one in files:
        one.check_types()
    if (pair := not_apart(files)) is not None:
        raise FileError(
            f"{pair[0]} and {pair[1]} have receipts, and one may stand in both, so "
            "neither can be counted for good on its own; leave --partial out, or say --apart if "
            "no receipt stands in two files (in Python: partial, apart)",
            code="partial.receipts",
            path=pair[0],
            other=pair[1],
        )
    return True


def check_engine(engine: str, master: str | None, partial: AnyPath | None) -> None:
    """Refuse an engine that there is not, and what it does not do."""
    if engine not in ENGINES:
        raise FileError(
            f"reports are counted by {' or '.join(ENGINES)}, not by {echo(engine)}",
            code="engine.unknown",
            given=engine,
        )
    if engine != "spark" and master is not None:
        raise FileError(
            "--master is the address of a Spark cluster; say --engine spark, too",
            code="engine.options",
            option="--master",
        )
    if engine == "spark" and partial is not None:
        raise FileError(
            "--partial is for this machine's own engine; on Spark, count new partitions and add "
            "their tally to the old one",
            code="engine.options",
            option="--partial",
        )


@overload
def tally_files(
    paths: AnyPath | Iterable[AnyPath],
    *,
    parameters: Given = ...,
    poll: str | None = ...,
    by: None = ...,
    on_bad: str = ...,
    engine: str = ...,
    master: str | None = ...,
    partial: AnyPath | None = ...,
    apart: bool = ...,
    progress: Progress = ...,
) -> Tally: ...


@overload
def tally_files(
    paths: AnyPath | Iterable[AnyPath],
    *,
    parameters: Given = ...,
    poll: str | None = ...,
    by: str,
    on_bad: str = ...,
    engine: str = ...,
    master: str | None = ...,
    partial: AnyPath | None = ...,
    apart: bool = ...,
    progress: Progress = ...,
) -> dict[str, Tally]: ...


def tally_files(
    paths: AnyPath | Iterable[AnyPath],
    *,
    parameters: Given = None,
    poll: str | None = None,
    by: str | None = None,
    on_bad: str = "reject",
    engine: str = "duckdb",
    master: str | None = None,
    partial: AnyPath | None = None,
    apart: bool = False,
    progress: Progress = silent,
) -> Tally | dict[str, Tally]:
    """Count files of reports (.parquet) and add up tallies (.json) of one mechanism.

    Paths may be patterns such as 'reports/*.parquet', and folders. With `parameters`, files that
    other programs wrote are counted, too: their columns are found by name and may be of any
    integer type. With the digest of a `poll`, files and rows that name another one are refused.
    `by` names a further column, such as a region, or one that folders say, as in `day=monday/`:
    the tally of each of its values is returned, by its text. Where reports have receipts, the last
    change of each receipt counts, over all files; reports that were withdrawn do not.

    Bad rows (of another poll, or no reports at all) are refused, or left out with
    `on_bad="skip"`; `count_files` says how many they were. `engine` is "duckdb", on this machine,
    or "spark", on the cluster `master`. `partial` is a folder for what was counted of each file, so
    that a later call counts only new files. `apart=True` promises that no receipt stands in two of
    the files or tallies.
    """
    found = count_files(
        paths,
        parameters=parameters,
        poll=poll,
        by=by,
        on_bad=on_bad,
        engine=engine,
        master=master,
        partial=partial,
        apart=apart,
        progress=progress,
    )
    return found.tally if by is None else dict(found.groups)


def read_reports(
    paths: Iterable[AnyPath],
    parameters: Given = None,
    *,
    poll: str | None = None,
    on_bad: str = "reject",
) -> Reports:
    """All reports that count in files (.parquet) of one mechanism, which are known to be sound."""
    gathered = Gathered(mechanism_given(parameters), poll, None, skip=on_bad == "skip")
    opened = [one for each in local(inputs(paths)) if (one := gathered.opened(each)) is not None]
    if gathered.mechanism is None:
        raise gathered.nothing_to_count()
    job = Job(gathered.mechanism, None, gathered.skip, silent, keep=True)
    kept = embedded.counted(opened, job).kept
    return np.concatenate([gathered.mechanism.domain.empty(0), *(kept or [])])

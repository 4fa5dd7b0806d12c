"""Equal reports counted together by DuckDB, where a mechanism has so few reports that they repeat.

`SELECT fields, count(*) ... GROUP BY` is the whole query: what the columns mean is not said in SQL,
and the mechanism counts every different report with its weight. DuckDB does not look at checksums,
so they are compared beside it.
"""

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from hushvote import cores
from hushvote.batch.opening import Opened
from hushvote.batch.sifting import WEIGHT
from hushvote.batch.sums import Sums
from hushvote.errors import ReportError
from hushvote.formats.pages import checksums_hold

LEAST = 1 << 20  # reports of a file that are worth loading DuckDB
TIMES = 4  # as many reports as there are different ones, at least
MOST_DIFFERENT = 1 << 22
MEMORY = "400MB"  # that DuckDB may take; a file for which that is too little is read row by row
BATCH = 1 << 16  # different reports that are counted at a time


def pays(opened: Opened) -> bool:
    """Whether equal reports of this file are counted together."""
    size, n = opened.mechanism.domain.size, opened.file.n
    names = {name.lower() for name in opened.file.schema.names}
    types = [opened.file.schema.field(name).type for name in opened.sieve.columns]
    return (
        not opened.has_receipts
        and size <= MOST_DIFFERENT
        and n >= max(LEAST, TIMES * size)
        and len(names) == len(opened.file.schema.names)  # SQL takes "A" and "a" for one
        and all(pa.types.is_integer(t) or pa.types.is_boolean(t) or _is_text(t) for t in types)
    )


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def grouped(opened: Opened, progress: Callable[[int], None]) -> Sums | None:
    """What a file adds up to; None if anything is wrong with it, which reading it row by row tells
    better.
    """
    import duckdb

    columns = opened.sieve.columns
    settings: dict[str, Any] = {
        "memory_limit": MEMORY,
        "threads": cores.available(),
        "preserve_insertion_order": False,
        "temp_directory": "",  # reports that it put aside would stay on the disk after a kill
    }
    with (
        tempfile.TemporaryDirectory(prefix="hushvote.") as folder,  # its owner's alone
        duckdb.connect(config=settings) as database,
        ThreadPoolExecutor(1) as pool,
    ):
        database.execute("SET enable_progress_bar = false")  # it would write into our output
        name = Path(folder) / "reports.parquet"  # no name that would be taken for a pattern
        name.symlink_to(Path(opened.path).resolve())
        checked = pool.submit(checksums_hold, opened.path, columns)
        try:
            sums = _counted(database, _query(columns), opened, name)
        except (duckdb.Error, ReportError):
            return None
        if not checked.result() or (sums.left.bad and not opened.sieve.skip):
            return None
    opened.file.check_number(sums.n)
    progress(opened.file.n)
    return sums


def _query(columns: list[str]) -> str:
    named = ", ".join('"{}"'.format(name.replace('"', '""')) for name in columns)
    return (
        f'SELECT {named}, count(*) AS "{WEIGHT}" '
        "FROM read_parquet(?, hive_partitioning = false) GROUP BY ALL"
    )


def _counted(database: Any, query: str, opened: Opened, name: Path) -> Sums:
    sums = Sums(opened.mechanism, opened.sieve.by)
    sieve = replace(opened.sieve, skip=True)
    for batch in database.sql(query, params=[str(name)]).to_arrow_reader(BATCH):
        block, left, polls = sieve.sifted(batch)
        sums.add(block)
        sums.left += left
        sums.polls |= polls
    return sums

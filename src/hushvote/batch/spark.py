"""The engine of a cluster: Spark reads, groups and sorts; every worker counts with hushvote.

Rows go through the same sieve as on one machine, in Arrow batches, and come back as sums: a few
kilobytes from each task. Spark knows nothing of what the columns mean.
"""

import base64
import json
import os
import pickle
import re
import shutil
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

import pyarrow as pa

from hushvote import cores
from hushvote.batch.embedded import Progress
from hushvote.batch.gathering import Gathered
from hushvote.batch.grouping import MOST_DIFFERENT, TIMES
from hushvote.batch.inputs import UNSAID, Input
from hushvote.batch.opening import MARKS, Opened
from hushvote.batch.sifting import WEIGHT, Sieve
from hushvote.batch.standing import Standing, rows_of
from hushvote.batch.sums import Sums
from hushvote.errors import FileError, HushvoteError, ReportError, clip, echo
from hushvote.formats.reports import CHANGE, POLL, RECEIPT, WITHDRAWN, ReportFile

BATCH = 1 << 16  # rows that a worker is given at a time
LOOK = 0.3  # seconds between two looks at how far it is
ANSWER = "sums string"
SETTINGS: dict[str, bool | float | int | str | None] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
}


@dataclass(frozen=True)
class Found:
    """What the cluster has counted."""

    sums: Sums
    with_receipts: bool


def counted(
    inputs: Sequence[Input], gathered: Gathered, master: str | None, progress: Progress
) -> Found | None:
    """What all files add up to; None if there are none."""
    remote = [one for one in inputs if one.is_remote]
    opened = [
        known for one in inputs if not one.is_remote and (known := gathered.opened(one)) is not None
    ]
    if not remote and not opened:
        return None
    with _session(master) as session:
        tables = [_table(session, files) for files in _alike(opened)]
        if remote:
            tables.append(_remote(session, remote, gathered))
        assert gathered.mechanism is not None
        sums = Sums(gathered.mechanism, gathered.by)
        marked = [table for table in tables if table.has_receipts]
        jobs = [table for table in tables if not table.has_receipts]
        if marked:
            jobs.append(reduce(_Table.joined, marked))
        with _watched(session, progress) as seen:
            parts = [part for table in jobs for part in table.counted(seen)]
        for part in parts:
            if "refused" in part:
                raise pickle.loads(base64.b64decode(part["refused"]))
            sums.merge(Sums.from_dict(sums.mechanism, sums.by, part))
        return Found(sums, bool(marked))


@dataclass(frozen=True)
class _Table:
    """Files of the same columns, as Spark reads them."""

    frame: Any
    sieve: Sieve
    n: int | None  # how many rows there are, if that is known
    opened: Sequence[Opened] = ()

    @property
    def has_receipts(self) -> bool:
        return RECEIPT in self.sieve.marks

    def counted(self, seen: Any) -> list[dict[str, Any]]:
        """What every task found."""
        frame, sieve = self.frame, replace(self.sieve, skip=True)
        if self.has_receipts:
            frame = frame.repartition(RECEIPT).sortWithinPartitions(RECEIPT, CHANGE)
        elif self._repeats():
            frame = frame.groupBy(*(_quoted(name) for name in sieve.columns)).count()
            frame = frame.withColumnRenamed("count", WEIGHT)
        task = partial(_count, sieve, not self.sieve.skip, seen)
        rows = frame.mapInArrow(task, ANSWER).collect()
        return [json.loads(row[0]) for row in rows]

    def _repeats(self) -> bool:
        """Whether equal reports are counted together."""
        size = self.sieve.mechanism.domain.size
        return size <= MOST_DIFFERENT and (self.n is None or self.n >= TIMES * size)

    def joined(self, other: "_Table") -> "_Table":
        """Both together, with what only one of them says."""
        one, two = self._complete(), other._complete()
        marks = tuple(mark for mark in MARKS if mark in one.sieve.marks or mark in two.sieve.marks)
        frame = one.frame.unionByName(two.frame, allowMissingColumns=True)
        return _Table(frame, replace(self.sieve, marks=marks), None, [*self.opened, *other.opened])

    def _complete(self) -> "_Table":
        from pyspark.sql import functions

        frame, marks = self.frame, self.sieve.marks
        if WITHDRAWN not in marks:
            frame = frame.withColumn(WITHDRAWN, functions.lit(False))
        if POLL not in marks and self.sieve.poll is not None:
            frame = frame.withColumn(POLL, functions.lit(self.sieve.poll))
        return replace(self, frame=frame, sieve=replace(self.sieve, marks=(*marks, WITHDRAWN)))


def _count(
    sieve: Sieve, refuse: bool, seen: Any, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """What a worker does: rows in, sums out."""
    sums = Sums(sieve.mechanism, sieve.by)
    refused: list[ReportError] = []

    def sound() -> Iterator[Any]:
        for batch in batches:
            block, left, polls = sieve.sifted(batch)
            if left.bad and refuse and not refused:
                refused.append(_reason(sieve, batch))
            sums.left += left
            sums.polls |= polls
            seen.add(block.n + left.bad)
            yield block

    try:
        with cores.one_thread_each():
            if RECEIPT in sieve.marks:
                standing = Standing(
                    sieve.mechanism.domain.dtype,
                    ["a-file"],
                    grouped=sieve.by is not None,
                    skip=not refuse,
                )
                for block in standing.settled(map(rows_of, sound())):
                    sums.add(block)
                sums.left += standing.left
            else:
                for block in sound():
                    sums.add(block)
    except ReportError as error:
        refused.append(error)
    answer = sums.to_dict()
    if refused:
        answer["refused"] = base64.b64encode(pickle.dumps(_numberless(refused[0]))).decode()
    yield pa.RecordBatch.from_pydict({"sums": [json.dumps(answer)]})


def _numberless(error: ReportError) -> ReportError:
    """The same error without the numbers of rows, which mean nothing on a cluster."""
    said = re.sub(r"^report \d+:", "a row:", str(error))
    error.args = (re.sub(r"^report \d+ of \S+ and report \d+ of \S+", "two rows", said),)
    return error


def _reason(sieve: Sieve, batch: pa.RecordBatch) -> ReportError:
    """What is wrong with the first bad row."""
    try:
        replace(sieve, skip=False).sifted(batch)
    except ReportError as error:
        return error
    raise AssertionError("a row was found to be bad, and is not")


def _alike(files: Sequence[Opened]) -> list[list[Opened]]:
    """The files by their columns and types, since Spark takes those of one file for all."""
    found: dict[Any, list[Opened]] = {}
    for one in files:
        types = tuple(str(one.file.schema.field(name).type) for name in one.sieve.columns)
        key = (one.sieve.marks, types, one.sieve.poll, tuple(sorted(one.sieve.fixed)))
        found.setdefault(key, []).append(one)
    return list(found.values())


def _table(session: Any, files: Sequence[Opened]) -> _Table:
    sieve = replace(files[0].sieve, fixed={})
    said = [name for name in files[0].sieve.fixed if name in sieve.columns]
    frame = _read(session, [str(Path(one.path).absolute()) for one in files], sieve, said)
    return _Table(frame, sieve, sum(one.file.n for one in files), files)


def _remote(session: Any, files: Sequence[Input], gathered: Gathered) -> _Table:
    """Files that only the cluster can read; their heads are not looked at."""
    if gathered.given is None:
        raise FileError(
            f"the head of {echo(str(files[0].path))} cannot be read here; say the mechanism with "
            "--parameters or --poll",
            code="file.remote",
            path=files[0].path,
        )
    paths = [str(one.path) for one in files]
    names = session.read.parquet(*paths).columns
    file = ReportFile(
        paths[0],
        gathered.given.parameters(),
        None,
        0,
        pa.schema([(name, pa.null()) for name in names]),
        poll=gathered.poll,
    )
    opened = Opened.of(file, gathered.by, gathered.poll, files[0].fixed, skip=gathered.skip)
    gathered.begin(opened.mechanism, file)
    sieve = replace(opened.sieve, fixed={})
    said = [name for name in sieve.columns if name not in names]
    return _Table(_read(session, paths, sieve, said), sieve, None)


def _read(session: Any, paths: Sequence[str], sieve: Sieve, said: Sequence[str]) -> Any:
    """The columns that the sieve needs, those that folders or heads say among them."""
    from pyspark.sql import functions

    # a bare path of many files would be taken for partitions of one table
    reader = session.read.option("recursiveFileLookup", "true")
    reader = reader.option("parquet.page.verify-checksum.enabled", "true")
    frame = reader.parquet(*map(_literal, paths))
    path = functions.col("_metadata.file_path")
    for name in said:
        found = functions.regexp_extract(path, f"/{re.escape(name)}=([^/]*)/", 1)
        value = functions.url_decode(found)
        in_heads = functions.lit(sieve.poll if name == POLL else None)  # of all these files
        value = functions.when(value == UNSAID, functions.lit("")).otherwise(value)
        frame = frame.withColumn(name, functions.when(found == "", in_heads).otherwise(value))
    if RECEIPT in sieve.marks:
        frame = frame.withColumn(RECEIPT, functions.col(RECEIPT).cast("binary"))
        if CHANGE not in sieve.marks:
            frame = frame.withColumn(CHANGE, functions.lit(0))
    columns = sieve.columns
    if RECEIPT in sieve.marks and CHANGE not in columns:
        columns = [*columns, CHANGE]
    return frame.select(*(_quoted(name) for name in columns))


def _literal(path: str) -> str:
    """A path in which nothing is taken for a pattern."""
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", path)


def _quoted(name: str) -> str:
    return "`{}`".format(name.replace("`", "``"))


@contextmanager
def _session(master: str | None) -> Iterator[Any]:
    """The session that is running, or one for this count."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise FileError(
            "counting on Spark needs pyspark; install it with: pip install 'hushvote[spark]'",
            code="engine.missing",
            engine="spark",
        ) from None
    running = SparkSession.getActiveSession()
    if running is None and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise FileError(
            "Spark needs Java 17 or later, which is not installed; on Debian, type: "
            "sudo apt-get install openjdk-17-jre-headless",
            code="engine.java",
        )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = running
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    try:
        if session is None:
            builder = SparkSession.builder.appName("hushvote tally").config(map=SETTINGS)
            session = builder.master(master or "local[*]").getOrCreate()
        yield session
    except HushvoteError:
        raise
    except Exception as error:
        if not isinstance(error, PySparkException) and "py4j" not in type(error).__module__:
            raise
        explained = _explained(error, master)
        raise explained from None
    finally:
        if session is not None and running is None:
            session.stop()


def _explained(error: Exception, master: str | None) -> FileError:
    said = str(error)
    if "No module named 'hushvote'" in said:
        return FileError(
            "the workers of the cluster have no hushvote; install it there as here",
            code="engine.workers",
        )
    if "checksum" in said.lower() or "is not a Parquet file" in said:
        path = re.search(r"(?:file:)?(/\S+\.parquet)", said)
        name = path.group(1) if path else "a file"
        return FileError(
            f"{name} is damaged or not a Parquet file; get a fresh copy",
            code="file.damaged",
            path=name,
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line)]
    reason = (raised[-1:] or lines[:1] or [type(error).__name__])[0]
    where = f"the cluster {master}" if master else "Spark"
    return FileError(
        f"{where} cannot count this: {clip(reason)}", code="engine.failed", reason=reason
    )


@contextmanager
def _watched(session: Any, progress: Progress) -> Iterator[Any]:
    """Count rows as tasks end, and tell so."""
    seen = session.sparkContext.accumulator(0)
    over = threading.Event()
    told = 0

    def tell() -> None:
        nonlocal told
        now = seen.value
        if now > told:
            progress(now - told)
            told = now

    def watch() -> None:
        while not over.wait(LOOK):
            tell()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield seen
    finally:
        over.set()
        watcher.join()
        tell()

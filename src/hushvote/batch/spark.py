"""The engine of a cluster: Spark reads, groups and sorts; every worker counts with hushvote.

Rows go through the same sieve as on one machine, in Arrow batches, and come back as sums: a few
kilobytes from each task. Spark knows nothing of what the columns mean.
"""

import base64
import json
import pickle
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

import pyarrow as pa

from hushvote import cores
from hushvote.batch.cluster import check_master, session
from hushvote.batch.gathering import Gathered
from hushvote.batch.grouping import MOST_DIFFERENT, TIMES
from hushvote.batch.inputs import Input, is_remote
from hushvote.batch.opening import MARKS, Opened
from hushvote.batch.remote import HIDDEN, Remote
from hushvote.batch.sifting import WEIGHT, Sieve
from hushvote.batch.standing import Standing, rows_of
from hushvote.batch.sums import Sums
from hushvote.cores import Progress
from hushvote.errors import FileError, HushvoteError, clip, echo
from hushvote.formats.reports import CHANGE, POLL, RECEIPT, WITHDRAWN

LOOK = 0.3  # seconds between two looks at how far it is
ANSWER = "sums string"
GROUP = "hushvote_group"  # the column to count by, whose own name Spark may not read
PATH = "hushvote_path"


def counted(
    inputs: Sequence[Input], gathered: Gathered, master: str | None, progress: Progress
) -> Sums | None:
    """What all files add up to; None if there are none."""
    check_master(master)
    here = [one for one in inputs if not one.is_remote]
    far = [one for one in inputs if one.is_remote]
    opened = [known for one in here if (known := gathered.opened(one)) is not None]
    for one in opened:
        _check(one)
        one.file.check_number(sum(one.file.groups))
    if not far and not opened:
        return None
    with session(master) as spark:
        if far:
            opened += _opened_far(spark, far, gathered)
        gathered.check_receipts(opened)
        return _counted(spark, opened, gathered, progress) if opened else None


def _opened_far(spark: Any, far: Sequence[Input], gathered: Gathered) -> list[Opened]:
    remote = Remote(spark, far)
    each = [gathered.opened(one, remote.reports_in) for one in remote.inputs]
    opened = [one for one in each if one is not None]
    for one in opened:
        _check(one)
    return opened


def _counted(spark: Any, opened: Sequence[Opened], gathered: Gathered, progress: Progress) -> Sums:
    assert gathered.mechanism is not None
    tables = [_table(spark, files) for files in _alike(opened)]
    sums = Sums(gathered.mechanism, gathered.by)
    marked = [table for table in tables if table.has_receipts]
    jobs = [table for table in tables if not table.has_receipts]
    if marked:
        jobs.append(_joined(marked))
    with _watched(spark, progress) as seen:
        parts = [part for table in jobs for part in table.counted(seen)]
    for part in parts:
        if "refused" in part:
            raise pickle.loads(base64.b64decode(part["refused"]))
        sums.merge(Sums.from_dict(sums.mechanism, sums.by, part))
    n = sum(one.file.n for one in opened)
    if sums.n != n:
        raise FileError(
            f"Spark read {sums.n:,} rows of these files, which hold {n:,}; count them again, and "
            "if that does not help, on one machine (--engine duckdb)",
            code="engine.failed",
            given=sums.n,
            n=n,
        )
    for one in opened:
        one.file.check_unchanged()
    return sums


@dataclass(frozen=True)
class _Table:
    """Files of the same columns, as Spark reads them."""

    frame: Any
    sieve: Sieve
    n: int  # how many rows there are

    @property
    def has_receipts(self) -> bool:
        return RECEIPT in self.sieve.marks

    def counted(self, seen: Any) -> list[dict[str, Any]]:
        """What every task found."""
        frame, sieve = self.frame, replace(self.sieve, skip=True)
        if self.has_receipts:
            order = ([_poll()] if sieve.by == POLL else []) + [RECEIPT, CHANGE]
            frame = frame.repartition(RECEIPT).sortWithinPartitions(*order)
        elif self._repeats():
            frame = frame.groupBy(*(_quoted(name) for name in frame.columns)).count()
            frame = frame.withColumnRenamed("count", WEIGHT)
        task = partial(_count, sieve, not self.sieve.skip, seen)
        rows = frame.mapInArrow(task, ANSWER).collect()
        return [json.loads(row[0]) for row in rows]

    def _repeats(self) -> bool:
        """Whether equal reports are counted together."""
        size = self.sieve.mechanism.domain.size
        return size <= MOST_DIFFERENT and self.n >= TIMES * size

    def with_marks(self, marks: tuple[str, ...]) -> Any:
        """The rows with all these marks, as files without them mean it."""
        from pyspark.sql import functions

        poll = functions.lit(self.sieve.poll).cast("string")
        missing = {CHANGE: functions.lit(0), WITHDRAWN: functions.lit(False), POLL: poll}
        frame = self.frame
        for mark in marks:
            if mark not in frame.columns:
                frame = frame.withColumn(mark, missing[mark])
        return frame


def _poll() -> Any:
    """The poll of a row, for which empty cells and empty texts are the same."""
    from pyspark.sql import functions

    return functions.coalesce(functions.col(POLL).cast("string"), functions.lit(""))


def _joined(tables: Sequence[_Table]) -> _Table:
    """All rows with receipts together, since one receipt may stand in several of them."""
    held = {mark for table in tables for mark in table.sieve.marks}
    marks = tuple(mark for mark in MARKS if mark in held or mark == CHANGE)
    frame = reduce(
        lambda one, other: one.unionByName(other), [table.with_marks(marks) for table in tables]
    )
    return _Table(frame, replace(tables[0].sieve, marks=marks), sum(table.n for table in tables))


def _count(
    sieve: Sieve, refuse: bool, seen: Any, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """What a worker does: rows in, sums out."""
    sums = Sums(sieve.mechanism, sieve.by)
    refused: list[HushvoteError] = []

    def sound() -> Iterator[Any]:
        for batch in (_as_written(sieve, rows) for rows in batches):
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
    except HushvoteError as error:
        refused.append(error)
    answer = sums.to_dict()
    if refused:
        answer["refused"] = base64.b64encode(pickle.dumps(_numberless(refused[0]))).decode()
    yield pa.RecordBatch.from_pydict({"sums": [json.dumps(answer)]})


def _numberless(error: HushvoteError) -> HushvoteError:
    """The same error without the numbers of rows, which mean nothing on a cluster."""
    said = re.sub(r"^report \d+:", "a row:", str(error))
    error.args = (re.sub(r"^report \d+ of \S+ and report \d+ of \S+", "two rows", said),)
    return error


def _as_written(sieve: Sieve, batch: pa.RecordBatch) -> pa.RecordBatch:
    """The rows with the names that their files give to the columns."""
    return batch.rename_columns(
        [sieve.by if name == GROUP else name for name in batch.schema.names]
    )


def _reason(sieve: Sieve, batch: pa.RecordBatch) -> HushvoteError:
    """What is wrong with the first bad row."""
    try:
        replace(sieve, skip=False).sifted(batch)
    except HushvoteError as error:
        return error
    raise AssertionError("a row was found to be bad, and is not")


def _check(one: Opened) -> None:
    """Refuse what Spark reads otherwise than this machine, or leaves out."""
    schema, by = one.file.schema, one.sieve.by
    one.check_types()
    name = Path(str(one.path)).name
    if name.startswith(HIDDEN):
        raise FileError(
            f"{one.path} cannot be counted on Spark, which leaves out files whose name begins with "
            "'.' or '_'; give it another name",
            code="file.name",
            path=one.path,
        )
    folded: dict[str, str] = {}
    for name in (*schema.names, *one.sieve.fixed):
        if folded.setdefault(name.lower(), name) != name:
            raise FileError(
                f"{one.path} has the columns {echo(folded[name.lower()])} and {echo(name)}, which "
                "Spark cannot tell apart; rename one of them",
                code="file.columns",
                path=one.path,
                column=name,
            )
    if by in schema.names and not _kind(schema.field(by).type):
        said = clip(str(schema.field(by).type))
        raise FileError(
            f"the column {echo(by)} of {one.path} holds {said}, which Spark names otherwise than "
            "this machine; write it as text, or count by it with --engine duckdb",
            code="file.groups",
            path=one.path,
            by=by,
            type=said,
        )


def _kind(held: Any) -> str:
    """What a column holds, if it has the same texts on Spark as here."""
    types = pa.types
    if types.is_dictionary(held):
        return _kind(held.value_type)
    if types.is_integer(held):
        return "whole numbers"
    if types.is_string(held) or types.is_large_string(held) or types.is_string_view(held):
        return "text"
    plain = (types.is_null, types.is_boolean, types.is_date32, types.is_float32, types.is_float64)
    same = types.is_decimal128(held) or held in (pa.timestamp("ms"), pa.timestamp("us"))
    return str(held) if same or any(one(held) for one in plain) else ""


def _alike(files: Sequence[Opened]) -> list[list[Opened]]:
    """The files by their columns and types, since Spark takes those of one file for all."""
    found: dict[Any, list[Opened]] = {}
    kinds: dict[str, Opened] = {}
    for one in files:
        types = tuple(str(one.file.schema.field(name).type) for name in one.sieve.columns)
        key = (one.sieve.marks, types, one.sieve.poll, tuple(sorted(one.sieve.fixed)))
        found.setdefault(key, []).append(one)
        if one.has_receipts:
            kinds.setdefault(_kind_of_groups(one), one)
    if len(kinds) > 1:
        (held, first), (other, second) = list(kinds.items())[:2]
        raise FileError(
            f"the column {echo(first.sieve.by)} holds {held} in {first.path}, but {other} in "
            f"{second.path}; write both in the same way, or count by it with --engine duckdb",
            code="file.groups",
            by=first.sieve.by,
            path=second.path,
            type=other,
        )
    return list(found.values())


def _kind_of_groups(one: Opened) -> str:
    by = one.sieve.by
    return "text" if by is None or by in one.sieve.fixed else _kind(one.file.schema.field(by).type)


def _table(spark: Any, files: Sequence[Opened]) -> _Table:
    """Some files with the same columns."""
    from pyspark.sql import functions

    sieve = files[0].sieve
    paths = [_address(one) for one in files]
    reader = spark.read.option("recursiveFileLookup", "true")  # folders say nothing to Spark
    reader = reader.option("parquet.page.verify-checksum.enabled", "true")
    frame = reader.parquet(*map(_literal, paths))
    columns = [functions.col(_quoted(name)).alias(_named(sieve, name)) for name in sieve.columns]
    whole = replace(sieve, fixed={})
    said = [name for name in whole.columns if name not in sieve.columns]
    if said:
        # as Java writes the path of a file, but for the slashes in front of it
        path = functions.regexp_replace("_metadata.file_path", "^([^:/]+):/+", "$1:/")
        frame = frame.select(*columns, path.alias(PATH))
        frame = frame.join(functions.broadcast(_said(spark, files, paths, said)), PATH).drop(PATH)
    else:
        frame = frame.select(*columns)
    if RECEIPT in sieve.marks:
        frame = frame.withColumn(RECEIPT, functions.col(RECEIPT).cast("binary"))
        if CHANGE not in sieve.marks:
            frame = frame.withColumn(CHANGE, functions.lit(0))
    return _Table(frame, whole, sum(one.file.n for one in files))


def _said(spark: Any, files: Sequence[Opened], paths: Sequence[str], said: Sequence[str]) -> Any:
    """What folders and heads say, by the path of the file as Java writes it."""
    java = spark.sparkContext._jvm.org.apache.hadoop.fs.Path
    written = [str(java(path).toUri().toString()) for path in paths]
    columns = {PATH: [re.sub("^([^:/]+):/+", r"\1:/", path) for path in written]}
    for name in said:
        columns[_named(files[0].sieve, name)] = [one.sieve.fixed[name] for one in files]
    return spark.createDataFrame(pa.table(columns))


def _address(one: Opened) -> str:
    path = str(one.path)
    return path if is_remote(path) else f"file://{Path(path).absolute()}"


def _literal(path: str) -> str:
    """A path in which nothing is taken for a pattern."""
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", path)


def _named(sieve: Sieve, name: str) -> str:
    """What a column is called in Spark."""
    return GROUP if name == sieve.by and name != POLL else name


def _quoted(name: str) -> str:
    return "`{}`".format(name.replace("`", "``"))


@contextmanager
def _watched(spark: Any, progress: Progress) -> Iterator[Any]:
    """Count rows as tasks end, and tell so."""
    seen = spark.sparkContext.accumulator(0)
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

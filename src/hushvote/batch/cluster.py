"""The session of Spark that counts: the one that runs, or one for this count, which ends with it.

What goes wrong there is told in one sentence, without the traces of Java.
"""

import logging
import os
import re
import shutil
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import unquote

from hushvote.errors import FileError, HushvoteError, clip, echo

BATCH = 1 << 16  # rows that a worker is given at a time
SETTINGS: dict[str, bool | float | int | str | None] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
}
MASTER = re.compile(r"local(\[(\d+|\*)(, *\d+)?\])?|spark://\S+:\d+|k8s://\S+|yarn")
ANSWER = 10.0  # seconds that a master has to answer
RAISED = re.compile(r"(?:[a-z_]\w*\.)+[A-Z]\w*: |\w+(?:Error|Exception): ")  # and of what kind


def check_master(master: str | None) -> None:
    """Refuse what is no address of a cluster before anything starts."""
    if master is not None and not MASTER.fullmatch(master):
        raise FileError(
            f"--master must be like spark://host:7077, local[2], yarn or k8s://..., "
            f"not {echo(master)}",
            code="engine.master",
            given=master,
        )


@contextmanager
def session(master: str | None) -> Iterator[Any]:
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
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    running = SparkSession.getActiveSession()
    try:
        if running is not None:
            yield running
        else:
            with _own(master or "local[*]") as started:
                yield started
    except HushvoteError:
        raise
    except Exception as error:
        if not isinstance(error, PySparkException) and "py4j" not in type(error).__module__:
            raise
        explained = _explained(error, master)
        raise explained from None


@contextmanager
def _own(master: str) -> Iterator[Any]:
    """A session for this count, which ends with it."""
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise FileError(
            "Spark needs Java 17 or later, which is not installed; on Debian, type: "
            "sudo apt-get install openjdk-17-jre-headless",
            code="engine.java",
        )
    if master.startswith("spark://"):
        _check_answers(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = SparkConf().setMaster(master).setAppName("hushvote tally")
    settings.setAll([(name, str(value)) for name, value in SETTINGS.items()])
    with _quiet(), _same_interrupt() as restore:
        with _uninterrupted():
            SparkContext._ensure_initialized(conf=settings)
        started = SparkSession.builder.config(conf=settings).getOrCreate()
        restore()
        try:
            yield started
        except KeyboardInterrupt:
            with suppress(Exception):
                started.sparkContext.setLogLevel("OFF")  # of tasks that end midway
            raise
        finally:
            started.stop()


def _check_answers(master: str) -> None:
    """Ask the masters for a connection: Spark itself would try for a minute."""
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        with suppress(OSError, ValueError, OverflowError):
            socket.create_connection((host.strip("[]"), int(port)), ANSWER).close()
            return
    raise FileError(
        f"no master answers at {clip(master)}; check the address, and that the cluster runs",
        code="engine.master",
        given=master,
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Ctrl-C is told nobody: py4j would write where it was."""

    def told(record: logging.LogRecord) -> bool:
        return not str(record.msg).endswith("while sending command.")

    root = logging.getLogger()
    root.addFilter(told)
    try:
        yield
    finally:
        root.removeFilter(told)


@contextmanager
def _same_interrupt() -> Iterator[Any]:
    """Ctrl-C does what it did before, since Spark would answer it and go on doing so."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    before = signal.getsignal(signal.SIGINT)

    def restore() -> None:
        signal.signal(signal.SIGINT, before)

    try:
        yield restore
    finally:
        restore()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until Java has started, which would not end otherwise."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)


def _explained(error: Exception, master: str | None) -> FileError:
    said = _reasons(error)
    if "No module named 'hushvote'" in said:
        from pyspark import SparkContext

        running = SparkContext._active_spark_context
        python = f", {running.pythonExec}" if running is not None else ""
        return FileError(
            f"the workers of the cluster have no hushvote in their Python{python}; "
            "install it there as here",
            code="engine.workers",
        )
    if "checksum" in said.lower() or "is not a Parquet file" in said:
        path = re.search(r"(?:[a-z0-9+.-]+:)?/\S+\.parquet", said)
        name = re.sub("^(file:)?/+", "/", unquote(path.group())) if path else "a file"
        return FileError(
            f"{name} is damaged or not a Parquet file; get a fresh copy",
            code="file.damaged",
            path=name,
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    raised = [line for line in lines if RAISED.match(line)]
    reason = (raised[-1:] or lines[:1] or [type(error).__name__])[0]
    where = f"the cluster {master}" if master else "Spark"
    if re.search(r"ClassNotFoundException.*FileSystem|No FileSystem for scheme", said):
        reason = reason.rpartition("Exception: ")[2]
        return FileError(
            f"{where} has no connector for these addresses ({clip(reason)}); name it in "
            "spark-defaults.conf, as in: spark.jars.packages org.apache.hadoop:hadoop-aws:3.4.1",
            code="engine.connector",
            reason=reason,
        )
    return FileError(
        f"{where} cannot count this: {clip(reason)}", code="engine.failed", reason=reason
    )


def _reasons(error: Exception) -> str:
    """What Java says, the deepest cause last; or else what Python says."""
    cause = getattr(error, "java_exception", None)
    said: list[str] = []
    with suppress(Exception):  # Java may be gone
        while cause is not None:
            said.append(str(cause.toString()))
            cause = cause.getCause()
    return "\n".join(said) or str(error)

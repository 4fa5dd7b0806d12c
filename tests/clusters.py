"""A Spark cluster of this machine: a master and two workers, processes of their own on loopback."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark

SPARK = Path(pyspark.__file__).parent
WORKERS = 2


@contextmanager
def cluster(folder: Path, limit: float = 120) -> Iterator[str]:
    """The address of its master; all processes are gone in the end."""
    environment = {
        **os.environ,
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
    }
    started: list[subprocess.Popen[bytes]] = []
    until = time.monotonic() + limit

    def start(name: str, role: str, *words: str) -> Path:
        log = folder / f"{name}.log"
        command = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}"]
        with log.open("wb") as file:
            process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--webui-port", "0", *words],
                stdout=file,
                stderr=file,
                env=environment,
            )
        started.append(process)
        return log

    def said(log: Path, pattern: str) -> str:
        while not (found := re.search(pattern, log.read_text(errors="replace"))):
            assert time.monotonic() < until, log.read_text(errors="replace")[-2000:]
            assert all(one.poll() is None for one in started), log.read_text(errors="replace")
            time.sleep(0.1)
        return found.group(0)

    try:
        master = said(start("master", "master.Master", "--port", "0"), r"spark://127\.0\.0\.1:\d+")
        for k in range(WORKERS):
            words = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"work{k}")]
            said(start(f"worker{k}", "worker.Worker", *words, master), "Successfully registered")
        yield master
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()

"""Real databases for tests: PostgreSQL clusters of their own, in a temporary folder."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PLACES = Path("/usr/lib/postgresql")  # where Debian puts it, a folder a version
OWNER = "nobody"  # PostgreSQL refuses to run as root
PATIENCE = 60  # seconds for a cluster to start or stop


def binaries() -> Path | None:
    """The folder of PostgreSQL's server programs, of the latest version there is."""
    versions = sorted(PLACES.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


class Cluster:
    """A PostgreSQL server that only this machine can reach, by a socket in its folder."""

    def __init__(self, programs: Path, **settings: object) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="hushvote-pg-"))
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None
        if os.getuid() == 0:
            shutil.chown(self.folder, OWNER)
        options = ["-U", "hushvote", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        self._run("initdb", "-D", self.data, *options)
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://hushvote@/{database}?host={self.folder}"

    def start(self) -> None:
        """Start, also after a crash."""
        deadline = time.monotonic() + PATIENCE
        while True:
            settings = {"listen_addresses": "", "unix_socket_directories": self.folder}
            given = {**settings, **self.settings}
            words = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
            with (self.folder / "log").open("ab") as log:
                self.process = subprocess.Popen(
                    [self.programs / "postgres", "-D", self.data, *words],
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    **self._user(),
                )
            while self.process.poll() is None:
                if self._answers():
                    return
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.05)
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.2)  # processes of a crashed one are still ending

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop: politely, or by SIGKILL as a crash does."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)  # at once: nothing of it is needed any more
        shutil.rmtree(self.folder)

    def database(self) -> str:
        """The URL of a new, empty database."""
        import psycopg

        name = f"test_{secrets.token_hex(6)}"
        with psycopg.connect(self.url(), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def _answers(self) -> bool:
        asked = [self.programs / "pg_isready", "-q", "-h", self.folder]
        return subprocess.run(asked, check=False).returncode == 0

    def _run(self, program: str, *words: object) -> None:
        command = [str(self.programs / program), *map(str, words)]
        subprocess.run(command, check=True, capture_output=True, **self._user())

    def _user(self) -> dict[str, object]:
        there = {"cwd": self.folder}
        return {**there, "user": OWNER, "extra_groups": []} if os.getuid() == 0 else there


@contextlib.contextmanager
def running_cluster(**settings: object) -> Iterator[Cluster]:
    """A cluster that is gone afterwards."""
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is missing; type: sudo apt-get install postgresql")
    cluster = Cluster(programs, **settings)
    try:
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One PostgreSQL for all tests of a process."""
    with running_cluster(fsync="off") as found:  # for speed; crashes have clusters of their own
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "polls" / "hushvote.db")
    found: Cluster = request.getfixturevalue("cluster")
    return found.database()

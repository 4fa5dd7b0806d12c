"""The way of the deployment page, in a bare Debian: the Dockerfile's steps, nginx and Caddy with a
certificate of our own, a poll over TLS, restart, upgrade and rollback.

Every command in the bare root gets mounts of its own, which end with it: nothing stays mounted.
"""

import json
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

import hushvote as hv
from tests.serving import Remote, refused
from tests.test_server_operations import free_port

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
DEPLOY, PAGE = ROOT / "deploy", ROOT / "docs" / "deploy.md"
PACKAGES = "ca-certificates,python3,python3-venv,nginx-light,caddy,openssl"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
SURROUNDINGS = ("etc/resolv.conf", "etc/hosts", "etc/pip.conf", "root/.config/pip/pip.conf")
HANDED_ON = ("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "http_proxy", "https_proxy", "no_proxy")
TOKEN = "a-token-for-the-trial"
NEW = "0.1.1"
PATIENCE = 30
MEMORY = 6 << 30  # bytes; a root with everything in it takes about one of these six


# --- the files ------------------------------------------------------------------------------------


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, lines that go on joined."""
    text = (DEPLOY / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    found = [line.split(maxsplit=1) for line in joined.splitlines() if line.strip()]
    return [(name, given.strip()) for name, given in found]


def shell(heading: str) -> str:
    """The commands below a heading of the page."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.S | re.M)[1]
    return "".join(re.findall(r"^```sh\n(.*?)^```", section, re.S | re.M))


def test_the_page_installs_as_the_dockerfile_does():
    runs = " ".join(given for name, given in steps() if name == "RUN")
    for command in shell("Install the package").splitlines():
        assert " ".join(command.split()) in " ".join(runs.split())


def test_every_option_of_the_server_stands_on_the_page_with_its_variable():
    helped = subprocess.run(
        [sys.executable, "-m", "hushvote", "serve", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    ).stdout
    page = PAGE.read_text()
    options = set(re.findall(r"(--[a-z-]+)", helped)) - {"--help"}
    variables = set(re.findall(r"HUSHVOTE_[A-Z_]+", helped))
    assert len(options) > 15
    for name in options | variables:
        assert f"`{name}" in page, name


def test_the_unit_is_one_that_systemd_takes_and_shuts_in_well():
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing")
    unit = str(DEPLOY / "hushvote.service")
    verified = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    said = [line for line in verified.stderr.splitlines() if "hushvote" in line]
    assert all("is not executable" in line for line in said), said  # not installed here
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", unit],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    exposure = re.search(r"exposure level for hushvote.service: ([0-9.]+)", told)
    if exposure is None:
        pytest.skip("this systemd-analyze cannot judge a file")
    assert float(exposure[1]) <= 2.0


def test_the_unit_sets_only_what_the_server_knows():
    names = re.findall(
        r"^Environment=(HUSHVOTE_\w+)=", (DEPLOY / "hushvote.service").read_text(), re.M
    )
    assert names
    assert all(f"`{name}" in PAGE.read_text() for name in names)


# --- a bare Debian --------------------------------------------------------------------------------


def found(program: str) -> str:
    """Where a program of this machine is: the path of the bare root need not lead there."""
    return str(shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin"))


@dataclass
class Bare:
    """A Debian root, and what the Dockerfile has set in it so far."""

    place: Path
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    folder: str = "/"

    def inside(self, *words: str) -> list[str]:
        """A command in this root: with its own mounts, and by exec, so that it has one process."""
        mounts = f'{found("mount")} --bind /proc "$0/proc" && {found("mount")} --bind /dev "$0/dev"'
        user = [f"--userspec={self.user}"] if self.user != "root" else []
        moved = ["/bin/sh", "-c", f'cd {shlex.quote(self.folder)} && exec "$@"', "sh"]
        private = [found("unshare"), "--mount", "--propagation", "private", "/bin/sh", "-c"]
        there = [f'{mounts} && exec {found("chroot")} "$@"', str(self.place), *user]
        return [*private, *there, str(self.place), *moved, *words]

    def variables(self, **more: str) -> dict[str, str]:
        handed = {name: os.environ[name] for name in HANDED_ON if os.environ.get(name)}
        there = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        quiet = {"DEBIAN_FRONTEND": "noninteractive", "PIP_CERT": str(CERTIFICATES)}
        return {**there, **quiet, **handed, **self.environment, **more}

    def run(self, *words: str, **more: str) -> str:
        done = subprocess.run(
            self.inside(*words),
            env=self.variables(**more),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, (words, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    @contextmanager
    def running(self, *words: str, log: Path, **more: str) -> Iterator["subprocess.Popen[bytes]"]:
        with log.open("ab") as file:
            process = subprocess.Popen(
                self.inside(*words), env=self.variables(**more), stdout=file, stderr=file
            )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


@pytest.fixture(scope="module")
def needed() -> None:
    if os.getuid() != 0 or not all(map(shutil.which, ("mmdebstrap", "unshare", "chroot"))):
        pytest.skip("a bare Debian root needs root, mmdebstrap and unshare")
    alone = ["unshare", "--mount", "--propagation", "private", "true"]
    if subprocess.run(alone, capture_output=True, check=False).returncode != 0:
        pytest.skip("there are no mounts of one's own here, as in a chroot")


def in_memory() -> str | None:
    """Memory that can be used as a disk, if there is plenty: a Debian has many small files."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or os.statvfs(memory).f_flag & os.ST_NOEXEC:
        return None
    told = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
    enough = told is not None and int(told[1]) > MEMORY // 1024
    return str(memory) if enough and shutil.disk_usage(memory).free > MEMORY else None


@pytest.fixture(scope="module")
def bare(needed: None) -> Iterator[Bare]:
    """A minimal Debian with nginx, and what is needed to reach packages from it."""
    folder = Path(tempfile.mkdtemp(prefix="hushvote-deploy-", dir=in_memory()))
    place = folder / "root"
    try:
        made = subprocess.run(
            ["mmdebstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", place],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            pytest.skip(f"mmdebstrap cannot fetch Debian: {made.stderr[-300:]}")
        for name in SURROUNDINGS:
            if Path("/", name).is_file():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path("/", name), place / name)
        shutil.copy(CERTIFICATES, place / CERTIFICATES.relative_to("/"))
        for file in Path("/etc/apt/apt.conf.d").iterdir():
            if not (place / "etc/apt/apt.conf.d" / file.name).exists():
                shutil.copy(file, place / "etc/apt/apt.conf.d")
        folder.chmod(0o755)
        yield Bare(place)
    finally:
        assert str(place) not in Path("/proc/mounts").read_text()
        subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)


@pytest.fixture(scope="module")
def building(
    needed: None, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Path, "subprocess.Popen[bytes]"]]:
    """The wheel of this version and one of a newer version, from copies of the source; they are
    built while Debian is fetched.
    """
    building = []
    for version in (hv.__version__, NEW):
        copy = tmp_path_factory.mktemp("source")
        shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        for name in ("pyproject.toml", "src/hushvote/__init__.py"):
            text = (copy / name).read_text()
            assert f'"{hv.__version__}"' in text
            (copy / name).write_text(text.replace(f'"{hv.__version__}"', f'"{version}"', 1))
        command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(copy / "dist"), "."]
        started = subprocess.Popen(
            command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        building.append((copy, started))
    return building


def wheel(copy: Path, process: "subprocess.Popen[bytes]") -> Path:
    said, _ = process.communicate(timeout=200)
    assert process.returncode == 0, said[-2000:]
    return next((copy / "dist").glob("*.whl"))


def built(bare: Bare, wheel: Path) -> tuple[list[str], list[str]]:
    """Take the steps of the Dockerfile; its command and its check of health."""
    command, health = [], []
    for name, given in steps():
        if name == "RUN":
            bare.run("/bin/sh", "-c", given)
        elif name == "ENV":
            variable, _, value = given.partition("=")
            bare.environment[variable] = value
        elif name == "COPY":
            source, target = given.split()
            goal = bare.place / target.lstrip("/")
            goal.mkdir(parents=True, exist_ok=True)
            shutil.copy(wheel if source.startswith("dist/") else ROOT / source, goal)
        elif name == "USER":
            bare.user = given
        elif name == "WORKDIR":
            bare.folder = given
        elif name == "HEALTHCHECK":
            health = json.loads(given.partition("CMD")[2])
        elif name == "CMD":
            command = json.loads(given)
        else:
            assert name in ("FROM", "VOLUME", "EXPOSE", "STOPSIGNAL"), name
    assert dict(steps())["FROM"].startswith("debian:bookworm")
    assert bare.user != "root"
    return command, health


def test_a_bare_debian_gets_a_server_that_answers_over_tls_and_survives_its_care(
    building, bare, tmp_path
):
    old, new = (wheel(*one) for one in building)
    command, health = built(bare, old)
    there = (bare.place / "var/lib/hushvote").stat()
    assert (there.st_mode & 0o777, there.st_uid) == (0o700, 10001)
    port, tls, plain = free_port(), free_port(), free_port()
    base = f"https://localhost:{tls}"
    given = {
        "HUSHVOTE_LISTEN_PORT": str(port),
        "HUSHVOTE_LISTEN_HOST": "127.0.0.1",
        "HUSHVOTE_BASE_URL": base,
        "HUSHVOTE_TRUSTED_PROXY": "127.0.0.1",
        "HUSHVOTE_TOKEN": TOKEN,
    }
    log = tmp_path / "log"
    admin = Bare(bare.place, {})  # whoever types the commands of the page

    def started():
        return bare.running(*command, log=log, **given)

    # the proxy, as the page says, on ports that are free here
    (bare.place / "srv/deploy").mkdir(parents=True)
    proxy = (DEPLOY / "nginx.conf").read_text()
    for before, after in (("443", tls), ("80", plain), ("8000", port)):
        proxy = re.sub(rf"(listen |127\.0\.0\.1:){before}\b", rf"\g<1>{after}", proxy)
    (bare.place / "srv/deploy/nginx.conf").write_text(proxy)
    (bare.place / "etc/nginx/sites-enabled/default").unlink()
    stand_in(bare.place / "usr/local/bin/systemctl")
    admin.folder = "/srv"
    admin.run("/bin/bash", "-ec", shell("The proxy and TLS"), PATH=PATH)
    certificate = bare.place / "etc/ssl/hushvote/certificate.pem"
    trusted = ssl.create_default_context(cafile=str(certificate))
    with (
        admin.running("nginx", "-g", "daemon off;", log=log),
        httpx.Client(base_url=base, verify=trusted, trust_env=False, timeout=30) as client,
    ):
        with started() as server:
            soon_answers(client, log)
            bare.run(*health, **given)
            remote = used(client, base)
            kept = remote.told()
        assert server.returncode == 0
        assert client.get(f"{remote.path}/manifest").status_code == 502  # nginx is alone
        assert handed_on(client, port) == "127.0.0.1"
        with started():  # a restart
            soon_answers(client, log)
            assert remote.told() == kept
            assert version(client) == hv.__version__
        shutil.copy(new, bare.place / "opt/hushvote/wheels")
        admin.run("/bin/bash", "-ec", shell("Upgrade"), NEW=NEW, PATH=PATH)
        with started():
            soon_answers(client, log)
            assert version(client) == NEW
            assert remote.told() == kept
            late = used(client, base)
        admin.run("/bin/bash", "-ec", shell("Roll back"), OLD=hv.__version__, NEW=NEW, PATH=PATH)
        with started():
            soon_answers(client, log)
            assert version(client) == hv.__version__
            assert remote.told() == kept
            assert late.told()["state"] == "closed"
            verified(late, tmp_path)
        admin.run("/bin/bash", "-ec", shell("Go back to the backup"), NEW=NEW, PATH=PATH)
        with started():
            soon_answers(client, log)
            assert remote.told() == kept
            assert client.get(f"{late.path}/manifest").status_code == 404
    caddy_log = tmp_path / "caddy"
    with behind_caddy(admin, port, trusted, caddy_log) as client:
        assert client.get(f"{remote.path}/manifest").status_code == 502  # Caddy is alone
        assert handed_on(client, port) == "127.0.0.1"
        with started():
            soon_answers(client, log, f"{remote.path}/manifest")
            verified(Remote(client, remote.poll, remote.key), tmp_path)
            assert client.get("/readyz").status_code == 404
    assert "serving initial configuration" in caddy_log.read_text()
    assert_tells_nothing([caddy_log], remote)
    asked = (bare.place / "var/log/systemctl").read_text().splitlines()
    assert asked == ["reload nginx", *2 * ["restart hushvote"], "stop hushvote", "start hushvote"]
    assert not list((bare.place / "var/log/nginx").glob("access.log"))[1:]
    assert_tells_nothing((bare.place / "var/log/nginx").iterdir(), remote)
    for line in log.read_text().splitlines():
        if "event" in line:
            json.loads(line)


PATH = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def stand_in(path: Path) -> None:
    """There is no systemd in a bare root: what it is told is written down, and done by the test."""
    path.write_text('#!/bin/sh\necho "$@" >> /var/log/systemctl\n')
    path.chmod(0o755)


def handed_on(client: httpx.Client, port: int) -> str:
    """The address that a server behind a proxy is told, whatever the client claims."""
    seen: list[str] = []

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.extend(self.headers.get_all("X-Forwarded-For", []))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing: pytest's output is for failures."""

    with HTTPServer(("127.0.0.1", port), Recorder) as server:
        answering = threading.Thread(target=server.handle_request)
        answering.start()
        assert client.get("/", headers={"X-Forwarded-For": "192.0.2.66"}).status_code == 204
        answering.join(PATIENCE)
    [found] = seen
    return found


@contextmanager
def behind_caddy(
    admin: Bare, port: int, trusted: ssl.SSLContext, log: Path
) -> Iterator[httpx.Client]:
    """Caddy with our file: as it is, it is one that Caddy takes; then on a port that is free here,
    with the certificate that is there, since nobody can get one for a name of this machine.
    """
    given, tls = (DEPLOY / "Caddyfile").read_text(), free_port()
    certificate = "tls /etc/ssl/hushvote/certificate.pem /etc/ssl/hushvote/key.pem"
    changed = given.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    changed = changed.replace("vote.example.org {", f"https://localhost:{tls} {{\n\t{certificate}")
    changed = changed.replace("{\n", "{\n\tadmin off\n\tauto_https disable_redirects\n", 1)
    for name, text in (("Caddyfile", given), ("trial", changed)):
        (admin.place / "srv/deploy" / name).write_text(text)
    way = ("--adapter", "caddyfile", "--config")
    admin.run("caddy", "validate", *way, "deploy/Caddyfile", PATH=PATH)
    base = f"https://localhost:{tls}"
    with (
        admin.running("caddy", "run", *way, "deploy/trial", log=log, PATH=PATH),
        httpx.Client(base_url=base, verify=trusted, trust_env=False, timeout=30) as client,
    ):
        soon_answers(client, log, "/healthz", 404)
        yield client


def soon_answers(client: httpx.Client, log: Path, path: str = "/readyz", status: int = 200) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            if client.get(path).status_code == status:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < until, log.read_text()[-2000:]
        time.sleep(0.1)


def version(client: httpx.Client) -> str:
    return str(client.get("/api/v1/openapi.json").json()["info"]["version"])


def used(client: httpx.Client, base: str) -> Remote:
    """Create, cast, change, close, verify: over TLS, through the proxy."""
    refused(client.get("/api/v1/polls"))
    remote = Remote.create(client, token=TOKEN, turnout=20)
    assert client.get("/healthz").headers["strict-transport-security"]
    voters = [remote.voter() for _ in range(22)]
    for voter in voters:
        voter.cast()
    voters[0].change()
    assert remote.own("POST", "/close").status_code == 200
    assert base.startswith("https://")
    return remote


def verified(remote: Remote, folder: Path) -> None:
    board = folder / "board.jsonl"
    board.write_bytes(remote.client.get(remote.path + "/board").content)
    assert hv.verify_board(board, remote.poll.digest).holds


def assert_tells_nothing(files: Iterable[Path], remote: Remote) -> None:
    """The proxy has written down no request, neither one that failed."""
    for file in files:
        text = file.read_text(errors="replace")
        assert remote.poll.id not in text, file
        assert "/api/" not in text, file

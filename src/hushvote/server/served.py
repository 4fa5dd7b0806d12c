"""Where and how a server is run, and what of that is refused."""

import ipaddress
import socket
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hushvote.errors import HushvoteError
from hushvote.server.journal import FORMS, TEXT
from hushvote.server.observing import STEP
from hushvote.server.service import Settings

GRACE = 10.0  # seconds that requests get to end in
LONGEST = 3600.0  # seconds that anybody may want to wait for the end
BACKLOG = 2048
POSTGRES = ("postgresql://", "postgres://")


@dataclass(frozen=True)
class Served:
    """Where and how to serve."""

    store: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    base_url: str | None = None
    insecure: bool = False
    settings: Settings = field(default_factory=Settings)
    grace: float = GRACE
    notice: float = 0.0  # seconds between the end of readiness and that of new connections
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    metrics_step: float = STEP
    log_format: str = TEXT


def check(served: Served) -> None:
    """Refuse what cannot be, or should not."""
    if served.workers < 1:
        raise HushvoteError(
            f"a server has at least one worker, not {served.workers}",
            code="server.workers",
            given=served.workers,
        )
    if served.workers > 1 and not served.store.startswith(POSTGRES):
        raise HushvoteError(
            "several workers need a PostgreSQL store, as in --store postgresql://host/name; "
            "SQLite has one writer",
            code="server.workers",
            given=served.workers,
        )
    for port in (served.port, served.metrics_port or 0):
        if not 0 <= port < 1 << 16:
            raise HushvoteError(
                f"a port is a number from 0 to 65,535, not {port}", code="server.address", port=port
            )
    for name in ("grace", "notice"):
        seconds = getattr(served, name)
        if not 0 <= seconds <= LONGEST:
            raise HushvoteError(
                f"--{name} is a number of seconds from 0 to {LONGEST:g}, not {seconds:g}",
                code="server.grace",
                given=seconds,
            )
    if served.log_format not in FORMS:
        raise HushvoteError(
            f"--log-format is {' or '.join(FORMS)}, not {served.log_format!r}",
            code="server.log",
            given=served.log_format,
        )
    _check_address(served)


def _check_address(served: Served) -> None:
    if served.base_url is not None:
        parts = urlsplit(served.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise HushvoteError(
                "--base-url is the address that voters use, as in https://vote.example.org",
                code="server.address",
                given=served.base_url,
            )
        if parts.path or parts.fragment:
            raise HushvoteError(
                "--base-url is a name and perhaps a port, with nothing behind it: a server has its "
                f"name to itself, as in {parts.scheme}://{parts.netloc}",
                code="server.address",
                given=served.base_url,
            )
    if not (_is_loopback(served.host) or served.insecure or _behind_tls(served)):
        raise HushvoteError(
            f"beyond this machine, as on {served.host}, votes must travel by https: put a proxy "
            "before it and say --base-url https://... and --trusted-proxy, or say --insecure",
            code="server.insecure",
            host=served.host,
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _behind_tls(served: Served) -> bool:
    return served.settings.tls and bool(served.settings.proxies)


def bound(served: Served) -> socket.socket:
    """A listening socket; port 0 takes any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            served.host, served.port, type=socket.SOCK_STREAM
        )[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError as error:
        raise HushvoteError(
            f"cannot listen on {served.host}, port {served.port}: {error.strerror or error}",
            code="server.address",
            host=served.host,
            port=served.port,
        ) from None
    made.set_inheritable(True)
    return made

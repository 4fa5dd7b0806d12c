"""`hushvote serve`: a server of polls on this machine."""

import importlib.util
import os
from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli.options import number, whole_number
from hushvote.errors import FileError, HushvoteError
from hushvote.files import reading

EXAMPLE = (
    "Example: [bold]hushvote serve --open[/bold]; or, for others, behind a proxy that speaks "
    "https: [bold]hushvote serve --store polls.db --token-file token --trusted-proxy 127.0.0.1 "
    "--base-url https://vote.example.org[/bold]"
)
STORE, TOKEN = "hushvote.db", "HUSHVOTE_TOKEN"
NEEDED = ("httptools", "msgspec", "starlette", "uvicorn")
MOST_DAYS = 36_500
LEAST_TOKEN, LONGEST_TOKEN = 16, 500  # characters


def serve(
    store: Annotated[
        str,
        typer.Option(
            help="A file for SQLite, or postgresql://user@host/name.", envvar="HUSHVOTE_STORE"
        ),
    ] = STORE,
    host: Annotated[
        str, typer.Option(help="The address to listen on.", envvar="HUSHVOTE_LISTEN_HOST")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="The port; 0 takes one that is free.",
            envvar="HUSHVOTE_LISTEN_PORT",
        ),
    ] = 8000,
    workers: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Processes; several need PostgreSQL.",
            envvar="HUSHVOTE_WORKERS",
        ),
    ] = 1,
    open: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Let everybody create polls, as many as --creations.",
            envvar="HUSHVOTE_OPEN",
        ),
    ] = False,
    token_file: Annotated[
        Path | None,
        typer.Option(
            help=f"A file with the operator's token; or set {TOKEN}.",
            envvar="HUSHVOTE_TOKEN_FILE",
        ),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="A proxy (address or network) whose X-Forwarded-For is believed.",
            envvar="HUSHVOTE_TRUSTED_PROXY",
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="The address that voters use, as in https://...", envvar="HUSHVOTE_BASE_URL"
        ),
    ] = None,
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure",
            help="Serve others by plain http all the same.",
            envvar="HUSHVOTE_INSECURE",
        ),
    ] = False,
    creations: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Polls an hour from one network; 0: no limit.",
            envvar="HUSHVOTE_CREATIONS",
        ),
    ] = 20,
    failed_codes: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Wrong codes an hour from one network.",
            envvar="HUSHVOTE_FAILED_CODES",
        ),
    ] = 60,
    casts: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Casts an hour from one network in polls without codes.",
            envvar="HUSHVOTE_CASTS",
        ),
    ] = 6000,
    erasures: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Erasures after close an hour from one network.",
            envvar="HUSHVOTE_ERASURES",
        ),
    ] = 60,
    keep: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Days after close for which a poll is kept; then it is deleted. 0: for ever.",
            envvar="HUSHVOTE_KEEP",
        ),
    ] = 90,
    grace: Annotated[
        float,
        typer.Option(
            parser=number,
            help="Seconds that requests get to end in when the server stops.",
            envvar="HUSHVOTE_GRACE",
        ),
    ] = 10.0,
    notice: Annotated[
        float,
        typer.Option(
            parser=number,
            help="Seconds for which a server that stops says so at /readyz, and still takes "
            "connections.",
            envvar="HUSHVOTE_NOTICE",
        ),
    ] = 0.0,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help="A port of its own for Prometheus; without it there are no figures.",
            envvar="HUSHVOTE_METRICS_PORT",
        ),
    ] = None,
    metrics_host: Annotated[
        str,
        typer.Option(help="The address for Prometheus.", envvar="HUSHVOTE_METRICS_HOST"),
    ] = "127.0.0.1",
    metrics_step: Annotated[
        float,
        typer.Option(
            parser=number,
            help="Seconds between two moves of the counts that Prometheus sees.",
            envvar="HUSHVOTE_METRICS_STEP",
        ),
    ] = 60.0,
    log_format: Annotated[
        str,
        typer.Option(help="One line an event: text or json.", envvar="HUSHVOTE_LOG_FORMAT"),
    ] = "text",
) -> None:
    """Serve polls: take reports, keep every one that was acknowledged, and learn nothing else."""
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise HushvoteError(
            f"serving needs {', '.join(missing)}: pip install 'hushvote[serve]'",
            code="server.missing",
        )
    from hushvote.server.api.limits import Rates, read_networks
    from hushvote.server.journal import Journal
    from hushvote.server.running import Served
    from hushvote.server.running import serve as run
    from hushvote.server.service import Settings, token_hash

    base_url = base_url.rstrip("/") if base_url else None
    token = read_token(token_file)
    settings = Settings(
        token=None if token is None else token_hash(token),
        open=open,
        proxies=read_networks(trusted_proxy or []),
        tls=(base_url or "").startswith("https://"),
        base_url=base_url or "",
        rates=Rates(
            max(0, creations), max(0, failed_codes), max(0, casts), erasures=max(0, erasures)
        ),
        keep=_days(keep),
    )
    if token is None and not open:
        Journal(log_format).tell("no-creators")
    run(
        Served(
            store,
            host,
            port,
            workers,
            base_url,
            insecure,
            settings,
            grace,
            notice,
            metrics_host,
            metrics_port,
            metrics_step,
            log_format,
        )
    )


def _days(keep: int) -> int:
    if not 0 <= keep <= MOST_DAYS:
        raise HushvoteError(
            f"--keep takes a number of days up to {MOST_DAYS:,}, or 0 for ever, not {keep}",
            code="server.keep",
            given=keep,
        )
    return keep


def read_token(path: Path | None) -> str | None:
    """The operator's token, from a file or the environment."""
    text = os.environ.get(TOKEN)
    if path is not None:
        with reading(path) as file:
            text = file.read(LONGEST_TOKEN).decode(errors="replace")
    if text is None:
        return None
    token = text.strip()
    if len(token) < LEAST_TOKEN or any(c.isspace() for c in token) or not token.isascii():
        raise FileError(
            f"the operator's token must be one word of at least {LEAST_TOKEN} characters",
            code="server.token",
        )
    return token

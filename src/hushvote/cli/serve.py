"""`hushvote serve`: a server of polls on this machine."""

import importlib.util
import os
from pathlib import Path
from typing import Annotated

import typer

from hushvote.cli import show
from hushvote.cli.options import whole_number
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
        typer.Option(help="A file for SQLite, or postgresql://user@host/name."),
    ] = STORE,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(parser=whole_number, help="The port; 0 takes one that is free.")
    ] = 8000,
    workers: Annotated[
        int, typer.Option(parser=whole_number, help="Processes; several need PostgreSQL.")
    ] = 1,
    open: Annotated[
        bool, typer.Option("--open", help="Let everybody create polls, in numbers.")
    ] = False,
    token_file: Annotated[
        Path | None,
        typer.Option(help=f"A file with the operator's token; or set {TOKEN}."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(help="A proxy (address or network) whose X-Forwarded-For is believed."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="The address that voters use, as in https://...")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Serve others by plain http all the same.")
    ] = False,
    creations: Annotated[
        int,
        typer.Option(parser=whole_number, help="Polls an hour from one network; 0: no limit."),
    ] = 20,
    failed_codes: Annotated[
        int,
        typer.Option(parser=whole_number, help="Wrong codes an hour from one network."),
    ] = 60,
    casts: Annotated[
        int,
        typer.Option(
            parser=whole_number, help="Casts an hour from one network in polls without codes."
        ),
    ] = 6000,
    erasures: Annotated[
        int,
        typer.Option(parser=whole_number, help="Erasures after close an hour from one network."),
    ] = 60,
    keep: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Days after close for which a poll is kept; then it is deleted. 0: for ever.",
        ),
    ] = 90,
) -> None:
    """Serve polls: take reports, keep every one that was acknowledged, and learn nothing else."""
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise HushvoteError(
            f"serving needs {', '.join(missing)}: pip install 'hushvote[serve]'",
            code="server.missing",
        )
    from hushvote.server.api.limits import Rates, read_networks
    from hushvote.server.running import Served
    from hushvote.server.running import serve as run
    from hushvote.server.service import Settings, token_hash

    token = _token(token_file)
    settings = Settings(
        token=None if token is None else token_hash(token),
        open=open,
        proxies=read_networks(trusted_proxy or []),
        tls=(base_url or "").startswith("https://"),
        rates=Rates(
            max(0, creations), max(0, failed_codes), max(0, casts), erasures=max(0, erasures)
        ),
        keep=_days(keep),
    )
    if token is None and not open:
        show.note("nobody can create polls: give --token-file, or --open for everybody")
    served = Served(store, host, port, workers, base_url, insecure, settings)
    run(served, lambda address: _ready(address, store))


def _ready(address: str, store: str) -> None:
    kept = "PostgreSQL" if "://" in store else store  # an address may hold a password
    print(f"hushvote serves polls on {address} and keeps them in {kept}", flush=True)


def _days(keep: int) -> int:
    if not 0 <= keep <= MOST_DAYS:
        raise HushvoteError(
            f"--keep takes a number of days up to {MOST_DAYS:,}, or 0 for ever, not {keep}",
            code="server.keep",
            given=keep,
        )
    return keep


def _token(path: Path | None) -> str | None:
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

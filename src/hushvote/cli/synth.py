"""`hushvote synth`: simulated voters, for a server of this machine or into files of reports."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hushvote.cli import show
from hushvote.cli.options import (
    EpsilonOption,
    JsonOption,
    MechanismOption,
    RuleOption,
    completing,
    number,
    parse_mechanism,
    parse_rule,
    refuse_given,
    whole_number,
)
from hushvote.cli.serve import TOKEN, read_token
from hushvote.errors import HushvoteError
from hushvote.mechanisms import BEST
from hushvote.messages import counted
from hushvote.simulation import electorate_names

EXAMPLE = (
    "Example: [bold]hushvote synth --against http://127.0.0.1:8000 --voters 20000 "
    "--connections 64[/bold]\n\n"
    "[bold]hushvote synth --out reports --reports 10000000 --candidates 16[/bold]"
)
NAMES = ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji", "Farid", "Grace", "Hugo")
MOST = len(NAMES)
VOTERS, REPORTS = 2000, 1_000_000  # where nothing is said


def synth(
    against: Annotated[
        str | None, typer.Option(help="A server of this machine, as in http://127.0.0.1:8000.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write reports instead: a .parquet file, or a folder of several.",
        ),
    ] = None,
    reports: Annotated[
        int | None,
        typer.Option(
            parser=whole_number, help=f"How many reports --out writes. Default: {REPORTS}."
        ),
    ] = None,
    voters: Annotated[
        int | None,
        typer.Option(
            "--voters",
            "-n",
            parser=whole_number,
            help=f"How many vote at --against. Default: {VOTERS}.",
        ),
    ] = None,
    candidates: Annotated[
        int,
        typer.Option(
            "--candidates",
            "-d",
            parser=whole_number,
            help="Number of candidates, 2 to 8; with --out, up to 64.",
        ),
    ] = 5,
    rule: RuleOption = None,
    epsilon: EpsilonOption = None,
    mechanism: MechanismOption = None,
    electorate: Annotated[
        str,
        typer.Option(
            autocompletion=completing(electorate_names),
            help="Where rankings come from, as for 'hushvote simulate'.",
        ),
    ] = "mallows:phi=0.8",
    connections: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Connections at the same time. Default: 16."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(parser=number, help="Casts a second. Default: as fast as answers come."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=number, help="End after that long. Default: when all have voted."),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            parser=whole_number, help="Seed of the rankings; with --out, of their noise, too."
        ),
    ] = 1,
    token_file: Annotated[
        Path | None, typer.Option(help=f"A file with the operator's token; or set {TOKEN}.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the poll; otherwise it is deleted afterwards.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Try by simulated voters how much a server can take, or write files of their reports."""
    if (against is None) == (out is None):
        raise HushvoteError(
            "say either --against, the server to load, or --out, where reports go",
            code="synth.load",
        )
    if against is None:
        from hushvote.cli.synth_reports import Wanted, write

        refuse_given({"--voters": voters}, "{option} is for --against; with --out say --reports")
        refuse_given(
            {
                "--connections": connections,
                "--rate": rate,
                "--seconds": seconds,
                "--token-file": token_file,
                "--keep": keep or None,
            },
            "{option} is for --against; leave it out",
        )
        made = parse_mechanism(mechanism, parse_rule(rule, candidates), epsilon)
        write(out, Wanted(made, electorate, REPORTS if reports is None else reports, seed), as_json)
        return
    refuse_given({"--reports": reports}, "{option} is for --out; with --against say --voters")
    from hushvote.client import simulated

    voters = VOTERS if voters is None else voters
    if not 2 <= candidates <= MOST or voters < 1:
        raise HushvoteError(
            f"a load needs 2 to {MOST} candidates and at least one voter", code="synth.load"
        )
    said: dict[str, Any] = {"connections": connections, "rate": rate, "seconds": seconds}
    load = simulated.Load(**{name: one for name, one in said.items() if one is not None})
    server = simulated.local(against)
    chosen = {"rule": rule, "epsilon": epsilon, "mechanism": mechanism}
    held = simulated.Held.made(
        server,
        read_token(token_file),
        voters,
        question="A load of simulated voters",
        candidates=list(NAMES[:candidates]),
        **{name: value for name, value in chosen.items() if value not in (None, BEST)},
    )
    try:
        bodies = held.bodies(electorate, held.codes, seed)
        found = simulated.send(held, bodies, load)
    finally:
        if not keep:
            held.own("DELETE")
    told: dict[str, Any] = {
        "answered": found.answered,
        "seconds": round(found.seconds, 3),
        "rate": round(found.rate, 1),
        "p50": round(found.quantile(0.5), 5) if found.answered else None,
        "p99": round(found.quantile(0.99), 5) if found.answered else None,
        "errors": dict(found.errors),
        "unsent": found.unsent,
    }
    if keep:
        told |= {"organiser": str(held.organiser), "digest": held.poll.digest}
    if as_json:
        show.print_json(told)
    else:
        _tell(told)
    if found.errors:
        raise typer.Exit(1)


def _tell(told: dict[str, Any]) -> None:
    show.say(
        f"{counted(told['answered'], 'report')} in {told['seconds']:.1f} s: "
        f"{told['rate']:,.0f} a second, each durable and signed."
    )
    if told["answered"]:
        show.say(
            f"Half of them were answered within {1000 * told['p50']:.1f} ms, 99 of 100 within "
            f"{1000 * told['p99']:.1f} ms."
        )
    if told["unsent"]:
        show.say(f"{counted(told['unsent'], 'voter')} had no time left to vote.")
    for error, times in told["errors"].items():
        show.say(f"Not taken, and not in these times: {times:,} ({error})")
    if "organiser" in told:
        show.say("The poll was kept; its organiser's link, which is secret:")
        print(told["organiser"])

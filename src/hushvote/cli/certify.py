"""`hushvote certify`: the proof of privacy, step by step."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from hushvote import batch
from hushvote.certify import certify as prove
from hushvote.cli import show
from hushvote.cli.options import (
    CandidatesOption,
    EpsilonOption,
    JsonOption,
    MechanismOption,
    RuleOption,
    parse_mechanism,
    parse_rule,
)
from hushvote.errors import FileError

EXAMPLE = (
    "Examples: [bold]hushvote certify -m additive -d 5 -e 0.5[/bold], "
    "[bold]hushvote certify reports.parquet[/bold]"
)


def certify(
    file: Annotated[
        Path | None,
        typer.Argument(help="Reports, a tally or parameters; else the options say what to prove."),
    ] = None,
    rule: RuleOption = None,
    candidates: CandidatesOption = None,
    epsilon: EpsilonOption = None,
    mechanism: MechanismOption = None,
    json: JsonOption = False,
) -> None:
    """Prove the privacy of a mechanism in exact arithmetic, by brute force too where d <= 5."""
    if file is None:
        made = parse_mechanism(mechanism, parse_rule(rule, candidates), epsilon)
    elif any(option is not None for option in (rule, candidates, epsilon, mechanism)):
        raise FileError(f"{file} says itself what to prove; leave out the other options")
    else:
        made = batch.mechanism_of(file)
    seeded = file is not None and bool(batch.seeded([file]))
    proof = prove(made)
    certificate, listing = proof.certificate, proof.enumeration
    if json:
        document = {
            "mechanism": made.parameters(),
            "digest": made.digest,
            "epsilon_asked": str(certificate.asked),
            "epsilon_proved": certificate.epsilon,
            "odds": str(certificate.odds),
            "steps": dict(certificate.steps),
        }
        if listing is not None:
            document["enumeration"] = {
                "rankings": listing.rankings,
                "reports": listing.reports,
                "largest_ratio": str(listing.largest_ratio),
            }
        if file is not None:
            document["seeded"] = seeded
        show.print_json(document)
        return
    table = show.table(made.title, step="left", value="fixed")
    for step, value in certificate.steps:
        table.add_row(step, show.plain(value))
    table.add_row("so no report is likelier by more than the factor", _decimal(certificate.odds))
    table.add_row("whose logarithm is", f"{certificate.epsilon:.15f}")
    table.add_row("and must not exceed the epsilon asked for", f"{float(certificate.asked):g}")
    if listing is not None:
        table.add_row(
            f"checked on all {listing.rankings} rankings and {listing.reports} reports: "
            "largest ratio found",
            _decimal(listing.largest_ratio),
        )
    show.print_table(table)
    show.out.print("[bold green]Proved[/] in whole numbers, with every rounding against the claim.")
    if seeded:
        show.note(
            f"{file} was drawn with a seed: for simulation only, its reports are not private."
        )


def _decimal(ratio: Fraction) -> str:
    return f"{float(ratio):.15f}"

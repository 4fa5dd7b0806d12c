"""`hushvote certify`: the proof of privacy, step by step."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from hushvote import batch
from hushvote.canonical import canonical
from hushvote.certifying import LISTED_CANDIDATES, NEVER_PROVED, Proof
from hushvote.certifying import certify as prove
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
from hushvote.cli.outputs import check_output
from hushvote.errors import FileError
from hushvote.files import writing

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
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Write the parameters, in canonical form, into this .json file."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Prove the privacy of a mechanism in exact arithmetic; with few candidates by listing, too."""
    check_output(out, (".json",), "parameters")
    if file is None:
        made = parse_mechanism(mechanism, parse_rule(rule, candidates), epsilon)
    elif any(option is not None for option in (rule, candidates, epsilon, mechanism)):
        raise FileError(
            f"{file} says itself what to prove; leave out the other options",
            code="command.options",
            path=file,
        )
    else:
        made = batch.mechanism_of(file)
    rankings = math.factorial(min(made.d, LISTED_CANDIDATES))
    with show.progress("following draws", rankings) as advance:
        proof = prove(made, advance)
    seeded = file is not None and batch.is_seeded(file)
    if out is not None:
        with writing(out) as part:
            part.write_bytes(canonical(made.parameters()) + b"\n")
    if json:
        told = {} if file is None else {"seeded": seeded}
        show.print_json(_document(proof) | told)
    else:
        _print(proof)
        if seeded:
            show.note(
                f"{file} was drawn with a seed: for simulation only, its reports are not private."
            )
    if proof.missing:
        raise typer.Exit(1)


def _document(proof: Proof) -> dict[str, Any]:
    certificate = proof.certificate
    document: dict[str, Any] = {
        "mechanism": proof.mechanism.parameters(),
        "digest": proof.mechanism.digest,
        "epsilon_asked": str(certificate.asked),
        "epsilon_proved": certificate.epsilon,
        "odds": str(certificate.odds),
        "proof": dict(certificate.lines),
        "not_proved": [*([proof.missing] if proof.missing else []), NEVER_PROVED],
    }
    if proof.listed is not proof.mechanism:
        document["miniature"] = proof.listed.parameters()
    if proof.enumeration is not None:
        document["enumeration"] = {
            "rankings": proof.enumeration.rankings,
            "reports": proof.enumeration.reports,
            "largest_ratio": str(proof.enumeration.largest_ratio),
        }
    if proof.execution is not None:
        document["execution"] = {
            "ways": proof.execution.ways,
            "largest_ratio": str(proof.execution.largest_ratio),
        }
    return document


def _print(proof: Proof) -> None:
    certificate, listing, execution = proof.certificate, proof.enumeration, proof.execution
    table = show.table(proof.mechanism.title, step="left", value="fixed")
    for step, value in certificate.lines:
        table.add_row(show.plain(step), show.plain(value))
    table.add_row("so no report is likelier by more than the factor", _decimal(certificate.odds))
    table.add_row("whose logarithm is", f"{certificate.epsilon:.15f}")
    table.add_row("and must not exceed the epsilon asked for", f"{float(certificate.asked):g}")
    small = proof.listed
    of_what = ""
    if small is not proof.mechanism:
        of_what = f" of a miniature ({small.d} candidates, epsilon {float(small.epsilon):g})"
    if listing is not None:
        table.add_row(
            f"{'all ' if proof.whole else ''}{listing.rankings} rankings and "
            f"{listing.reports:,} reports{of_what} listed: largest ratio",
            _decimal(listing.largest_ratio),
        )
    if execution is not None:
        law = "not listed" if listing is None else "the one listed"
        table.add_row(f"draw followed on all {execution.ways:,} ways{of_what}: law", law)
        table.add_row(
            "largest ratio of report and bytes together", _decimal(execution.largest_ratio)
        )
    show.print_table(table)
    verdict, limits = proof.words
    said = show.plain(verdict)
    word, colour = ("Not proved", "yellow") if proof.missing else ("Proved", "green")
    said.stylize(f"bold {colour}", 0, len(word))
    show.say(said)
    show.say(limits, style="dim")


def _decimal(ratio: Fraction) -> str:
    return f"{float(ratio):.15f}"

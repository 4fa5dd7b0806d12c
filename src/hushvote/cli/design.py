"""`hushvote design`: which mechanism for this poll, and how many voters it needs."""

from typing import Annotated

import typer

from hushvote import choosing
from hushvote.cli import show
from hushvote.cli.options import (
    CandidatesOption,
    EpsilonOption,
    JsonOption,
    RuleOption,
    parse_rule,
)

EXAMPLE = "Example: [bold]hushvote design --rule nauru -d 6 -e 0.5 --voters 2000[/bold]"


def design(
    rule: RuleOption = "borda",
    candidates: CandidatesOption = None,
    epsilon: EpsilonOption = "1",
    voters: Annotated[int, typer.Option("--voters", "-n", help="Number of voters.")] = 10_000,
    error: Annotated[
        float | None,
        typer.Option(
            help="Wanted standard error of a candidate's mean score, for the last column; "
            "by default a fiftieth of the distance between first and last place."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare all mechanisms for a rule: error, risks, voters needed; best first."""
    made = choosing.design(parse_rule(rule, candidates), epsilon, voters, error)
    if json:
        show.print_json(made.to_dict())
        return
    table = show.table(
        f"{made.rule}, epsilon {float(made.epsilon):g}, {voters:,} voters",
        mechanism="fixed",
        MSE="right",
        TVE="right",
        MM="right",
        EM="right",
        DD="right",
        GAP="right",
        voters="right",
    )
    for place, choice in enumerate(made):
        risks = choice.risks
        size = choice.mechanism.options().get("k")
        name = choice.mechanism.name + (f" (k = {size})" if size else "")
        table.add_row(
            name,
            show.number(choice.mse),
            show.number(choice.tve),
            show.number(risks.max_magnitude),
            show.number(risks.expected_magnitude),
            show.number(risks.diameter),
            show.number(risks.gap),
            f"{choice.voters:,}" if choice.voters < 10**7 else show.number(choice.voters),
            style="bold green" if place == 0 else "",
        )
    show.out.print(table)
    for name, reason in made.skipped.items():
        show.out.print(f"{name} does not fit: {reason}", style="dim")
    show.out.print(
        "MSE, TVE: expected squared and total absolute error of the mean scores.\n"
        "MM, EM: largest and mean size of one report in the result; DD: largest difference of "
        "two reports;\nGAP: furthest that one report moves two candidates' totals apart.\n"
        f"voters: needed for a standard error of {show.number(made.error)} points a candidate.",
        style="dim",
    )

"""`hushvote design`: which mechanism for this poll, and how many voters it needs."""

import math
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from hushvote import choosing, plots
from hushvote.cli import show
from hushvote.cli.options import (
    CandidatesOption,
    EpsilonOption,
    JsonOption,
    RuleOption,
    completing,
    number,
    parse_epsilon,
    parse_rule,
    whole_number,
)
from hushvote.cli.outputs import check_picture
from hushvote.exact import fraction
from hushvote.messages import counted
from hushvote.messages.phrases import protection

EXAMPLE = (
    "Example: [bold]hushvote design --rule nauru -d 6 -e 0.5 --voters 2000[/bold]; or, by what the "
    "set of all reports may give away: [bold]hushvote design -d 6 --crowd 1 --turnout 250[/bold]"
)


def design(
    rule: RuleOption = None,
    candidates: CandidatesOption = None,
    epsilon: EpsilonOption = None,
    voters: Annotated[
        int, typer.Option("--voters", "-n", parser=whole_number, help="Number of voters.")
    ] = 10_000,
    error: Annotated[
        float | None,
        typer.Option(
            parser=number,
            help="Wanted standard error of a candidate's mean score, for the last column; "
            "by default a fiftieth of the distance between first and last place.",
        ),
    ] = None,
    lead: Annotated[
        float | None,
        typer.Option(
            parser=number,
            help="A lead in points, in place of --error: the last column then has the voters "
            "needed to certify it.",
        ),
    ] = None,
    objective: Annotated[
        str,
        typer.Option(
            autocompletion=completing(lambda: choosing.OBJECTIVES),
            help="What is best: least 'error', least shift by a fake report ('soundness'), or "
            "both ('balanced').",
        ),
    ] = "error",
    max_gap: Annotated[
        float | None,
        typer.Option(
            parser=number, help="Furthest that one fake report may shift two candidates apart."
        ),
    ] = None,
    crowd: Annotated[
        float | None,
        typer.Option(
            parser=number,
            help="In place of --epsilon: the epsilon towards whoever sees only the set of all "
            "reports. The largest --epsilon that keeps it is taken.",
        ),
    ] = None,
    delta: Annotated[
        float, typer.Option(parser=number, help="Chance with which the crowd's epsilon may fail.")
    ] = 1e-6,
    turnout: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help="Honest reports that there will be at least, for the crowd's epsilon; "
            "by default --voters.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw error against shift into this .png, .svg or .pdf file."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare all mechanisms for a rule: error, risks, voters needed; best first."""
    check_picture(plot)
    with show.err.status("designing") if show.err.is_terminal else nullcontext():
        made = choosing.design(
            parse_rule(rule, candidates),
            epsilon if crowd is not None else parse_epsilon(epsilon),
            voters,
            error,
            lead=lead,
            objective=objective,
            max_gap=max_gap,
            crowd=crowd,
            delta=delta,
            turnout=turnout,
        )
    if plot is not None:
        plots.trade_off(made, plot)
    weak = protection(float(made.epsilon))
    if json:
        show.print_json({**made.to_dict(), "protection": weak})
        return
    table = show.table(
        f"{made.rule}, epsilon {float(made.epsilon):g}, {counted(voters, 'voter')}",
        mechanism="fixed",
        local="right",
        crowd="right",
        MSE="right",
        TVE="right",
        MM="right",
        EM="right",
        DD="right",
        GAP="right",
        shift="right",
        voters="right",
    )
    for place, choice in enumerate(made):
        risks = choice.risks
        table.add_row(
            choice.mechanism.label,
            show.cautious(choice.local_epsilon),
            show.cautious(choice.crowd_epsilon),
            show.number(choice.mse),
            show.number(choice.tve),
            show.number(risks.max_magnitude),
            show.number(risks.expected_magnitude),
            show.number(risks.diameter),
            show.number(risks.gap),
            show.number(choice.mechanism.shift()),
            f"{choice.voters:,}" if choice.voters < 10**7 else show.number(choice.voters),
            style="bold green" if place == 0 else "",
        )
    show.print_table(table)
    if made.least_mse is not None:
        above = min(choice.mse for choice in made) / made.least_mse - 1
        show.say(
            f"No unbiased mechanism can have an MSE below {show.number(made.least_mse)}; "
            f"the best here is {100 * above:.1f} % above that."
        )
    if weak:
        show.note(weak)
    for name, reason in made.skipped.items():
        show.say(f"{name} is left out: {reason}", style="dim")
    needed = f"for a standard error of {show.number(made.error)} points per candidate"
    if made.lead is not None:
        needed = f"to certify a lead of {show.number(made.lead)} points, in nine of ten polls"
    honest = "one of them is" if made.turnout == 1 else f"{made.turnout:,} of them are"
    for sentence in (
        "local, crowd: the epsilon towards whoever sees a report come in, the operator included; "
        f"and towards whoever sees only the set of all reports, if at least {honest} honest, but "
        f"for a chance of {_chance(made.delta)}.",
        "MSE, TVE: expected squared and total absolute error of the mean scores.",
        "MM, EM: largest and mean size of one report in the result.",
        "DD: largest difference of two reports.",
        "GAP: furthest that one report moves two candidates' totals apart.",
        "shift: by a fake report; an average for challenge, where credentials are issued and "
        "cheats use all of theirs.",
        f"voters: needed {needed}.",
    ):
        show.say(sentence, style="dim")


def _chance(delta: float) -> str:
    """A small chance as one would say it, never below what it is."""
    return f"1 in {math.floor(1 / fraction(delta)):,}" if 1e-9 <= delta <= 0.01 else f"{delta:g}"

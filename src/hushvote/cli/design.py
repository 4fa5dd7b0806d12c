"""`hushvote design`: which mechanism for this poll, and how many voters it needs."""

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
from hushvote.comparison import HEADS
from hushvote.messages.phrases import protection
from hushvote.numerals import number as written

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
    head, *figures = HEADS
    table = show.table(made.title, **{head: "fixed"}, **dict.fromkeys(figures, "right"))
    for place, row in enumerate(made.rows()):
        table.add_row(*row, style="bold green" if place == 0 else "")
    show.print_table(table)
    if made.least_mse is not None:
        above = min(choice.mse for choice in made) / made.least_mse - 1
        show.say(
            f"No unbiased mechanism can have an MSE below {written(made.least_mse)}; "
            f"the best here is {100 * above:.1f} % above that."
        )
    if weak:
        show.note(weak)
    for sentence in (*made.omissions(), *made.legend()):
        show.say(sentence, style="dim")

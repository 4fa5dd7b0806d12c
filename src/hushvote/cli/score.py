"""`hushvote score`: the plain count of a file of rankings, which is not private."""

from typing import Annotated

import typer

from hushvote import scoring
from hushvote.cli import show
from hushvote.cli.options import (
    BallotsArgument,
    ColumnsOption,
    JsonOption,
    LayoutOption,
    NamesOption,
    RuleOption,
    completing,
    parse_names,
    parse_rule,
)
from hushvote.formats import COUNTED, open_rankings
from hushvote.messages import counted, say
from hushvote.messages.phrases import all_of, commas
from hushvote.scoring import HEADS, NOT_PRIVATE, Score

EXAMPLE = "Example: [bold]hushvote score ballots.soc --rule borda[/bold]"


def score(
    ballots: BallotsArgument,
    rule: RuleOption = None,
    incomplete: Annotated[
        str,
        typer.Option(
            autocompletion=completing(lambda: COUNTED),
            help="Truncated or tied ballots: 'error', or 'shared' to divide the points of the "
            "places that candidates share among them. Those not listed share all places below "
            "the listed ones. That is what 'random' of 'hushvote privatize' gives on average; an "
            "exact count refuses 'random' itself.",
        ),
    ] = "error",
    names: NamesOption = None,
    layout: LayoutOption = None,
    columns: ColumnsOption = None,
    json: JsonOption = False,
) -> None:
    """Count true ballots exactly, without any privacy: for simulations and to compare."""
    votes = open_rankings(
        ballots,
        incomplete=incomplete,
        candidates=parse_names(names),
        layout=layout,
        columns=parse_names(columns, "--columns"),
    )
    made = parse_rule(rule, votes.d)
    with show.progress("counting", votes.n) as advance:
        found = scoring.score(votes, made, progress=advance)
    if json:
        show.print_json(found.to_dict())
        return
    table = show.table(found.title, **HEADS)
    for place, row in zip(sorted(found.places), found.rows(), strict=True):
        table.add_row(*map(show.plain, row), style="bold green" if place == 1 else "")
    show.print_table(table)
    for sentence in _sentences(found):
        show.say(sentence)
    show.say(NOT_PRIVATE, style="dim")


def _sentences(found: Score) -> list[str]:
    """Who has won, who is tied, and how incomplete ballots were counted."""
    winners = [found.names[j] for j in found.winners]
    if len(winners) == 1:
        said = [f"{winners[0]} has won: nobody else has as many points."]
    else:
        said = [f"Nobody has won alone: {all_of(winners)} tie for the first place."]
    for group in found.tied:
        if group != found.winners:
            said.append(say("tied", names=commas([found.names[j] for j in group])))
    if found.shared:
        said.append(
            f"{counted(found.shared, 'vote')} left candidates out or tied them; these share the "
            "points of their places."
        )
    return said

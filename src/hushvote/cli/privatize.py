"""`hushvote privatize`: a file of rankings becomes a file of reports."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from hushvote import batch
from hushvote.certifying import LISTED_CANDIDATES
from hushvote.checking import refuse_flawed
from hushvote.cli import show
from hushvote.cli.options import (
    BallotsArgument,
    ColumnsOption,
    EpsilonOption,
    JsonOption,
    LayoutOption,
    MechanismOption,
    NamesOption,
    RuleOption,
    completing,
    parse_mechanism,
    parse_names,
    parse_rule,
    refuse_given,
    whole_number,
)
from hushvote.cli.outputs import check_output, to_output, told_beside
from hushvote.errors import MechanismError, PollError
from hushvote.formats import INCOMPLETE, open_rankings
from hushvote.mechanisms import Mechanism, is_built_in
from hushvote.messages import counted
from hushvote.messages.phrases import protection
from hushvote.poll import Poll
from hushvote.streams import is_standard

EXAMPLE = (
    "Example: [bold]hushvote privatize ballots.soc --rule borda -e 1 --out reports.parquet[/bold]"
)


def privatize(
    ballots: BallotsArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Where the reports go: a .parquet file, or '-'.")
    ],
    rule: RuleOption = None,
    epsilon: EpsilonOption = None,
    mechanism: MechanismOption = None,
    incomplete: Annotated[
        str,
        typer.Option(
            autocompletion=completing(lambda: INCOMPLETE),
            help="Truncated or tied ballots: 'error', or 'random' to complete them at random.",
        ),
    ] = "error",
    names: NamesOption = None,
    layout: LayoutOption = None,
    columns: ColumnsOption = None,
    poll: Annotated[
        Path | None,
        typer.Option(
            help="The manifest of the poll (.json): its mechanism and names are taken, and the "
            "reports belong to it."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help="For simulation only: whoever knows the seed can undo the noise.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Randomise a file of rankings, as each voter's own device would."""
    check_output(out, (".parquet",), "reports", standard=True)
    if json and is_standard(out):
        refuse_given({"--json": json}, "{option} prints to standard output, as --out - does")
    if seed is not None and seed < 0:
        raise MechanismError(
            f"the seed must be a whole number of at least 0, not {seed}",
            code="random.seed",
            given=seed,
        )
    said = {"--rule": rule, "--epsilon": epsilon, "--mechanism": mechanism, "--names": names}
    held = None if poll is None else _poll(poll, said)
    rng = None if seed is None else np.random.default_rng(seed)
    votes = open_rankings(
        ballots,
        incomplete=incomplete,
        candidates=parse_names(names) if held is None else held.candidates,
        layout=layout,
        columns=parse_names(columns, "--columns"),
        rng=rng,
    )
    if held is None:
        made = parse_mechanism(mechanism, parse_rule(rule, votes.d), epsilon)
    else:
        made = held.mechanism
    refuse_flawed(made)
    digest = None if held is None else held.digest
    with told_beside(out):
        with (
            to_output(out, ".parquet", text=False) as target,
            show.progress("randomising", votes.n) as advance,
        ):
            n = batch.privatize_file(votes, made, target, poll=digest, rng=rng, progress=advance)
        if not json:  # once the reports have left
            _tell(n, made, out, seeded=seed is not None)
            return
    show.print_json(
        {
            "voters": n,
            "reports": str(out),
            "epsilon": made.certificate().epsilon,
            "protection": protection(float(made.epsilon)),
            "digest": made.digest,
            "poll": digest,
            "private": seed is None,
        }
    )


def _tell(n: int, made: Mechanism, out: Path, *, seeded: bool) -> None:
    """What was done, and what it promises."""
    into = "standard output" if is_standard(out) else out
    show.say(f"{counted(n, 'vote')} randomised with {made.title}, into {into}.")
    if seeded:
        show.err.print("Drawn with a seed: for simulation only, not private.", style="yellow")
        return
    if weak := protection(float(made.epsilon)):
        show.note(weak)
    odds = show.rounded_up(made.certificate().odds)
    if is_built_in(made):
        show.say(
            f"No report is more than {odds} times likelier under one ranking than under another "
            "('hushvote certify' shows why)."
        )
    else:  # its draws may do otherwise than it states
        show.say(
            f"{made.name} states that no report is more than {odds} times likelier under one "
            "ranking than under another. That was not proved here: 'hushvote certify' does it for "
            "single votes; many at once, as in a file, are for hv.check in Python, with up to "
            f"{LISTED_CANDIDATES} candidates."
        )


def _poll(path: Path, said: dict[str, str | None]) -> Poll:
    """The poll whose reports are made, if nothing else says how."""
    refuse_given(said, "--poll says it already; leave {option} out")
    poll = Poll.read(path)
    if poll.mechanism.needs_question:
        raise PollError(
            "this poll asks every voter a question of their own, by a code, which a file of "
            "ballots does not have",
            code="question.missing",
        )
    return poll

"""`hushvote poll create`: a poll on a server, with a key that is made here."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hushvote.cli import show, times
from hushvote.cli.options import (
    EpsilonOption,
    JsonOption,
    RuleOption,
    parse_epsilon,
    parse_mechanism,
    parse_names,
    parse_rule,
    refuse_given,
    whole_number,
)
from hushvote.cli.remote import InsecureOption, ServerOption, TokenOption, server_of, token_of
from hushvote.client import organising
from hushvote.client.keys import Named
from hushvote.client.links import read_server
from hushvote.client.meaning import prospect
from hushvote.client.organising import Wanted
from hushvote.errors import FileError, PollError, RankingError
from hushvote.files import reading
from hushvote.mechanisms import Mechanism, default_mechanism, mechanism_names
from hushvote.pages.promises import crowd_epsilon, promises
from hushvote.poll import Poll
from hushvote.poll.checks import CODES, FEWEST
from hushvote.rules import Rule

EXAMPLE = (
    "Example: [bold]hushvote poll create 'Who shall chair?' -c Ann -c Bob -c Cem --epsilon 2 "
    "--invited 200 --closes '2026-12-01 18:00'[/bold]"
)
LONGEST = 1 << 16  # bytes of a file of names
SHORT = 8  # digits of an id that is shown
MANY = 200  # people in an example


def create(
    question: Annotated[str, typer.Argument(help="What is asked.")],
    candidate: Annotated[
        list[str] | None, typer.Option("--candidate", "-c", help="A candidate; repeat it for each.")
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            "--names",
            help="All of them, with commas between. A name that holds a comma stands in double "
            "quotes, as in '\"Ng, Ann\",Bob'.",
        ),
    ] = None,
    candidates_file: Annotated[
        Path | None, typer.Option(help="A file with the candidates, one a line.")
    ] = None,
    description: Annotated[
        str, typer.Option(help="What voters should know besides; shown below the question.")
    ] = "",
    rule: RuleOption = None,
    epsilon: EpsilonOption = None,
    mechanism: Annotated[
        str | None,
        typer.Option(
            "--mechanism",
            "-m",
            help=f"One of {', '.join(mechanism_names())}, with options as in 'additive:k=2', or "
            f"'best'. Default: {default_mechanism()}.",
        ),
    ] = None,
    seats: Annotated[int, typer.Option(parser=whole_number, help="Seats to fill.")] = 1,
    access: Annotated[
        str, typer.Option(help="Who may vote: whoever has one of the 'codes', or the 'link'.")
    ] = CODES,
    changes: Annotated[
        int, typer.Option(parser=whole_number, help="How often a voter may change a vote.")
    ] = 2,
    whole: Annotated[
        bool, typer.Option("--whole", help="Voters must rank all candidates, and leave none out.")
    ] = False,
    turnout: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help=f"Reports below which nothing is ever shown, at least {FEWEST}.",
        ),
    ] = None,
    invited: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="People invited: the turnout is half of them."),
    ] = None,
    live: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            help="Show results before close, in steps of so many reports; 0: not before.",
        ),
    ] = 0,
    closes: Annotated[
        str | None,
        typer.Option(help=times.CLOSES),
    ] = None,
    span: Annotated[str | None, typer.Option("--for", help=times.FOR)] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="The address in links, if voters use another one than --server."),
    ] = None,
    server: ServerOption = None,
    token_file: TokenOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Make a poll. Its key is made and kept on this machine; the server learns only a hash."""
    listed = _candidates(candidate, names, candidates_file)
    settings = {
        "description": description,
        "seats": seats,
        "access": access,
        "changes": changes,
        "partial": not whole,
        "turnout": _turnout(turnout, invited),
        "live": live,
    }
    made = _mechanism(mechanism, parse_rule(rule, len(listed)), epsilon)
    wanted = Wanted(question, listed, made, times.closing(closes, span), settings)
    voters = None if base_url is None else read_server(base_url)
    named = organising.create(server_of(server, insecure), wanted, token_of(token_file), voters)
    poll = wanted.check()  # the same but for id and server, which links take from what was made
    words = [*promises(poll, crowd_epsilon(poll)), prospect(poll, invited or poll.turnout)]
    if json:
        show.print_json(_document(named, poll, wanted.closes, words))
    else:
        _tell(named, poll, wanted.closes, words, invited or MANY)


def _candidates(candidate: list[str] | None, names: str | None, file: Path | None) -> list[str]:
    """The candidates, said in one of three ways."""
    if candidate:
        given = {"--names": names, "--candidates-file": file}
        refuse_given(given, "--candidate names the candidates already; leave {option} out")
        return candidate
    if names is not None:
        refuse_given(
            {"--candidates-file": file}, "--names has the candidates already; leave {option} out"
        )
        return parse_names(names) or []
    if file is None:
        raise FileError(
            "name the candidates: -c Ann -c Bob, --names Ann,Bob, or --candidates-file",
            code="command.candidates",
        )
    with reading(file) as source:
        raw = source.read(LONGEST + 1)
    try:
        lines = raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise FileError(
            f"{file} is not in UTF-8; save it as UTF-8", code="file.encoding", path=file
        ) from None
    if len(raw) > LONGEST:
        raise RankingError(f"{file} is too long for a list of candidates", code="name.length")
    return [line.strip() for line in lines if line.strip()]


def _turnout(turnout: int | None, invited: int | None) -> int:
    """What was said; else half of those invited, or the least that there is."""
    if turnout is not None:
        return turnout
    if invited is not None and invited < FEWEST:
        raise PollError(
            f"a poll needs at least {FEWEST} reports before anything is shown, so with {invited:,} "
            "people there would never be a result: use a secret ballot on paper",
            code="poll.turnout",
            invited=invited,
        )
    return FEWEST if invited is None else max(FEWEST, (invited + 1) // 2)


def _mechanism(text: str | None, rule: Rule, epsilon: str | None) -> Mechanism:
    return parse_mechanism(text or default_mechanism(), rule, parse_epsilon(epsilon))


def _document(named: Named, poll: Poll, closes: int, words: list[str]) -> dict[str, Any]:
    assert named.digest is not None
    return {
        "id": named.id,
        "digest": named.digest,
        "server": named.server,
        "ballot": str(named.ballot_link(named.digest)),
        "organiser": str(named.organiser_link),
        "closes": closes,
        "access": poll.access,
        "turnout": poll.turnout,
        "epsilon": float(poll.mechanism.epsilon),
        "crowd_epsilon": crowd_epsilon(poll),
        "words": words,
    }


def _tell(named: Named, poll: Poll, closes: int, words: list[str], people: int) -> None:
    assert named.digest is not None
    show.say(poll.question, style="bold")
    show.say(f"{poll.mechanism.title}; closes on {times.shown(closes)}.")
    show.say("")
    show.say("The ballot's link:")
    show.line(f"  {named.ballot_link(named.digest)}", style="bold")
    show.say("The organiser's link, which is for you alone; its key is kept on this machine, too:")
    show.line(f"  {named.organiser_link}")
    show.say("")
    for sentence in words:
        show.say(sentence)
    show.say(f"Nothing is shown of fewer than {poll.turnout:,} reports.")
    show.say("")
    short = named.id[:SHORT]
    if poll.access == CODES:
        show.say("Next, make a code for everybody whom you invite:")
        show.line(f"  hushvote poll codes {short} --number {people} --out codes.csv")
    else:
        show.say("Next, give the ballot's link to everybody whom you invite. To see how it goes:")
        show.line(f"  hushvote poll show {short}")

"""A ballot at a terminal: what a voter is shown, and what she is asked."""

import random
import sys
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from hushvote.cli import show
from hushvote.cli.ranking import joined, read_line
from hushvote.client.device import REPORT, Device
from hushvote.client.voting import Voting
from hushvote.errors import HushvoteError
from hushvote.messages import counted, say
from hushvote.messages.phrases import LITTLE, commas, little_together, odds, protection
from hushvote.poll.manifest import Poll
from hushvote.poll.requests import Report

UNDO = "undo"


def at_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty()


def ask(prompt: str) -> str | None:
    """What somebody types; None if nothing more will come."""
    try:
        return input(prompt)
    except EOFError:
        print()
        return None


def agrees(question: str) -> bool:
    """Whether somebody says yes, and nothing else."""
    show.say(question)
    typed = (ask(say("vote.ask") + " ") or "").strip().lower()
    return typed in say("vote.yes").split()


def show_poll(poll: Poll, told: dict[str, Any], shown: Sequence[int], *, shuffled: bool) -> None:
    """The question, the candidates, and who learns what."""
    show.say("")
    show.say(poll.question, style="bold")
    for line in poll.description.split("\n") if poll.description else []:
        show.say(line)
    show.say("")
    width = len(str(poll.d))
    for number, candidate in enumerate(shown, start=1):
        show.say(f"  {number:>{width}}  {poll.candidates[candidate]}")
    show.say("")
    show.say(say("vote.choices.some" if poll.partial else "vote.choices.all", d=poll.d))
    if shuffled:
        show.say(say("vote.choices.order"), style="dim")
    show.say("")
    epsilon = poll.mechanism.epsilon
    values = {"factor": odds(epsilon), "epsilon": figure(epsilon)}
    show.say(say("vote.learns.operator", factor=values["factor"], epsilon=values["epsilon"]))
    asks = poll.mechanism.needs_question
    show.say(say("vote.learns.question") if asks else say("vote.learns.public"))
    if little := protection(float(epsilon)):
        show.say(little, style="bold yellow")
    closes, standing = told.get("closes"), told.get("standing")
    if type(closes) is int and type(standing) is int:
        when = datetime.fromtimestamp(closes).astimezone().strftime("%Y-%m-%d %H:%M %Z")
        show.say(say("vote.open", standing=standing, turnout=poll.turnout, closes=when))
    show.say("")


def figure(number: Fraction | float) -> str:
    """An epsilon as people write it."""
    return f"{float(number):g}"


def in_order(poll: Poll, *, keep: bool) -> list[int]:
    """The candidates in the order that they are shown in."""
    shown = list(range(poll.d))
    if not keep:
        random.SystemRandom().shuffle(shown)
    return shown


def rank(poll: Poll, shown: Sequence[int]) -> list[int] | None:
    """Let somebody rank the candidates; None if she would rather not."""
    show.say(say("vote.how", example="3 1" if poll.d > 2 else "2 1"))
    if poll.partial:
        show.say(say("vote.how.done"))
    ranking: list[int] = []
    while True:
        line = ask(f"{len(ranking) + 1}> ")
        if line is None:
            return None
        text = line.strip()
        if not text and ranking and (poll.partial or len(ranking) == poll.d):
            return ranking
        try:
            if text.lower() == UNDO:
                ranking = ranking[:-1]
            elif text:
                ranking = joined(ranking, read_line(text, shown, poll.candidates), poll.candidates)
        except HushvoteError as error:
            show.complain(str(error))
            continue
        rest = [candidate for candidate in shown if candidate not in ranking]
        if len(rest) == 1 and not poll.partial:
            ranking, rest = [*ranking, *rest], []
        if not rest:
            return ranking
        if ranking:
            show_ranking(poll, ranking)


def show_ranking(poll: Poll, ranking: Sequence[int]) -> None:
    """A ranking, best first."""
    show.say(say("vote.ranked"), style="bold")
    width = len(str(poll.d))
    for place, candidate in enumerate(ranking, start=1):
        show.say(f"  {place:>{width}}. {poll.candidates[candidate]}")
    rest = [name for j, name in enumerate(poll.candidates) if j not in ranking]
    if rest:
        show.say("  " + say("vote.unranked", names=commas(rest)), style="dim")


def ask_draw(voting: Voting, ranking: Sequence[int], question: bytes | None) -> bool:
    """Whether a report may be drawn, which is spent then; what was drawn before may be shown."""
    poll, device = voting.poll, voting.device
    asked = question if poll.mechanism.needs_question else None
    show_ranking(poll, ranking)
    show.say("")
    if device.kept(ranking, asked) is not None:
        show.say(say("vote.same"))
        return True
    if not device.left(poll):
        return True  # the device says why not
    return agrees(say("vote.ask.draw", left=counted(device.left(poll), "draw")))


def show_costs(voting: Voting, ranking: Sequence[int], question: bytes | None) -> None:
    """What a change costs."""
    poll, device = voting.poll, voting.device
    asked = question if poll.mechanism.needs_question else None
    if device.kept(ranking, asked) is not None:
        show.say(say("vote.change.free"))
        return
    epsilon = poll.mechanism.epsilon
    show.say(
        say(
            "vote.change.costs",
            before=figure(device.spent * epsilon),
            after=figure((device.spent + 1) * epsilon),
            factor=odds(epsilon, device.spent + 1),
        ),
        style="yellow",
    )
    _warn_of_all(epsilon, device.spent + 1)


def show_report(poll: Poll, device: Device, report: Report, address: str) -> None:
    """What will leave the machine, and what it tells; `device` is the one that would send it."""
    words = poll.words(poll.mechanism.domain.from_wire(report))
    show.say("")
    changing = device.standing == REPORT
    show.say(say("vote.sentence.change") if changing else say("vote.sentence"), style="bold")
    show.say("")
    show.say(f"    {words}", style="bold")
    show.say("")
    assert device.request is not None
    show_body(device.request.body(poll), address)
    show.say("")
    epsilon = poll.mechanism.epsilon
    show.say(say("vote.factor", factor=odds(epsilon)))
    if epsilon > LITTLE:
        show.say(say("vote.little", epsilon=figure(epsilon)), style="bold yellow")
    else:
        show.say(say("vote.true"))
    if device.spent > 1:
        show.say(
            say(
                "vote.factor.all",
                spent=device.spent,
                factor=odds(epsilon, device.spent),
                epsilon=figure(device.spent * epsilon),
            )
        )
        _warn_of_all(epsilon, device.spent)
    show.say("")


def _warn_of_all(epsilon: Fraction, reports: int) -> None:
    """Say so if that many reports protect little together."""
    if little_together(epsilon, reports):
        all_of_them = figure(reports * epsilon)
        show.say(say("vote.together", reports=reports, epsilon=all_of_them), style="bold yellow")


def show_body(body: bytes, address: str) -> None:
    """The exact bytes of a request."""
    text = body.rstrip(b" ").decode()
    show.say(say("vote.body"))
    show.line(f"POST {address}")
    show.line(text)
    show.say(say("vote.padding", blanks=len(body) - len(text)), style="dim")

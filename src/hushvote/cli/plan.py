"""`hushvote plan`: before a poll, how many voters, which epsilon, and what lead is certified."""

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from hushvote import planning, plots
from hushvote.accounting import shuffled_epsilon
from hushvote.checking import refuse_flawed
from hushvote.cli import show
from hushvote.cli.options import (
    CandidatesOption,
    JsonOption,
    MechanismOption,
    RuleOption,
    number,
    parse_epsilon,
    parse_level,
    parse_rule,
    whole_number,
)
from hushvote.cli.outputs import check_picture
from hushvote.errors import MechanismError
from hushvote.mechanisms import BEST, Mechanism, default_mechanism, is_built_in
from hushvote.messages import counted, say
from hushvote.messages.phrases import odds, percent, points, protection
from hushvote.naming import mechanism_of
from hushvote.planning import Plan, rounded_up
from hushvote.result.maxt import FEWEST
from hushvote.rules import Rule

EPSILONS = "1,2,3,4,5"  # the rows of a table where nothing is said
DELTA = 1e-6
GAINED = 0.9  # of the local epsilon: a crowd epsilon above that is none to speak of
NONE = "–"
EXAMPLE = (
    "A table of epsilons for 300 voters: [bold]hushvote plan -d 5 -n 300[/bold]\n\n"
    "Which lead:    [bold]hushvote plan -d 5 -n 300 -e 3[/bold]\n\n"
    "Which epsilon: [bold]hushvote plan -d 5 -n 1000 --lead 0.5[/bold]\n\n"
    "How many:      [bold]hushvote plan -d 5 --lead 0.5 -e 3[/bold]"
)


def plan(
    rule: RuleOption = None,
    candidates: CandidatesOption = None,
    voters: Annotated[
        str | None,
        typer.Option(
            "--voters", "-n", help="How many will vote; several for a column each: 100,300,1000."
        ),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon",
            "-e",
            help="Local epsilon: the smaller, the more private; several for a row each. "
            f"Default: a table of {EPSILONS}.",
        ),
    ] = None,
    lead: Annotated[
        float | None,
        typer.Option(parser=number, help="The lead that is to be certified, in points."),
    ] = None,
    seats: Annotated[int, typer.Option(parser=whole_number, help="How many are elected.")] = 1,
    survey: Annotated[
        bool,
        typer.Option("--survey", help="The voters are a random sample of a larger population."),
    ] = False,
    power: Annotated[
        str, typer.Option(help="How likely such a lead is then certified.")
    ] = f"{planning.POWER:g}",
    level: Annotated[
        str, typer.Option(help="Confidence of what is certified.")
    ] = f"{planning.LEVEL:g}",
    mechanism: MechanismOption = None,
    turnout: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help="Honest reports at least, for the crowd epsilon. Default: as many as voters.",
        ),
    ] = None,
    delta: Annotated[
        float,
        typer.Option(parser=number, help="Chance with which the crowd epsilon may fail."),
    ] = DELTA,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw leads over voters into this .png, .svg or .pdf file."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Plan a poll: voters, epsilon and the lead to be certified; give one or two of them."""
    check_picture(plot)
    made = parse_rule(rule, candidates)
    by = default_mechanism() if mechanism in (None, BEST) else mechanism
    asked = {
        "power": parse_level(power, "--power"),
        "level": parse_level(level),
        "seats": seats,
        "population": survey,
        "by": by,
    }
    if voters is None and lead is None:
        raise MechanismError(
            "say how many will vote, as in -n 300, or which lead is to be certified, as in "
            "--lead 0.5",
            code="plan.goal",
        )
    numbers = None if voters is None else _numbers(voters)
    _check_turnout(turnout, numbers)
    with show.err.status("planning") if show.err.is_terminal else nullcontext():
        cells = _cells(made, numbers, epsilon, lead, asked)
        _check_turnout(turnout, [cell.n for cell in cells if cell.n is not None])
        crowds = [_crowd(cell, turnout, delta) for cell in cells]
        if plot is not None:
            plans = [cell.plan for cell in cells if cell.plan is not None]
            drawn = [cell.mechanism for cell in cells if cell.mechanism]
            answer: plots.Answer = "n" if numbers is None else "lead" if lead is None else "epsilon"
            plots.plan(plans, drawn, plot, answer)
    weak = protection(max(float(cell.mechanism.epsilon) for cell in cells if cell.mechanism))
    if json:
        rows = [_row(cell, crowd) for cell, crowd in zip(cells, crowds, strict=True)]
        common = {
            "rule": made.name,
            "candidates": made.d,
            "seats": seats,
            "population": survey,
            "power": asked["power"],
            "level": asked["level"],
            "largest_lead": planning.most_lead(made, seats),
            "delta": delta,
            "protection": weak,
        }
        show.print_json({**common, "plans": rows})
        return
    shown = _Shown(made, seats, numbers, lead, tuple(cells), tuple(crowds))
    show.say(shown.title(survey), style="bold")
    show.print_table(shown.table())
    for sentence in shown.answers():
        show.say(sentence)
    for sentence in shown.meanings(turnout, delta):
        show.say(sentence, style="dim")
    if weak:
        show.note(weak)


# --- what is planned --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Cell:
    """One of the plans; None where nothing can be certified."""

    n: int | None
    mechanism: Mechanism | None
    plan: Plan | None


def _cells(
    rule: Rule, numbers: list[int] | None, epsilon: str | None, lead: float | None, asked: Any
) -> list[_Cell]:
    """All plans: an epsilon for each number of voters, or row by row what each epsilon gives."""
    if numbers is not None and lead is not None:  # with an epsilon as well, `plan` refuses
        pairs: list[tuple[int | None, str | None]] = [(n, epsilon) for n in numbers]
    else:
        texts = _texts(EPSILONS if epsilon is None else epsilon, "--epsilon", "1,2,3")
        pairs = [(n, text) for text in texts for n in (numbers or (None,))]
    found: list[_Cell] = []
    hopeless: MechanismError | None = None
    for wanted in dict.fromkeys(parse_epsilon(text) for _, text in pairs):
        _check_sound(mechanism_of(asked["by"], rule, wanted))
    for n, text in pairs:
        made = None if text is None else mechanism_of(asked["by"], rule, text)
        try:
            one = planning.plan(rule, text, lead, n, **asked)
        except MechanismError as error:
            if error.code != "plan.hopeless":
                raise
            hopeless = error
            found.append(_Cell(n, made, None))
        else:
            found.append(_Cell(one.n, one.mechanism, one))
    if hopeless is not None and not any(cell.plan for cell in found):
        raise hopeless
    return found


def _check_sound(made: Mechanism) -> None:
    """Refuse somebody's own mechanism that must not be chosen."""
    if not is_built_in(made):
        refuse_flawed(made)


def _crowd(cell: _Cell, turnout: int | None, delta: float) -> float | None:
    """The crowd epsilon, rounded up; the local one where nothing is gained."""
    if cell.mechanism is None or cell.n is None:
        return None
    local = float(cell.mechanism.epsilon)
    among = shuffled_epsilon(cell.mechanism, turnout or cell.n, delta)
    return min(local, rounded_up(among))


def _row(cell: _Cell, crowd: float | None) -> dict[str, Any]:
    """One plan for programs."""
    if cell.plan is None:
        made = cell.mechanism
        known = {"n": cell.n, "epsilon": None if made is None else float(made.epsilon)}
        return {**known, "crowd_epsilon": crowd, "lead": None, "share": None, "words": None}
    found = cell.plan
    share = found.lead / planning.most_lead(found.mechanism.rule, found.seats)
    return {
        "mechanism": found.mechanism.name,
        "n": found.n,
        "epsilon": found.epsilon,
        "crowd_epsilon": crowd,
        "lead": found.lead,
        "share": min(1.0, rounded_up(share, 3)),
        "words": found.words,
    }


def _texts(text: str, option: str, example: str) -> list[str]:
    """A list with commas between, each once."""
    found = list(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))
    if not found:
        raise typer.BadParameter(
            f"it must be a number, or several as in {example}, not {text!r}",
            param_hint=f"'{option}'",
        )
    return found


def _numbers(text: str) -> list[int]:
    """Numbers of voters."""
    try:
        found = [int(part) for part in _texts(text, "--voters", "100,300,1000")]
    except ValueError:
        raise typer.BadParameter(
            f"it must be a whole number such as 300, or several as in 100,300,1000, not {text!r}",
            param_hint="'--voters'",
        ) from None
    for n, part in itertools.pairwise([*_texts(text, "--voters", "100,300,1000"), ""]):
        if int(n) < FEWEST and len(part) == 3:
            raise typer.BadParameter(
                f"{n},{part} reads as {n} and {part} voters; write {n}{part}",
                param_hint="'--voters'",
            )
        planning.check_voters(int(n))
    return found


def _check_turnout(turnout: int | None, numbers: list[int] | None) -> None:
    if turnout is not None and (turnout < 1 or turnout > min(numbers or [turnout])):
        raise MechanismError(
            f"the turnout must be a whole number from 1 to the number of voters, not {turnout}",
            code="plan.turnout",
            given=turnout,
        )


# --- what is shown ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Shown:
    """Plans as a table, and what to know of it in sentences."""

    rule: Rule
    seats: int
    numbers: Sequence[int] | None
    lead: float | None
    cells: tuple[_Cell, ...]
    crowds: tuple[float | None, ...]

    def title(self, survey: bool) -> str:
        """What is planned."""
        (name,) = {cell.mechanism.name for cell in self.cells if cell.mechanism is not None}
        parts = [name, str(self.rule)]
        if self.seats > 1:
            parts.append(counted(self.seats, "seat"))
        if self.lead is not None:
            parts.append(say("plan.title.lead", lead=points(self.lead)))
        if survey:
            parts.append(say("plan.title.sample"))
        return ", ".join(parts)

    def table(self) -> Table:
        """A row for each plan; where leads are found for several numbers of voters, for each
        epsilon, with columns for each number.
        """
        if self._is_grid:
            return self._grid(self.numbers or ())
        leads = ("lead", "share") if self.lead is None else ()
        made = _table("voters", "local\nepsilon", "odds", "crowd\nepsilon", *leads)
        for cell, crowd in zip(self.cells, self.crowds, strict=True):
            voters = NONE if cell.n is None else f"{cell.n:,}"
            row = [voters, _epsilon(cell), _odds(cell), _figure(cell, crowd)]
            made.add_row(*row, *((_lead(cell), self._share(cell)) if leads else ()))
        return made

    @property
    def _is_grid(self) -> bool:
        return self.lead is None and self.numbers is not None and len(self.numbers) > 1

    def _grid(self, numbers: Sequence[int]) -> Table:
        headers = [(f"{counted(n, 'voter')}\nlead", "crowd\nepsilon") for n in numbers]
        made = _table("local\nepsilon", "odds", *(header for pair in headers for header in pair))
        for start in range(0, len(self.cells), len(numbers)):
            part = slice(start, start + len(numbers))
            first = self.cells[start]
            pairs = zip(self.cells[part], self.crowds[part], strict=True)
            row = [text for cell, crowd in pairs for text in (_lead(cell), _figure(cell, crowd))]
            made.add_row(_epsilon(first), _odds(first), *row)
        return made

    def _share(self, cell: _Cell) -> str:
        if cell.plan is None:
            return NONE
        share = cell.plan.lead / planning.most_lead(self.rule, self.seats)
        return percent(min(100, math.ceil(100 * share)) / 100)

    def answers(self) -> Iterator[str]:
        """One of the plans in words, and what to do about those that there are not."""
        found = [cell.plan for cell in self.cells if cell.plan is not None]
        words = found[(len(found) - 1) // 2].words
        yield words if len(self.cells) == 1 else say("plan.example", words=words)
        if len(found) < len(self.cells):
            yield (
                say("plan.dash.lead", least=FEWEST)
                if self.lead is None
                else say("plan.dash.epsilon", most=planning.LARGEST, least=FEWEST)
            )

    def meanings(self, turnout: int | None, delta: float) -> Iterator[str]:
        """What the columns say, and about whom."""
        if self.lead is None:
            most = points(planning.most_lead(self.rule, self.seats))
            yield say("plan.lead.seats" if self.seats > 1 else "plan.lead", most=most)
            if not self._is_grid:
                yield say("plan.share")
        yield say("plan.local")
        yield self._about_the_crowd(turnout, delta)

    def _about_the_crowd(self, turnout: int | None, delta: float) -> str:
        pairs = zip(self.cells, self.crowds, strict=True)
        known = [(cell.mechanism, crowd) for cell, crowd in pairs if cell.mechanism is not None]
        if known[0][0].traceable:
            return say("plan.crowd.traceable", mechanism=known[0][0].name)
        if all(crowd is None or crowd > GAINED * made.epsilon for made, crowd in known):
            return say("plan.crowd.few")
        chance = math.floor(1 / Fraction(repr(delta)))
        among = {turnout or cell.n for cell in self.cells}
        if len(among) > 1:
            return say("plan.crowd.each", chance=chance)
        return say("plan.crowd", turnout=among.pop(), chance=chance)


def _table(*headers: str) -> Table:
    made = show.table("")
    made.title = None
    for header in headers:
        lines = header if "\n" in header else f"\n{header}"
        made.add_column(lines, justify="right", no_wrap=True)
    return made


def _epsilon(cell: _Cell) -> str:
    return NONE if cell.mechanism is None else f"{float(cell.mechanism.epsilon):g}"


def _odds(cell: _Cell) -> str:
    """By how much a report multiplies odds at most."""
    if cell.mechanism is None:
        return NONE
    return f"× {odds(cell.mechanism.epsilon)}"


def _lead(cell: _Cell) -> str:
    return NONE if cell.plan is None else _two_digits(cell.plan.lead)


def _figure(cell: _Cell, crowd: float | None) -> str:
    if crowd is None or cell.mechanism is None:
        return NONE
    return _epsilon(cell) if crowd == float(cell.mechanism.epsilon) else _two_digits(crowd)


def _two_digits(x: float) -> str:
    """Rounded up: 0.92 and 0.10."""
    up = rounded_up(x)
    return f"{up:,.{max(0, 1 - math.floor(math.log10(up)))}f}"

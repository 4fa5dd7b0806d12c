"""Options that several commands share, and what is taken where nothing is said."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from hushvote import cores, exact, loading
from hushvote.choosing import mechanism_written
from hushvote.errors import FileError, HushvoteError
from hushvote.formats.columns import LAYOUTS
from hushvote.mechanisms import BEST, Mechanism, mechanism_names
from hushvote.naming import rule_of
from hushvote.result.maxt import LEAST
from hushvote.rules import Rule, rule_names

RULE, EPSILON, MECHANISM = "borda", "1", BEST  # what is taken where nothing is said
JOBS = cores.available()


def number(text: str) -> float:
    """Read a number, for an option that takes one."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"it must be a number such as 0.5, not {text!r}") from None


def whole_number(text: str) -> int:
    """Read a whole number, for an option that takes one."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"it must be a whole number, not {text!r}") from None


def completing(
    words: Callable[[], Iterable[str]], *, several: bool = False
) -> Callable[[typer.Context, str], list[str]]:
    """What a shell offers for an option: those of the words that begin as typed so far; where it
    takes `several` with commas between, for the last of them.
    """

    def offered(context: typer.Context, incomplete: str) -> list[str]:
        _load_in_silence(context.find_root().params.get("load") or ())
        cut = incomplete.rfind(",") + 1 if several else 0
        return [incomplete[:cut] + word for word in words() if word.startswith(incomplete[cut:])]

    return offered


def _load_in_silence(names: Iterable[str]) -> None:
    """Load what a command line is to load that is still being typed: a shell shows all output."""
    for name in names:
        silence = io.StringIO()
        with redirect_stdout(silence), redirect_stderr(silence), suppress(HushvoteError):
            loading.load(name)


RuleOption = Annotated[
    str | None,
    typer.Option(
        autocompletion=completing(rule_names),
        help=f"Voting rule: {', '.join(rule_names())}, the last with its k, as in 'approval:k=3'; "
        f"or the scores themselves, as in '5,3,1,0'. Default: {RULE}.",
    ),
]
CandidatesOption = Annotated[
    int | None,
    typer.Option(
        "--candidates",
        "-d",
        parser=whole_number,
        help="Number of candidates, 2 to 64; needed unless the rule is given as scores.",
    ),
]
EpsilonOption = Annotated[
    str | None,
    typer.Option(
        "--epsilon", "-e", help=f"Privacy: the smaller, the more private. Default: {EPSILON}."
    ),
]
MechanismOption = Annotated[
    str | None,
    typer.Option(
        "--mechanism",
        "-m",
        autocompletion=completing(lambda: (BEST, *mechanism_names())),
        help=f"'best', or one of {', '.join(mechanism_names())}, with options as in "
        f"'additive:k=2'. Default: {MECHANISM}.",
    ),
]
JobsOption = Annotated[
    int,
    typer.Option(
        parser=whole_number,
        show_default=False,
        help="Processes; they do not change the numbers. Default: one a core.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


BallotsArgument = Annotated[
    Path,
    typer.Argument(
        help="Rankings: .soc .soi .toc .toi .csv .tsv .txt (each may be packed, as in .csv.gz) or "
        ".parquet; '-' reads standard input."
    ),
]
NamesOption = Annotated[
    str | None,
    typer.Option(
        "--names",
        help="The candidates, with commas between; any other name is an error. A name that holds "
        "a comma stands in double quotes, as in '\"Ng, Ann\",Bob'.",
    ),
]
LayoutOption = Annotated[
    str | None,
    typer.Option(
        autocompletion=completing(lambda: LAYOUTS),
        help="How a table holds the rankings: 'places' if a row lists candidates, best first; "
        "'ranks' if a column is a candidate and its cells are the ranks given to it.",
    ),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        help="The columns of a table that hold the ranking, by letters as in 'B,C,D' or 'B:D', or "
        "by the names in its first line."
    ),
]


def parse_names(text: str | None, option: str = "--names") -> list[str] | None:
    """Read a list with commas between; a name that holds one stands in double quotes."""
    if text is None:
        return None
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):  # an open quote, or a line break
        raise typer.BadParameter(
            f"a quote is not closed, or stands within a name: {text!r}; a name that holds a comma "
            "stands in double quotes, as in '\"Ng, Ann\",Bob'",
            param_hint=f"'{option}'",
        ) from None
    return [name.strip() for name in row] or [""]


def refuse_given(options: Mapping[str, object], sentence: str) -> None:
    """Refuse options that do not go with what else was given."""
    for option, value in options.items():
        if value is not None:
            said = sentence.format(option=option)
            raise FileError(said, code="command.options", option=option)


def parse_share(text: str, option: str) -> float:
    """Read a share of at most 1: '0.05' or '5%'."""
    try:
        number = exact.fraction(text.removesuffix("%").strip())
    except ValueError:
        number = Fraction(-1)
    share = number / 100 if text.endswith("%") else number
    if not 0 <= share <= 1:
        raise typer.BadParameter(
            f"it must be a share such as 0.05 or 5%, not {text!r}", param_hint=f"'{option}'"
        )
    return float(share)


def parse_level(text: str, option: str = "--level") -> float:
    """Read a level of confidence, or a power: '95', '95%' and '0.95' are the same."""
    try:
        number = exact.fraction(text.removesuffix("%").strip())
    except ValueError:
        number = Fraction(0)
    level = number / 100 if text.endswith("%") or number > 1 else number
    if not LEAST <= level < 1:
        raise typer.BadParameter(
            f"it must be at least 50 % and below 100 %, as in 95, 95% or 0.95, not {text!r}",
            param_hint=f"'{option}'",
        )
    return float(level)


def parse_epsilon(text: str | None) -> str:
    """Read epsilon, or take the default."""
    return EPSILON if text is None else text


def parse_rule(text: str | None, d: int | None) -> Rule:
    """Read a rule, or take the default."""
    return rule_of(RULE if text is None else text, d)


def parse_mechanism(text: str | None, rule: Rule, epsilon: str | None) -> Mechanism:
    """Read a mechanism: 'best' or a name, with options."""
    return mechanism_written(MECHANISM if text is None else text, rule, parse_epsilon(epsilon))

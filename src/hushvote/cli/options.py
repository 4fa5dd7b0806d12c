"""Options that several commands share, and how their texts are read.

Rules and mechanisms are named with their options behind a colon: `approval:k=3`,
`additive:k=2`, `weighted-sampling:intercept=lower`, `weighted-sampling:masses=4,2,1,3`.
"""

from typing import Annotated, Any

import typer

from hushvote.choosing import design
from hushvote.errors import HushvoteError, MechanismError, RuleError
from hushvote.mechanisms import Mechanism, mechanism, mechanism_names
from hushvote.rules import Rule, rule, rule_names

RULE, EPSILON, MECHANISM = "borda", "1", "best"  # what is taken where nothing is said

RuleOption = Annotated[
    str | None,
    typer.Option(
        help=f"Voting rule: {', '.join(rule_names())}, with options as in 'approval:k=3'; "
        f"or the scores themselves, as in '5,3,1,0'. Default: {RULE}."
    ),
]
CandidatesOption = Annotated[
    int | None, typer.Option("--candidates", "-d", help="Number of candidates, 2 to 64.")
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
        help=f"'best', or one of {', '.join(mechanism_names())}, with options as in "
        f"'additive:k=2'. Default: {MECHANISM}.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def parse_epsilon(text: str | None) -> str:
    """Read epsilon, or take the default."""
    return EPSILON if text is None else text


def parse_rule(text: str | None, d: int | None) -> Rule:
    """Read a rule: a name with options, or a list of scores."""
    text = RULE if text is None else text
    name, options = _options(text, RuleError)
    if name.replace("-", "_") in rule_names():
        if d is None:
            raise RuleError(f"rule {name!r} needs the number of candidates: add --candidates 8")
        return rule(name, d, **options)
    if "," not in text:
        known = ", ".join(rule_names())
        raise RuleError(
            f"there is no rule {name!r}; choose one of {known}, or give scores such as 5,3,1,0"
        )
    made = Rule("custom", [score.strip() for score in text.split(",")])
    if d is not None and d != made.d:
        raise RuleError(f"the rule {text} scores {made.d} candidates, but there are {d}")
    return made


def parse_mechanism(text: str | None, rule: Rule, epsilon: str | None) -> Mechanism:
    """Read a mechanism: 'best', or a name with options."""
    name, options = _options(MECHANISM if text is None else text, MechanismError)
    if name == "best":
        return design(rule, parse_epsilon(epsilon)).best
    return mechanism(name, rule, parse_epsilon(epsilon), **options)


def _options(text: str, kind: type[HushvoteError]) -> tuple[str, dict[str, Any]]:
    """Split 'name:key=value,key=value,...'; a value without a key lengthens the list before it."""
    name, _, tail = text.partition(":")
    options: dict[str, Any] = {}
    key = ""
    for item in filter(None, (part.strip() for part in tail.split(","))):
        if "=" in item:
            key, _, value = item.partition("=")
            options[key] = _value(value)
        elif not key:
            raise kind(f"options are written as key=value, as in 'additive:k=2', not {item!r}")
        else:
            held = options[key] if isinstance(options[key], list) else [options[key]]
            options[key] = [*held, _value(item)]
    return name, options


def _value(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 19 else text

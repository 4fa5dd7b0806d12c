"""Rules, mechanisms and electorates as one text: a name, and options behind a colon.

`approval:k=3`, `additive:k=2`, `weighted-sampling:intercept=1/2`, `mallows:phi=0.8`; a rule may
also be the scores themselves, as in `5,3,1,0`.
"""

from typing import Any

from hushvote.errors import HushvoteError, MechanismError, RuleError, echo
from hushvote.exact import Number
from hushvote.mechanisms import Mechanism, mechanism
from hushvote.rules import Rule, is_rule, meant, rule, rule_names


def split(text: str, kind: type[HushvoteError]) -> tuple[str, dict[str, Any]]:
    """Split 'name:key=value,key=value,...'; a value without a key lengthens the list before it."""
    name, _, tail = text.partition(":")
    options: dict[str, Any] = {}
    key = ""
    for item in filter(None, (part.strip() for part in tail.split(","))):
        if "=" in item:
            key, _, value = item.partition("=")
            options[key] = _value(value)
        elif not key:
            raise kind(
                f"options are written as key=value, as in 'additive:k=2', not {item!r}",
                code="option.form",
                given=item,
            )
        else:
            held = options[key] if isinstance(options[key], list) else [options[key]]
            options[key] = [*held, _value(item)]
    return name, options


def _value(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 19 else text


def rule_of(text: str, d: int | None) -> Rule:
    """Read a rule: a name with options, or a list of scores."""
    name, _, tail = text.partition(":")
    known = is_rule(name)
    if tail and "=" not in tail.split(",")[0] and known:
        raise RuleError(
            f"options are written as key=value: write {meant(text)}, not {echo(text)}",
            code="option.form",
            given=tail,
        )
    if known:
        options = split(text, RuleError)[1]
        if d is None:
            raise RuleError(
                f"rule {name!r} needs the number of candidates: add --candidates 8",
                code="rule.candidates",
                rule=name,
            )
        return rule(name, d, **options)
    if "," not in text:
        offer = f"choose one of {', '.join(rule_names())}, or give scores such as 5,3,1,0"
        if wanted := meant(text):
            offer = f"write {wanted}"
        raise RuleError(
            f"there is no rule {echo(text)}; {offer}",
            code="rule.unknown",
            given=name,
        )
    made = Rule("custom", [score.strip() for score in text.split(",")])
    if d is not None and d != made.d:
        raise RuleError(
            f"the rule {text} scores {made.d} candidates, but there are {d}",
            code="rule.candidates",
            rule=text,
            scored=made.d,
            d=d,
        )
    return made


def mechanism_of(text: str, rule: Rule, epsilon: Number) -> Mechanism:
    """Read a mechanism: a name with options."""
    name, options = split(text, MechanismError) if isinstance(text, str) else (text, {})
    return mechanism(name, rule, epsilon, **options)

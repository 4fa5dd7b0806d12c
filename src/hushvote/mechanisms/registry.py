"""Mechanisms by name: made anew, or restored from the parameters that travel with reports."""

import inspect
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from hushvote import exact
from hushvote.errors import HushvoteError, MechanismError, echo
from hushvote.lottery import Odds
from hushvote.mechanisms.contract import Mechanism
from hushvote.rules import Rule
from hushvote.tally import Parameters, canonical

_registry: dict[str, type[Mechanism]] = {}
M = TypeVar("M", bound=Mechanism)


def register(cls: type[M]) -> type[M]:
    """Make a mechanism known by its name."""
    _registry[cls.name] = cls
    return cls


def mechanism_names() -> tuple[str, ...]:
    """Names that `mechanism()` and `--mechanism` understand."""
    return tuple(_registry)


def mechanism_class(name: object) -> type[Mechanism]:
    """The registered class of that name."""
    if not isinstance(name, str) or name not in _registry:
        known = ", ".join(_registry)
        raise MechanismError(f"there is no mechanism {echo(name)}; choose one of {known}")
    return _registry[name]


def default_mechanism() -> str:
    """The name of the mechanism that is taken where none is asked for."""
    return "duel"


def option_names(name: str) -> tuple[str, ...]:
    """What `mechanism()` takes for this mechanism beyond rule and epsilon."""
    taken = inspect.signature(mechanism_class(name)).parameters
    return tuple(option for option in taken if option not in ("rule", "epsilon", "odds"))


def mechanism(name: str, rule: Rule, epsilon: object, **options: Any) -> Mechanism:
    """Make a mechanism by name: `mechanism("additive", borda(8), epsilon=1.0)`."""
    cls = mechanism_class(name)
    if not isinstance(rule, Rule):
        raise MechanismError(f"a mechanism needs a rule such as borda(8), not {rule!r}")
    known = option_names(name)
    for option in options:
        if option not in known:
            offer = f"its options are {', '.join(known)}" if known else "it has none"
            raise MechanismError(f"{name} has no option {echo(option)}; {offer}")
    return cls(rule, epsilon, **options)


def mechanism_from(parameters: Parameters | str | None) -> Mechanism:
    """Restore a mechanism from its parameters, refusing any that do not keep their promise."""
    if isinstance(parameters, str):
        try:
            parameters = json.loads(parameters)
        except ValueError as error:
            raise MechanismError(f"these parameters are not valid JSON ({error})") from None
    if not isinstance(parameters, Mapping):
        raise MechanismError(f"parameters must be a JSON object, not {echo(parameters)}")
    given = dict(parameters)
    cls = mechanism_class(given.pop("mechanism", None))
    try:
        rule, epsilon, (up, down) = given.pop("rule"), given.pop("epsilon"), given.pop("odds")
        odds = Odds(exact.from_json(up), exact.from_json(down))
        made = cls.restored(Rule(rule["name"], rule["scores"]), epsilon, odds, **given)
        made.certificate()
    except HushvoteError:
        raise
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise MechanismError(f"these parameters of {cls.name} are damaged: {echo(error)}") from None
    if canonical(made.parameters()) != canonical(dict(parameters)):
        raise MechanismError(f"these parameters of {cls.name} are not in their canonical form")
    return made

"""Mechanisms by name: made anew, or restored from the parameters that travel with reports."""

import inspect
import re
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from hushvote import exact, loading, lottery
from hushvote.canonical import NotCanonical, canonical, parsed
from hushvote.errors import HushvoteError, MechanismError, clip, echo
from hushvote.exact import Number
from hushvote.lottery import Odds
from hushvote.mechanisms import guarding
from hushvote.mechanisms.contract import Mechanism
from hushvote.rules import Rule, is_as_named
from hushvote.tally import Parameters

NAME = re.compile(r"[\w-]+")
BEST = "best"  # stands for one of them, which `choosing` finds
_registry: dict[str, type[Mechanism]] = {}
M = TypeVar("M", bound=Mechanism)


def register(cls: type[M]) -> type[M]:
    """Make a mechanism known by its name, if that is free and it has all members that it needs."""
    if not (isinstance(cls, type) and issubclass(cls, Mechanism)):
        raise MechanismError(
            f"register is for classes that derive from hv.Mechanism, as in class Mine(hv.Mechanism)"
            f", not {echo(cls)}",
            code="mechanism.type",
            given=cls,
        )
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    if not isinstance(getattr(cls, "name", None), str):
        missing.insert(0, "name")
    if missing:
        raise MechanismError(
            f"the mechanism {cls.__name__} is unfinished: it lacks {', '.join(missing)}; a "
            f"mechanism needs a name and {len(Mechanism.__abstractmethods__)} members",
            code="mechanism.unfinished",
            mechanism=cls.__name__,
            missing=", ".join(missing),
        )
    if not NAME.fullmatch(cls.name):
        raise MechanismError(
            f"the name of a mechanism is of letters, digits, - and _, not {echo(cls.name)}; other "
            "signs part it from its options on the command line",
            code="mechanism.name",
            given=cls.name,
        )
    if cls.name == BEST:
        raise MechanismError(
            f"the name {BEST!r} stands for the best of all mechanisms; give yours another",
            code="load.name",
            kind="mechanism",
            name=BEST,
        )
    guarding.check_options(cls, Mechanism)
    loading.claim("mechanism", cls.name, _registry, MechanismError)
    _registry[cls.name] = cls
    return cls


def mechanism_names() -> tuple[str, ...]:
    """Names that `mechanism()` and `--mechanism` understand."""
    return tuple(_registry)


def mechanism_class(name: object) -> type[Mechanism]:
    """The registered class of that name."""
    if not isinstance(name, str) or name not in _registry:
        known = ", ".join(_registry)
        offer = (
            f"; choose one of {known}, or {BEST!r} of them, or make your own known by "
            "@hv.register, in a file for --load on the command line"
        )
        if name == BEST:
            offer = f" here; name the one that it stands for, of {known}"
        base, colon, options = name.partition(":") if isinstance(name, str) else ("", "", "")
        if colon and base in (BEST, *_registry):
            offer = (
                ": so it is written on the command line; in Python it is "
                f"hv.mechanism({base!r}, rule, epsilon, {clip(options)})"
            )
        raise MechanismError(
            f"there is no mechanism {echo(name)}{offer}",
            code="parameters.mechanism",
            given=name,
        )
    return _registry[name]


def is_built_in(made: Mechanism) -> bool:
    """Whether hushvote itself brings this mechanism, whose promise its tests hold to."""
    return type(made).__module__.startswith("hushvote.")


def check_mechanism(given: object) -> None:
    """Refuse what is no mechanism, such as the name of one, which lacks rule and epsilon."""
    if not isinstance(given, Mechanism):
        raise MechanismError(
            f"give a mechanism such as hv.mechanism('duel', hv.borda(8), 1), not {echo(given)}",
            code="mechanism.type",
            given=given,
        )


def check_rule(given: object, what: str) -> None:
    """Refuse what is no rule, such as the name of one, which lacks the number of candidates."""
    if not isinstance(given, Rule):
        raise MechanismError(
            f"a {what} needs a rule such as borda(8), not {echo(given)}",
            code="mechanism.rule",
            given=given,
        )


def default_mechanism() -> str:
    """The name of the mechanism that is taken where none is asked for."""
    return "duel"


def option_names(name: str) -> tuple[str, ...]:
    """What `mechanism()` takes for this mechanism beyond rule and epsilon."""
    taken = inspect.signature(mechanism_class(name)).parameters
    return tuple(option for option in taken if option not in ("rule", "epsilon", "odds"))


def mechanism(name: str, rule: Rule, epsilon: Number, **options: Any) -> Mechanism:
    """Make a mechanism by name: `mechanism("additive", borda(8), epsilon=1.0)`."""
    cls = mechanism_class(name)
    check_rule(rule, "mechanism")
    known = option_names(name)
    for option in options:
        if option not in known:
            offer = f"its options are {', '.join(known)}" if known else "it has none"
            raise MechanismError(
                f"{name} has no option {echo(option)}; {offer}",
                code="mechanism.option",
                mechanism=name,
                option=option,
            )
    return cls(rule, epsilon, **options)


def _rule(given: Mapping[str, Any]) -> Rule:
    """A rule from plain JSON; one that goes by a known name must be the known one."""
    if not isinstance(given["scores"], list | tuple):
        raise MechanismError("the scores of a rule are a list", code="rule.scores")
    found = Rule(given["name"], [lottery.fraction_of("score", score) for score in given["scores"]])
    if not is_as_named(found):
        raise MechanismError(
            f"these are not the scores of the rule {found.name}",
            code="rule.scores",
            rule=found.name,
        )
    return found


def _odds(pair: Any, name: str) -> Odds:
    """The two odds from plain JSON."""
    try:
        up, down = pair if isinstance(pair, list | tuple) else ()
        return Odds(exact.from_json(up), exact.from_json(down))
    except HushvoteError:
        raise
    except (TypeError, ValueError) as error:
        raise MechanismError(
            f"these parameters of {name} are damaged: {echo(error)}",
            code="parameters.odds",
            mechanism=name,
            reason=echo(error),
            given=pair,
        ) from None


def mechanism_from(parameters: Parameters | str | None) -> Mechanism:
    """Restore a mechanism from its parameters, refusing any that do not keep their promise.

    Text must be in canonical form, as `hushvote.canonical.canonical(parameters)` writes it.
    """
    text = parameters if isinstance(parameters, str) else None
    if text is not None:
        try:
            parameters = parsed(text)
        except ValueError as error:
            twice = isinstance(error, NotCanonical)
            raise MechanismError(
                f"these parameters are {clip(str(error))}",
                code="parameters.canonical" if twice else "parameters.json",
                reason=error,
            ) from None
        if text.encode(errors="replace") != _canonical(parameters):
            raise MechanismError(
                "the text of these parameters is not in its canonical form (RFC 8785): "
                "members in order, no blanks, nothing escaped that need not be",
                code="parameters.canonical",
            )
    if not isinstance(parameters, Mapping):
        raise MechanismError(
            f"parameters must be a JSON object, not {echo(parameters)}",
            code="parameters.member",
            given=parameters,
        )
    given = dict(parameters)
    written = _canonical(given)
    if given.get("mechanism") is None:
        raise MechanismError(
            "these parameters do not name their mechanism",
            code="parameters.member",
            member="mechanism",
        )
    cls = mechanism_class(given.pop("mechanism"))
    _check_members(cls, given)
    scored = _rule(given.pop("rule"))
    epsilon = lottery.epsilon_of(lottery.fraction_of("epsilon", given.pop("epsilon")))
    odds = _odds(given.pop("odds"), cls.name)
    odds.check(epsilon)
    try:
        made = cls.restored(scored, epsilon, odds, **given)
        made.certificate()
    except HushvoteError:
        raise
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise MechanismError(
            f"these parameters of {cls.name} are damaged: {echo(error)}",
            code="parameters.option"
            if isinstance(error, ValueError | ArithmeticError)
            else "parameters.member",
            mechanism=cls.name,
            reason=echo(error),
        ) from None
    if canonical(made.parameters()) != written:
        for member in sorted(made.parameters().keys() - parameters.keys()):
            _lacks(cls, member)
        raise MechanismError(
            f"these parameters of {cls.name} are not in their canonical form: a number, a name or "
            "a set is written in another way than hushvote writes it",
            code="parameters.canonical",
            mechanism=cls.name,
        )
    return made


def _check_members(cls: type[Mechanism], given: Mapping[str, Any]) -> None:
    """Refuse parameters that lack what they need, or have what this mechanism has not."""
    for member in ("rule", "epsilon", "odds", *cls.members):
        if given.get(member) is None:
            _lacks(cls, member)
    scored = given["rule"]
    named = isinstance(scored, Mapping) and scored.keys() == {"name", "scores"}
    if not named or None in scored.values():
        raise MechanismError(
            f"the rule in these parameters has a name and scores, and nothing else: {echo(scored)}",
            code="parameters.member",
            member="rule",
        )
    taken = inspect.signature(cls).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        return
    for member in sorted(given.keys() - ({one.name for one in taken} - set(cls.designing))):
        raise MechanismError(
            f"these parameters of {cls.name} have a member {echo(member)} that it does not know",
            code="parameters.member",
            mechanism=cls.name,
            member=member,
        )


def _lacks(cls: type[Mechanism], member: str) -> NoReturn:
    raise MechanismError(
        f"these parameters of {cls.name} lack the member {member!r}",
        code="parameters.member",
        mechanism=cls.name,
        member=member,
    )


def _canonical(parameters: object) -> bytes:
    try:
        return canonical(parameters)
    except ValueError as error:
        raise MechanismError(
            f"these parameters have no canonical form: {error}",
            code="parameters.canonical",
            reason=error,
        ) from None

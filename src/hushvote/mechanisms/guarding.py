"""What the members of a mechanism take and return: looked at where they are called, so that an
author's mistake is named with the file and line of the member, and never met elsewhere.

`guard` is for every class of a mechanism. What hushvote's own mechanisms return is left to their
tests, but what anybody gives to them is looked at as well.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from hushvote import exact, loading
from hushvote.errors import MechanismError, clip, echo
from hushvote.mechanisms.blanket import Blanket
from hushvote.mechanisms.fields import Field
from hushvote.mechanisms.moments import FixedNoise, Moments, PairLaw
from hushvote.mechanisms.promises import Certificate, Risks
from hushvote.mechanisms.signals import Signals
from hushvote.tally import MOST_VOTERS

Wrong = Callable[..., str | None]
"""Of a mechanism, what a member of it has returned, and what it was given: what is wrong."""


class MemberError(MechanismError):
    """A member of somebody's own mechanism takes or returns something else than it must."""


def guard(cls: type, contract: type) -> None:
    """Look at what the members that this class itself defines are given, and what they return; and
    first of all, whether they can be called.
    """
    own = not cls.__module__.startswith("hushvote.")
    for name, member in list(vars(cls).items()):
        function = _function(member)
        returns = RETURNS.get(name) if own else None
        if function is not None and name == "__init__" and own:
            setattr(cls, name, _begun(function, contract))
        if function is None or not (returns or name in GIVEN):
            continue
        watched = _watched(function, name, returns)
        if isinstance(member, property):
            setattr(cls, name, member.getter(watched))
        elif isinstance(member, functools.cached_property):
            member.func = watched
        else:
            setattr(cls, name, watched)


@functools.cache
def check_signatures(cls: type, contract: type) -> None:
    """Refuse a class with a member that cannot be called as the contract calls it."""
    for name in ("__init__", *(name for name in dir(contract) if not name.startswith("_"))):
        wanted, member = (inspect.getattr_static(one, name) for one in (contract, cls))
        function, model = _function(member), _function(wanted)
        if member is wanted or function is None or model is None:
            continue
        called = isinstance(member, FunctionType)
        if called is not isinstance(wanted, FunctionType):
            must = "be a property: write @property above it"
            _refuse(function, name, must if called else "be a method, not a property")
        given = inspect.signature(function)
        restored = (inspect.getattr_static(one, "restored") for one in (contract, cls))
        asked = _asked(model, bare=len(set(restored)) > 1)
        if not _fits(asked, given, partial=name == "__init__"):  # which may have more options
            _refuse(function, name, f"take {_plain(asked)}, not {_plain(given)}")


def check_options(cls: type, contract: type) -> None:
    """Refuse a class whose constructor takes what no parameters carry, for want of `options`."""
    own, theirs = (inspect.getattr_static(one, "options") for one in (cls, contract))
    if own is theirs and (lost := _beyond(cls)):
        _refuse_lost(cls, lost)


def _beyond(cls: Any) -> list[str]:
    """What a constructor takes by name beyond rule, epsilon, odds, and what only helps to find the
    rest.
    """
    known = ("rule", "epsilon", "odds", *cls.designing)
    every = inspect.signature(cls).parameters.values()
    free = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one.name for one in every if one.name not in known and one.kind not in free]


def _refuse_lost(cls: Any, lost: list[str]) -> NoReturn:
    written = ", ".join(f"{name!r}: self.{name}" for name in lost)
    wrong = (
        f"take {' and '.join(map(repr, lost))} only if options() returns it, as in {{{written}}}: "
        "what parameters do not carry has its default again where reports are counted"
    )
    _refuse(cls.__init__, "__init__", wrong)


def _function(member: object) -> Any:
    """The function behind a method or a property; None for all else."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, functools.cached_property):
        return member.func
    return member if isinstance(member, FunctionType) else None


# --- what members are called with -----------------------------------------------------------------


def _asked(model: Callable[..., object], *, bare: bool) -> inspect.Signature:
    """How the contract calls a member; without odds where the class restores itself in its way."""
    asked = inspect.signature(model)
    kept = [one for one in asked.parameters.values() if not (bare and one.name == "odds")]
    return asked.replace(parameters=kept)


def _fits(asked: inspect.Signature, given: inspect.Signature, *, partial: bool) -> bool:
    """Whether a function can be called with what must be given, and with all else by its place or
    by its name.
    """
    every = list(asked.parameters.values())
    needed = [one.name for one in every if one.default is one.empty]
    rest = {one.name: None for one in every if one.default is not one.empty}
    placed = [one.name for one in every if one.kind is one.POSITIONAL_OR_KEYWORD]
    named = {one.name: None for one in every if one.kind is one.KEYWORD_ONLY}
    bind = given.bind_partial if partial else given.bind
    try:
        bind(*needed)
        bind(*needed, **rest)
        bind(*placed, **named)
    except TypeError:
        return False
    return True


def _plain(signature: inspect.Signature) -> str:
    """A signature without its types."""
    bare = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    return str(inspect.Signature(bare))


# --- what they are given and return ---------------------------------------------------------------


def _begun(function: Callable[..., None], contract: type) -> Callable[..., None]:
    @functools.wraps(function)
    def begin(self: Any, *given: Any, **named: Any) -> None:
        cls: Any = type(self)
        check_signatures(cls, contract)
        function(self, *given, **named)
        if cls.__init__ is begin:  # otherwise a subclass still has to end
            _check_begun(self, function, contract, given, named)

    return begin


def _check_begun(
    self: Any,
    function: Callable[..., None],
    contract: type,
    given: tuple[object, ...],
    named: dict[str, object],
) -> None:
    """Refuse what the constructor has left undone: what every mechanism has, and options that were
    asked for but will not travel with reports.
    """
    if not all(hasattr(self, name) for name in ("rule", "epsilon", "odds")):
        _refuse(function, "__init__", "call super().__init__(rule, epsilon, odds=odds)")
    restored = [inspect.getattr_static(one, "restored") for one in (contract, type(self))]
    if restored[0] is not restored[1]:
        return
    signature = inspect.signature(function)
    asked = signature.bind(self, *given, **named).arguments
    defaults = {name: repr(one.default) for name, one in signature.parameters.items()}
    lost = [
        one
        for one in _beyond(type(self))
        if one in asked and repr(asked[one]) != defaults[one] and one not in self.options()
    ]
    if lost:
        _refuse_lost(type(self), lost)


def _watched(function: Callable[..., Any], name: str, returns: Wrong | None) -> Callable[..., Any]:
    check = GIVEN.get(name)

    @functools.wraps(function)
    def member(self: Any, *given: Any, **named: Any) -> Any:
        if named and check:
            bound = inspect.signature(function).bind(self, *given, **named)
            given, named = bound.args[1:], bound.kwargs
        if given and check:
            check(self, *given)
        try:
            found = function(self, *given, **named)
        except MechanismError as error:
            if isinstance(error, MemberError) or error.code != "mechanism.member" or not returns:
                raise
            _refuse(function, name, str(error), "")
        if returns and (wrong := returns(self, found, *given)):
            _refuse(function, name, wrong)
        return _each(self, found, function) if returns is RETURNS["outcomes"] else found

    return member


def _refuse(
    function: Callable[..., object], name: str, wrong: str, must: str = "must "
) -> NoReturn:
    place = loading.defined(function, name)
    said = f"{place or name}: {must}{wrong}"
    raise MemberError(said, code="mechanism.member", member=name, reason=wrong, defined=place)


def _each(made: Any, found: Iterable[Any], function: Callable[..., object]) -> Iterator[Any]:
    """The law of a ranking, each of its entries looked at."""
    for entry in found:
        paired = isinstance(entry, tuple) and len(entry) == 2
        if not paired or _one_report(made, entry[0]):
            wrong = f"yield one report with its chance each time, not {_shown(entry)}"
            _refuse(function, "outcomes", wrong)
        if not isinstance(entry[1], Fraction | int):
            wrong = f"yield the chance of a report as a fraction, not {_shown(entry[1])}"
            _refuse(function, "outcomes", wrong)
        yield entry


def _shown(found: object) -> str:
    """What somebody's member has returned, in a few words."""
    if isinstance(found, np.ndarray):
        return f"an array of {clip(str(found.dtype))} of shape {found.shape}"
    return "None" if found is None else type(found).__name__


def _a(kind: type | tuple[type, ...], called: str) -> Wrong:
    """Something of this kind is returned."""

    def wrong(made: Any, found: object, *given: object) -> str | None:
        return None if isinstance(found, kind) else f"return {called}, not {_shown(found)}"

    return wrong


def _reports(made: Any, found: object, *given: object) -> str | None:
    right = isinstance(found, np.ndarray) and found.ndim == 1 and found.dtype == made.domain.dtype
    return None if right else f"return reports, not {_shown(found)}"


def _one_report(made: Any, found: Any, *given: object) -> str | None:
    if (wrong := _reports(made, found)) or len(found) == 1:
        return wrong
    return f"return one report, an array of length 1, not of length {len(found)}"


def _fields(made: Any, found: object, *given: object) -> str | None:
    if isinstance(found, tuple) and all(isinstance(one, Field) for one in found):
        return None
    return (
        f"return a tuple of hv.Field, such as (hv.Field.mask('chosen', {made.d}),), "
        f"not {echo(found)}"
    )


def _number(made: Any, found: object, *given: object) -> str | None:
    return None if exact.is_number(found) else f"return a number, not {_shown(found)}"


def _numbers(found: object, *shape: int) -> str | None:
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "fiu" or found.shape != shape:
        return f"return an array of numbers of shape {shape}, not {_shown(found)}"
    return None if np.isfinite(found).all() else "return numbers, not NaN or infinity"


def _views(made: Any, found: object, reports: Any, *given: object) -> str | None:
    return _numbers(found, len(reports), made.d)


def _variances(made: Any, found: object, *given: object) -> str | None:
    return _numbers(found, made.d)


def _moments(made: Any, found: object, *given: object) -> str | None:
    if not isinstance(found, Moments):
        return f"return an hv.Moments, not {_shown(found)}"
    d, (variants, *_) = made.d, (*np.shape(found.numbers), 0)
    for name, array, shape in (
        ("numbers", found.numbers, (variants,)),
        ("sums", found.sums, (variants, d)),
        ("products", found.products, (variants, d, d)),
    ):
        if array is not None and (wrong := _numbers(array, *shape)):
            return f"return an hv.Moments whose {name} {wrong.replace('return', 'are', 1)}"
    return None


def _counts(made: Any, found: object, *given: object) -> str | None:
    held = {"": found} if not isinstance(found, Mapping) else found
    for array in held.values():
        whole = isinstance(array, np.ndarray) and array.dtype.kind in "iu"
        if not whole:
            return (
                "return a dict of names and arrays of whole numbers, as in {'wins': array}, not "
                + (f"one of {_shown(array)}" if held is found else _shown(found))
            )
    return None


def _known(made: Any, reports: object, *given: object) -> None:
    made.domain.check_form(reports)


def _told(made: Any, report: Any, *candidates: object) -> None:
    made.one_report(report)
    for names in candidates:
        made.check_names(names)


def _numbered(made: Any, n: object = 1) -> None:
    if exact.whole(n, 1, MOST_VOTERS) is None:
        _refuse_number(n, 1)


def _faked(made: Any, favour: object, against: object, n: object = 1, *bits: object) -> None:
    made.check_pair(favour, against)
    if exact.whole(n, 0, MOST_VOTERS) is None:
        _refuse_number(n, 0)


def _refuse_number(n: object, least: int) -> NoReturn:
    raise MechanismError(
        f"the number of reports must be a whole number from {least} to {MOST_VOTERS:,}, not "
        f"{echo(n)}",
        code="design.voters",
        given=n,
        most=MOST_VOTERS,
    )


GIVEN: dict[str, Callable[..., None]] = {
    "views": _known,
    "count": _known,
    "words": _told,
    "mse": _numbered,
    "risks": _numbered,
    "disguise": _faked,
}
NONE = type(None)
RETURNS: dict[str, Wrong] = {
    "fields": _fields,
    "draw": _one_report,
    "outcomes": _a(Iterable, "an iterator over reports and their chances"),
    "certificate": _a(Certificate, "an hv.Certificate"),
    "views": _views,
    "variances": _variances,
    "count": _counts,
    "moments": _moments,
    "words": _a(str, "text"),
    "randomize": _reports,
    "disguise": _reports,
    "options": _a(dict, "a dict"),
    "risks": _a(Risks, "an hv.Risks"),
    "mse": _number,
    "shift": _number,
    "sum_variance": _number,
    "blanket": _a(Blanket, "what Mechanism.blanket does"),
    "pair_law": _a((PairLaw, NONE), "an hv.PairLaw or None"),
    "fixed_noise": _a((FixedNoise, NONE), "an hv.FixedNoise or None"),
    "signals": _a((Signals, NONE), "an hv.Signals or None"),
}

"""What dishonest voters can do: extra reports that join those of the honest ones.

An attack is one function `attack(mechanism, truth, number, bits)` that returns `number` reports;
`truth` is the honest voters' mean score of each candidate. The decorator `register_attack` makes
it known by its name. Source: Wang et al. 2019, section "experiments", corrected as docs/errata.md
says.
"""

import inspect
from typing import Protocol, TypeVar

import numpy as np

from hushvote import loading, lottery
from hushvote.errors import ReportError, SimulationError, echo
from hushvote.lottery import Bits
from hushvote.mechanisms.contract import Floats, Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.messages import ENGLISH, counted


class Attack(Protocol):
    """Makes the reports that dishonest voters send."""

    __name__: str

    def __call__(
        self, mechanism: Mechanism, truth: Floats, number: int, bits: Bits | None = None, /
    ) -> Reports:
        """Return `number` reports."""
        ...


A = TypeVar("A", bound=Attack)
_registry: dict[str, Attack] = {}


def register_attack(attack: A) -> A:
    """Make an attack known by its function's name, `_` written as `-`."""
    try:
        name = attack.__name__.replace("_", "-")
        inspect.signature(attack).bind("mechanism", "truth", "number", "bits")
    except (AttributeError, TypeError, ValueError):
        raise SimulationError(
            "an attack is registered as a function that returns reports, as in "
            f"def mine(mechanism, truth, number, bits=None), not {echo(attack)}",
            code="attack.reports",
            given=attack,
        ) from None
    loading.claim("attack", name, _registry, SimulationError)
    _registry[name] = attack
    return attack


def attack_names() -> tuple[str, ...]:
    """Names that `attack()` and `--attack` understand."""
    return tuple(_registry)


def attack(name: object) -> Attack:
    """The registered attack of that name."""
    if not isinstance(name, str) or name not in _registry:
        known = ", ".join(("none", *_registry))
        raise SimulationError(
            f"there is no attack {name!r}; choose one of {known}",
            "attack",
            code="attack.unknown",
            name=name,
        )
    return _registry[name]


def sent(name: str, mechanism: Mechanism, truth: Floats, number: int, bits: Bits) -> Reports:
    """The reports of an attack, which must be as many as asked and such as anybody can send."""
    reports = attack(name)(mechanism, truth, number, bits)
    try:
        mechanism.domain.check(reports)
    except ReportError as error:
        said = f"attack {name!r} does not return reports of {mechanism.name}: {error}"
        raise SimulationError(
            said, "attack", code="attack.reports", name=name, reason=error
        ) from None
    if len(reports) != number:
        said = f"attack {name!r} returns {counted(len(reports), 'report', ENGLISH)} of "
        said += counted(number, "adversary", ENGLISH)
        raise SimulationError(
            said, "attack", code="attack.number", name=name, given=len(reports), wanted=number
        )
    return reports


@register_attack
def amplification(
    mechanism: Mechanism, truth: Floats, number: int, bits: Bits | None = None
) -> Reports:
    """Extra votes, uniform over all rankings, randomised as if they were honest."""
    bits = lottery.source(bits)
    orders = lottery.shuffled(range(mechanism.d), number, bits).astype(np.uint8)
    return mechanism.privatize(orders, bits)


@register_attack
def disguise(mechanism: Mechanism, truth: Floats, number: int, bits: Bits | None = None) -> Reports:
    """Made-up reports, drawn uniformly among those that lift the second over the first most."""
    first, second = (int(j) for j in np.argsort(-truth, kind="stable")[:2])
    return mechanism.disguise(favour=second, against=first, n=number, rng=bits)

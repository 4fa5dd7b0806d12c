"""Every way that a draw can go: `draw` itself, executed with numbers that are not yet drawn.

Here `below(limit)` gives a number of which only the range is known. A comparison that the range
leaves open goes both ways, and use as a plain number goes one way for each value, each with its
exact probability. A way also knows which limits it drew below, in which order: how many bytes
that takes is a matter of these limits and of chance, but no longer of the vote. Loops
(`lottery.until`) are followed for one attempt, since attempts are alike and independent.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from hushvote import loading
from hushvote.errors import MechanismError
from hushvote.lottery import Explorer
from hushvote.mechanisms.contract import Mechanism
from hushvote.mechanisms.guarding import MemberError

T = TypeVar("T")
Limits = tuple[int, ...]

MOST_WAYS = 1 << 17  # ways of one ranking
MOST_NUMBERS = 512  # numbers drawn on one way
MOST_VALUES = 1 << 12  # values of a number that is used as it is


class NotExplored(MechanismError):  # noqa: N818 - not an error of the caller
    """The ways of a draw cannot be followed; the message says why."""


@dataclass
class Start:
    """What is drawn up to the loop (all there is, without one), and what one attempt then gives."""

    chance: Fraction
    limits: Limits
    again: dict[Limits, Fraction] = field(default_factory=dict)
    """Chances that the attempt is thrown away, by the limits that it drew below."""
    kept: dict[tuple[bytes, Limits], Fraction] = field(default_factory=dict)
    """Chances that it gives a report, by the report and these limits."""


@dataclass(frozen=True)
class Exploration:
    """All ways of `draw` for one ranking, by what was drawn before the loop."""

    starts: dict[tuple[int, ...], Start]
    ways: int

    def law(self) -> dict[bytes, Fraction]:
        """The exact probability of every report."""
        found: dict[bytes, Fraction] = {}
        for start in self.starts.values():
            kept = 1 - sum(start.again.values())
            for (report, _), chance in start.kept.items():
                found[report] = found.get(report, Fraction(0)) + start.chance * chance / kept
        return found


def explored(
    mechanism: Mechanism,
    ranking: Sequence[int],
    free: Callable[[int], bool] | None = None,
    most: int | None = None,
) -> Exploration:
    """Follow all ways of a draw for one ranking, or say why that cannot be done.

    With `free`, only the numbers for which free(how many were drawn before) holds go all their
    ways; the others go one way, whose probability counts as 1.
    """
    starts: dict[tuple[int, ...], Start] = {}
    ways, most = 0, MOST_WAYS if most is None else most
    for way, report in _ways(mechanism, ranking, free):
        ways += 1
        if ways > most:
            raise NotExplored(
                f"a draw of {mechanism.name} has more than {most:,} ways",
                code="draw.ways",
                mechanism=mechanism.name,
                most=most,
            )
        chance, limits = way.chance_after_start, tuple(way.limits[way.drawn_before :])
        before = tuple(way.choices[: way.chosen_before])
        start = starts.setdefault(
            before, Start(way.chance_before, tuple(way.limits[: way.drawn_before]))
        )
        if report is None:
            start.again[limits] = start.again.get(limits, Fraction(0)) + chance
        else:
            key = (report, limits)
            start.kept[key] = start.kept.get(key, Fraction(0)) + chance
    return Exploration(starts, ways)


def joint_ratio(laws: Sequence[Exploration]) -> Fraction | None:
    """How many times likelier, at most, a report *together with the limits drawn below* is under
    one ranking than under another; None if there is no such number.

    The bytes that a draw takes follow from these limits and from chance alone, so the same bound
    holds for a report together with its bytes.
    """
    first, largest = laws[0].starts, Fraction(1)
    for other in laws[1:]:
        if first.keys() != other.starts.keys():
            return None
        for before, start in first.items():
            twin = other.starts[before]
            if (start.chance, start.limits, start.again) != (twin.chance, twin.limits, twin.again):
                return None
    for before in first:
        kept = [law.starts[before].kept for law in laws]
        for key in set().union(*kept):
            chances = [each.get(key, Fraction(0)) for each in kept]
            if not min(chances):
                return None
            largest = max(largest, max(chances) / min(chances))
    return largest


def _ways(
    mechanism: Mechanism, ranking: Sequence[int], free: Callable[[int], bool] | None
) -> Iterator[tuple["_Way", bytes | None]]:
    """Execute the draw anew for every way: the choices so far, then always the first one; the
    others wait for their turn.
    """
    waiting: list[list[int]] = [[]]
    while waiting:
        way = _Way(waiting.pop(), free)
        known = len(way.choices)
        try:
            drawn = mechanism.draw(ranking, way)
            mechanism.domain.check(drawn)
            report: bytes | None = drawn.tobytes()
        except _Again:
            report = None
        except (NotExplored, MemberError):
            raise
        except Exception as error:
            reason = loading.said(error)
            raise NotExplored(
                f"a draw of {mechanism.name} cannot be followed ({reason})",
                code="draw.failed",
                mechanism=mechanism.name,
                reason=reason,
            ) from None
        for i in range(known, len(way.choices)):
            waiting += [[*way.choices[:i], choice] for choice in range(1, way.offered[i])]
        yield way, report


class _Again(Exception):  # noqa: N818 - a way that ends here, not an error
    """The attempt was thrown away."""


class _Way(Explorer):
    """One way of a draw, by the choices made at its forks."""

    def __init__(self, choices: list[int], free: Callable[[int], bool] | None) -> None:
        self.choices, self._free = choices, free
        self.offered = [0] * len(choices)
        self.limits: list[int] = []
        self.chance = Fraction(1)
        self.chance_before, self.chosen_before, self.drawn_before = Fraction(1), 0, 0
        self._passed = 0
        self._looped = self.attempting = False

    @property
    def chance_after_start(self) -> Fraction:
        return self.chance / self.chance_before

    def bytes(self, length: int, /) -> bytes:
        raise NotExplored(
            "the draw takes its bytes otherwise than by below, distinct, pick and until",
            code="draw.bytes",
        )

    def below(self, limit: int) -> Any:
        if len(self.limits) == MOST_NUMBERS:
            raise NotExplored(
                f"the draw takes more than {MOST_NUMBERS} numbers; begin again by lottery.until",
                code="draw.numbers",
                most=MOST_NUMBERS,
            )
        self.limits.append(limit)
        if self._free is not None and not self._free(len(self.limits) - 1):
            return 0
        return _Number(self, 0, limit)

    def until(self, attempt: Callable[[], T | None]) -> T:
        if self._looped:
            raise NotExplored("the draw has more than one loop", code="draw.loops")
        self._looped = True
        self.chance_before, self.chosen_before = self.chance, self._passed
        self.drawn_before = len(self.limits)
        self.attempting = True
        kept = attempt()
        self.attempting = False
        if kept is None:
            raise _Again
        return kept

    def choose(self, weights: Sequence[int]) -> int:
        """Take the way of this fork, whose ways have these chances."""
        if self._passed == len(self.choices):
            self.choices.append(0)
            self.offered.append(len(weights))
        choice = self.choices[self._passed]
        self._passed += 1
        self.chance *= Fraction(weights[choice], sum(weights))
        return choice


class _Number:  # noqa: PLW1641 - its hash is that of the plain number
    """A uniform number from `low` to `high` - 1, of which no more than that is known yet."""

    def __init__(self, way: _Way, low: int, high: int) -> None:
        self._way, self._low, self._high = way, low, high
        self._of_attempt = way.attempting

    def _is_below(self, border: int) -> bool:
        """Compare with a whole number, going both ways if need be."""
        if border <= self._low or self._high <= border:
            return border > self._low
        if self._choose((border - self._low, self._high - border)) == 0:
            self._high = border
            return True
        self._low = border
        return False

    def _choose(self, weights: Sequence[int]) -> int:
        """What one attempt learns of an earlier number, the next one would know: attempts would
        not be alike.
        """
        if self._way.attempting and not self._of_attempt:
            raise NotExplored(
                "a number drawn before the loop is first used inside it", code="draw.early"
            )
        return self._way.choose(weights)

    def __index__(self) -> int:
        count = self._high - self._low
        if count > MOST_VALUES:
            raise NotExplored(
                f"the draw uses a number with {count:,} values as it is",
                code="draw.values",
                given=count,
                most=MOST_VALUES,
            )
        if count > 1:
            self._low += self._choose((1,) * count)
            self._high = self._low + 1
        return self._low

    __int__ = __hash__ = __index__

    def __lt__(self, other: Any) -> bool:
        return self._is_below(operator.index(other))

    def __le__(self, other: Any) -> bool:
        return self._is_below(operator.index(other) + 1)

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        return self <= other and not self < other

    def __bool__(self) -> bool:
        return self != 0


def _plainly(name: str) -> None:
    """Let arithmetic use the number as it is."""
    act = getattr(operator, f"__{name}__")
    setattr(_Number, f"__{name}__", lambda self, other: act(int(self), other))
    setattr(_Number, f"__r{name}__", lambda self, other: act(other, int(self)))


for _name in ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor"):
    _plainly(_name)

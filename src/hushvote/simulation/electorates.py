"""Where votes come from in a simulation: one registered function an electorate.

An electorate is a function `electorate(rng, n, d, **options)` that returns `(n, d)` rankings; the
decorator `register_electorate` makes it known by its name. Everything is vectorised over voters,
block by block.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushvote import exact, loading, naming, rankings
from hushvote.errors import HushvoteError, RankingError, SimulationError, echo
from hushvote.formats import INCOMPLETE, read_rankings, suffixes
from hushvote.formats.ballots import REMEDY
from hushvote.rankings import Orders, blocks
from hushvote.rules import MAX_CANDIDATES

Electorate = Callable[..., Orders]

_registry: dict[str, Electorate] = {}


def register_electorate(electorate: Electorate) -> Electorate:
    """Make an electorate known by its function's name, `_` written as `-`."""
    try:
        name = electorate.__name__.replace("_", "-")
        inspect.signature(electorate).bind("rng", "n", "d")
    except (AttributeError, TypeError, ValueError):
        raise SimulationError(
            "an electorate is registered as a function that returns rankings, as in "
            f"def mine(rng, n, d), not {echo(electorate)}",
            "electorate",
            code="electorate.rankings",
            given=electorate,
        ) from None
    loading.claim("electorate", name, _registry, SimulationError)
    _registry[name] = electorate
    return electorate


def electorate_names() -> tuple[str, ...]:
    """Names that `simulate` and `--electorate` understand."""
    return tuple(_registry)


@dataclass(frozen=True)
class Voters:
    """An electorate with its options, read from a text such as 'mallows:phi=0.8'."""

    text: str
    name: str = field(init=False)
    options: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        name, options = _parsed(self.text)
        if name not in _registry:
            offer = f"choose one of {', '.join(_registry)}, or name a file of ballots"
            raise SimulationError(
                f"there is no electorate {name!r}; {offer}",
                "electorate",
                code="electorate.unknown",
                given=name,
            )
        known = list(inspect.signature(_registry[name]).parameters)[3:]
        for option in options:
            if option not in known:
                offer = f"its options are {', '.join(known)}" if known else "it has none"
                raise SimulationError(
                    f"electorate {name!r} has no option {option!r}; {offer}",
                    "electorate",
                    code="electorate.option",
                    electorate=name,
                    option=option,
                )
        if name == "file" and "path" not in options:
            raise SimulationError(
                "electorate 'file' needs a path, as in 'file:path=ballots.soc'",
                "electorate",
                code="electorate.option",
                electorate=name,
                option="path",
            )
        if name == "file":
            parts = options["path"] if isinstance(options["path"], list) else [options["path"]]
            options["path"] = ",".join(map(str, parts))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "options", options)

    @property
    def own(self) -> Orders | None:
        """The ballots of a file, before they are resampled."""
        if self.name != "file":
            return None
        try:
            return _ballots(**self.options)
        except SimulationError:
            raise
        except HushvoteError as error:
            remedy = f"or write --electorate 'file:path={self.options['path']},incomplete=random'"
            said = str(error).replace(REMEDY, remedy)
            raise SimulationError.of(error, "electorate", said) from None

    def draw(self, rng: np.random.Generator, n: int, d: int) -> Orders:
        """The rankings of n voters."""
        return _registry[self.name](rng, n, d, **self.options)

    def checked(self, orders: Orders, n: int, d: int) -> Orders:
        """Refuse what is not the rankings of n voters."""
        try:
            if (made := rankings.checked(orders, d)).shape != (n, d):
                raise RankingError(
                    f"there must be as many rankings as voters, {n:,}, not {len(made):,}",
                    code="electorate.rankings",
                    given=len(made),
                    n=n,
                )
        except RankingError as error:
            raise SimulationError(
                f"electorate {self.name!r} does not return rankings: {error}",
                "electorate",
                code="electorate.rankings",
                electorate=self.name,
                reason=error,
            ) from None
        return made


def _parsed(text: object) -> tuple[str, dict[str, Any]]:
    if not isinstance(text, str):
        raise SimulationError(
            f"an electorate is a text such as 'mallows:phi=0.8', not {text!r}",
            "electorate",
            code="electorate.form",
            given=text,
        )
    if not text.startswith("file:") and Path(text).suffix.lower() in suffixes():
        return "file", {"path": text}
    return naming.split(text, SimulationError)


# --- the electorates --------------------------------------------------------------------------

INDEX = np.uint64(MAX_CANDIDATES - 1)  # the bits of a sort key that name the candidate


def _best_first(
    n: int, d: int, liking: Callable[[int], NDArray[np.float64]], scale: ArrayLike = 1.0
) -> Orders:
    """Rank by falling preference; `liking(size)` draws those of a block, all of them above 0.

    Floats above 0 sort like the integers with the same bits; the six lowest bits, far below the
    resolution of any preference, carry the candidate, so that a plain sort is enough.
    """
    orders = np.empty((n, d), dtype=np.uint8)
    for block in blocks(n):
        keys = np.multiply(liking(block.stop - block.start), scale).view(np.uint64)
        keys &= ~INDEX
        keys |= np.arange(d, dtype=np.uint64)
        keys.sort(axis=1)
        orders[block] = (keys & INDEX)[:, ::-1]
    return orders


@register_electorate
def paper(rng: np.random.Generator, n: int, d: int) -> Orders:
    """Each candidate has a uniform scale α, each voter prefers by α U; U, α from 0 to 1.

    Source: Wang et al. 2019, section "experiments".
    """
    return _best_first(n, d, lambda size: rng.random((size, d)), rng.random(d))


@register_electorate
def impartial(rng: np.random.Generator, n: int, d: int) -> Orders:
    """Every ranking is equally likely (impartial culture)."""
    return _best_first(n, d, lambda size: rng.random((size, d)))


@register_electorate
def mallows(rng: np.random.Generator, n: int, d: int, phi: object = "0.8") -> Orders:
    """A ranking has weight φ^(pairs that it turns round), seen from a random centre.

    Repeated insertion (Doignon et al. 2004): candidate i of the centre goes to place p of 0..i
    with weight φ^(i - p). φ = 0 is the centre alone, φ = 1 is impartial.
    """
    spread = _number("phi", phi, 0, 1)
    centre = rng.permutation(d).astype(np.uint8)
    weights_of_places = [np.cumsum(spread ** np.arange(i, -1, -1)) for i in range(d)]
    orders = np.empty((n, d), dtype=np.uint8)
    for block in blocks(n):
        size = block.stop - block.start
        places = np.zeros((d, size), dtype=np.uint8)
        for i, weights in enumerate(weights_of_places):
            drawn = np.searchsorted(weights / weights[-1], rng.random(size), side="right")
            place = np.minimum(drawn, i).astype(np.uint8)
            places[:i] += places[:i] >= place
            places[i] = place
        np.put_along_axis(orders[block], places.T.astype(np.intp), centre[None, :], axis=1)
    return orders


@register_electorate
def plackett_luce(
    rng: np.random.Generator, n: int, d: int, worths: Sequence[object] | None = None
) -> Orders:
    """Each place goes to one of those left, with chances in proportion to their worths.

    A candidate of worth w arrives at rate w, and the first to arrive is ranked first. Without
    `worths`, they are drawn from an exponential law, anew in every run.
    """
    if worths is None:
        worth = rng.standard_exponential(d)
    else:
        if not isinstance(worths, Sequence) or len(worths) != d:
            raise SimulationError(
                f"plackett-luce needs {d} worths, one per candidate, not {worths!r}",
                "electorate",
                code="electorate.option",
                option="worths",
                given=worths,
                d=d,
            )
        worth = np.array([_number("worths", w, 1e-9, 1e9) for w in worths])
    return _best_first(n, d, lambda size: 1 / rng.standard_exponential((size, d)), worth)


@register_electorate
def file(
    rng: np.random.Generator, n: int, d: int, path: str = "", incomplete: str = "error"
) -> Orders:
    """The ballots of a file, drawn with replacement."""
    ballots = _ballots(path, incomplete)
    return ballots[rng.integers(len(ballots), size=n)]


def _ballots(path: str, incomplete: str = "error") -> Orders:
    if incomplete not in INCOMPLETE:
        raise SimulationError(
            f"incomplete={incomplete!r} is not known; choose {' or '.join(INCOMPLETE)}",
            "electorate",
            code="ballots.incomplete",
            given=incomplete,
        )
    try:
        changed = Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        changed = 0  # reading it says what is wrong
    return _read(str(path), incomplete, changed)


@lru_cache(maxsize=4)
def _read(path: str, incomplete: str, changed: int) -> Orders:
    return read_rankings(path, incomplete=incomplete, rng=np.random.default_rng(0)).orders


def _number(name: str, value: object, low: float, high: float) -> float:
    try:
        number = float(exact.fraction(value))
    except ValueError:
        number = -1.0
    if not low <= number <= high:
        raise SimulationError(
            f"{name} must be a number from {low:g} to {high:g}, not {value}",
            "electorate",
            code="electorate.option",
            option=name,
            given=value,
            low=low,
            high=high,
        )
    return number

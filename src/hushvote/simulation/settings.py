"""From what a user wrote, in Python, on the command line or in a TOML file, to an experiment."""

import difflib
import inspect
import math
import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hushvote import attacks, exact, lottery, naming
from hushvote.errors import FileError, HushvoteError, SimulationError
from hushvote.files import AnyPath, reading
from hushvote.mechanisms import BEST, mechanism_names
from hushvote.rules import MAX_CANDIDATES, Rule
from hushvote.simulation.electorates import Voters
from hushvote.simulation.experiment import METRICS, Experiment

MOST_SIMULATED = 10**8
MOST_RUNS = 10**6
CANDIDATES, VOTERS = 8, 10_000  # where neither the user nor a file says how many


def experiment(
    rule: str | Rule = "borda",
    d: int | None = None,
    n: int | None = None,
    epsilons: Sequence[object] | object = (0.5, 1, 2),
    mechanisms: Sequence[str] | str | None = None,
    electorate: str = "paper",
    attack: str | None = None,
    adversaries: Sequence[object] | object | None = None,
    metrics: Sequence[str] | str = tuple(METRICS),
    runs: int = 100,
    seed: int = 1,
) -> Experiment:
    """Make an experiment, refusing anything that cannot be run with one sentence.

    `rule` is a rule, a name with options ("approval:k=3") or scores ("5,3,1,0"); `mechanisms` are
    names with options ("additive:k=2"), by default all; `electorate` likewise ("mallows:phi=0.8"),
    or a file of ballots. `adversaries` is one number or several, each a count or a share ("1%");
    an attack needs it.
    A file says d and n itself, where they are not given.
    """
    voters = Voters(electorate)
    own = voters.own
    made = _rule(rule, d, None if own is None else own.shape[1])
    if own is not None and own.shape[1] != made.d:
        raise SimulationError(
            f"{electorate} ranks {own.shape[1]} candidates, not {made.d}",
            "d",
            code="rule.candidates",
            electorate=electorate,
            given=own.shape[1],
            d=made.d,
        )
    _try_out(voters, made.d)
    n = (VOTERS if own is None else len(own)) if n is None else _whole("n", n, 1, MOST_SIMULATED)
    return Experiment(
        made,
        n,
        _distinct("epsilons", [_epsilon(e) for e in _several("epsilons", epsilons)]),
        _mechanisms(mechanism_names() if mechanisms is None else mechanisms),
        voters,
        *_adversaries(attack, adversaries, n),
        _metrics(metrics),
        _whole("runs", runs, 2, MOST_RUNS),
        _whole("seed", seed, 0, 2**63 - 1),
    )


SETTINGS = tuple(inspect.signature(experiment).parameters)


@dataclass(frozen=True)
class Settings:
    """The settings of an experiment as a TOML file has them."""

    path: str
    text: str
    values: dict[str, Any]

    @contextmanager
    def naming_settings(self, instead: Container[str] = ()) -> Iterator[None]:
        """Name file and line of a mistake in what the file sets and nobody has set `instead`."""
        try:
            yield
        except SimulationError as error:
            key = error.setting
            if key not in self.values or key in instead:
                raise
            line = _line(self.text, key)
            raise error.within(f"{self.path}, line {line}", path=self.path, line=line) from None


def read_settings(path: AnyPath) -> Settings:
    """Read a TOML file; keys that no experiment has are refused with their line."""
    with reading(path) as file:
        raw = file.read()
    try:
        text = raw.decode("utf-8")
        settings = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FileError(
            f"{path} is not a TOML file: {error}", code="simulation.toml", path=path, reason=error
        ) from None
    for key in settings:
        if key not in SETTINGS:
            near = difflib.get_close_matches(key, SETTINGS, n=1)
            offer = f"did you mean {near[0]}?" if near else f"it may set {', '.join(SETTINGS)}"
            raise SimulationError(
                f"{path}, line {_line(text, key)}: unknown key {key!r}; {offer}",
                code="simulation.key",
                path=path,
                key=key,
            )
    return Settings(str(path), text, settings)


def _line(text: str, key: str | None) -> int:
    """The line of a TOML text that sets a key; the first where that is not plain to see."""
    sets = re.compile(rf"\s*(\[\[?\s*)?[\"']?{re.escape(key or '')}[\"']?\s*[=.\]]")
    return next((i for i, line in enumerate(text.splitlines(), 1) if sets.match(line)), 1)


# --- single settings --------------------------------------------------------------------------


def _rule(given: object, d: object, own: int | None) -> Rule:
    """The rule; its size from d, from a list of scores, or from the ballots."""
    size = None if d is None else _whole("d", d, 2, MAX_CANDIDATES)
    try:
        if isinstance(given, Rule):
            made = given
        elif isinstance(given, str):
            scores = given.count(",") + 1 if "," in given and ":" not in given else None
            made = naming.rule_of(given, size or scores or own or CANDIDATES)
        else:
            raise SimulationError(
                f"a rule is named by a text, not {given!r}", "rule", code="rule.form", given=given
            )
    except SimulationError:
        raise
    except HushvoteError as error:
        raise SimulationError.of(error, "rule") from None
    if size not in (None, made.d):
        raise SimulationError(
            f"the rule scores {made.d} candidates, not {d}",
            "d",
            code="rule.candidates",
            scored=made.d,
            d=d,
        )
    return made


def _try_out(voters: Voters, d: int) -> None:
    """Refuse an electorate whose options are wrong, or that does not return rankings."""
    voters.checked(voters.draw(np.random.default_rng(0), 2, d), 2, d)


def _mechanisms(given: object) -> tuple[str, ...]:
    names = _distinct("mechanisms", _several("mechanisms", given))
    for name in names:
        kind = naming.split(name, SimulationError)[0] if isinstance(name, str) else name
        if kind not in (known := (BEST, *mechanism_names())):
            raise SimulationError(
                f"there is no mechanism {kind!r}; choose one of {', '.join(known)}",
                "mechanisms",
                code="parameters.mechanism",
                given=kind,
            )
    return names


def _epsilon(given: object) -> Fraction:
    try:
        return lottery.epsilon_of(given)
    except HushvoteError as error:
        raise SimulationError.of(error, "epsilons") from None


def _adversaries(attack: object, given: object, n: int) -> tuple[str | None, tuple[int, ...]]:
    numbers = [_count(x, n) for x in _several("adversaries", 0 if given is None else given)]
    if attack is None or attack == "none":
        if any(numbers):
            known = " or ".join(attacks.attack_names())
            raise SimulationError(
                f"adversaries need an attack: {known}", "adversaries", code="simulation.adversaries"
            )
        return None, (0,)
    attacks.attack(attack)
    if given is None:
        said = f"attack {attack!r} needs adversaries; say how many: --adversaries 1%"
        raise SimulationError(said, "attack", code="simulation.adversaries", attack=attack)
    return str(attack), _distinct("adversaries", numbers)


def _count(given: object, n: int) -> int:
    """A number of adversaries: a whole number, or a share of n as in '1%' or 0.01."""
    number: object = given
    try:
        if isinstance(given, str) and given.endswith("%"):
            number = _rounded(exact.fraction(given[:-1].strip()) / 100 * n)
        elif isinstance(given, float) and 0 < given < 1:
            number = _rounded(exact.fraction(given) * n)
        elif isinstance(given, str):
            number = int(given)
    except ValueError:
        number = None
    try:
        return _whole("adversaries", number, 0, MOST_SIMULATED)
    except SimulationError:
        said = f"adversaries must be a whole number or a share such as '1%', not {given!r}"
        raise SimulationError(
            said, "adversaries", code="simulation.adversaries", given=given
        ) from None


def _rounded(x: Fraction) -> int:
    return math.floor(x + Fraction(1, 2))


def _metrics(given: object) -> tuple[str, ...]:
    names = _distinct("metrics", _several("metrics", given))
    for name in names:
        if not isinstance(name, str) or name not in METRICS:
            known = ", ".join(METRICS)
            raise SimulationError(
                f"there is no metric {name!r}; choose one of {known}",
                "metrics",
                code="simulation.metric",
                given=name,
            )
    return names


def _several(setting: str, given: object) -> tuple[Any, ...]:
    """One value, or several."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return (given,)
    values = tuple(given)
    if not values:
        raise SimulationError(
            f"{setting} is empty; name at least one", setting, code="simulation.empty"
        )
    return values


def _distinct(setting: str, values: Sequence[Any]) -> tuple[Any, ...]:
    for i, value in enumerate(values):
        if value in values[:i]:
            shown = f"{float(value):g}" if isinstance(value, Fraction) else value
            raise SimulationError(
                f"{setting} names {shown} twice", setting, code="simulation.duplicate", given=shown
            )
    return tuple(values)


def _whole(setting: str, given: object, low: int, high: int) -> int:
    if (number := exact.whole(given, low, high)) is not None:
        return number
    raise SimulationError(
        f"{setting} must be a whole number from {low:,} to {high:,}, not {given!r}",
        setting,
        code="simulation.number",
        given=given,
        low=low,
        high=high,
    )

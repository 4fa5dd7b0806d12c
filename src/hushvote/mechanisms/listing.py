"""What follows from a mechanism's exact law, where its reports are few enough to list.

Whatever a mechanism does not state in closed form is taken from here.
"""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hushvote.errors import MechanismError
from hushvote.mechanisms.fields import Domain, Reports
from hushvote.mechanisms.moments import Moments, PairLaw
from hushvote.mechanisms.promises import Risks
from hushvote.tally import Counts

Floats = NDArray[np.float64]
Orbits = dict[tuple[object, ...], Floats]

MOST_LISTED = 1 << 14  # reports up to which a law is listed one by one
ROWS = 1 << 9  # views compared with all others at a time
ROUNDING = 1e-12  # of the largest entry of a view
SAME_HARM = 1e-9  # reports whose harm differs by less, relatively, are equally harmful


class Listable(Protocol):
    """What can be listed: reports with their chances and views."""

    @property
    def name(self) -> str:
        """Of the mechanism."""
        ...

    @property
    def d(self) -> int:
        """Number of candidates."""
        ...

    @property
    def domain(self) -> Domain:
        """The reports that there are."""
        ...

    @property
    def listed(self) -> tuple[Reports, Floats] | None:
        """All reports and their chances under the ranking 0, 1, ...; None if they are too many."""
        ...

    def outcomes(self, ranking: Sequence[int]) -> Iterator[tuple[Reports, Fraction]]:
        """The exact law of one ranking."""
        ...

    def views(self, reports: Reports) -> Floats:
        """What reports stand for."""
        ...

    def count(self, reports: Reports) -> Counts:
        """What reports count."""
        ...

    def moments(self, n: int, counts: Counts) -> Moments:
        """Sums of the views behind counts."""
        ...

    def __hash__(self) -> int: ...


def law_of(mechanism: Listable, ranking: Sequence[int]) -> tuple[Reports, Floats]:
    """All reports and their chances under a ranking."""
    found = list(mechanism.outcomes(ranking))
    return np.concatenate([one for one, _ in found]), np.array([float(p) for _, p in found])


def fits(mechanism: Listable) -> bool:
    """Whether the law is short enough to list."""
    return mechanism.domain.size <= MOST_LISTED


def _all(mechanism: Listable) -> tuple[Reports, Floats, Floats]:
    """All reports with their chances and views under the ranking 0, 1, ..."""
    if mechanism.listed is None:
        raise MechanismError(
            f"{mechanism.name} has more than {MOST_LISTED:,} different reports, so what is known "
            "of them must be stated in closed form",
            code="mechanism.unlisted",
            mechanism=mechanism.name,
            most=MOST_LISTED,
        )
    reports, chances = mechanism.listed
    return reports, chances, mechanism.views(reports)


@lru_cache(maxsize=64)
def risks(mechanism: Listable) -> Risks:
    """The four risks of one report, over all of them."""
    from scipy.spatial.distance import cdist

    _, chances, views = _all(mechanism)
    size = np.abs(views).sum(axis=1)
    different = np.unique(views, axis=0)
    rows = (different[start : start + ROWS] for start in range(0, len(different), ROWS))
    diameter = max(float(cdist(some, different, "cityblock").max()) for some in rows)
    gap = float((views.max(axis=1) - views.min(axis=1)).max())
    return Risks(float(size.max()), float(chances @ size), diameter, gap)


def most_harmful(mechanism: Listable, favour: int, against: int) -> Reports:
    """The reports that lift one candidate over another the most."""
    reports, _, views = _all(mechanism)
    harm = views[:, favour] - views[:, against]
    return np.asarray(reports[harm >= harm.max() - SAME_HARM * abs(harm.max())])


def sum_variance(mechanism: Listable) -> float:
    """Variance of the sum of a view's entries; 0 where that is no more than rounding."""
    _, chances, views = _all(mechanism)
    total = views.sum(axis=1)
    off = total - chances @ total
    found = float(chances @ off**2)
    return found if found > (ROUNDING * np.abs(views).max()) ** 2 else 0.0


@lru_cache(maxsize=16)
def pair_law(mechanism: Listable) -> PairLaw | None:
    """What one report says of two candidates; the ranking 0, 1, ... has candidate j at rank j."""
    if mechanism.listed is None:
        return None
    reports, chances = mechanism.listed
    views, d = mechanism.views(reports), mechanism.d
    variants = np.zeros(len(reports), dtype=np.intp)
    if len(mechanism.moments(1, mechanism.count(reports[:1])).numbers) > 1:
        each = (mechanism.moments(1, mechanism.count(one)) for one in reports.reshape(-1, 1))
        variants = np.array([int(np.argmax(found.numbers)) for found in each])
    size = float(np.abs(views).max()) or 1.0
    values, kinds = np.unique(np.round(views / size, 10), return_inverse=True)
    kinds, base = kinds.reshape(views.shape), len(values)
    codes = (variants[:, None, None] * base + kinds[:, :, None]) * base + kinds[:, None, :]
    outcomes, found = np.unique(codes, return_inverse=True)
    found = found.reshape(len(reports), d, d)
    law = np.zeros((d, d, len(outcomes)))
    for a, b in itertools.product(range(d), repeat=2):
        law[a, b] = np.bincount(found[:, a, b], chances, minlength=len(outcomes))
    rest, other = np.divmod(outcomes, base)
    variant, one = np.divmod(rest, base)
    return PairLaw(variant, size * values[one], size * values[other], law)


# --- over all rankings ------------------------------------------------------------------------


@lru_cache(maxsize=16)
def orbits(mechanism: Listable) -> Orbits | None:
    """The chances of all reports of an orbit, rising: other names of the candidates make other
    rankings of one and send a report into its orbit, so they are the same for every ranking.
    None if the reports are too many, or do not name candidates by sets.
    """
    if not fits(mechanism):
        return None
    order = list(range(mechanism.d))
    found, *others = (
        _by_orbit(mechanism.domain, *law_of(mechanism, ranking))
        for ranking in (order, order[::-1], order[1:] + order[:1])
    )
    return found if all(_alike(found, other) for other in others) else None


def _by_orbit(domain: Domain, reports: Reports, chances: Floats) -> Orbits:
    found: dict[tuple[object, ...], list[float]] = {}
    for report, chance in zip(reports, chances, strict=True):
        found.setdefault(domain.orbit(report), []).append(float(chance))
    return {orbit: np.sort(each) for orbit, each in found.items()}


def _alike(one: Orbits, other: Orbits) -> bool:
    return one.keys() == other.keys() and all(
        each.shape == other[orbit].shape and np.allclose(each, other[orbit], rtol=1e-9, atol=0)
        for orbit, each in one.items()
    )


def chances(mechanism: Listable, reports: Reports) -> tuple[Floats, Floats] | None:
    """Least and largest chance of each report, over all rankings; None if nobody can tell."""
    if (known := orbits(mechanism)) is None:
        return None
    never = np.zeros(1)
    found = [known.get(mechanism.domain.orbit(report), never) for report in reports]
    return np.array([each[0] for each in found]), np.array([each[-1] for each in found])

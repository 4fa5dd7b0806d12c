"""Proofs of privacy: each mechanism's own certificate, all that it can send, all that it does.

A certificate holds for any number of candidates, by exact arithmetic on the mechanism's
integers. Where there are few candidates two things are checked that use nothing of its reasoning:
every ranking and every report are listed with their stated probabilities, and `draw` itself is
followed on all its ways (see `exploring`), which must give these probabilities and must not show
more by the bytes that it takes.
"""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from hushvote.errors import MechanismError
from hushvote.exploring import NotExplored, explored, joint_ratio
from hushvote.mechanisms import listing
from hushvote.mechanisms.contract import Certificate, Mechanism

LISTED_CANDIDATES = 5

Law = dict[bytes, Fraction]
Laws = dict[tuple[int, ...], Law]
Progress = Callable[[int], None]
"""Called with the number of rankings whose draws were just followed."""


@dataclass(frozen=True)
class Enumeration:
    """What listing all rankings and reports showed."""

    rankings: int
    reports: int
    largest_ratio: Fraction


@dataclass(frozen=True)
class Execution:
    """What following `draw` on all its ways showed: its law is the stated one, and a report
    together with the bytes that it took keeps this ratio.
    """

    ways: int
    largest_ratio: Fraction


@dataclass(frozen=True)
class Proof:
    """A certificate, and what confirms it where there are few candidates."""

    mechanism: Mechanism
    certificate: Certificate
    listed: Mechanism | None
    """What was listed: the mechanism, or its miniature; None if its reports are too many."""
    enumeration: Enumeration | None
    execution: Execution | None
    missing: str | None
    """Why less was shown than should be; None if nothing is missing."""


def certify(mechanism: Mechanism, progress: Progress = lambda _: None) -> Proof:
    """Prove the privacy bound, or refuse a mechanism that breaks it; with few candidates also by
    listing all that it can send and by following its draw.
    """
    certificate = mechanism.certificate()
    small = mechanism.miniature()
    if not listing.fits(small):
        return Proof(mechanism, certificate, None, None, None, None)
    laws = laws_of(small)
    if laws is None:
        missing = "its reports are not listed, so nothing could be compared with its certificate"
        return Proof(mechanism, certificate, None, None, None, missing)
    enumeration = enumerated(small, laws)
    _keep(small, enumeration.largest_ratio, "listing rankings and reports")
    if small.d > LISTED_CANDIDATES:
        return Proof(mechanism, certificate, small, enumeration, None, None)
    try:
        execution = executed(small, laws, progress)
    except NotExplored as reason:
        return Proof(mechanism, certificate, small, enumeration, None, str(reason))
    _keep(small, execution.largest_ratio, "a report together with the bytes that it took")
    return Proof(mechanism, certificate, small, enumeration, execution, None)


def rankings_of(d: int) -> Iterable[tuple[int, ...]]:
    """All rankings of few candidates; of many, one, its reverse and its rotation."""
    if d <= LISTED_CANDIDATES:
        return itertools.permutations(range(d))
    order = tuple(range(d))
    return order, order[::-1], order[1:] + order[:1]


def laws_of(mechanism: Mechanism) -> Laws | None:
    """The stated laws of all rankings, or of some; None for a mechanism that does not list them."""
    laws = {}
    for ranking in rankings_of(mechanism.d):
        law: Law = {}
        try:
            for report, chance in mechanism.outcomes(ranking):
                key = report.tobytes()
                law[key] = law.get(key, Fraction(0)) + chance
        except MechanismError:
            return None
        if sum(law.values()) != 1 or min(law.values()) < 0:
            raise MechanismError(f"the probabilities of {mechanism!r} do not add up to 1")
        laws[ranking] = law
    return laws


def enumerated(mechanism: Mechanism, laws: Laws) -> Enumeration:
    """Compare rankings report by report; one that a ranking cannot send has probability 0."""
    largest = Fraction(1)
    reports = {report for law in laws.values() for report in law}
    for report in reports:
        chances = [law.get(report, Fraction(0)) for law in laws.values()]
        if not max(chances):
            continue
        if not min(chances):
            raise MechanismError(
                f"{mechanism!r} is not private: some rankings can send a report that others "
                "cannot, so that whoever sees it can rule those out"
            )
        largest = max(largest, max(chances) / min(chances))
    return Enumeration(len(laws), len(reports), largest)


def executed(mechanism: Mechanism, laws: Laws, progress: Progress) -> Execution:
    """Follow the draw of every ranking on all its ways and compare it with the stated law."""
    found = []
    for ranking, law in laws.items():
        found.append(explored(mechanism, ranking))
        if found[-1].law() != {report: chance for report, chance in law.items() if chance}:
            raise MechanismError(
                f"the draw of {mechanism!r} has not the law that the mechanism states, "
                f"for the ranking {list(ranking)}"
            )
        progress(1)
    ratio = joint_ratio(found)
    if ratio is None:
        raise MechanismError(
            f"{mechanism!r} is not private against whoever sees how many random bytes its draw "
            "takes: that depends on the vote; toss all coins in any case"
        )
    return Execution(sum(each.ways for each in found), ratio)


def _keep(mechanism: Mechanism, ratio: Fraction, what: str) -> None:
    odds = mechanism.certificate().odds
    if ratio > odds:
        raise MechanismError(
            f"{mechanism!r} breaks its promise: {what} gives the ratio {float(ratio)}, "
            f"but its certificate says {float(odds)}"
        )

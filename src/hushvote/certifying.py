"""Proofs of privacy: each mechanism's own certificate, all that it can send, all that it does.

A certificate holds for any number of candidates, by exact arithmetic on the mechanism's
integers. Where there are few candidates two things are checked that use nothing of its reasoning:
every ranking and every report are listed with their stated probabilities, and `draw` itself is
followed on all its ways (see `exploring`), which must give these probabilities and must not show
more by the bytes that it takes.
"""

import itertools
import math
import random
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction

from hushvote import notebooks
from hushvote.errors import MechanismError
from hushvote.exploring import NotExplored, explored, joint_ratio
from hushvote.mechanisms import check_mechanism, listing
from hushvote.mechanisms.contract import Certificate, Mechanism
from hushvote.mechanisms.guarding import MemberError

LISTED_CANDIDATES = 5
FEW_WAYS = 1 << 12  # of a draw with more candidates than that
NEVER_PROVED = (
    "that devices used these parameters, this draw and fresh random bits; nor that many votes at "
    "once, which are drawn in another way, have the same law (tests compare the two)"
)

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


@dataclass(frozen=True, repr=False)
class Proof:
    """A certificate, and what confirms it where there are few candidates."""

    mechanism: Mechanism
    certificate: Certificate
    listed: Mechanism
    """What was listed and followed: the mechanism, or its miniature."""
    enumeration: Enumeration | None
    """None if the reports are too many to list."""
    execution: Execution | None
    """None if the ways of a draw are too many to follow."""
    missing: str | None
    """Why less was shown than should be; None if nothing is missing."""

    def __repr__(self) -> str:
        seen = "all" if self.whole else "some"
        ended = f"not proved, {self.missing}" if self.missing else f"proved, {seen} rankings listed"
        return f"<Proof for {self.mechanism.title}: {ended}>"

    def _repr_html_(self) -> str:
        rows = [("certificate: the largest ratio", f"{float(self.certificate.odds):.15f}")]
        if (listed := self.enumeration) is not None:
            said = f"{listed.rankings:,} rankings and {listed.reports:,} reports listed"
            rows.append((f"{said}: largest ratio", f"{float(listed.largest_ratio):.15f}"))
        if (ways := self.execution) is not None:
            said = f"draw followed on {ways.ways:,} ways, with the bytes that it takes"
            rows.append((f"{said}: largest ratio", f"{float(ways.largest_ratio):.15f}"))
        rows.append(("exp(epsilon) is", f"{math.exp(self.mechanism.epsilon):.15f}"))
        heads = [("step", notebooks.TEXT), ("value", notebooks.FIGURE)]
        return notebooks.table(self.mechanism.title, heads, rows, self.words)

    @property
    def words(self) -> tuple[str, str]:
        """Whether it is proved, and how; and what no certificate can prove."""
        if self.missing:
            verdict = f"Not proved: {self.missing}."
        elif self.whole:
            verdict = "Proved in whole numbers, with every rounding against the claim."
        else:
            verdict = (
                "Proved by these steps, in whole numbers; they are the mechanism's own. "
                f"With more than {LISTED_CANDIDATES} candidates only some rankings are listed, and "
                "draws are followed only where they have few ways."
            )
        return verdict, f"Not proved, since no certificate can: {NEVER_PROVED}."

    @property
    def whole(self) -> bool:
        """Whether all rankings were looked at, and not only some."""
        return self.listed.d <= LISTED_CANDIDATES


def certify(mechanism: Mechanism, progress: Progress = lambda _: None) -> Proof:
    """Prove the privacy bound, or refuse a mechanism that breaks it: by its certificate, by
    listing what it can send, and by following its draw.
    """
    check_mechanism(mechanism)
    certificate = _certificate(mechanism)
    small = mechanism.miniature()
    bound = certificate if small is mechanism else _certificate(small)
    enumeration = execution = missing = None
    laws = laws_of(small) if listing.fits(small) else None
    if laws is not None:
        enumeration = enumerated(small, laws)
        keep(small, bound, enumeration.largest_ratio, "listing rankings and reports")
    try:
        execution = executed(small, laws, progress)
        keep(small, bound, execution.largest_ratio, "a report together with the bytes it took")
    except NotExplored as reason:
        if small.d <= LISTED_CANDIDATES:
            missing = str(reason)
    if type(small).draw is not type(mechanism).draw:
        missing = "its miniature draws otherwise than the mechanism itself"
    return Proof(mechanism, certificate, small, enumeration, execution, missing)


def _certificate(mechanism: Mechanism) -> Certificate:
    certificate = mechanism.certificate()
    if certificate.asked != mechanism.epsilon:
        raise MechanismError(
            f"the certificate of {mechanism!r} is for epsilon {float(certificate.asked):g}",
            code="certificate.epsilon",
            mechanism=mechanism.name,
            given=float(certificate.asked),
        )
    return certificate


def rankings_of(d: int) -> Iterable[tuple[int, ...]]:
    """All rankings of few candidates; of many, one, its reverse, and one that nobody foresees."""
    if d <= LISTED_CANDIDATES:
        return itertools.permutations(range(d))
    order = tuple(range(d))
    return order, order[::-1], tuple(random.SystemRandom().sample(order, d))


def laws_of(mechanism: Mechanism, rankings: Iterable[tuple[int, ...]] | None = None) -> Laws | None:
    """The stated laws of these rankings, or of as many as there is time for; None for a mechanism
    that does not list them.
    """
    laws: Laws = {}
    checked: set[bytes] = set()
    for ranking in rankings_of(mechanism.d) if rankings is None else rankings:
        law: Law = {}
        try:
            for report, chance in mechanism.outcomes(ranking):
                key = report.tobytes()
                if key not in checked:  # rankings share most of their reports
                    mechanism.domain.check(report)
                    checked.add(key)
                law[key] = law[key] + chance if key in law else chance
        except MemberError:
            raise
        except MechanismError:
            return None
        if not _adds_up(law.values()):
            raise MechanismError(
                f"the probabilities of {mechanism!r} do not add up to 1",
                code="certificate.law",
                mechanism=mechanism.name,
            )
        laws[ranking] = law
    return laws


def _adds_up(chances: Collection[Fraction]) -> bool:
    """Whether these are probabilities of a whole, over one denominator: sums of fractions one by
    one would each look for a divisor.
    """
    whole = math.lcm(*{chance.denominator for chance in chances})
    parts = [chance.numerator * (whole // chance.denominator) for chance in chances]
    return sum(parts) == whole and min(parts, default=-1) >= 0


def enumerated(mechanism: Mechanism, laws: Laws) -> Enumeration:
    """Compare rankings report by report; one that a ranking cannot send has probability 0."""
    largest = Fraction(1)
    reports = {report for law in laws.values() for report in law}
    for report in reports:
        found = (law.get(report, Fraction(0)) for law in laws.values())
        chances = {one.as_integer_ratio(): one for one in found}.values()  # many are the same
        if not max(chances):
            continue
        if not min(chances):
            raise MechanismError(
                f"{mechanism!r} is not private: some rankings can send a report that others "
                "cannot, so that whoever sees it can rule those out",
                code="certificate.leak",
                mechanism=mechanism.name,
            )
        largest = max(largest, max(chances) / min(chances))
    return Enumeration(len(laws), len(reports), largest)


def executed(mechanism: Mechanism, laws: Laws | None, progress: Progress) -> Execution:
    """Follow the draw of every ranking on all its ways and compare it with the stated law, if
    there is a list of it.
    """
    found = []
    most = None if mechanism.d <= LISTED_CANDIDATES else FEW_WAYS
    for ranking in laws or rankings_of(mechanism.d):
        found.append(explored(mechanism, ranking, most=most))
        law = found[-1].law()
        if laws and law != {report: chance for report, chance in laws[ranking].items() if chance}:
            raise MechanismError(
                f"the draw of {mechanism!r} has not the law that the mechanism states, "
                f"for the ranking {list(ranking)}",
                code="certificate.draw",
                mechanism=mechanism.name,
                ranking=list(ranking),
            )
        progress(1)
    ratio = joint_ratio(found)
    if ratio is None:
        raise MechanismError(
            f"{mechanism!r} is not private: some rankings can send a report that others cannot, "
            "or how many random bytes its draw takes depends on the vote",
            code="certificate.leak",
            mechanism=mechanism.name,
        )
    return Execution(sum(each.ways for each in found), ratio)


def keep(mechanism: Mechanism, bound: Certificate, ratio: Fraction, what: str) -> None:
    """Refuse a ratio that breaks the promise of the certificate."""
    if ratio > bound.odds:
        raise MechanismError(
            f"{mechanism!r} breaks its promise: {what} gives the ratio {float(ratio)}, "
            f"but its certificate says {float(bound.odds)}",
            code="certificate.ratio",
            mechanism=mechanism.name,
            ratio=float(ratio),
            stated=float(bound.odds),
        )

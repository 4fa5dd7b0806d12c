"""Checks for authors: does a mechanism do what it says, as far as listing can tell?

For up to five candidates everything that a mechanism states is compared with the list of all its
reports under all rankings; `flaw` is the short form, which choosing a mechanism always asks for.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass

import numpy as np

from hushvote import loading
from hushvote.accounting import log_delta
from hushvote.bounds import optimum
from hushvote.certifying import LISTED_CANDIDATES, certify, enumerated, keep, laws_of
from hushvote.errors import MechanismError
from hushvote.mechanisms import (
    Mechanism,
    check_mechanism,
    default_mechanism,
    is_built_in,
    listing,
    mechanism,
)
from hushvote.mechanisms.contract import Floats
from hushvote.mechanisms.fields import Reports
from hushvote.mechanisms.guarding import MemberError

FALSE_ALARM = 1e-9  # chance at most that a sound mechanism fails one test of its draws
CLOSE = 1e-9  # relative difference that rounding explains
SAME_HARM = 1e-6  # relative difference of reports that count as equally harmful
SAME_CROWD = 1e-4  # in ln δ, which is computed on a grid
DRAWS, BULK = 2_000, 50_000  # reports that are drawn one by one, and in bulk
FEW = 1_000, 4_000  # the same, just to choose a mechanism
SHORT = 1 << 11  # reports up to which a law is listed just to choose a mechanism
BOUNDED = 6  # candidates up to which the least possible error is found in about a second


@dataclass(frozen=True)
class Check:
    """What was found wrong with a mechanism, a sentence each; true if that is nothing."""

    mechanism: Mechanism
    findings: list[str]
    missing: str | None = None
    """Why less was checked than should be; None if nothing is missing."""

    def __bool__(self) -> bool:
        return not self.findings


def check(mechanism: Mechanism) -> Check:
    """Compare what a mechanism states with the list of all its reports, for up to 5 candidates:
    its law and privacy, its views, errors, risks and most harmful reports, how it draws in bulk,
    how it counts, whether its parameters make the same again, and how it hides in a crowd.
    """
    check_mechanism(mechanism)
    findings: list[str] = []
    try:
        missing = certify(mechanism).missing
    except Exception as error:  # whatever an author's code raises is a finding
        findings.append(loading.failure(error, "mechanism", mechanism.name))
        missing = None
    if mechanism.d > LISTED_CANDIDATES or not _is_listed(mechanism):
        short = f"only mechanisms of up to {LISTED_CANDIDATES} candidates and "
        return Check(mechanism, findings, f"{short}{listing.MOST_LISTED:,} reports are listed")
    for part in (_errors, _risks, _disguise, _draws, _counts, _parameters, _words, _crowd):
        try:
            findings += part(mechanism)
        except MemberError as error:
            findings.append(str(error))
        except Exception as error:
            findings.append(f"{part.__name__[1:]} cannot be checked: {loading.said(error)}")
    return Check(mechanism, list(dict.fromkeys(findings)), missing)


def _is_listed(made: Mechanism) -> bool:
    try:
        return listing.fits(made)
    except Exception:  # which `certify` has met, too
        return False


def refuse_flawed(made: Mechanism) -> None:
    """Refuse a mechanism that must not be chosen."""
    if (wrong := flaw(made)) is not None:
        raise MechanismError(
            f"{made.name} is refused: {wrong}",
            code="mechanism.refused",
            mechanism=made.name,
            reason=wrong,
        )


def flaw(made: Mechanism) -> str | None:
    """Why a mechanism must not be chosen: views that are biased for its rule, seen by listing
    where that is short, or an error below what any unbiased mechanism can have. Of one that is not
    hushvote's own, also a certificate that listing contradicts, draws that do not follow the listed
    law, parameters that make another, and what cannot be computed at all; with its file and line.
    """
    if is_built_in(made):
        return _misleading(made)
    try:
        wrong = _misleading(made)
        if wrong is None:
            _ask(made)
            _hold_to_promise(made)
            wrong = next(_parameters(made), None) or next(_few_draws(made), None)
    except (Exception, SystemExit) as error:  # whatever an author's code raises
        return loading.failure(error, "mechanism", made.name)
    place = loading.registered("mechanism", made.name)
    return wrong if wrong is None or place is None else f"{place}: {wrong}"


def _ask(made: Mechanism) -> None:
    """Ask for all that a comparison shows, and once for what a vote and a count need."""
    made.certificate(), made.risks(2), made.mse(2), made.shift(), made.variances()
    report = _drawn(made)
    made.domain.check(report)
    made.views(report)
    made.moments(1, made.count(report))
    _said(made, report)


def _hold_to_promise(made: Mechanism) -> None:
    """Refuse a certificate that two opposite rankings contradict, where their laws are short."""
    order = tuple(range(made.d))
    if made.domain.size <= SHORT and (laws := laws_of(made, (order, order[::-1]))) is not None:
        ratio = enumerated(made, laws).largest_ratio
        keep(made, made.certificate(), ratio, "listing two opposite rankings")


def _misleading(made: Mechanism) -> str | None:
    """What is wrong with the views or the error of a mechanism."""
    off = bias(made)
    if off is not None:
        return f"its views are biased for {made.rule}: off by {off:.3g} points"
    if made.d > BOUNDED or made.name == default_mechanism():
        return None
    try:
        if made.mse() >= mechanism(default_mechanism(), made.rule, made.epsilon).mse():
            return None  # which no bound exceeds
        bound = optimum(made.rule, made.epsilon).bound
    except MechanismError:
        return None
    if made.mse() >= bound * (1 - CLOSE):
        return None
    return (
        f"it claims an error of {made.mse():.4g}, but no unbiased mechanism comes below "
        f"{bound:.4g}: its views or its error are wrong for {made.rule}"
    )


def bias(made: Mechanism) -> float | None:
    """How far an expected view is off at most, if that is more than rounding; of two rankings, and
    only where the law is short.
    """
    if made.domain.size > SHORT:
        return None
    order = tuple(range(made.d))
    found = [_Listed.of(made, ranking).bias for ranking in (order, order[::-1])]
    return max((off for off in found if off is not None), default=None)


# --- the parts --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Listed:
    """The law of one ranking, beside the vote that it should average to."""

    ranking: tuple[int, ...]
    reports: Reports
    chances: Floats
    views: Floats
    vote: Floats

    @classmethod
    def of(cls, made: Mechanism, ranking: tuple[int, ...]) -> "_Listed":
        reports, chances = listing.law_of(made, ranking)
        vote = np.empty(made.d)
        vote[list(ranking)] = made.rule.vector
        return cls(ranking, reports, chances, made.views(reports), vote)

    @property
    def bias(self) -> float | None:
        """How far the expected view is off, if that is more than 1e-9 of the scores' span and what
        rounding explains.
        """
        off = float(np.abs(self.chances @ self.views - self.vote).max())
        span = float(np.ptp(self.vote))
        rounding = CLOSE * span + 1e-12 * float(np.abs(self.views).max())
        return None if off <= rounding else off  # which NaN is, too


def _errors(made: Mechanism) -> Iterator[str]:
    """Bias, `variances`, `mse` and `sum_variance`, for every ranking."""
    for ranking in itertools.permutations(range(made.d)):
        law = _Listed.of(made, ranking)
        if law.bias is not None:
            yield f"views are biased by {law.bias:.3g} points under the ranking {list(ranking)}"
            return
        square = law.chances @ (law.views - law.vote) ** 2
        power = float((law.chances @ law.views**2).sum())
        if not np.allclose(square[list(ranking)], made.variances(), rtol=CLOSE, atol=CLOSE * power):
            yield (
                f"variances() says {np.round(made.variances(), 6).tolist()}, but the law has "
                f"{np.round(square[list(ranking)], 6).tolist()} under the ranking {list(ranking)}"
            )
            return
        if not math.isclose(made.mse(), square.sum(), rel_tol=CLOSE, abs_tol=CLOSE * power):
            yield f"mse() says {made.mse():.9g}, but the law has {square.sum():.9g}"
            return
        total = law.views.sum(axis=1) - float(made.rule.total)
        spread = float(law.chances @ total**2)
        if not math.isclose(
            made.sum_variance(), spread, rel_tol=CLOSE, abs_tol=CLOSE * made.d * power
        ):
            yield f"sum_variance() says {made.sum_variance():.9g}, but the law has {spread:.9g}"
            return


def _risks(made: Mechanism) -> Iterator[str]:
    names = ("max_magnitude", "expected_magnitude", "diameter", "gap")
    stated, found = astuple(made.risks()), astuple(listing.risks(made))
    for name, said, true in zip(names, stated, found, strict=True):
        if not math.isclose(said, true, rel_tol=CLOSE):
            yield f"risks().{name} is {said:.9g}, but over all reports it is {true:.9g}"


def _disguise(made: Mechanism) -> Iterator[str]:
    """The most harmful reports; where the attacker cannot choose the question, their mean harm."""
    n = 5_000
    for favour, against in ((0, made.d - 1), (made.d - 1, 0)):
        sent = made.disguise(favour, against, n=n)
        if len(sent) != n or not made.domain.valid(sent).all():
            yield "disguise() does not give as many reports of the domain as it is asked for"
            return
        views = made.views(sent)
        harm, gap = views[:, favour] - views[:, against], listing.risks(made).gap
        if math.isclose(made.shift(), gap, rel_tol=SAME_HARM):
            if not np.allclose(harm, gap, rtol=SAME_HARM):
                yield f"disguise() lifts a candidate by {harm.min():.6g}, not by {gap:.6g}"
        elif abs(harm.mean() - made.shift()) > 6.5 * harm.std() / math.sqrt(n) + CLOSE * gap:
            yield f"disguise() moves two candidates by {harm.mean():.6g}, not by {made.shift():.6g}"


def _few_draws(made: Mechanism) -> Iterator[str]:
    """What shows in a moment of how a mechanism draws, where its law is short."""
    if made.domain.size <= SHORT and not made.needs_question:
        yield from _draws(made, *FEW)


def _draws(made: Mechanism, single: int = DRAWS, bulk: int = BULK) -> Iterator[str]:
    """One by one and in bulk, by a chi-square test each."""
    ranking = (*range(1, made.d), 0)
    law: dict[bytes, float] = {}
    for report, chance in made.outcomes(ranking):
        law[report.tobytes()] = law.get(report.tobytes(), 0.0) + float(chance)
    ways: tuple[tuple[str, Callable[[], Reports]], ...] = (
        ("draw", lambda: np.concatenate([made.draw(ranking) for _ in range(single)])),
        ("privatize", lambda: made.privatize(np.tile(ranking, (bulk, 1)))),
    )
    for name, drawn in ways:
        reports = drawn()
        raw = np.ascontiguousarray(reports).view(np.dtype((np.void, reports.itemsize)))
        found, numbers = np.unique(raw, return_counts=True)
        often = {one.tobytes(): int(n) for one, n in zip(found, numbers, strict=True)}
        if not often.keys() <= law.keys():
            yield f"{name}() sends reports that outcomes() does not list"
        elif _chance(often, law, len(reports)) < FALSE_ALARM:
            yield f"{name}() does not follow the law that outcomes() lists"


def _chance(seen: dict[bytes, int], law: dict[bytes, float], n: int) -> float:
    """The p-value of a chi-square test, rare reports taken together."""
    from scipy import stats

    expected = n * np.array(list(law.values()))
    observed = np.array([seen.get(report, 0) for report in law])
    rare = expected < 5
    if rare.any():
        expected = np.append(expected[~rare], expected[rare].sum())
        observed = np.append(observed[~rare], observed[rare].sum())
    kept = expected > 0
    expected, observed = expected[kept], observed[kept]
    if len(expected) < 2:
        return 1.0
    return float(stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue)


def _counts(made: Mechanism) -> Iterator[str]:
    """Mean views and products from the counts, and equal reports counted with their number."""
    orders = np.array(list(itertools.permutations(range(made.d))) * 5, dtype=np.uint8)
    listed, _ = listing.law_of(made, range(made.d))
    reports = np.concatenate([made.privatize(orders), listed])
    counts = made.count(reports)
    found = made.moments(len(reports), counts)
    views = made.views(reports)
    most = float(np.abs(views).max())
    if not np.allclose(found.mean, views.mean(axis=0), rtol=CLOSE, atol=CLOSE * most):
        yield "moments() does not give the mean of the views"
    products = views.T @ views / len(reports)
    if found.second is None:
        if made.fixed_noise() is None:
            yield "moments() gives no products, which only a mechanism with fixed_noise() may do"
    elif not np.allclose(found.second, products, rtol=CLOSE, atol=CLOSE * most**2):
        yield "moments() does not give the mean of the products of the views"
    different, often = np.unique(reports, return_counts=True)
    grouped = made.count(different, often)
    if any(not np.array_equal(counts[name], grouped[name]) for name in counts):
        yield "count() of equal reports with their weights is not the count of them all"


def _parameters(made: Mechanism) -> Iterator[str]:
    """What is made anew where reports are counted, from the parameters that travel with them."""
    twin = type(made).restored(made.rule, made.epsilon, made.odds, **made.options())
    report = _drawn(made)
    if (
        twin.parameters() != made.parameters()
        or twin.domain.dtype != made.domain.dtype
        or not np.array_equal(twin.views(report), made.views(report))
        or not np.array_equal(twin.variances(), made.variances())
    ):
        yield "what its parameters() make anew is another mechanism: see options()"


def _words(made: Mechanism) -> Iterator[str]:
    """What the voter is told of a report."""
    if not _said(made, _drawn(made)):
        yield "words() tells the voter nothing"


def _drawn(made: Mechanism) -> Reports:
    return made.draw(range(made.d), question=bytes(32) if made.needs_question else None)


def _said(made: Mechanism, report: Reports) -> str:
    return made.words(report, [str(j) for j in range(made.d)])


def _crowd(made: Mechanism) -> Iterator[str]:
    """The blanket promises no more than that of the listed law, where there is one."""
    if listing.orbits(made) is None:
        return
    stated, found = made.blanket(), Mechanism.blanket(made)
    for n, share in ((2, 0.1), (100, 0.1), (100, 0.5)):
        epsilon = share * made.certificate().epsilon
        if log_delta(stated, n, epsilon) < log_delta(found, n, epsilon) - SAME_CROWD:
            yield f"blanket() promises more privacy among {n} reports than the law gives"
            return

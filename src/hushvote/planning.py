"""How many voters a poll needs before a lead of a given size can be certified."""

import math

import numpy as np

from hushvote.errors import MechanismError
from hushvote.exact import is_number
from hushvote.mechanisms import Mechanism, default_mechanism, mechanism
from hushvote.mechanisms.contract import Floats
from hushvote.result import maxt
from hushvote.rules import Rule

ROUNDED = 1e-5  # a limit that was read off a message may be rounded
SIMULATED = 1 << 17  # reports
LEAST_LEAD = 1e-7  # of the distance between first and last place; 1e15 voters would not do


def plan(
    rule: Rule,
    epsilon: object,
    lead: float,
    power: float = 0.9,
    *,
    level: float = 0.95,
    by: str | None = None,
) -> int:
    """Voters needed to certify, with probability `power`, a winner who is truly ahead of all
    others by `lead` points of the mean score or more; `by` names the mechanism, by default the
    duel.
    """
    made = mechanism(by or default_mechanism(), rule, epsilon)
    return voters_needed(made, lead, power, level)


def voters_needed(
    mechanism: Mechanism, lead: float, power: float = 0.9, level: float = 0.95
) -> int:
    """n = (critical + z)² Var(gap) / lead², z for a chance of (1 - power)/(d - 1) with each rival.

    `critical` is that of the simultaneous differences behind `Result.certified`; Var(gap) is taken
    for the least favourable electorate, so that the number is enough for every one.
    """
    check_lead(mechanism.rule, lead)
    d = mechanism.d
    maxt.check_power(power)
    critical = maxt.Simultaneous.of(np.eye(d), maxt.pairs(d)).critical_value(level)
    critical += maxt.power_quantile(1 - (1 - power) / (d - 1))
    return max(maxt.FEWEST, math.ceil(critical**2 * (largest_gap_power(mechanism) / lead**2 - 1)))


def check_lead(rule: Rule, lead: float) -> None:
    """Refuse a lead that no candidate can have, or nobody can certify."""
    best, *others = rule.scores
    most = float(best - sum(others) / len(others))
    if not is_number(lead) or not 0 < lead <= most * (1 + ROUNDED):
        raise MechanismError(
            f"the lead must be a number of points above 0 and at most {most:g}, which a candidate "
            f"has whom everybody puts first while all others are level, not {lead!r}",
            code="design.lead",
            given=lead,
            most=most,
        )
    least = LEAST_LEAD * float(best - others[-1])
    if lead < least:
        raise MechanismError(
            f"a lead of {lead:g} points takes more voters than can be counted; "
            f"ask for one of at least {least:g}",
            code="design.lead",
            given=lead,
            least=least,
        )


def largest_gap_power(mechanism: Mechanism) -> float:
    """Mean square of two candidates' difference in one view, for the two ranks where it is
    largest. Exact where the law is short enough to list; else from simulated reports of one
    ranking, which are mostly within 2 %.
    """
    second = _second_moments(mechanism)
    own = np.diag(second)
    return float((own[:, None] + own[None, :] - 2 * second).max())


def _second_moments(mechanism: Mechanism) -> Floats:
    """Mean outer product of the views of one ranking."""
    if mechanism.listed is not None:
        reports, chances = mechanism.listed
        views = mechanism.views(reports)
        return np.asarray((chances[:, None] * views).T @ views)
    same = np.tile(np.arange(mechanism.d, dtype=np.uint8), (SIMULATED, 1))
    tally = mechanism.tally(mechanism.privatize(same, rng=np.random.default_rng(0)))
    _, covariance = mechanism.moments(tally.n, tally.counts)
    scores = mechanism.rule.vector  # what the views of one ranking average to
    return np.asarray(covariance * SIMULATED + np.outer(scores, scores))

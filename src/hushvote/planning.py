"""How many voters a poll needs before a lead of a given size can be certified."""

import math

import numpy as np

from hushvote.errors import MechanismError
from hushvote.exact import is_number
from hushvote.mechanisms import Mechanism, mechanism
from hushvote.result import maxt
from hushvote.rules import Rule

SIMULATED = 1 << 17  # reports
LEAST_LEAD = 1e-9  # of the distance between first and last place


def plan(
    rule: Rule,
    epsilon: object,
    lead: float,
    power: float = 0.9,
    *,
    level: float = 0.95,
    by: str = "duel",
) -> int:
    """Voters needed to certify, with probability `power`, a winner who is truly ahead of all
    others by `lead` points of the mean score or more; `by` names the mechanism.
    """
    return voters_needed(mechanism(by, rule, epsilon), lead, power, level)


def voters_needed(
    mechanism: Mechanism, lead: float, power: float = 0.9, level: float = 0.95
) -> int:
    """n = (reach + z)² Var(gap) / lead², z for a chance of (1 - power)/(d - 1) with each rival.

    `reach` is that of the simultaneous differences behind `Result.certified`; Var(gap) is taken
    for the least favourable electorate, so that the number is enough for every one.
    """
    check_lead(mechanism.rule, lead)
    d = mechanism.d
    maxt.check_power(power)
    reach = maxt.Together.of(np.eye(d), maxt.pairs(d)).reach(level)
    reach += maxt.power_reach(1 - (1 - power) / (d - 1))
    return max(2, math.ceil(reach**2 * (largest_gap_power(mechanism) / lead**2 - 1)))


def check_lead(rule: Rule, lead: float) -> None:
    """Refuse a lead that no candidate can have."""
    span = float(rule.scores[0] - rule.scores[-1])
    if not is_number(lead) or not LEAST_LEAD * span <= lead <= span:
        raise MechanismError(
            f"the lead must be a number of points above 0 and at most {span:g}, "
            f"the distance between first and last place, not {lead!r}"
        )


def largest_gap_power(mechanism: Mechanism) -> float:
    """Mean square of two candidates' difference in one view, for the two ranks where it is
    largest; from simulated reports of one ranking, good to 1 %.
    """
    same = np.tile(np.arange(mechanism.d, dtype=np.uint8), (SIMULATED, 1))
    tally = mechanism.tally(mechanism.privatize(same, rng=np.random.default_rng(0)))
    mean, covariance = mechanism.moments(tally)
    second = covariance * SIMULATED + np.outer(mean, mean)
    own = np.diag(second)
    return float((own[:, None] + own[None, :] - 2 * second).max())

"""The peers, each called in its own fastest documented way."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
import opendp.prelude as dp
from diffprivlib.mechanisms import Exponential
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI, SS_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client
from numpy.typing import NDArray
from pref_voting.profiles import Profile as PrefVotingProfile
from preflibtools.instances import OrdinalInstance
from preflibtools.properties import borda_scores
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
from svvamp import Profile
from votekit.ballot import RankBallot
from votekit.pref_profile import RankProfile
from votekit.utils import borda_scores as votekit_borda_scores

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Orders = NDArray[np.uint8]

# --- multi-freq-ldpy --------------------------------------------------------------------------
# Its documentation calls the client once a user in a list comprehension. Plain integers in a
# list are faster for it than a NumPy array.


def grr(values: Sequence[int], d: int, epsilon: float) -> list[int]:
    """Generalised randomised response: every user's report."""
    reports = [GRR_Client(value, d, epsilon) for value in values]
    GRR_Aggregator_MI(reports, d, epsilon)
    return reports


def oue(values: Sequence[int], d: int, epsilon: float) -> list[Floats]:
    """Optimised unary encoding: every user's d noisy bits."""
    reports = [UE_Client(value, d, epsilon, True) for value in values]
    UE_Aggregator_MI(reports, epsilon, True)
    return reports


def subset(values: Sequence[int], d: int, epsilon: float) -> list[Integers]:
    """Subset selection: every user's set of values."""
    reports = [SS_Client(value, d, epsilon) for value in values]
    SS_Aggregator_MI(reports, d, epsilon)
    return reports


# Not in its documentation: the same clients in one compiled loop, which takes the cost of a
# Python call a user away. This is the most that its code can give.


@numba.njit
def _grr_reports(values: Integers, d: int, epsilon: float) -> Integers:
    reports = np.empty(len(values), dtype=np.int64)
    for i in range(len(values)):
        reports[i] = GRR_Client(values[i], d, epsilon)
    return reports


@numba.njit
def _oue_reports(values: Integers, d: int, epsilon: float) -> Floats:
    reports = np.empty((len(values), d))
    for i in range(len(values)):
        reports[i] = UE_Client(values[i], d, epsilon, True)
    return reports


def grr_compiled(values: Integers, d: int, epsilon: float) -> Integers:
    """As `grr`, its client in a compiled loop."""
    reports = _grr_reports(values, d, epsilon)
    GRR_Aggregator_MI(reports.tolist(), d, epsilon)
    return reports


def oue_compiled(values: Integers, d: int, epsilon: float) -> Floats:
    """As `oue`, its client in a compiled loop."""
    reports = _oue_reports(values, d, epsilon)
    UE_Aggregator_MI(reports, epsilon, True)
    return reports


# --- other packages that randomise one value a user -------------------------------------------


def direct_encoding(values: Sequence[int], d: int, epsilon: float) -> list[int]:
    """pure-ldp: its client and its server for randomised response."""
    client = DEClient(epsilon=epsilon, d=d, index_mapper=int)
    server = DEServer(epsilon=epsilon, d=d, index_mapper=int)
    reports = [client.privatise(value) for value in values]
    server.aggregate_all(reports)
    server.estimate_all(range(d), suppress_warnings=True)
    return reports


def randomized_response(values: Sequence[int], d: int, epsilon: float) -> list[int]:
    """OpenDP: one measurement, called once a user; the counts are ours."""
    dp.enable_features("contrib")
    keep = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    measurement = dp.m.make_randomized_response(categories=list(range(d)), prob=keep)
    reports = [measurement(value) for value in values]
    np.bincount(reports, minlength=d)
    return reports


def exponential(values: Sequence[int], d: int, epsilon: float) -> list[int]:
    """diffprivlib: its exponential mechanism, one for each value, called once a user."""
    mechanisms = [
        Exponential(
            epsilon=2 * epsilon, sensitivity=1.0, utility=[float(j == value) for j in range(d)]
        )
        for value in range(d)
    ]
    reports = [mechanisms[value].randomise() for value in values]
    np.bincount(reports, minlength=d)
    return reports


def check_reports(
    peer: Callable[..., Any], values: Sequence[int], d: int, epsilon: float, kept: float
) -> None:
    """Refuse to time a peer whose reports have the users' own values more or less often than its
    law says, by five standard deviations or more.
    """
    reports = peer(values, d, epsilon)
    own = sum(_has(report, value, d) for report, value in zip(reports, values, strict=True))
    n = len(values)
    if abs(own - n * kept) > 5 * math.sqrt(n * kept * (1 - kept)):
        share = f"{own / n:.3f} of {n} reports"
        raise RuntimeError(f"{share} of {peer.__name__} keep the value, not {kept:.3f}")


def _has(report: Any, value: int, d: int) -> bool:
    """Whether a report has a value: one value, d bits, or a set of values."""
    found = np.asarray(report)
    if found.ndim == 0:
        return int(found) == value
    bits = len(found) == d and bool(np.isin(found, (0, 1)).all())
    return bool(found[value]) if bits else value in found.tolist()


def kept(kind: str, d: int, epsilon: float) -> float:
    """How often a report has the user's own value, by the law of each kind."""
    e = math.exp(epsilon)
    size = max(1, round(d / (e + 1)))  # of the sets of subset selection
    return {
        "one": e / (e + d - 1),
        "bits": 0.5,
        "set": size * e / (size * e + d - size),
    }[kind]


# --- plain Borda scores -----------------------------------------------------------------------


def numpy_borda(orders: Orders) -> list[int]:
    """The shortest way in bare NumPy: one weighted count."""
    n, d = orders.shape
    weights = np.tile(np.arange(d - 1, -1, -1, dtype=np.float64), n)
    return [int(x) for x in np.bincount(orders.ravel(), weights=weights, minlength=d)]


def svvamp_borda(orders: Orders) -> list[int]:
    """Svvamp's Borda scores of a profile."""
    return [int(x) for x in Profile(preferences_rk=orders).borda_score_c_rk]


def svvamp_borda_by_voter(orders: Orders) -> list[int]:
    """A faster way through svvamp: its Borda scores of every voter, added up by NumPy."""
    return [int(x) for x in Profile(preferences_rk=orders).preferences_borda_rk.sum(axis=0)]


def preflib_instance(orders: Orders) -> OrdinalInstance:
    """The rankings as preflibtools holds them: equal ballots become one order and a number."""
    instance = OrdinalInstance()
    instance.append_order_array(orders.tolist())  # plain integers are faster for it than NumPy's
    return instance


def preflib_borda(instance: OrdinalInstance) -> list[int]:
    """Preflibtools' Borda scores of an instance."""
    scores = borda_scores(instance)
    return [int(scores[j]) for j in range(instance.num_alternatives)]


def pref_voting_borda(orders: Orders) -> list[int]:
    """pref_voting's Borda scores of a profile."""
    scores = PrefVotingProfile(orders.tolist()).borda_scores()
    return [int(scores[j]) for j in range(orders.shape[1])]


def votekit_borda(orders: Orders) -> list[int]:
    """VoteKit's Borda scores of a profile; it gives the last candidate one point, not none."""
    n, d = orders.shape
    names = [str(j) for j in range(d)]
    sets = [frozenset([name]) for name in names]
    ballots = [RankBallot(ranking=[sets[j] for j in row]) for row in orders.tolist()]
    profile = RankProfile(ballots=ballots, candidates=names, max_ranking_length=d)
    scores = votekit_borda_scores(profile)
    return [int(scores[name]) - n for name in names]

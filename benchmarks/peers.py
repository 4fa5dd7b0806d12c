"""The peers, each called in its own fastest documented way."""

from collections.abc import Sequence

import numba
import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI, SS_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client
from numpy.typing import NDArray
from preflibtools.instances import OrdinalInstance
from preflibtools.properties import borda_scores
from svvamp import Profile

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Orders = NDArray[np.uint8]

# --- multi-freq-ldpy --------------------------------------------------------------------------
# Its documentation calls the client once a user in a list comprehension. Plain integers in a
# list are faster for it than a NumPy array.


def grr(values: Sequence[int], d: int, epsilon: float) -> Floats:
    """Generalised randomised response: every user's report, and the estimate from them."""
    reports = [GRR_Client(value, d, epsilon) for value in values]
    return np.asarray(GRR_Aggregator_MI(reports, d, epsilon))


def oue(values: Sequence[int], d: int, epsilon: float) -> Floats:
    """Optimised unary encoding: every user's d noisy bits, and the estimate from them."""
    reports = [UE_Client(value, d, epsilon, True) for value in values]
    return np.asarray(UE_Aggregator_MI(reports, epsilon, True))


def subset(values: Sequence[int], d: int, epsilon: float) -> Floats:
    """Subset selection: every user's set of values, and the estimate from them."""
    reports = [SS_Client(value, d, epsilon) for value in values]
    return np.asarray(SS_Aggregator_MI(reports, d, epsilon))


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


def grr_compiled(values: Integers, d: int, epsilon: float) -> Floats:
    """As `grr`, its client in a compiled loop."""
    reports = _grr_reports(values, d, epsilon).tolist()
    return np.asarray(GRR_Aggregator_MI(reports, d, epsilon))


def oue_compiled(values: Integers, d: int, epsilon: float) -> Floats:
    """As `oue`, its client in a compiled loop."""
    return np.asarray(UE_Aggregator_MI(_oue_reports(values, d, epsilon), epsilon, True))


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

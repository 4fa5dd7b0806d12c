"""How often each single report occurs."""

import math
from collections.abc import Sequence

import numpy as np

from hushvote.detection.check import LEVEL, Check, corrected, fewest_fakes
from hushvote.detection.tails import binomial
from hushvote.mechanisms import listing
from hushvote.mechanisms.contract import Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.mechanisms.signals import Signals
from hushvote.messages import counted, say
from hushvote.messages.phrases import span


def frequencies(mechanism: Mechanism, reports: Reports, names: Sequence[str]) -> Check | None:
    """How often each report occurs. Each test gets a share of the level in proportion to the least
    chance of its report; these chances add up to 1 at most, so no list of all reports is needed.
    """
    raw = np.ascontiguousarray(reports).view(np.dtype((np.void, reports.itemsize)))
    distinct, counts = np.unique(raw, return_counts=True)
    found = distinct.view(reports.dtype)
    known = (mechanism.signals() or Signals()).chances
    ends = known(found) if known else listing.chances(mechanism, found)
    if ends is None:
        return None
    low, high = ends
    n = len(reports)
    with np.errstate(divide="ignore"):
        shares = np.where(high > 0, np.log(low), 0.0)  # what is never sent needs no share
    logs = binomial(counts, n, low, high) - shares
    k = int(np.argmin(logs))
    sent = mechanism.words(found[k : k + 1], tuple(names))
    return Check(
        "reports",
        corrected(logs[k], 0.0),
        say("check.reports"),
        say(
            "found.report",
            report=sent,
            times=counted(int(counts[k]), "time"),
            ends=span(n * low[k], n * high[k], 1),
        ),
        fewest_fakes(
            counts[:, None],
            n,
            low[:, None],
            high[:, None],
            striking=(logs < math.log(LEVEL))[:, None],
        ),
    )

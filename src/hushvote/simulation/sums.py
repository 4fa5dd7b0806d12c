"""The mean view of many honest voters, by its law where that is known."""

import numpy as np

from hushvote.mechanisms import Mechanism
from hushvote.mechanisms.contract import Floats
from hushvote.rankings import Orders, blocks


def mean_view(
    mechanism: Mechanism, orders: Orders, truth: Floats, rng: np.random.Generator
) -> Floats:
    """The mean view of these voters, whose true mean scores are `truth`; in the mechanism's own
    short way, if it has one with the same distribution.
    """
    found = mechanism.simulated_mean(orders, truth, rng)
    return drawn_mean(mechanism, orders, rng) if found is None else found


def drawn_mean(mechanism: Mechanism, orders: Orders, rng: np.random.Generator) -> Floats:
    """Reports are drawn and counted, as in a real poll but for the checks."""
    counts = dict(mechanism.zero())
    for block in blocks(len(orders), mechanism.block):
        for name, array in mechanism.count(mechanism.randomize(orders[block], rng)).items():
            counts[name] = counts[name] + array
    return mechanism.moments(len(orders), counts).mean

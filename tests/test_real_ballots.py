"""Real ballots: plain totals, and the private tally of every complete file."""

import numpy as np
import pytest

import hushvote as hv

FILES = {
    "nsw2023-summer-hill-d5.soc": (24_422, 5),
    "nsw2015-ballina-d7.soc": (18_252, 7),
    "nsw2023-lismore-d8.soc": (14_783, 8),
}


@pytest.mark.parametrize("name", FILES)
def test_plain_borda_totals_add_up(ballots, name):
    votes = hv.read_rankings(ballots / name)
    n, d = FILES[name]
    assert (votes.n, votes.d) == (n, d)
    assert sum(votes.totals(hv.borda(d))) == n * d * (d - 1) // 2


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", hv.mechanism_names())
def test_private_tally_is_within_five_standard_errors(ballots, name, kind):
    """Gaussian false alarm of 6e-7 a score; the errors are conservative."""
    votes = hv.read_rankings(ballots / name)
    for rule in (hv.borda(votes.d), hv.nauru(votes.d)):
        made = hv.mechanism(kind, rule, 1)
        result = made.tally(made.privatize(votes.orders)).result()
        truth = np.array([float(total) / votes.n for total in votes.totals(rule)])
        assert (np.abs(result.scores - truth) < 5 * result.standard_errors).all()

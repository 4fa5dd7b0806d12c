"""What dishonest voters send: the right reports, and the true worst ones."""

import itertools
from collections import Counter

import numpy as np
import pytest

import hushvote as hv
from hushvote import attacks

from .conftest import listable, random_rule

RULES = [hv.borda(4), hv.nauru(4), hv.plurality(3), random_rule(4, 3)]
TRUTH = np.array([1.0, 3.0, 2.0, 0.0])


def test_both_attacks_of_the_paper_are_known():
    assert attacks.attack_names() == ("amplification", "disguise")


def test_an_unknown_attack_is_refused_with_those_that_there_are():
    with pytest.raises(hv.SimulationError, match="choose one of none, amplification, disguise"):
        attacks.attack("bribery")


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("epsilon", ["0.1", "2"])
def test_disguised_reports_are_the_worst_of_the_whole_domain(rule, epsilon):
    """Of all reports, for a challenge of all answers to its question; second over first."""
    truth = TRUTH[: rule.d]
    first, second = np.argsort(-truth)[:2]
    for mechanism in listable(rule, epsilon):
        reports = attacks.disguise(mechanism, truth, 200, np.random.default_rng(1))
        gaps = mechanism.views(reports)[:, second] - mechanism.views(reports)[:, first]
        worst: dict[object, float] = {}
        for report, _ in mechanism.outcomes(range(rule.d)):
            view = mechanism.views(report)[0]
            key = question(mechanism, report[0])
            worst[key] = max(worst.get(key, -np.inf), view[second] - view[first])
        expected = [worst[question(mechanism, report)] for report in reports]
        assert np.allclose(gaps, expected, rtol=1e-12)


def question(mechanism: hv.Mechanism, report: np.void) -> object:
    """What a dishonest voter cannot choose."""
    if mechanism.name != "challenge":
        return None
    return tuple(int(report[name]) for name in report.dtype.names if name != "answer")


def test_a_disguised_laplace_report_lies_at_the_ends_of_the_filter():
    rule = hv.borda(4)
    mechanism = hv.Laplace(rule, "0.5")
    view = mechanism.views(attacks.disguise(mechanism, TRUTH, 1))[0]
    reach = np.log(20) * 8 / 0.5
    assert np.allclose(view, [1.5, -reach, 3 + reach, 1.5], atol=1e-4)


def test_amplified_votes_are_uniform_over_all_rankings():
    """Additive with k = 1 at a large epsilon nearly names the first place; chance of 1e-9 each."""
    mechanism = hv.Additive(hv.plurality(3), 10, k=1)
    reports = attacks.amplification(mechanism, TRUTH[:3], 30_000, np.random.default_rng(5))
    named = Counter(int(mask).bit_length() - 1 for mask in reports["chosen"])
    assert all(abs(named[j] - 10_000) < 6.1 * np.sqrt(30_000 * 2 / 9) for j in range(3))


@pytest.mark.parametrize("name", attacks.attack_names())
def test_an_attack_sends_as_many_reports_as_asked_and_all_in_the_domain(name):
    for kind, number in itertools.product(hv.mechanism_names(), (1, 37)):
        mechanism = hv.mechanism(kind, hv.nauru(4), 1)
        reports = attacks.attack(name)(mechanism, TRUTH, number)
        assert mechanism.tally(reports).n == number

"""The exact laws that other programs are tested against."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from conformance import laws, regenerate
from scipy import stats

import hushvote as hv

LAWS = regenerate.kept("laws.json")["laws"]
DRAWS = 200_000  # that the chances are for


def ids(entry: dict) -> str:
    return entry["name"]


def bins_of(law: dict) -> list[list[Fraction]]:
    """The chances of every list of events that exclude each other."""
    listed = [law["outcomes"]] if "outcomes" in law else law["scores"]
    return [[Fraction(one["chance"]) for one in each] for each in listed]


@pytest.mark.parametrize("law", LAWS, ids=ids)
def test_chances_add_up_and_are_large_enough_for_a_chi_square_test(law):
    for chances in bins_of(law):
        assert sum(chances) == 1
        assert min(chances) * DRAWS >= 10


def test_every_mechanism_has_a_law_for_three_four_and_five_candidates():
    found = {(law["parameters"]["mechanism"], len(law["ranking"])) for law in LAWS}
    assert found == set(itertools.product(hv.mechanism_names(), (3, 4, 5)))


@pytest.mark.parametrize("law", [law for law in LAWS if "outcomes" in law], ids=ids)
def test_every_report_is_there_once_with_its_own_chance(law):
    made = hv.mechanism_from(law["parameters"])
    listed = {
        made.domain.from_wire(one["report"]).tobytes(): one["chance"] for one in law["outcomes"]
    }
    assert len(listed) == len(law["outcomes"])
    for report, chance in made.outcomes(law["ranking"]):
        assert listed.get(report.tobytes(), "0") == str(chance)


def test_duels_with_finer_questions_are_among_them():
    assert any("best" in law["outcomes"][0]["report"] for law in LAWS if "outcomes" in law)


@pytest.mark.parametrize("law", [law for law in LAWS if "scores" in law], ids=ids)
def test_bins_of_a_noisy_score_cover_all_numbers(law):
    made = hv.mechanism_from(law["parameters"])
    for bins in law["scores"]:
        assert (bins[0]["from"], bins[-1]["to"]) == (made.low, made.high)
        assert all(one["to"] + 1 == other["from"] for one, other in itertools.pairwise(bins))


def test_the_distribution_of_noise_is_the_sum_of_its_law():
    made = hv.Laplace(hv.Rule("x", ["2", "1/3", "0"]), 2)
    for x in (-(2**20), -4097, -2, -1, 0, 1, 2, 63, 4096, 2**21):
        here, before = (laws._noise_at_most(made, at) for at in (x, x - 1))
        assert here - before == made.noise_law(x)


@pytest.mark.parametrize("law", LAWS, ids=ids)
def test_drawn_reports_follow_the_exported_law(law):
    """Chi-square over 200,000 reports drawn in bulk; 30 tests fail falsely with 1e-6 in all."""
    made = hv.mechanism_from(law["parameters"])
    reports = made.privatize(np.tile(law["ranking"], (DRAWS, 1)))
    counts = _listed(made, law, reports) if "outcomes" in law else _binned(made, law, reports)
    for seen, chances in zip(counts, bins_of(law), strict=True):
        expected = np.array([float(chance) for chance in chances]) * DRAWS
        statistic = ((seen - expected) ** 2 / expected).sum()
        assert statistic < stats.chi2.isf(1e-6 / 30, len(chances) - 1)


def _listed(made, law, reports):
    """How often each listed report was drawn; any other would be no report of the list."""
    read = made.domain.from_wire
    places = {read(one["report"]).tobytes(): i for i, one in enumerate(law["outcomes"])}
    counts = np.zeros((1, len(places)))
    values, often = np.unique(reports, return_counts=True)
    for value, count in zip(values, often, strict=True):
        counts[0, places[value.tobytes()]] = count
    return counts


def _binned(made, law, reports):
    """How often the score of each candidate fell into each bin."""
    return [
        np.histogram(reports[f"score_{j}"], [*(one["from"] for one in bins), made.high + 1])[0]
        for j, bins in enumerate(law["scores"])
    ]

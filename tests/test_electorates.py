"""Electorates and attacks: each follows its law, and one of your own is found by its name."""

import itertools
import math
import os
import re

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.simulation import experiment
from hushvote.simulation.electorates import Voters
from tests.conftest import one_sentence


def frequencies(text: str, d: int, n: int = 60_000) -> dict[tuple[int, ...], int]:
    orders = Voters(text).draw(np.random.default_rng(8), n, d)
    assert orders.dtype == np.uint8
    rows, counts = np.unique(orders, axis=0, return_counts=True)
    return {tuple(row.tolist()): int(c) for row, c in zip(rows, counts, strict=True)}


def fits(found: dict[tuple[int, ...], int], law: dict[tuple[int, ...], float]) -> bool:
    """Chi-square with a false alarm of 1e-7."""
    total = sum(law.values())
    n = sum(found.values())
    observed = [found.get(ranking, 0) for ranking in law]
    expected = [n * p / total for p in law.values()]
    return stats.chisquare(observed, expected).pvalue > 1e-7


def test_impartial_voters_cast_every_ranking_equally_often():
    law = dict.fromkeys(itertools.permutations(range(4)), 1.0)
    assert fits(frequencies("impartial", 4), law)


@pytest.mark.parametrize("phi", [0.3, 0.8, 1])
def test_mallows_voters_follow_the_mallows_law(phi):
    centre = np.random.default_rng(8).permutation(4).tolist()
    law = {}
    for ranking in itertools.permutations(range(4)):
        places = [ranking.index(c) for c in centre]
        law[ranking] = phi ** sum(a > b for a, b in itertools.combinations(places, 2))
    assert fits(frequencies(f"mallows:phi={phi}", 4), law)


def test_mallows_with_phi_zero_is_one_ranking():
    assert len(frequencies("mallows:phi=0", 6, 100)) == 1


def test_plackett_luce_voters_follow_their_worths():
    worths = {0: 5.0, 1: 1.0, 2: 2.5}
    law = {}
    for a, b, c in itertools.permutations(worths):
        law[a, b, c] = worths[a] / 8.5 * worths[b] / (worths[b] + worths[c])
    assert fits(frequencies("plackett-luce:worths=5,1,2.5", 3), law)


def test_voters_of_the_paper_prefer_by_scaled_uniform_numbers():
    """P(α U > β V) = 1 - β/2α for α > β; within 6 standard errors, false alarm 2e-9."""
    low, high = sorted(np.random.default_rng(8).random(2))
    found = frequencies("paper", 2)
    share = max(found.values()) / sum(found.values())
    expected = 1 - low / (2 * high)
    assert abs(share - expected) < 6 * math.sqrt(expected * (1 - expected) / 60_000)


def test_voters_of_a_file_are_drawn_with_replacement(tmp_path):
    path = tmp_path / "ballots.csv"
    path.write_text("first,second,third\n" + "a,b,c\n" * 3 + "c,b,a\n")
    found = frequencies(str(path), 3)
    assert fits(found, {(0, 1, 2): 3.0, (2, 1, 0): 1.0})
    asked = experiment(electorate=str(path))
    assert (asked.d, asked.n) == (3, 4)


def test_a_file_that_has_changed_is_read_anew(tmp_path):
    path = tmp_path / "ballots.csv"
    for time, n in ((1, 4), (2, 7)):
        path.write_text("first,second\n" + "a,b\n" * (n - 1) + "b,a\n")
        os.utime(path, (time, time))
        assert experiment(electorate=str(path)).n == n


def test_a_registered_electorate_and_attack_are_simulated_by_name():
    from hushvote import attacks
    from hushvote.simulation import electorates

    @hv.register_electorate
    def all_alike(rng, n, d):
        return np.tile(np.arange(d, dtype=np.uint8), (n, 1))

    @hv.register_attack
    def second_first(mechanism, truth, number, bits=None):
        second = np.argsort(-truth)[1]
        order = [second, *(j for j in range(mechanism.d) if j != second)]
        return mechanism.privatize(np.tile(order, (number, 1)), bits)

    try:
        table = hv.simulate(
            d=4,
            n=10,
            epsilons=1,
            mechanisms="duel",
            runs=2,
            electorate="all-alike",
            attack="second-first",
            adversaries=3,
        )
        assert table["attack"][0].as_py() == "second-first"
    finally:
        del electorates._registry["all-alike"], attacks._registry["second-first"]


def test_an_electorate_that_returns_no_rankings_is_refused():
    from hushvote.simulation import electorates

    @hv.register_electorate
    def broken(rng, n, d):
        return np.zeros((n, d), dtype=np.uint8)

    try:
        with pytest.raises(hv.SimulationError, match="'broken' does not return rankings: row 0"):
            experiment(electorate="broken")
    finally:
        del electorates._registry["broken"]


def test_an_electorate_is_checked_at_its_real_size():
    from hushvote.simulation import electorates

    @hv.register_electorate
    def few(rng, n, d):
        return np.tile(np.arange(d, dtype=np.uint8), (min(n, 5), 1))

    try:
        with pytest.raises(hv.SimulationError, match="as many rankings as voters, 20, not 5"):
            hv.simulate(d=3, n=20, epsilons=1, mechanisms="duel", runs=2, electorate="few")
    finally:
        del electorates._registry["few"]


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        (lambda m, t, n, b=None: m.privatize([[0, 1, 2]] * (n - 1), b), "returns 6 reports of 7"),
        (lambda m, t, n, b=None: m.privatize([[0, 1, 2]] * (n + 1), b), "returns 8 reports of 7"),
        (lambda m, t, n, b=None: np.zeros(n), "does not return reports of duel"),
        (
            lambda m, t, n, b=None: np.full((n, m.domain.dtype.itemsize), 255, np.uint8).view(
                m.domain.dtype
            )[:, 0],
            "duel",
        ),
        (lambda m, t, n, b=None: None, "does not return reports of duel"),
        (lambda m, t, n, b=None: np.zeros((), m.domain.dtype), "does not return reports of duel"),
    ],
)
def test_an_attack_that_sends_something_else_is_refused(attack, message):
    from hushvote import attacks

    attack.__name__ = "odd"
    hv.register_attack(attack)
    try:
        with pytest.raises(hv.SimulationError, match=message):
            hv.simulate(
                d=3, n=9, epsilons=1, mechanisms="duel", runs=2, attack="odd", adversaries=7
            )
    finally:
        del attacks._registry["odd"]


def test_adversaries_that_do_not_fit_into_memory_are_refused():
    from hushvote import attacks

    def huge(mechanism, truth, number, bits=None):
        raise MemoryError

    hv.register_attack(huge)
    try:
        with pytest.raises(hv.SimulationError, match="5 adversaries do not fit into this machine"):
            hv.simulate(
                d=3, n=9, epsilons=1, mechanisms="duel", runs=2, attack="huge", adversaries=5
            )
    finally:
        del attacks._registry["huge"]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("@hv.register_electorate\ndef mine(rng, n): ...", "an electorate is registered as a fun"),
        ("@hv.register_electorate\ndef mine(rng, n, d, e): ...", "as in def mine(rng, n, d), not"),
        ("\nhv.register_electorate(3)", "an electorate is registered as a function"),
        ("@hv.register_attack\ndef mine(m, truth): ...", "an attack is registered as a function"),
        ("@hv.register_attack\ndef mine(m, *, n): ...", "def mine(mechanism, truth, number, bits"),
        ("\nhv.register_attack(3)", "an attack is registered as a function that returns reports"),
    ],
)
def test_a_function_that_takes_too_little_is_refused_with_its_line(run, tmp_path, function, said):
    (tmp_path / "mine.py").write_text(f"import hushvote as hv\n\n{function}\n")
    found = one_sentence(run("--load", "mine.py", "simulate", "-d", "4", "-n", "9"))
    assert re.search(r"mine\.py, line [34]: ", found)
    assert said in found

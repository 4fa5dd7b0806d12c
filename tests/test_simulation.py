"""Experiments: right on average, the same for any number of threads, and clear about mistakes."""

import itertools
import math
import random

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.simulation import experiment, running, sums
from hushvote.simulation.electorates import Voters

from .conftest import scored

COLUMNS = [
    "rule",
    "d",
    "n",
    "electorate",
    "attack",
    "adversaries",
    "mechanism",
    "epsilon",
    "metric",
    "mean",
    "se",
    "runs",
]


def points(table) -> dict[tuple, tuple[float, float]]:
    """Mean and standard error by mechanism, epsilon, adversaries and metric."""
    return {
        (row["mechanism"], row["epsilon"], row["adversaries"], row["metric"]): (
            row["mean"],
            row["se"],
        )
        for row in table.to_pylist()
    }


# --- right on average -------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["borda", "nauru", "plurality", "approval:k=2", "9,4,4,1,0"])
def test_simulated_mse_agrees_with_the_closed_forms(rule):
    """Within 4 standard errors in each of 90 cells; false alarm 6e-5 a cell, the seed is fixed."""
    table = hv.simulate(rule, 5, 200, epsilons=[0.2, 1, 3], runs=200, metrics="mse")
    assert len(table) == 18
    made = running.Plan(experiment(rule, 5, 200, [0.2, 1, 3]))
    for row, mechanism in zip(table.to_pylist(), itertools.chain(*made.mechanisms), strict=True):
        assert row["mechanism"] == mechanism.name
        assert abs(row["mean"] - mechanism.mse(200)) < 4 * row["se"], row


@pytest.mark.parametrize("kind", hv.mechanism_names())
def test_simulated_magnitude_agrees_with_the_closed_form(kind):
    """Mean |view| of 20,000 voters within 4 standard errors, or equal where it has no spread."""
    for rule, epsilon in itertools.product((hv.borda(5), hv.nauru(6)), ("0.2", "1", "3")):
        mechanism = hv.mechanism(kind, rule, epsilon)
        rng = np.random.default_rng(3)
        orders = Voters("paper").draw(rng, 20_000, rule.d)
        sizes = np.abs(mechanism.views(mechanism.privatize(orders, rng))).sum(axis=1)
        error = sizes.std() / math.sqrt(len(sizes)) + 1e-9
        assert abs(sizes.mean() - mechanism.risks().expected_magnitude) < 4 * error


@pytest.mark.parametrize("kind", ["laplace", "weighted-sampling", "naive-sampling"])
@pytest.mark.parametrize("n", [1, 7, 300])
def test_sums_by_their_law_match_sums_of_reports(kind, n):
    """Two samples of 1,500 mean views, by Kolmogorov and Smirnov: first score, sum, squares.

    False alarm 1e-8 a comparison, 54 of them.
    """
    for rule in (hv.borda(4), hv.nauru(5)):
        mechanism = hv.mechanism(kind, rule, 1)
        rng = np.random.default_rng(11)
        orders = Voters("paper").draw(rng, n, rule.d)
        truth = np.array([float(total / n) for total in hv.totals(orders, rule)])
        samples = [
            np.array([sums.mean_view(mechanism, orders, truth, rng) for _ in range(1500)]),
            np.array([sums.drawn_mean(mechanism, orders, rng) for _ in range(1500)]),
        ]
        for statistic in (
            lambda views: views[:, 0],
            lambda views: views.sum(axis=1),
            lambda views: ((views - truth) ** 2).sum(axis=1),  # noqa: B023
        ):
            one, two = (np.round(statistic(sample), 6) for sample in samples)
            assert stats.ks_2samp(one, two).pvalue > 1e-8


@pytest.mark.parametrize("kind", ["laplace", "weighted-sampling", "naive-sampling"])
def test_sums_by_their_law_are_unbiased(kind):
    """300 mean views of 20,000 voters, each score within 6 standard errors: false alarm 2e-8."""
    mechanism = hv.mechanism(kind, hv.borda(4), 3)
    rng = np.random.default_rng(12)
    orders = Voters("paper").draw(rng, 20_000, 4)
    truth = np.array([float(total / 20_000) for total in hv.totals(orders, hv.borda(4))])
    views = np.array([sums.mean_view(mechanism, orders, truth, rng) for _ in range(300)])
    errors = views.std(axis=0) / math.sqrt(300)
    assert (np.abs(views.mean(axis=0) - truth) < 6 * errors).all()


# --- a slow reference -------------------------------------------------------------------------


class Reference:
    """A poll in plain Python: one voter at a time, reports drawn from their listed law."""

    METRICS = ("mse", "tve", "mae", "aow", "low")

    def __init__(self, mechanism: hv.Mechanism, seed: int) -> None:
        self.mechanism, self.d = mechanism, mechanism.d
        self.random = random.Random(seed)
        self.laws: dict[tuple[int, ...], tuple[list, list]] = {}
        named = mechanism.name != "laplace"
        asked: dict[object, list] = {}
        for report, p in mechanism.outcomes(range(self.d)) if named else ():
            question = mechanism.name == "challenge" and bytes(report[0].tobytes()[:-1])
            asked.setdefault(question, []).append((mechanism.views(report)[0].tolist(), p))
        self.questions = list(asked.values())

    def vote(self, scale: list[float]) -> tuple[int, ...]:
        liking = [a * self.random.random() for a in scale]
        return tuple(sorted(range(self.d), key=lambda j: -liking[j]))

    def view(self, ranking: tuple[int, ...]) -> list[float]:
        if self.mechanism.name == "laplace":
            scale = float(self.mechanism.rule.diameter / self.mechanism.epsilon)
            noise = (self.random.expovariate(1) - self.random.expovariate(1) for _ in ranking)
            score = scored(self.mechanism.rule, ranking)
            return [x + scale * y for x, y in zip(score, noise, strict=True)]
        if ranking not in self.laws:
            listed = list(self.mechanism.outcomes(ranking))
            views = [self.mechanism.views(report)[0].tolist() for report, _ in listed]
            self.laws[ranking] = views, [float(p) for _, p in listed]
        return self.random.choices(*self.laws[ranking])[0]

    def fake(self, attack: str, truth: list[float]) -> list[float]:
        if attack == "amplification":
            return self.view(tuple(self.random.sample(range(self.d), self.d)))
        first, second, *others = sorted(range(self.d), key=lambda j: -truth[j])
        w, rule = [float(x) for x in self.mechanism.rule.scores], self.mechanism.rule
        if self.mechanism.name == "laplace":
            reach = math.log(20) * float(rule.diameter / self.mechanism.epsilon)
            made = dict.fromkeys(others, float(rule.mean))
            made |= {second: w[0] + reach, first: w[-1] - reach}
            return [made[j] for j in range(self.d)]
        chances = [float(sum(p for _, p in listed)) for listed in self.questions]
        listed = [view for view, _ in self.random.choices(self.questions, chances)[0]]
        most = max(view[second] - view[first] for view in listed)
        return self.random.choice(
            [view for view in listed if view[second] - view[first] > most - 1e-9]
        )

    def run(self, n: int, attack: str, adversaries: int) -> list[float]:
        scale = [self.random.random() for _ in range(self.d)]
        votes = [self.vote(scale) for _ in range(n)]
        scores = [scored(self.mechanism.rule, vote) for vote in votes]
        truth = [sum(column) / n for column in zip(*scores, strict=True)]
        views = [self.view(vote) for vote in votes]
        views += [self.fake(attack, truth) for _ in range(adversaries)]
        estimate = [sum(column) / len(views) for column in zip(*views, strict=True)]
        off = [abs(x - y) for x, y in zip(estimate, truth, strict=True)]
        chosen = estimate.index(max(estimate))
        return [
            sum(x * x for x in off),
            sum(off),
            max(off),
            float(chosen == truth.index(max(truth))),
            max(truth) - truth[chosen],
        ]


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["amplification", "disguise"])
@pytest.mark.parametrize("kind", hv.mechanism_names())
def test_attacks_agree_with_a_plain_reference(attack, kind):
    """Every metric within 5 standard errors of the difference; false alarm 6e-7 a comparison."""
    n, adversaries, runs = 40, 8, 200
    found = points(hv.simulate("nauru", 3, n, 2, kind, 1500, 1, "paper", attack, adversaries))
    reference = Reference(hv.mechanism(kind, hv.nauru(3), 2), seed=2)
    slow = np.array([reference.run(n, attack, adversaries) for _ in range(runs)])
    for m, metric in enumerate(Reference.METRICS):
        mean, se = found[kind, 2.0, adversaries, metric]
        error = math.hypot(se, slow[:, m].std(ddof=1) / math.sqrt(runs))
        assert abs(mean - slow[:, m].mean()) < 5 * error, metric


# --- the same numbers, whatever else is simulated ---------------------------------------------


def test_columns_and_rows_are_those_that_were_asked_for():
    table = hv.simulate(
        "nauru", 4, 50, [0.5, 1], ["duel", "laplace"], 3, 1, "impartial", "disguise", [0, "10%"]
    )
    assert table.column_names == COLUMNS
    assert len(table) == 2 * 2 * 2 * 5
    first = table.to_pylist()[0]
    assert (first["rule"], first["d"], first["n"]) == ("nauru", 4, 50)
    assert (first["electorate"], first["attack"]) == ("impartial", "disguise")
    assert set(table["adversaries"].to_pylist()) == {0, 5}
    assert set(table["runs"].to_pylist()) == {3}


def test_the_same_seed_gives_the_same_numbers_for_any_number_of_jobs():
    settings = {
        "d": 5,
        "n": 300,
        "epsilons": [0.5, 2],
        "runs": 33,
        "attack": "disguise",
        "adversaries": [0, 9],
    }
    one = hv.simulate(**settings, seed=4)
    assert hv.simulate(**settings, seed=4, jobs=3) == one
    assert hv.simulate(**settings, seed=5, jobs=3) != one


def test_a_point_does_not_depend_on_what_is_simulated_beside_it():
    many = points(
        hv.simulate(d=4, n=80, epsilons=[0.5, 1], runs=5, attack="disguise", adversaries=[0, 4, 8])
    )
    few = points(
        hv.simulate(
            d=4, n=80, epsilons=1, mechanisms="duel", runs=5, attack="disguise", adversaries=8
        )
    )
    honest = points(hv.simulate(d=4, n=80, epsilons=1, mechanisms="duel", runs=5))
    assert few
    assert honest
    assert all(many[key] == value for key, value in (few | honest).items())


def test_truth_is_counted_once_a_run(monkeypatch):
    counted = []
    monkeypatch.setattr(running, "totals", lambda *a: counted.append(1) or hv.totals(*a))
    hv.simulate(d=4, n=20, runs=7, attack="disguise", adversaries=[0, 2])
    assert len(counted) == 7


def test_errors_are_squared_summed_and_the_largest():
    found = running.measured(np.array([[1.0, 1.0, 0.0]]), np.array([0.5, 1.5, 1.5]))
    assert found[0, :3].tolist() == [2.75, 2.5, 1.5]


def test_ties_go_to_the_candidate_with_the_lowest_number():
    estimates = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 2.0]])
    metrics = running.measured(estimates, np.array([0.5, 1.5, 1.5]))
    assert metrics[:, 3].tolist() == [0, 1]
    assert metrics[:, 4].tolist() == [1, 0]


def test_estimates_are_means_over_honest_and_made_up_reports():
    """However many adversaries there are, a mean stays within the range of single views."""
    table = hv.simulate(
        d=3, n=50, epsilons=1, runs=3, attack="disguise", adversaries=5000, metrics="mae"
    )
    for row in table.to_pylist():
        mechanism = hv.mechanism(row["mechanism"], hv.borda(3), 1)
        assert row["mean"] < mechanism.shift() + 2, row
        assert row["mean"] > mechanism.shift() / 5, row


def test_every_number_of_adversaries_has_a_stream_of_its_own():
    from hushvote import attacks

    seen = []

    @hv.register_attack
    def listening(mechanism, truth, number, bits=None):
        seen.append(bits.bytes(8))
        return mechanism.disguise(0, 1, number, bits)

    try:
        hv.simulate(
            d=3, n=5, epsilons=[1, 2], mechanisms=["duel", "additive"], runs=2,
            attack="listening", adversaries=[1, 2],
        )  # fmt: skip
    finally:
        del attacks._registry["listening"]
    assert len(set(seen)) == len(seen) == 16
    plain = experiment(d=3, n=5).stream(0, "borda", "duel", 1).bytes(8)
    assert plain not in seen


def test_every_size_of_poll_and_every_epsilon_has_a_stream_of_its_own():
    polls = ((3, 5, 1), (4, 5, 1), (3, 6, 1), (3, 5, 2))
    streams = [experiment(d=d, n=n, seed=seed).stream(0) for d, n, seed in polls]
    assert len({stream.bytes(8) for stream in streams}) == len(polls)
    asked = experiment(d=3, n=5, epsilons=[1, 2], mechanisms="laplace")
    strong, weak = running.Plan(asked).run(0)[:, 0, 0, 1]
    assert strong != pytest.approx(2 * weak)  # not the same noise, scaled


def test_mean_and_standard_error_are_those_of_the_runs():
    asked = experiment(d=3, n=5, epsilons=1, mechanisms="duel", runs=4, metrics="tve")
    found = np.zeros((4, 1, 1, 1, 5))
    found[:, 0, 0, 0, 1] = [1, 2, 4, 5]
    (row,) = running.table(asked, found).to_pylist()
    assert (row["mean"], row["runs"]) == (3, 4)
    assert row["se"] == pytest.approx(math.sqrt(10 / 3 / 4))


def test_an_accuracy_on_which_all_runs_agree_is_not_certain():
    table = hv.simulate(
        d=3,
        n=50,
        epsilons=10,
        mechanisms="laplace",
        runs=5,
        metrics=["aow", "low"],
        electorate="mallows:phi=0",
    )
    accuracy, _ = table.to_pylist()
    assert accuracy["mean"] == 1
    assert accuracy["se"] == pytest.approx(math.sqrt(6 / 7 * 1 / 7 / 5))
    asked = experiment(d=3, n=5, epsilons=1, mechanisms="duel", runs=5, metrics="aow")
    (never,) = running.table(asked, np.zeros((5, 1, 1, 1, 5))).to_pylist()
    assert (never["mean"], never["se"]) == (0, pytest.approx(accuracy["se"]))


def test_every_named_mechanism_of_an_experiment_may_have_options():
    table = hv.simulate(d=5, n=30, epsilons=1, mechanisms=["additive:k=2", "additive"], runs=2)
    assert table["mechanism"].unique().to_pylist() == ["additive:k=2", "additive"]


# --- mistakes ---------------------------------------------------------------------------------

MISTAKES = {
    "runs must be a whole number from 2": {"runs": 1},
    "runs must be a whole number": {"runs": 2.5},
    "seed must be a whole number from 0": {"seed": -1},
    "n must be a whole number from 1": {"n": 0},
    "d must be a whole number from 2 to 64": {"d": 65},
    "scores 4 candidates, but there are 5": {"rule": "3,2,1,0", "d": 5},
    "there is no rule 'bordo'": {"rule": "bordo"},
    "a rule is named by a text, not 7": {"rule": 7},
    "there is no mechanism 'dual'": {"mechanisms": ["duel", "dual"]},
    "additive has no option 'q'": {"mechanisms": "additive:q=2"},
    "mechanisms names duel twice": {"mechanisms": ["duel", "duel"]},
    "mechanisms is empty": {"mechanisms": []},
    "epsilon must be a number above 0": {"epsilons": [1, 0]},
    "epsilons names 0.5 twice": {"epsilons": [0.5, "1/2"]},
    "there is no electorate 'mallow'": {"electorate": "mallow"},
    "an electorate is a text": {"electorate": 3},
    "electorate 'mallows' has no option 'psi'": {"electorate": "mallows:psi=1"},
    "electorate 'paper' has no option 'x'; it has none": {"electorate": "paper:x=1"},
    "phi must be a number from 0 to 1, not 2": {"electorate": "mallows:phi=2"},
    "plackett-luce needs 4 worths": {"d": 4, "electorate": "plackett-luce:worths=1,2"},
    "there is no such file": {"electorate": "nobody.soc"},
    "electorate 'file' needs a path": {"electorate": "file"},
    "there is no attack 'bribe'": {"attack": "bribe"},
    "adversaries need an attack": {"adversaries": 3},
    "adversaries need an attack: amplification or disguise": {"adversaries": [0, 3]},
    "or a share such as '1%', not 1.0": {"attack": "disguise", "adversaries": 1.0},
    "adversaries must be a whole number or a share": {"attack": "disguise", "adversaries": -1},
    "or a share such as '1%', not 'many'": {"attack": "disguise", "adversaries": "many"},
    "there is no metric 'rmse'": {"metrics": "rmse"},
    "jobs must be a whole number from 1": {"jobs": 0},
    "there is no metric ['tve']": {"metrics": [["tve"]]},
    "attack 'disguise' needs adversaries; say how many": {"attack": "disguise"},
    "12 is of no known format": {"electorate": "file:path=12"},
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_gets_one_clear_sentence(message):
    settings = {"n": 20, "runs": 2} | MISTAKES[message]
    with pytest.raises(hv.HushvoteError) as caught:
        hv.simulate(**settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_of_other_size_than_the_rule_is_refused(tmp_path):
    path = tmp_path / "ballots.csv"
    path.write_text("first,second,third\na,b,c\nc,b,a\n")
    with pytest.raises(hv.SimulationError, match="ranks 3 candidates, not 4"):
        hv.simulate(d=4, electorate=str(path))


def test_shares_of_adversaries_are_rounded_to_whole_reports():
    asked = experiment(n=250, attack="disguise", adversaries=["1%", 0.05, 7])
    assert asked.adversaries == (3, 13, 7)

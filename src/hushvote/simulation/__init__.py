"""Simulated polls: electorates, attacks, and experiments over many runs."""

from collections.abc import Sequence
from typing import Any

from hushvote.rules import Rule
from hushvote.simulation.electorates import electorate_names, register_electorate
from hushvote.simulation.experiment import METRICS, Experiment
from hushvote.simulation.running import run_all
from hushvote.simulation.settings import Settings, experiment, read_settings

__all__ = [
    "METRICS",
    "Experiment",
    "Settings",
    "electorate_names",
    "experiment",
    "read_settings",
    "register_electorate",
    "run_all",
    "simulate",
]


def simulate(
    rule: str | Rule = "borda",
    d: int | None = None,
    n: int | None = None,
    epsilons: Sequence[object] | object = (0.5, 1, 2),
    mechanisms: Sequence[str] | str | None = None,
    runs: int = 100,
    seed: int = 1,
    electorate: str = "paper",
    attack: str | None = None,
    adversaries: Sequence[object] | object | None = None,
    *,
    metrics: Sequence[str] | str = tuple(METRICS),
    jobs: int | None = 1,
) -> Any:
    """Simulate polls, and return the errors of every mechanism as a `pyarrow.Table`.

    One row a point: rule, d, n, electorate, attack, adversaries, mechanism, epsilon, metric, mean
    over the runs, its standard error, runs. The metrics compare the estimated mean scores with the
    honest voters' true ones: mse |·|² and tve |·|₁ of the difference, mae its largest entry, aow
    how often the winner is the right one, low how many points the winner is behind the right one.

    `rule`, `mechanisms` and `electorate` are names with options, as in "approval:k=3",
    "additive:k=2" and "mallows:phi=0.8"; a rule may be scores ("5,3,1,0"), an electorate a file of
    ballots. `adversaries` is one number or several, each a count or a share ("1%"); an attack
    needs it. The same seed gives the same numbers for any number of `jobs`, which are processes;
    None stands for all cores.
    """
    asked = experiment(
        rule, d, n, epsilons, mechanisms, electorate, attack, adversaries, metrics, runs, seed
    )
    return run_all(asked, jobs)

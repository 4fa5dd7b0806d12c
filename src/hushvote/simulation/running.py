"""Running experiments: runs in blocks, blocks in processes, results in a fixed order.

One run: draw the voters, count their truth once, then let every mechanism at every epsilon
estimate it, with every number of adversaries. The honest voters' reports are drawn once and
shared by all numbers of adversaries, so that these differ by the attack alone.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from hushvote import arrays, attacks, cores, rankings
from hushvote.errors import HushvoteError, SimulationError
from hushvote.mechanisms import Mechanism
from hushvote.mechanisms.contract import Floats
from hushvote.rankings import totals
from hushvote.simulation.experiment import METRICS, Experiment
from hushvote.simulation.points import table
from hushvote.simulation.sums import mean_view

BLOCK = 20  # runs that one process does at a time: the first of them makes tables for all

Progress = Callable[[int], None]
"""Called with the number of runs that were just done."""


class Plan:
    """An experiment with its mechanisms, designed once and shared by all processes."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment

    @cached_property
    def mechanisms(self) -> list[list[Mechanism]]:
        """One row an epsilon, one column a mechanism."""
        ask = self.experiment
        return [[ask.design(name, e) for name in ask.mechanisms] for e in ask.epsilons]

    @property
    def shape(self) -> tuple[int, ...]:
        """Epsilons, mechanisms, numbers of adversaries and metrics: the values of one run."""
        ask = self.experiment
        return len(ask.epsilons), len(ask.mechanisms), len(ask.adversaries), len(METRICS)

    def runs(self, numbers: range, done: Progress) -> Floats:
        """The metrics of some runs, one after the other."""
        arrays.keep_memory()
        found = np.empty((len(numbers), *self.shape))
        for i, number in enumerate(numbers):
            found[i] = self.run(number)
            done(1)
        return found

    def run(self, number: int) -> Floats:
        """The metrics of one run, of shape `shape`."""
        ask = self.experiment
        orders = ask.voters(number)
        truth = np.array([float(total / ask.n) for total in totals(orders, ask.rule)])
        estimates = np.empty((*self.shape[:3], ask.d))
        for e, row in enumerate(self.mechanisms):
            for m, mechanism in enumerate(row):
                setting = (ask.rule.name, ask.mechanisms[m], ask.epsilons[e])
                honest = mean_view(mechanism, orders, truth, ask.stream(number, *setting))
                for a, count in enumerate(ask.adversaries):
                    extra = self._extra(mechanism, truth, count, number, *setting)
                    estimates[e, m, a] = (ask.n * honest + extra) / (ask.n + count)
        return measured(estimates, truth)

    def _extra(
        self, mechanism: Mechanism, truth: Floats, count: int, run: int, *setting: object
    ) -> Floats | float:
        """The sum of the views of the adversaries' reports."""
        attack = self.experiment.attack
        if attack is None or not count:
            return 0.0
        rng = self.experiment.stream(run, *setting, attack, count)
        try:
            reports = attacks.sent(attack, mechanism, truth, count, rng)
            parts = (mechanism.views(reports[block]) for block in rankings.blocks(count))
            return np.asarray(np.sum([part.sum(axis=0) for part in parts], axis=0))
        except MemoryError:
            said = f"{count:,} adversaries do not fit into this machine's memory; simulate fewer"
            raise SimulationError(said, "adversaries", code="simulation.memory", n=count) from None


def measured(estimates: Floats, truth: Floats) -> Floats:
    """The metrics of estimates (last axis: candidates), in the order of `METRICS`.

    Of several candidates with the same score, the one with the lowest number counts as first.
    """
    off = np.abs(estimates - truth)
    chosen = estimates.argmax(axis=-1)
    winner = int(truth.argmax())
    return np.stack(
        [
            (off**2).sum(axis=-1),
            off.sum(axis=-1),
            off.max(axis=-1),
            (chosen == winner).astype(np.float64),
            truth[winner] - truth[chosen],
        ],
        axis=-1,
    )


def blocks(first: int, last: int) -> list[range]:
    """The runs from `first` to `last` - 1, in blocks that do not depend on how many there are."""
    starts = range(first, last, BLOCK)
    return [range(start, min(start + BLOCK, last)) for start in starts]


def values(
    plan: Plan, parts: Sequence[range], jobs: int = 1, progress: Progress = lambda _: None
) -> Iterator[tuple[range, Floats]]:
    """Run blocks of runs in `jobs` processes; yields each block as it is done."""
    _ = plan.mechanisms  # designed before the process is copied

    return cores.in_processes(plan.runs, parts, jobs, progress)


def run_all(ask: Experiment, jobs: int | None = 1, progress: Progress = lambda _: None) -> pa.Table:
    """Run a whole experiment."""
    jobs = checked_jobs(jobs)
    plan = Plan(ask)
    found = np.empty((ask.runs, *plan.shape))
    for runs, part in values(plan, blocks(0, ask.runs), jobs, progress):
        found[runs.start : runs.stop] = part
    return table(ask, found)


def checked_jobs(jobs: object) -> int:
    """How many processes are meant, if the number makes sense."""
    try:
        return cores.asked(jobs)
    except HushvoteError as error:
        raise SimulationError.of(error, "jobs") from None

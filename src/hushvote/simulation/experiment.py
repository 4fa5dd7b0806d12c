"""One experiment: what is simulated, and where its chance comes from.

Everything that is drawn comes from a stream of its own, named by the seed, the setting and the
run. So a figure does not depend on what else is simulated beside it, in which order, or on how
many processes share the work; and all mechanisms, epsilons, attacks and numbers of adversaries
meet the same voters.
"""

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from hushvote import choosing, exact
from hushvote.errors import MechanismError, SimulationError
from hushvote.mechanisms import Mechanism
from hushvote.rankings import Orders
from hushvote.rules import Rule
from hushvote.simulation.electorates import Voters

METRICS = {
    "mse": "mean squared error",
    "tve": "total variation error",
    "mae": "maximum absolute error",
    "aow": "accuracy of the winner",
    "low": "loss of the winner",
}


@dataclass(frozen=True)
class Experiment:
    """What to simulate. `experiment()` makes one from what a user wrote, and checks it."""

    rule: Rule
    n: int
    epsilons: tuple[Fraction, ...]
    mechanisms: tuple[str, ...]
    electorate: Voters
    attack: str | None
    adversaries: tuple[int, ...]
    metrics: tuple[str, ...]
    runs: int
    seed: int

    @property
    def d(self) -> int:
        """Number of candidates."""
        return self.rule.d

    def settings(self) -> dict[str, Any]:
        """Everything that decides the numbers of a run, as plain JSON."""
        return {
            "rule": [self.rule.name, *map(str, self.rule.scores)],
            "n": self.n,
            "epsilons": [str(epsilon) for epsilon in self.epsilons],
            "mechanisms": list(self.mechanisms),
            "electorate": self.electorate.text,
            "attack": self.attack,
            "adversaries": list(self.adversaries),
            "seed": exact.to_json(self.seed),
        }

    def design(self, name: str, epsilon: Fraction) -> Mechanism:
        """One of the mechanisms of this experiment."""
        try:
            return choosing.mechanism_written(name, self.rule, epsilon)
        except MechanismError as error:
            raise SimulationError.of(error, "mechanisms") from None

    def voters(self, run: int) -> Orders:
        """The honest voters of one run."""
        try:
            orders = self.electorate.draw(self.stream(run), self.n, self.d)
            return orders if run else self.electorate.checked(orders, self.n, self.d)
        except MemoryError:
            said = f"{self.n:,} voters do not fit into this machine's memory; simulate fewer"
            raise SimulationError(said, "n", code="simulation.memory", n=self.n) from None

    def stream(self, run: int, *setting: object) -> np.random.Generator:
        """The random stream of one run and setting; without a setting, that of the voters."""
        words = _words("/".join(map(str, (self.electorate.name, self.d, self.n, *setting))))
        seeds = np.random.SeedSequence((self.seed, *words), spawn_key=(run,))
        return np.random.Generator(np.random.PCG64(seeds))


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[int, ...]:
    digest = hashlib.sha256(text.encode()).digest()
    return tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))

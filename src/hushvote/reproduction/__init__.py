"""The paper's evaluation, all of it, by one call."""

from hushvote.reproduction.grid import EPSILONS, FEW_EPSILONS, GRID, Figure, named_figures
from hushvote.reproduction.reproducing import QUICK_RUNS, RUNS, Reproduced, Watch, reproduce

__all__ = [
    "EPSILONS",
    "FEW_EPSILONS",
    "GRID",
    "QUICK_RUNS",
    "RUNS",
    "Figure",
    "Reproduced",
    "Watch",
    "named_figures",
    "reproduce",
]

"""Figures of a running server, for whoever keeps it: how much, how fast, and what was refused.

No figure names a poll, a voter or an address. Those of votes could still tell when each of them
came, if they were looked at often enough: `observing` shows them by the minute.
"""

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hushvote.server.store.contract import Outcome, Write

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
DONE = "ok"  # the outcome of a request that was not refused

REQUESTS, COMMITS, BATCHES = "hushvote_requests_total", "hushvote_commit_seconds", "hushvote_batch"
WAITING, POLLS, WORKERS = "hushvote_waiting_votes", "hushvote_open_polls", "hushvote_workers"
MEMORY = "process_resident_memory_bytes"
FAMILIES = {
    REQUESTS: ("counter", "Requests by kind and by the code of what came of them."),
    COMMITS: ("histogram", "Seconds until a batch of votes was durable."),
    BATCHES: ("histogram", "Votes in a batch."),
    WAITING: ("gauge", "Votes that wait to be written."),
    POLLS: ("gauge", "Polls that are open."),
    WORKERS: ("gauge", "Processes that answer."),
    MEMORY: ("gauge", "Memory of all processes that answer."),
}
SHARED = {POLLS}  # levels that are the same for all workers, and not to be added up


class Commits(Protocol):
    """The part of a store that is timed."""

    def commit(self, writes: Sequence[Write]) -> Sequence[Outcome]:
        """Make votes durable."""


@dataclass(frozen=True)
class Figures:
    """Figures of one moment: what only grows, and what goes up and down."""

    counted: Mapping[str, float] = field(default_factory=dict)
    levels: Mapping[str, float] = field(default_factory=dict)


class Measures:
    """The figures of one worker. Each is written by one thread only, and may be read by all."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str]] = Counter()
        self._commits, self._batches = _Histogram(COMMITS, SECONDS), _Histogram(BATCHES, SIZES)
        self.levels: dict[str, Callable[[], float]] = {WORKERS: lambda: 1.0, MEMORY: _memory}

    def took(self, kind: str, outcome: str) -> None:
        """Count a request that was answered."""
        self.requests[kind, outcome] += 1

    def timed(self, store: Commits) -> Commits:
        """The same commits, with a clock beside them."""
        return _Timed(store, self._commits, self._batches)

    def figures(self) -> Figures:
        """All figures, as of now."""
        counted = {
            f'{REQUESTS}{{kind="{kind}",outcome="{outcome}"}}': float(number)
            for (kind, outcome), number in self.requests.copy().items()
        }
        counted |= self._commits.series() | self._batches.series()
        return Figures(counted, {name: level() for name, level in self.levels.items()})

    def faults(self) -> Counter[str]:
        """How often the server or its database was to blame, by code."""
        found: Counter[str] = Counter()
        for (_, outcome), number in self.requests.copy().items():
            if outcome.startswith(("server.", "store.")):
                found[outcome] += number
        return found


class _Timed:
    def __init__(self, store: Commits, times: "_Histogram", sizes: "_Histogram") -> None:
        self._store, self._times, self._sizes = store, times, sizes

    def commit(self, writes: Sequence[Write]) -> Sequence[Outcome]:
        began = time.perf_counter()
        outcomes = self._store.commit(writes)
        self._times.add(time.perf_counter() - began)
        self._sizes.add(len(writes))
        return outcomes


class _Histogram:
    def __init__(self, name: str, bounds: Sequence[float]) -> None:
        self._name, self._bounds = name, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def series(self) -> dict[str, float]:
        found, counts = {}, self._counts.copy()
        for place, bound in enumerate((*map(_number, self._bounds), "+Inf"), start=1):
            found[f'{self._name}_bucket{{le="{bound}"}}'] = float(sum(counts[:place]))
        return found | {f"{self._name}_sum": self._sum, f"{self._name}_count": float(sum(counts))}


def added(all_of: Iterable[Figures]) -> Figures:
    """The figures of several workers as those of one server."""
    counted: Counter[str] = Counter()
    levels: dict[str, float] = {}
    for one in all_of:
        counted.update(one.counted)
        for name, level in one.levels.items():
            before = levels.get(name, 0.0)
            levels[name] = max(before, level) if name in SHARED else before + level
    return Figures(dict(counted), levels)


def written(figures: Figures) -> str:
    """Figures in Prometheus' text format."""
    series = {**figures.counted, **figures.levels}
    lines = []
    for family, (kind, says) in FAMILIES.items():
        lines += [f"# HELP {family} {says}", f"# TYPE {family} {kind}"]
        lines += [f"{name} {_number(x)}" for name, x in series.items() if _is_of(name, family)]
    return "\n".join(lines) + "\n"


def _is_of(series: str, family: str) -> bool:
    name = series.partition("{")[0]
    return name == family or name.rpartition("_")[0] == family


def _number(x: float) -> str:
    return str(int(x)) if x == int(x) else repr(x)


def _memory() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0  # not Linux
    return float(pages * os.sysconf("SC_PAGE_SIZE"))

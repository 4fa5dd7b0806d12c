"""Does the time of a draw give the vote away? `python benchmarks/draw_times.py [--draws 200000]`.

An attacker with a clock of 1 µs on the voter's own machine sees a report and how long its draw
took. Two rankings, each drawn so many times in random turns; on one half of the draws the attacker
picks the event (a report, and a time above or below a threshold) whose chances differ most, on
the other half it is tested. What is printed is the epsilon that this event proves with 99.9 %
confidence; it must not exceed the stated one. The last line is a mechanism that must be caught: it
tosses its second coin only on tails.
"""

import argparse
import gc
import math
import time
from collections import Counter

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import stats

import hushvote as hv
from hushvote import lottery

CONFIDENCE = 0.999
STARTS = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


class Early(hv.Additive):
    """Additive as nobody should draw it."""

    name = "early (must be caught)"

    def _attempt(self, bits: lottery.Bits) -> list[int] | None:
        ranks = lottery.distinct(self.d, self.k, bits)
        excess = sum(self.rule.integers[r] for r in ranks) - self._least
        if lottery.below(self._most - self._least, bits) < excess:
            return ranks
        return ranks if lottery.below(self.odds.up, bits) < self.odds.down else None


def measured(made: hv.Mechanism, draws: int) -> list[list[tuple[bytes, int]]]:
    """For each of two rankings: what was seen, and the microseconds that it took."""
    order = list(range(made.d))
    rankings = (order, order[::-1])
    seen: list[list[tuple[bytes, int]]] = [[], []]
    turns = np.random.default_rng().permutation(np.repeat([0, 1], draws)).tolist()
    draw, clock, few = made.draw, time.perf_counter_ns, made.domain.size <= 4096
    for side in turns[:2000]:
        draw(rankings[side])
    gc.disable()
    for side in turns:
        ranking = rankings[side]
        start = clock()
        report = draw(ranking)
        took = (clock() - start) // 1000
        said = report.tobytes() if few else bytes([int(made.views(report)[0].argmax())])
        seen[side].append((said, took))
    gc.enable()
    return seen


def proved_epsilon(seen: list[list[tuple[bytes, int]]]) -> float:
    """Pick an event on one half, and bound its odds on the other."""
    half = len(seen[0]) // 2
    fit, test = [side[:half] for side in seen], [side[half:] for side in seen]
    best, event = -math.inf, (b"", 0, True)
    for said, _ in Counter(said for side in fit for said, _ in side).most_common(64):
        times = [np.sort([took for what, took in side if what == said]) for side in fit]
        pooled = np.sort(np.concatenate(times))
        for threshold in np.unique(pooled[[int(q * (len(pooled) - 1)) for q in STARTS]]):
            above = [len(t) - int(np.searchsorted(t, threshold)) for t in times]
            for late in (True, False):
                a, b = above if late else (len(t) - x for t, x in zip(times, above, strict=True))
                found = max(bound(a, b, half), bound(b, a, half))
                if found > best:
                    best, event = found, (said, int(threshold), late)
    said, threshold, late = event
    hits = [sum(s == said and (took >= threshold) == late for s, took in side) for side in test]
    return max(bound(hits[0], hits[1], half), bound(hits[1], hits[0], half))


def bound(more: int, less: int, n: int) -> float:
    """ln of the least ratio of two shares that fits these counts (Clopper and Pearson 1934)."""
    risk = (1 - CONFIDENCE) / 2
    low = stats.beta.ppf(risk, more, n - more + 1) if more else 0.0
    high = stats.beta.ppf(1 - risk, less + 1, n - less)
    return math.log(low / high) if low > 0 else -math.inf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200_000, help="a side")
    parser.add_argument("--candidates", type=int, default=4)
    parser.add_argument("--mechanisms", nargs="*", default=hv.mechanism_names())
    arguments = parser.parse_args()
    draws, d = arguments.draws, arguments.candidates
    table = Table(title=f"borda, {d} candidates, epsilon 1, {draws:,} draws a side")
    for column in ("mechanism", "median µs", "epsilon proved", "stated"):
        table.add_column(column, justify="left" if column == "mechanism" else "right")
    made = [hv.mechanism(name, hv.borda(d), 1) for name in arguments.mechanisms]
    for mechanism in (*made, Early(hv.borda(d), 1)):
        seen = measured(mechanism, draws)
        middle = float(np.median([took for side in seen for _, took in side]))
        found = proved_epsilon(seen)
        table.add_row(mechanism.name, f"{middle:.0f}", f"{found:.3f}", "1")
    Console().print(table)


if __name__ == "__main__":
    main()

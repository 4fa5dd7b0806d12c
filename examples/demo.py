"""A poll from ballot to result: 20 000 sample voters, their truth beside the private estimate.

Run it with `python examples/demo.py`.
"""

import numpy as np
from rich.console import Console
from rich.table import Table

import hushvote as hv

CANDIDATES = ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji", "Farid")
VOTERS = 20_000
EPSILON = 1.0


def electorate(n: int, d: int) -> np.ndarray:
    """Sample voters: each candidate has a strength, each voter an own opinion around it."""
    rng = np.random.default_rng(1)
    strength = np.linspace(1, 0.4, d)
    return np.argsort(-strength * rng.random((n, d)), axis=1).astype(np.uint8)


def main() -> None:
    """Show one voter's way, then the whole poll."""
    console = Console(highlight=False)
    rule = hv.borda(len(CANDIDATES))
    mechanism = hv.design(rule, epsilon=EPSILON, n=VOTERS).best
    orders = electorate(VOTERS, rule.d)

    reports = mechanism.privatize(orders)  # on each voter's device
    result = mechanism.tally(reports).named(CANDIDATES).result()  # at the counter's

    console.print(f"\n[bold]One voter.[/] Ranks {' > '.join(CANDIDATES[j] for j in orders[0])}.")
    console.print(f"The device sends: “{mechanism.words(reports[:1], CANDIDATES)}”")
    odds = float(mechanism.certificate().odds)
    console.print(f"No report is more than {odds:.2f} times likelier under one vote than another.")

    truth = [float(total) / VOTERS for total in hv.totals(orders, rule)]
    intervals = result.interval(0.95)
    table = Table(
        title=f"{VOTERS:,} voters, {mechanism.name}, epsilon {EPSILON:g}", title_justify="left"
    )
    for heading in ("place", "candidate", "true score", "estimate", "95 % interval", ""):
        table.add_column(heading, justify="left" if heading in ("candidate", "") else "right")
    for place, j in enumerate(result.order, start=1):
        low, high = intervals[j]
        inside = "[green]✓[/]" if low <= truth[j] <= high else "[red]✗[/]"
        table.add_row(
            str(place),
            CANDIDATES[j],
            f"{truth[j]:.3f}",
            f"{result.scores[j]:.3f}",
            f"{low:.3f} to {high:.3f}",
            inside,
        )
    console.print("\n[bold]All voters.[/] The truth is shown only because these are samples.")
    console.print(table)
    console.print(result.explain(0.95).words[0])
    console.print("Next: [bold].venv/bin/hushvote --help[/], and the tour in README.md.\n")


if __name__ == "__main__":
    main()

"""Makes the example that ships with hushvote: `python docs/council.py`.

A works council with five candidates and 10,000 simulated voters. Two camps rank by chance, each
candidate first with a probability that grows with its weight, then the next among those that are
left. No real vote is in it.
"""

import random
from collections import Counter
from pathlib import Path

CANDIDATES = ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji")
CAMPS = {  # the weight of each candidate, and how many voters there are
    (10, 3, 9, 2, 1): 6_000,
    (2, 4, 12, 7, 2): 4_000,
}
TARGET = Path(__file__).parents[1] / "src/hushvote/formats/examples/council.soc"


def text() -> str:
    """The file: the same at every call."""
    rng = random.Random(20)
    ballots = Counter(
        ranking(weights, rng) for weights, voters in CAMPS.items() for _ in range(voters)
    )
    orders = sorted(ballots, key=lambda order: (-ballots[order], order))
    head = {
        "FILE NAME": TARGET.name,
        "TITLE": "A works council: simulated voters, an example of hushvote",
        "DATA TYPE": "soc",
        "NUMBER ALTERNATIVES": len(CANDIDATES),
        "NUMBER VOTERS": sum(CAMPS.values()),
        "NUMBER UNIQUE ORDERS": len(orders),
        **{f"ALTERNATIVE NAME {i}": name for i, name in enumerate(CANDIDATES, start=1)},
    }
    lines = [f"# {key}: {value}" for key, value in head.items()]
    lines += [f"{ballots[order]}: {','.join(str(j + 1) for j in order)}" for order in orders]
    return "\n".join(lines) + "\n"


def ranking(weights: tuple[int, ...], rng: random.Random) -> tuple[int, ...]:
    """One vote."""
    left, order = list(range(len(weights))), []
    while left:
        (chosen,) = rng.choices(left, [weights[j] for j in left])
        left.remove(chosen)
        order.append(chosen)
    return tuple(order)


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")

"""Exact laws, for a test that draws many reports: every report with its chance.

Reports of Laplace are too many to list. Of each noisy score its exact distribution is cut into
bins of nearly the same chance instead; how scores hang together is fixed by the vectors.
"""

from fractions import Fraction
from typing import Any

from conformance import questions
from conformance.streams import Dice

import hushvote as hv
from hushvote.mechanisms.digits import WORD

BINS = 16
SIZES = ((3, "1"), (4, "2"), (5, "1"))


def laws() -> dict[str, Any]:
    """One law for every mechanism and number of candidates."""
    return {"laws": [law(made) for d, epsilon in SIZES for made in mechanisms(d, epsilon)]}


def mechanisms(d: int, epsilon: str) -> list[hv.Mechanism]:
    """One of each; the challenge without a key, so that it draws its questions."""
    mine = hv.Rule("mine", [Fraction(7, 2), *(Fraction(d - r, 3) for r in range(2, d)), -1])
    ratio = hv.Additive(mine, epsilon, k=1).odds.ratio

    def asked(kind: str) -> list[Any]:
        dice = Dice(f"law/{kind}/{d}")
        while True:
            found = questions.stepped(mine, dice, finer=kind == "duel")
            if kind == "challenge" or any("best" in one for one in found):
                return questions.unbiased(kind, mine, ratio, found)

    return [
        hv.Additive(mine, epsilon, k=d // 2),
        hv.Laplace(mine, epsilon),
        hv.WeightedSampling(mine, epsilon),
        hv.NaiveSampling(hv.nauru(d), epsilon),
        hv.Duel(mine, epsilon, questions=asked("duel")),
        hv.Challenge(mine, epsilon, questions=asked("challenge")),
    ]


def law(made: hv.Mechanism) -> dict[str, Any]:
    """Parameters, a ranking, and the chances of reports or of bins."""
    ranking = Dice(f"law/{made.name}/{made.d}/ranking").shuffled(range(made.d))
    found = {
        "name": f"{made.name} over {made.d}",
        "parameters": made.parameters(),
        "ranking": ranking,
    }
    if isinstance(made, hv.Laplace):
        return found | {"scores": [_score(made, ranking.index(j)) for j in range(made.d)]}
    outcomes = [
        {"report": made.domain.to_wire(report), "chance": str(chance)}
        for report, chance in made.outcomes(ranking)
        if chance
    ]
    return found | {"outcomes": outcomes}


# --- one noisy score ------------------------------------------------------------------------------


def _score(made: hv.Laplace, rank: int) -> list[dict[str, Any]]:
    """Bins of the noisy score of the candidate at a rank: from one number to another, both of
    them in the bin.
    """
    bins, low, before = [], made.low, Fraction(0)
    for i in range(1, BINS + 1):
        high = made.high if i == BINS else _quantile(made, rank, Fraction(i, BINS))
        until = at_most(made, rank, high)
        bins.append({"from": low, "to": high, "chance": str(until - before)})
        low, before = high + 1, until
    return bins


def _quantile(made: hv.Laplace, rank: int, share: Fraction) -> int:
    """The least number that a noisy score exceeds with a chance of at most 1 - share."""
    low, high = made.low, made.high
    while low < high:
        middle = (low + high) // 2
        if at_most(made, rank, middle) < share:
            low = middle + 1
        else:
            high = middle
    return low


def at_most(made: hv.Laplace, rank: int, x: int) -> Fraction:
    """The exact chance that the noisy score at a rank is x or less."""
    if x >= made.high:
        return Fraction(1)
    scaled = made.units_per_point * made.rule.scores[rank]
    floor = scaled.numerator // scaled.denominator
    up = Fraction(round(WORD * (scaled - floor)), WORD)  # the chance that the dither adds 1
    return (1 - up) * _noise_at_most(made, x - floor) + up * _noise_at_most(made, x - floor - 1)


def _noise_at_most(made: hv.Laplace, x: int) -> Fraction:
    """Noise is K or -1-K, each with chance 1/2."""
    half = Fraction(1, 2)
    return half + half * _below(made, x + 1) if x >= 0 else half * (1 - _below(made, -1 - x))


def _below(made: hv.Laplace, limit: int) -> Fraction:
    """The chance that K < limit: by its tail rounds, then by its digits from the highest down."""
    *coins, tail = (Fraction(M, WORD) for M in made.digits)
    rounds = limit >> len(coins)
    total, here = 1 - tail**rounds, tail**rounds * (1 - tail)
    for i in reversed(range(len(coins))):
        if limit >> i & 1:
            total += here * (1 - coins[i])
            here *= coins[i]
        else:
            here *= 1 - coins[i]
    return total

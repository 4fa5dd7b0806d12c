"""Hostile manifests: `python conformance/hostile.py --number 10000 --seed 1` writes JSON lines.

Each is a good manifest of any mechanism with one to three changes, and what Python says of it: the
`code` of the refusal and `who` must refuse it, or null for both if it is taken. Most changes are
made to the document, which is then written canonically, so that they reach the later checks.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from conformance import good, mutations, questions
from conformance.bad import COUNTER
from conformance.bad_parameters import base
from conformance.names import candidates
from conformance.polls import document
from conformance.streams import Dice

import hushvote as hv
from hushvote.canonical import canonical

SIZES = (2, 3, 4, 5, 6, 7, 8, 12)
EPSILONS = ("1", "1/2", "2", "1/10", "10")


@cache
def bases() -> list[str]:
    """Good manifests of every mechanism, over few candidates: what they cost, all changes cost."""
    found = []
    for name, make in good.MAKERS.items():
        for i, d in enumerate(SIZES):
            dice = Dice(f"hostile/{name}/{i}")
            made = make(d, EPSILONS[i % len(EPSILONS)], dice)
            found.append(_manifest(made, dice))
        found.append(_manifest(hv.mechanism_from(base(name)), Dice(f"hostile/{name}")))
    for kind in ("duel", "challenge"):
        large = questions.made(kind, hv.borda(64), "1", questions.pairwise(64))
        found.append(_manifest(large, Dice(f"hostile/{kind}/64")))
    return found


def _manifest(made: hv.Mechanism, dice: Dice) -> str:
    asks = "key" in made.parameters()
    settings = {
        "description": dice.one_of(("", "One.\nTwo.", "é")),
        "seats": dice.between(1, made.d - 1),
        "access": "codes" if asks else dice.one_of(("codes", "link")),
        "changes": dice.below(17),
        "partial": bool(dice.below(2)),
        "turnout": dice.between(20, 1000),
        "live": dice.one_of((0, 20, 100)),
    }
    written = document(made, candidates(made.d, dice), **settings)
    return canonical(written).decode()


def hostile(number: int, seed: object) -> Iterator[dict[str, Any]]:
    """So many of them, the same for the same seed."""
    for n in range(number):
        dice = Dice(f"hostile/{seed}/{n}")
        text = _changed(dice)
        code = verdict(text)
        who = None if code is None else "counter" if code in COUNTER else "client"
        yield {"text": text, "code": code, "who": who}


def _changed(dice: Dice) -> str:
    """One to three changes, first to the document, then to its text."""
    text: str = dice.one_of(bases())
    value: Any = json.loads(text)
    of_text: list[Callable[[str, Dice], str]] = []
    for _ in range(dice.one_of((1, 1, 1, 2, 2, 3))):
        if dice.below(6) == 0:
            of_text.append(dice.one_of(mutations.OF_TEXT))
        else:
            donor = json.loads(dice.one_of(bases()))
            value = dice.one_of(mutations.OF_DOCUMENT)(value, dice, donor)
    text = mutations.written(value)
    for change in of_text:
        text = change(text, dice)
    return text


def verdict(text: str) -> str | None:
    """The code with which Python refuses a manifest; None if it is taken."""
    try:
        hv.Poll.load(text)
    except hv.HushvoteError as error:
        return error.code
    return None


def main() -> None:
    """Write them to the standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    for one in hostile(given.number, given.seed):
        print(json.dumps(one))


if __name__ == "__main__":
    main()

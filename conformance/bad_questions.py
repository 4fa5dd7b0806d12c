"""Bad questions of duels and challenges."""

from collections.abc import Iterator
from typing import Any

from conformance import questions
from conformance.bad_parameters import Bad, Parameters, base, without

import hushvote as hv
from hushvote import exact

FIRST = "of two faults the first: "


def bad_questions() -> Iterator[Bad]:
    """All of them, in the order in which readers check."""
    yield from _forms()
    yield from _groups()
    yield from _numbers()
    yield from _costs()
    yield from _orders()


def _plain() -> list[dict[str, Any]]:
    """Good questions."""
    found: list[dict[str, Any]] = base("duel")["questions"]
    return found


def _asked(**change: Any) -> Parameters:
    """A good duel but for its first question."""
    first, *others = _plain()
    return _duel(first | change, *others)


def _duel(*asked: Any) -> Parameters:
    return base("duel") | {"questions": list(asked)}


def _forms() -> Iterator[Bad]:
    plain = _plain()
    good, code = base("duel"), "question.number"
    yield code, "no question at all", _duel()
    yield code, "more questions than candidates", _duel(*plain, *plain)
    yield code, "questions that are an object", good | {"questions": {"0": plain[0]}}
    yield code, "questions that are text", good | {"questions": "why?"}
    code = "question.form"
    for value in (None, [], "plus", 3):
        yield code, f"{type(value).__name__} instead of a question", _duel(value, *plain[1:])
    for member in plain[0]:
        yield code, f"question without {member}", _duel(without(plain[0], member), *plain[1:])
    yield code, "question with an unknown entry", _asked(colour="red")
    yield code, "finer question without a low", _asked(best=1, worst=1, high=2)
    yield code, "finer question without a best", _asked(worst=1, high=2, low=2)
    for number in (None, "1", True, [1], "9007199254740991", "-0"):
        yield code, f"question with a gain of {number!r}", _asked(gain=number)
    yield code, "question with a step of 400 digits", _asked(step="1" * 400)
    yield code, "question with weights in a text", _asked(weights="3210")
    yield code, "question with weights in an object", _asked(weights={"0": 3, "1": 2})
    yield code, "question with a weight that is true", _asked(weights=[3, 2, True, 0])


def _groups() -> Iterator[Bad]:
    first, challenge = _plain()[0], base("challenge")
    finer = {"best": 1, "worst": 1, "high": first["gain"] + 1, "low": first["loss"] + 1}
    pair = {"plus": 1, "minus": 1}
    code = "question.groups"
    yield code, "question with a group of nobody", _asked(plus=0)
    yield code, "question with a group of less than nobody", _asked(minus=-1)
    yield code, "question with more candidates than there are", _asked(plus=4)
    yield code, "finer question with too many candidates", _asked(**finer | {"best": 3}, **pair)
    yield code, "finer question with a best of -1", _asked(**finer | {"best": -1}, **pair)
    one, *others = challenge["questions"]
    four = [one | pair | finer, *others]
    yield code, "challenge with four groups", challenge | {"questions": four}
    eight = without(hv.Additive(hv.borda(8), 1, k=1).parameters(), "k") | {"mechanism": "duel"}
    many = questions.pairwise(8)[0] | finer | {"share": 2**32, "step": 1}
    yield code, "four groups for eight candidates", eight | {"questions": [many]}
    code = "question.marks"
    for name in ("gain", "loss"):
        for mark in (0, 64, -1):
            yield code, f"question with a {name} of {mark}", _asked(**{name: mark})
    for name, mark in (("high", first["gain"]), ("low", first["loss"]), ("high", 64)):
        reason = f"finer question with a {name} of {mark}"
        yield code, reason, _asked(**pair, **finer | {name: mark})


def _numbers() -> Iterator[Bad]:
    first, *others = _plain()
    share, step, limit = first["share"], int(first["step"]), 64**2 * 255
    for weights in ([3, 2, 1], [4, 3, 2, 1, 0], [256, 2, 1, 0], [3, 2, 1, -1], []):
        reason = f"question with the weights {weights}"
        yield "question.weights", reason, _asked(weights=weights)
    for threshold in (limit + 1, -limit - 1, str(2**60)):
        reason = f"question with a threshold of {threshold}"
        yield "question.threshold", reason, _asked(threshold=threshold)
    code = "question.share"
    yield code, "question with a share of 0", _asked(share=0)
    yield code, "question with a negative share", _asked(share=-5)
    yield code, "questions whose shares are not 2^32 in all", _asked(share=1)
    yield code, "shares that are 2^33 in all", _asked(share=share + 2**32)
    for wrong in (0, -1, str(2**80 + 1)):
        yield "question.step", f"question with a step of {wrong}", _asked(step=wrong)
    forged = _asked(step=exact.to_json(step - 2**30))
    yield "parameters.biased", "questions with a forged step", forged
    yield "parameters.biased", "challenge with a forged step", _doubled(base("challenge"))
    half = first | {"share": share // 2}
    twice = _duel(half, first | {"share": share - share // 2}, *others)
    yield "question.empty", "question twice", twice
    yield "question.empty", "question that nobody passes", _asked(threshold=10**6)


def _doubled(good: Parameters) -> Parameters:
    """The first step twice as large."""
    first, *others = good["questions"]
    step = exact.to_json(2 * int(first["step"]))
    return good | {"questions": [first | {"step": step}, *others]}


def _costs() -> Iterator[Bad]:
    """Questions over 64 candidates that take too long to count."""
    good = hv.Additive(hv.borda(64), 1, k=1).parameters()
    code, head = "parameters.cost", without(good, "k") | {"mechanism": "duel"}
    steep, flat = [255] * 32 + [0] * 32, [1] + [0] * 63
    close = [181] * 5 + [0] * 59  # with groups of 5, just below 2^22 cells a question

    def asked(plus: int, minus: int, weights: list[int], often: int = 1, **more: Any) -> Parameters:
        one = questions.question(plus, minus, 1, 1, weights, 1) | {"share": 2**32, "step": 1}
        return head | {"questions": [one | more] * often}

    yield code, "question with 2^64 groups or more", asked(20, 20, flat)
    yield code, "question with too many cells", asked(10, 10, steep)
    yield code, "halves with too many cells", asked(32, 32, [252 - 4 * r for r in range(64)])
    yield code, "questions with too many cells together", asked(5, 5, close, 17)
    yield code, FIRST + "cost, then threshold", asked(20, 20, flat, threshold=10**7)
    yield code, FIRST + "all cells, then all shares", asked(5, 5, close, 17, share=1)
    step = asked(5, 5, close, 17, step=0)
    yield "question.step", FIRST + "step, then all cells", step


def _orders() -> Iterator[Bad]:
    """Two faults in one question, or in two."""
    first, second, *others = _plain()
    faults: list[tuple[str, str, Any]] = [
        ("groups", "plus", 0),
        ("marks", "gain", 0),
        ("weights", "weights", [1]),
        ("threshold", "threshold", 10**7),
        ("share", "share", 0),
        ("step", "step", 0),
    ]
    for n, (code, member, value) in enumerate(faults):
        for then, other, bad in faults[n + 1 :]:
            changed = _asked(**{member: value, other: bad})
            yield f"question.{code}", f"{FIRST}{code}, then {then}", changed
    both = _duel(first | {"step": 0}, second | {"plus": 0}, *others)
    yield "question.step", FIRST + "a question, then the next", both
    both = _duel(first | {"plus": 0}, second | {"step": "1"}, *others)
    yield "question.form", FIRST + "the form of all, then a question", both
    both = _duel(first | {"share": 1}, second | {"step": 0}, *others)
    yield "question.step", FIRST + "every question, then all shares", both

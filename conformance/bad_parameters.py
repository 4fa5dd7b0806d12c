"""Bad parameters: one change away from good ones, or two, to show which is looked at first."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from conformance import questions

import hushvote as hv
from hushvote import exact
from hushvote.lottery import Odds, exp_below
from hushvote.mechanisms.digits import designed_digits

Parameters = dict[str, Any]
Bad = tuple[str, str, Any]  # the code, the reason, and what is refused
ONE = Odds.of(Fraction(1)).ratio
HUGE = 2**64


@cache
def base(name: str) -> Parameters:
    """Good parameters of every mechanism, over four candidates."""
    rule = hv.borda(4)
    if name in ("duel", "challenge"):
        rest = {"key": questions.KEY} if name == "challenge" else {}
        asked = questions.mixed(name, rule, ONE)
        return hv.mechanism(name, rule, 1, questions=asked, **rest).parameters()
    return hv.mechanism(name, rule, 1, **({"k": 2} if name == "additive" else {})).parameters()


def bad_parameters() -> Iterator[Bad]:
    """All but questions, in the order in which readers check."""
    yield from _objects()
    yield from _rules()
    yield from _odds()
    yield from _options()
    yield from _laplace()
    yield from _orders()


def without(document: Parameters, member: str) -> Parameters:
    """The same but for one member."""
    return {name: value for name, value in document.items() if name != member}


def _objects() -> Iterator[Bad]:
    good, code = base("additive"), "parameters.member"
    for value in (None, [good], True, 7):
        yield code, f"{type(value).__name__} instead of an object", value
    yield code, "no member at all", {}
    for member in good:
        yield code, f"{member} missing", without(good, member)
        yield code, f"{member} null", good | {member: None}
    yield code, "a member too many", good | {"j": 1}
    yield code, "a member too many that is null", good | {"j": None}
    yield code, "the name of a member in another case", without(good, "k") | {"K": 2}
    yield code, "masses of one's own", base("weighted-sampling") | {"masses": [1, 0, 1, 2]}
    yield code, "an intercept for naive sampling", base("naive-sampling") | {"intercept": "0"}
    yield code, "a largest gap, which only designers know", base("duel") | {"max_gap": 100}
    yield code, "a key for a duel", base("duel") | {"key": questions.KEY}
    yield code, "no questions, to be designed anew", without(base("duel"), "questions")
    yield code, "questions that are null", base("duel") | {"questions": None}
    yield code, "challenge without a key", without(base("challenge"), "key")
    yield code, "Laplace without digits", without(base("laplace"), "digits")
    code = "parameters.mechanism"
    yield code, "unknown mechanism", good | {"mechanism": "shouting"}
    yield code, "mechanism in capitals", good | {"mechanism": "Additive"}
    yield code, "mechanism of an object's own", good | {"mechanism": "constructor"}
    yield code, "mechanism that is a list", good | {"mechanism": ["additive"]}
    yield code, "mechanism that is false", good | {"mechanism": False}


def _rules() -> Iterator[Bad]:
    good = base("additive")

    def ruled(name: object, scores: object, **more: Any) -> Parameters:
        return good | {"rule": {"name": name, "scores": scores, **more}}

    four = ["3", "2", "1", "0"]
    code = "parameters.member"
    yield code, "rule that is text", good | {"rule": "borda"}
    yield code, "rule that is a list", good | {"rule": ["borda", four]}
    yield code, "rule without a name", good | {"rule": {"scores": four}}
    yield code, "rule with more than name and scores", ruled("borda", four, d=4)
    yield code, "rule whose name is null", ruled(None, four)
    yield code, "rule whose scores are null", ruled("borda", None)
    code = "parameters.canonical"
    forms = ["03", "-0", "+3", "3.0", "3/1", "6/2", "3/-1", " 3", "3 ", "", "٣", "0/1", "1" * 101]
    for form in forms:
        yield code, f"score {form[:8]!r}", ruled("x", [form, "2", "1", "0"])
    yield code, "score as a number", ruled("x", [3, "2", "1", "0"])
    yield code, "score that is null", ruled("x", ["3", None, "1", "0"])
    yield "rule.scores", "scores that are text", ruled("borda", "3210")
    yield "rule.scores", "scores that are an object", ruled("borda", {"0": "3", "1": "0"})
    yield "rule.size", "no scores", ruled("x", [])
    yield "rule.size", "one score", ruled("x", ["1"])
    yield "rule.size", "65 scores", ruled("x", [str(65 - r) for r in range(65)])
    for length, name in ((0, ""), (81, "n" * 81), (81, "🦊" * 81)):
        yield "name.length", f"rule's name of {length} characters: {name[:1]}", ruled(name, four)
    yield "name.length", "rule's name that is a number", ruled(5, four)
    for point in (0x7, 0x7F, 0x202E, 0xFEFF, 0x1FFFE):
        yield "name.character", f"rule's name with U+{point:04X}", ruled(f"x{chr(point)}", four)
    code = "rule.scores"
    yield code, "score above 10^12", ruled("x", [str(10**12 + 1), "2", "1", "0"])
    yield code, "score below -10^12", ruled("x", ["2", "1", "0", f"-{10**13 + 1}/10"])
    yield code, "denominator beyond 10^60", ruled("x", [f"1/{10**60 + 1}", "0"])
    yield code, "scores that rise", ruled("x", ["0", "1", "2"])
    yield code, "scores that rise at the end", ruled("x", ["3", "2", "0", "1/1000000000000"])
    primes = [f"1/{10**12 - n}" for n in (61, 39, 11, 5, 2, 1)]
    yield code, "scores without a small common denominator", ruled("x", primes)
    yield code, "scores that are all equal", ruled("x", ["1", "1", "1"])
    for name in ("borda", "nauru", "plurality", "antiplurality", "approval-3", "approval"):
        yield code, f"other scores than those of {name}", ruled(name, ["3", "2", "1/2", "0"])
    for name in ("borda-1", "borda-", "approval-02", "approval-4", "approval-٢", "approval-2-2"):
        scores = four if name.startswith("borda") else ["1", "1", "0", "0"]
        yield code, f"{name}, which is no rule's name", ruled(name, scores)
    first = "of two faults the first: "
    yield "parameters.canonical", first + "form, then number", ruled("", ["1.5"])
    yield "rule.size", first + "number, then name", ruled("", ["1"])
    yield "name.length", first + "name, then size", ruled("", [str(10**13), "0"])
    yield "name.character", first + "name, then order", ruled("x\n", ["0", "1"])
    yield "rule.scores", first + "order, then epsilon", ruled("x", ["0", "1"]) | {"epsilon": "0"}


def _odds() -> Iterator[Bad]:
    good = base("additive")
    up = good["odds"][0]
    code = "parameters.canonical"
    for epsilon in ("2/2", "1.0", "01", "1e0", "1e999999999", "+1", "", "1/0", " 1", "１"):
        yield code, f"epsilon {epsilon!r}", good | {"epsilon": epsilon}
    yield code, "epsilon as a number", good | {"epsilon": 1}
    yield code, "epsilon in a list", good | {"epsilon": ["1"]}
    code = "parameters.epsilon"
    for epsilon in ("11", "0", "-1", "100000000000001/10000000000000", "1/1000001"):
        yield code, f"epsilon {epsilon} out of range", good | {"epsilon": epsilon}
    code = "parameters.odds"
    pairs: dict[str, Any] = {
        "odds above exp(epsilon)": [up + 1, 2**32],
        "odds of 1 tell nothing": [2**32, 2**32],
        "odds below 1": [2**31, 2**32],
        "negative odds": [-5, -4],
        "odds of nothing": [1, 0],
        "odds beyond 64 bits": [str(HUGE + 1), str(HUGE)],
        "odds of one number": [2],
        "odds of three numbers": [5, 4, 3],
        "odds as text": "21",
        "odds as an object": {"0": 2, "1": 1},
        "odds that are true": [True, False],
        "small odds as text": ["2", "1"],
        "odds with a leading zero": [f"0{HUGE - 1}", str(HUGE - 2)],
        "odds with a sign": [f"+{HUGE - 1}", str(HUGE - 2)],
        "odds with a fraction": ["18446744073709551615/7", str(2**61)],
        "odds above exp(epsilon) by one in 2^63": [str(_most(2**62) + 1), str(2**62)],
        "odds just above e, as a double rounds it": [6121026514868074, 2251799813685248],
    }
    for reason, pair in pairs.items():
        yield code, reason, good | {"odds": pair}
    yield code, "epsilon lowered but odds kept", good | {"epsilon": "1/2"}
    for name in ("weighted-sampling", "naive-sampling", "laplace", "duel", "challenge"):
        yield code, f"odds above exp(epsilon) of {name}", base(name) | {"odds": [up + 1, 2**32]}
    for name in ("weighted-sampling", "naive-sampling"):
        yield code, f"odds of {name} whose root says nothing", base(name) | {"odds": [5, 4]}


def _most(down: int) -> int:
    """The largest A of odds A/B that keep epsilon 1."""
    return int(exp_below(Fraction(1)) * down)


def _options() -> Iterator[Bad]:
    good, weighted, naive = base("additive"), base("weighted-sampling"), base("naive-sampling")
    code = "parameters.option"
    for k in (0, 4, -1, "2", True, [2], 2**52):
        yield code, f"k of {k!r}", good | {"k": k}
    code = "parameters.canonical"
    for intercept in ("4/2", "middle", "0.5", 1, ["1"], "-0"):
        yield code, f"intercept {intercept!r}", weighted | {"intercept": intercept}
    below = {"name": "x", "scores": ["2", "1", "0", "-1"]}
    yield "parameters.option", "naive sampling with a score below 0", naive | {"rule": below}
    challenge = base("challenge")
    for key in ("xyz", "0", "AB", "0g", 0, [], "００"):
        yield "parameters.option", f"key {key!r}", challenge | {"key": key}
    first = "of two faults the first: "
    reason = first + "odds, then the option k"
    yield "parameters.odds", reason, good | {"odds": [1, 1], "k": 9}
    reason = first + "odds, then intercept"
    yield "parameters.odds", reason, weighted | {"odds": [1, 1], "intercept": "x"}
    reason = first + "odds, then a score below 0"
    yield "parameters.odds", reason, naive | {"odds": [1, 1], "rule": below}
    reason = first + "key, then questions"
    yield "parameters.option", reason, challenge | {"key": "x", "questions": []}


def _laplace() -> Iterator[Bad]:
    good = base("laplace")
    first, *rest = good["digits"]
    number = len(good["digits"])
    code = "parameters.option"
    large = {"name": "x", "scores": [str(10**12), "0"]}
    for reason, digits in {
        "digits as text": "12",
        "digits as an object": {first: 1, rest[0]: 2},
        "no digits": [],
        "one digit": [first],
        "too many digits": good["digits"] * 4,
        "digit out of range": [str(HUGE), *rest],
        "digit of nothing": [0, *rest],
        "digit below 0": [f"-{first}", *rest],
        "number with a leading zero": ["0" + first, *rest],
        "small digit as text": ["5", *rest],
        "digit that is true": [True, *rest],
        "digit that is null": [None, *rest],
    }.items():
        yield code, reason, good | {"digits": digits}
    reason = "scores that outgrow 64 bits"
    yield code, reason, good | {"rule": large, "epsilon": "1/1000000", "odds": [4294971590, 2**32]}
    code = "parameters.odds"
    yield code, "digits that leak", good | {"digits": [str(2**62)] * number}
    yield code, "digits in another order", good | {"digits": good["digits"][::-1]}
    yield code, "digits of a larger epsilon", good | {"digits": _digits("11/10")}
    for place in range(number):
        for way, by in (("lower", -(2**48)), ("higher", 2**48)):
            digits = [int(digit) for digit in good["digits"]]
            digits[place] += by
            shifted = [exact.to_json(digit) for digit in digits]
            yield code, f"digit {place} a little {way}", good | {"digits": shifted}
    yield code, "a tail that hardly ends", good | {"digits": [*good["digits"][:-1], str(HUGE - 1)]}
    yield code, "digits for votes that are undithered", _undithered()
    yield "parameters.cost", "noise that takes too many words", good | {"digits": slow_digits()}
    yield "parameters.biased", "noise that is cut off too often", good | {"digits": _digits("1/20")}


def _undithered() -> Parameters:
    """Digits that would keep epsilon if scores were rounded down, and nothing more."""
    made = hv.Laplace(hv.nauru(64), 1)
    units = [made.units_per_point * score for score in made.rule.scores]
    rounded = [unit.numerator // unit.denominator for unit in units]
    distance = sum(abs(a - b) for a, b in zip(rounded, reversed(rounded), strict=True))
    digits = designed_digits(Fraction(1), distance, 4)
    return made.parameters() | {"digits": [exact.to_json(digit) for digit in digits]}


def _digits(epsilon: str) -> list[int | str]:
    return [exact.to_json(digit) for digit in hv.Laplace(hv.borda(4), epsilon).digits]


def slow_digits() -> list[int | str]:
    """Digits that keep epsilon 1 for Borda over 4 candidates, but with a tail of many words."""
    coins = hv.Laplace(hv.borda(4), 1).digits[:12]
    odds = Fraction(1)
    for coin in coins:
        odds *= Fraction(coin, HUGE - coin)
    return [exact.to_json(coin) for coin in (*coins, round(HUGE * odds))]


def _orders() -> Iterator[Bad]:
    """Two faults in different members: the first in the order of README.md is given."""
    good = base("additive")
    rising = {"name": "x", "scores": ["0", "1", "2", "3"]}
    faults: list[tuple[str, str, Parameters]] = [
        ("parameters.mechanism", "mechanism", {"mechanism": "x"}),
        ("parameters.member", "members", {"j": 1}),
        ("rule.scores", "rule", {"rule": rising}),
        ("parameters.epsilon", "epsilon", {"epsilon": "11"}),
        ("parameters.odds", "odds", {"odds": [1, 1]}),
        ("parameters.option", "k", {"k": 0}),
    ]
    for n, (code, reason, change) in enumerate(faults):
        for _, other, more in faults[n + 1 :]:
            document = good | more | change
            yield code, f"of two faults the first: {reason}, then {other}", document

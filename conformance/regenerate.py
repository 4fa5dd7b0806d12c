"""Write draws.json and refusals.json anew: `python conformance/regenerate.py`.

The streams are SHA-256 in counter mode over each vector's name, so that they can be repeated.
"""

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import hushvote as hv
from hushvote import exact
from hushvote.canonical import canonical
from hushvote.lottery import FixedBits, Odds
from hushvote.mechanisms.duel.designing import DesignedQuestion, passing_groups

HERE = Path(__file__).parent
RULES = [hv.borda(2), hv.borda(5), hv.nauru(4), hv.plurality(3), hv.Rule("mine", ["5", "2.5", 0])]
LARGE = [hv.nauru(32), hv.borda(64)]
NAMES = ("additive", "laplace", "weighted-sampling", "naive-sampling")
VERSION = 3  # of the draws that these vectors describe
KEY = "00112233445566778899aabbccddeeff"

CODES = json.loads((HERE / "codes.json").read_text())  # reasons by code; README.md explains


def question(
    plus: int,
    minus: int,
    gain: int,
    loss: int,
    weights: Sequence[int],
    threshold: int,
    **finer: int,
) -> dict[str, Any]:
    """One question without its share and step."""
    sizes = {"plus": plus, "minus": minus, "gain": gain, "loss": loss}
    return {**sizes, **finer, "weights": list(weights), "threshold": threshold}


def unbiased(kind: str, rule: hv.Rule, odds: Fraction, asked: list[dict[str, Any]]) -> list[Any]:
    """The questions with shares that differ and the steps that make views unbiased: by exact
    elimination, so that the vectors do not change with any solver. Empty if a step is not above 0.
    """
    shares = [2**32 // len(asked) + 5 * t for t in range(len(asked))]
    shares[0] += 2**32 - sum(shares)
    read = [DesignedQuestion.from_json({**one, "share": 1, "step": 1}).question for one in asked]
    columns = [passing_groups(one).moves(kind, odds) for one in read]
    rows = [[*row, w - rule.mean] for *row, w in zip(*columns, rule.scores, strict=True)]
    for i in range(len(asked)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i]), None)
        if pivot is None:
            return []
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(len(rows)):
            if r != i and rows[r][i]:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    totals = [row[-1] for row in rows[: len(asked)]]
    if any(row[-1] for row in rows[len(asked) :]) or min(totals) <= 0:
        return []
    scale = Fraction(2**80) / rule.span
    return [
        {**one, "share": share, "step": exact.to_json(round(total * scale / share))}
        for one, share, total in zip(asked, shares, totals, strict=True)
    ]


def pairwise(d: int) -> list[dict[str, Any]]:
    """One candidate over another: all that Borda needs."""
    return [question(1, 1, 1, 1, range(d - 1, -1, -1), 1)]


def ladder(d: int) -> list[dict[str, Any]]:
    """Is the one of T+ among the first j? These reach any rule."""
    tops = ([1] * j + [0] * (d - j) for j in range(1, d))
    return [question(1, d - 1, 1, 2, top, 3 - 2 * sum(top)) for top in tops]


def varied(d: int) -> list[dict[str, Any]]:
    """The same with larger groups, at thresholds that tell the most."""
    found = []
    for j in range(1, d):
        a, b = 1 + j % 3, 1 + 2 * j % (d - 3)
        each = [question(a, b, 1 + b, 1 + a, [5] * j + [2] * (d - j), x) for x in range(-60, 60)]
        found.append(max(each, key=lambda one: _move(one)[0] - _move(one)[-1]))
    return found


def _move(one: dict[str, Any]) -> list[Fraction]:
    return passing_groups(
        DesignedQuestion.from_json({**one, "share": 1, "step": 1}).question
    ).moves("duel", Fraction(2))


def approving(d: int, k: int) -> list[dict[str, Any]]:
    """Large groups on the first k places."""
    return [question(d // 8, d // 8, 3, 2, [1] * k + [0] * (d - k), 1)]


def mixed(kind: str, rule: hv.Rule, odds: Fraction, finer: bool = False) -> list[Any]:
    """As many questions of unlike shapes as the rule can tell apart: the first set, of those that
    the digits of a hash make, whose steps are above 0.
    """
    d = rule.d
    for n in range(10_000):
        digits = iter(stream(f"mixed/{kind}/{rule.name}/{d}/{finer}/{n}", 1 << 12))
        asked = []
        for _ in range(d - 1):
            a = 1 + next(digits) % (d - 1)
            b = 1 + next(digits) % (d - a)
            weights = sorted((next(digits) % 12 for _ in range(d)), reverse=True)
            gain, loss = 1 + next(digits) % 5, 1 + next(digits) % 5
            more = {}
            if finer and a + b < d and next(digits) % 2:
                best = next(digits) % (d - a - b + 1)
                more = {"best": best, "worst": d - a - b - best, "high": gain + 2, "low": loss + 3}
            middle = (gain * a - loss * b) * sum(weights) // d
            asked.append(question(a, b, gain, loss, weights, middle + next(digits) % 7, **more))
        if finer and all("best" not in one for one in asked):
            continue
        if found := unbiased(kind, rule, odds, asked):
            return found
    raise AssertionError(f"no questions for {rule}")


def designs(kind: type[hv.Duel] | type[hv.Challenge]) -> list[hv.Mechanism]:
    """Questions that no solver chose."""
    rest: dict[str, Any] = {"key": KEY} if kind is hv.Challenge else {}

    def made(rule: hv.Rule, epsilon: str, asked: list[dict[str, Any]]) -> hv.Mechanism:
        solved = unbiased(kind.name, rule, Odds.of(Fraction(epsilon)).ratio, asked)
        return kind(rule, epsilon, questions=solved, **rest)

    found = [
        made(hv.borda(2), "1", pairwise(2)),
        made(hv.borda(5), "0.1", pairwise(5)),
        made(hv.borda(64), "1", pairwise(64)),
        made(hv.nauru(32), "1", ladder(32)),
        made(hv.nauru(8), "1", varied(8)),
        made(hv.approval(64, 20), "2", approving(64, 20)),
    ]
    odds = Odds.of(Fraction(1)).ratio
    found += [
        kind(rule, 1, questions=mixed(kind.name, rule, odds), **rest)
        for rule in (hv.borda(5), hv.nauru(5))
    ]
    if kind is hv.Duel:
        for rule in (hv.nauru(4), hv.borda(5)):
            found.append(kind(rule, 1, questions=mixed(kind.name, rule, odds, finer=True)))
    return found


def stream(name: str, length: int = 1 << 16) -> bytes:
    """Bytes that depend on nothing but the name."""
    blocks = (hashlib.sha256(f"{name}/{i}".encode()).digest() for i in range(length // 32))
    return b"".join(blocks)


def mechanisms() -> list[hv.Mechanism]:
    """Every mechanism on every rule, and a few settings that a default would miss."""
    made: list[hv.Mechanism] = [
        hv.mechanism(name, rule, epsilon)
        for rule in RULES
        for epsilon in ("0.1", "1")
        for name in NAMES
    ]
    made += [hv.mechanism(name, rule, 3) for rule in LARGE for name in NAMES]
    made += designs(hv.Duel) + designs(hv.Challenge)
    made += [
        hv.Additive(hv.borda(5), "0.5", k=3),
        hv.Additive(hv.nauru(32), "0.1", k=15),
        hv.WeightedSampling(hv.nauru(4), 2, intercept="lower"),
        hv.WeightedSampling(hv.borda(4), 1, intercept="1/2"),
    ]
    return made


def draws() -> list[dict[str, Any]]:
    """Two vectors a mechanism."""
    vectors = []
    for made in mechanisms():
        for i in range(2):
            name = f"{made.digest[:16]}/{i}"
            ranking = sorted(range(made.d), key=lambda j: stream(f"{name}/{j}", 32))
            bits = FixedBits(stream(name))
            vector = {
                "name": f"{made.name} {made.rule.name} {made.d} {i}",
                "parameters": made.parameters(),
                "digest": made.digest,
                "ranking": ranking,
            }
            if made.needs_question and i == 1:
                hashed = stream(f"{name}/question", 32)
                vector["question"] = hashed.hex()
                report = made.draw(ranking, bits, hashed)
            else:
                report = made.draw(ranking, bits)
            vector["stream"] = stream(name)[: bits.used].hex()
            vector["report"] = made.domain.to_wire(report)
            vectors.append(vector)
    return vectors


def refusals() -> dict[str, list[dict[str, Any]]]:
    """What must be refused: one change away from something good."""
    additive = hv.Additive(hv.borda(4), 1, k=2).parameters()
    weighted = hv.WeightedSampling(hv.borda(4), 1).parameters()
    laplace = hv.Laplace(hv.borda(4), 1).parameters()
    one = Odds.of(Fraction(1)).ratio
    plain = mixed("duel", hv.borda(4), one)
    duel = hv.Duel(hv.borda(4), 1, questions=plain).parameters()
    asked_of = mixed("challenge", hv.borda(4), one)
    challenge = hv.Challenge(hv.borda(4), 1, questions=asked_of, key=KEY).parameters()

    def asked(**change: Any) -> dict[str, Any]:
        return duel | {"questions": [plain[0] | change, *plain[1:]]}

    up = additive["odds"][0]
    half = plain[0] | {"share": plain[0]["share"] // 2}
    rest_of_it = plain[0] | {"share": plain[0]["share"] - half["share"]}
    finer = {"best": 1, "worst": 1, "high": plain[1]["gain"] - 1, "low": plain[1]["loss"] + 1}
    second, *rest = laplace["digits"]
    parameters = [
        ("odds above exp(epsilon)", additive | {"odds": [up + 1, 2**32]}),
        ("odds of 1 tell nothing", additive | {"odds": [2**32, 2**32]}),
        ("odds below 1", additive | {"odds": [2**31, 2**32]}),
        ("negative odds", additive | {"odds": [-5, -4]}),
        ("negative odds of weighted sampling", weighted | {"odds": [-5, -4]}),
        ("odds beyond 64 bits", additive | {"odds": [str(2**64 + 1), str(2**64)]}),
        ("epsilon too long to read", additive | {"epsilon": "1e999999999"}),
        (
            "rule with a name that cannot be shown",
            additive | {"rule": {"name": "\u0007", "scores": additive["rule"]["scores"]}},
        ),
        ("epsilon above 10", additive | {"epsilon": "11"}),
        ("epsilon of 0", additive | {"epsilon": "0"}),
        ("epsilon lowered but odds kept", additive | {"epsilon": "1/2"}),
        ("unknown mechanism", additive | {"mechanism": "shouting"}),
        ("k out of range", additive | {"k": 4}),
        ("k missing", {key: additive[key] for key in additive if key != "k"}),
        ("a parameter too many", additive | {"j": 1}),
        ("scores that rise", additive | {"rule": {"name": "x", "scores": ["0", "1", "2"]}}),
        ("masses of one's own", weighted | {"masses": [1, 0, 1, 2]}),
        ("intercept not in lowest terms", weighted | {"intercept": "4/2"}),
        ("questions whose shares are not 2^32 in all", asked(share=1)),
        ("question with a group of nobody", asked(plus=0)),
        ("question with more candidates than there are", asked(plus=4)),
        ("question with a gain of nothing", asked(gain=0)),
        ("question with a loss out of range", asked(loss=64)),
        (
            "question without a gain",
            duel | {"questions": [{k: v for k, v in q.items() if k != "gain"} for q in plain]},
        ),
        (
            "finer question with a high below its gain",
            duel | {"questions": [plain[0], plain[1] | finer, *plain[2:]]},
        ),
        ("finer question without a low", asked(best=1, worst=1, high=2)),
        ("finer question with too many candidates", asked(best=2, worst=1, high=2, low=2)),
        ("question with too few weights", asked(weights=[3, 2, 1])),
        ("question with a weight above 255", asked(weights=[256, 2, 1, 0])),
        ("questions with a forged step", asked(step=plain[0]["step"] - 2**30)),
        ("question with a step beyond 2^80", asked(step=str(2**80 + 1))),
        ("question with a step of 400 digits", asked(step="1" * 400)),
        ("question twice", duel | {"questions": [half, rest_of_it, *plain[1:]]}),
        ("more questions than candidates", duel | {"questions": [*plain, half, half]}),
        ("no questions, to be designed anew", {k: duel[k] for k in duel if k != "questions"}),
        ("questions that are null", duel | {"questions": None}),
        ("question that nobody passes", asked(threshold=10**6)),
        ("small number as text", additive | {"k": "2"}),
        ("number with a leading zero", laplace | {"digits": ["0" + second, *rest]}),
        ("large number not as text", laplace | {"digits": [int(second), *rest]}),
        ("true for 1", additive | {"k": True}),
        ("epsilon as a number", additive | {"epsilon": 1}),
        ("epsilon not in lowest terms", additive | {"epsilon": "2/2"}),
        (
            "scores without a small common denominator",
            additive
            | {"rule": {"name": "x", "scores": [f"1/{10**12 - n}" for n in (61, 39, 11, 5, 2, 1)]}},
        ),
        ("question with a negative weight", asked(weights=[3, 2, 1, -1])),
        ("question without a step", asked(step=0)),
        ("question with an unknown entry", asked(colour="red")),
        ("no question at all", duel | {"questions": []}),
        ("duel with odds above exp(epsilon)", duel | {"odds": [2**34, 2**32]}),
        ("key that is not hexadecimal", challenge | {"key": "xyz"}),
        ("digits that leak", laplace | {"digits": [str(2**62)] * len(laplace["digits"])}),
        ("too many digits", laplace | {"digits": laplace["digits"] * 4}),
        ("noise that takes too many words", laplace | {"digits": slow_digits()}),
        ("digit out of range", laplace | {"digits": [str(2**64), *laplace["digits"][1:]]}),
    ]
    rankings = [
        ("too short", [0, 1, 2]),
        ("too long", [0, 1, 2, 3, 4]),
        ("twice", [0, 1, 1, 3]),
        ("out of range", [0, 1, 2, 4]),
        ("negative", [0, -1, 2, 3]),
    ]
    sent: dict[str, Any] = {"type": 0, "plus": [0], "minus": [1, 2, 3]}
    reports: list[tuple[str, dict[str, Any], Any]] = [
        ("too few candidates", additive, {"chosen": [1]}),
        ("too many candidates", additive, {"chosen": [0, 1, 2]}),
        ("candidate out of range", additive, {"chosen": [0, 4]}),
        ("candidate twice", additive, {"chosen": [1, 1]}),
        ("not in rising order", additive, {"chosen": [2, 1]}),
        ("not a list", additive, {"chosen": 3}),
        ("a truth value is no candidate", additive, {"chosen": [True, 2]}),
        ("a field missing", additive, {}),
        ("a field too many", additive, {"chosen": [0, 1], "name": "Ann"}),
        ("not an object", additive, [0, 1]),
        ("class out of range", weighted, {"class": 2, "marked": [0]}),
        ("class missing", weighted, {"marked": [0]}),
        ("type out of range", duel, {"type": 3, "plus": [0], "minus": [1]}),
        ("wrong group size for the type", duel, {"type": 0, "plus": [], "minus": [2]}),
        ("groups that share a candidate", duel, {"type": 1, "plus": [1], "minus": [1]}),
        ("answer missing", challenge, sent),
        ("answer neither 0 nor 1", challenge, sent | {"answer": 2}),
        ("score out of range", laplace, {f"score_{j}": 2**40 * (j == 2) for j in range(4)}),
        ("score not whole", laplace, {f"score_{j}": 0.5 * (j == 2) for j in range(4)}),
    ]
    good = canonical(additive).decode()
    unordered = json.dumps(additive, separators=(",", ":"))
    written = [
        ("a blank", good.replace(",", ", ", 1)),
        ("a line end", good + "\n"),
        ("members in another order", unordered),
        ("a letter escaped that need not be", good.replace("borda", "bord\\u0061")),
        ("a whole number with a point", good.replace('"k":2', '"k":2.0')),
        ("a member twice", good.replace('"k":2', '"k":2,"k":2')),
        ("half of the text", good[: len(good) // 2]),
        ("nothing", ""),
    ]
    names = [
        ("a mark of direction", "Ann\u202e"),
        ("a character of no width", "A\u200bnn"),
        ("a line separator", "Ann\u2028"),
        ("a noncharacter", "Ann\uffff"),
        ("a control character", "Ann\u0085"),
        ("no character", ""),
        ("201 characters", "n" * 201),
    ]
    found: dict[str, list[dict[str, Any]]] = {
        "parameters": [{"reason": why, "parameters": bad} for why, bad in parameters],
        "texts": [{"reason": why, "text": bad} for why, bad in written],
        "names": [{"reason": why, "name": bad} for why, bad in names],
        "rankings": [
            {"reason": why, "parameters": additive, "ranking": bad} for why, bad in rankings
        ],
        "reports": [
            {"reason": why, "parameters": kind, "report": bad} for why, kind, bad in reports
        ],
        "streams": [
            {
                "reason": "the stream runs out",
                "parameters": additive,
                "ranking": [3, 1, 0, 2],
                "stream": "00",
            }
        ],
    }
    codes = {reason: code for code, reasons in CODES.items() for reason in reasons}
    return {
        kind: [{"reason": one["reason"], "code": codes[one["reason"]]} | one for one in entries]
        for kind, entries in found.items()
    }


def slow_digits() -> list[int | str]:
    """Digits that keep epsilon 1 for Borda over 4 candidates, but with a tail of many words."""
    coins = hv.Laplace(hv.borda(4), 1).digits[:12]
    odds = Fraction(1)
    for coin in coins:
        odds *= Fraction(coin, 2**64 - coin)
    return [exact.to_json(coin) for coin in (*coins, round(2**64 * odds))]


def lines(entries: list[dict[str, Any]]) -> str:
    """One entry a line, so that a change shows as a small difference."""
    return "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]"


def write(name: str, kinds: dict[str, list[dict[str, Any]]]) -> None:
    """A file with its version in its head."""
    parts = [f'"version": {VERSION}', *(f'"{kind}": {lines(each)}' for kind, each in kinds.items())]
    (HERE / name).write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    write("draws.json", {"vectors": draws()})
    write("refusals.json", refusals())

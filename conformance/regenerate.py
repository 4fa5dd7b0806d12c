"""Write draws.json and refusals.json anew: `python conformance/regenerate.py`.

The streams are SHA-256 in counter mode over each vector's name, so that they can be repeated.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import hushvote as hv
from hushvote.lottery import FixedBits

HERE = Path(__file__).parent
RULES = [hv.borda(2), hv.borda(5), hv.nauru(4), hv.plurality(3), hv.Rule("mine", ["5", "2.5", 0])]
LARGE = [hv.nauru(32), hv.borda(64)]
NAMES = ("additive", "laplace", "weighted-sampling", "naive-sampling")
KEY = "00112233445566778899aabbccddeeff"


def questions(d: int) -> list[dict[str, Any]]:
    """Questions that no solver chose, so that the vectors never change with one."""
    ranks = list(range(d - 1, -1, -1))
    third = 2**32 // 3
    odd = [3 * w % 7 for w in ranks]
    one: dict[str, Any] = {"plus": 1, "minus": 1, "gain": 1, "loss": 1, "weights": ranks}
    two = {"plus": d - 1, "minus": 1, "gain": 1, "loss": d - 1, "weights": odd}
    few = {"plus": max(1, d // 8), "minus": min(d // 2, 8), "gain": 3, "loss": 2, "weights": ranks}
    one, two, few = one | {"threshold": 1}, two | {"threshold": 2}, few | {"threshold": -3}
    return [
        one | {"share": third, "step": 3 * 2**40},
        two | {"share": third + 5, "step": 5 * 2**39},
        few | {"share": 2**32 - 2 * third - 5, "step": str(2**57 + 1), "expected": -(2**30)},
    ]


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
    for rule in (hv.borda(2), hv.borda(5), hv.nauru(8), hv.nauru(32), hv.borda(64)):
        asked = questions(rule.d)
        plain = [{k: v for k, v in one.items() if k != "expected"} for one in asked]
        made += [
            hv.Duel(rule, 1, questions=plain),
            hv.Duel(rule, "0.1", questions=[plain[2] | {"share": 2**32}]),
            hv.Challenge(rule, 1, questions=asked, key=KEY),
        ]
    one, two, _ = ({k: v for k, v in q.items() if k != "expected"} for q in questions(5))
    finer = one | {"best": 1, "worst": 2, "high": 4, "low": 3, "threshold": 2}
    made += [
        hv.Duel(hv.borda(5), 1, questions=[finer | {"share": 2**32}]),
        hv.Duel(hv.borda(5), 1, questions=[finer, two | {"share": 2**32 - finer["share"]}]),
        hv.Additive(hv.borda(5), "0.5", k=3),
        hv.Additive(hv.nauru(32), "0.1", k=15),
        hv.WeightedSampling(hv.nauru(4), 2, intercept="lower"),
        hv.WeightedSampling(hv.borda(4), 1, intercept="1/2", masses=[3, 1, 1, 7]),
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
            if isinstance(made, hv.Challenge) and i == 1:
                credential = stream(f"{name}/credential", 32)
                vector["credential"] = credential.hex()
                report = made.draw(ranking, bits, credential=credential)
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
    plain = [{k: v for k, v in one.items() if k != "expected"} for one in questions(4)]
    duel = hv.Duel(hv.borda(4), 1, questions=plain).parameters()
    challenge = hv.Challenge(hv.borda(4), 1, questions=questions(4), key=KEY).parameters()

    def asked(**change: Any) -> dict[str, Any]:
        return duel | {"questions": [plain[0] | change, *plain[1:]]}

    up = additive["odds"][0]
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
        ("mass 0 where the score is not the intercept", weighted | {"masses": [0, 0, 1, 2]}),
        ("masses not in lowest terms", weighted | {"masses": [2, 0, 2, 4]}),
        ("questions whose shares are not 2^32 in all", asked(share=1)),
        ("question with a group of nobody", asked(plus=0)),
        ("question with more candidates than there are", asked(plus=4)),
        ("question with a gain of nothing", asked(gain=0)),
        ("question with a loss out of range", asked(loss=64)),
        (
            "question without a gain",
            duel | {"questions": [{k: v for k, v in q.items() if k != "gain"} for q in plain]},
        ),
        ("finer question with a high below its gain", asked(best=1, worst=1, high=1, low=2)),
        ("finer question without a low", asked(best=1, worst=1, high=2)),
        ("finer question with too many candidates", asked(best=2, worst=1, high=2, low=2)),
        ("question with too few weights", asked(weights=[3, 2, 1])),
        ("question with a negative weight", asked(weights=[3, 2, 1, -1])),
        ("question without a step", asked(step=0)),
        ("question with an unknown entry", asked(colour="red")),
        ("no question at all", duel | {"questions": []}),
        ("duel with odds above exp(epsilon)", duel | {"odds": [2**34, 2**32]}),
        ("key that is not hexadecimal", challenge | {"key": "xyz"}),
        ("digits that leak", laplace | {"digits": [str(2**62)] * len(laplace["digits"])}),
        ("too many digits", laplace | {"digits": laplace["digits"] * 4}),
        ("digit out of range", laplace | {"digits": [str(2**64), *laplace["digits"][1:]]}),
    ]
    rankings = [
        ("too short", [0, 1, 2]),
        ("too long", [0, 1, 2, 3, 4]),
        ("twice", [0, 1, 1, 3]),
        ("out of range", [0, 1, 2, 4]),
        ("negative", [0, -1, 2, 3]),
    ]
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
        ("wrong group size for the type", duel, {"type": 0, "plus": [0, 1], "minus": [2]}),
        ("groups that share a candidate", duel, {"type": 0, "plus": [1], "minus": [1]}),
        ("answer missing", challenge, {"type": 0, "plus": [0], "minus": [1]}),
        ("answer neither 0 nor 1", challenge, {"type": 0, "plus": [0], "minus": [1], "answer": 2}),
        ("score out of range", laplace, {f"score_{j}": 2**40 * (j == 2) for j in range(4)}),
        ("score not whole", laplace, {f"score_{j}": 0.5 * (j == 2) for j in range(4)}),
    ]
    return {
        "parameters": [{"reason": why, "parameters": bad} for why, bad in parameters],
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


def lines(entries: list[dict[str, Any]]) -> str:
    """One entry a line, so that a change shows as a small difference."""
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n]"


if __name__ == "__main__":
    (HERE / "draws.json").write_text(lines(draws()) + "\n", encoding="utf-8")
    parts = (f'"{kind}": {lines(entries)}' for kind, entries in refusals().items())
    (HERE / "refusals.json").write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")

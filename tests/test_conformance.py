"""The conformance vectors, good and bad, and a second reading of how a draw uses its bytes."""

import hmac
import json
import math
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from conformance import regenerate

import hushvote as hv
from hushvote.lottery import FixedBits

FOLDER = Path(regenerate.__file__).parent
KEPT = json.loads((FOLDER / "draws.json").read_text(encoding="utf-8"))
DRAWS = KEPT["vectors"]
REFUSALS = json.loads((FOLDER / "refusals.json").read_text(encoding="utf-8"))


def ids(entry: dict) -> str:
    return entry.get("name") or entry["reason"]


@pytest.mark.parametrize("vector", DRAWS, ids=ids)
def test_a_fixed_stream_gives_a_fixed_report_and_is_used_up(vector):
    made = hv.mechanism_from(vector["parameters"])
    assert made.digest == vector["digest"]
    bits = FixedBits(bytes.fromhex(vector["stream"]))
    hashed = bytes.fromhex(vector["question"]) if "question" in vector else None
    report = made.draw(vector["ranking"], bits, hashed)
    assert made.domain.to_wire(report) == vector["report"]
    assert bits.used == len(vector["stream"]) // 2
    assert made.domain.from_wire(vector["report"]) == report


@pytest.mark.parametrize("vector", DRAWS, ids=ids)
def test_draws_follow_their_written_description(vector):
    """An independent reading of conformance/README.md, from the parameters alone."""
    given = vector["parameters"]
    stream = Stream(bytes.fromhex(vector["stream"]))
    report = {
        "additive": read_additive,
        "weighted-sampling": read_sampling,
        "naive-sampling": read_sampling,
        "laplace": read_laplace,
        "duel": read_duel,
        "challenge": partial(read_challenge, question=vector.get("question")),
    }[given["mechanism"]](given, vector["ranking"], stream)
    assert report == vector["report"]
    assert not stream.left


class Stream:
    def __init__(self, left: bytes) -> None:
        self.left = left

    def below(self, limit: int) -> int:
        width = (limit - 1).bit_length()
        while True:
            size = math.ceil(width / 8)
            head, self.left = self.left[:size], self.left[size:]
            number = int(head.hex() or "0", 16) % 2**width
            if number < limit:
                return number


def read_additive(given, ranking, stream):
    scores = [Fraction(w) for w in given["rule"]["scores"]]
    scale = math.lcm(*(w.denominator for w in scores))
    W, k, d = [int(w * scale) for w in scores], given["k"], len(scores)
    most, least = sum(W[:k]), sum(W[-k:])
    while True:
        T = distinct(d, k, stream)
        heads = stream.below(most - least) < sum(W[r] for r in T) - least
        kept = stream.below(given["odds"][0]) < given["odds"][1]
        if heads or kept:
            break
    return {"chosen": sorted(ranking[r] for r in T)}


def read_sampling(given, ranking, stream):
    scores = [Fraction(w) for w in given["rule"]["scores"]]
    c = Fraction(given.get("intercept", 0))
    away = [abs(w - c) for w in scores]
    scale = math.lcm(*(x.denominator for x in away))
    whole = [int(x * scale) for x in away]
    masses = [x // math.gcd(*whole) for x in whole]
    up, down = given["odds"]
    root = math.isqrt(up * down)
    x, rank = stream.below(sum(masses)), 0
    while x >= sum(masses[: rank + 1]):
        rank += 1
    marked = []
    for j in range(len(scores)):
        flip = stream.below(root + down) < down
        if (j == ranking[rank]) != flip:
            marked.append(j)
    gains = [(w - c) / m if m else None for w, m in zip(scores, masses, strict=True)]
    values = sorted({g for g in gains if g is not None}, reverse=True)
    report = {"marked" if values[0] > 0 else "against": marked}
    if len(values) > 1:
        report["class"] = values.index(gains[rank])
    return report


def pick_question(given, d, stream):
    shares = [q["share"] for q in given["questions"]]
    x, t = stream.below(sum(shares)), 0
    while x >= sum(shares[: t + 1]):
        t += 1
    return t, given["questions"][t]


def distinct(d, count, stream):
    numbers = list(range(d))
    for i in range(count):
        j = i + stream.below(d - i)
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return numbers[:count]


def read_duel(given, ranking, stream):
    t, q = pick_question(given, len(ranking), stream)
    names = ["plus", "minus"]
    if any("best" in one for one in given["questions"]):
        names += ["best", "worst"]
    while True:
        drawn = distinct(len(ranking), sum(q.get(name, 0) for name in names), stream)
        groups = {}
        for name in names:
            groups[name], drawn = drawn[: q.get(name, 0)], drawn[q.get(name, 0) :]
        marks = (("plus", "gain", 1), ("minus", "loss", -1), ("best", "high", 1))
        x = sum(
            sign * q[mark] * sum(q["weights"][r] for r in groups[name])
            for name, mark, sign in (*marks, ("worst", "low", -1))
            if mark in q
        )
        kept = stream.below(given["odds"][0]) < given["odds"][1]
        if x >= q["threshold"] or kept:
            break
    report = {name: sorted(ranking[r] for r in ranks) for name, ranks in groups.items()}
    return report if len(given["questions"]) == 1 else {"type": t, **report}


def read_challenge(given, ranking, stream, question):
    asking = stream
    if question is not None:
        key, message = bytes.fromhex(given["key"]), bytes.fromhex(question)
        blocks = (hmac.new(key, message + bytes([0, 0, 0, i]), "sha256") for i in range(40))
        asking = Stream(b"".join(block.digest() for block in blocks))
    t, q = pick_question(given, len(ranking), asking)
    a, b = q["plus"], q["minus"]
    candidates = distinct(len(ranking), a + b, asking)
    weight = dict(zip(ranking, q["weights"], strict=True))
    x = q["gain"] * sum(weight[c] for c in candidates[:a])
    x -= q["loss"] * sum(weight[c] for c in candidates[a:])
    up, down = given["odds"]
    truth = int(x >= q["threshold"])
    answer = truth if stream.below(up + down) < up else 1 - truth
    report = {
        "plus": sorted(candidates[:a]),
        "minus": sorted(candidates[a:]),
        "answer": answer,
    }
    return report if len(given["questions"]) == 1 else {"type": t, **report}


def read_laplace(given, ranking, stream):
    scores = [Fraction(w) for w in given["rule"]["scores"]]
    d = len(scores)
    g = math.ceil(2**20 / sum(abs(scores[j] - scores[d - 1 - j]) for j in range(d)))
    floors = [math.floor(g * w) for w in scores]
    dither = [round(2**64 * (g * w - q)) for w, q in zip(scores, floors, strict=True)]

    def steps(u):
        return [q + (u < f) for q, f in zip(floors, dither, strict=True)]

    words = [0, *dither]
    N = max(sum(abs(Y[j] - Y[d - 1 - j]) for j in range(d)) for Y in map(steps, words))
    cut = math.floor(64 * N / Fraction(given["epsilon"]))
    Y = steps(stream.below(2**64))
    M = [int(m) for m in given["digits"]]
    last = len(M) - 1
    T = math.ceil(Fraction(floors[0] - floors[-1] + 1 + cut, 2**last))
    report = {}
    for j in range(d):
        K = sum(2**i for i in range(last) if stream.below(2**64) < M[i])
        words = [stream.below(2**64) for _ in range(T)]
        leading = next((i for i, word in enumerate(words) if word >= M[last]), T)
        K += 2**last * leading
        noisy = Y[ranking.index(j)] + (-1 - K if stream.below(2) else K)
        report[f"score_{j}"] = min(max(noisy, floors[-1] - cut), floors[0] + 1 + cut)
    return report


@pytest.mark.parametrize("bad", REFUSALS["parameters"], ids=ids)
def test_bad_parameters_are_refused(bad):
    with pytest.raises(hv.HushvoteError) as caught:
        hv.mechanism_from(bad["parameters"])
    assert caught.value.code == bad["code"]


@pytest.mark.parametrize("bad", REFUSALS["texts"], ids=ids)
def test_bad_texts_of_parameters_are_refused(bad):
    with pytest.raises(hv.MechanismError) as caught:
        hv.mechanism_from(bad["text"])
    assert caught.value.code == bad["code"]


@pytest.mark.parametrize("bad", REFUSALS["names"], ids=ids)
def test_bad_names_are_refused(bad):
    with pytest.raises(hv.RankingError) as caught:
        hv.Rankings([[0, 1]], ("Bob", bad["name"]))
    assert caught.value.code == bad["code"]
    with pytest.raises(hv.RuleError) as of_rule:
        hv.Rule(bad["name"], [1, 0])
    assert of_rule.value.code == bad["code"]


def test_every_refusal_has_a_code_that_the_table_explains():
    """Both ways: no code without a meaning; and those with an example are marked as such."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| `")]
    table = {row[0].strip(" `"): row[1].strip() for row in rows if "." in row[0] and len(row) == 3}
    table = {code: who for code, who in table.items() if who in ("client", "counter")}
    entries = [one for kind in REFUSALS.values() if isinstance(kind, list) for one in kind]
    used = {one["code"] for one in entries}
    assert used == set(regenerate.CODES)
    assert used <= set(table)
    assert [code for code, who in table.items() if who == "counter" and code in used] == [
        "parameters.biased",
        "question.empty",
    ]


@pytest.mark.parametrize("bad", REFUSALS["rankings"], ids=ids)
def test_bad_rankings_are_refused(bad):
    made = hv.mechanism_from(bad["parameters"])
    with pytest.raises(hv.RankingError) as caught:
        made.draw(bad["ranking"])
    assert caught.value.code == bad["code"]
    with pytest.raises(hv.RankingError) as in_bulk:
        made.privatize([bad["ranking"]])
    assert in_bulk.value.code == bad["code"]


@pytest.mark.parametrize("bad", REFUSALS["reports"], ids=ids)
def test_bad_reports_are_refused(bad):
    with pytest.raises(hv.ReportError) as caught:
        hv.mechanism_from(bad["parameters"]).domain.from_wire(bad["report"])
    assert caught.value.code == bad["code"]


@pytest.mark.parametrize("bad", REFUSALS["streams"], ids=ids)
def test_a_stream_that_runs_out_gives_no_report(bad):
    bits = FixedBits(bytes.fromhex(bad["stream"]))
    with pytest.raises(EOFError) as caught:
        hv.mechanism_from(bad["parameters"]).draw(bad["ranking"], bits)
    assert caught.value.code == bad["code"]


def test_the_files_are_what_the_library_writes_today():
    assert {"version": 3, "vectors": regenerate.draws()} == KEPT
    assert {"version": 3, **regenerate.refusals()} == REFUSALS


def test_every_mechanism_has_vectors():
    assert {v["parameters"]["mechanism"] for v in DRAWS} >= set(hv.mechanism_names())


def test_reports_of_every_vector_can_be_counted():
    for vector in DRAWS:
        made = hv.mechanism_from(vector["parameters"])
        report = made.domain.from_wire(vector["report"])
        result = made.tally(np.concatenate([report, report])).result()
        assert np.allclose(result.scores, made.views(report)[0])

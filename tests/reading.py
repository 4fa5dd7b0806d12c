"""A second reading of conformance/README.md: every draw from the parameters alone, written from the
description and not from the library.
"""

import hmac
import math
from fractions import Fraction
from functools import partial


def drawn(given, ranking, stream, question=None):
    """The report that a stream of bytes gives."""
    return {
        "additive": read_additive,
        "weighted-sampling": read_sampling,
        "naive-sampling": read_sampling,
        "laplace": read_laplace,
        "duel": read_duel,
        "challenge": partial(read_challenge, question=question),
    }[given["mechanism"]](given, ranking, stream)


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

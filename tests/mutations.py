"""Inputs that were good until somebody changed them: `python -m tests.mutations KIND COUNT SEED`.

Every mutated input must be refused by one sentence and a code, or be harmless: quick, small,
private and unbiased, with the same winner for the same reports. Prints what was tried and what it
cost.
"""

import contextlib
import copy
import io
import itertools
import json
import math
import os
import random
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

import hushvote as hv
from hushvote import cli
from hushvote.canonical import unsealed
from hushvote.formats.parquet import REPORTS
from hushvote.mechanisms.duel import cache, designing
from tests.conftest import resealed

ODD_NUMBERS = [0, 1, -1, 2, 3, 63, 64, 255, 256, 65521, 2**31, 2**32, 2**53 - 1, 2**53, 2**63]
ODD_NUMBERS += [2**64, 2**80, 10**60, 10**400, -(2**63), 0.5, 1.0, 1e308, math.nan, math.inf]
ODD_VALUES: list[Any] = [
    None,
    True,
    False,
    "",
    "0",
    "-0",
    "003",
    "1e9",
    "1/3",
    "nan",
    "٣",
    "x" * 999,
]
ODD_VALUES += ["x" * 999, [], {}, [[]], "\u202e", "9" * 500, "1e99", "1/999999999989"]


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON document."""
    found = [path] if path else []
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            found += paths(inner, (*path, key))
    return found


def changed(value: Any, rng: random.Random) -> Any:
    """Something that could stand in its place."""
    if isinstance(value, str) and value.lstrip("-").isdecimal() and rng.random() < 0.7:
        number = changed(int(value), rng)
        return str(number) if rng.random() < 0.8 else number
    if isinstance(value, bool) or not isinstance(value, int) or rng.random() < 0.2:
        if isinstance(value, list) and value and rng.random() < 0.7:
            return changed_list(value, rng)
        return rng.choice(ODD_NUMBERS if rng.random() < 0.5 else ODD_VALUES)
    near = [value + 1, value - 1, -value, value * 2, value // 2, value ^ 1 << rng.randrange(60)]
    return rng.choice(
        [*near, value + rng.randint(-1000, 1000), str(value), float(min(value, 2**64))]
    )


def changed_list(values: list[Any], rng: random.Random) -> list[Any]:
    values = copy.deepcopy(values)
    i, j = rng.randrange(len(values)), rng.randrange(len(values))
    act = rng.randrange(6)
    if act == 0:
        del values[i]
    elif act == 1:
        values.insert(j, values[i])
    elif act == 2:
        values[i], values[j] = values[j], values[i]
    elif act == 3:
        values.reverse()
    elif act == 4:
        values *= rng.choice([2, 300])
    else:
        values.append(None)
    return values


def mutated(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The document with one to three changes."""
    document = copy.deepcopy(document)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        places = paths(document)
        if not places:
            break
        *above, last = rng.choice(places)
        inner: Any = document
        for key in above:
            inner = inner[key]
        act = rng.random()
        if isinstance(inner, dict) and act < 0.1:
            del inner[last]
        elif isinstance(inner, dict) and act < 0.15:
            inner[rng.choice(["expected", "k", "Step", "seed", "version", ""])] = inner[last]
        else:
            inner[last] = changed(inner[last], rng)
    return document


def good_mechanisms() -> list[hv.Mechanism]:
    rules = [hv.borda(3), hv.nauru(4), hv.plurality(3), hv.Rule("mine", ["5", "2.5", 0])]
    names = [name for name in hv.mechanism_names() if name != "pairwise"]
    made = [hv.mechanism(name, rule, 1) for rule in rules for name in names]
    best_worst = hv.Rule("best-worst", [2, 1, 1, 0])
    made += [hv.Duel(best_worst, "0.1"), hv.Duel(hv.borda(8), 1, max_gap=40)]
    return made + [hv.mechanism(name, rule, 1) for name in names for rule in (hv.nauru(16),)]


def electorate(d: int) -> np.ndarray:
    """Candidate 0 mostly first, the last one mostly last."""
    rng = np.random.default_rng(d)
    return np.argsort(rng.random((6000, d)) + 0.4 * np.arange(d), axis=1).astype(np.uint8)


class Case:
    """A good mechanism with reports that have a clear winner."""

    def __init__(self, made: hv.Mechanism) -> None:
        self.made = made
        self.reports = made.privatize(electorate(made.d), rng=np.random.default_rng(1))
        self.leader = made.tally(self.reports).result().leader

    def check(self, made: hv.Mechanism) -> None:
        """All that must hold for parameters that were accepted."""
        made.certificate()
        order = list(range(made.d))
        made.draw(order)
        some = made.privatize([order] * 20)
        result = made.tally(some).result()
        assert np.isfinite(result.scores).all()
        assert np.isfinite(result.uncertainty.covariance).all()
        if made.domain.size <= 4096:
            check_law(made)
        if made.domain.dtype == self.made.domain.dtype:
            try:
                made.domain.check(self.reports)
            except hv.ReportError:
                return
            still_first(made.tally(self.reports).result(), self.leader)


def check_law(made: hv.Mechanism) -> None:
    """Private and unbiased, by listing."""
    laws = []
    for ranking in (list(range(made.d)), list(range(made.d))[::-1]):
        law = list(made.outcomes(ranking))
        mean = sum(float(p) * made.views(report)[0] for report, p in law)
        off = np.abs(mean[ranking] - made.rule.vector).max()
        size = max(float(made.rule.span), float(np.abs(made.rule.vector).max()))
        power = math.sqrt(made.mse() + size**2)
        assert off <= 2e-9 * float(made.rule.span) + 1e-12 * power, (off, made.parameters())
        laws.append({report.tobytes(): p for report, p in law})
    one, other = laws
    assert one.keys() == other.keys()
    odds = made.certificate().odds
    assert all(other[key] / odds <= one[key] <= other[key] * odds for key in one)
    assert odds <= Fraction(math.exp(made.epsilon) * (1 + 1e-9))


def parameters(cases: list[Case], rng: random.Random) -> bool:
    """One mutated set of parameters, perhaps with an option of another mechanism."""
    case, other = rng.choice(cases), rng.choice(cases)
    document = case.made.parameters()
    if rng.random() < 0.05:
        document = {**document, **other.made.options()}
    document = mutated(document, rng)
    try:
        made = hv.mechanism_from(document)
    except hv.HushvoteError as error:
        one_sentence(str(error))
        coded(error)
        return False
    case.check(made)
    return True


def tallies(cases: list[Case], rng: random.Random) -> bool:
    """One mutated tally."""
    case = rng.choice(cases)
    good = unsealed(case.made.tally(case.reports[: rng.choice([1, 30, 6000])]).to_json())
    text = resealed(mutated(good, rng))
    if rng.random() < 0.1:
        text = text.replace(rng.choice(":,{[1"), rng.choice(":,{[2 "), 1)
    try:
        tally = hv.Tally.from_json(text)
        result = tally.result()
    except hv.HushvoteError as error:
        one_sentence(str(error))
        coded(error)
        return False
    assert np.isfinite(result.scores).all()
    assert tally.to_json() == hv.Tally.from_json(tally.to_json()).to_json()
    return True


def caches(cases: list[Case], rng: random.Random) -> bool:
    """One mutated design in the cache: what is made of it is sound."""
    designed = [case for case in cases if "questions" in case.made.options() and case.made.d < 8]
    case = rng.choice(designed)
    made = case.made
    key = {"design": made.name, "scores": [str(w) for w in made.rule.scores]}
    key["odds"] = str(made.odds.ratio)
    questions = mutated({"questions": made.options()["questions"]}, rng).get("questions")
    try:
        cache.write(key, questions)
    except (TypeError, ValueError):
        return False
    designing.designed.cache_clear()
    fresh = hv.mechanism(made.name, made.rule, made.epsilon)
    case.check(fresh)
    return fresh.options()["questions"] == questions


def heads(cases: list[Case], rng: random.Random) -> bool:
    """One mutated head of a report file, through the command line."""
    case = rng.choice(cases)
    path, other = Path("good.parquet"), Path("mutated.parquet")
    votes = hv.Rankings(electorate(case.made.d)[:200], tuple(f"c{j}" for j in range(case.made.d)))
    hv.write_rankings("ballots.parquet", votes)
    hv.privatize_file(hv.open_rankings("ballots.parquet"), case.made, path)
    table, head = pq.read_table(path), unsealed(pq.ParquetFile(path).metadata.metadata[REPORTS])
    leader = hv.tally_files([path]).result().leader
    kept = dict(table.schema.metadata or {}) | {REPORTS: resealed(mutated(head, rng)).encode()}
    pq.write_table(table.replace_schema_metadata(kept), other)
    code, _, err = command("tally", str(other), "--json")
    if code:
        assert code == 2, (code, err)
        one_sentence(err.removeprefix("error: ").strip())
        try:
            hv.tally_files([other]).result()
        except hv.HushvoteError as error:
            coded(error)
        return False
    result = hv.tally_files([other]).result()
    assert np.isfinite(result.scores).all()
    if points(result.mechanism) == points(case.made):
        still_first(result, leader)
    return True


def points(made: hv.Mechanism) -> tuple[Any, ...]:
    """What decides how much a report is worth: other scores, or another intercept, may well have
    another winner.
    """
    return made.rule.scores, made.options().get("intercept")


def still_first(result: hv.Result, leader: int) -> None:
    """Nobody is ahead of that candidate now; equal scores may differ by rounding."""
    slack = 1e-9 * float(result.rule.span)
    assert result.scores[leader] >= result.scores.max() - slack, (leader, result.scores)


def command(*arguments: str) -> tuple[int, str, str]:
    """Run the command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        sys.argv = ["hushvote", *arguments]
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def one_sentence(said: str) -> None:
    assert said, "no message"
    assert "Traceback" not in said
    assert len(said) < 1500, said[:2000]


def coded(error: hv.HushvoteError) -> None:
    assert re.fullmatch(r"[a-z]+\.[a-z-]+", error.code), (error.code, str(error))
    assert all(len(str(value)) <= 80 for value in error.values.values()), error.values
    json.dumps(error.values, allow_nan=False)


KINDS: dict[str, Callable[[list[Case], random.Random], bool]] = {
    "parameters": parameters,
    "tallies": tallies,
    "caches": caches,
    "heads": heads,
}


def main(kind: str, count: int, seed: int) -> dict[str, Any]:
    """Try so many mutations, and tell what they cost."""
    cases = [Case(made) for made in good_mechanisms()]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    accepted, slowest = 0, 0.0
    for i in itertools.count():
        if i == count:
            break
        start = time.process_time()  # whatever else the machine does
        accepted += KINDS[kind](cases, random.Random(f"{kind}/{seed}/{i}"))
        slowest = max(slowest, time.process_time() - start)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "kind": kind,
        "tried": count,
        "accepted": accepted,
        "slowest_seconds": round(slowest, 2),
        "further_megabytes": round((after - before) / 1024, 1),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.chdir(folder)
        print(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))

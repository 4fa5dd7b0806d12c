"""Bad rankings, reports, streams and questions, each for one good mechanism."""

from collections.abc import Iterator
from typing import Any

from conformance.bad_parameters import base
from conformance.streams import SeededBits, stream

import hushvote as hv

BASES = ("additive", "laplace", "weighted-sampling", "naive-sampling", "duel", "challenge")
Of = tuple[str, str, str, Any]  # the code, the reason, whose parameters, and what is refused


def bad_rankings() -> Iterator[Of]:
    """Length first, then every candidate, then whether one stands twice."""
    for name in ("additive", "challenge"):
        yield "ranking.length", "empty", name, []
        yield "ranking.length", "too short", name, [0, 1, 2]
        yield "ranking.length", "too long", name, [0, 1, 2, 3, 4]
        yield "ranking.length", "too short, with a candidate twice", name, [0, 0, 9]
        yield "ranking.candidate", "out of range", name, [0, 1, 2, 4]
        yield "ranking.candidate", "negative", name, [0, -1, 2, 3]
        yield "ranking.candidate", "a half", name, [0, 1, 2, 2.5]
        yield "ranking.candidate", "a text", name, [0, 1, 2, "3"]
        yield "ranking.candidate", "nothing", name, [0, 1, 2, None]
        yield "ranking.candidate", "far out of range", name, [0, 1, 2, 2**40]
        yield "ranking.candidate", "twice, and then out of range", name, [1, 1, 2, 4]
        yield "ranking.duplicate", "twice", name, [0, 1, 1, 3]
        yield "ranking.duplicate", "all the same", name, [0, 0, 0, 0]


def bad_reports() -> Iterator[Of]:
    """Object, fields; then field by field form or range and size; then what they share."""
    for value in (None, [0, 1], 7, "chosen"):
        yield "report.form", f"{type(value).__name__} instead of an object", "additive", value
    yield "report.field", "no field", "additive", {}
    yield "report.field", "a field too many", "additive", {"chosen": [0, 1], "name": "Ann"}
    yield "report.field", "a field of another mechanism", "additive", {"marked": [0, 1]}
    yield "report.field", "a field missing, another wrong", "duel", {"type": 9, "plus": "x"}
    sets: dict[str, Any] = {
        "candidate out of range": [0, 4],
        "candidate far out of range": [0, 64],
        "candidate below 0": [-1, 0],
        "candidate twice": [1, 1],
        "not in rising order": [2, 1],
        "a number": 3,
        "nothing": None,
        "a text": "01",
        "an object": {"0": 0, "1": 1},
        "a truth value": [True, 2],
        "a text in the list": ["0", 1],
        "a half in the list": [0.5, 1],
        "a list in the list": [[0], 1],
    }
    for reason, value in sets.items():
        yield "report.form", reason, "additive", {"chosen": value}
    for chosen in ([], [1], [0, 1, 2]):
        yield "report.size", f"{len(chosen)} candidates", "additive", {"chosen": chosen}
    yield "report.range", "class out of range", "weighted-sampling", {"class": 2, "marked": [0]}
    yield "report.range", "class below 0", "weighted-sampling", {"class": -1, "marked": [0]}
    yield "report.field", "class missing", "weighted-sampling", {"marked": [0]}
    yield "report.form", "class as text", "weighted-sampling", {"class": "0", "marked": [0]}
    yield "report.form", "class that is false", "weighted-sampling", {"class": False, "marked": []}
    yield "report.range", "class, then marks", "weighted-sampling", {"class": 2, "marked": 0}
    yield "report.field", "a class that is not needed", "naive-sampling", {"class": 0, "marked": []}
    sizes = base("duel")["questions"][0]
    plus, minus = list(range(sizes["plus"])), list(range(4 - sizes["minus"], 4))
    sent: dict[str, Any] = {"type": 0, "plus": plus, "minus": minus}
    yield "report.range", "type out of range", "duel", sent | {"type": 3}
    yield "report.form", "type as text", "duel", sent | {"type": "0"}
    yield "report.size", "nobody in a group", "duel", sent | {"plus": []}
    yield "report.size", "everybody in a group", "duel", sent | {"minus": [0, 1, 2, 3]}
    shared = [0, *range(5 - sizes["minus"], 4)]
    yield "report.overlap", "groups that share a candidate", "duel", sent | {"minus": shared}
    yield "report.size", "size, then form of the next", "duel", sent | {"plus": [], "minus": "x"}
    yield "report.field", "groups of finer questions", "duel", sent | {"best": [], "worst": []}
    sizes = base("challenge")["questions"][0]
    plus, minus = list(range(sizes["plus"])), list(range(4 - sizes["minus"], 4))
    sent = {"type": 0, "plus": plus, "minus": minus}
    yield "report.field", "answer missing", "challenge", sent
    for answer in (2, -1):
        yield "report.range", f"answer {answer}", "challenge", sent | {"answer": answer}
    for answer in (True, "1", None, 0.5):
        yield "report.form", f"answer {answer!r}", "challenge", sent | {"answer": answer}
    scores: dict[str, Any] = {f"score_{j}": 0 for j in range(4)}
    yield "report.range", "score out of range", "laplace", scores | {"score_2": 2**40}
    yield "report.range", "score below the range", "laplace", scores | {"score_3": -(2**40)}
    yield "report.form", "score not whole", "laplace", scores | {"score_2": 0.5}
    yield "report.form", "small score as text", "laplace", scores | {"score_0": "7"}
    yield "report.field", "score of a fifth candidate", "laplace", scores | {"score_4": 0}


def bad_streams() -> Iterator[Of]:
    """Streams that run out: by a byte, or at once."""
    for name in BASES:
        ranking, seed = [3, 1, 0, 2], f"short/{name}"
        bits = SeededBits(seed)
        hv.mechanism_from(base(name)).draw(ranking, bits)
        for length in (0, bits.used - 1):
            draw = {"ranking": ranking, "seed": seed, "bytes": length}
            yield "stream.end", f"{length} of {bits.used} bytes", name, draw


def bad_hashes() -> Iterator[Of]:
    """Questions that are no hash of 32 bytes, or that nobody asked for."""
    ranking, hashed = [3, 1, 0, 2], stream("question", 64).hex()
    for name in BASES[:-1]:
        draw = {"ranking": ranking, "question": hashed[:64]}
        yield "question.needless", "a question", name, draw
    for length in (0, 31, 33, 64):
        draw = {"ranking": ranking, "question": hashed[: 2 * length]}
        yield "question.hash", f"a question of {length} bytes", "challenge", draw

"""What people are shown, case by case. `python -m tests.english` writes it to `ENGLISH`, which is
done only when the English itself is meant to change.
"""

import hashlib
import itertools
import json
import re
from decimal import Decimal
from pathlib import Path

import numpy as np

import hushvote as hv
from hushvote.detection import Inspection
from hushvote.detection.frequencies import frequencies
from hushvote.detection.scores import scores
from hushvote.messages.phrases import chance, places, span
from hushvote.plots import lines, pictures

ENGLISH = Path(__file__).parent / "data" / "english.json"
NAMES = ("Ann", "Bob", "Cem", "Dee", "Eve", "Fay")
BEST_WORST = hv.Rule("best-worst", [2, 1, 1, 0])
KEY = "ab" * 32


class Stream:
    """The same bytes on every machine."""

    def __init__(self, seed: str) -> None:
        self._seed, self._asked = seed, 0

    def bytes(self, length: int, /) -> bytes:
        self._asked += 1
        return hashlib.shake_256(f"{self._seed} {self._asked}".encode()).digest(length)


def built_in() -> dict[str, hv.Mechanism]:
    """Every mechanism, small and large, coarse and fine."""
    found = {name: hv.mechanism(name, hv.borda(4), 1) for name in hv.mechanism_names()}
    found["duel of four groups"] = hv.Duel(BEST_WORST, "0.1")
    found["duel of two or four"] = hv.Duel(hv.nauru(5), 5)
    found["duel of six"] = hv.Duel(hv.nauru(6), "0.5")
    found["additive of pairs"] = hv.Additive(hv.borda(4), "0.5", k=2)
    found["additive of three"] = hv.Additive(hv.borda(6), "0.5", k=3)
    found["bound challenge"] = hv.Challenge(hv.borda(4), 1, key=KEY)
    found["large epsilon"] = hv.Duel(hv.borda(3), 6)
    found["larger epsilon"] = hv.Additive(hv.borda(3), 10)
    return found


def polled(made: hv.Mechanism, n: int, same: float) -> hv.Tally:
    """Some of n voters are of one mind; the others vote in every way in turn."""
    ways = itertools.cycle(itertools.permutations(range(made.d)))
    orders = np.array([next(ways) for _ in range(n)], dtype=np.uint8)
    orders[: int(same * n)] = np.arange(made.d)
    tally = made.tally(made.privatize(orders, rng=Stream(f"{made.name} {n}")))
    return tally.named(NAMES[: made.d])


def stated(values, variance: float = 0.01, n: int = 1000) -> hv.Result:
    """A result with given figures."""
    d = len(values)
    return hv.Result(
        hv.borda(d), n, np.array(values, dtype=float), hv.Uncertainty.sampled(variance * np.eye(d))
    )


def mechanisms() -> dict[str, object]:
    """Reports and levels."""
    said: dict[str, object] = {}
    for name, made in built_in().items():
        names = NAMES[: made.d]
        reports = made.privatize(
            np.tile(np.arange(made.d, dtype=np.uint8), (10, 1)), rng=Stream(name)
        )
        if made.listed is not None:
            reports = np.concatenate([reports, made.listed[0][:8]])
        said[f"words of {name}"] = sorted(
            {made.words(one, names) for one in reports.reshape(-1, 1)}
        )
        signals = made.signals()
        levels = max(len(array) for array in made.zero().values()) if signals.axes else 1
        said[f"levels of {name}"] = [signals.variant_words(level) for level in range(levels)]
        said[f"title of {name}"] = [made.title, made.label, str(made.rule)]
        said[f"counted by {name}"] = {key: vars(one) for key, one in signals.words.items()}
        said[f"caveat of {name}"] = made.dishonest_gains().caveat
    sampled = hv.NaiveSampling(hv.borda(3), 1)
    said["nobody"] = [sampled.words(one, NAMES[:3]) for one in sampled.listed[0].reshape(-1, 1)]
    said["kinds"] = hv.Signals().variant_words(3)
    return said


def explanations() -> dict[str, object]:
    """Sure and open results, with and without credentials, inspected or not."""
    said: dict[str, object] = {}
    for name, made in built_in().items():
        for n, same in ((19, 1), (400, 0), (5000, 0.9)):
            result = polled(made, n, same).result()
            for issued, share in ((None, 0.01), (2 * n, 0.5)):
                shown = result.explain(fraction=share, issued=issued).to_dict()
                case = f"{name}, {n} reports, {issued} issued, {share}"
                attacks = [] if shown["margin"] is None else shown["margin"]["attacks"]
                said[case] = {
                    "title": shown["title"],
                    "words": shown["words"],
                    "meanings": [[one["attack"], one["meaning"], one["of"]] for one in attacks],
                    "caveat": result.margin(share, 0.95, issued).caveat,
                }
            inspected = Inspection(n, 0.01, (hv.detection.Check("x", 0.0, "", ""),), made.digest)
            said[f"{name}, {n} distrusted"] = result.explain(inspection=inspected).to_dict()[
                "words"
            ]
    for case, result in {
        "one": polled(hv.Duel(hv.borda(4), 1), 1, 1).result(),
        "close": stated([2.0, 1.9, 0.0, 1.95]),
        "tied": stated(np.zeros(7), 1),
        "two tied": stated([1, 1, 0, 0]),
        "alike": stated([2, 2, 2]),
        "point": stated([2, 1, 0], 1),
        "beyond": stated([9, 1, 0], 30),
        "certain": stated([2, 1, 0], 0.0001),
        "surer": stated([2, 1, 0], 0.0001, n=2_000_000),
    }.items():
        for level in (0.5, 0.95, 0.999, 1 - 1e-9):
            said[f"{case} at {level}"] = list(result.explain(level).words)
        said[f"title, {case}"] = result.to_dict()["title"]
    for case, (n, same) in {"few": (300, 0.9), "many": (5000, 0.9), "open": (300, 0)}.items():
        tally = polled(hv.Duel(hv.borda(4), 3), n, same)
        survey = tally.result(population=True)
        doubted = Inspection(
            n, 0.01, (hv.detection.Check("x", 0.0, "", ""),), survey.mechanism.digest
        )
        said[f"survey, {case}"] = list(survey.explain().words)
        said[f"survey, {case} distrusted"] = list(survey.explain(inspection=doubted).words)
        said[f"still open, {case}"] = [
            *tally.result().explain(seats=2, closed=False).words,
            *survey.explain(closed=False).words,
            survey.explain(closed=False).data["title"],
        ]
        for seats in (1, 2, 3):
            said[f"{seats} seats, {case}"] = list(tally.result().explain(seats=seats).words)
    for seats in (1, 2):
        for population in (False, True):
            found = hv.plan(hv.borda(5), 3, 1.0, seats=seats, population=population)
            said[f"plan, {seats} seats, population {population}"] = found.words
    said["chances"] = [chance(x) for x in (None, 0, 0.004, 0.25, 0.5, 0.996, 1)]
    said["places"] = [places(*x) for x in ((2, 2), (1, 2), (1, 3))]
    return said


def inspections() -> dict[str, object]:
    """Honest and made-up reports."""
    said: dict[str, object] = {"spans": [span(1, 2), span(2000, 1000, 1), span(1, 1.2)]}
    for name, made in built_in().items():
        for n in (1, 3000) if name == "duel" else (3000,):
            orders = np.tile(np.arange(made.d, dtype=np.uint8), (n, 1))
            honest = made.privatize(orders, rng=Stream(name))
            faked = made.disguise(1, 0, n, rng=Stream(name))
            repeated = honest[np.zeros(n, dtype=int)]
            for kind, reports in (("honest", honest), ("faked", faked), ("repeated", repeated)):
                tally = made.tally(reports).named(NAMES[: made.d])
                said[f"{name}, {n} {kind}"] = _inspected(hv.inspect(tally, reports))
    duel = hv.Duel(hv.borda(4), 1)
    reports = duel.disguise(1, 0, 2000, rng=Stream("nameless"))
    said["nameless"] = _inspected(hv.inspect(duel.tally(reports), reports))
    said["one report"] = frequencies(duel, reports[:1], NAMES[:4]).finding
    said["points"] = scores(duel, duel.tally(reports), NAMES[:4]).finding
    said["weights"] = _marked()
    return said


def _inspected(found: Inspection) -> dict[str, object]:
    checks = [[check.name, check.meaning, check.finding] for check in found.checks]
    return {"words": list(found.explain()), "checks": checks}


class Over(hv.Additive):
    """A third party's: one array of "over", with levels and words of its own."""

    name = "over"

    def count(self, reports, weights=None):
        found = super().count(reports, weights)
        pairs = found["pairs"]
        return {**found, "over": np.stack([pairs, 2 * np.triu(pairs)])}

    def signals(self):
        return hv.Signals(axes={"over": ("variant", "over")}, words={"over": hv.Counted()})


def _marked() -> list[list[str]]:
    """Kinds and words that no built-in mechanism has."""
    made = Over(hv.borda(4), 1, k=2)
    reports = made.disguise(1, 0, 500, rng=Stream("over"))
    from hushvote.detection.counts import counts

    tally = made.tally(reports)
    return [[one.name, one.meaning, one.finding] for one in counts(made, tally, NAMES[:4])]


def figures() -> dict[str, object]:
    """Titles, labels and notes of pictures."""
    from hushvote import plots

    said: dict[str, object] = {}
    found = []
    save, pictures.save = pictures.save, lambda made, path: found.append(made)
    try:
        plots.trade_off(hv.design(hv.borda(3), 1), Path("x.png"))
        for n, same in ((1, 1), (400, 0), (5000, 0.9)):
            for level in (0.5, 0.95):
                result = polled(hv.Duel(hv.borda(4), 1), n, same).result()
                plots.result(result.explain(level), result.rule, Path("x.png"))
    finally:
        pictures.save = save
    line = lines.Line("duel", (0.5, 1.0), (0.9, 0.5), (0.1, 0.1))
    found += [
        lines.draw(metric, [("panel", [line])], "title")
        for metric in ("mse", "tve", "mae", "aow", "low", "em")
    ]
    for i, made in enumerate(found):
        axes = made.axes[0]
        legend = axes.get_legend()
        said[f"picture {i}"] = [
            made.get_suptitle(),
            made.get_supxlabel(),
            axes.get_xlabel(),
            axes.get_ylabel(),
            [text.get_text() for text in axes.get_xticklabels()],
            [text.get_text() for text in axes.texts],
            [text.get_text() for text in legend.get_texts()] if legend else [],
        ]
    return said


PARTS = {
    "mechanisms": mechanisms,
    "explanations": explanations,
    "inspections": inspections,
    "figures": figures,
}

FIGURE = re.compile(r"(?<![.,\d])\d[\d.,]*(?<![.,])(?:e-\d+)?")


def figures(text: str) -> list[Decimal]:
    """The numbers in a text, as precise as they are written."""
    found = (Decimal(figure.replace(",", "")) for figure in FIGURE.findall(text))
    return [number.normalize() if number >= 1000 else number for number in found]


def alike(said: object, recorded: object) -> bool:
    """Whether the same is said, each number up to one unit of its last digit: libraries differ in
    the last bits of what they compute, which may fall to either side when it is rounded.
    """
    one, other = (json.dumps(told, ensure_ascii=False) for told in (said, recorded))
    return FIGURE.sub("#", one) == FIGURE.sub("#", other) and all(
        abs(a - b) <= Decimal(1).scaleb(min(a.as_tuple().exponent, b.as_tuple().exponent))
        for a, b in zip(figures(one), figures(other), strict=True)
    )


if __name__ == "__main__":
    text = json.dumps({name: made() for name, made in PARTS.items()}, indent=0, ensure_ascii=False)
    ENGLISH.write_text(text + "\n", encoding="utf-8")

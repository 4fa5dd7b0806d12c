"""Types, candidates and pairs: the counts that a tally holds."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hushvote.detection.check import LEVEL, Check, corrected, fewest_fakes
from hushvote.detection.honest import Batch, honest_counts
from hushvote.mechanisms.contract import Mechanism
from hushvote.mechanisms.signals import Counted, Signals
from hushvote.messages import counted, say
from hushvote.messages.phrases import span
from hushvote.tally import Tally

KINDS = ("types", "candidates", "pairs")


def counts(mechanism: Mechanism, tally: Tally, names: Sequence[str]) -> Iterator[Check]:
    """One check for each kind of counts that the tally holds."""
    honest = honest_counts(mechanism)
    for kind, title in enumerate(KINDS):
        found = [(b, b.sums(tally.counts)) for b in honest.batches if b.what.kind == kind]
        tests = sum(int(batch.bounds.varies.sum()) for batch, _ in found)
        if not tests:
            continue
        logs = [batch.bounds.p_values(sums, tally.n) for batch, sums in found]
        b = int(np.argmin([log.min() for log in logs]))
        (batch, sums), k = found[b], int(np.argmin(logs[b]))
        finding = _in_words(mechanism, batch, k, int(sums[k]), tally.n, names)
        p_value = corrected(logs[b][k], math.log(tests))
        fakes = max(
            _fakes(batch, sums, tally.n, log + math.log(tests) < math.log(LEVEL))
            for (batch, sums), log in zip(found, logs, strict=True)
        )
        yield Check(title, p_value, say(f"check.{title}"), finding, fakes)


def _fakes(batch: Batch, sums: NDArray[np.int64], n: int, striking: NDArray[np.bool_]) -> int:
    """The fewest made-up reports that explain what is striking; the variants are kinds."""
    bounds, kinds = batch.bounds, (-1, len(batch.what.people))
    if not striking.any():
        return 1
    return fewest_fakes(
        sums.reshape(kinds),
        n,
        bounds.low.reshape(kinds),
        bounds.high.reshape(kinds),
        least=bounds.least.reshape(kinds),
        most=bounds.most.reshape(kinds),
        striking=striking.reshape(kinds),
    )


def _in_words(
    mechanism: Mechanism, batch: Batch, k: int, found: int, n: int, names: Sequence[str]
) -> str:
    """What was counted, and between which bounds honest devices stay; marks are weighed."""
    what, bounds, signals = batch.what, batch.bounds, mechanism.signals() or Signals()
    variant, cell = divmod(k, len(what.people))
    several = len(bounds.low) > len(what.people)
    binary = bool(bounds.binary[k] and bounds.varies[k])
    unit = float(bounds.least[k] + bounds.most[k]) if binary else 1.0
    seen = "times" if binary else "weight"
    number = counted(round(found / unit), "time") if binary else found
    ends = span(n * bounds.low[k] / unit, n * bounds.high[k] / unit)
    who = [names[j] for j in what.people[cell]]
    if not who and not several:
        return say(f"found.all.{seen}", found=number, ends=ends)
    if not who:
        kind = signals.variant_words(variant)
        return say(f"found.variant.{seen}", variant=kind, found=number, ends=ends)
    words = signals.words.get(what.array, Counted())
    does = words.two if what.kind == 2 else words.one
    if what.kind == 2 and binary:
        does = (words.above if unit > 0 else words.below) or does
    said = say(f"pair.{what.between}", one=who[0], other=who[1]) if len(who) == 2 else who[0]
    if not several:
        return say(f"found.of.{seen}", who=said, counted=does, found=number, ends=ends)
    return say(
        f"found.of.variant.{seen}",
        who=said,
        counted=does,
        variant=signals.variant_words(variant),
        found=number,
        ends=ends,
    )

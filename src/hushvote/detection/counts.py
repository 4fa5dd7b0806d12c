"""Types, candidates and pairs: the counts that a tally holds."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from hushvote.detection.check import Check, corrected, span
from hushvote.detection.law import Batch, law_of
from hushvote.mechanisms.contract import Mechanism
from hushvote.mechanisms.signals import Counted, Signals
from hushvote.tally import Tally

KINDS = (
    ("types", "types of question, classes and answers come as often as a public lottery says"),
    ("candidates", "no candidate is named more or less often than any votes could make it"),
    ("pairs", "no pair of candidates is named more or less often than any votes could make it"),
)


def counts(mechanism: Mechanism, tally: Tally, names: Sequence[str]) -> Iterator[Check]:
    """One check for each kind of counts that the tally holds."""
    law = law_of(mechanism)
    for kind, (title, meaning) in enumerate(KINDS):
        found = [(b, b.sums(tally.counts)) for b in law.batches if b.what.kind == kind]
        tests = sum(int(batch.bounds.varies.sum()) for batch, _ in found)
        if not tests:
            continue
        logs = [batch.bounds.p_values(sums, tally.n) for batch, sums in found]
        b = int(np.argmin([log.min() for log in logs]))
        (batch, sums), k = found[b], int(np.argmin(logs[b]))
        finding = _in_words(mechanism, batch, k, int(sums[k]), tally.n, names)
        yield Check(title, corrected(logs[b][k], math.log(tests)), meaning, finding)


def _in_words(
    mechanism: Mechanism, batch: Batch, k: int, found: int, n: int, names: Sequence[str]
) -> str:
    """What was counted, and between which bounds honest devices stay; marks are weighed."""
    what, bounds, signals = batch.what, batch.bounds, mechanism.signals() or Signals()
    level, cell = divmod(k, len(what.people))
    who = what.between.join(names[j] for j in what.people[cell])
    several = len(bounds.low) > len(what.people)
    reports = "reports" + (f" {signals.level_words(level)}" if several else "")
    counted = bool(bounds.binary[k] and bounds.varies[k])
    unit = float(bounds.least[k] + bounds.most[k]) if counted else 1.0
    words = signals.words.get(what.array, Counted())
    named = words.two if what.kind == 2 else words.one
    if what.kind == 2 and counted:
        named = (words.above if unit > 0 else words.below) or named
    said = f"{who} {named} in {reports}" if who else reports.capitalize()
    seen = f"{found / unit:,.0f} times" if counted else f"a weight of {found:,}"
    ends = span(n * bounds.low[k] / unit, n * bounds.high[k] / unit)
    return f"{said}: {seen}, where honest devices average {ends}."

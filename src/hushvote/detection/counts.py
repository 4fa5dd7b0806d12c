"""Types, candidates and pairs: the counts that a tally holds."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from hushvote.detection.check import Check, corrected
from hushvote.detection.law import Batch, law_of
from hushvote.mechanisms.contract import Mechanism
from hushvote.tally import Tally

KINDS = (
    ("types", "types of question, classes and answers come as often as a public lottery says"),
    ("candidates", "no candidate is named more or less often than any votes could make it"),
    ("pairs", "no pair of candidates is named more or less often than any votes could make it"),
)

# what the arrays of a tally count, in words: of nobody, of one candidate and of two
NAMED: tuple[dict[str, str], ...] = (
    {},
    {
        "plus": "over others",
        "best": "over others, as one of the best",
        "minus": "under others",
        "worst": "under others, as one of the worst",
        "pairs": "named",
    },
    {"outer": "on one side, or on opposite sides,", "pairs": "both named"},
)


def counts(mechanism: Mechanism, tally: Tally, names: Sequence[str]) -> Iterator[Check]:
    """One check for each kind of counts that the tally holds."""
    law = law_of(mechanism)
    for kind, (title, meaning) in enumerate(KINDS):
        found = [(b, b.sums(tally.counts)) for b in law.batches if b.kind == kind]
        tests = sum(int(batch.bounds.varies.sum()) for batch, _ in found)
        if not tests:
            continue
        logs = [batch.bounds.p_values(sums, tally.n) for batch, sums in found]
        b = int(np.argmin([log.min() for log in logs]))
        (batch, sums), k = found[b], int(np.argmin(logs[b]))
        finding = _in_words(batch, k, int(sums[k]), tally.n, names)
        yield Check(title, corrected(logs[b][k], math.log(tests)), meaning, finding)


def _in_words(batch: Batch, k: int, found: int, n: int, names: Sequence[str]) -> str:
    bounds = batch.bounds
    level, cell = divmod(k, len(batch.people))
    who = " and ".join(names[j] for j in batch.people[cell])
    reports = "reports" + (f" of kind {level}" if len(bounds.low) > len(batch.people) else "")
    named = NAMED[batch.kind].get(batch.array, "counted")
    said = f"{who} {named} in {reports}" if who else reports.capitalize()
    if not bounds.binary[k]:
        return f"{said}: more or less often than any votes could make it."
    unit = float(bounds.least[k] + bounds.most[k])
    low, high = sorted((n * bounds.low[k] / unit, n * bounds.high[k] / unit))
    reach = f"{low:,.0f}" if high - low < 0.5 else f"{low:,.0f} to {high:,.0f}"
    return f"{said}: {found / unit:,.0f} times, where honest devices reach {reach} on average."

"""Detection: honest polls pass, and made-up reports are found."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import hushvote as hv
from hushvote import detection
from hushvote.detection.frequencies import frequencies
from hushvote.mechanisms import listing
from hushvote.messages.phrases import span
from tests.conftest import random_orders


def paper(rng, n, d):
    """An electorate of the paper's kind."""
    return np.argsort(-rng.random(d) * rng.random((n, d)), axis=1).astype(np.uint8)


EXTREMES = {
    "identical": lambda rng, n, d: np.tile(np.arange(d, dtype=np.uint8), (n, 1)),
    "two blocs": lambda rng, n, d: np.where(
        rng.random((n, 1)) < 0.5, np.arange(d), np.arange(d)[::-1]
    ).astype(np.uint8),
    "impartial": lambda rng, n, d: random_orders(n, d, int(rng.integers(1 << 30))),
}


@pytest.mark.parametrize("electorate", EXTREMES)
@pytest.mark.parametrize("name", hv.mechanism_names())
def test_honest_polls_are_rarely_suspected(name, electorate):
    """Level 0.05, 60 polls: 12 or more alarms would have a chance below 4e-5."""
    rng = np.random.default_rng(5)
    made = hv.mechanism(name, hv.borda(5), 1)
    alarms = 0
    for _ in range(60):
        reports = made.privatize(EXTREMES[electorate](rng, 300, 5), rng=rng)
        alarms += hv.inspect(made.tally(reports), reports, false_alarm=0.05).suspicious
    assert alarms < 12


@pytest.mark.parametrize("kind", ["one report", "all harmful ones"])
def test_made_up_duels_are_found(kind):
    """5 % of 10 000, epsilon 1, Borda over 8: at least 18 of 20 polls, from the tally alone."""
    rng = np.random.default_rng(6)
    made = hv.Duel(hv.borda(8), 1)
    found = 0
    for _ in range(20):
        fakes = made.disguise(favour=1, against=0, n=500, rng=rng)
        if kind == "one report":
            fakes = np.repeat(fakes[:1], 500)
        reports = np.concatenate([made.privatize(paper(rng, 9_500, 8), rng=rng), fakes])
        found += hv.inspect(made.tally(reports)).suspicious
    assert found >= 18


def checks_of(made: hv.Mechanism, reports: np.ndarray) -> dict[str, detection.Check]:
    return {check.name: check for check in hv.inspect(made.tally(reports), reports).checks}


def test_the_finding_names_what_was_made_up():
    rng = np.random.default_rng(7)
    made = hv.Duel(hv.borda(4), 1)
    fakes = np.repeat(made.disguise(favour=2, against=0, n=1, rng=rng), 400)
    reports = np.concatenate([made.privatize(paper(rng, 4_000, 4), rng=rng), fakes])
    inspection = hv.inspect(made.tally(reports), reports)
    assert inspection.suspicious
    assert {check.name for check in inspection.checks} == {
        "types", "candidates", "pairs", "scores", "reports", "cycles",
    }  # fmt: skip
    sent = made.words(fakes[:1], [f"candidate {j}" for j in range(4)])
    said = "\n".join(inspection.explain())
    assert "some of them were made up" in said
    assert f"“{sent}” was sent" in said
    data = inspection.to_dict()
    assert data["suspicious"] is True
    assert data["words"] == list(inspection.explain())


def test_the_most_striking_count_is_named():
    made = hv.Duel(hv.borda(4), "0.1")  # pairwise comparison
    wires = [{"plus": [i], "minus": [0]} for i in (1, 2, 3)]
    reports = np.concatenate([made.domain.from_wire(wire) for wire in wires for _ in range(10)])
    said = checks_of(made, reports)["candidates"].finding
    assert said.startswith("candidate 0 under others in reports: 30 times, ")


def test_circles_are_found():
    """Fakes that spread over A over B, B over C and C over A."""
    rng = np.random.default_rng(8)
    made = hv.Duel(hv.borda(8), "0.1")  # pairwise comparison
    wires = [{"plus": [i], "minus": [j]} for i, j in ((0, 1), (1, 2), (2, 0))]
    fakes = np.concatenate([made.domain.from_wire(wire) for wire in wires for _ in range(120)])
    reports = np.concatenate([made.privatize(random_orders(6_000, 8), rng=rng), fakes])
    inspection = hv.inspect(made.tally(reports), reports)
    (cycles,) = (check for check in inspection.checks if check.name == "cycles")
    assert cycles.p_value < 1e-6
    assert "candidate 0 over candidate 1 over candidate 2 over candidate 0" in cycles.finding


def test_points_that_nobody_could_be_given_are_found():
    made = hv.Laplace(hv.borda(4), 1)
    rng = np.random.default_rng(9)
    fakes = made.disguise(favour=1, against=0, n=3_000, rng=rng)
    inspection = hv.inspect(
        made.tally(np.concatenate([made.privatize(paper(rng, 3_000, 4)), fakes]))
    )
    assert [check.name for check in inspection.checks] == ["scores"]
    assert "no votes can give more than 3.000" in inspection.explain()[1]


def test_many_candidates_are_inspected_without_a_list():
    rng = np.random.default_rng(10)
    made = hv.Duel(hv.borda(16), 1)
    reports = made.privatize(paper(rng, 20_000, 16), rng=rng)
    assert not hv.inspect(made.tally(reports), reports).suspicious
    reports[:1_000] = made.disguise(favour=3, against=4, n=1_000, rng=rng)
    found = {check.name: check for check in hv.inspect(made.tally(reports)).checks}
    assert found["pairs"].p_value < 1e-12
    assert "candidate 3 and candidate 4 on one side" in found["pairs"].finding


@pytest.mark.parametrize("name", ["duel", "weighted-sampling", "additive"])
@pytest.mark.parametrize("electorate", ["identical", "two blocs"])
def test_honest_polls_of_many_candidates_are_rarely_suspected(name, electorate):
    """Level 0.05, 20 polls: 7 or more alarms would have a chance below 4e-5."""
    rng = np.random.default_rng(11)
    made = hv.mechanism(name, hv.borda(20), 1, **({"k": 8} if name == "additive" else {}))
    assert made.listed is None
    alarms = 0
    for _ in range(20):
        tally = made.tally(made.privatize(EXTREMES[electorate](rng, 300, 20), rng=rng))
        inspection = hv.inspect(tally, false_alarm=0.05)
        assert "pairs" in {check.name for check in inspection.checks}
        alarms += inspection.suspicious
    assert alarms < 7


def test_what_is_said_of_honest_reports_accuses_nobody():
    made = hv.Duel(hv.borda(4), 1)
    reports = made.privatize(random_orders(500, 4), rng=np.random.default_rng(12))
    for check in hv.inspect(made.tally(reports), reports).checks:
        assert re.search(r"\d", check.finding), check.finding
        assert not re.search("of kind|could make it", check.finding), check.finding


def test_sides_are_named_by_the_sign_of_what_is_counted():
    """Groups of one each only ever count pairs on opposite sides."""
    made = hv.Challenge(hv.borda(4), 1)
    reports = made.privatize(random_orders(500, 4), rng=np.random.default_rng(14))
    finding = checks_of(made, reports)["pairs"].finding
    assert re.search(r"candidate \d and candidate \d on opposite sides in reports of", finding)


def test_bounds_in_words():
    assert [span(5, 2), span(2.2, 1.9), span(-0.2, -3), span(0.14, 0.11, 1)] == [
        "2 to 5",
        "2",
        "-3 to 0",
        "0.1",
    ]


class ByNumber(hv.Additive):
    """The same as naming one candidate, but by its number: renaming does not show."""

    name = "by-number"

    @property
    def fields(self):
        return (hv.Field.integer("chosen", 0, (1 << self.d) - 1),)

    def signals(self):
        return replace(super().signals(), chances=None)


def test_reports_that_renaming_does_not_follow_are_not_judged_one_by_one():
    made = ByNumber(hv.borda(4), 1, k=1)
    reports = made.privatize(random_orders(5, 4))
    assert listing.orbits(made) is listing.chances(made, reports) is None
    assert frequencies(made, reports, "ABCD") is None
    assert hv.Mechanism.blanket(made).one.tolist() == pytest.approx([math.e, 1])  # the odds alone


class Wide(hv.Additive):
    """A mechanism whose reports may hold what it never sends."""

    name = "wide"

    @property
    def fields(self):
        return (hv.Field.mask("chosen", self.d),)

    def signals(self):
        return replace(super().signals(), chances=None)


def test_a_report_that_is_never_sent_is_found_at_once():
    made = Wide(hv.borda(4), 1, k=1)
    reports = made.privatize(random_orders(200, 4))
    assert frequencies(made, reports, "ABCD").p_value > 1e-6
    reports["chosen"][7] = 0b1011
    assert frequencies(made, reports, "ABCD").p_value == 0


@pytest.mark.parametrize(
    ("p", "said"), [(0.00145, "0.002"), (0.002, "0.002"), (1e-12, "1e-12"), (0.0095, "0.01")]
)
def test_the_chance_of_honesty_is_rounded_up(p, said):
    check = detection.Check("types", p, "", "")
    assert f"at most {said}:" in detection.Inspection(9, 0.01, (check,)).explain()[0]


def test_bad_input_is_refused():
    made = hv.Duel(hv.borda(4), 1)
    reports = made.privatize(random_orders(10, 4))
    tally = made.tally(reports)
    with pytest.raises(hv.TallyError, match="no reports to inspect"):
        hv.inspect(made.tally(reports[:0]))
    with pytest.raises(hv.TallyError, match="inspect a tally, not"):
        hv.inspect(reports)
    with pytest.raises(
        hv.TallyError, match="the chance of a false alarm must lie between 0 and 1, not 1"
    ):
        hv.inspect(tally, false_alarm=1)
    others = made.privatize(random_orders(10, 4, seed=1), rng=np.random.default_rng(1))
    with pytest.raises(hv.ReportError, match="not the ones that the tally counts"):
        hv.inspect(tally, others)
    naive = hv.NaiveSampling(hv.borda(4), 1)  # of a single class, whose count is the same
    one, other = (naive.domain.from_wire({"marked": marked}) for marked in ([0], [1]))
    with pytest.raises(hv.ReportError, match="not the ones that the tally counts"):
        hv.inspect(naive.tally(one), other)
    with pytest.raises(hv.ReportError, match="handed in are 9, but the tally counts 10"):
        hv.inspect(tally, reports[:9])
    with pytest.raises(hv.ReportError, match="the mechanism sends"):
        hv.inspect(tally, hv.Additive(hv.borda(4), 1).privatize(random_orders(10, 4)))

"""The ledger of the paper's claims: every verdict follows from the points alone."""

from pathlib import Path

import pytest

import hushvote as hv
from hushvote import reproduction
from hushvote.reproduction import GRID, claims, points, reproduce
from hushvote.reproduction.grid import EPSILONS, PAPER
from hushvote.reproduction.ledger import Points, provisional, settled

THEORY = "fig-mse-theory"
DOCS = Path(__file__).parents[1] / "docs"


def rows_of(page: str, first: str) -> list[list[str]]:
    """The rows of the table below a heading row that begins with `first`."""
    _, _, rest = (DOCS / page).read_text(encoding="utf-8").partition(f"| {first} |")
    lines = rest.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def invented(size: dict[str, float], **attacks: float) -> list[dict]:
    """Points of every figure: a size for each mechanism, and further error a made-up report."""
    rows = []
    for figure in GRID:
        for panel in figure.panels:
            for name in figure.series:
                for epsilon in EPSILONS:
                    harm = 1 + attacks.get(panel.attack, 0) * panel.adversaries
                    value = size.get(name, 1.0)
                    rows.append(
                        {
                            "figure": figure.name,
                            "rule": panel.rule,
                            "d": panel.d,
                            "n": panel.n,
                            "attack": panel.attack,
                            "adversaries": panel.adversaries,
                            "mechanism": name,
                            "epsilon": float(epsilon),
                            "metric": figure.metric,
                            "mean": 1 - value / 10 if figure.metric == "aow" else value * harm,
                            "se": 0.01 * value,
                            "runs": 10,
                        }
                    )
    return rows


def verdicts(rows: list[dict]) -> dict[str, tuple[str, float]]:
    return {j.claim.statement: (j.verdict, j.finding.value) for j in claims.judged(rows)}


def test_the_ledger_follows_the_points():
    sizes = {"laplace": 1.0, "weighted-sampling": 0.5, "additive": 0.25, "duel": 0.1}
    good = verdicts(invented(sizes, disguise=0.01, amplification=0.0004))
    assert len(good) == len(claims.CLAIMS) == 16
    weighted = "Weighted sampling has 25 % less total variation error than Laplace."
    additive = "Additive has 50 % less total variation error than Laplace."
    assert good[weighted] == ("reproduced", pytest.approx(50))
    assert good[additive] == ("reproduced", pytest.approx(75))
    bad = verdicts(invented({**sizes, "weighted-sampling": 0.83, "additive": 0.6}))
    assert bad[weighted] == ("not reproduced", pytest.approx(17))
    assert bad[additive] == ("not reproduced", pytest.approx(40))


def test_harm_is_measured_against_the_poll_without_adversaries():
    said = "Made-up reports of 1 % of the voters do real harm."
    few = "Made-up reports of up to 0.1 % of the voters have no real effect."
    harmful = verdicts(invented({}, disguise=0.01))
    assert harmful[said] == ("reproduced after correction", pytest.approx(100))
    assert harmful[few] == ("not reproduced", pytest.approx(10))
    harmless = verdicts(invented({}, disguise=0.0001))
    assert harmless[said] == ("not reproduced", pytest.approx(1))
    assert harmless[few] == ("reproduced after correction", pytest.approx(0.1))
    more = "Made-up reports do more harm than as many extra votes."
    assert harmful[more] == ("reproduced after correction", pytest.approx(500))
    assert verdicts(invented({}, amplification=0.01))[more][0] == "not reproduced"


def test_accuracy_is_the_lowest_of_all_cells_that_a_claim_covers():
    claim = "With 100,000 voters they do so even when epsilon is low."
    rows = invented(dict.fromkeys(PAPER, 0.1))
    assert verdicts(rows)[claim] == ("reproduced after correction", pytest.approx(99))
    for row in rows:
        at = (row["figure"], row["mechanism"], row["epsilon"], row["rule"])
        if at == ("fig-aow-100000-voters", "laplace", 0.1, "nauru"):
            row["mean"] = 0.5
    assert verdicts(rows)[claim] == ("not reproduced", pytest.approx(50))


def changed(rows: list[dict], mean: float, **where: object) -> list[dict]:
    """The same points, but for those where all of this holds."""
    return [
        {**row, "mean": mean} if all(row[k] == x for k, x in where.items()) else row for row in rows
    ]


def test_few_voters_are_judged_from_epsilon_1_on():
    figure, rows = "fig-aow-1000-voters", invented({})
    (claim,) = (c.statement for c in claims.CLAIMS if c.figures == (figure,))
    before = changed(rows, 0.5, figure=figure, mechanism="additive", epsilon=0.8)
    assert verdicts(before)[claim] == ("reproduced", pytest.approx(90))
    at = changed(rows, 0.5, figure=figure, mechanism="additive", epsilon=1)
    assert verdicts(at)[claim] == ("not reproduced", pytest.approx(50))


@pytest.mark.parametrize(("middle", "verdict"), [(0.8, "reproduced"), (0.6, "not reproduced")])
def test_a_gain_must_grow_at_every_step(middle, verdict):
    claim = "Additive gains on weighted sampling as the number of candidates grows."
    rows = invented({})
    for d, size in ((4, 0.9), (8, middle), (16, 0.7), (32, 0.5)):
        rows = changed(rows, size, figure=claims.CANDIDATES, mechanism="additive", d=d)
    assert verdicts(rows)[claim] == (verdict, pytest.approx(40))


MET, UNMET = "reproduced after correction", "not reproduced"


@pytest.mark.parametrize(("share", "verdict"), [(0.44, UNMET), (0.46, MET), (0.56, UNMET)])
def test_half_is_neither_much_less_nor_much_more(share, verdict):
    claim = "Weighted sampling has about half the mean squared error of Laplace."
    found = verdicts(invented({"weighted-sampling": share}))
    assert found[claim] == (verdict, pytest.approx(100 * share))


@pytest.mark.parametrize(("small", "verdict"), [(4, UNMET), (5, MET)])
def test_most_cases_are_more_than_half_of_them(small, verdict):
    claim = "In most cases additive has a 70 % smaller expected magnitude than Laplace."
    rows = invented({})
    for epsilon in EPSILONS[:small]:
        rows = changed(rows, 0.3, figure="fig-em-theory", mechanism="additive", epsilon=epsilon)
    assert verdicts(rows)[claim][0] == verdict


OPEN = "undecided"


@pytest.mark.parametrize(
    ("size", "verdict", "share"),
    [(0.95, MET, 100), (0.98, OPEN, 100), (1.02, OPEN, 50), (1.05, UNMET, 50)],
)
def test_who_is_ahead_in_a_point_is_told_by_two_errors(size, verdict, share):
    """The error of a difference is 0.014."""
    claim = "Under both attacks weighted sampling and additive stay ahead of Laplace throughout."
    sizes = {"weighted-sampling": 0.9, "additive": size}
    assert verdicts(invented(sizes))[claim] == (verdict, share)


@pytest.mark.parametrize(
    ("margins", "met"),
    [
        ([(2, 1)], True),
        ([(-2, 1)], False),
        ([(1.9, 1)], None),
        ([(-1.9, 1)], None),
        ([(0, 0)], True),
        ([(-0.1, 0)], False),
        ([(5, 1), (1, 1)], None),
        ([(5, 1), (1, 1), (-3, 1)], False),
        ([(5, 1), (9, 4)], True),
    ],
)
def test_a_verdict_needs_twice_the_standard_error(margins, met):
    assert settled(margins) is met


@pytest.mark.parametrize(
    ("size", "verdict"), [(0.75, "reproduced"), (0.79, OPEN), (0.81, OPEN), (0.84, UNMET)]
)
def test_what_lies_close_to_its_limit_is_undecided(size, verdict):
    """The limit is 0.8 of Laplace, and the error of the ratio 0.011."""
    claim = "Weighted sampling has 25 % less total variation error than Laplace."
    found = verdicts(invented({"weighted-sampling": size}))
    assert found[claim] == (verdict, pytest.approx(100 * (1 - size)))


@pytest.mark.parametrize(
    ("mean", "verdict"), [(0.84, "reproduced"), (0.81, OPEN), (0.79, OPEN), (0.76, UNMET)]
)
def test_one_cell_that_is_undecided_leaves_a_claim_undecided(mean, verdict):
    figure, rows = "fig-aow-1000-voters", invented({})
    (claim,) = (c.statement for c in claims.CLAIMS if c.figures == (figure,))
    rows = changed(rows, mean, figure=figure, mechanism="additive", epsilon=2, rule="nauru")
    assert verdicts(rows)[claim] == (verdict, pytest.approx(100 * mean))


def test_the_printed_lemma_has_the_larger_error():
    """Borda of five: Σ(w - c)² = 10 is not subtracted."""
    names = ("weighted-sampling", "additive")
    old, new = (hv.mechanism(name, hv.borda(5), 1).mse() for name in names)
    point = {"figure": THEORY, "rule": "borda", "se": 0}
    rows = [
        point | {"mechanism": name, "mean": x} for name, x in zip(names, (old, new), strict=True)
    ]
    found = claims._against_printed_lemma(Points(rows))
    assert found.value == pytest.approx(100 * (1 - new / old))
    assert found.detail.startswith(f"{100 * (1 - new / (old + 10)):.1f} %")


def test_errors_of_a_mean_are_never_smaller_than_those_of_its_points():
    rows = invented({"weighted-sampling": 0.5})
    (judged, *_) = claims.judged(rows)
    assert judged.finding.error == pytest.approx(100 * 0.5 * 0.01 * 2**0.5)


def test_claims_without_their_figures_are_left_out():
    rows = [row for row in invented({}) if row["figure"] == "fig-em-theory"]
    assert len(claims.judged(rows)) == 1
    assert claims.judged([]) == []


def test_verdicts_of_few_polls_are_called_provisional():
    judged = claims.judged(invented({}))
    assert "only 20 polls a point the verdicts are provisional" in provisional(judged, 20)
    assert provisional(judged, 100) == ""
    closed = [j for j in judged if j.claim.figures == (THEORY,)]
    assert closed
    assert provisional(closed, 20) == ""


def test_the_page_shows_the_ledger_of_these_claims():
    shown = rows_of("reproduction.md", "claim, in our words")
    assert [row[0] for row in shown] == [claim.statement for claim in claims.CLAIMS]
    assert [row[3] for row in shown] == [claim.criterion for claim in claims.CLAIMS]
    for row, claim in zip(shown, claims.CLAIMS, strict=True):
        mended = "reproduced after correction" if claim.correction else "reproduced"
        assert row[1] in (mended, "not reproduced", "undecided")


def test_figures_of_theory_on_the_page_are_those_of_the_mechanisms():
    rows = [
        row
        for figure in reproduction.named_figures(["fig-em-theory"])
        for row in points.theory(figure, EPSILONS)
    ]
    (judged,) = claims.judged(rows)
    shown = {row[0]: row[1:3] for row in rows_of("reproduction.md", "claim, in our words")}
    assert shown[judged.claim.statement] == [judged.verdict, str(judged.finding)]


def test_claims_are_not_judged_on_other_epsilons(tmp_path):
    made = reproduce(["fig-aow-1000-voters"], runs=2, epsilons=[0.5], out=tmp_path)
    assert made.points
    assert made.ledger == ()

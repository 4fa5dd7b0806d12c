"""Challenge: questions that nobody can choose, and what a dishonest bit can do."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.mechanisms import masks
from tests.conftest import random_orders
from tests.test_draws import assert_follows

KEY = "5eed" * 8


def hashes(n: int) -> np.ndarray:
    return np.random.default_rng(3).integers(0, 256, (n, 32), dtype=np.uint8)


def test_questions_follow_their_law():
    """Chi-square over all types and groups, false alarm 1e-8."""
    made = hv.Challenge(hv.borda(4), 2, key=KEY)
    asked = Counter(
        (q.type, q.plus, q.minus) for q in map(made.comparison, map(bytes, hashes(30_000)))
    )
    law: dict = Counter()
    for report, p in made.outcomes(range(4)):
        t = int(report["type"][0]) if len(made.asked) > 1 else 0
        law[t, int(report["plus"][0]), int(report["minus"][0])] += p
    assert_follows(asked, law)


def test_a_comparison_depends_on_key_and_question_alone():
    rule = hv.borda(6)
    made, other = hv.Challenge(rule, 1, key=KEY), hv.Challenge(rule, 1, key="ab" * 16)
    rows = [bytes(row) for row in hashes(200)]
    asked = [made.comparison(one) for one in rows]
    assert asked == [hv.mechanism_from(made.parameters()).comparison(one) for one in rows]
    same = sum(a == other.comparison(one) for a, one in zip(asked, rows, strict=True))
    assert same < 30  # two of some 30 questions agree by chance: false alarm below 1e-8


def test_bulk_answers_the_questions_of_the_hashes():
    made = hv.Challenge(hv.nauru(6), 1, key=KEY)
    orders, rows = random_orders(3000, 6), hashes(3000)
    reports = made.privatize(orders, questions=rows)
    truths = 0
    for order, row, report in zip(orders.tolist(), rows, reports, strict=True):
        asked = made.comparison(bytes(row))
        assert (report["plus"], report["minus"]) == (asked.plus, asked.minus)
        truths += bool(report["answer"]) == made.passes(asked, order)
    E = float(made.odds.ratio)
    assert stats.binomtest(truths, 3000, E / (E + 1)).pvalue > 1e-8
    single = made.draw(orders[0], question=bytes(rows[0]))
    assert single["plus"][0] == reports["plus"][0]


def test_a_report_answers_its_own_question_and_hardly_any_other():
    made = hv.Challenge(hv.borda(8), 1, key=KEY)
    assert made.needs_question
    rows = hashes(200)
    reports = made.privatize(random_orders(200, 8), questions=rows)
    own = [made.answers(reports[i : i + 1], bytes(rows[i])) for i in range(200)]
    others = [made.answers(reports[i : i + 1], bytes(rows[i - 1])) for i in range(200)]
    assert all(own)
    assert sum(others) < 50  # of some 70 questions and more: false alarm below 1e-9


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_a_mechanism_without_questions_refuses_one_with_one_sentence(name):
    made = hv.mechanism(name, hv.borda(4), 1)
    assert not made.needs_question
    report = made.draw(range(4))
    assert made.answers(report, bytes(32))
    for asked in (
        lambda: made.draw(range(4), question=bytes(32)),
        lambda: made.privatize([range(4)] * 2, questions=np.zeros((2, 32), dtype=np.uint8)),
    ):
        with pytest.raises(hv.MechanismError, match=r"no hash fixes|only a key fixes"):
            asked()


def test_estimates_from_fixed_questions_are_right():
    """Six standard errors: false alarm below 1e-7."""
    made = hv.Challenge(hv.borda(5), 1, key=KEY)
    orders = random_orders(20_000, 5)
    orders[:12_000] = [4, 2, 0, 1, 3]
    result = made.tally(made.privatize(orders, questions=hashes(20_000))).result()
    truth = np.array([float(t) for t in hv.totals(orders, hv.borda(5))]) / 20_000
    assert (np.abs(result.scores - truth) < 6 * result.standard_errors).all()


def test_a_fake_report_moves_the_gap_little_by_formula_and_by_simulation():
    """Borda d = 8, epsilon 1: at most 16 on average, where an additive report moves it by 60.6."""
    made = hv.Challenge(hv.borda(8), 1)
    assert made.shift() <= 16
    assert hv.Additive(hv.borda(8), 1).risks().gap == pytest.approx(60.6, abs=0.05)
    n = 400_000
    views = made.views(made.disguise(favour=5, against=2, n=n))
    gap = views[:, 5] - views[:, 2]
    assert abs(gap.mean() - made.shift()) < 6.5 * gap.std() / math.sqrt(n)


RULES = (
    hv.borda(2),
    hv.borda(3),
    hv.nauru(4),
    hv.plurality(4),
    hv.antiplurality(5),
    hv.Rule("x", [7, 3, 3, 0]),
)


def listed(made: hv.Challenge) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """Every question: its chance, the views of no and yes, and their chances under 0, 1, ..."""
    found: dict = {}
    for report, p in made.outcomes(range(made.d)):
        t = int(report["type"][0]) if len(made.asked) > 1 else 0
        key = (t, int(report["plus"][0]), int(report["minus"][0]))
        found.setdefault(key, []).append((made.views(report)[0], float(p)))
    rows = []
    for answers in found.values():
        views, chances = (np.array(column) for column in zip(*answers, strict=True))
        rows.append((chances.sum(), views, chances / chances.sum()))
    return rows


@pytest.mark.parametrize("epsilon", [0.5, 1, 4])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_law_of_what_a_credential_gains_is_that_of_all_questions(rule, epsilon):
    """Chance and size above every level, for every pair of candidates."""
    made = hv.Challenge(rule, epsilon, key=KEY)
    law = made.dishonest_gains().made_up
    assert sum(law.chances) <= 1 + 1e-12
    assert min(law.sizes) > 0
    assert law.most == pytest.approx(made.risks().gap)
    for favour, against in ((0, 1), (1, 0), (0, rule.d - 1)):
        best = [((views[:, favour] - views[:, against]).max(), p) for p, views, _ in listed(made)]
        assert made.shift() == pytest.approx(sum(gap * p for gap, p in best))
        excess = law.excess_moments
        for level, mean, variance in zip(
            excess.thresholds, excess.means, excess.variances, strict=True
        ):
            above = [(max(gap - level, 0), p) for gap, p in best]
            expected = sum(x * p for x, p in above)
            scale = law.most**2
            assert mean == pytest.approx(expected, abs=1e-9 * law.most)
            square = sum(x * x * p for x, p in above)
            assert variance == pytest.approx(square - expected**2, abs=1e-9 * scale)


@pytest.mark.parametrize("epsilon", [0.5, 1, 4])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_turning_an_honest_voter_gains_no_more_than_the_law_says(rule, epsilon):
    """The better bit in the place of an honest answer, question by question, for all pairs of
    ranks; some voter attains it.
    """
    made = hv.Challenge(rule, epsilon, key=KEY)
    law = made.dishonest_gains().turned
    excess, largest = law.excess_moments, 0.0
    for favour, against in ((i, j) for i in range(rule.d) for j in range(rule.d) if i != j):
        gained = []
        for p, views, chances in listed(made):
            gaps = views[:, favour] - views[:, against]
            gained.append((gaps.max() - min(0.0, gaps @ chances), p))
        for level, mean in zip(excess.thresholds, excess.means, strict=True):
            above = sum(max(gap - level, 0) * p for gap, p in gained)
            assert above <= mean + 1e-9 * law.most
        largest = max(largest, *(gap for gap, _ in gained))
    assert largest == pytest.approx(law.most)


def test_figures_of_borda_over_8_candidates():
    law = hv.Challenge(hv.borda(8), 1, key=KEY).dishonest_gains().made_up
    assert law.mean == pytest.approx(15.15, abs=0.005)
    assert law.variance == pytest.approx(295, abs=0.5)


def test_without_a_key_cheats_choose_their_questions():
    made = hv.Challenge(hv.borda(8), 1)
    gains = made.dishonest_gains()
    assert not gains.bound
    assert gains.made_up.sizes == (made.risks().gap,)
    assert gains.caveat.startswith("No key binds the questions to credentials")
    assert made.shift() < gains.made_up.mean / 3  # what `design` shows needs credentials


def test_disguise_chooses_only_the_bit():
    """The questions of fakes follow the law (chi-square, 1e-8); each bit is the better one."""
    made = hv.Challenge(hv.nauru(4), 1)
    sent = made.disguise(favour=1, against=3, n=40_000)
    made.domain.check(sent)
    flipped = sent.copy()
    flipped["answer"] ^= 1
    views, others = made.views(sent), made.views(flipped)
    assert (views[:, 1] - views[:, 3] >= others[:, 1] - others[:, 3] - 1e-9).all()
    law: dict = Counter()
    for report, p in made.outcomes(range(4)):
        t = int(report["type"][0]) if len(made.asked) > 1 else 0
        law[t, int(report["plus"][0]), int(report["minus"][0])] += p
    types = sent["type"] if len(made.asked) > 1 else np.zeros(len(sent), dtype=int)
    seen = Counter(zip(types.tolist(), sent["plus"].tolist(), sent["minus"].tolist(), strict=True))
    assert_follows(seen, law)


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", 1])
def test_borda_costs_at_most_12_percent_more_error_than_duel(epsilon):
    for d in (4, 8, 12):
        rule = hv.borda(d)
        assert hv.Challenge(rule, epsilon).mse() <= 1.12 * hv.Duel(rule, epsilon).mse()


def test_words_show_question_and_answer():
    made = hv.Challenge(hv.borda(4), 1)
    wire = {"plus": [0], "minus": [2], "answer": 1}
    report = made.domain.from_wire(wire if len(made.asked) == 1 else {"type": 0, **wire})
    assert made.words(report, "ABCD") == "Do I put {A} over {C}? I say yes."


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hv.Challenge(hv.borda(3), 1, key="xyz"), "hexadecimal"),
        (lambda: hv.Challenge(hv.borda(3), 1).comparison(bytes(32)), "only a key"),
        (lambda: hv.Challenge(hv.borda(3), 1, key=KEY).comparison(b"short"), "32 bytes"),
        (
            lambda: hv.Challenge(hv.borda(3), 1, key=KEY).privatize(
                [[0, 1, 2]], questions=np.zeros((2, 32), dtype=np.uint8)
            ),
            "1 row of 32 bytes",
        ),
    ],
)
def test_bad_keys_and_questions_are_refused(make, message):
    with pytest.raises(hv.MechanismError, match=message):
        make()


def test_members_of_masks():
    assert masks.members(0b1011) == [0, 1, 3]
    assert masks.mask_of([3, 0, 1]) == 0b1011

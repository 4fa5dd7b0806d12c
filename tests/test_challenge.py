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


def credentials(n: int) -> np.ndarray:
    return np.random.default_rng(3).integers(0, 256, (n, 32), dtype=np.uint8)


def test_questions_follow_their_law():
    """Chi-square over all types and groups, false alarm 1e-8."""
    made = hv.Challenge(hv.borda(4), 2, key=KEY)
    posed = Counter(
        (q.type, q.plus, q.minus) for q in map(made.question, map(bytes, credentials(30_000)))
    )
    law: dict = Counter()
    for report, p in made.outcomes(range(4)):
        t = int(report["type"][0]) if len(made.asked) > 1 else 0
        law[t, int(report["plus"][0]), int(report["minus"][0])] += p
    assert_follows(posed, law)


def test_a_question_depends_on_key_and_credential_alone():
    rule = hv.borda(6)
    made, other = hv.Challenge(rule, 1, key=KEY), hv.Challenge(rule, 1, key="ab" * 16)
    hashes = [bytes(row) for row in credentials(200)]
    questions = [made.question(one) for one in hashes]
    assert questions == [hv.mechanism_from(made.parameters()).question(one) for one in hashes]
    same = sum(a == other.question(one) for a, one in zip(questions, hashes, strict=True))
    assert same < 30  # two of some 30 questions agree by chance: false alarm below 1e-8


def test_bulk_answers_the_questions_of_the_credentials():
    made = hv.Challenge(hv.nauru(6), 1, key=KEY)
    orders, hashes = random_orders(3000, 6), credentials(3000)
    reports = made.privatize(orders, credentials=hashes)
    truths = 0
    for order, row, report in zip(orders.tolist(), hashes, reports, strict=True):
        posed = made.question(bytes(row))
        assert (report["plus"], report["minus"]) == (posed.plus, posed.minus)
        truths += bool(report["answer"]) == made.passes(posed, order)
    E = float(made.odds.ratio)
    assert stats.binomtest(truths, 3000, E / (E + 1)).pvalue > 1e-8
    single = made.draw(orders[0], credential=bytes(hashes[0]))
    assert single["plus"][0] == reports["plus"][0]


def test_estimates_from_credentials_are_right():
    """Six standard errors: false alarm below 1e-7."""
    made = hv.Challenge(hv.borda(5), 1, key=KEY)
    orders = random_orders(20_000, 5)
    orders[:12_000] = [4, 2, 0, 1, 3]
    result = made.tally(made.privatize(orders, credentials=credentials(20_000))).result()
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


def test_the_formula_of_the_shift_holds_for_every_rule_by_listing():
    for rule in (hv.nauru(4), hv.plurality(4), hv.borda(3), hv.Rule("x", [7, 3, 3, 0])):
        made = hv.Challenge(rule, 1)
        best: dict = {}
        for report, p in made.outcomes(range(rule.d)):
            t = int(report["type"][0]) if len(made.asked) > 1 else 0
            key = (t, int(report["plus"][0]), int(report["minus"][0]))
            view = made.views(report)[0]
            gap, chance = best.get(key, (-math.inf, 0))
            best[key] = (max(gap, view[1] - view[0]), chance + float(p))
        assert made.shift() == pytest.approx(sum(g * p for g, p in best.values()))


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
        (lambda: hv.Challenge(hv.borda(3), 1).question(bytes(32)), "need a key"),
        (lambda: hv.Challenge(hv.borda(3), 1, key=KEY).question(b"short"), "32 bytes"),
        (
            lambda: hv.Challenge(hv.borda(3), 1, key=KEY).privatize(
                [[0, 1, 2]], credentials=np.zeros((2, 32), dtype=np.uint8)
            ),
            "1 rows of 32 bytes",
        ),
    ],
)
def test_bad_keys_and_credentials_are_refused(make, message):
    with pytest.raises(hv.MechanismError, match=message):
        make()


def test_members_of_masks():
    assert masks.members(0b1011) == [0, 1, 3]
    assert masks.mask_of([3, 0, 1]) == 0b1011

"""Margins: what dishonest reports can do, by formula and by doing it."""

import math

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from tests.conftest import random_orders

NAMES = hv.mechanism_names()


def made_for_a_poll(name: str, rule: hv.Rule, epsilon: float) -> hv.Mechanism:
    """With a key where there can be one, so that credentials fix the questions."""
    return hv.mechanism(name, rule, epsilon, **({"key": "5eed" * 8} if name == "challenge" else {}))


def tied(n: int, d: int) -> np.ndarray:
    """Candidates 0 and 1 exactly tied for the lead."""
    orders = np.tile(np.arange(d, dtype=np.uint8), (n, 1))
    orders[n // 2 :, :2] = [1, 0]
    return orders


def attacked(made: hv.Mechanism, n: int, share: float, attack: str) -> hv.Result:
    """A poll of n reports in which a share helps candidate 0 against 1, who are truly tied."""
    fakes = round(share * n)
    honest = made.tally(made.privatize(tied(n - fakes, made.d)))
    if attack == "disguise":
        return (honest + made.tally(made.disguise(0, 1, fakes))).result()
    votes = np.tile([0, *range(2, made.d), 1], (fakes, 1))
    if attack == "amplification":
        votes = np.argsort(np.random.default_rng().random((fakes, made.d)), axis=1)
    return (honest + made.tally(made.privatize(votes))).result()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("attack", ["disguise", "stuffing"])
def test_the_breakdown_share_is_the_share_of_fakes_that_made_the_lead(name, attack):
    """The share that the formula finds, had it no error bars, is the share that was faked; within
    five standard errors of the gap (false alarm 6e-7).
    """
    made = made_for_a_poll(name, hv.borda(4), 1)
    n, share = 400_000, 0.1
    result = attacked(made, n, share, attack)
    effect = result.margin(issued=n)[attack]
    error = float(result.uncertainty.gap_errors[0, 1])
    gap = float(result.scores[0] - result.scores[1])
    assert abs(gap / effect.kind.shift - share) < 5 * error / effect.kind.shift
    reach = result.uncertainty.gap_critical(0.95)

    def left(most):
        shift, spread = effect.kind.effect(most / n, n, reach)
        gaps = result.scores[0] - result.scores[1:]
        fakes = 0.0 if effect.kind.drawn else most / n
        own = result.uncertainty.gap_widths(reach, fakes)[0, 1:] / reach
        errors = np.hypot(own, spread)
        return (gaps - shift - reach * errors).min()

    assert left(effect.most) >= 0 > left(effect.most + 1)  # one report more would be too many
    assert effect.breakdown == effect.most / n


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_lead_that_is_all_fake_seldom_stands(name):
    """100 polls an attack; it should stand in at most 5 % of them, false alarm 1e-6."""
    made = made_for_a_poll(name, hv.borda(4), 1)
    most = stats.binom.ppf(1 - 1e-6, 100, 0.05)
    for attack, share in (("disguise", 0.05), ("stuffing", 0.1), ("amplification", 0.3)):
        polls = [attacked(made, 2000, share, attack) for _ in range(100)]
        stood = [poll.margin(share, issued=2000)[attack].stands for poll in polls]
        assert sum(stood) <= most, attack


@pytest.mark.parametrize("name", NAMES)
def test_shifts_and_their_variances_are_those_of_disguised_reports(name):
    """Of means within 5 standard errors; the variance within 10 %, more than 6 of them."""
    made = made_for_a_poll(name, hv.nauru(5), 1.5)
    views = made.views(made.disguise(3, 1, 20_000))
    gaps = views[:, 3] - views[:, 1]
    assert abs(gaps.mean() - made.shift()) <= 5 * gaps.std() / math.sqrt(20_000) + 1e-4
    gain = made.dishonest_gains().made_up
    assert gain.mean == pytest.approx(made.shift())
    assert gaps.var() == pytest.approx(gain.variance, rel=0.1, abs=1e-6)
    assert (gain.variance > 0) == made.dishonest_gains().bound == (name == "challenge")


@pytest.mark.parametrize("name", NAMES)
def test_gap_variance_is_that_of_random_votes(name):
    """100 000 views of random votes; within 5 %, more than 5 standard errors. At the larger
    epsilon the votes differ more than the noise.
    """
    orders = np.argsort(np.random.default_rng(2).random((100_000, 5)), axis=1)
    for epsilon in (1, 10):
        made = hv.mechanism(name, hv.borda(5), epsilon)
        views = made.views(made.privatize(orders))
        assert (views[:, 0] - views[:, 1]).var() == pytest.approx(made.gap_variance(), rel=0.05)


def strong() -> hv.Result:
    made = hv.Duel(hv.borda(4), 2)
    return made.tally(made.privatize(np.tile([1, 0, 2, 3], (10_000, 1)))).result()


def test_the_leader_stands_up_to_the_breakdown_share_and_not_beyond():
    result = strong()
    for name in ("disguise", "stuffing"):
        breakdown = result.margin()[name].breakdown
        assert 0 < breakdown < 1
        assert result.margin(breakdown)[name].stands
        beyond = result.margin(breakdown + 1e-4)[name]  # one report more
        assert not beyond.stands
        assert 0 not in beyond.holds  # the closest rival is the first to be in doubt
    assert result.margin().breakdown == min(t.breakdown for t in result.margin().attacks)
    assert result.margin(0).stands
    assert not result.margin(1).stands


def test_random_votes_do_the_least_harm_and_made_up_reports_the_most():
    margin = strong().margin()
    shares = [margin[name].breakdown for name in ("disguise", "stuffing", "amplification")]
    assert shares == sorted(shares)
    assert margin["disguise"].moved == pytest.approx(0.01 * hv.Duel(hv.borda(4), 2).shift())


def test_votes_at_random_move_the_gap_by_their_noise_alone():
    result, made = strong(), hv.Duel(hv.borda(4), 2)
    effect = result.margin(0.04)["amplification"]
    noise = math.sqrt(0.04 * made.gap_variance() / 10_000)
    assert effect.moved == pytest.approx(result.uncertainty.gap_critical(0.95) * noise)
    for shown, kept in zip(
        result.margin(0.04).to_dict()["attacks"], result.margin(0.04).attacks, strict=True
    ):
        assert (shown["moved"], shown["breakdown"]) == (kept.moved, kept.breakdown)


def test_an_open_result_withstands_nothing():
    made = hv.Duel(hv.borda(4), 1)
    result = made.tally(made.privatize(tied(400, 4))).result()
    if result.certified() is None:
        assert result.margin().breakdown == 0
        assert not result.margin(0).stands


def test_a_challenge_withstands_more_fakes_than_a_duel():
    """The same poll, all credentials used; the challenge's attacker cannot choose the question.

    3.3 times as many, with a standard deviation of 0.2.
    """
    orders = np.tile([0, 1, 2, 3, 4, 5, 6, 7], (200_000, 1))
    shares = {}
    for name in ("duel", "challenge"):
        made = made_for_a_poll(name, hv.borda(8), 1)
        result = made.tally(made.privatize(orders)).result()
        shares[name] = result.margin(issued=200_000)["disguise"].breakdown
    assert shares["challenge"] > 1.5 * shares["duel"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_margin_is_plain_data_and_names_who_stays_behind(name):
    made = hv.mechanism(name, hv.borda(4), 2)
    result = made.tally(made.privatize(np.tile([1, 0, 2, 3], (20_000, 1)))).result()
    for effect in result.margin().attacks:
        figures = (effect.kind.shift, effect.kind.variance, effect.moved, effect.breakdown)
        assert {type(x) for x in figures} == {float}
    data = result.margin().to_dict(("Ann", "Bob", "Cem", "Dee"))
    assert data["attacks"][2]["holds"] == ["Ann", "Cem", "Dee"]
    assert result.margin().to_dict()["attacks"][2]["holds"] == [0, 2, 3]
    assert result.to_dict(fraction=0.3)["margin"]["fraction"] == 0.3


def test_bad_questions_about_a_margin_get_one_sentence():
    for share in (-0.1, 1.1, math.nan):
        with pytest.raises(hv.TallyError, match="share of dishonest reports"):
            strong().margin(share)
    with pytest.raises(hv.TallyError, match="there is no attack 'bribery'"):
        strong().margin()["bribery"]


def test_no_reports_do_more_than_those_that_do_the_most_harm():
    """Few extra or random votes have much noise, but each report moves a gap by the largest gap at
    most.
    """
    made = hv.Duel(hv.borda(5), 4)
    result = made.tally(made.privatize(np.tile(np.arange(5), (400, 1)))).result()
    found = result.margin(0.01)
    most = 4 * made.risks().gap / 400
    assert found["disguise"].moved == pytest.approx(most)
    for name in ("stuffing", "amplification"):
        assert found[name].moved <= most * (1 + 1e-12)
        assert found[name].most >= found["disguise"].most


@pytest.mark.parametrize("rule", [hv.borda(5), hv.nauru(5)], ids=str)
def test_fakes_that_make_errors_look_small_do_not_get_through(rule):
    """Of 2,000 reports a share is replaced by the ones that lower the estimate the most: the error
    that the margin reckons with is still no smaller than that without them.
    """
    made, n = hv.Duel(rule, 3), 2000
    honest = made.privatize(random_orders(n, 5), rng=np.random.default_rng(1))
    before = made.tally(honest).result().uncertainty
    reports, _ = made.listed
    joined = (np.concatenate([honest, np.repeat(one, n)]) for one in reports.reshape(-1, 1))
    results = (made.tally(those).result() for those in joined)
    worst = reports[int(np.argmin([one.uncertainty.gap_errors[0, 1] for one in results]))]
    for share in (0.01, 0.05, 0.2):
        faked = honest.copy()
        faked[: round(share * n)] = worst
        after = made.tally(faked).result().uncertainty
        assert after.gap_errors[0, 1] < before.gap_errors[0, 1]
        assert after.gap_widths(2.7, share)[0, 1] >= before.gap_widths(2.7)[0, 1] * (1 - 1e-9)

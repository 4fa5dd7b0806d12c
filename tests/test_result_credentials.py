"""Margins where credentials are issued: cheats who abstain, or choose whom to corrupt."""

import math
import re

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.result.attack_kinds import AttackKind, ChosenCredentials, attack_kinds
from tests.test_docs import read
from tests.test_result_margin import tied

KEY = "5eed" * 8


def named(made: hv.Mechanism, n: int, issued: int | None) -> dict[str, AttackKind]:
    return {kind.name: kind for kind in attack_kinds(made, n, issued)}


def moved(kind: AttackKind, share: float, n: int, reach: float) -> float:
    """How far a share moves the gap of the totals."""
    shift, spread = kind.effect(share, n, reach)
    return n * (shift + reach * spread)


def picking(made: hv.Challenge, used: int, known: int) -> ChosenCredentials:
    """So many credentials used of so many that the cheats know."""
    gain = made.dishonest_gains().made_up
    return ChosenCredentials(
        "x", "", 0.0, 0.0, gain=gain, used=lambda _: float(used), known=lambda _: float(known)
    )


def best(made: hv.Challenge, used: int, known: int, polls: int) -> np.ndarray:
    """What the best answers to the best questions add to a gap, poll by poll."""
    views = made.views(made.disguise(1, 0, polls * known))
    gaps = np.sort((views[:, 1] - views[:, 0]).reshape(polls, known), axis=1)
    return gaps[:, known - used :].sum(axis=1)


# --- the bound -------------------------------------------------------------------------------


def test_the_bound_is_close_to_what_the_best_100_of_500_credentials_do():
    """400 polls: their mean within 1 % (5 standard errors), and at most 5 % beyond the bound that
    says so (false alarm 1e-6), which is within 10 % of the mean.
    """
    made = hv.Challenge(hv.borda(8), 1, key=KEY)
    kind = picking(made, 100, 500)
    assert moved(kind, 0.2, 500, 0) == pytest.approx(3571, abs=1)
    assert 3777 <= moved(kind, 0.2, 500, 1.645) < 1.005 * 3777
    seen = best(made, 100, 500, 400)
    assert seen.mean() == pytest.approx(3571, rel=0.01)
    assert moved(kind, 0.2, 500, 1.645) < 1.1 * seen.mean()
    assert (seen > moved(kind, 0.2, 500, 1.645)).sum() <= stats.binom.ppf(1 - 1e-6, 400, 0.05)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    ("rule", "epsilon"),
    [(hv.borda(3), 1), (hv.borda(8), 1), (hv.nauru(5), 3), (hv.plurality(6), 1)],
)
def test_few_or_many_cheats_seldom_do_more_than_the_bound(rule, epsilon, level):
    """2 000 polls a case; in at most 1 - level of them, false alarm 1e-6 for all 36 cases of a
    test together. The reach is the one for all gaps together, as in a result.
    """
    made = hv.Challenge(rule, epsilon, key=KEY)
    result = hv.Result(
        rule, 1000, np.zeros(rule.d), hv.Uncertainty.sampled(np.eye(rule.d)), None, made
    )
    reach, polls = result.uncertainty.gap_critical(level), 2000
    most = stats.binom.ppf(1 - 1e-6 / 36, polls, 1 - level)
    for known in (1, 2, 3, 10, 30, 200):
        for used in {1, 2, 3, known // 5, known // 2, known}:
            if 1 <= used <= known:
                bound = moved(picking(made, used, known), 1, 1000, reach) * (1 + 1e-9)
                assert (best(made, used, known, polls) > bound).sum() <= most, (used, known)


def test_cases_have_the_credentials_that_cheats_use_and_know():
    ways = named(hv.Challenge(hv.borda(8), 1, key=KEY), 400, 500)
    counts = {
        name: (kind.used(0.1), kind.known(0.1), kind.of)
        for name, kind in ways.items()
        if isinstance(kind, ChosenCredentials)
    }
    assert counts == {
        "disguise": (40, 140, "reports"),  # 100 credentials were not used at all
        "corruption": (50, 500, "credentials"),
        "theft": (50, 50, "credentials"),
    }
    assert ways["corruption"].used(0.9) == 400  # no more than there are reports
    assert ways["theft"].known(0.9) == 400


@pytest.mark.parametrize("issued", [2000, 3000, 10_000])
def test_more_cheats_do_more_and_never_beyond_the_largest_gap(issued):
    made = hv.Challenge(hv.borda(6), 1, key=KEY)
    ways, gains = named(made, 2000, issued), made.dishonest_gains()
    for kind in ways.values():
        steps = [moved(kind, share, 2000, 2.5) for share in np.linspace(0, 1, 101)]
        assert steps[0] == 0
        assert (np.diff(steps) >= -1e-9).all(), kind.name
    for share in (0.001, 0.01, 0.3):
        most = share * 2000 * gains.made_up.most * (1 + 1e-12)
        assert moved(ways["theft"], share, 2000, 2.5) <= most * issued / 2000
        assert moved(ways["disguise"], share, 2000, 2.5) <= most
        fewer = named(made, 2000, 2000)["disguise"]
        assert moved(fewer, share, 2000, 2.5) <= moved(ways["disguise"], share, 2000, 2.5)


def test_figures_on_the_page_of_the_challenge_are_right():
    """What 100 dishonest reports do among 500 voters, on average; and what 10 do."""
    made = hv.Challenge(hv.borda(8), 1, key=KEY)
    every, half, page = named(made, 500, 500), named(made, 400, 500), read("docs/duel.md")
    shown = [
        moved(every["theft"], 0.2, 500, 0),
        moved(half["disguise"], 0.25, 400, 0),
        moved(every["corruption"], 0.2, 500, 0),
        100 * made.risks().gap,
    ]
    found = re.findall(r"^\| [a-z][^|]* \| (\d,\d{3}) \|$", page, re.MULTILINE)
    assert found == [f"{points:,.0f}" for points in shown]
    assert f"move {moved(every['corruption'], 0.02, 500, 0):.0f} points" in page


# --- doing it --------------------------------------------------------------------------------


def test_a_lead_by_cheats_who_abstain_when_their_question_is_of_no_use_seldom_stands():
    """1 800 honest voters are tied; cheats hold 1 200 credentials and use the best 200. 100 polls,
    at most 5 % may stand, false alarm 1e-6; all would, had the cheats to answer every question.
    """
    made, n, issued = hv.Challenge(hv.borda(4), 1, key=KEY), 2000, 3000
    stood = blind = 0
    for _ in range(100):
        fakes = made.disguise(0, 1, 1200)
        views = made.views(fakes)
        fakes = fakes[np.argsort(views[:, 1] - views[:, 0])[:200]]
        honest = made.privatize(tied(n - 200, 4))
        result = made.tally(np.concatenate([honest, fakes])).result()
        stood += result.margin(0.1, issued=issued)["disguise"].stands
        gap = result.scores[0] - result.scores[1]
        blind += gap - 0.1 * made.shift() > 1.96 * result.uncertainty.gap_errors[0, 1]
    assert stood <= stats.binom.ppf(1 - 1e-6, 100, 0.05)
    assert blind > 50


def expected_gaps(made: hv.Challenge, votes: list[int]) -> dict[tuple[int, ...], float]:
    """What an honest voter adds to the gap of 0 over 1, on average, by the question."""
    gaps: dict[tuple[int, ...], list[float]] = {}
    for report, p in made.outcomes(votes):
        view = made.views(report)[0]
        seen = gaps.setdefault(question(report[0]), [0.0, 0.0])
        seen[0] += float(p) * (view[0] - view[1])
        seen[1] += float(p)
    return {key: total / chance for key, (total, chance) in gaps.items()}


def question(report: np.void) -> tuple[int, ...]:
    return tuple(int(report[name]) for name in report.dtype.names if name != "answer")


def test_a_lead_by_cheats_who_choose_whom_to_corrupt_seldom_stands():
    """2 000 voters are tied. Cheats know them all, and turn those 200 whose answers would have
    harmed them most. 60 polls, at most 5 % may stand, false alarm 1e-6. In most of them the lead
    is more than the sum of what the made-up answers add: honest answers are missing, too.
    """
    made, n, turned = hv.Challenge(hv.borda(4), 1, key=KEY), 2000, 200
    votes = tied(n, 4)
    honest = {vote: expected_gaps(made, list(vote)) for vote in map(tuple, (votes[0], votes[-1]))}
    stood = beyond = 0
    for _ in range(60):
        reports = made.privatize(votes)
        flipped = reports.copy()
        flipped["answer"] ^= 1
        views, others = made.views(reports), made.views(flipped)
        gaps, turns = views[:, 0] - views[:, 1], others[:, 0] - others[:, 1]
        most = np.maximum(gaps, turns)
        missing = [
            honest[tuple(vote)][question(one)] for vote, one in zip(votes, reports, strict=True)
        ]
        whom = np.argsort(most - missing)[-turned:]
        reports["answer"][whom] ^= (turns > gaps)[whom]
        result = made.tally(reports).result()
        lead = result.scores[0] - result.scores[1]
        beyond += lead > most[whom].sum() / n + 1.96 * result.uncertainty.gap_errors[0, 1]
        stood += result.leader == 0 and result.margin(turned / n, issued=n)["corruption"].stands
    assert stood <= stats.binom.ppf(1 - 1e-6, 60, 0.05)
    assert beyond > 20


# --- what a result says ----------------------------------------------------------------------


def poll(key: str = KEY, n: int = 20_000) -> hv.Result:
    made = hv.Challenge(hv.borda(4), 1, key=key)
    return made.tally(made.privatize(np.tile([1, 0, 2, 3], (n, 1)))).result()


def test_without_the_number_of_credentials_every_report_counts_the_most():
    result = poll()
    made, margin = result.mechanism, result.margin()
    assert margin["disguise"].moved == pytest.approx(0.01 * made.risks().gap)
    assert margin["corruption"].moved == pytest.approx(0.01 * made.dishonest_gains().turned.most)
    assert margin["corruption"].kind.of == "reports"
    said = result.explain().words
    assert said[1].startswith(
        "If 200 of the 20,000 reports (1 %) were those of voters whom cheats chose to "
        "corrupt, that could"
    )
    assert said[2] == (
        "Every dishonest report counts with the question that helps it most, since the number of "
        "issued credentials is not given."
    )


def test_with_that_number_reports_and_credentials_are_judged():
    result = poll()
    data = result.to_dict(issued=25_000)
    ways = {row["attack"]: row for row in data["margin"]["attacks"]}
    assert data["margin"]["issued"] == 25_000
    assert [row["of"] for row in ways.values()] == ["reports"] * 3 + ["credentials"] * 2
    assert ways["theft"]["moved"] < ways["disguise"]["moved"] < ways["corruption"]["moved"]
    assert ways["theft"]["breakdown"] > ways["disguise"]["breakdown"]
    assert data["margin"]["breakdown"] == ways["corruption"]["breakdown"] > 0
    said = data["words"][1:4]
    assert said[0].startswith(
        "If 200 of the 20,000 reports (1 %) were made up to do the most harm, "
    )
    assert said[1].startswith(
        "If 250 of the 25,000 issued credentials (1 %) were those of voters whom cheats chose to "
        "corrupt, that could have moved the lead by "
    )
    assert said[2].startswith(
        "If 250 of the 25,000 issued credentials (1 %) were held by cheats who could not choose "
        "them and used them all, "
    )
    assert said[2].endswith(" %).")
    assert "not given" not in " ".join(data["words"])


def test_the_win_stands_only_if_it_does_under_the_strongest_attack():
    result = poll()
    between = math.sqrt(
        result.margin(issued=20_000)["corruption"].breakdown
        * result.margin(issued=20_000)["theft"].breakdown
    )
    margin = result.margin(between, issued=20_000)
    assert margin["theft"].stands
    assert not margin["corruption"].stands
    assert not margin.stands


def test_an_open_result_says_what_dishonest_credentials_could_have_done():
    made = hv.Challenge(hv.borda(4), 1, key=KEY)
    scores = np.array([1.6, 1.5, 1.5, 1.4])
    result = hv.Result(
        made.rule, 2000, scores, hv.Uncertainty.sampled(0.01 * np.eye(4)), None, made
    )
    amount = result.margin(0.02, issued=4000)["corruption"].moved
    assert (
        "If 80 of the 4,000 issued credentials (2 %) were those of voters whom cheats chose to "
        f"corrupt, that could have moved the gap between two candidates by {amount:.3g} points."
    ) in result.explain(fraction=0.02, issued=4000).words


@pytest.mark.parametrize("issued", [None, 20_000, 40_000])
def test_without_a_key_there_is_no_protection_and_the_words_say_so(issued):
    result = poll(key="")
    margin, gap = result.margin(issued=issued), result.mechanism.risks().gap
    assert margin["disguise"].moved == pytest.approx(0.01 * gap)
    if issued is not None:
        assert margin["corruption"].moved == pytest.approx(0.01 * issued / 20_000 * gap)
    said = result.explain(issued=issued).words
    assert sum("a cheat can choose the question too" in sentence for sentence in said) == 1
    assert not any("not given" in sentence for sentence in said)


@pytest.mark.parametrize("name", [name for name in hv.mechanism_names() if name != "challenge"])
def test_other_mechanisms_count_every_dishonest_credential_with_the_largest_gap(name):
    """The share of the reports is judged as before; of credentials, two make one report each."""
    made = hv.mechanism(name, hv.borda(4), 2)
    result = made.tally(made.privatize(np.tile([1, 0, 2, 3], (20_000, 1)))).result()
    plain, known = result.margin(0.02), result.margin(0.01, issued=40_000)
    assert known["corruption"].moved == pytest.approx(plain["disguise"].moved)
    assert known["corruption"].breakdown == pytest.approx(
        plain["disguise"].breakdown / 2, abs=1 / 20_000
    )
    assert known.attacks[:3] == result.margin(0.01).attacks
    assert plain.caveat == known.caveat == ""
    assert len(result.explain(issued=40_000).words) == 1 + len(result.explain().words)


@pytest.mark.parametrize(
    ("issued", "message"),
    [
        (19_999, r"20,000 reports cannot come from 19,999 issued credentials"),
        (0, "must be a whole number from 1 to"),
        (2.5e4, r"must be a whole number from 1 to .*, not 25000\.0"),
        (True, "not True"),
        (1 << 60, "must be a whole number from 1 to"),
    ],
)
def test_impossible_numbers_of_credentials_get_one_sentence(issued, message):
    with pytest.raises(hv.TallyError, match=message):
        poll().margin(issued=issued)
    with pytest.raises(hv.TallyError, match=message):
        poll().explain(issued=issued)

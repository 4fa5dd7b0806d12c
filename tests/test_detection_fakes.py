"""How many made-up reports an inspection estimates, and what that changes in a result."""

import numpy as np
import pytest

import hushvote as hv
from hushvote.detection.check import fewest_fakes

BOUNDED = [name for name in hv.mechanism_names() if name != "laplace"]
NAMES = ("Ann", "Bob", "Cem", "Dee")


def two_camps(n: int, d: int) -> np.ndarray:
    """Seven of ten rank one way, the others the other way round."""
    one = np.tile(np.arange(d, dtype=np.uint8), (n, 1))
    one[: 3 * n // 10] = one[: 3 * n // 10, ::-1]
    return one


def faked(made: hv.Mechanism, n: int, fakes: int) -> hv.Tally:
    """Honest votes, and one report that was sent many times."""
    harmful = np.repeat(made.disguise(favour=1, against=0), fakes)
    reports = np.concatenate([made.privatize(two_camps(n - fakes, made.d)), harmful])
    return made.tally(reports)


@pytest.mark.parametrize("name", BOUNDED)
def test_the_estimate_is_neither_far_above_the_truth_nor_next_to_nothing(name):
    """3,000 of 10,000. What is striking lies twenty and more standard deviations away, and so does
    an estimate of twice the truth: a false alarm has a chance below 1e-6.
    """
    inspection = hv.inspect(faked(hv.mechanism(name, hv.borda(6), 1), 10_000, 3_000))
    assert inspection.suspicious
    assert 1_000 < inspection.fakes < 6_000
    assert inspection.to_dict()["fakes"] == inspection.fakes


def test_of_honest_reports_none_is_taken_for_made_up():
    """A false alarm has a chance of 1e-9 at most, by the inspection's own promise."""
    made = hv.Duel(hv.borda(4), 1)
    inspection = hv.inspect(made.tally(made.privatize(two_camps(5_000, 4))), false_alarm=1e-9)
    assert inspection.fakes == 0


def test_where_one_report_can_be_of_any_size_nobody_knows_how_many_were_made_up():
    made = hv.Laplace(hv.borda(3), 1)
    wild = made.disguise(favour=1, against=0, n=3_000)
    tally = made.tally(np.concatenate([made.privatize(two_camps(2_000, 3)), wild]))
    inspection = hv.inspect(tally)
    assert inspection.suspicious
    assert inspection.fakes is None
    assert tally.result().explain(inspection=inspection).data["certified"] is None


def test_the_fewest_made_up_reports_follow_from_the_bounds():
    # 100 reports, honest ones count in 1 of 5 at most: 60 is 40 too many for the kind itself;
    # for the sum alone, 50 of which 4 are taken off by chance: (40 - 4) / 0.8
    assert fewest_fakes(60, 100, 0.1, 0.2) == 45
    # two kinds of reports with 30 and 25 too many: a report is of one kind
    assert fewest_fakes([[50], [45]], 100, [[0.1], [0.1]], [[0.2], [0.2]]) == 55
    # the same, but one of them is not striking
    assert (
        fewest_fakes([[50], [45]], 100, [[0.1], [0.1]], [[0.2], [0.2]], striking=[[True], [False]])
        == 33
    )
    # nobody is named, where honest devices name in one of two: (50 - 5) / 0.5
    assert fewest_fakes(0, 100, 0.5, 0.9) == 90
    # what no number explains: all of them
    assert fewest_fakes(100, 100, 0.0, 0.0, most=0.0) == 100
    # within the bounds, one at least, since something else was striking
    assert fewest_fakes(15, 100, 0.1, 0.2) == 1


def won(fakes: int) -> tuple[hv.Tally, hv.detection.Inspection]:
    """20,000 voters of one mind, and one made-up report against the first, sent many times. Of the
    harmful reports it is one that a tenth of all honest devices are asked for: 1,000 more of them
    are twenty standard deviations. (Of 100 harmful ones none is such with a chance of 3e-18.)
    """
    made = hv.Duel(hv.borda(4), 2)
    honest = made.privatize(np.tile([0, 1, 2, 3], (20_000, 1)))
    harmful = np.repeat(np.sort(made.disguise(favour=1, against=0, n=100))[:1], fakes)
    tally = made.tally(np.concatenate([honest, harmful])).named(NAMES)
    return tally, hv.inspect(tally)


def test_a_few_odd_reports_do_not_veto_a_win_that_withstands_more():
    tally, inspection = won(1_000)
    result = tally.result()
    most = min(effect.most for effect in result.margin().attacks)
    assert inspection.suspicious
    assert 500 < inspection.fakes < most
    shown = result.to_dict(inspection=inspection, seats=2)
    assert shown["certified"] == shown["leader"] == "Ann"
    assert shown["suspicious"] is True
    assert shown["fakes"] == inspection.fakes
    assert shown["title"].endswith("some reports not to be trusted")
    assert shown["words"][0].startswith(
        f"Not all of these reports can be trusted: by what they show, at least about "
        f"{inspection.fakes:,} reports were made up. Ann has won all the same: that holds with up "
        f"to {most:,} made up"
    )
    assert shown["rivals"] == []
    assert shown["margin"]["stands"]
    places = {row["candidate"]: row["places"] for row in shown["candidates"]}
    assert places == {"Ann": [1, 1], "Bob": [2, 4], "Cem": [2, 4], "Dee": [2, 4]}
    assert {row["first"] for row in shown["candidates"]} == {None}
    assert shown["elected"] is None
    assert not shown["lead"]["separated"]


def test_more_made_up_reports_than_a_win_withstands_leave_nobody_certified():
    tally, inspection = won(9_000)
    result = tally.result()
    assert result.certified() is not None
    assert inspection.fakes >= min(effect.most for effect in result.margin().attacks)
    shown = result.to_dict(inspection=inspection)
    assert shown["certified"] is None
    assert shown["words"][0].startswith(
        "These reports cannot be trusted, so no winner is announced"
    )
    assert shown["margin"] is None
    assert {tuple(row["places"]) for row in shown["candidates"]} == {(1, 4)}


def test_before_close_nobody_is_certified_whatever_the_margin():
    tally, inspection = won(1_000)
    shown = tally.result().to_dict(inspection=inspection, closed=False)
    assert shown["certified"] is None
    assert "has won" not in " ".join(shown["words"])

"""Tallies: integers that add, subtract and travel, and refuse to mix."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hushvote as hv
from hushvote import exact
from hushvote.canonical import canonical, sealed, unsealed
from tests.conftest import random_orders, resealed

ALL = [hv.mechanism(name, hv.nauru(5), 1) for name in hv.mechanism_names()]
each = pytest.mark.parametrize("made", ALL, ids=repr)


@each
def test_tallies_merge_in_any_order_to_the_same_integers(made):
    reports = made.privatize(random_orders(3000, 5))
    parts = np.split(reports, [1, 700, 701, 2500])
    forward = sum((made.tally(part) for part in parts[1:]), start=made.tally(parts[0]))
    backward = sum((made.tally(part) for part in parts[-2::-1]), start=made.tally(parts[-1]))
    assert forward == backward == made.tally(reports)


@each
def test_withdrawn_reports_leave_the_tally(made):
    reports = made.privatize(random_orders(1000, 5))
    assert made.tally(reports) - made.tally(reports[300:]) == made.tally(reports[:300])


@each
def test_counts_equal_a_count_one_report_at_a_time(made):
    reports = made.privatize(random_orders(200, 5))
    one_by_one = sum(
        (made.tally(reports[i : i + 1]) for i in range(1, 200)), start=made.tally(reports[:1])
    )
    assert one_by_one == made.tally(reports)


@each
def test_result_is_the_mean_of_the_views(made):
    reports = made.privatize(random_orders(5000, 5))
    result = made.tally(reports).result(population=True)
    views = made.views(reports)
    assert np.allclose(result.scores, views.mean(axis=0), rtol=1e-12)
    if made.name != "laplace":
        covariance = result.uncertainty.covariance
        assert np.allclose(covariance, np.cov(views.T) / len(views), rtol=1e-9, atol=0)
    else:
        errors = made.tally(reports).result().standard_errors
        assert np.allclose(errors**2, made.mse() / 5 / 5000, rtol=1e-6)
        assert (result.standard_errors > errors).all()


@each
def test_tally_survives_json(made):
    tally = made.tally(made.privatize(random_orders(100, 5))).named(tuple("ABCDE"))
    again = hv.Tally.from_json(tally.to_json())
    assert again == tally
    assert again.result().candidates == tuple("ABCDE")
    assert again.digest == made.digest


@pytest.mark.parametrize(
    "other",
    [
        hv.Additive(hv.borda(4), 2),
        hv.Additive(hv.borda(4), 1, k=2),
        hv.Additive(hv.nauru(4), 1),
        hv.Additive(hv.borda(5), 1),
        hv.WeightedSampling(hv.borda(4), 1),
    ],
    ids=repr,
)
def test_tallies_of_different_parameters_do_not_mix(other):
    made = hv.Additive(hv.borda(4), 1)
    mine = made.tally(made.privatize(random_orders(10, 4)))
    theirs = other.tally(other.privatize(random_orders(10, other.d)))
    with pytest.raises(hv.TallyError, match="different parameters: additive for borda over 4"):
        mine + theirs
    with pytest.raises(hv.TallyError, match="different parameters"):
        mine - theirs


def test_tallies_of_differently_named_candidates_do_not_mix():
    made = hv.Additive(hv.borda(2), 1)
    tally = made.tally(made.privatize([[0, 1]]))
    with pytest.raises(hv.TallyError, match="different candidates: A, B and B, A"):
        tally.named(("A", "B")) + tally.named(("B", "A"))
    assert (tally + tally.named(("A", "B"))).candidates == ("A", "B")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (None, "name the candidates by texts"),
        ("ABCD", "name the candidates by texts"),
        (("A", "B", "C", 4), "name the candidates by texts"),
        (("A",) * 4, "'A' is named twice"),
        (("A", "B"), "there are 2 names, but the rule of this tally scores 4 candidates"),
    ],
)
def test_names_that_do_not_fit_are_refused_in_one_sentence(names, message):
    made = hv.Additive(hv.borda(4), 1)
    tally = made.tally(made.privatize(random_orders(5, 4)))
    with pytest.raises(hv.HushvoteError, match=message):
        tally.named(names)


@each
def test_counts_that_no_reports_can_have_are_refused(made):
    tally = made.tally(made.privatize(random_orders(50, 5)))
    made.check_tally(tally)
    for name, array in tally.counts.items():
        if name == "outer":
            continue  # follows no simple bound
        for change in (-(10**15), 10**15):
            wrong = array.copy()
            wrong.flat[0] += change
            with pytest.raises(hv.TallyError, match="these are not the counts of 50 reports"):
                made.check_tally(hv.Tally(tally.parameters, 50, {**tally.counts, name: wrong}))


def test_more_reports_than_there_are_cannot_be_withdrawn():
    made = hv.Additive(hv.borda(2), 1)
    one, two = (made.tally(made.privatize([[0, 1]] * n)) for n in (1, 2))
    with pytest.raises(hv.TallyError, match="cannot withdraw 2 reports from a tally of 1"):
        one - two


def test_a_tally_of_nothing_has_no_result():
    made = hv.Additive(hv.borda(2), 1)
    with pytest.raises(hv.TallyError, match="holds no reports"):
        made.tally(made.domain.empty(0)).result()


def test_counting_in_memory_never_wraps(monkeypatch):
    made = hv.Laplace(hv.borda(2), 1)
    monkeypatch.setattr(
        made,
        "count",
        lambda reports, weights=None: {"sums": np.array([2**62, 0]) * (len(reports) > 0)},
    )
    monkeypatch.setattr("hushvote.rankings.BLOCK", 1)
    monkeypatch.setattr("hushvote.mechanisms.bulk.COUNT_BYTES", 1)
    with pytest.raises(hv.TallyError, match="beyond 64-bit"):
        made.tally(made.privatize([[0, 1], [1, 0]]))


def test_counts_beyond_64_bits_are_refused_instead_of_wrapped():
    made = hv.Laplace(hv.borda(2), 1)
    huge = hv.Tally(made.parameters(), 1, {"sums": np.array([2**62, 0])})
    with pytest.raises(hv.TallyError, match="beyond 64-bit"):
        huge + huge
    low = hv.Tally(made.parameters(), 1, {"sums": np.array([-(2**62) - 1, 0])})
    with pytest.raises(hv.TallyError, match="beyond 64-bit"):
        low + low
    assert (huge - huge).counts["sums"].tolist() == [0, 0]


def damaged(**changes) -> str:
    made = hv.Additive(hv.borda(3), 1)
    document = unsealed(made.tally(made.privatize(random_orders(5, 3))).to_json())
    return resealed(document | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ("[1, 2]", "not a JSON object"),
        ("[" * 100_000, "not valid JSON"),
        (sealed({"hushvote": "poll"}), 'lacks "hushvote": "tally"'),
        (damaged().replace('"n": 5', '"n": 6'), "checksum does not fit"),
        (b"\xff\xfe", "not valid JSON"),
        (5, "from the text that to_json wrote, not from 5"),
        (damaged(version=1), "format version 1; this hushvote reads version 2"),
        (damaged(n="many"), "damaged"),
        (damaged(n=-1), "holds -1 reports"),
        (damaged(n=10**400), "whole number of 2.53 or more that is not text"),
        (damaged(n=4), "these are not the counts of 4 reports"),
        (damaged(candidates=["A", "A", "A"]), "named twice"),
        (damaged(candidates=["A", "B", "\x1b[31mC"]), "cannot be shown"),
        (damaged(candidates=[1, None, {}]), "damaged"),
        (damaged(poll="abc"), "64 hexadecimal digits in lower case, not 'abc'"),
        (damaged(poll="A" * 64), "64 hexadecimal digits in lower case"),
        (damaged(poll=None), "members or forms"),
        (damaged(seeded=False), "members or forms"),
        (damaged(seeded=1), "members or forms"),
        (damaged(counts={}), "additive counts pairs of shape"),
        (damaged(counts={"pairs": {"shape": [2, 2], "values": [1, 2, 3, 4]}}), "shape"),
        (damaged(counts={"pairs": {"shape": [3, 3], "values": [1]}}), "damaged"),
        (damaged(counts={"pairs": {"shape": [1], "values": [1.5]}}), "has a float"),
        (damaged(counts=[1]), "damaged"),
        (damaged(candidates=["A", "B"]), "its rule scores 3 candidates, and it names 2"),
        (damaged(mechanism=None), "parameters must be a JSON object"),
        (damaged(mechanism={"mechanism": "additive"}), "lack the member 'rule'"),
    ],
)
def test_damaged_tallies_are_refused_in_one_sentence(text, message):
    with pytest.raises(hv.HushvoteError, match=message) as caught:
        hv.Tally.from_json(text)
    assert "\n" not in str(caught.value)


def test_tallies_of_different_polls_never_merge():
    made = hv.Additive(hv.borda(3), 1)
    plain = made.tally(made.privatize(random_orders(5, 3)))
    mine, other = plain.for_poll("a" * 64), plain.for_poll("b" * 64)
    assert (mine + mine).poll == "a" * 64
    assert hv.Tally.from_json((mine + mine).to_json()) == mine + mine
    assert mine != other != plain
    for stranger, said in ((other, "poll bbbb"), (plain, "no poll")):
        with pytest.raises(hv.TallyError, match=f"different polls: poll a{{16}} and {said}"):
            mine + stranger
        with pytest.raises(hv.TallyError, match="different polls"):
            mine - stranger


def test_a_tally_remembers_that_reports_were_drawn_with_a_seed():
    made = hv.Additive(hv.borda(3), 1)
    plain = made.tally(made.privatize(random_orders(5, 3)))
    seeded = replace(plain, seeded=True)
    assert not (plain + plain).seeded
    for merged in (plain + seeded, seeded + plain, seeded - plain, seeded + seeded):
        assert merged.seeded
        assert hv.Tally.from_json(merged.to_json()).seeded
    assert '"seeded"' not in plain.to_json()


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_is_either_a_tally_or_refused(text):
    with pytest.raises(hv.HushvoteError):
        hv.Tally.from_json(text)


def test_integers_from_two_to_the_53_on_travel_as_text():
    for number in (2**53, -(2**53), 2**60):
        assert exact.to_json(number) == str(number)
        assert exact.from_json(exact.to_json(number)) == number
    assert exact.to_json(2**53 - 1) == 2**53 - 1


def test_the_digest_does_not_depend_on_the_order_of_keys():
    made = hv.Additive(hv.borda(3), 1)
    shuffled = dict(reversed(made.parameters().items()))
    assert hv.mechanism_from(shuffled).digest == made.digest
    assert canonical(shuffled) == canonical(made.parameters())
    assert canonical({"b": 1, "a": ["é", 2]}) == '{"a":["é",2],"b":1}'.encode()

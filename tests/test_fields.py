"""Fields: the record, the Arrow schema, the wire and the domain all follow from them."""

import json

import numpy as np
import pyarrow as pa
import pytest

import hushvote as hv
from hushvote.mechanisms import Domain, Field, masks
from tests.conftest import listable, random_orders, rules

LOTTERY = Domain(
    (
        Field.type("type", 3),
        Field.mask("plus", 12, sizes=[1, 2, 3]),
        Field.bit("answer"),
        Field.integer("score", -200, 100_000),
    )
)


def test_columns_take_the_smallest_type_that_fits():
    assert LOTTERY.dtype == np.dtype(
        [("type", "u1"), ("plus", "<u2"), ("answer", "u1"), ("score", "<i4")]
    )
    assert LOTTERY.schema.types == [pa.int8(), pa.int16(), pa.int8(), pa.int32()]
    for d, size in [(2, 1), (8, 1), (9, 2), (16, 2), (17, 4), (33, 8), (64, 8)]:
        assert hv.Additive(hv.borda(d), 1).domain.dtype.itemsize == size


def test_a_report_is_readable_json_and_comes_back():
    report = np.array([(1, 0b1010, 0, -7)], dtype=LOTTERY.dtype)
    wire = {"type": 1, "plus": [1, 3], "answer": 0, "score": -7}
    assert LOTTERY.to_wire(report) == wire
    assert LOTTERY.from_wire(wire) == report


def test_an_orbit_is_what_renaming_candidates_leaves():
    """Two sets that may share candidates: who is in which of them, but for the names."""
    domain = Domain((Field.mask("liked", 4), Field.mask("known", 4), Field.bit("answer")))
    reports = [(0b0001, 0b0011, 0), (0b0100, 0b0110, 0)]  # renamed
    reports += [(0b0011, 0b0001, 0), (0b0001, 0b0110, 0), (0b0001, 0b0011, 1)]  # others
    first, same, *others = (domain.orbit(x) for x in np.array(reports, dtype=domain.dtype))
    assert first == same
    assert len({first, *others}) == 4


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ((3, 1, 0, 0), "report 10: 'type' is 3, but must lie between 0 and 2"),
        ((0, 3, 0, 0), "report 10: 'plus' holds 2 candidates, but must hold 1"),
        ((2, 3, 0, 0), "report 10: 'plus' holds 2 candidates, but must hold 3"),
        ((0, 1 << 12, 0, 0), "'plus' is 4096, but must lie between 0 and 4095"),
        ((0, 1, 2, 0), "'answer' is 2"),
        ((0, 1, 0, -201), "'score' is -201, but must lie between -200 and 100000"),
    ],
)
def test_a_report_outside_the_domain_is_refused_with_its_number(report, message):
    good = [(0, 1, 1, 5)] * 10
    reports = np.array([*good, report], dtype=LOTTERY.dtype)
    with pytest.raises(hv.ReportError, match=message):
        LOTTERY.check(reports)
    LOTTERY.check(reports[:10])


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_a_wrong_row_fails_alone(name):
    """Whatever bytes come, the rows that `check` refuses one by one are those not `valid`."""
    domain = hv.mechanism(name, hv.nauru(5), 1).domain
    good = hv.mechanism(name, hv.nauru(5), 1).privatize(random_orders(500, 5))
    raw = np.random.default_rng(5).integers(0, 256, (500, domain.dtype.itemsize), dtype=np.uint8)
    small = raw.copy()
    small[:] %= 8
    mixed = np.concatenate([good, raw.view(domain.dtype)[:, 0], small.view(domain.dtype)[:, 0]])

    def passes(report: np.ndarray) -> bool:
        try:
            domain.check(report)
        except hv.ReportError:
            return False
        return True

    found = domain.valid(mixed)
    assert found[:500].all()
    assert found.tolist() == [passes(mixed[i : i + 1]) for i in range(len(mixed))]
    domain.check(mixed[found])


@pytest.mark.parametrize("name", hv.mechanism_names())
@pytest.mark.parametrize("d", [5, 8, 32])
def test_one_report_is_read_from_json_like_its_row(name, d):
    made = hv.mechanism(name, hv.borda(d), 1)
    reports = made.privatize(random_orders(200, d))
    for i in range(200):
        values = made.domain.parse(json.loads(json.dumps(made.domain.to_wire(reports[i : i + 1]))))
        assert values == reports[i].item()
        assert all(type(value) is int for value in values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"plus": [0]}, "'plus' holds 1 candidate, but must hold 2"),
        ({"plus": [0, 12]}, "a list of different candidates from 0 to 11 in rising order"),
        ({"plus": [0, 10**30]}, "a list of different candidates from 0 to 11"),
        ({"plus": [-1, 0]}, "a list of different candidates"),
        ({"plus": [True, 2]}, "a list of different candidates"),
        ({"plus": [1.0, 2]}, "a list of different candidates"),
        ({"plus": (1, 2)}, "a list of different candidates"),
        ({"type": 3}, "'type' is 3"),
        ({"type": True}, "expected an integer"),
        ({"score": "7"}, "expected an integer"),
        ({"name": "Ann"}, "the report has a field 'name'"),
    ],
)
def test_one_report_outside_the_domain_is_refused(change, message):
    good = {"type": 1, "plus": [1, 3], "answer": 0, "score": -7}
    assert LOTTERY.parse(good) == (1, 0b1010, 0, -7)
    with pytest.raises(hv.ReportError, match=message):
        LOTTERY.parse(good | change)


@pytest.mark.parametrize("wire", [None, [], "{}", 7, {}, {"type": 1}])
def test_what_is_no_report_at_all_is_refused(wire):
    with pytest.raises(hv.ReportError, match=r"a report is a JSON object|lacks the field"):
        LOTTERY.parse(wire)


def test_sets_that_must_be_apart_are_refused_when_they_share_a_candidate():
    domain = Domain((Field.mask("plus", 4), Field.mask("minus", 4, disjoint="plus")))
    assert domain.parse({"plus": [1], "minus": [0, 2]}) == (0b10, 0b101)
    with pytest.raises(hv.ReportError, match="'minus' and 'plus' share a candidate"):
        domain.parse({"plus": [1], "minus": [0, 1]})


def test_reports_of_another_kind_are_refused():
    made = hv.Additive(hv.borda(4), 1)
    for foreign in (np.zeros(3), [1, 2], hv.Laplace(hv.borda(4), 1).domain.empty(2)):
        with pytest.raises(hv.ReportError, match="the mechanism sends"):
            made.tally(foreign)
    with pytest.raises(hv.ReportError, match="flat array"):
        made.tally(made.domain.empty(4).reshape(2, 2))


def test_a_report_with_too_many_candidates_is_not_counted():
    made = hv.Additive(hv.borda(4), 1, k=2)
    reports = made.privatize(random_orders(100, 4))
    reports["chosen"][63] = 0b0111
    with pytest.raises(hv.ReportError, match="report 63: 'chosen' holds 3 candidates"):
        made.tally(reports)


def test_arrow_and_back():
    for name in hv.mechanism_names():
        made = hv.mechanism(name, hv.borda(9), 1)
        reports = made.privatize(random_orders(50, 9))
        batch = made.domain.to_arrow(reports)
        assert (made.domain.from_arrow(batch) == reports).all()
        coded = pa.record_batch(
            [c.dictionary_encode() for c in batch.columns], names=batch.schema.names
        )
        assert (made.domain.from_arrow(coded) == reports).all()


def test_columns_in_files_are_signed_and_no_wider_than_64_bits():
    for d, kind in [(7, "int8"), (8, "int16"), (15, "int16"), (16, "int32"), (31, "int32")]:
        assert [str(t) for t in hv.Additive(hv.borda(d), 1).domain.schema.types] == [kind]
    for d in (32, 63, 64):
        assert hv.Additive(hv.borda(d), 1).domain.schema.types == [pa.int64()]
    for name in hv.mechanism_names():
        for d in (2, 9, 64):
            types = hv.mechanism(name, hv.plurality(d), 1).domain.schema.types
            assert all(pa.types.is_signed_integer(t) for t in types)


def test_a_set_of_64_candidates_is_a_signed_integer_in_twos_complement():
    domain = Domain((Field.mask("chosen", 64),))
    reports = np.array([(0,), (1,), (1 << 63,), (2**64 - 1,)], dtype=domain.dtype)
    batch = domain.to_arrow(reports)
    assert batch["chosen"].to_pylist() == [0, 1, -(2**63), -1]
    assert (domain.from_arrow(batch) == reports).all()
    unsigned = pa.record_batch({"chosen": pa.array([0, 1, 1 << 63, 2**64 - 1], pa.uint64())})
    assert (domain.from_arrow(unsigned) == reports).all()


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([3, 257], pa.int16()), "report 11: 'chosen' is 257, but must lie between 0"),
        (pa.array([3, -1], pa.int8()), "report 11: 'chosen' is -1, but must lie between 0"),
        (pa.array([3, 2**40], pa.uint64()), "report 11: 'chosen' is 1099511627776"),
        (pa.array([1.0, 2.0]), "'chosen' holds double, but must hold whole numbers"),
        (pa.array(["1", "2"]), "'chosen' holds string, but must hold whole numbers"),
        (pa.array([True, False]), "'chosen' holds bool, but must hold whole numbers"),
    ],
)
def test_a_value_that_does_not_fit_is_never_cut(column, message):
    domain = hv.Additive(hv.borda(8), 1).domain
    with pytest.raises(hv.ReportError, match=message):
        domain.from_arrow(pa.record_batch({"chosen": column}), first=10)


def test_empty_cells_are_refused():
    domain = hv.Additive(hv.borda(3), 1).domain
    batch = pa.record_batch({"chosen": pa.array([1, None], pa.uint8())})
    with pytest.raises(hv.ReportError, match="'chosen' is empty"):
        domain.from_arrow(batch)


@pytest.mark.parametrize("d", [2, 8, 9, 16, 17, 32, 33, 64])
def test_pair_counts_equal_counting_bit_by_bit(d):
    rng = np.random.default_rng(d)
    sets = rng.integers(0, 2**63, 5000, dtype=np.uint64) << np.uint64(1)
    sets |= rng.integers(0, 2, 5000, dtype=np.uint64)
    sets = (sets & np.uint64(2**d - 1)).astype(hv.Additive(hv.borda(d), 1).domain.dtype[0])
    bits = masks.unpacked(sets, d).astype(np.int64)
    assert bits[:50].tolist() == [[int(s) >> j & 1 for j in range(d)] for s in sets[:50]]
    assert (masks.pair_counts(sets, d) == bits.T @ bits).all()
    groups = rng.integers(0, 3, 5000).astype(np.uint8)
    for g, counts in enumerate(masks.pair_counts(sets, d, groups, 3)):
        assert (counts == bits[groups == g].T @ bits[groups == g]).all()
    single = np.left_shift(1, rng.integers(0, d, 500).astype(np.uint64), dtype=np.uint64)
    single = single.astype(sets.dtype)
    assert (masks.single_counts(single, d) == masks.pair_counts(single, d)).all()


def test_words_say_what_the_report_says():
    names = ["Ann", "Bob", "Cy", "Di"]
    additive = hv.Additive(hv.borda(4), 1, k=3)
    assert additive.words(additive.domain.from_wire({"chosen": [0, 1, 3]}), names) == (
        "I name Ann, Bob and Di."
    )
    single = hv.Additive(hv.borda(4), 1)
    assert single.words(single.domain.from_wire({"chosen": [2]}), names) == "I name Cy."
    weighted = hv.WeightedSampling(hv.borda(4), 1)
    against = weighted.domain.from_wire({"class": 1, "marked": [1, 2]})
    assert weighted.words(against, names) == "I mark Bob, Cy; marks count against a candidate."
    nobody = weighted.domain.from_wire({"class": 0, "marked": []})
    assert weighted.words(nobody, names) == "I mark nobody; marks count for a candidate."
    laplace = hv.Laplace(hv.borda(4), 1)
    blurred = laplace.domain.from_wire(
        {f"score_{j}": j * laplace.units_per_point for j in range(4)}
    )
    assert laplace.words(blurred, names) == (
        "My scores, blurred: Ann 0.00, Bob 1.00, Cy 2.00, Di 3.00."
    )


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_size_of_a_domain_is_the_number_of_its_reports(d):
    for rule in rules(d):
        for made in listable(rule, 1):
            assert made.domain.size == sum(1 for _ in made.outcomes(range(d))), made
    assert hv.Laplace(hv.borda(d), 1).domain.size > 1 << 40

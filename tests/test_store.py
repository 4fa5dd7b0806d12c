"""Every method of a store, on both databases."""

import threading

import pytest

from hushvote.server.store.contract import Codes, Done, ErasedEntry, KeptEntry, Numbers, Refused
from hushvote.server.store.errors import StoreError
from hushvote.server.store.opening import open_store
from tests.keeping import (
    POLL,
    a_poll,
    cast,
    change,
    codes_in,
    entries_of,
    event,
    hashed,
    opened,
    places_of,
    receipt_of,
    secret_of,
    spent_of,
    withdrawal,
)

NONE = Numbers(0, 0, 0, 0)


@pytest.fixture
def store(store_url):
    with opened(store_url) as found:
        yield found


@pytest.fixture
def kept(store):
    assert store.create(a_poll(), event("created"))
    return store


def test_a_new_store_is_empty_and_an_unknown_poll_has_nothing(store):
    assert list(store.polls()) == []
    assert store.poll(POLL) is None
    assert store.deleted(POLL) is None
    assert list(store.events(POLL)) == []
    assert store.numbers(POLL) == NONE
    assert store.hours(POLL) == {}
    assert store.codes(POLL) == Codes((), (), ())
    assert store.code_numbers(POLL) == (0, 0)
    assert list(store.reports(POLL)) == []
    assert entries_of(store) == spent_of(store) == []
    assert store.published(POLL) is None
    assert store.question_of(POLL, receipt_of(1)) is None
    assert not store.extend(POLL, 5, event("extended"))
    assert not store.close(POLL, event("closed"))
    assert not store.delete(POLL, "2026-01-01")
    assert not store.issue(POLL, [hashed(1)], event("issued"))
    assert list(store.revoke(POLL, [hashed(1)], event("revoked"))) == []
    assert not store.erase(POLL, receipt_of(1), hashed(1), event("erased"))
    assert codes_in(store.commit([cast(1), change(1, 2), withdrawal(1)])) == ["vote.closed"] * 3
    with pytest.raises(StoreError, match="not there any more") as told:
        store.publish(POLL, 1, "text")
    assert told.value.code == "store.poll"
    assert list(store.commit([])) == []
    store.check()


def test_polls_are_kept_in_the_order_of_their_ids(store, store_url):
    polls = [a_poll(id) for id in ("ff" * 16, "0a" * 16, "B" * 32)]
    assert all(store.create(one, event("created", n=1)) for one in polls)
    assert list(store.polls()) == sorted(polls, key=lambda one: one.id)
    assert store.poll("0a" * 16) == polls[1]
    assert not store.create(polls[0], event("created"))
    assert list(store.events(polls[0].id)) == [event("created", n=1)]
    with opened(store_url) as again:
        assert list(again.polls()) == list(store.polls())


def test_an_open_poll_is_extended_and_says_so_in_its_log(kept):
    assert kept.extend(POLL, 3_000_000_000, event("extended"))
    assert kept.poll(POLL) == a_poll(closes=3_000_000_000)
    assert list(kept.events(POLL)) == [event("created"), event("extended")]


def test_a_closed_poll_stays_as_it_is(kept):
    assert kept.issue(POLL, [hashed("code 1")], event("issued"))
    first = cast(1, code=1)
    kept.commit([first, cast(2), change(2, 3), cast(4), withdrawal(4)])
    before = entries_of(kept), spent_of(kept), kept.numbers(POLL), kept.hours(POLL)
    used = kept.codes(POLL)
    assert kept.close(POLL, event("closed"))
    assert kept.poll(POLL).closed
    assert not kept.close(POLL, event("closed"))
    assert not kept.extend(POLL, 3_000_000_000, event("extended"))
    assert not kept.issue(POLL, [hashed("code 2")], event("issued"))
    assert list(kept.revoke(POLL, [hashed("code 1")], event("revoked"))) == []
    after = [first, cast(5), change(1, 6), withdrawal(1), withdrawal(4)]
    assert codes_in(kept.commit(after)) == ["vote.closed"] * 5
    assert (entries_of(kept), spent_of(kept), kept.numbers(POLL), kept.hours(POLL)) == before
    assert kept.codes(POLL) == used
    assert [one["event"] for one in kept.events(POLL)] == ["created", "issued", "closed"]


def test_of_a_deleted_poll_only_id_digest_and_day_remain(kept):
    other = a_poll("cd" * 16)
    assert kept.create(other, event("created"))
    kept.issue(POLL, [hashed("code 1")], event("issued"))
    kept.commit([cast(1, code=1), cast(2, poll=other.id)])
    kept.publish(POLL, 1, "result")
    assert kept.delete(POLL, "2026-11-16")
    assert kept.deleted(POLL) == (a_poll().digest, "2026-11-16")
    assert kept.poll(POLL) is None
    assert list(kept.events(POLL)) == entries_of(kept) == []
    assert kept.published(POLL) is None
    assert kept.hours(POLL) == {}
    assert kept.numbers(POLL) == NONE
    assert kept.codes(POLL) == Codes((), (), ())
    assert not kept.delete(POLL, "2026-11-17")
    assert not kept.create(a_poll(), event("created"))
    assert codes_in(kept.commit([cast(3)])) == ["vote.closed"]
    assert list(kept.polls()) == [other]
    assert len(entries_of(kept, other.id)) == 1


def test_codes_are_issued_once_and_revoked_while_unused(kept):
    one, two, three, stranger = (hashed(f"code {name}") for name in (1, 2, 3, "stranger"))
    assert kept.issue(POLL, [two, one, one], event("issued", n=2))
    assert kept.issue(POLL, [two, three], event("issued", n=1))
    kept.commit([cast(1, code=1)])
    assert list(kept.revoke(POLL, [two, one, stranger, two], event("revoked"))) == [two]
    assert list(kept.revoke(POLL, [two, one], event("revoked"))) == []
    assert kept.issue(POLL, [two], event("issued", n=0))
    assert kept.codes(POLL) == Codes(tuple(sorted([one, two, three])), (two,), (hashed("q 1"),))
    assert [one["event"] for one in kept.events(POLL)].count("revoked") == 1
    assert codes_in(kept.commit([cast(2, code=2), cast(3, code=3)])) == ["vote.code", None]


def test_every_refusal_names_its_reason_and_changes_nothing(kept):
    kept.issue(POLL, [hashed(f"code {n}") for n in (1, 2)], event("issued"))
    kept.commit([cast(1, b"A", code=1), cast(2), change(2, 3), cast(4), withdrawal(4)])
    before = entries_of(kept), spent_of(kept), kept.numbers(POLL), kept.hours(POLL)
    expected = {
        "vote.closed": [cast(9, poll="00" * 16)],
        "vote.receipt": [
            *(cast(1, b"B", code=1), cast(2, b"C"), cast(3, b"B")),
            *(change(1, 1), change(1, 3), change(2, 3, b"C"), change(4, 1)),
        ],
        "vote.question": [cast(9, code=1)],
        "vote.code": [cast(9, code=7)],
        "vote.unknown": [change(9, 10), change(9, 1), withdrawal(9)],
        "vote.spent": [change(2, 9), change(4, 9), withdrawal(2)],
        "vote.changes": [change(3, 9, most=1), change(1, 9, most=0)],
    }
    for code, writes in expected.items():
        assert list(kept.commit(writes)) == [Refused(code)] * len(writes)
    assert (entries_of(kept), spent_of(kept), kept.numbers(POLL), kept.hours(POLL)) == before


def test_equal_requests_get_equal_answers_however_far_things_went_on(kept):
    kept.issue(POLL, [hashed("code 1")], event("issued"))
    first, second, third, last = cast(1, code=1), change(1, 2), change(2, 3), withdrawal(3)
    again = [cast(1, code=1), change(1, 2), change(2, 3), withdrawal(3)]
    salts = [first.salt, second.salt, third.salt, b""]
    for number, write in enumerate([first, second, third, last], 1):
        assert list(kept.commit([write])) == [Done(salts[number - 1])]
        for _ in range(2):
            assert list(kept.commit(again[:number])) == [Done(one) for one in salts[:number]]
    other = cast(1, code="never issued")  # equal requests may differ in the question
    assert list(kept.commit([other])) == [Done(first.salt)]
    assert kept.numbers(POLL) == Numbers(1, 2, 1, 0)
    assert kept.hours(POLL) == {1: 1}


def test_writes_of_one_batch_see_each_other_in_their_order(kept):
    first, same = cast(1), cast(1)
    batch = [change(1, 2), first, same, cast(1, b"Z"), change(1, 2), change(2, 3), withdrawal(3)]
    outcomes = kept.commit([*batch, withdrawal(3), withdrawal(2)])
    refusals = ["vote.unknown", None, None, "vote.receipt", None, None, None, None, "vote.spent"]
    assert codes_in(outcomes) == refusals
    assert outcomes[1] == outcomes[2] == Done(first.salt)
    assert entries_of(kept) == []
    assert spent_of(kept) == sorted((receipt_of(n), secret_of(n)) for n in (1, 2, 3))
    places = {receipt_of(1): receipt_of(2), receipt_of(2): receipt_of(3), receipt_of(3): None}
    assert places_of(kept) == places
    kept.close(POLL, event("closed"))
    assert places_of(kept) == places


def test_changes_are_ordered_by_their_number_whatever_the_clock_says(kept):
    kept.commit([cast(1, b"A", hour=500)])
    kept.commit([change(1, 2, b"B", hour=499)])
    last = change(2, 3, b"C", hour=-7)
    kept.commit([last])
    assert entries_of(kept) == [KeptEntry(receipt_of(3), 2, b"C", last.salt, None)]
    assert kept.hours(POLL) == {500: 1}


def test_numbers_are_known_as_of_the_beginning_of_each_hour(kept):
    kept.commit([cast(1, hour=7), cast(2, hour=7), change(1, 3, hour=8), cast(4, hour=8)])
    kept.commit([withdrawal(2, hour=8), change(3, 5, hour=9)])
    found = {hour: kept.numbers(POLL, hour) for hour in (7, 8, 9, 10)}
    assert found == {
        7: Numbers(0, 0, 0, 0),
        8: Numbers(2, 0, 0, 0),
        9: Numbers(3, 1, 1, 0),
        10: Numbers(3, 2, 1, 0),
    }
    assert kept.numbers(POLL) == found[10]
    kept.erase(POLL, receipt_of(4), hashed("leaf"), event("erased"))
    assert kept.numbers(POLL, 10) == kept.numbers(POLL) == Numbers(3, 2, 1, 1)
    assert kept.numbers(POLL, 7) == Numbers(0, 0, 0, 0)
    assert kept.numbers("cd" * 16, 10) == Numbers(0, 0, 0, 0)


def test_a_question_stays_beside_its_entry_in_challenge_polls_alone(kept):
    kept.issue(POLL, [hashed(f"code {n}") for n in (1, 2)], event("issued"))
    kept.commit([cast(1, code=1, keep_question=True), cast(2, code=2), change(1, 3), change(2, 4)])
    for name, question in ((1, hashed("q 1")), (3, hashed("q 1")), (2, None), (4, None)):
        assert kept.question_of(POLL, receipt_of(name)) == question
    asked = {one.receipt: one.question for one in entries_of(kept)}
    assert asked == {receipt_of(3): hashed("q 1"), receipt_of(4): None}
    kept.close(POLL, event("closed"))
    assert {one.receipt: one.question for one in entries_of(kept)} == asked


def test_an_erased_report_leaves_its_leaf_and_its_receipt_stays_known(kept):
    kept.commit([cast(1), cast(2), change(2, 3)])
    assert not kept.erase(POLL, receipt_of(2), hashed("leaf"), event("erased"))
    assert not kept.erase(POLL, receipt_of(9), hashed("leaf"), event("erased"))
    for name in (1, 3):
        assert kept.erase(POLL, receipt_of(name), hashed(f"leaf {name}"), event("erased"))
        assert not kept.erase(POLL, receipt_of(name), hashed("leaf"), event("erased"))
    erased = [ErasedEntry(receipt_of(name), hashed(f"leaf {name}")) for name in (1, 3)]
    assert entries_of(kept) == sorted(erased, key=lambda one: one.receipt)
    assert kept.numbers(POLL) == Numbers(2, 1, 0, 2)
    assert kept.numbers(POLL).standing == 0
    later = [cast(1), change(1, 4), withdrawal(1), change(2, 3)]
    refused = ["vote.receipt", "vote.spent", "vote.spent", "vote.receipt"]
    assert codes_in(kept.commit(later)) == refused
    assert [one["event"] for one in kept.events(POLL)] == ["created", "erased", "erased"]


def test_erasing_after_close_takes_back_what_was_published(kept):
    kept.commit([cast(1), cast(2)])
    kept.publish(POLL, 1, "of two, open")
    kept.erase(POLL, receipt_of(2), hashed("leaf"), event("erased"))
    assert kept.published(POLL) == (1, "of two, open")  # the next step is coarse enough
    kept.close(POLL, event("closed"))
    kept.publish(POLL, 2, "final")
    assert kept.erase(POLL, receipt_of(1), hashed("leaf"), event("erased"))
    assert kept.published(POLL) is None
    assert kept.publish(POLL, 2, "counted anew") == "counted anew"


def test_what_was_published_first_at_a_step_stays_until_a_later_one(kept, store_url):
    with opened(store_url) as other:
        assert kept.publish(POLL, 1, "first") == "first"
        assert other.publish(POLL, 1, "another") == "first"
        assert other.publish(POLL, 3, "third") == "third"
        assert kept.publish(POLL, 2, "late") == "third"
        assert kept.published(POLL) == other.published(POLL) == (3, "third")


def test_a_snapshot_shows_one_moment_while_others_write(kept):
    kept.commit([cast(name) for name in range(9000)])
    reader = kept.entries(POLL)
    seen = list(next(reader))
    assert len(seen) < 9000
    kept.commit([change(name, f"new {name}") for name in range(2000)])
    kept.commit([withdrawal(name) for name in range(2000, 2500)])
    kept.commit([cast(name) for name in range(9000, 9500)])
    for block in reader:
        seen += block
    assert [one.receipt for one in seen] == sorted(receipt_of(name) for name in range(9000))
    assert {one.change for one in seen} == {0}
    assert len(entries_of(kept)) == 9000
    assert len(spent_of(kept)) == 2500


def test_reports_are_counted_as_of_one_moment_while_others_write(kept):
    kept.commit([cast(name, name.to_bytes(2)) for name in range(3000)])
    reader = kept.reports(POLL)
    seen = [next(reader)]
    kept.commit([withdrawal(name) for name in range(1000)])
    kept.commit([cast(name, name.to_bytes(2)) for name in range(3000, 4000)])
    seen += reader
    kept.erase(POLL, receipt_of(1000), hashed("leaf"), event("erased"))
    for names, joined in ((range(3000), seen), (range(1001, 4000), kept.reports(POLL))):
        found = b"".join(joined)
        reports = [found[place : place + 2] for place in range(0, len(found), 2)]
        assert sorted(reports) == [name.to_bytes(2) for name in names]


def test_a_snapshot_outlives_the_close_that_rewrites_its_rows(kept):
    kept.commit([cast(name) for name in range(9000)])
    reader = kept.entries(POLL)
    seen = list(next(reader))
    closing = threading.Thread(target=kept.close, args=(POLL, event("closed")))
    closing.start()  # PostgreSQL waits for readers of the table that it drops
    for block in reader:
        seen += block
    closing.join(60)
    assert not closing.is_alive()
    assert seen == entries_of(kept)
    assert kept.poll(POLL).closed


def test_a_reader_that_stops_early_is_in_nobodys_way(kept):
    kept.commit([cast(name) for name in range(9000)])
    reader = kept.entries(POLL)
    next(reader)
    reader.close()
    assert kept.close(POLL, event("closed"))
    assert kept.delete(POLL, "2026-11-16")


def test_a_store_of_a_later_version_is_refused(store_url):
    open_store(store_url).shut()
    if store_url.startswith("postgresql"):
        import psycopg

        with psycopg.connect(store_url) as db:
            db.execute("UPDATE hushvote.about SET version = 99")
    else:
        import sqlite3

        with sqlite3.connect(store_url) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
    with pytest.raises(StoreError, match="written by a later hushvote") as told:
        open_store(store_url)
    assert told.value.code == "store.version"
    assert told.value.values["version"] == 99

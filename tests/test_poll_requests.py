"""Requests of one length, read strictly; acknowledgements that only the server can make."""

import json
from contextlib import suppress

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

import hushvote as hv
from hushvote.canonical import canonical
from hushvote.poll.acknowledgements import NO_LEAF, Acknowledgement
from hushvote.poll.codes import new_code, question_of
from hushvote.poll.credentials import Credential, receipt_of
from hushvote.poll.entries import Entry
from hushvote.poll.requests import (
    Cast,
    Change,
    Withdrawal,
    check_answer,
    longest_report,
    request_size,
)
from tests.polls import KEY, poll_of

ALL = [*hv.mechanism_names()]


def sent(poll):
    """A cast, the change after it, and the withdrawal after that, with what was drawn."""
    question = None
    if poll.access == "codes":
        question = question_of(poll.digest, new_code())
    asked = question if poll.mechanism.needs_question else None
    ranking = list(range(poll.d))
    credential = Credential.fresh(poll.digest)
    first, second = (poll.draw(ranking, question=asked).report for _ in range(2))
    moved = credential.moved()
    return (
        Cast.of(poll, credential, first, question),
        Change.of(poll, credential, second),
        Withdrawal.of(poll, moved),
    )


def refused(read, poll, body):
    with pytest.raises(hv.HushvoteError) as caught:
        read(poll, body)
    return caught.value.code


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("d", [2, 3, 12, 64])
def test_all_requests_to_a_poll_have_one_length(name, d):
    epsilon = "1" if d < 64 else "3"
    poll = poll_of(name, d, epsilon)
    lengths = set()
    for request in sent(poll):
        body = request.body(poll)
        lengths.add(len(body))
        assert type(request).read(poll, body) == request
        assert canonical(request.to_json()) == body.rstrip(b" ")
    assert lengths == {request_size(poll)}
    assert request_size(poll) % 1024 == 0


@pytest.mark.parametrize("name", ALL)
def test_no_report_is_longer_than_the_longest(name):
    """Of every mechanism that can be listed, all reports; of Laplace the ends of each score."""
    poll = poll_of(name)
    domain = poll.mechanism.domain
    if (listed := poll.mechanism.listed) is None:
        reports = domain.empty(2)
        for one in domain.fields:
            reports[one.name] = one.low, one.high
    else:
        reports = listed[0]
    lengths = [len(canonical(domain.to_wire(reports[i : i + 1]))) for i in range(len(reports))]
    assert max(lengths) <= longest_report(domain)
    assert max(lengths) >= longest_report(domain) - 8  # of two sets one may be longer by a type


def test_sets_of_64_candidates_fit():
    poll = poll_of("weighted-sampling", 64, "3")
    report = poll.mechanism.domain.empty(1)
    report["marked"] = 2**64 - 1
    for one in poll.mechanism.domain.fields:
        if one.kind == "type":
            report[one.name] = one.high
    assert len(canonical(poll.mechanism.domain.to_wire(report))) == longest_report(
        poll.mechanism.domain
    )
    body = Cast.of(poll, Credential.fresh(poll.digest), report, bytes(32)).body(poll)
    assert Cast.read(poll, body).report["marked"] == list(range(64))


def test_a_link_poll_takes_no_questions_and_has_the_same_length():
    link, codes = poll_of(access="link"), poll_of()
    assert request_size(link) == request_size(codes)
    cast, *_ = sent(link)
    assert Cast.read(link, cast.body(link)).question is None
    asked = Cast(cast.poll, cast.receipt, cast.report, "0" * 64)
    assert refused(Cast.read, link, asked.body(link)) == "request.member"


def test_requests_are_equal_whatever_the_code_was():
    poll = poll_of()
    cast, change, withdrawal = sent(poll)
    again = Cast(cast.poll, cast.receipt, dict(cast.report), "0" * 64)
    assert again == cast
    other = {**cast.report, "minus": cast.report["plus"], "plus": cast.report["minus"]}
    assert Cast(cast.poll, cast.receipt, other, cast.question) != cast
    assert Cast(cast.poll, "0" * 64, cast.report, cast.question) != cast
    assert Change(change.poll, "0" * 64, change.receipt, change.report) != change
    assert withdrawal != cast


def with_members(request, poll, /, **members):
    document = {**request.to_json(), **members}
    document = {name: value for name, value in document.items() if value is not ...}
    return json.dumps(document, separators=(",", ":")).encode().ljust(request_size(poll))


@pytest.mark.parametrize(
    ("kind", "members", "code"),
    [
        (0, {"more": 1}, "request.member"),
        (0, {"receipt": ...}, "request.member"),
        (0, {"question": ...}, "request.member"),
        (0, {"reveals": "0" * 64}, "request.member"),
        (0, {"poll": "0" * 64}, "request.poll"),
        (0, {"poll": 5}, "request.poll"),
        (0, {"receipt": "0" * 63}, "request.receipt"),
        (0, {"receipt": "A" * 64}, "request.receipt"),
        (0, {"receipt": None}, "request.receipt"),
        (0, {"question": "x" * 64}, "request.question"),
        (0, {"report": {}}, "report.field"),
        (0, {"report": 5}, "report.form"),
        (0, {"report": {"type": 0, "plus": [0, 1], "minus": [0]}}, "report.overlap"),
        (1, {"question": "0" * 64}, "request.member"),
        (1, {"reveals": "0" * 65}, "request.secret"),
        (1, {"receipt": []}, "request.receipt"),
        (1, {"report": {"plus": [0], "minus": [1], "x": 1}}, "report.field"),
        (2, {"reveals": "g" * 64}, "request.secret"),
        (2, {"reveals": ...}, "request.member"),
        (2, {"receipt": "0" * 64}, "request.member"),
        (2, {"poll": None}, "request.poll"),
    ],
)
def test_a_wrong_member_is_refused(kind, members, code):
    poll = poll_of()
    request = sent(poll)[kind]
    assert refused(type(request).read, poll, with_members(request, poll, **members)) == code


def test_a_secret_is_never_repeated_in_an_error():
    poll = poll_of()
    request = sent(poll)[2]
    body = with_members(request, poll, reveals=request.reveals + "0")
    with pytest.raises(hv.PollError) as caught:
        Withdrawal.read(poll, body)
    assert request.reveals[:8] not in f"{caught.value} {caught.value.values}"


def test_only_spaces_behind_the_object_are_padding():
    poll = poll_of()
    cast = sent(poll)[0]
    text, size = canonical(cast.to_json()), request_size(poll)
    assert Cast.read(poll, text.ljust(size)) == cast
    in_other_order = json.dumps(cast.to_json(), separators=(",", ":")).encode()
    assert in_other_order != text
    assert Cast.read(poll, in_other_order.ljust(size)) == cast
    for wrong in (
        text.rjust(size),
        text.ljust(size - 1) + b"\n",
        text.ljust(size - 1) + b"\t",
        text.replace(b",", b", ", 1).ljust(size),
        text.replace(b'"poll"', rb'"\u0070oll"').ljust(size),
        text.replace(b'"poll":', b'"poll":"x","poll":').ljust(size),
        text.replace(b'"poll":"', b'"poll":"\xff').ljust(size),
        b" " * size,
        b"NaN".ljust(size),
        (b"[" * 500 + b"]" * 500).ljust(size),
    ):
        assert len(wrong) == size
        code = refused(Cast.read, poll, wrong)
        assert code == ("request.member" if wrong.startswith(b"[") else "request.json")
    assert refused(Cast.read, poll, b"[]".ljust(size)) == "request.member"
    for wrong in (text, text.ljust(size - 1), text.ljust(size + 1), b""):
        assert refused(Cast.read, poll, wrong) == "request.size"


@settings(max_examples=300)
@given(data=st.data())
def test_no_changed_byte_is_taken_for_what_was_sent(data):
    poll = poll_of()
    request = data.draw(st.sampled_from(sent(poll)))
    body = bytearray(request.body(poll))
    at = data.draw(st.integers(0, len(body) - 1))
    body[at] ^= data.draw(st.integers(1, 255))
    with suppress(hv.HushvoteError):
        assert type(request).read(poll, bytes(body)).to_json() != request.to_json()


def refused_to_make(make, *given):
    with pytest.raises(hv.PollError) as caught:
        make(*given)
    return caught.value.code


def test_a_credential_of_another_poll_sends_nothing():
    poll, other = poll_of(), Credential.fresh("0" * 64)
    report = poll.draw([0, 1, 2]).report
    assert refused_to_make(Cast.of, poll, other, report, bytes(32)) == "request.poll"
    assert refused_to_make(Change.of, poll, other, report) == "request.poll"
    assert refused_to_make(Withdrawal.of, poll, other) == "request.poll"


def test_no_change_is_sent_beyond_those_that_are_allowed():
    poll = poll_of(changes=1)
    report = poll.draw([0, 1, 2]).report
    fresh = Credential.fresh(poll.digest)
    moved = fresh.moved()
    assert Change.of(poll, fresh, report).receipt == moved.receipt.hex()
    assert Withdrawal.of(poll, moved).reveals == moved.secret.hex()
    assert refused_to_make(Change.of, poll, moved, report) == "request.changes"
    assert refused_to_make(Withdrawal.of, poll, moved.moved()) == "request.changes"


def test_a_cast_has_a_question_exactly_in_polls_of_codes():
    for poll, question in ((poll_of(), None), (poll_of(access="link"), bytes(32))):
        report, credential = poll.draw([0, 1, 2]).report, Credential.fresh(poll.digest)
        assert refused_to_make(Cast.of, poll, credential, report, question) == "request.question"


def test_what_is_longer_than_every_request_is_not_sent():
    poll = poll_of()
    cast = Cast(poll.digest, "0" * 64, {"plus": "0" * request_size(poll)})
    assert refused_to_make(cast.body, poll) == "request.size"


def test_of_two_wrong_members_the_first_by_name_is_told():
    poll = poll_of()
    cast = sent(poll)[0]
    with pytest.raises(hv.PollError, match="'more'"):
        Cast.read(poll, with_members(cast, poll, more=1, receipt=...))


def test_a_report_must_answer_the_question_of_its_code():
    poll = poll_of("challenge", 4)
    cast, change, _ = sent(poll)
    report = poll.mechanism.domain.from_wire(cast.report)
    others = [question_of(poll.digest, new_code()) for _ in range(50)]
    # all of them ask the same one of at least 12 questions with chance 12^-50 at most
    other = next(one.hex() for one in others if not poll.mechanism.answers(report, one))
    body = with_members(cast, poll, question=other)
    assert refused(Cast.read, poll, body) == "request.answer"
    check_answer(poll, change.report, cast.question)
    with pytest.raises(hv.PollError, match="does not answer"):
        check_answer(poll, change.report, other)
    check_answer(poll_of(), {}, other)


# --- acknowledgements -----------------------------------------------------------------------------


def acknowledged():
    poll = poll_of()
    cast, change, withdrawal = sent(poll)
    entry = Entry.fresh(cast.receipt, cast.report)
    gone = receipt_of(bytes.fromhex(withdrawal.reveals)).hex()
    assert gone == change.receipt
    return (
        poll,
        entry,
        (
            Acknowledgement.of_entry(poll, entry, KEY),
            Acknowledgement.of_withdrawal(poll, gone, KEY),
        ),
    )


def test_an_acknowledgement_is_signed_by_the_server_over_receipt_and_leaf():
    poll, entry, (kept, gone) = acknowledged()
    for ack, leaf in ((kept, entry.leaf), (gone, bytes(32))):
        ack.check(poll)
        assert Acknowledgement.from_json(ack.to_json()) == ack
        message = b"hushvote ack\0" + bytes.fromhex(poll.digest + ack.receipt) + leaf
        KEY.public_key().verify(bytes.fromhex(ack.signature), message)
    kept.check_entry(entry)
    assert (kept.salt, gone.salt) == (entry.salt, None)
    assert gone.withdrawal
    assert not kept.withdrawal


def test_another_entry_has_another_leaf():
    _, entry, (kept, gone) = acknowledged()
    others = [
        Entry(entry.receipt, "0" * 32, entry.report),
        Entry("0" * 64, entry.salt, entry.report),
        Entry(entry.receipt, entry.salt, {}),
        Entry(entry.receipt, entry.salt, entry.report, "0" * 64),
    ]
    assert len({one.leaf for one in (entry, *others)}) == 5
    for ack, one in [*((kept, other) for other in others), (gone, entry)]:
        with pytest.raises(hv.PollError, match="not of the report") as caught:
            ack.check_entry(one)
        assert caught.value.code == "ack.leaf"


def test_acknowledgements_of_others_are_refused():
    poll, entry, (kept, _) = acknowledged()
    stranger = Ed25519PrivateKey.generate()
    with pytest.raises(hv.PollError, match="not signed") as caught:
        Acknowledgement.of_entry(poll, entry, stranger).check(poll)
    assert caught.value.code == "ack.signature"
    with pytest.raises(hv.PollError, match="another poll") as caught:
        kept.check(poll_of("additive"))
    assert caught.value.code == "ack.poll"


@pytest.mark.parametrize("member", ["receipt", "leaf", "signature"])
def test_no_member_of_an_acknowledgement_can_be_changed(member):
    poll, _, both = acknowledged()
    for ack in both:
        found = json.loads(ack.to_json())
        found[member] = found[member][:-1] + ("0" if found[member][-1] != "0" else "1")
        form = ack.withdrawal and member == "leaf"  # such a leaf would need a salt
        with pytest.raises(hv.PollError) as caught:
            Acknowledgement.from_json(json.dumps(found)).check(poll)
        assert caught.value.code == ("ack.form" if form else "ack.signature")


def test_damaged_acknowledgements_are_refused():
    _, _, (kept, gone) = acknowledged()
    good = json.loads(kept.to_json())
    for wrong in (
        {**good, "more": 1},
        {name: value for name, value in good.items() if name != "salt"},
        {**good, "salt": "0" * 31},
        {**good, "leaf": NO_LEAF},
        {**json.loads(gone.to_json()), "salt": "0" * 32},
        {**good, "signature": "0" * 64},
        [good],
    ):
        with pytest.raises(hv.PollError) as caught:
            Acknowledgement.from_json(json.dumps(wrong))
        assert caught.value.code == "ack.form"
    with pytest.raises(hv.PollError, match="no acknowledgement"):
        Acknowledgement.from_json("{")


def test_a_credential_is_shown_without_its_seed():
    credential = Credential("0" * 64, bytes(range(32)))
    assert "seed" not in repr(credential)
    assert Credential.from_json(credential.to_json()) == credential

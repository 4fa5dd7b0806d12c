"""Group commit: what waits together is written together, and nothing is answered before."""

import asyncio
import os
import threading
import time

import pytest

import hushvote as hv
from hushvote.errors import HushvoteError
from hushvote.poll.credentials import Credential
from hushvote.poll.requests import Cast as Sent
from hushvote.server.committing import BusyError, Committer, Signer
from hushvote.server.designing import Designer, DesignError, Wanted
from hushvote.server.held import Held
from hushvote.server.store.contract import Cast, Done, KeptPoll, Refused
from hushvote.server.store.errors import StoreError
from hushvote.server.store.opening import open_store
from hushvote.server.voting import Voting
from tests.polls import ID, KEY, SERVER, poll_of


def cast(number: int, poll: str = ID) -> Cast:
    return Cast(poll, number.to_bytes(32, "big"), b"\0\1\2", bytes(16), 1)


async def signed(key, message: bytes) -> bytes:
    """A signature at once."""
    return key.sign(message)


class Slow:
    """A real store whose commits take their time, or fail, and are remembered."""

    def __init__(self, store, seconds: float = 0.0) -> None:
        self.store, self.seconds = store, seconds
        self.sizes: list[int] = []
        self.threads: set[int] = set()
        self.fails: Exception | None = None

    def commit(self, writes):
        self.threads.add(threading.get_ident())
        time.sleep(self.seconds)
        self.sizes.append(len(writes))
        if self.fails is not None:
            raise self.fails
        return self.store.commit(writes)


@pytest.fixture
def store(tmp_path):
    made = open_store(str(tmp_path / "polls.db"))
    poll = poll_of(access="link")
    kept = KeptPoll(ID, poll.text, bytes.fromhex(poll.digest), bytes(32), bytes(32), 1 << 40)
    assert made.create(kept, {"at": 1, "event": "opened"})
    yield made
    made.shut()


def test_votes_that_come_during_a_commit_form_the_next_one(store):
    slow = Slow(store, 0.1)

    async def run():
        committer = Committer(slow)
        first = committer.commit(cast(0))
        await asyncio.sleep(0.05)  # its commit is running
        outcomes = await asyncio.gather(first, *(committer.commit(cast(i)) for i in range(1, 601)))
        await committer.finish()
        return outcomes

    assert asyncio.run(run()) == [Done(bytes(16))] * 601
    assert slow.sizes == [1, 256, 256, 88]
    assert len(slow.threads) == 1
    assert store.numbers(ID).casts == 601


def test_more_than_may_wait_is_refused_and_the_rest_is_kept(store):
    slow = Slow(store, 0.1)

    async def run():
        committer = Committer(slow, longest=10)
        first = committer.commit(cast(0))
        await asyncio.sleep(0.05)
        waiting = [committer.commit(cast(i)) for i in range(1, 11)]
        with pytest.raises(BusyError) as caught:
            committer.commit(cast(11))
        assert caught.value.code == "server.busy"
        await asyncio.gather(first, *waiting)
        await committer.commit(cast(11))
        await committer.finish()

    asyncio.run(run())
    assert store.numbers(ID).casts == 12


@pytest.mark.parametrize("error", [StoreError("full", code="store.failed"), ValueError("secret")])
def test_a_failing_store_fails_its_batch_alone(store, error):
    slow = Slow(store)

    async def run():
        committer = Committer(slow)
        slow.fails = error
        failed = await asyncio.gather(
            *(committer.commit(cast(i)) for i in range(5)), return_exceptions=True
        )
        slow.fails = None
        assert all(isinstance(one, StoreError) for one in failed)
        assert all("secret" not in str(one) for one in failed)
        assert await committer.commit(cast(9)) == Done(bytes(16))
        await committer.finish()

    asyncio.run(run())
    assert store.numbers(ID).casts == 1


def test_a_bad_vote_fails_alone_in_its_batch(store):
    async def run():
        committer = Committer(store)
        writes = [cast(1), cast(2, "f" * 32), cast(3)]
        outcomes = await asyncio.gather(*(committer.commit(one) for one in writes))
        await committer.finish()
        return outcomes

    assert asyncio.run(run()) == [Done(bytes(16)), Refused("vote.closed"), Done(bytes(16))]


def test_everything_that_waits_is_written_before_the_end(store):
    slow = Slow(store, 0.05)

    async def run():
        committer = Committer(slow)
        waiting = [committer.commit(cast(i)) for i in range(1000)]
        waiting[3].cancel()  # whoever sent it has gone
        await committer.finish()
        assert all(one.done() for one in waiting)
        with pytest.raises(BusyError):
            committer.commit(cast(5000))

    asyncio.run(run())
    assert store.numbers(ID).casts == 1000


def held_of(poll: hv.Poll) -> Held:
    digest, key = bytes.fromhex(poll.digest), KEY.private_bytes_raw()
    return Held.of(KeptPoll(ID, poll.text, digest, key, bytes(32), 1 << 40))


@pytest.mark.parametrize("d", [3, 8, 20, 64])
@pytest.mark.parametrize("name", hv.mechanism_names())
def test_reports_are_packed_as_records_of_their_domain(name, d):
    poll = poll_of(name, d)
    domain, question = poll.mechanism.domain, os.urandom(32)
    asked = question if poll.mechanism.needs_question else None
    held = held_of(poll)
    for _ in range(20):
        report = poll.draw(range(d), question=asked).report
        assert held.packed(*domain.parse(domain.to_wire(report))) == report.tobytes()


def test_nothing_is_signed_before_its_commit():
    """The acknowledgement is made of what the commit says, so none exists without one."""
    poll = poll_of(access="link")
    held = held_of(poll)
    body = Sent.of(poll, Credential.fresh(poll.digest), poll.draw([0, 1, 2]).report).body(poll)
    events: list[str] = []

    class Key:
        def sign(self, message: bytes) -> bytes:
            events.append("signed")
            return KEY.sign(message)

    async def commit(write):
        await asyncio.sleep(0.01)
        events.append("committed")
        return Done(write.salt)

    async def failing(write):
        raise StoreError("no", code="store.failed")

    async def no_question(id, receipt):
        return None

    held.key = Key()
    asyncio.run(Voting(commit, no_question, signed).cast(held, body))
    assert events == ["committed", "signed"]
    with pytest.raises(StoreError):
        asyncio.run(Voting(failing, no_question, signed).cast(held, body))
    assert events == ["committed", "signed"]


def test_a_cast_costs_little_beside_its_signature():
    """Reading, packing and answering one cast takes less than 150 µs, of which a signature is a
    third; here with room for machines that are slow or busy: the best of twenty rounds counts.
    """
    poll = poll_of(d=8, access="link")
    held = held_of(poll)
    bodies = [
        Sent.of(poll, Credential.fresh(poll.digest), poll.draw(range(8)).report).body(poll)
        for _ in range(200)
    ]

    async def commit(write):
        return Done(write.salt)

    async def round_of(voting):
        began = time.perf_counter()
        for body in bodies:
            await voting.cast(held, body)
        return (time.perf_counter() - began) / len(bodies)

    async def best():
        voting = Voting(commit, commit, signed)
        return min([await round_of(voting) for _ in range(20)])

    assert asyncio.run(best()) < 300e-6


# --- signing --------------------------------------------------------------------------------------


def test_signatures_are_made_beside_the_loop_each_of_its_own_message():
    threads = set()

    class Key:
        def sign(self, message: bytes) -> bytes:
            threads.add(threading.get_ident())
            return KEY.sign(message)

    async def run():
        signer = Signer()
        messages = [number.to_bytes(2, "big") for number in range(600)]
        found = await asyncio.gather(*(signer.sign(Key(), one) for one in messages))
        await signer.finish()
        for message, signature in zip(messages, found, strict=True):
            KEY.public_key().verify(signature, message)
        with pytest.raises(BusyError):
            signer.sign(KEY, b"too late")

    asyncio.run(run())
    assert len(threads) == 1
    assert threads != {threading.get_ident()}


def test_a_signature_that_fails_is_told_and_others_are_made_afterwards():
    async def run():
        signer = Signer()
        with pytest.raises(TypeError):
            await signer.sign(KEY, None)
        KEY.public_key().verify(await signer.sign(KEY, b"next"), b"next")
        await signer.finish()

    asyncio.run(run())


# --- designing ------------------------------------------------------------------------------------


def wanted(**settings) -> Wanted:
    return Wanted(SERVER, "Who?", ("Ann", "Bob", "Cem"), access="link", **settings)


def test_designs_are_made_in_a_process_that_can_be_stopped():
    async def run():
        designer = Designer(limit=0.01)
        with pytest.raises(DesignError) as caught:
            await designer.made(wanted())
        assert caught.value.code == "api.design"
        designer._limit = 30
        text, digest = await designer.made(wanted())  # another process took its place
        assert hv.Poll.load(text, digest).server == SERVER.hex()
        process = designer._process
        await designer.stop()
        assert process is not None
        assert process.returncode is not None

    asyncio.run(run())


def test_errors_of_a_design_keep_their_code():
    async def run():
        designer = Designer()
        for settings, code in [
            ({"rule": "nonsense"}, "rule.unknown"),
            ({"epsilon": "-1"}, "parameters.epsilon"),
        ]:
            with pytest.raises(HushvoteError) as caught:
                await designer.made(wanted(**settings))
            assert caught.value.code == code
        await designer.stop()

    asyncio.run(run())


def test_only_so_many_designs_wait():
    async def run():
        designer = Designer(pending=2)
        found = await asyncio.gather(
            *(designer.made(wanted()) for _ in range(4)), return_exceptions=True
        )
        await designer.stop()
        return [one.code for one in found if isinstance(one, DesignError)]

    assert asyncio.run(run()) == ["api.crowded", "api.crowded"]


def test_a_long_count_does_not_hold_up_the_end_of_a_server(tmp_path, monkeypatch):
    from hushvote.server import service

    monkeypatch.setattr(service, "LIMIT", 0.2)
    going_on = threading.Event()

    async def run():
        made = service.Service(open_store(str(tmp_path / "polls.db")), service.Settings())
        counting = asyncio.ensure_future(made.count(going_on.wait, 20))
        await asyncio.sleep(0.05)
        began = time.monotonic()
        await made.finish()
        took = time.monotonic() - began
        going_on.set()
        await counting
        made.store.shut()  # the process would end now
        return took, made.leaves.is_set()

    took, leaves = asyncio.run(run())
    assert leaves
    assert took < 5

"""Limits per network: what they count, whom they mean, and that all workers count together."""

import random
from multiprocessing import get_context

import pytest

from hushvote.errors import HushvoteError
from hushvote.poll.codes import new_code
from hushvote.server.api.limits import HOUR, PLACES, Buckets, Clients, Rates, Shared, read_networks
from tests.serving import ROOT, Remote, refused, serving

TOKEN = "a-token-of-the-operator-0123456789"


class Clock:
    def __init__(self) -> None:
        self.now = 5000.0

    def __call__(self) -> float:
        return self.now


def allowed(buckets: Buckets, network: bytes) -> bool:
    """Use the bucket once, if it is not empty."""
    try:
        buckets.check(network)
    except HushvoteError:
        return False
    buckets.take(network)
    return True


def name(number: int) -> bytes:
    return number.to_bytes(16, "little")


def test_a_bucket_holds_what_an_hour_allows_and_fills_evenly():
    clock = Clock()
    buckets = Buckets(6, clock=clock)
    assert [allowed(buckets, name(1)) for _ in range(8)] == [True] * 6 + [False] * 2
    assert allowed(buckets, name(2))
    clock.now += HOUR / 6 - 1
    assert not allowed(buckets, name(1))
    clock.now += 1
    assert [allowed(buckets, name(1)) for _ in range(2)] == [True, False]
    clock.now += 10 * HOUR
    assert [allowed(buckets, name(1)) for _ in range(8)] == [True] * 6 + [False] * 2


def test_the_wait_that_is_told_is_enough_and_not_much_more():
    clock = Clock()
    buckets = Buckets(7, clock=clock)
    while allowed(buckets, name(1)):
        pass
    with pytest.raises(HushvoteError) as told:
        buckets.check(name(1))
    assert told.value.code == "api.limit"
    assert f"in {told.value.values['wait']:,} second" in str(told.value)
    clock.now += told.value.values["wait"] - 2
    assert not allowed(buckets, name(1))
    clock.now += 2
    assert allowed(buckets, name(1))


def test_within_any_hour_no_network_gets_more_than_two_buckets():
    """A full one at the beginning, and what comes back meanwhile."""
    clock, dice = Clock(), random.Random(5)
    buckets = Buckets(50, clock=clock)
    times = []
    for _ in range(20_000):
        clock.now += dice.expovariate(1 / 10)
        if allowed(buckets, name(1)):
            times.append(clock.now)
    assert len(times) < 50 + 50 * (times[-1] - 5000) / HOUR + 1
    assert max(sum(t <= one < t + HOUR for one in times) for t in times[:500]) <= 100


def test_no_limit_is_none():
    buckets = Buckets(0)
    assert all(allowed(buckets, name(1)) for _ in range(10_000))


def test_memory_does_not_grow_with_networks():
    buckets = Buckets(1)
    for number in range(3 * PLACES):
        buckets.take(name(number))
    assert len(buckets._full_at) == PLACES


# --- whose network --------------------------------------------------------------------------------


def same(clients: Clients, one: object, other: object) -> bool:
    def network(given: object) -> bytes:
        peer, *forwarded = given if isinstance(given, tuple) else (given,)
        return clients.network(peer, [line.encode() for line in forwarded])

    return network(one) == network(other)


PROXIES = ["10.0.0.0/8", "fd00::/8"]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("192.0.2.1", "192.0.2.255", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("::ffff:192.0.2.1", "192.0.2.9", True),  # as a socket for both versions tells it
        ("2001:db8:1::1", "2001:db8:1:ffff::2", True),
        ("2001:db8:1::1", "2001:db8:2::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        (None, None, True),
        # nobody is believed but a proxy that is trusted
        (("192.0.2.1", "198.51.100.1"), "192.0.2.1", True),
        (("10.1.2.3", "198.51.100.1"), "198.51.100.1", True),
        (("::ffff:10.1.2.3", "198.51.100.1"), "198.51.100.1", True),
        (("fd00::1", "2001:db8:1::5"), "2001:db8:1::7", True),
        # the last one that no trusted proxy stands for, whatever was sent before it
        (("10.1.2.3", "203.0.113.1, 198.51.100.1"), "198.51.100.1", True),
        (("10.1.2.3", "203.0.113.1, 198.51.100.1, 10.7.7.7"), "198.51.100.1", True),
        (("10.1.2.3", "203.0.113.1", "198.51.100.1, 10.7.7.7"), "198.51.100.1", True),
        (("10.1.2.3", "198.51.100.1", "203.0.113.1"), "203.0.113.1", True),
        (("10.1.2.3", "10.7.7.7"), "10.7.7.7", True),
        # what is no address ends the way
        (("10.1.2.3", "198.51.100.1, unknown"), "10.1.2.3", True),
        (("10.1.2.3", ""), "10.1.2.3", True),
        (("10.1.2.3", "unknown, 198.51.100.1"), "198.51.100.1", True),
        # with ports, as some write
        (("10.1.2.3", "198.51.100.1:4711"), "198.51.100.1", True),
        (("10.1.2.3", "[2001:db8:1::1]:4711"), "2001:db8:1::1", True),
        (("10.1.2.3", "[2001:db8:1::1]"), "2001:db8:1::1", True),
    ],
)
def test_a_request_counts_for_the_network_that_it_comes_from(one, other, alike):
    clients = Clients(read_networks(PROXIES))
    assert same(clients, one, other) == alike


def test_names_of_networks_say_nothing_without_the_key():
    names = {Clients().network("192.0.2.1", []) for _ in range(3)}
    assert len(names) == 3
    assert len({Clients(key=b"k" * 32).network("192.0.2.1", []) for _ in range(3)}) == 1


# --- several workers ------------------------------------------------------------------------------


def _use(shared: Shared, times: int) -> None:
    buckets = Buckets(100, shared.full_at["casts"])
    for _ in range(times):
        buckets.take(name(1))


def test_processes_share_buckets_in_memory():
    context = get_context("spawn")
    shared = Shared.between(context)
    assert shared.full_at.keys() == vars(Rates()).keys()
    process = context.Process(target=_use, args=(shared, 40))
    process.start()
    process.join()
    assert process.exitcode == 0
    here = Buckets(100, shared.full_at["casts"])
    assert sum(allowed(here, name(1)) for _ in range(100)) == 60


@pytest.mark.slow
def test_a_network_has_one_limit_whatever_worker_it_comes_to(cluster):
    options = (
        "--open",
        "--workers",
        "3",
        "--creations",
        "4",
        "--casts",
        "6",
        "--failed-codes",
        "5",
    )
    with serving(cluster.database(), *options) as server, server.client() as client:
        link, codes = Remote.create(client), Remote.create(client, access="codes")

        def status(remote: Remote, body: bytes) -> int:
            with server.client() as own:  # a connection of its own, to whichever worker
                return Remote(own, remote.poll, remote.key).send("reports", body).status_code

        casts = [status(link, link.voter().cast_body()) for _ in range(20)]
        assert (casts.count(200), casts.count(429)) == (6, 14)
        wrong = [status(codes, codes.voter(new_code()).cast_body()) for _ in range(20)]
        assert (wrong.count(403), wrong.count(429)) == (5, 15)
        (right,) = codes.issue(1)  # nobody can lock out an office by sending wrong ones from it
        assert status(codes, codes.voter(right).cast_body()) == 200
        Remote.create(client)
        Remote.create(client)
        for _ in range(6):
            with server.client() as own:
                assert refused(own.post(ROOT, json={})) == (429, "api.limit")


@pytest.mark.slow
def test_wrong_tokens_are_limited_and_then_the_right_one_is_not_told_apart(tmp_path):
    """Else a limit would only slow down who is told so, and not who guesses."""
    options = ("--trusted-proxy", "127.0.0.1", "--creations", "0")
    with (
        serving(tmp_path / "polls.db", *options, HUSHVOTE_TOKEN=TOKEN) as server,
        server.client() as client,
    ):

        def asked(token: str, address: str, method: str = "GET") -> int:
            headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": address}
            return client.request(method, ROOT, headers=headers, json={}).status_code

        guesses = [asked(f"{TOKEN}{n}", "192.0.2.1", "GET" if n % 2 else "POST") for n in range(70)]
        assert guesses == [401] * 60 + [429] * 10
        assert [asked(TOKEN, "192.0.2.1", method) for method in ("GET", "POST")] == [429, 429]
        assert asked(TOKEN, "198.51.100.1") == 200
        assert client.get(ROOT).status_code == 401

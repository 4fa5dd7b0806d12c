"""Polls in every state that the page of a result and the board know, each with its own voters."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from hushvote.poll.credentials import Credential
from hushvote.poll.requests import Cast
from tests.serving import Remote, Voter

NAMES = ["Ann Arbor", "Bob Baker", "Cem Çelik", "Dörte Dreyer"]
WANTED = {
    "question": "Who shall chair the works council?",
    "description": "The chair speaks for all of us for two years.",
    "candidates": NAMES,
    "turnout": 20,
}
UP, DOWN = [0, 1, 2, 3], [3, 2, 1, 0]


def polled(
    client: httpx.Client, up: int, down: int = 0, **settings: Any
) -> tuple[Remote, list[Voter]]:
    """A poll in which so many vote upwards and so many downwards."""
    remote = Remote.create(client, **{**WANTED, **settings})
    number = up + down
    codes = remote.issue(number) if remote.poll.access == "codes" else [None] * number
    voters = [remote.voter(code) for code in codes]
    for k, voter in enumerate(voters):
        voter.ranking = UP if k < up else DOWN
    _at_once(Voter.cast, voters)
    return remote, voters


def _at_once(act: Callable[[Any], object], given: Iterable[Any]) -> None:
    """Several connections share a commit."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(act, given))


def closed(
    client: httpx.Client, up: int, down: int = 0, **settings: Any
) -> tuple[Remote, list[Voter]]:
    """The same, closed."""
    remote, voters = polled(client, up, down, **settings)
    assert remote.own("POST", "/close").status_code == 200
    return remote, voters


def copied(remote: Remote, voter: Voter, number: int) -> None:
    """The same report again and again, as a cheat sends it."""
    report = voter.drawn()

    def again(_: int) -> None:
        body = Cast.of(remote.poll, Credential.fresh(remote.poll.digest), report, None)
        assert remote.send("reports", body.body(remote.poll)).status_code == 200

    _at_once(again, range(number))


def all_of_them(client: httpx.Client) -> Iterator[tuple[str, str]]:
    """Each state by its name, with the path of its poll.

    Drawn afresh; what is asked of each holds but for a chance of less than 1e-9: 80 voters of
    one mind at epsilon 5 lead by ten standard errors, and 200 copies are no chance.
    """
    sure: dict[str, Any] = {"epsilon": "5"}
    yield "certified", _path(closed(client, 80, **sure)[0])
    yield "seats", _path(closed(client, 80, seats=2, access="codes", **sure)[0])
    yield "open-result", _path(closed(client, 20, 20, epsilon="1/2")[0])
    yield "few", _path(closed(client, 3)[0])
    yield "hidden", _path(polled(client, 3)[0])
    yield "live", _path(polled(client, 30, live=20)[0])
    yield "waiting", _path(polled(client, 3, live=20)[0])
    yield "suspicious", _path(suspicious(client))
    yield "erased", _path(erased(client)[0])
    gone = Remote.create(client, **WANTED)
    assert gone.own("DELETE").status_code == 200
    yield "deleted", _path(gone)
    yield "unknown", f"/p/{'0' * 32}"


def suspicious(client: httpx.Client) -> Remote:
    """A closed poll in which most reports are one and the same."""
    remote, voters = polled(client, 20, 20, epsilon="1")
    copied(remote, voters[0], 200)
    assert remote.own("POST", "/close").status_code == 200
    return remote


def erased(client: httpx.Client) -> tuple[Remote, list[Voter]]:
    """A closed poll of which two voters had their reports erased."""
    remote, voters = closed(client, 40, epsilon="5")
    for voter in voters[:2]:
        assert remote.send("erasures", voter.withdrawal_body()).status_code == 200
    return remote, voters


def _path(remote: Remote) -> str:
    return f"/p/{remote.poll.id}"

"""How often one network may do what could be abused. Nothing of it is stored.

A network is the first 24 bits of an IPv4 address or the first 48 of an IPv6 one; in memory it goes
by a keyed hash whose key ends with the server. Several workers count together.
"""

import hashlib
import ipaddress
import math
import os
import re
import time
from array import array
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, fields
from multiprocessing.context import SpawnContext

from hushvote.errors import HushvoteError
from hushvote.messages import ENGLISH, counted
from hushvote.server.polls import ApiError

PLACES = 1 << 17  # buckets of one limit
HOUR = 3600.0  # seconds
SLACK = 1e-3  # seconds, for rounding

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Rates:
    """What one network may do within an hour, in one go or spread over it; 0 is no limit."""

    creations: int = 20
    failed_codes: int = 60
    casts: int = 6000
    failed_tokens: int = 60
    erasures: int = 60  # after close
    plans: int = 1200  # asked for while somebody types


class Buckets:
    """One limit: every network has a bucket that empties by use and fills again within an hour.

    A bucket is one number: the moment, by the steady clock of the machine, at which it is full. So
    workers can share them in memory without waiting for each other; two uses at the very same
    moment may count as one. Networks go to places by their names, and seldom share one.
    """

    def __init__(
        self,
        hourly: int,
        full_at: MutableSequence[float] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hourly, self._clock = hourly, clock
        self._each = HOUR / hourly if hourly else 0.0  # seconds in which one use comes back
        self._full_at = array("d", bytes(8 * PLACES)) if full_at is None else full_at

    def check(self, network: bytes) -> None:
        """Refuse a network that has used up its bucket."""
        if not self._hourly:
            return
        empty = self._full_at[_place(network)] - self._clock()
        if empty > HOUR - self._each + SLACK:
            wait = math.ceil(empty - HOUR + self._each)
            raise ApiError(
                f"too much of this has come from your network: try again in "
                f"{counted(wait, 'second', ENGLISH)}",
                code="api.limit",
                wait=wait,
            )

    def take(self, network: bytes) -> None:
        """Count one use."""
        if self._hourly:
            place = _place(network)
            self._full_at[place] = max(self._full_at[place], self._clock()) + self._each


@dataclass(frozen=True)
class Shared:
    """What the workers of a server have in common in memory, so that a limit is one for all."""

    key: bytes
    full_at: Mapping[str, MutableSequence[float]]  # by the names of rates

    @classmethod
    def between(cls, context: SpawnContext) -> "Shared":
        """Room that processes of this context share; it has no name and ends with them."""
        names = [one.name for one in fields(Rates)]
        return cls(os.urandom(32), {name: context.RawArray("d", PLACES) for name in names})


def _place(network: bytes) -> int:
    return int.from_bytes(network[:8], "little") % PLACES


class Clients:
    """Who is asking: the other end of the connection, or whom a trusted proxy names."""

    def __init__(self, proxies: Iterable[Network] = (), key: bytes | None = None) -> None:
        self._proxies = tuple(proxies)
        self._key = os.urandom(32) if key is None else key

    def network(self, peer: str | None, forwarded: Sequence[bytes]) -> bytes:
        """A name for the client's network that says nothing outside this process."""
        if peer is not None and not forwarded and peer.count(".") == 3 and ":" not in peer:
            return self._named(peer.rpartition(".")[0].encode())  # most requests, quickly
        address = _address(peer)
        chain = [part for line in forwarded for part in line.decode("latin-1").split(",")]
        while address is not None and chain and self._trusted(address):
            if (named := _address(chain.pop().strip())) is None:
                break
            address = named
        return self._named(_network(address))

    def trusts(self, peer: str | None) -> bool:
        """Whether the other end of a connection is a trusted proxy, which speaks for many."""
        address = _address(peer)
        return address is not None and self._trusted(address)

    def _named(self, network: bytes) -> bytes:
        return hashlib.blake2b(network, key=self._key, digest_size=16).digest()

    def _trusted(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


_PORT = re.compile(r"(?:\[(.*)\]|([0-9.]+))(?::[0-9]+)?")  # of IPv6 in brackets, or of IPv4


def _address(text: str | None) -> Address | None:
    """An address, which some proxies write with a port."""
    text = (text or "").strip()
    if (ported := _PORT.fullmatch(text)) is not None:
        text = ported[1] or ported[2] or ""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(found, "ipv4_mapped", None)
    return found if mapped is None else mapped


def _network(address: Address | None) -> bytes:
    if address is None:
        return b""
    if address.version == 4:
        return str(address).rpartition(".")[0].encode()
    return address.packed[:6]


def read_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """The proxies that are trusted, as '127.0.0.1' or '10.0.0.0/8'."""
    found = []
    for text in texts:
        try:
            found.append(ipaddress.ip_network(text, strict=False))
        except ValueError:
            raise HushvoteError(
                f"a trusted proxy is an address or a network such as 10.0.0.0/8, not {text!r}",
                code="server.proxy",
                given=text,
            ) from None
    return tuple(found)

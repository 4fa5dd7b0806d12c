"""How often one network may do what could be abused. Nothing of it is stored.

A network is the first 24 bits of an IPv4 address or the first 48 of an IPv6 one; in memory it goes
by a keyed hash whose key ends with the process. With several workers each counts for itself.
"""

import hashlib
import ipaddress
import math
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hushvote.errors import HushvoteError
from hushvote.server.polls import ApiError

MOST = 65_536  # networks that are remembered for one limit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Rates:
    """What one network may do within an hour, in one go or spread over it; 0 is no limit."""

    creations: int = 20
    failed_codes: int = 60
    casts: int = 6000
    erasures: int = 60  # after close


class Buckets:
    """One limit: every network has a bucket that empties by use and fills again within an hour."""

    def __init__(self, hourly: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._rate, self._clock = hourly, hourly / 3600, clock
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def check(self, network: bytes) -> None:
        """Refuse a network that has used up its bucket."""
        if not self._most:
            return
        left = self._now_left(network)
        if left < 1:
            wait = math.ceil((1 - left) / self._rate)
            raise ApiError(
                f"too much of this has come from your network: try again in {wait} seconds",
                code="api.limit",
                wait=wait,
            )

    def take(self, network: bytes) -> None:
        """Count one use."""
        if not self._most:
            return
        self._left[network] = (self._now_left(network) - 1, self._clock())
        self._left.move_to_end(network)
        if len(self._left) > MOST:
            self._left.popitem(last=False)

    def _now_left(self, network: bytes) -> float:
        left, since = self._left.get(network, (float(self._most), 0.0))
        return min(float(self._most), left + (self._clock() - since) * self._rate)


class Clients:
    """Who is asking: the other end of the connection, or whom a trusted proxy names."""

    def __init__(self, proxies: Iterable[Network] = ()) -> None:
        self._proxies = tuple(proxies)
        self._key = os.urandom(32)

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

    def _named(self, network: bytes) -> bytes:
        return hashlib.blake2b(network, key=self._key, digest_size=16).digest()

    def _trusted(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


def _address(text: str | None) -> Address | None:
    try:
        found = ipaddress.ip_address((text or "").strip("[]").partition("%")[0])
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

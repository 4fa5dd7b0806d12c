"""Polls that several tests share."""

import json
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import hushvote as hv
from hushvote.canonical import canonical

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SERVER = KEY.public_key().public_bytes_raw()
ID = "00112233445566778899aabbccddeeff"
NAMES = ("Ann", "Bob", "Çem", "Dörte")


@cache
def poll_of(name: str = "duel", d: int = 3, epsilon: str = "1", **settings: Any) -> hv.Poll:
    """A poll with every mechanism, of up to four named candidates, or of numbered ones."""
    names = NAMES[:d] if d <= len(NAMES) else [f"Candidate {j}" for j in range(d)]
    made = hv.mechanism(name, hv.borda(d), epsilon)
    return hv.Poll.create("Who shall speak for us?", names, made, server=SERVER, id=ID, **settings)


def changed(poll: hv.Poll, **members: Any) -> str:
    """The manifest's text with other members, canonical again where that exists; a member that is
    ... is left out.
    """
    document = {**json.loads(poll.text), **members}
    document = {name: value for name, value in document.items() if value is not ...}
    try:
        return canonical(document).decode()
    except ValueError:
        return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

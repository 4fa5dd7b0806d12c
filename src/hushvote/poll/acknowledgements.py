"""What the server signs once a request is kept: proof that it took it, for the voter.

The signature is Ed25519, by the key whose public half stands in the manifest, over
"hushvote ack" ‖ 0x00 ‖ digest ‖ receipt ‖ leaf. The leaf is that of the board; with the salt
beside it the voter can compute it. A withdrawal's is over the revealed receipt and 32 zero bytes,
an erasure's after close over it and 32 bytes of 255: on the board of before the report still
stands, and that is no proof of anything.
"""

from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hushvote.canonical import is_hex, parsed
from hushvote.errors import PollError, clip
from hushvote.poll.entries import SALT, Entry
from hushvote.poll.hashing import HASH, tagged
from hushvote.poll.manifest import Poll
from hushvote.poll.signing import is_signed

NO_LEAF = bytes(HASH).hex()  # stands in a withdrawal's
ERASED_LEAF = (b"\xff" * HASH).hex()  # stands in an erasure's


@dataclass(frozen=True)
class Acknowledgement:
    """That a report, a withdrawal or an erasure was kept under a receipt."""

    poll: str
    receipt: str
    leaf: str
    signature: str
    salt: str | None = None  # of a cast or a change

    @classmethod
    def of_entry(cls, poll: Poll, entry: Entry, key: Ed25519PrivateKey) -> "Acknowledgement":
        """That an entry was kept."""
        leaf = entry.leaf.hex()
        return cls(
            poll.digest, entry.receipt, leaf, _sign(poll, entry.receipt, leaf, key), entry.salt
        )

    @classmethod
    def of_withdrawal(cls, poll: Poll, receipt: str, key: Ed25519PrivateKey) -> "Acknowledgement":
        """That what stood under this receipt, whose secret was revealed, is gone."""
        return cls(poll.digest, receipt, NO_LEAF, _sign(poll, receipt, NO_LEAF, key))

    @classmethod
    def of_erasure(cls, poll: Poll, receipt: str, key: Ed25519PrivateKey) -> "Acknowledgement":
        """That what stood under this receipt was erased after close."""
        return cls(poll.digest, receipt, ERASED_LEAF, _sign(poll, receipt, ERASED_LEAF, key))

    @property
    def withdrawal(self) -> bool:
        """Whether this acknowledges a withdrawal."""
        return self.leaf == NO_LEAF

    @property
    def erasure(self) -> bool:
        """Whether this acknowledges an erasure after close."""
        return self.leaf == ERASED_LEAF

    def to_json(self) -> str:
        """The acknowledgement as canonical text; all of it is hex, so nothing is escaped."""
        return _written(self.poll, self.receipt, self.leaf, self.signature, self.salt)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Acknowledgement":
        """Read what `to_json` wrote, in any order of its members."""
        try:
            found: Any = parsed(text)
        except ValueError as error:
            raise PollError(
                f"this is no acknowledgement: {clip(str(error))}", code="ack.form", reason=error
            ) from None
        members = {"poll", "receipt", "leaf", "signature"}
        if (
            not isinstance(found, dict)
            or found.keys() | {"salt"} != members | {"salt"}
            or not all(is_hex(found[name]) for name in ("poll", "receipt", "leaf"))
            or not is_hex(found["signature"], 4 * HASH)
            or (found["leaf"] in (NO_LEAF, ERASED_LEAF)) != ("salt" not in found)
            or not is_hex(found.get("salt", "0" * 2 * SALT), 2 * SALT)
        ):
            raise PollError(
                "this is no acknowledgement, or a damaged one: take the file as it was saved",
                code="ack.form",
            )
        return cls(**found)

    def check(self, poll: Poll) -> None:
        """Refuse an acknowledgement of another poll, or one that its server did not sign."""
        if self.poll != poll.digest:
            raise PollError(
                f"this acknowledgement is of another poll, {self.poll[:16]}...",
                code="ack.poll",
                given=self.poll,
            )
        message = _message(poll, self.receipt, self.leaf)
        if not is_signed(poll.server, self.signature, message):
            raise PollError(
                "this acknowledgement was not signed by the server of the poll",
                code="ack.signature",
            )

    def check_entry(self, entry: Entry) -> None:
        """Refuse an acknowledgement of another report than the voter sent."""
        if (self.receipt, self.leaf) != (entry.receipt, entry.leaf.hex()):
            raise PollError(
                "this acknowledgement is not of the report that was sent", code="ack.leaf"
            )


def to_sign(poll: Poll, receipt: str, leaf: bytes) -> bytes:
    """What the server signs of an entry: a server makes many, and signs elsewhere."""
    return b"hushvote ack\0" + bytes.fromhex(poll.digest + receipt) + leaf


def signed_text(poll: Poll, receipt: str, salt: bytes, leaf: bytes, signature: bytes) -> str:
    """The text of an entry's acknowledgement."""
    return _written(poll.digest, receipt, leaf.hex(), signature.hex(), salt.hex())


def _written(poll: str, receipt: str, leaf: str, signature: str, salt: str | None) -> str:
    salted = "" if salt is None else f'"salt":"{salt}",'
    named = f'"leaf":"{leaf}","poll":"{poll}","receipt":"{receipt}"'
    return f'{{{named},{salted}"signature":"{signature}"}}'


def _message(poll: Poll, receipt: str, leaf: str) -> bytes:
    return tagged("hushvote ack", *(bytes.fromhex(one) for one in (poll.digest, receipt, leaf)))


def _sign(poll: Poll, receipt: str, leaf: str, key: Ed25519PrivateKey) -> str:
    return key.sign(_message(poll, receipt, leaf)).hex()

"""How a poll's hashes and signatures are fed: a tag, a byte 0, then fields of fixed length.

Tags keep apart what is hashed for one end from what is hashed for another; fixed lengths keep
fields from running into each other.
"""

import hashlib

HASH = 32  # bytes of a hash, a secret or a key


def tagged(tag: str, *fields: bytes) -> bytes:
    """What is hashed or signed: tag ‖ 0x00 ‖ fields."""
    return b"".join([tag.encode(), b"\0", *fields])


def H(tag: str, *fields: bytes) -> bytes:  # noqa: N802 - the name it has in the protocol
    """SHA-256(tag ‖ 0x00 ‖ fields)."""
    return hashlib.sha256(tagged(tag, *fields)).digest()

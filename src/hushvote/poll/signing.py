"""Ed25519, by which a poll's server signs acknowledgements and the board, and which keys it may be.

A public key of small order (eight points of the curve, which have fourteen encodings) fits
signatures that nobody needs a secret for, over any message. So a manifest with one is refused.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from hushvote.poll.hashing import HASH

P = 2**255 - 19  # the field
D = -121665 * pow(121666, -1, P) % P  # the curve -x² + y² = 1 + D x² y²


def is_signed(server: str, signature: str, message: bytes) -> bool:
    """Whether a signature of this message is that of a server's key, all but the message in hex."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(server))
        key.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_weak(server: str) -> bool:
    """Whether eight times this public key is the neutral point, however it is written.

    That shows in y alone. y = ±1 has order 1 or 2, and y = 0 order 4. A point of order 8 doubles
    to y = 0, and 2 (x, y) has y² + x² as its numerator: so x² = -y², and on the curve D y⁴ + 2 y²
    = 1. The highest bit is the sign of x.
    """
    y = int.from_bytes(bytes.fromhex(server), "little") % (1 << 8 * HASH - 1) % P
    square = y * y % P
    return y == 0 or square == 1 or (D * square * square + 2 * square - 1) % P == 0

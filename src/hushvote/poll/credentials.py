"""What lets one voter, and nobody else, change or withdraw a report.

From a seed of 32 random bytes come the secrets s_i = H("hushvote secret", seed, i as one byte), and
from these the receipts r_i = H("hushvote receipt", s_i). A cast names r_0. The change after i
changes reveals s_i and names r_(i+1); a withdrawal reveals s_i and is final. Whoever knows a
receipt alone can neither change nor withdraw what stands under it.
"""

import os
from dataclasses import dataclass, field, replace
from typing import Any

from hushvote.canonical import canonical, is_hex, parsed
from hushvote.errors import PollError, clip
from hushvote.poll.checks import MOST_CHANGES
from hushvote.poll.hashing import HASH, H

KIND, VERSION = "credential", 1
MEMBERS = {"hushvote", "version", "poll", "seed", "position", "draws"}


def secret_of(seed: bytes, i: int) -> bytes:
    """s_i: what the change after i changes, or the withdrawal, reveals."""
    return H("hushvote secret", seed, bytes([i]))


def receipt_of(secret: bytes) -> bytes:
    """r_i: under which a report is kept until its secret is revealed."""
    return H("hushvote receipt", secret)


@dataclass(frozen=True)
class Credential:
    """A seed, how often its vote was changed, and how many draws it has spent; no ranking."""

    poll: str  # the poll's digest
    seed: bytes = field(repr=False)  # a secret, which no log or traceback may show
    position: int = 0  # changes that were sent
    draws: int = 0  # reports that were drawn and shown

    @classmethod
    def fresh(cls, poll: str) -> "Credential":
        """A new one, from the operating system's random bytes."""
        return cls(poll, os.urandom(HASH))

    @property
    def secret(self) -> bytes:
        """What the next change or withdrawal reveals."""
        return secret_of(self.seed, self.position)

    @property
    def receipt(self) -> bytes:
        """Under which the report stands now."""
        return receipt_of(self.secret)

    def moved(self) -> "Credential":
        """The credential after one more change."""
        return replace(self, position=self.position + 1)

    def spent(self) -> "Credential":
        """The credential after one more draw."""
        return replace(self, draws=self.draws + 1)

    def to_json(self) -> str:
        """The credential as text, for the voter to keep."""
        document = {
            "hushvote": KIND,
            "version": VERSION,
            "poll": self.poll,
            "seed": self.seed.hex(),
            "position": self.position,
            "draws": self.draws,
        }
        return canonical(document).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> "Credential":
        """Read what `to_json` wrote, strictly."""
        try:
            found: Any = parsed(text)
        except ValueError as error:
            raise PollError(
                f"this is no credential: {clip(str(error))}", code="credential.form", reason=error
            ) from None
        if (
            not isinstance(found, dict)
            or found.keys() != MEMBERS
            or (found["hushvote"], found["version"]) != (KIND, VERSION)
            or not all(is_hex(found[name]) for name in ("poll", "seed"))
            or not all(type(found[name]) is int for name in ("version", "position", "draws"))
            or not 0 <= found["position"] <= MOST_CHANGES
            or not 0 <= found["draws"] <= MOST_CHANGES + 1
        ):
            raise PollError(
                "this is no credential, or a damaged one: take the file as it was saved",
                code="credential.form",
            )
        seed = bytes.fromhex(found["seed"])
        return cls(found["poll"], seed, found["position"], found["draws"])

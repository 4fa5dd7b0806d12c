"""A poll's manifest: everything that voters must agree on, as one text with one digest.

The text is canonical JSON (RFC 8785), and readers take it in no other form. All checks stand in one
order, the same in every language, so that everybody refuses a manifest for the same reason; the
first that fails gives the code (`checks.py`).
"""

import hashlib
import os
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from hushvote import exact, lottery, texts
from hushvote.canonical import canonical
from hushvote.errors import HushvoteError, MechanismError, PollError, RankingError, echo
from hushvote.files import AnyPath, reading, writing
from hushvote.lottery import Bits
from hushvote.mechanisms import Mechanism
from hushvote.mechanisms.fields import Reports
from hushvote.poll import checks
from hushvote.poll.hashing import HASH

BLANKS = "".join(chr(j) for low, high in texts.BLANK for j in range(low, high + 1)) + "\n\t"


@dataclass(frozen=True)
class Drawn:
    """A report as it leaves the device, and the whole ranking that it was drawn for."""

    report: Reports
    ranking: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Poll:
    """The public parameters of a poll. Made by `Poll.create` or `Poll.load`, which check them."""

    id: str
    question: str
    description: str
    candidates: tuple[str, ...]
    mechanism: Mechanism
    seats: int
    access: str  # "link": whoever has it may vote; "codes": whoever has an unused code
    changes: int  # how often a voter may change a vote
    partial: bool  # whether a ranking may leave candidates out
    turnout: int  # standing reports without which there is neither result nor board
    live: int  # 0: nothing is shown before close; else the step in which results move
    server: str  # the Ed25519 public key of this poll's acknowledgements and board

    @classmethod
    def create(
        cls,
        question: str,
        candidates: Sequence[str],
        mechanism: Mechanism,
        *,
        description: str = "",
        seats: int = 1,
        access: str = "codes",
        changes: int = 2,
        partial: bool = False,
        turnout: int = 20,
        live: int = 0,
        server: Ed25519PublicKey | bytes | str,
        id: str | None = None,
    ) -> "Poll":
        """Make a poll with a fresh id of 128 random bits.

        Texts are trimmed and put into Unicode's composed form (NFC), and names that differ by case
        alone are refused. `server` is an Ed25519 public key, as an object, as 32 bytes or in hex. A
        mechanism that takes a key gets the poll's id as its key.
        """
        if not isinstance(mechanism, Mechanism):
            raise MechanismError(
                f"a poll needs a mechanism such as hv.mechanism('duel', hv.borda(3), 1), "
                f"not {echo(mechanism)}",
                code="mechanism.type",
                given=mechanism,
            )
        listed = isinstance(candidates, Iterable) and not isinstance(candidates, str)
        names: Any = [_tidied(name) for name in candidates] if listed else candidates
        id = os.urandom(16).hex() if id is None else id
        if isinstance(server, Ed25519PublicKey):
            server = server.public_bytes_raw()
        parameters = mechanism.parameters()
        if parameters.get(checks.KEY) == "":
            parameters[checks.KEY] = id
        made = checks.checked(
            {
                "hushvote": checks.KIND,
                "version": checks.VERSION,
                "id": id,
                "question": _tidied(question),
                "description": _tidied(description),
                "candidates": names,
                "mechanism": parameters,
                "seats": seats,
                "access": access,
                "changes": changes,
                "partial": partial,
                "turnout": turnout,
                "live": live,
                "server": server.hex() if isinstance(server, bytes) else server,
            }
        )
        _check_case(names)
        return cls(**made)

    @classmethod
    def load(cls, text: str | bytes, digest: str | None = None) -> "Poll":
        """Read a manifest, refusing everything that is not one; with the digest of a link, every
        manifest but that of the link.
        """
        return cls(**checks.checked(checks.read(text, digest)))

    @classmethod
    def read(cls, path: AnyPath, digest: str | None = None) -> "Poll":
        """Read a manifest from a file; one line end behind the text does not count."""
        with reading(path) as file:
            text = file.read(checks.LONGEST + 2)
        try:
            return cls.load(text.removesuffix(b"\n"), digest)
        except HushvoteError as error:
            raise error.within(path, path=path) from None

    def write(self, path: AnyPath) -> None:
        """Write the manifest into a file, which then has the digest as its SHA-256."""
        with writing(path) as part:
            part.write_bytes(self.text.encode())

    @property
    def d(self) -> int:
        """How many candidates there are."""
        return len(self.candidates)

    def document(self) -> dict[str, Any]:
        """The manifest as plain data."""
        return {
            "hushvote": checks.KIND,
            "version": checks.VERSION,
            **{name: getattr(self, name) for name in checks.MEMBERS[2:]},
            "candidates": list(self.candidates),
            "mechanism": self.mechanism.parameters(),
        }

    @cached_property
    def text(self) -> str:
        """The manifest itself: canonical JSON."""
        return canonical(self.document()).decode()

    @cached_property
    def digest(self) -> str:
        """What binds reports, codes and acknowledgements to this poll: the text's SHA-256."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    # --- voting -------------------------------------------------------------------------------

    def draw(
        self, ranking: Sequence[int], bits: Bits | None = None, question: bytes | None = None
    ) -> Drawn:
        """Randomise one vote, with secure bits unless others are given; on the question of this
        hash, where the mechanism needs one.

        In a poll of partial rankings every draw, of a full ranking too, begins with all candidates
        in random order, and those that were left out follow in that order: so neither the report
        nor the bytes that it took show how many were ranked.
        """
        if question is None and self.mechanism.needs_question:
            raise PollError(
                "this poll asks every voter a question of their own: give its hash of 32 bytes",
                code="question.missing",
            )
        if question is not None and not self.mechanism.needs_question:
            raise PollError(
                "in this poll no hash fixes what to report on, so give none",
                code="question.needless",
            )
        if question is not None and len(question) != HASH:
            raise PollError("a question is a hash of 32 bytes", code="question.hash")
        bits = lottery.source(bits)
        order = self.ranked(ranking)
        if self.partial:
            drawn = lottery.distinct(self.d, self.d, bits)
            order += [candidate for candidate in drawn if candidate not in order]
        report = self.mechanism.draw(order, bits, question)
        return Drawn(report, tuple(order))

    def ranked(self, ranking: Sequence[int]) -> list[int]:
        """A ranking as somebody gave it, refused unless this poll takes it."""
        return self._begun(ranking) if self.partial else self.mechanism.one_ranking(ranking)

    def _begun(self, ranking: Sequence[int]) -> list[int]:
        """The candidates that were ranked: 1 to d different ones."""
        given = np.asarray(ranking, dtype=object)
        if given.ndim != 1 or not 1 <= len(given) <= self.d:
            raise RankingError(
                f"a ranking names 1 to {self.d} candidates, not {echo(ranking)}",
                code="ranking.length",
                d=self.d,
            )
        for rank, candidate in enumerate(given.tolist()):
            inside = exact.is_number(candidate) and 0 <= candidate < self.d
            if not inside or candidate != int(candidate):
                raise RankingError(
                    f"the ranking has {echo(candidate)} at rank {rank}; candidates are whole "
                    f"numbers from 0 to {self.d - 1}",
                    code="ranking.candidate",
                    rank=rank,
                    candidate=candidate,
                )
        found = [int(candidate) for candidate in given]
        for candidate in found:
            if found.count(candidate) > 1:
                raise RankingError(
                    f"the ranking names candidate {candidate} twice; "
                    "it may leave candidates out, but name none twice",
                    code="ranking.duplicate",
                    candidate=candidate,
                )
        return found

    def words(self, report: Reports) -> str:
        """One report as a sentence for the voter."""
        return self.mechanism.words(report, self.candidates)


def _tidied(text: Any) -> Any:
    """A text as people mean it; anything else is left for the checks to refuse."""
    if not isinstance(text, str):
        return text
    plain = text.replace("\r\n", "\n").replace("\ufe0e", "").replace("\ufe0f", "")
    return unicodedata.normalize("NFC", plain.strip(BLANKS))


def _check_case(names: list[str]) -> None:
    """Refuse names that a hurried voter cannot tell apart."""
    seen: dict[str, str] = {}
    for name in names:
        folded = unicodedata.normalize("NFC", name.casefold())
        if folded in seen:
            raise RankingError(
                f"the names {echo(seen[folded])} and {echo(name)} differ by case alone; "
                "voters would mix them up",
                code="name.duplicate",
                name=name,
            )
        seen[folded] = name

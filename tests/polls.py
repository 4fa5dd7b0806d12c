"""Polls that several tests share."""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import hushvote as hv
from hushvote.canonical import canonical
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import write_board
from hushvote.poll.codes import code_hash, new_code, question_of
from hushvote.poll.credentials import Credential
from hushvote.poll.entries import Entry, Erased, Line
from hushvote.poll.header import Happened
from hushvote.poll.requests import Cast, Change, Withdrawal

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SERVER = KEY.public_key().public_bytes_raw()
ID = "00112233445566778899aabbccddeeff"
LOG = ({"at": 1_800_000_000, "event": "opened"}, {"at": 1_800_003_600, "event": "closed"})
NAMES = ("Ann", "Bob", "Çem", "Dörte")


@cache
def poll_of(name: str = "duel", d: int = 3, epsilon: str = "1", **settings: Any) -> hv.Poll:
    """A poll with a mechanism of this name, for the Borda rule."""
    return poll_with(hv.mechanism(name, hv.borda(d), epsilon), **settings)


def poll_with(made: hv.Mechanism, **settings: Any) -> hv.Poll:
    """A poll with this mechanism, of up to four named candidates, or of numbered ones."""
    d = made.d
    names = NAMES[:d] if d <= len(NAMES) else [f"Candidate {j}" for j in range(d)]
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


@dataclass
class Election:
    """A closed poll in memory, as a server would keep it."""

    poll: hv.Poll
    entries: dict[str, Entry] = field(default_factory=dict)
    erased: dict[str, bytes] = field(default_factory=dict)
    acks: dict[str, Acknowledgement] = field(default_factory=dict)
    secrets: list[tuple[str, str | None]] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)
    casts: int = 0
    changes: int = 0
    withdrawals: int = 0

    def _keep(self, receipt: str, report: Any, question: str | None) -> None:
        asked = question if self.poll.mechanism.needs_question else None
        self.entries[receipt] = entry = Entry.fresh(receipt, report, asked)
        self.acks[receipt] = Acknowledgement.of_entry(self.poll, entry, KEY)

    def cast(self) -> Credential:
        """One voter, with a code where the poll has them."""
        poll = self.poll
        question = None
        if poll.access == "codes":
            self.codes.append(new_code())
            question = question_of(poll.digest, self.codes[-1])
            self.used.append(question.hex())
        asked = question if poll.mechanism.needs_question else None
        drawn = poll.draw(list(range(poll.d)), question=asked)
        credential = Credential.fresh(poll.digest)
        body = Cast.of(poll, credential, drawn.report, question).body(poll)
        read = Cast.read(poll, body)
        self._keep(read.receipt, read.report, read.question)
        self.casts += 1
        return credential

    def change(self, credential: Credential) -> Credential:
        poll = self.poll
        before = self.entries.pop(credential.receipt.hex())
        asked = None if before.question is None else bytes.fromhex(before.question)
        drawn = poll.draw(list(range(poll.d))[::-1], question=asked)
        read = Change.read(poll, Change.of(poll, credential, drawn.report).body(poll))
        self.secrets.append((read.reveals, read.receipt))
        self._keep(read.receipt, read.report, before.question)
        self.changes += 1
        return credential.moved()

    def withdraw(self, credential: Credential) -> None:
        poll = self.poll
        read = Withdrawal.read(poll, Withdrawal.of(poll, credential).body(poll))
        receipt = credential.receipt.hex()
        del self.entries[receipt]
        self.secrets.append((read.reveals, None))
        self.acks[receipt] = Acknowledgement.of_withdrawal(poll, receipt, KEY)
        self.withdrawals += 1

    def erase(self, credential: Credential) -> None:
        receipt = credential.receipt.hex()
        self.erased[receipt] = self.entries.pop(receipt).leaf

    def revoke(self) -> None:
        """Issue a code and take it back."""
        self.codes.append(new_code())
        self.revoked.append(self.hash_of(self.codes[-1]))

    def hash_of(self, code: str) -> str:
        return code_hash(question_of(self.poll.digest, code)).hex()

    def lines(self) -> list[Line]:
        kept = {**self.entries, **{r: Erased(leaf) for r, leaf in self.erased.items()}}
        return [kept[receipt] for receipt in sorted(kept)]

    def happened(self) -> Happened:
        return Happened(
            casts=self.casts,
            changes=self.changes,
            withdrawals=self.withdrawals,
            log=LOG,
            secrets=self.secrets,
            issued=[self.hash_of(code) for code in self.codes],
            revoked=self.revoked,
            used=self.used,
        )

    def write(self, path: Path) -> Path:
        write_board(path, self.poll, self.lines(), self.happened(), KEY)
        return path


def election(poll: hv.Poll, n: int = 24) -> Election:
    """n casts; of them one changed twice, one changed, two withdrawn (one changed before), and one
    erased; in polls of codes, one code was revoked and one never used.
    """
    held = Election(poll)
    voters = [held.cast() for _ in range(n)]
    held.change(held.change(voters[0]))
    held.change(voters[1])
    held.withdraw(voters[2])
    held.withdraw(held.change(voters[3]))
    held.erase(voters[4])
    if poll.access == "codes":
        held.revoke()
        held.codes.append(new_code())
    return held

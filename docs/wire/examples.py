"""Write the examples of docs/wire/examples anew: `python docs/wire/examples.py`.

Everything that is random in a poll comes here from a hash, so that the examples can be repeated.
"""

import hashlib
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import hushvote as hv
from hushvote.lottery import FixedBits
from hushvote.mechanisms.fields import Reports
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.board import write_board
from hushvote.poll.codes import code_hash, code_of, question_of, written
from hushvote.poll.credentials import Credential
from hushvote.poll.entries import SALT, Entry, Erased, Line
from hushvote.poll.header import Happened
from hushvote.poll.requests import Cast, Change, Withdrawal

FOLDER = Path(__file__).with_name("examples")
VOTERS = 23


def stream(name: str, size: int) -> bytes:
    """Bytes that look random, the same on every machine."""
    return hashlib.shake_256(name.encode()).digest(size)


KEY = Ed25519PrivateKey.from_private_bytes(stream("server", 32))


def poll() -> hv.Poll:
    """A poll whose mechanism has no solver behind it."""
    return hv.Poll.create(
        "Who shall chair the works council?",
        ["Ann", "Bob", "Çem"],
        hv.mechanism("additive", hv.borda(3), epsilon=1),
        description="One person, for two years.\nVoting ends on Friday.",
        server=KEY.public_key().public_bytes_raw(),
        id=stream("id", 16).hex(),
    )


def code(i: int) -> str:
    """The code of voter i."""
    return code_of(int.from_bytes(stream(f"code {i}", 13), "big") >> 4)


def write(folder: Path = FOLDER) -> None:
    """One example of everything that travels, and a whole board."""
    made = poll()
    questions = [question_of(made.digest, code(i)) for i in range(VOTERS + 2)]
    entries: dict[str, Line] = {}
    texts = {"manifest.json": made.text, "code.txt": written(code(0))}

    def report(name: str) -> Reports:
        return made.draw([1, 0, 2], FixedBits(stream(name, 4000))).report

    def kept(request: Cast | Change) -> Entry:
        salt = stream(request.receipt, SALT).hex()
        entries[request.receipt] = entry = Entry(request.receipt, salt, request.report)
        return entry

    for i in range(VOTERS):
        credential = Credential(made.digest, stream(f"seed {i}", 32))
        cast = Cast.of(made, credential, report(f"report {i}"), questions[i])
        entry = kept(cast)
        if i == 0:
            texts["credential.json"] = credential.spent().to_json()
            texts["cast.body"] = cast.body(made).decode()
            signed = Acknowledgement.of_entry(made, entry, KEY)
            texts["acknowledgement.json"] = signed.to_json()
            change = Change.of(made, credential, report("change"))
            texts["change.body"] = change.body(made).decode()
            del entries[cast.receipt]
            kept(change)
            secrets: list[tuple[str, str | None]] = [(change.reveals, change.receipt)]
        if i == 1:
            withdrawal = Withdrawal.of(made, credential)
            texts["withdrawal.body"] = withdrawal.body(made).decode()
            del entries[cast.receipt]
            secrets.append((withdrawal.reveals, None))
        if i == 2:
            entries[cast.receipt] = Erased(entry.leaf)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    happened = Happened(
        casts=VOTERS,
        changes=1,
        withdrawals=1,
        log=[
            {"at": 1800000000, "event": "opened", "closes": 1800600000},
            {"at": 1800000100, "event": "codes", "number": VOTERS + 2},
            {"at": 1800600000, "event": "closed"},
        ],
        secrets=secrets,
        issued=[code_hash(one).hex() for one in questions],
        revoked=[code_hash(questions[-1]).hex()],
        used=[one.hex() for one in questions[:VOTERS]],
    )
    lines = [entries[receipt] for receipt in sorted(entries)]
    write_board(folder / "board.jsonl", made, lines, happened, KEY)


if __name__ == "__main__":
    write()

"""Vectors of whole polls: manifests, draws from partial rankings, secrets, codes and requests."""

from functools import cache
from typing import Any

from conformance import good, questions
from conformance.names import LONG, candidates
from conformance.streams import Dice, SeededBits, stream

import hushvote as hv
from hushvote.canonical import canonical
from hushvote.poll import codes, credentials, requests

SIZES = ((2, "1"), (3, "1/2"), (4, "1"), (5, "2"), (8, "1"), (13, "1/10"), (40, "5"))
DRAWS = 5  # of each poll
ASKED = ("Who?", "من؟", "谁来代表我们? 🗳", 'Qui "parle" \\ ici?')
Document = dict[str, Any]


# --- manifests ------------------------------------------------------------------------------------


def document(made: hv.Mechanism, names: list[str], **settings: Any) -> Document:
    """A manifest as plain data; what is not said is as good as any."""
    parameters = made.parameters()
    key = {"key": questions.KEY} if "key" in parameters else {}
    return {
        "hushvote": "poll",
        "version": 1,
        "id": questions.KEY,
        "question": "Who shall speak for us?",
        "description": "",
        "candidates": names,
        "mechanism": parameters | key,
        "seats": 1,
        "access": "codes",
        "changes": 2,
        "partial": False,
        "turnout": 20,
        "live": 0,
        "server": stream("server", 32).hex(),
        **settings,
    }


def text_of(document: object) -> str:
    """The canonical text of what has one."""
    return canonical(document).decode()


@cache
def polls() -> list[hv.Poll]:
    """Polls of every mechanism, every other one with partial rankings."""
    found = []
    for name in good.MAKERS:
        for i, (d, epsilon) in enumerate(SIZES):
            dice = Dice(f"poll/{name}/{i}")
            made = good.MAKERS[name](d, epsilon, dice)
            if made.name == "challenge" and not made.needs_question:
                made = questions.chosen("challenge", hv.borda(d), epsilon, dice)
            settings = {
                "id": stream(f"poll/{name}/{i}/id", 16).hex(),
                "question": dice.one_of(ASKED),
                "description": dice.one_of(("", "One line.\nAnother.", "e\u0301 is not \u00e9")),
                "seats": dice.between(1, d - 1),
                "access": "codes" if made.needs_question else dice.one_of(("codes", "link")),
                "changes": dice.below(17),
                "partial": i % 2 == 1,
                "turnout": dice.between(20, 10**9),
                "live": dice.one_of((0, 20, 10**9)),
            }
            written = document(made, candidates(d, dice), **settings)
            if "key" in written["mechanism"]:
                written["mechanism"]["key"] = settings["id"]
            found.append(hv.Poll.load(text_of(written)))
    return found


def accepted() -> list[dict[str, str]]:
    """Manifests at the borders of what is taken: neighbours of refused ones."""
    small = hv.Additive(hv.borda(2), 1, k=1)
    many = hv.Additive(hv.borda(64), 1, k=1)
    pair = ["Ann", "Bob"]
    near = ["\u2010\u200a\u202f\u2027\u205e\u2070", "\u00ac\u034e\ufdcf\ufdf0\ufe10\ufffd"]
    lines, kept = "e\n" * 2500, "\u20ac\u00df/</script>"
    manifests: dict[str, Document] = {
        "names that differ by their composition": document(small, ["\u00e9", "e\u0301"]),
        "names that differ by case": document(small, ["ann", "ANN"]),
        "names that differ by a blank": document(small, ["Ann B", "Ann  B"]),
        "names that look alike": document(small, ["\u212b", "\u00c5"]),
        "names that hardly have ink": document(small, [".", "\u02d9"]),
        "names of 200 code points": document(small, [LONG[0], LONG[1]]),
        "names of 200 composed letters": document(small, [LONG[2], LONG[3]]),
        "names that objects have": document(small, ["__proto__", "constructor"]),
        "names beyond the first plane": document(small, ["\U00010000", "\U0010fffd"]),
        "names next to refused ones": document(small, near),
        "names that are private or not assigned": document(small, ["\ue000", "\u0378"]),
        "64 names of emoji": document(many, [f"{chr(0x1F400 + j)}" * 9 for j in range(64)]),
        "question of 500 emoji": document(small, pair, question="🦊" * 500),
        "description of 5,000 letters and line ends": document(small, pair, description=lines),
        "description that is escaped": document(small, pair, description='"\\/\n\u00a0\u2030'),
        "question with letters that RFC 8785 keeps": document(small, pair, question=kept),
        "the largest numbers": document(small, pair, turnout=10**9, live=10**9, changes=16),
        "the smallest numbers": document(small, pair, turnout=20, live=20, changes=0),
        "63 seats": document(many, [str(j) for j in range(64)], seats=63),
        "a link": document(small, pair, access="link", partial=True),
        "a challenge without ids that matter": document(
            questions.made("challenge", hv.borda(2), "1", questions.pairwise(2)), pair
        ),
    }
    return [{"reason": reason, "text": text_of(one)} for reason, one in manifests.items()]


# --- draws ----------------------------------------------------------------------------------------


def vector(poll: hv.Poll, i: int, n: int) -> dict[str, Any]:
    """One vote, drawn as the poll's clients must."""
    seed = f"poll/{i}/{n}"
    dice = Dice(f"{seed}/vote")
    ranking = dice.shuffled(range(poll.d))
    if poll.partial and n > 1:
        ranking = ranking[: dice.between(1, poll.d)] if n > 2 else ranking[:1]
    hashed = stream(f"{seed}/question", 32) if poll.mechanism.needs_question else None
    bits = SeededBits(seed)
    drawn = poll.draw(ranking, bits, hashed)
    return {
        "name": f"{poll.mechanism.name} {i}.{n}",
        "poll": poll.digest,
        "ranking": ranking,
        **({} if hashed is None else {"question": hashed.hex()}),
        "seed": seed,
        "bytes": bits.used,
        "report": poll.mechanism.domain.to_wire(drawn.report),
        "completed": list(drawn.ranking),
        "words": poll.words(drawn.report),
    }


# --- secrets, codes and requests ------------------------------------------------------------------


def secrets(n: int) -> dict[str, Any]:
    """What a seed of 32 bytes stands for."""
    seed = stream(f"secret/{n}", 32)
    found = [credentials.secret_of(seed, i) for i in range(17)]
    return {
        "seed": seed.hex(),
        "secrets": [secret.hex() for secret in found],
        "receipts": [credentials.receipt_of(secret).hex() for secret in found],
    }


def invited(n: int) -> dict[str, Any]:
    """A code, as it is written and typed, and what it stands for in one poll."""
    number = (0, 2**100 - 1)[n] if n < 2 else int.from_bytes(stream(f"code/{n}", 13)) % 2**100
    code, digest = codes.code_of(number), polls()[n % len(polls())].digest
    ways = (
        codes.written(code),
        code.lower(),
        f" {code[:5]} {code[5:]}\n",
        code.replace("0", "O").replace("1", "l"),
        code.replace("0", "o").replace("1", "I"),
        "\u2013".join(code),
    )
    asked = codes.question_of(digest, code)
    return {
        "number": f"{number:025x}",
        "code": code,
        "written": codes.written(code),
        "typed": ways[n % len(ways)],
        "poll": digest,
        "question": asked.hex(),
        "hash": codes.code_hash(asked).hex(),
    }


def request(poll: hv.Poll, i: int) -> dict[str, Any]:
    """How long every request to a poll is; and one of each kind, without the blanks behind."""
    seed = stream(f"request/{i}", 32)
    credential = credentials.Credential(poll.digest, seed)
    asked = stream(f"request/{i}/question", 32)
    hashed = asked if poll.mechanism.needs_question else None
    ranking = list(range(poll.d))
    first, second = (
        poll.draw(ranking, SeededBits(f"request/{i}/{n}"), hashed).report for n in range(2)
    )
    coded = asked if poll.access == "codes" else None
    cast = requests.Cast.of(poll, credential, first, coded)
    change = requests.Change.of(poll, credential, second)
    withdrawal = requests.Withdrawal.of(poll, credential.moved())
    return {
        "poll": poll.digest,
        "size": requests.request_size(poll),
        "seed": seed.hex(),
        **{
            name: one.body(poll).decode().rstrip(" ")
            for name, one in (("cast", cast), ("change", change), ("withdrawal", withdrawal))
        },
    }


def poll_vectors() -> dict[str, Any]:
    """Everything about polls."""
    made = list(enumerate(polls()))
    return {
        "polls": {poll.digest: poll.text for _, poll in made},
        "vectors": [vector(poll, i, n) for i, poll in made for n in range(DRAWS)],
        "accepted": accepted(),
        "secrets": [secrets(n) for n in range(8)],
        "codes": [invited(n) for n in range(24)],
        "requests": [request(poll, i) for i, poll in made],
    }
